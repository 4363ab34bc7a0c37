"""Comparisons in several processes: the same output and errors as in one."""

from __future__ import annotations

import concurrent.futures
import multiprocessing
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import ave_score
from ave_score.inference.randomisation import PairResult, Randomisation
from tests import mostly_slow
from tests.conftest import ROOT
from tests.helpers_command import Said, ave, process
from tools.own import own_files

Patch = pytest.MonkeyPatch

GOLD = str(ROOT / "gold/ave2008-en.xml.gz")
RUNS = [*map(str, own_files("sample_runs/ave2008-en"))]
COMPARE = ["compare", GOLD, *RUNS[:5], "--resamples", "200"]
"""10 pairs by two measures, most of them tested with samples: as much as repays two processes."""


def on_cores(number: int, *command: str | Path) -> Said:
    """Run a command in this process, which may use this many cores."""
    with Patch.context() as patch:
        patch.setattr(os, "sched_getaffinity", lambda _: {*range(number)}, raising=False)
        return ave(*command)


@cache
def in_one_process() -> Said:
    """Return what a comparison says that starts no other process."""
    return on_cores(1, *COMPARE)


needs_fork = pytest.mark.skipif(
    multiprocessing.get_start_method() != "fork", reason="PROCESSES ARE NOT FORKED on this system"
)


@pytest.fixture
def started(monkeypatch: Patch) -> list[int]:
    """The numbers of processes that are started."""
    numbers: list[int] = []
    usual = concurrent.futures.ProcessPoolExecutor

    def noting(number: int, **given: Any) -> Any:  # noqa: ANN401 - passed through
        numbers.append(number)
        return usual(number, **given)

    monkeypatch.setattr(concurrent.futures, "ProcessPoolExecutor", noting)
    return numbers


@pytest.mark.slow
@pytest.mark.parametrize("more", [["--pairs"], ["--test", "t"], ["--test", "bootstrap"]])
def test_output_does_not_depend_on_the_number(more: list[str], started: list[int]) -> None:
    expected = on_cores(1, *COMPARE, *more)
    assert (expected[0], started) == (0, [])
    assert on_cores(3, *COMPARE, *more) == expected
    assert started == [2]


def test_a_function_starts_no_process(started: list[int]) -> None:
    """Nor does one that is called after a command, in the same process: a program has its own."""
    assert on_cores(2, *COMPARE).code == 0
    assert started == [2]
    with Patch.context() as patch:
        patch.setattr(os, "sched_getaffinity", lambda _: {0, 1}, raising=False)
        design = ave_score.Design(resampling=ave_score.Resampling(200))
        ave_score.compare(GOLD, RUNS[:5], design=design)
        ave_score.report(GOLD, RUNS[:5], design=design)
    assert started == [2]


@pytest.mark.slow
def test_a_page_and_a_campaign_do_not_depend_on_number(tmp_path: Path, started: list[int]) -> None:
    campaign = str(ROOT / "sample_runs/tiny-campaign.toml")
    page = ["report", GOLD, *RUNS[:5], "--resamples", "200"]
    written = []
    for cores in (1, 2):
        folder = tmp_path / str(cores)
        assert on_cores(cores, *page, "-o", tmp_path / f"{cores}.html").code == 0
        assert on_cores(cores, "campaign", "run", campaign, "-o", folder).code == 0
        files = [*folder.rglob("*.*"), tmp_path / f"{cores}.html"]
        written.append([file.read_bytes() for file in sorted(files) if file.is_file()])
    assert written[0] == written[1]
    assert started


@needs_fork
@pytest.mark.parametrize("forks", mostly_slow([0, 1], 1))
def test_without_more_processes_one_does_all(forks: int, monkeypatch: Patch) -> None:
    expected = in_one_process()
    fork, left = os.fork, iter(range(forks))

    def limited() -> int:
        if next(left, None) is None:
            raise BlockingIOError("too many processes")
        return fork()

    monkeypatch.setattr(os, "fork", limited)
    assert on_cores(2, *COMPARE) == expected


WITHOUT_THREADS = """
import os, sys, threading
here, usual, where = os.getpid(), threading.Thread.start, sys.argv.pop(1)
def limited(self):
    if (os.getpid() == here) is (where == "here"):
        raise RuntimeError("can't start new thread")
    usual(self)
threading.Thread.start = limited
os.sched_getaffinity = lambda _: {0, 1}
from ave_score.__main__ import main
main()
"""


@pytest.mark.slow
@needs_fork
@pytest.mark.parametrize("where", ["here", "there"])
def test_without_more_threads_one_process_does_all(where: str) -> None:
    """The first process has threads that wait for the others, and each of these has one."""
    command = [sys.executable, "-c", WITHOUT_THREADS, where, *COMPARE]
    assert process(command=command) == in_one_process()


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="ADDRESSES ARE LIMITED on Linux only")
def test_where_addresses_are_limited_one_process_does_all() -> None:
    """In a pool, a thread without an address would never end; the comparison would wait for it."""
    text = WITHOUT_THREADS.replace("import os", "import resource, os", 1)
    limit = "resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))\nhere"
    command = [sys.executable, "-c", text.replace("here", limit, 1), "here", *COMPARE]
    assert process(command=command) == in_one_process()


