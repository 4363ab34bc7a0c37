"""Tables as HTML for notebooks: a fragment without style."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from ave_score.core.text import visible
from ave_score.reports.report import BEST_IN_BOLD, Report, ReportTable, notes_on_best

_ALIGN = {"l": "left", "r": "right"}


def fragment(report: Report) -> str:
    """Return all tables for a notebook, between the heading and the signature."""
    tables = report.tables()
    parts = ["<div>"]
    if report.heading is not None:
        title, description, _ = report.heading
        parts.append(f"<p><strong>{escaped(title)}</strong>: {escaped(description)}</p>")
    parts += map(table_html, tables)
    if report.heading is not None:
        parts += [f"<p>{note}.</p>" for note in notes_on_best(tables, BEST_IN_BOLD)]
        parts.append(f"<p>Signature: <code>{escaped(report.heading.signature)}</code></p>")
    return "\n".join([*parts, "</div>", ""])


def table_html(table: ReportTable) -> str:
    """Return a table with its title and notes; the best of a column is bold."""
    parts = []
    if table.rows:
        caption = f"<caption>{escaped(table.title)}</caption>" if table.title else ""
        parts += [f"<table>{caption}", *_rows(table), "</table>"]
    elif table.title:
        parts.append(f"<p>{escaped(table.title)}</p>")
    return "\n".join([*parts, *(f"<p>{escaped(note)}</p>" for note in table.notes)])


def _rows(table: ReportTable) -> Iterator[str]:
    aligned = [f'style="text-align: {_ALIGN[letter]}"' for letter in table.align]
    heads = zip(table.heads, aligned, strict=True)
    cells = "".join(f'<th scope="col" {style}>{escaped(head)}</th>' for head, style in heads)
    yield f"<thead><tr>{cells}</tr></thead>"
    yield "<tbody>"
    for row in table.marked(escaped, best="<strong>{}</strong>", baseline="<em>{}</em>"):
        cells = "".join(
            f"<td {style}>{cell}</td>" for cell, style in zip(row, aligned, strict=True)
        )
        yield f"<tr>{cells}</tr>"
    yield "</tbody>"


def escaped(text: str) -> str:
    """Escape characters that are special in HTML, and those that cannot be printed."""
    return escape(visible(text))
