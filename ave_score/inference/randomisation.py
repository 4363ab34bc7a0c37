"""Paired randomisation: what would chance make of two runs if either's answers were either's?

Where two runs swap their answers to some questions, the counts of one become half of the sum of
both and half of the signed sum of what they differ by. The signed counts of all runs are one
product of matrices, and every pair follows from these: signs belong to questions, not to runs, so
that neither names nor order of runs change a p.

Sources: Noreen, Computer Intensive Methods for Testing Hypotheses, 1989; Yeh, More Accurate Tests
for the Statistical Significance of Result Differences, 2000; Smucker, Allan, Carterette, A
Comparison of Statistical Significance Tests for Information Retrieval Evaluation, 2007.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from ave_score.counts import Family
from ave_score.inference.by_question import ByQuestion, Floats, evaluate
from ave_score.inference.paired import SAME
from ave_score.inference.resampling import BLOCK, Resampling, questions_of, stacked
from ave_score.measures import Measure

EXACT = 13
"""Up to so many questions on which two runs differ all ways of swapping are gone through."""

_STREAM = 1
"""Tells these random numbers from those of the bootstrap, which has the seed alone."""


class Found(NamedTuple):
    """What a test finds: p in 0..1, NaN where the measure is undefined; whether it is exact."""

    p: float
    exact: bool = False


Signed: TypeAlias = Mapping[tuple[str, Family], Floats]
"""(run, family) -> its counts with each question taken with a sign, a row for each sample."""


def signs(questions: int, resampling: Resampling) -> Iterator[npt.NDArray[np.float32]]:
    """Yield blocks of samples: a row each, with 1 or -1 for every question."""
    generator = np.random.default_rng([resampling.seed, _STREAM])
    left, size = resampling.resamples, max(1, BLOCK // questions)
    while left:
        rows = min(size, left)
        drawn = np.frombuffer(generator.bytes(rows * -(-questions // 8)), dtype=np.uint8)
        bits = np.unpackbits(drawn.reshape(rows, -1), axis=1, count=questions)
        yield bits.astype(np.float32) * 2 - 1
        left -= rows


def signed_counts(
    runs: Sequence[ByQuestion], families: Sequence[Family], resampling: Resampling
) -> Signed:
    """Add up the counts of all runs with random signs, the same for every run."""
    blocks = {family: stacked(runs, family) for family in families}
    sums: dict[Family, list[npt.NDArray[np.floating]]] = {family: [] for family in families}
    for block in signs(questions_of(runs), resampling):
        for family, columns in blocks.items():
            sums[family].append(block @ columns)
    found: dict[tuple[str, Family], Floats] = {}
    for family, parts in sums.items():
        each = np.split(np.concatenate(parts).astype(float), len(runs), axis=1)
        found |= {(run.run, family): part for run, part in zip(runs, each, strict=True)}
    return found


def randomisation(one: ByQuestion, other: ByQuestion, measure: Measure, signed: Signed) -> Found:
    """Test whether a measure of two runs differs, two-sided; see the module."""
    left, right = one.columns[measure.family], other.columns[measure.family]
    both = left.sum(axis=0) + right.sum(axis=0)
    change = left - right
    seen = _difference(measure, both, change.sum(axis=0, keepdims=True))[0]
    if np.isnan(seen):
        return Found(np.nan)
    differing = change[change.any(axis=1)]
    if len(differing) <= EXACT:
        return Found(_at_least(_difference(measure, both, _every_way(differing)), seen), exact=True)
    drawn = signed[one.run, measure.family] - signed[other.run, measure.family]
    # what was seen is one of the ways that chance could have had
    made = np.append(_difference(measure, both, drawn), seen)
    return Found(_at_least(made, seen))


def _every_way(differing: Floats) -> Floats:
    """Return the sums of all choices of signs, 2^n rows."""
    places = np.arange(len(differing))
    chosen = (np.arange(2 ** len(differing))[:, None] >> places) & 1
    return (chosen * 2 - 1) @ differing


def _difference(measure: Measure, both: Floats, signed: Floats) -> Floats:
    """Return the difference of two runs whose counts add up to `both` and differ by `signed`."""
    return evaluate(measure, (both + signed) / 2) - evaluate(measure, (both - signed) / 2)


def _at_least(made: Floats, seen: float) -> float:
    """Return the share of defined differences that are as large as the one seen, either way."""
    known = made[~np.isnan(made)]
    return float((np.abs(known) >= abs(seen) - SAME).mean())
