"""The answers of systems with the verdicts of a judge and the labels of people, read.

Whatever is given becomes systems whose answers have both: `verdict`, and `judgement` if there is a
label.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NoReturn, cast

import numpy as np

from ave_score.core.choices import MISSING_CHOICES
from ave_score.core.epochs import worth_of
from ave_score.core.errors import InputError, UsageError
from ave_score.core.judgements import LETTERS, Answering
from ave_score.core.kinds import FileKind
from ave_score.core.labels import AT_RANDOM, VERDICT_WORDS, VERDICTS, Label, Verdict
from ave_score.core.model import Collection, JudgedAnswer, QARun
from ave_score.core.parts import unmentioned
from ave_score.core.policies import Policies, letters_table, settle_unknown, settled_table
from ave_score.core.text import not_calculated, quantity
from ave_score.files.folders import is_folder
from ave_score.files.judged import check_labels
from ave_score.files.sniff import has_column
from ave_score.files.source import Source
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

_WORDS = (
    f"{', '.join(VERDICTS)}; --values says what other words mean, such as yes=VALIDATED,no=REJECTED"
)

_WEIGHT = (
    "line {}: found {} of an answer with a label; --labels weight needs one over the probability "
    "of a label, which is at least 1"
)

_SHARE = {Label.VALIDATED: 1.0, Label.REJECTED: 0.0}
"""What counts as a label."""


def read(
    inputs: Inputs, answers: object, judge: object, qa: FileGiven | None
) -> tuple[Collection, Sequence[QARun], list[str]]:
    """Return the questions, the systems, and sentences about their labels.

    Systems have an unanswered row for each question that they do not mention, as in `score`.
    """
    if inputs.policies.logs is not None and not inputs.policies.logs.judge:
        raise UsageError("--log judge=NAME says which scorer of logs is the judge")
    labelled: Sequence[QARun] = ()
    if judge is not None:
        answers, judge = _opened(inputs, answers, "collection"), _opened(inputs, judge, "labels")
        if _kind_of(inputs, judge) is not FileKind.JUDGED:
            return _of_collection(inputs, answers, judge, qa)
        taken = inputs.take(check_labels, inputs.source(judge, "labels"), inputs.policies.letters)
        labelled = inputs.needed(taken, "the labels cannot be used")
        without_scorer(inputs)
    gold, systems = with_systems(inputs, answers, labelled)
    if qa is not None:
        raise UsageError("--qa says which answers of a COLLECTION are whose: give JUDGE, too")
    systems = _with_labels(systems, labelled)
    settled = settled_table(systems[0].letters, inputs.policies.unknown)
    rows = [answer for system in systems for answer in system.answers]
    unknown = [row for row in rows if row.judgement and settled[row.judgement].is_unsettled]
    notes = []
    if unknown and not all(row.judgement for row in rows):
        place = f"line {min(row.line for row in unknown)}"
        notes.append(_MIXED.format(quantity(len(unknown), "answer"), place))
    return gold, _complete(systems, gold, inputs.policies), notes


def without_scorer(inputs: Inputs) -> None:
    """Let logs have the judge only, unless a scorer is chosen: a table labels, or nobody yet."""
    logs = inputs.policies.logs
    if logs is not None and logs.judge and not logs.scorer:
        inputs.policies = inputs.policies._replace(logs=logs._replace(scorer=logs.judge))


def with_systems(
    inputs: Inputs, answers: object, labelled: Sequence[QARun] = ()
) -> tuple[Collection, Sequence[QARun]]:
    """Return the questions and the systems; raises `UsageError` if there are none.

    `labelled` are those of a table with labels, which have letters if logs have none.
    """
    lacking = (
        "{} has no systems: give a judged table or logs, or a collection and a run of the judge"
    )
    answers = _opened(inputs, answers, "collection")
    kind = _kind_of(inputs, answers)
    if kind is FileKind.COLLECTION:
        raise UsageError(lacking.format(inputs.source(answers, "collection").path))
    if kind is FileKind.RUN and has_column(source := inputs.source(answers), "run"):
        raise UsageError(
            f"{source.path}: a judged table has a column judgement, which may be empty"
        )
    gold, systems = inputs.gold(answers, qa=labelled, with_texts=True)  # type: ignore[arg-type]
    if not systems:
        raise UsageError(lacking.format(gold.path))
    if not gold.standard.has_decisions:
        raise UsageError(gold.standard.others_refused)
    return cast("Collection", gold), systems  # nothing else has systems


def _opened(inputs: Inputs, value: object, name: str) -> object:
    """Return the source of a file, or of rows in memory; anything else, such as logs, as it is.

    A missing file is told first, and standard input is read once.
    """
    is_file = isinstance(value, str | os.PathLike | Source) or hasattr(value, "read")
    if not (is_file or is_rows(value)) or is_folder(value):
        return value
    source = inputs.source(value, name)
    source.head()
    return source


def _kind_of(inputs: Inputs, value: object) -> FileKind | None:
    return inputs.kind_of(value) if isinstance(value, Source) else None


def _complete(systems: Sequence[QARun], gold: Collection, policies: Policies) -> Sequence[QARun]:
    """Add what systems do not mention as unanswered, unless it is left out."""
    if MISSING_CHOICES[policies.missing].is_left_out:
        return systems
    return [
        replace(system, answers=[*system.answers, *unmentioned(system, gold.index.questions)])
        for system in systems
    ]


def _of_collection(
    inputs: Inputs, answers: object, judge: object, qa: FileGiven | None
) -> tuple[Collection, Sequence[QARun], list[str]]:
    """Return the answers of a collection, of each system if they are given, as judged systems."""
    if _kind_of(inputs, answers) is FileKind.JUDGED:
        raise UsageError(
            "a judged table has its verdicts, so a second file is one with labels (q_id, run, "
            "judgement), which this is not"
        )
    inputs.policies.check_no_log()
    gold = inputs.collection(answers, labels="partial")  # type: ignore[arg-type]
    if gold.standard.ranks_documents or not gold.standard.has_questions:
        raise UsageError(f"{gold.path} has no answers to questions that a judge accepts")
    given = [judge] if isinstance(judge, Source) else judge
    judges, systems = [*judgements(inputs, given, gold, selects=False)], inputs.judged(qa, gold)
    inputs.check("estimated")
    if len(judges) != 1:
        raise UsageError("the JUDGE is one run, or labels, with a verdict on each answer")
    settled = settle_unknown(gold, inputs.policies.unknown)
    notes, unknown = [], settled.labelled(Label.UNKNOWN)
    if unknown and settled.labelled(Label.NONE):
        a_id, q_id = settled.index.ids(settled.labels.index(Label.UNKNOWN))
        notes.append(_MIXED.format(quantity(unknown, "answer"), f"{a_id} of question {q_id}"))
    if qa is None:
        every = [JudgedAnswer(0, q_id, "", a_id) for q_id, a_id in gold.index.position]
        systems = [QARun(judges[0].name, judges[0].name, every)]
    completed = systems if qa is None else _complete(systems, gold, inputs.policies)
    return gold, [_judged(system, settled, judges[0]) for system in completed], notes


def _judged(system: QARun, gold: Collection, judge: Judgements) -> QARun:
    """Return a system with the labels of a collection, and the verdicts of a judge.

    An own judgement of a system counts, as everywhere. What is not in the collection, such as NIL,
    has no verdict.
    """
    meanings, letters = letters_table(system.letters), LETTERS[system.letters]
    answers = []
    for answer in system.answers:
        ids = answer.q_id, answer.a_id
        is_given = worth_of(answer, meanings) is not Answering.UNANSWERED
        letter, code = answer.judgement, Verdict.MISSING.value
        if not letter and (at := gold.index.position.get(ids)) is not None:
            letter = letters.letter_of(Label(gold.labels[at]))
        if (at := judge.answers.position.get(ids)) is not None:
            code = judge.codes[at]
        word = VERDICT_WORDS[code] if code else ""
        answers.append(answer._replace(answered=is_given, judgement=letter, verdict=word))
    return replace(system, answers=answers)


def _with_labels(systems: Sequence[QARun], labelled: Sequence[QARun]) -> Sequence[QARun]:
    """Return systems with the labels of a second table; raises if both do not fit together."""
    rows: dict[tuple[str, ...], JudgedAnswer] = {}
    path = labelled[0].path if labelled else ""

    def contradiction(row: JudgedAnswer, expected: str, where: str) -> InputError:
        found = f"line {row.line}: found judgement {row.judgement!r}, expected {expected!r}"
        return InputError(path, f"{found} as in {where}")

    for system in labelled:
        for answer in system.answers:
            first = rows.setdefault((system.name, *_ids(answer)), answer)
            if first.judgement != answer.judgement:
                raise contradiction(answer, first.judgement, f"line {first.line}")

    def with_label(system: QARun, answer: JudgedAnswer) -> JudgedAnswer:
        key = system.name, *_ids(answer)
        row = rows.pop(key, None) or rows.pop(tuple(map(not_calculated, key)), answer)  # of --draw
        letter = row.judgement or answer.judgement
        if answer.judgement not in ("", letter):
            raise contradiction(row, answer.judgement, system.path)
        return answer._replace(judgement=letter)

    systems = [
        replace(system, answers=[with_label(system, answer) for answer in system.answers])
        for system in systems
    ]
    for (run, *_), row in rows.items():
        where = f"line {row.line}: question {row.q_id!r} of {run}"
        whole = f"{systems[0].path}, the table of all answers"
        raise InputError(path, f"{where}: no such answer in {whole}")
    return systems


def _ids(answer: JudgedAnswer) -> tuple[str, ...]:
    return answer.q_id, answer.a_id, answer.replicate


def columns_of(
    system: QARun, number_of: Mapping[str, int], policies: Policies, chosen: str = AT_RANDOM
) -> JudgedAnswers:
    """Return the answers of a system as columns; raises `InputError` for lacking verdicts, weights.

    Parameters
    ----------
    system
        The system.
    number_of
        Each question -> its number, or that of what is sampled together.
    policies
        What is done without a verdict, and about labels UNKNOWN.
    chosen
        How answers were chosen for labels: by weight, those with labels need one.
    """
    meanings = letters_table(system.letters)
    settled = settled_table(system.letters, policies.unknown)
    choice = MISSING_CHOICES[policies.missing]
    rows, lacking = [], []
    for answer in system.answers:
        code = VERDICTS.get(answer.verdict.upper(), 0)
        verdict = int(code <= Verdict.REJECTED)
        label = _SHARE.get(settled[answer.judgement].label) if answer.judgement else None
        if worth_of(answer, meanings) is Answering.UNANSWERED:
            verdict, label = 2, None
        elif not code:
            if answer.verdict:
                found = f"line {answer.line}: found verdict {answer.verdict!r}"
                raise InputError(system.path, f"{found}, expected {_WORDS}")
            lacking.append(answer)
            if choice.is_left_out:
                continue
        if chosen == "weight" and label is not None and not 0.999 <= (answer.weight or 0) < 1e12:
            found = "no weight" if answer.weight is None else f"the weight {answer.weight:g}"
            raise InputError(system.path, _WEIGHT.format(answer.line, found))
        number = number_of[answer.q_id]
        rows.append((verdict, label, number, answer.weight, answer.verdict_confidence))
    if lacking and choice.is_refused:
        _refuse(system, lacking)
    columns = [*zip(*rows, strict=True)] or [()] * len(_TYPES)
    return JudgedAnswers(*map(np.array, columns, _TYPES))


_TYPES = np.int64, float, np.int64, float, float
"""Those of the columns; None becomes NaN."""


def _refuse(system: QARun, lacking: Sequence[JudgedAnswer]) -> NoReturn:
    """Raise `InputError` for answers without a verdict."""
    row = lacking[0]
    where = f"line {row.line}: " * bool(row.line)
    answer = f"answer {row.a_id!r}" if row.a_id else f"the answer of {system.name}"
    more = f" ({quantity(len(lacking), 'such answer')})" * (len(lacking) > 1)
    hint = "name its column by --columns, or its scorer by --log judge=NAME, or "
    if system.index:
        hint = "" if row.a_id else "it has no a_id, as NIL; "
    text = f"{where}{answer} to question {row.q_id!r} has no verdict of the judge{more}: "
    raise InputError(system.path, f"{text}{hint}choose --missing rejected or excluded")
