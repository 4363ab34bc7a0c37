"""Question categories: did a question have an answer, and did the system recognise that?

A question is answered if a run validates any of its answers, or a QA system returns an answer other
than NIL. NIL counts as it was judged: right as e, wrong as d. A question is answerable if the
collection has a correct answer to it. In a judged file without a collection it is answerable if any
system found a correct answer, or was judged wrong with NIL.

In the formulas:

    a        questions answered with at least one correct answer
    b        questions answered without a correct answer although one exists
    c        questions answered although no correct answer exists
    d        questions not answered although a correct answer exists
    e        questions not answered for which no correct answer exists
    NIL      questions for which a system claims that no answer exists
    right    questions for which this claim is right
    none     all questions without an answer; for QA systems, those for which any of them claimed
             it rightly
    r, g     correct validated answers of a question, and all its validated answers

Sources: Russian QA = a paper on answer validation in Russian question answering with questions of
ROMIP (E and R are its own, not official measures of ROMIP); CLEF 2005 = Vallin and others, Overview
of the CLEF 2005 Multilingual Question Answering Track; NTCIR = Kato, Fukumoto, Masui, Question
Answering Challenge, NTCIR Workshop 4.
"""

from __future__ import annotations

from fractions import Fraction

from ave_score.core.exact import ratio
from ave_score.counts import (
    CANDIDATE_SETS,
    CATEGORIES,
    NIL,
    CandidateSetCounts,
    CategoryCounts,
    NilCounts,
)
from ave_score.measures.registry import EXAMPLES, Example, measure

EXAMPLES[CATEGORIES] = Example(
    "20 questions: a = 8, b = 3, c = 2, d = 1, e = 6", CategoryCounts(8, 3, 2, 1, 6)
)
EXAMPLES[NIL] = Example(
    "a system returns NIL for 7 questions, 6 of them rightly; 8 questions have no answer",
    NilCounts(nil_questions=8, nil_given=7, nil_right=6),
)
EXAMPLES[CANDIDATE_SETS] = Example(
    "three answerable questions: for the first, 2 answers are validated and 1 of them is correct; "
    "for the second, 1 is validated and wrong; for the third, 1 is validated and correct",
    CandidateSetCounts(3, Fraction(5, 3)),
)


@measure(
    "romip_r",
    "R",
    CATEGORIES,
    is_share=True,
    formula="a / (a + b + d)",
    undefined="undefined if no question is answerable",
    source="Russian QA",
    use="To see how many of the answerable questions were answered correctly.",
    avoid="Alone: answering unanswerable questions costs nothing.",
    worked="8 / (8 + 3 + 1) = 2/3",
)
def romip_r(counts: CategoryCounts) -> Fraction | None:
    """Share of the answerable questions with a correct answer."""
    right = counts.some_right
    missed = counts.none_right_answerable + counts.unanswered_answerable
    return ratio(right, right + missed)


@measure(
    "romip_e",
    "E",
    CATEGORIES,
    is_share=True,
    higher_is_better=False,
    formula="(b + c + d) / (a + b + c + d + e)",
    source="Russian QA",
    use="To weight all errors equally: wrong answers, and questions left open although an answer "
    "exists.",
    avoid="If a wrong answer is worse than no answer.",
    worked="(3 + 2 + 1) / (8 + 3 + 2 + 1 + 6) = 3/10",
)
def romip_e(counts: CategoryCounts) -> Fraction | None:
    """Share of all questions that were handled wrongly."""
    wrong = (
        counts.none_right_answerable + counts.answered_unanswerable + counts.unanswered_answerable
    )
    return ratio(wrong, wrong + counts.some_right + counts.unanswered_unanswerable)


@measure(
    "nil_precision",
    "NIL precision",
    NIL,
    is_share=True,
    formula="right / NIL",
    undefined="undefined if a system never returns NIL",
    source="CLEF 2005",
    use="To see how reliable NIL is.",
    avoid="If every question has an answer.",
    worked="6 / 7 = 6/7",
)
def nil_precision(counts: NilCounts) -> Fraction | None:
    """Share of the NIL answers that were right."""
    return ratio(counts.nil_right, counts.nil_given)


@measure(
    "nil_recall",
    "NIL recall",
    NIL,
    is_share=True,
    formula="right / none",
    undefined="undefined if every question has an answer",
    source="CLEF 2005",
    use="To see how many questions without an answer a system recognises.",
    avoid="Alone: returning NIL every time gives 1.",
    worked="6 / 8 = 3/4",
)
def nil_recall(counts: NilCounts) -> Fraction | None:
    """Share of the questions without an answer for which the system returned NIL."""
    return ratio(counts.nil_right, counts.nil_questions)


@measure(
    "mrc",
    "MRC",
    CANDIDATE_SETS,
    is_mean=True,
    formula="mean over answerable questions of (r + 1)/(g + 1), 0 where r = 0",
    undefined="undefined if no question is answerable",
    source="NTCIR",
    use="To score unranked sets of answers: a correct answer with few wrong answers scores best.",
    avoid="If correct answers that were not accepted should lower the score.",
    worked="(2/3 + 0 + 2/2) / 3 = 5/9",
)
def mrc(counts: CandidateSetCounts) -> Fraction | None:
    """Mean correctness of the sets of validated answers over questions."""
    return ratio(counts.sum_of_rc, counts.questions_with_rc)
