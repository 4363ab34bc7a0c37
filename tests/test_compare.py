"""`ave-score compare` as a command: tables and data, what is refused, and one seed's one output."""

from __future__ import annotations

import csv
import io
import json
import re
from fractions import Fraction
from functools import partial
from html import unescape
from math import comb
from pathlib import Path

import pytest

from ave_score import Design, UsageError, compare
from ave_score.inference.procedures import CORRECTIONS, PROCEDURES
from tests import each
from tests.conftest import ROOT
from tests.helpers_command import ave as ave_score_of
from tests.helpers_command import output, refusal
from tests.helpers_files import put

GOLD = "gold/ave2007-es.xml"
RUNS = [f"sample_runs/ave2007-es/{name}.txt" for name in ("Rodrigo", "Tellez_1", "Tellez_2")]
TINY = ["gold/tiny.xml", "sample_runs/tiny/bold.txt", "sample_runs/tiny/careful.txt"]
FEW = ["--resamples", "200"]
PAIRS = "gold/ave2006-de.xml.gz"
PAIR_RUNS = [f"sample_runs/ave2006-de/Kozareva_{number}.txt.gz" for number in "12"]
LISTS = ["gold/lists.json", "sample_runs/lists/broad.tsv", "sample_runs/lists/brief.tsv"]


ave = partial(ave_score_of, "compare")


def csv_rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def test_runs_are_ranked_with_intervals_ranks_and_groups() -> None:
    """Published QA accuracies: Tellez_1 0.45, Rodrigo 0.42, Tellez_2 0.36 of 170 questions."""
    out = output("compare", GOLD, *RUNS, *FEW, "-m", "qa_accuracy", "--pairs")
    lines = out.splitlines()
    assert lines[0] == "QA accuracy: 3 runs on 170 questions"
    rows = [line.split() for line in lines if line[:1] in ("1", "2", "3")]
    # 76, 71 and 62 questions: 5/170, 14/170, 9/170
    expected = [["1", "Tellez_1", "0.447"], ["2", "Rodrigo", "0.418"], ["3", "Tellez_2", "0.365"]]
    assert [row[:3] for row in rows] == expected
    assert [row[-2:] for row in rows] == [["1-3", "a"]] * 3
    pairs = [line.split()[:3] for line in out.partition("Pairs\n")[2].splitlines()[3:6]]
    assert pairs == [
        ["Tellez_1", "Rodrigo", "+0.029"],
        ["Tellez_1", "Tellez_2", "+0.082"],
        ["Rodrigo", "Tellez_2", "+0.053"],
    ]
    assert "By QA accuracy, " in out
    assert lines[-1].endswith("|test:randomisation|resamples:200|seed:0|level:95|correction:holm")


def test_the_mark_is_on_small_p_values() -> None:
    runs = [*RUNS, "sample_runs/ave2007-es/García_2.txt"]
    _, out, _ = ave(GOLD, *runs, "--test", "mcnemar", "-f", "csv")
    # García_2 is right on 14 questions, Tellez_1 on 76 (published 0.08 and 0.45)
    significant = {(row["run"], row["other"]) for row in csv_rows(out) if row["significant"] == "1"}
    assert significant == {(name, "García_2") for name in ("Tellez_1", "Rodrigo", "Tellez_2")}
    _, table, _ = ave(GOLD, *runs, "--test", "mcnemar", "--pairs")
    assert table.count("<0.001*") == 3
    _, page, _ = ave(GOLD, *runs, "--test", "mcnemar", "-f", "markdown", "--pairs")
    assert page.count("**\\<0.001**") == 3
    _, paper, _ = ave(GOLD, *runs, "--test", "mcnemar", "-f", "latex", "--pairs")
    assert paper.count("\\textbf{\\textless{}0.001}") == 3


def test_pairs_come_when_asked_for() -> None:
    _, out, _ = ave(*TINY, *FEW, "-m", "qa_accuracy", "--pairs")
    (row,) = [line.split() for line in out.splitlines() if line.startswith("bold")]
    # bold is right on questions 2 and 3, careful on 1 and 3: one won, three tied, one lost
    assert row[:3] == ["bold", "careful", "0.000"]
    assert row[-5:] == ["1.000", "1", "3", "1", "0.00"]
    assert "Pairs" not in ave(*TINY, *FEW)[1]
    assert ave(GOLD, *RUNS, *FEW, "--pairs")[1].count("\nPairs\n") == 2


