"""The swap method, against the algorithm of Voorhees and Buckley in plain loops."""

from __future__ import annotations

import csv
import io
import json
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ave_score import Agreement, Sampling, parse_measures
from ave_score.inference.samples import Unit, count_units, draw, score_samples
from ave_score.inference.swap import BINS, Swaps, swap_counts
from tests import each, examples, mostly_slow
from tests.helpers_command import ave, here_with, output, refusal
from tests.helpers_files import put
from tests.oracle import make_campaign
from tests.test_oracle import read
from tests.test_stability import CASES, Exact, counts_of_units, exact_scores, put_campaign

SEEDS = st.integers(0, 10**9)
LEVEL = Agreement(95)


def transcribed(first: Exact, second: Exact) -> tuple[list[int], list[int], list[Fraction]]:
    """Return comparisons and swaps of each bin, and all differences of the first samples."""
    compared, swapped, seen = [0] * 21, [0] * 21, []
    for a in range(len(first[0])):
        for b in range(a + 1, len(first[0])):
            for one, other in zip(first, second, strict=True):
                scores = (one[a], one[b], other[a], other[b])
                if None in scores:
                    continue
                x, y, x_other, y_other = (score or Fraction(0) for score in scores)
                difference, again = x - y, x_other - y_other
                bin_ = 0
                while bin_ < 20 and abs(difference) >= Fraction(bin_ + 1, 100):
                    bin_ += 1
                compared[bin_] += 1
                if difference * again < 0:
                    swapped[bin_] += 1
                seen.append(abs(difference))
    return compared, swapped, seen


def naive_required(
    compared: list[int], swapped: list[int], seen: list[Fraction], agreement: Agreement
) -> Fraction | None:
    """Try every bin with differences in it: is it good enough?"""
    compared = [compared[0] - seen.count(Fraction(0)), *compared[1:]]
    for start in range(21):
        most = 1 - Fraction(agreement.level) / 100
        if compared[start] and Fraction(swapped[start], compared[start]) <= most:
            return Fraction(start, 100)
    return None


@pytest.mark.parametrize(
    ("key", "unit"), mostly_slow([case for case in CASES if case[0] != "n_right"], 2)
)
@given(SEEDS, st.integers(2, 4))
@settings(max_examples=examples(24))
def test_equal_to_the_published_algorithm(key: str, unit: Unit, seed: int, runs: int) -> None:
    """Both are given the same samples; one has arrays of floats, the other loops of fractions."""
    collection, read_runs = read(make_campaign(seed, questions=15, runs=runs))
    (measure,) = parse_measures(key)
    counted = count_units(read_runs, collection, [measure], unit)
    (sampled,) = score_samples(counted, unit, [measure], Sampling(None, 30, seed), 2)
    (masks,) = draw(counted[0].questions, sampled.sampling, 2, [30])
    counts = [counts_of_units(run, collection, measure.family, unit) for run in read_runs]
    first, second = (exact_scores(measure, counts, mask.tolist()) for mask in masks)
    compared, swapped, seen = transcribed(first, second)
    found = swap_counts(sampled.scores)
    assert list(found.comparisons) == compared
    assert list(found.swaps) == swapped
    assert found.undefined == 30 * runs * (runs - 1) // 2 - len(seen)
    for level in (LEVEL, Agreement(70)):
        required = naive_required(compared, swapped, seen, level)
        assert found.required(level) == required
        if seen and required is not None:
            share = sum(one >= required for one in seen) / len(seen)
            assert float(found.sensitivity(level) or 0) == pytest.approx(share)
            relative = float(found.relative(level) or 0)
            highest = max(abs(one) for one in np.ravel(sampled.scores) if not np.isnan(one))
            assert relative == pytest.approx(float(required) / highest if highest else 0)


def test_the_second_sample_is_as_random_as_the_first() -> None:
    """2 and 2 of 5 units: 30 pairs of samples, each about 100 times of 3000, deviation 10."""
    ((first, second),) = draw(5, Sampling(2, 3000, 8), 2, [3000])
    drawn, times = np.unique(np.hstack([first, second]), axis=0, return_counts=True)
    assert len(drawn) == 30
    assert 50 < times.min() <= times.max() < 150


