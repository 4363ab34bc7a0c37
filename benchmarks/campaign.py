"""Times a large campaign, the first time and after a change; see README.md in this folder."""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.data import make

LANGUAGES = ("bg", "de", "en", "es", "fr", "it", "nl", "pt")


def prepare(folder: Path, editions: int, runs: int, questions: int, answers: int) -> Path:
    """Write collections, runs and the campaign file that names them; return that."""
    lines = ['title = "A large campaign"', 'output = "results"']
    for edition in range(2006, 2006 + editions):
        lines += [f"[editions.{edition}]", 'measures = "ave2008"']
        for language in LANGUAGES:
            place = folder / f"{edition}-{language}"
            place.mkdir()
            make(place, runs, questions, answers, ("gold.xml", ".txt"))
            (place / "runs").mkdir()
            for run in place.glob("run*.txt"):
                run.rename(place / "runs" / run.name)
            lines += [
                f"[editions.{edition}.languages.{language}]",
                f'collection = "{place.name}/gold.xml"',
                f'runs = "{place.name}/runs"',
            ]
    campaign = folder / "campaign.toml"
    campaign.write_text("\n".join(lines) + "\n")
    return campaign


def contents(folder: Path) -> dict[str, bytes]:
    """Return every file of the results."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*.*")}


def timed(campaign: Path, what: str) -> None:
    """Run the campaign and print how long it took and what it said."""
    start = time.perf_counter()
    command = [sys.executable, "-m", "ave_score", "campaign", str(campaign)]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
    seconds = time.perf_counter() - start
    print(f"{what:<24} {seconds:6.2f} s  exit {done.returncode}  {done.stdout.splitlines()[-1]}")


def main() -> None:
    """Make the data, then score it three times: new, unchanged, one run changed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="one edition of five runs each")
    editions, runs = (1, 5) if parser.parse_args().quick else (3, 80)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        campaign = prepare(folder, editions, runs, questions=150, answers=7)
        timed(campaign, "all new")
        first = contents(folder / "results")
        timed(campaign, "unchanged")
        print(f"{'':<24} byte-identical: {contents(folder / 'results') == first}")
        run = folder / "2006-es" / "runs" / "run00.txt"
        run.write_text(run.read_text().replace("SELECTED", "VALIDATED"))
        timed(campaign, "one run is defective")
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    print(f"{'peak memory':<24} {peak:6.0f} MB")


if __name__ == "__main__":
    main()