def test_a_baseline_has_its_p_in_the_table_of_runs() -> None:
    _, out, _ = ave(GOLD, *RUNS, *FEW, "--against", "Rodrigo", "-m", "qa_accuracy")
    last = {line.split()[1]: line.split()[-1] for line in out.splitlines() if line[:1].isdigit()}
    assert last["Rodrigo"] == "against" and 0 < float(last["Tellez_1"]) <= 1
    assert "no significant difference from Rodrigo was found for" in out and "Team" not in out


@pytest.mark.slow
def test_a_page_of_many_runs_is_short(tmp_path: Path) -> None:
    runs = []
    for number in range(9):  # three of a kind, which differ in a confidence
        head, space, confidence = Path(RUNS[number % 3]).read_text("utf-8").strip().rpartition(" ")
        path = put(
            tmp_path, f"{head}{space}{float(confidence) / (1 + number)}\n", f"run{number}.txt"
        )
        runs.append(str(path))
    given = (GOLD, *runs, *FEW, "-m", "qa_accuracy", "--test", "sign")
    _, out, _ = ave(*given, "--pairs")
    pairs = out.partition("Pairs\n")[2]
    assert sum(line.startswith("run") for line in pairs.splitlines()) == 20
    assert "20 of 36 pairs, those of the best runs" in out
    assert len(csv_rows(ave(*given, "-f", "csv")[1])) == 36


def test_ranks_are_a_confidence_set_only_with_a_family_wise_correction() -> None:
    given = (GOLD, *RUNS, *FEW, "--compare", "qa_accuracy")
    for correction, claims in (("holm", True), ("bonferroni", True), ("fdr", False)):
        page = " ".join(output("report", *given, "--correction", correction).split())
        assert ("the ranks of all runs are in these ranges" in page) == claims


def test_few_questions_cannot_tell() -> None:
    """Of five questions all won by one run, p is 2 / 2^5, more than 0.05."""
    _, out, _ = ave(*TINY, *FEW, "-m", "qa_accuracy")
    assert "5 questions are too few: even if a run won all of them" in " ".join(out.split())
    beside = ave(*TINY, *FEW, "-m", "qa_accuracy", "--against", "bold", "--pairs")[1]
    assert "are too few" in beside


def test_differences_of_a_measure_without_a_lowest_value_are_not_cut(tmp_path: Path) -> None:
    """One of two answers is right: always right is a headroom of 1, never right of -1.

    By t, 8 differences of 2 and one of 0 have the mean 1.78 and the standard error 2/9.
    """
    sides = ("1 VALIDATED", "2 REJECTED")
    gold = "".join(
        f'<q id="{q}">{"".join(f"<a id={side[0]!r} value={side[2:]!r}/>" for side in sides)}</q>'
        for q in range(9)
    )
    verdicts = {"right": ("SELECTED", "REJECTED"), "wrong": ("REJECTED", "SELECTED")}
    runs = {
        name: "".join(f"{q} 1 {first} 0.5\n{q} 2 {second} 0.5\n" for q in range(8))
        for name, (first, second) in verdicts.items()
    }
    runs = {name: f"{run}8 1 SELECTED 0.5\n8 2 REJECTED 0.5\n" for name, run in runs.items()}
    paths = [
        put(tmp_path, text, name) for name, text in {"g": f"<ave>{gold}</ave>", **runs}.items()
    ]
    design = Design(test="t")
    (compared,) = compare(paths[0], paths[1:], measures="headroom", design=design).comparisons
    assert compared.pairs[0].difference == Fraction(16, 9)
    assert compared.pairs[0].interval[1] == pytest.approx(16 / 9 + 2.306004 * 2 / 9)


def test_missing_intervals_are_named(tmp_path: Path) -> None:
    silent = tmp_path / "silent.txt"
    answers = [line.split() for line in Path(TINY[1]).read_text("utf-8").splitlines()]
    silent.write_text("".join(f"{q} {a} REJECTED 0\n" for q, a, *_ in answers), "utf-8")
    out = " ".join(ave(*TINY, str(silent), *FEW, "-m", "precision")[1].split())
    reason = "fewer than 2 questions contribute to it"  # it validates no answer
    assert f"No interval of Precision of silent: {reason}" in out


