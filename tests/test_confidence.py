"""Measures of confidence: by hand, by every order of ties, against other programs; properties."""

from __future__ import annotations

import decimal
import math
import random
import warnings
from array import array
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import ave_score
from ave_score import AveScoreWarning, Policies, parse_measures
from ave_score.core import exact as numbers
from ave_score.counts import ConfidenceCounts, SelfScoreCounts
from tests import each
from tests import helpers_ranked as naive
from tests.helpers_files import COLLECTION, put
from tests.helpers_ranked import (
    SEEDS,
    Item,
    Question,
    condensed,
    exact,
    make_questions,
    mean,
    mean_over_orders,
    often,
    row_of,
    tied,
    untied,
)

CONFIDENCE = "confidence"
OF_ANSWERS = {
    *("cws_rte", "ap_rte", "pearson_r", "brier", "ece", "auc", "log_loss", "average_precision"),
    *("f_05_u", "c_at_1_pan"),
}
SELECTIVE = {"aurc", "e_aurc", "augrc", "risk_at_coverage", "coverage_at_risk"}
OF_QUESTIONS = {"cws", "k", "k1"} | SELECTIVE
OUTSIDE = "confidences are outside 0..1 (AVE108)"


def judged(questions: Sequence[Question]) -> list[Item]:
    return [item for question in questions for item in condensed(question)]


def selected(questions: Sequence[Question]) -> list[Item]:
    return [item for item in judged(questions) if item.verdict == "SELECTED"]


def test_these_are_all_measures_of_confidence() -> None:
    assert {one.name for one in parse_measures(CONFIDENCE)} == OF_ANSWERS | OF_QUESTIONS


def answer(right: bool, confidence: str, verdict: str = "SELECTED") -> Item:
    return Item("VALIDATED" if right else "REJECTED", verdict, confidence)


BY_HAND = [
    # three correct answers, two validated: 0.8 is right, 0.4 is wrong
    [answer(True, "0.8"), answer(False, "0.4", "VALIDATED"), answer(True, "0.3", "REJECTED"),
        answer(True, "0.2", "REJECTED")],
    # left unanswered
    [answer(True, "0.1", "REJECTED")],
    # one correct answer, three validated, and a wrong one selected
    [answer(True, "0.5", "VALIDATED"), answer(False, "0.6"), answer(False, "0", "VALIDATED")],
]  # fmt: skip


@each("key, expected", [
    # (0.8 - 0.4) / 3, nothing, (0.5 - 0.6 - 0) / 3
    ("k", (Fraction(4, 30) - Fraction(1, 30)) / 3),
    ("k1", (Fraction(8, 10) - Fraction(6, 10)) / 3),
    # of three questions: right, wrong, and unanswered is not right
    ("cws", (1 + Fraction(1, 2) + Fraction(1, 3)) / 3),
    ("aurc", (0 + Fraction(1, 2)) / 2),
    # in the order of confidence R W R W R R R W: 0.8 0.6 0.5 0.4 0.3 0.2 0.1 0
    ("ap_rte", (1 + Fraction(2, 3) + Fraction(3, 5) + Fraction(4, 6) + Fraction(5, 7)) / 5),
    ("auc", Fraction(5 + 4 + 3, 15) - Fraction(3, 15) - Fraction(1, 15)),
    # (0.2² + 0.4² + 0.7² + 0.8² + 0.9² + 0.5² + 0.6² + 0²) / 8
    ("brier", Fraction(4 + 16 + 49 + 64 + 81 + 25 + 36 + 0, 800)),
    # decisions, the surest first; a rejection of c is as sure as 1 - c: 0.9 wrong, 0.8 right
    # and 0.8 wrong, 0.7 wrong, 0.6 wrong, 0.5 right, 0.4 wrong, 0 wrong; C(2) is 1 or 0
    (
        "cws_rte",
        (0 + Fraction(1, 4) + Fraction(1, 3) + Fraction(1, 4) + Fraction(1, 5) + Fraction(2, 6))
        / 8
        + (Fraction(2, 7) + Fraction(2, 8)) / 8,
    ),
    # two bins, (0, 0.5] and (0.5, 1]: |0.4 + 0.3 + 0.2 + 0.1 + 0.5 + 0 - 4|, |0.8 + 0.6 - 1|
    ("ece(2)", (Fraction(25, 10) + Fraction(4, 10)) / 8),
    # one bin: |2.9 - 5| / 8
    ("ece(1)", Fraction(21, 80)),
])  # fmt: skip
def test_figures_by_hand(key: str, expected: Fraction) -> None:
    assert exact(row_of(BY_HAND, key), key) == expected


