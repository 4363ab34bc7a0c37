"""`ave-score convert`: what each notation holds, and what is listed as lost."""

from __future__ import annotations

import csv
import gzip
import json
import lzma
import re
from pathlib import Path

import pytest
from pyarrow import parquet

from tests import each, mostly_slow
from tests.conftest import ROOT
from tests.helpers_command import Call, assert_call, ave, calls, refusal
from tests.helpers_files import put

GOLD = """<?xml version="1.0" encoding="UTF-8"?>
<ave edition="2026">
  <q id="1" lang="EN" type="a &quot;type&quot;">
    <q_str>Who, &lt;and&gt; "what"?</q_str>
    <a id="1_1" value="VALIDATED" grade="3">
      <a_str> Ann; Bell </a_str>
      <t_str doc="D1">On
two lines&#13;&#10;and a	tab.</t_str>
    </a>
    <a id="1_2" value="UNKNOWN">
      <a_str/>
    </a>
  </q>
  <q id="2" lang="ES">
    <q_str>¿Nada?</q_str>
    <a id="2_1" value="REJECTED">
      <a_str>-</a_str>
    </a>
  </q>
</ave>
"""

COLUMNS = ["q_id", "a_id", "label", "question", "answer", "text", "doc", "grade", "lang", "type"]

ASKED = 'Who, <and> "what"?'
TEXT = "On\ntwo lines\r\nand a\ttab."

ROWS = [
    ["1", "1_1", "VALIDATED", ASKED, " Ann; Bell ", TEXT, "D1", "3", "EN", 'a "type"'],
    ["1", "1_2", "UNKNOWN", ASKED, "", "", "", "", "EN", 'a "type"'],
    ["2", "2_1", "REJECTED", "¿Nada?", "-", "", "", "", "ES", ""],
]
"""The values of `GOLD`, by hand."""


def convert(*arguments: str | Path) -> str:
    """Convert, which must succeed; return what is said on stderr."""
    code, out, err = ave("convert", *arguments)
    assert (code, out) == (0, ""), err
    return err


@pytest.mark.parametrize(("suffix", "delimiter"), [("csv", ","), ("tsv", "\t")])
def test_tables_are_quoted_as_the_standard_says(here: Path, suffix: str, delimiter: str) -> None:
    put(here, GOLD, "gold.xml")
    said = convert("gold.xml", "-o", f"gold.{suffix}")
    with Path(f"gold.{suffix}").open(encoding="utf-8", newline="") as file:
        read = [*csv.reader(file, delimiter=delimiter, strict=True)]
    expected = [[cell.replace("\r\n", "\n") for cell in row] for row in ROWS]
    assert read == [COLUMNS, *expected]
    assert said.splitlines() == [
        "lost: attribute edition of the root element (1)",
        "lost: carriage return in a text (1)",
    ]


def test_json_lines_have_no_keys_without_values(here: Path) -> None:
    put(here, GOLD, "gold.xml")
    convert("gold.xml", "-o", "gold.jsonl")
    text = Path("gold.jsonl").read_text("utf-8")
    expected = [
        {name: cell for name, cell in zip(COLUMNS, row, strict=True) if cell} for row in ROWS
    ]
    expected[0]["grade"] = 3  # type: ignore[assignment]
    assert [json.loads(line) for line in text.splitlines()] == expected
    assert "¿Nada?" in text  # not escaped


def test_parquet_has_types(here: Path) -> None:
    put(here, GOLD, "gold.xml")
    convert("gold.xml", "-o", "gold.parquet")
    table = parquet.read_table("gold.parquet")
    assert table.column_names == COLUMNS
    types = {name: str(table.schema.field(name).type) for name in COLUMNS}
    assert types == {**dict.fromkeys(COLUMNS, "string"), "grade": "int64"}
    rows = [[cell or None for cell in row] for row in ROWS]
    rows[0][7] = 3  # type: ignore[call-overload]
    assert [list(row.values()) for row in table.to_pylist()] == rows


