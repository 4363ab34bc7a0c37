"""The results folder of a campaign: runs not scored, files kept, failures of the file system."""

from __future__ import annotations

import gzip
import json
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from ave_score.files import run as reading
from ave_score.files.source import Source
from tests import mostly_slow
from tests.helpers_check import posix
from tests.helpers_command import files_of, put_all
from tests.helpers_files import COLLECTION, RUN, put
from tests.test_campaign import (
    JUDGED,
    NO_TEAM,
    NOTHING,
    SPANISH_RUN,
    assert_tables,
    campaign,
    campaign_of,
    cells_of,
    not_scored,
    rows_of,
    scores_of,
)
from tests.test_campaign import UNCOMPARED as CAMPAIGN
from tests.test_campaign import uncompared as here

__all__ = ["here"]

PNG = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\1"


def _may_all() -> bool:
    """Tell whether this process may read what nobody may, as root does."""
    with tempfile.NamedTemporaryFile() as file:
        Path(file.name).chmod(0)
        return os.access(file.name, os.R_OK)


not_root = pytest.mark.skipif(_may_all(), reason="nothing is forbidden to root")


def runs_of(folder: Path, language: str = "en") -> list[str]:
    return [row["run"] for row in rows_of(scores_of(folder / f"2007/{language}.json"), "AV")]


def fresh(here: Path, name: str = "fresh") -> dict[str, bytes]:
    shutil.rmtree(here / name, ignore_errors=True)
    campaign("campaign.toml", "-o", name)
    return files_of(here / name)


def named_everywhere(here: Path, err: str, *words: str) -> None:
    """Assert that a file is named on standard error, in the index and among the findings."""
    findings = (here / "results/findings.md").read_text()
    index = (here / "results/index.md").read_text()
    for word in words:
        assert word in err and word in findings.replace("\\", "")
        assert word in index.replace("\\", "")


CUT = gzip.compress(RUN.encode(), mtime=0)[:-9]
"""A compressed file that ends too early."""

DAMAGED: list[tuple[str, str | bytes, str]] = [
    ("runs/en/strange.txt", "1 1_1 Selected 0,9\n", "AVE103"),
    ("runs/en/strange.txt", CUT, "cannot be decompressed"),
    ("gold/en.xml", COLLECTION.replace("</q>", "", 1), "AVE401"),
    ("gold/en.key.txt", "1 1_1 MAYBE\n", ""),
    ("gold/en.qa.tsv", PNG, ""),
    ("gold/en.teams.tsv", "alpha A\n", ""),
    ("runs/en/strange.txt", "", "AVE115"),
    ("runs/en/strange.txt", "# README\n\nAll runs of the exercise.\n", "AVE101"),
    ("runs/en/strange.txt", PNG, "AVE117"),
    ("runs/en/strange.txt", "%PDF-1.4\n", "AVE11"),
    ("runs/en/strange.txt", RUN.encode("utf-16"), "AVE118"),
    ("runs/en/strange.txt", RUN.replace("3 3_1 REJECTED 0.1\n", ""), "AVE204"),
    ("runs/en/strange.txt", SPANISH_RUN, "AVE20"),
    ("runs/en/strange.txt", COLLECTION, "AVE116"),
    ("runs/en/strange.txt", CAMPAIGN, "AVE1"),
    ("runs/en/strange.txt", "run\tteam\na\tb\n", "AVE1"),
    ("gold/en.xml", COLLECTION.replace(' value="', ' was="'), "AVE407"),
    *(("gold/en.key.txt", data, "") for data in
      ("1 1_1 REJECTED\n", "", PNG, CUT)),
    *(("gold/en.qa.tsv", data, "") for data in
      ("q_id\trun\tjudgement\n1\tqa\tQ\n", "", CUT)),
    *(("gold/en.teams.tsv", data, "") for data in
      ("alpha\tA\nalpha\tB\n", "", PNG, CUT)),
]  # fmt: skip
"""A file of the English runs, what it holds, and what must be said of it."""


