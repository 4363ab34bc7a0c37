"""The answers of systems with the verdicts of a judge and the labels of people, read."""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from math import nan
from pathlib import Path
from typing import NamedTuple, cast

import numpy as np

from ave_score.core.choices import MISSING_CHOICES
from ave_score.core.errors import InputError, UsageError
from ave_score.core.judgements import Answering
from ave_score.core.kinds import FileKind
from ave_score.core.labels import VERDICTS, Label, Verdict
from ave_score.core.model import Collection, JudgedAnswer, QARun
from ave_score.core.policies import Policies, letters_table, settled_table
from ave_score.core.text import counted, not_calculated
from ave_score.counts.decisions import ACCEPTED
from ave_score.inference.agree import Judgements
from ave_score.inference.estimate import JudgedAnswers
from ave_score.tasks.agree import judgements
from ave_score.tasks.given import FileGiven
from ave_score.tasks.inputs import Inputs
from ave_score.tasks.named import is_rows


class JudgedRow(NamedTuple):
    """An answer as it is estimated from; the label is NaN if there is none."""

    q_id: str
    accepted: bool
    label: float
    weight: float | None = None
    confidence: float | None = None
    withheld: bool = False


class Found(NamedTuple):
    """The answers of each system, the systems if they were read, and sentences about them."""

    rows: dict[str, list[JudgedRow]]
    systems: Sequence[QARun]
    notes: list[str]


_MIXED = (
    "{} labelled UNKNOWN by assessors are taken as not labelled, beside others without a label: "
    "what assessors cannot decide is not missing at random. Choose --unknown incorrect or correct."
)


def read(
    inputs: Inputs, answers: object, judge: object, qa: FileGiven | None
) -> tuple[Collection, Found]:
    """Return the questions, and the answers of each system."""
    labelled = _labels(inputs, judge)
    if judge is None or labelled:
        gold, systems = _with_systems(
            inputs,
            answers,
            "{} has no systems with verdicts: give a judged table or logs, or a collection and the "
            "run of one judge",
            labelled,
        )
        if qa is not None:
            raise UsageError("--qa says which answers of a COLLECTION are whose: give JUDGE, too")
        found = _of_systems(_with_labels(systems, labelled), inputs.policies)
        return gold, _complete(found, gold, inputs.policies)
    is_file = isinstance(answers, str | os.PathLike) and Path(answers).is_file()
    if is_file and inputs.kind_of(inputs.source(answers, "collection")) is FileKind.JUDGED:
        raise UsageError(
            "a judged table has its verdicts, so a second file is one with labels (q_id, run, "
            "judgement), which this is not"
        )
    inputs.policies.check_no_log()
    gold = inputs.collection(answers, labels="partial")  # type: ignore[arg-type]
    if gold.standard.ranks_documents or not gold.standard.has_questions:
        raise UsageError(f"{gold.path} has no answers to questions that a judge accepts")
    judges = [*judgements(inputs, [judge], gold)]
    inputs.check("estimated")
    if len(judges) != 1:
        raise UsageError("the JUDGE is one run, or labels, with a verdict on each answer")
    found = _of_collection(gold, judges[0], inputs.judged(qa, gold), inputs.policies)
    return gold, _complete(found, gold, inputs.policies)


def _with_systems(
    inputs: Inputs, answers: object, lacking: str, labelled: Sequence[QARun] = ()
) -> tuple[Collection, Sequence[QARun]]:
    """Return the questions and the systems; raises `UsageError` if there are none."""
    gold, systems = inputs.gold(answers, qa=tuple(labelled))  # type: ignore[arg-type]
    if not systems:
        raise UsageError(lacking.format(gold.path))
    return cast("Collection", gold), systems  # nothing else has systems


def _labels(inputs: Inputs, value: object) -> list[QARun]:
    """Return the systems of a second judged table, which has labels; none if it is no such."""
    if isinstance(value, str | os.PathLike) or is_rows(value):
        source = inputs.source(value, "labels")
        if not isinstance(value, str | os.PathLike) or not Path(value).is_dir():
            source.head()  # a missing file is told first
        if inputs.kind_of(source) is FileKind.JUDGED:
            return inputs.gold(source)[1]
    return []


