"""ROMIP's categories, NIL and unranked sets: by hand, against a naive count, and properties."""

from __future__ import annotations

import json
import random
import warnings
from collections import Counter
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import ave_score
from ave_score import AveScoreWarning, parse_measures
from ave_score import counts as families
from ave_score.core.exact import Number
from tests.helpers_command import ave
from tests.helpers_files import COLLECTION, put
from tests.helpers_ranked import (
    SEEDS,
    Item,
    Question,
    baseline,
    condensed,
    exact,
    mean,
    often,
    row_of,
    tied,
)
from tests.oracle import quotient

CATEGORIES = "categories"

RIGHT, WRONG = Item("VALIDATED", "SELECTED", "0.5"), Item("REJECTED", "SELECTED", "0.5")
MISSED, LEFT = Item("VALIDATED", "REJECTED", "0.5"), Item("REJECTED", "REJECTED", "0.5")
UNSURE = Item("UNKNOWN", "SELECTED", "0.5")

SHAPES: dict[str, list[Question]] = {
    "a": [[RIGHT], [LEFT, RIGHT], [RIGHT, WRONG._replace(verdict="VALIDATED")]],
    "b": [[WRONG, MISSED], [MISSED, LEFT, UNSURE]],
    "c": [[WRONG], [UNSURE, LEFT]],
    "d": [[MISSED], [MISSED, LEFT]],
    "e": [[LEFT], [], [LEFT, LEFT, Item("UNKNOWN", "REJECTED", "0.5")]],
}
"""Questions of each of ROMIP's categories."""


@given(st.tuples(*[st.integers(0, 4)] * 5).filter(any), SEEDS)
@often
def test_romip_of_any_a_to_e(times: tuple[int, ...], seed: int) -> None:
    """E = (b + c + d) / (a + b + c + d + e) and R = a / (a + b + d), of files made to have them."""
    chance = random.Random(seed)
    questions = [
        chance.choice(SHAPES[letter])
        for letter, number in zip("abcde", times, strict=True)
        for _ in range(number)
    ]
    questions[0] = questions[0] or [LEFT]  # a collection needs an answer
    chance.shuffle(questions)
    a, b, c, d, e = times
    assert row_of(questions, "romip_e, romip_r, nil_precision, nil_recall").values == {
        "romip_e": Fraction(b + c + d, a + b + c + d + e),
        "romip_r": quotient(a, a + b + d),
        "nil_precision": quotient(e, d + e),
        "nil_recall": quotient(e, c + e),
    }


def test_sets_by_hand() -> None:
    """NTCIR's RC: (r + 1)/(g + 1), 0 without a correct one, nothing where there is none to find."""
    more = WRONG._replace(verdict="VALIDATED")
    questions = [
        [RIGHT, more, more, MISSED],  # 2/4: what was missed does not count
        [RIGHT, RIGHT._replace(verdict="VALIDATED"), more],  # 3/4
        [WRONG, MISSED],  # 0
        [MISSED],  # 0
        [WRONG],  # left out
        [RIGHT],  # 2/2
        [RIGHT, Item("UNKNOWN", "VALIDATED", "0.5")],  # 2/2: what was not judged is left out
        [UNSURE, MISSED],  # 0
    ]
    expected = (Fraction(2, 4) + Fraction(3, 4) + 1 + 1) / 7
    assert row_of(questions, "mrc").values["mrc"] == expected
    expected = (Fraction(2, 4) + Fraction(3, 4) + 1 + Fraction(2, 3)) / 7  # 2/3: it is wrong
    assert row_of(questions, "mrc", unknown="incorrect").values["mrc"] == expected


@given(tied)
@often
def test_a_naive_count_gives_the_same(questions: list[Question]) -> None:
    kinds: Counter[str] = Counter()
    worths = []
    for question in questions:
        given_ones = [item for item in question if item.accepted]
        right = sum(item.right for item in given_ones)
        exists = any(item.right for item in question)
        if given_ones:
            kinds["a" if right else "b" if exists else "c"] += 1
        else:
            kinds["d" if exists else "e"] += 1
        if exists:
            size = len(condensed(given_ones))
            worths.append(Fraction(right + 1, size + 1) if right else Fraction(0))
    a, b, c, d, e = (kinds[letter] for letter in "abcde")
    assert row_of(questions, CATEGORIES).values == {
        "romip_r": quotient(a, a + b + d),
        "romip_e": Fraction(b + c + d, len(questions)),
        "nil_precision": quotient(e, d + e),
        "nil_recall": quotient(e, c + e),
        "mrc": mean(worths) if worths else None,
    }


