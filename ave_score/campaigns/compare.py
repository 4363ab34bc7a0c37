"""Compare the runs of one language, or say why they are not compared."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from ave_score.core.errors import UsageError
from ave_score.core.model import Collection, QARun, Run
from ave_score.core.policies import Policies
from ave_score.core.text import counted
from ave_score.counts import TABLES
from ave_score.counts.counted import Counted
from ave_score.measures import Measure

if TYPE_CHECKING:
    from ave_score.tasks.compare import Compared

Subjects = Sequence[tuple[Run | QARun, Counted]]
"""The runs and QA systems of a language, each with its counts."""

_NAMED = 10
"""Runs that a note names."""


def compared_runs(
    collection: Collection,
    found: Subjects,
    measures: Sequence[Measure] | None,
    policies: Policies,
    groups: Mapping[str, str],
    jobs: int = 1,
) -> tuple[Compared | None, list[str]]:
    """Compare runs and QA systems as `ave-score compare` does.

    Parameters
    ----------
    collection
        What the runs were read against, UNKNOWN labels as they are.
    found
        The runs and QA systems, with the counts of the measures.
    measures
        None for those that `compare` takes by default.
    policies, groups
        As for the scores.
    jobs
        The number of processes.

    Returns
    -------
    tuple of Compared or None, and list of str
        The comparison; sentences on what is not compared, and why. Nothing is said of no runs.
    """
    if not found:
        return None, []
    kept, notes = _of_measures(found, measures or ())
    if len(kept) < 2:
        notes.append(f"Not compared: {counted(len(kept), 'run')}, and a comparison needs two.")
        return None, notes
    from ave_score.inference.compare_records import Design
    from ave_score.tasks.compare import compare  # imports numpy

    design = Design(policies=policies)
    try:
        compared = compare(
            collection, kept, measures=measures, groups=groups, design=design, jobs=jobs
        )
    except UsageError as reason:
        return None, [*notes, f"Not compared: {reason}."]
    return compared, notes


def leading(measures: Sequence[Measure]) -> list[Measure]:
    """Return the first measure of each table, by which its best run is chosen."""
    tables = ([one for one in measures if one.family in each] for each in TABLES.values())
    return [of_table[0] for of_table in tables if of_table]


def leading_of_all(found: Subjects, measures: Sequence[Measure]) -> list[Measure] | None:
    """Return the first measures of tables that apply to everything found; None if none does."""
    counted_by_all = [
        one for one in leading(measures) if all(one.family in row.counts for _, row in found)
    ]
    return counted_by_all or None


def _of_measures(
    found: Subjects, measures: Sequence[Measure]
) -> tuple[list[Run | QARun], list[str]]:
    """Return those that all measures apply to, and a sentence on the others for each reason."""
    kept: list[Run | QARun] = []
    without: dict[str, list[str]] = {}
    for subject, row in found:
        lacking = [measure for measure in measures if measure.family not in row.counts]
        if lacking:
            reason = row.absent.get(lacking[0].family, "it does not apply")
            without.setdefault(f"{lacking[0].key}: {reason}", []).append(row.name)
        else:
            kept.append(subject)
    notes = []
    for reason, names in without.items():
        more = [f"{len(names) - _NAMED:,} more"] * (len(names) > _NAMED)
        notes.append(f"Without {', '.join([*names[:_NAMED], *more])}: no {reason}.")
    return kept, notes
