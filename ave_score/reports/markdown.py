"""Tables in Markdown."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ave_score.core.text import visible
from ave_score.reports.report import BEST_IN_BOLD, Report, ReportTable, notes_on_best
from ave_score.reports.style import TextStyle

_SPECIAL = re.compile(r"([\\`*_\[\]<>|#~&$])")
_LINKED = {"://": "&#58;//", "www.": "www&#46;"}
"""Text that GitHub turns into a link without markup."""
_ADDRESSED = re.compile(r"(?<![A-Za-z0-9])@|@(?=[\w.-]*\.)")
"""Text that GitHub turns into a mention: @name and name@host.org, but not c@1."""

_LISTED = re.compile(r"^(\d*)([-+.)])(?=\s)")
"""What makes a paragraph that begins with it an entry of a list."""

_RULES = {"l": "---", "r": "--:"}


def render(report: Report, _style: TextStyle) -> str:
    """Return all tables, between the heading and the signature."""
    tables = report.tables()
    texts = list(map(table_text, tables))
    if report.heading is None:
        return "\n".join(texts)
    title, description, signature = report.heading
    parts = [f"**{escaped(title)}**: {escaped(description)}"]
    parts += [text.removesuffix("\n") for text in texts]
    parts += [f"{note}." for note in notes_on_best(tables, BEST_IN_BOLD)]
    parts.append(f"Signature: `{signature}`")
    return "\n\n".join(parts) + "\n"


def table_text(table: ReportTable) -> str:
    """Return a table with its title and notes; the best of a column is bold."""
    parts = [f"### {escaped(table.title)}"] if table.title else []
    if table.rows:
        rules = row([_RULES[letter] for letter in table.align])
        rows = map(row, table.marked(escaped, best="**{}**", baseline="*{}*"))
        parts.append("\n".join([row(list(map(escaped, table.heads))), rules, *rows]))
    return "\n\n".join([*parts, *map(paragraph, table.notes)]) + "\n"


def row(cells: Sequence[str]) -> str:
    """Return a row of a table."""
    return f"| {' | '.join(cells)} |"


def paragraph(text: str) -> str:
    """Escape a text that is a paragraph of its own, and no list or code whatever it begins with."""
    return _LISTED.sub(r"\1\\\2", escaped(text.lstrip(" ")))


def escaped(text: str) -> str:
    """Escape characters that are special in Markdown or in HTML inside it."""
    text = _SPECIAL.sub(r"\\\1", visible(text))
    text = _ADDRESSED.sub("@<!-- -->", text)
    for link, replacement in _LINKED.items():
        text = text.replace(link, replacement)
    return text
