"""Selective answering and calibration: by hand, by every order of ties, against other programs."""

from __future__ import annotations

import itertools
import random
from array import array
from collections.abc import Sequence
from decimal import Context, Decimal
from fractions import Fraction as F

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ave_score import parse_measures
from ave_score.core import exact
from ave_score.core.exact import ln_of_product, sum_of_inverses, sum_of_spans
from ave_score.counts import ConfidenceCounts, SelfScoreCounts
from ave_score.measures import NotApplicable, by_rank
from ave_score.measures.by_rank import precisions, precisions_at_ties, precisions_of_right
from tests import each, examples

few = settings(max_examples=examples(60), deadline=None)
SURE = st.sampled_from([0.0, 0.25, 0.3, 0.5, 0.75, 1.0])
ANSWERS = st.lists(st.tuples(SURE, st.booleans()), min_size=1, max_size=6)
SHARE = st.fractions(0, 1, max_denominator=10)

Answer = tuple[float, bool]


def value(name: str, counts: ConfidenceCounts | SelfScoreCounts) -> F:
    (measure,) = parse_measures(name)
    found = measure(counts)
    assert found is not None, name
    return found


def judged(answers: Sequence[Answer], ties: str = "average") -> ConfidenceCounts:
    """Return answers, all of which are rejected: the measures below see confidences only."""
    return ConfidenceCounts(array("d", [c for c, _ in answers]), bytes(y for _, y in answers), ties)


def returned(answers: Sequence[Answer], ties: str = "file", silent: int = 0) -> SelfScoreCounts:
    confidences = array("d", [c for c, _ in answers])
    size = len(answers) + silent
    return SelfScoreCounts(confidences, bytes(y for _, y in answers), size, ties=ties)


# right, wrong, right, wrong from the surest on; the fifth question is left unanswered
BY_HAND = [(0.9, True), (0.8, False), (0.6, True), (0.3, False)]


@each(
    "name, expected",
    [
        # risks 0, 1/2, 1/3, 1/2; the best order has 0, 0, 1/3, 1/2
        ("aurc", F(4, 12)),
        ("e_aurc", F(1, 2) / 4),
        # generalised risk 0, 0, 1/4, 1/4, 1/2 at coverage 0, 1/4, 1/2, 3/4, 1: trapezoids
        ("augrc", (F(1, 8) + F(1, 4) + F(3, 8)) / 4),
        # of five questions: the first, the first two, three, four; more were not answered
        ("risk_at_coverage(0)", F(0)),
        ("risk_at_coverage(0.2)", F(0)),
        ("risk_at_coverage(0.21)", F(1, 2)),
        ("risk_at_coverage(0.6)", F(1, 3)),
        ("risk_at_coverage", F(1, 2)),
        ("risk_at_coverage(0.8)", F(1, 2)),
        # 1/5 at 0, 3/5 at 1/3, 4/5 at 1/2
        ("coverage_at_risk(0)", F(1, 5)),
        ("coverage_at_risk", F(1, 5)),
        ("coverage_at_risk(0.333)", F(1, 5)),
        ("coverage_at_risk(0.334)", F(3, 5)),
        ("coverage_at_risk(0.5)", F(4, 5)),
        ("coverage_at_risk(1)", F(4, 5)),
    ],
)
def test_selective_answering_by_hand(name: str, expected: F) -> None:
    for ties in ("file", "trec", "average"):
        assert value(name, returned(BY_HAND, ties, silent=1)) == expected


def test_coverages_that_are_not_reached_or_inside_ties() -> None:
    (measure,) = parse_measures("risk_at_coverage(0.81)")
    assert measure(returned(BY_HAND, silent=1)) is None
    assert value("coverage_at_risk(0.4)", returned([(0.9, False), (0.2, False)])) == 0
    # risks 0, 1/4, 1/3: the second rank is inside a tie
    tied = returned([(0.9, True), (0.5, True), (0.5, False)], "average")
    assert value("coverage_at_risk(0.3)", tied) == F(2, 3)


