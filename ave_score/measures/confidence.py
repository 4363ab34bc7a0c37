"""Confidences: does a system know when it is right?

A confidence is a system's own figure for how sure it is that an answer is correct. Some measures
look at every answer that is labelled VALIDATED or REJECTED, others at the answer that is returned
to each question, the SELECTED one. In the formulas

    N        judged answers
    n        questions
    m        questions that were answered
    c        the confidence in an answer
    y        1 if the answer is correct, else 0
    i        a place in the order of confidence, the highest first
    C(i)     how many of the first i are correct
    R        correct answers there are; of a question, R(q)
    A(q)     answers that a run validates of a question
    b        bins of equal width that 0..1 is cut into: (0, 1/b], (1/b, 2/b] and so on

Answers of one confidence stand in the order of the collection, or, with ties averaged, share the
mean of all orders.

Sources: TREC 2002 = Voorhees, Overview of the TREC 2002 Question Answering Track; RTE = Dagan,
Glickman, Magnini, The PASCAL Recognising Textual Entailment Challenge, 2005; CLEF 2004 = Herrera,
Peñas, Verdejo, Question Answering Pilot Task at CLEF 2004; CLEF 2005 = Vallin and others, Overview
of the CLEF 2005 Multilingual Question Answering Track; calibration = Guo and others, On Calibration
of Modern Neural Networks, ICML 2017; selective = Geifman, Uziel, El-Yaniv, Bias-Reduced Uncertainty
Estimation for Deep Neural Classifiers, ICLR 2019; thesis = Rodrigo, PhD thesis, UNED 2010.
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
from ave_score.exact import Number, harmonic, ratio, root, written
from ave_score.measures.parameters import whole
from ave_score.measures.registry import EXAMPLES, Example, NotApplicable, measure

_UNDEFINED = "undefined"
_OUTSIDE = "confidences lie outside 0..1"

_EXACT = Context(prec=4000, Emax=10**6, Emin=-(10**6), traps=[Inexact])
"""Room for every digit of sums of squares of floats; operators round as the caller is set to."""

EXAMPLES[CONFIDENCE] = Example(
    "five judged answers: of confidence 0.9, 0.8, 0.6 (validated) and 0.3, 0.1 (rejected); those "
    "of 0.9, 0.6 and 0.3 are correct",
    ConfidenceCounts(array("d", [0.9, 0.8, 0.6, 0.3, 0.1]), bytes([3, 2, 3, 1, 0])),
)
EXAMPLES[SELF_SCORE] = Example(
    "four questions: the answers selected to three have confidences of 0.9, 0.7 and 0.4, the "
    "second is wrong, nothing else is validated; the first has two correct answers, the others one",
    SelfScoreCounts(array("d", [0.9, 0.7, 0.4]), bytes([1, 0, 1]), 4, sum_of_k=Fraction(15, 100)),
)


Groups = Sequence[tuple[int, int]]
"""From the highest confidence to the lowest: how many answers share it, how many of them right."""


def tied_groups(pairs: Iterable[tuple[Number | Decimal | float, int]], ties: str) -> Groups:
    """Rank pairs of a confidence and a 1 or 0; in the collection's order each is its own group."""
    ranked = sorted(pairs, key=itemgetter(0), reverse=True)
    if ties == "file":
        return [(1, right) for _, right in ranked]
    tied = ([right for _, right in group] for _, group in groupby(ranked, key=itemgetter(0)))
    return [(len(rights), sum(rights)) for rights in tied]


def right_so_far(groups: Groups) -> Iterator[Number]:
    """Yield C(i) for each place, in a group what is to be expected of all its orders."""
    before = 0
    for size, right in groups:
        for place in range(1, size + 1):
            yield before + (right if place == size else Fraction(place * right, size))
        before += right


def _samples(counts: ConfidenceCounts) -> Iterator[tuple[float, int]]:
    """Yield the confidence of each judged answer, and 1 if it is correct, else 0."""
    return zip(counts.confidences, (code & 1 for code in counts.decisions), strict=True)


