"""The files that `ave-score score` writes beside the scores: a figure, a row per question."""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING

import click

from ave_score.commands.output_files import whole_file, write_figure
from ave_score.text import visible

if TYPE_CHECKING:
    from ave_score.commands.score import ScoreOptions
    from ave_score.measures import Measure
    from ave_score.model import Collection
    from ave_score.reports.per_question import PerQuestionWriter
    from ave_score.reports.plots.run_figure import RunFigure
    from ave_score.scoring import Scores


def figure_of(collection: Collection, options: ScoreOptions) -> RunFigure | None:
    """Return the figure of --plot, if any."""
    if options.plot is None:
        return None
    from ave_score.reports.plots.run_figure import RunFigure

    return RunFigure(options.figure, collection, options.policies, options.plot_width)


def per_question_writer(
    collection: Collection, options: ScoreOptions, open_files: ExitStack
) -> PerQuestionWriter | None:
    """Open the file of --per-question, which appears only if the command succeeds."""
    if options.per_question is None:
        return None
    from ave_score.policies import settled_table
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
