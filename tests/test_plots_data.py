"""The data of figures: by hand, and against scikit-learn."""

from __future__ import annotations

from array import array
from dataclasses import replace
from fractions import Fraction as F
from math import nan
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ave_score
from ave_score.core.policies import IntervalPolicy, Policies
from ave_score.counts import ConfidenceCounts, SelfScoreCounts
from ave_score.measures.registry import NotApplicable
from ave_score.reports.plots.bars import (
    Bar,
    Bars,
    Difference,
    bars,
    bars_words,
    differences_words,
)
from ave_score.reports.plots.curves import (
    Curves,
    curves_words,
    generalised_risk,
    over_threshold,
    precision_recall,
    risk_coverage,
    roc,
    share_correct,
)
from ave_score.reports.plots.reliability import Bin, Reliabilities, reliability, reliability_words
from ave_score.reports.plots.sheet import LeftOut
from ave_score.reports.plots.ties import TieCurve, TiePoint, ties_words
from tests.helpers_files import put

GOLD = """<ave>
<q id="1"><a id="1" value="VALIDATED"/><a id="2" value="REJECTED"/><a id="3" value="VALIDATED"/></q>
<q id="2"><a id="1" value="REJECTED"/><a id="2" value="VALIDATED"/></q>
<q id="3"><a id="1" value="REJECTED"/></q>
</ave>"""
RUN = """\
1 1 SELECTED 0.8
1 2 VALIDATED 0.9
1 3 REJECTED 0.8
2 1 REJECTED 0.3
2 2 REJECTED 0.6
3 1 REJECTED 0.6
"""

SAMPLES = ConfidenceCounts(array("d", [0.8, 0.9, 0.8, 0.3, 0.6, 0.6]), bytes([3, 2, 1, 0, 1, 0]))
"""The answers of RUN: correct 1, and 2 if validated."""

DRAWN = st.lists(
    st.tuples(st.integers(0, 20).map(lambda n: n / 20), st.booleans(), st.booleans()), min_size=2
)


def counts(drawn: list[tuple[float, bool, bool]], ties: str = "file") -> ConfidenceCounts:
    """Return samples of a confidence, whether it is right, and whether it was validated."""
    codes = bytes(right + 2 * validated for _, right, validated in drawn)
    return ConfidenceCounts(array("d", [one for one, _, _ in drawn]), codes, ties)


def columns(found: ConfidenceCounts) -> tuple[list[int], list[float]]:
    return [code & 1 for code in found.decisions], list(found.confidences)


def test_roc_by_hand() -> None:
    # from the top: 0.9 wrong; two of 0.8 right; of 0.6 one right, one wrong; 0.3 wrong
    found = roc("run", SAMPLES)
    third = F(1, 3)
    assert found.points == [(0, 0), (third, 0), (third, 2 * third), (2 * third, 1), (1, 1)]
    assert found.decided == (third, third)
    # of nine pairs of a right and a wrong answer those of 0.8 win 2 each, that of 0.6 1 1/2
    assert found.area == F(11, 18)


def test_precision_recall_by_hand() -> None:
    found = precision_recall("run", SAMPLES)
    assert found.points == [(0, 0), (F(2, 3), F(2, 3)), (1, F(3, 5)), (1, F(1, 2))]
    assert found.decided == (F(1, 3), F(1, 2))
    assert share_correct(SAMPLES) == F(1, 2)


def test_a_run_that_validates_nothing_has_no_precision() -> None:
    rejecting = ConfidenceCounts(SAMPLES.confidences, bytes(code & 1 for code in SAMPLES.decisions))
    assert precision_recall("run", rejecting).decided is None
    assert roc("run", rejecting).decided == (F(0), F(0))


def test_risk_coverage_by_hand() -> None:
    # three of four questions are answered: right, wrong, right from the surest on
    answered = SelfScoreCounts(array("d", [0.4, 0.9, 0.7]), bytes([1, 1, 0]), 4)
    found = risk_coverage("run", answered)
    assert found.points == [(F(1, 4), 0), (F(1, 2), F(1, 2)), (F(3, 4), F(1, 3))]
    assert found.decided == found.points[-1]
    assert found.area == F(5, 18)


def test_ties_are_ranked_as_the_policy_says() -> None:
    confidences, rights = array("d", [0.5, 0.5]), bytes([1, 0])
    in_file = risk_coverage("run", SelfScoreCounts(confidences, rights, 2, ties="file"))
    averaged = risk_coverage("run", SelfScoreCounts(confidences, rights, 2))
    assert [y for _, y in in_file.points] == [0, F(1, 2)]
    assert [y for _, y in averaged.points] == [F(1, 2), F(1, 2)]


