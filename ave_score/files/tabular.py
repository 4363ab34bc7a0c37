"""What a file holds, as columns and rows, to be written in another notation."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from ave_score.columns import COLLECTION_COLUMNS, PAIR_COLUMNS, collection_columns
from ave_score.kinds import FileKind
from ave_score.model import Collection

Lost = Counter[str]
"""What a notation cannot hold -> how often it occurs."""


class Tabular(NamedTuple):
    """Columns and rows.

    Attributes
    ----------
    kind
        The kind of file.
    columns
        The names of the columns.
    rows
        A value for each column: a text, a `Number` or another value of JSON; None if there is none.
        They can be read once.
    root
        The attributes of the root element of XML.
    """

    kind: FileKind
    columns: Sequence[str]
    rows: Iterable[Sequence[object]]
    root: Mapping[str, str] = {}


def tabular_of(collection: Collection, lost: Lost) -> Tabular:
    """Return a collection as a table; what the table does not hold is added to `lost`."""
    columns = collection_columns(collection)
    others = PAIR_COLUMNS if collection.index.is_pairs else COLLECTION_COLUMNS
    for name, values in collection.attributes.items():
        if name in others:
            lost[f"attribute {name}, which is named like a column"] += len(values)
        elif empty := sum(not value for value in values.values()):
            lost[f"empty attribute {name}"] += empty
    rows, texts = zip(*columns.values(), strict=True), collection.texts
    if texts is None:
        return Tabular(FileKind.COLLECTION, [*columns], rows)
    lost.update(texts.omitted)
    return Tabular(FileKind.COLLECTION, [*columns], rows, texts.root)
