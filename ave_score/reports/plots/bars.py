"""The bars of rows of scores: figures A.1-A.5 of the thesis (Rodrigo, PhD thesis, UNED 2010)."""

from __future__ import annotations

from math import isnan

from ave_score.counts import ANSWERING, SELECTION, SelectionCounts
from ave_score.counts.counted import NO_CANDIDATES, Kind
from ave_score.measures.registry import BARS
from ave_score.measures.selection import qa_accuracy, qa_rej_accuracy
from ave_score.reports.plots.data import Bar, Bars, LeftOut
from ave_score.scoring import NOT_OF_KIND, Row, Scores

INTERVAL_OF = BARS[0]
"""The measure whose intervals are whiskers."""

_NO_QUESTIONS = "there is no question"


def bars(scores: Scores) -> Bars:
    """Return a bar for each run and QA system, by falling qa_accuracy, then runs first, by name.

    A row has an interval where `scores` have one of qa_accuracy. Rows of which no selection was
    counted are left out.
    """
    shown: list[Bar] = []
    left_out: list[LeftOut] = []
    baselines: dict[str, Bar] = {}
    for row in scores.rows:
        found = _bar(row)
        if row.kind is Kind.BASELINE:
            if isinstance(found, Bar):
                baselines[row.run] = found
        elif isinstance(found, Bar):
            shown.append(found)
        else:
            left_out.append(found)
    shown.sort(key=lambda bar: (-bar.accuracy, bar.is_system, bar.run))
    perfect, random = baselines.get("Perfect selection"), baselines.get("Random")
    policy = scores.policies.intervals
    has_intervals = any(bar.interval for bar in shown)
    return Bars(
        shown,
        None if perfect is None else perfect.accuracy,
        None if random is None else random.accuracy,
        policy.level if policy and has_intervals else None,
        left_out,
    )


def _bar(row: Row) -> Bar | LeftOut:
    counts = row.counts.get(SELECTION)
    if not isinstance(counts, SelectionCounts):
        reason = NO_CANDIDATES if ANSWERING in row.counts else NOT_OF_KIND
        return LeftOut(row.run, reason)
    accuracy, potential = qa_accuracy(counts), qa_rej_accuracy(counts)
    if accuracy is None or potential is None:
        return LeftOut(row.run, _NO_QUESTIONS)
    ends = row.intervals.get(INTERVAL_OF)
    interval = None if ends is None or isnan(ends[0]) else (ends[0], ends[1])
    return Bar(row.run, row.kind is Kind.QA, accuracy, potential, interval)
