"""The tables over all teams and languages of an edition."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ave_score.campaigns.result import Result
from ave_score.measures import Measure
from ave_score.reports.cells import cell_text
from ave_score.reports.report import (
    DIGITS,
    Column,
    ReportTable,
    RowStyle,
    name_column,
    table_of,
)
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
    measures = [item for result in results if result.scores for item in result.scores.measures]
    for main in leading({measure.key: measure for measure in measures}.values()):
        table = main.family.table
        languages = [_language(result, main) for result in results]
        if any(language.runs for language in languages):
            is_one = len({language.main.key for language in languages}) == 1
            what = f"best {main.title}" if is_one else "the best"
            title = f"{edition}: {what} of each team ({table})"
            best = _best_table(title, word, languages, with_measures=not is_one)
            pages.append(OverviewTable(f"best-{table}", best))
    return pages


def _team(row: Row) -> str:
    return row.team or NO_TEAM


def _sorted_teams(rows: Iterable[Row]) -> list[str]:
    return sorted(set(map(_team, rows)), key=lambda team: (team == NO_TEAM, team.casefold(), team))


def _participants(edition: str, results: Sequence[Result]) -> ReportTable:
    """Count the runs of each team in each language, and the files not scored."""
    teams = [[*map(_team, result.runs)] for result in results]
    counts = {
        team: [here.count(team) for here in teams]
        for team in _sorted_teams(row for result in results for row in result.runs)
    }
    totals = {
        "Runs": [*map(len, teams)],
        "Teams": [len({*here} - {NO_TEAM}) for here in teams],
        "QA systems": [len(result.systems) for result in results],
        "Files not scored": [len(result.not_scored) for result in results],
    }
    shown = {name: numbers for name, numbers in totals.items() if name == "Runs" or any(numbers)}
    rows = [
        [name, *(f"{number:,}" if number else "" for number in numbers), f"{sum(numbers):,}"]
        for name, numbers in [*counts.items(), *shown.items()]
    ]
    if "Teams" in shown:  # which may take part in several languages
        rows[len(counts) + 1][-1] = f"{len(counts.keys() - {NO_TEAM}):,}"
    styles = dict.fromkeys(range(len(counts), len(rows)), RowStyle.BASELINE)
    heads = ["team", *(result.task.label for result in results), "all"]
    align = "l" + "r" * (len(heads) - 1)
    return ReportTable(f"{edition}: participants and their runs", heads, rows, align, styles=styles)


class _Language(NamedTuple):
    """A language in the table of the best: the measure that its best are by, and its rows."""

    label: str
    main: Measure
    runs: Sequence[Row]
    systems: Sequence[Row]

    @property
    def partial(self) -> list[Row]:
        """The rows that are scored on fewer answers, so that values cannot be compared."""
        return [row for row in (*self.runs, *self.systems) if row.extent is not None]

    def best_first(self, rows: Iterable[Row]) -> list[Row]:
        """Return ranked rows with a value; of equal ones first those without a mark, by name."""
        key = self.main.key
        ranked = [row for row in rows if row.is_ranked and row.values.get(key) is not None]
        return sorted(
            ranked,
            key=lambda row: (
                self.main.sort_key(row.values[key]),
                row.remark is not None,
                row.run,
            ),
        )


def _language(result: Result, main: Measure) -> _Language:
    """Return a language by its own first measure of the table if it has one."""
    own = leading(result.scores.measures) if result.scores else []
    table, family = main.family.table, main.family
    by = next((item for item in own if item.family.table == table), main)
    runs = [row for row in result.runs if family in row.counts]
    systems = [row for row in result.systems if family in row.counts and row.is_ranked]
    return _Language(result.task.label, by, runs, systems)


class _Line(NamedTuple):
    """A line of the table of the best: a team, or a rank of QA systems, and a row per language."""

    name: str
    rows: Sequence[Row | None]
    is_team: bool = True


def _best_table(
    title: str, word: str, languages: Sequence[_Language], *, with_measures: bool
) -> ReportTable:
    """Return the best value of each team in each language, then the best QA systems."""
    lines = []
    for team in _sorted_teams(row for language in languages for row in language.runs):
        own = [[row for row in language.runs if _team(row) == team] for language in languages]
        lines.append(_Line(team, [_nth(*pair, 0) for pair in zip(languages, own, strict=True)]))
    best_runs = [*zip(*(line.rows for line in lines), strict=True)]
    if any(language.systems for language in languages):
        for rank, name in enumerate(BEST_SYSTEMS):
            ranked = [_nth(language, language.systems, rank) for language in languages]
            lines.append(_Line(name, ranked, is_team=False))
    styles = {at: RowStyle.BASELINE for at, line in enumerate(lines) if not line.is_team}
    notes = _notes_on_best(word, languages)
    for language, rows in zip(languages, best_runs, strict=True):
        notes += [f"{language.label}: {note}" for note in run_notes(filter(None, rows))]
    columns = [
        name_column("team", lambda line: line.name),
        *(_column(at, language, with_measures) for at, language in enumerate(languages)),
    ]
    return table_of(title, columns, lines, styles=styles, notes=notes)


def _nth(language: _Language, rows: Sequence[Row], rank: int) -> Row | None:
    return next(iter(language.best_first(rows)[rank:]), None)


def _column(at: int, language: _Language, with_measure: bool) -> Column:
    """Return the column of a language, in which the best value is marked if all are comparable."""
    main, first = language.main, _nth(language, language.runs, 0)
    best = None if first is None or language.partial else first.values[main.key]

    def text(line: _Line) -> str:
        row = line.rows[at]
        if row is None:
            return ""
        beside = row.run if not line.is_team else row.remark and row.remark.mark
        return cell_text(row.values[main.key], main, DIGITS) + (f" ({beside})" if beside else "")

    def is_best(line: _Line) -> bool:
        row = line.rows[at] if line.is_team and best is not None else None
        return row is not None and row.values[main.key] == best

    return Column(f"{language.label}{f': {main.title}' * with_measure}", text, is_best=is_best)


def _notes_on_best(word: str, languages: Sequence[_Language]) -> list[str]:
    """Return the notes of a table of the best, in which some rows may be scored in part."""
    runs = [row for language in languages for row in language.runs]
    systems = [row for language in languages for row in language.systems]
    primary = "primary " * any(row.is_primary is not None for row in runs)
    notes = [
        f"The best value of each {word} is highlighted; each team is represented by its best "
        f"{primary}run."
    ]
    names = dict.fromkeys(row.run for row in (*runs, *systems) if row.extent is not None)
    if names:
        mixed = ", ".join(language.label for language in languages if language.partial)
        notes.append(
            f"Missing answers are excluded: {', '.join(names)} are scored on fewer answers, so the "
            f"values of {mixed} are not comparable, and none is highlighted."
        )
    return notes
