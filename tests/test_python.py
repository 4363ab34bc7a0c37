"""The functions for Python: paths or values as arguments, results as text, frames and HTML."""

from __future__ import annotations

import csv
import inspect
import re
from collections.abc import Callable
from fractions import Fraction
from html.parser import HTMLParser
from math import isnan
from pathlib import Path
from typing import Any

import pytest
from statsmodels.stats.proportion import proportion_confint

import ave_score
from ave_score import UsageError
from ave_score.commands import run
from ave_score.reported import Reported
from tests.conftest import ROOT

GOLD = ROOT / "gold/tiny.xml"
CAREFUL, BOLD = (ROOT / f"sample_runs/tiny/{name}.txt" for name in ("careful", "bold"))


# --- paths or values -----------------------------------------------------------------------------


def test_paths_are_scored_as_the_values_read_from_them() -> None:
    collection = ave_score.read_collection(GOLD)
    runs = [ave_score.read_run(path, collection) for path in (CAREFUL, BOLD)]
    assert ave_score.score(str(GOLD), [CAREFUL, runs[1]]) == ave_score.score(collection, runs)
    again = ave_score.read_run(BOLD, GOLD)  # reads the collection once more
    assert ave_score.score(collection, again) == ave_score.score(collection, runs[1])


def test_a_single_run_needs_no_list() -> None:
    for given in (str(CAREFUL), ave_score.read_run(CAREFUL, GOLD)):
        scores = ave_score.score(GOLD, given, measures="f1")
        assert [row.run for row in scores.rows if row.kind is ave_score.Kind.AV] == ["careful"]


def test_files_of_one_name_are_named_with_their_folders(tmp_path: Path) -> None:
    paths = [tmp_path / team / "run.txt" for team in ("a", "b")]
    for path in paths:
        path.parent.mkdir()
        path.write_bytes(CAREFUL.read_bytes())
    scores = ave_score.score(GOLD, paths, measures="f1")
    assert [row.run for row in scores.rows][:2] == ["a/run", "b/run"]


def test_a_judged_file_and_answer_sets_are_scored_by_their_paths() -> None:
    policies = ave_score.Policies(campaign="respubliqa")
    judged = ROOT / "gold/respubliqa2009-ro.qa.tsv.gz"
    scores = ave_score.score(judged, policies=policies, measures="c_at_1")
    # (237 + 107 * 237 / 500) / 500, see the README
    assert float(scores.rows[0].values["c_at_1"] or 0) == pytest.approx(0.575436, abs=1e-9)


def test_answer_sets_are_scored_by_their_paths() -> None:
    runs = sorted((ROOT / "sample_runs/lists").iterdir())
    gold = ave_score.read_answer_sets(ROOT / "gold/lists.json")
    responses = [run for path in runs for run in ave_score.read_responses(path, gold)]
    scores = ave_score.score(ROOT / "gold/lists.json", runs)
    assert scores == ave_score.score_responses(gold, responses)
    assert {row.run for row in scores.rows} == {run.name for run in responses}


WRONG: Any = 3


@pytest.mark.parametrize(
    ("call", "wanted"),
    [
        (
            lambda: ave_score.score(WRONG),
            "a Collection, a path, an open file, a frame or dictionaries",
        ),
        (lambda: ave_score.score(GOLD, WRONG), "a list of runs, paths or frames"),
        (
            lambda: ave_score.score(GOLD, [WRONG]),
            "a run, a path, an open file, a frame or dictionaries",
        ),
        (
            lambda: ave_score.score(ave_score.read_answer_sets("gold/lists.json"), [WRONG]),
            "a run, a path, an open file, a frame or dictionaries",
        ),
        (
            lambda: ave_score.check(BOLD, WRONG),
            "a Collection, a path, an open file, a frame or dictionaries",
        ),
    ],
)
def test_wrong_types_say_what_is_wanted(call: Callable[[], object], wanted: str) -> None:
    with pytest.raises(UsageError, match=f"^expected {wanted}, found int$"):
        call()


