"""Sources of bytes: plain and compressed files, pipes, standard input, and errors."""

from __future__ import annotations

import gzip
import hashlib
import io
import lzma
import os
import random
import re
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, cast

import pytest

from ave_score import InputError
from ave_score.commands import run as command_line
from ave_score.files import limits, pipes
from ave_score.files import source as source_module
from ave_score.files.limits import CHUNK
from ave_score.files.source import Source
from tests import each
from tests.helpers_command import ave
from tests.helpers_files import COLLECTION, RUN, put

TEXT = RUN.encode()
NOISE = random.Random(1).randbytes(3 * CHUNK + 17)
"""Several chunks that no compression shortens, so that a flipped bit is always in the data."""

needs_fifo = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")


def bytes_of(source: Source) -> bytes:
    return b"".join(source.chunks())


def give_stdin(monkeypatch: pytest.MonkeyPatch, data: bytes) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data), encoding="utf-8"))


@contextmanager
def writing_to(pipe: Path, data: bytes) -> Iterator[None]:
    """Write into a named pipe from a thread, once."""
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_bytes, args=(data,))
    writer.start()
    yield
    writer.join(timeout=10)
    assert not writer.is_alive()


@each("data", [b"", b"\x1f", TEXT, NOISE])
@each("packed, name", [
    (bytes, "run.txt"),
    (gzip.compress, "run.txt.gz"),
    (lzma.compress, "run.txt.xz"),
    (gzip.compress, "run.txt"),
    (lzma.compress, "run"),
    (gzip.compress, "run.xz"),
    (lambda data: gzip.compress(data[:9]) + gzip.compress(data[9:]), "two-members.gz"),
    (lambda data: lzma.compress(data[:9]) + lzma.compress(data[9:]), "two-streams.xz"),
])  # fmt: skip
def test_a_file_is_unpacked_by_its_first_bytes_and_can_be_read_again(
    tmp_path: Path, packed: Callable[[bytes], bytes], name: str, data: bytes
) -> None:
    source = Source(put(tmp_path, packed(data), name))
    assert bytes_of(source) == data
    assert bytes_of(source) == data
    assert source.sha256() == hashlib.sha256(data).hexdigest()


@each("path, name", [
    ("runs/team_1.txt", "team_1"),
    ("team_1.txt.gz", "team_1"),
    ("team_1.txt.xz", "team_1"),
    ("team_1.gz", "team_1"),
    ("team_1", "team_1"),
    ("/a.b/team_1", "team_1"),
    ("Glöckner_1.txt", "Glöckner_1"),
    (".hidden", ".hidden"),
    ("-", "stdin"),
])  # fmt: skip
def test_a_name_is_the_file_name_without_folder_and_suffixes(path: str, name: str) -> None:
    assert Source(path).name == name


def _flipped(data: bytes) -> bytes:
    middle = len(data) // 2
    return data[:middle] + bytes([data[middle] ^ 0xFF]) + data[middle + 1 :]


GZ, XZ = gzip.compress(NOISE), lzma.compress(NOISE)
DAMAGED = {
    "gz-magic-only": GZ[:2],
    "gz-header-only": GZ[:11],
    "gz-cut-in-the-data": GZ[:CHUNK],
    "gz-cut-in-the-checksum": GZ[:-4],
    "gz-bit-flipped": _flipped(GZ),
    "gz-with-a-tail": GZ + b"trailing",
    "xz-magic-only": XZ[:6],
    "xz-cut-in-the-data": XZ[:CHUNK],
    "xz-cut-at-the-end": XZ[:-1],
    "xz-bit-flipped": _flipped(XZ),
}


@pytest.mark.parametrize("data", DAMAGED.values(), ids=DAMAGED)
def test_damaged_compression_is_an_input_error(tmp_path: Path, data: bytes) -> None:
    path = put(tmp_path, data, "run.gz")
    with pytest.raises(InputError, match="cannot be decompressed") as caught:
        bytes_of(Source(path))
    assert caught.value.path == str(path)


@pytest.mark.parametrize("packed", [gzip.compress, lzma.compress], ids=["gz", "xz"])
def test_a_bomb_is_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, packed: Callable[[bytes], bytes]
) -> None:
    monkeypatch.setattr(limits, "MAX_BYTES", 1 << 20)
    taken = 0
    with pytest.raises(InputError, match="unpacks to more than"):
        for chunk in Source(put(tmp_path, packed(bytes(1 << 22)), "bomb")).chunks():
            taken += len(chunk)
    assert taken <= 1 << 20


