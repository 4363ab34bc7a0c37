"""The signature: one line that says how figures were made, printed beside every score.

Two tables with the same signature were computed by the same rules from the same gold standard.
"""

from __future__ import annotations

from typing import NamedTuple

from ave_score.facts import CollectionFacts
from ave_score.version import __version__

HASH_DIGITS = 12
"""Digits of the collection's SHA-256 that the signature repeats."""


class IntervalPolicy(NamedTuple):
    """How confidence intervals are made: a bootstrap over the questions.

    Attributes
    ----------
    level
        How many per cent of such intervals hold the true value.
    method
        `bca` (bias-corrected and accelerated) or `percentile`.
    resamples, seed
        How many samples are drawn, and from what they follow.
    """

    level: float = 95
    method: str = "bca"
    resamples: int = 10_000
    seed: int = 0

    def __str__(self) -> str:
        return f"{self.level:g}|method:{self.method}|resamples:{self.resamples}|seed:{self.seed}"


class Policies(NamedTuple):
    """The choices that change figures.

    Attributes
    ----------
    campaign
        Which judgement table was used, a key of `CAMPAIGNS`.
    missing
        What an answer without a line in a run was: `error` or `rejected`.
    unknown
        What answers labelled UNKNOWN counted as: a key of `UNKNOWN_POLICIES`.
    ties
        How answers of a question that share a confidence were ranked: `file` or `average`.
    threshold
        The confidence from which runs were taken to validate; None: as they decided themselves.
    intervals
        How confidence intervals were made; None where there are none.
    """

    campaign: str = "qa-clef"
    missing: str = "error"
    unknown: str = "ignore"
    ties: str = "file"
    threshold: float | None = None
    intervals: IntervalPolicy | None = None


def signature(
    policies: Policies | None, collection: CollectionFacts, *, ranks: bool = False
) -> str:
    """Return e.g. `ave-score:0.1.0|campaign:qa-clef|missing:error|...|collection:0f3a...`.

    Where nothing `ranks` answers, nothing is said of ties; without policies nothing of these.
    """
    parts = [f"ave-score:{__version__}"]
    if policies is not None:
        told = policies._asdict()
        if not ranks:
            del told["ties"]
        parts += [f"{name}:{choice}" for name, choice in told.items() if choice is not None]
    parts.append(f"collection:{collection.sha256[:HASH_DIGITS]}")
    if collection.key_sha256:
        parts.append(f"key:{collection.key_sha256[:HASH_DIGITS]}")
    return "|".join(parts)
