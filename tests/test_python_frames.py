"""Frames with columns of their own, at every function that takes a path."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import ave_score
from ave_score import DefectError, Design, IntervalPolicy, Policies, Sampling, UsageError
from tests import each

GOLD = pd.DataFrame(
    [
        {"q_id": str(q), "a_id": a, "label": label, "topic": f"t{q % 4}"}
        for q in range(12)
        for a, label in (("a", "VALIDATED"), ("b", "REJECTED"))
    ]
)


def run(wrong: int) -> pd.DataFrame:
    """Return a run that is wrong on the first questions."""
    rows = GOLD[["q_id", "a_id"]].copy()
    right = (rows["a_id"] == "a") ^ (rows["q_id"].astype(int) < wrong)
    rows["verdict"] = right.map({True: "SELECTED", False: "REJECTED"})
    rows["confidence"] = right.map({True: 0.75, False: 0.25})
    return rows


RUNS = {"one": run(2), "two": run(5)}
NAMES = {"q_id": "question", "a_id": "candidate"}
WORDS = {"good": "VALIDATED", "bad": "REJECTED", "best": "SELECTED"}
SAID = {word: own for own, word in WORDS.items()}
OWN: Any = {"columns": NAMES, "values": WORDS}


def own(frame: pd.DataFrame) -> pd.DataFrame:
    """Return a frame with names and words of its own."""
    return frame.rename(columns=NAMES).replace(SAID)


OWN_GOLD, OWN_RUNS = own(GOLD), {name: own(frame) for name, frame in RUNS.items()}
SCORES = GOLD[["q_id", "a_id"]].assign(score=RUNS["one"]["confidence"], correct=[True, False] * 12)
FEW = Sampling(resamples=20)


def frame_of(result: Any) -> pd.DataFrame:  # noqa: ANN401 - of any function
    made: pd.DataFrame = result if isinstance(result, pd.DataFrame) else result.to_frame()
    return made


@each("function, more", [
    (ave_score.score, {}),
    (ave_score.compare, {"measures": "qa_accuracy"}),
    (ave_score.per_question, {}),
    (ave_score.break_down, {"by": "topic"}),
    (ave_score.sweep, {}),
    (ave_score.stability, {"sampling": FEW}),
    (ave_score.swap, {"sampling": FEW}),
])  # fmt: skip
def test_frames_with_own_names_are_read_as_those_with_the_usual_ones(
    function: Callable[..., Any], more: dict[str, Any]
) -> None:
    usual, named = function(GOLD, RUNS, **more), function(OWN_GOLD, OWN_RUNS, **OWN, **more)
    pd.testing.assert_frame_equal(frame_of(usual), frame_of(named))


def test_functions_of_one_sort_of_table_take_own_names(tmp_path: Path) -> None:
    counted = ave_score.stats(OWN_GOLD, **OWN).to_frame()
    assert counted["answers"].tolist() == [24]
    agreed = ave_score.agree(OWN_RUNS, collection=OWN_GOLD, **OWN).to_frame()
    usual = ave_score.agree(RUNS, collection=GOLD).to_frame()
    pd.testing.assert_frame_equal(agreed, usual)
    file = tmp_path / "own.csv"
    OWN_GOLD.to_csv(file, index=False)
    ave_score.convert(file, tmp_path / "new.csv", **OWN)
    assert ave_score.stats(tmp_path / "new.csv").to_frame()["answers"].tolist() == [24]
    with pytest.raises(TypeError, match="unexpected keyword argument 'names', only columns, val"):
        ave_score.agree(RUNS, names={})  # type: ignore[call-arg]


def test_scores_of_verifiers_are_taken_as_frames() -> None:
    """The best of two is right on the 10 questions on which `one` is; one at random on half."""
    decided = ave_score.decide(SCORES)
    assert decided.run.verdicts == ave_score.read_run(RUNS["one"], GOLD).verdicts
    named = SCORES.rename(columns=NAMES)
    assert ave_score.decide(named, columns=NAMES).run.verdicts == decided.run.verdicts
    curves = ave_score.best_of_n({"mine": named}, columns=NAMES).curves
    assert {curve.name: float(curve.points[-1].value or 0) for curve in curves} == {
        "mine": pytest.approx(10 / 12),
        "Oracle": 1,
        "Random": 0.5,
    }
    two = ave_score.best_of_n([SCORES, SCORES.assign(score=1)])
    assert [curve.name for curve in two.curves[:2]] == ["scores1", "scores2"]


def test_clusters_are_named_by_the_attribute_of_questions() -> None:
    clusters = ave_score.read_clusters("topic", ave_score.read_collection(GOLD))
    few = ave_score.Resampling(100)
    for design in (Design(resampling=few), Design("bootstrap", few)):
        by_name = ave_score.compare(GOLD, RUNS, design=design._replace(clusters="topic"))
        by_value = ave_score.compare(GOLD, RUNS, design=design._replace(clusters=clusters))
        pd.testing.assert_frame_equal(by_name.to_frame(), by_value.to_frame())
        assert "cluster:topic" in by_name.signature
    for function in (ave_score.score, ave_score.report, ave_score.plot):
        function(
            GOLD, RUNS, policies=Policies(intervals=IntervalPolicy(resamples=100, clusters="topic"))
        )
    with pytest.raises(UsageError, match="no file or attribute 'passage'; questions have topic"):
        ave_score.compare(GOLD, RUNS, design=Design(clusters="passage"))
    with pytest.raises(UsageError, match=r"expected an attribute .questions have topic"):
        ave_score.break_down(GOLD, RUNS)


def test_policies_of_a_comparison_are_named_beside_the_design() -> None:
    some = GOLD.assign(label=GOLD["label"].mask(GOLD["q_id"] == "3", "UNKNOWN"))
    policies = Policies(unknown="incorrect")
    beside = ave_score.compare(some, RUNS, policies=policies)
    inside = ave_score.compare(some, RUNS, design=Design(policies=policies))
    pd.testing.assert_frame_equal(beside.to_frame(), inside.to_frame())
    assert beside.signature == inside.signature


@each("function, message", [
    (lambda: ave_score.score(OWN_GOLD, RUNS),
     "a table with other columns, expected a collection (XML, CSV or JSON Lines); columns says "
     "which is which; it has question, candidate, label, topic"),
    (lambda: ave_score.score(GOLD.rename(columns={"label": "gold"}), RUNS),
     "columns says which is which; it has q_id, a_id, gold, topic"),
    (lambda: ave_score.score(GOLD, RUNS["one"].rename(columns={"verdict": "said"})),
     "no key 'verdict' in the object; threshold T decides by confidences alone; it has q_id, a_id"),
    (lambda: ave_score.decide(SCORES.rename(columns={"score": "reward"})),
     "no key 'score' in the object; columns chooses one; it has q_id, a_id, reward"),
])  # fmt: skip
def test_frames_without_the_columns_are_told_which_they_have(
    function: Callable[[], object], message: str
) -> None:
    with pytest.raises(DefectError) as error:
        function()
    assert message in str(error.value)
    assert "JSON," not in str(error.value)


def test_tables_of_judged_answers_and_of_scores_are_read_with_own_names() -> None:
    judged = pd.DataFrame({"id": ["1", "2"], "model": ["m", "m"], "grade": ["good", "bad"]})
    own: Any = {"columns": {"q_id": "id", "run": "model", "judgement": "grade"},
                "values": {"good": "R", "bad": "W"}}  # fmt: skip
    _, (system,) = ave_score.read_judged_gold(judged, **own)
    assert [answer.judgement for answer in system.answers] == ["R", "W"]
    collection = ave_score.read_collection(GOLD[GOLD["q_id"].isin(["1", "2"])])
    (same,) = ave_score.read_judged(judged, collection, **own)
    assert [answer.judgement for answer in same.answers] == ["R", "W"]
    said = SCORES.assign(correct=["good", "bad"] * 12)
    words = {"good": "VALIDATED", "bad": "REJECTED"}
    assert ave_score.read_scores(said, values=words).labels == ave_score.read_scores(SCORES).labels


@each("backend", [pd.DataFrame, list])
def test_teams_and_systems_of_runs_are_frames_or_rows(backend: Callable[[list[Any]], Any]) -> None:
    """A column primary says which runs count; a table of systems makes one of two runs."""
    teams = [{"run": "one", "team": "A", "primary": True}, {"run": "two", "team": "B"}]
    rows = {row.run: row for row in ave_score.score(GOLD, RUNS, teams=backend(teams)).rows}
    assert (rows["one"].team, rows["two"].team) == ("A", "B")
    assert (rows["one"].is_primary, rows["two"].is_primary) == (True, False)
    systems = backend([{"run": run, "system": "both", "seed": 1} for run in RUNS])
    (row, *_) = ave_score.score(GOLD, RUNS, replicates=systems, measures="qa_accuracy").rows
    assert (row.run, len(row.of_runs["qa_accuracy"])) == ("both", 2)
