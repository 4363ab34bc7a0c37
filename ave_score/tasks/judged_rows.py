"""The answers of systems with the verdicts of a judge and the labels of people, read.

Whatever is given becomes systems whose answers have both: `verdict`, and `judgement` if there is a
label.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import cast

import numpy as np

from ave_score.core.choices import MISSING_CHOICES
from ave_score.core.errors import InputError, UsageError
from ave_score.core.judgements import LETTERS, Answering
from ave_score.core.kinds import FileKind
from ave_score.core.labels import VERDICT_WORDS, VERDICTS, Label, Verdict
from ave_score.core.model import Collection, JudgedAnswer, QARun
from ave_score.core.parts import unmentioned
from ave_score.core.policies import Policies, letters_table, settle_unknown, settled_table
from ave_score.core.text import not_calculated, quantity
from ave_score.inference.agree import Judgements
from ave_score.inference.estimate import JudgedAnswers
from ave_score.tasks.agree import judgements
from ave_score.tasks.given import FileGiven
from ave_score.tasks.inputs import Inputs
from ave_score.tasks.named import is_rows

_MIXED = (
    "{} labelled UNKNOWN by assessors (the first: {}) are taken as not labelled, beside others "
    "without a label: what assessors cannot decide is not missing at random. Choose --unknown "
    "incorrect or correct."
)

_SHARE = {Label.VALIDATED: 1.0, Label.REJECTED: 0.0}
"""What counts as a label."""


def read(
    inputs: Inputs, answers: object, judge: object, qa: FileGiven | None
) -> tuple[Collection, list[QARun], list[str]]:
    """Return the questions, the systems, and sentences about their labels.

    Systems have an unanswered row for each question that they do not mention, as in `score`.
    """
    labelled = _labels(inputs, judge)
    if inputs.policies.logs is not None and not inputs.policies.logs.judge:
        raise UsageError("logs have two scorers: --log judge=NAME says which is the judge")
    if judge is not None and not labelled:
        return _of_collection(inputs, answers, judge, qa)
    gold, systems = with_systems(
        inputs,
        answers,
        "{} has no systems with verdicts: give a judged table or logs, or a collection and the "
        "run of one judge",
        labelled,
    )
    if qa is not None:
        raise UsageError("--qa says which answers of a COLLECTION are whose: give JUDGE, too")
    systems = _with_labels(systems, labelled)
    settled = settled_table(systems[0].letters, inputs.policies.unknown)
    given = [answer for system in systems for answer in system.answers]
    unknown = [item for item in given if item.judgement and settled[item.judgement].is_unsettled]
    notes = []
    if unknown and not all(item.judgement for item in given):
        place = f"line {min(item.line for item in unknown)}"
        notes.append(_MIXED.format(quantity(len(unknown), "answer"), place))
    return gold, _complete(systems, gold, inputs.policies), notes


def _complete(systems: Sequence[QARun], gold: Collection, policies: Policies) -> list[QARun]:
    """Add what systems do not mention as unanswered, unless it is left out."""
    if MISSING_CHOICES[policies.missing].is_left_out:
        return [*systems]
    return [
        replace(system, answers=[*system.answers, *unmentioned(system, gold.index.questions)])
        for system in systems
    ]


def _of_collection(
    inputs: Inputs, answers: object, judge: object, qa: FileGiven | None
) -> tuple[Collection, list[QARun], list[str]]:
    """Return the answers of a collection, of each system if they are given, as judged systems."""
    if _is_of(inputs, answers, FileKind.JUDGED):
        raise UsageError(
            "a judged table has its verdicts, so a second file is one with labels (q_id, run, "
            "judgement), which this is not"
        )
    inputs.policies.check_no_log()
    gold = inputs.collection(answers, labels="partial")  # type: ignore[arg-type]
    if gold.standard.ranks_documents or not gold.standard.has_questions:
        raise UsageError(f"{gold.path} has no answers to questions that a judge accepts")
    judges = [judge] if isinstance(judge, str | os.PathLike) or is_rows(judge) else judge
    made, given = [*judgements(inputs, judges, gold)], inputs.judged(qa, gold)
    inputs.check("estimated")
    if len(made) != 1:
        raise UsageError("the JUDGE is one run, or labels, with a verdict on each answer")
    settled = settle_unknown(gold, inputs.policies.unknown)
    notes, unknown = [], settled.labelled(Label.UNKNOWN)
    if unknown and settled.labelled(Label.NONE):
        a_id, q_id = settled.index.ids(settled.labels.index(Label.UNKNOWN))
        notes.append(_MIXED.format(quantity(unknown, "answer"), f"{a_id} of question {q_id}"))
    if qa is None:
        every = [JudgedAnswer(0, q_id, "", a_id) for q_id, a_id in gold.index.position]
        systems = [QARun(made[0].name, made[0].name, every)]
    else:
        systems = _complete(given, gold, inputs.policies)
    return gold, [_judged(system, settled, made[0]) for system in systems], notes


def _judged(system: QARun, gold: Collection, judge: Judgements) -> QARun:
    """Return a system with the labels of a collection, and the verdicts of a judge.

    An answer that is not in the collection, such as NIL, has its own judgement, and no verdict.
    """
    meanings, known = letters_table(system.letters), LETTERS[system.letters]
    answers = []
    for answer in system.answers:
        ids = answer.q_id, answer.a_id
        held = (
            answer.answered is False or meanings[answer.judgement].answering is Answering.UNANSWERED
        )
        letter, code = answer.judgement, Verdict.MISSING.value
        if (at := gold.index.position.get(ids)) is not None:
            letter = known.letter_of(Label(gold.labels[at]))
        if (at := judge.answers.position.get(ids)) is not None:
            code = judge.codes[at]
        word = VERDICT_WORDS[code] * (code != Verdict.MISSING)
        answers.append(answer._replace(answered=not held, judgement=letter, verdict=word))
    return replace(system, answers=answers)


def _is_of(inputs: Inputs, value: object, kind: FileKind) -> bool:
    """Tell whether a file, or rows in memory, are of a kind."""
    is_read = Path(value).is_file() if isinstance(value, str | os.PathLike) else is_rows(value)
    return is_read and inputs.kind_of(inputs.source(value, "collection")) is kind


def with_systems(
    inputs: Inputs, answers: object, lacking: str, labelled: Sequence[QARun] = ()
) -> tuple[Collection, Sequence[QARun]]:
    """Return the questions and the systems; raises `UsageError` if there are none."""
    if _is_of(inputs, answers, FileKind.COLLECTION):
        raise UsageError(lacking.format(inputs.source(answers, "collection").path))
    gold, systems = inputs.gold(answers, qa=tuple(labelled))  # type: ignore[arg-type]
    if not systems:
        raise UsageError(lacking.format(gold.path))
    if not gold.standard.has_decisions:
        raise UsageError(gold.standard.others_refused)
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
    given = {key: (item.path, answer) for item in labelled for key, answer in _keyed(item)}
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


def columns_of(system: QARun, number: Callable[[str], int], policies: Policies) -> JudgedAnswers:
    """Return the answers of a system as columns; raises `InputError` for lacking verdicts.

    Parameters
    ----------
    system
        The system.
    number
        Gives the number of a question, or of what is sampled together.
    policies
        What is done without a verdict, and about labels UNKNOWN.
    """
    meanings = letters_table(system.letters)
    settled = settled_table(system.letters, policies.unknown)
    choice = MISSING_CHOICES[policies.missing]
    rows, lacking = [], []
    for answer in system.answers:
        held = (
            answer.answered is False or meanings[answer.judgement].answering is Answering.UNANSWERED
        )
        code = VERDICTS.get(answer.verdict.upper(), 0)
        if not code and not held:
            lacking.append(answer)
            if choice.is_left_out and not answer.verdict:
                continue
        label = _SHARE.get(settled[answer.judgement].label) if answer.judgement else None
        sure = answer.weight, answer.verdict_confidence
        rows.append((code > Verdict.REJECTED, label, number(answer.q_id), *sure, held))
    _check(system, lacking, is_refused=choice.is_refused)
    columns = [*zip(*rows, strict=True)] or [()] * len(_TYPES)
    return JudgedAnswers(*map(np.array, columns, _TYPES))


_TYPES = bool, float, np.int64, float, float, bool
"""Those of the columns; None becomes NaN."""


def _check(system: QARun, lacking: Sequence[JudgedAnswer], *, is_refused: bool) -> None:
    """Raise `InputError` for words that are no verdicts, and for no verdict if that is refused."""
    for item in sorted(lacking, key=lambda row: row.verdict == ""):
        where = f"line {item.line}: " * bool(item.line)
        if item.verdict:
            raise InputError(
                system.path,
                f"{where}found verdict {item.verdict!r}, expected {', '.join(VERDICTS)}; --values "
                "says what other words mean, such as yes=VALIDATED,no=REJECTED",
            )
        if is_refused:
            answer = f"answer {item.a_id!r}" if item.a_id else f"the answer of {system.name}"
            more = f" ({quantity(len(lacking), 'such answer')})" * (len(lacking) > 1)
            hint = "name its column by --columns, or its scorer by --log judge=NAME, or "
            if len(lacking) < len(system.answers):
                swapped = not item.line and all(answer.judgement for answer in system.answers)
                hint = "the COLLECTION comes before the JUDGE; or " * swapped
            raise InputError(
                system.path,
                f"{where}{answer} to question {item.q_id!r} has no verdict of the judge{more}: "
                f"{hint}choose --missing rejected or excluded",
            )