def probabilities(counts: ConfidenceCounts) -> list[tuple[Decimal, int]]:
    """Return the same, exactly; raises `NotApplicable` where one cannot be a probability."""
    if any(not 0 <= confidence <= 1 for confidence in counts.confidences):
        raise NotApplicable(_OUTSIDE)
    return [(written(confidence), right) for confidence, right in _samples(counts)]


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
    use="To reward a QA system that is sure where it is right: the first places weigh most.",
    avoid="Where most questions are left unanswered: they stand last, and count as not correct.",
    worked="(1/1 + 1/2 + 2/3 + 2/4) / 4 = 2/3",
    sampler="cws",
)
def cws(counts: SelfScoreCounts) -> Fraction | None:
    """Confidence-weighted score: the mean precision over places, the surest answers first."""
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
    use="To rank systems that decide yes or no by how sure they are of what they decide.",
    avoid="Where confidences are no probabilities: how sure a rejection is, is then not known.",
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
    undefined="undefined where no answer is correct",
    source="thesis 2.25",
    use="To judge the order of all answers of a collection, whatever was decided.",
    avoid="Where confidences of different questions cannot be compared: rank each question alone.",
    worked="(1/1 + 2/3 + 3/4) / 3 = 29/36",
    sampler="ap_rte",
)
def ap_rte(counts: ConfidenceCounts) -> Fraction | None:
    """Average precision of all answers of the collection in one ranking."""
    terms: list[Number] = []
    before = 0
    for size, right in tied_groups(_samples(counts), counts.ties):
        for place in range(size):  # others of the group before it, if this one is correct
            others = Fraction(place * (right - 1), size - 1) if place else 0
            terms.append(Fraction(right, size) * (before + 1 + others))
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
    use="To reward knowing several answers, and doubting the wrong ones.",
    avoid="Where confidences leave 0..1, or the correct answers of questions are not all known; "
    "or where answers repeat each other: CLEF 2004 gave repetitions 0, here each counts.",
    worked="(0.9/2 - 0.7/1 + 0.4/1) / 4 = 3/80",
    sampler="k",
)
def k(counts: SelfScoreCounts) -> Fraction | None:
    """Confidence won by correct answers and lost by wrong ones, over all validated answers."""
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
    source="CLEF 2005",
    use="To compare QA systems that give one answer a question; a guess of confidence 0 is free.",
    avoid="Where confidences leave 0..1: whoever scales them up scores more.",
    worked="(0.9 + 0.4 - 0.7) / 4 = 3/20",
    sampler="k1",
)
def k1(counts: SelfScoreCounts) -> Fraction | None:
    """Confidence won by correct answers and lost by wrong ones, one answer a question."""
    if any(not 0 <= confidence <= 1 for confidence in counts.confidences):
        raise NotApplicable(_OUTSIDE)
    pairs = zip(map(written, counts.confidences), counts.rights, strict=True)
    gained = _total(one if right else one.copy_negate() for one, right in pairs)
    return ratio(Fraction(gained), counts.self_questions)


@measure(
    "pearson_r",
    "r",
    CONFIDENCE,
    lowest="-1",
    formula="(N·Σcy - Σc·Σy) / √((N·Σc² - (Σc)²)·(N·Σy² - (Σy)²))",
    undefined="undefined where all confidences are equal, or all answers of one kind",
    source="CLEF 2005",
    use="To see at a glance whether confidence and correctness go together.",
    avoid="To compare systems of different accuracy: the share of correct answers bounds r.",
    worked="(5·1.8 - 2.7·3) / sqrt((5·1.91 - 2.7·2.7) · (5·3 - 3·3)) = 0.2444",
    sampler="pearson_r",
)
def pearson_r(counts: ConfidenceCounts) -> Fraction | None:
    """Pearson's correlation of confidence and correctness."""
    pairs = [(written(confidence), right) for confidence, right in _samples(counts)]
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
    use="To judge confidences as probabilities: both their order and their size count.",
    avoid="Where confidences are only good for an order; `auc` looks at nothing else.",
    worked="(0.1·0.1 + 0.8·0.8 + 0.4·0.4 + 0.7·0.7 + 0.1·0.1) / 5 = 131/500",
    sampler="brier",
)
def brier(counts: ConfidenceCounts) -> Fraction | None:
    """Mean squared difference of confidence and correctness."""
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
    use="To ask whether, of the answers given 70 %, seventy in a hundred are correct.",
    avoid="Alone: whoever always says the share of correct answers has no error. It depends on b.",
    worked="(0.1 + 0.8 + 0.4 + 0.7 + 0.1) / 5 = 21/50",
    sampler="ece",
)
def ece(counts: ConfidenceCounts, bins: Fraction) -> Fraction | None:
    """Expected calibration error: how far confidence and accuracy differ, bin by bin."""
    gaps: defaultdict[int, Decimal] = defaultdict(Decimal)
    for chance, right in probabilities(counts):
        place = max(1, ceil(_EXACT.multiply(chance, Decimal(int(bins)))))
        gaps[place] = _EXACT.add(gaps[place], _EXACT.subtract(chance, Decimal(right)))
    return ratio(Fraction(_total(map(Decimal.copy_abs, gaps.values()))), len(counts.decisions))


@measure(
    "auc",
    "AUC",
    CONFIDENCE,
    formula="share of the pairs of a correct and a wrong answer whose correct one has more "
    "confidence; half a pair where they have the same",
    undefined="undefined where all answers are correct, or none",
    source="Hanley, McNeil, The Meaning and Use of the Area under a ROC Curve, 1982",
    use="To judge the order that confidences give, whatever the threshold: 0.5 is chance.",
    avoid="Where few answers are correct, and only the first places matter; `ap_rte` sees these.",
    worked="(2 + 1 + 1) / (3·2) = 2/3",
    sampler="auc",
)
def auc(counts: ConfidenceCounts) -> Fraction | None:
    """Area under the ROC curve of the confidences, ties half."""
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
    undefined="undefined where nothing was answered",
    source="selective",
    use="To ask what withholding the least sure answers is worth, at every number withheld.",
    avoid="To compare systems that answer different shares of the questions.",
    worked="(0/1 + 1/2 + 1/3) / 3 = 5/18",
    sampler="aurc",
)
def aurc(counts: SelfScoreCounts) -> Fraction | None:
    """Area under the risk-coverage curve: the mean share of wrong answers, the surest first."""
    pairs = zip(counts.confidences, counts.rights, strict=True)
    so_far = right_so_far(tied_groups(pairs, counts.ties))
    return ratio(
        harmonic([place - right for place, right in enumerate(so_far, 1)]), len(counts.rights)
    )
