"""`ave-score campaign`: what a sound campaign gives, and that a second call gives the same.

Expected figures come from `ave-score score` on the same files, from a computation in the test, or
from a calculation by hand.
"""

from __future__ import annotations

import csv
import hashlib
import io
import json
import os
import random
import re
import shutil
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import ave_score
from tests import helpers_latex, mostly_slow
from tests.helpers_command import Call, Said, assert_call, calls, files_of, here_with, put_all
from tests.helpers_command import ave as command
from tests.helpers_files import COLLECTION, RUN, is_safe, put, with_line

SPANISH = """\
<ave>
<q id="a"><q_str>?</q_str><a id="1" value="REJECTED"/><a id="2" value="VALIDATED"/></q>
<q id="b"><q_str>?</q_str><a id="1" value="VALIDATED"/><a id="2" value="REJECTED"/></q>
<q id="c"><q_str>?</q_str></q>
</ave>
"""
"""A collection with a warning: its last question has no answers."""

SPANISH_RUN = "a 1 REJECTED 0.1\na 2 SELECTED 0.9\nb 1 REJECTED 0.3\nb 2 REJECTED 0.2\n"
SPANISH_BEST = SPANISH_RUN.replace("b 1 REJECTED", "b 1 SELECTED")
JUDGED = (
    "q_id\trun\tjudgement\n1\tqa_1\tR\n2\tqa_1\tW\n3\tqa_1\tW\n1\tqa_2\tR\n2\tqa_2\tR\n3\tqa_2\tW\n"
)

CAMPAIGN = """\
title = "Small"

[editions.2007]
measures = "f1, precision, recall, qa_accuracy"

[editions.2007.languages.en]
collection = "gold/en.xml"
judged = "gold/en.qa.tsv"
teams = "gold/en.teams.tsv"
runs = "runs/en"

[editions.2007.languages.es]
collection = "gold/es.xml"
teams = { alpha = "Uni A", delta = "Uni D" }
runs = "runs/es"
"""

UNCOMPARED = CAMPAIGN.replace("measures", 'compare = "none"\nmeasures')
"""The same where nothing is said of differences, for what does not depend on them."""

NO_TEAM = "ave-score: note: 2007 en: runs/en/gamma.txt: gamma has no team\n"
"""What is said of the run of the small campaign that its teams do not name."""


def ave(*arguments: str, code: int | None = None) -> Said:
    """Run `ave-score` here: nothing on standard output that a terminal obeys."""
    said = command(*arguments, code=code)
    assert "cannot write to standard output" not in said.err, said.err
    assert is_safe((said.out + said.err).replace("\n", "")), ascii(said)
    return said


def campaign(file: str = "campaign.toml", *more: str, code: int | None = None) -> Said:
    return ave("campaign", file, *more, code=code)


def campaign_of(text: str, code: int | None = None) -> Said:
    put(Path(), text, "campaign.toml")
    return campaign(code=code)


def not_scored(result: Said) -> int:
    """Return how many files were not scored, as the first line says; nothing if none."""
    first = result.out.splitlines()[0]
    found = re.search(r"(\d+) (?:files? )?not scored(?:: .+)?$", first)
    assert found or first.endswith(" scored"), result.out
    return int(found[1]) if found else 0


SMALL = {
    "campaign.toml": CAMPAIGN,
    "gold/en.xml": COLLECTION,
    "gold/en.qa.tsv": JUDGED,
    "gold/en.teams.tsv": "run\tteam\nalpha\tUni A\nbeta\tUni B\nqa_1\tUni Q\n",
    "gold/es.xml": SPANISH,
    "runs/en/alpha.txt": RUN,
    "runs/en/beta.txt": with_line(3, "2 2_1 REJECTED 0.3"),
    "runs/en/gamma.txt": with_line(1, "1 1_1 REJECTED 0.3"),
    "runs/es/alpha.txt": SPANISH_RUN,
    "runs/es/delta.txt": SPANISH_BEST,
}
"""A campaign of two languages, five runs and two QA systems."""

here = here_with(SMALL)
uncompared = here_with(SMALL | {"campaign.toml": UNCOMPARED})


def small(folder: Path) -> None:
    put_all(folder, SMALL)


def pages_of(folder: Path) -> dict[str, bytes]:
    """Return every file of the results but what the next call remembers."""
    return {name: data for name, data in files_of(folder).items() if name != "cache.json"}


