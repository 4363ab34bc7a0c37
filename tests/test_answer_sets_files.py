"""Answer sets and nuggets, in JSON and XML: reading and defects."""

from __future__ import annotations

import gzip
import hashlib
import json
from itertools import pairwise
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape, quoteattr

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ave_score
from ave_score import AveScoreWarning, DefectError, FileKind, Findings
from ave_score.commands import run
from ave_score.core.open_questions import (
    AnswerSet,
    Nugget,
    OpenGold,
    OpenQuestion,
    QuestionType,
    normalised,
)
from ave_score.files.answer_sets import MAX_BYTES, check_answer_sets
from ave_score.files.check import check_file
from ave_score.files.json_lines import MAX_NESTING
from ave_score.files.source import Source
from tests import examples
from tests.conftest import ROOT
from tests.helpers_files import Position, broken, checked, fuzzed, only, positions, put

LIST, FACTOID, DEFINITION = QuestionType.LIST, QuestionType.FACTOID, QuestionType.DEFINITION

JSON = """\
{"questions": [
  {"id": "1", "type": "list", "question": "Where?",
   "sets": [{"total": 3, "answers": [["Spain", "España"], "France"]}, {"answers": [["Iberia"]]}]},
  {"id": "2", "sets": []},
  {"id": "03", "type": "factoid", "sets": [{"answers": [["1492"]]}]},
  {"id": "4", "type": "definition", "nuggets": [
    {"id": "1", "vital": true, "text": "a \\u00e9 \\"b\\""},
    {"id": "2", "vital": false, "text": "c"}]}
]}
"""
XML = """\
<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE questions SYSTEM "questions.dtd">
<questions>
<question id="1" type="list"><q_str>Where?</q_str>
 <set total="3"><answer><wording>Spain</wording><wording> España
 </wording></answer><answer><wording>France</wording></answer></set>
 <set><answer><wording><![CDATA[Iberia]]></wording></answer></set></question>
<question id="2"><q_str/></question>
<question id="03" type="factoid"><set><answer><wording>1492</wording></answer></set></question>
<question id="4" type="definition"><nugget id="1" value="vital">a &#233; "b"</nugget>
 <nugget id="2" value="okay">c</nugget></question>
</questions>
"""
READ = [
    OpenQuestion(
        "1",
        LIST,
        (AnswerSet((("Spain", "España"), ("France",)), 3), AnswerSet((("Iberia",),), 1)),
    ),
    OpenQuestion("2", LIST),
    OpenQuestion("03", FACTOID, (AnswerSet((("1492",),), 1),)),
    OpenQuestion("4", DEFINITION, (), (Nugget("1", True, 'a é "b"'), Nugget("2", False, "c"))),
]


def read(data: str | bytes) -> tuple[OpenGold | None, Findings]:
    """Check a file; where it is sound, there are questions."""
    data = data.encode() if isinstance(data, str) else data
    gold, findings = checked(check_answer_sets(Source.holding("file", data)))
    assert gold is None or gold.questions
    return gold, findings


def content(data: str | bytes) -> list[OpenQuestion]:
    """Return the questions of a file in which nothing is wrong."""
    gold, findings = read(data)
    assert gold is not None
    assert not len(findings), [*map(str, findings)]
    assert [*gold.questions] == [question.q_id for question in gold.questions.values()]
    return [*gold.questions.values()]


# --- what is read -----------------------------------------------------------------------------


