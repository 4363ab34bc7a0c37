"""Rankings of answers by confidence, and exact sums over their ranks."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable
from fractions import Fraction
from typing import NamedTuple

from ave_score.core.choices import TIES_CHOICES
from ave_score.core.exact import EXACT_TERMS, Spans, sum_of_spans, sums_by
from ave_score.counts import ConfidenceCounts, SelfScoreCounts
from ave_score.measures.by_confidence import (
    Column,
    Scaled,
    dot,
    judged,
    remembered,
    returned,
    sum_of,
)

_INEXACT = 1e-3
"""Wrong answers: floats of their numbers are at least so exact."""


class Ranked(NamedTuple):
    """Ties, from the highest confidence to the lowest: numbers of answers and correct ones."""

    sizes: Column
    rights: Column


def ranked(answers: Scaled, *, is_mean: bool) -> Ranked:
    """Rank answers; unless the mean over the orders of ties is taken, each is its own group."""
    import numpy as np

    values, rights, _ = answers
    below = values.max(initial=0) - values
    if is_mean:
        sizes, correct = sums_by(below, np.ones_like(rights)), sums_by(below, rights)
        levels = sorted(sizes)
        columns = ([*map(by_level.__getitem__, levels)] for by_level in (sizes, correct))
        return Ranked(*(np.array(column, np.int64) for column in columns))
    small = below.astype(np.uint16) if below.max(initial=0) < 2**16 else below  # sorted by digits
    return Ranked(np.ones_like(rights), rights[np.argsort(small, kind="stable")])


@remembered
def ranked_judged(counts: ConfidenceCounts) -> Ranked:
    """Return the ranking of the judged answers."""
    return ranked(judged(counts), is_mean=TIES_CHOICES[counts.ties].is_mean)


@remembered
def ranked_thresholds(counts: ConfidenceCounts) -> Ranked:
    """Return the ranking of the judged answers in which those of equal confidence are a tie."""
    is_mean = TIES_CHOICES[counts.ties].is_mean
    return ranked_judged(counts) if is_mean else ranked(judged(counts), is_mean=True)


@remembered
def ranked_returned(counts: SelfScoreCounts) -> Ranked:
    """Return the ranking of the returned answers."""
    return ranked(returned(counts), is_mean=TIES_CHOICES[counts.ties].is_mean)


def twice_correct_above_wrong(groups: Ranked) -> int:
    """Return the pairs of a correct answer and a wrong one behind it, twice; ties count once."""
    sizes, rights = groups
    return dot(sizes - rights, 2 * rights.cumsum() - rights)


def precisions(groups: Ranked) -> Spans:
    """Return C(i)/i for each rank; inside a tie, its mean over all orders.

    If r answers precede a tie of s, C of them correct, and R of it are, the sum over its ranks is
    R + (C - r·R/s)·(H(r + s) - H(r)), where H(n) is the n-th harmonic number.
    """

    def span(size: Column, right: Column, before: Column, above: Column) -> tuple[Column, ...]:
        return right * size, above * size - before * right, size, before, before + size

    return _spans(groups, span)


def precisions_of_right(groups: Ranked) -> Spans:
    """Return y·C(i)/i for each rank; inside a tie, its mean over all orders.

    Behind a correct answer at its j-th rank, counted from 0, j·(R - 1)/t others of a tie of s are
    expected, where t is s - 1, or 1 if s is 1. The sum over its ranks is
    R/(s·t) · ((R - 1)·s + ((C + 1)·t - (r + 1)·(R - 1))·(H(r + s) - H(r))).
    """

    def span(size: Column, right: Column, before: Column, above: Column) -> tuple[Column, ...]:
        rest = size - (size > 1)
        factors = right * ((above + 1) * rest - (before + 1) * (right - 1))
        return right * (right - 1) * size, factors, size * rest, before, before + size

    return _spans(groups, span)


def precisions_at_ties(groups: Ranked) -> Spans:
    """Return R·C/r for each tie: its correct answers, and the precision of all ranks up to it."""

    def span(size: Column, right: Column, before: Column, above: Column) -> tuple[Column, ...]:
        end, none = before + size, size * 0
        return none, right * (above + right), none + 1, end - 1, end

    return _spans(groups, span)


def _spans(groups: Ranked, span: Callable[..., tuple[Column, ...]]) -> Spans:
    """Return the span of each tie, from its answers and correct ones and those before it."""
    columns = placed(groups)
    if sum_of(groups.sizes) > EXACT_TERMS:  # products may exceed 64 bits
        columns = Placed(*(column.astype(float) for column in columns))
    constants, factors, by, starts, ends = span(*columns)
    return Spans(constants, factors, by, starts.astype(int), ends.astype(int))


class Placed(NamedTuple):
    """Of each tie: its answers and correct ones, and the answers and correct ones before it."""

    size: Column
    right: Column
    before: Column
    above: Column


def placed(groups: Ranked) -> Placed:
    """Return where ties are."""
    sizes, rights = groups
    return Placed(sizes, rights, sizes.cumsum() - sizes, rights.cumsum() - rights)


@remembered
def sum_of_precisions(counts: SelfScoreCounts) -> Fraction:
    """Return the sum of C(i)/i over the ranks of the returned answers."""
    return sum_of_spans(precisions(ranked_returned(counts)))


def right_so_far(groups: Ranked) -> tuple[Column, Column]:
    """Return C(i) for each rank, one column by another; inside a tie, its mean over all orders."""
    size, right, before, above = (column.repeat(groups.sizes) for column in placed(groups))
    return above * size + (ranks_of(size) - before) * right, size


def ranks_of(column: Column) -> Column:
    """Return the ranks 1, 2 .. of the elements of a column."""
    return (0 * column + 1).cumsum()


def right_in(groups: Placed, ranks: int) -> Fraction:
    """Return the correct answers in the first ranks, at least one; their mean inside a tie."""
    at = bisect_left(groups.before, ranks) - 1
    size, right, before, above = (int(column[at]) for column in groups)
    return above + Fraction((ranks - before) * right, size)


def most_ranks(groups: Placed, risk: Fraction) -> int:
    """Return the most ranks with at most this share of wrong answers; the mean inside ties."""
    allowed, of = risk.numerator, risk.denominator
    size, right, before, above = groups
    # others exceed the risk by more than floats are inexact
    spare = float(risk) * before - (before - above)
    after = spare + float(risk) * size - (size - right)
    possible = ((spare > -_INEXACT) | (after > -_INEXACT)).nonzero()[0].tolist()
    for at in reversed(possible):
        answers, rights, ranks, correct = (int(column[at]) for column in groups)
        spare = allowed * ranks - of * (ranks - correct)
        change = allowed * answers - of * (answers - rights)  # over the whole tie
        if spare + change >= 0:
            return ranks + answers
        if spare >= 0 and (more := spare * answers // -change):
            return ranks + more
    return 0
