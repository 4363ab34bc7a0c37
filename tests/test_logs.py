"""Logs of other programs, as the scores of verifiers."""

from __future__ import annotations

import importlib
import io
import json
import math
import re
import zipfile
from contextlib import suppress
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

import ave_score
from ave_score import (
    Choice,
    Findings,
    InputError,
    Label,
    Policies,
    UsageError,
    Verdict,
    VerifierScores,
    decide,
)
from ave_score.files import inspect_log as reader
from tests import each
from tests.conftest import ROOT
from tests.helpers_files import Held, broken, fuzzed, only, positions, read_file
from tests.helpers_logs import (
    ANSWERS,
    CHOICES,
    NESTED,
    Answer,
    choices,
    eval_members,
    inspect_log,
    lines,
    packed,
    responses,
    sample,
)

EVAL = packed(eval_members())


def read(
    data: str | bytes, choice: Choice | None = None
) -> tuple[list[VerifierScores] | None, Findings]:
    return read_file("verifiers", data, name="log.json", choice=choice)


def sound(data: str | bytes, choice: Choice | None = None) -> list[VerifierScores]:
    scores, findings = read(data, choice)
    assert scores is not None, [*map(str, findings)]
    assert not len(findings), [*map(str, findings)]
    return scores


def single(data: str | bytes, choice: Choice | None = None) -> VerifierScores:
    (scores,) = sound(data, choice)
    return scores


def kind_of(data: str | bytes) -> str:
    return str(ave_score.check(Held(data)).kind)


def labels(scores: VerifierScores) -> str:
    return "".join(Label(label).name[0] for label in scores.labels)


def asked(data: str | bytes, choice: Choice | None = None) -> str:
    """Return what the user is asked for."""
    with pytest.raises(UsageError) as raised:
        read(data, choice)
    return str(raised.value)


@pytest.mark.parametrize(
    "data",
    [inspect_log(), json.dumps(json.loads(inspect_log())), "\ufeff" + inspect_log(), EVAL],
    ids=["document", "one line", "BOM", "eval"],
)
def test_samples_are_questions_and_epochs_answers(data: str | bytes) -> None:
    assert kind_of(data) == "scores"
    scores, _ = read(data)
    assert scores is not None
    (judge,) = scores
    assert judge.name == "log"
    assert judge.index.questions == ["sum", "capital"]
    assert judge.index.a_ids == [
        "sum_1", "sum_2", "sum_3", "capital_1", "capital_2", "capital_3",
    ]  # fmt: skip
    assert judge.spellings == ["0.75", "0.25", "0.875", "0.5", "0.125", "0.5"]
    assert labels(judge) == "VRRRRV"
    assert judge.answers == ["4", "5", "6", "Rome", "Lyon", "Paris"]
    assert judge.questions["sum"] == "What is 2+2?"


def changed(**values: object) -> list[Answer]:
    """Return the answers with other values of the scorer match, by answer."""
    return [(*answer[:3], values.get(answer[2], answer[3]), answer[4]) for answer in ANSWERS]


def test_numbers_and_missing_values_as_correctness() -> None:
    numbers = {"4": 1, "5": 0, "6": 0.0, "Rome": 0, "Lyon": float("nan"), "Paris": 1.0}
    choice = Choice(scorer="match")
    assert labels(single(inspect_log(changed(**numbers)), choice)) == "VRRRUV"
    words = {"4": True, "5": False, "6": None, "Rome": False, "Lyon": False, "Paris": True}
    assert labels(single(inspect_log(changed(**words)))) == "VRURRV"
    scores, findings = read(inspect_log(changed(**(numbers | {"5": 0.5}))), choice)
    assert scores is None
    assert only(findings) == "correct is 0.5, expected 1, 0, true, false or a letter (C, I, P or N)"


def test_partly_correct_is_unknown_and_said() -> None:
    scores, findings = read(inspect_log(changed(**{"5": "P"})))
    assert scores is not None
    assert labels(scores[0]) == "VURRRV"
    said = "scores.match.value is P, partly correct: the answer gets the label UNKNOWN"
    assert only(findings) == said


