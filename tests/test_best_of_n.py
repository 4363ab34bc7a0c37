"""The accuracy of choices among n candidates: exact values, files with keys, reports."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from fractions import Fraction as F
from functools import partial
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import ave_score
from ave_score import BestOfN, Choice, VerifierScores
from ave_score.commands import run
from ave_score.measures import subsets
from tests import each
from tests.conftest import ROOT
from tests.helpers_command import ave, output, refusal
from tests.helpers_logs import ANSWERS, choices, inspect_log, lines, responses

SAMPLE = str(ROOT / "sample_runs/best-of-n.jsonl")


def read(text: str, choice: Choice | None = None, **names: str) -> list[VerifierScores]:
    """Return the verifiers of a file, with keys."""
    return ave_score.read_verifiers(io.StringIO(text), choice=choice, columns=names)


def values(found: BestOfN, choice: str, verifier: str = "") -> list[F | None]:
    (one,) = [each for each in found.curves if (each.choice, each.verifier) == (choice, verifier)]
    return [point.value for point in one.points]


def graded(name: str, epoch: int, text: str, grade: str, score: float) -> dict[str, object]:
    """Return a sample of Inspect AI with a scorer of letters and one of numbers."""
    scores = {"match": {"value": grade, "answer": text}, "verifier": {"value": score}}
    return {"id": name, "epoch": epoch, "input": "", "output": {}, "scores": scores}


def log(samples: list[dict[str, object]]) -> str:
    return json.dumps({"version": 2, "status": "success", "eval": {}, "samples": samples})


decided = partial(ave, "decide")


TINY = {"q0": ("4134", "1"), "q1": ("4543", "2"), "q2": ("4124", "3"), "q3": ("1234", "4")}
TINY |= {"q4": ("5331", "5")}
"""Sample -> the answers in four epochs, and the target, of a log that Inspect AI 0.3.285 wrote."""


def test_a_log_of_inspect() -> None:
    """Inspect reports mean accuracy .15, pass_at_2 .30 and at_least_1 .60; votes by hand.

    At n = 4, only q3 has no majority: four answers are tied, one of them is correct.
    """
    samples = [
        graded(name, epoch, text, "C" if text == target else "I", 0.5)
        for name, (answers, target) in TINY.items()
        for epoch, text in enumerate(answers, 1)
    ]
    found = ave_score.best_of_n(read(log(samples)))
    assert found.sizes == [1, 2, 4]
    assert values(found, "oracle") == [F(15, 100), F(30, 100), F(60, 100)]
    assert values(found, "random") == [F(15, 100)] * 3
    assert values(found, "verifier", "scores") == [F(15, 100)] * 3  # all scores are equal
    assert values(found, "majority") == [F(15, 100), F(15, 100), F(1, 20)]
    assert values(found, "weighted", "scores") == values(found, "majority")


LIKELIHOODS = [
    ["-0.109", "-0.551", "-0.707", "-0.547"], ["-0.814", "-0.541", "-0.964", "-0.603"],
    ["-0.588", "-0.445", "-0.596", "-0.385"], ["-0.576", "-0.290", "-0.189", "-0.187"],
    ["-0.613", "-0.657", "-0.477", "-0.090"], ["-0.758", "-0.877", "-0.923", "-0.842"],
]  # fmt: skip
"""Of the choices of six questions, the first of which is correct; to three decimals."""


def test_a_log_of_lm_evaluation_harness() -> None:
    """Version 0.4.13 reports an accuracy of 0.3333."""
    text = lines(
        *(choices(n, ["1", "2", "3", "4"], some, "0") for n, some in enumerate(LIKELIHOODS))
    )
    found = ave_score.best_of_n(read(text))
    assert values(found, "verifier", "scores")[-1] == F(1, 3)
    assert values(found, "oracle") == [F(1, 4), F(1, 2), 1]
    assert [one.choice for one in found.curves] == ["verifier", "oracle", "random"]


def test_the_sample_by_hand() -> None:
    """Questions 1 and 2: correct 1 of 4 and 2 of 4, in front; see docs/explanation/best-of-n.md."""
    (scores,) = read(Path(SAMPLE).read_text(), answer_key="answer")
    found = ave_score.best_of_n(scores)
    # of two: 1: 43 is drawn; 2: not both wrong ones; 3: always; 4: 56 without the best 54
    best = (F(1, 2) + F(5, 6) + 1 + F(2, 6) + 0) / 5
    assert values(found, "verifier", "scores") == [F(2, 5), best, F(3, 5)]
    # 1: four keys are tied; 2: 366 has two of four votes; 4: 54 has them
    assert values(found, "majority")[-1] == (F(1, 4) + 1 + 1 + 0 + 0) / 5
    # sums of scores: 1: 0.91 for 43; 4: 1.15 for 54
    assert values(found, "weighted", "scores")[-1] == F(3, 5)


def test_at_n_the_curve_is_the_measure_of_the_run_that_is_written(tmp_path: Path) -> None:
    gold, name = tmp_path / "gold.xml", tmp_path / "run.txt"
    assert run(["decide", SAMPLE, "--write-collection", str(gold), "-o", str(name)]) == 0
    found = ave_score.best_of_n(ave_score.read_scores(SAMPLE))
    asked = [f"{one}@{size}" for size in found.sizes for one in ("best_of", "pass")]
    scores = ave_score.score(gold, name, measures=asked)
    by_kind = {row.run: row.values for row in scores.rows}
    assert values(found, "verifier", "best-of-n") == [*by_kind["run"].values()][::2]
    assert values(found, "oracle") == [*by_kind["run"].values()][1::2]
    assert values(found, "oracle") == [*by_kind["Perfect selection"].values()][::2]
    assert values(found, "random") == [*by_kind["Random"].values()][::2]


Row = tuple[int, int, int, str]
"""Two scores, 1 if it is correct, and the key."""

questions = st.lists(
    st.lists(
        st.tuples(
            st.integers(0, 2), st.integers(0, 2), st.integers(0, 1), st.sampled_from(["", "a", "b"])
        ),
        min_size=1,
        max_size=5,
    ),
    min_size=1,
    max_size=2,
)


def chosen(subset: Sequence[Row], ties: str) -> F:
    """Return the probability that the choice of the first verifier is correct."""
    most = max(row[0] for row in subset)
    tied = [F(row[2]) for row in subset if row[0] == most]
    picked = {"first": tied[:1], "last": tied[-1:], "none": tied if len(tied) == 1 else [F(0)]}
    tied = picked.get(ties, tied)
    return sum(tied, F(0)) / len(tied)


VOTES: list[tuple[str, str, int | None]] = [
    ("majority", "", None),
    ("weighted", "x", 0),
    ("weighted", "y", 1),
]
"""Choices by votes, with the column of their weights."""


def voted(subset: Sequence[Row], of_all: Sequence[Row], column: int | None) -> F:
    """Return the share of correct candidates of the keys with most votes, or the highest sum."""
    sums: dict[str, int] = {}
    for row in subset:
        if row[3]:
            sums[row[3]] = sums.get(row[3], 0) + (1 if column is None else int(row[column]))
    winners = [key for key, total in sums.items() if total == max(sums.values())]
    rights = [[row[2] for row in of_all if row[3] == key] for key in winners]
    return sum((F(sum(of_key), len(of_key)) for of_key in rights), F(0)) / max(1, len(winners))


def voted_in(given: list[list[Row]], size: int, column: int | None) -> tuple[F, F]:
    """Return the mean of votes over all subsets, and the variance of a sample of one of each."""
    means, variance = [], F(0)
    for rows in given:
        of = [voted(one, rows, column) for one in combinations(rows, min(size, len(rows)))]
        means.append(sum(of, F(0)) / len(of))
        variance += sum(((value - means[-1]) ** 2 for value in of), F(0)) / len(of)
    return sum(means, F(0)) / len(given), variance / len(given) ** 2


@given(questions, st.sampled_from(["first", "last", "none", "random"]))
@example([[(2, 0, 1, ""), (1, 0, 1, "")]], "none")  # unlike scores are no tie
@settings(max_examples=25, deadline=None)
def test_policies_on_ties(given: list[list[Row]], ties: str) -> None:
    text = lines(
        *(
            {"q_id": q_id, "scores": {"x": x, "y": y}, "correct": bool(right), "answer_key": key}
            for q_id, rows in enumerate(given)
            for x, y, right, key in rows
        )
    )
    found = ave_score.best_of_n(read(text), ties=ties)
    names = [curve.choice for curve in found.curves]
    for number, size in enumerate(found.sizes):
        each = []
        for rows in given:
            drawn = [*combinations(rows, min(size, len(rows)))]
            each.append(sum((chosen(one, ties) for one in drawn), F(0)) / len(drawn))
        assert values(found, "verifier", "x")[number] == sum(each) / len(each)
        for choice, verifier, column in VOTES if "majority" in names else ():
            assert values(found, choice, verifier)[number] == voted_in(given, size, column)[0]


def keys(text: str, choice: Choice | None = None, **names: str) -> list[str]:
    return [*read(text, choice, **names)[0].keys]


def test_keys_are_read_from_every_kind_of_file() -> None:
    row = {"q_id": 1, "score": 1, "correct": True}
    expected = ["4 apples", "4.5"]
    assert keys(lines(row | {"answer_key": " 4  apples "}, row | {"answer_key": 4.50})) == expected
    assert keys(lines(row | {"short": "4"}, row | {"short": None}), answer_key="short") == ["4", ""]
    table = "q_id\ta_id\tscore\tfinal\n1\ta\t1\t4\n1\tb\t1\t\n"
    assert keys(table, answer_key="final") == ["4", ""]
    nested = {"q_id": 1, "samples": [{"text": "x", "score": 1, "answer_key": "7"}]}
    assert keys(lines(nested)) == ["7"]
    nested = {"q_id": 1, "samples": [{"text": "x", "score": 1}]}
    assert keys(lines(nested), answer_key="answer") == ["x"]
    parallel = {"q_id": 1, "answers": ["x", "y"], "scores": [1, 2]}
    assert keys(lines(parallel | {"answer_keys": ["7", "8"]})) == ["7", "8"]
    assert keys(lines(parallel), answer_key="answer") == ["x", "y"]


def test_keys_of_logs_are_what_a_scorer_extracted() -> None:
    assert keys(inspect_log()) == [answer[2] for answer in ANSWERS[::2] + ANSWERS[1::2]]
    other = graded("q", 1, "4", "C", 0.5)
    other["scores"]["model"] = {"value": 0.1, "answer": "not this"}  # type: ignore[index]
    assert keys(log([other])) == ["4"]
    other["scores"]["match"] = {"value": "C"}  # type: ignore[index]
    assert keys(log([other])) == ["not this"]
    said = responses(1, ["It is 4", "5?"], filtered_resps=["4", "5"], judge=[0.5, 0.25])
    judge, first = Choice(scores=("judge",)), said | {"filtered_resps": ["4"]}
    assert keys(lines(said), judge) == ["4", "5"]
    assert keys(lines(said), judge, answer_key="answer") == ["4", "5"]
    assert keys(lines(first), judge) == ["", ""]
    assert keys(lines(first), judge, answer_key="answer") == ["It is 4", "5?"]


def test_a_key_that_is_no_text_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "scores.jsonl"
    path.write_text(lines({"q_id": 1, "score": 1, "correct": True, "answer_key": [4]}))
    err = refusal("decide", str(path), "--curve", code=1)
    assert ":1:56 AVE906 answer_key is a list of 1 value, expected a text or a number" in err
    assert decided(str(path))[0] == 0  # a run needs none
    err = refusal("decide", SAMPLE, "--curve", "--columns", "answer_key=short", code=1)
    assert "short" in err


ROWS: list[dict[str, object]] = [
    {"q_id": 1, "score": 2, "correct": True, "answer_key": "a"},
    {"q_id": 1, "score": 1, "correct": False, "answer_key": "a"},
    {"q_id": 1, "score": 0, "correct": None, "answer_key": "b"},
    {"q_id": 2, "score": 1, "correct": True},
    {"q_id": 3, "score": 1, "correct": None},
]


def test_notes_say_what_is_left_out() -> None:
    found = ave_score.best_of_n(read(lines(*ROWS)))
    assert found.sizes == [1, 2] and values(found, "verifier", "scores") == [F(1, 2), F(2, 3)]
    assert values(found, "majority") == [F(1, 6), F(1, 6)]
    text = " ".join(found.to_text().split())
    for note in (
        "Left out, because they are not labelled as correct or incorrect: 2 answers.",
        "Without a labelled candidate, counted as wrong: 1 of 3 questions.",
        "Fewer than 2 candidates in 1 of 3 questions: where n is larger than their number, all",
        "Without a key, so without a vote: 1 candidate.",
        "The same key for correct and incorrect candidates: in 1 question; such a key counts",
    ):
        assert note in text
    assert found.notes == json.loads(found.to_text("json"))["notes"]


VOTERS: list[list[Row]] = [
    [(3, 2**90, 1, "a"), (1, 1, 0, "b"), (2, 2**90, 0, "b"), (2, 0, 0, ""), (0, 3, 1, "c")] * 2,
    [(1, 2**33, 0, "a"), (1, 2**32, 1, "b"), (1, 2**32, 1, "b"), (1, 5, 0, "d")],
]
"""Sums of a few thirds of 2^90 and of 2^32 tie, as they do not in floats of 53 bits."""


def test_votes_that_take_too_long_are_sampled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Against all subsets, one by one: within four standard errors, as is their own size."""
    text = lines(
        *(
            {"q_id": q_id, "scores": {"x": x, "y": y}, "correct": bool(right), "answer_key": key}
            for q_id, rows in enumerate(VOTERS)
            for x, y, right, key in rows
        )
    )
    exact = ave_score.best_of_n(read(text))
    assert exact.draws == 0
    monkeypatch.setattr(subsets, "MOST_WORK", 10)
    monkeypatch.setattr(subsets, "MOST_SUBSETS", 5)
    found, again, other = (ave_score.best_of_n(read(text), seed=seed) for seed in (0, 0, 1))
    for choice, verifier, column in VOTES:
        (curve,) = [
            curve for curve in found.curves if (curve.choice, curve.verifier) == (choice, verifier)
        ]
        for at, (size, point) in enumerate(zip(found.sizes, curve.points, strict=True)):
            mean, variance = voted_in(VOTERS, size, column)
            assert values(exact, choice, verifier)[at] == mean
            if size in (1, 10):
                assert (point.value, point.error) == (mean, None)
                continue
            assert point.value is not None and point.error is not None
            assert point.error == pytest.approx(float(variance / 10_000) ** 0.5, rel=0.05)
            assert abs(point.value - mean) <= 4 * point.error
    assert found.curves == again.curves and found.curves != other.curves
    said = " ".join(found.to_text().split())
    assert (
        "Counted in 10,000 random draws per question, because all take too long: Majority" in said
    )
    assert "but for those named below" in said
    assert "|draws:10000|seed:0|answers:" in found.signature
    assert "standard_error" in found.to_frame()
    document = json.loads(found.to_text("json"))
    assert document["draws"] == 10_000
    assert [*document["curves"][2]["points"][1]] == ["n", "value", "standard_error"]


