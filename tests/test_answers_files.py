"""QA4MRE: gold files, runs with answered and unanswered questions, hostile files."""

from __future__ import annotations

import json
import re
import time
import tracemalloc
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ave_score
from ave_score import Collection, Findings, Label, QARun
from tests import each, examples
from tests.helpers_check import FORMATS
from tests.helpers_command import ave, here_with, output, refusal
from tests.helpers_files import (
    ANSWERS,
    QA4MRE,
    collection_of,
    fuzzed,
    only,
    positions,
    put,
    read_file,
)

# In the shape of the files that QA4MRE gave out: single quotes, stray blanks, entities, a DTD.
QUESTIONS = ["1/1/1", "1/1/2", "1/2/1", "2/1/1", "2/1/2"]
RIGHT = {"1/1/1": "2", "1/1/2": "1", "1/2/1": "2", "2/1/1": "2", "2/1/2": "1"}

"""Right, wrong, right but withheld, wrong and withheld, nothing said; n = 5."""

FLAT = """\
<output run_id="flat">
<question q_id="1" answered="YES"><answer a_id="1_1"/></question>
<question q_id="2" answered="YES"><answer a_id="2_1"/></question>
<question q_id="3" answered="NO"/>
</output>
"""
"""About the small AVE collection: right, wrong, unanswered."""


@pytest.fixture
def gold() -> Collection:
    collection, findings = read(QA4MRE)
    assert collection is not None, [*map(str, findings)]
    return collection


def read(data: str | bytes) -> tuple[Collection | None, Findings]:
    return read_file("collection", data, name="file.xml")


def check(data: str | bytes, collection: Collection | None) -> tuple[QARun | None, Findings]:
    return read_file("answers", data, collection, name="file.xml")


def right_of(collection: Collection | None) -> dict[str, list[str]]:
    """Return question -> the answers that are right."""
    assert collection is not None
    index = collection.index
    return {
        q_id: [index.a_ids[at] for at in range(span.start, span.stop) if collection.labels[at] == 1]
        for q_id, span in zip(index.questions, index.spans, strict=True)
    }


def test_questions_are_identified_by_topic_and_reading_test(gold: Collection) -> None:
    assert gold.index.questions == QUESTIONS
    assert right_of(gold) == {question: [a_id] for question, a_id in RIGHT.items()}
    assert gold.index.q_ids == ["1/1/1"] * 3 + [q for q in QUESTIONS[1:] for _ in range(2)]
    assert set(gold.labels) == {Label.VALIDATED, Label.REJECTED}


@each("encoding", ["utf-8", "utf-8-sig", "utf-16", "iso-8859-1", "cp1252"])
@each("end", ["\n", "\r\n"])
def test_a_gold_file_of_the_real_shape_is_read_in_any_encoding(encoding: str, end: str) -> None:
    text = QA4MRE.replace("UTF-8", encoding.replace("-sig", "")).replace("\n", end)
    collection, findings = read(text.encode(encoding))
    assert not len(findings), [*map(str, findings)]
    assert right_of(collection) == {question: [a_id] for question, a_id in RIGHT.items()}


@each("attribute", ["t_id", "r_id", "q_id", "a_id"])
@each("written, meant", [
    ("a&amp;b", "a&b"), ("&lt;&#65;&gt;", "<A>"), ("&#38;amp;", "&amp;"), ("é", "é"), (" x ", "x"),
])  # fmt: skip
@each("doubt", ["", "<!DOCTYPE c [<!ELEMENT c ANY>]>"])
def test_entities_in_ids_are_resolved(attribute: str, written: str, meant: str, doubt: str) -> None:
    ids = dict.fromkeys(["t_id", "r_id", "q_id", "a_id"], "1") | {attribute: written}
    collection, findings = read(
        f"{doubt}<c><topic t_id='{ids['t_id']}'><reading-test r_id='{ids['r_id']}'>"
        f"<q q_id='{ids['q_id']}'><answer a_id='{ids['a_id']}' correct='Yes'/></q>"
        "</reading-test></topic></c>"
    )
    assert not len(findings), [*map(str, findings)]
    assert collection is not None
    ids[attribute] = meant
    assert collection.index.q_ids == [f"{ids['t_id']}/{ids['r_id']}/{ids['q_id']}"]
    assert collection.index.a_ids == [ids["a_id"]]


YES = "<answer a_id='1' correct='Yes'/>"
QUESTION = "<question q_id='1' answered='NO'/>"


