"""Answering measures: judged files alone, withheld answers, campaigns, and every kind of report."""

from __future__ import annotations

import csv
import io
import json
import re
import warnings
import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ave_score
from ave_score import AveScoreWarning, DefectError, UsageError
from ave_score.measures import groups
from tests import each, examples
from tests.helpers_check import check, codes
from tests.helpers_command import ave, refusal
from tests.helpers_command import output as output_of
from tests.helpers_files import fuzzed, put

# The states of one question, as rows of a judged file under ResPubliQA and as QA4MRE answers.
STATES = {
    "right": ("R", "YES"), "wrong": ("W", "YES"), "silent": ("U", "NO"),
    "withheld right": ("R", "NO"), "withheld wrong": ("W", "NO"),
}  # fmt: skip
UNANSWERED = ("silent", "withheld right", "withheld wrong")


def judged(*systems: tuple[str, Sequence[str]]) -> str:
    """Return a judged file of ResPubliQA: the state of each question, 1, 2, ..., a system."""
    rows = [
        f"{number}\t{name}\t{STATES[state][0]}\t{STATES[state][1]}\n"
        for name, states in systems
        for number, state in enumerate(states, 1)
    ]
    return "q_id\trun\tjudgement\tanswered\n" + "".join(rows)


def answers_and_gold(states: Sequence[str]) -> tuple[str, str]:
    """Return the same as a run of QA4MRE, and a gold file in which answer 1 is right."""
    given, gold = [], []
    for number, state in enumerate(states, 1):
        a_id = {"R": "1", "W": "2", "U": ""}[STATES[state][0]]
        inner = f'<answer a_id="{a_id}"/>' if a_id else ""
        answered = STATES[state][1]
        given.append(f'<question q_id="{number}" answered="{answered}">{inner}</question>')
        gold.append(f"<q q_id='{number}'><answer a_id='1' correct='Yes'/><answer a_id='2'/></q>")
    around = "<topic t_id='1'><reading-test r_id='1'>", "</reading-test></topic>"
    return (
        f"<output>{''.join(given).join(around)}</output>",
        f"<test-set>{''.join(gold).join(around)}</test-set>",
    )


