"""What is scored: verdicts of a run, labels of a collection, and who said what of which answer.

An answer is identified by (q_id, a_id); ids are strings and are never interpreted. All answers of a
collection stand in one *index*, in file order, the answers of a question side by side; everything
said about answers (labels, verdicts, confidences, lines) is a column as long as the index. None of
this is changed once it is made; it is not frozen all the same, for freezing three classes takes a
fiftieth of the time in which a run is checked.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import IntEnum, StrEnum
from functools import cached_property
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

from ave_score.text import did_you_mean, is_nil, nearest

if TYPE_CHECKING:
    from fractions import Fraction


class Label(IntEnum):
    """What the gold standard says of an answer; the value is its code in `Collection.labels`."""

    REJECTED = 0
    VALIDATED = 1
    UNKNOWN = 2
    NONE = 3  # a test file, as participants get it


class Verdict(IntEnum):
    """What a run says of an answer; the value is its code in `Run.verdicts`."""

    MISSING = 0
    REJECTED = 1
    VALIDATED = 2
    SELECTED = 3
    UNREADABLE = 4  # the run has a line for the answer, but the line has a finding


VERDICTS = {verdict.name: verdict.value for verdict in (Verdict(3), Verdict(2), Verdict(1))}
"""The words of a run file and their codes."""

PAIR_VERDICTS = {"YES": Verdict.VALIDATED.value, "NO": Verdict.REJECTED.value}
"""The words of a run of text-hypothesis pairs (AVE 2006) and their codes."""

LABELS = {label.name: label.value for label in (Label(1), Label(0), Label(2))}
"""The words of a gold file and their codes."""

PAIR_LABELS = {
    "YES": Label.VALIDATED.value,
    "NO": Label.REJECTED.value,
    "UNKNOWN": Label.UNKNOWN.value,
    "TRUE": Label.VALIDATED.value,
    "FALSE": Label.REJECTED.value,
}
"""The words of a gold file of pairs: YES and NO at AVE 2006, TRUE and FALSE in SPARTE."""


def label_facts(word: str, words: Iterable[str] = LABELS) -> dict[str, object]:
    """Return the facts of a finding about a word that is none of the gold labels."""
    hint = did_you_mean(nearest(word, words))
    return {"found": word, "expected": ", ".join(words), "hint": hint}


def label_cell(label: int, answerable: bool) -> int:
    """Return a label's code with a bit that tells whether its question has a correct answer.

    The verdict times 8 on top makes the *cell* that `counts` counts.
    """
    return label + 4 * answerable


class Outcome(StrEnum):
    """What a system did with one question: the five cases of AVE 2008 (thesis 4.6-4.7)."""

    SELECTED_RIGHT = "selected_right"
    SELECTED_WRONG_ANSWERABLE = "selected_wrong_answerable"
    WITHHELD_ANSWERABLE = "withheld_answerable"
    SELECTED_WRONG_UNANSWERABLE = "selected_wrong_unanswerable"
    WITHHELD_UNANSWERABLE = "withheld_unanswerable"


class AnswerOutcome(StrEnum):
    """What a system did with one question, as one that may leave it unanswered (thesis, ch. 6).

    The withheld ones are unanswered, and assessors looked at the answer that was not given.
    """

    ANSWERED_RIGHT = "answered_right"
    ANSWERED_WRONG = "answered_wrong"
    UNANSWERED = "unanswered"
    WITHHELD_RIGHT = "withheld_right"
    WITHHELD_WRONG = "withheld_wrong"


@dataclass(eq=False, repr=False)
class AnswerIndex:
    """The answers of a collection, by id, in file order.

    Attributes
    ----------
    questions
        Ids of the questions, each once, in file order.
    starts
        `starts[i]:starts[i + 1]` are the positions of question i's answers; one longer than
        `questions`.
    q_ids, a_ids
        For every answer its question's id and its own.

    Text-hypothesis pairs (AVE 2006) are answers without questions: `questions` is empty, and each
    of `q_ids` is "".
    """

    questions: list[str]
    starts: list[int]
    q_ids: list[str]
    a_ids: list[str]

    @classmethod
    def of(cls, answers: Mapping[str, Mapping[str, None]]) -> AnswerIndex:
        """Return the index of q_id -> the ids of its answers, in the order of both."""
        return cls(
            questions=list(answers),
            starts=[0, *accumulate(map(len, answers.values()))],
            q_ids=[q_id for q_id, a_ids in answers.items() for _ in a_ids],
            a_ids=[a_id for a_ids in answers.values() for a_id in a_ids],
        )

    @classmethod
    def of_pairs(cls, ids: Iterable[str]) -> AnswerIndex:
        """Return the index of text-hypothesis pairs, repetitions once."""
        a_ids = list(dict.fromkeys(ids))
        return cls(questions=[], starts=[0], q_ids=[""] * len(a_ids), a_ids=a_ids)

    @classmethod
    def naming(cls, pairs: Iterable[tuple[str, str]]) -> AnswerIndex:
        """Return the index of the answers that pairs of q_id and a_id name, repetitions once."""
        answers: dict[str, dict[str, None]] = {}
        for q_id, a_id in pairs:
            answers.setdefault(q_id, {})[a_id] = None
        return cls.of(answers)

    def __len__(self) -> int:
        return len(self.a_ids)

    @property
    def is_pairs(self) -> bool:
        """Whether the answers are pairs, which belong to no question."""
        return bool(self.a_ids) and not self.questions

    def __repr__(self) -> str:
        return f"<AnswerIndex: {len(self.questions)} questions, {len(self)} answers>"

    @cached_property
    def position(self) -> dict[tuple[str, str], int]:
        """(q_id, a_id) -> position of the answer."""
        return {pair: place for place, pair in enumerate(zip(self.q_ids, self.a_ids, strict=True))}

    @cached_property
    def question_number(self) -> dict[str, int]:
        """q_id -> its number in `questions`, from 0."""
        return {q_id: number for number, q_id in enumerate(self.questions)}

    @cached_property
    def questions_by_number(self) -> dict[str, str]:
        """q_id without leading zeros -> q_id: spreadsheets make 1 of 0001."""
        return {q_id.lstrip("0"): q_id for q_id in reversed(self.questions)}

    @cached_property
    def questions_of_answer(self) -> dict[str, list[str]]:
        """a_id -> every question that has an answer of this id, to explain a misplaced one."""
        found: dict[str, list[str]] = {}
        for q_id, a_id in zip(self.q_ids, self.a_ids, strict=True):
            found.setdefault(a_id, []).append(q_id)
        return found

    @cached_property
    def spans(self) -> list[slice]:
        """For every question the positions of its answers."""
        return [slice(a, b) for a, b in zip(self.starts, self.starts[1:], strict=False)]


@dataclass(eq=False, repr=False)
class Collection:
    """Questions, their candidate answers and what is known of them.

    Attributes
    ----------
    path
        The file as the user named it.
    sha256
        Hexadecimal hash of the file's bytes (after decompression).
    index
        The answers.
    labels
        One `Label` code an answer.
    languages
        What languages the file says that it is in, in order of appearance.
    available
        How many answers there were before the collection was built of them, if the file says so.
    key_path, key_sha256
        The same of the key file, where the labels came from one.
    grades
        How good answers are, by their positions, where the file says so.
    """

    path: str
    sha256: str
    index: AnswerIndex
    labels: bytes
    languages: tuple[str, ...] = ()
    available: int | None = None
    key_path: str | None = None
    key_sha256: str | None = None
    grades: Mapping[int, int] = field(default_factory=dict)

    def __repr__(self) -> str:
        index = self.index
        return f"<Collection {self.path}: {len(index.questions)} questions, {len(index)} answers>"

    @cached_property
    def answerable(self) -> list[bool]:
        """For every question whether it has an answer labelled VALIDATED."""
        return [Label.VALIDATED in self.labels[span] for span in self.index.spans]

    @cached_property
    def questions_with_correct(self) -> int:
        """Number of questions that have an answer labelled VALIDATED."""
        return sum(self.answerable)

    @cached_property
    def expected_random(self) -> Fraction:
        """Correct selections to expect of a random pick in each question.

        The sum over questions of VALIDATED answers / all answers, UNKNOWN ones among these: a
        random pick can hit them. A question without answers adds nothing.
        """
        from fractions import Fraction  # no check of a run needs it

        shares = Counter(
            (self.labels[span].count(Label.VALIDATED), span.stop - span.start)
            for span in self.index.spans
        )
        return sum(
            (times * Fraction(correct, size) for (correct, size), times in shares.items() if size),
            Fraction(0),
        )

    @cached_property
    def label_cells(self) -> bytes:
        """One `label_cell` an answer: the gold half of the join with a run."""
        in_answerable = bytes(label_cell(label, answerable=True) for label in range(256 - 4))
        joined = bytearray(self.labels)
        for span, answerable in zip(self.index.spans, self.answerable, strict=True):
            if answerable:
                joined[span] = joined[span].translate(in_answerable + bytes(4))
        return bytes(joined)

    def labelled(self, label: Label) -> int:
        """Return the number of answers with this label."""
        return self.labels.count(label)


@dataclass(eq=False, repr=False)
class Run:
    """The decisions of one answer-validation run, placed on a collection's index.

    Attributes
    ----------
    name
        The file name without its suffixes, unless somebody gave another.
    index
        The answers that the columns speak of.
    verdicts
        One `Verdict` code an answer.
    confidences
        The run's confidence in each verdict's answer; NaN where the line has none, as in runs of
        pairs; where a line is missing, 0.0 or less than all others.
    lines
        The line of the file that each verdict came from; 0 where there is none.
    missing
        The policy it was read under: `rejected` if answers without a line were taken so.
    """

    name: str
    path: str
    index: AnswerIndex
    verdicts: bytes
    confidences: array[float]
    lines: array[int]
    missing: str = "error"

    def __repr__(self) -> str:
        return f"<Run {self.name}: {len(self.verdicts)} answers>"


class JudgedAnswer(NamedTuple):
    """One judged row of a question-answering system: its answer to a question.

    `judgement` is the assessor's letter, or "" for an answer nobody judged; `answered` is what the
    run says of itself, None where it says nothing. `text` supports the answer and comes from the
    document `doc`; `confidence` is the system's own, None where it gives none.
    """

    line: int
    q_id: str
    judgement: str
    a_id: str = ""
    answer: str = ""
    answered: bool | None = None
    text: str = ""
    doc: str = ""
    confidence: float | None = None

    @property
    def is_nil(self) -> bool:
        """Whether the system says that there is no answer."""
        return is_nil(self.answer)


class Pool(NamedTuple):
    """What the systems of a judged file together tell of its questions.

    What a letter means is a matter of policy, so that the letters are kept.

    Attributes
    ----------
    answers
        (q_id, letter) of every answer that was given.
    nil
        (q_id, letter) of every time that a system said that there is no answer.
    """

    answers: frozenset[tuple[str, str]] = frozenset()
    nil: frozenset[tuple[str, str]] = frozenset()


@dataclass
class QARun:
    """A question-answering system's judged answers, in file order.

    `campaign` is the judgement table that they were read under; `missing` is `rejected` if
    questions that it does not mention were taken as unanswered. `index` is that of the collection
    which they were read against, `pool` what the whole file tells of its questions.
    """

    name: str
    path: str
    answers: list[JudgedAnswer]
    campaign: str = "qa-clef"
    missing: str = "error"
    index: AnswerIndex | None = None
    pool: Pool = field(default_factory=Pool)
