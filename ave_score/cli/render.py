"""Choosing the renderer; each is imported only when it is used."""

from __future__ import annotations

from ave_score.scoring import Scores

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
    from ave_score.cli.look import look_for
    from ave_score.reports.terminal import render_terminal

    return render_terminal(scores, tables, look_for(output))
