"""Detect the kind of a file by its start, and report files of the wrong kind."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import islice

from ave_score import rules
from ave_score.core.findings import Findings
from ave_score.core.kinds import (
    COLUMNS,
    IN_RUNS,
    KINDS,
    LOGS,
    OF_PAIRS,
    FileKind,
    Header,
    LogRecord,
    Record,
    usual_names,
)
from ave_score.core.labels import LABELS, PAIR_LABELS
from ave_score.core.model import Collection
from ave_score.files.encoding import marked_encoding
from ave_score.files.lines import MAX_LINE
from ave_score.files.naming import Naming
from ave_score.files.source import Source

_USUAL = {name: column for column in COLUMNS for name in usual_names(column)}
"""Usual name -> column."""

OF_BEIR = {"query-id", "corpus-id", "score"}
"""The header of the qrels of BEIR."""

_PROLOG = r"(?s)\s*(?:\s|<\?.*?\?>|<!--.*?-->|<!DOCTYPE[^<>\[]*(?:\[[^\]]*\]\s*)?>)*"
_OBJECTS = re.compile(rb"[\s\xef\xbb\xbf]*(?P<list>\[\s*)?\{")
_FIRST_LINE = re.compile(r'(?:^|(?<=[\r\n]))(?!#|"?sep=."?[\r\n])[^\S\r\n]*[^\s][^\r\n]*')
_FIRST_LINES = 10
"""The lines that show what a file without a header has."""

_PASSED = r"(?s)(?:<!--.*?-->|(?!<!--|<(?:\w+:)?(?:q|pair|question)\b).)*"
"""What may precede the distinctive element. A question or a pair makes the file a collection."""


def sniff(source: Source) -> FileKind:
    """Return the probable kind of a file, by the records of `KINDS`.

    XML with another root is a collection, any other text is a run: keys look like runs without
    confidences, and lines `q_id a_id score` like runs without verdicts. TOML may be written in many
    ways, so that its name tells it.
    """
    text = head_of(source)
    if log_record(source) is not None:
        return FileKind.SCORES
    name = source.path.removesuffix(".gz").removesuffix(".xz")
    if name.endswith(".toml") and text.lstrip()[:1] not in ("<", "{"):
        return FileKind.CAMPAIGN
    kind = _sniffed(source, text)
    decides = source.naming.is_decided and kind is FileKind.SCORES
    return FileKind.RUN if decides else kind


def _sniffed(source: Source, text: str) -> FileKind:
    """Return the probable kind of a file that is no log, by the beginning of its text."""
    if text.lstrip().startswith("<"):
        kinds = (kind for kind, record in KINDS.items() if record.xml and _has_root(text, record))
        return next(kinds, FileKind.COLLECTION)
    first = first_line(text)
    if first.lstrip().startswith("{"):
        return _of_json(source, text)
    table = _table_kind(_columns(first, source.naming))
    if table is FileKind.SCORES and {*column_names(first, "\t")} >= OF_BEIR:
        return FileKind.QRELS
    if table is not None:  # a text of a table may have lines like those of a campaign file
        return table
    lines = text.replace("\r", "\n")
    firsts = _first_lines(lines)
    for kind, record in KINDS.items():
        if record.setting and re.search(rf"(?m)^{record.setting}", lines):
            return kind
        if record.line and _share(record.line, firsts) > 0.5:
            return kind
    damaged = (
        kind
        for kind, record in KINDS.items()
        if record.damaged_line
        and _share(f"(?:{record.line})|(?:{record.damaged_line})", firsts) >= 0.5
    )
    return next(damaged, FileKind.RUN)


def sniff_gold(source: Source) -> FileKind:
    """Return the probable kind of a file that is given as the gold standard.

    Records of ids and whole numbers, which as a run are scores, are qrels; those of ids and labels,
    which as a run are verdicts, are a collection. So are lines of two fields.
    """
    if log_record(source) is not None:
        return FileKind.SCORES
    text = head_of(source)
    kind = _sniffed(source, text)
    if kind is FileKind.SCORES and begins_as_table(source) and _has_whole_scores(source, text):
        return FileKind.QRELS
    is_run = kind is FileKind.RUN
    has_labels = is_run and (has_two_columns(source) or has_values(source))
    return FileKind.COLLECTION if has_labels else kind


def has_values(source: Source) -> bool:
    """Tell whether records have an id and a value, which may be a verdict or a label."""
    return has_column(source, "value") and has_column(source, "pair_id")


def has_two_columns(source: Source) -> bool:
    """Tell whether the first lines have two fields, of which the second is a label.

    Comments are those of runs.
    """
    text = head_of(source)
    lines = _first_lines(text)
    if not lines or own_header(source) or text.lstrip().startswith("#"):
        return False
    known = {*LABELS, *PAIR_LABELS, *source.naming.values}
    rows = [column_names(line, _delimiter_of_fields(line)) for line in lines]
    return all(len(row) == 2 and (row[1] in known or row[1].upper() in known) for row in rows)


def _has_whole_scores(source: Source, text: str) -> bool:
    """Tell whether the first rows of a table have whole numbers as scores, as grades are."""
    name, lines = source.naming.names.get("score", "score"), _first_lines(text)
    if lines[0].lstrip().startswith("{"):
        words = re.findall(rf'"{re.escape(name)}"\s*:\s*([^,}}\s]*)', "\n".join(lines))
    else:
        names = own_header(source) or column_names(lines[0], delimiter_of(source))
        at = names.index(name) if name in names else len(names)
        rows = [column_names(line, delimiter_of(source)) for line in lines]
        words = [row[at] for row in rows if at < len(row) and row is not rows[0]]
    return bool(words) and all(re.fullmatch("[0-9]{1,2}", word) for word in words)


def _first_lines(text: str) -> list[str]:
    """Return the first lines that are neither blank nor comments."""
    return [line[0] for line in islice(_FIRST_LINE.finditer(text), _FIRST_LINES)]


def _share(pattern: str, lines: Sequence[str]) -> float:
    """Return the share of lines that a pattern matches; 0 of none."""
    return sum(bool(re.fullmatch(pattern, line)) for line in lines) / max(1, len(lines))


def log_record(source: Source) -> LogRecord | None:
    """Return the record of the log that a file is, by its beginning; None for other files."""
    head = source.head()
    for record in LOGS:
        if record.start and re.match(record.start, head):
            return record
    begun = _OBJECTS.match(head)
    if begun is None:
        return None
    keys = _keys_so_far(head[begun.end() - 1 :]) if begun["list"] else _first_keys(source)
    return next((record for record in LOGS if record.keys & keys), None)


def has_systems(source: Source) -> bool:
    """Tell whether a file is a log that tells what a system answers, and whether that is right."""
    record = log_record(source)
    return record is not None and record.has_systems


def is_table(kind: FileKind) -> bool:
    """Tell whether a file of this kind cannot be a defective run or collection."""
    record = KINDS[kind]
    is_other = kind not in (FileKind.RUN, FileKind.COLLECTION)
    return is_other and (record.header is not None or bool(record.setting))


def delimiter_of(source: Source) -> str:
    """Return what separates the fields of a table: the one with most known columns, or a tab."""
    return _delimiter(first_line(head_of(source)), source.naming)


def own_header(source: Source) -> list[str]:
    """Return the names of the columns of a table without a header, which are numbers; else none."""
    line = first_line(head_of(source))
    return _numbers(line, source.naming)


def _numbers(line: str, naming: Naming) -> list[str]:
    """Return the numbers of the fields of a first line if `naming` has numbers for names.

    A line that names known columns, or these numbers, is a header nevertheless.
    """
    named = {*naming.names.values()}
    if not named or not all(name.isdecimal() for name in named) or line.lstrip()[:1] in "{[<":
        return []
    fields = column_names(line, _delimiter_of_fields(line))
    usual = {_USUAL.get(name.casefold()) for name in fields}
    if named <= {*fields} or (usual & {"q_id", "a_id", "pair_id", "run"}):
        return []
    return [str(number) for number in range(1, len(fields) + 1)]


def _delimiter_of_fields(line: str) -> str:
    """Return what separates most fields of a line; blanks if it has no tab, comma or semicolon."""
    return max("\t,; ", key=lambda mark: (line.count(mark) > 0, mark != " ", line.count(mark)))


def begins_as_table(source: Source) -> bool:
    """Tell whether a run or a key begins with a header, or with a JSON object of columns."""
    line = first_line(head_of(source))
    if line.lstrip().startswith("{"):
        return not COLUMNS.isdisjoint(_usual(_first_keys(source), source.naming))
    if not own_header(source) and "\t" not in line and "," not in line and ";" not in line:
        return False
    names = _columns(line, source.naming)
    return bool(_table_kind(names) or names >= {"q_id", "a_id"} or "pair_id" in names)


def has_column(source: Source, column: str) -> bool:
    """Tell whether a table has a column, by any of its names."""
    line = first_line(head_of(source))
    if line.lstrip().startswith(("{", "[")):
        return column in _usual(_first_keys(source), source.naming)
    return column in _columns(line, source.naming)


def _columns(header: str, naming: Naming) -> set[str]:
    """Return the columns that a header names."""
    if numbers := _numbers(header, naming):  # of a collection and of its runs, perhaps the same
        return {column for column, number in naming.names.items() if number in numbers}
    return _usual(column_names(header, _delimiter(header, naming)), naming)


def column_names(header: str, delimiter: str) -> list[str]:
    """Return the names in a header."""
    return [name.strip().strip('"') for name in header.split(delimiter)]


def _delimiter(header: str, naming: Naming) -> str:
    if _numbers(header, naming):
        return _delimiter_of_fields(header)
    sizes = {}
    for delimiter in "\t,;":
        names = column_names(header, delimiter)
        sizes[delimiter] = len(COLUMNS & _usual(names, naming)), len(names)
    known, _ = max(sizes.values())
    return "\t" if not known and "\t" in header else max(sizes, key=sizes.__getitem__)


def _usual(names: Iterable[str], naming: Naming) -> set[str]:
    """Return the usual names of columns, given their names in a file."""
    usual = _USUAL | {name: column for column, name in naming.names.items()}
    columns = {usual.get(name) or usual.get(name.casefold(), name) for name in names}
    if "verdict" in columns:
        columns |= {column for column, name in IN_RUNS.items() if name in columns}
    if columns == {*OF_PAIRS.values()}:  # of runs and of collections
        return {"pair_id", "verdict", "value"}
    label = naming.names.get("label")
    if label is not None and label == naming.names.get("verdict") and usual[label] in columns:
        columns -= {"label", "verdict"}  # only runs have confidences
        columns.add("verdict" if "confidence" in columns else "label")
    return columns


def _table_kind(names: set[str]) -> FileKind | None:
    kinds = (kind for kind, record in KINDS.items() if record.header and _has(names, record.header))
    return next(kinds, None)


def head_of(source: Source) -> str:
    """Return the beginning of a file as text, whatever its encoding."""
    return _text(source.head())


def first_line(text: str) -> str:
    """Return the first line that is neither blank, nor a comment, nor `sep=;` of Excel."""
    line = _FIRST_LINE.search(text)
    return line[0] if line else ""


def kind_beside(source: Source, collection: Collection) -> FileKind:
    """Return the kind of what is scored against a collection; a TREC run only if it is qrels.

    Beside qrels, lines of six fields are one, whatever is wrong with some of them.
    """
    kind = sniff(source)
    ranks = collection.standard.ranks_documents
    if ranks and begins_as_table(source) and has_column(source, "score"):
        return FileKind.TREC_RUN
    if ranks and kind is FileKind.RUN:
        fields = first_line(head_of(source)).split()
        return FileKind.TREC_RUN if len(fields) == len(KINDS[FileKind.TREC_RUN].fields) else kind
    return FileKind.RUN if kind is FileKind.TREC_RUN and not ranks else kind


def refused(source: Source, kind: FileKind, collection: Collection) -> Findings | None:
    """Return the finding about a kind that does not fit the collection, or None."""
    record, expected, standard = KINDS[kind], "", collection.standard
    if standard.ranks_documents and kind is not FileKind.TREC_RUN:
        expected = "a TREC run"
    elif record.needs_questions and not standard.has_questions:
        expected = "a run about pairs, which belong to no question"
    elif not len(collection.index) and record.needs_candidates:
        expected = "a judged file like the one scored against, which has no candidate answers"
    return other_format(source, kind, expected) if expected else None


def other_format(source: Source, kind: FileKind, expected: str, hint: str = "") -> Findings:
    """Return the finding about a file of the wrong kind."""
    findings = Findings(source.path)
    facts = {"found": KINDS[kind].called, "expected": expected, "hint": hint}
    findings.add(rules.OTHER_FORMAT, 1, **facts)
    return findings


def _has_root(text: str, record: Record) -> bool:
    """Tell whether XML starts with the elements of a kind, after the prolog.

    What precedes an element is matched alone, so that it is never matched again in another way:
    possessive groups, which would do the same, fail in Python before 3.11.5.
    """
    before, end = _PROLOG, 0
    for tag in record.xml:
        passed = re.compile(before).match(text, end)
        start = passed and re.compile(rf"<(?:\w+:)?{tag}\b").match(text, passed.end())
        if start is None:
            return False
        before, end = _PASSED, start.end()
    return True


def _has(names: set[str], header: Header) -> bool:
    """Tell whether columns are those of a kind of table."""
    enough = header.least or len(header.columns)
    return (
        len(names & header.columns) >= enough
        and (not header.any_of or bool(names & header.any_of))
        and not any(re.fullmatch(header.without, name) for name in names if header.without)
        and not (header.alone and names - header.columns)
    )


def _of_json(source: Source, text: str) -> FileKind:
    """Return the kind of a file whose first line begins with a brace."""
    keys = _first_keys(source)
    table = _table_kind(_usual(keys, source.naming))
    if table is not None:
        return table
    for kind, record in KINDS.items():
        if record.line_key and record.line_key in keys:
            return kind
        if record.json_key and f'"{record.json_key}"' in text:
            return kind
    return FileKind.RUN


def _first_keys(source: Source) -> set[str]:
    """Return the keys of the first line if it is a JSON object, else none."""
    from ave_score.files.json import keys_of  # most files are not JSON

    head = b""
    for chunk in source.chunks():
        head += chunk
        if len(head) > MAX_LINE:
            return _keys_so_far(head)
        if re.search(rb"[^\s\xef\xbb\xbf][\r\n]", head):
            break
    try:
        return keys_of(first_line(_text(head)))
    except RecursionError:  # the reader of the lines reports it
        return _keys_so_far(head)


def _keys_so_far(head: bytes) -> set[str]:
    """Return the keys of an object, as far as it goes."""
    from ave_score.files.json import first_keys

    return first_keys(_text(head))


def _text(head: bytes) -> str:
    return head.decode(marked_encoding(head) or "utf-8", "replace").replace("\0", "")
