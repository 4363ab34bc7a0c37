"""What `ave-score score` does: read, check, score run by run, render, write."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

import click

from ave_score.api import read_groups
from ave_score.checks.collection import check_collection
from ave_score.checks.judged import check_judged
from ave_score.checks.run import check_run
from ave_score.cli.files import whole_file
from ave_score.cli.names import run_names
from ave_score.errors import InputError, UsageError
from ave_score.findings import Findings
from ave_score.formats.source import Source
from ave_score.labels import campaign_table, settle_unknown
from ave_score.measures import Measure, parse_measures
from ave_score.model import Collection, JudgedRun, Run
from ave_score.reports.findings import finding_lines, help_lines
from ave_score.scoring import Kind, Scores, score
from ave_score.signature import Policies
from ave_score.text import counted

if TYPE_CHECKING:
    from ave_score.reports.per_question import PerQuestionWriter

TABLE_FORMATS = ("table", "markdown", "latex")
TABLE_MEASURES, DATA_MEASURES = "ave2007", "all"
DIGITS = 2


class Options(NamedTuple):
    """The options of one call, as given."""

    key: str | None
    qa: str | None
    groups: str | None
    campaign: str
    missing: str
    unknown: str
    format: str
    measures: str | None
    sort: str | None
    digits: int | None
    output: str
    per_question: str | None
    keep_going: bool

    @property
    def policies(self) -> Policies:
        """The choices that change figures."""
        return Policies(self.campaign, self.missing, self.unknown)

    def wanted(self) -> list[Measure]:
        """Return the measures asked for, or those that suit the format."""
        default = TABLE_MEASURES if self.format in TABLE_FORMATS else DATA_MEASURES
        return parse_measures(self.measures or default)


class Intake:
    """What was found in the files so far, and whether anything may still be scored."""

    def __init__(self) -> None:
        self.found: list[Findings] = []
        self.unreadable: list[InputError] = []

    @property
    def refused(self) -> int:
        """Number of files that cannot be scored."""
        return len(self.unreadable) + sum(findings.errors > 0 for findings in self.found)

    def show(self) -> None:
        """Say everything that was found, warnings included, on stderr."""
        for line in chain(*map(finding_lines, self.found), help_lines(self.found)):
            click.echo(line, err=True)
        for error in self.unreadable:
            click.echo(f"ave-score: {error}", err=True)

    def refuse(self, what: str) -> click.exceptions.Exit:
        """Show what was found and return the exception that ends the command."""
        self.show()
        click.echo(f"ave-score: {what}", err=True)
        return click.exceptions.Exit(2 if self.unreadable else 1)


def score_files(collection_path: str, run_paths: Sequence[str], options: Options) -> int:
    """Score runs against a collection and write what the options ask for; return the exit code."""
    measures = _checked(options)
    sources = [Source(path) for path in run_paths]
    names = run_names(sources)
    _one_stdin([collection_path, *run_paths, options.key, options.qa, options.groups])
    intake = Intake()
    collection = _collection(collection_path, options.key, intake)
    groups = read_groups(options.groups) if options.groups else {}
    with ExitStack() as open_files:
        settled = settle_unknown(collection, options.unknown)
        per_question = _per_question(settled, options, open_files)
        job = _Job(settled, options, intake, per_question)
        scores = score(
            collection,
            job.runs(sources, names),
            job.systems(),
            policies=options.policies,
            measures=measures,
            groups=groups,
        )
        if intake.refused and not options.keep_going:
            raise intake.refuse(_nothing_scored(intake.refused, sources, options))
        if not any(row.kind is not Kind.BASELINE for row in scores.rows):
            raise intake.refuse("nothing left to score")
        text = _rendered(scores, options)
        open_files.enter_context(whole_file(options.output)).write(text)
    intake.show()
    return 1 if intake.refused else 0


def _nothing_scored(refused: int, sources: Sequence[Source], options: Options) -> str:
    """Return the last line of a command that refuses to score."""
    files = len(sources) + (options.qa is not None)
    hint = " (--keep-going scores the others)" if refused < files else ""
    return f"{refused} of {counted(files, 'file')} refused, nothing scored{hint}"


def _checked(options: Options) -> list[Measure]:
    """Find out what is wrong with the options before any file is read."""
    measures = options.wanted()
    campaign_table(options.campaign)
    if options.sort and options.format not in TABLE_FORMATS:
        raise UsageError(f"--sort orders tables; --format {options.format} has none")
    if options.per_question and options.per_question == options.output:
        raise UsageError("--output and --per-question name the same file")
    return measures


def _one_stdin(paths: Iterable[str | None]) -> None:
    if sum(path == "-" for path in paths) > 1:
        raise UsageError("standard input (-) can be read only once")


def _collection(path: str, key: str | None, intake: Intake) -> Collection:
    collection, found = check_collection(Source(path), Source(key) if key else None)
    intake.found += found
    if collection is None:
        raise intake.refuse("the collection cannot be scored against")
    return collection


def _per_question(
    collection: Collection, options: Options, open_files: ExitStack
) -> PerQuestionWriter | None:
    """Open the file of --per-question, which appears when all else has succeeded."""
    if not options.per_question:
        return None
    from ave_score.reports.per_question import PerQuestionWriter

    out = open_files.enter_context(whole_file(options.per_question))
    lines = options.per_question.endswith(".jsonl")
    return PerQuestionWriter(out, collection, campaign_table(options.campaign), lines=lines)


class _Job(NamedTuple):
    """Reads runs and systems one by one, leaving out what is defective."""

    collection: Collection
    options: Options
    intake: Intake
    per_question: PerQuestionWriter | None

    def runs(self, sources: Sequence[Source], names: Sequence[str]) -> Iterator[Run]:
        """Yield the sound runs."""
        with _progress(list(zip(sources, names, strict=True))) as pairs:
            for source, name in pairs:
                run = self._read(source, name)
                if run is not None:
                    if self.per_question:
                        self.per_question.write_run(run)
                    yield run

    def systems(self) -> Iterator[JudgedRun]:
        """Yield the QA systems of a sound judged file."""
        if not self.options.qa:
            return
        try:
            systems, findings = check_judged(
                Source(self.options.qa), self.collection, self.options.campaign
            )
        except InputError as error:
            self.intake.unreadable.append(error)
            return
        self.intake.found.append(findings)
        for system in systems or ():
            if self.per_question:
                self.per_question.write_judged(system)
            yield system

    def _read(self, source: Source, name: str) -> Run | None:
        try:
            run, findings = check_run(source, self.collection.roster, self.options.missing, name)
        except InputError as error:
            self.intake.unreadable.append(error)
            return None
        self.intake.found.append(findings)
        return run


@contextmanager
def _progress(pairs: list[tuple[Source, str]]) -> Iterator[Iterable[tuple[Source, str]]]:
    """Show a bar while several runs are read, if a person watches stderr."""
    if len(pairs) < 2 or not sys.stderr.isatty():
        yield pairs
        return
    with click.progressbar(
        pairs, label="Scoring", file=sys.stderr, item_show_func=lambda pair: pair and pair[1]
    ) as bar:
        yield bar


def _rendered(scores: Scores, options: Options) -> str:
    """Return the report in the format asked for; each renderer is imported only when used."""
    if options.format == "json":
        from ave_score.reports.json_scores import render_json

        return render_json(scores)
    if options.format == "csv":
        from ave_score.reports.csv_scores import render_csv

        return render_csv(scores, options.digits)
    from ave_score.reports.tables import make_tables

    digits = DIGITS if options.digits is None else options.digits
    tables = make_tables(scores, digits, options.sort)
    if options.format == "markdown":
        from ave_score.reports.markdown import render_markdown

        return render_markdown(scores, tables)
    if options.format == "latex":
        from ave_score.reports.latex import render_latex

        return render_latex(scores, tables)
    from ave_score.cli.look import look_for
    from ave_score.reports.terminal import render_terminal

    return render_terminal(scores, tables, look_for(options.output))
