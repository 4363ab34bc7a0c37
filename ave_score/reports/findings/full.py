"""Findings with the source line, a caret under the defect, and help."""

from __future__ import annotations

from collections.abc import Iterator

import click

from ave_score.core.text import Quote
from ave_score.reports.findings.concise import finding_line
from ave_score.reports.findings.report import FindingsReport, ListedFinding
from ave_score.reports.findings.summary import FIX, summary_lines
from ave_score.reports.style import TextStyle, cells_of
from ave_score.rules import Rule, Safety, Severity

_COLOUR = {Severity.ERROR: "red", Severity.WARNING: "magenta"}


def render(report: FindingsReport, style: TextStyle) -> str:
    """Return the listed findings, then a summary of the files.

    The help of a rule follows its first finding in a file, unless that is of the file as a whole
    and safely fixed.
    """
    lines: list[str] = []
    for file in report.files:
        helped: set[Rule] = set()
        for listed in file.listed:
            rule = listed.finding.rule
            lines += _block(listed, style, with_help=rule not in helped)
            helped.add(rule)
    for line in summary_lines(report, style):
        lines += [line] if FIX in line else _folded(line, style)
    return "".join(f"{line}\n" for line in lines)


def _block(listed: ListedFinding, style: TextStyle, *, with_help: bool) -> Iterator[str]:
    finding = listed.finding
    severity = finding.rule.severity
    head, *rest = _folded(finding_line(listed), style)
    if style.colour:
        head = head.replace(finding.place, click.style(finding.place, bold=True), 1)
        code = click.style(finding.rule.code, fg=_COLOUR[severity], bold=True)
        head = head.replace(f" {finding.rule.code} ", f" {code} ", 1)
    yield from [head, *rest]
    if finding.fix is Safety.SAFE and not finding.column:
        return  # of the file as a whole, such as a byte order mark: no line is to be looked at
    margin = " " * len(str(finding.line or ""))
    if finding.text:
        width = style.width and max(20, style.width - len(margin) - 5)
        quote = fitted(finding.quote, width)
        yield f"  {margin} |"
        yield f"  {finding.line} | {quote.text}"
        if finding.column:
            caret = "^" * max(1, cells_of(quote.text[quote.start : quote.start + quote.length]))
            caret = click.style(caret, fg=_COLOUR[severity], bold=True) if style.colour else caret
            yield f"  {margin} | {' ' * cells_of(quote.text[: quote.start])}{caret}"
    if with_help:
        yield from _folded(f"  {margin} = help: {finding.help}", style)
    if finding.text or with_help:
        yield ""


def fitted(quote: Quote, width: int | None) -> Quote:
    """Truncate a quotation around its mark to a width, with `…` at the truncated ends."""
    text, start, length = quote
    if not width or cells_of(text) <= width:
        return quote
    marked = min(cells_of(text[start : start + length]), width // 2)
    cut = 0
    if cells_of(text[:start]) + marked > width - 1:
        while cut < start and cells_of(text[cut:start]) + marked > width - 2:
            cut += 1
    before = "…" if cut else ""
    text, start = before + text[cut:], start - cut + len(before)
    end = len(text)
    if cells_of(text) > width:
        while cells_of(text[:end]) > width - 1:
            end -= 1
        text = text[:end] + "…"
    return Quote(text, start, min(length, end - start))


def _folded(line: str, style: TextStyle) -> list[str]:
    """Wrap a line to the width, without breaking words."""
    if not style.width or cells_of(line) <= style.width:
        return [line]
    from textwrap import wrap

    indent = " " * (len(line) - len(line.lstrip()) + 4)
    return wrap(
        line,
        style.width,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )
