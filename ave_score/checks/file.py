"""Any file checked as what it is, or as what it was said to be."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from ave_score import rules
from ave_score.checks.run import check_run
from ave_score.findings import Findings
from ave_score.formats.sniff import sniff
from ave_score.formats.source import Source
from ave_score.model import Collection, JudgedRun, Label, Run, Verdict
from ave_score.rules import FileKind

Contents = dict[str, int | float]
"""What a sound file holds: counts, and ranges of numbers, by name."""


class Checked(NamedTuple):
    """A file that was checked.

    Attributes
    ----------
    path
        The file, as the user named it.
    kind
        What it was read as; None if it could not be read at all.
    findings
        What is wrong with it.
    contents
        What it holds, if nothing forbids scoring it.
    unreadable
        Why it could not be read, if so.
    """

    path: str
    kind: FileKind | None
    findings: Findings
    contents: Contents | None = None
    unreadable: str | None = None


def check_file(
    source: Source,
    kind: FileKind | None = None,
    collection: Collection | None = None,
    campaign: str = "qa-clef",
) -> Checked:
    """Check one file.

    Parameters
    ----------
    kind
        What the file is to be. Where it is None the file itself tells; but beside a collection all
        others are runs gone wrong, so that nothing else gets through where runs are handed in.
    collection
        What runs, keys and judged files are about. Labels are compared with judgements, if it has
        some, and with nothing else.
    campaign
        What the letters of judged files mean, a key of `CAMPAIGNS`.

    Raises
    ------
    InputError
        The file cannot be read.
    """
    if kind is None:
        kind = sniff(source)
        if collection is not None and kind in (FileKind.JUDGED, FileKind.GROUPS):
            return _no_run(source, kind)
        if collection is not None:
            kind = FileKind.RUN
    contents, (findings, *_) = _check(source, kind, collection, campaign)
    return Checked(source.path, kind, findings, contents)


_TABLES = {FileKind.JUDGED: "a table of judged answers", FileKind.GROUPS: "a table of groups"}


def _no_run(source: Source, kind: FileKind) -> Checked:
    findings = Findings(source.path)
    hint = f"; --kind {kind} checks it as that"
    facts = {"found": _TABLES[kind], "expected": "an AVE run", "hint": hint}
    findings.add(rules.OTHER_FORMAT, 1, **facts)
    return Checked(source.path, FileKind.RUN, findings)


def _check(
    source: Source, kind: FileKind, collection: Collection | None, campaign: str
) -> tuple[Contents | None, list[Findings]]:
    roster = None if collection is None else collection.roster
    if kind is FileKind.RUN:
        run, found = check_run(source, roster)
        return None if run is None else _of_run(run), found
    # the others are imported where they are used: most files are runs
    if kind is FileKind.COLLECTION:
        from ave_score.checks.collection import check_collection

        read, found = check_collection(source, needs_labels=False)
        return None if read is None else _of_collection(read), found
    if kind is FileKind.KEY:
        from ave_score.checks.key import check_key

        labels, found = check_key(source, roster)
        return None if labels is None else _of_labels(labels), found
    if kind is FileKind.JUDGED:
        from ave_score.checks.judged import check_judged

        systems, found = check_judged(source, collection, campaign)
        return None if systems is None else _of_judged(systems), found
    from ave_score.checks.groups import check_groups

    groups, found = check_groups(source)
    return None if groups is None else _of_groups(groups), found


def _of_run(run: Run) -> Contents:
    contents: Contents = {"questions": len(run.roster.questions), "answers": len(run.verdicts)}
    for verdict in (Verdict.SELECTED, Verdict.VALIDATED, Verdict.REJECTED):
        contents[verdict.name.lower()] = run.verdicts.count(verdict)
    contents["lowest_confidence"] = min(run.confidences, default=0.0)
    contents["highest_confidence"] = max(run.confidences, default=0.0)
    return contents


def _of_collection(collection: Collection) -> Contents:
    roster = collection.roster
    contents: Contents = {"questions": len(roster.questions), "answers": len(roster)}
    return contents | _of_labels(collection.labels)


_LABELS = {
    Label.VALIDATED: "validated",
    Label.REJECTED: "rejected",
    Label.UNKNOWN: "unknown",
    Label.NONE: "unlabelled",
}


def _of_labels(labels: bytes) -> Contents:
    times = Counter(labels)
    return {name: times[label] for label, name in _LABELS.items() if times[label]}


def _of_judged(systems: list[JudgedRun]) -> Contents:
    return {
        "systems": len(systems),
        "questions": len({answer.q_id for one in systems for answer in one.answers}),
        "answers": sum(len(one.answers) for one in systems),
    }


def _of_groups(groups: dict[str, str]) -> Contents:
    return {"runs": len(groups), "groups": len({*groups.values()})}
