"""Work on many files in several processes, with the results in order."""

from __future__ import annotations

import gc
import io
import os
import pickle
import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import BinaryIO, Generic, Self, TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")

_SIZE = 8
"""Bytes of the size before each result; a size of 0 is no result."""


class InOrder(Generic[Item, Result]):
    """The results of work on items: an iterator, and a context that ends the processes.

    An error is raised by `next` for its item, and does not end the iteration. The processes are
    started at once.

    Parameters
    ----------
    work
        What to do with an item. It has no effect but its result.
    items
        The items.
    jobs
        The number of processes, at least 1.
    shared
        Objects to which results may refer; these are not copied.
    """

    def __init__(
        self,
        work: Callable[[Item], Result],
        items: Sequence[Item],
        jobs: int,
        shared: Sequence[object] = (),
    ) -> None:
        self._work, self._items, self._shared = work, items, shared
        self._next, self._jobs = 0, jobs
        self._processes: list[tuple[int, BinaryIO]] = []
        with suppress(OSError):  # no more processes: the other items are worked on here
            for first in range(jobs):
                self._processes.append(self._started(items[first::jobs]))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for process, results in self._processes:
            results.close()
            os.kill(process, signal.SIGKILL)
            os.waitpid(process, 0)
        self._processes.clear()

    def __iter__(self) -> Iterator[Result]:
        return self

    def __next__(self) -> Result:
        """Return the next result, or raise the error of its item."""
        number = self._next
        if number == len(self._items):
            raise StopIteration
        self._next += 1
        found = self._received(number)
        # an item whose process failed is worked on here, so that its error is the usual one
        return self._work(self._items[number]) if found is None else found[0]

    def _started(self, items: Sequence[Item]) -> tuple[int, BinaryIO]:
        """Start a process; return its id and the pipe of its results."""
        reading, writing = os.pipe()
        process = os.fork()
        if process:
            os.close(writing)
            return process, os.fdopen(reading, "rb")
        try:
            gc.freeze()  # the objects of the first process are not looked at, which would copy them
            signal.signal(signal.SIGINT, signal.SIG_IGN)  # the first process ends this one
            for _, results in self._processes:
                os.close(results.fileno())
            os.close(reading)
            with os.fdopen(writing, "wb") as pipe:
                for item in items:
                    result = self._packed(item)
                    pipe.write(len(result).to_bytes(_SIZE) + result)
                    pipe.flush()
        finally:
            os._exit(0)  # without what the first process does at its end

    def _packed(self, item: Item) -> bytes:
        """Return the pickled result of an item; nothing if there is none."""
        with suppress(Exception):
            found = io.BytesIO()
            _Pickler(found, self._shared).dump(self._work(item))
            return found.getvalue()
        return b""

    def _received(self, number: int) -> tuple[Result] | None:
        """Return the result of an item, or None if its process has none."""
        if number % self._jobs >= len(self._processes):
            return None
        _, results = self._processes[number % self._jobs]
        size = int.from_bytes(results.read(_SIZE))
        data = results.read(size)
        if not size or len(data) < size:
            return None
        return (_Unpickler(io.BytesIO(data), self._shared).load(),)


class _Pickler(pickle.Pickler):
    """Writes a value, and the numbers of shared objects in it."""

    def __init__(self, out: BinaryIO, shared: Sequence[object]) -> None:
        super().__init__(out, pickle.HIGHEST_PROTOCOL)
        self._numbers = {id(known): number for number, known in enumerate(shared)}

    def persistent_id(self, value: object) -> int | None:
        """Return the number of a shared object; None for others."""
        return self._numbers.get(id(value))


class _Unpickler(pickle.Unpickler):
    """Reads what `_Pickler` wrote in a process that this one started."""

    def __init__(self, data: BinaryIO, shared: Sequence[object]) -> None:
        super().__init__(data)
        self._shared = shared

    def persistent_load(self, number: int) -> object:
        """Return a shared object."""
        return self._shared[number]
