"""`ave-score estimate`: the accuracy of judged systems, by its cases, by hand and by other code."""

from __future__ import annotations

import csv
import io
import json
import warnings
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import ave_score
from ave_score import Choice, Policies
from tests.conftest import ROOT
from tests.helpers_command import ave
from tests.helpers_files import put

CASES: list[dict[str, Any]] = json.loads((ROOT / "tests/data/estimate_cases.json").read_text())
LETTERS = {1: "R", 0: "W", None: ""}
WORDS = {1: "VALIDATED", 0: "REJECTED"}

Row = dict[str, str]


def of_function(function: str) -> list[Any]:
    return [pytest.param(case, id=case["name"]) for case in CASES if case["function"] == function]


def answers(cells: Sequence[Sequence[Any]]) -> Iterator[tuple[Any, ...]]:
    """Yield the answers of a case, of which some are alike."""
    for *answer, number in cells:
        yield from [tuple(answer)] * number


def row(q_id: object, run: str, verdict: int, label: int | None, **more: object) -> Row:
    """Return a row of a judged table."""
    cells = {"judgement": LETTERS[label], "verdict": WORDS[verdict]}
    return {
        "q_id": f"q{q_id}",
        "run": run,
        **cells,
        **{key: str(item) for key, item in more.items()},
    }


def rows_of(case: Mapping[str, Any]) -> list[Row]:
    options = case.get("options", {})
    rows = [
        row(at, "ada", *answer, replicate=at, weight=1)
        for at, answer in enumerate(answers(case["cells"]))
    ]
    for at, question in enumerate(options.get("question", ())):
        rows[at]["q_id"] = f"q{question}"
    for at, weight in enumerate(options.get("weight", ())):
        rows[at]["weight"] = str(weight)
    return rows


