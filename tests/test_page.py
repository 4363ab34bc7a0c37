"""The page of `ave-score report`: its content, its readers, hostile names and texts."""

from __future__ import annotations

import hashlib
import math
import pickle
import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from lxml import html

import ave_score
from ave_score import Design, Policies, Resampling
from ave_score.commands import run
from ave_score.inference import resampling
from tests import mostly_slow, slow
from tests.conftest import ROOT
from tests.helpers_command import ave, put_all, refusal
from tools.own import own_files

SPANISH = [
    *(str(ROOT / "gold/ave2007-es.xml"), "--qa", str(ROOT / "gold/ave2007-es.qa.tsv")),
    *("--teams", str(ROOT / "gold/ave2007-es.teams.tsv"), "--resamples", "100"),
    *sorted(map(str, (ROOT / "sample_runs/ave2007-es").glob("*.txt"))),
]
TINY = [str(ROOT / "gold/tiny.xml"), *sorted(map(str, (ROOT / "sample_runs/tiny").glob("*.txt")))]
FEW = Design(resampling=Resampling(20))
SHARES = ("scores", "outcomes", "everything")

LABELS = ("VALIDATED", "REJECTED")
QUESTIONS = ("qA1", "qB2", "qC3", "qD4")


def gold_text(right: tuple[int, ...]) -> str:
    """Return a collection of four questions with two answers, of which one is right."""
    parts = []
    for number, q_id in enumerate(QUESTIONS):
        answers = "".join(
            f'<a id="{q_id}_{at}" value="{LABELS[at != right[number]]}">'
            f"<a_str>answer text {q_id} {at}</a_str>"
            f"<t_str doc='doc{number}'>support text {q_id}</t_str></a>"
            for at in (0, 1)
        )
        parts.append(
            f'<q id="{q_id}" type="T{number % 2}"><q_str>asked {q_id}</q_str>{answers}</q>'
        )
    return f"<ave>{''.join(parts)}</ave>"


def run_text(selected: tuple[int | None, ...], confidence: float = 0.5) -> str:
    lines = []
    for q_id, chosen in zip(QUESTIONS, selected, strict=True):
        for at in (0, 1):
            verdict = "SELECTED" if at == chosen else "REJECTED"
            lines.append(f"{q_id} {q_id}_{at} {verdict} {confidence}")
    return "\n".join(lines) + "\n"


