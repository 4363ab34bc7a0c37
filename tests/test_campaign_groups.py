"""Campaign files for organisers: teams from folders, blocks of languages, limits of runs.

Expected figures are calculated by hand, or come from the same campaign written out in full.
"""

from __future__ import annotations

import io
import json
import os
import re
import shutil
import unicodedata
from contextlib import nullcontext
from itertools import repeat
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import ave_score
from ave_score import DefectError, Findings
from ave_score import campaign as score_campaign
from tests import mostly_slow
from tests.conftest import ROOT
from tests.helpers_command import put_all
from tests.helpers_files import COLLECTION, RUN, positions, put
from tests.test_campaign import (
    SPANISH,
    SPANISH_BEST,
    SPANISH_RUN,
    ave,
    campaign,
    campaign_of,
    cells_of,
    pages_of,
    rows_of,
    scores_of,
)

posix = pytest.mark.skipif(os.name == "nt", reason="links and names of other systems")

BLOCK = """\
[editions.2008]
measures = "f1"
languages = ["en", "es"]
collection = "gold/{language}.xml"
runs = "submissions/{team}/{language}/*.txt"
compare = "none"
"""

ENGLISH = """\
[editions.a]
compare = "none"
[editions.a.languages.b]
collection = "gold/en.xml"
"""


