"""Measures processes in turns, and keeps tables of figures; see README.md in this folder.

Each benchmark writes its tables under its own name into results.json; `page` is
docs/explanation/speed.md, which `python -m tools.generate` makes of them.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from importlib import metadata
from pathlib import Path
from statistics import median

SLOW = 10
"""Seconds; what takes longer is run in the first turn only."""

LIMIT = 120
"""Seconds; what takes longer is stopped."""

RESULTS = Path(__file__).with_name("results.json")
LAUNCH = str(Path(__file__).with_name("launch.py"))

LIBRARIES = (
    *("click", "lxml", "rich", "numpy", "pandas", "scikit-learn", "scipy", "polars", "duckdb"),
    *("pyarrow", "narwhals", "pyspark", "pytrec-eval-terrier", "ir-measures", "ranx"),
)

SECTIONS = {
    "run": "Compared with other programs",
    "growth": "Growth",
    "inference": "Inference",
    "engine": "Engines",
}
"""The benchmarks on the page, by the names of their programs, and their headings."""

INTRODUCTION = """# Speed

ave_score checks every file and computes exact figures. This page shows what that costs, compared
with scripts and programs that you could use instead. The programs in `benchmarks/` measured it,
and `python -m tools.generate` makes the page from `benchmarks/results.json`.

Times are ratios to the first row of a table, or to its first cell. All commands of a table ran in
turns on one machine. On another machine ratios differ less than seconds do.

