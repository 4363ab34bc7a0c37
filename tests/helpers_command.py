"""Helpers for tests of commands: calling one in this process, and what it says."""

from __future__ import annotations

import io
import json
import os
import shlex
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import IO, Any, NamedTuple

import pytest

from ave_score.commands import run
from ave_score.core.writing import remove_parts
from tests.conftest import ROOT

AVE_SCORE = [sys.executable, "-m", "ave_score"]


class Said(NamedTuple):
    """The exit code of a command, and what it wrote."""

    code: int
    out: str
    err: str


def ave(*arguments: str | Path, code: int | None = None) -> Said:
    """Run `ave-score` in this process: no internal error, and this exit code, if any is given."""
    said = said_by(*arguments)
    assert "internal error" not in said.err, said.err
    assert code in (None, said.code), said.err
    return said


def said_by(*arguments: str | Path) -> Said:
    """Run `ave-score` in this process, without a traceback."""
    streams = [
        io.TextIOWrapper(io.BytesIO(), "utf-8", newline="", write_through=True) for _ in range(2)
    ]
    out, err = streams
    remove_parts.cache_clear()  # as in a process of its own
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


def document_of(*arguments: str | Path) -> Any:  # noqa: ANN401 - any JSON
    """Return the JSON document of a command that succeeds and warns of nothing."""
    return json.loads(output(*arguments, "--format", "json"))


def refusal(*arguments: str | Path, code: int = 2) -> str:
    """Run a command that refuses to do anything; return what it says."""
    ended, out, err = ave(*arguments)
    assert (ended, out) == (code, "")
    return err


def process(
    *arguments: str | bytes | Path,
    command: Sequence[str] = AVE_SCORE,
    stdin: str | bytes = "",
    stdout: int | IO[str] = subprocess.PIPE,
    cwd: Path | None = None,
    timeout: float = 60,
    **environment: str,
) -> Said:
    """Run `python -m ave_score`, or another command, to its end, in a plain environment."""
    done = subprocess.run(
        [*command, *arguments],
        input=os.fsencode(stdin),
        stdout=stdout,
        stderr=subprocess.PIPE,
        check=False,
        cwd=cwd,
        timeout=timeout,
        env=plain_environment() | environment,
    )
    return Said(done.returncode, os.fsdecode(done.stdout or b""), os.fsdecode(done.stderr))


def first_line_of(*arguments: str, command: Sequence[str] = AVE_SCORE) -> Said:
    """Take the first line that a command prints, and leave the rest."""
    with subprocess.Popen(
        [*command, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=plain_environment(),
        text=True,
    ) as going:
        assert going.stdout is not None and going.stderr is not None
        line = going.stdout.readline()
        going.stdout.close()
        return Said(going.wait(60), line, going.stderr.read())


def program(code: str) -> list[str]:
    return [sys.executable, "-c", code]


def plain_environment() -> dict[str, str]:
    """Return an environment without a width, colours or formats of whoever runs the tests."""
    names = "PATH", "HOME", "LANG", "XDG_CACHE_HOME"
    kept = {name: os.environ[name] for name in names if name in os.environ}
    return {**kept, "PYTHONPATH": str(ROOT)}


def modules_after(*arguments: str) -> set[str]:
    """Return the modules that a command has imported when it ends."""
    code = (
        "import sys; from ave_score.commands import run; run(sys.argv[1:]); "
        "print('\\n'.join(sys.modules), file=sys.stderr)"
    )
    return set(process(*arguments, command=program(code)).err.split())


PEAK = """
import re, sys
from pathlib import Path
from ave_score.commands import run
code = run(sys.argv[1:])
print("peak", re.search(r"VmHWM:\\s+(\\d+)", Path("/proc/self/status").read_text())[1])
sys.exit(code)
"""

needs_proc = pytest.mark.skipif(
    not Path("/proc/self/status").exists(), reason="nothing tells how much memory was needed"
)


def peak_of(folder: Path, *arguments: str, timeout: float = 60) -> tuple[int, int, str]:
    """Return exit code, most resident memory in MiB, and all output of a command in a folder."""
    code, out, err = process(*arguments, command=program(PEAK), cwd=folder, timeout=timeout)
    *lines, last = out.splitlines()
    return code, int(last.removeprefix("peak ")) >> 10, "\n".join([*lines, err])


Parts = str | Sequence[str]
"""A part of a text that must be there, or several."""

Files = Mapping[str, str | bytes]
"""Files by their paths in a folder."""


class Call(NamedTuple):
    """A call of the command in a folder, and all that it does there.

    Without parts of the output the command prints nothing, and without those of the errors it is
    silent. It writes these files, exactly, and no others.
    """

    words: str
    code: int
    err: Parts = ()
    out: Parts = ()
    puts: Files = {}  # noqa: RUF012 - never changed
    writes: Files = {}  # noqa: RUF012 - never changed


def files_of(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def put_all(folder: Path, files: Files) -> None:
    for name, data in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data.encode() if isinstance(data, str) else data)


def here_with(files: Files, *, autouse: bool = False) -> Any:  # noqa: ANN401 - a fixture
    """Return a fixture: the test works in a folder with these files."""

    def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
        monkeypatch.chdir(tmp_path)
        monkeypatch.delenv("AVE_SCORE_FORMAT", raising=False)
        put_all(tmp_path, files)
        return tmp_path

    return pytest.fixture(autouse=autouse)(here)


def assert_call(folder: Path, call: Call, *command: str) -> None:
    """Make a call in a folder; assert that it does what it says, and nothing else."""
    put_all(folder, call.puts)
    before, paths = files_of(folder), {*folder.rglob("*")}
    code, out, err = ave(*command, *shlex.split(call.words))
    assert code == call.code, err
    for parts, text in ((call.out, out), (call.err, err)):
        wanted = [parts] if isinstance(parts, str) else parts
        assert not [part for part in wanted if part not in text], text
        assert wanted or not text, text
    assert files_of(folder) == before | {
        name: data.encode() if isinstance(data, str) else data for name, data in call.writes.items()
    }
    assert {path for path in folder.rglob("*") if path.is_symlink() or path.is_dir()} <= paths


def calls(cases: Iterable[Call]) -> pytest.MarkDecorator:
    """Return the mark of a test that is run for each call."""
    return pytest.mark.parametrize("call", [pytest.param(call, id=call.words) for call in cases])