def surer(number: int) -> str:
    """Return the English run with another order of confidences, so that it is no copy."""
    return RUN.replace(" 0.1", f" 0.{(15, 25, 65, 75)[number]}")


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in a folder with the submissions of two teams in two languages."""
    monkeypatch.chdir(tmp_path)
    put_all(
        tmp_path,
        {
            "campaign.toml": BLOCK,
            "gold/en.xml": COLLECTION,
            "gold/es.xml": SPANISH,
            "submissions/UNED/en/run1.txt": RUN,
            "submissions/Uni Évora/en/run1.txt": surer(1),
            "submissions/UNED/es/run1.txt": SPANISH_RUN,
            "submissions/UNED/es/run2.txt": SPANISH_BEST,
        },
    )
    return tmp_path


def findings_of(text: str) -> Findings:
    return ave_score.check(io.BytesIO(text.encode()), kind="campaign").findings


def notes_of(result: Any) -> list[str]:  # noqa: ANN401 - one of `Campaign.results`
    return [f"{note.path}: {note.summary}" for note in result.notes]


def results_of(text: str) -> list[Any]:
    Path("campaign.toml").write_text(text, encoding="utf-8")
    return [*score_campaign("campaign.toml").results]


def runs_of(result: Any) -> dict[str, str | None]:  # noqa: ANN401 - one of `Campaign.results`
    return {row.run: row.team for row in result.runs}


def test_folders_give_teams_and_names_of_runs(here: Path) -> None:
    result = campaign()
    assert (result.code, result.err) == (0, "")
    rows = rows_of(scores_of(here / "results/2008/en.json"), "AV")
    teams = {"UNED/run1": "UNED", "Uni Évora/run1": "Uni Évora"}
    assert {row["run"]: row["team"] for row in rows} == teams
    rows = rows_of(scores_of(here / "results/2008/es.json"), "AV")
    assert {row["run"]: row["team"] for row in rows} == {"UNED/run1": "UNED", "UNED/run2": "UNED"}
    # as in test_campaign.py: F of RUN is 4/5, of SPANISH_RUN 2/3, of SPANISH_BEST 1
    expected = [["team", "en", "es"], ["UNED", "0.80", "1.00"], ["Uni Évora", "0.80", ""]]
    assert cells_of(here / "results/2008/best-validation.csv") == expected


def test_names_do_not_depend_on_other_files(here: Path) -> None:
    for team in ("Uni Évora", "UNED"):
        english = results_of(BLOCK)[0]
        assert f"{team}/run1" in runs_of(english)
        shutil.rmtree(here / "submissions" / team)
    put_all(here, {f"submissions/{team}/en/run1.txt": RUN for team in "abc"})
    assert [*runs_of(results_of(BLOCK)[0])] == ["a/run1", "b/run1", "c/run1"]


@pytest.mark.parametrize(("pattern", "file", "name"), mostly_slow([
    ("{team}/{language}/*.txt", "G/en/r.txt", "G/r"),
    ("{team}/{language}/*", "G/en/r.txt.gz", "G/r"),
    ("{team}/{language}", "G/en/r.txt", "G/r"),
    ("{team}/{language}/", "G/en/a/r.txt", "G/a/r"),
    ("{team}", "G/r.txt", "G/r"),
    ("{team}", "G/en/deep/r.txt", "G/en/deep/r"),
    ("{team}/*/{language}.txt", "G/first/en.txt", "G/first/en"),
    ("{team}/{language}-*.txt", "G/en-1.txt", "G/en-1"),
    ("{team}/run[12]/r.txt", "G/run2/r.txt", "G/run2/r"),
    ("{team}/only.txt", "G/only.txt", "G/only"),
    ("{language}/{team}/*", "en/G/r.txt", "G/r"),
    ("*/{team}/*", "round 1/G/r.txt", "G/r"),
    ("./{team}/./*", "G/r.txt", "G/r"),
    ("[x]/{team}/*", "[x]/G/r.txt", "G/r"),
    ("{team}/[[]x]/*", "G/[x]/r.txt", "G/[x]/r"),
    ("{team}/*", "[x]/r.txt", "[x]/r"),
    ("{team}/*", "*/r.txt", "*/r"),
    ("{team}/*", "{team}/r.txt", "{team}/r"),
    ("{team}/*", "Uni G, 2nd/r.txt", "Uni G, 2nd/r"),
], 9))  # fmt: skip
def test_a_pattern_gives_team_and_name(here: Path, pattern: str, file: str, name: str) -> None:
    import gzip

    data = gzip.compress(RUN.encode()) if file.endswith("gz") else RUN
    put_all(here, {f"[new]/{file}": data})
    shutil.move(here / "gold", here / "[new]" / ".gold")
    put(here / "[new]", "", "loose.txt")  # in no team
    text = BLOCK.replace('"en", "es"', '"en"').replace("gold/", ".gold/")
    put(here / "[new]", text.replace("submissions/{team}/{language}/*.txt", pattern), "c.toml")
    (result,) = score_campaign(here / "[new]/c.toml").results
    assert runs_of(result) == {name: name.rpartition("/")[0].partition("/")[0]}
    assert result.reports == []


def test_plain_and_grouped_runs_may_be_listed_together(here: Path) -> None:
    put_all(here, {"baselines/all.txt": RUN, "baselines/run1.txt": RUN})
    text = BLOCK.replace('"submissions', '["baselines", "submissions').replace('.txt"', '.txt"]')
    expected = {"UNED/run1": "UNED", "Uni Évora/run1": "Uni Évora", "all": None, "run1": None}
    assert runs_of(results_of(text)[0]) == expected


def test_teams_of_the_file_win_and_contradictions_are_noted(here: Path) -> None:
    text = BLOCK + 'teams = { "UNED/run1" = "U. N. E. D.", "Uni Évora/run1" = "Uni Évora" }\n'
    english, spanish = results_of(text)
    assert runs_of(english) == {"UNED/run1": "U. N. E. D.", "Uni Évora/run1": "Uni Évora"}
    assert notes_of(english) == [
        "submissions/UNED/en/run1.txt: UNED/run1 is in the folder of UNED, but of U. N. E. D. in "
        "teams, which counts"
    ]
    assert runs_of(spanish) == {"UNED/run1": "U. N. E. D.", "UNED/run2": "UNED"}


def test_a_run_is_renamed_by_its_own_name(here: Path) -> None:
    """`UNED/run1` is in both languages, each time another file."""
    text = BLOCK.replace('languages = ["en", "es"]\n', "")
    text += '[editions.2008.languages.en.names]\n"UNED/run1" = "first"\n'
    text += "[editions.2008.languages.es]\n"
    assert ["first" in runs_of(result) for result in results_of(text)] == [True, False]


def test_names_of_the_file_win_and_the_team_stays(here: Path) -> None:
    text = BLOCK.replace('languages = ["en", "es"]\n', "").replace("[editions.2008]\n", "")
    text = "[editions.2008.languages.en]\n" + text.replace('measures = "f1"\n', "").replace(
        'compare = "none"\n', ""
    )
    found = results_of(text + 'names = { "UNED/en/run1" = "Best one" }\n')[0]
    assert runs_of(found) == {"Best one": "UNED", "Uni Évora/run1": "Uni Évora"}


def test_systems_of_a_judged_file_belong_to_the_team_of_its_folder(here: Path) -> None:
    judged = "q_id\trun\tjudgement\n1\tqa_1\tR\n2\tqa_1\tW\n3\tqa_1\tW\n1\tqa_2\tR\n"
    put_all(here, {"gold/en.qa.tsv": judged, "systems/G/en/two.tsv": judged})
    text = BLOCK.replace('"f1"', '"qa_accuracy"').replace("submissions", "systems")
    found = results_of(text.replace(".txt", ".tsv"))[0]
    assert runs_of(found) == {"qa_1": "G", "qa_2": "G"}


def test_composed_and_decomposed_letters_are_the_same_team(here: Path) -> None:
    decomposed = unicodedata.normalize("NFD", "Uni Évora")
    assert decomposed != "Uni Évora"
    put_all(here, {f"submissions/{decomposed}/en/run2.txt": surer(2)})
    found = results_of(BLOCK + 'teams = { "Uni Évora/run2" = "Évora" }\n')[0]
    assert runs_of(found)["Uni Évora/run2"] == "Évora"
    assert runs_of(results_of(BLOCK)[0])["Uni Évora/run2"] == "Uni Évora"
    put_all(here, {f"submissions/{decomposed}/en/run1.txt": surer(3)})
    found = results_of(BLOCK)[0]
    if len({*Path("submissions").iterdir()}) == 3:  # some systems store one of them
        assert [report.not_scored for report in found.reports] == [True, True]


@posix
def test_teams_that_differ_only_in_case_are_noted(here: Path) -> None:
    put_all(here, {"submissions/Uned/en/run1.txt": surer(2)})
    found = results_of(BLOCK)[0]
    assert {*runs_of(found).values()} == {"UNED", "Uned", "Uni Évora"}
    assert notes_of(found) == ["teams: UNED and Uned are counted as different teams"]


def test_a_language_without_runs_is_a_note_where_teams_have_folders(here: Path) -> None:
    put(here, BLOCK.replace('"es"', '"es", "eu"'), "campaign.toml")
    put(here / "gold", COLLECTION, "eu.xml")
    result = campaign()
    note = "submissions/{team}/eu/*.txt: no run of any team was found"
    assert (result.code, result.err) == (0, f"ave-score: note: 2008 eu: {note}\n")
    result = campaign_of(BLOCK.replace("submissions", "no"), code=1)
    assert "AVE707 warning: 2008 en: runs 'no/{team}/en/*.txt' match no file" in result.err


@pytest.mark.slow
@posix
@pytest.mark.parametrize(("link", "target"), [
    ("submissions/UNED/en/gold.txt", "../../../gold/en.xml"),
    ("submissions/UNED/en/mine.txt", "../../Uni Évora/en/run1.txt"),
    ("submissions/UNED/en/again.txt", "run1.txt"),
    ("submissions/Linked", "UNED"),
    ("submissions/Other", "/"),
    ("submissions/UNED/more", "../Uni Évora"),
])  # fmt: skip
def test_links_below_folders_of_teams_are_not_followed(here: Path, link: str, target: str) -> None:
    text = BLOCK.replace("{language}/*.txt", "*/*" if "more" in link else "{language}/*.txt")
    text = text.replace('"en", "es"', '"en"').replace("/*/*", "") if "more" in link else text
    expected = {name: runs_of(results_of(text)[0])[name] for name in runs_of(results_of(text)[0])}
    (here / link).symlink_to(target)
    assert runs_of(results_of(text)[0]) == expected
    result = campaign(code=1)
    line = f"run {link} is reached through a link, which {{team}} does not follow; it is not scored"
    assert result.err.count(line) == 1


@posix
def test_loops_of_links_end(here: Path) -> None:
    (here / "submissions/loop").symlink_to("loop")
    (here / "submissions/UNED/en/self.txt").symlink_to("self.txt")
    (here / "submissions/UNED/up").symlink_to("../..")
    for pattern in ("{team}", "{team}/*/*"):
        result = campaign_of(BLOCK.replace("{team}/{language}/*.txt", pattern), code=1)
        links = "submissions/UNED/en/self.txt, submissions/UNED/up"
        assert f" files not scored: {links}" in result.out.splitlines()[0]


@posix
def test_the_folder_of_the_teams_may_be_a_link_or_outside(here: Path) -> None:
    expected = runs_of(results_of(BLOCK)[0])
    (here / "inside").mkdir()
    put(here / "inside", BLOCK.replace('"gold', '"../gold').replace('"subm', '"../subm'), "c.toml")
    assert runs_of(score_campaign("inside/c.toml").results[0]) == expected
    (here / "link").symlink_to("submissions")
    assert runs_of(results_of(BLOCK.replace("submissions", "link"))[0]) == expected


def test_notes_backups_and_hidden_files_are_no_runs(here: Path) -> None:
    names = ["README", "README.txt", "readme.md", "run1.txt~", "#run1.txt#", "Thumbs.db"]
    names += [".DS_Store", ".run1.txt.swp", "run1.txt.swo", "desktop.ini"]
    put_all(here, {f"submissions/UNED/en/{name}": "no run" for name in names})
    for pattern in ("submissions/{team}/{language}/*", "submissions/{team}/{language}"):
        result = campaign_of(BLOCK.replace("submissions/{team}/{language}/*.txt", pattern))
        shown = pattern.replace("{language}", "en")
        expected = f"ave-score: note: 2008 en: {shown}: 8 files not scored, not named like runs: "
        assert result.code == 0 and result.err.startswith(expected)
        assert result.err.count("\n") == 1
    for runs in ("submissions/UNED/en", "submissions/UNED/en/*"):
        (found,) = results_of(ENGLISH + f'runs = "{runs}"')
        assert [*runs_of(found)] == ["run1"]


def test_a_file_that_is_named_is_a_run_whatever_its_name(here: Path) -> None:
    put_all(here, {"README.txt": RUN, ".hidden.txt": RUN, "run~": RUN})
    (found,) = results_of(ENGLISH + 'runs = ["README.txt", ".hidden.txt", "run~"]\n')
    assert [*runs_of(found)] == ["README", ".hidden", "run~"]


def test_a_file_in_the_runs_of_two_languages_is_noted_once(here: Path) -> None:
    put_all(here, {"submissions/UNED/README.txt": "x"})
    text = BLOCK.replace("{language}/*.txt", "*.txt")
    noted = ["\n".join(notes_of(result)).count("README") for result in results_of(text)]
    assert noted == [1, 0]


STRAYS = ["UNED/en/late.TXT", "UNED/en/run3.csv", "UNED/es.zip", "UNED/fr/run.txt", "New/run.txt"]
"""Files that `submissions/{team}/{language}/*.txt` misses, all but one of a team with runs."""


def test_submissions_that_no_pattern_takes_are_named(here: Path) -> None:
    """In the list, in the index, and to their team alone; what is no submission is a note."""
    more = dict.fromkeys(("UNED/notes~", "UNED/en/README.md", "UNED/.hidden"), "x")
    put_all(here, {f"submissions/{name}": text for name, text in more.items()})
    assert (campaign().code, ave("campaign", "list", "campaign.toml").code) == (0, 0)
    put_all(here, {f"submissions/{name}": RUN for name in STRAYS})
    (here / "submissions/UNED/link.csv").symlink_to("en/run1.txt")
    put_all(here, {"submissions/a_team_without_a_folder.zip": "x"})
    names = [*STRAYS, "UNED/link.csv", "a_team_without_a_folder.zip"]
    strays = [f"submissions/{name}" for name in names]
    scored, listed = campaign(), ave("campaign", "list", "campaign.toml", "-f", "json")
    index = (here / "results/index.md").read_text().replace("\\", "")
    assert (scored.code, listed.code) == (1, 1)
    patterns = "submissions/{team}/en/*.txt, submissions/{team}/es/*.txt"
    for stray in strays:
        said = f"{stray}: matches no pattern of runs ({patterns}); it is not scored"
        assert f"ave-score: not scored: 2008 en: {said}\n" in scored.err
        assert f"ave-score: not scored: 2008 en: {said}\n" in listed.err
        assert f"- 2008 en: {said}" in index
        assert stray in [note["path"] for note in json.loads(listed.out)["notes"]]
    skipped = "submissions/UNED: 2 files not scored, not named like runs: README.md, notes~"
    assert f"note: 2008 en: {skipped}\n" in scored.err and "hidden" not in scored.err
    for team, own in (("UNED", STRAYS[:4]), ("New", STRAYS[4:]), ("Uni_Evora", [])):
        for suffix in ("txt", "html"):
            mail = " ".join((here / f"results/teams/{team}.{suffix}").read_text().split())
            told = [name for name in STRAYS if f"submissions/{name} matches no pattern" in mail]
            assert told == own


@posix
@pytest.mark.parametrize(("runs", "missed"), [
    # the folder that the pattern names, and all below it
    ("runs/*.txt", "a.TXT b.csv late.zip deep/x/c.txt deep/x/d.TXT deep/e.zip"),
    ("runs/*/x/*.txt", "first.txt link.txt a.TXT b.csv late.zip deep/x/d.TXT deep/e.zip"),
    ("runs/deep/*/*.txt", "deep/x/d.TXT deep/e.zip"),
    ("runs/deep/x/[c]*", "deep/x/d.TXT"),
    # a folder and a file leave nothing out
    ("runs", ""),
    ("runs/first.txt", ""),
])  # fmt: skip
def test_submissions_beside_a_pattern_are_named(here: Path, runs: str, missed: str) -> None:
    names = "first.txt a.TXT b.csv late.zip deep/x/c.txt deep/x/d.TXT deep/e.zip"
    put_all(here, {f"runs/{name}": RUN for name in names.split()})
    others = ("gold.xml", "README", ".hidden.txt")
    put_all(here, {f"runs/{name}": COLLECTION for name in others})
    put_all(here, {f"runs/old/{n}": "{}" for n in ("index.md", "findings.md", "cache.json")})
    (here / "runs/link.txt").symlink_to("first.txt")  # another name of a run
    text = ENGLISH.replace("gold/en.xml", "runs/gold.xml") + f'runs = "{runs}"\n'
    put(here, f'{text}teams = "runs/teams.tsv"\n', "campaign.toml")
    put(here / "runs", "first\tA\n", "teams.tsv")
    listed = ave("campaign", "list", "campaign.toml", "-f", "json")
    said = re.findall(r"not scored: a b: runs/(\S+): matches no pattern of runs", listed.err)
    assert sorted(said) == sorted(missed.split()) and listed.code == bool(missed)


@pytest.mark.parametrize("runs", ["*.txt", "./*.txt", "*/*.txt"])
def test_what_lies_beside_the_campaign_file_is_only_noted(here: Path, runs: str) -> None:
    """Scripts and papers are there, too; a submission among them is named all the same."""
    folder = "new" if runs == "*/*.txt" else "."
    put_all(here, {f"{folder}/{name}": RUN for name in ("run.txt", "late.TXT", "Makefile")})
    put_all(here, {"scripts/deep/x": "x"})
    put(here, ENGLISH + f'runs = "{runs}"\n', "campaign.toml")
    listed = ave("campaign", "list", "campaign.toml", code=0)
    said = re.findall(r"(\d) files not scored, beside the campaign file; .*: (.*)", listed.err)
    assert ("2", "Makefile, late.TXT") in said and "campaign.toml" not in str(said)


def test_files_that_the_campaign_names_otherwise_are_no_submissions(here: Path) -> None:
    """Nor are runs of another language or edition, and results."""
    put_all(here, {"submissions/UNED/fr/run1.txt": RUN, "submissions/UNED/gold.xml": COLLECTION})
    text = BLOCK + BLOCK.replace("2008", "2009").replace('["en", "es"]', '["fr"]')
    text = text.replace("gold/{language}.xml", "submissions/UNED/gold.xml", 2)
    put(here, text.replace('"submissions/UNED/gold.xml"', '"gold/{language}.xml"', 1), "c.toml")
    assert ave("campaign", "list", "c.toml").code == 0
    put_all(here, {f"submissions/UNED/old/{n}": "" for n in ("index.md", "findings.md")})
    put_all(here, {"submissions/UNED/old/cache.json": "{}"})
    assert ave("campaign", "list", "c.toml").code == 0


@pytest.mark.slow
def test_a_team_with_too_many_files_costs_no_other_team_anything(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put_all(here, {"submissions/Full/en/run.txt": RUN})
    original = os.scandir

    def scandir(folder: Any = ".") -> Any:  # noqa: ANN401 - as of `os`
        if Path(str(folder)).parts[-2:] != ("Full", "en"):
            return original(folder)
        return nullcontext(repeat(SimpleNamespace(name="run.txt"), 100_001))

    monkeypatch.setattr(os, "scandir", scandir)
    said = "submissions/Full: has more than 100,000 files; it is not scored\n"
    listed, scored = ave("campaign", "list", "campaign.toml"), campaign()
    assert (listed.code, scored.code) == (1, 1) and f"not scored: 2008 en: {said}" in listed.err
    assert f"not scored: 2008 en: {said}" in scored.err
    assert "UNED/run1" in listed.out and "Full" not in listed.out
    assert [*scores_of(here / "results/2008/en.json")["runs"]]
    mail = " ".join((here / "results/teams/Full.txt").read_text().split())
    assert "submissions/Full has more than 100,000 files" in mail


def test_runs_that_no_team_names_are_noted(here: Path) -> None:
    names = ("first", "second", "zzz")
    put_all(here, {f"runs/{name}.txt": surer(n) for n, name in enumerate(names)})
    text = ENGLISH + 'runs = "runs"\n'
    assert notes_of(results_of(text)[0]) == []  # no teams at all
    with pytest.raises(DefectError, match="'secnd', which is not a run; did you mean second"):
        results_of(text + 'teams = { first = "A", secnd = "B" }\n')
    put(here, "first\tA\nother\tB\n", "teams.tsv")
    (found,) = results_of(text + 'teams = "teams.tsv"\n')
    assert notes_of(found) == [
        "runs/second.txt: second has no team",
        "runs/zzz.txt: zzz has no team",
        "teams.tsv: no run or system is named other",
    ]
    put(here / "runs", "broken", "broken.txt")  # what the teams name may be a run in it
    put(here, "first\tA\nsecond_\tB\n", "teams.tsv")
    (found,) = results_of(text + 'teams = "teams.tsv"\n')
    assert notes_of(found) == [
        "runs/second.txt: second has no team; did you mean second_?",
        "runs/zzz.txt: zzz has no team",
    ]
    put(here / "runs", "broken", "zzzz.txt")  # the teams mean this run
    put(here, "first\tA\nzzzz\tB\n", "teams.tsv")
    (found,) = results_of(text + 'teams = "teams.tsv"\n')
    assert "runs/zzz.txt: zzz has no team" in notes_of(found)


def test_teams_are_of_all_languages_that_share_them(here: Path) -> None:
    put(here, "UNED/run1\tU\nUNED/run2\tU\nUni Évora/run1\tE\n", "teams.tsv")
    for teams in ('"teams.tsv"', '{ "UNED/run1" = "U", "UNED/run2" = "U" }'):
        english, spanish = results_of(BLOCK + f"teams = {teams}\n")
        assert runs_of(spanish) == {"UNED/run1": "U", "UNED/run2": "U"}
        assert not any("refers" in note or "named" in note for note in notes_of(english))
    with pytest.raises(DefectError, match="teams refers to 'UNED/run3', which is not a run"):
        results_of(BLOCK + 'teams = { "UNED/run3" = "U" }\n')


def test_a_block_is_the_same_as_a_table_for_each_language(here: Path) -> None:
    put_all(here, {f"gold/{name}.teams.tsv": "UNED/run1\tUNED\n" for name in ("en", "es")})
    judged = "q_id\trun\tjudgement\n1\tqa_1\tR\n2\tqa_1\tW\n3\tqa_1\tW\n"
    put_all(here, {"gold/en.qa.tsv": judged, "gold/es.qa.tsv": judged.replace("1\t", "a\t")})
    block = BLOCK + 'judged = "gold/{language}.qa.tsv"\nteams = "gold/{language}.teams.tsv"\n'
    long = ""
    for language in ("en", "es"):
        settings = [line for line in block.splitlines()[1:] if not line.startswith("lang")]
        long += f"[editions.2008.languages.{language}]\n"
        long += "\n".join(settings).replace("{language}", language) + "\n"
    put(here, block, "campaign.toml")
    put(here, long, "long.toml")
    first = campaign()
    second = campaign("long.toml", "-o", "long")
    assert first.code == second.code
    pages, expected = pages_of(here / "results"), pages_of(here / "long")
    assert pages["2008/es.json"] == expected["2008/es.json"]
    for name in ("index.md", "findings.md"):  # name the campaign file and its lines
        del pages[name], expected[name]
    assert pages == expected


def test_a_language_overrides_single_settings(here: Path) -> None:
    text = BLOCK.replace('languages = ["en", "es"]\n', "max_runs_per_team = 1\n")
    text += "[editions.2008.languages.en]\n[editions.2008.languages.es]\n"
    limit = "UNED has 2 runs, 1 allowed"
    assert [limit in str(notes_of(result)) for result in results_of(text)] == [False, True]
    text += "max_runs_per_team = 2\n"
    assert not [note for result in results_of(text) for note in notes_of(result)]
    text += 'runs = "submissions/UNED/es"\n'
    expected = [{"UNED/run1": "UNED", "Uni Évora/run1": "Uni Évora"}, {"run1": None, "run2": None}]
    assert [runs_of(result) for result in results_of(text)] == expected


@pytest.mark.parametrize(("languages", "message"), [
    ('["en", "en"]', "a name that differs in more than case"),
    ('["en", "EN"]', "a name that differs in more than case"),
    ('["en", "../es"]', "it is used as a file name"),
    ('["en", ".."]', "it is used as a file name"),
    ('["en", "*"]', "it is used as a file name"),
    ('["en", "{team}"]', "it is used as a file name"),
    ('["en", "Collections"]', "this one is reserved"),
])  # fmt: skip
def test_names_of_languages_are_names_of_files(here: Path, languages: str, message: str) -> None:
    result = campaign_of(BLOCK.replace('["en", "es"]', languages), code=1)
    assert "campaign.toml:3 AVE703 " in result.err and message in result.err
    assert not (here / "results").exists()


@given(st.text("{}team/lane.*[]\\ é", max_size=20))
def test_any_pattern_is_read_or_refused(text: str) -> None:
    quoted = text.replace("\\", "\\\\")
    findings = findings_of(BLOCK.replace("submissions/{team}/{language}/*.txt", quoted))
    pattern = text.replace("{language}", "en")
    if findings.errors:
        assert {position[0] for position in positions(findings)} == {"AVE703"}
    else:
        assert set(pattern.split("/")) >= {"{team}"} or "{" not in pattern


def test_more_runs_than_allowed_are_noted_and_scored(here: Path) -> None:
    result = campaign_of(BLOCK + "max_runs_per_team = 1\n")
    note = "UNED has 2 runs, 1 allowed: UNED/run1, UNED/run2"
    assert result.code == 0
    assert result.err == f"ave-score: note: 2008 es: max_runs_per_team: {note}\n"
    assert len(rows_of(scores_of(here / "results/2008/es.json"), "AV")) == 2
    assert "UNED has 2 runs" in (here / "results/2008/es.md").read_text()
    put(here / "submissions/UNED/es", "broken", "run3.txt")
    notes = notes_of(results_of(BLOCK + "max_runs_per_team = 2\n")[1])
    listed = "UNED/run1, UNED/run2, UNED/run3 (not scored)"
    assert notes == [f"max_runs_per_team: UNED has 3 runs, 2 allowed: {listed}"]
    assert notes_of(results_of(BLOCK + "max_runs_per_team = 3\n")[1]) == []


def test_limits_that_cannot_be_checked_are_noted_or_stop_the_campaign(here: Path) -> None:
    text = BLOCK.replace("{team}", "UNED") + "max_runs_per_team = 1\n"
    expected = ["max_runs_per_team: is not checked, since no run has a team"]
    assert notes_of(results_of(text)[0]) == expected
    closes = "2008 en closes at 2026-05-01T23:59:00Z, but names no times of submission; "
    for more, said in (
        ("closes = 2026-05-01T23:59:00Z\n", f"campaign.toml: {closes}set submitted, or"),
        (CLOSES.removeprefix(BLOCK), "times.tsv: does not exist; nothing is scored, since"),
    ):
        put(here, BLOCK + more, "campaign.toml")
        for command in ((), ("list",)):
            refused = ave("campaign", *command, "campaign.toml")
            assert (refused.code, refused.out) == (2, "")
            assert refused.err.startswith(f"ave-score: {said}")
        checked = ave("check", "campaign.toml")  # what is refused, whenever it is checked
        assert (checked.code, f"ave-score: {said}" in checked.err) == (2, True)
        (_, *remarks) = findings_of(BLOCK + more).unchecked  # the file alone may be before its time
        assert any(closes.removesuffix("; ") in remark for remark in remarks) == (
            "submitted" not in more
        )
    assert not (here / "results").exists()


CLOSES = BLOCK + 'closes = 2026-05-01T23:59:00Z\nsubmitted = "times.tsv"\n'


def test_late_runs_are_noted_to_the_second_and_scored(here: Path) -> None:
    put(here, CLOSES, "campaign.toml")
    rows = [
        "run\tsubmitted",
        "submissions/UNED/en/run1.txt\t2026-05-01T23:59:00Z",  # in time
        "Uni Évora/en/run1.txt\t2026-05-02T01:59:01+02:00",  # 23:59:01 in UTC: a second late
        "UNED/es/run1\t2026-05-01T19:00-05:00",  # 00:00 in UTC: a minute late
        "UNED/run2\t2026-05-03T00:00:00Z",  # by the name: a day and a minute late
    ]
    put(here, "\n".join(rows) + "\n", "times.tsv")
    result = campaign()
    end = "after 2026-05-01T23:59:00Z"
    assert result.err.splitlines() == [
        "ave-score: note: 2008 en: submissions/Uni Évora/en/run1.txt: submitted "
        f"2026-05-02T01:59:01+02:00, 0:00:01 {end}",
        "ave-score: note: 2008 es: submissions/UNED/es/run1.txt: submitted "
        f"2026-05-01T19:00:00-05:00, 0:01:00 {end}",
        "ave-score: note: 2008 es: submissions/UNED/es/run2.txt: submitted "
        f"2026-05-03T00:00:00Z, 1 day, 0:01:00 {end}",
    ]
    assert result.code == 0
    assert len(rows_of(scores_of(here / "results/2008/es.json"), "AV")) == 2


def test_runs_without_a_time_are_noted(here: Path) -> None:
    put(here, "UNED/en/run1.txt\t2026-05-01T20:00Z\n", "times.tsv")
    english, spanish = results_of(CLOSES)
    assert notes_of(english) == ["submissions/Uni Évora/en/run1.txt: has no time of submission"]
    folder = "submissions/UNED/es"
    assert notes_of(spanish) == [
        f"submitted: 2 files have no time of submission: {folder}/run1.txt, {folder}/run2.txt"
    ]
    put(here, "Uni Évora/run1\t2026-05-01T20:00Z\nen/run1\t2026-05-01T20:00Z\n", "times.tsv")
    assert notes_of(results_of(CLOSES)[0]) == [
        "submissions/UNED/en/run1.txt: has no time of submission: en/run1 may be any of 2 runs",
        "submissions/Uni Évora/en/run1.txt: has no time of submission: en/run1 may be any of 2 "
        "runs",
    ]


def test_a_time_of_runs_of_several_tasks_is_of_none(here: Path) -> None:
    """Of two files in two tasks; one file may be a run of both."""
    put(here, CLOSES, "campaign.toml")
    put(here, "UNED/run1\t2026-05-01T20:00Z\n", "times.tsv")
    for command in ((), ("list",)):
        refused = ave("campaign", *command, "campaign.toml")
        assert (refused.code, refused.out) == (2, "")
        assert refused.err == (
            "ave-score: campaign.toml: submitted of 2008 en: 'UNED/run1' is of "
            "submissions/UNED/en/run1.txt and submissions/UNED/es/run1.txt; name one file by the "
            "end of its path; nothing is scored, since the times of submission are not known\n"
        )
    put(here, "UNED/en/run1\t2026-05-01T20:00Z\nUNED/es/run1\t2026-05-01T20:00Z\n", "times.tsv")
    assert ave("campaign", "campaign.toml").code == 0
    put(here, "Uni Évora/run1\t2026-05-01T20:00Z\n", "times.tsv")
    campaign_of(CLOSES + CLOSES.replace("2008", "2009"), code=0)


def test_times_may_be_a_table_and_of_a_language(here: Path) -> None:
    text = BLOCK.replace('languages = ["en", "es"]\n', "closes = 2026-05-01T12:00:00+02:00\n")
    text += '[editions.2008.languages.en]\nruns = "submissions/UNED/en"\n'
    text += "submitted = { run1 = 2026-05-01T10:00:00Z }\n"
    text += '[editions.2008.languages.es]\nruns = "submissions/UNED/es"\n'
    text += 'submitted = { "run1.txt" = "2026-05-01 10:00:00.25Z", run2 = 2026-05-01 10:00:00Z }\n'
    english, spanish = results_of(text)
    assert notes_of(english) == []
    assert notes_of(spanish) == [
        "submissions/UNED/es/run1.txt: submitted 2026-05-01T10:00:00.250000Z, 0:00:00.250000 "
        "after 2026-05-01T12:00:00+02:00"
    ]


def test_unusable_times_are_reported(here: Path) -> None:
    put(here, "b\t2026-05-01T09:00Z\na\tyesterday\n", "times.tsv")
    result = campaign_of(CLOSES)
    assert (result.code, result.out) == (2, "")
    assert result.err.startswith("ave-score: times.tsv: line 2: AVE709 the time of 'a' is ")
    assert not (here / "results").exists()
    # a table without a header is recognised by its first row
    result = ave("check", "times.tsv", "-f", "concise", code=1)
    assert result.out.startswith("times.tsv:2:3 AVE709 the time of 'a' is 'yesterday', expected")


@pytest.mark.parametrize(
    "header", ["run\tsubmitted", "Run\tTime", "file,submission time", '"run","time"', "Lauf;Abgabe"]
)
def test_a_header_of_times_may_have_any_names(here: Path, header: str) -> None:
    mark = next(one for one in "\t,;" if one in header)
    rows = ["UNED/en/run1", "UNED/es/run1", "UNED/run2", "Uni Évora/run1"]
    times = "".join(f"{row}{mark}2026-05-02T00:00:00Z\n" for row in rows)
    put(here, f"{header}\n{times}", "times.tsv")
    late = "submitted 2026-05-02T00:00:00Z, 0:01:00 after 2026-05-01T23:59:00Z"
    english, spanish = results_of(CLOSES)
    assert [note.partition(": ")[2] for note in notes_of(english)] == [late] * 2
    assert [note.partition(": ")[2] for note in notes_of(spanish)] == [late] * 2
    for kind in ((), ("--kind", "times")):  # which is recognised, too
        result = ave("check", "times.tsv", *kind, "-f", "json")
        (file,) = json.loads(result.out)["files"]
        assert (file["kind"], file["contents"], result.code) == ("times", {"runs": 4}, 0)


def test_a_line_of_times_has_two_columns(here: Path) -> None:
    put(here, "one\t2026-05-02\tx\n", "times.tsv")
    assert "expected 2: run<TAB>submitted" in ave("check", "times.tsv", "--kind", "times").out


@pytest.mark.parametrize(("times", "name", "hint"), [
    ('{ "UNDE/run2" = 2026-05-01T10:00:00Z }', "UNDE/run2", "; did you mean UNED/run2?"),
    ('{ "run1.txt" = 2026-05-01T10:00:00Z }', "run1.txt", ""),  # of which team?
    ('{ "*" = 2026-05-01T10:00:00Z }', "*", ""),
    ('"times.tsv"', "UNDE/run2", "; did you mean UNED/run2?"),
])  # fmt: skip
def test_times_of_no_run_are_an_error(here: Path, times: str, name: str, hint: str) -> None:
    put(here, "UNED/run1\t2026-05-01T10:00Z\nUNDE/run2\t2026-05-01T10:00Z\n", "times.tsv")
    result = campaign_of(BLOCK + f"submitted = {times}\n")
    # the line of the name: in the table of times, or the last line of the campaign file
    own = f"campaign.toml:{BLOCK.count(chr(10)) + 1}"
    place = "times.tsv:2" if times == '"times.tsv"' else own
    line = f"{place} AVE708 2008 en: submitted refers to '{name}', which is not a run{hint}"
    assert result.code == 1 and line in result.err.splitlines()
    assert not (here / "results").exists()


def test_runs_are_listed_and_not_scored(here: Path) -> None:
    put(here / "submissions/UNED/en", "not even a run", "run2.txt")
    put(here, BLOCK.replace('"es"', '"es", "fr"'), "campaign.toml")
    put(here / "gold", COLLECTION, "fr.xml")
    result = ave("campaign", "list", "campaign.toml", "--format", "csv")
    assert result.out.splitlines() == [
        "edition,language,team,run,file,submitted",  # whether times are known or not
        "2008,en,UNED,UNED/run1,submissions/UNED/en/run1.txt,",
        "2008,en,UNED,UNED/run2,submissions/UNED/en/run2.txt,",
        "2008,en,Uni Évora,Uni Évora/run1,submissions/Uni Évora/en/run1.txt,",
        "2008,es,UNED,UNED/run1,submissions/UNED/es/run1.txt,",
        "2008,es,UNED,UNED/run2,submissions/UNED/es/run2.txt,",
    ]
    note = "note: 2008 fr: submissions/{team}/fr/*.txt: no run of any team was found"
    assert (result.code, result.err) == (0, f"ave-score: {note}\n")
    assert not (here / "results").exists()


def test_the_list_has_times_teams_and_what_is_left_out(here: Path) -> None:
    put_all(here, {"submissions/UNED/en/run1.text": RUN, "submissions/UNED/en/run9.txt": RUN})
    shutil.rmtree(here / "submissions/UNED/es")  # which no task would take
    text = CLOSES.replace("*.txt", "*").replace('"en", "es"', '"en"')
    put(here, text + 'teams = { "UNED/run9" = "nine" }\n', "campaign.toml")
    put(here, "UNED/run9\t2026-05-02T00:00:00Z\n", "times.tsv")
    result = ave("campaign", "list", "campaign.toml", "--format", "json", code=0)
    document = json.loads(result.out)
    folder = "submissions/UNED/en"
    assert [
        (row["team"], row["run"], row["file"], row["submitted"], row["not_scored"])
        for row in document["runs"]
    ] == [
        ("nine", "UNED/run9", f"{folder}/run9.txt", "2026-05-02T00:00:00Z", False),
        ("Uni Évora", "Uni Évora/run1", "submissions/Uni Évora/en/run1.txt", None, False),
        ("UNED", "UNED/run1", f"{folder}/run1.text", None, True),
        ("UNED", "UNED/run1", f"{folder}/run1.txt", None, True),
    ]
    notes = [(note["language"], note["path"], note["text"]) for note in document["notes"][:2]]
    place = ("en", f"{folder}/run9.txt")
    assert notes == [
        (*place, "UNED/run9 is in the folder of UNED, but of nine in teams, which counts"),
        (*place, "submitted 2026-05-02T00:00:00Z, 0:01:00 after 2026-05-01T23:59:00Z"),
    ]
    assert "AVE706" in result.err


def test_a_list_of_an_unusable_file_or_without_files(here: Path) -> None:
    put(here, BLOCK.replace("runs =", "rums ="), "campaign.toml")
    result = ave("campaign", "list", "campaign.toml")
    assert (result.code, result.out) == (1, "")
    assert result.err.endswith("ave-score: nothing listed\n")
    put(here, BLOCK.replace("gold/", "no/"), "campaign.toml")
    assert ave("campaign", "list", "campaign.toml").code == 1
    assert ave("campaign", "list", "no.toml").code == 2
    assert ave("campaign", "list", "campaign.toml", "-o", "campaign.toml").code == 2


def test_the_block_of_the_template_can_be_used(here: Path) -> None:
    template = ave("campaign", "init", "-o", "-").out
    assert not len(findings_of(template))
    block = template.partition("# [editions.2008]")[2].replace("\n# ", "\n")
    result = campaign_of("[editions.2008]" + block.replace('"de"', '"es"'))
    assert (result.code, result.err) == (0, "")
    assert ave("check", "campaign.toml").code == 0


def test_a_folder_of_a_team_that_cannot_be_read_is_reported_once(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    access = os.access

    def closed(path: str, mode: int) -> bool:  # as for users that are not root
        return not path.endswith("UNED") and access(path, mode)

    monkeypatch.setattr(os, "access", closed)
    result = campaign(code=1)
    assert result.err.count("run submissions/UNED is not readable; it is not scored") == 1
    assert runs_of(score_campaign("campaign.toml").results[0]) == {"Uni Évora/run1": "Uni Évora"}


@pytest.mark.parametrize("setting", ["primary", "reference", "apart"])
def test_a_pattern_of_nothing_is_named_at_its_line(tmp_path: Path, setting: str) -> None:
    """The setting is in line 3 of the file, its edition in line 1."""
    text = f"""[editions.y]
