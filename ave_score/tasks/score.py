"""From a collection and runs to scores: the rows of every table, exact and unrounded."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import replace
from functools import partial
from itertools import starmap
from typing import TYPE_CHECKING, Any, NamedTuple, Unpack

from ave_score.core.aggregated import AggregatedGold
from ave_score.core.choice import read_in_all
from ave_score.core.choices import UNKNOWN_CHOICES
from ave_score.core.collection_summary import CollectionSummary, signature
from ave_score.core.entrants import Entrants, takes
from ave_score.core.epochs import lacking_in, notes_on_lacking
from ave_score.core.errors import UsageError
from ave_score.core.model import ClustersGiven, Collection, Replicated
from ave_score.core.open_questions import OpenGold, ResponseRun
from ave_score.core.parts import Extent
from ave_score.core.policies import IntervalPolicy, Policies, settle_unknown
from ave_score.counts.base import mean_counts
from ave_score.counts.counted import (
    Counted,
    Kind,
    RowCounter,
    check_counted,
    count_responses,
    counted_summary,
)
from ave_score.counts.decisions import frequencies_of
from ave_score.measures import Measure, parse_measures
from ave_score.measures.registry import families_for
from ave_score.measures.values import MeasureValues, mean_values, values_of
from ave_score.tasks.given import GoldGiven, RunsGiven, SubjectsGiven, are_given, settings_of
from ave_score.tasks.inputs import Inputs
from ave_score.tasks.ranked import with_entrants
from ave_score.tasks.replicates import (
    notes_on_equal_replicates,
    replicated,
    signed_replicates,
    singles,
)
from ave_score.tasks.scores import Row, Scores, counts_for
from ave_score.tasks.subjects import (
    MeasuresGiven,
    as_read,
    facts_of,
    kind_of,
    kind_of_rows,
    read_of,
    refuse_systems,
    table_measures,
    wanted_measures,
    with_common,
)

if TYPE_CHECKING:
    from ave_score.inference.by_question import Floats
    from ave_score.inference.intervals import IntervalSampler, RunIntervals
    from ave_score.inference.samples import Watch
    from ave_score.inference.stderr import RunErrors
    from ave_score.inference.units import Subject


@takes(Entrants)
def score(  # noqa: PLR0913 - one for each question, all optional
    collection: GoldGiven | AggregatedGold,
    runs: SubjectsGiven = (),
    qa: RunsGiven = (),
    *,
    policies: Policies | None = None,
    measures: MeasuresGiven | None = None,
    stderr: bool = False,
    clusters: ClustersGiven | None = None,
    watch: Watch = nullcontext,
    **entrants: Unpack[Entrants],
) -> Scores:
    """Score runs, QA systems or responses against a collection.

    Parameters
    ----------
    collection
        A labelled collection, or answer sets for responses; or the path of such a file, or of a
        judged file, whose systems are then scored; or the paths of logs, and of folders of these.
        If it is a lazy frame (DuckDB, Spark, Polars), the runs are lazy frames of that library,
        too; it joins and counts them, and only counts are read. A column `run` then names the runs
        of a frame.
    runs
        Runs that were read against this collection, QA systems, responses, or paths of their files.
        A folder stands for those below it. They are taken one at a time, so a generator may read
        them one by one.
    qa
        More QA systems, each with at most one answer per question.
    policies
        How to count; by default `Policies()`.
    measures
        Names in a text, such as `"f1, f_beta(2), selection"`, or a list of names or measures. By
        default those of the tables of `ave-score score`: the group ave2007, or respubliqa for QA
        systems only; for responses those of the types of questions.
    stderr
        Whether rows have standard errors without intervals, too, and tables show them.
    clusters
        Questions that belong together, for standard errors without intervals, which name their own:
        an attribute, the path of a table, a frame or rows of it, or its value.
    teams
        Run or system -> the team that submitted it, or the path, or rows, of such a table, whose
        column `primary` may say which runs count. It may name other runs, too, but not only these,
        and none that resembles a run without a team.
    reference
        Names of the organiser's own runs, or patterns of names (`"baseline_*"`), in a text or a
        list: they have no rank and are not compared.
    primary
        Names, or patterns, of the runs that count: tables rank these, and show the others, too. By
        default those of `teams`.
    replicates
        Run -> the system that it is a run of, or the path of such a table; or `folder`: the runs in
        a folder are one system. A system has the means over its runs, and other arguments name it.
    max_per_topic
        The most documents of a topic that a TREC run may have; runs with more are refused.
    documents
        The documents that TREC runs may have: a set of ids, topic -> set of ids, or the path of a
        list of these; qrels and runs are such lists. Runs with others are refused.
    columns, values
        What columns and words of tables mean, as `read_collection` takes them.
    watch
        Passes the blocks of samples for intervals through, and may show progress.

    Returns
    -------
    Scores
        A row for each run, QA system and baseline.

    Raises
    ------
    UsageError
        An argument has a wrong type; a measure or policy does not exist; a run was read against
        another collection, or a system with other letters; a pattern matches no run.
    DefectError, InputError
        A file has errors, or cannot be read.
    """
    policies = settings_of(policies, Policies)
    inputs = Inputs(policies, entrants=entrants)
    if isinstance(collection, AggregatedGold) or inputs.counts(collection):
        if are_given(qa):
            raise UsageError("QA systems cannot be scored against a lazy frame: collect() it")
        return _score_counted(inputs, collection, runs, measures)
    gold, systems = inputs.gold(collection, qa=qa)
    refuse_systems(gold, qa, "scored")
    if clusters is not None:
        if policies.intervals is not None or not stderr:
            raise UsageError("clusters are those of stderr; IntervalPolicy has those of intervals")
        clusters = inputs.clusters(clusters, gold)
    read = inputs.subjects(gold, systems, runs, qa)
    given = replicated(read, inputs.replicates())
    errors = IntervalPolicy(clusters=clusters) if stderr else None
    return score_read(inputs, gold, given, measures, watch, errors=errors)


def score_read(
    inputs: Inputs,
    gold: Collection | OpenGold,
    given: Iterable[Subject],
    measures: MeasuresGiven | None,
    watch: Watch,
    samples: dict[tuple[str, str], Floats] | None = None,
    *,
    errors: IntervalPolicy | None = None,
) -> Scores:
    """Score what was read, as `score` does.

    `errors` has the clusters of standard errors, if they are shown and there are no intervals.
    `samples` receives measures in the bootstrap samples of intervals, by run and measure's key.
    """
    policies = inputs.policies
    kinds = gold.standard.scored or ("runs", "systems")
    wanted = wanted_measures(table_measures(kinds) if measures is None else measures, gold)
    settled, count, baselines = _against(gold, policies, wanted)
    sampler = _sampler(settled, policies._replace(intervals=policies.intervals or errors), wanted)
    rows, alike, lacking = list[Row](), list[str](), dict[str, int]()
    read: list[Mapping[str, str]] = [gold.read_as]
    for run in _with_own_names(given, settled):
        policies = as_read(policies, run)  # the signature says what was done
        read += read_of([run])
        lacking |= lacking_in(singles([run]))
        alike += notes_on_equal_replicates([run])
        rows.append(_row_of(run, count, wanted))
        if sampler is not None:
            sampler.take(run)
    if sampler is not None:
        rows = _sampled(rows, sampler, watch if policies.intervals is not None else None)
        if samples is not None and isinstance(gold, Collection):
            samples |= sampler.samples
    facts = facts_of(gold, policies)._replace(read_as=read_in_all(read))
    facts = facts._replace(notes=(*facts.notes, *alike, *notes_on_lacking(lacking)))
    scores = _measured(facts, policies, wanted, rows, inputs, baselines)
    if errors is not None:
        own = "" if errors.clusters is None else f"|cluster:{errors.clusters}"
        scores = replace(scores, with_errors=True, signature=scores.signature + own)
    if measures is not None or gold.standard.scored:
        return scores
    # it is known now what has been read
    return scores.only(parse_measures(table_measures([kind_of_rows(row.kind for row in rows)])))


class _Against(NamedTuple):
    """A gold standard after the policies, what counts runs against it, and the baselines."""

    gold: Collection | OpenGold
    counted: Callable[[Any], Counted]
    baselines: Iterable[Counted]


def _against(
    gold: Collection | OpenGold, policies: Policies, wanted: Iterable[Measure]
) -> _Against:
    if isinstance(gold, OpenGold):
        return _Against(gold, partial(count_responses, gold=gold), ())
    settled = settle_unknown(gold, policies.unknown)
    counter = RowCounter(settled, policies, families_for(wanted))
    return _Against(settled, counter.of, counter.baselines())


def _score_counted(
    inputs: Inputs,
    collection: object,
    runs: SubjectsGiven,
    measures: MeasuresGiven | None,
) -> Scores:
    """Return the scores of tables that an engine joins and counts.

    How many questions have equal decisions says as much as all answers do. Raises `UsageError` if a
    measure needs confidences, a policy needs single answers or questions, or two runs have the same
    name.
    """
    gold = inputs.aggregated_gold(collection)
    chosen = table_measures(["runs"]) if measures is None else measures
    wanted = wanted_measures(chosen)
    families = families_for(wanted)
    check_counted(inputs.policies, families)
    counter = RowCounter(gold.about, inputs.policies, families)
    label = UNKNOWN_CHOICES[inputs.policies.unknown].label
    labels = frequencies_of(gold.compositions)
    settled = frequencies_of(gold.compositions, label)
    facts = counted_summary(gold.about, labels, settled)
    whole = Extent(facts.questions, facts.answers)
    of_runs = [
        counter.of_decisions(run.name, frequencies_of(run.compositions, label))
        for run in inputs.aggregated_runs(runs, gold)
    ]
    rows = [row._replace(extent=None) if row.extent == whole else row for row in of_runs]
    times = Counter(row.name for row in rows)
    if len(times) < len(rows):
        raise UsageError(f"two runs are named {max(times, key=times.__getitem__)!r}")
    made = [_counted_row(row, wanted) for row in rows]
    return _measured(facts, inputs.policies, wanted, made, inputs, counter.baselines_of(settled))


def _with_own_names(subjects: Iterable[Subject], gold: Collection | OpenGold) -> Iterator[Subject]:
    """Yield what is scored, all runs of a system with the same questions.

    Raises `UsageError` for two QA systems, or runs of responses, with the same name, and for
    responses to other questions.
    """
    names: set[str] = set()
    what = "runs are named" if isinstance(gold, OpenGold) else "QA systems have the name"
    for run in subjects:
        if kind_of(run) in (Kind.QA, Kind.RESPONSES):
            if run.name in names:
                raise UsageError(f"two {what} {run.name!r}")
            names.add(run.name)
        if isinstance(gold, OpenGold):
            for one in singles([run]):
                assert isinstance(one, ResponseRun)
                if not gold.questions.keys() >= one.responses.keys():
                    raise UsageError(f"run {one.name!r} was not read against these questions")
        yield with_common(run, gold)


def _sampler(
    gold: Collection | OpenGold, policies: Policies, measures: Sequence[Measure]
) -> IntervalSampler | None:
    """Return what computes the requested intervals and standard errors, if any."""
    if policies.intervals is None:
        return None
    from ave_score.inference.intervals import IntervalSampler  # imports numpy

    return IntervalSampler(gold, policies, measures)


def _measured(
    facts: CollectionSummary,
    policies: Policies,
    measures: Sequence[Measure],
    rows: Sequence[Row],
    inputs: Inputs,
    baselines: Iterable[Counted] = (),
) -> Scores:
    """Return the scores of rows: runs first, then QA systems, then baselines.

    A measure that does not apply to a row has no value in it.
    """
    made = with_entrants([*rows], inputs, facts.standard)
    made += [_counted_row(row, measures) for row in baselines]
    rows = [row for kind in Kind for row in made if row.kind is kind]
    ranks = any(measure.is_ranked for measure in measures)
    line = signature(policies, facts, ranks=ranks) + signed_replicates(row.runs for row in rows)
    return Scores(facts, policies, line, measures, rows)


def _sampled(rows: Sequence[Row], sampler: IntervalSampler, watch: Watch | None) -> list[Row]:
    """Return rows with their standard errors and, if samples are watched, intervals."""
    made = [*starmap(_with_errors, zip(rows, sampler.errors(), strict=True))]
    if watch is None:
        return made
    return [*starmap(_with_intervals, zip(made, sampler.intervals(watch), strict=True))]


def _with_intervals(row: Row, bounds: RunIntervals) -> Row:
    without = {key: why for key, why in bounds.reasons.items() if row.values[key] is not None}
    return row._replace(intervals=bounds.intervals, no_interval=without)


def _with_errors(row: Row, errors: RunErrors) -> Row:
    """Return a row with the standard errors of the measures that have a value in it."""
    stderr, due = ({key: one[key] for key in one if row.values[key] is not None} for one in errors)
    return row._replace(stderr=stderr, due_to_epochs=due)


def _row_of(subject: Subject, count: Callable[[Any], Counted], measures: Sequence[Measure]) -> Row:
    """Return the row of a run, or of a system that has the means of its runs."""
    first, *others = of_runs = [count(run) for run in singles([subject])]
    if not isinstance(subject, Replicated):
        return _counted_row(first, measures)
    counts = {
        family: mean_counts([run.counts[family] for run in of_runs])
        for family in first.counts
        if all(family in run.counts for run in others)
    }
    means = first._replace(name=subject.name, counts=counts, digest=subject.digest)
    return _counted_row(means, measures, mean_values([values_of(run, measures) for run in of_runs]))


def _counted_row(
    counted: Counted, measures: Sequence[Measure], values: MeasureValues | None = None
) -> Row:
    """Return a row of counts, by default with the values that measures have of them."""
    made = (values or values_of(counted, measures))._asdict()
    row = Row(counted.name, counted.kind, counts_for(measures, counted.counts), **made)
    return row._replace(extent=counted.extent, digest=counted.digest, epochs=counted.epochs)


def score_responses(
    gold: OpenGold,
    runs: Iterable[ResponseRun],
    *,
    measures: MeasuresGiven | None = None,
    teams: Mapping[str, str] | None = None,
    intervals: IntervalPolicy | None = None,
    watch: Watch = nullcontext,
) -> Scores:
    """Score responses by answer sets and nuggets: `score` with the intervals as its policies.

    Parameters
    ----------
    gold, runs, measures, teams, watch
        As `score` takes them.
    intervals
        Settings of confidence intervals; None: no intervals.

    Returns
    -------
    Scores
        A row for each run.

    Raises
    ------
    UsageError
        As `score`.
    """
    policies = Policies(intervals=intervals)
    return score(gold, runs, policies=policies, measures=measures, teams=teams, watch=watch)
