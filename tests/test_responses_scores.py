"""List, definition and factoid questions: scores from answer sets and responses."""

from __future__ import annotations

import io
import json
import random
import warnings
from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import ave_score
from ave_score import OpenGold, Response, ResponseRun, parse_measures
from tests import each
from tests.helpers_command import ave, document_of, output, refusal
from tests.helpers_files import put

LISTS = ["gold/lists.json", "sample_runs/lists/broad.tsv", "sample_runs/lists/brief.tsv"]
SEEDS = st.integers(0, 10**9)

# gold/lists.json and the two runs, worked by hand. Question 1 has a set of three answers of four,
# and one of two. broad gives five answers, two different right ones and a repetition: F is
# 2·2/(5+4), without the repetition 2·2/(4+4), RC (3+1)/(5+1). brief gives two right ones:
# 2·2/(2+4) beside the first set (the second gives 2·1/(2+2)), RC (2+1)/(2+1). Question 2 has no
# answer: broad says NIL, brief gives one. Of the factoids both have 3 right and 4 wrong. broad has
# both vital nuggets of 5 and none of 6, brief none of 5 and the one of 6; all are short.
BY_HAND = {
    "broad": {
        "mmf1": (Fraction(4, 9) + 1) / 2,
        "mmf2": (Fraction(1, 2) + 1) / 2,
        "list_f": Fraction(4, 9),
        "mrc": Fraction(4, 6),
        "nugget_recall": Fraction(1, 2),
        "nugget_precision": Fraction(1),
        "nugget_f": Fraction(1, 2),
        "factoid_accuracy": Fraction(1, 2),
        # 1/2·1/2 + 1/4·4/9 + 1/4·1/2
        "combined_score": Fraction(1, 4) + Fraction(1, 9) + Fraction(1, 8),
        "romip_r": Fraction(2, 3),  # 1 and 3 of 1, 3, 4
        "romip_e": Fraction(1, 4),  # 4 of 1 to 4
        "nil_precision": Fraction(1),
        "nil_recall": Fraction(1),
    },
    "brief": {
        "mmf1": Fraction(2, 3) / 2,
        "mmf2": Fraction(2, 3) / 2,
        "list_f": Fraction(2, 3),
        "mrc": Fraction(1),
        "nugget_recall": Fraction(1, 2),
        "nugget_precision": Fraction(1),
        "nugget_f": Fraction(1, 2),
        "factoid_accuracy": Fraction(1, 2),
        "combined_score": Fraction(1, 4) + Fraction(1, 6) + Fraction(1, 8),
        "romip_r": Fraction(2, 3),
        "romip_e": Fraction(2, 4),  # 2 and 4
        "nil_precision": Fraction(0),  # NIL for 4, which has an answer
        "nil_recall": Fraction(0),
    },
}


def test_the_shipped_example_by_hand() -> None:
    gold = ave_score.read_answer_sets("gold/lists.json")
    runs = [run for path in LISTS[1:] for run in ave_score.read_responses(path, gold)]
    scores = ave_score.score_responses(gold, runs, measures="all")
    assert {row.run: dict(row.values) for row in scores.rows} == BY_HAND


def open_gold(*questions: Mapping[str, object]) -> OpenGold:
    """Return the open questions of a file of answer sets."""
    file = io.StringIO(json.dumps({"questions": questions}))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ave_score.AveScoreWarning)
        return ave_score.read_answer_sets(file)


def list_question(*sets: tuple[Sequence[str], int]) -> OpenGold:
    """Return a list question; wordings of one answer are separated by |."""
    made = [{"answers": [one.split("|") for one in found], "total": total} for found, total in sets]
    return open_gold({"id": "1", "type": "list", "sets": made})


def run_of(responses: dict[str, list[str]]) -> ResponseRun:
    made = {q: [Response(1, q, text) for text in texts] for q, texts in responses.items()}
    return ResponseRun("run", "run.tsv", made)


def values(gold: OpenGold, run: ResponseRun, measures: str) -> dict[str, Fraction | None]:
    (row,) = ave_score.score_responses(gold, [run], measures=measures).rows
    return dict(row.values)


def test_measures_are_named_in_a_text_or_in_a_list() -> None:
    gold, run = list_question((["a"], 1)), run_of({"1": ["a"]})
    for asked in ("mmf1, list_f", ["mmf1", "list_f"], parse_measures("mmf1,list_f")):
        (row,) = ave_score.score_responses(gold, [run], measures=asked).rows
        assert row.values == {"mmf1": 1, "list_f": 1}


def test_duplicates_by_hand() -> None:
    """5 answers, 3 right, 1 of them a repeat: precision 2/5 as MF1, 2/4 as MF2; recall 2/3."""
    gold = list_question((["a|A.", "b", "c"], 3))
    found = values(gold, run_of({"1": ["a", "A.", "b", "x", "y"]}), "mmf1, mmf2")
    for key, precision in (("mmf1", Fraction(2, 5)), ("mmf2", Fraction(2, 4))):
        recall = Fraction(2, 3)
        assert found[key] == 2 * precision * recall / (precision + recall)


