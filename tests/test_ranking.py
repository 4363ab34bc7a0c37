"""Measures of rankings: by hand, by every order of ties, against other programs, and properties."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import partial
from itertools import accumulate
from pathlib import Path

import pytest
from hypothesis import given, settings

import ave_score
from ave_score import parse_measures
from tests import each, examples, mostly_slow
from tests import helpers_ranked as naive
from tests.helpers_command import output
from tests.helpers_files import put
from tests.helpers_ranked import (
    Item,
    Question,
    Worth,
    baseline,
    condensed,
    exact,
    make_questions,
    mean,
    mean_over_orders,
    often,
    row_of,
    tied,
    xml_of,
)


def _hit_at(places: int) -> Worth:
    return lambda ranked, everything: naive.hit(ranked[:places], everything)


def _precision_at(places: int) -> Worth:
    return lambda ranked, everything: naive.precision_in(ranked, places)


def _mrr_at(places: int) -> Worth:
    return lambda ranked, everything: naive.reciprocal_rank(ranked[:places], everything)


def _recall_at(places: int) -> Worth:
    return partial(naive.recall, places=places)


def _ap(norm: str, places: int = 10**6) -> Worth:
    return partial(naive.average_precision, norm=norm, places=places)


def _at_recall(share: str, rule: str = "exact") -> Worth:
    return partial(naive.precision_at_recall, share=Fraction(share), rule=rule)


NAIVE: dict[str, Worth] = {
    "mrr": naive.reciprocal_rank,
    "hit": naive.hit,
    "hit@1": _hit_at(1),
    "hit@2": _hit_at(2),
    "hit@9": _hit_at(9),
    "precision@1": _precision_at(1),
    "precision@3": _precision_at(3),
    "precision@9": _precision_at(9),
    "r_precision": naive.r_precision,
    "map": naive.ap_relevant,
    "map(norm=returned)": _ap("returned"),
    "precision_at_recall(0)": _at_recall("0"),
    "precision_at_recall(0.3)": _at_recall("0.3"),
    "precision_at_recall": _at_recall("0.5"),
    "precision_at_recall(1)": _at_recall("1"),
    "eleven_points": naive.eleven_points,
}
"""Measure of all candidates -> what one order of one question is worth."""

CONVENTIONS: dict[str, Worth] = {
    "mrr@1": _mrr_at(1),
    "mrr@2": _mrr_at(2),
    "recall@1": _recall_at(1),
    "recall@2": _recall_at(2),
    "recall@9": _recall_at(9),
    "map@2": _ap("relevant", 2),
    "map(norm=returned)@2": _ap("returned", 2),
    "map(norm=returned)@9": _ap("returned", 9),
    "map(norm=min)": naive.ap_relevant,
    "map(norm=min)@1": _ap("min", 1),
    "map(norm=min)@3": _ap("min", 3),
    "map(norm=found)": _ap("found"),
    "map(norm=found)@1": _ap("found", 1),
    "map(norm=found)@2": _ap("found", 2),
    "map(norm=found)@3": _ap("found", 3),
    "map(norm=found)@9": _ap("found", 9),
    "precision_at_recall(0.3, rule=trec9)": _at_recall("0.3", "trec9"),
    "precision_at_recall(0.3, rule=trec10)": _at_recall("0.3", "trec10"),
    "eleven_points(rule=trec9)": partial(naive.eleven_points, rule="trec9"),
    "eleven_points(rule=trec10)": partial(naive.eleven_points, rule="trec10"),
}
"""The same with cut-offs, norms and rules."""


def of_accepted(key: str) -> str:
    """Return the name of the same measure, of accepted answers."""
    name, at, cutoff = key.partition("@")
    inside = name[:-1] + ", " if name.endswith(")") else name + "("
    return parse_measures(f"{inside}of=accepted){at}{cutoff}")[0].key


BY_HAND = [
    [Item("VALIDATED", "SELECTED", "0.9", 5), Item("REJECTED", "VALIDATED", "0.5"),
        Item("VALIDATED", "REJECTED", "0.1", 3)],
    [Item("REJECTED", "REJECTED", "0.7"), Item("VALIDATED", "SELECTED", "0.4", 4)],
    [Item("REJECTED", "SELECTED", "0.2")],
]  # fmt: skip
"""Correct in place 1 and 3 of 3, in 2 of 2, and in none of 1."""


@each(
    "key, expected",
    [
        # recommenders: AP over what is returned is 5/9, 1/4 and 0
        ("map(norm=returned)", Fraction(29, 108)),
        ("map", (Fraction(5, 6) + Fraction(1, 2)) / 3),  # (1 + 2/3) / 2, 1/2, 0
        ("mrr", (1 + Fraction(1, 2)) / 3),
        # correct at 1 and 3 of 3, and at 2 of 2: the first two ranks have one correct answer each
        ("map@2", (Fraction(1, 2) + Fraction(1, 2)) / 3),  # (1/1) / 2, (1/2) / 1
        ("map(norm=min)@1", (1 + 0) / Fraction(3)),  # (1/1) / min(1, 2), 0 / min(1, 1)
        ("map(norm=returned)@2", (Fraction(1, 2) + Fraction(1, 4)) / 3),
        ("map(norm=found)@2", (1 + Fraction(1, 2)) / 3),
        ("mrr@1", Fraction(1, 3)),
        ("recall@2", (Fraction(1, 2) + 1) / 3),
        ("recall(of=accepted)@2", (Fraction(1, 2) + 1) / 3),
        # of 3 and 2 correct ones 1 and 2 are in ranks 1 and 2 ..., at most 2 and 3 could be
        ("avg_rec@2", (Fraction(1, 2) + Fraction(2, 3)) / 2),
        ("avg_rec@4", (Fraction(1, 2) + Fraction(2, 3) + 1 + 1) / 4),
        ("precision@2", (Fraction(1, 2) + Fraction(1, 2)) / 3),
        ("precision@3", (Fraction(2, 3) + Fraction(1, 3)) / 3),  # empty places are wrong
        ("r_precision", Fraction(1, 2) / 3),  # 1 of 2, 0 of 1, nothing
        ("hit@1", Fraction(1, 3)),
        # accepted: of the first question 1 and 0, of the second 1, of the third 0
        ("mrr(of=accepted)", Fraction(2, 3)),
        ("map(of=accepted)", (Fraction(1, 2) + 1) / 3),  # one of two correct ones is missing
        ("map(norm=returned, of=accepted)", (Fraction(1, 2) + 1) / 3),  # 1/1 of two, of one
        ("precision_at_recall(1, of=accepted)", Fraction(1, 3)),  # the first never has both
        ("eleven_points(of=accepted)", (Fraction(6, 11) + 1) / 3),  # 0, 0.1 .. 0.5 of eleven
        ("answer_adoption_rate", Fraction(2, 3)),
    ],
)
def test_figures_by_hand(key: str, expected: Fraction) -> None:
    assert exact(row_of(BY_HAND, key), key) == expected


@pytest.mark.parametrize(("key", "expected"), [
    # gains 2^5 - 1, 2^3 - 1 and 2^4 - 1; 1/log2(3) = 0.6309297535714575
    ("ndcg", ((31 + 7 * 0.5) / (31 + 7 * 0.6309297535714575) + 0.6309297535714575) / 3),
    ("ndcg@1", 1 / 3),
    ("ndcg@2", (31 / (31 + 7 * 0.6309297535714575) + 0.6309297535714575) / 3),
    ("ndcg(of=accepted)", (31 / (31 + 7 * 0.6309297535714575) + 1) / 3),
])  # fmt: skip
def test_ndcg_of_grades_by_hand(key: str, expected: float) -> None:
    """Grades 5, 0, 3, then 0, 4, then 0: the worked example of measures with grades."""
    assert float(exact(row_of(BY_HAND, key, graded=True), key)) == pytest.approx(
        expected, abs=1e-14
    )


@each("key, expected", [
    # grades 5, 0, 3, then 0, 4, then 0: from 5 only the first answer of all is correct
    ("mrr(rel=5)", Fraction(1, 3)),
    ("hit(rel=5)", Fraction(1, 3)),
    ("precision(rel=5)@3", Fraction(1, 9)),
    # from 4 one answer of each of the first two questions is, in the places 1 and 2
    ("recall(rel=4)@1", Fraction(1, 3)),
    ("r_precision(rel=4)", Fraction(1, 3)),
    ("map(rel=4)", Fraction(1, 2)),
])  # fmt: skip
def test_answers_are_correct_from_a_grade(key: str, expected: Fraction) -> None:
    assert exact(row_of(BY_HAND, key, graded=True), key) == expected


def test_a_run_that_knows_nothing_gets_what_chance_gives() -> None:
    """A right answer first among four of one confidence: 1 in file order, else (1 + .. 1/4) / 4. By
    descending id the right answer, 0, is the last of four."""
    question = [Item("VALIDATED", "SELECTED", "0.5")]
    question += [Item("REJECTED", "REJECTED", "0.5")] * 3
    expected = {"average": Fraction(25, 48), "file": Fraction(1), "trec": Fraction(1, 4)}
    for ties, value in expected.items():
        row = row_of([question], "mrr, map", ties)
        assert row.values == {"mrr": value, "map": value}, ties


UNJUDGED = [
    Item("UNKNOWN", "SELECTED", "0.9"),
    Item("REJECTED", "VALIDATED", "0.8"),
    Item("UNKNOWN", "REJECTED", "0.7"),
    Item("VALIDATED", "VALIDATED", "0.6"),
]


@each("key, condensed_list, incorrect, correct", [
    # UWUR: without U it is WR; U as incorrect WWWR; U as correct RWRR
    ("mrr", Fraction(1, 2), Fraction(1, 4), Fraction(1)),
    ("map", Fraction(1, 2), Fraction(1, 4), (1 + Fraction(2, 3) + Fraction(3, 4)) / 3),
    ("precision@2", Fraction(1, 2), Fraction(0), Fraction(1, 2)),
    ("r_precision", Fraction(0), Fraction(0), Fraction(2, 3)),
    ("map(norm=returned)", Fraction(1, 4), Fraction(1, 16), (Fraction(29, 12)) / 4),
    # accepted UWR: WR, WWR, RWR; of three correct ones, one is not accepted
    ("mrr(of=accepted)", Fraction(1, 2), Fraction(1, 3), Fraction(1)),
    ("map(of=accepted)", Fraction(1, 2), Fraction(1, 3), (1 + Fraction(2, 3)) / 3),
])  # fmt: skip
def test_unknown_answers_leave_the_ranking_unless_they_are_incorrect(
    key: str, condensed_list: Fraction, incorrect: Fraction, correct: Fraction
) -> None:
    """Condensed lists (Sakai, Alternatives to Bpref, SIGIR 2007), by hand."""
    for unknown, expected in (
        ("ignore", condensed_list),
        ("incorrect", incorrect),
        ("correct", correct),
    ):
        assert exact(row_of([UNJUDGED], key, unknown=unknown), key) == expected, unknown


def test_ndcg_of_a_condensed_list_by_hand() -> None:
    """WR with a grade of 2: (3 / log2(3)) / 3; its ideal list has no unjudged answers either."""
    graded = [UNJUDGED[0]._replace(grade=3), *UNJUDGED[1:3], UNJUDGED[3]._replace(grade=2)]
    value = exact(row_of([graded], "ndcg", graded=True), "ndcg")
    assert float(value) == pytest.approx(0.6309297535714575, abs=1e-14)


def test_a_question_whose_accepted_answers_are_all_unknown_is_answered() -> None:
    """c@1 is (1 + 0) / 2, not (1 + 1 · 1/2) / 2 as after silence."""
    questions = [[Item("VALIDATED", "SELECTED", "0.5")], [Item("UNKNOWN", "SELECTED", "0.5")]]
    values = row_of(questions, "c_at_1, mrr(of=accepted)").values
    assert values == dict.fromkeys(values, Fraction(1, 2))


@given(tied)
@often
def test_averaged_ties_are_the_mean_over_every_order(questions: list[Question]) -> None:
    check_every_order(questions, NAIVE)


@given(tied)
@settings(max_examples=examples(15), deadline=None)
def test_cut_offs_norms_and_rules_of_averaged_ties_are_the_mean_over_every_order(
    questions: list[Question],
) -> None:
    check_every_order(questions, CONVENTIONS)


def check_every_order(questions: list[Question], measures: dict[str, Worth]) -> None:
    row = row_of(questions, ", ".join([*measures, *map(of_accepted, measures)]), "average")
    questions = [condensed(question) for question in questions]
    accepted = [[item for item in question if item.accepted] for question in questions]
    for key, worth in measures.items():
        everything = [mean_over_orders(question, worth, question) for question in questions]
        some = [
            mean_over_orders(ranked, worth, question)
            for ranked, question in zip(accepted, questions, strict=True)
        ]
        assert row.values[key] == mean(everything), key
        assert row.values[of_accepted(key)] == mean(some), key


@given(tied)
@often
def test_averaged_ties_of_ndcg(questions: list[Question]) -> None:
    keys = ["ndcg", "ndcg@1", "ndcg@2", "ndcg(of=accepted)@2"]
    keys += ["ndcg(gain=linear)", "ndcg(of=accepted, gain=linear)@2"]
    row = row_of(questions, ", ".join(keys), "average", graded=True)
    for key, places in zip(keys, (10**6, 1, 2, 2, 10**6, 2), strict=True):
        worth = partial(naive.ndcg, places=places, linear="linear" in key)
        values = []
        for question in map(condensed, questions):
            ranked = [item for item in question if item.accepted or "accepted" not in key]
            values.append(mean_over_orders(ranked, worth, question))
        assert float(exact(row, key)) == pytest.approx(float(mean(values)), abs=1e-12), key


@given(tied)
@often
def test_average_recall_is_a_ratio_of_sums_over_all_questions(questions: list[Question]) -> None:
    """Each rank: the correct answers up to it, in all questions, over the most there could be."""
    row = row_of(questions, "avg_rec@3, avg_rec(of=accepted)@9", "average")
    lists = [*map(condensed, questions)]
    sizes = [sum(item.right for item in question) for question in lists]
    for key, places in (("avg_rec@3", 3), ("avg_rec(of=accepted)@9", 9)):
        recalls = []
        for rank in range(1, places + 1):
            found = Fraction(0)
            for one in lists:
                ranked = [item for item in one if item.accepted or "accepted" not in key]
                precision = mean_over_orders(ranked, _precision_at(rank), one)
                found += rank * precision
            recalls.append((found, sum(min(rank, size) for size in sizes)))
        expected = mean([found / most for found, most in recalls]) if any(sizes) else None
        assert row.values[key] == expected


@given(tied)
@often
def test_ties_in_file_order_are_one_of_the_orders(questions: list[Question]) -> None:
    known = NAIVE | CONVENTIONS
    row = row_of(questions, ", ".join([*known, "answer_adoption_rate"]), "file")
    lists = map(condensed, questions)
    ranked = [sorted(one, key=lambda item: item.sure, reverse=True) for one in lists]
    for key, worth in known.items():
        values = [worth(order, order) for order in ranked]
        assert row.values[key] == mean(values), key
    adopted = [Fraction(any(i.right and i.accepted for i in one)) for one in questions]
    assert row.values["answer_adoption_rate"] == mean(adopted)


TREC = {
    "mrr": "recip_rank",
    "map": "map",
    "precision@1": "P_1",
    "precision@5": "P_5",
    "precision@10": "P_10",
    "recall@5": "recall_5",
    "recall@10": "recall_10",
    "map@5": "map_cut_5",
    "map@10": "map_cut_10",
    "r_precision": "Rprec",
    "hit@1": "success_1",
    "hit@5": "success_5",
    "ndcg": "ndcg",
    "ndcg@5": "ndcg_cut_5",
    "eleven_points(rule=trec9)": "11pt_avg",
    "precision_at_recall(rule=trec9)": "iprec_at_recall_0.50",
    **{
        f"precision_at_recall({tenth / 10:g}, rule=trec9)": f"iprec_at_recall_{tenth / 10:.2f}"
        for tenth in (0, 1, 2, 3, 4, 6, 7, 8, 9, 10)
    },
}
"""Our names -> those of trec_eval 9."""

TREC_MEASURES = {"recip_rank", "map", "P.1,5,10", "recall.5,10", "map_cut.5,10", "Rprec"}
TREC_MEASURES |= {"success.1,5", "ndcg", "ndcg_cut.5", "11pt_avg", "iprec_at_recall"}

Judgements = dict[str, dict[str, int]]
Ranked = dict[str, dict[str, float]]


def for_peers(
    questions: list[Question], gain: Callable[[int], int] = lambda grade: 2**grade - 1
) -> tuple[Judgements, Ranked]:
    """Return questions as qrels and a run of TREC. trec_eval takes a grade as it is for the gain of
    nDCG, so it is given 2^grade - 1."""
    gains, ranked = {}, {}
    for number, question in enumerate(questions):
        items = {f"{at}": item for at, item in enumerate(question)}
        gains[f"{number:03d}"] = {at: gain(item.grade) for at, item in items.items()}
        ranked[f"{number:03d}"] = {at: float(item.confidence) for at, item in items.items()}
    return gains, ranked


def untied_questions(seed: int) -> list[Question]:
    """Return questions, all confidences different."""
    return make_questions(seed, 40, 12, None, ("VALIDATED", "REJECTED", "REJECTED"))


def assert_as_trec_eval(
    questions: list[Question],
    judgements: Judgements,
    ranked: Ranked,
    names: dict[str, str],
    ties: str,
) -> None:
    """Compare the means of measures, given as our names -> its names."""
    reason = "TREC'S OWN FIGURES ARE NOT COMPARED: pip install pytrec-eval-terrier"
    pytrec_eval = pytest.importorskip("pytrec_eval", reason=reason)
    evaluator = pytrec_eval.RelevanceEvaluator(judgements, TREC_MEASURES)
    found: dict[str, dict[str, float]] = evaluator.evaluate(ranked)
    row = row_of(questions, ", ".join(names), ties, graded=True)
    assert len(found) == len(questions)
    for key, theirs in names.items():
        expected = sum(values[theirs] for values in found.values()) / len(questions)
        assert float(exact(row, key)) == pytest.approx(expected, abs=1e-10), key


@pytest.mark.parametrize("seed", mostly_slow(range(4)))
def test_rankings_equal_trec_eval(seed: int) -> None:
    questions = untied_questions(seed)
    assert_as_trec_eval(questions, *for_peers(questions), TREC, "average")


@pytest.mark.parametrize("seed", mostly_slow(range(4), 1))
def test_ties_are_ranked_as_trec_eval_does(seed: int) -> None:
    """Four confidences only, and more than ten answers: 9 ranks above 10."""
    labels = ("VALIDATED", "REJECTED", "REJECTED")
    questions = make_questions(seed, 40, 14, ("0.25", "0.5", "0.75", "1"), labels)
    linear = {"ndcg": "ndcg(gain=linear)", "ndcg@5": "ndcg(gain=linear)@5"}
    names = {linear.get(key, key): theirs for key, theirs in TREC.items()}
    assert_as_trec_eval(questions, *for_peers(questions, lambda grade: grade), names, "trec")
    row = row_of(questions, ", ".join(names), "trec", graded=True)
    for key in ("mrr", "map", "map@5", "recall@5", "precision@5", "ndcg(gain=linear)"):
        assert exact(row, key) != exact(row_of(questions, key, "file", graded=True), key)


TREC_303 = """
map .2723 | Rprec .4000 | recip_rank .3333 | P_5 .6000 | P_10 .4000 | P_15 .3333 | P_20 .3000
recall_5 .3000 | recall_10 .4000 | recall_15 .5000 | recall_20 .6000 | recall_500 .6000
map_cut_5 .1433 | map_cut_10 .2005 | map_cut_15 .2389 | map_cut_20 .2723 | ndcg .4730
ndcg_cut_5 .4469 | ndcg_cut_10 .3633 | ndcg_cut_15 .4211 | ndcg_cut_20 .4730 | 11pt_avg .3354
success_1 .0000 | success_5 1.0000 | iprec_0 .6000 | iprec_0.1 .6000 | iprec_0.2 .6000
iprec_0.3 .6000 | iprec_0.4 .5714 | iprec_0.5 .3846 | iprec_0.6 .3333 | iprec_0.7 .0000
iprec_0.8 .0000 | iprec_0.9 .0000 | iprec_1 .0000
"""
"""What trec_eval 10 prints of topic 303 of its own test (usnistgov/trec_eval, test/out.test.aqc).
84 documents are ranked; those at 3, 4, 5, 7, 13 and 18 are relevant, and 4 others (num_ret,
num_rel, relstring and the precisions at 10, 15 and 20 together)."""


@pytest.mark.parametrize("rule", ["exact", "trec9", "trec10"])
def test_a_topic_of_trec_eval_has_the_figures_that_it_prints(rule: str) -> None:
    """r·R is a whole number for ten relevant documents, so that all rules agree."""
    question = [
        Item(
            "VALIDATED" if rank in (3, 4, 5, 7, 13, 18) else "REJECTED", "VALIDATED", f"{-rank}", 1
        )
        for rank in range(1, 85)
    ]
    question[0] = question[0]._replace(verdict="SELECTED")
    question += [Item("VALIDATED", "REJECTED", "-99")] * 4
    words = {
        "map": "map(of=accepted)",
        "Rprec": "r_precision(of=accepted)",
        "recip_rank": "mrr(of=accepted)",
        "ndcg": "ndcg(of=accepted)",
        "11pt": f"eleven_points(of=accepted, rule={rule})",
        "P": "precision(of=accepted)@{}",
        "recall": "recall(of=accepted)@{}",
        "map_cut": "map(of=accepted)@{}",
        "ndcg_cut": "ndcg(of=accepted, gain=linear)@{}",
        "success": "hit(of=accepted)@{}",
        "iprec": f"precision_at_recall({{}}, of=accepted, rule={rule})",
    }
    printed = [figure.split() for line in TREC_303.splitlines() for figure in line.split("|")]
    figures = {}
    for name, figure in filter(None, printed):
        word, _, value = name.rpartition("_") if name not in words else (name, "", "")
        figures[parse_measures(words[word].format(value))[0].key] = float(figure)
    row = row_of([question], ", ".join(figures))
    assert {key: float(exact(row, key)) for key in figures} == pytest.approx(figures, abs=5.0001e-5)


@each("share, correct, expected", [
    # by hand: 0.7 · 3 is 2.0999999999999996 as a float, and 2.9999999999999996 with 0.9
    ("0.7", 3, (3, 2, 2)),
    ("0.1", 14, (2, 2, 1)),  # 1.4; 2.3; 1.4
    ("0.1", 15, (2, 2, 2)),  # 1.5; 2.4; 1.5
    ("0.1", 4, (1, 1, 1)),  # 0.4; 1.3; 0: any correct answer
    ("0.05", 21, (2, 1, 1)),  # 1.05; 1.95; 1.05
    ("1", 7, (7, 7, 7)),
])  # fmt: skip
def test_the_rules_of_interpolation_need_so_many_correct_answers(
    share: str, correct: int, expected: tuple[int, int, int]
) -> None:
    """The n-th correct answer has the rank 2n - 1: precision n/(2n - 1), the highest from there."""
    labels = ["VALIDATED", "REJECTED"] * correct
    question = [Item(one, "REJECTED", f"{-at}") for at, one in enumerate(labels)]
    keys = [f"precision_at_recall({share}, rule={rule})" for rule in ("trec9", "trec10")]
    row = row_of([question], ", ".join([f"precision_at_recall({share})", *keys]))
    assert [*row.values.values()] == [Fraction(n, 2 * n - 1) for n in expected]


@pytest.mark.parametrize("seed", mostly_slow(range(4)))
def test_ndcg_with_averaged_ties_equals_scikit_learn(seed: int) -> None:
    """It averages over ties, too; its gain is what it is given, so that is 2^grade - 1."""
    metrics = pytest.importorskip("sklearn.metrics", reason="SCIKIT-LEARN IS NOT COMPARED")
    questions = [one for one in make_questions(seed, 20, 8) if len(condensed(one)) > 1]
    for key, places in (("ndcg", None), ("ndcg@3", 3), ("ndcg(gain=linear)@3", 3)):
        row = row_of(questions, key, "average", graded=True)
        values = [
            metrics.ndcg_score(
                [[item.grade if "linear" in key else 2**item.grade - 1 for item in question]],
                [[float(item.confidence) for item in question]],
                k=places,
            )
            for question in map(condensed, questions)
        ]
        assert float(exact(row, key)) == pytest.approx(sum(values) / len(values), abs=1e-10)


RANKING = ", ".join([*NAIVE, *map(of_accepted, NAIVE), "ndcg", "ndcg@3", "ndcg(of=accepted)"])
RANKING += ", answer_adoption_rate, " + ", ".join(CONVENTIONS)
CANDIDATES = ", ".join([*NAIVE, "ndcg", "ndcg@3"])


def changed(questions: Sequence[Question], **fields: str) -> list[Question]:
    return [[Item(**{**item._asdict(), **fields}) for item in question] for question in questions]


def test_a_question_without_answers_counts() -> None:
    questions = [[Item("VALIDATED", "SELECTED", "0.5")], []]
    row = row_of(questions, RANKING)
    full = row_of(questions[:1], RANKING)
    for key, value in row.values.items():
        assert value is not None
        assert value == exact(full, key) / 2, key


@given(tied)
@often
def test_random_is_a_run_whose_confidences_are_all_the_same(questions: list[Question]) -> None:
    alike = changed(questions, confidence="0.5", verdict="VALIDATED")
    selected = [[one[0]._replace(verdict="SELECTED"), *one[1:]] for one in alike]
    values = row_of(selected, CANDIDATES, "average").values
    assert baseline(questions, "Random", CANDIDATES).values == values


@given(tied)
@often
def test_random_accepts_one_answer_of_each_question(questions: list[Question]) -> None:
    """So its lists are worth what its selections are."""
    keys = "answer_adoption_rate, mrr(of=accepted), hit(of=accepted)"
    values = baseline(questions, "Random", f"{keys}, qa_accuracy").values
    assert [*values.values()] == [values["qa_accuracy"]] * 4


@given(tied)
@often
def test_no_run_beats_perfect_selection(questions: list[Question]) -> None:
    perfect = baseline(questions, "Perfect selection", RANKING).values
    for ties in ("file", "average"):
        row = row_of(questions, RANKING, ties)
        for key in row.values:
            best = perfect[key]
            assert best is not None
            assert exact(row, key) <= best, key


@pytest.mark.parametrize("size", [40, 400])
def test_many_ties_take_no_time_to_speak_of(size: int) -> None:
    """A correct answer among many of one confidence: the mean of 1/rank is that of 1/1 .. 1/n."""
    question = [Item("REJECTED", "REJECTED", "0.5") for _ in range(size - 1)]
    question.append(Item("VALIDATED", "SELECTED", "0.5"))
    row = row_of([question], RANKING, "average")
    expected = mean([Fraction(1, place) for place in range(1, size + 1)])
    for key in ("mrr", "map", "precision_at_recall(1)", "eleven_points"):
        assert row.values[key] == expected, key


def test_the_best_precision_of_tied_answers_by_hand() -> None:
    """Two correct answers of four; the orders RRWW RWRW RWWR WRRW WRWR WWRR. The best precisions
    are 1 1 1 2/3 1/2 1/2; from the second correct answer onwards they are 1 2/3 1/2 2/3 1/2 1/2.
    Ten of the eleven points need the second one: all but 0, .1, .. .5."""
    labels = ["VALIDATED", "REJECTED", "REJECTED", "VALIDATED"]
    question = [Item(label, "VALIDATED", "0.5") for label in labels]
    question[0] = question[0]._replace(verdict="SELECTED")
    row = row_of([question], "precision_at_recall, precision_at_recall(1), eleven_points")
    first, second = Fraction(14, 3) / 6, Fraction(23, 6) / 6
    assert [*row.values.values()] == [first, second, (6 * first + 5 * second) / 11]


THOUSAND = 1_000


@pytest.mark.parametrize("is_wrong", [False, True])
def test_a_thousand_tied_answers_one_of_which_is_different(is_wrong: bool) -> None:
    """One correct answer among a thousand, or one wrong, at each rank j of 1 to 1,000 alike. One
    correct answer: its precision is 1/j at any recall. One wrong answer: the first 499 of 999
    correct ones do not count at recall 0.5, so the best precision is 1 if j > 500, else that of the
    last rank, 999/1000. At recall 1 it is 1 if j is 1,000, else 999/1000."""
    labels = ["REJECTED", "VALIDATED"][:: -1 if is_wrong else 1]
    question = [Item(labels[0], "VALIDATED", "0.5") for _ in range(THOUSAND)]
    question[7] = Item(labels[1], "SELECTED", "0.5")
    row = row_of([question], "precision_at_recall, precision_at_recall(1)")
    if is_wrong:
        last = Fraction(THOUSAND - 1, THOUSAND)
        expected = [(500 + 500 * last) / THOUSAND, (1 + 999 * last) / THOUSAND]
    else:
        expected = [mean([Fraction(1, rank) for rank in range(1, THOUSAND + 1)])] * 2
    assert [*row.values.values()] == expected


def test_a_thousand_answers_have_every_measure() -> None:
    """One question without ties: every measure of all candidates as the naive computation has it.
    Where all are tied, two exact means would take too long, and that is said."""
    chance = random.Random(3)
    sure = chance.sample(range(10_000), THOUSAND)
    labels = [chance.choice(["VALIDATED", "REJECTED", "REJECTED"]) for _ in sure]
    question = [
        Item(label, "VALIDATED", f"0.{one:04d}") for label, one in zip(labels, sure, strict=True)
    ]
    question[0] = question[0]._replace(verdict="SELECTED")
    row = row_of([question], RANKING)
    assert row.reasons == {} and None not in row.values.values()
    ranked = sorted(question, key=lambda item: item.sure, reverse=True)
    for key in ("mrr", "hit@1", "precision@9", "r_precision", "map"):
        assert exact(row_of([question], key), key) == NAIVE[key](ranked, question), key
    rights = [*accumulate(item.right for item in ranked)]
    reached = [Fraction(n, place) for place, n in enumerate(rights, 1) if 2 * n >= rights[-1]]
    assert row.values["precision_at_recall"] == max(reached)
    without = baseline([question], "Random", RANKING)
    known = [*NAIVE, *CONVENTIONS]
    assert {*without.reasons} == {key for key in known if "at_recall" in key or "eleven" in key}
    assert all("so many answers are tied" in why for why in without.reasons.values())


def test_that_a_mean_takes_too_long_is_said_below_the_table(tmp_path: Path) -> None:
    """The run has no ties unless all its confidences are equal; then its order in the file counts.
    The figure by the mean over all orders, which would show whether ties matter, is missing
    there."""
    gold = [Item("VALIDATED" if place % 2 else "REJECTED", "REJECTED", "0") for place in range(800)]
    reason = "so many answers are tied that the exact mean over all their orders takes too long"
    path = put(tmp_path, xml_of([gold]), "gold.xml")
    for ties, digits, said in (
        ("average", "{:03d}", f"No 11 points for Random: {reason}."),
        ("average", "5", f"No 11 points: {reason}."),
        ("file", "5", f"No 11 points for Random: {reason}."),
    ):
        lines = [f"000 {place} REJECTED 0.{digits.format(place)}\n" for place in range(800)]
        run = put(tmp_path, "".join(lines), "run.txt")
        arguments = ["score", str(path), str(run), "-m", "eleven_points", "--ties", ties]
        assert said in " ".join(output(*arguments).split()), ties


def test_an_answer_without_a_line_outranks_nothing(tmp_path: Path) -> None:
    """The question is answered rightly in the first place, though with a confidence below 0."""
    gold = '<ave><q id="1"><a id="1" value="REJECTED"/><a id="2" value="VALIDATED"/></q></ave>'
    collection = ave_score.read_collection(put(tmp_path, gold, "gold.xml"))
    path = put(tmp_path, "1 2 SELECTED -3.5\n", "run.txt")
    with pytest.warns(ave_score.AveScoreWarning):
        run = ave_score.read_run(path, collection, missing="rejected")
    scores = ave_score.score(collection, [run], measures="mrr, auc")
    assert [*scores.rows[0].values.values()] == [1, 1]
