"""Hostile contents through every output: what is printed has the shape that harmless contents give.
Attacks and the files that hold them are in `helpers_hostile`, the parsers of outputs in
`helpers_shapes`. The table of SECURITY.md says what happens."""

from __future__ import annotations

import json
import os
import re
import shlex
import sys
from collections.abc import Iterator, Sequence
from itertools import chain, product
from pathlib import Path
from shutil import rmtree
from time import process_time

import click
import pytest

from ave_score import commands
from tests import THOROUGH, mostly_slow, slow
from tests.conftest import ROOT
from tests.helpers_attacks import FILES
from tests.helpers_command import Said, ave, files_of, process
from tests.helpers_files import put
from tests.helpers_hostile import WORDS, harmless, write_world
from tests.helpers_shapes import FORMATS, NOTATIONS, OF_SUFFIX, Shape, coloured, text
from tests.test_check_hostile import ELSEWHERE

OPTIONS = ("--format", "--to", "--share", "--audience")
"""Options that choose what an output looks like: a row is called with each of their choices."""

FEW = "--resamples 10"
ROWS: dict[str, list[str]] = {
    "check": [
        "check broken log.json scores.jsonl judged.jsonl ./{name} {missing} "
        "--collection gold.jsonl --max-findings all -f {--format}", "check broken runs --quiet"],
    "fix": ["fix broken/verdict.txt --collection gold.jsonl --diff"],
    "rule": ["rule {missing}"],
    "convert": ["convert gold.jsonl --to {--to} -o x/data", "convert {run} --to {--to} -o x/data",
        "convert judged.jsonl --to {--to} -o x/data", "convert log.json --to {--to} -o x/data",
        "convert teams.tsv --to {--to} -o x/data"],
    "template": ["template gold.jsonl --to {--to} -o x/data"],
    "build": ["build judged.jsonl -o data.xml --key data.txt -f {--format}"],
    "stats": ["stats gold.jsonl {copies} -f {--format}"],
    "score": ["score gold.jsonl {runs} -m f1,mcc --teams teams.tsv --qa judged.jsonl -f {--format}",
        "score log.json -f {--format}", "score gold.jsonl {run} -f {--format}",
        "score gold.jsonl {runs} -m f1 --cluster clusters.tsv --ci 95 --resamples 20 -f {--format}",
        "score gold.jsonl {runs} -m f1 --breakdown topic -f {--format}",
        "score gold.jsonl {runs} --sweep f1 -f {--format}",
        "score gold.jsonl {runs} -m f1 --per-question x/rows.csv",
        "score gold.jsonl {runs} -m f1 --per-question x/rows.jsonl",
        *(f"score gold.jsonl {{few}} -m f1 --plot {one}=x/x.svg" for one in ("bars", "roc")),
        "score gold.jsonl {few} -m f1 --plot x/x.png",
        "score gold.jsonl {few} -m f1 --plot x/x.pdf"],
    "compare": [
        "compare gold.jsonl {runs} -m f1 --pairs --teams teams.tsv --resamples 100 "
        "-f {--format}",
        "compare gold.jsonl {runs} -m f1 --resamples 100 --per-question x/rows.csv",
        "compare gold.jsonl {runs} -m f1 --resamples 100 --per-question x/rows.jsonl",
        "compare gold.jsonl {runs} -m f1 --resamples 100 --plot x/x.svg"],
    "estimate": ["estimate judged.jsonl --missing rejected -f {--format}",
        "estimate judged.jsonl --draw 1 -o x/rows.csv"],
    "decide": ["decide scores.jsonl --curve -f {--format}",
        "decide scores.jsonl -o x/data --write-collection x/data.xml",
        "decide log.json -o x/data.lines --write-collection x/data.xml",
        "decide scores.jsonl --curve --plot x/x.svg"],
    "measures": ["measures {missing}"],
    "report": [
        "report gold.jsonl {runs} --teams teams.tsv --qa judged.jsonl --ci 95 --resamples 20 "
        "--breakdown topic --audience public --share {--share} -o x/page.html",
        "report gold.jsonl {runs} --keep-going broken/verdict.txt --title {missing} --resamples 20 "
        "-o x/page.html"],
    "campaign run": ["campaign run campaign.toml --audience {--audience} -o x"],
    "campaign list": ["campaign list campaign.toml -f {--format}"],
    "campaign init": ["campaign init"],
    "bundle tira": ["bundle tira campaign.toml -o x"],
    "bundle codabench": ["bundle codabench campaign.toml -o x/bundle.zip"],
    "agree": ["agree {runs} --collection gold.jsonl -f {--format}"],
    "stability": [f"stability gold.jsonl {{runs}} -m f1 {FEW} -f {{--format}}",
        f"stability gold.jsonl {{runs}} -m f1,mcc {FEW} --plot x/x.svg"],
    "swap": [f"swap gold.jsonl {{runs}} -m f1 {FEW} -f {{--format}}"],
}  # fmt: skip
"""Command -> how it is called in a folder of hostile files; `{--format}` is each of its choices."""


