"""Missing answers: a fixed run scores what `--missing rejected` scores on the run as it was."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from tests import mostly_slow
from tests.helpers_command import ave, output
from tests.helpers_files import put

GOLD = "q_id,a_id,label\n1,1_1,VALIDATED\n1,1_2,REJECTED\n1,1_3,REJECTED\n"
GOLD += "2,2_1,REJECTED\n2,2_2,VALIDATED\n2,2_3,VALIDATED\n"
"""1_1 and 2_2 are missing in every run below; both are correct."""

ROWS = [("1", "1_2", "SELECTED"), ("1", "1_3", "REJECTED")]
ROWS += [("2", "2_1", "REJECTED"), ("2", "2_3", "SELECTED")]

PAIRS = "pair_id,label\np1,VALIDATED\np2,REJECTED\np3,VALIDATED\np4,REJECTED\n"

LOWEST = repr(-sys.float_info.max)

CONFIDENCES = {
    "probabilities": ("0.9", "0.3", "0.4", "0.8"),
    "the lowest is 0": ("0.9", "0", "0.4", "0.8"),
    "the lowest is -0": ("0.9", "-0.0", "0.4", "0.8"),
    "all equal": ("0.5",) * 4,
    "above 1": ("9", "7", "8", "7"),
    "negative": ("-0.25", "-1.5", "-1.0", "-0.5"),
    "both signs": ("0.25", "-1.5", "1e-3", "-.5"),
    "equal and negative": ("-1",) * 4,
    "integers": ("-1", "-3", "-2", "-1"),
    "the smallest doubles": ("0", "-5e-324", "5e-324", "0"),
    "huge": ("1.7e308", "-1.7e308", "0", "-1e300"),
    "the lowest double": ("1", LOWEST, "0", "-1e300"),
}


def lines(confidences: tuple[str, ...]) -> str:
    rows = zip(ROWS, confidences, strict=True)
    return "".join(f"{' '.join(ids)} {confidence}\n" for ids, confidence in rows)


def separated(by: str, confidences: tuple[str, ...]) -> str:
    head = by.join(["q_id", "a_id", "verdict", "confidence"])
    return "\n".join([head, *lines(confidences).replace(" ", by).splitlines(), ""])


def json_lines(confidences: tuple[str, ...]) -> str:
    names = "q_id", "a_id", "verdict", "confidence"
    rows = zip(ROWS, confidences, strict=True)
    given = (dict(zip(names, [*ids, float(value)], strict=True)) for ids, value in rows)
    return "".join(json.dumps(row) + "\n" for row in given)


NOTATIONS = {
    "run.txt": lines,
    "run.csv": lambda confidences: separated(",", confidences),
    "run.tsv": lambda confidences: separated("\t", confidences),
    "run.jsonl": json_lines,
}


def results(gold: Path, run: Path, *options: str) -> list[Any]:
    """Return counts and all measures of a run, for two ways to rank ties."""
    found = []
    for ties in ("average", "trec"):
        arguments = [str(gold), str(run), *options, "--ties", ties]
        row = json.loads(ave("score", *arguments, "-m", "all", "-f", "json", code=0).out)["runs"][0]
        found += [row["counts"], row["measures"]]
    return found


def fixed(gold: Path, run: Path) -> Path:
    """Return a fixed copy of the same name."""
    (run.parent / "fixed").mkdir()
    copy = run.parent / "fixed" / run.name
    assert ave("fix", run, "--collection", gold, "--unsafe", "-o", copy).code == 0
    return copy


@pytest.mark.parametrize("sort", mostly_slow(CONFIDENCES, 5))
@pytest.mark.parametrize("name", mostly_slow(NOTATIONS, 1))
def test_a_fixed_run_scores_as_missing_rejected(tmp_path: Path, name: str, sort: str) -> None:
    gold = put(tmp_path, GOLD, "gold.csv")
    run = put(tmp_path, NOTATIONS[name](CONFIDENCES[sort]), name)
    before = results(gold, run, "--missing", "rejected")
    assert results(gold, fixed(gold, run)) == before


@pytest.mark.parametrize("name", mostly_slow(["run.txt", "run.csv"], 1))
@pytest.mark.parametrize(
    "confidences", [("0.9", "0.2"), ("-1", "-2"), ("", ""), ("0.9", "")], ids=str
)
def test_a_fixed_run_of_pairs_scores_as_missing_rejected(
    tmp_path: Path, name: str, confidences: tuple[str, str]
) -> None:
    """Pairs have confidences or none, and a line that is added is like the others."""
    gold = put(tmp_path, PAIRS, "gold.csv")
    by = "," if name == "run.csv" else " "
    rows = [by.join(["p2", "YES", confidences[0]]), by.join(["p3", "NO", confidences[1]])]
    head = ["pair_id,verdict,confidence"] if by == "," else []
    run = put(tmp_path, "\n".join([*head, *rows, ""]), name)
    before = results(gold, run, "--missing", "rejected")
    assert results(gold, fixed(gold, run)) == before


@pytest.mark.parametrize(("confidences", "expected"), [
    # question 1: the only correct answer is the last of three, 1/3; question 2: the correct
    # answers are first and last of three, (1 + 2/3) / 2 = 5/6; their mean is 7/12
    (("-0.25", "-1.5", "-1.0", "-0.5"), "0.5833"),
    (("0.9", "0.3", "0.4", "0.8"), "0.5833"),
    # 1_1 ties with 1_3, both at 0: the mean of 1/2 and 1/3; with 5/6, the mean is 5/8
    (("0.9", "0", "0.4", "0.8"), "0.6250"),
])  # fmt: skip
def test_a_missing_answer_ranks_last(
    tmp_path: Path, confidences: tuple[str, ...], expected: str
) -> None:
    gold = put(tmp_path, GOLD, "gold.csv")
    run = put(tmp_path, lines(confidences))
    copy = fixed(gold, run)
    for arguments in ([str(run), "--missing", "rejected"], [str(copy)]):
        asked = *arguments, "-m", "map", "-f", "value", "--digits=4"
        assert ave("score", gold, *asked, code=0).out.strip() == expected


def test_a_value_that_cannot_be_read_does_not_hide_the_lowest(tmp_path: Path) -> None:
    """min() of NaN and numbers depends on their order; the author mends the first line later."""
    gold = put(tmp_path, GOLD, "gold.csv")
    run = put(tmp_path, lines(("high", "-4", "-2", "-1")))
    code, out, _ = ave("fix", run, "--collection", gold, "--unsafe", "-o", "-")
    assert code == 1
    added = out.splitlines()[4:]
    assert [line.rsplit(" ", 1)[0] for line in added] == ["1 1_1 REJECTED", "2 2_2 REJECTED"]
    assert all(-4.001 < float(line.split()[-1]) < -4 for line in added)


def test_confidences_are_compared_as_doubles(tmp_path: Path) -> None:
    """0.1 and 0.10000000000000000001 are one double, so they tie; 0.1 and 0.10000000000001 do not.
    A tie of the correct answer with one other: the mean of 1 and 1/2; without a tie, it is
    second."""
    gold = put(tmp_path, "q_id,a_id,label\n1,1_1,VALIDATED\n1,1_2,REJECTED\n", "gold.csv")
    for other, expected in [("0.10000000000000000001", "0.75"), ("0.10000000000001", "0.5")]:
        run = put(tmp_path, f"1 1_1 SELECTED 0.1\n1 1_2 REJECTED {other}\n")
        assert output("score", str(gold), str(run), "-m", "mrr", "-f", "value").strip() == expected
