"""Windows and macOS, as far as this system can stand for them; docs/safety.md says how far. A
command that runs in `helpers_windows` says and writes what it does here, but for backslashes."""

from __future__ import annotations

import os
import re
import shutil
import sys
from contextlib import suppress
from pathlib import Path
from typing import Literal, get_args
from unicodedata import normalize

import pytest

import ave_score
from ave_score import FileKind, UsageError
from tests import each, mostly_slow
from tests.conftest import ROOT
from tests.helpers_check import posix
from tests.helpers_command import Said, ave, files_of, process, program, put_all, refusal
from tests.helpers_files import COLLECTION, RUN, put
from tests.test_files import OTHERS, WRITTEN

pytestmark = posix

NAMES = "CON", "aux.", "nul.txt", "com1", "a b", "A B", "a:b", "Ä", "ä", "A", '"?', "日本"
TEAMS = [*NAMES, "x" * 200]
"""Teams, most of whose names are no names of files on Windows, or no two of them."""

CAMPAIGN = """
title = "Other systems"
docker_image = "example/ave-score:1"
[editions.2026]
compare = "none"
collection = "gold/{language}.xml"
teams = "teams.tsv"
runs = "runs/{language}"
languages = ["Ärzte"]
"""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work beside a collection with runs, and a campaign whose teams have hostile names."""
    folder = tmp_path / "here"
    shutil.copytree(ROOT / "sample_runs/ave2007-es", folder / "es")
    shutil.copy(ROOT / "gold/ave2007-es.xml", folder / "es.xml")
    (folder / "empty").mkdir()
    wrong = {"wrong.txt": RUN.replace("REJECTED 0.2", "Rejected 0.2")}
    teams = {"teams.tsv": "".join(f"r{n}\t{team}\n" for n, team in enumerate(TEAMS))}
    runs = {f"runs/Ärzte/r{number}.txt": RUN for number in range(len(TEAMS))}
    runs |= {f"runs/Ärzte/{folder}/same.txt": RUN for folder in "xy"}
    given = {"gold/Ärzte.xml": COLLECTION, "campaign.toml": CAMPAIGN}
    put_all(folder, wrong | teams | runs | given)
    monkeypatch.chdir(folder)
    return folder


def with_slashes(said: Said) -> Said:
    return Said(said.code, said.out.replace("\\", "/"), said.err.replace("\\", "/"))


def on_windows(*words: str) -> Said:
    """Run a command there; return what it says, with slashes."""
    command = [sys.executable, "-m", "tests.helpers_windows"]
    fonts = os.environ["MPLCONFIGDIR"]
    said = process(*words, command=command, timeout=120, MPLCONFIGDIR=fonts, PYTHONTZPATH="")
    return with_slashes(said)


REFUSED = [
    "score es.xml nothing.txt",
    "campaign campaign.toml -o runs",
    "bundle tira campaign.toml -o es",
]


def assert_same_on_windows(here: Path, words: str) -> None:
    there = here.with_name("there")
    shutil.copytree(here, there)
    expected = with_slashes(ave(*words.split()))
    assert (expected.code == 2) == (words in REFUSED), expected.err
    os.chdir(there)
    assert on_windows(*words.split()) == expected
    assert files_of(there) == files_of(here)


@pytest.mark.parametrize("words", mostly_slow([
    "score es.xml es",
    "score es.xml es -f csv -o scores.csv.gz --per-question rows.jsonl",
    "score es.xml es --plot figure.svg",
    "score es.xml es --plot figure.png -f json",
    "compare es.xml es --resamples 200",
    "check es wrong.txt --collection es.xml",
    "check wrong.txt -f github",
    "fix wrong.txt",
    "fix wrong.txt --in-place",
    "convert es.xml --to jsonl",
    "convert es/Rodrigo.txt --to csv -o es/Rodrigo.csv",
    "template es.xml -o run.txt",
    "stats es.xml gold/Ärzte.xml",
    "agree es",
    "report es.xml es --resamples 100 -o page.html",
    "campaign campaign.toml -o site --audience public",
    "campaign list campaign.toml -f csv",
    "campaign init -o new.toml",
    "bundle tira campaign.toml -o empty",
    "bundle codabench campaign.toml -o bundle.zip",
    "rule AVE101",
    *REFUSED,
], 0))  # fmt: skip
def test_a_command_does_the_same_on_windows(here: Path, words: str) -> None:
    assert_same_on_windows(here, words)


@pytest.mark.slow
def test_on_windows_files_have_names_in_any_capitals(here: Path) -> None:
    code, out, err = on_windows("score", "ES.XML", "ES/rodrigo.TXT", "-f", "csv")
    expected = ave("score", "es.xml", "es/Rodrigo.txt", "-f", "csv").out
    assert (code, err) == (0, "")
    assert out == expected.replace("Rodrigo", "rodrigo")
    said = on_windows("score", "es.xml", "es/Rodrigo.txt", "--output", "ES/RODRIGO.txt")
    assert said.err == "ave-score: ES/RODRIGO.txt is also an input file and is not overwritten\n"


IN_A_CONSOLE = """
import sys, rich.console
from tests.helpers_windows import install
install()
is_old = sys.argv.pop(1) == "old"
rich.console.detect_legacy_windows = lambda: is_old
sys.stdout.isatty = lambda: True
from ave_score.commands import run
run()
"""


@pytest.mark.slow
@pytest.mark.parametrize("console", ["old", "new"])
def test_an_old_console_gets_no_codes_of_colours(here: Path, console: str) -> None:
    said = process(console, "score", "es.xml", "es", command=program(IN_A_CONSOLE))
    assert (said.code, said.err) == (0, "")
    assert ("\x1b[" in said.out) == (console == "new")


@pytest.mark.slow
def test_names_of_teams_are_names_of_files_everywhere(here: Path) -> None:
    """A file system that ignores case, or how letters are composed, has room for all pages."""
    assert_same_on_windows(here, "campaign campaign.toml")
    written = [*files_of(here / "results")]
    assert len({normalize("NFD", path).casefold() for path in written}) == len(written)
    # a page, a text and a zip file
    assert len([path for path in written if path.startswith("teams/")]) == 3 * len(TEAMS)
    refused = r'[<>:"|?*\\]|[. ](/|$)|(^|/)(con|aux|nul|com1)(\.|/|$)'  # as Microsoft lists them
    assert not [path for path in written if re.search(refused, path, re.IGNORECASE)]
    assert max(map(len, written)) < 120


@each("name, problem", [
    ("NUL", "this one is reserved"),
    ("con.es", "this one is reserved"),
    ("lpt9", "this one is reserved"),
    ("COM²", "this one is reserved"),
    ("es.", "it is used as a file name"),
    ("\uf900", "a name that differs in more than case"),  # U+8C48 in NFC
])  # fmt: skip
def test_names_that_are_no_names_of_files_are_refused(here: Path, name: str, problem: str) -> None:
    put(here, CAMPAIGN.replace('"Ärzte"', f'"\u8c48", "{name}"'), "campaign.toml")
    assert problem in ave("campaign", "list", "campaign.toml", code=1).err


@each("name, is_same", [("Run.TXT", True), ("other.txt", False)])
def test_an_output_is_no_input_in_other_capitals(here: Path, name: str, is_same: bool) -> None:
    """A system that ignores case shows two names of one file."""
    put(here, RUN, "run.txt")
    os.link("run.txt", name)
    words = ["score", "gold/Ärzte.xml", "run.txt", "--output", name]
    if is_same:
        assert "is also an input file and is not overwritten" in refusal(*words)
    else:
        assert ave(*words).code == 0
    assert Path("run.txt").read_text() == RUN
    Path(name).unlink()


def test_a_file_that_another_program_has_open_stays(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Windows does not replace it: a spreadsheet with the scores of yesterday."""
    put(here, "yesterday", "scores.csv")
    before = files_of(here)

    def replace(*_: object) -> None:
        raise PermissionError(13, "Access is denied", "scores.csv")

    monkeypatch.setattr(os, "replace", replace)
    said = refusal("score", "es.xml", "es", "-f", "csv", "-o", "scores.csv")
    assert said == "ave-score: scores.csv: cannot be written: access is denied\n"
    assert files_of(here) == before