class Evening:
    """A folder with a collection, runs of three teams, one of them broken, and their teams."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.runs = {
            "mine": (run_text((0, 0, 1, None)), "Ours"),
            "zulu": (run_text((0, 0, 0, 0)), "Others"),
            "alfa": (run_text((1, 1, 1, 1)), "Strangers"),
        }
        self.broken = {
            "minebroken": (run_text((0, 0, 1, 1)).replace("REJECTED", "rejected", 1), "Ours"),
            "secretbroken": ("nonsense\n", "Others"),
        }

    def written(self, right: tuple[int, ...]) -> list[str]:
        """Write a collection with these right answers, and the rest; return collection and runs."""
        files = {**self.runs, **self.broken}
        teams = "".join(f"{name}\t{team}\n" for name, (_, team) in files.items())
        texts = {f"{name}.txt": text for name, (text, _) in files.items()}
        put_all(self.folder, {"teams.tsv": teams, "gold.xml": gold_text(right), **texts})
        return [str(self.folder / name) for name in ("gold.xml", *texts)]

    def page(self, right: tuple[int, ...], *options: str) -> str:
        """Return the page of a collection with these right answers."""
        out, teams = self.folder / "page.html", str(self.folder / "teams.tsv")
        arguments = ["report", *self.written(right), "--teams", teams]
        arguments += ["--resamples", "100", "--keep-going", *options]
        ave(*arguments, "-o", out, code=bool(self.broken))
        return out.read_text("utf-8")

    def made(self, right: tuple[int, ...], readers: ave_score.Audience) -> ave_score.Page:
        """Return the page that Python makes for readers."""
        self.broken = {}
        gold, *runs = self.written(right)
        teams, few = self.folder / "teams.tsv", Design(resampling=Resampling(100))
        return ave_score.report(gold, runs, teams=teams, by="type", design=few, audience=readers)


@pytest.fixture
def evening(tmp_path: Path) -> Evening:
    return Evening(tmp_path)


def page(path: Path, *arguments: str, code: int = 0) -> html.HtmlElement:
    ave("report", *arguments, "-o", path, code=code)
    return html.document_fromstring(path.read_bytes())


@pytest.fixture(scope="module")
def spanish(tmp_path_factory: pytest.TempPathFactory) -> html.HtmlElement:
    return page(tmp_path_factory.mktemp("spanish") / "page.html", *SPANISH)


def rows_of(table: html.HtmlElement) -> list[list[str]]:
    """Return the texts of the cells of a table, white space collapsed."""
    rows = table.findall("tbody/tr")
    return [[" ".join(cell.text_content().split()) for cell in row] for row in rows]


def cells_of(table: html.HtmlElement) -> dict[str, dict[str, str]]:
    """Return the cells of each run by the heads of their columns."""
    heads = [" ".join(head.text_content().split()) for head in table.findall("thead/tr/th")]
    rows = [dict(zip(heads, row, strict=True)) for row in rows_of(table)]
    return {row["Run"]: row for row in rows}


def section(text: str, name: str) -> str:
    found = re.search(rf'<section id="{name}".*?</section>', text, re.S)
    assert found
    return found[0]


def test_sections_are_in_the_order_of_the_design(spanish: html.HtmlElement) -> None:
    sections = [x.get("id") for x in spanish.iterfind(".//section") if x.get("hidden") is None]
    order = [
        "about", "ranking", "scores", "questions", "curves", "breakdowns", "findings", "reading",
    ]  # fmt: skip
    assert sections == [name for name in order if name in sections]
    assert {"about", "ranking", "scores", "reading"} <= {*sections}
    links = [one.get("href", "").removeprefix("#") for one in spanish.iterfind(".//nav//a")]
    assert links == sections
    assert spanish.get("lang") == "en"
    assert spanish.findtext(".//title") == spanish.findtext(".//h1") == "ave2007-es.xml"


def test_all_tables_have_the_decimals_asked_for(tmp_path: Path) -> None:
    found = page(tmp_path / "page.html", *TINY, "--digits", "4", "--resamples", "100")
    for name in ("ranking", "scores"):
        cells = " ".join(cell.text_content() for cell in found.iterfind(f".//*[@id='{name}']//td"))
        assert {len(digits) for digits in re.findall(r"\.(\d+)", cells)} == {4}


def test_facts_and_sections_by_hand() -> None:
    """Counts of gold/tiny.xml, line by line: one of ten answers is UNKNOWN."""
    policies = Policies(missing="rejected", threshold=0.5)
    made = ave_score.report(*(TINY[0], TINY[1:]), measures="auc", policies=policies, design=FEW)
    facts = {
        "Collection": "tiny.xml", "Languages": "EN", "Questions": "5, 3 with a correct answer",
        "Answers": "10: 4 correct, 5 not correct, 1 unknown", "Scored": "2 runs",
        "Missing answers": "REJECTED with confidence 0, or below the lowest of the run",
        "UNKNOWN labels": "left out, or not correct: each measure says which",
        "Equal confidences": "ranked as the mean over all orders",
        "Threshold": "runs validate answers with a confidence of at least 0.5",
    }  # fmt: skip
    assert [name for name, _ in made.facts] == [*facts]
    assert all(text.startswith(facts[name]) for name, text in made.facts)
    names = ["About", "Ranking", "Scores", "Questions", "Curves", "Reading"]
    assert [*made.sections] == [(name.lower(), name) for name in names]
    (explained,) = made.measures
    assert explained[1] == "Area under the ROC curve of the confidences; ties count half."


def test_facts_about_judged_documents(tmp_path: Path) -> None:
    put_all(tmp_path, {"qrels": "1 0 a 1\n2 0 b 0\n", "r": "1 Q0 a 1 0.9 r\n2 Q0 b 1 0.5 r\n"})
    found = page(tmp_path / "page.html", str(tmp_path / "qrels"), str(tmp_path / "r"))
    names = [one.text for one in found.iterfind(".//dl//dt")]
    texts = [one.text for one in found.iterfind(".//dl//dd")]
    facts = dict(zip(names, texts, strict=True))
    assert facts["Judged documents"] == "2: 1 correct, 1 not correct"
    assert (facts["Questions"], facts["Scored"]) == ("2, 1 with a correct answer", "1 run")


@pytest.mark.parametrize(
    "said", mostly_slow(['"task_version": 0', '"name": "graded", "options": {}'], 1)
)
def test_facts_about_logs(tmp_path: Path, said: str) -> None:
    """The logs have 24 questions, each asked twice; one has another version, or another option."""
    for name in ("ada", "bob"):
        log = (ROOT / f"sample_runs/logs/{name}.json").read_text("utf-8")
        assert log.count(said) == log.count('"metadata": {}}]}') == 1
        log = log.replace('"metadata": {}}]}', '"metadata": {}}, {"name": "other"}]}')
        other = said.replace(": 0", ": 1").replace("{}", '{"lax": true}')
        put_all(tmp_path, {f"{name}.json": log.replace(said, said if name == "ada" else other)})
    logs = [tmp_path / "ada.json", tmp_path / "bob.json"]
    facts = dict(ave_score.report(logs, compared="c_at_1", design=FEW).facts)
    assert [*facts] == ["Task", "Questions", "Scored", "Epochs", "Intervals"]
    asked = "24 questions × 2 epochs, scorer graded."
    other = "Logs have other versions of it, or options of scorers."
    assert (facts["Task"], facts["Scored"]) == ("facts", "2 QA systems")
    assert facts["Questions"] == f"{asked} {other}"


def test_facts_about_pairs(tmp_path: Path) -> None:
    pairs = "".join(f'<pair id="{n}" value="{value}"/>' for n, value in enumerate(["YES", "NO"]))
    put_all(tmp_path, {"pairs.xml": f"<entailment-corpus>{pairs}</entailment-corpus>"})
    put_all(tmp_path, {"a.txt": "0 YES\n1 NO\n", "b.txt": "0 NO\n1 NO\n"})
    runs = [tmp_path / "a.txt", tmp_path / "b.txt"]
    made = ave_score.report(tmp_path / "pairs.xml", runs, design=FEW)
    assert dict(made.facts)["Pairs"] == "2: 1 correct, 1 not correct"


def test_figures_are_those_of_score_and_compare(spanish: html.HtmlElement) -> None:
    collection, qa, teams, runs = SPANISH[0], SPANISH[2], SPANISH[4], SPANISH[7:]
    policies = ave_score.Policies(intervals=ave_score.IntervalPolicy(resamples=100))
    more: dict[str, Any] = {"policies": policies, "teams": teams}
    scores = ave_score.score(collection, runs, qa, measures="ave2007", **more)
    design = ave_score.Design(resampling=Resampling(100))
    compared = ave_score.compare(collection, runs, design=design, teams=teams)
    shown = {
        " ".join(one.findtext("caption", "").split()): rows_of(one)
        for one in spanish.iterfind(".//table[@class='data']")
    }
    tables = html.fragment_fromstring(scores._repr_html_()).findall(".//table")
    titles = [table.findtext("caption", "") for table in tables]
    assert titles == ["Validation, by F", "Selection, by QA accuracy"]
    together = cells_of(spanish.find(".//section[@id='scores']//table"))
    assert together.keys() == {name for table in tables for name in cells_of(table)}
    for table in tables:
        for name, cells in cells_of(table).items():
            assert cells.items() - together[name].items() <= {("#", cells["#"])}
    # what has no F is behind the rest in the order of QA accuracy, and not ranked
    validation, selection = map(cells_of, tables)
    others = [name for name in selection if name not in validation]
    assert [*together] == [*validation, *others]
    assert {together[name][head] for name in others for head in ("#", "F")} == {""}
    for comparison in compared.comparisons:
        title = f"{comparison.measure.title}: 5 runs on 170 questions"
        assert [row[1] for row in shown[title]] == [one.run for one in comparison.standings]
        assert [row[-1] for row in shown[title]] == [one.letters for one in comparison.standings]
        assert [row[3] for row in shown[title]] == [
            f"{float(one.value or 0):.3f}" for one in comparison.standings
        ]
    heads = [one.text_content() for one in spanish.iterfind(".//footer//code")]
    assert heads == [scores.signature, compared.signature]


@pytest.mark.parametrize("resamples", [100, 101])
def test_scores_and_comparison_share_samples(
    resamples: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """AUC has intervals and tests by the bootstrap, which draws the questions of each sample."""
    drawn, usual = [], resampling.weights

    def counted(questions: int, how: Resampling) -> Any:  # noqa: ANN401 - as `weights`
        drawn.append(how)
        return usual(questions, how)

    monkeypatch.setattr(resampling, "weights", counted)
    given = TINY[0], TINY[1:]
    asked = ave_score.Policies(intervals=ave_score.IntervalPolicy(resamples=100))
    design = ave_score.Design(resampling=Resampling(resamples))
    found = ave_score.report(*given, policies=asked, measures="auc", design=design).seen.compared
    assert len(drawn) == 1 + (resamples != 100)  # other samples are drawn apart
    assert found is not None
    alone = ave_score.compare(*given, measures="auc", design=design)
    for one, other in zip(found.comparisons, alone.comparisons, strict=True):
        assert repr((one.standings, one.pairs)) == repr((other.standings, other.pairs))
    if resamples == 100:
        scores = ave_score.score(*given, policies=asked, measures="auc")
        ends = {row.run: row.intervals["auc"].interval for row in scores.rows if row.intervals}
        assert {one.run: one.interval for one in found.comparisons[0].standings} == ends


def test_what_cannot_be_told_apart_stands_above_all_tables(evening: Evening) -> None:
    evening.broken = {}
    text = evening.page((0, 0, 1, 1))
    before = html.document_fromstring(text.partition("<table")[0])
    found = [
        " ".join("".join(map(str, one.itertext())).split())
        for one in before.iterfind(".//p[@class='finding']")
    ]
    # four questions: the smallest p of a randomisation test of them is 2 / 2 ** 4
    for sentence, measure in zip(found, ("F", "QA accuracy"), strict=True):
        assert sentence.startswith(f"By {measure}, 4 questions are too few")


@pytest.mark.parametrize(("runs", "evidence"), [
    (2, "p = 0.500; studentised paired randomisation test, 4 questions, "),
    (3,
        "Paired randomisation test, studentised for 2 of 3 pairs, "
        "Holm's correction for 3 pairs, 4 questions, "),
])  # fmt: skip
def test_evidence_stands_behind_its_claim(evening: Evening, runs: int, evidence: str) -> None:
    """The first two runs differ on two questions: 2 of the 4 ways to swap these are as extreme."""
    evening.runs, evening.broken = dict([*evening.runs.items()][:runs]), {}
    found = html.document_fromstring(evening.page((0, 0, 1, 1), "-m", "f1"))
    (line,) = found.findall(".//p[@class='finding']")
    few = "even if a run won all of them, the difference would not be significant. "
    assert line.text == f"By F, 4 questions are too few: {few}"
    assert [part.text for part in line] == [f"{evidence}significance level 0.05."]


def test_questions_show_the_best_run_first(evening: Evening) -> None:
    """F by hand: alfa has 3 of 4 right, mine 1 of 3 (and 4 correct answers), zulu 1 of 4."""
    found = html.document_fromstring(evening.page((1, 1, 1, 0)))
    heads = found.findall(".//table[@class='matrix']/thead//th")
    assert [head.xpath("string()") for head in heads][2:5] == ["alfa", "mine", "zulu"]


def test_measures_are_explained_by_their_records(tmp_path: Path) -> None:
    found = page(tmp_path / "page.html", *TINY, "-m", "f1,c_at_1", "--resamples", "100")
    folds = found.findall(".//section[@id='reading']//details")
    assert [fold.findtext("summary/span") for fold in folds] == ["F", "c@1"]
    terms = [term.text_content() for term in folds[1].iterfind(".//dt")]
    assert {"Formula", "0/0", "Use", "Avoid", "Source"} <= {*terms}
    # Peñas, Rodrigo: A Simple Measure to Assess Non-response, 2011
    assert "(ac + u·ac/n) / n" in folds[1].text_content()


def test_baselines_and_own_runs_have_classes(tmp_path: Path) -> None:
    found = page(tmp_path / "page.html", *SPANISH, "--audience", "UNED")
    of_class = {
        name: [row.findtext("th") for row in found.iterfind(f".//tr[@class='{name}']")]
        for name in ("baseline", "system", "run own")
    }
    assert "100% VALIDATED" in of_class["baseline"]
    assert "another system 1" in of_class["system"]
    assert {*of_class["run own"]} == {"Rodrigo"}


@pytest.mark.slow
@pytest.mark.parametrize(("arguments", "expected"), [
    (TINY[:2], "A single run is not compared."),
    ([str(ROOT / "gold/ave2006-pt.xml.gz"), *map(str, own_files("sample_runs/ave2006-pt"))],
        "Pairs"),
    ([str(ROOT / "gold/respubliqa2009-ro.qa.tsv.gz"), "--letters", "respubliqa"], "QA systems"),
    ([str(ROOT / "gold/lists.json"), *map(str, own_files("sample_runs/lists"))], "brief"),
    ([*TINY, "--qa", str(ROOT / "gold/tiny.qa.tsv")], "QA"),
    ([*TINY, "--threshold", "0.6"], "at least 0.6"),
    ([*TINY, "-m", "recall", "--digits", "4"], "0.7500"),
    ([*TINY, "-m", "auc"], "ranked as the mean over all orders"),
], ids=["single", "pairs", "systems", "responses", "qa", "threshold", "one", "ranks"])  # fmt: skip
def test_everything_that_can_be_scored_has_a_page(
    tmp_path: Path, arguments: list[str], expected: str
) -> None:
    found = page(tmp_path / "page.html", *arguments, "--resamples", "100")
    assert expected in found.text_content()
    assert found.findall(".//section[@id='scores']//table")


def test_runs_that_lack_answers(evening: Evening) -> None:
    evening.broken = {}
    text, team = evening.runs["mine"]
    evening.runs["mine"] = "".join(text.splitlines(keepends=True)[:4]), team
    found = evening.page((0, 0, 1, 1), "--missing", "excluded")
    assert "left out of all counts of this run" in found
    assert "compared on the 2 of 4 questions for which every run has all answers" in found
    for audience, ranks in (("organisers", ["1=", "1=", "3"]), ("Ours", ["", "", ""])):
        options = ("--missing", "excluded", "--audience", audience, "-m", "qa_accuracy")
        text = section(evening.page((0, 0, 1, 1), *options), "ranking")
        figure = html.fragment_fromstring(text).find(".//figure//table")
        assert [row[0] for row in rows_of(figure)] == ranks  # of 2 questions, two runs have both


def test_teams_of_questions(evening: Evening) -> None:
    evening.broken = {}
    found = html.document_fromstring(evening.page((0, 0, 1, 1), "--breakdown", "type", "-m", "f1"))
    (table,) = found.findall(".//section[@id='breakdowns']//table[@class='data']")
    # T0 has the questions 1 and 3, T1 2 and 4; the run `mine` is right on 1, 2 and 3
    shown = {(row[0], row[1]): row[3].split()[0] for row in rows_of(table)}
    assert shown["mine", "T0"] == "1.00"
    assert shown["mine", "T1"] == "0.67"  # 1 of 1 validated, 1 of 2 found
    assert shown["mine", "micro"] == "0.86"  # 3 of 3, 3 of 4


def test_curves_are_ordered_by_a_measure_that_compares_the_runs(evening: Evening) -> None:
    """AURC is no order of runs that answer different shares of the questions. By hand: careful is
    right on the only question it answers (AURC 0, F 2/5), complete on three of four, the second of
    equally sure answers being wrong (AURC 1/4, F 3/4)."""
    evening.broken = {}
    evening.runs = {
        "careful": (run_text((0, None, None, None)), "Ours"),
        "complete": (run_text((0, 1, 1, 0)), "Ours"),
    }
    found = html.document_fromstring(evening.page((0, 0, 1, 0)))
    (curves,) = found.findall(".//figure[@id='risk']")
    legend = [str(one.xpath("normalize-space()")) for one in curves.findall("ol/li")]
    assert legend == ["1 complete AURC 0.250", "2 careful AURC 0.000"]
    assert curves.findtext(".//desc", "").startswith("A curve per run, best first by F: risk")
    caption = curves.findtext("figcaption", "")
    assert caption.startswith("Runs: best first by F. AURC (after the names): area under the curve")
    assert "it compares only runs that answer the same share of the questions" in caption


def test_findings_have_rules_lines_and_help(evening: Evening) -> None:
    found = html.document_fromstring(evening.page((0, 0, 1, 1)))
    files = found.xpath("//section[@id='findings']/dl//span[@class='path']")
    names = ["minebroken.txt", "secretbroken.txt"]
    assert [file.text_content() for file in files] == names  # type: ignore[union-attr]
    folds = found.findall(".//section[@id='findings']//details")
    codes = [str(fold.findtext("summary/code")) for fold in folds]
    assert codes == sorted({*codes}) and len(codes) > 1
    assert {fold.findtext("summary/span") for fold in folds} == {"error in 1 file"}
    mine = [row[:2] for fold in folds for row in rows_of(fold.find(".//table")) if "mine" in row[0]]
    assert mine == [["minebroken.txt", "2"]]
    assert all(fold.findtext("p") for fold in folds)


@pytest.mark.parametrize("share", mostly_slow(SHARES, 1))
def test_findings_of_a_team_do_not_depend_on_labels(evening: Evening, share: str) -> None:
    options = ("--audience", "Ours", "--share", share)
    golds = [(0, 0, 1, 1), (1, 0, 1, 0), (1, 1, 1, 1)]
    shown = {section(evening.page(right, *options), "findings") for right in golds}
    assert len(shown) == 1
    assert "minebroken" in shown.pop()


@pytest.mark.parametrize("share", mostly_slow(SHARES, 1))
def test_others_are_anonymous_on_a_teams_page(evening: Evening, share: str) -> None:
    """Names, teams, file names and their order do not matter."""
    options = ("--audience", "Ours", "--share", share, "--breakdown", "type")
    first = evening.page((0, 1, 1, 0), *options)
    for secret in ("zulu", "alfa", "secretbroken", "Others", "Strangers"):
        assert secret not in first
    assert "mine" in first
    assert "another run 1" in first
    one, other = evening.runs["zulu"], evening.runs["alfa"]
    for names in (["beta", "a0", "mine"], ["mine", "a0", "beta"]):
        files = {"beta": one, "a0": other, "mine": evening.runs["mine"]}
        evening.runs = {name: files[name] for name in names}
        assert evening.page((0, 1, 1, 0), *options) == first


def test_others_are_ordered_by_score(evening: Evening) -> None:
    text = evening.page((1, 1, 1, 0), "--audience", "Ours", "-m", "qa_accuracy")
    (table,) = html.document_fromstring(text).findall(".//section[@id='scores']//table")
    runs = [(row[1], row[-1]) for row in rows_of(table) if row[0]]
    # selected right of four questions: alfa 3, mine 1 (the third), zulu 1 (the fourth)
    assert runs == [("another run 1", "0.75"), ("another run 2", "0.25"), ("mine", "0.25")]


def test_a_team_reads_that_runs_are_not_compared_and_not_why(evening: Evening) -> None:
    """The reason may name runs of others."""
    evening.broken = {}
    options = ("--audience", "Ours", "--share", "outcomes")
    shown = {}
    for names in (["mine"], ["mine", "zulu"]):
        evening.runs = {name: Evening(evening.folder).runs[name] for name in names}
        found = html.document_fromstring(evening.page((0, 1, 1, 0), *options))
        lines = found.findall(".//header/p[@class='finding']")
        shown[len(names)] = [str(line.xpath("normalize-space()")) for line in lines]
    assert shown[1] == ["The runs are not compared."]
    assert len(shown[2]) == 2  # a conclusion about each of two measures
    assert all(line.startswith("By ") for line in shown[2])


@pytest.mark.parametrize(("reader", "share", "told"), [
    ("Ours", "outcomes", ["ours is the same as mine"]),
    ("Ours", "everything", ["ours is the same as mine"]),
    ("public", "scores", []),
    ("public", "outcomes", ["alfa is the same as mine", "ours is the same as mine"]),
])  # fmt: skip
def test_only_who_sees_answers_reads_which_runs_are_equal(
    evening: Evening, reader: str, share: str, told: list[str]
) -> None:
    """Also if fewer than two runs are ranked; no team reads names of others."""
    (same, ours), evening.broken = evening.runs["mine"], {}
    evening.runs = {"mine": (same, ours), "ours": (same, ours), "alfa": (same, "Strangers")}
    options = ("--audience", reader, "--share", share)
    text = evening.page((0, 1, 1, 0), *options)
    assert sorted({*re.findall(r"\w+ is the same as \w+", text)}) == told
    assert ("alfa" in text) == (reader == "public")


def test_the_first_of_equal_runs_on_a_teams_page_is_its_own(tmp_path: Path) -> None:
    """What the pair says is turned, too: who wins how many questions. By hand: both runs have a
    utility of 1. Ours is right on the first question, where theirs is wrong; theirs is right on the
    next two, which ours leaves open; both leave the last open."""
    runs = {"mine": (0, None, None, None), "alfa": (1, 0, 0, None)}
    for name, selected in runs.items():
        (tmp_path / name).write_text(run_text(selected))
    (tmp_path / "gold.xml").write_text(gold_text((0, 0, 0, 0)))
    pairs: list[Any] = []
    for audience in (ave_score.Audience(), ave_score.Audience("Ours", ave_score.Shared.OUTCOMES)):
        made = ave_score.report(
            *(tmp_path / "gold.xml", [tmp_path / name for name in runs]),
            teams={"mine": "Ours", "alfa": "Theirs"},
            compared="utility",
            audience=audience,
        )
        pairs += made.comparisons[0].pairs
    assert [pair.difference for pair in pairs] == [0, 0]
    assert [(pair.run, pair.other, *(pair.score or ())) for pair in pairs] == [
        ("alfa", "mine", 2, 1, 1),
        ("mine", "another run 1", 1, 1, 2),
    ]


def test_the_public_page_compares_what_has_no_interval(evening: Evening) -> None:
    """A run that accepts nothing has a precision of 0, to which no question contributes."""
    none, evening.broken = run_text((None,) * 4), {}
    evening.runs = {"none": (none, "Ours"), "zulu": evening.runs["zulu"]}
    found = html.document_fromstring(evening.page((0, 0, 1, 1), "--audience", "public"))
    assert found.find(".//section[@id='ranking']") is not None
    text = evening.page((0, 0, 1, 1), "--audience", "public", "-m", "precision")
    assert "n/a" in section(text, "ranking")


def of_team(evening: Evening) -> ave_score.Page:
    """Return a team's page of runs that differ: right of four questions mine 3, zulu 2, alfa 2."""
    return evening.made((0, 0, 1, 1), ave_score.Audience("Ours", ave_score.Shared.OUTCOMES))


