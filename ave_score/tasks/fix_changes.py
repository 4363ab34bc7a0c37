"""The fixes of rules: each changes the document and describes its changes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple, cast

from ave_score import rules
from ave_score.core.findings import Finding
from ave_score.core.model import Verdict
from ave_score.core.text import excerpt, plain_blanks, without_odd
from ave_score.rules import Rule, Safety
from ave_score.tasks.fix_document import Document


class Change(NamedTuple):
    """A change: the rule, the original line number (0 if there is none) and a description.

    `unsafe` tells whether it decided something for the author, `loses` whether a line was deleted,
    `alike` whether it is the same in all lines that need it.
    """

    rule: Rule
    line: int
    what: str
    unsafe: bool = False
    loses: bool = False
    alike: bool = False


Fixer = Callable[[Document, Sequence[Finding]], Iterator[Change]]
"""Fixes the findings of one rule and yields its changes."""


def write_as_utf8(document: Document, findings: Sequence[Finding]) -> Iterator[Change]:
    """Write a file with byte order marks as UTF-8 without them."""
    before = document.encoding
    document.encoding = "utf-8" if before.startswith("utf") else before
    marked = bool(document.lines) and document.text(1).startswith("\ufeff")
    if marked:
        document.replace(1, document.text(1).lstrip("\ufeff"))
    if marked or document.encoding != before:
        name = before.removesuffix("-sig").upper()
        yield Change(findings[0].rule, 1, f"{name} with byte order mark -> UTF-8")


def end_with_lf(document: Document, findings: Sequence[Finding]) -> Iterator[Change]:
    """End every line with LF."""
    document.lines = [
        line._replace(end="\n") if "\r" in line.end else line for line in document.lines
    ]
    for finding in findings:
        yield Change(finding.rule, 0, f"{finding.facts['found']} -> LF")


def read_as_cp1252(document: Document, findings: Sequence[Finding]) -> Iterator[Change]:
    """Read lines that are not UTF-8 as Windows-1252, with Latin-1 as the fallback."""
    for finding, line in _with_line(findings):
        data = document.text(line).encode("utf-8", "surrogateescape")
        try:
            text = data.decode("cp1252")
        except UnicodeDecodeError:
            text = data.decode("latin-1")
        document.replace(line, text)
        yield Change(finding.rule, document.number(line), f"read as Windows-1252: {excerpt(text)}")


def make_blanks_plain(document: Document, findings: Sequence[Finding]) -> Iterator[Change]:
    """Replace Unicode blanks by spaces."""
    yield from _rewrite(document, findings, plain_blanks, "blanks made plain")


def drop_invisible(document: Document, findings: Sequence[Finding]) -> Iterator[Change]:
    """Delete invisible characters."""
    yield from _rewrite(document, findings, without_odd, "invisible characters deleted")


def make_comment(document: Document, findings: Sequence[Finding]) -> Iterator[Change]:
    """Turn a header line into a comment."""
    yield from _rewrite(document, findings, lambda text: f"# {text}", "made a comment")


def write_expected(document: Document, findings: Sequence[Finding]) -> Iterator[Change]:
    """Replace what was found by what was expected."""
    for finding, line in _with_line(findings):
        expected = str(finding.facts["expected"])
        columns = range(finding.column or 1, finding.end_column or 1)
        before = excerpt(document.write_field(line, columns, expected))
        yield Change(finding.rule, document.number(line), f"{before} -> {expected}")


def write_any_point(document: Document, findings: Sequence[Finding]) -> Iterator[Change]:
    """Replace a comma followed by three digits, which may separate thousands, by a point."""
    unsure = [finding for finding in findings if finding.fix is Safety.UNSAFE]
    yield from write_expected(document, unsure)


def write_sure_point(document: Document, findings: Sequence[Finding]) -> Iterator[Change]:
    """Replace an unambiguous decimal comma by a point."""
    sure = [finding for finding in findings if finding.fix is Safety.SAFE]
    yield from write_expected(document, sure)


def delete_repetition(document: Document, findings: Sequence[Finding]) -> Iterator[Change]:
    """Delete lines that repeat another line."""
    for finding, line in _with_line(findings):
        first = document.number(_first(finding))
        what = f"{_quoted(document, line)} deleted, line {first} says the same"
        yield Change(finding.rule, document.number(line), what, loses=True)
    document.delete({line for _, line in _with_line(findings)})


def keep_more_confident(document: Document, findings: Sequence[Finding]) -> Iterator[Change]:
    """Keep the most confident of contradictory lines; ties keep the earliest."""
    gone: set[int] = set()
    for lines in _rivals(findings):
        best = _most_confident(document, lines)
        for line in sorted(set(lines) - {best}):
            gone.add(line)
            what = f"{_quoted(document, line)} deleted, line {document.number(best)} is kept"
            yield Change(findings[0].rule, document.number(line), what, loses=True)
    document.delete(gone)


def select_one(document: Document, findings: Sequence[Finding]) -> Iterator[Change]:
    """Keep the most confident SELECTED answer of a question; the others become VALIDATED."""
    selected, validated = map(document.reader.word, (Verdict.SELECTED, Verdict.VALIDATED))
    for lines in _rivals(findings):
        best = _most_confident(document, lines)
        for line in sorted(set(lines) - {best}):
            _write_verdict(document, line, Verdict.VALIDATED)
            what = f"{selected} -> {validated}, line {document.number(best)} is {selected}"
            yield Change(findings[0].rule, document.number(line), what)


def select_most_confident(document: Document, findings: Sequence[Finding]) -> Iterator[Change]:
    """Select the most confident VALIDATED answer of each question without a SELECTED one."""
    selected, validated = map(document.reader.word, (Verdict.SELECTED, Verdict.VALIDATED))
    for finding in findings:
        best = _most_confident(document, cast("list[int]", finding.facts["validated"]))
        _write_verdict(document, best, Verdict.SELECTED)
        yield Change(finding.rule, document.number(best), f"{validated} -> {selected}")


def reject_missing(document: Document, findings: Sequence[Finding]) -> Iterator[Change]:
    """Add a line that rejects each missing answer, as `--missing rejected` reads it."""
    for finding in findings:
        q_id, a_id = str(finding.facts["q_id"]), str(finding.facts["a_id"])
        confidence = cast("float", finding.facts["confidence"])
        text = document.reader.line_of(q_id, a_id, Verdict.REJECTED, confidence)
        document.add(text)
        yield Change(finding.rule, 0, f"added: {excerpt(text)}")


TEXT_STAGES = 5
"""How many of the first stages change texts and not rows."""

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
"""The fixes of each rule, in stages, the safest first: each stage builds on the earlier ones."""

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
    document: Document, findings: Sequence[Finding], change: Callable[[str], str], what: str
) -> Iterator[Change]:
    for finding, line in _with_line(findings):
        text = document.text(line)
        if change(text) != text:
            document.replace(line, change(text))
            yield Change(finding.rule, document.number(line), f"{what}: {excerpt(change(text))}")


def _quoted(document: Document, line: int) -> str:
    return f"'{excerpt(document.text(line))}'"


def _with_line(findings: Sequence[Finding]) -> Iterator[tuple[Finding, int]]:
    """Yield each finding that has a line, with its line."""
    for finding in findings:
        if finding.line is not None:
            yield finding, finding.line


def _first(finding: Finding) -> int:
    """Return the earlier line that a finding refers to."""
    return cast("int", finding.facts["first"])


def _rivals(findings: Sequence[Finding]) -> Iterator[list[int]]:
    """Yield groups of competing lines: those of the findings and the line they refer to."""
    groups: dict[int, list[int]] = {}
    for finding, line in _with_line(findings):
        groups.setdefault(_first(finding), []).append(line)
    for first, lines in groups.items():
        yield [first, *lines]


def _most_confident(document: Document, lines: Sequence[int]) -> int:
    """Return the line with the highest confidence; ties go to the earliest.

    Every line has a confidence: findings about lines without one cannot be fixed.
    """
    return max(sorted(lines), key=document.confidences.__getitem__)


def _write_verdict(document: Document, line: int, verdict: Verdict) -> None:
    reader = document.reader
    columns = reader.columns(document.text(line), "verdict")
    document.write_field(line, columns, reader.word(verdict))