Form = Literal["NFC", "NFD"]


@each("form", get_args(Form))
@each("of_table", get_args(Form))
def test_names_match_however_letters_are_composed(here: Path, form: Form, of_table: Form) -> None:
    """Names of files on macOS may have their letters taken apart, which people type composed."""
    name, told = normalize(form, "García"), normalize(of_table, "García")
    judged = f"q_id\trun\tjudgement\n1\t{told}2\tR\n2\t{told}2\tW\n3\t{told}2\tW\n"
    tables = {"teams.tsv": f"{told}\tUni\nb\tB\n{told}2\tUni\n", "qa.tsv": judged}
    campaign = CAMPAIGN.replace('"Ärzte"', '"n"').replace('"teams.tsv"', f'{{ "{told}" = "Uni" }}')
    runs = {f"runs/n/{name}.txt": RUN, "runs/n/b.txt": RUN}
    shutil.copy("gold/Ärzte.xml", "gold/n.xml")
    put_all(here, tables | runs | {"campaign.toml": campaign})
    given = ["gold/n.xml", "runs/n", "--qa", "qa.tsv", "--teams", "teams.tsv", "-f", "csv"]
    code, out, err = ave("score", *given, "--primary", f"{told}*", "--primary", "b")
    assert (code, err) == (0, "")
    assert all(f"\n{run}," in out for run in ("García,Uni", "b,B", "García2,Uni"))
    listed = ave("campaign", "list", "campaign.toml", "-f", "csv").out
    assert "n,Uni,García,runs/n/García.txt" in listed
    shutil.rmtree("runs/n")


