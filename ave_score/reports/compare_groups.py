"""Reports of differences between runs by group of questions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from math import isnan

from ave_score.core.text import listed, not_done, quantity
from ave_score.inference.compare_records import Comparison
from ave_score.inference.procedures import CORRECTIONS
from ave_score.measures import Measure
from ave_score.reports.cells import cell_text, error_text, signed
from ave_score.reports.compare import ERROR_AND_T, interval_text, t_text, won_columns
from ave_score.reports.compare_conclusions import p_text
from ave_score.reports.compare_data import OF_CROSSED, TIED_AND_LOST
from ave_score.reports.compare_reasons import METHODS
from ave_score.reports.data import (
    ABSENT,
    AMOUNT,
    BOOLEAN,
    COUNT,
    MEASURE,
    NOT_SCORED,
    NUMBER,
    SIGNATURE,
    TEXT,
    WHOLE,
    Get,
    P,
    Reporter,
    ResultDocument,
    entry,
    list_of,
    one_of,
    picked,
    record,
)
from ave_score.reports.report import (
    MOST_PAIRS,
    Cell,
    Column,
    Records,
    Report,
    ReportTable,
    RowStyle,
    name_column,
    table_of,
    with_notes,
)
from ave_score.tasks.broken_down import MACRO, MICRO
from ave_score.tasks.groups_compared import GroupDifference, GroupsCompared, PairByGroup

_DIGITS = 3

_PART = {
    "part": one_of("group", MICRO, MACRO)(
        "`group`, `micro` (all questions) or `macro` (the mean of the differences over the groups)."
    ),
    "group": TEXT("The name of the group; empty for micro and macro."),
    "questions": COUNT("The number of questions, or clusters; of macro, the number of groups."),
    "difference": NUMBER.or_null.with_integers("The measure of `run` minus that of `other`."),
    "won": WHOLE.or_null(
        "Questions on which `run` is better; null of macro, and of measures that rank the answers "
        "to all questions together.",
        lambda part, _: part.score and part.score.wins,
    ),
    **TIED_AND_LOST,
    "stderr": AMOUNT.or_null("The standard error of the difference."),
    "t": NUMBER.or_null("The difference by its standard error."),
    "df": AMOUNT.or_null(
        "The degrees of freedom of the standard error.",
        lambda part, _: part.free if part.free > 0 else None,
    ),
    "low": NUMBER.or_null(
        "The lower end of the differences that the test, uncorrected, does not reject.",
        "interval.low",
    ),
    "high": NUMBER.or_null("The upper end of these differences.", "interval.high"),
    "p": P("p of the test; of macro, of Student's t."),
    "p_corrected": P(
        "p, corrected for all pairs and groups; of micro and macro, for all pairs.", "adjusted"
    ),
    "significant": BOOLEAN("Whether `p_corrected` is at most 1 - `level` / 100.", "is_significant"),
}

_REASON = TEXT.optional(
    "Why there is no p, or how the interval is computed if not by the test.",
    lambda part, _: _reason(part) or ABSENT,
)

_PAIR = {
    "measure": MEASURE("The name of the measure.", "measure.key"),
    "run": TEXT("The run with the better measure on all questions."),
    "other": TEXT("The other run."),
    "parts": list_of(entry(_PART | {"variance": OF_CROSSED, "reason": _REASON}))(
        "The groups, in the order of the questions; micro and macro."
    ),
}


def _setting(name: str) -> Get:
    return lambda result, _: getattr(result.design, name)


DOCUMENT = ResultDocument(
    "comparison-by-group",
    "Comparisons by group",
    "Differences between runs on groups of questions: `ave-score compare --breakdown "
    "FILE|ATTRIBUTE`. CSV has a row for each measure, pair and group.",
    {
        "signature": SIGNATURE,
        "by": TEXT("The file or attribute that names the groups."),
        "groups": COUNT("The number of groups."),
        "level": AMOUNT("The confidence level of intervals in per cent.", _setting("level")),
        "correction": one_of(*CORRECTIONS)("The correction of p.", _setting("correction")),
        "pairs": list_of(entry(_PAIR))("The pairs of runs by each measure."),
        "not_scored": NOT_SCORED,
        "notes": list_of(TEXT)("Sentences about the figures."),
    },
)


def _reason(part: GroupDifference) -> str:
    """Say why a difference has no p, or how its interval is computed if not by the test."""
    return f"by {METHODS[part.method]}" if part.method else part.why_not


def _tables(result: GroupsCompared, digits: int, *, as_pairs: bool) -> list[ReportTable]:
    tables = [
        _table(result, comparison, digits, as_pairs=as_pairs) for comparison in result.comparisons
    ]
    tables[-1] = tables[-1]._replace(notes=[*tables[-1].notes, *_legend(result, as_pairs)])
    notes = [*result.notes]
    if result.not_scored:
        notes.append(not_done("compared", result.not_scored))
    return with_notes(tables, notes, result.signature)


_Row = tuple[PairByGroup, GroupDifference]


def _table(
    result: GroupsCompared, comparison: Comparison, digits: int, *, as_pairs: bool
) -> ReportTable:
    """Return the differences of the best pairs by a measure: with `as_pairs`, of more of them."""
    measure = comparison.measure
    pairs = [pair for pair in result.pairs if pair.measure is measure]
    shown = pairs[: MOST_PAIRS if as_pairs else MOST_PAIRS // 4]
    rows = [(pair, part) for pair in shown for part in pair.parts]
    styles = {n: RowStyle.SYSTEM for n, (_, part) in enumerate(rows) if part.part != "group"}
    notes = [_found(pairs)]
    if len(shown) < len(pairs):
        listed = f"{len(shown)} of {len(pairs):,} pairs, the best first"
        notes.append(f"{listed}; csv and json have all.")
    title = f"{measure.title}: differences on {quantity(result.groups, 'group')} by {result.by}"
    columns = _columns(result, comparison, digits, as_pairs=as_pairs)
    return table_of(title, columns, rows, styles=styles, notes=notes)


def _columns(
    result: GroupsCompared, comparison: Comparison, digits: int, *, as_pairs: bool
) -> list[Column]:
    """Return the columns; with `as_pairs` also those that pairs have without groups."""
    measure = comparison.measure

    def difference(row: _Row) -> str:
        return _difference(row[1], measure, digits, with_error=as_pairs)

    return [
        name_column("Run", lambda row: row[0].run, is_key=True),
        name_column("Other run", lambda row: row[0].other, is_key=True),
        name_column("Group", lambda row: row[1].group or row[1].part, is_key=True),
        Column(f"{comparison.unit.capitalize()}s", lambda row: f"{row[1].questions:,}"),
        Column("Difference", difference),
        *[Column("t (df)", lambda row: t_text(row[1].t, row[1].free))] * as_pairs,
        Column(
            f"{result.design.level:g} % interval",
            lambda row: _interval(row[1], measure, digits),
        ),
        Column("p", lambda row: p_text(row[1].p)),
        Column("Corrected", lambda row: p_text(row[1].adjusted)),
        *won_columns(lambda row: row[1].score) * as_pairs,
    ]


def _difference(part: GroupDifference, measure: Measure, digits: int, *, with_error: bool) -> str:
    text = f"{signed(cell_text(part.difference, measure, digits))}{'*' * part.is_significant}"
    if not with_error or isnan(part.stderr):
        return text
    return f"{text} ± {error_text(part.stderr, measure, digits)}"


def _interval(part: GroupDifference, measure: Measure, digits: int) -> str:
    return "" if isnan(part.interval.low) else interval_text(part.interval, measure, digits)


def _found(pairs: Sequence[PairByGroup]) -> str:
    """Say how many differences were found, and of which macro mean there is no test."""
    parts = [part for pair in pairs for part in pair.parts]
    tested = [part for part in parts if part.part == "group" and not isnan(part.p)]
    found = sum(part.is_significant for part in tested)
    said = f"{found:,} of {quantity(len(tested), 'difference')} on groups is significant."
    if len(tested) != 1:
        said = said.replace(" is ", " are ") if found != 1 else said
    why = dict.fromkeys(part.why_not for part in parts if part.part == MACRO and part.why_not)
    return " ".join([said, *(f"No test of the macro mean: {reason}." for reason in why)])


def _legend(result: GroupsCompared, as_pairs: bool) -> list[str]:
    design = result.design
    correction = CORRECTIONS[design.correction]
    notes = [
        f"*: corrected p up to {design.alpha:g} ({correction}: groups for all pairs and groups by "
        "a measure, micro and macro for all pairs). Intervals are those of each test alone, "
        "uncorrected.",
        "Groups are fixed. micro: all questions, as without --breakdown. macro: the mean of the "
        "differences over the groups, tested by t with the standard errors of the groups "
        "(Satterthwaite): whether it is 0 for other questions of these groups.",
    ]
    if as_pairs:
        notes.append(ERROR_AND_T)
    methods = Counter(
        METHODS[part.method] for pair in result.pairs for part in pair.parts if part.method
    )
    said = [f"{method} ({quantity(number, 'difference')})" for method, number in methods.items()]
    if said:
        few = "Intervals where the runs differ on too few questions for the test, or alike on all"
        notes.append(f"{few}: by {listed(said)}.")
    return notes


def _rows(result: GroupsCompared) -> Iterator[dict[str, Cell]]:
    for pair in result.pairs:
        for part in pair.parts:
            named: dict[str, Cell] = {"measure": pair.measure.key, "run": pair.run}
            yield named | {"other": pair.other} | record(_PART | {"reason": _REASON}, part)


def _records(result: GroupsCompared, digits: int | None) -> Records:
    """Return a row for each measure, pair and group."""
    return picked(["measure", "run", "other", *_PART, "reason"], _rows(result), digits)


_DATA = Reporter(DOCUMENT, partial(_tables, as_pairs=False), _records)


def compare_groups_report(
    result: GroupsCompared, digits: int | None = None, *, as_pairs: bool = False
) -> Report:
    """Return the report of differences by group, which tables show with three decimals.

    With `as_pairs`, tables have what those of pairs have: standard errors, t, and questions won.
    """
    shown = _DIGITS if digits is None else digits
    tables = partial(_tables, result, shown, as_pairs=as_pairs)
    return _DATA(result, digits)._replace(tables=tables)
