"""The studentised swap test beside every way of swapping, scipy, by hand, and under the null. The
statistic of these tests is computed question by question, with derivatives by hand; the module
computes it from sums of products, with numeric derivatives."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import product
from pathlib import Path

import numpy as np
import pytest

import ave_score
from ave_score import Resampling, parse_measures
from ave_score.counts import VALIDATION
from ave_score.inference.by_question import ByQuestion, Floats
from ave_score.inference.randomisation import Randomisation
from ave_score.inference.student import quantile, tail
from ave_score.inference.studentised import Studentised
from benchmarks.unlike import Case
from tests.conftest import ROOT
from tests.helpers_command import document_of, output
from tools.own import own_files

stats = pytest.importorskip("scipy.stats", reason="SCIPY IS MISSING: pip install scipy")


F1, PRECISION, RECALL = parse_measures("f1,precision,recall")


def f1(totals: Floats) -> tuple[float, Floats]:
    """Return F of correct and incorrect accepted and correct rejected answers, and derivatives."""
    cv, iv, cr = totals[:3]
    size = 2 * cv + iv + cr
    if not size:
        return 0.0, np.zeros(6)
    slopes = [2 * (iv + cr), -2 * cv, -2 * cv, 0, 0, 0]
    return 2 * cv / size, np.array(slopes) / size**2


def precision(totals: Floats) -> tuple[float, Floats]:
    cv, iv = totals[:2]
    size = cv + iv
    if not size:
        return 0.0, np.zeros(6)
    return cv / size, np.array([iv, -cv, 0, 0, 0, 0]) / size**2


USED = {"f1": [0, 1, 2], "precision": [0, 1]}
"""The counts that a measure is computed from."""

Slopes = Callable[[Floats], tuple[float, Floats]]


def statistic(one: Floats, other: Floats, measure: Slopes, used: list[int]) -> float:
    """Return T: the difference over its standard error, a question at a time. A run has at least
    the variance of both by size if it has none of its own, or less than half of the other's
    size."""
    number, both = len(one), (one + other).sum(axis=0) / 2
    (a, of_a), (b, of_b) = measure(one.sum(axis=0)), measure(other.sum(axis=0))
    _, pooled = measure(both)
    of_both = sum(float((rows @ pooled) @ (rows @ pooled)) for rows in (one, other)) / 2
    left, right = one @ of_a, other @ of_b  # these sum to 0: the measures are ratios
    own = []
    sizes = [rows[:, used].sum() for rows in (one, other)]
    for added, size, least in zip((left, right), sizes, sizes[::-1], strict=True):
        variance = float(added @ added)
        floor = of_both * both[used].sum() / size if size else np.inf
        is_doubtful = variance < 1e-6 * floor or 2 * size < least
        own.append(max(variance, floor) if is_doubtful else variance)
    variance = (sum(own) - 2 * float(left @ right)) * number / (number - 1)
    return 0.0 if abs(a - b) < 1e-11 else (a - b) / max(variance, 1e-300) ** 0.5


def random_runs(chance: np.random.Generator, number: int) -> tuple[Floats, Floats]:
    """Return the counts of two runs on the same answers, one of which accepts much more."""
    correct = chance.random((number, 3)) < 0.4
    runs = []
    for of_correct, of_incorrect in ((0.9, 0.6), (0.5, 0.15)):
        shares = np.where(correct, of_correct, of_incorrect)
        accepted = chance.random(correct.shape) < shares
        cells = [correct & accepted, ~correct & accepted, correct & ~accepted, ~correct & ~accepted]
        counts = [cell.sum(axis=1) for cell in cells]
        runs.append(np.column_stack([*counts, 0 * counts[0], 0 * counts[0]]).astype(float))
    return runs[0], runs[1]


def counted(one: Floats, other: Floats) -> tuple[ByQuestion, ByQuestion]:
    return ByQuestion("a", {VALIDATION: one}), ByQuestion("b", {VALIDATION: other})


def studentised_of(one: Floats, other: Floats, key: str, samples: int = 10_000) -> Studentised:
    (measure,) = parse_measures(key)
    return Studentised(*counted(one, other), measure, Resampling(samples))


def is_of_means(one: Floats, other: Floats, key: str) -> bool:
    (measure,) = parse_measures(key)
    return Case("", measure, ()).pair(np.stack([one, other]), 0).is_of_means


def degrees(one: Floats, other: Floats, used: list[int]) -> int:
    return int(min((rows[:, used] > 0).any(axis=1).sum() for rows in (one, other))) - 1


@pytest.mark.parametrize(("key", "measure"), [("f1", f1), ("precision", precision)])
def test_p_goes_through_every_way_of_swapping(key: str, measure: Slopes) -> None:
    """Of 7 questions there are 128 ways; p is not below that of scipy's t."""
    chance, used = np.random.default_rng(3), USED[key]
    count = 0
    while count < 25:
        one, other = random_runs(chance, 7)
        if not all(rows[:, used].sum() for rows in (one, other)):
            continue
        count += 1
        seen = abs(statistic(one, other, measure, used))
        extreme = 0
        for swaps in product([False, True], repeat=7):
            swapped = np.array(swaps)[:, None]
            made = statistic(
                np.where(swapped, other, one), np.where(swapped, one, other), measure, used
            )
            extreme += abs(made) >= seen * (1 - 1e-6)
        free = degrees(one, other, used)
        least = 2 * stats.t.sf(seen, free) if free else 1.0
        expected = 1.0 if not seen else max(extreme / 128, least)
        made_test = studentised_of(one, other, key)
        assert made_test.observed == pytest.approx(seen, rel=1e-5)
        result = made_test.test()
        assert result.is_exact
        assert result.p == pytest.approx(expected, rel=1e-5)


