"""Confidences: does a system know when it is right?

A confidence says how sure a system is that an answer is correct. Some measures use every answer
labelled VALIDATED or REJECTED, others only the answers returned, which are SELECTED. Of a log or a
judged file, these are all judged answers of a system, of every epoch; one that was withheld counts
as a rejected answer, which is wrong unless it was judged.

With bins of equal mass, the bin of an answer is the integer part of b·L/N, where L answers have a
lower confidence, so answers of equal confidence share a bin.

Answers of equal confidence rank as `--ties` says, by default as the exact mean over all their
orders. Those labelled UNKNOWN are also left out of A(q). The campaigns counted inexact answers as
wrong: use `--unknown incorrect`.

In the formulas:

    N        judged answers
    n        questions
    m        answered questions
    c        the confidence in an answer
    y        1 if the answer is correct, 0 otherwise
    i        a rank by confidence, highest first
    C(i)     correct answers in the first i ranks
    R        all correct answers; of one question, R(q)
    A(q)     validated answers of a question
    b        the number of bins: of equal width, (0, 1/b], (1/b, 2/b] and so on, or of equal mass
    tp, fp   right and wrong answers with a confidence above 0.5
    tn, fn   wrong and right answers with a confidence below 0.5
    u        answers with a confidence of exactly 0.5: the decision is left open
    ln       the natural logarithm

Sources: TREC 2002 = Voorhees, Overview of the TREC 2002 Question Answering Track; RTE = Dagan,
Glickman, Magnini, The PASCAL Recognising Textual Entailment Challenge, 2005; CLEF 2004 = Herrera,
Peñas, Verdejo, Question Answering Pilot Task at CLEF 2004; calibration = Guo and others, On
Calibration of Modern Neural Networks, ICML 2017; adaptive = Nguyen, O'Connor, Posterior Calibration
and Exploratory Analysis for Natural Language Processing Models, EMNLP 2015; thesis = Rodrigo, PhD
thesis, UNED 2010; unmasking = Bevendorff and others, Generalizing Unmasking for Short Texts, NAACL
2019; PAN = Stamatatos and others, Overview of the Author Identification Task at PAN 2014.
"""

from __future__ import annotations

from array import array
from fractions import Fraction

from ave_score.core.choices import TIES_CHOICES
from ave_score.core.exact import ln_of_product, ratio, root, sum_of_inverses, sum_of_spans, truncate
from ave_score.counts import CONFIDENCE, SELF_SCORE, ConfidenceCounts, SelfScoreCounts
from ave_score.measures.by_confidence import (
    Scaled,
    decisions,
    dot,
    gaps,
    halved,
    judged,
    likelihoods,
    returned,
    sum_of,
    sums,
)
from ave_score.measures.by_rank import (
    precisions,
    precisions_at_ties,
    precisions_of_right,
    ranked,
    ranked_judged,
    ranked_thresholds,
    sum_of_precisions,
    twice_correct_above_wrong,
)
from ave_score.measures.parameters import choice, whole
from ave_score.measures.registry import EXAMPLES, Example, NotApplicable, measure

_OUTSIDE = "confidences are outside 0..1 (AVE108)"

INFINITE = "a confidence of 0 or 1 is wrong, so it is infinite"

EXAMPLES[CONFIDENCE] = Example(
    "five judged answers with the confidences 0.9, 0.8, 0.6 (validated) and 0.3, 0.1 (rejected); "
    "those with 0.9, 0.6 and 0.3 are correct",
    ConfidenceCounts(array("d", [0.9, 0.8, 0.6, 0.3, 0.1]), bytes([3, 2, 3, 1, 0])),
)
EXAMPLES[SELF_SCORE] = Example(
    "four questions: the answers selected for three of them have the confidences 0.9, 0.7 and 0.4; "
    "the second is wrong, and nothing else is validated; the first question has two correct "
    "answers, the others have one",
    SelfScoreCounts(array("d", [0.9, 0.7, 0.4]), bytes([1, 0, 1]), 4, sum_of_k=Fraction(15, 100)),
)


def _check(answers: Scaled) -> None:
    if not answers.are_probabilities:
        raise NotApplicable(_OUTSIDE)


