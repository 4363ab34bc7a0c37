"""Which runs are ranked and compared: primary ones, not the organiser's, and equal ones once. QA
accuracy is calculated by hand: a run is right on the first of eight questions."""

from __future__ import annotations

import csv
import io
import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

import ave_score
from ave_score import campaign as score_campaign
from tests import mostly_slow, slow
from tests.helpers_command import ave, document_of, here_with, output, put_all, refusal
from tests.helpers_logs import inspect_log

QUESTIONS = "abcdefgh"
GOLD = "".join(f'<q id="{q}"><q_str>?</q_str><a id="1" value="VALIDATED"/></q>' for q in QUESTIONS)
RIGHT = {"base_line": 7, "u1_primary": 6, "u2": 8, "v1_primary": 4, "w_primary": 2}
TEAMS = "run\tteam\nu1_primary\tU\nu2\tU\nv1_primary\tV\nw_primary\tW\n"
CAMPAIGN = """\
[editions.y]
measures = "qa_accuracy"
compare = "qa_accuracy"
[editions.y.languages.en]
collection = "gold.xml"
runs = "runs/*"
"""


def answers(right: int) -> list[str]:
    return [
        f"{q} 1 {'SELECTED' if number < right else 'REJECTED'} 0.5\n"
        for number, q in enumerate(QUESTIONS)
    ]


here = here_with(
    {"gold.xml": f"<ave>{GOLD}</ave>", "teams.tsv": TEAMS, "campaign.toml": CAMPAIGN}
    | {f"runs/{name}.txt": "".join(answers(right)) for name, right in RIGHT.items()}
)


def given(*options: str) -> list[str]:
    return ["gold.xml", *map(str, sorted(Path("runs").iterdir())), "-m", "qa_accuracy", *options]


def shown(command: str, *options: str) -> list[list[str]]:
    """Return rank, name and accuracy of each run in the tables, a row [] between tables."""
    lines = output(command, *given(*options), "-f", "markdown").replace("\\", "").splitlines()
    rows = [[cell.strip(" *") for cell in line.split("|")[1:-1]] for line in lines]
    heads = next(row for row in rows if "QA accuracy" in row)
    at = heads.index("QA accuracy")
    named = [[row[0], row[1], row[at]] if len(row) == len(heads) else [] for row in rows]
    return [row for row in named if not row or row[1].split(" ")[0] in [*RIGHT, "zed"]]


def rows_of(*options: str) -> dict[str, dict[str, Any]]:
    return {row["run"]: row for row in document_of("score", *given(*options))["runs"]}


def test_runs_of_the_organiser_are_references(here: Path) -> None:
    rows = [row for row in shown("score", "--reference", "base*") if row]
    assert rows == [
        ["1", "u2", "1.00"],
        ["", "base_line", "0.88"],
        ["2", "u1_primary", "0.75"],
        ["3", "v1_primary", "0.50"],
        ["4", "w_primary", "0.25"],
    ]
    best = output("score", *given("--reference", "base_line", "--reference", "u2"))
    assert "0.75*" in best and "1.00*" not in best
    found = rows_of("--reference", "base*", "--ci", "95")["base_line"]
    assert (found["kind"], found["measures"]["qa_accuracy"]) == ("reference", 0.875)
    assert found["intervals"]["qa_accuracy"][0] > 0.5
    scores = ave_score.score("gold.xml", given()[1:6], reference=["base*"])
    assert scores.to_frame()["kind"]["base_line"] == "reference"


@pytest.mark.parametrize("command", ["score", "compare", "report"])
@pytest.mark.parametrize("option", ["reference", "primary"])
def test_a_pattern_without_a_run_is_an_error(here: Path, command: str, option: str) -> None:
    options = [f"--{option}", "[bu]*", f"--{option}", "x*"]
    said = refusal(command, *given(*options))
    assert f"{option} 'x*' matches no run; there are base_line, u1_primary" in said
    said = refusal(command, *given(f"--{option}", "bass_line"))
    assert f"{option} 'bass_line' matches no run; did you mean base_line?" in said
    put_all(here, {"runs/x1.txt": "a 1 SELECT 0.5\n"})
    broken = ave(command, *given(*options))
    assert broken.code == 1 and "x1.txt:1:5 AVE1" in broken.err and "matches" not in broken.err
    going = ave(command, *given(*options, "--keep-going", "-o", "out"))
    assert going.code == 1 and Path("out").exists()
    assert f"--{option} 'x*' matches only files that are not scored: x1\n" in going.err


