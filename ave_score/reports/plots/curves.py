"""Curves and bins of confidences, exact: a point for each number of answers that can be accepted.

Answers of one confidence are accepted together, so they are one point of a ROC or a
precision-recall curve. A risk-coverage curve has a point for every answer that is returned, as its
area has; there answers of one confidence stand as the counts say (`ties`).

Sources: ROC = Fawcett, An Introduction to ROC Analysis, 2006; precision-recall = Davis, Goadrich,
The Relationship Between Precision-Recall and ROC Curves, ICML 2006; risk-coverage = El-Yaniv,
Wiener, On the Foundations of Noise-free Selective Classification, JMLR 2010; reliability = Guo and
others, On Calibration of Modern Neural Networks, ICML 2017.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from fractions import Fraction
from math import ceil

from ave_score.counts import ConfidenceCounts, SelfScoreCounts
from ave_score.measures.confidence import (
    ap_rte,
    auc,
    aurc,
    ece,
    probabilities,
    right_so_far,
    tied_groups,
)
from ave_score.measures.registry import NotApplicable
from ave_score.reports.plots.data import Bin, Curve, Place, Reliability

BINS = 10
"""Bins of a reliability diagram: those of the measure `ece` where no number is given."""

ONE_KIND = "all its answers are correct, or none"
NONE_CORRECT = "no answer is correct"
NOTHING_ANSWERED = "it answered nothing"
NOTHING_JUDGED = "no answer is judged"


def roc(run: str, counts: ConfidenceCounts) -> Curve:
    """Return the true positive rate (y) over the false positive rate (x), from (0, 0) to (1, 1).

    Positive is a correct answer; a point accepts all answers of at least some confidence. The area
    is `auc`. Raises `NotApplicable` where all answers are correct, or none.
    """
    rights = _rights(counts)
    wrongs = len(counts.decisions) - rights
    if not rights or not wrongs:
        raise NotApplicable(ONE_KIND)

    def place(accepted: int, right: int) -> Place:
        return Fraction(accepted - right, wrongs), Fraction(right, rights)

    points = [place(0, 0), *(place(*step) for step in _steps(counts))]
    return Curve(run, points, place(*_decided(counts)), auc(counts))


def precision_recall(run: str, counts: ConfidenceCounts) -> Curve:
    """Return the precision (y) over the recall (x), from the highest confidence to recall 1.

    A point accepts all answers of at least some confidence. Between two points the precision is
    that of the later one: nothing in between can be had. The area is `ap_rte`. Where the run itself
    accepts nothing, its decisions have no place. Raises `NotApplicable` where no answer is correct.
    """
    rights = _rights(counts)
    if not rights:
        raise NotApplicable(NONE_CORRECT)

    def place(accepted: int, right: int) -> Place:
        return Fraction(right, rights), Fraction(right, accepted)

    points = [place(*step) for step in _steps(counts)]
    accepted, right = _decided(counts)
    decided = place(accepted, right) if accepted else None
    return Curve(run, points, decided, ap_rte(counts))


def share_correct(counts: ConfidenceCounts) -> Fraction:
    """Return the share of correct answers: the precision of whoever knows nothing."""
    return Fraction(_rights(counts), max(1, len(counts.decisions)))


def risk_coverage(run: str, counts: SelfScoreCounts) -> Curve:
    """Return the share of wrong answers (y) among the surest, over the share of questions (x).

    The last point is the run as it is. The area is `aurc`, the mean of all y. Raises
    `NotApplicable` where nothing was answered.
    """
    if not counts.rights:
        raise NotApplicable(NOTHING_ANSWERED)
    pairs = zip(counts.confidences, counts.rights, strict=True)
    so_far = right_so_far(tied_groups(pairs, counts.ties))
    points = [
        (Fraction(place, counts.self_questions), 1 - Fraction(right) / place)
        for place, right in enumerate(so_far, 1)
    ]
    return Curve(run, points, points[-1], aurc(counts))


def reliability(run: str, counts: ConfidenceCounts, bins: int = BINS) -> Reliability:
    """Return how many answers each bin of confidence has, and how many of them are correct.

    Raises `NotApplicable` where confidences lie outside 0..1, or no answer is judged.
    """
    if not counts.decisions:
        raise NotApplicable(NOTHING_JUDGED)
    sums: defaultdict[int, tuple[int, Fraction, int]] = defaultdict(lambda: (0, Fraction(0), 0))
    for chance, right in probabilities(counts):
        exact = Fraction(chance)
        place = max(1, ceil(exact * bins))
        answers, total, rights = sums[place]
        sums[place] = answers + 1, total + exact, rights + right
    found = []
    for place in range(1, bins + 1):
        answers, total, rights = sums[place]
        shares = (total / answers, Fraction(rights, answers)) if answers else (None, None)
        found.append(Bin(Fraction(place - 1, bins), Fraction(place, bins), answers, *shares))
    return Reliability(run, found, ece(counts, Fraction(bins)))


def _rights(counts: ConfidenceCounts) -> int:
    """Return how many answers are correct."""
    return sum(code & 1 for code in counts.decisions)


def _steps(counts: ConfidenceCounts) -> Iterator[tuple[int, int]]:
    """Yield how many answers are accepted, and how many of them are correct, at each confidence."""
    pairs = zip(counts.confidences, (code & 1 for code in counts.decisions), strict=True)
    accepted = rights = 0
    for size, right in tied_groups(pairs, "average"):
        accepted, rights = accepted + size, rights + right
        yield accepted, rights


def _decided(counts: ConfidenceCounts) -> tuple[int, int]:
    """Return how many answers the run itself validated, and how many of them are correct."""
    validated = [code for code in counts.decisions if code >= 2]
    return len(validated), sum(code & 1 for code in validated)