def test_letters_rank_only_if_that_is_asked_for() -> None:
    without_judge = json.loads(inspect_log())
    for one in without_judge["samples"]:
        del one["scores"]["judge"]
    text = json.dumps(without_judge)
    assert asked(text) == (
        "log.json: it does not say which scorer ranks the answers; to rank by the grades or the "
        "metric of a scorer, name it with choice.scores: match"
    )
    ranked = single(text, Choice(scores=("match",)))
    assert ranked.spellings == ["1", "0", "0", "0", "0", "1"]
    assert labels(ranked) == "VRRRRV"
    for one in without_judge["samples"]:
        one["scores"]["strict"] = {"value": "I"}
    assert asked(json.dumps(without_judge)).endswith("choice.scores: match, strict")


def test_only_scorers_with_numbers_rank_unless_chosen() -> None:
    log = json.loads(inspect_log())
    for one in log["samples"]:
        one["scores"]["topic"] = {"value": "sums"}
        one["scores"]["parts"] = {"value": [1, 2]}
    text = json.dumps(log)
    assert single(text).spellings == single(inspect_log()).spellings
    _, findings = read(text, Choice(scores=("topic",)))
    assert {str(found.rule.code) for found in findings} == {"AVE904"}
    twice = Choice(scores=("judge", "judge"))
    assert single(text, twice).spellings == single(inspect_log()).spellings


def test_a_log_without_any_score_says_how_to_get_them() -> None:
    log = json.loads(inspect_log())
    for one in log["samples"]:
        one["scores"] = None
    assert asked(json.dumps(log)) == (
        "log.json: it has no scores; score it (`inspect score LOG`), run it again "
        "(`inspect eval-retry LOG`), or write a line for each answer: "
        '{"q_id": ..., "answer": ..., "score": ...}'
    )
    said = "log.json: no filter 'none': it has no filters"
    assert asked(inspect_log(), Choice(filter="none")) == said


def test_equal_defects_of_all_samples_are_counted_against_their_number() -> None:
    answers: list[Answer] = [("sum", epoch, "4", "C", 0.5) for epoch in range(1, 21)]
    text = inspect_log(answers).replace('"epoch": ', '"epoch": -')
    members = {"header.json": '{"status": "success"}'}
    members |= {f"samples/{n}.json": json.dumps({"id": "q", "epoch": -1}) for n in range(20)}
    for data in (text, packed(members)):
        _, findings = read(data)
        assert len(findings) == 20


def test_what_is_ambiguous_is_asked_for_with_the_choices() -> None:
    log = json.loads(inspect_log())
    for number, one in enumerate(log["samples"]):
        one["scores"]["expert"] = {"value": "CI"[number % 2]}
        one["scores"]["length"] = {"value": {"words": number, "letters": 2 * number}}
    text = json.dumps(log)
    assert asked(text) == (
        "log.json: several scorers grade the answers; choose one with choice.scorer: match, expert"
    )
    names = [scores.name for scores in sound(text, Choice(scorer="match"))]
    assert names == ["judge", "length.words", "length.letters"]
    words = single(text, Choice("match", ("length.words",)))
    assert words.spellings == ["0", "2", "4", "1", "3", "5"]
    assert "no scorer 'macth', only match, judge" in asked(text, Choice("macth"))
    assert "did you mean match?" in asked(text, Choice("macth"))
    # a check finds what score asks for; of what decide ranks it asks nothing
    assert "several scorers grade the answers" in str(ave_score.check(Held(text, "log.json")))
    assert ave_score.check(Held(text, "log.json"), kind="scores").contents == {
        "questions": 2, "answers": 6, "verifiers": 3, "lowest_score": 0.0, "highest_score": 10.0,
    }  # fmt: skip


def test_only_logs_have_scorers_to_choose_from() -> None:
    for choice in (Choice("match"), Choice(scores=("judge",)), Choice(filter="none")):
        assert "is no log" in asked("1 a 0.5\n", choice)
    name: Any = "judge"
    assert "scores is 'judge', expected a tuple" in asked(inspect_log(), Choice(scores=name))


