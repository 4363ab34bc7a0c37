"""Answer sets and nuggets: reading and defects."""

from __future__ import annotations

import gzip
import hashlib
import json
import unicodedata
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ave_score
from ave_score import AveScoreWarning, DefectError, FileKind, Findings, OpenGold, OpenQuestion
from tests import each, examples
from tests.conftest import ROOT
from tests.helpers_command import ave
from tests.helpers_files import Held, Position, fuzzed, positions, put, read_file

LIST, FACTOID, DEFINITION = "list", "factoid", "definition"
MAX_NESTING = 100

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
READ = [
    ("1", LIST, (((("Spain", "España"), ("France",)), 3), ((("Iberia",),), 1)), ()),
    ("2", LIST, (), ()),
    ("03", FACTOID, (((("1492",),), 1),), ()),
    ("4", DEFINITION, (), (("1", True, 'a é "b"'), ("2", False, "c"))),
]
"""Id, type, sets with their totals, nuggets."""


def read(data: str | bytes) -> tuple[OpenGold | None, Findings]:
    """Check a file; where it is sound, there are questions."""
    gold, findings = read_file("answer-sets", data)
    assert gold is None or gold.questions
    return gold, findings


def content(data: str | bytes) -> list[OpenQuestion]:
    """Return the questions of a file in which nothing is wrong."""
    gold, findings = read(data)
    assert gold is not None
    assert not len(findings), [*map(str, findings)]
    assert [*gold.questions] == [question.q_id for question in gold.questions.values()]
    return [*gold.questions.values()]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"], ids=["LF", "CRLF", "CR"])
def test_a_sound_file_gives_its_questions_in_their_order(end: str) -> None:
    assert content(JSON.replace("\n", end)) == READ


def test_the_shipped_file_holds_what_it_says() -> None:
    gold = ave_score.read_answer_sets(ROOT / "gold/lists.json")
    questions = gold.questions
    # read off the file: two lists, one without an answer; two factoids; two definitions
    assert [one.type for one in questions.values()] == [LIST] * 2 + [FACTOID] * 2 + [DEFINITION] * 2
    first, second = questions["1"].sets
    assert first == ((("Alder", "River Alder"), ("Birk",), ("Cole",)), 4)
    assert (len(second.answers), second.total) == (2, 2)
    assert questions["2"].sets == ()
    assert [nugget.is_vital for nugget in questions["5"].nuggets] == [True, True, False]
    data = (ROOT / "gold/lists.json").read_bytes()
    assert gold.sha256 == hashlib.sha256(data).hexdigest()


def test_a_compressed_file_is_read_and_hashed_as_what_it_holds(tmp_path: Path) -> None:
    gold = ave_score.read_answer_sets(put(tmp_path, gzip.compress(JSON.encode()), "gold.json.gz"))
    assert [*gold.questions.values()] == READ
    assert gold.sha256 == hashlib.sha256(JSON.encode()).hexdigest()
    assert repr(gold).endswith("gold.json.gz: 4 questions>")


def test_blanks_around_and_inside_wordings_are_no_part_of_them() -> None:
    text = '{"questions": [{"id": "1", "sets": [{"answers": [[" New\\n  York "]]}]}]}'
    assert content(text)[0].sets == (((("New York",),), 1),)


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
    checked = ave_score.check(Held(JSON))
    assert checked.kind is FileKind.ANSWER_SETS
    assert checked.contents == {"questions": 4, "definition": 1, "factoid": 1, "list": 2}


HOSTILE: dict[str, tuple[str | bytes, Position]] = {
    "lists": ('{"questions": ' + "[" * 200_000, ("AVE801", 1, 15 + MAX_NESTING - 1)),
    "closed-lists": ("[" * 200_000 + "]" * 200_000, ("AVE801", 1, MAX_NESTING + 1)),
    "objects": ('{"a":' * 200_000, ("AVE801", 1, 5 * MAX_NESTING + 1)),
    "utf-16": (JSON.encode("utf-16"), ("AVE118", 1, None)),
    "utf-16-unmarked": (JSON.encode("utf-16-le"), ("AVE118", 1, None)),
    "latin-1": (JSON.encode("latin-1"), ("AVE110", 3, 53)),
    "nul": (JSON.replace("Where?", "Where?\0").encode(), ("AVE117", 1, None)),
    "empty": ("", ("AVE115", None, None)),
    "blank": ("\ufeff \n", ("AVE115", None, None)),
    "table": ("q_id\tanswer\n1\tx\n", ("AVE116", 1, None)),
    "large": ('{"questions": [' + " " * (4 << 20), ("AVE116", None, None)),
}  # fmt: skip


