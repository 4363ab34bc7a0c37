"""Coverage of intervals and of ranks, and power among many runs, by simulation.

`python -m benchmarks.intervals` prints the tables of docs/explanation/statistics.md:

- how often the interval of a share, and of F, contains the true value;
- how often the interval of a difference of two runs contains the true difference;
- how often the ranges of ranks contain the true ranks of all runs;
- the share of true differences that are found among 100 runs.

Results depend only on the seed. A share of 2,000 campaigns has a standard error of 0.005.
"""

from __future__ import annotations

import argparse
from array import array
from collections.abc import Iterator
from math import comb

import numpy as np
import numpy.typing as npt

from ave_score.counts import SELECTION, VALIDATION
from ave_score.inference.by_question import ByQuestion, Floats
from ave_score.inference.compared import Design
from ave_score.inference.comparison import compare
from ave_score.inference.intervals import interval_of, wilson
from ave_score.inference.randomisation import Randomisation
from ave_score.inference.resampling import Resampling, replicate
from ave_score.measures import Measure, parse_measures
from ave_score.model import AnswerIndex, Collection, Label, Run, Verdict
from ave_score.policies import IntervalPolicy

(QA,) = parse_measures("qa_accuracy")
(F1,) = parse_measures("f1")
SHARES, SIZES = (0.5, 0.8, 0.9, 0.97), (10, 20, 50, 200, 1000)
LEVEL = 0.95


def right(outcomes: npt.NDArray[np.bool_], name: str) -> ByQuestion:
    """Return a run that is right on some questions, all of which have a correct answer."""
    columns = np.zeros((len(outcomes), len(SELECTION.counts.names())))
    columns[:, 0], columns[:, 1], columns[:, -1] = outcomes, ~outcomes, 1
    return ByQuestion(name, {SELECTION: columns})


def validating(chance: np.random.Generator, questions: int, recall: float, name: str) -> ByQuestion:
    """Return a run on questions with 1 correct of 4 answers; it validates a third of the others.

    Its F on infinitely many questions is 2 recall / (recall + 1 + 1).
    """
    found = chance.random(questions) < recall
    wrong = chance.binomial(3, 1 / 3, questions)
    columns = np.zeros((questions, len(VALIDATION.counts.names())))
    columns[:, 0], columns[:, 1], columns[:, 2] = found, wrong, ~found
    return ByQuestion(name, {VALIDATION: columns})


def coverage_of_wilson(share: float, size: int) -> float:
    """Return the exact coverage of Wilson's interval: the sum of all results that are covered."""
    covered = 0.0
    for successes in range(size + 1):
        low, high = wilson(successes, size, LEVEL)
        if low <= share <= high:
            covered += comb(size, successes) * share**successes * (1 - share) ** (size - successes)
    return covered


def coverage_of_bootstrap(
    chance: np.random.Generator, measure: Measure, share: float, size: int, campaigns: int
) -> float:
    """Return the simulated coverage of the bias-corrected bootstrap of 1,000 samples."""
    policy, covered = IntervalPolicy(100 * LEVEL, "bca"), 0
    true = share if measure is QA else 2 * share / (share + 2)
    for number in range(campaigns):
        run = (
            right(chance.random(size) < share, "run")
            if measure is QA
            else validating(chance, size, share, "run")
        )
        samples = replicate([run], [measure], Resampling(1000, number))["run", measure.key]
        if np.ptp(samples) == 0:
            continue  # an interval of no width, which the program does not print
        low, high = interval_of(run, measure, samples, policy).interval
        covered += low <= true <= high
    return covered / campaigns


def coverage_of_difference(
    chance: np.random.Generator, measure: Measure, shares: tuple[float, float], size: int, n: int
) -> float:
    """Return the coverage of the interval of a difference, which inverts the randomisation test."""
    covered = 0
    for number in range(n):
        if measure is QA:  # outcomes of a question are correlated
            easy = chance.random(size)
            one, other = (
                right((0.5 * easy + 0.5 * chance.random(size)) < share, name)
                for name, share in zip("ab", shares, strict=True)
            )
        else:
            one, other = (
                validating(chance, size, share, name)
                for name, share in zip("ab", shares, strict=True)
            )
        margin = Randomisation(one, other, measure, Resampling(2000, number)).margin(1 - LEVEL)
        all_questions = np.ones((1, size))
        seen = one.measured(measure, all_questions)[0] - other.measured(measure, all_questions)[0]
        covered += abs(seen - _difference(measure, shares)) <= margin + 1e-9
    return covered / n


def _difference(measure: Measure, shares: tuple[float, float]) -> float:
    if measure is QA:  # the mean of two uniform numbers is below x with this probability
        one, other = (2 * x**2 if x <= 0.5 else 1 - 2 * (1 - x) ** 2 for x in shares)
    else:
        one, other = (2 * x / (x + 2) for x in shares)
    return one - other


