"""Tables as HTML: a document in the style of pages, and a fragment without style for notebooks."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from pathlib import Path, PurePath

from ave_score.core.text import visible
from ave_score.reports.report import BEST_IN_BOLD, Report, ReportTable
from ave_score.reports.style import BREAKS, TextStyle

_ALIGN = {"l": "left", "r": "right"}
_HEAD = """\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="generator" content="ave-score">
<title>{}</title>
<style>
{}</style>
</head>
<body>"""


STYLE_SHEET = Path(__file__).with_name("page.css")
"""The style of pages and documents."""


def render(report: Report, _style: TextStyle) -> str:
    """Return a document with all tables, which needs no other file and runs no script."""
    tables = report.tables()
    path, description, signature = report.heading or (report.about, "", "")
    name = PurePath(path).name
    title = escaped(next(filter(None, [name, *(table.title for table in tables)]), "ave-score"))
    parts = [_HEAD.format(title, STYLE_SHEET.read_text("utf-8"))]
    if name:
        about = [f"<p>{escaped(description)}</p>"] * bool(description)
        parts += ["<header>", f"<h1>{title}</h1>", *about, "</header>"]
    parts += ["<main>", "<section>", *map(_figure, tables), "</section>", "</main>"]
    if signature:
        best = [f"<p>{BEST_IN_BOLD}</p>"] * any(table.best for table in tables)
        line = f"<p>Signature: <code>{escaped(signature)}</code></p>"
        parts += ["<footer>", *best, line, "</footer>"]
    return "\n".join([*parts, "</body>", "</html>", ""])


def _figure(table: ReportTable) -> str:
    """Return a table with its notes, and a region in which it scrolls if it is wide."""
    title = escaped(table.title)
    notes = [f"<p>{escaped(note)}</p>" for note in [*table.notes, *table.legend]]
    if not table.rows:
        return "\n".join([f"<p>{title}</p>", '<div class="notes">', *notes, "</div>"])
    lines = ['<figure class="table">']
    lines += [f'<div class="scroll" role="region" tabindex="0" aria-label="{title or "Table"}">']
    caption = f"<caption>{title}</caption>" if title else ""
    lines += [f'<table class="data">{caption}', *_page_rows(table), "</table>", "</div>"]
    if notes:
        lines += ['<figcaption class="notes">', *notes, "</figcaption>"]
    return "\n".join([*lines, "</figure>"])


def _page_rows(table: ReportTable) -> Iterator[str]:
    name = table.align.find("l")
    classes = [f"{letter} name" if n == name else letter for n, letter in enumerate(table.align)]
    heads = [
        f'<th scope="col" class="{css}">{escaped(head)}</th>'
        for head, css in zip(table.heads, classes, strict=True)
    ]
    yield f"<thead><tr>{''.join(heads)}</tr></thead>"
    yield "<tbody>"
    for number, row in enumerate(table.rows):
        style = table.styles.get(number)
        cells = "".join(
            _page_cell(text, css, is_name=column == name, is_best=(number, column) in table.best)
            for column, (text, css) in enumerate(zip(row, classes, strict=True))
        )
        yield f'<tr class="{style.value if style else "run"}">{cells}</tr>'
    yield "</tbody>"


def _page_cell(text: str, classes: str, *, is_name: bool, is_best: bool) -> str:
    """Return a cell: an interval below the figure, the best in bold."""
    figure, bracket, interval = text.partition(" [")
    shown = "<wbr/>".join(map(escaped, BREAKS.split(text))) if is_name else escaped(text)
    if classes == "r" and bracket:
        shown = f'{escaped(figure)} <span class="ci">[{escaped(interval)}</span>'
    if is_best:
        shown = f"<strong>{shown}</strong>"
    if is_name:
        return f'<th scope="row" class="{classes}">{shown}</th>'
    return f'<td class="{classes}">{shown}</td>'


def fragment(report: Report) -> str:
    """Return all tables for a notebook, between the heading and the signature."""
    tables = report.tables()
    parts = ["<div>"]
    if report.heading is not None:
        title, description, _ = report.heading
        parts.append(f"<p><strong>{escaped(title)}</strong>: {escaped(description)}</p>")
    parts += map(table_html, tables)
    if report.heading is not None:
        if any(table.best for table in tables):
            parts.append(f"<p>{BEST_IN_BOLD}</p>")
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
