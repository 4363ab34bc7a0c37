"""Generate the documentation pages made from records, and the command output in all pages.

`python -m tools.generate` writes; with `--check` it names the files that differ and exits with 1.
The commands of console blocks (```console, lines `$ command`) run in a shell unless they only call
`ave-score`; the output of each follows it. They run in the root of the repository, or in a new
folder from a line `<!-- folder: test.xml=gold/tiny.xml runs/=sample_runs/tiny/ -->` on, which names
what is copied from the repository into it. There a fenced block below `<!-- file: NAME -->` becomes
a file. The terminal has 80 columns, which fit the column of the site.
"""

from __future__ import annotations

import argparse
import contextlib
import gzip
import io
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from unittest import mock

from ave_score.commands import run
from benchmarks import results
from tools import command_line, findings, measures, reproduction, schema_pages, schemas
from tools.broken import SHOWN, broken_files
from tools.own import ROOT, own_files
from tools.policies import with_tables

PAGES = ["README.md", *(str(path.relative_to(ROOT)) for path in own_files("docs", ".md"))]

_FOLDER = re.compile(r"^(<!-- folder:.*?-->)$", re.M)
_FENCED = re.compile(
    r"^(?:<!-- file: (?P<file>\S+) -->\n+)?```(?P<language>\w+)\n(?P<text>.*?)^```$", re.M | re.S
)

_PLAIN = re.compile(
    r"ave-score (?P<arguments>[^$;&|<>]+?)"
    r"(?P<quiet> 2> /dev/null)?(?: \| (?P<filter>.+))?"
)
"""A call of `ave-score` that needs no shell, and a command that it is piped into."""


def with_output(page: str) -> str:
    """Return a page with the output of its console blocks as it is now."""
    start, *rest = _FOLDER.split(page)
    parts = [_FENCED.sub(Session(ROOT).block, start)]
    for marker, part in zip(rest[::2], rest[1::2], strict=True):
        with new_folder(marker) as folder:
            parts += [marker, _FENCED.sub(Session(folder).block, part)]
    return "".join(parts)


@contextlib.contextmanager
def new_folder(marker: str) -> Iterator[Path]:
    """Make a folder with what the last marker in a text names, or without one yield the root."""
    markers = _FOLDER.findall(marker)
    if not markers:
        yield ROOT
        return
    with tempfile.TemporaryDirectory() as name:
        for target, source in re.findall(r"(\S+)=(\S+)", markers[-1]):
            of_folder = own_files(source) if target.endswith("/") else [ROOT / source]
            for file in of_folder:
                path = Path(name, target, file.relative_to(ROOT / source))
                path.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(file, path)
        yield Path(name)


@dataclass
class Session:
    """A shell in a folder, with the exit code of the last command as `$?`."""

    folder: Path
    code: int = 0

    def _environment(self) -> dict[str, str]:
        """Return the environment of commands; `ave-score fix` remembers its copies in the cache."""
        cache = {} if self.folder == ROOT else {"XDG_CACHE_HOME": str(self.folder / ".cache")}
        return {"COLUMNS": "80", **cache}

    def block(self, match: re.Match[str]) -> str:
        """Return a fenced block with the output of its commands; write it if it is a file."""
        if match["file"]:
            path = self.folder / match["file"]
            path.parent.mkdir(exist_ok=True)
            path.write_text(match["text"], "utf-8")
        if match["language"] != "console":
            return match[0]
        commands = re.findall(r"^\$ (.+)$", match["text"], re.M)
        return f"```console\n{''.join(map(self._ran, commands))}```"

    def _ran(self, command: str) -> str:
        output = self._output_in_process(command)
        if output is None:
            output = self._output_in_shell(f"(exit {self.code}); {command}")
        return "\n".join([f"$ {command}", *(line.rstrip() for line in output.splitlines()), ""])

    def _output_in_shell(self, command: str, text: str = "") -> str:
        environment = {
            "PATH": f"{Path(sys.executable).parent}:/usr/bin:/bin",
            "LC_ALL": "C.UTF-8",
            **self._environment(),
        }
        done = subprocess.run(
            ["bash", "-c", command], cwd=self.folder, env=environment, check=False, input=text,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8",
        )  # fmt: skip
        self.code = done.returncode
        return done.stdout

    def _output_in_process(self, command: str) -> str | None:
        """Return the output of `ave-score` without starting a process; None for other commands.

        Only what follows a pipe runs in a shell.
        """
        match = _PLAIN.fullmatch(command)
        if match is None:
            return None
        out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True) for _ in range(2))
        with (
            contextlib.chdir(self.folder),
            mock.patch.dict(os.environ, self._environment(), clear=True),
            contextlib.redirect_stdout(out),
            contextlib.redirect_stderr(err if match["filter"] or match["quiet"] else out),
        ):
            words = shlex.split(match["arguments"])
            self.code = run([path for word in words for path in _expanded(word)])
        text, errors = (stream.buffer.getvalue().decode() for stream in (out, err))
        if match["filter"]:
            text = self._output_in_shell(match["filter"], text)
        return text if match["quiet"] else errors + text


def _expanded(word: str) -> list[str]:
    """Return the paths that a pattern matches, or the word itself."""
    return sorted(map(str, Path().glob(word))) if "*" in word else [word]


def page(name: str) -> str:
    """Return a page as it should be, by its path in the repository."""
    if name in GENERATED:
        return GENERATED[name]()
    return with_output(with_tables((ROOT / name).read_text("utf-8")))


@cache
def _command_line() -> dict[str, str]:
    """Return the pages about commands; what several say stands in one."""
    texts = command_line.pages().items()
    return command_line.explained_once({name: with_output(text) for name, text in texts})


def _of_command(name: str) -> str:
    return _command_line()[name]


GENERATED: dict[str, Callable[[], str]] = {
    "docs/explanation/reproduction.md": reproduction.page,
    "docs/explanation/speed.md": results.page,
}
for _pages in (measures.pages(), findings.pages(), schema_pages.pages()):
    GENERATED |= {name: partial(with_output, text) for name, text in _pages.items()}
GENERATED |= {name: partial(_of_command, name) for name in command_line.pages()}
"""The pages of which every line is written here, and what writes them."""


def generated_files() -> dict[Path, bytes]:
    """Return every file that is written here, by its path."""
    pages = {ROOT / name: page(name).encode() for name in dict.fromkeys([*PAGES, *GENERATED])}
    files = broken_files()
    return (
        pages
        | schemas.files()
        | {ROOT / "sample_runs/broken" / name: files[name] for name in SHOWN}
    )


def _unpacked(data: bytes) -> bytes:
    """Return what a file holds: libraries compress the same into different bytes."""
    return gzip.decompress(data) if data.startswith(b"\x1f\x8b") else data


def main() -> int:
    """Write the files that differ, or name them."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.generate",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "--check", action="store_true", help="write nothing; exit with 1 if files differ"
    )
    check, differing = parser.parse_args().check, 0
    for path, data in generated_files().items():
        if not path.exists() or _unpacked(path.read_bytes()) != _unpacked(data):
            differing += 1
            print(f"{'differs' if check else 'wrote'}: {path.relative_to(ROOT)}")
            if not check:
                path.parent.mkdir(exist_ok=True)
                path.write_bytes(data)
    return 1 if check and differing else 0


if __name__ == "__main__":
    sys.exit(main())
