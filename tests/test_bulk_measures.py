"""Measures of rankings and confidences: with numpy and without, all results are equal."""

from __future__ import annotations

import math
import pickle
import sys
from array import array
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ave_score
from ave_score.core import exact
from ave_score.counts import ConfidenceCounts, Ranking, ranking
from ave_score.measures import orders
from ave_score.measures.by_confidence import remembered
from tests.helpers_ranked import (
    Question,
    lines_of,
    make_questions,
    often,
    read_texts,
    tied,
    untied,
    xml_of,
)

MEASURES = "ranking, confidence, map(norm=returned), ndcg(of=accepted)@2, ece(3)"


@given(st.one_of(tied, untied), st.booleans(), st.sampled_from(["average", "file", "trec"]))
@often
def test_numpy_changes_no_figure(questions: list[Question], graded: bool, ties: str) -> None:
    collection, runs = read_texts(xml_of(questions), "".join(lines_of(questions)))
    if graded:
        grades = [item.grade for question in questions for item in question]
        collection = replace(collection, grades=dict(enumerate(grades)))
    policies = ave_score.Policies(ties=ties)
    found = []
    for module in (None, np):
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(ranking, "numpy_for", lambda _, module=module: module)
            patched.setattr(exact, "numpy_for", lambda _, module=module: module)
            patched.setattr(exact, "_EXACT_TERMS", 3)
            scores = ave_score.score(collection, runs, measures=MEASURES, policies=policies)
            counts = [row.counts for row in scores.rows]
        found.append([(row.values, row.reasons, row.other_ties) for row in scores.rows])
        if module is None:
            plain = counts
    assert found[0] == found[1]
    assert plain == counts
    assert pickle.loads(pickle.dumps(scores.rows)) == scores.rows


def test_threads_measure_as_one_does(monkeypatch: pytest.MonkeyPatch) -> None:
    """Values of rankings are kept between runs, which may be scored by several threads."""
    monkeypatch.setattr(orders, "_MOST_KNOWN", 1)  # room is made again and again
    campaigns = [make_questions(seed, 30, 6) for seed in range(8)]
    read = [read_texts(xml_of(one), "".join(lines_of(one))) for one in campaigns]

    def values(number: int) -> list[object]:
        rows = ave_score.score(*read[number], measures="ranking, map(norm=found)@2").rows
        return [row.values for row in rows]

    alone = [values(number) for number in range(8)]
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(4) as threads:
            assert [*threads.map(values, range(8))] == alone
    finally:
        sys.setswitchinterval(before)


def test_threads_remember_what_they_computed() -> None:
    rows = [ConfidenceCounts(decisions=bytes([number])) for number in range(3)]

    @remembered
    def first(counts: ConfidenceCounts) -> int:
        return counts.decisions[0]

    def is_right(at: int) -> bool:
        return all(first(rows[number % 3]) == number % 3 for number in range(at, at + 10_000))

    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(4) as threads:
            assert all(threads.map(is_right, range(8)))
    finally:
        sys.setswitchinterval(before)


def test_threads_share_discounts() -> None:
    """A correct answer at rank 120 has nDCG 1/log2(121), whoever computes discounts first."""
    found = [Ranking((*[(0,)] * 119, (3,)), (), more) for more in range(8)]
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(8) as threads:
            values = [*threads.map(lambda one: orders.normalised_gain(one, "linear", None), found)]
    finally:
        sys.setswitchinterval(before)
    assert [*map(float, values)] == pytest.approx([1 / math.log2(121)] * 8)


def test_more_rankings_than_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """Values do not depend on what is kept: nothing, a few rankings, a few functions."""
    questions = make_questions(1, 30, 6)
    measures = "ranking, map(norm=found)@2"
    collection, runs = read_texts(xml_of(questions), "".join(lines_of(questions)))
    expected = ave_score.score(collection, runs, measures=measures).rows
    for name, most in (("_MOST_KNOWN", 1), ("_MOST_COLUMNS", 1), ("_MOST_BITS", 1)):
        monkeypatch.setattr(orders, name, most)
        assert ave_score.score(collection, runs, measures=measures).rows == expected


def test_huge_numbers_are_exact_and_say_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exact, "numpy_for", lambda _: np)
    assert exact.as_integers(array("d", [1e305, 0.5])) == ([2 * 10**305, 1], 2)
