"""Decisions: by hand, against a naive implementation, and properties."""

from __future__ import annotations

import hashlib
import io
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ave_score import (
    Decided,
    DecisionPolicy,
    UsageError,
    Verdict,
    VerifierScores,
    decide,
    read_collection,
    read_scores,
)
from ave_score import score as score_runs
from ave_score.files.run import check_run
from ave_score.files.source import Source
from tests import each
from tests.helpers_files import fuzzed

Row = tuple[str, str, str]
"""q_id, a_id and score, as a file has them."""

LETTERS = {Verdict.SELECTED: "S", Verdict.VALIDATED: "V", Verdict.REJECTED: "R"}


def scores_of(rows: list[Row]) -> VerifierScores:
    text = "".join(" ".join(row) + "\n" for row in rows)
    return read_scores(io.StringIO(text))


def letters(decided: Decided) -> str:
    run = decided.run
    parts = [run.verdicts[span] for span in run.index.spans]
    return " ".join("".join(LETTERS[Verdict(code)] for code in part) for part in parts)


def decided(spelled: str, **policy: object) -> str:
    """Decide on questions of which the scores are given: `1 2 3/2 2`."""
    rows = [
        (f"q{number}", f"a{place}", score)
        for number, question in enumerate(spelled.split("/"))
        for place, score in enumerate(question.split())
    ]
    return letters(decide(scores_of(rows), DecisionPolicy(**policy)))  # type: ignore[arg-type]


@each("scores, policy, expected", [
    ("0.1 0.9 0.5", {}, "RSR"),
    ("-3/-2 -1", {}, "S RS"),
    ("0.1 0.9 0.5", {"top_k": 2}, "RSV"),
    ("0.1 0.9 0.5", {"top_k": 9}, "VSV"),
    ("0.1 0.9 0.5", {"threshold": 0.5}, "RSV"),
    ("0.1 0.9 0.5/0.4", {"threshold": 0.5}, "RSV R"),
    ("0.1 0.9 0.5 0.6", {"threshold": 0.5, "top_k": 2}, "RSRV"),
    ("0.1 0.9 0.5", {"threshold": 2.0, "top_k": 2}, "RRR"),
    ("-5 -7", {"threshold": -6.0}, "SR"),
    # equal as numbers, whatever their spelling
    ("1 1.0 1e0", {}, "SRR"),
    ("0.30 0.3", {"ties": "last"}, "RS"),
    ("0.3 0.30000000000000001", {"ties": "none"}, "RR"),
    ("0.3 0.30000000000000005", {"ties": "none"}, "RS"),
    ("0.1", {"threshold": 0.1}, "S"),
    # ties for best
    ("2 3 3 1", {"ties": "first"}, "RSRR"),
    ("2 3 3 1", {"ties": "last"}, "RRSR"),
    ("2 3 3 1", {"ties": "none"}, "RRRR"),
    ("2 3 3 1", {"ties": "none", "threshold": 1.0}, "RRRR"),
    ("2 3 3 1", {"ties": "first", "top_k": 2}, "RSVR"),
    ("2 3 3 1", {"ties": "last", "top_k": 2}, "RVSR"),
    # ties for the last place
    ("5 3 3 1", {"ties": "first", "top_k": 2}, "SVRR"),
    ("5 3 3 1", {"ties": "last", "top_k": 2}, "SRVR"),
    ("5 3 3 1", {"ties": "none", "top_k": 2}, "SRRR"),
    ("5 3 3 1", {"ties": "none", "top_k": 3}, "SVVR"),
    ("5 4 3 3 3", {"ties": "none", "top_k": 4}, "SVRRR"),
    ("5 3 3 3", {"ties": "none", "top_k": 2, "threshold": 4.0}, "SRRR"),
    ("5 3 3", {"ties": "none", "threshold": 2.0}, "SVV"),
    # 0 and -0 are one number
    ("0 -0", {"ties": "none"}, "RR"),
])  # fmt: skip
def test_decisions_worked_by_hand(scores: str, policy: dict[str, object], expected: str) -> None:
    assert decided(scores, **policy) == expected


def test_the_run_says_the_scores_as_they_are_spelt() -> None:
    scores = scores_of([("1", "b", "+.50"), ("2", "a", "1E1"), ("1", "a", "0.5000")])
    made = decide(scores)
    assert [*made.lines()] == ["1 b SELECTED +.50\n", "1 a REJECTED 0.5000\n", "2 a SELECTED 1E1\n"]
    expected = "2 questions: 2 answered, 0 withheld; 3 answers: 2 selected, 0 validated, 1 rejected"
    assert made.summary() == expected


