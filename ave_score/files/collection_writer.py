"""Write a collection as XML: AVE 2007 and 2008, or pairs of AVE 2006."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import groupby

from ave_score.core.columns import COLLECTION_COLUMNS, PAIR_COLUMNS
from ave_score.core.errors import UsageError
from ave_score.core.kinds import KINDS, FileKind
from ave_score.core.standards import of_columns
from ave_score.files.collection_xml import OWN
from ave_score.files.tabular import Lost, Tabular, permitted

_ESCAPED = {"&": "&amp;", "<": "&lt;", ">": "&gt;", "\r": "&#13;"}
_IN_TEXT = str.maketrans(_ESCAPED)
_IN_ATTRIBUTE = str.maketrans({**_ESCAPED, '"': "&quot;", "\t": "&#9;", "\n": "&#10;"})
_NAME = re.compile(r"(?!(?i:xml))[^\W\d][\w.-]*")

Row = Mapping[str, str]


def xml_lines(table: Tabular, lost: Lost) -> Iterator[str]:
    """Yield the lines of a collection; raises `UsageError` for any other table."""
    if table.kind is not FileKind.COLLECTION:
        raise UsageError(f"{KINDS[table.kind].called} has no notation in XML")
    has_questions = of_columns(table.columns).has_questions
    own = COLLECTION_COLUMNS if has_questions else PAIR_COLUMNS
    attributes = [name for name in table.columns if name not in own]
    names = [name for name in attributes if _NAME.fullmatch(name) and name not in OWN]
    unnamed = [name for name in attributes if name not in names]
    yield '<?xml version="1.0" encoding="UTF-8"?>\n'
    yield f"<ave{_attributes(table.root)}>\n"
    rows = _rows(table, unnamed, lost)
    yield from _questions(rows, names) if has_questions else _pairs(rows, names)
    yield "</ave>\n"


def _rows(table: Tabular, unnamed: list[str], lost: Lost) -> Iterator[Row]:
    """Yield the values of each row that there are, as texts that XML can hold."""
    for values in table.untyped(lost):
        pairs = zip(table.columns, values, strict=True)
        row = {name: str(value) for name, value in pairs if value is not None}
        for name in unnamed:
            if name in row:
                lost[f"column {name}, which is no name of an attribute"] += 1
        yield {name: permitted(text, lost) for name, text in row.items()}


def _questions(rows: Iterator[Row], names: list[str]) -> Iterator[str]:
    for q_id, answers in groupby(rows, lambda row: row["q_id"]):
        for number, row in enumerate(answers):
            if number == 0:
                more = {name: row.get(name, "") for name in names}
                yield f"  <q{_attributes({'id': q_id, **more})}>\n"
                yield f"    {_element('q_str', row.get('question', ''))}\n"
            if "a_id" in row:
                yield from _answer(row)
        yield "  </q>\n"


def _answer(row: Row) -> Iterator[str]:
    label, grade = row.get("label", ""), row.get("grade", "")
    yield f"    <a{_attributes({'id': row['a_id'], 'value': label, 'grade': grade})}>\n"
    yield f"      {_element('a_str', row.get('answer', ''))}\n"
    text, doc = row.get("text", ""), row.get("doc", "")
    if text or doc:
        yield f"      {_element('t_str', text, doc)}\n"
    yield "    </a>\n"


def _pairs(rows: Iterator[Row], names: list[str]) -> Iterator[str]:
    for row in rows:
        more = {name: row.get(name, "") for name in names}
        attributes = {"id": row["pair_id"], "value": row.get("label", ""), **more}
        yield f"  <pair{_attributes(attributes)}>\n"
        yield f"    {_element('q', row.get('question', ''))}\n"
        yield f"    {_element('t', row.get('text', ''), row.get('doc', ''))}\n"
        yield f"    {_element('h', row.get('hypothesis', ''))}\n"
        yield "  </pair>\n"


def _element(tag: str, text: str, doc: str = "") -> str:
    start = f"{tag}{_attributes({'doc': doc})}"
    return f"<{start}>{text.translate(_IN_TEXT)}</{tag}>" if text else f"<{start}/>"


def _attributes(values: Mapping[str, str]) -> str:
    """Return attributes, each preceded by a space; empty ones are omitted."""
    return "".join(
        f' {name}="{value.translate(_IN_ATTRIBUTE)}"' for name, value in values.items() if value
    )
