"""`ave-score check`: check files and report all findings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property, partial
from typing import TYPE_CHECKING, Literal

import click
from click.core import ParameterSource

from ave_score.commands.declared import command, file_option, files, flag, option
from ave_score.commands.files_given import read_limits, read_reference, report_in, say_skipped
from ave_score.commands.help import Section
from ave_score.commands.options import (
    LIMIT,
    OUTPUT,
    WithLimits,
    chosen_scores,
    log_option,
    policies,
    selection,
    tables,
)
from ave_score.commands.output_files import check_output_paths, say
from ave_score.commands.progress import progress
from ave_score.commands.types import NumberOr
from ave_score.core.choice import EVERYTHING, KEYS_OF_SYSTEMS, OF_VERIFIERS
from ave_score.core.errors import InputError, UsageError
from ave_score.core.findings import Findings
from ave_score.core.kinds import FileKind
from ave_score.core.policies import Policies
from ave_score.core.standards import LOGS
from ave_score.core.text import visible
from ave_score.core.writing import whole_file
from ave_score.files.check import Checked
from ave_score.files.folders import (
    check_is_no_folder,
    unfolded,
    unfolded_logs,
    why_not_checked,
)
from ave_score.files.sniff import sniff
from ave_score.files.source import Source
from ave_score.reports.findings.report import SHOWN, make_report
from ave_score.reports.formats import FINDINGS_FORMATS, render_findings
from ave_score.reports.style import style_for
from ave_score.rules import QUIET
from ave_score.tasks.check import check, is_system_log

if TYPE_CHECKING:
    from ave_score.campaigns.check import CheckedCampaign
    from ave_score.core.model import Collection
    from ave_score.core.open_questions import OpenGold
    from ave_score.files.log_grades import SystemLog
    from ave_score.files.naming import Naming
    from ave_score.files.run_limits import RunLimits
    from ave_score.rules import Told

_KEYS = KEYS_OF_SYSTEMS | OF_VERIFIERS
"""The keys of --log."""

NAMES = ("auto", *(kind.value for kind in FileKind))


class CheckOptions(WithLimits):
    """The arguments and options of one call."""

    files: tuple[str, ...] = files("FILE")
    collection: str | None = file_option(
        Section.INPUT,
        "The collection of the runs (its labels are not read), or the answer sets of the "
        "responses.",
    )
    kind: str = option(Section.INPUT, "Kind of the FILEs.", NAMES, default="auto")
    log: tuple[str, ...] | None = log_option(_KEYS)
    strict: bool = flag(Section.COUNTING, "Treat warnings as errors.")
    policies: Policies = policies(
        *(name for name in Policies.refusing() if name != "logs"),
        threshold="Check runs as those that this threshold decides.",
    )
    quiet: bool = flag(Section.CONTENT, "Print findings only, no summary; as text.", short="-q")
    max_findings: Literal["all"] | int | None = option(
        Section.CONTENT,
        "List at most N findings; the others are only counted.",
        NumberOr(click.IntRange(0), "all"),
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
    limit: Mapping[str, int | str] = LIMIT
    told: Told = selection(with_errors=True)
    naming: Naming = tables(has_scores=True)

    def check(self) -> None:
        """Raise `UsageError` for options that conflict, before any file is read."""
        choice = chosen_scores(self.log, _KEYS, self.naming)
        self.naming = self.naming._replace(
            choice=choice, is_decided=self.policies.threshold is not None
        )
        if choice.scores and self.kind not in ("auto", FileKind.SCORES):
            raise UsageError(
                f"the scores of verifiers need --kind {FileKind.SCORES}, not {self.kind}"
            )
        of_systems = choice._replace(scores=())
        if of_systems != EVERYTHING:
            self.policies = self.policies._replace(logs=of_systems)
        if self.quiet and not FINDINGS_FORMATS[self.format].is_text:
            source = click.get_current_context().get_parameter_source("format")
            if source is ParameterSource.ENVIRONMENT:
                self.format = "full"
                return
            texts = [format.name for format in FINDINGS_FORMATS.values() if format.is_text]
            raise UsageError(f"--quiet needs --format {' or '.join(texts)}")

    @property
    def is_of_scores(self) -> bool:
        """Whether the scores of verifiers are checked, in logs, too."""
        return bool(self.naming.choice.scores) or self.kind == FileKind.SCORES

    @cached_property
    def limits(self) -> RunLimits | None:
        """What TREC runs may have."""
        return read_limits(self.limit) if self.limit else None

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
    usual="collection kind log columns strict quiet max_findings format output",
    what="checked",
    how="checked",
)
def check_command(options: CheckOptions) -> int:
    """Check runs, collections, logs and other input files, and report all findings.

    With --collection, also checks that a run covers every answer of the collection and no others.
    A campaign file stands for all that it names: what `ave-score campaign` refuses is reported, and
    nothing is scored. The kind of a FILE is detected, except for keys, which need --kind. A folder
    stands for all files below it. Files may be compressed with gzip or xz; - is standard input.
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
    read, campaigns = _all_checked(found.paths, options, collection)
    check_output_paths([file.path for file in read], options.written)
    report = make_report(
        read,
        at_most=None if isinstance(most, str) else most,
        of_each=None if isinstance(most, str) else SHOWN,
        strict=options.strict,
        quiet=options.quiet,
        options=options.for_fix(),
    )
    with whole_file(options.output) as out:
        out.write(render_findings(report, options.format, style_for(options.output)))
    if not options.quiet:
        say_skipped(found, "checked")
    for file in report.files:
        if file.checked.unreadable is not None:
            path, reason = visible(file.checked.path), visible(file.checked.unreadable)
            click.echo(f"ave-score: {path}: {reason}", err=True)
    for campaign in campaigns:
        from ave_score.commands.campaign import report_lines

        notes = [(result.task, note) for result in campaign.results for note in result.notes]
        if not options.quiet:
            say(report_lines(notes, "the results of ave-score campaign"))
    return report.exit_code or int(not all(campaign.is_complete for campaign in campaigns))