@pytest.mark.parametrize("text", [JSON, XML], ids=["JSON", "XML"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"], ids=["LF", "CRLF", "CR"])
def test_a_sound_file_gives_its_questions_in_their_order(text: str, end: str) -> None:
    assert content(text.replace("\n", end)) == READ


def test_xml_may_be_in_any_encoding_and_namespace() -> None:
    assert content(XML.replace("UTF-8", "UTF-16").encode("utf-16")) == READ
    assert content(XML.replace("UTF-8", "latin-1").encode("latin-1")) == READ
    assert content(XML.replace("<questions>", '<questions xmlns="urn:x" xml:lang="en">')) == READ


def test_the_shipped_files_hold_the_same() -> None:
    golds = [
        ave_score.read_answer_sets(ROOT / "gold" / name) for name in ("lists.json", "lists.xml")
    ]
    assert golds[0].questions == golds[1].questions
    questions = golds[0].questions
    # read off the file: two lists, one without an answer; two factoids; two definitions
    assert [one.type for one in questions.values()] == [LIST] * 2 + [FACTOID] * 2 + [DEFINITION] * 2
    first, second = questions["1"].sets
    assert first == AnswerSet((("Alder", "River Alder"), ("Birk",), ("Cole",)), 4)
    assert (len(second.answers), second.total) == (2, 2)
    assert questions["2"].sets == ()
    assert [nugget.is_vital for nugget in questions["5"].nuggets] == [True, True, False]
    data = (ROOT / "gold/lists.json").read_bytes()
    assert golds[0].sha256 == hashlib.sha256(data).hexdigest()


def test_a_compressed_file_is_read_and_hashed_as_what_it_holds(tmp_path: Path) -> None:
    gold = ave_score.read_answer_sets(put(tmp_path, gzip.compress(JSON.encode()), "gold.json.gz"))
    assert [*gold.questions.values()] == READ
    assert gold.sha256 == hashlib.sha256(JSON.encode()).hexdigest()
    assert repr(gold).endswith("gold.json.gz: 4 questions>")


def test_blanks_around_and_inside_wordings_are_no_part_of_them() -> None:
    text = '{"questions": [{"id": "1", "sets": [{"answers": [[" New\\n  York "]]}]}]}'
    assert content(text)[0].sets == (AnswerSet((("New York",),), 1),)


def test_a_wording_may_be_in_two_sets_and_twice_in_an_answer() -> None:
    sets = '[{"answers": [["Spain", "SPAIN"], ["France"]]}, {"answers": ["Spain"]}]'
    (question,) = content(f'{{"questions": [{{"id": "1", "sets": {sets}}}]}}')
    assert [one.total for one in question.sets] == [2, 1]
    assert question.sets[0].answers == (("Spain", "SPAIN"), ("France",))


def test_the_api_warns_of_what_is_odd_and_raises_what_is_wrong(tmp_path: Path) -> None:
    with pytest.warns(AveScoreWarning, match="AVE803"):
        ave_score.read_answer_sets(put(tmp_path, JSON.replace('"total"', '"totl"', 1)))
    with pytest.raises(DefectError, match="AVE801"):
        ave_score.read_answer_sets(put(tmp_path, JSON.replace("}", "", 1)))


def test_check_reports_the_contents_of_a_file() -> None:
    for text in (JSON, XML):
        checked = check_file(Source.holding("file", text.encode()))
        assert checked.kind is FileKind.ANSWER_SETS
        assert checked.contents == {"questions": 4, "definition": 1, "factoid": 1, "list": 2}


# --- wordings ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("ＡＢＣ", "abc"),  # full width
        ("Straße", "STRASSE"),
        ("e\u0301", "É"),
        (" a \t\n b\u00a0c ", "a b c"),
        ("x²", "X2"),
    ],
)
def test_wordings_are_compared_without_case_width_and_blanks(text: str, same: str) -> None:
    assert normalised(text) == normalised(same)


@pytest.mark.parametrize(("text", "other"), [("España", "Espana"), ("1", "01"), ("a.", "a")])
def test_other_differences_count(text: str, other: str) -> None:
    assert normalised(text) != normalised(other)


@pytest.mark.slow
@given(st.text())
def test_a_normalised_wording_stays_as_it_is(text: str) -> None:
    assert normalised(normalised(text)) == normalised(text)


# --- what is wrong: JSON ----------------------------------------------------------------------


def one(question: str) -> str:
    """Return a file of one question, which begins at line 2, column 1."""
    return f'{{"questions": [\n{question}\n]}}\n'


def a_set(answers: str) -> str:
    """Return a file of one list question, whose set's answers begin at line 3, column 13."""
    return one(f'{{"id": "1", "sets": [\n{{"answers": {answers}}}]}}')


def nugget(fields: str) -> str:
    """Return a file of one definition question, whose second nugget stands in line 3."""
    first = '{"id": "1", "vital": true, "text": "x"}'
    return one(f'{{"id": "1", "type": "definition", "nuggets": [{first},\n{{{fields}}}]}}')