def test_cws_of_trec_by_hand() -> None:
    """Wrong, right, right, right, wrong in the order of confidence; TREC 2002's formula."""
    places = [(True, "0.8"), (False, "0.1"), (True, "0.4"), (False, "0.9"), (True, "0.7")]
    row = row_of([[answer(*one)] for one in places], "cws, aurc")
    c_over_i = Fraction(0, 1) + Fraction(1, 2) + Fraction(2, 3) + Fraction(3, 4) + Fraction(3, 5)
    assert row.values["cws"] == c_over_i / 5 and row.values["aurc"] == 1 - c_over_i / 5


def test_edges_of_bins_belong_to_the_lower_one_and_0_to_the_first() -> None:
    """Ten bins: 0.1 stands with 0 and 0.05, 0.3 alone; floats would put 3 · 0.1 elsewhere."""
    items = [(True, "0"), (False, "0.05"), (True, "0.1"), (False, "0.3"), (True, "0.30001")]
    row = row_of([[answer(*one)] for one in items], "ece")
    gap = abs(Fraction(15, 100) - 2) + Fraction(3, 10) + (1 - Fraction(30001, 100000))
    assert row.values["ece"] == gap / 5


def test_confidences_are_the_decimals_that_the_file_has() -> None:
    row = row_of([[answer(False, "0.1")], [answer(False, "0.7")]], "brier, k1")
    assert row.values == {"brier": Fraction(50, 200), "k1": Fraction(-8, 20)}


def c_over_i(order: Sequence[bool], size: int) -> Fraction:
    return sum((Fraction(sum(order[:i]), i) for i in range(1, size + 1)), Fraction(0))


def decision_is_right(item: Item) -> bool:
    return item.right == item.accepted


def sureness(item: Item) -> Fraction:
    return item.sure if item.accepted else 1 - item.sure


def naive_ap(order: Sequence[Item], _: Question) -> Fraction:
    return naive.ap_relevant(order, list(order))


@given(st.builds(make_questions, seed=SEEDS, questions=st.integers(1, 3), most_answers=st.just(2)))
@often
def test_averaged_ties_are_the_mean_over_every_order(questions: list[Question]) -> None:
    row = row_of(questions, "cws, cws_rte, ap_rte, aurc", "average")
    answers, given_ones, n = judged(questions), selected(questions), len(questions)

    def cws(order: Sequence[Item], _: Question) -> Fraction:
        return c_over_i([item.right for item in order], n) / n

    def aurc(order: Sequence[Item], _: Question) -> Fraction:
        return c_over_i([not item.right for item in order], len(order)) / len(order)

    def cws_rte(order: Sequence[Item], _: Question) -> Fraction:
        return c_over_i([decision_is_right(item) for item in order], len(order)) / len(order)

    expected = {
        "cws": mean_over_orders(given_ones, cws, []),
        "aurc": mean_over_orders(given_ones, aurc, []) if given_ones else None,
        "cws_rte": mean_over_orders(answers, cws_rte, [], sureness) if answers else None,
        "ap_rte": (
            mean_over_orders(answers, naive_ap, []) if any(item.right for item in answers) else None
        ),
    }
    assert row.values == expected


