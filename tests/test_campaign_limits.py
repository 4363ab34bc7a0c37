"""Late and surplus runs: marks and notes in every table, and runs that are not ranked.

F and QA accuracy are calculated by hand: the runs differ in how many of four questions they answer.
"""

from __future__ import annotations

import csv
import io
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from lxml import html

import ave_score
from ave_score import Shared, UsageError
from ave_score import campaign as score_campaign
from tests import mostly_slow, slow
from tests.helpers_command import put_all
from tests.helpers_files import RUN
from tests.test_campaign import ave, campaign, cells_of, rows_of, scores_of

QUESTIONS = "abcdefgh"
COLLECTION = "".join(
    f'<q id="{q}"><q_str>?</q_str><a id="1" value="VALIDATED"/><a id="2" value="REJECTED"/></q>'
    for q in QUESTIONS
)
CLOSES = 'closes = 2026-05-01T12:00:00Z\nsubmitted = "times.tsv"\n'
TEXT = """\
[editions.y]
measures = "qa_accuracy"
compare = "qa_accuracy"
[editions.y.languages.en]
collection = "gold.xml"
runs = "runs/{team}/*"
"""

LATE = "submitted 2026-05-01T12:00:01Z, 0:00:01 after 2026-05-01T12:00:00Z"


def answers(right: int) -> str:
    """Return a run that selects the right answer of the first questions: accuracy right/8."""
    return "".join(
        f"{q} 1 {'SELECTED' if n < right else 'REJECTED'} 0.5\n"
        f"{q} 2 {'REJECTED' if n < right else 'SELECTED'} 0.5\n"
        for n, q in enumerate(QUESTIONS)
    )


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work beside a campaign whose best run, A/best, came a second late."""
    monkeypatch.chdir(tmp_path)
    times = ["run\twhen", "A/best\t2026-05-01T12:00:01Z", "B/good\t2026-05-01T12:00:00Z"]
    times += ["B/bad\t2026-05-01T11:00:00Z"]
    runs = {"A/best": 8, "B/good": 6, "B/bad": 2}
    files = {f"runs/{name}.txt": answers(right) for name, right in runs.items()}
    text = {"gold.xml": f"<ave>{COLLECTION}</ave>", "times.tsv": "\n".join(times) + "\n"}
    put_all(tmp_path, {"campaign.toml": TEXT + CLOSES, **text, **files})
    return tmp_path


def table_of(page: str, title: str) -> list[list[str]]:
    """Return the cells of the first HTML table with a caption that begins with a title."""
    html = page[page.index(f"<caption>{title}") :]
    rows = re.findall(r"<tr.*?>(.*?)</tr>", html[: html.index("</table>")], re.S)
    return [
        [re.sub("<.*?>", "", cell).strip() for cell in re.findall(r"<t[hd].*?>(.*?)</t[hd]>", row)]
        for row in rows
    ]


@pytest.mark.parametrize(("rows", "said"), [
    (["runs/a.txt\t2026-05-01T20:00:00Z", "a.txt\t2026-05-01T21:00:00Z"],
        "times.tsv:2 AVE709 the time of 'a.txt' is '2026-05-01T21:00:00Z', expected one time "
        "for each file; in line 1 it is 2026-05-01T20:00:00Z for 'runs/a.txt'"),
    (["a.txt\t2026-05-01T20:00:00Z", "a.txt\t2026-05-01T21:00:00Z"],
        "times.tsv: line 2: AVE709 the time of 'a.txt' is '2026-05-01T21:00:00Z', expected one "
        "time for each run; it was 2026-05-01T20:00:00Z in line 1"),
    (["runs/a.txt\t2026-05-01T20:00:00Z", "a\t2026-05-01T21:00:00Z"],
        "times.tsv:2 AVE709 the time of 'a' is '2026-05-01T21:00:00Z', expected one time "
        "for each file; in line 1 it is 2026-05-01T20:00:00Z for 'runs/a.txt'"),
    (["runs/a.txt\t2026-05-01T20:00:00Z", "a.txt\t2026-05-01T20:00:00Z"], ""),
    (["runs/a.txt\t2026-05-01T20:00:00Z", "b.txt\t2026-05-01T20:00:00Z"], "AVE708"),
])  # fmt: skip
def test_a_time_that_is_given_twice_for_a_file_is_told_with_both_lines(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rows: list[str], said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    text = '[editions.e.languages.l]\ncollection = "gold.xml"\nruns = "runs"\n'
    files = {"gold.xml": COLLECTION, "runs/a.txt": RUN, "times.tsv": "\n".join(rows)}
    put_all(tmp_path, files | {"campaign.toml": text + 'submitted = "times.tsv"\n'})
    listed = ave("campaign", "list", "campaign.toml")
    assert said in listed.err and (listed.code == 0) == (said == "")
    if "runs" in said:  # so it is if the campaign file has the times
        times = "".join('"{}" = {}\n'.format(*row.split("\t")) for row in rows)
        put_all(tmp_path, {"campaign.toml": f"{text}[editions.e.languages.l.submitted]\n{times}"})
        listed = ave("campaign", "list", "campaign.toml")
        assert listed.code != 0 and "campaign.toml:6 AVE709" in listed.err
        assert "in line 5 it is" in listed.err


def test_a_late_run_is_marked_in_every_table(here: Path) -> None:
    assert campaign().code == 0
    results = here / "results"
    note = f"A/best, late: {LATE}."
    page = (results / "y/en.md").read_text()
    assert "| A/best (late) |" in page.replace("\\", "")
    scores, differences = page.split("## Differences between runs")
    assert note in scores.replace("\\", "")
    assert "| A/best (late) |" in differences.replace("\\", "")
    tex = (results / "y/en.tex").read_text()
    assert tex.count("A/best (late)") == 2  # scores and differences
    assert LATE in " ".join(tex.replace("\\allowbreak{}", "").split())
    html = (results / "y/en.html").read_text().replace("<wbr/>", "")
    for title in ("Selection, by QA accuracy", "QA accuracy: 3 runs"):
        assert "A/best (late)" in [cell for row in table_of(html, title) for cell in row]
    ranking = re.search(r'<figure class="chart rows" .*?</figure>', html, re.S)
    assert ranking is not None and "A/best (late)" in ranking[0]
    assert note in html
    rows = csv.DictReader(io.StringIO((results / "y/en.csv").read_text()))
    expected = {"A/best": f"late: {LATE}", "B/good": "", "B/bad": ""}
    assert {row["run"]: row["note"] for row in rows if row["kind"] == "AV"} == expected
    pairs = csv.DictReader(io.StringIO((results / "y/en-comparison.csv").read_text()))
    assert {(row["run"], row["other"]): row["note"] for row in pairs} == {
        ("A/best", "B/good"): "A/best (late)",
        ("A/best", "B/bad"): "A/best (late)",
        ("B/good", "B/bad"): "",
    }
    found = {row["run"]: row for row in rows_of(scores_of(results / "y/en.json"), "AV")}
    assert (found["A/best"]["note"], found["A/best"]["ranked"]) == (f"late: {LATE}", True)
    assert "note" not in found["B/good"]
    index = (results / "index.html").read_text()
    assert f"<code>runs/A/best.txt</code>: {LATE}" in index and "A/best (late) 1.00" in index
    assert f"en: {note}" in (results / "y/best-selection.md").read_text()
    assert "A,1.00 (late)" in (results / "y/best-selection.csv").read_text()
    assert "1.00 (late)" in (results / "y/best-selection.md").read_text().replace("\\", "")
    for name in ("teams/A.txt", "teams/A.html"):
        assert "A/best (late)" in (results / name).read_text().replace("<wbr/>", "")
    for name in ("teams/B.txt", "teams/B.html"):  # when others submit is nobody's business
        assert not re.search(r"[(, ]late\b", (results / name).read_text())
    own = r'<tr class="run own">\s*<td class="r">1</td>\s*<th[^>]*>A/<wbr/>best \(late\)'
    assert re.search(own, (results / "teams/A.html").read_text())


def test_runs_beyond_limits_may_be_listed_apart(here: Path) -> None:
    (here / "campaign.toml").write_text(TEXT + CLOSES + 'beyond_limits = "apart"\n')
    assert campaign().code == 0
    results = here / "results"
    html = (results / "y/en.html").read_text().replace("<wbr/>", "")
    figure = re.search(r'<figure class="chart rows" id="ranking-1">.*?</figure>', html, re.S)
    assert figure and "not ranked</span>" in figure[0]  # in the legend
    ranks = re.findall(r'<td class="rank">(.*?)</td>\s*<th.*?><span.*?>(.*?)</span>', figure[0])
    assert ranks == [("1", "B/good"), ("2", "B/bad"), ("", "A/best (late, not ranked)")]
    ranked = [row[:2] for row in table_of(html, "Selection, by QA accuracy")[1:]]
    expected = [["1", "B/good"], ["2", "B/bad"], ["", "A/best (late, not ranked)"]]
    assert [row for row in ranked if "/" in row[1]] == expected
    assert ranked[-1][1] == "A/best (late, not ranked)"  # behind the baselines
    scores, differences = (results / "y/en.md").read_text().split("## Differences between runs")
    assert "**0.75**" in scores  # 6/8, of B/good
    assert "**1.00**" not in scores
    differences = differences.partition("## Notes")[0].replace("\\", "")
    assert "| A/best" not in differences
    note = f"A/best, late, not ranked: {LATE}."
    assert note in scores.replace("\\", "") and note in differences
    tex = " ".join((results / "y/en.tex").read_text().replace("\\allowbreak{}", "").split())
    assert tex.count(note) == 2  # scores and differences
    ranking = html[html.index(figure[0]) : html.index('<h2 id="scores-title')]
    assert note in ranking
    found = {row["run"]: row for row in rows_of(scores_of(results / "y/en.json"), "AV")}
    assert found["A/best"]["measures"]["qa_accuracy"] == 1  # it is scored
    assert found["A/best"]["ranked"] is False
    assert cells_of(results / "y/best-selection.csv") == [["team", "en"], ["A", ""], ["B", "0.75"]]
    assert "B/good 0.75" in (results / "index.html").read_text()
    assert "A/best 1.00" not in (results / "index.html").read_text()
    # on the page of another team it is as far below, without a name and without a reason
    others = re.sub(r"<[^>]+>|\s+", " ", (results / "teams/B.html").read_text())
    assert re.search(r"another run 1 +\(not ranked\) +AV +1.00 ", others)
    best = (results / "teams/B.txt").read_text()  # the best is one that is ranked
    assert re.search(r"^B/good.* 1 of \d +0.75 +0.75", best, re.M), best


@pytest.mark.parametrize(("times", "marks"), [
    ("", {"B/good": "surplus", "B/bad": "surplus, not ranked"}),
    (CLOSES, {"A/best": "late", "B/good": "surplus"}),
])  # fmt: skip
def test_a_primary_run_is_never_apart(here: Path, times: str, marks: dict[str, str]) -> None:
    """It is marked, and the first of its team to be shown, whether it came first or not."""
    late = ["A/best\t2026-05-01T12:00:01Z", "B/good\t2026-05-01T12:00:00Z"]
    put_all(here, {"times.tsv": "\n".join([*late, "B/bad\t2026-05-01T11:00:00Z"]) + "\n"})
    more = 'beyond_limits = "apart"\nmax_runs_per_team = 1\nprimary = ["good", "best"]\n'
    assert remarks_of(TEXT + times + more) == marks
    scored = score_campaign("campaign.toml")
    assert [row.run for row in scored.results[0].ranked] == ["A/best", "B/good"]
    mail = " ".join(scored.pages["teams/B.txt"].split())
    assert "B/good" in mail and "Not shown, since 1 run is allowed: B/bad." in mail


def remarks_of(text: str) -> dict[str, str]:
    Path("campaign.toml").write_text(text, encoding="utf-8")
    (result,) = score_campaign("campaign.toml").results
    return {row.run: row.remark.mark for row in result.runs if row.remark is not None}


def test_surplus_runs_are_those_that_came_last(here: Path) -> None:
    most = TEXT + 'max_runs_per_team = 1\nsubmitted = "times.tsv"\n'
    assert remarks_of(most) == {"B/good": "surplus"}  # an hour after B/bad
    (result,) = score_campaign("campaign.toml").results
    (row,) = [row for row in result.runs if row.remark is not None]
    assert row.remark is not None
    assert row.remark.text == "B has 2 runs, 1 allowed; submitted 2026-05-01T12:00:00Z"
    # without times, or if both came at once, either may be the one too many
    found = remarks_of(TEXT + "max_runs_per_team = 1\n")
    assert found == dict.fromkeys(("B/bad", "B/good"), "surplus")
    times = '{ "B/good" = 2026-05-01T11:00:00Z, "B/bad" = 2026-05-01T13:00:00+02:00 }'
    at_once = TEXT + f"max_runs_per_team = 1\nsubmitted = {times}\n"
    assert remarks_of(at_once) == dict.fromkeys(("B/bad", "B/good"), "surplus")
    assert remarks_of(TEXT + "max_runs_per_team = 2\n") == {}


CAME = {"A/a": 14, "A/b": 11, "A/c": 13, "A/d": 12, "B/e": 11, "B/f": 13, "B/g": 12}
"""Run -> the hour in which it came; the first answers one question rightly, and so on."""


@pytest.mark.parametrize("share", mostly_slow(Shared, 1))
def test_scores_of_runs_that_came_last_are_shown_to_nobody(here: Path, share: Shared) -> None:
    """Of each team's runs the first two count, whatever their names: b and d of A, e and g of B."""
    times = "".join(f"{run}\t2026-05-01T{hour}:00:00Z\n" for run, hour in CAME.items())
    runs = {f"runs/{run}.txt": answers(right) for right, run in enumerate(CAME, 1)}
    text = f'share = "{share}"\nanonymous = "names.secret"\n{TEXT}max_runs_per_team = 2\n'
    text += 'submitted = "times.tsv"\n'
    shutil.rmtree(here / "runs")
    files = {"campaign.toml": text, "times.tsv": f"run\twhen\n{times}", **runs}
    put_all(here, {**files, "names.secret": "0123456789abcdef"})
    site = score_campaign("campaign.toml", audience="public").pages["y/en.html"]
    rows = html.document_fromstring(site).findall(".//section[@id='scores']//tbody/tr")
    cells = [[str(cell.xpath("normalize-space()")) for cell in row] for row in rows]
    # 7, 5, 4 and 2 of 8 questions; baselines have no team
    assert [row[-1] for row in cells if row[2]] == ["0.88", "0.63", "0.50", "0.25"]
    mail = score_campaign("campaign.toml").pages["teams/A.txt"]
    assert re.findall(r"(A/\w) +\S+ of \d +(\S+)", mail) == [("A/d", "0.50"), ("A/b", "0.25")]
    assert "Not shown, since 2 runs are allowed: A/a, A/c." in mail


