"""The index of a collection: the ids of all its answers, by question."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, chain, repeat
from operator import sub

from ave_score.core.standards import CANDIDATES, PAIRS, Standard


def digest_of(data: bytes) -> bytes:
    """Return a hash of bytes."""
    from hashlib import sha256  # slow to import, and `check` needs none

    return sha256(data).digest()


@dataclass(eq=False, repr=False)
class AnswerIndex:
    """The ids of a collection's answers, in file order.

    Attributes
    ----------
    questions
        Distinct ids of the questions, in file order.
    starts
        `starts[i]:starts[i + 1]` are the positions of the answers of question i; the length is
        `len(questions) + 1`.
    q_ids, a_ids
        The question id and the answer id of every answer.

    Text-hypothesis pairs (AVE 2006) are answers without questions: `questions` is empty, and every
    q_id is "".
    """

    questions: list[str]
    starts: list[int]
    q_ids: list[str]
    a_ids: list[str]

    @classmethod
    def of(cls, answers: Mapping[str, Mapping[str, object]]) -> AnswerIndex:
        """Return the index of a mapping q_id -> answer ids, in its order."""
        sizes = {q_id: len(a_ids) for q_id, a_ids in answers.items()}
        return cls.sized(sizes, [*chain.from_iterable(answers.values())])

    @classmethod
    def sized(cls, sizes: Mapping[str, int], a_ids: list[str]) -> AnswerIndex:
        """Return the index of answers grouped by question, given how many each question has.

        All pairs are of the question "".
        """
        questions = [*filter(None, sizes)]
        q_ids = [*chain.from_iterable(map(repeat, sizes, sizes.values()))]
        return cls(questions, [0, *accumulate(map(sizes.__getitem__, questions))], q_ids, a_ids)

    @classmethod
    def of_pairs(cls, ids: Iterable[str]) -> AnswerIndex:
        """Return the index of text-hypothesis pairs, without duplicates."""
        a_ids = list(dict.fromkeys(ids))
        return cls(questions=[], starts=[0], q_ids=[""] * len(a_ids), a_ids=a_ids)

    @classmethod
    def naming(cls, pairs: Iterable[tuple[str, str]]) -> AnswerIndex:
        """Return the index of (q_id, a_id) pairs, without duplicates."""
        answers: dict[str, dict[str, None]] = {}
        for q_id, a_id in pairs:
            answers.setdefault(q_id, {})[a_id] = None
        return cls.of(answers)

    def __len__(self) -> int:
        return len(self.a_ids)

    def has_answers_of(self, other: AnswerIndex) -> bool:
        """Return whether it has the same answers in the same order, as if a file is read twice."""
        return self is other or (
            self.questions == other.questions
            and self.starts == other.starts
            and self.a_ids == other.a_ids
        )

    @property
    def standard(self) -> Standard:
        """What a gold standard with these answers is, if nothing else is known."""
        return CANDIDATES if self.questions or not self.a_ids else PAIRS

    @property
    def has_questions(self) -> bool:
        """Whether the answers belong to questions; text-hypothesis pairs do not."""
        return self.standard.has_questions

    @property
    def units(self) -> list[str]:
        """The ids of the questions, or of the pairs."""
        return self.questions if self.has_questions else self.a_ids

    @property
    def unit_of_answers(self) -> list[str]:
        """The id of the question of each answer, or of each pair."""
        return self.q_ids if self.has_questions else self.a_ids

    @property
    def unit_spans(self) -> list[slice]:
        """The positions of the answers to each question; each pair is a question."""
        return self.spans if self.has_questions else [slice(at, at + 1) for at in range(len(self))]

    @property
    def id_columns(self) -> dict[str, list[str]]:
        """Name of a column of files -> the ids of all answers."""
        columns = {"pair_id": self.a_ids, "q_id": self.q_ids, "a_id": self.a_ids}
        return {name: columns[name] for name in self.standard.ids}

    def __repr__(self) -> str:
        return f"<AnswerIndex: {len(self.questions)} questions, {len(self)} answers>"

    def ids(self, position: int) -> tuple[str, str]:
        """Return the answer id and the question id of an answer."""
        return self.a_ids[position], self.q_ids[position]

    @cached_property
    def position(self) -> dict[tuple[str, str], int]:
        """(q_id, a_id) -> position of the answer."""
        return {ids: number for number, ids in enumerate(zip(self.q_ids, self.a_ids, strict=True))}

    @cached_property
    def question_number(self) -> dict[str, int]:
        """q_id -> its position in `questions`."""
        return {q_id: number for number, q_id in enumerate(self.questions)}

    @cached_property
    def questions_by_number(self) -> dict[str, str]:
        """q_id without leading zeros -> q_id: spreadsheets turn 0001 into 1."""
        return {q_id.lstrip("0"): q_id for q_id in reversed(self.questions)}

    @cached_property
    def questions_of_answer(self) -> dict[str, list[str]]:
        """a_id -> the questions that have an answer with this id, for messages."""
        questions: dict[str, list[str]] = {}
        for q_id, a_id in zip(self.q_ids, self.a_ids, strict=True):
            questions.setdefault(a_id, []).append(q_id)
        return questions

    @cached_property
    def in_order(self) -> array[int]:
        """The lines of a run with all answers in order, which all such runs share."""
        return array("Q", range(1, len(self) + 1))

    @cached_property
    def digest(self) -> bytes:
        """A hash of the ids."""
        return digest_of(repr((self.q_ids, self.a_ids)).encode(errors="surrogatepass"))

    @cached_property
    def sizes(self) -> list[int]:
        """The number of answers of each question."""
        return [*map(sub, self.starts[1:], self.starts)]

    def count(self, codes: bytes | bytearray, code: int) -> Sequence[int]:
        """Return how many answers of each question have a code, given those of all answers."""
        return [*map(codes.count, repeat(code), self.starts, self.starts[1:])]

    @cached_property
    def spans(self) -> list[slice]:
        """The positions of each question's answers."""
        return [slice(a, b) for a, b in zip(self.starts, self.starts[1:], strict=False)]
