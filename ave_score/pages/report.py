"""Pages about runs: score and compare them, and put it on a page."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import replace
from typing import NamedTuple, Unpack

from ave_score.core.entrants import Entrants, takes
from ave_score.core.errors import UsageError, check_type
from ave_score.core.model import ClustersGiven
from ave_score.core.policies import IntervalPolicy, Policies
from ave_score.inference.by_question import Floats
from ave_score.inference.compare_records import Design
from ave_score.inference.resampling import Replicates, Resampling
from ave_score.inference.samples import Watch
from ave_score.inference.units import Gold, Subject
from ave_score.pages.audience import ORGANISERS, Audience, check_team
from ave_score.pages.content import Page, page_of
from ave_score.pages.results import Results
from ave_score.tasks.breakdown import break_down_read
from ave_score.tasks.compare import compare_read, known_from
from ave_score.tasks.compared import Compared
from ave_score.tasks.given import GoldGiven, RunsGiven, SubjectsGiven
from ave_score.tasks.inputs import Inputs
from ave_score.tasks.ranked import leading_tested, to_compare
from ave_score.tasks.replicates import replicated
from ave_score.tasks.score import score_read
from ave_score.tasks.scores import Scores, rows_in
from ave_score.tasks.subjects import (
    MeasuresGiven,
    kind_of,
    kinds_of,
    refuse_systems,
    table_measures,
    tested,
)


class Wanted(NamedTuple):
    """What is computed for a page.

    Attributes
    ----------
    policies
        How to count, and the intervals.
    measures
        The measures of the tables; None: those of the tables of `ave-score score`.
    entrants
        Which runs take part, and as what, as `score` takes it; the runs of systems are together.
    by
        The group of each question or pair, whose scores are shown, too.
    compared
        The measures that runs are compared by; None: the first of each table if `measures` are
        named, or else those of `ave-score compare`.
    design
        How runs are compared; None: at the level and with the samples of the intervals.
    """

    policies: Policies = Policies(intervals=IntervalPolicy())
    measures: MeasuresGiven | None = None
    entrants: Entrants = {}  # noqa: RUF012 - it is not changed
    by: ClustersGiven | None = None
    compared: MeasuresGiven | None = None
    design: Design | None = None


@takes(Entrants)
def report(  # noqa: PLR0913 - one for each question, all optional
    collection: GoldGiven,
    runs: SubjectsGiven = (),
    qa: RunsGiven = (),
    *,
    policies: Policies | None = None,
    measures: MeasuresGiven | None = None,
    by: ClustersGiven | None = None,
    compared: MeasuresGiven | None = None,
    design: Design | None = None,
    audience: Audience = ORGANISERS,
    title: str | None = None,
    **entrants: Unpack[Entrants],
) -> Page:
    """Return a page about runs, QA systems or responses that people share.

    Parameters
    ----------
    collection, runs, qa, teams, reference, primary, replicates
        As `score` takes them.
    max_per_topic, documents
        What TREC runs may have, as `score` takes it.
    columns, values
        What columns and words of tables mean, as `read_collection` takes them.
    policies
        How to count, and the intervals; by default 95 % intervals.
    measures
        The measures of the tables, as `score` takes them; by default those of tables.
    by
        Groups of questions whose scores are shown, too, as `break_down` takes them.
    compared, design
        The measures that runs are compared by, and how, as `compare` takes them; by default the
        first measure of each table, at the level and with the samples of the intervals.
    audience
        Who reads the page, and what they may see; by default the organisers, who see everything.
    title
        Its title; by default the file name of the collection.

    Returns
    -------
    Page
        The page: notebooks show it, `save` writes it, `to_html` returns its text.

    Raises
    ------
    UsageError
        An argument has a wrong type; a measure, policy or team does not exist; the runs cannot be
        compared as asked.
    DefectError, InputError
        A file has errors, or cannot be read.
    """
    check_type(audience, Audience)
    if design is not None:
        check_type(design, Design)
    inputs = Inputs(policies or Wanted().policies, entrants=entrants)
    of_runs = inputs.teams()
    check_team(audience, of_runs)
    gold, systems = inputs.gold(collection, qa=qa, with_texts=audience.sees_gold)
    refuse_systems(gold, qa, "scored")
    if design is not None and design.clusters is not None:
        design = design._replace(clusters=inputs.clusters(design.clusters, gold))
    read = inputs.subjects(gold, systems, runs, qa)
    subjects = [*replicated(read, inputs.replicates())]
    known: Entrants = {**entrants, "teams": of_runs}
    wanted = Wanted(inputs.policies, measures, known, by, compared, design)
    return page_of(results_of(gold, subjects, wanted), audience, title=title)


def results_of(
    gold: Gold,
    subjects: Sequence[Subject],
    wanted: Wanted,
    watch: Watch = nullcontext,
) -> Results:
    """Score and compare runs, QA systems or responses.

    Parameters
    ----------
    gold, subjects
        The collection or answer sets, and what was read against it.
    wanted
        What is computed.
    watch
        As `compare` takes it.

    Returns
    -------
    Results
        Everything that a page for organisers shows.

    Raises
    ------
    UsageError
        A measure does not exist, or the runs cannot be compared as asked.
    """
    policies, measures = wanted.policies, wanted.measures
    if measures is None:
        measures = table_measures(kinds_of(subjects, gold))
    inputs = Inputs(policies, entrants=wanted.entrants)
    samples: dict[tuple[str, str], Floats] = {}
    decided = [*inputs.subjects(gold, (), subjects)]
    scores = score_read(inputs, gold, decided, measures, watch, samples)
    breakdowns = []
    if wanted.by is not None:
        by = inputs, gold, decided, wanted.by
        breakdowns = [break_down_read(*by, scores.measures, rows_in(scores, decided))]
    against = wanted.design and wanted.design.against
    ranked = to_compare(subjects, scores.rows, against)
    compared, why_not = _compared(gold, ranked, scores, samples, wanted, watch)
    return Results(scores, gold, decided, compared, why_not, breakdowns)


def _compared(
    gold: Gold,
    subjects: Sequence[Subject],
    scores: Scores,
    samples: Replicates,
    wanted: Wanted,
    watch: Watch,
) -> tuple[Compared | None, str]:
    """Return the comparison of the runs, or why there is none.

    QA systems beside two or more runs are not compared, unless all are compared with one of them.
    """
    runs = [subject for subject in subjects if kind_of(subject).is_run]
    names = [run.name for run in runs]
    is_asked = wanted.compared is not None or wanted.design is not None
    against = wanted.design and wanted.design.against
    chosen = runs if len(runs) > 1 and against in (None, *names) else subjects
    if len(chosen) < 2:
        if is_asked:
            raise UsageError("a comparison needs at least two runs")
        return None, "A single run is not compared."
    design, measures = wanted.design or default_design(wanted.policies), wanted.compared
    notes: list[str] = []
    if measures is None and wanted.measures is not None:
        rows = [row for row in scores.rows if row.run in {subject.name for subject in chosen}]
        leaders, notes = leading_tested(scores.measures, rows)
        if notes and not leaders:
            if is_asked:
                raise UsageError(" ".join(notes).removesuffix("."))
            return None, " ".join(notes)
        measures = tested(leaders, are_means=design.procedure.of_values) or None
    try:
        design.check()
        given = [*Inputs(design.policies).subjects(gold, (), chosen)]
        rows = rows_in(scores, given)
        asked = measures, design
        known = known_from(scores, samples, design)
        compared = compare_read(gold, given, rows, *asked, known=known, watch=watch)
    except UsageError as error:
        if is_asked:
            raise
        return None, f"The runs are not compared: {error.for_commands}."
    compared = compared.ranked_with(scores.rows)
    return replace(compared, notes=[*compared.notes, *notes]), ""


def default_design(policies: Policies) -> Design:
    """Return the comparison at the level, with the samples and the clusters of the intervals."""
    intervals = policies.intervals or IntervalPolicy()
    resampling = Resampling(intervals.resamples, intervals.seed)
    counting = policies._replace(intervals=None)
    return Design(None, resampling, intervals.level, policies=counting, clusters=intervals.clusters)
