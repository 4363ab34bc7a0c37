"""Prints how time and memory grow with rows, runs and answers a question; see README.md."""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median

from benchmarks.data import make
from benchmarks.peers import PEERS
from benchmarks.results import Cell, Command, Table, Usage, benchmark, progress, ratios, used_by
from benchmarks.run import AVE_SCORE, files

LIMIT = 60
"""Seconds; a command that takes longer is stopped, and not tried with more."""

AGAIN = 3
"""Seconds; what takes less is run three times."""


@dataclass(frozen=True)
class Axis:
    """Something that grows.

    Attributes
    ----------
    title, unit
        The title of its table, and what is counted.
    numbers
        How many, from the least to the most.
    shape
        The runs, questions and answers a question that a number stands for.
    commands
        What is measured; `score` and `check` are given the files.
    """

    title: str
    unit: str
    numbers: tuple[int, ...]
    shape: Callable[[int], tuple[int, int, int]]
    commands: tuple[str, ...]

    def folder(self, within: Path, number: int) -> Path:
        """Return the folder with the data of a number."""
        return within / f"{self.unit.replace(' ', '-')}-{number}"


AXES = (
    Axis(
        "Rows of a run, ten answers per question",
        "rows",
        (10_000, 100_000, 1_000_000, 10_000_000),
        lambda rows: (1, rows // 10, 10),
        ("score", "check"),
    ),
    Axis(
        "Runs of 1,000 answers",
        "runs",
        (1, 10, 100, 1_000),
        lambda runs: (runs, 100, 10),
        ("score", "check"),
    ),
    Axis(
        "Answers per question, 10,000 in total",
        "answers per question",
        (2, 10, 100, 1_000, 10_000),
        lambda answers: (1, 10_000 // answers, answers),
        ("score", "score -m confidence", "score -m ranking", "score -m all"),
    ),
)


def words(command: str, folder: Path) -> list[str]:
    """Return a command with the files of a folder."""
    name, *options = command.split()
    gold, *runs = files(folder, "gold.tsv")
    if name == "check":
        return [AVE_SCORE, name, *runs, "--collection", gold]
    return [AVE_SCORE, name, gold, *runs, *options]


def grown(axis: Axis, within: Path) -> Table:
    """Measure each command with each number; cpu by that of the first cell."""
    used: dict[str, list[Usage]] = {command: [] for command in axis.commands}
    for number in axis.numbers:
        progress(f"making {number:,} {axis.unit}")
        folder = axis.folder(within, number)
        folder.mkdir()
        make(folder, *axis.shape(number), ("gold.tsv", ".txt"))
        for command, usages in used.items():
            if all(usage.ended for usage in usages):
                progress(f"{command}, {number:,} {axis.unit}")
                usages.append(_usual(words(command, folder)))
    first, *_ = used[axis.commands[0]]
    rows: list[list[Cell]] = []
    for command, usages in used.items():
        times: list[Cell] = [
            usage.cpu / first.cpu if usage.ended else f"> {usage.cpu / first.cpu:.0f}"
            for usage in usages
        ]
        peaks: list[Cell] = [round(usage.peak) for usage in usages]
        lacking: list[Cell] = [None] * (len(axis.numbers) - len(usages))
        rows += [
            [f"`{command}`, cpu", *times, *lacking],
            [f"`{command}`, peak MB", *peaks, *lacking],
        ]
    return Table(axis.title, [axis.unit, *(f"{number:,}" for number in axis.numbers)], rows)


def _usual(command: list[str]) -> Usage:
    """Return what a command usually takes."""
    usages = [used_by(command, LIMIT)]
    while len(usages) < 3 and usages[0].wall < AGAIN:
        usages.append(used_by(command, LIMIT))
    wall, cpu, peak = (
        median(getattr(usage, name) for usage in usages) for name in ("wall", "cpu", "peak")
    )
    return Usage(wall, cpu, peak, usages[0].ended)


def beside_duckdb(folder: Path, rows: int, repeats: int) -> Iterator[Table]:
    """Compare the score of a large run with the DuckDB script that checks nothing."""
    [peer] = (peer for peer in PEERS if peer.needs == "duckdb")
    if not peer.is_here():
        progress("SKIPPED: DuckDB is not installed")
        return
    score, table = words("score", folder), folder / "run.tsv"
    lines = Path(score[3]).read_text("ascii").replace(" ", "\t")
    table.write_text(f"q_id\ta_id\tverdict\tconfidence\n{lines}", "ascii")
    of_engine = [*score[:3], str(table), "--engine", "duckdb"]
    commands = [
        Command("DuckDB script", peer.command(folder)),
        Command("`score`", score),
        Command("`score --engine duckdb`", of_engine, "<= 1.5"),
    ]
    yield ratios(f"One run of {rows:,} answers beside DuckDB", commands, min(repeats, 3))


def tables(options: argparse.Namespace) -> Iterator[Table]:
    """Make a table for each axis."""
    with tempfile.TemporaryDirectory() as name:
        for axis in AXES:
            numbers = axis.numbers[:-1] if options.quick else axis.numbers
            yield grown(replace(axis, numbers=numbers), Path(name))
            if axis.unit == "rows":
                folder = axis.folder(Path(name), numbers[-1])
                yield from beside_duckdb(folder, numbers[-1], options.repeats)


if __name__ == "__main__":
    benchmark("growth", __doc__, tables)
