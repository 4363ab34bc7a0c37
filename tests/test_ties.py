"""Notes on figures that depend on the order of equal confidences, by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from ave_score.measures import MEASURES
from tests.helpers_command import document_of, output
from tests.helpers_files import put
from tests.helpers_ranked import Item, Question, lines_of, xml_of

RIGHT, WRONG = Item("VALIDATED", "REJECTED", "0.5"), Item("REJECTED", "REJECTED", "0.5")
LIST: Question = [RIGHT, WRONG]
"""Reciprocal rank 1 in file order, (1 + 1/2) / 2 = 3/4 in the mean."""

UNLIKE: Question = [RIGHT._replace(confidence="0.7"), WRONG]


def files(folder: Path, *runs: list[Question]) -> list[str]:
    """Write a collection and its runs; the runs differ in their confidences only."""
    gold = put(folder, xml_of(runs[0]), "gold.xml")
    paths = [put(folder, "".join(lines_of(run)), f"run{at}.txt") for at, run in enumerate(runs)]
    return [*map(str, [gold, *paths])]


def notes(*arguments: str, command: str = "score") -> tuple[str, list[str]]:
    """Return the table without line breaks, and the notes of JSON."""
    table = output(command, *arguments)
    return " ".join(table.split()), document_of(command, *arguments)["notes"]


@pytest.mark.parametrize(("ties", "begin", "shown"), [
    ("average", "in the order of the collection", "1.00 instead of 0.75"),
    ("file", "as the mean over all orders", "0.75 instead of 1.00"),
    ("trec", "as the mean over all orders", "0.75 instead of 0.50"),
])  # fmt: skip
def test_a_note_names_the_runs_whose_figures_depend_on_ties(
    tmp_path: Path, ties: str, begin: str, shown: str
) -> None:
    arguments = files(tmp_path, [LIST], [UNLIKE])
    table, found = notes(*arguments, "-m", "mrr,f1", "--ties", ties)
    tail = f"{begin}, run0 would have other figures, such as MRR of run0: "
    assert f"Equal confidences: {tail}{shown}." in table
    exact = shown.replace("1.00", "1").replace("0.50", "0.5")
    assert found == [f"Equal confidences: {tail}{exact}."]


@pytest.mark.parametrize(("run", "measures"), [
    ([UNLIKE], "mrr,map"),  # no ties
    ([[WRONG, WRONG]], "mrr,map,cws,aurc"),  # ties of wrong answers only
    ([LIST], "f1,qa_accuracy"),  # nothing is ranked
    ([LIST], "auc,brier,ece,pearson_r,k,k1"),  # ties do not matter
    ([LIST], "hit"),  # over the whole list
])  # fmt: skip
def test_there_is_no_note_where_ties_change_nothing(
    tmp_path: Path, run: list[Question], measures: str
) -> None:
    table, found = notes(*files(tmp_path, run), "-m", measures)
    assert "Equal confidences" not in table
    assert found == []


def test_a_difference_that_is_not_printed_is_only_in_json(tmp_path: Path) -> None:
    """One of 200 questions has ties: 199.75/200 = 0.99875 and 1 are both 1.00."""
    arguments = files(tmp_path, [LIST] + [UNLIKE] * 199)
    table, found = notes(*arguments, "-m", "mrr")
    assert "Equal confidences" not in table
    assert found[0].endswith("such as MRR of run0: 1 instead of 0.99875.")
    table, _ = notes(*arguments, "-m", "mrr", "--digits", "3")
    assert table.count("such as MRR of run0: 1.000 instead of 0.999.") == 1


def test_many_runs_are_counted(tmp_path: Path) -> None:
    table, _ = notes(*files(tmp_path, *[[LIST]] * 6), "-m", "map")
    assert "in the order of the collection, 6 runs would have other figures" in table
    table, _ = notes(*files(tmp_path, *[[LIST]] * 3), "-m", "map")
    assert "the collection, run0, run1 and run2 would have other figures" in table


def test_systems_have_notes(tmp_path: Path) -> None:
    """Right and wrong of one confidence: CWS is (1 + 1/2)/2 in file order, else (1/2 + 1/2)/2."""
    rows = "q_id\trun\tjudgement\tconfidence\n1\tone\tR\t0.5\n2\tone\tW\t0.5\n"
    table, _ = notes(str(put(tmp_path, rows, "judged.tsv")), "-m", "cws")
    assert "one would have other figures, such as CWS of one: 0.75 instead of 0.50." in table


def test_comparisons_have_notes(tmp_path: Path) -> None:
    arguments = files(tmp_path, [LIST] * 4, [UNLIKE] * 4)
    table, found = notes(*arguments, "-m", "mrr,map", command="compare")
    sentence = "run0 would have other figures, such as MRR of run0: 1.000 instead of 0.750."
    assert sentence in table
    assert found == [
        "Equal confidences: in the order of the collection, run0 would have other figures, such as "
        "MRR of run0: 1 instead of 0.75."
    ]


def test_measures_that_ignore_ties_are_of_ranked_families() -> None:
    ignoring = {one.name for one in MEASURES.values() if one.ignores_ties}
    assert ignoring == {
        *("auc", "brier", "ece", "k", "k1", "pearson_r", "log_loss", "average_precision"),
        *("f_05_u", "c_at_1_pan", "pass@", "pass_all@"),
    }
    assert all(MEASURES[name].family.is_ranked for name in ignoring)
