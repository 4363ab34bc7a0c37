"""CSV for readers: no text in it is a formula to a spreadsheet, and numbers stay numbers."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from pathlib import Path

import pytest

import ave_score
from tests import mostly_slow
from tests.helpers_command import here_with, output
from tests.helpers_files import COLLECTION, RUN, put, with_line

FORMULAS = ("=", "+", "-", "@", "\t", "\r", "\uff1d", "\uff0b", "\uff0d", "\uff20")
"""What OWASP's page on CSV injection lists."""

NAMES = [
    "=1+1", "+1", "-5", "-0.5", "@SUM(1)", "\tt", "\rr", "\uff1d1+1", '=HYPERLINK("x")', "plain",
]  # fmt: skip
"""Names of runs, teams and teams; -5 and -0.5 are names and no numbers."""

WRONG = with_line(4, "2 2_2 REJECTED 0.7").replace("2_1 VALIDATED", "2_1 SELECTED")
"""A run that is worse than `RUN`, so that differences are negative in one direction."""


SWAPPED = """\
1 1_1 REJECTED 1
1 1_2 SELECTED 1
2 2_1 SELECTED 1
2 2_2 REJECTED 1
3 3_1 REJECTED 1
"""
"""A run that swaps all decisions: its MCC is -1."""


here = here_with(
    {"gold.xml": COLLECTION}
    | {f"runs/{name}.txt": (RUN, WRONG)[at % 2] for at, name in enumerate(NAMES)}
)


def rows_of(text: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text, newline="")))


def with_runs(arguments: Sequence[str]) -> list[str]:
    files = [f"runs/{name}.txt" for name in NAMES]
    return [one for argument in arguments for one in (files if argument == "runs" else [argument])]


def is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True


def check(guarded: str) -> None:
    """Look at all cells: an apostrophe is before a text that would be a formula, and only there.

    A name may be a number, but is a text.
    """
    cells = {cell for row in rows_of(guarded) for cell in row}
    assert any(cell.startswith("'") for cell in cells)
    for cell in cells:
        assert not cell.startswith(FORMULAS) or is_number(cell)
        assert cell not in NAMES or cell == "plain"
        if cell.startswith("'"):
            assert cell[1:].startswith(FORMULAS)
            assert cell[1:] in NAMES or not is_number(cell[1:])


COMMANDS = {
    "score": ["score", "gold.xml", "runs", "-m", "f1,mcc,cohen_kappa"],
    "score, digits": ["score", "gold.xml", "runs", "-m", "mcc", "--digits", "3", "--ci", "95"],
    "teams of runs": ["score", "gold.xml", "runs", "--teams", "runs.tsv"],
    "breakdown": ["score", "gold.xml", "runs", "-m", "mcc", "--breakdown", "questions.tsv"],
    "sweep": ["score", "gold.xml", "runs", "--sweep", "mcc"],
    "compare": ["compare", "gold.xml", "runs", "-m", "mcc", "--teams", "runs.tsv"],
    "compare, digits": ["compare", "gold.xml", "runs", "-m", "mcc", "--digits", "2"],
    "agree": ["agree", "runs"],
    "stats": ["stats", "=gold.xml", "gold.xml"],
}


@pytest.mark.parametrize("arguments", mostly_slow(COMMANDS.values(), 4), ids=COMMANDS)
def test_no_text_of_a_command_is_a_formula(here: Path, arguments: Sequence[str]) -> None:
    put(here, COLLECTION, "=gold.xml")
    put(here, "1\t=A\n2\t-5\n3\t@B\n", "questions.tsv")
    known = [name for name in NAMES if name.isprintable()]
    put(here, "".join(f"{name}\t{name}\n" for name in known), "runs.tsv")
    check(output(*with_runs(arguments), "-f", "csv"))


def test_negative_figures_are_numbers(here: Path) -> None:
    """Exact or rounded, a figure is a number in CSV."""
    put(here, SWAPPED, "runs/-5.txt")
    for digits, expected in (([], "-1.0"), (["--digits", "2"], "-1.00")):
        rows = csv.DictReader(
            io.StringIO(
                output("score", "gold.xml", "runs/-5.txt", "-m", "mcc", "-f", "csv", *digits)
            )
        )
        assert ("'-5", expected) in [(row["run"], row["mcc"]) for row in rows]


def test_python_and_converted_files_have_the_names_as_they_are(here: Path) -> None:
    scores = ave_score.score("gold.xml", ["runs/=1+1.txt"])
    assert "=1+1" in scores.to_frame().reset_index().to_numpy()
    assert "\n'=1+1," in scores.to_text("csv")
    put(here, RUN.replace("1 1_", "=1 1_"), "run.txt")
    assert output("convert", "run.txt", "--to", "csv").splitlines()[1] == "=1,1_1,SELECTED,0.9"
