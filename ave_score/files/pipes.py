"""Wait for the program that writes into a named pipe."""

from __future__ import annotations

import select
import sys
from io import FileIO
from time import monotonic, sleep

from ave_score.files.limits import CHUNK

PATIENCE = 3
"""Seconds in which a program has to open a pipe and to write, or to keep it open."""


def first_of(pipe: FileIO) -> bytes | None:
    """Return the first bytes of a pipe opened without blocking; None if no program writes.

    They are empty if a program that has the pipe open writes later, and if it has ended.
    """
    ends = monotonic() + PATIENCE
    while (first := pipe.read(CHUNK)) == b"" and not _has_ended(pipe):
        if monotonic() > ends:
            return None
        sleep(0.01)
    return first or b""


def _has_ended(pipe: FileIO) -> bool:
    """Tell whether a program had a pipe open to write and has ended, where the system tells it."""
    if sys.platform != "linux":  # others say the same of a pipe that nobody has opened yet
        return False
    poll = select.poll()
    poll.register(pipe, select.POLLIN)
    return any(event & select.POLLHUP and not event & select.POLLIN for _, event in poll.poll(0))
