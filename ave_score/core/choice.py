"""What is chosen of logs, which have several scorers, filters and tasks."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from ave_score.core.errors import UsageError, check_type
from ave_score.core.keyed import Keys, keyed
from ave_score.core.text import visible

LOG_KEYS = {
    "scorer": ("NAME", "the scorer or metric that says what is right"),
    "confidence": ("NAME", "the scorer that gives confidences"),
    "filter": ("NAME", "the filter of lm-evaluation-harness"),
    "task": ("NAME,...", "only these tasks"),
    "withheld": ("REGEX", "what withheld answers are like, if not right"),
    "right-from": ("T", "the least number of the scorer that is right"),
}
"""Key of `--log KEY=VALUE` -> what its value is, and its help; fields of `Choice` have its name."""

KEYS_OF_SYSTEMS = LOG_KEYS | {
    "scorer": ("NAME", "the scorer or metric that says what is right; several, each apart")
}
"""The keys where each of several scorers makes systems of its own."""

OF_VERIFIERS = {
    "score": ("NAME,...", "the scorers whose numbers rank the answers, by default all others")
}
"""The key of commands about verifiers."""

KEYS_WITH_JUDGE = LOG_KEYS | {"judge": ("NAME", "the scorer whose verdicts are those of the judge")}
"""The keys of commands about a judge beside people."""


class Choice(NamedTuple):
    """What is chosen of a log with several scorers or filters, or of a table with several scores.

    Attributes
    ----------
    scorer
        The scorer that says whether an answer is correct; None: the only one with letters.
    scores
        The scorers whose numbers rank the answers, or the columns of a table with scores; empty:
        every other scorer, or the column `score`.
    filter
        The filter of lm-evaluation-harness; None: the only one.
    task
        The tasks of systems that are scored; empty: all.
    withheld
        A pattern of answers by which a system withholds its answer, unless they are right; None:
        only the scorer says it.
    right_from
        The least number of the scorer that is right; None: it gives letters, truth values, 0 or 1.
    confidence
        The scorer whose number is the confidence of a system in its answer.
    judge
        The scorer that is a judge, beside `scorer`, which has the labels of people.
    scorers
        Several scorers, by each of which a log is read as a system of its own; empty: `scorer`.
    """

    scorer: str | None = None
    scores: tuple[str, ...] = ()
    filter: str | None = None
    task: tuple[str, ...] = ()
    withheld: str | None = None
    right_from: float | None = None
    confidence: str | None = None
    judge: str | None = None
    scorers: tuple[str, ...] = ()

    @property
    def parts(self) -> dict[str, str]:
        """What is chosen, by its name in signatures."""
        parts = {
            "scorer": self.scorer or ",".join(self.scorers),
            "filter": self.filter,
            "task": ",".join(self.task),
            "withheld": self.withheld,
            "right-from": None if self.right_from is None else f"{self.right_from:.15g}",
            "confidence": self.confidence,
            "judge": self.judge,
        }
        return {name: part for name, part in parts.items() if part}

    def __str__(self) -> str:
        return "|".join(signed_parts(self.parts))

    def check(self) -> None:
        """Raise `UsageError` for settings that no log can meet."""
        for names in (self.scores, self.task, self.scorers):
            check_type(names, tuple)
        if len({*self.scorers}) < len(self.scorers) or (self.scorers and self.scorer):
            raise UsageError("scorers: each once, and without another as scorer")
        try:
            re.compile(self.withheld or "")
        except (re.error, RecursionError, OverflowError) as error:
            raise UsageError(f"--log withheld=REGEX: no regular expression: {error}") from None
        if self.right_from is not None and not math.isfinite(self.right_from):
            raise UsageError(f"--log right-from=T: {self.right_from} is not a finite number")


def choice_of(texts: Iterable[str], keys: Keys = KEYS_OF_SYSTEMS) -> Choice:
    """Return what the values `KEY=VALUE` of `--log` choose; raises `UsageError` for unusable ones.

    `keys` are those that apply. Several scorers may be given with that of `KEYS_OF_SYSTEMS`.
    """
    pairs = keyed(
        "--log", texts, keys, ["scorer"] * (keys.get("scorer") == KEYS_OF_SYSTEMS["scorer"])
    )
    values: dict[str, Any] = dict(pairs)
    scorers = [*dict.fromkeys(value for key, value in pairs if key == "scorer")]
    if len(scorers) > 1:
        values |= {"scorer": None, "scorers": tuple(scorers)}
    for key, field in (("task", "task"), ("score", "scores")):
        if key in values:
            names = (name.strip() for name in values.pop(key).split(","))
            values[field] = tuple(filter(None, names))
    if "right-from" in values:
        text = values["right-from"]
        try:
            values["right-from"] = float(text)
        except ValueError:
            raise UsageError(f"--log: found 'right-from={text}', expected a number") from None
    return Choice(**{key.replace("-", "_"): value for key, value in values.items()})


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