@pytest.mark.parametrize(("key", "measure"), [("f1", f1), ("precision", precision)])
def test_sampled_p_comes_near_to_that_of_plain_swaps(key: str, measure: Slopes) -> None:
    """2,000 plain swaps: a standard error of at most .011."""
    chance, used = np.random.default_rng(9), USED[key]
    one, other = random_runs(chance, 40)
    seen = abs(statistic(one, other, measure, used))
    made = []
    for swapped in chance.random((2000, 40, 1)) < 0.5:
        sides = np.where(swapped, other, one), np.where(swapped, one, other)
        made.append(abs(statistic(*sides, measure, used)))
    plain = float(np.mean(np.array(made) >= seen))
    expected = max(plain, 2 * stats.t.sf(seen, degrees(one, other, used)))
    result = studentised_of(one, other, key).test()
    assert not result.is_exact and 0.02 < result.p < 0.98
    assert result.p == pytest.approx(expected, abs=0.04)


def test_tail_and_quantile_of_t_equal_scipy() -> None:
    for free in (1, 2, 5, 30, 169, 2_000, 100_000):
        for at in (0.01, 0.5, 1.0, 2.0, 5.0, 12.0):
            assert tail(at, free) == pytest.approx(2 * stats.t.sf(at, free), rel=1e-6)
        for level in (0.5, 0.05, 1e-4):
            assert quantile(level, free) == pytest.approx(stats.t.isf(level / 2, free), rel=1e-6)
    assert tail(3.0, 0) == 1
    assert quantile(0.05, 0) == np.inf


def accepting_all(chance: np.random.Generator, number: int) -> tuple[Floats, Floats]:
    """Return runs of equal F: one accepts all four answers of a question, one the surest. One
    answer is correct, so the first has 2 / (2 + 3) = .4. The second accepts the correct one with
    probability .4, and each of the others with .8 / 3 (.4 - .2) = .2: 2 · .4 / (1 + .4 + .6) is .4,
    too."""
    everything = np.tile([1.0, 3, 0, 0, 0, 0], (number, 1))
    right = chance.random(number) < 0.4
    wrong = (chance.random((number, 3)) < 0.2).sum(axis=1)
    counts = [right, wrong, ~right, 3 - wrong, 0 * wrong, 0 * wrong]
    return everything, np.column_stack(counts).astype(float)


