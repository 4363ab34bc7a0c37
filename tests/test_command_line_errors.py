"""The command line when something is wrong: what is said, where, and with which exit code.

0: done; 1: a file has findings that forbid scoring; 2: could not run; 130: interrupted; 141: the
reader of the output went away.
"""

from __future__ import annotations

import csv
import io
import json
import os
import stat
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import pytest

from tests import each, helpers_command, mostly_slow, slow
from tests.helpers_command import (
    Call,
    Said,
    assert_call,
    ave,
    calls,
    first_line_of,
    here_with,
    put_all,
)
from tests.helpers_files import COLLECTION, ROWS, RUN, is_safe, put, with_line

FORMATS = ["table", "markdown", "latex", "csv", "json"]
ESC = "\x1b"
SCRIPT = str(Path(__file__).with_name("console_script.py"))
AVE_SCORE = [sys.executable, SCRIPT]
JUDGED = "q_id\trun\tjudgement\n1\tqa\tR\n2\tqa\tW\n3\tqa\tW\n"

posix = pytest.mark.skipif(os.name != "posix", reason="needs pipes, signals and devices")
needs_full_disk = pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")


here = here_with(
    {"gold.xml": COLLECTION, "good.txt": RUN, "better.txt": with_line(3, "2 2_1 REJECTED 0.3")}
)


def lines_with(text: str, word: str) -> list[str]:
    return [line for line in text.splitlines() if word in line]


BAD = with_line(4, "2 2_2 Selected 0.7")
SHORT = RUN.replace(f"{ROWS[4]}\n", "")
NO = "1 1_1 NO 0.5\n"
PQ = "--per-question pq.csv"


@calls([
    Call("gold.xml good.txt better.txt", 0, out=("good", "better")),
    # a defective run among sound ones stops the scoring of all
    Call("gold.xml good.txt worse.txt short.txt better.txt --output out.txt " + PQ, 1, (
        "worse.txt:4:7 ", "\nworse.txt:4:16 ", "\nworse.txt:6:1 ", "\nshort.txt ",
        "nothing scored: 2 of 4 files have errors: worse.txt, short.txt (--keep-going",
    ), puts={"worse.txt": with_line(4, "2 2_2 Selected nan") + "9 9_1 REJECTED 0.1\n",
             "short.txt": SHORT, "out.txt": "old scores", "pq.csv": "old rows"}),
    Call("gold.xml good.txt n1 n2 n3 n4 n5", 1, (
        "nothing scored: 5 of 6 files have errors: n1, n2, n3 and 2 more (--keep-going",
    ), puts={f"n{at}": NO for at in range(1, 6)}),
    Call("gold.xml no.txt --keep-going -o out.txt", 1, "nothing left to score",
         puts={"no.txt": NO}),
    # missing answers are rejected where asked for
    Call("gold.xml short.txt", 1, "short.txt AVE204", puts={"short.txt": SHORT}),
    Call("gold.xml short.txt --missing rejected", 0, "short.txt AVE207 warning: ",
         "missing:rejected", puts={"short.txt": SHORT}),
    # unreadable and defective files are reported together
    Call("gold.xml missing.txt bad.txt good.txt", 2, (
        "bad.txt:4:7 AVE103", "missing.txt: no such file", "2 of 3 files have errors",
    ), puts={"bad.txt": BAD}),
    # so are those of teams, systems and runs
    Call("gold.xml good.txt bad.txt --qa qa.tsv --teams teams.tsv", 1, (
        "teams.tsv:1:7 AVE101", "qa.tsv:1:1 AVE501", "bad.txt:4:7 AVE103",
        "3 of 4 files have errors",
    ), puts={"bad.txt": BAD, "teams.tsv": "good A\n", "qa.tsv": "q_id\trun\n"}),
    # a defect of any input file has a position
    *(
        Call(words, 1, place, puts={
            "broken.xml": "<c>\n<q>\n</c>\n", "bad.key": "1 1_1\n",
            "bad.tsv": JUDGED.replace("R", "r"), "bad.teams": "run\tteam\ngood\n",
        })
        for words, place in (
            ("broken.xml good.txt", "broken.xml:3:"),
            ("gold.xml good.txt --key bad.key", "bad.key:1:6 AVE101"),
            ("gold.xml good.txt --qa bad.tsv", "bad.tsv:2:6 AVE503"),
            ("gold.xml good.txt --teams bad.teams", "bad.teams:2:5 AVE101"),
            ("good.txt gold.xml", "good.txt:1 AVE116"),
            ("gold.xml gold.xml", "gold.xml:1 AVE116"),
        )
    ),
    # all unknown measures are named at once, with what was meant
    Call("gold.xml good.txt --measures 'f1, precison, nonsense, f_beta(x), recal, f1(2)'", 2, (
        "precison", "nonsense", "f_beta(x)", "recal", "f1 takes no parameter",
        "did you mean precision?", "did you mean recall?",
    )),
])  # fmt: skip
def test_a_call_says_and_writes(here: Path, call: Call) -> None:
    assert_call(here, call, "score")


