"""What pages list of files: their names, findings and the help of rules."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from operator import attrgetter
from typing import NamedTuple

from ave_score.core.errors import for_pages
from ave_score.pages.results import FileFindings, names_of
from ave_score.reports.findings.report import ListedFinding, list_findings


class FileListing(NamedTuple):
    """A file with its name, the findings that are listed, and the help of their rules."""

    file: FileFindings
    name: str
    summary: str
    listed: Sequence[ListedFinding]
    helps: Sequence[tuple[str, str]]


def listings(files: Sequence[FileFindings]) -> Iterator[FileListing]:
    """Yield what is listed of each file; the folders of files are nobody's business."""
    for file, name in zip(files, names_of(files), strict=True):
        findings = file.findings
        if findings is None:
            yield FileListing(file, name, file.reason, (), ())
            continue
        told = findings.changed(lambda finding: finding._replace(said=for_pages))
        listed = [*list_findings(told)]
        of_rules = {entry.finding.rule: entry.finding for entry in listed}
        rules = sorted(of_rules, key=attrgetter("code"))
        helps = [(f"{rule.code} {rule.name}", of_rules[rule].help) for rule in rules]
        summary = findings.with_path("").summary().removeprefix(": ")
        yield FileListing(file, name, summary, listed, helps)
