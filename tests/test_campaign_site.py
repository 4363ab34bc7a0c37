"""The site of a campaign, and what teams get: what must not depend on labels, nor on other teams.

All expectations are byte-equalities between campaigns that differ in what a team must not see.
"""

from __future__ import annotations

import re
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

import pytest
from lxml import html

from ave_score import AveScoreError, Shared
from ave_score import campaign as scored_campaign
from tests.helpers_command import ave, files_of, put_all

QUESTIONS = "abcd"
LABELS = {"a": "10", "b": "01", "c": "10", "d": "01"}
"""Question -> for each of its two answers, whether it is correct."""

OWN = "a 1 SELECTED 0.5\na 2 REJECTED 0.5\nc 1 SELECTED 0.5\nc 2 REJECTED 0.5\n"
OWN += "b 1 SELECTED 0.5\nb 2 REJECTED 0.5\nd 1 REJECTED 0.5\nd 2 REJECTED 0.5\n"
OTHER = OWN.replace("b 1 SELECTED", "b 1 REJECTED")
BROKEN = OWN.replace("a 1 SELECTED", "a 1 selected") + "e 1 SELECTED 0.5\n"

CAMPAIGN = """\
title = "Small"
share = "{share}"

[editions.y]
measures = "f1, qa_accuracy"
compare = "qa_accuracy"

[editions.y.languages.en]
collection = "gold.xml"
runs = "runs/{{team}}/*"
max_runs_per_team = 2
"""


def gold(labels: dict[str, str]) -> str:
    """Return a collection with texts that occur nowhere else."""
    questions = [
        f'<q id="{q}"><q_str>asked{q}</q_str>'
        + "".join(
            f'<a id="{n}" value="{"VALIDATED" if label == "1" else "REJECTED"}">'
            f"<a_str>given{q}{n}</a_str></a>"
            for n, label in enumerate(of_question, 1)
        )
        + "</q>"
        for q, of_question in labels.items()
    ]
    return f"<ave>{''.join(questions)}</ave>"


def team_files(
    folder: Path,
    labels: dict[str, str] | None = None,
    others: dict[str, str] | None = None,
    share: str = "scores",
) -> dict[str, str]:
    """Return what the team A gets: path -> text."""
    put_campaign(folder, labels, others, share)
    pages = scored_campaign(folder / "campaign.toml").pages
    return {name: text for name, text in pages.items() if name.startswith(("teams/A.", "teams/A/"))}


def put_campaign(
    folder: Path,
    labels: dict[str, str] | None = None,
    others: dict[str, str] | None = None,
    share: str = "scores",
    secret: str = "",
) -> None:
    """Write a campaign; with a secret, its public site is anonymous."""
    own = {"runs/A/one.txt": OWN, "runs/A/two.txt": OTHER, "runs/A/bad.txt": BROKEN}
    given = {"runs/B/b.txt": OTHER, "runs/C/c.txt": OWN} if others is None else others
    text = 'anonymous = "names.secret"\n' * bool(secret) + CAMPAIGN.format(share=share)
    files = {"campaign.toml": text, "gold.xml": gold(labels or LABELS), "names.secret": secret}
    put_all(folder, {**files, **own, **given})


def site(
    folder: Path,
    labels: dict[str, str] | None = None,
    others: dict[str, str] | None = None,
    share: str = "scores",
    secret: str = "",
) -> dict[str, str]:
    put_campaign(folder, labels, others, share, secret)
    pages = scored_campaign(folder / "campaign.toml", folder / "site", audience="public").pages
    assert [*pages] == ["y/en.html", "y/en.template.txt", "index.html"]
    written = {path for path in (folder / "site").rglob("*.*") if path.is_file()}
    assert written == {folder / "site" / name for name in (*pages, "cache.json")}
    assert all(link in pages["index.html"] for link in ["y/en.html", "y/en.template.txt"])
    assert 'href="../index.html"' in pages["y/en.html"]
    for name, title in {"index.html": "Small", "y/en.html": "Small: y, en"}.items():
        assert f"<title>{title}</title>" in pages[name] and f"<h1>{title}</h1>" in pages[name]
    assert ">y</h2>" in pages["index.html"]
    return pages


