"""Answers nested in JSON Lines: a line for a question, or several scores for an answer.

{"q_id": 1, "samples": [{"text": "4", "score": 0.9, "correct": true}, ...]}
{"q_id": 1, "answers": ["4", "5"], "scores": [0.9, 0.4], "correct": [true, false]}
{"q_id": 1, "a_id": "a", "answer": "4", "scores": {"prm": 0.9, "orm": 0.7}}
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, repeat
from typing import Any, TypeAlias

from ave_score import rules
from ave_score.core.findings import Findings
from ave_score.core.text import near_or_all, quantity
from ave_score.files.json import Members, Number, Path
from ave_score.files.json_lines import alike_members, alike_objects
from ave_score.files.lines import Block
from ave_score.files.log import SCORES_CHOSEN, Log, LogAnswer, LogColumns, LogValue
from ave_score.files.log_entries import LogEntry, blocks_of, entries, where
from ave_score.files.source import Source

EXPECTED = "the scores of a verifier (JSON Lines, a table, or lines q_id a_id score)"

SCORE = "score"
"""The name of the verifier if a score has none."""

_KEYS: dict[str, tuple[str, ...]] = {
    "q_id": ("q_id", "question_id"),
    "a_id": ("a_id", "answer_id"),
    "question": ("question",),
    "answer": ("answer", "text"),
    "correct": ("correct",),
    "answer_key": ("answer_key",),
    "score": ("score",),
}
_OF_QUESTION = ("q_id", "question")
_OF_ANSWER = ("a_id", "answer", "correct", "answer_key")
_LISTS = {"answer": "answers", "a_id": "a_ids", "correct": "correct", "answer_key": "answer_keys"}

_Columns: TypeAlias = dict[str, list[Any]]


class SamplesLog(Log):
    """Reads answers that are nested in lines."""

    def __init__(self, source: Source, findings: Findings) -> None:
        super().__init__(source, findings)
        self._own = source.naming.names
        self._blocks: Iterable[Block] | None = blocks_of(source, findings, EXPECTED)
        self._held: list[Block] = []

    def in_bulk(self) -> list[LogColumns]:
        """Return all answers, if they are plain and all of their scores are numbers; else none."""
        parts: list[LogColumns] = []
        for block in self._blocks or ():
            self._held.append(block)
            try:
                parts.append(self._plain(block))
            except _NotPlainError:
                self._blocks = chain(self._held, self._blocks or ())
                return []
        return parts

    def leave(self, parts: int) -> None:
        """Leave all but the first parts of `in_bulk` to `candidates`."""
        self._blocks = self._held[parts:]

    def candidates(self) -> Iterator[LogAnswer]:
        """Yield the answers of each line."""
        for entry, fields in entries(self._source, self._findings, EXPECTED, self._blocks):
            common = self._fields(entry, fields, (), _OF_QUESTION)
            if "q_id" not in common:
                key = self._own.get("q_id", "q_id")
                hint = near_or_all(key, [*fields], self._own.values())
                entry.add((), rules.KEY_MISSING, key=key, where="in the object", hint=hint)
            elif "samples" in fields:
                yield from self._samples(entry, fields["samples"], common)
            elif _is_parallel(fields.get("scores")):
                yield from self._parallel(entry, fields, common)
            else:
                yield from self._answer(entry, fields, (), common)

    def _samples(
        self, entry: LogEntry, samples: object, common: dict[str, LogValue]
    ) -> Iterator[LogAnswer]:
        path: Path = ("samples",)
        for number, sample in enumerate(entry.items(samples, path, "a list of samples")):
            here = (*path, number)
            fields = entry.fields(sample, here)
            if fields:
                yield from self._answer(entry, fields, here, common)

    def _answer(
        self, entry: LogEntry, fields: dict[str, object], path: Path, common: dict[str, LogValue]
    ) -> Iterator[LogAnswer]:
        """Yield an answer if it has a score; report it otherwise."""
        scores = self._scores(entry, fields, path)
        if scores:
            known = common | self._fields(entry, fields, path, _OF_ANSWER)
            yield LogAnswer(entry, known, scores, path=path)
            return
        key = self._own.get(SCORE, SCORE)
        hint = near_or_all(key, [*fields], self._own.values(), SCORES_CHOSEN)
        entry.add(path, rules.KEY_MISSING, key=key, where="in the object", hint=hint)

    def _parallel(
        self, entry: LogEntry, fields: dict[str, object], common: dict[str, LogValue]
    ) -> Iterator[LogAnswer]:
        """Yield the answers of lists of equal length, one list for each field."""
        scores = _columns(entry, fields["scores"])
        own = [(field, key) for field, key in _LISTS.items() if key in fields]
        others = {field: LogValue(fields[key], (key,)) for field, key in own}
        columns = [*scores.values(), *others.values()]
        lists = {
            column.path: entry.items(column.value, column.path, "a list of values")
            for column in columns
        }
        if not all(lists.values()):
            return
        size = len(next(iter(lists.values()), []))
        for path, items in lists.items():
            if len(items) != size:
                first = where(next(iter(lists)))
                entry.refuse(path, items, f"a list of {quantity(size, 'value')}, like {first}")
                return
        for number in range(size):

            def value(column: LogValue, number: int = number) -> LogValue:
                return LogValue(lists[column.path][number], (*column.path, number))

            known = {field: value(column) for field, column in others.items()}
            scored = {name: value(column) for name, column in scores.items()}
            yield LogAnswer(entry, common | known, scored)

    def _fields(
        self, entry: LogEntry, fields: dict[str, object], path: Path, wanted: tuple[str, ...]
    ) -> dict[str, LogValue]:
        """Return the wanted fields that an object has; report two names of the same field."""
        known: dict[str, LogValue] = {}
        for field in wanted:
            for key in self._keys(fields, field):
                if field in known:
                    facts = {"field": field, "first": known[field].path[-1], "again": key}
                    entry.add((*path, key), rules.KEY_REPEATED, **facts)
                known[field] = LogValue(fields[key], (*path, key))
        return known

    def _keys(self, fields: Iterable[str], field: str) -> list[str]:
        """Return the names of a field that an object has."""
        own = self._own.get(field, "")
        return [key for key in ((own,) if own in fields else _KEYS[field]) if key in fields]

    def _scores(
        self, entry: LogEntry, fields: dict[str, object], path: Path
    ) -> dict[str, LogValue]:
        """Return the scores of an answer by verifier."""
        scores = self._fields(entry, fields, path, (SCORE,))
        if "scores" in fields:
            here = (*path, "scores")
            for name, value in entry.fields(fields["scores"], here).items():
                scores[name] = LogValue(value, (*here, name))
        return scores

    # --- columns ----------------------------------------------------------------------------------

    def _plain(self, block: Block) -> LogColumns:
        """Return the answers of lines; raises `_NotPlainError` if any may have a finding."""
        if block.bad:
            raise _NotPlainError
        rows = _columns_of_alike(*alike_objects(block.text))
        lines = range(block.first, block.first + block.text.count("\n"))
        common = self._chosen(rows, _OF_QUESTION)
        sizes = [1] * len(lines)
        if "samples" in rows:
            (samples,), sizes = _joined([rows["samples"]])
            answers = _columns_of_alike(*alike_members(samples))
            fields, scores = self._chosen(answers, _OF_ANSWER), self._scored(answers)
        elif "scores" in rows and _is_parallel(rows["scores"][0]):
            by_name = {SCORE: rows["scores"]}
            if isinstance(rows["scores"][0], Members):
                by_name = _columns_of_alike(*alike_members(rows["scores"]))
            others = {field: rows[key] for field, key in _LISTS.items() if key in rows}
            columns, sizes = _joined([*by_name.values(), *others.values()])
            scores = dict(zip(by_name, columns, strict=False))
            fields = dict(zip(others, columns[len(scores) :], strict=True))
        else:
            fields, scores = self._chosen(rows, _OF_ANSWER), self._scored(rows)
        if "q_id" not in common or any(
            {*map(type, score)} != {Number} for score in scores.values()
        ):
            raise _NotPlainError
        for field, column in common.items():
            fields[field] = _repeated(column, sizes)
        return LogColumns(_repeated(lines, sizes), fields, scores)

    def _chosen(self, columns: _Columns, wanted: tuple[str, ...]) -> _Columns:
        """Return the wanted columns that there are."""
        own = [(field, key) for field in wanted for key in self._keys(columns, field)]
        if len(dict(own)) < len(own):
            raise _NotPlainError
        return {field: columns[key] for field, key in own}

    def _scored(self, columns: _Columns) -> _Columns:
        """Return the scores by verifier."""
        scores = self._chosen(columns, (SCORE,))
        if "scores" in columns:
            scores |= _columns_of_alike(*alike_members(columns["scores"]))
        if not scores:
            raise _NotPlainError
        return scores


class _NotPlainError(Exception):
    """Answers have to be read one by one."""


def _columns_of_alike(keys: tuple[str, ...], values: list[object]) -> _Columns:
    columns = {key: values[at :: len(keys)] for at, key in enumerate(keys)}
    if not columns or len(columns) < len(keys):
        raise _NotPlainError
    return columns


def _joined(columns: Sequence[list[Any]]) -> tuple[list[list[Any]], list[int]]:
    """Return the values in columns of lists, and the sizes of the lists, the same in all."""
    if any({*map(type, column)} != {list} for column in columns):
        raise _NotPlainError
    sizes, *others = ([*map(len, column)] for column in columns)
    if not all(sizes) or any(other != sizes for other in others):
        raise _NotPlainError
    return [[*chain.from_iterable(column)] for column in columns], sizes


def _repeated(values: Iterable[Any], times: Sequence[int]) -> list[Any]:
    return [*chain.from_iterable(map(repeat, values, times))]


def _is_parallel(scores: object) -> bool:
    """Tell whether scores are a list, or lists by verifier."""
    if isinstance(scores, Members):
        return any(isinstance(inner, list) for _, inner in scores)
    return isinstance(scores, list)


def _columns(entry: LogEntry, scores: object) -> dict[str, LogValue]:
    """Return the list of scores of each verifier."""
    path: Path = ("scores",)
    if not isinstance(scores, Members):
        return {SCORE: LogValue(scores, path)}
    named = entry.fields(scores, path)
    return {name: LogValue(value, (*path, name)) for name, value in named.items()}
