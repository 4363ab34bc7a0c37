"""`ave-score score` with answer sets: read responses, score them, write the report."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from ave_score.commands.input_files import InputFiles, with_clusters
from ave_score.commands.output_files import write_report
from ave_score.core.errors import UsageError
from ave_score.core.open_questions import OpenGold, ResponseRun
from ave_score.core.policies import Policies
from ave_score.core.text import counted
from ave_score.counts import response_families
from ave_score.files.answer_sets import check_answer_sets
from ave_score.files.responses import check_responses
from ave_score.files.source import Source
from ave_score.measures import parse_measures
from ave_score.reports.score import score_report, sort_key
from ave_score.tasks.score import score_responses
from ave_score.tasks.subjects import response_measures

if TYPE_CHECKING:
    from ave_score.commands.score import ScoreOptions


def score_response_files(
    source: Source, runs: Sequence[tuple[Source, str]], options: ScoreOptions
) -> int:
    """Score response files, each with a run name; write the report and return the exit code."""
    check_options(options)
    inputs = InputFiles(options.naming)
    gold, responses = read_response_files(inputs, source, runs, options.keep_going)
    names = response_measures(gold) if options.measures is None else options.measures
    measures = parse_measures(names, response_families())
    if options.sort is not None:
        sort_key(options.sort, measures)
    groups = inputs.groups(options.groups)
    if options.breakdown is not None:
        from ave_score.commands.breakdown import report_of

        report = report_of(options, inputs, gold, responses, options.measures)
    else:
        intervals = with_clusters(
            options.policies, inputs.clusters(options.cluster, gold)
        ).intervals
        scores = score_responses(
            gold, responses, measures=measures, groups=groups, intervals=intervals
        )
        scores = replace(scores, left_out=inputs.left_out)
        report = score_report(scores, options.digits, options.sort)
    code = write_report(report, options.format, options.output)
    inputs.show()
    return 1 if inputs.refused else code


def read_response_files(
    inputs: InputFiles,
    source: Source,
    runs: Sequence[tuple[Source, str]],
    keep_going: bool,
    command: str = "score",
) -> tuple[OpenGold, list[ResponseRun]]:
    """Read answer sets and response files, each with a run name; exits if files are refused."""
    gold = inputs.take(check_answer_sets, source)
    if gold is None:
        raise inputs.refuse("the answer sets are invalid, nothing scored")
    if not runs:
        raise UsageError(f"no RUN given: ave-score {command} ANSWER_SETS RESPONSES...")
    responses: list[ResponseRun] = []
    for run, name in runs:
        responses += inputs.take(check_responses, run, gold, name) or ()
    if inputs.refused and not keep_going:
        raise inputs.refuse(
            f"{inputs.refused} of {counted(len(runs), 'file')} refused, nothing scored"
        )
    if not responses:
        raise inputs.refuse("nothing left to score")
    return gold, responses


def check_options(options: ScoreOptions) -> None:
    """Raise `UsageError` for options that apply only to candidate answers."""
    named = options.given("key", "qa", "per_question", "plot", "sweep", "threshold_from")
    refuse_policies(options.policies._replace(intervals=None), named)


def refuse_policies(policies: Policies, named: Sequence[str] = ()) -> None:
    """Raise `UsageError` for options that were given, and policies that are not the default."""
    default = Policies()
    named = [*named]
    named += [
        f"--{name}" for name, value in policies._asdict().items() if value != getattr(default, name)
    ]
    if named:
        raise UsageError(f"{', '.join(named)}: not available for answer sets")
