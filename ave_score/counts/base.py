"""What all counts are: exact, and addable."""

from __future__ import annotations

from dataclasses import fields
from enum import StrEnum
from operator import sub
from typing import Any, Self

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
