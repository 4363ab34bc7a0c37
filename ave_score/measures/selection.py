"""Answer selection: how accurate is a QA system that returns the SELECTED answers?

Computed over all questions of the collection.

The answer of a QA system is its selection, and NIL selects nothing. If a candidate is correct, NIL
has missed it (wr). If no candidate is correct, NIL that was judged right is a right rejection (cr;
thesis, table 4.2), and NIL that was judged wrong counts as a wrong answer (ws).

In the formulas:

    n    questions
    ca   questions with a correct answer SELECTED
    wa   questions with a wrong answer SELECTED although a correct one exists
    wr   questions with none SELECTED although a correct one exists
    ws   questions with a wrong answer SELECTED and no correct one
    cr   questions with none SELECTED and no correct one

Sources: AVE 2007 = Peñas, Rodrigo, Verdejo, Overview of the Answer Validation Exercise 2007;
thesis = Rodrigo, PhD thesis, UNED 2010.
"""

from __future__ import annotations

from fractions import Fraction

from ave_score.core.exact import ratio
from ave_score.counts import SELECTION, SelectionCounts
from ave_score.measures.registry import EXAMPLES, Example, measure

EXAMPLES[SELECTION] = Example(
    "20 questions: ca = 8, wa = 3, wr = 1, ws = 2, cr = 6; the sum of their shares of correct "
    "answers is 5",
    SelectionCounts(8, 3, 1, 2, 6, expected_random=5, questions_with_correct=12),
)


@measure(
    "qa_accuracy",
    "QA accuracy",
    SELECTION,
    is_share=True,
    formula="ca / n",
    source="AVE 2007 (4)",
    use="To compare a run with QA systems. It is the accuracy of a QA system that returns the "
    "selected answers.",
    avoid="To compare collections: the share of questions with a correct answer differs.",
    worked="8 / 20 = 2/5",
)
def qa_accuracy(counts: SelectionCounts) -> Fraction | None:
    """Share of questions with a correct answer selected."""
    return ratio(counts.selected_right, counts.questions)


@measure(
    "normalized_qa_accuracy",
    "% of perfect",
    SELECTION,
    percent=True,
    is_share=True,
    formula="ca / (ca + wa + wr)",
    source="AVE 2007 (5)",
    use="To see how many of the selectable correct answers were selected.",
    avoid="For QA systems that found correct answers missing from the collection: they can exceed "
    "100 %.",
    worked="8 / (8 + 3 + 1) = 2/3",
)
def normalized_qa_accuracy(counts: SelectionCounts) -> Fraction | None:
    """QA accuracy as a share of that of perfect selection."""
    return ratio(counts.selected_right, counts.questions_with_correct)


@measure(
    "random_qa_accuracy",
    "Random",
    SELECTION,
    is_mean=True,
    formula="mean over questions of correct answers / answers",
    source="AVE 2007 (6)",
    use="As the baseline of `qa_accuracy`. For best-of-N samples it is mean pass@1.",
    avoid="To rank runs: it is the same for all of them.",
    worked="5 / 20 = 1/4",
)
def random_qa_accuracy(counts: SelectionCounts) -> Fraction | None:
    """Expected QA accuracy of random selection; a property of the collection."""
    return ratio(counts.expected_random, counts.questions)


@measure(
    "qa_rej_accuracy",
    "QA rej. acc.",
    SELECTION,
    is_share=True,
    formula="cr / n",
    source="thesis 4.7",
    use="To see how often a run rightly selects nothing.",
    avoid="Alone: selecting nothing gives the maximum.",
    worked="6 / 20 = 3/10",
)
def qa_rej_accuracy(counts: SelectionCounts) -> Fraction | None:
    """Share of questions correctly left without an answer."""
    return ratio(counts.withheld_unanswerable, counts.questions)


@measure(
    "qa_accuracy_max",
    "QA acc. max",
    SELECTION,
    is_share=True,
    formula="qa_accuracy + qa_rej_accuracy",
    source="thesis 4.8",
    use="As an upper bound on accuracy if a second source answers the questions left open.",
    avoid="As a prediction: no source answers everything correctly.",
    worked="(8 + 6) / 20 = 7/10",
)
def qa_accuracy_max(counts: SelectionCounts) -> Fraction | None:
    """QA accuracy if every correctly withheld question were then answered correctly."""
    return ratio(counts.selected_right + counts.withheld_unanswerable, counts.questions)


@measure(
    "estimated_qa_performance",
    "Estimated",
    SELECTION,
    formula="qa_accuracy + qa_rej_accuracy·qa_accuracy",
    source="thesis 4.9",
    use="To rank runs that always select together with runs that withhold. It is the main measure "
    "of AVE 2008.",
    avoid="If the questions left open are harder than the others.",
    worked="8/20 + 6/20 · 8/20 = 13/25",
)
def estimated_qa_performance(counts: SelectionCounts) -> Fraction | None:
    """QA accuracy if correctly withheld questions were answered as well as the others."""
    accuracy, rejection = qa_accuracy(counts), qa_rej_accuracy(counts)
    if accuracy is None or rejection is None:
        return None
    return accuracy + rejection * accuracy


@measure(
    "gain_over_random",
    "Gain",
    SELECTION,
    lowest="-1",
    formula="qa_accuracy - random_qa_accuracy",
    source="ave_score; for best-of-N samples, the gain of a verifier",
    use="To see what selection adds to random choice, as a share of the questions.",
    avoid="To compare collections: if few questions have a correct answer, little can be gained.",
    worked="8/20 - 5/20 = 3/20",
    note="Gain: over random selection; for best-of-N, the gain of the verifier over mean pass@1.",
)
def gain_over_random(counts: SelectionCounts) -> Fraction | None:
    """QA accuracy minus that of random selection."""
    return ratio(counts.selected_right - counts.expected_random, counts.questions)


@measure(
    "headroom",
    "Headroom",
    SELECTION,
    lowest="-infinity",
    formula="(qa_accuracy - random) / (perfect - random)",
    source="ave_score",
    use="To compare selection across collections: 0 is chance and 1 is perfect. For best-of-N it "
    "shows how close a verifier comes to the oracle.",
    avoid="If random selection is almost perfect: the denominator is then near 0.",
    note="Headroom: how much of the distance from random to perfect selection is covered; for "
    "best-of-N, from mean pass@1 to the oracle (pass@N).",
    worked="(8 - 5) / (12 - 5) = 3/7",
)
def headroom(counts: SelectionCounts) -> Fraction | None:
    """Gain over random selection as a share of the gain of perfect selection."""
    random = counts.expected_random
    return ratio(counts.selected_right - random, counts.questions_with_correct - random)
