"""The JSON objects of a log: from JSON Lines, from a list, or from a list in a document."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from json import JSONDecodeError

from ave_score import rules
from ave_score.core.errors import InputError
from ave_score.core.findings import Findings
from ave_score.files.encoding import decoded
from ave_score.files.json import JsonText, Members, Path, Walk, described, problem_of
from ave_score.files.json_lines import objects_of
from ave_score.files.lines import Block, LineReader
from ave_score.files.source import Source
from ave_score.rules import Rule, Safety

MAX_LOG = 1 << 30
"""Bytes of the largest document, unpacked."""

MAX_LOG_LINE = 16 << 20
"""Bytes of the longest line: it may hold hundreds of answers with their texts."""


class LogEntry:
    """A JSON object of a log: a sample, or a question with its answers."""

    def __init__(self, findings: Findings, text: JsonText, start: int, number: int) -> None:
        self.number = number
        self._findings = findings
        self._text: JsonText | None = text
        self._start = start

    def forget(self) -> None:
        """Drop the text: later findings have the number of the line only."""
        self._text = None

    def add(self, path: Path, rule: Rule, fix: Safety | None = None, /, **facts: object) -> None:
        """Add a finding about a value."""
        number, columns, line = self.number, None, ""
        if self._text is not None:
            number, columns, line = self._text.located(self._start, path)
        self._findings.add(rule, number, columns, line, fix, **facts)

    def refuse(self, path: Path, value: object, expected: str) -> None:
        """Report a value that is not as expected."""
        facts = {"where": where(path), "found": described(value), "expected": expected}
        self.add(path, rules.LOG_UNUSABLE, **facts)

    def missing(self, path: Path, expected: str) -> None:
        """Report a value that is missing."""
        facts = {"where": where(path), "found": "missing", "expected": expected}
        self.add(path, rules.LOG_UNUSABLE, **facts)

    def fields(self, value: object, path: Path = ()) -> dict[str, object]:
        """Return the values of an object by key; report another value, and keys given twice."""
        if not isinstance(value, Members):
            self.refuse(path, value, "an object")
            return {}
        fields: dict[str, object] = {}
        for key, inner in value:
            if key in fields:
                facts = {"field": where((*path, key)), "first": key, "again": key}
                self.add((*path, key), rules.KEY_REPEATED, **facts)
            fields[key] = inner
        return fields

    def items(self, value: object, path: Path, expected: str) -> list[object]:
        """Return the items of a list; report an empty list, which drops a question, and others."""
        is_list = isinstance(value, list) and not isinstance(value, Members)
        if isinstance(value, list) and is_list and value:
            return value
        self.refuse(path, value, f"{expected}, not an empty one" if is_list else expected)
        return []


def blocks_of(source: Source, findings: Findings, expected: str) -> Iterator[Block] | None:
    """Return the blocks of JSON Lines; None for a list."""
    if source.head().lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"["):
        return None
    return LineReader(
        source, findings, expected, has_texts=True, own_start=b"{", longest=MAX_LOG_LINE
    ).blocks()


def entries(
    source: Source, findings: Findings, expected: str, blocks: Iterable[Block] | None = None
) -> Iterator[tuple[LogEntry, dict[str, object]]]:
    """Yield the objects of JSON Lines, or of a list, each with its values by key.

    `blocks` are those that are left of the file.
    """
    blocks = blocks_of(source, findings, expected) if blocks is None else blocks
    if blocks is None:
        for entry, value in _listed(source, findings, expected):
            yield entry, entry.fields(value)
        return
    for line in objects_of(blocks, findings):
        entry = LogEntry(findings, JsonText(line.text, line.number), 0, line.number)
        yield entry, entry.fields(line.members)


def _listed(source: Source, findings: Findings, expected: str) -> Iterator[tuple[LogEntry, object]]:
    text = decoded(whole(source), findings, expected)
    if text is None:
        return
    walk = Walk(text)
    try:
        yield from items(walk, JsonText(text), findings)
        walk.end()
    except JSONDecodeError as error:
        add_not_json(findings, error)


def items(walk: Walk, text: JsonText, findings: Findings) -> Iterator[tuple[LogEntry, object]]:
    """Yield the items of the next list in a document with their values."""
    line, counted = 1, 0
    for _ in walk.items():
        line += text.text.count("\n", counted, walk.at)
        counted = walk.at
        entry = LogEntry(findings, text, walk.at, line)
        yield entry, walk.value()


def whole(source: Source) -> bytes:
    """Return the bytes of a document; raises `InputError` if there are too many."""
    data = source.whole(MAX_LOG)
    if data is None:
        raise InputError(source.path, f"has more than {MAX_LOG >> 30} GiB")
    return data


def add_not_json(findings: Findings, error: JSONDecodeError, number: int | None = None) -> None:
    """Report where a text, perhaps only the line `number` of a log, is not JSON."""
    line, column = (error.lineno, error.colno) if number is None else (number, None)
    findings.add(rules.NOT_JSON, line, column, problem=problem_of(error.msg))
    findings.skip("everything after the position where reading stopped")


def scalars(value: object, prefix: str = "") -> dict[str, str]:
    """Return the texts, numbers and truth values of an object, those of objects in it as `a.b`."""
    found: dict[str, str] = {}
    for key, inner in value if isinstance(value, Members) else ():
        if isinstance(inner, Members):
            found |= scalars(inner, f"{prefix}{key}.")
        elif isinstance(inner, str | bool):
            found[f"{prefix}{key}"] = described(inner) if isinstance(inner, bool) else str(inner)
    return found


def where(path: Path) -> str:
    """Return a path in words: `samples[3].score`."""
    steps = (f"[{step}]" if isinstance(step, int) else f".{step}" for step in path)
    return "".join(steps).removeprefix(".") or "the line"
