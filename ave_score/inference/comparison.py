"""Pairwise comparison of runs by a measure: differences, intervals, tests, and groups."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from typing import NamedTuple

import numpy as np

from ave_score.errors import UsageError
from ave_score.inference import groups
from ave_score.inference.by_question import ByQuestion, Floats
from ave_score.inference.paired import (
    PairResult,
    Score,
    Signed,
    added_by_question,
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
from ave_score.inference.units import Gold, Subject, count_for, exact_counts, sampled_together
from ave_score.inference.weighted import NO_SAMPLER
from ave_score.measures import Measure, NotApplicable
from ave_score.policies import Policies
from ave_score.text import did_you_mean, nearest

DEFAULT_TEST = "randomisation"
"""The test of measures that are computed from sums over questions."""


class Design(NamedTuple):
    """How runs are compared.

    Attributes
    ----------
    test
        A key of `procedures.PROCEDURES`. None selects the default of each measure: randomisation
        or, if the measure is not computed from sums over questions, the bootstrap.
    resampling
        Samples of the bootstrap, which also gives intervals and ranks, and of the randomisation.
    level
        The confidence level of intervals, in 0..1; a difference is significant if its corrected p
        is at most 1 - level.
    correction
        A key of `procedures.CORRECTIONS`; not used by tests that compare all runs at once.
    baseline
        The run that all others are compared with; None compares all pairs.
    policies
        The meaning of judgements, and the ranking of ties.
    """

    test: str | None = None
    resampling: Resampling = Resampling()
    level: float = 0.95
    correction: str = "holm"
    baseline: str | None = None
    policies: Policies = Policies()

    @property
    def procedure(self) -> Procedure:
        """The record of the test."""
        return PROCEDURES[self.test or DEFAULT_TEST]

    def for_measure(self, measure: Measure, counted: Sequence[ByQuestion]) -> Design:
        """Return the design with the test of a measure.

        Raises `UsageError` if a measure is not computed from sums over questions, but the test
        needs them.
        """
        if all(one.adds_up(measure) for one in counted):
            return self._replace(test=self.test or DEFAULT_TEST)
        if self.test not in (None, "bootstrap"):
            raise UsageError(
                f"{measure.key} ranks the answers to all questions together, so {self.test} does "
                "not apply to it; use --test bootstrap"
            )
        return self._replace(test="bootstrap")

    @property
    def alpha(self) -> float:
        """The significance level: the highest p of a significant difference."""
        return round(1 - self.level, 12)

    @property
    def corrected_by(self) -> str:
        """The correction that is applied."""
        return "none" if self.procedure.adjusts else self.correction

    def check(self) -> None:
        """Raise `UsageError` for an unknown test or correction, or an invalid level."""
        for what, name, known in (
            ("test", self.test, PROCEDURES),
            ("correction", self.correction, CORRECTIONS),
        ):
            if name is not None and name not in known:
                raise UsageError(f"no {what} {name!r}; there are {', '.join(known)}")
        if not 0 < self.level < 1:
            raise UsageError(f"the level must be between 0 and 1, not {self.level}")


class Pair(NamedTuple):
    """Two runs, the better one first; a baseline is always the second.

    Attributes
    ----------
    difference
        The measure of `run` minus that of `other`, exact; None if either is undefined.
    interval
        The percentile bootstrap interval of the difference.
    p, adjusted
        The p value, and p corrected for all pairs of this measure; NaN without a difference.
    is_significant
        Whether the corrected p is at most `Design.alpha`.
    is_exact
        Whether the test is exact, without random numbers.
    score
        Questions that `run` wins, that neither wins, that `other` wins; None if the measure is not
        computed from sums over questions.
    effect
        Cohen's d_z; None if the measure is not a mean of values per question.
    """

    run: str
    other: str
    difference: Fraction | None
    interval: Interval
    p: float
    adjusted: float
    is_significant: bool
    is_exact: bool
    score: Score | None
    effect: float | None


class Standing(NamedTuple):
    """A run: its value, the interval, the lowest and highest rank, the letters of its groups."""

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
        Their number.
    standings
        The runs, the best first.
    pairs
        In the order of the runs.
    groups
        Names of runs without significant differences between them; empty with a baseline. Runs with
        an undefined value are in no group.
    omnibus
        The result of a test of all runs at once; None for other tests.
    unit
        What was sampled, in the singular (`ByQuestion.unit`).
    """

    measure: Measure
    design: Design
    questions: int
    standings: Sequence[Standing]
    pairs: Sequence[Pair]
    groups: Sequence[Sequence[str]]
    omnibus: Omnibus | None = None
    unit: str = "question"


def compare(
    subjects: Sequence[Subject],
    gold: Gold,
    measures: Sequence[Measure],
    design: Design = Design(),  # noqa: B008 - it cannot be changed
) -> list[Comparison]:
    """Compare runs, QA systems or responses by each of the measures.

    Samples are the same for all runs and measures; names and order of runs change no result.

    Parameters
    ----------
    subjects
        Runs and QA systems, or responses.
    gold
        Their collection, UNKNOWN labels resolved, or answer sets.

    Raises
    ------
    UsageError
        Fewer than two runs, duplicate names, an unknown baseline, measures that the test does not
        apply to, or that cannot be computed on samples.
    """
    design.check()
    _check_names([one.name for one in subjects], design.baseline)
    ordered = sorted(subjects, key=lambda one: one.name)
    values = _values(ordered, gold, measures, design.policies)
    found: dict[str, Comparison] = {}
    for some in sampled_together(ordered[0], measures):
        counted = [count_for(one, gold, some, design.policies) for one in ordered]
        _check_measures(counted, some)
        designs = {one.key: design.for_measure(one, counted) for one in some}
        replicates = replicate(counted, some, design.resampling)
        swapped = [one for one in some if designs[one.key].test == "randomisation"]
        signed = signed_counts(counted, swapped, design.resampling)
        for one in some:
            compared = _Compared(counted, one, designs[one.key], values[one.key], replicates)
            found[one.key] = compared.comparison(signed)._replace(unit=counted[0].unit)
    return [found[measure.key] for measure in measures]


