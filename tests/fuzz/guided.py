"""Inputs that Atheris makes because they go new ways: `python -m tests.fuzz --guided`.

Only the package itself is watched, from when it is imported: nothing here imports it before. The
inputs are damaged as everywhere, or by libFuzzer.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import redirect_stderr
from functools import partial
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from types import FrameType
from typing import TypeVar

LONGEST = 4096
"""Bytes of the longest input."""

LONGEST_KEPT = 400
"""Bytes of the longest input that is kept."""

T = TypeVar("T")
Traced = Callable[[FrameType, str, object], "Traced | None"]


def run_guided(reader: str, executions: int, seed: int, *, keeps: bool) -> int:
    """Fuzz one reader in a process of its own, which Atheris ends; return its exit code."""
    from tests.fuzz.grammar import make_file
    from tests.fuzz.inputs import corpus_of

    with TemporaryDirectory(prefix="fuzz-") as folder:
        chance = random.Random(f"{seed} {reader}")
        made = [make_file(chance, reader) for _ in range(200)]
        for number, data in enumerate([*corpus_of(reader)[0], *made]):
            Path(folder, f"{number}").write_bytes(data)
        arguments = [reader, str(executions), str(seed), folder]
        child = subprocess.Popen([sys.executable, "-m", "tests.fuzz.guided", *arguments])
        try:
            code = child.wait()
        except KeyboardInterrupt:
            child.terminate()
            child.wait()
            raise
        if keeps:
            keep(reader, [path.read_bytes() for path in Path(folder).iterdir()])
    return code


def keep(reader: str, found: list[bytes]) -> None:
    """Keep the least inputs that go all ways through the package which any of them goes."""
    from tests.fuzz.inputs import KEPT, kept
    from tests.fuzz.loop import collections, failure_of
    from tests.fuzz.targets import TARGETS

    ways, least = set[object](), []
    beside = collections()
    for data in sorted({*found, *kept(reader)}, key=lambda data: (len(data), data)):
        if len(data) > LONGEST_KEPT:
            break
        gone = _ways(partial(failure_of, TARGETS[reader], data, chosen(beside, data)))
        if not gone <= ways:
            ways |= gone
            least.append(data)
    (KEPT / f"{reader}.txt").write_text("".join(f"{data!r}\n" for data in least))


def chosen(beside: Sequence[T], data: bytes) -> T:
    """Return what an input is read beside: its length says it, so that inputs are files."""
    return beside[len(data) % len(beside)]


def _ways(run: Callable[[], object]) -> set[object]:
    """Return the steps from line to line that the package takes."""
    gone = set[object]()

    def enter(frame: FrameType, event: str, _: object) -> Traced | None:
        if "/ave_score/" not in frame.f_code.co_filename:
            return None
        before = 0

        def step(frame: FrameType, event: str, _: object) -> Traced:
            nonlocal before
            gone.add((frame.f_code, before, frame.f_lineno))
            before = frame.f_lineno
            return step

        return step

    sys.settrace(enter)
    try:
        run()
    finally:
        sys.settrace(None)
    return gone


def _run(reader: str, executions: int, seed: int, folder: str) -> None:
    import atheris

    with atheris.instrument_imports(include=["ave_score"]):
        with redirect_stderr(StringIO()):  # it names each module
            from tests.fuzz.inputs import change, corpus_of
            from tests.fuzz.loop import Tally, collections

            tally, beside = Tally(reader), collections()
            corpus = corpus_of(reader)[0]
            for data in corpus:  # others are imported by what reads
                tally.run(data, chosen(beside, data))

        def end(*_: object) -> None:
            os._exit(tally.report(" guided") > 0)

        def run(data: bytes) -> None:
            tally.run(data, chosen(beside, data))
            if tally.executions >= executions:
                end()

        def mutate(data: bytes, most: int, seed: int) -> bytes:
            chance = random.Random(seed)
            if chance.random() < 0.5:
                return bytes(atheris.Mutate(data, most))
            return change(chance, data, corpus)[:most]

        signal.signal(signal.SIGTERM, end)
        options = f"-seed={seed + 1} -max_len={LONGEST} -verbosity=0 -handle_term=0 -handle_int=0"
        more = "-rss_limit_mb=0 -timeout=6000 -report_slow_units=6000 -detect_leaks=0"
        command = [reader, *options.split(), *more.split(), folder]
        atheris.Setup(command, run, custom_mutator=mutate)
        atheris.Fuzz()


if __name__ == "__main__":
    _run(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4])