def test_reliability_by_hand() -> None:
    found = reliability("run", SAMPLES, 2)
    assert found.bins == [
        Bin(F(0), F(1, 2), 1, F(3, 10), F(0)),
        Bin(F(1, 2), F(1), 5, F(37, 50), F(3, 5)),
    ]
    assert found.error == (F(3, 10) + abs(F(37, 10) - 3)) / 6


def test_edges_belong_to_the_lower_bin_and_zero_to_the_lowest() -> None:
    edges = ConfidenceCounts(array("d", [0.0, 0.1, 0.3, 1.0]), bytes([0, 0, 1, 1]))
    sizes = [one.answers for one in reliability("run", edges).bins]
    assert sizes == [2, 0, 1, 0, 0, 0, 0, 0, 0, 1]


@given(DRAWN)
def test_roc_is_that_of_scikit_learn(drawn: list[tuple[float, bool, bool]]) -> None:
    from sklearn.metrics import roc_curve  # slow to import

    samples = counts(drawn)
    rights, confidences = columns(samples)
    if len(set(rights)) < 2:
        with pytest.raises(NotApplicable):
            roc("run", samples)
        return
    xs, ys, _ = roc_curve(rights, confidences, drop_intermediate=False)
    found = roc("run", samples)
    assert np.allclose([float(x) for x, _ in found.points], xs, rtol=0, atol=1e-12)
    assert np.allclose([float(y) for _, y in found.points], ys, rtol=0, atol=1e-12)
    pairs = zip(found.points, found.points[1:], strict=False)
    assert found.area == sum(((c - a) * (b + d) / 2 for (a, b), (c, d) in pairs), F(0))


@given(DRAWN)
def test_precision_and_recall_are_those_of_scikit_learn(
    drawn: list[tuple[float, bool, bool]],
) -> None:
    from sklearn.metrics import precision_recall_curve  # slow to import

    samples = counts(drawn)
    rights, confidences = columns(samples)
    if not any(rights):
        with pytest.raises(NotApplicable):
            precision_recall("run", samples)
        return
    precisions, recalls, _ = precision_recall_curve(rights, confidences)
    found = precision_recall("run", samples)
    # scikit-learn begins with the lowest threshold, and ends with a point of its own
    assert np.allclose([float(y) for _, y in found.points], precisions[-2::-1], rtol=0, atol=1e-12)
    assert np.allclose([float(x) for x, _ in found.points], recalls[-2::-1], rtol=0, atol=1e-12)


@given(DRAWN)
def test_bins_are_those_of_scikit_learn(drawn: list[tuple[float, bool, bool]]) -> None:
    from sklearn.calibration import calibration_curve  # slow to import

    # no confidences at edges: in binary, 0.3 and the third edge of scikit-learn differ
    drawn = [(0.025 + 0.95 * one, *rest) for one, *rest in drawn]  # type: ignore[misc]
    samples = counts(drawn)
    rights, confidences = columns(samples)
    found = reliability("run", samples)
    accuracies, means = calibration_curve(rights, confidences, n_bins=10)
    filled = [one for one in found.bins if one.answers]
    assert np.allclose([float(one.accuracy or 0) for one in filled], accuracies)
    assert np.allclose([float(one.confidence or 0) for one in filled], means)
    shares = [(one.accuracy or F(0), one.confidence or F(0), one.answers) for one in filled]
    gaps = [abs(accuracy - mean) * answers for accuracy, mean, answers in shares]
    assert found.error == sum(gaps, F(0)) / len(rights)


@given(DRAWN, st.sampled_from(["file", "average"]))
def test_the_area_of_risk_is_the_mean_of_the_curve(
    drawn: list[tuple[float, bool, bool]], ties: str
) -> None:
    confidences = array("d", [one for one, _, _ in drawn])
    rights = bytes(right for _, right, _ in drawn)
    found = risk_coverage("run", SelfScoreCounts(confidences, rights, len(drawn) + 3, ties=ties))
    assert found.area == sum((y for _, y in found.points), F(0)) / len(drawn)


def test_generalised_risk_by_hand() -> None:
    # right, wrong, right from the surest on; the fourth question is unanswered
    answered = SelfScoreCounts(array("d", [0.4, 0.9, 0.7]), bytes([1, 1, 0]), 4)
    found = generalised_risk("run", answered)
    third = F(1, 3)
    assert found.points == [(0, 0), (third, 0), (2 * third, third), (1, third)]
    assert found.decided == (F(1), third)
    assert found.area == (0 + third / 2 + third) / 3