def scores_of(path: Path) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(path.read_text())
    return document


def cells_of(path: Path) -> list[list[str]]:
    return list(csv.reader(io.StringIO(path.read_text())))


def rows_of(document: dict[str, Any], kind: str) -> list[dict[str, Any]]:
    return [row for row in document["runs"] if row["kind"] == kind]


def markdown_tables(text: str) -> list[list[int]]:
    """Return for each table in Markdown how many cells each of its rows has."""
    tables: list[list[int]] = [[]]
    for line in text.splitlines():
        if line.startswith("|"):
            assert line.endswith("|"), line
            tables[-1].append(len(re.findall(r"(?<!\\)(?:\\\\)*\|", line)) - 1)
        elif tables[-1]:
            tables.append([])
    return [table for table in tables if table]


def assert_tables(folder: Path) -> None:
    """Assert that all tables of a folder are tables: as many cells in each row as in its head."""
    pages = [path for path in folder.rglob("*.md") if path.name != "findings.md"]
    assert pages
    for path in pages:
        for table in markdown_tables(path.read_text()):
            assert len({*table}) == 1, path.read_text()
            assert len(table) > 2, path.read_text()


def test_a_small_campaign_gives_these_files(here: Path) -> None:
    result = campaign()
    summary, page = result.out.splitlines()
    assert page == str(Path("results/index.md"))
    assert re.findall(r"\d+", summary) == [*"1252"]  # edition, languages, runs, systems
    assert not_scored(result) == 0
    names = ["en", "es", "participants", "collections", "best-validation", "best-selection"]
    expected = {f"2007/{name}.{kind}" for name in names for kind in ("md", "csv", "tex")}
    names = ["en", "es", "en-comparison", "es-comparison"]
    expected |= {f"2007/{name}.{kind}" for name in names for kind in ("csv", "json")}
    expected |= {"index.md", "findings.md", "cache.json", "index.html", "2007/en.html"}
    expected |= {f"teams/Uni_{team}.{kind}" for team in "ABDQ" for kind in ("html", "txt", "zip")}
    expected |= {"2007/es.html", "2007/en.template.txt", "2007/es.template.txt"}
    assert set(files_of(here / "results")) == expected


def test_warnings_alone_exit_with_0_and_are_on_the_page_of_findings(here: Path) -> None:
    result = campaign()
    assert (result.code, result.err) == (0, NO_TEAM)
    findings = (here / "results/findings.md").read_text()
    assert findings.count("AVE405") == 1  # a question without answers
    assert "gold/es.xml" in findings and "not scored" not in findings


def test_a_campaign_without_findings_is_reported_as_such(here: Path) -> None:
    put(here / "gold", SPANISH.replace('<q id="c"><q_str>?</q_str></q>\n', ""), "es.xml")
    put(here / "gold", "alpha\tA\nbeta\tB\ngamma\tC\nqa_1\tQ\n", "en.teams.tsv")
    assert campaign().code == 0
    assert (here / "results/findings.md").read_text() == "# Findings\n\nNone.\n"


def test_the_index_links_to_every_page_and_to_nothing_else(here: Path) -> None:
    campaign()
    text = (here / "results/index.md").read_text()
    links = re.findall(r"\]\(([^)]+)\)", text)
    assert all((here / "results" / link).is_file() for link in links)
    pages = {name for name in pages_of(here / "results") if name.endswith(".md")}
    assert pages <= {*links, "index.md"}
    assert text.startswith("# Small\n")
    assert "| language | runs | QA systems | tables |" in text  # nothing is left out
    assert "| en | 3 | 2 | [" in text and "| es | 2 | 0 | [" in text
    # what the signature has: neither thresholds nor intervals are asked for, and nothing is ranked
    assert (
        "\nmeasures: f1, precision, recall, qa\\_accuracy; letters: qa-clef; missing: error; "
        "unknown: ignore\n"
    ) in text
    assert "None" not in text