def test_two_lines_are_below_a_comparison_and_more_on_a_page() -> None:
    """What the signature has and what is always the same is said to readers of pages."""
    lines = ave(GOLD, *RUNS, *FEW, "-m", "f1")[1].splitlines()[6:]
    assert lines[0].endswith("(studentised paired randomisation test, Holm's correction).")
    assert [*lines[1:2], lines[2][:9]] == [
        "docs/how-to/compare.md says what ranks, groups, intervals and p mean.", "Signature"
    ]  # fmt: skip
    page = unescape(output("report", GOLD, *RUNS, *FEW, "--compare", "f1"))
    for said in (
        "test, 200 samples, Holm's correction for 3 pairs, 170 questions, significance level 0.05",
        *("Ranks: ", "95 % intervals of runs: ", "No significant difference is not evidence"),
    ):
        assert said in page


def test_equal_runs_share_a_rank() -> None:
    """first-table.md: both runs select correct answers to 2 of 5 questions; F is 6/8 and 2/3."""
    _, out, _ = ave(*TINY, *FEW)
    ranks = re.findall("^ ?([12]=?) +(bold|careful) ", out, re.M)
    assert ranks == [("1", "careful"), ("2", "bold"), ("1=", "bold"), ("1=", "careful")]


def test_undefined_is_not_taken_for_equal(tmp_path: Path) -> None:
    """A run that answers nothing has no accuracy of what it answered, and no letter."""
    silent = tmp_path / "silent.txt"
    answers = [line.split() for line in Path(TINY[1]).read_text("utf-8").splitlines()]
    silent.write_text("".join(f"{q} {a} REJECTED 0\n" for q, a, *_ in answers), "utf-8")
    arguments = [*TINY, str(silent), *FEW, "-m", "accuracy_given_answered"]
    _, out, _ = ave(*arguments)
    assert "; undefined for silent)" in " ".join(out.split())
    _, out, _ = ave(*arguments, "--against", "bold")
    assert "silent cannot be compared with bold: Accuracy of answered is undefined" in " ".join(
        out.split()
    )
    document = json.loads(ave(*arguments, "--format", "json")[1])
    assert "silent" not in document["measures"][0]["groups"][0]
    assert [run["ranks"] for run in document["measures"][0]["runs"]] == [[1, 2], [1, 2], None]


def test_a_narrow_terminal_folds_and_loses_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    _, wide, _ = ave(GOLD, *RUNS, *FEW)
    monkeypatch.setenv("COLUMNS", "40")
    _, narrow, _ = ave(GOLD, *RUNS, *FEW)
    *lines, signature = narrow.splitlines()
    assert max(map(len, lines)) <= 40
    assert signature.startswith("ave-score:")  # whole, to be copied
    assert {*narrow.split()} >= {word for word in wide.split() if word[:2] in ("0.", "+0")}


def test_json_has_what_its_page_says() -> None:
    given = (GOLD, *RUNS, *FEW, "-m", "f1,qa_accuracy", "-f", "json")
    document = json.loads(ave(*given)[1])
    section = (ROOT / "docs/reference/json/comparison.md").read_text("utf-8")
    assert document["schema"] == "ave-score/comparison/1"
    first = document["measures"][0]
    for keys in (document, first, first["runs"][0], first["pairs"][0]):
        for key in keys:
            assert re.search(rf"`(?:\S+\.)?{key}`", section), key
    assert [one["measure"] for one in document["measures"]] == ["f1", "qa_accuracy"]
    expected = ("randomisation", 200, 95)
    assert (document["test"], document["resamples"], document["level"]) == expected


def test_csv_has_a_row_for_each_measure_and_pair() -> None:
    rows = csv_rows(ave(GOLD, *RUNS, *FEW, "-f", "csv")[1])
    assert [row["measure"] for row in rows] == ["f1"] * 3 + ["qa_accuracy"] * 3
    assert [row["exact"] for row in rows[3:]] == ["1"] * 3  # right or wrong: the binomial test
    for row in rows[3:]:
        wins, losses = int(row["won"]), int(row["lost"])
        heads = sum(comb(wins + losses, k) for k in range(min(wins, losses) + 1))
        assert float(row["p"]) == pytest.approx(min(1, 2 * heads / 2 ** (wins + losses)))
    for row in rows:
        assert sum(int(row[one]) for one in ("won", "tied", "lost")) == 170
        difference = float(row["value"]) - float(row["other_value"])
        assert float(row["difference"]) == pytest.approx(difference)
        assert float(row["low"]) <= difference <= float(row["high"])
        assert float(row["p"]) <= float(row["p_corrected"])
    rounded = csv_rows(ave(GOLD, *RUNS, *FEW, "-f", "csv", "--digits", "2")[1])
    assert rounded[3]["value"] == "0.45"  # as published


