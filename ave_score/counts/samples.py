"""Columns of samples, where no number says enough: confidences, and rankings."""

from __future__ import annotations

from array import array
from collections import Counter
from dataclasses import dataclass, field
from typing import NamedTuple

from ave_score.counts.base import Counts
from ave_score.exact import Number


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
