"""What the pages of a campaign say about its files."""

from __future__ import annotations

from collections.abc import Iterable

from ave_score.campaigns.task import FileReport, Task
from ave_score.core.entrants import READING
from ave_score.core.errors import AveScoreError, InputError, exhausted, for_settings
from ave_score.core.findings import Findings
from ave_score.core.policies import Policies
from ave_score.reports.findings.concise import finding_lines
from ave_score.rules import Severity

Reports = list[FileReport]


def before_reading(task: Task) -> Reports:
    """Return what is known of the files of a task before any is read."""
    files = (*task.unusable, *task.strays)
    not_scored = [FileReport(task.shown(path), reason, not_scored=True) for path, reason in files]
    return [*not_scored, *task.notes]


def noted(task: Task, of_files: Iterable[Findings]) -> Reports:
    """Return the findings as reports, with paths relative to the campaign file."""
    reports = []
    for findings in of_files:
        if len(findings):
            shown = findings.with_path(task.shown(findings.path))
            codes = ", ".join(
                f"{rule.code}: {times:,}"
                for rule, times in shown.tally().items()
                if rule.severity is Severity.ERROR
            )
            summary = shown.summary().removeprefix(f"{shown.path}: ")
            summary = f"{summary} ({codes})" if codes else summary
            lines = list(finding_lines(shown))
            told: Findings | None = findings
            if shown.is_foreign:
                summary, lines, told = foreign(shown), [], None
            reports.append(FileReport(shown.path, summary, lines, bool(findings.errors), told))
    return reports


def foreign(findings: Findings) -> str:
    """Return what pages say of a file that may be any file: a pattern may reach secrets."""
    codes = ", ".join(f"{rule.code}: {times:,}" for rule, times in findings.tally().items())
    return f"no line names an answer of the collection ({codes}); its lines are not shown"


def said_of(error: AveScoreError) -> str:
    """Return the message of an error for a campaign, whose file has settings, and no options."""
    settings = [name for name, record in Policies.records().items() if record.setting is not None]
    return for_settings(error.for_commands, [*settings, *READING])


def failed(task: Task, path: str, error: Exception) -> FileReport:
    """Return the report on a file that cannot be read, whatever the reason."""
    if isinstance(error, InputError):
        path, reason = error.path, error.reason
    elif isinstance(error, AveScoreError):
        reason = said_of(error).replace(path, task.shown(path))
    elif isinstance(error, MemoryError | RecursionError):
        reason = exhausted(error)
    else:
        reason = f"cannot be read: internal error: {type(error).__name__}; please report it"
    may_pass = not isinstance(error, AveScoreError) or isinstance(error.__cause__, OSError)
    return FileReport(task.shown(path), reason, not_scored=True, may_pass=may_pass)
