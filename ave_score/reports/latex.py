"""Tables in LaTeX, for the booktabs package."""

from __future__ import annotations

from collections.abc import Sequence

from ave_score.reports.report import Report, ReportTable
from ave_score.reports.style import TextStyle
from ave_score.text import visible

_SPECIAL = str.maketrans(
    {
        "\\": r"\textbackslash{}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "<": r"\textless{}",
        ">": r"\textgreater{}",
        "|": r"\textbar{}",
        "[": "{[}",  # after \\, these would be read as its arguments
        "]": "{]}",
        "*": "{*}",
        **{character: f"\\{character}" for character in "&%$#_{}"},
    }
)


def render(report: Report, _style: TextStyle) -> str:
    """Return a `table` environment for each table, with description and signature as caption."""
    tables = report.tables()
    if report.heading is None:
        return "\n".join(map(table_text, tables))
    _, description, signature = report.heading
    parts = [f"% {signature}\n% needs \\usepackage{{booktabs}}; best of its column in bold"]
    signature = rf"Signature: \texttt{{{escaped(signature)}}}"
    parts += [_environment(table, [description], signature) for table in tables]
    return "\n\n".join(parts) + "\n"


def table_text(table: ReportTable) -> str:
    """Return a `table` environment for the booktabs package; the best of a column is bold."""
    return _environment(table) + "\n"


def _environment(table: ReportTable, above: Sequence[str] = (), signature: str = "") -> str:
    notes = [*table.notes, *table.legend]
    if not table.rows:
        return f"% {visible(table.title)}: {visible(' '.join(notes))}"
    title = [f"{table.title}."] if table.title else []
    caption = escaped(" ".join([*title, *above, *notes]))
    return "\n".join(
        [
            r"\begin{table}",
            r"\centering",
            rf"\caption{{{' '.join(filter(None, [caption, signature]))}}}",
            rf"\begin{{tabular}}{{{table.align}}}",
            r"\toprule",
            _row(list(map(escaped, table.heads))),
            r"\midrule",
            *map(_row, table.marked(escaped, best=r"\textbf{{{}}}", baseline=r"\emph{{{}}}")),
            r"\bottomrule",
            r"\end{tabular}",
            r"\end{table}",
        ]
    )


def _row(cells: Sequence[str]) -> str:
    return " & ".join(cells) + r" \\"


def escaped(text: str) -> str:
    """Escape characters that are special in TeX."""
    return visible(text).translate(_SPECIAL)
