"""The list of what a campaign would score: which file is which run of which team."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from ave_score.campaigns.entries import SubmittedEntry
from ave_score.campaigns.file_reports import before_reading
from ave_score.campaigns.plan import Plan
from ave_score.campaigns.submitted import submitted_in
from ave_score.campaigns.task import FileReport, Task
from ave_score.campaigns.times import times_of
from ave_score.files.times import time_text
from ave_score.reports.data import BOOLEAN, TEXT, Reporter, ResultDocument, entry, list_of
from ave_score.reports.report import Records, ReportTable

_EDITION = {
    "edition": TEXT("The edition.", "task.edition"),
    "language": TEXT(
        "The language, or what the campaign file says: task, subtask or track.", "task.language"
    ),
}

_RUN = _EDITION | {
    "team": TEXT.or_null(
        "The team; null if it has none.", lambda listed, _: listed.entry.team or None
    ),
    "run": TEXT("The name of the run.", "entry.name"),
    "file": TEXT("The file of the run.", "entry.path"),
    "submitted": TEXT.or_null("The time of the submission as ISO 8601, if it is known."),
    "not_scored": BOOLEAN(
        "Whether the run is not scored: it shares its name, or its language is not scored.",
        lambda listed, _: not (listed.entry.is_scored and listed.task.is_usable),
    ),
}
_COLUMNS = [*_RUN][:-1]

_NOTE = _EDITION | {
    "path": TEXT("The file or the setting.", "report.path"),
    "text": TEXT("The note.", "report.summary"),
}

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


class ListedRun(NamedTuple):
    """A run before it is read, and the time of its submission, if that is known."""

    task: Task
    entry: SubmittedEntry
    submitted: str | None


class ListedNote(NamedTuple):
    """A note on a file or a setting of a language."""

    task: Task
    report: FileReport


class Listing(NamedTuple):
    """The runs of a campaign, and the notes on them; `word` is what its languages are called."""

    title: str
    word: str
    runs: list[ListedRun]
    notes: list[ListedNote]


def listed(plan: Plan) -> Listing:
    """Return the runs of each language, in the order of the campaign file."""
    listing = Listing(plan.title, plan.tasks[0].word.name, [], [])
    for task in plan.tasks:
        runs_of_files = [(run.name, task.shown(run.path)) for run in task.runs]
        entered = submitted_in(task, runs_of_files, None)
        times = times_of(task.files, task.limits.submitted or {})
        for run in entered.entries:
            time = times[run.path]
            known = time_text(time) if isinstance(time, datetime) else None
            listing.runs.append(ListedRun(task, run, known))
        reports = [*before_reading(task), *entered.reports]
        listing.notes.extend(ListedNote(task, report) for report in reports)
    return listing


def _records(listing: Listing, _digits: int | None) -> Records:
    return DOCUMENT.records(listing, "runs", _COLUMNS)


def _tables(listing: Listing, _digits: int) -> list[ReportTable]:
    """Return the list, with a column of times if a time is known."""
    shown = len(_COLUMNS) - (not any(run.submitted for run in listing.runs))
    heads = [listing.word if name == "language" else name for name in _COLUMNS[:shown]]
    rows = [[str(cell or "") for cell in row][:shown] for row in _records(listing, None).rows]
    return [ReportTable(listing.title, heads, rows, "l" * shown, keys=shown)]


listing_report = Reporter(DOCUMENT, _tables, _records)