def test_csv_rounds_intervals_as_they_are_written(tmp_path: Path) -> None:
    """0.15 is rounded to 0.2, although the float is a little less.

    Of two equal runs, as many as 1 - 0.7225 ** (1 / 2) of all questions may have other values.
    """
    gold = tmp_path / "gold.xml"
    answers = '<a id="1" value="VALIDATED"/><a id="2" value="REJECTED"/>'
    gold.write_text(f'<ave><q id="1">{answers}</q><q id="2">{answers}</q></ave>')
    runs = [tmp_path / "one.txt", tmp_path / "other.txt"]
    for run in runs:
        run.write_text("".join(f"{q} 1 SELECTED 1\n{q} 2 VALIDATED 1\n" for q in (1, 2)))
    words = [gold, *runs, "-m", "accuracy", "--level", "27.75", "-f", "csv"]
    ends = {"": "-0.15 0.15", "1": "-0.1 0.2", "2": "-0.15 0.15", "3": "-0.150 0.150"}
    for digits, expected in ends.items():
        options = ["--digits", digits] if digits else []
        (row,) = csv_rows(ave(*map(str, words), *options)[1])
        assert f"{row['low']} {row['high']}" == expected


NO_SPREAD = {
    # 10 questions: Tango's limits of 0 and 10 of 10 are z^2 / (n + z^2) and (n - z^2) / (n + z^2)
    "RRRRRWWWWW RRRRRWWWWW": (-0.2775327998628892, 0.2775327998628892, "by Tango's score"),
    "RRRRRRRRRR WWWWWWWWWW": (0.4449344002742216, 1, "by Tango's score"),
    # with withheld answers c@1 is a ratio
    "RRRRRWWWUU RRRRRWWWUU": (None, None, "c@1 of these runs differs on no question"),
}


@pytest.mark.parametrize("test", ["randomisation", "t", "bootstrap"])
@pytest.mark.parametrize("outcomes", NO_SPREAD)
def test_no_spread_is_no_interval_without_width(tmp_path: Path, outcomes: str, test: str) -> None:
    """The same difference on every question does not show that it is so on others."""
    sides = zip("xy", outcomes.split(), strict=True)
    rows = [f"q{q}\t{run}\t{letter}\n" for run, side in sides for q, letter in enumerate(side)]
    judged = put(tmp_path, "q_id\trun\tjudgement\n" + "".join(rows), "judged.tsv")
    words = judged, "--letters", "respubliqa", "-m", "c_at_1", "--test", test, "-f", "json"
    (pair,) = json.loads(ave(*map(str, words))[1])["measures"][0]["pairs"]
    low, high, reason = NO_SPREAD[outcomes]
    assert (pair["low"], pair["high"]) == (low and pytest.approx(low), high and pytest.approx(high))
    assert pair["reason"].startswith(reason)


def test_questions_add_up_to_the_difference(tmp_path: Path) -> None:
    table, lines = tmp_path / "q.csv", tmp_path / "q.jsonl"
    for path in (table, lines):
        given = (*TINY, *FEW, "-m", "qa_accuracy,f1", "--per-question", str(path))
        assert ave(*given)[0] == 0
    rows = csv_rows(table.read_text("utf-8"))
    records = [json.loads(line) for line in lines.read_text("utf-8").splitlines()]
    assert [(row["measure"], row["question"]) for row in rows] == [
        (measure, str(number)) for measure in ("qa_accuracy", "f1") for number in range(1, 6)
    ]
    # right on 2 and 3 against 1 and 3, of five questions; F of question 4 of careful, which rejects
    # its two wrong answers, is undefined
    assert [row["bold - careful"] for row in rows[:5]] == ["-0.2", "0.2", "0.0", "0.0", "0.0"]
    assert [row["careful"] for row in rows[:5]] == ["1.0", "0.0", "1.0", "0.0", "0.0"]
    assert rows[8]["careful"] == ""
    for row, record in zip(rows, records, strict=True):
        (pair,) = record["added"]
        assert (pair["run"], pair["other"]) == ("bold", "careful")
        assert float(row["bold - careful"]) == pair["added"]
        values = {name: float(row[name]) if row[name] else None for name in record["values"]}
        assert values == record["values"]


