"""Runs compared in pairs by a measure: differences, how far to trust them, and what follows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from typing import NamedTuple

import numpy as np

from ave_score.counts.joined import join
from ave_score.errors import UsageError
from ave_score.inference import groups
from ave_score.inference.by_question import ByQuestion, Floats, count_for, is_countable
from ave_score.inference.paired import (
    Found,
    Score,
    Signed,
    added_by_question,
    counted_for,
    effect_size,
    question_values,
    randomisation,
    score_of,
    signed_counts,
)
from ave_score.inference.procedures import CORRECTIONS, PROCEDURES, Procedure
from ave_score.inference.resampling import (
    Interval,
    Replicates,
    Resampling,
    percentile,
    replicate,
    whole,
)
from ave_score.inference.significance import (
    OF_ALL,
    OF_DIFFERENCES,
    Omnibus,
    bootstrap,
    corrected,
)
from ave_score.measures import Measure
from ave_score.model import Collection, Run
from ave_score.policies import Policies
from ave_score.text import did_you_mean, nearest


class Design(NamedTuple):
    """How runs are compared.

    Attributes
    ----------
    test
        A key of `procedures.PROCEDURES`.
    resampling
        Samples of the bootstrap, which also gives intervals and ranks, and of the randomisation.
    level
        The share of intervals that are to hold the true value, in 0..1; a difference is significant
        where p, corrected, is at most what is left of 1.
    correction
        A key of `procedures.CORRECTIONS`; nothing is corrected of a test that compares all runs at
        once.
    baseline
        The run that all others are compared with; None: all pairs are.
    ties
        How answers of a question that share a confidence are ranked: `file` or `average`.
    """

    test: str = "randomisation"
    resampling: Resampling = Resampling()
    level: float = 0.95
    correction: str = "holm"
    baseline: str | None = None
    ties: str = "file"

    @property
    def procedure(self) -> Procedure:
        """The record of the test."""
        return PROCEDURES[self.test]

    @property
    def alpha(self) -> float:
        """Up to which p a difference is significant."""
        return round(1 - self.level, 12)

    @property
    def corrected_by(self) -> str:
        """The correction that is made."""
        return "none" if self.procedure.adjusts else self.correction

    def check(self) -> None:
        """Raise `UsageError` for what does not exist."""
        for what, name, known in (
            ("test", self.test, PROCEDURES),
            ("correction", self.correction, CORRECTIONS),
        ):
            if name not in known:
                raise UsageError(f"no {what} {name!r}; there are {', '.join(known)}")
        Policies.ties.check(self.ties)
        if not 0 < self.level < 1:
            raise UsageError(f"a level is a share between 0 and 1, not {self.level}")


class Pair(NamedTuple):
    """Two runs, the better one first; where there is a baseline it is the second.

    Attributes
    ----------
    difference
        The measure of `run` less that of `other`, exact; None where either is undefined.
    interval
        In which it lies, by the bootstrap: percentiles of the same samples of questions.
    p, adjusted
        As the test gives it, and corrected for all pairs of this measure; NaN without a difference.
    is_significant
        Whether the difference is taken for more than chance.
    is_exact
        Whether all that chance could do was gone through, with no random numbers.
    score
        Questions that `run` wins, that neither wins, that `other` wins.
    effect
        Cohen's d_z; None where the measure is no mean of values of questions.
    """

    run: str
    other: str
    difference: Fraction | None
    interval: Interval
    p: float
    adjusted: float
    is_significant: bool
    is_exact: bool
    score: Score
    effect: float | None


class Standing(NamedTuple):
    """A run: its measure, the interval of it, between which ranks it is, letters of its groups."""

    run: str
    value: Fraction | None
    interval: Interval
    ranks: tuple[int, int]
    letters: str


class Comparison(NamedTuple):
    """Runs compared by one measure.

    Attributes
    ----------
    questions
        How many there are.
    standings
        The runs, the best first.
    pairs
        In the order of the runs.
    groups
        Names of runs in which none differs significantly from another; none with a baseline. Runs
        that the measure is undefined for are in none.
    omnibus
        What a test of all runs at once finds; None of other tests.
    """

    measure: Measure
    design: Design
    questions: int
    standings: Sequence[Standing]
    pairs: Sequence[Pair]
    groups: Sequence[Sequence[str]]
    omnibus: Omnibus | None = None


def compare(
    runs: Sequence[Run],
    collection: Collection,
    measures: Sequence[Measure],
    design: Design = Design(),  # noqa: B008 - it cannot be changed
) -> list[Comparison]:
    """Compare runs by each of some measures.

    One sampling serves all runs and measures. Neither names nor order of runs change a figure.

    Raises `UsageError` for fewer than two runs, two of one name, a baseline that is none of them,
    and measures that the test does not apply to, or that no samples of questions can be drawn for.
    """
    design.check()
    _check_names([run.name for run in runs], design.baseline)
    _check_measures(measures)
    ordered = sorted(runs, key=lambda run: run.name)
    counted = [count_for(run, collection, measures, design.ties) for run in ordered]
    replicates = replicate(counted, measures, design.resampling)
    signed: Signed = {}
    if design.test == "randomisation":
        signed = signed_counts(counted, measures, design.resampling)
    found = []
    for measure in measures:
        values = {run.name: _value(run, collection, measure, design.ties) for run in ordered}
        found.append(_Compared(counted, measure, design, values, replicates).comparison(signed))
    return found


def _value(run: Run, collection: Collection, measure: Measure, ties: str) -> Fraction | None:
    """Return the exact measure of a run."""
    family = measure.family
    if family.of_answers:
        return measure(family.of_answers(join(run, collection)))
    assert family.of_run
    return measure(family.of_run(run, collection, ties))


def _check_names(names: Sequence[str], baseline: str | None) -> None:
    if len(names) < 2:
        raise UsageError("two runs or more are compared")
    if len(set(names)) < len(names):
        raise UsageError("two runs have the same name")
    if baseline is not None and baseline not in names:
        hint = did_you_mean(nearest(baseline, names)) or f"; there are {', '.join(names)}"
        raise UsageError(f"no run {baseline!r} to be the baseline{hint}")


def _check_measures(measures: Sequence[Measure]) -> None:
    refused = [one.key for one in measures if not is_countable(one)]
    if refused:
        raise UsageError(f"no samples of questions can be drawn for {', '.join(refused)}")


class _Compared:
    """Runs compared by one measure, while that is done."""

    def __init__(
        self,
        counted: Sequence[ByQuestion],
        measure: Measure,
        design: Design,
        values: Mapping[str, Fraction | None],
        replicates: Replicates,
    ) -> None:
        self.measure, self.design, self.values = measure, design, values
        self.counted = {one.run: one for one in counted}
        self.ranked = sorted(values, key=lambda run: (measure.sort_key(values[run]), run))
        self.samples = {run: replicates[run, measure.key] for run in values}
        self.questions = len(counted_for(counted[0], measure))
        try:
            each = question_values([self.counted[run] for run in self.ranked], measure)
        except UsageError:
            if design.procedure.of_values:
                raise
            self.each: dict[str, Floats] | None = None
        else:
            self.each = dict(zip(self.ranked, each, strict=True))
        if design.test == "mcnemar" and not np.isin(each, (0, 1)).all():
            raise UsageError(f"mcnemar: {measure.key} of a question is not only 0 or 1")

    def comparison(self, signed: Signed) -> Comparison:
        """Return everything that is found."""
        design, omnibus = self.design, None
        pairs = self._pairs()
        if design.test in OF_ALL:
            assert self.each is not None
            omnibus = OF_ALL[design.test](np.array([self.each[run] for run in self.ranked]))
        raw = self._raw(pairs, signed, omnibus)
        adjusted = corrected(np.array([one.p for one in raw]), design.corrected_by)
        made = [
            self._pair(*pair, found, p) for pair, found, p in zip(pairs, raw, adjusted, strict=True)
        ]
        grouped = self._groups(made) if design.baseline is None else []
        names = [[self.ranked[number] for number in group] for group in grouped]
        return Comparison(
            self.measure, design, self.questions, self._standings(grouped), made, names, omnibus
        )

    def _pairs(self) -> list[tuple[str, str]]:
        baseline = self.design.baseline
        if baseline is None:
            return list(combinations(self.ranked, 2))
        return [(run, baseline) for run in self.ranked if run != baseline]

    def _raw(
        self, pairs: Sequence[tuple[str, str]], signed: Signed, omnibus: Omnibus | None
    ) -> list[Found]:
        """Return what the test finds of each pair."""
        if omnibus is not None:
            place = {run: number for number, run in enumerate(self.ranked)}
            return [Found(float(omnibus.pairs[place[a], place[b]])) for a, b in pairs]
        if self.design.test == "bootstrap":
            return [Found(bootstrap(self._sampled(a, b), self._seen(a, b))) for a, b in pairs]
        if self.design.test == "randomisation":
            count = self.counted
            return [randomisation(count[a], count[b], self.measure, signed) for a, b in pairs]
        assert self.each is not None
        test = OF_DIFFERENCES[self.design.test]
        exact = self.design.test in ("sign", "mcnemar")
        return [Found(test(self.each[a] - self.each[b]), exact) for a, b in pairs]

    def _seen(self, one: str, other: str) -> float:
        return whole(self.counted[one], self.measure) - whole(self.counted[other], self.measure)

    def _sampled(self, one: str, other: str) -> Floats:
        return self.samples[one] - self.samples[other]

    def _pair(self, run: str, other: str, found: Found, adjusted: float) -> Pair:
        one, two = self.values[run], self.values[other]
        added = added_by_question(self.counted[run], self.counted[other], self.measure)
        return Pair(
            run,
            other,
            None if one is None or two is None else one - two,
            percentile(self._sampled(run, other), self.design.level),
            found.p,
            float(adjusted),
            bool(adjusted <= self.design.alpha),
            found.exact,
            score_of(added, self.measure),
            None if self.each is None else effect_size(self.each[run] - self.each[other]),
        )

    def _groups(self, pairs: Sequence[Pair]) -> list[tuple[int, ...]]:
        place = {run: number for number, run in enumerate(self.ranked)}
        different = {(place[one.run], place[one.other]) for one in pairs if one.is_significant}
        defined = sum(value is not None for value in self.values.values())  # these are first
        return groups.groups(defined, different) if defined else []

    def _standings(self, grouped: Sequence[Sequence[int]]) -> list[Standing]:
        level = self.design.level
        samples = np.array([self.samples[run] for run in self.ranked])
        better = self.measure.higher_is_better
        ranges = groups.rank_ranges(samples, level, higher_is_better=better)
        letters = groups.letters(len(self.ranked), grouped)
        return [
            Standing(run, self.values[run], percentile(sample, level), ranks, letter)
            for run, sample, ranks, letter in zip(
                self.ranked, samples, ranges, letters, strict=True
            )
        ]