RUN = "# by hand\n1 1_1 SELECTED .50\n1 1_2 REJECTED\t+1e-2\n2 2_1 REJECTED 0.10\n"


HEADS = "q_id,a_id,verdict,confidence\n"
OF_PAIRS = "7 YES\n8 NO 0.2\n"
NAMED = "--columns q_id=q,a_id=a,verdict=d,confidence=score,label=right --values yes=SELECTED"


@each("words, text, written, expected, lost", [
    # lines of a collection are its key
    ("gold.xml", GOLD, "gold.txt", "1 1_1 VALIDATED\n1 1_2 UNKNOWN\n2 2_1 REJECTED\n", [
        "attribute edition of the root element (1)", "column question (3)", "column answer (2)",
        "column text (1)", "column doc (1)", "column grade (1)", "column lang (3)",
        "column type (2)"]),
    # XML reads the line end LF as written by &#10;
    ("gold.xml", GOLD, "again.xml", GOLD.replace("&#10;", "\n"), []),
    # confidences keep their spelling
    ("run.txt", RUN, "run.csv", HEADS + "1,1_1,SELECTED,.50\n1,1_2,REJECTED,+1e-2\n"
        "2,2_1,REJECTED,0.10\n", ["comment (1)"]),
    ("run.txt", RUN, "run.jsonl",
        '{"q_id": "1", "a_id": "1_1", "verdict": "SELECTED", "confidence": 0.50}\n'
        '{"q_id": "1", "a_id": "1_2", "verdict": "REJECTED", "confidence": 1e-2}\n'
        '{"q_id": "2", "a_id": "2_1", "verdict": "REJECTED", "confidence": 0.10}\n',
        ["comment (1)", "spelling of confidence (2)"]),
    ("pairs.xml",
        '<c><pair id="7" value="TRUE" task="QA"><q>Who?</q><t doc="D">t</t><h>h</h></pair></c>',
        "p.csv", "pair_id,label,question,text,hypothesis,doc,task\n7,YES,Who?,t,h,D,QA\n", []),
    ("run.txt", OF_PAIRS, "run.csv", "pair_id,verdict,confidence\n7,YES,\n8,NO,0.2\n", []),
    ("run.csv", "pair_id,verdict,confidence\n7,YES,\n8,NO,0.2\n", "again.txt", OF_PAIRS, []),
    # scores without ids of answers are numbered
    ("scores.jsonl", '{"score": 0.90, "question_id": "x", "correct": true, "n": 1}\n{"score": 1, '
        '"question_id": "x", "correct": null, "more": [1.50, {"a": "b"}]}\n', "scores.csv",
        'score,q_id,a_id,correct,n,more\n0.90,x,x_1,true,1,\n1,x,x_2,,,"[1.50, {""a"": ""b""}]"\n',
        ["type of n (1)", "type of more (1)"]),
    ("teams.tsv --kind teams", "run_1\tUNED\nrun_2\tU. Jaén\n", "teams.csv",
        "run,team\nrun_1,UNED\nrun_2,U. Jaén\n", []),
    ("teams.tsv", "run\tteam\nrun_1\tUNED\n", "t.jsonl", '{"run": "run_1", "team": "UNED"}\n', []),
    # judgements in other words, and names of columns, of which one is in no file here
    ("judged.csv --values good=R --kind judged", "q_id,run,judgement\n1,x,good\n", "judged.tsv",
        "q_id\trun\tjudgement\n1\tx\tR\n", []),
    (f"run.csv {NAMED}", "q,a,d,score\n1,1_1,yes,.50\n", "x.txt", "1 1_1 SELECTED .50\n", []),
    (f"run.jsonl {NAMED}", '{"q": "1", "a": "1_1", "d": "yes", "score": 0.50}\n', "x.txt",
        "1 1_1 SELECTED 0.50\n", []),
])  # fmt: skip
def test_a_file_becomes_another(
    here: Path, words: str, text: str, written: str, expected: str, lost: list[str]
) -> None:
    put(here, text, words.split(maxsplit=1)[0])
    assert convert(*words.split(), "-o", written) == "".join(f"lost: {one}\n" for one in lost)
    assert Path(written).read_text("utf-8") == expected