def scores(*differences: tuple[float, float]) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    """Return scores of two runs with these differences in the first and the second sample."""
    pairs = np.array(differences, dtype=float)
    return np.stack([pairs.T + 0.5, np.full_like(pairs.T, 0.5)], axis=2)


def test_by_hand() -> None:
    """Nine comparisons. bin 0.00 (0.00 .. 0.01): 0 and 0.005, of which the second swaps: 1/2 bin
    0.05: 0.05, -0.055, 0.059, the second of which swaps: 1/3 bin 0.08: 0.08, without a swap: 0 bin
    0.20: 0.20, 0.30 and -0.40: none swaps, in the last the second sample is tied"""
    drawn = [(0, 0.3), (0.005, -0.1), (0.05, 0.1), (-0.055, 0.01), (0.059, 0.2)]
    found = swap_counts(scores(*drawn, (0.08, 0.08), (0.20, 0.01), (0.30, 0.3), (-0.40, 0)))
    compared, swapped = {0: 2, 5: 3, 8: 1, 20: 3}, {0: 1, 5: 1}
    assert found.comparisons == tuple(compared.get(place, 0) for place in range(BINS))
    assert found.swaps == tuple(swapped.get(place, 0) for place in range(BINS))
    rates = {0: Fraction(1, 2), 5: Fraction(1, 3), 8: 0, 20: 0}
    assert [*map(found.error_rate, range(BINS))] == [*map(rates.get, range(BINS))]
    assert found.equal == 1
    assert found.required(LEVEL) == Fraction(8, 100)
    assert found.largest == Fraction(4, 10)
    assert found.highest == Fraction(8, 10)  # 0.5 and 0.30
    assert found.relative(LEVEL) == Fraction(1, 10)  # 0.08 of 0.80
    assert found.sensitivity(LEVEL) == Fraction(4, 9)
    # 2/3 of right comparisons are enough in bin 0.05, too, but not in the first
    assert found.required(Agreement(Fraction(200, 3))) == Fraction(5, 100)
    assert found.sensitivity(Agreement(Fraction(200, 3))) == Fraction(7, 9)
    # of the differences in bin 0.00, 0 is none, and 0.005 swaps
    assert found.required(Agreement(50)) == Fraction(5, 100)
    assert found.required(Agreement(Fraction(1, 10))) == Fraction(5, 100)


@each("difference, place", [
    *((0, 0), (0.0099, 0), (0.01, 1), (-0.01, 1), (0.07, 7), (0.29 - 0.22, 7), (0.1999, 19)),
    *((0.2, 20), (0.21, 20), (1, 20)),
])  # fmt: skip
def test_bins_have_their_lower_end(difference: float, place: int) -> None:
    """0.29 - 0.22 is 0.07, which floats miss."""
    found = swap_counts(scores((difference, difference)))
    assert found.comparisons.index(1) == place


def swaps_of(*bins: tuple[int, int, int]) -> Swaps:
    """Return comparisons and swaps of some bins, by their number."""
    compared, swapped = [0] * BINS, [0] * BINS
    for place, comparisons, swaps in bins:
        compared[place], swapped[place] = comparisons, swaps
    return Swaps(tuple(compared), tuple(swapped), 0, Fraction(1, 2), Fraction(4, 5))


def test_the_required_difference_is_the_first_bin_with_few_swaps() -> None:
    """Thesis, pp. 86 and 118. 5 of 100 are just few enough; what larger bins have is no matter."""
    found = swaps_of((1, 100, 6), (2, 100, 5), (3, 100, 6), (6, 100, 0))
    assert found.required(LEVEL) == Fraction(2, 100)
    assert found.relative(LEVEL) == Fraction(2, 80)
    assert found.sensitivity(LEVEL) == Fraction(3, 4)
    assert swaps_of((0, 10, 1), (4, 10, 1)).required(LEVEL) is None
    few = swaps_of((0, 10, 0), (4, 10, 0))
    assert few.required(LEVEL) == 0
    # equal scores are no difference: 10 equal pairs leave nothing in the first bin
    assert few._replace(equal=10).required(LEVEL) == Fraction(4, 100)
    # 1 of 21 is few enough, 1 of the 11 that are not equal is not
    some = swaps_of((0, 21, 1), (4, 10, 0))
    assert some.required(LEVEL) == 0
    assert some._replace(equal=10).required(LEVEL) == Fraction(4, 100)