def test_tables_of_the_small_campaign_by_hand(here: Path) -> None:
    campaign()
    results = here / "results/2007"
    # alpha en: 1_1, 2_1, 2_2 validated of gold 1_1, 2_2: 2 right of 3, all found: F = 4/5
    # beta en: 1_1, 2_2: F = 1.  gamma en (no team): 2_1, 2_2: 1 right of 2, 1 of 2: F = 1/2
    # alpha es: a 2 of gold a 2, b 1: P 1, R 1/2, F = 2/3.  delta es: F = 1
    assert cells_of(results / "best-validation.csv") == [
        ["team", "en", "es"], ["Uni A", "0.80", "0.67"], ["Uni B", "1.00", ""],
        ["Uni D", "", "1.00"], ["(no team)", "0.50", ""],
    ]  # fmt: skip
    # of 3 questions in both languages: alpha en 2, beta en 2, gamma en 1, alpha es 1, delta es 2
    assert cells_of(results / "best-selection.csv") == [
        ["team", "en", "es"], ["Uni A", "0.67", "0.33"], ["Uni B", "0.67", ""],
        ["Uni D", "", "0.67"], ["(no team)", "0.33", ""], ["Best QA system", "0.67 (qa_2)", ""],
        ["QA system 2", "0.33 (qa_1)", ""],
    ]  # fmt: skip
    lines = (results / "best-selection.md").read_text().splitlines()
    assert r"| Uni A | **0.67** | 0.33 |" in lines  # ties are both the best
    assert r"| Uni B | **0.67** |  |" in lines and r"| Uni D |  | **0.67** |" in lines
    assert r"| *Best QA system* | 0.67 (qa\_2) |  |" in lines
    assert cells_of(results / "participants.csv") == [
        ["team", "en", "es", "all"],
        ["Uni A", "1", "1", "2"],
        ["Uni B", "1", "", "1"],
        ["Uni D", "", "1", "1"],
        ["(no team)", "1", "", "1"],
        ["Runs", "3", "2", "5"],
        ["Teams", "2", "2", "3"],  # those without a team are in none
        ["QA systems", "2", "", "2"],
    ]
    # questions, answers, with correct, validated, rejected, unknown
    heads, english, spanish, total = cells_of(results / "collections.csv")
    wanted = [heads.index(head) for head in heads if not head.startswith("%")]
    assert [english[at] for at in wanted] == ["en", "3", "5", "2", "2", "2", "1"]
    assert [spanish[at] for at in wanted] == ["es", "3", "4", "2", "2", "2", "0"]
    assert [total[at] for at in wanted] == ["Total", "6", "9", "4", "4", "4", "1"]
    assert total[heads.index("% VALIDATED")] == "44.44"  # 4 of 9


def test_tables_in_markdown_and_latex_hold_the_cells_of_the_csv(here: Path) -> None:
    campaign()
    for path in (here / "results/2007").glob("best-*.csv"):
        cells = cells_of(path)
        markdown = path.with_suffix(".md").read_text().replace("*", "").replace("\\", "")
        for line in cells:
            assert f"| {' | '.join(line)} |" in markdown
        assert sorted(helpers_latex.table(path.with_suffix(".tex").read_text())) == sorted(cells)
    assert_tables(here / "results")


def assert_same_scores(mine: dict[str, Any], others: dict[str, Any]) -> None:
    """Assert that a page has what `score` says; it may count more than the measures ask for."""
    found = {name: mine[name] for name in mine if name != "runs"}
    assert found == {name: others[name] for name in others if name != "runs"}
    assert len(mine["runs"]) == len(others["runs"])
    for one, other in zip(mine["runs"], others["runs"], strict=True):
        assert other["counts"].items() <= one["counts"].items()
        found = {k: v for k, v in one.items() if k != "counts"}
        assert found == {k: v for k, v in other.items() if k != "counts"}


def markdown_lines(text: str) -> list[str]:
    return [line for line in text.splitlines() if line.startswith("|")]


TABULAR = re.compile(r"\\begin\{tabular\}.*?\\end\{tabular\}", re.S)
FORMATS = ("json", "markdown", "latex", "csv")


