"""Definition questions: how much of the expected content does a response have, and how briefly?

Assessors mark the nuggets that they find in a response. Vital nuggets must be there, and okay
nuggets may be. The length of a response is that of all its parts, without whitespace.

Questions without a vital nugget are excluded.

In the formulas, for one question:

    V        all vital nuggets of the question
    v        vital nuggets found
    f        nuggets found, vital or okay
    l        length of the response in characters
    w        free length: f times the allowance
    P, R     precision and recall of the question
    b        weight of recall relative to precision
    a        the allowance: characters per nugget

Sources: TREC 2003 = Voorhees, Overview of the TREC 2003 Question Answering Track; TREC 2004 =
Voorhees, Overview of the TREC 2004 Question Answering Track.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction

from ave_score.core.exact import ratio, weighted_sum
from ave_score.counts import DEFINITION, DefinitionCounts, DefinitionResponse
from ave_score.measures.parameters import number
from ave_score.measures.registry import EXAMPLES, Example, measure

_UNDEFINED = "undefined if no definition question has a vital nugget"
_BETA = number("b", 3)
_ALLOWANCE = number("a", 100)

EXAMPLES[DEFINITION] = Example(
    "two definition questions: the response to the first has 400 characters, 2 of 3 vital nuggets "
    "and 1 okay nugget; the response to the second has 80 characters, the only vital nugget and no "
    "other",
    DefinitionCounts(Counter([DefinitionResponse(3, 2, 3, 400), DefinitionResponse(1, 1, 1, 80)])),
)


def _mean(
    counts: DefinitionCounts, worth: Callable[[DefinitionResponse], Fraction]
) -> Fraction | None:
    worths = [worth(response) for response in counts.described]
    return ratio(weighted_sum(worths, [*counts.described.values()]), counts.described.total())


def _recall(response: DefinitionResponse) -> Fraction:
    return Fraction(response.vital_found, response.vital)


def _precision(response: DefinitionResponse, allowance: Fraction) -> Fraction:
    free = allowance * response.nuggets
    return Fraction(1) if response.length <= free else free / response.length


@measure(
    "nugget_f",
    "Nugget F({b})",
    DEFINITION,
    _BETA,
    _ALLOWANCE,
    is_mean=True,
    formula="mean of (b² + 1)·P·R / (b²·P + R)",
    undefined=_UNDEFINED,
    source="TREC 2003 (b = 5), TREC 2004 (b = 3)",
    use="To score responses that should contain the important facts and little else.",
    avoid="To compare with other campaigns, unless b is stated: TREC changed it.",
    worked="(10 · 3/4 · 2/3 / (9 · 3/4 + 2/3) + 1) / 2 = 149/178",
)
def nugget_f(counts: DefinitionCounts, beta: Fraction, allowance: Fraction) -> Fraction | None:
    """Nugget F, with recall weighted `b` times as much as precision."""

    def worth(response: DefinitionResponse) -> Fraction:
        precision, recall = _precision(response, allowance), _recall(response)
        both = (beta**2 + 1) * precision * recall
        return ratio(both, beta**2 * precision + recall) or Fraction(0)

    return _mean(counts, worth)


@measure(
    "nugget_recall",
    "Nugget recall",
    DEFINITION,
    is_mean=True,
    formula="mean of v/V",
    undefined=_UNDEFINED,
    source="TREC 2003",
    use="To see how many of the important facts a response contains.",
    avoid="Alone: copying whole documents gives 1.",
    worked="(2/3 + 1/1) / 2 = 5/6",
)
def nugget_recall(counts: DefinitionCounts) -> Fraction | None:
    """Share of the vital nuggets that were found."""
    return _mean(counts, _recall)


@measure(
    "nugget_precision",
    "Nugget precision",
    DEFINITION,
    _ALLOWANCE,
    is_mean=True,
    formula="mean of 1 where l ≤ w, else 1 - (l - w)/l",
    undefined=_UNDEFINED,
    source="TREC 2003",
    use="To see how concise a response is.",
    avoid="Alone: an empty response gives 1.",
    worked="((1 - (400 - 300) / 400) + 1) / 2 = 7/8",
)
def nugget_precision(counts: DefinitionCounts, allowance: Fraction) -> Fraction | None:
    """How well responses keep to the length allowed by their nuggets."""
    return _mean(counts, lambda response: _precision(response, allowance))
