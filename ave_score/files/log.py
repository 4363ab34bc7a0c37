"""Answers in the logs of other programs.

A reader of a log yields `LogAnswer`s; nothing in a log is executed, fetched or used as a path.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from ave_score.core.findings import Findings
from ave_score.files.decisions import NO_NUMBERS, NUMBER
from ave_score.files.json import NotFinite, Number, Path, text_of
from ave_score.files.log_entries import LogEntry
from ave_score.files.source import Source

SCORES_CHOSEN = "; --columns score=NAME chooses one"
"""The end of a message about a table without a column of this name."""


class LogValue(NamedTuple):
    """A JSON value, and where it is in its entry."""

    value: object
    path: Path


class LogAnswer(NamedTuple):
    """An answer in a log.

    Attributes
    ----------
    entry
        The object that it is part of.
    fields
        What is known: q_id, a_id, number (among the answers to its question), question, answer,
        answer_key and correct.
    scores
        The values of the scorers by name.
    filter
        The filter that the scores belong to.
    failed
        Why there are no scores, as the log says.
    path
        Where it is in the entry.
    keys
        The answer as a scorer extracted it, by scorer.
    attributes
        What the log says about the question, by name: of `graded` answers only, as what follows.
    reasons
        Why scorers gave their values, by scorer.
    edited
        The scorers whose values were edited.
    confidences
        What the answer says of its own confidence, by metric.
    hash
        What tells the question from others, if that is not its text.
    """

    entry: LogEntry
    fields: dict[str, LogValue]
    scores: dict[str, LogValue]
    filter: str = ""
    failed: str = ""
    path: Path = ()
    keys: Mapping[str, LogValue] = {}
    attributes: Mapping[str, str] = {}
    reasons: Mapping[str, str] = {}
    edited: frozenset[str] = frozenset()
    confidences: Mapping[str, float] = {}
    hash: str = ""

    def text(self, name: str) -> str:
        """Return a field as a text; "" if it is none."""
        return text_of(self.fields[name].value)


class LogHead(NamedTuple):
    """What a log says about itself, "" or empty where it does not.

    Attributes
    ----------
    program, task, version, model, seed, status, created, key
        The program with its version, the task with its version, the system, its seed, how the
        evaluation ended, when it began, and what tells it apart from all others.
    questions, replicates
        The ids of the questions, and how often each is asked.
    headline
        The scorer that comes first in the results.
    options
        Scorer -> its options.
    groups
        Task -> the group that it belongs to.
    settings
        How the model was asked, without the seed.
    reducers
        How the program reduced several answers to a question for its own figures.
    """

    program: str = ""
    task: str = ""
    version: str = ""
    model: str = ""
    seed: str = ""
    status: str = ""
    created: str = ""
    key: str = ""
    questions: Sequence[str] = ()
    replicates: int = 1
    headline: str = ""
    options: Mapping[str, str] = {}
    groups: Mapping[str, str] = {}
    settings: str = ""
    reducers: Sequence[str] = ()


class LogColumns(NamedTuple):
    """Answers in a log as columns: their lines, and as in `LogAnswer` their fields and scores."""

    lines: Sequence[int]
    fields: dict[str, list[Any]]
    scores: dict[str, list[Any]]


class Log(ABC):
    """A reader of logs.

    Parameters
    ----------
    source, findings
        The file, and the findings to add to.

    Attributes
    ----------
    usual
        The scorers that rank the answers unless others are chosen; empty: all with numbers.
    without
        The part of a message between "it has no scores" and "write a line for each answer".
    """

    usual: tuple[str, ...] = ()
    without = ";"

    def __init__(self, source: Source, findings: Findings) -> None:
        self._source = source
        self._findings = findings

    @abstractmethod
    def candidates(self) -> Iterator[LogAnswer]:
        """Yield the answers, in file order."""

    def graded(self) -> Iterator[LogAnswer]:
        """Yield the answers as a system gave them, with all that says how each of them counts."""
        raise NotImplementedError

    def head(self) -> LogHead:
        """Return what the log says about itself, after its answers are read."""
        return LogHead()

    def in_bulk(self) -> list[LogColumns]:
        """Return all answers, if they are plain and all of their scores are numbers; else none."""
        return []

    def leave(self, parts: int) -> None:  # noqa: B027 - most logs have no parts
        """Leave all but the first parts of `in_bulk` to `candidates`."""


def literal(field: str) -> str:
    """Return a text as a number, or unchanged if it is not a number."""
    if re.fullmatch(NUMBER, field):
        return Number(field)
    is_number = field.lstrip("+-").casefold() in NO_NUMBERS
    return NotFinite(field) if is_number else field
