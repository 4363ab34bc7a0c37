"""From a file that somebody submitted to what can be scored: a run, or QA systems."""

from __future__ import annotations

from ave_score import rules
from ave_score.files.run import check_run
from ave_score.files.sniff import TABLES, sniff
from ave_score.files.source import Source
from ave_score.findings import Findings
from ave_score.model import Collection, JudgedRun, Run
from ave_score.rules import FileKind

_TOLD = {
    **TABLES,
    FileKind.ANSWERS: "the answers of a system",
    FileKind.COLLECTION: "a collection (XML)",
    FileKind.ANSWER_SETS: "answer sets",
    FileKind.ANSWER_SETS: "answer sets",
}


def _misplaced(kind: FileKind, collection: Collection) -> str | None:
    """Return what is expected instead, where a collection has nothing for such a file."""
    answers_questions = kind in (FileKind.ANSWERS, FileKind.JUDGED, FileKind.SCORES)
    if collection.roster.is_pairs and answers_questions:
        return "a run about pairs, which belong to no question"
    if not len(collection.roster) and kind is not FileKind.JUDGED:
        return "a judged file like the one scored against, which has no candidate answers"
    return None


def refused(source: Source, kind: FileKind, collection: Collection) -> Findings | None:
    """Return what is wrong with a file of this kind beside such a collection; None if nothing."""
    expected = _misplaced(kind, collection)
    if expected is None:
        return None
    findings = Findings(source.path)
    facts = {"found": _TOLD.get(kind, "a run"), "expected": expected, "hint": ""}
    findings.add(rules.OTHER_FORMAT, 1, **facts)
    return findings


_NO_RUNS = {
    FileKind.SCORES: "; `ave-score decide` makes a run of them",
    FileKind.RESPONSES: "; they are scored against answer sets",
    FileKind.ANSWER_SETS: "; responses are scored against them",
}
"""What may be given in the place of a run, and what to do with it."""


def _no_run(source: Source, kind: FileKind) -> Findings:
    findings = Findings(source.path)
    facts = {"found": _TOLD[kind], "expected": "an AVE run", "hint": _NO_RUNS[kind]}
    findings.add(rules.OTHER_FORMAT, 1, **facts)
    return findings


def check_submission(
    source: Source,
    collection: Collection,
    campaign: str = "qa-clef",
    missing: str = "error",
    name: str | None = None,
) -> tuple[list[Run | JudgedRun] | None, list[Findings]]:
    """Read lines about answers, a system's answers (XML), or a judged file, whichever it is.

    Returns what can be scored, one run or the systems of a judged file, with the findings; None
    where a finding forbids scoring. See `check_run`, `check_answers` and `check_judged`.
    """
    kind = sniff(source)
    misplaced = refused(source, kind, collection)
    if misplaced is not None:
        return None, [misplaced]
    if kind in _NO_RUNS:
        return None, [_no_run(source, kind)]
    if kind is FileKind.ANSWERS:
        from ave_score.files.qa4mre import check_answers  # most files are runs

        answers, found = check_answers(source, collection, campaign, missing, name)
        return (None if answers is None else [answers]), found
    if kind is FileKind.JUDGED:
        from ave_score.files.judged import check_judged

        systems, found = check_judged(source, collection, campaign)
        return (None if systems is None else [*systems]), found
    run, found = check_run(source, collection.roster, missing, name)
    return (None if run is None else [run]), found
