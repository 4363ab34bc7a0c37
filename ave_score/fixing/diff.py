"""What was changed in a run, as a unified diff; made from what is known of each line."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ave_score.fixing.document import Document, Line
from ave_score.text import visible

CONTEXT = 3
"""Lines around a change that are shown."""


class _Step(NamedTuple):
    """A line of the diff, and where it stands in both files (that of the next line, if in none)."""

    mark: str
    line: Line
    old: int
    new: int


def unified_diff(document: Document, name: str) -> Iterator[str]:
    """Yield the lines of the diff, made visible; nothing where no line has changed.

    Line ends, and how the file is encoded, are not in it.
    """
    steps = list(_steps(document))
    changed = [place for place, step in enumerate(steps) if step.mark != " "]
    if not changed:
        return
    yield f"--- {visible(name)}"
    yield f"+++ {visible(name)} (mended)"
    start = stop = 0
    for place in changed:
        if place - CONTEXT > stop:
            if stop:
                yield from _hunk(steps[start:stop])
            start = max(0, place - CONTEXT)
        stop = min(len(steps), place + CONTEXT + 1)
    yield from _hunk(steps[start:stop])


def _hunk(steps: list[_Step]) -> Iterator[str]:
    old = sum(step.mark != "+" for step in steps)
    new = sum(step.mark != "-" for step in steps)
    first = steps[0]
    yield f"@@ -{first.old - (not old)},{old} +{first.new - (not new)},{new} @@"
    for step in steps:
        tabbed = "\t".join(map(visible, step.line.text.split("\t")))
        yield f"{step.mark}{tabbed}"
        if not step.line.end:
            yield "\\ No newline at end of file"


def _steps(document: Document) -> Iterator[_Step]:
    left = iter([*document.lines, None])
    line = next(left)
    old = new = 1
    for before in document.original:
        if line is not None and line.number == before.number:
            if line.text == before.text and bool(line.end) == bool(before.end):
                yield _Step(" ", line, old, new)
            else:
                yield _Step("-", before, old, new)
                yield _Step("+", line, old + 1, new)
            line, new = next(left), new + 1
        else:
            yield _Step("-", before, old, new)
        old += 1
    while line is not None:
        yield _Step("+", line, old, new)
        line, new = next(left), new + 1