@given(tied)
@often
def test_ties_in_file_order_stand_as_the_collection_has_them(questions: list[Question]) -> None:
    row = row_of(questions, "cws, cws_rte, ap_rte, aurc", "file")
    ranked = sorted(selected(questions), key=lambda item: item.sure, reverse=True)
    rights = [item.right for item in ranked]
    assert row.values["cws"] == c_over_i(rights, len(questions)) / len(questions)
    if rights:
        wrongs = [not right for right in rights]
        assert row.values["aurc"] == c_over_i(wrongs, len(rights)) / len(rights)
    answers = sorted(judged(questions), key=lambda item: item.sure, reverse=True)
    if any(item.right for item in answers):
        assert row.values["ap_rte"] == naive_ap(answers, [])
    surest = sorted(judged(questions), key=sureness, reverse=True)
    decisions = [decision_is_right(item) for item in surest]
    if decisions:
        assert row.values["cws_rte"] == c_over_i(decisions, len(decisions)) / len(decisions)


def won(items: Sequence[Item]) -> Fraction:
    return sum((item.sure if item.right else -item.sure for item in items), Fraction(0))


@given(tied)
@often
def test_k_and_k1_question_by_question(questions: list[Question]) -> None:
    row = row_of(questions, "k, k1")
    k, k1 = [], []
    for question in questions:
        accepted = [item for item in condensed(question) if item.accepted]
        size = max(len(accepted), sum(item.right for item in question))
        k.append(
            sum(((1 if i.right else -1) * i.sure for i in accepted), Fraction(0)) / (size or 1)
        )
        best = [item for item in accepted if item.verdict == "SELECTED"]
        k1.append(sum(((1 if i.right else -1) * i.sure for i in best), Fraction(0)))
    assert row.values == {"k": mean(k), "k1": mean(k1)}


def columns(questions: Sequence[Question]) -> tuple[list[bool], list[float]]:
    answers = judged(questions)
    return [item.right for item in answers], [float(item.confidence) for item in answers]


@pytest.mark.parametrize("seed", range(4))
def test_figures_equal_scikit_learn(seed: int) -> None:
    """Average precision where all confidences differ."""
    metrics = pytest.importorskip("sklearn.metrics", reason="SCIKIT-LEARN IS NOT COMPARED")
    some = [f"0.{n:02d}" for n in range(100)]
    peers = {"auc": (some, "roc_auc_score"), "brier": (some, "brier_score_loss")}
    for key, (confidences, peer) in {**peers, "ap_rte": (None, "average_precision_score")}.items():
        questions = make_questions(seed, 60, 6, confidences)
        expected = getattr(metrics, peer)(*columns(questions))
        assert float(exact(row_of(questions, key), key)) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("bins", [1, 5, 10, 15])
def test_calibration_equals_scikit_learn(bins: int) -> None:
    """Its curve has the two means of each bin that is not empty; the sizes are counted here.

    Confidences have an odd last digit: none is the edge of a bin, for which the two differ.
    """
    calibration = pytest.importorskip("sklearn.calibration", reason="CALIBRATION IS NOT COMPARED")
    questions = make_questions(bins, 80, 6, [f"0.{n:03d}" for n in range(1, 1000, 2)])
    truth, sure = columns(questions)
    accuracies, means = calibration.calibration_curve(truth, sure, n_bins=bins)
    sizes = [sum(int(one * bins) == place for one in sure) for place in range(bins)]
    sizes = [size for size in sizes if size]
    expected = sum(
        size * abs(one - other) for size, one, other in zip(sizes, accuracies, means, strict=True)
    ) / len(sure)
    key = parse_measures(f"ece({bins})")[0].key
    assert float(exact(row_of(questions, key), key)) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("seed", range(4))