def test_help_is_shown_once_for_each_rule(here: Path) -> None:
    put(here, RUN.replace("0.", "0,"), "commas.txt")
    put(here, RUN.replace("0.", "0,"), "more.txt")
    _, _, err = ave("score", "gold.xml", "commas.txt", "more.txt")
    assert len(lines_with(err, ": AVE107") or lines_with(err, " AVE107 found")) == 6
    assert len(lines_with(err, "  AVE107 decimal-comma:")) == 1


def test_many_findings_of_a_rule_are_collapsed_with_their_number(here: Path) -> None:
    questions = "".join(f'<q id="{n}"><a id="1" value="REJECTED"/></q>' for n in range(2_000))
    put(here, f"<c>{questions}</c>", "big.xml")
    put(here, "".join(f"{n} 1 NO 0.5\n" for n in range(2_000)), "bad.txt")
    put(here, "".join(f"{n} 1 REJECTED 7\n" for n in range(2_000)), "wide.txt")
    err = ave("score", "big.xml", "bad.txt", "wide.txt", code=1).err
    errors = lines_with(err, "AVE104 found")
    assert len(errors) == 3 and errors[-1].endswith("(and 1,997 more: lines 4-1000, ...)")
    assert "AVE108" not in err


def test_keep_going_scores_the_sound_runs_and_exits_with_1(here: Path) -> None:
    put(here, with_line(4, "2 2_2 Selected 0.7"), "bad.txt")
    files = ["gold.xml", "good.txt", "bad.txt", "missing.txt", "better.txt"]
    _, out, err = ave(
        "score", *files, "--keep-going", "--format", "csv", "--per-question", "pq.csv", code=1
    )
    runs = [row["run"] for row in csv.DictReader(io.StringIO(out)) if row["kind"] == "AV"]
    assert runs == ["good", "better"]
    assert lines_with(err, "bad.txt:4:7 AVE103")
    assert lines_with(err, "missing.txt: no such file")
    with (here / "pq.csv").open(encoding="utf-8") as rows:
        assert {row["run"] for row in csv.DictReader(rows)} == {"good", "better"}


def test_warnings_are_reported_and_do_not_change_the_exit_code(here: Path) -> None:
    put(here, with_line(4, "2 2_2 SELECTED 7").replace("\n", "\r\n"), "odd.txt")
    _, out, err = ave("score", "gold.xml", "odd.txt", code=0)
    assert lines_with(out, "odd")
    assert [line.partition(" warning: ")[0] for line in err.splitlines()] == ["odd.txt AVE112"]


