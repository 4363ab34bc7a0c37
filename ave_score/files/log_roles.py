"""Who reads a log of another program, and which of its scorers say what."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from importlib import import_module
from typing import NamedTuple

from ave_score import rules
from ave_score.core.choice import Choice
from ave_score.core.findings import Findings
from ave_score.core.text import did_you_mean, nearest
from ave_score.files.json import NotFinite, Number, described
from ave_score.files.log import Log, LogAnswer, LogValue
from ave_score.files.log_entries import where
from ave_score.files.sniff import log_record
from ave_score.files.source import Source

LETTERS = {"C": "1", "P": "0.5", "I": "0", "N": "0"}
"""The letters of Inspect's scorers: correct, partly correct, incorrect, no answer; as numbers."""

WITHOUT = "it has no scores"
"""The beginning of the message about a log without scores."""

_CORRECT = {"C": True, "I": False, "N": False, "P": None}


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
        f"a scorer, name it with --log score=NAME: {', '.join(names)}"
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


def score(value: object) -> object:
    """Return the value of a scorer as a number, if it is one."""
    if isinstance(value, bool):
        return Number(int(value))
    return Number(LETTERS[_letter(value)]) if _letter(value) else value
