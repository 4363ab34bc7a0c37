"""Runs compared, as data: a row for each pair, one document, and a row for each question."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import isnan
from typing import TextIO

from ave_score.exact import fixed, plain
from ave_score.inference.compared import Comparison, Pair
from ave_score.inference.questions import Answered, QuestionTable
from ave_score.measures import Measure
from ave_score.text import visible

SCHEMA = "ave-score/comparison/1"

COLUMNS = (
    *("measure", "run", "other", "value", "other_value", "difference", "low", "high"),
    *("p", "p_corrected", "significant", "exact", "won", "tied", "lost", "effect"),
)

Plain = int | float | None


def _number(value: float) -> float | None:
    return None if isnan(value) else value


def _pair(pair: Pair) -> dict[str, object]:
    """Return a pair as JSON has it; docs/json.md describes every key."""
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


def comparison_csv(comparisons: Sequence[Comparison], digits: int | None) -> str:
    """Return a row for each measure and pair; measures are rounded where digits are given."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    for comparison in comparisons:
        values = {one.run: one.value for one in comparison.standings}
        for pair in comparison.pairs:
            record = _pair(pair)
            figures = {
                "value": values[pair.run],
                "other_value": values[pair.other],
                "difference": pair.difference,
            }
            record |= {name: _rounded(value, digits) for name, value in figures.items()}
            for name in ("low", "high"):
                record[name] = _rounded(record[name], digits)
            record |= {"measure": comparison.measure.key}
            record |= {"run": visible(pair.run), "other": visible(pair.other)}
            record |= {name: int(bool(record[name])) for name in ("significant", "exact")}
            writer.writerow([record[name] for name in COLUMNS])
    return out.getvalue()


def _rounded(value: object, digits: int | None) -> object:
    if not isinstance(value, Fraction | float):
        return value
    exact = Fraction(value)
    return plain(exact) if digits is None else fixed(exact, digits)


def comparison_json(
    comparisons: Sequence[Comparison],
    signature: str,
    left_out: Sequence[str],
    hardest: Sequence[Answered] | None = None,
) -> str:
    """Return everything that was found; docs/json.md describes every key."""
    design = comparisons[0].design
    document = {
        "schema": SCHEMA,
        "signature": signature,
        "test": design.test,
        "resamples": design.resampling.resamples,
        "seed": design.resampling.seed,
        "level": design.level,
        "correction": design.corrected_by,
        "baseline": design.baseline,
        "measures": [_comparison(one) for one in comparisons],
        "left_out": list(left_out),
    }
    if hardest is not None:
        document["hardest"] = [
            {"question": one.question, "right": list(one.right)} for one in hardest
        ]
    return json.dumps(document, indent=2, allow_nan=False) + "\n"


def _comparison(comparison: Comparison) -> dict[str, object]:
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
            for record in _question_records(measure, table):
                out.write(json.dumps(record, allow_nan=False) + "\n")
        return
    writer = csv.writer(out, lineterminator="\n")
    _, first = tables[0]
    runs = sorted(first.values)
    pairs = [f"{one} - {other}" for one, other in _sorted_pairs(first)]
    writer.writerow(map(visible, ["measure", "question", *runs, *pairs]))
    for measure, table in tables:
        for place, question in enumerate(table.questions):
            values = [_number(float(table.values[run][place])) for run in runs]
            added = [_added(table, pair, place) for pair in _sorted_pairs(first)]
            writer.writerow([measure.key, visible(question), *values, *added])


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
