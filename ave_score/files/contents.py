"""What a sound file holds, in numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import TypeVar

from ave_score.findings import Findings
from ave_score.model import AnswerIndex, Label

Value = TypeVar("Value")

Contents = dict[str, int | float]
"""What a sound file holds: counts, and ranges of numbers, by name."""

Examined = tuple[Contents | None, list[Findings]]
"""What a sound file holds, and what was found in each file that was read."""

_LABELS = {
    Label.VALIDATED: "validated",
    Label.REJECTED: "rejected",
    Label.UNKNOWN: "unknown",
    Label.NONE: "unlabelled",
}


def examined(
    checked: tuple[Value | None, list[Findings]], describe: Callable[[Value], Contents]
) -> Examined:
    """Return what a check gave, the value as what it holds."""
    value, found = checked
    return (None if value is None else describe(value)), found


def size_of(index: AnswerIndex) -> Contents:
    """Return how many questions and answers there are, or pairs."""
    if index.is_pairs:
        return {"pairs": len(index)}
    return {"questions": len(index.questions), "answers": len(index)}


def label_counts(labels: bytes) -> Contents:
    """Return how many answers have each label, of those that any has."""
    times = Counter(labels)
    return {name: times[label] for label, name in _LABELS.items() if times[label]}
