"""Measures of rankings and confidences: with numpy and without, all results are equal."""

from __future__ import annotations

import pickle
from array import array
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ave_score
from ave_score import exact
from ave_score.counts import ranking
from tests.helpers_ranked import Question, lines_of, often, read_texts, tied, untied, xml_of

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
    assert pickle.loads(pickle.dumps(scores.rows)) == scores.rows  # as other processes send them


def test_huge_numbers_are_exact_and_say_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exact, "numpy_for", lambda _: np)
    assert exact.as_integers(array("d", [1e305, 0.5])) == ([2 * 10**305, 1], 2)
