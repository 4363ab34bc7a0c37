"""The contents of a valid file, in numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import groupby
from typing import Any, TypeAlias

from ave_score.core.findings import Findings
from ave_score.core.labels import LABELS
from ave_score.core.model import AnswerIndex, Collection, Label

Contents = dict[str, int | float | list[str]]
"""Counts and ranges of a valid file, by name; of a log also what it is about, in words."""

Checking: TypeAlias = tuple[Any, list[Findings]]
"""The value of a file, None if it is not valid, and the findings."""

_LABELS = {Label(code): word.lower() for word, code in LABELS.items()} | {Label.NONE: "unlabelled"}


def different(ids: Iterable[str]) -> int:
    """Return the number of different ids; a set of them would take much more memory."""
    return sum(1 for _ in groupby(sorted(ids)))


def size_of(index: AnswerIndex) -> Contents:
    """Return the numbers of questions and answers, or of pairs."""
    contents: Contents = {f"{index.standard.noun}s": len(index)}
    return {"questions": len(index.questions)} | contents if index.questions else contents


def label_counts(labels: bytes) -> Contents:
    """Return the number of answers with each label that occurs."""
    times = Counter(labels)
    return {name: times[label] for label, name in _LABELS.items() if times[label]}


def contents_of(collection: Collection) -> Contents:
    """Return the size of a collection, and how many answers have each label."""
    return size_of(collection.index) | label_counts(collection.labels)
