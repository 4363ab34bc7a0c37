"""Shared by `ave-score stability` and `ave-score swap`: options and sampled scores."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

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
    from ave_score.collection_summary import CollectionSummary
    from ave_score.inference.samples import Sampled
    from ave_score.measures import Measure
    from ave_score.model import Collection, QARun, Run
    from ave_score.policies import Policies
    from ave_score.reports.studies import Study


class StudyOptions(Options):
    """The arguments and options of all studies."""

    collection: str = argument(type=FILE)
    runs: tuple[str, ...] = argument(nargs=-1, metavar="RUN RUN...", type=FILE)
    measures: str | None = option(
        "-m",
        metavar="LIST",
        help="Measures or groups as in ave-score score. Default: ave2007; for pairs only its "
        "validation measures; for QA systems answering_accuracy,c_at_1.",
    )
    unit: str | None = option(
        type=click.Choice(["answers", "questions"]),
        help="Sampling unit. Default: answers for validation measures of runs, questions for "
        "others.",
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
    policies: Policies = policies("campaign", "missing", "unknown", "ties")
    format: str = FORMAT
    digits: int = option(
        type=click.IntRange(0, 12), default=2, show_default=True, help="Decimal places."
    )
    output: str = OUTPUT
    plot: str | None = None

    def chosen_measures(self, kind: str = "runs") -> list[Measure]:
        """Return the measures to study; `kind` is a key of `measures.registry.COMPARED`."""
        from ave_score.counts import run_families
        from ave_score.measures import parse_measures
        from ave_score.measures.registry import COMPARED
        from ave_score.scoring import RUN_MEASURES

        if self.measures is not None:
            return parse_measures(self.measures, run_families())
        if "systems" in kind:
            return parse_measures(",".join(COMPARED[kind]), run_families())
        found = parse_measures(RUN_MEASURES, run_families())
        return [one for one in found if one.family.of_pairs] if kind == "pairs" else found

    def check(self) -> None:
        """Raise `UsageError` for measures that cannot be studied, before any file is read."""
        self.chosen_measures()


class _Read(NamedTuple):
    """What is studied: the collection, UNKNOWN labels resolved, its runs, and facts about them.

    `kind` is a key of `measures.registry.COMPARED`. Runs are sorted by name, so the order on the
    command line does not matter.
    """

    collection: Collection
    subjects: Sequence[Run | QARun]
    kind: str
    facts: CollectionSummary


def score_in_samples(options: StudyOptions, samples: int) -> tuple[Study, list[Sampled]]:
    """Score all runs in all repetitions, each with `samples` disjoint samples."""
    from ave_score.inference.samples import Sampling, Unit, count_units, score_samples, units_of
    from ave_score.policies import signature
    from ave_score.reports.studies import Study

    options.check()
    unit = None if options.unit is None else Unit(options.unit)
    if options.measures is not None:
        units_of(options.chosen_measures(), unit)  # refused before files are read
    read = _read(options)
    measures = options.chosen_measures(read.kind)
    sampling = Sampling(options.size, options.repetitions, options.seed)
    watch = partial(progress, label="Sampling", name=lambda _: "")
    sampled = {}
    wanted = units_of(measures, unit, only_questions="systems" in read.kind)
    for each, of_unit in wanted.items():
        counted = count_units(read.subjects, read.collection, of_unit, each, options.policies)
        for result in score_samples(counted, each, of_unit, sampling, samples, watch):
            sampled[result.measure.key] = result
    ordered = [sampled[measure.key] for measure in measures]
    names = [one.name for one in read.subjects]
    ranks = any(measure.family.is_ranked for measure in measures)
    signed = _signed(signature(options.policies, read.facts, ranks=ranks), ordered)
    return Study(signed, names, sampling.repetitions, sampling.seed), ordered


def _read(options: StudyOptions) -> _Read:
    """Return the runs and QA systems; a judged file is its own collection."""
    from ave_score.collection_summary import collection_summary
    from ave_score.commands.input_files import InputFiles, kind_of_subjects
    from ave_score.files.source import Source
    from ave_score.given import run_names
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
        subjects = sorted([*systems, *read], key=lambda one: one.name)
    if inputs.refused:
        raise inputs.refuse(f"{counted(inputs.refused, 'file')} refused, nothing compared")
    inputs.show()
    if len(subjects) < 2:
        raise UsageError(f"{counted(len(subjects), 'run')} given, at least two needed")
    kind = kind_of_subjects(subjects, collection)
    return _Read(settled, subjects, kind, collection_summary(collection, settled))


def _signed(signed: str, sampled: Sequence[Sampled]) -> str:
    """Return the signature with repetitions, seed, and the size of samples of each unit."""
    sampling = sampled[0].sampling
    sizes = {each.unit: each.sampling.size for each in sampled}
    drawn = [f"unit:{unit}|size:{size}" for unit, size in sorted(sizes.items())]
    return "|".join(
        [signed, f"repetitions:{sampling.repetitions}", f"seed:{sampling.seed}", *drawn]
    )
