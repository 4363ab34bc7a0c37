"""Answer validation: was each judged answer accepted or rejected correctly?

Computed over all answers of the collection labelled VALIDATED or REJECTED. A run validates an
answer with VALIDATED or SELECTED.

In the formulas:

    cv, iv   validated answers that are correct, incorrect
    cr, ir   rejected answers that are correct, incorrect

Sources: AVE 2007 = Peñas, Rodrigo, Verdejo, Overview of the Answer Validation Exercise 2007;
thesis = Rodrigo, PhD thesis, UNED 2010; weighted error = a paper on answer validation in Russian
question answering, which defines these measures.
"""

from __future__ import annotations

from fractions import Fraction

from ave_score.core.exact import ratio, ratio_or_0, root
from ave_score.counts import QUESTIONS, VALIDATION, QuestionCounts, ValidationCounts
from ave_score.measures.parameters import number
from ave_score.measures.registry import EXAMPLES, Example, measure

EXAMPLES[VALIDATION] = Example(
    "40 answers: 6 of 10 validated answers are correct, and 2 of 30 rejected ones",
    ValidationCounts(6, 4, 2, 28),
)
EXAMPLES[QUESTIONS] = Example(
    "three questions with a correct or validated answer: every decision on the first is right; for "
    "the second, 1 correct and 1 wrong answer are validated; for the third, the correct answer is "
    "rejected",
    QuestionCounts(2, 3, Fraction(5, 3)),
)


@measure(
    "f1",
    "F",
    VALIDATION,
    aliases=("f1_score",),
    formula="2·cv / (2·cv + cr + iv)",
    source="AVE 2007 (3)",
    use="To rank validation if correct answers are rare. It is the main measure of AVE.",
    avoid="To compare collections: the score of accepting everything depends on the share of "
    "correct answers.",
    worked="2·6 / (2·6 + 2 + 4) = 2/3",
)
def f1(counts: ValidationCounts) -> Fraction | None:
    """Harmonic mean of precision and recall, from counts."""
    return f_beta(counts, Fraction(1))


@measure(
    "precision",
    "Precision",
    VALIDATION,
    aliases=("precision_score",),
    formula="cv / (cv + iv)",
    undefined="0, as in the papers of AVE",
    source="AVE 2007 (1)",
    use="If accepted answers are shown to users.",
    avoid="Alone: accepting a single certain answer gives 1.",
    worked="6 / (6 + 4) = 3/5",
)
def precision(counts: ValidationCounts) -> Fraction:
    """Share of correct answers among the validated ones; 0 if none is validated, as in AVE."""
    validated = counts.validated_correct + counts.validated_incorrect
    return ratio_or_0(counts.validated_correct, validated)


@measure(
    "recall",
    "Recall",
    VALIDATION,
    is_share=True,
    aliases=("recall_score",),
    formula="cv / (cv + cr)",
    source="AVE 2007 (2)",
    use="If a rejected correct answer is lost for good.",
    avoid="Alone: accepting everything gives 1.",
    worked="6 / (6 + 2) = 3/4",
)
def recall(counts: ValidationCounts) -> Fraction | None:
    """Share of the correct answers that were validated."""
    return ratio(counts.validated_correct, counts.validated_correct + counts.rejected_correct)


@measure(
    "f_beta",
    "F({b})",
    VALIDATION,
    number("b", Fraction(1, 2)),
    formula="(1 + b²)·cv / ((1 + b²)·cv + b²·cr + iv)",
    source="thesis 2.6",
    use="If precision matters more than recall (b below 1), or less (b above 1).",
    avoid="To compare with the tables of AVE, which report `f1`.",
    worked="1.25·6 / (1.25·6 + 0.25·2 + 4) = 5/8",
)
def f_beta(counts: ValidationCounts, beta: Fraction) -> Fraction | None:
    """F with recall weighted `b` times as much as precision."""
    hits = (1 + beta**2) * counts.validated_correct
    misses = beta**2 * counts.rejected_correct + counts.validated_incorrect
    return ratio(hits, hits + misses)


