"""Random subsets of the candidates of a question: best of n, pass@k and votes.

Every subset of a size has the same probability. A question with fewer candidates than asked for
has one subset: all of them. Values are exact means over all subsets; only votes that would take too
long are counted in a sample of them (`inference.votes`). A question without candidates has the
value 0.

Sources: Chen and others, Evaluating Large Language Models Trained on Code, 2021 (pass@k); Wang and
others, Self-Consistency Improves Chain of Thought Reasoning in Language Models, ICLR 2023 (majority
vote); Li and others, Making Language Models Better Reasoners with Step-Aware Verifier, ACL 2023
(weighted vote).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from math import comb, lgamma, log
from typing import NamedTuple

from ave_score.core.exact import sum_by_denominator
from ave_score.measures.registry import NotApplicable

Shape = Sequence[tuple[int, int]]
"""For each group of tied candidates, the best first, its size and its correct candidates."""

MOST_BITS = 2**30
"""The limit of the numbers of subsets of one question in memory, in bits."""

TOO_MANY = "a question has so many candidates that counting its subsets exactly takes too long"


def log_of_subsets(candidates: int, size: int) -> float:
    """Return the binary logarithm of the number of subsets, nearly."""
    logs = lgamma(candidates + 1) - lgamma(size + 1) - lgamma(candidates - size + 1)
    return logs / log(2)


@lru_cache(8)
def _subsets(candidates: int, size: int) -> Sequence[int]:
    """Return for b = 0, 1, .. the number of subsets without the first b candidates.

    Raises `NotApplicable` if these numbers need too much memory.
    """
    if candidates * log_of_subsets(candidates, size) > MOST_BITS:
        raise NotApplicable(TOO_MANY)
    numbers = [comb(candidates, size)]
    for left in range(candidates, 0, -1):
        numbers.append(numbers[-1] * (left - size) // left)
    return numbers


def best_of(shape: Shape, size: int, *, withheld: bool = False) -> Fraction:
    """Return the probability that the best candidate of a random subset is correct.

    Of tied candidates, each is chosen with equal probability; with `withheld`, none is, which is
    not correct. Raises `NotApplicable` for too many candidates.
    """
    candidates = sum([number for number, _ in shape])
    if not candidates:
        return Fraction(0)
    without = _subsets(candidates, min(size, candidates))
    sums: defaultdict[int, int] = defaultdict(int)
    last = 0
    for number, right in shape:
        before, last = last, last + number
        if not right:
            continue
        if withheld:  # no other candidate of the group is in the subset
            sums[1] += right * (without[last - 1] - without[last])
        elif right == number:
            sums[1] += without[before] - without[last]
        else:
            sums[number] += right * (without[before] - without[last])
    return sum_by_denominator(sums) / without[0]


def merged(shape: Shape) -> Shape:
    """Return as few groups with the same `best_of`: all neighbours that are right, or wrong."""
    groups = [(0, 0)]
    for number, right in shape:
        before, also = groups[-1]
        if right == also == 0 or (right == number and also == before):
            groups[-1] = (before + number, also + right)
        else:
            groups.append((number, right))
    return groups


@lru_cache(2**14)
def pass_at(candidates: int, right: int, size: int) -> Fraction:
    """Return the probability that a random subset has a correct candidate.

    Raises `NotApplicable` for too many candidates.
    """
    if not candidates:
        return Fraction(0)
    without = _subsets(candidates, min(size, candidates))
    return 1 - Fraction(without[right], without[0])


@lru_cache(2**14)
def pass_all(candidates: int, right: int, size: int) -> Fraction:
    """Return the probability that all candidates of a random subset are correct.

    Raises `NotApplicable` for too many candidates.
    """
    if not candidates:
        return Fraction(0)
    without = _subsets(candidates, min(size, candidates))
    return Fraction(without[candidates - right], without[0])


# --- votes ----------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Votes:
    """The keys of the candidates of a question, which vote for their key.

    Attributes
    ----------
    keys
        The key of each candidate; "" if it has none, and does not vote.
    shares
        Key -> the share of its candidates that are correct.
    """

    keys: Sequence[str]
    shares: Mapping[str, Fraction]

    @classmethod
    def of(cls, keys: Sequence[str], right: Sequence[int]) -> Votes:
        """Return the votes of candidates with these keys; `right` is 1 for correct ones."""
        of_key: defaultdict[str, list[int]] = defaultdict(list)
        for key, is_right in zip(keys, right, strict=True):
            of_key[key].append(is_right)
        shares = {key: Fraction(sum(rights), len(rights)) for key, rights in of_key.items() if key}
        return cls(keys, shares)

    @cached_property
    def contests(self) -> Mapping[Contest, Fraction]:
        """The contests of the keys with correct candidates, and the sums of their shares."""
        times = Counter(self.keys)
        silent = times.pop("", 0)
        sums: defaultdict[Contest, Fraction] = defaultdict(Fraction)
        of_size = Counter(times.values())
        for key, share in self.shares.items():
            if share:
                others = of_size - Counter([times[key]])
                sizes = tuple(sorted(others.items(), reverse=True))
                sums[Contest(times[key], sizes, silent)] += share
        return sums


class Contest(NamedTuple):
    """A key, and the votes for all others.

    Attributes
    ----------
    own
        The candidates with the key.
    others
        Numbers of candidates with another key, and how many keys have so many; the largest first.
    silent
        The candidates without a key.
    """

    own: int
    others: tuple[tuple[int, int], ...]
    silent: int

    @property
    def candidates(self) -> int:
        """The number of all candidates."""
        return self.own + self.silent + sum(number * times for number, times in self.others)

    def levels(self, size: int) -> Iterator[tuple[int, list[int]]]:
        """Yield each number of votes that the key may win with, and the keys that may have it."""
        for votes in range(1, min(self.own, size) + 1):
            if size - votes < votes:  # no other key can have as many
                yield votes, []
                continue
            able = [(number, times) for number, times in self.others if number >= votes]
            yield votes, [number for number, times in able for _ in range(times)]


def majority(votes: Votes, size: int) -> Fraction:
    """Return the expected share of correct candidates among those with the most frequent key.

    Of the most frequent keys in a subset, each is chosen with equal probability. A subset in which
    no candidate votes counts 0.
    """
    size = min(size, len(votes.keys))
    return sum(
        (share * wins(contest, size) for contest, share in votes.contests.items()), Fraction(0)
    )


@lru_cache(2**12)
def wins(contest: Contest, size: int) -> Fraction:
    """Return the probability that a key is the most frequent one; tied keys share the subset.

    For each number m of votes of the key, the subsets in which no other key has more are counted
    by a product of polynomials, one for each key that may have m votes: the coefficient of x^j is
    the number of ways to take j of its candidates. It ends before x^m; the term of x^m is kept
    apart, by the number of keys that have m votes. All others are taken freely.
    """
    if size == contest.candidates:  # the only subset
        most, times = contest.others[0] if contest.others else (0, 0)
        return Fraction(contest.own >= most, 1 + times * (contest.own == most))
    sums: defaultdict[int, int] = defaultdict(int)
    for votes, able in contest.levels(size):
        ways, rest, keyed = comb(contest.own, votes), size - votes, sum(able)
        free = _binomials(contest.candidates - contest.own - keyed, size)
        width = comb(keyed, min(rest, keyed // 2)).bit_length() // 8 + 1
        for tied, product in enumerate(_product(able, votes, rest, width)):
            first, last = max(0, rest + 1 - len(free)), -(-len(product) // width)
            sums[tied + 1] += ways * sum(
                int.from_bytes(product[at * width : (at + 1) * width], "little") * free[rest - at]
                for at in range(first, last)
            )
    return sum_by_denominator(sums) / comb(contest.candidates, size)


def _product(able: Sequence[int], votes: int, rest: int, width: int) -> Iterator[bytes]:
    """Yield the product of polynomials up to x^rest, by the number of keys with `votes` votes.

    `able` has the numbers of candidates of the keys. The coefficients are side by side in one
    integer, with so many bytes each, and so are multiplied at once.
    """
    bits = 8 * width
    mask, product = (1 << bits * (rest + 1)) - 1, [1]
    for number in able:
        ways = _binomials(number, votes)
        fewer = int.from_bytes(
            b"".join(way.to_bytes(width, "little") for way in ways[:votes]), "little"
        )
        longer = [*product, 0] if len(product) * votes <= rest else product
        product = [
            (term * fewer + (longer[tied - 1] * ways[votes] << bits * votes if tied else 0)) & mask
            for tied, term in enumerate(longer)
        ]
    for term in product:
        yield term.to_bytes(term.bit_length() // 8 + 1, "little")


@lru_cache(2**9)
def _binomials(number: int, most: int) -> Sequence[int]:
    """Return the numbers of ways to take 0, 1, .. and at most `most` of a number of candidates."""
    ways = [1]
    for taken in range(min(number, most)):
        ways.append(ways[-1] * (number - taken) // (taken + 1))
    return ways


MOST_WORK = 1e9
"""The limit of `_work` for all questions: about a second."""


def is_too_much(questions: Iterable[Votes], size: int) -> bool:
    """Tell whether `majority` would take too long for questions."""
    different = {
        (contest, min(size, contest.candidates))
        for votes in questions
        for contest in votes.contests
    }
    done = 0.0
    for contest, drawn in different:
        done += _work(contest, drawn)
        if done > MOST_WORK:
            return True
    return False


def _work(contest: Contest, size: int) -> float:
    """Return the time that `wins` takes, nearly, in units of a few nanoseconds."""
    work = 0.0
    for votes, able in contest.levels(size) if size < contest.candidates else ():
        rest, keyed = size - votes, sum(able)
        if not able:
            continue
        words = 1 + log_of_subsets(keyed, min(rest, keyed // 2)) / 30
        ties = min(len(able), rest // votes) + 1
        terms = min(rest + 1, votes * len(able))
        per_key = (1 + terms // votes) / 2 * (votes * words) ** 1.585
        work += ties * (terms * (200 + 10 * words) + len(able) * (300 + per_key))
    return work


MOST_SUBSETS = 4_000_000
"""The limit of the subsets of all questions that are looked at."""


def are_too_many(questions: Iterable[Votes], size: int) -> bool:
    """Tell whether questions have too many subsets to look at each of them."""
    subsets = 0.0
    for votes in questions if size > 1 else ():
        candidates = len(votes.keys)
        subsets += 2 ** min(50, log_of_subsets(candidates, min(size, candidates)))
        if subsets > MOST_SUBSETS:
            return True
    return False
