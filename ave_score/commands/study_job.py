"""What `ave-score stability` and `ave-score swap` do: read, draw samples, compare, render."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from fractions import Fraction
from functools import partial
from math import isnan

from ave_score.commands.figure import check_figure, write_figure
from ave_score.commands.input_files import InputFiles, run_names
from ave_score.commands.output_files import check_output_paths, whole_file
from ave_score.commands.progress import progress
from ave_score.commands.study_options import StudyOptions
from ave_score.counts import additive_families
from ave_score.errors import UsageError
from ave_score.facts import collection_facts
from ave_score.files.source import Source
from ave_score.inference.samples import Sampled, Sampling, score_samples
from ave_score.inference.stability import stability
from ave_score.inference.swap import swap
from ave_score.inference.units import Unit, count_units, units_of
from ave_score.measures import Measure, parse_measures
from ave_score.model import Collection, Run
from ave_score.policies import Policies, settle_unknown, signature
from ave_score.reports.formats import render
from ave_score.reports.studies import Stability, Study, Swapped, stability_report, swap_report
from ave_score.reports.style import style_for
from ave_score.scoring import RUN_MEASURES
from ave_score.text import counted


def study_stability(collection: str, runs: Sequence[str], options: StudyOptions) -> int:
    """Write the stability of measures; return the exit code."""
    check_figure(options.plot, ["--plot-width"] * (options.plot_width is not None))
    study, sampled = _study(collection, runs, options, samples=1)
    found = [Stability(one, stability(one.scores[0])) for one in sampled]
    with ExitStack() as open_files:
        if options.plot is not None:
            from ave_score.commands.study_plots import ties_of  # most calls draw nothing

            write_figure(options.plot, ties_of(found, options.plot_width), open_files)
        report = stability_report(study, found, options.digits)
        text = render(report, options.format, style_for(options.output))
        open_files.enter_context(whole_file(options.output)).write(text)
    return 0


def study_swap(collection: str, runs: Sequence[str], percent: float, options: StudyOptions) -> int:
    """Write which differences of measures can be believed; return the exit code."""
    if isnan(percent):  # neither below 0 nor above 100
        raise UsageError("--level nan: expected a percentage between 0 and 100")
    level = Fraction(str(percent)) / 100
    numbers = [measure.key for measure in _measures(options) if measure.whole]
    if numbers:
        raise UsageError(f"{', '.join(numbers)}: numbers of questions do not fit bins of 0.01")
    study, sampled = _study(collection, runs, options, samples=2)
    study = study._replace(signature=f"{study.signature}|level:{percent:g}")
    found = [Swapped(one, swap(one.scores)) for one in sampled]
    report = swap_report(study, found, level, options.digits)
    text = render(report, options.format, style_for(options.output))
    with whole_file(options.output) as out:
        out.write(text)
    return 0


def _measures(options: StudyOptions) -> list[Measure]:
    return parse_measures(
        RUN_MEASURES if options.measures is None else options.measures, additive_families()
    )


def _study(
    collection_path: str, run_paths: Sequence[str], options: StudyOptions, samples: int
) -> tuple[Study, list[Sampled]]:
    """Score all runs in all samples."""
    measures = _measures(options)
    unit = None if options.unit is None else Unit(options.unit)
    wanted = units_of(measures, unit)
    if len(run_paths) < 2:
        told = counted(len(run_paths), "RUN")
        raise UsageError(f"{told} given: pairs are compared, so that it takes two at least")
    policies = options.policies
    collection, settled, runs = _read(collection_path, run_paths, options, policies)
    if options.measures is None and settled.roster.is_pairs:  # which belong to no question
        measures = [one for one in measures if one.family.of_pairs]
        wanted = units_of(measures, unit)
    sampling = Sampling(options.size, options.repetitions, options.seed)
    watch = partial(progress, label="Sampling", name=lambda _: "")
    sampled = {}
    for unit, of_unit in wanted.items():
        units = count_units(runs, settled, {one.family for one in of_unit}, unit)
        for one in score_samples(units, of_unit, sampling, samples, watch):
            sampled[one.measure.key] = one
    ordered = [sampled[measure.key] for measure in measures]
    signed = signature(policies, collection_facts(collection, settled))
    names = [run.name for run in runs]
    return Study(_signed(signed, ordered), names, sampling.repetitions, sampling.seed), ordered


def _read(
    collection_path: str, run_paths: Sequence[str], options: StudyOptions, policies: Policies
) -> tuple[Collection, Collection, list[Run]]:
    """Return the collection as it was read and as settled, and the runs by name.

    Their order is not that of the command line, so that this changes nothing.
    """
    sources = [Source(path) for path in run_paths]
    names = run_names(sources)
    paths = [collection_path, *run_paths, *filter(None, [options.key])]
    check_output_paths(paths, {"--output": options.output, "--plot": options.plot})
    inputs = InputFiles()
    collection, systems = inputs.gold(Source(collection_path), options.key, policies.campaign)
    settled = settle_unknown(collection, policies.unknown)
    with inputs.runs(sources, names, settled, policies) as read:
        runs = [*systems, *read]
    if inputs.refused:
        raise inputs.refuse(f"{counted(inputs.refused, 'file')} refused, nothing compared")
    inputs.show()
    decided = [run for run in runs if isinstance(run, Run)]
    if len(decided) < len(runs):
        (first, *_) = (run.name for run in runs if not isinstance(run, Run))
        raise UsageError(f"{first} is a QA system: only runs on candidate answers are compared")
    return collection, settled, sorted(decided, key=lambda run: run.name)


def _signed(signed: str, sampled: Sequence[Sampled]) -> str:
    """Return the signature with how samples were drawn: unit and size, twice if of both units."""
    sampling = sampled[0].sampling
    sizes = {one.unit: one.sampling.size for one in sampled}
    drawn = [f"unit:{unit}|size:{size}" for unit, size in sorted(sizes.items())]
    return "|".join(
        [signed, f"repetitions:{sampling.repetitions}", f"seed:{sampling.seed}", *drawn]
    )