@measure(
    "accuracy",
    "Accuracy",
    VALIDATION,
    is_share=True,
    aliases=("accuracy_score",),
    formula="(cv + ir) / (cv + iv + cr + ir)",
    source="thesis 4.1",
    use="If there are about as many correct as incorrect answers, and both kinds of error cost "
    "the same.",
    avoid="If correct answers are rare: rejecting everything is then almost perfect.",
    worked="(6 + 28) / (6 + 4 + 2 + 28) = 17/20",
)
def accuracy(counts: ValidationCounts) -> Fraction | None:
    """Share of correct decisions."""
    return ratio(counts.validated_correct + counts.rejected_incorrect, counts.judged)


@measure(
    "error",
    "Error",
    VALIDATION,
    higher_is_better=False,
    is_share=True,
    aliases=("zero_one_loss",),
    formula="(iv + cr) / (cv + iv + cr + ir)",
    source="thesis 4.1",
    use="Like `accuracy`. It is the sum of `error_1` and `error_2`.",
    avoid="If one kind of error costs more: `e_alpha` weights them.",
    worked="(4 + 2) / (6 + 4 + 2 + 28) = 3/20",
)
def error(counts: ValidationCounts) -> Fraction | None:
    """Share of wrong decisions: 1 - accuracy."""
    return ratio(counts.validated_incorrect + counts.rejected_correct, counts.judged)


@measure(
    "error_1",
    "Error 1",
    VALIDATION,
    higher_is_better=False,
    is_share=True,
    formula="iv / (cv + iv + cr + ir)",
    source="weighted error",
    use="To see how many wrong answers are accepted.",
    avoid="Alone: rejecting everything gives 0.",
    worked="4 / (6 + 4 + 2 + 28) = 1/10",
)
def error_1(counts: ValidationCounts) -> Fraction | None:
    """Share of answers that were wrongly validated."""
    return ratio(counts.validated_incorrect, counts.judged)


@measure(
    "error_2",
    "Error 2",
    VALIDATION,
    higher_is_better=False,
    is_share=True,
    formula="cr / (cv + iv + cr + ir)",
    source="weighted error",
    use="To see how many correct answers are lost.",
    avoid="Alone: accepting everything gives 0.",
    worked="2 / (6 + 4 + 2 + 28) = 1/20",
)
def error_2(counts: ValidationCounts) -> Fraction | None:
    """Share of answers that were wrongly rejected."""
    return ratio(counts.rejected_correct, counts.judged)


@measure(
    "e_alpha",
    "E({a})",
    VALIDATION,
    number("a", 2),
    higher_is_better=False,
    formula="(a·iv + cr) / ((a + 1)·(cv + ir) + a·iv + cr)",
    source="weighted error",
    use="If accepting a wrong answer costs a times as much as rejecting a correct one.",
    avoid="If the ratio of the costs is unknown.",
    worked="(2·4 + 2) / (3·(6 + 28) + 2·4 + 2) = 5/56",
)
def e_alpha(counts: ValidationCounts, alpha: Fraction) -> Fraction | None:
    """Error that weights wrong validations `a` times as much as wrong rejections."""
    wrong = alpha * counts.validated_incorrect + counts.rejected_correct
    right = (alpha + 1) * (counts.validated_correct + counts.rejected_incorrect)
    return ratio(wrong, right + wrong)


@measure(
    "tp_rate",
    "TP rate",
    VALIDATION,
    is_share=True,
    formula="cv / (cv + cr)",
    source="thesis 4.10",
    use="Together with `fp_rate`, as a point of the ROC curve.",
    avoid="Alone: it equals recall.",
    worked="6 / (6 + 2) = 3/4",
)
def tp_rate(counts: ValidationCounts) -> Fraction | None:
    """Share of the correct answers that were validated: the name of recall in ROC analysis."""
    return recall(counts)


@measure(
    "fp_rate",
    "FP rate",
    VALIDATION,
    higher_is_better=False,
    is_share=True,
    formula="iv / (iv + ir)",
    source="thesis 4.11",
    use="Together with `tp_rate`, as a point of the ROC curve.",
    avoid="Alone: rejecting everything gives 0.",
    worked="4 / (4 + 28) = 1/8",
)
def fp_rate(counts: ValidationCounts) -> Fraction | None:
    """Share of the incorrect answers that were validated."""
    return ratio(counts.validated_incorrect, counts.validated_incorrect + counts.rejected_incorrect)