def test_numbers_of_parquet_have_no_spelling(here: Path) -> None:
    put(here, RUN, "run.txt")
    said = convert("run.txt", "-o", "run.parquet")
    assert parquet.read_table("run.parquet").column("confidence").to_pylist() == [0.5, 0.01, 0.1]
    assert said == "lost: comment (1)\nlost: spelling of confidence (3)\n"  # 0.10 is 0.1


def test_a_question_without_answers_has_a_row(here: Path) -> None:
    put(here, GOLD.replace("</ave>", '<q id="3" lang="EN"/></ave>'), "gold.xml")
    said = convert("gold.xml", "-o", "gold.csv")
    assert Path("gold.csv").read_text("utf-8").splitlines()[-1] == "3,,,,,,,,EN,"
    assert "AVE405" in said  # the warning about that question
    assert "lost: question without answers (1)" in convert("gold.xml", "-o", "gold.txt")
    convert("gold.xml", "-o", "again.xml")
    end = '  <q id="3" lang="EN">\n    <q_str/>\n  </q>\n</ave>\n'
    assert Path("again.xml").read_text("utf-8").endswith(end)


def test_labels_come_from_the_key(here: Path) -> None:
    put(here, re.sub(' value="[A-Z]*"', "", GOLD), "test.xml")
    put(here, "1 1_1 VALIDATED\n1 1_2 UNKNOWN\n2 2_1 REJECTED\n", "key.txt")
    convert("test.xml", "--key", "key.txt", "-o", "gold.xml")
    assert Path("gold.xml").read_text("utf-8") == GOLD.replace("&#10;", "\n")
    said = refusal("convert", "test.xml", "-o", "lines.txt")
    assert "lines of a collection are its labels, and it has none" in said
    convert("key.txt", "--kind", "key", "-o", "key.csv")
    expected = ["q_id,a_id,label", "1,1_1,VALIDATED"]
    assert Path("key.csv").read_text("utf-8").splitlines()[:2] == expected


@pytest.mark.parametrize(("suffix", "unpack"), [("gz", gzip.decompress), ("xz", lzma.decompress)])
def test_output_is_compressed_if_its_name_says_so(here: Path, suffix: str, unpack: object) -> None:
    assert callable(unpack)
    put(here, RUN, "run.txt")
    convert("run.txt", "-o", f"run.csv.{suffix}")
    convert("run.txt", "-o", "run.csv")
    assert unpack(Path(f"run.csv.{suffix}").read_bytes()) == Path("run.csv").read_bytes()


@calls(
    Call(words, 2, message)
    for words, message in (
        ("run.txt", "the notation of standard output is unknown: choose lines, csv, tsv,"),
        ("run.txt -o run.doc", "the notation of run.doc is unknown"),
        ("run.txt -o run.xml", "a run has no notation in XML"),
        ("run.txt --to csv -o run.txt", "run.txt is also an input file"),
        ("run.txt --key k.txt -o x.csv", "a key labels a collection, and run.txt is"),
        ("pairs.xml -o x.txt", "a collection of pairs cannot be written as lines"),
        ("judged.tsv -o x.txt", "a table of judged answers cannot be written as lines"),
        ("answers.xml -o x.csv", "the answers of a system, which cannot be converted"),
        ("times.tsv -o x.jsonl", "times of submission, which cannot be converted"),
        ("long.txt -o run.csv", "an id has more than 1,000 characters, which tables cannot hold"),
    )
)
def test_usage_errors(here: Path, call: Call) -> None:
    put(here, "1 1_1 SELECTED 0.5\n", "run.txt")
    put(here, '<c><pair id="7" value="YES"/></c>', "pairs.xml")
    put(here, "q_id\trun\tjudgement\n1\tx\tR\n", "judged.tsv")
    put(here, '<output><question q_id="1" answered="NO"/></output>', "answers.xml")
    put(here, "a\t2026-05-01T09:00Z\nb\t2026-05-01T09:00Z\n", "times.tsv")
    put(here, f"{'x' * 1001} 1_1 SELECTED 0.5\n", "long.txt")
    assert_call(here, call, "convert")


