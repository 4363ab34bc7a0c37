"""Judged answers of question-answering systems: those of a run, and those of all in a file."""

from __future__ import annotations

from array import array
from collections.abc import Mapping
from dataclasses import dataclass, field
from math import nan
from typing import NamedTuple

from ave_score.core.answer_index import AnswerIndex, digest_of
from ave_score.core.standards import JUDGED, Standard
from ave_score.core.text import is_nil


class JudgedAnswer(NamedTuple):
    """A judged answer of a question-answering system: a row of its run.

    `judgement` is the assessor's letter, or "" if the answer was not judged. `answered` tells
    whether the run declares the question answered, None if it declares nothing. `text` supports the
    answer and comes from the document `doc`. `confidence` is the system's, None if not given.
    `replicate` tells repeated answers to a question apart; `score` is the number of a scorer.
    `verdict` and `verdict_confidence` are those of a judge beside the assessor; `weight` is one
    over the probability that the assessor judges the answer.
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
    replicate: str = ""
    score: float | None = None
    verdict: str = ""
    verdict_confidence: float | None = None
    weight: float | None = None

    @property
    def is_nil(self) -> bool:
        """Whether the answer is NIL: the question has no answer."""
        return is_nil(self.answer)


class Pool(NamedTuple):
    """The pooled judgements of all systems of a judged file.

    The letters are kept, because their meaning depends on the campaign.

    Attributes
    ----------
    answers
        Letter -> the questions with an answer other than NIL that has it.
    nil
        Letter -> the questions with a NIL answer that has it.
    """

    answers: Mapping[str, set[str]] = {}
    nil: Mapping[str, set[str]] = {}


@dataclass
class QARun:
    """A question-answering system's judged answers, in file order.

    `letters` names the judgement table; `missing` is `rejected` if questions that are not in the
    file were read as unanswered, `excluded` if these are not scored. `index` is that of the
    collection, `pool` holds the judgements of all systems of the file. `model` and `settings` are
    what a log says of the system, besides its seed. `is_reduced`: what answers to a question were
    reduced to; if these are several, they share the question, but are no replicates. `lacking`: the
    number of replicates that the reduction needs and no question has; 0 if one has. `evaluations`:
    those of a log whose answers it has; `grader`: who graded them, if several did.
    """

    name: str
    path: str
    answers: list[JudgedAnswer]
    letters: str = "qa-clef"
    missing: str = "error"
    index: AnswerIndex | None = None
    pool: Pool = field(default_factory=Pool)
    model: str = ""
    settings: str = ""
    is_reduced: bool = False
    lacking: int = 0
    evaluations: tuple[str, ...] = ()
    grader: str = ""

    @property
    def standard(self) -> Standard:
        """The sort of gold standard that is about such systems alone."""
        return JUDGED

    @property
    def digest(self) -> bytes:
        """A hash of the judgements of each question and the order of confidences, as of a `Run`.

        Whatever decides on an outcome counts: what is judged, withheld or NIL, and the score.
        """
        from ave_score.core.exact import places  # slow to import, as above

        answers = sorted(self.answers, key=lambda answer: (answer.q_id, answer.replicate))
        told = [
            (answer.q_id, answer.judgement, answer.answered is False, answer.is_nil, answer.score)
            for answer in answers
        ]
        sure = array(
            "d", [nan if answer.confidence is None else answer.confidence for answer in answers]
        )
        return digest_of(repr(told).encode(errors="surrogatepass") + places(sure))
