"""The comparison of runs by one measure, while it is computed."""

from __future__ import annotations

from collections.abc import Collection as Some
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import combinations

import numpy as np

from ave_score.core.errors import UsageError
from ave_score.core.policies import IntervalPolicy
from ave_score.core.processes import Workers
from ave_score.inference import groups
from ave_score.inference.by_question import TOLERANCE, ByQuestion, Floats, rounded
from ave_score.inference.compare_records import CROSSED, Comparison, Design, Pair, Standing
from ave_score.inference.crossed import Crossed, combined, crossed, over_questions
from ave_score.inference.intervals import Estimate, interval_of
from ave_score.inference.paired import NO_MEAN, Score, question_values, score_interval
from ave_score.inference.randomisation import PairResult, SwapTest
from ave_score.inference.resampling import Interval, Replicates
from ave_score.inference.samples import Watch
from ave_score.inference.shares import rule_of_three
from ave_score.inference.significance import (
    OF_ALL,
    OF_DIFFERENCES,
    Omnibus,
    balance,
    bootstrap,
    bootstrap_margin,
    corrected,
    cutoff,
    t_margin,
)
from ave_score.inference.stderr import epochs_variance
from ave_score.inference.studentised import Studentised
from ave_score.inference.two_runs import OneRun, TwoRuns
from ave_score.measures import Measure
from ave_score.measures.values import MeasureValues

MANY_PAIRS = 200
"""With more pairs, pairs that are clearly decided take only `FIRST_SAMPLES`."""

FIRST_SAMPLES = 1000
"""Samples that decide most of many pairs."""

DECIDED = 5
"""Standard errors between p and the level at which a pair is decided."""

MOST_GROUPS = 1 << 17
"""Groups of questions of all swap tests that are kept in memory; of more tests, only the last."""


