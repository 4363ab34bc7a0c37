"""What was counted of a file and found in it, and the same as entries of the cache."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any, NamedTuple

from ave_score.campaigns.cache import Entry
from ave_score.counts import FAMILIES, Counts, Family, Ranking
from ave_score.counts.counted import Counted, Kind
from ave_score.exact import Number
from ave_score.facts import CollectionFacts


class FileReport(NamedTuple):
    """What is wrong with a file: in a line, and in as many as it takes."""

    path: str
    summary: str
    lines: list[str]
    left_out: bool


class Found(NamedTuple):
    """A row, the file that it comes from, and whether that was submitted to the campaign.

    Judged QA systems that are ranked beside the runs were not, and neither were baselines.
    """

    row: Counted
    path: str
    is_submitted: bool


class CountedGold(NamedTuple):
    """What a language is scored against, in numbers, with the rows that come with it."""

    facts: CollectionFacts
    rows: list[Found]


def rows_to_json(rows: Iterable[Found]) -> list[Entry]:
    """Return rows as an entry of the cache holds them, exact numbers as text."""
    return [
        {
            "name": one.row.name,
            "kind": str(one.row.kind),
            "counts": _counts_to_json(one.row.counts),
            "absent": {str(family): reason for family, reason in one.row.absent.items()},
            "path": one.path,
            "submitted": one.is_submitted,
        }
        for one in rows
    ]


def _rows_of(document: list[Entry]) -> list[Found]:
    return [
        Found(
            Counted(
                str(one["name"]),
                Kind(one["kind"]),
                _counts_from_json(one["counts"]),
                {FAMILIES[family]: str(reason) for family, reason in one["absent"].items()},
            ),
            str(one["path"]),
            bool(one["submitted"]),
        )
        for one in document
    ]


def _reports_of(document: list[Any]) -> list[FileReport]:
    return [
        FileReport(str(path), str(summary), [*map(str, lines)], bool(left_out))
        for path, summary, lines, left_out in document
    ]


def run_of(entry: Entry) -> tuple[list[Found], list[FileReport]]:
    """Return the rows of a run, with what was found in it."""
    return _rows_of(entry["rows"]), _reports_of(entry["reports"])


def gold_of(entry: Entry) -> tuple[CountedGold | None, list[FileReport]]:
    """Return what is scored against, with what was found in it."""
    reports = _reports_of(entry["reports"])
    if entry["facts"] is None:
        return None, reports
    facts = CollectionFacts(**entry["facts"])
    facts = facts._replace(languages=tuple(facts.languages))
    return CountedGold(facts, _rows_of(entry["rows"])), reports


def _counts_to_json(counts: Mapping[Family, Counts]) -> dict[str, dict[str, object]]:
    """Return counts, exact numbers as text."""
    return {
        str(family): {name: _plain(value) for name, value in vars(one).items()}
        for family, one in counts.items()
    }


def _plain(value: object) -> object:
    """Return what JSON can hold of a field: a number as text, a column as a list."""
    if isinstance(value, Counter):
        return [[*ranking, str(times)] for ranking, times in value.items()]
    return list(value) if isinstance(value, bytes | array) else str(value)


def _counts_from_json(document: Mapping[str, Mapping[str, Any]]) -> dict[Family, Counts]:
    """Return the counts again; raises `ValueError`, `TypeError` or `KeyError` for others."""
    found: dict[Family, Counts] = {}
    for name, values in document.items():
        empty = FAMILIES[name].counts()
        fields = {key: _field(value, getattr(empty, key)) for key, value in values.items()}
        found[FAMILIES[name]] = replace(empty, **fields)  # type: ignore[type-var]
    return found


def _field(value: Any, empty: object) -> object:  # noqa: ANN401 - what JSON had
    """Return a field again, of the same kind as one that is empty."""
    if isinstance(empty, Counter):
        return Counter({_ranking(groups, rest): _number(times) for groups, rest, times in value})
    if isinstance(empty, bytes):
        return bytes(value)
    if isinstance(empty, str):
        return str(value)
    if isinstance(empty, array):
        return array("d", value)
    return _number(value)


def _ranking(groups: Any, rest: Any) -> Ranking:  # noqa: ANN401 - what JSON had
    return Ranking(tuple(tuple(map(int, group)) for group in groups), tuple(map(int, rest)))


def _number(text: str) -> Number:
    number = Fraction(text)
    return number.numerator if number.denominator == 1 else number
