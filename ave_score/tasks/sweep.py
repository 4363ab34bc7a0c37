"""Runs at every confidence threshold, by one measure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Unpack

from ave_score.core.entrants import RunsInTeams, checked, takes
from ave_score.core.errors import UsageError
from ave_score.core.model import Collection, QARun
from ave_score.core.open_questions import OpenGold
from ave_score.core.parts import mentioned
from ave_score.core.policies import Policies, settle_unknown, settled_table
from ave_score.core.reported import Reported
from ave_score.core.text import quantity
from ave_score.counts.judged import JudgedSystem
from ave_score.inference.sweep import Sweep, SweepPoint, check_sweepable, threshold_curve
from ave_score.inference.sweep_system import sweep_system
from ave_score.measures import Measure
from ave_score.measures.registry import CRITERION
from ave_score.tasks.given import GoldGiven, SubjectsGiven, settings_of
from ave_score.tasks.inputs import Inputs
from ave_score.tasks.ranked import with_entrants
from ave_score.tasks.scores import Row, rows_of
from ave_score.tasks.subjects import decisions, excluded_from, signature_of, wanted_measures

if TYPE_CHECKING:
    from ave_score.inference.units import Subject


@dataclass(frozen=True, repr=False)
class Swept(Reported):
    """Runs at every threshold: what `ave-score score --sweep` reports.

    `to_frame` has a row for each run and threshold, in descending order; NaN stands for a threshold
    above all confidences, at which nothing is accepted.

    Attributes
    ----------
    sweeps
        Each run with its points.
    measure, signature
        The measure, and the line that identifies the policies.
    teams
        Run -> the team that submitted it.
    not_scored
        The files that could not be scored.
    notes
        What runs are scored on, if missing answers are excluded.
    rows
        The runs without values, by which those that are ranked are known.
    """

    sweeps: Sequence[Sweep]
    measure: Measure
    signature: str
    teams: Mapping[str, str]
    not_scored: Sequence[str] = ()
    notes: Sequence[str] = ()
    rows: Sequence[Row] = ()

    def __repr__(self) -> str:
        return f"<Swept {quantity(len(self.sweeps), 'run')} by {self.measure.key}>"

    def best(self, run: str) -> SweepPoint:
        """Return the threshold with the best value of a run.

        It is chosen on the answers that it is evaluated on, so its value is optimistic; apply it to
        a run on other data with `decided_at`.

        Parameters
        ----------
        run
            The name of the run.

        Returns
        -------
        SweepPoint
            The threshold, None if nothing is accepted; the number of accepted answers; the value of
            the measure. Among ties, the point that accepts the fewest answers.

        Raises
        ------
        UsageError
            There is no such run.
        """
        for swept in self.sweeps:
            if swept.run == run:
                return swept.best(self.measure)
        known = ", ".join(swept.run for swept in self.sweeps)
        raise UsageError(f"no run {run!r}; there are {known}")


@takes(RunsInTeams)
def sweep(
    collection: GoldGiven,
    runs: SubjectsGiven = (),
    measure: str | Measure = CRITERION,
    *,
    policies: Policies | None = None,
    **entrants: Unpack[RunsInTeams],
) -> Swept:
    """Compute a measure for runs at every threshold of their confidences.

    At a threshold, the answers with at least this confidence are accepted, and the most confident
    one of each question is selected. QA systems withhold the answers below it.

    Parameters
    ----------
    collection, runs, teams, reference, primary
        As `score` takes them; runs, and QA systems, with confidences.
    max_per_topic, documents
        What TREC runs may have, as `score` takes it.
    columns, values
        What columns and words of tables mean, as `read_collection` takes them.
    measure
        A measure of decisions, by its name; by default f1.
    policies
        How to count; by default `Policies()`.

    Returns
    -------
    Swept
        The points of each run.

    Raises
    ------
    UsageError
        An argument has a wrong type; the measure does not exist, or depends on more than decisions;
        a run or a system has no confidences; a pattern matches no run.
    DefectError, InputError
        A file has errors, or cannot be read.
    """
    policies = settings_of(policies, Policies)
    policies.refuse(["intervals", "threshold"], "sweeps")
    by = one_measure(measure)
    inputs = Inputs(policies, entrants=checked(entrants, RunsInTeams))
    gold, systems = inputs.gold(collection)
    if isinstance(gold, OpenGold) or not gold.standard.has_decisions:
        raise UsageError(f"{gold.standard.submitted} have no decisions")
    settled = settle_unknown(gold, policies.unknown)
    subjects = [*inputs.subjects(gold, systems, runs)]
    sweeps = [_swept(subject, settled, by, policies) for subject in subjects]
    signed = signature_of(gold, subjects, policies, ranks=False)
    notes = excluded_from(subjects, gold)
    rows = with_entrants(rows_of(subjects), inputs, gold.standard)
    known = {row.run: row.team for row in rows if row.team is not None}
    return Swept(sweeps, by, signed, known, notes=notes, rows=rows)


def _swept(subject: Subject, settled: Collection, by: Measure, policies: Policies) -> Sweep:
    if not isinstance(subject, QARun):
        return threshold_curve(decisions(subject), settled, by)
    table = settled_table(policies.letters, policies.unknown)
    judged = JudgedSystem(subject, mentioned(subject, settled), table, policies.ties)
    return sweep_system(judged, by)


def one_measure(measure: str | Measure) -> Measure:
    """Return the measure of a sweep.

    Raises `UsageError` for several measures, or one that depends on more than decisions.
    """
    measures = wanted_measures([measure])
    if len(measures) != 1:
        raise UsageError(f"a threshold takes one measure, not {measure}")
    check_sweepable(measures[0])
    return measures[0]
