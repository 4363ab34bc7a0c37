"""`ave-score stats`: sizes of collections. Expected figures are counted by hand."""

from __future__ import annotations

import csv
import gzip
import io
import json
import re
from pathlib import Path

import pytest

from tests import each
from tests.conftest import ROOT
from tests.helpers_command import Call, Said, assert_call, calls, here_with, put_all
from tests.helpers_files import COLLECTION, put
from tests.helpers_latex import table
from tests.test_campaign import SPANISH, ave, markdown_tables

PAIRS = """\
<entailment-corpus lang="en">
<pair id="1" value="YES" task="QA"><q>?</q><t>x</t><h>y</h></pair>
<pair id="2" value="NO" task="QA"><q>?</q><t>x</t><h>y</h></pair>
<pair id="3" value="UNKNOWN" task="QA"><q>?</q><t>x</t><h>y</h></pair>
</entailment-corpus>
"""
UNLABELLED = re.sub(r' value="\w+"', "", COLLECTION)
TINY = str(ROOT / "gold/tiny.xml")

HEADS = [
    *("collection", "language", "questions", "answers", "% of available", "with correct"),
    *("VALIDATED", "% VALIDATED", "REJECTED", "% REJECTED", "UNKNOWN", "% UNKNOWN"),
]
SHOWN = [head for head in HEADS if head != "% of available"]
"""What tables have of them: no file here says how many answers were available."""
TINY_ROW = ["tiny", "EN", "5", "10", "", "3", "4", "40.00", "5", "50.00", "1", "10.00"]
"""4 VALIDATED in 3 questions, 5 REJECTED, 1 UNKNOWN of 10."""
PAIRS_ROW = ["pairs", "EN", "", "3", "", "", "1", "33.33", "1", "33.33", "1", "33.33"]
SMALL_ROW = ["small", "", "3", "5", "", "2", "2", "40.00", "2", "40.00", "1", "20.00"]


here = here_with(
    {
        "tiny.xml": (ROOT / "gold/tiny.xml").read_text(),
        "pairs.xml": PAIRS,
        "small.xml": COLLECTION,
        "unlabelled.xml": UNLABELLED,
        "broken.xml": COLLECTION.replace("</q>", "", 1),
    }
)


def stats(*arguments: str) -> Said:
    return ave("stats", *arguments)


def rows(*arguments: str) -> list[list[str]]:
    """Return the rows of the table as CSV, without the head."""
    result = stats(*arguments, "--format", "csv")
    assert (result.code, result.err) == (0, "")
    head, *found = csv.reader(io.StringIO(result.out))
    assert head == HEADS
    return found


def of_available(available: object) -> str:
    return COLLECTION.replace("<ave>", f'<ave available="{available}">')


@each("files, expected", [
    ("tiny", [TINY_ROW]),
    ("pairs", [PAIRS_ROW]),
    ("small", [SMALL_ROW]),
    # 8 questions, 15 answers: 6 of them 40 %, 7 are 46.666..., 2 are 13.333...
    ("tiny small", [TINY_ROW, SMALL_ROW,
     ["Total", "", "8", "15", "", "5", "6", "40.00", "7", "46.67", "2", "13.33"]]),
    # 13 answers: 5 are 38.4615..., 6 are 46.1538..., 2 are 15.3846...
    ("tiny pairs", [TINY_ROW, PAIRS_ROW,
     ["Total", "", "5", "13", "", "3", "5", "38.46", "6", "46.15", "2", "15.38"]]),
    # pairs alone have no questions
    ("pairs others", [PAIRS_ROW, ["others", *PAIRS_ROW[1:]],
     ["Total", "", "", "6", "", "", "2", "33.33", "2", "33.33", "2", "33.33"]]),
])  # fmt: skip
def test_collections_have_a_row_each_and_several_a_total(
    here: Path, files: str, expected: list[list[str]]
) -> None:
    put(here, PAIRS, "others.xml")
    assert rows(*(f"{name}.xml" for name in files.split())) == expected


@each("available, digits, expected", [
    (8, "2", "62.50"),  # 5 of 8
    (8, "0", "63"),  # half up, not to even
    (40, "1", "12.5"),
    (40, "0", "13"),
    (1600, "3", "0.313"),  # 0.3125
    (4, "2", "125.00"),
    (0, "2", "n/a"),
    (3, "5", "166.66667"),
])  # fmt: skip
def test_the_share_of_available_answers_is_rounded_half_up(
    here: Path, available: int, digits: str, expected: str
) -> None:
    put(here, of_available(available), "small.xml")
    (row,) = rows("small.xml", "--digits", digits)
    assert row[HEADS.index("% of available")] == expected


def test_the_total_of_available_is_known_where_all_are(here: Path) -> None:
    put(here, of_available(8), "one.xml")
    put(here, of_available(24), "two.xml")
    column = HEADS.index("% of available")
    found = rows("one.xml", "two.xml")
    assert [row[column] for row in found] == ["62.50", "20.83", "31.25"]  # 10 of 32
    found = rows("one.xml", "small.xml")
    assert [row[column] for row in found] == ["62.50", "", ""]


