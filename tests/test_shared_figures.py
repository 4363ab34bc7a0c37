"""What a team can read off the figures that it shares: no label of an answer that it flips. A team
submits a run, and ten copies that each select the other answer to one question. All of them print
the same figures. Two collections with opposite labels of these ten questions must give the same
bytes: whatever is guessed from them is right for one of the two only, as by chance."""

from __future__ import annotations

from pathlib import Path

import pytest
from lxml import html

import ave_score
from ave_score.commands import run as command
from tests import slow
from tests.helpers_command import put_all
from tests.test_page import rows_of

QUESTIONS, TARGETS = 500, 10
FLIPS = [f"flip{number:02}" for number in range(TARGETS)]

MEASURES = "f1,precision,recall,accuracy,mcc,qa_accuracy,normalized_qa_accuracy,c_at_1"
"""Base: 310 of 500 selected rightly, 0.62; flips have 309 or 311, 0.618 or 0.622. MCC is twice the
accuracy minus 1: 0.24, 0.236 or 0.244."""


def gold(sign: int) -> str:
    """Return a collection in which answer 0 is right in 310 questions, 5 of them targets. With
    `sign` 1 these are the targets with odd numbers, with 0 those with even numbers."""
    right = [n % 2 == sign if n < TARGETS else n < 315 for n in range(QUESTIONS)]
    words = {True: "VALIDATED", False: "REJECTED"}
    questions = (
        f'<q id="{number}"><q_str>?</q_str><a id="0" value="{words[first]}"/>'
        f'<a id="1" value="{words[not first]}"/></q>'
        for number, first in enumerate(right)
    )
    return f"<ave>{''.join(questions)}</ave>"


def run_text(flipped: int | None = None, selected: int = 0) -> str:
    """Return a run that selects one answer to all questions, to one question the other."""
    lines = []
    for number in range(QUESTIONS):
        chosen = selected ^ (number == flipped)
        verdicts = ("SELECTED", "REJECTED") if chosen == 0 else ("REJECTED", "SELECTED")
        lines += [f"{number} {answer} {verdict} 0.5" for answer, verdict in enumerate(verdicts)]
    return "\n".join(lines) + "\n"


RUNS = {
    "base": run_text(),
    **{name: run_text(number) for number, name in enumerate(FLIPS)},
    "other": run_text(selected=1),
}


def page(folder: Path, sign: int, *options: str) -> bytes:
    """Return the page of `ave-score report`."""
    teams = "".join(f"{name}\t{'Theirs' if name == 'other' else 'Ours'}\n" for name in RUNS)
    files = {f"{name}.txt": text for name, text in RUNS.items()}
    put_all(folder, {"gold.xml": gold(sign), "teams.tsv": teams, **files})
    arguments = ["report", str(folder / "gold.xml"), *(str(folder / name) for name in files)]
    arguments += ["--teams", str(folder / "teams.tsv"), "-m", MEASURES, "--compare", "f1"]
    out = folder / "page.html"
    assert command([*arguments, "--resamples", "10", "-o", str(out), *options]) == 0
    return out.read_bytes()


def own_rows(table: html.HtmlElement) -> list[list[str]]:
    return [row for row in rows_of(table) if row[1].startswith(("base", "flip"))]


def test_a_teams_page_tells_no_label_of_a_flipped_answer(tmp_path: Path) -> None:
    options = ["--audience", "Ours", "--share", "scores"]
    one, other = (page(tmp_path, sign, *options) for sign in (0, 1))
    assert one == other
    tables = html.document_fromstring(one).findall(".//section[@id='scores']//table")
    assert len(tables) == 1
    for table in tables:
        rows = own_rows(table)
        assert [row[1] for row in rows] == ["base", *FLIPS]  # by name
        assert {row[0] for row in rows} == {"1="}
        # 0.62 and 0.24, with as many digits in per cent
        assert {cell.strip("*") for row in rows for cell in row[3:]} <= {"0.62", "0.24", "62"}
    # 310 or 311 of 500 are not 0.62 with three digits
    options += ["--digits", "3"]
    assert page(tmp_path, 0, *options) != page(tmp_path, 1, *options)


@pytest.mark.parametrize("digits", [(), slow((("--digits", "2"),))])
def test_the_public_page_orders_by_what_it_prints(tmp_path: Path, digits: tuple[str, ...]) -> None:
    text = page(tmp_path, 0, "--audience", "public", *digits)
    found = html.document_fromstring(text)
    tables = found.findall(".//section[@id='scores']//table")
    if digits:  # figures and tables of comparisons print three decimals otherwise
        tables += found.findall(".//section[@id='ranking']//table")
    ranked = [own_rows(table) for table in tables]
    assert len([rows for rows in ranked if rows]) == (3 if digits else 1)
    for rows in filter(None, ranked):
        assert [row[1] for row in rows] == ["base", *FLIPS]
        assert len({row[0] for row in rows}) == 1
    (pairs,) = found.findall(".//figure[@id='pairs-1']/table")
    named = [row[0].split(" − ") for row in rows_of(pairs) if "other" not in row[0]]
    assert named
    assert all(first < second for first, second in named) or not digits
    cells = found.findall(".//section[@id='scores']//td[@data-value]")
    assert all(cell.get("data-value", "?") in str(cell.xpath("string()")) for cell in cells)


CAMPAIGN = f"""\
title = "Flips"

[editions.y]
measures = "{MEASURES}"
compare = "none"

[editions.y.languages.en]
collection = "gold.xml"
runs = "runs/{{team}}/*.txt"
"""


def team_files(folder: Path, sign: int, limit: str = "") -> dict[str, str]:
    """Return what the team gets of a campaign: path -> text."""
    runs = {f"runs/{'Theirs' if n == 'other' else 'Ours'}/{n}.txt": t for n, t in RUNS.items()}
    put_all(folder, {"campaign.toml": CAMPAIGN + limit, "gold.xml": gold(sign), **runs})
    pages = ave_score.campaign(folder / "campaign.toml").pages
    return {name: text for name, text in pages.items() if name.startswith("teams/Ours")}


@pytest.mark.slow
def test_a_campaign_tells_no_label_of_a_flipped_answer(tmp_path: Path) -> None:
    one, other = (team_files(tmp_path / str(sign), sign) for sign in (0, 1))
    assert [*one] == ["teams/Ours.txt", "teams/Ours.html"]
    assert one == other
    assert FLIPS[-1] in one["teams/Ours.html"]


@pytest.mark.parametrize("share", ["scores", slow("scores and per-question outcomes")])
def test_a_team_sees_no_more_runs_than_are_allowed(tmp_path: Path, share: str) -> None:
    limit = "max_runs_per_team = 3\n"
    found = team_files(tmp_path, 0, limit)
    if share != "scores":
        text = f'share = "{share}"\n{CAMPAIGN}{limit}'
        put_all(tmp_path, {"campaign.toml": text})
        pages = ave_score.campaign(tmp_path / "campaign.toml").pages
        found = {name: text for name, text in pages.items() if name.startswith("teams/Ours")}
        assert "teams/Ours/y/en.html" in found
    for name, text in found.items():
        tables, _, notes = text.partition("Ours has 11 runs, 3 allowed")
        if name.endswith(".txt"):  # the notes come first
            notes, _, tables = f"{tables}{notes}".partition("Rank, best ranked run")
        assert all(run in tables for run in ("Ours/base", FLIPS[0], FLIPS[1]))
        assert not any(run in tables for run in FLIPS[2:])
        if name != "teams/Ours/y/en.html":
            assert "Not shown, since 3 runs are allowed: Ours/flip02," in " ".join(notes.split())