def campaign(chance: np.random.Generator, abilities: Floats, questions: int) -> tuple[
    Collection, list[Run]
]:  # fmt: skip
    """Return a collection with a right and a wrong answer each, and runs of these abilities."""
    index = AnswerIndex.of({f"{q}": {f"{q}r": None, f"{q}w": None} for q in range(questions)})
    labels = bytes([Label.VALIDATED, Label.REJECTED] * questions)
    runs = []
    for number, ability in enumerate(abilities):
        is_right = chance.random(questions) < ability
        verdicts = np.full((questions, 2), Verdict.REJECTED, dtype=np.uint8)
        verdicts[np.arange(questions), np.where(is_right, 0, 1)] = Verdict.SELECTED
        confidences = array("d", [0.5] * (2 * questions))
        name = f"run{number:03d}"
        runs.append(Run(name, name, index, verdicts.tobytes(), confidences, array("l")))
    return Collection("made", "0" * 64, index, labels), runs


def coverage_of_ranks(
    chance: np.random.Generator, abilities: Floats, questions: int, campaigns: int
) -> tuple[float, float]:
    """Return how often all true ranks are in their ranges, and the mean width of the ranges."""
    covered, width = 0, 0.0
    true = {
        f"run{number:03d}": int((abilities > a).sum()) + 1 for number, a in enumerate(abilities)
    }
    for _ in range(campaigns):
        collection, runs = campaign(chance, abilities, questions)
        (found,) = compare(runs, collection, [QA], Design(resampling=Resampling(100)))
        ranges = {one.run: one.ranks or (0, 0) for one in found.standings}
        covered += all(low <= true[run] <= high for run, (low, high) in ranges.items())
        width += float(np.mean([high - low + 1 for low, high in ranges.values()]))
    return covered / campaigns, width / campaigns


def power(chance: np.random.Generator, runs: int, questions: int) -> tuple[float, int]:
    """Return the share of differences found between two halves of the runs, and false ones."""
    abilities = np.where(np.arange(runs) < runs // 2, 0.53, 0.19)
    collection, made = campaign(chance, abilities, questions)
    (found,) = compare(made, collection, [QA], Design(resampling=Resampling(100)))
    is_best = {f"run{number:03d}": ability > 0.5 for number, ability in enumerate(abilities)}
    apart = [pair for pair in found.pairs if is_best[pair.run] != is_best[pair.other]]
    equal = [pair for pair in found.pairs if is_best[pair.run] == is_best[pair.other]]
    return (
        sum(pair.is_significant for pair in apart) / len(apart),
        sum(pair.is_significant for pair in equal),
    )


def lines(campaigns: int) -> Iterator[str]:
    """Yield the tables in Markdown."""
    chance = np.random.default_rng(2010)
    yield "| share | " + " | ".join(f"n = {size}" for size in SIZES) + " |"
    yield "|---|" + "---|" * len(SIZES)
    for share in SHARES:
        figures = [f"{coverage_of_wilson(share, size):.3f}" for size in SIZES]
        yield f"| {share}, Wilson | {' | '.join(figures)} |"
        figures = [
            f"{coverage_of_bootstrap(chance, QA, share, size, campaigns):.3f}" for size in SIZES[:4]
        ]
        yield f"| {share}, bootstrap | {' | '.join(figures)} | |"
    figures = [
        f"{coverage_of_bootstrap(chance, F1, 0.6, size, campaigns):.3f}" for size in SIZES[:4]
    ]
    yield f"| F of 0.46, bootstrap | {' | '.join(figures)} | |"
    yield ""
    yield "| difference | " + " | ".join(f"n = {size}" for size in SIZES[:4]) + " |"
    yield "|---|---|---|---|---|"
    for measure, shares in ((QA, (0.6, 0.6)), (QA, (0.7, 0.4)), (F1, (0.6, 0.6)), (F1, (0.8, 0.4))):
        figures = [
            f"{coverage_of_difference(chance, measure, shares, size, campaigns):.3f}"
            for size in SIZES[:4]
        ]
        yield f"| {measure.title} {_difference(measure, shares):.2f} | {' | '.join(figures)} |"
    yield ""
    yield "| runs | questions | all true ranks covered | mean width |"
    yield "|---|---|---|---|"
    for runs, spread in ((3, 0.05), (10, 0.05), (15, 0.01), (15, 0.4), (40, 0.05)):
        abilities = 0.5 + spread * np.linspace(-0.5, 0.5, runs)
        covered, width = coverage_of_ranks(chance, abilities, 100, max(campaigns // 5, 1))
        ends = f"{abilities[0]:.3f} to {abilities[-1]:.3f}"
        yield f"| {runs} from {ends} | 100 | {covered:.3f} | {width:.1f} |"
    yield ""
    found, false = power(chance, 100, 170)
    yield f"100 runs, 50 of 0.53 and 50 of 0.19, 170 questions: {found:.3f} found, {false} false."


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--campaigns", type=int, default=2000)
    for line in lines(parser.parse_args().campaigns):
        print(line, flush=True)


if __name__ == "__main__":
    main()
