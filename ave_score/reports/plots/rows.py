"""Figures of rows: rankings of runs with intervals and baselines, bars, and differences of pairs.

Pages (`templates/charts.html`) and `paint` draw them. Bars are those of figures A.1-A.5 of the
thesis (Rodrigo, PhD thesis, UNED 2010).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction
from functools import partial
from math import isnan
from typing import TYPE_CHECKING, NamedTuple

from ave_score.core.drawing import Drawing
from ave_score.core.errors import UsageError
from ave_score.counts.counted import Kind
from ave_score.inference.compare_records import Comparison, Standing
from ave_score.inference.resampling import Interval
from ave_score.measures import MEASURES, Measure
from ave_score.measures.registry import BARS
from ave_score.reports.cells import cell_text
from ave_score.reports.compare import DIGITS, difference_text, ranks_text
from ave_score.reports.compare_conclusions import levels
from ave_score.reports.compare_reasons import missing_notes
from ave_score.reports.plots.figure import WIDTH, LeftOut, left_out_notes, words_of
from ave_score.reports.plots.paint import paint_rows
from ave_score.reports.plots.painted import drawing_of
from ave_score.reports.plots.row_records import Level, RowsFigure, ValueRow
from ave_score.reports.plots.scales import SHORT, Name, Scale, Value, names_of, scale_of
from ave_score.reports.report import DIGITS as FIGURE_DIGITS
from ave_score.reports.report import MOST_PAIRS, figure_text
from ave_score.tasks.ranked import best_first, ranks
from ave_score.tasks.scores import Row, Scores

if TYPE_CHECKING:
    from ave_score.tasks.compared import Compared


class _Ranked(NamedTuple):
    """A row before it is drawn; `standing` is that of the comparison."""

    row: Row
    value: Fraction | None
    interval: Interval | None
    standing: Standing | None


def ranking(
    scores: Scores,
    measure: Measure,
    comparison: Comparison | None = None,
    own: Collection[str] = (),
    digits: int = DIGITS,
    gain: Measure | None = None,
) -> RowsFigure:
    """Return the runs and QA systems by a measure, best first, with intervals and baselines.

    What is scored on different answers has no rank, nor have rows apart, which come last; bars
    leave them out.

    Parameters
    ----------
    scores
        Scores; runs to which the measure does not apply are left out.
    measure
        The measure, one of the scores or that of the comparison.
    comparison
        The comparison by this measure, with ranks and letters; None if there is none.
    own
        The runs of the reader.
    digits
        Decimals of figures.
    gain
        The measure of what bars add to the values; they begin at 0.
    """
    ranked = _ranked(scores, measure, comparison)
    if gain is not None:
        ranked = [row for row in ranked if row.row.is_ranked]
    values: list[Value] = [row.value for row in ranked if row.value is not None]
    values += [end for row in ranked for end in row.interval or ()]
    if gain is not None:
        values += [0, *((row.value or 0) + (row.row.values[gain.key] or 0) for row in ranked)]
        baselines = (row.values[measure.key] for row in scores.rows if not row.kind.is_submitted)
        values += [value for value in baselines if value is not None]
    inside, beyond = _baselines(scores, measure, values)
    names = names_of((row.row.shown for row in ranked), own)
    in_order = [row for row in ranked if row.row.is_ranked]
    is_comparable = all(row.standing for row in in_order) or not any(
        row.extent for row in scores.rows
    )
    rank_texts = iter(ranks([row.value for row in in_order]))
    rows = []
    for one in ranked:
        rank = next(rank_texts) * is_comparable if one.row.is_ranked else ""
        added = None if gain is None else one.row.values[gain.key]
        text = cell_text(one.value, measure, digits)
        rows.append(_shown(one, names[one.row.shown], text, rank, added))
    scale = scale_of([*values, *inside.values()], 6 if gain is None else 10)
    return RowsFigure(
        *(measure, digits, scale, rows),
        _levels(
            {name: (value, cell_text(value, measure, digits)) for name, value in inside.items()},
            scale,
        ),
        [f"{name}: {cell_text(value, measure, digits)}" for name, value in beyond.items()],
        _level(scores, comparison) if any(row.interval for row in rows) else "",
    )


def _shown(of: _Ranked, name: Name, text: str, rank: str, gain: Fraction | None) -> ValueRow:
    """Return a row as it is drawn."""
    mark = "system" if of.row.kind is Kind.QA else "run"
    mark = mark if of.row.is_ranked else "hollow"
    between, letters = "", ""
    if of.standing:
        between = ranks_text(of.standing).replace("-", "–") if of.standing.ranks else ""
        letters = of.standing.letters
    return ValueRow(name, of.value, of.interval, mark, text, rank, between, letters, gain=gain)


def _ranked(scores: Scores, measure: Measure, comparison: Comparison | None) -> list[_Ranked]:
    """Return the rows to which a measure applies: best first, undefined values last, then apart."""
    standings = {standing.run: standing for standing in comparison.standings} if comparison else {}
    key, ranked = measure.key, []
    of_runs = standings.keys() <= {row.run for row in scores.rows if row.kind.is_run}
    for row in scores.rows:
        # a QA system may have the name of a run, if systems are not compared
        standing = None if of_runs and not row.kind.is_run else standings.get(row.run)
        if not row.kind.is_submitted or key in row.reasons:
            continue
        if standing is not None:
            known = row._replace(values={**row.values, key: standing.value})
            ranked.append(_Ranked(known, standing.value, drawable(standing.interval), standing))
        elif key in row.values:
            estimate = row.intervals.get(key)
            interval = estimate and drawable(estimate.interval)
            ranked.append(_Ranked(row, row.values[key], interval, None))
    order = [id(row) for row in best_first((row.row for row in ranked), measure)]
    return sorted(ranked, key=lambda row: (not row.row.is_ranked, order.index(id(row.row))))


def drawable(interval: Interval | None) -> Interval | None:
    """Return an interval, None if it has no ends."""
    return None if interval is None or isnan(interval.low) else interval


def _baselines(
    scores: Scores, measure: Measure, values: Sequence[Value]
) -> tuple[dict[str, Fraction], dict[str, Fraction]]:
    """Return the baselines near the values of runs, and those so far that they would squeeze them.

    Near is at most a quarter of the range of the values outside of it; a single value has none.
    """
    low, high = min(values, default=0), max(values, default=1)
    margin = Fraction(high - low) / 4
    inside: dict[str, Fraction] = {}
    beyond: dict[str, Fraction] = {}
    for row in scores.rows:
        value = row.values.get(measure.key)
        if not row.kind.is_submitted and value is not None:
            is_near = not margin or low - margin <= value <= high + margin
            (inside if is_near else beyond)[row.run] = value
    return inside, beyond


_NARROWEST, _LETTER = 260, 6.2
"""Widths in px: of the plot on a phone, and of a letter of the labels."""


def _levels(baselines: Mapping[str, tuple[Fraction, str]], scale: Scale) -> list[Level]:
    """Return the lines of baselines, from the left; each label is in the first line with room."""
    ends: list[float] = []
    levels = []
    for name, (value, text) in sorted(baselines.items(), key=lambda item: item[1]):
        label = f"{name} {text}"
        at, wide = float(scale.at(value)) / 100 * _NARROWEST, _LETTER * len(label)
        side, start = "middle", at - wide / 2
        if start < 0:
            side, start = "start", at
        elif start + wide > _NARROWEST:
            side, start = "end", at - wide
        line = next((n for n, end in enumerate(ends) if end + 8 <= start), len(ends))
        ends[line : line + 1] = [start + wide]
        levels.append(Level(value, label, line, side))
    return levels


def _level(scores: Scores, comparison: Comparison | None) -> str:
    """Return the level of intervals, which are those of the comparison or of the scores."""
    if comparison is not None:
        return levels(comparison.design)[0]
    policy = scores.policies.intervals
    return f"{policy.level:g} %" if policy else ""


def best_pairs(
    comparison: Comparison, own: Collection[str] = (), digits: int = DIGITS
) -> RowsFigure:
    """Return the differences of the best pairs with their intervals, around 0.

    Parameters
    ----------
    comparison
        The comparison; pairs with an undefined value are left out.
    own
        The runs of the reader.
    digits
        Decimals of figures.
    """
    measure = comparison.measure
    pairs = [pair for pair in comparison.best_pairs(MOST_PAIRS) if pair.difference is not None]
    values = [end for pair in pairs if not isnan(pair.interval.low) for end in pair.interval]
    scale = scale_of([0, *values, *(pair.difference or 0 for pair in pairs)])
    names = names_of((run for pair in pairs for run in (pair.run, pair.other)), own, SHORT)
    rows = [
        ValueRow(
            names[pair.run],
            pair.difference,
            drawable(pair.interval),
            "run" if pair.is_significant else "hollow",
            difference_text(pair, measure, digits),
            other=names[pair.other],
        )
        for pair in pairs
    ]
    missing = missing_notes((comparison, pair) for pair in pairs)
    basis = "" if comparison.design.procedure.is_of_measure else comparison.basis
    title, alpha = f"Differences of {measure.title}", comparison.design.alpha
    level = levels(comparison.design)[0] if values else ""
    whiskers = f" Whiskers: {level} intervals." if level else ""
    sentences = [
        f"{row.label}: {float(row.value or 0):+.3f}{row.between('+.3f')}"
        f"{'' if row.mark == 'hollow' else ', significant'}."
        for row in rows
    ]
    words = words_of(
        f"{title}, tested by {basis}" if basis else title,
        ["Differences with intervals.", *sentences],
        [f"Filled: significant, corrected p up to {alpha:g}; hollow: not.{whiskers}", *missing],
    )
    return RowsFigure(
        measure, digits, scale, rows, level=level, basis=basis, alpha=alpha, words=words
    )


def dots(scores: Scores, measure: Measure) -> RowsFigure:
    """Return the systems by a measure, best first, with their intervals."""
    data = ranking(scores, measure, digits=FIGURE_DIGITS)
    rows = [row for row in data.rows if row.value is not None]
    left_out = [
        LeftOut(row.run, row.reasons.get(measure.key, "it is undefined"))
        for row in scores.rows
        if row.kind.is_submitted and row.values[measure.key] is None
    ]
    spec = f".{FIGURE_DIGITS}f"
    sentences = [
        f"{rank}. {row.label}: {measure.title} {row.text}{row.between(spec)}."
        for rank, row in enumerate(rows, 1)
    ]
    notes = [f"Whiskers: {data.level} intervals."] * bool(data.level) + left_out_notes(left_out)
    words = words_of(measure.title, ["Systems, best first.", *sentences], notes)
    return data._replace(rows=rows, words=words, left_out=left_out)


def bars(scores: Scores) -> RowsFigure:
    """Return the QA accuracy of runs and systems as bars, and the potential by rejection as gain.

    The gain is that of answering every rightly rejected question. Equal bars are in the order of
    kind and name. Scores have the `BARS`.
    """
    accuracy, potential = (MEASURES[key] for key in BARS)
    data = ranking(scores, accuracy, digits=FIGURE_DIGITS, gain=potential)
    rows = [row for row in data.rows if row.value is not None]
    rows.sort(key=lambda row: (-(row.value or 0), row.mark, row.name.full))
    left_out = [
        LeftOut(row.run, row.reasons.get(accuracy.key, "there is no question"))
        for row in scores.rows
        if row.kind.is_submitted and row.values[accuracy.key] is None
    ]
    sentences = [f"{rank}. {_bar_words(row)}." for rank, row in enumerate(rows, 1)]
    sentences += [f"{level.label}." for level in data.levels]
    head = "Horizontal bars, best first: QA accuracy, followed by the potential by rejection."
    notes = [f"Whiskers: intervals of {data.level} of the QA accuracy."] * bool(data.level)
    notes += left_out_notes(left_out)
    words = words_of("QA accuracy and potential by rejection", [head, *sentences], notes)
    return data._replace(rows=rows, words=words, left_out=left_out)


def _bar_words(row: ValueRow) -> str:
    kind = " (QA system)" if row.mark == "system" else ""
    gain = f", potential by rejection {figure_text(row.gain)}" if row.gain else ""
    return f"{row.label}{kind}: QA accuracy {row.text}{row.between(f'.{FIGURE_DIGITS}f')}{gain}"


def differences(compared: Compared, width: float | None = None) -> Drawing:
    """Return the differences of the best pairs by the first measure, with their intervals.

    Raises `UsageError` if no pair has a difference.
    """
    data = best_pairs(compared.comparisons[0])
    if not data.rows:
        title = data.measure.title
        raise UsageError(f"nothing to draw: no two runs have a value of {title}")
    return drawing_of(partial(paint_rows, data, width or WIDTH), data.words)