def test_pairs_are_in_the_order_of_the_ranking(evening: Evening) -> None:
    others = ["another run 1", "another run 2"]
    for comparison in of_team(evening).comparisons:
        pairs = [(pair.run, pair.other) for pair in comparison.pairs]
        assert pairs == [*(("mine", one) for one in others), (others[0], others[1])]


def test_a_team_gets_no_name_of_a_run_that_its_own_is_the_same_as(evening: Evening) -> None:
    """Not even in the records behind the text."""
    text, _ = evening.runs["mine"]
    evening.runs = {"alfa": (text, "Strangers"), "mine": (text, "Ours")}
    seen = of_team(evening).seen
    (remark,) = {row.remark for row in seen.scores.rows if row.run == "mine"}
    assert remark is not None and remark.mark.startswith("same as another run")
    assert b"alfa" not in pickle.dumps(seen)


@pytest.mark.parametrize(("more", "number", "fewer"), [(1, 2_200, 1010), slow((6, 13_000, 6000))])
def test_an_effect_has_the_sign_of_the_pair_that_is_shown(
    tmp_path: Path, more: int, number: int, fewer: int
) -> None:
    """Runs whose printed figures are equal are in the order of their names. Of n questions zulu has
    k more right: the differences are 1, k times, and 0, so Cohen's d is the root of k / (n - k) (n
    - 1) / n, with n - 1 in the deviation. Of the 2^k ways to swap answers 2 are as extreme: one
    question is not significant, and 6 are (p = 1/32). These are told exactly, although they, too,
    are printed as no difference, and the better run is listed first."""
    asked = range(number)
    right = {"zulu": fewer + more, "alfa": fewer}
    lines = [f"{q}\t{run}\t{'WR'[q < most]}\n" for run, most in right.items() for q in asked]
    put_all(tmp_path, {"qa.tsv": "q_id\trun\tjudgement\n" + "".join(lines)})
    readers = ave_score.Audience(None, ave_score.Shared.SCORES)
    gold, measure = tmp_path / "qa.tsv", "answering_accuracy"
    made = ave_score.report(gold, compared=measure, audience=readers, design=FEW)
    (pair,) = made.comparisons[0].pairs
    size = math.sqrt(more / (number - more) * (number - 1) / number)
    assert pair.effect == pytest.approx(size if more > 1 else -size, rel=1e-9)
    assert (pair.run, pair.other) == (("zulu", "alfa") if more > 1 else ("alfa", "zulu"))
    assert pair.difference == (Fraction(more, number) if more > 1 else 0)