JUDGED = """\
q_id run judgement answer answered
1 one R Ann -
2 one R NIL -
3 one W Nil. -
4 one W x -
5 one W y -
6 one R NIL NO
1 two W Bob -
2 two W Rome -
3 two R 1931 -
4 two X z -
5 two W nil -
6 two R NIL -
"""
"""NIL is right of 2 and 6, which the first system does not say of 6; 1 and 3 have known answers."""


def pair(row: ave_score.Row, measures: str) -> tuple[Number | None, ...]:
    """Return R and E of `romip`, or precision and recall of `nil`."""
    keys = [one.key for one in parse_measures(CATEGORIES) if one.key.startswith(measures)]
    return tuple(row.values[key] for key in keys)


def judged_rows(
    folder: Path, text: str, policies: ave_score.Policies, collection: Path | None = None
) -> dict[str, ave_score.Row]:
    """Score a judged file whose table is written with blanks, and - for an empty cell."""
    lines = [
        "\t".join("" if one == "-" else one for one in row.split()) for row in text.split("\n")
    ]
    path = put(folder, "\n".join(lines), "judged.tsv")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", AveScoreWarning)
        if collection is None:
            gold, systems = ave_score.read_judged_gold(path, letters=policies.letters)
        else:
            gold = ave_score.read_collection(collection)
            systems = ave_score.read_judged(path, gold, letters=policies.letters)
    scores = ave_score.score(gold, systems, measures=CATEGORIES, policies=policies)
    return {row.run: row for row in scores.rows}


def test_nil_of_judged_systems_by_hand(tmp_path: Path) -> None:
    rows = judged_rows(tmp_path, JUDGED, ave_score.Policies())
    # 1 a; 2 NIL, rightly: e; 3 NIL, wrongly: d; 4 wrong, nobody knows an answer: c; 5 wrong, and
    # the other system is wrong in saying NIL: b; 6 is not answered, and there is no answer: e
    one = rows["one"]
    assert pair(one, "romip") == (Fraction(1, 3), Fraction(3, 6))
    assert pair(one, "nil") == (Fraction(1, 2), Fraction(1, 2))
    # 1 wrong where there is an answer: b; 2 c; 3 a; 4 c; 5 NIL, wrongly: d; 6 e. The questions with
    # an answer, 1, 3 and 5, are the same for both
    two = rows["two"]
    assert pair(two, "romip") == (Fraction(1, 3), Fraction(4, 6))
    assert pair(two, "nil") == (Fraction(1, 2), Fraction(1, 2))
    for row in rows.values():
        reason = "without a collection there are no candidates to validate or to select"
        assert row.reasons == {"mrc": reason}


UNSETTLED = """\
q_id run judgement answer
1 one X NIL
2 one R NIL
3 one X Ann
3 two W Bob
4 one X Eve
"""


@pytest.mark.parametrize(("unknown", "of_nil", "answerable"), [
    ("ignore", (Fraction(1, 2), 1), 1),
    ("incorrect", (Fraction(1, 2), 1), 1),
    ("correct", (1, 1), 2),
])  # fmt: skip
def test_what_all_systems_tell_follows_the_policy_for_unknown(
    tmp_path: Path, unknown: str, of_nil: tuple[Fraction, Fraction], answerable: int
) -> None:
    """What is inexact is right by one policy: then it is an answer, and NIL, for everybody.

    By the others it is wrong, so that NIL was said where there is an answer.
    """
    rows = judged_rows(tmp_path, UNSETTLED, ave_score.Policies.of(unknown=unknown))
    assert pair(rows["one"], "nil") == of_nil
    counts = rows["two"].counts[families.CATEGORIES].numbers()
    # of 1, 2 and 4 the second system says nothing, which is a wrong answer
    expected = {"none_right_answerable": answerable, "answered_unanswerable": 4 - answerable}
    assert {name: number for name, number in counts.items() if number} == expected


def test_nil_on_a_question_left_unanswered_is_not_given(tmp_path: Path) -> None:
    text = "q_id run judgement answer\n1 one U NIL\n2 one R NIL\n3 one R x\n4 one W NIL\n"
    rows = judged_rows(tmp_path, text, ave_score.Policies(letters="respubliqa"))
    assert pair(rows["one"], "nil") == (Fraction(1, 2), 1)


