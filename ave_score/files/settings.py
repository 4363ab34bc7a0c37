"""Settings of a TOML file, checked and reported with their lines."""

from __future__ import annotations

import codecs
import re
import tomllib
from collections.abc import Iterator, Mapping
from datetime import datetime
from math import isfinite
from types import MappingProxyType
from typing import Any, NamedTuple

from ave_score import rules
from ave_score.core.findings import HINTS, Findings
from ave_score.core.text import composed, did_you_mean, nearest
from ave_score.files.encoding import marked_encoding, utf8_text
from ave_score.files.nodes import Expected, is_count
from ave_score.files.source import Source
from ave_score.files.times import MOMENT, moment

Keys = tuple[str, ...]
"""The path of a setting: its keys from the root."""


class TomlTable(NamedTuple):
    """A table of settings in a file.

    Attributes
    ----------
    lines
        The lines of the settings and tables of the file.
    findings
        The findings to add to.
    keys
        The keys that lead to the table.
    values
        Its settings.
    """

    lines: dict[Keys, int]
    findings: Findings
    keys: Keys
    values: dict[str, Any]

    @property
    def name(self) -> str:
        """The last key of the table."""
        return self.keys[-1]

    @property
    def line(self) -> int | None:
        """The line of the table, if known."""
        return self.line_of()

    def line_of(self, *names: str) -> int | None:
        """Return the line of a setting of the table, or of the nearest table around it."""
        paths = _upwards((*self.keys, *names))
        return next((self.lines[path] for path in paths if path in self.lines), None)

    def add(self, rule: rules.Rule, name: str, **facts: object) -> None:
        """Add a finding about a setting of the table."""
        where = ".".join(self.keys) or "the file"
        self.findings.add(rule, self.line_of(name), where=where, name=name, **facts)

    def allow(self, known: set[str], hints: Mapping[str, str] = MappingProxyType({})) -> None:
        """Report unknown settings; `hints` are the ends of messages about some of them."""
        unknown = [key for key in self.values if key not in known]
        for number, name in enumerate(unknown):
            near = nearest(name, known) if number < HINTS else None
            hint = hints.get(name) or did_you_mean(near)
            self.add(rules.UNKNOWN_SETTING, name, hint=hint)

    def value(self, name: str, expected: Expected, *, needed: bool = False) -> Any:  # noqa: ANN401
        """Return a setting, its default if it is missing or not as expected."""
        if name not in self.values:
            if needed:
                where = ".".join(self.keys) or "the file"
                self.findings.add(rules.SETTING_MISSING, self.line, where=where, name=name)
            return expected.default
        value = self.values[name]
        if expected.is_right(value):
            return value
        facts = {"found": _shown(value), "expected": expected.text}
        self.add(rules.SETTING_UNUSABLE, name, **facts)
        return expected.default

    def composed(self, name: str, values: dict[str, Any]) -> dict[str, Any]:
        """Return the values of a table by composed key, and report keys that become one."""
        known: dict[str, Any] = {}
        for key, value in values.items():
            if composed(key) in known:
                expected = "each key once, however its letters are composed"
                self.add(rules.SETTING_UNUSABLE, name, found=key, expected=expected)
            known[composed(key)] = value
        return known

    def times(self, name: str, values: dict[str, object]) -> dict[str, datetime]:
        """Return the times of a table, and report those that are none."""
        times = {key: moment(time) for key, time in values.items()}
        for key in [key for key, time in times.items() if time is None]:
            facts = {"name": key, "found": _shown(values[key]), "expected": MOMENT}
            self.findings.add(rules.TIME_UNUSABLE, self.line_of(name, key), **facts)
        return {key: time for key, time in times.items() if time is not None}

    def tables(self, name: str, *, or_names: bool = False) -> list[TomlTable]:
        """Return the subtables of a table, at least one; names in a list are empty tables."""
        inner = self.value(name, TABLES_OR_NAMES if or_names else TABLES, needed=True)
        named = [(key, {}) for key in inner] if isinstance(inner, list) else (inner or {}).items()
        return [self._replace(keys=(*self.keys, name, key), values=table) for key, table in named]


def _is_text(value: object) -> bool:
    return isinstance(value, str) and bool(value.strip()) and "\0" not in value


def _is_names(value: object) -> bool:
    values = value.values() if isinstance(value, dict) else [None]
    return all(_is_text(one) or is_count(one) for one in values)


def _is_finite(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value)


def _is_texts(value: object) -> bool:
    return isinstance(value, dict) and all(map(_is_text, value.values()))


def _is_list(value: object) -> bool:
    return isinstance(value, list) and bool(value) and all(map(_is_text, value))


def _is_text_or_list(value: object) -> bool:
    return _is_text(value) or _is_list(value)


def _is_tables(value: object) -> bool:
    return isinstance(value, dict) and bool(value) and all(map(_is_table, value.items()))


def _is_table(named: tuple[str, object]) -> bool:
    name, value = named
    return isinstance(value, dict) and bool(name.strip())


