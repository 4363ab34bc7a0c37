"""Tables in LaTeX, for the booktabs package."""

from __future__ import annotations

from collections.abc import Sequence

from ave_score.reports.tables import Line, Table, describe
from ave_score.scoring import Kind, Scores
from ave_score.text import visible

_SPECIAL = str.maketrans(
    {
        "\\": r"\textbackslash{}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "<": r"\textless{}",
        ">": r"\textgreater{}",
        "|": r"\textbar{}",
        **{character: f"\\{character}" for character in "&%$#_{}"},
    }
)


def render_latex(scores: Scores, tables: Sequence[Table]) -> str:
    """Return a `table` environment each; what was scored and the signature are its caption."""
    parts = [f"% {scores.signature}\n% needs \\usepackage{{booktabs}}; best of its column in bold"]
    for table in tables:
        if not table.lines:
            parts.append(f"% {table.title}: {' '.join(table.notes)}")
            continue
        caption = " ".join([f"{table.title}.", describe(scores), *table.notes])
        parts.append("\n".join(_environment(table, caption, scores.signature)))
    return "\n\n".join(parts) + "\n"


def _environment(table: Table, caption: str, signature: str) -> list[str]:
    names = [r"\#", "Run", *["Group"] * table.has_groups, "Kind"]
    heads = [*names, *(escaped(measure.head) for measure in table.columns)]
    columns = "r" + "l" * (len(names) - 1) + "r" * len(table.columns)
    return [
        r"\begin{table}",
        r"\centering",
        rf"\caption{{{escaped(caption)} Signature: \texttt{{{escaped(signature)}}}}}",
        rf"\begin{{tabular}}{{{columns}}}",
        r"\toprule",
        _row(heads),
        r"\midrule",
        *(_row(_cells(line, table)) for line in table.lines),
        r"\bottomrule",
        r"\end{tabular}",
        r"\end{table}",
    ]


def _cells(line: Line, table: Table) -> list[str]:
    run = escaped(line.run)
    names = [line.rank, rf"\emph{{{run}}}" if line.kind is Kind.BASELINE else run]
    names += [escaped(line.group)] * table.has_groups
    figures = [
        rf"\textbf{{{cell}}}" if best else cell
        for cell, best in zip(line.cells, line.best, strict=True)
    ]
    return [*names, str(line.kind), *figures]


def _row(cells: Sequence[str]) -> str:
    return " & ".join(cells) + r" \\"


def escaped(text: str) -> str:
    """Escape what TeX would take as a command."""
    return visible(text).translate(_SPECIAL)
