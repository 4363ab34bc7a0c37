"""Commands that are killed, whose disk is full, whose files change, or that run twice at a time.

A fault is put where a command changes something, at each of these places in turn: what a folder
holds afterwards is what it held before, or what a call without faults writes.
"""

from __future__ import annotations

import json
import random
import shlex
import shutil
import signal
import time
from collections.abc import Mapping
from itertools import count
from pathlib import Path
from typing import NamedTuple

import pytest

from tests import THOROUGH, mostly_slow
from tests.helpers_command import ave, files_of, put_all
from tests.helpers_faults import (
    Going,
    at_most,
    full_at,
    killed_at,
    needs_fork,
    slow_at_changes,
)
from tests.helpers_files import COLLECTION, RUN, with_line
from tests.test_campaign import CAMPAIGN, small

pytestmark = needs_fork

PART = ".ave-score-part"
"""The end of the names of files that are being written."""

SCORES = """\
q_id\ta_id\tscore\tsecond\tcorrect
1\t1_1\t0.9\t0.1\t1
1\t1_2\t0.2\t0.8\t0
2\t2_1\t0.6\t0.5\t0
2\t2_2\t0.7\t0.4\t1
"""
FILES = {
    "gold.xml": COLLECTION,
    "good.txt": RUN,
    "other.txt": with_line(3, "2 2_1 REJECTED 0.3"),
    "bad.txt": with_line(4, "2 2_2 Selected 0,7"),
    "scores.tsv": SCORES,
    "judged.tsv": "q_id\trun\tjudgement\tanswer\ttext\n1\tqa\tR\tAnn\tIt was.\n1\tqb\tW\tBob\tNo\n",
    "questions.tsv": "q_id\tquestion\n1\tWho?\n",
    "campaign.toml": f'docker_image = "org/image:1"\n{CAMPAIGN}',
}

RUNS = "gold.xml good.txt other.txt"

WRITERS = {
    "fix bad.txt --in-place": "",
    f"score {RUNS} -o out.txt --per-question out.csv": "out.txt out.csv",
    "decide scores.tsv -o out.txt --write-collection out.xml": "out.txt out.xml",
    "fix bad.txt": "",
    "fix bad.txt -o out.txt": "out.txt",
    "check bad.txt --collection gold.xml -f json -o out.json": "out.json",
    "convert gold.xml -o out.csv": "out.csv",
    "convert good.txt -o out.jsonl.gz": "out.jsonl.gz",
    "convert good.txt -o out.parquet": "out.parquet",
    "template gold.xml -o out.txt": "out.txt",
    "build judged.tsv --questions questions.tsv -o out.xml --unlabelled test.xml --key key.txt": (
        "out.xml test.xml key.txt"
    ),
    "stats gold.xml -o out.txt": "out.txt",
    f"compare {RUNS} --resamples 100 -o out.txt --per-question out.csv --plot out.svg": (
        "out.txt out.csv out.svg"
    ),
    "decide scores.tsv --score-scorer score,second -o made": "made/score.txt made/second.txt",
    "decide scores.tsv --curve -o out.txt --plot out.svg": "out.txt out.svg",
    f"report {RUNS} -o out.html": "out.html",
    f"agree {RUNS} -o out.txt": "out.txt",
    f"orders {RUNS} -m f1,precision -o out.txt": "out.txt",
    f"stability {RUNS} -o out.txt --plot out.svg": "out.txt out.svg",
    f"swap {RUNS} -o out.txt": "out.txt",
    "campaign init -o new.toml": "",
    "campaign list campaign.toml -o out.txt": "out.txt",
    "campaign campaign.toml --jobs 1": "",
    "campaign campaign.toml --audience public -o site --jobs 1": "",
    "bundle codabench campaign.toml --task 2007/en -o out.zip": "out.zip",
    "bundle tira campaign.toml --task 2007/en -o task": "",
}
"""Each command that writes, and files that it replaces."""


def per_file(words: str) -> bool:
    """Tell whether a command promises each of its files whole, and not all or none of them."""
    return words.startswith("campaign campaign")


class World(NamedTuple):
    """A folder in which a command is called, what it holds before and after, and the exit code."""

    folder: Path
    words: str
    before: Mapping[str, bytes]
    after: Mapping[str, bytes]
    code: int

    def restore(self) -> None:
        """Let the folder hold what it held before."""
        for path in self.folder.iterdir():
            shutil.rmtree(path) if path.is_dir() else path.unlink()
        put_all(self.folder, self.before)

    def check_state(self) -> None:
        """Assert that every file is the old one or the new one; parts may be left beside them."""
        now = files_of(self.folder)
        for name, data in now.items():
            if name.endswith("cache.json"):  # the record of a campaign is between both
                assert json.loads(data)
            elif PART not in name:
                assert data in (self.before.get(name), self.after.get(name)), name
        assert self.before.keys() & self.after.keys() <= now.keys()

    def check_next(self) -> None:
        """Assert that the next call does everything, and leaves nothing else."""
        is_made = files_of(self.folder).keys() >= self.after.keys()
        said = ave(*shlex.split(self.words))
        if said.code != self.code:  # it refuses to write over what is complete
            assert is_made, said.err
            assert "exists" in said.err or "not empty" in said.err, said.err
        assert files_of(self.folder) == self.after

    @property
    def changed(self) -> Mapping[str, bytes]:
        """What the command writes."""
        return {name: data for name, data in self.after.items() if data != self.before.get(name)}


