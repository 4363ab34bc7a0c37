"""The list of what a campaign would score: which file is which run of which team."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import NamedTuple

from ave_score.campaigns.file_reports import FileReport, before_reading
from ave_score.campaigns.plan import Plan
from ave_score.campaigns.submitted import submitted_in
from ave_score.campaigns.task import Task
from ave_score.campaigns.times import times_of
from ave_score.files.times import time_text
from ave_score.reports.data import BOOLEAN, TEXT, ResultDocument, entry, list_of
from ave_score.reports.report import Records, Report, ReportTable

_EDITION = {
    "edition": TEXT("The edition."),
    "language": TEXT("The language, or what the campaign file says: task, subtask or track."),
}

_RUN = _EDITION | {
    "team": TEXT.or_null("The team; null if it has none."),
    "run": TEXT("The name of the run."),
    "file": TEXT("The file of the run."),
    "submitted": TEXT.or_null("The time of the submission as ISO 8601, if it is known."),
    "not_scored": BOOLEAN(
        "Whether the run is not scored: it shares its name, or its language is not scored."
    ),
}

_NOTE = _EDITION | {"path": TEXT("The file or the setting."), "text": TEXT("The note.")}

DOCUMENT = ResultDocument(
    "campaign",
    "Runs of a campaign",
    "The runs that a campaign file names: `ave-score campaign list`.",
    {
        "title": TEXT("The title of the campaign."),
        "runs": list_of(entry(_RUN))("The runs, by language."),
        "notes": list_of(entry(_NOTE))("What is noteworthy about files and settings."),
    },
)


class ListedRuns(NamedTuple):
    """The runs of a language, before they are read, and the reports on them."""

    task: Task
    runs: list[dict[str, str | bool | None]]
    reports: list[FileReport]


def listed(plan: Plan) -> list[ListedRuns]:
    """Return the runs of each language, in the order of the campaign file."""
    languages = []
    for task in plan.tasks:
        runs_of_files = [(run.name, task.shown(run.path)) for run in task.runs]
        entered = submitted_in(task, runs_of_files, None)
        times = times_of(task.files, task.limits.submitted or {})
        runs: list[dict[str, str | bool | None]] = [
            {
                "edition": task.edition,
                "language": task.language,
                "team": entry.team or None,
                "run": entry.name,
                "file": entry.path,
                "submitted": _shown(times[entry.path]),
                "not_scored": not (entry.is_scored and task.is_usable),
            }
            for entry in entered.entries
        ]
        languages.append(ListedRuns(task, runs, [*before_reading(task), *entered.reports]))
    return languages


def _shown(time: datetime | str) -> str | None:
    return time_text(time) if isinstance(time, datetime) else None


def listing_report(plan: Plan, languages: list[ListedRuns]) -> Report:
    """Return the list in all formats; tables have a column of times if a time is known."""
    runs = [run for of_language in languages for run in of_language.runs]
    keys = ["edition", "language", "team", "run", "file", "submitted"]
    rows = [[str(run[key] or "") for key in keys] for run in runs]
    shown = len(keys) - (not any(run["submitted"] for run in runs))
    heads = [plan.tasks[0].word.name if key == "language" else key for key in keys[:shown]]
    cells = [row[:shown] for row in rows]
    table = ReportTable(plan.title, heads, cells, "l" * shown, keys=shown)

    def document() -> dict[str, object]:
        return DOCUMENT.of(_Listing(plan.title, runs, [*_notes(languages)]))

    return Report(lambda: [table], document, lambda: Records(keys, rows))


class _Listing(NamedTuple):
    """What the document is made of."""

    title: str
    runs: list[dict[str, str | bool | None]]
    notes: list[dict[str, str]]


def _notes(languages: list[ListedRuns]) -> Iterator[dict[str, str]]:
    for task, _, reports in languages:
        for report in reports:
            yield {
                "edition": task.edition,
                "language": task.language,
                "path": report.path,
                "text": report.summary,
            }
