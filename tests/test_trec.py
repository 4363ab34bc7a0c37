"""Qrels and TREC runs: figures of trec_eval and ir_measures, and what qrels do not have."""

from __future__ import annotations

import random
from fractions import Fraction
from math import log2
from pathlib import Path

import pytest

import ave_score
from tests import each
from tests.helpers_command import ave, output, refusal
from tests.helpers_files import PAIRS, Held, put

QRELS = "1 0 a 2\n1 0 b 0\n1 0 c 1\n1 0 d 1\n2 0 e 1\n3 0 f -1\n3 0 g 1\n"
RUN = """\
1 Q0 x 1 9 s
1 Q0 c 4 8 s
1 Q0 a 3 8.00000001 s
1 Q0 b 2 7 s
3 Q0 f 1 1 s
3 Q0 g 2 1 s
9 Q0 z 1 1 s
"""
"""Topic 1: x (not judged), then c before a, which trec_eval reads as equal scores, then b; d is not
retrieved. Topic 2 has no results. Topic 3: g before f, by descending ids. Topic 9 has no qrels."""

BY_HAND = {
    "AP": Fraction(25, 54),  # ((1/2 + 2/3)/3 + 0 + 1) / 3
    "RR": Fraction(1, 2),  # (1/2 + 0 + 1) / 3
    "P@2": Fraction(1, 3),
    "Rprec": Fraction(5, 9),  # (2/3 + 0 + 1) / 3
    "R@2": Fraction(4, 9),
    "Success@1": Fraction(1, 3),
    "AP(rel=2)": Fraction(1, 9),  # only a, at rank 3
    "RR(rel=2)@2": Fraction(0),
    "P(rel=2)@3": Fraction(1, 9),
    "ndcg(gain=exponential)@2": (1 / log2(3) / (3 + 1 / log2(3)) + 1) / 3,
    "nDCG@2": (1 / log2(3) / (2 + 1 / log2(3)) + 1) / 3,
}

pytestmark = pytest.mark.filterwarnings("ignore::ave_score.AveScoreWarning")  # AVE210, AVE211


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path, Path]:
    """Qrels, the run, and another that ranks less."""
    other = put(tmp_path, "1 Q0 b 1 2 t\n1 Q0 a 2 1 t\n2 Q0 e 1 1 t\n3 Q0 f 1 1 t\n", "other.run")
    return put(tmp_path, QRELS, "qrels.txt"), put(tmp_path, RUN, "first.run"), other


def test_figures_are_those_of_trec_eval_by_hand(files: tuple[Path, Path, Path]) -> None:
    scores = ave_score.score(files[0], [files[1]], measures=", ".join(BY_HAND))
    assert [*scores.rows[0].values.values()] == pytest.approx([*BY_HAND.values()], abs=1e-12)
    assert [row.run for row in scores.rows] == ["first"]  # no baselines
    averaged = ave_score.Policies(ties="average")  # of topic 3: (1 + 1/2) / 2
    (row,) = ave_score.score(files[0], [files[1]], measures="RR", policies=averaged).rows
    assert row.values == {"mrr": Fraction(5, 12)}


def test_tables_say_what_is_scored_and_how(files: tuple[Path, Path, Path]) -> None:
    code, out, err = ave("score", *files, "-m", "nDCG@2, AP(rel=2)@3", "-f", "markdown")
    assert code == 0
    assert "| nDCG (linear)@<!-- -->2 | MAP (rel=2)@<!-- -->3 |" in out
    assert "7 judged documents" in out
    assert "ave-score:0.1.0|ties:trec|collection:" in out
    assert "first.run:7:1 AVE210 warning: topic '9' is not in the qrels: 1 document not" in err
    assert "first.run AVE211 warning: no results for 1 of 3 topics, which count 0: 2" in err
    for gold in (None, files[0]):  # topic 9 is only in the run
        contents = ave_score.check(files[1], gold).contents
        assert contents == {"questions": 2 + (gold is None), "answers": 6 + (gold is None)}
    (found,) = ave_score.parse_measures("MAP (rel=2)@3")
    assert found.key == "map(rel=2)@3"


