"""The functions for Python: paths or values as arguments, results as text, frames and HTML."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable
from contextlib import suppress
from inspect import isfunction, signature
from math import isnan
from pathlib import Path
from typing import Any

import pytest

import ave_score
from ave_score import UsageError
from ave_score.reports.of_results import report_of
from tests import each, mostly_slow, slow
from tests.conftest import ROOT
from tests.helpers_command import output
from tests.helpers_python import BOLD, CAREFUL, GOLD, LISTS, PAPER, Cells
from tools.own import own_files

PAIRS = b"pair_id,label\n1,YES\n2,NO\n"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in a folder with files of pairs, beside those of the repository."""
    for name in ("gold", "sample_runs"):
        (tmp_path / name).symlink_to(ROOT / name)
    (tmp_path / "pairs.csv").write_bytes(PAIRS)
    for name in ("one.csv", "two.csv"):
        (tmp_path / name).write_bytes(PAIRS.replace(b"label", b"verdict"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


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
    policies = ave_score.Policies(letters="respubliqa")
    judged = ROOT / "gold/respubliqa2009-ro.qa.tsv.gz"
    scores = ave_score.score(judged, policies=policies, measures="c_at_1")
    # (237 + 107 * 237 / 500) / 500, see first-table.md
    assert float(scores.rows[0].values["c_at_1"] or 0) == pytest.approx(0.575436, abs=1e-9)


def test_answer_sets_are_scored_by_their_paths() -> None:
    runs = own_files("sample_runs/lists")
    gold = ave_score.read_answer_sets(ROOT / "gold/lists.json")
    responses = [run for path in runs for run in ave_score.read_responses(path, gold)]
    scores = ave_score.score(ROOT / "gold/lists.json", runs)
    assert scores == ave_score.score_responses(gold, responses)
    assert {row.run for row in scores.rows} == {run.name for run in responses}


WRONG: Any = 3


@each("call, wanted", [
    (lambda: ave_score.score(WRONG), "a Collection, a path, an open file, a frame or dictionaries"),
    (lambda: ave_score.score(GOLD, WRONG), "a list of runs, paths or frames"),
    (lambda: ave_score.score(GOLD, [WRONG]),
        "a run, a path, an open file, a frame or dictionaries"),
    (lambda: ave_score.score(ave_score.read_answer_sets("gold/lists.json"), [WRONG]),
        "a run, a path, an open file, a frame or dictionaries"),
    (lambda: ave_score.check(BOLD, WRONG),
        "a Collection, a path, an open file, a frame or dictionaries"),
])  # fmt: skip
def test_wrong_types_say_what_is_wanted(call: Callable[[], object], wanted: str) -> None:
    with pytest.raises(UsageError, match=f"^expected {wanted}, found int$"):
        call()


@each("call, message", [
    (lambda: ave_score.score(GOLD, policies=WRONG), "settings of type Policies, found int"),
    (lambda: ave_score.score(GOLD, measures=WRONG), "names of measures, found int"),
    (lambda: ave_score.score(GOLD, measures=["f1", WRONG]), "names of measures, found int"),
    (lambda: ave_score.Policies.of(intervals=95), "an IntervalPolicy, found int"),
    (lambda: ave_score.Policies.of(threshold="0.5"), "a number, found str"),
    (lambda: ave_score.compare(PAPER[0], PAPER[1:], design=WRONG),
        "settings of type Design, found int"),
    (lambda: ave_score.swap(PAPER[0], PAPER[1:], agreement=WRONG),
        "settings of type Agreement, found int"),
    (lambda: ave_score.plot(GOLD, policies=WRONG), "settings of type Policies, found int"),
    (lambda: ave_score.decide(ave_score.read_scores("sample_runs/best-of-n.jsonl"), WRONG),
        "settings of type DecisionPolicy, found int"),
    (lambda: ave_score.score(GOLD, [BOLD], teams={"bold": WRONG}), "name -> name, found 3"),
    (lambda: ave_score.score(GOLD, [BOLD], replicates={WRONG: "bold"}), "name -> name, found 3"),
])  # fmt: skip
def test_settings_of_wrong_type_say_what_wanted(call: Callable[[], object], message: str) -> None:
    with pytest.raises(UsageError, match=f"expected {message}$"):
        call()


SCORES, JUDGED, OPEN = "sample_runs/best-of-n.jsonl", "gold/tiny.qa.tsv", ROOT / LISTS[0]
SOUND: dict[str, object] = {
    "collection": GOLD, "runs": [CAREFUL, BOLD], "path": CAREFUL, "judged": JUDGED, "text": "f1",
    "gold": ave_score.read_answer_sets(OPEN), "threshold": 0.5, "by": "no.tsv", "output": "x.csv",
    "scores": ave_score.read_scores(ROOT / SCORES), "run": ave_score.read_run(CAREFUL, GOLD),
    "read_answer_sets": OPEN, "read_collection": GOLD, "read_judged": JUDGED,
    "read_judged_gold": JUDGED, "read_responses": LISTS[1], "read_scores": SCORES,
    "read_verifiers": SCORES,
}  # fmt: skip
"""Parameter without a default -> what may be given; function -> its path, if it is no run."""
WRONG_TYPES: list[object] = [3, None, "x", []]
REFUSED = ave_score.UsageError, ave_score.InputError, ave_score.DefectError, TypeError


@each("name", [name for name in dir(ave_score) if isfunction(getattr(ave_score, name))])
def test_wrong_types_are_refused_without_other_errors(here: Path, name: str) -> None:
    function = getattr(ave_score, name)
    parameters = signature(function).parameters.values()
    needed = {one.name: SOUND.get(one.name) for one in parameters if one.default is one.empty}
    if "path" in needed:
        needed["path"] = SOUND.get(name, CAREFUL)
    for parameter in parameters:
        for wrong in WRONG_TYPES:
            given = needed | {parameter.name: wrong}
            several = [given.pop(one.name) for one in parameters if one.kind is one.VAR_POSITIONAL]
            with suppress(*REFUSED):
                function(*several, **given)


def test_a_threshold_is_a_number() -> None:
    for wrong in (float("nan"), float("inf")):
        with pytest.raises(UsageError, match=f"threshold {wrong} is not a finite number"):
            ave_score.Policies(threshold=wrong)


def test_a_single_measure_needs_no_list() -> None:
    (f1,) = ave_score.parse_measures("f1")
    assert ave_score.score(GOLD, BOLD, measures=f1) == ave_score.score(GOLD, BOLD, measures="f1")


def test_check_takes_the_path_of_a_collection_and_does_not_read_its_labels(tmp_path: Path) -> None:
    gold = tmp_path / "gold.xml"
    gold.write_text(GOLD.read_text().replace('value="VALIDATED"', 'value="SECRET"'))
    assert not ave_score.check(CAREFUL, gold).findings
    other = tmp_path / "run.txt"
    other.write_text(CAREFUL.read_text().replace("5 5_1", "5 5_9"))
    codes = [found.rule.code for found in ave_score.check(other, gold).findings]
    assert codes == ["AVE202", "AVE204"]


def with_intervals(measures: str) -> ave_score.Scores:
    policies = ave_score.Policies(intervals=ave_score.IntervalPolicy(level=90))
    return ave_score.score(GOLD, [CAREFUL, BOLD], measures=measures, policies=policies)


def test_frame_has_the_ends_of_intervals() -> None:
    frame = with_intervals("qa_accuracy, f1").to_frame()
    assert list(frame)[:5] == ["kind", "team", "qa_accuracy", "qa_accuracy_low", "qa_accuracy_high"]
    from statsmodels.stats.proportion import proportion_confint  # slow to import

    low, high = proportion_confint(2, 5, alpha=0.1, method="wilson")  # right on 2 of 5 questions
    assert frame["qa_accuracy_low"]["careful"] == pytest.approx(low)
    assert frame["qa_accuracy_high"]["careful"] == pytest.approx(high)
    assert isnan(frame["qa_accuracy_low"]["Perfect selection"])
    assert "f1_low" not in ave_score.score(GOLD, BOLD, measures="f1").to_frame()


def test_text_is_what_the_command_prints() -> None:
    paths = ["gold/tiny.xml", "sample_runs/tiny/bold.txt", "sample_runs/tiny/careful.txt"]
    scores = ave_score.score(paths[0], paths[1:], measures="f1, qa_accuracy")
    for name in ("table", "markdown", "latex", "csv", "json"):
        printed = output("score", *paths, "-m", "f1, qa_accuracy", "--format", name)
        assert scores.to_text(name) == printed
    assert str(scores) == scores.to_text()
    assert "0.6667" in scores.to_text(digits=4)
    with pytest.raises(UsageError, match=r"no format 'pdf', only table, json"):
        scores.to_text("pdf")


JUDGED = "gold/ave2007-de.qa.tsv"


@pytest.mark.parametrize(("gold", "runs", "qa", "first"), [
    slow((PAPER[0], PAPER[1:], "", "f1")),  # of the tables of AVE 2007
    slow((PAPER[0], [JUDGED], "", "c_at_1")),  # of ResPubliQA
    (PAPER[0], PAPER[1:], JUDGED, "qa_accuracy"),  # the first of both runs and systems
    slow(("pairs.csv", ["one.csv", "two.csv"], "", "f1")),
    (LISTS[0], LISTS[1:], "", "mmf1"),
])  # fmt: skip
def test_scores_comparisons_and_pages_begin_with_the_same_measure(
    here: Path, gold: str, runs: list[str], qa: str, first: str
) -> None:
    scores = ave_score.score(gold, runs, qa or ())
    assert str(scores) == output("score", gold, *runs, *["--qa", qa] * bool(qa))
    ranked = [row for row in scores.rows if row.kind is not ave_score.Kind.BASELINE]
    assert first == next(
        one.key for one in scores.measures if all(one.family in row.counts for row in ranked)
    )
    assert ave_score.compare(gold, runs, qa or ()).comparisons[0].measure.key == first
    page = ave_score.report(gold, runs, qa or ())
    assert page.figures.rankings[0].measure.key == ("f1" if qa else first)  # it ranks runs alone


CALLS: dict[str, Callable[[], Any]] = {
    f"compare {' '.join(PAPER)} --resamples 200 --against Glöckner_1 --power 0.1": (
        lambda: ave_score.compare(PAPER[0], PAPER[1:],
            design=ave_score.Design(resampling=ave_score.Resampling(200), against="Glöckner_1"),
            power=ave_score.PowerPolicy(difference=0.1))),
    f"compare {' '.join(LISTS)} -m mmf1,nugget_f --test t": (
        lambda: ave_score.compare(LISTS[0], LISTS[1:], measures="mmf1, nugget_f",
            design=ave_score.Design("t"))),
    f"stability {' '.join(PAPER)} --resamples 20 --unit questions": (
        lambda: ave_score.stability(
            PAPER[0],
            PAPER[:0:-1],  # the order of runs does not matter
            sampling=ave_score.Sampling(resamples=20, unit="questions"),
        )
    ),
    f"swap {' '.join(PAPER)} --resamples 20 --level 90 -m f1 --unknown incorrect": (
        lambda: ave_score.swap(PAPER[0], PAPER[1:], measures="f1",
            sampling=ave_score.Sampling(resamples=20),
            policies=ave_score.Policies(unknown="incorrect"),
            agreement=ave_score.Agreement(90))),
    f"agree {' '.join(PAPER[1:])} --collection {PAPER[0]} --ci 90 --resamples 100": (
        lambda: ave_score.agree(PAPER[1:], collection=PAPER[0],
            policies=ave_score.Policies(
                intervals=ave_score.IntervalPolicy(level=90, resamples=100)))),
    f"score {' '.join(PAPER)} --sweep precision --unknown correct": (
        lambda: ave_score.sweep(PAPER[0], PAPER[1:], "precision",
            policies=ave_score.Policies(unknown="correct"))),
    "stats gold/ave2007-de.xml gold/ave2006-es.xml.gz": (
        lambda: ave_score.stats("gold/ave2007-de.xml", "gold/ave2006-es.xml.gz")),
    f"score {' '.join(LISTS)} --breakdown type --ci 95": (
        lambda: ave_score.break_down(LISTS[0], LISTS[1:], "type",
            policies=ave_score.Policies(intervals=ave_score.IntervalPolicy()))),
}  # fmt: skip
"""A command, and the function that does the same."""


@pytest.mark.parametrize("command", mostly_slow(CALLS, 5))
def test_functions_report_what_commands_print(command: str) -> None:
    result = CALLS[command]()
    for name in ("table", "json", "csv"):
        assert result.to_text(name) == output(*command.split(), "--format", name)


@each("command", CALLS)
def test_every_result_has_a_frame_html_and_a_short_representation(command: str) -> None:
    result = CALLS[command]()
    lines = list(csv.reader(result.to_text("csv").splitlines()))
    totals = sum(line[0] == "Total" for line in lines)
    assert len(result.to_frame()) == len(lines) - 1 - totals
    cells = [cell for table in report_of(result).tables() for row in table.rows for cell in row]
    shown = [cell for row in Cells(result._repr_html_()).rows for cell in row]
    assert [cell for cell in cells if cell not in shown] == []
    assert re.fullmatch(r"<[^\n]{1,80}>", repr(result))


def test_notebooks_show_the_tables_with_names_escaped(tmp_path: Path) -> None:
    path = tmp_path / "<img src=x>.txt"
    path.write_bytes(CAREFUL.read_bytes())
    html = ave_score.score(GOLD, path, measures="f1")._repr_html_()
    found = Cells(html)
    assert found.tags == {"div", "p", "strong", "table", "caption", "thead", "tbody", "tr", "th",
                          "td", "em", "code"}  # fmt: skip
    assert found.rows[0] == ["#", "Run", "Kind", "F"]
    assert found.rows[1] == ["1", "<img src=x>", "AV", "0.75"]  # 6/8, see first-table.md
    assert "<img" not in html
    assert "<strong>0.75</strong>" in html


def test_representation_is_one_short_line() -> None:
    expected = f"<Scores of 7 rows on {GOLD}: f1, recall>"  # two runs, five baselines
    scores = ave_score.score(GOLD, [CAREFUL, BOLD], measures="f1, recall")
    assert repr(scores) == expected
    counts = next(iter(scores.rows[0].counts.values()))
    shown = ", ".join(f"{name}={value!r}" for name, value in vars(counts).items())
    assert repr(counts) == f"ValidationCounts({shown})"


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
    # by hand: careful selects 1_1 and 3_1, which are right, and 5_1; it accepts 3_2, too, and
    # misses 2_2, the only correct answer of question 2; 4 has none, and none is accepted
    assert careful["selected"].fillna("").tolist() == ["1_1", "", "3_1", "", "5_1"]
    assert careful["qa_accuracy"].tolist() == [1, 0, 1, 0, 0]
    assert careful["f1"].fillna(-1).tolist() == [1, 0, 1, -1, 0]
    assert careful["qa_accuracy"].mean() == 0.4


def test_values_of_questions_answered_by_systems_and_responses() -> None:
    policies = ave_score.Policies(letters="respubliqa")
    judged = ave_score.per_question("gold/respubliqa2009-ro.qa.tsv.gz", [], policies=policies)
    assert len(judged) == 2 * 500
    assert judged.loc[["icia091ro"], "answered"].value_counts()["answered_right"] == 237
    given = "gold/lists.json", "sample_runs/lists/brief.tsv"
    assert list(ave_score.per_question(*given, measures="mmf1")) == ["mmf1"]
    usual = [item.key for item in ave_score.score(*given).measures]
    assert list(ave_score.per_question(*given)) == usual


def test_values_of_questions_need_questions() -> None:
    with pytest.raises(UsageError, match="pairs belong to no question"):
        ave_score.per_question("gold/ave2006-es.xml.gz", [])
