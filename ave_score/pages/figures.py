"""The figures of a page, made of what its readers may see."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

from ave_score.core.model import Collection as Gold
from ave_score.core.model import QARun, Run
from ave_score.core.policies import settle_unknown
from ave_score.inference.compare_records import Comparison
from ave_score.pages.curves import (
    CurveFigure,
    ReliabilityFigure,
    curve_figure,
    reliability_figure,
)
from ave_score.pages.grids import Grid, grid
from ave_score.pages.results import Results
from ave_score.reports.compare import DIGITS
from ave_score.reports.plots.curves import Curves
from ave_score.reports.plots.reliability import Reliabilities
from ave_score.reports.plots.row_records import RowsFigure
from ave_score.reports.plots.rows import best_pairs, ranking
from ave_score.reports.plots.run_figure import RunFigure
from ave_score.reports.printed import printed_digits, printed_scores, printed_value
from ave_score.reports.report import DIGITS as PRINTED_DIGITS
from ave_score.tasks.ranked import leading


class PageFigures(NamedTuple):
    """The figures of a page; each part is empty or None if there is nothing to draw.

    Attributes
    ----------
    rankings
        A ranking for each measure that is compared, or for the first of each table.
    pairs
        The best pairs by each measure that is compared; None without a difference.
    curves, reliability
        Risk-coverage curves and reliability diagrams.
    grids
        The figures of each breakdown.
    """

    rankings: Sequence[RowsFigure]
    pairs: Sequence[RowsFigure | None]
    curves: CurveFigure | None
    reliability: ReliabilityFigure | None
    grids: Sequence[Sequence[Grid]]


def figures_of(
    known: Results,
    own: Collection[str] = (),
    digits: int | None = None,
    *,
    only_printed: bool = False,
    sees_gold: bool = True,
) -> PageFigures:
    """Return the figures of results, which hold only what the readers may see.

    Parameters
    ----------
    known
        The results that `results.seen` returns, subjects best first.
    own
        The runs of the readers.
    digits
        Decimals of figures; by default those of comparisons, or of scores if there is none and
        `only_printed`.
    only_printed
        Draw nothing but the values that are printed.
    sees_gold
        Whether the readers may see all labels. Reliability diagrams of answers depend on the labels
        of those that were not selected, too.
    """
    comparisons = known.compared.comparisons if known.compared is not None else ()
    default = PRINTED_DIGITS if only_printed and not comparisons else DIGITS
    shown = default if digits is None else digits
    scores = printed_scores(known.scores, shown) if only_printed else known.scores
    by_key = {comparison.measure.key: comparison for comparison in comparisons}
    measures = [comparison.measure for comparison in comparisons] or leading(known.scores.measures)
    rankings = [
        ranking(
            *(scores, measure, by_key.get(measure.key), own),
            printed_digits(measure, shown) if only_printed else shown,
        )
        for measure in measures
    ]
    drawn = (
        [_printed(comparison, shown) for comparison in comparisons] if only_printed else comparisons
    )
    pairs = [best_pairs(comparison, own, shown) for comparison in drawn]
    curves, reliability = _of_confidences(known, own, sees_gold)
    keys = {measure.key for measure in measures}
    return PageFigures(
        rankings if comparisons else [ranked for ranked in rankings if ranked.rows],
        [figure if figure.rows else None for figure in pairs],
        curves,
        reliability,
        [
            [grid(parts, measure, own) for measure in parts.measures if measure.key in keys]
            for parts in known.breakdowns
        ],
    )


def _printed(comparison: Comparison, digits: int) -> Comparison:
    """Return a comparison whose differences are those that are printed, also significant ones."""
    pairs = [
        pair._replace(
            difference=pair.difference
            and printed_value(pair.difference, comparison.measure, digits)
        )
        for pair in comparison.pairs
    ]
    return comparison._replace(pairs=pairs)


def _of_confidences(
    known: Results, own: Collection[str], sees_gold: bool
) -> tuple[CurveFigure | None, ReliabilityFigure | None]:
    """Return the figures of confidences, whose data is that of `score --plot`."""
    gold, policies = known.gold, known.scores.policies
    if not isinstance(gold, Gold) or not gold.standard.has_decisions:
        return None, None
    settled = settle_unknown(gold, policies.unknown)
    asks = gold.standard.has_questions
    names = ["risk-coverage"] * asks + ["reliability"] * (sees_gold or not asks)
    collected = [RunFigure(name, settled, policies, None) for name in names]
    for subject in known.subjects:
        if isinstance(subject, Run | QARun):
            for figure in collected:
                figure.take(subject)
    curves = reliability = None
    for data in (figure.data(known.scores) for figure in collected):
        if isinstance(data, Curves) and data.curves:
            curves = curve_figure(data, own)
        elif isinstance(data, Reliabilities) and data.runs:
            reliability = reliability_figure(data, own)
    return curves, reliability