def every_command(group: click.Group, *before: str) -> Iterator[tuple[str, click.Command]]:
    """Yield every command of the command line with its words."""
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        if isinstance(command, click.Group):
            yield from every_command(command, *before, name)
        else:
            yield " ".join([*before, name]), command


def choices() -> dict[tuple[str, str], Sequence[str]]:
    """Return the choices of each option of `OPTIONS` that a command has."""
    return {
        (name, option): param.type.choices
        for name, command in every_command(commands.app)
        for param in command.params
        for option in {*param.opts} & {*OPTIONS}
        if isinstance(param.type, click.Choice)
    }


CHOICES = choices()


def calls(name: str, row: str) -> list[tuple[str, str]]:
    """Return the calls of a row, each with the choice that it makes."""
    chosen = re.findall(r"\{(--.*?)\}", row)
    if not chosen:
        return [(row, "")]
    (option,) = chosen
    return [(row.replace(f"{{{option}}}", item), item) for item in CHOICES[name, option]]


def test_every_output_is_in_the_table() -> None:
    """A new command, a new format or notation, or a new figure needs a row, and a parser."""
    assert ROWS.keys() == dict(every_command(commands.app)).keys()
    assert CHOICES.keys() == {
        (name, option)
        for name, rows in ROWS.items()
        for option in re.findall(r"\{(--.*?)\}", " ".join(rows))
    }
    parsers = {"--format": {*FORMATS}, "--to": {*NOTATIONS}}
    for (_, option), known in CHOICES.items():
        assert {*known} <= parsers.get(option, {*known})


def mixed(number: int) -> list[str]:
    """Return a few words of every attack."""
    return [*chain.from_iterable(words[number::6][:2] for words in WORDS.values())]


SOME = {f"mixed {number}": mixed(number) for number in range(6)}
USUAL = "mixed 1"
WORLDS = {**WORDS, **SOME} if THOROUGH else {USUAL: SOME[USUAL]}
QUICK = ("check", "campaign list")
CASES = [c if c[0] == USUAL and c[1] in QUICK else slow(c) for c in product(WORLDS, ROWS)]


def expanded(folder: Path, words: str) -> list[str]:
    """Return the words of a call with the names of files in a folder."""
    runs = sorted(f"runs/{path.name}" for path in (folder / "runs").iterdir())
    copies = sorted(f"copies/{path.name}" for path in (folder / "copies").iterdir())
    name = Path(runs[0]).name
    given = {"{runs}": runs, "{few}": runs[:4], "{run}": runs[:1], "./{name}": [f"./{name}"],
             "{missing}": [f"no{name}"], "{copies}": copies}  # fmt: skip
    return [*chain.from_iterable(given.get(word, [word]) for word in shlex.split(words))]


def call(folder: Path, words: str) -> Said:
    """Call a command in a folder of files."""
    os.chdir(folder)
    (folder / "x").mkdir(exist_ok=True)
    return ave(*expanded(folder, words))


FOR_PROGRAMS = re.compile(r"data|\.template\.|^(inputs|truths)/")
"""Files that have all texts as they are in the input."""


def shapes(folder: Path, words: str, choice: str) -> tuple[int, dict[str, Shape]]:
    """Return the exit code of a call, and the shape of all that it says and writes."""
    rmtree(folder / "x", ignore_errors=True)
    said = call(folder, words)
    text(said.err)
    read = FORMATS if re.search("-f ", words) else {}
    found = {"": read.get(choice, text)(said.out) if said.out else Shape()}
    for name, data in files_of(folder / "x").items():
        suffix = Path(name).suffix
        assert re.fullmatch(r"[\w./+-]+", name), name
        if FOR_PROGRAMS.search(name):
            notation = choice if choice in NOTATIONS else suffix[1:]
            shape = NOTATIONS.get(notation, NOTATIONS["lines"])(data)
        else:
            shape = OF_SUFFIX[suffix](data)
        found[suffix] = found.get(suffix, Shape()) + shape
    return said.code, found


@pytest.fixture(scope="module")
def worlds(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[Path, Path]]:
    """Return for each attack a folder of files with its words, and one with harmless words."""
    made = {}
    for name, words in WORLDS.items():
        made[name] = tmp_path_factory.mktemp("hostile"), tmp_path_factory.mktemp("harmless")
        for folder, said in zip(made[name], (words, harmless(words)), strict=True):
            write_world(folder, said)
    return made