@each("arguments, message", [
        ([GOLD], "at least two runs needed"),
        ([GOLD, RUNS[0]], "at least two runs needed"),
        ([GOLD, RUNS[0], RUNS[0]], "given twice"),
        ([*TINY, "-m", "f1", "--test", "sign"], "f1 of these runs is not a mean"),
        ([*TINY, "-m", "f_1"], "did you mean"),
        ([*TINY, "-m", "auc", "--test", "randomisation"], "use --test bootstrap"),
        ([*TINY, "-m", "auc", "--test", "t"], "auc ranks the answers to all questions together"),
        ([*TINY, "-m", "mmf1"], "no mmf1 of 2 of 2 runs: only responses to answer sets"),
        ([*TINY, "--against", "Bold"], "did you mean bold"),
        ([*TINY, "--against", TINY[1]], "there are bold, careful"),
        ([*TINY, "--test", "tukey", "--correction", "holm"], "needs no --correction"),
        ([*TINY, "--test", "friedman"], "at least three runs"),
        ([*TINY, "--resamples", "10"], "resamples"),
        ([*TINY, "--output", TINY[1]], "not overwritten"),
        ([PAIRS, *PAIR_RUNS, "-m", "qa_accuracy"], "pairs belong to no question"),
        ([TINY[0], "gold/tiny.qa.tsv", TINY[1], "-m", "f1"], "no f1 of 2 of 3 runs: a QA system"),
        ([*LISTS, "--unknown", "correct"], "--unknown: not available for answer sets"),
    ])  # fmt: skip
def test_impossible_requests_are_reported(arguments: list[str], message: str) -> None:
    err = refusal("compare", *arguments)
    assert message in err


def test_defective_runs(tmp_path: Path) -> None:
    broken = put(tmp_path, "1 1_1 selected 0.5\n", "broken.txt")
    code, out, err = ave(*TINY, str(broken), *FEW)
    assert (code, out) == (1, "")
    assert "AVE103" in err
    refused = f"nothing compared: 1 of 3 files has errors: {broken} (--keep-going compares the "
    refused += "others)"
    assert refused in err
    out = ave(*TINY, str(broken), *FEW, "--keep-going", code=1).out
    assert "Not compared because of errors" in out and "2 runs on 5 questions" in out
    refusal("compare", *TINY[:2], str(broken), *FEW, "--keep-going", code=1)


def test_missing_and_unknown_are_as_in_score(tmp_path: Path) -> None:
    short = tmp_path / "short.txt"
    lines = Path(TINY[2]).read_text("utf-8").splitlines(keepends=True)
    short.write_text("".join(line for line in lines if "REJECTED" not in line), encoding="utf-8")
    given = (*TINY[:2], str(short), *FEW, "-f", "csv", "-m", "f1")
    assert ave(*given)[0] == 1
    out = ave(*given, "--missing", "rejected", code=0).out
    values = {csv_rows(out)[0][one] for one in ("value", "other_value")}
    assert values == {"0.75", "0.6666666666666666"}  # first-table.md: 6/8 and 2/3
    # 4_2 is UNKNOWN, and bold selects it: with it 2·4 / (2·4 + 5) = 8/13
    out = ave(*TINY, *FEW, "-f", "csv", "-m", "f1", "--unknown", "incorrect", code=0).out
    values = {csv_rows(out)[0][one] for one in ("value", "other_value")}
    assert str(8 / 13) in values


def test_the_help_names_the_page_that_explains_every_test() -> None:
    _, out, _ = ave("--help")
    name = "docs/explanation/which-test.md"
    assert name in out
    page = (ROOT / name).read_text("utf-8")
    sources = page.split("## Sources")[1]
    for one in PROCEDURES.values():
        start = re.escape(f"### {one.name}\n\nThe {one.title} ")
        said = re.search(rf"{start}.+\n\n- Assumes: .+\n- Not: .+\n- Source: (\w+).+\n", page)
        assert said and said[1] in sources, one.name
    for name in CORRECTIONS:
        assert f"| `{name}` | " in page


