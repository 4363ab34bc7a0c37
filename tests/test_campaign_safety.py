"""What campaign files and the files of their patterns cannot do: write elsewhere, hang, end a run.

Expectations are promises of SECURITY.md and docs/reference/campaign-file.md.
"""

from __future__ import annotations

import hashlib
import json
import os
import time
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from pathlib import Path
from types import SimpleNamespace

import pytest

from ave_score import UsageError
from ave_score.counts import Family
from ave_score.files import run as reading
from ave_score.files.source import Source
from tests import mostly_slow, slow
from tests.helpers_check import posix
from tests.helpers_command import files_of, process, put_all, said_by
from tests.helpers_files import COLLECTION, RUN, put
from tests.test_campaign import UNCOMPARED as CAMPAIGN
from tests.test_campaign import ave, campaign, campaign_of, not_scored, small
from tests.test_campaign import uncompared as here

__all__ = ["here"]


@posix
@pytest.mark.parametrize(
    "output", mostly_slow(["../../x", "{top}/x", "link/x", "link", "in/../../x", ".."], 1)
)
def test_results_outside_the_folder_of_the_file_need_the_option(here: Path, output: str) -> None:
    top = here / "elsewhere"
    work = here / "a/work"
    top.mkdir()
    work.mkdir(parents=True)
    small(work)
    (work / "link").symlink_to(top)
    named = output.format(top=top)
    put(work, f'output = "{named}"\n' + CAMPAIGN, "campaign.toml")
    before = files_of(here)
    result = campaign("a/work/campaign.toml")
    assert (result.code, result.out) == (2, "")
    assert "outside the folder of the campaign file; if it is meant, give --output " in result.err
    assert files_of(here) == before
    meant = here / "meant"
    assert campaign("a/work/campaign.toml", "--output", str(meant)).code == 0
    assert (meant / "index.md").exists()


@posix
@pytest.mark.parametrize("output", mostly_slow(["results", "a/b", "inner", ".", "x/../y"], 1))
def test_results_inside_the_folder_of_the_file_need_none(here: Path, output: str) -> None:
    (here / "real").mkdir()
    (here / "inner").symlink_to("real")
    text = CAMPAIGN.replace('"gold/', '"../gold/').replace('"runs/', '"../runs/')
    put_all(here, {"real/campaign.toml": f'output = "{output}"\n' + text})
    (here / "real/inner").symlink_to(here / "real/target")
    (here / "real/target").mkdir()
    assert campaign("inner/campaign.toml").code == 0  # what it reads may lie anywhere
    assert (here / "real" / output / "index.md").exists()


@posix
@pytest.mark.parametrize("kind", ["pipe", slow("device"), slow("process")])
@pytest.mark.parametrize(
    "setting", ['collection = "{}"', 'key = "{}"', 'judged = "{}"', 'teams = "{}"', 'runs = "{}"']
)
def test_only_regular_files_are_read(here: Path, kind: str, setting: str) -> None:
    os.mkfifo(here / "pipe")
    name = {"pipe": "pipe", "device": "/dev/zero", "process": "/proc/self/environ"}[kind]
    text = '[editions.e.languages.l]\ncollection = "gold/en.xml"\nruns = "runs/en"\n'
    key = setting.partition(" =")[0]
    kept = [line for line in text.splitlines() if not line.startswith(key)]
    result = campaign_of("\n".join([*kept, setting.format(name)]) + "\n", code=1)
    assert "is not a regular file" in result.err


@posix
def test_a_pipe_as_the_only_setting_does_not_hang(here: Path) -> None:
    """The collection is looked at even if there are no runs: it may be a judged file."""
    os.mkfifo(here / "pipe")
    text = '[editions.e.languages.l]\ncollection = "pipe"\n'
    put(here, text + 'submitted = "pipe"\n', "times.toml")
    put(here, text, "campaign.toml")
    for name, code in (("campaign.toml", 1), ("times.toml", 2)):
        done = process("campaign", name)
        assert done.code == code and "pipe" in done.err
        assert "is not a regular file" in done.err


