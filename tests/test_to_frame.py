"""Collections and runs as frames of pandas, polars and pyarrow."""

import math
import warnings
from pathlib import Path
from typing import Any, Literal, cast

import narwhals as nw
import pytest

import ave_score
from ave_score import Collection, UsageError
from tests.helpers_command import process, program

Backend = Literal["pandas", "polars", "pyarrow"]
BACKENDS: list[Backend] = ["pandas", "polars", "pyarrow"]

GOLD = """<ave>
<q id="1" lang="EN" type="person"><q_str>Who?</q_str>
<a id="1_1" value="VALIDATED" grade="2"><a_str>Ann</a_str><t_str doc="D1">Ann was.</t_str></a>
<a id="1_2" value="UNKNOWN"><a_str>Bob</a_str></a></q>
<q id="2" label="taken"><q_str>None?</q_str></q>
<q id="3" type="date"><a id="3_1" value="REJECTED" grade="0"/></q>
</ave>"""

PAIRS = """<c><pair id="1" value="TRUE" task="QA"><t doc="D">text</t><h>hyp</h></pair>
<pair id="2" value="NO"><t>other</t><h>hyp</h></pair></c>"""


def collection_of(folder: Path, xml: str) -> Collection:
    path = folder / "gold.xml"
    path.write_text(xml, encoding="utf-8")
    with warnings.catch_warnings(action="ignore"):  # of the question without answers
        return ave_score.read_collection(path, texts=True)


def as_dict(frame: Any) -> dict[str, list[object]]:  # noqa: ANN401
    """Return column -> values, None where there is none."""
    columns = nw.from_native(frame, eager_only=True).to_dict(as_series=False)
    return {
        name: [
            None if isinstance(value, float) and math.isnan(value) else value for value in column
        ]
        for name, column in columns.items()
    }


@pytest.mark.parametrize("backend", BACKENDS)
def test_frame_of_a_collection(backend: Backend, tmp_path: Path) -> None:
    frame = collection_of(tmp_path, GOLD).to_frame(backend)
    assert type(frame).__module__.partition(".")[0] == backend
    assert as_dict(frame) == {
        "q_id": ["1", "1", "2", "3"],
        "a_id": ["1_1", "1_2", None, "3_1"],
        "label": ["VALIDATED", "UNKNOWN", None, "REJECTED"],
        "question": ["Who?", "Who?", "None?", None],
        "answer": ["Ann", "Bob", None, None],
        "text": ["Ann was.", None, None, None],
        "doc": ["D1", None, None, None],
        "grade": [2, None, None, 0],
        "lang": ["EN", "EN", None, None],
        "type": ["person", "person", None, "date"],
    }  # the attribute `label` of a question is not a label of its answers


@pytest.mark.parametrize("backend", BACKENDS)
def test_frame_of_pairs(backend: Backend, tmp_path: Path) -> None:
    assert as_dict(collection_of(tmp_path, PAIRS).to_frame(backend)) == {
        "pair_id": ["1", "2"],
        "label": ["YES", "NO"],
        "text": ["text", "other"],
        "hypothesis": ["hyp", "hyp"],
        "doc": ["D", None],
        "task": ["QA", None],
    }


def test_a_collection_without_texts_has_fewer_columns() -> None:
    full = ave_score.read_collection("gold/tiny.xml", texts=True).to_frame()
    texts = ["question", "answer", "text", "doc"]
    assert list(full.columns) == ["q_id", "a_id", "label", *texts, "lang"]
    assert full["answer"][0] == "Ines Calder"
    frame = ave_score.read_collection("gold/tiny.xml").to_frame()
    assert list(frame.columns) == ["q_id", "a_id", "label", "lang"]
    assert len(frame) == 10  # ten answers, see the file


@pytest.mark.parametrize("backend", BACKENDS)
def test_frame_of_a_run(backend: Backend) -> None:
    collection = ave_score.read_collection("gold/tiny.xml")
    path = Path("sample_runs/tiny/careful.txt")
    rows = [line.split() for line in path.read_text("utf-8").splitlines() if line[0] != "#"]
    columns = dict(
        zip(("q_id", "a_id", "verdict", "confidence"), zip(*rows, strict=True), strict=True)
    )
    expected = {name: list(column) for name, column in columns.items()}
    expected["confidence"] = [float(word) for word in columns["confidence"]]
    assert as_dict(ave_score.read_run(path, collection).to_frame(backend)) == expected


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize(
    ("lines", "confidences"), [("1 YES 0.5\n2 NO\n", [0.5, None]), ("1 YES\n2 NO\n", None)]
)
def test_frame_of_a_run_of_pairs(
    backend: Backend, lines: str, confidences: list[float | None] | None, tmp_path: Path
) -> None:
    path = tmp_path / "run.txt"
    path.write_text(lines, encoding="utf-8")
    run = ave_score.read_run(path, collection_of(tmp_path, PAIRS))
    expected: dict[str, list[object]] = {"pair_id": ["1", "2"], "verdict": ["YES", "NO"]}
    if confidences:
        expected["confidence"] = [*confidences]
    assert as_dict(run.to_frame(backend)) == expected


def test_unknown_backend() -> None:
    collection = ave_score.read_collection("gold/tiny.xml")
    with pytest.raises(UsageError, match="unknown backend 'excel', expected one of pandas, polars"):
        collection.to_frame(cast("Backend", "excel"))


def test_a_backend_that_is_not_installed() -> None:
    code = (
        "import sys; sys.modules['polars'] = None\n"
        "import ave_score\n"
        "ave_score.read_collection('gold/tiny.xml').to_frame('polars')"
    )
    (*_, last) = process(command=program(code)).err.splitlines()
    assert last.endswith("UsageError: polars is not installed: pip install polars")


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize(
    "xml", [GOLD.replace('label="taken"', ""), PAIRS], ids=["answers", "pairs"]
)
def test_a_frame_is_read_as_the_collection(xml: str, backend: Backend, tmp_path: Path) -> None:
    collection = collection_of(tmp_path, xml)
    with warnings.catch_warnings(action="ignore"):
        again = ave_score.read_collection(collection.to_frame(backend), texts=True)
    for name in ("labels", "grades", "attributes"):
        assert getattr(again, name) == getattr(collection, name)
    for name in ("questions", "starts", "q_ids", "a_ids"):
        assert getattr(again.index, name) == getattr(collection.index, name)
    assert again.texts is not None
    assert collection.texts is not None
    for name in ("questions", "answers", "supports", "docs"):
        assert getattr(again.texts, name) == getattr(collection.texts, name)


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_frame_is_read_as_the_run(backend: Backend, tmp_path: Path) -> None:
    pairs = collection_of(tmp_path, PAIRS)
    path = tmp_path / "run.txt"
    path.write_text("2 NO\n1 YES 0.25\n", encoding="utf-8")
    run = ave_score.read_run(path, pairs)
    again = ave_score.read_run(run.to_frame(backend), pairs)
    assert again.verdicts == run.verdicts
    assert [*map(str, again.confidences)] == ["0.25", "nan"]
