"""The page of `ave-score report`: its content, its readers, hostile names and texts."""

from __future__ import annotations

from pathlib import Path

from lxml import html

from ave_score.commands import run as command
from tests.conftest import ROOT

SPANISH = [
    *(str(ROOT / "gold/ave2007-es.xml"), "--qa", str(ROOT / "gold/ave2007-es.qa.tsv")),
    *("--groups", str(ROOT / "gold/ave2007-es.groups.tsv"), "--resamples", "200"),
    *sorted(map(str, (ROOT / "sample_runs/ave2007-es").glob("*.txt"))),
]


def page(path: Path, *arguments: str) -> html.HtmlElement:
    assert command(["report", *arguments, "-o", str(path)]) == 0
    return html.document_fromstring(path.read_bytes())


def test_sections_are_in_the_order_of_the_design(tmp_path: Path) -> None:
    found = page(tmp_path / "page.html", *SPANISH)
    sections = [one.get("id") for one in found.iterfind(".//section") if one.get("hidden") is None]
    assert sections == ["about", "ranking", "scores", "questions", "curves", "reading"]
