"""Prints what `score --engine` takes beside `score` without an engine; see README.md."""

from __future__ import annotations

import argparse
import json
import os
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import duckdb

from benchmarks.results import Cell, Command, Table, benchmark, progress, ratios, used_by
from benchmarks.run import AVE_SCORE

ANSWERS = 10
"""Answers a question."""

LABELS = "case when h % 100 < 25 then 'VALIDATED' else 'REJECTED' end"
VERDICTS = (
    "case when hq % 3 > 0 and hq % 10 = k then 'SELECTED' "
    "when hq % 3 > 0 and h % 7 = 0 then 'VALIDATED' else 'REJECTED' end"
)
COUNTED = {
    "internal.metrics.shuffle.write.recordsWritten": "rows shuffled per answer",
    "internal.metrics.shuffle.write.bytesWritten": "bytes shuffled per answer",
    "internal.metrics.executorCpuTime": "nanoseconds of a core per answer",
}
"""Metrics of Spark's stages, and what they are divided by the answers of a run."""


def make_tables(folder: Path, rows: int) -> None:
    """Write gold and a run of so many answers: Parquet, CSV, and the lines of a run."""
    connection = duckdb.connect()
    connection.execute(
        f"create table answers as select (i // {ANSWERS})::varchar as q_id, hash(i) as h, "
        f"q_id || '_' || (i % {ANSWERS}) as a_id, hash(i // {ANSWERS}) as hq, i % {ANSWERS} as k "
        f"from range({rows}) numbers(i)"
    )
    gold = f"select q_id, a_id, {LABELS} as label from answers"
    run = f"select q_id, a_id, {VERDICTS} as verdict, h % 1000 / 1000 as confidence from answers"
    for name, query in {"gold": gold, "run": run}.items():
        connection.execute(f"copy ({query}) to '{folder / name}.parquet'")
        connection.execute(f"copy ({query}) to '{folder / name}.csv' (header)")
    connection.execute(f"copy ({run}) to '{folder}/run.txt' (header false, delimiter ' ')")


def score(folder: Path, gold: str, run: str, *options: str) -> list[str]:
    """Return the command that scores two files of a folder."""
    return [AVE_SCORE, "score", str(folder / gold), str(folder / run), "-f", "csv", *options]


def beside(folder: Path, rows: int, repeats: int) -> Table:
    """Compare the engines with `score`, of the same decisions."""
    plain = Command("`score`, CSV and lines", score(folder, "gold.csv", "run.txt"))
    engines = [
        Command(
            f"`--engine {engine}`, {kind}",
            score(folder, f"gold.{suffix}", f"run.{suffix}", "--engine", engine),
        )
        for engine, kind, suffix in (
            ("duckdb", "CSV", "csv"),
            ("duckdb", "Parquet", "parquet"),
            ("spark", "Parquet", "parquet"),
        )
    ]
    text = "cpu and memory of Spark are those of Python alone, not of its JVM (4 GB, two cores)."
    return ratios(f"One run of {rows:,} answers, on engines", [plain, *engines], repeats, text)


def moved(folder: Path, rows: int) -> Table:
    """Return what Spark shuffles and computes, by its own log of events."""
    with tempfile.TemporaryDirectory() as log:
        events = {"enabled": "true", "dir": f"file://{log}", "compress": "false"}
        events["rolling.enabled"] = "false"
        settings = "".join(
            f"--conf spark.eventLog.{name}={event} " for name, event in events.items()
        )
        before = os.environ["PYSPARK_SUBMIT_ARGS"]
        os.environ["PYSPARK_SUBMIT_ARGS"] = settings + before
        used_by(score(folder, "gold.parquet", "run.parquet", "--engine", "spark"))
        os.environ["PYSPARK_SUBMIT_ARGS"] = before
        time.sleep(5)  # the JVM ends after the command
        totals: Counter[str] = Counter()
        for path in Path(log).rglob("*"):
            for line in path.read_text("utf-8").splitlines() if path.is_file() else ():
                stage = json.loads(line).get("Stage Info", {})
                for counter in stage.get("Accumulables", ()) if "Completion Time" in stage else ():
                    if counter["Name"] in COUNTED:
                        totals[counter["Name"]] += int(counter["Value"])
    shares: list[list[Cell]] = [[what, totals[name] / rows] for name, what in COUNTED.items()]
    return Table(f"What Spark does with {rows:,} answers", ["", "number"], shares)


def tables(options: argparse.Namespace) -> Iterator[Table]:
    """Measure a large run and a very large one."""
    os.environ["PYSPARK_SUBMIT_ARGS"] = "--master local[2] --driver-memory 4g pyspark-shell"
    least = 100_000 if options.quick else 1_000_000
    for rows in (least, 10 * least):
        with tempfile.TemporaryDirectory() as name:
            progress(f"making {rows:,} answers")
            make_tables(Path(name), rows)
            yield beside(Path(name), rows, options.repeats)
            if rows > least:
                yield moved(Path(name), rows)


if __name__ == "__main__":
    benchmark("engine", __doc__, tables)
