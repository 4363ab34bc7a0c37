"""The data of figures, read off their lines and bars: by hand, and against scikit-learn."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from lxml import etree

import ave_score
from ave_score import Policies
from tests import each, mostly_slow
from tests.helpers_files import put
from tests.helpers_ranked import Question, lines_of, make_questions, read_texts, xml_of

pytest.importorskip("matplotlib", reason="NO FIGURE IS TESTED: pip install -e '.[dev]'")

GOLD = """<ave>
<q id="1"><a id="1" value="VALIDATED"/><a id="2" value="REJECTED"/><a id="3" value="VALIDATED"/></q>
<q id="2"><a id="1" value="REJECTED"/><a id="2" value="VALIDATED"/></q>
<q id="3"><a id="1" value="REJECTED"/></q>
</ave>"""
RUN = "1 1 SELECTED 0.8\n1 2 VALIDATED 0.9\n1 3 REJECTED 0.8\n"
RUN += "2 1 REJECTED 0.3\n2 2 REJECTED 0.6\n3 1 REJECTED 0.6\n"


def right_and_wrong(questions: int) -> str:
    """Return a collection of a right and a wrong answer to each question."""
    answers = '<a id="1" value="VALIDATED"/><a id="2" value="REJECTED"/>'
    ids = range(1, questions + 1)
    body = "".join(f"<q id='{q}'>{answers}</q>" for q in ids)
    return f"<ave>{body}</ave>"


ANSWERS = "1 1 SELECTED 0.4\n1 2 REJECTED 0\n2 1 SELECTED 0.9\n2 2 REJECTED 0\n"
ANSWERS += "3 1 REJECTED 0\n3 2 SELECTED 0.7\n4 1 REJECTED 0\n4 2 REJECTED 0\n"
"""Three of four questions are answered: right, wrong, right from the surest on."""

THIRD = 1 / 3


class Shown:
    """The points of each line of the first axes of a figure, and the bars of its first two axes."""

    def __init__(self, drawing: ave_score.Drawing) -> None:
        axes: list[Any] = drawing.figure.axes[:2]
        self.drawing = drawing
        self.lines = [[*map(tuple, line.get_xydata().tolist())] for line in axes[0].lines]
        self.bars = [[*one.patches] for one in axes]

    def heights(self) -> list[list[float]]:
        """Return the heights of the bars."""
        return [[bar.get_height() for bar in bars] for bars in self.bars]

    @property
    def words(self) -> str:
        """The description of the data."""
        return etree.fromstring(self.drawing._repr_svg_().encode())[1].text or ""


def shown(figure: str, gold: str = GOLD, run: str = RUN, policies: Policies | None = None) -> Shown:
    collection, runs = read_texts(gold, run)
    return Shown(ave_score.plot(collection, runs, figure=figure, policies=policies))


def points(*expected: tuple[float, float]) -> Any:  # noqa: ANN401 - what equals such points
    return [pytest.approx(point) for point in expected]


def test_roc_by_hand() -> None:
    # from the top: 0.9 wrong; two of 0.8 right; of 0.6 one right, one wrong; 0.3 wrong
    found = shown("roc")
    curve, decided, chance = found.lines
    assert curve == points((0, 0), (THIRD, 0), (THIRD, 2 * THIRD), (2 * THIRD, 1), (1, 1))
    assert decided == points((THIRD, THIRD))
    assert chance == [(0, 0), (1, 1)]
    # of nine pairs of a right and a wrong answer those of 0.8 win 2 each, that of 0.6 1 1/2: 11/18
    own = "its own decisions: false positive rate 0.33, true positive rate 0.33."
    assert f"run0: AUC 0.61; {own}" in found.words


def test_precision_recall_by_hand() -> None:
    curve, decided, chance = shown("precision-recall").lines
    assert curve[1:] == points((0, 0), (2 / 3, 2 / 3), (1, 3 / 5), (1, 1 / 2))
    assert decided == points((1 / 3, 1 / 2))
    assert chance == [(0, 0.5), (1, 0.5)]


def test_a_run_that_validates_nothing_has_no_precision() -> None:
    rejecting = RUN.replace("SELECTED", "REJECTED").replace("VALIDATED", "REJECTED")
    assert len(shown("precision-recall", run=rejecting).lines) == 2
    assert shown("roc", run=rejecting).lines[1] == [(0, 0)]


def test_risk_coverage_by_hand() -> None:
    found = shown("risk-coverage", right_and_wrong(4), ANSWERS)
    assert found.lines[0] == points((1 / 4, 0), (1 / 2, 1 / 2), (3 / 4, 1 / 3))
    assert found.lines[1] == found.lines[0][-1:]
    assert "AURC 0.28" in found.words  # (0 + 1/2 + 1/3) / 3 = 5/18


def test_generalised_risk_by_hand() -> None:
    found = shown("generalised-risk", right_and_wrong(4), ANSWERS)
    assert found.lines[0] == points((0, 0), (THIRD, 0), (2 * THIRD, THIRD), (1, THIRD))
    assert found.lines[1] == found.lines[0][-1:]
    assert "AUGRC 0.17" in found.words  # (0 + 1/6 + 1/3) / 3


@pytest.mark.parametrize(("ties", "risks"), [("file", [0, 0.5]), ("average", [0.5, 0.5])])
def test_ties_are_ranked_as_the_policy_says(ties: str, risks: list[float]) -> None:
    run = "1 1 SELECTED 0.5\n1 2 REJECTED 0\n2 1 REJECTED 0\n2 2 SELECTED 0.5\n"
    found = shown("risk-coverage", right_and_wrong(2), run, Policies.of(ties=ties))
    assert [y for _, y in found.lines[0]] == risks


def test_reliability_by_hand() -> None:
    """Of 0.3 no answer is right, of 0.6 one of two, of 0.8 both, of 0.9 none. The error is (0.3 + 2
    * 0.1 + 2 * 0.2 + 0.9) / 6."""
    found = shown("reliability")
    assert found.lines[1] == points((0.3, 0), (0.6, 0.5), (0.8, 1), (0.9, 0))
    assert found.heights() == [[0, 0.5, 1, 0], [0, 0, 1, 0, 0, 2, 0, 2, 1, 0]]
    assert "run0: ECE 0.30; 1 answer of 0.2 to 0.3, 0.00 correct; 2 answers of 0.5" in found.words


def run_of(confidences: Sequence[float]) -> tuple[str, str]:
    """Return a collection of a right and a wrong answer in turn, and a run with confidences."""
    answers = "".join(
        f'<a id="{at}" value="{"REJECTED" if at % 2 else "VALIDATED"}"/>'
        for at in range(len(confidences))
    )
    lines = (f"1 {at} REJECTED {one}\n" for at, one in enumerate(confidences))
    return f'<ave><q id="1">{answers}</q></ave>', "".join(lines)


def test_edges_belong_to_the_lower_bin_and_zero_to_the_lowest() -> None:
    heights = shown("reliability", *run_of([0, 0.1, 0.3, 1])).heights()[1]
    assert heights == [2, 0, 1, 0, 0, 0, 0, 0, 0, 1]


def test_bins_of_equal_mass_by_hand() -> None:
    """Twenty ranks in ten bins; ties are in the bin of the lowest rank."""
    confidences = [(at + 1) / 100 for at in range(20)]
    confidences[2] = confidences[1]
    found = shown("reliability-mass", *run_of(confidences))
    assert found.heights()[1] == [3, 1, *[2] * 8]
    # 0.01 and 0.02 twice, where the first and the last are right; then 0.04, which is wrong
    assert found.lines[1][:2] == points((0.05 / 3, 2 / 3), (0.04, 0))
    # fewer answers than bins: each confidence has its own
    assert shown("reliability-mass").heights()[1] == [1, 2, 2, 1]


def drawn(seed: int) -> tuple[list[Question], list[bool], list[float]]:
    """Return random answers with many ties, none of them at the edge of a bin. In binary, 0.3 and
    the third edge of scikit-learn differ."""
    confidences = [str(n / 40) for n in range(1, 40) if n % 4]
    questions = make_questions(seed, 40, 3, confidences, ("VALIDATED", "REJECTED"))
    items = [item for question in questions for item in question]
    return questions, [one.right for one in items], [float(one.confidence) for one in items]


@pytest.mark.parametrize("seed", mostly_slow(range(3), 1))
def test_curves_and_bins_are_those_of_scikit_learn(seed: int) -> None:
    metrics = pytest.importorskip("sklearn.metrics")
    calibration = pytest.importorskip("sklearn.calibration")
    questions, rights, confidences = drawn(seed)
    assert len({*confidences}) < len(confidences)
    texts = xml_of(questions), "".join(lines_of(questions))

    found = shown("roc", *texts)
    xs, ys, _ = metrics.roc_curve(rights, confidences, drop_intermediate=False)
    assert np.allclose(found.lines[0], np.column_stack([xs, ys]), rtol=0, atol=1e-12)
    assert f"run0: AUC {metrics.roc_auc_score(rights, confidences):.2f};" in found.words

    precisions, recalls, _ = metrics.precision_recall_curve(rights, confidences)
    # scikit-learn begins with the lowest threshold, and ends with a point of its own
    expected = np.column_stack([recalls, precisions])[-2::-1]
    curve = shown("precision-recall", *texts).lines[0]
    assert np.allclose(curve[1:], expected, rtol=0, atol=1e-12)

    found = shown("reliability", *texts)
    accuracies, means = calibration.calibration_curve(rights, confidences, n_bins=10)
    assert np.allclose(found.lines[1], np.column_stack([means, accuracies]))
    sizes = np.array([one for one in found.heights()[1] if one])
    error = (np.abs(accuracies - means) * sizes).sum() / len(rights)
    assert f"run0: ECE {error:.2f};" in found.words


def test_thresholds_by_hand() -> None:
    """Questions answered rightly and wrongly at 0.9, 0.8, 0.6 and 0.3; above, none."""
    curve, thin, best = shown("threshold").lines
    # at 0.9 and 0.8 the wrong answer of question 1; from 0.6 on 2 is right and 3 wrong
    assert curve[::-1] == points((1, 0), (0.9, 0), (0.8, 0), (0.6, THIRD), (0.3, THIRD))
    assert (thin, best) == (curve, points((0.6, THIRD)))
    lines = zip(RUN.splitlines(), (0.2, 0.1, 1.0, 0.3, 0.5, 0.1), strict=True)
    found = shown("threshold", run="".join(f"{line[:-3]}{sure}\n" for line, sure in lines))
    curve, thin, best = found.lines
    # at 1 question 1 is right: (1 + 2/3)/3; at 0.5 also 2: (2 + 2/3)/3; at 0.1 3 is wrong
    assert curve[::-1][:2] == points((1, 5 / 9), (0.5, 8 / 9))
    assert thin[::-1][:2] == points((1, THIRD), (0.5, 2 * THIRD))
    assert curve[0] == pytest.approx((0.1, 2 * THIRD))
    assert "run0: Best c@1 0.89; its best threshold: threshold 0.50, c@1 0.89." in found.words
    assert "the best thresholds, chosen on these questions." in found.words


def test_thresholds_have_the_scores_of_runs_that_are_decided_there() -> None:
    gold = ave_score.read_collection("gold/ave2007-es.xml")
    run = ave_score.read_run("sample_runs/ave2007-es/Rodrigo.txt", gold)
    curve, thin, *_ = Shown(ave_score.plot(gold, run, figure="threshold")).lines
    for at in (-2, len(curve) // 2, 0):
        measures = "c_at_1, answering_accuracy"
        policies = Policies(threshold=curve[at][0])
        row = ave_score.score(gold, [run], policies=policies, measures=measures).rows[0]
        found = [float(value or 0) for value in row.values.values()]
        assert found == pytest.approx([curve[at][1], thin[at][1]])


@each("figure, gold, run, reason", [
    ("roc", GOLD.replace("REJECTED", "VALIDATED"), RUN, "all its answers are correct, or none"),
    ("precision-recall", GOLD.replace("VALIDATED", "REJECTED"), RUN, "no answer is correct"),
    ("reliability", re.sub("VALIDATED|REJECTED", "UNKNOWN", GOLD), RUN, "no answer is judged"),
    ("reliability", GOLD, RUN.replace("0.9", "2"), "confidences are outside 0..1"),
    *(
        (figure, GOLD, RUN.replace("SELECTED", "REJECTED").replace("VALIDATED", "REJECTED"),
         "it answered nothing")
        for figure in ("risk-coverage", "generalised-risk")
    ),
])  # fmt: skip
def test_what_cannot_be_drawn_says_why(figure: str, gold: str, run: str, reason: str) -> None:
    with pytest.raises(ave_score.UsageError, match=f"Not drawn: run0: {reason}"):
        shown(figure, gold, run)


def test_an_order_of_confidences_is_enough_for_roc() -> None:
    assert "AUC 1.00" in shown("roc", *run_of([2, 0.5])).words


def test_bars_by_hand(tmp_path: Path) -> None:
    """Question 1 is selected rightly, 2 is left though answerable, 3 is rightly left. At random,
    two of three answers to the first are right, and one of two to the second."""
    found = Shown(ave_score.plot(put(tmp_path, GOLD, "gold.xml"), put(tmp_path, RUN)))
    assert "1. run: QA accuracy 0.33, potential by rejection 0.33." in found.words
    assert "Random 0.39. Perfect selection 0.67." in found.words
    assert [bar.get_width() for bar in found.bars[0]] == pytest.approx([1 / 3, 1 / 3])
    assert [line[0][0] for line in found.lines] == pytest.approx([(2 / 3 + 1 / 2) / 3, 2 / 3])


def test_judged_systems_are_drawn_by_their_first_measure() -> None:
    """Systems judged without a collection select nothing: their first measure is drawn."""
    gold = "gold/respubliqa2009-ro.qa.tsv.gz"
    drawing = ave_score.plot(gold, policies=Policies(letters="respubliqa"))
    assert repr(drawing) == "<Drawing: c@1>"
