"""Repairs of what is wrong in the same way in all lines: fields, signs, words and ids.

A repair is only kept if fewer errors are left after it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from ave_score import rules
from ave_score.core.labels import TRUTHS, VERDICTS, Verdict
from ave_score.core.model import AnswerIndex
from ave_score.core.text import excerpt
from ave_score.files.decisions import NUMBER
from ave_score.files.positions import FIELD
from ave_score.rules import Rule
from ave_score.tasks.fix_changes import Change
from ave_score.tasks.fix_document import Document, NumberedLine

_QUOTES, _MINUS = "“”„‟″", "−–‒﹣－"
_THOUSANDS = re.compile(r"[+-]?[0-9]{1,3}(,[0-9]{3})+\.[0-9]+|[+-]?[0-9]{1,3}(,[0-9]{3}){2,}")
_TRUTHS = {word: is_true for word, is_true in TRUTHS.items() if not word.isdecimal()}
_WIDTH = len(("q_id", "a_id", "verdict", "confidence"))


class Repair(NamedTuple):
    """A repair: the rules that ask for it, and what changes a document.

    `unsafe` tells whether it decides something for the author, `reads` whether it needs the reader
    of the document.
    """

    rules: tuple[Rule, ...]
    make: Callable[[Document, AnswerIndex | None], Iterator[tuple[int, str]]]
    unsafe: bool = False
    reads: bool = False

    def made(self, document: Document, index: AnswerIndex | None, rule: Rule) -> list[Change]:
        """Change a document; return the changes, which are about a rule."""
        pairs = self.make(document, index)
        return [Change(rule, line, what, self.unsafe, alike=True) for line, what in pairs]


def _without_last_comma(document: Document, _: AnswerIndex | None) -> Iterator[tuple[int, str]]:
    """Remove the comma behind an object of JSON Lines, or behind the last one of a list."""
    for position, line in enumerate(document.lines, 1):
        text = line.text.rstrip()
        if text.startswith("{") and text.endswith("},"):
            document.replace(position, text[:-1])
            yield line.number, "comma at the end removed"
    if len(document.lines) > 1 and document.lines[-1].text.strip() == "]":
        number = document.lines[-1].number
        document.delete({len(document.lines)})
        yield number, "comma behind the last record removed; written as JSON Lines"


def _with_header(document: Document, index: AnswerIndex | None) -> Iterator[tuple[int, str]]:
    """Write a header before lines of fields with commas, semicolons or tabs."""
    texts = [line.text for line in document.lines if line.text.strip()]
    for mark in ",;\t":
        rows = [[field.strip() for field in text.split(mark)] for text in texts]
        if not rows or {*map(len, rows)} != {_WIDTH} or not _are_rows(rows, index):
            continue
        header = mark.join(("q_id", "a_id", "verdict", "confidence"))
        document.lines.insert(0, NumberedLine(0, header))
        yield 0, f"header added: {header}"
        return


def _are_rows(rows: Sequence[Sequence[str]], index: AnswerIndex | None) -> bool:
    """Tell whether fields are ids, a verdict and a confidence, most ids those of answers."""
    known = index is None or 2 * sum((row[0], row[1]) in index.position for row in rows) > len(rows)
    return known and all(row[2] in VERDICTS and re.fullmatch(NUMBER, row[3]) for row in rows)


def _in_order(document: Document, index: AnswerIndex | None) -> Iterator[tuple[int, str]]:
    """Write ids, verdict and confidence of lines in their order."""
    for position, line in enumerate(document.lines, 1):
        fields = FIELD.findall(line.text)
        ordered = _ordered(fields, index) if len(fields) == _WIDTH else None
        if ordered is not None and ordered != fields:
            document.replace(position, _with_fields(line.text, ordered))
            yield line.number, f"'{excerpt(line.text)}' -> '{excerpt(' '.join(ordered))}'"


def _with_fields(text: str, fields: Sequence[str]) -> str:
    """Return a line with other fields between its blanks."""
    blanks = FIELD.split(text)
    pairs = zip(blanks, [*fields, ""], strict=True)
    return "".join(blank + field for blank, field in pairs)


def _ordered(fields: Sequence[str], index: AnswerIndex | None) -> list[str] | None:
    """Return fields in their order, if there is only one that fits.

    Without a collection only a number with a point is no id.
    """
    verdicts = [at for at, field in enumerate(fields) if field in VERDICTS]
    if len(verdicts) != 1:
        return None
    rest = [field for at, field in enumerate(fields) if at != verdicts[0]]
    orders = []
    for at, confidence in enumerate(rest):
        q_id, a_id = rest[:at] + rest[at + 1 :]
        is_answer = "." in confidence if index is None else (q_id, a_id) in index.position
        if is_answer and re.fullmatch(NUMBER, confidence):
            orders.append([q_id, a_id, fields[verdicts[0]], confidence])
    return orders[0] if len(orders) == 1 else None


def _fields(
    document: Document, names: Sequence[str]
) -> Iterator[tuple[int, NumberedLine, list[tuple[range, str]]]]:
    """Yield the rows with the columns and texts of fields."""
    columns = document.reader.columns
    for position, line in enumerate([*document.lines], 1):
        if line.text.strip() and not line.text.startswith("#"):
            spans = [columns(line.text, name) for name in names]
            texts = [line.text[at.start - 1 : at.stop - 1].strip('" ') for at in spans]
            if all(texts):
                yield position, line, [*zip(spans, texts, strict=True)]


def _ids(document: Document) -> Iterator[tuple[int, NumberedLine, list[tuple[range, str]]]]:
    """Yield the rows with their ids of question and answer, which pairs have not."""
    has_questions = document.reader.standard.has_questions
    return _fields(document, ("q_id", "a_id")) if has_questions else iter(())


def _swapped_ids(document: Document, index: AnswerIndex | None) -> Iterator[tuple[int, str]]:
    """Swap the ids of question and answer, if the collection has them the other way round."""
    known = {} if index is None else index.position
    for position, line, ((_, q_id), (_, a_id)) in _ids(document):
        if (q_id, a_id) not in known and (a_id, q_id) in known:
            _write(document, position, q_id=a_id, a_id=q_id)
            yield line.number, f"ids {excerpt(q_id)} and {excerpt(a_id)} swapped"


def _other_case(document: Document, index: AnswerIndex | None) -> Iterator[tuple[int, str]]:
    """Write ids as the collection has them, if only case differs and only one fits."""
    known: dict[tuple[str, str], list[tuple[str, str]]] = {}
    for q_id, a_id in () if index is None else index.position:
        known.setdefault((q_id.casefold(), a_id.casefold()), []).append((q_id, a_id))
    for position, line, ((_, q_id), (_, a_id)) in _ids(document):
        meant = known.get((q_id.casefold(), a_id.casefold()), [])
        if (q_id, a_id) not in meant and len(meant) == 1:
            _write(document, position, q_id=meant[0][0], a_id=meant[0][1])
            yield line.number, f"{excerpt(f'{q_id} {a_id}')} -> {excerpt(' '.join(meant[0]))}"


def _write(document: Document, position: int, **words: str) -> None:
    for name, word in words.items():
        document.write_field(position, document.reader.columns(document.text(position), name), word)


def _plain_minus(document: Document, _: AnswerIndex | None) -> Iterator[tuple[int, str]]:
    """Replace typographic minus signs before digits by a hyphen."""
    return _replaced(document, rf"(?<![^\s,;:\"{_QUOTES}])[{_MINUS}](?=[0-9.])", "-")


def _plain_quotes(document: Document, _: AnswerIndex | None) -> Iterator[tuple[int, str]]:
    """Replace typographic quotes by plain ones."""
    return _replaced(document, f"[{_QUOTES}]", '"')


def _replaced(document: Document, signs: str, plain: str) -> Iterator[tuple[int, str]]:
    """Replace signs in lines that are no comments."""
    for position, line in enumerate(document.lines, 1):
        text = re.sub(signs, plain, line.text)
        if text != line.text and not line.text.startswith("#"):
            document.replace(position, text)
            yield line.number, f"typographic signs made plain: {excerpt(text)}"


def _without_thousands(document: Document, _: AnswerIndex | None) -> Iterator[tuple[int, str]]:
    """Remove the separators of thousands, which a point or a second comma shows."""
    for position, line, ((columns, word),) in _fields(document, ("confidence",)):
        if _THOUSANDS.fullmatch(word):
            plain = word.replace(",", "")
            document.write_field(position, columns, plain)
            yield line.number, f"{word} -> {plain}"


def _words_of_truth(document: Document, _: AnswerIndex | None) -> Iterator[tuple[int, str]]:
    """Write verdicts for yes and no, true and false, as `--values` would read them.

    1 and 0 may be confidences.
    """
    reader = document.reader
    meant = {True: Verdict.VALIDATED, False: Verdict.REJECTED}
    rows = [*_fields(document, ("verdict",))]
    words = dict.fromkeys(word for _, _, ((_, word),) in rows if word.casefold() in _TRUTHS)
    said = {word: reader.word(meant[_TRUTHS[word.casefold()]]) for word in words}
    values = ",".join(f"{word}={value}" for word, value in said.items())
    for position, line, ((columns, word),) in rows:
        if word in said and said[word] != word:
            document.write_field(position, columns, said[word])
            yield line.number, f"{word} -> {said[word]}, as --values {values}"


_UNKNOWN = (rules.UNKNOWN_QUESTION, rules.UNKNOWN_ANSWER, rules.ANOTHER_COLLECTION)

REPAIRS = (
    Repair((rules.OTHER_FORMAT, rules.NOT_AN_OBJECT), _without_last_comma),
    Repair(
        (rules.OTHER_FORMAT, rules.NOT_AN_OBJECT, rules.CONFIDENCE_NOT_A_NUMBER, *_UNKNOWN),
        _plain_quotes,
    ),
    Repair((rules.CONFIDENCE_NOT_A_NUMBER, *_UNKNOWN), _plain_minus),
    Repair((rules.FIELD_COUNT,), _with_header),
    Repair((rules.UNKNOWN_VERDICT,), _in_order),
    Repair((rules.CONFIDENCE_NOT_A_NUMBER,), _without_thousands, reads=True),
    Repair((rules.UNKNOWN_QUESTION, rules.ANOTHER_COLLECTION), _swapped_ids, reads=True),
    Repair(_UNKNOWN, _other_case, unsafe=True, reads=True),
    Repair((rules.LABEL_IN_RUN, rules.UNKNOWN_VERDICT), _words_of_truth, unsafe=True, reads=True),
)
"""The repairs in their order: fields are looked for after the lines can be read."""