def test_systems_beside_a_collection(tmp_path: Path) -> None:
    """It knows answers of 1 and 2, of 3 none: there NIL is right; where it is wrong that is d."""
    gold = put(tmp_path, COLLECTION, "gold.xml")
    text = (
        "q_id run judgement answer\n1 one R Ann\n2 one W NIL\n3 one R NIL\n1 two W x\n3 two W y\n"
    )
    rows = judged_rows(tmp_path, text, ave_score.Policies(), gold)
    one, two = rows["one"], rows["two"]
    assert pair(one, "romip") == (Fraction(1, 2), Fraction(1, 3))
    assert pair(one, "nil") == (Fraction(1, 2), 1) and pair(two, "romip") == (0, 1)
    assert pair(two, "nil") == (None, 0)
    assert one.reasons == {"mrc": "a QA system returns one answer to a question"}


NIL_GOLD = """\
<ave>
<q id="1" lang="EN"><q_str>?</q_str><a id="1_1" value="VALIDATED">{0}</a></q>
<q id="2" lang="EN"><q_str>?</q_str><a id="2_1" value="VALIDATED">{0}</a></q>
<q id="3" lang="EN"><q_str>?</q_str><a id="3_1" value="REJECTED">{0}</a></q>
<q id="4" lang="EN"><q_str>?</q_str><a id="4_1" value="REJECTED">{0}</a></q>
<q id="5" lang="EN"><q_str>?</q_str><a id="5_1" value="REJECTED">{0}</a></q>
</ave>
""".format("<a_str>x</a_str><t_str doc='d'>y</t_str>")


def test_nil_selects_nothing(tmp_path: Path) -> None:
    """Thesis, table 4.2: none selected is a right rejection if no candidate is correct.

    1 selected rightly; 2 NIL although a candidate is correct; 3 NIL judged right; 4 NIL judged
    wrong, because the documents have an answer that no candidate gives: a wrong answer, as the
    tables of AVE 2008 print a rejection of 0 for systems with such NIL; 5 wrong. So the system has
    the counts of a run that selects 1_1, 4_1 and 5_1.
    """
    gold = put(tmp_path, NIL_GOLD, "gold.xml")
    text = "q_id\trun\tjudgement\tanswer\n" + "".join(
        f"{q_id}\tone\t{letter}\t{answer}\n"
        for q_id, letter, answer in [
            *[("1", "R", "x"), ("2", "W", "NIL"), ("3", "R", "NIL"), ("4", "W", "nil")],
            ("5", "W", "x"),
        ]
    )
    lines = "1 1_1 SELECTED 1\n2 2_1 REJECTED 1\n3 3_1 REJECTED 1\n4 4_1 SELECTED 1\n"
    collection = ave_score.read_collection(gold)
    (system,) = ave_score.read_judged(put(tmp_path, text, "judged.tsv"), collection)
    run = ave_score.read_run(put(tmp_path, f"{lines}5 5_1 SELECTED 1\n", "run.txt"), collection)
    measures = "selection, c_at_1, answering_accuracy, nil_precision, romip_e"
    alike, row = ave_score.score(collection, [run, system], measures=measures).rows[:2]
    assert row.counts[families.SELECTION] == alike.counts[families.SELECTION]
    assert row.values["qa_accuracy"] == Fraction(1, 5)
    assert row.values["qa_rej_accuracy"] == Fraction(1, 5)
    assert row.values["normalized_qa_accuracy"] == Fraction(1, 2)
    assert row.values["qa_accuracy_max"] == Fraction(2, 5)
    assert row.values["estimated_qa_performance"] == Fraction(6, 25)  # 1/5 + 1/5 · 1/5
    # as an answer, NIL is worth what it was judged: right for 3, wrong for 2 and 4
    assert row.values["c_at_1"] == row.values["answering_accuracy"] == Fraction(2, 5)
    assert row.values["nil_precision"] == Fraction(1, 3)
    assert row.values["romip_e"] == Fraction(3, 5)  # 2 and 4 d, 5 c


