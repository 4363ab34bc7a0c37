"""Runs: read, aligned with the collection and checked per question."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Protocol

from ave_score import rules
from ave_score.core.choices import MISSING_CHOICES
from ave_score.core.errors import for_one_file
from ave_score.core.findings import KEPT_PER_RULE, Findings
from ave_score.core.labels import OPEN_CONFIDENCE
from ave_score.core.model import AnswerIndex, Collection, Run, Verdict
from ave_score.core.policies import Policies
from ave_score.core.standards import Standard
from ave_score.core.text import quantity
from ave_score.files.contents import Checking, Contents, size_of
from ave_score.files.placement import Placement, align
from ave_score.files.positions import FIELDS, locate
from ave_score.files.rows import Rows
from ave_score.files.run_lines import RunLines
from ave_score.files.sniff import begins_as_table
from ave_score.files.source import Source
from ave_score.rules import Safety

if TYPE_CHECKING:
    from ave_score.files.packed import PackedRows


class RunReader(Protocol):
    """A notation of runs, for reading and for `ave-score fix`; see `RunLines`."""

    def __init__(self, source: Source, findings: Findings, standard: Standard | None) -> None: ...

    @property
    def standard(self) -> Standard:
        """What the run is scored against."""

    @staticmethod
    def recognises(source: Source) -> bool:
        """Tell whether a file is in the notation, by its start."""

    def blocks(self) -> Iterator[Rows | PackedRows]:
        """Yield the rows of the file; the codes are `Verdict`."""

    def columns(self, line: str, field: str) -> range:
        """Return the columns of `q_id`, `a_id`, `verdict` or `confidence` in a line."""

    def word(self, verdict: Verdict) -> str:
        """Return how a line says a verdict."""

    def line_of(self, q_id: str, a_id: str, verdict: Verdict, confidence: float) -> str:
        """Return a line with a verdict, after `blocks`; a pair may have no confidence (NaN)."""


NOTATIONS: tuple[type[RunReader], ...] = (RunLines,)
"""The notations of runs that are not tables. The first that recognises a file reads it; the last
accepts any file."""


_MOST, _CHANCE, _SOME = 0.75, 1e-6, 1000
"""The share of questions of which this is told, if chance is rarer; those that are read first."""


@for_one_file
def check_run(
    source: Source,
    index: AnswerIndex | None,
    missing: str = "error",
    name: str | None = None,
    *,
    keep: int = KEPT_PER_RULE,
    selects: bool = True,
) -> tuple[Run | None, list[Findings]]:
    """Read a run; return it aligned with the index, with its findings.

    The run is None if a finding prevents scoring. `missing` is a choice of `Policies.missing`.
    Without an index, the index is built from the run, and checks that need a collection are
    skipped. `keep` is the number of findings of a rule that are kept in full. A run that `selects`
    has one SELECTED answer to each question with an accepted one.
    """
    Policies.missing.check(missing)
    if MISSING_CHOICES[missing].opens_pairs:
        source.naming = source.naming._replace(leaves_open=True)
    findings = Findings(source.path, keep)
    reader = reader_of(source, index, findings)
    if index is None:
        findings.skip("unknown and missing answers (AVE201-AVE204): no collection was given")
    placement = align(reader.blocks(), index, findings)
    if placement.fits:
        is_selected = selects and not source.naming.is_decided  # else a threshold selects
        placement = _settled(placement, missing, selects=is_selected)
    elif findings.errors and not findings.unchecked:
        findings.skip("missing answers: no line names an answer of the collection")
        findings.is_foreign = True
    locate(source, findings, FIELDS, reader.columns)
    if findings.errors:
        return None, [findings]
    index = placement.index
    run = Run(
        name or source.name,
        source.path,
        index,
        bytes(placement.codes),
        placement.values,
        index.in_order if placement.lines == index.in_order else placement.lines,
        missing,
        read_as=source.naming.signed,
    )
    return run, [findings]


def reader_of(source: Source, index: AnswerIndex | None, findings: Findings) -> RunReader:
    """Return the reader of a run; `findings` receives those about its lines."""
    standard = None if index is None else index.standard
    if begins_as_table(source):
        from ave_score.files.run_table import RunTable  # most runs are lines

        return RunTable(source, findings, standard)
    notation = next(notation for notation in NOTATIONS if notation.recognises(source))
    return notation(source, findings, standard)


def _settled(placement: Placement, missing: str, *, selects: bool) -> Placement:
    """Report what is missing, or contradicts itself, and return the placement of what is scored."""
    placement = _settle_missing(placement, missing)
    if selects:
        _check_selections(placement)
    if placement.index.standard.has_questions and not placement.findings.errors:
        _check_confidences(placement)
    return placement


def _settle_missing(placement: Placement, missing: str) -> Placement:
    """Report every answer without a line, and return the placement of what is scored.

    If such answers get a verdict, they rank last, as after `ave-score fix`, which takes their
    confidence from the finding. If they are left out, the placement does not have them.
    """
    index, codes, choice = placement.index, placement.codes, MISSING_CHOICES[missing]
    is_open = choice.opens_pairs and not index.standard.has_questions
    verdict = Verdict.OPEN if is_open else choice.verdict
    if is_open:
        _decide_open(placement)
    if Verdict.MISSING not in codes:
        return placement
    least = placement.confidence_of_missing()
    if is_open and not math.isnan(least):
        least = OPEN_CONFIDENCE
    fix = Safety.NONE if placement.unknown else None  # an unknown answer may be a missing one
    read_as = "an open decision" if is_open else verdict.name
    for position in placement.missing():
        facts = {"q_id": index.q_ids[position], "a_id": index.a_ids[position], "read_as": read_as}
        placement.findings.add(choice.of_answer, None, None, "", fix, **facts, confidence=least)
        if verdict:
            codes[position] = verdict
            placement.values[position] = least
    return placement.without_missing() if choice.is_left_out else placement


def _decide_open(placement: Placement) -> None:
    """Decide on pairs without a verdict by their confidences, except those in the middle."""
    codes, values = placement.codes, placement.values
    for position, code in enumerate(codes):
        if code == Verdict.OPEN and values[position] != OPEN_CONFIDENCE:
            is_above = values[position] > OPEN_CONFIDENCE
            codes[position] = Verdict.VALIDATED if is_above else Verdict.REJECTED


def _check_selections(placement: Placement) -> None:
    """Check that a question with an accepted answer has exactly one SELECTED.

    Questions with missing or unreadable lines are only checked as far as the other lines allow.
    """
    index, codes = placement.index, placement.codes
    selected, validated = (
        index.count(codes, verdict) for verdict in (Verdict.SELECTED, Verdict.VALIDATED)
    )
    unsure: set[int] = set()
    sizes = enumerate(zip(selected, validated, strict=True))
    for number in [n for n, (chosen, valid) in sizes if chosen != 1 and (chosen or valid)]:
        if selected[number]:
            _report_two_selected(placement, number)
        elif not _report_none_selected(placement, number):
            unsure.add(number)
    if Verdict.UNREADABLE in codes:
        spans = enumerate(index.spans)
        unsure.update(number for number, span in spans if Verdict.UNREADABLE in codes[span])
    if unsure:
        those = f"{quantity(len(unsure), 'question')} with missing or unreadable lines"
        placement.findings.skip(f"repetitions and selections (AVE205-AVE302) in {those}")


def _report_none_selected(placement: Placement, number: int) -> bool:
    """Report a question without SELECTED, unless a line is missing or unreadable.

    Returns whether the question could be checked.
    """
    span = placement.index.spans[number]
    verdicts = placement.codes[span]
    if Verdict.UNREADABLE in verdicts or Verdict.MISSING in verdicts:
        return False
    q_id = placement.index.questions[number]
    lines, fix = _lines_with(Verdict.VALIDATED, placement, span)
    placement.findings.add(rules.NONE_SELECTED, lines[0], None, "", fix, q_id=q_id, validated=lines)
    return True


def _report_two_selected(placement: Placement, number: int) -> None:
    q_id = placement.index.questions[number]
    span = placement.index.spans[number]
    (first, *others), fix = _lines_with(Verdict.SELECTED, placement, span)
    for line in others:
        placement.findings.add(rules.TWO_SELECTED, line, None, "", fix, q_id=q_id, first=first)


def _lines_with(
    verdict: Verdict, placement: Placement, span: slice
) -> tuple[list[int], Safety | None]:
    """Return the lines with this verdict, in file order, and the safety of the fix.

    They cannot be fixed if any confidence is unknown.
    """
    rows = zip(placement.lines[span], placement.codes[span], placement.values[span], strict=True)
    pairs = [(line, value) for line, code, value in rows if code == verdict]
    unsure = any(math.isnan(value) for _, value in pairs)
    return sorted(line for line, _ in pairs), Safety.NONE if unsure else None


def _check_confidences(placement: Placement) -> None:
    """Warn if the SELECTED answers have the lowest confidences of their questions.

    In `_MOST` of those in which confidences differ, and in so many that chance would not do it,
    which chooses the lowest of two: in 20 of 20, 28 of 30, 75 of 100. All questions are only read
    if it is so in half of a thousand of them.
    """
    spans = placement.index.spans
    some = spans[:: max(1, len(spans) // _SOME)]
    lowest, size = _lowest_selected(placement, some)
    if len(some) < len(spans) and 2 * lowest >= size:
        lowest, size = _lowest_selected(placement, spans)
    tail = sum(math.comb(size, number) for number in range(lowest, size + 1)) if size < _SOME else 0
    if size and lowest >= _MOST * size and tail / 2**size <= _CHANCE:
        facts = {"number": f"{lowest:,}", "size": f"{size:,}"}
        placement.findings.add(rules.SELECTED_LEAST_CONFIDENT, **facts)


def _lowest_selected(placement: Placement, spans: Sequence[slice]) -> tuple[int, int]:
    """Return in how many questions SELECTED has the lowest confidence, and in how many any has."""
    lowest = size = 0
    for span in spans:
        at = placement.codes.find(Verdict.SELECTED, span.start, span.stop)
        if at >= 0:
            own = placement.values[span]
            least, most = min(own), max(own)
            size += least < most
            lowest += placement.values[at] == least < most
    return lowest, size


def examine(
    source: Source, collection: Collection | None, _: str, missing: str, name: str | None
) -> Checking:
    """Check a run, optionally against a collection."""
    index = None if collection is None else collection.index
    return check_run(source, index, missing, name)


def contents(run: Run) -> Contents:
    """Describe a run in numbers."""
    contents = size_of(run.index)
    has_questions = run.index.standard.has_questions
    verdicts = (Verdict.SELECTED, Verdict.VALIDATED, Verdict.REJECTED)
    for verdict in verdicts[not has_questions :]:  # no pair is selected
        contents[verdict.name.lower()] = run.verdicts.count(verdict)
    confidences: Sequence[float] = run.confidences
    if not has_questions:  # pairs need none
        confidences = [value for value in confidences if not math.isnan(value)]
    if confidences:
        contents["lowest_confidence"] = min(confidences)
        contents["highest_confidence"] = max(confidences)
    return contents