@calls([
    Call("run.txt -o run.csv", 1, ("run.txt:4:16 AVE107", "nothing written"),
         puts={"run.txt": RUN.replace("0.10", "0,10"), "run.csv": "untouched"}),
    # no column of two equal names is lost
    Call("r.csv -o out.tsv", 1, "names the column x twice", puts={
        "r.csv": "q_id,a_id,verdict,confidence,x,x\n1,1_1,SELECTED,1,a,b\n"}),
    Call("r.jsonl -o out.tsv", 1, "the object has x twice", puts={"r.jsonl":
        '{"q_id": 1, "a_id": 2, "verdict": "SELECTED", "confidence": 1, "x": 1, "x": 2}\n'}),
])  # fmt: skip
def test_a_file_with_errors_is_refused(here: Path, call: Call) -> None:
    assert_call(here, call, "convert")


def test_the_longest_id_that_tables_hold_comes_back(here: Path) -> None:
    put(here, f"{'x' * 1000} 1_1 SELECTED 0.5\n", "run.txt")
    convert("run.txt", "-o", "run.csv")
    convert("run.csv", "-o", "again.txt")
    assert Path("again.txt").read_bytes() == Path("run.txt").read_bytes()


def test_what_xml_cannot_hold_is_listed(here: Path) -> None:
    put(here, "q_id,a_id,label,a name,id\n1,1_1,REJECTED,x,y\n", "gold.csv")
    said = convert("gold.csv", "-o", "gold.xml")
    assert said.splitlines() == [
        "lost: column a name, which is no name of an attribute (1)",
        "lost: column id, which is no name of an attribute (1)",
    ]


def test_what_is_lost_is_listed_in_the_order_of_columns(here: Path) -> None:
    names = [f"c{number}" for number in range(20)]  # of a set, in another order each time
    put(here, f"q_id,a_id,label,{','.join(names)}\n1,1_1,REJECTED{',x' * 20}\n", "gold.csv")
    said = convert("gold.csv", "-o", "gold.json").splitlines()
    assert said == [f"lost: column {name} (1)" for name in names]


TABLES = ["csv", "tsv", "jsonl", "parquet"]

COLLECTIONS = sorted((ROOT / "gold").glob("*.xml*"))


def plain(path: Path) -> str:
    data = path.read_bytes()
    return (gzip.decompress(data) if path.suffix == ".gz" else data).decode()


def without_comments(xml: str) -> str:
    return re.sub("<!--.*?-->\n", "", xml, flags=re.S)


@pytest.mark.slow
@pytest.mark.parametrize("path", COLLECTIONS, ids=lambda path: path.name)
def test_collections_become_themselves(here: Path, path: Path) -> None:
    said = convert(path, "-o", "again.xml")
    assert Path("again.xml").read_text("utf-8") == without_comments(plain(path))
    assert said == "lost: comment (1)\n"


@pytest.mark.parametrize("notation", ["csv", "jsonl"])
@pytest.mark.parametrize("name", mostly_slow([
    "gold/build/answers.qa.tsv", "gold/build/questions.tsv", "gold/ave2007-es.qa.tsv",
    "gold/ave2008-ro.qa.tsv.gz", "gold/respubliqa2009-ro.qa.tsv.gz", "sample_runs/lists/broad.tsv",
]))  # fmt: skip
def test_tables_become_themselves_again(here: Path, name: str, notation: str) -> None:
    campaign = ["--letters", "respubliqa"] if "respubliqa" in name else []
    assert convert(ROOT / name, "-o", f"there.{notation}", *campaign) == ""
    assert convert(f"there.{notation}", "-o", "back.tsv", *campaign) == ""
    assert Path("back.tsv").read_text("utf-8") == plain(ROOT / name)