def assert_as_score(settings: Mapping[str, str]) -> None:
    """Compare each language with `score`, and with `compare` unless measures are set.

    QA systems decide on no candidate answers: beside them, validation is not compared.
    """
    measures = settings.get("measures", "f1, precision, recall, qa_accuracy")
    policies = [f"--{name}={value}" for name, value in settings.items() if name != "measures"]
    for language, qa in {"es": [], "en": ["--qa", "gold/en.qa.tsv"]}.items():
        runs = sorted(map(str, Path(f"runs/{language}").iterdir()))
        teams = ["--teams", f"gold/{language}.teams.tsv"]
        given = [f"gold/{language}.xml", *runs, *qa, *teams, *policies]
        said = {kind: ave("score", *given, "-m", measures, "-f", kind).out for kind in FORMATS}
        leading = ["-m", "qa_accuracy" if qa else "f1,qa_accuracy"]
        compared = {kind: ave("compare", *given, *leading, "-f", kind).out for kind in FORMATS}
        if "measures" in settings:
            compared = dict.fromkeys(FORMATS, "")
        page = Path(f"results/2007/{language}")
        assert_same_scores(scores_of(page.with_suffix(".json")), json.loads(said["json"]))
        text = page.with_suffix(".md").read_text()
        scored, _, differences = text.partition("## Differences between runs")
        assert markdown_lines(scored) == markdown_lines(said["markdown"])
        assert markdown_lines(differences) == markdown_lines(compared["markdown"])
        latex = page.with_suffix(".tex").read_text()
        assert TABULAR.findall(latex) == TABULAR.findall(said["latex"] + compared["latex"])
        assert rf"\caption{{2007, {language}: " in latex
        rows = csv.DictReader(io.StringIO(page.with_suffix(".csv").read_text()))
        for one, other in zip(rows, csv.DictReader(io.StringIO(said["csv"])), strict=True):
            assert {k: v for k, v in other.items() if v}.items() <= one.items()
        if compared["csv"]:
            # the same, then the marks of runs, which `compare` does not know: nobody has one here
            head, *alone = compared["csv"].splitlines()
            pairs = [f"{head},note", *(f"{row}," for row in alone)]
            assert page.with_name(f"{language}-comparison.csv").read_text().splitlines() == pairs
            document = page.with_name(f"{language}-comparison.json").read_text()
            assert document == compared["json"]
            assert compared["markdown"].splitlines()[-1] in differences  # the signature


def half_up(value: float) -> str:
    """Print a ratio of small numbers with two decimals, rounded half up."""
    hundredths = Fraction(value).limit_denominator(10**7) * 100 + Fraction(1, 2)
    return f"{int(hundredths // 1) / 100:.2f}"


def best_of_teams(scores: Sequence[dict[str, Any]], measure: str, family: str) -> list[list[str]]:
    """Compute a table of the best anew: rows of teams, then the two best QA systems."""
    needed = {"validation": "validated_correct", "selection": "selected_right"}[family]
    columns: list[dict[str, list[float]]] = []
    systems: list[list[tuple[float, str]]] = []
    for document in scores:
        values: dict[str, list[float]] = {}
        known = [row for row in document["runs"] if needed in row["counts"]]
        known = [row for row in known if row["measures"][measure] is not None]
        for row in (row for row in known if row["kind"] == "AV"):
            values.setdefault(row["team"] or "(no team)", []).append(row["measures"][measure])
        for row in (row for row in rows_of(document, "AV") if needed in row["counts"]):
            values.setdefault(row["team"] or "(no team)", [])
        columns.append(values)
        of_systems = [
            (-row["measures"][measure], row["run"]) for row in known if row["kind"] == "QA"
        ]
        systems.append(sorted(of_systems))
    teams = {team for values in columns for team in values}
    ordered = sorted(teams, key=lambda one: (one == "(no team)", one.casefold(), one))
    table = [
        [team, *(half_up(max(values[team])) if values.get(team) else "" for values in columns)]
        for team in ordered
    ]
    for rank, name in enumerate(["Best QA system", "QA system 2"]) if any(systems) else ():
        cells = [
            f"{half_up(-here[rank][0])} ({here[rank][1]})" if rank < len(here) else ""
            for here in systems
        ]
        table.append([name, *cells])
    return table


def bold_cells(scores: Sequence[dict[str, Any]], measure: str) -> int:
    """Count what is to be set off: the teams whose best is the best of the language."""
    total = 0
    for document in scores:
        best: dict[str, float] = {}
        for row in rows_of(document, "AV"):
            value = row["measures"][measure]
            if value is not None:
                team = row["team"] or ""
                best[team] = max(value, best.get(team, value))
        total += sum(value == max(best.values()) for value in best.values())
    return total


def random_run(chance: random.Random) -> str:
    """Return a run of the small collection in which what is not REJECTED stands by a SELECTED."""
    lines = []
    for q_id, a_ids in {"1": 2, "2": 2, "3": 1}.items():
        selected = chance.randrange(-1, a_ids)
        for number in range(a_ids):
            said = chance.choice(["VALIDATED", "REJECTED"]) if selected >= 0 else "REJECTED"
            said = "SELECTED" if number == selected else said
            confidence = 0.9 if number == selected else 0.5
            lines.append(f"{q_id} {q_id}_{number + 1} {said} {confidence}\n")
    return "".join(lines)


