"""Qrels and TREC runs: figures of trec_eval and ir_measures, and what qrels do not have."""

from __future__ import annotations

import json
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


@each("second", ["0", "QO", "AF", "q0", "1", "-", "é", "[", "VALIDATED"])
def test_the_second_field_of_a_run_may_be_anything(
    files: tuple[Path, Path, Path], second: str
) -> None:
    """trec_eval does not read it: the figures by hand stay, by every door."""
    folder = files[0].parent
    run = put(folder, RUN.replace("Q0", second), "like.run")
    scores = ave_score.score(files[0], [run], measures=", ".join(BY_HAND))
    assert [*scores.rows[0].values.values()] == pytest.approx([*BY_HAND.values()], abs=1e-12)
    assert ave_score.read_run(run, ave_score.read_collection(files[0])).name == "like"
    for gold in (None, files[0]):
        checked = ave_score.check(run, gold)
        assert checked.kind == "trec-run"
        assert checked.contents == {"questions": 2 + (gold is None), "answers": 6 + (gold is None)}
    task = '[editions.2026.languages.en]\ncollection = "qrels.txt"\nruns = "like.run"\n'
    campaign = put(folder, task, "campaign.toml")
    assert ave("campaign", campaign, "-o", folder / "tables").code == 0
    # what is no run of a validator is said to be one of TREC, whatever wants another kind
    tiny: tuple[str | Path, ...] = ("score", "gold/tiny.xml", run)
    for words in (tiny, ("score", run, files[0]), ("decide", run)):
        assert "looks like a TREC run" in refusal(*words, code=1)
    said = refusal("convert", run, "--to", "csv", "-o", folder / "made.csv")
    assert "is a TREC run, which cannot be converted" in said
    assert "looks like a TREC run" in ave("fix", run, "-o", folder / "fixed.run").err


@each("line", [
    "1 1_1 VALIDATED 1 0.9 s",  # a verdict with more fields
    "1 0 d first 0.9 s",  # no rank
    "1 0 d 1 high s",  # no score
    "1 0 d 1 2024-01-01 s",
    "1 0 d 1 0.9",
    "1 0 d 1 0.9 s t",
])  # fmt: skip
def test_six_other_fields_are_no_trec_run(tmp_path: Path, line: str) -> None:
    assert ave_score.check(put(tmp_path, f"{line}\n" * 3)).kind == "run"


TIED = """\
1 Q0 c 3 1 s
1 Q0 x 1 1 s
1 Q0 a 2 1 s
3 Q0 g 2 0.500000001 s
3 Q0 f 1 0.5 s
"""
"""Of topic 1, c and a are correct, of topic 3 g; topic 3 has equal scores in single precision."""


@each("ties, mrr", [
    ("trec", (Fraction(1, 2) + 0 + 1) / 3),  # x c a; g f: descending ids
    ("file", (1 + 0 + Fraction(1)) / 3),  # c x a; g f, whose score is higher
    ("rank", (Fraction(1, 2) + 0 + 1) / 3),  # x a c; g f
    ("average", (Fraction(5, 6) + 0 + 1) / 3),  # two of three are correct: 2/3 + 1/2 * 1/3; g f
])  # fmt: skip
def test_equal_scores_by_hand(files: tuple[Path, Path, Path], ties: str, mrr: Fraction) -> None:
    run = put(files[0].parent, TIED, "tied.run")
    policies = ave_score.Policies.of(ties=ties)
    (row,) = ave_score.score(files[0], [run], measures="RR", policies=policies).rows
    assert row.values["mrr"] == mrr
    per_topic = ave_score.per_question(files[0], [run], measures="RR", policies=policies)
    assert per_topic["mrr"].mean() == pytest.approx(float(mrr))