@pytest.mark.parametrize("has_candidates", [True, False])
def test_records_of_questions_show_nil(tmp_path: Path, has_candidates: bool) -> None:
    """3 NIL judged right, 4 NIL judged wrong: only the latter is a selection."""
    rows = [("1", "R", "x"), ("2", "W", "NIL"), ("3", "R", "NIL"), ("4", "W", "NIL")]
    text = "".join(f"{q}\tone\t{letter}\t{answer}\n" for q, letter, answer in rows)
    judged = str(put(tmp_path, f"q_id\trun\tjudgement\tanswer\n{text}5\tone\tW\ty\n", "qa.tsv"))
    gold = str(put(tmp_path, NIL_GOLD, "gold.xml"))
    files = [gold, "--qa", judged] if has_candidates else [judged]
    path = tmp_path / "questions.jsonl"
    assert ave("score", *files, "--per-question", str(path)).code == 0
    found = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    answered = [one["answered"] for one in found]
    right, wrong = "answered_right", "answered_wrong"
    assert answered == [right, wrong, right, wrong, wrong]
    selected = [one["selected"] for one in found]
    outcomes = [one["outcome"] for one in found]
    if has_candidates:
        assert selected == ["x", None, None, "NIL", "y"]
        assert outcomes == [
            *("selected_right", "withheld_answerable", "withheld_unanswerable"),
            *["selected_wrong_unanswerable"] * 2,
        ]
    else:
        assert selected == ["x", "NIL", "NIL", "NIL", "y"]
        assert outcomes == [None] * 5


def test_right_nil_does_not_exceed_perfect_selection(tmp_path: Path) -> None:
    """Two questions, one with a correct candidate: right twice was 200 % of perfect selection."""
    gold = put(tmp_path, NIL_GOLD.replace('id="2"', 'id="0"'), "gold.xml")
    rows = "".join(f"{q}\tone\tR\t{'x' if q in '01' else 'NIL'}\n" for q in "10345")
    path = put(tmp_path, f"q_id\trun\tjudgement\tanswer\n{rows}", "judged.tsv")
    with warnings.catch_warnings():
        warnings.simplefilter("error", AveScoreWarning)  # a right NIL is no contradiction
        collection = ave_score.read_collection(gold)
        systems = ave_score.read_judged(path, collection)
    scores = ave_score.score(collection, systems, measures="selection")
    row = scores.rows[0]
    perfect = next(one for one in scores.rows if one.run == "Perfect selection")
    assert row.values == perfect.values
    assert row.values["normalized_qa_accuracy"] == row.values["qa_accuracy_max"] == 1


OF_BASELINES = f"{CATEGORIES}, normalized_qa_accuracy"


@given(tied)
@often
def test_baselines(questions: list[Question]) -> None:
    perfect = baseline(questions, "Perfect selection", OF_BASELINES).values
    exists = [any(item.right for item in question) for question in questions]
    assert perfect["romip_e"] == 0
    assert perfect["romip_r"] == perfect["mrc"] == (1 if any(exists) else None)
    assert perfect["nil_precision"] == perfect["nil_recall"] == (None if all(exists) else 1)
    drawn = baseline(questions, "Random", OF_BASELINES).values
    shares = [
        Fraction(sum(item.right for item in question), len(question)) for question in questions
    ]
    assert drawn["romip_e"] == 1 - mean(shares)
    assert drawn["romip_r"] == drawn["mrc"] == quotient(sum(shares), sum(exists))


@given(tied)
@often
def test_measures_agree_where_one_answer_is_accepted_at_most(questions: list[Question]) -> None:
    only = [
        [
            item._replace(verdict="REJECTED") if item.verdict == "VALIDATED" else item
            for item in question
        ]
        for question in questions
    ]
    row = row_of(only, f"{CATEGORIES}, normalized_qa_accuracy, qa_accuracy_max")
    assert row.values["romip_e"] == 1 - exact(row, "qa_accuracy_max")
    assert row.values["romip_r"] == row.values["mrc"] == row.values["normalized_qa_accuracy"]


def test_a_question_that_is_left_out_is_none_without_an_answer(tmp_path: Path) -> None:
    """NIL is right for question 1 only, which run B does not mention: by hand, 0 of 1, or of 0."""
    rows = "1\tA\tR\tNIL\n2\tA\tW\tNIL\n2\tB\tR\tParis\n"
    file = put(tmp_path, f"q_id\trun\tjudgement\tanswer\n{rows}", "judged.tsv")
    for missing, expected in ("rejected", [1, 1]), ("excluded", [1, 0]):
        said = ave("score", file, "-m", "nil_recall", "--missing", missing, "-f", "json")
        found = json.loads(said.out)["runs"]
        assert [run["counts"]["nil_questions"] for run in found] == expected
        assert found[1]["measures"]["nil_recall"] == (0 if expected[1] else None)
