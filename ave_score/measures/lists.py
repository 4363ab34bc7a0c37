"""List questions: how many of the correct answers does a system return, and how many others?

Each list is compared with the answer sets of its question. Of several sets, the set with the best
score counts. A repetition is another wording of a correct answer that is already in the list.

For a question without an answer, an empty list scores 1 and any other list 0.

In the formulas, for one question:

    g        answers in the list
    d        distinct correct answers in the list
    s        repetitions in the list
    t        all correct answers of the question

Sources: NTCIR = Kato, Fukumoto, Masui, Question Answering Challenge, NTCIR Workshop 4; TREC 2003 =
Voorhees, Overview of the TREC 2003 Question Answering Track.
"""

from __future__ import annotations

from fractions import Fraction

from ave_score.core.exact import ratio
from ave_score.counts import LIST, ListCounts
from ave_score.measures.registry import EXAMPLES, Example, measure

_UNDEFINED = "undefined if there is no list question"

EXAMPLES[LIST] = Example(
    "three list questions: the list for the first has 5 answers, 3 of them correct and 1 of these "
    "a repetition, and 4 correct answers exist; the second has no answer, and none is given; "
    "neither of the 2 answers to the third is correct, and 1 correct answer exists",
    ListCounts(3, 2, Fraction(13, 9), Fraction(3, 2), Fraction(4, 9)),
)


@measure(
    "mmf1",
    "MMF1",
    LIST,
    is_mean=True,
    formula="mean of 2·d / (g + t)",
    undefined=_UNDEFINED,
    source="NTCIR",
    use="To score lists if a repetition is as bad as a wrong answer.",
    avoid="If wordings are matched loosely: an answer may then be taken for a repetition.",
    worked="(2·2 / (5 + 4) + 1 + 2·0 / (2 + 1)) / 3 = 13/27",
)
def mmf1(counts: ListCounts) -> Fraction | None:
    """Mean F of lists; repetitions count as wrong."""
    return ratio(counts.sum_of_mf1, counts.list_questions)


@measure(
    "mmf2",
    "MMF2",
    LIST,
    is_mean=True,
    formula="mean of 2·d / (g - s + t)",
    undefined=_UNDEFINED,
    source="NTCIR",
    use="To score the contents of a list, without regard to repetitions.",
    avoid="If users should not have to read the same answer twice.",
    worked="(2·2 / (5 - 1 + 4) + 1 + 2·0 / (2 + 1)) / 3 = 1/2",
)
def mmf2(counts: ListCounts) -> Fraction | None:
    """Mean F of lists; repetitions are ignored."""
    return ratio(counts.sum_of_mf2, counts.list_questions)


@measure(
    "list_f",
    "List F",
    LIST,
    is_mean=True,
    formula="mean of 2·d / (g + t), over the questions with an answer",
    undefined="undefined if no list question has an answer",
    source="TREC 2003",
    use="To compare with TREC, where every list question has an answer.",
    avoid="If recognising questions without an answer should be rewarded.",
    worked="(2·2 / (5 + 4) + 2·0 / (2 + 1)) / 2 = 2/9",
)
def list_f(counts: ListCounts) -> Fraction | None:
    """Mean F of lists over the questions that have an answer."""
    return ratio(counts.sum_of_list_f, counts.list_answerable)