def test_a_pattern_is_expanded_up_to_a_limit(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise `/` would be walked to its end before anybody is told."""
    put_all(here, {"many/a.txt": RUN})
    walked = []

    def endless(folder: str) -> object:
        walked.append(folder)
        inside = [SimpleNamespace(name=name, path="many", is_dir=has) for name, has in entries]
        return nullcontext(inside)

    entries = [("a", lambda **_: False), ("b", lambda **_: False), ("c", lambda **_: True)]

    put(here, '[editions.e.languages.l]\ncollection = "gold/en.xml"\nruns = "many"\n', "c.toml")
    monkeypatch.setattr(os, "scandir", endless)
    result = campaign("c.toml", code=1)
    assert "runs of e l is 'many', expected at most 100,000 files" in result.err
    assert len(walked) == 50_001  # the first file beyond the limit is in the last of these
    assert "many: has more than 100,000 files" in said_by("check", "many").err


@pytest.mark.slow
def test_a_file_of_20000_languages_is_refused_at_once(here: Path) -> None:
    names = ", ".join(f'"l{number}"' for number in range(20_000))
    text = f'[editions.e]\ncollection = "gold/en.xml"\nruns = "x"\nlanguages = [{names}]\n'
    put(here, text, "campaign.toml")
    start = time.process_time()
    result = campaign()
    assert time.process_time() - start < 10
    assert result.code == 1
    assert "editions of the file is '20,000 languages', expected at most 1,000" in result.err
    names = ", ".join(f'"l{number}"' for number in range(1_000))
    put(here, f'[editions.e]\ncollection = "x"\nruns = "x"\nlanguages = [{names}]\n', "c.toml")
    checked = ave("check", "c.toml", code=2)
    assert "0 of 2 files with errors, 2,000 warnings, 1 could not be read" in checked.out


PASSWD = "root:x:0:0:the chief:/root:/bin/bash\nsync:x:4:65534:sync:/bin:/bin/sync\n"
KEY = "-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXk\nAAAAsecret sesame x y\n-----END-----\n"


@pytest.mark.parametrize(("text", "secrets"), [
    slow((PASSWD, ["root:", "/bin/bash", "chief"])),
    (KEY, ["OPENSSH", "b3BlbnNz", "sesame"]),
    ("db_password = hunter2\nuser admin hunter3 0.5\n", ["hunter2", "hunter3", "admin"]),
], ids=["passwd", "key", "settings"])  # fmt: skip
def test_what_is_no_run_is_quoted_on_no_page(here: Path, text: str, secrets: list[str]) -> None:
    put(here / "runs/en", text, "beta.txt")  # which is of a team
    result = campaign()
    assert (result.code, not_scored(result)) == (1, 1)
    pages = files_of(here / "results")
    assert "teams/Uni_B.html" in pages
    for name, data in pages.items():
        assert not [secret for secret in secrets if secret.encode() in data], name
    for name in ("findings.md", "index.md", "index.html", "2007/en.html", "teams/Uni_B.txt"):
        words = " ".join(pages[name].decode().split())
        assert "no line names an answer of the collection" in words.replace("\\", ""), name


def test_a_run_with_defects_is_quoted_to_its_team(here: Path) -> None:
    put(here / "runs/en", RUN.replace("0.9", "0,9"), "beta.txt")
    campaign()
    assert "0,9" in (here / "results/teams/Uni_B.txt").read_text()


def failing(name: str, error: Exception) -> Callable[..., object]:
    original = reading.check_run

    def check(source: Source, *rest: object) -> object:
        if source.path.endswith(name):
            raise error
        return original(source, *rest)  # type: ignore[arg-type]

    return check


@pytest.mark.parametrize(("error", "words"), [
    (MemoryError(), "needs more memory than there is"),
    slow((RecursionError("maximum recursion depth exceeded"), "is nested too deeply")),
    (ZeroDivisionError("secret 7"), "cannot be read: internal error: ZeroDivisionError"),
    slow((UsageError("of no use"), "of no use")),
])  # fmt: skip
def test_a_file_that_fails_is_left_out_and_the_others_are_scored(
    here: Path, monkeypatch: pytest.MonkeyPatch, error: Exception, words: str
) -> None:
    put_all(here, {"runs/en/epsilon.txt": RUN})
    put_all(here, {"gold/en.teams.tsv": "alpha\tUni A\nbeta\tUni B\nepsilon\tUni E\n"})
    monkeypatch.setattr(reading, "check_run", failing("epsilon.txt", error))
    code, _, err = said_by("campaign", "campaign.toml")
    assert code == 1
    assert f"not scored: 2007 en: runs/en/epsilon.txt: {words}" in err and "secret" not in err
    index = (here / "results/index.md").read_text()
    assert "| en | 3 | 2 | 1 |" in index  # runs, QA systems, not scored
    page = (here / "results/teams/Uni_E.txt").read_text()
    assert "runs/en/epsilon.txt: not scored" in page


@pytest.mark.parametrize(
    "name", mostly_slow(["gold/en.xml", "gold/en.qa.tsv", "gold/en.teams.tsv"], 1)
)
def test_a_file_of_the_organisers_that_fails_ends_nothing_else(
    here: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    original = Source.chunks

    def chunks(source: Source) -> Iterator[bytes]:
        if source.path.endswith(name):
            raise MemoryError
        return original(source)

    monkeypatch.setattr(Source, "chunks", chunks)
    result = campaign(code=1)
    assert f"not scored: 2007 en: {name}: needs more memory than there is" in result.err
    assert (here / "results/2007/es.json").exists()


def test_a_run_that_cannot_be_counted_costs_no_other_language(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    original: Callable[..., object] = Family.added
    failed = False

    def added(*given: object) -> object:
        nonlocal failed
        if not failed:
            failed = True
            raise MemoryError
        return original(*given)

    monkeypatch.setattr(Family, "added", added)
    result = campaign(code=1)
    assert "not scored: 2007 en: gold/en.xml: needs more memory than there is" in result.err
    assert (here / "results/2007/es.json").exists()


@posix
def test_names_that_are_not_utf8_are_escaped(here: Path) -> None:
    folder = Path(os.fsdecode(os.fsencode(here) + b"/runs/B\xfcrger"))
    try:
        folder.mkdir()
    except OSError:
        pytest.skip("the file system takes no such name")
    for name, text in ((b"\xe9.txt", RUN), (b"bad.txt", "x\n"), (b"README\xff", "x\n")):
        put(folder, text, os.fsdecode(name))
    english = CAMPAIGN.partition("[editions.2007.languages.es")[0]
    english = english.replace('teams = "gold/en.teams.tsv"\n', "")
    english = english.replace("runs/en", "runs/{team}/*")
    result = campaign_of(english, code=1)
    shown = r"runs/B\xfcrger/bad.txt"
    assert f"not scored: 2007 en: {shown}: no line names" in result.err
    assert r"README\xff" in result.err
    pages = files_of(here / "results")
    assert rb"B\xfcrger/\xe9" in pages["2007/en.csv"]
    assert rb"B\\xfcrger/\\xe9" in pages["2007/en.json"]
    (team,) = [name for name in pages if name.endswith(".html") and "xfcrger" in name]
    assert team.startswith("teams/B_xfcrger") and team.isascii()
    assert rb"B\xfcrger/<wbr/>\xe9" in pages[team]
    listed = ave("campaign", "list", "campaign.toml", "-f", "csv")
    assert shown in listed.out
    campaign_of(english + 'names = { "B\\\\xfcrger/\\\\xe9.txt" = "one" }\n', code=1)
    page = (here / "results/2007/en.md").read_text()
    assert "| one (same as en/alpha) |" in page  # a name can be given; alpha has the same text


@posix
@pytest.mark.parametrize(("name", "file"), mostly_slow([
    ("2007/../keep.txt", "keep.txt"),
    *((name, "../victim.txt") for name in (
        "../victim.txt", "2007/../../victim.txt", "link/victim.txt", "/victim.txt", "..", ".", "",
        "2007", "nul\0name", "\ud800", "x" * 300, "./notes/../../victim.txt", "ABSOLUTE",
    )),
    ("2007/./keep.txt", "2007/keep.txt"),
    ("2007//keep.txt", "2007/keep.txt"),
    ("2007\\keep.txt", "2007\\keep.txt"),
    ("2007/keep\n.txt", "2007/keep\n.txt"),
    ("a/b/c/d/keep.txt", "a/b/c/d/keep.txt"),  # deeper than any page
], 1), ids=lambda name: ascii(name[:30]))  # fmt: skip
def test_a_record_can_have_no_files_removed_but_pages(here: Path, name: str, file: str) -> None:
    """`cache.json` says what to remove, and may come with a folder that somebody sent."""
    assert campaign().code == 0
    record = json.loads((here / "results/cache.json").read_text())
    digest = hashlib.sha256(b"mine").hexdigest()
    put_all(here, {"other/victim.txt": "mine"})
    (here / "results/link").symlink_to(here / "other")
    name = str(here / "victim.txt") if name == "ABSOLUTE" else name
    record["written"] |= {name: [digest], "teams/T/2007/gone.html": [digest]}
    put_all(here / "results", {file: "mine", "teams/T/2007/gone.html": "mine"})
    put(here / "results", json.dumps(record), "cache.json")
    assert campaign().code == 0
    assert (here / "results" / file).exists() and (here / "other/victim.txt").exists()
    # as a page of an earlier call is; none is deeper
    assert not (here / "results/teams/T/2007/gone.html").exists()


def test_an_entry_of_the_record_that_is_damaged_costs_no_other(here: Path) -> None:
    assert campaign().code == 0
    record = json.loads((here / "results/cache.json").read_text())
    record["written"]["2007/x.md"] = 7
    put(here / "results", json.dumps(record), "cache.json")
    put(here, CAMPAIGN.replace('title = "Small"', 'title = "Other"'), "campaign.toml")
    assert campaign().code == 0  # the pages are still known as its own
    assert "# Other" in (here / "results/index.md").read_text()


@pytest.mark.parametrize("more", [[], ["index.html", "2007/en.md"]])
@pytest.mark.parametrize("runs", ["all", "{team}", "{team}/*"])
def test_results_among_the_runs_are_no_runs(here: Path, more: list[str], runs: str) -> None:
    """A folder with the three files of every results folder is one, with pages or without."""
    names = ["index.md", "findings.md", "cache.json", *more]
    put_all(here, {f"all/results/{name}": "x" for name in names})
    put_all(here, {"all/team/a.txt": RUN, "gold.xml": COLLECTION})
    up, pattern = ("", runs) if runs == "all" else ("../", runs)
    text = f'[editions.e.languages.l]\ncollection = "{up}gold.xml"\nruns = "{pattern}"\n'
    file = here / ("c.toml" if runs == "all" else "all/c.toml")
    put(file.parent, text, "c.toml")

    def found() -> list[str]:
        listed = ave("campaign", "list", str(file), "-f", "csv").out.splitlines()[1:]
        return [Path(line.split(",")[-2]).name for line in listed]  # then its time

    assert found() == ["a.txt"]
    (here / "all/results/cache.json").unlink()  # then it is any folder
    assert len(found()) > 1
