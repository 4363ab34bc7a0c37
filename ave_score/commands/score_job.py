"""What `ave-score score` does: read, check, score run by run, render, write."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

import click

from ave_score.commands.input_files import InputFiles, run_names
from ave_score.commands.output_files import check_output_paths, whole_file
from ave_score.commands.score_options import Options
from ave_score.counts.counted import Kind
from ave_score.errors import InputError, UsageError
from ave_score.facts import collection_facts
from ave_score.files.sniff import sniff
from ave_score.files.source import Source
from ave_score.model import Collection, JudgedRun, Run
from ave_score.policies import settle_unknown, settled_table, signature
from ave_score.reports.formats import render
from ave_score.reports.scores import scores_report
from ave_score.reports.style import style_for
from ave_score.rules import FileKind
from ave_score.scoring import RUN_MEASURES, SYSTEM_MEASURES, Scores, score, unused_groups
from ave_score.text import counted, did_you_mean, visible

if TYPE_CHECKING:
    from ave_score.commands.plot_job import Plot
    from ave_score.reports.per_question import PerQuestionWriter


class _Job(NamedTuple):
    """What is to be scored, how, and against what.

    `collection` is as it was read, `settled` after the policy on UNKNOWN.
    """

    options: Options
    inputs: InputFiles
    collection: Collection
    settled: Collection
    systems: list[JudgedRun]
    sources: Sequence[Source]
    names: Sequence[str]
    groups: dict[str, str]

    @contextmanager
    def runs(self) -> Iterator[Iterator[Run | JudgedRun]]:
        """Hand out everything that can be scored, read one by one as it is taken."""
        options, inputs = self.options, self.inputs
        with inputs.runs(self.sources, self.names, self.settled, options.policies) as runs:
            systems = inputs.judged(options.qa, self.settled, options.policies.campaign)
            yield _told_apart(chain(self.systems, runs, systems))

    def check_found(self, scored: int) -> None:
        """End the command where files were refused, or nothing is left."""
        options, refused = self.options, self.inputs.refused
        if refused and not options.keep_going:
            files = len(self.sources) + len(options.named("qa", "groups"))
            hint = " (--keep-going scores the others)" if refused < files else ""
            told = f"{refused} of {counted(files, 'file')} refused, nothing scored{hint}"
            raise self.inputs.refuse(told)
        if not scored:
            raise self.inputs.refuse("nothing left to score")


def score_files(collection_path: str, run_paths: Sequence[str], options: Options) -> int:
    """Score runs against a collection and write what the options ask for; return the exit code."""
    options.check()
    sources = [Source(path) for path in run_paths]
    names = run_names(sources)
    read = [collection_path, *run_paths, options.key, options.qa, options.groups]
    written = {
        "--output": options.output,
        "--per-question": options.per_question,
        "--plot": options.plot,
    }
    check_output_paths([path for path in read if path is not None], written)
    gold = Source(collection_path)
    if _holds_answer_sets(gold):
        from ave_score.commands.responses_job import score_response_files  # most are collections

        return score_response_files(gold, list(zip(sources, names, strict=True)), options)
    job = _job(gold, sources, names, options)
    with ExitStack() as open_files:
        text = _scored(job, open_files) if options.sweep is None else _swept(job)
        open_files.enter_context(whole_file(options.output)).write(text)
    job.inputs.show()
    return 1 if job.inputs.refused else 0


def _job(gold: Source, sources: Sequence[Source], names: Sequence[str], options: Options) -> _Job:
    """Read what is scored against; ends the command where that cannot be done."""
    inputs = InputFiles()
    collection, systems = inputs.gold(gold, options.key, options.policies.campaign)
    about_questions = options.named("qa", "per_question")
    if collection.roster.is_pairs and about_questions:
        raise UsageError(f"{about_questions[0]} is about questions, and pairs belong to none")
    if not sources and not systems and options.qa is None:
        raise UsageError("no RUN given: ave-score score COLLECTION RUN...")
    settled = settle_unknown(collection, options.policies.unknown)
    groups = inputs.groups(options.groups)
    return _Job(options, inputs, collection, settled, systems, sources, names, groups)


def _scored(job: _Job, open_files: ExitStack) -> str:
    """Return the report of all figures that were asked for."""
    options = job.options
    measures = options.wanted(RUN_MEASURES if _has_runs(job.sources) else SYSTEM_MEASURES)
    watch = _per_question(job.settled, options, open_files)
    plot = _plot(job.settled, options)
    with job.runs() as read:
        runs = map(watch.take, read) if watch else read
        scores = score(
            job.collection,
            map(plot.take, runs) if plot else runs,
            policies=options.policies,
            measures=plot.measures(measures) if plot else measures,
            groups=job.groups,
        )
    job.check_found(sum(row.kind is not Kind.BASELINE for row in scores.rows))
    _tell_unused(job.groups, scores, job.names)
    if plot is not None:
        scores = plot.draw(scores, measures, open_files)
    scores = scores._replace(left_out=job.inputs.left_out)
    report = scores_report(scores, options.digits, options.sort)
    return render(report, options.format, style_for(options.output))


def _swept(job: _Job) -> str:
    """Return the report of every threshold."""
    from ave_score.commands.sweep_job import sweep_measure, swept  # most want the figures
    from ave_score.reports.sweeps import Swept, sweep_report

    measure = sweep_measure(job.options)
    with job.runs() as runs:
        sweeps = swept(runs, job.settled, measure)
    job.check_found(len(sweeps))
    signed = signature(job.options.policies, collection_facts(job.collection, job.settled))
    found = Swept(sweeps, measure, signed, job.groups, job.inputs.left_out)
    report = sweep_report(found, job.options.digits)
    return render(report, job.options.format, style_for(job.options.output))


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


def _plot(collection: Collection, options: Options) -> Plot | None:
    """Return what draws the figure of --plot."""
    if options.plot is None:
        return None
    from ave_score.commands.plot_job import Plot

    return Plot(collection, options)


def _per_question(
    collection: Collection, options: Options, open_files: ExitStack
) -> PerQuestionWriter | None:
    """Open the file of --per-question, which appears when all else has succeeded."""
    if options.per_question is None:
        return None
    from ave_score.reports.per_question import PerQuestionWriter

    out = open_files.enter_context(whole_file(options.per_question))
    lines = options.per_question.endswith(".jsonl")
    table = settled_table(options.policies.campaign, options.policies.unknown)
    return PerQuestionWriter(out, collection, table, options.threshold, lines=lines)
