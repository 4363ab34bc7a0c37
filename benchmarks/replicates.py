"""Equally good systems with several runs each: what the crossed test and tests of questions find.

`python -m benchmarks.replicates` makes pairs of systems that answer questions of the same random
difficulty. Each system has its own taste for each question, and each of its runs a deviation of its
own in all questions, as the seed of a model has; all are normal, in logits. A wrong answer is
withheld with a chance of 0.3. Over all questions and runs, the systems are equally good. It prints
the tables of docs/explanation/simulated-tests.md:

- how often `--test crossed`, and the paired t test of the means of the runs, find a difference;
- how often the interval of a system contains its accuracy over all questions and runs;
- the same for c@1, for systems that differ by 0.6 logits, and for runs that deviate unequally.

Results depend only on the seed, which each case has for itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

import numpy as np

from ave_score.core.policies import IntervalPolicy
from ave_score.counts import ANSWERING
from ave_score.inference.by_question import ByQuestion, CountRows, Floats
from ave_score.inference.crossed import crossed
from ave_score.inference.intervals import closed_interval
from ave_score.inference.mean import mean_of
from ave_score.inference.resampling import whole
from ave_score.inference.significance import t
from ave_score.measures import Measure, parse_measures
from benchmarks.simulations import head, row, run

ACCURACY, C_AT_1 = parse_measures("answering_accuracy, c_at_1")
LEVEL, BETTER = 0.05, 0.6
MEAN, DIFFICULTY, TASTE, WITHHELD = 0.5, 1.5, 1.0, 0.3
"""The mean logit, the standard deviations of what all systems and one have, a share of wrong."""

SIZES, RUNS, DEVIATIONS = (60, 300), (2, 3, 5), (0.0, 0.25, 0.5)


class Case(NamedTuple):
    """Pairs of systems: the questions, the runs of both and their deviations, the difference."""

    measure: Measure
    questions: int
    runs: tuple[int, int]
    deviations: tuple[float, float]
    better: float = 0.0

    def drawn(self, chance: np.random.Generator) -> Iterator[ByQuestion]:
        """Yield the two systems of a campaign."""
        difficulty = DIFFICULTY * chance.standard_normal(self.questions)
        means = (
            MEAN + self.better,
            mean_logit(accuracy(MEAN, self.deviations[0]), self.deviations[1]),
        )
        for mean, number, deviation in zip(means, self.runs, self.deviations, strict=True):
            shape = number, self.questions
            logits = mean + difficulty + TASTE * chance.standard_normal(self.questions)
            of_runs = deviation * chance.standard_normal((number, 1))
            right = chance.random(shape) < 1 / (1 + np.exp(-logits - of_runs))
            withheld = ~right & (chance.random(shape) < WITHHELD)
            counts = np.zeros((*shape, 5))
            counts[..., 0], counts[..., 1], counts[..., 2] = right, ~right & ~withheld, withheld
            runs = [ByQuestion("run", {ANSWERING: CountRows.of(rows)}) for rows in counts]
            yield mean_of("system", runs, [self.measure])

    def shares(self, campaigns: int) -> tuple[float, float, float]:
        """Return how often both tests find a difference, and the interval of the second is right.

        The t test and the interval are of accuracy only.
        """
        chance = np.random.default_rng([*repr(self[1:]).encode()])
        true, found = accuracy(MEAN, self.deviations[0]), []
        for _ in range(campaigns):
            one, other = self.drawn(chance)
            difference = whole(one, self.measure) - whole(other, self.measure)
            p = crossed(self.measure, one, other).p(difference)
            p_of_means, is_covered = 1.0, False
            if self.measure is ACCURACY:
                p_of_means = t(one.of_each(ACCURACY) - other.of_each(ACCURACY))
                interval = closed_interval(other, ACCURACY, IntervalPolicy())
                is_covered = interval is not None and interval.low <= true <= interval.high
            found.append((p <= LEVEL, p_of_means <= LEVEL, is_covered))
        different, of_means, covered = np.mean(found, axis=0).tolist()
        return different, of_means, covered


@cache
def accuracy(mean: float, deviation: float) -> float:
    """Return the accuracy over all questions and runs of a mean logit."""
    spread = np.sqrt(DIFFICULTY**2 + TASTE**2 + deviation**2)
    nodes, weights = np.polynomial.hermite_e.hermegauss(80)
    chances: Floats = 1 / (1 + np.exp(-mean - spread * nodes))
    return float(chances @ weights / weights.sum())


@cache
def mean_logit(value: float, deviation: float) -> float:
    """Return the mean logit of an accuracy."""
    low, high = -5.0, 5.0
    for _ in range(50):
        middle = (low + high) / 2
        low, high = (middle, high) if accuracy(middle, deviation) < value else (low, middle)
    return low


# --- tables


def lines(campaigns: int) -> Iterator[str]:
    """Yield the tables in Markdown."""
    named = [f"SD {deviation:g}" for deviation in DEVIATIONS]
    both = [f"`{test}`, {name}" for test in ("crossed", "t") for name in named]
    intervals = [*head(["interval of a system", "runs", *named])]
    yield from head(["equal accuracy", "runs", *both])
    for questions, runs in _sizes():
        found = [
            _alike(ACCURACY, questions, runs, deviation).shares(campaigns)
            for deviation in DEVIATIONS
        ]
        different, of_means, covered = zip(*found, strict=True)
        yield row(f"n = {questions}", f"{runs}", *different, *of_means)
        intervals.append(row(f"n = {questions}", f"{runs}", *covered))
    yield from ["", *intervals, "", *head(["equal c@1", "runs", *both[: len(named)]])]
    for questions, runs in _sizes():
        cases = [_alike(C_AT_1, questions, runs, deviation) for deviation in DEVIATIONS]
        found = [case.shares(campaigns // 2) for case in cases]
        yield row(f"n = {questions}", f"{runs}", *(share[0] for share in found))
    yield from ["", *head(["better by 0.6 logits", "runs", *both])]
    for questions, runs in _sizes():
        cases = [_alike(ACCURACY, questions, runs, deviation, BETTER) for deviation in DEVIATIONS]
        different, of_means, _ = zip(*(case.shares(campaigns // 4) for case in cases), strict=True)
        yield row(f"n = {questions}", f"{runs}", *different, *of_means)
    yield from ["", *head(["SD 0.5 and 0, runs", *(f"n = {size}" for size in SIZES)])]
    for one, other in ((2, 2), (2, 5), (3, 3), (3, 5), (5, 5), (5, 2)):
        cases = [Case(ACCURACY, size, (one, other), (0.5, 0.0)) for size in SIZES]
        found = [case.shares(campaigns // 2) for case in cases]
        yield row(f"{one} and {other}", *(share[0] for share in found))


def _sizes() -> Iterator[tuple[int, int]]:
    return ((questions, runs) for questions in SIZES for runs in RUNS)


def _alike(
    measure: Measure, questions: int, runs: int, deviation: float, better: float = 0.0
) -> Case:
    return Case(measure, questions, (runs, runs), (deviation, deviation), better)


if __name__ == "__main__":
    run(__doc__, 1500, lines)
