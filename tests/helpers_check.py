"""Helpers for tests of `ave-score check`: running it, and the commands in a log of GitHub."""

from __future__ import annotations

import json
import os
import re
from functools import partial
from typing import Any, NamedTuple

import pytest

from tests.helpers_command import ave, process

FORMATS = ["full", "concise", "json", "markdown", "github", "gitlab", "sarif", "junit"]
DOCUMENTS = ["json", "markdown", "github", "gitlab", "sarif", "junit"]
"""The formats that must say on stdout, too, what could not be read."""

posix = pytest.mark.skipif(os.name != "posix", reason="needs pipes, links and devices")

check = partial(ave, "check")
child = partial(process, "check")


def codes(document: dict[str, Any]) -> list[tuple[str, int | None, int | None]]:
    return [
        (found["code"], found["line"], found["column"])
        for file in document["files"]
        for found in file["findings"]
    ]


def found(*arguments: str) -> list[tuple[str, int | None, int | None]]:
    """Run `ave-score check`; return code, line and column of every finding."""
    return codes(json.loads(check(*arguments, "--format", "json")[1]))


class Command(NamedTuple):
    """A workflow command that the runner has understood."""

    name: str
    properties: dict[str, str]
    data: str


REGISTERED = frozenset([
    "internal-set-repo-path", "set-env", "set-output", "save-state", "add-mask", "add-path",
    "add-matcher", "remove-matcher", "warning", "error", "notice", "debug", "group", "endgroup",
    "echo", "stop-commands",
])  # fmt: skip


def obeyed(text: str) -> list[Command]:
    """Return the workflow commands in a log, as GitHub's runner finds them.

    A line that, but for blanks of any kind, begins with `::` is tried first; any other is searched
    for the older `##[name]`, which may stand anywhere in it.
    """
    found = (_with_colons(line) or _with_bracket(line) for line in re.split(r"\r\n|\r|\n", text))
    return [one for one in found if one]


def _with_colons(line: str) -> Command | None:
    line = line.lstrip()
    stop = line.find("::", 2)
    if not line.startswith("::") or stop < 0:
        return None
    name, _, listed = line[2:stop].partition(" ")
    if name.lower() not in REGISTERED:
        return None
    pairs = [pair.split("=", 1) for pair in listed.strip().split(",") if pair]
    properties = {pair[0]: _unescaped(pair[1], ":,") for pair in pairs if len(pair) == 2}
    return Command(name, properties, _unescaped(line[stop + 2 :]))


def _with_bracket(line: str) -> Command | None:
    start = line.find("##[")
    stop = line.find("]", start)
    if start < 0 or stop < 0:
        return None
    name = line[start + 3 : stop].partition(" ")[0]
    return Command(name, {}, line[stop + 1 :]) if name.lower() in REGISTERED else None


def _unescaped(text: str, also: str = "") -> str:
    for character in "\r\n" + also:
        text = text.replace(f"%{ord(character):02X}", character)
    return text.replace("%25", "%")


ATTACKS = [
    "::error::x", "::error file=a,line=1::x", "::stop-commands::token", "##[error]x",
    "a##[stop-commands]token", "%0A::error::x", "%250A::error::x", "a,line=9,b::c", "a:b,c=d",
]  # fmt: skip
"""Words without a blank that a workflow command might be made of."""
