"""Epochs: several answers, or replicates, of a QA system to one question, as in a log.

The question stays the unit: it counts with its shares of outcomes over its judged replicates,
unless a choice of `EPOCHS_CHOICES` takes one of them, or makes systems of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from ave_score.core.choices import MISSING_CHOICES, PolicyChoice
from ave_score.core.errors import UsageError
from ave_score.core.judgements import Answering, Meaning
from ave_score.core.model import JudgedAnswer, QARun
from ave_score.core.text import counted

_LEAST_FIRST = (Answering.INCORRECT, Answering.UNANSWERED, Answering.CORRECT)


def replicates_of(run: QARun) -> dict[str, list[JudgedAnswer]]:
    """Return the answers to each question; those not judged are left out beside judged ones."""
    answers = {answer.q_id: [answer] for answer in run.answers}
    if len(answers) == len(run.answers):  # as most have
        return answers
    answers = {}
    for answer in run.answers:
        answers.setdefault(answer.q_id, []).append(answer)
    return {q_id: judged_of(of) for q_id, of in answers.items()}


def judged_of(answers: list[JudgedAnswer]) -> list[JudgedAnswer]:
    """Return the answers to a question that count: those not judged are left out beside others."""
    return [*filter(is_judged, answers)] or answers[:1]


def is_judged(answer: JudgedAnswer) -> bool:
    """Tell whether an answer was judged, or withheld."""
    return bool(answer.judgement) or answer.answered is False


def worth_of(answer: JudgedAnswer | None, table: dict[str, Meaning]) -> Answering:
    """Return what an answer is worth; a question without any counts as answered wrongly."""
    if answer is None:
        return Answering.INCORRECT
    return Answering.UNANSWERED if answer.answered is False else table[answer.judgement].answering


class Epochs(NamedTuple):
    """The least and the largest number of judged replicates of a question."""

    least: int = 1
    most: int = 1

    @classmethod
    def of(cls, subjects: Iterable[object]) -> Epochs:
        """Return the numbers of those that are QA systems."""
        systems = (subject for subject in subjects if isinstance(subject, QARun))
        return cls.sized(len(answers) for run in systems for answers in replicates_of(run).values())

    @classmethod
    def sized(cls, numbers: Iterable[int]) -> Epochs:
        """Return the least and the largest of the numbers of questions."""
        sizes = {*numbers}
        return cls(min(sizes, default=1), max(sizes, default=1))

    def __str__(self) -> str:
        least = f"{self.least:,} to " * (self.least < self.most)
        return f"{least}{counted(self.most, 'epoch')}"


Pick = Callable[[Sequence[JudgedAnswer], dict[str, Meaning]], JudgedAnswer]


class EpochsChoice(PolicyChoice):
    """What becomes of several replicates of a question.

    Attributes
    ----------
    pick
        Returns the one that counts, given all in order; None: all count.
    makes_systems
        Whether each replicate is a system of its own.
    """

    def __init__(self, help: str, pick: Pick | None = None, *, makes_systems: bool = False) -> None:
        super().__init__(help)
        self.pick = pick
        self.makes_systems = makes_systems


def _of_majority(answers: Sequence[JudgedAnswer], table: dict[str, Meaning]) -> JudgedAnswer:
    """Return the first answer with the most frequent outcome; of several, the least favourable."""
    times = Counter(worth_of(answer, table) for answer in answers)
    worth = max(_LEAST_FIRST, key=lambda worth: times[worth])
    return next(answer for answer in answers if worth_of(answer, table) is worth)


EPOCHS_CHOICES: dict[str, EpochsChoice] = {
    "mean": EpochsChoice("a question counts with its shares of right, wrong and unanswered"),
    "first": EpochsChoice("the first judged replicate counts", lambda answers, _: answers[0]),
    "majority": EpochsChoice(
        "the most frequent outcome counts; of equally frequent ones wrong, then unanswered",
        _of_majority,
    ),
    "each": EpochsChoice(
        "each replicate is a system of its own, named SYSTEM/REPLICATE", makes_systems=True
    ),
}
"""Treatment of several replicates of a question."""


def counted_epochs(run: QARun, epochs: str, table: dict[str, Meaning]) -> Iterator[QARun]:
    """Yield a system with the replicates that count, or a system for each replicate.

    Replicates are in the order of their names, numbers by value. Raises `UsageError` if one that
    becomes a system lacks questions, unless missing answers are left out.
    """
    choice = EPOCHS_CHOICES[epochs]
    names = sorted({answer.replicate for answer in run.answers}, key=lambda name: (len(name), name))
    if choice.pick is not None:
        place = {name: number for number, name in enumerate(names)}
        chosen = []
        for answers in replicates_of(run).values():
            in_order = sorted(answers, key=lambda answer: place[answer.replicate])
            chosen.append(choice.pick(in_order, table)._replace(replicate=""))
        yield replace(run, answers=chosen)
    elif not choice.makes_systems or len(names) < 2:
        yield run
    else:
        questions = len({answer.q_id for answer in run.answers})
        for name in names:
            own = [
                answer._replace(replicate="") for answer in run.answers if answer.replicate == name
            ]
            if len(own) < questions and not MISSING_CHOICES[run.missing].is_left_out:
                lacking = counted(questions - len(own), "question")
                raise UsageError(
                    f"replicate {name!r} of {run.name} lacks {lacking}: "
                    "choose --missing excluded, or another choice of --epochs"
                )
            yield replace(run, name=f"{run.name}/{name}", answers=own)