@measure(
    "cws",
    "CWS",
    SELF_SCORE,
    formula="1/n · Σ C(i)/i",
    source="TREC 2002",
    use="To reward a QA system that is most confident when it is right. Top ranks weigh most.",
    avoid="If most questions are unanswered: they rank last and count as not correct.",
    worked="(1/1 + 1/2 + 2/3 + 2/4) / 4 = 2/3",
    sampler="cws",
)
def cws(counts: SelfScoreCounts) -> Fraction | None:
    """Confidence-weighted score: the mean precision over ranks, most confident answers first."""
    answered, right = len(counts.rights), counts.rights.count(1)
    behind = right * sum_of_inverses(answered, counts.self_questions)
    return ratio(sum_of_precisions(counts) + behind, counts.self_questions)


@measure(
    "cws_rte",
    "CWS (RTE)",
    CONFIDENCE,
    formula="1/N · Σ C(i)/i, C(i) counting right decisions; the confidence in a rejection is 1 - c",
    source="RTE (2)",
    use="To rank systems that decide yes or no by their confidence in these decisions.",
    avoid="If confidences are not probabilities: the confidence in a rejection is unknown.",
    worked="(1/1 + 2/2 + 2/3 + 2/4 + 3/5) / 5 = 113/150",
    sampler="cws_rte",
)
def cws_rte(counts: ConfidenceCounts) -> Fraction | None:
    """Confidence-weighted score of decisions, validations and rejections alike."""
    _check(judged(counts))
    groups = ranked(decisions(counts), is_mean=TIES_CHOICES[counts.ties].is_mean)
    return ratio(sum_of_spans(precisions(groups)), len(counts.decisions))


@measure(
    "ap_rte",
    "AP (RTE)",
    CONFIDENCE,
    formula="1/R · Σ y·C(i)/i",
    undefined="undefined if no answer is correct",
    source="thesis 2.25",
    use="To score the ranking of all answers of a collection, independently of the decisions.",
    avoid="If confidences of different questions are not comparable. Use `map` instead, with a "
    "ranking per question.",
    worked="(1/1 + 2/3 + 3/4) / 3 = 29/36",
    sampler="ap_rte",
)
def ap_rte(counts: ConfidenceCounts) -> Fraction | None:
    """Average precision of all answers of the collection in one ranking."""
    groups = ranked_judged(counts)
    return ratio(sum_of_spans(precisions_of_right(groups)), sum_of(groups.rights))


@measure(
    "k",
    "K",
    SELF_SCORE,
    lowest="-1",
    formula="1/n · Σ over questions of Σ ±c / max(R(q), A(q)), + if the answer is correct",
    source="CLEF 2004; thesis 2.19",
    use="To reward several correct answers, and low confidence in wrong ones.",
    avoid="If confidences are outside 0..1, or not all correct answers are known. Also if answers "
    "are repeated: CLEF 2004 gave repetitions 0, but here each of them counts.",
    worked="(0.9/2 - 0.7/1 + 0.4/1) / 4 = 3/80",
    ignores_ties=True,
    sampler="k",
)
def k(counts: SelfScoreCounts) -> Fraction | None:
    """Confidence gained by correct answers and lost by wrong ones, over all validated answers."""
    if counts.outside_unit:
        raise NotApplicable(_OUTSIDE)
    return ratio(counts.sum_of_k, counts.self_questions)


@measure(
    "k1",
    "K1",
    SELF_SCORE,
    lowest="-1",
    formula="1/n · (Σ c of correct answers - Σ c of wrong ones)",
    source="CLEF 2004",
    use="To compare QA systems with one answer per question. An answer with confidence 0 changes "
    "nothing.",
    avoid="If confidences are outside 0..1: scaling them up raises the score.",
    worked="(0.9 + 0.4 - 0.7) / 4 = 3/20",
    ignores_ties=True,
    sampler="k1",
)
def k1(counts: SelfScoreCounts) -> Fraction | None:
    """Confidence gained by correct answers and lost by wrong ones, one answer per question."""
    values, rights, scale = answers = returned(counts)
    _check(answers)
    gained = 2 * dot(values, rights) - sum_of(values)
    return ratio(Fraction(gained, scale), counts.self_questions)


