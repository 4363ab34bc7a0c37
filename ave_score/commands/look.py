"""How text looks where it goes: a terminal's width and colours, or a plain file."""

from __future__ import annotations

import os
import sys
from typing import TextIO

from ave_score.reports.look import Look


def look_for(output: str, *, err: bool = False) -> Look:
    """Return the look of standard output, of standard error instead, or that of a file.

    COLUMNS sets the width even in a pipe; NO_COLOR and TERM=dumb turn colours off.
    """
    columns = os.environ.get("COLUMNS", "")
    sane = columns.isascii() and columns.isdigit() and len(columns) < 6
    width = (int(columns) or None) if sane else None
    if output != "-":
        return Look(width)
    stream = sys.stderr if err else sys.stdout
    terminal = stream.isatty()
    if terminal and width is None:
        width = _terminal_width(stream)
    plain = bool(os.environ.get("NO_COLOR")) or os.environ.get("TERM") == "dumb"
    encoding = (stream.encoding or "").lower()
    return Look(width, colour=terminal and not plain, lines=encoding.startswith("utf"))


def _terminal_width(stream: TextIO) -> int | None:
    try:
        return os.get_terminal_size(stream.fileno()).columns or None
    except (OSError, ValueError):
        return None
