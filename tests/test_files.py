"""Files of every kind: what is found in them and where, and that nothing else matters. The files
with defects are in `tests/data/files/`, one TOML file for each kind. Each group has a `frame`, a
file in which CASE stands for a piece of text, and `files`: that piece, and what must be found, read
off the file by hand: line and column, code, and a part of the message. A column `*` is any. With
`exact`, the message has no other parts. A group may be checked again behind other beginnings
(`also_behind`) that leave all places as they are."""

from __future__ import annotations

import gzip
import io
import lzma
import re
import tomllib
from collections.abc import Callable
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, NamedTuple
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile

import pytest
from hypothesis import given as given_

import ave_score
from ave_score import DefectError, FileKind, Finding, Severity
from tests import each, mostly_slow
from tests.helpers_files import (
    ANSWERS,
    BESIDE,
    COLLECTION,
    OPEN,
    PAIRS,
    QA4MRE,
    QRELS,
    Held,
    broken,
    fuzzed,
    positions,
    put,
    read_file,
)

DATA = Path(__file__).parent / "data" / "files"


def groups() -> list[Any]:
    """Return the groups of all files, for `parametrize`."""
    found = []
    for path in sorted(DATA.glob("*.toml")):
        file = tomllib.loads(path.read_text("utf-8"))
        found += [
            pytest.param(file | group, id=f"{path.stem}-{group['about']}")
            for group in file.pop("group")
        ]
    return found


def told(finding: Finding, expected: str, *, exact: bool) -> str:
    """Return the expectation, if the finding is as expected; otherwise the finding."""
    column = "*" if ":*" in expected else finding.column
    place = [str(one) for one in (finding.line, column) if one]
    found = " ".join([*([":".join(place)] if place else []), finding.rule.code])
    pattern, code, message = expected.partition(finding.rule.code)
    if not code:  # one of several rules
        pattern, message = expected, ""
    part = message.removeprefix(" ")
    matches = fnmatchcase(found, pattern + code)
    says_so = finding.message == part if exact else part in finding.message
    return expected if matches and says_so else f"{found} {finding.message}"


@pytest.fixture(scope="module")
def beside() -> dict[str, Any]:
    """What files belong to, by name; "nothing" is no name."""
    readers: dict[str, Any] = {"open": ave_score.read_answer_sets, "unlabelled": str}
    return {
        name: readers.get(name, ave_score.read_collection)(
            text if name == "unlabelled" else Held(text)
        )
        for name, text in BESIDE.items()
    }


@pytest.mark.parametrize("group", groups())
def test_every_defect_is_found_at_its_place_and_nothing_else_is(
    group: dict[str, Any], beside: dict[str, Any]
) -> None:
    given = beside.get(group.get("beside", ""))
    options = {"letters": group["letters"]} if "letters" in group else {}
    for begin in ("", *group.get("also_behind", ())):
        for text, *expected in group["files"]:
            file = begin + group.get("frame", "CASE").replace("CASE", text)
            data = file.encode(group.get("encoding", "utf-8"))
            _, findings = read_file(group["kind"], data, given, **options)
            found, exact = [*findings], group.get("exact", False)
            pairs = zip(found, [*expected, *[""] * len(found)], strict=False)
            assert [told(one, wanted, exact=exact) for one, wanted in pairs] == expected, text


CAMPAIGN = '[editions.2007.languages.en]\ncollection = "gold/en.xml"\nruns = "runs/en"\n'


class Sound(NamedTuple):
    """A file without a flaw, its kind, what it belongs to, and its rows as JSON Lines."""

    kind: str
    text: str
    beside: str = ""
    rows: str = ""


SOUND = {
    name: Sound(**file)
    for name, file in tomllib.loads((DATA.parent / "sound.toml").read_text("utf-8")).items()
}
"""Kinds with rows."""

ROWS = '{"q_id": "1", "a_id": "1_1", "score": 0.9}\n{"q_id": "2", "a_id": "2_1", "score": 1}\n'
OTHERS = {
    "collection": Sound("collection", COLLECTION),
    "pairs of a collection": Sound("collection", PAIRS),
    "QA4MRE": Sound("collection", QA4MRE),
    "JSON Lines": Sound("scores", ROWS),
    "answer sets": Sound("answer-sets", OPEN),
    "answers": Sound("answers", ANSWERS, "qa4mre"),
    "campaign": Sound("campaign", CAMPAIGN),
    "qrels": Sound("qrels", QRELS),
    "TREC run": Sound("trec-run", "1 Q0 1_1 1 7.5 a\n1 Q0 1_9 2 -3 a\n2 Q0 2_1 1 1e3 a\n", "qrels"),
}
"""Kinds with other contents."""

