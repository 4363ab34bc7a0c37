"""Shared by `ave-score stability` and `ave-score swap`: options and sampled scores."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

import click

from ave_score.commands.options import (
    FILE,
    FORMAT,
    KEY,
    OUTPUT,
    Options,
    argument,
    option,
    policies,
)
from ave_score.commands.output_files import check_output_paths
from ave_score.commands.progress import progress
from ave_score.errors import UsageError
from ave_score.text import counted

if TYPE_CHECKING:
    from ave_score.inference.samples import Sampled
    from ave_score.measures import Measure
    from ave_score.model import Collection, Run
    from ave_score.policies import Policies
    from ave_score.reports.studies import Study


class StudyOptions(Options):
    """The arguments and options of all studies."""

    collection: str = argument(type=FILE)
    runs: tuple[str, ...] = argument(nargs=-1, metavar="RUN RUN...", type=FILE)
    measures: str | None = option(
        "-m",
        metavar="LIST",
        help="Measures or groups as in ave-score score, except confidence and ranking measures. "
        "Default: ave2007; for pairs only its validation measures.",
    )
    unit: str | None = option(
        type=click.Choice(["answers", "questions"]),
        help="Sampling unit. Default: answers for validation measures, questions for others.",
    )
    size: int | None = option(
        metavar="N", type=int, help="Units per sample. Default: half of all units."
    )
    repetitions: int = option(
        metavar="N",
        type=click.IntRange(max=100_000),
        default=500,
        show_default=True,
        help="Number of samples.",
    )
    seed: int = option(
        metavar="N",
        type=click.IntRange(min=0),
        default=0,
        show_default=True,
        help="Seed of the random samples.",
    )
    key: str | None = KEY
    policies: Policies = policies("missing", "unknown")
    format: str = FORMAT
    digits: int = option(
        type=click.IntRange(0, 12), default=2, show_default=True, help="Decimal places."
    )
    output: str = OUTPUT
    plot: str | None = None

    def chosen_measures(self) -> list[Measure]:
        """Return the measures to study."""
        from ave_score.counts import additive_families
        from ave_score.measures import parse_measures
        from ave_score.scoring import RUN_MEASURES

        chosen = RUN_MEASURES if self.measures is None else self.measures
        return parse_measures(chosen, additive_families())


def score_in_samples(options: StudyOptions, samples: int) -> tuple[Study, list[Sampled]]:
    """Score all runs in all repetitions, each with `samples` disjoint samples."""
    from ave_score.collection_summary import collection_summary
    from ave_score.inference.samples import Sampling, Unit, count_units, score_samples, units_of
    from ave_score.policies import signature
    from ave_score.reports.studies import Study

    measures = options.chosen_measures()
    unit = None if options.unit is None else Unit(options.unit)
    wanted = units_of(measures, unit)
    if len(options.runs) < 2:
        raise UsageError(f"{counted(len(options.runs), 'RUN')} given, at least two needed")
    collection, settled, runs = _read(options)
    if options.measures is None and settled.index.is_pairs:  # no questions
        measures = [measure for measure in measures if measure.family.of_pairs]
        wanted = units_of(measures, unit)
    sampling = Sampling(options.size, options.repetitions, options.seed)
    watch = partial(progress, label="Sampling", name=lambda _: "")
    sampled = {}
    for unit, of_unit in wanted.items():
        families = {measure.family for measure in of_unit}
        units = count_units(runs, settled, families, unit)
        for result in score_samples(units, of_unit, sampling, samples, watch):
            sampled[result.measure.key] = result
    ordered = [sampled[measure.key] for measure in measures]
    signed = signature(options.policies, collection_summary(collection, settled))
    names = [run.name for run in runs]
    return Study(_signed(signed, ordered), names, sampling.repetitions, sampling.seed), ordered


def _read(options: StudyOptions) -> tuple[Collection, Collection, list[Run]]:
    """Return the collection as read, with UNKNOWN settled, and the runs.

    Runs are sorted by name, so the order on the command line does not matter.
    """
    from ave_score.commands.input_files import InputFiles, run_names
    from ave_score.files.source import Source
    from ave_score.model import Run
    from ave_score.policies import settle_unknown

    sources = [Source(path) for path in options.runs]
    names = run_names(sources)
    paths = [options.collection, *options.runs, *filter(None, [options.key])]
    check_output_paths(paths, {"--output": options.output, "--plot": options.plot})
    policies, inputs = options.policies, InputFiles()
    gold = Source(options.collection)
    collection, systems = inputs.gold(gold, options.key, policies.campaign)
    settled = settle_unknown(collection, policies.unknown)
    with inputs.runs(sources, names, settled, policies) as read:
        runs = [*systems, *read]
    if inputs.refused:
        raise inputs.refuse(f"{counted(inputs.refused, 'file')} refused, nothing compared")
    inputs.show()
    decided = [run for run in runs if isinstance(run, Run)]
    if len(decided) < len(runs):
        (first, *_) = (run.name for run in runs if not isinstance(run, Run))
        raise UsageError(f"{first} is a QA system; only runs on candidate answers can be compared")
    return collection, settled, sorted(decided, key=lambda run: run.name)


def _signed(signed: str, sampled: Sequence[Sampled]) -> str:
    """Return the signature with repetitions, seed, and the size of samples of each unit."""
    sampling = sampled[0].sampling
    sizes = {each.unit: each.sampling.size for each in sampled}
    drawn = [f"unit:{unit}|size:{size}" for unit, size in sorted(sizes.items())]
    return "|".join(
        [signed, f"repetitions:{sampling.repetitions}", f"seed:{sampling.seed}", *drawn]
    )
