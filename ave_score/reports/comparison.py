"""Runs compared, as tables with a legend that explains them, and a sentence that sums them up."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import comb, isnan

from ave_score.exact import fixed
from ave_score.inference.compared import Comparison, Pair, Standing
from ave_score.inference.resampling import Interval
from ave_score.measures import Measure
from ave_score.reports.comparison_text import levels, p_text, sentence
from ave_score.reports.grid import Grid
from ave_score.reports.tables import UNDEFINED, cell_text
from ave_score.text import counted

MOST_IN_MATRIX = 8
"""With more runs a row for each pair is easier to read."""

_NOT_EQUAL = (
    "That a difference is not significant does not show that runs are equally good: these "
    "questions cannot tell."
)
_EACH_BY_ITSELF = (
    "Each measure was corrected by itself: with many measures something is always found."
)


def all_grids(
    comparisons: Sequence[Comparison],
    digits: int,
    *,
    as_pairs: bool = False,
    legends: bool = False,
) -> list[Grid]:
    """Return the tables of all measures.

    All of 3 to 8 runs make one table, a matrix; `as_pairs`, a baseline, fewer or more runs make a
    row for each pair instead, below a table of the runs. What explains the tables stands below the
    last of them; below each with `legends`.
    """
    found: list[Grid] = []
    for place, one in enumerate(comparisons, 1):
        is_last = place == len(comparisons)
        *others, last = _grids(one, digits, as_pairs, legends or is_last)
        told = [*_omnibus(one), sentence(one, digits)]
        found += [*others, last._replace(notes=[*told, *last.notes])]
    last, design = found[-1], comparisons[0].design
    told = []
    if any(not pair.is_significant for one in comparisons for pair in one.pairs):
        told.append(_NOT_EQUAL)
    if len(comparisons) > 1 and design.corrected_by != "none" and len(comparisons[0].pairs) > 1:
        told.append(_EACH_BY_ITSELF)
    found[-1] = last._replace(notes=[*last.notes, *told])
    return found


def _grids(comparison: Comparison, digits: int, as_pairs: bool, has_legend: bool) -> list[Grid]:
    """Return the tables of one comparison."""
    runs = len(comparison.standings)
    fits = 2 < runs <= MOST_IN_MATRIX and comparison.design.baseline is None
    grids = [_runs(comparison, digits)]
    if fits and not as_pairs:
        grids = [_matrix(comparison, grids[0], digits)]
    else:
        grids.append(_pairs(comparison, digits))
    return grids if has_legend else [one._replace(notes=[]) for one in grids]


def _runs(comparison: Comparison, digits: int) -> Grid:
    """Return the runs, the best first, each with how far its figure can be trusted."""
    measure, design = comparison.measure, comparison.design
    has_groups = design.baseline is None
    rows = [
        [str(place), *_standing(one, measure, digits, has_groups)]
        for place, one in enumerate(comparison.standings, 1)
    ]
    notes = _about_ranks(comparison)
    title = f"{measure.title}: {len(rows)} runs on {comparison.questions:,} questions"
    return Grid(title, _heads(comparison), rows, "rlrrr" + "l" * has_groups, notes=notes)


def _heads(comparison: Comparison) -> list[str]:
    sure, _ = levels(comparison.design)
    has_groups = comparison.design.baseline is None
    title = comparison.measure.title
    return ["#", "Run", title, f"{sure} interval", "Ranks", *["Group"] * has_groups]


def _standing(one: Standing, measure: Measure, digits: int, has_groups: bool) -> list[str]:
    low, high = one.ranks
    return [
        one.run,
        cell_text(one.value, measure, digits),
        _interval(one.interval, measure, digits),
        str(low) if low == high else f"{low}-{high}",
        *[one.letters] * has_groups,
    ]


def _matrix(comparison: Comparison, grid: Grid, digits: int) -> Grid:
    """Return the table of the runs with their differences above the diagonal, and p below."""
    pairs = {(one.run, one.other): one for one in comparison.pairs}
    names = [one.run for one in comparison.standings]
    rows, significant = [], set()
    for row, (run, cells) in enumerate(zip(names, grid.rows, strict=True)):
        told = []
        for column, other in enumerate(names):
            if row < column:
                told.append(difference_text(pairs[run, other], comparison.measure, digits))
            elif row > column:
                pair = pairs[other, run]
                told.append(p_text(pair.adjusted))
                if pair.is_significant:
                    significant.add((row, len(cells) + column))
            else:
                told.append("")
        rows.append([*cells, *told])
    return grid._replace(
        heads=[*grid.heads, *(str(place) for place in range(1, len(names) + 1))],
        rows=rows,
        align=grid.align + "r" * len(names),
        best=frozenset(significant),
        notes=[
            f"Columns 1 to {len(names)}: above the empty diagonal the figure of the run in the row "
            f"less that of the run with the column's number; below it p, {_about_p(comparison)}",
            *grid.notes,
        ],
    )


def _pairs(comparison: Comparison, digits: int) -> Grid:
    """Return a row for each pair."""
    measure, design = comparison.measure, comparison.design
    sure, _ = levels(design)
    is_corrected = design.corrected_by != "none" and len(comparison.pairs) > 1
    has_effects = any(one.effect is not None for one in comparison.pairs)
    second = "Other run" if design.baseline is None else "Baseline"
    heads = ["Run", second, "Difference", f"{sure} interval", "p", *["p corrected"] * is_corrected]
    heads += ["Won", "Tied", "Lost", *["d_z"] * has_effects]
    rows = []
    for one in comparison.pairs:
        effect = UNDEFINED if one.effect is None else fixed(Fraction(one.effect), 2)
        told = [difference_text(one, measure, digits), _interval(one.interval, measure, digits)]
        told += [p_text(one.p), *[p_text(one.adjusted)] * is_corrected]
        rows.append(
            [one.run, one.other, *told, *map(str, one.score), *[effect] * has_effects],
        )
    set_off = 4 + is_corrected
    return Grid(
        "Pairs",
        heads,
        rows,
        "ll" + "r" * (len(heads) - 2),
        best=frozenset(
            (place, set_off) for place, one in enumerate(comparison.pairs) if one.is_significant
        ),
        notes=[
            "Difference: the figure of the first run less that of the second, and its interval. "
            f"p: {_about_p(comparison)}",
            _about_questions(has_effects),
        ],
    )


def _about_p(comparison: Comparison) -> str:
    """Say what p is and how it was found."""
    _, alpha = levels(comparison.design)
    adjusts = comparison.omnibus is not None  # for all pairs, though a baseline shows some
    number = comb(len(comparison.standings), 2) if adjusts else len(comparison.pairs)
    is_corrected = (adjusts or comparison.design.corrected_by != "none") and number > 1
    corrected = f", corrected for {counted(number, 'pair')}" if is_corrected else ""
    return (
        "how often chance alone would make as large a difference between equal runs"
        f"{corrected}; set off (* or bold) where it is {alpha} or less: the difference is "
        "significant."
    )


def _about_ranks(comparison: Comparison) -> list[str]:
    sure, _ = levels(comparison.design)
    samples = f"{comparison.design.resampling.resamples:,} samples of the questions"
    told = f"Ranks and interval: where the run is in {sure} of {samples} (bootstrap)."
    if comparison.design.baseline is None:
        told += " Group: runs that share a letter do not differ significantly."
    return [told]


def _about_questions(has_effects: bool) -> str:
    """Say what it is to win a question."""
    told = (
        "Won, tied, lost: questions that speak for the first run, for neither, for the second: "
        "if the two swapped what they did there the difference would shrink, stay, or grow."
    )
    if has_effects:
        told += (
            " d_z: the mean difference of questions in standard deviations of these (0.2 is "
            "called small, 0.5 medium, 0.8 large)."
        )
    return told


def _omnibus(comparison: Comparison) -> list[str]:
    """Say what a test of all runs at once finds."""
    found = comparison.omnibus
    if found is None:
        return []
    names = {"tukey": "Analysis of variance: F", "friedman": "Friedman's chi square"}
    statistic = fixed(Fraction(found.statistic), 2)
    p = p_text(found.p)
    relation = "" if p.startswith("<") else "= "
    tells = "some runs differ" if found.p <= comparison.design.alpha else "no run need differ"
    return [f"{names[comparison.design.test]} = {statistic}, p {relation}{p}: {tells}."]


def difference_text(pair: Pair, measure: Measure, digits: int) -> str:
    """Return a difference with its sign."""
    told = cell_text(pair.difference, measure, digits)
    return f"+{told}" if told[0] != "-" and any(one in told for one in "123456789") else told


def _interval(interval: Interval, measure: Measure, digits: int) -> str:
    if isnan(interval.low):
        return UNDEFINED
    low, high = (cell_text(Fraction(end), measure, digits) for end in interval)
    return f"{low} to {high}"
