"""Differences of measures whose denominators vary over questions but are the same for both runs.

`python -m benchmarks.denominators` makes pairs of runs on questions with unlike numbers of answers,
or on clusters with unlike numbers of questions. Recall, accuracy and QA accuracy over clusters then
are ratios of sums. It prints a table of docs/explanation/simulated-intervals.md:

- how often the interval of a difference contains the true difference;
- how often it does if contributions are centred at their mean, as for questions of one size;
- how often equally good runs are called different at 0.05;
- how often runs that differ by the margin are called equivalent.

Results depend only on the seed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from ave_score.counts import VALIDATION
from ave_score.inference.by_question import ByQuestion, Floats
from ave_score.inference.power import equivalence
from ave_score.inference.resampling import Resampling
from ave_score.inference.student import quantile
from ave_score.inference.studentised import Studentised
from ave_score.inference.two_runs import OneRun, TwoRuns
from ave_score.measures import parse_measures
from benchmarks.simulations import head, row, run

(RECALL,) = parse_measures("recall")
LEVEL, SAMPLES, SIZES = 0.05, 600, (20, 30, 60, 170, 600)

Rights = tuple[Floats, Floats]
Draw = Callable[[np.random.Generator, Floats], Rights]


class Case(NamedTuple):
    """Pairs of runs of a kind.

    Attributes
    ----------
    most
        Questions have 1 to so many answers, all numbers equally often.
    draw
        Returns the right answers of both runs to each question, from its answers.
    true
        The difference on infinitely many questions.
    """

    title: str
    most: int
    draw: Draw
    true: float

    def campaigns(self, questions: int, number: int) -> Iterator[tuple[Floats, Rights]]:
        """Yield the answers of each question, and the right ones of both runs."""
        chance = np.random.default_rng([*self.title.encode(), questions])
        for _ in range(number):
            answers = chance.integers(1, self.most + 1, questions).astype(float)
            yield answers, self.draw(chance, answers)


def some(share: float) -> Callable[[np.random.Generator, Floats], Floats]:
    """Return what makes one answer right, to a share of the questions."""
    return lambda chance, answers: (chance.random(len(answers)) < share).astype(float)


def of_all(share: float, least: float = 0.0) -> Callable[[np.random.Generator, Floats], Floats]:
    """Return what makes a share of all answers right, the same of questions up to a spread."""

    def draw(chance: np.random.Generator, answers: Floats) -> Floats:
        ease = share + least * (chance.random(len(answers)) - 0.5)
        return chance.binomial(answers.astype(int), ease).astype(float)

    return draw


def best(number: int) -> Callable[[np.random.Generator, Floats], Floats]:
    """Return what makes so many answers right, or all if there are fewer, in 90 % of questions."""
    return lambda chance, answers: np.where(
        chance.random(len(answers)) < 0.9, np.minimum(number, answers), 0.0
    )


def but(share: float) -> Callable[[np.random.Generator, Floats], Floats]:
    """Return what makes all answers right, but none of a share of the questions."""
    return lambda chance, answers: np.where(chance.random(len(answers)) < share, 0.0, answers)


def small(_: np.random.Generator, answers: Floats) -> Floats:
    """Return all answers of questions with up to 14 as right, and none of larger ones."""
    return np.where(answers <= 14, answers, 0.0)


def both(
    one: Callable[[np.random.Generator, Floats], Floats],
    other: Callable[[np.random.Generator, Floats], Floats],
) -> Draw:
    """Return what draws two runs."""
    return lambda chance, answers: (one(chance, answers), other(chance, answers))


MEAN = 10.5
"""Answers to a question with 1 to 20."""

CASES = (
    Case("1 to 20, one right in 90 % and 10 % of questions", 20, both(some(0.9), some(0.1)),
         0.8 / MEAN),
    Case("1 to 20, the best three and the best one", 20, both(best(3), best(1)),
         0.9 * (2.85 - 1) / MEAN),
    Case("1 to 32, one more right of each", 32,
         lambda _, answers: (np.floor(answers / 2) + 1, np.floor(answers / 2)), 1 / 16.5),
    Case("1 to 20, 70 % and 50 % of all", 20, both(of_all(0.7, 0.4), of_all(0.5, 0.4)), 0.2),
    Case("1 to 20, all but 5 % of questions and all but 5 % of answers", 20,
         both(but(0.05), of_all(0.95)), 0.0),
    # 105 of 210 answers are those of questions with 1 to 14
    Case("1 to 20, all of small questions and half of all", 20, both(small, of_all(0.5)), 0.0),
)  # fmt: skip


def two_runs(answers: Floats, rights: Rights) -> TwoRuns:
    """Return two runs by recall, from right answers of each question."""
    runs = []
    for name, right in zip("ab", rights, strict=True):
        columns = np.zeros((len(answers), len(VALIDATION.counts.meanings())))
        columns[:, 0], columns[:, 2] = right, answers - right
        runs.append(OneRun(ByQuestion(name, {VALIDATION: columns}), RECALL))
    return TwoRuns(*runs)


def concluded(case: Case, questions: int, number: int) -> dict[str, float]:
    """Return how often intervals contain the true difference, and runs are called equivalent.

    `as of means` has the interval of Student's t without regard to denominators.
    """
    inside = as_of_means = equivalent = 0
    for seed, (answers, rights) in enumerate(case.campaigns(questions, number)):
        test = two_runs(answers, rights).swaps(Resampling(SAMPLES, seed))
        assert isinstance(test, Studentised)
        added = (rights[0] - rights[1]) / answers.mean()
        found = float(added.mean())
        far = abs(found - case.true)
        is_inside = far <= test.margin_of_t(LEVEL)  # no margin of swaps is less
        inside += is_inside or far <= test.margin(LEVEL)
        spread = float(added.std(ddof=1)) / questions**0.5
        as_of_means += far <= quantile(LEVEL, questions - 1) * spread
        if case.true:
            p = equivalence(found, test.deviation, test.free, questions, case.true)
            equivalent += p <= LEVEL
    shares = inside, as_of_means, equivalent
    return dict(
        zip(("interval", "as of means", "equivalent"), np.array(shares) / number, strict=True)
    )


def lines(campaigns: int) -> Iterator[str]:
    """Yield the table in Markdown."""
    yield from head(["recall, by correct answers", "share", *(f"n = {size}" for size in SIZES)])
    for case in CASES:
        shares = [concluded(case, size, campaigns) for size in SIZES]
        for what in shares[0]:
            if what != "equivalent" or case.true:
                yield row(case.title, what, *(share[what] for share in shares))


if __name__ == "__main__":
    run(__doc__, 2000, lines)
