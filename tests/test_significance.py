"""Tests of differences beside scipy, beside every way of swapping, by hand, and under the null."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations, product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import html

import ave_score
from ave_score import Compared, Comparison, Design, Measure, Resampling, parse_measures
from ave_score.counts import ValidationCounts
from ave_score.inference.by_question import ByQuestion, Floats, Integers
from ave_score.inference.groups import groups, letters
from ave_score.inference.procedures import PROCEDURES
from ave_score.inference.randomisation import PairResult, Randomisation
from ave_score.inference.resampling import replicate, whole
from ave_score.inference.significance import (
    OF_DIFFERENCES,
    bootstrap,
    bootstrap_margin,
    coin,
    corrected,
    friedman,
    tukey,
)
from ave_score.inference.swaps import AnswerSwaps
from tests import each, examples, slow
from tests.helpers_command import ave, output
from tests.helpers_files import put
from tests.helpers_ranked import Item, lines_of, read_questions, xml_of
from tests.helpers_statistics import answered, validated
from tests.oracle import make_campaign
from tests.test_oracle import read

stats = pytest.importorskip("scipy.stats", reason="SCIPY IS MISSING: pip install scipy")

SEEDS = st.integers(0, 10**9)
OF_SINGLE_RUNS = [name for name in PROCEDURES if name != "crossed"]
(F1,) = parse_measures("f1")
(QA,) = parse_measures("qa_accuracy")
(MRR,) = parse_measures("mrr")


def reciprocal(values: Floats, name: str) -> ByQuestion:
    """Return a run of these reciprocal ranks, whose mean is the measure."""
    return ByQuestion(name, {}, {"mrr": np.column_stack([values, np.ones(len(values))])})


def random_counts(chance: np.random.Generator, questions: int) -> Floats:
    return chance.integers(0, 3, (questions, 6)).astype(float)


def p_of(one: ByQuestion, other: ByQuestion, measure: Measure, resamples: int = 4000) -> float:
    return Randomisation(one, other, measure, Resampling(resamples, 1)).test().p


def test_the_p_of_a_randomisation_is_never_zero() -> None:
    """Two of 2^1200 ways are as extreme as 1200 questions that one run wins: below any float."""
    exact = Randomisation(answered([1] * 1200, "a"), answered([0] * 1200, "b"), QA, Resampling(50))
    assert exact.test() == PairResult(sys.float_info.min, is_exact=True)
    chance = np.random.default_rng(1).random(2000) / 10
    sampled = Randomisation(
        reciprocal(1 - chance, "a"), reciprocal(chance, "b"), MRR, Resampling(50)
    )
    assert sampled.test() == PairResult(sys.float_info.min, error=0.0)


def test_exact_randomisation_by_hand() -> None:
    """Right on all of three questions against none: two of the eight ways are as extreme."""
    one, other = answered([1, 1, 1], "a"), answered([0, 0, 0], "b")
    test = Randomisation(one, other, QA, Resampling(100))
    assert test.test() == PairResult(2 / 8, is_exact=True)
    # a fourth question that both get right is swapped in vain
    assert p_of(answered([1, 1, 1, 1], "a"), answered([0, 0, 0, 1], "b"), QA) == 2 / 8
    # two won and one lost: of eight sums of signs, +-1 are six and +-3 are two
    assert p_of(answered([1, 1, 0], "a"), answered([0, 0, 1], "b"), QA) == 1
    assert p_of(one, answered([1, 1, 1], "b"), QA) == 1


@given(SEEDS)
@settings(max_examples=examples(60))
def test_exact_randomisation_of_f_goes_through_every_way(seed: int) -> None:
    """In fractions, by a loop over all choices of the questions that are swapped."""
    chance = np.random.default_rng(seed)
    one, other = random_counts(chance, 6), random_counts(chance, 6)

    def f(rows: Sequence[Sequence[float]]) -> Fraction:
        totals = [Fraction(int(sum(column))) for column in zip(*rows, strict=True)]
        return F1(ValidationCounts(*totals)) or Fraction(0)  # nothing is left undefined here

    one[0, 0] = other[0, 0] = 1
    seen = f(one.tolist()) - f(other.tolist())
    extreme = 0
    for swaps in product([False, True], repeat=6):
        rows = [(b, a) if s else (a, b) for s, a, b in zip(swaps, one, other, strict=True)]
        made = f([list(a) for a, _ in rows]) - f([list(b) for _, b in rows])
        extreme += abs(made) >= abs(seen)
    assert p_of(validated(one, "a"), validated(other, "b"), F1) == pytest.approx(extreme / 64)


@pytest.mark.parametrize(("wins", "losses"), [(30, 12), (9, 0), (250, 180), (40, 40)])
def test_randomisation_of_0_and_1_is_the_binomial_test(wins: int, losses: int) -> None:
    """The questions on which the runs differ are won by either run with a chance of a half."""
    one = answered([1] * wins + [0] * losses + [1, 0], "a")
    other = answered([0] * wins + [1] * losses + [1, 0], "b")
    result = Randomisation(one, other, QA, Resampling(100)).test()
    assert result.is_exact
    assert result.p == pytest.approx(stats.binomtest(wins, wins + losses).pvalue, rel=1e-9)


def test_sampled_p_of_any_size_is_that_of_an_exact_convolution() -> None:
    """Differences of 1 to 6 hundredths, whose sums of signs are counted one question at a time.
    More than 64 of 400 questions differ by as much: such are not drawn one by one."""
    chance = np.random.default_rng(8)
    for questions, shift in ((60, -3), (60, 0), (60, 1), (60, 2), (60, 3), (400, 0), (400, 1)):
        units = chance.integers(-3, 4, questions) + shift
        ways = {0: 1}
        for unit in units.tolist():
            grown: dict[int, int] = {}
            for total, number in ways.items():
                for signed in (total + unit, total - unit):
                    grown[signed] = grown.get(signed, 0) + number
            ways = grown
        seen = abs(int(units.sum()))
        exact = sum(number for total, number in ways.items() if abs(total) >= seen) / 2**questions
        one, other = reciprocal(units / 100 + 1, "a"), reciprocal(np.ones(questions), "b")
        test = Randomisation(one, other, MRR, Resampling(20_000))
        result = test.test()
        assert result.p == pytest.approx(exact, rel=max(6 * result.error, 1e-9))
        assert result.error < 0.05


def test_interval_of_a_mean_is_that_of_t_for_many_questions() -> None:
    """The studentised randomisation test has the quantiles of t (Ernst 2004), except for chance."""
    chance = np.random.default_rng(2)
    for level in (0.05, 0.001):
        values = chance.normal(0.1, 1, 200)
        one, other = reciprocal(values, "a"), reciprocal(0 * values, "b")
        margin = Randomisation(one, other, MRR, Resampling(20_000)).margin(level)
        theirs = stats.t.ppf(1 - level / 2, 199) * values.std(ddof=1) / 200**0.5
        assert margin == pytest.approx(theirs, rel=0.03)


def test_margin_by_hand() -> None:
    """Of +-0.5 +-0.25 +-0.25, 1 is reached by 1/8, 0.5 or more by 3/8; squares sum to 3/8."""
    one, other = reciprocal(np.array([1.5, 0.75, 0.75]), "a"), reciprocal(np.zeros(3), "b")
    test = Randomisation(one, other, MRR, Resampling(100))
    assert test.test().p == pytest.approx(2 / 8)
    # significant up to p = 1/2: a difference of 0.5 has p = 6/8, so it is not rejected
    variance, rejected = 3 / 8 - 1 / 3, 3 / 8 - 0.25 / 3
    assert test.margin(0.5) == pytest.approx(0.5 * (variance / rejected) ** 0.5)
    assert test.margin(0.1) == np.inf  # even 1 has p = 1/4


def test_randomisation_equals_permutation_test_of_scipy() -> None:
    """Of F over 40 questions, whose statistic scipy computes anew from the rows it chose."""
    chance = np.random.default_rng(3)
    one, other = random_counts(chance, 40), random_counts(chance, 40)
    other[:, 1] += chance.random(40) < 0.4
    rows = np.vstack([one, other])

    def f(chosen: Integers) -> Floats:
        cv, iv, cr = np.moveaxis(rows[chosen].sum(axis=-2), -1, 0)[:3]
        return np.asarray(2 * cv / (2 * cv + cr + iv))

    def statistic(left: Integers, right: Integers, axis: int = -1) -> Floats:
        assert axis == -1
        return f(left) - f(right)

    theirs = stats.permutation_test(
        (np.arange(40), np.arange(40, 80)), statistic, permutation_type="samples",
        n_resamples=20_000, vectorized=True, axis=-1, random_state=1,
    )  # fmt: skip
    ours = p_of(validated(one, "a"), validated(other, "b"), F1, 20_000)
    assert 0.01 < theirs.pvalue < 0.9
    # standard error of the difference of two shares of 20,000: at most 0.005
    assert ours == pytest.approx(theirs.pvalue, abs=0.02)


def test_each_part_of_a_mixture_has_all_its_samples() -> None:
    swaps = AnswerSwaps(np.eye(3), np.array([3, 5, 40]), np.zeros(3))
    ways = [*swaps.sampled((1,), [np.zeros(3), np.ones(3)], 100, np.eye(3))]
    assert [sum(len(one.weights) for one in ways), *ways[0].sums.shape] == [100, 100, 3]


def test_all_ways_are_enumerated_up_to_a_limit_that_is_among_them() -> None:
    """2^16: rounded logarithms do not decide."""
    for number, is_few in (15, True), (16, True), (17, False):
        ones = np.ones(number, np.int64)
        assert AnswerSwaps(np.eye(number), ones, ones.astype(float)).is_few == is_few


@each("test, won, lost, equal, tail", [
    # 8 of 10: 1 + 10 + 45 of 1,024; two discordant cells of 3 and 11: the binomial tail of 3 of 14
    ("sign", 8, 2, 5, 56 / 1024),
    ("mcnemar", 3, 11, 9, sum([1, 14, 91, 364]) / 2**14),
    *((test, 0, 0, 12, 1 / 2) for test in OF_DIFFERENCES),
])  # fmt: skip
def test_tests_of_differences_by_hand(
    test: str, won: int, lost: int, equal: int, tail: float
) -> None:
    differences = np.array([1.0] * won + [-1.0] * lost + [0.0] * equal)
    assert OF_DIFFERENCES[test](differences) == pytest.approx(2 * tail)


@pytest.mark.parametrize(
    ("heads", "tosses"), [(0, 1), (5, 10), (10, 10), (3, 17), (60, 100), (4_800, 10_000)]
)
def test_coin_equals_binomtest(heads: int, tosses: int) -> None:
    assert coin(heads, tosses) == pytest.approx(stats.binomtest(heads, tosses).pvalue, rel=1e-9)
    assert coin(0, 0) == 1


@pytest.mark.parametrize("questions", [8, 40, 300])
def test_t_and_wilcoxon_equal_scipy(questions: int) -> None:
    """Without shared ranks; every version of scipy computes these two forms if they are named."""
    chance = np.random.default_rng(questions)
    one, other = chance.random((2, questions)) + np.array([[0.5 / questions**0.5], [0.0]])
    form = "exact" if questions <= 50 else "approx"
    for test, expected in (
        ("t", stats.ttest_rel(one, other).pvalue),
        ("wilcoxon", stats.wilcoxon(one - other, method=form).pvalue),
    ):
        assert 1e-6 < expected < 1
        assert OF_DIFFERENCES[test](one - other) == pytest.approx(expected)


def test_wilcoxon_by_hand() -> None:
    """Exact up to 50 questions that differ, also with shared ranks; then normal."""
    wilcoxon = OF_DIFFERENCES["wilcoxon"]
    # five differences of one size: 2 of 32 choices of signs are as far out; the normal
    # approximation of scipy 1.11 gives 0.025, less than any choice of signs can have
    assert wilcoxon(np.array([0.25] * 5)) == 2 / 32
    assert wilcoxon(np.array([0.25] * 5 + [0.0] * 7)) == 2 / 32
    # sum of ranks 8 of 10: 1 + 1 + 1 + 2 + 2 + 3 + 4 + 5 + 6 sets of distinct ranks have at most 8
    differences = np.arange(1.0, 11)
    differences[[0, 6]] *= -1
    assert wilcoxon(differences) == 2 * 25 / 1024
    # sizes 1 1 2 have ranks 1.5 1.5 3; a sum of at most 1.5 below: {}, {1}, {1}
    assert wilcoxon(np.array([1.0, -1, 2])) == 2 * 3 / 8
    # 60 of 100 equal sizes: (60 - 50) / sqrt(100 / 4) = 2 standard deviations
    assert wilcoxon(np.array([0.5] * 60 + [-0.5] * 40)) == pytest.approx(0.0455003, abs=1e-7)


@given(SEEDS, st.sampled_from([8, 40, 90]))
@settings(max_examples=examples(60))
def test_wilcoxon_ranks_differences_of_fractions(seed: int, questions: int) -> None:
    """Signed ranks in fractions; p as in Lehmann 1975, section 3.2: every choice, or normal."""
    chance = np.random.default_rng(seed)
    numbers = chance.integers([[0], [1]], [[2], [13]], (2, 2, questions)).tolist()
    exact = [
        [Fraction(a * c, b) for a, b, c in zip(*one, chance.integers(1, 5, questions), strict=True)]
        for one in numbers
    ]
    differences = [a - b for a, b in zip(*exact, strict=True)]
    sizes = sorted(abs(one) for one in differences if one)
    rank_of = {size: 2 * sizes.index(size) + sizes.count(size) + 1 for size in sizes}  # twice
    ranks = [rank_of[size] for size in sizes]
    balance = abs(sum(rank_of[abs(one)] * (1 if one > 0 else -1) for one in differences if one))
    if len(sizes) > 50:
        expected = 2 * stats.norm.sf(balance / sum(rank**2 for rank in ranks) ** 0.5)
    else:
        ways = Counter([0])
        for rank in ranks:
            ways = Counter(
                {
                    total: ways[total - rank] + ways[total + rank]
                    for total in {before + step for before in ways for step in (rank, -rank)}
                }
            )
        far = sum(number for total, number in ways.items() if abs(total) >= balance)
        expected = far / 2 ** len(sizes)
    floats = np.array([[float(value) for value in one] for one in exact])
    found = OF_DIFFERENCES["wilcoxon"](floats[0].round(12) - floats[1].round(12))
    assert found == pytest.approx(expected)


def test_mcnemar_has_the_intervals_of_randomisation() -> None:
    collection, runs = campaign(3)
    found = [compare(runs, collection, [QA], Design(test))[0] for test in ("mcnemar", None)]
    mcnemar, randomisation = ([pair.interval for pair in one.pairs] for one in found)
    assert mcnemar == randomisation


def test_bootstrap_is_the_shift_method() -> None:
    """A literal loop with other random numbers: within their error."""
    chance = np.random.default_rng(5)
    one, other = (chance.random((2, 80)) < [[0.6], [0.45]]).astype(float)
    runs = [answered(one, "a"), answered(other, "b")]
    found = replicate(runs, [QA], Resampling(20_000, 2))
    seen = whole(runs[0], QA) - whole(runs[1], QA)
    ours = bootstrap(found["a", QA.key] - found["b", QA.key], seen)
    differences = one - other
    centred = differences - differences.mean()
    drawn = np.array([chance.choice(centred, 80).mean() for _ in range(10_000)])
    assert 0.01 < ours < 0.9
    # means are multiples of 1/80: a hair decides whether those at the edge are counted
    assert ours == pytest.approx((np.abs(drawn) >= abs(seen) - 1e-9).mean(), abs=0.02)


def test_bootstrap_by_hand() -> None:
    """Moved by their mean of 2, 3 of 5 lie 2 or more away: (2 + 1) / (5 + 1)."""
    replicates = np.array([0.0, 1.0, 2.0, 3.0, 4.0, np.nan])
    assert bootstrap(replicates, 2.0) == pytest.approx((2 + 1) / (5 + 1))
    assert np.isnan(bootstrap(replicates, np.nan))
    assert np.isnan(bootstrap_margin(replicates, np.nan, 0.05))


def test_tukey_of_two_runs_is_the_paired_t_test() -> None:
    values = np.random.default_rng(2).random((2, 30)) + np.linspace(0, 3, 30)
    found = tukey(values)
    expected = stats.ttest_rel(*values)
    assert found.pairs[0, 1] == pytest.approx(expected.pvalue, rel=1e-6)
    assert found.p == pytest.approx(expected.pvalue)
    assert found.statistic == pytest.approx(expected.statistic**2)


def test_tukey_equals_least_squares() -> None:
    """The error of a regression on dummies of runs and questions, and scipy's distribution."""
    runs, questions = 4, 25
    chance = np.random.default_rng(6)
    values = chance.random((runs, questions)) + chance.random(questions) * 2
    values[0] += 0.25
    run, question = np.indices(values.shape).reshape(2, -1)
    dummies = [run[:, None] == np.arange(runs), question[:, None] == np.arange(1, 25)]
    table = np.column_stack(dummies)
    _, (error,), *_ = np.linalg.lstsq(table.astype(float), values.ravel(), rcond=None)
    free = (runs - 1) * (questions - 1)
    spread = np.sqrt(error / free / questions)
    found = tukey(values)
    for one, other in combinations(range(runs), 2):
        distance = abs(values[one].mean() - values[other].mean()) / spread
        expected = stats.studentized_range.sf(distance, runs, free)
        assert found.pairs[one, other] == pytest.approx(expected, rel=1e-6)
        assert found.pairs[other, one] == found.pairs[one, other]
    # a difference is as wide as the margin at its p
    assert found.margin(expected) == pytest.approx(distance * spread)


