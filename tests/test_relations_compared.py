"""What must hold of comparisons and decisions if a campaign is changed in a known way. The changes
are those of `test_relations`. Few questions are compared, by tests without random numbers. A test
that fails names the seed of the campaign: `random_campaign(seed, ANSWERS)`."""

from __future__ import annotations

import random
from collections.abc import Sequence
from fractions import Fraction
from math import isnan
from typing import Any, NamedTuple

import pytest

import ave_score
from ave_score import DecisionPolicy, Design, Resampling, UsageError, Verdict
from tests import each
from tests.helpers_changes import other_confidences, renamed, shuffled
from tests.helpers_random import (
    ANSWERS,
    OPEN,
    QRELS,
    Campaign,
    Row,
    given,
    random_campaign,
    submitted,
)
from tests.test_relations import RELATIONS, SEEDS

pytestmark = pytest.mark.filterwarnings("ignore::ave_score.AveScoreWarning")


TESTS = ("randomisation", "sign", "wilcoxon", "t")
"""Tests without random numbers: few questions are swapped in all ways."""

MEANS = {ANSWERS: "qa_accuracy, mrr, recall@2", QRELS: "map, precision@2", OPEN: "factoid_accuracy"}
RATIOS = {ANSWERS: ", f1, c_at_1, macro_f1", QRELS: "", OPEN: ", mmf1"}
"""Measures that all tests take, and those that only swapping takes."""


class Found(NamedTuple):
    """What is found of two runs, the first of which is the first by name."""

    difference: Fraction | None
    p: float
    adjusted: float
    is_significant: bool
    won: tuple[int, ...] | None


def flat(number: float) -> float:
    """Return a number without what the order of a sum changes; NaN as a number that none is."""
    return -1 if isnan(number) else round(number, 9)


def compared(seed: int, campaign: Campaign) -> dict[Any, Any]:
    """Return what is found of each pair and of each run; nothing if they cannot be compared."""
    chance, measures = random.Random(seed), MEANS[campaign.shape]
    test = chance.choice(TESTS)
    if test == "randomisation":
        measures += RATIOS[campaign.shape]
    design = Design.of(
        test=test,
        resampling=Resampling(100),
        correction=chance.choice(["holm", "fdr", "none"]),
        policies=campaign.policies,
    )
    gold, runs = given(campaign)
    try:
        found = ave_score.compare(
            gold, runs, campaign.systems or (), measures=measures, design=design
        )
    except UsageError:
        return {}
    results: dict[Any, Any] = {}
    for comparison in found.comparisons:
        key = comparison.measure.key
        for standing in comparison.standings:
            results[key, standing.run] = standing.value
        for pair in comparison.pairs:
            sign = 1 if pair.run < pair.other else -1
            difference = None if pair.difference is None else sign * pair.difference
            won = None if pair.score is None else tuple(pair.score)[::sign]
            assert pair.is_exact or test != "randomisation" or isnan(pair.p)
            ps = flat(pair.p), flat(pair.adjusted), pair.is_significant
            results[key, frozenset([pair.run, pair.other])] = Found(difference, *ps, won)
    return results


SAME = (
    *("the order of lines", "the order of runs", "the order of questions and answers"),
    *("other ids", "other ids in the same order", "other confidences in the same order"),
    *("UNKNOWN written as what it counts as", "lines for answers without one"),
)


@pytest.mark.parametrize("name", SAME)
@each("seed", SEEDS)
def test_comparisons(name: str, seed: int) -> None:
    relation, chance = RELATIONS[name], random.Random(seed)
    shape = {"shape": chance.choice([ANSWERS, ANSWERS, QRELS, OPEN])}
    campaign = random_campaign(seed, **shape | dict(relation.of))
    found = compared(seed, relation.change(chance, campaign))
    assert found == compared(seed, campaign)


@each("seed", SEEDS)
def test_exchanged_runs_have_the_opposite_difference(seed: int) -> None:
    campaign = random_campaign(seed, ANSWERS, missing="error")._replace(systems=[])
    chance = random.Random(seed)
    rows = [row for question in campaign.questions for row in submitted(chance, question)]
    runs = {"a": next(iter(campaign.runs.values())), "b": rows}
    first = compared(seed, campaign._replace(runs=runs))
    other = compared(seed, campaign._replace(runs={"b": runs["a"], "a": runs["b"]}))
    assert first.keys() == other.keys()
    for key, name in first:
        if isinstance(name, str):
            assert first[key, name] == other[key, "b" if name == "a" else "a"]
            continue
        mine, theirs = first[key, name], other[key, name]
        assert mine[1:4] == theirs[1:4]
        assert mine.difference == (None if theirs.difference is None else -theirs.difference)
        assert mine.won == (None if theirs.won is None else theirs.won[::-1])


@each("seed", SEEDS)
def test_runs_that_decide_alike_do_not_differ(seed: int) -> None:
    """They have other confidences, or they would count once."""
    campaign = random_campaign(seed, ANSWERS, missing="error")._replace(systems=[])
    rows = campaign.runs["b"]
    twin = [row | {"confidence": row["confidence"] / 2 + 0.125} for row in rows]
    found = compared(seed, campaign._replace(runs={"a": rows, "b": twin}))
    for (key, name), one in found.items():
        if not isinstance(name, str) and key in ("f1", "qa_accuracy", "c_at_1", "macro_f1"):
            assert one.difference in (0, None)
            assert (one.p, one.is_significant) == (-1 if one.difference is None else 1, False)
            assert one.won is None or one.won[::2] == (0, 0)


def decided(rows: Sequence[Row], policy: DecisionPolicy) -> dict[tuple[str, str], str]:
    """Return the verdict on each answer."""
    table = [{"q_id": row["q_id"], "a_id": row["a_id"], "score": row["confidence"]} for row in rows]
    run = ave_score.decide(ave_score.read_scores(table), policy).run
    ids = zip(run.index.q_ids, run.index.a_ids, strict=True)
    return {key: Verdict(code).name for key, code in zip(ids, run.verdicts, strict=True)}


@each("seed", SEEDS)
def test_decisions(seed: int) -> None:
    """Each question alone, by the order of its scores; ties by place, or by chance of ids."""
    chance = random.Random(seed)
    campaign = random_campaign(seed, ANSWERS, missing="error")._replace(systems=[])
    rows = next(iter(campaign.runs.values()))
    at = chance.randrange(len(rows))
    policy = DecisionPolicy(
        threshold=chance.choice([None, rows[at]["confidence"]]),
        top_k=chance.choice([None, 1, 2]),
        ties=chance.choice(["first", "last", "none", "random"]),
        seed=chance.randrange(9),
    )
    before = decided(rows, policy)
    if policy.ties in ("none", "random"):
        assert decided(shuffled(chance, rows), policy) == before
    one = campaign._replace(runs={"a": rows})
    other = other_confidences(chance, one).runs["a"]
    moved = (
        policy if policy.threshold is None else policy._replace(threshold=other[at]["confidence"])
    )
    assert decided(other, moved) == before
    of_parts = [decided([row for row in rows if row["q_id"] == q_id], policy)
                for q_id in dict.fromkeys(row["q_id"] for row in rows)]  # fmt: skip
    assert {key: word for part in of_parts for key, word in part.items()} == before
    if policy.ties != "random":  # the chance of an answer is that of its ids
        words = decided(renamed(chance, one).runs["a"], policy)
        assert [*words.values()] == [*before.values()]