@calls(
    Call(words, 2, message)
    for words, message in (
        ("missing.xml good.txt", "missing.xml: no such file"),
        ("gold.xml good.txt missing.txt", "missing.txt: no such file"),
        ("gold.xml sub", "sub: is a folder without files to read"),
        ("gold.xml good.txt --key missing", "missing: no such file"),
        ("gold.xml good.txt --qa missing", "missing: no such file"),
        ("gold.xml good.txt --teams missing", "missing: no such file"),
        ("gold.xml cut.gz", "cut.gz: cannot be decompressed"),
        ("gold.xml", "no RUN given"),
        ("", "COLLECTION"),
        ("gold.xml good.txt --ci half", "not a valid float. It may be stderr, too."),
        ("gold.xml good.txt good.txt", "good.txt is given twice"),
        ("gold.xml good.txt ./good.txt", "good.txt is given twice"),
        ("gold.xml good.txt sub/../good.txt", "is given twice"),
        ("gold.xml - -", "can be read only once"),
        ("- -", "standard input (-) can be read only once"),
        ("gold.xml - --key -", "standard input (-) can be read only once"),
        ("gold.xml good.txt --qa - --teams -", "only once"),
        ("gold.xml good.txt --letters respublica", "did you mean respubliqa?"),
        ("gold.xml good.txt --measures ''", "measure"),
        ("gold.xml good.txt --missing ignore", "'ignore' is not one of"),
        ("gold.xml good.txt --unknown x", "'x' is not one of"),
        ("gold.xml good.txt --digits -1", "-1 is not in the range"),
        ("gold.xml good.txt -o x --per-question x", "name the same file"),
        ("gold.xml good.txt -o x --per-question ./x", "name the same file"),
        ("gold.xml good.txt --per-question -", "name the same file"),
        ("gold.xml good.txt --nonsense", "--nonsense"),
        # an empty file name is not taken as none, as in --qa "$SYSTEMS" with no such variable
        *((f"gold.xml good.txt {option} ''", "empty file name") for option in
          ("--key", "--qa", "--teams", "--per-question", "--output")),
    )
)  # fmt: skip
def test_impossible_requests_exit_with_2_and_write_nothing(here: Path, call: Call) -> None:
    put_all(here, {"sub/of/x": "", "cut.gz": b"\x1f\x8b\x08"})
    assert_call(here, call, "score")


def test_a_mistyped_option_is_reported_before_files_are_read(here: Path) -> None:
    for option in (["--measures", "nope"], ["--letters", "nope"]):
        err = ave("score", "missing.xml", "missing.txt", *option, code=2).err
        assert "nope" in err, option
        assert "no such file" not in err, option


@calls(Call(words, 2, words.split()[0]) for words in ("nonsense", "--nonsense", "scores gold.xml"))
def test_an_unknown_command_exits_with_2(here: Path, call: Call) -> None:
    assert_call(here, call)


def runs_of(out: str) -> list[str]:
    return [row["run"] for row in csv.DictReader(io.StringIO(out)) if row["kind"] == "AV"]


@pytest.mark.parametrize(("paths", "names"), [
    (["team1/run.txt", "team2/run.txt"], ["team1/run", "team2/run"]),
    (["team1/run.txt", "team2/run.txt", "good.txt"], ["team1/run", "team2/run", "good"]),
    (["team1/en/run.txt", "team2/en/run.txt"], ["team1/en/run", "team2/en/run"]),
    (["team1/run.txt", "team2/other.txt"], ["run", "other"]),
])  # fmt: skip
def test_files_of_the_same_name_are_distinguished_by_folder(
    here: Path, paths: list[str], names: list[str]
) -> None:
    for path in paths:
        (here / path).parent.mkdir(parents=True, exist_ok=True)
        put(here, RUN, path)
    out = ave("score", "gold.xml", *paths, "--format", "csv", code=0).out
    assert runs_of(out) == names


@pytest.mark.parametrize("paths", [["run.txt", "run.tsv"], ["run.1", "run.2"]])
def test_files_that_differ_only_in_suffix_keep_it(here: Path, paths: list[str]) -> None:
    for path in paths:
        put(here, RUN, path)
    out = ave("score", "gold.xml", *paths, str(here / "good.txt"), "-f", "csv", code=0).out
    assert len(set(runs_of(out))) == 3 and runs_of(out)[2] == "good"


HOSTILE = [
    f"{ESC}[31mred.txt", f"{ESC}]0;title\x07.txt", "\x9b31mred.txt", "[bold red]x[ red].txt",
    "two\nlines.txt", "cr\rback.txt", r"a|b&c_d$e#f%g{h}~i^j\\k*l`m<b>.txt", "\u202etxt.exe.txt",
]  # fmt: skip


@pytest.fixture
def hostile(here: Path) -> list[str]:
    """Return the names of sound runs whose names are attacks."""
    for name in HOSTILE:
        try:
            put(here, RUN, name)
        except OSError:
            pytest.skip(f"no file can be named {name!r} here")
    return HOSTILE


def test_a_hostile_name_is_given_back_by_json(here: Path, hostile: list[str]) -> None:
    _, out, _ = ave("score", "gold.xml", *hostile, "--format", "json")
    rows = json.loads(out)["runs"]
    found = [row["run"] for row in rows if row["kind"] == "AV"]
    assert found == [name.removesuffix(".txt") for name in hostile]