@pytest.mark.slow
def test_runs_of_equal_f_that_accept_unlike_amounts_are_not_told_apart() -> None:
    """At a level of .05 in 300 campaigns: within 2.5 standard errors (.0126) of it. The plain
    difference is at least twice as often significant."""
    chance, found = np.random.default_rng(11), {Studentised: 0, Randomisation: 0}
    for seed in range(300):
        runs = counted(*accepting_all(chance, 60))
        for test in (Studentised, Randomisation):
            found[test] += test(*runs, F1, Resampling(400, seed)).test().p <= 0.05
    assert found[Studentised] / 300 <= 0.05 + 2.5 * 0.0126
    assert found[Randomisation] > 2 * found[Studentised] + 10


def test_the_interval_excludes_0_if_and_only_if_p_is_at_most_the_level() -> None:
    """Before the comparison makes both agree: but for errors of sampling, if p is near .05."""
    chance = np.random.default_rng(5)
    decided = [0, 0]
    for number in (8, 30, 90):
        for _ in range(12):
            test = studentised_of(*random_runs(chance, number), "f1", 2000)
            result, margin = test.test(), test.margin(0.05)
            if not result.is_exact and abs(result.p - 0.05) < 0.01:
                continue
            difference = test.observed * test.error
            assert (difference > margin) == (result.p <= 0.05)
            decided[result.p <= 0.05] += 1
    assert min(decided) >= 5


ONE_EACH = np.array([[1.0, 1, 0, 1, 0, 0], [0, 0, 1, 2, 0, 0], [0, 1, 1, 1, 0, 0]])
"""Questions with 1 correct and 2 incorrect answers; of the next ones 2 are correct, of one none."""
TWO_CORRECT = np.array([[1.0, 0, 1, 1, 0, 0], [2, 1, 0, 0, 0, 0]])
NO_CORRECT = np.array([[0.0, 1, 0, 2, 0, 0]])
LARGE = np.array([[1.0, 1, 0, 4, 0, 0]])


@pytest.mark.parametrize(("questions", "of_means"), [
    # 1 correct and 2 incorrect answers: the denominators of recall and specificity
    ([ONE_EACH], "recall specificity accuracy error_1"),
    ([ONE_EACH, TWO_CORRECT], "accuracy error_1"),
    # a question without a correct answer has no denominator of recall, and does not count
    ([ONE_EACH, NO_CORRECT], "recall accuracy error_1"),
    # a question of 6 answers, of which 1 is correct
    ([ONE_EACH, LARGE], "recall"),
])  # fmt: skip
def test_a_difference_is_one_of_means_if_all_denominators_are_the_same(
    questions: list[Floats], of_means: str
) -> None:
    """Of both runs; F and its kin depend on what is accepted, so they never are."""
    rows = np.vstack(questions * 6)
    other = np.vstack([rows[2::-1], rows[3:]])
    keys = ["recall", "specificity", "accuracy", "error_1", "f1", "precision", "mcc", "cohen_kappa"]
    found = [key for key in keys if is_of_means(rows, other, key)]
    assert sorted(found) == sorted(of_means.split())


def test_runs_that_accept_equally_many_answers_of_each_question_have_a_mean() -> None:
    """Precision of two runs that accept one answer each, and of one that accepts none of some."""
    one, other = ONE_EACH[[0, 1]] * 0 + [[1, 0, 0, 2, 0, 0], [0, 1, 1, 1, 0, 0]], ONE_EACH[[1, 1]]
    assert is_of_means(one, one[::-1], "precision")
    assert not is_of_means(one, other, "precision")


UNLIKE = {"a": ["1"] * 30 + ["12"] * 10, "b": ["12"] * 25 + ["2"] * 5 + ["1"] * 10}
"""What two runs accept of a right and a wrong answer to each question, 1 and 2."""

