"""The fuzzing harness: its corpus, and whether it notices what it looks for."""

from __future__ import annotations

import gzip
import time
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from random import Random

import pytest

import ave_score
from ave_score import Collection, FileKind
from tests import THOROUGH, each, mostly_slow, slow
from tests.fuzz import loop
from tests.fuzz.grammar import MAKERS, make_file
from tests.fuzz.guided import chosen
from tests.fuzz.inputs import kept
from tests.fuzz.large import LARGE, measured
from tests.fuzz.loop import MOST, collections, failure_of, unpacked
from tests.fuzz.targets import TARGETS, Broken


def assert_harmless(reader: str, every: list[bytes]) -> None:
    assert every
    for data in every:
        assert failure_of(TARGETS[reader], data, chosen(collections(), data)) is None, data


@pytest.mark.parametrize("reader", mostly_slow([*TARGETS], 8))
def test_inputs_that_went_ways_of_their_own_do_no_harm(reader: str) -> None:
    assert_harmless(reader, kept(reader))


@each("reader", TARGETS)
def test_inputs_that_once_did_harm_to_a_reader_do_none(reader: str) -> None:
    assert_harmless(reader, kept("failed"))


@pytest.mark.parametrize("reader", MAKERS)
def test_files_of_the_grammar_are_mostly_sound(reader: str) -> None:
    """Otherwise nothing would be reached that a damaged sample does not reach."""
    kind = FileKind(reader) if reader in [*FileKind] else None
    files = [make_file(Random(number), reader) for number in range(40)]
    sound = [ave_score.check(BytesIO(data), kind=kind).contents is not None for data in files]
    assert sum(sound) >= 24


def _takes_memory(_: bytes, __: Collection | None) -> None:
    bytearray(2 * MOST)


def _takes_time(_: bytes, __: Collection | None) -> None:
    ends = time.process_time() + 0.2
    while time.process_time() < ends:
        pass


def _is_wrong(_: bytes, __: Collection | None) -> None:
    raise Broken("not idempotent")


def _crashes(data: bytes, _: Collection | None) -> None:
    if b"#" in data:
        raise KeyError


@pytest.mark.parametrize(("target", "what"), [
    (_takes_memory, "memory: more than 64 MiB and 20 bytes a byte"),
    slow((_takes_time, "hang: more than 2 s a megabyte")),
    (_is_wrong, "broken: not idempotent"),
    (_crashes, "crash: KeyError in _crashes of test_fuzz.py"),
])  # fmt: skip
def test_what_goes_wrong_is_noticed(
    target: Callable[[bytes, Collection | None], None], what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if target is _takes_time:
        monkeypatch.setattr(loop, "SECONDS", 0.05)
    monkeypatch.setattr(loop, "peak", iter(range(0, 1 << 40, MOST)).__next__)
    assert failure_of(target, b"a#", None) == what


def test_a_failing_input_is_made_as_short_as_it_can_be(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(TARGETS, "key", _crashes)
    tally = loop.Tally("key")
    for data in (b"1 1_1 VALIDATED\n# comment\n", b"1 1_1\n", b"#\n"):
        tally.run(data, None)
    assert (tally.executions, tally.report()) == (3, 2)
    printed = capsys.readouterr().out.splitlines()
    assert printed[1].strip() == "b'#'"
    assert "3 executions" in printed[2]
    assert "2 failed, in 1 ways" in printed[2]


def test_sizes_are_those_of_what_is_unpacked() -> None:
    assert unpacked(gzip.compress(bytes(100_000))) == 100_000
    assert unpacked(LARGE["logs archive"](3)) > 1000
    assert unpacked(b"PK\x03\x04") == 4


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="no peaks of memory")
@pytest.mark.parametrize("name", LARGE if THOROUGH else ("judged tsv", "answer-sets JSON"))
def test_memory_and_time_of_large_files_are_in_proportion(name: str) -> None:
    """Rows of about ten bytes, which take most for their size."""
    took = measured(name, 20 if THOROUGH and not name.startswith("answer-sets") else 4)
    assert took.memory <= took.most
    assert took.seconds <= loop.SECONDS * took.size / 1e6
