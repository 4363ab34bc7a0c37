"""The accuracy of choices among n candidates, of every n: values, differences and intervals."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import partial
from itertools import combinations
from typing import NamedTuple

import numpy as np

from ave_score.core.exact import as_integers, sum_by_denominator
from ave_score.core.model import Label
from ave_score.core.policies import IntervalPolicy
from ave_score.files.scores import VerifierScores
from ave_score.inference.by_question import ByQuestion, CountRows
from ave_score.inference.intervals import Estimate, interval_of
from ave_score.inference.resampling import Resampling, replicate
from ave_score.inference.votes import (
    Won,
    number_of_draws,
    sampled_votes,
    weighted_majority,
)
from ave_score.measures import MEASURES, subsets
from ave_score.measures.registry import NotApplicable
from ave_score.measures.subsets import Shape, Votes

_MEASURE = MEASURES["best_of@"]
_NEGATIVE = "there are negative scores, so sums of scores are not votes"


class Point(NamedTuple):
    """The accuracy of a choice among n candidates.

    Attributes
    ----------
    n
        The number of candidates.
    value
        The mean over the questions, in 0..1; None if it is not computed.
    each
        The values of the questions.
    reason
        Why there is no value, as the end of a sentence.
    interval
        The confidence interval, if it was asked for.
    error
        The standard error of the sampling, if votes were counted in random subsets; else None.
    """

    n: int
    value: Fraction | None
    each: Sequence[Fraction] = ()
    reason: str = ""
    interval: Estimate | None = None
    error: float | None = None


class Curve(NamedTuple):
    """The accuracy of a choice over n.

    Attributes
    ----------
    choice
        `verifier` (the highest score), `majority` (the most frequent key), `weighted` (the key with
        the highest sum of scores), `oracle` (a correct one, if there is one: pass@n) or `random`.
    verifier
        The name of the verifier, if there is one.
    points
        A point for each n.
    other
        In a difference, the verifier whose accuracy is subtracted; else "".
    """

    choice: str
    verifier: str
    points: Sequence[Point]
    other: str = ""

    @property
    def name(self) -> str:
        """The name that figures show."""
        if self.choice == "verifier":
            return self.verifier
        name = self.choice.capitalize()
        return f"{name} ({self.verifier})" if self.verifier else name


class Candidates(NamedTuple):
    """The judged candidates of a question.

    Attributes
    ----------
    right
        1 for each correct candidate, else 0.
    shapes, weights
        For each verifier: the candidates by descending score, and their scores as integers.
    votes
        The keys of the candidates.
    """

    right: Sequence[int]
    shapes: Sequence[Shape]
    weights: Sequence[Sequence[int]]
    votes: Votes


class _Choice(NamedTuple):
    """A way to choose: its value for a question, why it has none, and when that takes too long.

    `weighting` is the number of a vote among those of `won_votes`.
    """

    choice: str
    verifier: str
    worth: Callable[[Candidates, int], Fraction]
    reason: str = ""
    takes_too_long: Callable[[int], bool] = lambda _: False
    weighting: int = -1

    def is_sampled(self, size: int) -> bool:
        """Tell whether votes are counted in random subsets of this size."""
        return not self.reason and self.takes_too_long(size)


def sizes_of(questions: Sequence[Candidates]) -> list[int]:
    """Return 1, 2, 4, .. and the largest number of candidates."""
    most = max((len(question.right) for question in questions), default=1) or 1
    return [*(1 << power for power in range((most - 1).bit_length())), most]


def questions_of(verifiers: Sequence[VerifierScores], ties: str) -> Iterator[Candidates]:
    """Yield the judged candidates of each question of the collection."""
    first = verifiers[0]
    keys = first.keys or [""] * len(first.labels)
    weights = [as_integers(scores.values)[0].tolist() for scores in verifiers] if any(keys) else []
    for span in first.index.spans:
        positions = [at for at in range(span.start, span.stop) if first.labels[at] != Label.UNKNOWN]
        right = [int(first.labels[at] == Label.VALIDATED) for at in positions]
        yield Candidates(
            right,
            [_shape(verifier, positions, ties) for verifier in verifiers],
            [[of_verifier[at] for at in positions] for of_verifier in weights],
            Votes.of([keys[at] for at in positions], right),
        )


def _shape(scores: VerifierScores, positions: Sequence[int], ties: str) -> Shape:
    """Return the sizes and correct candidates of groups with the same score, the best first."""
    values, order = np.asarray(scores.values)[positions], np.asarray(scores.order)[positions]
    groups = np.unique(-values, return_inverse=True)[1]
    if ties in ("first", "last"):
        sign = 1 if ties == "first" else -1
        ranked = np.lexsort((sign * order.astype(np.int64), -values))
        groups[ranked] = np.arange(len(groups))
    sizes = np.bincount(groups)
    labels = np.frombuffer(scores.labels, np.uint8)[positions]
    right = np.bincount(groups[labels == Label.VALIDATED], minlength=len(sizes))
    shape = [*zip(sizes.tolist(), right.tolist(), strict=True)]
    return shape if ties == "none" else subsets.merged(shape)


def curves_of(
    verifiers: Sequence[VerifierScores],
    questions: Sequence[Candidates],
    sizes: Sequence[int],
    ties: str,
    seed: int,
    intervals: IntervalPolicy | None,
) -> tuple[list[Curve], list[Curve], int]:
    """Return the curves of all choices, their differences, and the number of random subsets."""
    choices = [*_choices(verifiers, questions, ties)]
    votes = _SampledVotes(questions, choices, sizes, seed)
    curves = [
        Curve(
            choice.choice,
            choice.verifier,
            [votes.point(choice, size) or _point(choice, questions, size) for size in sizes],
        )
        for choice in choices
    ]
    if intervals is None:
        return curves, [], votes.draws
    both = [*curves, *_differences(curves)]
    made = _with_intervals(both, verifiers[0].index.questions, intervals)
    return made[: len(curves)], made[len(curves) :], votes.draws


# --- choices --------------------------------------------------------------------------------------


def _choices(
    verifiers: Sequence[VerifierScores], questions: Sequence[Candidates], ties: str
) -> Iterator[_Choice]:
    for number, verifier in enumerate(verifiers):
        yield _Choice("verifier", verifier.name, partial(_best, number, ties == "none"))
    votes = [question.votes for question in questions]
    if any(of_question.shares for of_question in votes):
        yield _Choice(
            "majority",
            "",
            lambda question, n: subsets.majority(question.votes, n),
            takes_too_long=partial(subsets.is_too_much, votes),
            weighting=0,
        )
        for number, verifier in enumerate(verifiers):
            yield _Choice(
                "weighted",
                verifier.name,
                partial(_weighted, number),
                _NEGATIVE * (min(verifier.values, default=0) < 0),
                partial(subsets.are_too_many, votes),
                1 + number,
            )
    yield _Choice(
        "oracle",
        "",
        lambda question, n: subsets.pass_at(len(question.right), sum(question.right), n),
    )
    yield _Choice(
        "random", "", lambda question, _: Fraction(sum(question.right), max(1, len(question.right)))
    )


def _best(number: int, withheld: bool, question: Candidates, size: int) -> Fraction:
    return subsets.best_of(question.shapes[number], size, withheld=withheld)


def _weighted(number: int, question: Candidates, size: int) -> Fraction:
    return weighted_majority(question.votes, question.weights[number], size)


class _SampledVotes:
    """The votes of choices that would take too long, in the same random subsets.

    Attributes
    ----------
    draws
        The number of subsets of each question; 0 if there are no such choices.
    """

    def __init__(
        self,
        questions: Sequence[Candidates],
        choices: Sequence[_Choice],
        sizes: Sequence[int],
        seed: int,
    ) -> None:
        self._wanted = {
            (choice.weighting, size)
            for choice in choices
            for size in sizes
            if choice.is_sampled(size)
        }
        self.draws = 0
        self._won: list[dict[int, list[Won]]] = []
        if not self._wanted:
            return
        drawn = sorted({size for _, size in self._wanted})
        self.draws = number_of_draws([len(question.right) for question in questions])
        for at, question in enumerate(questions):
            # those of negative scores are not asked for
            weights = [[max(0, weight) for weight in by] for by in question.weights]
            won = sampled_votes(question.votes, weights, drawn, self.draws, [seed, at])
            self._won.append(dict(zip(drawn, won, strict=True)))

    def point(self, choice: _Choice, size: int) -> Point | None:
        """Return the mean over the questions, and its standard error; None if it is not sampled."""
        if (choice.weighting, size) not in self._wanted:
            return None
        won = [of_question[size][choice.weighting] for of_question in self._won]
        values, number = [of_question.value for of_question in won], len(won)
        error = sum(of_question.variance for of_question in won) / self.draws
        return Point(size, sum(values, Fraction(0)) / number, values, error=error**0.5 / number)


def _point(choice: _Choice, questions: Sequence[Candidates], size: int) -> Point:
    """Return the mean over the questions."""
    if choice.reason:
        return Point(size, None, reason=choice.reason)
    values, sums = [Fraction(0)] * len(questions), defaultdict[int, int](int)
    try:  # questions with equally many candidates share their numbers of subsets
        for at in sorted(range(len(questions)), key=lambda at: len(questions[at].right)):
            values[at] = choice.worth(questions[at], size)
            sums[values[at].denominator] += values[at].numerator
    except NotApplicable as not_applicable:
        return Point(size, None, reason=str(not_applicable))
    return Point(size, sum_by_denominator(sums) / max(1, len(questions)), values)


def _differences(curves: Sequence[Curve]) -> Iterator[Curve]:
    """Yield the differences of each two verifiers; all choices of one candidate are equal."""
    for choice in ("verifier", "weighted"):
        for one, other in combinations([curve for curve in curves if curve.choice == choice], 2):
            if len(one.points) == 1:
                return
            _, *both = zip(one.points, other.points, strict=True)
            points = [Point(1, Fraction(0)), *(_minus(*points) for points in both)]
            yield Curve(choice, one.verifier, points, other.verifier)


def _minus(point: Point, other: Point) -> Point:
    if point.value is None or other.value is None:
        return Point(point.n, None, reason=point.reason or other.reason)
    values = [one - two for one, two in zip(point.each, other.each, strict=True)]
    return Point(point.n, point.value - other.value, values)


def _with_intervals(
    curves: Sequence[Curve], ids: Sequence[str], policy: IntervalPolicy
) -> list[Curve]:
    """Return curves with the intervals of their points, all by the same samples of questions."""
    by_size = {point.n: _MEASURE.with_values([Fraction(point.n)]) for point in curves[0].points}
    measures, runs = [*by_size.values()], []
    for number, curve in enumerate(curves):
        rows = {
            by_size[point.n].key: CountRows.of(np.array([(float(x), 1.0) for x in point.each]))
            for point in curve.points
            if point.each
        }
        run = ByQuestion(str(number), {}, rows, ids=ids)
        runs.append(run if policy.clusters is None else run.by_cluster(policy.clusters))
    replicates = replicate(runs, measures, Resampling(policy.resamples, policy.seed))

    def known(run: ByQuestion, point: Point, *, is_signed: bool) -> Point:
        measure = by_size[point.n]
        if is_signed:
            measure = measure._replace(is_share=False, lowest="-1")
        sampled = replicates.get((run.run, measure.key))
        if sampled is None:
            return point
        return point._replace(interval=interval_of(run, measure, sampled, policy))

    return [
        curve._replace(
            points=[known(run, point, is_signed=bool(curve.other)) for point in curve.points]
        )
        for run, curve in zip(runs, curves, strict=True)
    ]