def test_friedman_equals_scipy_and_nemenyi_s_formula() -> None:
    chance = np.random.default_rng(9)
    values = chance.random((4, 20)) + np.array([[0.0], [0.1], [0.2], [0.4]])
    found = friedman(values)
    theirs = stats.friedmanchisquare(*values)
    assert (found.statistic, found.p) == pytest.approx((theirs.statistic, theirs.pvalue))
    ranks = np.argsort(np.argsort(values, axis=0), axis=0).mean(axis=1)
    # Demšar 2006: the critical difference is q_alpha · sqrt(k (k + 1) / 6n), q divided by sqrt(2)
    unit = np.sqrt(4 * 5 / (6 * 20)) / np.sqrt(2)
    for one, other in combinations(range(4), 2):
        expected = stats.studentized_range.sf(abs(ranks[one] - ranks[other]) / unit, 4, np.inf)
        assert found.pairs[one, other] == pytest.approx(expected, rel=1e-6)


def test_friedman_ranks_values_that_differ_by_a_rounding_error_alike() -> None:
    """2^-13 ends in a 5 at the 13th decimal, so a sum one digit off is rounded otherwise."""
    values = np.random.default_rng(3).integers(0, 3, (4, 20)) / 2**13
    noisy = values + np.random.default_rng(4).choice([-1e-16, 0, 1e-16], values.shape)
    exact, found = friedman(values), friedman(noisy)
    assert (found.statistic, found.p) == (exact.statistic, exact.p)
    assert (found.pairs == exact.pairs).all()


