"""The texts, grades and attributes of collections, in every dialect."""

import warnings
from pathlib import Path

import pytest

import ave_score
from ave_score import Collection, Label
from ave_score.core.model import Texts
from tests.helpers_files import Held, only, read_file

AVE = """<?xml version="1.0"?><!-- a comment -->
<ave edition="2026" lang="EN" available="9">
  <note>nothing of this is kept</note>
  <q id="1" lang="EN" type="person">
    <q_str lang="en">Who &amp; what?</q_str>
    <a id="1_1" value="VALIDATED" grade="3" system="x">
      <a_str> Ann <b>Bell</b>,<!-- in a text --> <![CDATA[a < b]]></a_str>
      <t_str doc="D1">A text,
on two lines.</t_str>
      <t_str doc="D2">A second text.</t_str>
    </a>
    <a id="1_2" value="REJECTED"><t_str doc="D3"/></a>
    stray
  </q>
  <q id="2"><a id="2_1" value="UNKNOWN"><a_str>two</a_str></a></q>
</ave>
"""


def read(folder: Path, xml: str, *, texts: bool = True) -> Collection:
    path = folder / "gold.xml"
    path.write_text(xml, encoding="utf-8")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ave_score.AveScoreWarning)  # of a question without answers
        return ave_score.read_collection(path, texts=texts)


def texts_of(folder: Path, xml: str) -> Texts:
    texts = read(folder, xml).texts
    assert texts is not None
    return texts


def test_texts_of_answers(tmp_path: Path) -> None:
    collection = read(tmp_path, AVE)
    texts = collection.texts
    assert texts is not None and texts.questions == ["Who & what?", ""]
    assert texts.answers == [" Ann Bell, a < b", "", "two"]
    assert texts.supports == ["A text,\non two lines.", "", ""]
    assert texts.docs == ["D1", "D3", ""]
    assert texts.root == {"edition": "2026", "lang": "EN", "available": "9"}
    assert collection.grades == {0: 3}
    assert collection.attributes == {"lang": {"1": "EN"}, "type": {"1": "person"}}


def test_what_is_not_kept_is_counted(tmp_path: Path) -> None:
    assert texts_of(tmp_path, AVE).omitted == {
        "comment": 2, "<note>": 1, "text outside the elements of texts": 1,
        "attribute lang of <q_str>": 1, "attribute system of <a>": 1, "<b> inside a text": 1,
        "<t_str> after the first": 1,
    }  # fmt: skip


def test_positions_change_no_text(tmp_path: Path) -> None:
    """A warning makes the file be read again by the other parser, which splits texts elsewhere."""
    long = "é & \u20ac " * 30_000  # longer than the chunks that are read
    text = AVE.replace("two", long.replace("&", "&amp;"))
    warned = text.replace("</ave>", '<?php?><q id="3"/></ave>')  # a question without answers
    plain, again = texts_of(tmp_path, text), texts_of(tmp_path, warned)
    assert again.answers == plain.answers == [" Ann Bell, a < b", "", long]
    assert again.questions == ["Who & what?", "", ""]
    assert again.omitted == {**plain.omitted, "processing instruction": 1}


def test_texts_of_pairs(tmp_path: Path) -> None:
    xml = """<c><pair id="7" value="TRUE" task="QA"><h>hyp</h><t doc="D">text</t><q>Who?</q></pair>
    <pair id="8" value="NO"><t>other</t><h/></pair></c>"""
    collection = read(tmp_path, xml)
    texts = collection.texts
    assert texts is not None and (texts.questions, texts.answers) == (["Who?", ""], ["hyp", ""])
    assert (texts.supports, texts.docs) == (["text", "other"], ["D", ""])
    assert collection.labels == bytes([Label.VALIDATED, Label.REJECTED])
    assert collection.attributes == {"task": {"7": "QA"}}
    assert texts.omitted == {}


def test_the_document_of_a_reading_test_supports_its_answers(tmp_path: Path) -> None:
    answers = '<answer a_id="1">this</answer><answer a_id="2" correct="Yes">that</answer>'
    test = '<reading-test r_id="{}"><doc d_id="{}">{}</doc><q q_id="1"><q_str>Q</q_str>{}</q>'
    tests = [
        test.format(number, f"D{number}", text, answers) + "</reading-test>"
        for number, text in ((1, "first"), (2, "second"))
    ]
    bare = f'<reading-test r_id="3"><q q_id="1">{answers}</q></reading-test>'
    xml = f'<test-set><topic t_id="9" t_name="x">{"".join(tests)}{bare}</topic></test-set>'
    texts = texts_of(tmp_path, xml)
    assert texts.questions == ["Q", "Q", ""] and texts.answers == ["this", "that"] * 3
    assert texts.supports == ["first", "first", "second", "second", "", ""]
    assert texts.docs == ["D1", "D1", "D2", "D2", "", ""]
    assert texts.omitted == {"attribute t_name of <topic>": 1}


def test_a_document_of_no_answer_is_counted(tmp_path: Path) -> None:
    """Before the first reading test, and behind the last answer: nobody knows whose they are."""
    question = '<q q_id="1"><answer a_id="1" correct="Yes">x</answer></q>'
    tests = (
        f'<reading-test r_id="1"><doc d_id="D">own</doc>{question}<doc>after</doc></reading-test>'
    )
    xml = f"<test-set><doc>before</doc>{tests}</test-set>"
    texts = texts_of(tmp_path, xml)
    assert (texts.supports, texts.docs) == (["own"], ["D"])
    assert texts.omitted == {"<doc>": 1, "<doc> after the first": 1}
    texts = texts_of(tmp_path, xml.replace('<doc d_id="D">own</doc>', ""))
    assert (texts.supports, texts.omitted) == ([""], {"<doc>": 1, "<doc> of no answer": 1})


def test_columns_that_resemble_others_are_attributes_of_questions() -> None:
    """Which a judged run would take for typos."""
    collection = ave_score.read_collection(
        Held("q_id,a_id,label,grad,lang\n1,1_1,VALIDATED,low,en\n", "gold.csv")
    )
    assert collection.attributes == {"grad": {"1": "low"}, "lang": {"1": "en"}}
    assert collection.languages == ("EN",)


def test_what_is_no_character_has_a_name() -> None:
    row = r'{"q_id": "1", "a_id": "1_1", "label": "VALIDATED", "answer": "\ud800"}'
    _, findings = read_file("collection", row + "\n", name="gold.jsonl")
    assert "U+D800 (a lone surrogate)" in only(findings)


@pytest.mark.parametrize("xml", [AVE, AVE.replace("</ave>", '<q id="3"/></ave>')])
def test_texts_change_nothing_else(tmp_path: Path, xml: str) -> None:
    with_texts = read(tmp_path, xml)
    without = read(tmp_path, xml, texts=False)
    assert without.texts is None
    for name in ("sha256", "labels", "languages", "available", "grades", "attributes"):
        assert getattr(without, name) == getattr(with_texts, name)
    assert vars(without.index) == vars(with_texts.index)