@pytest.mark.parametrize(("attack", "name"), CASES)
def test_the_shape_of_an_output_does_not_depend_on_words(
    worlds: dict[str, tuple[Path, Path]], attack: str, name: str
) -> None:
    hostile, plain = worlds[attack]
    for row in ROWS[name]:
        for words, choice in calls(name, row):
            code, found = shapes(hostile, words, choice)
            expected, known = shapes(plain, words, choice)
            assert (code, found.keys()) == (expected, known.keys()), words
            for part, shape in found.items():
                # findings differ, but not in what they are made of
                more = {*shape} - {*known[part]} if "broken" in words else shape - known[part]
                assert not more, (words, part, more)


def test_a_terminal_gets_the_colours_of_the_program_only(
    worlds: dict[str, tuple[Path, Path]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Names are folded in narrow terminals: what then begins a line is no command of a log."""
    monkeypatch.setenv("FORCE_COLOR", "1")
    for width in ("40", "80"):
        monkeypatch.setenv("COLUMNS", width)
        for words in (
            "check broken ./{name} --collection gold.jsonl",
            "score gold.jsonl {runs} -m f1,mcc --teams teams.tsv --qa judged.jsonl",
            "stats gold.jsonl {copies}",
        ):
            said = call(worlds[USUAL][0], words)
            assert "\x1b[" in said.out
            coloured(said.out)
            coloured(said.err)


AUDITED = """
import json, os, sys
folder, root, log, calls = json.load(sys.stdin)
sys.path.insert(0, root)
known = root + "/ave_score", root + "/.pytest_cache", folder, sys.prefix, sys.base_prefix
known += (os.environ["XDG_CACHE_HOME"] + "/ave-score/",)  # what this user's own calls wrote
own = tuple(map(os.path.realpath, known))
from tests.helpers_command import said_by
out = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND)

def heard(event, given):
    if event.startswith(("socket.", "subprocess.", "os.system", "os.exec", "os.posix_spawn",
                         "ftplib.", "http.", "urllib.", "webbrowser.", "smtplib.")):
        os.write(out, f"{event} {given!r}\\n".encode(errors="replace"))
    elif event == "open" and isinstance(given[0], (str, bytes)):
        path = os.path.realpath(os.path.join(os.getcwd(), os.fsdecode(given[0])))
        if not path.startswith((*own, "/dev/null")):
            os.write(out, f"open {path!r}\\n".encode(errors="replace"))

sys.addaudithook(heard)
for words in calls:
    said_by(*words)
os.write(out, b"end\\n")
"""


@pytest.mark.slow
def test_nothing_is_fetched_or_started_and_only_what_is_named_is_read(tmp_path: Path) -> None:
    """Each row runs once, with the first choice of its option, where modules of any name lie.
    Python does not hear what libxml2 opens: that is a pipe in `test_check_hostile`."""
    folder = tmp_path / "files"
    folder.mkdir()
    write_world(folder, SOME[USUAL])
    for module in ("json", "click", "lxml", "pandas", "numpy", "matplotlib", "sitecustomize"):
        (folder / f"{module}.py").write_text("raise SystemExit(99)")
    log = tmp_path / "log"
    every = [calls(name, row)[0][0] for name, rows in ROWS.items() for row in rows]
    given = [str(folder), str(ROOT), str(log), [expanded(folder, words) for words in every]]
    done = process(
        "-I", "-c", AUDITED, command=[sys.executable], stdin=json.dumps(given), cwd=folder
    )
    assert done.code == 0, done.err
    assert log.read_text() == "end\n"


@pytest.mark.parametrize("attack", mostly_slow(FILES, 3))
def test_a_file_that_attacks_its_reader_is_a_finding(tmp_path: Path, attack: str) -> None:
    for name, (made, expected, says) in FILES[attack].items():
        path = put(tmp_path, data := made(), name)
        start = process_time()
        code, out, err = ave("check", path)
        assert (code, says in out + err) == (expected, True), (name, out[:300], err[:300])
        assert process_time() - start < 2 + 2 * len(data) / (1 << 20), name
        text(out + err)
        assert [*tmp_path.iterdir()] == [path]
        path.unlink()


def test_the_page_on_security_lists_what_is_tried() -> None:
    """Name of an attack -> how many of it are tried, and where; what happens is prose."""
    page = (ROOT / "SECURITY.md").read_text("utf-8")
    listed = re.findall(r"^\| ([^|]+) \| ([^|]+) \| [^|]+ \|$", page, re.M)
    words = {name: f"{len(word)} words, every output" for name, word in WORDS.items()}
    files = {name: f"{len(file)} files" for name, file in FILES.items()}
    elsewhere = {"XML that names other files": f"{len(ELSEWHERE)} files"}
    expected = {"attack": "tried in", **words, **elsewhere, **files}
    assert dict(listed) == expected
