"""Shared by `ave-score stability` and `ave-score swap`: options and the files that are read."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ave_score.commands.declared import option
from ave_score.commands.help import Section
from ave_score.commands.options import (
    DIGITS,
    SEED,
    RunsOptions,
    measures,
    policies,
)
from ave_score.core.policies import Policies

if TYPE_CHECKING:
    from ave_score.inference.samples import Sampling
    from ave_score.inference.units import Gold, Subject
    from ave_score.measures import Measure


class StudyOptions(RunsOptions):
    """The arguments and options of all studies."""

    policies: Policies = policies(*Policies.refusing())
    unit: str | None = option(
        Section.COUNTING,
        "Sampling unit; answers for validation measures of runs only.",
        ["answers", "questions"],
        show_default="questions; answers of pairs",
    )
    size: int | None = option(
        Section.COUNTING, "Units per sample.", int, show_default="half of all units"
    )
    resamples: int = option(
        Section.COUNTING, "Number of samples.", click.IntRange(max=100_000), default=500
    )
    seed: int = SEED
    measures: str | None = measures(
        "Measures or groups, as in `ave-score score`.",
        default="ave2007; answering_accuracy,c_at_1 for QA systems",
    )
    digits: int | None = DIGITS

    @property
    def sampling(self) -> Sampling:
        """How samples are drawn."""
        from ave_score.inference.samples import Sampling

        return Sampling(self.size, self.resamples, self.seed, self.unit)

    @property
    def named(self) -> list[Measure]:
        """The named measures; none if they are those by default."""
        from ave_score.tasks.subjects import wanted_measures

        return [] if self.measures is None else wanted_measures(self.measures)

    def check(self) -> None:
        """Raise `UsageError` for measures that cannot be studied, before any file is read."""
        from ave_score.inference.samples import unit_of

        unit_of(self.named, self.unit)


def read_study(options: StudyOptions) -> tuple[Gold, list[Subject]]:
    """Return the collection with its runs and QA systems; a judged file is its own collection."""
    from ave_score.commands.input_files import RunFiles, show_problems

    files = RunFiles(options)
    subjects = [*files.subjects]
    files.inputs.check("compared")
    show_problems(files.inputs.problems)
    return files.gold, subjects
