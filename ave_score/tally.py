"""Everything that is counted of a run, of a question-answering system, and of the baselines."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import StrEnum
from fractions import Fraction
from typing import NamedTuple

from ave_score import baselines
from ave_score.counting.joined import cells, count_all_selections, count_questions, count_validation
from ave_score.counting.judged import count_judged
from ave_score.counts import AnsweringCounts, Counts, Family, SelectionCounts
from ave_score.labels import Meaning
from ave_score.model import Collection, JudgedRun, Run


class Kind(StrEnum):
    """Whose row it is: an answer-validation run's, a QA system's, or a baseline's."""

    AV = "AV"
    QA = "QA"
    BASELINE = "baseline"


class Counted(NamedTuple):
    """A row before any measure: what was counted of a run, a system or a baseline."""

    name: str
    kind: Kind
    counts: Mapping[Family, Counts]


def run_counts(run: Run, collection: Collection, by_question: bool) -> dict[Family, Counts]:
    """Return everything that is counted of a run: without questions, nothing of selections.

    `by_question` asks for the sums behind averages over questions, which take longer.
    """
    run_cells = cells(run, collection)
    counts: dict[Family, Counts] = {Family.VALIDATION: count_validation(run_cells)}
    if not collection.roster.is_pairs:
        counts |= _selection(count_all_selections(run_cells, collection))
    if by_question:
        counts[Family.QUESTIONS] = count_questions(run_cells, collection)
    return counts


def _selection(selections: SelectionCounts) -> dict[Family, Counts]:
    """Return counts of selections, and what they are worth as answers."""
    return {Family.SELECTION: selections, Family.ANSWERING: AnsweringCounts.of(selections)}


def system_counts(
    system: JudgedRun, collection: Collection, table: dict[str, Meaning]
) -> dict[Family, Counts]:
    """Return everything that is counted of a QA system; `table` says what its judgements mean.

    Where no candidate answers are known (a judged file alone) there is nothing to select from.
    """
    selections, answers = count_judged(system, collection, table)
    if not len(collection.roster):
        return {Family.ANSWERING: answers}
    return {Family.SELECTION: selections, Family.ANSWERING: answers}


def baseline_counts(collection: Collection, by_question: bool) -> Iterator[Counted]:
    """Yield the baselines that apply to a collection, by name."""
    if not len(collection.roster):
        return
    for percent in (100, 50, 0):
        share = Fraction(percent, 100)
        counts: dict[Family, Counts] = {
            Family.VALIDATION: baselines.validate_share(collection, share)
        }
        if by_question:
            counts[Family.QUESTIONS] = baselines.validate_share_by_question(collection, share)
        yield Counted(f"{percent}% VALIDATED", Kind.BASELINE, counts)
    if not collection.roster.is_pairs:
        for name, select in (
            ("Perfect selection", baselines.select_perfectly),
            ("Random", baselines.select_at_random),
        ):
            yield Counted(name, Kind.BASELINE, _selection(select(collection)))
