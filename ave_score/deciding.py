"""From the scores of a verifier to decisions: which answers are accepted, and which is returned.

So a verifier that picks the best of N samples becomes an answer-validation run. Every question is
decided by itself, and scores are compared as the numbers they are, never rounded.
"""

from __future__ import annotations

import hashlib
import math
from array import array
from collections.abc import Callable, Iterator
from typing import NamedTuple

from ave_score.errors import UsageError
from ave_score.files.collection_writer import BuiltAnswer, BuiltQuestion
from ave_score.files.questions import Question
from ave_score.files.scores import VerifierScores
from ave_score.model import Label, Run, Verdict
from ave_score.text import counted

TIES = ("first", "last", "none", "random")
"""Which of equally scored answers comes first: by the file, by its reverse, none, or by chance."""

_FOREIGN_STARTS = ("<", "[", "{", "%")
"""How other formats begin; a run may not, or it would be taken for one of those."""

_HEAD = "# q_id a_id verdict confidence\n"


class DecisionPolicy(NamedTuple):
    """How scores become decisions.

    Attributes
    ----------
    threshold
        The least score of an accepted answer; None: any.
    top_k
        How many answers of a question are accepted at most. None: with a threshold any number,
        without one the best.
    ties
        One of `TIES`: which of equally scored answers is best, and which fill the last places.
        Under `none` a question whose best answers are tied is withheld, and the answers tied for
        the last places are left out.
    seed
        Of `random`: one seed, one order of the answers of a question, whatever else is in the file.
    """

    threshold: float | None = None
    top_k: int | None = None
    ties: str = "first"
    seed: int = 0

    @property
    def most(self) -> int | None:
        """How many answers of a question are accepted at most; None: any number."""
        if self.top_k is None and self.threshold is None:
            return 1
        return self.top_k


class Decided(NamedTuple):
    """A run made of scores, on their index."""

    run: Run
    scores: VerifierScores

    def lines(self) -> Iterator[str]:
        """Yield the lines of the run, each with its end; confidences are spelt as the scores."""
        index = self.run.index
        if index.q_ids and index.q_ids[0].startswith(_FOREIGN_STARTS):
            yield _HEAD
        words = map(_WORDS.__getitem__, self.run.verdicts)
        rows = zip(index.q_ids, index.a_ids, words, self.scores.spellings, strict=True)
        for row in rows:
            yield " ".join(row) + "\n"

    def summary(self) -> str:
        """Return one line: how many questions are answered, and how many answers accepted."""
        index, verdicts = self.run.index, self.run.verdicts
        questions = len(index.questions)
        answered = verdicts.count(Verdict.SELECTED)
        return (
            f"{counted(questions, 'question')}: {answered:,} answered, "
            f"{questions - answered:,} withheld; {counted(len(index), 'answer')}: "
            f"{answered:,} selected, {verdicts.count(Verdict.VALIDATED):,} validated, "
            f"{verdicts.count(Verdict.REJECTED):,} rejected"
        )


_WORDS = {verdict.value: verdict.name for verdict in Verdict}

Key = Callable[[int], tuple[float, int]]
"""Orders the positions of answers, the best first."""


def check_policy(policy: DecisionPolicy) -> None:
    """Raise `UsageError` for a policy that decides nothing, or does not exist."""
    if policy.ties not in TIES:
        raise UsageError(f"no policy {policy.ties!r} for ties, only {', '.join(TIES)}")
    if policy.threshold is not None and not math.isfinite(policy.threshold):
        raise UsageError(f"the threshold is {policy.threshold}; it must be a finite number")
    if policy.top_k is not None and policy.top_k < 1:
        raise UsageError(f"the best {policy.top_k} answers of a question are none")


def decide(scores: VerifierScores, policy: DecisionPolicy | None = None) -> Decided:
    """Decide on every answer of every question.

    Of the accepted answers of a question the best is SELECTED and the others are VALIDATED; all
    others are REJECTED. Without a policy the best answer of each question is accepted.

    Raises
    ------
    UsageError
        The policy makes no sense.
    """
    policy = policy or DecisionPolicy()
    check_policy(policy)
    index, key = scores.index, _key(scores, policy)
    verdicts = bytearray([Verdict.REJECTED]) * len(index)
    for span in index.spans:
        accepted = _accepted(range(span.start, span.stop), scores.values, key, policy)
        for position in accepted:
            verdicts[position] = Verdict.VALIDATED
        if accepted:
            verdicts[accepted[0]] = Verdict.SELECTED
    run = Run(scores.name, scores.path, index, bytes(verdicts), scores.values, scores.lines)
    return Decided(run, scores)


def scored_questions(scores: VerifierScores) -> Iterator[BuiltQuestion]:
    """Yield the questions of a collection of the answers that were scored."""
    index = scores.index
    for q_id, span in zip(index.questions, index.spans, strict=True):
        answers = [
            BuiltAnswer(index.a_ids[at], scores.answers[at], "", "", Label(scores.labels[at]))
            for at in range(span.start, span.stop)
        ]
        yield BuiltQuestion(Question(q_id, scores.questions.get(q_id, "")), answers)


def _accepted(
    positions: range, values: array[float], key: Key, policy: DecisionPolicy
) -> list[int]:
    """Return the positions of the accepted answers of a question, the best first."""
    least, most = policy.threshold, policy.most
    enough = [at for at in positions if least is None or values[at] >= least]
    enough.sort(key=key)
    if policy.ties == "none":
        return _without_ties(enough, values, most)
    return enough[:most]


def _without_ties(ranked: list[int], values: array[float], most: int | None) -> list[int]:
    """Return the best answers up to the last place at which no tie leaves a choice."""
    if len(ranked) > 1 and values[ranked[0]] == values[ranked[1]]:
        return []
    if most is None or most >= len(ranked):
        return ranked
    first_out = values[ranked[most]]
    return [at for at in ranked[:most] if values[at] != first_out]


def _key(scores: VerifierScores, policy: DecisionPolicy) -> Key:
    values, lines = scores.values, scores.lines
    if policy.ties == "random":
        return lambda at: (-values[at], _chance(scores, at, policy.seed))
    if policy.ties == "last":
        return lambda at: (-values[at], -lines[at])
    return lambda at: (-values[at], lines[at])


def _chance(scores: VerifierScores, at: int, seed: int) -> int:
    """Return a number that follows from seed and ids alone, as good as drawn by chance."""
    index = scores.index
    text = f"{seed} {index.q_ids[at]} {index.a_ids[at]}"
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8])
