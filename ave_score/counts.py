"""Counts of what a run did, exact and addable: over answers, questions, files, languages.

They are the only thing that measures see. `counting` makes them.
"""

from __future__ import annotations

from array import array
from collections import Counter
from dataclasses import dataclass, field, fields
from enum import StrEnum
from operator import sub
from typing import Any, NamedTuple, Self

from ave_score.exact import Number


class Family(StrEnum):
    """What is counted, and so which measures can be had."""

    VALIDATION = "validation"
    QUESTIONS = "questions"
    SELECTION = "selection"
    ANSWERING = "answering"
    CONFIDENCE = "confidence"
    SELF_SCORE = "self-score"
    RANKING = "ranking"
    CATEGORIES = "categories"
    NIL = "nil"
    CANDIDATE_SETS = "candidate-sets"
    LIST = "list"
    DEFINITION = "definition"
    FACTOID = "factoid"
    COMBINED = "combined"


class Counts:
    """Base of all counts: they add up field by field.

    A field is a number, or a column of samples where nothing less will do: two columns are added
    by putting one behind the other. A text says how they are to be read, and is the same in both.
    None of them is changed once it is made; what dataclasses could write for each of them stands
    here, for all of that together takes a tenth of the time in which a run is scored.
    """

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and vars(self) == vars(other)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        told = (f"{name}={value!r}" for name, value in vars(self).items())
        return f"{type(self).__name__}({', '.join(told)})"

    def __add__(self, other: Self) -> Self:
        return type(self)(*map(_joined, vars(self).values(), vars(other).values()))

    def __sub__(self, other: Self) -> Self:
        """Return what is left where a part is taken away; for counts that are numbers only."""
        return type(self)(*map(sub, vars(self).values(), vars(other).values()))

    @classmethod
    def names(cls) -> list[str]:
        """Return the names of the fields that are numbers."""
        return [one.name for one in fields(cls) if one.default == 0]  # type: ignore[arg-type]

    def numbers(self) -> dict[str, Number]:
        """Return the fields that are numbers."""
        return {name: getattr(self, name) for name in self.names()}


def _joined(one: Any, other: Any) -> Any:  # noqa: ANN401 - numbers, columns, a policy
    if not isinstance(one, str):
        return one + other
    if one != other:
        raise ValueError(f"counts by {one!r} and by {other!r} do not add up")
    return one


@dataclass(eq=False, repr=False)
class ValidationCounts(Counts):
    """Answers by what the run said (SELECTED counts as validated) and what is true.

    The counts of an expected baseline may be fractions. Answers labelled UNKNOWN stand apart.
    """

    validated_correct: Number = 0
    validated_incorrect: Number = 0
    rejected_correct: Number = 0
    rejected_incorrect: Number = 0
    validated_unknown: Number = 0
    rejected_unknown: Number = 0

    @property
    def judged(self) -> Number:
        """All answers that have a label other than UNKNOWN."""
        return (
            self.validated_correct
            + self.validated_incorrect
            + self.rejected_correct
            + self.rejected_incorrect
        )


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


@dataclass(eq=False, repr=False)
class QuestionCounts(Counts):
    """What an average over questions needs: how many have an F1, and the sum of these."""

    questions_with_f1: int = 0
    sum_of_f1: Number = 0


@dataclass(eq=False, repr=False)
class CategoryCounts(Counts):
    """Questions by ROMIP's categories a to e: were there answers, and was there one to be found?

    A question is answered where a run accepts an answer of it, `some_right` where one of these is
    correct; it is answerable where the collection has a correct one.
    """

    some_right: Number = 0
    none_right_answerable: Number = 0
    answered_unanswerable: Number = 0
    unanswered_answerable: Number = 0
    unanswered_unanswerable: Number = 0

    @classmethod
    def of(cls, selections: SelectionCounts) -> Self:
        """Return the categories where nothing but the selected answers is accepted."""
        return cls(
            selections.selected_right,
            selections.selected_wrong_answerable,
            selections.selected_wrong_unanswerable,
            selections.withheld_answerable,
            selections.withheld_unanswerable,
        )


@dataclass(eq=False, repr=False)
class NilCounts(Counts):
    """Questions by whether a system says that there is no answer, and whether there is none.

    `nil_questions` are those without any answer, `nil_given` those that the system says have none,
    `nil_right` those of them of which that is true.
    """

    nil_questions: Number = 0
    nil_given: Number = 0
    nil_right: Number = 0

    @classmethod
    def of(cls, categories: CategoryCounts) -> Self:
        """Return what a run says that validates nothing where it finds no answer."""
        withheld = categories.unanswered_unanswerable
        return cls(
            categories.answered_unanswerable + withheld,
            categories.unanswered_answerable + withheld,
            withheld,
        )