def test_published_examples_of_torch_uncertainty() -> None:
    """The examples in the documentation of its CovAtxRisk (0.8) and RiskAtxCov."""
    answers = [(0.9, True), (0.6, False), (0.8, True), (0.5, False), (0.7, True)]
    assert value("coverage_at_risk(0.3)", returned(answers)) == F(4, 5)
    confidences = [0.9, 0.7, 0.95, 0.8, 0.6, 0.7, 0.85, 0.8]
    rights = [True, False, True, False, True, True, False, True]
    # 0.95, 0.9, 0.85 (wrong) and one of two of 0.8: it prints 0.25 for the right one of these
    answers = [*zip(confidences, rights, strict=True)]
    assert value("risk_at_coverage(0.5)", returned(answers, "average")) == (F(1, 4) + F(2, 4)) / 2


def ordered(answers: Sequence[Answer]) -> list[bool]:
    return [y for _, y in sorted(answers, key=lambda one: -one[0])]


def orders(answers: Sequence[Answer]) -> list[list[bool]]:
    """Return every order in which no surer answer stands behind another."""
    every = itertools.permutations(answers)
    return [
        [y for _, y in some]
        for some in every
        if all(one[0] >= other[0] for one, other in itertools.pairwise(some))
    ]


def risks(order: Sequence[bool]) -> list[F]:
    return [F(order[:i].count(False), i) for i in range(1, len(order) + 1)]


def area(order: Sequence[bool]) -> F:
    return sum(risks(order), F(0)) / len(order)


def excess(order: Sequence[bool]) -> F:
    return area(order) - min(map(area, itertools.permutations(order)))


def generalised(order: Sequence[bool]) -> F:
    """Return the area of trapezoids below the share of wrong answers given, of all answers."""
    wrong = [F(order[:i].count(False), len(order)) for i in range(len(order) + 1)]
    return sum(((a + b) / 2 for a, b in itertools.pairwise(wrong)), F(0)) / len(order)


@given(ANSWERS, SHARE, st.integers(0, 2))
@few
def test_ties_are_the_mean_over_every_order(answers: list[Answer], x: F, silent: int) -> None:
    every = orders(answers)
    counts = returned(answers, "average", silent)
    size = counts.self_questions
    for name, function in (("aurc", area), ("augrc", generalised)):
        assert value(name, counts) == sum(map(function, every), F(0)) / len(every)
    more = value("aurc", counts) - area(every[0])
    assert value("e_aurc", counts) == excess(every[0]) + more
    curve = [sum(some, F(0)) / len(every) for some in zip(*map(risks, every), strict=True)]
    (at_coverage,) = parse_measures("risk_at_coverage")
    (at_risk,) = parse_measures("coverage_at_risk")
    needed = max(1, next(k for k in range(size + 1) if F(k, size) >= x))
    expected = curve[needed - 1] if needed <= len(answers) else None
    assert at_coverage.with_values([x])(counts) == expected
    covered = [F(i, size) for i, risk in enumerate(curve, 1) if risk <= x]
    assert at_risk.with_values([x])(counts) == max(covered, default=0)


@given(ANSWERS, SHARE)
@few
def test_ties_in_file_order(answers: list[Answer], x: F) -> None:
    order, counts = ordered(answers), returned(answers)
    assert value("augrc", counts) == generalised(order)
    assert value("e_aurc", counts) == excess(order)
    (at_risk,) = parse_measures("coverage_at_risk")
    covered = [i for i, risk in enumerate(risks(order), 1) if risk <= x]
    assert at_risk.with_values([x])(counts) == F(max(covered, default=0), len(answers))


@pytest.mark.parametrize("seed", range(3))
def test_augrc_is_that_of_the_authors(seed: int) -> None:
    """Traub and others, equation 9: (1 - AUROC)·a·(1 - a) + (1 - a)²/2 with the accuracy a."""
    metrics = pytest.importorskip("sklearn.metrics", reason="SCIKIT-LEARN IS NOT COMPARED")
    chance = random.Random(seed)
    answers = [(chance.randrange(20) / 20, chance.random() < 0.7) for _ in range(300)]
    rights, sure = [y for _, y in answers], [c for c, _ in answers]
    accuracy = sum(rights) / len(rights)
    expected = (1 - metrics.roc_auc_score(rights, sure)) * accuracy * (1 - accuracy)
    expected += (1 - accuracy) ** 2 / 2
    assert float(value("augrc", returned(answers, "average"))) == pytest.approx(expected, abs=1e-12)


