"""Answering: what is it worth to leave a question unanswered instead of answering it wrongly?

Computed over all questions. An answer-validation run answers the questions for which it selects an
answer.

Measures differ in the value of an unanswered question: the accuracy over all questions for c@1, or
another estimate (thesis 6.6-6.10).

In the formulas:

    n    questions
    ac   questions answered correctly
    aw   questions answered wrongly
    u    questions left unanswered
    wc   unanswered questions with a withheld answer that was judged right
    ww   unanswered questions with a withheld answer that was judged wrong

Sources: thesis = Rodrigo, PhD thesis, UNED 2010; ResPubliQA = Peñas and others, Overview of
ResPubliQA 2009, CLEF 2009; c@1 = Peñas and Rodrigo, A Simple Measure to
Assess Non-response, ACL 2011; SimpleQA = Wei and others, Measuring Short-Form Factuality in Large
Language Models, 2024.
"""

from __future__ import annotations

from fractions import Fraction

from ave_score.core.exact import Number, ratio, ratio_or_0
from ave_score.counts import ANSWERING, AnsweringCounts
from ave_score.measures.registry import EXAMPLES, Example, measure

EXAMPLES[ANSWERING] = Example(
    "50 questions: ac = 20, aw = 10, u = 20, wc = 5, ww = 12", AnsweringCounts(20, 10, 20, 5, 12)
)
_UNKNOWN = "undefined if no withheld answer was judged"
_COUNT = {"whole": True, "undefined": "0", "highest": "n", "source": "thesis, tables 6.3-6.4"}
_WITHHELD = {**_COUNT, "undefined": _UNKNOWN}


def _estimated(counts: AnsweringCounts, probability: Number) -> Fraction | None:
    """Return the accuracy if unanswered questions had this probability of a correct answer."""
    return ratio(counts.answered_right + counts.unanswered * probability, counts.questions)


def _is_known(counts: AnsweringCounts) -> bool:
    """Tell whether withheld answers were judged, or there are none."""
    return not counts.unanswered or bool(counts.withheld_right + counts.withheld_wrong)


@measure(
    "c_at_1",
    "c@1",
    ANSWERING,
    formula="(ac + u·ac/n) / n",
    source="c@1",
    use="If no answer is better than a wrong answer, and the system decides which questions to "
    "answer. It is the main measure of ResPubliQA.",
    avoid="If wrong answers should be penalised: `utility` subtracts them.",
    worked="(20 + 20·20/50) / 50 = 14/25",
)
def c_at_1(counts: AnsweringCounts) -> Fraction | None:
    """Accuracy if unanswered questions were answered as accurately as all questions."""
    share = ratio(counts.answered_right, counts.questions)
    return None if share is None else _estimated(counts, share)


@measure(
    "answering_accuracy",
    "Accuracy",
    ANSWERING,
    is_share=True,
    formula="ac / n",
    source="thesis 6.6-6.10, P = 0",
    use="If every question should be answered.",
    avoid="If leaving questions unanswered should be rewarded.",
    worked="20 / 50 = 2/5",
)
def answering_accuracy(counts: AnsweringCounts) -> Fraction | None:
    """Share of all questions that were answered correctly."""
    return _estimated(counts, 0)


@measure(
    "accuracy_with_withheld",
    "Accuracy with withheld",
    ANSWERING,
    is_share=True,
    formula="(ac + wc) / n",
    undefined=_UNKNOWN,
    source="ResPubliQA (thesis 6.4.1, footnote 8)",
    use="To compare with the tables of ResPubliQA, whose accuracy counts right withheld answers. "
    "Also to see the accuracy without the decision to withhold.",
    avoid="If few withheld answers were judged.",
    worked="(20 + 5) / 50 = 1/2",
)
def accuracy_with_withheld(counts: AnsweringCounts) -> Fraction | None:
    """Accuracy if the withheld answers had been given: the Accuracy of ResPubliQA's tables."""
    if not _is_known(counts):
        return None
    return ratio(counts.answered_right + counts.withheld_right, counts.questions)


@measure(
    "utility",
    "UF",
    ANSWERING,
    lowest="-1",
    formula="(ac - aw) / n",
    source="thesis, chapter 6",
    use="If a wrong answer costs as much as a correct answer gains.",
    avoid="As a share of questions: its minimum is -1.",
    worked="(20 - 10) / 50 = 1/5",
)
def utility(counts: AnsweringCounts) -> Fraction | None:
    """Mean of 1 for a correct answer, -1 for a wrong answer and 0 for no answer."""
    return ratio(counts.answered_right - counts.answered_wrong, counts.questions)


@measure(
    "unanswered_as_right",
    "P = 1",
    ANSWERING,
    is_share=True,
    formula="(ac + u) / n",
    source="thesis 6.6-6.10, P = 1",
    use="As the upper bound of the estimates.",
    avoid="To rank: answering nothing gives 1.",
    worked="(20 + 20) / 50 = 4/5",
)
def unanswered_as_right(counts: AnsweringCounts) -> Fraction | None:
    """Accuracy if every unanswered question counted as correct."""
    return _estimated(counts, 1)


@measure(
    "unanswered_as_half",
    "P = 0.5",
    ANSWERING,
    formula="(ac + u/2) / n",
    source="thesis 6.6-6.10, P = 0.5",
    use="As an estimate that does not depend on any answer.",
    avoid="To rank: answering nothing gives 0.5.",
    worked="(20 + 20/2) / 50 = 3/5",
)
def unanswered_as_half(counts: AnsweringCounts) -> Fraction | None:
    """Accuracy if half of the unanswered questions counted as correct."""
    return _estimated(counts, Fraction(1, 2))