def assert_similar(found: dict[str, str]) -> None:
    assert [*found] == ["teams/A.txt", "teams/A.html"]
    for text in found.values():
        assert "A/one" in text  # its runs by name
        assert "% interval" not in text  # which is computed from single questions
        assert "AVE103" in text  # the findings of its refused file
        assert "A has 3 runs, 2 allowed" in text
    assert "to fix 1: ave-score fix --collection TEST RUN\n" in found["teams/A.txt"]


def test_scores_are_all_that_depends_on_labels(tmp_path: Path) -> None:
    """The answers to a and c are the same, and those to b and d have no correct selection."""
    found = team_files(tmp_path / "1")
    assert_similar(found)
    # runs treat a and c alike, so that one right answer among them gives the same counts
    one, other = ({**LABELS, "a": a, "c": c} for a, c in (("10", "01"), ("01", "10")))
    first, second = team_files(tmp_path / "2", one), team_files(tmp_path / "3", other)
    assert first == second and first != found


def findings_of(files: dict[str, str]) -> list[str]:
    page = files["teams/A.html"]
    text = re.search(r"^runs/A/bad.txt: not scored.*?\n\n", files["teams/A.txt"], re.M | re.S)
    assert text
    return [page[page.index("Findings in files") : page.index("</details>")], text[0]]


