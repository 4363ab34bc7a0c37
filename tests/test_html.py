"""Results in a notebook: the cells of the other formats, as HTML that runs nothing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from lxml import html

import ave_score
from tests import each
from tests.conftest import ROOT

GOLD = ROOT / "gold/ave2007-es.xml"
RUNS = sorted((ROOT / "sample_runs/ave2007-es").glob("*.txt"))
TINY = [ROOT / name for name in ("gold/tiny.xml", "sample_runs/tiny/bold.txt")]
Result = ave_score.Scores | ave_score.Compared | ave_score.Stats | ave_score.Agreed
FEW = ave_score.Design(resampling=ave_score.Resampling(100))


def shown(result: Result) -> html.HtmlElement:
    """Return what a notebook shows."""
    return html.fragment_fromstring(result._repr_html_())


def cells(document: html.HtmlElement) -> list[list[list[str]]]:
    """Return the rows of each table, the heads first."""
    return [
        [[cell.text_content() for cell in row.iterfind("*")] for row in table.iter("tr")]
        for table in document.iter("table")
    ]


def markdown_cells(text: str) -> list[list[list[str]]]:
    """Return the rows of each table in Markdown, the heads first."""
    tables = [part for part in text.split("\n\n") if part.startswith("|")]
    plain = [table.replace("\\", "").replace("*", "").splitlines() for table in tables]
    return [
        [[cell.strip() for cell in line.split("|")[1:-1]] for line in [lines[0], *lines[2:]]]
        for lines in plain
    ]


RESULTS: dict[str, Callable[[], Result]] = {
    "score": lambda: ave_score.score(GOLD, RUNS, measures="all"),
    "compare": lambda: ave_score.compare(GOLD, RUNS[:2], design=FEW),
    "stats": lambda: ave_score.stats(GOLD),
    "agree": lambda: ave_score.agree(RUNS[:2]),
}


@pytest.mark.parametrize("feature", RESULTS)
def test_a_notebook_shows_the_cells_of_markdown(feature: str) -> None:
    result = RESULTS[feature]()
    document = shown(result)
    assert cells(document) == markdown_cells(result.to_text("markdown"))
    for table in document.iter("table"):
        assert all(cell.tag == "th" and cell.get("scope") == "col" for cell in table.iter("th"))


def test_the_best_is_bold_and_baselines_are_emphasised() -> None:
    document = shown(ave_score.score(GOLD, RUNS, measures="f1"))
    assert [cell.text for cell in document.iter("strong")][1:] == ["0.53"]  # Tellez_1, as published
    names = [cell.text for cell in document.iter("em")]
    assert {"100% VALIDATED", "50% VALIDATED", "0% VALIDATED"} <= {*names}


@each(
    "name", ["<script>alert(1)</script>", '" onload="x', "</style>&amp;", "\u202ex\x1b[31m", "日本"]
)
def test_hostile_texts_are_texts(name: str) -> None:
    collection = replace(ave_score.read_collection(TINY[0]), path=name)
    run = ave_score.read_run(TINY[1], collection, name=name)
    result = ave_score.score(collection, run, measures="f1, qa_accuracy")
    document = shown(result)
    printed = name.encode("unicode_escape").decode() if name.startswith("\u202e") else name
    assert [table[1][1] for table in cells(document)] == [printed, "Perfect selection"]
    assert cells(document)[1][2][1] == printed
    notes = [note.text_content() for note in document.iterfind("p")]
    assert any(note.endswith(f" {printed}: 1.") for note in notes)
    assert not [*document.iter("script", "style")]
    assert not document.xpath("//@*[starts-with(name(), 'on')]")
    assert not {*"\u202e\x1b"} & {*result._repr_html_()}