@each("body", [
    "<topic><reading-test r_id='1'>QUESTION</reading-test></topic>",
    "<topic t_id='1'><reading-test>QUESTION</reading-test></topic>",
    "<topic t_id='1'>QUESTION</topic>",
    "<reading-test r_id='1'>QUESTION</reading-test>",
    "<reading-test r_id='1'>QUESTION</reading-test><reading-test r_id='2'>QUESTION</reading-test>",
    "<topic t_id=''><reading-test r_id='1'>QUESTION</reading-test></topic>",
    "<topic t_id='1'><reading-test r_id='2'>QUESTION</reading-test>QUESTION</topic>",
    "<topic t_id='1'><reading-test r_id='2'>QUESTION</reading-test></topic>QUESTION",
])  # fmt: skip
@each("attribute", ["q_id", "id"])
def test_gold_and_run_call_a_question_alike_or_it_is_refused(body: str, attribute: str) -> None:
    """Else no run could name it."""
    question = f"<q {attribute}='1'>{YES}<answer a_id='2'/></q>"
    collection, findings = read(f"<test-set>{body.replace('QUESTION', question)}</test-set>")
    assert not any("question ''" in str(one) or "<q> has no id" in str(one) for one in findings)
    if collection is not None:
        run, found = check(f"<output>{body.replace('QUESTION', QUESTION)}</output>", collection)
        assert run is not None, [*map(str, found)]


def test_an_unlabelled_file_is_checked_and_not_scored_against(tmp_path: Path) -> None:
    bare = QA4MRE.replace(" correct='Yes'", "").replace(" correct=' Yes '", "")
    bare = bare.replace(" correct='YES'", "").replace(" correct='No'", "")
    file, run = put(tmp_path, bare, "test.xml"), put(tmp_path, ANSWERS, "run.xml")
    out = ave("check", str(file), "--format", "json", code=0).out
    expected = {"questions": 5, "answers": 11, "unlabelled": 11}
    assert json.loads(out)["files"][0]["contents"] == expected
    ave("check", str(run), "--collection", str(file), code=0)
    err = refusal("score", str(file), str(run), code=1)
    assert "answer '1' of question '1/1/1' has no gold label" in err


gold_files = st.lists(
    st.tuples(
        st.sampled_from("12"),
        st.sampled_from(["1", "2", " 1", "a&amp;b"]),
        st.sampled_from("123"),
        st.lists(
            st.tuples(st.sampled_from("123"), st.sampled_from(["", " correct='Yes'"])), max_size=3
        ),
    ),
    min_size=1,
    max_size=5,
).map(
    lambda parts: (
        "<c>"
        + "".join(
            f"<topic t_id='{t}'><reading-test r_id='{r}'><q q_id='{q}'><q_str>?</q_str>"
            + "".join(f"<answer a_id='{a}'{correct}>x</answer>" for a, correct in answers)
            + "</q></reading-test></topic>"
            for t, r, q, answers in parts
        )
        + "</c>"
    )
)


@settings(fuzzed, max_examples=examples(150))
@given(gold_files)
def test_what_is_read_is_what_another_parser_finds(xml: str) -> None:
    """ElementTree here, and what is to be refused worked out from its tree."""
    expected: dict[str, dict[str, bool]] = {}
    refused = False
    for topic in ET.fromstring(xml).iter("topic"):
        for test in topic.iter("reading-test"):
            for q in test.iter("q"):
                ids = topic.attrib["t_id"], test.attrib["r_id"], q.attrib["q_id"]
                name = "/".join(map(str.strip, ids))
                options = [
                    (one.attrib["a_id"], "correct" in one.attrib) for one in q.iter("answer")
                ]
                refused |= name in expected or len(dict(options)) < len(options)
                expected[name] = dict(options)
    offered = [right for options in expected.values() for right in options.values()]
    refused |= bool(offered) and not any(offered)
    collection, findings = read(xml)
    assert (collection is None) == refused, [*map(str, findings)]
    if collection is not None:
        found = zip(collection.index.q_ids, collection.index.a_ids, strict=True)
        assert [*found] == [(q_id, a_id) for q_id, options in expected.items() for a_id in options]
        assert [label == Label.VALIDATED for label in collection.labels] == offered


def test_a_run_is_judged_by_the_labels(gold: Collection) -> None:
    run, findings = check(ANSWERS, gold)
    assert not len(findings)
    assert run is not None and run.name == "file"
    said = {one.q_id: (one.judgement, one.a_id, one.answered) for one in run.answers}
    assert said == {
        "1/1/1": ("R", "2", True), "1/1/2": ("W", "2", True), "1/2/1": ("R", "2", False),
        "2/1/1": ("W", "1", False), "2/1/2": ("", "", False),
    }  # fmt: skip


