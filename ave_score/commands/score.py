"""`ave-score score`: score runs against a collection."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import ExitStack, closing
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from ave_score.commands.declared import command
from ave_score.commands.output_files import write_figure, write_report
from ave_score.commands.progress import bar_of
from ave_score.commands.score_options import ScoreOptions
from ave_score.core.entrants import Entrants, RankedSystems, RunsInTeams
from ave_score.core.text import visible
from ave_score.core.writing import whole_file
from ave_score.reports.formats import FORMATS, Form

if TYPE_CHECKING:
    from ave_score.commands.input_files import RunFiles
    from ave_score.inference.units import Subject
    from ave_score.measures import Measure
    from ave_score.reports.per_question import PerQuestionWriter
    from ave_score.reports.plots.run_figure import RunFigure
    from ave_score.reports.report import Report
    from ave_score.reports.trec_text import QuestionLines
    from ave_score.tasks.scores import Scores


@command(
    "score",
    ScoreOptions,
    examples={
        "Score all runs of a folder, with confidence intervals": (
            "ave-score score gold.xml runs --ci 95"
        ),
        "Score two models from their logs, by subject": (
            "ave-score score ada.eval bob.eval --breakdown subject"
        ),
        "Write chosen measures for other programs": (
            "ave-score score gold.xml runs -m f1,qa_accuracy -f csv"
        ),
    },
    usual="columns missing ties ci measures digits breakdown format output plot",
)
def score_command(options: ScoreOptions) -> int:
    """Score RUNs against a COLLECTION with gold labels.

    COLLECTION is XML of AVE or QA4MRE, or a table. A RUN has lines "q_id a_id
    SELECTED|VALIDATED|REJECTED confidence", or is a table. A table of judged answers as COLLECTION
    needs no RUN. With answer sets as COLLECTION, a RUN is a table of responses; with qrels, a TREC
    run. Logs of Inspect or lm-evaluation-harness need no COLLECTION: each has the answers of one
    system. A folder stands for all runs or logs below it; sub-folders of runs name the teams. Files
    may be compressed with gzip or xz; - is standard input. If any has errors, nothing is scored.

    Exit codes: 0 success, 1 a file has errors, 2 could not run, 3 a value of -f value is undefined.
    """
    from ave_score.commands.input_files import RunFiles, ended

    files = RunFiles(options)
    with ExitStack() as open_files:
        subjects = open_files.enter_context(closing(files.subjects))
        if options.breakdown is not None:
            report = _broken_down(options, files, subjects)
        elif options.sweep is not None:
            report = _swept(options, files, subjects)
        else:
            report = _scored(options, files, subjects, open_files)
        code = write_report(report, options.format, options.output)
    return ended(files.inputs, code)


def _scored(
    options: ScoreOptions, files: RunFiles, subjects: Iterator[Subject], open_files: ExitStack
) -> Report:
    """Return the report of the scores; write rows of questions and the figure beside it."""
    from ave_score.reports.score import score_report
    from ave_score.tasks.score import score

    measures = _measures(options, files)
    rows = _question_rows(options, files, measures, open_files)
    figure = _figure(options, files)
    runs: Iterable[Subject] = subjects
    for step in (rows and rows.take, figure and figure.take):
        runs = map(step, runs) if step else runs
    clusters = None
    if options.cluster is not None and files.policies.intervals is None:
        clusters = files.inputs.clusters(options.cluster, files.gold)
    scores = score(
        files.gold,
        iter(runs),
        policies=files.policies,
        measures=figure.measures(measures) if figure else measures,
        stderr=options.stderr,
        clusters=clusters,
        watch=bar_of("Sampling"),
        **files.entrants(Entrants),
    )
    files.check_left([row.run for row in scores.rows if row.kind.is_submitted])
    if FORMATS[options.format].form in (Form.RECORDS, Form.VALUES):
        files.tell_outside(measures)
    scores = replace(scores, not_scored=files.inputs.not_scored)
    if figure is not None:
        scores = _drawn(figure, scores, measures, options.plot or "", open_files)
    return score_report(scores, options.digits, rows.by_question if rows else {})


def _broken_down(options: ScoreOptions, files: RunFiles, subjects: Iterator[Subject]) -> Report:
    """Return the report of each group of questions."""
    from ave_score.reports.breakdown import breakdown_report
    from ave_score.tasks.breakdown import break_down

    measures, runs = _measures(options, files), [*subjects]
    files.check_left([run.name for run in runs])
    files.tell_outside(measures)
    by = files.inputs.clusters(options.breakdown or "", files.gold)
    broken_down = break_down(
        files.gold,
        runs,
        by,
        measures=measures,
        policies=files.policies,
        stderr=options.stderr,
        **files.entrants(RankedSystems),
    )
    return breakdown_report(
        replace(broken_down, not_scored=files.inputs.not_scored), options.digits
    )


def _swept(options: ScoreOptions, files: RunFiles, subjects: Iterator[Subject]) -> Report:
    """Return the report of the threshold sweep."""
    from ave_score.reports.sweep import sweep_report
    from ave_score.tasks.sweep import sweep

    runs = [*subjects]
    files.check_left([run.name for run in runs])
    swept = sweep(
        files.gold,
        runs,
        options.criterion,
        policies=files.policies,
        **files.entrants(RunsInTeams),
    )
    return sweep_report(replace(swept, not_scored=files.inputs.not_scored), options.digits)


def _measures(options: ScoreOptions, files: RunFiles) -> list[Measure]:
    """Return the selected measures, by default those of what is scored."""
    from ave_score.tasks.subjects import table_measures

    kinds = [*files.gold.standard.scored]
    kinds = kinds or ["systems" if files.has_only_systems() else "runs"]
    return options.chosen_measures(table_measures(kinds), files.gold)


def _question_rows(
    options: ScoreOptions, files: RunFiles, measures: list[Measure], open_files: ExitStack
) -> PerQuestionWriter | QuestionLines | None:
    """Open the file of --per-question, which appears only if the command succeeds."""
    if options.per_question is None:
        return None
    policies = files.policies
    if options.has_question_lines:
        from ave_score.reports.trec_text import QuestionLines

        return QuestionLines(files.settled, measures, policies, options.digits)
    from ave_score.reports.per_question import PerQuestionWriter

    out = open_files.enter_context(whole_file(options.per_question))
    lines = options.per_question.endswith(".jsonl")
    return PerQuestionWriter(out, files.settled, policies, lines=lines, measures=measures)


def _figure(options: ScoreOptions, files: RunFiles) -> RunFigure | None:
    """Return the figure of --plot, if any."""
    if options.plot is None:
        return None
    from ave_score.reports.plots.run_figure import RunFigure

    return RunFigure(options.figure, files.settled, files.policies)


def _drawn(
    figure: RunFigure, scores: Scores, measures: list[Measure], path: str, open_files: ExitStack
) -> Scores:
    """Draw the figure of --plot, and return the scores without the measures that only it needs."""
    drawing = figure.drawing(scores)
    write_figure(path, drawing, open_files)
    for note in drawing.notes:
        click.echo(f"ave-score: {visible(path)}: {note}", err=True)
    return scores.only(measures)
