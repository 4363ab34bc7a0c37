"""Epochs: several answers, or replicates, of a QA system to one question, as in a log.

The question stays the unit: it counts with its shares of outcomes over its judged replicates,
unless a choice of `EPOCHS_CHOICES` reduces them, or makes systems of them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import NamedTuple

from ave_score.core.choices import MISSING_CHOICES, PolicyChoice
from ave_score.core.errors import UsageError
from ave_score.core.judgements import WRONG, Answering, Meaning
from ave_score.core.model import JudgedAnswer, QARun
from ave_score.core.text import listed, quantity

_LEAST_FIRST = (Answering.INCORRECT, Answering.UNANSWERED, Answering.CORRECT)


def replicates_of(run: QARun) -> dict[str, list[JudgedAnswer]]:
    """Return the answers to each question; those not judged are left out beside judged ones."""
    answers = {answer.q_id: [answer] for answer in run.answers}
    if len(answers) == len(run.answers):  # as most have
        return answers
    answers = {}
    for answer in run.answers:
        answers.setdefault(answer.q_id, []).append(answer)
    return {q_id: judged_of(answer) for q_id, answer in answers.items()}


def judged_of(answers: list[JudgedAnswer]) -> list[JudgedAnswer]:
    """Return the answers to a question that count: those not judged are left out beside others.

    If none is judged, those with the number of a scorer count.
    """
    scored = (answer for answer in answers if answer.score is not None)
    return [*filter(is_judged, answers)] or [*scored] or answers[:1]


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
        return f"{least}{quantity(self.most, 'epoch')}"


Pick = Callable[[Sequence[JudgedAnswer], dict[str, Meaning]], Sequence[JudgedAnswer]]


class EpochsChoice(PolicyChoice):
    """What becomes of several replicates of a question.

    Attributes
    ----------
    pick
        Returns what the question counts with, given its replicates in order; None: all count.
    makes_systems
        Whether each replicate is a system of its own.
    least
        The number of replicates without which no question is right.
    of_numbers
        Whether it also applies to answers of which only the number of a scorer is known.
    """

    def __init__(
        self,
        help: str,
        pick: Pick | None = None,
        *,
        makes_systems: bool = False,
        least: int = 1,
        of_numbers: bool = False,
    ) -> None:
        super().__init__(help)
        self.pick = pick
        self.makes_systems = makes_systems
        self.least = least
        self.of_numbers = of_numbers or pick is None


def _first_with(
    answers: Sequence[JudgedAnswer], table: dict[str, Meaning], worth: Answering
) -> list[JudgedAnswer]:
    return [next(answer for answer in answers if worth_of(answer, table) is worth)]


def _of_majority(
    answers: Sequence[JudgedAnswer], table: dict[str, Meaning]
) -> Sequence[JudgedAnswer]:
    """Return the first answer with the most frequent outcome; of several, the least favourable."""
    times = Counter(worth_of(answer, table) for answer in answers)
    return _first_with(answers, table, max(_LEAST_FIRST, key=lambda worth: times[worth]))


def _mode(answers: Sequence[JudgedAnswer], table: dict[str, Meaning]) -> Sequence[JudgedAnswer]:
    """Return the first answer with the most frequent outcome; of several, the first."""
    ((worth, _),) = Counter(worth_of(answer, table) for answer in answers).most_common(1)
    return _first_with(answers, table, worth)


def _median(answers: Sequence[JudgedAnswer], table: dict[str, Meaning]) -> Sequence[JudgedAnswer]:
    """Return the answer in the middle from wrong over unanswered to right, or the two there."""
    ranked = sorted(answers, key=lambda answer: _LEAST_FIRST.index(worth_of(answer, table)))
    middle = ranked[(len(ranked) - 1) // 2 : len(ranked) // 2 + 1]
    return middle if len({worth_of(answer, table) for answer in middle}) > 1 else middle[:1]


def _best(answers: Sequence[JudgedAnswer], table: dict[str, Meaning]) -> Sequence[JudgedAnswer]:
    worths = [worth_of(answer, table) for answer in answers]
    return _first_with(answers, table, max(worths, key=_LEAST_FIRST.index))


def _at_least(
    least: int, answers: Sequence[JudgedAnswer], table: dict[str, Meaning]
) -> Sequence[JudgedAnswer]:
    """Return a right answer if so many are right, else the majority of the others."""
    others = [answer for answer in answers if worth_of(answer, table) is not Answering.CORRECT]
    if len(answers) - len(others) >= least:
        return _first_with(answers, table, Answering.CORRECT)
    if others:
        return _of_majority(others, table)
    wrong = next(letter for letter, one in table.items() if letter and one == WRONG)
    return [JudgedAnswer(answers[0].line, answers[0].q_id, wrong)]


class _Choices(dict[str, EpochsChoice]):
    """Choices by name; those with a number, such as `at_least_2`, are made when asked for."""

    def __contains__(self, name: object) -> bool:
        return super().__contains__(name) or (
            isinstance(name, str) and re.fullmatch(_NUMBERED, name) is not None
        )

    def __missing__(self, name: str) -> EpochsChoice:
        found = re.fullmatch(_NUMBERED, name)
        if found is None:
            raise KeyError(name)
        least = int(found[1])
        return EpochsChoice(
            f"right if at least {quantity(least, 'replicate')} {'is' if least == 1 else 'are'}",
            partial(_at_least, least),
            least=least,
        )


_NUMBERED = r"at_least_([1-9][0-9]{0,5})"

EPOCHS_CHOICES: dict[str, EpochsChoice] = _Choices(
    {
        "mean": EpochsChoice("a question counts with its shares of right, wrong and unanswered"),
        "first": EpochsChoice(
            "the first judged replicate counts", lambda answers, _: answers[:1], of_numbers=True
        ),
        "majority": EpochsChoice(
            "the most frequent outcome counts; of equally frequent ones wrong, then unanswered",
            _of_majority,
        ),
        "mode": EpochsChoice(
            "the most frequent outcome counts; of equally frequent ones that of the first", _mode
        ),
        "median": EpochsChoice(
            "the middle outcome counts, from wrong over unanswered to right; of an even number "
            "the two middle ones, each half",
            _median,
        ),
        "max": EpochsChoice("the best outcome counts: right, then unanswered", _best),
        "each": EpochsChoice(
            "each replicate is a system of its own, named SYSTEM/REPLICATE", makes_systems=True
        ),
    }
)
"""Treatment of several replicates of a question; `at_least_K` is one for each number K."""


def lacking_in(subjects: Iterable[object]) -> dict[str, int]:
    """Return the replicates that each QA system lacks, by its name."""
    return {subject.name: subject.lacking for subject in subjects if isinstance(subject, QARun)}


def notes_on_lacking(systems: Mapping[str, int]) -> list[str]:
    """Return a note on systems of which no question has the replicates that are needed."""
    notes = []
    for number in dict.fromkeys(filter(None, systems.values())):
        names = [name for name, lacking in systems.items() if lacking == number]
        of = "" if len(names) == len(systems) else f" of {listed(names)}"
        notes.append(f"No question{of} has {quantity(number, 'replicate')}, so none is right.")
    return notes


def reduced_by(reducers: Sequence[str], epochs: str) -> str:
    """Say how the program of a log reduced epochs, and what gives its figures.

    "" for the mean, and for what is chosen here, too.
    """
    if not {*reducers} - {"mean"} or [*reducers] == [epochs]:
        return ""
    ways = {name: _way_of(name) for name in reducers}
    known = [way for way in ways.values() if way]
    others = [name for name, way in ways.items() if not way]
    gives = "gives its figure" if len(known) == 1 else "give its figures"
    said = [f"{listed(known)} {gives}"] if known else []
    if others:
        said.append(f"nothing here gives that of {listed(others)}")
    return f"reduced by {listed(reducers)} in the log: {'; '.join(said)}"


def _way_of(reducer: str) -> str:
    """Return the option that gives the figure of a reducer; "" if there is none."""
    if found := re.fullmatch("pass_at_([1-9][0-9]*)", reducer):
        return f"-m pass@{found[1]}"
    return f"--epochs {reducer}" if reducer in EPOCHS_CHOICES else ""


def counted_epochs(run: QARun, epochs: str, table: dict[str, Meaning]) -> Iterator[QARun]:
    """Yield a system with the replicates that count, or a system for each replicate.

    One that was reduced stays as it is: what is left of replicates says nothing about their number.
    Replicates are in the order of their names, numbers by value. Raises `UsageError` if one that
    becomes a system lacks questions, unless missing answers are left out, and if a choice needs
    outcomes, and there are only numbers of a scorer.
    """
    choice = EPOCHS_CHOICES[epochs]
    has_numbers = any(answer.score is not None for answer in run.answers)
    if has_numbers and not choice.of_numbers and not any(map(is_judged, run.answers)):
        raise UsageError(
            f"--epochs {epochs} needs answers that are right or wrong, and those of {run.name} "
            "have numbers: choose mean, first or each"
        )
    names = sorted({answer.replicate for answer in run.answers}, key=lambda name: (len(name), name))
    if run.is_reduced:
        yield run
    elif choice.pick is not None:
        place = {name: number for number, name in enumerate(names)}
        chosen = []
        replicates = replicates_of(run)
        most = Epochs.sized(map(len, replicates.values())).most
        for answers in replicates.values():
            in_order = sorted(answers, key=lambda answer: place[answer.replicate])
            picked = choice.pick(in_order, table)
            numbered = [""] if len(picked) == 1 else map(str, range(1, len(picked) + 1))
            chosen += [
                letter._replace(replicate=name)
                for letter, name in zip(picked, numbered, strict=True)
            ]
        needed = choice.least if choice.least > most else 0
        yield replace(run, answers=chosen, is_reduced=True, lacking=needed)
    elif not choice.makes_systems or len(names) < 2:
        yield run
    else:
        yield from _each_replicate(run, names)


def _each_replicate(run: QARun, names: Iterable[str]) -> Iterator[QARun]:
    """Yield a system for each replicate; raises `UsageError` as `counted_epochs`."""
    questions = len({answer.q_id for answer in run.answers})
    for name in names:
        own = [answer._replace(replicate="") for answer in run.answers if answer.replicate == name]
        if len(own) < questions and not MISSING_CHOICES[run.missing].is_left_out:
            without = quantity(questions - len(own), "question")
            raise UsageError(
                f"replicate {name!r} of {run.name} lacks {without}: "
                "choose --missing excluded, or another choice of --epochs"
            )
        yield replace(run, name=f"{run.name}/{name}", answers=own)