@pytest.mark.parametrize("reader", ["Ours", slow("public")])
@pytest.mark.parametrize("share", SHARES)
def test_what_readers_do_not_see_is_not_on_page(evening: Evening, reader: str, share: str) -> None:
    evening.broken = {}
    text = evening.page((0, 1, 1, 0), "--audience", reader, "--share", share, "--cluster", "type")
    sha = ave_score.read_collection(evening.folder / "gold.xml").sha256
    assert (sha[:12] in text) == (share == "everything")
    if share == "scores":
        assert not re.search("|".join(QUESTIONS), text)
        assert 'id="questions"' not in text
        assert 'id="curves"' not in text
    has_statistics = reader == "public" or share != "scores"
    assert ("95 %" in text) == has_statistics
    assert ("Ranks: " in text) == has_statistics
    for part in ("resamples:", "cluster:"):  # in signatures
        assert (part in re.sub("<wbr/?>", "", text)) == has_statistics


def test_a_team_reads_which_of_its_own_files_are_not_scored(evening: Evening) -> None:
    text = re.sub("<[^>]+>", "", evening.page((0, 0, 1, 1), "--audience", "Ours"))
    assert "Not scoredminebroken.txt (see Findings)" in text


@pytest.mark.parametrize("team", ["Ours", slow(None)])
@pytest.mark.parametrize("share", mostly_slow(ave_score.Shared, 1))
def test_pages_are_made_of_what_their_readers_see(
    evening: Evening, share: ave_score.Shared, team: str | None
) -> None:
    """The records behind the text, too, have nothing that its readers may not know."""
    made = evening.made((0, 1, 1, 0), ave_score.Audience(team, share))
    # which tells for a few confidences how many answers are right
    assert bool(made.figures.reliability) == (share is ave_score.Shared.EVERYTHING)
    known = pickle.dumps((made.seen, made.signatures)).decode("latin-1")
    sha = ave_score.read_collection(evening.folder / "gold.xml").sha256
    for secret in (sha[:12], "answer text", "support text", "asked q"):
        assert (secret in known) == (share is ave_score.Shared.EVERYTHING), secret
    assert bool(re.search("|".join(QUESTIONS), known)) == (share is not ave_score.Shared.SCORES)
    assert ("resamples:" in known) == (team is None or share is not ave_score.Shared.SCORES)
    for name in ("zulu", "alfa", "Others", "Strangers"):
        assert (name in known) == (team is None), name