ALL = SOUND | OTHERS
LINES = [*SOUND, "JSON Lines"]

WRITTEN: dict[str, Callable[[str], str]] = {
    "no newline": lambda text: text.rstrip("\n"),
    "CRLF": lambda text: text.replace("\n", "\r\n"),
    "CR": lambda text: text.replace("\n", "\r"),
    "BOM": lambda text: "\ufeff" + text,
    "blank lines": lambda text: "\n \n" + text.replace("\n", "\n\n"),
    "blanks": lambda text: (
        text.replace("\t", " \t ") if "\t" in text else text.replace(" ", "  \t")
    ),
}


@pytest.mark.filterwarnings("ignore::ave_score.AveScoreWarning")  # of CR, CRLF and BOM
@each("written", WRITTEN)
@each("name", SOUND)
def test_a_file_says_the_same_however_it_is_written(
    tmp_path: Path, beside: dict[str, Any], name: str, written: str
) -> None:
    sound = SOUND[name]
    text = WRITTEN[written](sound.text)
    value, findings = read_file(sound.kind, text, beside.get(sound.beside))
    assert {code for code, _, _ in positions(findings)} <= {"AVE111", "AVE112"}
    if sound.kind == "key":
        assert value.labels == beside["small"].labels
    ave_score.convert(put(tmp_path, text), tmp_path / "rows.jsonl", kind=sound.kind)
    assert (tmp_path / "rows.jsonl").read_text("utf-8") == sound.rows


@each("head", ["# who\n\n", "#\n# run\tteam\n"])
@each("name", ["run", "pairs", "key", "teams"])
def test_comments_say_nothing(beside: dict[str, Any], name: str, head: str) -> None:
    sound = SOUND[name]
    assert not len(read_file(sound.kind, head + sound.text, beside.get(sound.beside))[1])


def test_pairs_are_built_of_questions_with_a_hypothesis_each(tmp_path: Path) -> None:
    judged = put(tmp_path, SOUND["judged"].text, "judged.tsv")
    for text, expected in (
        (SOUND["questions"].text, ("AVE505", 3, len("2\tWhen was it printed?\t\tausten\t") + 1)),
        ("q_id\tquestion\n1\tWho?\n", ("AVE501", 1, 1)),
    ):
        with pytest.raises(DefectError) as caught:
            ave_score.build(judged, put(tmp_path, text, "questions.tsv"), pairs=True)
        assert positions(caught.value.findings) == [expected]


def test_teams_are_read_or_refused(tmp_path: Path) -> None:
    teams = SOUND["teams"].text
    read = {"careful": "University of A", "bold": "B & C"}
    assert ave_score.read_teams(put(tmp_path, teams)) == read
    assert ave_score.read_teams(put(tmp_path, teams.removeprefix("run\tteam\n"))) == read
    assert ave_score.read_teams(put(tmp_path, teams.replace("run\tteam", "run\tgroup"))) == read
    with pytest.raises(DefectError) as caught:
        ave_score.read_teams(put(tmp_path, teams + "careful\tD\n"))
    (found,) = caught.value.findings
    assert found.place.endswith(":4:9")
    assert found.end_column == 10


def kind_of(data: str | bytes) -> str:
    """Return the kind that a file is checked as."""
    return str(ave_score.check(Held(data)).kind)


KINDS = {name: sound for name, sound in ALL.items() if sound.kind != "key"}


