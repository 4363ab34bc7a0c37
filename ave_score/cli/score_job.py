"""What `ave-score score` does: read, check, score run by run, render, write."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, suppress
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

import click

from ave_score.cli.files import check_written, whole_file
from ave_score.cli.intake import Intake
from ave_score.cli.names import run_names
from ave_score.cli.render import TABLE_FORMATS, render
from ave_score.errors import InputError, UsageError
from ave_score.formats.sniff import sniff
from ave_score.formats.source import Source
from ave_score.labels import campaign_table, settle_unknown, settled_table
from ave_score.measures import Measure, parse_measures
from ave_score.model import Collection, JudgedRun, Run
from ave_score.reports.tables import sort_key
from ave_score.rules import FileKind
from ave_score.scoring import (
    DATA_MEASURES,
    RUN_MEASURES,
    SYSTEM_MEASURES,
    Scores,
    score,
    unused_groups,
)
from ave_score.signature import Policies
from ave_score.tally import OF_RUNS, Kind
from ave_score.text import counted, did_you_mean, visible

if TYPE_CHECKING:
    from ave_score.reports.per_question import PerQuestionWriter


class Options(NamedTuple):
    """The options of one call, as given."""

    key: str | None
    qa: str | None
    groups: str | None
    campaign: str
    missing: str
    unknown: str
    ties: str
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
        return Policies(self.campaign, self.missing, self.unknown, self.ties)

    def wanted(self, for_tables: str) -> list[Measure]:
        """Return the measures asked for, else all for data, and those named for tables."""
        default = for_tables if self.format in TABLE_FORMATS else DATA_MEASURES
        measures = parse_measures(default if self.measures is None else self.measures, OF_RUNS)
        if self.sort is not None:
            sort_key(self.sort, measures)
        return measures


def score_files(collection_path: str, run_paths: Sequence[str], options: Options) -> int:
    """Score runs against a collection and write what the options ask for; return the exit code."""
    _check_options(options)
    sources = [Source(path) for path in run_paths]
    names = run_names(sources)
    read = [collection_path, *run_paths, options.key, options.qa, options.groups]
    written = {"--output": options.output, "--per-question": options.per_question}
    check_written([path for path in read if path is not None], written)
    gold = Source(collection_path)
    if _holds_answer_sets(gold):
        from ave_score.cli.responses_job import score_response_files  # most are collections

        return score_response_files(gold, list(zip(sources, names, strict=True)), options)
    intake = Intake()
    collection, systems = intake.gold(gold, options.key, options.campaign)
    if collection.roster.is_pairs and (options.qa or options.per_question):
        option = "--qa" if options.qa else "--per-question"
        raise UsageError(f"{option} is about questions, and pairs belong to none")
    if not sources and not systems and options.qa is None:
        raise UsageError("no RUN given: ave-score score COLLECTION RUN...")
    measures = options.wanted(RUN_MEASURES if _has_runs(sources) else SYSTEM_MEASURES)
    groups = intake.groups(options.groups)
    settled = settle_unknown(collection, options.unknown)
    with ExitStack() as open_files:
        watch = _per_question(settled, options, open_files)
        runs = _told_apart(
            chain(
                systems,
                intake.runs(sources, names, settled, options.policies),
                intake.judged(options.qa, settled, options.campaign),
            )
        )
        scores = score(
            collection,
            map(watch.take, runs) if watch else runs,
            policies=options.policies,
            measures=measures,
            groups=groups,
        )
        if intake.refused and not options.keep_going:
            raise intake.refuse(_nothing_scored(intake.refused, sources, options))
        if not any(row.kind is not Kind.BASELINE for row in scores.rows):
            raise intake.refuse("nothing left to score")
        scores = scores._replace(left_out=intake.left_out)
        _tell_unused(groups, scores, names)
        text = render(scores, options.format, options.sort, options.digits, options.output)
        open_files.enter_context(whole_file(options.output)).write(text)
    intake.show()
    return 1 if intake.refused else 0


def _nothing_scored(refused: int, sources: Sequence[Source], options: Options) -> str:
    """Return the last line of a command that refuses to score."""
    files = len(sources) + (options.qa is not None) + (options.groups is not None)
    hint = " (--keep-going scores the others)" if refused < files else ""
    return f"{refused} of {counted(files, 'file')} refused, nothing scored{hint}"


def _check_options(options: Options) -> None:
    """Find out what is wrong with the options before any file is read."""
    options.wanted(f"{RUN_MEASURES},{SYSTEM_MEASURES}")
    campaign_table(options.campaign)
    if options.sort is not None and options.format not in TABLE_FORMATS:
        raise UsageError(f"--sort orders tables; --format {options.format} has none")


def _told_apart(runs: Iterable[Run | JudgedRun]) -> Iterator[Run | JudgedRun]:
    """Hand runs on; raises `UsageError` for two QA systems of one name."""
    systems: set[str] = set()
    for run in runs:
        if isinstance(run, JudgedRun):
            if run.name in systems:
                raise UsageError(f"two QA systems are called {run.name!r}")
            systems.add(run.name)
        yield run


def _tell_unused(groups: Mapping[str, str], scores: Scores, names: Sequence[str]) -> None:
    """Say on stderr which names of --groups are nearly those of runs without a group."""
    known = [row.run for row in scores.rows if row.kind is not Kind.BASELINE]
    for name, meant in unused_groups(groups, [*known, *names]).items():
        if meant:
            told = f"--groups names {name}, which is no run and no system{did_you_mean(meant)}"
            click.echo(f"ave-score: {visible(told)}", err=True)


def _holds_answer_sets(gold: Source) -> bool:
    """Tell whether responses are to be scored, as far as can be told by the beginning."""
    with suppress(InputError):  # whoever reads it says so
        return sniff(gold) is FileKind.ANSWER_SETS
    return False


def _has_runs(sources: Sequence[Source]) -> bool:
    """Tell whether any file holds the verdicts of a run, as far as can be told by its beginning."""
    systems = (FileKind.ANSWERS, FileKind.JUDGED)
    with suppress(InputError):  # whoever reads it says so
        return any(sniff(source) not in systems for source in sources)
    return True


def _per_question(
    collection: Collection, options: Options, open_files: ExitStack
) -> PerQuestionWriter | None:
    """Open the file of --per-question, which appears when all else has succeeded."""
    if options.per_question is None:
        return None
    from ave_score.reports.per_question import PerQuestionWriter

    out = open_files.enter_context(whole_file(options.per_question))
    lines = options.per_question.endswith(".jsonl")
    table = settled_table(options.campaign, options.unknown)
    return PerQuestionWriter(out, collection, table, lines=lines)
