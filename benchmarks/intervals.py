"""Coverage of intervals and of ranks, and power among many runs, by simulation.

`python -m benchmarks.intervals` prints the tables of docs/explanation/simulated-intervals.md:

- how often the interval of a share, and of F, contains the true value;
- how often that of F, precision, recall, accuracy and c@1 does for runs that accept much or little,
  also on questions of unlike sizes;
- how often the interval of a difference in QA accuracy contains the true difference
  (`benchmarks.ratios` has F);
- how often the ranges of ranks contain the true ranks of all runs;
- the share of true differences that are found among 100 runs.

Results depend only on the seed. A share of 2,000 campaigns has a standard error of 0.005.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from math import comb
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ave_score.core.model import AnswerIndex, Collection, Label, Run, Verdict
from ave_score.core.policies import IntervalPolicy
from ave_score.counts import ANSWERING, SELECTION, VALIDATION
from ave_score.inference.by_question import ByQuestion, Floats
from ave_score.inference.compare import pairwise_tests
from ave_score.inference.compare_records import Design
from ave_score.inference.intervals import interval_of, sampled_interval, wilson
from ave_score.inference.randomisation import Randomisation
from ave_score.inference.resampling import Resampling, replicate
from ave_score.measures import Measure, parse_measures
from benchmarks.simulations import head, row, run

(QA,) = parse_measures("qa_accuracy")
(F1,) = parse_measures("f1")
SHARES, SIZES = (0.5, 0.8, 0.9, 0.97), (10, 20, 50, 200, 1000)
LEVEL = 0.95


def right(outcomes: npt.NDArray[np.bool_], name: str) -> ByQuestion:
    """Return a run that is right on some questions, all of which have a correct answer."""
    columns = np.zeros((len(outcomes), len(SELECTION.counts.meanings())))
    columns[:, 0], columns[:, 1], columns[:, -1] = outcomes, ~outcomes, 1
    return ByQuestion(name, {SELECTION: columns})


def validating(chance: np.random.Generator, questions: int, recall: float, name: str) -> ByQuestion:
    """Return a run on questions with 1 correct of 4 answers; it validates a third of the others.

    Its F on infinitely many questions is 2 recall / (recall + 1 + 1).
    """
    accepted = chance.random(questions) < recall
    wrong = chance.binomial(3, 1 / 3, questions)
    columns = np.zeros((questions, len(VALIDATION.counts.meanings())))
    columns[:, 0], columns[:, 1], columns[:, 2] = accepted, wrong, ~accepted
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
    covered = 0
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
        low, high = sampled_interval(run, measure, samples, LEVEL).interval
        covered += low <= true <= high
    return covered / campaigns


class Habit(NamedTuple):
    """What a run does with the answers to questions that have one correct answer each.

    Attributes
    ----------
    called
        Its name in the table.
    accepted, mistaken
        The probabilities that it accepts a correct and an incorrect answer.
    answers
        The answers to a question.
    cluster
        The questions in a cluster, which are sampled together.
    alike
        The probability that a decision follows what the answers to a question, or to the questions
        of a cluster, have in common.
    """

    called: str
    accepted: float
    mistaken: float
    answers: int = 4
    cluster: int = 1
    alike: float = 0.3

    def true(self, measure: Measure) -> float:
        """Return a measure on infinitely many questions."""
        wrong = self.mistaken * (self.answers - 1)
        shares = [self.accepted, wrong, 1 - self.accepted, self.answers - 1 - wrong, 0, 0]
        return float(ByQuestion("", {}).computed(measure, np.array([shares]))[0])

    def draw(self, chance: np.random.Generator, units: int) -> ByQuestion:
        """Return the counts of a run of this habit on as many questions, or clusters."""
        shape = (units, self.cluster, self.answers)
        common = np.broadcast_to(chance.random((units, 1, 1)), shape)
        easy = np.where(chance.random(shape) < self.alike, common, chance.random(shape))
        accepted, wrong = easy[..., 0] < self.accepted, (easy[..., 1:] < self.mistaken).sum(axis=2)
        columns = np.zeros((units, len(VALIDATION.counts.meanings())))
        kinds = (accepted, wrong, ~accepted, self.answers - 1 - wrong)
        columns[:, :4] = np.column_stack([kind.sum(axis=1) for kind in kinds])
        return ByQuestion("run", {VALIDATION: columns}, unit="cluster" * (self.cluster > 1))


class Uneven(NamedTuple):
    """What a run does with the answers to questions of unlike sizes.

    A question has 1 to `most` correct answers, and independently as many incorrect ones, all
    numbers equally often. The other attributes are those of `Habit`.
    """

    called: str
    accepted: float
    mistaken: float
    most: int = 20
    alike: float = 0.3

    def true(self, measure: Measure) -> float:
        """Return a measure on infinitely many questions."""
        shares = [self.accepted, self.mistaken, 1 - self.accepted, 1 - self.mistaken, 0, 0]
        return float(ByQuestion("", {}).computed(measure, np.array([shares]))[0])

    def draw(self, chance: np.random.Generator, units: int) -> ByQuestion:
        """Return the counts of a run of this habit on as many questions."""
        columns, shape = np.zeros((units, len(VALIDATION.counts.meanings()))), (units, self.most)
        common = chance.random((units, 1))
        for kind, share in enumerate((self.accepted, self.mistaken)):
            answers = chance.integers(1, self.most + 1, units)
            is_alike = chance.random(shape) < self.alike
            accepted = np.where(is_alike, common, chance.random(shape)) < share
            accepted &= np.arange(self.most) < answers[:, None]
            columns[:, kind] = accepted.sum(axis=1)
            columns[:, 2 + kind] = answers - columns[:, kind]
        return ByQuestion("run", {VALIDATION: columns})


class Answers(NamedTuple):
    """The probabilities that a system answers a question rightly, and leaves it open."""

    called: str
    right: float
    open: float

    def true(self, measure: Measure) -> float:
        """Return a measure on infinitely many questions."""
        shares = [self.right, 1 - self.right - self.open, self.open, 0, 0]
        return float(ByQuestion("", {}).computed(measure, np.array([shares]))[0])

    def draw(self, chance: np.random.Generator, units: int) -> ByQuestion:
        """Return the counts of a system on as many questions."""
        drawn, columns = chance.random(units), np.zeros((units, 5))
        columns[:, 0], columns[:, 2] = drawn < self.right, drawn >= 1 - self.open
        columns[:, 1] = 1 - columns[:, 0] - columns[:, 2]
        return ByQuestion("run", {ANSWERING: columns})


NEARLY_ALL = Habit("accepts nearly all", 1.0, 0.761)
SURE = Habit("accepts the sure ones", 0.35, 0.05)
CAUTIOUS = Habit("very cautious", 0.5, 0.0034)
GOOD = Habit("very good", 0.97, 0.01)
UNEVEN = [Uneven("accepts the sure ones", 0.35, 0.05), Uneven("very good", 0.97, 0.01)]
SINGLES: dict[str, list[Habit | Answers]] = {
    "f1": [NEARLY_ALL, SURE, GOOD],
    "precision": [NEARLY_ALL, SURE, CAUTIOUS],
    "recall": [SURE, GOOD],
    "accuracy": [NEARLY_ALL, GOOD],
    "c_at_1": [Answers("10 % open", 0.3, 0.1), Answers("4 % open", 0.93, 0.04)],
}
SINGLE_SIZES = (10, 20, 60, 170, 600)


def variants(habit: Habit | Answers) -> list[Habit | Answers]:
    """Return a habit with 4 answers to a question, with 10, and with 4 in clusters of 5."""
    if isinstance(habit, Answers):
        return [habit]
    return [
        habit,
        habit._replace(mistaken=habit.mistaken / 3, answers=10),  # as many mistakes of 9 as of 3
        habit._replace(cluster=5),
    ]


def coverage_of_single(
    measure: Measure,
    habit: Habit | Uneven | Answers,
    size: int,
    campaigns: int,
    *,
    is_sampled: bool = False,
) -> float:
    """Return how often the interval of a run contains the true value, of those that there are."""
    chance = np.random.default_rng([2010, size])
    policy, true = IntervalPolicy(100 * LEVEL), habit.true(measure)
    covered = printed = 0
    for number in range(campaigns):
        run = habit.draw(chance, size)
        if is_sampled:
            samples = replicate([run], [measure], Resampling(1000, number))["run", measure.key]
            if np.ptp(samples) == 0:
                printed += 1  # of no width, which the program does not print
                continue
            low, high = sampled_interval(run, measure, samples, LEVEL).interval
        else:
            low, high = interval_of(run, measure, np.zeros(1), policy).interval
        covered += low <= true <= high
        printed += not np.isnan(low)
    return covered / printed


def of_singles(campaigns: int) -> Iterator[str]:
    """Yield the table of the intervals of single runs; the bootstrap has fewer campaigns."""
    yield "| measure | run | " + " | ".join(f"n = {size}" for size in SINGLE_SIZES) + " |"
    yield "|---|---|" + "---|" * len(SINGLE_SIZES)
    for name, habits in SINGLES.items():
        (measure,) = parse_measures(name)
        for habit in habits:
            called = f"{measure.title} {habit.true(measure):.2f} | {habit.called}"
            figures = [
                " / ".join(
                    f"{coverage_of_single(measure, variant, size, campaigns):.3f}"
                    for variant in variants(habit)
                )
                for size in SINGLE_SIZES
            ]
            yield f"| {called} | {' | '.join(figures)} |"
            few = max(campaigns // 5, 1)
            figures = [
                f"{coverage_of_single(measure, habit, size, few, is_sampled=True):.2f}"
                for size in SINGLE_SIZES[:4]
            ]
            yield f"| {called}, bootstrap | {' | '.join(figures)} | |"


def of_uneven(campaigns: int) -> Iterator[str]:
    """Yield the table of the intervals of single runs on questions of unlike sizes."""
    yield from head(["measure", "run", *(f"n = {size}" for size in SINGLE_SIZES)])
    for measure in parse_measures("f1, precision, recall, accuracy"):
        for habit in UNEVEN:
            called = f"{measure.title} {habit.true(measure):.2f} | {habit.called}"
            yield row(
                called,
                *(coverage_of_single(measure, habit, size, campaigns) for size in SINGLE_SIZES),
            )


def coverage_of_difference(
    chance: np.random.Generator, shares: tuple[float, float], size: int, n: int
) -> float:
    """Return the coverage of the interval of a difference, which inverts the randomisation test."""
    covered = 0
    for number in range(n):
        easy = chance.random(size)  # outcomes of a question are correlated
        first, second = (
            right((0.5 * easy + 0.5 * chance.random(size)) < share, name)
            for name, share in zip("ab", shares, strict=True)
        )
        margin = Randomisation(first, second, QA, Resampling(2000, number)).margin(1 - LEVEL)
        all_questions = np.ones((1, size))
        seen = first.measured(QA, all_questions)[0] - second.measured(QA, all_questions)[0]
        covered += abs(seen - _difference(shares)) <= margin + 1e-9
    return covered / n


def _difference(shares: tuple[float, float]) -> float:
    # the mean of two uniform numbers is below x with this probability
    first, second = (2 * x**2 if x <= 0.5 else 1 - 2 * (1 - x) ** 2 for x in shares)
    return first - second


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
        (comparison,) = pairwise_tests(runs, collection, [QA], Design(resampling=Resampling(100)))
        ranges = {standing.run: standing.ranks or (0, 0) for standing in comparison.standings}
        covered += all(low <= true[run] <= high for run, (low, high) in ranges.items())
        width += float(np.mean([high - low + 1 for low, high in ranges.values()]))
    return covered / campaigns, width / campaigns


def power(chance: np.random.Generator, runs: int, questions: int) -> tuple[float, int]:
    """Return the share of differences found between two halves of the runs, and false ones."""
    abilities = np.where(np.arange(runs) < runs // 2, 0.53, 0.19)
    collection, made = campaign(chance, abilities, questions)
    (comparison,) = pairwise_tests(made, collection, [QA], Design(resampling=Resampling(100)))
    is_best = {f"run{number:03d}": ability > 0.5 for number, ability in enumerate(abilities)}
    apart = [pair for pair in comparison.pairs if is_best[pair.run] != is_best[pair.other]]
    equal = [pair for pair in comparison.pairs if is_best[pair.run] == is_best[pair.other]]
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
    yield from of_singles(campaigns)
    yield ""
    yield from of_uneven(campaigns)
    yield ""
    yield "| difference | " + " | ".join(f"n = {size}" for size in SIZES[:4]) + " |"
    yield "|---|---|---|---|---|"
    for shares in ((0.6, 0.6), (0.7, 0.4)):
        figures = [
            f"{coverage_of_difference(chance, shares, size, campaigns):.3f}" for size in SIZES[:4]
        ]
        yield f"| {QA.title} {_difference(shares):.2f} | {' | '.join(figures)} |"
    yield ""
    yield "| runs | questions | all true ranks covered | mean width |"
    yield "|---|---|---|---|"
    for runs, spread in ((3, 0.05), (10, 0.05), (15, 0.01), (15, 0.4), (40, 0.05)):
        abilities = 0.5 + spread * np.linspace(-0.5, 0.5, runs)
        covered, width = coverage_of_ranks(chance, abilities, 100, max(campaigns // 5, 1))
        ends = f"{abilities[0]:.3f} to {abilities[-1]:.3f}"
        yield f"| {runs} from {ends} | 100 | {covered:.3f} | {width:.1f} |"
    yield ""
    true, false = power(chance, 100, 170)
    yield f"100 runs, 50 of 0.53 and 50 of 0.19, 170 questions: {true:.3f} found, {false} false."


if __name__ == "__main__":
    run(__doc__, 2000, lines)
