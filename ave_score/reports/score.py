"""The scores of runs: tables in order of rank, a document with every count, a row for each run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from ave_score.core.choices import UNKNOWN_CHOICES
from ave_score.core.text import listed, not_done, quantity, visible
from ave_score.counts import TABLES
from ave_score.measures import Measure, by_table
from ave_score.measures.names import trec_eval_names
from ave_score.reports.cells import (
    entrant_columns,
    measured_text,
    rank_column,
    row_styles,
    spread_table,
    text_with_error,
)
from ave_score.reports.printed import printed_digits, printed_scores
from ave_score.reports.report import (
    DIGITS,
    Column,
    Heading,
    Report,
    ReportTable,
    RunValues,
    Values,
    name_column,
    table_of,
)
from ave_score.reports.score_data import DOCUMENT, score_records
from ave_score.reports.score_notes import reasons_of_absence, run_notes, table_notes, whole_of
from ave_score.reports.ties import ties_notes_of
from ave_score.tasks.ranked import are_comparable, best_first, not_primary_notes, ranks_of
from ave_score.tasks.scores import Row, Scores

_MOST_TOGETHER = 8
"""Measures in one table, at most: more are wider than a page."""


def score_report(
    scores: Scores,
    digits: int | None = None,
    by_question: Mapping[tuple[str, str], str] = MappingProxyType({}),
) -> Report:
    """Return the report of scores; records are not rounded if `digits` is None.

    `by_question` is as in `Values`.
    """
    return Report(
        lambda: score_tables(scores, DIGITS if digits is None else digits),
        lambda: DOCUMENT.of(scores),
        lambda: score_records(scores, digits),
        Heading(scores.collection.path, describe(scores), scores.signature),
        lambda: Values(
            [_run_values(row, scores) for row in scores.rows if row.kind.is_submitted],
            frozenset(measure.key for measure in scores.measures if measure.whole),
            digits,
            by_question,
            trec_eval_names(scores.measures),
        ),
    )


def _run_values(row: Row, scores: Scores) -> RunValues:
    questions = (row.extent or whole_of(scores)).questions
    absent = (measure.key for measure in scores.measures if measure.family not in row.counts)
    return RunValues(row.run, row.kind, questions, row.values, frozenset(absent))


class _Asked(NamedTuple):
    """How tables are made: see `score_tables`."""

    digits: int
    only_printed: bool
    together: bool
    with_primary: bool


def score_tables(
    scores: Scores,
    digits: int = DIGITS,
    *,
    only_printed: bool = False,
    together: bool = False,
    with_primary: bool = True,
) -> list[ReportTable]:
    """Return a table for each kind of measure that was requested, or a single one if `together`.

    A table is ranked by its first column. Many measures are not put together, nor those that apply
    to no row. In a single table, rows without the first measure are in the order of the next, and
    kinds are named only if they differ. `only_printed` makes them of nothing but the printed
    values, without notes that count labels. Primary runs have a table before that of all, unless
    `with_primary` is false.
    """
    if only_printed:
        scores = printed_scores(scores, digits)
    asked = _Asked(digits, only_printed, together, with_primary)
    made, absent = list[ReportTable](), dict[str, list[str]]()
    for title, columns in _columns(scores, together=together).items():
        requested = {measure.family for measure in columns}
        rows = [row for row in scores.rows if requested & row.counts.keys()]
        if not rows:
            absent.setdefault(reasons_of_absence(scores.rows, columns), []).append(title)
        else:
            made += _of_kind(scores, title, columns, rows, asked)
    return [
        *made,
        *(
            ReportTable(listed(titles).capitalize(), [], [], "", notes=[f"None: {why}."])
            for why, titles in absent.items()
        ),
    ]


def _of_kind(
    scores: Scores, title: str, columns: Sequence[Measure], rows: Sequence[Row], asked: _Asked
) -> list[ReportTable]:
    """Return the tables of one kind of measure: of primary runs, of all, and of replicates."""
    digits, main = asked.digits, columns[0]
    shown = [
        printed_digits(measure, digits) if asked.only_printed else digits for measure in columns
    ]
    only_submitted = asked.together or scores.collection.standard.ranks_documents
    kinds = {row.kind for row in rows if row.kind.is_submitted or not only_submitted}
    more = ["Kind"] * (len(kinds) > 1)
    tables = []
    for of_runs, shown_rows in (_listings(rows) if asked.with_primary else {"": rows}).items():
        besides = columns if asked.together else ()
        ordered = best_first(shown_rows, main, *besides)
        head = f"{title.capitalize()}, by {main.title}{of_runs}"
        errors = {"with_errors": scores.with_errors and not asked.only_printed}
        table = _table(head, ordered, main, columns, shown, more, **errors)
        tables.append(table._replace(notes=run_notes(shown_rows)))
    if asked.only_printed:
        tables = [table._replace(exact={}) for table in tables]
    replicated = [row for row in rows if row.of_runs]
    if replicated and not asked.only_printed:
        systems = (
            (column, row.run, row.of_runs[column.key])
            for column in columns
            for row in best_first(replicated, column)
            if row.values[column.key] is not None and not column.whole
        )
        tables.append(spread_table(systems, digits))
    notes = table_notes(scores, rows, columns, with_counts=not asked.only_printed)
    notes += [] if asked.with_primary else not_primary_notes(rows)
    notes += ties_notes_of(scores, rows, columns, digits)
    return [*tables[:-1], tables[-1]._replace(notes=notes)]


def _listings(rows: Sequence[Row]) -> dict[str, Sequence[Row]]:
    """Return which runs a table is of -> its rows: all, or first the primary ones."""
    primary = [row for row in rows if row.is_primary is not False]
    if all(row.is_primary is None for row in rows):
        return {"": rows}
    return {": primary runs": primary, ": all runs": rows}


def _columns(scores: Scores, *, together: bool) -> Mapping[str, Sequence[Measure]]:
    """Return the measures of each table."""
    counted_families = {family for row in scores.rows for family in row.counts}
    tables = by_table(scores.measures)
    fits = len(tables) > 1 and len(scores.measures) <= _MOST_TOGETHER
    if together and fits and counted_families >= {measure.family for measure in scores.measures}:
        return {"scores": scores.measures}
    return tables


def describe(scores: Scores) -> str:
    """Return the description of the collection that runs were scored against."""
    collection = scores.collection
    effect = UNKNOWN_CHOICES[scores.policies.unknown].effect
    unknown = f", {collection.unknown:,} unknown ({effect})" * bool(collection.unknown)
    notes = " ".join(map(visible, collection.notes))
    standard = collection.standard
    missing = f" {notes}" if notes and not standard.is_told_by_notes else ""
    if scores.not_scored:
        missing += f" {not_done('scored', scores.not_scored)}"
    if standard.is_told_by_notes:
        return f"{notes}{missing}"
    if not collection.answers:
        return f"{quantity(collection.questions, 'question')}{scores.epochs}.{missing}"
    questions = (
        f"{quantity(collection.questions, 'question')}{scores.epochs}, "
        f"{collection.questions_with_correct:,} with a correct answer; "
    )
    numbers = f"{questions * standard.has_questions}{quantity(collection.answers, standard.noun)}"
    if not standard.has_decisions:
        return f"{numbers}, {collection.validated:,} correct.{missing}"
    return (
        f"{numbers}: {collection.validated:,} validated, "
        f"{collection.rejected:,} rejected{unknown}.{missing}"
    )


def _table(
    title: str,
    rows: Sequence[Row],
    main: Measure,
    columns: Sequence[Measure],
    digits: Sequence[int],
    kind: Sequence[str],
    *,
    with_errors: bool,
) -> ReportTable:
    """Return the table of these rows, in their order; `digits` are those of the columns.

    `kind` is the head of the column of kinds, if there is one. A row that has no measure of a kind
    is empty there.
    Runs that are scored on different answers are not ranked.
    """
    is_comparable = are_comparable(rows)
    shown = [
        rank_column(rows, ranks_of(rows, main)),
        *entrant_columns(rows),
        *(name_column(head, lambda row: str(row.kind)) for head in kind),
        *(
            _measure_column(
                *(rows, measure, columns, decimals),
                is_comparable=is_comparable,
                with_errors=with_errors,
            )
            for measure, decimals in zip(columns, digits, strict=True)
        ),
    ]
    return table_of(title, shown, rows, styles=row_styles(rows))


def _measure_column(
    rows: Sequence[Row],
    measure: Measure,
    columns: Sequence[Measure],
    digits: int,
    *,
    is_comparable: bool,
    with_errors: bool = False,
) -> Column:
    """Return the column of a measure; its best value is that of the ranked runs."""
    key, requested = measure.key, {column.family for column in columns}
    families = requested.intersection(TABLES[measure.family.table])
    ranked = [row.values[key] for row in rows if row.is_ranked]
    best = measure.best(ranked) if is_comparable and not measure.whole else None

    text = text_with_error if with_errors else measured_text

    def exact(row: Row) -> float | None:
        value = row.values[key]
        return None if value is None else float(100 * value if measure.percent else value)

    return Column(
        measure.title,
        lambda row: text(row, measure, digits) * (not families.isdisjoint(row.counts)),
        exact=exact,
        is_best=lambda row: best is not None and row.is_ranked and row.values[key] == best,
    )