@pytest.mark.parametrize("q_id", ["<1>", "[1]", "{1}", "%PDF-1"])
def test_a_run_does_not_begin_like_a_file_of_another_kind(q_id: str) -> None:
    lines = [*decide(scores_of([("x", "a", "1")])).lines()]
    assert lines == ["x a SELECTED 1\n"]
    rows = f"q_id\ta_id\tscore\n{q_id}\ta\t1\n"
    lines = [*decide(read_scores(io.StringIO(rows))).lines()]
    assert lines == ["# q_id a_id verdict confidence\n", f"{q_id} a SELECTED 1\n"]
    run, (findings,) = check_run(Source.holding("run", "".join(lines).encode()), None)
    assert run is not None, [*map(str, findings)]


@pytest.mark.parametrize(("policy", "message"), [
    (DecisionPolicy(ties="both"), "no policy 'both' for ties"),
    (DecisionPolicy(top_k=0), "top_k is 0; it must be at least 1"),
    (DecisionPolicy(threshold=float("nan")), "must be a finite number"),
    (DecisionPolicy(threshold=float("inf")), "must be a finite number"),
])  # fmt: skip
def test_a_policy_that_makes_no_sense(policy: DecisionPolicy, message: str) -> None:
    with pytest.raises(UsageError) as caught:
        decide(scores_of([("1", "a", "1")]), policy)
    assert message in str(caught.value)


def test_python_callers_score_what_they_decide(tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.mktemp("scores") / "tiny.txt"
    collection = read_collection("gold/tiny.xml")
    index = collection.index
    wanted = (q + " " + a for q, a in zip(index.q_ids, index.a_ids, strict=True))
    path.write_text("".join(f"{answer} {place}\n" for place, answer in enumerate(wanted)))
    made = decide(read_scores(path, collection))
    assert made.run.name == "tiny"
    (row, *_) = score_runs(collection, [made.run], measures="qa_accuracy").rows
    last = [collection.labels[span.stop - 1] == 1 for span in index.spans]
    assert row.values["qa_accuracy"] == Fraction(sum(last), 5)


NUMBERS = st.sampled_from(["0", "-0.0", "1", "1.0", "2", "0.1", "1e-1", "-3", "9e99"]) | st.floats(
    allow_nan=False, allow_infinity=False
).map(repr)
IDS = st.sampled_from(["1", "01", "2", "x", "é", "[", "Q0", "YES", "SELECTED", "q_id", "%PDF-"])
ROWS = st.lists(
    st.tuples(IDS, st.text("abcd", min_size=1, max_size=1), NUMBERS),
    min_size=1,
    max_size=30,
    unique_by=lambda row: row[:2],
)
POLICIES = st.builds(
    DecisionPolicy,
    threshold=st.none() | st.sampled_from([0.0, 0.1, 1.0, 1.5]),
    top_k=st.none() | st.integers(1, 4),
    ties=st.sampled_from(["first", "last", "none", "random"]),
    seed=st.integers(-3, 3),
)


def by_answer(rows: list[Row], policy: DecisionPolicy) -> dict[tuple[str, str], str]:
    table = "q_id\ta_id\tscore\n" + "".join("\t".join(row) + "\n" for row in rows)
    run = decide(read_scores(io.StringIO(table)), policy).run
    ids = zip(run.index.q_ids, run.index.a_ids, strict=True)
    names = (Verdict(code).name for code in run.verdicts)
    return dict(zip(ids, names, strict=True))


def naive(rows: list[Row], policy: DecisionPolicy) -> dict[tuple[str, str], str]:
    """Decide by counting, for each answer, the answers that come before it."""

    def before(a: int, b: int) -> bool:
        """Tell whether answer a is better than b by score, or by the policy for ties."""
        one, other = float(rows[a][2]), float(rows[b][2])
        if one != other or policy.ties == "none":
            return one > other
        if policy.ties == "random":
            drawn = [
                hashlib.sha256(f"{policy.seed} {rows[at][0]} {rows[at][1]}".encode()).digest()
                for at in (a, b)
            ]
            return drawn[0] < drawn[1]
        return a < b if policy.ties == "first" else a > b

    said = {}
    unlimited = policy.top_k is None and policy.threshold is not None
    limit = 10**9 if unlimited else policy.top_k or 1
    for at, (q_id, a_id, score) in enumerate(rows):
        rivals = [
            other
            for other, row in enumerate(rows)
            if row[0] == q_id and (policy.threshold is None or float(row[2]) >= policy.threshold)
        ]
        better = sum(before(other, at) for other in rivals)
        tied = sum(not before(other, at) and not before(at, other) for other in rivals)
        best = [other for other in rivals if not any(before(third, other) for third in rivals)]
        accepted = at in rivals and better + max(tied, 1) <= limit and len(best) == 1
        verdict = "SELECTED" if better == 0 else "VALIDATED"
        said[q_id, a_id] = verdict if accepted else "REJECTED"
        assert float(score) == float(rows[at][2])
    return said


@fuzzed
@given(rows=ROWS, policy=POLICIES)
def test_a_naive_decider_decides_the_same(rows: list[Row], policy: DecisionPolicy) -> None:
    assert by_answer(rows, policy) == naive(rows, policy)
