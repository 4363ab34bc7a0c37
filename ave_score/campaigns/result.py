"""What is known of one language once it is scored."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from typing import TYPE_CHECKING, NamedTuple

from ave_score.campaigns.entries import SubmittedEntry
from ave_score.campaigns.file_reports import Reports
from ave_score.campaigns.patterns import UnusedPattern
from ave_score.campaigns.task import FileReport, Task
from ave_score.core.findings import Findings
from ave_score.counts.counted import Kind
from ave_score.tasks.scores import Row, Scores

if TYPE_CHECKING:
    from ave_score.inference.units import Gold, Subject
    from ave_score.tasks.compared import Compared


class TeamFile(NamedTuple):
    """What a team may know about a file of its own: the findings of a check without gold labels.

    `findings` is None if the file was not checked, for a reason.
    """

    name: str
    path: str
    findings: Findings | None
    reason: str = ""


class Result(NamedTuple):
    """The scores of one language, None if it is not scored, and the reports on its files.

    `submitted` holds the kind and name of each submitted row. `compared` is None if nothing is
    compared, `not_compared` says what is not, and why. `entries` are all that was submitted,
    `limits` the notes on what is late, too much, or not read, `unmatched` the names in the teams
    that match nothing here (see `about_teams`), `unused` the patterns, None if not known.
    `no_runs` are files in folders of teams that are not even bad runs (see `is_no_run`).
    Pages are made of `gold`, the collection, of `subjects`, the runs and QA systems, and of
    `files`.
    """

    task: Task
    scores: Scores | None
    reports: Reports
    submitted: frozenset[tuple[Kind, str]] = frozenset()
    compared: Compared | None = None
    not_compared: Sequence[str] = ()
    entries: Sequence[SubmittedEntry] = ()
    limits: Sequence[FileReport] = ()
    unmatched: Mapping[str, str | None] | None = None
    gold: Gold | None = None
    subjects: Sequence[Subject] = ()
    files: Sequence[TeamFile] = ()
    unused: Sequence[UnusedPattern] | None = None
    no_runs: Set[str] = frozenset()

    @property
    def not_scored(self) -> Reports:
        """The files that were not scored."""
        return [report for report in self.reports if report.not_scored]

    @property
    def notes(self) -> Reports:
        """Reports without findings on files that are scored."""
        return [report for report in self.reports if not (report.not_scored or report.lines)]

    @property
    def runs(self) -> list[Row]:
        """The submitted runs and QA systems."""
        rows = self.scores.rows if self.scores else ()
        return [row for row in rows if (row.kind, row.run) in self.submitted]

    @property
    def ranked(self) -> list[Row]:
        """The submitted runs and QA systems that can be the best."""
        return [row for row in self.runs if row.is_ranked]

    @property
    def systems(self) -> list[Row]:
        """QA systems that were not submitted."""
        rows = self.scores.rows if self.scores else ()
        others = [row for row in rows if row.kind is Kind.QA]
        return [row for row in others if (row.kind, row.run) not in self.submitted]
