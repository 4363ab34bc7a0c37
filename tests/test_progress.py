"""What a user sees of a progress bar when it has gone, in terminals of any width."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from itertools import count
from pathlib import Path

import pytest

from ave_score import Design, IntervalPolicy, Policies, agree, compare, score
from ave_score.commands import run as command
from ave_score.files.source import Source
from ave_score.inference import resampling
from tests.conftest import ROOT
from tests.helpers_files import RUN, put
from tools.own import own_files

pty = pytest.importorskip("pty", reason="needs pseudo terminals")

TINY = ["gold/tiny.xml", "sample_runs/tiny/bold.txt", "sample_runs/tiny/careful.txt"]
NAMES = ["short.txt", f"{'a-long-name-' * 12}.txt", f"{'測試' * 40}.txt"]


class Terminal:
    """A terminal that understands what a progress bar needs, and wraps long lines.
    Lines are on the screen; most are the highest number of them with text at any time."""

    def __init__(self, width: int) -> None:
        self.width, self.most, self.text = width, 0, ""
        self.lines, self.row, self.column = [""], 0, 0
        self.has_cursor = True

    def show(self, text: str) -> None:
        self.text = text
        for part in re.finditer(r"\x1b\[\??(\d*)(?:;\d+)*([A-Za-z])|([^\x1b])", text):
            number, code, char = part.groups()
            if char is not None:
                self._put(char)
            elif code == "K":
                assert number == "2"
                self.lines[self.row] = ""
            elif code == "A":
                self.row = max(self.row - int(number or 1), 0)
            elif code in "hl":
                self.has_cursor = code == "h"
            else:
                assert code == "m", part[0]
            self.most = max(self.most, sum(bool(line.strip()) for line in self.lines))

    def _put(self, char: str) -> None:
        cells = 2 if unicodedata.east_asian_width(char) in "WF" else 1
        if char == "\r":
            self.column = 0
        elif char == "\n" or self.column + cells > self.width:
            self.row, self.column = self.row + 1, self.column if char == "\n" else 0
            self.lines += [""] * (self.row == len(self.lines))
        if char >= " ":
            line = self.lines[self.row].ljust(self.column)
            self.lines[self.row] = line[: self.column] + char + line[self.column + 1 :]
            self.column += cells


@pytest.fixture
def ends() -> Iterator[tuple[int, int]]:
    """Open both ends of a pseudo terminal."""
    own, other = pty.openpty()
    yield own, other
    os.close(own)


def resize(end: int, width: int) -> None:
    import fcntl
    import struct
    import termios

    fcntl.ioctl(end, termios.TIOCSWINSZ, struct.pack("HHHH", 24, width, 0, 0))


def received(end: int) -> str:
    """Return everything that was written to a terminal whose other end is closed."""
    data = b""
    while True:
        try:
            more = os.read(end, 2**16)
        except OSError:  # what Linux says instead of an empty string
            more = b""
        if not more:
            return data.decode()
        data += more


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Terminal]]:
    """Return a function that runs a command with stderr on a terminal of a width."""
    own, other = pty.openpty()
    monkeypatch.setenv("TERM", "xterm")

    def shown(width: int, code: int, *arguments: str) -> Terminal:
        resize(other, width)
        with os.fdopen(other, "w", encoding="utf-8") as stream:
            monkeypatch.setattr(sys, "stderr", stream)
            assert command([*arguments]) == code
            stream.write("$ ")  # the next prompt
        terminal = Terminal(width)
        terminal.show(received(own))
        return terminal

    yield shown
    os.close(own)


@pytest.mark.parametrize(
    ("width", "is_stopped"),
    [*((width, False) for width in (120, 63, 60, 20, 12)), (120, True), (60, True), (30, True)],
)
def test_nothing_is_left_of_a_bar(
    terminal: Callable[..., Terminal],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    width: int,
    is_stopped: bool,
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in NAMES:
        put(tmp_path, RUN, name)
    head = Source.head

    def interrupted(source: Source) -> bytes:
        if is_stopped and source.path == NAMES[1]:
            raise KeyboardInterrupt
        return head(source)

    monkeypatch.setattr(Source, "head", interrupted)
    left = terminal(width, 130 if is_stopped else 0, "check", *NAMES)
    assert "Chec" in left.text
    assert left.most == (2 if is_stopped else 1), "the bar wraps"
    last = ["ave-score: interrupted", "$ "] if is_stopped else ["$ "]
    assert [line.rstrip() for line in left.lines if line.strip()] == [*map(str.rstrip, last)]
    assert left.column == 2
    assert left.has_cursor


def test_intervals_show_progress(monkeypatch: pytest.MonkeyPatch) -> None:
    """Five questions and 1,000 random numbers at a time make blocks of 200 samples. A mean of ranks
    needs samples; F is a ratio of counts, whose intervals and tests have none."""
    monkeypatch.setattr(resampling, "BLOCK", 1_000)
    seen: list[Sequence[int]] = []

    def watch(starts: Sequence[int]) -> AbstractContextManager[Iterable[int]]:
        seen.append([*starts])
        return nullcontext(starts)

    policies = Policies(intervals=IntervalPolicy(resamples=900))
    runs = TINY[1:]
    found = score("gold/tiny.xml", runs, policies=policies, measures="f1", watch=watch)
    assert not seen
    score("gold/tiny.xml", runs, policies=policies, measures="f1,mrr", watch=watch)
    assert seen == [[0, 200, 400, 600, 800]]
    blocks = [*range(0, 10_000, 200)]
    cases = ("mrr", None, blocks), ("f1", "bootstrap", blocks), ("f1", None, [0])
    for measure, test, first in cases:
        seen.clear()
        compare("gold/tiny.xml", runs, measures=measure, design=Design.of(test=test), watch=watch)
        assert seen[0] == first  # without samples, the first is the only pair
    seen.clear()
    agree(runs, policies=policies, watch=watch)  # of all, then of the only batch of pairs
    assert seen == [[0, 200, 400, 600, 800], [0], [0, 200, 400, 600, 800]]
    assert all("f1" in row.intervals for row in found.rows if row.kind == "AV")


def test_a_bar_makes_room_for_the_next(
    terminal: Callable[..., Terminal], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Intervals are computed when the last run is read, with a bar of their own."""
    monkeypatch.setattr(resampling, "BLOCK", 1_000)
    left = terminal(60, 0, "score", *TINY, "-m", "mrr", "--ci", "95", "--resamples", "900")
    assert "Scoring" in left.text
    assert "Sampling" in left.text
    assert left.most == 1
    assert [line.rstrip() for line in left.lines if line.strip()] == ["$"]


