"""Supporting texts for rows that name only a document (thesis 3.2.2).

Of the sentences with the answer the one with most words of the question is taken, stop words
aside; the first of several. The sentences behind it are added as long as there is room.
"""

from __future__ import annotations

import re
import tomllib
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from functools import cache
from importlib.resources import files
from itertools import accumulate
from typing import NamedTuple

from ave_score import rules
from ave_score.building.candidates import Candidate
from ave_score.building.words import parts
from ave_score.errors import UsageError
from ave_score.files.documents import Documents, is_name
from ave_score.files.lines import LineReader
from ave_score.files.questions import Question
from ave_score.files.source import Source
from ave_score.findings import Findings
from ave_score.rules import Rule


@cache
def stop_words() -> Mapping[str, frozenset[str]]:
    """Return language -> its stop words, of the file beside this one."""
    text = files("ave_score.building").joinpath("stop_words.toml").read_text("utf-8")
    return {language: folded_words(said.split()) for language, said in tomllib.loads(text).items()}


def folded_words(listed: Iterable[str]) -> frozenset[str]:
    """Return words as they are compared; what stands between apostrophes is a word of its own."""
    return frozenset(word for one in listed for word in parts(one))


def stop_words_for(question: Question) -> frozenset[str]:
    """Return the stop words of a question's language; raises `UsageError` where there are none."""
    language = question.lang.casefold().replace("_", "-").partition("-")[0]
    known = stop_words()
    if not language:
        raise UsageError(
            f"the language of question {question.q_id!r} is not known: name it with --lang, or in "
            "a column lang of the questions, or give --stop-words"
        )
    if language not in known:
        raise UsageError(
            f"no stop words for language {question.lang!r}, only for {', '.join(sorted(known))}; "
            "give some with --stop-words"
        )
    return known[language]


def check_words(source: Source) -> tuple[list[str] | None, list[Findings]]:
    """Read one word a line; None, with findings, where the file is no such list.

    Lines that begin with # are comments.
    """
    findings = Findings(source.path)
    words = [
        line.strip()
        for block in LineReader(source, findings, "a list of words", has_texts=True).blocks()
        for _, line in block.lines()
        if not line.startswith("#")
    ]
    if not any(words) and not findings.errors:
        findings.add(rules.EMPTY_FILE, expected="words in it")
    return (None if findings.errors else words), [findings]


MAX_PASSAGE = 500
"""Characters up to which sentences are added to the one that was chosen."""

_PARAGRAPH = re.compile(r"\n\s*\n")
_END = re.compile(r"(?<![.!?…])[.!?…]++[\"'»”’)\]]*+\s+")
_INITIAL = re.compile(r"(?<!\w)\w\.\s+\Z")


def sentences(text: str) -> Iterator[str]:
    """Yield the sentences of a text, each in one line.

    A sentence ends with its paragraph, or with a mark before a blank and anything but a small
    letter; the point behind an initial (J. Smith) is none.
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
    """A document whose passages are wanted for several answers."""

    def __init__(self, text: str) -> None:
        self._sentences = list(sentences(text))
        said = [parts(sentence) for sentence in self._sentences]
        self._words = [frozenset(one) for one in said]
        pieces = ["".join(f"{word} " for word in one) for one in said]
        self._text = " " + "".join(pieces)
        self._starts = list(accumulate(map(len, pieces), initial=1))[:-1]

    def passage(self, answer: str, wanted: Set[str], most: int = MAX_PASSAGE) -> str | None:
        """Return the passage that holds an answer; None where the document does not.

        Parameters
        ----------
        wanted
            The words of the question that a sentence should have.
        most
            Characters that the passage may have, unless its first sentence is longer.
        """
        places = list(dict.fromkeys(self._places(answer)))
        if not places:
            return None
        first, last = max(places, key=lambda place: self._shared(place, wanted))
        passage = " ".join(self._sentences[first : last + 1])
        for following in self._sentences[last + 1 :]:
            if len(passage) + 1 + len(following) > most:
                break
            passage += f" {following}"
        return passage

    def _places(self, answer: str) -> Iterator[tuple[int, int]]:
        """Yield the first and the last sentence of each place where the answer stands."""
        sought = " ".join(["", *parts(answer), ""])
        if not sought.strip():
            return
        at = self._text.find(sought)
        while at >= 0:
            last = at + len(sought) - 2  # the last letter of the last word
            yield bisect_right(self._starts, at + 1) - 1, bisect_right(self._starts, last) - 1
            at = self._text.find(sought, at + 1)

    def _shared(self, place: tuple[int, int], wanted: Set[str]) -> int:
        first, last = place
        return len(wanted & frozenset().union(*self._words[first : last + 1]))


class Extraction(NamedTuple):
    """The folder of texts, the words of a question that do not count, and how long a text gets."""

    documents: Documents
    stop_words: Callable[[Question], frozenset[str]]
    most: int = MAX_PASSAGE


def extract(
    rows: Iterable[Candidate], questions: Mapping[str, Question], extraction: Extraction
) -> tuple[list[Candidate], int, int]:
    """Give every row without a text the passage of its document that holds the answer.

    `questions` are q_id -> question, whose words a passage should have. What is wrong with a
    document is added to the findings of the row's file, once for each.

    Returns
    -------
    rows
        Those with a text.
    without_document, not_found
        How many rows are left out because there is no such document, or because it does not hold
        the answer.
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
    return given, missing, nowhere


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
