"""Commands that are killed, whose disk is full, whose files change, or that run twice at a time. A
fault is put where a command changes something, at each of these places in turn: what a folder holds
afterwards is what it held before, or what a call without faults writes."""

from __future__ import annotations

import json
import os
import random
import shlex
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from functools import partial
from itertools import takewhile
from pathlib import Path
from typing import Any, NamedTuple

import click
import pytest

from ave_score.commands import COMMANDS, app
from tests import THOROUGH, mostly_slow
from tests.conftest import ROOT
from tests.helpers_command import AVE_SCORE, Said, ave, files_of, process, put_all
from tests.helpers_faults import (
    CHANGES,
    Going,
    at_most,
    changed_at,
    cut_after,
    full_at,
    killed_at,
    slow_at_changes,
    without_rights,
)
from tests.helpers_files import COLLECTION, RUN, with_line
from tests.test_campaign import SPANISH, SPANISH_BEST, SPANISH_RUN

fcntl = pytest.importorskip("fcntl", reason="PROCESSES ARE FORKED elsewhere")

PART = ".ave-score-part"
"""The end of the names of files that are being written."""

CAMPAIGN = """\
title = "Small"
docker_image = "org/image:1"
[editions.2007]
measures = "f1"
compare = "none"
[editions.2007.languages.es]
collection = "gold/es.xml"
teams = { alpha = "Uni A", delta = "Uni D" }
runs = "runs/es"
"""
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
    "campaign.toml": CAMPAIGN,
    "gold/es.xml": SPANISH,
    "runs/es/alpha.txt": SPANISH_RUN,
    "runs/es/delta.txt": SPANISH_BEST,
}

RUNS = "gold.xml good.txt other.txt"