@pytest.mark.parametrize(
    ("given_", "worth"), [({}, 1), ({"1": []}, 1), ({"1": ["NIL"]}, 1), ({"1": ["x"]}, 0)]
)
def test_a_question_without_an_answer_wants_an_empty_list(
    given_: dict[str, list[str]], worth: int
) -> None:
    gold = list_question()
    found = values(gold, run_of(given_), "list")
    assert found == {"mmf1": worth, "mmf2": worth, "list_f": None, "mrc": None}


def test_the_best_set_counts_for_each_measure_by_itself() -> None:
    """Beside the first set F is 2·1/(2+1) and RC (1+1)/(2+1); beside the second 2·2/(2+9) and 1."""
    gold = list_question((["a"], 1), (["a", "b"], 9))
    found = values(gold, run_of({"1": ["a", "b"]}), "mmf1, mrc")
    assert found == {"mmf1": Fraction(2, 3), "mrc": Fraction(1)}


def test_wordings_are_compared_without_case_and_blanks() -> None:
    gold = list_question((["New York|NYC"], 1))
    for text in ("new  york", "NEW YORK", "nyc", "ｎｙｃ"):
        assert values(gold, run_of({"1": [text]}), "mmf1") == {"mmf1": 1}
    assert values(gold, run_of({"1": ["newyork"]}), "mmf1") == {"mmf1": 0}


def naive_f(answers: list[list[str]], total: int, given_: list[str], drop: bool) -> Fraction:
    """F from precision and recall, one answer after the other."""
    seen: set[int] = set()
    size = 0
    for text in given_:
        number = next((n for n, wordings in enumerate(answers) if text in wordings), None)
        if number is None or number not in seen or not drop:
            size += 1
        if number is not None:
            seen.add(number)
    if not seen:
        return Fraction(0)
    precision, recall = Fraction(len(seen), size), Fraction(len(seen), total)
    return 2 * precision * recall / (precision + recall)


@given(SEEDS)
def test_lists_are_worth_what_a_naive_scorer_says(seed: int) -> None:
    rng = random.Random(seed)
    sets: list[tuple[list[list[str]], int]] = []
    for number in range(rng.randint(1, 3)):
        answers = [[f"s{number}a{a}w{w}" for w in range(rng.randint(1, 3))] for a in range(3)]
        answers[0].append("common")
        sets.append((answers, len(answers) + rng.randint(0, 2)))
    pool = ["x", "y", "z", "common"] + [w for answers, _ in sets for one in answers for w in one]
    given_ = rng.sample(pool, rng.randint(0, min(6, len(pool))))
    gold = list_question(*((["|".join(one) for one in a], t) for a, t in sets))
    found = values(gold, run_of({"1": given_}), "mmf1, mmf2, list_f")
    expected = max(naive_f(a, t, given_, drop=False) for a, t in sets)
    assert found["mmf1"] == found["list_f"] == expected
    assert found["mmf2"] == max(naive_f(a, t, given_, drop=True) for a, t in sets)
    assert expected <= (found["mmf2"] or 0) <= 1


def definition(vital: int, okay: int) -> OpenGold:
    nuggets = [("v", at, True) for at in range(vital)] + [("o", at, False) for at in range(okay)]
    made = [{"id": f"{a}{n}", "vital": is_vital, "text": f"{a}{n}"} for a, n, is_vital in nuggets]
    return open_gold({"id": "1", "type": "definition", "nuggets": made})


@each("parts, measures, expected", [
    # 200 characters of 300 allowed: P = 1; R = 2/4; F(5) = 26·1/2 / (25 + 1/2) = 13/25.5
    ([("x" * 200, "v0 v1 o0")], "nugget_f(5)", Fraction(26, 51)),
    ([("x" * 200, "v0 v1 o0")], "nugget_f", Fraction(10, 19)),  # 10·1/2 / (9 + 1/2)
    # 400 of 300: P = 3/4; F(3) = 10·3/4·1/2 / (27/4 + 1/2) = (15/4) / (29/4)
    ([("x" * 400, "v0 v1 o0")], "nugget_f", Fraction(15, 29)),
    ([("x" * 400, "v0 v1 o0")], "nugget_precision", Fraction(3, 4)),
    ([("x" * 400, "v0 v1 o0")], "nugget_precision(50)", Fraction(3, 8)),  # 150 of 400
    # blanks do not count, parts are added up, a nugget counts once
    ([("x x " * 50, "v0"), ("y" * 100, "v0")], "nugget_precision", Fraction(1, 2)),
    ([("x" * 10, "")], "nugget_f", Fraction(0)),
    ([("x" * 10, "")], "nugget_precision", Fraction(0)),
    ([], "nugget_precision", Fraction(1)),
    ([], "nugget_f", Fraction(0)),
])  # fmt: skip
def test_definitions_by_hand(
    parts: list[tuple[str, str]], measures: str, expected: Fraction
) -> None:
    responses = [Response(1, "1", text, tuple(ids.split())) for text, ids in parts]
    run = ResponseRun("run", "run.tsv", {"1": responses} if responses else {})
    (value,) = values(definition(4, 2), run, measures).values()
    assert value == expected


