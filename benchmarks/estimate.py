"""Coverage of the intervals of `ave-score estimate`, by simulation.

    python -m benchmarks.estimate --samples 3000

For each setting: how often the interval has the true accuracy, and how wide it is beside Wilson's
interval of the labels alone. Then, how often one of two equal systems is significantly better
because a judge accepts 25 points more of its wrong answers. Takes a few minutes.
"""

from __future__ import annotations

import argparse
from itertools import product
from statistics import mean

import numpy as np

from ave_score.inference.by_question import Floats
from ave_score.inference.estimate import JudgedAnswers, SystemEstimate, difference, estimated
from ave_score.inference.intervals import wilson

LABELS, ACCURACIES = (20, 50, 100, 300), (0.5, 0.8, 0.95, 0.99)
JUDGES = ((0.9, 0.1), (0.98, 0.05), (0.95, 0.5), (0.7, 0.3))
"""Shares of right and of wrong answers that a judge accepts."""

ANSWERS = 500
ALPHA = 0.05


def drawn(
    rng: np.random.Generator, labels: int, accuracy: float, judge: tuple[float, float]
) -> SystemEstimate:
    """Return the estimate of a system, of which the first answers have labels."""
    right = rng.random(ANSWERS) < accuracy
    accepted = rng.random(ANSWERS) < np.where(right, *judge)
    order = rng.permutation(ANSWERS)
    label: Floats = np.where(np.arange(ANSWERS) < labels, right.astype(float), np.nan)
    none, withheld = np.full(ANSWERS, np.nan), np.zeros(ANSWERS, bool)
    return estimated(JudgedAnswers(accepted, label, order, none, none, withheld))


def coverage(labels: int, accuracy: float, judge: tuple[float, float], samples: int) -> str:
    """Return a line about a setting: coverage, and width relative to labels alone."""
    rng = np.random.default_rng([labels, int(1000 * accuracy), int(100 * judge[0])])
    inside, widths = [], []
    for _ in range(samples):
        made = drawn(rng, labels, accuracy, judge)
        low, high = made.interval(ALPHA)
        inside.append(low <= accuracy <= high)
        alone = wilson(float(np.nansum(made.of.label)), labels, 1 - ALPHA)
        widths.append((high - low) / (alone.high - alone.low))
    return f"{labels}\t{accuracy}\t{judge}\t{mean(inside):.3f}\t{mean(widths):.2f}"


def falsely_first(samples: int, labels: int = 60, accuracy: float = 0.7) -> float:
    """Return how often a favoured one of two equal systems is significantly better."""
    rng = np.random.default_rng(0)
    found = 0
    for _ in range(samples):
        one = drawn(rng, labels, accuracy, (0.9, 0.35))
        other = drawn(rng, labels, accuracy, (0.9, 0.1))
        of = difference(one, other, ALPHA)
        found += of.difference > 0 and of.p < ALPHA
    return found / samples


def main() -> None:
    """Print all settings, the least coverage, and how often the favoured system is first."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--samples", type=int, default=3000)
    samples = parser.parse_args().samples
    print("labels\taccuracy\tjudge\tcoverage\twidth")
    lines = [coverage(*item, samples) for item in product(LABELS, ACCURACIES, JUDGES)]
    print("\n".join(lines))
    print(f"least coverage: {min(float(line.split()[-2]) for line in lines):.3f}")
    print(f"greatest width: {max(float(line.split()[-1]) for line in lines):.2f}")
    print(f"falsely first: {falsely_first(samples):.3f}")


if __name__ == "__main__":
    main()
