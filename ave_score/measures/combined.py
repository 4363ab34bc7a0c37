"""Questions of several types: one score for a whole QA system.

In the formulas:

    r        factoid questions answered correctly: by a correct answer, or by none if none exists
    n        factoid questions
    A        factoid accuracy, r/n
    L        mean F of the list questions that have an answer
    D        mean nugget F of the definition questions
    f, l, d  the weights of factoid, list and definition questions

Sources: TREC 2003 = Voorhees, Overview of the TREC 2003 Question Answering Track; TREC 2006 = Dang,
Lin, Kelly, Overview of the TREC 2006 Question Answering Track.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

from ave_score.core.exact import ratio
from ave_score.counts import (
    COMBINED,
    FACTOID,
    CombinedCounts,
    DefinitionCounts,
    DefinitionResponse,
    FactoidCounts,
    ListCounts,
)
from ave_score.measures.definitions import nugget_f
from ave_score.measures.lists import list_f
from ave_score.measures.parameters import Value, number
from ave_score.measures.registry import EXAMPLES, MEASURES, Example, Measure, measure

ALLOWANCE = Fraction(100)
"""Characters per nugget in the part of definition questions."""

EXAMPLES[FACTOID] = Example("6 of 10 factoid questions are right", FactoidCounts(10, 6))
EXAMPLES[COMBINED] = Example(
    "6 of 10 factoid questions are right; two list questions have an F of 2/5 and 0; the response "
    "to a definition question has its only vital nugget and nothing else",
    CombinedCounts(
        FactoidCounts(10, 6),
        ListCounts(2, 2, sum_of_list_f=Fraction(2, 5)),
        DefinitionCounts(Counter([DefinitionResponse(1, 1, 1, 80)])),
    ),
)


@measure(
    "combined_score",
    "Combined",
    COMBINED,
    number("f", Fraction(1, 2)),
    number("l", Fraction(1, 4)),
    number("d", Fraction(1, 4)),
    number("b", 3),
    formula="(f·A + l·L + d·D) / (f + l + d)",
    undefined="undefined if a part is undefined, or if all weights are 0",
    source="TREC 2003 (0.5, 0.25, 0.25), TREC 2006 (equal weights: f=1, l=1, d=1)",
    use="To rank QA systems across question types, as TREC did.",
    avoid="To understand a result: the three parts explain more.",
    worked="(1/2 · 6/10 + 1/4 · (2/5 + 0) / 2 + 1/4 · 1) / (1/2 + 1/4 + 1/4) = 3/5",
)
def combined_score(
    counts: CombinedCounts, factoid: Fraction, lists: Fraction, definition: Fraction, beta: Fraction
) -> Fraction | None:
    """Weighted mean of the scores of the three question types; `b` is the b of nugget F."""
    parts = (
        factoid_accuracy(counts.factoid),
        list_f(counts.lists),
        nugget_f(counts.definition, beta, ALLOWANCE),
    )
    total = Fraction(0)
    for weight, part in zip((factoid, lists, definition), parts, strict=True):
        if part is None:
            return None
        total += weight * part
    return ratio(total, factoid + lists + definition)


def combined_parts(
    factoid: Value, lists: Value, definition: Value, beta: Value
) -> list[tuple[Fraction, Measure]]:
    """Return the measures that a combined score is the weighted mean of, with their weights."""
    parts = (
        MEASURES[factoid_accuracy.__name__],
        MEASURES[list_f.__name__],
        MEASURES[nugget_f.__name__].with_values([beta, ALLOWANCE]),
    )
    weights = (Fraction(str(weight)) for weight in (factoid, lists, definition))
    return list(zip(weights, parts, strict=True))


@measure(
    "factoid_accuracy",
    "Factoid accuracy",
    FACTOID,
    is_share=True,
    formula="r / n",
    undefined="undefined if there is no factoid question",
    source="TREC 2003",
    use="If each question has one answer, and every question should be answered.",
    avoid="If assessors judged the answers: here a wording that is not listed counts as wrong.",
    worked="6 / 10 = 3/5",
)
def factoid_accuracy(counts: FactoidCounts) -> Fraction | None:
    """Share of the factoid questions that were answered correctly."""
    return ratio(counts.factoid_right, counts.factoid_questions)
