"""The command `ave-score fix`: what it writes and where, what it says, and how it ends. 0: nothing
is wrong any more; 1: something is left; 2: could not run."""

from __future__ import annotations

import gzip
import io
import lzma
import os
import re
import shutil
import signal
import stat
import sys
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests import slow
from tests.helpers_command import Call, assert_call, ave, calls, process, program, put_all
from tests.helpers_files import (
    COLLECTION,
    ROWS,
    RUN,
    broken,
    fixed_of,
    fuzzed,
    is_safe,
    put,
    with_line,
)

ESC = "\x1b"

posix = pytest.mark.skipif(os.name != "posix", reason="needs modes, links and devices")
needs_patch = pytest.mark.skipif(shutil.which("patch") is None, reason="no patch here")

SAFE = with_line(4, "2 2_2 Selected 0,7")
"""Two things wrong with one line, both of which can safely be mended; mended it is RUN."""

UNSAFE = with_line(4, "2 2_2 VALIDATED 0.7")
"""A question without a SELECTED answer; with --unsafe it is RUN."""

HOPELESS = with_line(4, "2 2_2 SELECTED high")


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in a folder with a collection and three runs, so that paths are short."""
    monkeypatch.chdir(tmp_path)
    put(tmp_path, COLLECTION, "gold.xml")
    for name, text in [("run", SAFE), ("unsafe", UNSAFE), ("hopeless", HOPELESS), ("sound", RUN)]:
        put(tmp_path, text, f"{name}.txt")
    return tmp_path


fix = partial(ave, "fix")


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


GOLD = "--collection gold.xml"
JUDGED = "q_id\trun\tjudgement\n1\tqa\tR\n"
HALF = with_line(4, "2 2_2 Selected high")
CRAMPED = b"1 1_1 Selected 0.5\n"
FIXED = {"run.fixed.txt": RUN}
KEY = "".join(f"{row.rpartition(' ')[0]}\n".replace("SELECTED", "VALIDATED") for row in ROWS)
NO_FIX = "is already the copy of x.txt; choose another file with"


@calls([
    Call(f"run.txt {GOLD}", 0, (
        "run.txt:4 AVE103 safe fix: Selected -> SELECTED\n"
        "run.txt:4 AVE107 safe fix: 0,7 -> 0.7\n"
        "run.txt: 2 changes, no findings left; written to run.fixed.txt\n"
    ), writes=FIXED),
    # without a collection
    Call("run.txt", 0, "not checked: unknown and missing answers", writes=FIXED),
    # the copy is named for the run
    *(
        Call(f"{GOLD} -- '{name}'", 0, f"written to {copy}", puts={name: data}, writes={copy: RUN})
        for name, copy, data in (
            ("sub/run.txt", "sub/run.fixed.txt", SAFE),
            ("run", "run.fixed.txt", SAFE),
            ("team_2.0", "team_2.0.fixed.txt", SAFE),
            ("a.b.tsv", "a.b.fixed.txt", SAFE),
            ("-run.txt", "-run.fixed.txt", SAFE),
            ("Läufe 1.txt", "Läufe 1.fixed.txt", SAFE),
            ("packed.txt.gz", "packed.fixed.txt", gzip.compress(SAFE.encode())),
            ("packed.xz", "packed.fixed.txt", lzma.compress(SAFE.encode())),
        )
    ),
    # nothing is written if nothing is fixed
    Call(f"sound.txt {GOLD}", 0, "sound.txt: 0 changes, no findings left; nothing written\n"),
    Call(f"hopeless.txt {GOLD} --in-place", 1, "hopeless.txt:4:16 AVE105"),
    # the file that --output names is written even if it exists, or if nothing is fixed
    Call("run.txt --output new.txt", 0, "new.txt", puts={"new.txt": "old"},
         writes={"new.txt": RUN}),
    Call("sound.txt -o same.txt", 0, "same.txt", writes={"same.txt": RUN}),
    Call("run.txt --output -", 0, "written to stdout", RUN),
    # but not what cannot be read as a run at all, with whatever marks
    *(
        Call(words, 1, ": 0 changes, 1 error left; nothing written\n", puts={"x": data})
        for words in ("x", "x -o new.txt", "x -o -", "x --in-place", "x --unsafe -o new.txt")
        for data in (
            b"\xef\xbb\xbfPK\x03\x04 1_1 SELECTED 0.5\n",
            b"PK\x03\x04 1_1 SELECTED 0.5\n",
            b"\x00\x01\x02 1_1 SELECTED 0.5\n",
            "\ufeffPK\x03\x04 1_1 SELECTED 0.5\n".encode("utf-16-be"),
            "\ufeff%PDF-1.4\n".encode("utf-16-be"),
        )
    ),
    Call("x" * 250, 2, "name too long", puts={"x" * 250: SAFE}),
    Call(f"run.txt --in-place {GOLD}", 0, "original saved as run.txt.bak",
         writes={"run.txt": RUN, "run.txt.bak": SAFE}),
    # the backup of a call that was killed just before it replaced the run
    Call("run.txt --in-place", 0, "original saved as run.txt.bak", puts={"run.txt.bak": SAFE},
         writes={"run.txt": RUN}),
    # a key is not fixed as a run without confidences
    Call(f"key.txt {GOLD} --unsafe --in-place", 1, "key.txt:1:16 AVE101", puts={"key.txt": KEY}),
    # unsafe fixes are offered, and made when asked for
    Call(f"unsafe.txt {GOLD}", 1, (
        "unsafe.txt:3:7 AVE302",
        "unsafe.txt: 0 changes, 1 error left (1 fixable with --unsafe); nothing written\n",
    )),
    Call(f"unsafe.txt {GOLD} --unsafe", 0, "unsafe.txt:4 AVE302 unsafe fix: VALIDATED -> SELECTED",
         writes={"unsafe.fixed.txt": RUN}),
    # what remains is listed; a warning alone is no error
    Call(f"half.txt {GOLD}", 1, (
        "half.fixed.txt:4:16 AVE105 confidence is 'high'",
        "1 change, 1 error left; written to half.fixed.txt",
    ), puts={"half.txt": HALF}, writes={"half.fixed.txt": with_line(4, "2 2_2 SELECTED high")}),
    Call(f"wide.txt {GOLD} --select AVE1", 0, ("AVE108 warning", "1 warning left"),
         puts={"wide.txt": with_line(4, "2 2_2 Selected 70")},
         writes={"wide.fixed.txt": with_line(4, "2 2_2 SELECTED 70")}),
    # there is no diff of what is not changed
    Call("sound.txt --diff", 0, "nothing written"),
    Call("hopeless.txt --diff", 1, "nothing written"),
    # of many runs, those with nothing to say are not named
    Call(f"run.txt sound.txt unsafe.txt {GOLD}", 1, (
        "written to run.fixed.txt\nunsafe.txt:3:7 AVE302",
        "unsafe.txt: 0 changes, 1 error left (1 fixable with --unsafe); nothing written\n",
        "\n3 files: 1 fixed, 2 unchanged\n",
    ), writes=FIXED),
    # two runs with the same copy
    Call("x.txt x.txt.gz", 2, (
        f"ave-score: x.fixed.txt: {NO_FIX}", "\n2 files: 1 fixed, 1 could not be fixed\n",
    ), puts={"x.txt": CRAMPED, "x.txt.gz": gzip.compress(CRAMPED.replace(b"5", b"7"))},
        writes={"x.fixed.txt": "1 1_1 SELECTED 0.5\n"}),
    # what cannot be fixed leaves the others
    Call(f"missing.txt gold.xml unsafe.txt run.txt {GOLD} --unsafe", 2, (
        "ave-score: missing.txt: no such file", "ave-score: gold.xml: looks like",
        "ave-score: unsafe.fixed.txt: already", "\n4 files: 3 could not be fixed, 1 fixed\n",
    ), puts={"unsafe.fixed.txt": "mine"}, writes=FIXED),
    # of confidences alone, on which a threshold decides
    *[
        Call(f"bare.{end}", 0, (
            f"AVE107 safe fix: {was} -> 0.9\n", "not checked: verdicts, of which there are none",
        ), puts={f"bare.{end}": text}, writes={f"bare.fixed.{end}": text.replace("0,9", "0.9")})
        for end, was, text in (
            ("txt", "0,9", "1 1_1 0,9\n1 1_2 0,9\n"),
            ("csv", '"0,9"', 'q_id,a_id,confidence\n1,1_1,"0,9"\n1,1_2,0.3\n'),
        )
    ],
    # rows of several lines are not changed
    Call("run.csv --unsafe", 1, "nothing written", puts={"run.csv":
         'q_id,a_id,verdict,confidence,x\n1,1_1,Selected,0.5,"a\nb"\n1,1_1,SELECTED,0.5,"a\nb"\n'}),
])  # fmt: skip
def test_a_call_writes_and_says(here: Path, call: Call) -> None:
    assert_call(here, call, "fix")


def test_json_lines_are_fixed_alike_in_every_encoding(tmp_path: Path) -> None:
    """An object is a row, also where a quote that is never closed follows."""
    repeated = '{"pair_id": "2", "verdict": "YES", "confidence": 0.5}\n'
    text = f'{{"pair_id": "", "": 5}}\n{repeated}{repeated}"\n'
    fixed = [fixed_of(tmp_path, text.encode(e)).text for e in ("utf-8", "utf-8-sig", "utf-16")]
    assert fixed == [text.replace(repeated * 2, repeated)] * 3


@posix
@pytest.mark.parametrize("kind", ["file", "folder", "link to nothing"])
def test_nothing_is_written_over(here: Path, kind: str) -> None:
    beside = here / "run.fixed.txt"
    if kind == "file":
        beside.write_text("mine")
    elif kind == "folder":
        beside.mkdir()
    else:
        beside.symlink_to("nowhere.txt")
    before = sorted(here.iterdir())
    code, out, err = fix("run.txt")
    assert (code, out) == (2, "")
    assert "run.fixed.txt: already exists" in err
    assert "--output" in err
    assert sorted(here.iterdir()) == before
    assert kind != "file" or beside.read_text() == "mine"


def test_standard_input_goes_to_standard_output(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for data in (SAFE.encode(), gzip.compress(SAFE.encode()), RUN.encode()):
        before = contents(here)
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
        code, out, err = fix("-", "--collection", "gold.xml")
        assert (code, out) == (0, RUN)
        assert err.splitlines()[-1].endswith("no findings left; written to stdout")
        assert contents(here) == before


def test_bytes_reach_a_pipe_as_they_are(here: Path) -> None:
    data = b"# \xff\xe9 \xc3\n" + SAFE.encode().replace(b"1 1_1", b"1\t1_1")
    done = process("fix", "-", stdin=data)
    assert done.code == 1  # the comment is not UTF-8, and stays so
    expected = b"# \xff\xe9 \xc3\n" + RUN.encode().replace(b"1 1_1", b"1\t1_1")
    assert os.fsencode(done.out) == expected
    assert "stdin:1:3 AVE110" in done.err


@posix
def test_no_backup_is_written_over(here: Path) -> None:
    put(here, "mine", "run.txt.bak")
    (here / "run.txt.bak1").mkdir()
    (here / "run.txt.bak2").symlink_to("nowhere")
    assert fix("run.txt", "--in-place")[0] == 0
    assert (here / "run.txt.bak").read_text() == "mine"
    assert (here / "run.txt.bak3").read_bytes() == SAFE.encode()
    assert not (here / "nowhere").exists()


@posix
@pytest.mark.parametrize("mode", [0o600, 0o664, 0o755, 0o440])
def test_in_place_keeps_the_mode(here: Path, mode: int) -> None:
    (here / "run.txt").chmod(mode)
    assert fix("run.txt", "--in-place")[0] == 0
    for name in ("run.txt", "run.txt.bak"):
        assert stat.S_IMODE((here / name).stat().st_mode) == mode


@pytest.mark.parametrize("packing", [gzip, lzma], ids=["gzip", "xz"])
def test_in_place_keeps_the_compression(here: Path, packing: Any) -> None:  # noqa: ANN401
    packed = packing.compress(SAFE.encode())
    put(here, packed, "packed.txt")
    assert fix("packed.txt", "--in-place")[0] == 0
    assert packing.decompress((here / "packed.txt").read_bytes()) == RUN.encode()
    assert (here / "packed.txt.bak").read_bytes() == packed


@posix
def test_in_place_works_through_a_link(here: Path) -> None:
    (here / "sub").mkdir()
    put(here, SAFE, "sub/real.txt")
    (here / "link.txt").symlink_to("sub/real.txt")
    assert fix("link.txt", "--in-place")[0] == 0
    assert (here / "link.txt").is_symlink()
    assert (here / "sub" / "real.txt").read_bytes() == RUN.encode()
    assert (here / "link.txt.bak").read_bytes() == SAFE.encode()
    assert not (here / "link.txt.bak").is_symlink()


def test_in_place_twice_leaves_the_first_backup(here: Path) -> None:
    fix("run.txt", "--in-place")
    fix("run.txt", "--in-place")
    assert sorted(path.name for path in here.glob("run.txt*")) == ["run.txt", "run.txt.bak"]


_WITH_LIMIT = """
import resource, signal, sys
from ave_score.commands import run
size, is_killed, *arguments = sys.argv[1:]
if is_killed == "True":
    signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
