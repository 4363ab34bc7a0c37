"""Campaigns of runs that are equally good and accept different amounts, and their tests.

`benchmarks.ratios` counts what the tests conclude.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import NormalDist
from typing import NamedTuple

import numpy as np

from ave_score.counts import VALIDATION
from ave_score.inference.by_question import ByQuestion, Floats, evaluate
from ave_score.inference.randomisation import SwapTest
from ave_score.inference.resampling import Resampling
from ave_score.inference.significance import OF_DIFFERENCES
from ave_score.inference.studentised import Studentised
from ave_score.inference.two_runs import OneRun, TwoRuns
from ave_score.measures import Measure

SAMPLES = 600
"""Of the swap tests, which need few for a p of any size."""

AT_ONCE = 4_000_000
"""Answers in the campaigns that are made together."""


class Kind(NamedTuple):
    """How a run decides.

    Attributes
    ----------
    right
        The chance that a correct answer is accepted; of c@1, that a question is answered rightly.
    wrong
        The chance that another answer is accepted; of c@1, that a question is answered wrongly.
    """

    right: float
    wrong: float


class Case(NamedTuple):
    """Campaigns of a kind.

    Attributes
    ----------
    answers
        To each question, of which one is correct.
    alike
        The share of chance, as a part of the variance, that a question has in common for all its
        answers and runs, and that an answer has in common for all runs.
    is_uneven
        Whether questions have 1 to 32 answers, 4 on average, and not all the same number.
    cluster
        The number of questions that are sampled together.
    of_cluster
        The share of chance that all questions of a cluster have in common.
    """

    title: str
    measure: Measure
    kinds: Sequence[Kind]
    answers: int = 4
    alike: tuple[float, float] = (0.0, 0.0)
    is_uneven: bool = False
    cluster: int = 1
    of_cluster: float = 0.0

    @property
    def most_answers(self) -> int:
        """The largest number of answers to a question."""
        return self.answers * (8 if self.is_uneven else 1)

    @property
    def true(self) -> float:
        """The difference of the first two runs on infinitely many questions."""
        return self.value(self.kinds[0]) - self.value(self.kinds[1])

    def value(self, kind: Kind) -> float:
        """Return the measure of a run on infinitely many questions."""
        others = self.answers - 1 if self.measure.family == VALIDATION else 1
        counts = self.counts(np.array(kind.right), np.array(kind.wrong * others), others)
        return float(evaluate(self.measure, counts[:, None])[0])

    def matched(self, *chances: tuple[float, float]) -> Case:
        """Return the case with runs of these chances to be right and values of the measure."""
        return self._replace(kinds=[self._matched(*pair) for pair in chances])

    def _matched(self, right: float, value: float) -> Kind:
        low, high = 0.0, 1.0 if self.measure.family == VALIDATION else 1 - right
        for _ in range(60):
            middle = (low + high) / 2
            is_better = self.value(Kind(right, middle)) > value
            low, high = (middle, high) if is_better else (low, middle)
        return Kind(right, high)

    def counts(self, right: Floats, wrong: Floats, others: Floats | float) -> Floats:
        """Return counts of questions from what is accepted, or answered, on each."""
        fields = [right, wrong, 1 - right, others - wrong]
        if self.measure.family != VALIDATION:
            fields = [right, wrong, 1 - right - wrong]
        counts = np.zeros((*right.shape, len(self.measure.family.counts.meanings())))
        counts[..., : len(fields)] = np.stack(fields, axis=-1)
        return counts

    def drawn(self, chance: np.random.Generator, questions: int, campaigns: int) -> Floats:
        """Return counts of random campaigns: by campaign, run, unit and field."""
        size = self.most_answers
        shape = (campaigns, 1, questions // self.cluster, self.cluster, size)
        shared = np.zeros((campaigns, 1, 1, 1, 1), dtype=np.float32)
        for share, axes in ((self.of_cluster, 3), (self.alike[0], 4), (self.alike[1], 5)):
            if share:
                part = chance.standard_normal((*shape[:axes], *[1] * (5 - axes)), dtype=np.float32)
                shared = shared + np.float32(share**0.5) * part
        own = np.float32((1 - sum(self.alike) - self.of_cluster) ** 0.5)
        others = np.full(shape[:-1], self.answers - 1.0)
        if self.is_uneven:
            others = np.minimum(chance.geometric(1 / self.answers, shape[:-1]), size) - 1.0
        is_there = np.arange(size - 1) < others[..., None]
        runs = []
        for kind in self.kinds:
            noise = shared + own * chance.standard_normal(shape, dtype=np.float32)
            right = noise[..., 0] < _border(kind.right)
            if self.measure.family == VALIDATION:
                wrong = ((noise[..., 1:] < _border(kind.wrong)) & is_there).sum(axis=-1)
            else:
                wrong = (noise[..., 0] < _border(kind.right + kind.wrong)) & ~right
            counts = self.counts(right.astype(float), wrong.astype(float), others)
            runs.append(counts.sum(axis=3)[:, 0])
        return np.stack(runs, axis=1)

    def blocks(self, questions: int, campaigns: int) -> Iterator[Floats]:
        """Yield `drawn` campaigns, as many at once as memory allows; the case is their seed."""
        chance = np.random.default_rng([*self.title.encode(), questions])
        most = max(1, AT_ONCE // (questions * self.most_answers * len(self.kinds)))
        for start in range(0, campaigns, most):
            yield self.drawn(chance, questions, min(most, campaigns - start))

    def pair(self, counts: Floats, seed: int) -> Tested:
        """Return the tests of two runs, from their counts by run, unit and field."""
        first, second = (
            ByQuestion(name, {self.measure.family: rows})
            for name, rows in zip("ab", counts, strict=True)
        )
        two = TwoRuns(OneRun(first, self.measure), OneRun(second, self.measure))
        return Tested(two, Resampling(SAMPLES, seed))

    def values(self, counts: Floats) -> Floats:
        """Return the measure of each run of campaigns."""
        totals = counts.sum(axis=2)
        rows = totals.reshape(-1, totals.shape[-1])
        return evaluate(self.measure, rows.T).reshape(totals.shape[:-1])

    def statistics(self, counts: Floats, true: float = 0.0) -> Floats:
        """Return the difference of all pairs of runs from the true one, by its standard error.

        Each run has its own variance, so that no statistic of the tests is larger. The first axis
        is that of campaigns, the others are those of runs.
        """
        totals, units, values = counts.sum(axis=2), counts.shape[2], self.values(counts)
        rows = totals.reshape(-1, totals.shape[-1])
        run = ByQuestion("run", {self.measure.family: rows})
        slopes = run.slopes(self.measure, rows).reshape(totals.shape)
        added = np.einsum("crnf,crf->crn", counts, slopes)
        added -= added.mean(axis=2, keepdims=True)
        products = added @ added.swapaxes(1, 2)
        own = np.diagonal(products, axis1=1, axis2=2)
        variances = (own[:, :, None] + own[:, None] - 2 * products) * units / (units - 1)
        errors = np.sqrt(np.maximum(variances, 1e-24))
        return np.asarray(np.abs(values[:, :, None] - values[:, None] - true) / errors)


def _border(share: float) -> float:
    return float("inf") if share > 1 - 1e-12 else NormalDist().inv_cdf(max(share, 1e-300))


class Tested(NamedTuple):
    """Two runs, and their tests as `compare` chooses them."""

    two: TwoRuns
    resampling: Resampling

    def swaps(self) -> SwapTest:
        """Return the swap test, which depends on whether the difference is one of means."""
        return self.two.swaps(self.resampling)

    def p(self, test: str, level: float = 1.0) -> float:
        """Return p of a test; if it is above the level, possibly a lower bound of it."""
        made = self.swaps()
        if isinstance(made, Studentised):
            if test == "t" or not made.p_of_t <= level:
                return made.p_of_t
        elif test == "t":
            return OF_DIFFERENCES["t"](self.two.differences())
        return made.test().p

    @property
    def is_of_means(self) -> bool:
        """Whether the difference is one of means, whose p is not bounded by that of t."""
        return not self.two.is_ratio
