"""Writing results: a command writes all of its files completely, or none (see `writing`)."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack, chdir
from importlib import import_module
from typing import TYPE_CHECKING
from unicodedata import normalize

import click

from ave_score.core.errors import UsageError
from ave_score.core.writing import whole_file
from ave_score.reports.formats import render
from ave_score.reports.plots import check_figure, plot_format
from ave_score.reports.style import style_for

if TYPE_CHECKING:
    from ave_score.core.drawing import Drawing
    from ave_score.reports.report import Report


def check_output_paths(read: Sequence[str], written: Mapping[str, str | None]) -> None:
    """Raise `UsageError` for conflicts between input and output paths.

    Protects e.g. against `score gold.xml --output *.txt`, which would overwrite the first run.
    `written` is option -> path.
    """
    if "" in read:
        raise UsageError("empty file name")
    if empty := [option for option, path in written.items() if path == ""]:
        raise UsageError(f"{empty[0]}: empty file name")
    if read.count("-") > 1:
        raise UsageError("standard input (-) can be read only once")
    outputs = {option: path for option, path in written.items() if path is not None}
    targets = [_identity(path) for path in outputs.values()]
    alike = [option for option, t in zip(outputs, targets, strict=True) if targets.count(t) > 1]
    if alike:
        raise UsageError(f"{' and '.join(alike)} name the same file")
    for path, target in zip(outputs.values(), targets, strict=True):
        if path != "-" and target in map(_identity, read):
            raise UsageError(f"{path} is also an input file and is not overwritten")


def _identity(path: str) -> str:
    """Return the real path of a file, folded as systems do that ignore case; `-` is unchanged.

    Only a file tells whether it has a name in capitals, too.
    """
    real = path if path == "-" else os.path.realpath(path)
    if not os.path.exists(real):
        return real
    file = os.stat(real)
    return f"{normalize('NFC', real).casefold()} {file.st_dev} {file.st_ino}"


def typed_figure(text: str) -> tuple[str | None, str]:
    """Return the type and the file of a figure: `roc=roc.svg`, or without a type `bars.svg`.

    Raises `UsageError` for an unknown type; a file with a name like `a=b.svg` is `./a=b.svg`.
    """
    name, separator, path = text.partition("=")
    if not separator or not re.fullmatch(r"[\w-]*", name):
        return None, text
    check_figure(name)
    return name, path


def write_figure(path: str, drawing: Drawing, open_files: ExitStack) -> None:
    """Draw a figure to a file that appears when `open_files` closes.

    matplotlib reads a `matplotlibrc` of the working folder first, which may come from others, and
    fails if it is damaged. None of its settings is used.
    """
    if os.path.lexists("matplotlibrc"):
        with chdir(os.path.dirname(__file__)):
            import_module("matplotlib")
    out = open_files.enter_context(whole_file(path))
    out.buffer.write(drawing.to_bytes(plot_format(path)))


def say(lines: Iterable[str]) -> None:
    """Print lines on stderr."""
    for line in lines:
        click.echo(line, err=True)


UNDEFINED_VALUE = 3
"""Exit code if a value is printed that is undefined, for scripts that read a number."""


def write_report(
    report: Report,
    format: str,
    path: str,
    plot: str | None = None,
    drawing: Callable[[], Drawing] | None = None,
) -> int:
    """Write a report in one of `reports.formats.FORMATS`; return the exit code.

    A figure is drawn to the file `plot`, if it is named and there is anything to draw.
    """
    with ExitStack() as open_files:
        if plot is not None and drawing is not None:
            write_figure(plot, drawing(), open_files)
        text = render(report, format, style_for(path))
        open_files.enter_context(whole_file(path)).write(text)
    has_all = format != "value" or report.values is None or report.values().is_defined
    return 0 if has_all else UNDEFINED_VALUE
