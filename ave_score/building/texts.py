"""Supporting texts for rows that name only a document."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple

from ave_score import rules
from ave_score.building.candidates import Candidate
from ave_score.building.extraction import MAX_PASSAGE, Passages
from ave_score.building.words import parts
from ave_score.files.documents import Documents, is_name
from ave_score.files.questions import Question
from ave_score.rules import Rule


class Extraction(NamedTuple):
    """Where texts are taken from, and what decides which.

    Attributes
    ----------
    documents
        The folder.
    stop_words
        Returns words of a question that do not count.
    most
        Characters up to which sentences are added.
    """

    documents: Documents
    stop_words: Callable[[Question], frozenset[str]]
    most: int = MAX_PASSAGE


class Extracted(NamedTuple):
    """Rows with a text.

    `without_document` and `not_found` count the rows left out because there is no such document, or
    because it does not hold the answer.
    """

    rows: list[Candidate]
    without_document: int = 0
    not_found: int = 0


def extract(
    rows: Iterable[Candidate], questions: Mapping[str, Question], extraction: Extraction
) -> Extracted:
    """Give every row without a text the passage of its document that holds the answer.

    `questions` are q_id -> question, whose words a passage should have. What is wrong with a
    document is added to the findings of the row's file, once for each.
    """
    given: list[Candidate] = []
    by_document: dict[str, list[Candidate]] = {}
    for one in rows:
        if one.text:
            given.append(one)
        else:
            by_document.setdefault(one.row.doc, []).append(one)
    missing = nowhere = 0
    for doc, wanting in by_document.items():
        text = _text(doc, wanting, extraction.documents)
        if text is None:
            missing += len(wanting)
        else:
            found = list(_with_passages(wanting, Passages(text), questions, extraction))
            nowhere += len(wanting) - len(found)
            given += found
    return Extracted(given, missing, nowhere)


def _text(doc: str, rows: Iterable[Candidate], documents: Documents) -> str | None:
    """Return the text of a document; None where a finding says why there is none."""
    if not is_name(doc):
        _note(rules.DOCUMENT_UNUSABLE, doc, rows)
        return None
    text = documents.text(doc)
    if text is None:
        _note(rules.DOCUMENT_MISSING, doc, rows)
    return text


def _note(rule: Rule, doc: str, rows: Iterable[Candidate]) -> None:
    """Add a finding about a document at its first row in each file."""
    noted: set[int] = set()
    for one in rows:
        if id(one.file) not in noted:
            noted.add(id(one.file))
            one.file.findings.add(rule, one.row.line, found=doc)


def _with_passages(
    rows: Iterable[Candidate],
    passages: Passages,
    questions: Mapping[str, Question],
    extraction: Extraction,
) -> Iterator[Candidate]:
    """Yield the rows whose answer the document holds, with its passage as their text."""
    for one in rows:
        question = questions[one.row.q_id]
        wanted = frozenset(parts(question.text)) - extraction.stop_words(question)
        passage = passages.passage(one.row.answer, wanted, extraction.most)
        if passage is not None:
            yield one._replace(text=passage)
