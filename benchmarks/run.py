"""Times ave_score beside its peers and prints ratios; see README.md in this folder."""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from importlib.util import find_spec
from pathlib import Path
from xml.parsers import expat

from data import make  # type: ignore[import-not-found]  # beside this file

from ave_score.files.collection import read_collection
from ave_score.files.source import CHUNK, Source
from ave_score.findings import Findings

Timed = Callable[[], object]


def interleaved(jobs: Mapping[str, Timed], repeats: int) -> dict[str, float]:
    """Return the median seconds of each job, run in turns."""
    seconds: dict[str, list[float]] = {name: [] for name in jobs}
    for _ in range(repeats):
        for name, job in jobs.items():
            start = time.perf_counter()
            job()
            seconds[name].append(time.perf_counter() - start)
    return {name: statistics.median(times) for name, times in seconds.items()}


def report(title: str, medians: Mapping[str, float], base: str) -> None:
    """Print a line for each job, with its ratio to the base."""
    print(f"\n{title}")
    for name, seconds in medians.items():
        print(f"  {name:<42} {seconds:8.3f} s   {seconds / medians[base]:6.2f} x")


def process(*arguments: str) -> Timed:
    """Return a job that runs Python with these arguments, its output thrown away."""
    command = [sys.executable, *arguments]
    script = Path(sys.executable).with_name("ave-score")
    if arguments[:2] == ("-m", "ave_score") and script.exists():
        command = [str(script), *arguments[2:]]  # as people call it: -m takes some time itself
    return lambda: subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def score(folder: Path, *options: str) -> Timed:
    """Return a job that scores all runs of a folder."""
    runs = map(str, sorted(folder.glob("run*.txt")))
    return process("-m", "ave_score", "score", str(folder / "gold.xml"), *runs, *options)


def check(folder: Path, *, collection: bool = True) -> Timed:
    """Return a job that checks one run of a folder."""
    run = str(min(folder.glob("run*.txt")))
    against = ["--collection", str(folder / "gold.xml")] if collection else []
    return process("-m", "ave_score", "check", run, *against)


def start_up(repeats: int) -> None:
    """Compare a small campaign with the imports that it cannot do without."""
    with tempfile.TemporaryDirectory() as name:
        make(Path(name), runs=8, questions=200, answers=5)
        base = "import click, lxml.etree, rich.table"
        jobs = {
            base: process("-c", base),
            "import click, lxml.etree": process("-c", "import click, lxml.etree"),
            "ave-score --help": process("-m", "ave_score", "--help"),
            "ave-score score, 8 runs x 1,000 answers": score(Path(name)),
            "the same, --format json": score(Path(name), "--format", "json"),
        }
        report("start-up", interleaved(jobs, repeats), base)
        base = "import click, lxml.etree"
        jobs = {
            base: process("-c", base),
            "ave-score check, 1,000 answers": check(Path(name)),
            "the same without its collection": check(Path(name), collection=False),
        }
        report("start-up of check", interleaved(jobs, repeats), base)


def read_with_expat(path: Path) -> None:
    """Feed a file to expat and keep the ids and labels of answers."""
    kept: list[str] = []

    def start(tag: str, attributes: dict[str, str]) -> None:
        if tag == "a":
            kept.append(attributes["id"])
            kept.append(attributes["value"])

    parser = expat.ParserCreate()
    parser.StartElementHandler = start
    parser.EndElementHandler = lambda _tag: None
    with path.open("rb") as stream:
        for chunk in iter(lambda: stream.read(CHUNK), b""):
            parser.Parse(chunk, False)
    parser.Parse(b"", True)


def campaign(repeats: int, questions: int) -> None:
    """Read a large collection, then score 20 runs against it, beside the peers."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        make(folder, runs=20, questions=questions, answers=10)
        gold = folder / "gold.xml"
        readers = {
            "expat": lambda: read_with_expat(gold),
            "read_collection": lambda: read_collection(Source(gold), Findings(str(gold))),
        }
        size = gold.stat().st_size >> 20
        report(f"reading {size} MB of XML", interleaved(readers, repeats), "expat")
        peers = str(Path(__file__).with_name("peers.py"))
        jobs = {"ave-score score": score(folder)}
        if find_spec("sklearn"):
            jobs["pandas + scikit-learn"] = process(peers, "pandas", name)
        if find_spec("pytrec_eval"):
            jobs["pytrec_eval"] = process(peers, "pytrec_eval", name)
        checks = {
            "ave-score score": jobs["ave-score score"],
            "ave-score check, one run": check(folder),
            "the same without its collection": check(folder, collection=False),
        }
        title = f"check: a run x {questions * 10:,} answers"
        report(title, interleaved(checks, max(1, repeats // 3)), "ave-score score")
        title = f"campaign: 20 runs x {questions * 10:,} answers"
        report(title, interleaved(jobs, max(1, repeats // 3)), "ave-score score")
        print(f"  peak memory of ave-score score: {_peak(folder)} MB")


def _peak(folder: Path) -> int:
    """Return the MB that scoring a folder takes at most."""
    runs = map(str, sorted(folder.glob("run*.txt")))
    command = [sys.executable, "-m", "ave_score", "score", str(folder / "gold.xml"), *runs]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, _, usage = os.wait4(process.pid, 0)
    return usage.ru_maxrss >> 10


def main() -> None:
    """Run every benchmark."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=9)
    parser.add_argument("--quick", action="store_true", help="a tenth of the data")
    given = parser.parse_args()
    start_up(2 * given.repeats)
    campaign(given.repeats, 1_000 if given.quick else 10_000)


if __name__ == "__main__":
    main()
