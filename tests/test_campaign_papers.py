"""All papers of a campaign tell the same: first measure, ranks, order, names, what is the best.

Random small campaigns are scored for organisers and for the public, and every table of the HTML
pages, of Markdown, LaTeX and the mails to teams is read again by its heads.
"""

from __future__ import annotations

import csv
import random
import re
from collections.abc import Iterator, Mapping
from io import StringIO
from pathlib import Path
from typing import NamedTuple

import pytest
from lxml import html

from ave_score import Audience, Design, Resampling, Shared, campaign, report
from tests import slow
from tests.helpers_command import put_all
from tools.own import own_files

LANGUAGES = ("en", "fr")
VERDICTS = ("SELECTED", "REJECTED")
MEASURES = ("precision, f1, map", "", "map", "map, f1", "f1, map", "qa_accuracy, f1")
"""Of a campaign; the first is that of a table, and so that of all papers."""


class Table(NamedTuple):
    """A table of a page: its first measure, its ranks and its runs."""

    first: str
    ranks: list[tuple[str, str]]


NAMES = ("#", "Run", "Team", "Kind", "")


def text_of(element: html.HtmlElement) -> str:
    return " ".join(element.text_content().split())


def tables_in(page: html.HtmlElement, section: str) -> Iterator[html.HtmlElement]:
    for item in page.iter("section"):
        if item.get("id") == section:
            yield from item.iter("table")


def unmarked(name: str) -> str:
    """Return the name of a run without its mark, which figures shorten."""
    return name.partition(" (")[0]


def tables(page: html.HtmlElement, section: str) -> Iterator[Table]:
    for table in tables_in(page, section):
        head, *rows = ([text_of(cell) for cell in row] for row in table.iter("tr"))
        if head[0] == "#":
            heads = [name for name in head if name not in NAMES and " as a figure" not in name]
            yield Table(heads[0], [(unmarked(row[1]), row[0]) for row in rows if row[0]])