def test_correlation_and_area_equal_scipy(seed: int) -> None:
    """The area is Mann and Whitney's U as a share of all pairs."""
    stats = pytest.importorskip("scipy.stats", reason="SCIPY IS NOT COMPARED")
    questions = make_questions(seed, 60, 6, ["-3", "0.1", "0.25", "1", "7.5"])
    truth, sure = columns(questions)
    row = row_of(questions, "pearson_r, auc")
    expected = stats.pearsonr(sure, [float(one) for one in truth]).statistic
    assert float(exact(row, "pearson_r")) == pytest.approx(expected, abs=1e-12)
    right = [one for one, is_right in zip(sure, truth, strict=True) if is_right]
    wrong = [one for one, is_right in zip(sure, truth, strict=True) if not is_right]
    u = stats.mannwhitneyu(right, wrong).statistic / (len(right) * len(wrong))
    assert float(exact(row, "auc")) == pytest.approx(u, abs=1e-12)


def test_nothing_correct() -> None:
    questions = [[answer(False, "0.6")], [answer(False, "0.9", "REJECTED")]]
    values = dict(row_of(questions, CONFIDENCE).values)
    assert float(values.pop("log_loss") or 0) == pytest.approx(-(math.log(0.4) + math.log(0.1)) / 2)
    assert values == {
        "cws": 0,
        # the rejection of 0.9 is right and 0.1 sure, behind the wrong validation of 0.6
        "cws_rte": (0 + Fraction(1, 2)) / 2,
        "ap_rte": None,
        "k": Fraction(-3, 10),
        "k1": Fraction(-3, 10),
        "pearson_r": None,
        "brier": Fraction(36 + 81, 200),
        "ece": Fraction(15, 20),
        "auc": None,
        "average_precision": None,
        "f_05_u": 0,
        "c_at_1_pan": 0,
        "aurc": 1,
        "e_aurc": 0,
        "augrc": Fraction(1, 2),
        "risk_at_coverage": None,  # one of two questions is answered
        "coverage_at_risk": 0,
    }


def test_everything_correct() -> None:
    questions = [[answer(True, "1")], [answer(True, "1")]]
    row = row_of(questions, CONFIDENCE)
    undefined = {"pearson_r", "auc"}
    assert {key for key, value in row.values.items() if value is None} == undefined
    none = {"brier", "ece", "log_loss", "aurc", "e_aurc", "augrc", "risk_at_coverage"}
    for key, value in row.values.items():
        if key not in undefined:
            assert value == (key not in none), key


def test_a_run_that_answers_nothing() -> None:
    row = row_of(
        [[answer(True, "0.3", "REJECTED")], [answer(False, "0.2", "REJECTED")]], CONFIDENCE
    )
    assert [row.values[key] for key in ("cws", "k", "k1", "aurc")] == [0, 0, 0, None]


def test_nothing_is_judged() -> None:
    row = row_of([[Item("UNKNOWN", "SELECTED", "0.5")]], CONFIDENCE)
    found = {key for key, value in row.values.items() if value is None}
    assert found == OF_ANSWERS | SELECTIVE - {"coverage_at_risk"}
    assert row.values["coverage_at_risk"] == 0 and row.reasons == {}


UNJUDGED = [
    # K: 0.8 of two correct ones; not 0.8/3, which 0.9 as an accepted answer would make it
    [Item("UNKNOWN", "VALIDATED", "0.9"), answer(True, "0.8"), answer(True, "0.1", "REJECTED"),
        answer(False, "0", "VALIDATED")],
    [Item("UNKNOWN", "SELECTED", "0.85")],
    [answer(False, "0.6")],
]  # fmt: skip