def test_what_cannot_be_tested_at_once() -> None:
    for test, values, said in (
        (friedman, np.random.default_rng(0).random((2, 9)), "three runs"),
        (friedman, np.ones((3, 9)), "tied"),
        (tukey, np.ones((3, 1)), "two questions"),
        (tukey, np.ones((3, 9)), "by the same amount on every question"),
    ):
        with pytest.raises(ave_score.UsageError, match=said):
            test(values)


def test_corrections_by_hand() -> None:
    """In order 0.005, 0.01, 0.03, 0.04; Holm: times 4, 3, 2, 1; fdr: times 4/1 to 4/4. by: times 1
    + 1/2 + 1/3 + 1/4 = 25/12 as well."""
    p = np.array([0.01, 0.04, np.nan, 0.03, 0.005])
    for correction, expected in {
        "holm": [0.03, 0.06, np.nan, 0.06, 0.02],
        "bonferroni": [0.04, 0.16, np.nan, 0.12, 0.02],
        "fdr": [0.02, 0.04, np.nan, 0.04, 0.02],
        "by": [0.5 / 12, 1 / 12, np.nan, 1 / 12, 0.5 / 12],
        "none": [0.01, 0.04, np.nan, 0.03, 0.005],
    }.items():
        assert corrected(p, correction) == pytest.approx(expected, nan_ok=True)
    assert corrected(np.array([0.6, 0.7]), "bonferroni").tolist() == [1, 1]
    assert len(corrected(np.array([]), "holm")) == 0


