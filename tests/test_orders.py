"""Orders of runs compared: tau-b and tau-AP against other sources, and the command `orders`."""

from __future__ import annotations

import csv
import io
import json
import random
import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import partial
from itertools import groupby, permutations, product
from pathlib import Path

import numpy as np
import pytest

import ave_score
from ave_score.inference.orders import swapped, tau_ap, tau_b
from tests import each
from tests.helpers_command import ave as ave_score_of

GOLD = "gold/ave2007-es.xml"
RUNS = sorted(map(str, Path("sample_runs/ave2007-es").glob("*.txt")))

X = [0.67, 0.45, 0.29, 0.12, 0.57, 0.24, 0.94, 0.75, 0.08, 0.54]
Y = [0.48, 0.68, 0.32, 0.09, 0.06, 0.61, 0.87, 0.22, 0.44, 0.84]


ave = partial(ave_score_of, "orders")


def exact(values: Sequence[float]) -> list[Fraction]:
    return [Fraction(str(value)) for value in values]


# --- coefficients ---------------------------------------------------------------------------------


def test_tau_ap_equals_the_example_of_ircor() -> None:
    """The example of tauAP and tauAP_a in the manual of the R package ircor, by Urbano."""
    tied = [round(value, 1) for value in Y]
    assert round(float(tau_ap(exact(X), exact(Y)) or 0), 7) == 0.3928571
    assert round(float(tau_ap(exact(X), exact(tied)) or 0), 5) == 0.39903


def orders_of(values: Sequence[Fraction]) -> Iterator[tuple[int, ...]]:
    """Yield every order of the systems, the best first, that equal values leave."""
    ranked = sorted(range(len(values)), key=lambda one: -values[one])
    groups = [[*group] for _, group in groupby(ranked, key=lambda one: values[one])]
    for parts in product(*map(permutations, groups)):
        yield tuple(one for part in parts for one in part)


def by_definition(reference: Sequence[int], judged: Sequence[int]) -> Fraction:
    """2/(n - 1) · sum of C(i)/(i - 1) over ranks i from 2, minus 1 (Yilmaz et al. 2008).

    C(i) is how many of the items above rank i are rightly above it.
    """
    right = [
        Fraction(sum(reference.index(one) < reference.index(item) for one in judged[:rank]), rank)
        for rank, item in enumerate(judged)
        if rank
    ]
    return 2 * sum(right, Fraction(0)) / (len(judged) - 1) - 1


@each("seed", range(30))
def test_tau_ap_is_the_mean_over_all_orders_of_ties(seed: int) -> None:
    chance = random.Random(seed)
    size = chance.randint(2, 5)
    one, two = ([Fraction(chance.randint(0, 3)) for _ in range(size)] for _ in range(2))
    values = [by_definition(a, b) for a, b in product(orders_of(one), orders_of(two))]
    assert tau_ap(one, two) == sum(values, Fraction(0)) / len(values)


@each("seed", range(60))
def test_tau_b_equals_scipy(seed: int) -> None:
    from scipy.stats import kendalltau

    chance = np.random.default_rng(seed)
    one, two = chance.integers(0, 5, (2, chance.integers(1, 7))).astype(float) / 4
    expected = kendalltau(one, two).statistic if len(one) > 1 else np.nan
    found = tau_b(exact(one), exact(two))
    assert (np.nan if found is None else float(found)) == pytest.approx(expected, nan_ok=True)


def test_swapped_pairs_by_hand() -> None:
    """a > b > c = d against b > d > a = c: b is above a, d above c and a; ties are no swaps."""
    assert swapped(exact([4, 3, 2, 2]), exact([1, 3, 1, 2])) == [(0, 1), (0, 3)]


# --- runs -----------------------------------------------------------------------------------------