@measure(
    "unanswered_as_answered",
    "P = right",
    ANSWERING,
    formula="(ac + u·ac/(ac + aw)) / n",
    undefined="undefined; also if nothing was answered",
    source="thesis 6.6-6.10, P = ac/(ac + aw)",
    use="To estimate the accuracy of answering everything.",
    avoid="To rank: answering a single question correctly gives 1.",
    worked="(20 + 20 · 20/(20 + 10)) / 50 = 2/3",
)
def unanswered_as_answered(counts: AnsweringCounts) -> Fraction | None:
    """Accuracy if unanswered questions were answered as accurately as the answered ones."""
    share = accuracy_given_answered(counts)
    return None if share is None else _estimated(counts, share)


@measure(
    "unanswered_as_missed",
    "P = wrong",
    ANSWERING,
    formula="(ac + u·aw/(ac + aw)) / n",
    undefined="undefined; also if nothing was answered",
    source="thesis 6.6-6.10, P = aw/(ac + aw)",
    use="To study the value of unanswered questions. The thesis rejects it.",
    avoid="To rank: unanswered questions are worth more if more answers are wrong.",
    worked="(20 + 20 · 10/(20 + 10)) / 50 = 8/15",
)
def unanswered_as_missed(counts: AnsweringCounts) -> Fraction | None:
    """Accuracy if unanswered questions were right as often as the answered ones are wrong."""
    share = accuracy_given_answered(counts)
    return None if share is None else _estimated(counts, 1 - share)


@measure(
    "share_answered",
    "Answered",
    ANSWERING,
    is_share=True,
    formula="(ac + aw) / n",
    source="thesis, chapter 6",
    use="Together with `accuracy_given_answered`, as coverage.",
    avoid="Alone: answering everything gives 1.",
    worked="(20 + 10) / 50 = 3/5",
)
def share_answered(counts: AnsweringCounts) -> Fraction | None:
    """Share of the questions that were answered."""
    return ratio(counts.answered_right + counts.answered_wrong, counts.questions)


@measure(
    "accuracy_given_answered",
    "Accuracy of answered",
    ANSWERING,
    is_share=True,
    formula="ac / (ac + aw)",
    undefined="undefined if nothing was answered",
    source="thesis, chapter 6",
    use="Together with `share_answered`, as precision.",
    avoid="Alone: answering a single question correctly gives 1.",
    worked="20 / (20 + 10) = 2/3",
)
def accuracy_given_answered(counts: AnsweringCounts) -> Fraction | None:
    """Share of the given answers that were correct."""
    return ratio(counts.answered_right, counts.answered_right + counts.answered_wrong)


@measure(
    "simpleqa_f",
    "F (SimpleQA)",
    ANSWERING,
    formula="2·ac / (n + ac + aw)",
    undefined="0",
    source="SimpleQA",
    use="To compare with SimpleQA: the harmonic mean of the accuracy over all questions and that "
    "over the answered ones.",
    avoid="To reward leaving questions open: a guess pays if it is right more often than F/2.",
    worked="2·20 / (50 + 20 + 10) = 1/2",
)
def simpleqa_f(counts: AnsweringCounts) -> Fraction:
    """Harmonic mean of the accuracy over all questions and over those answered."""
    answered = counts.answered_right + counts.answered_wrong
    return ratio_or_0(2 * counts.answered_right, counts.questions + answered)


@measure(
    "n_right",
    "Right",
    ANSWERING,
    is_share=True,
    formula="ac",
    **_COUNT,
    use="To check a table by hand.",
    avoid="To compare collections.",
    worked="20 = 20",
)
def n_right(counts: AnsweringCounts) -> Fraction:
    """Questions answered correctly."""
    return Fraction(counts.answered_right)


@measure(
    "n_wrong",
    "Wrong",
    ANSWERING,
    is_share=True,
    formula="aw",
    higher_is_better=False,
    **_COUNT,
    use="To check a table by hand.",
    avoid="To compare collections.",
    worked="10 = 10",
)
def n_wrong(counts: AnsweringCounts) -> Fraction:
    """Questions answered wrongly."""
    return Fraction(counts.answered_wrong)


@measure(
    "n_unanswered",
    "Unanswered",
    ANSWERING,
    is_share=True,
    formula="u",
    higher_is_better=False,
    **_COUNT,
    use="To check a table by hand.",
    avoid="To compare collections.",
    worked="20 = 20",
)
def n_unanswered(counts: AnsweringCounts) -> Fraction:
    """Questions left without an answer."""
    return Fraction(counts.unanswered)


@measure(
    "n_withheld_right",
    "Withheld right",
    ANSWERING,
    is_share=True,
    formula="wc",
    higher_is_better=False,
    **_WITHHELD,
    use="To see how many correct answers were withheld.",
    avoid="If few withheld answers were judged.",
    worked="5 = 5",
)
def n_withheld_right(counts: AnsweringCounts) -> Fraction | None:
    """Unanswered questions whose withheld answer was right."""
    return Fraction(counts.withheld_right) if _is_known(counts) else None


@measure(
    "n_withheld_wrong",
    "Withheld wrong",
    ANSWERING,
    is_share=True,
    formula="ww",
    **_WITHHELD,
    use="To see how many wrong answers were withheld.",
    avoid="If few withheld answers were judged.",
    worked="12 = 12",
)
def n_withheld_wrong(counts: AnsweringCounts) -> Fraction | None:
    """Unanswered questions whose withheld answer was wrong."""
    return Fraction(counts.withheld_wrong) if _is_known(counts) else None
