"""The tables over all groups and languages of an edition."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import NamedTuple

from ave_score.campaigns.score import Result
from ave_score.counts import TABLES, Family
from ave_score.measures import Measure
from ave_score.reports.collections import Described, collections_table
from ave_score.reports.report import ReportTable, RowStyle
from ave_score.reports.scores import DIGITS, cell_text
from ave_score.scoring import Row

NO_GROUP = "(no group)"
BEST_SYSTEMS = 2
"""How many QA systems stand beside the best selections of groups, as in the papers."""


class Page(NamedTuple):
    """A table of an edition and the file name of it, without suffix."""

    name: str
    table: ReportTable


def overview(edition: str, results: Sequence[Result]) -> list[Page]:
    """Return the tables of an edition: participants, collections, and the best of each group."""
    languages = [result.task.language for result in results]
    scored = [result for result in results if result.scores is not None]
    pages = [Page("participants", _participants(edition, results))]
    described = [
        Described((result.task.language,), result.scores.collection)
        for result in scored
        if result.scores is not None
    ]
    if described:
        title = f"{edition}: collections"
        pages.append(Page("collections", collections_table(title, ("language",), described)))
    for table, families in TABLES.items():
        measures = [one for one in _measures(results) if one.family in families]
        if not measures:
            continue
        main = measures[0]
        runs = _counted(_placed(result.runs for result in results), main.family)
        if runs:
            systems = _counted(_placed(result.systems for result in results), main.family)
            title = f"{edition}: best {main.title} of each group ({table})"
            pages.append(Page(f"best-{table}", _best_table(title, main, languages, runs, systems)))
    return pages


class _Placed(NamedTuple):
    """A row of the language in this column, and its group."""

    language: int
    group: str
    row: Row


def _counted(placed: Sequence[_Placed], family: Family) -> list[_Placed]:
    """Return the rows of which anything of this family is counted."""
    return [one for one in placed if family in one.row.counts]


def _measures(results: Sequence[Result]) -> list[Measure]:
    """Return the measures of all languages, each once."""
    found = [one for result in results if result.scores for one in result.scores.measures]
    return list({one.key: one for one in found}.values())


def _placed(rows: Iterable[Sequence[Row]]) -> list[_Placed]:
    """Return rows, given language by language."""
    return [
        _Placed(number, row.group or NO_GROUP, row)
        for number, of_language in enumerate(rows)
        for row in of_language
    ]


def _sorted_groups(groups: set[str]) -> list[str]:
    return sorted(groups, key=lambda group: (group == NO_GROUP, group.casefold(), group))


def _participants(edition: str, results: Sequence[Result]) -> ReportTable:
    """Count the runs of each group in each language, those that were left out beside them."""
    runs, systems = (
        _placed(result.runs for result in results),
        _placed(result.systems for result in results),
    )
    rows = [
        [group, *_times(len(results), [one for one in runs if one.group == group])]
        for group in _sorted_groups({one.group for one in runs})
    ]
    rows.append(["Runs", *_times(len(results), runs)])
    named = [one for one in runs if one.group != NO_GROUP]
    groups = [len({one.group for one in named if one.language == n}) for n in range(len(results))]
    rows.append(["Groups", *_shown(groups, len({one.group for one in named}))])
    rows.append(["QA systems", *_times(len(results), systems)])
    left_out = [len(result.left_out) for result in results]
    rows.append(["Files left out", *_shown(left_out, sum(left_out))])
    heads = ["group", *(result.task.language for result in results), "all"]
    totals = range(len(rows) - 4, len(rows))
    styles = dict.fromkeys(totals, RowStyle.BASELINE)
    return ReportTable(
        f"{edition}: participants and their runs", heads, rows, _align(heads), styles=styles
    )


def _times(columns: int, placed: Sequence[_Placed]) -> list[str]:
    counts = [sum(one.language == number for one in placed) for number in range(columns)]
    return _shown(counts, sum(counts))


def _shown(counts: Sequence[int], total: int) -> list[str]:
    return [*(f"{count:,}" if count else "" for count in counts), f"{total:,}"]


def _best_table(
    title: str,
    main: Measure,
    languages: Sequence[str],
    runs: Sequence[_Placed],
    systems: Sequence[_Placed],
) -> ReportTable:
    """Return the best value of each group in each language; below, the best QA systems."""
    groups = _sorted_groups({one.group for one in runs})
    values = [
        [_best_value(main, runs, number, group) for number in range(len(languages))]
        for group in groups
    ]
    rows = [
        [group, *(cell_text(value, main, DIGITS) if value is not None else "" for value in line)]
        for group, line in zip(groups, values, strict=True)
    ]
    best_here = [main.best(line[number] for line in values) for number in range(len(languages))]
    best = frozenset(
        (place, number + 1)
        for number, best_value in enumerate(best_here)
        for place, line in enumerate(values)
        if line[number] is not None and line[number] == best_value
    )
    styles = {}
    if systems:
        styles = dict.fromkeys(range(len(rows), len(rows) + BEST_SYSTEMS), RowStyle.BASELINE)
        rows += [
            [
                _rank_name(rank),
                *(_system_cell(main, systems, n, rank) for n in range(len(languages))),
            ]
            for rank in range(BEST_SYSTEMS)
        ]
    notes = ["The best of each language is set off; a group's best run counts."]
    heads = ["group", *languages]
    return ReportTable(title, heads, rows, _align(heads), best=best, styles=styles, notes=notes)


def _align(heads: Sequence[str]) -> str:
    """Return the alignment of a column of groups with figures beside it."""
    return "l" + "r" * (len(heads) - 1)


def _rank_name(rank: int) -> str:
    return "Best QA system" if rank == 0 else f"QA system {rank + 1}"


def _system_cell(main: Measure, systems: Sequence[_Placed], language: int, rank: int) -> str:
    here = _ordered(main, [one for one in systems if one.language == language])
    if rank >= len(here):
        return ""
    row = here[rank].row
    return f"{cell_text(row.values.get(main.key), main, DIGITS)} ({row.run})"


def _best_value(
    main: Measure, placed: Sequence[_Placed], language: int, group: str
) -> Fraction | None:
    here = [one for one in placed if one.language == language and one.group == group]
    return main.best(one.row.values.get(main.key) for one in here)


def _ordered(main: Measure, placed: Sequence[_Placed]) -> list[_Placed]:
    """Return those that have a value, the best first, equal ones by name."""
    defined = [one for one in placed if one.row.values.get(main.key) is not None]
    return sorted(defined, key=lambda one: (main.sort_key(one.row.values[main.key]), one.row.run))
