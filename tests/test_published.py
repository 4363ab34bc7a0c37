"""Tables A.8-A.15 of AVE 2007, figure by figure, out of the command line on the shipped data.

The expected figures are those of the papers, written out in gold/published/*.tsv exactly as they
were printed; gold/README.md names the sources.
"""

from __future__ import annotations

import csv
import itertools
from decimal import Decimal
from pathlib import Path

import pytest

from ave_score.cli import run
from tests.conftest import ROOT

LANGUAGES = ("es", "de", "en", "pt")
COLUMNS = {  # column of the published file -> measure
    "f1": "f1",
    "precision": "precision",
    "recall": "recall",
    "qa_accuracy": "qa_accuracy",
    "percent_of_perfect": "normalized_qa_accuracy",
}


def published(name: str) -> list[dict[str, str]]:
    with (ROOT / "gold" / "published" / f"{name}.tsv").open(encoding="utf-8") as lines:
        return list(csv.DictReader(lines, delimiter="\t"))


def printed(language: str, capsys: pytest.CaptureFixture[str]) -> dict[tuple[str, str], list[str]]:
    """Score the language as an organiser would; return table and run -> cells as printed."""
    gold = f"gold/ave2007-{language}"
    runs = sorted(str(path) for path in Path(f"sample_runs/ave2007-{language}").glob("*.txt"))
    groups = f"{gold}.groups.tsv"
    arguments = ["score", f"{gold}.xml", *runs, "--qa", f"{gold}.qa.tsv", "--groups", groups]
    assert run([*arguments, "--format", "markdown"]) == 0
    tables: dict[tuple[str, str], list[str]] = {}
    title = ""
    for line in capsys.readouterr().out.splitlines():
        if line.startswith("### "):
            title = line.split()[1].strip(",").lower()
        elif line.startswith("|"):
            cells = [cell.strip(" *") for cell in line.strip("|").split("|")]
            tables[title, cells[1].replace("\\", "")] = cells
    return tables


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("table", ["validation", "selection"])
def test_every_published_figure(
    table: str, language: str, capsys: pytest.CaptureFixture[str]
) -> None:
    tables = printed(language, capsys)
    heads = ["#", "Run", "Group", "Kind", "F", "Precision", "Recall"]
    if table == "selection":
        heads = ["#", "Run", "Group", "Kind", "QA accuracy", "% of perfect"]
    assert tables[table, "Run"] == heads
    rows = [row for row in published(table) if row["lang"] == language]
    assert rows
    for row in rows:
        cells = tables[table, row["run"]]
        expected = [row[column] for column in COLUMNS if column in row]
        assert [*map(Decimal, cells[4:])] == [*map(Decimal, expected)], row
        assert cells[3] == row["kind"]


def test_the_number_of_figures_is_that_of_the_papers() -> None:
    """A.8-A.11 have 24 rows of three figures, A.12-A.15 have 47 of two (gold/README.md)."""
    assert (len(published("validation")), len(published("selection"))) == (24, 47)


@pytest.mark.parametrize("language", LANGUAGES)
def test_order_of_the_published_tables(language: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Rows come in the papers' order wherever the printed main figure tells two rows apart."""
    tables = printed(language, capsys)
    for table, main in (("validation", "f1"), ("selection", "percent_of_perfect")):
        order = [name for title, name in tables if title == table]
        rows = [row for row in published(table) if row["lang"] == language]
        for above, below in itertools.pairwise(rows):
            if Decimal(above[main]) > Decimal(below[main]):
                assert order.index(above["run"]) < order.index(below["run"])


@pytest.mark.parametrize("row", published("collections"), ids=lambda row: row["lang"])
def test_collections_have_the_published_size(
    row: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    printed(row["lang"], capsys)  # the files are sound
    import ave_score

    collection = ave_score.read_collection(f"gold/ave2007-{row['lang']}.xml")
    labels = {label: collection.labelled(label) for label in ave_score.Label}
    assert len(collection.roster.questions) == int(row["questions"])
    assert len(collection.roster) == int(row["answers"])
    assert labels[ave_score.Label.VALIDATED] == int(row["validated"])
    assert labels[ave_score.Label.REJECTED] == int(row["rejected"])
    assert labels[ave_score.Label.UNKNOWN] == int(row["unknown"])
    assert collection.questions_with_correct == int(row["questions_with_correct"])
