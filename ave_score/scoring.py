"""From a collection and runs to scores: the rows of every table, exact and unrounded."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from fractions import Fraction
from math import nan
from typing import TYPE_CHECKING, NamedTuple

from ave_score import baselines
from ave_score.checks.run import check_missing_policy
from ave_score.counting import (
    cells,
    count_all_selections,
    count_judged,
    count_questions,
    count_validation,
)
from ave_score.counts import Counts, Family
from ave_score.errors import UsageError
from ave_score.facts import CollectionFacts, collection_facts
from ave_score.labels import settle_unknown, settled_table
from ave_score.measures import Measure, parse_measures
from ave_score.model import Collection, JudgedRun, Run
from ave_score.signature import Policies, signature

if TYPE_CHECKING:
    import pandas as pd

ALL_MEASURES = "all"
"""The name of every measure, as `score` takes it."""


class Kind(StrEnum):
    """Whose row it is: an answer-validation run's, a QA system's, or a baseline's."""

    AV = "AV"
    QA = "QA"
    BASELINE = "baseline"


class Row(NamedTuple):
    """What was counted and computed for one run, system or baseline.

    `counts` holds only the families that apply; `values` every measure asked for, None where it is
    undefined or does not apply.
    """

    run: str
    kind: Kind
    counts: Mapping[Family, Counts]
    values: Mapping[str, Fraction | None]
    group: str | None = None


class Scores(NamedTuple):
    """Everything that was computed against one collection.

    Attributes
    ----------
    collection
        What was scored against, in numbers.
    policies, signature
        How it was done.
    measures
        The measures of every row, in the order asked for.
    rows
        Runs, then QA systems, then baselines.
    left_out
        Files that were to be scored and could not be.
    """

    collection: CollectionFacts
    policies: Policies
    signature: str
    measures: Sequence[Measure]
    rows: Sequence[Row]
    left_out: Sequence[str] = ()

    def to_frame(self) -> pd.DataFrame:
        """Return a pandas frame: a row each, indexed by run; kind, group and a column a measure.

        Values are floats, unrounded; NaN where undefined or not applicable.
        """
        import pandas as pd  # heavy, and needed by nothing else

        index = pd.Index([row.run for row in self.rows], name="run")
        columns: dict[str, Sequence[str | float | None]] = {
            "kind": [str(row.kind) for row in self.rows],
            "group": [row.group for row in self.rows],
        }
        for measure in self.measures:
            values = [row.values[measure.key] for row in self.rows]
            columns[measure.key] = [nan if value is None else float(value) for value in values]
        return pd.DataFrame(columns, index=index)


def score(
    collection: Collection,
    runs: Iterable[Run],
    qa: Iterable[JudgedRun] = (),
    *,
    policies: Policies | None = None,
    measures: str | Sequence[str | Measure] = ALL_MEASURES,
    groups: Mapping[str, str] | None = None,
) -> Scores:
    """Score runs, and QA systems, against a collection.

    Parameters
    ----------
    collection
        A labelled collection.
    runs
        Runs that were read against this collection. They are taken one at a time, so a generator
        may read them one by one.
    qa
        Judged QA systems, at most one answer a question.
    policies
        How to count; `Policies()` where not given.
    measures
        A text that names some, `"f1, f_beta(2), selection"`, or a list of names or measures.
    groups
        Run or system -> the group that submitted it.

    Returns
    -------
    Scores
        With a row each, and the baselines.

    Raises
    ------
    UsageError
        A measure or policy does not exist; a run was read against another collection, or a system
        under another campaign.
    """
    policies = policies or Policies()
    wanted = _wanted(measures)
    check_missing_policy(policies.missing)
    settled = settle_unknown(collection, policies.unknown)
    table = settled_table(policies.campaign, policies.unknown)
    groups = groups or {}

    def row(run: str, kind: Kind, counts: Mapping[Family, Counts]) -> Row:
        values = {
            measure.key: measure(counts[measure.family]) if measure.family in counts else None
            for measure in wanted
        }
        return Row(run, kind, counts, values, None if kind is Kind.BASELINE else groups.get(run))

    by_question = any(measure.family is Family.QUESTIONS for measure in wanted)
    rows = []
    for run in runs:
        if run.missing != "error":  # the signature says what was done, not what was asked for
            policies = policies._replace(missing=run.missing)
        rows.append(row(run.name, Kind.AV, _counts(run, settled, by_question)))
    for system in qa:
        if system.campaign != policies.campaign:
            raise UsageError(
                f"system {system.name!r} was read under campaign {system.campaign}, "
                f"not {policies.campaign}"
            )
        counts = {Family.SELECTION: count_judged(system, settled, table)}
        rows.append(row(system.name, Kind.QA, counts))
    rows += [row(name, Kind.BASELINE, counts) for name, counts in _baselines(settled, by_question)]
    facts = collection_facts(collection, settled)
    return Scores(facts, policies, signature(policies, facts), wanted, rows)


def _wanted(measures: str | Sequence[str | Measure]) -> Sequence[Measure]:
    if isinstance(measures, str):
        return parse_measures(measures)
    found: list[Measure] = []
    for one in measures:
        found += parse_measures(one) if isinstance(one, str) else [one]
    return found


def _counts(run: Run, collection: Collection, by_question: bool) -> dict[Family, Counts]:
    run_cells = cells(run, collection)
    counts: dict[Family, Counts] = {
        Family.VALIDATION: count_validation(run_cells),
        Family.SELECTION: count_all_selections(run_cells, collection),
    }
    if by_question:
        counts[Family.QUESTIONS] = count_questions(run_cells, collection)
    return counts


def _baselines(
    collection: Collection, by_question: bool
) -> Iterable[tuple[str, dict[Family, Counts]]]:
    for percent in (100, 50, 0):
        share = Fraction(percent, 100)
        counts: dict[Family, Counts] = {
            Family.VALIDATION: baselines.validate_share(collection, share)
        }
        if by_question:
            counts[Family.QUESTIONS] = baselines.validate_share_by_question(collection, share)
        yield f"{percent}% VALIDATED", counts
    yield "Perfect selection", {Family.SELECTION: baselines.select_perfectly(collection)}
    yield "Random", {Family.SELECTION: baselines.select_at_random(collection)}
