"""How figures look: told apart in colour, in grey, and by those who do not see all colours."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

Dash = Any
"""A line style of matplotlib: a name, or an offset and the lengths of strokes and gaps."""


class Stroke(NamedTuple):
    """How a curve is drawn."""

    colour: str
    dash: Dash
    marker: str


STROKES = (
    Stroke("#000000", "-", "o"),
    Stroke("#0072B2", (0, (5, 1.5)), "s"),
    Stroke("#D55E00", (0, (1.2, 1.2)), "^"),
    Stroke("#009E73", (0, (6, 1.5, 1.2, 1.5)), "D"),
    Stroke("#B0568B", (0, (3, 1, 1, 1, 1, 1)), "v"),
    Stroke("#56B4E9", "-", "P"),
    Stroke("#E69F00", (0, (9, 2)), "X"),
    Stroke("#777777", (0, (2.5, 2)), "*"),
)
"""Strokes in the order of curves; the colours are those of Okabe and Ito, nearly."""

FAINT = Stroke("#BBBBBB", "-", "")
"""What the curves look like that are too many to be told apart."""

RUN_FILL, SYSTEM_FILL = "#3B6FA5", "#E8B668"
"""Bars of answer-validation runs and of QA systems: dark and light in grey."""

HATCH, HATCH_COLOUR = "/////", "#777777"
"""The texture of what could be."""

TITLE, LABEL, TICK, NOTE, SMALL = 9.0, 8.0, 7.0, 6.5, 6.0
"""Sizes of text in points, on paper: they stay the same whatever the width of the figure."""

_SETTINGS: dict[str, object] = {
    "text.parse_math": False,  # a name with two dollar signs is no formula
    "svg.hashsalt": "ave-score",  # the same input, the same bytes
    "pdf.fonttype": 42,
    "font.family": ["DejaVu Sans"],  # it comes with matplotlib
    "axes.unicode_minus": True,
    "axes.linewidth": 0.6,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.labelsize": LABEL,
    "xtick.labelsize": TICK,
    "ytick.labelsize": TICK,
    "xtick.major.width": 0.6,
    "ytick.major.width": 0.6,
    "hatch.linewidth": 0.5,
    "lines.linewidth": 1.1,
    "legend.fontsize": TICK,
    "legend.frameon": False,
}


@contextmanager
def looks(suffix: str) -> Iterator[None]:
    """Draw as this package draws, whatever the settings of the user are.

    The text of an svg stays text, which is left to the fonts of whoever looks at it.
    """
    import warnings

    import matplotlib

    settings: Any = _SETTINGS
    with matplotlib.rc_context(), warnings.catch_warnings():
        # text of an SVG needs no glyphs, and `sheet.drawable` sees to that of others
        warnings.filterwarnings("ignore", message="Glyph .* missing from")
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(settings)
        matplotlib.rcParams["svg.fonttype"] = "none" if suffix == "svg" else "path"
        yield
