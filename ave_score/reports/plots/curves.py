"""Curves of confidences, exact: a point for each number of answers that can be accepted.

Answers with equal confidence are accepted together and form a single point of a ROC or
precision-recall curve. Risk-coverage curves, like their areas, have a point for every returned
answer; the policy on `ties` orders answers with equal confidence. Curves over a threshold have the
points of `thresholds.sweep`.

Sources: ROC = Fawcett, An Introduction to ROC Analysis, 2006; precision-recall = Davis, Goadrich,
The Relationship Between Precision-Recall and ROC Curves, ICML 2006; risk-coverage = El-Yaniv,
Wiener, On the Foundations of Noise-free Selective Classification, JMLR 2010; generalised risk =
Traub and others, Overcoming Common Flaws in the Evaluation of Selective Classification Systems,
NeurIPS 2024.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from ave_score.core.exact import as_decimal
from ave_score.core.model import Collection, Run
from ave_score.core.text import visible
from ave_score.counts import ConfidenceCounts, SelfScoreCounts
from ave_score.counts.confidence import NO_CONFIDENCES, has_confidences
from ave_score.inference.sweep import Sweep, SweepPoint, sweep_together
from ave_score.measures import parse_measures
from ave_score.measures.by_confidence import Column
from ave_score.measures.by_rank import ranked_returned, ranked_thresholds, ranks_of, right_so_far
from ave_score.measures.confidence import ap_rte, auc
from ave_score.measures.registry import NotApplicable
from ave_score.measures.selective import augrc, aurc
from ave_score.reports.plots.figure import (
    DIAGONAL,
    STROKES,
    CurvePoint,
    Guide,
    LeftOut,
    NamedCurve,
    Points,
    Square,
    Words,
    floats_of,
    left_out_notes,
    words_of,
)
from ave_score.reports.report import DIGITS, figure_text


class Curves(NamedTuple):
    """Curves, best first by the measure with the title `by`.

    `by` is "" if the curves are in the order of their names. With precision-recall, `chance` is the
    share of correct answers. `level` is that of the intervals of the areas, "" if none are asked.
    """

    figure: str
    curves: Sequence[NamedCurve]
    chance: Fraction | None = None
    left_out: Sequence[LeftOut] = ()
    by: str = ""
    level: str = ""

    @property
    def order(self) -> str:
        """The order of the curves, in words."""
        return f"best first by {self.by}" if self.by else "by name"

    @property
    def kind(self) -> CurveKind:
        """The record of the figure."""
        return CURVES[self.figure]

    @property
    def words(self) -> Words:
        """The title, text and notes."""
        kind = self.kind
        head = f"A curve per run, {self.order}: {_short(kind.y)} over {_short(kind.x)}."
        sentences = [_curve_words(curve, kind) for curve in self.curves]
        if self.chance is not None:
            sentences.append(f"Share of correct answers: {figure_text(self.chance)}.")
        notes = [f"{kind.area}: {kind.meaning}. Large marks: {kind.marks}."]
        if self.level:
            notes += [
                f"In brackets: intervals of {self.level}."
                if kind.measure
                else "No intervals: the best thresholds are chosen on the same questions."
            ]
        return words_of(kind.title, [head, *sentences], [*notes, *left_out_notes(self.left_out)])

    @property
    def top(self) -> float:
        """The end of the y axis, above the highest risk of figures of risks."""
        if not self.kind.is_of_returned:
            return 1.0
        highest = max(y for curve in self.curves for _, y in floats_of(curve.points))
        return min(1.0, max(0.1, highest))

    def most_named(self, named: int) -> list[str]:
        """Return the note on the curves that are not named, if the first `named` are."""
        if named >= len(self.curves):
            return []
        which = f"best by {self.by}" if self.by else "first by name"
        return [f"Of {len(self.curves)} runs, the {named} {which} are named, the others grey."]


class CurveKind(NamedTuple):
    """A figure of curves: its title, its axes, and the measure that summarises it.

    `marks` and `mark` say where large marks are, in a note and of one run. A value of a curve in
    `steps` holds from the next lower x, otherwise points are connected. `is_of_returned` tells that
    the area is that of the answers which a run returned: it orders no runs that answer different
    shares of the questions. `measure` is the key of the area, "" if it can have no interval.
    """

    title: str
    x: str
    y: str
    area: str
    meaning: str
    higher_is_better: bool = True
    marks: str = "the runs' own decisions"
    mark: str = "its own decisions"
    measure: str = ""
    steps: bool = False
    is_of_returned: bool = False


_SAME_SHARE = "it compares only runs that answer the same share of the questions"

CURVES = {
    "roc": CurveKind(
        *("ROC curves", "False positive rate", "True positive rate", "AUC"),
        "area under the curve",
        measure=auc.__name__,
    ),
    "precision-recall": CurveKind(
        *("Precision and recall", "Recall", "Precision", "AP"),
        "mean precision at the correct answers",
        measure=ap_rte.__name__,
        steps=True,
    ),
    "risk-coverage": CurveKind(
        "Risk and coverage",
        "Coverage: share of questions answered",
        "Risk: share of wrong answers",
        "AURC",
        f"area under the curve, the mean risk; {_SAME_SHARE}",
        higher_is_better=False,
        measure=aurc.__name__,
        is_of_returned=True,
    ),
    "generalised-risk": CurveKind(
        "Generalised risk and coverage",
        "Coverage: share of answers given",
        "Generalised risk: share given and wrong",
        "AUGRC",
        f"area under the curve; {_SAME_SHARE}",
        higher_is_better=False,
        measure=augrc.__name__,
        is_of_returned=True,
    ),
    "threshold": CurveKind(
        "c@1 over the threshold",
        "Threshold: lowest confidence of given answers",
        "c@1",
        "Best c@1",
        "the highest of the curve. Thin lines: accuracy",
        marks="the best thresholds, chosen on these questions",
        mark="its best threshold",
        steps=True,
    ),
}
"""Name of a figure -> its record."""

NOTHING_ANSWERED = "it answered nothing"


def roc(run: str, counts: ConfidenceCounts) -> NamedCurve:
    """Return the true positive rate (y) over the false positive rate (x), from (0, 0) to (1, 1).

    Correct answers are the positives; a point accepts all answers of at least some confidence. The
    area is `auc`. Raises `NotApplicable` if all answers are correct, or none.
    """
    rights = _rights(counts)
    wrongs = len(counts.decisions) - rights
    if not rights or not wrongs:
        raise NotApplicable("all its answers are correct, or none")
    accepted, right = _steps(counts)
    points = Points(accepted - right, wrongs, right, rights)
    chosen, correct = _decided(counts)
    decided = Fraction(chosen - correct, wrongs), Fraction(correct, rights)
    return NamedCurve(run, points, decided, auc(counts))


def precision_recall(run: str, counts: ConfidenceCounts) -> NamedCurve:
    """Return the precision (y) over the recall (x), from the highest confidence to recall 1.

    A point accepts all answers of at least some confidence. Between two points the precision is
    that of the later one, without interpolation. The area is `ap_rte`. If the run itself accepts
    nothing, `decided` is None. Raises `NotApplicable` if no answer is correct.
    """
    rights = _rights(counts)
    if not rights:
        raise NotApplicable("no answer is correct")
    accepted, right = (column[1:] for column in _steps(counts))
    points = Points(right, rights, right, accepted)
    chosen, correct = _decided(counts)
    decided = (Fraction(correct, rights), Fraction(correct, chosen)) if chosen else None
    return NamedCurve(run, points, decided, ap_rte(counts))


def risk_coverage(run: str, counts: SelfScoreCounts) -> NamedCurve:
    """Return the share of wrong answers (y) over coverage (x), most confident first.

    The last point is the run itself. The area is `aurc`, the mean of all y. Raises `NotApplicable`
    if nothing was answered.
    """
    if not counts.rights:
        raise NotApplicable(NOTHING_ANSWERED)
    right, of = right_so_far(ranked_returned(counts))
    answered = ranks_of(right)
    points = Points(answered, counts.self_questions, answered * of - right, answered * of)
    return NamedCurve(run, points, points[-1], aurc(counts))


def generalised_risk(run: str, counts: SelfScoreCounts) -> NamedCurve:
    """Return the wrong answers given (y) over the answers given (x), as shares of all returned.

    The curve begins at (0, 0); the last point is the run itself. The area is `augrc`. Raises
    `NotApplicable` if nothing was answered.
    """
    if not counts.rights:
        raise NotApplicable(NOTHING_ANSWERED)
    import numpy as np

    size = len(counts.rights)
    right, of = map(np.append, (0, 1), right_so_far(ranked_returned(counts)))
    returned = ranks_of(right) - 1
    points = Points(returned, size, returned * of - right, of * size)
    return NamedCurve(run, points, points[-1], augrc(counts))


def over_threshold(run: Run, collection: Collection) -> NamedCurve:
    """Return c@1 (y) at each threshold (x), from the highest; the thin points have the accuracy.

    Up to 1, a threshold above all confidences gives no answer. The marked point is the best one;
    among ties, it accepts the fewest answers. Raises `NotApplicable` without confidences or
    questions.
    """
    if not has_confidences(run):
        raise NotApplicable(NO_CONFIDENCES)
    measures = parse_measures("c_at_1, answering_accuracy")
    swept, thin = sweep_together(run, collection, measures)
    best = swept.best(measures[0])
    if best.value is None:
        raise NotApplicable("the collection has no questions")
    mark = _x(best), best.value
    return NamedCurve(run.name, _points(swept), mark, best.value, _points(thin))


def _points(swept: Sweep) -> list[CurvePoint]:
    """Return the points of thresholds, the first at 1 if no confidence is as high."""
    points = [(_x(point), point.value) for point in swept.points if point.value is not None]
    return points[len(points) > 1 and points[1][0] >= 1 :]


def _x(point: SweepPoint) -> Fraction:
    """Return a threshold, 1 above all confidences."""
    return Fraction(1 if point.threshold is None else as_decimal(point.threshold))


def _rights(counts: ConfidenceCounts) -> int:
    """Return the number of correct answers."""
    return sum(code & 1 for code in counts.decisions)


def _steps(counts: ConfidenceCounts) -> tuple[Column, Column]:
    """Return the number of accepted answers, and of correct ones: none, and at each confidence."""
    import numpy as np

    accepted, right = (np.append(0, column.cumsum()) for column in ranked_thresholds(counts))
    return accepted, right


def _decided(counts: ConfidenceCounts) -> tuple[int, int]:
    """Return the number of answers that the run validated, and of correct ones."""
    validated = [code for code in counts.decisions if code >= 2]
    return len(validated), sum(code & 1 for code in validated)


def _curve_words(curve: NamedCurve, kind: CurveKind) -> str:
    area = "undefined" if curve.area is None else area_text(curve)
    own = ""
    if curve.mark is not None:
        x, y = (figure_text(value) for value in curve.mark)
        own = f"; {kind.mark}: {_short(kind.x)} {x}, {_short(kind.y)} {y}"
    return f"{visible(curve.name)}: {kind.area} {area}{own}."


def area_text(curve: NamedCurve) -> str:
    """Return the area, with its interval if there is one."""
    if curve.interval is None:
        return figure_text(curve.area)
    low, high = (f"{end:.{DIGITS}f}" for end in curve.interval)
    return f"{figure_text(curve.area)} [{low}, {high}]"


def _short(label: str) -> str:
    name, colon, _ = label.partition(":")
    return name.lower() if colon or name[1:].islower() else name


def square_of(data: Curves) -> Square:
    """Return curves as they are drawn, with the line of random decisions."""
    kind, words, curves = data.kind, data.words, data.curves
    words = words._replace(notes=[*data.most_named(len(STROKES)), *words.notes])
    chance = data.chance or Fraction(0)
    xs = 0.0, 1.0
    if data.figure == "threshold":  # they fall, and confidences may be outside 0..1
        every = [x for curve in curves for x, _ in floats_of(curve.points)]
        xs = min(0.0, *every), max(1.0, *every)
        curves = [
            curve._replace(points=curve.points[::-1], thin=curve.thin[::-1]) for curve in curves
        ]
    elif data.figure == "precision-recall":
        start = Fraction(0)
        curves = [
            curve._replace(points=[(start, curve.points[0][1]), *curve.points]) for curve in curves
        ]
    level = (Fraction(0), chance), (Fraction(1), chance)
    guides = {"roc": [Guide(DIAGONAL)], "precision-recall": [Guide(level)]}.get(data.figure, [])
    words = words._replace(notes=[*words.notes, *["Dotted: random decisions."] * len(guides)])
    return Square(
        words,
        kind.x,
        kind.y,
        curves,
        guides,
        xs,
        (0, min(1.0, 1.05 * data.top)),
        area=kind.area,
        steps=kind.steps,
        is_square=data.figure == "roc",
    )