@pytest.mark.parametrize("team", ["Ours", slow(None)])
@pytest.mark.parametrize("share", mostly_slow(ave_score.Shared, 1))
def test_guesses_of_labels_are_not_tested_by_the_hash_of_a_key(
    evening: Evening, share: ave_score.Shared, team: str | None
) -> None:
    """A key of a few labels is found by its hash: so no reader has it who does not see labels."""
    evening.written((0, 1, 1, 0))
    folder, xml = evening.folder, (evening.folder / "gold.xml").read_text()
    answers = re.findall('<a id="((q..)_.)" value="(.*?)"', xml)
    key = "".join(f"{q_id} {a_id} {label}\n" for a_id, q_id, label in answers)
    put_all(folder, {"test.xml": re.sub(' value=".*?"', "", xml), "key.txt": key})
    readers = ave_score.Audience(team, share)
    runs = [folder / f"{name}.txt" for name in evening.runs]
    collection = ave_score.read_collection(folder / "test.xml", folder / "key.txt")
    teams, few = folder / "teams.tsv", Design(resampling=Resampling(100))
    made = ave_score.report(collection, runs, teams=teams, by="type", design=few, audience=readers)
    sha = hashlib.sha256(key.encode()).hexdigest()
    known = [pickle.dumps((made.seen, made.signatures)).decode("latin-1")]
    assert (sha in known[0]) == (share is ave_score.Shared.EVERYTHING)
    options: list[str | Path] = [folder / "test.xml", *runs, "--key", folder / "key.txt", "-o", "-"]
    options += ["--teams", folder / "teams.tsv", "--breakdown", "type", "--resamples", "100"]
    options += ["--audience", team or "public", "--share", share.name.lower()]
    known += [made.to_html(), ave("report", *options, code=0).out]
    for text in known:
        assert (sha[:12] in text) == (share is ave_score.Shared.EVERYTHING)
        assert ("key:" in text) == (share is ave_score.Shared.EVERYTHING)