COUNTS = {"1": [1.0, 0, 0, 1, 0, 0], "12": [1.0, 1, 0, 0, 0, 0], "2": [0.0, 1, 1, 0, 0, 0]}


def test_power_is_that_of_own_denominators_whatever_the_test(tmp_path: Path) -> None:
    """By the delta method: z is the sum of derivative times count of each run; their deviation."""
    files = put(tmp_path, **UNLIKE)
    one, other = (np.array([COUNTS[accepted] for accepted in run]) for run in UNLIKE.values())
    difference = one @ f1(one.sum(axis=0))[1] - other @ f1(other.sum(axis=0))[1]
    for test in ("randomisation", "t", "bootstrap"):
        arguments = ["compare", *files, "-m", "f1", "--test", test, "--power", "-f", "json"]
        (measure,) = document_of(*arguments)["measures"]
        expected = 40 * difference.std(ddof=1)
        assert measure["power"][0]["deviation"] == pytest.approx(expected, rel=1e-6)


def test_few_accepted_answers_beside_a_million_others() -> None:
    """6 correct and 2 incorrect: the derivatives of 6 / 8 are 2 / 64 and -6 / 64, as of any n."""
    for others in (10.0, 1e6):
        totals = np.array([[6.0, 2, others, 4 * others, 0, 0]])
        slopes = ByQuestion("a", {VALIDATION: totals}).slopes(PRECISION, totals)
        assert slopes[0] == pytest.approx([2 / 64, -6 / 64, 0, 0, 0, 0], rel=1e-6, abs=1e-15)


def test_ways_in_which_the_measure_is_undefined_cause_no_warning() -> None:
    """Of 2 correct and 2 incorrect answers, each run accepts one; swapped, one accepts nothing.
    They differ on 2 answers, and 2 of the 4 ways leave a run without MCC."""
    correct, wrong, missed, rejected = np.eye(6)[:4]
    one = np.array([missed, missed, rejected, wrong])
    other = np.array([missed, correct, rejected, rejected])
    with np.errstate(invalid="raise"):
        test = studentised_of(one, other, "mcc")
        assert test.test().p == 1
        assert test.margin(0.05) == np.inf


GOLD = "<ave>{}</ave>"
SECOND = [("", "SELECTED"), ("SELECTED", "VALIDATED")]
"""The verdicts of accepted answers, without and with the first one."""
QUESTION = '<q id="{0}"><a id="{0}_1" value="VALIDATED"/><a id="{0}_2" value="REJECTED"/></q>'


def put(folder: Path, **runs: list[str]) -> list[str]:
    """Write a collection of two answers a question, and runs that accept those named for each."""
    number = len(next(iter(runs.values())))
    gold = folder / "gold.xml"
    gold.write_text(GOLD.format("".join(QUESTION.format(n) for n in range(number))), "utf-8")
    paths = [str(gold)]
    for number, (name, accepted) in enumerate(runs.items()):
        lines = [  # no run is a copy of another
            f"{n} {n}_{a} {'REJECTED' if a not in some else verdict} 0.5{number}"
            for n, some in enumerate(accepted)
            for a, verdict in zip("12", SECOND["1" in some], strict=True)
        ]
        path = folder / f"{name}.txt"
        path.write_text("\n".join([*lines, ""]), "utf-8")
        paths.append(str(path))
    return paths


def compared(*arguments: str) -> tuple[str, dict[str, dict[str, object]]]:
    """Return the text of a comparison, and its pairs by names of both runs."""
    text = " ".join(output("compare", *arguments).split())
    (measure,) = document_of("compare", *arguments)["measures"]
    return text, {f"{pair['run']} {pair['other']}": pair for pair in measure["pairs"]}


