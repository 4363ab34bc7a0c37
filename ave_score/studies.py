"""Studies of measures on random samples of a collection: their stability, required differences."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from typing import NamedTuple

from ave_score.counts import run_families
from ave_score.errors import UsageError
from ave_score.given import GoldGiven, SubjectsGiven, settings_of
from ave_score.inference import stability as of_stability
from ave_score.inference import swap as of_swap
from ave_score.inference.samples import (
    Sampled,
    Sampling,
    Unit,
    Watch,
    count_units,
    score_samples,
    units_of,
)
from ave_score.inference.stability import Comparisons
from ave_score.inference.swap import USUAL, Agreement, Swaps
from ave_score.measures import Measure, parse_measures
from ave_score.measures.registry import COMPARED
from ave_score.policies import Policies, settle_unknown
from ave_score.reported import Drawn, Reported
from ave_score.subjects import (
    RUN_MEASURES,
    MeasuresGiven,
    kinds_of,
    paired_runs,
    signature_of,
    wanted_measures,
)
from ave_score.text import counted


class Stability(NamedTuple):
    """A measure in its samples, and the outcomes at each fuzziness."""

    sampled: Sampled
    curve: Sequence[Comparisons]


class Swapped(NamedTuple):
    """A measure in its samples, and the outcomes of the comparisons."""

    sampled: Sampled
    swaps: Swaps


@dataclass(frozen=True, repr=False)
class Study(Reported):
    """What all studies have in common.

    Attributes
    ----------
    signature
        The line that identifies the policies and the samples.
    runs
        The names of the runs, sorted.
    repetitions, seed
        How samples were drawn.
    notes
        On which questions, if missing answers are excluded.
    """

    signature: str
    runs: Sequence[str]
    repetitions: int
    seed: int
    notes: Sequence[str] = ()

    def __repr__(self) -> str:
        samples = counted(self.repetitions, "repetition")
        return f"<{type(self).__name__} of {counted(len(self.runs), 'run')}: {samples}>"

    @property
    def pairs(self) -> int:
        """The number of pairs of runs."""
        return len(self.runs) * (len(self.runs) - 1) // 2


@dataclass(frozen=True, repr=False)
class StabilityStudy(Study, Drawn):
    """The error rates and ties of measures: what `ave-score stability` reports.

    `to_frame` has a row for each measure and fuzziness; rates are in 0..1. `plot` draws the ties
    over the error rate, a curve for each measure.

    Attributes
    ----------
    measures
        Each measure with the outcomes of its comparisons.
    """

    measures: Sequence[Stability] = ()

    _reporter = "studies.stability_report"
    _figure = "plots.drawing.ties"


@dataclass(frozen=True, repr=False)
class SwapStudy(Study):
    """The differences that measures require: what `ave-score swap` reports.

    `to_frame` has a row for each measure and bin of differences; rates are in 0..1.

    Attributes
    ----------
    measures
        Each measure with the outcomes of its comparisons.
    agreement
        What a required difference has to reach.
    """

    measures: Sequence[Swapped] = ()
    agreement: Agreement = USUAL

    _reporter = "studies.swap_report"


def stability(
    collection: GoldGiven,
    runs: SubjectsGiven,
    *,
    measures: MeasuresGiven | None = None,
    sampling: Sampling | None = None,
    policies: Policies | None = None,
    watch: Watch = nullcontext,
) -> StabilityStudy:
    """Estimate how often measures rank two runs differently in another sample, and tie them.

    Parameters
    ----------
    collection, runs
        As `score` takes them; at least two runs or QA systems.
    measures
        Names in a text, or a list. By default the group ave2007, of pairs only its measures of
        validation; for QA systems answering_accuracy and c_at_1.
    sampling
        How samples are drawn; by default `Sampling()`, 500 samples of half of the units.
    policies
        How to count; by default `Policies()`.
    watch
        Passes the blocks of samples through, and may show progress.

    Returns
    -------
    StabilityStudy
        A curve for each measure.

    Raises
    ------
    UsageError
        An argument has a wrong type; a measure does not exist or cannot be computed on samples; the
        samples cannot be drawn.
    DefectError, InputError
        A file has errors, or cannot be read.
    """
    job = _Job(collection, runs, measures, sampling, policies)
    curve_of = of_stability.stability
    found = [Stability(each, curve_of(each.scores[0])) for each in job.sampled(1, watch)]
    return StabilityStudy(*job.study([measure.sampled for measure in found]), found)


def swap(
    collection: GoldGiven,
    runs: SubjectsGiven,
    *,
    measures: MeasuresGiven | None = None,
    sampling: Sampling | None = None,
    policies: Policies | None = None,
    agreement: Agreement | None = None,
    watch: Watch = nullcontext,
) -> SwapStudy:
    """Estimate the difference between two runs needed for the same order in another sample.

    Parameters
    ----------
    collection, runs, measures, sampling, policies, watch
        As `stability` takes them; measures that are numbers of questions do not fit the bins.
    agreement
        The share of comparisons without a swap, in 0..1, that a required difference reaches; by
        default 0.95, in the first bin that does.

    Returns
    -------
    SwapStudy
        The bins of each measure.

    Raises
    ------
    UsageError, DefectError, InputError
        As `stability`.
    """
    agreement = settings_of(agreement, Agreement)
    job = _Job(collection, runs, measures, sampling, policies)
    check_bins(job.measures)
    found = [Swapped(sampled, of_swap.swap(sampled.scores)) for sampled in job.sampled(2, watch)]
    signed, names, repetitions, seed, notes = job.study([measure.sampled for measure in found])
    bins = "all" if agreement.in_all_bins else "first"
    signed = f"{signed}|level:{float(100 * agreement.level):g}|bins:{bins}"
    return SwapStudy(signed, names, repetitions, seed, notes, found, agreement)


def check_bins(measures: Sequence[Measure]) -> None:
    """Raise `UsageError` for measures that are numbers of questions."""
    numbers = [measure.key for measure in measures if measure.whole]
    if numbers:
        raise UsageError(f"{', '.join(numbers)}: counts of questions do not fit bins of 0.01")


class _Job:
    """The runs, in the order of their names, and the measures of a study."""

    def __init__(
        self,
        collection: GoldGiven,
        runs: SubjectsGiven,
        measures: MeasuresGiven | None,
        sampling: Sampling | None,
        policies: Policies | None,
    ) -> None:
        self.sampling = settings_of(sampling, Sampling)
        self.policies = policies = settings_of(policies, Policies)
        self.gold, common, self.subjects, self.notes = paired_runs(
            collection, runs, policies, "cannot be studied on samples"
        )
        (self.kind,) = kinds_of(self.subjects, self.gold)
        self.collection = settle_unknown(common, policies.unknown)
        self.measures = (
            _default_measures(self.kind)
            if measures is None
            else wanted_measures(measures, run_families())
        )

    def sampled(self, samples: int, watch: Watch) -> list[Sampled]:
        """Score all runs in all repetitions, each with `samples` disjoint samples."""
        found: dict[str, Sampled] = {}
        unit = None if self.sampling.unit is None else Unit(self.sampling.unit)
        wanted = units_of(self.measures, unit, only_questions="systems" in self.kind)
        for each, some in wanted.items():
            counts = count_units(self.subjects, self.collection, some, each, self.policies)
            for sampled in score_samples(counts, each, some, self.sampling, samples, watch):
                found[sampled.measure.key] = sampled
        return [found[measure.key] for measure in self.measures]

    def study(self, sampled: Sequence[Sampled]) -> tuple[str, list[str], int, int, list[str]]:
        """Return the signature, the names of the runs, the numbers of repetitions, seed, notes."""
        ranks = any(measure.family.is_ranked for measure in self.measures)
        signed = signature_of(self.gold, self.subjects, self.policies, ranks=ranks)
        sizes = {each.unit: each.sampling.size for each in sampled}
        drawn = [f"unit:{unit}|size:{size}" for unit, size in sorted(sizes.items())]
        repetitions, seed = self.sampling.repetitions, self.sampling.seed
        line = "|".join([signed, f"repetitions:{repetitions}", f"seed:{seed}", *drawn])
        names = [subject.name for subject in self.subjects]
        return line, names, repetitions, seed, self.notes


def _default_measures(kind: str) -> list[Measure]:
    """Return the measures to study; `kind` is a key of `measures.registry.COMPARED`."""
    if "systems" in kind:
        return parse_measures(",".join(COMPARED[kind]), run_families())
    found = parse_measures(RUN_MEASURES, run_families())
    return [measure for measure in found if measure.family.of_pairs] if kind == "pairs" else found