def test_differences_of_two_verifiers_are_paired() -> None:
    """By hand: x is right in all of 40 questions, y in 36: the same 36, so the spread is small."""
    text = lines(
        *(
            {"q_id": q_id, "scores": {"x": x, "y": x if q_id > 3 else -x}, "correct": bool(x)}
            for q_id in range(40)
            for x in (1, 0)
        )
    )
    found = ave_score.best_of_n(read(text), intervals=ave_score.IntervalPolicy())
    (difference,) = found.differences
    assert (difference.verifier, difference.other) == ("x", "y")
    one, two = difference.points
    assert one[:5] == (1, F(0), (), "", None)  # there is no choice among one
    assert two.value == F(1, 10)
    # scipy.stats.bootstrap([1] * 4 + [0] * 36, numpy.mean, method="BCa"): 0.025 to 0.225
    assert two.interval is not None and two.interval.interval == (0.025, 0.225)
    assert "x minus" not in found.to_text()
    assert "x y 2 +0.10 [0.0" in " ".join(found.to_text().split())
    (entry,) = json.loads(found.to_text("json"))["differences"]
    assert [point["n"] for point in entry["points"]] == [2]
    assert entry["points"][0]["difference"] == 0.1
    assert "differences" not in ave_score.best_of_n(read(text)).to_text("json")