def _with_labels(systems: Sequence[QARun], labelled: Sequence[QARun]) -> Sequence[QARun]:
    """Return systems with the labels of a second table; raises if both do not fit together."""
    if not labelled:
        return systems
    given = {key: (of.path, answer) for of in labelled for key, answer in _keyed(of)}
    made = []
    for system in systems:
        answers = []
        for key, answer in _keyed(system):
            written = key if key in given else tuple(map(not_calculated, key))  # by --draw
            path, other = given.pop(written, (system.path, answer))
            letter = other.judgement or answer.judgement
            if answer.judgement not in ("", letter):
                before = f"line {other.line}: found judgement {letter!r}"
                raise InputError(
                    path, f"{before}, expected {answer.judgement!r} as in {system.path}"
                )
            answers.append(answer._replace(judgement=letter))
        made.append(replace(system, answers=answers))
    for (run, *_), (path, answer) in given.items():
        where = f"line {answer.line}: question {answer.q_id!r} of {run}"
        raise InputError(
            path, f"{where}: no such answer in {systems[0].path}, the table of all answers"
        )
    return made


def _keyed(system: QARun) -> Iterator[tuple[tuple[str, ...], JudgedAnswer]]:
    for answer in system.answers:
        yield (system.name, answer.q_id, answer.a_id, answer.replicate), answer


def drawn(
    inputs: Inputs, answers: object, number: int, seed: int
) -> list[tuple[str, JudgedAnswer]]:
    """Return the answers to some questions, drawn at random, in random order: for labels.

    Parameters
    ----------
    inputs, answers
        What reads the answers, a judged table or logs.
    number, seed
        The number of questions, and the seed.

    Returns
    -------
    list of tuples
        The names of systems, and answers.

    Raises
    ------
    UsageError
        There are fewer questions, or no systems.
    """
    lacking = "--draw needs a judged table or logs, and {} has no systems"
    gold, systems = _with_systems(inputs, answers, lacking)
    questions = gold.index.questions
    if number > len(questions):
        raise UsageError(f"--draw {number}: there are {counted(len(questions), 'question')}")
    draws = random.Random(seed)
    chosen = {*draws.sample(sorted(questions), number)}
    rows = [(of.name, answer) for of in systems for answer in of.answers if answer.q_id in chosen]
    draws.shuffle(rows)
    return rows


def rates(inputs: Inputs, value: object) -> tuple[int, int, int, int]:
    """Return how many right, accepted right, wrong and accepted wrong answers a table has."""
    _, found = read(inputs, value, None, None)
    every = [row for rows in found.rows.values() for row in rows if not row.withheld]
    right, wrong = ([row.accepted for row in every if row.label == of] for of in (1.0, 0.0))
    return len(right), sum(right), len(wrong), sum(wrong)


def _of_systems(systems: Sequence[QARun], policies: Policies) -> Found:
    """Return the answers of judged systems, whose rows have the verdict of the judge."""
    rows: dict[str, list[JudgedRow]] = {}
    unknown = empty = 0
    table = letters_table(systems[0].letters)
    settled = settled_table(systems[0].letters, policies.unknown)
    for system in systems:
        rows[system.name] = own = []
        for answer in system.answers:
            letter = answer.judgement
            unknown += letter != "" and settled[letter].is_unsettled
            empty += letter == ""
            held = answer.answered is False or table[letter].answering is Answering.UNANSWERED
            accepted = _verdict(system, answer.verdict, answer.line, policies, withheld=held)
            if accepted is None:
                continue
            label = nan if letter == "" else _share(settled[letter].label)
            sure = answer.weight, answer.verdict_confidence
            own.append(JudgedRow(answer.q_id, accepted, label, *sure, held))
    notes = [_MIXED.format(counted(unknown, "answer"))] * bool(unknown and empty)
    return Found(rows, systems, notes)