SYNTAX = [
    ("{", (1, 2), "the file ends too early"),
    ('{"questions": [', (1, 16), "the file ends too early"),
    ('{"questions": [],}', (1, 18), "expected a key in double quotes"),
    ("{questions: []}", (1, 2), "expected a key in double quotes"),
    ('{"questions" []}', (1, 14), "expected : after a key"),
    ('{"questions": [\n1 2]}', (2, 3), "expected , or ] after an item"),
    ('{"a": 1 "b": 2}', (1, 9), "expected , or } after a value"),
    ('{"questions": []} x', (1, 19), "expected the end of the file after the value"),
    ('{"questions": [\n // none\n]}', (2, 2), "expected a value"),
    ("{\"questions\": ['1']}", (1, 16), "strings must be in double quotes"),
    ('{"questions":\n NaN}', (2, 2), "NaN is not a JSON number"),
    ('{"questions": -Infinity}', (1, 15), "expected a value"),
    ('{"questions": Infinity}', (1, 15), "Infinity is not a JSON number"),
    ('{"questions": TRUE}', (1, 15), "expected a value"),
    ('{"questions": 01}', (1, 16), "expected , or } after a value"),
    ('{"questions": 1.}', (1, 16), "expected , or } after a value"),
    ('{"questions": .5}', (1, 15), "expected a value"),
    ('{"questions": "a', (1, 15), "a string without an end"),
    ('{"questions": "a\nb"}', (1, 15), "or with a control character"),
    ('{"questions": "a\tb"}', (1, 15), "or with a control character"),
    ('{"questions": "ab\\x"}', (1, 18), "an invalid escape sequence"),
    ('{"questions": "\\u12"}', (1, 17), "an invalid escape sequence"),
    ('{"é": "é",\n "é" x}', (2, 6), "expected : after a key"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "position", "problem"), SYNTAX)
def test_invalid_json_is_refused_with_its_position(
    text: str, position: tuple[int, int], problem: str
) -> None:
    _, findings = read(text)
    assert positions(findings) == [("AVE801", *position)]
    assert problem in only(findings)
    with pytest.raises(json.JSONDecodeError):
        json.loads(text, parse_constant=lambda _: json.loads(""))


