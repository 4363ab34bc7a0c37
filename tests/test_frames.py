"""Frames in memory, dictionaries, open files and Parquet: read as the file with the same rows."""

from __future__ import annotations

import gzip
import io
import json
from collections.abc import Callable
from datetime import timedelta
from functools import cache
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from pyarrow import parquet

import ave_score
from ave_score import Collection, DefectError, InputError, Label, Run, UsageError
from tests import each, mostly_slow
from tests.helpers_command import ave, output, process, program, refusal
from tests.helpers_files import positions, put

Dicts = list[dict[str, Any]]

ROWS: Dicts = [
    {"q_id": "1", "a_id": "1_1", "verdict": "SELECTED", "confidence": 0.9},
    {"q_id": "1", "a_id": "1_2", "verdict": "REJECTED", "confidence": 0.25},
    {"q_id": "2", "a_id": "2_1", "verdict": "REJECTED", "confidence": 0.1},
]
GOLD: Dicts = [
    {"q_id": "1", "a_id": "1_1", "label": "VALIDATED", "answer": "Ann", "type": "person"},
    {"q_id": "1", "a_id": "1_2", "label": "REJECTED", "answer": None, "type": "person"},
    {"q_id": "2", "a_id": "2_1", "label": "UNKNOWN", "answer": "Rome", "type": None},
]


def columns_of(rows: Dicts) -> dict[str, list[Any]]:
    return {name: [row[name] for row in rows] for name in rows[0]}


def in_parquet(rows: Dicts) -> io.BytesIO:
    out = io.BytesIO()
    parquet.write_table(pa.Table.from_pylist(rows), out)
    out.seek(0)
    return out


MAKERS: dict[str, Callable[[Dicts], Any]] = {
    "rows": list,
    "columns": columns_of,
    "pandas": pd.DataFrame,
    "polars": pl.DataFrame,
    "lazy": lambda rows: pl.DataFrame(rows).lazy(),
    "pyarrow": pa.Table.from_pylist,
    "duckdb": lambda rows: duckdb.from_arrow(pa.Table.from_pylist(rows)),
    "parquet": in_parquet,
}
every_frame = pytest.mark.parametrize("frame", MAKERS)


@every_frame
def test_a_collection_and_a_run_of_frames(frame: str) -> None:
    make = MAKERS[frame]
    collection = Collection.from_frame(make(GOLD))
    assert collection.index.q_ids == ["1", "1", "2"]
    assert collection.index.a_ids == ["1_1", "1_2", "2_1"]
    assert [*collection.labels] == [1, 0, 2]
    assert collection.attributes == {"type": {"1": "person"}}
    run = Run.from_frame(make(ROWS), collection, name="r")
    assert run.name == "r"
    assert [*run.verdicts] == [3, 1, 1]
    assert [*run.confidences] == [0.9, 0.25, 0.1]
    # 1_1 is accepted and correct, 1_2 rejected and incorrect: F = 1; 1 of 2 questions is right
    scores = ave_score.score(collection, {"a": make(ROWS)}, measures="f1, qa_accuracy")
    assert scores.rows[0].run == "a"
    assert [float(value or 0) for value in scores.rows[0].values.values()] == [1, 0.5]


@pytest.mark.parametrize("frame", mostly_slow(MAKERS, 4))
def test_score_takes_frames_for_both(frame: str) -> None:
    make = MAKERS[frame]
    for runs in (make(ROWS), [make(ROWS)], {"run": make(ROWS)}):
        scores = ave_score.score(make(GOLD), runs, measures="qa_accuracy")
        assert [row.run for row in scores.rows if str(row.kind) == "AV"] == ["run"]
        assert float(scores.rows[0].values["qa_accuracy"] or 0) == 0.5
    names = [row.run for row in ave_score.score(make(GOLD), [make(ROWS), make(ROWS)]).rows[:2]]
    assert names == ["run1", "run2"]


@every_frame
def test_a_frame_comes_out_as_it_went_in(frame: str) -> None:
    collection = Collection.from_frame(MAKERS[frame](GOLD))
    run = Run.from_frame(MAKERS[frame](ROWS), collection)
    expected = pl.DataFrame(ROWS)
    assert run.to_frame("polars").equals(expected)
    assert pl.DataFrame(run.to_frame("pyarrow")).equals(expected)
    assert pl.DataFrame(run.to_frame("pandas").to_dict("list")).equals(expected)


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame, pa.Table.from_pylist])
def test_findings_of_a_frame_have_its_rows(make: Callable[[object], Any]) -> None:
    rows = [ROWS[0], {**ROWS[1], "verdict": "maybe"}, ROWS[2]]
    collection = Collection.from_frame(GOLD)
    with pytest.raises(DefectError) as caught:
        Run.from_frame(make(rows), collection)
    (finding,) = caught.value.findings
    assert (finding.rule.code, finding.line) == ("AVE102", 2)
    checked = ave_score.check(make(rows), collection)
    assert [code for code, *_ in positions(checked.findings)] == ["AVE102"]


