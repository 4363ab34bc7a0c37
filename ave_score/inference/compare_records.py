"""The records of comparisons: how runs are compared, pairs of runs, and standings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import nan, sqrt
from typing import Any, Final, Literal, NamedTuple, TypeAlias

from ave_score.core.errors import UsageError
from ave_score.core.levels import check_level, share_of
from ave_score.core.model import ClustersGiven
from ave_score.core.policies import Policies
from ave_score.inference.by_question import ByQuestion
from ave_score.inference.crossed import Crossed
from ave_score.inference.paired import Score
from ave_score.inference.procedures import CORRECTIONS, PROCEDURES, Procedure
from ave_score.inference.resampling import Interval, Resampling
from ave_score.inference.significance import Omnibus
from ave_score.measures import Measure

DEFAULT_TEST: Final = "randomisation"
"""The test of measures that are computed from sums over questions."""

CROSSED: Final = "crossed"
"""The test of systems that have several runs."""


Test: TypeAlias = Literal[
    "randomisation", "bootstrap", "t", "wilcoxon", "sign", "mcnemar", "crossed", "tukey", "friedman"
]
"""The keys of `procedures.PROCEDURES`, for type checkers; a test compares them."""

Correction: TypeAlias = Literal["holm", "bonferroni", "fdr", "by", "none"]
"""The keys of `procedures.CORRECTIONS`."""


class Design(NamedTuple):
    """How runs are compared.

    Attributes
    ----------
    test
        A key of `procedures.PROCEDURES`. None selects the default of each measure: crossed if all
        systems have several runs, else randomisation or, if the measure is not computed from sums
        over questions, the bootstrap.
    resampling
        Samples of the bootstrap, which also gives intervals and ranks, and of the randomisation.
    level
        The confidence level of intervals in per cent, from 1 to below 100; a difference is
        significant if its corrected p is at most `alpha`.
    correction
        A key of `procedures.CORRECTIONS`; not used by tests that compare all runs at once.
    against
        The run that all others are compared with; None compares all pairs.
    policies
        The meaning of judgements, and the ranking of ties.
    clusters
        Questions that are sampled and swapped together, as `IntervalPolicy` has them.
    """

    test: Test | None = None
    resampling: Resampling = Resampling()
    level: float = 95
    correction: Correction = "holm"
    against: str | None = None
    policies: Policies = Policies()
    clusters: ClustersGiven | None = None

    @classmethod
    def of(cls, **settings: Any) -> Design:  # noqa: ANN401 - they are not known to type checkers
        """Return a design of settings that are only known when the program runs, as `Design()`."""
        return cls(**settings)

    @property
    def procedure(self) -> Procedure:
        """The record of the test."""
        return PROCEDURES[self.test or DEFAULT_TEST]

    def for_measure(self, measure: Measure, counted: Sequence[ByQuestion]) -> Design:
        """Return the design with the test of a measure.

        Raises `UsageError` if a measure is not computed from sums over questions, but the test
        needs them.
        """
        alone = [run.run for run in counted if len(run.runs) < 2]
        if self.test == CROSSED and alone:
            raise UsageError(f"{CROSSED} needs two runs of each system, and {alone[0]} has one")
        if self.test == CROSSED or not (self.test or alone):
            return self._replace(test=CROSSED)
        if all(run.adds_up(measure) for run in counted):
            return self._replace(test=self.test or DEFAULT_TEST)
        if self.test not in (None, "bootstrap"):
            why = "ranks the answers to all questions together"
            if any(run.runs for run in counted):
                why = "is no mean of values of questions over the runs of a system"
            raise UsageError(
                f"{measure.key} {why}, so {self.test} does not apply to it; use --test bootstrap"
            )
        return self._replace(test="bootstrap")

    @property
    def alpha(self) -> float:
        """The significance level, in 0..1: the highest p of a significant difference."""
        return float(1 - share_of(self.level))

    @property
    def corrected_by(self) -> str:
        """The correction that is applied."""
        return "none" if self.procedure.adjusts else self.correction

    @property
    def settings(self) -> dict[str, object]:
        """The settings that the signature shows, except the test."""
        return {
            "resamples": self.resampling.resamples,
            "seed": self.resampling.seed,
            "level": f"{float(self.level):.15g}",
            "correction": self.corrected_by,
            **({} if self.against is None else {"against": self.against}),
            **({} if self.clusters is None else {"cluster": self.clusters}),
        }

    def check(self) -> None:
        """Raise `UsageError` for an unknown test or correction, or an invalid level."""
        for what, name, known in (
            ("test", self.test, PROCEDURES),
            ("correction", self.correction, CORRECTIONS),
        ):
            if name is not None and name not in known:
                raise UsageError(f"no {what} {name!r}; there are {', '.join(known)}")
        check_level(self.level)


class Pair(NamedTuple):
    """Two runs, the better one first; `against` is always the second.

    Attributes
    ----------
    difference
        The measure of `run` minus that of `other`, exact; None if either is undefined.
    interval
        The differences that the test does not reject, at the level of p that the correction leaves
        for a pair (`Comparison.cutoff`): it excludes 0 if and only if the difference is
        significant. NaN if the test gives no interval.
    p, adjusted
        The p value, and p corrected for all pairs of this measure; NaN without a difference.
    is_significant
        Whether the corrected p is at most `Design.alpha`, and the test favours the better run: the
        tests of signs and ranks need not.
    is_exact
        Whether the test is exact, without random numbers.
    score
        Questions that `run` wins, that neither wins, that `other` wins; None if the measure is not
        computed from sums over questions.
    effect
        Cohen's d_z; None if the measure is not a mean of values per question.
    deviation
        The standard deviation of the difference per question: its standard error times the root of
        the number of questions. NaN if the measure is not computed from sums over questions.
    free
        The degrees of freedom of the deviation; NaN without one.
    contributing
        The numbers of questions that contribute to the measure of either run, if it is a ratio that
        the test computes from counts; None otherwise. A run without such a question has no p.
    method
        How the interval is computed if the runs differ on too few questions for the test, or by the
        same on each: `score`, `t` or `rule of three`; else "".
    spread
        The standard error over questions and runs, of the crossed test; over questions alone, of
        measures that are not computed from sums; else None.
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
    deviation: float = nan
    free: float = nan
    contributing: tuple[int, int] | None = None
    method: str = ""
    spread: Crossed | None = None

    @property
    def rests_on(self) -> list[tuple[str, int]]:
        """Each of the two runs and its number of `contributing` questions, if they are known."""
        return [*zip((self.run, self.other), self.contributing or (), strict=False)]


