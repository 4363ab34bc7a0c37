"""`ave-score stability`: the options of the command; `study_job` does the work."""

from __future__ import annotations

import click

from ave_score.commands.options import plot_option, plot_width_option
from ave_score.commands.study_options import POLICIES, StudyOptions, study_options


@click.command("stability", short_help="Study how often measures contradict themselves, or tie.")
@study_options
@plot_option
@plot_width_option
def stability_command(collection: str, runs: tuple[str, ...], **options: object) -> int:
    """Say how often a measure orders two RUNs otherwise in another sample, and how often it ties.

    Every pair of RUNs is compared in random samples of the COLLECTION, drawn without replacement.
    Comparisons that contradict the majority of their pair are errors; differences that are smaller
    than the fuzziness, 1 % to 10 % of the larger score, are ties (Buckley and Voorhees, SIGIR
    2000). A table for each measure; csv and json have the curves. The rates of few runs are rough.

    Exit codes: 0 done, 1 a file has findings that forbid scoring, 2 could not run.
    """
    from ave_score.commands.study_job import study_stability  # not on the way to --help

    options["policies"] = POLICIES.chosen(options)
    return study_stability(collection, runs, StudyOptions(**options))  # type: ignore[arg-type]
