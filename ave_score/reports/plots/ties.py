"""Ties against error rate, a curve for each measure (Buckley, Voorhees 2000)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ave_score.core.text import visible
from ave_score.reports.plots.curve_sheet import curve_sheet
from ave_score.reports.plots.sheet import STROKES, Sheet, Words, words_of


class TiePoint(NamedTuple):
    """Error rate and ties at a fuzziness value (Buckley, Voorhees 2000), each in 0..1."""

    fuzziness: float
    error_rate: float
    ties: float


class TieCurve(NamedTuple):
    """A measure over fuzziness values, in rising order."""

    measure: str
    points: Sequence[TiePoint]


def ties_words(curves: Sequence[TieCurve]) -> Words:
    """Return the title, text and notes of the figure."""
    head = "A curve per measure: the proportion of ties over the error rate, for rising fuzziness."
    sentences = [
        f"{visible(curve.measure)}: "
        + "; ".join(
            f"fuzziness {point.fuzziness:g}: error rate {point.error_rate:.3f}, "
            f"ties {point.ties:.3f}"
            for point in curve.points
        )
        + "."
        for curve in curves
    ]
    fuzziness = sorted({point.fuzziness for curve in curves for point in curve.points})
    notes = []
    if fuzziness:
        notes.append(f"Marks: fuzziness {fuzziness[0]:g} (large) to {fuzziness[-1]:g}.")
    return words_of("Ties against error rate", [head, *sentences], notes)


def draw_ties(curves: Sequence[TieCurve], width: float) -> Sheet:
    """Draw the proportion of ties over the error rate, with a curve for each measure.

    Raises `ValueError` for more than eight measures.
    """
    if len(curves) > len(STROKES):
        raise ValueError(f"at most {len(STROKES)} measures can be drawn, not {len(curves)}")
    sheet, axes = curve_sheet(ties_words(curves), [curve.measure for curve in curves], None, width)
    for curve, stroke in zip(curves, STROKES, strict=False):
        xs = [point.error_rate for point in curve.points]
        ys = [point.ties for point in curve.points]
        axes.plot(xs, ys, color=stroke.colour, linestyle=stroke.dash)
        axes.plot(xs, ys, stroke.marker, color=stroke.colour, markersize=3.5, clip_on=False)
        axes.plot(xs[:1], ys[:1], stroke.marker, color=stroke.colour, markersize=7, clip_on=False)
    axes.set_xlim(left=0)
    axes.set_ylim(bottom=0)
    axes.set_xlabel("Error rate")
    axes.set_ylabel("Proportion of ties")
    return sheet