@each("name", HOSTILE)
@each("arguments", [["NAME"], ["good.txt", "NAME"], ["good.txt", "--qa", "NAME"]])
@each("content", [None, "1 1_1 \x1b[31mNO 0.5\n1 1_2 NO 0.5\n", ""])
def test_a_hostile_name_of_a_bad_file_reaches_no_terminal(
    here: Path, name: str, arguments: list[str], content: str | None
) -> None:
    (here / name).unlink(missing_ok=True)
    if content is not None:
        put(here, content, name)
    filled = [name if argument == "NAME" else argument for argument in arguments]
    code, out, err = ave("score", "gold.xml", *filled)
    assert (code, out) == (1 if content is not None else 2, "")
    assert all(is_safe(line) for line in err.split("\n")), ascii(err)
    if "\n" in name:
        assert not any(line.startswith("lines") for line in err.split("\n"))


@pytest.mark.parametrize("arguments", [
    ["HOSTILE", "good.txt"],
    ["gold.xml", "good.txt", "-o", "HOSTILE/x"],
    ["gold.xml", "good.txt", "--measures", "HOSTILE"],
    ["gold.xml", "good.txt", "--letters", "HOSTILE"],
    ["gold.xml", "good.txt", "--format", "HOSTILE"],
    ["gold.xml", "good.txt", "--teams", "HOSTILE"],
    ["gold.xml", "HOSTILE", "HOSTILE"],
    ["gold.xml", "--HOSTILE"],
])  # fmt: skip
def test_a_hostile_argument_is_shown_and_not_obeyed(here: Path, arguments: list[str]) -> None:
    attack = f"{ESC}]0;title\x07"
    err = ave("score", *(one.replace("HOSTILE", attack) for one in arguments), code=2).err
    assert all(is_safe(line) for line in err.split("\n")), ascii(err)


@pytest.mark.parametrize("option", ["--output", "--per-question"])
def test_an_existing_file_is_replaced_and_keeps_its_permissions(here: Path, option: str) -> None:
    target = put(here, "old", "out.csv")
    target.chmod(0o640)
    ave("score", "gold.xml", "good.txt", option, "out.csv", code=0)
    assert "good" in target.read_text(encoding="utf-8")
    assert stat.S_IMODE(target.stat().st_mode) == 0o640


@posix
def test_a_new_file_has_the_permissions_of_any_new_file(here: Path) -> None:
    ave("score", "gold.xml", "good.txt", "--output", "out.txt")
    usual = put(here, "", "usual.txt")
    assert (here / "out.txt").stat().st_mode == usual.stat().st_mode


@calls(
    Call(f"gold.xml good.txt --qa judged.tsv {option} {name}", 2, reason)
    for option in ("--output", "--per-question")
    for name, reason in (
        ("nowhere/out.txt", "nowhere/out.txt: cannot be written: its folder does not exist"),
        (".", "is a directory"),
        ("good.txt/out.txt", "good.txt/out.txt: cannot be written: not a directory"),
        ("n" * 300, "too long"),
        ("loop", "loop: cannot be written"),
        # `score gold.xml --output *.txt` would otherwise put scores where the first run was
        *(
            (read, read)
            for read in ("gold.xml", "good.txt", "./good.txt", "judged.tsv", "link.txt")
        ),
    )
)
def test_no_file_is_written_that_cannot_be_or_that_is_read(here: Path, call: Call) -> None:
    put(here, JUDGED, "judged.tsv")
    (here / "link.txt").symlink_to("good.txt")
    (here / "loop").symlink_to("loop")
    assert_call(here, call, "score")
    assert not [*here.glob(".*")]


@pytest.mark.parametrize("exists", [True, False])
def test_output_through_a_link_is_written_to_its_target(here: Path, exists: bool) -> None:
    (here / "folder").mkdir()
    target = here / "folder" / "target.txt"
    if exists:
        target.write_text("old")
    (here / "link.txt").symlink_to(target)
    code, out, _ = ave("score", "gold.xml", "good.txt", "--output", "link.txt")
    assert (code, out) == (0, "")
    assert (here / "link.txt").is_symlink()
    assert "good" in target.read_text(encoding="utf-8")
    assert [*(here / "folder").iterdir()] == [target]


@pytest.mark.skipif(not Path("/dev/shm").is_dir(), reason="no /dev/shm here")
def test_a_file_in_shared_memory_is_a_file(here: Path) -> None:
    target = Path("/dev/shm", f"ave-score-test-{os.getpid()}.json")
    try:
        for _ in range(2):
            arguments = ["good.txt", "--format", "json", "--output", str(target)]
            assert ave("score", "gold.xml", *arguments)[0] == 0
            assert json.loads(target.read_text(encoding="utf-8"))["runs"]
    finally:
        target.unlink(missing_ok=True)


