"""Write a table as lines, CSV, TSV, JSON Lines, Parquet or, of a collection, XML.

A writer adds what its notation cannot hold to `lost`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import chain, islice
from typing import BinaryIO, NamedTuple

from ave_score.errors import UsageError
from ave_score.files.collection_writer import xml_lines
from ave_score.files.json_lines import Members, Number
from ave_score.files.tabular import Lost, Tabular
from ave_score.kinds import KINDS, FileKind
from ave_score.text import find_control, without_control

_IDS = frozenset(["q_id", "a_id", "pair_id"])
_NUMBERS = frozenset(["confidence", "score", "grade"])
_TRUTHS = {"true": True, "1": True, "yes": True, "false": False, "0": False, "no": False}
"""The words of the column `correct`."""

_FIELDS = {
    FileKind.RUN: ("q_id", "a_id", "verdict", "confidence"),
    FileKind.KEY: ("q_id", "a_id", "label"),
    FileKind.COLLECTION: ("q_id", "a_id", "label"),
    FileKind.SCORES: ("q_id", "a_id", "score"),
}
"""The fields of a line; a collection becomes its key."""

_QUOTES_TABS = frozenset([FileKind.RUN, FileKind.KEY, FileKind.COLLECTION])
"""The kinds whose tab-separated tables may have quotes."""

_FOREIGN_STARTS = ("<", "[", "{", "%")
"""First characters of other formats, with which lines must not begin."""

_JSON_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
_NUMBER = re.compile(r"([+-]?)0*([0-9]*)\.?([0-9]*)((?:[eE][+-]?[0-9]+)?)")

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
        words = [_word(row[number]) for number in numbers]
        if not all(words[: len(_IDS & {*fields})]):
            lost["question without answers"] += 1
            continue
        if not begun:
            yield from head_comment(words[0], fields)
        begun = True
        yield " ".join(filter(None, words)) + "\n"


def _fields(table: Tabular) -> tuple[str, ...]:
    """Return the fields of a line."""
    fields = _FIELDS.get(table.kind)
    of_pairs = "pair_id" in table.columns
    if fields is None or (of_pairs and table.kind is not FileKind.RUN):
        what = "a collection of pairs" if of_pairs else KINDS[table.kind].called
        raise UsageError(f"{what} cannot be written as lines, only as csv, tsv, jsonl or parquet")
    if "label" in fields and "label" not in table.columns:
        raise UsageError("lines of a collection are its labels, and it has none")
    return ("pair_id", *fields[2:]) if of_pairs else fields


def _delimited_lines(table: Tabular, lost: Lost, *, delimiter: str) -> Iterator[str]:
    """Yield the lines of a table with a header, quoted as in RFC 4180."""
    cell = _quoted if delimiter != "\t" or table.kind in _QUOTES_TABS else _unquoted
    for row in chain([table.columns], table.rows):
        cells = [cell(_text(value, lost), delimiter, lost) for value in row]
        yield delimiter.join(cells) + "\n"


def _quoted(text: str, delimiter: str, lost: Lost) -> str:
    if "\r" in text:
        lost["carriage return in a text"] += text.count("\r")
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    if text != text.strip() or not {'"', "\n", delimiter}.isdisjoint(text):
        return '"' + text.replace('"', '""') + '"'
    return text


def _unquoted(text: str, _: str, lost: Lost) -> str:
    plain = re.sub(r"[\t\r\n]", " ", text).strip()
    if plain != text:
        lost["tab, line break or surrounding blank of a text"] += 1
    return plain


def _json_lines(table: Tabular, lost: Lost) -> Iterator[str]:
    """Yield an object for each row, without the keys of missing values other than ids."""
    keys = [json.dumps(name, ensure_ascii=False) for name in table.columns]
    columns = [*zip(keys, table.columns, strict=True)]
    for row in table.rows:
        members = [
            f"{key}: {_json('' if value is None else value, name, lost)}"
            for (key, name), value in zip(columns, row, strict=True)
            if value is not None or name in _IDS
        ]
        yield f"{{{', '.join(members)}}}\n"


def _json(value: object, name: str, lost: Lost) -> str:
    """Return a value as JSON; numbers keep their spelling where JSON allows it."""
    match value:
        case bool() | int():
            return json.dumps(value)
        case Number():
            return str(value)
        case Members():
            members = [f"{json.dumps(key)}: {_json(of, '', lost)}" for key, of in value]
            return f"{{{', '.join(members)}}}"
        case list():
            return f"[{', '.join(_json(of, '', lost) for of in value)}]"
        case str() if value and name in _NUMBERS:
            return _json_number(value, name, lost)
        case str() if name == "correct" and value.casefold() in _TRUTHS:
            return json.dumps(_TRUTHS[value.casefold()])
    parts = str(value).split("\r")
    return json.dumps("\r".join(_plain(part, lost) for part in parts), ensure_ascii=False)


def _json_number(word: str, name: str, lost: Lost) -> str:
    """Return a number as JSON, exactly: `+.50` becomes 0.50."""
    if _JSON_NUMBER.fullmatch(word):
        return word
    found = _NUMBER.fullmatch(word)
    if found is None:  # the reader has accepted it, e.g. as no number at all
        return json.dumps(word, ensure_ascii=False)
    lost[f"spelling of {name}"] += 1
    sign, whole, part, exponent = found.groups()
    return f"{sign.strip('+')}{whole or '0'}{f'.{part}' if part else ''}{exponent}"


def _word(value: object) -> str:
    """Return a value as a text; "" if there is none."""
    if value is None:
        return ""
    return str(value).lower() if isinstance(value, bool) else str(value)


def _text(value: object, lost: Lost) -> str:
    """Return a value as a text without control characters."""
    if isinstance(value, list):
        lost["nested value, written as its JSON"] += 1
        return _json(value, "", lost)
    return _plain(_word(value), lost)


def _plain(text: str, lost: Lost) -> str:
    """Replace control characters other than line ends, which no reader of tables accepts."""
    if not find_control(text) or not find_control(text.replace("\r", " ")):
        return text
    plain = "\r".join(map(without_control, text.split("\r")))
    lost["control character"] += sum(a != b for a, b in zip(text, plain, strict=True))
    return plain


def _write_parquet(table: Tabular, stream: BinaryIO, lost: Lost) -> None:
    """Write Parquet: ids and texts as strings, confidences and scores as 64-bit floats."""
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError as error:
        raise UsageError("Parquet needs pyarrow: pip install 'ave-score[tables]'") from error
    kinds = {"grade": pyarrow.int64(), "correct": pyarrow.bool_()}
    kinds |= dict.fromkeys(["confidence", "score"], pyarrow.float64())
    types = [kinds.get(name, pyarrow.string()) for name in table.columns]
    typed = [*zip(table.columns, types, strict=True)]
    schema = pyarrow.schema(typed)
    rows = iter(table.rows)
    with parquet.ParquetWriter(stream, schema) as writer:
        while batch := [*islice(rows, _BATCH)]:
            arrays = [
                pyarrow.array([_typed(value, name, lost) for value in column], kind)
                for column, name, kind in zip(
                    zip(*batch, strict=True), table.columns, types, strict=True
                )
            ]
            writer.write_table(pyarrow.Table.from_arrays(arrays, schema=schema))


def _typed(value: object, name: str, lost: Lost) -> object:
    """Return a value of the type of a column of Parquet, None if there is none."""
    if value is None or (value == "" and name not in _IDS):
        return None
    word = _text(value, lost)
    if name == "grade":
        return int(word)
    if name == "correct":
        return _TRUTHS[word.casefold()]
    if name not in _NUMBERS:
        return word
    number = float(word)
    lost[f"spelling of {name}"] += repr(number) != word
    return number


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
}
"""The notations of tables, by the names that `ave-score convert --to` takes."""


def write_table(table: Tabular, notation: str, stream: BinaryIO, lost: Lost) -> None:
    """Write a table in one of `NOTATIONS`; what that cannot hold is added to `lost`."""
    if notation != "xml":
        lost.update({f"attribute {name} of the root element": 1 for name in table.root})
    lines = NOTATIONS[notation].lines
    if lines is None:
        _write_parquet(table, stream, lost)
        return
    text = iter(lines(table, lost))
    while block := "".join(islice(text, _BATCH)):
        stream.write(block.encode())
