"""The positions of findings in a file: columns of fields, and lines by number."""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from itertools import islice

from ave_score import rules
from ave_score.core.findings import Columns, Finding, Findings
from ave_score.core.text import COLUMNS_SAY, excerpt, quantity
from ave_score.files.encoding import encoding_of
from ave_score.files.source import Source
from ave_score.rules import Rule

FIELD = re.compile(r"[^ \t]+")
"""A field of a line separated by blanks or tabs."""


def separator_hint(line: str, fields: int, number: int = 0) -> str:
    """Return the end of a message about a line separated by commas or semicolons.

    In the first line, which then is a header, it has its names.
    """
    commas, semicolons = line.count(","), line.count(";")
    if fields > 1 or max(commas, semicolons) < 2:
        return ""
    separated, mark = ("commas", ",") if commas > semicolons else ("semicolons", ";")
    names = line.strip().split(mark)
    if number == 1 and all(name[:1].isalpha() for name in names):
        return f"{COLUMNS_SAY}; it has {excerpt(', '.join(names))}"
    return f"; separated by {separated}? CSV needs a header with the usual names, or --columns"


def add_field_count(  # noqa: PLR0913 - all parts of the message
    findings: Findings,
    number: int,
    line: str,
    fields: int,
    expected: str,
    columns: range,
    *,
    layout: str,
    hint: str = "",
) -> None:
    """Report a line with the wrong number of fields."""
    width, hint = quantity(fields, "field"), hint or separator_hint(line, fields, number)
    facts = {"found": width, "expected": expected, "layout": layout, "hint": hint}
    findings.add(rules.FIELD_COUNT, number, columns, line, **facts)


def field_columns(line: str, number: int) -> range:
    """Return the columns of a field, counted from 0; the end of the line if it is missing."""
    field = next(islice(FIELD.finditer(line), number, None), None)
    return range(field.start() + 1, field.end() + 1) if field else end_of(line.rstrip(" \t"))


def end_of(line: str) -> range:
    """Return the column after a line."""
    return range(len(line) + 1, len(line) + 2)


MAX_QUOTED = 1 << 20
"""Characters of the longest line that is quoted."""

_END = r"\r\n|\r|\n"


def lines_of(source: Source, wanted: Collection[int]) -> Iterator[tuple[int, str]]:
    """Yield the wanted line numbers with their lines, except lines too long to quote.

    Lines end with LF, CRLF or CR, as in all readers. Undecodable bytes become replacement
    characters.
    """
    last = max(wanted, default=0)
    for number, line in _numbered(source) if wanted else ():
        if number > last:
            break
        if number in wanted and len(line) <= MAX_QUOTED:
            yield number, line


def _numbered(source: Source) -> Iterator[tuple[int, str]]:
    """Yield lines without line ends, truncated to `MAX_QUOTED` + 1 characters."""
    number, line, held = 1, "", ""
    for piece in _texts(source):
        text = held + piece
        held = "\r" if text.endswith("\r") else ""  # may be the first half of a CRLF
        first, *others = re.split(_END, text.removesuffix("\r"))
        line += first
        for other in others:
            yield number, line
            number, line = number + 1, other
        line = line[: MAX_QUOTED + 1]
    yield number, line


def _texts(source: Source) -> Iterator[str]:
    decoder = None
    try:
        for chunk in source.chunks():
            if decoder is None:
                decoder = codecs.getincrementaldecoder(encoding_of(chunk))("replace")
            yield decoder.decode(chunk)
        if decoder is not None:
            yield decoder.decode(b"", True)
    except UnicodeError:  # a few codecs do not support replacement
        return


FIELDS: dict[Rule, str] = {
    rules.UNKNOWN_QUESTION: "q_id",
    rules.UNKNOWN_ANSWER: "a_id",
    rules.ANSWER_OF_ANOTHER_QUESTION: "q_id",
    rules.ANOTHER_COLLECTION: "q_id",
    rules.ANSWER_REPEATED: "a_id",
    rules.ANSWER_CONFLICT: "a_id",
    rules.TWO_SELECTED: "verdict",
    rules.NONE_SELECTED: "verdict",
    rules.LABEL_CONFLICT: "label",
    rules.CONFIDENCE_RANGE: "confidence",
}
"""The field that a finding about a row of a run, a key or scores refers to."""

_NUMBERS = {"q_id": 0, "a_id": 1, "verdict": 2, "label": 2, "confidence": 3}


def named_columns(line: str, field: str) -> range:
    """Return the columns of a field in a line of a run or a key."""
    return field_columns(line, _NUMBERS[field])


def locate(
    source: Source,
    findings: Findings,
    fields: Mapping[Rule, str],
    columns_of: Callable[[str, str], range] = named_columns,
) -> None:
    """Add columns and quotes to findings that lack them; the file is read again if needed.

    Parameters
    ----------
    fields
        The field that findings of each rule refer to.
    columns_of
        Returns the columns of a field in a line.
    """

    def find(finding: Finding, line: str) -> Columns:
        field = fields.get(finding.rule)
        return finding.column if field is None else columns_of(line, field)

    findings.locate(lines_of(source, findings.unlocated()), find)
