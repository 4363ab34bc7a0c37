"""Collections as files: AVE XML, AVE 2006 pairs, keys."""

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
    """An answer of a new collection, with its supporting text and the document that this is of."""

    a_id: str
    answer: str
    text: str
    doc: str
    label: Label


class BuiltQuestion(NamedTuple):
    """A question of a new collection and its answers, in the order in which they are written."""

    question: Question
    answers: Sequence[BuiltAnswer]


class Head(NamedTuple):
    """What a collection says of itself: empty is not said; `available` answers were judged."""

    edition: str
    lang: str
    available: int


def collection_lines(
    questions: Iterable[BuiltQuestion], head: Head, *, labelled: bool = True
) -> Iterator[str]:
    """Yield the lines of a collection as of AVE 2007 and 2008, each with its end."""
    yield from _start(head)
    for question, answers in questions:
        yield f"  <q{_attributes(id=question.q_id, lang=question.lang)}>\n"
        yield f"    {_element('q_str', question.text)}\n"
        for one in answers:
            value = one.label.name if labelled else ""
            yield f"    <a{_attributes(id=one.a_id, value=value)}>\n"
            yield f"      {_element('a_str', one.answer)}\n"
            if one.text or one.doc:
                yield f"      {_element('t_str', one.text, doc=one.doc)}\n"
            yield "    </a>\n"
        yield "  </q>\n"
    yield "</ave>\n"


def pair_lines(
    questions: Iterable[BuiltQuestion], head: Head, *, labelled: bool = True
) -> Iterator[str]:
    """Yield the lines of a collection of text-hypothesis pairs as of AVE 2006.

    The pairs are numbered from 1; each question has a pattern of hypotheses.
    """
    yield from _start(head)
    pairs = ((question, one) for question, answers in questions for one in answers)
    for number, (question, one) in enumerate(pairs, 1):
        value = _PAIR_VALUES[one.label] if labelled else ""
        attributes = _attributes(id=str(number), value=value, task="QA", lang=question.lang)
        yield f"  <pair{attributes}>\n"
        yield f"    {_element('q', question.text)}\n"
        yield f"    {_element('t', one.text, doc=one.doc)}\n"
        yield f"    {_element('h', question.hypothesis.replace(SLOT, one.answer))}\n"
        yield "  </pair>\n"
    yield "</ave>\n"


def key_lines(questions: Iterable[BuiltQuestion]) -> Iterator[str]:
    """Yield the lines of a key to a collection without labels."""
    for question, answers in questions:
        for one in answers:
            yield f"{question.q_id} {one.a_id} {one.label.name}\n"


def _start(head: Head) -> Iterator[str]:
    yield '<?xml version="1.0" encoding="UTF-8"?>\n'
    available = str(head.available)
    yield f"<ave{_attributes(edition=head.edition, lang=head.lang, available=available)}>\n"


def _element(tag: str, text: str, **attributes: str) -> str:
    start = f"{tag}{_attributes(attributes)}"
    return f"<{start}>{text.translate(_IN_TEXT)}</{tag}>" if text else f"<{start}/>"


def _attributes(given: Mapping[str, str] | None = None, /, **more: str) -> str:
    """Return attributes with a blank before each; those without a value are left out."""
    return "".join(
        f' {name}="{value.translate(_IN_ATTRIBUTE)}"'
        for name, value in {**(given or {}), **more}.items()
        if value
    )
