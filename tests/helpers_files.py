"""Helpers for tests of files: a small collection, a valid run of it, findings as tuples."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from pathlib import Path
from typing import TypeVar

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from ave_score import Collection, Findings, Run, read_collection
from ave_score.files.run import check_run
from ave_score.files.source import Source
from tests import examples

T = TypeVar("T")

Position = tuple[str, int | None, int | None]
"""Code, line and column of a finding."""

COLLECTION = """\
<?xml version="1.0" encoding="UTF-8"?>
<ave>
<q id="1"><q_str>Who?</q_str>
<a id="1_1" value="VALIDATED"><a_str>Ann</a_str><t_str doc="D1">It was Ann.</t_str></a>
<a id="1_2" value="REJECTED"><a_str>Bob</a_str><t_str doc="D2">Not Bob.</t_str></a>
</q>
<q id="2"><q_str>Where?</q_str>
<a id="2_1" value="REJECTED"><a_str>Rome</a_str></a>
<a id="2_2" value="VALIDATED"><a_str>Oslo</a_str></a>
</q>
<q id="3"><q_str>When?</q_str>
<a id="3_1" value="UNKNOWN"><a_str>1931</a_str></a>
</q>
</ave>
"""

RUN = """\
1 1_1 SELECTED 0.9
1 1_2 REJECTED 0.2
2 2_1 VALIDATED 0.6
2 2_2 SELECTED 0.7
3 3_1 REJECTED 0.1
"""
"""A run without a flaw; its fourth line selects, in a question that has a VALIDATED answer too."""

ROWS = RUN.splitlines()

fuzzed = settings(
    max_examples=examples(100),
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.filter_too_much],
)
"""The same examples every time; the files of one test may overwrite each other."""


def put(folder: Path, data: str | bytes, name: str = "run.txt") -> Path:
    """Write a file exactly as given."""
    path = folder / name
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return path


def collection_of(folder: Path, xml: str | bytes = COLLECTION) -> Collection:
    """Return a collection that must be sound."""
    return read_collection(put(folder, xml, "sound.xml"))


def check(
    folder: Path, data: str | bytes, collection: Collection | None = None, missing: str = "error"
) -> tuple[Run | None, Findings]:
    """Check a run of the small collection, or of another."""
    index = (collection or collection_of(folder)).index
    return checked(check_run(Source(put(folder, data)), index, missing))


def checked(result: tuple[T | None, list[Findings]]) -> tuple[T | None, Findings]:
    """Return what a check of one file read, and its findings; with errors it reads nothing."""
    value, (findings,) = result
    assert (value is None) == bool(findings.errors)
    assert_safe(findings)
    return value, findings


def with_line(number: int, line: str) -> str:
    """Return the sound run with one line replaced."""
    return "".join(f"{line if at == number else row}\n" for at, row in enumerate(ROWS, 1))


def positions(findings: Findings) -> list[Position]:
    """Return what was found, in order."""
    return [(found.rule.code, found.line, found.column) for found in findings]


def only(findings: Findings) -> str:
    """Return the message of a single finding."""
    (found,) = findings
    return found.message


def is_safe(text: str) -> bool:
    """Tell whether a terminal would show every character of a text and obey none."""
    return not {unicodedata.category(character) for character in text} & {
        "Cc",
        "Cf",
        "Cs",
        "Zl",
        "Zp",
    }


def assert_safe(findings: Iterable[object]) -> None:
    """Assert that no message would do anything to a terminal."""
    for found in findings:
        assert is_safe(str(found)), ascii(str(found))


PACKED = (b"\x1f\x8b", b"\xfd7zXZ\0")
"""What gzip and xz files begin with."""


@st.composite
def mutations(draw: st.DrawFn, sound: bytes) -> bytes:
    """Strategy: a sound file with up to four stretches of it replaced by random bytes."""
    data = sound
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(data)))
        stop = min(len(data), start + draw(st.integers(0, 12)))
        data = data[:start] + draw(st.binary(max_size=8)) + data[stop:]
    return data


def broken(sound: str | bytes) -> st.SearchStrategy[bytes]:
    """Strategy: random bytes, or a sound file that was damaged.

    None begins like a compressed file, which could not even be unpacked.
    """
    data = sound.encode() if isinstance(sound, str) else sound
    either = st.binary(max_size=300) | mutations(data)
    return either.filter(lambda damaged: not damaged.startswith(PACKED))