# Ten questions: 4 right, 2 wrong, 4 unanswered of which 1 withheld right and 2 withheld wrong.
TEN = ["right"] * 4 + ["wrong"] * 2 + ["silent", "withheld right"] + ["withheld wrong"] * 2
BY_HAND = {
    "c_at_1": Fraction(56, 100),  # (4 + 4·4/10) / 10
    "answering_accuracy": Fraction(4, 10),
    "accuracy_with_withheld": Fraction(5, 10),
    "utility": Fraction(2, 10),
    "unanswered_as_right": Fraction(8, 10),
    "unanswered_as_half": Fraction(6, 10),
    "unanswered_as_answered": Fraction(2, 3),  # (4 + 4·4/6) / 10
    "unanswered_as_missed": Fraction(8, 15),  # (4 + 4·2/6) / 10
    "share_answered": Fraction(6, 10),
    "accuracy_given_answered": Fraction(4, 6),
    "simpleqa_f": Fraction(8, 16),  # of 4/10 and 4/6
    "n_right": Fraction(4),
    "n_wrong": Fraction(2),
    "n_unanswered": Fraction(4),
    "n_withheld_right": Fraction(1),
    "n_withheld_wrong": Fraction(2),
}
RESPUBLIQA = ["--letters", "respubliqa"]


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in a folder with the ten questions in either form."""
    monkeypatch.chdir(tmp_path)
    put(tmp_path, judged(("mine", TEN)), "judged.tsv")
    answers, gold = answers_and_gold(TEN)
    put(tmp_path, answers, "mine.xml")
    put(tmp_path, gold, "gold.xml")
    return tmp_path


output = partial(output_of, "score")


def scored(*arguments: str) -> dict[str, dict[str, Any]]:
    """Return the rows of a JSON report by name."""
    document = json.loads(output(*arguments, "--format", "json"))
    return {row["run"]: row for row in document["runs"]}


def cells(line: str) -> list[str]:
    """Return what stands between the blanks of a line of a table, without the marks."""
    return re.split(" {2,}", line.replace("*", "").strip())


@pytest.mark.parametrize("form", ["judged", "answers"])
def test_hand_worked_figures(here: Path, form: str) -> None:
    files = ["judged.tsv", *RESPUBLIQA] if form == "judged" else ["gold.xml", "mine.xml"]
    rows = scored(*files)
    found = {key: rows["mine"]["measures"][key] for key in groups()["answering"]}
    assert found == pytest.approx({key: float(value) for key, value in BY_HAND.items()})
    assert {key: rows["mine"]["counts"][key] for key in (
        "answered_right", "answered_wrong", "unanswered", "withheld_right", "withheld_wrong",
    )} == {
        "answered_right": 4, "answered_wrong": 2, "unanswered": 4,
        "withheld_right": 1, "withheld_wrong": 2,
    }  # fmt: skip


@pytest.mark.parametrize(("name", "times", "c_at_1", "accuracy"), [
    # ResPubliQA 2009, tables 6.3 and 6.4 of Rodrigo's thesis; right, wrong, unanswered,
    # and of these with a withheld answer that was wrong. Where no accuracy is printed it is
    # right / 500, worked out by hand.
    ("loga092de", (187, 230, 83, 0), "0.44", "0.37"),
    ("base092de", (189, 311, 0, 0), "0.38", "0.38"),
    ("icia091ro", (237, 156, 0, 107), "0.58", "0.47"),
    ("uaic092ro", (236, 264, 0, 0), "0.47", "0.47"),
])  # fmt: skip
@pytest.mark.parametrize("form", ["judged", "answers"])
def test_published_figures_come_out_of_files(
    tmp_path: Path,
    name: str,
    times: tuple[int, int, int, int],
    c_at_1: str,
    accuracy: str,
    form: str,
) -> None:
    right, wrong, silent, withheld = times
    states = (
        ["right"] * right + ["wrong"] * wrong + ["silent"] * silent + ["withheld wrong"] * withheld
    )
    assert len(states) == 500
    if form == "judged":
        arguments = [str(put(tmp_path, judged((name, states)), "judged.tsv")), *RESPUBLIQA]
    else:
        answers, gold = answers_and_gold(states)
        arguments = [str(put(tmp_path, gold, "gold.xml"))]
        arguments += [str(put(tmp_path, answers, f"{name}.xml"))]
    (line,) = (line for line in output(*arguments).splitlines() if name in line)
    # of loga092de nothing was published about what it withheld
    result = ["n/a", "n/a"] if silent else ["0", str(withheld)]
    counts = [str(right), str(wrong), str(silent + withheld), *result]
    # the accuracy that ResPubliQA prints beside c@1; nothing withheld was right
    printed = "n/a" if silent else accuracy
    kind = ["QA"] * (form == "answers")  # beside baselines; without candidates there are none
    assert cells(line) == ["1", name, *kind, c_at_1, printed, accuracy, *counts]


def formulas(states: Sequence[str]) -> dict[str, Fraction | None]:
    """Return the answering measures, written as the papers print them.

    Peñas and Rodrigo 2011: c@1 = 1/n (n_ac + n_u n_ac/n). Thesis 6.6-6.10: the same with another
    probability P in place of n_ac/n. Nothing of ave_score is used.
    """
    times = Counter(states)
    n, right, wrong = len(states), times["right"], times["wrong"]
    unanswered = sum(times[state] for state in UNANSWERED)

    def with_probability(p: Fraction | None) -> Fraction | None:
        return None if p is None else Fraction(1, n) * (right + unanswered * p)

    share = Fraction(right, right + wrong) if right + wrong else None
    judged = times["withheld right"] + times["withheld wrong"]
    known = not unanswered or judged > 0  # whether anything is known of what was withheld
    return {
        "c_at_1": Fraction(1, n) * (right + unanswered * Fraction(right, n)),
        "answering_accuracy": with_probability(Fraction(0)),
        "accuracy_with_withheld": Fraction(right + times["withheld right"], n) if known else None,
        "utility": Fraction(right, n) - Fraction(wrong, n),
        "unanswered_as_right": with_probability(Fraction(1)),
        "unanswered_as_half": with_probability(Fraction(1, 2)),
        "unanswered_as_answered": with_probability(share),
        "unanswered_as_missed": with_probability(None if share is None else 1 - share),
        "share_answered": 1 - Fraction(unanswered, n),
        "accuracy_given_answered": share,
        "n_right": Fraction(right),
        "n_wrong": Fraction(wrong),
        "n_unanswered": Fraction(unanswered),
        "n_withheld_right": Fraction(times["withheld right"]) if known else None,
        "n_withheld_wrong": Fraction(times["withheld wrong"]) if known else None,
    }


several_states = st.lists(st.sampled_from([*STATES]), min_size=1, max_size=15)


@settings(fuzzed, max_examples=examples(60))
@given(several_states, several_states, st.sampled_from(["ignore", "incorrect", "correct"]))
def test_figures_of_random_systems_are_those_of_the_formulas(
    tmp_path: Path, first: list[str], second: list[str], unknown: str
) -> None:
    """From a judged file, and from the answers in XML; no state here is UNKNOWN to anybody."""
    size = min(len(first), len(second))
    systems = {"first": first[:size], "second": second[:size]}
    file = put(tmp_path, judged(*systems.items()), "judged.tsv")
    collection, read = ave_score.read_judged_gold(file, letters="respubliqa")
    policies = ave_score.Policies.of(letters="respubliqa", unknown=unknown)
    scores = ave_score.score(collection, read, policies=policies, measures="all")
    assert [row.run for row in scores.rows] == ["first", "second"]
    for row in scores.rows:
        expected = formulas(systems[row.run])
        assert {key: row.values[key] for key in expected} == expected
        assert row.values["qa_accuracy"] is row.values["f1"] is None
    answers, gold = answers_and_gold(systems["first"])
    collection = ave_score.read_collection(put(tmp_path, gold, "gold.xml"))
    run = ave_score.read_answers(put(tmp_path, answers, "a.xml"), collection, letters="respubliqa")
    row, *_ = ave_score.score(collection, [run], policies=policies, measures="all").rows
    assert {key: row.values[key] for key in expected} == formulas(systems["first"])
    assert row.values["qa_accuracy"] == row.values["answering_accuracy"]


def test_baselines_answer_too() -> None:
    """gold/tiny.xml has 5 questions, 3 with a correct answer; perfect selection leaves 2."""
    rows = scored("gold/tiny.xml", "sample_runs/tiny/careful.txt")
    perfect = rows["Perfect selection"]["measures"]
    assert perfect["c_at_1"] == pytest.approx((3 + 2 * 3 / 5) / 5) and perfect["n_wrong"] == 0
    random = rows["Random"]["measures"]
    assert random["n_unanswered"] == 0
    assert random["c_at_1"] == random["answering_accuracy"] == random["random_qa_accuracy"]
    # careful selects rightly in 2 questions, wrongly in 1, and leaves 2
    careful = rows["careful"]["measures"]
    assert careful["c_at_1"] == pytest.approx((2 + 2 * 2 / 5) / 5)
    assert careful["utility"] == pytest.approx(1 / 5)
    assert rows["100% VALIDATED"]["measures"]["c_at_1"] is None


@pytest.mark.parametrize("unknown", ["ignore", "incorrect", "correct"])
def test_a_question_without_a_candidate_withholds_nothing(tmp_path: Path, unknown: str) -> None:
    """Whatever UNKNOWN counts as: there is no answer that could be right or wrong."""
    answers, gold = answers_and_gold(["silent", "silent", "right"])
    files = [str(put(tmp_path, gold, "gold.xml")), str(put(tmp_path, answers, "mine.xml"))]
    row = scored(*files, "--unknown", unknown)["mine"]
    assert (row["counts"]["withheld_right"], row["counts"]["withheld_wrong"]) == (0, 0)
    assert row["measures"]["accuracy_with_withheld"] is None  # nothing is known of it
    file = "q_id\trun\tjudgement\tanswered\n1\tmine\t\tNO\n2\tmine\tU\t\n3\tmine\tR\tYES\n"
    path = str(put(tmp_path, file, "judged.tsv"))
    row = scored(path, *RESPUBLIQA, "--unknown", unknown)["mine"]
    assert row["counts"]["unanswered"] == 2
    assert (row["counts"]["withheld_right"], row["counts"]["withheld_wrong"]) == (0, 0)


def test_a_candidate_of_unknown_worth_counts_as_it_is_told_to(tmp_path: Path) -> None:
    questions = (f'<q id="{number}"><a id="1" value="UNKNOWN"/></q>' for number in (1, 2))
    gold = f"<ave>{''.join(questions)}</ave>"
    answers = (
        '<output><question q_id="1" answered="NO"><answer a_id="1"/></question>'
        '<question q_id="2" answered="YES"><answer a_id="1"/></question></output>'
    )
    files = [str(put(tmp_path, gold, "gold.xml")), str(put(tmp_path, answers, "mine.xml"))]
    # by hand: answered right, answered wrong, withheld right, withheld wrong
    expected = {"ignore": (0, 1, 0, 0), "incorrect": (0, 1, 0, 1), "correct": (1, 0, 1, 0)}
    for unknown, counts in expected.items():
        row = scored(*files, "--unknown", unknown)["mine"]["counts"]
        names = ("answered_right", "answered_wrong", "withheld_right", "withheld_wrong")
        assert tuple(row[name] for name in names) == counts, unknown
        assert row["unanswered"] == 1


def test_missing_questions_are_unanswered_where_that_was_asked_for(here: Path) -> None:
    root = ET.fromstring((here / "mine.xml").read_text())
    (test,) = root.iter("reading-test")
    for question in [*test][:2]:  # both answered rightly
        test.remove(question)
    put(here, ET.tostring(root), "mine.xml")
    err = refusal("score", "gold.xml", "mine.xml", code=1)
    assert err.count("AVE605") >= 2
    code, out, err = ave("score", "gold.xml", "mine.xml", "--missing", "rejected", "-f", "json")
    assert code == 0
    assert "AVE606" in err
    document = json.loads(out)
    assert "missing:rejected" in document["signature"]
    row = document["runs"][0]
    assert row["measures"]["c_at_1"] == pytest.approx((2 + 6 * 2 / 10) / 10)


def test_a_question_missing_from_a_system_counts_as_wrong(tmp_path: Path) -> None:
    """The questions are those that any system names, in the order of the file: 2, 1, 3."""
    text = "q_id\trun\tjudgement\n2\tA\tR\n1\tA\tR\n3\tB\tR\n1\tB\tW\n"
    path = put(tmp_path, text, "judged.tsv")
    _, out, err = ave("score", str(path), "--format", "json", code=0)
    assert err.count("AVE508") == 2
    document = json.loads(out)
    assert document["collection"]["questions"] == 3
    rows = {row["run"]: row["counts"] for row in document["runs"]}
    assert (rows["A"]["answered_right"], rows["A"]["answered_wrong"]) == (2, 1)
    assert (rows["B"]["answered_right"], rows["B"]["answered_wrong"]) == (1, 2)
    with pytest.warns(AveScoreWarning, match="AVE508"):
        collection, _ = ave_score.read_judged_gold(path)
    assert collection.index.questions == ["2", "1", "3"]


UNMENTIONED = "q_id\trun\tjudgement\n" + "".join(
    f"{q_id}\t{run}\t{letter}\n"
    for run, letters in {"all": "RWRW", "half": "RW"}.items()
    for q_id, letter in enumerate(letters, 1)
)
"""Of 4 questions, `all` has 2 right; `half` mentions the first 2, and has 1 right."""

C_AT_1_OF_HALF = {"error": Fraction(1, 4), "rejected": Fraction(3, 8), "excluded": Fraction(1, 2)}
"""Unmentioned questions are wrong: 1 of 4; unanswered: (1 + 2 * 1/4) / 4; left out: 1 of 2."""


@each("missing", C_AT_1_OF_HALF)
def test_unmentioned_questions_of_systems_follow_the_policy(missing: str, tmp_path: Path) -> None:
    """Through every door: a judged file, --qa, compare, rows of questions, teams, Python."""
    path = str(put(tmp_path, UNMENTIONED, "judged.tsv"))
    gold = [f"{q_id}\t{q_id}_1\tVALIDATED" for q_id in range(1, 5)]
    whole = str(put(tmp_path, "\n".join(["q_id\ta_id\tlabel", *gold, ""]), "gold.tsv"))
    rows, expected = tmp_path / "rows.csv", C_AT_1_OF_HALF[missing]
    given = ["--missing", missing, "-m", "c_at_1", "-f", "json"]
    for command in (
        ["score", path, *given, "--per-question", str(rows)],
        ["score", whole, "--qa", path, *given],
    ):
        code, out, _ = ave(*command)
        found = {row["run"]: row["measures"]["c_at_1"] for row in json.loads(out)["runs"]}
        assert (code, found["all"], found["half"]) == (0, 0.5, float(expected))
        assert f"|missing:{missing}|" in json.loads(out)["signature"]
    worded = [row["answered"] for row in csv.DictReader(io.StringIO(rows.read_text()))]
    words = {"error": ["answered_wrong"] * 2, "rejected": ["unanswered"] * 2, "excluded": []}
    assert worded[6:] == words[missing]
    code, out, _ = ave("compare", path, *given)
    standings = json.loads(out)["measures"][0]["runs"]
    half = {standing["run"]: standing["value"] for standing in standings}["half"]
    assert half == float(expected)
    policies = ave_score.Policies.of(missing=missing)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", AveScoreWarning)
        of_default = ave_score.read_judged_gold(path)
        of_policy = ave_score.read_judged_gold(path, missing=missing)
    for (collection, systems), chosen in (
        (of_default, policies),
        (of_policy, ave_score.Policies()),
    ):
        scores = ave_score.score(collection, systems, policies=chosen, measures="c_at_1")
        assert scores.rows[1].values["c_at_1"] == expected
        assert f"|missing:{missing}|" in scores.signature


def test_the_first_answer_of_a_system_counts(tmp_path: Path) -> None:
    path = put(tmp_path, "q_id\trun\tjudgement\n1\tA\tW\n1\tA\tR\n", "judged.tsv")
    _, out, err = ave("score", str(path), "--format", "json", code=0)
    assert "AVE506" in err
    assert json.loads(out)["runs"][0]["counts"]["answered_wrong"] == 1


# What a row is under a campaign, from docs/reference/formats.md: U is unsupported, so wrong,
# at QA@CLEF and unanswered at ResPubliQA; a row that says the opposite of its U is refused.
MEANT: dict[tuple[str, str, str], str] = {}
for campaign in ("qa-clef", "qa-clef-lenient", "respubliqa"):
    for answered in ("", "YES", "NO"):
        silence = {"NO": "unanswered"}.get(answered, "")
        MEANT[campaign, "R", answered] = silence or "answered_right"
        MEANT[campaign, "W", answered] = silence or "answered_wrong"
        MEANT[campaign, "", answered] = silence or "answered_wrong"
        lenient = campaign == "qa-clef-lenient"
        inexact = "answered_right" if lenient else "answered_wrong"
        MEANT[campaign, "X", answered] = (
            "AVE503" if campaign == "respubliqa" else silence or inexact
        )
        if campaign == "respubliqa":
            MEANT[campaign, "U", answered] = "AVE514" if answered == "YES" else "unanswered"
        else:
            MEANT[campaign, "U", answered] = "AVE514" if answered == "NO" else "answered_wrong"


@pytest.mark.slow
@pytest.mark.parametrize(("row", "meant"), MEANT.items(), ids=map("-".join, MEANT))
def test_a_letter_means_what_the_campaign_says(
    tmp_path: Path, row: tuple[str, str, str], meant: str
) -> None:
    campaign, letter, answered = row
    text = f"q_id\trun\tjudgement\tanswered\n1\tA\tR\tYES\n22\tA\t{letter}\t{answered}\n"
    path = str(put(tmp_path, text, "judged.tsv"))
    if meant.startswith("AVE"):
        out = check(path, "--letters", campaign, "--format", "json", code=1).out
        assert codes(json.loads(out)) == [(meant, 3, len("22\tA\t") + 1)]
        err = refusal("score", path, "--letters", campaign, code=1)
        assert "judged.tsv:3:6" in err and campaign in err
        return
    found = scored(path, "--letters", campaign)["A"]["counts"]
    expected = Counter([meant, "answered_right"])
    names = ("answered_right", "answered_wrong", "unanswered")
    assert {name: found[name] for name in names} == {name: expected[name] for name in names}


def test_the_message_of_a_contradicted_letter_names_both_sides(tmp_path: Path) -> None:
    path = str(put(tmp_path, judged(("A", ["right", "silent"])), "judged.tsv"))
    err = refusal("score", path, code=1)  # the default is qa-clef
    assert "judged U and answered NO: in the letters of qa-clef it means unsupported" in err
    assert "--letters" in err


def test_answers_are_read_under_the_campaign_that_they_are_scored_under(here: Path) -> None:
    collection = ave_score.read_collection("gold.xml")
    run = ave_score.read_answers("mine.xml", collection)
    with pytest.raises(UsageError, match="qa-clef, not respubliqa"):
        ave_score.score(collection, [run], policies=ave_score.Policies(letters="respubliqa"))


def test_a_judged_file_alone_is_scored(here: Path) -> None:
    out = output("judged.tsv", *RESPUBLIQA)
    assert "10 questions." in out and "Answering, by c@1" in out
    assert "Validation" not in out and "Selection" not in out
    assert "letters:respubliqa" in out
    (line,) = (line for line in out.splitlines() if "mine" in line)
    # c@1, accuracy with the withheld answer that is right: (4 + 1) / 10, accuracy, counts
    assert cells(line) == ["1", "mine", "0.56", "0.50", "0.40", "4", "2", "4", "1", "2"]


def test_the_accuracy_of_respubliqa_counts_withheld_answers_that_are_right(tmp_path: Path) -> None:
    """Thesis 6.4.1, footnote 8: 5 right, 2 wrong, 3 withheld and right are 8 of 10."""
    states = ["right"] * 5 + ["wrong"] * 2 + ["withheld right"] * 3
    path = str(put(tmp_path, judged(("mine", states)), "judged.tsv"))
    row = scored(path, *RESPUBLIQA, "-m", "respubliqa")["mine"]
    assert row["measures"]["accuracy_with_withheld"] == 0.8
    assert row["measures"]["answering_accuracy"] == 0.5
    assert row["measures"]["c_at_1"] == pytest.approx(0.65)  # (5 + 3·5/10) / 10


def test_a_judged_file_alone_has_nothing_to_validate_or_select(here: Path) -> None:
    for format_ in ("table", "markdown", "latex"):
        out = output("judged.tsv", *RESPUBLIQA, "--measures", "all", "--format", format_)
        absent = "None: without a collection there are no candidates to validate or to select."
        assert out.count(absent) == 1  # of validation and selection together
        assert "None: each question has one answer; several are needed" in out  # ranking
        assert "0.56" in out and "Perfect" not in out


def test_compressed_and_piped_judged_files_are_their_own_gold(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import gzip

    expected = output("judged.tsv", *RESPUBLIQA)
    put(here, gzip.compress((here / "judged.tsv").read_bytes()), "judged.tsv.gz")
    packed = output("judged.tsv.gz", *RESPUBLIQA)
    assert packed == expected.replace("judged.tsv", "judged.tsv.gz")
    data = io.TextIOWrapper(io.BytesIO((here / "judged.tsv").read_bytes()))
    monkeypatch.setattr("sys.stdin", data)
    assert "0.56" in output("-", *RESPUBLIQA)


def test_a_key_to_a_judged_file_is_refused(here: Path) -> None:
    put(here, "1 1 VALIDATED\n", "key.txt")
    assert "--key" in refusal("score", "judged.tsv", *RESPUBLIQA, "--key", "key.txt")
    refused = refusal("score", "judged.tsv", "key.txt", *RESPUBLIQA, code=1)
    assert "expected a judged file like the one scored against" in refused


def test_systems_beside_runs() -> None:
    """Runs have the tables of AVE; with --measures answering all are ranked by c@1 together."""
    files = ["gold/tiny.xml", "sample_runs/tiny/careful.txt", "--qa", "gold/tiny.qa.tsv"]
    assert "Answering" not in output(*files)
    out = output(*files, "--measures", "utility,c_at_1")
    assert "Answering, by UF" in out and "careful" in out
    assert "Perfect selection" in out


def test_a_judged_file_as_a_run_of_a_collection(here: Path) -> None:
    text = judged(("other", TEN)).replace("\n1", "\n1/1/1")
    rows = [f"1/1/{row}" for row in judged(("other", TEN)).splitlines()[1:]]
    text = "\n".join(["q_id\trun\tjudgement\tanswered", *rows, ""])
    put(here, text, "other.tsv")
    found = scored("gold.xml", "mine.xml", "other.tsv", *RESPUBLIQA)
    assert found["other"]["counts"] == found["mine"]["counts"]
    assert found["other"]["kind"] == found["mine"]["kind"] == "QA"


def test_python_callers_get_defects_as_exceptions(here: Path) -> None:
    collection = ave_score.read_collection("gold.xml")
    put(here, '<output><question q_id="1" answered="YES"/></output>', "bad.xml")
    with pytest.raises(DefectError, match="AVE601"):
        ave_score.read_answers("bad.xml", collection)
    with pytest.raises(DefectError, match="AVE514"):
        ave_score.read_judged_gold("judged.tsv")
    with pytest.raises(UsageError, match="no letters"):
        ave_score.read_judged_gold("judged.tsv", letters="x")
    with pytest.raises(UsageError, match="no policy"):
        ave_score.read_answers("mine.xml", collection, missing="open")


TWO = judged(("mine", TEN), ("tie_1", TEN[::-1]), ("=silent|&%", ["silent"] * 10))


def test_json_of_a_judged_file(here: Path) -> None:
    document = json.loads(output("judged.tsv", *RESPUBLIQA, "--format", "json"))
    assert document["collection"] | {"sha256": ""} == {
        "path": "judged.tsv", "sha256": "", "questions": 10, "answers": 0, "validated": 0,
        "rejected": 0, "unknown": 0, "questions_with_correct": 0, "is_pairs": False,
        "languages": [], "available": None,
    }  # fmt: skip
    (row,) = document["runs"]
    assert row["kind"] == "QA"
    assert row["counts"].keys() == {
        "answered_right", "answered_wrong", "unanswered", "withheld_right", "withheld_wrong",
    }  # fmt: skip
    assert not {"f1", "qa_accuracy"} & row["measures"].keys() and row["not_applicable"] == {}


def test_csv_of_a_judged_file(here: Path) -> None:
    put(here, TWO, "judged.tsv")
    out = output("judged.tsv", *RESPUBLIQA, "--format", "csv")
    mine, tie, silent = csv.DictReader(io.StringIO(out))
    assert [row["run"] for row in (mine, tie, silent)] == ["mine", "tie_1", "'=silent|&%"]
    for key, value in BY_HAND.items():
        assert float(mine[key]) == pytest.approx(float(value)), key
        assert mine[key] == tie[key]
    assert mine["withheld_wrong"] == "2"
    assert not {"f1", "qa_accuracy", "selected_right", "validated_correct"} & mine.keys()
    # a system that says nothing: 0 of 0 answers were right
    assert silent["accuracy_given_answered"] == silent["unanswered_as_answered"] == ""
    assert float(silent["c_at_1"]) == 0 and float(silent["unanswered_as_right"]) == 1


@pytest.mark.parametrize("suffix", ["csv", "jsonl"])
def test_per_question(here: Path, suffix: str) -> None:
    name = f"out.{suffix}"
    output("gold.xml", "mine.xml", "--per-question", name)
    text = (here / name).read_text()
    records: list[dict[str, Any]]
    if suffix == "csv":
        records = [*csv.DictReader(io.StringIO(text))]
    else:
        records = [json.loads(line) for line in text.splitlines()]
    assert [row["question"] for row in records] == [f"1/1/{n}" for n in range(1, 11)]
    assert {row["run"] for row in records} == {"mine"}
    nothing = "" if suffix == "csv" else None
    for row, state in zip(records, TEN, strict=True):
        expected = {
            "right": ("1", "VALIDATED", "selected_right"),
            "wrong": ("2", "REJECTED", "selected_wrong_answerable"),
        }.get(state, (nothing, nothing, "withheld_answerable"))
        assert (row["selected"], row["selected_label"], row["outcome"]) == expected
        assert row["validated_correct"] == nothing


def test_per_question_of_a_judged_file(here: Path) -> None:
    head = "q_id\trun\tjudgement\tanswered\tanswer\ta_id\n"
    text = f"{head}1\tA\tR\tYES\tin Oslo\t\n2\tA\tW\tNO\tx\t7\n3\tA\tW\t\t\ta9\n"
    put(here, text, "judged.tsv")
    output("judged.tsv", *RESPUBLIQA, "--per-question", "out.jsonl")
    rows = [json.loads(line) for line in (here / "out.jsonl").read_text().splitlines()]
    expected = [("1", "in Oslo", "VALIDATED"), ("2", None, None), ("3", "a9", "REJECTED")]
    assert [(row["question"], row["selected"], row["selected_label"]) for row in rows] == expected
    assert [row["outcome"] for row in rows] == [None] * 3  # nobody knows what could be selected
    answered = ["answered_right", "withheld_wrong", "answered_wrong"]
    assert [row["answered"] for row in rows] == answered


def test_markdown_has_a_row_a_system_and_escapes_names(here: Path) -> None:
    put(here, TWO, "judged.tsv")
    out = output("judged.tsv", *RESPUBLIQA, "--format", "markdown")
    lines = out.splitlines()
    assert "### Answering, by c@1\n" in out  # no name of anybody
    table = [line for line in lines if line.startswith("|")]
    assert len(table) == 2 + 3
    assert {line.replace("\\|", "").count("|") for line in table} == {11}
    expected = ["1=", "mine", "**0.56**", "**0.50**", "**0.40**", "4", "2", "4", "1", "2"]
    assert [part.strip() for part in table[2].split("|")[1:-1]] == expected
    assert "silent\\|\\&%" in table[4]
    assert "Signature: `ave-score:" in out


def test_many_systems_are_ranked_and_ties_share_a_rank(here: Path) -> None:
    put(here, TWO, "judged.tsv")
    lines = output("judged.tsv", *RESPUBLIQA).splitlines()
    rows = [cells(line) for line in lines if re.match(r" *\d=? +\S+ ", line)][:3]
    assert [row[:2] for row in rows] == [["1=", "mine"], ["1=", "tie_1"], ["3", "=silent|&%"]]


def test_teams_stand_beside_systems(here: Path) -> None:
    put(here, "run\tteam\nmine\tUNED\n", "teams.tsv")
    out = output("judged.tsv", *RESPUBLIQA, "--teams", "teams.tsv")
    assert "UNED" in out
    assert "UNED" in output("gold.xml", "mine.xml", "--teams", "teams.tsv")
