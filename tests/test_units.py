"""Everything that is scored is counted by unit: pairs, QA systems, responses, confidences."""

from __future__ import annotations

import random
from dataclasses import replace
from html import unescape
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ave_score
from ave_score import Design, IntervalPolicy, Resampling, Response, ResponseRun, parse_measures
from ave_score.inference.intervals import IntervalSampler
from ave_score.inference.units import count_for
from tests import examples
from tests.helpers_command import document_of, output, refusal
from tests.helpers_files import put
from tests.test_responses_scores import open_gold

SEEDS = st.integers(0, 10**9)
DEFAULT = ave_score.Policies()


def pairs(
    folder: Path, labels: list[str], *runs: list[tuple[str, float]]
) -> tuple[ave_score.Collection, list[ave_score.Run]]:
    """Write and read pairs 1, 2, ... and runs of verdicts with confidences."""
    rows = "".join(
        f'<pair id="{n}" value="{label}"><t>x</t><h>y</h></pair>' for n, label in enumerate(labels)
    )
    collection = ave_score.read_collection(put(folder, f"<c>{rows}</c>", "pairs.xml"))
    read = []
    for number, lines in enumerate(runs):
        text = "".join(f"{n} {verdict} {sure}\n" for n, (verdict, sure) in enumerate(lines))
        read.append(ave_score.read_run(put(folder, text, f"run{number}.txt"), collection))
    return collection, read


def test_each_pair_is_a_unit(tmp_path: Path) -> None:
    """By hand: a sample that has the pairs 0, 0, 2, 3 of YES/YES, NO/YES, NO/NO, YES/NO."""
    given_run = [("YES", 0.9), ("YES", 0.8), ("NO", 0.3), ("NO", 0.6)]
    collection, (run,) = pairs(tmp_path, ["YES", "NO", "NO", "YES"], given_run)
    measures = parse_measures("accuracy, precision, f1, auc")
    counted = count_for(run, collection, measures, DEFAULT)
    assert (counted.unit, list(counted.ids), counted.questions) == ("pair", ["0", "1", "2", "3"], 4)
    times = np.array([[2.0, 0, 1, 1]])
    # right: 0, 0, 2; validated: 0, 0, both correct; correct: 0, 0, 3; 3 of 3 pairs of the
    # correct 0.9, 0.9, 0.6 and the wrong 0.3 are in order
    expected = {"accuracy": 3 / 4, "precision": 1, "f1": 2 * 2 / (2 * 2 + 1), "auc": 1}
    for measure in measures:
        assert counted.measured(measure, times)[0] == pytest.approx(expected[measure.key])


def test_pairs_are_compared_by_every_swap(tmp_path: Path) -> None:
    """Accuracy: the first run is right on four pairs that the second gets wrong: p = 2/2^4."""
    labels = ["YES"] * 6
    first = [("YES", 0.5)] * 6
    second = [("NO", 0.5)] * 4 + [("YES", 0.5)] * 2
    collection, runs = pairs(tmp_path, labels, first, second)
    (found,) = ave_score.compare(collection, runs, measures="accuracy").comparisons
    assert (found.unit, found.questions, found.design.test) == ("pair", 6, "randomisation")
    assert found.pairs[0].p == pytest.approx(2 / 2**4)
    assert found.pairs[0].score == (4, 2, 0)


def test_runs_of_pairs_without_confidences_have_no_auc(tmp_path: Path) -> None:
    collection, _ = pairs(tmp_path, ["YES", "NO", "YES"])
    run = ave_score.read_run(put(tmp_path, "0 YES\n1 NO\n2 NO\n", "bare.txt"), collection)
    measures = parse_measures("auc, f1")
    counted = count_for(run, collection, measures, DEFAULT)
    assert list(counted.reasons) == ["auc"]
    assert "confidence" in counted.reasons["auc"]
    said = "no auc of 2 of 2 runs: not every answer has a confidence"
    with pytest.raises(ave_score.UsageError, match=said):
        ave_score.compare(collection, [run, replace(run, name="other")], measures=measures)


