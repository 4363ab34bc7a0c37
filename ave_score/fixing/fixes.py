"""One fix for each rule that has one: it changes the document and says what it changed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple, cast

from ave_score import rules
from ave_score.files.positions import FIELD
from ave_score.findings import Finding
from ave_score.fixing.document import Document
from ave_score.model import Verdict
from ave_score.rules import Rule, Safety
from ave_score.text import excerpt, plain_blanks, without_odd


class Change(NamedTuple):
    """One change: for which rule, in which line as it was read (0: none), and what was done.

    `unsafe` is whether it decided something for the author, `loses` whether a line went.
    """

    rule: Rule
    line: int
    what: str
    unsafe: bool = False
    loses: bool = False


Fixer = Callable[[Document, Sequence[Finding]], Iterator[Change]]
"""Fixes the findings of one rule and yields a change for each; none where it can do nothing."""


def write_as_utf8(document: Document, found: Sequence[Finding]) -> Iterator[Change]:
    """Write a file that begins with byte order marks as UTF-8 without them."""
    before = document.encoding
    document.encoding = "utf-8" if before.startswith("utf") else before
    marked = bool(document.lines) and document.text(1).startswith("\ufeff")
    if marked:
        document.put(1, document.text(1).lstrip("\ufeff"))
    if marked or document.encoding != before:
        name = before.removesuffix("-sig").upper()
        yield Change(found[0].rule, 1, f"{name} with byte order mark -> UTF-8")


def end_with_lf(document: Document, found: Sequence[Finding]) -> Iterator[Change]:
    """End every line with LF."""
    document.lines = [
        line._replace(end="\n") if "\r" in line.end else line for line in document.lines
    ]
    for one in found:
        yield Change(one.rule, 0, f"{one.facts['found']} -> LF")


def read_as_cp1252(document: Document, found: Sequence[Finding]) -> Iterator[Change]:
    """Read lines that are not UTF-8 as Windows-1252, or as Latin-1 where they are not that."""
    for one, place in _placed(found):
        data = document.text(place).encode("utf-8", "surrogateescape")
        try:
            text = data.decode("cp1252")
        except UnicodeDecodeError:
            text = data.decode("latin-1")
        document.put(place, text)
        yield Change(one.rule, document.number(place), f"read as Windows-1252: {excerpt(text)}")


def make_blanks_plain(document: Document, found: Sequence[Finding]) -> Iterator[Change]:
    """Replace blanks of another width by plain ones."""
    yield from _rewrite(document, found, plain_blanks, "blanks made plain")


def drop_invisible(document: Document, found: Sequence[Finding]) -> Iterator[Change]:
    """Delete characters that cannot be seen."""
    yield from _rewrite(document, found, without_odd, "invisible characters deleted")


def make_comment(document: Document, found: Sequence[Finding]) -> Iterator[Change]:
    """Turn a header line into a comment."""
    yield from _rewrite(document, found, lambda text: f"# {text}", "made a comment")


def write_expected(document: Document, found: Sequence[Finding]) -> Iterator[Change]:
    """Write what was expected in place of what was found."""
    for one, place in _placed(found):
        text = document.text(place)
        start, stop = (one.column or 1) - 1, (one.end_column or 1) - 1
        expected = str(one.facts["expected"])
        document.put(place, text[:start] + expected + text[stop:])
        yield Change(one.rule, document.number(place), f"{excerpt(text[start:stop])} -> {expected}")


def write_any_point(document: Document, found: Sequence[Finding]) -> Iterator[Change]:
    """Write a decimal point for the comma also where there are three digits behind it."""
    yield from write_expected(document, [one for one in found if one.fix is Safety.UNSAFE])


def write_sure_point(document: Document, found: Sequence[Finding]) -> Iterator[Change]:
    """Write a decimal point for the comma, but not in what may be a thousand."""
    yield from write_expected(document, [one for one in found if one.fix is Safety.SAFE])


def delete_repetition(document: Document, found: Sequence[Finding]) -> Iterator[Change]:
    """Delete lines that say again what another has said."""
    for one, place in _placed(found):
        first = document.number(_first(one))
        what = f"{_quoted(document, place)} deleted, line {first} says the same"
        yield Change(one.rule, document.number(place), what, loses=True)
    document.delete({place for _, place in _placed(found)})


def keep_more_confident(document: Document, found: Sequence[Finding]) -> Iterator[Change]:
    """Of lines that contradict each other keep the most confident, the earliest of equal ones."""
    gone: set[int] = set()
    for places in _rivals(found):
        best = _most_confident(document, places)
        for place in sorted(set(places) - {best}):
            gone.add(place)
            what = f"{_quoted(document, place)} deleted, line {document.number(best)} is kept"
            yield Change(found[0].rule, document.number(place), what, loses=True)
    document.delete(gone)


def select_one(document: Document, found: Sequence[Finding]) -> Iterator[Change]:
    """Of several SELECTED answers keep the most confident; the others become VALIDATED."""
    for places in _rivals(found):
        best = _most_confident(document, places)
        for place in sorted(set(places) - {best}):
            _write_verdict(document, place, Verdict.VALIDATED)
            what = f"SELECTED -> VALIDATED, line {document.number(best)} is SELECTED"
            yield Change(found[0].rule, document.number(place), what)


def select_most_confident(document: Document, found: Sequence[Finding]) -> Iterator[Change]:
    """Select the most confident VALIDATED answer of questions that have none SELECTED."""
    for one in found:
        best = _most_confident(document, cast("list[int]", one.facts["validated"]))
        _write_verdict(document, best, Verdict.SELECTED)
        yield Change(one.rule, document.number(best), "VALIDATED -> SELECTED")


def reject_missing(document: Document, found: Sequence[Finding]) -> Iterator[Change]:
    """Add a line that rejects it for each answer that has none."""
    for one in found:
        q_id, a_id = one.facts["q_id"], one.facts["a_id"]
        text = f"{q_id} {a_id} {Verdict.REJECTED.name} 0" if q_id else f"{a_id} NO"
        document.add(text)
        yield Change(one.rule, 0, f"added: {excerpt(text)}")


STAGES: tuple[dict[Rule, tuple[Fixer, ...]], ...] = (
    {rules.UTF16: (write_as_utf8,), rules.BYTE_ORDER_MARK: (write_as_utf8,)},
    {rules.LINE_ENDS: (end_with_lf,)},
    {rules.CONTROL_CHARACTER: (make_blanks_plain,)},
    {rules.NOT_UTF8: (read_as_cp1252,)},
    {rules.CONTROL_CHARACTER: (drop_invisible,)},
    {
        rules.HEADER_LINE: (make_comment,),
        rules.VERDICT_CASE: (write_expected,),
        rules.DECIMAL_COMMA: (write_sure_point, write_any_point),
    },
    {rules.ANSWER_REPEATED: (delete_repetition,)},
    {rules.ANSWER_CONFLICT: (keep_more_confident,)},
    {rules.ANSWER_MISSING: (reject_missing,)},
    {rules.TWO_SELECTED: (select_one,), rules.NONE_SELECTED: (select_most_confident,)},
)
"""The fixes of each rule, the safest first, in stages: a later one builds on those before it."""

UNSAFE: frozenset[Fixer] = frozenset(
    [
        read_as_cp1252,
        drop_invisible,
        write_any_point,
        keep_more_confident,
        reject_missing,
        select_one,
        select_most_confident,
    ]
)
"""Fixes that decide something for the author of the run."""


def _rewrite(
    document: Document, found: Sequence[Finding], change: Callable[[str], str], what: str
) -> Iterator[Change]:
    for one, place in _placed(found):
        text = document.text(place)
        if change(text) != text:
            document.put(place, change(text))
            yield Change(one.rule, document.number(place), f"{what}: {excerpt(change(text))}")


def _quoted(document: Document, place: int) -> str:
    return f"'{excerpt(document.text(place))}'"


def _placed(found: Sequence[Finding]) -> Iterator[tuple[Finding, int]]:
    """Yield the findings that have a line, with it."""
    for one in found:
        if one.line is not None:
            yield one, one.line


def _first(one: Finding) -> int:
    """Return the earlier line that a finding names."""
    return cast("int", one.facts["first"])


def _rivals(found: Sequence[Finding]) -> Iterator[list[int]]:
    """Yield the lines that are about one thing: those of the findings, and the one they name."""
    groups: dict[int, list[int]] = {}
    for one, place in _placed(found):
        groups.setdefault(_first(one), []).append(place)
    for first, places in groups.items():
        yield [first, *places]


def _most_confident(document: Document, places: Sequence[int]) -> int:
    """Return the line with the highest confidence, the earliest of equal ones.

    A finding about lines of which one has no number there is none to fix, so each has.
    """
    return max(sorted(places), key=lambda place: float(FIELD.findall(document.text(place))[-1]))


def _write_verdict(document: Document, place: int, verdict: Verdict) -> None:
    text = document.text(place)
    old = list(FIELD.finditer(text))[2]
    document.put(place, text[: old.start()] + verdict.name + text[old.end() :])
