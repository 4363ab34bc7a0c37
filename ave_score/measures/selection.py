"""Selecting one answer a question: what would a QA system gain that returned the SELECTED answer?

Over all questions of the collection. In the formulas

    n    questions
    ca   questions with a correct answer SELECTED
    wa   with a wrong one SELECTED though a correct one existed
    wr   with none SELECTED though a correct one existed
    ws   with a wrong one SELECTED, none being correct
    cr   with none SELECTED, none being correct

Sources: AVE 2007 = Peñas, Rodrigo, Verdejo, Overview of the Answer Validation Exercise 2007;
thesis = Rodrigo, PhD thesis, UNED 2010.
"""

from __future__ import annotations

from fractions import Fraction

from ave_score.counts import Family, SelectionCounts
from ave_score.exact import ratio
from ave_score.measures.registry import measure

_SELECTION = Family.SELECTION
_UNDEFINED = "undefined"


@measure(
    "qa_accuracy",
    "QA accuracy",
    _SELECTION,
    formula="ca / n",
    undefined=_UNDEFINED,
    source="AVE 2007 (4)",
)
def qa_accuracy(counts: SelectionCounts) -> Fraction | None:
    """Share of questions with a correct answer selected."""
    return ratio(counts.selected_right, counts.questions)


@measure(
    "normalized_qa_accuracy",
    "% of perfect",
    _SELECTION,
    percent=True,
    formula="ca / (ca + wa + wr)",
    undefined=_UNDEFINED,
    source="AVE 2007 (5)",
)
def normalized_qa_accuracy(counts: SelectionCounts) -> Fraction | None:
    """Share of what perfect selection gets right."""
    return ratio(counts.selected_right, counts.questions_with_correct)


@measure(
    "random_qa_accuracy",
    "Random",
    _SELECTION,
    formula="mean over questions of correct answers / answers",
    undefined=_UNDEFINED,
    source="AVE 2007 (6)",
)
def random_qa_accuracy(counts: SelectionCounts) -> Fraction | None:
    """QA accuracy to expect of selecting at random; a property of the collection."""
    return ratio(counts.expected_random, counts.questions)


@measure(
    "qa_rej_accuracy",
    "QA rej. acc.",
    _SELECTION,
    formula="cr / n",
    undefined=_UNDEFINED,
    source="thesis 4.7",
)
def qa_rej_accuracy(counts: SelectionCounts) -> Fraction | None:
    """Share of questions rightly left without an answer."""
    return ratio(counts.withheld_unanswerable, counts.questions)


@measure(
    "qa_accuracy_max",
    "QA acc. max",
    _SELECTION,
    formula="qa_accuracy + qa_rej_accuracy",
    undefined=_UNDEFINED,
    source="thesis 4.8",
)
def qa_accuracy_max(counts: SelectionCounts) -> Fraction | None:
    """QA accuracy if every rightly withheld question were then answered rightly."""
    return ratio(counts.selected_right + counts.withheld_unanswerable, counts.questions)


@measure(
    "estimated_qa_performance",
    "Estimated",
    _SELECTION,
    formula="qa_accuracy + qa_rej_accuracy·qa_accuracy",
    undefined=_UNDEFINED,
    source="thesis 4.9",
)
def estimated_qa_performance(counts: SelectionCounts) -> Fraction | None:
    """QA accuracy if rightly withheld questions were answered as well as the others."""
    accuracy, rejection = qa_accuracy(counts), qa_rej_accuracy(counts)
    if accuracy is None or rejection is None:
        return None
    return accuracy + rejection * accuracy


@measure(
    "headroom",
    "Headroom",
    _SELECTION,
    lowest="-infinity",
    formula="(qa_accuracy - random) / (perfect - random)",
    undefined=_UNDEFINED,
    source="ave_score",
)
def headroom(counts: SelectionCounts) -> Fraction | None:
    """Gain over random selection, as a share of what perfect selection gains over it."""
    random = counts.expected_random
    return ratio(counts.selected_right - random, counts.questions_with_correct - random)
