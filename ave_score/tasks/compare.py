"""Comparisons of runs by several measures, with everything that is reported about them."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import replace
from typing import TYPE_CHECKING, Unpack

from ave_score.core.entrants import Entrants, takes
from ave_score.core.epochs import EPOCHS_CHOICES, Epochs
from ave_score.core.errors import UsageError
from ave_score.core.model import Collection, QARun, Replicated
from ave_score.core.policies import IntervalPolicy, Policies, settled_gold
from ave_score.core.text import quantity
from ave_score.inference.compare import pairwise_tests
from ave_score.inference.compare_records import CROSSED, Comparison, Design
from ave_score.inference.intervals import KnownIntervals
from ave_score.inference.power import PowerPolicy, comparison_power
from ave_score.inference.resampling import Replicates
from ave_score.inference.samples import Watch
from ave_score.inference.units import Gold, Subject
from ave_score.measures import Measure
from ave_score.tasks.compared import Compared, Powers
from ave_score.tasks.given import GoldGiven, RunsGiven, SubjectsGiven, settings_of
from ave_score.tasks.inputs import Inputs
from ave_score.tasks.ranked import notes_on_equal, to_compare, with_entrants
from ave_score.tasks.replicates import (
    EACH_EPOCH,
    ONE_RUN,
    SAME_ANSWERS,
    SEVERAL_RUNS,
    notes_on_equal_replicates,
    replicated,
)
from ave_score.tasks.score import score
from ave_score.tasks.scores import Row, Scores, rows_of
from ave_score.tasks.subjects import (
    MeasuresGiven,
    compared_measures,
    kind_of,
    kinds_of,
    paired,
    refuse_systems,
    signature_of,
    subset,
    wanted_measures,
)

if TYPE_CHECKING:
    pass


@takes(Entrants)
def compare(  # noqa: PLR0913 - one for each question, all optional
    collection: GoldGiven,
    runs: SubjectsGiven = (),
    qa: RunsGiven = (),
    *,
    measures: MeasuresGiven | None = None,
    design: Design | None = None,
    power: PowerPolicy | None = None,
    policies: Policies | None = None,
    watch: Watch = nullcontext,
    **entrants: Unpack[Entrants],
) -> Compared:
    """Test the differences between runs, QA systems or responses for significance.

    Parameters
    ----------
    collection, runs, qa, teams, reference, primary, replicates
        As `score` takes them; at least two runs with different names. Runs of
        `reference` are scored and not compared, unless one is `against` of the design.
    max_per_topic, documents
        What TREC runs may have, as `score` takes it.
    columns, values
        What columns and words of tables mean, as `read_collection` takes them.
    measures
        Names in a text, or a list of names or measures. By default f1 and qa_accuracy; for QA
        systems c_at_1 and answering_accuracy; with runs, too, qa_accuracy and c_at_1; for pairs f1
        and accuracy; for responses one for each type of question. Tests on values of questions use
        only those that are means of these.
    design
        The test, its samples, the level, the correction and the run that all are compared with;
        by default `Design()`.
    policies
        How to count; by default those of the design.
    power
        What is asked about the power of the comparison; None: nothing.
    watch
        Passes blocks of samples and the numbers of pairs through, and may show progress.

    Returns
    -------
    Compared
        Standings, pairs and groups of runs for each measure.

    Raises
    ------
    UsageError
        An argument has a wrong type; fewer than two runs, or two of one name; a test, correction,
        run to compare with or measure does not exist, the test does not apply to the measure, or
        a pattern matches no run.
    DefectError, InputError
        A file has errors, or cannot be read.
    """
    design = settings_of(design, Design)
    design.check()
    if policies is not None:
        design = design._replace(policies=settings_of(policies, Policies))
    if power is not None:
        settings_of(power, PowerPolicy).check()
    inputs = Inputs(design.policies, entrants=entrants)
    gold, given, rows, design = read_to_compare(inputs, collection, runs, qa, design)
    if power is not None:
        _check_power(to_compare(given, rows, design.against), design)
    compared = compare_read(gold, given, rows, measures, design, watch=watch)
    if power is not None:
        powers = [comparison_power(comparison, power) for comparison in compared.comparisons]
        compared = replace(compared, powers=Powers(power, powers))
    return replace(compared, signature=_signature(gold, compared))


def read_to_compare(
    inputs: Inputs, collection: GoldGiven, runs: SubjectsGiven, qa: RunsGiven, design: Design
) -> tuple[Gold, list[Subject], list[Row], Design]:
    """Return gold standard, subjects, their rows, and the design with what it names; may raise."""
    design.policies.refuse(["intervals"], "comparisons, which have the level of the Design")
    gold, systems = inputs.gold(collection, qa=qa)
    design = design._replace(policies=inputs.policies)
    if design.clusters is not None:
        design = design._replace(clusters=inputs.clusters(design.clusters, gold))
    refuse_systems(gold, qa, "compared")
    given = [*replicated(inputs.subjects(gold, systems, runs, qa), inputs.replicates())]
    return gold, given, with_entrants(rows_of(given), inputs, gold.standard), design


def compare_read(
    gold: Gold,
    given: Sequence[Subject],
    rows: Sequence[Row],
    measures: MeasuresGiven | None,
    design: Design,
    *,
    known: KnownIntervals = KnownIntervals(),  # noqa: B008 - it cannot be changed
    watch: Watch = nullcontext,
) -> Compared:
    """Compare what was read, as `compare`; `rows` say of each what it is.

    What is `known` of the same runs and collection is not computed again.
    """
    ranked = to_compare(given, rows, design.against)
    equal = [f"{note}." for note in notes_on_equal(rows).values()]
    epochs = Epochs.of(item for item in given if not getattr(item, "is_reduced", False))
    equal += notes_on_equal_replicates(given)
    if epochs.most > 1:
        equal += [f"Each question is the mean of {epochs}."]
    are_ranked = {*map(id, ranked)}
    entrants = [*zip(given, rows, strict=True)]
    others = [entrant for entrant in entrants if id(entrant[0]) not in are_ranked]
    common, subjects, notes = paired(gold, ranked)
    settled = settled_gold(common, design.policies.unknown)
    chosen = measures_of(measures, subjects, settled, design)
    if not chosen:
        raise UsageError("no measure selected")
    of_all = known if common is gold else KnownIntervals()
    comparisons = pairwise_tests(subjects, settled, chosen, design, watch, of_all)
    compared = Compared(
        comparisons,
        "",
        subjects=subjects,
        gold=settled,
        notes=[*equal, *notes, *_covered(comparisons, subjects, gold, epochs)],
        rows=[row for subject, row in entrants if id(subject) in are_ranked],
        apart=_apart(common, others, chosen, design) if others else (),
    )
    return replace(compared, signature=_signature(gold, compared))


def _covered(
    comparisons: Sequence[Comparison], subjects: Sequence[Subject], gold: Gold, epochs: Epochs
) -> list[str]:
    """Say what logs are about, and what p covers if systems are known to answer again, as there."""
    runs, notes = comparisons[0].replicated, gold.notes if isinstance(gold, Collection) else ()
    if not (runs or gold.standard.is_told_by_notes or epochs.most > 1):
        return []
    if max(runs.values(), default=1) == 1:
        if EPOCHS_CHOICES[comparisons[0].design.policies.epochs].makes_systems:
            return [*notes, EACH_EPOCH]
        graded = [
            subject.evaluations
            for subject in subjects
            if isinstance(subject, QARun) and subject.evaluations
        ]
        if len({*graded}) < len(graded):
            return [*notes, SAME_ANSWERS]
        models = [
            subject.model for subject in subjects if isinstance(subject, QARun) and subject.model
        ]
        return [*notes, ONE_RUN if len({*models}) == len(models) else SEVERAL_RUNS]
    numbers = [*runs.values()]
    said, fewest, why = "p covers differences between questions and", 2, "; it is rough, because "
    if comparisons[0].design.test != CROSSED:
        said, fewest, why = "p is for these seeds: it does not cover differences", 1, "; "
    few = numbers.count(fewest)  # without names, which not all readers of pages may see
    has = f"{quantity(few, 'system')} {'has' if few == 1 else 'have'}"
    rest = f"{why}{has} {quantity(fewest, 'run')}" if few else ""
    return [*notes, f"{said} between runs of the same system{rest}."]


def _check_power(subjects: Sequence[Subject], design: Design) -> None:
    """Raise `UsageError` where questions alone do not decide what could be detected."""
    alone = [
        subject
        for subject in subjects
        if not isinstance(subject, Replicated) or len(subject.runs) < 2
    ]
    if design.test == CROSSED or not (design.test or alone):
        raise UsageError(
            "power is not computed for several runs of each system, whose number decides, too; "
            "--test randomisation and others have that for these seeds"
        )


def known_from(scores: Scores, samples: Replicates, design: Design) -> KnownIntervals:
    """Return what is known from scores and their samples, if the design has the same."""
    rows = scores.rows
    if scores.policies != _policies(design) or len({row.run for row in rows}) < len(rows):
        return KnownIntervals()
    intervals = {(row.run, key): one for row in rows for key, one in row.intervals.items()}
    return KnownIntervals(intervals, samples)


def measures_of(
    measures: MeasuresGiven | None,
    subjects: Sequence[Subject],
    gold: Gold,
    design: Design,
) -> Sequence[Measure]:
    """Return the measures, by default those of what is compared that the test supports."""
    if measures is None:
        are_means = design.procedure.of_values
        return compared_measures(kinds_of(subjects, gold), are_means=are_means)
    return wanted_measures(measures, gold)


def _apart(
    gold: Gold, others: Sequence[tuple[Subject, Row]], measures: Sequence[Measure], design: Design
) -> list[Row]:
    """Return the rows of those that are not compared, with intervals as these have."""
    subjects = [subset(subject, gold) for subject, _ in others]
    scores = score(gold, subjects, policies=_policies(design), measures=measures)
    known = {(kind_of(subject), subject.name): row for subject, row in others}
    rows = []
    for row in scores.rows:
        if entry := known.get((row.kind, row.run)):
            rows.append(entry._replace(values=row.values, intervals=row.intervals))
    return rows


def _policies(design: Design) -> Policies:
    """Return the policies of scores with intervals as a comparison has them."""
    samples = design.resampling.resamples, design.resampling.seed
    intervals = IntervalPolicy(design.level, *samples, design.clusters)
    return design.policies._replace(intervals=intervals)


def _signature(gold: Gold, compared: Compared) -> str:
    """Return the signature of a comparison: that of the scores, the tests, and what is asked."""
    comparisons = compared.comparisons
    design = comparisons[0].design
    ranks = any(comparison.measure.is_ranked for comparison in comparisons)
    tests = ",".join(dict.fromkeys(str(comparison.design.test) for comparison in comparisons))
    settings: dict[str, object] = {"test": tests, **design.settings}
    if compared.powers is not None:
        policy = compared.powers.asked
        named = {"equivalence": policy.equivalence, "power": policy.difference}
        settings |= {name: f"{value:g}" for name, value in named.items() if value is not None}
    signed = signature_of(gold, compared.subjects, design.policies, ranks=ranks)
    return "|".join([signed, *(f"{key}:{value}" for key, value in settings.items())])