def _values(
    subjects: Sequence[Subject], gold: Gold, measures: Sequence[Measure], policies: Policies
) -> dict[str, dict[str, Fraction | None]]:
    """Return the exact value of each measure for each subject.

    Raises `UsageError` if a measure does not apply to one of them.
    """
    found: dict[str, dict[str, Fraction | None]] = {measure.key: {} for measure in measures}
    for subject in subjects:
        exact = exact_counts(subject, gold, measures, policies)
        for measure in measures:
            try:
                if measure.family not in exact.counts:
                    raise NotApplicable(exact.absent.get(measure.family, "it does not apply"))
                found[measure.key][subject.name] = measure(exact.counts[measure.family])
            except NotApplicable as reason:
                raise UsageError(f"no {measure.key} of {subject.name}: {reason}") from None
    return found


def _check_names(names: Sequence[str], baseline: str | None) -> None:
    if len(names) < 2:
        raise UsageError("a comparison needs at least two runs")
    if len(set(names)) < len(names):
        raise UsageError("two runs have the same name")
    if baseline is not None and baseline not in names:
        hint = did_you_mean(nearest(baseline, names)) or f"; there are {', '.join(names)}"
        raise UsageError(f"there is no run {baseline!r} to use as the baseline{hint}")


def _check_measures(counted: Sequence[ByQuestion], measures: Sequence[Measure]) -> None:
    for measure in measures:
        for one in counted:
            if not one.has(measure):
                reason = one.reasons.get(measure.key, NO_SAMPLER)
                raise UsageError(f"{measure.key} of {one.run} cannot be compared: {reason}")


class _Compared:
    """The comparison of runs by one measure, while it is computed."""

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
        self.questions = counted[0].questions
        try:
            each = question_values([self.counted[run] for run in self.ranked], measure)
        except UsageError:
            if design.procedure.of_values:
                raise
            self.each: dict[str, Floats] | None = None
        else:
            self.each = dict(zip(self.ranked, each, strict=True))
        if design.test == "mcnemar" and not np.isin(each, (0, 1)).all():
            raise UsageError(f"mcnemar: {measure.key} of single questions is not always 0 or 1")

    def comparison(self, signed: Signed) -> Comparison:
        """Return the result."""
        design, omnibus = self.design, None
        pairs = self._pairs()
        if design.procedure.name in OF_ALL:
            assert self.each is not None
            omnibus = OF_ALL[design.procedure.name](
                np.array([self.each[run] for run in self.ranked])
            )
        raw = self._raw(pairs, signed, omnibus)
        adjusted = corrected(np.array([one.p for one in raw]), design.corrected_by)
        made = [
            self._pair(*pair, result, p)
            for pair, result, p in zip(pairs, raw, adjusted, strict=True)
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
    ) -> list[PairResult]:
        """Return the uncorrected result of the test for each pair."""
        if omnibus is not None:
            index = {run: number for number, run in enumerate(self.ranked)}
            return [PairResult(float(omnibus.pairs[index[a], index[b]])) for a, b in pairs]
        if self.design.test == "bootstrap":
            return [
                PairResult(bootstrap(self._sampled(a, b), self._observed(a, b))) for a, b in pairs
            ]
        if self.design.test == "randomisation":
            count = self.counted
            return [randomisation(count[a], count[b], self.measure, signed) for a, b in pairs]
        assert self.each is not None
        test = OF_DIFFERENCES[self.design.procedure.name]
        exact = self.design.test in ("sign", "mcnemar")
        return [PairResult(test(self.each[a] - self.each[b]), exact) for a, b in pairs]

    def _observed(self, one: str, other: str) -> float:
        return whole(self.counted[one], self.measure) - whole(self.counted[other], self.measure)

    def _sampled(self, one: str, other: str) -> Floats:
        return self.samples[one] - self.samples[other]

    def _pair(self, run: str, other: str, result: PairResult, adjusted: float) -> Pair:
        one, two = self.values[run], self.values[other]
        added = added_by_question(self.counted[run], self.counted[other], self.measure)
        return Pair(
            run,
            other,
            None if one is None or two is None else one - two,
            percentile(self._sampled(run, other), self.design.level),
            result.p,
            float(adjusted),
            bool(adjusted <= self.design.alpha),
            result.exact,
            score_of(added, self.measure),
            None if self.each is None else effect_size(self.each[run] - self.each[other]),
        )

    def _groups(self, pairs: Sequence[Pair]) -> list[tuple[int, ...]]:
        index = {run: number for number, run in enumerate(self.ranked)}
        different = {(index[pair.run], index[pair.other]) for pair in pairs if pair.is_significant}
        defined = sum(value is not None for value in self.values.values())  # undefined are last
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
