"""Campaign files: TOML that names editions, their languages, collections and runs.

    title = "Answer Validation Exercise"
    output = "results"

    [editions.2007]
    measures = "ave2007"

    [editions.2007.languages.es]
    collection = "ave2007-es.xml"
    runs = "runs/es"

Paths are relative to the file. `ave-score campaign init` writes one with every setting explained.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from ave_score import rules
from ave_score.findings import Findings
from ave_score.formats.encoding import marked_encoding
from ave_score.formats.source import Source
from ave_score.labels import CAMPAIGNS, UNKNOWN_POLICIES
from ave_score.text import did_you_mean, nearest

MAX_CAMPAIGN = 1 << 20
"""Bytes of the longest campaign file that is read."""

Path = tuple[str, ...]
"""Where a setting stands: the keys that lead to it."""


class Language(NamedTuple):
    """What a campaign file says of one language: paths as they stand there."""

    edition: str
    name: str
    collection: str
    key: str | None
    judged: str | None
    groups: str | dict[str, str]
    runs: list[str]
    names: dict[str, str]
    line: int | None


class Edition(NamedTuple):
    """What a campaign file says of one edition: measures and policies by name."""

    name: str
    measures: str | None
    campaign: str
    missing: str
    unknown: str
    languages: list[Language]
    line: int | None


class Campaign(NamedTuple):
    """A campaign file."""

    path: str
    title: str
    output: str
    editions: list[Edition]


def read_campaign(source: Source, findings: Findings) -> Campaign | None:
    """Read a campaign file; None where it is no TOML, or a setting is unusable."""
    text = _text(source, findings)
    if text is None:
        return None
    try:
        document = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        _report_syntax(error, findings)
        return None
    reader = _Reader(_lines_of(text), findings)
    campaign = _campaign(source.path, document, reader)
    return None if findings.errors else campaign


def _text(source: Source, findings: Findings) -> str | None:
    data = b""
    for chunk in source.chunks():
        data += chunk
        if len(data) > MAX_CAMPAIGN:
            facts = {"found": f"more than {MAX_CAMPAIGN:,} bytes", "expected": "a campaign file"}
            findings.add(rules.OTHER_FORMAT, **facts, hint="")
            return None
    if not data.strip():
        findings.add(rules.EMPTY_FILE, expected="settings in it")
        return None
    if marked_encoding(data) in ("utf-16", "utf-32"):
        findings.add(rules.UTF16, 1, None, "", found="UTF-16")
        return None
    try:
        return data.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        findings.add(rules.NOT_UTF8, line, byte=data[error.start])
        return None


def _report_syntax(error: Exception, findings: Findings) -> None:
    said = re.fullmatch(r"(.*) \(at line (\d+), column (\d+)\)", str(error), re.S)
    if said:
        findings.add(rules.NOT_TOML, int(said[2]), int(said[3]), problem=said[1])
    else:
        problem = re.sub(r" \(at end of document\)$", ": the file ends", str(error))
        findings.add(rules.NOT_TOML, problem=problem)


def _campaign(path: str, document: dict[str, Any], reader: _Reader) -> Campaign:
    top = reader.table((), document, {"title", "output", "editions"})
    editions = top.tables("editions")
    return Campaign(
        path,
        top.text("title") or "",
        top.text("output") or "results",
        [_edition(table) for table in editions],
    )


def _edition(table: _Table) -> Edition:
    table.allow({"measures", "campaign", "missing", "unknown", "languages"})
    return Edition(
        table.name,
        table.text("measures"),
        table.choice("campaign", tuple(CAMPAIGNS)),
        table.choice("missing", ("error", "rejected")),
        table.choice("unknown", tuple(UNKNOWN_POLICIES)),
        [_language(one, table.name) for one in table.tables("languages")],
        table.line,
    )


def _language(table: _Table, edition: str) -> Language:
    table.allow({"collection", "key", "judged", "groups", "runs", "names"})
    return Language(
        edition,
        table.name,
        table.text("collection", needed=True) or "",
        table.text("key"),
        table.text("judged"),
        table.text_or_texts("groups"),
        table.list_of_texts("runs"),
        table.texts("names"),
        table.line,
    )


class _Reader(NamedTuple):
    """Where settings stand in a campaign file, and where to complain about them."""

    lines: dict[Path, int]
    findings: Findings

    def line(self, path: Path) -> int | None:
        """Return the line of a setting, or of the table that it would stand in."""
        return next((self.lines[p] for p in _upwards(path) if p in self.lines), None)

    def table(self, path: Path, values: dict[str, Any], known: set[str]) -> _Table:
        """Return a table in which only these settings may stand."""
        table = _Table(self, path, values)
        table.allow(known)
        return table

    def add(self, rule: rules.Rule, path: Path, **facts: object) -> None:
        """Note what is wrong with the setting at a path."""
        where = ".".join(path[:-1]) or "the file"
        self.findings.add(rule, self.line(path), where=where, name=path[-1], **facts)


class _Table(NamedTuple):
    """A table of settings at a path."""

    reader: _Reader
    path: Path
    values: dict[str, Any]

    @property
    def name(self) -> str:
        return self.path[-1]

    @property
    def line(self) -> int | None:
        return self.reader.line(self.path)

    def allow(self, known: set[str]) -> None:
        """Report every setting that there is not."""
        for name in self.values.keys() - known:
            hint = did_you_mean(nearest(name, known))
            self.reader.add(rules.UNKNOWN_SETTING, (*self.path, name), hint=hint)

    def _take(
        self, name: str, expected: str, is_right: Callable[[Any], bool], *, needed: bool = False
    ) -> Any:  # noqa: ANN401 - what TOML holds, checked by `is_right`
        """Return a setting, None where it is not there or not as expected."""
        path = (*self.path, name)
        if name not in self.values:
            if needed:
                where = ".".join(self.path) or "the file"
                self.reader.findings.add(rules.SETTING_MISSING, self.line, where=where, name=name)
            return None
        value = self.values[name]
        if is_right(value):
            return value
        self.reader.add(rules.SETTING_UNUSABLE, path, found=_shown(value), expected=expected)
        return None

    def text(self, name: str, *, needed: bool = False) -> str | None:
        """Return a text that is not empty."""
        found: str | None = self._take(name, "a text", _is_text, needed=needed)
        return found

    def choice(self, name: str, known: tuple[str, ...]) -> str:
        """Return one of some words, the first where there is none."""
        expected = f"one of {', '.join(known)}"
        found: str = self._take(name, expected, lambda value: value in known) or known[0]
        return found

    def texts(self, name: str) -> dict[str, str]:
        """Return a table of texts."""
        found: dict[str, str] = self._take(name, "a table of texts", _is_texts) or {}
        return found

    def text_or_texts(self, name: str) -> str | dict[str, str]:
        """Return the name of a file, or a table of texts."""
        expected = "a file, or a table of texts"
        found: str | dict[str, str] = (
            self._take(name, expected, lambda value: _is_text(value) or _is_texts(value)) or {}
        )
        return found

    def list_of_texts(self, name: str) -> list[str]:
        """Return a list of texts, of which one alone may stand for itself."""
        expected = "a folder, or a list of folders, files and patterns"
        found = self._take(name, expected, lambda value: _is_text(value) or _is_list(value))
        return [found] if isinstance(found, str) else list(found or ())

    def tables(self, name: str) -> list[_Table]:
        """Return the tables in a table, at least one."""
        found = self._take(name, "tables", _is_tables, needed=True) or {}
        return [_Table(self.reader, (*self.path, name, key), one) for key, one in found.items()]


def _is_text(value: object) -> bool:
    return isinstance(value, str) and bool(value.strip()) and "\0" not in value


def _is_texts(value: object) -> bool:
    return isinstance(value, dict) and all(map(_is_text, value.values()))


def _is_list(value: object) -> bool:
    return isinstance(value, list) and bool(value) and all(map(_is_text, value))


def _is_tables(value: object) -> bool:
    return isinstance(value, dict) and bool(value) and all(map(_is_table, value.items()))


def _is_table(named: tuple[str, object]) -> bool:
    name, value = named
    return isinstance(value, dict) and bool(name.strip())


def _shown(value: object) -> str:
    if isinstance(value, str):
        return value
    return "a table" if isinstance(value, dict) else str(value)


def _lines_of(text: str) -> dict[Path, int]:
    """Return the line at which each table and each setting stands, as far as can be told."""
    lines: dict[Path, int] = {}
    table: Path = ()
    for number, line in enumerate(text.split("\n"), 1):
        bare = line.strip()
        if bare.startswith("["):
            table = _keys(bare) or table
            lines.setdefault(table, number)
        elif "=" in bare and not bare.startswith("#"):
            lines.setdefault((*table, *(_keys(bare) or ())), number)
    return lines


def _upwards(path: Path) -> Iterator[Path]:
    """Yield a path and those of the tables around it, the whole file left out."""
    for length in range(len(path), 0, -1):
        yield path[:length]


def _keys(line: str) -> Path | None:
    """Return the keys that a line of TOML names, whatever stands behind them."""
    head = line if line.startswith("[") else re.sub(r"=.*", "= 0", line, count=1)
    try:
        found: Any = tomllib.loads(head)
    except (ValueError, RecursionError):
        return None
    keys: list[str] = []
    while isinstance(found, dict) and found:
        key, found = next(iter(found.items()))
        keys.append(key)
    return tuple(keys)
