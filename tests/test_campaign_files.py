"""Campaign files: the TOML reader, defects of settings and files, and their positions."""

from __future__ import annotations

import os
import re
import time
from pathlib import Path

import pytest

from ave_score import Findings
from tests import each, mostly_slow
from tests.fuzz.loop import SECONDS
from tests.helpers_command import files_of, process, put_all
from tests.helpers_files import positions, put, read_file
from tests.test_campaign import NO_TEAM, ave, campaign, campaign_of, not_scored, pages_of, scores_of
from tests.test_campaign import UNCOMPARED as CAMPAIGN
from tests.test_campaign import uncompared as here

__all__ = ["here"]

ENGLISH = '[editions.2007.languages.en]\ncollection = "gold/en.xml"\nruns = "runs/en"\n'
"""A campaign file of three lines."""


def read(data: str | bytes) -> tuple[dict[str, int] | None, Findings]:
    return read_file("campaign", data, name="c.toml")


def test_names_may_hold_dots_equal_signs_and_umlauts_in_quotes(here: Path) -> None:
    put_all(here, {"runs/x/a=b.c.txt": (here / "runs/en/alpha.txt").read_text()})
    text = (
        '[editions."20.07"]\nmeasures = "f1"\n'
        '[editions."20.07".languages."español_1.b"]\ncollection = "gold/en.xml"\nruns = "runs/x"\n'
        'teams = { "Röm = 1" = "A.B = C" }\n'
        '[editions."20.07".languages."español_1.b".names]\n"a=b.c.txt" = "Röm = 1"\n'
    )
    result = campaign_of(text)
    assert (result.code, result.err) == (0, "")
    row = scores_of(here / "results/20.07/español_1.b.json")["runs"][0]
    assert (row["run"], row["team"]) == ("Röm = 1", "A.B = C")


def test_a_file_of_more_than_a_megabyte_is_no_campaign_file() -> None:
    _, findings = read(ENGLISH + "#".ljust(1 << 20, "x"))
    assert positions(findings) == [("AVE116", None, None)]


@each("text", [
    *(f'[editions.2007.languages.en]\ncollection = "x"\n{setting}' for setting in (
        "runs = 0x" + "F" * 5000, "runs = " + "9" * 5000, "runs = 1e99999",
        "runs = [0x" + "F" * 5000 + "]", "title = 0o" + "7" * 9000,
    )),
    *(f"{ENGLISH}a = {value}" for value in (
        "[" * 100_000, "[" * 5000 + "]" * 5000, "{a=" * 5000, f"1\na{'.a' * 6000} = 1",
    )),
])  # fmt: skip
def test_huge_numbers_and_deep_nesting_are_refused_in_words_of_the_file(text: str) -> None:
    _, findings = read(text)
    deep = text.startswith(ENGLISH)
    allowed = ["AVE701"] if deep else ["AVE701", "AVE702", "AVE703"]
    assert {position[0] for position in positions(findings)} <= {*allowed}
    assert len(findings) == 1 or not deep
    for found in findings:
        for word in ("set_int_max_str_digits", "integer string conversion", "recursion"):
            assert word not in found.message


@pytest.mark.slow
@pytest.mark.parametrize("line", ["run{} = 1\n", "[t{}]\n", "[editions.e{}]\n"])
def test_many_settings_do_not_hang(line: str) -> None:
    """Two seconds a megabyte, as docs/promises.md says."""
    text = ENGLISH + "".join(map(line.format, range(40_000)))
    started = time.process_time()
    read(text)
    assert time.process_time() - started < 2 * SECONDS * len(text) / 1e6


def test_more_editions_than_languages_may_be_are_refused() -> None:
    _, findings = read("".join(f"[editions.e{number}]\n" for number in range(1001)))
    assert "editions of the file is '1,001 editions', expected at most 1,000" in {
        found.message for found in findings
    }


def test_findings_are_in_file_order() -> None:
    names = [f"x{number}" for number in range(30)]
    settings = ", ".join(f"{name} = 1" for name in names)
    _, findings = read(f'editions.a.languages.b = {{ collection = "x", {settings} }}\n')
    said = [re.findall(r"'(x\d+)'", found.message) for found in findings]
    assert said == [[name] for name in names]


def test_nothing_is_scored_where_a_setting_is_unusable(here: Path) -> None:
    campaign()
    before = files_of(here / "results")
    put(here, CAMPAIGN + 'run = "x"\n', "campaign.toml")
    put(here / "runs/en", "", "alpha.txt")
    result = campaign()
    assert (result.code, result.out) == (1, "")
    assert f"campaign.toml:{len(CAMPAIGN.splitlines()) + 1} AVE702" in result.err
    assert "did you mean runs?" in result.err
    assert "AVE702 unknown-setting: " in result.err  # what to do
    assert result.err.endswith("nothing scored\n")
    assert files_of(here / "results") == before