| column | meaning |
| --- | --- |
| time | wall-clock time of the whole process; after ">", the process was stopped at this time |
| cpu | time on all cores |
| peak MB | memory of the largest process, in units of 2^20 bytes |
| goal | limit for the time ratio or for the memory |
"""

Cell = str | int | float | None


@dataclass(frozen=True)
class Table:
    """Figures of a benchmark: a text or a number in each cell.

    Floats have two decimals below 10, one below 100 and none above; None is an empty cell.
    """

    title: str
    heads: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    text: str = ""


@dataclass(frozen=True)
class Command:
    """A process to measure.

    Attributes
    ----------
    name
        As tables show it.
    words
        The program and its arguments.
    goal
        What the ratio of its time to that of the base should be: "<= 1.3", ">= 8".
    most
        What its peak should be at most, in MB.
    """

    name: str
    words: Sequence[str]
    goal: str = ""
    most: int | None = None

    def judged(self, ratio: float, peak: float) -> str:
        """Return the goals, with the word for whether they are reached."""
        goals = []
        if self.goal:
            sign, bound = self.goal.split()
            reached = ratio <= float(bound) if sign == "<=" else ratio >= float(bound)
            goals.append((self.goal, reached))
        if self.most:
            goals.append((f"<= {self.most} MB", peak <= self.most))
        return ", ".join(f"{goal} {'reached' if is_ else '**missed**'}" for goal, is_ in goals)


@dataclass(frozen=True)
class Usage:
    """What a process took.

    Attributes
    ----------
    wall, cpu
        In seconds; cpu is that of the process and of those that it started.
    peak
        MB of its largest process.
    ended
        Whether it ended by itself, with exit code 0.
    """

    wall: float
    cpu: float
    peak: float
    ended: bool = True


def used_by(words: Sequence[str], limit: float = LIMIT) -> Usage:
    """Run a process without its output, at most so many seconds; return what it took."""
    command = [sys.executable, "-IS", LAUNCH, str(limit), *words]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, encoding="utf-8")
    wall, cpu, peak, code = map(float, done.stdout.split())
    if code:
        progress(f"exit code {code:.0f}: {' '.join(words)}")
    return Usage(wall, cpu, peak, code == 0)


def ratios(title: str, commands: Sequence[Command], repeats: int, text: str = "") -> Table:
    """Run commands in turns; divide their times by that of the first in the same turn."""
    used: list[list[Usage]] = [[] for _ in commands]
    for turn in range(repeats):
        for command, usages in zip(commands, used, strict=True):
            if turn == 0 or usages[0].wall < SLOW:
                progress(f"{title}, {turn + 1} of {repeats}: {command.name}")
                usages.append(used_by(command.words))
    rows: list[list[Cell]] = []
    if not all(base.ended for base in used[0]):
        sys.exit(f"{commands[0].name} failed, by which the others are divided")
    for command, usages in zip(commands, used, strict=True):
        turns = list(zip(usages, used[0], strict=False))
        wall = median(usage.wall / base.wall for usage, base in turns)
        cpu = median(usage.cpu / base.cpu for usage, base in turns)
        peak = median(usage.peak for usage in usages)
        if all(usage.ended for usage in usages):
            rows.append([command.name, wall, cpu, round(peak), command.judged(wall, peak)])
        else:
            rows.append([command.name, "stopped or failed", None, None, command.goal])
    return Table(title, ["", "time", "cpu", "peak MB", "goal"], rows, text)


def progress(text: str) -> None:
    """Say on standard error what is being done."""
    print(f"{time.strftime('%H:%M:%S')} {text}", file=sys.stderr, flush=True)


def benchmark(
    name: str,
    description: str | None,
    tables: Callable[[argparse.Namespace], Iterable[Table]],
) -> None:
    """Read the arguments, print the tables as they are made, and keep them if asked to.

    Parameters
    ----------
    name
        The name of the program in `SECTIONS`.
    description
        Its docstring.
    tables
        What makes its tables, of the arguments: `quick`, `repeats` and `before` (a path).
    """
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--quick", action="store_true", help="a tenth of the data")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--write", action="store_true", help=f"write to {RESULTS.name}")
    parser.add_argument("--before", help="the ave-score of another version, to measure beside")
    options = parser.parse_args()
    made = []
    for table in tables(options):
        made.append(table)
        print(f"\n{markdown(table)}", flush=True)
    if options.write:
        write(name, made, is_quick=options.quick)


def write(name: str, tables: Sequence[Table], *, is_quick: bool) -> None:
    """Replace the tables of a benchmark in results.json."""
    results = json.loads(RESULTS.read_text("utf-8")) if RESULTS.exists() else {}
    results[name] = {
        "date": time.strftime("%Y-%m-%d", time.gmtime()),
        "machine": machine(),
        "quick": is_quick,
        "tables": [asdict(table) for table in tables],
    }
    # three significant digits, as many as a measurement is worth
    results = json.loads(
        json.dumps(results), parse_float=lambda digits: float(f"{float(digits):.3g}")
    )
    text = json.dumps(results, indent=1, sort_keys=True)
    text = re.sub(r"\[\s+([^\[\]{}]*?)\s+\]", lambda row: re.sub(r"\n\s+", " ", row[0]), text)
    RESULTS.write_text(f"{text}\n", "utf-8")


def machine() -> str:
    """Return a description of this machine and of the versions, without any name or path."""
    cpu = re.search(r"model name\s*: (.+)", _text_of("/proc/cpuinfo"))
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    cores = f"{len(os.sched_getaffinity(0))} cores"
    hardware = f"{cores} ({cpu[1] if cpu else platform.machine()}), {memory:.0f} GB"
    system = f"{platform.system()}, {platform.python_implementation()} {platform.python_version()}"
    return "; ".join([hardware, system, ", ".join(_versions())])


def _text_of(path: str) -> str:
    return Path(path).read_text("utf-8") if Path(path).exists() else ""


def _versions() -> Iterator[str]:
    for library in LIBRARIES:
        try:
            yield f"{library} {metadata.version(library)}"
        except metadata.PackageNotFoundError:
            continue


def page() -> str:
    """Return docs/explanation/speed.md."""
    results = json.loads(RESULTS.read_text("utf-8"))
    parts, machine = [INTRODUCTION], ""
    for name, heading in SECTIONS.items():
        if name in results:
            its = results[name]
            extent = ", on a tenth of the data" if its["quick"] else ""
            where = "the same machine" if its["machine"] == machine else its["machine"]
            machine = its["machine"]
            program = f"`python -m benchmarks.{name}`{extent}"
            parts += [
                f"## {heading}\n",
                f"Measured by {program}, on {its['date']}, on {where}.\n",
                *(f"#{markdown(Table(**table))}" for table in its["tables"]),
            ]
    return "\n".join(parts)


def markdown(table: Table) -> str:
    """Return a table with its title, in Markdown."""
    rules = ["---", *["--:"] * (len(table.heads) - 1)]
    rows = [table.heads, rules, *([_cell(cell) for cell in row] for row in table.rows)]
    lines = [f"| {' | '.join(row)} |" for row in rows]
    return "\n".join(
        [f"## {table.title}", "", *([table.text, ""] if table.text else []), *lines, ""]
    )


def _cell(value: Cell) -> str:
    if isinstance(value, float):
        digits = 2 if value < 10 else 1 if value < 100 else 0
        return f"{round(value, digits) + 0.0:,.{digits}f}"  # -0.0 + 0.0 is 0.0
    return "" if value is None else f"{value:,}" if isinstance(value, int) else value
