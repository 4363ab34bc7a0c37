"""Qrels: the judged documents of topics, as a collection.

They have lines `topic iter doc grade`: a document with a grade of at least 1 is correct. `iter` is
not used, as in trec_eval.
"""

from __future__ import annotations

import re

from ave_score import rules
from ave_score.core.errors import for_one_file
from ave_score.core.findings import Findings
from ave_score.core.kinds import FileKind
from ave_score.core.labels import GRADE_DIGITS, Labels
from ave_score.core.model import AnswerIndex, Collection, Label
from ave_score.core.standards import QRELS
from ave_score.core.text import MAX_ID, is_usable_id
from ave_score.files.contents import Checking, contents_of
from ave_score.files.lines import LineReader
from ave_score.files.sniff import begins_as_table
from ave_score.files.source import Source
from ave_score.files.trec import documents_of, locate_fields

_GRADE = re.compile(rf"[+-]?[0-9]{{1,{GRADE_DIGITS}}}")


def read_qrels(source: Source, findings: Findings, wanted: Labels) -> Collection | None:
    """Read qrels as a collection; None, with findings, if nothing can be scored against them.

    The answers to a topic are the documents that were judged.
    """
    if wanted is not Labels.IGNORED:
        source.expect_hash()
    documents = documents_of(source, findings, FileKind.QRELS, _grade, rules.GRADE_UNUSABLE)
    locate_fields(source, findings)
    if not documents:
        return None
    index = AnswerIndex.of(documents)
    if wanted is Labels.IGNORED:
        return Collection(source.path, "", index, bytes([Label.NONE]) * len(index), declared=QRELS)
    topics = documents.values()
    grades = [max(0, int(grade)) for of_topic in topics for grade, *_ in of_topic.values()]
    del documents, topics  # before as much is needed for the grades
    labels = bytes(Label.VALIDATED if grade else Label.REJECTED for grade in grades)
    graded = dict(enumerate(grades))
    return Collection(source.path, source.sha256(), index, labels, grades=graded, declared=QRELS)


def _grade(word: str) -> int | None:
    return int(word) if _GRADE.fullmatch(word) else None


@for_one_file
def check_qrels(source: Source) -> tuple[Collection | None, list[Findings]]:
    """Read a file as qrels, whatever it looks like."""
    findings = Findings(source.path)
    collection = read_qrels(source, findings, Labels.NEEDED)
    return (None if findings.errors else collection), [findings]


def unusable_ids(source: Source) -> Findings:
    """Return findings about topics and documents that no answer of a collection may be named."""
    findings = Findings(source.path)
    if begins_as_table(source):  # which its reader has checked
        return findings
    for block in LineReader(source, Findings(source.path), "").blocks():
        for line, _, row in block.rows():
            for word in row[0], row[2]:
                if len(word) > MAX_ID or not is_usable_id(word):
                    findings.add(rules.ID_UNUSABLE, line, found=word)
    return findings


def examine(source: Source, _: Collection | None, *__: object) -> Checking:
    """Check qrels."""
    return check_qrels(source)


contents = contents_of