def test_qa4mre_becomes_ave(here: Path) -> None:
    xml = """<test-set><topic t_id="9"><reading-test r_id="1"><doc d_id="D1">The text.</doc>
    <q q_id="1"><q_str>Why?</q_str><answer a_id="1">this</answer>
    <answer a_id="2" correct="Yes">that</answer></q></reading-test></topic></test-set>"""
    put(here, xml, "test.xml")
    assert convert("test.xml", "-o", "ave.xml") == ""
    again = convert("ave.xml", "-o", "again.xml")
    written = Path("ave.xml").read_text("utf-8")
    assert (again, Path("again.xml").read_text("utf-8")) == ("", written)
    assert written.splitlines()[1:10] == [
        "<ave>", '  <q id="9/1/1" topic="9" reading-test="1">', "    <q_str>Why?</q_str>",
        '    <a id="1" value="REJECTED">', "      <a_str>this</a_str>",
        '      <t_str doc="D1">The text.</t_str>', "    </a>", '    <a id="2" value="VALIDATED">',
        "      <a_str>that</a_str>",
    ]  # fmt: skip


def test_what_tables_cannot_hold_is_listed(here: Path) -> None:
    xml = """<ave><q id="1" text="x" topic=""><a id="1_1" value="REJECTED">
    <a_str>a&#x85;b<b>c</b></a_str></a></q></ave>"""
    put(here, xml, "gold.xml")
    said = convert("gold.xml", "-o", "gold.csv")
    assert Path("gold.csv").read_text("utf-8") == "q_id,a_id,label,answer\n1,1_1,REJECTED,a\x85bc\n"
    assert [line for line in said.splitlines() if line.startswith("lost")] == [
        "lost: attribute text, which is named like another column (1)",
        "lost: empty attribute topic (1)",
        "lost: <b> inside a text (1)",
    ]
    tsv = 'q_id\trun\tjudgement\tanswer\n1\tx\tR\t"a"\n'
    put(here, tsv, "judged.tsv")
    convert("judged.tsv", "-o", "judged.jsonl")
    written = Path("judged.jsonl").read_text("utf-8").replace('\\"a\\"', "a\\tb\\nc ")
    put(here, written, "texts.jsonl")
    said = convert("texts.jsonl", "-o", "texts.tsv")
    assert Path("texts.tsv").read_text("utf-8") == tsv.replace('"a"', "a b c")
    assert said == "lost: tab, line break or surrounding blank of a text (1)\n"


@pytest.mark.parametrize("suffix", ["csv", "jsonl", "parquet"])
def test_characters_that_nobody_reads_are_replaced(here: Path, suffix: str) -> None:
    put(here, '{"q_id": "1", "score": 1.5, "a\\u0000": "\\ud800\\u0001"}\n', "scores.jsonl")
    said = convert("scores.jsonl", "-o", f"x.{suffix}")
    assert said.endswith("lost: control character (3)\n")
    assert "\ufffd\ufffd".encode() in Path(f"x.{suffix}").read_bytes()


@pytest.mark.parametrize("notation", TABLES)
@pytest.mark.parametrize("name", mostly_slow(["tiny.xml", "ave2007-es.xml", "ave2006-de.xml.gz"]))
def test_collections_there_and_back(here: Path, name: str, notation: str) -> None:
    path = ROOT / "gold" / name
    convert(path, "-o", f"there.{notation}")
    assert convert(f"there.{notation}", "-o", "back.xml") == ""
    expected = re.sub("<ave .*>", "<ave>", without_comments(plain(path)))
    assert Path("back.xml").read_text("utf-8") == expected


ALL_RUNS = sorted(
    path for path in (ROOT / "sample_runs").glob("*/*.txt*") if "broken" not in str(path)
)


