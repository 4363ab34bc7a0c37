"""Selective answering: how wrong are the answers of which a system is most confident?

Answers are ranked by confidence, highest first. A system that may withhold answers gives those of
the first ranks. Coverage is the share of answers that are given, and risk the share of wrong
answers among them. An answer is what a run selects, or a QA system returns, for a question.

Answers of equal confidence rank as `--ties` says. By default, C(i) is the exact mean over all their
orders, so the measures are read from the mean of the curves.

In the formulas:

    n        questions
    m        answered questions
    i        a rank by confidence, highest first
    C(i), C(k)  correct answers in the first i or k ranks
    R        correct answers
    p        pairs of a wrong answer and a correct one of lower confidence; ties count half
    k        a number of first ranks
    x        a coverage or a risk

Sources: selective = Geifman, Uziel, El-Yaniv, Bias-Reduced Uncertainty Estimation for Deep Neural
Classifiers, ICLR 2019; guaranteed = Geifman, El-Yaniv, Selective Classification for Deep Neural
Networks, NeurIPS 2017; generalised = Traub and others, Overcoming Common Flaws in the Evaluation of
Selective Classification Systems, NeurIPS 2024.
"""

from __future__ import annotations

from fractions import Fraction
from math import ceil

from ave_score.core.exact import ratio, sum_of_inverses
from ave_score.counts import SELF_SCORE, SelfScoreCounts
from ave_score.measures.by_rank import (
    most_ranks,
    placed,
    ranked_returned,
    right_in,
    sum_of_precisions,
    twice_correct_above_wrong,
)
from ave_score.measures.parameters import number
from ave_score.measures.registry import measure

_NOTHING = "undefined if nothing was answered"


@measure(
    "aurc",
    "AURC",
    SELF_SCORE,
    higher_is_better=False,
    formula="1/m · Σ (i - C(i))/i, over the answered questions",
    undefined=_NOTHING,
    source="selective",
    use="To see what is gained by withholding the least confident answers, on average over all "
    "numbers of them.",
    avoid="To compare systems that answer different shares of the questions.",
    worked="(0/1 + 1/2 + 1/3) / 3 = 5/18",
    sampler="aurc",
)
def aurc(counts: SelfScoreCounts) -> Fraction | None:
    """Area under the risk-coverage curve: mean share of wrong answers, most confident first."""
    answered = len(counts.rights)
    return ratio(answered - sum_of_precisions(counts), answered)


@measure(
    "e_aurc",
    "E-AURC",
    SELF_SCORE,
    higher_is_better=False,
    formula="1/m · (Σ (i - C(i))/i - Σ over i > R of (i - R)/i)",
    undefined=_NOTHING,
    source="selective, whose best area is the limit for many answers: 1 - a + a·ln(a), where a is "
    "the share of correct answers; here it is exact",
    use="To score the order of confidences. It is AURC minus the AURC of the best order, in which "
    "all correct answers come first.",
    avoid="To choose a system: a system with only wrong answers has 0. The maximum depends on the "
    "share of correct answers, so systems of different accuracy are hard to compare.",
    worked="(0/1 + 1/2 + 1/3 - 1/3) / 3 = 1/6",
    sampler="e_aurc",
)
def e_aurc(counts: SelfScoreCounts) -> Fraction | None:
    """Excess area under the risk-coverage curve: what a better order of the answers would gain."""
    answered, right = len(counts.rights), counts.rights.count(1)
    best = right + right * sum_of_inverses(right, answered)
    return ratio(best - sum_of_precisions(counts), answered)


@measure(
    "augrc",
    "AUGRC",
    SELF_SCORE,
    higher_is_better=False,
    highest="1/2",
    formula="(p + (m - R)²/2) / m²",
    undefined=_NOTHING,
    source="generalised",
    use="To compare the confidences of systems by a single number. It is the mean risk, over all "
    "coverages, that an answer is given and wrong. Unlike in AURC, all ranks have equal weight.",
    avoid="To compare systems that answer different shares of the questions.",
    worked="(1 + (3 - 2)·(3 - 2)/2) / (3·3) = 1/6",
    sampler="augrc",
)
def augrc(counts: SelfScoreCounts) -> Fraction | None:
    """Area under the generalised risk-coverage curve: given and wrong, as share of all answers."""
    answered, right = len(counts.rights), counts.rights.count(1)
    wrong = answered - right
    pairs = 2 * right * wrong - twice_correct_above_wrong(ranked_returned(counts))
    return ratio(pairs + wrong**2, 2 * answered**2)


@measure(
    "risk_at_coverage",
    "Risk at coverage {x}",
    SELF_SCORE,
    number("x", Fraction(3, 4), highest=1),
    higher_is_better=False,
    formula="(k - C(k)) / k, where k = max(1, ⌈x·n⌉)",
    undefined="undefined if fewer questions were answered",
    source="guaranteed",
    use="If a share x of the questions must be answered, to see how many of these answers are "
    "wrong.",
    avoid="If many answers share the confidence at which coverage x is reached. No threshold "
    "separates them, and the value is a mean over their orders.",
    worked="(3 - 2) / 3 = 1/3",
    sampler="risk_at_coverage",
)
def risk_at_coverage(counts: SelfScoreCounts, coverage: Fraction) -> Fraction | None:
    """Share of wrong answers among the most confident answers to a share x of the questions."""
    ranks = max(1, ceil(coverage * counts.self_questions))
    if ranks > len(counts.rights):
        return None
    return 1 - right_in(placed(ranked_returned(counts)), ranks) / ranks


@measure(
    "coverage_at_risk",
    "Coverage at risk {x}",
    SELF_SCORE,
    number("x", Fraction(1, 20), highest=1),
    formula="k / n, where k is the largest i with (i - C(i))/i at most x; 0 if there is none",
    source="guaranteed",
    use="If at most a share x of the given answers may be wrong, to see how many questions can be "
    "answered.",
    avoid="As a guarantee for other questions: the risk is measured on these questions.",
    worked="1 / 4 = 1/4",
    sampler="coverage_at_risk",
)
def coverage_at_risk(counts: SelfScoreCounts, risk: Fraction) -> Fraction | None:
    """Largest share of questions that can be answered with at most a share x of wrong answers."""
    return ratio(most_ranks(placed(ranked_returned(counts)), risk), counts.self_questions)
