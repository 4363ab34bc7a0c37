"""Measures of rankings and confidences: sums of parts, threads, and what is kept."""

from __future__ import annotations

import math
import pickle
import sys
from array import array
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from fractions import Fraction
from functools import reduce
from operator import add

import pytest

import ave_score
from ave_score.core import exact
from ave_score.counts import ConfidenceCounts, Ranking
from ave_score.measures import by_rank, orders
from ave_score.measures.by_confidence import remembered
from tests import mostly_slow, slow
from tests.helpers_ranked import (
    Question,
    lines_of,
    make_questions,
    read_questions,
    read_texts,
    xml_of,
)

MEASURES = "ranking, confidence, map(norm=returned), ndcg(of=accepted)@2, ece(3)"


def scored(questions: list[Question], part: slice, graded: bool, ties: str) -> ave_score.Scores:
    """Return the scores of some of the questions, which keep their ids."""
    gold = "".join(xml_of(questions).splitlines(keepends=True)[1:-1][part])
    ids = {f"{number:03d}" for number in range(len(questions))[part]}
    run = "".join(line for line in lines_of(questions) if line.split()[0] in ids)
    collection, runs = read_texts(f"<ave>{gold}</ave>", run)
    if graded:
        grades = [item.grade for question in questions[part] for item in question]
        collection = replace(collection, grades=dict(enumerate(grades)))
    policies = ave_score.Policies.of(ties=ties)
    return ave_score.score(collection, runs, measures=MEASURES, policies=policies)


@pytest.mark.parametrize("graded", [slow(False), True])
@pytest.mark.parametrize("ties", mostly_slow(["average", "file"], 1))
def test_parts_add_up_and_long_sums_are_rounded(
    graded: bool, ties: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Counts of parts add up; long sums are rounded far behind what is shown."""
    questions = make_questions(11, 800, 6)
    assert sum(map(len, questions)) > 2_500
    whole = scored(questions, slice(None), graded, ties)
    places = [slice(at, at + 200) for at in range(0, 800, 200)]
    parts = [scored(questions, place, graded, ties).rows[0] for place in places]
    row = whole.rows[0]
    summed = {family: reduce(add, (part.counts[family] for part in parts)) for family in row.counts}
    defined = [measure for measure in whole.measures if measure.key not in row.reasons]
    assert len(defined) > 10
    assert [row.values[one.key] for one in defined] == [one(summed[one.family]) for one in defined]
    for module in (exact, by_rank):
        monkeypatch.setattr(module, "EXACT_TERMS", 3)
    fresh = pickle.loads(pickle.dumps(row.counts))  # without what is remembered
    for measure in defined:
        exactly, rounded = row.values[measure.key], measure(fresh[measure.family])
        is_near = exactly and rounded and abs(exactly - rounded) < Fraction(1, 10**14)
        assert is_near or exactly == rounded
    assert pickle.loads(pickle.dumps(whole.rows)) == whole.rows  # as other processes send them


@contextmanager
def busy_threads() -> Iterator[ThreadPoolExecutor]:
    """Start threads that give way to each other all the time."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(8) as threads:
            yield threads
    finally:
        sys.setswitchinterval(before)


def test_threads_measure_as_one_does() -> None:
    """What measures share is kept between runs, which may be scored by several threads."""
    campaigns = [make_questions(seed, 30, 6) for seed in range(8)]
    read = [read_questions(one) for one in campaigns]

    def values(number: int) -> list[object]:
        rows = ave_score.score(*read[number], measures="ranking, map(norm=found)@2").rows
        return [row.values for row in rows]

    alone = [values(number) for number in range(8)]
    with busy_threads() as threads:
        assert [*threads.map(values, range(8))] == alone


def test_threads_remember_what_they_computed() -> None:
    rows = [ConfidenceCounts(decisions=bytes([number])) for number in range(3)]

    @remembered
    def first(counts: ConfidenceCounts) -> int:
        return counts.decisions[0]

    def is_right(at: int) -> bool:
        return all(first(rows[number % 3]) == number % 3 for number in range(at, at + 10_000))

    with busy_threads() as threads:
        assert all(threads.map(is_right, range(8)))


def test_threads_share_discounts() -> None:
    """A correct answer at rank 120 has nDCG 1/log2(121), whoever computes discounts first."""
    found = [Ranking((*[(0,)] * 119, (3,)), (), more) for more in range(8)]
    with busy_threads() as threads:
        values = [*threads.map(lambda one: orders.normalised_gain(one, "linear", None), found)]
    assert [*map(float, values)] == pytest.approx([1 / math.log2(121)] * 8)


def test_huge_numbers_are_exact_and_say_nothing() -> None:
    numbers, factor = exact.as_integers(array("d", [1e305, 0.5]))
    assert (numbers.tolist(), factor) == ([2 * 10**305, 1], 2)
