"""Judged rows on their way into a collection: the same answers, contained ones, and labels.

Judgements become labels; where they contradict each other, that is reported and not resolved.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from ave_score import rules
from ave_score.building.words import normalised, words
from ave_score.files.judged import JudgedRows
from ave_score.judgements import NOT_JUDGED, Answering, Meaning
from ave_score.model import JudgedAnswer, Label

NaturalKey = list[tuple[int, int, str]]


class Candidate(NamedTuple):
    """A judged row that may become an answer, and the file that it stands in.

    `text` is the supporting text, the row's own or one found in its document.
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
    """Tell whether a system returned nothing, or punctuation only."""
    return not words(answer)


def natural_key(text: str) -> tuple[NaturalKey, str]:
    """Return a sort key by which 1_2 comes before 1_10."""
    parts: NaturalKey = []
    for part in re.split("([0-9]+)", text):
        number = part.lstrip("0") if part.isascii() and part.isdigit() else None
        parts.append((1, 0, part) if number is None else (0, len(number), number))
    return parts, text


Groups = dict[str, list[Candidate]]
"""Normalised answer -> the rows that give it."""


def repeated(rows: Iterable[Candidate]) -> Groups:
    """Put the rows of one question together that give the same answer."""
    groups: Groups = {}
    for one in rows:
        groups.setdefault(normalised(one.row.answer), []).append(one)
    return groups


def without_contained(groups: Mapping[str, list[Candidate]]) -> Groups:
    """Leave out answers whose words stand side by side, in their order, in another answer."""
    shorter = contained(groups)
    return {normal: rows for normal, rows in groups.items() if normal not in shorter}


def representative(rows: Iterable[Candidate]) -> Candidate:
    """Return the row that stands for others that give the same answer.

    It is the least by what it holds, an id first; neither its place in a file nor its system
    matters.
    """
    return min(rows, key=_contents)


def _contents(one: Candidate) -> tuple[bool, tuple[NaturalKey, str], str, str, str]:
    row = one.row
    return not row.a_id, natural_key(row.a_id), row.answer, one.text, row.doc


def contained(answers: Iterable[str]) -> set[str]:
    """Return the answers whose words are a contiguous part of the words of another one.

    >>> sorted(contained(["2", "2004", "a b", "x a b", "b a"]))
    ['a b']

    Answers are looked into from the longest on. One that is contained itself is passed over: what
    it contains is contained in the other, too.
    """
    different = {*answers}
    lengths = sorted({len(answer.split()) for answer in different})
    found: set[str] = set()
    for answer in sorted(different, key=lambda one: len(one.split()), reverse=True):
        own = [] if answer in found else answer.split()
        for length in lengths[: bisect_left(lengths, len(own))]:
            starts = range(len(own) - length + 1)
            found |= different & {" ".join(own[start : start + length]) for start in starts}
    return found


class Labelled(NamedTuple):
    """The label of an answer, the rows whose judgements give it, and whether these differ."""

    label: Label
    rows: Sequence[Candidate]
    differ: bool = False


def label_of(rows: Sequence[Candidate], table: Mapping[str, Meaning]) -> Labelled:
    """Return the label of the answer that all these rows give.

    Rows that say nothing of the answer (not judged, or left unanswered) do not count beside others.
    Judgements of several labels become UNKNOWN, and a finding.
    """
    saying = [one for one in rows if _says_something(one, table)]
    if not saying:
        return Labelled(Label.UNKNOWN, rows)
    by_label: dict[Label, list[Candidate]] = {}
    for one in saying:
        by_label.setdefault(table[one.row.judgement].label, []).append(one)
    if len(by_label) > 1:
        _note_difference(by_label)
        return Labelled(Label.UNKNOWN, saying, differ=True)
    return Labelled(*by_label.popitem())


def _says_something(one: Candidate, table: Mapping[str, Meaning]) -> bool:
    meaning = table[one.row.judgement]
    return meaning != NOT_JUDGED and meaning.answering is not Answering.UNANSWERED


def _note_difference(by_label: Mapping[Label, Sequence[Candidate]]) -> None:
    """Add a finding at the first row that contradicts one before it."""
    first, other, *_ = by_label.values()
    before, here = first[0], other[0]
    path = "" if before.file is here.file else f"{before.file.source.path}, "
    here.file.findings.add(
        rules.JUDGEMENTS_DIFFER,
        here.row.line,
        q_id=here.row.q_id,
        found=here.row.answer,
        letter=here.row.judgement,
        other=before.row.judgement,
        before=f"in {path}line {before.row.line:,}",
    )
