"""A drawing as the bytes of a file: the same input gives the same bytes, and no date is in them."""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from io import BytesIO
from xml.sax.saxutils import escape

from ave_score.errors import UsageError
from ave_score.reports.plots.look import looks
from ave_score.reports.plots.sheet import Sheet
from ave_score.reports.plots.words import Words

SUFFIXES = ("svg", "png", "pdf")
"""What the name of a figure's file can end in, and so what it is."""

WIDTH = 6.3
"""The width in inches where none is asked for: that of a page of text."""

_DOTS = 200
"""Dots per inch of PNG."""

_NOTHING: dict[str, dict[str, None]] = {
    "svg": {"Date": None, "Creator": None, "Format": None, "Type": None},
    "png": {"Software": None},
    "pdf": {"CreationDate": None, "Creator": None, "Producer": None},
}
"""What matplotlib would say of itself and of today."""


def plot_format(path: str) -> str:
    """Return what a file is to be: svg, png or pdf, by the end of its name.

    Raises `UsageError` where it is none of them, and where nothing can be drawn here.
    """
    suffix = path.rpartition(".")[2].lower() if "." in path else ""
    if suffix not in SUFFIXES:
        told = ", ".join(f".{one}" for one in SUFFIXES)
        raise UsageError(f"a figure is written to a file that ends in {told}, not to {path!r}")
    if find_spec("matplotlib") is None:
        raise UsageError("drawing needs matplotlib: pip install 'ave-score[plot]'")
    return suffix


def drawn(draw: Callable[[], Sheet], suffix: str) -> bytes:
    """Return the bytes of what `draw` draws, as svg, png or pdf, with its words in them."""
    with looks(suffix):
        sheet = draw()
        out = BytesIO()
        sheet.figure.savefig(out, format=suffix, dpi=_DOTS, metadata=_metadata(sheet.words, suffix))
    data = out.getvalue()
    return _with_words(data, sheet.words) if suffix == "svg" else data


def _metadata(words: Words, suffix: str) -> dict[str, str | None]:
    told: dict[str, str | None] = {**_NOTHING[suffix]}
    if suffix == "png":
        told |= {"Title": words.title, "Description": words.text}
    elif suffix == "pdf":
        told |= {"Title": words.title, "Subject": words.text}
    return told


def _with_words(svg: bytes, words: Words) -> bytes:
    """Return an SVG that tells what is to be seen in it to those who do not see it."""
    start = svg.index(b"<svg ")
    end = svg.index(b">", start)  # no attribute of it holds one
    title = f'<title id="ave-score-title">{escape(words.title)}</title>'
    text = f'<desc id="ave-score-desc">{escape(words.text)}</desc>'
    role = ' role="img" aria-labelledby="ave-score-title ave-score-desc"'
    told = f"{role}>\n {title}\n {text}"
    return svg[:end] + told.encode() + svg[end + 1 :]