def test_verifiers_are_columns_of_a_table_or_have_files_of_their_own() -> None:
    """By hand: prm ranks the correct answers first, orm those of one question of two."""
    table = "id,prm,orm,ok\n1,0.9,0.2,1\n1,0.1,0.8,0\n2,0.3,0.1,0\n2,0.4,0.7,1\n"
    names = {"q_id": "id", "correct": "ok"}
    scores = read(table, Choice(scores=("prm", "orm")), **names)
    assert [*map(repr, scores)] == [
        "<VerifierScores prm: 2 questions, 4 answers>",
        "<VerifierScores orm: 2 questions, 4 answers>",
    ]
    assert [one.spellings for one in scores] == [["0.9", "0.1", "0.3", "0.4"],
                                                ["0.2", "0.8", "0.1", "0.7"]]  # fmt: skip
    with pytest.warns(ave_score.AveScoreWarning, match="unknown column 'prm', ignored"):
        (orm,) = read(table, None, score="orm", **names)
    with pytest.warns(ave_score.AveScoreWarning, match="column 'orm', ignored$"):
        (prm,) = read(table, Choice(scores=("prm",)), **names)
    for found in (ave_score.best_of_n(scores), ave_score.best_of_n([prm, orm])):
        assert values(found, "verifier", "prm") == [F(1, 2), 1]
        assert values(found, "verifier", found.curves[1].verifier) == [F(1, 2), F(1, 2)]
    decided = ave_score.decide(scores[1])
    (row, *_) = ave_score.score(decided.collection, decided.run, measures="qa_accuracy").rows
    assert row.values["qa_accuracy"] == F(1, 2)
    with pytest.raises(ave_score.UsageError, match="has no field correct"):
        _ = ave_score.decide(read("1 a 0.5\n")[0]).collection
    with pytest.raises(ave_score.UsageError, match="mutually exclusive"):
        read(table, Choice(scores=("prm",)), score="orm", **names)


