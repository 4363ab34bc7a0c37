"""Rankings of each question's answers by descending confidence."""

from __future__ import annotations

import math
from array import array
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache, partial, wraps
from itertools import chain, pairwise
from typing import Any, NamedTuple, ParamSpec, TypeVar
from weakref import WeakValueDictionary

from ave_score.core.choices import TIES_CHOICES, TiesChoice, by_descending_ids
from ave_score.core.errors import InputError, UsageError
from ave_score.core.exact import as_plain_integers
from ave_score.core.model import AnswerOutcome, Collection, Label, Run, Verdict
from ave_score.counts.base import ONE_ANSWER, Counts, Family, SelectionBaseline
from ave_score.counts.decisions import ACCEPTED
from ave_score.counts.judged import JudgedSystem

Given = ParamSpec("Given")
Made = TypeVar("Made")


def _shared(function: Callable[Given, Made]) -> Callable[Given, Made]:
    """Return the object that was returned for these arguments as long as it is in use."""
    used: WeakValueDictionary[object, Made] = WeakValueDictionary()

    @wraps(function)
    def share(*given: Given.args, **named: Given.kwargs) -> Made:
        key = (*given, *named.values())
        found = used.get(key)
        if found is None:
            found = used[key] = function(*given, **named)
        return found

    return share


class Ranking:
    """The answers to a question in ranked order, as codes of their worth.

    It is immutable, and equal to any other of the same answers.

    Attributes
    ----------
    groups
        From the first rank to the last. Tied answers whose ranks are averaged form one group. The
        code of an answer is twice its gain, plus 1 if it is correct.
    unranked
        The other answers to the question, which the run rejected, or documents that it lacks.
    unknown
        The number of answers that are left out of the ranking because their label is UNKNOWN.
    """

    __slots__ = ("__weakref__", "_all", "_hash", "groups", "unknown", "unranked")

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

    def correct_from(self, grade: int) -> Ranking:
        """Return the same ranking with the answers of at least this grade as the correct ones."""

        def of(codes: tuple[int, ...]) -> tuple[int, ...]:
            return _group(tuple(code & ~1 | (code >> 1 >= grade) for code in codes))

        return ranking_of(tuple(map(of, self.groups)), of(self.unranked), self.unknown)


@_shared
def ranking_of(
    groups: tuple[tuple[int, ...], ...], unranked: tuple[int, ...], unknown: int
) -> Ranking:
    """Return a ranking; equal ones share an object, so that each is measured once."""
    return Ranking(groups, unranked, unknown)


@dataclass(eq=False, repr=False)
class RankingCounts(Counts):
    """Frequencies of rankings among the questions; expected frequencies for a baseline.

    `candidates` ranks all answers to a question, `accepted` only those that the run validated.
    `order` is `UNORDERED` for the replicates of QA systems, whose ranks mean nothing.
    """

    candidates: Counter[Ranking] = field(default_factory=Counter)
    accepted: Counter[Ranking] = field(default_factory=Counter)
    order: str = "by confidence"


UNORDERED = "replicates"


def count_rankings(run: Run, collection: Collection, ties: str) -> RankingCounts:
    """Return how often each ranking occurs; `ties` is a choice of `Policies.ties`.

    Answers labelled UNKNOWN leave the rankings: condensed lists (Sakai, SIGIR 2007).
    """
    counts, choice = RankingCounts(), TIES_CHOICES[ties]
    frequencies = _frequencies(run, collection, choice)
    for rankings_of, packed in zip((counts.candidates, counts.accepted), frequencies, strict=True):
        for codes, times in packed.items():
            rankings_of[_unpacked(codes, is_mean=choice.is_mean)] += times
    return counts


def rankings(run: Run, collection: Collection, ties: str) -> Iterator[tuple[Ranking, Ranking]]:
    """Yield for each question the rankings of all answers and of the accepted answers."""
    choice = TIES_CHOICES[ties]
    packed = _packed(run, collection, choice)
    unpacked = partial(_unpacked, is_mean=choice.is_mean)
    return zip(*(map(unpacked, codes) for codes in packed), strict=True)


