"""Templates of runs: every answer of a collection, each with the same verdict."""

from __future__ import annotations

from ave_score.core.errors import UsageError
from ave_score.core.kinds import FileKind
from ave_score.core.labels import Verdict
from ave_score.core.model import Collection
from ave_score.core.open_questions import OpenGold
from ave_score.core.writing import whole_bytes
from ave_score.files.tabular import Lost, Tabular
from ave_score.files.writers import notation_of, write_table
from ave_score.tasks.given import Path
from ave_score.tasks.inputs import Inputs

RUNS = ("lines", "csv", "tsv", "jsonl", "parquet")
"""The notations of `files.writers` in which runs are submitted."""


def template(gold: Collection | OpenGold) -> Tabular:
    """Return a run that rejects every answer, with confidence 0.

    Answer sets have no answers to decide about: of them, it is responses that are all NIL.

    Raises
    ------
    UsageError
        It is qrels, whose documents systems find themselves.
    """
    if isinstance(gold, OpenGold):
        nil = ((q_id, "NIL") for q_id in gold.questions)
        return Tabular(FileKind.RESPONSES, ["q_id", "answer"], nil)
    if not gold.standard.has_decisions:
        raise UsageError(f"{gold.path} is qrels: systems rank documents that they find themselves")
    ids, verdict = gold.index.id_columns, gold.standard.verdict_words[Verdict.REJECTED]
    rows = ((*row, verdict, "0") for row in zip(*ids.values(), strict=True))
    return Tabular(FileKind.RUN, [*ids, "verdict", "confidence"], rows)


def write_template(inputs: Inputs, collection: Path, output: str, notation: str | None) -> None:
    """Write a template; the labels of the collection are not read.

    The notation is by default that of the suffix of `output`, on standard output lines, or TSV of
    what has no lines.
    """
    gold = inputs.reference(collection)
    assert gold is not None  # for a file
    table = template(gold)
    if notation is None and output == "-":
        notation = "lines" if table.kind is FileKind.RUN else "tsv"
    notation = notation or notation_of(output)
    if notation not in RUNS:
        raise UsageError(f"a template has no notation {notation}, only {', '.join(RUNS)}")
    with whole_bytes(output) as stream:
        write_table(table, notation, stream, Lost())