def test_ranks_and_not_the_order_of_lines_or_judgements_break_ties(
    files: tuple[Path, Path, Path],
) -> None:
    """All scores are equal; the correct document stands where its rank says, or its line."""
    for ranks, by_rank in ("1 2 3", Fraction(1)), ("3 1 2", Fraction(1, 3)), ("+2 -1 7", 1 / 2):
        pairs = zip("gfx", ranks.split(), strict=True)
        lines = [f"3 Q0 {doc} {rank} 1 s\n" for doc, rank in pairs]
        run = put(files[0].parent, "".join(lines), "run")
        for ties, expected in (("rank", by_rank), ("file", Fraction(1)), ("trec", Fraction(1, 2))):
            policies = ave_score.Policies.of(ties=ties, missing="excluded")
            (row,) = ave_score.score(files[0], [run], measures="RR", policies=policies).rows
            assert row.values["mrr"] == expected, (ranks, ties)
    # a judged document has no advantage, as if the file had the order of the qrels
    run = put(files[0].parent, "3 Q0 x 1 1 s\n3 Q0 g 2 1 s\n", "run")
    for ties in ("rank", "file", "trec"):
        policies = ave_score.Policies.of(ties=ties, missing="excluded")
        (row,) = ave_score.score(files[0], [run], measures="RR", policies=policies).rows
        assert row.values["mrr"] == Fraction(1, 2)


def test_runs_of_equal_scores_and_other_ranks_are_unlike_only_by_rank(
    files: tuple[Path, Path, Path],
) -> None:
    one, two = "3 Q0 g 1 1 s\n3 Q0 f 2 1 s\n", "3 Q0 g 2 1 s\n3 Q0 f 1 1 s\n"
    runs = [put(files[0].parent, text, f"{at}.run") for at, text in enumerate((one, two))]
    words: list[str | Path] = [files[0], *runs, "-m", "RR", "--missing", "excluded"]
    assert "same as 0" in ave("score", *words).out
    assert "same as 0" not in ave("score", *words, "--ties", "rank").out
    turned = "".join(reversed(one.splitlines(keepends=True)))
    words[2] = put(files[0].parent, turned, "1.run")  # and by the order of lines, if that counts
    for ties in ("rank", "average", "trec"):
        assert "same as 0" in ave("score", *words, "--ties", ties).out
    assert "same as 0" not in ave("score", *words, "--ties", "file").out
    assert "0, same as 1: equal order of documents." in ave("score", *words).out


def test_ranks_are_needed_where_they_are_asked_for(files: tuple[Path, Path, Path]) -> None:
    bad = put(files[0].parent, "3 Q0 g 1 2 s\n3 Q0 f first 1 s\n", "bad.run")
    said = refusal("score", files[0], bad, "--ties", "rank", "-m", "RR")
    assert f"{bad}:2: the rank is no whole number, which --ties rank needs" in said
    assert ave("score", files[0], bad, "-m", "RR").code == 0  # else it is not used
    gold, run = "gold/tiny.xml", "sample_runs/tiny/careful.txt"
    again = put(files[0].parent, Path(run).read_text(), "again.txt")
    for command in ("score", "report", "compare", "stability", "swap"):
        said = refusal(command, gold, run, again, "--ties", "rank")
        assert "--ties rank: only TREC runs have ranks" in said
    with pytest.raises(ave_score.UsageError, match="only TREC runs have ranks"):
        ave_score.score(gold, [run], policies=ave_score.Policies(ties="rank"))


