"""For each rule a file that breaks it, and the same file fixed; the documentation shows a few."""

from __future__ import annotations

import gzip
import io
import zipfile
from collections.abc import Callable

from ave_score import rules
from ave_score.core.kinds import KINDS
from ave_score.rules import Rule

SHOWN = ("answer-missing.txt", "decimal-comma.txt", "two-selected.txt", "verdict-case.txt")
"""The files in `sample_runs/broken/`, which the documentation uses; tests write all of them."""


def broken_files() -> dict[str, bytes]:
    """Return every file by its path: those of `SHOWN` are written to `sample_runs/broken/`."""
    files = {}
    for rule in rules.RULES.values():
        name = rule.name + KINDS[rule.example_of].suffix
        files[wrong_path(rule)] = _wrong(rule)
        files[f"right/{name}"] = rule.right.encode()
    return files


def wrong_path(rule: Rule) -> str:
    """Return the path of the file that breaks a rule; the huge ones are compressed."""
    compressed = ".gz" if rule in _HUGE else ""
    return rule.name + KINDS[rule.example_of].suffix + compressed


def _wrong(rule: Rule) -> bytes:
    data = _STORED[rule](rule.wrong) if rule.stored else rule.wrong.encode()
    return _compressed(data) if rule in _HUGE else data


def _compressed(data: bytes) -> bytes:
    packed = io.BytesIO()
    # GzipFile and not gzip.compress, whose header names the system under some versions of Python
    with gzip.GzipFile(filename="", mode="wb", fileobj=packed, mtime=0) as stream:
        stream.write(data)
    return packed.getvalue()


def _latin_1(text: str) -> bytes:
    return text.encode("latin-1")


def _utf_16(text: str) -> bytes:
    return f"\ufeff{text}".encode("utf-16-le")


def _ellipsis_of_latin_1(text: str) -> bytes:
    """Convert an ellipsis from Windows-1252 as if it were Latin-1."""
    return text.encode("cp1252").decode("latin-1").encode()


def _zipped(text: str) -> bytes:
    """Put the lines between the first and the last, which stand for the archive, into one."""
    run = "".join(text.splitlines(keepends=True)[1:-1])
    entry = zipfile.ZipInfo("run.txt")  # dated 1980, and not compressed: always the same bytes
    entry.create_system = 3
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr(entry, run)
    return packed.getvalue()


def _long(text: str, size: int) -> bytes:
    """Let the text go on for `size` characters where it says `...`."""
    before, after = text.split("...")
    return (before + "... " * (size // 4) + after).encode()


def _long_line(text: str) -> bytes:
    return _long(text, 2_000_000)


def _long_comment(text: str) -> bytes:
    return _long(text, 12_000_000)


def _deep(text: str) -> bytes:
    """Make 254 of the three elements <i>; they stand on the fourth level."""
    return text.replace("<i>" * 3, "<i>" * 254).replace("</i>" * 3, "</i>" * 254).encode()


_STORED: dict[Rule, Callable[[str], bytes]] = {
    rules.NOT_UTF8: _latin_1,
    rules.UTF16: _utf_16,
    rules.CONTROL_IN_TEXT: _ellipsis_of_latin_1,
    rules.BINARY_FILE: _zipped,
    rules.LINE_TOO_LONG: _long_line,
    rules.TOO_DEEP: _deep,
    rules.TOKEN_TOO_LONG: _long_comment,
}
"""What makes the bytes of a file out of the text that is shown, by the rules with `stored`."""

_HUGE = frozenset([rules.LINE_TOO_LONG, rules.TOKEN_TOO_LONG])
