"""Runs compared, as data: a document, a row for each pair of runs, and a row for each question."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import isnan
from typing import NamedTuple, TextIO

from ave_score.exact import plain
from ave_score.inference.comparison import Comparison, Pair
from ave_score.inference.questions import Answered, QuestionTable
from ave_score.measures import Measure
from ave_score.reports.csv_text import write_csv
from ave_score.reports.json_text import json_line
from ave_score.reports.report import Cell, Records
from ave_score.reports.scores import rounded

SCHEMA = "ave-score/comparison/1"

COLUMNS = (
    *("measure", "run", "other", "value", "other_value", "difference", "low", "high"),
    *("p", "p_corrected", "significant", "exact", "won", "tied", "lost", "effect"),
)


class Compared(NamedTuple):
    """What a report of a comparison is made of.

    `answered` are all questions with a correct answer, the hardest first, and `hardest` of them are
    shown; None where they were not asked for.
    """

    comparisons: Sequence[Comparison]
    signature: str
    left_out: Sequence[str] = ()
    answered: Sequence[Answered] | None = None
    hardest: int = 0


def _number(value: float) -> float | None:
    """Return a number as data has it: None rather than NaN."""
    return None if isnan(value) else value


def _pair(pair: Pair) -> dict[str, Cell]:
    return {
        "run": pair.run,
        "other": pair.other,
        "difference": plain(pair.difference),
        "low": _number(pair.interval.low),
        "high": _number(pair.interval.high),
        "p": _number(pair.p),
        "p_corrected": _number(pair.adjusted),
        "significant": pair.is_significant,
        "exact": pair.is_exact,
        "won": pair.score.wins,
        "tied": pair.score.ties,
        "lost": pair.score.losses,
        "effect": pair.effect,
    }


def comparison_records(comparisons: Sequence[Comparison], digits: int | None) -> Records:
    """Return a row for each measure and pair; measures are rounded where digits are given."""
    rows = []
    for comparison in comparisons:
        values = {one.run: one.value for one in comparison.standings}
        for pair in comparison.pairs:
            figures = {
                "value": values[pair.run],
                "other_value": values[pair.other],
                "difference": pair.difference,
                "low": _bound(pair.interval.low),
                "high": _bound(pair.interval.high),
            }
            record = {"measure": comparison.measure.key, **_pair(pair)}
            for name, value in figures.items():
                record[name] = plain(value) if digits is None else rounded(value, digits)
            rows.append([record[name] for name in COLUMNS])
    return Records(COLUMNS, rows)


def _bound(value: float) -> Fraction | None:
    return None if isnan(value) else Fraction(value)


def comparison_document(compared: Compared) -> dict[str, object]:
    """Return everything that was found."""
    design = compared.comparisons[0].design
    document: dict[str, object] = {
        "schema": SCHEMA,
        "signature": compared.signature,
        "test": design.test,
        "resamples": design.resampling.resamples,
        "seed": design.resampling.seed,
        "level": design.level,
        "correction": design.corrected_by,
        "baseline": design.baseline,
        "measures": [_of_measure(one) for one in compared.comparisons],
        "left_out": list(compared.left_out),
    }
    if compared.answered is not None:
        document["hardest"] = [
            {"question": one.question, "right": list(one.right)}
            for one in compared.answered[: compared.hardest]
        ]
    return document


def _of_measure(comparison: Comparison) -> dict[str, object]:
    found = comparison.omnibus
    return {
        "measure": comparison.measure.key,
        "questions": comparison.questions,
        "runs": [
            {
                "run": one.run,
                "value": plain(one.value),
                "low": _number(one.interval.low),
                "high": _number(one.interval.high),
                "ranks": list(one.ranks),
                "letters": one.letters,
            }
            for one in comparison.standings
        ],
        "pairs": [_pair(pair) for pair in comparison.pairs],
        "groups": [list(group) for group in comparison.groups],
        "omnibus": None if found is None else {"statistic": found.statistic, "p": found.p},
    }


def write_questions(
    out: TextIO, tables: Sequence[tuple[Measure, QuestionTable]], *, lines: bool
) -> None:
    """Write a row for each measure and question, as CSV or as JSON Lines."""
    if lines:
        for measure, table in tables:
            out.writelines(map(json_line, _question_records(measure, table)))
        return
    _, first = tables[0]
    runs, pairs = sorted(first.values), _sorted_pairs(first)
    columns = ["measure", "question", *runs, *(f"{one} - {other}" for one, other in pairs)]
    rows = (
        [
            *(measure.key, question),
            *(_number(float(table.values[run][place])) for run in runs),
            *(_added(table, pair, place) for pair in pairs),
        ]
        for measure, table in tables
        for place, question in enumerate(table.questions)
    )
    write_csv(out, Records(columns, rows))


def _sorted_pairs(table: QuestionTable) -> list[tuple[str, str]]:
    """Return each pair, by its names: measures rank runs differently, and columns stay."""
    return sorted((min(pair), max(pair)) for pair in table.added)


def _added(table: QuestionTable, pair: tuple[str, str], place: int) -> float | None:
    one, other = pair
    is_turned = pair not in table.added
    value = float(table.added[other, one][place] if is_turned else table.added[pair][place])
    return _number(round(0.0 - value if is_turned else value, 12))


def _question_records(measure: Measure, table: QuestionTable) -> Iterator[dict[str, object]]:
    for place, question in enumerate(table.questions):
        yield {
            "measure": measure.key,
            "question": question,
            "values": {run: _number(float(v[place])) for run, v in sorted(table.values.items())},
            "added": [
                {"run": one, "other": other, "added": _added(table, (one, other), place)}
                for one, other in _sorted_pairs(table)
            ],
        }
