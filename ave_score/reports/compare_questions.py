"""The questions of comparisons as data: a row for each, with the values of runs and differences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import isnan
from typing import Any, TextIO

from ave_score.inference.questions import QuestionTable
from ave_score.measures import Measure
from ave_score.reports.csv_text import write_csv
from ave_score.reports.data import MEASURE, NUMBER, TEXT, ResultDocument, entry, list_of, mapping
from ave_score.reports.json_text import json_line
from ave_score.reports.report import Records

_ADDED = {
    "run": TEXT("The first run by name."),
    "other": TEXT("The second run by name."),
    "added": NUMBER.or_null("The part of `run` minus `other` that is due to the question."),
}

LINE = ResultDocument(
    "compared-question",
    "Questions of comparisons",
    "A line for each measure and question: `ave-score compare --per-question FILE.jsonl`. CSV has "
    "a column for each run and pair.",
    {
        "measure": MEASURE("The name of the measure."),
        "question": TEXT("The id of the question, the pair or the cluster."),
        "values": mapping(NUMBER.or_null)(
            "The measure of each run on the question; null if undefined."
        ),
        "added": list_of(entry(_ADDED))(
            "What the question adds to the difference of each two runs."
        ),
    },
    is_line=True,
)


def question_records(tables: Sequence[tuple[Measure, QuestionTable]]) -> Records:
    """Return a row for each measure and question."""
    runs, pairs = _columns(tables)
    rows = (
        [
            line["measure"],
            line["question"],
            *line["values"].values(),
            *(pair["added"] for pair in line["added"]),
        ]
        for line in _lines(tables)
    )
    return Records(["measure", "question", *runs, *(f"{a} - {b}" for a, b in pairs)], rows)


def write_questions(
    out: TextIO, tables: Sequence[tuple[Measure, QuestionTable]], *, lines: bool
) -> None:
    """Write a row for each measure and question, as CSV or as JSON Lines."""
    if lines:
        out.writelines(map(json_line, _lines(tables)))
    else:
        write_csv(out, question_records(tables))


def _columns(
    tables: Sequence[tuple[Measure, QuestionTable]],
) -> tuple[list[str], list[tuple[str, str]]]:
    """Return the runs and the pairs, sorted by name: measures rank runs differently."""
    first = tables[0][1]
    return sorted(first.values), sorted((min(pair), max(pair)) for pair in first.added)


def _lines(tables: Sequence[tuple[Measure, QuestionTable]]) -> Iterator[dict[str, Any]]:
    """Yield the line of each measure and question."""
    runs, pairs = _columns(tables)
    for measure, table in tables:
        for number, question in enumerate(table.questions):
            yield {
                "measure": measure.key,
                "question": question,
                "values": {run: _number(float(table.values[run][number])) for run in runs},
                "added": [
                    {"run": pair[0], "other": pair[1], "added": _added(table, pair, number)}
                    for pair in pairs
                ],
            }


def _added(table: QuestionTable, pair: tuple[str, str], number: int) -> float | None:
    run, other = pair
    is_turned = pair not in table.added
    value = float(table.added[other, run][number] if is_turned else table.added[pair][number])
    return _number(round(-value if is_turned else value, 12) + 0.0)  # and -0.0 is 0.0


def _number(value: float) -> float | None:
    """Return a number, None for NaN."""
    return None if isnan(value) else value
