"""Systems that are scored, compared, checked and converted from the logs of their evaluations. The
figures are calculated by hand from the grades in each case."""

from __future__ import annotations

import csv
import json
import re
import warnings
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import ave_score
from ave_score import Choice, IntervalPolicy, Policies, UsageError
from tests import each, slow
from tests.helpers_command import ave, document_of, output, refusal
from tests.helpers_files import COLLECTION, put
from tests.helpers_logs import choices, lines, packed, responses

check = partial(ave, "check", "-f", "concise")

Grades = dict[str, str]
"""Question -> the grades of its epochs: C, I, P, N; F failed, - absent."""

ADA = {"q1": "CC", "q2": "CI", "q3": "CC"}
BOB = {"q1": "CI", "q2": "NI", "q3": "IN"}


def log(grades: Grades, model: str = "table/ada", **more: Any) -> dict[str, Any]:  # noqa: ANN401
    """Return a log of Inspect with a scorer of these grades."""
    samples = []
    for number, (q_id, given) in enumerate(grades.items()):
        for epoch, grade in enumerate(given, 1):
            one: dict[str, Any] = {"id": q_id, "epoch": epoch, "input": f"What is {q_id}?"}
            one["metadata"] = {"subject": "ab"[number % 2], "of": {"year": 1990 + number}}
            one["scores"] = {"judge": {"value": grade, "answer": "4"}, "sure": {"value": 0.5}}
            if grade == "F":
                one |= {"scores": {}, "error": {"message": "timeout"}}
            samples += [one] * (grade != "-")
    about = {"task": "sums", "model": model, "eval_id": model + repr(grades)}
    about["dataset"] = {"sample_ids": [*grades]}  # type: ignore[assignment]
    about["config"] = {"epochs": max(map(len, grades.values()))}  # type: ignore[assignment]
    return {"version": 2, "status": "success", "eval": about, "samples": samples} | more