def test_findings_depend_on_no_label_and_are_those_of_a_check(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = findings_of(team_files(tmp_path / "1"))
    labels = {"a": "00", "b": "11", "c": "01", "d": "00"}
    assert findings_of(team_files(tmp_path / "2", labels)) == first
    blind = re.sub(r' value="\w+"', "", gold(LABELS))
    put_all(tmp_path / "1", {"blind.xml": blind})
    monkeypatch.chdir(tmp_path / "1")
    result = ave("check", "runs/A/bad.txt", "--collection", "blind.xml", "-f", "concise", "-q")
    joined = " ".join(first[1].split())
    lines = [" ".join(line.split()) for line in result.out.splitlines()]
    assert len(lines) > 1
    assert lines[0].removeprefix("runs/A/bad.txt:") in joined  # the others are on the page


def test_judgements_that_contradict_labels_are_no_finding_for_a_team(tmp_path: Path) -> None:
    rows = "".join(f"{q}\tqa\t{judged}\t1\n" for q, judged in zip("abcd", "RWRW", strict=True))
    judged = {"runs/A/qa.tsv": "q_id\trun\tjudgement\ta_id\n" + rows}
    # only the labels of these rows change, and with them only what would be contradicted
    same = team_files(tmp_path / "1", LABELS, judged)
    other = team_files(tmp_path / "2", {**LABELS, "a": "01", "b": "10"}, judged)
    assert "contradict" not in "".join(same.values()) + "".join(other.values())
    for files in (same, other):
        assert "qa.tsv" not in "".join(files.values())
    pages = scored_campaign(tmp_path / "2/campaign.toml").pages
    assert "runs/A/qa.tsv" in pages["findings.md"]


def test_a_system_named_like_the_run_of_another_team_does_not_make_it_ones_own(
    tmp_path: Path,
) -> None:
    """The name of a system is in its file: a team may write anything there."""
    rows = "".join(f"{q}\tB/b\t{judged}\t1\n" for q, judged in zip("abcd", "RWRW", strict=True))
    others = {"runs/B/b.txt": OTHER, "runs/A/qa.tsv": "q_id\trun\tjudgement\ta_id\n" + rows}
    for share in [*Shared][:2]:
        found = team_files(tmp_path / share, others=others, share=share)
        assert "B/b" not in "".join(found.values())
    result = scored_campaign(tmp_path / "scores" / "campaign.toml")
    assert {row.run: row.team for row in result.results[0].runs}["B/b"] == "B"
    assert ("runs/A/qa.tsv", "counted once: B/b is also in runs/B/b.txt") in [
        (report.path, report.summary) for report in result.not_scored
    ]
    others["runs/A/qa.tsv"] += "".join(f"{q}\town\tR\t1\n" for q in "abcd")  # one more counts
    found = team_files(tmp_path / "both", others=others)
    assert "B/b" not in "".join(found.values())
    for name in ("teams/A.txt", "teams/A.html"):
        text = " ".join(found[name].split())
        assert "runs/A/qa.tsv: 1 system not scored, and the organisers know why." in text


def test_names_files_and_order_of_other_teams_change_nothing(tmp_path: Path) -> None:
    for share in [*Shared][:2]:
        first = team_files(tmp_path / f"1{share}", share=share)
        others = {"runs/Z/0.tsv": OWN, "runs/Aa/q.run": OTHER, "runs/Z/worse.txt": "x 1 y\n"}
        assert team_files(tmp_path / f"2{share}", others=others, share=share) == first


def test_outcomes_show_no_label_of_answers_that_were_not_selected(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both answers to d are rejected by all runs: its labels may be any with one correct answer."""
    shared = "scores and per-question outcomes"
    # in different bins of confidences
    monkeypatch.setitem(globals(), "OWN", OWN.replace("d 1 REJECTED 0.5", "d 1 REJECTED 0.1"))
    first = team_files(tmp_path / "1", share=shared)
    assert "teams/A/y/en.html" in first
    assert team_files(tmp_path / "2", {**LABELS, "d": "10"}, share=shared) == first
    for text in first.values():
        assert not re.search("asked[a-d]|given[a-d][12]", text)
    everything = team_files(tmp_path / "3", share="everything")
    assert "givend2" in everything["teams/A/y/en.html"]


def test_a_team_reads_that_its_link_is_not_followed(tmp_path: Path) -> None:
    team_files(tmp_path)
    (tmp_path / "runs/A/link.txt").symlink_to(tmp_path / "gold.xml")
    pages = scored_campaign(tmp_path / "campaign.toml").pages
    for name in ("teams/A.txt", "teams/A.html"):
        assert "runs/A/link.txt is reached through a link" in " ".join(pages[name].split())
    for name in ("teams/B.txt", "teams/B.html"):
        assert "link.txt" not in pages[name]


def test_texts_fit_into_a_mail(tmp_path: Path) -> None:
    """The status of files comes first, then own rows; F by hand: see `OWN` and `OTHER`."""
    text = team_files(tmp_path)["teams/A.txt"]
    assert max(map(len, text.splitlines())) <= 72
    assert text.startswith("Small: A\n\n2 files scored, 1 not.\nruns/A/bad.txt: not scored: ")
    assert text.index("bad.txt") < text.index("A/one") < text.index("Your page, A.html, has")


def test_a_mail_of_many_tasks_and_runs_fits_a_screen(tmp_path: Path) -> None:
    """Four tasks, each with a primary and two other runs of a team, two refused and many late."""
    tasks = [f"task{number}" for number in range(4)]
    files = {"gold.xml": gold(LABELS), "random.txt": OTHER}
    for team in "AB":
        for task in tasks:
            for name, decided in {"primary": "0.5", "other1": "0.3", "other2": "0.2"}.items():
                run = (
                    OWN.replace("c 1 SELECTED 0.5", f"c 1 SELECTED {decided}")
                    if team == "A"
                    else OTHER
                )
                files[f"runs/{team}/{task}/{name}.txt"] = run
    files |= {f"runs/A/{task}/other2.txt": BROKEN for task in tasks[:2]}
    times = "".join(f"{name}\t2026-05-02T00:00:00Z\n" for name in files if "other1" in name)
    times += "".join(f"{name}\t2026-04-02T00:00:00Z\n" for name in files if "other1" not in name)
    files["times.tsv"] = "".join(line for line in times.splitlines(True) if line.startswith("runs"))
    files["campaign.toml"] = (
        (
            f'title = "Many"\n[editions.y]\ntasks = {tasks}\ncollection = "gold.xml"\n'
            'runs = ["runs/{team}/{task}/*.txt", "random.txt"]\nprimary = "*/primary"\n'
            'reference = "random"\ncloses = 2026-05-01T00:00:00Z\nsubmitted = "times.tsv"\n'
        )
        .replace("'task", '"task')
        .replace("',", '",')
        .replace("']", '"]')
    )
    put_all(tmp_path, files)
    pages = scored_campaign(tmp_path / "campaign.toml").pages
    text = pages["teams/A.txt"]
    assert len(text.splitlines()) <= 25, text
    own = re.findall(r"^Task (task\d) +A/primary +(\S+ of \d) ", text, re.M)
    assert [task for task, _ in own] == tasks
    assert {rank for _, rank in own} <= {"1 of 2", "2 of 2"}
    assert "6 other runs of yours, and all else" in text


def test_numbered_runs_are_in_the_order_of_their_numbers(tmp_path: Path) -> None:
    others = {f"runs/B{number:02}/b.txt": OTHER for number in range(12)}
    page = team_files(tmp_path, others=others)["teams/A.html"]
    numbers = [
        int(n)
        for n in re.findall(r"another <wbr>?run (\d+)|another run (\d+)", page)
        for n in n
        if n
    ]
    first = numbers[: numbers.index(12) + 1]
    assert first == sorted(first)


@pytest.mark.parametrize(("share", "sentence"), [
    ("scores", "Scores only: no answers to single questions, and no gold labels. Runs of"),
    ("outcomes", "on each question, without gold labels and texts. Runs of other teams"),
    ("everything", "on each question, gold labels and texts. Runs of other teams have numbers,"),
])  # fmt: skip
def test_a_team_reads_what_it_is_shown(tmp_path: Path, share: str, sentence: str) -> None:
    third = {"runs/A/three.txt": OWN, "runs/B/b.txt": OTHER}
    files = team_files(tmp_path, others=third, share=Shared[share.upper()])
    assert sentence in " ".join(files["teams/A.html"].split())
    assert sentence.partition(" Runs of")[0] in " ".join(files["teams/A.txt"].split())
    if share != "scores":
        assert "The runs are not compared." in files["teams/A/y/en.html"]


def test_a_language_that_is_not_scored_is_named_in_the_mail(tmp_path: Path) -> None:
    put_campaign(tmp_path)
    (tmp_path / "gold.xml").write_text("<ave>")
    text = scored_campaign(tmp_path / "campaign.toml").pages["teams/A.txt"]
    assert "0 files scored.\ny, en: not scored.\n" in text


def test_a_language_of_refused_runs_has_a_page(tmp_path: Path) -> None:
    put_campaign(tmp_path, others={})
    for name in ("one", "two"):
        (tmp_path / f"runs/A/{name}.txt").unlink()
    pages = scored_campaign(tmp_path / "campaign.toml").pages
    assert "<dt>Scored</dt><dd>nothing</dd>" in pages["y/en.html"]
    assert "Not scored</dt><dd>A/bad.txt (see Findings)</dd>" in pages["y/en.html"]


def test_a_refused_run_is_named_by_its_team_on_every_page(tmp_path: Path) -> None:
    """Whichever folders are between both; on the public site, too."""
    text = CAMPAIGN.format(share="scores").replace("{team}/*", "{team}/{language}/*")
    runs = {f"runs/{team}/en/one.txt": OWN for team in "AB"} | {"runs/A/en/primary.txt": BROKEN}
    put_all(tmp_path, {"campaign.toml": text, "gold.xml": gold(LABELS), **runs})
    pages = scored_campaign(tmp_path / "campaign.toml").pages
    assert "Not scored</dt><dd>A/primary.txt (see Findings)</dd>" in pages["y/en.html"]
    page = html.document_fromstring(pages["teams/A.html"])
    assert page.xpath("string(.//span[@class='path'])") == "A/primary.txt"
    pages = scored_campaign(tmp_path / "campaign.toml", tmp_path / "site", audience="public").pages
    assert "Not scored</dt><dd>A/primary.txt</dd>" in pages["y/en.html"]


def test_the_index_links_to_every_page(tmp_path: Path) -> None:
    team_files(tmp_path, others={"runs/B/b.txt": OTHER, "runs/U. Évora/c.txt": OWN})
    pages = scored_campaign(tmp_path / "campaign.toml", tmp_path / "results").pages
    links = re.findall(r'href="([^"#]+)"', pages["index.html"])
    assert {link for link in links if link.endswith((".html", ".txt"))} == {
        name for name in pages if name.endswith((".html", ".txt")) and name != "index.html"
    }
    assert "teams/U_Evora.zip" in links
    assert 'href="../index.html"' in pages["y/en.html"]
    assert all((tmp_path / "results" / link).is_file() for link in links)
    assert "teams/U_Evora.html" in pages and "runs/A/bad.txt" in pages["index.html"]
    for name in ("index.html", "index.md"):
        assert "do not publish this folder. It shows gold labels" in pages[name]


def test_runs_without_a_team_are_on_no_page_of_a_team(tmp_path: Path) -> None:
    text = CAMPAIGN.format(share="scores").replace("runs/{team}/*", "runs")
    text += 'teams = { mine = "A" }\n'
    files = {"runs/mine.txt": OWN, "runs/nobody.txt": OTHER}
    put_all(tmp_path, {"campaign.toml": text, "gold.xml": gold(LABELS), **files})
    pages = scored_campaign(tmp_path / "campaign.toml").pages
    assert [name for name in pages if name.startswith("teams/")] == ["teams/A.txt", "teams/A.html"]
    assert "nobody" not in pages["teams/A.txt"] + pages["teams/A.html"]
    assert "their team is not known: nobody (y en)." in pages["index.html"]


@pytest.mark.parametrize("other", ["A", "B"])
def test_a_file_of_several_teams_is_the_organisers(tmp_path: Path, other: str) -> None:
    """Findings in a judged file name systems; a team reads them if all systems are its own."""
    text = CAMPAIGN.format(share="scores").replace('"f1, qa_accuracy"', '"qa_accuracy"')
    text = text.replace("runs/{team}/*", "runs")
    text += f'teams = {{ one = "A", two = "{other}" }}\n'
    rows = [
        f"{q}\t{run}\tR\n" for run, asked in {"one": "abc", "two": "abcd"}.items() for q in asked
    ]
    qa = "q_id\trun\tjudgement\n" + "".join(rows)
    put_all(tmp_path, {"campaign.toml": text, "gold.xml": gold(LABELS), "runs/qa.tsv": qa})
    pages = scored_campaign(tmp_path / "campaign.toml").pages
    assert "run 'one' has no row for question 'd'" in pages["findings.md"]
    told = {name for name, page in pages.items() if name.startswith("teams/") and "AVE508" in page}
    assert told == ({"teams/A.txt", "teams/A.html"} if other == "A" else set())


@pytest.mark.parametrize("audience", ["organisers", "public"])
def test_what_cannot_be_compared_is_said_of_nothing_else(tmp_path: Path, audience: str) -> None:
    """F1 is for runs only: these are compared, and the system is not."""
    text = CAMPAIGN.format(share=Shared.OUTCOMES).replace(
        '"gold.xml"', '"gold.xml"\njudged = "qa.tsv"'
    )
    text = text.replace('compare = "qa_accuracy"', 'compare = "f1"') + 'teams = { qa = "Q" }\n'
    qa = "q_id\trun\tjudgement\n" + "".join(f"{q}\tqa\tR\n" for q in QUESTIONS)
    runs = {"runs/B/b.txt": OTHER, "runs/C/c.txt": OWN}
    put_all(tmp_path, {"campaign.toml": text, "gold.xml": gold(LABELS), "qa.tsv": qa, **runs})
    pages = scored_campaign(tmp_path / "campaign.toml", audience=audience).pages
    for name, page in pages.items():
        if name.endswith("en.html"):
            lines = re.findall('<p class="finding">([^<]*)', page)
            assert len(lines) == 1 and lines[0].startswith("By F"), name
            assert "<dt>Scored</dt><dd>2 runs and 1 QA system</dd>" in page


def test_what_a_language_lacks_is_not_in_the_index(tmp_path: Path) -> None:
    """Neither a number of files not scored, nor the template of a run: qrels give no candidates.

    By hand: the right one of two answers has equal confidence with the other in `en`, so AP is the
    mean of 1 and 1/2; in `fr` it is the first for two questions, and the second for two.
    """
    qrels = "".join(f"{q} 0 {n} {right}\n" for q in LABELS for n, right in enumerate(LABELS[q]))
    ranked = "".join(f"{q} Q0 {n} {n} {1 - n} x\n" for q in LABELS for n in (0, 1))
    text = CAMPAIGN.format(share="scores").replace("f1, qa_accuracy", "map")
    text = text.replace('compare = "qa_accuracy"', 'compare = "none"')
    text += '[editions.y.languages.fr]\ncollection = "qrels.txt"\nruns = "fr/{team}/*"\n'
    runs = {"runs/A/a.txt": OWN, "runs/A/bad.txt": BROKEN, "runs/B/b.txt": OTHER}
    runs["fr/A/a.txt"] = ranked
    put_all(tmp_path, {"campaign.toml": text, "gold.xml": gold(LABELS), "qrels.txt": qrels, **runs})
    pages = scored_campaign(tmp_path / "campaign.toml").pages
    assert [name for name in pages if "template" in name] == ["y/en.template.txt"]
    rows = html.document_fromstring(pages["index.html"]).findall(".//tbody/tr")
    cells = [[cell.xpath("normalize-space()") for cell in row] for row in rows]
    assert cells == [["en template", "2", "1", "A/a, B/b 0.75"], ["fr", "1", "", "A/a 0.75"]]


U_A = "U_A-8ca8e5e787eb249f041c6e44b86a08411b2d27e0b484ec551f2e6087051baea5"
U_DOT_A = "U_A-f2b7bcee4799de30ed5473ccc164150f160be698a518539710cbeeef96db372c"


@pytest.mark.parametrize(("teams", "expected"), [
    (["UNED", "U. Jaén", "ITC-irst"], ["UNED", "U_Jaen", "ITC-irst"]),
    (["../../etc", "a/b", "con"], ["etc", "a_b", "con-1143da2b"]),
    (["uned", "UNED"], ["uned-24a29b7d", "UNED-45f755a2"]),
    (["U A", "U.A", "U_A-8ca8e5e7"], [U_A, U_DOT_A, "U_A-8ca8e5e7"]),
    (["日本", "x" * 300], ["team-cf2abf0c", "x" * 60 + "-0d4e2ca9"]),
])  # fmt: skip
def test_teams_as_names_of_files(tmp_path: Path, teams: list[str], expected: list[str]) -> None:
    """The hashes are those of sha256sum."""
    named = ", ".join(f'r{number} = "{team}"' for number, team in enumerate(teams))
    text = CAMPAIGN.format(share="scores").replace("runs/{team}/*", "runs")
    runs = {f"runs/r{number}.txt": OWN for number in range(len(teams))}
    text += f"teams = {{ {named} }}\n"
    put_all(tmp_path, {"campaign.toml": text, "gold.xml": gold(LABELS), **runs})
    pages = scored_campaign(tmp_path / "campaign.toml").pages
    found = {name for name in pages if name.startswith("teams/")}
    assert found == {f"teams/{name}{suffix}" for name in expected for suffix in (".html", ".txt")}
    for name, team in zip(expected, teams, strict=True):
        assert pages[f"teams/{name}.txt"].replace("\n", "").startswith(f"Small: {team}")


def test_a_zip_file_has_what_a_team_gets_and_nothing_else(tmp_path: Path) -> None:
    found = team_files(tmp_path, share="everything")
    for output in ("1", "2"):
        ave("campaign", str(tmp_path / "campaign.toml"), "-o", str(tmp_path / output), code=1)
    data = [(tmp_path / output / "teams/A.zip").read_bytes() for output in ("1", "2")]
    assert data[0] == data[1]
    with ZipFile(BytesIO(data[0])) as archive:
        members = {f"teams/{name}": archive.read(name).decode() for name in archive.namelist()}
    assert members == found and "teams/A/y/en.html" in found
    assert 'href="../../A.html"' in found["teams/A/y/en.html"]


SECRET = "0123456789abcdef"


def anonymous_names(pages: dict[str, str]) -> set[str]:
    """Return the names of runs on a site, as their cells have them."""
    cells = re.sub("<wbr/?>", "", pages["y/en.html"])
    return {*re.findall(r"\b[a-z2-7]{8}/[a-z2-7]{6}\b", cells)}


def test_an_anonymous_site_is_a_function_of_printed_scores(tmp_path: Path) -> None:
    """The answers to a and c are the same, and so are the counts of both sets of labels."""
    one, other = ({**LABELS, "a": a, "c": c} for a, c in (("10", "01"), ("01", "10")))
    first = site(tmp_path / "1", one, secret=SECRET)
    assert site(tmp_path / "2", other, secret=SECRET) == first
    assert site(tmp_path / "3", secret=SECRET) != first
    assert "4 runs scored" in first["index.html"]
    for text in first.values():
        assert not re.search("% interval|significan|asked[a-d]|given[a-d][12]", text)
    assert len(anonymous_names(first)) == 4


@pytest.mark.parametrize("share", [*Shared])
def test_an_anonymous_site_names_no_team_run_or_file(tmp_path: Path, share: Shared) -> None:
    for text in site(tmp_path, share=share, secret=SECRET).values():
        assert not re.search(r"\b[ABC]/(one|two|bad|b|c)\b|bad.txt|runs/|AVE103", text)
        assert "givend2" not in text or share is Shared.EVERYTHING


def test_an_anonymous_site_shows_teams_and_the_organisers_runs(tmp_path: Path) -> None:
    """The names are those of the next test; a run of the organisers has no other."""
    text = f'anonymous = "names.secret"\n{CAMPAIGN.format(share="everything")}reference = "C/*"\n'
    runs = {"runs/A/one.txt": OWN, "runs/B/b.txt": OTHER, "runs/C/c.txt": OTHER.replace(".5", ".4")}
    files = {"campaign.toml": text, "names.secret": SECRET, "gold.xml": gold(LABELS), **runs}
    put_all(tmp_path, files)
    pages = scored_campaign(tmp_path / "campaign.toml", audience="public").pages
    found = html.document_fromstring(pages["y/en.html"])
    shown = found.findall(".//section[@id='ranking']//tbody/tr")
    ours, theirs = "hvf4mrn5", "mgig7snj"
    one, other = f"{ours}/35n6ap", f"{theirs}/kfe57f"
    rows = [[cell.xpath("normalize-space()") for cell in row] for row in shown]
    # of the table of differences, where both have equal figures
    assert [row[1:3] for row in rows[-2:]] == [[other, theirs], [one, ours]]
    heads = found.findall(".//table[@class='matrix']/thead//th")
    assert [head.xpath("string()") for head in heads][2:5] == [other, one, "C/c"]
    said = [head.xpath("string()") for head in heads if "beside" in head.get("class", "")]
    assert said == ["C/c"]


def test_anonymous_names_stay_and_cannot_be_guessed(tmp_path: Path) -> None:
    """The names are those of `openssl dgst -sha256 -hmac KEY -binary | base32`."""
    names = anonymous_names(site(tmp_path / "1", secret=SECRET))
    assert {"hvf4mrn5/35n6ap", "mgig7snj/kfe57f"} < names
    assert '">hvf4mrn5</td>' in (tmp_path / "1/site/y/en.html").read_text("utf-8")  # the team
    more = {"runs/0/new.txt": OWN, "runs/B/b.txt": OWN, "runs/C/c.txt": OTHER}
    later = anonymous_names(site(tmp_path / "2", others=more, secret=f"{SECRET}\n"))
    assert names < later
    assert not names & anonymous_names(site(tmp_path / "3", secret=SECRET[::-1]))
    told = scored_campaign(tmp_path / "1/campaign.toml").pages
    public = "On the public site, A/one is hvf4mrn5/35n6ap"
    assert public in told["teams/A.txt"].replace("\n", " ")
    assert "mgig7snj/kfe57f" not in told["teams/A.txt"] + told["teams/A.html"]
    assert "B</a>" in told["index.html"] and "(mgig7snj)" in told["index.html"]
    file = tmp_path / "1/campaign.toml"
    text = file.read_text("utf-8").replace(
        "\n[editions.y.languages.en]", 'languages = ["en", "fr"]'
    )
    file.write_text(text, "utf-8")
    both = scored_campaign(file).pages
    text = both["teams/A.txt"].replace("\n", " ")
    once = public, "A has 3 runs, 2 allowed: ", "2 files scored, 1 not.", "bad.txt: not scored: "
    assert [text.count(one) for one in once] == [1, 1, 1, 1]
    assert both["teams/A.html"].count(public) == 2  # in the section of each


def test_equal_runs_of_an_anonymous_site_are_in_the_order_of_its_names(tmp_path: Path) -> None:
    """Their order tells nothing of the names of teams; confidences differ, and no figure does."""
    teams = "BCDE"
    others = {f"runs/{team}/x": OWN.replace(".5", f".{n}") for n, team in enumerate(teams, 6)}
    put_campaign(tmp_path, others=others, secret=SECRET)
    pages = scored_campaign(tmp_path / "campaign.toml", audience="public").pages
    rows = html.document_fromstring(pages["y/en.html"]).findall(".//section[@id='scores']//tr")
    cells = [[cell.xpath("normalize-space()") for cell in row] for row in rows]
    names = [str(row[1]) for row in cells if row[2] and row[3] == "0.57"]
    assert len(names) == len(teams) + 1 and names == sorted(names)


@pytest.mark.parametrize("share", [*Shared])
def test_surplus_runs_are_not_on_an_anonymous_site(tmp_path: Path, share: Shared) -> None:
    """Two runs of a team are allowed: a third one would tell one score more."""
    others = {"runs/A/three.txt": OWN.replace("a 1 SELECTED", "a 1 REJECTED")}
    found = site(tmp_path, others=others, share=share, secret=SECRET)
    assert len(anonymous_names(found)) == 2 and "three" not in found["y/en.html"]
    assert ("The runs are not compared." in found["y/en.html"]) == (share is not Shared.SCORES)
    told = scored_campaign(tmp_path / "campaign.toml").pages["teams/A.txt"]
    names = [f"A/{run} is " in told.replace("\n", " ") for run in ("one", "two", "three")]
    assert names.count(True) == 2  # those that are there


@pytest.mark.parametrize("share", [*Shared])
def test_a_public_site_shows_what_a_public_page_shows(tmp_path: Path, share: Shared) -> None:
    found = site(tmp_path, share=share)
    runs = [tmp_path / name for name in ("runs/A/one.txt", "runs/A/two.txt", "runs/B/b.txt")]
    options = ["--audience", "public", "--share", share.name.lower(), "--resamples", "100"]
    page = tmp_path / "page.html"
    ave("report", tmp_path / "gold.xml", *runs, *options, "-o", page)
    texts = page.read_text("utf-8"), found["y/en.html"]
    first, second = (re.findall('<section id="([a-z]+)"', text) for text in texts)
    assert first == [name for name in second if name != "findings"]  # of the broken run
    for told in ("asked[a-d]|given[a-d][12]", "collection:", "AVE103"):
        assert bool(re.search(told, texts[1])) == (share is Shared.EVERYTHING), told
    marks = "surplus" if share is Shared.SCORES else "surplus, same as B/b"  # answers are seen
    assert f"A/two ({marks})" in re.sub("<wbr/?>", "", found["y/en.html"])
    assert "bad.txt" not in found["index.html"] and "0 files" not in found["index.html"]


def test_results_for_organisers_never_become_a_site(tmp_path: Path) -> None:
    put_campaign(tmp_path)
    file, folder = str(tmp_path / "campaign.toml"), str(tmp_path / "results")
    for first, second in (("organisers", "public"), ("public", "organisers")):
        output = f"{folder}-{first}"
        ave("campaign", file, "-o", output, "--audience", first, code=1)
        before = files_of(Path(output))
        result = ave("campaign", file, "-o", output, "--audience", second, code=2)
        assert f"contains results for {first}, not for {second}" in result.err
        assert files_of(Path(output)) == before
    assert "needs --output" in ave("campaign", file, "--audience", "public", code=2).err
    with pytest.raises(AveScoreError, match="audience 'all': organisers or public"):
        scored_campaign(file, audience="all")


@pytest.mark.parametrize(("secret", "problem"), [
    (b"", "names.secret needs 16 to 4,096 random bytes"),
    (b"x" * 5000, "random bytes"),
    (None, "no such.* random bytes"),
])  # fmt: skip
def test_no_secret_is_no_site(tmp_path: Path, secret: bytes | None, problem: str) -> None:
    put_campaign(tmp_path, secret=SECRET)
    (tmp_path / "names.secret").unlink()
    if secret is not None:
        (tmp_path / "names.secret").write_bytes(secret)
    with pytest.raises(AveScoreError, match=problem):
        scored_campaign(tmp_path / "campaign.toml", tmp_path / "site", audience="public")
    assert not (tmp_path / "site").exists()


def test_the_setting_has_the_choices_of_pages(tmp_path: Path) -> None:
    template = ave("campaign", "init", "-o", "-").out
    assert '# share = "scores" ' in template  # what shows least
    assert all(f'"{share}"' in template for share in Shared)
    put_all(tmp_path, {"campaign.toml": CAMPAIGN.format(share="all"), "gold.xml": gold(LABELS)})
    result = ave("campaign", str(tmp_path / "campaign.toml"), code=1)
    assert "AVE703 share " in result.err
