"""Answers in the logs of other programs, and which of a log's scorers say what.

A reader of a log yields `Candidate`s; nothing in a log is executed, fetched or used as a path.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, Protocol

from ave_score import rules
from ave_score.errors import UsageError
from ave_score.files.json_lines import Members, NotFinite, Number, described
from ave_score.files.json_walk import JsonText, Path
from ave_score.files.source import Source
from ave_score.files.table import Layout, Row, Table
from ave_score.findings import Findings
from ave_score.rules import Rule, Safety
from ave_score.text import did_you_mean, nearest

LETTERS = {"C": "1", "P": "0.5", "I": "0", "N": "0"}
"""The letters of Inspect's scorers: correct, partly correct, incorrect, no answer; as numbers."""

_SCORES = "scores."
_CORRECT = {"C": True, "I": False, "N": False, "P": None}


class Choice(NamedTuple):
    """What is chosen of a log that has several scorers or filters.

    Attributes
    ----------
    correct
        The scorer that says whether an answer is correct; None: the only one with letters.
    scores
        The scorers whose numbers rank the answers; empty: every other one.
    filter
        The filter of lm-evaluation-harness; None: the only one.
    """

    correct: str | None = None
    scores: tuple[str, ...] = ()
    filter: str | None = None


EVERYTHING = Choice()
"""Nothing is chosen: every scorer with numbers is used."""


class Given(NamedTuple):
    """A JSON value, and where it is in its entry."""

    value: object
    path: Path


class Entry:
    """A JSON object of a log: a sample, or a question with its answers."""

    def __init__(
        self, findings: Findings, text: JsonText, start: int, value: object, number: int
    ) -> None:
        self.number = number
        self.value = value
        self._findings = findings
        self._text = text
        self._start = start

    def add(self, path: Path, rule: Rule, fix: Safety | None = None, /, **facts: object) -> None:
        """Add a finding about a value."""
        number, columns, line = self._text.located(self._start, path)
        self._findings.add(rule, number, columns, line, fix, **facts)

    def refuse(self, path: Path, value: object, expected: str) -> None:
        """Report a value that is not as expected."""
        facts = {"where": where(path), "found": described(value), "expected": expected}
        self.add(path, rules.LOG_UNUSABLE, **facts)

    def missing(self, path: Path, expected: str) -> None:
        """Report a value that is missing."""
        facts = {"where": where(path), "found": "missing", "expected": expected}
        self.add(path, rules.LOG_UNUSABLE, **facts)

    def fields(self, value: object, path: Path = ()) -> dict[str, object]:
        """Return the values of an object by key; report another value, and keys given twice."""
        if not isinstance(value, Members):
            self.refuse(path, value, "an object")
            return {}
        found: dict[str, object] = {}
        for key, inner in value:
            if key in found:
                facts = {"field": where((*path, key)), "first": key, "again": key}
                self.add((*path, key), rules.KEY_REPEATED, **facts)
            found[key] = inner
        return found

    def items(self, value: object, path: Path, expected: str) -> list[object]:
        """Return the items of a list; report any other value."""
        if isinstance(value, list) and not isinstance(value, Members):
            return value
        self.refuse(path, value, expected)
        return []


class Candidate(NamedTuple):
    """An answer in a log.

    Attributes
    ----------
    entry
        The object that it is part of.
    fields
        What is known: q_id, a_id, number (among the answers to its question), question, answer and
        correct.
    scores
        The values of the scorers by name.
    filter
        The filter that the scores belong to.
    failed
        Why there are no scores, as the log says.
    """

    entry: Entry
    fields: dict[str, Given]
    scores: dict[str, Given]
    filter: str = ""
    failed: str = ""


class Log(Protocol):
    """A reader of logs.

    Attributes
    ----------
    usual
        The scorers that rank the answers unless others are chosen; empty: all with numbers.
    """

    usual: tuple[str, ...]

    def candidates(self) -> Iterator[Candidate]:
        """Yield the answers, in file order."""


class Roles(NamedTuple):
    """Who says what in a log; `unclear` is a question to the user, with the choices."""

    correct: str | None
    scores: list[str]
    filter: str
    unclear: str = ""

    @property
    def columns(self) -> list[str]:
        """The columns of the scores in a `LogTable`."""
        return [_SCORES + name for name in self.scores]


def where(path: Path) -> str:
    """Return a path in words: `samples[3].score`."""
    steps = (f"[{step}]" if isinstance(step, int) else f".{step}" for step in path)
    return "".join(steps).removeprefix(".") or "the line"