def close(value: object, expected: object) -> bool:
    """Tell whether figures, or pairs of them, are equal to 1e-9."""
    return value is expected is None or value == pytest.approx(expected, rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("case", of_function("estimate"))
def test_one_system_is_estimated_as_other_code_does(case: Mapping[str, Any]) -> None:
    chosen = case.get("options", {}).get("chosen", "random")
    (found,) = ave_score.estimate(rows_of(case), labels=chosen).systems
    expected = case["expected"]
    assert (found.answers, found.labels) == (expected["answers"], expected["labels"])
    assert close(found.judged, expected["judged"])
    assert close(found.estimate, expected["estimate"])
    assert close(found.interval, expected["interval"])
    assert close(found.bounds, expected.get("bounds"))
    assert (found.no_estimate is None) is (expected["estimate"] is not None)
    if found.estimate is not None:
        assert found.worth == pytest.approx(expected["worth"], rel=1e-9)
        assert found.judge_used is expected["judge_used"]
    is_seen = any("by verdict" in caution for caution in found.cautions)
    assert is_seen is bool(expected["warning"])


@pytest.mark.parametrize("case", of_function("difference"))
def test_two_systems_differ_as_other_code_says(case: Mapping[str, Any]) -> None:
    both = [*enumerate(answers(case["cells"]))]
    rows = [row(at, "A", *item[:2]) for at, item in both] + [
        row(at, "B", *item[2:]) for at, item in both
    ]
    found, expected = ave_score.estimate(rows), case["expected"]
    for system in found.systems:
        of_system = expected[system.run]
        assert close(system.estimate, of_system["estimate"])
        assert close(system.interval, of_system["interval"])
    (pair,) = found.pairs
    assert (pair.run, pair.other, pair.significant) == ("A", "B", True)
    assert close(pair.difference, expected["difference"])
    assert close(pair.interval, expected["interval"])
    assert close(pair.p, expected["p"]) and close(pair.p_corrected, expected["p"])


WITH_JUDGE = [
    cas
    for cas in CASES
    if cas["expected"].get("judge_used") and "weight" not in cas.get("options", {})
]


@pytest.mark.parametrize("case", WITH_JUDGE, ids=[item["name"] for item in WITH_JUDGE])
def test_the_estimate_is_that_of_ppi(case: Mapping[str, Any]) -> None:
    """PPI++ is unbiased for any lambda; this is the one of post-stratification.

    `expected` is what `ppi_mean_pointestimate` of ppi-python 0.2.3 returns for it.
    """
    found = [
        (answer[0], np.nan if answer[1] is None else answer[1]) for answer in answers(case["cells"])
    ]
    verdict, label = np.array(found, float).T
    has = ~np.isnan(label)
    slope = np.cov(verdict[has], label[has])[0, 1] / verdict[has].var(ddof=1)
    lam = slope / (1 + has.sum() / (~has).sum())
    expected = (lam * verdict[~has]).mean() + (label[has] - lam * verdict[has]).mean()
    (system,) = ave_score.estimate(rows_of(case)).systems
    assert system.estimate == pytest.approx(expected, abs=1e-12)


def test_limits_of_labels_alone_are_quantiles_of_scipy() -> None:
    """The judge accepts every answer, so that its verdicts say nothing: beta quantiles to 1e-12."""
    stats = pytest.importorskip("scipy.stats", reason="SCIPY IS MISSING: pip install scipy")
    for right, labels in ((4, 10), (53, 60), (132, 150), (58, 59), (1971, 2000), (1, 300)):
        every = [1] * right + [0] * (labels - right) + [None]
        rows = [row(q * 7919 % len(every), "ada", 1, label) for q, label in enumerate(every)]
        (system,) = ave_score.estimate(rows).systems
        low = stats.beta.ppf(0.025, right + 0.25, labels - right + 0.75)
        high = stats.beta.ppf(0.975, right + 0.75, labels - right + 0.25)
        assert system.judge_used is False
        assert system.interval == pytest.approx((low, high), rel=1e-12)


def world(here: Path) -> str:
    """Write a judged table of two systems, by hand: ada 30 of 40 labels right, bob 20 of 40."""
    rows = []
    for run, right in (("ada", 30), ("bob", 20)):
        for q in range(200):
            label = None if q % 5 else int(q // 5 < right)
            verdict = int(q // 5 < right) if q % 10 else 1
            rows.append(row(q, run, verdict, label))
    text = io.StringIO()
    written = csv.DictWriter(text, rows[0])
    written.writeheader()
    written.writerows(rows)
    return str(put(here, text.getvalue(), "judged.csv"))


def test_the_command_says_it_as_table_sentence_rows_and_document(tmp_path: Path) -> None:
    path = world(tmp_path)
    table, rows, document = (
        ave("estimate", path, "-f", form).out for form in ("table", "csv", "json")
    )
    assert "ada: estimated accuracy 0." in table and "Human labels alone would need" in table
    first, second = csv.DictReader(rows.splitlines())
    assert (first["run"], second["run"], first["labels"]) == ("ada", "bob", "40")
    made = json.loads(document)
    assert made["schema"] == "ave-score/estimates/1"
    ada, bob = made["systems"]
    assert (ada["labels"], ada["method"]) == (40, "post-stratified")
    assert float(first["low"]) == pytest.approx(ada["interval"][0])
    (pair,) = made["pairs"]
    assert pair["difference"] == pytest.approx(ada["estimate"] - bob["estimate"])
    is_outside = not pair["interval"][0] <= 0 <= pair["interval"][1]
    assert is_outside is (pair["p"] < 0.05)
    separate = ["1-1", "2-2"] if pair["significant"] else ["1-2", "1-2"]
    assert [f"{a}-{b}" for a, b in (ada["ranks"], bob["ranks"])] == separate
    assert ave_score.estimate(path).to_text() == ave_score.estimate(Path(path)).to_text()


@pytest.mark.parametrize(("change", "options", "said"), [
    (("REJECTED", "no"), (), "found verdict 'no', expected SELECTED, VALIDATED, REJECTED"),
    (("q0,ada,R,VALIDATED", "q0,ada,R,"), (), "line 2: the answer of ada to question 'q0' has"),
    ((",verdict", ",grade"), (), "has no verdict of the judge (200 such answers): name its"),
    (("", ""), ("--labels", "weight"), "line 2: found no weight of an answer with a label"),
    (("", ""), ("a.txt", "b.txt"), "2 judges are given"),
    (("", ""), ("--labels", "chance"), "'chance' is not one of"),
    (("", ""), ("--half-width", "nan"), "half width nan: expected more than 0"),
    (("", ""), ("--draw", "3", "-f", "json"), "--draw writes csv, not json"),
    (("", ""), ("none.csv",), "none.csv: no such file"),
    (("", ""), (str(ROOT / "gold/ave2007-es.xml"),), "a second file is one with labels"),
    (("", ""), ("--calibration", str(ROOT / "gold/tiny.xml")), "tiny.xml has no systems"),
    (("", ""), ("more.csv", "--draw", "3"), "from one judged table, or from logs"),
    (("", ""), ("--log", "judge=x"), "judged.csv"),
    ((",judgement,", ",j,"), (), "judged.csv: a judged table has a column judgement, which may"),
])  # fmt: skip
def test_bad_input_is_named(
    tmp_path: Path, change: tuple[str, str], options: Sequence[str], said: str
) -> None:
    path = Path(world(tmp_path))
    text = path.read_text("utf-8")
    old, new = change
    path.write_text(text.replace(old, new) if old else text, "utf-8")
    done = ave("estimate", str(path), *options)
    assert done.code == 2 and said in done.err.replace("\n", " ")


def test_bad_arguments_are_named(tmp_path: Path) -> None:
    gold, judge = ROOT / "gold/ave2007-es.xml", ROOT / "sample_runs/judge/ave2007-es.tsv"
    other = put(tmp_path, judge.read_text("utf-8"), "other.tsv")
    systems = pd.read_csv(ROOT / "sample_runs/judge/systems.csv", keep_default_na=False)
    calls: list[tuple[Any, Any, dict[str, Any], str]] = [
        (gold, [judge, other], {}, "the JUDGE is one run, or labels"),
        (systems, 7, {}, "a second file is one with labels"),
        (systems, None, {"cluster": 5}, "expected an attribute .questions have .*, found int"),
        (systems, None, {"labels": None}, "no way None to choose labels"),
        (systems, None, {"qa": systems}, "qa says which answers of a COLLECTION are whose"),
        (
            gold,
            judge,
            {"qa": ROOT / "gold/ave2007-es.qa.tsv"},
            "line 5: the answer of prib_1 to .*: it has no a_id",
        ),
        (gold, None, {}, "ave2007-es.xml has no systems: give a judged table"),
    ]
    bad = put(tmp_path, "q_id\trun\tjudgement\n0001\tada\tZ\n", "bad.tsv")
    calls += [
        (gold, judge, {"qa": bad}, "found 'Z'"),
        (gold, judge, {"qa": tmp_path / "none"}, "no such file"),
    ]
    assert "bad.tsv:2:10 AVE503" in ave("estimate", gold, judge, "--qa", bad, code=1).err
    for answers, second, options, said in calls:
        with pytest.raises(ave_score.AveScoreError, match=said):
            ave_score.estimate(answers, second, **options)


def test_answers_that_the_collection_lacks_have_their_own_judgement() -> None:
    """NIL has no id, and so no verdict: 12 of prib_1, W in the table; 4 are X, by awk."""
    qa = ROOT / "gold/ave2007-es.qa.tsv"
    gold, judge = ROOT / "gold/ave2007-es.xml", ROOT / "sample_runs/judge/ave2007-es.tsv"
    policies = Policies(missing="rejected")
    found = ave_score.estimate(gold, judge, qa=qa, policies=policies).systems
    (prib,) = (item for item in found if item.run == "prib_1")
    rows = [*csv.DictReader(qa.read_text("utf-8").splitlines(), delimiter="\t")]
    own = [row["judgement"] for row in rows if row["run"] == "prib_1"]
    assert (prib.answers, prib.labels) == (len(own), len(own) - own.count("X"))
    assert sum(verdict.right for verdict in prib.verdicts) == own.count("R")


def test_words_of_a_judge_are_named(tmp_path: Path) -> None:
    path = Path(world(tmp_path))
    plain = ave_score.estimate(path).systems
    path.write_text(path.read_text("utf-8").replace("VALIDATED", "yes"), "utf-8")
    found = json.loads(ave("estimate", str(path), "--values", "yes=VALIDATED", "-f", "json").out)
    assert [system["estimate"] for system in found["systems"]] == [item.estimate for item in plain]


def test_no_labels_and_few_labels_are_refused() -> None:
    rows = [row(q, "ada", q % 2, None) for q in range(50)]
    with pytest.raises(ave_score.UsageError, match="no answer has a label of a person"):
        ave_score.estimate(rows)
    rows = [row(q, "ada", q % 2, 1 if q < 9 else None) for q in range(50)]
    (found,) = ave_score.estimate(rows).systems
    assert (found.estimate, found.interval) == (None, None)
    assert found.no_estimate == "labels on 9 questions, at least 10 needed; label 30 or more"
    assert "ada: no estimate, labels on 9" in str(ave_score.estimate(rows))


def test_a_frame_without_any_label_is_read_as_its_file(tmp_path: Path) -> None:
    """Pandas reads an empty column as NaN; without an estimate, the exit code says so."""
    few = [row(q, "ada", q % 2, 1 if q < 9 else None) for q in range(50)]
    path = tmp_path / "few.csv"
    pd.DataFrame(few).to_csv(path, index=False)
    assert "ada: no estimate, labels on 9 questions" in ave("estimate", path, code=3).out
    assert ave("estimate", path, "-f", "json", code=3).out.startswith("{")
    pd.DataFrame([item | {"judgement": ""} for item in few]).to_csv(path, index=False)
    assert "few.csv: no answer has a label of a person" in ave("estimate", path, code=2).err
    frame = pd.read_csv(path)
    assert frame["judgement"].isna().all()
    with pytest.raises(ave_score.UsageError, match="no answer has a label of a person"):
        ave_score.estimate(frame)
    numbers = pd.DataFrame(few).assign(judgement=[1.0] * 5 + [0.0] * 15 + [np.nan] * 30)
    (found,) = ave_score.estimate(numbers, values={"1.0": "R", "0.0": "W"}).systems
    assert (found.labels, found.estimate is not None) == (20, True)
    assert len(ave_score.draw_labels(frame, 9)) == 9
    with pytest.raises(ave_score.InputError, match=r"no verdict of the judge \(50 such answers\)"):
        ave_score.estimate(frame.assign(verdict=np.nan, judgement="R"))


def test_unknown_beside_empty_labels_asks_for_a_choice() -> None:
    rows = [row(q, "ada", q % 2, q % 3 % 2 if q < 40 else None) for q in range(200)]
    for at in range(5):
        rows[at]["judgement"] = "X"
    found = ave_score.estimate(rows)
    assert "5 answers labelled UNKNOWN by assessors (the first: line 1)" in found.notes[0]
    assert "Choose --unknown incorrect or correct" in found.notes[0]
    assert found.systems[0].labels == 35
    chosen = ave_score.estimate(rows, policies=Policies(unknown="incorrect"))
    assert (chosen.notes, chosen.systems[0].labels) == ([], 40)


def test_weights_are_checked_and_may_lack_where_there_is_no_label() -> None:
    """As pandas reads a table: NaN. A probability is no weight, which would turn shares round."""
    rows: list[Any] = [row(q, "ada", q % 2, q % 3 % 2 if q < 40 else None) for q in range(200)]
    weighted = [row | {"weight": 5 if q < 40 else None} for q, row in enumerate(rows)]
    expected = ave_score.estimate(weighted, labels="weight").systems
    nan = [row | {"weight": 5.0 if q < 40 else float("nan")} for q, row in enumerate(rows)]
    assert ave_score.estimate(nan, labels="weight").systems == expected
    assert ave_score.estimate(pd.DataFrame(nan), labels="weight").systems == expected
    for weight, said in (
        (0.2, "found the weight 0.2 of .* needs one over the probability"),
        (0, "line 1: found the weight 0 of"),
        (1e300, "found the weight 1e\\+300 of"),
        (float("nan"), "found no weight of"),
    ):
        with pytest.raises(ave_score.InputError, match=said):
            ave_score.estimate([row | {"weight": weight} for row in rows], labels="weight")


def test_labels_chosen_by_confidence_are_refused() -> None:
    rows = [
        row(q, "ada", q % 2, q % 3 % 2 if q % 200 < 40 else None, verdict_confidence=q % 200 / 200)
        for q in range(400)
    ]
    (found,) = ave_score.estimate(rows).systems
    assert found.estimate is None and "confidence of the judge" in str(found.no_estimate)


def test_a_collection_and_a_run_are_estimated_as_a_judged_table() -> None:
    """The same answers in both notations, of all and of each system."""
    rng = np.random.default_rng(1)
    rows, gold, run, qa = [], [], [], []
    for q in range(120):
        for a, system in enumerate(("ada", "bob")):
            verdict, right = int(rng.random() < 0.6), int(rng.random() < 0.6)
            label = right if q % 3 == 0 else None
            ids = {"q_id": f"q{q}", "a_id": f"{q}_{a}"}
            rows.append(row(q, system, verdict, label))
            word = {1: "VALIDATED", 0: "REJECTED", None: "UNKNOWN"}[label]
            gold.append({**ids, "label": word})
            run.append({**ids, "label": WORDS[verdict]})
            qa.append({**ids, "run": system, "judgement": LETTERS[label]})
    expected = ave_score.estimate(rows)
    found = ave_score.estimate(gold, run, qa=qa)
    assert found.systems == expected.systems and found.pairs == expected.pairs
    empty = [item | {"label": item["label"].replace("UNKNOWN", "")} for item in gold]
    assert ave_score.estimate(empty, run, qa=qa).systems == expected.systems
    both = ave_score.estimate([*empty[:20], *gold[20:]], run)
    assert "(the first: 10_0 of question q10)" in both.notes[0]
    (every,) = ave_score.estimate(gold, run).systems
    assert (every.answers, every.questions, every.labels) == (240, 120, 80)


def test_logs_with_two_scorers_are_estimated(tmp_path: Path) -> None:
    samples = []
    rows = []
    for q in range(60):
        verdict, label = int(q % 4 != 0), (int(q % 5 != 0) if q % 2 else None)
        scores: dict[str, object] = {"grader": {"value": "C" if verdict else "I"}}
        if label is not None:
            scores["human"] = {"value": "C" if label else "I"}
        samples.append({"id": str(q), "epoch": 1, "input": "?", "target": "", "scores": scores})
        rows.append(row(q, "log", verdict, label))
    log = {
        "version": 2,
        "status": "success",
        "eval": {"task": "t", "model": "m", "dataset": {"samples": 60}, "created": "2025-01-01"},
        "samples": samples,
    }
    path = put(tmp_path, json.dumps(log), "log.json")
    (expected,) = ave_score.estimate(rows).systems
    chosen = Policies(logs=Choice(scorer="human", judge="grader"))
    (found,) = ave_score.estimate([str(path)], policies=chosen).systems
    assert found.estimate == expected.estimate and found.interval == expected.interval
    done = ave(
        *("estimate", str(path), "--log", "scorer=human", "--log", "judge=grader", "-f", "json")
    )
    assert json.loads(done.out)["systems"][0]["estimate"] == expected.estimate
    wrong = ave("estimate", str(path), "--log", "scorer=human", "--log", "judge=x")
    assert wrong.code == 2 and "has no scorer 'x'" in wrong.err
    wrong = ave("estimate", str(path), "--log", "scorer=human")
    assert wrong.code == 2 and "--log judge=NAME says which scorer" in wrong.err


@pytest.mark.parametrize(("others", "unlabelled"), [
    ({}, "no answer has a label"),
    ({"exact": {"value": "C"}, "near": {"value": "C"}}, "several scorers grade"),
])  # fmt: skip
def test_logs_of_a_judge_are_labelled_by_a_drawn_table(
    tmp_path: Path, others: Mapping[str, Any], unlabelled: str
) -> None:
    """The table has the questions and the answers of the log, and comes back beside it.

    No other scorer of the log labels it.
    """
    paths, rows = [], []
    for run, often in (("ada", 4), ("bob", 3)):
        scores = [{**others, "grader": {"value": 0.9 if q % often else 0.1}} for q in range(60)]
        samples = [
            {"id": f"q{q}", "epoch": 1, "input": f"Why {q}?", "target": "", "scores": of}
            | {"output": {"choices": [{"message": {"role": "assistant", "content": f"So {q}"}}]}}
            for q, of in enumerate(scores)
        ]
        about = {"task": "t", "model": run, "dataset": {"samples": 60}, "created": "2025-01-01"}
        log = {"version": 2, "status": "success", "eval": about, "samples": samples}
        paths.append(str(put(tmp_path, json.dumps(log), f"{run}.json")))
        rows += [row(q, run, int(q % often > 0), int(q % 5 > 0)) for q in range(60)]
    of_judge = "--log", "judge=grader", "--log", "right-from=.5"
    drawn = [*csv.DictReader(ave("estimate", *paths, *of_judge, "--draw", "60").out.splitlines())]
    assert {(shown["question"], shown["text"]) for shown in drawn} == {
        (f"Why {q}?", f"So {q}") for q in range(60)
    }
    filled = [
        shown | {"judgement": LETTERS[int(int(shown["q_id"][1:]) % 5 > 0)]} for shown in drawn
    ]
    labels = tmp_path / "labels.csv"
    pd.DataFrame(filled).to_csv(labels, index=False)
    found = json.loads(ave("estimate", *paths, labels, *of_judge, "-f", "json", code=0).out)
    expected = ave_score.estimate(rows).systems
    assert [of["estimate"] for of in found["systems"]] == [of.estimate for of in expected]
    policies = Policies(logs=Choice(judge="grader", right_from=0.5))
    assert ave_score.estimate(paths, labels, policies=policies).systems == expected
    assert unlabelled in ave("estimate", *paths, *of_judge, code=2).err


@pytest.mark.parametrize("case", of_function("transport"))
def test_errors_elsewhere_correct_a_system_without_labels(case: Mapping[str, Any]) -> None:
    of, expected = case["arguments"], case["expected"]
    rows = [row(q, "ada", q < of["accepted"], None) for q in range(of["answers"])]
    there = [row(q, "other", q < of["right_accepted"], 1) for q in range(of["right"])]
    there += [row(f"w{q}", "other", q < of["wrong_accepted"], 0) for q in range(of["wrong"])]
    found = ave_score.estimate(rows, calibration=there)
    (system,) = found.systems
    assert close(system.estimate, expected["estimate"])
    assert close(system.interval, expected["interval"])
    if system.estimate is None:
        assert "no better than chance" in str(system.no_estimate)
    else:
        assert system.method == "calibrated" and "Calibrated: assumes" in str(found)


@pytest.mark.parametrize(("half_width", "accepted", "rejected", "labels", "planned"), [
    (0.03, 1500, 500, ((57, 3), (6, 14)), 480),  # the figures of a note in the cases
    (0.05, 800, 200, ((36, 4), (4, 6)), 208),
    (0.001, 800, 200, ((36, 4), (4, 6)), None),
])  # fmt: skip
def test_labels_are_planned(
    half_width: float, accepted: int, rejected: int, labels: Sequence[Any], planned: int | None
) -> None:
    rows = []
    for verdict, number, (right, wrong) in zip((1, 0), (accepted, rejected), labels, strict=True):
        known = [1] * right + [0] * wrong
        every = [*known, *[None] * (number - right - wrong)]
        rows += [row(f"{verdict}_{at}", "ada", verdict, item) for at, item in enumerate(every)]
    found = ave_score.estimate(rows, half_width=half_width)
    assert found.plan is not None and found.plan.systems[0].labels == planned
    assert ("is not reachable" in str(found)) is (planned is None)


def test_a_drawn_table_comes_back_with_labels(tmp_path: Path) -> None:
    """The questions are those of all systems, and no verdict is shown; the rest stays as it is."""
    rows = [
        row(q, run, (q + a) % 3 > 0, None) for a, run in enumerate(("a", "b")) for q in range(90)
    ]
    text = "\n".join([",".join(rows[0]), *(",".join(row.values()) for row in rows)])
    path = put(tmp_path, f"{text}\n", "judged.csv")
    drawn = ave("estimate", str(path), "--draw", "40", code=0).out
    assert drawn == ave("estimate", str(path), "--draw", "40", "--seed", "0", code=0).out
    assert drawn != ave("estimate", str(path), "--draw", "40", "--seed", "1", code=0).out
    shown = [*csv.DictReader(drawn.splitlines())]
    assert [*shown[0]] == ["q_id", "run", "judgement"] and len(shown) == 80
    assert len({one["q_id"] for one in shown}) == 40
    words = {(one["q_id"], one["run"]): "RW"[int(one["q_id"][1:]) % 4 == 0] for one in shown}
    filled = [f"{q},{run},{letter}" for (q, run), letter in words.items()]
    labels = put(tmp_path, "\n".join(["q_id,run,judgement", *filled, ""]), "labels.csv")
    expected = ave_score.estimate(
        [row | {"judgement": words.get((row["q_id"], row["run"]), "")} for row in rows]
    )
    assert ave_score.estimate(str(path), str(labels)).systems == expected.systems
    made = json.loads(ave("estimate", str(path), str(labels), "-f", "json", code=0).out)
    assert [system["labels"] for system in made["systems"]] == [40, 40]
    frame = ave_score.draw_labels(str(path), 40)
    assert [tuple(value) for value in frame.values] == [tuple(one.values()) for one in shown]
    frame["judgement"] = [words[item] for item in zip(frame.q_id, frame.run, strict=True)]
    assert ave_score.estimate(str(path), frame).systems == expected.systems
    for number in (91, 0, -1):
        with pytest.raises(ave_score.UsageError, match="cannot be drawn: there are 90 questions"):
            ave_score.draw_labels(str(path), number)
    with pytest.raises(ave_score.UsageError, match="expected int, found float"):
        ave_score.draw_labels(str(path), 1.5)  # type: ignore[arg-type]
    wrong = put(tmp_path, "q_id,run,judgement\nq999,a,R\n", "wrong.csv")
    said = ave("estimate", str(path), str(wrong), code=2).err
    assert "wrong.csv: line 2: question 'q999' of a: no such answer in" in said.replace("\n", " ")
    assert "there are 90 questions" in ave("estimate", str(path), "--draw", "91", code=2).err


def test_labels_that_come_back_are_some_and_do_not_contradict(tmp_path: Path) -> None:
    """What has not come back is not labelled: no question is wrong for want of a row."""
    rows = [row(q, "ada", q % 3 > 0, None, question=f"Why {q}?") for q in range(90)]
    frame = ave_score.draw_labels(rows, 40)
    assert {*frame.question} == {f"Why {q[1:]}?" for q in frame.q_id}
    frame["judgement"] = "R"
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        (system,) = ave_score.estimate(rows, frame[:20]).systems
    assert (system.labels, system.labelled_questions) == (20, 20)
    both = pd.concat([frame, frame[:1].assign(judgement="W")])
    with pytest.raises(
        ave_score.InputError, match=r"line 41: found judgement 'W', expected 'R' as"
    ):
        ave_score.estimate(rows, both)
    twice = pd.DataFrame([*rows, rows[0] | {"verdict": "VALIDATED"}])  # the first: REJECTED
    twice.to_csv(tmp_path / "twice.csv", index=False)
    said = ave("estimate", tmp_path / "twice.csv", code=1).err
    assert "twice.csv:92:9 AVE206" in said and "the judged table cannot be used" in said


def test_a_judge_that_selects_nothing_is_one(tmp_path: Path) -> None:
    """Two answers to a question may be VALIDATED, or SELECTED: by hand, 2 of 3 are accepted."""
    gold, run = [], []
    for q in range(30):
        for a, (label, verdict) in enumerate(
            (("VALIDATED", "VALIDATED"),) * 2 + (("", "REJECTED"),)
        ):
            ids = {"q_id": f"q{q}", "a_id": f"{q}_{a}"}
            gold.append(ids | {"label": label})
            run.append(ids | {"verdict": verdict, "confidence": "1"})
    (system,) = ave_score.estimate(gold, run).systems
    assert system.judged == pytest.approx(2 / 3) and system.labels == 60
    verdicts = pd.DataFrame(run).drop(columns="confidence")  # it gives verdicts alone
    assert ave_score.estimate(gold, verdicts).systems == [system]
    named = verdicts.replace("VALIDATED", "SELECTED").rename(columns={"verdict": "grade"})
    assert ave_score.estimate(gold, named, columns={"verdict": "grade"}).systems == [system]
    run = [item | {"verdict": item["verdict"].replace("VALIDATED", "SELECTED")} for item in run]
    assert ave_score.estimate(gold, run).systems == [system]


def test_labels_are_planned_before_there_are_any(tmp_path: Path) -> None:
    """By .9 and .3 right of accepted and rejected answers: as with labels of these shares."""
    rows = [row(q, "ada", q % 10 > 1, None) for q in range(2000)]
    found = ave_score.estimate(rows, half_width=0.05)
    assert found.plan is not None and found.systems[0].estimate is None
    known = {0: [1] * 12 + [0] * 28, 1: [1] * 144 + [0] * 16}
    for at, item in enumerate(rows[:200]):
        item["judgement"] = LETTERS[known[int(at % 10 > 1)].pop()]
    rows = [row | {"q_id": f"q{at * 7 % 2000}"} for at, row in enumerate(rows)]
    labelled = ave_score.estimate(rows, half_width=0.05)
    assert labelled.plan is not None and labelled.plan.systems[0][1:] == pytest.approx(
        found.plan.systems[0][1:]
    )
    pd.DataFrame([item | {"judgement": ""} for item in rows]).to_csv(tmp_path / "x.csv")
    assert "takes about" in ave("estimate", tmp_path / "x.csv", "--half-width", ".05", code=3).out


def test_shares_in_csv_are_rounded_alike() -> None:
    sample = ROOT / "sample_runs/judge/systems.csv"
    first, *_ = csv.DictReader(
        ave("estimate", sample, "-f", "csv", "--digits", "2").out.splitlines()
    )
    shown = [
        first[name] for name in ("judged", "estimate", "low", "high", "best_rank", "worst_rank")
    ]
    assert shown == ["0.81", "0.86", "0.81", "0.91", "1", "1"]


def labelled_at(
    run: str, answers: int, right: Sequence[int], *, has: Mapping[int, int] | None = None
) -> list[Row]:
    """Return judged answers: `right` are the rejected and accepted right ones in ten of each.

    The first `has[verdict]` answers with a verdict have labels, or a tenth of them.
    """
    made = []
    for verdict in (0, 1):
        for at in range(answers):
            few = answers // 10 if has is None else has[verdict]
            # labels are spread over the file, so that they are not those of its first questions
            is_labelled = at * few // answers != (at + 1) * few // answers
            nth = at * few // answers
            label = int(nth % 10 < right[verdict]) if is_labelled else None
            made.append(row(f"{verdict}_{at}", run, verdict, label))
    return made


def test_sentences_say_how_labels_were_chosen() -> None:
    """What is seen or complete is not called a random sample; bounds have their level."""
    random = labelled_at("ada", 400, (2, 8))
    seen = labelled_at("ada", 400, (2, 8), has={0: 20, 1: 80})
    none = labelled_at("ada", 400, (2, 8), has={0: 0, 1: 80})
    every = labelled_at("ada", 40, (2, 8), has={0: 40, 1: 40})
    for rows, chosen, said in (
        (random, "random", "80 human labels chosen at random;"),
        (seen, "verdict", "100 human labels chosen by verdict;"),
        (none, "verdict", "95 % bounds 0."),
        (every, "random", "from 80 human labels of all answers;"),
    ):
        found = ave_score.estimate(rows)
        assert found.systems[0].chosen == chosen and said in str(found)
    twice = [item | {"replicate": str(k)} for item in random for k in (1, 2)]
    assert ", one to a question, for this interval" in str(ave_score.estimate(twice))
    assert "one to a question" not in str(ave_score.estimate(random))


def test_intervals_of_pairs_alone_are_said_to_be_so() -> None:
    """By hand, labels of all: .6, .5 and .46 of 200; p of .6 and .5 is about .045, Holm's twice."""
    shares = {"ada": 120, "bob": 100, "cat": 92}
    rows = [row(q * 7 % 200, s, 1, int(q < k)) for s, k in shares.items() for q in range(200)]
    rows = [row | {"q_id": f"{row['run']}{row['q_id']}"} for row in rows]
    with pytest.warns(ave_score.AveScoreWarning):  # each has questions of its own
        found = ave_score.estimate(rows, policies=Policies(missing="excluded"))
    alone = [
        comparison
        for comparison in found.pairs
        if comparison.interval.low > 0 and not comparison.significant
    ]
    text = "Intervals are of each pair alone, p corrected is of all pairs together."
    assert len(alone) == 1 and text in " ".join(str(found).split())


def test_many_pairs_are_those_of_the_best_systems() -> None:
    """Of 8 systems, s0 the best: 15 pairs of the first six, and 5 with the seventh, by hand."""
    rows = [row(q * 7 % 40, f"s{s}", 1, int(q < 38 - 3 * s)) for s in range(8) for q in range(40)]
    text = str(ave_score.estimate(rows))
    table = text[text.index("Differences") : text.index("20 of 28 pairs, of the best; json has")]
    assert "s0   s1" in table and "s4   s6" in table and "s5   s6" not in table
    assert "s7" not in table and len(table.splitlines()) == 24


def test_equal_errors_are_tested_by_random_labels_only() -> None:
    """A judge that errs alike on both: .9 and .1 of accuracies .5 and .9, as the shares below are.

    Of labels of as many accepted as rejected answers, the shares right follow from accuracy, and
    so does the share accepted among right ones, which is no error of the judge.
    """
    has = {0: 40, 1: 40}
    ada = labelled_at("ada", 400, (5, 10), has=has)
    bob = labelled_at("bob", 400, (1, 9), has=has)
    assert ave_score.estimate([*ada, *bob]).p_equal_errors is not None
    assert ave_score.estimate([*ada, *bob], labels="verdict").p_equal_errors is None
    p = ave_score.estimate([*ada, *bob]).p_equal_errors
    twice = [item | {"replicate": str(k)} for item in (*ada, *bob) for k in (1, 2)]
    # chi-square of twice the same answers is twice as large, and says as much as one of them
    assert ave_score.estimate(twice).p_equal_errors == pytest.approx(p, rel=1e-9)


def test_calibrated_systems_are_not_ranked() -> None:
    """No difference to them is known; and a calibration that does not help is no needless one."""
    ada = labelled_at("ada", 200, (1, 7))
    bob = [item | {"run": "bob", "verdict": WORDS[q % 10 > 0]} for q, item in enumerate(ada)]
    bob = [item | {"judgement": ""} for item in bob]
    there = labelled_at("zed", 100, (1, 9), has={0: 100, 1: 100})
    found = ave_score.estimate([*ada, *bob], calibration=there)
    first, second = found.systems
    assert (first.run, second.run, second.ranks) == ("ada", "bob", None)
    assert first.estimate < second.estimate and "   bob" in str(found)  # type: ignore[operator]
    assert "Calibrated systems are not ranked" in found.notes[-1]
    chance = labelled_at("zed", 100, (5, 5), has={0: 100, 1: 100})
    assert ave_score.estimate([*ada, *bob], calibration=chance).notes == []
    assert "is not used" in ave_score.estimate(ada, calibration=chance).notes[-1]


def test_few_labels_of_many_systems_are_seen_to_be_chosen_by_verdict() -> None:
    """One of 10 answers is rejected, but 4 of 8 with labels, of each of 20 systems.

    That is 80 of 160 where 16 are expected. Where it is 1 of 8, as by chance, nothing is refused.
    """
    here = [row(q, "ada", q % 10 > 0, None) for q in range(100)]

    def there(chosen: Sequence[int]) -> list[dict[str, Any]]:
        rows = [row(q, f"s{s}", q % 10 > 0, None) for s in range(20) for q in range(100)]
        for s in range(20):
            for at, q in enumerate(chosen):
                rows[100 * s + (q + 10 * s) % 100]["judgement"] = LETTERS[at % 2]
        return rows

    with pytest.raises(ave_score.UsageError, match="calibration seem chosen by verdict"):
        ave_score.estimate(here, calibration=there([0, 10, 20, 30, 1, 2, 3, 4]))
    found = ave_score.estimate(here, calibration=there([0, 1, 2, 3, 4, 5, 6, 7]))
    assert found.systems[0].method == "calibrated"


def test_a_calibration_shows_how_the_judge_errs() -> None:
    """Not by labels by verdict; and not if it errs otherwise elsewhere, or here, as can be seen."""
    here = [item | {"judgement": ""} for item in labelled_at("ada", 200, (1, 7))]
    chosen = labelled_at("zed", 400, (5, 10), has={0: 40, 1: 40})
    chosen += [row(f"more{q}", "zed", 1, None) for q in range(400)]
    with pytest.raises(ave_score.UsageError, match="calibration seem chosen by verdict"):
        ave_score.estimate(here, calibration=chosen)
    there = labelled_at("zed", 100, (1, 9), has={0: 100, 1: 100})
    found = ave_score.estimate(here, calibration=there)
    assert found.systems[0].cautions == [] and len(found.notes) == 1
    other = labelled_at("yak", 100, (1, 5), has={0: 100, 1: 100})  # more of its wrong ones
    found = ave_score.estimate(here, calibration=[*there, *other])
    assert "errs differently by system in the calibration (p < 0.001)" in found.notes[-1]
    few = [row | {"verdict": WORDS[q % 20 == 0]} for q, row in enumerate(here)]  # .05, there .1
    assert "outside of those" in ave_score.estimate(few, calibration=there).systems[0].cautions[0]


def test_labels_that_are_refused_do_not_show_how_the_judge_errs() -> None:
    rows = [
        row(q, run, q % 2, q % 3 % 2 if q % 200 < 40 else None, verdict_confidence=q % 200 / 200)
        for run in ("ada", "bob")
        for q in range(400)
    ]
    found = ave_score.estimate(rows)
    assert (found.p_equal_errors, found.sensitivity, found.specificity) == (None, None, None)


@pytest.mark.parametrize("right", [0, 1])
@pytest.mark.parametrize("questions", [14, 49, 98])
def test_labels_that_do_not_vary_count_as_their_questions(questions: int, right: int) -> None:
    """Two answers to each: nothing is known of how they vary, so that each question counts once."""
    rows = [
        row(q, "ada", q % 6 > 0, right if q < questions else None, replicate=k, weight=1 + q / 7)
        for q in range(250)
        for k in (1, 2)
    ]
    (system,) = ave_score.estimate(rows).systems
    assert (system.estimate, system.design_effect) == (right, 2)
    (system,) = ave_score.estimate(rows, labels="weight").systems
    assert (system.estimate, system.design_effect) == (right, 2)


def test_names_that_a_spreadsheet_calculates_come_back(tmp_path: Path) -> None:
    """CSV has an apostrophe before them, which is not theirs."""
    text = "q_id,run,judgement,verdict,replicate\n"
    text += "".join(f"-{q},=A1,,{WORDS[q % 3 > 0]},+{k}\n" for q in range(40) for k in (1, 2))
    path = put(tmp_path, text, "judged.csv")
    drawn = ave("estimate", str(path), "--draw", "30", code=0).out
    assert "'=A1" in drawn
    labels = put(tmp_path, drawn.replace(",'=A1,,", ",'=A1,R,"), "labels.csv")
    (system,) = ave_score.estimate(str(path), str(labels)).systems
    assert (system.run, system.labels, system.labelled_questions) == ("=A1", 60, 30)
    swapped = ave("estimate", str(labels), str(path), code=2).err
    assert "the table of all answers" in swapped.replace("\n", " ")


def test_the_sample_has_the_truth_inside_its_intervals() -> None:
    """As the tutorial says: the truth is counted in the second file."""
    found = ave_score.estimate(str(ROOT / "sample_runs/judge/systems.csv"))
    with (ROOT / "sample_runs/judge/truth.csv").open(encoding="utf-8") as file:
        rows = [*csv.DictReader(file)]
    for system in found.systems:
        own = [row["judgement"] == "R" for row in rows if row["run"] == system.run]
        assert system.interval is not None
        assert system.interval.low < sum(own) / len(own) < system.interval.high
    assert [system.run for system in found.systems] == ["ada", "bob", "cat"]
    assert sorted(found.systems, key=lambda row: -row.judged)[1].run == "cat"
    assert any("too generous to cat" in text for text in found.systems[2].cautions)


@pytest.mark.parametrize("epochs", [1, 2])
def test_questions_that_a_system_lacks_count_as_in_score(epochs: int) -> None:
    """They are wrong, or unanswered; or left out: 40 right of 100, or of 80, by hand."""
    every = [
        row(q, run, q % 2, int(q < 40), replicate=k)
        for run, number in (("ada", 100), ("bob", 80))
        for q in range(number)
        for k in range(epochs)
    ]
    for missing, share in (("error", 0.4), ("rejected", 0.4), ("excluded", 0.5)):
        policies = Policies.of(missing=missing)
        with pytest.warns(ave_score.AveScoreWarning, match="no row for question"):
            found = ave_score.estimate(every, policies=policies)
        of = {system.run: system for system in found.systems}
        assert (of["ada"].estimate, of["bob"].estimate) == pytest.approx((0.4, share))
        assert of["bob"].interval is not None and of["bob"].interval.low < share
    gold = [{"q_id": f"q{q}", "a_id": "1", "label": "VALIDATED"} for q in range(40)]
    run = [item | {"label": "VALIDATED"} for item in gold]
    qa = [{**item, "run": "bob", "judgement": "R"} for item in gold[:20]]
    with pytest.warns(ave_score.AveScoreWarning, match="no row for question"):
        assert ave_score.estimate(gold, run, qa=qa).systems[0].estimate == pytest.approx(0.5)


def test_withheld_answers_scale_what_is_calibrated_and_planned() -> None:
    """Half of the answers are withheld: accuracy and its interval are about half, by hand.

    Of given answers the judge accepts .6, elsewhere .9 and .2: accuracy (.6 - .2) / (.9 - .2).
    """
    there = [row(f"r{q}", "zed", q < 90, 1) for q in range(100)]
    there += [row(f"w{q}", "zed", q < 20, 0) for q in range(100)]
    given = [row(q, "ada", q % 5 < 3, None, answered="") for q in range(500)]
    held = [row(q, "ada", 0, None, answered="no") for q in range(500, 1000)]
    whole = ave_score.estimate(given, calibration=there, half_width=0.06)
    part = ave_score.estimate([*given, *held], calibration=there, half_width=0.03)
    (all_given,), (half,) = whole.systems, part.systems
    assert all_given.estimate == pytest.approx(4 / 7)
    assert half.estimate == pytest.approx(2 / 7)
    assert whole.plan is not None and part.plan is not None
    assert part.plan.systems[0].labels == whole.plan.systems[0].labels
    assert part.plan.systems[0].of_all == pytest.approx(whole.plan.systems[0].of_all / 2)
    assert half.interval is not None and all_given.interval is not None
    none = [item | {"run": "bob", "answered": "no"} for item in given]  # nothing is estimated of it
    found = ave_score.estimate([*given, *none], calibration=there, half_width=0.03)
    nothing = found.systems[-1]
    assert found.plan is not None and found.plan.systems[-1] == ("bob", 0, 0.0)
    assert (nothing.run, nothing.estimate) == ("bob", None)
    # the share of given answers varies, too: 1.96² · (4/7)² · .25 / 1000 joins the margins
    for end, its_end in zip(half.interval, all_given.interval, strict=True):
        margin = ((its_end - 4 / 7) ** 2 / 4 + 3.8415 * (4 / 7) ** 2 * 0.25 / 1000) ** 0.5
        assert abs(end - 2 / 7) == pytest.approx(margin, abs=1e-5)


def test_withheld_answers_count_as_not_right() -> None:
    """As `score --ci` counts accuracy, whose interval is Wilson's: 40 right of 100, by hand."""
    rows = [row(q, "ada", q % 2, int(q < 40)) for q in range(60)]
    rows += [row(q, "ada", 0, None, answered="no") for q in range(60, 100)]
    (system,) = ave_score.estimate(
        [row | {"answered": row.get("answered", "")} for row in rows]
    ).systems
    assert system.estimate == pytest.approx(0.4)
    assert (system.labels, system.answers) == (60, 100)
    assert system.interval == pytest.approx((0.30940, 0.49800), abs=1e-5)  # 0.4, z = 1.95996
    assert (system.judged, system.method) == (0.3, "all labelled")


def test_the_judge_and_labels_alone_are_counted_and_drawn(tmp_path: Path) -> None:
    """By pandas, from the rows of the sample with labels: 132 of 150 of ada are right."""
    sample = ROOT / "sample_runs/judge/systems.csv"
    rows = pd.read_csv(sample, dtype=str, keep_default_na=False)
    rows["accepted"] = rows.verdict.isin(["VALIDATED", "SELECTED"])
    labelled = rows[rows.judgement != ""]
    right = labelled[labelled.judgement == "R"]
    wrong = labelled[labelled.judgement != "R"]
    path = tmp_path / "figure.svg"
    document = json.loads(ave("estimate", sample, "-f", "json", "--plot", path, code=0).out)
    assert document["sensitivity"] == pytest.approx(right.accepted.mean())
    assert document["specificity"] == pytest.approx(1 - wrong.accepted.mean())
    for system in document["systems"]:
        own = labelled[labelled.run == system["run"]]
        for verdict in system["verdicts"]:
            part = own[own.accepted == (verdict["verdict"] == "accepted")]
            assert (verdict["labels"], verdict["right"]) == (
                len(part),
                (part.judgement == "R").sum(),
            )
        assert sum(verdict["answers"] for verdict in system["verdicts"]) == system["answers"]
        assert system["alone"] == pytest.approx((own.judgement == "R").mean())
        low, high = system["alone_interval"]
        assert high - low > system["interval"][1] - system["interval"][0]  # the judge is of use
    drawn = path.read_text("utf-8")
    assert "ada: 0.860 [0.815, 0.906], labels alone 0.880 [" in drawn
    assert "judged 0.812." in drawn
    few = put(tmp_path, "q_id,run,verdict,judgement\nq1,a,VALIDATED,R\nq2,a,REJECTED,\n", "few.csv")
    path.unlink()
    none = ave("estimate", few, "--plot", path, code=3)
    assert "nothing to draw" in none.err
    assert "a: no estimate" in none.out and not path.exists()
    assert "--plot cannot be" in ave("estimate", sample, "--draw", "3", "--plot", path, code=2).err