def test_check_takes_the_path_of_a_collection_and_does_not_read_its_labels(tmp_path: Path) -> None:
    gold = tmp_path / "gold.xml"
    gold.write_text(GOLD.read_text().replace('value="VALIDATED"', 'value="SECRET"'))
    assert not ave_score.check(CAREFUL, gold).findings
    other = tmp_path / "run.txt"
    other.write_text(CAREFUL.read_text().replace("5 5_1", "5 5_9"))
    codes = [found.rule.code for found in ave_score.check(other, gold).findings]
    assert codes == ["AVE202", "AVE204"]


# --- results as frames, text and HTML -------------------------------------------------------------


def with_intervals(measures: str) -> ave_score.Scores:
    policies = ave_score.Policies(intervals=ave_score.IntervalPolicy(level=90))
    return ave_score.score(GOLD, [CAREFUL, BOLD], measures=measures, policies=policies)


def test_frame_has_the_ends_of_intervals() -> None:
    frame = with_intervals("qa_accuracy, f1").to_frame()
    assert list(frame)[:5] == [
        "kind",
        "group",
        "qa_accuracy",
        "qa_accuracy_low",
        "qa_accuracy_high",
    ]
    low, high = proportion_confint(2, 5, alpha=0.1, method="wilson")  # right on 2 of 5 questions
    assert frame["qa_accuracy_low"]["careful"] == pytest.approx(low)
    assert frame["qa_accuracy_high"]["careful"] == pytest.approx(high)
    assert isnan(frame["qa_accuracy_low"]["Perfect selection"])
    assert "f1_low" not in ave_score.score(GOLD, BOLD, measures="f1").to_frame()


def test_text_is_what_the_command_prints(capsys: pytest.CaptureFixture[str]) -> None:
    paths = ["gold/tiny.xml", "sample_runs/tiny/bold.txt", "sample_runs/tiny/careful.txt"]
    scores = ave_score.score(paths[0], paths[1:], measures="f1, qa_accuracy")
    for name in ("table", "markdown", "latex", "csv", "json"):
        assert run(["score", *paths, "-m", "f1, qa_accuracy", "--format", name]) == 0
        assert scores.to_text(name) == capsys.readouterr().out
    assert str(scores) == scores.to_text()
    assert "0.6667" in scores.to_text(digits=4)
    with pytest.raises(UsageError, match=r"no format 'html', only table, json"):
        scores.to_text("html")


PAPER = ["gold/ave2007-de.xml", *map(str, sorted(Path("sample_runs/ave2007-de").iterdir()))]
LISTS = ["gold/lists.json", "sample_runs/lists/brief.tsv", "sample_runs/lists/broad.tsv"]

CALLS: dict[str, Callable[[], Reported]] = {
    f"compare {' '.join(PAPER)} --resamples 200 --baseline Glöckner_1 --detect 0.1 --hardest 3": (
        lambda: ave_score.compare(
            PAPER[0],
            PAPER[1:],
            design=ave_score.Design(resampling=ave_score.Resampling(200), baseline="Glöckner_1"),
            power=ave_score.PowerPolicy(difference=0.1),
            hardest=3,
        )
    ),
    f"compare {' '.join(LISTS)} -m mmf1,nugget_f --test t": (
        lambda: ave_score.compare(
            LISTS[0], LISTS[1:], measures="mmf1, nugget_f", design=ave_score.Design("t")
        )
    ),
    f"stability {' '.join(PAPER)} --repetitions 20 --unit questions": (
        lambda: ave_score.stability(
            PAPER[0],
            PAPER[:0:-1],  # the order of runs does not matter
            sampling=ave_score.Sampling(repetitions=20, unit="questions"),
        )
    ),
    f"swap {' '.join(PAPER)} --repetitions 20 --level 90 --all-bins -m f1 --unknown incorrect": (
        lambda: ave_score.swap(
            PAPER[0],
            PAPER[1:],
            measures="f1",
            sampling=ave_score.Sampling(repetitions=20),
            policies=ave_score.Policies(unknown="incorrect"),
            agreement=ave_score.Agreement(Fraction(9, 10), in_all_bins=True),
        )
    ),
    f"score {' '.join(PAPER)} --sweep precision --unknown correct": (
        lambda: ave_score.sweep(
            PAPER[0], PAPER[1:], "precision", policies=ave_score.Policies(unknown="correct")
        )
    ),
    "stats gold/ave2007-de.xml gold/ave2006-es.xml.gz": (
        lambda: ave_score.stats("gold/ave2007-de.xml", "gold/ave2006-es.xml.gz")
    ),
    f"score {' '.join(LISTS)} --breakdown type --ci 95": (
        lambda: ave_score.break_down(
            LISTS[0],
            LISTS[1:],
            "type",
            policies=ave_score.Policies(intervals=ave_score.IntervalPolicy()),
        )
    ),
}
"""A command, and the function that does the same."""


