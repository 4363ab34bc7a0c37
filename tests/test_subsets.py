"""Best of n, pass@k and votes against all subsets, looked at one by one, and published figures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction as F
from itertools import combinations, groupby
from math import comb

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ave_score
from ave_score.measures.registry import NotApplicable
from ave_score.measures.subsets import (
    Contest,
    Votes,
    are_too_many,
    best_of,
    is_too_much,
    majority,
    pass_all,
    pass_at,
    wins,
)

Candidate = tuple[int, int, str]
"""A score, 1 if it is correct, and a key."""

candidates = st.lists(
    st.tuples(st.integers(0, 3), st.integers(0, 1), st.sampled_from(["", "a", "b", "c"])),
    max_size=7,
)


def mean(
    given: Sequence[Candidate], size: int, worth: Callable[[Sequence[Candidate]], F | int]
) -> F:
    """Return the mean of a value over all subsets of a size, or the whole if it is smaller."""
    if not given:
        return F(0)
    subsets = [*combinations(given, min(size, len(given)))]
    return F(sum(map(worth, subsets)), len(subsets))


def shape(given: Sequence[Candidate]) -> list[tuple[int, int]]:
    ranked = sorted(given, key=lambda one: -one[0])
    groups = [[one[1] for one in group] for _, group in groupby(ranked, key=lambda one: one[0])]
    return [(len(group), sum(group)) for group in groups]


def best(subset: Sequence[Candidate]) -> list[int]:
    """Return for each of the best candidates whether it is correct."""
    most = max(score for score, _, _ in subset)
    return [right for score, right, _ in subset if score == most]


def share(given: Sequence[Candidate], key: str) -> F:
    found = [right for _, right, own in given if own == key]
    return F(sum(found), len(found))


def voted(given: Sequence[Candidate], subset: Sequence[Candidate]) -> F:
    """Return the mean share of correct candidates of the keys with the most votes."""
    votes = Counter(key for _, _, key in subset if key)
    winners = [key for key in votes if votes[key] == max(votes.values())]
    return sum((share(given, key) for key in winners), F(0)) / max(1, len(winners))


@given(candidates, st.integers(1, 8))
@settings(max_examples=80)
def test_all_subsets_give_the_same(given: list[Candidate], size: int) -> None:
    right = [one for _, one, _ in given]
    votes = Votes.of([key for _, _, key in given], right)
    found = shape(given)
    for value, worth in (
        (best_of(found, size), lambda some: F(sum(best(some)), len(best(some)))),
        (best_of(found, size, withheld=True), lambda some: len(best(some)) == 1 and best(some)[0]),
        (pass_at(len(given), sum(right), size), lambda some: any(one for _, one, _ in some)),
        (pass_all(len(given), sum(right), size), lambda some: all(one for _, one, _ in some)),
        (majority(votes, size), lambda some: voted(given, some)),
    ):
        assert value == mean(given, size, worth)


@pytest.mark.parametrize(("n", "c", "k"), [(5, 0, 2), (10, 3, 4), (200, 13, 100), (7, 7, 7)])
def test_pass_at_k_is_the_estimator_of_humaneval(n: int, c: int, k: int) -> None:
    """Chen and others 2021, figure 3: 1 - prod(1 - k/i), i = n - c + 1 .. n; 1 if n - c < k."""
    product = F(1)
    for i in range(n - c + 1, n + 1):
        product *= 1 - F(k, i)
    assert pass_at(n, c, k) == (1 if n - c < k else 1 - product)


@pytest.mark.parametrize(("n", "c", "k"), [(4, 3, 2), (8, 8, 8), (8, 7, 8), (5, 1, 2)])
def test_pass_all_at_k_is_the_estimator_of_tau_bench(n: int, c: int, k: int) -> None:
    """Yao and others 2024, section 3: binom(c, k) / binom(n, k), 0 if c < k."""
    assert pass_all(n, c, k) == F(comb(c, k), comb(n, k))


def test_a_key_with_more_than_half_of_all_votes_wins_by_itself() -> None:
    assert wins(Contest(6, ((1, 5),), 0), 11) == 1
    # of 2 votes, both or one of a key: 1 - C(5, 2)/C(11, 2), and half where they differ
    assert wins(Contest(6, ((1, 5),), 0), 2) == F(comb(6, 2) + F(6 * 5, 2), comb(11, 2))


def test_keys_of_a_thousand_candidates_share_every_subset() -> None:
    """The probabilities of all keys add up to 1."""
    sizes = [*[30] * 2, *[7] * 3, *[1] * 60]
    for size in (1, 2, 16, 60):
        total = F(0)
        for own in sizes:
            others = Counter(sizes) - Counter([own])
            total += wins(Contest(own, tuple(sorted(others.items(), reverse=True)), 0), size)
        assert total == 1


def test_too_many_candidates_are_refused_before_they_fill_the_memory() -> None:
    with pytest.raises(NotApplicable, match="so many candidates"):
        best_of([(10**7, 1)], 10**6)
    with pytest.raises(NotApplicable, match="so many candidates"):
        pass_at(10**7, 1, 10**6)


def test_votes_of_thousands_of_candidates_are_too_many_and_too_much() -> None:
    votes = [Votes.of(["a", "b"] * 5000, [1, 0] * 5000)]
    assert are_too_many(votes, 5000)
    assert is_too_much(votes, 5000)
    assert not are_too_many(votes, 10000)
    assert not is_too_much(votes, 10000)
    assert majority(votes[0], 10000) == F(1, 2)
    assert not are_too_many(votes, 1)


GOLD = {
    "q_id": ["1"] * 4 + ["2"] * 2 + ["3"],
    "a_id": ["a", "b", "c", "d", "e", "f", "g"],
    "label": ["VALIDATED", "REJECTED", "VALIDATED", "UNKNOWN", "REJECTED", "VALIDATED", "REJECTED"],
}
RUN = {**{name: GOLD[name] for name in ("q_id", "a_id")}, "verdict": ["REJECTED"] * 7}
RUN["confidence"] = [0.5, 0.9, 0.5, 0.95, 0.4, 0.4, 0.1]  # type: ignore[list-item]


def values(measures: str, ties: str = "average") -> dict[str, list[F | None]]:
    policies = ave_score.Policies.of(ties=ties)
    scores = ave_score.score(GOLD, {"run": RUN}, measures=measures, policies=policies)
    return {row.run: [row.values[one.key] for one in scores.measures] for row in scores.rows}


def test_measures_of_runs_and_baselines() -> None:
    """Question 1 ranks b, then a and c tied; of two, b is best in two of three pairs."""
    found = values("best_of@1,best_of@2,best_of@3,pass@1,pass@2")
    pass_1 = (F(2, 3) + F(1, 2)) / 3
    assert found["run"] == [pass_1, (F(1, 3) + F(1, 2)) / 3, (0 + F(1, 2)) / 3, pass_1, F(2, 3)]
    assert found["Random"] == [pass_1, pass_1, pass_1, pass_1, F(2, 3)]
    assert found["Perfect selection"] == [pass_1, F(2, 3), F(2, 3), pass_1, F(2, 3)]


def test_other_rankings_of_ties() -> None:
    """Question 2 ranks e, which is wrong, before f in the file, and after it by id."""
    assert values("best_of@2", "file")["run"] == [F(1, 9)]
    assert values("best_of@2", "trec")["run"] == [(F(1, 3) + 1) / 3]


def test_the_best_of_all_is_precision_at_1_and_pass_is_hit() -> None:
    best_of_all, first, oracle, hit = values("best_of@9,precision@1,pass@9,hit")["run"]
    assert best_of_all == first
    assert oracle == hit


def test_fewer_candidates_than_drawn_are_noted() -> None:
    scores = ave_score.score(GOLD, {"run": RUN}, measures="best_of@2,pass@3")
    text = " ".join(scores.to_text().split())
    assert "Fewer than 2 judged candidates in 1 of 3 questions: all of them are drawn." in text
    assert "Fewer than 3 judged candidates in 2 of 3 questions: all of them are drawn." in text
    enough = ave_score.score(GOLD, {"run": RUN}, measures="pass@1").to_text()
    assert "judged candidate" not in enough
    silent = {**GOLD, "label": [*GOLD["label"][:6], "UNKNOWN"]}
    alone = ave_score.score(silent, {"run": RUN}, measures="pass@1").to_text()
    assert "No judged candidate in 1 of 3 questions: 0 each." in alone


def test_values_of_questions_have_intervals() -> None:
    policies = ave_score.Policies(intervals=ave_score.IntervalPolicy(resamples=50))
    scores = ave_score.score(GOLD, {"run": RUN}, measures="best_of@2,pass@2", policies=policies)
    intervals = scores.rows[0].intervals
    assert intervals["best_of@2"].method == "bca"
    assert intervals["pass@2"].method == "wilson"  # 1, 1 and 0
