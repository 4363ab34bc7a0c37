"""Best of N: how accurate is the choice among n of the N candidates of a question?

The choice is that of a verifier, of the most frequent answer, or of both. Every value is the exact
mean over all subsets of n candidates; a question with fewer candidates has all of them in each.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from ave_score.core.collection_summary import hash_of_answers
from ave_score.core.errors import UsageError, wrong_type
from ave_score.core.exact import as_integers, sum_by_denominator
from ave_score.core.model import Label
from ave_score.core.policies import HASH_DIGITS, IntervalPolicy
from ave_score.core.reported import Drawn
from ave_score.core.text import counted
from ave_score.files.scores import VerifierScores
from ave_score.measures import MEASURES, subsets
from ave_score.measures.registry import NotApplicable
from ave_score.measures.subsets import Shape, Votes
from ave_score.tasks.decide import TIES
from ave_score.version import __version__

if TYPE_CHECKING:
    from ave_score.inference.intervals import Estimate

MEAN = "random"
"""The policy on ties by default: the exact mean over random choices among tied candidates."""

_TIES = {
    MEAN: "each is chosen with equal probability",
    "first": "the first in the file is chosen",
    "last": "the last in the file is chosen",
    "none": "none is chosen, which counts as wrong",
}
_NEGATIVE = "there are negative scores, so sums of scores are not votes"
_TOO_LONG = "counting all subsets takes too long"


class Point(NamedTuple):
    """The accuracy of a choice among n candidates.

    Attributes
    ----------
    value
        The mean over the questions, in 0..1; None if it is not computed.
    each
        The values of the questions.
    reason
        Why there is no value, as the end of a sentence.
    interval
        The confidence interval, if it was asked for.
    """

    value: Fraction | None
    each: Sequence[Fraction] = ()
    reason: str = ""
    interval: Estimate | None = None


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
    """

    choice: str
    verifier: str
    points: Sequence[Point]

    @property
    def name(self) -> str:
        """The name that figures show."""
        if self.choice == "verifier":
            return self.verifier
        name = self.choice.capitalize()
        return f"{name} ({self.verifier})" if self.verifier else name


@dataclass(frozen=True, repr=False)
class BestOfN(Drawn):
    """The accuracy of choices over n: what `ave-score decide --curve` reports.

    `to_frame` has a row for each n and choice; `plot` draws a curve for each choice.

    Attributes
    ----------
    sizes
        The values of n: 1, 2, 4, .. and N, the most candidates of a question.
    curves
        The curve of each choice: verifiers, votes, oracle, random.
    questions
        The number of questions.
    intervals
        How intervals were computed; None if there are none.
    notes
        What readers have to know, in sentences.
    signature
        The line that identifies the answers, their labels and the settings.
    """

    sizes: Sequence[int]
    curves: Sequence[Curve]
    questions: int
    intervals: IntervalPolicy | None
    notes: Sequence[str]
    signature: str

    def __repr__(self) -> str:
        names = ", ".join(curve.name for curve in self.curves)
        return f"<BestOfN {names}: {counted(self.questions, 'question')}>"


class _Question(NamedTuple):
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
    """A way to choose: its value for a question, and why there is none at some n."""

    choice: str
    verifier: str
    worth: Callable[[_Question, int], Fraction]
    why_not: Callable[[int], str] = lambda _: ""


def best_of_n(
    scores: VerifierScores | Sequence[VerifierScores],
    *,
    ties: str = MEAN,
    intervals: IntervalPolicy | None = None,
) -> BestOfN:
    """Compute how accurate choices among n of the N candidates are, for n = 1, 2, 4, .., N.

    Parameters
    ----------
    scores
        The scores of one or more verifiers (`read_verifiers`, `read_scores`); files of their own
        must have the same answers in the same order, or be read with their collection. They say
        which answers are correct; those of which they do not are left out.
    ties
        Which of the candidates with the same highest score is chosen: `random`, the exact mean over
        all choices, by default; `first` or `last` in the file; or `none`, which counts as wrong.
    intervals
        How intervals are computed, by samples of the questions; by default there are none.

    Returns
    -------
    BestOfN
        Curves of the verifiers, of the oracle (pass@n) and of a random choice. If answers have keys
        (`answer_key`, or what a scorer of a log extracted), also of a majority vote and, for each
        verifier, of a vote weighted by its scores.

    Raises
    ------
    UsageError
        An argument has a wrong type, or is no policy; the scores have no labels, are of different
        answers, or have the same name; there are too few questions for intervals.
    """
    verifiers = [scores] if isinstance(scores, VerifierScores) else scores
    _check(verifiers, ties)
    first = verifiers[0]
    if intervals is not None:
        intervals.check()
    questions = [*_questions(verifiers, ties)]
    sizes = _sizes(max((len(question.right) for question in questions), default=0))
    curves = [
        Curve(choice.choice, choice.verifier, [_point(choice, questions, size) for size in sizes])
        for choice in _choices(verifiers, questions, ties)
    ]
    signature = f"ave-score:{__version__}|unknown:ignore|ties:{ties}"
    tied = f"Candidates with the same score: {_TIES[ties]}."
    notes = [tied, *_notes(verifiers, questions), *_reasons(sizes, curves)]
    if intervals is not None:
        signature = f"{signature}|intervals:{intervals}"
        curves = _with_intervals(sizes, curves, first.index.questions, intervals)
    signature = f"{signature}|answers:{hash_of_answers(first.index, first.labels)[:HASH_DIGITS]}"
    return BestOfN(sizes, curves, len(questions), intervals, notes, signature)


