"""The scores of verifiers, as columns aligned with a collection."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

from ave_score import rules
from ave_score.core.choice import EVERYTHING, Choice
from ave_score.core.errors import UsageError, for_one_file
from ave_score.core.findings import Findings
from ave_score.core.model import AnswerIndex, Collection, Label
from ave_score.core.text import quantity
from ave_score.files.contents import Checking, Contents, size_of
from ave_score.files.log_roles import WITHOUT
from ave_score.files.placement import Placement, align
from ave_score.files.positions import FIELDS
from ave_score.files.rows import Rows
from ave_score.files.score_lines import PlainLines
from ave_score.files.score_rows import ScoredAnswers, ScoreReader
from ave_score.files.sniff import has_systems, refused
from ave_score.files.source import Source
from ave_score.files.table import Table
from ave_score.rules import FileKind

Value = TypeVar("Value")


@dataclass(eq=False, repr=False)
class VerifierScores:
    """The scores of a verifier, as columns aligned with the index.

    Attributes
    ----------
    name, path
        The verifier, or the file name without suffixes if the file has one verifier; the file.
    index
        The answers of the collection; without one, those in the file, grouped by question.
    values
        The scores as finite numbers.
    spellings
        The scores as written in the file.
    labels
        One `Label` code per answer: VALIDATED if correct, REJECTED if not, otherwise UNKNOWN.
    lines, order
        The line of each answer, and its number in the file: a line may have several answers.
    has_correct
        Whether the file has the field `correct`.
    answers
        The text of each answer; "" if it has none or texts were not read.
    questions
        q_id -> text of the question, if it has one.
    keys
        The key of each answer, which is the same for equal answers; "" if it has none or keys were
        not read.
    """

    name: str
    path: str
    index: AnswerIndex
    values: array[float]
    spellings: list[str]
    labels: bytes
    lines: array[int]
    order: array[int]
    has_correct: bool
    answers: list[str]
    questions: dict[str, str]
    keys: Sequence[str] = ()

    def __repr__(self) -> str:
        questions = quantity(len(self.index.questions), "question")
        return f"<VerifierScores {self.name}: {questions}, {quantity(len(self.index), 'answer')}>"


@dataclass(eq=False)
class Verifiers:
    """The scores of the verifiers in a file.

    Attributes
    ----------
    index, labels
        The answers, and their labels as in `VerifierScores`.
    has_correct
        Whether the file says which answers are correct.
    scores
        The scores of each verifier.
    unclear
        What has to be chosen before they can be used, with the choices; "" if nothing.
    """

    index: AnswerIndex
    labels: bytes
    has_correct: bool
    scores: list[VerifierScores]
    unclear: str


@for_one_file
def check_verifiers(
    source: Source,
    collection: Collection | None,
    choice: Choice,
    *,
    with_texts: bool = True,
    with_keys: bool = False,
) -> tuple[list[VerifierScores] | None, list[Findings]]:
    """Read the scores of all verifiers in a file; None, with findings, if it cannot be used.

    Parameters
    ----------
    collection
        The collection of the answers; each needs a score. Its labels are not used.
    choice
        Which scorers of a log, or which columns of a table, give the scores.
    with_texts, with_keys
        Whether the texts of questions and answers, and the keys of answers, are read.

    Raises
    ------
    UsageError
        The file is a log, and it is not clear which scorer gives the scores, or what is chosen
        does not exist.
    """
    if isinstance(choice.scores, str):
        raise UsageError(f"scores is {choice.scores!r}, expected a tuple of names of scorers")
    findings = Findings(source.path)
    texts = {"with_texts": with_texts, "with_keys": with_keys}
    read, _ = _read(source, collection, choice, findings, **texts)
    if read is not None and read.unclear:
        raise UsageError(f"{source.path}: {read.unclear}")
    return (None if read is None else read.scores), [findings]


def _read(
    source: Source,
    collection: Collection | None,
    choice: Choice,
    findings: Findings,
    **kept: bool,
) -> tuple[Verifiers | None, Table | None]:
    """Return the scores of a file, and its table; None if it cannot be used, with a finding."""
    misplaced = None if collection is None else refused(source, FileKind.SCORES, collection)
    if misplaced is not None:
        findings.extend_with(misplaced, rules.OTHER_FORMAT)
        return None, None
    reader = ScoreReader(source, findings, choice, **kept)
    if reader.roles is None:
        _check_choice(source, choice, reader)
    answers = reader.read()
    if collection is None and not has_systems(source):
        findings.skip("unknown and missing answers (AVE201-AVE204): no collection was given")
    placement = _align(answers, collection, findings)
    reader.table.locate(FIELDS)
    sound = not findings.errors
    return (_on_index(source, answers, placement, reader) if sound else None), reader.table


def _check_choice(source: Source, choice: Choice, reader: ScoreReader) -> None:
    """Raise `UsageError` if a file that is no log does not have what is chosen."""
    has_columns = not isinstance(reader.table, PlainLines)
    if choice._replace(scores=()) != EVERYTHING or (choice.scores and not has_columns):
        raise UsageError(f"{source.path} is no log, so it has no scorers or filters to choose")
    if choice.scores and "score" in source.naming.names:
        raise UsageError("--columns score=NAME and --log score=NAME are mutually exclusive")


def _align(answers: ScoredAnswers, collection: Collection | None, findings: Findings) -> Placement:
    """Return the labels and values of answers on the index; the codes are `Label` + 1."""
    columns = Rows(
        answers.lines,
        answers.q_ids,
        answers.a_ids,
        bytearray(label + 1 for label in answers.labels),
        answers.values[0] if answers.values else [0.0] * len(answers.lines),
        answers.unreadable,
    )
    placement = align([columns], None if collection is None else collection.index, findings)
    index = placement.index
    for position in placement.missing() if placement.fits else ():
        facts = {"q_id": index.q_ids[position], "a_id": index.a_ids[position]}
        findings.add(rules.ANSWER_MISSING, **facts)
    return placement


def _order(answers: ScoredAnswers, index: AnswerIndex) -> Sequence[int]:
    """Return the number in the file of each answer of the index."""
    if answers.a_ids == index.a_ids and answers.q_ids == index.q_ids:
        return range(len(index))
    order = array("Q", bytes(8 * len(index)))
    for number, ids in enumerate(zip(answers.q_ids, answers.a_ids, strict=True)):
        order[index.position[ids]] = number
    return order


def _on_index(
    source: Source, read: ScoredAnswers, placement: Placement, reader: ScoreReader
) -> Verifiers:
    index = placement.index
    order = _order(read, index)

    def placed(column: Sequence[Value]) -> Iterator[Value]:
        return map(column.__getitem__, order)

    labels = bytes(placed(read.labels))
    answers, keys = [*placed(read.answers)], [*placed(read.keys)]
    questions: dict[str, str] = {}
    for q_id, question in zip(read.q_ids, read.questions, strict=True):
        if question:
            questions.setdefault(q_id, question)
    unclear = "" if reader.roles is None else reader.roles.unclear
    scores = [
        VerifierScores(
            name,
            source.path,
            index,
            array("d", placed(read.values[number])),
            [*placed(read.scores[number])],
            labels,
            placement.lines,
            array("Q", order),
            reader.has_correct,
            answers,
            questions,
            keys,
        )
        for number, name in enumerate(reader.verifiers)
    ]
    return Verifiers(index, labels, reader.has_correct, scores, unclear)


def examine(source: Source, collection: Collection | None, *__: object) -> Checking:
    """Check the scores of verifiers, optionally against a collection."""
    choice, findings = source.naming.choice, Findings(source.path)
    read, _ = _read(source, collection, choice, findings)
    if read is not None and read.unclear.startswith(WITHOUT):
        facts = {"found": "without scores", "expected": "a line for each answer with its score"}
        findings.add(rules.LOG_UNUSABLE, where="the log", **facts)
    if findings.errors:
        read = None
    elif read is not None and read.unclear:
        if choice != EVERYTHING:
            raise UsageError(f"{source.path}: {read.unclear}")
        findings.skip(f"scores: {read.unclear}")
    return read, [findings]


def contents(read: Verifiers) -> Contents:
    """Describe scores in numbers."""
    contents = size_of(read.index)
    if len(read.scores) > 1:
        contents["verifiers"] = len(read.scores)
    if read.has_correct:
        contents["correct"] = read.labels.count(Label.VALIDATED)
    if not read.scores:
        return contents
    lowest = min(min(verifier.values) for verifier in read.scores)
    highest = max(max(verifier.values) for verifier in read.scores)
    return contents | {"lowest_score": lowest, "highest_score": highest}


def one_verifier(verifiers: Sequence[VerifierScores]) -> VerifierScores:
    """Return the only verifier of a file; raises `UsageError` if there are several."""
    if len(verifiers) > 1:
        names = ", ".join(verifier.name for verifier in verifiers)
        raise UsageError(
            f"{verifiers[0].path} has the scores of {len(verifiers)} verifiers, which "
            f"read_verifiers returns: {names}"
        )
    return verifiers[0]
