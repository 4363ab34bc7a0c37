"""What the responses to list, definition and factoid questions are worth."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import NamedTuple

from ave_score.counts import (
    CandidateSetCounts,
    CategoryCounts,
    CombinedCounts,
    Counts,
    DefinitionCounts,
    Described,
    FactoidCounts,
    Family,
    ListCounts,
    NilCounts,
)
from ave_score.open_questions import (
    AnswerSet,
    OpenGold,
    OpenQuestion,
    QuestionType,
    Response,
    ResponseRun,
    normalised,
)


class _Matched(NamedTuple):
    """A list of answers beside one answer set.

    Attributes
    ----------
    given
        How many answers the list has.
    right
        How many of them are in the set, wordings of the same answer among them.
    distinct
        How many different answers these are.
    total
        How many there are to be found.
    """

    given: int
    right: int
    distinct: int
    total: int

    @property
    def mf1(self) -> Fraction:
        """F, a repetition being a wrong answer."""
        return Fraction(2 * self.distinct, self.given + self.total)

    @property
    def mf2(self) -> Fraction:
        """F, a repetition being none."""
        repeated = self.right - self.distinct
        return Fraction(2 * self.distinct, self.given - repeated + self.total)

    @property
    def rc(self) -> Fraction:
        """How correct an unranked set is, a repetition being a right answer."""
        return Fraction(self.right + 1, self.given + 1) if self.right else Fraction(0)


def count_responses(run: ResponseRun, gold: OpenGold) -> dict[Family, Counts]:
    """Return everything that is counted of responses, of the types of questions that there are.

    A question that the run does not mention, or answers NIL, has none.
    """
    given = {
        q_id: [one for one in run.responses.get(q_id, ()) if not one.is_nil]
        for q_id in gold.questions
    }
    by_type: dict[QuestionType, list[OpenQuestion]] = {}
    for question in gold.questions.values():
        by_type.setdefault(question.type, []).append(question)
    lists = [(one, given[one.q_id]) for one in by_type.get(QuestionType.LIST, ())]
    factoids = [(one, given[one.q_id]) for one in by_type.get(QuestionType.FACTOID, ())]
    definitions = [(one, given[one.q_id]) for one in by_type.get(QuestionType.DEFINITION, ())]
    counts: dict[Family, Counts] = {}
    if lists:
        counts[Family.LIST] = _count_lists(lists)
        counts[Family.CANDIDATE_SETS] = _count_sets(lists)
    if definitions:
        counts[Family.DEFINITION] = _count_definitions(definitions)
    if factoids:
        right = sum(_is_right(*one) for one in factoids)
        counts[Family.FACTOID] = FactoidCounts(len(factoids), right)
    if lists or factoids:
        categories = _count_categories([*factoids, *lists])
        counts |= {Family.CATEGORIES: categories, Family.NIL: NilCounts.of(categories)}
    if lists and factoids and definitions:
        parts = (counts[family] for family in (Family.FACTOID, Family.LIST, Family.DEFINITION))
        counts[Family.COMBINED] = CombinedCounts(*parts)  # type: ignore[arg-type]
    return counts


Responded = tuple[OpenQuestion, list[Response]]
"""A question and the answers that were given to it, NIL left out."""


def _matched(responses: Sequence[Response], answers: AnswerSet) -> _Matched:
    """Compare a list with a set by the wordings of its answers."""
    named = {
        normalised(wording): number
        for number, wordings in enumerate(answers.answers)
        for wording in wordings
    }
    found = [named.get(normalised(one.answer)) for one in responses]
    right = [number for number in found if number is not None]
    return _Matched(len(responses), len(right), len(set(right)), answers.total)


def _count_lists(asked: Iterable[Responded]) -> ListCounts:
    total = ListCounts()
    for question, responses in asked:
        if question.sets:
            matches = [_matched(responses, one) for one in question.sets]
            best = max(one.mf1 for one in matches)
            total += ListCounts(1, 1, best, max(one.mf2 for one in matches), best)
        else:  # an empty list is the right one
            right = int(not responses)
            total += ListCounts(1, 0, right, right)
    return total


def _count_sets(asked: Iterable[Responded]) -> CandidateSetCounts:
    worths = [
        max(_matched(responses, one).rc for one in question.sets)
        for question, responses in asked
        if question.sets
    ]
    return CandidateSetCounts(len(worths), sum(worths, Fraction(0)))


def _count_definitions(asked: Iterable[Responded]) -> DefinitionCounts:
    described: Counter[Described] = Counter()
    for question, responses in asked:
        vital = {one.id for one in question.nuggets if one.is_vital}
        found = {nugget for one in responses for nugget in one.nuggets}
        length = sum(len("".join(one.answer.split())) for one in responses)
        if vital:
            described[Described(len(vital), len(found & vital), len(found), length)] += 1
    return DefinitionCounts(described)


def _is_right(question: OpenQuestion, responses: Sequence[Response]) -> bool:
    """Tell whether a factoid is answered rightly: by no answer where there is none."""
    if not question.sets:
        return not responses
    return any(_matched(responses, one).right for one in question.sets)


def _count_categories(asked: Iterable[Responded]) -> CategoryCounts:
    times: Counter[str] = Counter()
    for question, responses in asked:
        if question.sets and _is_right(question, responses):
            times["some_right"] += 1
        elif responses:
            times["none_right_answerable" if question.sets else "answered_unanswerable"] += 1
        else:
            times["unanswered_answerable" if question.sets else "unanswered_unanswerable"] += 1
    return CategoryCounts(**times)