def system_rows(seed: int, questions: int) -> list[tuple[str, float]]:
    """Draw a judgement and a confidence for each question; U is unanswered."""
    chance = random.Random(seed)
    return [(chance.choice("RRWWU"), chance.choice([0.2, 0.5, 0.8])) for _ in range(questions)]


def read_system(folder: Path, rows: list[tuple[str, float]]) -> tuple[Any, Any]:
    lines = ["q_id\trun\tjudgement\tconfidence\tanswered"]
    for number, (letter, sure) in enumerate(rows):
        answered = "NO" if letter == "U" else "YES"
        lines.append(f"{number}\ts\t{'W' if letter == 'U' else letter}\t{sure}\t{answered}")
    path = put(folder, "\n".join([*lines, ""]), "judged.tsv")
    return ave_score.read_judged_gold(path)


@given(SEEDS, st.sampled_from(["average", "file"]))
@settings(max_examples=examples(25), deadline=None)
def test_confidences_of_a_system_in_samples(
    tmp_path_factory: pytest.TempPathFactory, seed: int, ties: str
) -> None:
    """Every sample, written out as a judged file of its questions, scored by the exact measures."""
    folder, names = tmp_path_factory.mktemp("system"), "cws, k, k1, aurc, c_at_1"
    rows = system_rows(seed, 5)
    policies = ave_score.Policies.of(ties=ties)
    collection, (system,) = read_system(folder, rows)
    measures = parse_measures(names)
    counted = count_for(system, collection, measures, policies)
    assert not counted.reasons
    chance = random.Random(seed)
    times = [chance.randint(0, 3) for _ in rows]
    times[0] = times[0] or 1
    drawn = [row for row, number in zip(rows, times, strict=True) for _ in range(number)]
    other, (repeated,) = read_system(folder, drawn)
    scored = ave_score.score(other, [repeated], measures=names, policies=policies)
    for measure in measures:
        (found,) = counted.measured(measure, np.array([times], dtype=float))
        expected = scored.rows[0].values[measure.key]
        if expected is None:
            assert np.isnan(found)
        else:
            assert found == pytest.approx(float(expected), abs=1e-9)


def test_k_of_a_system_knows_the_correct_answers_of_the_collection(tmp_path: Path) -> None:
    """Two correct answers to question 1: K = (0.8/2 - 0.5/1)/2; the first one alone: 0.8/2."""
    xml = '<c><q id="1"><a id="1" value="VALIDATED"/><a id="2" value="VALIDATED"/></q>'
    xml += '<q id="2"><a id="1" value="REJECTED"/></q></c>'
    collection = ave_score.read_collection(put(tmp_path, xml, "gold.xml"))
    text = "q_id\trun\tjudgement\ta_id\tconfidence\n1\ts\tR\t1\t0.8\n2\ts\tW\t1\t0.5\n"
    (system,) = ave_score.read_judged(put(tmp_path, text, "judged.tsv"), collection)
    (k,) = parse_measures("k")
    counted = count_for(system, collection, [k], DEFAULT)
    found = counted.measured(k, np.array([[1.0, 1.0], [1.0, 0.0]]))
    assert found == pytest.approx([(0.8 / 2 - 0.5) / 2, 0.4])


def test_a_system_without_confidences_has_no_cws(tmp_path: Path) -> None:
    text = "q_id\trun\tjudgement\n1\ts\tR\n2\ts\tW\n"
    collection, (system,) = ave_score.read_judged_gold(put(tmp_path, text, "judged.tsv"))
    counted = count_for(system, collection, parse_measures("cws, c_at_1"), DEFAULT)
    assert list(counted.reasons) == ["cws"]


RESPUBLIQA = (
    "q_id\trun\tjudgement\tanswered\n1\tone\tR\tYES\n2\tone\tR\tYES\n3\tone\tW\tNO\n4\tone\tW\tYES\n"
    "1\ttwo\tR\tYES\n2\ttwo\tW\tYES\n3\ttwo\tW\tYES\n4\ttwo\tW\tYES\n"
)