def test_where_there_are_no_semaphores_one_process_does_all(monkeypatch: Patch) -> None:
    expected = in_one_process()

    def missing(*_: object, **__: object) -> None:
        raise NotImplementedError("system provides too few semaphores")

    monkeypatch.setattr(concurrent.futures, "ProcessPoolExecutor", missing)
    assert on_cores(2, *COMPARE) == expected


def in_other_processes(monkeypatch: Patch, action: Callable[[], None]) -> None:
    """Let other processes do something before they test a pair."""
    here, usual = os.getpid(), Randomisation.test

    def test(self: Randomisation, samples: int | None = None) -> PairResult:
        if os.getpid() != here:
            action()
        return usual(self, samples)

    monkeypatch.setattr(Randomisation, "test", test)


@needs_fork
def test_what_a_killed_process_should_do_is_done(monkeypatch: Patch) -> None:
    expected = in_one_process()
    in_other_processes(monkeypatch, lambda: os.kill(os.getpid(), signal.SIGKILL))
    assert on_cores(2, *COMPARE) == expected


@needs_fork
def test_an_error_of_another_process_is_the_usual_one(monkeypatch: Patch) -> None:
    def without_memory() -> None:
        raise MemoryError

    in_other_processes(monkeypatch, without_memory)
    message = "ave-score: there is not enough memory; give fewer or smaller files\n"
    assert on_cores(2, *COMPARE) == (2, "", message)


PROGRAM = """
import multiprocessing, os, signal, sys
if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv.pop(1))
    signal.signal(signal.SIGINT, signal.default_int_handler)  # background jobs ignore the signal
    os.sched_getaffinity = lambda _: {0, 1}  # two cores, also where there is one
    from ave_score.__main__ import main
    main()
"""


def program(folder: Path, method: str, *command: str) -> list[str]:
    """Return a command whose processes are started by a method."""
    (folder / "program.py").write_text(PROGRAM)
    return [sys.executable, str(folder / "program.py"), method, *command]


METHODS = multiprocessing.get_all_start_methods()


@pytest.mark.slow
@pytest.mark.parametrize("method", METHODS)
def test_processes_may_be_started_in_every_way(method: str, tmp_path: Path) -> None:
    command = program(tmp_path, method, *COMPARE)
    assert process(command=command, timeout=120) == in_one_process()


UNGUARDED = """
import multiprocessing, os, sys
if multiprocessing.get_start_method(allow_none=True) is None:
    multiprocessing.set_start_method(sys.argv.pop(1))
os.sched_getaffinity = lambda _: {0, 1}
from ave_score.__main__ import main
main()
"""


@pytest.mark.slow
@pytest.mark.parametrize("method", [one for one in METHODS if one != "fork"])
def test_a_program_without_a_guard_works_in_one_process(method: str, tmp_path: Path) -> None:
    (tmp_path / "unguarded.py").write_text(UNGUARDED)
    command = [sys.executable, str(tmp_path / "unguarded.py"), method, *COMPARE]
    done = process(command=command)
    assert (done.code, done.out) == in_one_process()[:2]
    assert "if __name__ == '__main__':" in done.err  # what Python says in the first process


def members(group: int) -> list[str]:
    """Return the states of the processes of a group; zombies have ended."""
    found = []
    for file in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, _, number = file.read_text().rpartition(")")[2].split()[:3]
        except OSError:  # it has just ended
            continue
        if int(number) == group and state != "Z":
            found.append(state)
    return found


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="PROCESSES ARE COUNTED on Linux only")
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(("ending", "after", "code"), [
    (signal.SIGINT, 0, 130),
    (signal.SIGINT, 0.3, 130),
    (signal.SIGTERM, 0.3, 143),
    (signal.SIGKILL, 0.3, -9),
])  # fmt: skip
def test_no_process_is_left(
    method: str, ending: signal.Signals, after: float, code: int, tmp_path: Path
) -> None:
    """A terminal sends Ctrl-C to the whole group; the comparison would take a minute."""
    given = ["compare", GOLD, *RUNS, "--resamples", "300000"]
    command = program(tmp_path, method, *given)
    none, pipe = subprocess.DEVNULL, subprocess.PIPE
    with subprocess.Popen(
        command, stdout=none, stderr=pipe, text=True, start_new_session=True
    ) as going:
        while len(members(going.pid)) < 2:
            assert going.poll() is None
            time.sleep(0.01)
        time.sleep(after)
        if ending == signal.SIGINT:
            os.killpg(going.pid, ending)
        else:
            going.send_signal(ending)
        assert going.wait(10) == code
        until = time.monotonic() + 10
        while members(going.pid) and time.monotonic() < until:
            time.sleep(0.01)
        assert members(going.pid) == []
        assert going.stderr is not None
        if ending == signal.SIGINT:
            said = going.stderr.read()
            assert "ave-score: interrupted" in said.splitlines()
            assert "ave_score" not in said  # of Python's own start, which may be interrupted, too