@each("name", KINDS)
@each("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
def test_the_kind_is_recognised_in_any_encoding(name: str, encoding: str) -> None:
    assert kind_of(KINDS[name].text.encode(encoding)) == KINDS[name].kind


@each("name", KINDS)
@each("change", [
    lambda text: text.replace("\n", "\r\n"), lambda text: text.replace("\n", "\r"),
    *(before.__add__ for before in ("\n", " \n\t\n", "\r\n\r\n", "\n" * 1_000)),
    lambda text: gzip.compress(text.encode()), lambda text: lzma.compress(text.encode()),
])  # fmt: skip
def test_the_kind_is_recognised_however_it_is_written(
    name: str, change: Callable[[str], str | bytes]
) -> None:
    assert kind_of(change(KINDS[name].text)) == KINDS[name].kind


@each("kind, begin", [
    ("run", ""),
    ("run", "\n\n"),
    ("run", "# only a comment\n"),
    ("run", "nonsense"),
    ("run", "1 1_1 SELECTED"),  # the confidence was forgotten
    ("run", SOUND["key"].text),  # so a key looks like such a run
    ("run", "q_id a_id verdict confidence\n" + SOUND["run"].text),
    ("run", "q_id\ta_id\tverdict\tconfidence\n" + SOUND["run"].text.replace(" ", "\t")),
    ("collection", "<"),
    ("collection", "<html>"),
    ("collection", '<?xml version="1.0"?>'),
    ("collection", "<!-- comment --><ave/>"),
    ("judged", "judgement\trun\tq_id\n"),
    ("judged", " q_id \t run \t judgement \n"),
    ("judged", "run\tjudgement\tquestion\n"),  # a column is misnamed
    ("judged", "q_id\trun\n"),
    ("judged", "a_id\tdoc\tjudgement\tq_id\n"),
    ("judged", "q_id,run,judgement\n"),
    ("judged", "q_id;run;judgement\n"),
    ("run", "q_id,a_id,verdict,confidence\n"),
    ("collection", '"q_id","a_id","label"\n'),
    ("collection", "pair_id,label\n"),
    ("collection", "q_id,a_id,question,answer\n"),
    ("run", '{"q_id": 1, "a_id": 2, "verdict": "SELECTED"}\n'),
    ("collection", '{"q_id": 1, "a_id": 2, "label": "VALIDATED"}\n'),
    ("judged", '{"question_id": 1, "run": "a", "judgement": "R"}\n'),
    ("questions", "lang\tquestion\tq_id\n"),
    ("run", "{"),
    ("run", " \n{}"),
    ("run", "[]"),
    ("collection", "<questions/>"),
    ("collection", "<questions><q id='1'/><question/></questions>"),
    ("collection", "<questions><pair id='1'/><question/></questions>"),
    ("collection", "<questions><!-- <question/> --></questions>"),
    ("collection", "<questions><!-- <question/>"),
    ("collection", "<questions><questionnaire/></questions>"),
    ("collection", "<ave><questions><question/></questions></ave>"),
    ("collection", "<question/>"),
    ("collection", COLLECTION.replace("ave>", "questions>")),
    ("responses", "answer\tnuggets\tq_id\n"),
    ("responses", "run\tq_id\tanswer\n"),
    ("judged", "run\tq_id\tanswer\tjudgment\n"),
    ("judged", "q_id\tanswer\tjudgement\n"),
    ("questions", "q_id\tanswer\tquestion\n"),
    ("responses", "q_id,answer\n"),
    ("judged", "q_id\tquestion\trun\n"),
    ("run", "question\tlang\n"),
    ("teams", "team\trun\n"),
    ("run", "run\tteam\textra\n"),
    ("teams", "run\tteam"),
    ("run", "run group\n"),
    ("run", "1 2 VALID 1\n1 3 invalid 1\n"),  # words for verdicts, of runs with whole numbers
    ("run", "1 0 SELECTED 1\n1 1 REJECTED 1\n"),
    ("run", "1 2 0.9 1\n1 3 0.8 0\n"),
    ("qrels", "1 4.5 005b2j4b 2\n"),
    ("qrels", "1 0 a 1\n1 0 b 0\n"),
    ("run", "1 0 0.5\n1 1 0.7\n"),  # scores in lines
    ("run", "1 0 12\n1 0 13\n"),
    ("run", "1 0 selectd 0.5\n2 0 Validated 0.5\n"),  # ids that are 0
    ("run", "1 2 d1\n"),
    ("qrels", "1 0 a\n1 0 b 0\n1 0 c 1\n"),  # the first line has a defect
    ("qrels", "1\tQ0\t<dbpedia:Oslo>\t1\n"),
    ("trec-run", "1 Q0 a 1 high x\n"),
    ("teams", "RUN\tTEAM\n"),
    ("run", "Question;Answer;Verdict;Confidence\n"),
    ("run", "sep=;\nQuestion;Answer;Verdict;Confidence\n"),
    ("judged", "sep=,\r\nQ_ID,Run,Judgement\r\n"),
    ("scores", "q_id\ta_id\tscore\n"),
    ("scores", "score\tquestion\tq_id\trun\n"),
    ("judged", "q_id\trun\tjudgement\tscore\n"),
    ("run", "q_id\ta_id\tverdict\tscore\n1\t1_1\tSELECTED\t0.9\n"),
    ("run", "q_id a_id score\n"),
    ("run", "1 1_1 0.9\n"),  # a run that lost its verdicts
    ("scores", '{"score": 1}'),
    ("run", '\n{"x": {"score": 1}}\n'),
    ("run", '{"a": [\n1], "score": 2}\n'),
    ("run", '{\n"score": 1}\n'),
    ("scores", '[{"score": 1}]\n'),
    ("run", '{"score": 1} {"score": 2}\n'),
    ("run", "{" * 100_000),
    ("run", '{"a":' * 100_000),
])  # fmt: skip
def test_the_kind_follows_from_the_beginning(kind: str, begin: str) -> None:
    assert kind_of(begin) == kind


def test_comments_without_an_end_take_no_long_time() -> None:
    assert kind_of("<questions>" + "<!--" * 16_000) == "collection"


def zipped(*names: str, first: tuple[str, bytes] | None = None) -> bytes:
    """Return a ZIP archive of members, the first of them not compressed."""
    out = io.BytesIO()
    with ZipFile(out, "w", ZIP_DEFLATED) as archive:
        if first is not None:
            archive.writestr(*first, compress_type=ZIP_STORED)
        for name in names:
            archive.writestr(name, "<x/>" * 200)
    return out.getvalue()


EXCEL, ODS = "an Excel workbook", "an OpenDocument spreadsheet"
SHEETS = [
    # members in the order of Excel, of openpyxl and pandas, and of XlsxWriter
    (zipped("[Content_Types].xml", "_rels/.rels", "xl/workbook.xml", "docProps/app.xml"), EXCEL),
    (zipped("docProps/app.xml", "docProps/core.xml", "xl/theme/theme1.xml"), EXCEL),
    (zipped("xl/worksheets/sheet1.xml", "xl/workbook.xml"), EXCEL),
    # OpenDocument 1.3, part 2, 3.3: the first member says what the archive is, as it is
    (zipped("content.xml", first=("mimetype", b"application/vnd.oasis.opendocument.spreadsheet")),
        ODS),
    # Compound File Binary, 2.2: the signature of old workbooks and documents
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(504), f"{EXCEL}, or another file of Office"),
]  # fmt: skip
"""Beginnings of spreadsheets, and what they are called."""

