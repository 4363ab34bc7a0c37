"""`ave-score check`: check files and report all findings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import click
from click.core import ParameterSource

from ave_score.commands import Section
from ave_score.commands.files_given import read_reference, report_in, say_skipped
from ave_score.commands.options import (
    NO_JOBS,
    OUTPUT,
    SCORE_SCORER,
    Options,
    command,
    file_option,
    files,
    flag,
    option,
    policies,
    selection,
    tables,
)
from ave_score.commands.output_files import check_output_paths
from ave_score.commands.progress import progress
from ave_score.commands.types import MOST_FINDINGS
from ave_score.core.errors import InputError, UsageError
from ave_score.core.findings import Findings
from ave_score.core.kinds import FileKind
from ave_score.core.text import visible
from ave_score.core.writing import whole_file
from ave_score.files.check import Checked
from ave_score.files.folders import check_is_no_folder, unfolded, why_not_checked
from ave_score.files.source import Source
from ave_score.reports.findings.report import SHOWN, make_report
from ave_score.reports.findings.summary import statistics_lines
from ave_score.reports.formats import FINDINGS_FORMATS, render_findings
from ave_score.reports.style import style_for
from ave_score.rules import QUIET
from ave_score.tasks.check import check

if TYPE_CHECKING:
    from ave_score.core.model import Collection
    from ave_score.core.open_questions import OpenGold
    from ave_score.core.policies import Policies
    from ave_score.files.source import Naming
    from ave_score.reports.findings.report import FindingsReport
    from ave_score.rules import Told

NAMES = ("auto", *(kind.value for kind in FileKind))


class CheckOptions(Options):
    """The arguments and options of one call."""

    files: tuple[str, ...] = files("FILE")
    collection: str | None = file_option(
        Section.INPUT,
        "The collection of the runs (its labels are not read), or the answer sets of the "
        "responses.",
    )
    kind: str = option(Section.INPUT, "Kind of the FILEs.", NAMES, default="auto")
    score_scorer: tuple[str, ...] = SCORE_SCORER
    strict: bool = flag(Section.COUNTING, "Treat warnings as errors.")
    exit_zero: bool = flag(Section.COUNTING, "Exit with 0 even if files have errors.")
    policies: Policies = policies(
        "campaign", "threshold", threshold="Check runs as those that this threshold decides."
    )
    quiet: bool = flag(Section.CONTENT, "Print findings only, no summary; as text.", short="-q")
    statistics: bool = flag(Section.CONTENT, "Show only the number of findings per rule.")
    max_findings: Literal["all"] | int | None = option(
        Section.CONTENT,
        "List at most N findings; the others are only counted.",
        MOST_FINDINGS,
        metavar="N|all",
        show_default="three of a rule in a file",
    )
    format: str = option(
        Section.OUTPUT,
        "Output format.",
        list(FINDINGS_FORMATS),
        short="-f",
        default="full",
        envvar="AVE_SCORE_FORMAT",
        show_envvar=True,
        show_default="full, or the value of AVE_SCORE_FORMAT",
    )
    output: str = OUTPUT
    told: Told = selection(with_errors=True)
    naming: Naming = tables()
    jobs: int | None = NO_JOBS

    def check(self) -> None:
        """Raise `UsageError` for options that conflict, before any file is read."""
        self.naming = self.naming._replace(is_decided=self.policies.threshold is not None)
        if self.score_scorer and self.kind not in ("auto", FileKind.SCORES):
            raise UsageError(f"--score-scorer needs --kind {FileKind.SCORES}, not {self.kind}")
        if self.statistics and self.quiet:
            raise UsageError("--statistics and --quiet are mutually exclusive")
        if (self.statistics or self.quiet) and not FINDINGS_FORMATS[self.format].is_text:
            source = click.get_current_context().get_parameter_source("format")
            if source is ParameterSource.ENVIRONMENT:
                self.format = "full"
                return
            name = "--statistics" if self.statistics else "--quiet"
            texts = [format.name for format in FINDINGS_FORMATS.values() if format.is_text]
            raise UsageError(f"{name} needs --format {' or '.join(texts)}")

    def for_fix(self) -> list[str]:
        """Return the given options that `ave-score fix` takes, too, each followed by its value."""
        names = self.given("collection", "select", "ignore", "columns", "values")
        return [word for name in names for word in (name, getattr(self, name[2:]))]


@command(
    "check",
    CheckOptions,
    examples={
        "Check a run before you submit it": "ave-score check run.txt --collection test.xml",
        "Check all files of a folder, and write a report for CI": (
            "ave-score check runs --collection gold.xml -f junit -o report.xml"
        ),
    },
    usual="collection kind score_scorer columns strict quiet statistics format output",
    what="checked",
    how="checked",
)
def check_command(options: CheckOptions) -> int:
    """Check runs, collections, logs and other input files, and report all findings.

    With --collection, also checks that a run covers every answer of the collection and no others.
    The kind of a FILE is detected, except for keys, which need --kind. A folder stands for all
    files below it. Files may be compressed with gzip or xz; - is standard input.
    `ave-score rule CODE` explains a finding, and `ave-score fix` fixes runs.

    Exit codes: 0 no errors, 1 errors (with --strict also warnings), 2 a file could not be read.
    """
    without = [options.collection, report_in(options.output)]
    found = unfolded(options.files, without, why_not_checked)
    check_output_paths(found.paths, options.written)
    collection = None
    if options.collection is not None:
        collection = read_reference(Source(options.collection, options.naming))
    most = options.max_findings
    with progress(found.paths, "Checking", str) as watched:
        report = make_report(
            (_checked(path, options, collection) for path in watched),
            at_most=None if isinstance(most, str) else most,
            of_each=None if isinstance(most, str) else SHOWN,
            strict=options.strict,
            quiet=options.quiet,
            options=options.for_fix(),
        )
    with whole_file(options.output) as out:
        out.write(_rendered(report, options))
    if not options.quiet:
        say_skipped(found, "checked")
        _say_contradictions(report, options)
    for file in report.files:
        if file.checked.unreadable is not None:
            path, reason = visible(file.checked.path), visible(file.checked.unreadable)
            click.echo(f"ave-score: {path}: {reason}", err=True)
    return 0 if options.exit_zero and report.exit_code == 1 else report.exit_code


def _say_contradictions(report: FindingsReport, options: CheckOptions) -> None:
    """Print on stderr what the logs of systems contradict each other in, if there are several."""
    files = [file.checked for file in report.files]
    logs = [checked.path for checked in files if "log" in (checked.contents or {})]
    if len(logs) > 1:
        from ave_score.files.log_systems import contradictions  # few are logs

        for line in contradictions([Source(path, options.naming) for path in logs]):
            click.echo(f"ave-score: {visible(line)}", err=True)


def _checked(path: str, options: CheckOptions, collection: Collection | OpenGold | None) -> Checked:
    """Return a checked file with its selected findings."""
    kind, campaign = None if options.kind == "auto" else options.kind, options.policies.campaign
    if options.score_scorer:
        kind = FileKind.SCORES
    source = Source(path, options.naming._replace(scores=options.score_scorer))
    try:
        check_is_no_folder(path)
        checked = check(source, collection, kind=kind, campaign=campaign)
    except InputError as error:
        return Checked(source.path, None, Findings(source.path), unreadable=error.reason)
    counts, is_told = checked.findings.counts, options.told
    told = checked.findings.filtered(is_told)
    told.left_out = sum(counts[rule] for rule in counts if not is_told(rule) and rule not in QUIET)
    return checked._replace(findings=told)


def _rendered(report: FindingsReport, options: CheckOptions) -> str:
    """Return the report in its format."""
    if options.statistics:
        return "\n".join([*statistics_lines(report), ""])

    return render_findings(report, options.format, style_for(options.output))
