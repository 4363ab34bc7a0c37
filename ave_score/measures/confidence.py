"""Confidences: does a system know when it is right?

A confidence says how sure a system is that an answer is correct. Some measures use every answer
labelled VALIDATED or REJECTED, others the answer returned for each question, the SELECTED one. In
the formulas

    N        judged answers
    n        questions
    m        answered questions
    c        the confidence in an answer
    y        1 if the answer is correct, 0 otherwise
    i        a rank by confidence, highest first
    C(i)     correct answers in the first i ranks
    R        all correct answers; of one question, R(q)
    A(q)     validated answers of a question
    b        the number of equally wide bins of 0..1: (0, 1/b], (1/b, 2/b] and so on

Answers of equal confidence get the exact mean over all their orders; with `--ties file` they keep
the order of the collection, with `--ties trec` they rank by descending answer id, then question id.
Answers labelled UNKNOWN are left out of A(q), the judged and the returned answers, as inexact ones
are neither right nor wrong; the campaigns counted inexact answers as wrong: `--unknown incorrect`.

Sources: TREC 2002 = Voorhees, Overview of the TREC 2002 Question Answering Track; RTE = Dagan,
Glickman, Magnini, The PASCAL Recognising Textual Entailment Challenge, 2005; CLEF 2004 = Herrera,
Peñas, Verdejo, Question Answering Pilot Task at CLEF 2004; calibration = Guo and others, On
Calibration of Modern Neural Networks, ICML 2017; selective = Geifman, Uziel, El-Yaniv, Bias-Reduced
Uncertainty Estimation for Deep Neural Classifiers, ICLR 2019; thesis = Rodrigo, PhD thesis, UNED
2010.
"""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from decimal import Context, Decimal, Inexact
from fractions import Fraction
from functools import reduce
from itertools import groupby
from math import ceil
from operator import itemgetter

from ave_score.counts import CONFIDENCE, SELF_SCORE, ConfidenceCounts, SelfScoreCounts
from ave_score.exact import Number, as_decimal, harmonic, ratio, root
from ave_score.measures.parameters import whole
from ave_score.measures.registry import EXAMPLES, Example, NotApplicable, measure
from ave_score.policies import TIES_CHOICES

_UNDEFINED = "undefined"
_OUTSIDE = "confidences are outside 0..1"

_EXACT = Context(prec=4000, Emax=10**6, Emin=-(10**6), traps=[Inexact])
"""Enough digits for exact sums of squares of floats; plain operators use the caller's context."""

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


Groups = Sequence[tuple[int, int]]
"""Ties, from the highest confidence to the lowest: number of answers, and of correct ones."""


def tied_groups(pairs: Iterable[tuple[Number | Decimal | float, int]], ties: str) -> Groups:
    """Rank pairs of a confidence and 1 or 0; if ties have one order, each is its own group."""
    ranked = sorted(pairs, key=itemgetter(0), reverse=True)
    if not TIES_CHOICES[ties].is_mean:
        return [(1, right) for _, right in ranked]
    tied = ([right for _, right in group] for _, group in groupby(ranked, key=itemgetter(0)))
    return [(len(rights), sum(rights)) for rights in tied]


def right_so_far(groups: Groups) -> Iterator[Number]:
    """Yield C(i) for each rank; inside a tie, its expected value over all orders."""
    before = 0
    for size, right in groups:
        for place in range(1, size + 1):
            so_far = before * size + place * right
            yield Fraction(so_far, size) if place < size else before + right
        before += right


def _samples(counts: ConfidenceCounts) -> Iterator[tuple[float, int]]:
    """Yield the confidence of each judged answer, and 1 if it is correct, else 0."""
    return zip(counts.confidences, (code & 1 for code in counts.decisions), strict=True)


def probabilities(counts: ConfidenceCounts) -> list[tuple[Decimal, int]]:
    """Return the same, exactly; raises `NotApplicable` if a confidence is outside 0..1."""
    if any(not 0 <= confidence <= 1 for confidence in counts.confidences):
        raise NotApplicable(_OUTSIDE)
    return [(as_decimal(confidence), right) for confidence, right in _samples(counts)]


def _total(numbers: Iterable[Decimal]) -> Decimal:
    """Return an exact sum."""
    return reduce(_EXACT.add, numbers, Decimal(0))


