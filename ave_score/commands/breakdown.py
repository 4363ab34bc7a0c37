"""`ave-score score --breakdown`: scores of groups of questions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from ave_score.breakdown import break_down
from ave_score.collection_summary import collection_summary
from ave_score.commands.input_files import InputFiles, kind_of_subjects
from ave_score.counts import response_families
from ave_score.inference.units import Gold, Subject
from ave_score.measures import Measure, parse_measures
from ave_score.model import Clusters, Collection, QARun, Run
from ave_score.policies import signature
from ave_score.reports.breakdown import BreakdownReport, breakdown_report
from ave_score.reports.formats import render
from ave_score.reports.style import style_for
from ave_score.scoring import RUN_MEASURES, SYSTEM_MEASURES, response_measures, with_policies

if TYPE_CHECKING:
    from ave_score.commands.score import ScoreJob, ScoreOptions


def broken_down(job: ScoreJob, options: ScoreOptions) -> str:
    """Return the rendered scores of runs and systems on each group of questions."""
    groups = job.inputs.clusters(options.breakdown, job.collection)
    with job.runs() as read:
        subjects = list(read)
    job.check_found(len(subjects))
    facts = collection_summary(job.collection, job.settled)

    def signed(ranks: bool) -> str:
        return signature(options.policies, facts, ranks=ranks)

    return rendered(options, job.inputs, job.settled, subjects, groups, signed)


def rendered(
    options: ScoreOptions,
    inputs: InputFiles,
    gold: Gold,
    subjects: Sequence[Subject],
    groups: Clusters | None,
    signed: Callable[[bool], str],
) -> str:
    """Return the rendered scores of runs, systems or responses on each group of questions.

    `signed` returns the signature, from whether rankings are measured.
    """
    assert groups is not None
    measures = _measures(options, gold, subjects)
    decided = [_decided(one, gold, options) for one in subjects]
    found = break_down(gold, decided, measures, options.policies, groups)
    ranks = any(measure.family.is_ranked for measure in measures)
    is_pairs = isinstance(gold, Collection) and gold.index.is_pairs
    unit = "pair" if is_pairs else "question"
    line = f"{signed(ranks)}|by:{groups}"
    report = BreakdownReport(
        groups.name, measures, found, unit, line, inputs.left_out, options.policies.intervals
    )
    return render(
        breakdown_report(report, options.digits), options.format, style_for(options.output)
    )


def _decided(subject: Subject, gold: Gold, options: ScoreOptions) -> Subject:
    if isinstance(gold, Collection) and isinstance(subject, Run | QARun):
        return with_policies(subject, gold, options.policies)
    return subject


def _measures(options: ScoreOptions, gold: Gold, subjects: Sequence[Subject]) -> Sequence[Measure]:
    """Return the requested measures, by default those of tables."""
    if not isinstance(gold, Collection):
        names = response_measures(gold) if options.measures is None else options.measures
        return parse_measures(names, response_families())
    kinds = kind_of_subjects([one for one in subjects if isinstance(one, Run | QARun)], gold)
    return options.chosen_measures(SYSTEM_MEASURES if kinds == "systems" else RUN_MEASURES)
