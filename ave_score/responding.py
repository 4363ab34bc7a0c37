"""From answer sets and responses to scores: list, definition and factoid questions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from ave_score.counting.responses import count_responses
from ave_score.counts import OPEN, Family
from ave_score.errors import UsageError
from ave_score.facts import CollectionFacts
from ave_score.measures import Measure
from ave_score.open_questions import OpenGold, QuestionType, ResponseRun
from ave_score.policies import Policies, signature
from ave_score.scoring import Scores, measured, wanted_measures
from ave_score.tally import Counted, Kind

FAMILIES = OPEN | {Family.CATEGORIES, Family.NIL, Family.CANDIDATE_SETS}
"""What responses can be measured by."""

NO_DECISIONS = "responses decide on no candidate answers"

_OF_TYPES = {
    QuestionType.LIST: "list",
    QuestionType.DEFINITION: "definition",
    QuestionType.FACTOID: "combined",
}
"""Type of question -> the group of measures that is about it."""


def response_measures(gold: OpenGold) -> str:
    """Return the measures for tables where none are asked for: those of the types there are."""
    types = {question.type for question in gold.questions.values()}
    return ",".join(group for type_, group in _OF_TYPES.items() if type_ in types)


def score_responses(
    gold: OpenGold,
    runs: Iterable[ResponseRun],
    *,
    measures: str | Sequence[str | Measure] | None = None,
    groups: Mapping[str, str] | None = None,
) -> Scores:
    """Score responses by answer sets and nuggets.

    Parameters
    ----------
    gold
        The questions, with what is correct.
    runs
        What systems answered, read against these questions.
    measures
        A text that names some, `"mmf1, nugget_f(5)"`, or a list of names or measures; those of the
        types of questions that there are where not given.
    groups
        Run -> the group that submitted it.

    Raises
    ------
    UsageError
        A measure does not exist; two runs are called the same, or one answers other questions.
    """
    asked = response_measures(gold) if measures is None else measures
    wanted = wanted_measures(asked, FAMILIES)
    counted: list[Counted] = []
    for run in runs:
        if run.name in {one.name for one in counted}:
            raise UsageError(f"two runs are called {run.name!r}")
        if not gold.questions.keys() >= run.responses.keys():
            raise UsageError(f"run {run.name!r} was not read against these questions")
        counts = count_responses(run, gold)
        absent = {family: _why_absent(family) for family in Family if family not in counts}
        counted.append(Counted(run.name, Kind.QA, counts, absent))
    facts = _facts(gold)
    scores = measured(facts, Policies(), wanted, counted, groups or {})
    return scores._replace(signature=signature(None, facts))


def _why_absent(family: Family) -> str:
    if family is Family.COMBINED:
        return "not all three types of questions are asked"
    return "no question is of its type" if family in FAMILIES else NO_DECISIONS


def _facts(gold: OpenGold) -> CollectionFacts:
    questions = gold.questions.values()
    answerable = sum(bool(one.sets or one.nuggets) for one in questions)
    return CollectionFacts(gold.path, gold.sha256, len(questions), 0, 0, 0, 0, answerable)
