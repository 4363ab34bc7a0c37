"""Locks of files and folders, which end with their process, however it ends."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from ave_score.core.errors import InputError

try:
    import fcntl
except ImportError:  # on Windows
    fcntl = None  # type: ignore[assignment]

CAN_LOCK = fcntl is not None

_LONGEST_WAIT = 60
"""Seconds to wait for another call that writes in a folder."""


class _OfThread(threading.local):
    """The folders that this thread has locked."""

    def __init__(self) -> None:
        self.folders: set[str] = set()


_mine = _OfThread()


@contextmanager
def locked(folder: str) -> Iterator[None]:
    """Let no other call replace several files of a folder within the block.

    Nothing is locked where the system cannot. Raises `InputError` if another call takes too long.
    """
    path = os.path.realpath(folder)
    if path in _mine.folders:
        yield
        return
    with ExitStack() as held:
        _wait_for(path, folder, held)
        _mine.folders.add(path)
        held.callback(_mine.folders.discard, path)
        yield


def _wait_for(path: str, named: str, held: ExitStack) -> None:
    """Lock a folder as soon as no other call has, if it can be locked."""
    end = time.monotonic() + _LONGEST_WAIT
    while True:
        try:
            held.enter_context(lock(path))
            return
        except BlockingIOError:
            if time.monotonic() > end:
                reason = "is being written by another call; try again when that has ended"
                raise InputError(named, reason) from None
        except OSError:  # it is not there yet, or on a disk of another machine
            return
        time.sleep(0.02)


@contextmanager
def lock(path: str, *, waits: bool = False) -> Iterator[None]:
    """Lock a file or a folder; raises `OSError` if another process has, unless it waits."""
    if fcntl is None:  # and what is open is neither replaced nor removed
        yield
        return
    with descriptor(path) as opened:
        fcntl.flock(opened, fcntl.LOCK_EX if waits else fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield


@contextmanager
def descriptor(path: str) -> Iterator[int]:
    """Open a file or a folder."""
    opened = os.open(path, os.O_RDONLY)
    try:
        yield opened
    finally:
        os.close(opened)
