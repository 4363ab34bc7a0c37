"""What was counted of a file and found in it, and the same as entries of the cache."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any, NamedTuple

from ave_score.campaigns.cache import Entry
from ave_score.counts import COUNTS, Counts, Family
from ave_score.facts import CollectionFacts
from ave_score.scoring import Kind


class FileReport(NamedTuple):
    """What is wrong with a file: in a line, and in as many as it takes."""

    path: str
    summary: str
    lines: list[str]
    left_out: bool


class Counted(NamedTuple):
    """A row before any measure."""

    name: str
    kind: Kind
    counts: dict[Family, Counts]


class Gold(NamedTuple):
    """What a language is scored against, in numbers, with the rows that come with it."""

    facts: CollectionFacts
    rows: list[Counted]


def rows_to_json(rows: Iterable[Counted]) -> list[Entry]:
    """Return rows as an entry of the cache holds them, exact numbers as text."""
    return [
        {"name": row.name, "kind": str(row.kind), "counts": _counts_to_json(row.counts)}
        for row in rows
    ]


def _rows_of(document: list[Entry]) -> list[Counted]:
    return [
        Counted(str(row["name"]), Kind(row["kind"]), _counts_from_json(row["counts"]))
        for row in document
    ]


def _reports_of(document: list[Any]) -> list[FileReport]:
    return [
        FileReport(str(path), str(summary), [*map(str, lines)], bool(left_out))
        for path, summary, lines, left_out in document
    ]


def run_of(entry: Entry) -> tuple[list[Counted], list[FileReport]]:
    """Return the rows of a run and what was found in it; raises as `Cache.get` expects."""
    return _rows_of(entry["rows"]), _reports_of(entry["reports"])


def gold_of(entry: Entry) -> tuple[Gold | None, list[FileReport]]:
    """Return what is scored against and what was found in it; raises as `Cache.get` expects."""
    reports = _reports_of(entry["reports"])
    if entry["facts"] is None:
        return None, reports
    facts = CollectionFacts(**entry["facts"])
    facts = facts._replace(languages=tuple(facts.languages))
    return Gold(facts, _rows_of(entry["rows"])), reports


def _counts_to_json(counts: Mapping[Family, Counts]) -> dict[str, dict[str, str]]:
    """Return counts with exact numbers, as text."""
    return {
        str(family): {name: str(value) for name, value in vars(one).items()}
        for family, one in counts.items()
    }


def _counts_from_json(document: Mapping[str, Mapping[str, str]]) -> dict[Family, Counts]:
    """Return the counts again; raises `ValueError`, `TypeError` or `KeyError` for others."""
    found: dict[Family, Counts] = {}
    for name, values in document.items():
        family = Family(name)
        numbers = {key: Fraction(value) for key, value in values.items()}
        found[family] = COUNTS[family](
            **{key: n.numerator if n.denominator == 1 else n for key, n in numbers.items()}
        )
    return found
