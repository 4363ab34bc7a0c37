"""The tables over all teams and languages of an edition."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from fractions import Fraction
from typing import NamedTuple

from ave_score.campaigns.result import Result
from ave_score.counts import Family
from ave_score.measures import Measure
from ave_score.reports.cells import cell_text
from ave_score.reports.report import DIGITS, ReportTable, RowStyle
from ave_score.reports.score_notes import run_notes
from ave_score.reports.stats import collections_table, for_people
from ave_score.tasks.ranked import leading
from ave_score.tasks.scores import Row
from ave_score.tasks.stats import Described

COLLECTIONS = "collections"
NO_TEAM = "(no team)"
BEST_SYSTEMS = ("Best QA system", "QA system 2")
"""The QA systems listed below the teams, as in the overview papers."""


class OverviewTable(NamedTuple):
    """A table of an edition, and its file name without suffix."""

    name: str
    table: ReportTable
    readable: ReportTable | None = None

    @property
    def shown(self) -> ReportTable:
        """The table for people; CSV has all columns."""
        return self.readable or self.table


def overview(edition: str, results: Sequence[Result]) -> list[OverviewTable]:
    """Return the tables of an edition: participants, collections, and the best of each team."""
    word = results[0].task.word.name
    pages = [OverviewTable("participants", _participants(edition, results))]
    described = [
        Described((result.task.language,), result.scores.collection)
        for result in results
        if result.scores is not None
    ]
    if described:
        title = f"{edition}: collections"
        sizes = collections_table(title, (word,), described)
        pages.append(OverviewTable(COLLECTIONS, sizes, for_people(sizes, described)))
    for main in leading(_measures(results)):
        table = main.family.table
        runs = _counted(_placed(result.runs for result in results), main.family)
        if runs:
            systems = _counted(_placed(result.systems for result in results), main.family)
            columns = [_column_of(result, main) for result in results]
            what = f"best {main.title}" if _have_one_measure(columns) else "the best"
            title = f"{edition}: {what} of each team ({table})"
            best = _best_table(title, columns, word, runs, systems)
            pages.append(OverviewTable(f"best-{table}", best))
    return pages


class _BestOfTeams(NamedTuple):
    """A language in the table of the best, and the measure that its best are by."""

    label: str
    main: Measure


def _column_of(result: Result, main: Measure) -> _BestOfTeams:
    """Return the column of a language, by its own first measure of the table if it has one."""
    own = leading(result.scores.measures) if result.scores else []
    table = main.family.table
    return _BestOfTeams(
        result.task.label, next((item for item in own if item.family.table == table), main)
    )


def _have_one_measure(columns: Sequence[_BestOfTeams]) -> bool:
    return len({column.main.key for column in columns}) == 1


class _Placed(NamedTuple):
    """A row, its team, and the index of its language."""

    language: int
    team: str
    row: Row


def _counted(placed: Sequence[_Placed], family: Family) -> list[_Placed]:
    """Return the rows that have counts of this family."""
    return [entry for entry in placed if family in entry.row.counts]


def _measures(results: Sequence[Result]) -> list[Measure]:
    """Return the distinct measures of all languages."""
    scores = [result.scores for result in results if result.scores]
    return list({measure.key: measure for part in scores for measure in part.measures}.values())


def _placed(rows: Iterable[Sequence[Row]]) -> list[_Placed]:
    """Return the rows of all languages; `rows` holds one sequence per language."""
    return [
        _Placed(number, row.team or NO_TEAM, row)
        for number, of_language in enumerate(rows)
        for row in of_language
    ]


def _sorted_teams(teams: set[str]) -> list[str]:
    return sorted(teams, key=lambda team: (team == NO_TEAM, team.casefold(), team))


def _participants(edition: str, results: Sequence[Result]) -> ReportTable:
    """Count the runs of each team in each language, and the files not scored."""
    runs = _placed(result.runs for result in results)
    systems = _placed(result.systems for result in results)
    rows = [
        [team, *_times(len(results), [entry for entry in runs if entry.team == team])]
        for team in _sorted_teams({entry.team for entry in runs})
    ]
    of_teams = len(rows)
    rows.append(["Runs", *_times(len(results), runs)])
    named = [entry for entry in runs if entry.team != NO_TEAM]
    teams = [
        len({entry.team for entry in named if entry.language == number})
        for number in range(len(results))
    ]
    if named:
        rows.append(["Teams", *_shown(teams, len({entry.team for entry in named}))])
    if systems:
        rows.append(["QA systems", *_times(len(results), systems)])
    not_scored = [len(result.not_scored) for result in results]
    if any(not_scored):
        rows.append(["Files not scored", *_shown(not_scored, sum(not_scored))])
    heads = ["team", *(result.task.label for result in results), "all"]
    totals = range(of_teams, len(rows))
    styles = dict.fromkeys(totals, RowStyle.BASELINE)
    return ReportTable(
        f"{edition}: participants and their runs", heads, rows, _align(heads), styles=styles
    )


def _times(columns: int, placed: Sequence[_Placed]) -> list[str]:
    counts = [sum(entry.language == number for entry in placed) for number in range(columns)]
    return _shown(counts, sum(counts))


def _shown(counts: Sequence[int], total: int) -> list[str]:
    return [*(f"{count:,}" if count else "" for count in counts), f"{total:,}"]


def _best_table(
    title: str,
    columns: Sequence[_BestOfTeams],
    word: str,
    runs: Sequence[_Placed],
    systems: Sequence[_Placed],
) -> ReportTable:
    """Return the best value of each team in each language, then the best QA systems."""
    teams = _sorted_teams({entry.team for entry in runs})
    languages, mains = zip(*columns, strict=True)
    best_runs = [
        [_best_run(main, runs, number, team) for number, main in enumerate(mains)] for team in teams
    ]
    values = [
        [row and row.values[main.key] for main, row in zip(mains, line, strict=True)]
        for line in best_runs
    ]
    rows = [
        [team, *map(_run_cell, mains, line)] for team, line in zip(teams, best_runs, strict=True)
    ]
    systems = [entry for entry in systems if entry.row.is_ranked]
    of_systems = [
        [name, *(_system_cell(main, systems, at, rank) for at, main in enumerate(mains))]
        for rank, name in enumerate(BEST_SYSTEMS if systems else ())
    ]
    styles = dict.fromkeys(range(len(rows), len(rows) + len(of_systems)), RowStyle.BASELINE)
    rows += of_systems
    partial = [entry for entry in (*runs, *systems) if entry.row.extent is not None]
    mixed = {entry.language for entry in partial}  # their rows are on different answers
    notes = _notes_on_best(word, languages, runs, partial)
    for language, of_teams in zip(languages, zip(*best_runs, strict=True), strict=False):
        limits = run_notes(row for row in of_teams if row is not None)
        notes += [f"{language}: {note}" for note in limits]
    by = "" if _have_one_measure(columns) else ": {}"
    heads = ["team", *(f"{column.label}{by.format(column.main.title)}" for column in columns)]
    best = _best_cells(mains, values, mixed)
    return ReportTable(title, heads, rows, _align(heads), best=best, styles=styles, notes=notes)


def _notes_on_best(
    word: str, languages: Sequence[str], runs: Sequence[_Placed], partial: Sequence[_Placed]
) -> list[str]:
    """Return the notes of a table of the best, in which some rows may be scored in part."""
    primary = "primary " * any(entry.row.is_primary is not None for entry in runs)
    notes = [
        f"The best value of each {word} is highlighted; each team is represented by its best "
        f"{primary}run."
    ]
    if partial:
        numbers = sorted({entry.language for entry in partial})
        notes.append(_not_comparable(partial, [languages[number] for number in numbers]))
    return notes


def _best_cells(
    mains: Sequence[Measure], values: Sequence[Sequence[Fraction | None]], mixed: Container[int]
) -> frozenset[tuple[int, int]]:
    """Return the cells of the best value of each language whose rows can be compared."""
    best = [
        None if number in mixed else main.best(line[number] for line in values)
        for number, main in enumerate(mains)
    ]
    return frozenset(
        (index, number + 1)
        for index, line in enumerate(values)
        for number in range(len(mains))
        if line[number] is not None and line[number] == best[number]
    )


def _not_comparable(partial: Sequence[_Placed], languages: Sequence[str]) -> str:
    """Return the note on the languages in which runs are scored on fewer answers."""
    names = ", ".join(dict.fromkeys(entry.row.run for entry in partial))
    return (
        f"Missing answers are excluded: {names} are scored on fewer answers, so the values of "
        f"{', '.join(languages)} are not comparable, and none is highlighted."
    )


def _align(heads: Sequence[str]) -> str:
    """Return the alignment of a column of teams followed by numbers."""
    return "l" + "r" * (len(heads) - 1)


def _system_cell(main: Measure, systems: Sequence[_Placed], language: int, rank: int) -> str:
    here = _ordered(main, [entry for entry in systems if entry.language == language])
    if rank >= len(here):
        return ""
    row = here[rank].row
    return f"{cell_text(row.values.get(main.key), main, DIGITS)} ({row.run})"


def _best_run(main: Measure, placed: Sequence[_Placed], language: int, team: str) -> Row | None:
    """Return the best ranked run of a team in a language; None if there is none."""
    here = [
        entry
        for entry in placed
        if entry.language == language and entry.team == team and entry.row.is_ranked
    ]
    ordered = _ordered(main, here)
    return ordered[0].row if ordered else None


def _run_cell(main: Measure, row: Row | None) -> str:
    if row is None:
        return ""
    mark = "" if row.remark is None else f" ({row.remark.mark})"
    return f"{cell_text(row.values[main.key], main, DIGITS)}{mark}"


def _ordered(main: Measure, placed: Sequence[_Placed]) -> list[_Placed]:
    """Return the rows with a value, best first; ties without a mark first, in order of name."""
    rows = [entry for entry in placed if entry.row.values.get(main.key) is not None]

    def key(entry: _Placed) -> tuple[object, ...]:
        row = entry.row
        return main.sort_key(row.values[main.key]), row.remark is not None, row.run

    return sorted(rows, key=key)