def test_comparisons_are_those_without_the_runs_that_are_not_compared(here: Path) -> None:
    """Expected is the comparison of the other files."""
    whole = document_of("compare", *given("--reference", "base*", "--primary", "*_primary"))
    names = [f"runs/{name}.txt" for name in RIGHT if name.endswith("_primary")]
    alone = document_of("compare", "gold.xml", *names, "-m", "qa_accuracy")
    (measure,), (expected,) = whole["measures"], alone["measures"]
    apart = {run["run"]: (run["value"], run["reason"]) for run in measure.pop("apart")}
    assert apart == {"u2": (1, "not primary"), "base_line": (0.875, "reference")}
    assert measure == expected
    rows = shown("compare", "--reference", "base*", "--primary", "*_primary")
    apart_rows = [["", "u2 (not primary)", "1.000"], ["", "base_line (reference)", "0.875"]]
    assert [row for row in rows if row][-2:] == apart_rows
    # the folder of the organiser is no team
    for name, right in RIGHT.items():
        put_all(here, {f"teams/{name[0]}/{name}.txt": "".join(answers(right))})
    for command in ("score", "compare"):
        text = output(command, "gold.xml", "teams", "-m", "qa_accuracy", "--reference", "base*")
        of_team = {line.split()[0]: " b " in line for line in text.splitlines() if "base_" in line}
        assert of_team == {"base_line": False}
    with_teams = ["--teams", "teams.tsv", "--primary", "*_primary"]
    (line,) = [line for line in output("compare", *given(*with_teams)).splitlines() if "u2" in line]
    assert line.split()[:4] == ["u2", "(not", "primary)", "U"]
    # an organiser compares all with a baseline of its own
    found = document_of("compare", *given("--reference", "b*", "--against", "base_line"))
    (measure,) = found["measures"]
    assert {pair["other"] for pair in measure["pairs"]} == {"base_line"}
    assert "apart" not in measure


def test_primary_runs_are_ranked_in_a_table_of_their_own(here: Path) -> None:
    (here / "teams.tsv").write_text(TEAMS.replace("w_primary\tW", "w_primary\tV"))
    given_teams = ["--teams", "teams.tsv", "--primary", "*_primary"]
    rows = shown("score", *given_teams)
    cut = next(n for n, row in enumerate(rows) if row and row[1] == "w_primary") + 1
    primary = [["1", "u1_primary", "0.75"], ["2", "v1_primary", "0.50"], ["3", "w_primary", "0.25"]]
    assert [row for row in rows[:cut] if row] == primary
    others = [["", "u2", "1.00"], ["", "base_line", "0.88"]]
    assert [row for row in rows[cut:] if row] == others + primary
    assert rows_of(*given_teams)["u2"]["primary"] is False
    note = "More than one primary run: V (v1_primary and w_primary)."
    assert note in output("score", *given(*given_teams))
    notes = document_of("score", *given("--teams", "teams.tsv", "--primary", "u*"))["notes"]
    assert notes == ["No primary run: V.", "More than one primary run: U (u1_primary and u2)."]
    read = csv.DictReader(io.StringIO(output("score", *given(*given_teams), "-f", "csv")))
    assert [row["primary"] for row in read if row["kind"] == "AV"] == ["0", "1", "0", "1", "1"]