@each("old, new, position, message", [
        ('"id": "sum"', '"name": "sum"', ("AVE910", 12, 5), "id is missing"),
        ('"epoch": 1', '"epoch": 1.5', ("AVE910", 14, 16), "epoch is 1.5, expected a whole number"),
        ('"id": "sum"', '"id": ["sum"]', ("AVE906", 13, 13), "q_id is a list of 1 value"),
        ('"id": "sum"', '"id": "the sum"', ("AVE411", 13, 13), "the sum"),
        ('"value": 0.75', '"value": "high"', ("AVE904", 35, 20), 'score is "high"'),
        ('"value": 0.75', '"value": NaN', ("AVE905", 35, 20), "score is NaN"),
        ('"value": 0.75', '"value": [1]', ("AVE904", 35, 20), "score is a list of 1 value"),
        ('"value": 0.75', '"sum": 1', ("AVE910", 34, 18), "scores.judge is missing"),
        ('"value": "C"', '"value": "yes"', ("AVE907", 31, 20), 'correct is "yes"'),
        ('"judge": {\n', '"other": {\n', ("AVE910", 29, 17), "scores.judge is missing"),
        ('"epoch": 1,', '"epoch": 1, "epoch": 2,', ("AVE903", 14, 28), "has epoch twice"),
        ('"completion": "4"', '"completion": "\\u0007"', ("AVE113", 17, 17), "U+0007"),
        ('"status": "success"', '"status": "error"', ("AVE913", 3, 13), 'evaluation is "error"'),
        ('"metadata": {}\n', '"metadata": {}]\n', ("AVE801", 38, 21), "expecting ',' delimiter"),
        ("[\n    {", "[\n    7, {", ("AVE910", 12, 5), "the line is 7, expected an object"),
    ])  # fmt: skip
def test_a_defect_has_its_position(
    old: str, new: str, position: tuple[str, int, int], message: str
) -> None:
    """The positions were read off the file: the first sample has lines 12 to 39."""
    text = inspect_log()
    assert old in text
    _, findings = read(text.replace(old, new, 1))
    assert position in positions(findings), [*map(str, findings)]
    assert message in " ".join(map(str, findings))


def test_a_cut_log_is_reported_where_it_ends() -> None:
    text = inspect_log()
    scores, findings = read(text[: text.index('"metadata"')])
    assert scores is None
    assert only(findings) == "not well-formed JSON: the file ends too early"
    deep = inspect_log().replace('"metadata": {}', '"metadata": ' + "[" * 100_000, 1)
    assert "nested deeper than 100 levels" in " ".join(map(str, read(deep)[1]))


def test_samples_without_scores_are_errors_with_a_way_out() -> None:
    log = json.loads(inspect_log())
    log["samples"][2]["scores"] = None
    log["samples"][2]["error"] = {"message": "CUDA \x1b[31m out of memory"}
    scores, findings = read(json.dumps(log))
    assert scores is None
    (found,) = findings
    assert found.rule.code == "AVE911"
    assert "\\x1b[31m out of memory" in found.message
    assert "inspect eval-retry" in found.rule.help


def test_a_log_without_samples_is_empty() -> None:
    for text in (inspect_log([]), inspect_log().replace('"samples"', '"others"', 1)):
        scores, findings = read(text)
        assert scores is None
        assert "no scores in it" in only(findings)


def test_messages_and_parts_of_chats() -> None:
    log = json.loads(inspect_log([ANSWERS[0]]))
    (one,) = log["samples"]
    parts = [{"type": "reasoning", "reasoning": "Hm."}, {"type": "text", "text": "four"}]
    one["output"] = {"choices": [{"message": {"content": parts}}]}
    one["input"] = [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": [{"type": "text", "text": "2+2?"}, {"type": "image"}]},
    ]
    scores = single(json.dumps(log))
    assert scores.answers == ["four"]
    assert scores.questions == {"sum": "2+2?"}


def test_zstandard_members_are_read_with_the_extra() -> None:
    module = zipfile if hasattr(zipfile, "ZIP_ZSTANDARD") else None
    if module is None:
        module = pytest.importorskip("backports.zstd.zipfile")
    stream = io.BytesIO()
    with module.ZipFile(stream, "w", 93) as archive:
        for name, text in eval_members().items():
            archive.writestr(name, text)
    assert labels(single(stream.getvalue())) == "VRRRRV"


@pytest.mark.skipif(hasattr(zipfile, "ZIP_ZSTANDARD"), reason="this Python reads Zstandard")
def test_without_the_extra_it_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> None:
        raise ImportError(name)

    monkeypatch.setattr(importlib, "import_module", missing)
    data = packed(eval_members(), zipfile.ZIP_STORED, as_method=93)
    said = r"^log.json: .*pip install backports.zstd; or convert it: inspect"
    with pytest.raises(InputError, match=said):
        read(data)