@measure(
    "pearson_r",
    "r",
    CONFIDENCE,
    lowest="-1",
    formula="(N·Σcy - Σc·Σy) / √((N·Σc² - (Σc)²)·(N·Σy² - (Σy)²))",
    undefined="undefined if all confidences are equal, or all answers or none are correct",
    source="CLEF 2004",
    use="To see at a glance whether confidence and correctness are correlated.",
    avoid="To compare systems of different accuracy: the share of correct answers limits r.",
    worked="(5·1.8 - 2.7·3) / sqrt((5·1.91 - 2.7·2.7) · (5·3 - 3·3)) = 0.2444",
    ignores_ties=True,
    sampler="pearson_r",
)
def pearson_r(counts: ConfidenceCounts) -> Fraction | None:
    """Pearson's correlation of confidence and correctness."""
    size, rights, total, squares, product = sums(counts)
    spread = (size * squares - total**2) * (size * rights - rights**2)
    return ratio(size * product - total * rights, root(spread))


@measure(
    "brier",
    "Brier",
    CONFIDENCE,
    higher_is_better=False,
    aliases=("brier_score_loss",),
    formula="1/N · Σ (c - y)²",
    source="Brier, Verification of Forecasts Expressed in Terms of Probability, 1950",
    use="To score confidences as probabilities. Both their order and their values count.",
    avoid="If only the order of confidences is meaningful. Use `auc` instead.",
    worked="(0.1·0.1 + 0.8·0.8 + 0.4·0.4 + 0.7·0.7 + 0.1·0.1) / 5 = 131/500",
    ignores_ties=True,
    sampler="brier",
)
def brier(counts: ConfidenceCounts) -> Fraction | None:
    """Mean squared difference between confidence and correctness."""
    _check(judged(counts))
    size, rights, _, squares, product = sums(counts)
    return ratio(squares - 2 * product + rights, size)


@measure(
    "ece",
    "ECE({b})",
    CONFIDENCE,
    whole("b", 10),
    choice("bins", "width", "mass"),
    higher_is_better=False,
    formula="1/N · Σ over bins of |Σc - Σy|",
    source="calibration; with bins=mass adaptive",
    use="To see whether 70 % of the answers with a confidence of 0.7 are correct. Use bins=mass if "
    "most confidences are close together, so that most bins of equal width are nearly empty.",
    avoid="Alone: a constant equal to the share of correct answers gives 0. It also depends on b.",
    worked="(0.1 + 0.8 + 0.4 + 0.7 + 0.1) / 5 = 21/50",
    ignores_ties=True,
    sampler="ece",
    no_interval="chance alone makes it larger than 0, most of all for a calibrated run, so that no "
    "interval and no test of it holds; use brier, and look at --plot reliability=FILE",
)
def ece(counts: ConfidenceCounts, bins: Fraction, kind: str = "width") -> Fraction | None:
    """Expected calibration error: the mean gap between confidence and accuracy over the bins."""
    answers = judged(counts)
    _check(answers)
    return ratio(Fraction(gaps(answers, int(bins), kind), answers.scale), len(counts.decisions))


@measure(
    "auc",
    "AUC",
    CONFIDENCE,
    aliases=("roc_auc_score", "roc_auc"),
    formula="share of the pairs of a correct and a wrong answer whose correct one has the higher "
    "confidence; ties count half",
    undefined="undefined if all answers are correct, or none",
    source="Hanley, McNeil, The Meaning and Use of the Area under a ROC Curve, 1982",
    use="To score the ranking by confidence, independently of a threshold: 0.5 is chance.",
    avoid="If few answers are correct and only the top ranks matter: use `ap_rte`.",
    worked="(2 + 1 + 1) / (3·2) = 2/3",
    ignores_ties=True,
    sampler="auc",
)
def auc(counts: ConfidenceCounts) -> Fraction | None:
    """Area under the ROC curve of the confidences; ties count half."""
    right = sum_of(judged(counts).rights)
    above = twice_correct_above_wrong(ranked_thresholds(counts))
    return ratio(above, 2 * right * (len(counts.decisions) - right))