def test_each_definition_counts_also_where_several_are_equal() -> None:
    """Two answers without a nugget have a precision of 0, and the question without one has 1."""
    nuggets = [{"id": "v", "vital": True, "text": "v"}]
    gold = open_gold(*({"id": q, "type": "definition", "nuggets": nuggets} for q in "123"))
    given = {q: [Response(1, q, "x" * 10, ())] for q in "12"}
    run = ResponseRun("run", "run.tsv", given)
    assert values(gold, run, "nugget_precision") == {"nugget_precision": Fraction(1, 3)}


def test_definitions_without_a_vital_nugget_are_left_out() -> None:
    assert values(definition(0, 2), run_of({}), "nugget_f") == {"nugget_f": None}


def test_weights_of_the_combined_score() -> None:
    """Of the shipped example by hand: broad has 1/2, 4/9 and 1/2, so equal weights give 13/27."""
    gold = ave_score.read_answer_sets("gold/lists.json")
    (broad,) = ave_score.read_responses(LISTS[1], gold)
    found = values(gold, broad, "combined_score(f=1, l=1, d=1), combined_score(f=0, d=0)")
    assert [*found.values()] == [Fraction(13, 27), Fraction(4, 9)]


def test_types_that_are_not_asked_for_are_said(tmp_path: Path) -> None:
    gold = put(tmp_path, '{"questions": [{"id": "1", "sets": [{"answers": ["a"]}]}]}', "gold.json")
    run = put(tmp_path, "q_id\tanswer\n1\ta\n", "run.tsv")
    out = output("score", gold, run)
    assert "List, by MMF1" in out
    assert "None" not in out
    out = output("score", gold, run, "-m", "nugget_f,combined_score,f1")
    assert "None: no question is of its type." in out
    assert "None: not all three types of questions are asked." in out
    assert "None: responses decide on no candidate answers." in out


def test_responses_in_every_format() -> None:
    document = document_of("score", *LISTS, "-m", "mmf1,combined_score")
    assert document["signature"].startswith("ave-score:")
    assert "campaign" not in document["signature"]
    by_name = {row["run"]: row["measures"] for row in document["runs"]}
    assert by_name["broad"]["mmf1"] == float(Fraction(13, 18))
    header, *rows = output("score", *LISTS, "--format", "csv", "-m", "mmf1").splitlines()
    assert header.endswith(",mmf1,note,primary")
    assert len(rows) == 2
    for format_ in ("markdown", "latex"):
        assert "0.72" in output("score", *LISTS, "--format", format_)


@pytest.mark.parametrize(("arguments", "said"), [
    (["--key", "key.txt"], "--key"),
    (["--qa", "qa.tsv"], "--qa"),
    (["--per-question", "out.csv"], "--per-question"),
    (["--unknown", "correct"], "--unknown"),
    (["--ties", "file"], "--ties"),
    (["--measures", "mmf3"], "did you mean"),
])  # fmt: skip
def test_options_about_candidates_are_refused(arguments: list[str], said: str) -> None:
    assert said in refusal("score", *LISTS, *arguments)


def test_defective_responses_are_not_scored(tmp_path: Path) -> None:
    bad = put(tmp_path, "q_id\tanswer\n9\ta\n", "bad.tsv")
    err = refusal("score", *LISTS, bad, code=1)
    assert "AVE201" in err
    assert "nothing scored: 1 of 3 files has errors" in err
    out = ave("score", *LISTS, bad, "--keep-going", code=1).out
    assert "broad" in out
    assert "Not scored because of errors" in out
    for name in ("score", "report"):
        assert f"no RUN given: ave-score {name} ANSWER_SETS" in refusal(name, LISTS[0])


def test_two_runs_of_the_same_name_are_refused(tmp_path: Path) -> None:
    one = put(tmp_path, "q_id\tanswer\trun\n1\tAlder\tx\n", "one.tsv")
    two = put(tmp_path, "q_id\tanswer\trun\n1\tAlder\tx\n", "two.tsv")
    assert "two runs are named 'x'" in refusal("score", LISTS[0], one, two)


def test_decisions_are_not_measured_by_lists() -> None:
    collection = ave_score.read_collection("gold/tiny.xml")
    run = ave_score.read_run("sample_runs/tiny/careful.txt", collection)
    scores = ave_score.score(collection, [run], measures="list, nugget_f")
    row = scores.rows[0]
    assert row.values["mmf1"] is None
    assert row.reasons["mmf1"] == "only responses to answer sets are measured by it"
    assert row.values["mrc"] == Fraction(2, 3)  # of 1, 2, 3: 2/2, 0 and 3/3
