"""Counts of each question, samples of questions, and intervals."""

from __future__ import annotations

import random
import re
from array import array
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import ave_score
from ave_score import Label, Resampling, parse_measures
from ave_score.counts import SELECTION, VALIDATION, additive_families, run_families
from ave_score.counts.decisions import decisions_of
from ave_score.inference.by_question import ByQuestion, evaluate
from ave_score.inference.counting import count_by_question
from ave_score.inference.resampling import bca, jackknife, replicate, weights, whole
from ave_score.inference.units import count_for
from ave_score.measures import MEASURES
from ave_score.measures.registry import EXAMPLES
from tests import each, examples
from tests.helpers_ranked import (
    Item,
    ap_relevant,
    lines_of,
    make_questions,
    mean,
    mean_over_orders,
    precision_in,
    read_texts,
    xml_of,
)
from tests.oracle import Campaign, make_campaign
from tests.test_oracle import read

SEEDS = st.integers(0, 10**9)
COUNTED = [one for one in MEASURES.values() if one.family.of_decisions]


@given(SEEDS)
@settings(max_examples=examples(40))
def test_each_row_is_what_is_counted_of_the_question_alone(seed: int) -> None:
    collection, (run,) = read(make_campaign(seed, questions=5, runs=1))
    found = count_by_question(run, collection, additive_families())
    for family in additive_families():
        assert family.of_decisions
        for number, decisions in enumerate(decisions_of(run, collection)):
            alone = family.of_decisions(decisions)
            expected = [float(value) for value in vars(alone).values()]
            assert np.asarray(found.columns[family])[number].tolist() == pytest.approx(expected)


@each("record", COUNTED)
def test_measures_of_many_samples_are_those_of_each(record: ave_score.measures.Measure) -> None:
    """Multiples of the worked example, and nothing at all, beside the exact function."""
    fields = [float(value) for value in vars(EXAMPLES[record.family].counts).values()]
    totals = np.array([fields, [0.0] * len(fields), [3 * one for one in fields]])
    exact = record(EXAMPLES[record.family].counts)
    nothing = record(type(EXAMPLES[record.family].counts)())
    found = evaluate(record, totals.T)
    assert exact is not None
    assert found[0] == pytest.approx(float(exact))
    assert np.isnan(found[1]) if nothing is None else found[1] == float(nothing)
    if not record.whole:
        assert found[2] == pytest.approx(float(exact))


def test_samples_have_as_many_questions_as_there_are() -> None:
    blocks = list(weights(7, Resampling(1000, seed=3)))
    times = np.concatenate(blocks)
    assert times.shape == (1000, 7)
    assert (times.sum(axis=1) == 7).all()
    # each question is in a sample once on average, and not at all in (6/7)^7 = 0.34 of them
    assert times.mean(axis=0) == pytest.approx(np.ones(7), abs=0.1)
    assert (times == 0).mean() == pytest.approx((6 / 7) ** 7, abs=0.02)


def test_a_sample_is_scored_as_a_collection_of_its_questions() -> None:
    """Every sample, scored by a loop over its questions with the exact measure."""
    collection, (run,) = read(make_campaign(11, questions=6, runs=1))
    (measure,) = parse_measures("e_alpha(3)")
    counted = count_by_question(run, collection, [measure.family])
    (values,) = replicate([counted], [measure], Resampling(40, 9)).values()
    assert VALIDATION.of_decisions
    alone = [*map(VALIDATION.of_decisions, decisions_of(run, collection))]
    for row, value in zip(np.concatenate(list(weights(6, Resampling(40, 9)))), values, strict=True):
        drawn = [alone[n] for n, times in enumerate(row) for _ in range(int(times))]
        total = drawn[0]
        for one in drawn[1:]:
            total = total + one
        exact = measure(total)
        assert value == pytest.approx(float(exact)) if exact is not None else np.isnan(value)


def test_intervals_equal_those_of_scipy() -> None:
    """The mean of a column: QA accuracy, whose sample is one 0 or 1 a question."""
    scipy_stats = pytest.importorskip("scipy.stats", reason="SCIPY IS MISSING: pip install scipy")
    chance = np.random.default_rng(4)
    right = (chance.random(120) < 0.3).astype(float)
    columns = np.zeros((120, 8))
    columns[:, 0], columns[:, 1], columns[:, 7] = right, 1 - right, 1
    counted = ByQuestion("run", {SELECTION: columns})
    (measure,) = parse_measures("qa_accuracy")
    (values,) = replicate([counted], [measure], Resampling(20_000, 1)).values()
    ours = bca(values, whole(counted, measure), jackknife(counted, measure), 0.95)
    how = {"n_resamples": 20_000, "method": "BCa", "random_state": 2}
    theirs = scipy_stats.bootstrap((right,), np.mean, **how).confidence_interval
    # the ends are multiples of 1/120, and the two drew different samples
    assert ours.low == pytest.approx(theirs.low, abs=1.01 / 120)
    assert ours.high == pytest.approx(theirs.high, abs=1.01 / 120)