@each("key, ignored, incorrect", [
    # returned: unknown, right, wrong; the question of the unknown one stays, as unanswered
    ("cws", (1 + Fraction(1, 2) + Fraction(1, 3)) / 3, (0 + Fraction(1, 2) + Fraction(1, 3)) / 3),
    ("aurc", (0 + Fraction(1, 2)) / 2, (1 + Fraction(1, 2) + Fraction(2, 3)) / 3),
    ("k1", Fraction(80 - 60, 100) / 3, Fraction(80 - 85 - 60, 100) / 3),
    # incorrect: (0.8 - 0.9)/3 - 0.85 - 0.6
    ("k", (Fraction(4, 10) - Fraction(6, 10)) / 3, (Fraction(-1, 30) - Fraction(145, 100)) / 3),
    # 0.8 right, 0.6 wrong, 0.1 right, 0 wrong; else two wrong ones are before these
    ("ap_rte", (1 + Fraction(2, 3)) / 2, (Fraction(1, 3) + Fraction(2, 5)) / 2),
    ("auc", Fraction(2 + 1, 4), Fraction(2 + 1, 8)),
])  # fmt: skip
def test_unknown_answers_are_left_out_unless_they_are_incorrect(
    key: str, ignored: Fraction, incorrect: Fraction
) -> None:
    assert exact(row_of(UNJUDGED, key), key) == ignored
    assert exact(row_of(UNJUDGED, key, unknown="incorrect"), key) == incorrect


def test_inexact_answers_of_systems_are_left_out_as_those_of_runs(tmp_path: Path) -> None:
    """Right 0.9, inexact 0.7, wrong 0.4, of three questions."""
    gold = ave_score.read_collection(put(tmp_path, COLLECTION, "gold.xml"))
    rows = ["q_id\trun\tjudgement\tconfidence\n", "1\tone\tR\t0.9\n"]
    rows += ["2\tone\tX\t0.7\n", "3\tone\tW\t0.4\n"]
    systems = ave_score.read_judged(put(tmp_path, "".join(rows), "judged.tsv"), gold)
    values = {
        unknown: ave_score.score(
            gold, systems, measures="k1, aurc", policies=Policies(unknown=unknown)
        )
        .rows[0]
        .values
        for unknown in ("ignore", "incorrect")
    }
    assert values == {
        "ignore": {"k1": Fraction(5, 30), "aurc": Fraction(1, 4)},
        "incorrect": {"k1": Fraction(-2, 30), "aurc": (Fraction(1, 2) + Fraction(2, 3)) / 3},
    }


@pytest.mark.parametrize("ties", ["file", "average"])
def test_all_confidences_equal(ties: str) -> None:
    """Right, wrong, wrong in file order: C(i)/i is 1, 1/2, 1/3; 1/3 in the mean of all orders."""
    row = row_of([[answer(right, "0.5")] for right in (True, False, False)], CONFIDENCE, ties)
    expected = Fraction(11, 18) if ties == "file" else Fraction(1, 3)
    assert row.values["cws"] == row.values["cws_rte"] == expected
    assert row.values["aurc"] == 1 - expected
    # 1/3 · (1/1 + 1/2 + 1/3): the correct one is anywhere
    assert row.values["ap_rte"] == (1 if ties == "file" else Fraction(11, 18))
    assert (row.values["auc"], row.values["pearson_r"]) == (Fraction(1, 2), None)


@each("odd", ["-0.001", "1.0000000000000002", "1e300", "-1e300", "-5e-324"])
@each("verdict", ["SELECTED", "VALIDATED", "REJECTED"])
def test_confidences_outside_0_to_1(odd: str, verdict: str) -> None:
    """What only ranks does not mind; K1 looks at what is selected, K at what is validated."""
    questions = [
        [answer(True, "0.5"), answer(False, odd, verdict)],
        [answer(True, "0.25"), answer(False, "0.125", "REJECTED")],
    ]
    if verdict == "SELECTED":
        questions[0][0] = answer(True, "0.5", "VALIDATED")
    row = row_of(questions, CONFIDENCE)
    refused = {"cws_rte", "brier", "ece", "log_loss", "f_05_u", "c_at_1_pan"}
    refused |= {"SELECTED": {"k", "k1"}, "VALIDATED": {"k"}}.get(verdict, set())
    assert row.reasons == dict.fromkeys(refused, OUTSIDE)
    assert {key for key, value in row.values.items() if value is None} == refused
    # above: two of four pairs are lost; below: none
    assert row.values["auc"] == (1 if odd.startswith("-") else Fraction(1, 2))


