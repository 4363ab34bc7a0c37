"""What must hold of the figures of a campaign if the campaign is changed in a known way. No
expected figure is computed here: a relation says how the figures of two campaigns belong together,
by the definitions of the measures, and is tried on random campaigns of all shapes. A test that
fails names the seed of the campaign: `random_campaign(seed)`."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from functools import lru_cache, partial, reduce
from operator import add
from typing import NamedTuple
from unicodedata import normalize

import pytest

from ave_score import Kind
from tests import each, examples, mostly_slow
from tests.helpers_changes import (
    IDS,
    all_opposite,
    doubled,
    missing_written,
    other_candidates,
    other_confidences,
    other_labels,
    other_lines,
    other_questions,
    other_runs,
    renamed,
    unknown_written,
)
from tests.helpers_random import (
    ANSWERS,
    OPEN,
    PAIRS,
    Campaign,
    Figures,
    random_campaign,
    score_of,
    scored,
)

pytestmark = pytest.mark.filterwarnings("ignore::ave_score.AveScoreWarning")

SEEDS = range(examples(1000, 3))

By = dict[str, Figures]
"""Run, system or baseline -> its figures."""


POOLED = {"cws", "cws_rte", "ap_rte", "aurc", "e_aurc", "augrc", "risk_at_coverage",
          "coverage_at_risk"}  # fmt: skip
"""Measures that rank the answers to all questions together."""

OF_SIZE = {"k", "k1", "brier", "ece", "log_loss", "pearson_r", "f_05_u", "c_at_1_pan", "cws_rte",
           "self-score sum_of_k", "self-score outside_unit"}  # fmt: skip
"""Measures and counts that depend on confidences otherwise than by their order."""

ROUNDED = {"pearson_r", "mcc", "log_loss", "ndcg"}
"""Measures with roots or logarithms, which are rounded far behind what is shown."""

WHOLE = {"n_right", "n_wrong", "n_unanswered", "n_withheld_right", "n_withheld_wrong"}
"""Measures that are counts."""


def same(figures: Figures) -> Figures:
    return figures


def of_double(figures: Figures) -> Figures:
    """Counts are twice as many, ratios equal."""
    values = {k: v and (2 * v if k in WHOLE else v) for k, v in figures.values.items()}
    numbers = {name: 2 * number for name, number in figures.numbers.items()}
    return figures._replace(values=values, numbers=numbers)


def only(
    figures: Figures, values: Mapping[str, Fraction | None], numbers: Mapping[str, str]
) -> Figures:
    """Return what is known of a row: these values, and counts that are others of before."""
    before = figures.numbers
    return figures._replace(
        values={key: value for key, value in values.items() if key in figures.values},
        numbers={f"validation {new}": before[f"validation {old}"] for new, old in numbers.items()},
    )


def rest(value: Fraction | None) -> Fraction | None:
    return None if value is None else 1 - value


def minus(value: Fraction | None) -> Fraction | None:
    return None if value is None else -value


def of_other_labels(figures: Figures) -> Figures:
    """A right decision is a wrong one, by the definitions of the measures."""
    if "validation validated_correct" not in figures.numbers:
        return figures._replace(values={}, numbers={})
    of = figures.values.get
    values = {
        "accuracy": of("error"), "error": of("accuracy"), "recall": of("fp_rate"),
        "tp_rate": of("fp_rate"), "fp_rate": of("tp_rate"), "specificity": rest(of("recall")),
        **{name: rest(of(name)) for name in ("balanced_accuracy", "auc_point", "auc")},
        **{name: minus(of(name)) for name in ("mcc", "pearson_r")},
    }  # fmt: skip
    numbers = {
        "validated_correct": "validated_incorrect", "validated_incorrect": "validated_correct",
        "rejected_correct": "rejected_incorrect", "rejected_incorrect": "rejected_correct",
        "validated_unknown": "validated_unknown", "rejected_unknown": "rejected_unknown",
    }  # fmt: skip
    return only(figures, values, numbers)


def of_opposite(figures: Figures) -> Figures:
    """A right validation is a right rejection, by the definitions of the measures."""
    if figures.kind != "AV":
        return figures._replace(values={}, numbers={})
    of = figures.values.get
    equal = [
        *("accuracy", "error", "balanced_accuracy", "mcc", "cohen_kappa", "class_macro_f1"),
        *("auc_point", "auc", "pearson_r", "brier", "log_loss", "c_at_1_pan", "cws_rte"),
    ]
    values = {key: of(key) for key in equal} | {
        "error_1": of("error_2"), "error_2": of("error_1"), "recall": of("specificity"),
        "tp_rate": of("specificity"), "specificity": of("recall"), "fp_rate": rest(of("recall")),
    }  # fmt: skip
    numbers = {
        "validated_correct": "rejected_incorrect", "validated_incorrect": "rejected_correct",
        "rejected_correct": "validated_incorrect", "rejected_incorrect": "validated_correct",
        "validated_unknown": "rejected_unknown", "rejected_unknown": "validated_unknown",
    }  # fmt: skip
    return only(figures, values, numbers)


class Relation(NamedTuple):
    """A change of campaigns, what their figures then are, and of which measures this is not known.
    `of` are the campaigns that it holds of: their shape and policies."""

    change: Callable[[random.Random, Campaign], Campaign]
    expected: Callable[[Figures], Figures] = same
    without: Iterable[str] = ()
    of: Mapping[str, str] = {}


AVERAGE, BY_FILE, BY_ID = ({"ties": ties} for ties in ("average", "file", "trec"))
OF_ANSWERS, OF_PAIRS = ({"shape": shape, "unknown": "ignore"} for shape in (ANSWERS, PAIRS))

RELATIONS = {
    "the order of lines": Relation(other_lines),
    "the order of runs": Relation(other_runs),
    "the order of questions and answers": Relation(other_candidates, of=AVERAGE),
    "the order of questions and answers, ties by id": Relation(other_candidates, of=BY_ID),
    # ties across questions are in the order of the file by design
    "the order of questions, ties by file": Relation(other_questions, without=POOLED, of=BY_FILE),
    "other ids": Relation(renamed, of=AVERAGE),
    "other ids, ties by file": Relation(renamed, of=BY_FILE),
    "other ids in the same order": Relation(partial(renamed, keeps_order=True), of=BY_ID),
    # 2n ranks are more than n: the sums over ranks of all answers change by design
    "every question twice": Relation(doubled, of_double, POOLED - {"augrc"}, AVERAGE),
    "the other labels": Relation(other_labels, of_other_labels, of=OF_ANSWERS),
    "the other labels of pairs": Relation(other_labels, of_other_labels, of=OF_PAIRS),
    "all decisions and labels opposite": Relation(all_opposite, of_opposite,
        of={**OF_ANSWERS, "confidences": "dyadic", "missing": "error", **AVERAGE}),
    "other confidences in the same order": Relation(other_confidences, without=OF_SIZE,
        of={"missing": "error"}),
    "UNKNOWN written as what it counts as": Relation(unknown_written),
    # the line is below the lowest confidence: by how much, r sees
    "lines for answers without one": Relation(missing_written, without={"pearson_r"},
        of={"shape": ANSWERS, "missing": "rejected"}),
}  # fmt: skip


@lru_cache(maxsize=2000)
def before(seed: int, of: tuple[tuple[str, str], ...]) -> tuple[Campaign, By]:
    campaign = random_campaign(seed, **dict(of))
    return campaign, scored(campaign)


def differs(key: str, one: Fraction | None, other: Fraction | None) -> bool:
    if one is None or other is None or name_of(key) not in ROUNDED:
        return one != other
    return abs(one - other) > Fraction(1, 10**14)


def name_of(key: str) -> str:
    return key.partition("(")[0].partition("@")[0]


def assert_equal(found: By, expected: By, without: Iterable[str] = ()) -> None:
    """Assert that all rows have these figures; the expected ones need not be all."""
    assert found.keys() == expected.keys()
    for run, row in expected.items():
        mine = found[run].values | found[run].numbers
        pairs = {key: (mine[key], value) for key, value in (row.values | row.numbers).items()}
        wrong = {key: pair for key, pair in pairs.items() if differs(key, *pair)}
        assert {key for key in wrong if name_of(key) not in without} == set(), (run, wrong)


@pytest.mark.parametrize("name", mostly_slow(RELATIONS, 8))
@each("seed", SEEDS)
def test_scores(name: str, seed: int) -> None:
    relation = RELATIONS[name]
    campaign, figures = before(seed, tuple(relation.of.items()))
    expected = {run: relation.expected(row) for run, row in figures.items()}
    found = scored(relation.change(random.Random(seed), campaign))
    assert_equal(found, expected, relation.without)


@each("seed", SEEDS)
def test_other_names_of_runs(seed: int) -> None:
    campaign = random_campaign(seed)
    # a name is composed when it is read, and that of a column makes a table of the runs
    words = sorted({normalize("NFC", word) for word in IDS} - {"q_id"})
    names = dict(zip("abcst", random.Random(seed).sample(words, 5), strict=True))
    changed = campaign._replace(
        runs={names[name]: rows for name, rows in campaign.runs.items()},
        systems=[row | {"run": names[row["run"]]} for row in campaign.systems],
    )
    expected = {names.get(run, run): row for run, row in scored(campaign).items()}
    assert_equal(scored(changed), expected)


def halves(campaign: Campaign) -> list[Campaign]:
    """Return two parts of a campaign, if each has answers, and something of each run and system."""
    q_ids = [question.q_id for question in campaign.questions]
    for cut in range(1, len(q_ids)):
        parts = [campaign.part(q_ids[:cut]), campaign.part(q_ids[cut:])]
        names = [{row["run"] for row in part.systems} for part in parts]
        is_whole = all(all(part.runs.values()) for part in parts) and names[0] == names[1]
        if is_whole and (campaign.shape == OPEN or all(map(has_answers, parts))):
            return parts
    return []


def has_answers(campaign: Campaign) -> bool:
    return any(question.answers for question in campaign.questions)


@pytest.mark.parametrize("ties", ["average", "file"])
@each("seed", SEEDS)
def test_counts_of_parts_add_up(ties: str, seed: int) -> None:
    """Both as numbers, added here, and as counts with all confidences and rankings."""
    # a missing answer ranks below all of the run, so REJECTED ones know the other part by design
    missing = random.Random(seed).choice(["error", "excluded"])
    campaign = random_campaign(seed, ties=ties, missing=missing)
    whole, parts = score_of(campaign), [score_of(part) for part in halves(campaign)]
    for row in whole.rows if parts else ():
        found = [one for part in parts for one in part.rows if one.run == row.run]
        for family, counts in row.counts.items():
            of_parts = [one.counts[family] for one in found if family in one.counts]
            if len(of_parts) < len(parts) and row.kind is Kind.QA:
                continue  # a part may have no candidates, no replicates, or not all three types
            assert reduce(add, of_parts) == counts, (row.run, family.name)
            for name, number in counts.numbers().items():
                added = sum(Fraction(part.numbers()[name]) for part in of_parts)
                assert added == number, (row.run, name)
