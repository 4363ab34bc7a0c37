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
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import accumulate
from math import ceil, comb, prod
from typing import NamedTuple

from ave_score.counts import Family, Ranking, RankingCounts
from ave_score.exact import cut, log2, ratio
from ave_score.measures.parameters import choice, cutoff, number
from ave_score.measures.registry import EXAMPLES, Example, measure

_RANKING = Family.RANKING
_UNDEFINED = "undefined where there is no question"

_OF = choice("of", "candidates", "accepted")


def _example(*grades: Sequence[int]) -> Counter[Ranking]:
    """Return rankings by grades; an answer with a grade is correct."""
    return Counter(Ranking(tuple((2 * one + (one > 0),) for one in each)) for each in grades)


EXAMPLES[_RANKING] = Example(
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


def _correct(items: Sequence[int]) -> int:
    """Return how many answers are correct."""
    return sum(item & 1 for item in items)


def _all_correct(ranking: Ranking) -> int:
    """Return R: the correct answers of the question."""
    return sum(map(_correct, ranking.groups)) + _correct(ranking.unranked)


def _length(ranking: Ranking) -> int:
    """Return L."""
    return sum(map(len, ranking.groups))


def _placed(ranking: Ranking) -> Iterator[tuple[int, int, int, int]]:
    """Yield of each group how many places, and correct answers, stand before it and in it."""
    places = correct = 0
    for group in ranking.groups:
        right = _correct(group)
        yield places, correct, len(group), right
        places += len(group)
        correct += right


def reciprocal_rank(ranking: Ranking) -> Fraction:
    """Return 1/rank of the first correct answer, 0 without one; the mean over orders of ties."""
    for before, _, size, right in _placed(ranking):
        if right:  # the first of them stands in the j-th place of its group
            ways = (
                Fraction(comb(size - j, right - 1), before + j) for j in range(1, size - right + 2)
            )
            return sum(ways, Fraction(0)) / comb(size, right)
    return Fraction(0)


def _correct_in(ranking: Ranking, places: int) -> Fraction:
    """Return how many correct answers are to be expected in the first places."""
    total = Fraction(0)
    for before, _, size, right in _placed(ranking):
        total += Fraction(right * min(max(places - before, 0), size), size)
    return total


def _is_hit(ranking: Ranking, places: int | None) -> Fraction:
    """Return how probable a correct answer is in the first places."""
    for before, _, size, right in _placed(ranking):
        inside = size if places is None else min(max(places - before, 0), size)
        if right:
            return 1 - Fraction(comb(size - right, inside), comb(size, inside))
    return Fraction(0)


def _sum_of_precisions(ranking: Ranking) -> Fraction:
    """Return the sum of the precisions in the places of correct answers."""
    total = Fraction(0)
    for before, correct, size, right in _placed(ranking):
        for j in range(size if right else 0):
            others = Fraction(j * (right - 1), size - 1) if j else 0
            total += Fraction(right, size) * (correct + 1 + others) / (before + j + 1)
    return total


@measure(
    "mrr",
    "MRR",
    _RANKING,
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
    _RANKING,
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
    return _mean(counts, of, lambda one: _is_hit(one, None if k is None else int(k)))


@measure(
    "answer_adoption_rate",
    "Adoption",
    _RANKING,
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
    return _mean(counts, "accepted", lambda one: _is_hit(one, None))


@measure(
    "precision@",
    "P@{k}",
    _RANKING,
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
    return _mean(counts, of, lambda one: _correct_in(one, int(k)) / k)


@measure(
    "r_precision",
    "R-precision",
    _RANKING,
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
        return ratio(_correct_in(one, _all_correct(one)), _all_correct(one)) or Fraction(0)

    return _mean(counts, of, worth)


@measure(
    "map",
    "MAP",
    _RANKING,
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
    size: Callable[[Ranking], int] = _length if norm == "returned" else _all_correct

    def worth(one: Ranking) -> Fraction:
        return ratio(_sum_of_precisions(one), size(one)) or Fraction(0)

    return _mean(counts, of, worth)


def _gain(item: int) -> int:
    """Return 2^g - 1 of an answer."""
    return (1 << (item >> 1)) - 1


@cache
def _discount(place: int) -> Fraction:
    return cut(1 / log2(place + 1))


def _discounted(groups: Sequence[Sequence[int]], places: int | None) -> Fraction:
    """Return the discounted gain of the first places; a group shares its gains."""
    total, before = Fraction(0), 0
    for group in groups:
        gain = Fraction(sum(map(_gain, group)), len(group))
        last = before + len(group)
        end = last if places is None else min(last, places)
        if gain:
            total += gain * sum(map(_discount, range(before + 1, end + 1)))
        before = last
    return total


@measure(
    "ndcg",
    "nDCG",
    _RANKING,
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
        return cut(ratio(_discounted(one.groups, places), _discounted(best, places)) or 0)

    return _mean(counts, of, worth)


def _interpolated(ranking: Ranking, shares: Sequence[Fraction]) -> list[Fraction]:
    """Return the best precision in any place that has found each share of the correct answers.

    The best precision is always that in the place of a correct answer.
    """
    everything = _all_correct(ranking)
    certain = [Fraction(0)] * (everything + 2)  # the best from the n-th correct answer on
    tied: list[_Tied] = []
    for before, correct, size, right in _placed(ranking):
        if right == size:
            for m in range(1, size + 1):
                certain[correct + m] = Fraction(correct + m, before + m)
        elif right:
            tied.append(_Tied(before, correct, size, right))
    certain = list(accumulate(reversed(certain), max))[::-1]
    found = [max(1, ceil(share * everything)) for share in shares]
    best = {needed: certain[needed] for needed in found}
    if tied:
        best = _expected_best(tied, best)
    return [best[needed] for needed in found]


class _Tied(NamedTuple):
    """Answers that share places, some of them correct: what stands before, and how many."""

    before: int
    correct: int
    size: int
    right: int

    def precisions(self) -> Iterator[Fraction]:
        """Yield every precision that there may be in the place of a correct answer."""
        for m in range(1, self.right + 1):
            for place in range(m, self.size - self.right + m + 1):
                yield Fraction(self.correct + m, self.before + place)

    def below(self, limit: Fraction, needed: Iterable[int]) -> list[Fraction]:
        """Return the share of orders with all precisions below a limit.

        Only the precisions from the n-th correct answer of the whole ranking on, for each n that
        is needed. Ways are counted from the last correct answer to the first.
        """
        firsts = [max(1, one - self.correct) for one in needed]
        shares = dict.fromkeys(range(self.right + 1, max(firsts) + 1), Fraction(1))
        every = comb(self.size, self.right)
        behind = [*[1] * (self.size + 1), 0]  # of the answers behind one in this place
        for m in range(self.right, 0, -1):
            lowest = (self.correct + m) * limit.denominator // limit.numerator - self.before + 1
            ways = [way if place >= lowest else 0 for place, way in enumerate(behind)]
            if m in firsts:
                orders = (comb(place - 1, m - 1) * ways[place] for place in range(m, self.size + 1))
                shares[m] = Fraction(sum(orders), every)
            behind = [*list(accumulate(reversed(ways)))[-2::-1], 0]
        return [shares[first] for first in firsts]


def _expected_best(tied: Sequence[_Tied], certain: Mapping[int, Fraction]) -> dict[int, Fraction]:
    """Return the best precision to expect from the n-th correct answer on.

    `certain` has what there is in every order, for each n. The mean of a number is the sum of its
    steps, each times how probable it is that the number is not below it.
    """
    total, reached = dict(certain), dict(certain)
    for step in sorted({one for group in tied for one in group.precisions()}):
        below = [group.below(step, certain) for group in tied]
        for needed, *shares in zip(certain, *below, strict=True):
            if step > reached[needed]:
                total[needed] += (step - reached[needed]) * (1 - prod(shares))
                reached[needed] = step
    return total


@measure(
    "precision_at_recall",
    "P at recall {r}",
    _RANKING,
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
    return _mean(counts, of, lambda one: _interpolated(one, [share])[0])


@measure(
    "eleven_points",
    "11 points",
    _RANKING,
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
        return sum(_interpolated(one, points), Fraction(0)) / 11

    return _mean(counts, of, worth)


@measure(
    "ranked_c_at_1",
    "c@1 (ranked)",
    _RANKING,
    formula="(Σ 1/rank + u·(Σ 1/rank)/n) / n, over the accepted answers",
    undefined=_UNDEFINED,
    source="ave_score, after c@1: no paper defines it",
    use="To reward leaving questions unanswered where several answers are returned in order.",
    avoid="To compare with published figures: only lists of one answer give the c@1 of papers.",
    worked="(3/2 + 0 · (3/2) / 3) / 3 = 1/2",
)
def ranked_c_at_1(counts: RankingCounts) -> Fraction | None:
    """c@1 with reciprocal ranks in the place of correct answers; this project's own."""
    mean = _mean(counts, "accepted", reciprocal_rank)
    if mean is None:
        return None
    silent = sum(times for one, times in counts.accepted.items() if not one.groups)
    return mean + mean * silent / counts.accepted.total()