def question_rankings(run: Run, collection: Collection, ties: str) -> Iterator[RankingCounts]:
    """Yield the counts of each question alone; equal rankings share one object."""
    made: dict[tuple[Ranking, Ranking], RankingCounts] = {}
    for pair in rankings(run, collection, ties):
        if pair not in made:
            made[pair] = RankingCounts(Counter([pair[0]]), Counter([pair[1]]))
        yield made[pair]


def replicate_counts(judged: JudgedSystem) -> list[RankingCounts] | None:
    """Return the replicates of each question, without an order; None if there are none."""
    if judged.epochs.most == 1 or judged.system.is_reduced:
        return None
    rights = [
        [one.worth is AnswerOutcome.ANSWERED_RIGHT for one in outcome]
        for outcome in judged.outcomes
    ]
    groups = [(tuple(3 * right for right in sorted(one)),) for one in rights]
    return [RankingCounts(Counter([ranking_of(group, (), 0)]), order=UNORDERED) for group in groups]


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
    alike: Counter[tuple[tuple[int, ...], int]] = Counter()
    for span in collection.index.spans:
        codes = worths[span]
        if unknown := labels[span].count(Label.UNKNOWN):
            pairs = zip(codes, labels[span], strict=True)
            codes = [code for code, label in pairs if label != Label.UNKNOWN]
        alike[tuple(sorted(codes)), unknown] += 1
    return alike


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


# --- runs -----------------------------------------------------------------------------------------

_RANKED, _UNRANKED, _UNKNOWN, _LEFT_OUT = range(4)
"""What an answer is in a packed ranking, which has 32 bits for each: 8 times its worth; 4 if it is
tied with the answer before it; and one of these."""

_BYTES = 4

_LARGEST = 2**62
"""Keys of answers are smaller."""


class _Places(NamedTuple):
    """The answers of a collection as arrays, those to a question in the order of ties."""

    place: Any
    question: Any
    index: Any
    start: Any
    worth: Any
    is_unknown: Any


@lru_cache(maxsize=2)
def _places(collection: Collection, *, keeps_order: bool) -> _Places:
    import numpy as np

    index = collection.index
    bounds = np.array(index.starts, np.int64)
    sizes = np.diff(bounds)
    start = np.repeat(bounds[:-1], sizes)
    place = np.arange(len(start))
    if not keeps_order:
        of_questions = (place[span].tolist() for span in index.spans)
        arranged = (by_descending_ids(places, index.ids) for places in of_questions)
        place = np.fromiter(chain.from_iterable(arranged), np.int64, len(start))
    return _Places(
        place=place,
        question=np.repeat(np.arange(len(sizes)), sizes),
        index=np.arange(len(start)) - start,
        start=start,
        worth=np.array(_worths(collection), np.uint32)[place],
        is_unknown=np.frombuffer(collection.labels, np.uint8)[place] == Label.UNKNOWN,
    )


def own_order(run: Run, choice: TiesChoice) -> array[float] | Sequence[int]:
    """Return the numbers by which a TREC run itself orders its documents, NaN for no document.

    Raises `UsageError` for another run, `InputError` for a rank that is no whole number.
    """
    own = run.ranks if choice.has_ranks else run.lines
    if own is None:
        raise UsageError(f"run {run.name!r} has no ranks: it is no TREC run")
    ranked = zip(run.lines, run.verdicts, own, strict=True) if choice.has_ranks else ()
    for line, verdict, number in ranked:
        if math.isnan(number) and verdict != Verdict.MISSING:
            problem = "the rank is no whole number, which --ties rank needs"
            raise InputError(f"{run.path}:{line}", problem)
    return own


def _arranged(places: _Places, run: Run, choice: TiesChoice) -> _Places:
    """Return the documents of a TREC run in the order of ties that the run has itself."""
    import numpy as np

    key = np.array(own_order(run, choice), float)
    place = np.lexsort((np.array(run.lines), key, places.question))
    at = np.empty_like(places.place)
    at[places.place] = np.arange(len(at))
    worth, is_unknown = places.worth[at[place]], places.is_unknown[at[place]]
    return places._replace(place=place, worth=worth, is_unknown=is_unknown)


