"""What is chosen of logs, which have several scorers, filters and tasks."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from ave_score.core.errors import UsageError, check_type
from ave_score.core.text import visible


class Choice(NamedTuple):
    """What is chosen of a log with several scorers or filters, or of a table with several scores.

    Attributes
    ----------
    correct
        The scorer that says whether an answer is correct; None: the only one with letters.
    scores
        The scorers whose numbers rank the answers, or the columns of a table with scores; empty:
        every other scorer, or the column `score`.
    filter
        The filter of lm-evaluation-harness; None: the only one.
    tasks
        The tasks of systems that are scored; empty: all.
    withheld
        A pattern of answers by which a system withholds its answer, unless they are right; None:
        only the scorer says it.
    right_from
        The least number of the scorer that is right; None: it gives letters, truth values, 0 or 1.
    confidence
        The scorer whose number is the confidence of a system in its answer.
    """

    correct: str | None = None
    scores: tuple[str, ...] = ()
    filter: str | None = None
    tasks: tuple[str, ...] = ()
    withheld: str | None = None
    right_from: float | None = None
    confidence: str | None = None

    @property
    def parts(self) -> dict[str, str]:
        """What is chosen, by its name in signatures."""
        parts = {
            "scorer": self.correct,
            "filter": self.filter,
            "task": ",".join(self.tasks),
            "withheld": self.withheld,
            "right-from": None if self.right_from is None else f"{self.right_from:.15g}",
            "confidence": self.confidence,
        }
        return {name: part for name, part in parts.items() if part}

    def __str__(self) -> str:
        return "|".join(signed_parts(self.parts))

    def check(self) -> None:
        """Raise `UsageError` for settings that no log can meet."""
        for names in (self.scores, self.tasks):
            check_type(names, tuple)
        try:
            re.compile(self.withheld or "")
        except (re.error, RecursionError, OverflowError) as error:
            raise UsageError(f"--withheld is not a regular expression: {error}") from None
        if self.right_from is not None and not math.isfinite(self.right_from):
            raise UsageError(f"--right-from {self.right_from} is not a finite number")


def signed_parts(parts: Mapping[str, str]) -> list[str]:
    """Return the parts of a signature, `name:value`; a value may have any characters."""
    return [f"{name}:{visible(value).replace('|', '%7C')}" for name, value in parts.items()]


def signed_pairs(pairs: Mapping[str, str]) -> str:
    """Return pairs as a value of a signature, `one=other,...`, in alphabetical order."""

    def escaped(text: str) -> str:
        return text.replace("%", "%25").replace(",", "%2C").replace("=", "%3D")

    return ",".join(f"{escaped(one)}={escaped(other)}" for one, other in sorted(pairs.items()))


def read_in_all(read_as: Iterable[Mapping[str, str]]) -> dict[str, str]:
    """Return how several files were read: the parts of all, with different values one by one."""
    found: dict[str, dict[str, None]] = {}
    for parts in read_as:
        for name, value in parts.items():
            found.setdefault(name, {})[value] = None
    return {name: ";".join(values) for name, values in found.items()}


EVERYTHING = Choice()
"""Nothing is chosen: every scorer with numbers is used."""