def test_letters_by_hand() -> None:
    """A chain: each run differs from all but its neighbours."""
    found = groups(4, {(0, 2), (0, 3), (1, 3)})
    assert found == [(0, 1), (1, 2), (2, 3)]
    assert letters(4, found) == ["a", "ab", "bc", "c"]
    assert letters(2, groups(2, {(0, 1)})) == ["a", "b"]
    assert letters(3, groups(3, set())) == ["a", "a", "a"]
    every_two = set(combinations(range(28), 2))
    assert letters(28, groups(28, every_two))[24:] == ["y", "z", "a2", "b2"]


@given(st.integers(2, 7), st.data())
@settings(max_examples=examples(60))
def test_groups_are_all_largest_sets_without_a_difference(runs: int, data: st.DataObject) -> None:
    pairs = list(combinations(range(runs), 2))
    different = set(data.draw(st.lists(st.sampled_from(pairs), unique=True)))
    alike = [
        set(some)
        for size in range(1, runs + 1)
        for some in combinations(range(runs), size)
        if not different & set(combinations(some, 2))
    ]
    largest = [one for one in alike if not any(one < other for other in alike)]
    assert groups(runs, different) == sorted(tuple(sorted(one)) for one in largest)


def compare(
    runs: Sequence[ave_score.Run],
    collection: ave_score.Collection,
    measures: Sequence[Measure],
    design: Design,
) -> Sequence[Comparison]:
    return ave_score.compare(collection, runs, measures=measures, design=design).comparisons