def test_a_member_that_is_no_text() -> None:
    _, findings = read(packed(eval_members() | {"header.json": "binary\0"}))
    assert only(findings).endswith("expected a log of Inspect AI")


def test_an_archive_that_did_not_finish() -> None:
    members = eval_members(status="cancelled")
    assert only(read(packed(members))[1]) == (
        'the status of the evaluation is "cancelled": answers may be missing'
    )
    del members["header.json"]
    assert "is unknown" in only(read(packed(members))[1])


def test_the_line_of_an_archive_is_the_number_of_the_sample() -> None:
    members = eval_members()
    name = "samples/sum_epoch_2.json"
    _, findings = read(packed(members | {name: members[name].replace("0.25", '"low"')}))
    ((code, line, _),) = positions(findings)
    assert (code, line) == ("AVE904", 3)
    _, findings = read(packed(members | {name: members[name][:50]}))
    assert positions(findings) == [("AVE801", 3, None)]


@pytest.mark.parametrize("name", ["samples/../../x.json", "samples//etc/passwd.json"])
def test_names_of_members_are_no_paths(name: str, tmp_path: Path) -> None:
    members = {name: json.dumps(sample(ANSWERS[0])), "header.json": '{"status": "success"}'}
    assert single(packed(members)).answers == ["4"]
    assert not [*tmp_path.iterdir()]