@given(DRAWN, st.sampled_from(["file", "average"]))
def test_the_area_of_generalised_risk_is_below_the_curve(
    drawn: list[tuple[float, bool, bool]], ties: str
) -> None:
    confidences = array("d", [one for one, _, _ in drawn])
    rights = bytes(right for _, right, _ in drawn)
    found = generalised_risk("run", SelfScoreCounts(confidences, rights, len(drawn) + 3, ties=ties))
    pairs = zip(found.points, found.points[1:], strict=False)
    assert found.area == sum(((c - a) * (b + d) / 2 for (a, b), (c, d) in pairs), F(0))


def test_bins_of_equal_mass_by_hand() -> None:
    # from the lowest: 0.3 | 0.6 0.6 | 0.8 0.8 0.9 by ranks 0 | 1 2 | 3 4 5, in two bins 0-2 and 3-5
    found = reliability("run", SAMPLES, 2, "mass")
    assert found.bins == [
        Bin(F(3, 10), F(6, 10), 3, F(15, 30), F(1, 3)),
        Bin(F(8, 10), F(9, 10), 3, F(25, 30), F(2, 3)),
    ]
    assert found.error == (abs(F(15, 10) - 1) + abs(F(25, 10) - 2)) / 6
    # in four bins 0 and 1 | 2 | 3 and 4 | 5: ties are in the bin of the lowest rank
    assert [one.answers for one in reliability("run", SAMPLES, 4, "mass").bins] == [3, 2, 1]
    assert len(reliability("run", SAMPLES, 100, "mass").bins) == 4


def test_thresholds_by_hand(tmp_path: Path) -> None:
    """Questions answered rightly and wrongly at 0.9, 0.8, 0.6 and 0.3; above, none."""
    gold = ave_score.read_collection(put(tmp_path, GOLD, "gold.xml"))
    run = ave_score.read_run(put(tmp_path, RUN, "run.txt"), gold)
    found = over_threshold(run, gold)
    # at 0.9 and 0.8 the wrong answer of question 1; from 0.6 on 2 is right and 3 wrong
    third = F(1, 3)
    expected = [(1, 0), (F(9, 10), 0), (F(8, 10), 0), (F(6, 10), third), (F(3, 10), third)]
    assert found.points == found.thin == expected
    assert (found.decided, found.area) == ((F(6, 10), third), third)
    sure = replace(run, confidences=array("d", [0.2, 0.1, 1.0, 0.3, 0.5, 0.1]))
    found = over_threshold(sure, gold)
    # at 1 question 1 is right: (1 + 2/3)/3; at 0.5 also 2: (2 + 2/3)/3; at 0.1 3 is wrong
    assert found.points[:2] == [(1, F(5, 9)), (F(1, 2), F(8, 9))]
    assert found.thin[:2] == [(1, third), (F(1, 2), 2 * third)]
    assert found.points[-1] == (F(1, 10), 2 * third)
    words = curves_words(Curves("threshold", [found]))
    assert "run: Best c@1 0.89; its best threshold: threshold 0.50, c@1 0.89." in words.text
    assert words.notes[0].endswith("the best thresholds, chosen on these questions.")