@each("seed", range(3))
def test_figures_equal_ir_measures(tmp_path: Path, seed: int) -> None:
    """Equal scores, grades below 0, documents that nobody judged, topics that only one has.

    Not RR@k: ir_measures has MS MARCO's, which ranks equal scores by ascending id.
    """
    reason = "IR_MEASURES IS NOT COMPARED: pip install ir_measures"
    peer = pytest.importorskip("ir_measures", reason=reason)
    draw = random.Random(seed)
    qrels = [
        peer.Qrel(f"{topic}", f"D{doc}", draw.choice([-1, 0, 0, 1, 1, 2, 3]))
        for topic in range(12)
        for doc in draw.sample(range(40), 12)
    ]
    run = [
        peer.ScoredDoc(f"{topic}", f"D{doc}", draw.randint(-9, 9) / 10)
        for topic in range(2, 14)
        for doc in draw.sample(range(40), draw.randint(1, 25))
    ]
    names = ["AP", "RR", "nDCG", "nDCG@5", "P@5", "R@7", "Rprec", "Success@3", "AP@4"]
    names += ["AP(rel=2)", "RR(rel=2)", "P(rel=2)@5"]
    names += ["R(rel=2)@9", "Rprec(rel=3)", "Success(rel=2)@3"]
    found = peer.calc_aggregate([peer.parse_measure(name) for name in names], qrels, run)
    text = "".join(f"{one.query_id} 0 {one.doc_id} {one.relevance}\n" for one in qrels)
    lines = (f"{one.query_id} Q0 {one.doc_id} 1 {one.score} x\n" for one in run)
    gold = ave_score.read_collection(put(tmp_path, text, "qrels"))
    ranked = ave_score.read_run(Held("".join(lines)), gold)
    (row,) = ave_score.score(gold, [ranked], measures=", ".join(names)).rows
    assert [float(value or 0) for value in row.values.values()] == pytest.approx(
        [found[peer.parse_measure(name)] for name in names], abs=1e-9
    )


def test_topics_are_compared_studied_and_broken_down(files: tuple[Path, Path, Path]) -> None:
    qrels, *runs = files
    scores = ave_score.score(qrels, runs, measures="AP")
    values = {row.run: float(row.values["map"] or 0) for row in scores.rows}
    compared = ave_score.compare(qrels, runs, measures="AP")
    standings = compared.comparisons[0].standings
    assert {of.run: float(of.value or 0) for of in standings} == pytest.approx(values)
    # by hand: (1/2)/3 + 1 + 0 of `other`
    assert compared.per_question()["other"].tolist() == pytest.approx([1 / 6, 1, 0])
    groups = put(qrels.parent, "1\tx\n2\tx\n3\ty\n", "groups.tsv")
    parts = ave_score.break_down(qrels, runs, groups, measures="AP").runs[1].parts
    assert [float(part.values["map"] or 0) for part in parts[:2]] == pytest.approx([7 / 12, 0])
    lines = ave("score", *files, "-m", "AP", "-f", "trec", "--per-question", "-").out
    assert "other\t1\tmap\t0.1667\n" in lines
    for command in ("stability", "swap", "orders"):
        assert ave(command, *files).code == 0
    page = ave("report", *files).out
    assert "nDCG (linear)@10" in page
    assert "Judged documents" in page


@each("arguments, said", [
    (["-m", "f1, AP"], "f1: qrels have only measures of rankings"),
    (["-m", "Bpref"], "no measure 'Bpref': map is the closest"),
    (["-m", "infAP"], "map is the closest"),
    (["-m", "NumRet"], "ave-score stats counts"),
    (["-m", "Judged@10"], "ave-score stats counts"),
    (["--missing", "rejected"], "--missing: not available for qrels"),
    (["--threshold", "0.5"], "--threshold: not available for qrels"),
    (["--sweep", "f1"], "--sweep: not available for qrels"),
    (["--per-question", "rows.csv"], "--per-question: not available for qrels"),
    (["--plot", "runs.svg"], "--plot: not available for qrels"),
])  # fmt: skip
def test_what_documents_do_not_have_is_refused(
    files: tuple[Path, Path, Path], arguments: list[str], said: str
) -> None:
    assert said in refusal("score", *files, *arguments)


