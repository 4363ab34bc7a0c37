"""Validating answers: was each judged answer accepted or rejected rightly?

Over all answers of the collection that are labelled VALIDATED or REJECTED. A run validates an
answer by VALIDATED or SELECTED. In the formulas

    cv, iv   validated answers that are correct, incorrect
    cr, ir   rejected answers that are correct, incorrect

Sources: AVE 2007 = Peñas, Rodrigo, Verdejo, Overview of the Answer Validation Exercise 2007;
thesis = Rodrigo, PhD thesis, UNED 2010; weighted error = the measure E of the paper on weighted
error for answer validation, of which the thesis reports.
"""

from __future__ import annotations

from fractions import Fraction

from ave_score.counts import Family, QuestionCounts, ValidationCounts
from ave_score.exact import ratio
from ave_score.measures.registry import Parameter, measure

_VALIDATION = Family.VALIDATION
_UNDEFINED = "undefined"


@measure(
    "f1",
    "F",
    _VALIDATION,
    formula="2·cv / (2·cv + cr + iv)",
    undefined=_UNDEFINED,
    source="AVE 2007 (3)",
)
def f1(counts: ValidationCounts) -> Fraction | None:
    """Harmonic mean of precision and recall, from counts."""
    return f_beta(counts, Fraction(1))


@measure(
    "precision",
    "Precision",
    _VALIDATION,
    formula="cv / (cv + iv)",
    undefined="0, as AVE printed",
    source="AVE 2007 (1)",
)
def precision(counts: ValidationCounts) -> Fraction:
    """Share of correct answers among the validated; nothing validated is 0, as AVE printed."""
    validated = counts.validated_correct + counts.validated_incorrect
    return ratio(counts.validated_correct, validated) or Fraction(0)


@measure(
    "recall",
    "Recall",
    _VALIDATION,
    formula="cv / (cv + cr)",
    undefined=_UNDEFINED,
    source="AVE 2007 (2)",
)
def recall(counts: ValidationCounts) -> Fraction | None:
    """Share of the correct answers that were validated."""
    return ratio(counts.validated_correct, counts.validated_correct + counts.rejected_correct)


@measure(
    "f_beta",
    "F(0.5)",
    _VALIDATION,
    parameter=Parameter("b", Fraction(1, 2)),
    formula="(1 + b²)·cv / ((1 + b²)·cv + b²·cr + iv)",
    undefined=_UNDEFINED,
    source="thesis 2.6",
)
def f_beta(counts: ValidationCounts, beta: Fraction) -> Fraction | None:
    """F with recall weighted `beta` times as much as precision."""
    hits = (1 + beta**2) * counts.validated_correct
    misses = beta**2 * counts.rejected_correct + counts.validated_incorrect
    return ratio(hits, hits + misses)


@measure(
    "accuracy",
    "Accuracy",
    _VALIDATION,
    formula="(cv + ir) / (cv + iv + cr + ir)",
    undefined=_UNDEFINED,
    source="thesis 4.1",
)
def accuracy(counts: ValidationCounts) -> Fraction | None:
    """Share of right decisions."""
    return ratio(counts.validated_correct + counts.rejected_incorrect, counts.judged)


@measure(
    "error",
    "Error",
    _VALIDATION,
    higher_is_better=False,
    formula="(iv + cr) / (cv + iv + cr + ir)",
    undefined=_UNDEFINED,
    source="thesis 4.1",
)
def error(counts: ValidationCounts) -> Fraction | None:
    """Share of wrong decisions: 1 - accuracy."""
    return ratio(counts.validated_incorrect + counts.rejected_correct, counts.judged)


@measure(
    "error_1",
    "Error 1",
    _VALIDATION,
    higher_is_better=False,
    formula="iv / (cv + iv + cr + ir)",
    undefined=_UNDEFINED,
    source="weighted error",
)
def error_1(counts: ValidationCounts) -> Fraction | None:
    """Share of answers that were validated wrongly."""
    return ratio(counts.validated_incorrect, counts.judged)


@measure(
    "error_2",
    "Error 2",
    _VALIDATION,
    higher_is_better=False,
    formula="cr / (cv + iv + cr + ir)",
    undefined=_UNDEFINED,
    source="weighted error",
)
def error_2(counts: ValidationCounts) -> Fraction | None:
    """Share of answers that were rejected wrongly."""
    return ratio(counts.rejected_correct, counts.judged)


@measure(
    "e_alpha",
    "E(2)",
    _VALIDATION,
    higher_is_better=False,
    parameter=Parameter("a", Fraction(2)),
    formula="(a·iv + cr) / ((a + 1)·(cv + ir) + a·iv + cr)",
    undefined=_UNDEFINED,
    source="weighted error",
)
def e_alpha(counts: ValidationCounts, alpha: Fraction) -> Fraction | None:
    """Error in which validating wrongly weighs `alpha` times as much as rejecting wrongly."""
    wrong = alpha * counts.validated_incorrect + counts.rejected_correct
    right = (alpha + 1) * (counts.validated_correct + counts.rejected_incorrect)
    return ratio(wrong, right + wrong)


@measure(
    "tp_rate",
    "TP rate",
    _VALIDATION,
    formula="cv / (cv + cr)",
    undefined=_UNDEFINED,
    source="thesis 4.10",
)
def tp_rate(counts: ValidationCounts) -> Fraction | None:
    """Share of the correct answers that were validated: recall, as ROC analysis calls it."""
    return recall(counts)


@measure(
    "fp_rate",
    "FP rate",
    _VALIDATION,
    higher_is_better=False,
    formula="iv / (iv + ir)",
    undefined=_UNDEFINED,
    source="thesis 4.11",
)
def fp_rate(counts: ValidationCounts) -> Fraction | None:
    """Share of the incorrect answers that were validated."""
    return ratio(counts.validated_incorrect, counts.validated_incorrect + counts.rejected_incorrect)


@measure(
    "auc_point",
    "AUC (point)",
    _VALIDATION,
    formula="(1 + tp_rate - fp_rate) / 2",
    undefined="undefined if either rate is",
    source="thesis 4.3.1",
)
def auc_point(counts: ValidationCounts) -> Fraction | None:
    """Area under the ROC curve of three points: (0, 0), the run, (1, 1)."""
    tp, fp = tp_rate(counts), fp_rate(counts)
    return None if tp is None or fp is None else (1 + tp - fp) / 2


@measure(
    "macro_f1",
    "Macro F",
    Family.QUESTIONS,
    formula="mean of f1 over the questions where it is defined",
    undefined="undefined if it is nowhere",
    source="thesis 4.1",
)
def macro_f1(counts: QuestionCounts) -> Fraction | None:
    """F1 of each question, averaged; questions with nothing correct or validated left out."""
    return ratio(counts.sum_of_f1, counts.questions_with_f1)
