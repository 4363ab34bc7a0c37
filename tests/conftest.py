"""Shared fixtures: the root of the repository as working directory, a folder of files."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from importlib import import_module
from pathlib import Path

import pytest
from hypothesis import settings

from ave_score import commands
from tests import examples
from tests.helpers_files import COLLECTION, RUN, put, with_line
from tools import own

# a busy machine makes no test fail
settings.register_profile("untimed", deadline=None, max_examples=examples(100))
settings.load_profile("untimed")

# a process that a test starts need not compile the package again
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

ROOT = own.ROOT

# matplotlib lists the fonts of the machine once, not in every process
os.environ.setdefault("MPLCONFIGDIR", str(ROOT / ".pytest_cache" / "matplotlib"))


def pytest_sessionstart(session: pytest.Session) -> None:
    """Let every second worker read all tests from the last to the first.

    Pytest keeps what it makes of a module: in a new checkout each worker makes half of them.
    """
    all_tests = [Path(name).name for name in session.config.args] == ["tests"]
    if all_tests and os.environ.get("PYTEST_XDIST_WORKER", "gw0")[-1] in "13579":
        for path in sorted(own.own_files("tests", ".py"), reverse=True):
            if path.parent.name == "tests" and path.name.startswith("test_"):
                with suppress(Exception, pytest.skip.Exception):  # collecting it says what is wrong
                    import_module(f"tests.{path.stem}")


def pytest_collection_finish() -> None:
    """Let collecting garbage pass over thousands of tests, which stay."""
    gc.freeze()
    gc.set_threshold(100_000, 20, 20)


@pytest.fixture(scope="session")
def _cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(scope="session", autouse=True)
def _one_core_and_no_disk() -> Iterator[None]:
    """Let comparisons start no processes, and no file that is written wait for the disk.

    Processes would take the cores of other tests; those of `test_processes.py` say how many cores
    there are, and `test_faults.py` that files are synchronised.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "sched_getaffinity", lambda _: {0}, raising=False)
        patch.setattr(os, "fsync", lambda _: None)
        yield


@pytest.fixture(autouse=True)
def _in_root(monkeypatch: pytest.MonkeyPatch, _cache: Path) -> None:
    """Run every test where `gold/` and `sample_runs/` are, and without a preset width.

    The user's own cache is left alone.
    """
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("XDG_CACHE_HOME", str(_cache))
    monkeypatch.delenv("COLUMNS", raising=False)


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in a folder with a collection, a valid run, and one with two errors and a warning.

    Modules whose tests need other files define their own fixture of this name.
    """
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("AVE_SCORE_FORMAT", raising=False)
    put(tmp_path, COLLECTION, "gold.xml")
    put(tmp_path, RUN, "good.txt")
    put(tmp_path, with_line(3, "2 2_1 Rejected 0,6").replace("0.9", "7"), "bad.txt")
    return tmp_path


@pytest.fixture
def fresh_commands(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let commands make their options again, and restore them after the test."""
    for name in commands.COMMANDS:  # a module that is first imported by the test would remain
        import_module(f"{commands.__name__}.{name}")
    for name, module in [*sys.modules.items()]:
        package, _, module_name = name.rpartition(".")
        if package == commands.__name__:
            monkeypatch.setattr(commands, module_name, module)
            monkeypatch.delitem(sys.modules, name)
