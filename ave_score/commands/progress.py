"""A bar on stderr while many files are read, if a person watches."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TypeVar

import click

from ave_score.text import visible

Item = TypeVar("Item")


@contextmanager
def progress(
    items: Sequence[Item], label: str, name: Callable[[Item], str]
) -> Iterator[Iterable[Item]]:
    """Yield the items, watched by a bar that shows the name of the present one."""
    if len(items) < 2 or not sys.stderr.isatty() or os.environ.get("TERM") == "dumb":
        yield items
        return
    with click.progressbar(
        items,
        label=label,
        file=sys.stderr,
        item_show_func=lambda item: None if item is None else visible(name(item)),
    ) as bar:
        yield bar
