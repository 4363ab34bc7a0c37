"""The style of text output: width, colours and characters of a terminal or a file."""

from __future__ import annotations

import os
import sys
from typing import NamedTuple, TextIO


class TextStyle(NamedTuple):
    """Width in columns (None: unlimited), use of colours, use of characters beyond ASCII."""

    width: int | None = None
    colour: bool = False
    unicode: bool = True


def style_for(output: str, *, err: bool = False) -> TextStyle:
    """Return the style for a file, or for standard output if `output` is `-`.

    `err` selects standard error instead. COLUMNS sets the width even in a pipe; NO_COLOR and
    TERM=dumb disable colours.
    """
    columns = os.environ.get("COLUMNS", "")
    is_sane = columns.isascii() and columns.isdigit() and len(columns) < 6
    width = (int(columns) or None) if is_sane else None
    if output != "-":
        return TextStyle(width)
    stream = sys.stderr if err else sys.stdout
    is_terminal = stream.isatty()
    if is_terminal and width is None:
        width = _terminal_width(stream)
    is_plain = bool(os.environ.get("NO_COLOR")) or os.environ.get("TERM") == "dumb"
    encoding = (stream.encoding or "").lower()
    return TextStyle(width, is_terminal and not is_plain, encoding.startswith("utf"))


def _terminal_width(stream: TextIO) -> int | None:
    try:
        return os.get_terminal_size(stream.fileno()).columns or None
    except (OSError, ValueError):
        return None


def is_narrow(text: str) -> bool:
    """Tell whether every character has a width of 1: no ideographs, marks, control characters."""
    return text.isprintable() and max(text, default="") < "\u0300"


def cells_of(text: str) -> int:
    """Return the width of a text in terminal columns; ideograms are two columns wide."""
    if text.isascii() or is_narrow(text):
        return len(text)
    from rich.cells import cell_len  # slow to import; few texts need it

    return cell_len(text)
