"""The pages about JSON: a list of the documents, and a page for each, from their schemas."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from ave_score.reports.data import ResultDocument
from tools.schemas import DESCRIBED, DOCUMENTS, OPTIONAL, SHARED, Row, rows_of, schema

COMMON = {"signature", "measures", "not_scored"} | {
    key for key in SHARED if "interval" in key and key != "interval"
}
"""Definitions of keys that the page describes once."""

COMMON_TITLE, _COMMON = "Keys of several documents", "../json.md#keys-of-several-documents"

HEAD = """\
# JSON

`-f json` prints one document: everything that a command found, unrounded. The page of a document
lists its keys, and links a schema for programs ([JSON Schema](https://json-schema.org) 2020-12),
which needs no other file and no network. Below is a command that prints an example of it.

In a path such as `runs[].measures`, `[]` stands for each entry of the list `runs`. A key that is
not always present is *optional*. The key `schema` has the name and version of a document, such as
`"ave-score/scores/1"`; lines of questions have none. [Measures](measures.md) and
[Findings](findings.md) explain the names of measures and the codes of rules.
[Compatibility](compatibility.md) says what may change.
"""


def pages() -> dict[str, str]:
    """Return the page that lists all documents, and a page for each."""
    shared = {key: part for key, part in SHARED.items() if key in COMMON}
    common = _keys(rows_of({"properties": shared, "required": [*shared]}, "", SHARED))
    listed = [_listed(DESCRIBED[name]) for name in DOCUMENTS]
    head = [HEAD, *listed, "", f"## {COMMON_TITLE}", ""]
    return {
        "docs/reference/json.md": "\n".join([*head, *common, ""]),
        **{f"docs/reference/json/{name}.md": _page(name) for name in DOCUMENTS},
    }


def _listed(document: ResultDocument) -> str:
    """Return the first sentence about a document, with a link to its page."""
    anchor, first = document.title.lower().replace(" ", "-"), document.text.partition(". ")[0]
    link = f"[{document.title}](json/{document.name}.md)"
    return f'- <a id="{anchor}-version-1"></a>{link}: {first.removesuffix(".")}.'


def _page(name: str) -> str:
    document = schema(name)
    rows = [*_once(rows_of(document, "", document.get("$defs", {})))]
    parts = [f"# {document['title']}", "", document["description"], ""]
    version = document["$id"].rpartition(":")[2]
    parts += [f"Version {version}: [JSON schema](../schemas/{name}.schema.json)", ""]
    parts += _keys(_alike([row for row in rows if not _is_common(row)]))
    if common := [_common(row) for row in rows if _is_common(row)]:
        parts += ["", f"[As in other documents]({_COMMON}): {', '.join(common)}."]
    return "\n".join([*parts, "", f"An example: `{DOCUMENTS[name]}`", ""])


def _is_common(row: Row) -> bool:
    return row.name in COMMON or row.path == "schema"


def _common(row: Row) -> str:
    return f"`{row.path}`" + (" (*optional*)" if row.kind.endswith(OPTIONAL) else "")


def _keys(rows: Iterable[Row]) -> list[str]:
    typed = ((row, f" ({row.kind})" if row.kind else "") for row in rows)
    return [f"- `{row.path}`{kind}: {row.text}" for row, kind in typed]


def _once(rows: Iterable[Row]) -> Iterator[Row]:
    """Yield rows without the keys of an object whose definition the page has described."""
    first: dict[str, str] = {}
    listed: str | None = None  # a key whose own keys are not repeated
    for row in rows:
        if listed and row.path.startswith(listed):
            continue
        listed = row.path if row.name in first else None
        its = f" Its keys are those of `{first[row.name]}`." if listed else ""
        yield row._replace(text=row.text + its)
        if row.name and row.name not in SHARED:
            first.setdefault(row.name, row.path)


_ALIKE = 5
"""So many keys of an object have a type said once, or the keys of another object."""


def _alike(rows: Sequence[Row]) -> Iterator[Row]:
    """Yield rows without what an object before, or the object itself, says of its keys."""
    of_object: dict[str, list[Row]] = {}
    for row in rows:
        of_object.setdefault(row.inside, []).append(row)
    for row in rows:
        its = f"{row.path}[]" if f"{row.path}[]" in of_object else row.path
        of, model = _model(its, of_object), _model(row.inside, of_object)
        if model and row.said in {other.said for other in of_object[model]}:
            continue
        text = row.text + (f" With the keys of `{of.removesuffix('[]')}`." if of else "")
        if usual := _usual(of_object.get(its, ())):
            text += f" Unless a type is named: {usual}."
        is_usual = row.inside and row.kind == _usual(of_object[row.inside])
        yield row._replace(text=text, kind="" if is_usual else row.kind)


def _usual(rows: Sequence[Row]) -> str:
    """Return the type of most keys of an object with many; or ''."""
    [(kind, times)] = Counter(row.kind for row in rows).most_common(1) or [("", 0)]
    return kind if times >= max(_ALIKE, 0.75 * len(rows)) else ""


def _model(path: str, of_object: Mapping[str, Sequence[Row]]) -> str:
    """Return the first object before whose keys, if there are many, an object has, too; or ''."""
    own = {row.said for row in of_object.get(path, ())}
    for other, rows in of_object.items():
        if other == path:
            break
        if other and len(rows) >= _ALIKE and {row.said for row in rows} <= own:
            return other
    return ""