WRONG: list[tuple[str, Position, str]] = [
    # the whole
    ("{}", ("AVE804", 1, 1), "questions of the file is missing, expected a list of questions"),
    ("[]", ("AVE804", 1, 1), "the file is a list, expected an object"),
    ('{"questions": []}', ("AVE115", None, None), "the file has no questions in it"),
    ('{"questions": {}}', ("AVE804", 1, 15), "questions is an object, expected a list"),
    ('{"questions": null}', ("AVE804", 1, 15), "questions is null"),
    ('{"questions":\n["1"]}', ("AVE804", 2, 2), "questions[0] is the text '1', expected an object"),
    ('{"schema": "x", "questions": [{"id": "1", "sets": []}]}', ("AVE804", 1, 12),
     "schema is the text 'x', expected one of ave-score/answer-sets/1"),
    # questions
    (one('{"sets": []}'), ("AVE804", 2, 1), "id of questions[0] is missing, expected a text"),
    (one('{"id": 7, "sets": []}'), ("AVE804", 2, 8), "the number 7, expected a text in quotes"),
    (one('{"id": 7.5, "sets": []}'), ("AVE804", 2, 8), "the number 7.5, expected a text in quotes"),
    (one('{"id": true, "sets": []}'), ("AVE804", 2, 8), "is true, expected a text"),
    (one('{"id": ["1"], "sets": []}'), ("AVE804", 2, 8), "is a list, expected a text"),
    (one('{"id": "", "sets": []}'), ("AVE411", 2, 8), "the id '' is empty"),
    (one('{"id": "a b", "sets": []}'), ("AVE411", 2, 8), "the id 'a b'"),
    (one('{"id": "#1", "sets": []}'), ("AVE411", 2, 8), "the id '#1'"),
    (one('{"id": "a\\u0000", "sets": []}'), ("AVE411", 2, 8), "control characters"),
    (one('{"id": "1", "sets": []},\n {"id": "1", "sets": []}'), ("AVE520", 3, 2), "at line 2"),
    (one('{"id": "1", "type": "List", "sets": []}'), ("AVE804", 2, 21),
     "questions[0].type is the text 'List', expected one of factoid, list, definition"),
    (one('{"id": "1", "type": null, "sets": []}'), ("AVE804", 2, 21), "type is null"),
    (one('{"id": "1", "question": 5, "sets": []}'), ("AVE804", 2, 25), "questions[0].question"),
    (one('{"id": "1"}'), ("AVE804", 2, 1), "sets of questions[0] is missing, expected a "
     "list of sets, [] where there is no answer"),
    (one('{"id": "1", "sets": null}'), ("AVE804", 2, 21), "expected a list of sets"),
    (one('{"id": "1", "sets": [], "nuggets": [{"id": "1", "vital": true, "text": "x"}]}'),
     ("AVE808", 2, 1), "questions[0] is of type list but has nuggets"),
    (one('{"id": "1", "type": "definition", "sets": [{"answers": ["x"]}], "nuggets": '
         '[{"id": "1", "vital": true, "text": "x"}]}'),
     ("AVE808", 2, 1), "is of type definition but has sets of answers"),
    (one('{"id": "1", "sets": [],\n "extra": {"a": [1]}}'), ("AVE803", 3, 11),
     "questions[0].extra is unknown and was ignored"),
    (one('{"id": "1", "sets": [],\n "tpye": "list"}'), ("AVE803", 3, 10), "did you mean type?"),
    (one('{"id": "1", "id": "2", "sets": []}'), ("AVE802", 2, 13), "duplicate key 'id'"),
    (one('{"id": "1", "\\u0069d": "2", "sets": []}'), ("AVE802", 2, 13), "duplicate key 'id'"),
    # sets
    (one('{"id": "1", "sets": [\n{}]}'), ("AVE804", 3, 1),
     "answers of questions[0].sets[0] is missing, expected a list of answers"),
    (one('{"id": "1", "sets": [\n["x"]]}'), ("AVE804", 3, 1), "questions[0].sets[0] is a list"),
    (a_set("[]"), ("AVE804", 3, 13), "questions[0].sets[0].answers is empty, expected at least"),
    (a_set('"x"'), ("AVE804", 3, 13), "answers is the text 'x', expected a list"),
    (a_set("[[]]"), ("AVE804", 3, 14), "answers[0] is empty, expected at least one wording"),
    (a_set('["a", 1815]'), ("AVE804", 3, 19),
     "questions[0].sets[0].answers[1] is the number 1815, expected a wording (a text) in quotes"),
    (a_set('[["a", " "]]'), ("AVE804", 3, 20), "answers[0][1] is empty, expected a wording"),
    (a_set('[["a", ["b"]]]'), ("AVE804", 3, 20), "answers[0][1] is a list, expected a wording"),
    (a_set('["a\\u0007"]'), ("AVE804", 3, 14), "without control characters"),
    (a_set('["a\\ud800"]'), ("AVE804", 3, 14), "lone surrogates"),
    (a_set('["a", "A"]'), ("AVE806", 3, 19), "the wording 'A' already names another answer"),
    (a_set('[["b", "New York"],\n ["c", "new  ＹＯＲＫ"]]'), ("AVE806", 4, 8), "at line 3"),
    (a_set('["a", "b"], "total": 1'), ("AVE805", 3, 34), "2 answers, more than its total of 1"),
    (a_set('["a"], "total": 0'), ("AVE804", 3, 29), "total is the number 0, expected a whole"),
    (a_set('["a"], "total": -1'), ("AVE804", 3, 29), "the number -1"),
    (a_set('["a"], "total": 2.0'), ("AVE804", 3, 29), "the number 2"),
    (a_set('["a"], "total": "2"'), ("AVE804", 3, 29), "the text '2'"),
    (a_set('["a"], "total": true'), ("AVE804", 3, 29), "total is true"),
    (a_set('["a"], "total": null'), ("AVE804", 3, 29), "total is null"),
    (a_set('["a"], "total": 1e999'), ("AVE804", 3, 29), "the number inf"),
    (a_set(f'["a"], "total": {"9" * 5000}'), ("AVE804", 3, 29), "at most 12 digits"),
    (a_set('["a"], "total": 9999999999999'), ("AVE804", 3, 29), "at most 12 digits"),
    # nuggets
    (one('{"id": "1", "type": "definition"}'), ("AVE804", 2, 1), "nuggets of questions[0]"),
    (one('{"id": "1", "type": "definition", "nuggets": []}'), ("AVE809", 2, 1), "no vital nugget"),
    (nugget('"id": "2", "vital": false, "text": "x"').replace("true", "false"),
     ("AVE809", 2, 1), "question '1' has no vital nugget"),
    (nugget('"vital": true, "text": "x"'), ("AVE804", 3, 1), "id of questions[0].nuggets[1]"),
    (nugget('"id": 2, "vital": true, "text": "x"'), ("AVE804", 3, 8), "the number 2"),
    (nugget('"id": "2,3", "vital": true, "text": "x"'), ("AVE804", 3, 8), "an id without commas"),
    (nugget('"id": "2 3", "vital": true, "text": "x"'), ("AVE411", 3, 8), "the id '2 3'"),
    (nugget('"id": "1", "vital": true, "text": "x"'), ("AVE807", 3, 1), "already has a nugget '1'"),
    (nugget('"id": "2", "text": "x"'), ("AVE804", 3, 1), "vital of questions[0].nuggets[1]"),
    (nugget('"id": "2", "vital": 1, "text": "x"'), ("AVE804", 3, 22), "expected true or false"),
    (nugget('"id": "2", "vital": "vital", "text": "x"'), ("AVE804", 3, 22), "true or false"),
    (nugget('"id": "2", "vital": true'), ("AVE804", 3, 1), "text of questions[0].nuggets[1]"),
    (nugget('"id": "2", "vital": true, "text": ""'), ("AVE804", 3, 36), "nuggets[1].text is empty"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "position", "message"), WRONG)