@measure(
    "auc_point",
    "AUC (point)",
    VALIDATION,
    formula="(1 + tp_rate - fp_rate) / 2",
    undefined="undefined if either rate is",
    source="thesis 4.3.1",
    use="To compare decisions across collections with different shares of correct answers. Chance "
    "is 0.5.",
    avoid="If there are confidences: `auc` uses all of them.",
    worked="(1 + 6/8 - 4/32) / 2 = 13/16",
)
def auc_point(counts: ValidationCounts) -> Fraction | None:
    """Area under the ROC curve through three points: (0, 0), the run, (1, 1)."""
    tp, fp = tp_rate(counts), fp_rate(counts)
    return None if tp is None or fp is None else (1 + tp - fp) / 2


@measure(
    "macro_f1",
    "Macro F",
    QUESTIONS,
    is_mean=True,
    denominator="questions_correct_and_validated",
    formula="mean of f1 over the questions with a correct and a validated answer",
    undefined="undefined if there is no such question",
    source="thesis 4.1, where F is undefined if precision or recall is",
    use="To compare with macro-averaged F in the thesis.",
    avoid="To rank: validating nothing for a difficult question removes it from the mean.",
    worked="(1 + 2/3) / 2 = 5/6",
)
def macro_f1(counts: QuestionCounts) -> Fraction | None:
    """Mean F1 over the questions where precision and recall are both defined."""
    return ratio(counts.sum_of_f1, counts.questions_correct_and_validated)


@measure(
    "macro_f1_either",
    "Macro F (either)",
    QUESTIONS,
    is_mean=True,
    denominator="questions_correct_or_validated",
    formula="mean of f1 over the questions with a correct or a validated answer",
    undefined="undefined if there is no such question",
    source="ave_score: f1 from counts is 0 if only correct or only validated answers exist",
    use="If every question should have the same weight, whatever its number of answers.",
    avoid="If many questions have one answer: each of these scores 0 or 1.",
    worked="(1 + 2/3 + 0) / 3 = 5/9",
)
def macro_f1_either(counts: QuestionCounts) -> Fraction | None:
    """Mean F1 over the questions with a correct or a validated answer."""
    return ratio(counts.sum_of_f1, counts.questions_correct_or_validated)


@measure(
    "class_macro_f1",
    "Class macro F",
    VALIDATION,
    aliases=("f1_macro",),
    formula="mean of 2·cv / (2·cv + cr + iv) and 2·ir / (2·ir + cr + iv), without 0/0",
    source="scikit-learn, f1_score(average='macro') of VALIDATED and REJECTED",
    use="To compare with classifiers that are evaluated by scikit-learn's macro F1.",
    avoid="To compare with `macro_f1`, which is a mean over questions, not over the two classes.",
    worked="(2·6 / (2·6 + 2 + 4) + 2·28 / (2·28 + 2 + 4)) / 2 = 73/93",
)
def class_macro_f1(counts: ValidationCounts) -> Fraction | None:
    """Mean of the F1 of accepting correct answers and the F1 of rejecting incorrect answers."""
    wrong = counts.validated_incorrect + counts.rejected_correct
    accepted, rejected = 2 * counts.validated_correct, 2 * counts.rejected_incorrect
    # a class without answers and without decisions is left out
    classes = (accepted + wrong > 0) * 1 + (rejected + wrong > 0) * 1
    total = ratio_or_0(accepted, accepted + wrong) + ratio_or_0(rejected, rejected + wrong)
    return ratio(total, classes)


