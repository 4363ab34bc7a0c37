"""Write collections: AVE XML, AVE 2006 pairs, keys."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from ave_score.files.questions import SLOT, Question
from ave_score.model import Label

_ESCAPED = {"&": "&amp;", "<": "&lt;", ">": "&gt;", "\r": "&#13;"}
_IN_TEXT = str.maketrans(_ESCAPED)
_IN_ATTRIBUTE = str.maketrans({**_ESCAPED, '"': "&quot;", "\t": "&#9;", "\n": "&#10;"})

_PAIR_VALUES = {Label.VALIDATED: "YES", Label.REJECTED: "NO", Label.UNKNOWN: "UNKNOWN"}


class BuiltAnswer(NamedTuple):
    """An answer of a new collection, with its supporting text and the document of the text."""

    a_id: str
    answer: str
    text: str
    doc: str
    label: Label


class BuiltQuestion(NamedTuple):
    """A question of a new collection and its answers, in output order."""

    question: Question
    answers: Sequence[BuiltAnswer]


class Head(NamedTuple):
    """The attributes of the root element; empty ones are omitted.

    `available` is the number of judged answers.
    """

    edition: str
    lang: str
    available: int


def collection_lines(
    questions: Iterable[BuiltQuestion], head: Head, *, labelled: bool = True
) -> Iterator[str]:
    """Yield the lines of a collection in the format of AVE 2007 and 2008, with line ends."""
    yield from _start(head)
    for question, answers in questions:
        yield f"  <q{_attributes(id=question.q_id, lang=question.lang)}>\n"
        yield f"    {_element('q_str', question.text)}\n"
        for answer in answers:
            value = answer.label.name if labelled else ""
            yield f"    <a{_attributes(id=answer.a_id, value=value)}>\n"
            yield f"      {_element('a_str', answer.answer)}\n"
            if answer.text or answer.doc:
                yield f"      {_element('t_str', answer.text, doc=answer.doc)}\n"
            yield "    </a>\n"
        yield "  </q>\n"
    yield "</ave>\n"


def pair_lines(
    questions: Iterable[BuiltQuestion], head: Head, *, labelled: bool = True
) -> Iterator[str]:
    """Yield the lines of a collection of text-hypothesis pairs in the format of AVE 2006.

    Pairs are numbered from 1; each question has a hypothesis pattern.
    """
    yield from _start(head)
    pairs = ((question, answer) for question, answers in questions for answer in answers)
    for number, (question, answer) in enumerate(pairs, 1):
        value = _PAIR_VALUES[answer.label] if labelled else ""
        attributes = _attributes(id=str(number), value=value, task="QA", lang=question.lang)
        yield f"  <pair{attributes}>\n"
        yield f"    {_element('q', question.text)}\n"
        yield f"    {_element('t', answer.text, doc=answer.doc)}\n"
        yield f"    {_element('h', question.hypothesis.replace(SLOT, answer.answer))}\n"
        yield "  </pair>\n"
    yield "</ave>\n"


def key_lines(questions: Iterable[BuiltQuestion]) -> Iterator[str]:
    """Yield the lines of a key to a collection without labels."""
    for question, answers in questions:
        for answer in answers:
            yield f"{question.q_id} {answer.a_id} {answer.label.name}\n"


def _start(head: Head) -> Iterator[str]:
    yield '<?xml version="1.0" encoding="UTF-8"?>\n'
    available = str(head.available)
    yield f"<ave{_attributes(edition=head.edition, lang=head.lang, available=available)}>\n"


def _element(tag: str, text: str, **attributes: str) -> str:
    start = f"{tag}{_attributes(attributes)}"
    return f"<{start}>{text.translate(_IN_TEXT)}</{tag}>" if text else f"<{start}/>"


def _attributes(given: Mapping[str, str] | None = None, /, **more: str) -> str:
    """Return attributes, each preceded by a space; empty ones are omitted."""
    return "".join(
        f' {name}="{value.translate(_IN_ATTRIBUTE)}"'
        for name, value in {**(given or {}), **more}.items()
        if value
    )