@pytest.fixture
def world(words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> World:
    """Work in a folder in which a command replaces files, after it has been called once."""
    monkeypatch.chdir(tmp_path)
    small(tmp_path)
    put_all(tmp_path, FILES)
    if per_file(words):  # pages of an earlier call are replaced, one goes, and one is new
        ave(*shlex.split(words))
        put_all(tmp_path, {"campaign.toml": FILES["campaign.toml"].replace("Small", "Large")})
        (tmp_path / "runs/en/gamma.txt").rename(tmp_path / "runs/en/zeta.txt")
    put_all(tmp_path, dict.fromkeys(WRITERS[words].split(), "old\n"))
    before = files_of(tmp_path)
    code = ave(*shlex.split(words)).code
    made = World(tmp_path, words, before, files_of(tmp_path), code)
    assert made.changed
    made.restore()
    return made


STEP = 1 if THOROUGH else 3
"""From one change to the next that goes wrong."""

every_writer = pytest.mark.parametrize("words", mostly_slow(WRITERS))


# --- killed ---------------------------------------------------------------------------------------


@every_writer
def test_a_call_may_be_killed_at_each_change(world: World) -> None:
    for number in count(1, STEP):
        said = Going(world.folder, world.words, killed_at(world.folder, number)).end()
        if said.code != -signal.SIGKILL:
            break
        world.check_state()
        world.check_next()
        world.restore()
    assert (said.code, files_of(world.folder)) == (world.code, world.after)
    assert number >= 2 * min(3, len(world.changed))  # each is made, and takes its place


MOMENTS = 40 if THOROUGH else 1
"""Kills of a command by each signal; 26 commands and 3 signals are 3,120 kills."""


@pytest.mark.slow
@pytest.mark.parametrize("words", WRITERS)
def test_a_call_may_be_killed_at_any_moment(world: World) -> None:
    start = time.monotonic()
    Going(world.folder, world.words).end()
    usual = time.monotonic() - start
    endings = (signal.SIGKILL, signal.SIGTERM, signal.SIGINT)
    for ending in endings * MOMENTS:
        world.restore()
        going = Going(world.folder, world.words)
        time.sleep(random.random() * usual)
        going.send(ending)
        said = going.end()
        codes = {signal.SIGKILL: -9, signal.SIGTERM: 143, signal.SIGINT: 130}
        assert said.code in (codes[ending], -ending, world.code)
        world.check_state()
        world.check_next()


# --- a full disk ----------------------------------------------------------------------------------


def check_refused(world: World, code: int, err: str, *reasons: str) -> bool:
    """Assert that a call did everything, or nothing and says why; tell whether it did nothing."""
    if code == world.code:
        assert files_of(world.folder) == world.after
        return False
    assert code == 2, err
    assert any(reason in err for reason in reasons), err
    assert err.startswith("ave-score: ") or "\nave-score: " in err
    assert any(name.partition("/")[0] in err for name in world.changed), err
    if per_file(world.words):
        world.check_state()
    else:
        assert files_of(world.folder) == world.before
    assert not [path for path in world.folder.rglob("*") if PART in path.name]
    return True


@every_writer
def test_the_disk_may_be_full_at_each_change(world: World) -> None:
    refused = 0
    for number in range(1, 6 * len(world.changed) + 10, STEP):
        said = Going(world.folder, world.words, full_at(world.folder, number)).end()
        if check_refused(world, said.code, said.err, "no space left on device"):
            refused += 1
            world.check_next()
        world.restore()
    assert refused >= min(2, len(world.changed))


@every_writer
def test_a_file_may_be_too_large_for_the_disk(world: World) -> None:
    """A write fails within each file: at its first, a middle, or its last byte."""
    lengths = {len(data) for data in world.changed.values()}
    places = (0, 0.5, 1) if THOROUGH else (0.5,)
    sizes = {int((length - 1) * place) for length in lengths for place in places}
    refused = 0
    for size in sorted(sizes):
        said = Going(world.folder, world.words, at_most(size)).end()
        refused += check_refused(world, said.code, said.err, "file too large")
        world.check_next()
        world.restore()
    assert refused == len(sizes)