def test_c_at_1_of_judged_systems_by_every_swap(tmp_path: Path) -> None:
    """c@1: (2 + 1·2/4)/4 = 0.625 and 1/4. The systems differ on questions 2 and 3. Swapping 2 gives
    (1 + 1/4)/4 and 2/4, swapping 3 gives 2/4 and (1 + 1/4)/4, swapping both the negative
    difference: |differences| are .375, .1875, .1875, .375, so p = 2/4."""
    file = put(tmp_path, RESPUBLIQA, "judged.tsv")
    collection, systems = ave_score.read_judged_gold(file, letters="respubliqa")
    design = Design(policies=ave_score.Policies(letters="respubliqa"))
    (found,) = ave_score.compare(collection, systems, measures="c_at_1", design=design).comparisons
    assert [float(one.value or 0) for one in found.standings] == [0.625, 0.25]
    assert found.pairs[0].p == pytest.approx(2 / 4)


def test_a_judged_file_alone_is_compared(tmp_path: Path) -> None:
    first = put(tmp_path, RESPUBLIQA, "judged.tsv")
    second = put(tmp_path, RESPUBLIQA.replace("one", "three").replace("two", "four"), "more.tsv")
    options = ["--letters", "respubliqa", "--resamples", "200", "-f", "json"]
    document = document_of("compare", str(first), str(second), *options)
    by_measure = {one["measure"]: one for one in document["measures"]}
    assert [*by_measure] == ["c_at_1", "answering_accuracy"]
    runs = [one["run"] for one in by_measure["c_at_1"]["runs"]]
    assert sorted(runs) == ["four", "one", "three", "two"]
    assert "same name" in refusal("compare", str(first), str(first), *options)


def test_runs_are_compared_beside_systems() -> None:
    """The figures are those of score."""
    files = ["gold/ave2007-es.xml", "gold/ave2007-es.qa.tsv", "sample_runs/ave2007-es/Tellez_1.txt"]
    document = document_of("compare", *files, "--resamples", "200")
    scored = document_of("score", *files, "-m", "qa_accuracy,c_at_1")["runs"]
    expected = {one["run"]: one["measures"] for one in scored if one["kind"] != "baseline"}
    assert [one["measure"] for one in document["measures"]] == ["qa_accuracy", "c_at_1"]
    for measure in document["measures"]:
        found = {one["run"]: one["value"] for one in measure["runs"]}
        assert found == {run: values[measure["measure"]] for run, values in expected.items()}


def test_the_methods_of_all_intervals_are_named(tmp_path: Path) -> None:
    """Few questions: accuracy has Wilson's interval, c@1 an effective size with a caution."""
    path = put(tmp_path, RESPUBLIQA, "judged.tsv")
    given = "report", str(path), "--letters", "respubliqa", "--resamples", "200"
    out = unescape(" ".join(output(*given, "--compare", "answering_accuracy,c_at_1").split()))
    named = "Wilson's for Accuracy; Wilson's with an effective size for c@1."
    assert f"95 % intervals of runs: {named}" in out
    assert "to which fewer than 30 questions contribute is only a rough one." in out


def test_one_pair_is_no_sample(tmp_path: Path) -> None:
    collection, (run,) = pairs(tmp_path, ["YES"], [("YES", 0.5)])
    policies = ave_score.Policies(intervals=IntervalPolicy())
    with pytest.raises(ave_score.UsageError, match="at least 2 pairs, the collection has 1"):
        ave_score.score(collection, [run], policies=policies, measures="accuracy")


GOLD = open_gold(
    {"id": "1", "type": "list", "sets": [{"answers": ["a", "b"]}]},
    {"id": "2", "type": "list", "sets": [{"answers": ["c"]}]},
    {"id": "3", "type": "factoid", "sets": [{"answers": ["d"]}]},
    {"id": "4", "type": "definition", "nuggets": [{"id": "1", "vital": True, "text": "x"}]},
    {"id": "5", "type": "definition", "nuggets": [{"id": "1", "vital": False, "text": "x"}]},
)


def responses(name: str, **given_answers: str) -> ResponseRun:
    found = {
        q_id: [Response(0, q_id, one, ("1",) if one == "x" else ()) for one in text.split()]
        for q_id, text in ((key.removeprefix("q"), text) for key, text in given_answers.items())
    }
    return ResponseRun(name, "", found)


