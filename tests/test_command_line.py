"""The command as a whole: what it imports, a hundred runs at once, progress, help."""

from __future__ import annotations

import random
import re
from pathlib import Path
from unittest.mock import Mock

import pytest

from tests import mostly_slow
from tests.helpers_command import AVE_SCORE, modules_after, output
from tests.helpers_terminal import in_terminal

TINY = ["gold/tiny.xml", "sample_runs/tiny/bold.txt", "sample_runs/tiny/careful.txt"]


def test_scoring_imports_neither_pandas_nor_numpy() -> None:
    heavy = {"pandas", "numpy", "scipy", "matplotlib", "pyarrow", "narwhals", "lxml.etree", "rich"}
    assert not modules_after("score", *TINY) & heavy


@pytest.mark.slow
@pytest.mark.parametrize("format", ["table", "json", "csv", "markdown", "latex"])
def test_no_table_needs_rich(format: str) -> None:
    assert "rich" not in modules_after("score", *TINY, "--format", format)
    assert "rich" not in modules_after("stats", TINY[0], "--format", format)


def test_help_imports_no_reader() -> None:
    modules = modules_after("--help")
    assert "click" in modules
    assert not modules & {"lxml.etree", "rich", "ave_score.core.model", "ave_score.measures"}


@pytest.mark.parametrize("arguments", [["--help"], ["score", "--help"], ["-h"], ["--version"]])
def test_help_and_version(arguments: list[str]) -> None:
    out = output(*arguments)
    assert "ave-score" in out and max(map(len, out.splitlines())) <= 80


def write_campaign(folder: Path, runs: int) -> list[str]:
    """Write a collection of 1,000 answers and some runs; return the arguments that score them."""
    chance = random.Random(7)
    lines = ["<ave>"]
    for q in range(200):
        lines.append(f'<q id="{q:03d}"><q_str>?</q_str>')
        for a in range(5):
            label = chance.choice(["VALIDATED", "REJECTED", "REJECTED", "UNKNOWN"])
            lines.append(f'<a id="{q:03d}_{a}" value="{label}"><a_str>x</a_str></a>')
        lines.append("</q>")
    gold = folder / "gold.xml"
    gold.write_text("\n".join([*lines, "</ave>"]), encoding="utf-8")
    paths = []
    for number in range(runs):
        rows = []
        for q in range(200):
            selected = chance.randrange(-2, 5)
            for a in range(5):
                verdict = "SELECTED" if a == selected else "REJECTED"
                rows.append(f"{q:03d} {q:03d}_{a} {verdict} {chance.random():.3f}\n")
        path = folder / f"run{number:03d}.txt"
        path.write_text("".join(rows), encoding="utf-8")
        paths.append(str(path))
    return [str(gold), *paths]


@pytest.mark.slow
def test_a_hundred_runs_read_the_gold_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    arguments = write_campaign(tmp_path, runs=100)
    opened = Mock(wraps=open)
    monkeypatch.setattr("builtins.open", opened)
    printed = output("score", *arguments)  # no progress where nobody watches
    assert [call.args[0] for call in opened.call_args_list].count(arguments[0]) == 1
    assert len(set(re.findall(r"run\d{3}", printed))) == 100


def test_a_terminal_sees_progress_and_colour(tmp_path: Path) -> None:
    shown, code = in_terminal([*AVE_SCORE, "score", *write_campaign(tmp_path, runs=5)])
    assert code == 0
    assert "Scoring" in shown and "5/5" in shown
    assert "\x1b[1m" in shown  # bold: the best value


def screen(shown: str, width: int) -> list[str]:
    """Return the lines that a terminal of this width has in the end."""
    lines, row, column = [""], 0, 0
    for parameter, final, character in re.findall(r"\x1b\[([?\d;]*)([A-Za-z])|([^\x1b])", shown):
        if character in ("\r", "\n"):
            row, column = (row, 0) if character == "\r" else (row + 1, column)
        elif character:
            row, column = (row + 1, 0) if column == width else (row, column)
            lines[row] = lines[row][:column].ljust(column) + character + lines[row][column + 1 :]
            column += 1
        elif final == "A":
            row -= int(parameter or 1)
        elif final == "K":
            lines[row] = "" if parameter == "2" else lines[row][:column]
        lines += [""] * (row + 1 - len(lines))
    return lines


@pytest.mark.slow
@pytest.mark.parametrize("width", [20, 40, 60, 80])
@pytest.mark.parametrize("columns", mostly_slow(["", "200"], 1))
def test_nothing_of_the_progress_is_left(tmp_path: Path, width: int, columns: str) -> None:
    gold, *runs = write_campaign(tmp_path, runs=5)
    command = [*AVE_SCORE, "check", "-f", "concise", *runs, "--collection", gold]
    shown, code = in_terminal(command, width, COLUMNS=columns)
    assert code == 0
    assert "Checking" in shown
    assert "".join(screen(shown, width)) == "5 files checked, no findings"


def test_a_terminal_that_cannot_erase_sees_no_progress(tmp_path: Path) -> None:
    gold, *runs = write_campaign(tmp_path, runs=5)
    command = [*AVE_SCORE, "check", "-f", "concise", *runs, "--collection", gold]
    assert in_terminal(command, TERM="dumb") == ("5 files checked, no findings\r\n", 0)


def test_no_color_is_respected() -> None:
    shown, code = in_terminal([*AVE_SCORE, "score", *TINY], NO_COLOR="1")
    assert code == 0
    tables = shown[shown.index("gold/tiny.xml") :]
    assert "\x1b" not in tables and "0.75*" in tables
