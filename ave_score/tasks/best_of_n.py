"""Best of N: how accurate is the choice among n of the N candidates of a question?

The choice is that of a verifier, of the most frequent answer, or of both. Every value is the exact
mean over all subsets of n candidates; a question with fewer candidates has all of them in each.
Only votes that would take too long are counted in a random sample of the subsets.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from math import ceil
from typing import TypeAlias, Unpack

from ave_score.core.choice import Choice
from ave_score.core.collection_summary import HASH_DIGITS, hash_of_answers
from ave_score.core.drawing import Drawn
from ave_score.core.entrants import TableWords, checked, takes
from ave_score.core.errors import UsageError
from ave_score.core.model import Label
from ave_score.core.policies import IntervalPolicy
from ave_score.core.text import quantity
from ave_score.files.scores import VerifierScores
from ave_score.inference.best_of_n import Candidates, Curve, curves_of, questions_of, sizes_of
from ave_score.tasks.decide import TIES
from ave_score.tasks.given import CollectionGiven, FileGiven, settings_of
from ave_score.tasks.inputs import Inputs
from ave_score.version import __version__

MEAN = "random"
"""The policy on ties by default: the exact mean over random choices among tied candidates."""

VerifiersGiven: TypeAlias = "VerifierScores | FileGiven | Iterable[object] | Mapping[str, object]"
"""Scores that were read, or their file or frame; or several of these, perhaps by their names."""

_TIES = {
    MEAN: "each is chosen with equal probability",
    "first": "the first in the file is chosen",
    "last": "the last in the file is chosen",
    "none": "none is chosen, which counts as wrong",
}


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
    differences
        The curve of one verifier minus that of another, for each two of them, with intervals from
        the same samples of the questions; none without `intervals`.
    questions
        The number of questions.
    intervals
        How intervals were computed; None if there are none.
    draws
        The number of random subsets of each question, if some votes were counted in these; else 0.
    notes
        What readers have to know, in sentences.
    signature
        The line that identifies the answers, their labels and the settings.
    """

    sizes: Sequence[int]
    curves: Sequence[Curve]
    differences: Sequence[Curve]
    questions: int
    intervals: IntervalPolicy | None
    draws: int
    notes: Sequence[str]
    signature: str

    def __repr__(self) -> str:
        names = ", ".join(curve.name for curve in self.curves)
        return f"<BestOfN {names}: {quantity(self.questions, 'question')}>"


@takes(TableWords)
def best_of_n(
    scores: VerifiersGiven,
    *,
    ties: str = MEAN,
    intervals: IntervalPolicy | None = None,
    seed: int = 0,
    collection: CollectionGiven | None = None,
    choice: Choice | None = None,
    **words: Unpack[TableWords],
) -> BestOfN:
    """Compute how accurate choices among n of the N candidates are, for n = 1, 2, 4, .., N.

    Parameters
    ----------
    scores
        The scores of one or more verifiers: a path, a frame, or those of `read_verifiers` and
        `read_scores`; or a list of these, or a dictionary from names. Files of their own must have
        the same answers in the same order, or be read with their collection. They say which answers
        are correct; those of which they do not are left out.
    ties
        Which of the candidates with the same highest score is chosen: `random`, the exact mean over
        all choices, by default; `first` or `last` in the file; or `none`, which counts as wrong.
    intervals
        How intervals are computed, by samples of the questions; by default there are none.
    seed
        Seed of the random subsets in which votes are counted, if all would take too long.
    collection, choice, columns, values
        How files are read, as `read_verifiers` takes them.

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
    DefectError, InputError
        A file has errors, or cannot be read.
    """
    inputs = Inputs(entrants=checked(words, TableWords))
    verifiers = [*inputs.all_verifiers(scores, collection, choice)]
    _check(verifiers, ties)
    first = verifiers[0]
    for policy in (settings_of(intervals, IntervalPolicy), IntervalPolicy(seed=seed)):
        policy.check()
    questions = [*questions_of(verifiers, ties)]
    sizes = sizes_of(questions)
    curves, differences, draws = curves_of(verifiers, questions, sizes, ties, seed, intervals)
    signature = f"ave-score:{__version__}|unknown:ignore|ties:{ties}"
    if draws:
        signature = f"{signature}|draws:{draws}|seed:{seed}"
    if intervals is not None:
        signature = f"{signature}|intervals:{intervals}"
    signature = f"{signature}|answers:{hash_of_answers(first.index, first.labels)[:HASH_DIGITS]}"
    tied = f"Candidates with the same score: {_TIES[ties]}."
    notes = [tied, *_notes(verifiers, questions), *_sampled(curves, draws)]
    notes += _reasons(curves)
    number = len(questions)
    return BestOfN(sizes, curves, differences, number, intervals, draws, notes, signature)


