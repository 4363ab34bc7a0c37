"""Tables counted by Spark on this machine: equal to answers that are read one by one."""

from __future__ import annotations

import importlib.util
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import polars as pl
import pytest

import ave_score
from tests.helpers_command import document_of, refusal
from tests.helpers_engine import COUNTED, in_parts, plain_scores, rows_of, write
from tests.oracle import make_campaign, naive_scores

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

ABSENT = [
    name
    for name, is_there in {
        "pyspark": importlib.util.find_spec("pyspark") is not None,
        "Java": bool(shutil.which("java") or os.environ.get("JAVA_HOME")),
    }.items()
    if not is_there
]

pytestmark = [
    pytest.mark.spark,
    pytest.mark.skipif(bool(ABSENT), reason=f"SPARK IS NOT TESTED: no {' and no '.join(ABSENT)}"),
    pytest.mark.filterwarnings("ignore"),  # of pyspark about pandas, and of its sockets
]


@pytest.fixture(scope="module", autouse=True)
def spark() -> Iterator[SparkSession]:
    """A session of two cores, which `--engine spark` then finds."""
    from pyspark.sql import SparkSession

    settings = {
        "spark.master": "local[2]",
        "spark.driver.memory": "1g",
        "spark.sql.shuffle.partitions": "2",
        "spark.ui.enabled": "false",
    }
    builder = SparkSession.builder
    for name, value in settings.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    yield session
    session.stop()


@pytest.mark.parametrize(("parts", "suffix"), [(1, ".csv"), (3, ".tsv"), (16, ".parquet")])
def test_shuffled_parts_give_the_figures_of_the_naive_scorer(
    tmp_path: Path, parts: int, suffix: str
) -> None:
    campaign = make_campaign(parts, questions=60, runs=2)
    gold, runs = rows_of(campaign)
    both = pl.concat(
        [run.with_columns(run=pl.lit(name)) for name, run in zip("ab", runs, strict=True)]
    )
    paths = [in_parts(gold, tmp_path / "gold", parts, suffix)]
    paths.append(in_parts(both, tmp_path / "runs", parts, suffix))
    document = document_of("score", *paths, "--engine", "spark", "-m", COUNTED)
    rows = {row["run"]: row for row in document["runs"]}
    read = plain_scores(gold, dict(zip("ab", runs, strict=True)))
    assert [*rows] == [*read]
    for name, row in read.items():
        counts = dict(pair for count in row.counts.values() for pair in count.numbers().items())
        assert {key: float(count) for key, count in counts.items()} == rows[name]["counts"]
    for name, text in zip("ab", campaign.runs, strict=True):
        for measure, value in naive_scores(campaign.gold, text).items():
            assert rows[name]["measures"][measure] == (None if value is None else float(value))


def test_shipped_runs_as_frames(spark: SparkSession, tmp_path: Path) -> None:
    gold = ave_score.read_collection("gold/ave2007-es.xml")
    write(gold.to_frame("polars").select("q_id", "a_id", "label"), tmp_path / "gold.parquet")
    runs = [
        ave_score.read_run(f"sample_runs/ave2007-es/{name}.txt", gold)
        for name in ("Rodrigo", "Tellez_1")
    ]
    for run in runs:
        frame = run.to_frame("polars").select("q_id", "a_id", "verdict")
        write(frame, tmp_path / f"{run.name}.parquet")
    frames = {run.name: spark.read.parquet(str(tmp_path / f"{run.name}.parquet")) for run in runs}
    found = ave_score.score(spark.read.parquet(str(tmp_path / "gold.parquet")), frames)
    read = ave_score.score(gold, iter(runs)).rows
    assert found.rows == [row._replace(digest=b"") for row in read]  # counts have no digest


def test_defects_are_those_that_duckdb_finds(tmp_path: Path) -> None:
    """Unknown, missing and repeated answers, wrong words, and two selections, in one run."""
    gold, (run,) = rows_of(make_campaign(1, questions=30, runs=1))
    wrong = [
        run[5:],
        run[7:9],
        run[10:11].with_columns(verdict=pl.lit("perhaps")),
        run[11:14].with_columns(verdict=pl.lit("SELECTED")),
        run[14:15].with_columns(a_id=pl.lit("none")),
        run[15:16].with_columns(q_id=pl.lit("none")),
        run[16:17].with_columns(q_id=pl.lit(None, pl.String)),
    ]
    paths = [write(gold, tmp_path / "g.parquet")]
    paths.append(in_parts(pl.concat(wrong), tmp_path / "r", 3, ".csv"))
    engines = "duckdb", "spark"
    found = [refusal("score", *paths, "--engine", engine, code=1) for engine in engines]
    assert found[0] == found[1]
    codes = ("AVE102", "AVE201", "AVE202", "AVE204", "AVE205", "AVE206", "AVE301", "AVE505")
    assert all(code in found[0] for code in codes)


@pytest.mark.parametrize("row", ["1,1_1,SELECTED,1", "1,1_1"])
def test_rows_of_another_width_are_refused(tmp_path: Path, row: str) -> None:
    gold, (run,) = rows_of(make_campaign(1, questions=3, runs=1))
    path = Path(write(run.drop("confidence"), tmp_path / "r.csv"))
    path.write_text(path.read_text() + row + "\n")
    err = refusal("score", write(gold, tmp_path / "g.csv"), path, "--engine", "spark")
    assert "the engine cannot read it" in err