@pytest.mark.parametrize(("name", "data", "code"), mostly_slow(DAMAGED, 3))
def test_a_damaged_file_is_left_out_and_what_does_not_need_it_is_scored(
    here: Path, name: str, data: str | bytes, code: str
) -> None:
    put(here, data, name)
    key = '"gold/en.xml"\nkey = "gold/en.key.txt"' if "key" in name else '"gold/en.xml"'
    result = campaign_of(CAMPAIGN.replace('"gold/en.xml"', key), code=1)
    assert not_scored(result) == 1
    results = here / "results"
    assert runs_of(results, "es") == ["alpha", "delta"]
    named_everywhere(here, result.err, f"2007 en: {name}")
    assert code in (results / "findings.md").read_text()
    first = result.out.splitlines()[0]
    assert first.endswith(f", 1 file not scored: {name}")
    assert (results / "index.md").read_text().splitlines()[2].startswith(f"{first}. ")
    page = (results / "2007/en.md").read_text()
    assert_tables(results)
    if name in ("gold/en.xml", "gold/en.key.txt"):
        assert not (results / "2007/en.json").exists()
        assert "Not scored: " in page
        assert cells_of(results / "2007/best-validation.csv")[0] == ["team", "en", "es"]
    else:
        assert runs_of(results) == ["alpha", "beta", "gamma"]
        scores = scores_of(results / "2007/en.json")
        has_teams = {row["team"] for row in scores["runs"]} != {None}
        assert has_teams == ("teams" not in name)
        assert bool(rows_of(scores, "QA")) == ("qa" not in name)
    if name.startswith("runs"):
        assert scores["not_scored"] == [name] and name in page
        assert "| en | 3 | 2 | 1 |" in (results / "index.md").read_text()
        assert cells_of(results / "2007/participants.csv")[-1] == ["Files not scored", "1", "", "1"]
    before = files_of(results)
    again = campaign()
    assert again._replace(out=again.out.replace(f"{NOTHING}\n", "")) == result
    assert files_of(results) == before


def test_a_folder_of_runs_may_hold_folders_and_hidden_files(here: Path) -> None:
    put_all(here, {"runs/en/.DS_Store": PNG, "runs/en/.git/x": "y", "runs/en/more/.x": "z"})
    result = campaign()
    assert (result.code, result.err) == (0, NO_TEAM)
    assert runs_of(here / "results") == ["alpha", "beta", "gamma"]


@posix
def test_what_is_no_file_is_left_out(here: Path) -> None:
    (here / "runs/en/loop.txt").symlink_to("loop.txt")
    (here / "runs/en/gone.txt").symlink_to("no-such-file.txt")
    (here / "runs/en/null.txt").symlink_to("/dev/null")
    result = campaign(code=1)
    assert runs_of(here / "results") == ["alpha", "beta", "gamma"]
    for name in ("loop", "gone", "null"):
        named_everywhere(here, result.err, f"runs/en/{name}.txt")


@not_root
@pytest.mark.parametrize("name", ["runs/en/alpha.txt", "gold/en.xml", "gold/en.qa.tsv", "runs/es"])
def test_what_may_not_be_read_is_left_out(here: Path, name: str) -> None:
    (here / name).chmod(0)
    result = campaign()
    (here / name).chmod(0o755)
    assert result.code == 1 and name in result.err
    assert (here / "results/2007/es.json").exists()


@pytest.mark.parametrize("data", [b"", PNG, b"<ave/>", b"1 1_1 VALIDATED 0.5\n"])
def test_no_collection_at_all_leaves_no_language(here: Path, data: bytes) -> None:
    put(here / "gold", data, "en.xml")
    put(here / "gold", data, "es.xml")
    result = campaign(code=1)
    assert not_scored(result) == 2
    assert not [*(here / "results/2007").glob("best-*")]
    assert_tables(here / "results")
    text = (here / "results/index.md").read_text()
    assert "(2007/en.json)" not in text