def test_a_run_that_accepts_nothing_has_no_precision_to_test(tmp_path: Path) -> None:
    """Its F is 0, and tested: from 40 to none of 40 correct answers is not by chance."""
    files = put(tmp_path, all=["12"] * 40, none=[""] * 40, right=["1"] * 35 + ["2"] * 5)
    text, pairs = compared(*files, "-m", "precision")
    why = "no question contributes to Precision of none"
    assert f"Not tested: {why} (2 pairs)." in text
    assert "; not tested: none)" in text
    untested = [pair for key, pair in pairs.items() if "none" in key]
    assert [(one["p"], one["low"], one["reason"]) for one in untested] == [(None, None, why)] * 2
    assert pairs["right all"]["p"] is not None and not pairs["right all"]["reason"]
    text, pairs = compared(*files[:3], "-m", "precision")
    assert f"cannot be compared: {why}." in text
    text, pairs = compared(*files, "-m", "f1")
    p = pairs["all none"]["p"]
    assert isinstance(p, float) and p < 0.001 and "Not tested" not in text


def test_figures_from_few_questions_are_called_rough(tmp_path: Path) -> None:
    files = put(tmp_path, few=["1"] * 6 + ["2"] * 6 + [""] * 28, many=["12"] * 40)
    text, pairs = compared(*files, "-m", "precision")
    assert "p and interval are rough: Precision of few rests on 12 questions." in text
    rough = "p and interval are rough: Precision of few rests on 12 questions"
    assert pairs["few many"]["reason"] == rough


def test_no_interval_goes_beyond_what_a_measure_can_differ_by(tmp_path: Path) -> None:
    """Two answers, one of them right, have a precision between nearly 0 and nearly 1."""
    files = put(tmp_path, two=["1", "2"] + [""] * 38, many=["1"] * 38 + ["2"] * 2)
    _, pairs = compared(*files, "-m", "precision")
    low, high = pairs["many two"]["low"], pairs["many two"]["high"]
    assert isinstance(low, float) and isinstance(high, float)
    assert -1 <= low < 0 and 0.9 < high <= 1


def test_equal_runs_have_p_1(tmp_path: Path) -> None:
    """Of 40 questions, Tango's limit of no difference is z^2 / (40 + z^2), for values of 0 and 1.
    The rule of three has 2 * (1 - 0.05 ** (1 / 40)) for others, from -1 to 1."""
    half = dict.fromkeys(("f1", "precision", "qa_accuracy"), 0.0876216012) | {"mcc": 0.144315049}
    files = put(tmp_path, a=["1"] * 30 + ["2"] * 10, b=["1"] * 30 + ["2"] * 10)
    for measure in ("f1", "precision", "mcc", "qa_accuracy"):
        _, pairs = compared(*files, "-m", measure)
        assert pairs["a b"]["p"] == 1
        ends = pairs["a b"]["low"], pairs["a b"]["high"]
        assert ends == pytest.approx((-half[measure], half[measure]))


def test_runs_at_the_same_bound_have_p_1(tmp_path: Path) -> None:
    """Precision 1 from 40 and from 20 questions: at a bound, it has slopes by other counts only."""
    files = put(tmp_path, a=["1"] * 40, c=["1"] * 20 + [""] * 20, d=["12"] * 40)
    text, pairs = compared(*files, "-m", "precision", "--pairs")
    assert pairs["a c"]["p"] == 1
    assert pairs["a c"]["reason"] == (
        "Precision of these runs shows no variance to compute one from; "
        "p and interval are rough: Precision of c rests on 20 questions"
    )
    assert "Not tested" not in text
    text, _ = compared(*files[:3], "-m", "precision", "--pairs")
    assert "No interval: Precision of these runs shows no variance" in text
    assert "this test gives none" not in text
    files = put(tmp_path, a=["1"] * 40, b=["1"] * 40, c=["12"] * 40)  # F is 1, 1 and 2/3
    _, pairs = compared(*files, "-m", "f1")
    assert pairs["a b"]["p"] == 1