def test_negative_scores_are_no_votes() -> None:
    rows = [row | {"score": -1} for row in ROWS]
    found = ave_score.best_of_n(read(lines(*rows)))
    assert values(found, "weighted", "scores") == [None, None]
    assert None not in values(found, "majority")
    assert (
        "n = 1, 2: there are negative scores, so sums of scores are not votes." in found.to_text()
    )


def test_scores_without_labels_or_of_other_answers_are_refused() -> None:
    plain, sample_scores = read("1 a 0.5\n"), read(Path(SAMPLE).read_text())
    for given_scores, options, said in (
        (plain, {}, "has no field correct"),
        ([*sample_scores, *read(lines(*ROWS))], {}, "different answers"),
        (sample_scores * 2, {}, "the same name: scores, scores"),
        ([], {}, "no scores"),
        ([7], {}, "expected scores, a path, an open file"),
        (sample_scores, {"ties": "best"}, "no policy 'best' for ties"),
        (sample_scores, {"intervals": ave_score.IntervalPolicy(0)}, "level 0: a level is a perc"),
    ):
        with pytest.raises(ave_score.UsageError, match=said):
            ave_score.best_of_n(given_scores, **options)


def test_the_command_prints_a_table() -> None:
    out = output("decide", str(ROOT / "sample_runs/logs/inspect.json"), "--curve")
    rows = [line.split() for line in out.splitlines()[1:6]]
    assert rows[0] == ["n", "prm", "orm", "Oracle", "Random"]
    assert rows[2] == ["1", "0.33", "0.33", "0.33", "0.33"]
    assert rows[4] == ["3", "0.50", "1.00", "1.00", "0.33"]