@pytest.mark.parametrize(
    ("collection", "setting"),
    [("gold/p.xml", "key"), ("gold/p.xml", "judged"), ("gold/en.qa.tsv", "key")],
    ids=["pairs-key", "pairs-judged", "judged-key"],
)
def test_what_does_not_belong_together_stops_no_other_language(
    here: Path, collection: str, setting: str
) -> None:
    pair = '<pair id="1" value="YES"><q>?</q><t>x</t><h>y</h></pair>'
    put_all(here, {"gold/p.xml": f"<entailment-corpus>{pair}</entailment-corpus>"})
    put_all(here, {"gold/en.key.txt": "1 1_1 VALIDATED\n"})
    other = {"key": "gold/en.key.txt", "judged": "gold/en.qa.tsv"}[setting]
    text = CAMPAIGN.partition("[editions.2007.languages.en]")[0]
    text += CAMPAIGN[CAMPAIGN.index("[editions.2007.languages.es]") :]
    text += f'[editions.2007.languages.x]\ncollection = "{collection}"\n{setting} = "{other}"\n'
    result = campaign_of(text, code=1)
    assert runs_of(here / "results", "es") == ["alpha", "delta"]
    named_everywhere(here, result.err, "2007 x")


def test_two_systems_of_the_same_name_are_not_both_in_a_table(here: Path) -> None:
    put(here / "runs/en", JUDGED, "more.tsv")  # as a run, beside the same as judged
    result = campaign(code=1)
    names = [row["run"] for row in scores_of(here / "results/2007/en.json")["runs"]]
    assert len(names) == len({*names})
    assert "qa_1" in result.err


def test_languages_without_runs_have_their_columns(here: Path) -> None:
    text = CAMPAIGN.replace('runs = "runs/es"\n', "")
    result = campaign_of(text, code=0)
    assert "AVE705" in result.err
    assert cells_of(here / "results/2007/best-validation.csv")[0] == ["team", "en", "es"]
    assert {line[2] for line in cells_of(here / "results/2007/best-validation.csv")[1:]} == {""}
    assert "| es | 0 | 0 | [" in (here / "results/index.md").read_text()


def test_many_files_that_are_left_out_are_named_up_to_fifty(here: Path) -> None:
    for number in range(70):
        put(here / "runs/en", "x\n", f"bad{number}.txt")
    result = campaign(code=1)
    assert result.err.count("not scored: ") == 50
    assert "and 20 more, in findings.md" in result.err
    assert (here / "results/findings.md").read_text().count("(not scored)") == 70


NAMES = [
    "a b", "Zoë ü", "a|b", "**x** _y_", "<script>x</script>", "[x](http://y)", "`code` $x$",
    "# head", "a\\b", "a\nb", "a\r\nb | c", "\x1b[31mred", "\u202eabc", "a\u2028b\u0085c",
    "::error::x", "日本", "=1+1", "50% & more",
]  # fmt: skip


