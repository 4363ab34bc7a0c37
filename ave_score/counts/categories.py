"""Questions by whether they were answered and were answerable: categories, NIL, candidate sets."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from typing import Self

from ave_score.core.epochs import replicates_of, worth_of
from ave_score.core.exact import Number, whole_as_int
from ave_score.core.judgements import Answering
from ave_score.core.model import AnswerOutcome
from ave_score.core.open_questions import QuestionType, Responses
from ave_score.counts.base import ONE_ANSWER, Counts, Family, count
from ave_score.counts.decisions import Decisions
from ave_score.counts.judged import JudgedSystem, SystemOutcome
from ave_score.counts.responses import asked, is_right, match
from ave_score.counts.selection import SelectionCounts, selections_of


@dataclass(eq=False, repr=False)
class CategoryCounts(Counts):
    """Questions by the categories a to e: whether they were answered and were answerable.

    A question is answered if the run accepts at least one of its answers, and `some_right` if one
    of these is correct. It is answerable if the collection has a correct answer.
    """

    some_right: Number = count("Category a: questions with an accepted answer that is correct.")
    none_right_answerable: Number = count(
        "Category b: questions with accepted answers, none of them correct, although a correct "
        "answer exists."
    )
    answered_unanswerable: Number = count(
        "Category c: questions with accepted answers although none is correct."
    )
    unanswered_answerable: Number = count(
        "Category d: questions without an accepted answer although a correct answer exists."
    )
    unanswered_unanswerable: Number = count(
        "Category e: questions without an accepted answer where none is correct."
    )

    @classmethod
    def of(cls, selections: SelectionCounts) -> Self:
        """Return the categories if only the selected answers are accepted."""
        return cls(
            selections.selected_right,
            selections.selected_wrong_answerable,
            selections.selected_wrong_unanswerable,
            selections.withheld_answerable,
            selections.withheld_unanswerable,
        )


def _category(*, answered: bool, right: bool, answerable: bool) -> str:
    """Return the field of `CategoryCounts` that counts a question."""
    if right:
        return "some_right"
    if answered:
        return "none_right_answerable" if answerable else "answered_unanswerable"
    return "unanswered_answerable" if answerable else "unanswered_unanswerable"


def _count_categories(decisions: Decisions) -> CategoryCounts:
    accepted = decisions.right + decisions.wrong + decisions.unsure
    category = _category(
        answered=accepted > 0, right=decisions.right > 0, answerable=decisions.correct > 0
    )
    return CategoryCounts(**{category: 1})


def _count_system_categories(question: SystemOutcome) -> CategoryCounts:
    """Count a question of a QA system; NIL counts as unanswered."""
    right = question.worth is AnswerOutcome.ANSWERED_RIGHT
    answered, answerable = question.is_answered, question.has_answer
    if answered and question.is_nil:  # its judgement determines whether there is an answer
        answered, right, answerable = False, False, not right
    category = _category(answered=answered, right=right, answerable=answerable)
    return CategoryCounts(**{category: 1})


def _count_response_categories(responses: Responses) -> CategoryCounts:
    """Count the factoid and list questions."""
    responded = asked(responses, QuestionType.FACTOID, QuestionType.LIST)
    times = Counter(
        _category(
            answered=bool(answers),
            right=bool(question.sets) and is_right(question, answers),
            answerable=bool(question.sets),
        )
        for question, answers in responded
    )
    return CategoryCounts(**times)


@dataclass(eq=False, repr=False)
class NilCounts(Counts):
    """Questions by whether they have no answer, and whether a system responds NIL."""

    nil_questions: Number = count("Questions without an answer.")
    nil_given: Number = count("Responses NIL.")
    nil_right: Number = count("Correct responses NIL.")

    @classmethod
    def of(cls, categories: CategoryCounts) -> Self:
        """Return the counts if every unanswered question is a NIL response."""
        withheld = categories.unanswered_unanswerable
        return cls(
            categories.answered_unanswerable + withheld,
            categories.unanswered_answerable + withheld,
            withheld,
        )


def _count_system_nil(judged: JudgedSystem) -> NilCounts:
    """Count the NIL answers of a QA system.

    A question, of those that this system is scored on, has no answer if NIL was judged correct for
    any system of the file.
    """
    returned: Counter[Answering] = Counter()
    for answers in replicates_of(judged.system).values():
        for answer in answers:
            worth = worth_of(answer, judged.table)
            if answer.is_nil and worth is not Answering.UNANSWERED:
                returned[worth] += Fraction(1, len(answers))  # type: ignore[assignment]
    without = judged.questions_judged(judged.system.pool.nil, Answering.CORRECT)
    without.intersection_update(judged.collection.index.questions)
    given, right = map(whole_as_int, (returned.total(), returned[Answering.CORRECT]))
    return NilCounts(len(without), given, right)


@dataclass(eq=False, repr=False)
class CandidateSetCounts(Counts):
    """Number and sum of the RC scores of unranked sets of accepted answers (NTCIR QAC)."""

    questions_with_rc: Number = count("Questions with a correct answer, over which RC is averaged.")
    sum_of_rc: Number = count("The sum of RC over these questions.")

    @classmethod
    def of(cls, selections: SelectionCounts) -> Self:
        """Return the counts for one answer per question, which scores 1 if it is correct."""
        return cls(selections.questions_with_correct, selections.selected_right)


def _count_candidate_sets(decisions: Decisions) -> CandidateSetCounts:
    """Return the RC score of the accepted answers to a question, without those labelled UNKNOWN."""
    right = decisions.right
    score = Fraction(right + 1, right + decisions.wrong + 1) if right else 0
    return CandidateSetCounts(int(decisions.correct > 0), score)


def _count_response_sets(responses: Responses) -> CandidateSetCounts:
    """Sum the RC scores of the responses to list questions against their best answer set."""
    worths = [
        max(match(answers, answer_set).rc for answer_set in question.sets)
        for question, answers in asked(responses, QuestionType.LIST)
        if question.sets
    ]
    return CandidateSetCounts(len(worths), sum(worths, Fraction(0)))


CATEGORIES = Family(
    "categories",
    CategoryCounts,
    table="categories",
    of_decisions=_count_categories,
    of_outcome=_count_system_categories,
    of_selection=lambda baseline: CategoryCounts.of(selections_of(baseline)),
    of_responses=_count_response_categories,
    unknown="answer their question wrongly if they are accepted",
)

NIL = Family(
    "nil",
    NilCounts,
    table="categories",
    of_decisions=lambda decisions: NilCounts.of(_count_categories(decisions)),
    of_system=_count_system_nil,
    of_selection=lambda baseline: NilCounts.of(CategoryCounts.of(selections_of(baseline))),
    of_responses=lambda responses: NilCounts.of(_count_response_categories(responses)),
    unknown="answer their question if they are accepted, so it is not NIL",
)

CANDIDATE_SETS = Family(
    "candidate-sets",
    CandidateSetCounts,
    table="categories",
    of_decisions=_count_candidate_sets,
    of_selection=lambda baseline: CandidateSetCounts.of(selections_of(baseline)),
    of_responses=_count_response_sets,
    asked_with="list",
    why_no_system=ONE_ANSWER,
    needs_candidates=True,
    unknown="are left out of the sets of accepted answers",
)