def test_scores_of_a_team_are_not_more_exact_than_printed(spanish: html.HtmlElement) -> None:
    """Neither hidden values, positions of marks, nor counts of UNKNOWN labels say more."""
    made = ave_score.report(
        *(SPANISH[0], SPANISH[7:], SPANISH[2]),
        policies=ave_score.Policies(intervals=ave_score.IntervalPolicy(resamples=100)),
        teams=SPANISH[4],
        audience=ave_score.Audience("UNED", ave_score.Shared.SCORES),
    )
    found: html.HtmlElement = html.document_fromstring(made.to_html())
    (scores,) = found.findall(".//section[@id='scores']")
    assert spanish.findall(".//section[@id='scores']//td[@data-value]")
    assert not scores.findall(".//td[@data-value]")
    note = "Selected answers labelled UNKNOWN are counted as not correct. García_1: 1, García_2: 2"
    assert note in spanish.text_content()
    assert "Selected answers labelled" not in found.text_content()
    (figure, _) = found.findall(".//section[@id='ranking']//figure")
    values = [row[-1] for row in rows_of(figure.find("table"))]
    assert values == ["0.53", "0.52", "0.47", "0.37", "0.19"]
    # of an axis from 0.1 to 0.6: 0.53 is at 86 %, and not 0.5278 at 85.57 %
    places = [mark.get("cx") for mark in figure.iterfind(".//tbody//circle")]
    assert places == ["86.00%", "84.00%", "74.00%", "54.00%", "18.00%"]