def roles_of(candidates: Sequence[Candidate], choice: Choice, usual: tuple[str, ...]) -> Roles:
    """Return the roles of a log's scorers.

    Raises
    ------
    UsageError
        A scorer or filter that was chosen does not exist.
    """
    names = [*dict.fromkeys(name for found in candidates for name in found.scores)]
    filters = [*dict.fromkeys(found.filter for found in candidates)]
    _check_known("scorer", [*filter(None, [choice.correct]), *choice.scores], names)
    _check_known("filter", [*filter(None, [choice.filter])], filters)
    graded = [name for name in names if _is_graded(found.scores.get(name) for found in candidates)]
    correct, unclear = choice.correct, ""
    if correct is None and graded and not any("correct" in found.fields for found in candidates):
        if len(graded) == 1:
            correct = graded[0]
        else:
            unclear = (
                f"{len(graded)} scorers say whether an answer is correct; "
                f"choose one with --correct-scorer: {', '.join(graded)}"
            )
    scores = [name for name in names if name not in graded and name != correct]
    scores = [*choice.scores] or [name for name in scores if name in (usual or names)]
    if not scores:
        unclear = _without_scores(names)
    if len(filters) > 1 and choice.filter is None:
        unclear = f"each answer is there for {len(filters)} filters; choose one with --filter: "
        unclear += ", ".join(filters)
    return Roles(correct, scores, choice.filter or next(iter(filters), ""), unclear)


def _without_scores(names: Sequence[str]) -> str:
    if not names:
        return "it has no scores of single answers; write a line for each answer: " + (
            '{"q_id": ..., "score": ...}'
        )
    return (
        "no scorer gives numbers to rank answers by; to rank by what says whether they are "
        f"correct, name it with --score-scorer: {', '.join(names)}"
    )


def _check_known(what: str, asked: Iterable[str], known: Sequence[str]) -> None:
    for name in asked:
        if name not in known:
            only = f", only {', '.join(known)}" if known else ""
            raise UsageError(f"no {what} {name!r}{only}{did_you_mean(nearest(name, known))}")


def _is_graded(found: Iterable[Given | None]) -> bool:
    """Tell whether a scorer only gives letters, true and false, apart from missing values."""
    values = [given.value for given in found if given is not None]
    grades = [value for value in values if not _is_missing(value)]
    return bool(grades) and all(isinstance(value, bool) or _letter(value) for value in grades)


def _letter(value: object) -> str:
    """Return a letter of Inspect's scorers, "" for any other value."""
    is_text = isinstance(value, str) and not isinstance(value, Number)
    return str(value) if is_text and value in LETTERS else ""


def _is_missing(value: object) -> bool:
    """Tell whether a value means that there is none: null, or NaN, which Inspect writes."""
    return value is None or (isinstance(value, NotFinite) and value == "NaN")


def correctness(candidate: Candidate, given: Given) -> bool | None:
    """Return whether an answer is correct, None if that is not known; report other values."""
    value, letter = given.value, _letter(given.value)
    if letter == "P":
        candidate.entry.add(given.path, rules.PARTLY_CORRECT, where=where(given.path))
    if letter:
        return _CORRECT[letter]
    if isinstance(value, bool) or _is_missing(value):
        return value if isinstance(value, bool) else None
    if isinstance(value, Number) and float(value) in (0, 1):
        return float(value) == 1
    expected = "1, 0, true, false or a letter (C, I, P or N)"
    facts = {"found": described(value), "expected": expected}
    candidate.entry.add(given.path, rules.CORRECT_UNKNOWN, **facts)
    return None


def score(value: object) -> object:
    """Return the value of a scorer as a number, if it is one."""
    if isinstance(value, bool):
        return Number(int(value))
    return Number(LETTERS[_letter(value)]) if _letter(value) else value


class LogRow(Row):
    """An answer in a log, as a row of a table."""

    candidate: Candidate

    def add(self, name: str, rule: Rule, fix: Safety | None = None, /, **facts: object) -> None:
        """Add a finding about a field."""
        candidate, scorer = self.candidate, name.removeprefix(_SCORES)
        given = candidate.fields.get(name) or candidate.scores.get(scorer)
        self.candidate.entry.add(given.path if given else (), rule, fix, **facts)


class LogTable(Table):
    """The answers in a log as the rows of a table, with a score of each verifier.

    Attributes
    ----------
    roles
        Who says what; the scores of verifiers are columns by these names.
    """

    def __init__(self, log: Log, source: Source, findings: Findings, choice: Choice) -> None:
        super().__init__(source, findings, Layout("a log", (), ()))
        self.is_typed = True
        self._candidates = [*log.candidates()]
        self.roles = roles_of(self._candidates, choice, log.usual)

    def records(self) -> Iterator[Row]:
        """Yield the answers that the chosen filter has."""
        for candidate in self._candidates:
            if candidate.filter == self.roles.filter:
                yield self._row(candidate)

    def locate(self, named: Mapping[Rule, str]) -> None:
        """Leave findings about answers as they are: their lines may have several answers."""

    def _row(self, candidate: Candidate) -> Row:
        fields, scores, roles = candidate.fields, candidate.scores, self.roles
        value = {name: given.value for name, given in fields.items()}
        if roles.correct is not None:
            value["correct"] = None
            if roles.correct in scores:
                value["correct"] = correctness(candidate, scores[roles.correct])
        if roles.scores and not scores:
            facts = {"failed": candidate.failed}
            candidate.entry.add(("scores",), rules.ANSWER_UNSCORED, **facts)
        for name in roles.scores if scores else ():
            if name in scores:
                value[_SCORES + name] = score(scores[name].value)
            else:
                candidate.entry.missing(("scores", name), "a number")
        row = LogRow(candidate.entry.number, "", value, self)
        row.candidate = candidate
        return row