def test_a_run_without_a_time_is_marked_and_ranked(here: Path) -> None:
    times = (here / "times.tsv").read_text().replace("B/good\t2026-05-01T12:00:00Z\n", "")
    (here / "times.tsv").write_text(times)
    marks = remarks_of(TEXT + CLOSES + 'beyond_limits = "apart"\nmax_runs_per_team = 1\n')
    assert marks == {
        "A/best": "late, not ranked",
        "B/good": "no time, surplus, not ranked",
        "B/bad": "surplus, not ranked",
    }
    expected = {"A/best": "late, not ranked", "B/good": "no time"}
    assert remarks_of(TEXT + CLOSES + 'beyond_limits = "apart"\n') == expected


@pytest.mark.parametrize(("teams", "said"), [
    # a name that resembles a run without a team
    ({"good": "B", "bda": "B"}, "no run or system bda; did you mean bad?"),
    # no name that is of a run: it is the table of something else
    ({"zzzz": "B", "yyyyyy": "C"}, "no run or system zzzz, yyyyyy; there are good, bad"),
    # the table of a campaign of which one run is given
    ({"good": "B", "bad": "B", "*": "X", "somebody_else": "X"}, ""),
    slow(({"good": "B", "somebody_else": "X"}, "")),
    slow(({}, "")),
])  # fmt: skip
def test_names_in_teams_that_are_wrong_are_errors_at_every_door(
    here: Path, teams: dict[str, str], said: str
) -> None:
    runs = ["runs/B/good.txt", "runs/B/bad.txt"]
    table = here / "teams.tsv"
    table.write_text("".join(f"{run}\t{team}\n" for run, team in teams.items()))
    doors: list[Callable[..., object]]
    doors = [ave_score.score, ave_score.compare, ave_score.sweep, ave_score.report]
    for door in doors:
        for given in (teams, table) if teams else (teams,):
            try:
                door("gold.xml", runs, teams=given)
            except UsageError as error:
                assert said and f"teams: {said}" in str(error)
            else:
                assert not said
    for command in (["score"], ["compare"], ["report", "-o", "page.html"]) if teams else ():
        result = ave(*command, "gold.xml", *runs, "--teams", "teams.tsv")
        assert result.code == (2 if said else 0)
        assert said in result.err and not (said and Path("page.html").exists())
        shared = "ave-score: --teams: no run or system *, somebody_else\n"
        assert (shared in result.err) == ("*" in teams)
    folder = "[editions.e.languages.l]\ncollection = 'gold.xml'\nruns = 'runs/B'\n"
    for written in ("'teams.tsv'", "{ zzzz = 'B', yyyyyy = 'C' }") if teams else ():
        (here / "own.toml").write_text(f"{folder}teams = {written}\n")
        told = ave("campaign", "own.toml", "-o", "out").err
        is_wrong = bool(said) or written[0] == "{"
        assert ("AVE708" in told) == is_wrong
