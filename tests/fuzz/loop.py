"""Inputs after inputs for a reader: what is judged of each, and the least input of each failure.

Inputs are damaged samples, damaged files of a grammar, and, guided, what Atheris makes of both.
"""

from __future__ import annotations

import os
import random
import signal
import sys
import time
import traceback
import tracemalloc
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from io import BytesIO
from pathlib import Path
from types import FrameType
from zipfile import BadZipFile, ZipFile

import ave_score
from ave_score import Collection, DefectError, InputError
from ave_score.files.source import Source
from tests.conftest import ROOT
from tests.fuzz.inputs import PAIRS, QA4MRE, corpus_of, make_input
from tests.fuzz.targets import FOLDER, TARGETS, Broken, Target
from tests.helpers_files import COLLECTION

SECONDS = 2.0
"""Processor time after which a reader hangs, for each megabyte of a file that has several."""

MOST, BYTES = 64 << 20, 20
"""Memory that a reader may take, and what it may take for each byte of a file besides."""

_HANG = f"hang: more than {SECONDS:g} s a megabyte"


class Hang(BaseException):
    """A reader took too long; no reader catches this."""


@contextmanager
def _at_most(seconds: float) -> Iterator[None]:
    """Raise `Hang` in the block after so much processor time, where the system can do that."""
    if not hasattr(signal, "setitimer"):
        yield
        return

    def end(number: int, frame: FrameType | None) -> None:
        raise Hang

    signal.signal(signal.SIGVTALRM, end)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)


def peak() -> int:
    """Return the most memory that this process had so far; 0 where the system does not say."""
    try:
        import resource
    except ImportError:
        return 0
    size = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return size if sys.platform == "darwin" else size << 10


def unpacked(data: bytes) -> int:
    """Return the bytes of a file as far as it can be unpacked."""
    size = 0
    try:
        if data.startswith(b"PK"):
            return sum(member.file_size for member in ZipFile(BytesIO(data)).infolist())
        for chunk in Source.packed("packed", data).chunks():
            size += len(chunk)
    except (BadZipFile, InputError, ValueError):
        pass
    return max(size, len(data))


def failure_of(target: Target, data: bytes, collection: Collection | None) -> str | None:
    """Run one input; return what went wrong, if anything.

    What seems to hang, or to take too much memory, is run again: the first time, the target may
    import and compile modules.
    """
    before = peak()
    what = _failure_of(target, data, collection, SECONDS)
    if what == _HANG:
        seconds = SECONDS * max(1.0, unpacked(data) / 1e6)
        what = _failure_of(target, data, collection, seconds)
    if what is None and peak() - before > MOST // 4:
        tracemalloc.start()
        _failure_of(target, data, collection, 100 * SECONDS)
        used = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        if used > MOST + BYTES * unpacked(data):
            what = f"memory: more than {MOST >> 20} MiB and {BYTES} bytes a byte"
    return what


def _failure_of(
    target: Target, data: bytes, collection: Collection | None, seconds: float
) -> str | None:
    started = time.process_time()
    try:
        with _at_most(seconds), warnings.catch_warnings():
            warnings.simplefilter("ignore", ave_score.AveScoreWarning)
            target(data, collection)
    except (InputError, DefectError):
        return None
    except Hang:
        return _HANG
    except Broken as error:
        return f"broken: {error}"
    except Exception as error:
        frame = traceback.extract_tb(error.__traceback__)[-1]
        return f"crash: {type(error).__name__} in {frame.name} of {Path(frame.filename).name}"
    if time.process_time() - started > seconds:
        return _HANG
    return None


def shortened(data: bytes, fails: Callable[[bytes], bool], tries: int = 2000) -> bytes:
    """Return as little of an input as still fails."""
    size = max(1, len(data) // 2)
    while size and tries > 0:
        start = 0
        while start < len(data) and tries > 0:
            shorter = data[:start] + data[start + size :]
            tries -= 1
            if fails(shorter):
                data = shorter
            else:
                start += size
        size //= 2
    return data


@cache
def collections() -> list[Collection | None]:
    """Return what files are read beside: nothing, or one of four collections."""
    broken = (ROOT / "sample_runs/broken/collection.xml").read_bytes()
    every = (COLLECTION.encode(), broken, PAIRS, QA4MRE)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ave_score.AveScoreWarning)
        return [None, *(ave_score.read_collection(BytesIO(data)) for data in every)]


class Tally:
    """What became of the inputs of a reader so far.

    The last one is in a file of `FOLDER`, which is left if the process does not end well.

    Attributes
    ----------
    executions, failed
        The number of inputs, and of those that failed.
    ways
        Each way to fail, in words that are the same for the same defect.
    """

    def __init__(self, reader: str) -> None:
        self._reader, self._target = reader, TARGETS[reader]
        self._started = time.perf_counter()
        self.executions = self.failed = 0
        self.ways = set[str]()
        self._last = os.open(Path(FOLDER.name, "last"), os.O_RDWR | os.O_CREAT)

    def run(self, data: bytes, collection: Collection | None) -> None:
        os.truncate(self._last, os.write(self._last, data))
        os.lseek(self._last, 0, os.SEEK_SET)
        what = failure_of(self._target, data, collection)
        self.executions += 1
        if what is None:
            return
        self.failed += 1
        if what in self.ways:
            return
        self.ways.add(what)
        if not what.startswith(("hang", "memory")):
            data = shortened(
                data, lambda shorter: failure_of(self._target, shorter, collection) == what
            )
        beside = "no collection" if collection is None else f"{len(collection.index)} answers"
        _say(f"  {self._reader}: {what} (input {self.executions}, {beside})\n    {data!r}")

    def report(self, how: str = "") -> int:
        seconds = time.perf_counter() - self._started
        hangs = sum(what.startswith("hang") for what in self.ways)
        _say(
            f"{self._reader}{how}: {self.executions:,} executions in {seconds:.0f} s, "
            f"{self.failed:,} failed, in {len(self.ways)} ways, {hangs} of them hangs"
        )
        return self.failed


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def run_reader(reader: str, executions: int, seed: int) -> int:
    """Fuzz one reader; return the number of inputs that failed.

    Every input follows from seed, reader and its number.
    """
    tally, beside, (own, every) = Tally(reader), collections(), corpus_of(reader)
    try:
        for number in range(executions):
            chance = random.Random(f"{seed} {reader} {number}")
            data = make_input(chance, own if chance.random() < 0.95 else every, reader)
            tally.run(data, chance.choice(beside))
    finally:
        tally.report()
    return tally.failed
