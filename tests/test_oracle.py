"""Scores against independent oracles: a naive scorer, scikit-learn, brute force, and properties."""

from __future__ import annotations

import itertools
import tempfile
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ave_score
from ave_score import Kind
from ave_score.counts import SELECTION, VALIDATION
from tests import examples
from tests.oracle import Campaign, campaigns, labels_of, make_campaign, naive_scores, verdicts_of

SEEDS = st.integers(0, 2**32)
FAMILIES = "validation,selection,answering"


def read(campaign: Campaign) -> tuple[ave_score.Collection, list[ave_score.Run]]:
    with tempfile.TemporaryDirectory() as folder:
        gold = Path(folder, "gold.xml")
        gold.write_text(campaign.gold, encoding="utf-8")
        collection = ave_score.read_collection(gold)
        runs = []
        for number, text in enumerate(campaign.runs):
            path = Path(folder, f"run{number}.txt")
            path.write_text(text, encoding="utf-8")
            runs.append(ave_score.read_run(path, collection))
    return collection, runs


def scored(campaign: Campaign) -> ave_score.Scores:
    return ave_score.score(*read(campaign), measures=FAMILIES)


def rows(scores: ave_score.Scores, kind: Kind = Kind.AV) -> list[ave_score.Row]:
    return [row for row in scores.rows if row.kind is kind]


@given(campaigns)
def test_every_measure_equals_the_naive_scorer(campaign: Campaign) -> None:
    for row, text in zip(rows(scored(campaign)), campaign.runs, strict=True):
        assert row.values == naive_scores(campaign.gold, text)


def test_the_naive_scorer_knows_every_measure() -> None:
    campaign = make_campaign(1)
    naive = naive_scores(campaign.gold, campaign.runs[0])
    assert naive.keys() == scored(campaign).rows[0].values.keys()


@pytest.mark.parametrize("seed", range(5))
def test_validation_measures_equal_scikit_learn(seed: int) -> None:
    """Floats against exact fractions: equal to 12 digits."""
    metrics = pytest.importorskip("sklearn.metrics")
    campaign = make_campaign(seed, questions=60, runs=1)
    truth, said = [], []
    verdicts = verdicts_of(campaign.runs[0])
    for answers in labels_of(campaign.gold).values():
        for answer, label in answers.items():
            if label != "UNKNOWN":
                truth.append(label == "VALIDATED")
                said.append(verdicts[answer] != "REJECTED")
    scores = ave_score.score(*read(campaign), measures="all, f_beta(2), f_beta(3.5)")
    values = scores.rows[0].values
    expected = {
        "precision": metrics.precision_score(truth, said),
        "recall": metrics.recall_score(truth, said),
        "f1": metrics.f1_score(truth, said),
        "f_beta": metrics.fbeta_score(truth, said, beta=0.5),
        "f_beta(2)": metrics.fbeta_score(truth, said, beta=2),
        "f_beta(3.5)": metrics.fbeta_score(truth, said, beta=3.5),
        "accuracy": metrics.accuracy_score(truth, said),
        "error": metrics.zero_one_loss(truth, said),
        "auc_point": metrics.roc_auc_score(truth, said),
    }
    for key, value in expected.items():
        mine = values[key]
        assert mine is not None
        assert float(mine) == pytest.approx(value, abs=1e-12), key


@given(campaigns)
def test_no_run_beats_perfect_selection(campaign: Campaign) -> None:
    scores = scored(campaign)
    perfect = next(row for row in scores.rows if row.run == "Perfect selection")
    for row in scores.rows:
        if SELECTION in row.counts:
            for key in ("qa_accuracy", "qa_rej_accuracy", "qa_accuracy_max"):
                mine, best = row.values[key], perfect.values[key]
                assert mine is not None
                assert best is not None
                assert mine <= best


@given(st.builds(make_campaign, seed=SEEDS, questions=st.integers(1, 4), runs=st.just(1)))
@settings(max_examples=examples(30))
def test_random_is_the_mean_over_all_selections(campaign: Campaign) -> None:
    """Every way to select one answer a question, scored as a run of its own."""
    collection, _ = read(campaign)
    ids = [*zip(collection.index.q_ids, collection.index.a_ids, strict=True)]
    texts = [
        "".join(f"{q} {a} {('REJECTED', 'SELECTED')[(q, a) in picks]} 0.5\n" for q, a in ids)
        for picks in itertools.product(*map(list, labels_of(campaign.gold).values()))
    ]
    scores = scored(campaign._replace(runs=texts))
    baseline = next(row for row in scores.rows if row.run == "Random")
    for key in ("qa_accuracy", "qa_rej_accuracy", "normalized_qa_accuracy"):
        values = [row.values[key] for row in rows(scores)]
        defined = [value for value in values if value is not None]
        if defined:
            assert baseline.values[key] == sum(defined, Fraction(0)) / len(values)
        else:
            assert baseline.values[key] is None
    unknown = [row.counts[SELECTION].selected_unknown for row in rows(scores)]  # type: ignore[attr-defined]
    counted = baseline.counts[SELECTION].selected_unknown  # type: ignore[attr-defined]
    assert counted == Fraction(sum(unknown), len(unknown))


@given(campaigns, st.sampled_from([0, 1]))
def test_all_or_nothing_baselines_equal_such_runs(campaign: Campaign, share: int) -> None:
    """A run that validates everything, or nothing, scores as the baseline of 100 %, or 0 %."""
    text = ""
    for answers in labels_of(campaign.gold).values():
        for place, (q_id, a_id) in enumerate(answers):
            verdict = ("SELECTED" if place == 0 else "VALIDATED") if share else "REJECTED"
            text += f"{q_id} {a_id} {verdict} 0.5\n"
    scores = scored(campaign._replace(runs=[text]))
    baseline = next(row for row in scores.rows if row.run == f"{100 * share}% VALIDATED")
    mine = rows(scores)[0]
    assert mine.counts[VALIDATION] == baseline.counts[VALIDATION]
    for key in ("macro_f1", "macro_f1_either", "class_macro_f1"):
        assert mine.values[key] == baseline.values[key]


@given(st.builds(make_campaign, seed=SEEDS, questions=st.integers(1, 2), runs=st.just(1)))
@settings(max_examples=examples(30))
def test_half_baseline_is_the_mean_over_all_decisions(campaign: Campaign) -> None:
    """The expected counts of validating each answer by the toss of a coin, by enumeration."""
    labels = [label for answers in labels_of(campaign.gold).values() for label in answers.values()]
    total = [Fraction(0)] * 4
    for tosses in itertools.product([True, False], repeat=len(labels)):
        for toss, label in zip(tosses, labels, strict=True):
            if label != "UNKNOWN":
                total[(not toss) * 2 + (label == "REJECTED")] += Fraction(1, 2 ** len(labels))
    half = next(row for row in scored(campaign).rows if row.run == "50% VALIDATED")
    counts = half.counts[VALIDATION]
    assert list(vars(counts).values())[:4] == total