def test_orders_are_those_of_the_scores() -> None:
    """Of error, a lower value is better."""
    from scipy.stats import kendalltau

    found = ave_score.orders(GOLD, RUNS, measures="f1, error, qa_accuracy")
    scores = ave_score.score(GOLD, RUNS, measures="f1, error, qa_accuracy").to_frame()
    scores = scores[scores["kind"] == "AV"]
    assert [(one.reference.measure.key, one.other.measure.key) for one in found.compared] == [
        ("f1", "error"), ("f1", "qa_accuracy"), ("error", "qa_accuracy"),
    ]  # fmt: skip
    scores["error"] = -scores["error"]
    for one in found.compared:
        first, second = (scores[order.measure.key] for order in (one.reference, one.other))
        assert float(one.tau or 0) == pytest.approx(kendalltau(first, second).statistic)
        pairs = product(scores.index, repeat=2)
        expected = {(a, b) for a, b in pairs if first[a] > first[b] and second[a] < second[b]}
        assert {*one.swapped} == expected
        assert one.pairs == 10
        assert one.runs[0] == first.idxmax()


@pytest.fixture
def judge(tmp_path: Path) -> str:
    """Write the collection with other labels, in another order: every third answer is correct."""
    gold = ave_score.read_collection(GOLD)
    ids = [*zip(gold.index.q_ids, gold.index.a_ids, strict=True)]
    rows = [
        f"{q_id}\t{a_id}\t{'VALIDATED' if at % 3 == 0 else 'REJECTED'}\n"
        for at, (q_id, a_id) in enumerate(ids)
    ]
    path = tmp_path / "judge.tsv"
    path.write_text("q_id\ta_id\tlabel\n" + "".join(reversed(rows)))
    return str(path)


def test_two_golds_order_runs_as_they_score_them(judge: str) -> None:
    found = ave_score.orders(GOLD, RUNS, measures="f1, qa_accuracy", other=judge)
    for one in found.compared:
        key = one.other.measure.key
        assert one.reference.measure == one.other.measure
        assert (one.reference.collection, one.other.collection) == (GOLD, judge)
        for order, gold in ((one.reference, GOLD), (one.other, judge)):
            scores = ave_score.score(gold, RUNS, measures=key)
            rows = {row.run: row.values[key] for row in scores.rows if row.kind == "AV"}
            assert order.values == rows
    assert found.signature.endswith(f"|other:{ave_score.read_collection(judge).sha256[:12]}")


def test_an_order_and_itself_are_equal() -> None:
    """Error is 1 - accuracy."""
    _, out, _ = ave(GOLD, *RUNS, "-m", "accuracy,error")
    assert re.search(r"^Accuracy +Error +1\.00 +1\.00 +0 of 10$", out, re.M)
    assert "Swapped pairs" not in out


def test_tau_has_no_intervals() -> None:
    policies = ave_score.Policies(intervals=ave_score.IntervalPolicy(level=95))
    with pytest.raises(ave_score.UsageError, match="tau has no intervals"):
        ave_score.orders(GOLD, RUNS, policies=policies)


def test_runs_without_a_value_are_left_out_and_named(tmp_path: Path) -> None:
    """A run that rejects everything has no correlation with the labels."""
    none = tmp_path / "none.txt"
    gold = ave_score.read_collection(GOLD)
    ids = zip(gold.index.q_ids, gold.index.a_ids, strict=True)
    none.write_text("".join(f"{q} {a} REJECTED 0.5\n" for q, a in ids))
    _, out, _ = ave(GOLD, *RUNS, str(none), "-m", "mcc,f1")
    assert "Left out where MCC is undefined: none." in out
    assert "of 10" in out
    assert "5 runs make only 10 pairs" in out


def test_excluded_answers_leave_the_questions_that_all_runs_judge(
    judge: str, tmp_path: Path
) -> None:
    """A run without the first question: as if no file had it, with either gold."""
    part = []
    for number, path in enumerate([*RUNS, GOLD, judge]):
        text = Path(path).read_text()
        if path == GOLD:
            text = re.sub('<q id="0001".*?</q>', "", text, flags=re.S)
        else:
            lines = text.splitlines(keepends=True)
            text = "".join(line for line in lines if not line.startswith("0001"))
        part.append(tmp_path / f"{number}{Path(path).name}")
        part[-1].write_text(text)
    options = ["--missing", "excluded", "-m", "f1,qa_accuracy", "-f", "json"]
    gold = ave_score.read_collection(GOLD)
    assert gold.index.questions[0] == "0001"
    *runs, other_gold, other_judge = map(str, part)
    _, out, err = ave(GOLD, *RUNS[1:], runs[0], "--other", judge, *options)
    assert "left out" in err
    _, expected, _ = ave(other_gold, *runs, "--other", other_judge, *options)
    found, without = json.loads(out), json.loads(expected)
    assert "compared on the 169 of 170 questions" in found["notes"][0]
    for one, two in zip(found["orders"], without["orders"], strict=True):
        assert (one["tau"], one["tau_ap"]) == (two["tau"], two["tau_ap"])
        for order in ("reference", "other"):
            assert sorted(one[order]["values"].values()) == sorted(two[order]["values"].values())


