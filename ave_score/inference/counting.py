"""Counts of runs and systems, question by question or answer by answer."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from ave_score.core.model import Collection, Run
from ave_score.counts import Counts, Family
from ave_score.counts.base import counts_of
from ave_score.counts.decisions import CELLS, cells_of, decisions_of, decisions_of_cells
from ave_score.counts.judged import JudgedSystem, SystemOutcome, shares
from ave_score.inference.by_question import (
    REDUCED,
    ByQuestion,
    CountRows,
    Integers,
    as_float,
    distinct,
)
from ave_score.measures import Measure


def count_by_question(run: Run, collection: Collection, families: Iterable[Family]) -> ByQuestion:
    """Count a run question by question; the rows of a family add up to the counts of the run.

    Families of other counts than those of decisions are left out.
    """
    decisions, index = distinct(decisions_of(run, collection))
    columns = {
        family: _rows(index, (counts_of(family.of_decisions, unit) for unit in decisions))
        for family in sorted(set(families), key=str)
        if family.of_decisions
    }
    return ByQuestion(run.name, columns, ids=collection.index.questions)


def _rows(index: Integers, counts: Iterable[Counts]) -> CountRows:
    """Return the rows of questions, from the counts of some and the number of each among them."""
    rows = CountRows.of(np.array([row_of(record) for record in counts]))
    return CountRows(rows.distinct, rows.index[index])


def row_of(counts: Counts) -> tuple[float, ...]:
    """Return the fields of counts as a row of floats."""
    return tuple(float(value) for value in vars(counts).values())


def count_by_answer(run: Run, collection: Collection, family: Family) -> CountRows:
    """Count a run answer by answer: each answer counts as a question."""
    assert family.of_decisions
    alone = map(decisions_of_cells, map(bytes, zip(range(CELLS), strict=True)))
    rows = np.array([row_of(family.of_decisions(decisions)) for decisions in alone])
    return CountRows(rows, np.frombuffer(cells_of(run, collection), dtype=np.uint8))


def rows_of_values(measure: Measure, counts: Iterable[Counts | None]) -> CountRows:
    """Return the value of a measure for each unit and 1; 0 and 0 where it is undefined.

    Equal counts that share one object are measured once; None has no value.
    """
    measured: dict[int, tuple[float, float]] = {}
    rows = []
    for record in counts:
        if id(record) not in measured:
            value = np.nan if record is None else as_float(measure, record)
            measured[id(record)] = (0.0, 0.0) if np.isnan(value) else (value, 1.0)
        rows.append(measured[id(record)])
    return CountRows.of(np.array(rows))


def count_system(system: JudgedSystem, families: Iterable[Family]) -> ByQuestion:
    """Count a QA system question by question, for families that support it."""
    standard = system.collection.standard
    wanted = [
        family
        for family in sorted(set(families), key=str)
        if family.of_outcome and (standard.has_candidates or not family.needs_candidates)
    ]
    ids, name = system.collection.index.questions, system.system.name
    counted = ByQuestion(name, _of_outcomes(system.outcomes, wanted), ids=ids)
    if system.epochs.most == 1:
        return counted
    each = [(one,) for replicates in system.outcomes for one in replicates]
    of_each = [q_id for q_id, outcome in zip(ids, system.outcomes, strict=True) for _ in outcome]
    unit = REDUCED if system.system.is_reduced else "epoch"
    epochs = ByQuestion(name, _of_outcomes(each, wanted), ids=of_each, unit=unit)
    return counted._replace(epochs=epochs)


def _of_outcomes(
    units: Iterable[tuple[SystemOutcome, ...]], families: Iterable[Family]
) -> dict[Family, CountRows]:
    outcomes, index = distinct(units)
    of_each = [shares([replicates]) for replicates in outcomes]
    return {
        family: _rows(index, (family.added(family.of_outcome, unit) for unit in of_each))
        for family in families
        if family.of_outcome
    }