@each("setting", ["names", "teams", "submitted"])
def test_keys_that_are_one_when_composed_are_refused(here: Path, setting: str) -> None:
    times = [f"2026-05-0{day}T00:00:00Z" for day in (1, 2)]
    two = dict(zip((normalize(form, "García") for form in get_args(Form)), times, strict=True))
    table = "".join(f'"{key}" = "{time}"\n' for key, time in two.items())
    language = "[editions.1.languages.en]\ncollection = 'g'\nruns = 'runs'\n"
    put(here, f"{language}[editions.1.languages.en.{setting}]\n{table}", "campaign.toml")
    for command in ("check", "campaign"):
        said = ave(command, "campaign.toml")
        message = f"AVE703 {setting} of editions.1.languages.en is 'García', expected each key once"
        assert (said.code, message in normalize("NFC", said.out + said.err)) == (1, True)


def test_times_of_one_run_are_two_however_its_letters_are_composed(here: Path) -> None:
    named = [normalize(form, "García") for form in get_args(Form)]
    rows = (f"{name}\t2026-05-0{day}T00:00:00Z\n" for day, name in enumerate(named, 1))
    put(here, "".join(rows), "times.tsv")
    assert "AVE709" in ave("check", "times.tsv", code=1).out


@pytest.mark.filterwarnings("ignore::ave_score.AveScoreWarning")  # of CR and CRLF
@each("name", [name for name, one in OTHERS.items() if one.kind != "campaign"])
@each("end", ["CRLF", "CR"])
def test_line_ends_of_other_systems_change_nothing(tmp_path: Path, name: str, end: str) -> None:
    """As in tests/test_files.py, for kinds whose rows are not written down there."""
    kind, found = FileKind(OTHERS[name].kind), []
    for text in (OTHERS[name].text, WRITTEN[end](OTHERS[name].text)):
        file, rows = put(tmp_path, text), put(tmp_path, "", "rows.jsonl")
        with suppress(UsageError):  # some kinds cannot be converted
            ave_score.convert(file, rows, kind=kind)
        found.append((ave_score.check(file, kind=kind).contents, rows.read_bytes()))
    assert found[0] == found[1]


@pytest.mark.slow
@pytest.mark.parametrize("encoding", ["cp1252", "cp437", "ascii"])
@pytest.mark.parametrize("words", ["score g.xml", "check", "agree", "compare g.xml -f markdown"])
def test_tables_are_printed_in_encoding_of_a_console(here: Path, words: str, encoding: str) -> None:
    other = RUN.replace("0.9", "x" if words == "check" else "0.8")
    put_all(here, {"g.xml": COLLECTION, "Łód.txt": other, "b.txt": RUN})
    given = [*words.split(), "Łód.txt", "b.txt"]
    code, out, err = ave(*given)
    said = process(*given, PYTHONIOENCODING=encoding)
    assert "Łód" in out
    assert (said.code, said.err) == (code, err)
    # cp1252 and cp437 have one of these letters, ASCII has none
    name = r"\u0141\xf3d" if encoding == "ascii" else r"\u0141ód"
    assert name in os.fsencode(said.out).decode(encoding)
