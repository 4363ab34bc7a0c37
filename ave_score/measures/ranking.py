"""Rankings: are the correct answers of a question ranked above the others?

The answers of each question are ranked by confidence, highest first: all candidates, or with
`of=accepted` only those that the run validates. Without k, all ranks are used. Every question
counts: a question without answers, or without a correct answer, adds 0.

Answers of equal confidence rank as `--ties` says, by default as the exact mean over all their
orders. If so many are tied that it takes too long, `precision_at_recall` and `eleven_points` have
no value.

In the formulas, for one question:

    rank     the first rank with a correct answer
    i        a rank
    y(i)     1 if the answer at rank i is correct, 0 otherwise
    C(i), C(k), C(R)
             correct answers in the first i, k, R ranks
    k        the cut-off: how many ranks are used, or how many candidates are drawn
    rel      the lowest grade of correct answers, in collections with grades
    R        all correct answers of the question, ranked or not
    L        the number of ranked answers
    C(L)     correct answers among the ranked ones
    binom    the binomial coefficient: the number of ways to draw some of several answers
    N        R; with norm=min min(k, R), with norm=returned the number of ranked answers in the
             first k ranks, with norm=found C(k)
    g(i)     the grade at rank i: its attribute `grade`; without one, 1 if correct and 0 otherwise
    G(i)     the same in the ideal ranking, the best answers first
    r        a share of the correct answers
    u        questions without accepted answers, labelled UNKNOWN or not
    n        all questions

Sources: TREC-8 = Voorhees, The TREC-8 Question Answering Track Report, 1999; recommendation = a
paper on recommending answers in community question answering; IR = Manning, Raghavan, Schütze,
Introduction to Information Retrieval, 2008, chapter 8; ml_metrics = Hamner, the package of Kaggle's
metrics, 2012; nDCG = Burges and others, Learning to Rank using Gradient Descent, 2005; linear nDCG
= Järvelin and Kekäläinen, ACM TOIS 20, 2002, with the discount of trec_eval and scikit-learn;
SemEval-2016 = Nakov and others, SemEval-2016 Task 3, and its scorer; pass@k = Chen and others,
Evaluating Large Language Models Trained on Code, 2021; tau-bench = Yao and others, tau-bench: A
Benchmark for Tool-Agent-User Interaction in Real-World Domains, 2024; c@1 = Peñas and Rodrigo, ACL
2011.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction

from ave_score.counts import RANKING, Ranking, RankingCounts
from ave_score.measures import interpolation, orders
from ave_score.measures.of_rankings import (
    check_replicates,
    interpolated,
    mean_of,
    other_gain,
    places,
    rankings_of,
    too_few,
)
from ave_score.measures.parameters import Value, choice, cutoff, number, whole
from ave_score.measures.registry import EXAMPLES, Example, measure

_UNDEFINED = "undefined if there is no question"

_TENTHS = tuple((tenth, 10) for tenth in range(11))

_OF = choice("of", "candidates", "accepted")
_REL = whole("rel", 1)
_RULE = choice("rule", *interpolation.RANK_RULES)


def _example(*questions: Sequence[int]) -> Counter[Ranking]:
    """Return rankings of these grades; an answer with a grade above 0 is correct."""
    return Counter(Ranking(tuple((2 * g + (g > 0),) for g in grades)) for grades in questions)


EXAMPLES[RANKING] = Example(
    "three questions whose ranked answers have the grades 5 0 3, 0 4, and 0; an answer with a "
    "grade above 0 is correct, and every answer is accepted",
    RankingCounts(_example([5, 0, 3], [0, 4], [0]), _example([5, 0, 3], [0, 4], [0])),
)


@measure(
    "mrr",
    "MRR",
    RANKING,
    _OF,
    _REL,
    cutoff(),
    is_mean=True,
    aliases=("RR", "RR@k"),
    trec_eval=("recip_rank",),
    formula="mean of 1/rank, 0 without a correct answer in the first k ranks",
    undefined=_UNDEFINED,
    source="TREC-8",
    use="If one correct answer is enough, and users read from the top.",
    avoid="If several answers are needed: only the first correct answer counts.",
    worked="(1/1 + 1/2 + 0) / 3 = 1/2",
)
def mrr(counts: RankingCounts, of: str, rel: Fraction, k: Value) -> Fraction | None:
    """Mean reciprocal rank of the first correct answer, if it is in the first k ranks."""
    return mean_of(counts, of, orders.reciprocal_rank, places(k), rel=rel)


@measure(
    "hit",
    "Hit",
    RANKING,
    _OF,
    _REL,
    cutoff(),
    is_mean=True,
    is_share=True,
    aliases=("Success@k",),
    trec_eval=("success_k",),
    formula="share of questions with C(k) > 0",
    undefined=_UNDEFINED,
    source="TREC-8",
    use="To see how many questions have a correct answer in the first k ranks.",
    avoid="Without k, over all candidates: it then describes the collection, not the run.",
    worked="(1 + 1 + 0) / 3 = 2/3",
)
def hit(counts: RankingCounts, of: str, rel: Fraction, k: Value) -> Fraction | None:
    """Share of the questions with a correct answer in the first k ranks."""
    return mean_of(counts, of, orders.is_hit, places(k), rel=rel)


@measure(
    "answer_adoption_rate",
    "Adoption",
    RANKING,
    is_mean=True,
    is_share=True,
    formula="share of questions with a correct answer among the accepted ones",
    undefined=_UNDEFINED,
    source="recommendation",
    use="To see for how many questions the accepted answers contain a correct one.",
    avoid="To compare runs that accept different numbers of answers.",
    worked="(1 + 1 + 0) / 3 = 2/3",
)
def answer_adoption_rate(counts: RankingCounts) -> Fraction | None:
    """Share of the questions with a correct answer among the accepted answers."""
    return mean_of(counts, "accepted", orders.is_hit, None)


@measure(
    "precision@",
    "P@{k}",
    RANKING,
    _OF,
    _REL,
    cutoff(1),
    is_mean=True,
    is_share=True,
    aliases=("P@k",),
    trec_eval=("P_k",),
    formula="mean of C(k)/k",
    undefined=_UNDEFINED,
    source="IR",
    use="If users always read k answers.",
    avoid="If questions have fewer than k correct answers: the maximum is then below 1.",
    worked="(1/1 + 0/1 + 0/1) / 3 = 1/3",
)
def precision_at(counts: RankingCounts, of: str, rel: Fraction, k: Fraction) -> Fraction | None:
    """Share of correct answers in the first k ranks; empty ranks count as wrong."""
    mean = mean_of(counts, of, orders.correct_in, int(k), rel=rel)
    return None if mean is None else mean / k


@measure(
    "recall@",
    "R@{k}",
    RANKING,
    _OF,
    _REL,
    cutoff(5),
    is_mean=True,
    aliases=("R@k",),
    trec_eval=("recall_k",),
    formula="mean of C(k)/R, 0 where R = 0",
    undefined=_UNDEFINED,
    source="IR",
    use="If a later step reads the first k answers, to see how many correct answers it gets.",
    avoid="If questions have more than k correct answers: the maximum is then below 1.",
    worked="(2/2 + 1/1 + 0) / 3 = 2/3",
)
def recall_at(counts: RankingCounts, of: str, rel: Fraction, k: Fraction) -> Fraction | None:
    """Share of the correct answers that are in the first k ranks."""
    return mean_of(counts, of, orders.share_found, int(k), rel=rel)


@measure(
    "r_precision",
    "R-precision",
    RANKING,
    _OF,
    _REL,
    is_mean=True,
    trec_eval=("Rprec",),
    formula="mean of C(R)/R, 0 where R = 0",
    undefined=_UNDEFINED,
    source="IR",
    use="To use as many ranks as there are correct answers, so that the maximum is always 1.",
    avoid="If users read a fixed number of answers.",
    worked="(1/2 + 0/1 + 0) / 3 = 1/6",
)
def r_precision(counts: RankingCounts, of: str, rel: Fraction) -> Fraction | None:
    """Share of correct answers in the first R ranks, R being the number of correct answers."""
    return mean_of(counts, of, orders.share_found, None, rel=rel)


@measure(
    "map",
    "MAP",
    RANKING,
    choice("norm", "relevant", "min", "returned", "found"),
    _OF,
    _REL,
    cutoff(),
    is_mean=True,
    aliases=("AP", "AP@k"),
    trec_eval=("map", "map_cut_k"),
    formula="mean of 1/N · Σ y(i)·C(i)/i over i ≤ k, 0 where N = 0",
    undefined=_UNDEFINED,
    source="IR; norm=min: ml_metrics; norm=returned: recommendation; norm=found: SemEval-2016",
    use="If all correct answers should be ranked above the others.",
    avoid="With norm=returned, to compare lists of different lengths: longer lists lose. With "
    "norm=found and k, to see what was missed: correct answers beyond rank k do not count.",
    worked="((1/1 + 2/3) / 2 + (1/2) / 1 + 0) / 3 = 4/9",
)
def mean_average_precision(
    counts: RankingCounts, norm: str, of: str, rel: Fraction, k: Value
) -> Fraction | None:
    """Mean over questions of the average precision at the ranks of correct answers."""
    return mean_of(counts, of, orders.average_precision, norm, places(k), rel=rel)


@measure(
    "avg_rec@",
    "AvgRec@{k}",
    RANKING,
    _OF,
    cutoff(10),
    formula="mean over i = 1 .. k of ΣC(i) / Σmin(i, R), each sum over all questions",
    undefined="undefined if no question has a correct answer",
    source="SemEval-2016",
    use="To compare with published figures of SemEval-2016 and 2017, Task 3.",
    avoid="If all questions should have equal weight: those with many correct answers weigh more.",
    worked="((1+0)/(1+1) + (1+1)/(2+1) + 8·(2+1)/(2+1)) / 10 = 11/12",
    sampler="avg_rec",
)
def avg_rec(counts: RankingCounts, of: str, k: Fraction) -> Fraction | None:
    """Mean recall over the first k ranks, as a share of the highest possible recall."""
    return orders.average_recall(rankings_of(counts, of), int(k))


@measure(
    "ndcg",
    "nDCG",
    RANKING,
    _OF,
    choice("gain", *orders.GAINS, with_qrels="linear"),
    cutoff(),
    is_mean=True,
    aliases=("ndcg_score(gain=linear)",),
    trec_eval=("ndcg(gain=linear)", "ndcg_cut_k(gain=linear)"),
    formula="mean of D(g)/D(G), D(g) = Σ (2^g(i) - 1)/log2(i + 1) over i ≤ k, D(G) of G(i); 0 "
    "where D(G) = 0; g(i)/log2(i + 1) instead with gain=linear",
    undefined=_UNDEFINED,
    source="nDCG; gain=linear: linear nDCG",
    use="If some correct answers are better than others, in collections with grades.",
    avoid="With large grades, unless the best answers should outweigh all others. The gain of "
    "trec_eval and scikit-learn, gain=linear, gives them less weight.",
    remark=other_gain,
    worked="((31/1 + 7/2) / (31/1 + 7/log2(3)) + (15/log2(3)) / (15/1) + 0) / 3 = 0.5350",
)
def ndcg(counts: RankingCounts, of: str, gain: str, k: Value) -> Fraction | None:
    """Normalised discounted cumulative gain, of the first k ranks if k is given."""
    return mean_of(counts, of, orders.normalised_gain, gain, places(k))


@measure(
    "precision_at_recall",
    "P at recall {r}",
    RANKING,
    number("r", Fraction(1, 2), highest=1),
    _OF,
    _RULE,
    is_mean=True,
    formula="mean of the best C(i)/i of all i with C(i) ≥ r·R, 0 where there is none; in floats "
    "C(i) ≥ ⌊r·R + 0.9⌋ with rule=trec9, C(i) ≥ ⌊r·R + 0.5⌋ with rule=trec10",
    undefined=_UNDEFINED,
    source="IR; rule=trec9, rule=trec10: trec_eval 9 and 10",
    trec_eval=("iprec_at_recall_k(k, rule=trec9)", "iprec_at_recall_k(k, rule=trec10)"),
    use="As a point of the precision-recall curve, which the values at 0, 0.1 .. 1 draw.",
    avoid="If questions have one correct answer: the curve is then flat and equals `mrr`.",
    worked="(1/1 + 1/2 + 0) / 3 = 1/2",
)
def precision_at_recall(
    counts: RankingCounts, share: Fraction, of: str, rule: str
) -> Fraction | None:
    """Interpolated precision at the rank that reaches recall r."""
    return interpolated(counts, (share.as_integer_ratio(),), of, rule)


@measure(
    "eleven_points",
    "11 points",
    RANKING,
    _OF,
    _RULE,
    is_mean=True,
    formula="mean of `precision_at_recall` at 0, 0.1, 0.2 .. 1",
    undefined=_UNDEFINED,
    source="IR",
    trec_eval=("11pt_avg(rule=trec9)", "11pt_avg(rule=trec10)"),
    use="To summarise the precision-recall curve in one number, as was usual before MAP.",
    avoid="If you can use `map`: interpolation overestimates precision.",
    worked="((6·1 + 5·2/3) / 11 + 1/2 + 0) / 3 = 89/198",
)
def eleven_points(counts: RankingCounts, of: str, rule: str) -> Fraction | None:
    """Mean interpolated precision at eleven levels of recall."""
    return interpolated(counts, _TENTHS, of, rule)


@measure(
    "best_of@",
    "Best of {k}",
    RANKING,
    cutoff(2),
    is_mean=True,
    is_share=True,
    formula="mean of Σ y(i)·binom(L - i, k - 1) / binom(L, k); k is L where L < k",
    undefined=_UNDEFINED,
    source="ave_score, the expectation that pass@k takes, for the first-ranked answer",
    use="To see what a verifier would gain from k samples, estimated exactly from more.",
    avoid="If questions have fewer than k candidates: fewer than k are then drawn.",
    worked="(2 / 3 + 0 / 1 + 0 / 1) / 3 = 2/9",
    remark=too_few,
)
def best_of_k(counts: RankingCounts, k: Fraction) -> Fraction | None:
    """Expected accuracy of the most confident of k candidates drawn at random."""
    return mean_of(counts, "candidates", orders.best_of, int(k))


@measure(
    "pass@",
    "pass@{k}",
    RANKING,
    cutoff(1),
    is_mean=True,
    is_share=True,
    ignores_ties=True,
    formula="mean of 1 - binom(L - C(L), k) / binom(L, k); k is L where L < k",
    undefined=_UNDEFINED,
    source="pass@k",
    use="To see what a perfect verifier would reach with k samples.",
    avoid="To compare runs on the same candidates: it is the same for all. Also if questions have "
    "fewer than k candidates. Of QA systems it needs at least k replicates of each question.",
    worked="((1 - 1/3) + (1 - 1/2) + (1 - 1/1)) / 3 = 7/18",
    remark=too_few,
)
def pass_at_k(counts: RankingCounts, k: Fraction) -> Fraction | None:
    """Probability that k candidates drawn at random include a correct answer: the oracle."""
    check_replicates(counts, k)
    return orders.mean(counts.candidates, orders.pass_at, int(k))


@measure(
    "pass_all@",
    "pass_all@{k}",
    RANKING,
    cutoff(2),
    is_mean=True,
    is_share=True,
    ignores_ties=True,
    formula="mean of binom(C(L), k) / binom(L, k); k is L where L < k",
    undefined=_UNDEFINED,
    source="tau-bench, which calls it pass^k",
    use="To see how reliable a system is: whether k attempts at a question all succeed, estimated "
    "from k or more replicates without bias.",
    avoid="With fewer than k replicates of a question, which QA systems need. A system that always "
    "gives the same answer has its accuracy for every k.",
    worked="(1/3 + 0/1 + 0/1) / 3 = 1/9",
    remark=too_few,
)
def pass_all_at_k(counts: RankingCounts, k: Fraction) -> Fraction | None:
    """Probability that k candidates drawn at random are all correct."""
    check_replicates(counts, k)
    return orders.mean(counts.candidates, orders.pass_all, int(k))
