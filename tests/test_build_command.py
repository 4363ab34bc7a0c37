"""`ave-score build` as a command: output, errors and hostile files."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

import ave_score
from ave_score import Collection, DefectError, InputError, Label
from tests.helpers_build import table
from tests.helpers_command import Call, assert_call, calls, here_with, put_all, refusal
from tests.helpers_command import ave as command
from tests.helpers_files import broken, fuzzed, is_safe, put

JUDGED = table(
    [
        ("1", "a", "R", "", "Jane Austen", "Jane Austen wrote Emma.", "D1"),
        ("1", "b", "W", "", "Emma", "Emma is a novel.", "D2"),
        ("2", "a", "W", "", "NIL", "", ""),
        ("2", "b", "X", "", "Bellini", "Norma is by Bellini.", "D3"),
    ]
)
QUESTIONS = """\
q_id\tquestion\tlang\thypothesis
1\tWho wrote Emma?\tEN\t{answer} wrote Emma.
2\tWho composed Norma?\tEN\t{answer} composed Norma.
"""
KEY = "1 1_1 REJECTED\n1 1_2 VALIDATED\n2 2_1 UNKNOWN\n"


here = here_with({"judged.tsv": JUDGED, "questions.tsv": QUESTIONS})


ave = partial(command, "build")


def collection_at(path: Path, key: Path | None = None) -> Collection:
    return ave_score.read_collection(path, key)


def test_the_collection_goes_to_stdout_and_the_report_to_stderr(here: Path) -> None:
    _, out, err = ave("judged.tsv", code=0)
    assert out.startswith('<?xml version="1.0" encoding="UTF-8"?>\n<ave available="4">\n')
    assert out.endswith("</ave>\n")
    assert "3 of 4 answers left (75.00 %)" in err


def test_with_a_file_the_report_goes_to_stdout(here: Path) -> None:
    code, out, err = ave("judged.tsv", "-o", "built.xml", "--format", "json")
    assert (code, err) == (0, "")
    assert json.loads(out)["percent_of_available"] == 75
    _, whole, _ = ave("judged.tsv")
    assert Path("built.xml").read_text("utf-8") == whole


@pytest.mark.parametrize("output", [[], ["-o", "built.xml"]], ids=["on stderr", "on stdout"])
def test_the_report_is_no_wider_than_the_terminal(
    here: Path, monkeypatch: pytest.MonkeyPatch, output: list[str]
) -> None:
    _, out, err = ave("judged.tsv", *output)
    wide = out if output else err
    assert max(map(len, wide.splitlines())) > 60
    for columns in (60, 40):
        monkeypatch.setenv("COLUMNS", str(columns))
        _, out, err = ave("judged.tsv", *output)
        narrow = out if output else err
        assert max(map(len, narrow.splitlines())) <= columns
        assert "3 of 4 answers left (75.00 %)" in " ".join(narrow.split())


def test_a_key_and_a_file_without_labels_are_the_collection(here: Path) -> None:
    code, _, _ = ave(
        "judged.tsv", "--questions", "questions.tsv", "--edition", "2007", "--lang", "ES",
        "-o", "built.xml", "--unlabelled", "test.xml", "--key", "key.txt",
    )  # fmt: skip
    assert code == 0
    assert Path("key.txt").read_text() == KEY
    labelled = collection_at(here / "built.xml")
    again = collection_at(here / "test.xml", here / "key.txt")
    assert labelled.labels == again.labels == bytes([0, 1, 2])
    assert labelled.index.a_ids == again.index.a_ids == ["1_1", "1_2", "2_1"]
    text = Path("built.xml").read_text("utf-8")
    assert '<ave edition="2007" lang="EN" available="4">' in text  # the table's language is first
    assert " value=" not in Path("test.xml").read_text("utf-8")
    assert text.count(' value="') == 3


def test_pairs_hold_hypotheses(here: Path) -> None:
    put(here, QUESTIONS.replace("{answer} wrote", "{answer} & {answer} <wrote"), "questions.tsv")
    ave("judged.tsv", "--questions", "questions.tsv", "--pairs", "-o", "pairs.xml", code=0)
    pairs = etree.parse("pairs.xml").findall("pair")
    assert [pair.get("id") for pair in pairs] == ["1", "2", "3"]
    assert [pair.get("value") for pair in pairs] == ["NO", "YES", "UNKNOWN"]
    assert [pair.findtext("h") for pair in pairs] == [
        "Emma & Emma <wrote Emma.",
        "Jane Austen & Jane Austen <wrote Emma.",
        "Bellini composed Norma.",
    ]
    assert pairs[0].findtext("q") == "Who wrote Emma?"
    (text,) = pairs[0].findall("t")
    assert (text.get("doc"), text.text) == ("D2", "Emma is a novel.")
    assert collection_at(here / "pairs.xml").labels == bytes([0, 1, 2])


@pytest.mark.parametrize(("length", "left"), [(500, 3), (501, 2)])
def test_texts_of_pairs_are_shorter(here: Path, length: int, left: int) -> None:
    put(here, JUDGED.replace("Emma is a novel.", "x" * length), "judged.tsv")
    arguments = ["judged.tsv", "--questions", "questions.tsv", "-o", "x.xml", "--format", "json"]
    assert json.loads(ave(*arguments, "--pairs")[1])["left"] == left
    assert json.loads(ave(*arguments)[1])["left"] == 3
    longest = ["--pairs", "--max-text", "501"]
    assert json.loads(ave(*arguments, *longest)[1])["left"] == 3


def test_an_answer_of_braces_stays_as_it_is(here: Path) -> None:
    put(here, JUDGED.replace("\tEmma\t", "\t{answer} {0} {answer.__class__}\t"), "judged.tsv")
    ave("judged.tsv", "--questions", "questions.tsv", "--pairs", "-o", "pairs.xml")
    said = [one.text for one in etree.parse("pairs.xml").iter("h")]
    assert "{answer} {0} {answer.__class__} wrote Emma." in said


def test_texts_come_from_documents_of_the_folder(here: Path) -> None:
    (here / "docs").mkdir()
    put(here / "docs", "Bellini was born in 1801. Norma was composed by Bellini.", "D3.txt")
    put(here, JUDGED.replace("Norma is by Bellini.", ""), "judged.tsv")
    arguments = ["judged.tsv", "--questions", "questions.tsv", "--documents", "docs"]
    out = ave(*arguments, code=0).out
    assert '<t_str doc="D3">Norma was composed by Bellini.</t_str>' in out


ANY = st.text(
    st.characters(
        exclude_categories=["Cs", "Cc"], exclude_characters="\ufffe\uffff{}", codec="utf-8"
    )
    | st.sampled_from("<>&\"'\t\n\r]")
)


# what begins with no letter may be void, and is left out
ANSWER = ANY.map("x{}".format)


@fuzzed
@given(texts=st.lists(ANY, min_size=4, max_size=4), answer=ANSWER, judgement=st.sampled_from("RWX"))
def test_what_is_written_is_read(here: Path, texts: list[str], answer: str, judgement: str) -> None:
    question, text, doc, edition = f"Q{texts[0]}", *texts[1:]
    row = {"q_id": "1", "run": "a", "judgement": judgement, "answer": answer, "text": f"t{text}"}
    put(here, json.dumps(row | {"doc": doc}), "judged.jsonl")
    asked = {"q_id": "1", "question": question, "hypothesis": f"{question} {{answer}}"}
    put(here, json.dumps(asked), "questions.jsonl")
    settings = ave_score.BuildSettings("qa-clef", 700)
    built = ave_score.build("judged.jsonl", "questions.jsonl", settings=settings)
    label = {"R": Label.VALIDATED, "W": Label.REJECTED, "X": Label.UNKNOWN}[judgement].name

    def parsed(**options: bool) -> etree._Element:
        built.save("built.xml", edition=edition, **options)
        return etree.parse("built.xml").getroot()

    root = parsed()
    q, a = root[0], root[0][1]
    (t,) = a.findall("t_str")
    assert root.get("edition", "") == edition
    assert (q.findtext("q_str"), a.findtext("a_str"), a.get("value")) == (question, answer, label)
    assert (t.text, t.get("doc", "")) == (f"t{text}", doc)
    (pair,) = parsed(pairs=True)
    assert (pair.findtext("h"), pair.findtext("t")) == (f"{question} {answer}", f"t{text}")
    assert "value" not in parsed(labelled=False)[0][1].attrib


@pytest.mark.parametrize("character", ["\x00", "\x01", "\x1b", "\ufffe", "\uffff"])
def test_characters_that_xml_cannot_represent_are_a_finding(here: Path, character: str) -> None:
    put(here, JUDGED.replace("Bellini", f"Bel{character}lini"), "judged.tsv")
    err = refusal("build", "judged.tsv", "-o", "built.xml", code=1)
    assert ("AVE117" if character == "\x00" else "AVE113") in err
    assert not Path("built.xml").exists()
    assert is_safe(err.replace("\n", ""))


@pytest.mark.parametrize("character", ["\x7f", "\x85"])
def test_control_characters_that_xml_allows_are_written(here: Path, character: str) -> None:
    put(here, JUDGED.replace("Bellini", f"Bel{character}lini"), "judged.tsv")
    err = ave("judged.tsv", "-o", "built.xml", code=0).err
    assert is_safe(err.replace("\n", ""))
    assert f"Bel{character}lini" in [one.text for one in etree.parse("built.xml").iter("a_str")]


@pytest.mark.filterwarnings("ignore::ave_score.AveScoreWarning")
@fuzzed
@given(data=broken(JUDGED))
def test_a_damaged_file_is_refused_or_makes_a_sound_collection(tmp_path: Path, data: bytes) -> None:
    try:
        built = ave_score.build(put(tmp_path, data, "judged.tsv"))
    except (DefectError, InputError):  # the latter if it begins as if it were compressed
        return
    if built.questions:
        built.save(tmp_path / "built.xml")
        collection_at(tmp_path / "built.xml")


@calls(
    Call(words, 2, message)
    for words, message in (
        ("", "no JUDGED given"),
        ("judged.tsv ./judged.tsv", "./judged.tsv is given twice"),
        ("judged.tsv --questions judged.tsv", "judged.tsv is given twice"),
        ("- -", "standard input (-) can be read only once"),
        ("judged.tsv -o judged.tsv", "is not overwritten"),
        ("judged.tsv --key judged.tsv", "is not overwritten"),
        ("judged.tsv -o x --key ./x", "name the same file"),
        ("judged.tsv --key -", "name the same file"),
        ("judged.tsv -o ''", "empty file name"),
        ("judged.tsv --pairs", "--pairs needs --questions"),
        ("judged.tsv --pairs --questions questions.tsv --key x", "--key identifies"),
        ("judged.tsv --documents .", "--documents needs --questions"),
        ("judged.tsv --letters qa-cleff", "did you mean qa-clef?"),
        ("judged.tsv --max-text 0", "--max-text"),
        ("judged.tsv --lang E\x07", "--lang contains non-printable characters"),
        ("judged.tsv --edition \udcff", "--edition contains non-printable characters"),
        ("nowhere.tsv", "nowhere.tsv: no such file"),
        ("folder", "folder: is a directory"),
        ("judged.tsv --questions folder", "folder: is a directory"),
        ("judged.tsv --questions questions.tsv --documents none", "is not a folder"),
        ("judged.tsv -o folder", "folder: cannot be written"),
        ("judged.tsv -o no/where.xml", "cannot be written: its folder does not exist"),
        # all files or none: the last of three cannot be written, and an old one stays
        ("judged.tsv -o built.xml --unlabelled test.xml --key folder", "folder: cannot be written"),
    )
)
def test_impossible_requests_are_reported_and_write_nothing(here: Path, call: Call) -> None:
    put_all(here, {"folder/of/x": "", "built.xml": "old"})
    assert_call(here, call, "build")


@calls(
    Call("judged.tsv --questions questions.tsv -o x.xml --key key.txt", 1,
         (message, "nothing written"), puts={"judged.tsv": judged, "questions.tsv": questions})
    for judged, questions, message in (
        ("", QUESTIONS, "judged.tsv AVE115"),
        (JUDGED, "", "questions.tsv AVE115"),
        (QUESTIONS, JUDGED, "judged.tsv:1:1 AVE501"),
        (QUESTIONS, JUDGED, "(a questions table? build takes one with --questions)"),
        (QUESTIONS, JUDGED, "(a judged file? build takes one as JUDGED)"),
        ("<ave/>", QUESTIONS, "judged.tsv:1 AVE116 this looks like XML or HTML"),
        (JUDGED, "1 1_1 SELECTED 0.9\n", "questions.tsv:1:1 AVE501"),
        (JUDGED.replace("R", "r", 1), QUESTIONS, "judged.tsv:2:5 AVE503"),
        (JUDGED.replace("\n2\ta", "\n2 b\ta"), QUESTIONS, "judged.tsv:4:1 AVE411"),
        (JUDGED, QUESTIONS + "1\tAgain?\tEN\t\n", "questions.tsv:4:1 AVE520"),
        (JUDGED, QUESTIONS.replace("{answer} wrote", "{0} wrote"), "questions.tsv:2:22 AVE521"),
        (JUDGED, "q_id\tquestion\n01\tWho?\n", "no answers left, nothing written"),
    )
)  # fmt: skip
def test_a_defective_file_ends_the_command_with_1(here: Path, call: Call) -> None:
    assert_call(here, call, "build")


@calls([
    # all defects are reported at once
    Call("judged.tsv second.tsv --questions questions.tsv", 1,
        ("judged.tsv:5:5 AVE503", "second.tsv:5:5 AVE503", "questions.tsv:3:26 AVE521",
            "nothing written: 3 files have errors"),
        puts={"judged.tsv": JUDGED.replace("\tX\t", "\tQ\t"),
            "second.tsv": JUDGED.replace("\tX\t", "\tZ\t"),
            "questions.tsv": QUESTIONS.replace("{answer} composed", "{} composed")}),
    # a document outside of the folder
    Call("judged.tsv --questions questions.tsv --documents docs -o x.xml", 1,
        "judged.tsv:5:17 AVE524",
        puts={"secret.txt": "Bellini, root", "docs/D1.txt": "",
            "judged.tsv": JUDGED.replace("Norma is by Bellini.\tD3", "\t../secret")}),
])  # fmt: skip
def test_defects_of_several_files(here: Path, call: Call) -> None:
    assert_call(here, call, "build")


def test_an_unknown_language_is_reported(here: Path) -> None:
    (here / "docs").mkdir()
    put(here / "docs", "Norma is by Bellini.", "D3.txt")
    put(here, JUDGED.replace("Norma is by Bellini.", ""), "judged.tsv")
    put(here, "q_id\tquestion\n1\tWho?\n2\tWho?\n", "questions.tsv")
    arguments = ["judged.tsv", "--questions", "questions.tsv", "--documents", "docs"]
    err = ave(*arguments, code=2).err
    assert "the language of question '2' is unknown" in err
    assert ave(*arguments, "--lang", "en")[0] == 0
