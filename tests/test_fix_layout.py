"""What is wrong in the same way in all lines is mended, if fewer errors are left after it. Expected
are the usual lines of the same decisions."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import ave_score
from tests.helpers_command import ave
from tests.helpers_files import put

GOLD = "q_id,a_id,label\n1,a,VALIDATED\n1,b,REJECTED\n2,c,REJECTED\n2,d,VALIDATED\n"
ROWS = [
    ("1", "a", "SELECTED", "0.9"),
    ("1", "b", "REJECTED", "0.2"),
    ("2", "c", "REJECTED", "0.3"),
    ("2", "d", "SELECTED", "0.7"),
]
RUN = "".join(f"{' '.join(row)}\n" for row in ROWS)
OBJECTS = [
    json.dumps({"q_id": q, "a_id": a, "verdict": said, "confidence": float(sure)})
    for q, a, said, sure in ROWS
]


def ordered(*places: int) -> str:
    return "".join(f"{' '.join(row[place] for place in places)}\n" for row in ROWS)


HEADER = "q_id,a_id,verdict,confidence\n"
CSV = "".join(f"{','.join(row)}\n" for row in ROWS)
JSONL = "".join(f"{line}\n" for line in OBJECTS)
TRUTH = RUN.replace("SELECTED", "yes").replace("REJECTED", "no")

SAFE = {
    "swapped ids": (ordered(1, 0, 2, 3), RUN),
    "swapped ids, JSON": (JSONL.replace('"q_id"', '"x"').replace('"a_id"', '"q_id"').replace(
        '"x"', '"a_id"'
    ), None),
    "verdict first": (ordered(2, 0, 1, 3), RUN),
    "verdict in the column of answers": (ordered(0, 2, 1, 3), RUN),
    "verdict behind the confidence": (ordered(0, 1, 3, 2), RUN),
    "confidence first": (ordered(3, 0, 1, 2), RUN),
    "commas behind objects": (",\n".join(OBJECTS) + "\n", JSONL),
    "a comma behind the last record": (f"[{', '.join(OBJECTS)},]", JSONL),
    "no header": (CSV, HEADER + CSV),
    "no header, semicolons": (CSV.replace(",", ";"), (HEADER + CSV).replace(",", ";")),
    "typographic minus": (RUN.replace("0.2", "−0.2"), RUN.replace("0.2", "-0.2")),
    "typographic quotes": (
        HEADER + CSV.replace(",c,", ",“c”,"), HEADER + CSV.replace(",c,", ',"c",')
    ),
    "typographic quotes, JSON": (JSONL.replace('"', "“"), JSONL),
    "thousands": (RUN.replace("0.9", "1,234.5"), RUN.replace("0.9", "1234.5")),
}  # fmt: skip

UNSAFE = {
    "case of ids": (RUN.replace(" a ", " A ").replace(" d ", " D "), RUN),
    "yes and no": (TRUTH, RUN),  # what is VALIDATED alone becomes SELECTED, as ever
    "true and false": (TRUTH.replace("yes", "True").replace("no", "False"), RUN),
}


def fixed(folder: Path, run: str, *options: str) -> tuple[int, str, str]:
    put(folder, GOLD, "gold.csv")
    path = put(folder, run)
    said = ave("fix", path, "--collection", folder / "gold.csv", "-o", "-", *options)
    return said.code, said.out, said.err


@pytest.mark.parametrize(("run", "expected"), SAFE.values(), ids=[*SAFE])
def test_it_is_mended(tmp_path: Path, run: str, expected: str | None) -> None:
    code, out, err = fixed(tmp_path, run)
    assert code == 0, err
    assert "no findings left" in err and "unsafe" not in err
    if expected is not None:
        assert out == expected
    assert not ave_score.check(put(tmp_path, out, "out.txt"), tmp_path / "gold.csv").findings.errors


@pytest.mark.parametrize(("run", "expected"), UNSAFE.values(), ids=[*UNSAFE])
def test_it_is_mended_if_asked(tmp_path: Path, run: str, expected: str) -> None:
    code, out, err = fixed(tmp_path, run)
    assert (code, out) == (1, run)
    code, out, err = fixed(tmp_path, run, "--unsafe")
    assert (code, out) == (0, expected)
    assert " unsafe fix: " in err


def test_the_values_are_told_that_would_read_it(tmp_path: Path) -> None:
    _, _, err = fixed(tmp_path, TRUTH, "--unsafe")
    assert "yes -> VALIDATED, as --values yes=VALIDATED,no=REJECTED" in err


def test_three_changes_of_a_kind_are_listed(tmp_path: Path) -> None:
    _, _, err = fixed(tmp_path, ordered(1, 0, 2, 3))
    listed = [line for line in err.splitlines() if "swapped" in line]
    assert len(listed) == 3
    assert listed[-1].endswith("ids c and 2 swapped (and 1 more: lines 4)")


def test_quotes_that_are_right_stay_beside_signs_that_are_not(tmp_path: Path) -> None:
    gold = put(tmp_path, GOLD.replace(",b,", ",“b”,"), "gold.csv")
    right = RUN.replace(" b ", " “b” ").replace(" 0.", " -0.")
    run = put(tmp_path, right.replace("-", "−"))
    assert ave("fix", run, "--collection", gold, "-o", "-", code=0).out == right


@pytest.mark.parametrize("run", [
    pytest.param("1 2 3 SELECTED\n", id="any of three numbers may be the confidence"),
    pytest.param("x y SELECTED 0.9\ny x SELECTED 0.8\n", id="ids of neither order"),
    pytest.param(RUN.replace("1 a", "1 A").replace("1 b", "1 x"), id="another answer"),
    pytest.param(RUN.replace("0.9", "1,234"), id="a decimal comma or thousands"),
    pytest.param(CSV.replace("SELECTED", "0.5"), id="no header, and no verdicts"),
])  # fmt: skip
def test_what_is_not_sure_is_left(tmp_path: Path, run: str) -> None:
    code, out, _ = fixed(tmp_path, run)
    assert (code, out) == (1, run)


def test_it_is_mended_without_a_collection(tmp_path: Path) -> None:
    """Only a number with a point can be no id."""
    swapped = put(tmp_path, ordered(0, 1, 3, 2))
    assert ave("fix", swapped, "-o", "-", code=0).out == RUN
    assert ave_score.fix(swapped).text == RUN


def test_rules_choose_repairs(tmp_path: Path) -> None:
    code, out, _ = fixed(tmp_path, ordered(1, 0, 2, 3), "--ignore", "AVE201")
    assert (code, out) == (0, ordered(1, 0, 2, 3))  # errors that are ignored
    assert out == ordered(1, 0, 2, 3)