measures = "f1"
{setting} = "zzz"
[editions.y.languages.en]
collection = "{ROOT}/gold/tiny.xml"
runs = "{ROOT}/sample_runs/tiny"
"""
    path = put(tmp_path, text, "campaign.toml")
    with pytest.raises(DefectError, match=f"toml:3 AVE708 y en: {setting} refers to 'zzz'"):
        ave_score.campaign(path, tmp_path / "results")


def test_teams_with_the_organisers_run_all_read_that_they_have_it(tmp_path: Path) -> None:
    """Whoever comes first by name: both copies are the same as the baseline, which all may know."""
    run = (ROOT / "sample_runs/tiny/bold.txt").read_text()
    for name in ("A/a", "O/base", "Z/z"):
        (tmp_path / "runs" / name).parent.mkdir(parents=True, exist_ok=True)
        put(tmp_path / "runs", run, f"{name}.txt")
    text = f"""[editions.y]
reference = "O/*"
[editions.y.languages.en]
collection = "{ROOT}/gold/tiny.xml"
runs = "runs/{{team}}/*.txt"
"""
    campaign = ave_score.campaign(put(tmp_path, text, "campaign.toml"), tmp_path / "results")
    assert campaign.scores
    for team, own in (("A", "A/a"), ("Z", "Z/z")):
        said = (tmp_path / f"results/teams/{team}.txt").read_text("utf-8")
        assert f"{own} (same as O/base)" in said and "same as another run" not in said


NOT_RUNS = {"todo.txt": "call them\n", "mail.eml": "Dear all,\nwe sent 2 runs.\n", "README": "x\n"}
"""What organisers have beside runs: no line of it could be one."""

BAD_RUNS: dict[str, str | bytes] = {
    "semicolons.txt": "1;1_1;SELECTED;0.9\n",
    "verdicts.txt": "first SELECTED\n",
    "of_others.txt": "77 77_1 SELECTED 0.9\n",
    "scores.txt": "1_1 0.9\n",
    "empty.txt": "",
    "rich.txt": "{\\rtf1 1 1_1}\n",
    "run.zip": b"PK\3\4\0\0",
    "wide.txt": "1 1_1 SELECTED 0.9\n".encode("utf-16"),
}


@pytest.mark.parametrize("pattern", ["subs/{team}", "subs/{team}/*.txt"])
def test_a_folder_of_notes_is_no_team_and_one_of_bad_runs_is(tmp_path: Path, pattern: str) -> None:
    """All that is not scored is told to the organisers, whoever's it is."""
    files = {f"subs/{name.partition('.')[0]}/{name}": text for name, text in BAD_RUNS.items()}
    put_all(
        tmp_path,
        {
            "c.toml": f"[editions.e.tasks.t]\ncollection = 'gold.xml'\nruns = '{pattern}'\n",
            "gold.xml": COLLECTION,
            "subs/good/run.txt": RUN,
            "subs/good/cover.txt": "Dear all,\n",
            **{f"subs/notes {n}/{name}": text for n, (name, text) in enumerate(NOT_RUNS.items())},
            **files,
        },
    )
    result = ave("campaign", str(tmp_path / "c.toml"), "-o", str(tmp_path / "out"))
    assert result.code == 1
    pages = {path.stem for path in (tmp_path / "out/teams").glob("*.txt")}
    assert pages == {"good", *(name.partition(".")[0] for name in BAD_RUNS)}
    findings = (tmp_path / "out/findings.md").read_text("utf-8")
    for name in (*NOT_RUNS, *BAD_RUNS, "cover.txt"):
        assert name.replace("_", "\\_") in findings, name
    assert "cover.txt" in (tmp_path / "out/teams/good.txt").read_text("utf-8")