@measure(
    "cws",
    "CWS",
    SELF_SCORE,
    formula="1/n · Σ C(i)/i",
    undefined=_UNDEFINED,
    source="TREC 2002",
    use="To reward a QA system that is most confident when it is right: top ranks weigh most.",
    avoid="If most questions are left unanswered: they rank last and count as not correct.",
    worked="(1/1 + 1/2 + 2/3 + 2/4) / 4 = 2/3",
    sampler="cws",
)
def cws(counts: SelfScoreCounts) -> Fraction | None:
    """Confidence-weighted score: the mean precision over ranks, most confident answers first."""
    pairs = zip(counts.confidences, counts.rights, strict=True)
    so_far = list(right_so_far(tied_groups(pairs, counts.ties)))
    so_far += [sum(counts.rights)] * (counts.self_questions - len(so_far))
    return ratio(harmonic(so_far), counts.self_questions)


@measure(
    "cws_rte",
    "CWS (RTE)",
    CONFIDENCE,
    formula="1/N · Σ C(i)/i, C(i) counting right decisions; the confidence in a rejection is 1 - c",
    undefined=_UNDEFINED,
    source="RTE (2)",
    use="To rank systems that decide yes or no by their confidence in these decisions.",
    avoid="If confidences are not probabilities: the confidence in a rejection is then unknown.",
    worked="(1/1 + 2/2 + 2/3 + 2/4 + 3/5) / 5 = 113/150",
    sampler="cws_rte",
)
def cws_rte(counts: ConfidenceCounts) -> Fraction | None:
    """Confidence-weighted score of decisions, validations and rejections alike."""
    decisions = []
    for (chance, right), code in zip(probabilities(counts), counts.decisions, strict=True):
        is_validated = code >= 2
        sure = chance if is_validated else _EXACT.subtract(Decimal(1), chance)
        decisions.append((sure, int(right == is_validated)))
    so_far = list(right_so_far(tied_groups(decisions, counts.ties)))
    return ratio(harmonic(so_far), len(so_far))


