"""Correlation of two orders of the same systems: Kendall's tau-b and tau-AP.

Both compare every two systems: ordered alike by both orders, or swapped. Tau-AP weighs pairs by the
ranks of one of the orders, most at the top. With ties it is the mean over all orders of the tied
systems, which is the coefficient a of Urbano and Marrero.

Sources: Kendall, The Treatment of Ties in Ranking Problems, 1945; Yilmaz, Aslam, Robertson, A New
Rank Correlation Coefficient for Information Retrieval, SIGIR 2008; Urbano, Marrero, The Treatment
of Ties in AP Correlation, ICTIR 2017.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations

from ave_score.core.exact import ratio, root


def _sign(difference: Fraction) -> int:
    return (difference > 0) - (difference < 0)


def tau_b(first: Sequence[Fraction], second: Sequence[Fraction]) -> Fraction | None:
    """Return Kendall's tau-b of two orders, to 60 decimals; None if either has only ties.

    Parameters
    ----------
    first, second
        The values of the same systems.
    """
    pairs = [*combinations(range(len(first)), 2)]
    signs = [(_sign(first[a] - first[b]), _sign(second[a] - second[b])) for a, b in pairs]
    untied = [sum(bool(sign[order]) for sign in signs) for order in (0, 1)]
    return ratio(sum(x * y for x, y in signs), root(untied[0] * untied[1]))


def tau_ap(reference: Sequence[Fraction], other: Sequence[Fraction]) -> Fraction | None:
    """Return tau-AP of an order against a reference; None for fewer than two systems.

    Parameters
    ----------
    reference
        The values that say which of two systems is better.
    other
        The values of the same systems in the order that is judged; its ranks are the weights.
    """
    total, positions = Fraction(0), range(len(other))
    for system in positions:
        above = [at for at in positions if other[at] > other[system]]
        ties = sum(value == other[system] for value in other)
        # the system may have any of the ranks of its ties
        weight = sum(
            (Fraction(1, n) for n in range(len(above), len(above) + ties) if n), Fraction(0)
        )
        signs = sum(_sign(reference[at] - reference[system]) for at in above)
        total += weight / ties * signs
    return ratio(total, len(other) - 1) if len(other) > 1 else None


def swapped(reference: Sequence[Fraction], other: Sequence[Fraction]) -> list[tuple[int, int]]:
    """Return the pairs of systems in a different order, first the better one of the reference.

    A pair that is tied in either order is not swapped.
    """
    positions = range(len(reference))
    return [
        (a, b)
        for a in positions
        for b in positions
        if reference[a] > reference[b] and other[a] < other[b]
    ]