PNG = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"
FOREIGN: list[tuple[str | bytes | None, str, str, list[str]]] = [
    ("", "AVE115", "in it", [*ALL]),
    (" \n \r\n\n", "AVE115", "in it", [*ALL]),
    (" \n\t\n\n", "AVE115", "in it", [name for name in ALL if name != "teams"]),
    ("# nothing\n#\n", "AVE115", "in it", ["run", "pairs", "key", "teams", "scores"]),
    (b"\xef\xbb\xbf", "AVE115", "in it", [*LINES, "collection", "answer sets"]),
    (gzip.compress(b"", mtime=0), "AVE115", "in it", [*ALL]),
    ("<?xml version='1.0'?>\n<x/>", "AVE116", "XML or HTML", LINES),
    ("\n  <html><body>", "AVE116", "XML or HTML", LINES),
    ("\ufeff<c/>", "AVE116", "XML or HTML", LINES),
    ("[1, 2]", "AVE116", "JSON", [*LINES, "collection"]),
    ('{"runs": []}', "AVE116", "JSON", ["pairs", "key"]),
    ("%PDF-1.7\n%\xe2\xe3\xcf\xd3\n", "AVE116", "a PDF document", LINES),
    ("%PDF-1.7\n%\xe2", "AVE116", "expected a collection (XML, CSV", ["collection"]),
    ("{\\rtf1\\ansi\n1 1_1 SELECTED 0.9\\\n}", "AVE116",
     "rich text (RTF), expected", LINES),
    ("{\\rtf1\\ansi\n<q/>\n}", "AVE116", "save it as plain text", ["run", "collection", "scores"]),
    ('{"q_id": 1,}\n', "AVE116", "; remove the last comma of each line", ["run"]),
    ('{"q_id": 1},\n{"q_id": 2},\n', "AVE116", "; remove the last comma of each line",
     ["run", "pairs", "key", "collection"]),
    # as lm-evaluation-harness writes results_*.json
    ('{\n  "results": {\n    "arc_easy": {\n      "acc,none": 0.5\n    }\n  }\n}\n', "AVE116",
     "; a summary of lm-evaluation-harness, whose samples_*.jsonl have the answers", LINES),
    ("1 Q0 1_1 1 0.9 tag\n2 Q0 2_1 1 0.8 tag\n", "AVE116", "a TREC run", ["run", "pairs", "key"]),
    ("101\tQ0\tLA01\t12\t-3.5\ttag\n", "AVE116", "a TREC run", ["run", "pairs", "key"]),
    (SOUND["run"].text, "AVE116", "an AVE run", ["collection"]),
    ("# team 1\n\n1 YES 0.5\n2 NO 0.1\n", "AVE116", "an AVE run", ["collection"]),
    (SOUND["judged"].text, "AVE116", "", ["answer sets"]),
    (PNG, "AVE117", "the file is not text", LINES),
    (PNG, "AVE116", "expected a collection (XML, CSV", ["collection"]),
    (b"PK\x03\x04\0\0", "AVE117", "the file is not text", LINES),
    *((data, "AVE117", f"({name}: save it as CSV)", [*LINES, "collection"])
      for data, name in SHEETS),
    (zipped("[Content_Types].xml", "word/document.xml"), "AVE117", "(a ZIP archive, ", LINES),
    (zipped("runs/xl/run.txt", "axl/"), "AVE117", "(a ZIP archive, which has to be", LINES),
    ("1 1_1 SELECTED\0 0.5\n", "AVE117", "the file is not text", LINES),
    (gzip.compress(b"\x7fELF\x02\x01\x01\0"), "AVE117", "the file is not text", LINES),
    ("1 1_1 SELECTED 0.5\n".encode("utf-32-le"), "AVE117", "the file is not text", LINES),
    *((encoding, "AVE118", encoding[:6].upper(), names)
      for encoding, names in (
          ("utf-16", [*LINES, "answer sets", "campaign"]),
          ("utf-16-le", [*LINES, "answer sets"]),
          ("utf-16-be", [*LINES, "answer sets"]),
          ("utf-32", [*LINES, "answer sets", "campaign"]),
      )),
]  # fmt: skip
"""Files, the finding in each, and what they are given as; an encoding is that of the sound file."""


