"""Sums over samples, beside loops of integers and fractions."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ave_score.inference.samples import smallest_of
from ave_score.inference.sums import Sums
from tests import examples

SEEDS = st.integers(0, 2**32 - 1)


def naive(runs: list[list[list[Fraction]]], times: list[list[int]]) -> list[list[list[Fraction]]]:
    """Add up the fields of each run, one unit after another."""
    return [
        [
            [
                sum((n * unit[field] for n, unit in zip(row, run, strict=True)), Fraction(0))
                for field in range(len(run[0]))
            ]
            for run in runs
        ]
        for row in times
    ]


def exact(counts: npt.NDArray[Any]) -> list[list[Fraction]]:
    """Return the rows of an array as fractions."""
    return [[Fraction(float(value)) for value in row] for row in counts]


@given(SEEDS, st.integers(1, 5), st.integers(1, 9), st.sampled_from([1, 3, 300, 2**24, 2**40]))
@settings(max_examples=examples(80))
def test_sums_of_integers_are_exact(seed: int, runs: int, units: int, most: int) -> None:
    """Small and large integers; some fields are alike in all runs, or combinations of others."""
    chance = np.random.default_rng(seed)
    alike = chance.integers(0, most + 1, (units, 2))
    counts = []
    for _ in range(runs):
        own = chance.integers(0, most + 1, (units, 2))
        rest = alike[:, :1] + most - own[:, :1] - own[:, 1:]
        counts.append(np.hstack([own, alike, rest, alike - own]).astype(float))
    times = chance.multinomial(units, [1 / units] * units, size=4)
    found = Sums(counts).over(times.astype(np.float32))
    assert [*map(exact, found)] == naive([exact(one) for one in counts], times.tolist())


@given(SEEDS)
@settings(max_examples=examples(30))
def test_sums_of_fractions_are_as_precise_as_floats(seed: int) -> None:
    chance = np.random.default_rng(seed)
    counts = [np.hstack([chance.random((7, 2)), chance.integers(0, 9, (7, 1))]) for _ in range(3)]
    times = chance.multinomial(7, [1 / 7] * 7, size=5)
    found = Sums(counts).over(times)
    expected = naive([exact(one) for one in counts], times.tolist())
    for of_sample, wanted in zip(found.tolist(), expected, strict=True):
        for of_run, sums_of_run in zip(of_sample, wanted, strict=True):
            assert of_run == pytest.approx([float(one) for one in sums_of_run], abs=1e-12)
            assert of_run[2] == sums_of_run[2]  # beside fractions, integers remain exact


@given(st.lists(st.integers(0, 3), min_size=1, max_size=9), st.data())
def test_the_smallest_numbers_are_as_many_as_asked_also_if_equal(
    numbers: list[int], data: st.DataObject
) -> None:
    size = data.draw(st.integers(1, len(numbers)))
    places = sorted(range(len(numbers)), key=lambda place: (numbers[place], place))
    found = smallest_of(np.array(numbers, dtype=float), size)
    assert found.nonzero()[0].tolist() == sorted(places[:size])
