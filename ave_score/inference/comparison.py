"""Runs compared in pairs by a measure: differences, how far to trust them, and what follows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import combinations

import numpy as np

from ave_score.counts import RANKING
from ave_score.counts.joined import join
from ave_score.counts.ranking import count_rankings
from ave_score.errors import UsageError
from ave_score.inference import groups
from ave_score.inference.by_question import ByQuestion, Floats
from ave_score.inference.compared import Comparison, Design, Pair, Standing
from ave_score.inference.corrections import corrected
from ave_score.inference.omnibus import OF_ALL, Omnibus
from ave_score.inference.paired import (
    added_by_question,
    counted_for,
    effect_size,
    question_values,
    score_of,
)
from ave_score.inference.randomisation import Found, Signed, randomisation, signed_counts
from ave_score.inference.ranked import count_for, is_countable
from ave_score.inference.resampling import (
    Replicates,
    percentile,
    replicate,
    whole,
)
from ave_score.inference.significance import OF_DIFFERENCES, bootstrap
from ave_score.measures import Measure
from ave_score.model import Collection, Run
from ave_score.text import did_you_mean, nearest


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
    if measure.family is RANKING:
        return measure(count_rankings(run, collection, ties))
    assert measure.family.of_answers
    return measure(measure.family.of_answers(join(run, collection)))


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
        self.ranked = sorted(values, key=lambda run: (measure.standing(values[run]), run))
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
