"""Convert verifier scores to decisions: which answers are accepted, and which one is selected.

This turns a best-of-N verifier into an answer-validation run. Each question is decided
independently, and scores are compared exactly.
"""

from __future__ import annotations

import hashlib
import math
import os
from array import array
from collections.abc import Callable, Iterator
from html import escape
from typing import TYPE_CHECKING, Any, NamedTuple, Unpack

from ave_score.core.choice import Choice
from ave_score.core.collection_summary import hash_of_answers
from ave_score.core.entrants import TableWords, checked, takes
from ave_score.core.errors import UsageError
from ave_score.core.kinds import FileKind
from ave_score.core.labels import VERDICT_WORDS
from ave_score.core.model import Collection, Label, Run, Verdict
from ave_score.core.text import quantity, visible
from ave_score.core.writing import write_whole_files
from ave_score.files.scores import VerifierScores, one_verifier
from ave_score.files.tabular import Tabular
from ave_score.files.writers import head_comment
from ave_score.tasks.given import CollectionGiven, FileGiven, settings_of
from ave_score.tasks.inputs import Inputs

if TYPE_CHECKING:
    from ave_score.core.given import Backend

TIES = ("first", "last", "none", "random")
"""Order of answers with equal scores: file order, reverse file order, none, or random."""


class DecisionPolicy(NamedTuple):
    """How scores are converted to decisions.

    Attributes
    ----------
    threshold
        The minimum score of an accepted answer; None: no minimum.
    top_k
        The maximum number of accepted answers per question (at least 1). None: no limit with a
        threshold, 1 without.
    ties
        One of `TIES`: the order of answers with equal scores. With `none`, a question whose best
        answers are tied is withheld, and answers tied at the limit are rejected.
    seed
        Seed of `random`; the order within a question does not depend on other questions.
    """

    threshold: float | None = None
    top_k: int | None = None
    ties: str = "first"
    seed: int = 0

    @property
    def most(self) -> int | None:
        """The maximum number of accepted answers per question; None: no limit."""
        if self.top_k is None and self.threshold is None:
            return 1
        return self.top_k


