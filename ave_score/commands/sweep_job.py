"""What `ave-score score --sweep` does: every threshold of every run, by one measure."""

from __future__ import annotations

from collections.abc import Iterable

from ave_score.commands.input_files import decisions
from ave_score.commands.score_options import Options
from ave_score.counts import run_families
from ave_score.errors import UsageError
from ave_score.measures import Measure, parse_measures
from ave_score.model import Collection, JudgedRun, Run
from ave_score.sweeping import Sweep, check_sweepable, sweep


def sweep_measure(options: Options) -> Measure:
    """Return the measure to sweep by; raises `UsageError` for none, and for other options."""
    others = options.named("threshold", "ci", "measures", "sort", "per_question", "plot", "qa")
    if others:
        raise UsageError(
            f"--sweep shows every threshold by one measure, without {', '.join(others)}"
        )
    measures = parse_measures(options.sweep or "", run_families())
    if len(measures) != 1:
        raise UsageError(f"--sweep takes one measure, not {options.sweep}")
    check_sweepable(measures[0])
    return measures[0]


def swept(runs: Iterable[Run | JudgedRun], collection: Collection, measure: Measure) -> list[Sweep]:
    """Return every run at all its thresholds."""
    return [sweep(decisions(run), collection, measure) for run in runs]
