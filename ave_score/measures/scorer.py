"""Scorer: what number do the answers of a QA system get?

Computed over the questions whose answer has a score. A question with several replicates has their
mean. An answer that was not judged is left out, unless it has a score. Every judged answer needs a
score: if one has none, the measure has no value (n/a), as the mean of the others is another figure.

Sources: Inspect = Inspect AI, UK AI Security Institute.
"""

from __future__ import annotations

from fractions import Fraction

from ave_score.core.exact import ratio
from ave_score.counts import SCORER, ScorerCounts
from ave_score.measures.registry import EXAMPLES, Example, measure

EXAMPLES[SCORER] = Example(
    "three questions: the answer to the first has the score 1, that to the second 0.5, the two "
    "replicates of the third 1 and 0",
    ScorerCounts(2, 3),
)


@measure(
    "mean_score",
    "Mean score",
    SCORER,
    is_mean=True,
    lowest="-infinity",
    highest="∞",
    formula="mean of the scores of the answers to a question",
    undefined="undefined if no answer has a score; n/a if a judged answer has none",
    source="Inspect, mean()",
    use="If a scorer gives partial credit or any other number. In logs of Inspect, C is 1, P 0.5, "
    "I and N 0.",
    avoid="To compare with `answering_accuracy`: answers that were not judged are left out.",
    worked="(1 + 0.5 + (1 + 0)/2) / 3 = 2/3",
)
def mean_score(counts: ScorerCounts) -> Fraction | None:
    """Mean over questions of the number that the scorer gave."""
    return ratio(counts.sum_of_scores, counts.questions_with_score)
