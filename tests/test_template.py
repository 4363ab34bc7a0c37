"""`ave-score template`: a run of every answer, which `check` accepts."""

from __future__ import annotations

from pathlib import Path

import pytest

from ave_score import campaign
from tests import mostly_slow
from tests.conftest import ROOT
from tests.helpers_command import ave, output, refusal

TINY = ROOT / "gold/tiny.xml"
QRELS = "1 0 d1 1\n1 0 d2 0\n"


@pytest.mark.parametrize("suffix", mostly_slow(["txt", "tsv.gz", "csv", "jsonl", "parquet"]))
@pytest.mark.parametrize(
    "collection", mostly_slow(["tiny.xml", "ave2006-en.xml.gz", "lists.json"], 2)
)
def test_a_template_is_accepted(collection: str, suffix: str, tmp_path: Path) -> None:
    """Of a collection, of pairs, and of answer sets, whose responses have no lines."""
    path, given = tmp_path / f"template.{suffix}", ROOT / "gold" / collection
    if (collection, suffix) == ("lists.json", "txt"):
        assert "cannot be written as lines" in refusal("template", given, "-o", path)
        assert not path.exists()
        return
    assert ave("template", given, "-o", path) == (0, "", "")
    assert "no findings" in ave("check", path, "--collection", given, code=0).out


def test_a_template_rejects_every_answer() -> None:
    lines = [line.split() for line in output("template", TINY).splitlines()]
    assert lines[:2] == [["1", "1_1", "REJECTED", "0"], ["1", "1_2", "REJECTED", "0"]]
    assert len(lines) == TINY.read_text("utf-8").count("<a id=") == 10
    assert {*map(tuple, (line[2:] for line in lines))} == {("REJECTED", "0")}
    assert output("template", ROOT / "gold/ave2006-en.xml.gz").startswith("1 NO 0\n")
    assert output("template", ROOT / "gold/lists.json").startswith("q_id\tanswer\n1\tNIL\n")


def test_labels_are_not_read(tmp_path: Path) -> None:
    """The same template without labels, and with labels that are wrong."""
    text, path = TINY.read_text("utf-8"), tmp_path / "test.xml"
    for change in (' value="REJECTED"', ""), (' value="REJECTED"', ' value="SECRET"'):
        path.write_text(text.replace(*change), "utf-8")
        assert output("template", path) == output("template", TINY)


@pytest.mark.parametrize(("name", "text", "code", "said"), [
    ("qrels.txt", QRELS, 2, "qrels: systems rank documents that they find themselves"),
    ("run.txt", "1 1_1 REJECTED 0\n", 1, "AVE116"),
    ("gold.xml", '<ave><q id="1"><a id="1"/><a id="1"/></q></ave>', 1, "AVE"),
    ("gold.csv", "q_id,a_id,label\n", 1, "AVE115"),
])  # fmt: skip
def test_what_has_no_template(name: str, text: str, code: int, said: str, tmp_path: Path) -> None:
    given, path = tmp_path / name, tmp_path / "template.txt"
    given.write_text(text, "utf-8")
    assert said in refusal("template", given, "-o", path, code=code)
    assert not path.exists()


def test_a_template_has_a_notation_of_runs(tmp_path: Path) -> None:
    for name in "run.xml", "run.trec":
        assert "only lines, csv" in refusal("template", TINY, "-o", tmp_path / name)


def test_the_site_of_a_campaign_links_templates() -> None:
    pages = campaign(ROOT / "sample_runs/tiny-campaign.toml").pages
    assert pages["2026/en.template.txt"] == output("template", TINY)
    assert 'href="2026/en.template.txt"' in pages["index.html"]


def test_a_campaign_of_judged_systems_links_no_template(tmp_path: Path) -> None:
    judged = ROOT / "gold/tiny.qa.tsv"
    path = tmp_path / "campaign.toml"
    path.write_text(f'title = "T"\n[editions.2009.languages.de]\ncollection = "{judged}"\n')
    pages = campaign(path).pages
    assert "2009/de.html" in pages
    assert "template.txt" not in "".join([*pages, pages["index.html"]])