def test_missing_values_of_pandas_are_empty_and_nan_among_numbers_is_a_defect() -> None:
    gold = pd.DataFrame(GOLD)
    gold["label"] = gold["label"].astype("category")
    gold["answer"] = gold["answer"].astype("string")
    gold["grade"] = pd.array([3, None, None], dtype="Int64")
    collection = Collection.from_frame(gold)
    assert dict(collection.grades) == {0: 3}
    run = pd.DataFrame(ROWS)
    run.loc[1, "confidence"] = float("nan")
    with pytest.raises(DefectError, match="AVE106"):
        Run.from_frame(run, collection)


def test_names_and_values_of_a_frame() -> None:
    gold = pl.DataFrame({"id": [1, 1], "cand": ["a", "b"], "ok": [True, False]})
    names = {"q_id": "id", "a_id": "cand", "label": "ok"}
    values = {"true": "VALIDATED", "false": "REJECTED"}
    collection = Collection.from_frame(gold, columns=names, values=values)
    assert collection.index.q_ids == ["1", "1"]
    assert [*collection.labels] == [1, 0]
    with pytest.raises(DefectError, match="AVE406"):
        Collection.from_frame(gold, columns=names)
    with pytest.raises(UsageError, match=r"unknown column 'q_ids'.*did you mean q_id"):
        Collection.from_frame(gold, columns={"q_ids": "id"})


def test_labels_are_optional_where_that_is_said() -> None:
    rows = [{name: value for name, value in row.items() if name != "label"} for row in GOLD]
    collection = ave_score.read_collection(rows, labels="optional")
    assert [*collection.labels] == [Label.NONE] * len(GOLD)
    assert [*Collection.from_frame(rows).labels] == [Label.NONE] * len(GOLD)
    with pytest.raises(DefectError, match="AVE407"):
        ave_score.read_collection(rows)
    part = [*rows[:-1], {**rows[-1], "label": "VALIDATED"}]  # either all answers or none
    with pytest.raises(DefectError, match="AVE407"):
        ave_score.read_collection(part, labels="optional")
    with pytest.raises(UsageError, match="no labels 'ignored', only needed or optional"):
        ave_score.read_collection(rows, labels="ignored")  # type: ignore[arg-type]


def test_equal_rows_have_the_same_signature() -> None:
    hashes = {Collection.from_frame(make(GOLD)).sha256 for make in MAKERS.values()}
    assert len(hashes) == 1


@pytest.mark.parametrize("value", [3, None, object(), [1, 2], {}, [], {"q_id": 3}])
def test_a_value_of_another_type_is_a_usage_error(value: Any) -> None:  # noqa: ANN401
    with pytest.raises(UsageError, match=r"expected|a value of type|columns"):
        Collection.from_frame(value)
    collection = Collection.from_frame(GOLD)
    if value not in ([], {}):
        with pytest.raises(UsageError):
            ave_score.score(collection, value)


def test_columns_of_different_lengths_are_a_usage_error() -> None:
    with pytest.raises(UsageError, match="different lengths"):
        Collection.from_frame({"q_id": ["1"], "a_id": ["1_1", "1_2"], "label": ["VALIDATED"]})


def test_open_files(tmp_path: Path) -> None:
    text = "q_id,a_id,label\n1,1_1,VALIDATED\n1,1_2,REJECTED\n2,2_1,UNKNOWN\n"
    path = put(tmp_path, text, "gold.csv")
    expected = ave_score.read_collection(path)
    with path.open("rb") as binary, path.open() as chars:
        for file in (binary, chars, io.BytesIO(gzip.compress(text.encode())), io.StringIO(text)):
            collection = ave_score.read_collection(file)
            assert collection.index.a_ids == expected.index.a_ids
            assert collection.sha256 == expected.sha256
    assert ave_score.read_collection(io.StringIO(text)).path == "collection"


def test_a_file_that_cannot_be_read_is_an_input_error(tmp_path: Path) -> None:
    path = put(tmp_path, "q_id,a_id,label\n1,1_1,VALIDATED\n", "gold.csv")
    with path.open() as closed:
        pass
    with pytest.raises(InputError, match=r"gold\.csv: cannot be read: .*closed"):
        ave_score.read_collection(closed)
    with (tmp_path / "new").open("w") as new, pytest.raises(InputError, match="not readable"):
        ave_score.read_collection(new)
    cut = gzip.open(io.BytesIO(gzip.compress(path.read_bytes())[:-9]))
    with cut, pytest.raises(InputError, match="cannot be read"):
        ave_score.read_collection(cut)