def test_qa_systems_have_orders_too() -> None:
    _, out, _ = ave("gold/ave2007-es.qa.tsv", "-f", "csv")
    (row,) = csv.DictReader(io.StringIO(out))
    assert (row["measure"], row["other_measure"]) == ("c_at_1", "answering_accuracy")


# --- the command ----------------------------------------------------------------------------------

SPANISH = [GOLD, *RUNS]


@each(
    "arguments, code, message",
    [
        ([GOLD], 2, "at least two needed"),
        (SPANISH[:2], 2, "at least two needed"),
        ([*SPANISH, "-m", "f1"], 2, "two orders are needed"),
        ([*SPANISH, "-m", "f1,nonsense"], 2, "no measure 'nonsense'"),
        ([*SPANISH, "-m", "f1,auc", "--other", "gold/tiny.xml"], 2, "lacks 564 answers"),
        ([*SPANISH, "--ci", "95"], 2, "No such option"),
        ([*SPANISH, "-o", GOLD], 2, "is also an input file"),
        ([*SPANISH, "--other", GOLD, "--qa"], 2, "No such option"),
        (["gold/ave2007-es.qa.tsv", "--other", GOLD], 2, "only its own judgements"),
        ([*SPANISH, "--other", RUNS[0]], 1, "the collection is invalid"),
        ([*SPANISH, "none.txt"], 2, "none.txt"),
        (["gold/lists.json", "sample_runs/lists/brief.tsv"], 2, "responses to open questions"),
    ],
)
def test_what_has_no_two_orders_is_refused(arguments: list[str], code: int, message: str) -> None:
    found, out, err = ave(*arguments)
    assert (found, out) == (code, ""), err
    assert message in err


@pytest.mark.parametrize("width", [60, 80])
def test_tables_fit_the_terminal(monkeypatch: pytest.MonkeyPatch, judge: str, width: int) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    for more in (["--other", judge, "-m", "f1,qa_accuracy"], ["-m", "f1,accuracy,qa_accuracy"]):
        code, out, _ = ave(*SPANISH, *more)
        assert code == 0
        lines = [one for one in out.splitlines() if "ave-score:" not in one and judge not in one]
        assert max(map(len, lines)) <= width
    assert "5 runs make only 10 pairs: a swap changes tau by 0.20 or more." in " ".join(out.split())


def test_measures_and_names_count_once() -> None:
    with pytest.raises(ave_score.UsageError, match="two orders are needed"):
        ave_score.orders(GOLD, RUNS, measures=["f1", "f1"])
    runs = [ave_score.read_run(path, ave_score.read_collection(GOLD)) for path in RUNS[:1]]
    with pytest.raises(ave_score.UsageError, match="two runs have the same name"):
        ave_score.orders(GOLD, runs * 2)


def test_json_has_everything() -> None:
    _, out, _ = ave(*SPANISH, "-m", "f1,accuracy", "-f", "json")
    document = json.loads(out)
    (one,) = document["orders"]
    assert document["schema"] == "ave-score/orders/1"
    assert one["pairs"] == 10
    values = one["reference"]["values"], one["other"]["values"]
    for better, worse in one["swapped"]:
        assert values[0][better] > values[0][worse]
        assert values[1][better] < values[1][worse]
    _, out, _ = ave(*SPANISH, "-m", "f1,accuracy", "-f", "csv")
    (row,) = csv.DictReader(io.StringIO(out))
    assert float(row["tau"]) == pytest.approx(one["tau"])
    assert int(row["swapped"]) == len(one["swapped"])
