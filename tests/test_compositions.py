"""Scores from how many questions have each composition, against the naive scorer and all files."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ave_score
from ave_score import Collection, Kind, Policies, Run, Scores
from ave_score.core.errors import UsageError
from ave_score.core.model import AnswerIndex
from ave_score.counts import run_families
from ave_score.measures import parse_measures
from ave_score.reports.formats import FORMATS
from ave_score.tasks.score import score_compositions
from tests import examples, mostly_slow
from tests.oracle import Campaign, campaigns, labels_of, naive_scores, verdicts_of
from tests.test_oracle import read

LABELS = {"REJECTED": 0, "VALIDATED": 1, "UNKNOWN": 2}
VERDICTS = {"REJECTED": 1, "VALIDATED": 2, "SELECTED": 3}
COUNTED = [one for one in parse_measures("all", run_families()) if one.family.of_answers]
FOLDERS = sorted(
    folder.name
    for folder in Path("sample_runs").glob("ave200[78]-*")
    if any(Path("gold").glob(f"{folder.name}.xml*"))
)


def compositions(labels: dict[str, dict[tuple[str, str], str]], run: str = "") -> Counter[bytes]:
    """Return composition -> number of questions, with the codes of docs: 8 x verdict + label."""
    verdicts = verdicts_of(run)
    codes = {ids: 8 * VERDICTS[verdict] for ids, verdict in verdicts.items()}
    return Counter(
        bytes(sorted(codes.get(ids, 0) + LABELS[label] for ids, label in answers.items()))
        for answers in labels.values()
    )


def without_answers(collection: Collection) -> Collection:
    return replace(collection, index=AnswerIndex([], [0], [], []), labels=b"")


def of_values(collection: Collection, run: Run | None = None) -> Counter[bytes]:
    """Return composition -> number of questions, of values that were read."""
    verdicts = bytes(len(collection.labels)) if run is None else run.verdicts
    cells = [
        8 * verdict + label for verdict, label in zip(verdicts, collection.labels, strict=True)
    ]
    return Counter(bytes(sorted(cells[span])) for span in collection.index.spans)


def texts(scores: Scores) -> list[str]:
    return [scores.to_text(form) for form in FORMATS]


@given(campaigns)
def test_every_measure_equals_the_naive_scorer(campaign: Campaign) -> None:
    labels = labels_of(campaign.gold)
    runs = [(str(at), compositions(labels, run).items()) for at, run in enumerate(campaign.runs)]
    about = Collection("gold.xml", "", AnswerIndex([], [0], [], []), b"")
    scores = score_compositions(about, compositions(labels).items(), runs)
    rows = [row for row in scores.rows if row.kind is Kind.AV]
    assert [row.run for row in rows] == [name for name, _ in runs]
    for row, text in zip(rows, campaign.runs, strict=True):
        assert row.values == naive_scores(campaign.gold, text)


@pytest.mark.slow
@given(campaigns, st.sampled_from(["ignore", "incorrect", "correct"]))
@settings(max_examples=examples(60))
def test_all_formats_equal_those_of_all_answers(campaign: Campaign, unknown: str) -> None:
    gold, runs = read(campaign)
    policies = Policies(unknown=unknown)
    expected = ave_score.score(gold, iter(runs), policies=policies, measures=COUNTED)
    found = score_compositions(
        without_answers(gold),
        of_values(gold).items(),
        [(run.name, of_values(gold, run).items()) for run in runs],
        policies=policies,
        measures=COUNTED,
    )
    assert (found.collection, found.signature) == (expected.collection, expected.signature)
    assert found.rows == expected.rows
    assert texts(found) == texts(expected)


@pytest.mark.parametrize("name", mostly_slow(FOLDERS))
def test_shipped_runs_give_equal_texts(name: str) -> None:
    gold = ave_score.read_collection(next(Path("gold").glob(f"{name}.xml*")))
    runs = [
        ave_score.read_run(path, gold) for path in sorted(Path("sample_runs", name).glob("*.txt*"))
    ]
    assert runs
    given = [(run.name, of_values(gold, run).items()) for run in runs]
    found = score_compositions(
        without_answers(gold), of_values(gold).items(), given, measures=COUNTED
    )
    assert texts(found) == texts(ave_score.score(gold, iter(runs), measures=COUNTED))


def test_questions_without_answers_count() -> None:
    """Three questions, one without answers: 1 of 3 selected right, by hand."""
    index = AnswerIndex.of({"1": {"1_1": None}, "2": {}, "3": {"3_1": None}})
    gold = Collection("g", "0", index, bytes([1, 0]))
    found = score_compositions(
        without_answers(gold),
        [(b"", 1), (b"\1", 1), (b"\0", 1)],
        [("run", [(bytes([8 * 3 + 1]), 1), (b"", 1), (bytes([8 * 1]), 1)])],
        measures="qa_accuracy",
    )
    assert found.rows[0].values["qa_accuracy"] == Fraction(1, 3)
    plain = ave_score.score(gold, iter(()), measures="qa_accuracy")
    assert found.rows[1:] == plain.rows
    assert found.collection == plain.collection


def test_a_million_answers_are_counted_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Compositions beyond the block that is counted at a time add up to the same."""
    monkeypatch.setattr("ave_score.counts.compositions._ANSWERS", 3)
    test_every_measure_equals_the_naive_scorer()


@pytest.mark.parametrize("measures", ["map", "auc", "f1,mrr"])
def test_measures_that_need_confidences_are_refused(measures: str) -> None:
    about = Collection("gold.xml", "", AnswerIndex([], [0], [], []), b"")
    with pytest.raises(UsageError, match="need the confidence of each answer"):
        score_compositions(about, [(b"\1", 1)], [], measures=measures)


@pytest.mark.parametrize("setting", [{"threshold": 0.5}, {"intervals": ave_score.IntervalPolicy()}])
def test_policies_that_need_answers_are_refused(setting: dict[str, object]) -> None:
    policies = Policies(**setting)
    about = Collection("gold.xml", "", AnswerIndex([], [0], [], []), b"")
    with pytest.raises(UsageError, match="only counts are read"):
        score_compositions(about, [(b"\1", 1)], [], policies=policies)