@pytest.mark.parametrize(("name", "reason"), [
    ("missing.txt", "no such file"),
    ("", "is a directory"),
    ("file/below", "not a directory"),
    ("n" * 300, "file name too long"),
    ("nul\0", "is not a file name"),
])  # fmt: skip
def test_what_is_no_file_is_an_input_error(tmp_path: Path, name: str, reason: str) -> None:
    put(tmp_path, "x", "file")
    path = f"{tmp_path}/{name}"
    with pytest.raises(InputError, match=reason) as caught:
        bytes_of(Source(path))
    assert caught.value.path == path


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read all")
def test_a_file_without_permission_is_an_input_error(tmp_path: Path) -> None:
    path = put(tmp_path, TEXT)
    path.chmod(0)
    with pytest.raises(InputError, match="permission denied"):
        bytes_of(Source(path))


@pytest.mark.parametrize("path", ["/dev/null", "/dev/zero"])
def test_devices_are_refused_unread(path: str) -> None:
    if not Path(path).exists():
        pytest.skip(f"no {path} here")
    with pytest.raises(InputError, match="device"):
        next(Source(path).chunks())


@needs_fifo
@pytest.mark.parametrize("data", [TEXT, gzip.compress(NOISE)], ids=["text", "gz"])
def test_a_pipe_can_be_read_more_than_once(tmp_path: Path, data: bytes) -> None:
    expected = TEXT if data == TEXT else NOISE
    source = Source(tmp_path / "pipe")
    with writing_to(tmp_path / "pipe", data):
        assert next(source.chunks())
        assert bytes_of(source) == expected
        assert bytes_of(source) == expected


@needs_fifo
@each("line", [
    "check pipe", "score pipe run.txt", "score gold.xml pipe",
    "score gold.xml run.txt --teams pipe", "score gold.xml run.txt --qa pipe",
    "score gold.xml run.txt --key pipe", "score gold.xml run.txt --breakdown pipe",
    "score gold.xml run.txt --ci 95 --cluster pipe", "score gold.xml run.txt --replicates pipe",
    "compare gold.xml run.txt pipe", "report pipe run.txt", "convert pipe --to csv", "stats pipe",
    "agree run.txt pipe", "campaign pipe", "campaign list pipe",
])  # fmt: skip
def test_a_pipe_that_nobody_feeds_is_waited_for_once_and_refused(
    here: Path, monkeypatch: pytest.MonkeyPatch, line: str
) -> None:
    now = 0.0

    def sleep(seconds: float) -> None:
        nonlocal now
        now += seconds

    monkeypatch.setattr(pipes, "sleep", sleep)
    monkeypatch.setattr(pipes, "monotonic", lambda: now)
    if not (here / "pipe").exists():
        os.mkfifo(here / "pipe")
    (here / "gold.xml").write_text('<ave><q id="1"><a id="1" value="VALIDATED"/></q></ave>')
    (here / "run.txt").write_text("1 1 SELECTED 1\n")
    said = ave(*line.split())
    assert said.code in (1, 2)
    assert "pipe: is a pipe into which no program writes" in said.err
    assert 0 < now < 1.5 * pipes.PATIENCE


@pytest.mark.skipif(sys.platform != "linux", reason="the system does not tell that it has ended")
def test_a_pipe_whose_program_has_ended_empty_file_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pipes, "sleep", lambda _: pytest.fail("it was waited for"))
    read_end, write_end = os.pipe()  # as the shell makes of `<(true)`
    os.close(write_end)
    assert bytes_of(Source(f"/dev/fd/{read_end}")) == b""
    os.close(read_end)


@needs_fifo
def test_a_program_may_take_its_time_to_write_into_a_pipe(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pipes, "PATIENCE", 0.2)
    os.mkfifo(tmp_path / "pipe")

    def write() -> None:
        with (tmp_path / "pipe").open("wb") as pipe:
            time.sleep(0.4)  # longer than for a pipe that nobody has open
            pipe.write(NOISE)

    writer = threading.Thread(target=write)
    writer.start()
    assert bytes_of(Source(tmp_path / "pipe")) == NOISE
    writer.join(timeout=10)
    assert not writer.is_alive()


def test_no_more_of_a_stream_is_read_than_a_file_may_have(monkeypatch: pytest.MonkeyPatch) -> None:
    give_stdin(monkeypatch, bytes(10 * CHUNK))
    assert Source("-").whole(CHUNK) is None
    assert sys.stdin.buffer.tell() <= 3 * CHUNK


