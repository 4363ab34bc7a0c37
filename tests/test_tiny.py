"""The tiny example: every figure worked out by hand."""

from fractions import Fraction

import ave_score


def test_careful_run() -> None:
    collection = ave_score.read_collection("gold/tiny.xml")
    run = ave_score.read_run("sample_runs/tiny/careful.txt", collection)
    row = ave_score.score(collection, [run]).rows[0]
    # 1_1, 3_1 and 3_2 validated rightly, 5_1 wrongly, 2_2 rejected wrongly
    assert row.values["precision"] == Fraction(3, 4)
    assert row.values["recall"] == Fraction(3, 4)
    assert row.values["f1"] == Fraction(6, 8)