@pytest.mark.parametrize("width", [60, 80])
def test_tables_fit(width: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    arguments = [SAMPLE, "--curve", "--columns", "answer_key=answer", "--ci", "90"]
    out = decided(*arguments, code=0).out
    table = out.partition("n: candidates")[0]
    assert max(map(len, table.splitlines())) <= width and "0.60 [" in table


def test_data_formats() -> None:
    arguments = [SAMPLE, "--curve", "--ci", "95", "--seed", "3"]
    rows = [*csv.DictReader(io.StringIO(decided(*arguments, "-f", "csv")[1]))]
    assert [row["n"] for row in rows] == ["1"] * 3 + ["2"] * 3 + ["4"] * 3
    last = rows[6]
    assert (last["choice"], last["verifier"]) == ("verifier", "best-of-n")
    # Wilson's interval of 3 of 5: statsmodels.stats.proportion.proportion_confint
    assert float(last["value_low"]) == pytest.approx(0.23072, abs=1e-5)
    assert float(last["value_high"]) == pytest.approx(0.88238, abs=1e-5)
    assert last["value_method"] == "wilson"
    note = (
        "Wilson's for shares of questions; BCa, from 10,000 bootstrap samples, for means of "
        "probabilities."
    )
    assert note in " ".join(decided(*arguments)[1].split())
    document = json.loads(decided(*arguments, "-f", "json")[1])
    assert document["schema"] == "ave-score/best-of-n/1"
    assert (
        document["signature"]
        .partition("|answers:")[0]
        .endswith("|ties:random|intervals:95|resamples:10000|seed:3")
    )
    point = document["curves"][0]["points"][2]
    assert point["value"] == 0.6
    assert point["interval"] == [float(last["value_low"]), float(last["value_high"])]
    out = decided(SAMPLE, "--curve", "-f", "csv", "--digits", "1")[1]
    assert out.splitlines()[7] == "4,verifier,best-of-n,0.6,"  # computed: no standard error


def test_the_signature_identifies_the_answers_and_their_labels(tmp_path: Path) -> None:
    """Other scores of the same answers have the same signature, other labels another one."""
    lines = Path(SAMPLE).read_text()
    changed = {"scores": ("0.91", "0.01"), "labels": ("true", "false"), "ids": ('"1"', '"one"')}
    found = []
    for name, (old, new) in {"none": ("", ""), **changed}.items():
        path = tmp_path / f"{name}.jsonl"
        path.write_text(lines.replace(old, new, 1) if old else lines)
        document = json.loads(decided(str(path), "--curve", "-f", "json")[1])
        found.append(document["signature"].partition("|answers:")[2])
    same, scores, labels, ids = found
    assert same == scores and len({same, labels, ids}) == 3


@pytest.mark.slow
def test_the_figure(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    path = tmp_path / "curve.svg"
    arguments = [SAMPLE, "--curve", "--columns", "answer_key=answer", "--plot", str(path)]
    assert decided(*arguments)[0] == 0
    text = path.read_text()
    assert "best-of-n: n = 1: 0.40, n = 2: 0.53, n = 4: 0.60." in text
    assert "Oracle: n = 1: 0.40, n = 2: 0.57, n = 4: 0.80." in text
    assert decided(*arguments)[0] == 0
    assert path.read_text() == text


@pytest.mark.slow
def test_a_figure_has_the_intervals_of_what_it_draws() -> None:
    """Sums of negative scores have no curve, so no name; each band is an area in a colour."""
    pytest.importorskip("matplotlib")
    rows = [row | {"score": -1} for row in ROWS]
    policy = ave_score.IntervalPolicy(90)
    plain, banded = (
        ave_score.best_of_n(read(lines(*rows)), intervals=item).plot().to_bytes("svg").decode()
        for item in (None, policy)
    )
    for text in (plain, banded):
        assert ">Majority<" in text and ">Weighted<" not in text
    assert "Bands: 90 % intervals." in banded
    assert (plain.count("FillBetween"), banded.count("FillBetween")) == (0, 2)


def test_a_figure_has_a_limit() -> None:
    pytest.importorskip("matplotlib")
    rows = [
        {"q_id": 1, "answer": "x", "scores": {f"v{n}": n for n in range(9)}, "correct": right}
        for right in (True, False)
    ]
    found = ave_score.best_of_n(read(lines(*rows)))
    with pytest.raises(ave_score.UsageError, match="at most 8 curves, found 9"):
        found.plot()


@each("arguments, message", [
    (["--ci", "95"], "--ci needs --curve"),
    (["-f", "json"], "--format needs --curve"),
    (["--plot", "x.svg"], "--plot needs --curve"),
    (["--curve", "--threshold", "1", "--top-k", "1"], "combined with --threshold, --top-k"),
    (["--curve", "--write-collection", "x.xml"], "combined with --write-collection"),
    (["--curve", "--plot", "x.gif"], "ends in .svg, .png, .pdf"),
    (["--curve", "--ci", "95", "--seed", "-1"], "seed -1: expected 0 or more"),
])  # fmt: skip
def test_options_that_conflict(arguments: list[str], message: str) -> None:
    err = refusal("decide", SAMPLE, *arguments)
    assert message in err