@pytest.mark.parametrize(
    "words", [("yes", "no", "1", "True"), slow((("TRUE", "", "Yes", "true"),))]
)
def test_a_column_of_the_teams_names_the_primary_runs(here: Path, words: tuple[str, ...]) -> None:
    """As patterns do, which override it."""
    lines = [f"{line}\t{word}\n" for line, word in zip(TEAMS.split("\n")[1:], words, strict=False)]
    put_all(here, {"teams.tsv": "run\tteam\tprimary\nbase_line\tO\t\n" + "".join(lines)})
    by_name, teams = ["--primary", "*_primary"], ["--teams", "teams.tsv"]
    for command in ("score", "compare"):
        assert shown(command, *teams) == shown(command, *teams, *by_name)
    assert rows_of(*teams, "--primary", "u2")["v1_primary"]["primary"] is False
    runs = given()[1:6]
    page = ave_score.report("gold.xml", runs, measures="qa_accuracy", teams="teams.tsv")
    names = [row.name.full for row in page.figures.rankings[0].rows if row.rank]
    assert names == ["u1_primary", "v1_primary", "w_primary"]
    put_all(here, {"campaign.toml": CAMPAIGN + 'teams = "teams.tsv"\n'})
    (result,) = score_campaign("campaign.toml", "results").results
    assert [row.run for row in result.ranked] == names
    put_all(here, {"campaign.toml": CAMPAIGN + 'teams = "teams.tsv"\nprimary = "u*"\n'})
    (result,) = score_campaign("campaign.toml", "results").results
    assert [row.run for row in result.ranked] == ["u1_primary", "u2"]


def test_a_run_that_a_column_of_primary_runs_does_not_list_is_told(here: Path) -> None:
    put_all(here, {"teams.tsv": "run\tteam\tprimary\n" + "".join(
        f"{name}\t{name[0]}\tyes\n" for name in RIGHT if name != "base_line")})  # fmt: skip
    told = "ave-score: --teams: not listed, so not primary: base_line\n"
    for command in ("score", "compare", "report"):
        options = [*given("--teams", "teams.tsv"), *["-o", "out"] * (command == "report")]
        assert ave(command, *options).err == told
        assert not ave(command, *options, "--reference", "base*").err
        assert not ave(command, *options, "--primary", "u*").err
    # a table that names no run of the campaign at all would be an error
    put_all(here, {f"teams/U/u{right}.txt": "".join(answers(right)) for right in (3, 4)})
    put_all(here, {"teams.tsv": (here / "teams.tsv").read_text() + "U/u4\tU\tyes\n"})
    text = CAMPAIGN.replace("runs/*", "teams/{team}/*")
    put_all(here, {"campaign.toml": text + 'teams = "teams.tsv"\n'})
    (result,) = score_campaign("campaign.toml").results
    said = "U/u3 is not in teams, which name primary runs"
    assert ("teams/U/u3.txt", said) in [(note.path, note.summary) for note in result.notes]


def test_equal_runs_share_their_rank_and_are_marked(here: Path) -> None:
    """Other lines in another order: the same answers. Another order of confidences: another run.
    Which is given first does not matter: nobody knows who copied."""
    lines = answers(RIGHT["u1_primary"])
    put_all(here, {"runs/zed.txt": "".join(reversed(lines))})
    text = "equal verdicts and order of confidences"
    for doubled in (False, True):  # twice as much confidence in all answers
        if doubled:
            put_all(here, {"runs/zed.txt": "".join(lines).replace("0.5", "1")})
        rows = [row for row in shown("score") if row]
        assert [row[:2] for row in rows[1:]] == [
            ["2", "base_line"],
            ["3=", "u1_primary (same as zed)"],
            ["3=", "zed (same as u1_primary)"],
            ["5", "v1_primary"],
            ["6", "w_primary"],
        ]
        turned = ave_score.score("gold.xml", given()[1:7][::-1], measures="qa_accuracy")
        assert {row.shown for row in turned.rows if row.remark} == {row[1] for row in rows[2:4]}
        found = rows_of()["zed"]
        assert (found["note"], found["ranked"]) == (f"same as u1_primary: {text}", True)
        assert rows_of("--primary", "zed")["u1_primary"]["note"] == f"same as zed: {text}"
    compared = document_of("compare", *given())
    assert compared["notes"] == [f"zed is the same as u1_primary: {text}."]
    (measure,) = compared["measures"]
    assert len(measure["pairs"]) == 15 and "apart" not in measure  # of 6 runs
    ranks = {row[1]: row[0] for row in shown("compare") if row}
    same = "u1_primary (same as zed)", "zed (same as u1_primary)"  # as scores call them
    assert ([ranks[name] for name in same], ranks["v1_primary"]) == (["3=", "3="], "5")
    page = ave_score.report("gold.xml", given()[1:7], measures="qa_accuracy")
    assert page.ranking_notes[0] == f"u1_primary, same as zed: {text}."
    ranks = {row.name.full: row.rank for row in page.figures.rankings[0].rows}
    assert (ranks["u1_primary (same as zed)"], ranks["v1_primary"]) == ("3=", "5")
    both = ["gold.xml", "runs/u1_primary.txt", "runs/zed.txt", "-m", "qa_accuracy"]
    assert document_of("compare", *both)["measures"][0]["pairs"][0]["p"] == 1
    put_all(here, {"runs/zed.txt": "".join(lines).replace("0.5", "0.4", 1)})
    assert "note" not in rows_of()["zed"]


