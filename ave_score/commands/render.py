"""Choosing the renderer; each is imported only when it is used."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ave_score.scoring import Scores

if TYPE_CHECKING:
    from ave_score.reports.grid import Grid

TABLE_FORMATS = ("table", "markdown", "latex")
DIGITS = 2


def render(scores: Scores, format: str, sort: str | None, digits: int | None, output: str) -> str:
    """Return the report as the options of the same names ask for it."""
    if format == "json":
        from ave_score.reports.json_scores import render_json

        return render_json(scores)
    if format == "csv":
        from ave_score.reports.csv_scores import render_csv

        return render_csv(scores, digits)
    from ave_score.reports.tables import make_tables

    tables = make_tables(scores, DIGITS if digits is None else digits, sort)
    if format == "markdown":
        from ave_score.reports.markdown import render_markdown

        return render_markdown(scores, tables)
    if format == "latex":
        from ave_score.reports.latex import render_latex

        return render_latex(scores, tables)
    from ave_score.commands.look import look_for
    from ave_score.reports.terminal import render_terminal

    return render_terminal(scores, tables, look_for(output))


def laid_out(grids: Sequence[Grid], format: str, output: str) -> str:
    """Return tables of any columns in one of `TABLE_FORMATS`, a blank line between them."""
    if format == "markdown":
        from ave_score.reports.markdown import grid_markdown

        return "\n".join(map(grid_markdown, grids))
    if format == "latex":
        from ave_score.reports.latex import grid_latex

        return "\n".join(map(grid_latex, grids))
    from ave_score.commands.look import look_for
    from ave_score.reports.terminal import grid_terminal

    look = look_for(output)
    return "\n".join(grid_terminal(grid, look) for grid in grids)
