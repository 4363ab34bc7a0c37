"""Studies of measures on random samples of a collection: what `stability` and `swap` share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ave_score.core.entrants import TableWords, checked
from ave_score.core.errors import UsageError
from ave_score.core.policies import Policies, settle_unknown
from ave_score.core.reported import Reported
from ave_score.core.standards import Standard
from ave_score.core.text import quantity
from ave_score.inference.samples import (
    Sampled,
    Sampling,
    Watch,
    count_units,
    score_samples,
    unit_of,
)
from ave_score.measures import Measure, parse_measures
from ave_score.tasks.given import GoldGiven, SubjectsGiven, settings_of
from ave_score.tasks.inputs import Inputs
from ave_score.tasks.subjects import (
    MeasuresGiven,
    compared_measures,
    kinds_of,
    paired_runs,
    signature_of,
    table_measures,
    wanted_measures,
)


@dataclass(frozen=True, repr=False)
class Study(Reported):
    """What all studies have in common.

    Attributes
    ----------
    signature
        The line that identifies the policies and the samples.
    runs
        The names of the runs, sorted.
    resamples, seed
        How samples were drawn.
    notes
        On which questions, if missing answers are excluded.
    """

    signature: str
    runs: Sequence[str]
    resamples: int
    seed: int
    notes: Sequence[str] = ()

    def __repr__(self) -> str:
        samples = quantity(self.resamples, "resample")
        return f"<{type(self).__name__} of {quantity(len(self.runs), 'run')}: {samples}>"

    @property
    def pairs(self) -> int:
        """The number of pairs of runs."""
        return len(self.runs) * (len(self.runs) - 1) // 2


class Samples:
    """The runs, in the order of their names, and the measures of a study."""

    def __init__(
        self,
        collection: GoldGiven,
        runs: SubjectsGiven,
        measures: MeasuresGiven | None,
        sampling: Sampling | None,
        policies: Policies | None,
        words: TableWords,
    ) -> None:
        self.sampling = settings_of(sampling, Sampling)
        policies = settings_of(policies, Policies)
        policies.refuse(["intervals"], "studies of samples")
        inputs = Inputs(policies, entrants=checked(words, TableWords))
        self.gold, common, self.subjects, self.notes = paired_runs(
            inputs, collection, runs, "cannot be studied on samples"
        )
        self.policies = policies = inputs.policies
        (self.kind,) = kinds_of(self.subjects, self.gold)
        self.collection = settle_unknown(common, policies.unknown)
        self.measures = (
            _default_measures(self.kind, self.gold.standard)
            if measures is None
            else wanted_measures(measures, self.gold)
        )
        if not self.measures:
            raise UsageError("no measure selected")

    def sampled(self, samples: int, watch: Watch) -> list[Sampled]:
        """Score all runs in all resamples, each with `samples` disjoint samples."""
        unit = unit_of(self.measures, self.sampling.unit, self.collection.standard)
        args = self.subjects, self.collection, self.measures, unit, self.policies
        return score_samples(count_units(*args), unit, self.measures, self.sampling, samples, watch)

    def study(self, sampled: Sequence[Sampled]) -> tuple[str, list[str], int, int, list[str]]:
        """Return the signature, the names of the runs, the numbers of resamples, seed, notes."""
        ranks = any(measure.is_ranked for measure in self.measures)
        signed = signature_of(self.gold, self.subjects, self.policies, ranks=ranks)
        unit, size = sampled[0].unit, sampled[0].sampling.size
        resamples, seed = self.sampling.resamples, self.sampling.seed
        line = f"{signed}|resamples:{resamples}|seed:{seed}|unit:{unit}|size:{size}"
        names = [subject.name for subject in self.subjects]
        return line, names, resamples, seed, self.notes


def _default_measures(kind: str, standard: Standard) -> list[Measure]:
    """Return the measures to study; `kind` is one of `kinds_of`."""
    if "systems" in kind:
        return compared_measures([kind])
    measures = parse_measures(table_measures([kind]))
    return [measure for measure in measures if measure.family.is_of(standard)]