def test_lists_are_sampled_over_list_questions_only() -> None:
    """MF1 is 2·1/(1 + 2) and 1: a sample with question 1 twice has the mean 2/3."""
    run = responses("run", q1="a", q2="c", q3="d", q4="x")
    measures = parse_measures("mmf1, mmf2, list_f")
    counted = count_for(run, GOLD, measures, DEFAULT)
    assert list(counted.ids) == ["1", "2"]
    for measure in measures:
        found = counted.measured(measure, np.array([[1.0, 1.0], [2.0, 0.0]]))
        assert found == pytest.approx([(2 / 3 + 1) / 2, 2 / 3])


def test_definitions_without_a_vital_nugget_have_no_value() -> None:
    run = responses("run", q4="x", q5="x")
    (measure,) = parse_measures("nugget_recall")
    counted = count_for(run, GOLD, [measure], DEFAULT)
    assert list(counted.ids) == ["4", "5"]
    assert np.array_equal(counted.of_each(measure), [1, np.nan], equal_nan=True)
    assert counted.measured(measure, np.array([[1.0, 1.0]])) == pytest.approx([1])


def test_a_combined_score_is_sampled_by_its_parts() -> None:
    """1/2·1 + 1/4·(2/3 + 1)/2 + 1/4·F of the definition, whose nugget is found: F = 1."""
    run = responses("run", q1="a", q2="c", q3="d", q4="x")
    (measure,) = parse_measures("combined_score")
    counted = count_for(run, GOLD, [measure], DEFAULT)
    assert counted.questions == 5
    found = counted.measured(measure, np.array([[1.0] * 5, [2.0, 0, 1, 1, 1]]))
    assert found == pytest.approx([1 / 2 + (2 / 3 + 1) / 8 + 1 / 4, 1 / 2 + 2 / 3 / 4 + 1 / 4])


def test_intervals_of_lists_are_those_of_all_samples() -> None:
    """Two questions have four samples, with the means 2/3, 5/6, 5/6 and 1."""
    policies = ave_score.Policies(intervals=IntervalPolicy(80, 4000))
    sampler = IntervalSampler(GOLD, policies, parse_measures("mmf1"))
    sampler.take(responses("run", q1="a", q2="c"))
    (found,) = sampler.intervals()
    assert found.intervals["mmf1"].interval == pytest.approx((2 / 3, 1))


def test_responses_are_compared_by_every_swap() -> None:
    """Lists: MF1 of 1 and 0 on both questions: p = 2/4; by nuggets nothing differs: p = 1."""
    one = responses("one", q1="a b", q2="c", q4="x")
    two = responses("two", q1="z", q2="z", q4="x")
    measures = "mmf1, nugget_f, combined_score"
    design = Design(resampling=Resampling(400))
    found = ave_score.compare(GOLD, [one, two], measures=measures, design=design).comparisons
    assert [each.design.test for each in found] == ["randomisation", "randomisation", "bootstrap"]
    assert [each.questions for each in found] == [2, 2, 5]
    assert found[0].pairs[0].p == pytest.approx(2 / 4)
    assert found[1].pairs[0].p == 1
    assert found[0].pairs[0].score == (2, 0, 0)


def test_responses_in_the_command() -> None:
    lists = ["gold/lists.json", "sample_runs/lists/broad.tsv", "sample_runs/lists/brief.tsv"]
    document = document_of("compare", *lists, "--resamples", "200")
    found = {one["measure"]: (one["questions"], one["unit"]) for one in document["measures"]}
    assert found == {"mmf1": (2, "question"), "factoid_accuracy": (2, "question"),
                     "nugget_f": (2, "question")}  # fmt: skip
    options = ["--ci", "95", "--resamples", "200", "-m", "mmf1,combined_score", "-f", "json"]
    document = document_of("score", *lists, *options)
    assert "|intervals:95|" in document["signature"]
    for row in document["runs"]:
        assert row["intervals"].keys() == {"mmf1", "combined_score"}
