"""A family of counts is one record: an invented family is counted everywhere."""

from __future__ import annotations

import json
import pickle
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import pytest

import ave_score
from ave_score import Design, IntervalPolicy, Measure, Resampling, Scores, counts, parse_measures
from ave_score.core.exact import ratio
from ave_score.counts import FAMILIES, TABLES, Counts, Family, NotCounted, count
from ave_score.counts.decisions import Decisions
from ave_score.measures import MEASURES


@dataclass(eq=False, repr=False)
class DoublyCounts(Counts):
    """Questions, and those of which several answers are accepted."""

    doubly_questions: int = count("Questions.")
    doubly_accepted: int = count("Questions of which several answers are accepted.")


def count_doubly(decisions: Decisions) -> DoublyCounts:
    return DoublyCounts(1, int(decisions.right + decisions.wrong + decisions.unsure > 1))


def count_system_doubly(outcome: object) -> DoublyCounts:
    return DoublyCounts(1, 0)


@pytest.fixture
def registries() -> Iterator[None]:
    """Forget what a test registers."""
    changed: list[dict[str, Any]] = [MEASURES, FAMILIES, TABLES]
    before = [{**registry} for registry in changed]
    yield
    for registry, entries in zip(changed, before, strict=True):
        registry.clear()
        registry.update(entries)


@pytest.fixture
def doubly(registries: None) -> Measure:
    family = Family(
        "doubly",
        DoublyCounts,
        table="doubly",
        of_decisions=count_doubly,
        of_outcome=count_system_doubly,
    )
    measure = Measure(
        "doubly_rate",
        "Doubly",
        family,
        formula="",
        undefined="undefined",
        source="this test",
        function=lambda one: ratio(one.doubly_accepted, one.doubly_questions),
    )
    MEASURES[measure.name] = measure
    return measure


def document_of(scores: Scores) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(scores.to_text("json"))
    return found


def scored(measures: str) -> Scores:
    collection = ave_score.read_collection("gold/ave2007-es.xml")
    runs = [
        ave_score.read_run(f"sample_runs/ave2007-es/{name}.txt", collection)
        for name in ("Rodrigo", "García_1")
    ]
    qa = ave_score.read_judged("gold/ave2007-es.qa.tsv", collection)
    policies = ave_score.Policies(intervals=IntervalPolicy(resamples=200))
    return ave_score.score(collection, runs, qa[:1], measures=measures, policies=policies)


def test_an_invented_family_is_counted_sampled_and_written(doubly: Measure) -> None:
    assert parse_measures("doubly") == [doubly]
    assert doubly in parse_measures("all")
    scores = scored("doubly, macro_f1")
    row, other, system, *baselines = scores.rows
    # counted by hand from the file: a question with two or more accepted lines
    collection = ave_score.read_collection("gold/ave2007-es.xml")
    run = ave_score.read_run("sample_runs/ave2007-es/Rodrigo.txt", collection)
    several = [sum(one > 1 for one in run.verdicts[span]) > 1 for span in collection.index.spans]
    assert row.values["doubly_rate"] == Fraction(sum(several), len(several))
    assert system.values["doubly_rate"] == 0
    assert not any("doubly_rate" in one.intervals for one in baselines)
    low, high = row.intervals["doubly_rate"].interval
    assert low <= float(row.values["doubly_rate"] or 0) <= high
    # 0 for every question: no interval of no width; 3.84 / (170 + 3.84) is Wilson's upper end
    assert system.intervals["doubly_rate"].method == "wilson-effective"
    assert system.intervals["doubly_rate"].interval == pytest.approx((0, 0.0221), abs=2e-4)
    document = document_of(scores)["runs"][0]
    assert document["counts"]["doubly_accepted"] == sum(several)
    assert document["measures"]["doubly_rate"] == sum(several) / len(several)
    assert "doubly_rate" in document["intervals"]
    assert other.counts[doubly.family].numbers().keys() == {"doubly_questions", "doubly_accepted"}


def test_an_invented_family_is_compared(doubly: Measure) -> None:
    collection = ave_score.read_collection("gold/ave2007-es.xml")
    runs = [
        ave_score.read_run(f"sample_runs/ave2007-es/{name}.txt", collection)
        for name in ("Rodrigo", "García_1")
    ]
    design = Design(resampling=Resampling(100))
    (found,) = ave_score.compare(collection, runs, measures=[doubly], design=design).comparisons
    values = {one.run: one.value for one in found.standings}
    assert values == {
        row.run: row.values["doubly_rate"]
        for row in ave_score.score(collection, runs, measures=[doubly]).rows[:2]
    }


def test_a_family_is_registered_once_and_is_itself_in_another_process() -> None:
    with pytest.raises(ValueError, match="family validation is registered twice"):
        Family("validation", counts.ValidationCounts, table="validation")
    assert pickle.loads(pickle.dumps(counts.VALIDATION)) is counts.VALIDATION


def test_a_measure_without_a_sampler_says_that_it_has_no_interval() -> None:
    """The system gives no answers to be validated; of its confidences nothing is sampled."""
    auc = parse_measures("auc")[0]._replace(name="forgotten", sampler=None)
    collection = ave_score.read_collection("gold/tiny.xml")
    run = ave_score.read_run("sample_runs/tiny/bold.txt", collection)
    policies = ave_score.Policies(intervals=IntervalPolicy(resamples=50))
    scores = ave_score.score(collection, [run], measures=[auc, "f1"], policies=policies)
    row = scores.rows[0]
    assert row.intervals.keys() == {"f1"}
    reason = "it is not computed on samples of questions"
    assert row.no_interval == {"forgotten": reason}
    document = document_of(scores)["runs"]
    assert document[0]["no_interval"] == {"forgotten": reason}
    assert "no_interval" not in document[-1]


def test_a_counter_may_say_why_nothing_is_counted(registries: None) -> None:
    def refuse(_: Decisions) -> Counts:
        raise NotCounted("it is Sunday")

    family = Family("sunday", DoublyCounts, table="sunday", of_decisions=refuse)
    measure = Measure("never", "Never", family, "", "", "", lambda _: None)
    collection = ave_score.read_collection("gold/tiny.xml")
    run = ave_score.read_run("sample_runs/tiny/bold.txt", collection)
    (row, *_) = ave_score.score(collection, [run], measures=[measure]).rows
    assert row.reasons == {"never": "it is Sunday"}