def test_many_answers_have_the_area_of_the_limit() -> None:
    """Geifman and others: the best area of many answers is 1 - a + a·ln(a)."""
    rights = [i % 5 != 0 for i in range(30_000)]
    answers = [(1 - i / 2**20, y) for i, y in enumerate(rights)]
    best = 0.2 + 0.8 * -0.22314355131420976
    found = float(value("aurc", returned(answers)) - value("e_aurc", returned(answers)))
    assert found == pytest.approx(best, abs=1e-4)


def test_sums_of_inverses_beyond_exact_ones() -> None:
    """H(20000) - H(10000) and H(20000), by Euler's expansion with the constant 0.5772..."""
    assert float(sum_of_inverses(10_000, 20_000)) == pytest.approx(0.693122181184942, abs=1e-13)
    assert float(sum_of_inverses(0, 20_000)) == pytest.approx(10.480728217229327, abs=1e-12)


SIZES = st.sampled_from([1, 1, 2, 3, 7, 40, 1500])
TIES = st.lists(st.tuples(SIZES, st.integers(0, 1500)), min_size=1, max_size=9)


@given(TIES)
@few
def test_sums_over_ranks_of_ties_are_those_rank_by_rank(ties: list[tuple[int, int]]) -> None:
    """C(i)/i is R/i · (H(r + s) - H(r)) and so on; floats behind the limit are as good."""
    sizes = [size for size, _ in ties]
    rights = [min(size, right) for size, right in ties]
    groups = by_rank.Ranked(np.array(sizes), np.array(rights))
    functions = precisions, precisions_of_right, precisions_at_ties
    exactly = [float(sum_of_spans(function(groups))) for function in functions]
    with pytest.MonkeyPatch.context() as patched:
        for module in (exact, by_rank):
            patched.setattr(module, "EXACT_TERMS", 3)
        rounded = [float(sum_of_spans(function(groups))) for function in functions]
    assert rounded == pytest.approx(exactly, rel=1e-14)
    assert exactly == pytest.approx(naive_sums(sizes, rights), rel=1e-12)


def naive_sums(sizes: list[int], rights: list[int]) -> list[float]:
    """Return the sums of C(i)/i over all ranks, over correct ones, and over ties, in floats."""
    every = of_right = at_ties = 0.0
    before = above = 0
    for size, right in zip(sizes, rights, strict=True):
        more = (right - 1) / max(1, size - 1)
        for j in range(size):
            every += (above + (j + 1) * right / size) / (before + j + 1)
            of_right += right / size * (above + 1 + j * more) / (before + j + 1)
        before, above = before + size, above + right
        at_ties += right * above / before
    return [every, of_right, at_ties]


def natural(number: F) -> Decimal:
    """Return a logarithm to 90 digits."""
    context = Context(prec=90)
    return context.subtract(context.ln(number.numerator), context.ln(number.denominator))


@given(st.lists(st.tuples(st.floats(0.001, 0.999), st.booleans()), min_size=1, max_size=9))
@few
def test_log_loss_has_sixty_decimals(answers: list[Answer]) -> None:
    likely = [F(repr(c)) if y else 1 - F(repr(c)) for c, y in answers]
    exact = -sum(map(F, map(natural, likely)), F(0)) / len(likely)
    assert abs(value("log_loss", judged(answers)) - exact) <= F(1, 10**60)


@pytest.mark.parametrize("seed", range(3))
def test_scikit_learn_has_the_same_log_loss_and_average_precision(seed: int) -> None:
    metrics = pytest.importorskip("sklearn.metrics", reason="SCIKIT-LEARN IS NOT COMPARED")
    chance = random.Random(seed)
    answers = [(chance.randint(1, 99) / 100, chance.random() < 0.3) for _ in range(2500)]
    rights, sure = [y for _, y in answers], [c for c, _ in answers]
    counts = judged(answers)
    loss = metrics.log_loss(rights, sure)
    assert float(value("log_loss", counts)) == pytest.approx(loss, abs=1e-12)
    expected = metrics.average_precision_score(rights, sure)
    for ties in ("average", "file", "trec"):
        found = float(value("average_precision", judged(answers, ties)))
        assert found == pytest.approx(expected, abs=1e-12)