class ComparedBy:
    """The comparison of runs by one measure, while it is computed."""

    def __init__(
        self,
        counted: Sequence[ByQuestion],
        measure: Measure,
        design: Design,
        exact: Mapping[str, MeasureValues],
        replicates: Replicates,
        closed: Mapping[tuple[str, str], Estimate],
    ) -> None:
        self.measure, self.design, self.exact = measure, design, exact
        self.values = values = {run: item.values[measure.key] for run, item in exact.items()}
        self.counted = {run.run: run for run in counted}
        self.ranked = sorted(values, key=lambda run: (measure.sort_key(values[run]), run))
        keys = {run: (run, measure.key) for run in values}
        self.closed = {run: closed[key] for run, key in keys.items() if key in closed}
        self.samples = {run: replicates[key] for run, key in keys.items() if key in replicates}
        self.questions = counted[0].questions
        self._runs = {run.run: OneRun(run, measure) for run in counted}
        self._twos: dict[tuple[str, str], TwoRuns] = {}
        self.omnibus: Omnibus | None = None
        if design.procedure.of_values:
            by_question = question_values([self.counted[run] for run in self.ranked], measure)
            if design.test == "mcnemar" and not np.isin(by_question, (0, 1)).all():
                one = "; --epochs first takes one replicate" * any(run.epochs for run in counted)
                raise UsageError(
                    f"mcnemar: {measure.key} of single questions is not always 0 or 1{one}"
                )
            if design.test in OF_ALL:
                self.omnibus = OF_ALL[design.test](by_question)
        self.pairs = self._pairs()
        if design.procedure.of_values:
            self._refuse_ratios()
        self._made: dict[tuple[str, str], SwapTest] = {}
        self._groups_kept, self._last = 0, ("", "")

    def _refuse_ratios(self) -> None:
        """Raise `UsageError` for a pair of ratios, whose value only seems to be a mean."""
        for run, other in self.pairs:
            if self._two(run, other).is_ratio:
                raise UsageError(f"{self.measure.key} of {run} and {other} {NO_MEAN}")

    def _pairs(self) -> list[tuple[str, str]]:
        against = self.design.against
        if against is None:
            return list(combinations(self.ranked, 2))
        return [(run, against) for run in self.ranked if run != against]

    # --- p of all pairs

    def results(self, workers: Workers, watch: Watch) -> list[PairResult]:
        """Return the uncorrected result of the test for each pair.

        If there are many pairs, a few samples decide most of them, and only the others take all.
        """
        samples = self.design.resampling.resamples
        first = samples if len(self.pairs) <= MANY_PAIRS else min(samples, FIRST_SAMPLES)
        numbers, key = range(len(self.pairs)), self.measure.key
        tested = workers.map(ComparedBy.result, [(key, *pair, first) for pair in self.pairs])
        with watch(numbers) as watched:
            results = [next(tested) for _ in watched]
        if first < samples:
            p = np.array([result.p for result in results])
            adjusted = corrected(p, self.design.corrected_by)
            distances = np.abs(np.log(adjusted / self.design.alpha))
            errors = [DECIDED * result.error for result in results]
            open_ones = [number for number in numbers if distances[number] < errors[number]]
            again = [(key, *self.pairs[number], samples) for number in open_ones]
            tested = workers.map(ComparedBy.result, again)
            for number, result in zip(open_ones, tested, strict=True):
                results[number] = result
        return results

    def result(self, run: str, other: str, samples: int) -> PairResult:
        """Return the uncorrected result of the test for a pair."""
        test = self.design.procedure.name
        if self.omnibus is not None:
            index = self.ranked.index
            return PairResult(float(self.omnibus.pairs[index(run), index(other)]))
        if test == CROSSED:
            is_defined = None not in (self.values[run], self.values[other])
            observed = self._two(run, other).observed
            return PairResult(self._crossed(run, other).p(observed) if is_defined else np.nan)
        if test == "bootstrap":
            observed = self._two(run, other).observed
            p = bootstrap(self._sampled(run, other), observed)
            return PairResult(p if np.isnan(p) else max(p, self._least_p()))
        if self.design.procedure.swaps:
            return self._swap_test(run, other).test(samples)
        if isinstance(made := self._t_of_ratio(run, other), Studentised):
            return PairResult(made.p_of_t)
        p = OF_DIFFERENCES[test](self._two(run, other).differences())
        return PairResult(p, is_exact=test in ("sign", "mcnemar"))

    def _two(self, run: str, other: str) -> TwoRuns:
        """Return both runs, and what is decided for them alone."""
        made = self._twos.get((run, other))
        if made is None:
            made = self._twos[run, other] = TwoRuns(self._runs[run], self._runs[other])
        return made

    def _swap_test(self, run: str, other: str) -> SwapTest:
        """Return the test of a pair: of a difference of means, or of ratios."""
        key = run, other
        made = self._made.get(key)
        if made is None:
            made = self._two(run, other).swaps(self.design.resampling)
            self._made.pop(self._last, None)
            self._made[key] = made
            if self._groups_kept + made.size > MOST_GROUPS:
                self._last = key
            else:
                self._groups_kept += made.size
        return made

    def _t_of_ratio(self, run: str, other: str) -> SwapTest | None:
        """Return what has the t statistic of a ratio, if this is asked for."""
        is_asked = self.design.test == "t" and self._two(run, other).is_ratio
        return self._swap_test(run, other) if is_asked else None

    def _crossed(self, run: str, other: str) -> Crossed:
        return crossed(self.measure, self.counted[run], self.counted[other])

    def _spread(self, run: str, other: str) -> Crossed | None:
        """Return the standard error of a pair by the jackknife, if no other one is known."""
        if self.design.test == CROSSED:
            return self._crossed(run, other)
        if self._two(run, other).adds_up:
            return None
        pair = self.counted[run], self.counted[other]
        return combined([over_questions(self.measure, *pair)])

    def _sampled(self, run: str, other: str) -> Floats:
        return self.samples[run] - self.samples[other]

    # --- conclusions from p

    def comparison(
        self, results: Sequence[PairResult], workers: Workers, watch: Watch
    ) -> Comparison:
        """Return the comparison, from the results of all pairs and their corrected p."""
        design, p = self.design, np.array([result.p for result in results])
        adjusted = corrected(p, design.corrected_by)
        level = cutoff(p, design.corrected_by, design.alpha)
        facts = zip(self.pairs, results, adjusted.tolist(), strict=True)
        calls = [(self.measure.key, *pair, *figures, level) for pair, *figures in facts]
        concluded = workers.map(ComparedBy.pair, calls)
        with watch(range(len(self.pairs))) as watched:
            made = [next(concluded) for _ in watched]
        worse = {(pair.run, pair.other) for pair in made if pair.is_significant}
        if design.against is not None:  # the better run is not always the first
            worse = {pair if self._is_ordered(*pair) else pair[::-1] for pair in worse}
        grouped = self._groups(worse) if design.against is None else []
        names = [[self.ranked[number] for number in group] for group in grouped]
        return Comparison(
            self.measure,
            design,
            self.questions,
            self._standings(worse, grouped),
            made,
            names,
            level,
            self._least_p(),
            self.omnibus,
            self.counted[self.ranked[0]].unit,
            other_ties={
                run: item.other_ties[self.measure.key]
                for run, item in self.exact.items()
                if self.measure.key in item.other_ties
            },
            ratios=sum(self._two(*pair).is_ratio for pair in self.pairs),
        )

    def _least_p(self) -> float:
        """Return the smallest p that the test could give with these samples or questions.

        Samples of few questions are alike whatever is true of others: the bootstrap concludes no
        more of them than exchanging both runs on each question would.
        """
        by_questions = float(2.0 ** max(1 - self.questions, -1000))
        if self.design.test == "bootstrap":
            return max(1 / (self.design.resampling.resamples + 1), by_questions)
        if self.design.procedure.swaps or self.design.test in ("sign", "mcnemar"):
            return by_questions
        return 0.0

    def _is_ordered(self, run: str, other: str) -> bool:
        return self.ranked.index(run) < self.ranked.index(other)

    def pair(self, run: str, other: str, result: PairResult, adjusted: float, level: float) -> Pair:
        """Return what is concluded of a pair."""
        value, other_value, procedure = self.values[run], self.values[other], self.design.procedure
        difference = None if value is None or other_value is None else value - other_value
        two = self._two(run, other)
        swaps = self._swap_test(run, other) if two.adds_up else None
        is_significant = adjusted <= self.design.alpha and self._agrees(run, other, difference or 0)
        margin, method = self._margin(run, other, level), ""
        deviation, free = (np.nan, np.nan) if swaps is None else (swaps.deviation, swaps.free)
        spread = self._spread(run, other)
        if spread is not None and spread.runs:
            deviation = spread.error * self.questions**0.5 if spread.is_known else np.nan
            free = spread.free
        interval = self._interval(difference, is_significant, margin)
        by_swaps = procedure.swaps or self.design.test == "mcnemar"
        if difference is not None and (margin < TOLERANCE or (by_swaps and np.isinf(margin))):
            interval, method = self._interval_of_few(run, other, level)
            interval = self._agreeing(interval, float(difference), is_significant)
        return Pair(
            run,
            other,
            difference,
            interval,
            result.p,
            adjusted,
            is_significant,
            result.is_exact,
            two.score(),
            two.effect(),
            deviation,
            free,
            None if swaps is None or not procedure.has_own_error else swaps.contributing,
            method,
            spread,
        )

    def _agrees(self, run: str, other: str, difference: Fraction | int) -> bool:
        """Return whether the test favours the run with the higher value."""
        test = self.design.procedure.name
        if self.omnibus is not None:
            means = dict(zip(self.ranked, self.omnibus.means, strict=True))
            favoured = float(means[run] - means[other])
        elif test in OF_DIFFERENCES and self._t_of_ratio(run, other) is None:
            favoured = balance(test, self._two(run, other).differences())
        else:
            return True
        return favoured * difference > 0

    def _interval(
        self, difference: Fraction | None, is_significant: bool, margin: float
    ) -> Interval:
        """Return the interval of a difference; it excludes 0 if the difference is significant."""
        if difference is None or not np.isfinite(margin):
            return Interval(np.nan, np.nan)
        center = float(difference)
        # random samples of p and of the margin may disagree by a little: p decides
        margin = (
            min(margin, abs(center) * (1 - 1e-6)) if is_significant else max(margin, abs(center))
        )
        return _within(center - margin, center + margin, self.measure.span)

    def _interval_of_few(self, run: str, other: str, level: float) -> tuple[Interval, str]:
        """Return the interval of runs that no swap shows to differ, or that differ alike.

        NaN if their spread is unknown, or if it would have every difference.
        """
        two, span = self._two(run, other), self.measure.span
        if two.is_of_values:
            each = two.differences()
            if two.is_of_outcomes:
                wins, losses = int((each > 0).sum()), int((each < 0).sum())
                score = Score(wins, len(each) - wins - losses, losses)
                return score_interval(score, level), "score"
            if np.abs(each).max() < TOLERANCE and np.isfinite(span):
                return rule_of_three(0.0, -span, span, len(each), level), "rule of three"
        margin = self._swap_test(run, other).margin_of_few(level) if two.adds_up else np.nan
        if not margin < span:
            return Interval(np.nan, np.nan), ""
        margin = max(margin, abs(two.observed))
        return Interval(two.observed - margin, two.observed + margin), "t"

    def _agreeing(self, interval: Interval, center: float, is_significant: bool) -> Interval:
        """Return an interval that has 0 unless the difference is significant: p decides."""
        low, high = interval
        if not is_significant:
            low, high = min(low, 0.0), max(high, 0.0)
        elif center > 0:
            low = max(low, center * 1e-6)
        else:
            high = min(high, center * 1e-6)
        return _within(low, high, self.measure.span)

    def _margin(self, run: str, other: str, level: float) -> float:
        """Return half the width of the interval of a difference; NaN if the test gives none."""
        test = self.design.procedure.name
        if self.design.procedure.swaps or test == "mcnemar":
            many = len(self.pairs) > MANY_PAIRS
            few = FIRST_SAMPLES if many else None
            return self._swap_test(run, other).margin(level, few)
        if test == CROSSED:
            return self._crossed(run, other).margin(level)
        if test == "bootstrap":
            observed = self._two(run, other).observed
            return bootstrap_margin(self._sampled(run, other), observed, level)
        if isinstance(made := self._t_of_ratio(run, other), Studentised):
            return made.margin_of_t(level)
        if test == "t":
            return t_margin(self._two(run, other).differences(), level)
        return np.nan if self.omnibus is None else self.omnibus.margin(self.design.alpha)

    def _groups(self, worse: Iterable[tuple[str, str]]) -> list[tuple[int, ...]]:
        index = {run: number for number, run in enumerate(self.ranked)}
        different = {(index[run], index[other]) for run, other in worse}
        defined = sum(value is not None for value in self.values.values())  # undefined are last
        return groups.groups(defined, different) if defined else []

    def _standings(
        self, worse: Some[tuple[str, str]], grouped: Sequence[Sequence[int]]
    ) -> list[Standing]:
        defined = sum(value is not None for value in self.values.values())
        ranks_of = groups.ranks(self.ranked[:defined], worse)
        policy = IntervalPolicy(level=self.design.level)
        standings = []
        for run, letter in zip(self.ranked, groups.letters(len(self.ranked), grouped), strict=True):
            of_run = self.closed.get(run) or interval_of(
                self.counted[run], self.measure, self.samples[run], policy
            )
            value = self.values[run]
            ranks = ranks_of.get(run) if self.design.procedure.is_of_measure else None
            within = epochs_variance(self.counted[run], self.measure)
            of_runs = self.exact[run].of_runs.get(self.measure.key, ())
            facts = of_run.interval, ranks, letter, of_run.method, of_run.caution, within, of_runs
            standings.append(Standing(run, value, *facts))
        return standings


def _within(low: float, high: float, span: float) -> Interval:
    """Return an interval of differences, of which none is beyond the span of the measure."""
    return Interval(*rounded(np.clip([low, high], -span, span)).tolist())
