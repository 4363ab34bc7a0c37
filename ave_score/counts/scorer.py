"""Numbers that a scorer gave the answers of a QA system, as the value of a log."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from ave_score.core.epochs import is_judged
from ave_score.core.exact import Number, as_decimal
from ave_score.core.model import JudgedAnswer
from ave_score.core.text import quantity
from ave_score.counts.base import Counts, Family, NotCounted, count
from ave_score.counts.judged import JudgedSystem


@dataclass(eq=False, repr=False)
class ScorerCounts(Counts):
    """Sum and number of the scores of questions."""

    sum_of_scores: Number = count(
        "The sum over questions of the score of the answer, of several replicates their mean."
    )
    questions_with_score: Number = count("Questions with a score, over which it is averaged.")


def _count_scores(judged: JudgedSystem) -> list[ScorerCounts]:
    """Return the mean score of the answers to each question.

    Answers that were neither judged nor scored are left out. A question without a row scores 0, as
    it counts as answered wrongly. Raises `NotCounted` if other answers have no score.
    """
    answers: dict[str, list[JudgedAnswer]] = {}
    for answer in judged.system.answers:
        answers.setdefault(answer.q_id, []).append(answer)
    lacking = sum(answer.score is None and is_judged(answer) for answer in judged.system.answers)
    if lacking:
        raise NotCounted(f"{quantity(lacking, 'judged answer')} without a score")
    counts = []
    for q_id in judged.collection.index.questions:
        of = [answer.score for answer in answers.get(q_id, ())]
        scores = [Fraction(as_decimal(score)) for score in of if score is not None]
        mean = sum(scores, Fraction(0)) / max(1, len(scores))
        counts.append(ScorerCounts(mean, int(bool(scores) or not of)))
    return counts


SCORER = Family(
    "scorer",
    ScorerCounts,
    table="scorer",
    of_questions=_count_scores,
    of_numbers=True,
    unknown="count if they have a score, and are left out otherwise",
)