def compared(
    one: Sequence[int], other: Sequence[int], measures: str, test: str | None = None
) -> Compared:
    """Compare runs that are right (1) or wrong (0) on questions of two answers. To a question where
    a run has -1 neither answer is right."""
    wrong, right = "REJECTED", "VALIDATED"

    def texts(run: Sequence[int]) -> list[list[Item]]:
        labels = [(wrong if at < 0 else right, wrong) for at in one]
        said = [("REJECTED", "SELECTED")[:: -1 if at > 0 else 1] for at in run]
        return [
            [Item(label, verdict, "0.5") for label, verdict in zip(*pair, strict=True)]
            for pair in zip(labels, said, strict=True)
        ]

    collection, runs = read_questions(texts(one), texts(other))
    design = Design.of(test=test, resampling=Resampling(100))
    return ave_score.compare(collection, runs, measures=measures, design=design)


def test_what_a_question_adds_is_the_difference_of_its_values() -> None:
    """And the better run wins a question where it makes fewer errors."""
    found = compared([1, 1, 0, 1], [1, 0, 1, 0], "qa_accuracy, error")
    table = found.per_question().set_index("measure")["run0 - run1"]
    assert [*table["qa_accuracy"]] == pytest.approx([0, 0.25, -0.25, 0.25])
    assert [*table["error"]] == pytest.approx([0, -0.25, 0.25, -0.25])
    assert [one.pairs[0].score for one in found.comparisons] == [(2, 1, 1)] * 2


def test_what_a_question_adds_to_f_by_hand() -> None:
    """cv, iv, cr: the first run has 1 0 0 and 1 0 1, the second 0 1 1 and 2 0 0."""
    labels = [["VALIDATED", "REJECTED"], ["VALIDATED", "VALIDATED"]]
    runs = [["SELECTED", "REJECTED"], ["SELECTED", "REJECTED"]], [
        ["REJECTED", "SELECTED"], ["SELECTED", "VALIDATED"]
    ]  # fmt: skip
    items = [
        [[*map(Item, *each, ["0.5"] * 2)] for each in zip(labels, run, strict=True)] for run in runs
    ]
    collection, read_runs = read_questions(*items)
    design = Design(resampling=Resampling(100))
    found = ave_score.compare(collection, read_runs, measures="f1", design=design)
    added = found.per_question()["run0 - run1"]
    # 2*2 / (4 + 1) - 2*2 / (4 + 2) is 2/15; swapped on the first: 2*1 / (2 + 3) - 1 is -3/5
    assert added[0] == pytest.approx((2 / 15 + 3 / 5) / 2)
    # swapped on the second: 1 - 2*1 / (2 + 3)
    assert added[1] == pytest.approx((2 / 15 - 3 / 5) / 2)


def test_effect_size_by_hand() -> None:
    """Mean 1/2; squares of 1/4 from it make 4/4 / 3: 0.5 / sqrt(1/3)."""
    for right, expected in ([1, 0, 0, 1], pytest.approx(0.75**0.5)), ([1] * 4, None):
        found = compared(right, [0] * 4, "qa_accuracy").comparisons[0]
        assert found.pairs[0].effect == expected


def test_only_means_over_questions_have_values() -> None:
    collection, runs = read(make_campaign(21, questions=12, runs=3))
    for key in ("qa_accuracy", "normalized_qa_accuracy", "answering_accuracy", "gain_over_random"):
        found = compare(runs, collection, parse_measures(key), Design("t", Resampling(100)))
        assert all(pair.effect is not None or pair.score == (0, 12, 0) for pair in found[0].pairs)
    for key in ("f1", "c_at_1", "precision", "n_right", "estimated_qa_performance"):
        with pytest.raises(ave_score.UsageError, match=f"{key} of these runs is not a mean"):
            compare(runs, collection, parse_measures(key), Design("sign", Resampling(100)))
    with pytest.raises(ave_score.UsageError, match="not always 0 or 1"):
        compare(runs, collection, parse_measures("utility"), Design("mcnemar", Resampling(100)))


def test_values_of_questions_leave_out_what_no_run_has() -> None:
    """Question 3 has no correct answer: % of perfect is a mean over the others."""
    found = compared([1, 1, -1, 0, 1], [0, 1, -1, 0, 0], "normalized_qa_accuracy", "t")
    expected = stats.ttest_rel([1, 1, 0, 1], [0, 1, 0, 0]).pvalue
    assert found.comparisons[0].pairs[0].p == pytest.approx(expected)


def campaign(seed: int, runs: int = 3, questions: int = 30) -> tuple[ave_score.Collection, list]:  # type: ignore[type-arg]
    return read(make_campaign(seed, questions=questions, runs=runs))


def figures(comparison: Comparison, names: dict[str, str] | None = None) -> dict[object, object]:
    """Return p, interval and ranks, by the names of runs, whichever stands first."""
    called = names or {}
    found: dict[object, object] = {}
    for pair in comparison.pairs:
        key = frozenset(called.get(run, run) for run in (pair.run, pair.other))
        found[key] = (pair.p, pair.adjusted, pair.is_exact)
    for one in comparison.standings:
        found[called.get(one.run, one.run)] = (one.value, one.interval, one.ranks)
    return found


