"""From a file to a run that can be scored: line by line, against the collection, per question."""

from __future__ import annotations

from itertools import repeat

from ave_score import rules
from ave_score.align import Placement
from ave_score.errors import UsageError
from ave_score.findings import Findings
from ave_score.formats.lines import LineReader
from ave_score.formats.runs import read_rows
from ave_score.formats.source import Source
from ave_score.model import Roster, Run, Verdict

MISSING_POLICIES = ("error", "rejected")
"""What an answer without a line is: a finding, or REJECTED with a warning."""


def check_missing_policy(missing: str) -> None:
    """Raise `UsageError` for a policy that does not exist."""
    if missing not in MISSING_POLICIES:
        known = " and ".join(MISSING_POLICIES)
        raise UsageError(f"no policy {missing!r} for missing answers, only {known}")


def check_run(
    source: Source, roster: Roster, missing: str = "error", name: str | None = None
) -> tuple[Run | None, list[Findings]]:
    """Read a run; return it placed on the roster, with its findings.

    The run is None where a finding forbids scoring. `missing` is one of `MISSING_POLICIES`.
    """
    check_missing_policy(missing)
    findings = Findings(source.path)
    placement = Placement(roster, findings)
    for rows in read_rows(source, findings):
        placement.place(rows.lines, rows.q_ids, rows.a_ids, rows.verdicts, rows.confidences)
        for unreadable in rows.unreadable:
            placement.place_unreadable(*unreadable)
    if any(placement.codes):  # else the file holds nothing of this collection: that was said
        _settle_missing(placement, missing)
        _check_selections(placement)
    if findings.errors:
        _quote_lines(source, findings)
        return None, [findings]
    run = Run(
        name or source.name,
        source.path,
        roster,
        bytes(placement.codes),
        placement.values,
        placement.lines,
        missing,
    )
    return run, [findings]


def _quote_lines(source: Source, findings: Findings) -> None:
    """Give findings that know their line, but were made without it, its text."""
    wanted = {found.line for found in findings if not found.text}
    reader = LineReader(source, Findings(source.path), "an AVE run")
    texts = {
        number: line
        for block in reader.blocks()
        for number, line in block.lines()
        if number in wanted
    }
    findings.quote(texts)


def _settle_missing(placement: Placement, missing: str) -> None:
    """Report every answer without a line; under the policy `rejected`, reject it."""
    roster, codes = placement.roster, placement.codes
    rule = rules.ANSWER_MISSING if missing == "error" else rules.MISSING_AS_REJECTED
    position = codes.find(Verdict.MISSING)
    while position >= 0:
        placement.findings.add(rule, q_id=roster.q_ids[position], a_id=roster.a_ids[position])
        if missing == "rejected":
            codes[position] = Verdict.REJECTED
        position = codes.find(Verdict.MISSING, position + 1)


def _check_selections(placement: Placement) -> None:
    """Check that a question with an accepted answer has exactly one SELECTED.

    Where a question has lines that could not be read, or none at all, more is not said than what
    the readable ones show.
    """
    roster, codes = placement.roster, placement.codes
    starts, stops = roster.starts, roster.starts[1:]
    selected, validated = (
        map(codes.count, repeat(verdict), starts, stops)
        for verdict in (Verdict.SELECTED, Verdict.VALIDATED)
    )
    for number, (selections, others) in enumerate(zip(selected, validated, strict=True)):
        if selections > 1:
            _report_two_selected(placement, number)
        elif others and not selections:
            _report_none_selected(placement, number)


def _report_none_selected(placement: Placement, number: int) -> None:
    """Report a question without SELECTED, unless that may stand on a line that is not there."""
    span = placement.roster.spans[number]
    verdicts = placement.codes[span]
    if Verdict.UNREADABLE not in verdicts and Verdict.MISSING not in verdicts:
        line = placement.lines[span.start + verdicts.index(Verdict.VALIDATED)]
        placement.findings.add(rules.NONE_SELECTED, line, q_id=placement.roster.questions[number])


def _report_two_selected(placement: Placement, number: int) -> None:
    span = placement.roster.spans[number]
    lines = sorted(
        line
        for line, code in zip(placement.lines[span], placement.codes[span], strict=True)
        if code == Verdict.SELECTED
    )
    for line in lines[1:]:
        placement.findings.add(
            rules.TWO_SELECTED, line, q_id=placement.roster.questions[number], first=lines[0]
        )
