"""The files of painted figures: the same input gives the same bytes, without a date."""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape

from ave_score.reports.plots.figure import Words

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_DOTS = 200
"""Dots per inch of PNG."""


_NOTHING: dict[str, dict[str, None]] = {
    "svg": {"Date": None, "Creator": None, "Format": None, "Type": None},
    "png": {"Software": None},
    "pdf": {"CreationDate": None, "Creator": None, "Producer": None},
}
"""Metadata of matplotlib to leave out: dates and versions."""


def file_of(figure: Figure, words: Words, suffix: str) -> bytes:
    """Return a figure as an svg, png or pdf file, with its words as metadata."""
    out = BytesIO()
    metadata: dict[str, str | None] = {**_NOTHING[suffix]}
    if suffix != "svg":  # its words become elements
        text = "Description" if suffix == "png" else "Subject"
        metadata |= {"Title": words.title, text: words.text}
    _lay_out(figure)
    figure.savefig(out, format=suffix, dpi=_DOTS, metadata=metadata)
    return _with_words(out.getvalue(), words) if suffix == "svg" else out.getvalue()


def _lay_out(figure: Figure) -> None:
    """Place the axes, and round where they are: the last digits depend on addresses in memory."""
    engine = figure.get_layout_engine()
    assert engine is not None
    figure.set_dpi(_DOTS)
    engine.execute(figure)
    figure.set_layout_engine("none")
    for axes in figure.axes:
        left, bottom, width, height = axes.get_position(original=True).bounds
        axes.set_position((round(left, 6), round(bottom, 6), round(width, 6), round(height, 6)))


def _with_words(svg: bytes, words: Words) -> bytes:
    """Add a title and a description for screen readers to an SVG."""
    start = svg.index(b"<svg ")
    end = svg.index(b">", start)  # no attribute contains >
    title = f'<title id="ave-score-title">{escape(words.title)}</title>'
    text = f'<desc id="ave-score-desc">{escape(words.text)}</desc>'
    role = ' role="img" aria-labelledby="ave-score-title ave-score-desc"'
    added = f"{role}>\n {title}\n {text}"
    return svg[:end] + added.encode() + svg[end + 1 :]
