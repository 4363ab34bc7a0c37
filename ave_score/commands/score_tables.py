"""`ave-score score --engine`: tables that DuckDB or Spark reads and counts."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING

import click

from ave_score.commands.input_files import InputFiles
from ave_score.commands.output_files import check_output_paths, write_report
from ave_score.commands.score_files import NOT_OF_COUNTS
from ave_score.core.errors import UsageError
from ave_score.core.text import visible
from ave_score.engine.counting import read_gold, read_runs
from ave_score.engine.tables import NETWORK, start
from ave_score.reports.score import score_report
from ave_score.tasks.score import score_compositions
from ave_score.tasks.subjects import RUN_MEASURES

if TYPE_CHECKING:
    from ave_score.commands.score import ScoreOptions


def score_table_files(options: ScoreOptions) -> int:
    """Score the tables of `ave-score score` with the engine of --engine."""
    unable = options.given(*NOT_OF_COUNTS)
    if unable:
        raise UsageError(f"--engine cannot be combined with {', '.join(unable)}: score without it")
    if not options.runs:
        raise UsageError("no RUN given: ave-score score COLLECTION RUN...")
    policies, naming = options.policies, options.naming
    measures = options.chosen_measures(RUN_MEASURES)
    named = options.named([path.rstrip("/") or path for path in options.runs])
    check_output_paths([options.collection, *options.runs], {"--output": options.output})
    for path in (options.collection, *options.runs):
        if "://" in path and options.engine in NETWORK:
            click.echo(f"ave-score: {visible(path)}: {NETWORK[options.engine]}", err=True)
    engine, inputs = start(options.engine or ""), InputFiles(naming)
    gold = inputs.take(read_gold, engine, options.collection, naming)
    if gold is None:
        raise inputs.refuse("the collection is invalid, nothing scored")
    groups = inputs.groups(options.groups)
    found = [
        inputs.take(read_runs, engine, gold, source.path, name, naming, policies.missing)
        for source, name in named
    ]
    counted = [*chain.from_iterable(filter(None, found))]
    inputs.check_found(len(counted), len(named), keep_going=options.keep_going)
    scores = score_compositions(
        gold.about,
        gold.compositions.items(),
        [(run.name, run.compositions.items()) for run in counted],
        policies=policies,
        measures=measures,
        groups=groups,
    )
    scores = replace(scores, left_out=inputs.left_out)
    report = score_report(scores, options.digits, options.sort)
    code = write_report(report, options.format, options.output)
    inputs.show()
    return 1 if inputs.refused else code
