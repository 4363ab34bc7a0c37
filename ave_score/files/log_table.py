"""The answers in a log as the rows of a table."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from ave_score import rules
from ave_score.core.choice import Choice
from ave_score.core.findings import Findings
from ave_score.files.json import JsonText
from ave_score.files.layout import Layout
from ave_score.files.log import Log, LogAnswer, LogValue
from ave_score.files.log_entries import LogEntry
from ave_score.files.log_roles import correctness, roles_of, score
from ave_score.files.source import Source
from ave_score.files.table import Columns, Result, Table
from ave_score.files.table_row import TableRow
from ave_score.rules import Rule, Safety

_SCORES = "scores."
"""What the columns of scores begin with."""


class LogRow(TableRow):
    """An answer in a log, as a row of a table."""

    candidate: LogAnswer

    def add(self, name: str, rule: Rule, fix: Safety | None = None, /, **facts: object) -> None:
        """Add a finding about a field."""
        candidate, scorer = self.candidate, name.removeprefix(_SCORES)
        field = candidate.fields.get(name) or candidate.scores.get(scorer)
        candidate.entry.add(field.path if field else candidate.path, rule, fix, **facts)


class LogTable(Table):
    """The answers in a log as the rows of a table, with a score of each verifier.

    Attributes
    ----------
    roles
        Who says what.
    score_columns
        The columns of the scores of verifiers.
    log
        The reader of the answers.
    """

    def __init__(self, log: Log, source: Source, findings: Findings, choice: Choice) -> None:
        super().__init__(source, findings, Layout("a log", (), ()))
        self.is_typed = True
        self.log = log
        self._parts = log.in_bulk() if choice.scorer is None else []
        self._candidates = [] if self._parts else [*log.candidates()]
        firsts = [
            LogAnswer(
                LogEntry(findings, JsonText(""), 0, 0),
                {name: LogValue(column[0], ()) for name, column in part.fields.items()},
                {name: LogValue(column[0], ()) for name, column in part.scores.items()},
            )
            for part in self._parts
        ]
        self.roles = roles_of(firsts or self._candidates, choice, log)
        self.score_columns = [_SCORES + name for name in self.roles.scores]
        self._choose_keys()

    def in_bulk(
        self,
        take: Callable[[Any, Columns], Result | None],
        names: Sequence[str] = (),  # noqa: ARG002
    ) -> Iterator[Result]:
        """Yield what a function returns for the columns of plain answers, as a `Table` does."""
        for number, part in enumerate(self._parts):
            scores = {_SCORES + name: column for name, column in part.scores.items()}
            taken = take(part.lines, part.fields | scores)
            if taken is None:
                self.log.leave(number)
                self._candidates = [*self.log.candidates()]
                return
            yield taken

    def records(self) -> Iterator[TableRow]:
        """Yield the answers that the chosen filter has."""
        for candidate in self._candidates:
            if candidate.filter == self.roles.filter:
                yield self._row(candidate)

    def locate(self, named: Mapping[Rule, str]) -> None:
        """Leave findings about answers as they are: their lines may have several answers."""

    def _choose_keys(self) -> None:
        """Take the keys of the scorer that says what is correct, or else of the first with any."""
        known = dict.fromkeys(name for candidate in self._candidates for name in candidate.keys)
        correct = self.roles.correct or ""
        chosen = correct if correct in known else next(iter(known), "")
        for candidate in self._candidates:
            if chosen in candidate.keys:
                candidate.fields["answer_key"] = candidate.keys[chosen]

    def _row(self, candidate: LogAnswer) -> TableRow:
        fields, scores, roles = candidate.fields, candidate.scores, self.roles
        value = {name: field.value for name, field in fields.items()}
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
                candidate.entry.missing((*candidate.path, "scores", name), "a number")
        row = LogRow(candidate.entry.number, "", value, self)
        row.candidate = candidate
        return row
