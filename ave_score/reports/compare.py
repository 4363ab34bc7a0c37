"""Comparisons of runs: tables with their legend and conclusions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import isnan
from typing import Any

from ave_score.core.exact import fixed
from ave_score.core.text import brief, not_done, quantity
from ave_score.inference.compare_records import Comparison, Pair, Standing
from ave_score.inference.paired import Score
from ave_score.inference.procedures import FAMILY_WISE
from ave_score.inference.resampling import Interval
from ave_score.measures import Measure
from ave_score.reports.cells import cell_text, entrant_columns, error_text, signed, spread_table
from ave_score.reports.compare_conclusions import conclusions, levels, p_text
from ave_score.reports.compare_data import DOCUMENT, comparison_records, tied_notes
from ave_score.reports.compare_power import power_tables
from ave_score.reports.compare_reasons import MOST_LISTED, missing_notes, rough_of, rough_text
from ave_score.reports.report import (
    MOST_PAIRS,
    UNDEFINED,
    Column,
    Report,
    ReportTable,
    name_column,
    table_of,
    with_notes,
)
from ave_score.reports.score_notes import methods_text
from ave_score.tasks.compared import Compared, Listed

DIGITS = 3
"""Shared tasks rank by the second decimal; the third tells how large a difference is."""

ERROR_AND_T = "±: standard error; t (df): the difference by it, with its degrees of freedom."

_MORE = "docs/how-to/compare.md says what ranks, groups, intervals and p mean."

_NOT_EQUAL = "No significant difference is not evidence that runs are equally good."
_TESTS_SIDE_BY_SIDE = (
    "{} of {} measures, p corrected for each measure alone: some differences may be found by "
    "chance."
)


def compare_report(
    compared: Compared,
    digits: int | None = None,
    *,
    as_pairs: bool = False,
    for_readers: bool = False,
) -> Report:
    """Return the results of a comparison; records are not rounded if `digits` is None.

    Tables have the runs, the conclusion and, if `as_pairs`, the pairs of the best runs; those
    `for_readers` of a page also have what their columns mean and how they are computed.
    """
    return Report(
        lambda: _all_tables(compared, DIGITS if digits is None else digits, as_pairs, for_readers),
        lambda: DOCUMENT.of(compared),
        lambda: comparison_records(compared, digits),
        about=compared.gold.path if compared.gold is not None else "",
    )


def _all_tables(
    compared: Compared, digits: int, as_pairs: bool, for_readers: bool
) -> list[ReportTable]:
    tables = _measure_tables(compared, digits, as_pairs, for_readers)
    if compared.powers is not None:
        tables += power_tables(compared.comparisons, compared.powers, digits)
    notes = [*tied_notes(compared, digits), *compared.notes]
    if others := max(map(len, compared.beside.values()), default=0):
        notes.append(f"Ranks in # count what is not compared, too: {quantity(others, 'other')}.")
    if compared.not_scored:
        notes.append(not_done("compared", compared.not_scored))
    return with_notes(tables, notes, compared.signature)


def _measure_tables(
    compared: Compared, digits: int, as_pairs: bool, for_readers: bool
) -> list[ReportTable]:
    """Return the tables of all measures: the runs, and the best pairs if `as_pairs`.

    The legend is below the last table, the conclusion of each measure below its last table.
    """
    tables: list[ReportTable] = []
    comparisons = compared.comparisons
    for comparison in comparisons:
        runs = _runs(comparison, compared.listed(comparison), digits)
        of_runs = [
            (comparison.measure, standing.run, standing.of_runs)
            for standing in comparison.standings
            if standing.of_runs
        ]
        *others, last = [
            runs,
            *[spread_table(of_runs, digits)] * bool(of_runs),
            *[_pairs(comparison, digits)] * as_pairs,
        ]
        found = conclusions(comparison, digits, in_full=for_readers)
        tables += [*others, last._replace(notes=[*found, *last.notes])]
    legend = [_legend(compared), *_methods(comparisons)] if for_readers else []
    notes = [*tables[-1].notes, *legend, *_cautions(comparisons), *_reasons(comparisons, as_pairs)]
    notes += _reservations(comparisons) if for_readers else [_MORE]
    tables[-1] = tables[-1]._replace(notes=notes)
    return tables


def _reservations(comparisons: Sequence[Comparison]) -> list[str]:
    """Say what is often misread."""
    pairs = [pair for comparison in comparisons for pair in comparison.pairs]
    notes = [_NOT_EQUAL] * any(not pair.is_significant for pair in pairs)
    if len(comparisons) > 1:
        tests = quantity(sum(not isnan(pair.p) for pair in pairs), "test")
        notes.append(_TESTS_SIDE_BY_SIDE.format(tests, len(comparisons)))
    return notes


def _runs(comparison: Comparison, listed: Sequence[Listed], digits: int) -> ReportTable:
    """Return a row for each run; the runs of a letter are a group.

    Those that are not compared are below, with the reason beside their names.
    """
    measure, against = comparison.measure, comparison.design.against
    level, _ = levels(comparison.design)
    p_of = {pair.run: pair for pair in comparison.pairs if pair.other == against}
    group = name_column("Group", lambda row: row.standing.letters)
    p = Column(
        "p",
        lambda row: "" if row.reason else _p_of(p_of.get(row.row.run)),
        is_best=lambda row: not row.reason and _is_significant(p_of.get(row.row.run)),
    )
    _, *besides = entrant_columns([item.row for item in listed])
    of_ranks = Column("Ranks", lambda row: ranks_text(row.standing) if row.rank else "")
    columns = [
        Column("#", lambda row: row.rank, is_key=True),
        name_column(comparison.noun.capitalize(), _named, is_key=True),
        *(column.within(lambda row: row.row)._replace(is_key=True) for column in besides),
        Column(measure.title, lambda row: cell_text(row.standing.value, measure, digits)),
        Column(
            f"{level} interval", lambda row: interval_text(row.standing.interval, measure, digits)
        ),
        *[of_ranks] * comparison.design.procedure.is_of_measure,
        group if against is None else p,
    ]
    title = (
        f"{measure.title}: {quantity(len(comparison.standings), comparison.noun)} on "
        f"{quantity(comparison.questions, comparison.unit)}"
    )
    return table_of(title, columns, listed)


def _named(of: Listed) -> str:
    """Return the name of a run, and why it is not compared."""
    return f"{of.row.shown} ({of.reason})" if of.reason else of.row.shown


def _is_significant(pair: Pair | None) -> bool:
    return pair is not None and pair.is_significant


def ranks_text(standing: Standing) -> str:
    """Return the best and the worst rank of a run."""
    if standing.ranks is None:
        return UNDEFINED
    low, high = standing.ranks
    return str(low) if low == high else f"{low}-{high}"


def won_columns(score_of: Callable[[Any], Score | None]) -> list[Column]:
    """Return the columns of questions won, tied and lost, if they are known."""

    def column(place: int, head: str) -> Column:
        def text(row: object) -> str:
            score = score_of(row)
            return UNDEFINED if score is None else str(score[place])

        return Column(head, text)

    return [column(place, head) for place, head in enumerate(("Won", "Tied", "Lost"))]


def _p_of(pair: Pair | None) -> str:
    return "against" if pair is None else p_text(pair.adjusted)


def _effect(pair: Pair) -> str:
    return UNDEFINED if pair.effect is None else fixed(Fraction(pair.effect), 2)


def _with_error(comparison: Comparison, pair: Pair, digits: int) -> str:
    """Return a difference with its standard error, if that is known."""
    measure, error = comparison.measure, comparison.stderr_of(pair)
    text = difference_text(pair, measure, digits)
    return text if isnan(error) else f"{text} ± {error_text(error, measure, digits)}"


def t_text(t: float, free: float) -> str:
    """Return a difference by its standard error, and the degrees of freedom."""
    if isnan(t):
        return UNDEFINED
    return f"{fixed(Fraction(t), 2)} ({fixed(Fraction(free), 1).removesuffix('.0')})"


def _pairs(comparison: Comparison, digits: int) -> ReportTable:
    """Return a row for each of the pairs of the best runs, at most `MOST_PAIRS`."""
    measure, design = comparison.measure, comparison.design
    pairs = comparison.best_pairs(MOST_PAIRS)
    is_corrected = design.corrected_by != "none" and len(comparison.pairs) > 1
    has_effects = any(pair.effect is not None for pair in pairs)
    has_errors = any(not isnan(comparison.t_of(pair)) for pair in pairs)
    noun = comparison.noun
    plain = Column(
        "p",
        lambda pair: p_text(pair.p),
        is_best=lambda pair: not is_corrected and pair.is_significant,
    )
    corrected = Column(
        "p corrected",
        lambda pair: p_text(pair.adjusted),
        is_best=lambda pair: pair.is_significant,
    )
    columns = [
        name_column(noun.capitalize(), lambda pair: pair.run, is_key=True),
        name_column(
            f"Other {noun}" if design.against is None else "Against",
            lambda pair: pair.other,
            is_key=True,
        ),
        Column("Difference", lambda pair: _with_error(comparison, pair, digits)),
        *[Column("t (df)", lambda pair: t_text(comparison.t_of(pair), pair.free))] * has_errors,
        Column("Interval", lambda pair: interval_text(pair.interval, measure, digits)),
        plain,
        *[corrected] * is_corrected,
        *won_columns(lambda pair: pair.score),
        *[Column("d_z", _effect)] * has_effects,
    ]
    notes = []
    if len(pairs) < len(comparison.pairs):
        notes.append(
            f"{len(pairs)} of {len(comparison.pairs):,} pairs, those of the best runs; csv and "
            "json have all."
        )
    return table_of("Pairs", columns, pairs, notes=notes)


def _legend(compared: Compared) -> str:
    """Return what the columns mean, in short; docs/explanation/statistics.md has all of it."""
    design = compared.comparisons[0].design
    level, _ = levels(design)
    ranks = "Ranks: the best and the worst rank that the significant differences leave"
    if design.procedure.adjusts or design.correction in FAMILY_WISE:
        ranks += f"; with {level} confidence, the ranks of all runs are in these ranges"
    ranks = f"{ranks}. " if design.procedure.is_of_measure else ""
    if design.against is not None:
        return f"{ranks}p: of the difference from {design.against}, corrected."
    # a significant difference may be against the measure, and thus not be marked
    none = "No significant difference was found" if ranks else "No difference is marked"
    return f"{ranks}{none} within a group (letter)."


def _methods(comparisons: Sequence[Comparison]) -> list[str]:
    """Name the methods of the intervals of runs."""
    standings = [
        (comparison.measure.title, standing)
        for comparison in comparisons
        for standing in comparison.standings
    ]
    used = [(standing.method, title) for title, standing in standings if standing.method]
    level, _ = levels(comparisons[0].design)
    methods = methods_text(used, comparisons[0].design.resampling.resamples)
    return [f"{level} intervals of runs: {methods}."] if used else []


def _cautions(comparisons: Sequence[Comparison]) -> list[str]:
    """Say where to read the intervals of runs with care."""
    standings = [
        (comparison.measure.title, standing)
        for comparison in comparisons
        for standing in comparison.standings
    ]
    notes = []
    for caution in sorted({standing.caution for _, standing in standings if standing.caution}):
        without = [
            f"{title} of {standing.run}"
            for title, standing in standings
            if standing.caution == caution and isnan(standing.interval.low)
        ]
        named = brief(without, MOST_LISTED)
        notes.append(f"No interval of {named}: {caution}." if named else f"Caution: {caution}.")
    return notes


def _reasons(comparisons: Sequence[Comparison], as_pairs: bool) -> list[str]:
    """Say why pairs have no p, a rough one or, if `as_pairs`, no interval or another one."""
    pairs = [(comparison, pair) for comparison in comparisons for pair in comparison.pairs]
    notes = missing_notes(
        (comparison, pair) for comparison, pair in pairs if as_pairs or isnan(pair.p)
    )
    rough = [
        *dict.fromkeys(cause for comparison, pair in pairs for cause in rough_of(comparison, pair))
    ]
    if rough:
        notes.append(f"{rough_text(rough)}.")
    return notes


def difference_text(pair: Pair, measure: Measure, digits: int) -> str:
    """Return a difference with its sign, as tables print it."""
    return signed(cell_text(pair.difference, measure, digits))


def interval_text(interval: Interval, measure: Measure, digits: int) -> str:
    """Return the ends of an interval, as tables print them."""
    if isnan(interval.low):
        return UNDEFINED
    low, high = (cell_text(Fraction(end), measure, digits) for end in interval)
    return f"{low} to {high}"