resource.setrlimit(resource.RLIMIT_FSIZE, (int(size), int(size)))
sys.exit(run(arguments))
"""
"""`ave-score` with a limit for the size of files; beyond it a write fails, or ends the process."""


@posix
@pytest.mark.parametrize("is_killed", [False, True])
@pytest.mark.parametrize("size", [slow(100), 20_000])
def test_in_place_leaves_no_part_of_a_backup(here: Path, size: int, is_killed: bool) -> None:
    """The run has 30,000 bytes in UTF-16, and half of that in UTF-8, in which it is written. So the
    first limit ends the fixed run, and the second its backup."""
    run_before = (RUN + "#" * (15_000 - len(RUN))).encode("utf-16-le")
    put(here, b"\xff\xfe" + run_before, "run.txt")
    before = contents(here)
    arguments = [str(size), str(is_killed), "fix", "run.txt", "--in-place"]
    done = process(*arguments, command=program(_WITH_LIMIT))
    if is_killed:
        assert done.code == -signal.SIGXFSZ
        now = {name: data for name, data in contents(here).items() if not name.startswith(".")}
    else:
        assert done.code == 2
        assert "cannot be written: file too large" in done.err
        now = contents(here)
    assert now == before


@posix
def test_a_link_to_the_run_is_no_backup(here: Path) -> None:
    (here / "run.txt.bak").symlink_to("run.txt")
    assert fix("run.txt", "--in-place")[0] == 0
    assert (here / "run.txt.bak1").read_text() == SAFE


@posix
def test_in_place_keeps_the_times_of_the_original(here: Path) -> None:
    os.utime(here / "run.txt", (1_000_000_000, 1_000_000_000))
    fix("run.txt", "--in-place")
    assert (here / "run.txt.bak").stat().st_mtime == 1_000_000_000


@posix
def test_a_pipe_is_not_fixed_in_place(here: Path) -> None:
    os.mkfifo(here / "pipe")
    with ThreadPoolExecutor() as pool:
        written = pool.submit((here / "pipe").write_text, SAFE)
        code, _, err = fix("pipe", "--in-place")
        assert written.result()
    assert code == 2
    assert "pipe: is no regular file, and cannot be fixed in place" in err
    assert not (here / "pipe.bak").exists()


@calls(
    Call(words, 2, message)
    for words, message in (
        ("missing.txt", "missing.txt: no such file"),
        ("folder", "folder: is a folder without files to read"),
        ("cut.gz", "cut.gz: cannot be decompressed"),
        ("", "RUN"),
        ("run.txt sound.txt -o x", "--output is for a single run, and there are 2"),
        (". -o x", "--output is for a single run"),
        ("run.txt --in-place --diff", "mutually exclusive"),
        ("run.txt --in-place -o x", "mutually exclusive"),
        ("run.txt --diff -o x", "mutually exclusive"),
        ("run.txt -o run.txt", "is also an input file"),
        ("run.txt -o ./run.txt", "is also an input file"),
        (f"run.txt {GOLD} -o gold.xml", "is also an input file"),
        ("run.txt -o no/such/folder.txt", "folder.txt: cannot be written"),
        ("run.txt --collection missing.xml", "missing.xml: no such file"),
        ("run.txt --collection sound.txt", "sound.txt"),
        ("run.txt --collection broken.xml", "broken.xml"),
        ("- --in-place", "standard input cannot be fixed in place"),
        ("- --collection -", "only once"),
        ("run.txt --nonsense", "--nonsense"),
        ("gold.xml", "gold.xml: looks like a file of kind collection; only runs can be fixed"),
        ("judged.tsv", "judged.tsv: looks like a file of kind judged; only runs can be fixed"),
        ("teams.tsv", "teams.tsv: looks like a file of kind teams; only runs can be fixed"),
        ("mac.toml", "mac.toml: looks like a file of kind campaign; only runs can be fixed"),
        (f"gold.xml {GOLD}", "only runs can be fixed"),
        # the only run of a folder is not written over, nor another one of it
        ("runs -o runs/a.txt", "ave-score: --output is for a single run, and there are 2\n"),
        ("single -o single/a.txt", ""),
    )
)
def test_impossible_requests_exit_with_2_and_write_nothing(here: Path, call: Call) -> None:
    put(here, b"\x1f\x8b\x08", "cut.gz")
    put(here, "<c>\n<q>\n</c>\n", "broken.xml")
    put(here, JUDGED, "judged.tsv")
    put(here, "\r[editions.2008]\r", "mac.toml")  # fixed line ends would make it one
    put(here, "run\tteam\nrun\tUNED\n", "teams.tsv")
    put_all(here, {"folder/of/x": "", "single/a.txt": CRAMPED})
    put_all(here, {f"runs/{name}": CRAMPED for name in ("a.txt", "b.txt")})
    assert_call(here, call, "fix")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
def test_a_full_disk_is_reported(here: Path) -> None:
    code, _, err = fix("run.txt", "--output", "/dev/full")
    assert code == 2
    assert "/dev/full: cannot be written: no space left" in err


def test_every_unsafe_change_names_the_line_as_it_was(here: Path) -> None:
    """Lines that went before it do not count it down, and none is left out of the list."""
    repeated = "3 3_1 REJECTED 0.1\n" * 100
    conflicts = "".join(f"1 1_1 SELECTED 0.8{n:02}\n" for n in range(80))
    put(here, repeated + RUN + conflicts, "many.txt")
    code, _, err = fix("many.txt", "--collection", "gold.xml", "--unsafe")
    assert code == 0
    unsafe = [line for line in err.splitlines() if "AVE206 unsafe fix" in line]
    # 100 repeated lines and the 5 of the run go before them
    assert [int(line.split(":")[1].split()[0]) for line in unsafe] == [*range(106, 186)]
    safe = [line for line in err.splitlines() if "AVE205 safe fix" in line]
    assert len(safe) == 100  # 99 behind the first, and the one of the run: no line goes in silence
    assert err.splitlines()[-1].startswith("many.txt: 180 changes, no findings left")


def test_changes_of_a_rule_are_listed_in_file_order(here: Path) -> None:
    rows = [f"{n} a rejected 0,5\n" for n in range(80)]
    put(here, "".join(rows), "many.txt")
    _, _, err = fix("many.txt")
    for code in ("AVE103", "AVE107"):
        printed = [line for line in err.splitlines() if f" {code} safe fix" in line]
        assert [int(line.split(":")[1].split()[0]) for line in printed] == [1, 2, 3]
        assert printed[-1].endswith("(and 77 more: lines 4-80)")


def test_unsafe_changes_of_a_rule_do_not_use_up_the_room_of_safe_ones(here: Path) -> None:
    """A comma before three digits may separate thousands, any other is decimal: one rule for both.
    All 60 unsafe changes are listed, then 3 of the 60 safe ones; the last says how many are
    left."""
    unsafe = "".join(f"1 {number} REJECTED 1,234\n" for number in range(60))
    put(here, unsafe + unsafe.replace("1 ", "2 ").replace("1,234", "0,5"), "commas.txt")
    err = fix("commas.txt", "--unsafe")[2]
    listed = [line for line in err.splitlines() if " AVE107 " in line]
    assert [" unsafe fix: " in line for line in listed] == [True] * 60 + [False] * 3
    more = [line.endswith("(and 57 more: lines 64-120)") for line in listed]
    assert more == [False] * 62 + [True]


def test_what_is_deleted_of_invisible_characters_is_unsafe_and_all_listed(here: Path) -> None:
    comments = "".join(f"# {n}\u200b\n" for n in range(70))
    put(here, comments + RUN, "odd.txt")
    code, _, err = fix("odd.txt")
    assert code == 1
    assert "70 fixable with --unsafe" in err
    code, _, err = fix("odd.txt", "--unsafe")
    assert code == 0
    assert len([line for line in err.splitlines() if "AVE113 unsafe fix" in line]) == 70


@pytest.mark.parametrize("unsafe", [[], ["--unsafe"]])
def test_labels_do_not_leak(here: Path, unsafe: list[str]) -> None:
    """Labels as they are, all the other way round, none: the mended run is the same."""
    turned = {"VALIDATED": "REJECTED", "REJECTED": "UNKNOWN", "UNKNOWN": "VALIDATED"}
    labelled = [
        COLLECTION,
        re.sub(r'value="(\w+)"', lambda match: f'value="{turned[match[1]]}"', COLLECTION),
        re.sub(r' value="\w+"', "", COLLECTION),
    ]
    assert len({*labelled}) == 3
    put(here, "1 1_2 VALIDATED 0.5\n1 1_1 VALIDATED 0.5\n2 2_1 SELECTED 0.1\n", "short.txt")
    outputs = set()
    for gold in labelled:
        put(here, gold, "gold.xml")
        outputs.add(fix("short.txt", "--collection", "gold.xml", "-o", "-", *unsafe))
    ((code, out, _),) = outputs
    if unsafe:
        assert (code, out) == (
            0,
            "1 1_2 SELECTED 0.5\n1 1_1 VALIDATED 0.5\n2 2_1 SELECTED 0.1\n"
            "2 2_2 REJECTED 0\n3 3_1 REJECTED 0\n",
        )


def test_the_diff_is_shown_and_nothing_is_written(here: Path) -> None:
    before = contents(here)
    code, out, err = fix("run.txt", "--diff")
    assert code == 0
    assert contents(here) == before
    assert out.splitlines() == [
        "--- run.txt",
        "+++ run.txt (fixed)",
        "@@ -1,5 +1,5 @@",
        *(f" {row}" for row in ROWS[:3]),
        "-2 2_2 Selected 0,7",
        "+2 2_2 SELECTED 0.7",
        f" {ROWS[4]}",
    ]
    assert err.splitlines()[-1].endswith("; nothing written")


PATCHED = [
    SAFE,
    SAFE.replace(" ", "\t"),
    SAFE.removesuffix("\n"),
    with_line(5, "3 3_1 Rejected 0.1").removesuffix("\n"),
    RUN + ROWS[4],
    RUN.replace(f"{ROWS[4]}\n", "").removesuffix("\n"),
    RUN.replace(f"{ROWS[4]}\n", ""),
    "question answer\n" + RUN,
    "".join(f"# {n}\n" for n in range(30)) + SAFE + "\n" * 30 + ROWS[0] + "\n",
    "# Größe 😀\n" + SAFE + ROWS[0] + "\n# end",
    ROWS[0] + "\n" + RUN,
    f"-- {ROWS[0]}\n++ x\n" + SAFE,
]


@needs_patch
@pytest.mark.parametrize("text", PATCHED, ids=range(len(PATCHED)))
def test_patch_applies_the_diff(here: Path, text: str) -> None:
    """Without guessing: no fuzz, no offset."""
    put(here, text, "text.txt")
    options = ["--collection", "gold.xml", "--unsafe"]
    fix("text.txt", *options)
    _, diff, _ = fix("text.txt", *options, "--diff")
    patch = ["patch", "--fuzz=0", "text.txt", "-o", "patched.txt"]
    done = process(command=patch, stdin=diff)
    assert done.code == 0, (done.out, diff)
    assert "offset" not in done.out
    assert (here / "patched.txt").read_bytes() == (here / "text.fixed.txt").read_bytes()


@fuzzed
@given(broken(SAFE), st.booleans())
def test_no_diff_lets_through_what_a_terminal_or_a_log_would_obey(
    here: Path, data: bytes, unsafe: bool
) -> None:
    line = b"::error::x ##[team]y \x1b[2J\n"
    put(here, line + data + line)
    for shown in fix("run.txt", "--diff", *["--unsafe"][:unsafe])[1].split("\n"):
        assert is_safe(shown.replace("\t", " ")), ascii(shown)
        assert not shown[1:].lstrip().startswith("::"), ascii(shown)
        assert "##[" not in shown


@fuzzed
@given(broken(RUN), st.booleans())
def test_any_file_is_fixed_or_refused(here: Path, data: bytes, unsafe: bool) -> None:
    put(here, data, "any.txt")
    options = ["--collection", "gold.xml", *(["--unsafe"] if unsafe else [])]
    code, out, err = fix("any.txt", "--output", "mended.txt", *options)
    assert out == ""
    if code == 2:
        assert err
        return
    once = (here / "mended.txt").read_bytes()
    assert (once == data) == ("any.txt: 0 changes" in err)
    assert ave("check", "mended.txt", "--kind", "run", *options[:2])[0] == code
    assert fix("mended.txt", "--output", "again.txt", *options)[0] in {code, 2}
    if b"\0" not in once:
        assert (here / "again.txt").read_bytes() == once
    assert (here / "any.txt").read_bytes() == data


def test_an_earlier_copy_is_replaced(here: Path) -> None:
    put(here, with_line(4, "2 2_2 Validated 0.7"), "run.txt")
    assert fix("run.txt", "--collection", "gold.xml")[0] == 1
    assert (here / "run.fixed.txt").read_text() == UNSAFE
    assert fix("run.txt", "--collection", "gold.xml", "--unsafe")[0] == 0
    assert (here / "run.fixed.txt").read_text() == RUN
    put(here, with_line(4, "2 2_2 Selected 0.6"), "run.txt")
    assert fix("./run.txt")[0] == 0
    assert (here / "run.fixed.txt").read_text() == with_line(4, "2 2_2 SELECTED 0.6")


@posix
@pytest.mark.parametrize("change", ["edited", "copied", "linked", "forgotten", "record is gone"])
def test_any_other_file_is_not_replaced(
    here: Path, monkeypatch: pytest.MonkeyPatch, change: str
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(here / "cache"))
    put(here, SAFE, "other.txt")
    assert fix("run.txt", "other.txt")[0] == 0
    copy = here / "run.fixed.txt"
    if change == "edited":
        copy.write_text(RUN + "\n")
    elif change == "copied":  # as it is, from somewhere else
        put(here, SAFE, "third.txt")
        copy = copy.rename(here / "third.fixed.txt")
    elif change == "linked":
        copy.rename(here / "moved.txt")
        copy.symlink_to("moved.txt")
    elif change == "forgotten":
        (here / "cache" / "ave-score" / "fixed-copies").write_text("x\n" * 9)
    else:
        shutil.rmtree(here / "cache")
    before = contents(here)
    code, out, err = fix("third.txt" if change == "copied" else "run.txt")
    assert (code, out) == (2, "")
    assert f"{copy.name}: already exists, and is not an unchanged copy that fix wrote" in err
    assert contents(here) == before


@posix
def test_without_a_cache_folder_runs_are_fixed(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", "/dev/null")
    code, _, err = fix("run.txt")
    assert code == 0
    assert "written to run.fixed.txt" in err
    code, _, err = fix("run.txt")
    assert code == 2
    assert "already exists" in err


def test_a_damaged_record_of_copies_is_mended(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(here))
    (here / "ave-score").mkdir()
    (here / "ave-score" / "fixed-copies").write_bytes(b"\xff\0\n" * (1 << 19))
    for _ in range(2):  # the copy is remembered
        assert fix("run.txt")[0] == 0


def test_the_record_of_copies_does_not_grow_forever(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(here))
    (here / "ave-score").mkdir()
    record = put(here / "ave-score", f"{'0' * 64}\n" * 20_000, "fixed-copies")
    assert fix("run.txt")[0] == 0
    assert len(record.read_text().splitlines()) == 10_001
    assert fix("run.txt")[0] == 0  # the copy is known as its own, and replaced


def test_a_folder_stands_for_its_runs(here: Path) -> None:
    put(here, "q_id\trun\tjudgement\n1\tqa\tR\n", "judged.tsv")
    before = contents(here)
    code, out, err = fix(".", "--collection", "gold.xml", "--unsafe")
    assert (code, out) == (1, "")  # hopeless.txt
    fixed = {f"{name}.fixed.txt": RUN.encode() for name in ("run", "unsafe")}
    assert contents(here) == before | fixed
    assert err.splitlines()[-1] == "5 files: 2 unchanged, 1 of another kind, 2 fixed"
    # and again: the copies are not fixed, but written anew
    skipped = "ave-score: 2 files that fix wrote (run.fixed.txt, unsafe.fixed.txt) not fixed\n"
    assert fix(".", "--collection", "gold.xml", "--unsafe") == (code, out, err + skipped)
    assert contents(here) == before | fixed


TABLES = {
    "run.csv": (
        'q_id,a_id,verdict,confidence\n1,1_1,validated,0.5\n1,1_2,VALIDATED,"0,6"\n'
        '1,"1_3","REJECTED",0.1\n1,1_3,"REJECTED",0.1\n2,2_1,SELECTED,0.3\n2,2_2,SELECTED,0.4\n',
        'q_id,a_id,verdict,confidence\n1,1_1,VALIDATED,0.5\n1,1_2,SELECTED,"0.6"\n'
        '1,"1_3","REJECTED",0.1\n2,2_1,VALIDATED,0.3\n2,2_2,SELECTED,0.4\n3,3_1,REJECTED,0\n',
    ),
    "run.jsonl": (
        '{"id": "1", "a_id": "1_1", "verdict": "validated", "confidence": 0.5, "note": "a}"}\n'
        '{"id": "1", "a_id": "1_2", "confidence": "0,6",  "verdict": "VALIDATED"}\n'
        '{"id": "1", "a_id": "1_3", "verdict": "REJECTED", "confidence": 0.1}\n'
        '{"id": "1", "a_id": "1_3", "verdict": "REJECTED", "confidence": 0.1}\n'
        '{"id": "2", "a_id": "2_1", "verdict": "SELECTED", "confidence": 0.3}\n'
        '{"id": "2", "a_id": "2_2", "verdict": "SELECTED", "confidence": 0.4}',
        '{"id": "1", "a_id": "1_1", "verdict": "VALIDATED", "confidence": 0.5, "note": "a}"}\n'
        '{"id": "1", "a_id": "1_2", "confidence": "0.6",  "verdict": "SELECTED"}\n'
        '{"id": "1", "a_id": "1_3", "verdict": "REJECTED", "confidence": 0.1}\n'
        '{"id": "2", "a_id": "2_1", "verdict": "VALIDATED", "confidence": 0.3}\n'
        '{"id": "2", "a_id": "2_2", "verdict": "SELECTED", "confidence": 0.4}\n'
        '{"id": "3", "a_id": "3_1", "verdict": "REJECTED", "confidence": 0}\n',
    ),
    "run.tsv": (
        "verdict\tq_id\tconfidence\ta_id\tx\nvalidated\t1\t0.5\t1_1\ty\nVALIDATED\t1\t0,6\t1_2\t\n"
        "REJECTED\t1\t0.1\t1_3\t\nREJECTED\t1\t0.1\t1_3\t\nSELECTED\t2\t0.3\t2_1\t\n"
        "SELECTED\t2\t0.4\t2_2\t\n",
        "verdict\tq_id\tconfidence\ta_id\tx\nVALIDATED\t1\t0.5\t1_1\ty\nSELECTED\t1\t0.6\t1_2\t\n"
        "REJECTED\t1\t0.1\t1_3\t\nVALIDATED\t2\t0.3\t2_1\t\n"
        "SELECTED\t2\t0.4\t2_2\t\nREJECTED\t3\t0\t3_1\t\n",
    ),
}
"""Runs in other notations, before and after all fixes."""


@pytest.mark.parametrize("name", TABLES)
def test_tables_are_fixed_without_touching_anything_else(here: Path, name: str) -> None:
    before, after = TABLES[name]
    copy = "run.fixed" + Path(name).suffix
    put(here, before, name)
    xml = '<c><q id="1"><a id="1_1"/><a id="1_2"/><a id="1_3"/></q>'
    xml += '<q id="2"><a id="2_1"/><a id="2_2"/></q><q id="3"><a id="3_1"/></q></c>'
    put(here, xml, "six.xml")
    options = ["--collection", "six.xml"]
    options += ["--columns", "q_id=id"] if name == "run.jsonl" else []
    code, _, err = fix(name, *options, "--unsafe")
    assert code == 0, err
    assert (here / copy).read_text() == after
    assert ave("check", copy, *options)[0] == 0
    assert f"{copy}: 0 changes" in fix(copy, *options, "--unsafe")[2]


def test_what_a_word_means_is_passed_on_to_fix(here: Path) -> None:
    put(here, "q_id,a_id,label,p\n1,1_1,true,0.5\n2,2_1,false,0.2\n", "run.csv")
    options = [
        "--columns", "verdict=label,confidence=p", "--values", "true=VALIDATED,false=REJECTED",
    ]  # fmt: skip
    _, out, _ = ave("check", "run.csv", *options, "-f", "concise")
    assert f"to fix 1: ave-score fix --unsafe {' '.join(options)} run.csv" in out
    assert fix("run.csv", "--unsafe", *options)[0] == 0
    fixed = "q_id,a_id,label,p\n1,1_1,SELECTED,0.5\n2,2_1,false,0.2\n"
    assert (here / "run.fixed.csv").read_text() == fixed


def test_a_parquet_file_is_fixed_as_json_lines(here: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    table = pytest.importorskip("pyarrow").table(
        {"q_id": ["1", "2"], "a_id": ["1_1", "2_1"], "verdict": ["SELECTED", "Rejected"],
         "confidence": [0.5, 0.4]}
    )  # fmt: skip
    parquet.write_table(table, here / "run.parquet")
    before = contents(here)
    code, _, err = fix("run.parquet", "--in-place")
    assert code == 2
    assert "is a Parquet file, which cannot be fixed in place" in err
    assert contents(here) == before
    assert fix("run.parquet")[0] == 0
    assert (here / "run.fixed.jsonl").read_text() == (
        '{"q_id": "1", "a_id": "1_1", "verdict": "SELECTED", "confidence": 0.5}\n'
        '{"q_id": "2", "a_id": "2_1", "verdict": "REJECTED", "confidence": 0.4}\n'
    )