def test_runs_with_unlike_figures_are_not_the_same(here: Path) -> None:
    """The Brier score is 1/4 if all is 0.5 sure; sure by 0.4, it is (6 * .6^2 + 2 * .4^2) / 8."""
    put_all(here, {"runs/zed.txt": "".join(answers(6)).replace("0.5", "0.4")})
    files = ["gold.xml", "runs/u1_primary.txt", "runs/zed.txt"]
    both = {run["run"]: run for run in document_of("score", *files, "-m", "f1")["runs"]}
    assert "note" in both["zed"]
    both = {run["run"]: run for run in document_of("score", *files, "-m", "f1,brier")["runs"]}
    assert both["u1_primary"]["measures"]["brier"] == 0.25
    assert both["zed"]["measures"]["brier"] != 0.25
    assert "note" not in both["zed"]


def test_pages_for_others_do_not_tell_which_runs_are_equal(here: Path) -> None:
    (here / "teams.tsv").write_text(f"{TEAMS}zed\tZ\n")
    put_all(here, {"runs/zed.txt": "".join(answers(RIGHT["u1_primary"]))})
    for audience in ("organisers", "public", "U", "V", "Z"):
        options = ["--teams", "teams.tsv", "--audience", audience, "-o", "page.html"]
        output("report", *given(*options))
        page = (here / "page.html").read_text("utf-8")
        assert ("same as u1_primary" in page) is (audience == "organisers")
        assert ("same as another run" in page) is (audience in ("U", "Z"))
        assert ("(same as " in page) is (audience in ("organisers", "U", "Z"))
        assert "not ranked" not in page
    # outcomes show it anyway
    options = ["--audience", "public", "--share", "outcomes", "-o", "page.html"]
    output("report", *given(*options))
    assert "same as u1_primary" in (here / "page.html").read_text("utf-8")


def test_the_organiser_sets_a_run_apart_by_its_name(here: Path) -> None:
    """Also a primary one; for other teams it is not ranked, for whatever reason."""
    put_all(here, {"runs/zed_primary.txt": "".join(answers(RIGHT["u1_primary"]))})
    more = 'primary = "*_primary"\napart = "zed*"\nteams = "teams.tsv"\n'
    (here / "teams.tsv").write_text(f"{TEAMS}zed_primary\tZ\nbase_line\tB\n")
    put_all(here, {"campaign.toml": CAMPAIGN + more})
    scored = score_campaign("campaign.toml", "results")
    (result,) = scored.results
    assert [row.run for row in result.ranked] == ["u1_primary", "v1_primary", "w_primary"]
    assert result.compared is not None and result.scores is not None
    names = [standing.run for standing in result.compared.comparisons[0].standings]
    assert names == ["u1_primary", "v1_primary", "w_primary"]
    marks = {row.run: row.shown for row in result.runs if row.remark}
    assert marks == {
        "u1_primary": "u1_primary (same as zed_primary)",
        "zed_primary": "zed_primary (not ranked, same as u1_primary)",
    }
    text = "set apart by the organisers; equal verdicts and order of confidences"
    page = (here / "results/y/en.md").read_text().replace("\\", "")
    assert f"zed_primary, not ranked, same as u1_primary: {text}." in page
    mails = {team: scored.pages[f"teams/{team}.txt"] for team in "UVZ"}
    assert "not ranked, same as another run: set apart by" in scored.pages["teams/Z.html"]
    of_v = mails["V"] + scored.pages["teams/V.html"]
    assert "(not ranked)" in of_v and "same as" not in of_v and "zed" not in of_v
    put_all(here, {"campaign.toml": CAMPAIGN + 'apart = "zde*"\n'})
    said = "AVE708 y en: apart refers to 'zde*', which is not a run"
    assert said in ave("campaign", "campaign.toml").err


