"""The base class of counts, and the record of a family of counts.

A family is one kind of counts with the functions that compute it: for a run, a question-answering
system, a baseline, a single question, or responses to open questions. Its module registers the
record; code that counts, samples, prints or documents looks it up in the registry.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from fractions import Fraction
from functools import lru_cache, reduce
from operator import add, sub
from typing import TYPE_CHECKING, Any, NamedTuple, Self, TypeVar

from ave_score.core.exact import Number, weighted_sum
from ave_score.core.standards import Standard

if TYPE_CHECKING:
    from ave_score.core.model import Collection, Run
    from ave_score.core.open_questions import Responses
    from ave_score.counts.decisions import Decisions
    from ave_score.counts.judged import JudgedSystem, SystemOutcome

SYSTEM = "a QA system decides on no candidate answers"
ONE_ANSWER = "a QA system returns one answer to a question"


class Counts:
    """Base of all counts: they add up field by field.

    A field is a number, a column of samples, or a text. Columns are added by concatenation. A text
    states how the samples are interpreted, and must be equal in both operands. Counts are
    immutable by convention. The methods that dataclasses would generate for each subclass are
    defined here once, because generating them takes a tenth of the time to score a run.
    """

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and vars(self) == vars(other)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        shown = (f"{name}={value!r}" for name, value in vars(self).items())
        return f"{type(self).__name__}({', '.join(shown)})"

    def __add__(self, other: Self) -> Self:
        return type(self)(*map(_sum, vars(self).values(), vars(other).values()))

    def __sub__(self, other: Self) -> Self:
        """Return the difference; for counts whose fields are all numbers."""
        return type(self)(*map(sub, vars(self).values(), vars(other).values()))

    @classmethod
    def meanings(cls) -> dict[str, str]:
        """Return what each field means that is a number."""
        return {
            column.name: column.metadata["meaning"]
            for column in fields(cls)  # type: ignore[arg-type]
            if column.metadata
        }

    def numbers(self) -> dict[str, Number]:
        """Return the fields that are numbers."""
        return {name: getattr(self, name) for name in self.meanings()}


def count(meaning: str) -> Any:  # noqa: ANN401 - the default of a field of counts
    """Return the field of a number, 0 by default, with its meaning for documents and schemas."""
    return field(default=0, metadata={"meaning": meaning})


def _sum(first: Any, second: Any) -> Any:  # noqa: ANN401 - numbers, columns, a policy
    if not isinstance(first, str):
        return first + second
    if first != second:
        raise ValueError(f"counts by {first!r} and by {second!r} cannot be added")
    return first


def mean_counts(runs: Sequence[Counts]) -> Counts:
    """Return the means of numbers over the runs of a system, with the samples of all."""
    total = reduce(add, runs)
    means = {name: Fraction(value) / len(runs) for name, value in total.numbers().items()}
    return type(total)(**vars(total) | means)


Unit = TypeVar("Unit", bound=Hashable)


@lru_cache(2**16)
def counts_of(count: Callable[[Unit], Counts], unit: Unit) -> Counts:
    """Return the counts of a single question; runs have many in common."""
    return count(unit)


class NotCounted(Exception):
    """A family cannot be counted; the message gives the reason, as the end of a sentence."""


class SelectionBaseline(NamedTuple):
    """A baseline that selects, and accepts, at most one answer per question.

    Attributes
    ----------
    name
        The name of its row.
    collection
        The collection that it selects from.
    selections
        Its expected counts of selection.
    is_perfect
        Whether it selects a correct answer if there is one; otherwise, it selects at random.
    """

    name: str
    collection: Collection
    selections: Counts
    is_perfect: bool


@dataclass(eq=False, repr=False)
class Family:
    """The record of a family of counts.

    Every counter is optional: where it is missing, the family does not apply. A counter may raise
    `NotCounted` if the family does not apply to its argument.

    Attributes
    ----------
    name
        Identifies the family in JSON and in messages.
    counts
        The type of its counts.
    table
        The table that shows its measures; its name also selects them.
    of_decisions
        Counts a run's decisions on one question. The counts of single questions add up to those of
        the run, so samples of questions can be drawn.
    of_run
        Counts a run, including its confidences; takes the policy on ties.
    by_question
        Yields the counts of each question alone; equal questions share one object.
    of_outcome
        Counts the outcome of a QA system on one question; they add up likewise. A question with
        replicates has the mean of their counts.
    of_system
        Counts a QA system whose counts of single questions do not add up.
    of_questions
        Returns the counts of each question of a QA system, if they are not those of its answers
        added up; None if it does not apply.
    of_share
        Expected counts of one question if each answer is validated with a given probability.
    of_selection
        Expected counts of a baseline that selects at most one answer per question.
    of_responses
        Counts the responses to open questions.
    unknown
        What is done with answers labelled UNKNOWN if the policy ignores them.
    asked_with
        Another table whose name also selects its measures.
    why_no_system
        The reason if it does not apply to QA systems.
    is_quick
        Whether it is cheap to count, and therefore always counted.
    in_all_data
        Whether every data file of decisions has its columns.
    is_ranked
        Whether it ranks answers by confidence, and therefore depends on the policy on ties.
    of_pairs
        Whether it counts single answers, and therefore applies to pairs, which have no questions.
    needs_candidates
        Whether it applies to QA systems only if the candidate answers are known.
    of_documents
        Whether it counts the documents that runs retrieve, and therefore applies to qrels.
    of_numbers
        Whether it counts the numbers of a scorer, and needs nothing that is right or wrong.
    """

    name: str
    counts: type[Counts]
    table: str
    of_decisions: Callable[[Decisions], Counts] | None = None
    of_run: Callable[[Run, Collection, str], Counts] | None = None
    by_question: Callable[[Run, Collection, str], Iterator[Counts]] | None = None
    of_outcome: Callable[[SystemOutcome], Counts] | None = None
    of_system: Callable[[JudgedSystem], Counts] | None = None
    of_questions: Callable[[JudgedSystem], Sequence[Counts] | None] | None = None
    of_share: Callable[[Fraction, Decisions], Counts] | None = None
    of_selection: Callable[[SelectionBaseline], Counts] | None = None
    of_responses: Callable[[Responses], Counts] | None = None
    unknown: str = "do not occur"
    asked_with: str | None = None
    why_no_system: str = SYSTEM
    is_quick: bool = False
    in_all_data: bool = False
    is_ranked: bool = False
    of_pairs: bool = False
    needs_candidates: bool = False
    of_documents: bool = False
    of_numbers: bool = False

    def __post_init__(self) -> None:
        if self.name in FAMILIES:
            raise ValueError(f"family {self.name} is registered twice")
        FAMILIES[self.name] = self
        TABLES[self.table] = (*TABLES.get(self.table, ()), self)

    def __str__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        return f"<Family {self.name}>"

    def __reduce__(self) -> tuple[Callable[[str], Family], tuple[str]]:
        return _family_named, (self.name,)  # unpickling looks up the record

    def is_of(self, standard: Standard) -> bool:
        """Tell whether it applies to what is scored against such a gold standard."""
        return not standard.family or bool(getattr(self, standard.family))

    def has_values(self, standard: Standard) -> bool:
        """Tell whether anything that is scored against such a gold standard has its counts."""
        of_systems = self.of_outcome is not None or self.of_system is not None
        of_judged = of_systems and not self.needs_candidates
        return self.is_of(standard) and (
            bool(standard.family) or standard.has_candidates or of_judged
        )

    @property
    def of_runs(self) -> bool:
        """Whether it applies to decisions on candidate answers."""
        return self.of_decisions is not None or self.of_run is not None

    def added(self, count: Callable[[Unit], Counts], units: Mapping[Unit, Number]) -> Counts:
        """Return the sum of the counts of single questions, each so many times."""
        if not units:
            return self.counts()
        rows = [vars(counts_of(count, unit)).values() for unit in units]
        times = [*units.values()]
        return self.counts(*(weighted_sum(column, times) for column in zip(*rows, strict=True)))


def _family_named(name: str) -> Family:
    return FAMILIES[name]


FAMILIES: dict[str, Family] = {}
"""Name -> family, in the order of registration, which is the order in data files."""

TABLES: dict[str, tuple[Family, ...]] = {}
"""Name of a table -> the families whose measures it shows."""


def run_families() -> list[Family]:
    """Return the families of decisions on candidate answers."""
    return [family for family in FAMILIES.values() if family.of_runs]


def families_of(standard: Standard) -> list[Family]:
    """Return the families of the group `all`, also those that have no values."""
    if standard.family == "of_responses":
        return response_families()
    return [
        family for family in run_families() if not standard.others_refused or family.is_of(standard)
    ]


def additive_families() -> list[Family]:
    """Return the families whose counts of single questions add up to the counts of a run."""
    return [family for family in FAMILIES.values() if family.of_decisions]


def response_families() -> list[Family]:
    """Return the families of responses to open questions, in the order of the tables."""
    tables = list(TABLES)
    families = [family for family in FAMILIES.values() if family.of_responses]
    return sorted(families, key=lambda family: tables.index(family.asked_with or family.table))