def test_a_defect_of_json_is_found_at_its_position(
    text: str, position: Position, message: str
) -> None:
    _, findings = read(text)
    assert positions(findings) == [position]
    assert message in only(findings)


def test_all_defects_are_found_in_one_pass() -> None:
    text = JSON.replace('"03"', "3").replace('"total": 3', '"total": 1').replace("true", "0")
    _, findings = read(text)
    assert positions(findings) == [("AVE805", 3, 23), ("AVE804", 5, 10), ("AVE804", 7, 26)]
    assert [found.text[:8] for found in findings] == ['   "sets', '  {"id":', '    {"id']


# --- what is wrong: XML -----------------------------------------------------------------------


def in_xml(question: str) -> str:
    """Return a file with one question, which begins at line 2, column 1."""
    return f"<questions>\n{question}\n</questions>\n"


def xml_set(inner: str, attributes: str = "") -> str:
    """Return a file with one set in line 3."""
    return in_xml(f'<question id="1">\n<set{attributes}>{inner}</set></question>')


def xml_nugget(attributes: str, text: str = "x") -> str:
    """Return a file whose second nugget stands in line 3."""
    first = '<nugget id="1" value="vital">x</nugget>'
    second = f"<nugget {attributes}>{text}</nugget>"
    return in_xml(f'<question id="1" type="definition">{first}\n{second}</question>')


A = "<answer><wording>a</wording></answer>"
B = "<answer><wording>b</wording></answer>"

