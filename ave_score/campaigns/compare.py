"""Compare the runs of one language, or say why they are not compared."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ave_score.campaigns.file_reports import said_of
from ave_score.core.errors import UsageError
from ave_score.core.text import brief, quantity
from ave_score.measures import Measure
from ave_score.tasks.inputs import Inputs
from ave_score.tasks.ranked import leading_tested, with_tests
from ave_score.tasks.score import score
from ave_score.tasks.scores import Row, Scores, rows_in
from ave_score.tasks.subjects import kind_of

if TYPE_CHECKING:
    from ave_score.inference.units import Gold, Subject
    from ave_score.tasks.compared import Compared

_NAMED = 10
"""Runs that a note names."""


def compared_runs(
    collection: Gold,
    subjects: Sequence[Subject],
    scores: Scores,
    measures: Sequence[Measure] | None,
) -> tuple[Compared | None, list[str]]:
    """Compare runs and QA systems as `ave-score compare` does.

    Parameters
    ----------
    collection
        What the runs were read against, UNKNOWN labels as they are.
    subjects
        The runs and QA systems.
    scores
        Their scores, whose rows the comparison has: those that are not ranked are not compared.
    measures
        None for the first measure of each table that applies to all, or else those that `compare`
        takes by default; nothing is compared by none.

    Returns
    -------
    tuple of Compared or None, and list of str
        The comparison; sentences on what is not compared, and why. Nothing is said of no runs.
    """
    of_ranked = {(row.kind, row.run) for row in scores.rows if row.is_ranked}
    ranked = [subject for subject in subjects if (kind_of(subject), subject.name) in of_ranked]
    if not ranked or measures == []:
        return None, []
    policies, entrants = scores.policies, scores
    if measures is not None:  # those of the tables may be others
        scores = score(collection, ranked, policies=policies, measures=measures)
    rows = {(row.kind, row.run): row for row in scores.rows}
    scored = [(subject, rows[kind_of(subject), subject.name]) for subject in ranked]
    if measures is None:
        wanted, untested = leading_tested(scores.measures, [row for _, row in scored])
    else:
        wanted, untested = with_tests(measures)
    if untested and not wanted:
        return None, untested
    runs, notes = _of_measures(scored, wanted)
    notes = [*untested, *notes]
    if len(runs) < 2:
        notes.append(f"Not compared: {quantity(len(runs), 'run')}, and a comparison needs two.")
        return None, notes
    from ave_score.inference.compare_records import Design
    from ave_score.tasks.compare import compare_read  # imports numpy

    given = [*Inputs(policies).subjects(collection, (), runs)]
    named = rows_in(entrants, given)
    try:
        compared = compare_read(collection, given, named, wanted or None, Design(policies=policies))
    except UsageError as reason:
        return None, [*notes, f"Not compared: {said_of(reason)}."]
    return compared.ranked_with(entrants.rows), notes


def _of_measures(
    scored: Sequence[tuple[Subject, Row]], measures: Sequence[Measure]
) -> tuple[list[Subject], list[str]]:
    """Return those that all measures apply to, and a sentence on the others for each reason."""
    runs: list[Subject] = []
    without: dict[str, list[str]] = {}
    for subject, row in scored:
        lacking = [
            measure.key for measure in measures if not row.counts.keys() >= {*measure.families}
        ]
        if lacking:
            reason = f"{lacking[0]}: {row.reasons[lacking[0]]}"
            without.setdefault(reason, []).append(row.run)
        else:
            runs.append(subject)
    notes = [f"Without {brief(names, _NAMED)}: no {reason}." for reason, names in without.items()]
    return runs, notes