@pytest.mark.slow
@given(
    SEEDS, st.sampled_from(OF_SINGLE_RUNS), st.sampled_from(["holm", "bonferroni", "fdr", "by"]),
    st.integers(3, 7),
)  # fmt: skip
@settings(max_examples=examples(25), deadline=None)
def test_nothing_contradicts(seed: int, test: str, correction: str, runs: int) -> None:
    """Stars, intervals, ranks, letters and the sentence all follow from the same decisions."""
    collection, some = campaign(seed, runs, 40)
    design = Design.of(test=test, resampling=Resampling(400), correction=correction)
    whole_report = ave_score.compare(collection, some, measures=[QA], design=design)
    (found,) = whole_report.comparisons
    values = {one.run: one.value for one in found.standings}
    letters_of = {one.run: set(one.letters) for one in found.standings}
    better: dict[str, set[str]] = {run: set() for run in values}
    for pair in found.pairs:
        assert pair.is_significant == (pair.adjusted <= 0.05) == (pair.p <= found.cutoff)
        assert pair.is_significant != bool(letters_of[pair.run] & letters_of[pair.other])
        if not np.isnan(pair.interval.low):
            assert pair.interval.low <= float(pair.difference or 0) <= pair.interval.high
            assert pair.is_significant == (pair.interval.low > 0 or pair.interval.high < 0)
        if pair.is_significant:
            assert (values[pair.run] or 0) > (values[pair.other] or 0)
            better[pair.other].add(pair.run)
    for one in found.standings:
        worse = sum(one.run in runs for runs in better.values())
        ranks = (1 + len(better[one.run]), len(values) - worse)
        assert one.ranks == (None if test in NOT_OF_THE_MEASURE else ranks)
    assert not (found.is_limited and any(pair.is_significant for pair in found.pairs))
    sentence = " ".join(whole_report.to_text("markdown").split())
    significant = sum(pair.is_significant for pair in found.pairs)
    is_none = significant == 0 and not found.is_limited
    assert ("no significant difference was found between" in sentence) == is_none
    assert ("too few" in sentence) == found.is_limited


def ranked_at(places: Sequence[int]) -> list[list[Item]]:
    """Return questions of seven answers, the right one at each of these places."""
    return [
        [Item("VALIDATED", "SELECTED", f"0.{9 - place}")]
        + [Item("REJECTED", "VALIDATED", f"0.{9 - at}") for at in range(1, 8) if at != place]
        for place in places
    ]


@pytest.mark.parametrize(("wins", "losses"), [(25, 24), (50, 49)])
def test_equal_differences_share_a_rank(wins: int, losses: int) -> None:
    """1/2 - 1/3 = 1/3 - 1/6. Of 49 equal ranks every choice is as extreme as 25 to 24. Of 99, each
    has the variance 1 and the balance is 1: 1 / sqrt(99) standard deviations."""
    some = [ranked_at(places) for places in ([2] * wins + [6] * losses, [3] * (wins + losses))]
    collection, runs = read_questions(*some)
    design = Design("wilcoxon", Resampling(100))
    (found,) = ave_score.compare(collection, runs, measures="mrr", design=design).comparisons
    expected = 1.0 if wins == 25 else 2 * stats.norm.sf(1 / 99**0.5)
    assert found.pairs[0].p == pytest.approx(expected)


NOT_OF_THE_MEASURE = ("sign", "wilcoxon", "friedman")


@pytest.mark.parametrize("test", NOT_OF_THE_MEASURE)
def test_nothing_is_concluded_against_the_mean(test: str) -> None:
    """A run that is often a little better, but seldom much worse, has the lower mean."""
    often, seldom = [4] * 40 + [6] * 6, [5] * 40 + [1] * 6
    some = [ranked_at(places) for places in (often, seldom, [6] * 46)]
    collection, runs = read_questions(*some)
    design = Design.of(test=test, resampling=Resampling(400))
    whole_report = ave_score.compare(collection, runs, measures=[MRR], design=design)
    (found,) = whole_report.comparisons
    pair = found.pairs[0]
    assert (pair.run, pair.other, pair.score) == ("run1", "run0", (6, 0, 40))
    assert pair.adjusted < 0.05 and not pair.is_significant
    assert "a" in found.standings[1].letters
    notes = whole_report.to_text("markdown")
    assert "run1 and run0: p is small, but the" in notes
    assert "in favour of the run with the better MRR was found within" in notes


@pytest.mark.parametrize(("test", "basis"), [
    slow(("sign", "the number of questions with the better MRR")),
    ("wilcoxon", "the signed ranks of the differences in MRR per question"),
    slow(("friedman", "the mean rank in MRR over questions")),
    slow(("t", "MRR")),
])  # fmt: skip
def test_a_test_of_signs_or_ranks_claims_nothing_of_the_mean(
    test: str, basis: str, tmp_path: Path
) -> None:
    """Of 44 questions a wins 40 by 1/20, and loses 3 by 1/2 and one by 1/3: 1/264 in the mean. The
    means are (10 + 3/2 + 1/6) / 44 and (8 + 3 + 1/2) / 44."""
    places = [4] * 40 + [2] * 3 + [6], [5] * 40 + [1] * 3 + [2], [6] * 44
    questions = [ranked_at(one) for one in places]
    files = [str(put(tmp_path, xml_of(questions[0]), "gold.xml"))]
    for name, one in zip("abc", questions, strict=True):
        files.append(str(put(tmp_path, "".join(lines_of(one)), f"{name}.txt")))
    more = ["--test", test, "--resamples", "400"]
    found = {}
    for form in ("table", "markdown", "latex", "json", "csv"):
        found[form] = " ".join(output("compare", *files, "-m", "mrr", *more, "-f", form).split())
    of_mean = test == "t"
    (rows,) = json.loads(found["json"])["measures"]
    assert [(one["run"], one["ranks"] is None) for one in rows["runs"]] == [
        ("a", not of_mean), ("b", not of_mean), ("c", not of_mean)
    ]  # fmt: skip
    is_significant = {(one["run"], one["other"]): one["significant"] for one in rows["pairs"]}
    assert is_significant["a", "b"] != of_mean
    page = tmp_path / "page.html"
    assert ave("report", *files, "--compare", "mrr", *more, "-o", str(page)).code == 0
    found["page"] = " ".join(html.parse(page).getroot().text_content().split())
    for form in ("table", "markdown", "latex", "page"):
        assert f"By {basis}, " in found[form], form
        assert ("Ranks" in found[form]) == of_mean, form
        assert ("does not compare MRR itself" in found[form]) != of_mean, form
    assert "the ranks of all runs are in these ranges" not in found["table"] or of_mean
    assert (f"significant by {basis}" in found["page"]) != of_mean
    code, out, _ = ave("compare", *files[:3], "-m", "mrr", "--test", test)
    assert code == 2 * (test == "friedman")
    two = " ".join(out.split())
    better = f"By {basis}, a (MRR 0.265) is significantly better than b (MRR 0.261) (p <0.001; "
    assert (better in two) == (test in ("sign", "wilcoxon"))


