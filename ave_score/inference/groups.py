"""Groups of runs without significant differences.

Source: Piepho, An Algorithm for a Letter-Based Representation of All-Pairwise Comparisons, 2004.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence

LETTERS = "abcdefghijklmnopqrstuvwxyz"


def groups(runs: int, different: Collection[tuple[int, int]]) -> list[tuple[int, ...]]:
    """Return the maximal groups of runs in which no two differ significantly.

    Parameters
    ----------
    runs
        Their number; they are numbered from 0, the best first.
    different
        The pairs that differ significantly.

    Returns
    -------
    list of tuples
        The largest such groups, in the order of their best runs. Two runs share a group where, and
        only where, they do not differ significantly. A run may be in several.
    """
    maximal = [frozenset(range(runs))]
    for first, second in sorted(different):
        both = [group for group in maximal if first in group and second in group]
        rest = [group for group in maximal if first not in group or second not in group]
        split = {group - {left} for group in both for left in (first, second)}
        # no other group is a subset of a split one: none was before
        maximal = rest + [
            part
            for part in split
            if not any(part <= group for group in rest) and not any(part < group for group in split)
        ]
    return sorted(tuple(sorted(group)) for group in maximal)


def ranks(
    runs: Sequence[str], different: Collection[tuple[str, str]]
) -> dict[str, tuple[int, int]]:
    """Return the best and the worst rank of each run that significant differences leave.

    Parameters
    ----------
    runs
        The runs that have ranks.
    different
        The pairs that differ significantly, the better run first.
    """
    better_than = Counter(run for run, _ in different)
    worse_than = Counter(other for _, other in different)
    return {run: (1 + worse_than[run], len(runs) - better_than[run]) for run in runs}


def letters(runs: int, grouped: Sequence[Sequence[int]]) -> list[str]:
    """Return the letters of each run, one for each of its groups."""
    return [
        "".join(_letter(number) for number, group in enumerate(grouped) if run in group)
        for run in range(runs)
    ]


def _letter(number: int) -> str:
    """Return a, b, .. z, a2, b2, ..."""
    rounds, index = divmod(number, len(LETTERS))
    return LETTERS[index] + (str(rounds + 1) if rounds else "")