def test_a_larger_difference_may_be_less_certain() -> None:
    """5 of 100 are just few enough; a bad bin below the first good one is no matter."""
    assert swaps_of((1, 100, 0), (3, 100, 6), (6, 100, 5)).is_contradicted(LEVEL)
    assert not swaps_of((1, 100, 6), (6, 100, 5), (9, 100, 0)).is_contradicted(LEVEL)
    nothing = swaps_of((1, 100, 7), (20, 100, 6))
    assert nothing.required(LEVEL) is None
    assert nothing.relative(LEVEL) is None
    assert nothing.sensitivity(LEVEL) == 0
    assert not nothing.is_contradicted(LEVEL)


def test_undefined_scores_are_in_no_comparison() -> None:
    second = [[0.5, 0.1], [np.nan, 0.1], [0.2, 0.3]]
    found = swap_counts(np.array([[[0.5, np.nan], [0.5, 0.4], [0.5, 0.4]], second]))
    assert found.undefined == 2
    assert sum(found.comparisons) == sum(found.swaps) == 1
    # a measure that tells nothing apart is not sensitive
    alike = swap_counts(np.full((2, 3, 2), 0.5))
    assert sum(alike.comparisons) == 3
    assert alike.largest == alike.sensitivity(LEVEL) == 0
    assert alike.required(LEVEL) is None
    assert alike.relative(LEVEL) is None
    nothing = swap_counts(np.full((2, 3, 2), np.nan))
    assert (nothing.largest, nothing.required(LEVEL), nothing.sensitivity(LEVEL)) == (None,) * 3


here = here_with({})


def test_every_format_says_the_same() -> None:
    runs = sorted(map(str, Path("sample_runs/ave2008-es").glob("*_1.txt.gz")))
    arguments = ["swap", "gold/ave2008-es.xml.gz", *runs, "-m", "accuracy,qa_accuracy"]
    arguments += ["--resamples", "60", "--size", "40", "--level", "70"]
    document = json.loads(output(*arguments, "--format", "json"))
    assert document["schema"] == "ave-score/swap/1"
    assert document["level"] == 70
    drawn = "resamples:60|seed:0|unit:questions|size:40|level:70"
    assert document["signature"].endswith(drawn)
    rows = list(csv.DictReader(io.StringIO(output(*arguments, "--format", "csv"))))
    bins = [one for measure in document["measures"] for one in measure["bins"]]
    assert len(rows) == len(bins) == 42
    for row, one in zip(rows, bins, strict=True):
        assert int(row["comparisons"]) == one["comparisons"]
        assert int(row["swaps"]) == one["swaps"]
        rate = one["swaps"] / one["comparisons"] if one["comparisons"] else None
        assert one["error_rate"] == rate
        assert (float(row["error_rate"]) if row["error_rate"] else None) == rate
    for measure in document["measures"]:
        assert sum(one["comparisons"] for one in measure["bins"]) == 180  # 3 pairs, 60 times
        enough = [one for one in measure["bins"] if one["difference"] >= measure["required"]]
        assert enough[0]["error_rate"] <= 0.3
        share = sum(one["comparisons"] for one in enough) / 180
        assert measure["sensitivity"] == pytest.approx(share)
        assert measure["relative"] == pytest.approx(measure["required"] / measure["highest"])
    for format_ in ("table", "markdown", "latex"):
        table = output(*arguments, "--format", format_, "--digits", "3")
        for measure in document["measures"]:
            for name, scale in (("highest", 1), ("relative", 100), ("sensitivity", 100)):
                assert f"{scale * measure[name]:.3f}" in table
        assert "0.20 and more" in table
        assert "40 of 136 questions" in table
        assert "3 runs make only 3 pairs" in table