@each("lines, code", [
    ("1 Q0 a 1 2 s\n1 Q0 b 2 3 s\n", "AVE212"),
    ("1 Q0 a 1 2 s\n1 Q0 b 1 3 s\n1 Q0 c 2 2.5 s\n", "AVE212"),  # rank 1 twice, one of them below
    ("1 Q0 a 1 2 s\n1 Q0 b 1 3 s\n1 Q0 c 2 2 s\n", ""),
    ("1 Q0 a 1 2 s\n1 Q0 b 2 2 s\n2 Q0 e 1 2 s\n2 Q0 x 2 1 s\n", ""),  # equal in one topic only
    ("1 Q0 a 0 1 s\n1 Q0 b 0 7 s\n", ""),  # ranks that say nothing
    ("1 Q0 b 2 7 s\n1 Q0 a 1 9 s\n", ""),
    ("1 Q0 a - 1 s\n1 Q0 b - 7 s\n", ""),
    ("1 Q0 a 1 4 s\n1 Q0 b 2 4 s\n2 Q0 e 1 5 s\n", "AVE213"),
    ("1 Q0 a 1 4.00000001 s\n1 Q0 b 2 4 s\n", "AVE213"),
    ("1 Q0 a 1 4 s\n1 Q0 b 2 3 other\n2 Q0 b 1 3 s\n", "AVE215"),
    ("1 Q0 a 1 4 s\n1 Q0 b 1 4 s\n2 Q0 e 1 5 s\n", ""),
])  # fmt: skip
def test_ranks_that_do_not_go_with_scores_are_told(
    files: tuple[Path, Path, Path], lines: str, code: str
) -> None:
    run = put(files[0].parent, lines, "run")
    for gold in (None, files[0]):
        findings = ave_score.check(run, gold, kind="trec-run").findings
        assert {found.rule.code for found in findings} - {"AVE211"} == ({code} if code else set())
    assert (code in ave("score", *files[:1], run, "-m", "RR").err) or not code


def test_a_mean_over_the_topics_of_the_run_by_hand(files: tuple[Path, Path, Path]) -> None:
    """Without results for topic 2: (1/2 + 1) / 2 of the first run, as trec_eval without -c."""
    qrels, run, other = files
    excluded = ave_score.Policies(missing="excluded")
    scores = ave_score.score(qrels, [run, other], measures="RR, AP", policies=excluded)
    first, second = scores.rows
    assert first.values["mrr"] == Fraction(3, 4)
    assert second.values["mrr"] == (Fraction(1, 2) + 1 + 0) / 3  # it has all topics
    assert "missing:excluded" in scores.signature
    assert first.extent == (2, 6)
    assert second.extent is None
    # the same without the topic
    fewer = put(qrels.parent, QRELS.replace("2 0 e 1\n", ""), "fewer")
    assert ave_score.score(fewer, [run], measures="RR, AP").rows[0].values == first.values
    _, out, err = ave("score", qrels, run, other, "-m", "RR", "--missing", "excluded")
    assert "first.run AVE214 warning: no results for 1 of 3 topics; left out" in err
    checked = ave("check", run, "--collection", qrels, "--missing", "excluded", code=0).out
    assert "AVE214" in checked and "AVE211" not in checked  # as `score` says
    bad = put(qrels.parent, "1 0 a 1\n1 0 b x\n", "bad.txt")  # half of it is sound
    assert "bad.txt:2:7 AVE419 grade is 'x'" in ave("score", bad, run, code=1).err
    assert "first on 2 questions and 6 answers" in out
    out = ave("score", qrels, run, "-m", "RR", "--missing", "excluded", "-f", "trec").out
    assert "num_q                 \tall\t2\n" in out
    out = ave("score", qrels, run, "-m", "RR", "--missing", "excluded", "-f", "csv").out
    assert "mrr,scored_questions,scored_answers,note" in out and "TREC,0.75,2,6," in out
    out = ave("compare", qrels, run, other, "-m", "RR", "--missing", "excluded").out
    said = "compared on the 2 of 3 questions for which every run has results"
    assert said in " ".join(out.split())
    frame = ave_score.per_question(qrels, [run], measures="RR", policies=excluded)
    assert [*frame["mrr"]] == [0.5, 1]
    groups = put(qrels.parent, "1\tx\n2\ty\n3\tx\n", "groups.tsv")
    parts = ave_score.break_down(qrels, [run], groups, measures="RR", policies=excluded)
    assert next(part.values["mrr"] for part in parts.runs[0].parts) == Fraction(3, 4)
    assert "missing" not in ave_score.score(qrels, [run], measures="RR").signature


