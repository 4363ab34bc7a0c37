"""Rankings of each question's answers by descending confidence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from itertools import groupby, pairwise
from typing import Any, NamedTuple, cast

from ave_score.core.choices import TIES_CHOICES, TiesChoice
from ave_score.core.exact import as_integers
from ave_score.core.model import Collection, Label, Run
from ave_score.counts.base import ONE_ANSWER, Counts, Family
from ave_score.counts.decisions import ACCEPTED
from ave_score.counts.selection import SelectionBaseline


class Ranking:
    """The answers to a question in ranked order, as codes of their worth.

    It is immutable, and equal to any other of the same answers.

    Attributes
    ----------
    groups
        From the first rank to the last. Tied answers whose ranks are averaged form one group. The
        code of an answer is twice its gain, plus 1 if it is correct.
    unranked
        The other answers to the question, which the run rejected.
    unknown
        The number of answers that are left out of the ranking because their label is UNKNOWN.
    """

    __slots__ = ("_all", "_hash", "groups", "unknown", "unranked")

    def __init__(
        self,
        groups: tuple[tuple[int, ...], ...],
        unranked: tuple[int, ...] = (),
        unknown: int = 0,
    ) -> None:
        self.groups, self.unranked, self.unknown = self._all = groups, unranked, unknown
        self._hash = hash(self._all)

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Ranking) and self._all == other._all

    def __repr__(self) -> str:
        return f"Ranking{self._all}"

    def __reduce__(self) -> tuple[Callable[..., Ranking], tuple[object, ...]]:
        return ranking_of, self._all

    @property
    def is_empty(self) -> bool:
        """Whether no answer was ranked, not even one that was left out."""
        return not self.groups and not self.unknown


_CACHED = 2**14
"""Rankings whose values are kept: runs have many in common."""


@lru_cache(_CACHED)
def ranking_of(
    groups: tuple[tuple[int, ...], ...], unranked: tuple[int, ...], unknown: int
) -> Ranking:
    """Return a ranking; equal ones share an object, so that each is measured once."""
    return Ranking(groups, unranked, unknown)


@dataclass(eq=False, repr=False)
class RankingCounts(Counts):
    """Frequencies of rankings among the questions; expected frequencies for a baseline.

    `candidates` ranks all answers to a question, `accepted` only those that the run validated.
    """

    candidates: Counter[Ranking] = field(default_factory=Counter)
    accepted: Counter[Ranking] = field(default_factory=Counter)


_NO_TIES = TiesChoice("")
"""Leaves the order of the collection."""


def count_rankings(run: Run, collection: Collection, ties: str) -> RankingCounts:
    """Return how often each ranking occurs; `ties` is a choice of `Policies.ties`.

    Answers labelled UNKNOWN leave the rankings: condensed lists (Sakai, SIGIR 2007).
    """
    counts = RankingCounts()
    frequencies = _frequencies(run, collection) if _may_pack(run, collection, ties) else None
    if frequencies is None:
        for candidates, accepted in _rankings(run, collection, ties):
            counts.candidates[candidates] += 1
            counts.accepted[accepted] += 1
        return counts
    worths, kept = _levels(collection)[1], _kept(ties)
    for found, codes in zip((counts.candidates, counts.accepted), frequencies, strict=True):
        for code, times in codes.items():
            found[_unpacked(code.translate(kept), worths)] += times
    return counts


def rankings(run: Run, collection: Collection, ties: str) -> Iterator[tuple[Ranking, Ranking]]:
    """Yield for each question the rankings of all answers and of the accepted answers."""
    packed = _packed(run, collection) if _may_pack(run, collection, ties) else None
    if packed is None:
        yield from _rankings(run, collection, ties)
        return
    worths, kept = _levels(collection)[1], _kept(ties)
    for candidates, accepted in zip(*packed, strict=True):
        yield (
            _unpacked(candidates.translate(kept), worths),
            _unpacked(accepted.translate(kept), worths),
        )


def _rankings(run: Run, collection: Collection, ties: str) -> Iterator[tuple[Ranking, Ranking]]:
    worths, labels, verdicts = _worths(collection), collection.labels, run.verdicts
    chosen, ids, sure_of = TIES_CHOICES[ties], collection.index.ids, run.confidences.__getitem__
    for span in collection.index.spans:
        sure = run.confidences[span]
        order = chosen if len(set(sure)) < len(sure) else _NO_TIES
        places: Sequence[int] = range(span.start, span.stop)
        unknown: list[int] = []  # the verdicts on answers that are left out
        if Label.UNKNOWN in labels[span]:
            unknown = [verdicts[place] for place in places if labels[place] == Label.UNKNOWN]
            places = [place for place in places if labels[place] != Label.UNKNOWN]
        arranged = order.arranged(places, ids)
        ranked = sorted(arranged, key=sure_of, reverse=True)
        accepted = [place for place in ranked if verdicts[place] in ACCEPTED]
        others = tuple(sorted(worths[place] for place in places if verdicts[place] not in ACCEPTED))
        left_out = sum(map(unknown.count, ACCEPTED))
        yield (
            ranking_of(_groups(ranked, run, worths, order), (), len(unknown)),
            ranking_of(_groups(accepted, run, worths, order), others, left_out),
        )


def question_rankings(run: Run, collection: Collection, ties: str) -> Iterator[RankingCounts]:
    """Yield the counts of each question alone; equal rankings share one object."""
    made: dict[tuple[Ranking, Ranking], RankingCounts] = {}
    for pair in rankings(run, collection, ties):
        if pair not in made:
            made[pair] = RankingCounts(Counter([pair[0]]), Counter([pair[1]]))
        yield made[pair]


def perfect_rankings(collection: Collection) -> RankingCounts:
    """Return rankings with the best answers first; only correct answers are accepted."""
    counts = RankingCounts()
    for (items, unknown), times in _alike(collection).items():
        best = sorted(items, key=lambda code: (code & 1, code), reverse=True)
        counts.candidates[Ranking(tuple((code,) for code in best), (), unknown)] += times
        accepted = tuple((code,) for code in best if code & 1)
        counts.accepted[Ranking(accepted, tuple(code for code in items if not code & 1))] += times
    return counts


def random_rankings(collection: Collection) -> RankingCounts:
    """Return rankings in which all answers to a question are tied.

    Each answer is the only accepted one with equal probability, so the frequencies are fractions.
    """
    counts = RankingCounts()
    for (items, unknown), times in _alike(collection).items():
        counts.candidates[Ranking((items,) if items else (), (), unknown)] += times
        size = len(items) + unknown
        for item, equal in Counter(items).items():
            at = items.index(item)
            ranking = Ranking(((item,),), items[:at] + items[at + 1 :])
            counts.accepted[ranking] += Fraction(times * equal, size)  # type: ignore[assignment]
        if unknown:
            left_out = Ranking((), items, 1)
            counts.accepted[left_out] += Fraction(times * unknown, size)  # type: ignore[assignment]
        if not size:
            counts.accepted[Ranking(())] += times
    return counts


@lru_cache(maxsize=1)
def _alike(collection: Collection) -> Counter[tuple[tuple[int, ...], int]]:
    """Return how many questions have these codes of judged answers and number of the others."""
    worths, labels = _worths(collection), collection.labels
    found: Counter[tuple[tuple[int, ...], int]] = Counter()
    for span in collection.index.spans:
        codes = worths[span]
        if unknown := labels[span].count(Label.UNKNOWN):
            pairs = zip(codes, labels[span], strict=True)
            codes = [code for code, label in pairs if label != Label.UNKNOWN]
        found[tuple(sorted(codes)), unknown] += 1
    return found


def _expected_rankings(baseline: SelectionBaseline) -> RankingCounts:
    rank = perfect_rankings if baseline.is_perfect else random_rankings
    return rank(baseline.collection)


def _worths(collection: Collection) -> list[int]:
    """Return the code of every answer: twice its gain, plus 1 if it is correct.

    The gain is the grade of the answer; without one it is 1 for a correct answer, else 0.
    """
    correct, grades = collection.labels.translate(_IS_CORRECT), collection.grades
    if not grades:
        return [*correct.translate(_UNGRADED)]
    return [2 * grades.get(place, right) + right for place, right in enumerate(correct)]


_IS_CORRECT = bytes(label == Label.VALIDATED for label in range(256))
_UNGRADED = bytes([0, 3, *range(2, 256)])


def _groups(
    ranked: Sequence[int], run: Run, worths: Sequence[int], order: TiesChoice
) -> tuple[tuple[int, ...], ...]:
    """Return the codes of ranked answers; the mean is taken over the orders of each group."""
    if not order.is_mean:
        return tuple((worths[place],) for place in ranked)
    tied = groupby(ranked, key=run.confidences.__getitem__)
    return tuple(tuple(sorted(worths[place] for place in group)) for _, group in tied)


# --- many answers ---------------------------------------------------------------------------------

_RANKED, _UNRANKED, _UNKNOWN, _LEFT_OUT = range(4)
"""What an answer is in a packed ranking, which has a byte for each: times 8, the number of its
worth; 4 if it is tied with the answer before it; and one of these."""

_MOST_LEVELS = 32


@lru_cache(maxsize=1)
def _levels(collection: Collection) -> tuple[bytes, tuple[int, ...]]:
    """Return the number of the worth of each answer, and these worths; none if there are many."""
    worths = _worths(collection)
    known = sorted({*worths})
    if len(known) > _MOST_LEVELS:
        return b"", ()
    number = {worth: level for level, worth in enumerate(known)}
    return bytes(map(number.__getitem__, worths)), tuple(known)


_UNTIED = bytes(code & ~4 for code in range(256))
"""A table that removes ties from packed rankings."""


def _kept(ties: str) -> bytes | None:
    """Return the table that makes packed rankings what the policy on ties wants, if any."""
    return None if TIES_CHOICES[ties].is_mean else _UNTIED


def _may_pack(run: Run, collection: Collection, ties: str) -> bool:
    """Tell whether packed rankings apply."""
    return bool(run.verdicts) and TIES_CHOICES[ties].keeps_order and bool(_levels(collection)[0])


@lru_cache(maxsize=1)
def _frequencies(run: Run, collection: Collection) -> tuple[Counter[bytes], Counter[bytes]] | None:
    """Return how often each packed ranking occurs, of all answers and of the accepted ones."""
    packed = _packed(run, collection)
    return packed and (Counter(packed[0]), Counter(packed[1]))


class _Places(NamedTuple):
    """The answers of a collection as arrays: question, index in it, start of it, worth, UNKNOWN.

    `size` is the number of answers of every question, 0 if it is not the same.
    """

    size: int
    question: Any
    index: Any
    start: Any
    level: Any
    unknown: Any


@lru_cache(maxsize=1)
def _places(collection: Collection) -> _Places:
    import numpy as np

    bounds = np.frombuffer(collection.index.bounds, np.int64)
    sizes = np.diff(bounds)
    start = np.repeat(bounds[:-1], sizes)
    return _Places(
        size=int(sizes[0]) if (sizes == sizes[0]).all() else 0,
        question=np.repeat(np.arange(len(sizes)), sizes),
        index=np.arange(len(start)) - start,
        start=start,
        level=np.frombuffer(_levels(collection)[0], np.uint8),
        unknown=np.frombuffer(collection.labels, np.uint8) == Label.UNKNOWN,
    )


def _packed(run: Run, collection: Collection) -> tuple[list[bytes], list[bytes]] | None:
    """Return `rankings` as bytes, computed with numpy; None if their keys are too large."""
    import numpy as np

    places = _places(collection)
    confidences = as_integers(run.confidences)[0]
    if confidences.dtype == object:
        _, confidences = np.unique(np.frombuffer(run.confidences), return_inverse=True)
    below = confidences.max() - confidences
    width, bits = max(int(below.max()) + 1, _MOST_LEVELS), int(places.index.max()).bit_length()
    if (4 * len(collection.index.bounds) * width) << bits >= 2**62:
        return None

    def packed(state: Any, order: Any) -> list[bytes]:  # noqa: ANN401 - arrays
        key = ((places.question * 4 + state) * width + order << bits) + places.index
        key.sort()
        at = (key & (1 << bits) - 1) + places.start
        key >>= bits
        state = state[at]
        tied = np.zeros(len(key), np.uint8)
        tied[1:] = (key[1:] == key[:-1]) & (state[1:] == _RANKED)
        found = (places.level[at] * 8 + tied * 4 + state).tobytes()
        if places.size:  # ten times as fast
            return cast("list[bytes]", np.frombuffer(found, f"V{places.size}").tolist())
        starts = collection.index.bounds.tolist()
        return [found[start:end] for start, end in pairwise(starts)]

    state = np.where(places.unknown, np.uint8(_UNKNOWN), np.uint8(_RANKED))
    accepted = np.frombuffer(run.verdicts.translate(_IS_ACCEPTED), bool)
    rejected = np.where(places.unknown, np.uint8(_LEFT_OUT), np.uint8(_UNRANKED))
    of_accepted = np.where(accepted, state, rejected)
    order = np.where(of_accepted == _UNRANKED, places.level, below)
    return packed(state, below), packed(of_accepted, order)


_IS_ACCEPTED = bytes(verdict in ACCEPTED for verdict in range(256))


@lru_cache(_CACHED)
def _unpacked(packed: bytes, worths: tuple[int, ...]) -> Ranking:
    """Return a ranking from its bytes."""
    groups: list[list[int]] = []
    unranked: list[int] = []
    unknown = 0
    for code in packed:
        worth, state = worths[code >> 3], code & 3
        if state == _RANKED:
            if code & 4:
                groups[-1].append(worth)
            else:
                groups.append([worth])
        elif state == _UNRANKED:
            unranked.append(worth)
        elif state == _UNKNOWN:
            unknown += 1
    return ranking_of(tuple(tuple(sorted(group)) for group in groups), tuple(unranked), unknown)


RANKING = Family(
    "ranking",
    RankingCounts,
    table="ranking",
    of_run=count_rankings,
    by_question=question_rankings,
    of_selection=_expected_rankings,
    why_no_system=ONE_ANSWER,
    is_ranked=True,
    needs_candidates=True,
    unknown="leave the ranking, and those below move up (condensed list); their questions count",
)