@pytest.mark.parametrize("word", mostly_slow(["task", "subtask", "track"], 1))
def test_languages_are_what_the_file_calls_them(here: Path, word: str) -> None:
    campaign("campaign.toml", "-o", "theirs")
    table = CAMPAIGN.replace("languages", f"{word}s").replace("gold/es", f"gold/{{{word}}}")
    put(here, table, "campaign.toml")
    said = campaign("campaign.toml", "-o", "mine")
    assert f"1 edition, 2 {word}s: 5 runs" in said.out
    assert said.err == NO_TEAM.replace(" en:", f" {word.capitalize()} en:")
    theirs, mine = pages_of(here / "theirs"), pages_of(here / "mine")
    assert mine.keys() == theirs.keys()
    foreign = re.compile(rb"\blanguages?\b(?!\": \[)", re.IGNORECASE)  # not of a collection
    assert not [name for name, page in mine.items() if foreign.search(page)]
    assert f"# 2007, {word.capitalize()} en\n" in mine["2007/en.md"].decode()
    assert f">{word.capitalize()}</th>" in mine["index.html"].decode()
    found = [mine[name] for name in mine if name.endswith("json")]
    assert found == [theirs[name] for name in theirs if name.endswith("json")]
    first = ave("campaign", "list", "campaign.toml").out.splitlines()[1]
    assert first.split() == ["edition", word, "team", "run", "file"]
    assert ave("campaign", "list", "campaign.toml", "-f", "csv").out.startswith("edition,language,")


def test_a_file_has_one_word_for_languages() -> None:
    table = '[editions.1]\ntasks = ["A"]\ncollection = "{task}"\n'
    assert read(table)[0] == {"editions": 1, "tasks": 1}
    _, findings = read(f'{table}[editions.2]\nlanguages = ["de"]\ncollection = "{{language}}"\n')
    assert [finding.message for finding in findings] == [
        "editions.2 has no tasks",
        "editions.2 has no setting 'languages', the file says tasks",
        "collection of editions.2 is '{language}', expected no braces but those of {task}",
    ]


@pytest.mark.parametrize("table", ["[editions.2007]", "[editions.2007.languages.en]"])
def test_a_setting_of_the_file_in_a_table_is_told_its_place(here: Path, table: str) -> None:
    put(here, CAMPAIGN.replace(f"{table}\n", f'{table}\nshare = "scores"\n'), "campaign.toml")
    said = "has no setting 'share'; it stands before the first [editions. ...]"
    assert said in campaign().err


@pytest.mark.parametrize(
    "name",
    ["a/b", "..", ".x", "-o", "a b", "a|b", "a\\\\b", "a\\nb", "<b>", "é" * 200, "a*", "a:b"],
)
@pytest.mark.parametrize("of", ["edition", "language"])
def test_names_that_no_page_can_have_are_found(here: Path, name: str, of: str) -> None:
    old, new = ("2007", f'"{name}"') if of == "edition" else (".en", f'."{name}"')
    result = campaign_of(ENGLISH.replace(old, new), code=1)
    assert result.err.startswith("campaign.toml:1 AVE703 ")
    assert not (here / "results").exists()


@pytest.mark.parametrize(("edition", "language"), [
    ("2007", "participants"),
    ("2007", "collections"),
    ("2007", "best-validation"),
    ("2007", "best-selection"),
    ("index.md", "en"),
    ("findings.md", "en"),
    ("cache.json", "en"),
    ("2007", "日" * 99),  # more bytes than a file name may have
], ids=["1", "2", "3", "4", "index", "findings", "cache", "long"])  # fmt: skip
def test_pages_that_collide_are_found_or_renamed(here: Path, edition: str, language: str) -> None:
    text = ENGLISH.replace("2007", f'"{edition}"').replace(".en]", f'."{language}"]')
    result = campaign_of(text + 'teams = "gold/en.teams.tsv"\n')
    if result.code == 0:
        page = (here / f"results/{edition}/{language}.md").read_text()
        assert "alpha" in page  # the runs of the language
        assert "| Runs |" not in page
        assert (here / "results/index.md").is_file()
    else:
        assert result.code == 1 and "AVE703" in result.err
        assert not (here / "results").exists()


def test_a_folder_or_nothing_is_no_campaign_file(here: Path) -> None:
    for name in ("gold", ".", "no.toml", "gold/en.xml/x", "x" * 300):
        result = campaign(name)
        assert (result.code, result.out) == (2, "")
        assert result.err.startswith(f"ave-score: {name}: ")
    assert ave("campaign", "campaign.toml", "more.toml").code == 2
    assert ave("campaign", "").code == 2


def test_another_file_is_no_campaign_file(here: Path) -> None:
    for name in ("gold/en.xml", "gold/en.qa.tsv", "runs/en/alpha.txt"):
        result = campaign(name, code=1)
        assert f"{name}:1:" in result.err and "AVE701" in result.err
    assert not (here / "gold/results").exists()


@pytest.mark.parametrize("name", mostly_slow(["run", "init", "list"], 1))
def test_a_file_called_as_a_subcommand_can_be_scored(here: Path, name: str) -> None:
    put(here, CAMPAIGN, name)
    assert ave("campaign", "run", name, "-o", "results").code == 0
    assert campaign(f"./{name}", "-o", "results").code == 0


