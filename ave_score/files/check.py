"""Any file checked as what it is, or as what it was said to be."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from ave_score import rules
from ave_score.errors import UsageError
from ave_score.files.run import check_run
from ave_score.files.sniff import TABLES, sniff
from ave_score.files.source import Source
from ave_score.files.submission import refused
from ave_score.findings import Findings
from ave_score.model import Collection, JudgedRun, Label, Roster, Run, Verdict
from ave_score.rules import FileKind

if TYPE_CHECKING:
    from ave_score.files.campaign import Campaign
    from ave_score.files.questions import Question
    from ave_score.files.scores import VerifierScores
    from ave_score.open_questions import OpenGold, ResponseRun

Value = TypeVar("Value")

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
    collection: Collection | OpenGold | None = None,
    campaign: str = "qa-clef",
) -> Checked:
    """Check one file.

    Parameters
    ----------
    kind
        What the file is to be. Where it is None the file itself tells; but beside a collection all
        but runs and answers are runs gone wrong, so that nothing else gets through where runs are
        handed in, least of all a table that brings its own judgements.
    collection
        What runs, answers, keys and judged files are about. Judgements are compared with its
        labels, if it has some; `ave-score check` gives one without. Beside answer sets a file is
        taken for a table of responses to their questions.
    campaign
        What the letters of judged files mean, a key of `CAMPAIGNS`.

    Raises
    ------
    InputError
        The file cannot be read.
    UsageError
        The file is to be something that is not about answer sets, which were given.
    """
    if collection is not None and not isinstance(collection, Collection):
        return _check_beside_answer_sets(source, kind, collection)
    found = sniff(source) if kind is None else kind
    if collection is not None and found in _SUBMITTED:
        misplaced = refused(source, found, collection)
        if misplaced is not None:
            return Checked(source.path, found, misplaced)
    if kind is None and collection is not None and found is not FileKind.ANSWERS:
        if found in TABLES:
            return _no_run(source, found)
        found = FileKind.RUN
    contents, (findings, *_) = _check(source, found, collection, campaign)
    return Checked(source.path, found, findings, contents)


def _check_beside_answer_sets(source: Source, kind: FileKind | None, gold: OpenGold) -> Checked:
    from ave_score.files.responses import check_responses

    if kind not in (None, FileKind.RESPONSES):
        raise UsageError(f"{gold.path} holds answer sets: only responses are checked against these")
    contents, (findings,) = _described(check_responses(source, gold), _of_responses)
    return Checked(source.path, FileKind.RESPONSES, findings, contents)


_SUBMITTED = (FileKind.RUN, FileKind.ANSWERS, FileKind.JUDGED, FileKind.SCORES)
"""What is about the answers of a collection; see `check_submission`."""


def _no_run(source: Source, kind: FileKind) -> Checked:
    findings = Findings(source.path)
    hint = f"; --kind {kind} checks it as that"
    facts = {"found": TABLES[kind], "expected": "an AVE run", "hint": hint}
    findings.add(rules.OTHER_FORMAT, 1, **facts)
    return Checked(source.path, FileKind.RUN, findings)


Described = tuple[Contents | None, list[Findings]]


def _check(
    source: Source, kind: FileKind, collection: Collection | None, campaign: str
) -> Described:
    if kind is FileKind.RUN:
        roster = None if collection is None else collection.roster
        return _described(check_run(source, roster), _of_run)
    return _CHECKS[kind](source, collection, campaign)


def _described(
    checked: tuple[Value | None, list[Findings]], describe: Callable[[Value], Contents]
) -> Described:
    """Return what a check gave, the value as what it holds."""
    value, found = checked
    return (None if value is None else describe(value)), found


# these are imported where they are used: most files are runs


def _check_collection(source: Source, _: Collection | None, __: str) -> Described:
    from ave_score.files.gold import check_collection

    return _described(check_collection(source, needs_labels=False), _of_collection)


def _check_answers(source: Source, collection: Collection | None, campaign: str) -> Described:
    from ave_score.files.qa4mre import check_answers

    return _described(check_answers(source, collection, campaign), _of_answers)


def _check_campaign(source: Source, _: Collection | None, __: str) -> Described:
    from ave_score.files.campaign import check_campaign

    return _described(check_campaign(source), _of_campaign)


def _check_key(source: Source, collection: Collection | None, _: str) -> Described:
    from ave_score.files.key import check_key

    roster = None if collection is None else collection.roster
    return _described(check_key(source, roster), _of_labels)


def _check_judged(source: Source, collection: Collection | None, campaign: str) -> Described:
    from ave_score.files.judged import check_judged

    return _described(check_judged(source, collection, campaign), _of_judged)


def _check_questions(source: Source, _: Collection | None, __: str) -> Described:
    from ave_score.files.questions import check_questions

    return _described(check_questions(source), _of_questions)


def _check_groups(source: Source, _: Collection | None, __: str) -> Described:
    from ave_score.files.groups import check_groups

    return _described(check_groups(source), _of_groups)


def _check_scores(source: Source, collection: Collection | None, _: str) -> Described:
    from ave_score.files.scores import check_scores

    return _described(check_scores(source, collection), _of_scores)


def _check_answer_sets(source: Source, _: Collection | None, __: str) -> Described:
    from ave_score.files.answer_sets import check_answer_sets

    return _described(check_answer_sets(source), _of_answer_sets)


def _check_responses(source: Source, _: Collection | None, __: str) -> Described:
    from ave_score.files.responses import check_responses

    return _described(check_responses(source, None), _of_responses)


_CHECKS: dict[FileKind, Callable[[Source, Collection | None, str], Described]] = {
    FileKind.COLLECTION: _check_collection,
    FileKind.ANSWERS: _check_answers,
    FileKind.CAMPAIGN: _check_campaign,
    FileKind.KEY: _check_key,
    FileKind.JUDGED: _check_judged,
    FileKind.QUESTIONS: _check_questions,
    FileKind.GROUPS: _check_groups,
    FileKind.SCORES: _check_scores,
    FileKind.ANSWER_SETS: _check_answer_sets,
    FileKind.RESPONSES: _check_responses,
}


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


def _of_scores(scores: VerifierScores) -> Contents:
    contents = _size(scores.roster)
    if scores.has_correct:
        contents["correct"] = scores.labels.count(Label.VALIDATED)
    return contents | {"lowest_score": min(scores.values), "highest_score": max(scores.values)}


def _of_campaign(campaign: Campaign) -> Contents:
    languages = [len(edition.languages) for edition in campaign.editions]
    return {"editions": len(languages), "languages": sum(languages)}


def _of_groups(groups: dict[str, str]) -> Contents:
    return {"runs": len(groups), "groups": len({*groups.values()})}


def _of_answer_sets(gold: OpenGold) -> Contents:
    types = Counter(question.type for question in gold.questions.values())
    contents: Contents = {kind.value: types[kind] for kind in sorted(types)}
    return {"questions": len(gold.questions), **contents}


def _of_responses(runs: list[ResponseRun]) -> Contents:
    return {
        "runs": len(runs),
        "questions": len({q_id for run in runs for q_id in run.responses}),
        "responses": sum(len(given) for run in runs for given in run.responses.values()),
    }
