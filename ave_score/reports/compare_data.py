"""Comparisons of runs as data: a document, a row for each pair, a row for each question."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from math import isnan
from typing import TYPE_CHECKING, TextIO

from ave_score.core.exact import to_number
from ave_score.inference.compare_records import Comparison, Pair
from ave_score.inference.questions import QuestionTable
from ave_score.measures import Measure
from ave_score.reports.compare_conclusions import reasons_of
from ave_score.reports.compare_power import power_document
from ave_score.reports.csv_text import write_csv
from ave_score.reports.intervals import rounded
from ave_score.reports.json_text import json_line
from ave_score.reports.report import Cell, Records
from ave_score.reports.ties import TiedFigure, ties_notes
from ave_score.tasks.compare import Compared

if TYPE_CHECKING:
    import pandas as pd

SCHEMA = "ave-score/comparison/1"

COLUMNS = (
    *("measure", "run", "other", "value", "other_value", "difference", "low", "high"),
    *("p", "p_corrected", "significant", "exact", "won", "tied", "lost", "effect"),
)

_GROUPS = ("group", "other_group")
"""Further columns, if groups are given."""


def _number(value: float) -> float | None:
    """Return a number, None for NaN."""
    return None if isnan(value) else value


def _pair(pair: Pair) -> dict[str, Cell]:
    return {
        "run": pair.run,
        "other": pair.other,
        "difference": to_number(pair.difference),
        "low": _number(pair.interval.low),
        "high": _number(pair.interval.high),
        "p": _number(pair.p),
        "p_corrected": _number(pair.adjusted),
        "significant": pair.is_significant,
        "exact": pair.is_exact,
        "won": pair.score and pair.score.wins,
        "tied": pair.score and pair.score.ties,
        "lost": pair.score and pair.score.losses,
        "effect": pair.effect,
    }


def comparison_records(compared: Compared, digits: int | None) -> Records:
    """Return a row for each measure and pair; values are rounded unless `digits` is None."""
    rows, groups = [], compared.groups
    columns = (*COLUMNS, *_GROUPS) if groups else COLUMNS
    for comparison in compared.comparisons:
        values = {standing.run: standing.value for standing in comparison.standings}
        for pair in comparison.pairs:
            figures = {
                "value": values[pair.run],
                "other_value": values[pair.other],
                "difference": pair.difference,
                "low": _bound(pair.interval.low),
                "high": _bound(pair.interval.high),
            }
            record = {"measure": comparison.measure.key, **_pair(pair)}
            record |= {"group": groups.get(pair.run), "other_group": groups.get(pair.other)}
            for name, value in figures.items():
                record[name] = to_number(value) if digits is None else rounded(value, digits)
            rows.append([record[name] for name in columns])
    return Records(columns, rows)


def _bound(value: float) -> Fraction | None:
    return None if isnan(value) else Fraction(value)


def tied_notes(comparisons: Sequence[Comparison], digits: int | None = None) -> list[str]:
    """Return a sentence about figures that another ranking of ties would change, if any."""
    figures = [
        TiedFigure(
            standing.run, comparison.measure, standing.value, comparison.other_ties[standing.run]
        )
        for comparison in comparisons
        for standing in comparison.standings
        if standing.value is not None and standing.run in comparison.other_ties
    ]
    return ties_notes(comparisons[0].design.policies.ties, figures, digits)


def comparison_document(compared: Compared) -> dict[str, object]:
    """Return all results of a comparison."""
    design, groups = compared.comparisons[0].design, compared.groups
    measures = [_measure_document(each, groups) for each in compared.comparisons]
    document: dict[str, object] = {
        "schema": SCHEMA,
        "signature": compared.signature,
        "test": design.test,
        "resamples": design.resampling.resamples,
        "seed": design.resampling.seed,
        "level": design.level,
        "correction": design.corrected_by,
        "family": design.family,
        "baseline": design.baseline,
        "measures": measures,
        "left_out": list(compared.left_out),
        "notes": [*tied_notes(compared.comparisons), *compared.notes],
    }
    if compared.powers is not None:
        document["measures"] = [
            {**of_measure, "power": power_document(powers)}
            for of_measure, powers in zip(measures, compared.powers.of_comparisons, strict=True)
        ]
    if compared.answered is not None:
        document["hardest"] = [
            {"question": question.question, "right": list(question.right)}
            for question in compared.answered[: compared.hardest]
        ]
    return document


def _measure_document(comparison: Comparison, groups: Mapping[str, str]) -> dict[str, object]:
    omnibus = comparison.omnibus
    return {
        "measure": comparison.measure.key,
        "test": comparison.design.test,
        "unit": comparison.unit,
        "questions": comparison.questions,
        "cutoff": comparison.cutoff,
        "runs": [
            {
                "run": standing.run,
                **({"group": groups.get(standing.run)} if groups else {}),
                "value": to_number(standing.value),
                "low": _number(standing.interval.low),
                "high": _number(standing.interval.high),
                "method": standing.method,
                "ranks": standing.ranks and list(standing.ranks),
                "letters": standing.letters,
            }
            for standing in comparison.standings
        ],
        "pairs": [
            {**_pair(pair), "reason": reasons_of(comparison, pair)} for pair in comparison.pairs
        ],
        "groups": [list(group) for group in comparison.groups],
        "omnibus": None if omnibus is None else {"statistic": omnibus.statistic, "p": omnibus.p},
    }


def question_records(tables: Sequence[tuple[Measure, QuestionTable]]) -> Records:
    """Return a row for each measure and question."""
    runs, pairs = _columns(tables)
    rows = ([*key, *values, *added] for key, values, added in _question_rows(tables))
    return Records(["measure", "question", *runs, *(f"{a} - {b}" for a, b in pairs)], rows)


def questions_frame(tables: Sequence[tuple[Measure, QuestionTable]]) -> pd.DataFrame:
    """Return the same rows as a frame."""
    return question_records(tables).to_frame()


def write_questions(
    out: TextIO, tables: Sequence[tuple[Measure, QuestionTable]], *, lines: bool
) -> None:
    """Write a row for each measure and question, as CSV or as JSON Lines."""
    if not lines:
        write_csv(out, question_records(tables))
        return
    runs, pairs = _columns(tables)
    for (measure_key, question), values, added in _question_rows(tables):
        record = {
            "measure": measure_key,
            "question": question,
            "values": dict(zip(runs, values, strict=True)),
            "added": [
                {"run": run, "other": other, "added": value}
                for (run, other), value in zip(pairs, added, strict=True)
            ],
        }
        out.write(json_line(record))


def _columns(
    tables: Sequence[tuple[Measure, QuestionTable]],
) -> tuple[list[str], list[tuple[str, str]]]:
    """Return the runs and the pairs, sorted by name: measures rank runs differently."""
    first = tables[0][1]
    return sorted(first.values), sorted((min(pair), max(pair)) for pair in first.added)


def _question_rows(
    tables: Sequence[tuple[Measure, QuestionTable]],
) -> Iterator[tuple[tuple[str, str], list[Cell], list[Cell]]]:
    """Yield measure and question, the values of the runs, and what the question adds to pairs."""
    runs, pairs = _columns(tables)
    for measure, table in tables:
        for number, question in enumerate(table.questions):
            values: list[Cell] = [_number(float(table.values[run][number])) for run in runs]
            added: list[Cell] = [_added(table, pair, number) for pair in pairs]
            yield (measure.key, question), values, added


def _added(table: QuestionTable, pair: tuple[str, str], number: int) -> float | None:
    run, other = pair
    is_turned = pair not in table.added
    value = float(table.added[other, run][number] if is_turned else table.added[pair][number])
    return _number(round(0.0 - value if is_turned else value, 12))
