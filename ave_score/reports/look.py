"""How text is to look where it goes."""

from __future__ import annotations

from typing import NamedTuple


class Look(NamedTuple):
    """Where text will be shown: columns (None: as many as it needs), colour, drawn lines."""

    width: int | None = None
    colour: bool = False
    lines: bool = True