@lru_cache(maxsize=1)
def _frequencies(
    run: Run, collection: Collection, choice: TiesChoice
) -> tuple[Counter[bytes], Counter[bytes]]:
    """Return how often each packed ranking occurs, of all answers and of the accepted ones."""
    candidates, accepted = _packed(run, collection, choice)
    return Counter(candidates), Counter(accepted)


def _packed(
    run: Run, collection: Collection, choice: TiesChoice
) -> tuple[list[bytes], list[bytes]]:
    """Return `rankings` as bytes; equal confidences are in the order of ties, and marked."""
    import numpy as np

    places = _places(collection, keeps_order=choice.keeps_order)
    if choice.is_of_run(collection.standard):
        places = _arranged(places, run, choice)
    bits = int(places.index.max(initial=0)).bit_length()
    sure = choice.compared(run.confidences, collection.standard)
    most = (_LARGEST >> bits) // (4 * len(collection.index.starts))
    below = _ranks(sure, most)[places.place]
    width = max(int(below.max(initial=0)), int(places.worth.max(initial=0))) + 1

    def packed(state: Any, order: Any) -> list[bytes]:  # noqa: ANN401 - arrays
        key = ((places.question * 4 + state) * width + order << bits) + places.index
        key.sort()
        at = (key & (1 << bits) - 1) + places.start
        key >>= bits
        state = state[at]
        tied = np.zeros(len(key), np.uint32)
        tied[1:] = (key[1:] == key[:-1]) & (state[1:] == _RANKED)
        codes = (places.worth[at] * 8 + tied * 4 + state).tobytes()
        starts = (_BYTES * start for start in collection.index.starts)
        return [codes[start:end] for start, end in pairwise(starts)]

    ranked = np.where(places.is_unknown, np.uint32(_UNKNOWN), np.uint32(_RANKED))
    others = np.where(places.is_unknown, np.uint32(_LEFT_OUT), np.uint32(_UNRANKED))

    def ranking(verdicts: bytes) -> list[bytes]:
        state = np.where(np.frombuffer(verdicts, bool)[places.place], ranked, others)
        return packed(state, np.where(state == _UNRANKED, places.worth, below))

    return ranking(run.verdicts.translate(_IS_GIVEN)), ranking(run.verdicts.translate(_IS_ACCEPTED))


def _ranks(confidences: array[float], most: int) -> Any:  # noqa: ANN401 - an array
    """Return integers below `most` that rise as confidences fall."""
    import numpy as np

    plain = as_plain_integers(confidences)
    if plain is not None and len(confidences):
        below = plain[0].max() - plain[0]
        if below.max() < most:
            return below
    return np.unique(-np.frombuffer(confidences), return_inverse=True)[1]


_IS_GIVEN = bytes(verdict != Verdict.MISSING for verdict in range(256))
_IS_ACCEPTED = bytes(verdict in ACCEPTED for verdict in range(256))


@_shared
def _unpacked(packed: bytes, *, is_mean: bool) -> Ranking:
    """Return a ranking from its bytes, with groups if the mean is taken over ties."""
    groups: list[list[int]] = []
    unranked: list[int] = []
    unknown = 0
    for code in memoryview(packed).cast("I"):
        worth, state = code >> 3, code & 3
        if state == _RANKED:
            if is_mean and code & 4:
                groups[-1].append(worth)
            else:
                groups.append([worth])
        elif state == _UNRANKED:
            unranked.append(worth)
        elif state == _UNKNOWN:
            unknown += 1
    return ranking_of(tuple(map(_group, map(tuple, map(sorted, groups)))), tuple(unranked), unknown)


@lru_cache(2**10)
def _group(codes: tuple[int, ...]) -> tuple[int, ...]:
    """Return equal groups as one object: long rankings of documents have few others."""
    return codes


RANKING = Family(
    "ranking",
    RankingCounts,
    table="ranking",
    of_run=count_rankings,
    by_question=question_rankings,
    of_questions=replicate_counts,
    of_selection=_expected_rankings,
    why_no_system=ONE_ANSWER,
    is_ranked=True,
    needs_candidates=True,
    of_documents=True,
    unknown="leave the ranking, and those below move up (condensed list); their questions count",
)
