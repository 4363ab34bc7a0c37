"""Figures of results, shown in notebooks or written to files."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from ave_score.core.writing import whole_file
from ave_score.reports.plots import plot_format
from ave_score.reports.plots.figure import Words
from ave_score.reports.plots.image_files import file_of
from ave_score.reports.plots.paint import looks

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ave_score.tasks.given import Path


class Drawing:
    """A figure: notebooks show it, `save` writes it.

    Parameters
    ----------
    draw
        Draws the figure.
    words
        Its title and notes, and its data as text.
    notes
        Notes on the runs that are left out.
    """

    def __init__(self, draw: Callable[[], Figure], words: Words, notes: Sequence[str] = ()) -> None:
        self._draw = draw
        self._words = words
        self.notes = notes

    def __repr__(self) -> str:
        return f"<Drawing: {self._words.title}>"

    def _repr_svg_(self) -> str:
        return self.to_bytes("svg").decode()

    @cached_property
    def figure(self) -> Figure:
        """The figure of matplotlib, to change or to save it otherwise."""
        plot_format(".png")
        with looks("png"):
            return self._draw()

    def to_bytes(self, suffix: str) -> bytes:
        """Return the figure as an svg, png or pdf file, with its words as metadata."""
        with looks(suffix):
            return file_of(self._draw(), self._words, suffix)

    def save(self, path: Path) -> None:
        """Write the figure to a file; the same figure gives the same bytes.

        Parameters
        ----------
        path
            A file that ends in .svg, .png or .pdf; one that exists is replaced.

        Raises
        ------
        UsageError
            Another suffix; matplotlib is not installed.
        InputError
            The file cannot be written.
        """
        name = os.fspath(path)
        suffix = plot_format(name)
        with whole_file(name) as out:
            out.buffer.write(self.to_bytes(suffix))