def test_a_page_has_the_runs_of_the_organiser_as_baselines(here: Path) -> None:
    """Curves, questions and groups of questions have them, too."""
    put_all(here, {"by.tsv": "".join(f"{q}\t{q < 'e'}\n" for q in QUESTIONS)})
    more = ["--reference", "base*", "--breakdown", "by.tsv", "--teams", "teams.tsv"]
    more += ["--against", "base_line", "--share", "everything"]
    for audience in ("public", "U"):
        output("report", *given(*more, "--audience", audience, "-o", "page.html"))
        page_text = (here / "page.html").read_text("utf-8").replace("<wbr/>", "")
        assert page_text.count("base_line") > 3
    runs = given()[1:6]
    page = ave_score.report("gold.xml", runs, measures="qa_accuracy", reference="base_line")
    ranking = next(one for one in page.figures.rankings if one.measure.key == "qa_accuracy")
    names = [row.name.full for row in ranking.rows]
    assert names == ["u2", "u1_primary", "v1_primary", "w_primary"]
    assert "base_line 0.875" in [level.label for level in ranking.levels]


def test_teams_of_questions_on_a_page_have_the_runs_that_its_scores_have(here: Path) -> None:
    """As `score --breakdown` has them: the organiser's run is last, and no best one, as in ranks.
    Of the first four questions all but w_primary have all right, of the others u2 has 4, base_line
    3 and u1_primary 2."""
    put_all(here, {"by.tsv": "".join(f"{q}\t{'one' if q < 'e' else 'two'}\n" for q in QUESTIONS)})
    names = ["--reference", "base*", "--primary", "*_primary"]
    text = output("score", *given(*names, "--breakdown", "by.tsv"))
    assert "Not primary: u2." in " ".join(text.split())
    rows = "".join(f"{name}\tG\t{name != 'u2'}\n" for name in RIGHT)
    put_all(here, {"primary.tsv": f"run\tteam\tprimary\n{rows}"})
    ways: list[dict[str, Any]] = [{"primary": "*_primary"}, {"teams": "primary.tsv"}]
    for how in ways:
        page = ave_score.report(
            "gold.xml", given()[1:6], measures="qa_accuracy", by="by.tsv", reference="base*", **how
        )
        (table,), ((grid,),) = page.breakdowns, page.figures.grids
        names = [*sorted({*RIGHT} - {"base_line"}), "base_line"]
        assert [row[0] for row in table.rows[::4]] == names
        assert "Not primary: u2." in table.notes
        found = {head.name.full: [cell.is_best for cell in cells] for head, cells in grid.rows}
        best = {"u1_primary": [True] * 4, "v1_primary": [True, False, False, False]}
        assert found == dict.fromkeys(RIGHT, [False] * 4) | best


@pytest.mark.parametrize("share", mostly_slow(ave_score.Shared, 1))
def test_a_team_may_hand_in_the_run_of_the_organiser(here: Path, share: ave_score.Shared) -> None:
    """Its own page says so, other pages do not say whose run it is."""
    text = CAMPAIGN.replace("runs/*", "teams/{team}/*") + 'reference = "O/*"\n'
    for audience in ("organisers", "public"):
        put_all(here, {"campaign.toml": f'share = "{share}"\n{text}'})
        runs = {"O/base": 5, "A/twin": 5, "B/b": 3}
        put_all(here, {f"teams/{name}.txt": "".join(answers(n)) for name, n in runs.items()})
        pages = score_campaign("campaign.toml", audience=audience).pages
    assert "O/base" in pages["y/en.html"].replace("<wbr/>", "")
    for audience in ("organisers", "A", "B"):
        put_all(here, {"teams.tsv": "run\tteam\ntwin\tA\nb\tB\n"})
        options = ["--teams", "teams.tsv", "--reference", "base", "-m", "qa_accuracy"]
        options += ["--audience", audience] if audience != "organisers" else []
        options += ["--share", share.name.lower()] if audience != "organisers" else []
        files = [f"teams/{name}.txt" for name in runs]
        output("report", "gold.xml", *files, *options, "-o", "page.html")
        page = (here / "page.html").read_text("utf-8").replace("<wbr/>", "")
        assert ("same as" in page) is (audience != "B")
        assert ("twin" in page) is (audience != "B")
    mails = score_campaign("campaign.toml").pages
    assert "same as" in mails["teams/A.txt"] and "same as" not in mails["teams/B.txt"]
    assert "twin" not in mails["teams/B.txt"] + mails["teams/B.html"]