WRONG_XML: list[tuple[str, Position, str]] = [
    ("<questions/>", ("AVE115", None, None), "no questions"),
    ("<foo><question/></foo>", ("AVE116", 1, 1), "this looks like <foo>, expected answer sets"),
    ("<questions>\n<question", ("AVE401", 2, 1), "not well-formed XML"),
    (in_xml("<question/>"), ("AVE804", 2, 1), "id of <question> is missing"),
    (in_xml('<question id="1"/>\n <question id="1"/>'), ("AVE520", 3, 2), "at line 2"),
    (in_xml('<question id="a b"/>'), ("AVE411", 2, 1), "the id 'a b'"),
    (in_xml('<question id="1" type="lists"/>'), ("AVE804", 2, 1), "type of <question> is the text"),
    (in_xml('<question id="1" lang="en"/>'), ("AVE803", 2, 1), "lang of <question> is unknown"),
    (in_xml('<question id="1"><note>n<set/></note></question>'), ("AVE803", 2, 18),
     "<note> in <question> is unknown"),
    (in_xml('<question id="1">' + A + "</question>"), ("AVE804", 2, 18),
     "<answer> is in <question>, expected in <set>"),
    (in_xml('<question id="1"><question id="2"/></question>'), ("AVE804", 2, 18),
     "<question> is in <question>, expected in <questions>"),
    (in_xml('<question id="1"><questions/></question>'), ("AVE804", 2, 18), "only as the root"),
    (in_xml('<question id="1">\n  stray</question>'), ("AVE804", 3, 3),
     "the text 'stray' is in <question>, expected in <wording>, <nugget> or <q_str>"),
    (in_xml('<question id="1"><q_str>a</q_str><q_str>b</q_str></question>'), ("AVE804", 2, 34),
     "<q_str> is a second one in the question"),
    (xml_set("<answer>Spain</answer>" + A), ("AVE804", 3, 6), "<answer> is empty"),
    (xml_set(""), ("AVE804", 3, 1), "<set> is empty, expected at least one answer"),
    (xml_set("<answer/>"), ("AVE804", 3, 6), "<answer> is empty, expected at least one wording"),
    (xml_set("<answer><wording/></answer>"), ("AVE804", 3, 14), "<wording> is empty"),
    (xml_set("<answer><wording>a<b>c</b></wording></answer>"), ("AVE804", 3, 24),
     "<b> is in <wording>, expected only text there"),
    (xml_set(A + "<answer><wording>A</wording></answer>"), ("AVE806", 3, 51), "the wording 'A'"),
    (xml_set(A + B, ' total="1"'), ("AVE805", 3, 1), "2 answers, more than its total of 1"),
    (xml_set(A, ' total="many"'), ("AVE804", 3, 1), "total of <set> is the text 'many'"),
    (xml_set(A, ' total="-1"'), ("AVE804", 3, 1), "total of <set> is the text '-1'"),
    (xml_set(A, ' total="²"'), ("AVE804", 3, 1), "total of <set> is the text '²'"),
    (xml_set(A, ' total=""'), ("AVE804", 3, 1), "total of <set> is empty"),
    (xml_set(A, f' total="{"9" * 5000}"'), ("AVE804", 3, 1), "at most 12 digits"),
    (xml_nugget('id="1" value="okay"'), ("AVE807", 3, 1), "already has a nugget '1', at line 2"),
    (xml_nugget('id="2"'), ("AVE804", 3, 1), "value of <nugget> is missing, expected vital or"),
    (xml_nugget('id="2" value="VITAL"'), ("AVE804", 3, 1), "value of <nugget> is the text 'VITAL'"),
    (xml_nugget('id="2" value="okay"', " "), ("AVE804", 3, 1), "text of <nugget> is empty"),
    (xml_nugget('value="okay"'), ("AVE804", 3, 1), "id of <nugget> is missing"),
    (in_xml('<question id="1" type="definition"><nugget id="1" value="okay">x</nugget></question>'),
     ("AVE809", 2, 1), "no vital nugget"),
    (in_xml('<question id="1"><nugget id="1" value="vital">x</nugget></question>'),
     ("AVE808", 2, 1), "<question> is of type list but has nuggets"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "position", "message"), WRONG_XML)
def test_a_defect_of_xml_is_found_at_its_position(
    text: str, position: Position, message: str
) -> None:
    _, findings = read(text)
    assert position in positions(findings)
    assert message in "\n".join(found.message for found in findings)
    if "Spain" not in text:  # there the answer has no wording, too
        assert positions(findings) == [position]


def test_text_in_an_answer_is_not_lost_in_silence() -> None:
    _, findings = read(xml_set("<answer>Spain<wording>España</wording></answer>"))
    assert positions(findings) == [("AVE804", 3, 14)]
    assert only(findings).startswith("the text 'Spain' is in <answer>, expected in <wording>")


# --- files that are hostile, or something else --------------------------------------------------

