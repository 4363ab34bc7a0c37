"""The style of text output: width, colours and characters of a terminal or a file."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterator
from typing import NamedTuple, TextIO

from ave_score.core.text import visible

_WORD = re.compile(r"\s*\S+")
BREAKS = re.compile(r"(?<=[_./…-])(?![\s_./-]|$)(?!(?<=\d[_./-])\d)")
"""Where a name may continue on another line: after `_`, `-`, `.`, `/`, `…`; not between digits."""


class TextStyle(NamedTuple):
    """Width in columns (None: unlimited), use of colours, use of characters beyond ASCII."""

    width: int | None = None
    colour: bool = False
    unicode: bool = True


def style_for(output: str, *, err: bool = False) -> TextStyle:
    """Return the style for a file, or for standard output if `output` is `-`.

    `err` selects standard error instead. COLUMNS sets the width and FORCE_COLOR the colours even in
    a pipe; NO_COLOR and TERM=dumb disable colours.
    """
    columns = os.environ.get("COLUMNS", "")
    is_sane = columns.isascii() and columns.isdigit() and len(columns) < 6
    width = (int(columns) or None) if is_sane else None
    if output != "-":
        return TextStyle(width)
    stream = sys.stderr if err else sys.stdout
    is_terminal = stream.isatty()
    if is_terminal and width is None:
        width = terminal_width(stream)
    is_plain = bool(os.environ.get("NO_COLOR")) or os.environ.get("TERM") == "dumb"
    encoding = (stream.encoding or "").lower()
    if is_terminal and os.name == "nt":  # a console may print the codes of colours
        from rich.console import detect_legacy_windows

        is_plain = is_plain or detect_legacy_windows()
    has_colour = (is_terminal or bool(os.environ.get("FORCE_COLOR"))) and not is_plain
    return TextStyle(width, has_colour, encoding.startswith("utf"))


def terminal_width(stream: TextIO) -> int | None:
    """Return the columns of a terminal, None for anything else."""
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


def folded(text: str, width: int, pieces: Callable[[str], list[str]] = _WORD.findall) -> list[str]:
    """Return a text as lines of this width; a longer word has a line of its own."""
    if cells_of(text) <= width:
        return [text]
    lines = [""]
    for part in pieces(text):
        if lines[-1] and cells_of(lines[-1] + part) > width:
            lines.append("")
        lines[-1] += part if lines[-1] or len(lines) == 1 else part.lstrip()
    return lines


def name_pieces(text: str) -> list[str]:
    """Return the pieces of a name, which are not split, with the blanks before them."""
    return [piece for word in _WORD.findall(text) for piece in BREAKS.split(word)]


def folded_name(text: str, width: int) -> list[str]:
    """Return a name as lines of this width; only a longer piece of it is split."""
    if cells_of(text) <= width:
        return [text]
    lines = folded(text, width, name_pieces)
    # a log would obey what now begins a line
    return [visible(part) for line in lines for part in _cut(line, width)]


def _cut(text: str, width: int) -> Iterator[str]:
    while cells_of(text) > width:
        end = max(1, next(n for n in range(width, -1, -1) if cells_of(text[:n]) <= width))
        yield text[:end]
        text = text[end:]
    yield text
