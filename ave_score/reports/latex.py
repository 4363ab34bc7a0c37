"""Tables in LaTeX, for the booktabs package."""

from __future__ import annotations

from collections.abc import Sequence

from ave_score.reports.grid import Grid
from ave_score.reports.tables import describe
from ave_score.scoring import Scores
from ave_score.text import visible

_SPECIAL = str.maketrans(
    {
        "\\": r"\textbackslash{}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "<": r"\textless{}",
        ">": r"\textgreater{}",
        "|": r"\textbar{}",
        "[": "{[}",  # at the beginning of a row \\ would take these as its own
        "]": "{]}",
        "*": "{*}",
        **{character: f"\\{character}" for character in "&%$#_{}"},
    }
)


def render_latex(scores: Scores, tables: Sequence[Grid]) -> str:
    """Return a `table` environment each; what was scored and the signature are its caption."""
    parts = [f"% {scores.signature}\n% needs \\usepackage{{booktabs}}; best of its column in bold"]
    signature = rf"Signature: \texttt{{{escaped(scores.signature)}}}"
    parts += [_environment(table, [describe(scores)], signature) for table in tables]
    return "\n\n".join(parts) + "\n"


def grid_latex(grid: Grid) -> str:
    """Return a `table` environment for the booktabs package; the best of a column is bold."""
    return _environment(grid) + "\n"


def _environment(grid: Grid, told: Sequence[str] = (), signature: str = "") -> str:
    """Return a table with its title, what else is told and its notes as the caption."""
    if not grid.rows:
        return f"% {visible(grid.title)}: {visible(' '.join(grid.notes))}"
    caption = escaped(" ".join([f"{grid.title}.", *told, *grid.notes]))
    return "\n".join(
        [
            r"\begin{table}",
            r"\centering",
            rf"\caption{{{' '.join(filter(None, [caption, signature]))}}}",
            rf"\begin{{tabular}}{{{grid.align}}}",
            r"\toprule",
            _row(list(map(escaped, grid.heads))),
            r"\midrule",
            *map(_row, grid.marked(escaped, best=r"\textbf{{{}}}", baseline=r"\emph{{{}}}")),
            r"\bottomrule",
            r"\end{tabular}",
            r"\end{table}",
        ]
    )


def _row(cells: Sequence[str]) -> str:
    return " & ".join(cells) + r" \\"


def escaped(text: str) -> str:
    """Escape what TeX would take as a command."""
    return visible(text).translate(_SPECIAL)
