"""A progress bar on stderr, if it is a terminal."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from ave_score.core.text import visible
from ave_score.reports.style import terminal_width

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress

Item = TypeVar("Item")

_NARROW = 60
"""Terminal width below which the bar, the current item and the time left are omitted."""

_LONG = 20
"""Seconds; of what takes longer, the time left is shown."""


@contextmanager
def progress(
    items: Sequence[Item], label: str, name: Callable[[Item], str]
) -> Iterator[Iterable[Item]]:
    """Yield an iterable of the items that drives a progress bar showing the current name.

    If all items take long, as estimated from the first ones, the bar shows the time left. It is
    drawn only on an interactive terminal, and erased after the last item.
    """
    if len(items) < 2 or not sys.stderr.isatty():
        yield items
        return
    from rich.console import Console

    # COLUMNS sets the width of tables, not of the bar; ^C needs space after the bar
    console = Console(
        file=sys.stderr, width=max((terminal_width(sys.stderr) or 80) - len("^C") - 1, 1)
    )
    if not console.is_interactive:
        yield items
        return
    with _bar(console) as bar:
        task = bar.add_task(label, total=len(items), item="")

        def watched() -> Iterator[Item]:
            start = time.monotonic()
            for number, item in enumerate(items):
                left = _left(time.monotonic() - start, number, len(items))
                bar.update(task, completed=number, item=f"{left}{visible(name(item))}")
                yield item
            bar.update(task, completed=len(items), item="")
            bar.stop()  # what follows may take long, and have a bar of its own

        yield watched()


def _left(elapsed: float, done: int, items: int) -> str:
    """Return e.g. `about 40 s  ` if all items take long, otherwise nothing."""
    if not done or elapsed * items < _LONG * done:
        return ""
    seconds = elapsed * (items - done) / done
    tens = max(10, 10 * round(seconds / 10))
    return f"about {tens} s  " if tens < 120 else f"about {round(seconds / 60)} min  "


def _bar(console: Console) -> Progress:
    """Return a progress bar, which in a narrow terminal is only a label and numbers."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
    from rich.table import Column

    wide = console.width >= _NARROW
    one_line = Column(no_wrap=True, overflow="ellipsis", ratio=1)
    details = [
        BarColumn(20),
        TextColumn("{task.fields[item]}", style="", markup=False, table_column=one_line),
    ]
    return Progress(
        TextColumn("{task.description}"),
        MofNCompleteColumn(),
        *(details if wide else []),
        console=console,
        transient=True,
        redirect_stdout=False,
        redirect_stderr=False,
        expand=wide,
    )


def bar_of(label: str) -> Callable[[Sequence[int]], AbstractContextManager[Iterable[int]]]:
    """Return what shows a progress bar for numbers, which are not shown."""
    return partial(progress, label=label, name=lambda _: "")
