"""Reliability diagrams: a panel per run, the share of correct answers in each bin of confidence.

Bins have equal width or an equal mass of answers, as in the measure `ece`.
Source: Guo and others, On Calibration of Modern Neural Networks, ICML 2017.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from ave_score.core.text import quantity, visible
from ave_score.counts import ConfidenceCounts
from ave_score.inference.intervals import wilson
from ave_score.inference.resampling import Interval
from ave_score.measures.by_confidence import (
    Scaled,
    bins_of,
    judged,
    max_of,
    min_of,
    sum_of,
)
from ave_score.measures.confidence import ece
from ave_score.measures.registry import NotApplicable
from ave_score.reports.plots.figure import LeftOut, Words, left_out_notes, words_of
from ave_score.reports.report import figure_text


class Bin(NamedTuple):
    """The answers with a confidence in (low, high]; the lowest bin includes 0.

    In bins of equal mass, `low` and `high` are the lowest and the highest confidence. `answers` is
    their number, `confidence` the mean of their confidences, `accuracy` the share of
    correct ones; both are None without answers.
    """

    low: Fraction
    high: Fraction
    answers: int
    confidence: Fraction | None
    accuracy: Fraction | None

    def text(self, digits: int = 1) -> str:
        """Return its answers, its ends with some digits, and the share of correct ones."""
        ends = f"{figure_text(self.low, digits)} to {figure_text(self.high, digits)}"
        return f"{quantity(self.answers, 'answer')} of {ends}, {figure_text(self.accuracy)} correct"


class RunReliability(NamedTuple):
    """The bins of a run, lowest first, and its expected calibration error."""

    run: str
    bins: Sequence[Bin]
    error: Fraction | None

    def text(self, digits: int = 1) -> str:
        """Return the data as text; the ends of bins have some digits."""
        error = "undefined" if self.error is None else figure_text(self.error)
        bins = "; ".join(bin_.text(digits) for bin_ in self.bins if bin_.answers)
        return f"{visible(self.run)}: ECE {error}; {bins}."


MEANING = (
    "A diagram per run: the share of correct answers in each bin of confidence, and the number of "
    "answers; on the diagonal, both are equal."
)
"""What diagrams show."""


class Reliabilities(NamedTuple):
    """A reliability diagram for each run, in the order given; `kind` as in the measure `ece`.

    `level` is that of the intervals of shares in per cent, None without any.
    """

    runs: Sequence[RunReliability]
    left_out: Sequence[LeftOut] = ()
    kind: str = "width"
    level: float | None = None

    @property
    def words(self) -> Words:
        """The title, text and notes."""
        notes = [
            "Bars: share of correct answers in a bin; points: at its mean confidence. "
            "Below: answers.",
            *left_out_notes(self.left_out),
        ]
        if self.level is not None:
            whiskers = f"Whiskers: Wilson's {self.level:g} % intervals"
            notes.insert(1, f"{whiskers} of each bin, its answers taken as independent.")
        mass = self.kind == "mass"
        title = "Reliability of confidences" + ", bins of equal mass" * mass
        texts = (diagram.text(3 if mass else 1) for diagram in self.runs)
        return words_of(title, [MEANING, *texts], notes)


def whisker(of: Bin, level: float) -> Interval:
    """Return Wilson's interval of the share of correct answers in a bin that is not empty."""
    return wilson(float(of.answers * (of.accuracy or 0)), of.answers, level / 100)


BINS = 10
"""The number of bins of a diagram, the default of the measure `ece`."""


def reliability(
    run: str, counts: ConfidenceCounts, bins: int = BINS, kind: str = "width"
) -> RunReliability:
    """Return the bins of a run, with their answers and the share of correct ones.

    Bins of equal `mass` without answers are left out. Raises `NotApplicable` if confidences are
    outside 0..1, or no answer is judged.
    """
    if not counts.decisions:
        raise NotApplicable("no answer is judged")
    error = ece(counts, Fraction(bins), kind)
    answers = judged(counts)
    numbers = bins_of(answers, bins, kind)
    shown = range(bins) if kind == "width" else sorted({*numbers.tolist()})
    made = []
    for at in shown:
        values, rights = (column[numbers == at] for column in answers[:2])
        made.append(_bin(Scaled(values, rights, answers.scale), at, bins, kind))
    return RunReliability(run, made, error)


def _bin(answers: Scaled, at: int, bins: int, kind: str) -> Bin:
    size, low, high = len(answers.values), Fraction(at, bins), Fraction(at + 1, bins)
    if kind == "mass":
        ends = min_of(answers.values), max_of(answers.values)
        low, high = (Fraction(end, answers.scale) for end in ends)
    if not size:
        return Bin(low, high, 0, None, None)
    total, right = sum_of(answers.values), sum_of(answers.rights)
    return Bin(low, high, size, Fraction(total, answers.scale * size), Fraction(right, size))
