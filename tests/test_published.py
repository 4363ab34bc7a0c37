"""The published tables of AVE 2006-2008, figure by figure, out of the command line on shipped data.
The expected figures are those of the papers, written out in gold/published/*.tsv exactly as they
were printed; gold/README.md names the sources. docs/explanation/reproduction.md shows them all."""

from __future__ import annotations

import contextlib
import csv
import io
import itertools
from decimal import Decimal
from functools import cache

import pytest

import ave_score
from ave_score.commands import run
from tests import each
from tests.conftest import ROOT
from tools import reproduction
from tools.own import own_files

COLUMNS = {
    "validation": ["f1", "precision", "recall"],
    "selection": ["estimated_qa_performance", "qa_accuracy", "percent_of_perfect",
        "qa_rej_accuracy", "qa_accuracy_max"],
}  # fmt: skip
IN_2007 = {"f1", "precision", "recall", "qa_accuracy", "percent_of_perfect"}
LAYOUT = {"2006": "f1,precision,recall", "2007": "ave2007", "2008": "ave2008"}
MISPRINT = ("A.23", "Moriceau_2", "qa_accuracy_max")
"""Printed 0.67, the sum of two rounded figures; 21/108 + 52/108 = 73/108 is 0.68."""

Key = tuple[str, str, str]


def published(name: str) -> dict[Key, list[dict[str, str]]]:
    """Return the rows of each table, in the order of the papers."""
    with (ROOT / "gold" / "published" / f"{name}.tsv").open(encoding="utf-8") as lines:
        rows = list(csv.DictReader(lines, delimiter="\t"))
    key = lambda row: (row["table"], row["edition"], row["lang"])  # noqa: E731
    return {table: list(several) for table, several in itertools.groupby(rows, key=key)}


VALIDATION, SELECTION = published("validation"), published("selection")
EVERY = [("validation", key) for key in VALIDATION] + [("selection", key) for key in SELECTION]


def arguments(edition: str, language: str) -> list[str]:
    """Return the command that an organiser would give."""
    packed = "" if edition == "2007" else ".gz"
    gold = f"gold/ave{edition}-{language}"
    runs = [*map(str, own_files(f"sample_runs/ave{edition}-{language}"))]
    judged = [] if edition == "2006" else ["--qa", f"{gold}.qa.tsv{packed}"]
    teams = ["--teams", f"{gold}.teams.tsv"]
    layout = ["--measures", LAYOUT[edition], "--format", "markdown"]
    return ["score", f"{gold}.xml{packed}", *runs, *judged, *teams, *layout]


@cache
def printed(edition: str, language: str) -> dict[tuple[str, str], list[str]]:
    """Score a language; return table and run -> cells as printed."""
    with contextlib.redirect_stdout(io.StringIO()) as out:
        assert run(arguments(edition, language)) == 0
    tables: dict[tuple[str, str], list[str]] = {}
    title = ""
    for line in out.getvalue().splitlines():
        if line.startswith("### "):
            title = line.split()[1].strip(",").lower()
        elif line.startswith("|"):
            cells = [cell.strip(" *") for cell in line.strip("|").split("|")]
            tables[title, cells[1].replace("\\", "")] = cells
    return tables


@pytest.mark.parametrize(("table", "key"), EVERY, ids=str)
def test_every_published_figure(table: str, key: Key) -> None:
    tables = printed(*key[1:])
    for row in (VALIDATION if table == "validation" else SELECTION)[key]:
        cells = tables[table, row["run"]]
        assert cells[3] == row["kind"]
        names = [name for name in COLUMNS[table] if key[1] == "2008" or name in IN_2007]
        assert len(cells) == 4 + len(names)
        for name, cell in zip(names, cells[4:], strict=True):
            if (key[0], row["run"], name) == MISPRINT:
                assert (row[name], cell) == ("0.67", "0.68")
            elif row[name]:
                assert Decimal(cell) == Decimal(row[name]), (row, name)
        assert sum(bool(row[name]) for name in names) >= 2


def test_the_number_of_rows_is_that_of_the_papers() -> None:
    """A.1-A.11 and A.16-A.20 have 110 rows, A.12-A.15 and A.21-A.25 have 116."""
    assert sum(map(len, VALIDATION.values())) == 110
    assert sum(map(len, SELECTION.values())) == 116
    assert (len(VALIDATION), len(SELECTION)) == (16, 9)


@each("table, key", EVERY)
def test_order_of_the_published_tables(table: str, key: Key) -> None:
    """Rows come in the papers' order wherever the printed main figure tells two rows apart."""
    main = "f1"
    if table == "selection":
        main = "estimated_qa_performance" if key[1] == "2008" else "percent_of_perfect"
    order = [name for title, name in printed(*key[1:]) if title == table]
    rows = (VALIDATION if table == "validation" else SELECTION)[key]
    for above, below in itertools.combinations([row for row in rows if row[main]], 2):
        if Decimal(above[main]) > Decimal(below[main]):
            assert order.index(above["run"]) < order.index(below["run"])


def collections() -> list[dict[str, str]]:
    with (ROOT / "gold" / "published" / "collections.tsv").open(encoding="utf-8") as lines:
        return list(csv.DictReader(lines, delimiter="\t"))


@each("row", collections())
def test_collections_have_the_published_size(row: dict[str, str]) -> None:
    packed = "" if row["edition"] == "2007" else ".gz"
    collection = ave_score.read_collection(f"gold/ave{row['edition']}-{row['lang']}.xml{packed}")
    labels = {label: collection.labelled(label) for label in ave_score.Label}
    assert len(collection.index) == int(row["answers"])
    assert labels[ave_score.Label.VALIDATED] == int(row["validated"])
    assert labels[ave_score.Label.REJECTED] == int(row["rejected"])
    assert labels[ave_score.Label.UNKNOWN] == int(row["unknown"])
    assert collection.languages == (row["lang"].upper(),)
    if row["questions"]:
        assert len(collection.index.questions) == int(row["questions"])
    if row["questions_with_correct"]:
        assert collection.questions_with_correct == int(row["questions_with_correct"])
    if row["percent_of_available"]:
        assert collection.available is not None
        percent = Decimal(100 * int(row["answers"])) / collection.available
        assert abs(percent - Decimal(row["percent_of_available"])) < Decimal("0.05")


@pytest.mark.slow
def test_the_figures_of_the_reproduction_are_those_of_the_files() -> None:
    """Counted here by hand of the files: every cell of the published columns that is not blank."""
    columns = {
        "validation": COLUMNS["validation"],
        "selection": COLUMNS["selection"],
        "answering": [*reproduction.ANSWERING],
        "collections": [*reproduction.COLLECTIONS],
    }
    printed_figures = 0
    for name, wanted in columns.items():
        with (ROOT / "gold" / "published" / f"{name}.tsv").open(encoding="utf-8") as lines:
            for row in csv.DictReader(lines, delimiter="\t"):
                printed_figures += sum(bool(row[column]) for column in wanted)
    matching, explained, total = reproduction.counts()
    assert total == printed_figures
    assert (total - matching, explained) == (2, 2)  # Moriceau_2, and 21.4 % of Bulgarian
