"""Figures of results, shown in notebooks or written to files."""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Protocol

from ave_score.core import above
from ave_score.core.reported import Reported
from ave_score.core.writing import whole_file

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ave_score.core.given import Path


class Painted(Protocol):
    """A figure that can be painted."""

    @property
    def title(self) -> str:
        """Its title."""

    def format_of(self, path: str) -> str:
        """Return the format of a file by its name; raises `UsageError` if there is none."""

    def figure(self) -> Figure:
        """Return the figure of matplotlib."""

    def to_bytes(self, suffix: str) -> bytes:
        """Return the figure as an svg, png or pdf file, with its words as metadata."""


class Drawing:
    """A figure: notebooks show it, `save` writes it.

    Parameters
    ----------
    painted
        The figure to paint.
    notes
        Notes on the runs that are left out.
    """

    def __init__(self, painted: Painted, notes: Sequence[str] = ()) -> None:
        self._painted = painted
        self.notes = notes

    def __repr__(self) -> str:
        return f"<Drawing: {self._painted.title}>"

    def _repr_svg_(self) -> str:
        return self.to_bytes("svg").decode()

    @cached_property
    def figure(self) -> Figure:
        """The figure of matplotlib, to change or to save it otherwise."""
        return self._painted.figure()

    def to_bytes(self, suffix: str) -> bytes:
        """Return the figure as an svg, png or pdf file, with its words as metadata."""
        return self._painted.to_bytes(suffix)

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
        suffix = self._painted.format_of(name)
        with whole_file(name) as out:
            out.buffer.write(self.to_bytes(suffix))


class Drawn(Reported):
    """A result with a report and a figure."""

    def plot(self, *, width: float | None = None) -> Drawing:
        """Draw the figure that the command draws with `--plot`.

        Parameters
        ----------
        width
            The width in inches; by default that of a page, 6.3.

        Returns
        -------
        Drawing
            The figure; notebooks show it, `save` writes it.

        Raises
        ------
        UsageError
            There is nothing to draw, or more than a figure holds; matplotlib is not installed.
        """
        drawing: Drawing = above.call("drawing_of", self, width)
        return drawing
