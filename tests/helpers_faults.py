"""Helpers for tests of faults: a command in a forked process whose file operations go wrong."""

from __future__ import annotations

import errno
import os
import random
import shlex
import signal
import sys
import time
import traceback
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import NamedTuple, NoReturn

from ave_score.__main__ import main
from ave_score.files.source import Source

_CHANGES = {
    "fsync", "os.chmod", "os.mkdir", "os.remove", "os.rename", "os.rmdir", "os.utime",
    "tempfile.mkdtemp", "tempfile.mkstemp",
}  # fmt: skip
"""Events of Python (`sys.addaudithook`) at which something in a folder is about to change."""

Fault = Callable[[], None]
"""What is done in the new process before the command begins."""


class Ended(NamedTuple):
    """How a command ended: its exit code, or minus the signal, and what it said."""

    code: int
    out: str
    err: str


class Going:
    """A command in a process that is forked from this one, in a folder.

    Nothing is imported again, so that there can be a thousand. What it says fits into a pipe.
    """

    def __init__(self, folder: Path, words: str, fault: Fault = lambda: None) -> None:
        pipes = [os.pipe(), os.pipe()]
        self._read = [ours for ours, _ in pipes]
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM})
        self.number = os.fork()
        if self.number:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
        else:
            _run(folder, words, [theirs for _, theirs in pipes], fault)
        for _, theirs in pipes:
            os.close(theirs)

    def send(self, number: signal.Signals) -> None:
        os.kill(self.number, number)

    def end(self) -> Ended:
        ended = os.waitstatus_to_exitcode(os.waitpid(self.number, 0)[1])
        texts = []
        for number in self._read:
            with os.fdopen(number, encoding="utf-8", errors="replace") as stream:
                texts.append(stream.read())
        assert "Traceback" not in texts[1], texts[1]
        assert "internal error" not in texts[1], texts[1]
        return Ended(ended, *texts)


def _run(folder: Path, words: str, streams: list[int], fault: Fault) -> NoReturn:
    """Run a command to the end of this process, as the program does."""
    code: object = 99
    try:
        signal.alarm(60)
        for number, stream in enumerate(streams, 1):
            os.dup2(stream, number)
        sys.stdout, sys.stderr = (os.fdopen(at, "w", encoding="utf-8") for at in (1, 2))
        os.chdir(folder)
        sys.argv = ["ave-score", *shlex.split(words)]
        signal.signal(signal.SIGINT, signal.default_int_handler)
        fault()
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT, signal.SIGTERM})
        main()
    except KeyboardInterrupt:  # before the program
        code = 130
    except SystemExit as end:
        code = end.code
        sys.stdout.flush()
        sys.stderr.flush()
    except BaseException:
        os.write(2, traceback.format_exc().encode())
    finally:
        os._exit(code if isinstance(code, int) else 99)


def at_events(folder: Path, action: Callable[[int, str, str], None], *, reads: bool) -> Fault:
    """Return a fault: an action with the number of each event in a folder, its name and path.

    An event is a change, or the opening of a file to read.
    """

    def fault() -> None:
        count, of, sync = 0, f"{folder}{os.sep}", os.fsync

        def synced(descriptor: int) -> None:
            sys.audit("fsync", str(Path(f"/proc/self/fd/{descriptor}").readlink()))
            sync(descriptor)

        def watch(event: str, args: tuple[object, ...]) -> None:
            nonlocal count
            if event == "open":
                flags = args[2]
                if not isinstance(flags, int) or reads is bool(flags & (os.O_WRONLY | os.O_RDWR)):
                    return
            elif reads or event not in _CHANGES:
                return
            path = str(Path.cwd() / args[0]) if isinstance(args[0], str) else ""
            if f"{path}{os.sep}".startswith(of):
                count += 1
                action(count, event, path)

        os.fsync = synced  # type: ignore[assignment]
        sys.addaudithook(watch)

    return fault


def killed_at(folder: Path, number: int) -> Fault:
    """Return a fault: the process is killed just before a change."""

    def action(count: int, *_: str) -> None:
        if count == number:
            os.kill(os.getpid(), signal.SIGKILL)

    return at_events(folder, action, reads=False)


def full_at(folder: Path, number: int) -> Fault:
    """Return a fault: the disk is full at a change.

    Removing needs no space. Several files take their places one after the other: only the first of
    them may fail here.
    """
    is_begun = False

    def action(count: int, event: str, path: str) -> None:
        nonlocal is_begun
        needs_none = event in ("os.remove", "os.rmdir") or (event == "os.rename" and is_begun)
        is_begun |= event == "os.rename"
        if count == number and not needs_none:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), path)

    return at_events(folder, action, reads=False)


def at_most(size: int) -> Fault:
    """Return a fault: no file can have more bytes, so that a write fails in its middle."""
    import resource  # not on Windows

    return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


def slow_at_changes(folder: Path) -> Fault:
    """Return a fault: other processes get a turn before each change."""
    return at_events(folder, lambda *_: time.sleep(random.random() * 0.004), reads=False)


def _cut(path: Path) -> None:
    os.truncate(path, path.stat().st_size // 2)


def _replace(path: Path, make: Callable[[Path], object]) -> None:
    path.unlink()
    make(path)


CHANGES: Mapping[str, Callable[[Path], object]] = {
    "goes": Path.unlink,
    "shrinks": _cut,
    "is emptied": lambda path: os.truncate(path, 0),
    "grows": lambda path: path.write_bytes(path.read_bytes() * 2),
    "is a folder": partial(_replace, make=Path.mkdir),
    "is a loop": partial(_replace, make=lambda path: path.symlink_to(path)),
    "may not be read": partial(_replace, make=lambda path: path.symlink_to("/proc/1/mem")),
}
"""What may happen to a file while it is read; one that becomes a pipe is waited for, as any."""


def changed_at(folder: Path, number: int, how: str) -> Fault:
    """Return a fault: a file changes while it is opened to be read."""
    is_changing = False

    def action(count: int, _: str, path: str) -> None:
        nonlocal is_changing
        if not is_changing and count == number and Path(path).is_file():
            is_changing = True
            CHANGES[how](Path(path))

    return at_events(folder, action, reads=True)


def cut_after(chunks: int) -> Fault:
    """Return a fault: each file loses its second half after some of its chunks were read."""

    def fault() -> None:
        usual = Source.chunks

        def cut(source: Source) -> Iterator[bytes]:
            for number, chunk in enumerate(usual(source), 1):
                yield chunk
                if number == chunks:
                    _cut(Path(source.path))

        Source.chunks = cut  # type: ignore[method-assign, assignment]

    return fault


def without_rights() -> None:
    """Be a user whom nothing belongs to, if this is root, and who has no home."""
    if not os.geteuid():
        os.setgroups([])
        os.setgid(65534)
        os.setuid(65534)
    os.environ.update(HOME="/proc/none", XDG_CACHE_HOME="/proc/none", TMPDIR="/proc")