def _check(verifiers: Sequence[VerifierScores], ties: str) -> None:
    if ties not in TIES:
        raise UsageError(f"no policy {ties!r} for ties, only {', '.join(TIES)}")
    is_list = isinstance(verifiers, list | tuple)
    if not is_list or not all(isinstance(verifier, VerifierScores) for verifier in verifiers):
        raise wrong_type("scores that were read, or a list of them", verifiers)
    if not verifiers:
        raise UsageError("no scores are given")
    for verifier in verifiers:
        if not verifier.has_correct:
            raise UsageError(
                f"{verifier.path} does not say which answers are correct, which a curve needs: it "
                "has no field correct; in a log, --correct-scorer names the scorer that says it"
            )
        first = verifiers[0]
        if not verifier.index.has_answers_of(first.index) or verifier.labels != first.labels:
            raise UsageError("the verifiers have scored different answers, or in another order")
    names = [verifier.name for verifier in verifiers]
    if len({*names}) < len(names):
        raise UsageError(f"verifiers have the same name: {', '.join(names)}")


def _sizes(most: int) -> list[int]:
    """Return 1, 2, 4, .. and the largest size."""
    return [*(1 << power for power in range((max(most, 1) - 1).bit_length())), max(most, 1)]


def _questions(verifiers: Sequence[VerifierScores], ties: str) -> Iterator[_Question]:
    first = verifiers[0]
    keys = first.keys or [""] * len(first.labels)
    weights = [as_integers(scores.values)[0].tolist() for scores in verifiers] if any(keys) else []
    for span in first.index.spans:
        positions = [at for at in range(span.start, span.stop) if first.labels[at] != Label.UNKNOWN]
        right = [int(first.labels[at] == Label.VALIDATED) for at in positions]
        yield _Question(
            right,
            [_shape(verifier, positions, ties) for verifier in verifiers],
            [[of_verifier[at] for at in positions] for of_verifier in weights],
            Votes.of([keys[at] for at in positions], right),
        )


def _shape(scores: VerifierScores, positions: Sequence[int], ties: str) -> Shape:
    """Return the sizes and correct candidates of groups with the same score, the best first."""
    values, order, labels = scores.values, scores.order, scores.labels
    if ties in ("first", "last"):
        sign = 1 if ties == "first" else -1
        ranked = sorted(positions, key=lambda at: (-values[at], sign * order[at]))
        return [(1, int(labels[at] == Label.VALIDATED)) for at in ranked]
    tied = groupby(sorted(positions, key=lambda at: -values[at]), key=values.__getitem__)
    groups = ([labels[at] for at in group] for _, group in tied)
    return [(len(group), group.count(Label.VALIDATED)) for group in groups]


# --- choices --------------------------------------------------------------------------------------


def _choices(
    verifiers: Sequence[VerifierScores], questions: Sequence[_Question], ties: str
) -> Iterator[_Choice]:
    for number, verifier in enumerate(verifiers):
        yield _Choice("verifier", verifier.name, partial(_best, number, ties == "none"))
    votes = [question.votes for question in questions]
    if any(of_question.shares for of_question in votes):
        yield _Choice(
            "majority",
            "",
            lambda question, n: subsets.majority(question.votes, n),
            lambda n: _TOO_LONG * subsets.is_too_much(votes, n),
        )
        for number, verifier in enumerate(verifiers):
            why_not = partial(_why_no_sums, votes, min(verifier.values, default=0) < 0)
            yield _Choice("weighted", verifier.name, partial(_weighted, number), why_not)
    yield _Choice(
        "oracle",
        "",
        lambda question, n: subsets.pass_at(len(question.right), sum(question.right), n),
    )
    yield _Choice(
        "random", "", lambda question, _: Fraction(sum(question.right), max(1, len(question.right)))
    )