def _check(verifiers: Sequence[VerifierScores], ties: str) -> None:
    if ties not in TIES:
        raise UsageError(f"no policy {ties!r} for ties, only {', '.join(TIES)}")
    if not verifiers:
        raise UsageError("no scores are given")
    for verifier in verifiers:
        if not verifier.has_correct:
            raise UsageError(
                f"{verifier.path} does not say which answers are correct, which a curve needs: it "
                "has no field correct; in a log, --log scorer=NAME names the scorer that says it"
            )
        first = verifiers[0]
        if not verifier.index.has_answers_of(first.index) or verifier.labels != first.labels:
            raise UsageError("the verifiers have scored different answers, or in another order")
    names = [verifier.name for verifier in verifiers]
    if len({*names}) < len(names):
        raise UsageError(f"verifiers have the same name: {', '.join(names)}")


# --- notes ----------------------------------------------------------------------------------------


def _notes(verifiers: Sequence[VerifierScores], questions: Sequence[Candidates]) -> Iterator[str]:
    """Yield what readers have to know about the candidates."""
    every = quantity(len(questions), "question")
    if unknown := verifiers[0].labels.count(Label.UNKNOWN):
        left_out = quantity(unknown, "answer")
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


def _notes_of_keys(questions: Sequence[Candidates]) -> Iterator[str]:
    votes = [question.votes for question in questions]
    if not any(of_question.shares for of_question in votes):
        yield (
            "No majority vote: the answers have no keys. --columns answer_key=NAME names their "
            "column; answer_key=answer compares the texts of short answers."
        )
        return
    if silent := sum(of_question.keys.count("") for of_question in votes):
        yield f"Without a key, so without a vote: {quantity(silent, 'candidate')}."
    if mixed := sum(
        any(0 < share < 1 for share in of_question.shares.values()) for of_question in votes
    ):
        yield (
            f"The same key for correct and incorrect candidates: in {quantity(mixed, 'question')}; "
            "such a key counts as the share of its candidates that are correct."
        )


def _sampled(curves: Sequence[Curve], draws: int) -> Iterator[str]:
    """Yield which values are from random subsets, and how exact they are."""
    named: list[str] = []
    errors: list[float] = []
    for curve in curves:
        found = {f"{at.n:,}": at.error for at in curve.points if at.error is not None}
        named += [f"{curve.name} at n = {', '.join(found)}"] * bool(found)
        errors += found.values()
    if named:
        yield (
            f"Counted in {draws:,} random draws per question, because all take too long: "
            f"{'; '.join(named)}. Standard error: at most {ceil(max(errors) * 10**4) / 10**4:.4f}."
        )


def _reasons(curves: Sequence[Curve]) -> Iterator[str]:
    """Yield why choices have no value at some n."""
    for curve in curves:
        missing = [(at.reason, f"{at.n:,}") for at in curve.points if at.value is None]
        for reason, group in groupby(missing, key=lambda pair: pair[0]):
            yield f"No value of {curve.name} at n = {', '.join(n for _, n in group)}: {reason}."
