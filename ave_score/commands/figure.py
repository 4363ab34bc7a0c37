"""Figures beside reports: is the file one that can be drawn, and drawing it whole or not at all."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from typing import TYPE_CHECKING

from ave_score.commands.output_files import whole_file
from ave_score.errors import UsageError

if TYPE_CHECKING:
    from ave_score.reports.plots.sheet import Sheet


def check_figure(path: str | None, others: list[str]) -> None:
    """Raise `UsageError` for a figure that cannot be drawn.

    `others` are the options about the figure that were given, as they are written.
    """
    if path is None:
        if others:
            raise UsageError(f"{others[0]} is about the figure of --plot, and there is none")
    elif path:  # an empty name is refused with those of other files
        from ave_score.reports.plots.saving import plot_format  # most calls draw nothing

        plot_format(path)


def write_figure(path: str, draw: Callable[[], Sheet], open_files: ExitStack) -> None:
    """Draw a figure into a file that appears when `open_files` are closed."""
    from ave_score.reports.plots.saving import drawn, plot_format

    out = open_files.enter_context(whole_file(path))
    out.buffer.write(drawn(draw, plot_format(path)))