@pytest.mark.parametrize("command", CALLS)
def test_functions_report_what_commands_print(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    result = CALLS[command]()
    for name in ("table", "json", "csv"):
        assert run([*command.split(), "--format", name]) == 0
        assert result.to_text(name) == capsys.readouterr().out


@pytest.mark.parametrize("command", CALLS)
def test_every_result_has_a_frame_html_and_a_short_representation(command: str) -> None:
    result = CALLS[command]()
    lines = list(csv.reader(result.to_text("csv").splitlines()))
    totals = sum(line[0] == "Total" for line in lines)
    assert len(result.to_frame()) == len(lines) - 1 - totals
    cells = [cell for table in result._report(None).tables() for row in table.rows for cell in row]
    shown = [cell for row in Cells(result._repr_html_()).rows for cell in row]
    assert [cell for cell in cells if cell not in shown] == []
    assert re.fullmatch(r"<[^\n]{1,80}>", repr(result))


class Cells(HTMLParser):
    """The texts of the cells of all tables, and the other tags."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.rows: list[list[str]] = []
        self.tags: set[str] = set()
        self._inside = False
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        if tag == "tr":
            self.rows.append([])
        elif tag in ("td", "th"):
            self.rows[-1].append("")
            self._inside = True

    def handle_endtag(self, tag: str) -> None:
        self._inside = self._inside and tag not in ("td", "th")

    def handle_data(self, data: str) -> None:
        if self._inside:
            self.rows[-1][-1] += data


def test_notebooks_show_the_tables_with_names_escaped(tmp_path: Path) -> None:
    path = tmp_path / "<img src=x>.txt"
    path.write_bytes(CAREFUL.read_bytes())
    html = ave_score.score(GOLD, path, measures="f1")._repr_html_()
    found = Cells(html)
    assert found.tags == {"div", "p", "strong", "table", "caption", "thead", "tbody", "tr", "th",
                          "td", "em", "code"}  # fmt: skip
    assert found.rows[0] == ["#", "Run", "Kind", "F"]
    assert found.rows[1] == ["1", "<img src=x>", "AV", "0.75"]  # 6/8, see the README
    assert "<img" not in html
    assert "<strong>0.75</strong>" in html


def test_representation_is_one_short_line() -> None:
    expected = f"<Scores of 7 rows on {GOLD}: f1, recall>"  # two runs, five baselines
    assert repr(ave_score.score(GOLD, [CAREFUL, BOLD], measures="f1, recall")) == expected


# --- values of questions --------------------------------------------------------------------------


def test_best_threshold_of_a_run_and_its_decisions_elsewhere() -> None:
    collection = ave_score.read_collection(GOLD)
    careful = ave_score.read_run(CAREFUL, collection)
    swept = ave_score.sweep(collection, careful)
    best = swept.best("careful")
    decided = ave_score.decided_at(careful, best.threshold)
    scores = ave_score.score(collection, decided, measures="f1")
    assert scores.rows[0].values["f1"] == best.value
    with pytest.raises(UsageError, match=r"^no run 'bold'; there are careful$"):
        swept.best("bold")


def test_values_of_questions() -> None:
    frame = ave_score.per_question(GOLD, [CAREFUL, BOLD], measures="f1, qa_accuracy")
    assert frame.index.names == ["run", "question"]
    careful = frame.loc[["careful"]]
    # the README: careful selects 1_1 and 3_1, which are right, and 5_1; it accepts 3_2, too, and
    # misses 2_2, the only correct answer of question 2; 4 has none, and none is accepted
    assert careful["selected"].fillna("").tolist() == ["1_1", "", "3_1", "", "5_1"]
    assert careful["qa_accuracy"].tolist() == [1, 0, 1, 0, 0]
    assert careful["f1"].fillna(-1).tolist() == [1, 0, 1, -1, 0]
    assert careful["qa_accuracy"].mean() == 0.4


def test_values_of_questions_answered_by_systems_and_responses() -> None:
    judged = ave_score.per_question(
        "gold/respubliqa2009-ro.qa.tsv.gz", [], policies=ave_score.Policies(campaign="respubliqa")
    )
    assert len(judged) == 2 * 500
    assert judged.loc[["icia091ro"], "answered"].value_counts()["answered_right"] == 237
    lists = ave_score.per_question(
        "gold/lists.json", "sample_runs/lists/brief.tsv", measures="mmf1"
    )
    assert list(lists) == ["mmf1"]


def test_values_of_questions_need_questions() -> None:
    with pytest.raises(UsageError, match="pairs belong to no question"):
        ave_score.per_question("gold/ave2006-es.xml.gz", [])


# --- files made from other files ------------------------------------------------------------------


def test_fix_returns_the_fixed_run_and_writes_nothing_unless_asked(tmp_path: Path) -> None:
    path = tmp_path / "run.txt"
    path.write_text("1 1_1 selected 0,9\n")
    fixed = ave_score.fix(path)
    assert fixed.text == "1 1_1 SELECTED 0.9\n"
    assert [(change.rule.code, change.line) for change in fixed.changes] == [
        ("AVE103", 1),
        ("AVE107", 1),
    ]
    assert not fixed.left
    assert [*tmp_path.iterdir()] == [path]
    fixed.save(tmp_path / "fixed.txt")
    assert (tmp_path / "fixed.txt").read_text() == fixed.text
    assert list(fixed.to_frame()["code"]) == ["AVE103", "AVE107"]
    assert repr(fixed) == f"<FixedRun {path}: 2 changes>"
    with pytest.raises(ave_score.InputError, match="only runs can be fixed"):
        ave_score.fix(GOLD)


def test_fix_takes_a_collection_and_makes_unsafe_changes_if_asked() -> None:
    path = "sample_runs/broken/two-selected.txt"
    assert [found.rule.code for found in ave_score.fix(path).left] == ["AVE301"]
    fixed = ave_score.fix(path, unsafe=True)
    assert not fixed.left
    assert fixed.changes[0].unsafe
    others = ave_score.fix(path, GOLD).left
    assert "AVE204" in {found.rule.code for found in others}  # tiny.xml has more answers


def test_findings_are_a_table_in_notebooks_and_frames() -> None:
    checked = ave_score.check("sample_runs/broken/two-selected.txt")
    (row,) = checked.to_frame().to_dict("records")
    assert (row["line"], row["column"], row["code"], row["severity"]) == (2, 7, "AVE301", "error")
    shown = Cells(checked._repr_html_())
    assert shown.rows[1][:3] == ["2", "7", "AVE301"]
    assert repr(checked) == "<Checked run: sample_runs/broken/two-selected.txt: 1 error>"
    assert repr(checked.findings) == "<Findings sample_runs/broken/two-selected.txt: 1 error>"


def test_build_reports_and_saves_what_the_command_does(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    built = ave_score.build("gold/tiny.qa.tsv", settings=ave_score.BuildSettings(lang="en"))
    built.save(tmp_path / "own.xml", edition="tiny")
    path = str(tmp_path / "command.xml")
    command = ["build", "gold/tiny.qa.tsv", "--lang", "en", "--edition", "tiny", "-o", path]
    assert run(command) == 0
    assert built.to_text() == capsys.readouterr().out
    assert (tmp_path / "own.xml").read_bytes() == (tmp_path / "command.xml").read_bytes()
    assert built.to_frame()["left"].tolist()[-1] == built.left


def test_convert_there_and_back(tmp_path: Path) -> None:
    table, back = tmp_path / "run.jsonl.gz", tmp_path / "careful.txt"
    assert ave_score.convert(CAREFUL, table) == {}
    assert ave_score.convert(table, back, to="lines") == {}
    scored = [ave_score.score(GOLD, path, measures="all").to_frame() for path in (CAREFUL, back)]
    assert scored[0].equals(scored[1])


def test_figures_are_shown_saved_and_changed(tmp_path: Path) -> None:
    drawing = ave_score.plot(GOLD, [CAREFUL, BOLD], figure="roc")
    assert repr(drawing) == "<Drawing: ROC curves>"
    drawing.save(tmp_path / "roc.svg")
    written = (tmp_path / "roc.svg").read_text("utf-8")
    assert written == drawing._repr_svg_()
    assert "careful" in written
    path = str(tmp_path / "command.svg")
    assert (
        run(["score", str(GOLD), str(CAREFUL), str(BOLD), "--figure", "roc", "--plot", path]) == 0
    )
    assert written == (tmp_path / "command.svg").read_text("utf-8")
    assert drawing.figure.get_figwidth() == 6.3
    with pytest.raises(UsageError, match="no figure 'pie', only bars"):
        ave_score.plot(GOLD, CAREFUL, figure="pie")
    with pytest.raises(UsageError, match=r"ends in \.svg, \.png, \.pdf"):
        drawing.save("figure.jpg")


def test_differences_and_ties_are_drawn_as_by_the_commands(tmp_path: Path) -> None:
    sampling = ave_score.Sampling(repetitions=20)
    figures = {
        "compare": ave_score.compare(PAPER[0], PAPER[1:]).plot(width=4),
        "stability": ave_score.stability(PAPER[0], PAPER[1:], sampling=sampling).plot(width=4),
    }
    more = {"compare": [], "stability": ["--repetitions", "20"]}
    for name, drawing in figures.items():
        path = tmp_path / f"{name}.svg"
        command = [name, *PAPER, *more[name], "--plot", str(path), "--plot-width", "4"]
        assert run(command) == 0
        assert path.read_text("utf-8") == drawing._repr_svg_()


def test_campaign_has_the_scores_and_writes_pages_only_if_asked(tmp_path: Path) -> None:
    text = f'''
[editions.2007.languages.de]
collection = "{ROOT}/gold/ave2007-de.xml"
runs = "{ROOT}/sample_runs/ave2007-de"
'''
    path = tmp_path / "campaign.toml"
    path.write_text(text)
    found = ave_score.campaign(path)
    assert [*tmp_path.iterdir()] == [path]
    expected = ave_score.score(PAPER[0], PAPER[1:], measures="ave2007").to_frame()
    assert found.scores["2007", "de"].to_frame()["f1"].equals(expected["f1"])
    assert found.left_out == []
    assert found.is_complete
    ave_score.campaign(path, tmp_path / "results")
    for name, page in found.pages.items():
        assert (tmp_path / "results" / name).read_text("utf-8") == page
    path.write_text(text.replace("runs", "rums"))
    with pytest.raises(ave_score.DefectError):
        ave_score.campaign(path)


# --- the namespace --------------------------------------------------------------------------------


def test_every_public_name_is_found_and_nothing_else() -> None:
    for name in ave_score.__all__:
        assert getattr(ave_score, name) is not None
    with pytest.raises(AttributeError, match="has no attribute 'scores'"):
        _ = ave_score.scores
    assert set(ave_score.__all__) <= {*dir(ave_score)}


FUNCTIONS = [name for name in ave_score.__all__ if inspect.isfunction(getattr(ave_score, name))]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions_document_every_parameter_result_and_error(name: str) -> None:
    function = getattr(ave_score, name)
    documented = inspect.getdoc(function) or ""
    sections = re.split(r"^(\w+)\n-+$", documented, flags=re.M)
    parts = dict(zip(sections[1::2], sections[2::2], strict=True))
    assert [*parts] == ["Parameters", "Returns", "Raises"]
    named = ",".join(re.findall(r"^\*?([\w, ]+)$", parts["Parameters"], re.M))
    assert {part.strip() for part in named.split(",")} == {*inspect.signature(function).parameters}