@pytest.mark.parametrize("available", ["", "x", "-1", "1.5", "9" * 5000, "٣"])
def test_an_unusable_number_of_available_answers_is_none(here: Path, available: str) -> None:
    put(here, of_available(available), "small.xml")
    assert stats("small.xml").code in (0, 1)


def test_an_unlabelled_collection_says_that_it_has_no_labels(here: Path) -> None:
    result = stats("unlabelled.xml", "tiny.xml", "--format", "markdown")
    assert result.code == 0
    assert "label" in result.out.splitlines()[-1]
    found = rows("unlabelled.xml")
    assert found[0][2:4] == ["3", "5"]
    assert found[0][HEADS.index("VALIDATED")] in ("", "0")
    assert stats("tiny.xml", "-f", "markdown").out.endswith("|\n")  # nothing to say


def test_languages_are_those_that_the_collection_names(here: Path) -> None:
    text = SPANISH.replace('<q id="c"><q_str>?</q_str></q>\n', "")
    put(here, text.replace('id="a"', 'id="a" lang="es"').replace('id="b"', 'id="b" lang="PT"'))
    ((_, language, *_),) = rows("run.txt")
    assert language == "ES, PT"


def test_a_question_without_answers_counts(here: Path) -> None:
    put(here, SPANISH, "es.xml")
    result = stats("es.xml", "-f", "csv")
    assert result.code == 0
    assert "AVE405" in result.err  # a warning
    assert result.out.splitlines()[1] == "es,,3,4,,2,2,50.00,2,50.00,0,0.00"


def test_large_numbers_are_numbers_for_other_programs(here: Path) -> None:
    answers = "".join(f'<a id="{n}" value="REJECTED"/>' for n in range(1_234))
    put(here, f'<ave><q id="1">{answers}</q></ave>', "large.xml")
    (row,) = rows("large.xml")
    assert row[HEADS.index("answers")] == row[HEADS.index("REJECTED")] == "1234"
    assert "1,234" in stats("large.xml").out


def test_the_shipped_collections_have_the_sizes_of_the_papers() -> None:
    with (ROOT / "gold/published/collections.tsv").open(encoding="utf-8") as lines:
        published = list(csv.DictReader(lines, delimiter="\t"))
    files = [f"gold/ave{one['edition']}-{one['lang']}.xml" for one in published]
    given = [file if (ROOT / file).exists() else f"{file}.gz" for file in files]
    result = stats(*given, "--format", "json")
    found = json.loads(result.out)["collections"]
    for one, expected in zip(found, published, strict=True):
        for name in ("questions", "answers", "validated", "rejected", "unknown"):
            assert one[name] == int(expected[name] or 0), (one["path"], name)


def test_collections_of_the_same_name_are_distinguished_by_folder(here: Path) -> None:
    put_all(here, {"a/x.xml": COLLECTION, "b/x.xml": COLLECTION, "b/c/x.xml.gz": b""})
    put(here / "b/c", gzip.compress(COLLECTION.encode()), "x.xml.gz")
    names = [row[0] for row in rows("a/x.xml", "b/x.xml", "b/c/x.xml.gz")]
    assert names == ["a/x", "b/x", "c/x", "Total"]


@pytest.mark.parametrize("name", ["broken.xml", "empty.xml", "run.txt", "judged.tsv"])
def test_a_broken_collection_is_left_out(here: Path, name: str) -> None:
    put_all(here, {"empty.xml": "", "run.txt": "1 1_1 SELECTED 1\n"})
    put_all(here, {"judged.tsv": "q_id\trun\tjudgement\n1\ta\tR\n"})
    result = stats("tiny.xml", name, "pairs.xml", "-f", "csv")
    assert result.code == 1
    names = [row[0] for row in csv.reader(io.StringIO(result.out))]
    assert names == ["collection", "tiny", "pairs", "Total"]
    assert name in result.err
    assert "AVE" in result.err


@pytest.mark.parametrize("name", ["no.xml", ".", "cut.xml.gz"])
def test_what_cannot_be_read_is_left_out(here: Path, name: str) -> None:
    put(here, gzip.compress(COLLECTION.encode())[:-9], "cut.xml.gz")
    result = stats(name, "tiny.xml", "broken.xml", "-f", "csv")
    assert result.code == 2  # as of `ave-score check`
    names = f"broken.xml, {name}"
    assert result.err.endswith(f"not described because of errors: {names}\n")
    assert name in result.err
    assert [row[0] for row in csv.reader(io.StringIO(result.out))] == ["collection", "tiny"]


