"""Benchmarks that simulate campaigns: their command line, and lines of their tables."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Iterator, Sequence


def head(names: Sequence[str]) -> Iterator[str]:
    """Yield the first two lines of a Markdown table."""
    yield f"| {' | '.join(names)} |"
    yield f"|---|{'--:|' * (len(names) - 1)}"


def row(*cells: str | float, digits: int = 3) -> str:
    """Return a line of a Markdown table."""
    texts = (cell if isinstance(cell, str) else f"{cell:.{digits}f}" for cell in cells)
    return f"| {' | '.join(texts)} |"


def run(description: str | None, campaigns: int, lines: Callable[[int], Iterable[str]]) -> None:
    """Print the lines of so many campaigns, or of as many as are asked for."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--campaigns", type=int, default=campaigns)
    parser.add_argument("--quick", action="store_true", help="a twentieth of the campaigns")
    options = parser.parse_args()
    for line in lines(options.campaigns // 20 if options.quick else options.campaigns):
        print(line, flush=True)