def write(folder: Path, seed: int, share: str, secret: str) -> None:
    """Write a campaign: runs with ties, equal runs, and refused ones, all named `primary.txt`."""
    chance = random.Random(f"{seed}{share}{secret}")
    labels = {
        f"q{n}": [chance.random() < 0.4 for _ in range(3)] for n in range(chance.choice([7, 29]))
    }
    questions = "".join(
        f'<q id="{q}"><q_str>x</q_str>'
        + "".join(
            f'<a id="{n}" value="{"VALIDATED" if label else "REJECTED"}"><a_str>t</a_str></a>'
            for n, label in enumerate(one, 1)
        )
        + "</q>"
        for q, one in labels.items()
    )
    runs: dict[str, str] = {}
    for team in "ABCDEF"[: chance.randint(2, 6)]:
        lines = []
        for q, one in labels.items():
            chosen = chance.randint(0, len(one))
            for n in range(1, 1 + len(one)):
                confidence = chance.choice([0.1, 0.3, 0.5])
                lines.append(f"{q} {n} {VERDICTS[n != chosen]} {confidence}\n")
        same = runs and chance.random() < 0.2
        runs[team] = chance.choice([*runs.values()]) if same else "".join(lines)
    runs["Z"] = "q1 1 selected x\n"  # refused
    with_systems = seed % 3 == 0
    measures = "f1, qa_accuracy" if with_systems else MEASURES[seed % len(MEASURES)]
    setting = f'measures = "{measures}"\n' * bool(measures)
    for key in ("reference", "apart"):  # of two teams; the others are ranked
        if seed % 2 and len(runs) > 4:
            setting += f'{key} = "{chance.choice("AB" if key == "apart" else "CD")}/primary"\n'
    judged = ""
    if with_systems:  # QA systems, to which F does not apply
        setting += 'compare = "f1, qa_accuracy"\n'
        answered = [(q, s, chance.choice("RW")) for s in ("good", "bad") for q in labels]
        judged = "q_id\trun\tjudgement\n" + "".join("\t".join(row) + "\n" for row in answered)
    text = (
        f'title = "T"\nshare = "{share}"\n' + 'anonymous = "names.secret"\n' * bool(secret) + "\n"
        f"[editions.y]\n{setting}"
    )
    for language in LANGUAGES[: 1 + seed % 3 // 2]:
        text += f"\n[editions.y.languages.{language}]\n"
        text += 'collection = "gold.xml"\nruns = "runs/{team}/*"\n'
        text += 'judged = "qa.tsv"\n' * bool(judged)
    files = {f"runs/{team}/primary.txt": run for team, run in runs.items()}
    gold = f"<ave>{questions}</ave>"
    files["qa.tsv"] = judged
    put_all(folder, {"gold.xml": gold, "names.secret": secret, "c.toml": text, **files})


def contradictions(text: str) -> list[str]:
    """Return what a page tells twice, in two ways."""
    page = html.fromstring(text)
    rankings, scores = ([*tables(page, name)] for name in ("ranking", "scores"))
    assert scores
    found = []
    if rankings and rankings[0].first != scores[0].first:
        found.append(f"ranked by {rankings[0].first}, and by {scores[0].first}")
    told: dict[tuple[str, str], str] = {}
    for table in (*scores, *rankings):
        for run, rank in table.ranks:
            other = told.setdefault((table.first, run), rank)
            if rank != other:
                found.append(f"{run} has the ranks {rank} and {other} by {table.first}")
    files = [item for item in page.iter("section") if item.get("id") in ("about", "findings")]
    found += [
        f"names {n}" for n in re.findall(r"(?<![\w/])primary\.txt", " ".join(map(text_of, files)))
    ]
    return found


def ranked_in_text(text: str) -> dict[tuple[str, str], str]:
    """Return (measure, run) -> rank, as the tables of a Markdown page tell them."""
    told: dict[tuple[str, str], str] = {}
    first = ""
    for line in text.splitlines():
        cells = [cell.strip("* ").replace("\\", "") for cell in line.strip("| ").split(" | ")]
        if cells[0] == "#":
            first = next(name for name in cells if name not in NAMES)
        elif first and line.startswith("|") and len(cells) > 2 and re.match(r"\d+=?$", cells[0]):
            run = unmarked(cells[1])
            told.setdefault((first, run), cells[0])
            assert told[first, run] == cells[0], line
        elif not line.startswith("|"):
            first = ""
    return told


def ranked_in_tex(text: str) -> dict[tuple[str, str], str]:
    """Return (measure, run) -> rank, as the tables of LaTeX tell them."""
    told: dict[tuple[str, str], str] = {}
    first = ""
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.removesuffix(r" \\").split(" & ")]
        if title := re.match(r"\\caption\{.*(?:, by ([^.:]*)|: ([^:]*): \d+ runs)", line):
            first = title[1] or title[2]  # heads are shortened
        elif re.match(r"\d+=?$", cells[0]):
            told[first, unmarked(cells[1])] = cells[0]
    return told


def ranked_in_mail(text: str, run: str) -> set[str]:
    """Return the ranks of a run in a mail, which are by the first measure of a language."""
    return {*re.findall(rf"{run} +(?:\(.*?\) +)?(\d+=?) of \d", text)}


def not_best(text: str) -> list[str]:
    """Return highlighted cells of scores that are below another ranked run of their table."""
    found = []
    for table in tables_in(html.fromstring(text), "scores"):
        rows = [[*row] for row in table.iter("tr") if text_of(row[0])][1:]
        for column in zip(*rows, strict=True):
            values = {cell: text_of(cell) for cell in column}
            best = [values[cell] for cell in column if cell.find("strong") is not None]
            figures = [float(value) for value in values.values() if re.fullmatch(r"[\d.]+", value)]
            found += [item for item in best if float(item) < max(figures)]
    return found


