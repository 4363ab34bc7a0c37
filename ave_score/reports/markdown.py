"""Tables in Markdown."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ave_score.reports.grid import Grid
from ave_score.reports.tables import describe
from ave_score.scoring import Scores
from ave_score.text import visible

_SPECIAL = re.compile(r"([\\`*_\[\]<>|#~&$])")
_LINKED = {"://": "&#58;//", "www.": "www&#46;"}
"""What GitHub makes a link of, though no markup says so."""
_ADDRESSED = re.compile(r"(?<![A-Za-z0-9])@|@(?=[\w.-]*\.)")
"""What it makes a letter to somebody of: @name, and name@host.org, but not c@1."""

_RULES = {"l": "---", "r": "--:"}


def render_markdown(scores: Scores, tables: Sequence[Grid]) -> str:
    """Return the tables with what was scored above and the signature below."""
    parts = [f"**{plain(scores.collection.path)}**: {describe(scores)}"]
    for table in tables:
        parts.append(grid_markdown(table).removesuffix("\n"))
    if any(table.best for table in tables):
        parts.append("Best of its column in bold, baselines aside.")
    parts.append(f"Signature: `{scores.signature}`")
    return "\n\n".join(parts) + "\n"


def grid_markdown(grid: Grid) -> str:
    """Return a table under its title, with its notes; the best of a column is bold."""
    parts = [f"### {plain(grid.title)}"] if grid.title else []
    if grid.rows:
        rules = row([_RULES[letter] for letter in grid.align])
        rows = map(row, grid.marked(plain, best="**{}**", baseline="*{}*"))
        parts.append("\n".join([row(list(map(plain, grid.heads))), rules, *rows]))
    return "\n\n".join([*parts, *map(plain, grid.notes)]) + "\n"


def row(cells: Sequence[str]) -> str:
    """Return a row of a table."""
    return f"| {' | '.join(cells)} |"


def plain(text: str) -> str:
    """Escape what Markdown, or HTML inside it, would take as its own."""
    text = _SPECIAL.sub(r"\\\1", visible(text))
    text = _ADDRESSED.sub("@<!-- -->", text)
    for found, instead in _LINKED.items():
        text = text.replace(found, instead)
    return text
