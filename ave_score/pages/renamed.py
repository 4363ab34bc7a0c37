"""Scores and comparisons in which runs have other names: for teams, and for everybody."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import replace

from ave_score.counts.counted import Kind
from ave_score.inference.compare_records import Comparison, Pair
from ave_score.inference.paired import Score
from ave_score.inference.resampling import Interval
from ave_score.tasks.broken_down import Breakdown, BrokenDown
from ave_score.tasks.compared import Compared
from ave_score.tasks.scores import OF_FIGURES, Remark, Row, Scores

ANOTHER = {kind: "another run" for kind in Kind if kind.is_run} | {Kind.QA: "another system"}
"""The name of a run of another team on a team's page, without its number."""

_NOT_RANKED = Remark(
    "not ranked", "beyond the limits of runs, or set apart by the organisers", is_apart=True
)


def key_of(row: Row) -> tuple[Kind, str]:
    """Return what tells rows apart: a system may be named like a run."""
    return row.kind, row.run


def renamed_scores(
    scores: Scores, names: Mapping[tuple[Kind, str], str], kept: Container[tuple[Kind, str]]
) -> Scores:
    """Return scores with other names, the rows in the order of the names.

    What is said of a row, and its team, stays if it is in `kept`: a name does not tell, since a
    team may name its run like the others on a page.
    """
    order, rows = [*names], []
    seen = {row.run for row in scores.rows if key_of(row) in kept}
    for row in sorted(scores.rows, key=lambda row: _position(row, order)):
        remark = row.remark
        if key_of(row) not in kept:  # when others submitted is nobody's business
            hidden = _NOT_RANKED if row.is_apart else None
            seen_by_all = {name: getattr(row, name) for name in OF_FIGURES}
            rows.append(Row(run=names[key_of(row)], remark=hidden, **seen_by_all))
            continue
        if remark is not None and remark.same_as and remark.same_as not in seen:
            remark = _same_as_another(row, remark)
        rows.append(row._replace(run=names.get(key_of(row), row.run), remark=remark))
    return replace(scores, rows=rows)


def _same_as_another(row: Row, remark: Remark) -> Remark | None:
    """Return what may be said of a run that is the same as one of others: not as which.

    That a run of others is the same as one of the organiser is nobody's business.
    """
    if not row.kind.is_submitted:
        return None
    mark = remark.mark.replace(f"same as {remark.same_as}", f"same as {ANOTHER[row.kind]}")
    return remark._replace(mark=mark, same_as="")


def _position(row: Row, order: Sequence[tuple[Kind, str]]) -> int:
    return len(order) if not row.kind.is_submitted else order.index((row.kind, row.run))


def renamed(compared: Compared, names: Mapping[str, str], scores: Scores) -> Compared:
    """Return a comparison with other names; its rows are those of the scores of these names."""
    comparisons = [renamed_comparison(comparison, names) for comparison in compared.comparisons]
    rows = [row._replace(run=names[row.run]) for row in compared.rows]
    made = replace(compared, comparisons=comparisons, rows=rows, apart=())
    return with_rows(replace(made, gold=None, subjects=()), scores)


def with_rows(compared: Compared, scores: Scores) -> Compared:
    """Return a comparison that has the rows of scores: nothing else is said of its runs."""
    rows = {key_of(row): row for row in scores.rows}
    return replace(compared, rows=[rows[key_of(row)] for row in compared.rows])


def renamed_comparison(comparison: Comparison, names: Mapping[str, str]) -> Comparison:
    """Return a comparison with other names; equal runs are in the order of the names."""
    order = {name: number for number, name in enumerate(names.values())}
    measure, design = comparison.measure, comparison.design
    standings = sorted(
        (standing._replace(run=names[standing.run]) for standing in comparison.standings),
        key=lambda standing: (measure.sort_key(standing.value), order[standing.run]),
    )
    rank = {standing.run: number for number, standing in enumerate(standings)}
    pairs = [
        pair._replace(run=names[pair.run], other=names[pair.other]) for pair in comparison.pairs
    ]
    if design.against is None:
        pairs = [_ordered(pair, rank) for pair in pairs]
    groups = [[names[run] for run in group] for group in comparison.groups]
    return comparison._replace(
        design=design._replace(against=design.against and names[design.against]),
        standings=standings,
        pairs=sorted(pairs, key=lambda pair: (rank[pair.run], rank[pair.other])),
        groups=[sorted(group, key=rank.__getitem__) for group in groups],
        other_ties={names[run]: value for run, value in comparison.other_ties.items()},
    )


def _ordered(pair: Pair, rank: Mapping[str, int]) -> Pair:
    """Return a pair in which the first of equal runs is the one listed first."""
    run, other = pair.run, pair.other
    if pair.difference != 0 or rank[run] < rank[other]:
        return pair
    low, high = pair.interval
    score = pair.score and Score(pair.score.losses, pair.score.ties, pair.score.wins)
    effect = None if pair.effect is None else 0.0 - pair.effect
    turned = Interval(0.0 - high, 0.0 - low)
    contributing = pair.contributing and pair.contributing[::-1]
    named = pair._replace(run=other, other=run, contributing=contributing)
    return named._replace(interval=turned, score=score, effect=effect)


def renamed_breakdown(breakdown: Breakdown, names: Mapping[tuple[Kind, str], str]) -> Breakdown:
    """Return groups of questions with other names of runs, in the order of the names."""
    order = {key: number for number, key in enumerate(names)}

    def place(run: BrokenDown) -> tuple[bool, int]:
        return not run.kind.is_submitted, order[run.kind, run.run]

    ordered = sorted(breakdown.runs, key=place)
    runs = [run._replace(run=names[run.kind, run.run]) for run in ordered]
    return replace(breakdown, runs=runs, not_scored=(), notes=())
