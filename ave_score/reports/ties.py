"""A note on printed figures that depend on the order of answers with equal confidence."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import NamedTuple

from ave_score.core.choices import TIES_CHOICES, other_ties
from ave_score.core.exact import fixed
from ave_score.core.standards import CANDIDATES, Standard
from ave_score.core.text import listed, quantity
from ave_score.measures import Measure
from ave_score.tasks.scores import Row, Scores

_MOST_NAMED = 5
"""Runs that a note names; of more, it gives the number."""


class TiedFigure(NamedTuple):
    """A figure of a run, and its value if ties are ranked by `choices.other_ties`."""

    run: str
    measure: Measure
    value: Fraction
    other: Fraction

    def texts(self, digits: int | None) -> tuple[str, str]:
        """Return both values with some decimals, or all that a float has."""
        if digits is None:
            return f"{float(self.other):.6g}", f"{float(self.value):.6g}"
        factor = 100 if self.measure.percent else 1
        return fixed(factor * self.other, digits), fixed(factor * self.value, digits)


def ties_notes_of(
    scores: Scores, rows: Iterable[Row], columns: Iterable[Measure], digits: int | None = None
) -> list[str]:
    """Return the note, if any, on the values of these rows and columns."""
    measures = {measure.key: measure for measure in columns}
    figures = [
        TiedFigure(row.run, measures[key], value, other)
        for row in rows
        for key, other in row.other_ties.items()
        if key in measures and (value := row.values[key]) is not None
    ]
    return ties_notes(scores.policies.ties, figures, digits, scores.collection.standard)


def ties_notes(
    ties: str,
    figures: Iterable[TiedFigure],
    digits: int | None = None,
    standard: Standard = CANDIDATES,
) -> list[str]:
    """Return a sentence about the figures that another ranking of ties would change, if any.

    Figures that are printed alike with `digits` decimals do not count.
    """
    changed = [figure for figure in figures if len(set(figure.texts(digits))) > 1]
    if not changed:
        return []
    most = max(changed, key=lambda figure: abs(figure.other - figure.value))
    other, value = most.texts(digits)
    names = [*dict.fromkeys(figure.run for figure in changed)]
    runs = listed(names) if len(names) <= _MOST_NAMED else quantity(len(names), "run")
    example = f"{most.measure.title} of {most.run}: {other} instead of {value}"
    rule = TIES_CHOICES[other_ties(ties)].rule_of(standard)
    text = f"Equal {standard.ordering}: {rule}, {runs} would have other figures, such as {example}."
    return [text]
