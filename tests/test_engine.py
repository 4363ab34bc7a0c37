"""Tables counted by DuckDB, and lazy frames: equal to answers that are read one by one."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import pytest

import ave_score
from ave_score import (
    Collection,
    DefectError,
    IntervalPolicy,
    Label,
    Policies,
    Run,
    UsageError,
    Verdict,
)
from ave_score.core.choices import MISSING_CHOICES, UNKNOWN_CHOICES, MissingChoice, UnknownChoice
from tests import mostly_slow, slow
from tests.helpers_command import Said, ave, output, refusal
from tests.helpers_engine import COUNTED, in_parts, plain_scores, rows_of, write
from tests.oracle import make_campaign, naive_scores

GOLD = pl.DataFrame(
    {
        "q_id": ["1", "1", "2", "2", "3"],
        "a_id": ["1_1", "1_2", "2_1", "2_2", "3_1"],
        "label": ["VALIDATED", "REJECTED", "REJECTED", "VALIDATED", "UNKNOWN"],
    }
)
RUN = GOLD.select("q_id", "a_id").with_columns(
    verdict=pl.Series(["SELECTED", "REJECTED", "VALIDATED", "SELECTED", "REJECTED"]),
    confidence=pl.Series([0.9, 0.2, 0.6, 0.7, 0.1]),
)


CONNECTION = duckdb.connect()
Given = str | pl.DataFrame | duckdb.DuckDBPyRelation


def scored(*arguments: str | Path) -> Said:
    return ave("score", *arguments, "--engine", "duckdb")


def findings(*arguments: str | Path) -> list[str]:
    """Return code and message of each finding, without the path; the command must exit with 1."""
    err = refusal("score", *arguments, "--engine", "duckdb", code=1)
    found = [re.fullmatch(r"\S+ (AVE\d+ .*)", line) for line in err.splitlines()]
    return [line[1] for line in found if line]


def lazy(library: str, frame: pl.DataFrame) -> pl.LazyFrame | duckdb.DuckDBPyRelation:
    if library == "polars":
        return frame.lazy()
    return CONNECTION.from_arrow(frame.to_arrow())


@pytest.mark.parametrize(
    ("parts", "suffix"), [slow((1, ".csv")), (3, ".tsv"), slow((16, ".parquet"))]
)
def test_shuffled_parts_have_the_naive_figures(tmp_path: Path, parts: int, suffix: str) -> None:
    campaign = make_campaign(parts, questions=60, runs=2)
    gold, runs = rows_of(campaign)
    paths = [
        in_parts(frame, tmp_path / name, parts, suffix)
        for name, frame in {"gold": gold, "a": runs[0], "b": runs[1]}.items()
    ]
    result = scored(*paths, "-f", "json", "-m", COUNTED)
    assert not result.err
    rows = {row["run"]: row for row in json.loads(result.out)["runs"]}
    read = plain_scores(gold, {"a": runs[0], "b": runs[1]})
    assert [*rows] == [*read]
    for name, row in read.items():
        counts = dict(pair for count in row.counts.values() for pair in count.numbers().items())
        found = {k: pytest.approx(float(v), abs=0) for k, v in counts.items()}
        assert found == rows[name]["counts"]
    for name, text in zip("ab", campaign.runs, strict=True):
        for measure, value in naive_scores(campaign.gold, text).items():
            assert rows[name]["measures"][measure] == (None if value is None else float(value))


@pytest.mark.parametrize("form", ["table", "csv", "json", "markdown", "latex"])
@pytest.mark.parametrize("options", [[], ["--unknown", "correct", "--digits", "4"]])
@pytest.mark.slow
def test_outputs_of_csv_are_equal_bytes(tmp_path: Path, form: str, options: list[str]) -> None:
    """Also the hash in the signature, which is that of the same file."""
    gold, runs = rows_of(make_campaign(7, questions=30))
    paths = [write(gold, tmp_path / "gold.csv")]
    paths += [write(run, tmp_path / f"run{at}.csv") for at, run in enumerate(runs)]
    given = [*paths, "-f", form, *options]
    assert scored(*given).out == output("score", *given)


@pytest.mark.parametrize("name", ["ave2007-es", slow("ave2008-en")])
def test_shipped_runs(tmp_path: Path, name: str) -> None:
    (path,) = Path("gold").glob(f"{name}.xml*")
    gold = ave_score.read_collection(path)
    write(gold.to_frame("polars").select("q_id", "a_id", "label"), tmp_path / "gold.parquet")
    runs = []
    for path in sorted(Path("sample_runs", name).glob("*.txt*")):
        runs.append(ave_score.read_run(path, gold))
        frame = runs[-1].to_frame("polars").select("q_id", "a_id", "verdict")
        write(frame.with_columns(run=pl.lit(runs[-1].name)), tmp_path / f"{len(runs)}.parquet")
    result = scored(tmp_path / "gold.parquet", tmp_path / "[0-9]*.parquet", "-f", "json")
    rows = {row["run"]: row for row in json.loads(result.out)["runs"]}
    read = ave_score.score(gold, iter(runs), measures="validation,selection,answering")
    expected = json.loads(read.to_text("json"))["runs"]
    assert rows == {row["run"]: row for row in expected}
    assert len(rows) == len(runs) + 5


@pytest.mark.parametrize("library", ["duckdb", "polars"])
@pytest.mark.parametrize("label", [Label.REJECTED, slow(Label.VALIDATED), Label.UNKNOWN])
def test_an_invented_choice_for_unknown_is_its_record(
    monkeypatch: pytest.MonkeyPatch, library: str, label: Label
) -> None:
    """Expected are the scores of the same labels where the words UNKNOWN stand replaced."""
    choice = UnknownChoice("as you like it", label, "counted as you like it")
    monkeypatch.setitem(UNKNOWN_CHOICES, "invented", choice)
    policies = Policies.of(unknown="invented")
    gold, (run,) = rows_of(make_campaign(5, questions=40, runs=1))
    replaced = gold.with_columns(pl.col("label").replace("UNKNOWN", label.name))
    assert (gold["label"] == "UNKNOWN").sum() > 0
    expected = plain_scores(replaced, {"run": run})
    assert plain_scores(gold, {"run": run}, policies) == expected
    found = ave_score.score(
        lazy(library, gold), {"run": lazy(library, run)}, measures=COUNTED, policies=policies
    )
    assert {row.run: row for row in found.rows} == expected
    assert "unknown" in found.to_text() and "(counted as you like it)" in found.to_text()


@pytest.mark.parametrize("verdict", [Verdict.VALIDATED, Verdict.REJECTED])
def test_an_invented_choice_for_missing_answers_is_its_record(
    monkeypatch: pytest.MonkeyPatch, verdict: Verdict
) -> None:
    """Expected are the scores of the run with the lines that the choice stands for."""
    rule = MISSING_CHOICES["rejected"].of_answer
    choice = MissingChoice("as you like it", of_answer=rule, of_question=rule, verdict=verdict)
    monkeypatch.setitem(MISSING_CHOICES, "invented", choice)
    policies = Policies.of(missing="invented")
    given = pl.concat([RUN[:1], RUN[2:]])  # without 1_2, beside the SELECTED 1_1
    said = pl.Series(["SELECTED", verdict.name, "VALIDATED", "SELECTED", "REJECTED"])
    expected = plain_scores(GOLD, {"run": RUN.with_columns(verdict=said)})
    with pytest.warns(ave_score.AveScoreWarning, match="AVE207"):
        found = ave_score.score(
            GOLD.lazy(), {"run": given.lazy()}, measures=COUNTED, policies=policies
        )
    assert {row.run: row for row in found.rows} == expected
    collection = Collection.from_frame(GOLD)
    with pytest.warns(ave_score.AveScoreWarning, match="AVE207"):
        run = Run.from_frame(given, collection, missing="invented")
    read = ave_score.score(collection, [run], measures=COUNTED, policies=policies)
    assert {row.run: row._replace(digest=b"") for row in read.rows} == expected
    alone = {"run": RUN[:4].lazy()}  # 3_1 is the only answer to its question
    if verdict is Verdict.VALIDATED:
        with pytest.raises(DefectError, match="AVE302 question '3' has a VALIDATED answer"):
            ave_score.score(GOLD.lazy(), alone, policies=policies)


def test_many_runs_in_one_table() -> None:
    gold, runs = rows_of(make_campaign(3, questions=40, runs=9))
    named = {f"run{at}": run for at, run in enumerate(runs)}
    table = pl.concat([run.with_columns(run=pl.lit(name)) for name, run in named.items()])
    found = ave_score.score(gold.lazy(), table.lazy(), measures=COUNTED)
    assert {row.run: row for row in found.rows} == plain_scores(gold, named)
    assert found.signature.endswith("|collection:not-hashed")


def test_names_and_words_of_columns(tmp_path: Path) -> None:
    gold = GOLD.rename({"q_id": "problem", "label": "truth"})
    gold = gold.with_columns(pl.col("truth").replace("VALIDATED", "yes"))
    run = RUN.rename({"q_id": "problem", "confidence": "sure"})
    run = run.with_columns(pl.col("verdict").replace("REJECTED", "no"))
    paths = write(gold, tmp_path / "g.csv"), write(run, tmp_path / "r.csv")
    options = ["--columns", "q_id=problem,label=truth,confidence=sure", "-f", "csv"]
    options += ["--values", "yes=VALIDATED,no=REJECTED"]
    printed = output("score", *paths, *options, "--engine", "duckdb")
    assert printed == ave("score", *paths, *options).out and printed.count("\n") == 7


def test_numbers_are_ids_and_a_question_may_have_no_answers(tmp_path: Path) -> None:
    """By hand: three questions, of which one is answered right; the third has no answers."""
    labels = ["VALIDATED", "REJECTED", None]
    gold = pl.DataFrame({"q_id": [1, 2, 3], "a_id": [11, 21, None], "label": labels})
    run = pl.DataFrame({"q_id": [2, 1], "a_id": [21, 11], "verdict": ["REJECTED", "SELECTED"]})
    with pytest.warns(ave_score.AveScoreWarning, match="AVE405 question '3' has no answers"):
        scores = ave_score.score(gold.lazy(), run.lazy(), measures="qa_accuracy,f1")
    assert scores.collection.questions == 3
    assert scores.rows[0].values == {"qa_accuracy": Fraction(1, 3), "f1": Fraction(1)}


def changed(at: int, **values: str | None) -> pl.DataFrame:
    rows = RUN.drop("confidence").to_dicts()
    rows[at] |= values
    return pl.DataFrame(rows)


ROW = pl.DataFrame({"q_id": ["1"], "a_id": ["1_2"], "verdict": ["REJECTED"]})
DEFECTS = {
    "AVE201 question '9' is not in the collection": pl.concat(
        [changed(0), ROW.with_columns(q_id=pl.lit("9"))]
    ),
    "AVE202 the collection has no answer '1_9' of question '1'": pl.concat(
        [changed(0), ROW.with_columns(a_id=pl.lit("1_9"))]
    ),
    "AVE204 no line for answer '3_1' of question '3'": changed(0)[:4],
    "AVE205 answer '1_2' of question '1' is repeated: 2 rows": pl.concat([changed(0), ROW]),
    "AVE206 answer '1_2' of question '1' is repeated: 2 rows that conflict": pl.concat(
        [changed(1, verdict="VALIDATED"), ROW]
    ),
    "AVE301 question '2' has 2 SELECTED answers": changed(2, verdict="SELECTED"),
    "AVE302 question '2' has a VALIDATED answer but no SELECTED one": changed(
        3, verdict="REJECTED"
    ),
    "AVE102 found 'selected' for answer '1_1' of question '1', expected one of "
    "SELECTED, VALIDATED, REJECTED": changed(0, verdict="selected"),
    "AVE102 found '' for answer '3_1' of question '3', expected one of "
    "SELECTED, VALIDATED, REJECTED": changed(4, verdict=None),
    "AVE505 the q_id or a_id is empty in 1 row": pl.concat(
        [changed(0), ROW.with_columns(q_id=pl.lit(None, pl.String))]
    ),
    "AVE115 the file has no answers in it": ROW[:0],
    "AVE501 the header has no column verdict; expected columns separated by tabs, commas or "
    "semicolons": RUN.drop("verdict"),
}


@pytest.mark.slow
@pytest.mark.parametrize("finding", DEFECTS)
def test_each_defect_is_found_alone(tmp_path: Path, finding: str) -> None:
    paths = write(GOLD, tmp_path / "g.csv"), write(DEFECTS[finding], tmp_path / "r.csv")
    assert findings(*paths) == [finding]


GOLD_DEFECTS = {
    "AVE404 answer '1_1' of question '1' has 2 rows": pl.concat([GOLD, GOLD[:1]]),
    "AVE406 found 'right' for answer '3_1' of question '3', expected one of VALIDATED, REJECTED, "
    "UNKNOWN": GOLD.with_columns(pl.col("label").replace("UNKNOWN", "right")),
    "AVE407 answer '3_1' of question '3' has no gold label": GOLD.with_columns(
        pl.col("label").replace("UNKNOWN", None)
    ),
    "AVE505 the q_id or a_id is empty in 1 row": pl.concat(
        [GOLD, GOLD[:1].with_columns(q_id=pl.lit(None, pl.String))]
    ),
    "AVE115 the file has no questions in it": GOLD[:0],
}


@pytest.mark.parametrize("finding", mostly_slow(GOLD_DEFECTS))
def test_each_defect_of_gold_is_found_alone(tmp_path: Path, finding: str) -> None:
    paths = write(GOLD_DEFECTS[finding], tmp_path / "g.csv"), write(RUN, tmp_path / "r.csv")
    assert findings(*paths) == [finding]


def test_the_first_of_many_defects_are_listed_in_the_order_of_ids(tmp_path: Path) -> None:
    ids = [f"{number:03d}" for number in range(120)]
    gold = pl.DataFrame({"q_id": ids, "a_id": ids, "label": ["REJECTED"] * 120})
    run = pl.DataFrame({"q_id": ids[110:], "a_id": ids[110:], "verdict": ["REJECTED"] * 10})
    paths = write(gold, tmp_path / "g.parquet"), in_parts(run, tmp_path / "r", 3, ".parquet")
    found = findings(*paths)
    assert found[:2] == [f"AVE204 no line for answer '{i}' of question '{i}'" for i in ids[:2]]
    assert found[2:] == ["AVE204 no line for answer '002' of question '002' (and 107 more)"]


def test_a_repeated_and_a_missing_answer_of_one_question_do_not_cancel(tmp_path: Path) -> None:
    run = pl.concat([changed(0)[[0, 2, 3, 4]], changed(0)[:1]])
    paths = write(GOLD, tmp_path / "g.csv"), write(run, tmp_path / "r.csv")
    assert findings(*paths) == [
        "AVE204 no line for answer '1_2' of question '1'",
        "AVE205 answer '1_1' of question '1' is repeated: 2 rows",
        "AVE301 question '1' has 2 SELECTED answers",
    ]


def test_missing_answers_are_rejected_on_request(tmp_path: Path) -> None:
    """Questions 2, in part, and 3 are missing: the counts are those of the plain path."""
    run = RUN.filter(pl.col("a_id").is_in(["1_1", "2_2", "1_2"]))
    paths = write(GOLD, tmp_path / "g.csv"), write(run, tmp_path / "r.csv")
    options = ["--missing", "rejected", "-f", "csv"]
    result = scored(*paths, *options)
    assert result.out == ave("score", *paths, *options).out
    finding = "AVE207 warning: no line for answer '2_1' of question '2'; read as REJECTED"
    assert finding in result.err


def test_only_the_runs_with_errors_are_left_out(tmp_path: Path) -> None:
    table = pl.concat([changed(0).with_columns(run=pl.lit("good")),
                       changed(2, verdict="SELECTED").with_columns(run=pl.lit("bad"))])  # fmt: skip
    gold, bad = write(GOLD, tmp_path / "g.csv"), write(table, tmp_path / "both.csv")
    good = write(RUN, tmp_path / "other.csv")
    result = scored(gold, bad, good, "--keep-going", "-f", "csv")
    assert result.code == 1
    expected = ["other", "100% VALIDATED"]
    assert [line.split(",")[0] for line in result.out.splitlines()[1:3]] == expected
    assert "both.csv (bad) AVE301 question '2' has 2 SELECTED answers" in result.err
    assert "(good)" not in result.err


def test_defects_of_lazy_frames_are_raised() -> None:
    with pytest.raises(DefectError, match="AVE301 question '2' has 2 SELECTED answers"):
        ave_score.score(GOLD.lazy(), changed(2, verdict="SELECTED").lazy())


@pytest.mark.parametrize("run", [RUN, "run.csv", duckdb.sql("select 1 as q_id")])
def test_runs_of_a_lazy_collection_are_lazy_frames_of_its_library(run: Given) -> None:
    with pytest.raises(UsageError, match="expected a lazy frame"):
        ave_score.score(GOLD.lazy(), run)


def test_measures_of_rankings_need_the_plain_path() -> None:
    with pytest.raises(UsageError, match="ranking measures need the confidence of each answer"):
        ave_score.score(GOLD.lazy(), RUN.lazy(), measures="map")
    message = "intervals needs single questions, and only counts are read: score without an engine$"
    with pytest.raises(UsageError, match=message):
        ave_score.score(GOLD.lazy(), RUN.lazy(), policies=Policies(intervals=IntervalPolicy(95)))


@pytest.mark.parametrize(("options", "message"), [
    (["--per-question", "q.csv"], "--engine cannot be combined with --per-question"),
    (["--threshold", "0.5"], "--engine cannot be combined with --threshold"),
    (["--ci", "95"], "--engine cannot be combined with --ci"),
    (["-m", "auc"], "confidence measures need the confidence of each answer"),
])  # fmt: skip
def test_options_of_answers_are_refused(tmp_path: Path, options: list[str], message: str) -> None:
    paths = write(GOLD, tmp_path / "g.csv"), write(RUN, tmp_path / "r.csv")
    result = scored(*paths, *options)
    assert result.code == 2 and message in result.err


LINES = "".join(f"{number},{number},REJECTED\n" for number in range(9))


@pytest.mark.parametrize(("name", "text", "message"), [
    ("missing.csv", None, "no such file or folder, or no table in it"),
    ("run.txt", "1 1_1 SELECTED 1\n", "reads tables of one kind, .parquet, .csv or .tsv"),
    ("run.parquet", "q_id,a_id\n", "the engine cannot read it"),
    ("run.csv", f"q_id,a_id,verdict\n{LINES}1,1_1,SELECTED,1\n", "the engine cannot read it"),
])  # fmt: skip
def test_unusable_files(tmp_path: Path, name: str, text: str | None, message: str) -> None:
    if text is not None:
        (tmp_path / name).write_text(text)
    result = scored(write(GOLD, tmp_path / "g.csv"), tmp_path / name)
    assert result.code == 2 and message in result.err


def test_names_of_files_are_no_patterns(tmp_path: Path) -> None:
    """A file whose name looks like a pattern is read alone, and nothing in a file is a path."""
    write(changed(2, verdict="SELECTED"), tmp_path / "runs.csv")
    path = write(RUN, tmp_path / "run[s].csv")
    result = scored(write(GOLD, tmp_path / "g.csv"), path, "-f", "csv")
    assert result.code == 0, result.err
    assert result.out.splitlines()[1].startswith("run[s],")


def test_duckdb_installs_nothing_for_files_and_prints_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    connect, made = duckdb.connect, list[duckdb.DuckDBPyConnection]()

    def connected(**given: Any) -> duckdb.DuckDBPyConnection:  # noqa: ANN401 - duckdb's
        made.append(connect(**given))
        return made[-1]

    monkeypatch.setattr(duckdb, "connect", connected)
    assert not scored(write(GOLD, tmp_path / "g.csv"), write(RUN, tmp_path / "r.csv")).code
    settings = made[0].sql(
        "select current_setting('autoinstall_known_extensions'),"
        " current_setting('autoload_known_extensions'), current_setting('enable_progress_bar')"
    )
    assert settings.fetchall() == [(False, False, False)]