def damaged(data: bytes) -> Iterator[tuple[str, bytes]]:
    """Yield what a record may become: damaged, or of another shape."""
    document = json.loads(data)
    yield "empty", b""
    yield "cut off", data[: len(data) // 2]
    yield "no JSON", b"{" + data
    yield "binary", PNG
    yield "UTF-16", data.decode().encode("utf-16")
    yield "deep", b"[" * 100_000
    yield "huge number", b'{"written": {}, "of": ' + b"9" * 5000 + b"}"
    yield "BOM", b"\xef\xbb\xbf" + data
    anything: list[object] = [None, [], {}, 7, "x", [[]], True]
    for value in anything:
        yield f"is {value}", json.dumps(value).encode()
        yield f"written is {value}", json.dumps(document | {"written": value}).encode()


@pytest.mark.slow
def test_a_damaged_record_is_as_good_as_none(here: Path) -> None:
    campaign()
    expected = files_of(here / "results")
    for name, data in damaged(expected["cache.json"]):
        put(here / "results", data, "cache.json")
        result = campaign()
        assert (result.code, result.err) == (0, NO_TEAM), name
        now = files_of(here / "results")
        assert [one for one in expected if now.get(one) != expected[one]] == [], name
        assert set(now) == set(expected), name


@posix
@pytest.mark.parametrize("content", ["", "{}", "mine"])
def test_a_record_that_is_a_link_is_not_written_through(here: Path, content: str) -> None:
    put(here, content, "victim.txt")
    (here / "results").mkdir()
    (here / "results/cache.json").symlink_to("../victim.txt")
    result = campaign()
    assert result.code in (0, 2)
    assert (here / "victim.txt").read_text() == content


@posix
def test_a_page_that_is_a_link_is_not_written_through(here: Path) -> None:
    campaign()
    page = here / "results/2007/en.md"
    put(here, page.read_bytes(), "victim.md")  # even with what was written before
    page.unlink()
    page.symlink_to("../../victim.md")
    put(here / "runs/en", RUN.replace("SELECTED 0.9", "REJECTED 0.9"), "alpha.txt")
    before = (here / "victim.md").read_bytes()
    result = campaign()
    assert result.code in (0, 2)
    assert (here / "victim.md").read_bytes() == before


@pytest.mark.parametrize("name", mostly_slow([
    "index.md", "2007/en.csv", "2007/best-validation.tex", "2007", "cache.json", "cache.json/x",
], 1))  # fmt: skip
def test_files_of_somebody_else_are_not_written_over(here: Path, name: str) -> None:
    put_all(here, {f"results/{name}": '{"mine": true}\n'})
    result = campaign()
    assert (result.code, result.out) == (2, "")
    assert f"results/{name.removesuffix('/x')}" in result.err
    now = files_of(here / "results")
    assert now.pop(name) == b'{"mine": true}\n' and now.keys() <= {"cache.json"}


def test_other_files_in_the_folder_stay(here: Path) -> None:
    put_all(here, {"results/notes.txt": "mine", "results/2007/notes.md": "mine"})
    assert campaign().code == 0
    campaign_of(CAMPAIGN.replace("2007", "2008"), code=0)
    assert (here / "results/notes.txt").read_text() == "mine"
    assert [*(here / "results/2007").iterdir()] == [here / "results/2007/notes.md"]


def test_a_page_that_somebody_changed_is_not_written_over(here: Path) -> None:
    campaign()
    put(here / "results/2007", "changed", "en.md")
    before = files_of(here / "results")
    result = campaign()
    assert (result.code, result.out) == (2, "")
    assert "results/2007/en.md: exists and was not written by ave-score" in result.err
    assert files_of(here / "results") == before
    (here / "results/2007/en.md").unlink()
    assert campaign().code == 0
    assert files_of(here / "results") == fresh(here)


def test_pages_that_are_no_longer_named_are_removed(here: Path) -> None:
    put(here, CAMPAIGN + CAMPAIGN.replace("2007", "2008").replace('title = "Small"', ""),
        "campaign.toml")  # fmt: skip
    campaign()
    put(here / "results/2008", "changed", "es.md")
    text = CAMPAIGN.partition("[editions.2007.languages.es]")[0]
    campaign_of(text, code=0)
    now = files_of(here / "results")
    assert now.pop("2008/es.md") == b"changed" and now == fresh(here)
    (here / "results/2008/es.md").unlink()
    (here / "results/2008").rmdir()


def test_a_language_that_cannot_be_scored_any_more_keeps_no_tables(here: Path) -> None:
    campaign()
    put(here / "gold", "<ave>", "en.xml")
    campaign()
    assert not (here / "results/2007/en.json").exists()
    assert files_of(here / "results") == fresh(here)


@posix
@pytest.mark.parametrize(
    "output", ["gold/en.xml", "gold/en.xml/x", "x" * 300, "", "x/" * 3000, "/dev/null"]
)
def test_an_output_that_can_be_no_folder_is_refused(here: Path, output: str) -> None:
    before = files_of(here)
    result = campaign("campaign.toml", "--output", output)
    assert (result.code, result.out) == (2, "")
    assert files_of(here) == before


@not_root
def test_an_output_that_may_not_be_written_is_refused(here: Path) -> None:
    (here / "results").mkdir(mode=0o555)
    result = campaign(code=2)
    assert "results" in result.err
    (here / "locked").mkdir(mode=0)
    assert campaign("campaign.toml", "-o", "locked/x").code == 2
    (here / "locked").chmod(0o755)


def test_a_folder_is_made_with_all_above_it(here: Path) -> None:
    assert campaign("campaign.toml", "-o", "a/b c/ü").code == 0
    assert (here / "a/b c/ü/index.md").is_file()


@pytest.mark.parametrize(("output", "runs"), mostly_slow([
    (".", '"runs/en"'),
    *((name, '"runs/en"') for name in ("runs/en", "runs/en/results", "runs", "gold")),
    ("runs/es", '"runs/en/*"'),
    ("runs/en", '"runs/en/*.*"'),
], 2))  # fmt: skip
def test_results_among_the_files_harm_nothing_and_are_no_runs(
    here: Path, output: str, runs: str
) -> None:
    text = CAMPAIGN.replace('"runs/en"', runs).replace('"runs/es"', runs.replace("/en", "/es"))
    put(here, text, "campaign.toml")
    expected = fresh(here)
    shutil.rmtree(here / "fresh")
    put(here, f'output = "{output}"\n{text}', "campaign.toml")
    before = files_of(here)
    for _ in range(2):
        result = campaign()
        now = files_of(here)
        assert {name: now[name] for name in before} == before
        if result.code == 2:  # refused, for something may lie below it
            assert now == before
            assert "results" in result.err
        else:
            assert (result.code, result.err) == (0, NO_TEAM)
            written = files_of(here / output)
            pages = expected.keys() - {"cache.json", "findings.md", "index.md", "index.html"}
            assert {name: written[name] for name in pages} == {n: expected[n] for n in pages}


def test_files_that_change_while_they_are_read_are_read_again_next_time(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    check: Callable[..., object] = reading.check_run

    def changing(source: Source, *given: object) -> object:
        found = check(source, *given)
        if source.path.endswith("delta.txt"):
            put(here / "runs/es", SPANISH_RUN, "delta.txt")
        return found

    monkeypatch.setattr(reading, "check_run", changing)
    campaign()
    monkeypatch.setattr(reading, "check_run", check)
    campaign()
    assert files_of(here / "results") == fresh(here)


def test_two_campaign_files_of_the_same_name_do_not_share_a_folder(here: Path) -> None:
    for team in ("a", "b"):
        put_all(here, {f"{team}/campaign.toml": CAMPAIGN.replace('"gold/', '"../gold/')})
    assert campaign("a/campaign.toml", "-o", "shared").code in (0, 1)
    before = files_of(here / "shared")
    result = campaign("b/campaign.toml", "-o", "shared", code=2)
    assert "shared contains the results of a/campaign.toml" in result.err
    assert files_of(here / "shared") == before


def test_an_edition_without_measures_shows_what_applies(here: Path) -> None:
    text = "q_id\trun\tjudgement\tanswered\n1\tqa\tR\tYES\n2\tqa\tU\tNO\n"
    put_all(here, {"r.qa.tsv": text})
    put(here, '[editions.R]\nletters = "respubliqa"\n[editions.R.languages.x]\n'
        'collection = "r.qa.tsv"\n', "campaign.toml")  # fmt: skip
    assert campaign().code == 0
    page = (here / "results/R/x.md").read_text()
    assert "| 1 | qa | **0.75** |" in page  # (1 + 1·1/2) / 2
    put(here, '[editions.R]\nletters = "respubliqa"\nmeasures = "ave2008"\n'
        '[editions.R.languages.x]\ncollection = "r.qa.tsv"\n', "campaign.toml")  # fmt: skip
    result = campaign(code=0)
    assert "note: R x: r.qa.tsv: none of the measures" in result.err


def test_a_misspelt_name_in_teams_is_an_error(here: Path) -> None:
    teams = 'teams = { alpa = "Uni A" }'
    text = CAMPAIGN.replace('teams = "gold/en.teams.tsv"', teams)
    assert text != CAMPAIGN
    result = campaign_of(text, code=1)
    # the line of the name, not that of its language
    (line,) = (n for n, splitline in enumerate(text.splitlines(), 1) if "alpa" in splitline)
    assert result.err.startswith(
        f"campaign.toml:{line} AVE708 2007 en: teams refers to 'alpa', which is not a run; "
        "did you mean alpha?\n"
    )
    assert result.err.endswith("nothing written\n")
    assert not (here / "results").exists()
    put(here, CAMPAIGN, "campaign.toml")
    put(here / "gold", "# 2007\nalpa\tUni A\nbeta\tUni B\nother_exercise\tUni X\n", "en.teams.tsv")
    assert campaign().err.startswith(
        "gold/en.teams.tsv:2 AVE708 2007 en: teams refers to 'alpa', which is not a run; did you "
        "mean alpha?\n"
    )