@pytest.mark.slow
def test_bombs_and_damaged_archives_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    bomb = packed({"samples/a.json": '"' + " " * (80 << 20) + '"'})
    assert len(bomb) < 1 << 20
    with pytest.raises(InputError, match="unpacks to more than 200 times its size"):
        read(bomb)
    monkeypatch.setattr(reader, "MAX_MEMBERS", 3)
    with pytest.raises(InputError, match="more than 3 samples"):
        read(EVAL)
    monkeypatch.setattr(reader, "MAX_LOG", len(EVAL) - 1)
    with pytest.raises(InputError, match="has more than"):
        read(EVAL)
    monkeypatch.undo()
    for damaged in (EVAL[:-30], EVAL[: len(EVAL) // 2], EVAL.replace(b"PK\x01\x02", b"PK\x01\x09")):
        with pytest.raises(InputError, match=r"^log\.json: cannot be unpacked"):
            read(damaged)


def accuracy(scores: VerifierScores) -> Fraction:
    verdicts = decide(scores).run.verdicts
    right = sum(
        verdict == Verdict.SELECTED and label == Label.VALIDATED
        for verdict, label in zip(verdicts, scores.labels, strict=True)
    )
    return Fraction(right, len(scores.index.questions))


def test_choices_are_answers_and_the_log_likelihood_their_score() -> None:
    """By hand: -3 > -6.5 is wrong, -1 > -2.25 right; per character -3/3 < -6.5/13, -1/2 < -2.25/9.
    So acc is 1/2; acc_norm takes the second choice of both, right for the first question: 1/2."""
    acc = single(CHOICES)
    assert acc.index.a_ids == ["0_1", "0_2", "1_1", "1_2"]
    assert acc.spellings == ["-3.0", "-6.5", "-1.0", "-2.25"]
    assert acc.answers == ["yes", "certainly not", "no", "sometimes"]
    assert acc.questions == {"0": "Question 0?", "1": "Question 1?"}
    assert labels(acc) == "RVVR"
    assert accuracy(acc) == Fraction(1, 2)
    norm = single(CHOICES, Choice(scores=("acc_norm",)))
    assert [*norm.values] == [-1.0, -0.5, -0.5, -0.25]
    assert decide(norm).run.verdicts == bytes([1, 3, 1, 3])
    assert labels(norm) == "RVVR"
    several = sound(CHOICES, Choice(scores=("acc", "acc_bytes")))
    assert [scores.name for scores in several] == ["acc", "acc_bytes"]


def test_choices_without_context_are_no_answers() -> None:
    """For acc_mutual_info each choice is asked again without context, in the second half. By hand:
    -1 > -2, so that the second choice is taken, which target 1 says is right. Among the two choices
    its probability is 1 / (1 + e^-1), which is the K of one right answer."""
    texts, values = ["yes", "no"] * 2, ["-2.0", "-1.0", "-0.125", "-8.0"]
    text = lines(choices(0, texts, values, "1", acc=1.0, acc_mutual_info=1.0))
    acc = single(text, Choice(scores=("acc",)))
    assert acc.index.a_ids == ["0_1", "0_2"]
    assert acc.spellings == values[:2]
    assert (acc.answers, labels(acc)) == (texts[:2], "RV")
    assert accuracy(acc) == 1
    policies = Policies(logs=Choice("acc", confidence="acc"))
    found = ave_score.score(Held(text, "log.jsonl"), measures="k", policies=policies)
    assert float(found.rows[0].values["k"] or 0) == pytest.approx(1 / (1 + math.exp(-1)))


@pytest.mark.parametrize(
    ("target", "expected"), [("0", "VR"), ("1", "RV"), ("[0, 1]", "VV"), ("certainly not", "RV")]
)
def test_a_target_is_a_number_several_or_a_text(target: str, expected: str) -> None:
    text = lines(choices(7, ["yes", "certainly not"], ["-1", "-2"], target))
    assert labels(single(text)) == expected


@pytest.mark.parametrize("target", ["2", "maybe", "", "-1", None, "9" * 5000])
def test_an_unknown_target_is_an_error(target: object) -> None:
    line = choices(7, ["yes", "no"], ["-1", "-2"], "0") | {"target": target}
    scores, findings = read(lines(line))
    assert scores is None
    assert "expected the number of a choice, from 0 to 1, or its text" in only(findings)


def test_a_target_that_the_metric_contradicts_is_an_error() -> None:
    """The choices are numbers: target 1 means the text 1, not the second choice."""
    line = choices(7, ["1", "2"], ["-1", "-2"], "1", acc=1.0)
    scores, findings = read(lines(line))
    assert scores is None
    assert only(findings) == "acc is 1.0, but by target '1' the best choice is wrong"


def test_several_filters_are_asked_for() -> None:
    pairs = [
        responses(0, ["The answer is 1"], filter=name, exact_match=value)
        for name, value in (("strict", 0.0), ("flexible", 1.0))
    ]
    text = lines(*pairs)
    assert asked(text) == (
        "log.json: it has every answer once for each filter; choose one with choice.filter: "
        "strict, flexible"
    )
    for name, label in (("strict", "R"), ("flexible", "V")):
        scores = single(text, Choice("exact_match", ("exact_match",), name))
        assert labels(scores) == label
        assert scores.answers == ["The answer is 1"]
    assert "no filter 'lax', only strict, flexible" in asked(text, Choice(filter="lax"))


def test_generated_text_has_no_scores_of_its_own() -> None:
    several = lines(responses(0, ["a", "b", "c"], exact_match=0.0, filter="maj@3"))
    message = asked(several)
    assert "no scores of single responses, only metrics of all responses to a question" in message
    assert '{"q_id": ..., "answer": ..., "score": ...}' in message
    found = ave_score.check(Held(several, "log.json"))
    refused = "its scores, which ave-score decide refuses: log.json AVE910 the log is"
    assert any(what.startswith(refused) for what in found.findings.unchecked)
    assert not found.findings  # the metrics score the system
    each = lines(responses(0, ["a", "b"], exact_match=[0.0, 1.0], reward=[0.5, 0.25]))
    scores = single(each, Choice("exact_match", ("reward",)))
    assert scores.spellings == ["0.5", "0.25"]
    assert labels(scores) == "RV"


def test_responses_and_questions_that_are_no_texts() -> None:
    """A control character is found where the value that has it begins."""
    _, findings = read(lines(responses(0, ["Rome"]) | {"resps": ["Rome"]}))
    assert only(findings) == 'resps[0] is "Rome", expected a list of responses'
    text = lines(responses(0, ["a"], exact_match=1.0)).replace("Question 0", r"Question \u0007")
    _, findings = read(text)
    assert positions(findings) == [("AVE113", 1, text.index('{"gen_args_0"') + 1)]


def test_nested_samples_parallel_lists_and_several_verifiers() -> None:
    prm, orm = sound(NESTED)
    assert [prm.name, orm.name] == ["prm", "orm"]
    assert prm.index is orm.index
    assert prm.index.a_ids == ["1_1", "1_2", "b_1", "b_2", "c_1"]
    assert prm.spellings == ["0.9", "0.1", "1", "2", "0"]
    assert orm.spellings == ["0.2", "0.3", "3.5", "2", "-0.001"]
    assert labels(prm) == "VRRVU"
    assert prm.answers == ["4", "5", "Rome", "Paris", "7"]
    assert (accuracy(prm), accuracy(orm)) == (Fraction(2, 3), Fraction(0))


def test_a_score_without_a_name_and_own_ids_and_columns() -> None:
    text = lines({"q_id": 1, "samples": [{"a_id": "x", "score": 0.50}, {"a_id": "y", "score": 1}]})
    scores = single(text)
    assert scores.name == "log"
    assert scores.index.a_ids == ["x", "y"]


def test_a_value_that_is_no_list_is_one_finding() -> None:
    _, findings = read('{"q_id": 1, "answers": "Rome", "scores": [1, 2]}\n')
    assert only(findings) == 'answers is "Rome", expected a list of values'


def test_the_lines_of_the_manual_are_one_file() -> None:
    manual = (ROOT / "docs/reference/scores.md").read_text()
    prm, orm = sound(re.findall(r'^```jsonl?\n([^`]*"samples"[^`]*)```$', manual, re.M)[0])
    assert (prm.name, orm.name) == ("prm", "orm")
    assert prm.spellings == ["0.9", "0.9", "0.4", "0.9"]
    assert labels(prm) == "VRVU"
    assert prm.index.a_ids == ["1_1", "2_1", "2_2", "3_1"]


@fuzzed
@given(data=broken(EVAL))
def test_a_damaged_archive_is_refused_or_read(data: bytes) -> None:
    with suppress(InputError, UsageError):
        read(data)


def test_other_names_of_keys_in_nested_samples() -> None:
    text = lines({"problem": 1, "samples": [{"completion": "4", "reward": 0.5, "score": 9}]})
    names = {"q_id": "problem", "score": "reward", "answer": "completion"}
    scores = ave_score.read_scores(Held(text), columns=names)
    assert scores.index.q_ids == ["1"]
    assert (scores.spellings, scores.answers) == (["0.5"], ["4"])
    usual = lines({"q_id": 1, "samples": [{"text": "4", "score": 9}]})
    scores = ave_score.read_scores(Held(usual), columns=names)
    assert (scores.spellings, scores.answers) == (["9"], ["4"])


@pytest.mark.slow
def test_a_line_may_hold_hundreds_of_long_answers() -> None:
    """256 answers of 8 KB; longer lines than 16 MB are skipped and reported."""
    samples = [{"text": "word " * 1600, "score": number} for number in range(256)]
    text = lines({"q_id": 1, "samples": samples})
    assert len(text) > 1 << 20
    assert kind_of(text) == "scores"
    assert len(single(text).index) == 256
    scores, findings = read(lines({"q_id": 1, "scores": [1], "answers": ["x" * (16 << 20)]}))
    assert scores is None
    assert positions(findings) == [("AVE114", 1, None)]


@pytest.mark.parametrize("indent", [None, 1])
@pytest.mark.parametrize("text", [NESTED, CHOICES])
def test_a_list_of_objects_is_read_as_their_lines(text: str, indent: int | None) -> None:
    listed = json.dumps([json.loads(line) for line in text.splitlines()], indent=indent)
    assert kind_of(listed) == "scores"
    for alone, one in zip(sound(text), sound(listed), strict=True):
        assert alone.index.a_ids == one.index.a_ids
        assert (alone.spellings, alone.answers) == (one.spellings, one.answers)
        assert (alone.labels, alone.questions) == (one.labels, one.questions)


def test_positions_in_a_list() -> None:
    text = '[\n {"q_id": 1, "scores": [1]},\n {"q_id": 2,\n  "scores": ["low"]}\n]\n'
    assert positions(read(text)[1]) == [("AVE904", 4, 14)]
    assert positions(read(text.replace("low", "low\n"))[1]) == [("AVE801", 4, 18)]
    assert positions(read(text + "{}")[1]) == [("AVE904", 4, 14), ("AVE801", 6, 1)]