process = partial(helpers_command.process, command=AVE_SCORE)


def many_runs(folder: Path, number: int = 80) -> list[str]:
    """Write runs whose scores fill more than any buffer of standard output."""
    names = [f"run-{n:03}.txt" for n in range(number)]
    for name in names:
        put(folder, RUN, name)
    return names


@pytest.mark.parametrize(
    ("name", "code"), mostly_slow([("bad.txt", 1), ("good.txt", 0), ("missing.txt", 2)], 1)
)
def test_a_process_ends_with_the_exit_code(here: Path, name: str, code: int) -> None:
    put(here, "1 1_1 NO 0.5\n", "bad.txt")
    done = process("score", "gold.xml", name)
    assert done.code == code and bool(done.out) == (code == 0)
    assert bool(done.err) == (code != 0) and "Traceback" not in done.err


def test_the_installed_command_is_the_same(here: Path) -> None:
    script = Path(sys.executable).with_name("ave-score")
    if not script.exists():
        pytest.skip("not installed beside this Python")
    done = process("score", "gold.xml", "good.txt", command=[str(script)])
    assert done.out == process("score", "gold.xml", "good.txt").out and done.code == 0


def for_nobody(*arguments: str) -> Said:
    """Run a command whose output nobody reads."""
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "w") as nobody:
        return process(*arguments, stdout=nobody)


@posix
@pytest.mark.parametrize("format_", ["table", slow("csv")])
@pytest.mark.parametrize("number", [slow(1), 80], ids=["one-run", "many-runs"])
def test_a_reader_that_goes_away_is_no_error(here: Path, format_: str, number: int) -> None:
    files = ["gold.xml", *many_runs(here, number)]
    # 128 + SIGPIPE, what the shell would say of any other tool
    assert for_nobody("score", *files, "--format", format_) == (141, "", "")


CALLS = [
    "score gold.xml good.txt", "check good.txt --collection gold.xml", "--help",
    "score gold.xml good.txt --format json", "campaign campaign.toml", "campaign init",
    "stats gold.xml", "build judged.tsv", "check good.txt --format json", "fix bad.txt --diff",
    "rule", "rule AVE101", "--version", "score --help", "decide scores.txt",
]  # fmt: skip


@posix
@pytest.mark.parametrize("call", mostly_slow(CALLS, 1))
def test_no_command_takes_a_reader_that_went_away_for_a_finding(here: Path, call: str) -> None:
    put(here, RUN.replace("SELECTED", "selected"), "bad.txt")
    put(here, "q_id\trun\tjudgement\tanswer\n1\tqa\tR\tAnn\n", "judged.tsv")
    put(here, "1 a 0.5\n", "scores.txt")
    campaign = '[editions.e.languages.en]\ncollection = "gold.xml"\nruns = ["good.txt"]\n'
    put(here, campaign, "campaign.toml")
    assert for_nobody(*call.split()) == (141, "", "")


@posix
def test_the_first_line_can_be_taken_and_the_rest_left(here: Path) -> None:
    files = ["gold.xml", *many_runs(here)]
    done = first_line_of("score", *files, "--format", "json", command=AVE_SCORE)
    assert done == (141, "{\n", "")


@needs_full_disk
@pytest.mark.parametrize("number", [slow(1), 80], ids=["one-run", "many-runs"])
@pytest.mark.parametrize("more", mostly_slow([[], ["--per-question", "pq.csv"]], 1))
def test_a_full_disk_behind_stdout_is_told(here: Path, number: int, more: Sequence[str]) -> None:
    files = ["gold.xml", *many_runs(here, number)]
    with Path("/dev/full").open("w") as full:
        done = process("score", *files, "--format", "csv", *more, stdout=full)
    assert done.code == 2
    expected = "ave-score: cannot write to standard output: no space left on device\n"
    assert done.err.lower() == expected


