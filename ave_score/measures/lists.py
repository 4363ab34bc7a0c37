"""List questions: which of all the correct answers does a system name, and how much else?

Each question's list is compared with its answer sets; where there are several, the one that scores
best counts. A repetition is another wording of a correct answer that the list has already. In the
formulas, of one question,

    g        answers in the list
    d        different correct answers among them
    s        repetitions among them
    t        correct answers that there are

A question without any answer is worth 1 to an empty list, else 0.

Sources: NTCIR = Kato, Fukumoto, Masui, Question Answering Challenge, NTCIR Workshop 4; TREC 2003 =
Voorhees, Overview of the TREC 2003 Question Answering Track.
"""

from __future__ import annotations

from fractions import Fraction

from ave_score.counts import LIST, ListCounts
from ave_score.exact import ratio
from ave_score.measures.registry import EXAMPLES, Example, measure

_UNDEFINED = "undefined where there is no list question"

EXAMPLES[LIST] = Example(
    "three list questions: of 5 answers to the first 3 are correct, 1 of them a repetition, and 4 "
    "are to be found; the second has no answer, and none is given; of 2 answers to the third none "
    "is correct, and 1 is to be found",
    ListCounts(3, 2, Fraction(13, 9), Fraction(3, 2), Fraction(4, 9)),
)


@measure(
    "mmf1",
    "MMF1",
    LIST,
    formula="mean of 2·d / (g + t)",
    undefined=_UNDEFINED,
    source="NTCIR",
    use="To judge lists in which a repetition is a fault like any wrong answer.",
    avoid="Where wordings are judged loosely: a repetition may then be none.",
    worked="(2·2 / (5 + 4) + 1 + 2·0 / (2 + 1)) / 3 = 13/27",
)
def mmf1(counts: ListCounts) -> Fraction | None:
    """Mean F of lists, repetitions counted as wrong."""
    return ratio(counts.sum_of_mf1, counts.list_questions)


@measure(
    "mmf2",
    "MMF2",
    LIST,
    formula="mean of 2·d / (g - s + t)",
    undefined=_UNDEFINED,
    source="NTCIR",
    use="To judge what a list says, whatever it says twice.",
    avoid="Where users should not have to read the same thing again.",
    worked="(2·2 / (5 - 1 + 4) + 1 + 2·0 / (2 + 1)) / 3 = 1/2",
)
def mmf2(counts: ListCounts) -> Fraction | None:
    """Mean F of lists, repetitions left out."""
    return ratio(counts.sum_of_mf2, counts.list_questions)


@measure(
    "list_f",
    "List F",
    LIST,
    formula="mean of 2·d / (g + t), over the questions with an answer",
    undefined="undefined where no list question has an answer",
    source="TREC 2003",
    use="To compare with TREC, whose list questions all have answers.",
    avoid="Where recognising that there is no answer should be worth something.",
    worked="(2·2 / (5 + 4) + 2·0 / (2 + 1)) / 2 = 2/9",
)
def list_f(counts: ListCounts) -> Fraction | None:
    """Mean F of the lists of questions that have an answer."""
    return ratio(counts.sum_of_list_f, counts.list_answerable)
