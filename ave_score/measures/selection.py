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

from ave_score.counts import SELECTION, SelectionCounts
from ave_score.exact import ratio
from ave_score.measures.registry import EXAMPLES, Example, measure

_UNDEFINED = "undefined"

EXAMPLES[SELECTION] = Example(
    "20 questions: ca = 8, wa = 3, wr = 1, ws = 2, cr = 6; their shares of correct answers add up "
    "to 5",
    SelectionCounts(8, 3, 1, 2, 6, expected_random=5, questions_with_correct=12),
)


@measure(
    "qa_accuracy",
    "QA accuracy",
    SELECTION,
    formula="ca / n",
    undefined=_UNDEFINED,
    source="AVE 2007 (4)",
    use="To say what a QA system would gain that returned the selected answers: it can "
    "be ranked among them.",
    avoid="To compare collections: few questions may have a correct answer at all.",
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
    formula="ca / (ca + wa + wr)",
    undefined=_UNDEFINED,
    source="AVE 2007 (5)",
    use="To ask how much of what could be selected was.",
    avoid="Beside QA systems that found answers which the collection lacks: these exceed 100 %.",
    worked="8 / (8 + 3 + 1) = 2/3",
)
def normalized_qa_accuracy(counts: SelectionCounts) -> Fraction | None:
    """Share of what perfect selection gets right."""
    return ratio(counts.selected_right, counts.questions_with_correct)


@measure(
    "random_qa_accuracy",
    "Random",
    SELECTION,
    formula="mean over questions of correct answers / answers",
    undefined=_UNDEFINED,
    source="AVE 2007 (6)",
    use="As the baseline of qa_accuracy; of best-of-N samples, mean pass@1.",
    avoid="To rank runs: it is the same for all.",
    worked="5 / 20 = 1/4",
)
def random_qa_accuracy(counts: SelectionCounts) -> Fraction | None:
    """QA accuracy to expect of selecting at random; a property of the collection."""
    return ratio(counts.expected_random, counts.questions)


@measure(
    "qa_rej_accuracy",
    "QA rej. acc.",
    SELECTION,
    formula="cr / n",
    undefined=_UNDEFINED,
    source="thesis 4.7",
    use="To see how often a run is silent where nothing correct could be said.",
    avoid="Alone: who selects nothing has all of it.",
    worked="6 / 20 = 3/10",
)
def qa_rej_accuracy(counts: SelectionCounts) -> Fraction | None:
    """Share of questions rightly left without an answer."""
    return ratio(counts.withheld_unanswerable, counts.questions)


@measure(
    "qa_accuracy_max",
    "QA acc. max",
    SELECTION,
    formula="qa_accuracy + qa_rej_accuracy",
    undefined=_UNDEFINED,
    source="thesis 4.8",
    use="To bound what a second source of answers could add to the questions that were left open.",
    avoid="As what will be reached: no source answers everything.",
    worked="(8 + 6) / 20 = 7/10",
)
def qa_accuracy_max(counts: SelectionCounts) -> Fraction | None:
    """QA accuracy if every rightly withheld question were then answered rightly."""
    return ratio(counts.selected_right + counts.withheld_unanswerable, counts.questions)


@measure(
    "estimated_qa_performance",
    "Estimated",
    SELECTION,
    formula="qa_accuracy + qa_rej_accuracy·qa_accuracy",
    undefined=_UNDEFINED,
    source="thesis 4.9",
    use="To rank runs that select and runs that withhold in one table: the measure of AVE 2008.",
    avoid="Where the questions that were left open are harder than the others.",
    worked="8/20 + 6/20 · 8/20 = 13/25",
)
def estimated_qa_performance(counts: SelectionCounts) -> Fraction | None:
    """QA accuracy if rightly withheld questions were answered as well as the others."""
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
    undefined=_UNDEFINED,
    source="ave_score; of best-of-N samples the gain of a verifier",
    use="To say what selection is worth beside none, in questions.",
    avoid="To compare collections: where few questions have a correct answer little can be gained.",
    worked="8/20 - 5/20 = 3/20",
    note="Gain: over selecting at random; of best-of-N, what the verifier gains over mean pass@1.",
)
def gain_over_random(counts: SelectionCounts) -> Fraction | None:
    """QA accuracy beyond what selecting at random gives."""
    return ratio(counts.selected_right - counts.expected_random, counts.questions)


@measure(
    "headroom",
    "Headroom",
    SELECTION,
    lowest="-infinity",
    formula="(qa_accuracy - random) / (perfect - random)",
    undefined=_UNDEFINED,
    source="ave_score",
    use="To compare selection across collections: 0 is chance, 1 perfect; what a "
    "verifier gains of the oracle.",
    avoid="Where random selection is nearly perfect: the difference is then divided by "
    "next to nothing.",
    note="Headroom: the share of the way from Random to Perfect selection that is gone; of "
    "best-of-N, from mean pass@1 to the oracle (pass@N).",
    worked="(8 - 5) / (12 - 5) = 3/7",
)
def headroom(counts: SelectionCounts) -> Fraction | None:
    """Gain over random selection, as a share of what perfect selection gains over it."""
    random = counts.expected_random
    return ratio(counts.selected_right - random, counts.questions_with_correct - random)
