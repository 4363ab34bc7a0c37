"""`ave-score score --breakdown`: scores of groups of questions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from ave_score.commands.input_files import InputFiles
from ave_score.inference.units import Gold, Subject
from ave_score.reports.breakdown import breakdown_report
from ave_score.reports.report import Report
from ave_score.tasks.breakdown import break_down
from ave_score.tasks.subjects import MeasuresGiven, table_measures

if TYPE_CHECKING:
    from ave_score.commands.score import ScoreJob, ScoreOptions


def broken_down(job: ScoreJob, options: ScoreOptions) -> Report:
    """Return the report of runs and systems on each group of questions."""
    with job.runs() as read:
        subjects = list(read)
    job.check_found(len(subjects))
    measures = options.chosen_measures(table_measures(subjects, job.collection))
    return report_of(options, job.inputs, job.collection, subjects, measures)


def report_of(
    options: ScoreOptions,
    inputs: InputFiles,
    gold: Gold,
    subjects: Sequence[Subject],
    measures: MeasuresGiven | None,
) -> Report:
    """Return the report of runs, systems or responses on each group of questions."""
    groups = inputs.clusters(options.breakdown, gold)
    assert groups is not None
    policies = options.policies
    found = break_down(gold, subjects, groups, measures=measures, policies=policies)
    return breakdown_report(replace(found, left_out=inputs.left_out), options.digits)