@pytest.mark.parametrize("notation", mostly_slow(TABLES))
@pytest.mark.parametrize("paths", [
    pytest.param(ALL_RUNS[::12], marks=pytest.mark.slow, id="every-twelfth"),
    pytest.param([path for path in ALL_RUNS if "2007-es" in str(path)], id="ave2007-es"),
    pytest.param(
        [path for path in ALL_RUNS if "2006-it" in str(path)],
        marks=pytest.mark.slow,
        id="ave2006-it",
    ),
])  # fmt: skip
def test_runs_become_themselves_again(here: Path, paths: list[Path], notation: str) -> None:
    for path in paths:
        said = convert(path, "-o", f"there.{notation}")
        convert(f"there.{notation}", "-o", "back.txt")
        found, expected = Path("back.txt").read_text("utf-8"), plain(path)
        if "lost: spelling" in said:  # 0.50 is 0.5 in Parquet
            assert notation == "parquet"
            got = [numbers(line) for line in found.splitlines()]
            assert got == [numbers(line) for line in expected.splitlines()]
        else:
            assert found == expected


def numbers(line: str) -> list[object]:
    *words, confidence = line.split()
    return [*words, float(confidence)]


def test_a_text_with_a_line_of_a_campaign_file_stays_a_text(tmp_path: Path) -> None:
    gold = GOLD.replace("On\n", "On\n[editions.2007]\n").replace("&#13;", "")
    path = put(tmp_path, gold, "gold.xml")
    convert(path, "-o", tmp_path / "gold.csv")
    convert(tmp_path / "gold.csv", "-o", tmp_path / "again.jsonl")
    convert(path, "-o", tmp_path / "gold.jsonl")
    assert (tmp_path / "again.jsonl").read_text() == (tmp_path / "gold.jsonl").read_text()


_ROW = '{"q_id": "1", "a_id": "1_1", "verdict": "SELECTED", "confidence": 0.5, "extra": '


def _nested(begin: str, end: str, levels: int) -> str:
    """Return a run with a field of so many levels, in an object that is one more."""
    sound = _ROW.replace("1_1", "1_2").replace("SELECTED", "REJECTED") + "[{}]}\n"
    return f"{sound}{_ROW}{begin * levels}1{end * levels}}}\n"


@pytest.mark.parametrize(("begin", "end"), [("[", "]"), ('{"a": ', "}")], ids=["lists", "objects"])
@pytest.mark.parametrize("to", ["csv", "tsv", "jsonl", "parquet"])
def test_a_field_of_100_levels_is_converted(tmp_path: Path, begin: str, end: str, to: str) -> None:
    path = put(tmp_path, _nested(begin, end, 99), "run.jsonl")
    convert(path, "-o", tmp_path / f"out.{to}")
    if to == "jsonl":
        assert (tmp_path / "out.jsonl").read_text() == path.read_text()


@each("begin, end", [("[", "]"), ('{"a": ', "}")])
@each("levels", [100, 400, 1_000, 30_000])
@each("command", [["check"], ["convert", "--to", "csv"]])
def test_a_deeper_field_is_a_finding_at_its_place(
    tmp_path: Path, command: list[str], begin: str, end: str, levels: int
) -> None:
    """The row is a level, 99 brackets are others, and the next one is too much."""
    path = put(tmp_path, _nested(begin, end, levels), "run.jsonl")
    column = len(_ROW) + 99 * len(begin) + 1
    _, out, err = ave(*command, path, code=1)
    assert f"run.jsonl:2:{column} AVE901" in out + err
    assert "nested deeper than 100 levels" in out + err


def test_brackets_in_texts_are_no_levels(tmp_path: Path) -> None:
    path = put(tmp_path, _ROW + '"' + '[{\\"' * 400 + '"}\n', "run.jsonl")
    convert(path, "-o", tmp_path / "out.csv")


def test_qrels_whose_ids_no_run_could_name_are_refused(tmp_path: Path) -> None:
    qrels, output = tmp_path / "qrels.txt", tmp_path / "gold.tsv"
    qrels.write_text("1 0 d1 1\n1 0 # 0\n#a comment\n", "utf-8")
    code, _, err = ave("convert", str(qrels), "-o", str(output))
    assert (code, output.exists()) == (1, False)
    assert "qrels.txt:2 AVE411 the id '#' is" in err
    qrels.write_text("1 0 d1 1\n1 0 d# 0\n#a comment\n", "utf-8")
    assert ave("convert", str(qrels), "-o", str(output))[0] == 0
