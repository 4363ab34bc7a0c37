"""Merge repeated and contained answers, and map judgements to labels.

Conflicting judgements are reported, not resolved.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from ave_score import rules
from ave_score.core.judgements import NOT_JUDGED, Answering, Meaning
from ave_score.core.model import JudgedAnswer, Label
from ave_score.core.text import NaturalKey, natural_key
from ave_score.files.judged import JudgedRows
from ave_score.tasks.build_words import normalised, words


class Candidate(NamedTuple):
    """A judged row that may become an answer, and its file.

    `text` is the supporting text: the row's own, or a passage of its document.
    """

    file: JudgedRows
    row: JudgedAnswer
    text: str


def candidates(files: Iterable[JudgedRows]) -> Iterator[Candidate]:
    """Yield every row of every file."""
    for file in files:
        for row in file.answers:
            yield Candidate(file, row, row.text)


def is_void(answer: str) -> bool:
    """Tell whether an answer is empty or only punctuation."""
    return not words(answer)


Groups = dict[str, list[Candidate]]
"""Normalised answer -> its rows."""


def repeated(rows: Iterable[Candidate]) -> Groups:
    """Group the rows of a question by normalised answer."""
    groups: Groups = {}
    for candidate in rows:
        groups.setdefault(normalised(candidate.row.answer), []).append(candidate)
    return groups


def without_contained(groups: Mapping[str, list[Candidate]]) -> Groups:
    """Remove answers whose words are a contiguous part of another answer."""
    shorter = contained(groups)
    return {normal: rows for normal, rows in groups.items() if normal not in shorter}


def representative(rows: Iterable[Candidate]) -> Candidate:
    """Return the row that represents all rows with the same answer.

    It is the least by content: rows with an id come first. File order and system do not matter.
    """
    return min(rows, key=_contents)


def _contents(candidate: Candidate) -> tuple[bool, NaturalKey, str, str, str]:
    row = candidate.row
    return not row.a_id, natural_key(row.a_id), row.answer, candidate.text, row.doc


def contained(answers: Iterable[str]) -> set[str]:
    """Return the answers whose words are a contiguous part of another answer.

    >>> sorted(contained(["2", "2004", "a b", "x a b", "b a"]))
    ['a b']

    Answers are searched from the longest. A contained answer is skipped: its parts are also parts
    of the containing answer.
    """
    distinct = {*answers}
    lengths = sorted({len(answer.split()) for answer in distinct})
    inner: set[str] = set()
    for answer in sorted(distinct, key=lambda answer: len(answer.split()), reverse=True):
        own = [] if answer in inner else answer.split()
        for length in lengths[: bisect_left(lengths, len(own))]:
            starts = range(len(own) - length + 1)
            inner |= distinct & {" ".join(own[start : start + length]) for start in starts}
    return inner


class Labelled(NamedTuple):
    """The label of an answer, the judged rows, and whether their judgements conflict."""

    label: Label
    rows: Sequence[Candidate]
    differ: bool = False


def label_of(rows: Sequence[Candidate], table: Mapping[str, Meaning]) -> Labelled:
    """Return the label of an answer, given all rows with this answer.

    Rows without a judgement of the answer (not judged, or unanswered) are ignored if others have
    one. Judgements with different labels give UNKNOWN, and a finding.
    """
    judged = [candidate for candidate in rows if _is_judged(candidate, table)]
    if not judged:
        return Labelled(Label.UNKNOWN, rows)
    by_label: dict[Label, list[Candidate]] = {}
    for candidate in judged:
        by_label.setdefault(table[candidate.row.judgement].label, []).append(candidate)
    if len(by_label) > 1:
        _note_difference(by_label)
        return Labelled(Label.UNKNOWN, judged, differ=True)
    return Labelled(*by_label.popitem())


def _is_judged(candidate: Candidate, table: Mapping[str, Meaning]) -> bool:
    meaning = table[candidate.row.judgement]
    return meaning != NOT_JUDGED and meaning.answering is not Answering.UNANSWERED


def _note_difference(by_label: Mapping[Label, Sequence[Candidate]]) -> None:
    """Report the first row that contradicts an earlier row."""
    first, other, *_ = by_label.values()
    before, here = first[0], other[0]
    path = "" if before.file is here.file else f"{before.file.table.source.path}, "
    here.file.table.findings.add(
        rules.JUDGEMENTS_DIFFER,
        here.row.line,
        q_id=here.row.q_id,
        found=here.row.answer,
        letter=here.row.judgement,
        other=before.row.judgement,
        before=f"in {path}line {before.row.line:,}",
    )
