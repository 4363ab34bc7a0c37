"""Coverage of the intervals of `ave-score estimate`, by simulation.

    python -m benchmarks.estimate --samples 1000

640 settings: for each, how often the interval has the true accuracy, and how wide it is beside
Wilson's interval of the labels alone. Then, how often one of two equal systems is significantly
better because a judge accepts 25 points more of its wrong answers. Takes about three minutes of two
cores.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import product
from math import sqrt
from statistics import mean
from typing import NamedTuple

import numpy as np

from ave_score.inference.estimate import EstimatedSystem, JudgedAnswers, difference
from ave_score.inference.intervals import wilson

ANSWERS, LABELS = (500, 3000), (20, 30, 50, 100, 300)
ACCURACIES = (0.5, 0.8, 0.95, 0.99)
JUDGES = [*product((0.7, 0.9, 0.95, 0.98), (0.05, 0.1, 0.3, 0.5))]
"""Shares of right and of wrong answers that a judge accepts."""

ALPHA = 0.05


class Setting(NamedTuple):
    """The numbers of answers and of labels, the accuracy, and a judge."""

    answers: int
    labels: int
    accuracy: float
    judge: tuple[float, float]


class Found(NamedTuple):
    """The share of intervals that have the accuracy, and their mean width beside Wilson's."""

    setting: Setting
    coverage: float
    width: float


def drawn(rng: np.random.Generator, setting: Setting, samples: int) -> Iterator[EstimatedSystem]:
    """Yield estimates of a system, of which the first answers have labels."""
    shape = samples, setting.answers
    right = rng.random(shape) < setting.accuracy
    verdict = (rng.random(shape) >= np.where(right, *setting.judge)).astype(np.int64)
    label = np.where(np.arange(setting.answers) < setting.labels, right.astype(float), np.nan)
    none = np.full(setting.answers, np.nan)
    for row in range(samples):
        order = rng.permutation(setting.answers)
        yield EstimatedSystem("", JudgedAnswers(verdict[row], label[row], order, none, none))


def coverage(setting: Setting, samples: int) -> Found:
    """Return what is found of a setting."""
    numbers = (*setting[:3], *setting.judge)
    rng = np.random.default_rng([int(1000 * number) for number in numbers])
    inside, widths = [], []
    for found in drawn(rng, setting, samples):
        if found.estimate is None:  # refused: labels that seem chosen, and one verdict without any
            continue
        low, high = found.limits(ALPHA)
        inside.append(low <= setting.accuracy <= high)
        right = sum(verdict.right for verdict in found.verdicts)
        alone = wilson(right, setting.labels, 1 - ALPHA)
        widths.append((high - low) / (alone.high - alone.low))
    return Found(setting, mean(inside), mean(widths))


def falsely_first(samples: int) -> float:
    """Return how often a favoured one of two equal systems is significantly better."""
    rng = np.random.default_rng(0)
    favoured, other = (Setting(500, 60, 0.7, (0.9, accepted)) for accepted in (0.35, 0.1))
    pairs = zip(drawn(rng, favoured, samples), drawn(rng, other, samples), strict=True)
    differences = (difference(*pair, ALPHA) for pair in pairs)
    return mean(found > 0 and p < ALPHA for found, _, p in differences)


def table(found: Sequence[Found]) -> Iterator[str]:
    """Yield the lines of a table: a row for each number of answers and of labels."""
    yield "| answers | labels | least coverage | settings below .93 | mean width | greatest width |"
    yield "|--:|--:|--:|--:|--:|--:|"
    for key in product(ANSWERS, LABELS):
        rows = [row for row in found if row.setting[:2] == key]
        below = sum(row.coverage < 0.93 for row in rows)
        widths = [row.width for row in rows]
        least = min(row.coverage for row in rows)
        cells = f"{key[0]:,}", key[1], f"{least:.3f}", below, f"{mean(widths):.2f}"
        yield f"| {' | '.join(map(str, cells))} | {max(widths):.2f} |"


def main() -> None:
    """Print a table, the extremes, and how often the favoured system is first."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--samples", type=int, default=1000)
    samples = parser.parse_args().samples
    settings = [Setting(*cells) for cells in product(ANSWERS, LABELS, ACCURACIES, JUDGES)]
    with ProcessPoolExecutor() as pool:
        first = pool.submit(falsely_first, 3 * samples)
        found = [*pool.map(partial(coverage, samples=samples), settings, chunksize=8)]
    print("\n".join(table(found)))
    least = min(found, key=lambda row: row.coverage)
    error = sqrt(least.coverage * (1 - least.coverage) / samples)
    print(f"least coverage: {least.coverage:.3f} (simulation error {error:.3f}), {least.setting}")
    print(f"greatest width: {max(row.width for row in found):.2f}")
    print(f"falsely first: {first.result():.3f}")


if __name__ == "__main__":
    main()
