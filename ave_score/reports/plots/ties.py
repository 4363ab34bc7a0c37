"""Ties against error rate, a curve for each measure (Buckley, Voorhees 2000)."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from ave_score.core.drawing import Drawing
from ave_score.core.errors import UsageError
from ave_score.core.text import visible
from ave_score.reports.plots.figure import STROKES, WIDTH, NamedCurve, Square, words_of
from ave_score.reports.plots.paint import paint_square
from ave_score.reports.plots.painted import drawing_of

if TYPE_CHECKING:
    from ave_score.tasks.stability import StabilityStudy


def ties(study: StabilityStudy, width: float | None = None) -> Drawing:
    """Return the ties over the error rates for rising fuzziness, a curve for each measure.

    Raises `UsageError` for more measures than there are line styles.
    """
    most = len(STROKES)
    if len(study.measures) > most:
        raise UsageError(f"a figure shows at most {most} measures, found {len(study.measures)}")
    head = "A curve per measure: the proportion of ties over the error rate, for rising fuzziness."
    curves, sentences, fuzziness = [], [head], []
    for measure in study.measures:
        title, points, texts = measure.sampled.measure.title, [], []
        for point in measure.curve:
            if point.error_rate is not None and point.ties is not None:
                points.append((point.error_rate, point.ties))
                x, y, level = map(float, (*points[-1], point.fuzziness))
                fuzziness.append(level)
                texts.append(f"fuzziness {level:g}: error rate {x:.3f}, ties {y:.3f}")
        curves.append(NamedCurve(title, points, points[0] if points else None))
        sentences.append(f"{visible(title)}: {'; '.join(texts)}.")
    notes = []
    if fuzziness:
        notes.append(f"Marks: fuzziness {min(fuzziness):g} (large) to {max(fuzziness):g}.")
    words = words_of("Ties against error rate", sentences, notes)
    data = Square(words, "Error rate", "Proportion of ties", curves, xs=(0, None), ys=(0, None))
    return drawing_of(partial(paint_square, data, width or WIDTH), words)