def test_thresholds_have_the_scores_of_runs_that_are_decided_there() -> None:
    gold = ave_score.read_collection("gold/ave2007-es.xml")
    run = ave_score.read_run("sample_runs/ave2007-es/Rodrigo.txt", gold)
    found = over_threshold(run, gold)
    for at in (1, len(found.points) // 2, -1):
        x, y = found.points[at]
        policies = Policies(threshold=float(x))
        measures = "c_at_1, answering_accuracy"
        row = ave_score.score(gold, [run], policies=policies, measures=measures).rows[0]
        assert (row.values["c_at_1"], row.values["answering_accuracy"]) == (y, found.thin[at][1])


def test_what_cannot_be_drawn_says_why() -> None:
    outside = ConfidenceCounts(array("d", [2.0, 0.5]), bytes([1, 0]))
    with pytest.raises(NotApplicable, match="outside"):
        reliability("run", outside)
    with pytest.raises(NotApplicable, match="judged"):
        reliability("run", ConfidenceCounts())
    with pytest.raises(NotApplicable, match="answered nothing"):
        risk_coverage("run", SelfScoreCounts(self_questions=3))
    assert roc("run", outside).area == 1  # an order is enough


def scored(folder: Path, policies: Policies | None = None) -> Bars:
    gold = ave_score.read_collection(put(folder, GOLD, "gold.xml"))
    run = ave_score.read_run(put(folder, RUN, "run.txt"), gold)
    return bars(ave_score.score(gold, [run], policies=policies, measures="qa_accuracy"))


def test_bars_by_hand(tmp_path: Path) -> None:
    # question 1 is selected rightly, 2 is left though answerable, 3 is rightly left
    found = scored(tmp_path)
    assert found.bars == [Bar("run", False, F(1, 3), F(1, 3))]
    assert found.perfect == F(2, 3)
    assert found.random == (F(2, 3) + F(1, 2)) / 3
    assert found.level is None


def test_bars_have_the_intervals_of_the_scores(tmp_path: Path) -> None:
    found = scored(tmp_path, Policies(intervals=IntervalPolicy(90, "percentile", 200)))
    assert found.level == 90
    assert found.bars[0].interval is not None
    low, high = found.bars[0].interval
    assert 0 <= low <= 1 / 3 <= high <= 1


def test_bars_are_ranked_as_the_published_figure() -> None:
    # Rodrigo, PhD thesis, UNED 2010, table A.12: Spanish, AVE 2007
    gold = ave_score.read_collection("gold/ave2007-es.xml")
    runs = [ave_score.read_run(path, gold) for path in Path("sample_runs/ave2007-es").glob("*.txt")]
    qa = ave_score.read_judged("gold/ave2007-es.qa.tsv", gold)
    found = bars(ave_score.score(gold, runs, qa))
    assert [(bar.run, round(float(bar.accuracy), 2)) for bar in found.bars[:4]] == [
        *(("prib_1", 0.49), ("Tellez_1", 0.45), ("Rodrigo", 0.42), ("García_1", 0.41)),
    ]
    assert [bar.is_system for bar in found.bars[:2]] == [True, False]


def test_rows_without_selections_have_no_bar() -> None:
    gold, systems = ave_score.read_judged_gold(
        "gold/respubliqa2009-ro.qa.tsv.gz", campaign="respubliqa"
    )
    found = bars(ave_score.score(gold, systems, policies=Policies(campaign="respubliqa")))
    assert not found.bars
    assert [one.run for one in found.left_out] == ["icia091ro", "uaic092ro"]
    assert {one.reason for one in found.left_out} == {
        "a judged file alone has no candidate answers to validate or to select"
    }


def test_the_words_contain_the_numbers() -> None:
    data = Bars([Bar("b\n", True, F(1, 2), F(0), (0.4, 0.6))], F(3, 4), F(1, 4), 95)
    words = bars_words(data)
    assert "1. b\\n (QA system): QA accuracy 0.50 [0.40, 0.60]. Perfect" in words.text
    assert "Random: 0.25." in words.text
    assert words.notes == ["Whiskers: intervals of 95 % of the QA accuracy."]

    words = curves_words(
        Curves("roc", [roc("run", SAMPLES)], left_out=[LeftOut("x", "no"), LeftOut("y", "no")])
    )
    own = "its own decisions: false positive rate 0.33, true positive rate 0.33."
    assert f"run: AUC 0.61; {own}" in words.text
    assert words.notes[-1] == "Not drawn: x, y: no."

    words = reliability_words(Reliabilities([reliability("run", SAMPLES, 2)]))
    assert "run: ECE 0.17; 1 answer of 0.0 to 0.5, 0.00 correct; 5 answers of 0.5" in words.text


def test_words_of_ties_and_differences() -> None:
    words = ties_words([TieCurve("F1", [TiePoint(0.01, 0.2, 0.1), TiePoint(0.1, 0.0, 0.5)])])
    assert "F1: fuzziness 0.01: error rate 0.200, ties 0.100; fuzziness 0.1" in words.text
    assert words.notes == ["Marks: fuzziness 0.01 (large) to 0.1."]
    rows = [
        Difference("a - b", 0.1, 0.05, 0.2, is_significant=True),
        Difference("a - c", 0.1, -0.05, 0.2, is_significant=False),
        Difference("b - c", 0.1, nan, nan, is_significant=False),
    ]
    words = differences_words("Differences of F1", rows, 0.05)
    assert words.title == "Differences of F1"
    assert "a - b: +0.100 [+0.050, +0.200], significant. a - c" in words.text
    assert "a - c: +0.100 [-0.050, +0.200]. b - c: +0.100." in words.text