WRITERS = {
    "fix bad.txt --in-place": "",
    f"score {RUNS} -m f1 -o out.txt --per-question out.csv": "out.txt out.csv",
    "decide scores.tsv -o out.txt --write-collection out.xml": "out.txt out.xml",
    "campaign campaign.toml": "",
    "bundle tira campaign.toml -o task": "",
    "build judged.tsv --questions questions.tsv -o out.xml --unlabelled test.xml --key key.txt": (
        "out.xml test.xml key.txt"
    ),
    "fix bad.txt": "",
    "fix bad.txt -o out.txt": "out.txt",
    "check bad.txt --collection gold.xml -f json -o out.json": "out.json",
    "convert gold.xml -o out.csv": "out.csv",
    "convert good.txt -o out.jsonl.gz": "out.jsonl.gz",
    "convert good.txt -o out.parquet": "out.parquet",
    "template gold.xml -o out.txt": "out.txt",
    "stats gold.xml -o out.txt": "out.txt",
    f"compare {RUNS} --resamples 100 -o out.txt --per-question out.csv --plot out.svg": (
        "out.txt out.csv out.svg"
    ),
    "decide scores.tsv --columns score=score,score=second -o made": (
        "made/score.txt made/second.txt"
    ),
    "decide scores.tsv --curve -o out.txt --plot out.svg": "out.txt out.svg",
    f"report {RUNS} -o out.html": "out.html",
    f"agree {RUNS} -o out.txt": "out.txt",
    "estimate judged.tsv --draw 1 -o out.csv": "out.csv",
    f"stability {RUNS} -o out.txt --plot out.svg": "out.txt out.svg",
    f"swap {RUNS} -o out.txt": "out.txt",
    "campaign init -o new.toml": "",
    "campaign list campaign.toml -o out.txt": "out.txt",
    "campaign campaign.toml --audience public -o site": "",
    "bundle codabench campaign.toml -o out.zip": "out.zip",
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
    put_all(tmp_path, FILES)
    if per_file(words):  # pages of an earlier call are replaced, one goes, and one is new
        ave(*shlex.split(words))
        put_all(tmp_path, {"campaign.toml": CAMPAIGN.replace("Uni D", "Uni Z")})
    put_all(tmp_path, dict.fromkeys(WRITERS[words].split(), "old\n"))
    before = files_of(tmp_path)
    code = ave(*shlex.split(words)).code
    made = World(tmp_path, words, before, files_of(tmp_path), code)
    assert made.changed
    made.restore()
    return made


def some(cases: Iterable[object], quick: int = 1, most: int = 6) -> pytest.MarkDecorator:
    """Run a test with the words of commands: quickly, slowly, or in a thorough run only."""
    several = [*cases][: None if THOROUGH else most]
    return pytest.mark.parametrize("words", mostly_slow(several, quick))


def test_every_command_that_writes_is_tested() -> None:
    """A command or a subcommand of it has an option that names files to write."""
    context, writing = click.Context(app), set()
    for name in COMMANDS:
        command = app.get_command(context, name)
        of_name = [command, *getattr(command, "commands", {}).values()]
        options = {option.name for one in of_name if one for option in one.params}
        if options & {"output", "in_place"}:
            writing.add(name)
    assert {words.split()[0] for words in WRITERS} == writing


def numbers() -> Iterator[int]:
    """Yield which of many changes goes wrong, the later ones rarely if the run is not thorough."""
    number = 1
    while True:
        yield number
        number += 1 if THOROUGH else 1 + number // 8


@some(WRITERS)
def test_a_call_may_be_killed_at_each_change(world: World) -> None:
    for number in numbers():
        said = Going(world.folder, world.words, killed_at(world.folder, number)).end()
        if said.code != -signal.SIGKILL:
            break
        world.check_state()
        world.check_next()
        world.restore()
    assert (said.code, files_of(world.folder)) == (world.code, world.after)
    assert number >= 2 * min(3, len(world.changed))  # each is made, and takes its place


def test_parts_of_killed_calls_go_and_those_of_others_stay(here: Path) -> None:
    """A part is locked by the call that writes it; nothing else is looked for or removed."""
    put_all(here, FILES)
    ave("campaign", "campaign.toml", code=0)
    before = files_of(here)
    kept = {f"results/.x.{PART}": "of another call", "results/.ave-score": "no part"}
    left = dict.fromkeys([f"results/teams/.x{PART}", f"results/.y{PART}", f".z{PART}"], "left")
    put_all(here, kept | left)
    with (here / f"results/.x.{PART}").open() as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        ave("campaign", "campaign.toml", code=0)  # nothing has changed
        ave("convert", "good.txt", "-o", "out.csv", code=0)
    (here / "out.csv").unlink()
    assert files_of(here) == before | {name: data.encode() for name, data in kept.items()}


def test_nothing_that_is_no_part_is_waited_for_or_removed(here: Path) -> None:
    """A pipe that nobody writes to would be waited for without end."""
    put_all(here, FILES | {f"own{PART}": "a file of somebody", "folder/x": "behind a link"})
    os.mkfifo(f".pipe{PART}")
    Path(f".link{PART}").symlink_to("folder")
    assert process("convert", "good.txt", "-o", "out.csv", cwd=here, timeout=20).code == 0
    assert Path(f".pipe{PART}").is_fifo()
    assert (here / f".link{PART}" / "x").read_text() == "behind a link"
    assert (here / f"own{PART}").exists()


def test_a_file_may_have_a_name_as_long_as_a_disk_allows(here: Path) -> None:
    """255 bytes; the name of a part is shorter, however many bytes a letter has."""
    name = "\U0001f600" * 62 + "abc.csv"
    for _ in range(2):
        ave("convert", "good.txt", "-o", name, code=0)
    assert (here / name).exists()


def test_a_large_folder_is_searched_once(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A call that writes n files in a folder takes time in proportion to n, and not to n x n."""
    put_all(here, {f"runs/{number}.txt": FILES["bad.txt"] for number in range(9)})
    searched, scandir = [], os.scandir

    def counted(folder: str) -> Iterator[os.DirEntry[str]]:
        searched.append(folder)
        return scandir(folder)

    monkeypatch.setattr(os, "scandir", counted)
    ave("fix", "runs", "--in-place", code=0)
    assert 0 < searched.count(str(here / "runs")) <= 2  # for runs, and for parts


MOMENTS = 13 if THOROUGH else 1
"""Kills of a command by each signal; 26 commands and 3 signals are 1,014 kills."""


@some(WRITERS, quick=0)
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


@some(WRITERS)
def test_the_disk_may_be_full_at_each_change(world: World) -> None:
    refused = 0
    for number in takewhile((6 * len(world.changed) + 10).__gt__, numbers()):
        said = Going(world.folder, world.words, full_at(world.folder, number)).end()
        if check_refused(world, said.code, said.err, "no space left on device"):
            refused += 1
            world.check_next()
        world.restore()
    assert refused >= min(2, len(world.changed))


@some(WRITERS)
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


def operations(monkeypatch: pytest.MonkeyPatch, *words: str) -> list[str]:
    """Call a command; return what it syncs and replaces, in order."""
    done, sync, replace = [], os.fsync, os.replace

    def name(path: str | Path) -> str:
        path = Path(path)
        return "folder" if path.is_dir() else f"part of {path.name.split('.')[1]}"

    def synced(descriptor: int) -> None:
        done.append(f"sync {name(Path(f'/proc/self/fd/{descriptor}').readlink())}")
        sync(descriptor)

    def replaced(part: str, target: str) -> None:
        done.append(f"replace {Path(target).name}")
        replace(part, target)

    monkeypatch.setattr(os, "fsync", synced)
    monkeypatch.setattr(os, "replace", replaced)
    ave(*words, code=0)
    return done


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="nothing tells what is open")
def test_a_file_is_replaced_after_the_new_one_is_on_the_disk(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put_all(here, FILES | {"out.txt": "old"})
    run = partial(operations, monkeypatch)
    sync_bad = ["sync part of bad", "replace bad.txt.bak", "replace bad.txt", "sync folder"]
    assert run("fix", "bad.txt", "--in-place") == sync_bad
    decide = "decide", "scores.tsv", "-o", "out.txt", "--write-collection", "out.xml"
    assert run(*decide) == ["sync part of out", "replace out.xml", "replace out.txt", "sync folder"]
    # nothing is lost with a new file
    assert run("convert", "good.txt", "-o", "new.csv") == ["replace new.csv"]
    assert run("convert", "good.txt", "--to", "csv") == []


ROUNDS = 200 if THOROUGH else 4


@pytest.mark.slow
def test_two_calls_fix_a_run_in_place(here: Path) -> None:
    """The original is kept, whoever comes second."""
    put_all(here, {"fixed.txt": FILES["bad.txt"]})
    ave("fix", "fixed.txt", "--in-place", code=0)
    expected = (here / "fixed.txt").read_bytes()
    for number in range(ROUNDS):
        folder = here / str(number)
        put_all(folder, {"bad.txt": FILES["bad.txt"]})
        words = "fix bad.txt --in-place"
        both = [Going(folder, words, slow_at_changes(folder)) for _ in range(3)]
        assert [going.end().code for going in both] == [0, 0, 0]
        original = FILES["bad.txt"].encode()
        assert files_of(folder) == {"bad.txt": expected, "bad.txt.bak": original}


@pytest.mark.slow
def test_two_calls_decide_by_two_thresholds(here: Path) -> None:
    """The runs of both verifiers are those of one call."""
    put_all(here, FILES)
    columns = [f"v{number}" for number in range(20)]
    lines = [line.split("\t")[:2] for line in SCORES.splitlines()]
    rows = [[*lines[0], *columns], *([*line, *["0.5"] * 20] for line in lines[1:])]
    put_all(here, {"many.tsv": "".join("\t".join(row) + "\n" for row in rows)})
    chosen = ",".join(f"score={column}" for column in columns)
    decide = f"decide many.tsv --columns {chosen} -o made --threshold"
    wanted = []
    for threshold in ("0.4", "0.6"):
        ave(*shlex.split(f"{decide} {threshold}"), code=0)
        wanted.append(files_of(here / "made"))
    for _ in range(ROUNDS):
        slow = slow_at_changes(here)
        both = [Going(here, f"{decide} {threshold}", slow) for threshold in ("0.4", "0.6")]
        assert [going.end().code for going in both] == [0, 0]
        assert files_of(here / "made") in wanted


@pytest.mark.slow
def test_two_calls_write_the_results_of_a_campaign(here: Path) -> None:
    """The folder has the pages of one of them, although the file was changed in between."""
    put_all(here, FILES)
    other = CAMPAIGN.replace("Uni D", "Uni Z").replace("Small", "Large")
    wanted = []
    for text in (CAMPAIGN, other):
        put_all(here, {"campaign.toml": text})
        ave("campaign", "campaign.toml", code=0)
        wanted.append(files_of(here / "results"))
    for number in range(ROUNDS):
        put_all(here, {"campaign.toml": CAMPAIGN})
        first = Going(here, "campaign campaign.toml", slow_at_changes(here))
        time.sleep(0.02 * (number % 6))
        (here / "new.toml").write_text(other)
        (here / "new.toml").replace(here / "campaign.toml")
        second = Going(here, "campaign campaign.toml", slow_at_changes(here))
        assert [first.end().code, second.end().code] == [0, 0]
        assert files_of(here / "results") in wanted


READERS = [
    f"score {RUNS}", "check other.txt --collection gold.xml", "campaign campaign.toml",
    "score gold.xml packed.txt.xz", "score gold.xml packed.csv.gz",
    "score gold.xml packed.parquet", "convert gold.xml --to csv", "fix bad.txt --in-place",
    "build judged.tsv --questions questions.tsv", f"compare {RUNS} --resamples 100",
    "decide scores.tsv",
]  # fmt: skip
NUMBERS = range(1, 16) if THOROUGH else (2,)
"""Which file that is opened changes."""


@pytest.fixture
def read_folder(words: str, here: Path) -> Path:
    """Work in a folder with files that a command reads, after it has read them once."""
    put_all(here, FILES)
    for suffix in ("txt.xz", "csv.gz", "parquet") if "packed" in words else ():
        ave("convert", "good.txt", "-o", f"packed.{suffix}", code=0)
    before = files_of(here)
    ave(*shlex.split(words), code=0)
    shutil.rmtree(here / "results", ignore_errors=True)
    put_all(here, before)
    return here


@some(READERS)
def test_a_file_may_change_while_it_is_read(words: str, read_folder: Path) -> None:
    """Whatever is read, a command ends with one of its exit codes, and without a traceback."""
    before = files_of(read_folder)
    for how in CHANGES:
        for number in NUMBERS:
            said = Going(read_folder, words, changed_at(read_folder, number, how)).end()
            assert said.code in (0, 1, 2), (how, number, said)
            assert said.code == 0 or said.err or said.out
            for path in read_folder.iterdir():
                shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()
            put_all(read_folder, before)


@pytest.mark.parametrize(
    "suffix", mostly_slow(["parquet", "txt.xz", "csv", "xml", "txt", "jsonl", "csv.gz"], 0)
)
def test_a_file_may_shrink_while_it_is_read(suffix: str, here: Path) -> None:
    """No file is mapped into memory, where reading beyond its new end would kill the process."""
    answers = [f"1 1_{number} REJECTED 0.{number}\n" for number in range(60_000)]
    questions = "".join(f'<a id="1_{at}" value="REJECTED"/>' for at in range(60_000))
    gold = f'<ave><q id="1">{questions}</q></ave>'
    put_all(here, {"run.txt": "".join(answers), "gold.xml": gold})
    words = "score gold.xml run.txt" if suffix == "xml" else f"check big.{suffix}"
    if suffix != "xml":
        ave("convert", "run.txt", "-o", f"big.{suffix}", code=0)
    before = files_of(here)
    for chunks in (1, 2, 3):
        said = Going(here, words, cut_after(chunks)).end()
        assert said.code in (0, 1, 2), said
        put_all(here, before)


GOLD, RUN_FOLDER = ROOT / "gold/ave2007-es.xml", ROOT / "sample_runs/ave2007-es"
WORK = [
    f"check {RUN_FOLDER} --collection {GOLD} -o out.txt",
    f"score {GOLD} {RUN_FOLDER} -o out.txt",
    f"report {GOLD} {RUN_FOLDER} -o out.html",
    f"campaign {ROOT / 'sample_runs/campaign.toml'} -o results",
]
LOCALES = [
    {"LC_ALL": "C"},
    {"LC_ALL": "POSIX"},
    {"LC_ALL": "tr_TR.UTF-8"},
    {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
    {"LC_ALL": "C", "PYTHONIOENCODING": "ascii"},
]


@pytest.fixture(scope="session")
def turkish(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the locale of Turkish, if it can be made."""
    folder = tmp_path_factory.mktemp("locales")
    with suppress(OSError):
        made = folder / "tr_TR.UTF-8"
        subprocess.run(
            ["localedef", "-i", "tr_TR", "-f", "UTF-8", made], check=False, capture_output=True
        )
    return folder


@pytest.mark.parametrize(
    "given", mostly_slow(LOCALES, 0), ids=lambda given: " ".join(given.values())
)
def test_results_do_not_depend_on_the_locale(
    given: Mapping[str, Any], turkish: Path, here: Path
) -> None:
    """Of I and i, Turkish has two each."""
    put_all(here, {"IDI/i.txt": RUN, "gold.xml": COLLECTION.replace("Ann", "Iıİi")})
    for words in ("report gold.xml IDI -o", "convert gold.xml --to csv -o"):
        wanted = ave(*words.split(), "wanted")
        assert process(*words.split(), "out", cwd=here, LOCPATH=str(turkish), **given) == wanted
        assert (here / "out").read_bytes() == (here / "wanted").read_bytes()


@some(["fix bad.txt", f"score {RUNS}", *WRITERS])
def test_nothing_may_be_written(words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a home, a folder for temporary files, and rights in the working folder."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        monkeypatch.chdir(folder)
        put_all(folder, FILES)
        ave(*shlex.split(words))  # this imports all modules, which the other user may not read
        for path in folder.iterdir():
            shutil.rmtree(path) if path.is_dir() else path.unlink()
        put_all(folder, FILES)
        before = files_of(folder)
        for path in (folder, *folder.rglob("*/")):
            path.chmod(0o555)
        said = Going(folder, words, without_rights).end()
        assert files_of(folder) == before
        for path in (folder, *folder.rglob("*/")):
            path.chmod(0o755)
        if " -o " in words or words.startswith(("fix", "campaign")):
            assert said.code == 2
            assert "permission denied" in said.err
            assert said.err.count("\n") <= 2
        else:
            assert (said.code, said.err) == (0, "")


def limited(limit: str, words: str, folder: Path) -> Said:
    """Call a command with a limit of the shell."""
    shell = ["/bin/sh", "-c", f'ulimit {limit} && exec "$@"', "sh", *AVE_SCORE]
    return process(*shlex.split(words), command=shell, cwd=folder, timeout=300)


@some(WORK, quick=0, most=2)
def test_256_megabytes_of_addresses_are_enough(words: str, tmp_path: Path) -> None:
    """The largest collection of the project and its runs, and all of its campaigns."""
    said = limited("-v 262144", words, tmp_path)
    assert (said.code, said.err.count("Traceback")) == (0, 0), said.err


@pytest.mark.slow
@pytest.mark.parametrize("words", [*WORK[:2], f"compare {GOLD} {RUN_FOLDER}"])
def test_too_few_addresses_are_named_as_such(words: str, tmp_path: Path) -> None:
    """OpenBLAS says so itself and ends the process, or numpy crashes: no work of this program. Nor
    is the SystemError of Python, where a function found no memory even for its MemoryError."""
    for size in range(30_000, 200_000, 2_000 if THOROUGH else 40_000):
        said = limited(f"-v {size}", words, tmp_path)
        if said.code not in (0, -signal.SIGSEGV):
            of_python = "internal error: SystemError: " in said.err
            assert "memory" in said.err.lower() or of_python, (size, said.err)
            assert "Traceback" not in said.err, (size, said.err)
            assert "internal error" not in said.err or of_python, (size, said.err)


@pytest.mark.slow
def test_64_open_files_are_enough_for_300_runs(here: Path) -> None:
    put_all(here, {f"runs/r{number}.txt": RUN for number in range(300)})
    campaign = '[editions.e]\ncompare = "none"\n[editions.e.languages.l]\n'
    put_all(here, {"c.toml": f'{campaign}collection = "gold.xml"\nruns = "runs"\n'})
    for words in ("check runs --collection gold.xml", "score gold.xml runs", "campaign c.toml"):
        said = limited("-n 64", words, here)
        assert said.code == 0, said.err