def test_pages_name_no_options(evening: Evening, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who reads a page gives none; `compare` names them to who does."""
    evening.broken = {}
    monkeypatch.setattr("tests.test_page.QUESTIONS", [f"q{number}" for number in range(12)])
    decided = {"mine": (0, 0, 1, None), "zulu": (0, 0, 0, 0), "alfa": (1, 1, 1, 1)}
    evening.runs = {name: (run_text(which * 3), name) for name, which in decided.items()}
    # of 12 questions p is at least 1/2,048, of 100 samples at least 1/101
    few = ["--test", "bootstrap", "--resamples", "100", "--ci", "99.9"]
    for options in ([], ["--audience", "public"], ["--audience", "mine", "--share", "outcomes"]):
        text = evening.page((0, 1, 1, 0) * 3, *few, *options)
        assert "some differences may be found by chance." in text
        assert "correction requires 1/" in text
        assert "--resamples" not in section(text, "ranking")


def test_a_note_stands_on_a_page_once(tmp_path: Path) -> None:
    """Intervals of three kinds of questions are too narrow for the same reason."""
    out = tmp_path / "lists.html"
    assert run(["report", "gold/lists.json", "sample_runs/lists", "-o", str(out)]) == 0
    assert out.read_text().count("Caution: from fewer than 30 questions") == 1


def test_a_page_is_not_written_to_a_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    assert run(["report", "none.xml", "none.txt"]) == 2
    captured = capsys.readouterr()
    assert "give -o report.html" in captured.err
    assert captured.out == ""


def test_a_team_alone_has_no_other_teams(evening: Evening) -> None:
    evening.broken = {}
    for runs, expected in ((["mine"], False), (["mine", "zulu"], True)):
        evening.runs = {name: Evening(evening.folder).runs[name] for name in runs}
        text = evening.page((0, 1, 1, 0), "--audience", "Ours")
        assert ("anonymous" in text) is expected


def test_wrong_readers_are_refused(evening: Evening) -> None:
    for options, message in (
        (["--audience", "Our", *SPANISH[3:5]], "audience 'Our'"),
        (["--audience", "publik", *SPANISH[3:5]], "did you mean public?"),
        (["--audience", "UNED"], "which is not given"),
        (["--share", "scores"], "--share is what others may see"),
        (["--test", "tukey", "--correction", "holm"], "needs no --correction"),
        (["--compare", "nonsense"], "nonsense"),
        (["--against", "nobody"], "nobody"),
        (["--ci", "100"], "--ci"),
    ):
        arguments = [*SPANISH[:3], *SPANISH[5:], *options]
        assert message in refusal("report", *arguments, "-o", evening.folder / "none.html")
        assert not (evening.folder / "none.html").exists()


def test_an_existing_page_is_replaced_only_on_success(evening: Evening) -> None:
    out = evening.folder / "page.html"
    out.write_text("before")
    bad = evening.folder / "bad.txt"
    bad.write_text("nonsense\n")
    ave("report", TINY[0], bad, "-o", out, code=1)
    assert out.read_text() == "before"


def test_files_of_one_name_are_listed_by_their_folders(tmp_path: Path) -> None:
    """With as few folders as tell them apart."""
    runs = {name: run_text((0, 0, 1, None)) for name in ("secret/one.txt", "secret/two.txt")}
    bad = dict.fromkeys(("secret/1/a/run.txt", "secret/2/a/run.txt"), "nonsense\n")
    put_all(tmp_path, {"gold.xml": gold_text((0, 0, 0, 0)), **runs, **bad})
    files = [str(tmp_path / name) for name in ("gold.xml", *runs, *bad)]
    found = page(tmp_path / "page.html", *files, "--keep-going", code=1)
    listed = [one.xpath("normalize-space()") for one in found.findall(".//dd/span[@class='path']")]
    assert listed == ["1/a/run.txt", "2/a/run.txt"]


def test_findings_about_long_ids_are_short(tmp_path: Path) -> None:
    (tmp_path / "gold.xml").write_text(gold_text((0, 0, 1, 1)))
    good, bad = tmp_path / "good.txt", tmp_path / "bad.txt"
    good.write_text(run_text((0, 0, 1, None)))
    bad.write_text(f"{run_text((0, 0, 1, None))}{'i' * 10_000} x SELECTED 0.5\n")
    arguments = [str(tmp_path / "gold.xml"), str(good), str(bad), "--keep-going"]
    found = page(tmp_path / "page.html", *arguments, code=1)
    (row,) = rows_of(found.find(".//section[@id='findings']//table"))
    assert row[1] == "9"
    assert "iiii" in row[3]
    assert len(row[3]) < 300


def test_the_policy_of_the_page_forbids_all_network(tmp_path: Path) -> None:
    found = page(tmp_path / "page.html", *TINY, "--resamples", "100")
    (policy,) = [one.get("content") for one in found.iter("meta") if one.get("http-equiv")]
    assert "default-src 'none'" in policy
    assert not [one for one in found.iter() if {"src", "action"} & {*one.attrib}]
    assert all((one.get("href") or "").startswith("#") for one in found.iter("a", "link"))


def test_python_makes_the_same_page(tmp_path: Path) -> None:
    ave("report", *TINY, "-o", tmp_path / "page.html", code=0)
    made = ave_score.report(TINY[0], TINY[1:])
    assert made.to_html() == (tmp_path / "page.html").read_text("utf-8")
    made.save(tmp_path / "saved.html")
    assert (tmp_path / "saved.html").read_bytes() == (tmp_path / "page.html").read_bytes()
    assert repr(made) == "<Page tiny.xml>"
    frame = html.fragment_fromstring(made._repr_html_())
    assert frame.get("srcdoc") == made.to_html()
    assert frame.get("sandbox") == "allow-scripts"
    with pytest.raises(ave_score.UsageError, match="did you mean Ours"):
        audience = ave_score.Audience("Our")
        ave_score.report(TINY[0], TINY[1:], teams={"bold": "Ours"}, audience=audience)


def test_names_break_as_those_of_a_terminal(tmp_path: Path) -> None:
    """After `_`, `-`, `.` and `/`, but not between digits: a version is one word."""
    run = tmp_path / "temperature-2_run-1.0.txt"
    run.write_bytes(Path(TINY[1]).read_bytes())
    text = ave_score.report(TINY[0], [run], measures="f1").to_html()
    assert "temperature-<wbr/>2_<wbr/>run-<wbr/>1.0</" in text


SEEN_BY_ALL = {
    *("run", "kind", "counts", "values", "team", "reasons"),
    *("extent", "remark", "is_primary", "epochs"),
}
"""What of a row every reader of a page may see: its values as they are printed."""
OF_QUESTIONS = {
    *("intervals", "no_interval", "other_ties", "stderr"),
    *("due_to_epochs", "of_runs", "digest"),
}
"""What is computed from single questions beyond the values, by which guesses could be tested."""


def test_of_each_field_of_a_row_it_is_told_who_may_see_it(tmp_path: Path) -> None:
    """A new field of rows belongs to one of the two, or this fails."""
    runs = {"a": run_text((0, 1, None, 0)), "b": run_text((0, 0, 1, 1))}
    put_all(tmp_path, {"gold.xml": gold_text((0, 1, 0, 1)), **runs})

    def rows(readers: ave_score.Audience) -> list[Any]:
        given = tmp_path / "gold.xml", [tmp_path / "a", tmp_path / "b"]
        policies = Policies(intervals=ave_score.IntervalPolicy(resamples=100))
        teams = {"a": "A", "b": "B"}
        page = ave_score.report(*given, teams=teams, policies=policies, audience=readers)
        return [*page.seen.scores.rows]

    everything = rows(ave_score.Audience())
    printed = rows(ave_score.Audience("A", ave_score.Shared.SCORES))
    assert {*everything[0]._fields} == SEEN_BY_ALL | OF_QUESTIONS
    defaults = everything[0]._field_defaults
    assert any(row.intervals and row.stderr and row.digest for row in everything)
    for row in printed:
        assert [name for name in OF_QUESTIONS if getattr(row, name) != defaults[name]] == []