@pytest.mark.parametrize("seed", mostly_slow([5, *range(5)], 2))
def test_the_best_of_each_team_is_the_best_by_another_computation(here: Path, seed: int) -> None:
    chance = random.Random(seed)
    lines = ['[editions."e"]', 'measures = "precision, selection"', 'compare = "none"']
    names = ["zeta", "Alpha", "beta", "(no team)"] if seed == 5 else ["zeta", "Alpha", "beta"]
    for language in ("x", "y", "z"):
        lines += [f"[editions.e.languages.{language}]", 'collection = "gold/en.xml"']
        numbers = range(chance.choice([0, 3, 7]) if language != "x" else 6)
        for number in numbers:
            run = random_run(chance).replace(" 0.", f" 0.{number}")
            put_all(here, {f"{language}/r{number}.txt": run})
        if numbers:
            lines.append(f'runs = "{language}"')
        if chance.random() < 0.5:
            lines.append('judged = "gold/en.qa.tsv"')
        owners = {f"r{n}": chance.choice(names) for n in numbers if chance.random() < 0.8}
        text = ", ".join(f'{one} = "{team}"' for one, team in owners.items())
        lines.append(f"teams = {{ {text} }}")
    assert campaign_of("\n".join(lines)).code in (0, 1)
    scores = [scores_of(here / f"results/e/{language}.json") for language in "xyz"]
    measures = {"validation": "precision", "selection": list(scores[0]["runs"][0]["measures"])[1]}
    for family, measure in measures.items():
        page = here / f"results/e/best-{family}"
        _, *cells = cells_of(page.with_suffix(".csv"))
        unmarked = [[cell.partition(" (same as ")[0] for cell in row] for row in cells]
        assert unmarked == best_of_teams(scores, measure, family)
        markdown = page.with_suffix(".md").read_text()
        assert markdown.count("**") == 2 * bold_cells(scores, measure)


@pytest.mark.parametrize("settings", mostly_slow([
    {},
    {"measures": "all"},
    {"missing": "rejected"},
    {"unknown": "incorrect"},
    {"unknown": "correct"},
    {"letters": "qa-clef-lenient"},
    {"measures": "macro_f1, f_beta(2)"},
    {"missing": "rejected", "unknown": "correct", "measures": "selection"},
], 2), ids=str)  # fmt: skip
def test_policies_and_measures_are_those_of_score(here: Path, settings: dict[str, str]) -> None:
    if "missing" in settings:
        put(
            here / "runs/en",
            RUN.replace("3 3_1 REJECTED 0.1\n", "").replace("D 0.9", "D 0.01"),
            "short.txt",
        )
    put_all(here, {"gold/es.teams.tsv": "alpha\tUni A\ndelta\tUni D\n"})
    text = CAMPAIGN.replace('{ alpha = "Uni A", delta = "Uni D" }', '"gold/es.teams.tsv"')
    for name, value in settings.items():
        if name == "measures":
            text = text.replace("f1, precision, recall, qa_accuracy", value)
        line = f'{name} = "{value}"' if name != "measures" else 'compare = "none"'
        text = text.replace("[editions.2007]\n", f"[editions.2007]\n{line}\n")
    campaign_of(text, code=0)
    assert_as_score(settings)


def test_a_key_gives_labels_and_is_in_the_signature(here: Path) -> None:
    unlabelled = re.sub(r' value="\w+"', "", COLLECTION)
    key = "1 1_1 VALIDATED\n1 1_2 REJECTED\n2 2_1 REJECTED\n2 2_2 VALIDATED\n3 3_1 UNKNOWN\n"
    put_all(here, {"gold/en.xml": unlabelled, "gold/en.key.txt": key})
    text = CAMPAIGN.replace('"gold/en.xml"', '"gold/en.xml"\nkey = "gold/en.key.txt"')
    text = text.partition("[editions.2007.languages.es]")[0]
    campaign_of(text, code=0)
    scores = scores_of(here / "results/2007/en.json")
    runs = [f"runs/en/{name}.txt" for name in ("alpha", "beta", "gamma")]
    given = ["--key", "gold/en.key.txt", "--qa", "gold/en.qa.tsv", "--teams", "gold/en.teams.tsv"]
    measures = ["-m", "f1, precision, recall, qa_accuracy", "-f", "json"]
    assert_same_scores(
        scores, json.loads(ave("score", "gold/en.xml", *runs, *given, *measures).out)
    )
    assert scores["collection"]["key"]["path"] == "gold/en.key.txt"
    assert "|key:" in scores["signature"]