QA = "gold/ave2007-es.qa.tsv"
TEAMS = "gold/ave2007-es.teams.tsv"


@pytest.mark.slow
def test_judged_systems_are_compared_with_the_runs() -> None:
    """Published QA accuracies of 2007: prib_1 0.49, Tellez_1 0.45, inao_1 0.38."""
    out = output("compare", GOLD, *RUNS, "--qa", QA, *FEW, "-f", "json")
    measures = json.loads(out)["measures"]
    assert [each["measure"] for each in measures] == ["qa_accuracy", "c_at_1"]
    values = {one["run"]: one["value"] for one in measures[0]["runs"]}
    assert len(values) == 8
    published = {"prib_1": 0.49, "Tellez_1": 0.45, "inao_1": 0.38}
    assert {run: round(values[run], 2) for run in published} == published
    # a judged file may be a RUN, too
    assert ave(GOLD, *RUNS, QA, *FEW, "-f", "json") == (0, out, "")


def test_teams_are_shown_and_change_no_conclusion(tmp_path: Path) -> None:
    few = (GOLD, *RUNS, *FEW, "-m", "qa_accuracy")
    _, plain, _ = ave(*few)
    _, out, err = ave(*few, "--teams", TEAMS, code=0)
    # the table is that of the whole campaign, whose other runs are not given here
    assert re.fullmatch("ave-score: --teams: no run or system .* and \\d+ more\n", err)
    rows = [line.split()[1:4] for line in out.splitlines() if line[:1] in ("1", "2", "3")]
    expected = [["Tellez_1", "INAOE"], ["Rodrigo", "UNED"], ["Tellez_2", "INAOE"]]
    assert [row[:2] for row in rows] == expected
    concluded = [text[text.index("By QA") : text.index("docs/how-to")] for text in (plain, out)]
    assert concluded[0] == concluded[1]
    given = json.loads(ave(*few, "--teams", TEAMS, "-f", "json")[1])
    without = json.loads(ave(*few, "-f", "json")[1])
    shown = [one.pop("team") for one in given["measures"][0]["runs"]]
    assert (shown, given) == (["INAOE", "UNED", "INAOE"], without)
    first = csv_rows(ave(*few, "--teams", TEAMS, "-f", "csv")[1])[0]
    one_pair = ["Tellez_1", "INAOE", "Rodrigo", "UNED"]
    assert [first[name] for name in ("run", "team", "other", "other_team")] == one_pair
    # columns are always there: programs that read them do not depend on what is given
    assert csv_rows(ave(*few, "-f", "csv")[1])[0] == first | {"team": "", "other_team": ""}
    wrong = put(tmp_path, "Rodrigos\tUNED\n", "teams.tsv")
    code, out, err = ave(*few, "--teams", str(wrong))
    assert (code, out) == (2, "")  # as in campaigns: the run would be of no team
    assert "no run or system Rodrigos; did you mean Rodrigo?" in err


def test_systems_and_teams_that_cannot_be_used(tmp_path: Path) -> None:
    for given, message in (
        ([GOLD, *RUNS, "--qa", QA, "-m", "f1"], "a QA system decides on no candidate answers"),
        ([PAIRS, *PAIR_RUNS, "--qa", QA], "--qa needs questions, and pairs have none"),
        ([*LISTS, "--qa", QA], "--qa: not available for answer sets"),
        ([GOLD, *RUNS, "--teams", "gone.tsv"], "gone.tsv"),
    ):
        code, out, err = ave(*given)
        assert (code, out, message in err) == (2, "", True), err
    wrong = put(tmp_path, "Rodrigo\tUNED\nRodrigo\tINAOE\n", "teams.tsv")
    err = refusal("compare", GOLD, *RUNS, "--teams", str(wrong), code=1)
    assert "nothing compared: 1 of 4 files has errors" in err


def test_systems_and_teams_in_python() -> None:
    found = compare(GOLD, RUNS, QA, teams=TEAMS, measures="qa_accuracy", design=Design("mcnemar"))
    assert len(found.comparisons[0].standings) == 8 and found.teams["prib_1"] == "Priberam"
    assert "Priberam" in str(found)
    with pytest.raises(UsageError, match="responses to open questions"):
        compare(LISTS[0], LISTS[1:], QA)
