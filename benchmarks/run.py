"""Times ave_score beside its peers and beside itself, whole processes; see README.md."""

from __future__ import annotations

import argparse
import csv
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from benchmarks.data import make
from benchmarks.peers import PEERS, Peer
from benchmarks.results import Command, Table, benchmark, progress, ratios

AVE_SCORE = str(Path(sys.executable).with_name("ave-score"))
"""As people call it: `python -m` takes some time itself."""

NUMBERS = re.compile(r"(?<=\s)\d+\.\d+(?:e-\d+)?(?=\s)")


def python(code: str) -> Command:
    """Return a process that runs a line of Python."""
    return Command(f"`{code}`", [sys.executable, "-c", code])


def files(folder: Path, gold: str = "gold.xml", suffix: str = "") -> list[str]:
    """Return the gold file of a folder and its runs."""
    return [str(folder / gold), *sorted(map(str, folder.glob(f"run*.txt{suffix}")))]


def start_up(folder: Path, repeats: int) -> Iterator[Table]:
    """Compare small files with the imports that they cannot do without."""
    make(folder, 8, 200, 5, ("gold.xml", ".txt"))
    gold, *runs = files(folder)
    check, score = [AVE_SCORE, "check", runs[0]], [AVE_SCORE, "score", gold, *runs]
    commands = [
        python("import click, lxml.etree"),
        python("pass"),
        Command("`ave-score --help`", [AVE_SCORE, "--help"]),
        Command("`check` with the collection", [*check, "--collection", gold], "<= 1.3"),
        Command("`check`", check),
    ]
    yield ratios("Start-up: `check` of 1,000 answers", commands, repeats)
    commands = [
        python("import click, lxml.etree, rich.table"),
        Command("`score`", score, "<= 1.6"),
        Command("`score -f json`", [*score, "-f", "json"]),
    ]
    yield ratios("Start-up: `score` of 8 runs of 1,000 answers", commands, repeats)


def present(folder: Path) -> Iterator[Peer]:
    """Yield the peers that are installed, if they print the figures that ave_score prints."""
    names = sorted({name for peer in PEERS for name in peer.measures})
    score = [AVE_SCORE, "score", *files(folder), "-m", ",".join(names), "-f", "csv"]
    rows = [row for row in csv.DictReader(_output(score).splitlines()) if row["kind"] == "AV"]
    for peer in PEERS:
        if not peer.is_here():
            progress(f"SKIPPED: {peer.name}: {peer.needs} is not installed")
            continue
        printed = NUMBERS.findall(_output(peer.command(folder)))
        expected = [row[name] for row in rows for name in peer.measures]
        if not all(map(_is_equal, printed, expected)) or len(printed) != len(expected):
            sys.exit(f"{peer.name} computes something else: {printed[:4]}, not {expected[:4]}")
        yield peer


def _output(words: list[str]) -> str:
    return subprocess.run(words, check=True, stdout=subprocess.PIPE, encoding="utf-8").stdout


def _is_equal(printed: str, expected: str) -> bool:
    """Return whether a figure is another one, as far as its digits go."""
    digits = min(len(printed.partition(".")[2]), 12)
    return abs(float(printed) - float(expected)) <= 0.5000001 * 10.0**-digits


def bulk(folder: Path, title: str, repeats: int, before: str | None) -> Iterator[Table]:
    """Compare the score of many runs with peers, and their check with their score."""
    gold, *runs = files(folder)
    score = Command("`ave-score score`", [AVE_SCORE, "score", gold, *runs], most=100)
    commands = [score]
    if before:
        commands.append(Command("another version", [before, "score", gold, *runs]))
    for peer in present(folder):
        goal = f">= {peer.goal:.3g}" if peer.goal else ""
        commands.append(Command(peer.name, peer.command(folder), goal))
    commands.append(Command("`cat`, of the same files", ["cat", gold, *runs]))
    text = "Scripts read a plain table of labels without checks. ave-score reads and checks XML."
    if missing := [peer.name for peer in PEERS if not peer.is_here()]:
        text += f" Not installed, so not measured: {'; '.join(missing)}."
    yield ratios(f"{title}, beside other programs", commands, repeats, text)
    check = [AVE_SCORE, "check", *runs]
    commands = [
        score,
        Command("`check --collection`", [*check, "--collection", gold]),
        Command("`check`", check),
    ]
    yield ratios(f"{title}: `check` beside `score`", commands, repeats)


def variants(folder: Path, title: str, repeats: int) -> Iterator[Table]:
    """Compare other orders, forms and options with the default."""
    score = [AVE_SCORE, "score", *files(folder)]
    shuffled, questions = folder / "shuffled", str(folder / "questions.csv")
    outside = folder / "outside"
    shuffled.mkdir()
    outside.mkdir()
    for path in map(Path, score[3:]):
        lines = path.read_text("ascii")
        in_percent = re.sub(r"(?m)\d\.\d+$", lambda row: f"{float(row[0]) * 100:.2f}", lines)
        (outside / path.name).write_text(in_percent, "ascii")
        source = f"--random-source={score[2]}"
        subprocess.run(["shuf", source, path, "-o", shuffled / path.name], check=True)
    for program in (["gzip"], ["xz", "-T0"]):
        subprocess.run([*program, "--keep", "-3", *score[2:]], check=True)
    commands = [
        Command("`ave-score score`", score),
        Command("shuffled rows", [*score[:3], *files(shuffled)[1:]], "<= 2"),
        Command("confidences outside 0..1", [*score[:3], *files(outside)[1:]], "<= 2"),
        Command("gold as TSV", [AVE_SCORE, "score", *files(folder, "gold.tsv")]),
        *(
            Command(f"files{suffix}", [*score[:2], *files(folder, f"gold.xml{suffix}", suffix)])
            for suffix in (".gz", ".xz")
        ),
        Command("`-m ranking`", [*score, "-m", "ranking"], "<= 2"),
        Command("`-m confidence`", [*score, "-m", "confidence"], "<= 2"),
        Command("`--per-question`", [*score, "--per-question", questions], "<= 2"),
        *(Command(f"`-f {form}`", [*score, "-f", form]) for form in ("csv", "json")),
        Command("`--ci 95`", [*score, "--ci", "95"]),
    ]
    yield ratios(f"{title}: other files and options", commands, repeats)


def tables(options: argparse.Namespace) -> Iterator[Table]:
    """Make the tables, each as soon as it is asked for."""
    questions = 1_000 if options.quick else 10_000
    title = f"20 runs of {questions * 10:,} answers"
    with tempfile.TemporaryDirectory() as small, tempfile.TemporaryDirectory() as large:
        yield from start_up(Path(small), 4 * options.repeats)
        progress("making data")
        make(Path(large), 20, questions, 10)
        yield from bulk(Path(large), title, options.repeats, options.before)
        yield from variants(Path(large), title, options.repeats)


if __name__ == "__main__":
    benchmark("run", __doc__, tables)