def test_a_bar_shows_the_time_that_is_left(
    terminal: Callable[..., Terminal], monkeypatch: pytest.MonkeyPatch
) -> None:
    """By a clock that goes on by a second for each of 500 blocks of 20 samples."""
    monkeypatch.setattr(resampling, "BLOCK", 100)
    sleep, seconds = time.sleep, count()

    def clock() -> int:
        sleep(0.0005)  # the bar is drawn ten times a second
        return next(seconds)

    monkeypatch.setattr(time, "monotonic", clock)
    left = terminal(80, 0, "score", *TINY, "-m", "mrr", "--ci", "95", "--resamples", "10000")
    plain = re.sub(r"\x1b\[[\d;]*m", "", left.text)
    shown = re.findall(r"Sampling +(\d+)/500 \S* *about (\d+) (min|s) ", plain)
    assert shown
    for done, number, unit in shown:  # the clock was read once more than there are blocks
        expected = (int(done) + 1) / int(done) * (500 - int(done))
        of_unit = {"min": 60, "s": 1}[unit]
        assert abs(expected - int(number) * of_unit) <= max(of_unit / 2, 5)
    assert [line.rstrip() for line in left.lines if line.strip()] == ["$"]


def test_nothing_is_left_of_a_bar_if_a_run_is_refused(
    terminal: Callable[..., Terminal], tmp_path: Path
) -> None:
    """The second file has systems of the same names; the third one is not read."""
    systems = (ROOT / "gold/tiny.qa.tsv").read_text(encoding="utf-8")
    files = [str(put(tmp_path, systems, name)) for name in ("a.tsv", "b.tsv")]
    left = terminal(60, 2, "score", "gold/tiny.xml", *files, "sample_runs/tiny/bold.txt")
    assert "Scoring" in left.text
    assert left.has_cursor
    shown = [line.rstrip() for line in left.lines if line.strip()]
    assert shown == ["ave-score: two QA systems have the name 'qa_a'", "$"]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_nothing_left_of_bar_if_rows_cannot_be_written(terminal: Callable[..., Terminal]) -> None:
    runs = [*map(str, own_files("sample_runs/ave2007-es"))]
    given = "score", "gold/ave2007-es.xml", *runs, "--per-question", "/dev/full"
    left = terminal(90, 2, *given)
    assert "Scoring" in left.text
    assert left.has_cursor
    shown = [line.rstrip() for line in left.lines if line.strip()]
    assert shown == ["ave-score: /dev/full: cannot be written: no space left on device", "$"]


@pytest.mark.slow
def test_nothing_is_left_after_an_interrupt(ends: tuple[int, int]) -> None:
    resize(ends[1], 60)
    runs = sorted(map(str, (ROOT / "sample_runs/ave2006-en").glob("*.gz")))
    command = [
        *(sys.executable, "-m", "ave_score", "compare", "gold/ave2006-en.xml.gz", *runs),
        *("--resamples", "100000"),
    ]
    code = "import os, sys; os.login_tty(0); os.execv(sys.argv[1], sys.argv[1:])"
    process = subprocess.Popen(
        [sys.executable, "-c", code, *command], cwd=ROOT, stdin=ends[1], stdout=ends[1],
        stderr=ends[1], env={**os.environ, "TERM": "xterm"}, start_new_session=True,
    )  # fmt: skip
    os.close(ends[1])
    text = ""
    while "Comparing" not in text:
        text += os.read(ends[0], 2**16).decode("utf-8", "ignore")
    time.sleep(0.3)
    os.write(ends[0], b"\x03")
    text += received(ends[0])
    assert process.wait() == 130
    terminal = Terminal(60)
    terminal.show(text)
    shown = [line.strip() for line in terminal.lines if line.strip() not in ("", "^C")]
    assert shown == ["ave-score: interrupted"]
    assert terminal.column == 0