def scores(*logs: dict[str, Any], measure: str = "answering_accuracy", **chosen: Any) -> list[str]:  # noqa: ANN401
    """Return the value of each system, as a fraction."""
    files = [put(Path(), json.dumps(one), f"{n}.json") for n, one in enumerate(logs)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about P, and answers that failed
        rows = ave_score.score(files, measures=measure, policies=Policies(**chosen)).rows
    return [str(row.values[measure]) for row in rows]


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in a folder with the logs of two systems, as a document and as an archive."""
    monkeypatch.chdir(tmp_path)
    put(tmp_path, json.dumps(log(ADA)), "ada.json")
    bob = log(BOB, "table/bob")
    members = {f"samples/{n}.json": json.dumps(one) for n, one in enumerate(bob.pop("samples"))}
    put(tmp_path, packed(members | {"header.json": json.dumps(bob)}), "bob.eval")
    return tmp_path


def test_a_question_counts_with_its_shares_of_right_and_withheld() -> None:
    """Of 3 questions ada has 1 + 1/2 + 1 right; bob has 1/2 right, 1/2 + 1/2 withheld. c@1 of bob
    is (1/2 + 1 * (1/2) / 3) / 3 = 2/9."""
    found = document_of("score", "ada.json", "bob.eval", "-m", "answering_accuracy,c_at_1")
    values = [
        [row["measures"][key] for key in ("answering_accuracy", "c_at_1")] for row in found["runs"]
    ]
    assert values == [[pytest.approx(5 / 6)] * 2, pytest.approx([1 / 6, 2 / 9])]


def test_measures_that_do_not_apply_to_replicates_are_named() -> None:
    """Nor do they remark on what they did not measure, as nDCG does on grades."""
    text = output("score", "ada.json", "-m", "ndcg,pass@1")
    assert "No nDCG: replicates of a question have no order." in text


def test_a_comparison_takes_whole_questions_and_clusters() -> None:
    """Ada wins all 3 questions, by 1/2, 1/2 and 1: of 8 swaps 2 differ as much, so p = 1/4.
    Clusters of `subject` are {q1, q3} and {q2}: of 4 swaps 2 differ as much."""
    files = ["compare", "ada.json", "bob.eval", "-m", "answering_accuracy"]
    for more, p in ([], 0.25), (["--cluster", "subject"], 0.5), (["--cluster", "of.year"], 0.25):
        (measure,) = document_of(*files, *more)["measures"]
        (pair,) = measure["pairs"]
        assert (pair["run"], pair["difference"]) == ("ada", pytest.approx(2 / 3))
        assert pair["p"] == p


def test_logs_of_a_model_with_other_seeds_are_runs_of_one_system() -> None:
    """On 2 questions ada has 1 and 1/2 right, bob 0 and 1/2: the means are 3/4 and 1/4."""
    grades = {("ada", 1): "CC", ("ada", 2): "CI", ("bob", 1): "II", ("bob", 2): "IC"}
    files: list[Path] = []
    for (model, seed), given in grades.items():
        one = log(dict(zip(("q1", "q2"), given, strict=True)), f"table/{model}")
        one["eval"] |= {"model_generate_config": {"seed": seed, "temperature": 1}}
        files.append(put(Path(), json.dumps(one), f"2026-11-23T00-00-0{len(files)}_sums_x.json"))
    found = ave_score.score(files, measures="answering_accuracy", replicates="model").rows
    values = {row.run: row.values["answering_accuracy"] for row in found}
    assert values == {"ada": Fraction(3, 4), "bob": Fraction(1, 4)}
    assert "--replicates model makes them runs" in ave("compare", *files, code=0)[1]
    one["eval"]["model_generate_config"]["temperature"] = 0
    put(Path(), json.dumps(one), files[-1].name)
    said = refusal("compare", *files, "--replicates", "model")
    assert "'bob/1' and 'bob/2' are one model with different settings" in said


@pytest.mark.parametrize(("grades", "missing", "value", "said"), [
    ({"q1": "CF", "q2": "CI"}, "error", "3/4", "AVE915 warning: 1 of 4 answers failed"),
    ({"q1": "C-", "q2": "CI"}, "error", "3/4", "(q1)"),
    ({"q1": "FF", "q2": "CI"}, "error", None, "AVE916 1 of 2 questions"),
    ({"q1": "F-", "q2": "CI"}, "rejected", "1/4", "withheld for want of a judged one: 1"),
    ({"q1": "--", "q2": "CI"}, "excluded", "1/2", ""),
    ({"q1": "CF", "q2": "--", "q3": "CC", "q4": "FF"}, "rejected", "1/2",
        "Answers failed or absent: 1; withheld for want of a judged one: 2."),
])  # fmt: skip
def test_failed_and_absent_answers(
    grades: Grades, missing: str, value: str | None, said: str
) -> None:
    put(Path(), json.dumps(log(grades)), "log.json")
    code, out, err = ave("score", "log.json", "--missing", missing, "-m", "answering_accuracy")
    assert (code == 1, said in " ".join((out + err).split())) == (value is None, True)
    if value is not None:
        assert scores(log(grades), missing=missing) == [value]
    if missing == "rejected":  # of two systems twice as many
        put(Path(), json.dumps(log(grades, "table/bob")), "bob.json")
        text = ave("score", "log.json", "bob.json", "--missing", missing, code=0).out
        of_both = re.sub(r"(?<=: )\d+", lambda found: f"{2 * int(found[0])}", said)
        assert of_both in " ".join(text.split())


INVALID = {"author": "ada", "reason": "the answer was in the prompt"}
"""What Inspect writes of a sample that somebody invalidates, which keeps its scores."""


@pytest.mark.parametrize(("grades", "value", "said"), [
    ({"q1": "IC", "q2": "CI"}, "3/4", "AVE915 warning: 1 of 4 answers failed"),
    ({"q1": "CI", "q2": "CI"}, "1/4", "AVE915 warning: 1 of 4 answers failed"),
    ({"q1": "C", "q2": "C"}, None, "AVE916 1 of 2 questions have no judged answer (q1)"),
])  # fmt: skip
def test_an_invalidated_answer_counts_as_one_that_failed(
    here: Path, grades: Grades, value: str | None, said: str
) -> None:
    """The first answer to q1 is left out, right or wrong; with it the mean would be 2/4."""
    made = log(grades)
    made["samples"][0]["invalidation"] = INVALID
    put(here, json.dumps(made), "log.json")
    code, _, err = ave("score", "log.json", "-m", "answering_accuracy")
    assert (code == 1, said in " ".join(err.split())) == (value is None, True), err
    if value is not None:
        assert scores(made) == [value]
    for command in ("decide", "check"):
        refused = ave(command, "log.json", "--log", "score=sure", code=1)
        text = " ".join((refused.out + refused.err).split())
        assert "AVE911" in text and "since it was invalidated" in text, text


def words(*values: object, **more: object) -> dict[str, Any]:
    """Return a log whose scorer gives these values to q0, q1 and so on."""
    made = log({f"q{number}": "C" for number in range(len(values))})
    for value, one in zip(values, made["samples"], strict=True):
        one["scores"] = {"judge": {"value": value, **more}}
    return made


@pytest.mark.parametrize(("values", "reason", "chosen", "value"), [
    ([True, False, True, 1, 0, "yes", "no", "CORRECT"], "", Choice(), "5/8"),
    (["C", "P", "N", float("nan")], "", Choice(), "1/4"),
    (["C", "P", "N", float("nan")], "", Choice(right_from=0.5), "1/2"),
    ([0.2, 0.5, 0.9, 1], "", Choice(right_from=0.5), "3/4"),
    ([{"right": 1, "sure": 0.3}, {"right": 0, "sure": 1}], "", Choice("judge.right"), "1/2"),
    ([{"right": 1, "sure": 0.3}, {"right": 0, "sure": 1}], "", Choice(), "1/2"),
])  # fmt: skip
def test_the_values_of_scorers(
    values: list[object], reason: str, chosen: Choice, value: str
) -> None:
    """An answer that is partly right, or not judged, is not right, and counts."""
    assert scores(words(*values, reason=reason), logs=chosen) == [value]


def test_an_answer_without_the_format_is_not_withheld() -> None:
    """Of C and N: c@1 is (1 + 1 * 1/2) / 2 if N is withheld, else 1/2."""
    for reason, value in ("refusal", "3/4"), ("invalid_response_format", "1/2"):
        assert scores(words("C", "N", reason=reason), measure="c_at_1") == [value]


def test_words_of_other_graders_are_named() -> None:
    put(Path(), json.dumps(words("good", "bad", "none", "good")), "log.json")
    assert "AVE907" in refusal("score", "log.json", code=1)
    named = "good=right,bad=wrong,none=withheld"
    found = document_of("score", "log.json", "--values", named, "-m", "c_at_1")
    assert found["runs"][0]["measures"]["c_at_1"] == pytest.approx((2 + 2 / 4) / 4)
    assert scores(words("yes", "no", "yes"), measure="mean_score") == ["2/3"]  # words are 1 or 0


TWO = {"judge": {"value": "C"}, "expert": {"value": "I"}}


@each("others, arguments, said", [
    ([words(0.5, 1)], ("-m", "answering_accuracy"), "judge' gives numbers such as 0.5"),
    ([words(0.9999999, 0)], ("-m", "answering_accuracy"), "judge' gives numbers such as 0.9999999"),
    ([words("C"), words("C") | {"samples": []}], (), "has no samples"),
    ([log(ADA), log(ADA)], (), "are the same evaluation, given twice"),
    ([log(ADA)], ("--log", "scorer=jduge"), "no scorer 'jduge' in all logs"),
    ([log(ADA)], ("--log", "task=sum"), "no task 'sum' in the logs, only sums; did you mean sums?"),
    ([log(ADA)], ("--log", "withheld=("), "--log withheld=REGEX: no regular expression"),
    ([log(ADA)], ("--log", "right-from=nan"), "is not a finite number"),
    ([log(ADA)], ("--log", "right-from=x"), "found 'right-from=x', expected a number"),
    ([log(ADA)], ("--log", "scoer=x"), "no key 'scoer', only scorer, confidence, filter, task"),
    ([log(ADA)], ("--log", "scoer=x"), "withheld, right-from; did you mean scorer?"),
    ([log(ADA)], ("--log", "match"), "found 'match', expected KEY=VALUE, KEY one of scorer"),
    ([log(ADA)], ("--log", "scorer="), "found 'scorer=', expected scorer=NAME"),
    ([log(ADA)], ("--log", "task=a", "--log", "task=b"), "--log contains task twice"),
    ([log(ADA)], ("--key", "0.json"), "labels a collection, and logs have none"),
    ([log(ADA)], ("--letters", "respubliqa"), "--letters: not available for logs without"),
    ([log(ADA)], ("--log", "confidence=x"), "no scorer 'x', only judge, sure"),
    ([log({"": "C"})], (), "AVE910 id is"),
    ([log(ADA) | {"samples": log(ADA)["samples"][:1] * 2}], (), "AVE206"),
    ([log(ADA), words("C") | {"eval": {"task": "other"}}], (), "no task in common: 0: sums"),
    ([log(ADA), words("C", "C", "C")], (), "AVE916 1 of 4 questions"),
])  # fmt: skip
def test_what_is_unclear_or_contradicts_is_refused(
    others: list[dict[str, Any]], arguments: tuple[str, ...], said: str
) -> None:
    files = [put(Path(), json.dumps(one), f"{n}.json") for n, one in enumerate(others)]
    code, out, err = ave("score", *files, *arguments)
    assert (code in (1, 2), out, said in err) == (True, "", True), err


def test_other_questions_under_one_id_are_refused() -> None:
    other = log(ADA, "table/bob")
    other["samples"][0]["input"] = other["samples"][1]["input"] = "Who?"
    put(Path(), json.dumps(other), "other.json")
    said = refusal("compare", "ada.json", "other.json")
    assert "question 'q1' is another one than in ada.json: 1 of 3 questions differ" in said


def test_several_scorers_need_a_choice_unless_the_results_name_one() -> None:
    several = words("C", "I")
    for one in several["samples"]:
        one["scores"]["expert"] = {"value": "I"}
    put(Path(), json.dumps(several), "log.json")
    said = "choose one with --log scorer=NAME (log.json: judge, expert)"
    assert said in refusal("score", "log.json")
    assert scores(several, logs=Choice("expert")) == ["0"]
    needed = "AVE917 ave-score score refuses it: several scorers grade the answers: choose one with"
    assert needed in check("log.json", code=1).out  # which passed while score refused it
    assert check("log.json", "--log", "scorer=expert", code=0)
    headline = {"results": {"headline": {"scorer": "judge"}}}
    assert scores(several | headline) == ["1/2"]


def test_without_grades_a_message_says_what_makes_them() -> None:
    vague = words("unsure", "sure")
    for number, one in enumerate(vague["samples"]):
        one["scores"]["certainty"] = {"value": 0.25 + number / 2}
    put(Path(), json.dumps(vague), "log.json")
    said = "no scorer gives grades: choose one with --log scorer=NAME (log.json: judge, certainty)"
    assert said in refusal("score", "log.json")
    short = said.replace("log.json: ", "")  # which the line of the finding begins with
    assert f"AVE917 ave-score score refuses it: {short}" in check("log.json", code=1).out
    chosen = "--log", "scorer=certainty"
    assert "2 with numbers such as 0.25" in check("log.json", *chosen, code=0).out
    assert "--log right-from=T; -m mean_score needs none" in refusal(
        "score", "log.json", *chosen, "-m", "answering_accuracy,mean_score"
    )
    assert check("log.json", *chosen, "--log", "right-from=0.5", code=0)
    assert scores(vague, logs=Choice("certainty", right_from=0.5)) == ["1/2"]


NUMBERS = "--log", "scorer=sure"


def numbered(*values: float, model: str = "table/ada") -> str:
    """Return a log of two questions with two epochs each, whose scorer gives numbers."""
    made = log({"q1": "CI", "q2": "IN"}, model)
    for one, value in zip(made["samples"], values, strict=True):
        one["scores"]["sure"]["value"] = value
    return json.dumps(made)


@pytest.fixture
def numbers(here: Path) -> tuple[str, str]:
    """Two logs: means of questions 0.5 and 0.25, mean 0.375; and 0.25 and 0.25, mean 0.25."""
    put(here, numbered(0.75, 0.25, 0.5, 0), "one.json")
    put(here, numbered(0.5, 0, 0.25, 0.25, model="table/bob"), "two.json")
    return "one.json", "two.json"


@pytest.mark.parametrize(("options", "expected"), [
    ((), [0.375, 0.25]),
    (("-m", "mean_score"), [0.375, 0.25]),
    (("--epochs", "first"), [0.625, 0.375]),
    (("-m", "answering_accuracy", "--log", "right-from=0.5"), [0.5, 0.25]),
])  # fmt: skip
def test_numbers_of_a_scorer_need_no_threshold(
    numbers: tuple[str, str], options: tuple[str, ...], expected: list[float]
) -> None:
    found = document_of("score", *numbers, *NUMBERS, *options)
    assert [next(iter(row["measures"].values())) for row in found["runs"]] == expected
    if not options:
        assert "answered_wrong" not in found["runs"][0]["counts"]  # nothing is known to be wrong
        assert "4 with numbers such as 0.75" in ave("check", *numbers, *NUMBERS, code=0).out
        compared = document_of("compare", *numbers, *NUMBERS)
        assert compared["measures"][0]["pairs"][0]["difference"] == 0.125


@pytest.mark.parametrize(("options", "said"), [
    (("-m", "c_at_1"), "c_at_1: scorer 'sure' gives numbers such as 0.75"),
    (("--epochs", "majority"), "choose mean, first or each"),
    (("--threshold", "0.5"), "--threshold: not available for logs with numbers"),
    (("--sweep", "c_at_1"), "--sweep: not available for logs with numbers"),
])  # fmt: skip
def test_what_needs_grades_refuses_numbers(
    numbers: tuple[str, str], options: tuple[str, ...], said: str
) -> None:
    assert said in refusal("score", *numbers, *NUMBERS, *options)
    if options[0] in ("--epochs", "--threshold"):
        assert ave("check", *numbers, *NUMBERS, *options).code


@pytest.mark.slow
def test_a_figure_of_logs_has_accuracy_with_intervals(here: Path) -> None:
    """BCa, as of --ci; of a number, the mean. What is printed beside has no intervals."""
    pytest.importorskip("matplotlib")
    plain = output("score", "ada.json", "bob.eval")
    assert output("score", "ada.json", "bob.eval", "--plot", "f.svg") == plain
    drawn = (here / "f.svg").read_text()
    ((low, high),) = re.findall(r"1\. ada: Accuracy 0\.83 \[(.*?), (.*?)\]\.", drawn)
    ends = document_of("score", "ada.json", "bob.eval", "--ci", "95")["runs"][0]
    found = ends["intervals"]["answering_accuracy"]
    assert [low, high] == [f"{end:.2f}" for end in found]
    assert "Whiskers: 95 % intervals." in drawn
    of_python = ave_score.plot(["ada.json", "bob.eval"])
    assert "1. ada: Accuracy" in of_python._repr_svg_()


def test_a_log_with_the_name_of_its_program_is_named_after_its_model() -> None:
    """Several runs of a model are not joined; the last part of its name is enough if unique."""
    Path("logs").mkdir()
    names = ["2026-01-02T03-04-05+00-00_sums_Ab1.json", "2026-01-02T03-04-06+00-00_sums_Ab2.json"]
    for name, seed in zip(names, (7, 8), strict=True):
        made = log(ADA)
        made["eval"] |= {"model_generate_config": {"seed": seed}, "eval_id": str(seed)}
        put(Path(), json.dumps(made), f"logs/{name}")
    bob = log(BOB, "by/table/bob")
    put(Path(), json.dumps(bob), "logs/2026-01-02T03-04-05+00-00_sums_Ab3.json")
    put(Path(), "no log", "logs/notes.txt")
    code, out, err = ave("score", "logs", "-f", "csv", "-m", "answering_accuracy")
    assert [line.split(",")[0] for line in out.splitlines()[1:]] == ["ada/7", "bob", "ada/8"]
    assert (code, "1 other file (notes.txt) not scored" in err) == (0, True)


DATE = "2026-01-02T03-04-05.678901"


@pytest.fixture
def tasks(here: Path) -> Path:
    """Two tasks of two models as lm-evaluation-harness writes them, one of them twice."""
    for model, right in ("ada", [1.0, 1.0]), ("bob", [1.0, 0.0]):
        (here / model).mkdir()
        more: dict[str, object] = {"f1": [0, 1], "metrics": ["acc", "f1"]}  # a pair for a mean
        docs = [
            {"doc": {"text": "long" * (1 - n) + "?", "topic": f"t{n}"}, "doc_hash": f"h{n}"}
            for n in (0, 1)
        ]
        chosen = [
            choices(n, ["a", "b"], ["-1.0", "-1.0"], "0", acc=right[n], **more, **docs[n])
            for n in (0, 1)
        ]
        put(here, lines(*chosen), f"{model}/samples_pick_{DATE}.jsonl")
        put(here, lines(*chosen[:1]), f"{model}/samples_pick_2025{DATE[4:]}.jsonl")
        said = [
            responses(n, ["I don't know", "x"], exact_match=right[n], filter=by, **docs[n])
            for by in ("first", "vote")
            for n in (0, 1)
        ]  # fmt: skip
        put(here, lines(*said), f"{model}/samples_say_{DATE}.jsonl")
        results = {"model_name": f"org/{model}", "group_subtasks": {"all": ["pick", "say"]}}
        put(here, json.dumps(results), f"{model}/results_{DATE}.json")
    return here


def test_tasks_of_the_harness_are_one_collection(tasks: Path) -> None:
    """Ada is right 4 times of 4, bob twice; with two answers withheld, c@1 is (2 + 2 * 2/4) / 4."""
    said = "several filters: choose one with --log filter=NAME: first, vote"
    assert said in refusal("score", "ada", code=2)
    chosen = "--log", "filter=first", "-f", "csv", "-m", "answering_accuracy,c_at_1"
    code, out, _ = ave("score", "ada", "bob", *chosen)
    assert (code, [line.split(",")[0] for line in out.splitlines()[1:]]) == (0, ["ada", "bob"])
    values = [line.split(",")[-4:-2] for line in out.splitlines()[1:]]
    assert values == [["1.0", "1.0"], ["0.5", "0.5"]]
    say = "--log", "task=say", "--log", "withheld=i don.t know"
    _, out, _ = ave("score", "ada", "bob", *chosen, *say)
    values = [line.split(",")[-4:-2] for line in out.splitlines()[1:]]
    assert values == [["1.0", "1.0"], ["0.5", "0.75"]]


def test_arguments_of_a_model_are_its_settings(tasks: Path) -> None:
    for model, more in ("ada", "seed=1,chat=true"), ("bob", "seed=2"):
        results = {"model_name": "org/one", "config": {"model_args": more}}
        put(tasks, json.dumps(results), f"{model}/results_{DATE}.json")
    files = [f"{model}/samples_pick_{DATE}.jsonl" for model in ("ada", "bob")]
    assert "one model with different settings" in refusal("score", *files, "--replicates", "model")


def test_versions_of_tasks_and_of_the_harness_are_said(tasks: Path) -> None:
    for number, model in enumerate(("ada", "bob")):
        results = {"lm_eval_version": "0.4.9", "versions": {"pick": number, "say": 7}}
        put(tasks, json.dumps(results), f"{model}/results_{DATE}.json")
    files = [f"{model}/samples_pick_{DATE}.jsonl" for model in ("ada", "bob")]
    assert "Logs have other versions of it" in output("score", *files)
    assert "lm_eval 0.4.9, task pick, version 1" in check(files[1], code=0).out


def test_a_metric_of_each_repeat_has_replicates() -> None:
    """Of two answers to a question one is right, and both to the other: (1/2 + 1) / 2."""
    both = [responses(n, ["4", "5"], exact_match=[1.0, float(n)]) for n in (0, 1)]
    put(Path(), lines(*both), "repeats.jsonl")
    (row,) = ave_score.score("repeats.jsonl", measures="answering_accuracy").rows
    assert row.values["answering_accuracy"] == Fraction(3, 4)


def test_attributes_of_questions_are_groups(tasks: Path) -> None:
    files = [*map(str, tasks.glob("*/samples_*_2026*"))]
    policies, measure = Policies(logs=Choice(filter="vote")), "answering_accuracy"
    made = ave_score.break_down(files, (), "task", measures=measure, policies=policies)
    bob = next(run for run in made.runs if run.run == "bob")
    values = {part.name: part.values["answering_accuracy"] for part in bob.parts}
    assert (values["pick"], values["say"], values["micro"]) == (Fraction(1, 2),) * 3
    assert "no file or attribute 'text'; questions have task, group, topic" in refusal(
        "score", "ada", "bob", "--log", "filter=vote", "--breakdown", "text"
    )


def test_a_page_has_the_texts_of_questions(tasks: Path) -> None:
    """They are the questions of documents, or else prompts, and not hashes of documents."""
    path = Path(f"ada/samples_pick_{DATE}.jsonl")
    put(Path(), path.read_text().replace('"topic": "t1"', '"question": "Who is t1?"'), str(path))
    page = ave("report", path, "-o", "-", code=0).out
    assert ("Question 0?" in page, "Who is t1?" in page, '"h0"' in page) == (True, True, False)
    assert "Question 1?" not in page


@each("metric", ["acc", "acc_norm"])
def test_the_confidence_of_multiple_choice(tasks: Path, metric: str) -> None:
    """Of two equally likely choices of one letter the right one has 1/2: so K, its mean, is 1/2."""
    policies, file = Policies(logs=Choice(confidence=metric)), f"ada/samples_pick_{DATE}.jsonl"
    found = ave_score.score([file], measures="k", policies=policies)
    assert found.collection.path == "pick"  # the task
    assert found.rows[0].values["k"] == Fraction(1, 2)


def test_a_check_says_what_a_log_is_about() -> None:
    code, out, _ = ave("check", "ada.json", "bob.eval")
    assert code == 0
    assert [line.strip() for line in out.splitlines()[1:6]] == [
        "ada.json",
        "inspect_ai, task sums, model table/ada, status success",
        "3 questions × 2 epochs, scorer judge: 5 right, 1 wrong",
        "scorers judge (grades), sure (other values)",
        "attributes subject, of.year",
    ]
    assert "1 right, 3 wrong, 2 withheld" in out
    assert "not checked" not in out


def test_a_check_only_remarks_on_what_no_score_needs(here: Path) -> None:
    """The second answer to q1 failed: `score` takes the first alone, `decide` ranks nothing."""
    put(here, json.dumps(log({"q1": "CF", "q2": "CI"})), "log.json")
    code, out, _ = ave("check", "log.json")
    assert (code, "AVE915 warning" in out) == (0, True)
    assert "not checked: its scores, which ave-score decide refuses: log.json:1:" in out
    assert ave("score", "log.json", "-m", "answering_accuracy").code == 0
    assert "AVE911" in refusal("decide", "log.json", code=1)
    assert "AVE911" in ave("check", "log.json", "--log", "score=sure", code=1).out


def test_a_check_of_a_folder_leaves_results_to_their_samples(tasks: Path) -> None:
    put(tasks, "{}", "bob/results_2020-01-01T00-00-00.json")  # of no samples
    skipped = f"ave-score: 1 file of results (results_{DATE}.json) not checked\n"
    assert ave("check", "ada", "--log", "filter=first", code=0).err.startswith(skipped)
    assert ave("check", "ada", code=1).err.startswith(skipped)  # as score asks for a filter
    assert ave("check", "bob", code=1).err.startswith(skipped)


def test_epochs_that_are_systems_are_no_logs_of_a_model() -> None:
    given = "-m", "answering_accuracy", "--epochs", "each"
    out = ave("compare", "ada.json", "bob.eval", *given, code=0).out
    assert "Each epoch is a system here" in " ".join(out.split())
    assert "Each log" not in out
    assert "|missing:error|" in out  # which is what letters mean in no log
    assert "campaign:" not in out


def test_a_check_refuses_what_logs_contradict_each_other_in() -> None:
    """As `score` does; these passed with a line on stderr, so that a pipeline went on."""
    put(Path(), json.dumps(log(ADA | {"q4": "CC"}, "table/cyd")), "cyd.json")
    out = check("ada.json", "cyd.json", code=1).out
    assert "ada.json AVE916 1 of 4 questions have no judged answer (q4)" in out
    assert check("ada.json", "cyd.json", "--missing", "excluded", code=0)
    put(Path(), Path("ada.json").read_text().replace("What is q2?", "Who?"), "other.json")
    said = check("bob.eval", "ada.json", "other.json", code=1).out
    assert "other.json AVE917 ave-score score refuses it: ada.json and other.json are the" in said
    put(Path(), json.dumps(log(ADA, "table/eve")).replace("is q2?", "was q2?"), "eve.json")
    said = check("ada.json", "eve.json", "bob.eval", code=1).out
    assert "eve.json AVE917 ave-score score refuses it: question 'q2' is another one than" in said
    assert "AVE917" in check("ada.json", "ada.json", code=1).out
    put(Path(), json.dumps(log(ADA | {"q1": "CF"}, "table/fay")), "fay.json")
    out = check("fay.json", "eve.json", code=1).out  # also what is wrong with each alone
    assert "AVE917" in out and "fay.json AVE915 warning: 1 of 6 answers failed" in out
    said = "system 'ada' has no confidence for a threshold in 6 of 6 answers"
    assert said in refusal("score", "ada.json", "--threshold", "0.5")
    assert said in check("ada.json", "--threshold", "0.5", code=1).out


def test_a_choice_that_no_log_is_given_for_is_refused(here: Path) -> None:
    """As `score` refuses it; what `decide` ranks is chosen by the same options."""
    put(here, "1 1_1 SELECTED 0.9\n", "run.txt")
    said = "scorer:judge is chosen of logs, and no log is given"
    assert said in refusal("check", "run.txt", "--log", "scorer=judge")
    assert "run.txt" in refusal("check", "run.txt", "--kind", "scores", "--log", "filter=first")
    for kind in (None, "run"):
        with pytest.raises(ave_score.UsageError, match=said):
            ave_score.check("run.txt", kind=kind, policies=Policies(logs=Choice("judge")))
    several = log({"q1": "C", "q2": "I"})
    for one in several["samples"]:
        one["scores"]["expert"] = {"value": "I"}
    put(here, json.dumps(several), "log.json")
    for_decide = "log.json", "--kind", "scores"
    assert "not checked: scores: several scorers" in check(*for_decide, code=0).out
    assert "not checked" not in check(*for_decide, "--log", "scorer=judge", code=0).out
    found = ave_score.check("log.json", kind="scores", policies=Policies(logs=Choice("judge")))
    assert not found.findings.unchecked
    found = ave_score.check("log.json", policies=Policies(logs=Choice("expert")))
    assert "scorer expert (also: judge): 2 wrong" in str(found.contents)


def test_a_check_says_what_was_edited_and_how_epochs_were_reduced(here: Path) -> None:
    edited = log(ADA)
    edited["samples"][0]["scores"]["judge"]["history"] = [{"value": "I"}]
    edited["eval"]["config"]["epochs_reducer"] = ["max"]
    put(here, json.dumps(edited), "log.json")
    said = "5 right, 1 wrong. Epochs were reduced by max in the log: --epochs max gives its figure"
    out = check("log.json", code=0).out
    assert f"{said}. Answers with edited scores: 1\n" in out


def test_a_log_becomes_a_judged_file() -> None:
    code, _, err = ave("convert", "bob.eval", "--log", "confidence=sure", "-o", "bob.tsv")
    assert (code, err) == (0, "")
    assert Path("bob.tsv").read_text().splitlines()[:4] == [
        "q_id\trun\tjudgement\tanswered\treplicate\tconfidence\tscore\ttask\tsubject\tof.year",
        "q1\tbob\tR\t\t1\t0.5\t1.0\tsums\ta\t1990",
        "q1\tbob\tW\t\t2\t0.5\t0.0\tsums\ta\t1990",
        "q2\tbob\t\tNO\t1\t0.5\t0.0\tsums\tb\t1991",
    ]
    table, of_log = (
        ave_score.score(name, measures="c_at_1").rows[0].values for name in ("bob.tsv", "bob.eval")
    )
    assert table == of_log


def test_logs_and_collections_do_not_mix(here: Path) -> None:
    put(here, COLLECTION, "gold.xml")
    said = refusal("score", "gold.xml", "ada.json", code=1)
    assert "without COLLECTION it is a system" in said
    assert "gold.xml: is no log with answers" in refusal("score", "ada.json", "gold.xml")
    said = refusal("score", "gold.xml", "--log", "scorer=judge")
    assert "scorer:judge is chosen of logs" in said


def test_data_formats_have_what_logs_have() -> None:
    files = [str(put(Path(), json.dumps(log(ADA)), "ada.json"))]
    head, row = csv.reader(output("score", *files, "-f", "csv").splitlines())
    assert [name for name, cell in zip(head, row, strict=True) if not cell] == [
        "team", "note", "primary",
    ]  # fmt: skip
    (run,) = json.loads(output("score", *files, "-f", "json"))["runs"]
    assert None not in run["measures"].values() and run["not_applicable"] == {}
    asked = json.loads(output("score", *files, "-f", "json", "-m", "f1"))["runs"]
    assert asked[0]["measures"] == {"f1": None}


@pytest.mark.slow
def test_bars_of_groups_are_shares_of_their_track_and_counts_have_no_intervals() -> None:
    """Questions 1 and 3 are of subject a, all right; of question 2, subject b, half is right. Of
    all, 5 of 6 are right; the mean over the two subjects is 3/4."""
    file = put(Path(), json.dumps(log({"q1": "CC", "q2": "CI", "q3": "CC"})), "ada.json")
    html = ave_score.report([file], by="subject").to_html()
    bars = re.findall(r'class="fill" x="0.00%" y="0" width="([\d.]+)%"', html)
    assert bars == ["100.00", "50.00", "83.33", "75.00"]
    assert "from 0 to 1.0" in html
    right = re.search(r'data-value="2.5">2.50([^\n]*)</td>', html)
    assert right and right[1] == ""


def test_messages_say_what_there_is_and_the_way_out() -> None:
    def scored_by(name: str | None, model: str) -> str:
        made = log({"q1": "C"}, model)
        for one in made["samples"]:
            one["scores"] = {name: {"value": "C"}} if name else {}
        return str(put(Path(), json.dumps(made), f"{model}.json"))

    x, y, none = scored_by("x", "ada"), scored_by("y", "bob"), scored_by(None, "cyd")
    for files, message in (
        ([none], "no scores in cyd.json: run `inspect score LOG`"),
        ([x, none], "no scores in cyd.json: run `inspect score LOG`"),
        ([x, y], "the logs have no scorer in common (ada.json: x; bob.json: y): score them alike"),
    ):
        assert message in refusal("score", *files)
    flat = [{"q_id": 1, "a_id": "a", "prm": 0.5, "orm": 0.25}]
    pair = "--columns score=NAME chooses one; it has q_id, a_id, prm, orm"
    other = "--columns says which is which; it has question, candidate, prm"
    for name, text, said in (
        ("two.jsonl", lines(*flat), pair),
        ("two.csv", "q_id,a_id,prm,orm\n1,a,0.5,0.25\n", pair),
        ("own.csv", "question,candidate,prm\n1,a,0.5\n", other),
    ):
        assert said in refusal("decide", str(put(Path(), text, name)), code=1)
    by = {"q1": "a"}
    with pytest.raises(UsageError, match="by: no group for 2 questions: 'q2', 'q3'"):
        ave_score.break_down(
            [str(put(Path(), json.dumps(log(ADA)), "a.json"))], by=ave_score.Clusters("by", by)
        )


SURE = "--log", "confidence=sure"


@pytest.fixture
def confident(here: Path) -> tuple[str, str]:
    """Two logs of two questions and two epochs, graded C I | N C, with confidences."""
    for name, sure in {"one": (0.75, 0.25, 0.5, 0.5), "two": (0.25, 0.5, 0, 1)}.items():
        made = log({"q1": "CI", "q2": "NC"}, f"table/{name}")
        for sample, value in zip(made["samples"], sure, strict=True):
            sample["scores"]["sure"]["value"] = value
        put(here, json.dumps(made), f"{name}.json")
    return "one.json", "two.json"


OF_CONFIDENCE = "brier", "ece", "auc", "log_loss", "pearson_r", "ece(bins=mass)"


def test_confidences_of_a_log_are_measured_over_all_answers(confident: tuple[str, str]) -> None:
    """By hand, c - y of one: -1/4, 1/4, 1/2, -1/2, squares 10/16 / 4; each right is above one
    wrong and beside, or above, another: (1 + 1 + 1 + 1/2) / 4. `decide` makes a collection of the
    same answers, which the exact scorer of runs takes.
    """
    keys = ",".join(OF_CONFIDENCE)
    found = document_of("score", *confident, *SURE, "-m", keys)["runs"]
    values = {row["run"]: row["measures"] | row["not_applicable"] for row in found}
    assert [values["one"][key] for key in ("brier", "auc")] == [10 / 64, 7 / 8]
    for name in ("one", "two"):
        made = "--write-collection", f"{name}.csv", "-o", f"{name}.run"
        graded = "--log", "scorer=judge", "--log", "score=sure"
        ave("decide", f"{name}.json", *graded, *made, code=0)
        (run,) = (
            row
            for row in document_of("score", f"{name}.csv", f"{name}.run", "-m", keys)["runs"]
            if row["run"] == name
        )
        assert values[name] == run["measures"] | run["not_applicable"]


@pytest.mark.parametrize(("figure", "said"), [
    ("roc", "one: AUC 0.88"),
    slow(("reliability", "one: ECE")),
    slow(("reliability-mass", "one: ECE")),
])  # fmt: skip
def test_figures_of_confidences_of_log(confident: tuple[str, str], figure: str, said: str) -> None:
    pytest.importorskip("matplotlib")
    ave("score", *confident, *SURE, "--plot", f"{figure}=f.svg", code=0)
    assert said in Path("f.svg").read_text()


CHOSEN = Choice(confidence="sure")


def test_pages_and_comparisons_take_confidences_of_a_log(confident: tuple[str, str]) -> None:
    page = output("report", *confident, *SURE, "-m", "brier,auc", "-o", "-")
    assert "Curves of confidences" in page
    design = ave_score.Design(policies=Policies(logs=CHOSEN))
    compared = ave_score.compare([*confident], measures="brier", design=design)
    (pair,) = compared.comparisons[0].pairs  # 10/64 and (9 + 4 + 0 + 0)/16/4
    assert abs(pair.difference or 0) == Fraction(13 - 10, 64)


def test_without_confidences_a_log_says_how_they_are_named() -> None:
    said = "None: not every answer has a confidence; --log confidence=NAME names who gives numbers."
    assert said in output("score", "ada.json", "bob.eval", "-m", "brier,answering_accuracy")


BOTH = "--log", "scorer=judge", "--log", "scorer=other"


@pytest.fixture
def graded(here: Path) -> str:
    """A log graded CC IC by judge, and CI IN by other: 3/4 and 1/4 are right."""
    made = log({"q1": "CC", "q2": "IC"})
    for one, grade in zip(made["samples"], "CIIN", strict=True):
        one["scores"]["other"] = {"value": grade}
    put(here, json.dumps(made), "two.json")
    return "two.json"


def test_two_scorers_of_a_log_are_compared(graded: str) -> None:
    found = document_of("score", graded, *BOTH, "-m", "answering_accuracy")
    values = [(row["run"], row["measures"]["answering_accuracy"]) for row in found["runs"]]
    assert values == [("judge", 0.75), ("other", 0.25)]
    assert "|scorer:judge,other|" in found["signature"]
    compared = document_of("compare", graded, *BOTH, "-m", "answering_accuracy")
    (pair,) = compared["measures"][0]["pairs"]
    assert (pair["run"], pair["other"], pair["difference"]) == ("judge", "other", 0.5)
    said = output("compare", graded, *BOTH)
    assert "differences between these are of grading" in said
    assert "2 questions × 2 epochs, scorers judge, other." in said
    assert "--replicates" not in said
    assert ave("check", graded, *BOTH, code=0)
    put(Path(), json.dumps(log({"q1": "C", "q2": "I"}, "bob")), "bob.json")
    assert "no scorer 'other' in all logs" in refusal("score", graded, "bob.json", *BOTH)


def test_two_scorers_of_a_log_agree_on_some_answers(graded: str) -> None:
    """By judge right: 3 of 4, by other 1; both judge 2 alike: CC II are, CI and CN not. Kappa: (1/2
    - (3/4 * 1/4 + 1/4 * 3/4)) / (1 - 3/8) = 1/5. A withheld answer is not right."""
    found = document_of("agree", graded, *BOTH)
    assert (found["answers"], found["questions"]) == (4, 2)
    measures = found["pairs"][0]["measures"]
    assert (measures["agreement"], measures["kappa"]) == (0.5, pytest.approx(0.2))
    assert "|scorer:judge,other|" in found["signature"]
    policies = Policies(logs=Choice(scorers=("judge", "other")))
    of_python = ave_score.agree([graded], policies=policies)
    assert [judge.name for judge in of_python.judges] == ["judge", "other"]
    assert of_python.pairs[0].figures.values["kappa"] == Fraction(1, 5)


def test_wrong_and_withheld_are_told_apart_by_three_verdicts(graded: str) -> None:
    """CC, CI, II, CN: 2 of 4 alike. Kappa: (1/2 - (3/4 * 1/4 + 1/4 * 1/2)) / (1 - 5/16) = 3/11."""
    (pair,) = document_of("agree", graded, *BOTH, "--verdicts", "three")["pairs"]
    assert pair["table"] == [[1, 0, 0], [0, 0, 0], [1, 1, 1]]  # wrong, withheld, right
    # one is right by both, three by either
    found = {"agreement": 0.5, "kappa": pytest.approx(3 / 11), "overlap": pytest.approx(1 / 3)}
    assert pair["measures"] == found
    assert "right, wrong or withheld" in output("agree", graded, *BOTH, "--verdicts", "three")
    # a grader that withholds what the other calls wrong agrees by two verdicts alone
    refusals = log({"q1": "CI", "q2": "IC"})
    for one, grade in zip(refusals["samples"], "CNNC", strict=True):
        one["scores"]["other"] = {"value": grade}
    put(Path(), json.dumps(refusals), "refusals.json")
    kappas = [
        document_of("agree", "refusals.json", *BOTH, "--verdicts", verdicts)["pairs"][0]["measures"]
        for verdicts in ("two", "three")
    ]
    # wrong or withheld 1/2 by both; by three 2 of 4 alike, by chance 1/4
    assert [found["kappa"] for found in kappas] == [1, pytest.approx(1 / 3)]


def test_answers_of_a_log_agree_by_clusters_of_its_attributes(graded: str) -> None:
    """Both questions are clusters of their own: the intervals are those without clusters."""
    given = "agree", graded, *BOTH, "--ci", "95"
    plain, clustered = (document_of(*given, *more) for more in ((), ("--cluster", "subject")))
    assert clustered["pairs"][0]["measures"] == plain["pairs"][0]["measures"]
    assert "|cluster:subject|" in clustered["signature"]
    logs = Choice(scorers=("judge", "other"))
    policies = Policies(logs=logs, intervals=IntervalPolicy(clusters="subject"))
    found = ave_score.agree([graded], policies=policies).pairs[0].figures.intervals["kappa"]
    assert [found.low, found.high] == clustered["pairs"][0]["intervals"]["kappa"]
    assert "questions have" in refusal(*given, "--cluster", "colour")


def test_a_log_before_and_after_an_edit_is_no_log_given_twice() -> None:
    """ada has CC CI CC; after the edit of the second answer to q2, CC CC CC."""
    edited = log(ADA)
    edited["samples"][3]["scores"]["judge"] = {"value": "C", "history": [{"value": "I"}]}
    put(Path(), json.dumps(edited), "after.json")
    files = "ada.json", "after.json"
    found = document_of("compare", *files, "-m", "answering_accuracy")
    assert abs(found["measures"][0]["pairs"][0]["difference"]) == pytest.approx(1 / 6)
    assert "differences between these are of grading" in output("compare", *files)
    agreed = document_of("agree", *files)
    assert agreed["pairs"][0]["measures"]["agreement"] == pytest.approx(5 / 6)
    put(Path(), json.dumps(log(ADA), indent=1), "again.json")  # as another export of it
    assert "the same evaluation, given twice" in refusal("score", "ada.json", "again.json")
    less = log(ADA)
    less["samples"].pop()  # a copy that was made before it ended
    put(Path(), json.dumps(less), "less.json")
    assert "the same evaluation, given twice" in refusal("score", "ada.json", "less.json")


@each("arguments, said", [
    (("ada.json",), "judges grade the same answers"),
    (("ada.json", "bob.eval"), "judges grade the same answers"),
    (("ada.json", "--log", "scorer=judge", "--log", "scorer=sure"), "gives numbers such as 0.5"),
    (("run.txt", "run.txt", "--log", "scorer=judge"), "is given twice"),
    (("run.txt", "--log", "scorer=judge"), "at least two runs needed"),
    (("ada.json", "--collection", "gold.xml", "--log", "scorer=judge"), "and logs have their own"),
])  # fmt: skip
def test_what_does_not_grade_the_same_answers_is_refused(
    here: Path, arguments: tuple[str, ...], said: str
) -> None:
    put(here, COLLECTION, "gold.xml")
    put(here, "1 1_1 SELECTED 1\n", "run.txt")
    assert said in refusal("agree", *arguments)


def seeded(folder: str, *of_runs: Grades) -> None:
    """Write a folder with a log for each seed."""
    for seed, grades in enumerate(of_runs):
        made = log(grades, folder)
        made["eval"] |= {"eval_id": f"{folder}{seed}", "model_generate_config": {"seed": seed}}
        Path(folder).mkdir(exist_ok=True)
        put(Path(folder), json.dumps(made), f"{seed}.json")


def test_runs_that_are_all_equal_are_no_several_runs() -> None:
    """If runs of bob differ, their variance counts; else there is nothing to cross."""
    one, other = {"q1": "C", "q2": "I", "q3": "C"}, {"q1": "I", "q2": "I", "q3": "C"}
    seeded("ada", one, one, one)
    seeded("bob", other, other)
    called = "ada", "bob", "--replicates", "folder", "-m", "answering_accuracy"
    said = "The 3 runs of ada have the same outcomes, as at temperature 0, or from a cache: they"
    for command in ("score", "compare", "report"):
        more = ["-o", "-"] * (command == "report")
        assert said in re.sub(r"\s+", " ", output(command, *called, *more))
    found = document_of("compare", *called)
    assert (found["test"], "|replicates:1|" in found["signature"]) == ("randomisation", True)
    seeded("bob", one, other)
    assert document_of("compare", *called)["test"] == "crossed"
    text = re.sub(r"\s+", " ", output("compare", *called))
    assert "or from a cache: they say no more than one." in text


def test_epochs_that_are_all_equal_are_told() -> None:
    put(Path(), json.dumps(log({"q1": "CC", "q2": "II"})), "cached.json")
    said = "All epochs of cached have the same outcomes, as at temperature 0, or from a cache"
    assert said in output("score", "cached.json")
    assert said not in output("score", "cached.json", "--epochs", "first")
    assert "same outcomes" not in output("score", "ada.json")


def test_standard_errors_are_shown_where_they_are_asked_for() -> None:
    """ada has 1, 1/2, 1: variance 1/12, standard error 1/6; bob 1/2, 0, 0: 1/6."""
    given = "score", "ada.json", "bob.eval", "-m", "answering_accuracy,n_right"
    text = output(*given, "--ci", "stderr")
    assert "0.83 ± 0.17*" in text
    assert "0.17 ± 0.17" in text
    assert "2.50 ± 0.50" in text  # of 3 questions, three times that
    assert "±: standard errors" in text
    assert "±" not in output(*given)
    found = document_of(*given, "--ci", "stderr")["runs"][0]
    assert found["stderr"] == pytest.approx({"answering_accuracy": 1 / 6, "n_right": 1 / 2})
    head, row, _ = output(*given, "--ci", "stderr", "-f", "csv").splitlines()
    cells = dict(zip(head.split(","), row.split(","), strict=True))
    assert float(cells["answering_accuracy_stderr"]) == pytest.approx(1 / 6)
    assert document_of(*given, "--ci", "95")["runs"][0]["stderr"] == found["stderr"]
    scores = ave_score.score(["ada.json", "bob.eval"], stderr=True)
    assert scores.rows[0].stderr["answering_accuracy"] == pytest.approx(1 / 6)
    assert "--ci" in refusal("score", "ada.json", "--ci", "stderr", "--sweep", "c_at_1")


def test_pairs_have_standard_errors_and_degrees_of_freedom() -> None:
    """The differences 1/2, 1/2, 1 of ada and bob: mean 2/3, variance 1/12, standard error 1/6."""
    given = "compare", "ada.json", "bob.eval", "-m", "answering_accuracy"
    (pair,) = document_of(*given)["measures"][0]["pairs"]
    assert (pair["stderr"], pair["t"], pair["df"]) == pytest.approx((1 / 6, 4, 2))
    text = output(*given, "--pairs")
    assert "+0.667 ± 0.167" in text
    assert "4.00 (2)" in text
    head, row = output(*given, "-f", "csv").splitlines()
    cells = dict(zip(head.split(","), row.split(","), strict=True))
    assert (float(cells["stderr"]), float(cells["t"])) == pytest.approx((1 / 6, 4))
