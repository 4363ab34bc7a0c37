"""Helpers for tests of commands: calling one in this process, and what it says."""

from __future__ import annotations

import io
import json
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any, NamedTuple

from ave_score.commands import run


class Said(NamedTuple):
    """The exit code of a command, and what it wrote."""

    code: int
    out: str
    err: str


def ave(*arguments: str | Path) -> Said:
    """Run `ave-score` in this process, which must not have an internal error."""
    said = said_by(*arguments)
    assert "internal error" not in said.err, said.err
    return said


def said_by(*arguments: str | Path) -> Said:
    """Run `ave-score` in this process, without a traceback."""
    streams = [
        io.TextIOWrapper(io.BytesIO(), "utf-8", newline="", write_through=True) for _ in range(2)
    ]
    out, err = streams
    with redirect_stdout(out), redirect_stderr(err):
        code = run([*map(str, arguments)])
    texts = [stream.buffer.getvalue().decode() for stream in streams]
    assert "Traceback" not in texts[1], texts[1]
    return Said(code, *texts)


def output(*arguments: str | Path) -> str:
    """Run a command that succeeds and warns of nothing; return what it prints."""
    code, out, err = ave(*arguments)
    assert (code, err) == (0, "")
    return out


def document(*arguments: str | Path) -> Any:  # noqa: ANN401 - any JSON
    """Return the JSON document of a command that succeeds and warns of nothing."""
    return json.loads(output(*arguments, "--format", "json"))


def refusal(*arguments: str | Path, code: int = 2) -> str:
    """Run a command that refuses to do anything; return what it says."""
    ended, out, err = ave(*arguments)
    assert (ended, out) == (code, "")
    return err