def _complete(found: Found, gold: Collection, policies: Policies) -> Found:
    """Add what systems do not mention as withheld: it counts as not right, as in `score`.

    A question has as many answers as others of the system have.
    """
    if not MISSING_CHOICES[policies.missing].is_left_out:
        for own in (found.rows[system.name] for system in found.systems):
            known = {row.q_id for row in own}
            each = round(len(own) / max(1, len(known)))
            for q_id in (q_id for q_id in gold.index.questions if q_id not in known):
                own.extend([JudgedRow(q_id, accepted=False, label=nan, withheld=True)] * each)
    return found


def _verdict(
    system: QARun, word: str, line: int, policies: Policies, *, withheld: bool
) -> bool | None:
    """Return whether an answer is accepted; None if it is left out; raises if nothing says it."""
    code = VERDICTS.get(word.upper())
    if code is not None or withheld:
        return code not in (None, Verdict.REJECTED)
    if word:
        known = ", ".join(VERDICTS)
        raise InputError(
            system.path,
            f"line {line}: found verdict {word!r}, expected {known}; --values "
            "true=VALIDATED,false=REJECTED says what other words mean",
        )
    choice = MISSING_CHOICES[policies.missing]
    if choice.is_refused:
        raise InputError(
            system.path,
            f"line {line}: the answer of {system.name} has no verdict of the judge (column "
            "verdict, or --log judge=NAME): give it, or choose --missing rejected or excluded",
        )
    return None if choice.is_left_out else False


def _share(label: Label) -> float:
    return {Label.VALIDATED: 1.0, Label.REJECTED: 0.0}.get(label, nan)


def _of_collection(
    gold: Collection, judge: Judgements, systems: Sequence[QARun], policies: Policies
) -> Found:
    """Return the answers of a collection, of each system if they are given."""
    settled = settled_table(policies.letters, policies.unknown)[""]
    unsettled = _share(settled.label)
    position = judge.answers.position
    every: dict[tuple[str, str], JudgedRow] = {}
    choice = MISSING_CHOICES[policies.missing]
    for ids, code in zip(gold.index.position, gold.labels, strict=True):
        verdict = judge.codes[position[ids]] if ids in position else Verdict.MISSING
        if verdict == Verdict.MISSING and choice.is_refused:
            is_swapped = not gold.labelled(Label.UNKNOWN) + gold.labelled(Label.NONE)
            raise UsageError(
                f"{judge.name} has no verdict on answer {ids[1]!r} of question {ids[0]!r}: give "
                "it, or choose --missing rejected or excluded"
                + "; the COLLECTION comes before the JUDGE"
                * is_swapped
            )
        if verdict != Verdict.MISSING or not choice.is_left_out:
            label = unsettled if code == Label.UNKNOWN else _share(Label(code))
            every[ids] = JudgedRow(ids[0], verdict in ACCEPTED, label)
    counts = gold.labelled(Label.UNKNOWN), gold.labelled(Label.NONE)
    mixed = bool(min(counts)) and settled.is_unsettled
    notes = [_MIXED.format(counted(counts[0], "answer"))] * mixed
    rows = {judge.name: [*every.values()]} if not systems else {}
    for system in systems:
        rows[system.name] = own = []
        for answer in system.answers:
            row = every.get((answer.q_id, answer.a_id))
            if row is None and not choice.is_left_out:
                raise InputError(
                    system.path,
                    f"line {answer.line}: found a_id {answer.a_id!r}, expected that of an answer "
                    f"of question {answer.q_id!r} in the collection",
                )
            if row is not None:
                own.append(row)
    return Found(rows, systems, notes)


def columns_of(rows: Sequence[JudgedRow], number: Callable[[str], int]) -> JudgedAnswers:
    """Return the answers of a system as columns."""
    weight, sure = (
        np.array([nan if value is None else value for value in column], float)
        for column in ([of.weight for of in rows], [of.confidence for of in rows])
    )
    return JudgedAnswers(
        np.array([of.accepted for of in rows], bool),
        np.array([of.label for of in rows], float),
        np.array([number(of.q_id) for of in rows], np.int64),
        weight,
        sure,
        np.array([of.withheld for of in rows], bool),
    )
