"""Selection: questions by the answer that is selected; and answering, by whether there is one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import NamedTuple, Self

from ave_score.counts.base import Counts, Family
from ave_score.counts.joined import JoinedAnswers, cells_of
from ave_score.counts.judged import SystemOutcome
from ave_score.exact import Number, whole_as_int
from ave_score.model import AnswerOutcome, Collection, Label, Outcome, Verdict


@dataclass(eq=False, repr=False)
class SelectionCounts(Counts):
    """Questions by what the run selected and whether a correct answer was there.

    `selected_unknown` is part of the two wrong ones: an answer labelled UNKNOWN was selected.
    `expected_random` is what picking one answer of each question at random selects rightly on
    average: the sum over questions of correct answers / answers. `questions_with_correct` is what
    perfect selection gets right. Both belong to the collection: a QA system that is judged right on
    a question without a correct answer there adds to `selected_right` alone.
    """

    selected_right: Number = 0
    selected_wrong_answerable: Number = 0
    withheld_answerable: Number = 0
    selected_wrong_unanswerable: Number = 0
    withheld_unanswerable: Number = 0
    selected_unknown: Number = 0
    expected_random: Number = 0
    questions_with_correct: Number = 0

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

    @property
    def outcome(self) -> Outcome:
        """What happened, where one question was counted."""
        return next(outcome for outcome in Outcome if getattr(self, outcome))


_WRONG = (Label.REJECTED, Label.UNKNOWN)
_RIGHT = cells_of(Verdict.SELECTED, [Label.VALIDATED])
_WRONG_ANSWERABLE = cells_of(Verdict.SELECTED, _WRONG, [True])
_WRONG_UNANSWERABLE = cells_of(Verdict.SELECTED, _WRONG, [False])
_SELECTED_UNKNOWN = cells_of(Verdict.SELECTED, [Label.UNKNOWN])


def count_selection(joined: JoinedAnswers) -> SelectionCounts:
    """Count the questions of a run."""
    right, wrong_answerable, wrong_unanswerable, unknown = (
        sum(map(joined.cells.count, kind))
        for kind in (_RIGHT, _WRONG_ANSWERABLE, _WRONG_UNANSWERABLE, _SELECTED_UNKNOWN)
    )
    questions, answerable = len(joined.spans), sum(joined.answerable)
    return SelectionCounts(
        selected_right=right,
        selected_wrong_answerable=wrong_answerable,
        withheld_answerable=answerable - right - wrong_answerable,
        selected_wrong_unanswerable=wrong_unanswerable,
        withheld_unanswerable=questions - answerable - wrong_unanswerable,
        selected_unknown=unknown,
        expected_random=joined.expected_random,
        questions_with_correct=answerable,
    )


def count_system_selection(outcomes: Sequence[SystemOutcome]) -> SelectionCounts:
    """Count the questions of a QA system: its answers as if they were selections."""
    times = Counter(one.outcome.value for one in outcomes)
    shares = Counter((one.correct, one.candidates) for one in outcomes if one.candidates)
    random = (n * Fraction(correct, size) for (correct, size), n in shares.items())
    return SelectionCounts(
        **times,
        selected_unknown=sum(one.is_unknown for one in outcomes),
        expected_random=sum(random, Fraction(0)),
        questions_with_correct=sum(one.correct > 0 for one in outcomes),
    )


class SelectionBaseline(NamedTuple):
    """A baseline that selects, and accepts, one answer a question at most.

    Attributes
    ----------
    name
        What its row is called.
    collection
        What it selects from.
    selections
        What is to be expected of it.
    is_perfect
        Whether it selects a correct answer where there is one; else any, by chance.
    """

    name: str
    collection: Collection
    selections: SelectionCounts
    is_perfect: bool


def selection_baselines(collection: Collection) -> Iterator[SelectionBaseline]:
    """Yield the perfect choice, and the choice by chance."""
    perfect, random = select_perfectly(collection), select_at_random(collection)
    yield SelectionBaseline("Perfect selection", collection, perfect, is_perfect=True)
    yield SelectionBaseline("Random", collection, random, is_perfect=False)


def select_perfectly(collection: Collection) -> SelectionCounts:
    """Return the counts of selecting a correct answer where there is one, else none."""
    questions, answerable = len(collection.index.questions), collection.questions_with_correct
    return SelectionCounts(
        selected_right=answerable,
        withheld_unanswerable=questions - answerable,
        expected_random=collection.expected_random,
        questions_with_correct=answerable,
    )


def select_at_random(collection: Collection) -> SelectionCounts:
    """Return the counts to expect of selecting one answer of each question at random.

    A question without answers is withheld, for want of anything to select.
    """
    right = collection.expected_random
    unanswerable = unknown = empty = Fraction(0)
    for span, answerable in zip(collection.index.spans, collection.answerable, strict=True):
        size = span.stop - span.start
        if not size:
            empty += 1
            continue
        unanswerable += not answerable
        unknown += Fraction(collection.labels[span].count(Label.UNKNOWN), size)
    return SelectionCounts(
        selected_right=whole_as_int(right),
        selected_wrong_answerable=whole_as_int(collection.questions_with_correct - right),
        selected_wrong_unanswerable=whole_as_int(unanswerable),
        withheld_unanswerable=whole_as_int(empty),
        selected_unknown=whole_as_int(unknown),
        expected_random=right,
        questions_with_correct=collection.questions_with_correct,
    )


@dataclass(eq=False, repr=False)
class AnsweringCounts(Counts):
    """Questions by whether a system answered them, and how.

    `withheld_right` and `withheld_wrong` are parts of `unanswered`: the system withheld an answer,
    and assessors looked at it.
    """

    answered_right: Number = 0
    answered_wrong: Number = 0
    unanswered: Number = 0
    withheld_right: Number = 0
    withheld_wrong: Number = 0

    @property
    def questions(self) -> Number:
        """All questions."""
        return self.answered_right + self.answered_wrong + self.unanswered

    @classmethod
    def of(cls, selections: SelectionCounts) -> Self:
        """Return what selections are worth as answers: none selected is not answered."""
        wrong = selections.selected_wrong_answerable + selections.selected_wrong_unanswerable
        withheld = selections.withheld_answerable + selections.withheld_unanswerable
        return cls(selections.selected_right, wrong, withheld)


def _count_system_answering(outcomes: Sequence[SystemOutcome]) -> AnsweringCounts:
    """Count the questions of a QA system; what it withheld is right or wrong by its judgement."""
    worths = Counter(one.worth for one in outcomes)
    return replace(
        AnsweringCounts.of(count_system_selection(outcomes)),
        withheld_right=worths[AnswerOutcome.WITHHELD_RIGHT],
        withheld_wrong=worths[AnswerOutcome.WITHHELD_WRONG],
    )


SELECTION = Family(
    "selection",
    SelectionCounts,
    table="selection",
    of_answers=count_selection,
    of_outcomes=count_system_selection,
    of_selection=lambda baseline: baseline.selections,
    is_quick=True,
    in_all_data=True,
    needs_candidates=True,
)

ANSWERING = Family(
    "answering",
    AnsweringCounts,
    table="answering",
    of_answers=lambda joined: AnsweringCounts.of(count_selection(joined)),
    of_outcomes=_count_system_answering,
    of_selection=lambda baseline: AnsweringCounts.of(baseline.selections),
    is_quick=True,
    in_all_data=True,
)
