"""Work in several processes: the same results, findings and errors as in one."""

from __future__ import annotations

import gzip
import os
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ave_score.commands import run
from ave_score.core.errors import InputError
from ave_score.inference import compare
from ave_score.rules import RULES
from tests.conftest import ROOT

pytestmark = pytest.mark.skipif(
    not hasattr(os, "sched_getaffinity"), reason="PROCESSES ARE NOT FORKED on this system"
)

GOLD = str(ROOT / "gold/ave2008-en.xml.gz")
RUNS = sorted((ROOT / "sample_runs/ave2008-en").iterdir())


def results(
    work: Callable[[int], object], items: list[int], jobs: int, shared: tuple[object, ...] = ()
) -> list[Any]:
    """Return all results, or the messages of errors."""
    from ave_score.core.jobs import InOrder

    found: list[object] = []
    with InOrder(work, items, jobs, shared) as made:
        while True:
            try:
                found.append(next(made))
            except StopIteration:
                return found
            except InputError as error:
                found.append(str(error))


@pytest.mark.parametrize("jobs", [1, 2, 3, 7])
def test_results_are_in_order(jobs: int) -> None:
    assert results(lambda item: item * item, [3, 1, 4, 1, 5], jobs) == [9, 1, 16, 1, 25]


@pytest.mark.parametrize("started", [0, 1, 2])
def test_items_without_a_process_are_worked_on_here(
    monkeypatch: pytest.MonkeyPatch, started: int
) -> None:
    fork, left = os.fork, iter(range(started))

    def limited() -> int:
        if next(left, None) is None:
            raise BlockingIOError("too many processes")
        return fork()

    monkeypatch.setattr(os, "fork", limited)
    assert results(lambda item: item * item, [3, 1, 4, 1, 5], 3) == [9, 1, 16, 1, 25]


def test_an_error_is_that_of_its_item() -> None:
    def work(item: int) -> int:
        if item == 1:
            raise InputError("b", "is missing")
        return item

    assert results(work, [0, 1, 2, 3], 2) == [0, "b: is missing", 2, 3]


def test_shared_objects_are_not_copied() -> None:
    rule = RULES["AVE101"]
    ((found, number),) = results(lambda item: (rule, item), [5], 1, (rule,))
    assert found is rule
    assert number == 5


def test_a_process_that_is_killed_is_replaced() -> None:
    here = os.getpid()

    def work(item: int) -> int:
        if os.getpid() != here and item == 2:
            os.kill(os.getpid(), signal.SIGKILL)
        return item

    assert results(work, [0, 1, 2, 3, 4], 2) == [0, 1, 2, 3, 4]


def test_no_process_is_left() -> None:
    from ave_score.core.jobs import InOrder

    with InOrder(abs, [*range(100)], 3) as made:
        assert next(made) == 0
    with pytest.raises(ChildProcessError):
        os.waitpid(-1, os.WNOHANG)


def files(folder: Path) -> list[str]:
    """Return runs: sound, damaged, foreign and missing ones."""
    text = gzip.decompress(RUNS[0].read_bytes())
    made = {"cut.txt": text[: len(text) // 2], "odd.txt": b"1 1 YES\n" + text, "empty.txt": b""}
    for name, data in made.items():
        (folder / name).write_bytes(data)
    return [*map(str, RUNS[:3]), *(str(folder / name) for name in (*made, "missing.txt"))]


@pytest.mark.slow
@pytest.mark.parametrize(
    "command",
    [
        ["compare", GOLD, "--keep-going", "--resamples", "100"],
    ],
    ids=" ".join,
)
def test_output_does_not_depend_on_the_number(
    command: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said = {
        (run([*command, *files(tmp_path), "--jobs", jobs]), *capsys.readouterr())
        for jobs in ("1", "3")
    }
    assert len(said) == 1
    ((code, _, err),) = said
    assert code != 0
    assert "missing.txt" in err


@pytest.mark.slow
def test_pairs_are_tested_by_several_processes(capsys: pytest.CaptureFixture[str]) -> None:
    """28 pairs, most of them tested with samples."""
    runs = [*map(str, RUNS)]
    given = ["compare", GOLD, *runs, "--resamples", "200"]
    assert len(runs) * (len(runs) - 1) // 2 >= compare.SPREAD
    said = {(run([*given, "--jobs", jobs]), capsys.readouterr().out) for jobs in ("1", "3")}
    assert len(said) == 1
    assert next(iter(said))[0] == 0


@pytest.mark.parametrize(
    "command",
    [
        ["score", GOLD, *map(str, RUNS[:2])],
        ["check", str(RUNS[0]), "--collection", GOLD],
        ["stability", GOLD, *map(str, RUNS[:2]), "--repetitions", "10"],
        ["swap", GOLD, *map(str, RUNS[:3]), "--repetitions", "10"],
        ["orders", GOLD, *map(str, RUNS[:3])],
    ],
    ids=lambda command: command[0],
)
def test_where_the_option_has_no_effect_it_says_so(
    command: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """These read files in one process; the option was published, and is not in the help."""
    assert run(command) == 0
    out, err = capsys.readouterr()
    assert run([*command, "--jobs", "2"]) == 0
    said = "ave-score: --jobs is deprecated and has no effect\n"
    assert capsys.readouterr() == (out, said + err)
    assert run([command[0], "--help"]) == 0
    assert "jobs" not in capsys.readouterr().out