@pytest.mark.slow
@pytest.mark.parametrize("test", OF_SINGLE_RUNS)
def test_order_and_names_of_runs_change_nothing(test: str) -> None:
    collection, runs = campaign(4)
    design = Design.of(test=test, resampling=Resampling(300, 5))
    (first,) = compare(runs, collection, [QA], design)
    (again,) = compare(runs[::-1], collection, [QA], design)
    assert figures(again) == figures(first)
    assert [pair.run for pair in again.pairs] == [pair.run for pair in first.pairs]
    renamed = {run.name: name for run, name in zip(runs, "zyx", strict=True)}
    back = {new: old for old, new in renamed.items()}
    for run in runs:
        run.name = renamed[run.name]
    (other,) = compare(runs, collection, [QA], design)
    assert figures(other, back) == figures(first)


def test_one_seed_has_one_result() -> None:
    collection, runs = campaign(4)
    (kappa,) = parse_measures("cohen_kappa")  # its interval is by bootstrap
    for test in ("randomisation", "bootstrap"):
        found = [
            figures(compare(runs, collection, [kappa], Design(test, Resampling(300, seed)))[0])
            for seed in (1, 1, 2)
        ]
        assert found[0] == found[1] != found[2]


def test_rankings_are_compared_by_their_values() -> None:
    """MRR as `score` has it, the mean of what the questions have; t of these by scipy."""
    collection, runs = campaign(9)
    (mrr,) = parse_measures("mrr")
    design = Design("t", Resampling(500))
    whole_report = ave_score.compare(collection, runs, measures=[mrr], design=design)
    (found,) = whole_report.comparisons
    rows = {row.run: row for row in ave_score.score(collection, runs, measures="mrr").rows}
    table = whole_report.per_question()
    for one in found.standings:
        assert one.value == rows[one.run].values["mrr"]
        assert table[one.run].mean() == pytest.approx(float(one.value or 0))
    for pair in found.pairs:
        values = (table[pair.run], table[pair.other])
        assert pair.p == pytest.approx(stats.ttest_rel(*values).pvalue)
        first, second = sorted((pair.run, pair.other))
        added = table[f"{first} - {second}"] * (1 if first == pair.run else -1)
        assert [*added] == pytest.approx([*(values[0] - values[1]) / 30])
    (swapped,) = compare(runs, collection, [mrr], Design(resampling=Resampling(4000)))
    for pair in swapped.pairs:
        values = (table[pair.run], table[pair.other])
        theirs = stats.permutation_test(
            values, lambda a, b, axis: a.mean(axis=axis) - b.mean(axis=axis), n_resamples=8000,
            permutation_type="samples", vectorized=True, random_state=3,
        )  # fmt: skip
        # of 4,000 and 8,000 samples a share of one half has an error of 0.01
        assert pair.p == pytest.approx(theirs.pvalue, abs=0.04)


def test_pairs_with_a_baseline_are_those_of_all_pairs() -> None:
    collection, runs = campaign(6, runs=4)
    of_all = compare(runs, collection, [F1], Design(resampling=Resampling(400)))[0]
    design = Design(resampling=Resampling(400), against=runs[1].name, correction="bonferroni")
    found = compare(runs, collection, [F1], design)[0]
    assert {pair.other for pair in found.pairs} == {runs[1].name}
    assert len(found.pairs) == 3
    p = {frozenset((one.run, one.other)): one.p for one in of_all.pairs}
    for pair in found.pairs:
        assert pair.p == p[frozenset((pair.run, pair.other))]
        assert pair.adjusted == pytest.approx(min(1, 3 * pair.p))
    assert not found.groups


def test_differences_are_exact_and_their_intervals_hold_them() -> None:
    collection, runs = campaign(7)
    values = {row.run: row.values["f1"] for row in ave_score.score(collection, runs).rows}
    (found,) = compare(runs, collection, [F1], Design(resampling=Resampling(2000)))
    assert [one.value for one in found.standings] == sorted(
        (one.value for one in found.standings), key=F1.sort_key
    )
    for pair in found.pairs:
        one, other = values[pair.run], values[pair.other]
        assert one is not None
        assert other is not None
        assert pair.difference == one - other >= 0
        assert pair.interval.low <= pair.difference <= pair.interval.high
        assert pair.score is not None
        assert sum(pair.score) == 30


