"""Work on many items in several processes, with the results in order.

Commands use every core; a function that a program calls works in the process of the program.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from contextvars import ContextVar
from functools import partial
from typing import TYPE_CHECKING, Any, Self, TypeVar

if TYPE_CHECKING:
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing.connection import Connection

Result = TypeVar("Result")

_MOST = 61
"""Processes that Windows can wait for."""

_SAFE_PATH = "PYTHONSAFEPATH"

_PARTS = 16
"""Parts of the items for each process, so that all are busy until the end."""


_EVERY_CORE = ContextVar("_EVERY_CORE", default=False)


@contextmanager
def every_core() -> Iterator[None]:
    """Let work in the block start a process for each available core, if it repays them."""
    before = _EVERY_CORE.set(True)
    try:
        yield
    finally:
        _EVERY_CORE.reset(before)


def _processes(repaid: int) -> int:
    """Return how many processes do work that repays this many."""
    if not _EVERY_CORE.get() or _has_few_addresses():
        return 1
    if hasattr(os, "sched_getaffinity"):
        available = len(os.sched_getaffinity(0))
    else:
        available = os.cpu_count() or 1
    return min(available, repaid, _MOST)


def _has_few_addresses() -> bool:
    """Tell whether addresses are limited: a thread of a pool that finds none would wait forever."""
    try:
        from resource import RLIM_INFINITY, RLIMIT_AS, getrlimit
    except ImportError:  # on Windows
        return False
    return getrlimit(RLIMIT_AS)[0] != RLIM_INFINITY


class Workers:
    """Processes that work on values; a context at whose end they end, too.

    Outside `every_core`, and where no other process can be started, this one does the work.

    Parameters
    ----------
    values
        What is sent to each process, once.
    repaid
        The most processes that the work repays.
    """

    def __init__(self, values: Mapping[str, object], repaid: int) -> None:
        self._values, self._number = values, _processes(repaid)
        self._until_the_end = ExitStack()
        self._pool: ProcessPoolExecutor | None = None
        if self._number > 1:
            with suppress(ImportError, NotImplementedError, OSError):  # without semaphores
                self._pool = self._until_the_end.enter_context(_pool(values, self._number))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._until_the_end.close()

    def map(
        self, work: Callable[..., Result], items: Sequence[tuple[Any, ...]]
    ) -> Iterator[Result]:
        """Yield the result of work for each item, in order; raise its error, if any.

        Parameters
        ----------
        work
            A function of a module or a class, of one of the values and more arguments.
        items
            The key of the value and the other arguments.
        """
        done = 0
        if self._pool is not None:
            from concurrent.futures import BrokenExecutor

            with suppress(BrokenExecutor, OSError):  # one was killed, or could not be started
                size = len(items) // (_PARTS * self._number) + 1
                with _starting():  # while processes are started
                    results = self._pool.map(partial(_worked, work), items, chunksize=size)
                for result in results:
                    yield result
                    done += 1
        for key, *more in items[done:]:
            yield work(self._values[key], *more)


@contextmanager
def _pool(values: Mapping[str, object], number: int) -> Iterator[ProcessPoolExecutor]:
    """Yield processes that end at once with the block, or with this process."""
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import Pipe, Process, get_start_method

    if get_start_method() != "fork":  # it may import a main module that begins the same work
        first = Process(target=int)
        with _starting():
            first.start()
            first.join()
        if first.exitcode:
            raise OSError("no process can be started")
    ending, held_open = Pipe(duplex=False)
    with ending, held_open:
        pool = ProcessPoolExecutor(number, initializer=_begin, initargs=(values, ending, held_open))
        try:
            with _starting():
                pool.submit(int)  # processes are best forked before there are threads
        except RuntimeError as error:
            raise OSError("no thread can be started") from error  # there is none to shut down
        try:
            yield pool
        finally:
            held_open.close()  # before they have done what is left, which nobody needs
            pool.shutdown(cancel_futures=True)


class _Here:
    """What a process that works was given."""

    values: Mapping[str, object]


def _begin(values: Mapping[str, object], ending: Connection, held_open: Connection) -> None:
    import signal  # no command needs these that starts no process
    from threading import Thread

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the first process ends this one
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    held_open.close()
    try:
        Thread(target=_end_with, args=(ending,), daemon=True).start()
    except RuntimeError:  # too few addresses: the first process does the work
        os._exit(1)
    _Here.values = values


def _end_with(ending: Connection) -> None:
    """End this process when the first one closes its end of a pipe, or has ended."""
    ending.poll(None)
    os._exit(0)


def _worked(work: Callable[..., Result], item: tuple[Any, ...]) -> Result:
    key, *more = item
    return work(_Here.values[key], *more)


@contextmanager
def _starting() -> Iterator[None]:
    """Start processes in the block: Ctrl-C is held back until its end, also from them.

    One that is not forked imports its first modules before it is sent where to find them: not from
    the working folder, which may be full of files of others.
    """
    usual = os.environ.get(_SAFE_PATH)
    os.environ[_SAFE_PATH] = "1"
    try:
        with without_signals("SIGINT"):
            yield
    finally:
        if usual is None:
            os.environ.pop(_SAFE_PATH, None)  # another thread may have ended, too
        else:
            os.environ[_SAFE_PATH] = usual


@contextmanager
def without_signals(*names: str) -> Iterator[None]:
    """Hold signals back until the end of the block, also from processes that are started in it."""
    import signal  # slow to import, and `check` needs none

    if not hasattr(signal, "pthread_sigmask"):  # on Windows
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.Signals[name] for name in names})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
