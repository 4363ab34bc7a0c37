"""Reliability diagrams: a panel per run, the share of correct answers in each bin of confidence.

Bins have equal width or an equal mass of answers, as in the measure `ece`.
Source: Guo and others, On Calibration of Modern Neural Networks, ICML 2017.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from ave_score.core.text import counted, visible
from ave_score.counts import ConfidenceCounts
from ave_score.measures.by_confidence import bins_of, judged
from ave_score.measures.confidence import ece
from ave_score.measures.registry import NotApplicable
from ave_score.reports.plots.sheet import (
    MARGIN,
    RUN_FILL,
    SMALL,
    TICK,
    LeftOut,
    Sheet,
    Words,
    fitting,
    inches,
    left_out_notes,
    new_sheet,
    number,
    words_of,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes


class Bin(NamedTuple):
    """The answers with a confidence in (low, high]; the lowest bin includes 0.

    In bins of equal mass, `low` and `high` are the lowest and the highest confidence. `answers` is
    their number, `confidence` the mean of their confidences, `accuracy` the share of
    correct ones; both are None without answers.
    """

    low: Fraction
    high: Fraction
    answers: int
    confidence: Fraction | None
    accuracy: Fraction | None


class RunReliability(NamedTuple):
    """The bins of a run, lowest first, and its expected calibration error."""

    run: str
    bins: Sequence[Bin]
    error: Fraction | None


class Reliabilities(NamedTuple):
    """A reliability diagram for each run, in the order given; `kind` as in the measure `ece`."""

    runs: Sequence[RunReliability]
    left_out: Sequence[LeftOut] = ()
    kind: str = "width"


BINS = 10
"""The number of bins of a diagram, the default of the measure `ece`."""

NOTHING_JUDGED = "no answer is judged"


def reliability(
    run: str, counts: ConfidenceCounts, bins: int = BINS, kind: str = "width"
) -> RunReliability:
    """Return the bins of a run, with their answers and the share of correct ones.

    Bins of equal `mass` without answers are left out. Raises `NotApplicable` if confidences are
    outside 0..1, or no answer is judged.
    """
    if not counts.decisions:
        raise NotApplicable(NOTHING_JUDGED)
    error = ece(counts, Fraction(bins), kind)
    answers = judged(counts)
    columns = (bins_of(answers, bins, kind), answers.values, answers.rights)
    found: defaultdict[int, list[tuple[int, int]]] = defaultdict(list)
    for at, value, right in zip(*(column.tolist() for column in columns), strict=True):
        found[at].append((value, right))
    shown = range(bins) if kind == "width" else sorted(found)
    return RunReliability(
        run, [_bin(found[at], at, bins, answers.scale, kind) for at in shown], error
    )


def _bin(answers: Sequence[tuple[int, int]], at: int, bins: int, scale: int, kind: str) -> Bin:
    size, low, high = len(answers), Fraction(at, bins), Fraction(at + 1, bins)
    if kind == "mass":
        low, high = Fraction(min(answers)[0], scale), Fraction(max(answers)[0], scale)
    if not size:
        return Bin(low, high, 0, None, None)
    total, right = (sum(column) for column in zip(*answers, strict=True))
    return Bin(low, high, size, Fraction(total, scale * size), Fraction(right, size))


def reliability_words(data: Reliabilities) -> Words:
    """Return the title, text and notes of reliability diagrams."""
    head = (
        "A diagram per run: the share of correct answers in each bin of confidence, and the number "
        "of answers; on the diagonal, both are equal."
    )
    notes = [
        "Bars: share of correct answers in a bin; points: at its mean confidence. Below: answers.",
        *left_out_notes(data.left_out),
    ]
    mass = data.kind == "mass"
    title = "Reliability of confidences" + ", bins of equal mass" * mass
    return words_of(title, [head, *(_bins(one, 3 if mass else 1) for one in data.runs)], notes)


def _bins(diagram: RunReliability, digits: int) -> str:
    bins = [
        f"{counted(each.answers, 'answer')} of {number(each.low, digits)} to "
        f"{number(each.high, digits)}, "
        f"{number(each.accuracy)} correct"
        for each in diagram.bins
        if each.accuracy is not None
    ]
    error = "undefined" if diagram.error is None else number(diagram.error)
    return f"{visible(diagram.run)}: ECE {error}; {'; '.join(bins)}."


_LEFT, _BELOW = 0.5, 0.42
"""Space in inches for tick labels and axis labels of the outer panels."""

_MANY = 12
"""With more runs, the panels may be small."""

_PANEL, _SMALL_PANEL, _LARGEST = 1.05, 0.78, 2.7
"""The minimum widths of a panel and of a small panel, and the maximum, in inches."""

_GAP, _HEAD, _STRIP = 0.14, 0.3, 0.45
"""Space in inches between panels, for the name of a run, and for the numbers of answers."""

_BETWEEN = 0.04
"""Space in inches between the shares and the numbers of answers."""

_THINNEST = 0.005
"""The least width of a bar, for bins with a single confidence."""

_NUMBER = 5.0
"""The size of the numbers in points."""


def draw_reliability(data: Reliabilities, width: float) -> Sheet:
    """Draw accuracy over confidence and numbers of answers, a panel per run."""
    runs = len(data.runs)
    least = _PANEL if runs <= _MANY else _SMALL_PANEL
    room = width - _LEFT - 2 * MARGIN
    columns = max(1, min(runs, int((room + _GAP) // (least + _GAP))))
    side = min(_LARGEST, (room - (columns - 1) * _GAP) / columns)
    rows = -(-runs // columns)
    step = side + _HEAD + _STRIP + _GAP
    sheet = new_sheet(width, rows * step - _GAP + _BELOW, reliability_words(data))
    size = TICK if side >= _PANEL else SMALL
    names = fitting([diagram.run for diagram in data.runs], side, size)
    for at, diagram in enumerate(data.runs):
        row, column = divmod(at, columns)
        left = _LEFT + column * (side + _GAP)
        bottom = _BELOW + (rows - 1 - row) * step
        axes = sheet.axes(left, bottom + _STRIP, side, side)
        strip = sheet.axes(left, bottom, side, _STRIP - _BETWEEN)
        _panel(axes, diagram)
        _strip(strip, diagram, side)
        axes.set_title(f"{names[at]}\nECE {number(diagram.error)}", fontsize=size, pad=3)
        _label_axes(axes, strip, is_first=column == 0, is_last=at + columns >= runs)
    return sheet


def _label_axes(axes: Axes, strip: Axes, *, is_first: bool, is_last: bool) -> None:
    """Label the axes of the first panel of a row and the last panel of a column."""
    if is_first:
        axes.set_ylabel("Share correct")
        strip.set_ylabel("Answers", fontsize=SMALL)
    else:
        axes.set_yticklabels([])
    if is_last:
        strip.set_xlabel("Confidence")
    else:
        strip.set_xticklabels([])


def _panel(axes: Axes, diagram: RunReliability) -> None:
    """Draw the share of correct answers of each bin, and the diagonal."""
    axes.plot([0, 1], [0, 1], color="#555555", linestyle=(0, (1, 2)), linewidth=0.8)
    points: list[tuple[float, float]] = []
    for each in diagram.bins:
        if each.accuracy is None or each.confidence is None:
            continue
        accuracy = float(each.accuracy)
        axes.bar(
            *_centred(each, accuracy),
            color=RUN_FILL,
            alpha=0.45,
            edgecolor="black",
            linewidth=0.5,
        )
        points.append((float(each.confidence), accuracy))
    axes.plot(
        [x for x, _ in points],
        [y for _, y in points],
        "o-",
        color="black",
        markersize=3,
        linewidth=0.8,
        clip_on=False,
    )
    axes.set_xlim(0, 1)
    axes.set_ylim(0, 1)
    axes.set_xticks([0, 0.5, 1], [])
    axes.set_yticks([0, 0.5, 1])


def _centred(each: Bin, height: float) -> tuple[float, float, float]:
    """Return the middle, the height and the width of the bar of a bin."""
    low, high = float(each.low), float(each.high)
    return (low + high) / 2, height, max(high - low, _THINNEST)


def _strip(axes: Axes, diagram: RunReliability, width: float) -> None:
    """Draw the number of answers of each bin, with rotated digits if the bars are narrow."""
    most = max(each.answers for each in diagram.bins)
    longest = inches(f"{most}", _NUMBER)
    is_upright = longest > 0.95 * width / len(diagram.bins)
    for each in diagram.bins:
        middle, _, wide = bar = _centred(each, each.answers)
        axes.bar(*bar, color="#CCCCCC", edgecolor="black", lw=0.4)
        needed = _NUMBER / 72 if is_upright else inches(f"{each.answers}", _NUMBER)
        if each.answers and wide * width > needed:
            axes.annotate(
                *(f"{each.answers}", (middle, each.answers)),
                xytext=(0, 1),
                textcoords="offset points",
                ha="center",
                va="bottom",
                fontsize=_NUMBER,
                rotation=90 if is_upright else 0,
            )
    head = (longest if is_upright else _NUMBER / 72) + 0.03
    axes.set_xlim(0, 1)
    axes.set_ylim(0, most / max(0.2, 1 - head / (_STRIP - _BETWEEN)))
    axes.set_xticks([0, 0.5, 1], ["0", "0.5", "1"])
    axes.set_yticks([])
