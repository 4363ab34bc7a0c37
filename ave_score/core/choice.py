"""What is chosen of logs, which have several scorers, filters and tasks."""

from __future__ import annotations

import math
import re
from typing import NamedTuple

from ave_score.core.errors import UsageError, check_type


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

    def __str__(self) -> str:
        parts = {
            "scorer": self.correct,
            "filter": self.filter,
            "task": ",".join(self.tasks),
            "withheld": self.withheld,
            "right-from": None if self.right_from is None else f"{self.right_from:g}",
            "confidence": self.confidence,
        }
        shown = ((name, part.replace("|", "%7C")) for name, part in parts.items() if part)
        return "|".join(map(":".join, shown))

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


EVERYTHING = Choice()
"""Nothing is chosen: every scorer with numbers is used."""