@measure(
    "ap_rte",
    "AP (RTE)",
    CONFIDENCE,
    formula="1/R · Σ y·C(i)/i",
    undefined="undefined if no answer is correct",
    source="thesis 2.25",
    use="To score the ranking of all answers of a collection, independently of the decisions.",
    avoid="If confidences of different questions are not comparable: use a ranking per question.",
    worked="(1/1 + 2/3 + 3/4) / 3 = 29/36",
    sampler="ap_rte",
)
def ap_rte(counts: ConfidenceCounts) -> Fraction | None:
    """Average precision of all answers of the collection in one ranking."""
    terms: list[Number] = []
    before = 0
    for size, right in tied_groups(_samples(counts), counts.ties):
        rest = max(1, size - 1)
        for place in range(size):  # before a correct answer: place · (right - 1)/rest others
            so_far = (before + 1) * rest + place * (right - 1)
            terms.append(Fraction(right * so_far, size * rest) if size > right else so_far // rest)
        before += right
    return ratio(harmonic(terms), before)


@measure(
    "k",
    "K",
    SELF_SCORE,
    lowest="-1",
    formula="1/n · Σ over questions of Σ ±c / max(R(q), A(q)), + if the answer is correct",
    undefined=_UNDEFINED,
    source="CLEF 2004; thesis 2.19",
    use="To reward several correct answers, and low confidence in wrong ones.",
    avoid="If confidences are outside 0..1, not all correct answers of the questions are known, or "
    "answers are repeated: CLEF 2004 gave repetitions 0, here each counts.",
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
    undefined=_UNDEFINED,
    source="CLEF 2004",
    use="To compare QA systems with one answer per question; an answer with confidence 0 is free.",
    avoid="If confidences are outside 0..1: scaling them up raises the score.",
    worked="(0.9 + 0.4 - 0.7) / 4 = 3/20",
    ignores_ties=True,
    sampler="k1",
)
def k1(counts: SelfScoreCounts) -> Fraction | None:
    """Confidence gained by correct answers and lost by wrong ones, one answer per question."""
    if any(not 0 <= confidence <= 1 for confidence in counts.confidences):
        raise NotApplicable(_OUTSIDE)
    pairs = zip(map(as_decimal, counts.confidences), counts.rights, strict=True)
    gained = _total(one if right else one.copy_negate() for one, right in pairs)
    return ratio(Fraction(gained), counts.self_questions)


@measure(
    "pearson_r",
    "r",
    CONFIDENCE,
    lowest="-1",
    formula="(N·Σcy - Σc·Σy) / √((N·Σc² - (Σc)²)·(N·Σy² - (Σy)²))",
    undefined="undefined if all confidences are equal, or all answers or none are correct",
    source="CLEF 2004",
    use="To see at a glance whether confidence and correctness are correlated.",
    avoid="To compare systems with different accuracy: the share of correct answers bounds r.",
    worked="(5·1.8 - 2.7·3) / sqrt((5·1.91 - 2.7·2.7) · (5·3 - 3·3)) = 0.2444",
    ignores_ties=True,
    sampler="pearson_r",
)
def pearson_r(counts: ConfidenceCounts) -> Fraction | None:
    """Pearson's correlation of confidence and correctness."""
    pairs = [(as_decimal(confidence), right) for confidence, right in _samples(counts)]
    size, rights = len(pairs), sum(right for _, right in pairs)
    total = Fraction(_total(one for one, _ in pairs))
    squares = Fraction(_total(_EXACT.multiply(one, one) for one, _ in pairs))
    product = Fraction(_total(one for one, right in pairs if right))
    spread = (size * squares - total**2) * (size * rights - rights**2)
    return ratio(size * product - total * rights, root(spread))


@measure(
    "brier",
    "Brier",
    CONFIDENCE,
    higher_is_better=False,
    formula="1/N · Σ (c - y)²",
    undefined=_UNDEFINED,
    source="Brier, Verification of Forecasts Expressed in Terms of Probability, 1950",
    use="To score confidences as probabilities: both their order and their values count.",
    avoid="If only the order of confidences is meaningful: `auc` uses nothing else.",
    worked="(0.1·0.1 + 0.8·0.8 + 0.4·0.4 + 0.7·0.7 + 0.1·0.1) / 5 = 131/500",
    ignores_ties=True,
    sampler="brier",
)
def brier(counts: ConfidenceCounts) -> Fraction | None:
    """Mean squared difference between confidence and correctness."""
    misses = (_EXACT.subtract(one, Decimal(right)) for one, right in probabilities(counts))
    total = _total(_EXACT.multiply(miss, miss) for miss in misses)
    return ratio(Fraction(total), len(counts.decisions))


@measure(
    "ece",
    "ECE({b})",
    CONFIDENCE,
    whole("b", 10),
    higher_is_better=False,
    formula="1/N · Σ over bins of |Σc - Σy|",
    undefined=_UNDEFINED,
    source="calibration",
    use="To see whether 70 % of the answers with a confidence of 0.7 are correct.",
    avoid="Alone: a constant equal to the share of correct answers gives 0. It also depends on b.",
    worked="(0.1 + 0.8 + 0.4 + 0.7 + 0.1) / 5 = 21/50",
    ignores_ties=True,
    sampler="ece",
)
def ece(counts: ConfidenceCounts, bins: Fraction) -> Fraction | None:
    """Expected calibration error: the mean gap between confidence and accuracy over the bins."""
    gaps: defaultdict[int, Decimal] = defaultdict(Decimal)
    for chance, right in probabilities(counts):
        place = max(1, ceil(_EXACT.multiply(chance, Decimal(int(bins)))))
        gaps[place] = _EXACT.add(gaps[place], _EXACT.subtract(chance, Decimal(right)))
    return ratio(Fraction(_total(map(Decimal.copy_abs, gaps.values()))), len(counts.decisions))


@measure(
    "auc",
    "AUC",
    CONFIDENCE,
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
    twice = above = 0  # correct answers of more confidence than the present one
    for size, right in tied_groups(_samples(counts), "average"):
        twice += (size - right) * (2 * above + right)
        above += right
    return ratio(twice, 2 * above * (len(counts.decisions) - above))


@measure(
    "aurc",
    "AURC",
    SELF_SCORE,
    higher_is_better=False,
    formula="1/m · Σ (i - C(i))/i, over the answered questions",
    undefined="undefined if nothing was answered",
    source="selective",
    use="To see what withholding the least confident answers gains, over all numbers withheld.",
    avoid="To compare systems that answer different shares of the questions.",
    worked="(0/1 + 1/2 + 1/3) / 3 = 5/18",
    sampler="aurc",
)
def aurc(counts: SelfScoreCounts) -> Fraction | None:
    """Area under the risk-coverage curve: mean share of wrong answers, most confident first."""
    pairs = zip(counts.confidences, counts.rights, strict=True)
    so_far = right_so_far(tied_groups(pairs, counts.ties))
    return ratio(
        harmonic([place - right for place, right in enumerate(so_far, 1)]), len(counts.rights)
    )
