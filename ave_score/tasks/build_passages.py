"""Extract supporting texts from documents, for rows without a text (thesis 3.2.2).

Among the sentences that contain the answer, the first with the most words of the question is
chosen, stop words excluded. The following sentences are added up to a maximum length.
"""

from __future__ import annotations

import re
import tomllib
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Set
from functools import cache
from importlib.resources import files
from itertools import accumulate
from typing import NamedTuple

from ave_score import rules
from ave_score.core.errors import UsageError
from ave_score.files.documents import Documents, is_name
from ave_score.files.questions import Question
from ave_score.rules import Rule
from ave_score.tasks.build_candidates import Candidate
from ave_score.tasks.build_words import parts


@cache
def stop_words() -> Mapping[str, frozenset[str]]:
    """Return language -> stop words, from stop_words.toml."""
    text = files("ave_score.tasks").joinpath("stop_words.toml").read_text("utf-8")
    return {
        language: frozenset(word for item in listed.split() for word in parts(item))
        for language, listed in tomllib.loads(text).items()
    }


def stop_words_for(question: Question) -> frozenset[str]:
    """Return the stop words of a question's language, none of a language without a list.

    Raises `UsageError` if the question has no language.
    """
    if not question.lang:
        raise UsageError(
            f"the language of question {question.q_id!r} is unknown: set it with --lang or in a "
            "column lang of the questions"
        )
    language = question.lang.casefold().replace("_", "-").partition("-")[0]
    return stop_words().get(language, frozenset())


MAX_PASSAGE = 500
"""Maximum length in characters of a passage of several sentences."""

_PARAGRAPH = re.compile(r"\n\s*\n")
_END = re.compile(r"(?<![.!?…])[.!?…]++[\"'»”’)\]]*+\s+")
_INITIAL = re.compile(r"(?<!\w)\w\.\s+\Z")


def sentences(text: str) -> Iterator[str]:
    """Yield the sentences of a text, each as one line.

    A sentence ends at the end of its paragraph, or at an end mark and a space that no lower-case
    letter follows. The period of an initial (J. Smith) does not end a sentence.
    """
    for paragraph in _PARAGRAPH.split(text):
        start = 0
        for end in _END.finditer(paragraph):
            stop = end.end()
            initial = _INITIAL.search(paragraph, max(start, end.start() - 2), stop)
            is_initial = initial is not None and initial[0][0].isupper()
            if not is_initial and not paragraph[stop : stop + 1].islower():
                yield from _in_one_line(paragraph[start:stop])
                start = stop
        yield from _in_one_line(paragraph[start:])


def _in_one_line(sentence: str) -> Iterator[str]:
    line = " ".join(sentence.split())
    if line:
        yield line


class Passages:
    """The passages of a document."""

    def __init__(self, text: str) -> None:
        self._sentences = list(sentences(text))
        tokens = [parts(sentence) for sentence in self._sentences]
        self._words = [frozenset(words) for words in tokens]
        pieces = ["".join(f"{word} " for word in words) for words in tokens]
        self._text = " " + "".join(pieces)
        self._starts = list(accumulate(map(len, pieces), initial=1))[:-1]

    def passage(self, answer: str, wanted: Set[str], most: int = MAX_PASSAGE) -> str | None:
        """Return the passage that contains an answer; None if the document does not contain it.

        Parameters
        ----------
        wanted
            The words of the question, without stop words.
        most
            The maximum length in characters; the first sentence may be longer.
        """
        spans = list(dict.fromkeys(self._spans(answer)))
        if not spans:
            return None
        first, last = max(spans, key=lambda span: self._shared(span, wanted))
        passage = " ".join(self._sentences[first : last + 1])
        for following in self._sentences[last + 1 :]:
            if len(passage) + 1 + len(following) > most:
                break
            passage += f" {following}"
        return passage

    def _spans(self, answer: str) -> Iterator[tuple[int, int]]:
        """Yield the first and last sentence of each occurrence of the answer."""
        sought = " ".join(["", *parts(answer), ""])
        if not sought.strip():
            return
        at = self._text.find(sought)
        while at >= 0:
            last = at + len(sought) - 2  # the last letter of the last word
            yield bisect_right(self._starts, at + 1) - 1, bisect_right(self._starts, last) - 1
            at = self._text.find(sought, at + 1)

    def _shared(self, span: tuple[int, int], wanted: Set[str]) -> int:
        first, last = span
        return len(wanted & frozenset().union(*self._words[first : last + 1]))


class Extraction(NamedTuple):
    """The documents, and the maximum length of a passage."""

    documents: Documents
    most: int = MAX_PASSAGE


def extract(
    rows: Iterable[Candidate], questions: Mapping[str, Question], extraction: Extraction
) -> tuple[list[Candidate], int, int]:
    """Add to each row without a text the passage of its document that contains the answer.

    `questions` are q_id -> question. Problems of a document are reported once per judged file.

    Returns
    -------
    rows
        The rows with a text.
    without_document, not_found
        The number of rows removed because the document is missing, or because it does not contain
        the answer.
    """
    with_text: list[Candidate] = []
    by_document: dict[str, list[Candidate]] = {}
    for candidate in rows:
        if candidate.text:
            with_text.append(candidate)
        else:
            by_document.setdefault(candidate.row.doc, []).append(candidate)
    missing = not_found = 0
    for doc, textless in by_document.items():
        text = _text(doc, textless, extraction.documents)
        if text is None:
            missing += len(textless)
        else:
            with_passage = list(_with_passages(textless, Passages(text), questions, extraction))
            not_found += len(textless) - len(with_passage)
            with_text += with_passage
    return with_text, missing, not_found


def _text(doc: str, rows: Iterable[Candidate], documents: Documents) -> str | None:
    """Return the text of a document; None, with a finding, if it is unavailable."""
    if not is_name(doc):
        _note(rules.DOCUMENT_UNUSABLE, doc, rows)
        return None
    text = documents.text(doc)
    if text is None:
        _note(rules.DOCUMENT_MISSING, doc, rows)
    return text


def _note(rule: Rule, doc: str, rows: Iterable[Candidate]) -> None:
    """Report a document at its first row in each file."""
    noted: set[int] = set()
    for candidate in rows:
        if id(candidate.file) not in noted:
            noted.add(id(candidate.file))
            candidate.file.table.findings.add(rule, candidate.row.line, found=doc)


def _with_passages(
    rows: Iterable[Candidate],
    passages: Passages,
    questions: Mapping[str, Question],
    extraction: Extraction,
) -> Iterator[Candidate]:
    """Yield the rows whose answer the document contains, with the passage as their text."""
    for candidate in rows:
        question = questions[candidate.row.q_id]
        wanted = frozenset(parts(question.text)) - stop_words_for(question)
        passage = passages.passage(candidate.row.answer, wanted, extraction.most)
        if passage is not None:
            yield candidate._replace(text=passage)