def test_of_many_questions_some_are_left_out_for_all(monkeypatch: pytest.MonkeyPatch) -> None:
    """AUC without each of ten questions; then four of them stand for three, two, three and two."""
    collection, (run,) = read(make_campaign(3, questions=10, runs=1))
    (measure,) = parse_measures("auc")
    counted = count_for(run, collection, [measure], ave_score.Policies())
    alone = [counted.measured(measure, 1.0 - row[None])[0] for row in np.eye(10)]
    assert jackknife(counted, measure).tolist() == alone
    monkeypatch.setattr("ave_score.inference.resampling._LEFT_OUT", 4)
    few = jackknife(counted, measure).tolist()
    kept = [few[0], few[3], few[5], few[8]]
    assert few == [kept[place] for place in (0, 0, 0, 1, 1, 2, 2, 2, 3, 3)]
    others = iter(alone)
    assert all(value in others for value in kept), "another value, or another order"


def test_single_questions_have_no_samples() -> None:
    counted = ByQuestion("run", {SELECTION: np.ones((1, 8))})
    with pytest.raises(ave_score.UsageError, match="at least 2 questions, the collection has 1"):
        replicate([counted], parse_measures("qa_accuracy"), Resampling(10, 0))


RANKED_TOGETHER = (
    "cws, cws_rte, ap_rte, k, k1, pearson_r, brier, ece, ece(3), ece(3, bins=mass), auc, log_loss, "
    "average_precision, f_05_u, c_at_1_pan, aurc, e_aurc, augrc, risk_at_coverage(0.5), "
    "coverage_at_risk(0.25), coverage_at_risk(0.5), "
    "avg_rec@10, avg_rec(of=accepted)@2"
)


@given(SEEDS, st.sampled_from(["average", "file", "trec"]), st.booleans())
@settings(max_examples=examples(120))
def test_confidences_in_samples_are_those_of_the_repeated_questions(
    seed: int, ties: str, has_ties: bool
) -> None:
    """Every sample, written out as a collection of its questions, scored by the exact measures. In
    file order, copies of a question alternate if it has ties, and those of an answer do not."""
    chance = random.Random(seed)
    campaign = make_campaign(seed, questions=4, runs=1)
    if has_ties:  # one decimal of each confidence is left
        runs = [re.sub(r"(0\.\d)\d\d\n", r"\1\n", text) for text in campaign.runs]
        campaign = campaign._replace(runs=runs)
    collection, (run,) = read(campaign)
    sure = [*run.confidences, *(round(1 - confidence, 9) for confidence in run.confidences)]
    assume(ties != "file" or len({*sure}) == len(sure))
    measures = parse_measures(RANKED_TOGETHER)
    counted = count_for(run, collection, measures, ave_score.Policies.of(ties=ties))
    found, reasons = counted.samplers, counted.reasons
    pairs = zip(run.confidences, collection.labels, strict=True)
    infinite = not {(0, Label.VALIDATED), (1, Label.REJECTED)}.isdisjoint(pairs)
    assert reasons.keys() == ({"log_loss"} if infinite else set())
    measures = [one for one in measures if one.key not in reasons]
    assert found.keys() == {one.key for one in measures}
    times = [chance.randint(0, 3) for _ in collection.index.questions]
    times[0] = times[0] or 1
    exact = scored_with(campaign, times, RANKED_TOGETHER, ties)
    for measure in measures:
        with np.errstate(divide="ignore", invalid="ignore"):
            (value,) = found[measure.key](np.array([times, times], dtype=float))[:1]
        if exact[measure.key] is None:
            assert not np.isfinite(value)
        else:
            assert value == pytest.approx(float(exact[measure.key] or 0), abs=1e-9)


