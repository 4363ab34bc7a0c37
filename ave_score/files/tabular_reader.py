"""Read a file as a table, to be written in another notation."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator

from ave_score.core.choice import Choice
from ave_score.core.columns import can_be_column, collection_columns
from ave_score.core.errors import UsageError, for_one_file
from ave_score.core.findings import Findings
from ave_score.core.judgements import ALL_LETTERS
from ave_score.core.kinds import COLUMNS, IN_RUNS, KINDS, OF_PAIRS, FileKind
from ave_score.core.labels import CORRECT_WORDS
from ave_score.core.model import Collection
from ave_score.core.standards import of_columns
from ave_score.files.check import check_file
from ave_score.files.gold import check_collection
from ave_score.files.json import DECODER, is_other
from ave_score.files.layout import Layout
from ave_score.files.lines import LineReader
from ave_score.files.log_systems import check_logs
from ave_score.files.qrels import unusable_ids
from ave_score.files.run import RunReader, reader_of
from ave_score.files.run_lines import RunLines
from ave_score.files.sniff import begins_as_table, has_systems, has_values, log_record
from ave_score.files.source import Source
from ave_score.files.table import Table
from ave_score.files.tabular import IDS, Lost, Tabular, word

_DECIDED = frozenset(["verdict", "label"])
"""Columns whose words --values may name."""


@for_one_file
def check_tabular(
    source: Source,
    kind: FileKind,
    key: Source | None,
    letters: str,
    lost: Lost,
    logs: Choice | None = None,
) -> tuple[Tabular | None, list[Findings]]:
    """Read a file as a table; None, with findings, if it has errors.

    Parameters
    ----------
    key
        The labels of a collection without labels.
    letters
        The meaning of the letters, a key of `LETTERS`.
    lost
        Receives what a table does not hold, e.g. comments.
    logs
        What is chosen of a log, which becomes a judged file.

    Raises
    ------
    UsageError
        Files of this kind are no tables, or `key` was given for one that is no collection.
    """
    if kind in (FileKind.COLLECTION, FileKind.QRELS):
        collection, findings = check_collection(source, key, needs_labels=False, with_texts=True)
        if collection is not None and collection.standard.ranks_documents:
            unusable = unusable_ids(source)
            if unusable.errors:
                return None, [unusable]
        return (None if collection is None else tabular_of(collection, lost)), findings
    if key is not None:
        raise UsageError(f"a key labels a collection, and {source.path} is {KINDS[kind].called}")
    if kind is FileKind.SCORES and has_systems(source):
        return _of_log(source, letters, logs, lost)
    if kind is FileKind.SCORES and log_record(source):
        hint = "`ave-score decide` makes a run of each verifier"
        raise UsageError(f"{source.path} is a log or has several answers in a line: {hint}")
    if not KINDS[kind].is_convertible:
        raise UsageError(f"{source.path} is {KINDS[kind].called}, which cannot be converted")
    checked = check_file(source, kind, letters=letters).findings
    if checked.errors:
        return None, [checked]
    if KINDS[kind].fields and not begins_as_table(source):
        return _of_lines(source, kind, lost), [checked]
    repeated = Findings(source.path)  # other columns, of which only one could be written
    columns = _columns(_table(source, kind, repeated))
    if repeated.errors:
        return None, [repeated]
    return _of_table(source, kind, columns, lost), [checked]


def _of_log(
    source: Source, letters: str, logs: Choice | None, lost: Lost
) -> tuple[Tabular | None, list[Findings]]:
    """Return a log as a judged file, with the attributes of its questions."""
    read, findings = check_logs({source.name: source}, logs, letters, "excluded")
    if read is None:
        return None, findings
    collection, systems = read
    names = [*filter(can_be_column, collection.attributes)]
    columns = ["q_id", "run", "judgement", "answered", "replicate", "confidence", "score", *names]
    rows: list[list[str | None]] = []
    for system in systems:
        for answer in system.answers:
            numbers = (None if n is None else repr(n) for n in (answer.confidence, answer.score))
            answered = "NO" if answer.answered is False else None
            row = [answer.q_id, system.name, answer.judgement, answered, answer.replicate, *numbers]
            rows.append([*row, *(collection.attributes[name].get(answer.q_id) for name in names)])
    questions = len(collection.index.questions)
    lost["question without a judged answer"] = questions - len({row[0] for row in rows})
    return Tabular(FileKind.JUDGED, columns, rows), findings


def _of_table(source: Source, kind: FileKind, names: list[str], lost: Lost) -> Tabular:
    """Return the rows of a table with these columns; its numbers keep their spelling.

    Scores may leave out the ids of answers, which then are numbered as their reader does it.
    """
    columns = [name for name in names if name.strip()]
    header = KINDS[kind].header
    may_be_empty = IDS | (header.columns if header else frozenset())
    is_numbered = kind is FileKind.SCORES and "a_id" not in columns
    if is_numbered:
        columns.insert(columns.index("q_id") + 1, "a_id")

    def rows() -> Iterator[list[object]]:
        values, sizes = source.naming.values, Counter[str]()
        for row in _table(source, kind, Findings(source.path)).records():
            cells = {
                name: None if value == "" and name not in may_be_empty else value
                for name, value in row.value.items()
            }
            for name in [name for name, value in cells.items() if is_other(value)]:
                lost[f"{name} that is no text"] += 1
                cells[name] = None
            for name in cells.keys() - columns:
                lost["column without a name"] += cells[name] is not None
            for name in cells.keys() & _DECIDED:
                if meant := values.get(word(cells[name])):
                    cells[name] = of_columns(cells).said.get(meant, meant)
            if (meant := values.get(word(cells.get("judgement")))) in ALL_LETTERS:
                cells["judgement"] = meant
            if meant := values.get(word(cells.get("correct"))):
                cells["correct"] = CORRECT_WORDS.get(meant, cells["correct"])
            if is_numbered:
                q_id = word(cells["q_id"])
                sizes[q_id] += 1
                cells["a_id"] = f"{q_id}_{sizes[q_id]}"
            yield [cells.get(name) for name in columns]

    return Tabular(kind, columns, rows())


def _table(source: Source, kind: FileKind, findings: Findings) -> Table:
    layout = Layout("", (), (*COLUMNS,), keeps_others=True, quotes_tabs=KINDS[kind].quotes_tabs)
    if kind is FileKind.RUN:
        columns = COLUMNS.difference(IN_RUNS.values())
        layout = layout._replace(optional=(*columns,), otherwise=IN_RUNS)
        if has_values(source):
            layout = layout._replace(optional=("pair_id", "verdict"), otherwise=OF_PAIRS)
    return Table(source, findings, layout)


def _columns(table: Table) -> list[str]:
    """Return the columns of a table, in its order; in JSON Lines any row can have others."""
    columns: dict[str, None] = {}
    for row in table.records():
        if not table.is_typed:
            return table.columns
        if len(columns) < len(table.columns):
            field_of = {table.own_name(name): name for name in table.columns}
            columns |= {
                field_of[key]: None for key, _ in DECODER.decode(row.line) if key in field_of
            }
    return [name for name in columns if name in table.columns]


def _of_lines(source: Source, kind: FileKind, lost: Lost) -> Tabular:
    """Return the fields of lines."""
    columns = KINDS[kind].fields
    if kind is FileKind.RUN:
        run = reader_of(source, None, Findings(source.path))
        columns = (*run.standard.ids, *columns[2:])
        if not isinstance(run, RunLines):
            return Tabular(kind, columns, _of_notation(run))
    separator = "\t" if KINDS[kind].has_tabs else None
    values, said = source.naming.values, of_columns(columns).said
    decided = next((at for at, name in enumerate(columns) if name in _DECIDED), len(columns))

    def rows() -> Iterator[list[str | None]]:
        reader = LineReader(source, Findings(source.path), "", has_texts=separator is not None)
        for block in reader.blocks():
            for _, line in block.lines():
                if line.startswith("#"):
                    lost["comment"] += 1
                elif (fields := line.strip().split(separator)) and fields != [*columns]:
                    if decided < len(fields) and (meant := values.get(fields[decided])):
                        fields[decided] = said.get(meant, meant)
                    yield [*fields, *[None] * (len(columns) - len(fields))]

    return Tabular(kind, columns, rows())


def _of_notation(run: RunReader) -> Iterator[list[str | None]]:
    """Yield the rows of a run whose lines are not fields between blanks."""
    words, ids = run.standard.verdict_words, len(run.standard.ids)
    for block in run.blocks():
        for q_id, a_id, code, value in zip(*block.unpacked()[1:5], strict=True):
            yield [*(q_id, a_id)[-ids:], words[code], None if math.isnan(value) else repr(value)]


def tabular_of(collection: Collection, lost: Lost) -> Tabular:
    """Return a collection as a table; what the table does not hold is added to `lost`."""
    columns = collection_columns(collection)
    for name, values in collection.attributes.items():
        if not can_be_column(name):
            lost[f"attribute {name}, which is named like another column"] += len(values)
        elif empty := sum(not value for value in values.values()):
            lost[f"empty attribute {name}"] += empty
    rows, texts = zip(*columns.values(), strict=True), collection.texts
    if texts is None:
        return Tabular(FileKind.COLLECTION, [*columns], rows)
    lost.update(texts.omitted)
    return Tabular(FileKind.COLLECTION, [*columns], rows, texts.root)
