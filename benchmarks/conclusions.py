"""False differences between runs that are equally good, by every test and correction.

`python -m benchmarks.conclusions` makes campaigns in which every run has the same chance of
each result on each question, and tests all pairs of runs. It prints
the share of campaigns in which any difference is called significant: the family-wise error, which
should be at most 0.05. docs/explanation/simulated-tests.md has these shares.
"""

from __future__ import annotations

import argparse
from array import array
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations, product
from math import sqrt

import numpy as np

from ave_score.core.model import AnswerIndex, Collection, Label, Run, Verdict
from ave_score.core.policies import Policies
from ave_score.inference.by_question import ByQuestion, Floats
from ave_score.inference.procedures import CORRECTIONS, PROCEDURES
from ave_score.inference.resampling import Resampling, replicate, whole
from ave_score.inference.significance import (
    OF_ALL,
    OF_DIFFERENCES,
    bootstrap,
    corrected,
    tukey,
)
from ave_score.inference.two_runs import OneRun, TwoRuns
from ave_score.inference.units import count_for
from ave_score.measures import Measure, parse_measures
from benchmarks.simulations import row
from benchmarks.unlike import Tested

QUESTIONS, ANSWERS, LEVEL = 60, 4, 0.05
MEASURES = parse_measures("qa_accuracy, mrr, f1")
SAMPLES = 1_000
"""Of the randomisation test, which needs few for a p of any size."""

Counts = Counter[tuple[str, str, str]]
"""(measure, test, correction) -> campaigns with a false difference."""


def campaign(chance: np.random.Generator, runs: int) -> tuple[Collection, list[Run]]:
    """Make a collection whose first answers are correct, and runs that are equally good.

    Questions differ in difficulty. On each, all runs draw the rank of the correct answer, and
    whether each answer is validated, from the same distribution.
    """
    ids = [f"{number:03d}" for number in range(QUESTIONS)]
    index = AnswerIndex.of({q_id: {f"{q_id}_{a}": None for a in range(ANSWERS)} for q_id in ids})
    labels = [Label.VALIDATED, *[Label.REJECTED] * (ANSWERS - 1)] * QUESTIONS
    easy = chance.random(QUESTIONS)
    made = []
    for number in range(runs):
        scores = chance.random((QUESTIONS, ANSWERS))
        scores[:, 0] += np.where(chance.random(QUESTIONS) < easy, 1.0, 0.0)
        accepted = chance.random((QUESTIONS, ANSWERS)) < easy[:, None]
        verdicts = np.where(accepted, Verdict.VALIDATED, Verdict.REJECTED).astype(np.uint8)
        verdicts[np.arange(QUESTIONS), scores.argmax(axis=1)] = Verdict.SELECTED
        name = f"run{number:02d}"
        confidences = array("d", (scores / 2).ravel().tolist())
        made.append(Run(name, name, index, verdicts.tobytes(), confidences, array("l")))
    return Collection("made", "0" * 64, index, bytes(labels)), made


def found_by(test: str, counted: Sequence[ByQuestion], seed: int) -> Counts:
    """Count the measures and corrections with which a test finds any difference."""
    adjusts = PROCEDURES[test].adjusts
    conclusions: Counts = Counter()
    for measure in MEASURES[: 1 if test == "mcnemar" else 2 if PROCEDURES[test].of_values else 3]:
        p = p_of_pairs(test, counted, measure, seed)
        for correction in ["none"] if adjusts else CORRECTIONS:
            is_found = bool((corrected(p, correction) <= LEVEL + 1e-12).any())
            conclusions[measure.key, test, correction] += is_found
    return conclusions


def p_of_pairs(test: str, counted: Sequence[ByQuestion], measure: Measure, seed: int) -> Floats:
    """Return p of each pair of runs."""
    pairs = list(combinations(counted, 2))
    if test == "randomisation" or (test == "t" and measure.key == "f1"):
        samples = Resampling(SAMPLES, seed)
        runs = [OneRun(of_run, measure) for of_run in counted]
        twos = [TwoRuns(*pair) for pair in combinations(runs, 2)]
        return np.array([Tested(two, samples).p(test) for two in twos])
    if test == "bootstrap":
        drawn = replicate(counted, [measure], Resampling(10_000, seed))
        by_name = {of_run.run: drawn[of_run.run, measure.key] for of_run in counted}
        values = {of_run.run: whole(of_run, measure) for of_run in counted}
        return np.array(
            [
                bootstrap(
                    by_name[first.run] - by_name[other.run], values[first.run] - values[other.run]
                )
                for first, other in pairs
            ]
        )
    by_question = np.array([of_run.of_each(measure) for of_run in counted])
    if test in OF_ALL:
        return OF_ALL[test](by_question).pairs[np.triu_indices(len(by_question), 1)]
    return np.array(
        [OF_DIFFERENCES[test](first - second) for first, second in combinations(by_question, 2)]
    )


def unequal(chance: np.random.Generator, runs: int) -> Floats:
    """Return values of runs with equal means; the first run has five times the spread."""
    spread = np.where(np.arange(runs) < 1, 5.0, 1.0)[:, None]
    return chance.normal(size=(runs, QUESTIONS)) * spread + chance.normal(size=QUESTIONS)


def lines(numbers: Sequence[int], campaigns: Sequence[int], tests: Sequence[str]) -> Iterator[str]:
    """Yield the table in Markdown: a row for each test, correction and measure."""
    counts: list[Counts] = []
    spreads = []
    for runs, times in zip(numbers, campaigns, strict=True):
        chance = np.random.default_rng([2016, runs])
        total: Counts = Counter()
        for seed in range(times):
            collection, made = campaign(chance, runs)
            counted = [count_for(run, collection, MEASURES, Policies()) for run in made]
            for test in tests:
                total.update(found_by(test, counted, seed))
        counts.append(total)
        any_found = [tukey(unequal(chance, runs)).pairs.min() <= LEVEL for _ in range(times)]
        spreads.append(float(np.mean(any_found)))
    heads = [f"{runs} runs" for runs in numbers]
    yield f"| Measure | Test | Correction | {' | '.join(heads)} |"
    yield f"|---|---|---|{'--:|' * len(heads)}"
    orders = [[ordered.key for ordered in MEASURES], [*PROCEDURES], [*CORRECTIONS]]
    present = {key for total in counts for key in total}
    for key in (key for key in product(*orders) if key in present):
        measure, test, correction = key
        named = "of the test" if PROCEDURES[test].adjusts else correction
        shares = [total[key] / times for total, times in zip(counts, campaigns, strict=True)]
        yield row(measure, test, named, *shares)
    if "tukey" in tests:
        yield row("one run of five times the spread", "tukey", "of the test", *spreads)
    errors = [sqrt(LEVEL * (1 - LEVEL) / times) for times in campaigns]
    yield row("*standard error of 0.05*", "", "", *errors)
    yield row("*campaigns*", "", "", *campaigns, digits=0)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, nargs="+", default=[3, 10, 40])
    parser.add_argument("--campaigns", type=int, nargs="+", default=[2000, 1000, 200])
    of_single_runs = [name for name in PROCEDURES if name != "crossed"]
    parser.add_argument("--tests", nargs="+", default=of_single_runs)
    options = parser.parse_args()
    for line in lines(options.runs, options.campaigns, options.tests):
        print(line)


if __name__ == "__main__":
    main()
