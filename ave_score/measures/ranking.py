"""Rankings: do the correct answers of a question stand before the others?

Each question's answers are ranked by confidence, the highest first: all candidates, or with
`of=accepted` only those that the run validates. Answers of one confidence stand in the order of
the collection; with ties averaged, every order of them counts alike, exactly. Every question
counts: one without a correct answer, or without any, adds 0. What is not labelled VALIDATED is not
correct. In the formulas, of one question,

    rank     the first place that has a correct answer
    i        a place
    y(i)     1 if the answer there is correct, else 0
    C(i), C(k), C(R)
             correct answers in the first i, k, R places
    k        the number of places looked at
    R        all correct answers of the question, ranked or not
    L        the number of answers that are ranked
    g(i)     the grade of the answer there: its attribute `grade`, else 1 if it is correct
    G(i)     the same where the best answers stand first
    r        a share of the correct answers
    u        questions of which nothing is accepted
    n        all questions

Sources: TREC-8 = Voorhees, The TREC-8 Question Answering Track Report, 1999; NTCIR = Kato,
Fukumoto, Masui, Question Answering Challenge, NTCIR Workshop 4; IR = Manning, Raghavan, Schütze,
Introduction to Information Retrieval, 2008, chapter 8; nDCG = Burges and others, Learning to Rank
using Gradient Descent, 2005, after Järvelin, Kekäläinen, 2002; c@1 = Peñas and Rodrigo, ACL 2011.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction

from ave_score.counts import RANKING, Ranking, RankingCounts
from ave_score.exact import cut, ratio
from ave_score.measures.orders import (
    all_correct,
    correct_in,
    discounted,
    interpolated,
    is_hit,
    length,
    reciprocal_rank,
    sum_of_precisions,
)
from ave_score.measures.parameters import choice, cutoff, number
from ave_score.measures.registry import EXAMPLES, Example, measure

_UNDEFINED = "undefined where there is no question"

_OF = choice("of", "candidates", "accepted")


def _example(*grades: Sequence[int]) -> Counter[Ranking]:
    """Return rankings by grades; an answer with a grade is correct."""
    return Counter(Ranking(tuple((2 * one + (one > 0),) for one in each)) for each in grades)


EXAMPLES[RANKING] = Example(
    "three questions whose answers are, from the first place on, of the grades 5 0 3, 0 4, and 0; "
    "an answer with a grade is correct, and every answer accepted",
    RankingCounts(*2 * [_example([5, 0, 3], [0, 4], [0])]),
)


def _mean(
    counts: RankingCounts, of: object, worth: Callable[[Ranking], Fraction]
) -> Fraction | None:
    """Return the mean over questions of what each ranking is worth."""
    rankings = counts.accepted if of == "accepted" else counts.candidates
    total = sum((times * worth(one) for one, times in rankings.items()), Fraction(0))
    return ratio(total, rankings.total())


@measure(
    "mrr",
    "MRR",
    RANKING,
    _OF,
    is_mean=True,
    formula="mean of 1/rank, 0 without a correct answer",
    undefined=_UNDEFINED,
    source="TREC-8",
    use="Where one correct answer is enough, and users read from the top.",
    avoid="Where several answers are wanted: what follows the first correct one does not count.",
    worked="(1/1 + 1/2 + 0) / 3 = 1/2",
)
def mrr(counts: RankingCounts, of: str) -> Fraction | None:
    """Mean reciprocal rank of the first correct answer."""
    return _mean(counts, of, reciprocal_rank)


@measure(
    "hit",
    "Hit",
    RANKING,
    _OF,
    cutoff(),
    is_mean=True,
    formula="share of questions with C(k) > 0",
    undefined=_UNDEFINED,
    source="TREC-8",
    use="To ask how many questions have a correct answer among the first k.",
    avoid="Without k of all candidates: that says what the collection is like, not the run.",
    worked="(1 + 1 + 0) / 3 = 2/3",
)
def hit(counts: RankingCounts, of: str, k: Fraction | None) -> Fraction | None:
    """Share of the questions with a correct answer in the first k places."""
    return _mean(counts, of, lambda one: is_hit(one, None if k is None else int(k)))


@measure(
    "answer_adoption_rate",
    "Adoption",
    RANKING,
    is_mean=True,
    formula="share of questions with a correct answer among the accepted ones",
    undefined=_UNDEFINED,
    source="NTCIR",
    use="To ask how many questions a user could answer with what the run accepts.",
    avoid="To compare runs that accept different numbers of answers.",
    worked="(1 + 1 + 0) / 3 = 2/3",
)
def answer_adoption_rate(counts: RankingCounts) -> Fraction | None:
    """Share of the questions with a correct answer anywhere among the accepted ones."""
    return _mean(counts, "accepted", lambda one: is_hit(one, None))


@measure(
    "precision@",
    "P@{k}",
    RANKING,
    _OF,
    cutoff(1),
    is_mean=True,
    formula="mean of C(k)/k",
    undefined=_UNDEFINED,
    source="IR",
    use="Where users read k answers, whatever there is.",
    avoid="Where questions have fewer than k correct answers: the best possible is then below 1.",
    worked="(1/1 + 0/1 + 0/1) / 3 = 1/3",
)
def precision_at(counts: RankingCounts, of: str, k: Fraction) -> Fraction | None:
    """Share of correct answers in the first k places; places that are empty are wrong."""
    return _mean(counts, of, lambda one: correct_in(one, int(k)) / k)


@measure(
    "r_precision",
    "R-precision",
    RANKING,
    _OF,
    is_mean=True,
    formula="mean of C(R)/R, 0 where R = 0",
    undefined=_UNDEFINED,
    source="IR",
    use="To look at as many places as there are correct answers: 1 can always be had.",
    avoid="Where users look at a fixed number of answers.",
    worked="(1/2 + 0/1 + 0) / 3 = 1/6",
)
def r_precision(counts: RankingCounts, of: str) -> Fraction | None:
    """Share of correct answers in as many places as the question has correct answers."""

    def worth(one: Ranking) -> Fraction:
        return ratio(correct_in(one, all_correct(one)), all_correct(one)) or Fraction(0)

    return _mean(counts, of, worth)


@measure(
    "map",
    "MAP",
    RANKING,
    choice("norm", "relevant", "returned"),
    _OF,
    is_mean=True,
    formula="mean of 1/R · Σ y(i)·C(i)/i, 0 where R = 0; 1/L instead with norm=returned",
    undefined=_UNDEFINED,
    source="IR; norm=returned as recommenders are evaluated",
    use="Where all correct answers should stand before the others.",
    avoid="With norm=returned to compare lists of different length: a longer one loses.",
    worked="((1/1 + 2/3) / 2 + (1/2) / 1 + 0) / 3 = 4/9",
)
def mean_average_precision(counts: RankingCounts, norm: str, of: str) -> Fraction | None:
    """Mean over questions of the average precision in the places of correct answers."""
    size: Callable[[Ranking], int] = length if norm == "returned" else all_correct

    def worth(one: Ranking) -> Fraction:
        return ratio(sum_of_precisions(one), size(one)) or Fraction(0)

    return _mean(counts, of, worth)


@measure(
    "ndcg",
    "nDCG",
    RANKING,
    _OF,
    cutoff(),
    is_mean=True,
    formula="mean of D(g)/D(G), D(g) = Σ (2^g(i) - 1)/log2(i + 1), D(G) of G(i); 0 where D(G) = 0",
    undefined=_UNDEFINED,
    source="nDCG",
    use="Where some correct answers are better than others: collections with grades.",
    avoid="With large grades, unless the best answers are to outweigh all others.",
    worked="((31/1 + 7/2) / (31/1 + 7/log2(3)) + (15/log2(3)) / (15/1) + 0) / 3 = 0.5350",
)
def ndcg(counts: RankingCounts, of: str, k: Fraction | None) -> Fraction | None:
    """Normalised discounted cumulative gain, of the first k places if k is given."""
    places = None if k is None else int(k)

    def worth(one: Ranking) -> Fraction:
        items = [item for group in (*one.groups, one.unranked) for item in group]
        best = [(item,) for item in sorted(items, reverse=True)]
        return cut(ratio(discounted(one.groups, places), discounted(best, places)) or 0)

    return _mean(counts, of, worth)


@measure(
    "precision_at_recall",
    "P at recall {r}",
    RANKING,
    number("r", Fraction(1, 2), highest=1),
    _OF,
    is_mean=True,
    formula="mean of the best C(i)/i of all i with C(i) ≥ r·R, 0 where there is none",
    undefined=_UNDEFINED,
    source="IR",
    use="For a point of the precision-recall curve; the eleven of 0, 0.1 .. 1 draw it.",
    avoid="Where questions have one correct answer: the curve is then a line, `mrr` says it all.",
    worked="(1/1 + 1/2 + 0) / 3 = 1/2",
)
def precision_at_recall(counts: RankingCounts, share: Fraction, of: str) -> Fraction | None:
    """Interpolated precision where a share of the correct answers has been found."""
    return _mean(counts, of, lambda one: interpolated(one, [share])[0])


@measure(
    "eleven_points",
    "11 points",
    RANKING,
    _OF,
    is_mean=True,
    formula="mean of `precision_at_recall` at 0, 0.1, 0.2 .. 1",
    undefined=_UNDEFINED,
    source="IR",
    use="To sum up the precision-recall curve in a number, as before MAP was the custom.",
    avoid="Where MAP will do: interpolation flatters.",
    worked="((6·1 + 5·2/3) / 11 + 1/2 + 0) / 3 = 89/198",
)
def eleven_points(counts: RankingCounts, of: str) -> Fraction | None:
    """Mean interpolated precision at eleven shares of the correct answers."""
    points = [Fraction(tenth, 10) for tenth in range(11)]

    def worth(one: Ranking) -> Fraction:
        return sum(interpolated(one, points), Fraction(0)) / 11

    return _mean(counts, of, worth)


@measure(
    "ranked_c_at_1",
    "c@1 (ranked)",
    RANKING,
    formula="(Σ 1/rank + u·(Σ 1/rank)/n) / n, over the accepted answers",
    undefined=_UNDEFINED,
    source="ave_score, after c@1: no paper defines it",
    use="To reward leaving questions unanswered where several answers are returned in order.",
    avoid="To compare with published figures: only lists of one answer give the c@1 of papers.",
    worked="(3/2 + 0 · (3/2) / 3) / 3 = 1/2",
    sampler="ranked_c_at_1",
)
def ranked_c_at_1(counts: RankingCounts) -> Fraction | None:
    """c@1 with reciprocal ranks in the place of correct answers; this project's own."""
    mean = _mean(counts, "accepted", reciprocal_rank)
    if mean is None:
        return None
    silent = sum(times for one, times in counts.accepted.items() if not one.groups)
    return mean + mean * silent / counts.accepted.total()