@posix
@pytest.mark.parametrize(
    ("closed", "arguments"),
    [("<&-", ["gold.xml", "-"]), (">&-", ["gold.xml", "good.txt"])],
    ids=["stdin", "stdout"],
)
def test_a_closed_stream_is_reported_and_is_not_an_internal_error(
    here: Path, closed: str, arguments: list[str]
) -> None:
    shell = ["/bin/sh", "-c", f'"$@" {closed}', "sh", *AVE_SCORE]
    done = process("score", *arguments, command=shell)
    assert done.code == 2 and "standard" in done.err
    assert "internal error" not in done.err


def test_standard_input_is_read_from_a_pipe(here: Path) -> None:
    for arguments, text in ((["gold.xml", "-"], RUN), (["-", "good.txt"], COLLECTION)):
        done = process("score", *arguments, "--format", "csv", stdin=text)
        assert done.code == 0, done.err
        assert runs_of(done.out) == ["stdin" if arguments[1] == "-" else "good"]


AT_EXIT = """
import atexit, sys, threading, time
atexit.register(print, "handled")
if "thread" in sys.argv[0]:
    threading.Thread(target=lambda: time.sleep(0.1) or print("waited")).start()
from ave_score.__main__ import script
sys.exit(script())
"""


@pytest.mark.slow
@pytest.mark.parametrize(("name", "options", "printed"), [
    ("plain.py", (), "handled"),
    ("thread.py", (), "waited\nhandled"),
    ("python.py", ("-X", "utf8"), "handled"),
])  # fmt: skip
@pytest.mark.parametrize(("file", "code"), [("good.txt", 0), ("bad.txt", 1), ("none.txt", 2)])
def test_exit_handlers_and_threads_end_before_the_process(
    here: Path, name: str, options: tuple[str, ...], printed: str, file: str, code: int
) -> None:
    put(here, AT_EXIT, name)
    put(here, "1 1_1 NO 0.5\n", "bad.txt")
    command = [sys.executable, *options, name, "check", file, "--output", "report.txt"]
    done = process(command=command)
    assert (done.code, done.out) == (code, f"{printed}\n")
    assert (here / "report.txt").read_text().count("\n") >= (code < 2)


def test_the_package_never_ends_a_process_that_uses_it(here: Path) -> None:
    put(
        here,
        "from ave_score.__main__ import main\ntry:\n    main()\nexcept SystemExit as end:\n"
        "    print('ended with', end.code)\n",
        "user.py",
    )
    command = [sys.executable, "user.py", "check", "good.txt"]
    done = process(command=command)
    assert done.out.endswith("ended with 0\n")


@pytest.mark.slow
@posix
@pytest.mark.parametrize("arguments", [
    ["--format", "csv", "--output", "out"],
    ["--format", "json", "--output", "out"],
    ["--format", "markdown", "--output", "out"],
    ["--per-question", "out"],
    ["--per-question", "out.jsonl"],
], ids=" ".join)  # fmt: skip
def test_a_name_that_is_no_utf8_can_be_scored(here: Path, arguments: list[str]) -> None:
    try:
        Path(os.fsdecode(b"\xe9cole.txt")).write_text(RUN)
    except OSError:
        pytest.skip("file names are UTF-8 here")
    done = process("score", "gold.xml", b"\xe9cole.txt", *arguments)
    assert done.code == 0, done.err
    assert "cole" in Path(arguments[-1]).read_text(encoding="utf-8")


@pytest.mark.parametrize("encoding", mostly_slow(["ascii", "latin-1", "cp1252"], 1))
def test_json_does_not_depend_on_the_terminal(here: Path, encoding: str) -> None:
    put(here, RUN, "Łukasz_Glöckner.txt")
    arguments = ["score", "gold.xml", "Łukasz_Glöckner.txt", "--format", "json"]
    done = process(*arguments, PYTHONIOENCODING=encoding, PYTHONUTF8="0")
    assert json.loads(done.out)["runs"][0]["run"] == "Łukasz_Glöckner"


def test_keep_going_leaves_out_defective_teams_and_systems_too(here: Path) -> None:
    put_all(here, {"bad.txt": BAD, "teams.tsv": "good A\n", "bad.tsv": JUDGED.replace("R", "r")})
    arguments = ["gold.xml", "good.txt", "bad.txt", "--qa", "bad.tsv", "--teams", "teams.tsv"]
    out = ave("score", *arguments, "--format", "csv", "--keep-going", code=1).out
    rows = [(row["run"], row["kind"]) for row in csv.DictReader(io.StringIO(out))]
    assert [row for row in rows if row[1] != "baseline"] == [("good", "AV")]