def test_a_judged_file_replaces_a_collection(here: Path) -> None:
    text = '[editions.r.languages.en]\ncollection = "gold/en.qa.tsv"\n'
    result = campaign_of(text.replace("[e", '[editions.r]\nmeasures = "respubliqa"\n[e', 1))
    assert (result.code, result.err) == (0, "")
    given = ["score", "gold/en.qa.tsv", "--measures", "respubliqa", "--format", "json"]
    expected = json.loads(ave(*given).out)
    assert_same_scores(scores_of(here / "results/r/en.json"), expected)
    assert [row["run"] for row in expected["runs"]] == ["qa_1", "qa_2"]
    best = cells_of(here / "results/r/best-answering.csv")  # c@1 of qa_2, which has no team
    assert best == [["team", "en"], ["(no team)", "0.67"]]


def test_pairs_are_scored_without_a_table_of_selections(here: Path) -> None:
    pairs = "<entailment-corpus>{}</entailment-corpus>".format(
        "".join(
            f'<pair id="{n}" value="{label}"><q>?</q><t>x</t><h>y</h></pair>'
            for n, label in enumerate(["YES", "NO", "NO"])
        )
    )
    put_all(here, {"gold/p.xml": pairs, "p/a.txt": "0 YES\n1 YES\n2 NO\n"})
    text = '[editions.2006.languages.en]\ncollection = "gold/p.xml"\nruns = "p"\n'
    campaign_of(text, code=0)
    assert not (here / "results/2006/best-selection.md").exists()
    # 1 right of 2 validated, all found: F = 2/3
    _, *cells = cells_of(here / "results/2006/best-validation.csv")
    assert cells == [["(no team)", "0.67"]]
    heads, row = cells_of(here / "results/2006/collections.csv")
    assert row[heads.index("questions")] == row[heads.index("with correct")] == ""
    assert row[heads.index("answers")] == "3"


def test_editions_and_languages_keep_the_order_of_the_file(here: Path) -> None:
    both = CAMPAIGN.replace(".2007", ".2008").replace('title = "Small"', "")
    campaign_of(CAMPAIGN.replace("languages.en", "languages.zz") + both, code=0)
    text = (here / "results/index.md").read_text()
    assert re.findall(r"(?m)^## (.+)$", text) == ["2007", "2008", "Notes"]
    assert re.findall(r"(?m)^\| (\w+) \| \d", text) == ["zz", "es", "en", "es"]
    assert cells_of(here / "results/2007/participants.csv")[0] == ["team", "zz", "es", "all"]


def test_runs_are_named_as_their_files_or_as_the_file_says(here: Path) -> None:
    put(here / "runs/es", SPANISH_RUN, "run1.txt")
    names = 'names = { "alpha.txt" = "First", "runs/es/run1.txt" = "Second one" }\n'
    campaign_of(CAMPAIGN.replace("alpha =", "First =") + names, code=0)
    found = [row["run"] for row in rows_of(scores_of(here / "results/2007/es.json"), "AV")]
    assert found == ["First", "delta", "Second one"]


@pytest.mark.parametrize(("runs", "expected"), [
    ('"runs/en"', ["alpha", "beta", "gamma"]),
    ('"./runs/../runs/en/"', ["alpha", "beta", "gamma"]),
    ('"runs/en/alpha.txt"', ["alpha"]),
    ('"runs/en/[ab]*.txt"', ["alpha", "beta"]),
    ('["runs/en/gamma.txt", "runs/en/a*"]', ["gamma", "alpha"]),
    ('["runs/en/*a.txt", "runs/en/alpha.txt"]', ["alpha", "beta", "gamma"]),
])  # fmt: skip
def test_runs_are_a_folder_file_pattern_or_list(here: Path, runs: str, expected: list[str]) -> None:
    put(here, CAMPAIGN.replace('"runs/en"', runs), "campaign.toml")
    result = ave("campaign", "list", "campaign.toml", "-f", "csv")
    # what a pattern leaves out beside the runs that it takes is named
    left = [name for name in ("alpha", "beta", "gamma") if name not in expected and "*" in runs]
    said = [line.split()[5] for line in result.err.splitlines() if "no pattern of runs" in line]
    assert said == [f"runs/en/{name}.txt:" for name in left]
    assert result.code == bool(left) and (NO_TEAM in result.err) == ("gamma" in expected)
    rows = csv.DictReader(io.StringIO(result.out))
    assert [row["run"] for row in rows if row["language"] == "en"] == expected