@pytest.mark.parametrize(
    "text",
    [
        ANSWERS.replace('"', "'"),
        ANSWERS.replace("\n", "\r\n"),
        ANSWERS.replace('_id="', '_id=" ').replace('"/>', ' "/>').replace("YES", " YES"),
        ANSWERS.replace("YES", "yes").replace("NO", "No"),
        ANSWERS.replace("<output ", "<output xmlns='urn:x' "),
        ANSWERS.replace("?>", "?>\n<!-- by hand -->\n<!DOCTYPE output SYSTEM 'run.dtd'>"),
        ANSWERS.replace("/></question>", "> a &amp; b </answer></question>"),
        ANSWERS.replace("<topic", "<note>x</note><topic"),
        "\ufeff" + ANSWERS,
    ],
    ids=["quotes", "crlf", "blanks", "case", "namespace", "doctype", "texts", "notes", "bom"],
)  # fmt: skip
def test_a_run_says_the_same_however_it_is_written(gold: Collection, text: str) -> None:
    plain, findings = check(text, gold)
    assert not len(findings), [*map(str, findings)]
    expected, _ = check(ANSWERS, gold)
    assert plain is not None
    assert expected is not None
    found = [one._replace(line=0) for one in plain.answers]
    assert found == [one._replace(line=0) for one in expected.answers]


def test_ids_with_entities_are_the_same_in_gold_and_run() -> None:
    collection, _ = read(QA4MRE.replace("t_id='1'", "t_id='a&amp;b'"))
    _, findings = check(ANSWERS.replace('t_id="1"', 't_id="a&amp;b"'), collection)
    assert not len(findings), [*map(str, findings)]


def test_without_topics_a_question_is_called_by_its_id(tmp_path: Path) -> None:
    run, findings = check(FLAT, collection_of(tmp_path))
    assert not len(findings)
    assert run is not None
    assert [(one.q_id, one.judgement) for one in run.answers] == [("1", "R"), ("2", "W"), ("3", "")]


@each("body, names", [
    (QUESTION, ["1"]),
    (f"<reading-test r_id='1'>{QUESTION}</reading-test>"
     f"<reading-test r_id='2'>{QUESTION}</reading-test>", ["1/1", "2/1"]),
    (f"<topic t_id='1'>{QUESTION}</topic><topic t_id='2'>{QUESTION}</topic>", ["1/1", "2/1"]),
    (f"<topic t_id='1'><reading-test r_id='2'>{QUESTION}</reading-test></topic>{QUESTION}",
     ["1/2/1", "1"]),
    (f"<topic t_id='1'><reading-test r_id='2'>{QUESTION}</reading-test>{QUESTION}</topic>",
     ["1/2/1", "1/1"]),
    (f"<topic t_id='1'><reading-test r_id='2'>{QUESTION}</reading-test></topic>"
     f"<topic t_id='2'><reading-test r_id='2'>{QUESTION}</reading-test></topic>",
     ["1/2/1", "2/2/1"]),
])  # fmt: skip
def test_a_question_is_named_by_its_ancestors(body: str, names: list[str]) -> None:
    rows = [{"q_id": name, "a_id": "1", "label": "VALIDATED"} for name in names]
    run, findings = check(f"<output>{body}</output>", Collection.from_frame(rows))
    assert not len(findings), [*map(str, findings)]
    assert run is not None
    assert [one.q_id for one in run.answers] == names


_NEAR = "   <question q_id=\"1\" answered=\"YES\"><answer a_id=\"2\"/></question>\n"  # fmt: skip
FIRST = 5  # its line, the question 1/1/1


def test_a_question_without_an_id_is_found(gold: Collection) -> None:
    _, findings = check(ANSWERS.replace(_NEAR, '<question answered="NO"/>\n'), gold)
    assert ("AVE408", FIRST, 1) in positions(findings)
    assert not any("question ''" in str(one) for one in findings)


def test_questions_without_topics_get_a_hint_about_their_names(gold: Collection) -> None:
    """The first question of the gold file stands in topic 1 and reading test 1."""
    bare = re.sub("</?(topic|reading-test)[^>]*>", "", ANSWERS)
    _, findings = check(bare, gold)
    unknown = [found.message for found in findings if found.rule.code == "AVE201"]
    assert unknown[0] == (
        "question '1' is not in the collection; "
        "question ids have the form topic/test/question, e.g. 1/1/1"
    )
    _, findings = check(ANSWERS.replace(_NEAR, _NEAR + _NEAR.replace('"1"', '"9"', 1)), gold)
    assert "topic/test/question" not in only(findings)