@pytest.mark.slow
def test_a_process_of_its_own_gives_the_same(here: Path) -> None:
    campaign("campaign.toml", "-o", "here")
    done = process("campaign", os.devnull.replace("null", "stdin"), stdin=CAMPAIGN)
    assert "Traceback" not in done.err
    done = process("campaign", "-", "-o", "there", stdin=CAMPAIGN, PYTHONHASHSEED="7")
    assert (done.code, done.err) == (0, NO_TEAM)
    there = pages_of(here / "there")
    assert "teams/Uni_A.html" in there and pages_of(here / "here") == there


@pytest.mark.parametrize(("change", "code", "message"), mostly_slow([
    (("gold/en.xml", "gold/no.xml"), "AVE707", "collection gold/no.xml does not exist"),
    (("gold/en.xml", "gold"), "AVE707", "collection gold is a folder"),
    (("gold/en.qa.tsv", "no.tsv"), "AVE707", "judged no.tsv does not exist; its QA systems"),
    (("gold/en.teams.tsv", "no.tsv"), "AVE707", "teams no.tsv does not exist; runs have"),
    (('runs = "runs/en"', 'runs = "runs/en"\nkey = "no"'), "AVE707", "key no does not exist"),
    (("runs/en", "runs/no"), "AVE707", "'runs/no'"),
    (("runs/en", "runs/no-*.txt"), "AVE707", "'runs/no-*.txt'"),
    (('runs = "runs/en"\n', ""), "AVE705", "2007 en"),
    (('"runs/en"', '["runs/en", "runs/x"]'), "AVE707", "'runs/x'"),
], 3))  # fmt: skip
def test_what_is_not_there_is_a_warning_and_the_rest_is_scored(
    here: Path, change: tuple[str, str], code: str, message: str
) -> None:
    result = campaign_of(CAMPAIGN.replace(*change))
    assert result.code == (code != "AVE705")  # nothing is not scored where there is nothing
    line = 1 + CAMPAIGN.splitlines().index("[editions.2007.languages.en]")
    start = f"campaign.toml:{line} {code} warning: 2007 en"
    (told_line,) = [one for one in result.err.splitlines() if one.startswith(start)]
    assert message in told_line
    for page in ("index.md", "findings.md"):
        assert told_line in (here / "results" / page).read_text()
    assert (here / "results/2007/es.json").is_file() and (here / "results/2007/en.md").is_file()


def test_two_runs_of_the_same_name_in_a_folder_are_both_left_out(here: Path) -> None:
    put(here / "runs/en", (here / "runs/en/alpha.txt").read_bytes(), "alpha.txt.gz")
    result = campaign(code=1)
    assert "AVE706" in result.err
    assert "runs/en/alpha.txt and runs/en/alpha.txt.gz share the name 'alpha'" in result.err
    document = scores_of(here / "results/2007/en.json")
    assert [row["run"] for row in document["runs"] if row["kind"] == "AV"] == ["beta", "gamma"]
    assert document["not_scored"] == ["runs/en/alpha.txt", "runs/en/alpha.txt.gz"]
    index = (here / "results/index.md").read_text()
    assert "- 2007 en: runs/en/alpha.txt.gz: another run is also named alpha" in index
    assert not_scored(result) == 2


def test_two_runs_of_the_same_name_in_two_folders_need_the_setting_names(here: Path) -> None:
    put_all(
        here, {"more/alpha.txt": (here / "runs/en/alpha.txt").read_text().replace("0.9", "0.05")}
    )
    text = CAMPAIGN.replace('"runs/en"', '["runs/en", "more"]')
    result = campaign_of(text.replace('teams = "gold/en.teams.tsv"\n', ""))
    rows = scores_of(here / "results/2007/en.json")["runs"]
    expected = ["en/alpha", "beta", "gamma", "more/alpha"]
    assert [row["run"] for row in rows if row["kind"] == "AV"] == expected
    assert result.code == 0
    names = (
        'names = { "more/alpha.txt" = "other", "en/alpha" = "alpha" }\n[editions.2007.languages.es]'
    )
    result = campaign_of(text.replace("[editions.2007.languages.es]", names))
    assert (result.code, result.err) == (
        0,
        NO_TEAM + NO_TEAM.replace("runs/en/gamma.txt: gamma", "more/alpha.txt: other"),
    )
    rows = scores_of(here / "results/2007/en.json")["runs"]
    expected = ["alpha", "beta", "gamma", "other"]
    assert [row["run"] for row in rows if row["kind"] == "AV"] == expected


def test_a_name_given_to_two_runs_is_found(here: Path) -> None:
    text = CAMPAIGN + 'names = { "alpha.txt" = "delta" }\n'
    result = campaign_of(text, code=1)
    assert "runs/es/alpha.txt and runs/es/delta.txt share the name 'delta'" in result.err
