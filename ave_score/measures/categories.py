"""Questions by category: was there an answer, and did the system know?

A question is answered where a run validates an answer of it, or a QA system returns one that is
not NIL; NIL counts as judged, right as e, wrong as d. It is answerable where the collection has a
correct answer; of a judged file alone, where any of its systems found one, or was judged wrong in
saying NIL. In the formulas

    a        questions answered with at least one correct answer
    b        answered with none, though a correct one existed
    c        answered though none existed
    d        not answered though one existed
    e        not answered, and none existed
    NIL      questions of which a system says that they have no answer
    right    those of NIL of which that is true
    none     all questions that have no answer; of QA systems, those of which any of them said so
             rightly
    r, g     correct answers among the validated ones of a question, and all validated ones

Sources: ROMIP = Dobrov and others, Russian Information Retrieval Evaluation Seminar, question
answering track; CLEF 2005 = Vallin and others, Overview of the CLEF 2005 Multilingual Question
Answering Track; NTCIR = Kato, Fukumoto, Masui, Question Answering Challenge, NTCIR Workshop 4.
"""

from __future__ import annotations

from fractions import Fraction

from ave_score.counts import (
    CANDIDATE_SETS,
    CATEGORIES,
    NIL,
    CandidateSetCounts,
    CategoryCounts,
    NilCounts,
)
from ave_score.exact import ratio
from ave_score.measures.registry import EXAMPLES, Example, measure

_UNDEFINED = "undefined"

EXAMPLES[CATEGORIES] = Example(
    "20 questions: a = 8, b = 3, c = 2, d = 1, e = 6", CategoryCounts(8, 3, 2, 1, 6)
)
EXAMPLES[NIL] = Example(
    "a system says NIL of 7 questions, rightly of 6; 8 questions have no answer",
    NilCounts(nil_questions=8, nil_given=7, nil_right=6),
)
EXAMPLES[CANDIDATE_SETS] = Example(
    "three answerable questions: of the first 2 answers are validated and 1 is correct, of the "
    "second 1 and it is wrong, of the third 1 and it is correct",
    CandidateSetCounts(3, Fraction(5, 3)),
)


@measure(
    "romip_r",
    "R",
    CATEGORIES,
    formula="a / (a + b + d)",
    undefined="undefined where no question is answerable",
    source="ROMIP",
    use="To ask how many of the answerable questions were answered well.",
    avoid="Alone: whoever answers everything loses nothing.",
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
    higher_is_better=False,
    formula="(b + c + d) / (a + b + c + d + e)",
    undefined=_UNDEFINED,
    source="ROMIP",
    use="To count every mistake alike: wrong answers, and silence where there was an answer.",
    avoid="Where a wrong answer does more harm than none.",
    worked="(3 + 2 + 1) / (8 + 3 + 2 + 1 + 6) = 3/10",
)
def romip_e(counts: CategoryCounts) -> Fraction | None:
    """Share of all questions that were treated wrongly."""
    wrong = (
        counts.none_right_answerable + counts.answered_unanswerable + counts.unanswered_answerable
    )
    return ratio(wrong, wrong + counts.some_right + counts.unanswered_unanswerable)


@measure(
    "nil_precision",
    "NIL precision",
    NIL,
    formula="right / NIL",
    undefined="undefined where a system never says NIL",
    source="CLEF 2005",
    use="To ask whether a system is to be believed when it says that there is no answer.",
    avoid="Where every question has an answer.",
    worked="6 / 7 = 6/7",
)
def nil_precision(counts: NilCounts) -> Fraction | None:
    """Share of the answers NIL that were right."""
    return ratio(counts.nil_right, counts.nil_given)


@measure(
    "nil_recall",
    "NIL recall",
    NIL,
    formula="right / none",
    undefined="undefined where every question has an answer",
    source="CLEF 2005",
    use="To ask how many questions without an answer a system recognises.",
    avoid="Alone: who always says NIL has all of it. Of judged files the questions are a pool.",
    worked="6 / 8 = 3/4",
)
def nil_recall(counts: NilCounts) -> Fraction | None:
    """Share of the questions without an answer of which the system said so."""
    return ratio(counts.nil_right, counts.nil_questions)


@measure(
    "mrc",
    "MRC",
    CANDIDATE_SETS,
    formula="mean over answerable questions of (r + 1)/(g + 1), 0 where r = 0",
    undefined="undefined where no question is answerable",
    source="NTCIR",
    use="To judge sets of answers without an order, a correct answer among few wrong ones highest.",
    avoid="Where correct answers that were missed should count: they do not.",
    worked="(2/3 + 0 + 2/2) / 3 = 5/9",
)
def mrc(counts: CandidateSetCounts) -> Fraction | None:
    """Mean over questions of how correct the set of validated answers is."""
    return ratio(counts.sum_of_rc, counts.questions_with_rc)