def test_the_smallest_float_is_a_probability() -> None:
    tiny = Fraction("5e-324")
    questions = [[answer(False, "5e-324")], [answer(True, "1")], [answer(False, "0.3")]]
    with decimal.localcontext(prec=5):  # whatever the caller computes with
        row = row_of(questions, CONFIDENCE)
    assert row.reasons == {} and row.values["brier"] == (tiny**2 + Fraction(9, 100)) / 3
    found = row.values["ece(10)" if "ece(10)" in row.values else "ece"]
    assert found == (tiny + Fraction(3, 10)) / 3
    assert row.values["k1"] == row.values["k"] == (1 - tiny - Fraction(3, 10)) / 3
    r = exact(row, "pearson_r")
    assert 0 < r <= 1


@given(st.lists(st.tuples(st.floats(0, 1), st.booleans()), min_size=1, max_size=12))
@often
def test_scaled_measures_are_exact(samples: list[tuple[float, bool]]) -> None:
    """Any floats, in fractions; decimals of the caller have few digits, and do no harm."""
    sure = [Fraction(repr(one)) for one, _ in samples]
    rights = [right for _, right in samples]
    column, codes, size = array("d", [one for one, _ in samples]), bytes(rights), len(samples)
    by_bin: dict[int, Fraction] = {}
    for one, right in zip(sure, rights, strict=True):
        place = max(1, -(-10 * one // 1))
        by_bin[int(place)] = by_bin.get(int(place), Fraction(0)) + one - right
    expected = {
        "brier": sum((one - right) ** 2 for one, right in zip(sure, rights, strict=True)) / size,
        "ece": sum(map(abs, by_bin.values())) / size,
        "k1": sum(one if right else -one for one, right in zip(sure, rights, strict=True)) / size,
    }
    with decimal.localcontext(prec=3):
        for key, value in expected.items():
            counts: ConfidenceCounts | SelfScoreCounts = ConfidenceCounts(column, codes)
            if key == "k1":
                counts = SelfScoreCounts(column, codes, size)
            assert parse_measures(key)[0](counts) == value, key


@pytest.mark.parametrize("with_confidences", [True, False])
def test_runs_of_pairs(tmp_path: Path, with_confidences: bool) -> None:
    """Pairs have decisions, no questions; that 2 stands above 4 costs one pair of four."""
    rows = [("1", "YES", "0.9"), ("2", "NO", "0.4"), ("3", "NO", "0.1"), ("4", "YES", "0.3")]
    gold = "".join(
        f'<pair id="{one}" value="{value}"><q>?</q><t>x</t><h>y</h></pair>\n'
        for one, value in zip("1234", ("YES", "NO", "NO", "YES"), strict=True)
    )
    xml = put(tmp_path, f"<entailment-corpus>\n{gold}</entailment-corpus>\n", "gold.xml")
    text = "".join(" ".join(row[: 2 + with_confidences]) + "\n" for row in rows)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", AveScoreWarning)
        collection = ave_score.read_collection(xml)
        run = ave_score.read_run(put(tmp_path, text), collection)
    measures = "confidence, ranking, categories"
    row = ave_score.score(collection, [run], measures=measures).rows[0]
    pairs = "pairs belong to no question, so that nothing is selected or answered"
    ranked = {one.key for one in parse_measures("ranking, categories")}
    expected = dict.fromkeys(OF_QUESTIONS | ranked, pairs)
    if not with_confidences:
        expected |= dict.fromkeys(OF_ANSWERS, "not every answer has a confidence")
    assert row.reasons == expected
    assert row.values["auc"] == (Fraction(3, 4) if with_confidences else None)


JUDGED = [
    # question, system, judgement, answer, answered, confidence
    ("1", "sure", "R", "Ann", "", "0.9"),
    ("2", "sure", "W", "Rome", "", "0.6"),
    ("3", "sure", "R", "NIL", "", "0.7"),
    ("4", "sure", "W", "x", "NO", "1"),
    ("1", "half", "R", "Ann", "", "0.9"),
    ("2", "half", "W", "Rome", "", ""),
    ("3", "half", "W", "1931", "", "0.2"),
    ("4", "half", "R", "y", "", "0.1"),
    ("1", "wild", "W", "Bob", "", "7"),
    ("2", "wild", "R", "Oslo", "", "8"),
]


@pytest.mark.parametrize("column", [True, False])
def test_judged_systems(tmp_path: Path, column: bool) -> None:
    heads = ["q_id", "run", "judgement", "answer", "answered", "confidence"][: 5 + column]
    lines = ["\t".join(row[: 5 + column]) for row in (heads, *JUDGED)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", AveScoreWarning)
        collection, systems = ave_score.read_judged_gold(put(tmp_path, "\n".join(lines), "j.tsv"))
    rows = {row.run: row for row in ave_score.score(collection, systems, measures=CONFIDENCE).rows}
    silent = [rows[name].reasons for name in ("half", *(() if column else ("sure", "wild")))]
    for reasons in silent:
        every = OF_QUESTIONS | OF_ANSWERS
        assert {reasons[key] for key in every} == {"not every answer has a confidence"}
    if not column:
        return
    sure = rows["sure"].values
    # right 0.9, right 0.7 (NIL), wrong 0.6; the fourth question is left unanswered
    assert sure["cws"] == (1 + 1 + Fraction(2, 3) + Fraction(2, 4)) / 4
    assert sure["k"] == sure["k1"] == (Fraction(9, 10) + Fraction(7, 10) - Fraction(6, 10)) / 4
    assert sure["aurc"] == Fraction(1, 3) / 3
    assert sure["e_aurc"] == 0  # the wrong one is last
    assert sure["augrc"] == Fraction(1, 2) / 9  # a triangle
    assert sure["risk_at_coverage"] == Fraction(1, 3)  # three of four
    assert sure["coverage_at_risk"] == Fraction(2, 4)
    # of all answers: the withheld one, wrong with 1, stands above both right ones
    assert sure["brier"] == Fraction(1 + 36 + 9 + 100, 4 * 100)
    assert sure["auc"] == Fraction(2, 4)
    wild = rows["wild"]
    assert wild.values["auc"] == 1 and "brier" in wild.reasons
    assert {key for key in OF_QUESTIONS if key in wild.reasons} == {"k", "k1"}
    assert wild.values["cws"] == (1 + Fraction(1, 2) + Fraction(1, 3) + Fraction(1, 4)) / 4


def test_tied_answers_of_systems_stand_in_the_order_of_the_collection(tmp_path: Path) -> None:
    """Right, wrong, wrong by question: (1 + 1/2 + 1/3) / 3, whatever the order of the rows.

    The rows have no answer ids, so `trec` ranks them by descending question id: wrong, wrong, right
    are (0 + 0 + 1/3) / 3. The mean of all orders is 1/3.
    """
    gold = ave_score.read_collection(put(tmp_path, COLLECTION, "gold.xml"))
    rows = ["1\tone\tR\t0.5\n", "2\tone\tW\t0.5\n", "3\tone\tW\t0.5\n"]
    for order in (rows, rows[::-1]):
        path = put(tmp_path, "".join(["q_id\trun\tjudgement\tconfidence\n", *order]), "judged.tsv")
        systems = ave_score.read_judged(path, gold)
        found = {
            ties: ave_score.score(gold, systems, measures="cws", policies=Policies(ties=ties))
            for ties in ("average", "file", "trec")
        }
        values = {ties: scores.rows[0].values["cws"] for ties, scores in found.items()}
        third, ninth, last = Fraction(1, 3), Fraction(1, 9), Fraction(11, 18)
        assert values == {"average": third, "file": last, "trec": ninth}


@given(untied, st.integers(1, 40), st.integers(0, 9))
@often
def test_correlation_sees_no_scale(questions: list[Question], factor: int, shift: int) -> None:
    other = [
        [
            item._replace(confidence=f"{float(Fraction(item.confidence) * factor + shift):.6f}")
            for item in question
        ]
        for question in questions
    ]
    before, after = (row_of(one, "pearson_r").values["pearson_r"] for one in (questions, other))
    assert (before is None) == (after is None)
    if before is not None and after is not None:
        assert abs(before - after) < Fraction(1, 10**50)


@given(tied)
@often
def test_values_stay_in_the_range_of_the_record(questions: list[Question]) -> None:
    for ties in ("file", "average"):
        row = row_of(questions, f"{CONFIDENCE}, ece(3)", ties)
        for one in parse_measures(f"{CONFIDENCE}, ece(3)"):
            value = row.values[one.key]
            highest = math.inf if one.highest == "∞" else Fraction(one.highest)
            assert value is None or int(one.lowest) <= value <= highest, one.key


@given(untied)
@often
def test_measures_agree_where_they_must(questions: list[Question]) -> None:
    """One answer a question, and one correct one at most: K is K1, and CWS what AURC leaves."""
    firsts = [judged([one])[:1] for one in questions]
    assume(any(firsts))
    alone = [[one._replace(verdict="SELECTED") for one in first] for first in firsts if first]
    row = row_of(alone, "k, k1, cws, aurc, brier, ece(1)")
    assert row.values["k"] == row.values["k1"] and exact(row, "cws") == 1 - exact(row, "aurc")
    if row.values["brier"] is not None:  # the mean of squares is never below the squared mean
        assert exact(row, "ece(1)") ** 2 <= exact(row, "brier")


@given(SEEDS, st.integers(0, 30))
@often
def test_floats_are_as_good_as_the_exact_sum(seed: int, more: int) -> None:
    """The same numerators before and behind the limit, which is lowered for the test."""
    chance = random.Random(seed)
    terms = [Fraction(chance.randint(0, 99), chance.randint(1, 9)) for _ in range(20 + more)]
    whole = sum((one / i for i, one in enumerate(terms, 1)), Fraction(0))
    ends = [*range(1, len(terms) + 1)]
    factors, by = [one.numerator for one in terms], [one.denominator for one in terms]
    columns = [0] * len(ends), factors, by, [end - 1 for end in ends], ends
    spans = numbers.Spans(*map(np.array, columns))
    assert numbers.sum_of_spans(spans) == whole
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(numbers, "EXACT_TERMS", 19)
        rounded = numbers.sum_of_spans(spans)
    assert float(rounded) == pytest.approx(float(whole), rel=1e-15)


def test_the_limit_of_exact_sums_is_no_step() -> None:
    """Where all are right each term is 1, and so is their mean, on either side of ten thousand."""
    for size in (9_999, 10_000, 10_001, 10_002):
        confidences = array("d", [1 - i / 2**20 for i in range(size)])
        counts = SelfScoreCounts(confidences, bytes([1]) * size, size)
        assert parse_measures("cws")[0](counts) == 1
    # half right, half wrong behind them: the sum is 1/2 + 1/2 · (H(2m) - H(m)), checked in floats
    half = 5_001
    counts = SelfScoreCounts(
        array("d", [1 - i / 2**20 for i in range(2 * half)]),
        bytes([1]) * half + bytes(half),
        2 * half,
    )
    expected = 0.5 + 0.5 * sum(1 / i for i in range(half + 1, 2 * half + 1))
    assert float(parse_measures("cws")[0](counts) or 0) == pytest.approx(expected, abs=1e-13)