def test_help_for_a_question_that_does_not_say_whether_it_is_answered(tmp_path: Path) -> None:
    run = put(tmp_path, '<output><question q_id="1"/></output>', "run.xml")
    out = ave("check", str(run), code=1).out
    assert "AVE504" in out
    assert "leave the field empty" not in out, "it is empty, and that is what is wrong"


here = here_with({"gold.xml": QA4MRE, "mine.xml": ANSWERS})


def test_check_reports_the_contents_of_runs(here: Path) -> None:
    out = output("check", "mine.xml", "--collection", "gold.xml", "--format", "json")
    (file,) = json.loads(out)["files"]
    assert file["kind"] == "answers"
    assert file["contents"] == {"questions": 5, "answered": 2, "unanswered": 3}
    code, out, _ = ave("check", "mine.xml", "gold.xml", "--format", "json")
    kinds = [file["kind"] for file in json.loads(out)["files"]]
    assert (code, kinds) == (0, ["answers", "collection"])


def test_a_doctype_with_a_subset_hides_no_run(here: Path) -> None:
    text = ANSWERS.replace("<output", "<!DOCTYPE output [<!ELEMENT output ANY>]>\n<output", 1)
    put(here, text, "mine.xml")
    code, out, _ = ave("check", "mine.xml", "--collection", "gold.xml", "--format", "json")
    assert json.loads(out)["files"][0]["kind"] == "answers"
    assert code == 0


LONG = "x" * 3_000_000


@each("text, code, line", [
    ('<!DOCTYPE c [<!ENTITY x SYSTEM "file:///etc/passwd">]>\n<output>&x;</output>', "AVE402", 1),
    (f"<output>\n{'<x>' * 200_000}", "AVE414", 2),
    ("<output>\n<topic t_id='1'>\n<reading-test", "AVE401", 3),
    ("<output>\n<topic t_id='&#0;'/></output>", "AVE401", 2),
    (f"<output>\n<topic t_id='{LONG * 4}", "AVE415", 2),
])  # fmt: skip
def test_hostile_xml_is_refused_in_bounded_time(text: str, code: str, line: int) -> None:
    started = time.process_time()
    (place,) = positions(check(text, None)[1])
    assert time.process_time() - started < 5
    assert place[:2] == (code, line)


def test_a_run_nested_too_deeply_gets_no_advice_about_collections() -> None:
    message = only(check(f"<output>{'<x>' * 300}", None)[1])
    assert "a collection needs" not in message


@pytest.mark.parametrize("kind", ["collection", "answers"])
def test_an_id_of_megabytes_is_not_multiplied_by_the_questions(kind: str) -> None:
    """A question is called by its topic too: 500 questions must not hold the topic 500 times."""
    body, parts = (
        "q",
        {"q": f"<q q_id='%d'>{YES}</q>", "question": "<question q_id='%d' answered='NO'/>"},
    )
    if kind == "answers":
        body = "question"
    questions = "".join(parts[body] % number for number in range(500))
    data = f"<output><topic t_id='{LONG[:200_000]}'><reading-test r_id='1'>{questions}"
    data = f"{data}</reading-test></topic></output>"
    if kind == "collection":
        data = data.replace("output>", "test-set>")
    tracemalloc.start()
    try:
        read_file(kind, data)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 30_000_000


def test_an_id_of_megabytes_makes_no_message_of_megabytes(here: Path) -> None:
    text = ANSWERS.replace('q_id="1"', f'q_id="{LONG}"', 1)
    put(here, text, "mine.xml")
    started = time.process_time()
    err = refusal("score", "gold.xml", "mine.xml", code=1)
    assert time.process_time() - started < 5
    assert "AVE" in err and len(err) < 3000


PAIRS = "<c>\n<pair id='1' value='YES'/>\n</c>\n"
JUDGED = "q_id\trun\tjudgement\n1\tqa\tR\n"
FILES = {
    "answers": ANSWERS,
    "pair run": "1 YES 0.5\n",
    "bare pair run": "# mine\n1 YES\n",
    "run": "1 1_1 SELECTED 0.5\n",
}


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("gold_name", ["gold.xml", "pairs.xml"])
def test_swapped_arguments_are_called_so(here: Path, name: str, gold_name: str) -> None:
    put(here, PAIRS, "pairs.xml")
    put(here, FILES[name], "run")
    err = refusal("score", "run", gold_name, code=1)
    assert "AVE116" in err and "swapped" in err
    assert "Traceback" not in err