def test_the_margin_of_t_has_as_many_standard_errors_as_its_quantile() -> None:
    """And the difference as many as that of its p."""
    collection, runs = campaign(3, 2, 40)
    (found,) = compare(runs, collection, [QA], Design("t"))
    (pair,) = found.pairs
    assert pair.difference is not None
    error = float(pair.difference) / stats.t.isf(pair.p / 2, 39)
    ends = [float(pair.difference) + sign * error * stats.t.isf(0.025, 39) for sign in (-1, 1)]
    assert pair.interval == pytest.approx(ends)


def test_the_margin_of_tukey_has_the_quantile_of_published_tables() -> None:
    """3.399 standard errors for 3 runs and 60 degrees of freedom at .05, in all tables."""
    collection, runs = campaign(3, 3, 31)
    (found,) = compare(runs, collection, [QA], Design("tukey"))
    pair = found.pairs[1]
    difference = float(pair.difference or 0)
    errors = 3.399 * difference / (pair.interval.high - difference)
    assert stats.studentized_range.sf(errors, 3, 60) == pytest.approx(pair.p, abs=1e-4)


@pytest.mark.parametrize("margin", [1e-9, 0.9])
def test_an_interval_has_0_if_p_says_so(monkeypatch: pytest.MonkeyPatch, margin: float) -> None:
    """Margins come from samples of their own, which may contradict those of p."""
    monkeypatch.setattr("ave_score.inference.compared.ComparedBy._margin", lambda *_: margin)
    collection, runs = campaign(24, 4, 40)
    (found,) = compare(runs, collection, [F1], Design(resampling=Resampling(200)))
    assert {pair.is_significant for pair in found.pairs} == {False, True}
    for pair in found.pairs:
        assert pair.is_significant == (pair.interval.low > 0)
        assert pair.interval.low <= float(pair.difference or 0) <= pair.interval.high


def test_of_many_pairs_those_near_limit_take_all_samples(monkeypatch: pytest.MonkeyPatch) -> None:
    collection, runs = campaign(24, 4, 40)
    design = Design(resampling=Resampling(1000))
    monkeypatch.setattr("ave_score.inference.compared.FIRST_SAMPLES", 100)
    monkeypatch.setattr("ave_score.inference.compared.MANY_PAIRS", 6)  # not yet
    (every,) = compare(runs, collection, [F1], design)
    monkeypatch.setattr("ave_score.inference.compared.MANY_PAIRS", 5)
    (found,) = compare(runs, collection, [F1], design)
    near = [number for number, pair in enumerate(every.pairs) if 0.03 < pair.adjusted < 0.1]
    is_same = [one.p == other.p for one, other in zip(every.pairs, found.pairs, strict=True)]
    assert [is_same[number] for number in near] == [True, True]
    assert not all(is_same)


def test_what_cannot_be_compared() -> None:
    collection, runs = campaign(1)
    for given_runs, design, message in (
        (runs[:1], Design(), "at least two runs"),
        ([runs[0], runs[0]], Design(), "same name"),
        (runs, Design(against="run9"), "no run 'run9' to compare all others with; did you mean"),
        (runs, Design(test="z"), "no test 'z'"),  # type: ignore[arg-type]
        (runs, Design(correction="z"), "no correction 'z'"),  # type: ignore[arg-type]
    ):
        with pytest.raises(ave_score.UsageError, match=message):
            compare(given_runs, collection, [QA], design)


def test_without_scipy_only_what_needs_it_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "scipy", None)
    collection, runs = campaign(3)
    for test in OF_SINGLE_RUNS:
        design = Design.of(test=test, resampling=Resampling(100))
        if test in ("t", "tukey", "friedman"):
            said = rf"^{test} needs scipy: pip install scipy$"
            with pytest.raises(ave_score.UsageError, match=said):
                compare(runs, collection, [QA], design)
        else:
            assert compare(runs, collection, [QA], design)[0].pairs


def chance_pairs(seed: int, times: int, questions: int) -> list[tuple[Floats, Floats]]:
    """Return outcomes of equally good runs on questions of all difficulties."""
    chance = np.random.default_rng(seed)
    made = []
    for _ in range(times):
        easy = chance.random(questions)
        one, other = (chance.random((2, questions)) < easy).astype(float)
        made.append((one, other))
    return made


def share_below(p: Sequence[float], level: float = 0.05) -> float:
    return float((np.array(p) <= level).mean())


@pytest.mark.slow
def test_false_positives_of_the_paired_bootstrap_and_randomisation() -> None:
    """In 400 campaigns a rate of 0.05 has a standard error of 0.011; F of random counts, too."""
    found: dict[str, list[float]] = {"bootstrap": [], "randomisation": [], "of F": []}
    chance = np.random.default_rng(5)
    for seed, (one, other) in enumerate(chance_pairs(2, 400, 60)):
        runs = [answered(one, "a"), answered(other, "b")]
        made = replicate(runs, [QA], Resampling(400, seed))
        seen = whole(runs[0], QA) - whole(runs[1], QA)
        found["bootstrap"].append(bootstrap(made["a", QA.key] - made["b", QA.key], seen))
        found["randomisation"].append(p_of(runs[0], runs[1], QA, 400))
        shared = chance.integers(0, 3, (40, 6))  # what both do alike on a question
        each = [(shared + chance.integers(0, 3, (40, 6))).astype(float) for _ in range(2)]
        found["of F"].append(p_of(validated(each[0], "a"), validated(each[1], "b"), F1, 400))
    for test, p in found.items():
        assert 0.01 < share_below(p) < 0.05 + 3 * 0.011, test
