"""Writing results: a command writes all of its files completely, or none."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from typing import TYPE_CHECKING, TextIO

from ave_score.errors import AveScoreError, InputError, PipeClosedError, UsageError, error_text

if TYPE_CHECKING:
    from ave_score.reports.plots.sheet import Sheet

_STREAMS = ("/dev/std", "/dev/fd/", "/proc/self/fd/")
"""Paths of open file descriptors, which may be files with content."""


def check_output_paths(read: Sequence[str], written: Mapping[str, str | None]) -> None:
    """Raise `UsageError` for conflicts between input and output paths.

    Protects e.g. against `score gold.xml --output *.txt`, which would overwrite the first run.
    `written` is option -> path.
    """
    if "" in read or "" in written.values():
        raise UsageError("empty file name")
    if read.count("-") > 1:
        raise UsageError("standard input (-) can be read only once")
    given = {option: path for option, path in written.items() if path is not None}
    targets = [_identity(path) for path in given.values()]
    if len(set(targets)) < len(targets):
        raise UsageError(f"{' and '.join(given)} name the same file")
    for path, target in zip(given.values(), targets, strict=True):
        if path != "-" and target in map(_identity, read):
            raise UsageError(f"{path} is also an input file and is not overwritten")


def _identity(path: str) -> str:
    """Return the real path of a file; `-` is unchanged."""
    return path if path == "-" else os.path.realpath(path)


@contextmanager
def whole_file(path: str) -> Iterator[TextIO]:
    """Open a text file for writing that replaces `path` only if the block succeeds.

    Devices and pipes are written directly; `-` is standard output. Raises `InputError` if writing
    fails, `PipeClosedError` for a closed pipe.
    """
    if path == "-":
        yield from _standard_output()
        return
    try:
        if path.startswith(_STREAMS) or not _is_file_or_nothing(path):
            with open(path, "a", encoding="utf-8", newline="") as out:
                yield out
        else:
            yield from _temporary_file(os.path.realpath(path))
    except BrokenPipeError:
        raise PipeClosedError from None
    except OSError as error:
        raise InputError(path, f"cannot be written: {error_text(error)}") from error


def write_whole_files(contents: Mapping[str, Iterable[str]]) -> None:
    """Write the lines of several files, all or none; standard output last."""
    with ExitStack() as open_files:
        for path in sorted(contents, key=lambda path: path == "-"):
            out = open_files.enter_context(whole_file(path))
            out.writelines(contents[path])
            out.flush()


def _standard_output() -> Iterator[TextIO]:
    try:
        yield sys.stdout
        sys.stdout.flush()
    except BrokenPipeError:
        forget_stdout()
        raise PipeClosedError from None
    except OSError as error:
        forget_stdout()
        raise AveScoreError(f"cannot write to standard output: {error_text(error)}") from error


def _is_file_or_nothing(path: str) -> bool:
    try:
        return stat.S_ISREG(os.stat(path).st_mode)
    except FileNotFoundError:
        return True


def forget_stdout() -> None:
    """Discard unwritten output, which the interpreter would flush again at exit."""
    with suppress(OSError, ValueError):  # a replacement stream may have no descriptor
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _temporary_file(target: str) -> Iterator[TextIO]:
    """Write to a temporary file in the same folder, and move it to the target at the end."""
    import tempfile  # slow to import, and most results go to standard output

    folder, name = os.path.split(target)
    handle, temporary = tempfile.mkstemp(prefix=f".{name[:100]}.", dir=folder)
    try:
        with open(handle, "w", encoding="utf-8", newline="") as out:
            yield out
        mode = os.stat(target).st_mode if os.path.exists(target) else 0o666 & ~_umask()
        os.chmod(temporary, mode)
        os.replace(temporary, target)
    except BaseException:
        with suppress(FileNotFoundError):
            os.unlink(temporary)
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def check_figure(path: str | None, others: list[str]) -> None:
    """Raise `UsageError` for a figure that cannot be drawn.

    `others` are the figure options given, e.g. `--plot-width`.
    """
    if path is None:
        if others:
            raise UsageError(f"{others[0]} needs --plot")
    elif path:  # `check_output_paths` refuses an empty name
        from ave_score.reports.plots.sheet import plot_format  # slow to import

        plot_format(path)


def write_figure(path: str, draw: Callable[[], Sheet], open_files: ExitStack) -> None:
    """Draw a figure to a file that appears when `open_files` closes."""
    from ave_score.reports.plots.sheet import drawn, plot_format

    out = open_files.enter_context(whole_file(path))
    out.buffer.write(drawn(draw, plot_format(path)))