def test_files_of_one_kind_are_not_scored_against_another(files: tuple[Path, Path, Path]) -> None:
    qrels, run, _ = files
    swapped = refusal("score", run, qrels, code=1)
    assert "looks like a TREC run, expected a collection" in swapped
    assert "give the qrels first, then the runs" in swapped
    careful = "sample_runs/tiny/careful.txt"
    assert "looks like a run, expected a TREC run" in refusal("score", qrels, careful, code=1)
    assert "expected an AVE run" in refusal("score", "gold/tiny.xml", run, code=1)
    with pytest.raises(ave_score.UsageError, match=r"^threshold: not available for qrels$"):
        ave_score.score(qrels, [run], policies=ave_score.Policies(threshold=0.5))
    with pytest.raises(ave_score.UsageError, match="not read against"):
        other = ave_score.read_collection(Held(QRELS.replace(" a ", " y ")))
        ave_score.score(qrels, [ave_score.read_run(run, other)])


GRADED = """\
q_id,a_id,label,grade
1,1_1,VALIDATED,3
1,1_2,REJECTED,
1,1_3,VALIDATED,1
1,1_4,UNKNOWN,
2,2_1,REJECTED,0
2,2_2,VALIDATED,
"""
DECIDED = """\
1 1_1 REJECTED 0.20
1 1_2 SELECTED 0.9
1 1_3 VALIDATED 0.9
1 1_4 REJECTED 0
2 2_1 REJECTED 0.5
2 2_2 REJECTED -1e1
"""


def test_collections_and_runs_are_written_as_qrels_and_trec_runs(tmp_path: Path) -> None:
    gold, run = put(tmp_path, GRADED, "gold.csv"), put(tmp_path, DECIDED, "my run.txt")
    qrels, ranked = tmp_path / "gold.qrels", tmp_path / "my.trec"
    lost = ave_score.convert(gold, qrels)
    assert lost == {"answer labelled UNKNOWN": 1}
    assert qrels.read_text() == "1 0 1_1 3\n1 0 1_2 0\n1 0 1_3 1\n2 0 2_1 0\n2 0 2_2 1\n"
    assert ave_score.convert(run, ranked) == {"column verdict": 6}
    assert ranked.read_text().splitlines()[:3] == [
        "1 Q0 1_3 1 0.9 my_run",
        "1 Q0 1_2 2 0.9 my_run",
        "1 Q0 1_1 3 0.20 my_run",
    ]
    names = "map, mrr, precision@2, recall@1, r_precision, ndcg(gain=linear), map(rel=2)"
    policies = ave_score.Policies(ties="trec", unknown="incorrect")
    (row, *_) = ave_score.score(gold, [run], measures=names, policies=policies).rows
    (same,) = ave_score.score(qrels, [ranked], measures=names).rows
    assert same.values == row.values
    again = tmp_path / "again.csv"
    ave_score.convert(qrels, again)
    assert ave_score.read_collection(again).labels == ave_score.read_collection(qrels).labels
    pairs = put(tmp_path, PAIRS, "pairs.xml")
    said = refusal("convert", pairs, "-o", tmp_path / "pairs.qrels")
    assert "pairs cannot be written as qrels" in said


def test_another_gain_than_that_of_trec_eval_is_said(tmp_path: Path) -> None:
    gold, run = put(tmp_path, GRADED, "gold.csv"), put(tmp_path, DECIDED)
    note = "Gain of nDCG: 2^grade - 1. That of trec_eval is the grade: nDCG (linear)."
    assert note in output("score", gold, run, "-m", "nDCG@10")
    assert note not in output("score", gold, run, "-m", "ndcg(gain=linear)@10")
    assert note not in output(
        "score", "gold/tiny.xml", "sample_runs/tiny/careful.txt", "-m", "ndcg"
    )