LAUGHS = "".join(
    f'<!ENTITY l{n + 1} "{f"&l{n};" * 10}">' if n else '<!ENTITY l1 "ha">' for n in range(9)
)
HOSTILE: dict[str, tuple[str | bytes, Position]] = {
    "lists": ('{"questions": ' + "[" * 200_000, ("AVE801", 1, 15 + MAX_NESTING - 1)),
    "closed-lists": ("[" * 200_000 + "]" * 200_000, ("AVE801", 1, MAX_NESTING + 1)),
    "objects": ('{"a":' * 200_000, ("AVE801", 1, 5 * MAX_NESTING + 1)),
    "laughs": (f"<!DOCTYPE c [{LAUGHS}]>\n<questions>&l9;</questions>", ("AVE402", 1, 26)),
    "external": ('<!DOCTYPE c [<!ENTITY x SYSTEM "file:///etc/passwd">]>\n<questions>&x;'
                 "</questions>", ("AVE402", 1, 52)),
    "undeclared": (xml_set("<answer><wording>Sp&x;ain</wording></answer>"), ("AVE401", 3, 25)),
    "undeclared-behind-a-reference": ('<!DOCTYPE c [ %x; ]>\n<questions><question id="1&x;"/>'
                                      "</questions>", ("AVE401", 1, 20)),
    "undeclared-behind-a-comment": ('<!DOCTYPE c SYSTEM "u" [ <!-- --> ]>\n<questions><question id='
                                    '"1&x;"/></questions>', ("AVE401", 1, 36)),
    "undeclared-behind-a-dtd": ('<!DOCTYPE c SYSTEM "u" [ <!ELEMENT c ANY> ]>\n<questions>'
                                '<question id="1&x;"/></questions>', ("AVE401", 2, 12)),
    "utf-16": (JSON.encode("utf-16"), ("AVE118", 1, None)),
    "utf-16-unmarked": (JSON.encode("utf-16-le"), ("AVE118", 1, None)),
    "latin-1": (JSON.encode("latin-1"), ("AVE110", 3, 53)),
    "nul": (JSON.replace("Where?", "Where?\0").encode(), ("AVE117", 1, None)),
    "empty": ("", ("AVE115", None, None)),
    "blank": ("\ufeff \n", ("AVE115", None, None)),
    "table": ("q_id\tanswer\n1\tx\n", ("AVE116", 1, None)),
    "large": ('{"questions": [' + " " * MAX_BYTES, ("AVE116", None, None)),
}  # fmt: skip


def test_elements_in_each_other_come_to_an_end() -> None:
    _, findings = read("<questions>" + "<a>" * 100_000)
    assert positions(findings) == [
        ("AVE803", 1, 12),
        ("AVE414", 1, len("<questions>") + 3 * 255 + 1),
    ]


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_files_are_refused_with_one_finding(name: str) -> None:
    data, position = HOSTILE[name]
    assert positions(read(data)[1]) == [position]


def test_a_byte_order_mark_is_warned_of_and_counts_as_no_column() -> None:
    gold, findings = read("\ufeff" + JSON)
    assert gold is not None
    assert [*gold.questions.values()] == READ
    assert positions(findings) == [("AVE111", 1, None)]
    assert positions(read("\ufeff{x")[1])[1:] == [("AVE801", 1, 2)]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"], ids=["LF", "CRLF", "CR"])
def test_lines_are_counted_and_quoted_with_all_line_ends(end: str) -> None:
    (found,) = read(JSON.replace('"03"', "3").replace("\n", end))[1]
    assert (found.line, found.column) == (5, 10)
    assert found.text.startswith('  {"id": 3, "type": "factoid"')


@pytest.mark.slow
def test_a_large_number_of_defects_is_read_in_reasonable_time() -> None:
    _, findings = read('{"questions": [' + ",".join(["1"] * 60_000) + "]}")
    assert findings.errors == 60_000


def test_a_message_obeys_no_terminal() -> None:
    key = "\\u001b[31m\\u202e" * 3
    _, findings = read(one(f'{{"id": "{key}", "sets": [], "{key}": 1, "{key}": 2}}'))
    assert [code for code, _, _ in positions(findings)] == ["AVE411", "AVE803", "AVE802"]


# --- commands -----------------------------------------------------------------------------------


