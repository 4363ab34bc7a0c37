"""Summaries of files: their contents and the number of findings."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ave_score.core.findings import Findings
from ave_score.core.kinds import KINDS
from ave_score.core.labels import VERDICTS
from ave_score.core.standards import STANDARDS
from ave_score.core.text import quantity, shortened, shortest_names, visible
from ave_score.files.check import Checked
from ave_score.files.contents import Contents
from ave_score.reports.findings.report import FindingsReport
from ave_score.reports.style import TextStyle, cells_of
from ave_score.rules import FileKind, Safety, Severity

if TYPE_CHECKING:
    from ave_score.reports.report import ReportTable

MANY = 10
"""With more files without findings, these are one row of the table of files."""

_SOUND = "ok"
"""The state of a file without findings."""

_VERDICTS = tuple(map(str.lower, VERDICTS))


def summary_lines(report: FindingsReport, style: TextStyle) -> Iterator[str]:
    """Yield a summary of each file with findings and of all files; of sound files, one line."""
    if report.quiet:
        return
    if not report.counts and report.exit_code == 0:
        yield from _sound_lines(report)
        return
    for file in report.files:
        findings = file.checked.findings
        has_some = len(findings) or findings.left_out or len(report.files) == 1
        if has_some and file.checked.unreadable is None:
            yield from _file_lines(file.checked, report.options)
    if report.not_listed:
        yield f"{quantity(report.not_listed, 'finding')} not listed"
    if len(report.files) > 1:
        from ave_score.reports.terminal import table_text  # most checks are of one file

        style = style._replace(colour=False)
        yield from ["", *table_text(table_of_files(report, style.width), style).splitlines(), ""]
        yield total_line(report)


def table_of_files(report: FindingsReport, width: int | None = None) -> ReportTable:
    """Return a row for each file; many without findings are one. Long paths are shortened."""
    from ave_score.reports.report import ReportTable  # most checks are of one file

    rows = [_row(file.checked) for file in report.files]
    others = [row for row in rows if row[1] == _SOUND]
    if len(others) > MANY:
        rows = [row for row in rows if row[1] != _SOUND]
        rows.append([f"{len(others):,} other files", _SOUND, "0", "0"])
    heads = ("File", "State", "Errors", "Warnings")
    columns = [[*cells] for cells in zip(heads, *rows, strict=True)]
    taken = sum(max(map(len, cells)) + 2 for cells in columns[1:])
    if width is not None and max(map(cells_of, columns[0])) > width - taken:
        paths = [os.path.split(row[0]) for row in rows]
        names = shortest_names([(tuple(folder.split("/")), name) for folder, name in paths])
        names = shortened(names, max(width - taken, 12), cells_of)
        rows = [[name, *row[1:]] for name, row in zip(names, rows, strict=True)]
    return ReportTable("", heads, rows, "llrr")


def _row(checked: Checked) -> list[str]:
    """Return the row of a file."""
    if checked.unreadable is not None:
        return [checked.path, "not read", "", ""]
    errors, warnings = (checked.findings.of(severity) for severity in Severity)
    state = "errors" if errors else "warnings" if warnings else _SOUND
    return [checked.path, state, f"{errors:,}", f"{warnings:,}"]


def _sound_lines(report: FindingsReport) -> Iterator[str]:
    """Yield one line about files without findings, and what was not checked."""
    files = [file.checked for file in report.files]
    left_out = sum(checked.findings.left_out for checked in files)
    others = f", {left_out:,} of rules that were not selected" if left_out else ""
    contents = ""
    if len(files) == 1 and files[0].contents is not None and files[0].kind is not None:
        contents = f"; {contents_text(files[0].kind, files[0].contents)}"
    what = visible(files[0].path) if len(files) == 1 else f"{len(files):,} files checked"
    yield f"{what}{':' if len(files) == 1 else ','} no findings{others}{contents}"
    for checked in files:
        lines = [*_log_lines(checked)]
        yield from [f"  {visible(checked.path)}"] * (bool(lines) and len(files) > 1)
        yield from lines
    read_as = dict.fromkeys(checked.findings.read_as for checked in files)
    yield from (f"  read as {what}" for what in filter(None, read_as))
    unchecked = dict.fromkeys(what for checked in files for what in checked.findings.unchecked)
    yield from (f"  not checked: {what}" for what in unchecked)


def _log_lines(checked: Checked) -> Iterator[str]:
    """Yield what a log is about."""
    said = (checked.contents or {}).get("log")
    for line in said if isinstance(said, list) else ():
        yield f"    {line}"


def total_line(report: FindingsReport) -> str:
    """Return how many files have findings, and how many findings there are."""
    failed = sum(report.fails(file.checked) for file in report.files)
    unreadable = sum(file.checked.unreadable is not None for file in report.files)
    what = "findings" if report.strict else "errors"
    parts = [f"{failed} of {quantity(len(report.files), 'file')} with {what}"]
    parts += [quantity(report.count(s), s) for s in Severity if report.count(s)]
    parts += [f"{unreadable} could not be read"] if unreadable else []
    return ", ".join(parts)


def _file_lines(checked: Checked, options: Sequence[str]) -> Iterator[str]:
    findings = checked.findings
    tally = findings.tally()
    codes = ", ".join(f"{rule.code}: {times:,}" for rule, times in tally.items())
    # one rule has all, and rules with a finding each are listed above
    says_more = 1 < len(tally) < sum(tally.values())
    yield f"{findings.summary()} ({codes})" if says_more else findings.summary()
    if checked.contents is not None and checked.kind is not None:
        if "answers" in checked.contents or "log" not in checked.contents:
            yield f"  {contents_text(checked.kind, checked.contents)}"
        yield from _log_lines(checked)
    if findings.read_as:
        yield f"  read as {findings.read_as}"
    for what in findings.unchecked:
        yield f"  not checked: {what}"
    if checked.kind is FileKind.RUN:
        beside = [] if checked.collection is None else ["--collection", checked.collection]
        words = [*options, *beside, *checked.read_with]
        yield from fix_lines(findings, fix_arguments(checked.path, words))


FIX = "ave-score fix "
"""The start of a command, which is printed in one piece."""


def fix_lines(findings: Findings, arguments: str) -> Iterator[str]:
    """Yield the commands that fix findings, if any can be fixed."""
    safe, unsafe = findings.fixable(Safety.SAFE), findings.fixable(Safety.UNSAFE)
    if safe:
        yield f"  to fix {safe:,}: {FIX}{arguments}"
    if unsafe:
        more = " more" if safe else ""
        yield f"  to fix {unsafe:,}{more}: {FIX}--unsafe {arguments}"


def fix_arguments(path: str, options: Sequence[str]) -> str:
    """Return what a shell passes to the command that fixes a run."""
    words = "".join(f"{_word(word)} " for word in options)
    name = "-" if path == "stdin" else _word(path)
    end = "-- " if path.startswith("-") else ""
    return visible(f"{words}{end}{name}")


def _word(text: str) -> str:
    """Return a word for a shell, with escapes of bash and zsh if it has special characters."""
    from shlex import quote  # few runs need it

    if visible(text) == text:
        return quote(text)
    parts = (
        chr(byte) if 32 <= byte < 127 and byte not in b"\\'" else f"\\x{byte:02x}"
        for byte in os.fsencode(text)
    )
    return f"$'{''.join(parts)}'"


def contents_text(kind: FileKind, contents: Contents) -> str:
    """Return the contents of a file in one line.

    >>> contents_text(FileKind.TEAMS, {"runs": 12, "teams": 1})
    'teams: 12 runs, 1 team'
    """
    numbers = {name: number for name, number in contents.items() if not isinstance(number, list)}
    standard = STANDARDS.get(KINDS[kind].gold)
    words = standard.words if standard else {}
    parts = []
    for name, number in numbers.items():
        if name.endswith(("_confidence", "_score")):
            continue
        share = ""
        if kind is FileKind.RUN and name in _VERDICTS:
            share = f" ({_percent(int(number), int(numbers.get('answers') or numbers['pairs']))} %)"
        noun, is_noun = name.removesuffix("s"), name.endswith("s")
        word = words.get(noun, noun)
        parts.append((quantity(int(number), word) if is_noun else f"{number:,} {word}") + share)
    if "lowest_confidence" in numbers:
        low, high = numbers["lowest_confidence"], numbers["highest_confidence"]
        parts.append(f"confidence {low:g}..{high:g}")
    if "lowest_score" in numbers:
        parts.append(f"score {numbers['lowest_score']:g}..{numbers['highest_score']:g}")
    return f"{kind}: {', '.join(parts)}"


def _percent(part: int, whole: int) -> str:
    """Return a percentage with one decimal, rounded half up."""
    tenths = (2000 * part + whole) // (2 * whole)
    return f"{tenths // 10}.{tenths % 10}"
