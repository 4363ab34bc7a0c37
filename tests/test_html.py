"""Tables as an HTML document: the cells of the other formats, in a page that needs nothing else."""

from __future__ import annotations

import csv
import io
from dataclasses import replace
from pathlib import Path

import pytest
from lxml import html

import ave_score
from tests.conftest import ROOT
from tests.helpers_command import ave, output
from tests.helpers_files import put

GOLD = "gold/ave2007-es.xml"
RUNS = sorted(
    path.relative_to(ROOT).as_posix() for path in (ROOT / "sample_runs/ave2007-es").glob("*.txt")
)
TINY = ["gold/tiny.xml", "sample_runs/tiny/bold.txt", "sample_runs/tiny/careful.txt"]


def cells(document: html.HtmlElement) -> list[list[list[str]]]:
    """Return the rows of each table, the heads first."""
    return [
        [[cell.text_content() for cell in row.iterfind("*")] for row in table.iter("tr")]
        for table in document.iter("table")
    ]


def text_of(document: html.HtmlElement, path: str) -> str:
    return str(document.xpath(f"string({path})"))


def markdown_cells(text: str) -> list[list[list[str]]]:
    """Return the rows of each table in Markdown, the heads first."""
    tables = [part for part in text.split("\n\n") if part.startswith("|")]
    plain = [table.replace("\\", "").replace("*", "").splitlines() for table in tables]
    return [
        [[cell.strip() for cell in line.split("|")[1:-1]] for line in [lines[0], *lines[2:]]]
        for lines in plain
    ]


@pytest.mark.parametrize(
    "command",
    [
        ["score", GOLD, *RUNS, "--ci", "95", "--resamples", "100"],
        ["score", *TINY, "-m", "all", "--digits", "4"],
        ["compare", *TINY, "--pairs", "--resamples", "100"],
        ["stats", GOLD, "gold/tiny.xml"],
        ["agree", *TINY[1:]],
    ],
    ids=lambda command: command[0],
)
def test_a_document_has_the_cells_of_markdown(command: list[str]) -> None:
    expected = markdown_cells(output(*command, "-f", "markdown"))
    document = html.document_fromstring(output(*command, "-f", "html"))
    assert cells(document) == expected
    assert expected
    for table in document.iter("table"):
        head, *rows = [[*row] for row in table.iter("tr")]
        assert all(cell.tag == "th" and cell.get("scope") == "col" for cell in head)
        for row in rows:
            (name,) = [cell for cell in row if cell.tag == "th"]
            assert name.get("scope") == "row"
            classes = [cell.get("class").split()[0] for cell in row]
            assert classes == [cell.get("class").split()[0] for cell in head]
        assert text_of(table, "caption")


def test_a_document_is_whole_and_needs_nothing_else() -> None:
    text = output("score", *TINY, "-f", "html")
    document = html.document_fromstring(text)
    assert text.startswith("<!DOCTYPE html>\n")
    assert document.get("lang") == "en"
    assert document.findtext("head/title") == document.findtext(".//h1") == "tiny.xml"
    assert document.xpath("head/meta[1]/@charset") == ["utf-8"]
    assert ".baseline" in text_of(document, "head/style")
    assert not [*document.iter("script", "link", "img", "iframe", "object", "base", "form")]
    assert not document.xpath("//@*[starts-with(name(), 'on')]")
    assert "url(" not in text
    assert "@import" not in text
    assert "Signature: ave-score:" in text_of(document, ".//footer")


def test_the_best_is_bold_and_intervals_are_apart() -> None:
    few = ["--ci", "95", "--resamples", "100"]
    document = html.document_fromstring(
        output("score", GOLD, *RUNS, "-m", "f1", *few, "-f", "html")
    )
    assert text_of(document, ".//strong/text()").strip() == "0.53"  # Tellez_1, as published
    assert document.xpath("count(.//strong)") == 1
    assert document.xpath(".//strong/span/@class") == ["ci"]
    names = [row.findtext("th") for row in document.iterfind(".//tr[@class='baseline']")]
    assert names == ["100% VALIDATED", "50% VALIDATED", "0% VALIDATED"]


@pytest.mark.parametrize(
    "name", ["<script>alert(1)</script>", '" onload="x', "</style>&amp;", "\u202ex\x1b[31m", "日本"]
)
def test_hostile_texts_are_texts(name: str) -> None:
    collection = replace(ave_score.read_collection(TINY[0]), path=name)
    run = ave_score.read_run(TINY[1], collection, name=name)
    document_text = ave_score.score(collection, run, measures="f1, qa_accuracy").to_html()
    document = html.document_fromstring(document_text)
    shown = name.encode("unicode_escape").decode() if name.startswith("\u202e") else name
    assert [table[1][1] for table in cells(document)] == [shown, "Perfect selection"]
    assert cells(document)[1][2][1] == shown
    assert document.findtext("head/title") == shown.split("/")[-1]  # without folders
    notes = [text_of(note, ".") for note in document.iterfind(".//figcaption/p")]
    assert any(note.endswith(f" {shown}: 1.") for note in notes)
    assert not [*document.iter("script")]
    assert len([*document.iter("style")]) == 1
    assert not document.xpath("//@*[starts-with(name(), 'on')]")
    assert not {*"\u202e\x1b"} & {*document_text}


def test_results_in_python_have_it(tmp_path: Path) -> None:
    scores = ave_score.score(ROOT / TINY[0], [ROOT / path for path in TINY[1:]], measures="f1")
    document = html.document_fromstring(scores.to_html(digits=3))
    assert cells(document)[0][1] == ["1", "careful", "AV", "0.750"]  # 6/8, see first-table.md
    rows = list(csv.DictReader(io.StringIO(scores.to_text("csv"))))
    assert {row[1] for row in cells(document)[0][1:]} == {row["run"] for row in rows if row["f1"]}
    put(tmp_path, "<html", "page.html")
    assert ave("score", *TINY, "-f", "html", "-o", str(tmp_path / "page.html")).code == 0
    assert (tmp_path / "page.html").read_text("utf-8").startswith("<!DOCTYPE html>\n")