@pytest.mark.parametrize("text", [JSON, XML], ids=["JSON", "XML"])
@pytest.mark.parametrize(
    "command", [["stats", "FILE"], ["build", "FILE"], ["fix", "FILE"],
                ["score", "gold/tiny.xml", "FILE"]],
    ids=" ".join,
)  # fmt: skip
def test_other_commands_refuse_answer_sets(
    command: list[str], text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.chdir(ROOT)
    path = str(put(tmp_path, text, "gold"))
    code = run([path if word == "FILE" else word for word in command])
    out, err = capsys.readouterr()
    assert code in (1, 2)
    assert not out
    assert "Traceback" not in err
    assert path in err
    assert [*tmp_path.iterdir()] == [tmp_path / "gold"]


# --- any questions ------------------------------------------------------------------------------

ids = st.text("abc019_é", min_size=1, max_size=4)
texts = st.text("abXY éß²&<>\"'\\{}[],:😀", min_size=1).filter(lambda text: text.strip() != "")
a_nugget = st.fixed_dictionaries({"id": ids, "vital": st.booleans(), "text": texts})


@st.composite
def answer_sets(draw: st.DrawFn) -> dict[str, Any]:
    """Strategy: a set of answers of distinct wordings, perhaps with a total."""
    wordings = draw(st.lists(texts, min_size=1, max_size=6, unique_by=normalised))
    cuts = draw(st.sets(st.integers(1, len(wordings))))
    bounds = sorted({0, len(wordings), *cuts})
    answers = [wordings[a:b] for a, b in pairwise(bounds)]
    total = draw(st.none() | st.integers(len(answers), 10**11))
    return {"answers": answers} | ({} if total is None else {"total": total})


@st.composite
def documents(draw: st.DrawFn) -> dict[str, Any]:
    """Strategy: a sound file of answer sets, as JSON has it."""
    questions: list[dict[str, Any]] = []
    for q_id in draw(st.lists(ids, min_size=1, max_size=4, unique=True)):
        kind = draw(st.sampled_from(QuestionType)).value
        question: dict[str, Any] = {"id": q_id, "type": kind}
        if kind == "definition":
            listed = draw(st.lists(a_nugget, max_size=3, unique_by=lambda one: one["id"]))
            question["nuggets"] = [*listed, {"id": "last", "vital": True, "text": "x"}]
        else:
            question["sets"] = draw(st.lists(answer_sets(), max_size=3))
        questions.append(question)
    return {"questions": questions}


def as_xml(document: dict[str, Any]) -> str:
    """Return the same in XML, written by other rules than it is read by."""
    parts = ["<questions>"]
    for question in document["questions"]:
        parts.append(f'<question id={quoteattr(question["id"])} type="{question["type"]}">')
        for one_set in question.get("sets", ()):
            total = f' total="{one_set["total"]}"' if "total" in one_set else ""
            parts.append(f"<set{total}>")
            for answer in one_set["answers"]:
                wordings = "".join(f"<wording>{escape(text)}</wording>" for text in answer)
                parts.append(f"<answer>{wordings}</answer>")
            parts.append("</set>")
        for one_nugget in question.get("nuggets", ()):
            value = "vital" if one_nugget["vital"] else "okay"
            attributes = f'id={quoteattr(one_nugget["id"])} value="{value}"'
            parts.append(f"<nugget {attributes}>{escape(one_nugget['text'])}</nugget>")
        parts.append("</question>")
    return "\n".join([*parts, "</questions>"])


def expected(document: dict[str, Any]) -> list[OpenQuestion]:
    """Return what a document holds, blanks as one."""

    def plain(text: str) -> str:
        return " ".join(text.split())

    return [
        OpenQuestion(
            question["id"],
            QuestionType(question["type"]),
            tuple(
                AnswerSet(
                    tuple(tuple(map(plain, answer)) for answer in one_set["answers"]),
                    one_set.get("total", len(one_set["answers"])),
                )
                for one_set in question.get("sets", ())
            ),
            tuple(
                Nugget(one_nugget["id"], one_nugget["vital"], plain(one_nugget["text"]))
                for one_nugget in question.get("nuggets", ())
            ),
        )
        for question in document["questions"]
    ]


@settings(fuzzed)
@given(document=documents(), indent=st.none() | st.integers(0, 4), plain=st.booleans())
def test_whatever_is_written_is_read_in_both_formats(
    document: dict[str, Any], indent: int | None, plain: bool
) -> None:
    written = json.dumps(document, indent=indent, ensure_ascii=plain)
    assert content(written) == expected(document)
    assert content(as_xml(document)) == expected(document)


@settings(fuzzed, max_examples=examples(300))
@given(st.text('{}[]",:.-+eE019ntrufalse \n\\é', max_size=30).map(lambda text: "{" + text))
def test_what_python_refuses_as_json_is_refused(text: str) -> None:
    try:
        json.loads(text)
    except ValueError:
        assert {code for code, _, _ in positions(read(text)[1])} & {"AVE801"}
    else:
        assert "AVE801" not in {code for code, _, _ in positions(read(text)[1])}


@settings(fuzzed, max_examples=examples(200))
@given(broken(JSON) | broken(XML))
def test_damaged_files_are_refused_or_read_and_never_crash(data: bytes) -> None:
    _, findings = read(data)
    lines = data.count(b"\n") + data.count(b"\r") + 1
    assert all((found.line or 1) <= lines for found in findings)