@pytest.mark.parametrize(("text", "kind"), [
    ("q_id\trun\tjudgement\n1\ta\tR\n", "a table of judged answers"),
    ("run\tteam\na\tus\n", "a table of teams"),
    ("q_id\tquestion\n1\tWho?\n", "a table of questions"),
    ('[editions.e.languages.en]\ncollection = "gold.xml"\n', "a campaign file"),
    ("1 1_1 SELECTED 1\n", "an AVE run"),
])  # fmt: skip
def test_a_file_that_is_no_collection_has_its_own_name(here: Path, text: str, kind: str) -> None:
    put(here, text, "other")
    result = stats("other")
    assert result.code == 1
    expected = "expected a collection (XML, CSV or JSON Lines)"
    assert f"other:1 AVE116 this looks like {kind}, {expected}" in result.err
    assert ("`ave-score score` takes it" in result.err) == ("judged" in kind)


@pytest.mark.parametrize("command", ["score", "stats", "check", "build"])
def test_help_says_what_the_exit_codes_are(command: str) -> None:
    """As docs/how-to/score.md says for all of them."""
    result = " ".join(ave(command, "--help").out.split())
    assert re.search(r"Exit codes: 0 \w.*, 1 .*, 2 .*(could not run|could not be read)\b", result)


@calls([
    Call("broken.xml -o out.txt", 1, "nothing left to describe", puts={"out.txt": "old"}),
    Call("no.xml -o out.txt", 2, "no.xml", puts={"out.txt": "old"}),
    # labelled in part
    Call("part.xml", 1, "AVE407",
         puts={"part.xml": COLLECTION.replace(' value="REJECTED"', "", 1)}),
    Call("tiny.xml ./tiny.xml", 2, "given twice"),
    *(Call(words, 2, "ave-score") for words in (
        "", "''", "- -", "tiny.xml -o tiny.xml", "tiny.xml -o ''", "tiny.xml -o no/such/folder/x",
        "tiny.xml --digits 13", "tiny.xml --digits -1", "tiny.xml --format pdf",
    )),
])  # fmt: skip
def test_what_cannot_be_described_is_refused(here: Path, call: Call) -> None:
    assert_call(here, call, "stats")


def test_every_format_shows_the_same_cells(here: Path) -> None:
    files = ["tiny.xml", "small.xml", "pairs.xml"]
    of_csv = [HEADS, *rows(*files)]
    cells = [row[:4] + row[5:] for row in of_csv]  # without the blank "% of available"
    markdown = stats(*files, "--format", "markdown").out
    assert markdown.startswith("### Collections\n\n")
    assert markdown_tables(markdown) == [[len(SHOWN)] * 6]
    latex = stats(*files, "--format", "latex").out
    assert r"\caption{Collections.}" in latex
    assert table(latex) == cells
    for row in cells:
        assert f"| {' | '.join(row)} |" in markdown.splitlines()
    text = stats(*files).out.splitlines()
    assert text[0] == "Collections"
    figures = text[-4:]
    for line, row in zip(figures, cells[1:], strict=True):
        assert line.split() == [cell for cell in row if cell]
    assert len({len(line) for line in figures}) == 1  # figures stand to the right


@pytest.mark.parametrize(("files", "left_out"), [
    ({"a.xml": UNLABELLED}, {"language", "% of available", "with correct", *HEADS[6:]}),
    ({"a.xml": of_available(8).replace("UNKNOWN", "REJECTED")}, {"language", *HEADS[10:]}),
    ({"a.xml": of_available(8), "b.txt": "1 0 D1 2\n"}, {"language"}),
])  # fmt: skip
def test_tables_have_no_columns_of_nothing_and_csv_has_all(
    here: Path, files: dict[str, str], left_out: set[str]
) -> None:
    """REJECTED stays if there is none: that no answer is rejected is worth a look."""
    put_all(here, files)
    heads = [head for head in HEADS if head not in left_out]
    assert table(stats(*files, "-f", "latex").out)[0] == heads
    assert rows(*files)


def test_json_holds_numbers(here: Path) -> None:
    put(here, of_available(8), "small.xml")
    result = stats("small.xml", "pairs.xml", "unlabelled.xml", "--format", "json")
    document = json.loads(result.out)
    assert document["schema"] == "ave-score/collections/1"
    small, pairs, unlabelled = document["collections"]
    assert small.pop("sha256")
    assert small == {
        "path": "small.xml", "questions": 3, "answers": 5, "validated": 2, "rejected": 2,
        "unknown": 1, "questions_with_correct": 2, "is_pairs": False, "languages": [],
        "available": 8,
    }  # fmt: skip
    assert (pairs["is_pairs"], pairs["languages"], pairs["available"]) == (True, ["EN"], None)
    labels = ("validated", "rejected", "unknown", "questions_with_correct")
    assert [unlabelled[name] for name in labels] == [None] * 4  # not known, which is not 0


def test_standard_input_is_a_collection(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(COLLECTION.encode())))
    found = rows("-", "tiny.xml")
    assert found[0][1:] == SMALL_ROW[1:]


def test_notes_are_no_wider_than_the_terminal(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    put(here, UNLABELLED, "a_collection_with_a_long_name_of_many_parts.xml")
    result = stats("a_collection_with_a_long_name_of_many_parts.xml")
    assert max(map(len, result.out.splitlines())) <= 60