@pytest.mark.parametrize("kind", [[], ["--kind", "answers"]], ids=["", "kind"])
def test_check_and_score_agree_on_answers_given_with_pairs(here: Path, kind: list[str]) -> None:
    put(here, PAIRS, "pairs.xml")
    said = (
        "mine.xml:1 AVE116 this looks like the answers of a system, expected a run about pairs, "
        "which belong to no question"
    )
    for call in (
        ["score", "pairs.xml", "mine.xml"],
        ["check", "mine.xml", "--collection", "pairs.xml", "--format", "concise", *kind],
    ):
        _, out, err = ave(*call, code=1)
        found = [line for line in (out + err).splitlines() if line.startswith("mine.xml:1")]
        assert found == [said]


def test_answers_that_are_checked_as_a_run_are_not_called_swapped(here: Path) -> None:
    out = ave("check", "mine.xml", "--kind", "run", "--collection", "gold.xml", code=1).out
    assert "mine.xml:1 AVE116" in out and "--kind answers" in out
    assert "swapped" not in out
    assert ave("check", "mine.xml", "--kind", "answers", "--collection", "gold.xml")[0] == 0


def test_judged_answers_beside_pairs_are_not_sent_where_they_are_refused_too(here: Path) -> None:
    put(here, PAIRS, "pairs.xml")
    put(here, JUDGED, "judged.tsv")
    for kind in ([], ["--kind", "judged"]):
        out = ave("check", "judged.tsv", "--collection", "pairs.xml", *kind, code=1).out
        assert "judged.tsv:1 AVE116" in out and "expected a run about pairs" in out
        assert "--kind" not in out


def test_pairs_in_a_topic_are_not_asked_for_right_answers() -> None:
    """They belong to no question, so that none of them lacks anything."""
    pairs = "<pair id='1' value='NO'/><pair id='2' value='NO'/>"
    collection, findings = read(f"<c><topic t_id='1'>{pairs}</topic></c>")
    assert collection is not None
    assert not len(findings)


def test_a_question_without_a_right_answer_is_scored_and_warned_of(here: Path) -> None:
    """Of five questions the third lost its mark: 1/2/1, which stands in line 17 of the file."""
    put(here, QA4MRE.replace(" correct=' Yes '", ""), "gold.xml")
    err = ave("score", "gold.xml", "mine.xml", code=0).err
    assert "gold.xml:17:4 AVE418 warning: question '1/2/1' has no answer marked as right" in err


@pytest.mark.slow
@pytest.mark.parametrize("format_", FORMATS)
def test_check_reveals_nothing_about_correct_answers(here: Path, format_: str) -> None:
    put(here, ANSWERS.replace('a_id="2"', 'a_id="9"', 1).replace("YES", "maybe", 1), "bad.xml")
    put(here, "q_id\trun\tjudgement\ta_id\n1/1/1\tA\tR\t1\n", "judged.tsv")
    put(here, "1/1/1 1 SELECTED 0.5\n1/1/1 2 SELECTED 0.4\n", "run.txt")
    bare = QA4MRE
    for word in ("'Yes'", "' Yes '", "'YES'", "'No'"):
        bare = bare.replace(f" correct={word}", "")
    other = bare.replace("a_id='1'", "a_id='1' correct='Yes'")
    wrong = bare.replace("a_id='1'", "a_id='1' correct='PSST'")
    both = bare.replace("a_id=", "correct='Yes' a_id=")
    none_right = bare.replace("a_id=", "correct='No' a_id=")
    one_lost = QA4MRE.replace(" correct='Yes'", "", 1)
    shown = set()
    for xml in (bare, QA4MRE, other, wrong, both, none_right, one_lost):
        put(here, xml, "gold.xml")
        names = ["mine.xml", "bad.xml", "judged.tsv", "run.txt"]
        shown.add(ave("check", *names, "--collection", "gold.xml", "--format", format_))
        for kind in ("answers", "judged", "run"):
            arguments = ["--kind", kind, "--collection", "gold.xml", "--format", format_]
            shown.add((kind, *ave("check", *names, *arguments)))  # type: ignore[arg-type]
    assert len(shown) == 4
    assert not any("PSST" in str(one) for one in shown)


def test_answers_are_not_scored_against_another_collection(tmp_path: Path) -> None:
    """Two years of QA4MRE have the same ids; what was right is another matter."""
    gold, other = (
        ave_score.read_collection(put(tmp_path, text, name))
        for text, name in ((QA4MRE, "gold.xml"), (QA4MRE, "other.xml"))
    )
    run = ave_score.read_answers(put(tmp_path, ANSWERS, "run.xml"), gold)
    assert ave_score.score(gold, [run]).rows[0].run == "run"
    with pytest.raises(ave_score.UsageError, match="not read against this collection"):
        ave_score.score(other, [run])