@pytest.mark.parametrize("test", ["randomisation", "t"])
def test_unlike_runs_at_one_bound_are_not_called_equivalent(tmp_path: Path, test: str) -> None:
    """Precision 1 from 40 and from 6 questions shows no variance; equal runs have their number."""
    files = put(tmp_path, a=["1"] * 40, b=["1"] * 6 + [""] * 34, c=["1"] * 40)
    arguments = ["-m", "precision", "--test", test, "--power", "--equivalence", "0.1"]
    for some in (files, files[:3]):
        (measure,) = document_of("compare", *some, *arguments)["measures"]
        power = {one["run"] + one["other"]: one["p_equivalent"] for one in measure["power"]}
        ends = {one["run"] + one["other"]: one["low"] for one in measure["pairs"]}
        assert power["ab"] is None and ends["ab"] is None
        # of three pairs, Tango's limit at 0.05 / 3: z^2 / (40 + z^2)
        # were one question in ten another, 40 would show none with .9^40
        assert power.get("ac", 0.9**40) == pytest.approx(0.9**40)
        assert ends.get("ac", -0.1253224689) == pytest.approx(-0.1253224689)


@pytest.mark.parametrize("test", ["randomisation", "t"])
def test_runs_that_accept_nothing_beside_one_that_does(tmp_path: Path, test: str) -> None:
    """Neither has a precision to test, nor a deviation."""
    files = put(tmp_path, a=[""] * 40, b=[""] * 40, c=["12"] * 20 + ["1"] * 20)
    arguments = [*files, "-m", "precision", "--test", test, "--power", "0.1"]
    text, pairs = compared(*arguments)
    assert [pair["p"] for pair in pairs.values()] == [None] * 3
    assert "Not tested" in text


def test_runs_that_differ_on_too_few_questions_for_the_test(tmp_path: Path) -> None:
    """Of the 2^m ways of swapping m questions, 2 are as extreme: p is at least 1/2 of two of them.
    F has the interval of Student's t with m - 1 degrees of freedom, if there is more than one."""
    same = [*["12"] * 10, *["1"] * 28]
    files = put(tmp_path, a=[*same, "1", "1"], b=[*same, "2", "2"], c=[*same, "1", "2"])
    text, pairs = compared(*files, "-m", "f1", "--pairs", "--correction", "none")
    by_t = "by Student's t, because the runs differ on too few questions for the test to reject any"
    assert pairs["a b"]["reason"] == by_t
    # each of the two questions adds 2/90 to the difference D; 10 have the denominator 3, the others
    # 2, of 90, and D times this is taken from what they add
    difference = 4 / 90
    squares = 2 * (2 - 2 * difference) ** 2 + (10 * 3**2 + 28 * 2**2) * difference**2
    error = (40 / 39 * squares) ** 0.5 / 90
    margin = stats.t.ppf(0.975, 1) * error
    assert pairs["a b"]["low"] == pytest.approx(difference - margin)
    assert pairs["a b"]["high"] == pytest.approx(difference + margin)
    _, strict = compared(*files, "-m", "f1", "--correction", "none", "--level", "99.9")
    assert strict["a b"]["low"] is None  # t of 636.6: the interval has every difference
    assert pairs["a c"]["reason"] == "the runs differ on too few questions"
    assert pairs["a c"]["low"] is None
    assert f"Interval: {by_t} (1 pair)." in text
    assert "No interval: the runs differ on too few questions (2 pairs)." in text


def likeliest(wins: int, losses: int, number: int, difference: float) -> float:
    """Return the likeliest share of losses if that of wins is larger by a difference."""

    def likelihood(lost: float) -> float:
        shares = (lost + difference, wins), (lost, losses)
        others = (1 - 2 * lost - difference, number - wins - losses)
        return sum(times * float(np.log(max(share, 1e-300))) for share, times in (*shares, others))

    low, high = max(0.0, -difference), (1 - difference) / 2
    for _ in range(200):
        first, second = low + (high - low) / 3, high - (high - low) / 3
        low, high = (first, high) if likelihood(first) < likelihood(second) else (low, second)
    return low