def test_no_difference_is_enough(here: Path) -> None:
    """Runs that were made by chance, and contradict each other at any difference."""
    arguments = [
        "swap",
        *put_campaign(here, seed=7),
        "-m",
        "qa_accuracy",
        "--level",
        "99.9",
    ]
    (measure,) = json.loads(output(*arguments, "--format", "json"))["measures"]
    assert max(one["error_rate"] for one in measure["bins"][20:]) > 0.001
    assert (measure["required"], measure["relative"], measure["sensitivity"]) == (None, None, 0)
    (row,) = [line.split() for line in output(*arguments).splitlines() if "of 20 questions" in line]
    assert (row[6], row[8], row[9]) == ("n/a", "n/a", "0.00")


def put_opposites(here: Path) -> list[str]:
    """Write two questions, a run that is right on each, and two runs that are right on both."""
    put(here, "<ave>" + "".join(map(QUESTION.format, "12")) + "</ave>", "opposites.xml")
    names = []
    for run, right in {"a": "1", "b": "2", "c": "12", "d": "12"}.items():
        lines = [
            f"{q} {a} {'SELECTED' if (a == '1') == (q in right) else 'REJECTED'} 1\n"
            for q in "12"
            for a in "12"
        ]
        names.append(f"{run}.txt")
        put(here, "".join(lines), names[-1])
    return ["opposites.xml", *names, "-m", "qa_accuracy", "--resamples", "10", "-f", "csv"]


QUESTION = '<q id="{}"><a id="1" value="VALIDATED"/><a id="2" value="REJECTED"/></q>'


@pytest.mark.parametrize(("command", "size", "digits", "row"), [
    # On each question, three pairs differ by 1, and only a and b swap. Bins are no figures.
    ("swap", "1", [], "questions,1,0.2,30,10,0.3333333333333333"),
    ("swap", "1", ["--digits", "1"], "questions,1,0.2,30,10,0.3"),
    ("swap", "1", ["--digits", "0"], "questions,1,0.2,30,10,0"),
    # On both questions, a equals b and c equals d: two of six pairs are ties.
    ("stability", "2", [], "questions,2,0.05,0.0,0.3333333333333333"),
    ("stability", "2", ["--digits", "1"], "questions,2,0.05,0.0,0.3"),
    ("stability", "2", ["--digits", "2"], "questions,2,0.05,0.00,0.33"),
])  # fmt: skip
def test_csv_has_the_decimals_that_are_set(
    command: str, size: str, digits: list[str], row: str, here: Path
) -> None:
    rows = output(command, *put_opposites(here), "--size", size, *digits).splitlines()
    assert f"qa_accuracy,{row}" in rows


def test_two_samples_need_twice_the_units(here: Path) -> None:
    gold, *runs = put_campaign(here)
    more = ["-m", "qa_accuracy", "--resamples", "5", "--size"]
    said = refusal("swap", gold, *runs, *more, "11")
    assert "2 disjoint samples need 22: --size 10 at most" in said
    assert ave("stability", gold, *runs, *more, "11").code == 0
    assert ave("swap", gold, *runs, *more, "10").code == 0


def test_what_has_no_bins_is_refused(here: Path) -> None:
    said = refusal("swap", *put_campaign(here), "-m", "n_right,f1,n_wrong")
    assert "n_right, n_wrong: counts of questions" in said


def test_the_table_says_that_a_larger_difference_is_less_certain(here: Path) -> None:
    arguments = ["swap", *put_campaign(here, seed=7), "-m", "qa_accuracy", "--level", "90"]
    first = json.loads(output(*arguments, "--format", "json"))
    rates = {n: one["error_rate"] for n, one in enumerate(first["measures"][0]["bins"])}
    # samples have 10 questions, so differences are multiples of 0.10; bin 0 has only equal scores
    assert rates[0] == 0
    assert rates[10] <= 0.1 < rates[20]
    assert first["measures"][0]["required"] == 0.1
    note = "A larger difference is less certain for QA accuracy: see the bins."
    assert note in output(*arguments)
    assert note not in output(*arguments[:-1], "60")