@each("data, code, message, names", FOREIGN)
def test_another_file_than_expected_gets_one_error(
    beside: dict[str, Any], data: str | bytes, code: str, message: str, names: list[str]
) -> None:
    for name in names:
        sound = ALL[name]
        given = sound.text.encode(str(data)) if code == "AVE118" else data
        _, findings = read_file(sound.kind, given, beside.get(sound.beside))
        found = [one for one in findings if one.rule.severity is Severity.ERROR]
        assert (name, [one.rule.code for one in found]) == (name, [code])
        assert message in found[0].message


ENCODED: dict[str, str | bytes] = {
    "a doctype": f"<!DOCTYPE ave SYSTEM 'ave.dtd'>{COLLECTION.partition('?>')[2]}",
    "EUC-JP": COLLECTION.replace("UTF-8", "EUC-JP"),
    "UTF-16": COLLECTION.replace("UTF-8", "UTF-16").encode("utf-16"),
}
DAMAGED: dict[str, tuple[str, str | bytes, str]] = {
    **{name: (one.kind, one.text, one.beside) for name, one in ALL.items()},
    **{name: ("collection", data, "") for name, data in ENCODED.items()},
    **{f"{name} in JSON": (one.kind, one.rows, one.beside) for name, one in SOUND.items()},
}


@pytest.mark.parametrize("name", mostly_slow(DAMAGED, 12))
def test_damaged_files_are_refused_or_read_and_never_crash(
    beside: dict[str, Any], name: str
) -> None:
    kind, text, given = DAMAGED[name]

    @fuzzed
    @given_(broken(text))
    def check(data: bytes) -> None:
        for about in {given, ""}:
            _, findings = read_file(kind, data, beside.get(about))
            lines = re.split(rb"\r\n|\r|\n", data)
            # a parser may place the end of a file one line behind the last
            assert all((found.line or 1) <= len(lines) + 1 for found in findings)
        assert kind_of(data) in [*FileKind]

    check()