@dataclass(eq=False, repr=False)
class CandidateSetCounts(Counts):
    """What an average over unranked sets of accepted answers needs (NTCIR QAC's RC).

    Questions without a correct answer are left out.
    """

    questions_with_rc: Number = 0
    sum_of_rc: Number = 0

    @classmethod
    def of(cls, selections: SelectionCounts) -> Self:
        """Return what one answer a question is worth: 1 for a correct one."""
        return cls(selections.questions_with_correct, selections.selected_right)


@dataclass(eq=False, repr=False)
class ConfidenceCounts(Counts):
    """The judged answers of a run in the collection's order, each with its confidence.

    `decisions` has a code an answer: 1 if it is correct, and 2 if it was validated. `ties` says in
    what order answers of one confidence stand: that of the `file` of the collection, or the
    `average` of all.
    """

    confidences: array[float] = field(default_factory=lambda: array("d"))
    decisions: bytes = b""
    ties: str = "file"


@dataclass(eq=False, repr=False)
class SelfScoreCounts(Counts):
    """The answers that a system returned, one a question at most, each with its confidence.

    `rights` has 1 for each that is correct, 0 for the others. `self_questions` are all questions,
    answered or not. `sum_of_k` is the sum over questions of what each adds to K, and
    `outside_unit` the number of confidences in it that are not in 0..1. `ties` as above.
    """

    confidences: array[float] = field(default_factory=lambda: array("d"))
    rights: bytes = b""
    self_questions: int = 0
    sum_of_k: Number = 0
    outside_unit: int = 0
    ties: str = "file"


class Ranking(NamedTuple):
    """The answers of a question in their order, by what each is worth.

    Attributes
    ----------
    groups
        From the first place to the last; answers that share a place (a tie that is averaged over)
        are a group of several. An answer is twice its gain, and 1 more if it is correct.
    unranked
        The other answers of the question: those that the run rejected.
    """

    groups: tuple[tuple[int, ...], ...]
    unranked: tuple[int, ...] = ()


@dataclass(eq=False, repr=False)
class RankingCounts(Counts):
    """How often each ranking occurs among the questions; of a baseline, how often on average.

    `candidates` ranks all answers of a question, `accepted` only those that the run validated.
    """

    candidates: Counter[Ranking] = field(default_factory=Counter)
    accepted: Counter[Ranking] = field(default_factory=Counter)


@dataclass(eq=False, repr=False)
class ListCounts(Counts):
    """What averages over list questions need.

    The sums are those of each question's best-scoring answer set; `sum_of_list_f` leaves out the
    questions that have no answer, `list_answerable` counts the others.
    """

    list_questions: int = 0
    list_answerable: int = 0
    sum_of_mf1: Number = 0
    sum_of_mf2: Number = 0
    sum_of_list_f: Number = 0


class Described(NamedTuple):
    """The response to a definition question.

    Attributes
    ----------
    vital, vital_found
        Vital nuggets that there are, and those of them that were found in it.
    found
        All nuggets that were found, vital or okay, each once.
    length
        Characters of it that are no blanks.
    """

    vital: int
    vital_found: int
    found: int
    length: int


@dataclass(eq=False, repr=False)
class DefinitionCounts(Counts):
    """How often each kind of response occurs among the definition questions with vital nuggets."""

    described: Counter[Described] = field(default_factory=Counter)


@dataclass(eq=False, repr=False)
class FactoidCounts(Counts):
    """Factoid questions, and those that were answered rightly, by an answer or by NIL."""

    factoid_questions: int = 0
    factoid_right: int = 0


@dataclass(eq=False, repr=False)
class CombinedCounts(Counts):
    """Questions of all three types, for scores that weigh them."""

    factoid: FactoidCounts = field(default_factory=FactoidCounts)
    lists: ListCounts = field(default_factory=ListCounts)
    definition: DefinitionCounts = field(default_factory=DefinitionCounts)


COUNTS: dict[Family, type[Counts]] = {
    Family.VALIDATION: ValidationCounts,
    Family.QUESTIONS: QuestionCounts,
    Family.SELECTION: SelectionCounts,
    Family.ANSWERING: AnsweringCounts,
    Family.CATEGORIES: CategoryCounts,
    Family.NIL: NilCounts,
    Family.CANDIDATE_SETS: CandidateSetCounts,
    Family.CONFIDENCE: ConfidenceCounts,
    Family.SELF_SCORE: SelfScoreCounts,
    Family.RANKING: RankingCounts,
    Family.LIST: ListCounts,
    Family.DEFINITION: DefinitionCounts,
    Family.FACTOID: FactoidCounts,
    Family.COMBINED: CombinedCounts,
}
"""Family -> the counts of it, made of their fields by name."""

RANKED = frozenset({Family.CONFIDENCE, Family.SELF_SCORE, Family.RANKING})
"""What ranks answers by confidence, so that ties matter."""

OPEN = frozenset({Family.LIST, Family.DEFINITION, Family.FACTOID, Family.COMBINED})
"""What is counted of responses to questions without candidates, and of nothing else."""
