"""Counts of questions: selection, by the selected answer; answering, by whether it is answered."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple, Self

from ave_score.core.exact import Number, whole_as_int
from ave_score.core.model import AnswerOutcome, Collection, Label, Outcome, Verdict
from ave_score.counts.base import Counts, Family, count
from ave_score.counts.joined import JoinedAnswers, cells_of
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

    @property
    def outcome(self) -> Outcome:
        """The outcome, if a single question was counted."""
        return next(outcome for outcome in Outcome if getattr(self, outcome))


_WRONG = (Label.REJECTED, Label.UNKNOWN)
_RIGHT = cells_of(Verdict.SELECTED, [Label.VALIDATED])
_WRONG_ANSWERABLE = cells_of(Verdict.SELECTED, _WRONG, [True])
_WRONG_UNANSWERABLE = cells_of(Verdict.SELECTED, _WRONG, [False])
_SELECTED_UNKNOWN = cells_of(Verdict.SELECTED, [Label.UNKNOWN])
_SELECTED = _RIGHT + _WRONG_ANSWERABLE + _WRONG_UNANSWERABLE + _SELECTED_UNKNOWN


def count_selection(joined: JoinedAnswers) -> SelectionCounts:
    """Count the questions of a run."""
    times = dict(zip(_SELECTED, map(joined.cells.count, _SELECTED), strict=True))
    right, wrong_answerable, wrong_unanswerable, unknown = (
        sum(map(times.__getitem__, kind))
        for kind in (_RIGHT, _WRONG_ANSWERABLE, _WRONG_UNANSWERABLE, _SELECTED_UNKNOWN)
    )
    questions, answerable = len(joined.answerable), sum(joined.answerable)
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
    """Count the questions of a QA system; its answers count as selections, and NIL as none."""
    times = Counter(question.outcome.value for question in outcomes)
    shares = Counter((q.correct, q.candidates) for q in outcomes if q.candidates)
    random = (n * Fraction(correct, size) for (correct, size), n in shares.items())
    return SelectionCounts(
        **times,
        selected_unknown=sum(question.is_unknown for question in outcomes),
        expected_random=sum(random, Fraction(0)),
        questions_with_correct=sum(question.correct > 0 for question in outcomes),
    )


class SelectionBaseline(NamedTuple):
    """A baseline that selects, and accepts, at most one answer per question.

    Attributes
    ----------
    name
        The name of its row.
    collection
        The collection that it selects from.
    selections
        Its expected counts.
    is_perfect
        Whether it selects a correct answer if there is one; otherwise, it selects at random.
    """

    name: str
    collection: Collection
    selections: SelectionCounts
    is_perfect: bool


def selection_baselines(collection: Collection) -> Iterator[SelectionBaseline]:
    """Yield perfect selection and random selection."""
    perfect, random = select_perfectly(collection), select_at_random(collection)
    yield SelectionBaseline("Perfect selection", collection, perfect, is_perfect=True)
    yield SelectionBaseline("Random", collection, random, is_perfect=False)


def select_perfectly(collection: Collection) -> SelectionCounts:
    """Return the counts of selecting a correct answer if there is one, else no answer."""
    questions, answerable = len(collection.index.questions), collection.questions_with_correct
    return SelectionCounts(
        selected_right=answerable,
        withheld_unanswerable=questions - answerable,
        expected_random=collection.expected_random,
        questions_with_correct=answerable,
    )


def select_at_random(collection: Collection) -> SelectionCounts:
    """Return the expected counts of selecting one answer to each question at random.

    A question without answers counts as withheld.
    """
    right = collection.expected_random
    index, labels = collection.index, collection.labels
    shares = Counter(zip(index.count(labels, Label.UNKNOWN), index.sizes, strict=True))
    picked = (n * Fraction(unknown, size) for (unknown, size), n in shares.items() if size)
    unknown = sum(picked, Fraction(0))
    empty = index.sizes.count(0)
    unanswerable = len(index.questions) - collection.questions_with_correct - empty
    return SelectionCounts(
        selected_right=whole_as_int(right),
        selected_wrong_answerable=whole_as_int(collection.questions_with_correct - right),
        selected_wrong_unanswerable=unanswerable,
        withheld_unanswerable=empty,
        selected_unknown=whole_as_int(unknown),
        expected_random=right,
        questions_with_correct=collection.questions_with_correct,
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


def _count_system_answering(outcomes: Sequence[SystemOutcome]) -> AnsweringCounts:
    """Count the questions of a QA system; NIL and withheld answers count by their judgement."""
    worths = Counter(question.worth for question in outcomes)
    right, wrong = worths[AnswerOutcome.ANSWERED_RIGHT], worths[AnswerOutcome.ANSWERED_WRONG]
    return AnsweringCounts(
        right,
        wrong,
        len(outcomes) - right - wrong,
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
    unknown="are not correct if selected, and are among those that random selection draws from",
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
    unknown="are not correct if returned: their questions are answered incorrectly",
)