@pytest.mark.slow
@pytest.mark.parametrize("odd", ["", '\n[editions.2007.languages.nl]\ncollection = "no.xml"\n'])
def test_the_results_are_the_same_from_any_working_directory(
    here: Path, monkeypatch: pytest.MonkeyPatch, odd: str
) -> None:
    put(here, CAMPAIGN + odd, "campaign.toml")
    put(here / "runs/es", "a 1 Rejected 0,1\n", "broken.txt")
    found = []
    (here / "else/where").mkdir(parents=True)
    for place, file in [
        (here, "campaign.toml"),
        (here / "else/where", "../../campaign.toml"),
        (here / "runs", str(here / "campaign.toml")),
        (here, f"../{here.name}/./campaign.toml"),
    ]:
        monkeypatch.chdir(place)
        shutil.rmtree(here / "results", ignore_errors=True)
        assert campaign(file).code == 1
        pages = files_of(here / "results")
        del pages["cache.json"]  # its messages name the file as the call does
        found.append(pages)
    assert found[1:] == found[:1] * 3


def test_output_of_the_file_is_beside_it_and_that_of_the_option_is_here(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(here, CAMPAIGN.replace("title", 'output = "a/b"\ntitle', 1), "campaign.toml")
    monkeypatch.chdir(here / "gold")
    campaign("../campaign.toml")
    assert (here / "a/b/index.md").is_file()
    campaign("../campaign.toml", "--output", "c")
    assert pages_of(here / "gold/c") == pages_of(here / "a/b")


def test_the_file_may_be_standard_input(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    campaign()
    expected = pages_of(here / "results")
    shutil.rmtree(here / "results")
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(CAMPAIGN.encode())))
    assert campaign("-").code == 0
    assert pages_of(here / "results") == expected


NOTHING = "nothing has changed since the last call, nothing was done"


def edit(path: str, old: str, new: str) -> None:
    file = Path(path)
    file.write_text(file.read_text("utf-8").replace(old, new, 1), "utf-8")


SINCE: dict[str, Callable[[], object]] = {
    "nothing": lambda: None,
    "a run": lambda: edit("runs/en/alpha.txt", "0.9", "0.8"),
    "a new run": lambda: put(Path("runs/en"), RUN, "new.txt"),
    "another name": lambda: Path("runs/en/alpha.txt").rename("runs/en/other.txt"),
    "no run": lambda: Path("runs/en/alpha.txt").unlink(),
    "labels": lambda: edit("gold/en.xml", "VALIDATED", "REJECTED"),
    "judgements": lambda: edit("gold/en.qa.tsv", "R", "W"),
    "a team": lambda: edit("gold/en.teams.tsv", "Uni B", "Uni C"),
    "a setting": lambda: edit("campaign.toml", "[editions.", 'share = "everything"\n[editions.'),
    "a page is gone": lambda: Path("results/index.md").unlink(),
    "a record": lambda: Path("results/cache.json").write_text("{}"),
    "no memory": lambda: shutil.rmtree(Path(os.environ["XDG_CACHE_HOME"], "ave-score")),
}


@pytest.mark.parametrize("change", SINCE)
def test_a_call_after_a_change_scores_all_again(
    here: Path, monkeypatch: pytest.MonkeyPatch, change: str
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(here / "memory"))
    put_all(here, {"runs/en/bad.txt": "1 1_1 MAYBE 0.5\n"})
    first = campaign()
    before = files_of(here / "results")
    SINCE[change]()
    again = campaign()
    assert NOTHING not in first.out and (NOTHING in again.out) is (change == "nothing")
    if change in ("nothing", "a page is gone", "no memory"):
        said = [line for line in again.out.splitlines() if line != NOTHING]
        assert (again.code, said, again.err) == (first.code, first.out.splitlines(), first.err)
        assert files_of(here / "results") == before


