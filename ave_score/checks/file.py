"""Any file checked as what it is, or as what it was said to be."""

from __future__ import annotations

import math
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from ave_score import rules
from ave_score.checks.run import check_run
from ave_score.findings import Findings
from ave_score.formats.sniff import sniff
from ave_score.formats.source import Source
from ave_score.model import Collection, JudgedRun, Label, Roster, Run, Verdict
from ave_score.rules import FileKind

if TYPE_CHECKING:
    from ave_score.formats.campaign import Campaign
    from ave_score.formats.questions import Question

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
        if collection is not None and kind in _TABLES:
            return _no_run(source, kind)
        if collection is not None and kind is not FileKind.ANSWERS:
            kind = FileKind.RUN
    contents, (findings, *_) = _check(source, kind, collection, campaign)
    return Checked(source.path, kind, findings, contents)


_TABLES = {
    FileKind.JUDGED: "a table of judged answers",
    FileKind.GROUPS: "a table of groups",
    FileKind.QUESTIONS: "a table of questions",
    FileKind.CAMPAIGN: "a campaign file",
}


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
    if kind is FileKind.ANSWERS:
        from ave_score.checks.answers import check_answers

        answers, found = check_answers(source, collection, campaign)
        return None if answers is None else _of_answers(answers), found
    if kind is FileKind.CAMPAIGN:
        from ave_score.checks.campaign import check_campaign

        campaign_file, found = check_campaign(source)
        return None if campaign_file is None else _of_campaign(campaign_file), found
    if kind is FileKind.KEY:
        from ave_score.checks.key import check_key

        labels, found = check_key(source, roster)
        return None if labels is None else _of_labels(labels), found
    if kind is FileKind.JUDGED:
        from ave_score.checks.judged import check_judged

        systems, found = check_judged(source, collection, campaign)
        return None if systems is None else _of_judged(systems), found
    if kind is FileKind.QUESTIONS:
        from ave_score.checks.questions import check_questions

        questions, found = check_questions(source)
        return None if questions is None else _of_questions(questions), found
    from ave_score.checks.groups import check_groups

    groups, found = check_groups(source)
    return None if groups is None else _of_groups(groups), found


def _of_run(run: Run) -> Contents:
    contents = _size(run.roster)
    said = (Verdict.SELECTED, Verdict.VALIDATED, Verdict.REJECTED)
    for verdict in said[run.roster.is_pairs :]:  # no pair is selected
        contents[verdict.name.lower()] = run.verdicts.count(verdict)
    confidences = [one for one in run.confidences if not math.isnan(one)]
    if confidences:
        contents["lowest_confidence"] = min(confidences)
        contents["highest_confidence"] = max(confidences)
    return contents


def _size(roster: Roster) -> Contents:
    """Return how many questions and answers there are, or pairs."""
    if roster.is_pairs:
        return {"pairs": len(roster)}
    return {"questions": len(roster.questions), "answers": len(roster)}


def _of_collection(collection: Collection) -> Contents:
    return _size(collection.roster) | _of_labels(collection.labels)


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


def _of_questions(questions: dict[str, Question]) -> Contents:
    topics = {one.topic for one in questions.values() if one.topic}
    patterns = sum(bool(one.hypothesis) for one in questions.values())
    return {"questions": len(questions), "topics": len(topics), "patterns": patterns}


def _of_answers(run: JudgedRun) -> Contents:
    answered = sum(answer.answered is True for answer in run.answers)
    questions = len(run.answers)
    return {"questions": questions, "answered": answered, "unanswered": questions - answered}


def _of_campaign(campaign: Campaign) -> Contents:
    languages = [len(edition.languages) for edition in campaign.editions]
    return {"editions": len(languages), "languages": sum(languages)}


def _of_groups(groups: dict[str, str]) -> Contents:
    return {"runs": len(groups), "groups": len({*groups.values()})}