class Decided(NamedTuple):
    """A run made from verifier scores."""

    run: Run
    scores: VerifierScores

    def __repr__(self) -> str:
        return f"<Decided {self.run.name}: {self.summary()}>"

    def _repr_html_(self) -> str:
        return f"<p>{escape(visible(repr(self).strip('<>')))}</p>"

    def to_frame(self, backend: Backend = "pandas") -> Any:  # noqa: ANN401 - of that library
        """Return the decisions as a frame, as `Run.to_frame`."""
        return self.run.to_frame(backend)

    @property
    def collection(self) -> Collection:
        """The answers and their labels; raises `UsageError` if the scores come without labels."""
        scores = self.scores
        if not scores.has_correct:
            raise UsageError(f"{scores.path} has no field correct, which a collection needs")
        digest = hash_of_answers(scores.index, scores.labels)
        return Collection(scores.path, digest, scores.index, scores.labels)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the run to a file; one that exists is replaced. Raises `InputError` if it fails."""
        write_whole_files({os.fspath(path): self.lines()})

    def lines(self) -> Iterator[str]:
        """Yield the lines of the run, with line endings; confidences are the scores as written."""
        index = self.run.index
        yield from head_comment(index.q_ids[0], ["q_id", "a_id", "verdict", "confidence"])
        words = map(VERDICT_WORDS.__getitem__, self.run.verdicts)
        rows = zip(index.q_ids, index.a_ids, words, self.scores.spellings, strict=True)
        for row in rows:
            yield " ".join(row) + "\n"

    def summary(self) -> str:
        """Return a one-line summary of the decisions."""
        index, verdicts = self.run.index, self.run.verdicts
        questions = len(index.questions)
        answered = verdicts.count(Verdict.SELECTED)
        return (
            f"{quantity(questions, 'question')}: {answered:,} answered, "
            f"{questions - answered:,} withheld; {quantity(len(index), 'answer')}: "
            f"{answered:,} selected, {verdicts.count(Verdict.VALIDATED):,} validated, "
            f"{verdicts.count(Verdict.REJECTED):,} rejected"
        )


Key = Callable[[int], tuple[float, int]]
"""Sort key of answer positions, best first."""


def check_policy(policy: DecisionPolicy) -> None:
    """Raise `UsageError` for an invalid policy."""
    if policy.ties not in TIES:
        raise UsageError(f"no policy {policy.ties!r} for ties, only {', '.join(TIES)}")
    if policy.threshold is not None and not math.isfinite(policy.threshold):
        raise UsageError(f"the threshold is {policy.threshold}; it must be a finite number")
    if policy.top_k is not None and policy.top_k < 1:
        raise UsageError(f"top_k is {policy.top_k}; it must be at least 1")


@takes(TableWords)
def decide(
    scores: VerifierScores | FileGiven,
    policy: DecisionPolicy | None = None,
    *,
    collection: CollectionGiven | None = None,
    choice: Choice | None = None,
    **words: Unpack[TableWords],
) -> Decided:
    """Decide on every answer.

    The best accepted answer to a question is SELECTED, other accepted answers are VALIDATED, and
    the rest are REJECTED.

    Parameters
    ----------
    scores
        The scores of a verifier: a path, a frame, or those of `read_scores`.
    policy
        Which answers are accepted; by default, the best one of each question.
    collection, choice, columns, values
        How a file is read, as `read_verifiers` takes them; it has one verifier, or `choice` says
        which.

    Returns
    -------
    Decided
        The run, which can be scored, and its lines.

    Raises
    ------
    UsageError
        The policy is invalid, or the scores are of several verifiers.
    DefectError, InputError
        The file has errors, or cannot be read.
    """
    if not isinstance(scores, VerifierScores):
        inputs = Inputs(entrants=checked(words, TableWords))
        scores = one_verifier(inputs.verifiers(scores, collection, choice))
    policy = settings_of(policy, DecisionPolicy)
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


def scored_table(scores: VerifierScores) -> Tabular:
    """Return the scored answers as a collection, with labels."""
    index = scores.index
    columns = {
        "q_id": index.q_ids,
        "a_id": index.a_ids,
        "label": [Label(label).name for label in scores.labels],
        "question": [scores.questions.get(q_id, "") for q_id in index.q_ids],
        "answer": scores.answers,
    }
    rows = zip(*columns.values(), strict=True)
    root = {"available": str(len(index))}
    return Tabular(FileKind.COLLECTION, [*columns], rows, root)


def _accepted(
    positions: range, values: array[float], key: Key, policy: DecisionPolicy
) -> list[int]:
    """Return the positions of the accepted answers to a question, best first."""
    least, most = policy.threshold, policy.most
    enough = [at for at in positions if least is None or values[at] >= least]
    enough.sort(key=key)
    if policy.ties == "none":
        return _without_ties(enough, values, most)
    return enough[:most]


def _without_ties(ranked: list[int], values: array[float], most: int | None) -> list[int]:
    """Return the best answers, without those tied at the limit."""
    if len(ranked) > 1 and values[ranked[0]] == values[ranked[1]]:
        return []
    if most is None or most >= len(ranked):
        return ranked
    first_out = values[ranked[most]]
    return [at for at in ranked[:most] if values[at] != first_out]


def _key(scores: VerifierScores, policy: DecisionPolicy) -> Key:
    values, order = scores.values, scores.order
    if policy.ties == "random":
        return lambda at: (-values[at], _chance(scores, at, policy.seed))
    if policy.ties == "last":
        return lambda at: (-values[at], -order[at])
    return lambda at: (-values[at], order[at])


def _chance(scores: VerifierScores, at: int, seed: int) -> int:
    """Return a pseudorandom number that depends only on the seed and the ids."""
    index = scores.index
    text = f"{seed} {index.q_ids[at]} {index.a_ids[at]}"
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8])
