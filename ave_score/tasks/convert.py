"""Files in another notation."""

from __future__ import annotations

import os
from typing import Unpack

from ave_score.core.choice import Choice
from ave_score.core.entrants import TableWords, checked, takes
from ave_score.core.errors import UsageError
from ave_score.core.kinds import FileKind
from ave_score.core.policies import Policies
from ave_score.core.writing import whole_bytes
from ave_score.files.sniff import sniff
from ave_score.files.tabular import Lost
from ave_score.files.tabular_reader import check_tabular
from ave_score.files.writers import NOTATIONS, notation_of, write_table
from ave_score.tasks.check import kind_named
from ave_score.tasks.given import Path
from ave_score.tasks.inputs import Inputs


@takes(TableWords)
def convert(
    path: Path,
    output: Path,
    *,
    to: str | None = None,
    kind: FileKind | str | None = None,
    key: Path | None = None,
    letters: str = "qa-clef",
    logs: Choice | None = None,
    **words: Unpack[TableWords],
) -> dict[str, int]:
    """Write a file in another notation.

    Parameters
    ----------
    path
        A run, a key, scores, a collection or another table; qrels are a collection.
    output
        The file to write; one that exists is replaced. It is compressed if its name ends with .gz
        or .xz.
    to
        `lines`, `csv`, `tsv`, `jsonl`, `parquet`, `xml`, `trec` or `json`; by default by the
        suffix of `output`.
    kind
        The kind of the file; by default by its content; a key needs `"key"`.
    key
        The labels of a collection without labels.
    letters
        The meaning of the letters, a key of `LETTERS`.
    logs
        What is chosen of a log, which becomes a judged file.
    columns, values
        What columns and words of tables mean, as `read_collection` takes them.

    Returns
    -------
    dict
        What the notation cannot hold -> how often it was left out; empty if nothing was lost.

    Raises
    ------
    DefectError, InputError
        The file has errors, or cannot be read or written.
    UsageError
        The notation or the kind does not exist, or does not fit.
    """
    name = os.fspath(output)
    if to is not None and to not in NOTATIONS:
        raise UsageError(f"no notation {to!r}, only {', '.join(NOTATIONS)}")
    inputs = Inputs(Policies.of(letters=letters, logs=logs), entrants=checked(words, TableWords))
    lost = converted(inputs, path, name, to or notation_of(name), kind, key)
    return {what: times for what, times in lost.items() if times}


def converted(
    inputs: Inputs,
    path: Path,
    output: str,
    notation: str,
    kind: FileKind | str | None,
    key: Path | None,
) -> Lost:
    """Write a file in another notation, as `convert`; return all that may be lost."""
    lost, source = Lost(), inputs.source(path, "path")
    kind = sniff(source) if kind is None else kind_named(kind)
    labels = None if key is None else inputs.source(key, "key")
    letters, logs = inputs.policies.letters, inputs.policies.logs
    table = inputs.take(check_tabular, source, kind, labels, letters, lost, logs)
    if table is None or inputs.refused:
        raise inputs.refusal("nothing written")
    with whole_bytes(output) as stream:
        write_table(table._replace(name=source.name), notation, stream, lost)
    return lost
