"""A bar on stderr while many files are read, if a person watches."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TypeVar

from ave_score.text import visible

Item = TypeVar("Item")

_NARROW = 60
"""Columns of a terminal below which there is no room for the bar and the present item."""


@contextmanager
def progress(
    items: Sequence[Item], label: str, name: Callable[[Item], str]
) -> Iterator[Iterable[Item]]:
    """Yield the items, watched by a bar that shows the name of the present one.

    The bar is drawn only on a terminal that can erase it, and nothing of it is left at the end.
    """
    if len(items) < 2 or not sys.stderr.isatty():
        yield items
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
    from rich.table import Column

    # COLUMNS may be another width, which tables are to have; and ^C needs room behind the bar
    console = Console(file=sys.stderr, width=max(_terminal_width() - len("^C") - 1, 1))
    wide = console.width >= _NARROW
    one_line = Column(no_wrap=True, overflow="ellipsis", ratio=1)
    details = [
        BarColumn(20),
        TextColumn("{task.fields[item]}", style="", markup=False, table_column=one_line),
    ]
    with Progress(
        TextColumn("{task.description}"),
        MofNCompleteColumn(),
        *(details if wide else []),
        console=console,
        transient=True,
        disable=not console.is_interactive,
        redirect_stdout=False,
        redirect_stderr=False,
        expand=wide,
    ) as bar:
        task = bar.add_task(label, total=len(items), item="")

        def watched() -> Iterator[Item]:
            for number, item in enumerate(items):
                bar.update(task, completed=number, item=visible(name(item)))
                yield item
            bar.update(task, completed=len(items), item="")

        yield watched()


def _terminal_width() -> int:
    try:
        return os.get_terminal_size(sys.stderr.fileno()).columns or 80
    except (OSError, ValueError):  # it stands in for a terminal
        return 80