def test_a_certainty_that_is_wrong_is_infinite() -> None:
    (measure,) = parse_measures("log_loss")
    for answers in ([(0.0, True), (0.5, True)], [(1.0, False)]):
        with pytest.raises(NotApplicable, match="a confidence of 0 or 1 is wrong"):
            measure(judged(answers))
    assert value("log_loss", judged([(0.0, False), (1.0, True)])) == 0


def test_logarithms_of_long_products() -> None:
    """Factorials by Stirling's series, whose next term is below 10^-19, and 1."""
    assert ln_of_product({}) == ln_of_product({1: 2}) == 0
    # ln(1000!), Abramowitz and Stegun, table 6.4 has log10(1000!) = 2567.6046442
    found = ln_of_product(dict.fromkeys(range(1, 1001), 1)) / ln_of_product({10: 1})
    assert float(found) == pytest.approx(2567.6046442, abs=5e-8)
    for times in (16, 17, 10**9):
        assert abs(ln_of_product({7: times}) - times * ln_of_product({7: 1})) < F(1, 10**60)


def test_bins_of_equal_mass_by_hand() -> None:
    """Seven answers in three bins: 0 1 2, 3 4 and 5 6 by their rank; ties go to the lower bin."""
    rights = [False, True, False, True, True, False, True]
    sure = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.9]
    different = [*zip(sure, rights, strict=True)]
    gap = abs(F(6, 10) - 1) + abs(F(9, 10) - 2) + abs(F(15, 10) - 1)
    assert value("ece(3, bins=mass)", judged(different)) == gap / 7
    # 0.3 three times: ranks 2, 3 and 4 are in the bin of rank 2
    tied = [*zip([0.1, 0.2, 0.3, 0.3, 0.3, 0.6, 0.9], rights, strict=True)]
    gap = abs(F(12, 10) - 3) + abs(F(15, 10) - 1)
    for order in (tied, tied[::-1]):
        assert value("ece(3, bins=mass)", judged(order)) == gap / 7
    # with as many bins as answers each distinct confidence has its own
    gap = F(1, 10) + F(8, 10) + abs(F(9, 10) - 2) + F(6, 10) + F(1, 10)
    assert value("ece(7, bins=mass)", judged(tied)) == gap / 7


@pytest.mark.parametrize("bins", [1, 4, 10])
def test_scikit_learn_has_the_same_bins_of_equal_mass(bins: int) -> None:
    """Its edges are quantiles, which are between answers if all differ and bins are full."""
    calibration = pytest.importorskip("sklearn.calibration", reason="CALIBRATION IS NOT COMPARED")
    chance = random.Random(bins)
    size = 40 * bins
    sure = [one / 10_000 for one in chance.sample(range(1, 10_000), size)]
    rights = [chance.random() < c for c in sure]
    shares, means = calibration.calibration_curve(rights, sure, n_bins=bins, strategy="quantile")
    expected = sum(abs(a - b) for a, b in zip(shares, means, strict=True)) / bins
    name = f"ece({bins}, bins=mass)"
    found = value(name, judged([*zip(sure, rights, strict=True)]))
    assert float(found) == pytest.approx(expected, abs=1e-12)


@given(ANSWERS)
@few
def test_decisions_of_pan_are_those_of_its_evaluator(answers: list[Answer]) -> None:
    """Counted as its evaluator of 2022 does, answer by answer."""
    tp = fp = fn = open_ones = right = 0
    for c, y in answers:
        decided = None if c == 0.5 else c > 0.5
        open_ones += decided is None
        tp += decided is True and y
        fp += decided is True and not y
        fn += decided is False and y
        right += decided is y
    counts, size = judged(answers), len(answers)
    (measure,) = parse_measures("f_05_u")
    below = 1.25 * tp + 0.25 * (fn + open_ones) + fp
    found = measure(counts)
    assert (found is None) == (below == 0)
    assert found is None or float(found) == pytest.approx(1.25 * tp / below)
    expected = (right + open_ones * right / size) / size
    assert float(value("c_at_1_pan", counts)) == pytest.approx(expected)
