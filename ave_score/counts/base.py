"""What counts are, exact and addable, and the record of a family of them.

A family is one kind of counts with everything that makes it: of a run, of a question-answering
system, of a baseline, of a single question, of responses to open questions. Its module registers
the record, and whatever counts, samples, prints or documents finds it there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields
from fractions import Fraction
from operator import sub
from typing import TYPE_CHECKING, Any, Self

from ave_score.exact import Number

if TYPE_CHECKING:
    from ave_score.counts.joined import JoinedAnswers
    from ave_score.counts.judged import JudgedSystem, SystemOutcome
    from ave_score.counts.responses import Responses
    from ave_score.counts.selection import SelectionBaseline
    from ave_score.model import Collection, Run

SYSTEM = "a QA system decides on no candidate answers"
ONE_ANSWER = "a QA system returns one answer to a question"


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
        shown = (f"{name}={value!r}" for name, value in vars(self).items())
        return f"{type(self).__name__}({', '.join(shown)})"

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


class NotCounted(Exception):
    """Why there is nothing of a family to be counted; the reason ends a sentence."""


@dataclass(eq=False, repr=False)
class Family:
    """The record of a family of counts.

    Every counter is optional: without one the family does not apply. A counter may raise
    `NotCounted` where it does not apply to what it is given.

    Attributes
    ----------
    name
        The family in JSON and in messages.
    counts
        The type of its counts.
    table
        The table that shows its measures, which is also a name that asks for them.
    of_answers
        Counts a run's decisions. The counts of single questions add up to those of the run, so that
        it counts these as well, and samples of questions can be drawn.
    of_run
        Counts a run, its confidences included; takes the policy on ties.
    by_question
        Yields what `of_run` counts of each question alone, the same object for equal questions.
    of_outcomes
        Counts a QA system question by question, of what it did with each.
    of_system
        Counts a QA system where single questions do not add up.
    of_share
        What to expect where each answer is validated with a probability.
    of_selection
        What to expect of a baseline that selects one answer a question at most.
    of_responses
        Counts the responses to open questions.
    asked_with
        Another table whose name asks for its measures, too.
    why_no_system
        Why it does not apply to QA systems, if it does not.
    is_quick
        Whether it takes no time, and is always counted.
    in_all_data
        Whether it has columns in every data file of decisions.
    is_ranked
        Whether it ranks answers by confidence, so that the policy on ties matters.
    of_pairs
        Whether single answers are counted, so that it applies to pairs, which have no questions.
    needs_candidates
        Whether a QA system can have it only where the candidate answers are known.
    """

    name: str
    counts: type[Counts]
    table: str
    of_answers: Callable[[JoinedAnswers], Counts] | None = None
    of_run: Callable[[Run, Collection, str], Counts] | None = None
    by_question: Callable[[Run, Collection, str], Iterator[Counts]] | None = None
    of_outcomes: Callable[[Sequence[SystemOutcome]], Counts] | None = None
    of_system: Callable[[JudgedSystem], Counts] | None = None
    of_share: Callable[[Collection, Fraction], Counts] | None = None
    of_selection: Callable[[SelectionBaseline], Counts] | None = None
    of_responses: Callable[[Responses], Counts] | None = None
    asked_with: str | None = None
    why_no_system: str = SYSTEM
    is_quick: bool = False
    in_all_data: bool = False
    is_ranked: bool = False
    of_pairs: bool = False
    needs_candidates: bool = False

    def __post_init__(self) -> None:
        """Register the record."""
        if self.name in FAMILIES:
            raise ValueError(f"family {self.name} is registered twice")
        FAMILIES[self.name] = self
        TABLES[self.table] = (*TABLES.get(self.table, ()), self)

    def __str__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        return f"<Family {self.name}>"

    def __reduce__(self) -> tuple[Callable[[str], Family], tuple[str]]:
        return _family_named, (self.name,)  # another process has its own record

    @property
    def of_runs(self) -> bool:
        """Whether it applies to decisions on candidate answers."""
        return self.of_answers is not None or self.of_run is not None


def _family_named(name: str) -> Family:
    return FAMILIES[name]


FAMILIES: dict[str, Family] = {}
"""Name -> family, in the order of registration: that of counts in data files."""

TABLES: dict[str, tuple[Family, ...]] = {}
"""Name of a table -> the families whose measures it shows; any that is asked for makes a row."""


def run_families() -> list[Family]:
    """Return the families of decisions on candidate answers."""
    return [one for one in FAMILIES.values() if one.of_runs]


def additive_families() -> list[Family]:
    """Return those of them whose counts of single questions add up to the counts of a run."""
    return [one for one in FAMILIES.values() if one.of_answers]


def response_families() -> list[Family]:
    """Return the families of responses to open questions, in the order of the tables."""
    tables = list(TABLES)
    of_them = [one for one in FAMILIES.values() if one.of_responses]
    return sorted(of_them, key=lambda one: tables.index(one.asked_with or one.table))