@pytest.mark.parametrize("packed", [bytes, gzip.compress, lzma.compress])
def test_standard_input_can_be_read_more_than_once(
    monkeypatch: pytest.MonkeyPatch, packed: Callable[[bytes], bytes]
) -> None:
    give_stdin(monkeypatch, packed(NOISE))
    source = Source("-")
    assert next(source.chunks())
    assert bytes_of(source) == NOISE
    assert source.sha256() == hashlib.sha256(NOISE).hexdigest()


def test_too_much_on_standard_input_is_an_input_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(source_module, "MAX_BYTES", 1000)
    give_stdin(monkeypatch, bytes(1001))
    with pytest.raises(InputError, match="holds more than"):
        bytes_of(Source("-"))


def test_a_closed_standard_input_is_an_input_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", None)  # what Python makes of `ave-score ... - <&-`
    with pytest.raises(InputError):
        bytes_of(Source("-"))


@pytest.mark.slow
@pytest.mark.parametrize("pack", [gzip.compress, lzma.compress], ids=["gzip", "xz"])
def test_a_file_that_unpacks_to_hundreds_of_times_its_size_is_not_read_on(
    tmp_path: Path, pack: Callable[[bytes], bytes]
) -> None:
    # zeros take about a thousandth (gzip) or less (xz); 64 MiB are let through whatever they took
    allowed, bomb = (pack(bytes(size << 20)) for size in (64, 66))
    assert sum(map(len, Source(put(tmp_path, allowed)).chunks())) == 64 << 20
    with pytest.raises(InputError, match="200 times its size"):
        list(Source(put(tmp_path, bomb)).chunks())


def test_a_file_that_unpacks_to_more_than_8_gib_is_refused() -> None:
    with pytest.raises(InputError, match="unpacks to more than 8 GiB"):
        limits.check_unpacked("x", (8 << 30) + 1, 1 << 30)


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the names of files, which grow with every file that is opened to be read."""
    names: list[str] = []

    def counting(path: str, mode: str) -> BinaryIO:
        names.append(Path(path).name)
        return cast("BinaryIO", open(path, mode))  # noqa: PTH123 - it stands in for this one

    monkeypatch.setattr(source_module, "open", counting, raising=False)
    return names


@pytest.mark.parametrize("size", [0, 1, CHUNK, source_module.KEPT_BYTES + 1])
@pytest.mark.parametrize("pack", [bytes, gzip.compress], ids=["plain", "gz"])
def test_a_file_of_which_the_beginning_was_looked_at_is_read_on(
    tmp_path: Path, opened: list[str], pack: Callable[[bytes], bytes], size: int
) -> None:
    data = (NOISE * 10)[:size]
    source = Source(put(tmp_path, pack(data), "file"))
    source.expect_hash()
    for _ in range(3):
        assert next(source.chunks(), b"") == data[:CHUNK]
    assert bytes_of(source) == data
    assert source.sha256() == hashlib.sha256(data).hexdigest()
    assert opened == ["file"]


def test_a_large_file_is_opened_again_and_so_is_one_that_was_read_long_ago(
    tmp_path: Path, opened: list[str]
) -> None:
    large = Source(put(tmp_path, bytes(source_module.KEPT_BYTES + 1), "large"))
    small = [Source(put(tmp_path, TEXT, f"{n}")) for n in range(source_module.KEPT_FILES + 1)]
    for source in (large, *small, large, *small[::-1]):
        bytes_of(source)
    assert opened == ["large", *(source.path[-1] for source in small), "large", "1", "0"]


@pytest.mark.parametrize("text", [RUN, RUN.replace("0.", "x.")], ids=["sound", "with defects"])
def test_a_command_opens_each_file_once(tmp_path: Path, opened: list[str], text: str) -> None:
    labels = re.sub("REJECTED .*", "REJECTED", RUN)
    run = str(put(tmp_path, text, "run"))
    gold = str(put(tmp_path, re.sub(' value="[A-Z]+"', "", COLLECTION), "gold"))
    key = str(put(tmp_path, re.sub("SELECTED .*|VALIDATED .*", "VALIDATED", labels), "key"))
    command_line(["score", gold, run, "--key", key, "--output", str(tmp_path / "scores")])
    assert sorted(opened) == ["gold", "key", "run"]
    opened.clear()
    command_line(["check", run, gold, key, "--collection", gold, "-o", str(tmp_path / "found")])
    assert sorted(opened) == ["gold", "gold", "key", "run"]  # named twice
