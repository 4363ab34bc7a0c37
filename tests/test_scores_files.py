"""Scores of a verifier: reading three layouts, and defects."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import ave_score
from ave_score import (
    Collection,
    DefectError,
    Findings,
    Label,
    UsageError,
    VerifierScores,
    read_scores,
)
from ave_score.files.json import member_columns
from tests.helpers_command import ave, output, refusal
from tests.helpers_files import (
    Held,
    Position,
    assert_safe,
    collection_of,
    fuzzed,
    only,
    positions,
    put,
    read_file,
)

JSON_LINES = """\
{"q_id": "1", "a_id": "1_1", "score": 0.90, "correct": true, "answer": "Ann", "question": "Who?"}
{"q_id": "2", "a_id": "2_1", "score": -1e-3, "correct": false, "answer": "Rome"}
{"q_id": "1", "a_id": "1_2", "score": 12, "correct": null, "answer": "Bob", "tokens": [1, {}]}
"""
TABLE = """\
q_id\ta_id\tscore\tcorrect\tanswer\tquestion
1\t1_1\t0.90\tTrue\tAnn\tWho?
2\t2_1\t-1e-3\tno\tRome\t
1\t1_2\t12\t\tBob\t
"""
PLAIN = "# reward\n1 1_1 0.90\n2\t2_1\t-1e-3\n\n1  1_2  12\n"
CSV = TABLE.replace("\t", ",").replace("Who?", '"Who?"')
PRESETS = {"json": JSON_LINES, "table": TABLE, "csv": CSV, "plain": PLAIN}


def read(
    folder: Path,
    data: str | bytes,
    collection: Collection | None = None,
    names: dict[str, str] | None = None,
) -> tuple[VerifierScores | None, Findings]:
    return read_file("scores", data, collection, columns=names or {})


def sound(folder: Path, data: str | bytes, names: dict[str, str] | None = None) -> VerifierScores:
    scores, findings = read(folder, data, names=names)
    assert scores is not None, [*map(str, findings)]
    assert not len(findings)
    return scores


@pytest.mark.parametrize("layout", PRESETS)
@pytest.mark.parametrize("change", ["", "no-newline", "CRLF", "BOM"])
def test_the_answers_of_a_question_are_contiguous(tmp_path: Path, layout: str, change: str) -> None:
    text = PRESETS[layout]
    text = {
        "": text,
        "no-newline": text.rstrip("\n"),
        "CRLF": text.replace("\n", "\r\n"),
        "BOM": f"\ufeff{text}",
    }[change]
    scores, findings = read(tmp_path, text)
    assert not findings.errors
    assert scores is not None
    assert scores.index.questions == ["1", "2"]
    assert scores.index.a_ids == ["1_1", "1_2", "2_1"]
    assert scores.spellings == ["0.90", "12", "-1e-3"]
    assert [*scores.values] == [0.9, 12.0, -0.001]
    assert scores.has_correct == (layout != "plain")
    if scores.has_correct:
        assert [*scores.labels] == [Label.VALIDATED, Label.UNKNOWN, Label.REJECTED]
        assert scores.answers == ["Ann", "Bob", "Rome"]
        assert scores.questions == {"1": "Who?"}


def test_a_score_keeps_its_spelling_and_no_number_is_too_long(tmp_path: Path) -> None:
    long = "0." + "3" * 6_000
    text = f'{{"q_id": {"7" * 999}, "score": {long}}}\n{{"q_id": 2, "score": 1, "n": {"9" * 9999}}}'
    scores = sound(tmp_path, text)
    assert scores.spellings == [long, "1"]
    assert scores.index.q_ids == ["7" * 999, "2"]


def test_samples_without_ids_are_numbered_in_the_order_of_the_file(tmp_path: Path) -> None:
    scores = sound(
        tmp_path,
        '{"question_id": 7, "score": 1}\n{"question_id": "b", "score": 2, "a_id": null}\n'
        '{"question_id": 7, "score": 3}\n',
    )
    assert (scores.index.a_ids, scores.spellings) == (["7_1", "7_2", "b_1"], ["1", "3", "2"])


@pytest.mark.parametrize(("text", "names"), [
    ('{"problem": 1, "sample": "x", "reward": 0.5, "score": 9, "q_id": 3}',
        {"q_id": "problem", "a_id": "sample", "score": "reward"}),
    ("problem\tsample\treward\n1\tx\t0.5\n",
        {"q_id": "problem", "a_id": "sample", "score": "reward"}),
    ("a_id\tq_id\tscore\n1\tx\t0.5\n", {"q_id": "a_id", "a_id": "q_id"}),
    ('{"a_id": 1, "q_id": "x", "score": 0.5}', {"q_id": "a_id", "a_id": "q_id"}),
    ('{"question_id": 1, "answer_id": "x", "score": 0.5}', {}),
])  # fmt: skip
def test_columns_may_have_names_of_own(tmp_path: Path, text: str, names: dict[str, str]) -> None:
    scores = sound(tmp_path, text, names)
    index = scores.index
    assert (index.q_ids, index.a_ids, scores.spellings) == (["1"], ["x"], ["0.5"])


@pytest.mark.parametrize(
    ("word", "label"),
    [("true", 1), ("FALSE", 0), ("1", 1), ("0", 0), ("Yes", 1), ("no", 0), ("", 2)],
)
def test_words_of_a_table_for_correct(tmp_path: Path, word: str, label: int) -> None:
    scores = sound(tmp_path, f"q_id\ta_id\tscore\tcorrect\n1\tx\t1\t{word}\n")
    assert [*scores.labels] == [label]


def test_texts_of_json_may_have_any_line_ends_and_be_numbers(tmp_path: Path) -> None:
    scores = sound(tmp_path, r'{"q_id": 1, "score": 1, "answer": "a\r\n\tb 😀 \ud83d\ude00"}')
    assert scores.answers == ["a\r\n\tb 😀 😀"]
    assert sound(tmp_path, '{"q_id": 1, "score": 1, "answer": 4.50}').answers == ["4.50"]


def test_a_collection_gives_the_order(tmp_path: Path) -> None:
    collection = collection_of(tmp_path)
    text = "3 3_1 0.1\n2 2_2 0.7\n2 2_1 0.6\n1 1_2 0.2\n1 1_1 0.9\n"
    scores, findings = read(tmp_path, text, collection)
    assert scores is not None
    assert not len(findings)
    assert scores.index is collection.index
    assert scores.spellings == ["0.9", "0.2", "0.6", "0.7", "0.1"]
    assert [*scores.lines] == [5, 4, 3, 2, 1]


GOOD = '{"q_id": "1", "a_id": "a", "score": 1}\n'


@pytest.mark.parametrize(("line", "position", "message"), [
    ('{"a":' * 50_000, ("AVE901", 2, 501), "nested deeper than 100 levels"),
    ("[" * 50_000, ("AVE901", 2, 101), "nested deeper than 100 levels"),
    ('{"q_id": "1", "a_id": "b", "score": ' + "9" * 9999 + "}", ("AVE905", 2, 37), "9999"),
], ids=["objects", "lists", "digits"])  # fmt: skip
def test_a_long_line_is_refused_at_its_position(
    tmp_path: Path, line: str, position: Position, message: str
) -> None:
    _, findings = read(tmp_path, f"{GOOD}{line}\n")
    assert positions(findings) == [position]
    assert message in only(findings)
    assert_safe(findings)


def test_all_defects_are_reported_at_once(tmp_path: Path) -> None:
    text = '{"q_id": 1.0, "score": true, "correct": "R"}\nnull\n' + GOOD + GOOD
    _, findings = read(tmp_path, text)
    assert [(code, line) for code, line, _ in positions(findings)] == [
        *(("AVE906", 1), ("AVE904", 1), ("AVE907", 1), ("AVE901", 2)),
        *(("AVE908", 3), ("AVE908", 4)),
    ]


@pytest.mark.parametrize("layout", PRESETS)
def test_a_collection_is_covered_exactly(tmp_path: Path, layout: str) -> None:
    collection = collection_of(tmp_path)
    _, findings = read(tmp_path, PRESETS[layout], collection)
    missing = [one.facts["a_id"] for one in findings if one.rule.code == "AVE204"]
    assert missing == ["2_2", "3_1"]
    rows = [("1", "1_1"), ("1", "1_9"), ("4", "x"), ("2", "1_2"), ("2", "2_1"), ("2", "2_2")]
    rows += [("3", "3_1"), ("1", "1_2")]
    if layout == "json":
        text = "".join(json.dumps({"q_id": q, "a_id": a, "score": 1}) + "\n" for q, a in rows)
    else:
        head = "# q_id\n" if layout == "plain" else "q_id\ta_id\tscore\n"
        text = head + "".join(f"{q}\t{a}\t1\n" for q, a in rows)
    _, findings = read(tmp_path, text, collection)
    more = 0 if layout == "json" else 1
    at = (23, 10, 10) if layout == "json" else (3, 1, 1)
    codes = zip(("AVE202", "AVE201", "AVE203"), at, strict=True)
    assert positions(findings) == [(code, 2 + more + n, at) for n, (code, at) in enumerate(codes)]


def test_texts_that_differ_are_warned_of(tmp_path: Path) -> None:
    texts = (1, ""), (1, ', "question": "Who?"'), (1, ', "question": "Why?"')
    lines = [f'{{"q_id": {n}, "score": 1{more}}}\n' for n, more in (*texts, (2, texts[2][1]))]
    text = "".join(lines)
    scores, findings = read(tmp_path, text)
    assert positions(findings) == [("AVE909", 3, 37)]
    assert "question '1' has another text at line 2" in only(findings)
    assert scores is not None
    assert scores.questions == {"1": "Who?", "2": "Why?"}


def test_texts_are_not_checked_unless_requested(tmp_path: Path) -> None:
    text = r'{"q_id": 1, "score": 1, "answer": "\ud800", "question": []}'
    path = str(put(tmp_path, text))
    assert ave("decide", path).code == 0
    assert ave("decide", path, "--write-collection", str(tmp_path / "gold.xml")).code == 1
    assert positions(read(tmp_path, text)[1]) == [("AVE113", 1, 35), ("AVE906", 1, 57)]


def test_a_name_that_is_given_must_be_there(tmp_path: Path) -> None:
    names = {"correct": "is_right"}
    assert sound(tmp_path, JSON_LINES, names=names).has_correct  # the usual name is there
    _, findings = read(tmp_path, JSON_LINES.replace("correct", "x"), names=names)
    assert positions(findings) == [("AVE902", None, None)]
    ways = "--columns says which is which; it has q_id, a_id, score, x, answer, tokens"
    assert only(findings) == f"no key 'is_right' in any object; {ways}"
    _, findings = read(tmp_path, TABLE.replace("correct", "x"), names=names)
    assert [position[0] for position in positions(findings)] == ["AVE501"]
    _, findings = read(tmp_path, PLAIN.partition("\n")[2], names=names)
    assert [position[0] for position in positions(findings)] == ["AVE501"]


@pytest.mark.parametrize(("names", "message"), [
    ({"labels": "x"}, "unknown column 'labels'"),
    ({"scor": "x"}, "did you mean score?"),
    ({"q_id": "x", "score": "x"}, "'x' cannot be both q_id and score"),
])  # fmt: skip
def test_names_that_cannot_be(tmp_path: Path, names: dict[str, str], message: str) -> None:
    path = put(tmp_path, JSON_LINES, "scores")
    with pytest.raises(UsageError) as caught:
        read_scores(path, columns=names)
    assert message in str(caught.value)


def test_check_reports_the_contents_of_scores(tmp_path: Path) -> None:
    for text in (JSON_LINES, TABLE):
        checked = ave_score.check(Held(text))
        assert checked.kind == "scores"
        assert checked.contents == {
            "questions": 2, "answers": 3, "correct": 1, "lowest_score": -0.001, "highest_score": 12,
        }  # fmt: skip
    assert ave_score.check(Held(PLAIN)).kind == "run"
    checked = ave_score.check(Held(PLAIN), kind="scores")
    assert checked.contents == {
        "questions": 2, "answers": 3, "lowest_score": -0.001, "highest_score": 12,
    }  # fmt: skip


def test_scores_are_refused_where_a_run_is_wanted(tmp_path: Path) -> None:
    collection = collection_of(tmp_path)
    for text in (JSON_LINES, TABLE):
        with pytest.raises(DefectError, match="`ave-score decide` makes a run of them"):
            ave_score.score(collection, Held(text))
        assert positions(ave_score.check(Held(text), collection).findings) == [("AVE116", 1, None)]


def test_read_scores_raises_what_is_wrong(tmp_path: Path) -> None:
    assert read_scores(put(tmp_path, TABLE)).spellings == ["0.90", "12", "-1e-3"]
    with pytest.raises(DefectError) as caught:
        read_scores(put(tmp_path, '{"q_id": 1, "score": "x"}'))
    assert positions(caught.value.findings) == [("AVE904", 1, 22)]


ANY_JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=2)
    ),
    max_leaves=4,
)


@fuzzed
@given(
    members=st.dictionaries(
        st.sampled_from(["q_id", "a_id", "score", "correct", "answer", "question"])
        | st.text(max_size=3),
        ANY_JSON,
        min_size=1,
    ),
    plain=st.booleans(),
)
def test_any_object_is_read_or_refused_and_its_values_are_found(
    members: dict[str, object], plain: bool
) -> None:
    line = json.dumps(members, ensure_ascii=plain, indent=None)
    data = line.encode("utf-8", "backslashreplace")
    read_file("scores", data)
    for key, value in members.items():
        columns = member_columns(line, key)
        found = json.loads(line[columns.start - 1 : columns.stop - 1])
        assert json.dumps(found) == json.dumps(value)


@pytest.mark.parametrize("text", [
    "q_id,a_id,score,correct\n1,a,0.5,richtig\n1,b,0.2,false\n1,c,0.1,offen\n",
    '{"q_id": 1, "a_id": "a", "score": 0.5, "correct": "richtig"}\n'
    '{"q_id": 1, "a_id": "b", "score": 0.2, "correct": false}\n'
    '{"q_id": 1, "a_id": "c", "score": 0.1, "correct": "offen"}\n',
])  # fmt: skip
def test_words_of_correct_mean_what_values_says(tmp_path: Path, text: str) -> None:
    path, words = str(put(tmp_path, text)), "richtig=VALIDATED,offen=UNKNOWN"
    gold = tmp_path / "gold.xml"
    assert ave("decide", path, "--values", words, "--write-collection", str(gold)).code == 0
    labels = re.findall('value="([A-Z]+)"', gold.read_text())
    assert labels == ["VALIDATED", "REJECTED", "UNKNOWN"]
    rows = output("convert", path, "--values", words, "--to", "csv", "--kind", "scores")
    assert rows == "q_id,a_id,score,correct\n1,a,0.5,true\n1,b,0.2,false\n1,c,0.1,\n"
    assert "richtig" in refusal("decide", path, code=1)
