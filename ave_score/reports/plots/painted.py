"""Figures painted when they are shown or written."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from ave_score.core.drawing import Drawing
from ave_score.reports.plots import plot_format
from ave_score.reports.plots.figure import Words
from ave_score.reports.plots.image_files import file_of
from ave_score.reports.plots.paint import looks

if TYPE_CHECKING:
    from matplotlib.figure import Figure


class _Painted:
    """A figure with its words: title and notes, and its data as text."""

    def __init__(self, draw: Callable[[], Figure], words: Words) -> None:
        self._draw = draw
        self._words = words
        self.title = words.title

    def format_of(self, path: str) -> str:
        return plot_format(path)

    def figure(self) -> Figure:
        plot_format(".png")
        with looks("png"):
            return self._draw()

    def to_bytes(self, suffix: str) -> bytes:
        with looks(suffix):
            return file_of(self._draw(), self._words, suffix)


def drawing_of(draw: Callable[[], Figure], words: Words, notes: Sequence[str] = ()) -> Drawing:
    """Return a drawing of what `draw` draws; `notes` are on the runs that are left out."""
    return Drawing(_Painted(draw, words), notes)
