"""Findings in Markdown: for a workflow summary or a message to a participant."""

from __future__ import annotations

from collections.abc import Iterator

from ave_score.reports.findings.report import FindingsReport, ListedFile
from ave_score.reports.findings.summary import contents_text, table_of_files, total_line
from ave_score.reports.markdown import escaped, row, table_text
from ave_score.reports.style import TextStyle


def render(report: FindingsReport, _style: TextStyle) -> str:
    """Return a heading and a table for each file with findings, a line for each other file."""
    parts = [part for file in report.files for part in _file(file)]
    if report.not_listed:
        parts.append(f"{report.not_listed:,} more not listed.")
    if len(report.files) > 1:
        parts.append(table_text(table_of_files(report)).rstrip("\n"))
    return "\n\n".join([*parts, f"**{total_line(report)}**"]) + "\n"


def _file(file: ListedFile) -> Iterator[str]:
    checked = file.checked
    name = escaped(checked.path)
    if checked.unreadable is not None:
        yield f"**{name}** could not be read: {escaped(checked.unreadable)}"
        return
    contents = "."
    if checked.contents is not None and checked.kind is not None:
        contents = f" ({escaped(contents_text(checked.kind, checked.contents))})."
    yield f"**{escaped(checked.findings.summary())}**{contents}"
    if file.listed:
        rows = [row(["Line", "Column", "Rule", "Finding"]), row(["--:", "--:", "---", "---"])]
        for listed in file.listed:
            finding = listed.finding
            position = [str(finding.line or ""), str(finding.column or "")]
            rule = f"{finding.rule.code} {finding.rule.name} ({finding.rule.severity})"
            rows.append(row([*position, escaped(rule), escaped(listed.message)]))
        yield "\n".join(rows)
    if checked.findings.unchecked:
        yield "\n".join(f"- not checked: {escaped(what)}" for what in checked.findings.unchecked)