def test_a_frame_that_its_library_cannot_read_is_a_usage_error() -> None:
    with pytest.raises(UsageError, match="the frame cannot be read"):
        twice = [pd.DataFrame(GOLD), pd.DataFrame({"q_id": ["1"]})]
        Collection.from_frame(pd.concat(twice, axis=1))
    with pytest.raises(UsageError, match="the frame cannot be read"):
        Collection.from_frame(pl.DataFrame(GOLD).lazy().select("nothing"))


def test_names_and_words_are_texts() -> None:
    wrong: Any = {True: "VALIDATED"}
    number: Any = {"q_id": 0}
    with pytest.raises(UsageError, match="found True as a name or a word, expected a text: 'true'"):
        Collection.from_frame(GOLD, values=wrong)
    for name in ("columns", "values"):
        with pytest.raises(UsageError, match="found 0 as a name or a word, expected a text: '0'"):
            Collection.from_frame(GOLD, **{name: number})


def test_parquet_on_the_command_line(tmp_path: Path) -> None:
    paths = [tmp_path / "gold.parquet", tmp_path / "run.parquet"]
    for path, rows in zip(paths, (GOLD, ROWS), strict=True):
        path.write_bytes(in_parquet(rows).read())
    printed = output("score", *paths, "-m", "qa_accuracy", "-f", "csv")
    assert printed.splitlines()[1].endswith(",0.5,,")  # then note and primary, which no run has
    assert ave_score.check(paths[1]).kind == "run"
    broken = [ROWS[0], {**ROWS[1], "confidence": 7.0}, {**ROWS[2], "verdict": "no"}]
    paths[1].write_bytes(in_parquet(broken).read())
    lines = ave("check", paths[1], "-f", "concise", "--select", "A", code=1).out.splitlines()
    assert [line.split("run.parquet:")[1].split(":")[0] for line in lines[:2]] == ["2", "3"]


@pytest.mark.parametrize("damage", ["cut", "start", "zeros"])
def test_damaged_parquet_could_not_be_read(tmp_path: Path, damage: str) -> None:
    data = in_parquet(ROWS).read()
    data = {"cut": data[:-20], "start": b"PAR1", "zeros": data[:30] + bytes(len(data) - 30)}[damage]
    path = put(tmp_path, data, "run.parquet")
    assert "run.parquet: cannot be read as Parquet" in refusal("check", path)


def test_parquet_without_pyarrow_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = put(tmp_path, in_parquet(ROWS).read(), "run.parquet")
    monkeypatch.setitem(__import__("sys").modules, "pyarrow", None)
    assert "pip install pyarrow" in refusal("check", path)


def test_values_that_no_table_has_are_reported(tmp_path: Path) -> None:
    path = put(tmp_path, in_parquet([{**ROWS[0], "verdict": b"SELECTED"}]).read(), "run.parquet")
    # it was an error of the whole file, without its line, also in a column that nobody reads
    words = ["verdict is a value of type bytes, expected a text or a number"]
    for run in (path, [{**ROWS[0], "verdict": b"SELECTED"}]):
        findings = ave_score.check(run).findings
        assert positions(findings) == [("AVE906", 1, 41)]
        assert [one.message for one in findings] == words
    odd = [{**ROWS[0], "confidence": timedelta(1)}, {**ROWS[1], "q_id": {1}}, ROWS[2]]
    lines = [(code, line) for code, line, _ in positions(ave_score.check(odd).findings)]
    assert lines == [("AVE906", 1), ("AVE906", 2)]


UNREAD: dict[str, Callable[[int], Any]] = {
    "list": lambda n: ["a", "b"][:n],
    "object": lambda n: {"a": n, "b": [n]},
    "vector": lambda n: [0.5, float(n)],
    "bytes": lambda n: b"\xff\x00" * n,
    "list of bytes": lambda n: [b"\xff"] * n,
    "span": timedelta,
    "array": lambda n: np.array([[n, n]]),
    "set": lambda n: {n},
}
"""Values in a column that nobody reads, given the number of the row from 0."""

PLAIN = ("list", "object", "vector")
"""Those that JSON has."""

IN_PYTHON = ("array", "set")
"""Those that only Python has."""


def in_json(rows: Dicts) -> io.BytesIO:
    return io.BytesIO("".join(f"{json.dumps(row)}\n" for row in rows).encode())


