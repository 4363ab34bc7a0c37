"""Counts of questions: selection, by the selected answer; answering, by whether it is answered."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Self, cast

from ave_score.core.exact import Number
from ave_score.core.model import AnswerOutcome, Collection, Outcome
from ave_score.counts.base import Counts, Family, SelectionBaseline, count
from ave_score.counts.decisions import Decisions
from ave_score.counts.judged import SystemOutcome


@dataclass(eq=False, repr=False)
class SelectionCounts(Counts):
    """Questions by the answer the run selected and whether the question has a correct answer.

    `expected_random` and `questions_with_correct` are properties of the collection.
    """

    selected_right: Number = count(
        "Questions where a correct answer was selected. A QA system may be right where no "
        "candidate is correct; its count may then exceed `questions_with_correct`."
    )
    selected_wrong_answerable: Number = count(
        "Questions where a wrong answer was selected although a correct answer exists."
    )
    withheld_answerable: Number = count(
        "Questions where no answer was selected although a correct answer exists. NIL of a QA "
        "system selects nothing."
    )
    selected_wrong_unanswerable: Number = count(
        "Questions where a wrong answer was selected, and no answer is correct. NIL that was "
        "judged wrong counts here."
    )
    withheld_unanswerable: Number = count(
        "Questions where no answer was selected, and none is correct. NIL that was judged right "
        "counts here."
    )
    selected_unknown: Number = count(
        "Questions where the selected answer is labelled UNKNOWN. They are part of the two wrong "
        "counts."
    )
    expected_random: Number = count(
        "The expected number of right answers for random selection: the sum over questions of "
        "correct answers / answers."
    )
    questions_with_correct: Number = count(
        "Questions with a correct answer: the number right for perfect selection."
    )

    @property
    def questions(self) -> Number:
        """All questions."""
        return (
            self.selected_right
            + self.selected_wrong_answerable
            + self.withheld_answerable
            + self.selected_wrong_unanswerable
            + self.withheld_unanswerable
        )


def _count_selection(decisions: Decisions) -> SelectionCounts:
    """Count a question by the answer that the run selected."""
    return _of_outcome(
        decisions.outcome,
        sum(decisions),
        decisions.correct,
        is_unknown=decisions.selected_unknown > 0,
    )


def _of_outcome(
    outcome: Outcome, candidates: int, correct: int, *, is_unknown: bool
) -> SelectionCounts:
    return SelectionCounts(
        **{str(outcome): 1},
        selected_unknown=int(is_unknown),
        expected_random=Fraction(correct, max(1, candidates)),
        questions_with_correct=int(correct > 0),
    )


def _count_system_selection(question: SystemOutcome) -> SelectionCounts:
    """Count a question of a QA system; its answer counts as selection, and NIL as none."""
    return _of_outcome(
        question.outcome, question.candidates, question.correct, is_unknown=question.is_unknown
    )


PERFECT = "Perfect selection"
"""The name of what no run can beat."""


def selection_baselines(
    collection: Collection, labels: Mapping[Decisions, int]
) -> Iterator[SelectionBaseline]:
    """Yield perfect selection and random selection.

    `labels` has the number of questions with equal labels.
    """
    for name, select in {PERFECT: _perfect, "Random": _random}.items():
        selections = SELECTION.added(select, labels)
        yield SelectionBaseline(name, collection, selections, is_perfect=select is _perfect)


def selections_of(baseline: SelectionBaseline) -> SelectionCounts:
    """Return the expected counts of a baseline."""
    return cast("SelectionCounts", baseline.selections)


def _perfect(labels: Decisions) -> SelectionCounts:
    """Return the counts of selecting a correct answer if there is one, else no answer."""
    correct = labels.correct
    outcome = Outcome.SELECTED_RIGHT if correct else Outcome.WITHHELD_UNANSWERABLE
    return _of_outcome(outcome, sum(labels), correct, is_unknown=False)


def _random(labels: Decisions) -> SelectionCounts:
    """Return the expected counts of selecting any answer; without answers, none is selected."""
    size, correct = sum(labels), labels.correct
    if not size:
        return _count_selection(labels)
    right = Fraction(correct, size)
    return SelectionCounts(
        selected_right=right,
        selected_wrong_answerable=1 - right if correct else 0,
        selected_wrong_unanswerable=int(not correct),
        selected_unknown=Fraction(labels.unknown, size),
        expected_random=right,
        questions_with_correct=int(correct > 0),
    )


@dataclass(eq=False, repr=False)
class AnsweringCounts(Counts):
    """Questions by whether a system answered them, and how."""

    answered_right: Number = count(
        "Questions that were answered correctly. A run answers a question if it selects an answer."
    )
    answered_wrong: Number = count("Questions that were answered wrongly.")
    unanswered: Number = count("Questions that were left unanswered.")
    withheld_right: Number = count(
        "Part of `unanswered`: the withheld answer was judged right. Only QA systems withhold "
        "answers that are judged."
    )
    withheld_wrong: Number = count("Part of `unanswered`: the withheld answer was judged wrong.")

    @property
    def questions(self) -> Number:
        """All questions."""
        return self.answered_right + self.answered_wrong + self.unanswered

    @classmethod
    def of(cls, selections: SelectionCounts) -> Self:
        """Convert selections to answers; a question without a selection is unanswered."""
        wrong = selections.selected_wrong_answerable + selections.selected_wrong_unanswerable
        withheld = selections.withheld_answerable + selections.withheld_unanswerable
        return cls(selections.selected_right, wrong, withheld)


def _count_system_answering(question: SystemOutcome) -> AnsweringCounts:
    """Count a question of a QA system; NIL and withheld answers count by their judgement."""
    worth = question.worth
    return AnsweringCounts(
        int(worth is AnswerOutcome.ANSWERED_RIGHT),
        int(worth is AnswerOutcome.ANSWERED_WRONG),
        int(not question.is_answered),
        int(worth is AnswerOutcome.WITHHELD_RIGHT),
        int(worth is AnswerOutcome.WITHHELD_WRONG),
    )


SELECTION = Family(
    "selection",
    SelectionCounts,
    table="selection",
    of_decisions=_count_selection,
    of_outcome=_count_system_selection,
    of_selection=selections_of,
    is_quick=True,
    in_all_data=True,
    needs_candidates=True,
    unknown="are not correct if selected, and are among those that random selection draws from",
)

ANSWERING = Family(
    "answering",
    AnsweringCounts,
    table="answering",
    of_decisions=lambda decisions: AnsweringCounts.of(_count_selection(decisions)),
    of_outcome=_count_system_answering,
    of_selection=lambda baseline: AnsweringCounts.of(selections_of(baseline)),
    is_quick=True,
    in_all_data=True,
    unknown="are not correct if returned: their questions are answered incorrectly",
)
