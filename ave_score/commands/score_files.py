"""What `ave-score score` reports and writes beside it, and how it reads very large files."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack, suppress
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from ave_score.commands.output_files import whole_file, write_figure, write_report
from ave_score.commands.progress import bar_of
from ave_score.commands.score import with_own_names
from ave_score.core.errors import InputError, UsageError
from ave_score.core.kinds import FileKind
from ave_score.core.text import visible
from ave_score.reports.formats import FORMATS, Form

if TYPE_CHECKING:
    from ave_score.commands.score import ScoreJob, ScoreOptions
    from ave_score.commands.threshold_from import ChosenThresholds
    from ave_score.core.model import Collection, QARun, Run
    from ave_score.files.source import Source
    from ave_score.measures import Measure
    from ave_score.reports.per_question import PerQuestionWriter
    from ave_score.reports.plots.run_figure import RunFigure
    from ave_score.reports.report import Report
    from ave_score.reports.trec_text import QuestionLines
    from ave_score.tasks.score import Row, Scores

IN_STEP = 50 << 20
"""Bytes of a run and a collection that are read in step, rather than one after the other."""

NOT_OF_COUNTS = (
    *("key", "qa", "cluster", "breakdown", "sweep", "threshold_from", "by", "threshold", "ci"),
    *("per_question", "plot", "figure", "plot_width"),
)
"""Options that need more than counts, or other files."""


def check_values(options: ScoreOptions) -> None:
    """Raise `UsageError` for options that conflict with a format of values."""
    if FORMATS[options.format].form is not Form.VALUES:
        return
    others = options.given("breakdown", "sweep", "ci")
    if others:
        raise UsageError(f"--format {options.format} prints scores of runs, not {others[0]}")
    if options.format == "value" and options.measures is None:
        raise UsageError("--format value prints only numbers: name the measures, e.g. -m f1")


def score_in_step(
    gold: Source, runs: Sequence[tuple[Source, str]], options: ScoreOptions
) -> int | None:
    """Write the report of a very large run that is plain.

    Returns the exit code; None for any other call.
    """
    policies = options.policies
    if (
        len(runs) != 1
        or gold.size + runs[0][0].size < IN_STEP
        or options.given(*NOT_OF_COUNTS, "groups")
        or any(options.naming)
        or policies.missing != "error"
    ):
        return None
    from ave_score.core.model import AnswerIndex, Collection
    from ave_score.files.layout import PLAIN_HEADER
    from ave_score.reports.score import score_report
    from ave_score.tasks.score import score_compositions
    from ave_score.tasks.subjects import RUN_MEASURES

    measures = options.chosen_measures(RUN_MEASURES)
    if any(measure.family.of_answers is None for measure in measures):
        return None
    found, (source, name) = None, runs[0]
    with suppress(InputError):  # which the ordinary reader reports
        if gold.head().startswith(PLAIN_HEADER):
            from ave_score.files.in_step import read_in_step

            gold.expect_hash()
            found = read_in_step(gold, source)
    if found is None:
        return None
    about = Collection(gold.path, gold.sha256(), AnswerIndex([], [0], [], []), b"")
    read = [(name, found.run.items())]
    scores = score_compositions(
        about, found.gold.items(), read, policies=policies, measures=measures
    )
    report = score_report(scores, options.digits, options.sort)
    return write_report(report, options.format, options.output)


def scored(job: ScoreJob, open_files: ExitStack) -> Report:
    """Return the report of the scores."""
    from ave_score.commands.input_files import kind_of, note_unused_groups
    from ave_score.counts.counted import Kind
    from ave_score.tasks.subjects import RUN_MEASURES, SYSTEM_MEASURES

    options = job.options
    only_systems = all(
        kind_of(file) in (FileKind.ANSWERS, FileKind.JUDGED) for file, _ in job.named
    )
    measures = options.chosen_measures(SYSTEM_MEASURES if only_systems else RUN_MEASURES)
    rows = per_question_writer(job.settled, options, measures, open_files)
    figure = figure_of(job.settled, options)
    thresholds = job.thresholds()
    if all(each is None for each in (figure, thresholds, options.ci)):
        scores = _scored_where_read(job, measures, rows)
    else:
        scores = _scored_together(job, measures, rows, figure, thresholds)
    submitted = [row.run for row in scores.rows if row.kind is not Kind.BASELINE]
    job.check_found(len(submitted))
    note_unused_groups(job.groups, [*submitted, *job.names])
    if figure is not None:
        scores = drawn(figure, scores, measures, options.plot or "", open_files)
    scores = replace(scores, left_out=job.inputs.left_out)
    shown = options.digits, options.sort, rows.found if rows else {}
    if thresholds is None:
        from ave_score.reports.score import score_report

        return score_report(scores, *shown)
    from ave_score.reports.sweep import thresholds_report

    return thresholds_report(scores, thresholds.found(), *shown)


def _scored_together(
    job: ScoreJob,
    measures: list[Measure],
    rows: PerQuestionWriter | QuestionLines | None,
    figure: RunFigure | None,
    thresholds: ChosenThresholds | None,
) -> Scores:
    """Return the scores of runs of which a figure, thresholds or intervals need more."""
    from ave_score.tasks.score import score

    with job.runs() as read:
        decided = map(thresholds.apply, read) if thresholds else read
        runs = map(rows.take, decided) if rows else decided
        return score(
            job.collection,
            map(figure.take, runs) if figure else runs,
            policies=job.policies,
            measures=figure.measures(measures) if figure else measures,
            groups=job.groups,
            watch=bar_of("Sampling"),
        )


def _scored_where_read(
    job: ScoreJob, measures: list[Measure], records: PerQuestionWriter | QuestionLines | None
) -> Scores:
    """Return the scores of runs that are scored by the process that reads them."""
    from ave_score.counts import FAMILIES
    from ave_score.counts.counted import Kind
    from ave_score.tasks.score import scores_of_rows, scoring_of

    collection, policies = job.collection, job.policies
    score = scoring_of(collection, policies, measures)

    def read(run: Run | QARun) -> tuple[Row, str]:
        return score(run), records.text_of(run) if records else ""

    def system(found: tuple[Row, str]) -> str | None:
        return found[0].run if found[0].kind is Kind.QA else None

    rows: list[Row] = []
    with job.each_run(read, [*FAMILIES.values()]) as found:
        for row, text in with_own_names(found, system):
            if records:
                records.write(text, row.kind, row.run)
            rows.append(row)
    return scores_of_rows(collection, rows, policies, measures, job.groups)


def swept(job: ScoreJob) -> Report:
    """Return the report of the threshold sweep."""
    from ave_score.reports.sweep import sweep_report
    from ave_score.tasks.sweep import sweep

    options, measure = job.options, job.options.swept_measure()
    with job.runs() as runs:
        found = sweep(job.collection, runs, measure, policies=options.policies, groups=job.groups)
    job.check_found(len(found.sweeps))
    return sweep_report(replace(found, left_out=job.inputs.left_out), options.digits)


def figure_of(collection: Collection, options: ScoreOptions) -> RunFigure | None:
    """Return the figure of --plot, if any."""
    if options.plot is None:
        return None
    from ave_score.reports.plots.run_figure import RunFigure

    return RunFigure(options.figure, collection, options.policies, options.plot_width)


def per_question_writer(
    collection: Collection,
    options: ScoreOptions,
    measures: Sequence[Measure],
    open_files: ExitStack,
) -> PerQuestionWriter | QuestionLines | None:
    """Open the file of --per-question, which appears only if the command succeeds."""
    if options.per_question is None:
        return None
    if options.has_question_lines:
        from ave_score.reports.trec_text import QuestionLines

        return QuestionLines(collection, measures, options.policies, options.digits)
    from ave_score.core.policies import settled_table
    from ave_score.reports.per_question import PerQuestionWriter

    out = open_files.enter_context(whole_file(options.per_question))
    lines = options.per_question.endswith(".jsonl")
    table = settled_table(options.policies.campaign, options.policies.unknown)
    return PerQuestionWriter(out, collection, table, options.threshold, lines=lines)


def drawn(
    figure: RunFigure,
    scores: Scores,
    measures: list[Measure],
    path: str,
    open_files: ExitStack,
) -> Scores:
    """Draw the figure of --plot, and return the scores without the measures that only it needs."""
    from ave_score.reports.plots.run_figure import only_measures

    draw, notes = figure.drawing(scores)
    write_figure(path, draw, open_files)
    for note in notes:
        click.echo(f"ave-score: {visible(path)}: {note}", err=True)
    return only_measures(scores, measures)
