"""Tables for people: colour where there is a terminal, nothing that needs it to be understood."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass
from textwrap import wrap

from rich import box
from rich.console import Console
from rich.table import Table as RichTable
from rich.text import Text

from ave_score.reports.tables import Line, Table, describe
from ave_score.scoring import Kind, Scores
from ave_score.text import visible

_STYLES = {Kind.AV: "", Kind.QA: "cyan", Kind.BASELINE: "italic dim"}
_UNBOUNDED = 10_000
_HEAD_WIDTH = 9


@dataclass(frozen=True)
class Look:
    """Where text will be shown: width in columns (None: as wide as needed), colour, box lines."""

    width: int | None = None
    colour: bool = False
    lines: bool = True


def render_terminal(scores: Scores, tables: Sequence[Table], look: Look) -> str:
    """Return what was scored, the tables and the signature, ready to be written to a terminal."""
    out = io.StringIO()
    console = Console(
        file=out,
        width=look.width or _UNBOUNDED,
        force_terminal=look.colour,
        highlight=False,
        markup=False,
        emoji=False,
        legacy_windows=False,
    )
    console.print(Text(visible(scores.collection.path), style="bold"))
    console.print(Text(describe(scores)))
    for table in tables:
        console.print()
        console.print(Text(table.title, style="bold"))
        console.print(_rich_table(table, look))
        for note in table.notes:
            console.print(Text(visible(note)))
    console.print()
    console.print(Text("* best of its column, baselines aside"))
    console.print(Text(f"Signature: {scores.signature}"), soft_wrap=True)
    return "\n".join(line.rstrip() for line in out.getvalue().split("\n"))


def _rich_table(table: Table, look: Look) -> RichTable:
    drawn = RichTable(
        box=box.SIMPLE_HEAD if look.lines else box.ASCII2,
        pad_edge=False,
        padding=(0, 1, 0, 0),
        show_edge=False,
        header_style="",
    )
    drawn.add_column("#", justify="right", no_wrap=True)
    drawn.add_column("Run", overflow="fold", min_width=8)
    if table.has_groups:
        drawn.add_column("Group", overflow="fold", min_width=6)
    drawn.add_column("Kind", no_wrap=True)
    for measure in table.columns:
        # the star of the best value has a place of its own, so that figures stay aligned
        drawn.add_column(
            " \n".join(wrap(measure.head, _HEAD_WIDTH)) + " ", justify="right", no_wrap=True
        )
    for line in table.lines:
        drawn.add_row(*_cells(line, table.has_groups), style=_STYLES[line.kind])
    return drawn


def _cells(line: Line, with_group: bool) -> list[Text]:
    names = [line.rank, visible(line.run), *([visible(line.group)] * with_group), str(line.kind)]
    figures = [
        Text(f"{cell}*", style="bold") if best else Text(f"{cell} ")
        for cell, best in zip(line.cells, line.best, strict=True)
    ]
    return [*map(Text, names), *figures]