TEXT = Expected("a text", _is_text)
TEXTS = Expected("a table of texts", _is_texts, {})
FILE_OR_TEXTS = Expected(
    "a file, or a table of texts", lambda value: _is_text(value) or _is_texts(value), {}
)
FILE_OR_TIMES = Expected(
    "a file, or a table of times", lambda value: _is_text(value) or isinstance(value, dict)
)
PATHS = Expected("a folder, or a list of folders, files and patterns", _is_text_or_list, [])
PATTERNS = Expected(
    "a name or a pattern of names of runs, or a list of these", _is_text_or_list, []
)
NAMES = Expected("a table of texts, or of numbers of columns", _is_names)
FINITE = Expected("a number", _is_finite)
NUMBER = Expected("a whole number from 1", is_count)
TIME = Expected(MOMENT, lambda value: moment(value) is not None)
TABLES = Expected("tables", _is_tables)
TABLES_OR_NAMES = Expected(
    "tables, or a list of names", lambda value: _is_tables(value) or _is_list(value)
)


def _shown(value: object) -> str:
    """Describe a value; lists and tables without their contents."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (list, dict)):
        return "a list" if isinstance(value, list) else "a table"
    try:
        return str(value)
    except ValueError:  # Python writes no number of thousands of digits
        return "a number with too many digits"


MAX_PARTS = 20
"""Parts of the longest key that is read: tomllib takes quadratic time."""


def check_keys(text: str) -> None:
    """Raise `ValueError` for a key with too many parts."""
    for number, line in enumerate(text.split("\n"), 1):
        head = line.partition("=")[0] if not line.lstrip().startswith("[") else line
        if head.count(".") > MAX_PARTS:
            raise ValueError(f"a key with more than {MAX_PARTS} parts (at line {number}, column 1)")


def lines_of(text: str) -> dict[Keys, int]:
    """Return the line of each table and setting, as far as possible."""
    lines: dict[Keys, int] = {}
    table: Keys = ()
    quote = ""  # of a multi-line text, which contains no settings
    for number, line in enumerate(text.split("\n"), 1):
        bare = line.strip()
        if quote:
            quote = "" if quote in line else quote
            continue
        if bare.startswith("["):
            table = _keys(bare) or table
            _enter(table, number, lines)
        elif "=" in bare and not bare.startswith("#"):
            _enter((*table, *(_keys(bare) or ())), number, lines)
            quote = next((mark for mark in ('"""', "'''") if bare.count(mark) == 1), "")
    return lines


def _enter(keys: Keys, number: int, lines: dict[Keys, int]) -> None:
    """Record the first line of a setting and of its enclosing tables."""
    for path in _upwards(keys):
        lines.setdefault(path, number)


def _upwards(keys: Keys) -> Iterator[Keys]:
    """Yield the paths of a setting and of its enclosing tables, except the root."""
    for length in range(len(keys), 0, -1):
        yield keys[:length]


_BARE = r"[A-Za-z0-9_-]+(?:[ \t]*\.[ \t]*[A-Za-z0-9_-]+)*"
_PLAIN = re.compile(rf"\[[ \t]*({_BARE})[ \t]*\][ \t]*(?:#|$)|({_BARE})[ \t]*=")
"""The head of a table, or the key of a setting, without quotes."""


def _keys(line: str) -> Keys | None:
    """Return the keys at the start of a line of TOML."""
    if plain := _PLAIN.match(line):  # as most are: the parser takes ten times as long
        return tuple(re.split(r"[ \t]*\.[ \t]*", plain[1] or plain[2]))
    ends = [match.start() for match in re.finditer("=", line)]
    heads = [line] if line.startswith("[") else [f"{line[:end]}= 0" for end in ends[:MAX_PARTS]]
    for head in heads:
        try:
            value: Any = tomllib.loads(head)
        except (ValueError, RecursionError):
            continue
        keys: list[str] = []
        while isinstance(value, dict) and value:
            key, value = next(iter(value.items()))
            keys.append(key)
        return tuple(keys)
    return None


def read_toml(source: Source, findings: Findings, most: int, expected: str) -> TomlTable | None:
    """Return the settings of a file of at most so many bytes; None, with findings, if unusable."""
    text = _text(source, findings, most, expected)
    if text is None:
        return None
    try:
        check_keys(text)
        return TomlTable(lines_of(text), findings, (), tomllib.loads(text))
    except (ValueError, RecursionError) as error:
        _report_syntax(error, findings)
        return None


def _text(source: Source, findings: Findings, most: int, expected: str) -> str | None:
    data = source.whole(most)
    if data is None:
        facts = {"found": f"a file of more than {most >> 20} MB", "expected": expected}
        findings.add(rules.OTHER_FORMAT, **facts, hint="")
        return None
    if not data.strip():
        findings.add(rules.EMPTY_FILE, expected="settings in it")
        return None
    marked = marked_encoding(data)
    if marked in ("utf-16", "utf-32"):
        findings.add(rules.UTF16, 1, found=marked.upper())
        return None
    bare = data.removeprefix(codecs.BOM_UTF8)
    text = utf8_text(bare, findings, cr_ends_lines=False)
    return None if text is None else text.replace("\r\n", "\n")


def _report_syntax(error: Exception, findings: Findings) -> None:
    located = re.fullmatch(r"(.*) \(at line (\d+), column (\d+)\)", str(error), re.S)
    if located:
        line, column = int(located[2]), int(located[3])
        findings.add(rules.NOT_TOML, line, column, problem=located[1])
    elif isinstance(error, RecursionError):
        findings.add(rules.NOT_TOML, problem="it is nested too deeply")
    elif "integer string conversion" in str(error):
        findings.add(rules.NOT_TOML, problem="a number has too many digits")
    else:
        problem = re.sub(r" \(at end of document\)$", ": the file ends", str(error))
        findings.add(rules.NOT_TOML, problem=problem)