class Standing(NamedTuple):
    """A run in a comparison.

    Attributes
    ----------
    value, interval
        The measure, None if undefined, and its confidence interval.
    ranks
        The best and the worst rank that the significant differences leave: 1 plus the number of
        runs that are significantly better, and the number of runs minus those that are
        significantly worse. At the level of the comparison, all true ranks are in these ranges
        together. None if the measure is undefined, or if the test does not compare it.
    letters
        The letters of its groups.
    method, caution
        How the interval was computed, and why it should be read with care (see `Estimate`).
    epochs_variance
        The part of the squared standard error that is due to replicates of questions.
    of_runs
        The measure of each run of a system; empty without `--replicates`.

    Source: Mogstad, Romano, Shaikh, Wilhelm, Inference for Ranks with Applications to Mobility
    across Neighbourhoods and Academic Achievement across Countries, 2024.
    """

    run: str
    value: Fraction | None
    interval: Interval
    ranks: tuple[int, int] | None
    letters: str
    method: str = ""
    caution: str | None = None
    epochs_variance: float = 0.0
    of_runs: Sequence[Fraction | None] = ()


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
        Names of runs without significant differences between them; empty with `against`. Runs with
        an undefined value are in no group.
    cutoff
        The uncorrected p up to which a difference is significant, after the correction.
    least_p
        The smallest p that the test could give any pair with these samples or questions.
    omnibus
        The result of a test of all runs at once; None for other tests.
    unit
        What was sampled, in the singular (`ByQuestion.unit`).
    other_ties
        Run -> its value with answers of equal confidence ranked otherwise (`choices.other_ties`).
    ratios
        The number of pairs whose difference is one of ratios (`two_runs`).
    """

    measure: Measure
    design: Design
    questions: int
    standings: Sequence[Standing]
    pairs: Sequence[Pair]
    groups: Sequence[Sequence[str]]
    cutoff: float
    least_p: float = 0.0
    omnibus: Omnibus | None = None
    unit: str = "question"
    other_ties: Mapping[str, Fraction] = {}
    ratios: int = 0

    @property
    def replicated(self) -> dict[str, int]:
        """Each system and the number of its runs; empty without `--replicates`."""
        return {
            standing.run: len(standing.of_runs) for standing in self.standings if standing.of_runs
        }

    @property
    def noun(self) -> str:
        """What is compared, in the singular."""
        return "system" if self.replicated else "run"

    @property
    def test_title(self) -> str:
        """The name of the test in a sentence; that of ratios is studentised."""
        procedure = self.design.procedure
        if not (procedure.swaps and self.ratios):
            return procedure.title
        if self.ratios == len(self.pairs):
            return f"studentised {procedure.title}"
        return f"{procedure.title}, studentised for {self.ratios:,} of {len(self.pairs):,} pairs"

    @property
    def basis(self) -> str:
        """What the test finds differences of, in words: the measure, or what is counted instead."""
        return self.design.procedure.basis.format(measure=self.measure.title, unit=self.unit)

    @property
    def is_limited(self) -> bool:
        """Whether no difference could be significant, however large."""
        return self.least_p > self.cutoff

    def stderr_of(self, pair: Pair) -> float:
        """Return the standard error of the difference of a pair; NaN if it is unknown."""
        return pair.deviation / sqrt(self.questions)

    def t_of(self, pair: Pair) -> float:
        """Return a difference by its standard error; NaN if either is unknown, or it is 0."""
        error = self.stderr_of(pair)
        return float(pair.difference) / error if pair.difference is not None and error else nan

    def best_pairs(self, number: int) -> list[Pair]:
        """Return the pairs of the best runs, at most `number`."""
        rank = {standing.run: place for place, standing in enumerate(self.standings)}

        def worst_first(pair: Pair) -> list[int]:
            return sorted((rank[pair.run], rank[pair.other]), reverse=True)

        return sorted(self.pairs, key=worst_first)[:number]