@pytest.mark.parametrize("share", mostly_slow(ave_score.Shared, 1))
def test_no_team_makes_the_run_of_another_team_look_like_its_own(
    here: Path, share: ave_score.Shared
) -> None:
    """Whatever names its files have: those of others on its page are other ones, without team."""
    hostile = ["another run 1", "another run 2", "another run 1*", "another system 1"]
    runs = {**dict.fromkeys(hostile, "A"), "b": "B", "another run 3": "B", "c": "C"}
    put_all(here, {"teams.tsv": "".join(f"{name}\t{team}\n" for name, team in runs.items())})
    for number, name in enumerate(runs):
        put_all(here, {f"all/{name}.txt": "".join(answers(number))})
    for team in "ABC":
        audience = ave_score.Audience(team, share)
        page = ave_score.report(
            "gold.xml", [f"all/{n}.txt" for n in runs], measures="qa_accuracy", teams="teams.tsv",
            audience=audience)  # fmt: skip
        rows = [row for row in page.seen.scores.rows if row.kind in ("AV", "QA")]
        own = {name for name, run in runs.items() if run == team}
        assert {row.run for row in rows if row.team} == own
        assert {row.team for row in rows} == {team, None}
        assert len({row.run for row in rows}) == len(runs)
        accuracy = {name: n for n, name in enumerate(runs)}
        for row in rows:  # the figures of a run are its own
            if row.team:
                value = row.values["qa_accuracy"]
                assert value == pytest.approx(accuracy[row.run] / 8, abs=0.0051)
        assert page.own == own
        if page.seen.compared is not None:
            assert {*page.seen.compared.teams} == own
        hidden = {"team", "remark", "digest"}  # and a field of which nothing is said is, too
        for row in [*rows, *(page.seen.compared.rows if page.seen.compared else ())]:
            shown = {name for name in row._fields if getattr(row, name) not in (None, b"")}
            assert row.team or not shown & hidden


@pytest.mark.parametrize("setting", mostly_slow(["reference", "primary"], 1))
def test_a_campaign_with_a_pattern_that_names_nothing_is_refused(here: Path, setting: str) -> None:
    """As `score` does; a run of any language of the edition will do, and a refused file."""
    two = """\
        [editions.y]
        compare = "none"
        languages = ["en", "es"]
        collection = "gold.xml"
        runs = "teams/{language}/*"
        """
    put_all(here, {f"teams/{name}/{name}.txt": "".join(answers(3)) for name in ("en", "es")})
    bad = {"teams/es/bad.txt": "a 1 SELECT 0.5\n"}
    put_all(here, {"teams/en/other.txt": "".join(answers(4))} | bad)
    for pattern, line in (("sp*", 2), ("esp", 2), ("other", None), ("es", None), ("b?d", None)):
        put_all(here, {"campaign.toml": f'{two}{setting} = ["o*", "{pattern}"]\n'})
        scored = ave("campaign", "campaign.toml")
        said = f"AVE708 y en: {setting} refers to '{pattern}', which is not a run"
        assert (said in scored.err) is (line is not None)
        assert (here / "results").exists() is (line is None)
        if line is None:
            shutil.rmtree(here / "results")
            note = f"note: y en: {setting}: no run is named like '{pattern}'"
            assert (note in scored.err) is (pattern != "other")
            refused = f"note: y es: {setting}: '{pattern}' matches only files that are not scored"
            assert (f"{refused}: bad" in scored.err) is (pattern == "b?d")
            assert ave("check", "campaign.toml").err.count(refused) == (pattern == "b?d")
    # nobody knows the systems in a table that is refused
    put_all(here, {"teams/es/systems.tsv": "q_id\trun\tjudgement\na\tesp\tnonsense\n"})
    put_all(here, {"campaign.toml": f'{two}reference = "esp"\n'})
    scored = ave("campaign", "campaign.toml")
    assert "not scored: y es: teams/es/systems.tsv" in scored.err
    assert "note: y es: reference: no run is named like 'esp'" in scored.err


