"""Which runs cannot be told apart, and which ranks a run might as well have had.

Source: Piepho, An Algorithm for a Letter-Based Representation of All-Pairwise Comparisons, 2004.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np

from ave_score.inference.by_question import Floats

LETTERS = "abcdefghijklmnopqrstuvwxyz"


def groups(runs: int, different: Collection[tuple[int, int]]) -> list[tuple[int, ...]]:
    """Return the groups of runs in which no two are significantly different.

    Parameters
    ----------
    runs
        How many there are; they are numbered from 0, the best first.
    different
        The pairs that differ significantly.

    Returns
    -------
    list of tuples
        The largest such groups, in the order of their best runs. Two runs share a group where, and
        only where, they do not differ significantly. A run may be in several.
    """
    found = [frozenset(range(runs))]
    for one, other in sorted(different):
        both = [group for group in found if one in group and other in group]
        rest = [group for group in found if one not in group or other not in group]
        split = {group - {left} for group in both for left in (one, other)}
        # none of the rest is part of what was split, nor was it before
        found = rest + [
            part
            for part in split
            if not any(part <= group for group in rest) and not any(part < group for group in split)
        ]
    return sorted(tuple(sorted(group)) for group in found)


def letters(runs: int, grouped: Sequence[Sequence[int]]) -> list[str]:
    """Return the letters of each run: one for each group that it is in."""
    return [
        "".join(_letter(number) for number, group in enumerate(grouped) if run in group)
        for run in range(runs)
    ]


def _letter(number: int) -> str:
    """Return a, b, .. z, a2, b2, ..."""
    rounds, place = divmod(number, len(LETTERS))
    return LETTERS[place] + (str(rounds + 1) if rounds else "")


def rank_ranges(
    replicates: Floats, level: float, *, higher_is_better: bool
) -> list[tuple[int, int]]:
    """Return between which ranks each run is in most samples.

    Parameters
    ----------
    replicates
        The measure: a row for each run, a column for each sample. Equal runs share the best rank;
        where the measure is undefined a run is last.
    level
        The share of samples that the range holds at least, in 0..1; as much is left out below as
        above.
    """
    worst = -np.inf
    oriented = replicates if higher_is_better else -replicates
    values = np.where(np.isnan(oriented), worst, oriented)
    tail = (1 - level) / 2
    ranges = []
    for run in values:
        ranks = np.sort((values > run).sum(axis=0) + 1)
        # what is left out at either end is at most the tail
        last = len(ranks) - 1
        left = min(int(np.floor(tail * len(ranks) + 1e-9)), last)
        ranges.append((int(ranks[left]), int(ranks[last - left])))
    return ranges