def test_without_a_home_nothing_is_remembered(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def homeless() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setattr(Path, "home", homeless)
    for _ in range(2):
        assert campaign().code == 0 and NOTHING not in campaign().out


def test_a_record_of_somebody_else_is_not_believed(here: Path) -> None:
    """Nor are pages with it: a folder that was copied, and a record that was edited, are scored."""
    campaign()
    shutil.copytree(here / "results", here / "copied")
    assert NOTHING not in campaign("campaign.toml", "-o", "copied").out
    assert NOTHING in campaign().out
    record, page = here / "results/cache.json", here / "results/index.md"
    wrong = page.read_bytes() + b"We won.\n"
    old, new = (hashlib.sha256(data).hexdigest() for data in (page.read_bytes(), wrong))
    record.write_text(record.read_text().replace(old, new))
    page.write_bytes(wrong)
    assert NOTHING not in campaign().out
    assert page.read_bytes() != wrong


def test_a_site_has_no_record_of_what_was_said(here: Path) -> None:
    for _ in range(2):
        assert NOTHING not in campaign("campaign.toml", "-o", "s", "--audience", "public").out
    assert '"said"' not in (here / "s/cache.json").read_text()
    assert NOTHING not in campaign("campaign.toml", "-o", "results").out


def test_init_writes_a_file_that_campaign_reads(here: Path) -> None:
    result = ave("campaign", "init")
    assert (result.code, result.err) == (0, "")
    put_all(here, {"mine/campaign.toml": result.out, "mine/gold/es.xml": SPANISH})
    put_all(here, {"mine/runs/es/run1.txt": SPANISH_RUN})
    assert campaign("mine/campaign.toml").code == 0
    names = [row["run"] for row in rows_of(scores_of(here / "mine/results/2007/es.json"), "AV")]
    assert names == ["run1"]


def test_every_setting_of_the_file_to_start_with_can_be_used(here: Path) -> None:
    text = ave("campaign", "init").out
    settings = "key|judged|teams|max_runs|closes|submitted|languages|collection|runs"
    used = re.sub(rf"(?m)^# (?={settings}|\[|\")", "", text)
    assert used != text
    unlabelled = re.sub(r' value="\w+"', "", SPANISH)
    put_all(
        here,
        {
            "mine/campaign.toml": used,
            "mine/gold/es.xml": unlabelled,
            "mine/gold/es.key.txt": "a 1 REJECTED\na 2 VALIDATED\nb 1 VALIDATED\nb 2 REJECTED\n",
            "mine/gold/es.qa.tsv": "q_id\trun\tjudgement\na\tqa\tR\nb\tqa\tW\nc\tqa\tW\n",
            "mine/gold/es.teams.tsv": "Team_1\tUni\n",
            "mine/runs/es/run1.txt": SPANISH_RUN,
            "mine/times.tsv": "run1.txt\t2007-05-01T23:59:00Z\n",
            "mine/gold/de.xml": COLLECTION,
            "mine/gold/en.xml": COLLECTION,
            "mine/submissions/Uni/de/run1.txt": RUN,
            "mine/submissions/Uni/en/run1.txt": RUN,
        },
    )
    result = campaign("mine/campaign.toml")
    assert (result.code, result.err) == (0, "")
    (row,) = rows_of(scores_of(here / "mine/results/2007/es.json"), "AV")
    assert (row["run"], row["team"]) == ("Team_1", "Uni")


def test_the_file_of_init_is_valid_except_for_missing_files(here: Path) -> None:
    (here / "mine").mkdir()
    assert ave("campaign", "init", "-o", "mine/new.toml").code == 0
    assert not ave_score.check("mine/new.toml").findings
    checked = ave("check", "mine/new.toml", code=2)
    assert "0 of 2 files with errors, 2 warnings, 1 could not be read" in checked.out
    result = campaign("mine/new.toml", code=1)
    for name in ("gold/es.xml", "runs/es"):
        assert any("AVE707" in line and name in line for line in result.err.splitlines())


@calls([
    Call("campaign.toml", 2, "campaign.toml already exists"),
    Call("gold", 2, "gold"),
    Call("no/such/folder.toml", 2, "no/such/folder.toml"),
    Call("''", 2, "empty"),
])  # fmt: skip
def test_init_writes_over_nothing(here: Path, call: Call) -> None:
    assert_call(here, call, "campaign", "init", "--output")