@each("seed", range(2))
def test_lines_have_the_names_and_figures_of_trec_eval(tmp_path: Path, seed: int) -> None:
    """Each name is one that trec_eval has, with its figure, also of each topic."""
    reason = "TREC'S OWN FIGURES ARE NOT COMPARED: pip install pytrec-eval-terrier"
    peer = pytest.importorskip("pytrec_eval", reason=reason)
    draw = random.Random(seed)
    judged = {f"{t}": {f"D{d}": draw.choice([0, 0, 1, 2]) for d in range(9)} for t in range(5)}
    scored = {t: {f"D{d}": draw.randint(0, 4) + 0.5 for d in range(3, 12)} for t in judged}
    asked = {
        "AP": "map", "AP@5": "map_cut_5", "RR": "recip_rank", "nDCG": "ndcg",
        "nDCG@10": "ndcg_cut_10", "P@10": "P_10", "R@100": "recall_100",
        "Success@5": "success_5", "Rprec": "Rprec", "eleven_points(rule=trec9)": "11pt_avg",
        "precision_at_recall(0.1, rule=trec9)": "iprec_at_recall_0.10",
    }  # fmt: skip
    wanted = {"map", "map_cut.5", "recip_rank", "ndcg", "ndcg_cut.10", "P.10", "recall.100"}
    wanted |= {"success.5", "Rprec", "11pt_avg", "iprec_at_recall.0.10"}
    found = peer.RelevanceEvaluator(judged, wanted).evaluate(scored)
    qrels = [f"{t} 0 {d} {grade}\n" for t, docs in judged.items() for d, grade in docs.items()]
    run = [f"{t} Q0 {d} 0 {score} x\n" for t, docs in scored.items() for d, score in docs.items()]
    paths = put(tmp_path, "".join(qrels), "qrels"), put(tmp_path, "".join(run), "a.run")
    words = ["-m", ",".join(asked), "-f", "trec", "--per-question", "-"]
    lines = [line.split("\t") for line in ave("score", *paths, *words).out.splitlines()]
    printed = {(query, name.strip()): value for name, query, value in lines}
    for name in asked.values():
        for topic, item in found.items():
            assert printed[topic, name] == f"{item[name]:6.4f}"
        mean = sum(item[name] for item in found.values()) / len(found)
        assert float(printed["all", name]) == pytest.approx(mean, abs=0.5001e-4)
    assert len(printed) == (len(found) + 1) * len(asked) + 2  # runid, num_q
    names = ",".join(name for name in asked.values() if name[:2] not in ("11", "ip"))
    again = ave("score", *paths, "-m", names, "-f", "trec").out  # as -m knows them
    assert {line.split()[0] for line in again.splitlines()} == {*names.split(","), "runid", "num_q"}


@each("measure, name", [
    ("RR@5", "mrr@5"),  # trec_eval has no cut-off
    ("AP(rel=2)", "map(rel=2)"),  # its option -l says so, and names stay
    ("Success@2", "success_2"),
    ("hit", "hit"),
    ("map(norm=found)@10", "map(norm=found)@10"),
    ("ndcg(gain=exponential)", "ndcg(gain=exponential)"),  # that of trec_eval is linear
    ("precision_at_recall(0.125, rule=trec9)", "precision_at_recall(0.125, rule=trec9)"),
    ("eleven_points", "eleven_points"),
])  # fmt: skip
def test_what_trec_eval_does_not_have_keeps_its_name(
    files: tuple[Path, Path, Path], measure: str, name: str
) -> None:
    out = ave("score", *files[:2], "-m", measure, "-f", "trec").out
    assert out.splitlines()[2].split("\t")[0].strip() == name
    both = "eleven_points(rule=trec9),eleven_points(rule=trec10)"  # trec_eval 9 and 10 name alike
    assert "11pt_avg" not in ave("score", *files[:2], "-m", both, "-f", "trec").out
    plain = output("score", "gold/tiny.xml", "sample_runs/tiny", "-m", "ndcg, f1", "-f", "trec")
    assert "careful\tall\tndcg(gain=exponential)\t" in plain
    assert "careful\tall\tf1\t" in plain