def check_texts(pages: Mapping[str, str], name: str) -> None:
    """Check that texts, tables of LaTeX, CSV and mails rank as the page of a language does."""
    page, told = html.fromstring(pages[f"{name}.html"]), ranked_in_text(pages[f"{name}.md"])
    shown = [*tables(page, "scores"), *tables(page, "ranking")]
    on_page = {(one.first, run): rank for one in shown for run, rank in one.ranks}
    assert on_page and on_page.items() <= told.items()
    in_tex = ranked_in_tex(pages[f"{name}.tex"])
    assert in_tex.items() <= told.items() and in_tex
    names = {run for _, run in told}
    assert names <= {row["run"] for row in csv.DictReader(StringIO(pages[f"{name}.csv"]))}
    language = name.removeprefix("y/")
    of_teams = [page for page in pages if re.fullmatch(rf"teams/\w/y/{language}\.html", page)]
    for of_team in of_teams:  # without a page, a mail has the figures that may be seen alone
        mail = f"{of_team[:7]}.txt"
        page = html.fromstring(pages[of_team])
        shown = [*tables(page, "scores"), *tables(page, "ranking")]
        own = f"{of_team[6]}/primary"
        own_on_page = {rank for one in shown for run, rank in one.ranks if run == own}
        assert ranked_in_mail(pages[mail], own) <= own_on_page


@pytest.mark.parametrize("share", ["scores", slow("everything")])
@pytest.mark.parametrize("secret", ["s" * 16, slow("")])
@pytest.mark.parametrize("seeds", [range(1), slow(range(1, 20))], ids=["one", "many"])
def test_papers_do_not_contradict(tmp_path: Path, seeds: range, share: str, secret: str) -> None:
    found = []
    for seed in seeds:
        folder = tmp_path / f"{seed}"
        write(folder, seed, share, secret)
        for audience in ("organisers", "public"):
            pages = campaign(folder / "c.toml", audience=audience).pages
            of_runs = [name for name in pages if re.search(r"y/(en|fr)\.html$", name)]
            found += [(seed, audience, name, contradictions(pages[name])) for name in of_runs]
            found += [(seed, audience, name, not_best(pages[name])) for name in of_runs]
            for name in of_runs if audience == "organisers" else ():
                if name.startswith("y/"):
                    check_texts(pages, name.removesuffix(".html"))
    assert [item for item in found if item[-1]] == []


def test_a_public_page_gives_a_run_one_rank(tmp_path: Path) -> None:
    """Of 1000 questions 502 and 504 are right: 0.50 both, 0.502 and 0.504 with three decimals."""
    right = {"alfa": 502, "zulu": 504, "last": 300}
    lines = [f"{q}\t{run}\t{'WR'[q < n]}\n" for run, n in right.items() for q in range(1000)]
    put_all(tmp_path, {"qa.tsv": "q_id\trun\tjudgement\n" + "".join(lines)})
    few = Design(resampling=Resampling(100))
    readers = Audience(None, Shared.SCORES)
    text = report(tmp_path / "qa.tsv", audience=readers, design=few).to_html()
    page = html.fromstring(text)
    assert [*tables(page, "ranking")]
    assert contradictions(text) == []


def test_a_page_gives_a_run_one_rank_beside_systems_that_are_not_compared() -> None:
    """The figure has QA systems and runs, the table of the comparison only runs."""
    few = Design(resampling=Resampling(100))
    runs = own_files("sample_runs/ave2007-es", ".txt")
    judged = "gold/ave2007-es.qa.tsv"
    page = report("gold/ave2007-es.xml", runs, qa=judged, measures="qa_accuracy", design=few)
    figure, compared, *_ = tables(html.fromstring(page.to_html()), "ranking")
    assert {*compared.ranks} < {*figure.ranks}
    assert contradictions(page.to_html()) == []
