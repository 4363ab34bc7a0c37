"""Collections and runs as named columns of equal length, for tables and frames."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from importlib import import_module
from typing import Any, TypeAlias, get_args

from ave_score.core.errors import UsageError
from ave_score.core.given import Backend
from ave_score.core.kinds import KINDS, FileKind, usual_names
from ave_score.core.model import Collection, Run

Columns: TypeAlias = dict[str, Sequence[object]]
"""Name -> a value for each row; None where there is none."""

COLLECTION_COLUMNS = ("q_id", "a_id", "label", "question", "answer", "text", "doc", "grade")
PAIR_COLUMNS = ("pair_id", "label", "question", "text", "hypothesis", "doc")
"""The columns of a collection other than attributes of questions or pairs."""

_OTHERS = {*COLLECTION_COLUMNS, *PAIR_COLUMNS, *usual_names("q_id"), *usual_names("a_id")}

_KEPT = frozenset(["q_id", "a_id", "pair_id", "label"])


def run_columns(run: Run) -> Columns:
    """Return the ids, verdicts and confidences of a run; confidences only if there are any."""
    index = run.index
    columns: Columns = {**index.id_columns}
    columns["verdict"] = [*map(index.standard.verdict_words.__getitem__, run.verdicts)]
    columns["confidence"] = [None if math.isnan(value) else value for value in run.confidences]
    return _filled(columns)


def collection_columns(collection: Collection) -> Columns:
    """Return the columns of a collection: ids, labels, texts, grades and attributes.

    Other columns without values are left out, and so are attributes that are named like another
    column. A question without answers has a row without `a_id`.
    """
    if not collection.standard.has_questions:
        return _filled(_pair_columns(collection))
    index, texts = collection.index, collection.texts
    size = len(index)  # the position of the missing answer to a question without answers
    answers = [range(span.start, span.stop) or (size,) for span in index.spans]
    numbers = [number for number, positions in enumerate(answers) for _ in positions]
    at = [position for positions in answers for position in positions]
    q_ids = _taken(index.questions, numbers)
    labels = [*map(collection.standard.label_words.__getitem__, collection.labels)]
    columns: Columns = {"q_id": q_ids, "a_id": _taken(index.a_ids, at), "label": _taken(labels, at)}
    if texts is not None:
        columns["question"] = _taken(texts.questions, numbers)
        columns["answer"] = _taken(texts.answers, at)
        columns |= {"text": _taken(texts.supports, at), "doc": _taken(texts.docs, at)}
    columns["grade"] = [*map(collection.grades.get, at)]
    return _filled(columns | _attributes(collection, q_ids))


def _taken(column: Sequence[object], positions: Iterable[int]) -> list[Any]:
    """Return the values at positions, None after the last."""
    return [*map([*column, None].__getitem__, positions)]


def _pair_columns(collection: Collection) -> Columns:
    ids, texts = collection.index.a_ids, collection.texts
    columns: Columns = {"pair_id": ids}
    columns["label"] = [*map(collection.standard.label_words.__getitem__, collection.labels)]
    if texts is not None:
        columns |= {"question": texts.questions, "text": texts.supports}
        columns |= {"hypothesis": texts.answers, "doc": texts.docs}
    return columns | _attributes(collection, ids)


def can_be_column(name: str) -> bool:
    """Tell whether an attribute can be a column of a collection: not if its name means another."""
    record = KINDS[FileKind.COLLECTION]
    foreign = record.header and re.fullmatch(record.header.without, name)
    return bool(name.strip()) and not foreign and name.casefold() not in _OTHERS


def _attributes(collection: Collection, ids: Sequence[str]) -> Columns:
    attributes = collection.attributes.items()
    return {
        name: [*map(attribute.get, ids)] for name, attribute in attributes if can_be_column(name)
    }


def _filled(columns: Columns) -> Columns:
    """Return columns with None for empty texts; without values, only ids and labels are kept."""
    plain = {
        name: [None if value == "" else value for value in column] if "" in column else column
        for name, column in columns.items()
    }
    return {
        name: column
        for name, column in plain.items()
        if name in _KEPT or any(value is not None for value in column)
    }


def data_frame(data: Collection | Run, backend: Backend) -> Any:  # noqa: ANN401 - of that library
    """Return data as a frame of a library; raises `UsageError` if it is not installed."""
    columns = run_columns(data) if isinstance(data, Run) else collection_columns(data)
    if backend not in (known := get_args(Backend)):
        raise UsageError(f"unknown backend {backend!r}, expected one of {', '.join(known)}")
    try:
        library = import_module(backend)
    except ImportError as error:
        raise UsageError(f"{backend} is not installed: pip install {backend}") from error
    frame = library.table(columns) if backend == "pyarrow" else library.DataFrame(columns)
    if backend == "pandas":  # which would turn missing numbers into NaN
        missing = {name for name, column in columns.items() if None in column}
        nullable = {"grade": "Int64", "confidence": "Float64"}
        frame = frame.astype({name: nullable[name] for name in missing & nullable.keys()})
    return frame