def test_a_campaign_names_its_own_and_the_primary_runs(here: Path) -> None:
    """Of equal runs, all are ranked, whichever came first."""
    put_all(here, {"runs/zed_primary.txt": "".join(answers(RIGHT["u1_primary"]))})
    times = '"u1_primary" = 2026-05-01T12:00:01Z, "zed_primary" = 2026-05-01T12:00:00Z'
    more = 'reference = "base_*"\nprimary = "*_primary"\nteams = "teams.tsv"\n'
    more += f"submitted = {{ {times} }}\n"
    put_all(here, {"campaign.toml": CAMPAIGN + more})
    (result,) = score_campaign("campaign.toml", "results").results
    assert result.scores is not None and result.compared is not None
    ranked = ["u1_primary", "v1_primary", "w_primary", "zed_primary"]
    assert [row.run for row in result.ranked] == ranked
    assert [row.run for row in result.runs] == sorted({*RIGHT, "zed_primary"} - {"base_line"})
    names = [standing.run for standing in result.compared.comparisons[0].standings]
    assert names == ["u1_primary", "zed_primary", "v1_primary", "w_primary"]
    notes = [(note.path, note.summary) for note in result.notes]
    assert ("primary", "No primary run: U.") not in notes
    equal = "zed_primary is the same as u1_primary: equal verdicts and order of confidences"
    assert ("runs/zed_primary.txt", equal) in notes
    assert not [note for note in notes if "base_line" in note[1]]  # it needs no team
    table = list(csv.reader(io.StringIO((here / "results/y/participants.csv").read_text())))
    assert [row for row in table if row[0] == "Runs"] == [["Runs", "5", "5"]]
    tex = Path("results/y/en.tex").read_text().replace("\\_", "_")
    note = "u1_primary, same as zed_primary: equal verdicts and order of confidences."
    for title in ("primary runs", "all runs", "4 runs on 8 questions"):
        of_table = tex.partition(f": {title}.}}")[2].partition("\\end{table}")[0]
        assert note in of_table
        assert ("Not primary: u2." in of_table) is title.startswith("4")
    mail = Path("results/teams/U.txt").read_text()
    assert re.findall(r"^u1_primary.* (1= of 4 +0.75) ", mail, re.M)
    assert re.search(r"^u2 +1.00", mail, re.M)  # it has no rank
    best = Path("results/y/best-selection.md").read_text()
    assert "each team is represented by its best primary run." in best


def test_tables_of_the_best_name_what_is_in_them(here: Path) -> None:
    """By hand: first is right on all 8 questions, but has no rank, and second on 5, so .63."""
    right = {"first": 8, "second": 5}
    rows = [
        f"{q}\t{name}\t{'R' if at < right[name] else 'W'}"
        for name in right
        for at, q in enumerate(QUESTIONS)
    ]
    settings = 'judged = "s.tsv"\napart = "first"\nprimary = "*_primary"\nteams = "teams.tsv"\n'
    files = {"s.tsv": "\n".join(["q_id\trun\tjudgement", *rows, ""])}
    files |= {"runs/u3.txt": "".join(answers(8)), "teams.tsv": f"{TEAMS}u3\tU\n"}
    put_all(here, files | {"campaign.toml": CAMPAIGN + settings})
    score_campaign("campaign.toml", "results")
    best = Path("results/y/best-selection.md").read_text()
    assert "| *Best QA system* | 0.63 (second) |\n| *QA system 2* |  |" in best
    assert "u2 (same as u3)" in Path("results/y/en.md").read_text()
    assert "u3" not in best