@pytest.mark.parametrize(("wins", "losses"), [(3, 1), (1, 0), (2, 2)])
def test_shares_that_differ_on_few_questions(tmp_path: Path, wins: int, losses: int) -> None:
    """Tango 1998: at both ends the score is the normal quantile; its maximum is found by search."""
    same = ["1"] * (40 - wins - losses)
    a, b = ([*same, *[one] * wins, *[other] * losses] for one, other in ("12", "21"))
    files = put(tmp_path, a=a, b=b)
    text, pairs = compared(*files, "-m", "qa_accuracy", "--pairs")
    pair = pairs["a b"]
    for end in (pair["low"], pair["high"]):
        assert isinstance(end, float)
        spread = 40 * (2 * likeliest(wins, losses, 40, end) + end * (1 - end))
        score = abs(wins - losses - 40 * end) / spread**0.5
        assert score == pytest.approx(stats.norm.ppf(0.975), abs=1e-4)
    assert "Interval: by Tango's score, because the runs differ on too few questions" in text


def test_t_of_a_ratio_by_hand(tmp_path: Path) -> None:
    """T is that of the test of swaps, with as many degrees of freedom."""
    files = put(tmp_path, **UNLIKE)
    _, pairs = compared(*files, "-m", "f1", "--test", "t")
    one, other = (np.array([COUNTS[accepted] for accepted in run]) for run in UNLIKE.values())
    seen = statistic(one, other, f1, USED["f1"])
    assert pairs["a b"]["p"] == pytest.approx(2 * stats.t.sf(seen, 39), rel=1e-5)
    half = stats.t.isf(0.025, 39) * (f1(one.sum(axis=0))[0] - f1(other.sum(axis=0))[0]) / seen
    low = f1(one.sum(axis=0))[0] - f1(other.sum(axis=0))[0] - half
    assert pairs["a b"]["low"] == pytest.approx(low, rel=1e-5)


def test_the_name_of_the_test_of_a_ratio(tmp_path: Path) -> None:
    files = put(tmp_path, **UNLIKE)
    text, _ = compared(*files, "-m", "f1")
    assert "; studentised paired randomisation test" in text
    text, _ = compared(*files, "-m", "qa_accuracy")
    assert "; paired randomisation test" in text


@pytest.mark.slow
def test_means_of_shipped_campaigns_keep_p_and_intervals() -> None:
    """The figures of version 0.1.0 before ratios were studentised (commit 630f5a5). Other samples
    were drawn then: of 10,000, p differs by up to a tenth or, near 1, where samples of tails say
    little, by .03; and an interval by 5 % of its width. Recall and accuracy of questions with
    unlike numbers of answers were taken for means then, and are not compared. Questions without a
    correct answer widened the intervals of recall: only its p is."""
    compared = 0
    kept = json.loads((ROOT / "tests/data/p_of_means.json").read_text("utf-8"))
    assert sum(len(pairs) for measures in kept.values() for pairs in measures.values()) > 200
    for name, measures in kept.items():
        gold = next(iter(sorted((ROOT / "gold").glob(f"{name}.xml*"))))
        runs = own_files(f"sample_runs/{name}")
        found = ave_score.compare(gold, runs, measures=",".join(measures))
        for comparison in found.comparisons:
            if comparison.ratios:
                assert comparison.measure.key in ("recall", "accuracy")
                continue
            compared += len(comparison.pairs)
            expected = measures[comparison.measure.key]
            for pair, known in zip(comparison.pairs, expected, strict=True):
                assert [pair.run, pair.other] == known[:2]
                # intervals did not end at the largest possible difference
                figures = np.clip([np.nan if one is None else one for one in known[2:]], -1, 1)
                p, ends = figures[0], figures[1:]
                assert pair.p == pytest.approx(p, rel=0.1, abs=0.03 if p > 0.5 else 0, nan_ok=True)
                if comparison.measure.key == "recall":
                    continue
                if pair.method:  # there was none
                    assert np.isnan(ends).all()
                    continue
                width = 0 if np.isnan(ends).any() else ends[1] - ends[0]
                assert pair.interval == pytest.approx(ends, abs=0.05 * width + 1e-9, nan_ok=True)
    assert compared > 400
