"""A run, a key or scores of another collection: one finding, and nothing is filled in."""

from __future__ import annotations

from pathlib import Path

import pytest

from ave_score.files.gold import check_collection
from ave_score.files.key import check_key
from ave_score.files.run import check_run
from ave_score.files.scores import check_scores
from ave_score.files.source import Source
from ave_score.findings import Findings
from ave_score.fixing.fix import fix_run
from ave_score.model import AnswerIndex, Collection
from tests.conftest import ROOT
from tests.helpers_files import positions

GOLD = ROOT / "gold"


def collection(name: str) -> Collection:
    found, _ = check_collection(Source(GOLD / name), needs_labels=False)
    assert found is not None
    return found


def rejecting(index: AnswerIndex) -> str:
    """Return a run that rejects every answer."""
    pairs = zip(index.q_ids, index.a_ids, strict=True)
    return "".join(f"{q_id} {a_id} REJECTED 0.5\n" for q_id, a_id in pairs)


def numbered(first: int, last: int) -> AnswerIndex:
    """Return questions with these numbers, of one answer each."""
    return AnswerIndex.of({str(n): {f"{n}_1": None} for n in range(first, last + 1)})


def check(run: str, index: AnswerIndex, *, missing: str = "error") -> Findings:
    _, (findings,) = check_run(Source.holding("run.txt", run.encode()), index, missing)
    return findings


@pytest.mark.parametrize("missing", ["error", "rejected"])
def test_a_run_of_another_language_is_one_finding(missing: str) -> None:
    """Of the 282 German answers of 2007, 239 have ids of the 564 Spanish ones by coincidence."""
    run = rejecting(collection("ave2007-de.xml").index)
    findings = check(run, collection("ave2007-es.xml").index, missing=missing)
    (found,) = findings
    assert found.rule.code == "AVE208"
    assert found.message.startswith(
        "names 239 of 564 answers of the collection, and 43 that it does not have: "
        "another collection? First: answer "
    )
    assert found.line == next(
        number
        for number, line in enumerate(run.splitlines(), 1)
        if " ".join(line.split()[:2]) in found.text and found.column == 1
    )
    assert findings.tally() == {found.rule: 1}
    assert findings.unchecked == [
        "missing answers and selections: the file is of another collection"
    ]


def test_nothing_is_filled_in() -> None:
    data = rejecting(collection("ave2007-de.xml").index).encode()
    index = collection("ave2007-es.xml").index
    done = fix_run(Source.holding("run.txt", data), index, unsafe=True)
    assert not done.changes
    assert done.document.encoded() == data


@pytest.mark.parametrize(
    ("run", "given", "codes"),
    [
        # 10 unknown answers are too few to judge
        ((11, 20), (1, 10), {"AVE201"}),
        ((11, 21), (1, 10), {"AVE208"}),
        # every answer of the collection is there
        ((1, 100), (1, 50), {"AVE201"}),
        ((2, 100), (1, 50), {"AVE208"}),
        # 35 of 47 answers are in both, 74 %; 36 of 48, 75 %
        ((2, 47), (1, 36), {"AVE208"}),
        ((2, 48), (1, 37), {"AVE201", "AVE204"}),
        # 11 of 221 are unknown, 4.98 %; 11 of 220, 5 %
        ((1, 221), (12, 500), {"AVE201", "AVE204"}),
        ((2, 221), (13, 500), {"AVE208"}),
        # a run that names only some answers is not of another collection
        ((1, 50), (1, 500), {"AVE204"}),
    ],
)
def test_thresholds(run: tuple[int, int], given: tuple[int, int], codes: set[str]) -> None:
    findings = check(rejecting(numbered(*run)), numbered(*given))
    assert {rule.code for rule in findings.counts} == codes


def test_missing_answers_are_not_filled_in_while_others_are_unknown() -> None:
    """The unknown answer may be the missing one."""
    run = rejecting(numbered(2, 20)) + "x 1_1 REJECTED 0.5\n"
    given = numbered(1, 21)
    done = fix_run(Source.holding("run.txt", run.encode()), given, unsafe=True)
    assert {rule.code: n for rule, n in done.left.counts.items()} == {"AVE201": 1, "AVE204": 2}
    assert not done.changes


def test_pairs() -> None:
    run = "".join(f"{number} YES 0.5\n" for number in range(50))
    findings = check(run, AnswerIndex.of_pairs(map(str, range(30, 90))))
    assert positions(findings) == [("AVE208", 1, 1)]
    assert "First: pair '0'" in next(iter(findings)).message


def test_keys_and_scores(tmp_path: Path) -> None:
    given = collection("ave2007-es.xml")
    pairs = [*zip(*(given.index.q_ids, given.index.a_ids), strict=True)]
    key = "".join(f"{q_id} x{a_id} REJECTED\n" for q_id, a_id in pairs)
    _, (findings,) = check_key(Source.holding("key.txt", key.encode()), given.index)
    assert positions(findings) == [("AVE208", 1, 1)]
    path = tmp_path / "scores.txt"
    path.write_text("".join(f"{q_id} x{a_id} 0.5\n" for q_id, a_id in pairs))
    _, (findings,) = check_scores(Source(path), given)
    assert [code for code, _, _ in positions(findings)] == ["AVE208"]
