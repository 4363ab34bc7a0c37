"""What tasks may be given: types of paths, files, values, and of several of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal, TypeAlias, TypeVar

from ave_score.core.entrants import Names
from ave_score.core.errors import wrong_type
from ave_score.core.given import FileGiven, Path
from ave_score.core.model import Collection, QARun, Run
from ave_score.core.open_questions import OpenGold, ResponseRun
from ave_score.files.source import Source

__all__ = [
    "CollectionGiven",
    "FileGiven",
    "GoldGiven",
    "Labels",
    "Named",
    "Names",
    "Path",
    "RunGiven",
    "RunsGiven",
    "SubjectGiven",
    "SubjectsGiven",
    "Value",
    "settings_of",
]

CollectionGiven: TypeAlias = "Collection | FileGiven"

GoldGiven: TypeAlias = "Collection | OpenGold | FileGiven | Sequence[Path | Source]"
"""A gold standard, or the file of a collection, a judged file or answer sets; or paths of logs."""

RunGiven: TypeAlias = "Run | QARun | FileGiven"

RunsGiven: TypeAlias = "RunGiven | Iterable[object]"

SubjectGiven: TypeAlias = "Run | QARun | ResponseRun | FileGiven"

SubjectsGiven: TypeAlias = "SubjectGiven | Iterable[object]"
"""Runs, QA systems, responses or their files, perhaps by their names; or a single one of these."""

Labels: TypeAlias = Literal["needed", "optional", "partial", "ignored"]
"""Whether a collection must have labels, or may on some answers, and whether they are read."""

Named: TypeAlias = tuple[object, str | None]
"""A value, and its name; None for a value with a name of its own."""

Value = TypeVar("Value")


def settings_of(value: Value | None, of_type: type[Value]) -> Value:
    """Return settings, by default `of_type()`; raises `UsageError` for a value of another type."""
    if value is None:
        return of_type()
    if not isinstance(value, of_type):
        raise wrong_type(f"settings of type {of_type.__name__}", value)
    return value


def are_given(qa: object) -> bool:
    """Tell whether QA systems are given: neither commands nor Python functions need any."""
    return qa is not None and (not isinstance(qa, tuple) or bool(qa))