@measure(
    "log_loss",
    "Log loss",
    CONFIDENCE,
    higher_is_better=False,
    highest="∞",
    formula="-1/N · Σ ln(c if y = 1, else 1 - c)",
    undefined="undefined; also where it is infinite: a confidence of 0 or 1 is wrong",
    source="Good, Rational Decisions, 1952; scikit-learn, log_loss, which limits confidences to "
    "values that floats distinguish from 0 and 1",
    use="To score confidences as probabilities if a confident error is the worst. Also known as "
    "cross-entropy and negative log-likelihood.",
    avoid="If confidences of 0 or 1 occur: a single error with such a confidence makes it "
    "infinite. The Brier score is bounded.",
    worked="-(ln(0.9) + ln(0.2) + ln(0.6) + ln(0.3) + ln(0.9)) / 5 = 0.7070",
    ignores_ties=True,
    sampler="log_loss",
)
def log_loss(counts: ConfidenceCounts) -> Fraction | None:
    """Mean negative logarithm of the probability that the confidence gives to the true label."""
    answers = judged(counts)
    _check(answers)
    likely, size = likelihoods(answers), len(counts.decisions)
    if 0 in likely:
        raise NotApplicable(INFINITE)
    if not size:
        return None
    loss = size * ln_of_product({answers.scale: 1}) - ln_of_product(likely)
    return max(Fraction(0), truncate(loss / size))


@measure(
    "average_precision",
    "Average precision",
    CONFIDENCE,
    aliases=("average_precision_score",),
    formula="1/R · Σ over confidences c of (correct answers with c) · (correct answers with at "
    "least c) / (answers with at least c)",
    undefined="undefined if no answer is correct",
    source="scikit-learn, average_precision_score",
    use="As the area under the precision-recall curve, without interpolation. Answers of equal "
    "confidence are accepted together.",
    avoid="To compare with trec_eval and RTE, which rank answers of equal confidence. Use `ap_rte` "
    "instead.",
    worked="(1 · 1/1 + 1 · 2/3 + 1 · 3/4) / 3 = 29/36",
    ignores_ties=True,
    sampler="average_precision",
)
def average_precision(counts: ConfidenceCounts) -> Fraction | None:
    """Average precision over thresholds: answers of equal confidence are one step."""
    groups = ranked_thresholds(counts)
    return ratio(sum_of_spans(precisions_at_ties(groups)), sum_of(groups.rights))


_PAN_AVOID = (
    "To score the decisions of a run: only its confidences count. Confidences have to be in 0..1."
)


@measure(
    "f_05_u",
    "F0.5u",
    CONFIDENCE,
    formula="1.25·tp / (1.25·tp + 0.25·(fn + u) + fp)",
    undefined="undefined: no answer is correct, and all confidences are below 0.5",
    source="unmasking; PAN 2022, whose evaluator of 2020 counts a confidence of 0.5 as above",
    use="If false accusations are worse than open decisions, which count as missed. It is a main "
    "measure of authorship verification, beside c@1.",
    avoid=_PAN_AVOID,
    worked="1.25·2 / (1.25·2 + 0.25·(1 + 0) + 1) = 2/3",
    ignores_ties=True,
    sampler="f_05_u",
)
def f_05_u(counts: ConfidenceCounts) -> Fraction | None:
    """F0.5 of the decisions made by confidence above 0.5; open decisions count as missed."""
    _check(judged(counts))
    (wrong_above, right_above), (_, right_below), middle = halved(counts)
    missed = right_below + sum(middle)
    return ratio(5 * right_above, 5 * right_above + missed + 4 * wrong_above)


@measure(
    "c_at_1_pan",
    "c@1 (PAN)",
    CONFIDENCE,
    formula="((tp + tn) + u·(tp + tn)/N) / N",
    source="PAN",
    use="To compare with authorship verification, where the confidence decides on a pair. It is "
    "c@1 of single answers, and a confidence of 0.5 leaves the decision open.",
    avoid=_PAN_AVOID,
    worked="((2 + 1) + 0·(2 + 1)/5) / 5 = 3/5",
    ignores_ties=True,
    sampler="c_at_1_pan",
)
def c_at_1_pan(counts: ConfidenceCounts) -> Fraction | None:
    """Share of right decisions if open decisions were as accurate as all answers."""
    _check(judged(counts))
    above, below, middle = halved(counts)
    size, decided_right = len(counts.decisions), above[1] + below[0]
    return ratio(decided_right * (size + sum(middle)), size**2)