IDS: Dicts = [{name: row[name] for name in ("q_id", "a_id", "answer")} for row in GOLD]
LABELLED: Dicts = [{"q_id": row["q_id"], "a_id": row["a_id"], "label": "VALIDATED"} for row in IDS]
READ_AS: dict[str, tuple[Dicts, Callable[[Any], object]]] = {
    "run": (ROWS, lambda rows: ave_score.score(GOLD, rows).rows),
    "collection": (LABELLED, lambda rows: ave_score.score(rows, ROWS).rows),
    "attributes": (
        [{**row, "type": row["q_id"]} for row in LABELLED],
        lambda rows: ave_score.read_collection(rows).attributes,
    ),
    "key": (LABELLED, lambda rows: ave_score.read_collection(IDS, rows).labels),
    "judged": (
        [{"q_id": str(n), "run": "s", "judgement": item} for n, item in enumerate("RWU")],
        lambda rows: ave_score.score(rows).rows,
    ),
    "scores": (
        [{**row, "score": 0.5, "correct": 1} for row in IDS],
        lambda rows: ave_score.decide(ave_score.read_scores(rows)).run.verdicts,
    ),
}
"""A kind of file -> rows of it, and what is read of them."""


@cache
def read_without(kind: str, maker: str) -> tuple[str, list[ave_score.Finding]]:
    """Return what is read, and found, in the rows of a kind of file as they are."""
    rows, read = READ_AS[kind]
    make = (MAKERS | {"jsonl": in_json})[maker]
    return repr(read(make(rows))), [*ave_score.check(make(rows)).findings]


@pytest.mark.parametrize("kind", mostly_slow(READ_AS, 1))
@each("what", UNREAD)
def test_a_column_that_nobody_reads_changes_nothing(kind: str, what: str) -> None:
    """Files of models have embeddings, pictures and lists of tokens beside what is scored."""
    rows, read = READ_AS[kind]
    more = [{**row, "unread": UNREAD[what](n)} for n, row in enumerate(rows)]
    makers = MAKERS | {"jsonl": in_json}
    if what in IN_PYTHON:
        makers = {name: makers[name] for name in ("rows", "columns", "pandas")}
    elif what not in PLAIN:
        del makers["jsonl"]
    if kind in ("collection", "judged"):  # lazy ones are counted by an engine, with lazy runs
        makers = {name: maker for name, maker in makers.items() if name not in ("lazy", "duckdb")}
    for name, frame in makers.items():
        found = repr(read(frame(more))), [*ave_score.check(frame(more)).findings]
        assert found == read_without(kind, name), name


def test_a_column_without_texts_is_lost_by_name(tmp_path: Path) -> None:
    """As `convert` says of all that the other notation does not hold."""
    for rows in LABELLED, ROWS:
        more = [{**row, "raw": b"\xff", "kept": "x"} for row in rows]
        said = ave("convert", put(tmp_path, in_parquet(more).read(), "f.parquet"), "--to", "csv")
        assert (said.code, said.err) == (0, "lost: raw that is no text (3)\n")
        assert "kept" in said.out
    more = [{**row, "raw": ["x"]} for row in LABELLED]
    said = ave("convert", put(tmp_path, in_json(more).read(), "f.jsonl"), "--to", "csv")
    assert said.err == "lost: raw that is no text (3)\n"
    assert said.out.startswith("q_id,a_id,label\n")


WITHOUT_NARWHALS = """
import os
import subprocess
import sys
sys.modules["narwhals"] = None  # as if only the core was installed
import duckdb, pandas, polars, pyarrow
import ave_score
from ave_score.commands import run
from tests.test_frames import GOLD, MAKERS, ROWS

def refusal(call, *arguments):
    try:
        call(*arguments)
    except ave_score.UsageError as error:
        return str(error)

for kind in ("rows", "columns", "pandas", "parquet"):
    collection = ave_score.read_collection(MAKERS[kind](GOLD))
    row = ave_score.score(collection, MAKERS[kind](ROWS), measures="qa_accuracy").rows[0]
    assert row.values["qa_accuracy"] * 2 == 1  # of two questions, the first is right
    assert [*collection.to_frame()["a_id"]] == ["1_1", "1_2", "2_1"]
    assert [*collection.to_frame("polars")["a_id"]] == ["1_1", "1_2", "2_1"]
for kind in ("polars", "lazy", "pyarrow", "duckdb"):
    needs = f"frames of {kind.replace('lazy', 'polars')} need narwhals: pip install narwhals"
    assert refusal(ave_score.score, MAKERS[kind](GOLD), MAKERS[kind](ROWS)) == needs
    assert refusal(ave_score.read_collection, MAKERS[kind](GOLD)) == needs
# what is no frame at all
assert "expected a run, a path" in refusal(ave_score.score, "gold/tiny.xml", [7])
sys.exit(run(["score", "gold/tiny.xml", "sample_runs/tiny/tiny.txt", "--engine", "duckdb"]))
"""


@pytest.mark.slow
def test_the_core_reads_rows_and_names_the_extra_for_other_frames_and_engines() -> None:
    err = "ave-score: engines need narwhals: pip install narwhals\n"
    assert process(command=program(WITHOUT_NARWHALS)) == (2, "", err)
