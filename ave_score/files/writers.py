"""Write a table as lines, CSV, TSV, JSON Lines, Parquet, files of TREC or, of a collection, XML.

A writer adds what its notation cannot hold to `lost`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from io import BytesIO
from itertools import chain, islice
from typing import NamedTuple, Protocol

from ave_score.core.errors import UsageError
from ave_score.core.kinds import KINDS, FileKind
from ave_score.core.labels import LABELS, TRUTHS
from ave_score.core.text import MAX_ID, visible
from ave_score.files.collection_writer import xml_lines
from ave_score.files.delimited import quoted
from ave_score.files.json import Members, Number
from ave_score.files.tabular import IDS, Lost, Tabular, permitted, word

_FOREIGN_STARTS = ("<", "[", "{", "%")
"""First characters of other formats, with which lines must not begin."""

_JSON_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
_NUMBER = re.compile(r"([+-]?)0*([0-9]*)\.?([0-9]*)((?:[eE][+-]?[0-9]+)?)")

_quoted_json = json.JSONEncoder(ensure_ascii=False).encode

_BATCH = 1 << 14
"""Rows of Parquet that are converted at a time."""


def head_comment(first_id: str, fields: Iterable[str]) -> Iterator[str]:
    """Yield a first line for a file that would otherwise begin like one of another format."""
    if first_id.startswith(_FOREIGN_STARTS):
        yield f"# {' '.join(fields)}\n"


def plain_lines(table: Tabular, lost: Lost) -> Iterator[str]:
    """Yield lines of fields separated by blanks; raises `UsageError` if the kind has none."""
    fields = _fields(table)
    numbers = [table.columns.index(name) for name in fields if name in table.columns]
    others = [(n, name) for n, name in enumerate(table.columns) if n not in numbers]
    begun = False
    for row in table.rows:
        for number, name in others:
            lost[f"column {name}"] += row[number] not in (None, "")
        words = [word(row[number]) for number in numbers]
        if not all(words[: len(IDS & {*fields})]):
            lost["question without answers"] += 1
            continue
        if not words[-1] and fields[-1] == "label":
            raise UsageError("lines of a collection are its labels, and it has none")
        if not begun:
            yield from head_comment(words[0], fields)
        begun = True
        yield " ".join(filter(None, words)) + "\n"


def _fields(table: Tabular) -> tuple[str, ...]:
    """Return the fields of a line; a collection becomes its key."""
    kind = FileKind.KEY if table.kind is FileKind.COLLECTION else table.kind
    fields = () if KINDS[kind].has_tabs else KINDS[kind].fields
    of_pairs = "pair_id" in table.columns
    if not fields or (of_pairs and table.kind is not FileKind.RUN):
        what = "a collection of pairs" if of_pairs else KINDS[table.kind].called
        raise UsageError(f"{what} cannot be written as lines, only as csv, tsv, jsonl or parquet")
    return ("pair_id", *fields[2:]) if of_pairs else fields


def _trec_lines(table: Tabular, lost: Lost) -> Iterator[str]:
    """Yield the lines of qrels, or of a TREC run; raises `UsageError` if the kind has none."""
    is_run = table.kind in (FileKind.RUN, FileKind.SCORES)
    kept = ["q_id", "a_id", *(["confidence", "score"] if is_run else ["label", "grade"])]
    if "q_id" not in table.columns or not (is_run or table.kind is FileKind.COLLECTION):
        what = "pairs" if "pair_id" in table.columns else KINDS[table.kind].called
        raise UsageError(f"{what} cannot be written as qrels or as a TREC run")
    topics: dict[str, list[tuple[float, str, str]]] = {}
    for row in table.rows:
        cells = dict(zip(table.columns, map(word, row), strict=True))
        lost.update(f"column {name}" for name in cells if name not in kept and cells[name])
        doc, label = cells["a_id"], cells.get("label", "")
        grade = cells.get("grade") or str(LABELS.get(label, ""))
        if not doc:
            lost["question without answers"] += 1
        elif is_run:
            number = cells.get("confidence") or cells["score"]
            topics.setdefault(cells["q_id"], []).append((float(number), doc, number))
        elif label in ("", "UNKNOWN"):
            lost["answer without a label" if not label else "answer labelled UNKNOWN"] += 1
        else:
            lost["label that its grade contradicts"] += (label == "VALIDATED") != (int(grade) > 0)
            yield f"{cells['q_id']} 0 {doc} {grade}\n"
    tag = "_".join(visible(table.name).split()) or "run"
    for topic, docs in topics.items():
        for rank, (_, doc, number) in enumerate(sorted(docs, reverse=True), 1):
            yield f"{topic} Q0 {doc} {rank} {number} {tag}\n"


def _json_document(table: Tabular, lost: Lost) -> Iterator[str]:
    """Yield `{q_id: {a_id: number}}` of runs, scores and labels, or `{id: value}` of pairs."""
    of_pairs, is_gold = "pair_id" in table.columns, table.kind is FileKind.COLLECTION
    if not (of_pairs or {"q_id", "a_id"} <= {*table.columns}):
        raise UsageError(f"{KINDS[table.kind].called} cannot be written as a JSON document")
    wanted = ("grade", "label") if is_gold else ("confidence", "score", "verdict")
    topics: dict[str, list[str]] = {}
    for row in table.rows:
        cells = dict(zip(table.columns, map(word, row), strict=True))
        name = next((name for name in wanted if cells.get(name)), "")
        a_id = cells["pair_id" if of_pairs else "a_id"]
        kept = {"q_id", "a_id", "pair_id", name, *(["label"] if name == "grade" else [])}
        lost.update(f"column {other}" for other in cells if other not in kept and cells[other])
        value = cells.get(name, "")
        if name == "label" and not of_pairs:
            value = str(LABELS[value]) if value != "UNKNOWN" else ""
        if not (a_id and value):
            lost["answer without a value"] += 1
            continue
        is_number = _NUMBER.fullmatch(value) is not None
        shown = _json_number(value, name, lost) if is_number else _json(value, lost)
        topics.setdefault(cells.get("q_id", ""), []).append(f"{_json(a_id, lost)}: {shown}")
    texts = [f"{_json(q_id, lost)}: {{{', '.join(members)}}}" for q_id, members in topics.items()]
    texts = topics.get("", []) if of_pairs else texts
    yield "{" + ",\n".join(texts) + "}\n"


def _delimited_lines(table: Tabular, lost: Lost, *, delimiter: str) -> Iterator[str]:
    """Yield the lines of a table with a header, quoted as in RFC 4180."""
    cell = _quoted if delimiter != "\t" or KINDS[table.kind].quotes_tabs else _unquoted
    for row in chain([table.columns], table.untyped(lost)):
        yield delimiter.join(cell(_text(value, lost), delimiter, lost) for value in row) + "\n"


def _quoted(text: str, delimiter: str, lost: Lost) -> str:
    if "\r" in text:
        lost["carriage return in a text"] += text.count("\r")
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return quoted(text, delimiter)


def _unquoted(text: str, _: str, lost: Lost) -> str:
    plain = re.sub(r"[\t\r\n]", " ", text).strip()
    if plain != text:
        lost["tab, line break or surrounding blank of a text"] += 1
    return plain


def _json_lines(table: Tabular, lost: Lost) -> Iterator[str]:
    """Yield an object for each row, without the keys of missing values other than ids, labels."""
    columns = [
        (f"{_json(name, lost)}: ", name, kind)
        for name, kind in zip(table.columns, table.types, strict=True)
    ]
    for row in table.rows:
        members = [
            key + _typed_json("" if value is None and name in IDS else value, name, kind, lost)
            for (key, name, kind), value in zip(columns, row, strict=True)
            if value is not None or name in IDS or name == "label"
        ]
        yield f"{{{', '.join(members)}}}\n"


def _typed_json(value: object, name: str, kind: type, lost: Lost) -> str:
    """Return a value of a column as JSON; numbers keep their spelling where JSON allows it."""
    if kind is float and isinstance(value, str):
        return _json_number(value, name, lost)
    if kind is bool and isinstance(value, str):
        return json.dumps(TRUTHS[value.casefold()])
    return _json(value, lost)


def _json(value: object, lost: Lost) -> str:
    match value:
        case None | bool() | int():
            return json.dumps(value)
        case Number():
            return str(value)
        case Members():
            members = [f"{_json(key, lost)}: {_json(item, lost)}" for key, item in value]
            return f"{{{', '.join(members)}}}"
        case list():
            return f"[{', '.join(_json(item, lost) for item in value)}]"
    return _quoted_json(permitted(str(value), lost))


def _json_number(spelling: str, name: str, lost: Lost) -> str:
    """Return a number as JSON, exactly: `+.50` becomes 0.50."""
    if _JSON_NUMBER.fullmatch(spelling):
        return spelling
    number = _NUMBER.fullmatch(spelling)
    sign, whole, part, exponent = number.groups() if number else ("", spelling, "", "")
    lost[f"spelling of {name}"] += 1
    return f"{sign.strip('+')}{whole or '0'}{f'.{part}' if part else ''}{exponent}"


def _text(value: object, lost: Lost) -> str:
    """Return a value as a text that can be written."""
    if isinstance(value, list):
        return _json(value, lost)
    return permitted(word(value), lost)


def _write_parquet(table: Tabular, stream: Output, lost: Lost) -> None:
    """Write Parquet: ids and texts as strings, confidences and scores as 64-bit floats."""
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError as error:
        raise UsageError("Parquet needs pyarrow: pip install pyarrow") from error
    types = {float: pyarrow.float64(), int: pyarrow.int64(), bool: pyarrow.bool_()}
    kinds = [types.get(kind, pyarrow.string()) for kind in table.types]
    columns = [*zip(table.columns, kinds, table.types, strict=True)]
    schema = pyarrow.schema([(permitted(name, lost), column) for name, column, _ in columns])
    rows = iter(table.untyped(lost))
    with parquet.ParquetWriter(stream, schema) as writer:
        while batch := [*islice(rows, _BATCH)]:
            arrays = [
                pyarrow.array([_typed(value, name, kind, lost) for value in column], item)
                for *column, (name, item, kind) in zip(*batch, columns, strict=True)
            ]
            writer.write_table(pyarrow.Table.from_arrays(arrays, schema=schema))


def _typed(value: object, name: str, kind: type, lost: Lost) -> object:
    """Return a value of the type of its column, None if there is none."""
    if value is None:
        return None
    text = _text(value, lost)
    if kind is bool:
        return TRUTHS[text.casefold()]
    if kind is float:
        lost[f"spelling of {name}"] += repr(float(text)) != text
    return kind(text)


class Output(Protocol):
    """Something that bytes can be written to."""

    def write(self, data: bytes, /) -> int:
        """Write bytes."""


class Notation(NamedTuple):
    """A notation: the suffixes of its files, and its lines (Parquet has none)."""

    suffixes: tuple[str, ...]
    lines: Callable[[Tabular, Lost], Iterable[str]] | None


NOTATIONS = {
    "lines": Notation((".txt", ".key", ".run", ".lines"), plain_lines),
    "csv": Notation((".csv",), partial(_delimited_lines, delimiter=",")),
    "tsv": Notation((".tsv", ".tab"), partial(_delimited_lines, delimiter="\t")),
    "jsonl": Notation((".jsonl", ".ndjson"), _json_lines),
    "parquet": Notation((".parquet", ".pq"), None),
    "xml": Notation((".xml",), xml_lines),
    "trec": Notation((".qrels", ".trec"), _trec_lines),
    "json": Notation((".json",), _json_document),
}
"""The notations of tables, by the names that `ave-score convert --to` takes."""


def notation_of(path: str) -> str:
    """Return the notation of a file by its suffix; raises `UsageError` for an unknown one."""
    name = path.removesuffix(".gz").removesuffix(".xz")
    for notation, record in NOTATIONS.items():
        if name.lower().endswith(record.suffixes):
            return notation
    what = "standard output" if path == "-" else path
    raise UsageError(f"the notation of {what} is unknown: choose {', '.join(NOTATIONS)} by --to")


def _with_short_ids(table: Tabular) -> Iterator[Sequence[object]]:
    numbers = [number for number, name in enumerate(table.columns) if name in IDS]
    for row in table.rows:
        if any(len(word(row[number])) > MAX_ID for number in numbers):
            raise UsageError(f"an id has more than {MAX_ID:,} characters, which tables cannot hold")
        yield row


def write_table(table: Tabular, notation: str, stream: Output, lost: Lost) -> None:
    """Write a table in one of `NOTATIONS`; what that cannot hold is added to `lost`."""
    if notation not in ("lines", "xml"):
        table = table._replace(rows=_with_short_ids(table))
    if notation != "xml":
        lost.update({f"attribute {name} of the root element": 1 for name in table.root})
    lines = NOTATIONS[notation].lines
    if lines is None:
        _write_parquet(table, stream, lost)
        return
    text = iter(lines(table, lost))
    while block := "".join(islice(text, _BATCH)):
        stream.write(block.encode())


def written(table: Tabular, notation: str) -> bytes:
    """Return a table in one of `NOTATIONS`, without what that cannot hold."""
    out = BytesIO()
    write_table(table, notation, out, Lost())
    return out.getvalue()
