"""Answers in the logs of other programs, and which of a log's scorers say what.

A reader of a log yields `LogAnswer`s; nothing in a log is executed, fetched or used as a path.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib import import_module
from typing import Any, NamedTuple

from ave_score import rules
from ave_score.core.choice import Choice
from ave_score.core.findings import Findings
from ave_score.core.text import did_you_mean, nearest
from ave_score.files.decisions import NO_NUMBERS, NUMBER
from ave_score.files.json import NotFinite, Number, Path, described, text_of
from ave_score.files.log_entries import LogEntry, where
from ave_score.files.sniff import log_record
from ave_score.files.source import Source

LETTERS = {"C": "1", "P": "0.5", "I": "0", "N": "0"}
"""The letters of Inspect's scorers: correct, partly correct, incorrect, no answer; as numbers."""

SCORES = "scores."
_CORRECT = {"C": True, "I": False, "N": False, "P": None}


class LogValue(NamedTuple):
    """A JSON value, and where it is in its entry."""

    value: object
    path: Path


WITHOUT = "it has no scores"

SCORES_CHOSEN = "; --score-scorer NAME chooses one"
"""The end of a message about a table without a column of this name."""

"""The beginning of the message about a log without scores."""


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


def reader_of(source: Source, findings: Findings) -> Log | None:
    """Return the reader of a log of another program; None for any other file."""
    record = log_record(source)
    if record is None:
        return None
    module, _, name = record.reader.partition(".")
    log: Log = getattr(import_module(f"ave_score.files.{module}"), name)(source, findings)
    return log


class Roles(NamedTuple):
    """Who says what in a log; `unclear` is a question to the user, with the choices."""

    correct: str | None
    scores: list[str]
    filter: str
    unclear: str = ""

    @property
    def columns(self) -> list[str]:
        """The columns of the scores in a `LogTable`."""
        return [SCORES + name for name in self.scores]


def roles_of(candidates: Sequence[LogAnswer], choice: Choice, log: Log) -> Roles:
    """Return the roles of a log's scorers."""
    names = [*dict.fromkeys(name for answer in candidates for name in answer.scores)]
    filters = [*dict.fromkeys(answer.filter for answer in candidates)]
    graded = [
        name for name in names if _is_graded(answer.scores.get(name) for answer in candidates)
    ]
    known = any("correct" in answer.fields for answer in candidates)
    correct = choice.scorer or (graded[0] if len(graded) == 1 and not known else None)
    ranking = [name for name in names if name not in graded and name != correct]
    allowed = log.usual or _numbered(candidates) or names
    usual = [name for name in ranking if name in allowed]
    scores = [name for name in dict.fromkeys(choice.scores) if name in names] or usual
    named = [*filter(None, [choice.scorer]), *choice.scores]
    chosen = choice.filter or next(iter(filters), "")
    unclear = _unknown("scorer", named, names) or _unknown("filter", [chosen], filters)
    chosen = chosen if chosen in filters else next(iter(filters), "")
    if not unclear and len(filters) > 1 and choice.filter is None:
        listed = ", ".join(filters)
        unclear = (
            f"it has every answer once for each filter; choose one with --log filter=NAME: {listed}"
        )
    elif not unclear and not scores:
        unclear = _without_scores(names, log)
    elif not unclear and len(graded) > 1 and correct is None and not known:
        listed = ", ".join(graded)
        unclear = f"several scorers grade the answers; choose one with --log scorer=NAME: {listed}"
    return Roles(correct, scores, chosen, unclear)


def _without_scores(names: Sequence[str], log: Log) -> str:
    if not names:
        line = '{"q_id": ..., "answer": ..., "score": ...}'
        return f"{WITHOUT}{log.without} write a line for each answer: {line}"
    return (
        "it does not say which scorer ranks the answers; to rank by the grades or the metric of "
        f"a scorer, name it with --score-scorer: {', '.join(names)}"
    )


def _unknown(what: str, names: Iterable[str], known: Sequence[str]) -> str:
    """Return a message about the first name that a log does not have; "" if it has all."""
    name = next((name for name in names if known and name not in known), None)
    if name is None:
        return ""
    if [*known] == [""]:
        return f"no {what} {name!r}: it has no {what}s"
    return f"no {what} {name!r}, only {', '.join(known)}{did_you_mean(nearest(name, known))}"


def _numbered(candidates: Iterable[LogAnswer]) -> set[str]:
    """Return the scorers that give any answer a number; NaN and infinity are numbers, too."""
    return {
        name
        for candidate in candidates
        for name, scored in candidate.scores.items()
        if isinstance(scored.value, Number | NotFinite)
    }


def _is_graded(grades: Iterable[LogValue | None]) -> bool:
    """Tell whether a scorer gives letters, true or false."""
    values = [grade.value for grade in grades if grade is not None]
    return any(isinstance(value, bool) or _letter(value) for value in values)


def _letter(value: object) -> str:
    """Return a letter of Inspect's scorers, "" for any other value."""
    is_text = isinstance(value, str) and not isinstance(value, Number)
    return str(value) if is_text and value in LETTERS else ""


def _is_missing(value: object) -> bool:
    """Tell whether a value means that there is none: null, or NaN, which Inspect writes."""
    return value is None or (isinstance(value, NotFinite) and value == "NaN")


def correctness(candidate: LogAnswer, grade: LogValue) -> bool | None:
    """Return whether an answer is correct, None if that is not known; report other values."""
    value, letter = grade.value, _letter(grade.value)
    if letter == "P":
        candidate.entry.add(grade.path, rules.PARTLY_CORRECT, where=where(grade.path))
    if letter:
        return _CORRECT[letter]
    if isinstance(value, bool) or _is_missing(value):
        return value if isinstance(value, bool) else None
    if isinstance(value, Number) and float(value) in (0, 1):
        return float(value) == 1
    expected = "1, 0, true, false or a letter (C, I, P or N)"
    facts = {"found": described(value), "expected": expected}
    candidate.entry.add(grade.path, rules.CORRECT_UNKNOWN, **facts)
    return None


def literal(field: str) -> str:
    """Return a text as a number, or unchanged if it is not a number."""
    if re.fullmatch(NUMBER, field):
        return Number(field)
    is_number = field.lstrip("+-").casefold() in NO_NUMBERS
    return NotFinite(field) if is_number else field


def score(value: object) -> object:
    """Return the value of a scorer as a number, if it is one."""
    if isinstance(value, bool):
        return Number(int(value))
    return Number(LETTERS[_letter(value)]) if _letter(value) else value