def _best(number: int, withheld: bool, question: _Question, size: int) -> Fraction:
    return subsets.best_of(question.shapes[number], size, withheld=withheld)


def _weighted(number: int, question: _Question, size: int) -> Fraction:
    return subsets.weighted_majority(question.votes, question.weights[number], size)


def _why_no_sums(votes: Sequence[Votes], has_negative: bool, size: int) -> str:
    return _NEGATIVE if has_negative else _TOO_LONG * subsets.are_too_many(votes, size)


def _point(choice: _Choice, questions: Sequence[_Question], size: int) -> Point:
    """Return the mean over the questions."""
    if reason := choice.why_not(size):
        return Point(None, reason=reason)
    values, sums = [Fraction(0)] * len(questions), defaultdict[int, int](int)
    try:  # questions with equally many candidates share their numbers of subsets
        for at in sorted(range(len(questions)), key=lambda at: len(questions[at].right)):
            values[at] = choice.worth(questions[at], size)
            sums[values[at].denominator] += values[at].numerator
    except NotApplicable as not_applicable:
        return Point(None, reason=str(not_applicable))
    return Point(sum_by_denominator(sums) / max(1, len(questions)), values)


def _with_intervals(
    sizes: Sequence[int], curves: Sequence[Curve], ids: Sequence[str], policy: IntervalPolicy
) -> list[Curve]:
    """Return curves with the intervals of their points, by samples of the questions."""
    import numpy as np

    from ave_score.inference.by_question import ByQuestion, CountRows
    from ave_score.inference.intervals import interval_of
    from ave_score.inference.resampling import Resampling, replicate

    measures = [MEASURES["best_of@"].with_values([Fraction(size)]) for size in sizes]
    runs = []
    for number, curve in enumerate(curves):
        rows = {
            measure.key: CountRows.of(np.array([(float(value), 1.0) for value in point.each]))
            for measure, point in zip(measures, curve.points, strict=True)
            if point.each
        }
        run = ByQuestion(str(number), {}, rows, ids=ids)
        runs.append(run if policy.clusters is None else run.by_cluster(policy.clusters))
    replicates = replicate(runs, measures, Resampling(policy.resamples, policy.seed))
    return [
        curve._replace(
            points=[
                point._replace(
                    interval=interval_of(run, measure, replicates[run.run, measure.key], policy)
                )
                if point.each
                else point
                for measure, point in zip(measures, curve.points, strict=True)
            ]
        )
        for run, curve in zip(runs, curves, strict=True)
    ]


# --- notes ----------------------------------------------------------------------------------------


def _notes(verifiers: Sequence[VerifierScores], questions: Sequence[_Question]) -> Iterator[str]:
    """Yield what readers have to know about the candidates."""
    every = counted(len(questions), "question")
    if unknown := verifiers[0].labels.count(Label.UNKNOWN):
        left_out = counted(unknown, "answer")
        yield f"Left out, because they are not labelled as correct or incorrect: {left_out}."
    sizes = [len(question.right) for question in questions]
    empty, most = sizes.count(0), max(sizes, default=0)
    if empty:
        yield f"Without a labelled candidate, counted as wrong: {empty:,} of {every}."
    if fewer := sum(0 < size < most for size in sizes):
        yield (
            f"Fewer than {most:,} candidates in {fewer:,} of {every}: where n is larger than their "
            "number, all of them are drawn."
        )
    yield from _notes_of_keys(questions)


def _notes_of_keys(questions: Sequence[_Question]) -> Iterator[str]:
    votes = [question.votes for question in questions]
    if not any(of_question.shares for of_question in votes):
        yield (
            "No majority vote: the answers have no keys. --columns answer_key=NAME names their "
            "column; answer_key=answer compares the texts of short answers."
        )
        return
    if silent := sum(of_question.keys.count("") for of_question in votes):
        yield f"Without a key, so without a vote: {counted(silent, 'candidate')}."
    if mixed := sum(
        any(0 < share < 1 for share in of_question.shares.values()) for of_question in votes
    ):
        yield (
            f"The same key for correct and incorrect candidates: in {counted(mixed, 'question')}; "
            "such a key counts as the share of its candidates that are correct."
        )


def _reasons(sizes: Sequence[int], curves: Sequence[Curve]) -> Iterator[str]:
    """Yield why choices have no value at some n."""
    for curve in curves:
        missing = [
            (point.reason, f"{size:,}")
            for size, point in zip(sizes, curve.points, strict=True)
            if point.value is None
        ]
        for reason, group in groupby(missing, key=lambda pair: pair[0]):
            yield f"No value of {curve.name} at n = {', '.join(n for _, n in group)}: {reason}."