def test_values_of_topics_are_written(files: tuple[Path, Path, Path]) -> None:
    """By hand: c is at rank 2 of topic 1; topic 2 has no results; g stands before f."""
    rows, lines = (files[0].parent / f"rows.{kind}" for kind in ("csv", "jsonl"))
    expected = {"1": (0.5, 0.5), "2": (0, 0), "3": (1, 0.5)}
    for path in (rows, lines):
        assert ave("score", *files[:2], "-m", "RR, P@2", "--per-question", path).code == 0
    head, *cells = (line.split(",") for line in rows.read_text().splitlines())
    assert head == ["run", "question", "mrr", "precision@2"]
    assert {q: (float(rr), float(p)) for _, q, rr, p in cells} == expected
    found = [json.loads(line) for line in lines.read_text().splitlines()]
    assert {item["question"]: tuple(item["measures"].values()) for item in found} == expected
    frame = ave_score.per_question(*files[:2], measures="RR, P@2")
    assert [tuple(row) for row in frame.to_numpy()] == [*expected.values()]
    usual = ave_score.per_question(*files[:2])  # the measures of tables
    assert list(usual) == [item.key for item in ave_score.score(*files[:2]).measures]
    assert usual["map"].tolist() == pytest.approx([(1 / 2 + 2 / 3) / 3, 0, 1])
    words = ("-m", "RR, P@2", "--missing", "excluded", "--per-question")
    assert ave("score", *files[:2], *words, rows).code == 0
    assert [line.split(",")[1] for line in rows.read_text().splitlines()[1:]] == ["1", "3"]


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
    """Equal scores, grades below 0, documents that nobody judged, topics that only one has. Not
    RR@k: ir_measures has MS MARCO's, which ranks equal scores by ascending id."""
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
    assert {one.run: float(one.value or 0) for one in standings} == pytest.approx(values)
    # by hand: (1/2)/3 + 1 + 0 of `other`
    assert compared.per_question()["other"].tolist() == pytest.approx([1 / 6, 1, 0])
    groups = put(qrels.parent, "1\tx\n2\tx\n3\ty\n", "groups.tsv")
    parts = ave_score.break_down(qrels, runs, groups, measures="AP").runs[1].parts
    assert [float(part.values["map"] or 0) for part in parts[:2]] == pytest.approx([7 / 12, 0])
    lines = ave("score", *files, "-m", "AP", "-f", "trec", "--per-question", "-").out
    assert "other\t1\tmap\t0.1667\n" in lines
    for command in ("stability", "swap"):
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
    (["--missing", "rejected"], "--missing rejected: not available for qrels, where a topic without"
     " results counts 0, or is left out with --missing excluded"),
    (["--threshold", "0.5"], "--threshold: not available for qrels"),
    (["--sweep", "f1"], "--sweep: not available for qrels"),
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
    first = "1 Q0 1_3 1 0.9 my_run\n1 Q0 1_2 2 0.9 my_run\n1 Q0 1_1 3 0.20 my_run\n"
    assert ranked.read_text().startswith(first)
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
    ungraded = "gold/tiny.xml", "sample_runs/tiny/careful.txt"
    assert note not in output("score", *ungraded, "-m", "ndcg")


def test_beside_qrels_lines_of_six_fields_are_a_run_whatever_is_wrong(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As trec_eval ignores the rank field, so it may be anything; a score has to be a number."""
    monkeypatch.chdir(tmp_path)
    put(tmp_path, "301 0 D1 1\n302 0 D1 1\n", "q.txt")
    put(tmp_path, "301 0 D1 - 0.5 x\n302 0 D1 - 0.4 x\n", "ranks.run")
    assert ave("score", "q.txt", "ranks.run", "-m", "RR", "-f", "value").out == "1\n"
    put(tmp_path, "301 0 D1 1 nan x\n302 0 D1 2 0.4 x\n", "nan.run")
    for command in (("score", "q.txt", "nan.run"), ("check", "nan.run", "--collection", "q.txt")):
        done = ave(*command)
        assert done.code == 1
        assert "nan.run:1:12 AVE904" in done.out + done.err