@each("name", HOSTILE)
def test_hostile_files_are_refused_with_one_finding(name: str) -> None:
    data, position = HOSTILE[name]
    assert positions(read(data)[1]) == [position]


def test_a_byte_order_mark_is_warned_of_and_counts_as_no_column() -> None:
    gold, findings = read("\ufeff" + JSON)
    assert gold is not None and [*gold.questions.values()] == READ
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


@pytest.mark.parametrize(
    "command", [["stats", "FILE"], ["build", "FILE"], ["fix", "FILE"],
                ["score", "gold/tiny.xml", "FILE"]],
    ids=" ".join,
)  # fmt: skip
def test_other_commands_refuse_answer_sets(
    command: list[str], tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.chdir(ROOT)
    path = str(put(tmp_path, JSON, "gold"))
    code, out, err = ave(*(path if word == "FILE" else word for word in command))
    assert code in (1, 2)
    assert not out
    assert "Traceback" not in err and path in err
    assert [*tmp_path.iterdir()] == [tmp_path / "gold"]


ids = st.text("abc019_é", min_size=1, max_size=4)
texts = st.text("abXY éß²&<>\"'\\{}[],:😀", min_size=1).filter(lambda text: text.strip() != "")
a_nugget = st.fixed_dictionaries({"id": ids, "vital": st.booleans(), "text": texts})


def plain(text: str) -> str:
    """Return what two wordings of an answer have in common."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


@st.composite
def answer_sets(draw: st.DrawFn) -> dict[str, Any]:
    """Strategy: a set of answers of distinct wordings, perhaps with a total."""
    wordings = draw(st.lists(texts, min_size=1, max_size=6, unique_by=plain))
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
        kind = draw(st.sampled_from([LIST, FACTOID, DEFINITION]))
        question: dict[str, Any] = {"id": q_id, "type": kind}
        if kind == "definition":
            listed = draw(st.lists(a_nugget, max_size=3, unique_by=lambda one: one["id"]))
            question["nuggets"] = [*listed, {"id": "last", "vital": True, "text": "x"}]
        else:
            question["sets"] = draw(st.lists(answer_sets(), max_size=3))
        questions.append(question)
    return {"questions": questions}


def expected(document: dict[str, Any]) -> list[tuple[object, ...]]:
    """Return what a document holds, blanks as one."""

    def said(text: str) -> str:
        return " ".join(text.split())

    return [
        (
            question["id"],
            question["type"],
            tuple(
                (
                    tuple(tuple(map(said, answer)) for answer in one_set["answers"]),
                    one_set.get("total", len(one_set["answers"])),
                )
                for one_set in question.get("sets", ())
            ),
            tuple(
                (one_nugget["id"], one_nugget["vital"], said(one_nugget["text"]))
                for one_nugget in question.get("nuggets", ())
            ),
        )
        for question in document["questions"]
    ]


@settings(fuzzed)
@given(document=documents(), indent=st.none() | st.integers(0, 4), plain=st.booleans())
def test_what_is_written_is_read(document: dict[str, Any], indent: int | None, plain: bool) -> None:
    written = json.dumps(document, indent=indent, ensure_ascii=plain)
    assert content(written) == expected(document)


@settings(fuzzed, max_examples=examples(300))
@given(st.text('{}[]",:.-+eE019ntrufalse \n\\é', max_size=30).map(lambda text: "{" + text))
def test_what_python_refuses_as_json_is_refused(text: str) -> None:
    try:
        json.loads(text)
    except ValueError:
        assert {code for code, _, _ in positions(read(text)[1])} & {"AVE801"}
    else:
        assert "AVE801" not in {code for code, _, _ in positions(read(text)[1])}
