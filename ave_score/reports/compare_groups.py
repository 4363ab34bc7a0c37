"""Reports of differences between runs by group of questions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import isnan

from ave_score.core.text import not_done, quantity
from ave_score.inference.procedures import CORRECTIONS
from ave_score.measures import Measure
from ave_score.reports.cells import cell_text, signed
from ave_score.reports.compare import interval_text
from ave_score.reports.compare_conclusions import p_text
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
from ave_score.tasks.breakdown import MACRO, MICRO
from ave_score.tasks.compare_groups import GroupDifference, GroupsCompared, PairByGroup

_DIGITS = 3

_PART = {
    "part": one_of("group", MICRO, MACRO)(
        "`group`, `micro` (all questions) or `macro` (the mean of the differences over the groups)."
    ),
    "group": TEXT("The name of the group; empty for micro and macro."),
    "questions": COUNT("The number of questions, or clusters; of macro, the number of groups."),
    "difference": NUMBER.or_null.with_integers("The measure of `run` minus that of `other`."),
    "stderr": AMOUNT.or_null("The standard error of the difference."),
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
    "reason": TEXT.optional(
        "Why there is no p, as the end of a sentence.", lambda part, _: part.why_not or ABSENT
    ),
}

_PAIR = {
    "measure": MEASURE("The name of the measure.", "measure.key"),
    "run": TEXT("The run with the better measure on all questions."),
    "other": TEXT("The other run."),
    "parts": list_of(entry(_PART))("The groups, in the order of the questions; micro and macro."),
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


def _tables(result: GroupsCompared, digits: int) -> list[ReportTable]:
    tables = []
    for comparison in result.comparisons:
        pairs = [pair for pair in result.pairs if pair.measure is comparison.measure]
        tables.append(_table(result, pairs, comparison.measure, comparison.unit, digits))
    tables[-1] = tables[-1]._replace(notes=[*tables[-1].notes, *_legend(result)])
    notes = [*result.notes]
    if result.not_scored:
        notes.append(not_done("compared", result.not_scored))
    return with_notes(tables, notes, result.signature)


def _table(
    result: GroupsCompared, pairs: Sequence[PairByGroup], measure: Measure, unit: str, digits: int
) -> ReportTable:
    """Return the differences of the best pairs by a measure."""
    shown = pairs[: max(1, MOST_PAIRS // 4)]
    rows = [(pair, part) for pair in shown for part in pair.parts]
    styles = {n: RowStyle.SYSTEM for n, (_, part) in enumerate(rows) if part.part != "group"}
    level = f"{result.design.level:g} % interval"
    columns = [
        name_column("Run", lambda row: row[0].run, is_key=True),
        name_column("Other run", lambda row: row[0].other, is_key=True),
        name_column("Group", lambda row: row[1].group or row[1].part, is_key=True),
        Column(f"{unit.capitalize()}s", lambda row: f"{row[1].questions:,}"),
        Column("Difference", lambda row: _difference(row[1], measure, digits)),
        Column(level, lambda row: _interval(row[1], measure, digits)),
        Column("p", lambda row: p_text(row[1].p)),
        Column("Corrected", lambda row: p_text(row[1].adjusted)),
    ]
    notes = [_found(pairs)]
    if len(shown) < len(pairs):
        listed = f"{len(shown)} of {len(pairs):,} pairs, the best first"
        notes.append(f"{listed}; csv and json have all.")
    title = f"{measure.title}: differences on {quantity(result.groups, 'group')} by {result.by}"
    return table_of(title, columns, rows, styles=styles, notes=notes)


def _difference(part: GroupDifference, measure: Measure, digits: int) -> str:
    star = "*" * part.is_significant
    return f"{signed(cell_text(part.difference, measure, digits))}{star}"


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


def _legend(result: GroupsCompared) -> list[str]:
    design = result.design
    correction = CORRECTIONS[design.correction]
    return [
        f"*: corrected p up to {design.alpha:g} ({correction}: groups for all pairs and groups by "
        "a measure, micro and macro for all pairs). Intervals are those of each test alone, "
        "uncorrected.",
        "Groups are fixed. micro: all questions, as without --breakdown. macro: the mean of the "
        "differences over the groups, tested by t with the standard errors of the groups "
        "(Satterthwaite): whether it is 0 for other questions of these groups.",
    ]


def _rows(result: GroupsCompared) -> Iterator[dict[str, Cell]]:
    for pair in result.pairs:
        for part in pair.parts:
            named: dict[str, Cell] = {"measure": pair.measure.key, "run": pair.run}
            yield named | {"other": pair.other} | record(_PART, part)


def _records(result: GroupsCompared, digits: int | None) -> Records:
    """Return a row for each measure, pair and group."""
    columns = ["measure", "run", "other", *(key for key in _PART if key != "reason"), "reason"]
    return picked(columns, _rows(result), digits)


_reporter = Reporter(DOCUMENT, _tables, _records)


def compare_groups_report(result: GroupsCompared, digits: int | None = None) -> Report:
    """Return the report of differences by group, which tables show with three decimals."""
    tables = _reporter(result, _DIGITS if digits is None else digits).tables
    return _reporter(result, digits)._replace(tables=tables)