def _all_checked(
    paths: Sequence[str], options: CheckOptions, collection: Collection | OpenGold | None
) -> tuple[list[Checked], list[CheckedCampaign]]:
    """Return the checked files with their selected findings, and the campaigns.

    Logs are checked together at last, and campaigns one by one.
    """
    with progress(paths, "Checking", str) as watched:
        read = [_checked(path, options, collection) for path in watched]
    logs = [one for one in read if not isinstance(one, Checked | Source)]
    plain = [one for one in read if isinstance(one, Checked)]
    unreadable = any(one.unreadable for one in plain)
    if logs:
        from ave_score.tasks.check_logs import check_logs  # few are logs

        scored = {*unfolded_logs(options.files).paths}
        apart = [log for log in logs if log.source.path not in scored]
        options.policies.check_signed(LOGS)
        of_logs = iter(check_logs(logs, options.policies, apart=apart))
        read = [one if isinstance(one, Checked | Source) else next(of_logs) for one in read]
    elif not (options.is_of_scores or unreadable):
        options.policies.check_no_log()
    # of a damaged file, nobody knows of which kind it is meant to be
    may_be_run = any(one.kind is FileKind.TREC_RUN or one.findings.errors for one in plain)
    if options.limits is not None and not (may_be_run or unreadable):
        options.limits.refuse("no FILE is a TREC run")
    campaigns: list[CheckedCampaign] = []
    every: list[Checked] = []
    for one in read:
        if isinstance(one, Source):
            from ave_score.campaigns.check import checked_campaign  # few are, and it is slow

            watch = partial(progress, label="Checking", name=lambda step: step.name)
            campaigns.append(checked_campaign(one, watch))
            every += campaigns[-1].files
        elif isinstance(one, Checked):
            every.append(one)
    return [_selected(one, options.told) for one in every], campaigns


def _checked(
    path: str, options: CheckOptions, collection: Collection | OpenGold | None
) -> Checked | SystemLog | Source:
    """Return a checked file, a log of a system, read, or a campaign file."""
    kind, policies = None if options.kind == "auto" else options.kind, options.policies
    if options.is_of_scores:
        kind = FileKind.SCORES
    naming = options.naming if kind else options.naming._replace(choice=EVERYTHING)
    source = Source(path, naming)
    source.limits = options.limits
    try:
        check_is_no_folder(path)
        if kind is None and collection is None and is_system_log(source):
            from ave_score.tasks.check_logs import read_system_log  # few are logs

            return read_system_log(source)
        if collection is None and (kind or sniff(source)) == FileKind.CAMPAIGN:
            return source
        policies = policies._replace(logs=None)  # whether there are logs is known at last
        return check(source, collection, kind=kind, policies=policies)
    except InputError as error:
        return Checked(source.path, None, Findings(source.path), unreadable=error.reason)


def _selected(checked: Checked, is_told: Told) -> Checked:
    """Return a checked file with its selected findings."""
    counts, told = checked.findings.counts, checked.findings.filtered(is_told)
    told.left_out = sum(counts[rule] for rule in counts if not is_told(rule) and rule not in QUIET)
    return checked._replace(findings=told)