def test_thresholds_and_teams_of_questions_know_which_runs_count(here: Path) -> None:
    """By hand: all confidences are 0.5, so every run is best if it accepts all answers: F 1.00."""
    put_all(here, {"runs/zed.txt": "".join(answers(RIGHT["v1_primary"]))})
    put_all(here, {"by.tsv": "".join(f"{q}\t{q < 'e'}\n" for q in QUESTIONS)})
    names = ["--reference", "base*", "--primary", "*_primary", "--primary", "zed"]
    files = given()[:-2]
    text = output("score", *files, "--sweep", "f1", *names, "-f", "markdown").replace("\\", "")
    cells = [[cell.strip() for cell in line.split("|")[1:3]] for line in text.splitlines()[4:]]
    assert cells[:6] == [
        ["1=", "u1_primary"],
        ["", "u2"],
        ["1=", "v1_primary (same as zed)"],
        ["1=", "w_primary"],
        ["1=", "zed (same as v1_primary)"],
        ["", "*base_line*"],  # ties are in the order of tables of scores
    ]
    assert "Not primary: u2." in text
    result = document_of("score", *given("--breakdown", "by.tsv", *names))
    kinds = {run["run"]: run["kind"] for run in result["runs"]}
    assert [*kinds.items()][-1] == ("base_line", "reference") and kinds["u2"] == "AV"
    assert result["notes"] == ["Not primary: u2."]
    whole = document_of("score", *given("--breakdown", "by.tsv"))["runs"]
    named = [str(run | {"kind": kinds[run["run"]]}) for run in whole]
    assert sorted(map(str, result["runs"])) == sorted(named)


def judged(kind: str, a: str, b: str, c: str) -> dict[str, str]:
    """Return a judged file of systems: of each question a letter, and the column of a kind."""
    rows = [
        f"{number // (1 + (kind == 'replicate'))}\t{name}\t{cell[0]}\t{cell[1:]}"
        for name, text in (("a", a), ("b", b), ("c", c))
        for number, cell in enumerate(text.split())
    ]
    return {"judged.tsv": "\n".join([f"q_id\trun\tjudgement\t{kind}", *rows, ""])}


def log(first: str, second: str) -> str:
    return inspect_log([("sum", 1, "4", first, 0.75), ("capital", 1, "Rome", second, 0.5)])


SET = {"type": "list", "question": "?", "sets": [{"answers": [["a"], ["b"]]}]}
LISTS = {"schema": "ave-score/answer-sets/1", "questions": [{"id": "1"} | SET, {"id": "2"} | SET]}
RESPONSES = {f"{run}.tsv": f"q_id\tanswer\n1\t{item}\n2\tc\n" for run, item in ("aa", "ba", "cb")}


@pytest.mark.parametrize("files", mostly_slow([
    {"gold.json": json.dumps(LISTS)} | RESPONSES,
    judged("confidence", "R W R", "R W R", "R R W"),
    judged("confidence", "R1 W3 R5", "R2 W6 R10", "R1 W5 R3"),  # b has twice the confidences of a
    judged("confidence", "R X R", "R X R", "R W R"),  # c is wrong for another reason
    judged("answered", "Ryes Wno Wyes", "Ryes Wno Wyes", "Ryes Wyes Wno"),
    judged("replicate", "R1 W2 R1 R2", "R1 W2 R1 R2", "R1 R2 W1 R2"),  # half of another question
    {"a.json": log("C", "I"), "b.json": log("C", "I"), "c.json": log("I", "C")},
], 3))  # fmt: skip
def test_equal_systems_are_marked_as_equal_runs_are(here: Path, files: dict[str, str]) -> None:
    """By hand: a and b are equal, and c has the same figures for other reasons."""
    put_all(here, files)
    found = document_of("score", *files)["runs"]
    is_open = "gold.json" in files  # a response is right or wrong by its text alone
    why = "equal answers" if is_open else "equal outcomes and order of confidences"
    assert [(row["run"], row.get("note")) for row in found] == [
        ("a", f"same as b: {why}"),
        ("b", f"same as a: {why}"),
        ("c", None),
    ]
    assert found[0]["measures"] == found[1]["measures"] == found[2]["measures"]
    gold, *runs = [[*files]] if "a.json" in files else files
    scores = ave_score.score(gold, runs)
    assert [row.shown for row in scores.rows] == ["a (same as b)", "b (same as a)", "c"]
    measure = scores.measures[0].key
    compared = document_of("compare", *files, "-m", measure, "--resamples", "100")
    assert f"b is the same as a: {why}." in compared["notes"]
    few = ave_score.Design(resampling=ave_score.Resampling(100))
    page = ave_score.report(gold, runs, design=few)
    assert page.ranking_notes[0] == f"a, same as b: {why}."
    said = " ".join(ave("score", *files).out.split())
    assert f"a, same as b: {why}." in said and f"b, same as a: {why}." not in said  # a pair once