@given(SEEDS)
@settings(max_examples=examples(60), deadline=None)
def test_averaged_ties_of_samples_are_the_mean_over_every_order_of_the_copies(seed: int) -> None:
    """Every copy of an answer in a sample is an answer, in every order of equal confidences."""
    chance = random.Random(seed)
    questions = make_questions(seed, 3, 2, ["0.25", "0.5"], ("VALIDATED", "REJECTED"))
    collection, (run,) = read_texts(xml_of(questions), "".join(lines_of(questions)))
    times = [chance.randint(0, 2) for _ in questions]
    copies = [one for one, number in zip(questions, times, strict=True) for _ in range(number)]
    assume(copies)
    measures = parse_measures("cws, ap_rte, aurc")
    found = count_for(run, collection, measures, ave_score.Policies()).samplers
    everything = [item for question in copies for item in question]
    selected = [item for item in everything if item.verdict == "SELECTED"]

    def mean_precision(ranked: Sequence[Item], _: Sequence[Item]) -> Fraction:
        size = max(1, len(ranked))
        return mean([precision_in(ranked, place) for place in range(1, size + 1)])

    def cws(ranked: Sequence[Item], _: Sequence[Item]) -> Fraction:
        last = [precision_in(ranked, place) for place in range(1, len(copies) + 1)]
        return mean(last)

    expected = {"cws": mean_over_orders(selected, cws, [])}
    if selected:
        expected["aurc"] = 1 - mean_over_orders(selected, mean_precision, [])
    if any(item.right for item in everything):
        expected["ap_rte"] = mean_over_orders(everything, ap_relevant, everything)
    for key, value in expected.items():
        (got,) = found[key](np.array([times], dtype=float))
        assert got == pytest.approx(float(value), abs=1e-12), key


def scored_with(
    campaign: Campaign, times: list[int], measures: str, ties: str
) -> dict[str, Fraction | None]:
    """Score a campaign in which every question stands as often as `times` says, under new ids."""
    parts = re.findall(r"<q .*?</q>", campaign.gold, re.S)
    gold, lines = [], []
    for part, number in zip(parts, times, strict=True):
        q_id = part.split('"')[1]
        rows = [row for row in campaign.runs[0].splitlines() if row.split()[0] == q_id]
        for copy in range(number):
            gold.append(part.replace(f'<q id="{q_id}"', f'<q id="{q_id}c{copy}"'))
            lines += [f"{q_id}c{copy} {row.split(maxsplit=1)[1]}" for row in rows]
    copied = Campaign(f"<ave>{''.join(gold)}</ave>", ["\n".join([*lines, ""])])
    collection, runs = read(copied)
    policies = ave_score.Policies.of(ties=ties)
    scores = ave_score.score(collection, runs, measures=measures, policies=policies)
    return dict(scores.rows[0].values)


def test_measures_that_do_not_apply_have_no_samples() -> None:
    collection, (run,) = read(make_campaign(3, questions=4, runs=1))
    wide = replace(run, confidences=array("d", [3 * one - 1 for one in run.confidences]))
    measures = parse_measures(RANKED_TOGETHER)
    counted = count_for(wide, collection, measures, ave_score.Policies(ties="file"))
    found, reasons = counted.samplers, counted.reasons
    need_probabilities = {
        *("cws_rte", "brier", "ece", "ece(3)", "ece(3, bins=mass)", "log_loss", "f_05_u"),
        *("c_at_1_pan", "k", "k1"),
    }
    assert found.keys() == {one.key for one in measures} - need_probabilities
    assert reasons == dict.fromkeys(need_probabilities, "there are confidences outside 0..1")


def test_an_infinite_loss_has_no_samples() -> None:
    collection, (run,) = read(make_campaign(3, questions=4, runs=1))
    wrong = collection.labels.index(Label.REJECTED)
    sure = array("d", run.confidences)
    sure[wrong] = 1.0
    measures = parse_measures("log_loss, brier")
    counted = count_for(replace(run, confidences=sure), collection, measures, ave_score.Policies())
    assert counted.samplers.keys() == {"brier"}
    assert counted.reasons == {"log_loss": "a confidence of 0 or 1 is wrong, so it is infinite"}


def test_every_measure_of_runs_has_samples() -> None:
    """A forgotten sampler is seen here, and named where intervals are requested."""
    decided = [one for one in MEASURES.values() if one.family in run_families()]
    collection, (run,) = read(make_campaign(3, questions=4, runs=1))
    counted = count_for(run, collection, decided, ave_score.Policies(ties="file"))
    assert not counted.reasons
    for one in decided:
        assert counted.has_values(one)
        assert counted.has(one) is not bool(one.no_interval)
        assert counted.adds_up(one) is not bool(one.sampler)
    (auc,) = parse_measures("auc")
    forgotten = auc._replace(sampler=None)
    counted = count_for(run, collection, [forgotten], ave_score.Policies())
    assert not counted.has(forgotten)
    assert counted.why_not(forgotten) == "it is not computed on samples of questions"