@measure(
    "balanced_accuracy",
    "Balanced accuracy",
    VALIDATION,
    aliases=("balanced_accuracy_score",),
    formula="mean of cv / (cv + cr) and ir / (iv + ir), without 0/0",
    undefined="undefined without judged answers, as by scikit-learn",
    source="Brodersen, Ong, Stephan, Buhmann, The Balanced Accuracy and Its Posterior "
    "Distribution, 2010; scikit-learn, balanced_accuracy_score",
    use="If one label is rare. Accepting everything, rejecting everything and chance score 0.5.",
    avoid="To see how many accepted answers are wrong: if incorrect answers are frequent, a small "
    "share of them can be most of the accepted answers.",
    worked="(6 / (6 + 2) + 28 / (4 + 28)) / 2 = 13/16",
)
def balanced_accuracy(counts: ValidationCounts) -> Fraction | None:
    """Mean share of right decisions on correct and on incorrect answers.

    If one of the labels does not occur, it is the share of the other; `auc_point`, which is equal
    otherwise, is then undefined.
    """
    correct = counts.validated_correct + counts.rejected_correct
    incorrect = counts.validated_incorrect + counts.rejected_incorrect
    of_correct = ratio_or_0(counts.validated_correct, correct)
    return ratio(
        of_correct + ratio_or_0(counts.rejected_incorrect, incorrect),
        (correct > 0) * 1 + (incorrect > 0) * 1,
    )


@measure(
    "mcc",
    "MCC",
    VALIDATION,
    lowest="-1",
    aliases=("matthews_corrcoef",),
    formula="(cv·ir - iv·cr) / √((cv + iv)·(cv + cr)·(ir + iv)·(ir + cr))",
    undefined="undefined if all decisions or all labels are equal: a constant has no correlation "
    "(scikit-learn prints 0)",
    source="Matthews, Comparison of the Predicted and Observed Secondary Structure of T4 Phage "
    "Lysozyme, 1975",
    use="To summarise all four counts in one figure, the correlation of decisions and labels. 0 is "
    "chance.",
    avoid="To compare collections with different shares of correct answers: it depends on that "
    "share even if both error rates are equal.",
    worked="(6·28 - 4·2) / sqrt((6 + 4)·(6 + 2)·(28 + 4)·(28 + 2)) = 0.577350",
)
def mcc(counts: ValidationCounts) -> Fraction | None:
    """Matthews correlation coefficient of decisions and labels."""
    cv, iv = counts.validated_correct, counts.validated_incorrect
    cr, ir = counts.rejected_correct, counts.rejected_incorrect
    return ratio(cv * ir - iv * cr, root((cv + iv) * (cv + cr) * (ir + iv) * (ir + cr)))


@measure(
    "specificity",
    "Specificity",
    VALIDATION,
    is_share=True,
    formula="ir / (iv + ir)",
    source="Yerushalmy, Statistical Problems in Assessing Methods of Medical Diagnosis, 1947",
    use="If users must not see wrong answers. It is 1 - `fp_rate`.",
    avoid="Alone: rejecting everything gives 1.",
    worked="28 / (4 + 28) = 7/8",
)
def specificity(counts: ValidationCounts) -> Fraction | None:
    """Share of the incorrect answers that were rejected."""
    incorrect = counts.validated_incorrect + counts.rejected_incorrect
    return ratio(counts.rejected_incorrect, incorrect)


@measure(
    "cohen_kappa",
    "Cohen's kappa",
    VALIDATION,
    lowest="-1",
    aliases=("cohen_kappa_score",),
    formula="2·(cv·ir - iv·cr) / ((cv + iv)·(iv + ir) + (cv + cr)·(cr + ir))",
    undefined="undefined if all decisions and all labels are the same, as by scikit-learn",
    source="Cohen, A Coefficient of Agreement for Nominal Scales, 1960",
    use="To treat a run as another assessor. It is the agreement with the labels beyond chance.",
    avoid="To compare collections: with equal error rates, kappa is lower if one label is rare.",
    worked="2·(6·28 - 4·2) / ((6 + 4)·(4 + 28) + (6 + 2)·(2 + 28)) = 4/7",
)
def cohen_kappa(counts: ValidationCounts) -> Fraction | None:
    """Agreement of decisions and labels beyond that expected by chance."""
    cv, iv = counts.validated_correct, counts.validated_incorrect
    cr, ir = counts.rejected_correct, counts.rejected_incorrect
    return ratio(2 * (cv * ir - iv * cr), (cv + iv) * (iv + ir) + (cv + cr) * (cr + ir))
