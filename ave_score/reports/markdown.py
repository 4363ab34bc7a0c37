"""Tables in Markdown."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ave_score.reports.tables import Line, Table, describe
from ave_score.scoring import Kind, Scores
from ave_score.text import visible

_SPECIAL = re.compile(r"([\\`*_\[\]<>|#~&$])")
_LINKED = {"@": "@<!-- -->", "://": "&#58;//", "www.": "www&#46;"}
"""What GitHub makes a link of, or a letter to somebody, though no markup says so."""


def render_markdown(scores: Scores, tables: Sequence[Table]) -> str:
    """Return the tables with what was scored above and the signature below."""
    parts = [f"**{plain(scores.collection.path)}**: {describe(scores)}"]
    for table in tables:
        parts.append(f"### {plain(table.title)}")
        if table.lines:
            parts.append("\n".join(_lines(table)))
        parts.extend(plain(note) for note in table.notes)
    parts.append("Best of its column in bold, baselines aside.")
    parts.append(f"Signature: `{scores.signature}`")
    return "\n\n".join(parts) + "\n"


def _lines(table: Table) -> list[str]:
    names = ["#", "Run", *["Group"] * table.has_groups, "Kind"]
    heads = [*names, *(plain(measure.head) for measure in table.columns)]
    rules = ["--:", *["---"] * (len(names) - 1), *["--:"] * len(table.columns)]
    return [row(heads), row(rules), *(row(_cells(line, table)) for line in table.lines)]


def _cells(line: Line, table: Table) -> list[str]:
    run = plain(line.run)
    names = [line.rank, f"*{run}*" if line.kind is Kind.BASELINE else run]
    names += [plain(line.group)] * table.has_groups
    figures = [
        f"**{cell}**" if best else cell for cell, best in zip(line.cells, line.best, strict=True)
    ]
    return [*names, str(line.kind), *figures]


def row(cells: Sequence[str]) -> str:
    """Return a row of a table."""
    return f"| {' | '.join(cells)} |"


def plain(text: str) -> str:
    """Escape what Markdown, or HTML inside it, would take as its own."""
    text = _SPECIAL.sub(r"\\\1", visible(text))
    for found, instead in _LINKED.items():
        text = text.replace(found, instead)
    return text
