"""Judgements become labels; where they contradict each other, that is said and not resolved."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from ave_score import rules
from ave_score.building.candidates import Candidate
from ave_score.model import Label
from ave_score.policies import NOT_JUDGED, Answering, Meaning


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
