"""`ave-score fix`: fix what can be fixed in a run, say what was changed and what is left."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from itertools import count
from typing import TYPE_CHECKING

import click

from ave_score.commands.options import FILE, Options, argument, command, option
from ave_score.commands.output_files import check_output_paths, whole_file
from ave_score.errors import InputError, UsageError, error_text
from ave_score.text import counted, visible

if TYPE_CHECKING:
    from ave_score.files.source import Source
    from ave_score.findings import Finding, Findings
    from ave_score.fixing.fix import FixedRun
    from ave_score.fixing.fixes import Change
    from ave_score.rules import Rule

SHOWN_CHANGES = 50
"""Safe changes for one rule that are listed; the others are counted. Unsafe ones are all listed."""


class FixOptions(Options):
    """The argument and options of one call."""

    run: str = argument(type=FILE)
    collection: str | None = option(
        metavar="FILE", type=FILE, help="The collection that RUN is about."
    )
    unsafe: bool = option(
        is_flag=True,
        help="Also decide for the author: which of two lines is meant, which answer is SELECTED, "
        "that missing answers are REJECTED.",
    )
    output: str | None = option(
        "-o", metavar="FILE", type=FILE, help="Write to FILE (- is stdout)."
    )
    in_place: bool = option(is_flag=True, help="Write over RUN, which is kept as RUN.bak.")
    diff: bool = option(is_flag=True, help="Only show what would be changed.")

    def check(self) -> None:
        """Raise `UsageError` for what is wrong with them, before any file is read."""
        if (self.output is not None) + self.in_place + self.diff > 1:
            raise UsageError("--output, --in-place and --diff exclude each other")
        if self.run == "-" and self.in_place:
            raise UsageError("standard input cannot be mended in place")
        read = [self.run, *filter(None, [self.collection])]
        check_output_paths(read, {"--output": self.output})


@command("fix", FixOptions, short_help="Mend what can be mended in a run.")
def fix_command(options: FixOptions) -> int:
    """Write a mended copy of a RUN, beside it as NAME.fixed.txt, and list every change.

    Safe changes are always made: byte order mark and UTF-16, line ends, blanks of other widths, the
    case of verdicts, decimal commas, header lines (made comments), repeated lines. No line is lost
    unless it says what another says.

    Exit codes: 0 nothing is wrong any more, 1 something is left that only its author can mend, 2
    could not run.
    """
    from ave_score.commands.input_files import read_test_collection
    from ave_score.files.sniff import sniff
    from ave_score.files.source import Source
    from ave_score.fixing.fix import fix_run
    from ave_score.rules import FileKind

    options.check()
    source = Source(options.run)
    kind = sniff(source)
    if kind is not FileKind.RUN:
        raise InputError(source.path, f"looks like a file of kind {kind}; only runs are mended")
    target = _target(source, options)
    index = None
    if options.collection is not None:
        index = read_test_collection(Source(options.collection)).index
    fixed = fix_run(source, index, unsafe=options.unsafe)
    written = _write(source, fixed, target, options)
    for line in _report_lines(source, fixed, written, target):
        click.echo(line, err=True)
    return int(fixed.left.errors > 0)


def _target(source: Source, options: FixOptions) -> str | None:
    """Return where the mended run goes, None with --diff; a file that is there is not written over.

    Only --output and --in-place name a file that may exist.
    """
    if options.diff:
        return None
    if options.output is not None:
        return options.output
    if options.in_place:
        return source.path
    if source.is_stdin or not os.path.isfile(source.path):  # a pipe has no place beside it
        return "-"
    from pathlib import Path

    beside = str(Path(source.path).parent / f"{source.name}.fixed.txt")
    if os.path.lexists(beside):
        raise InputError(beside, "is there already; name another file with --output")
    return beside


def _write(source: Source, fixed: FixedRun, target: str | None, options: FixOptions) -> str:
    """Write the diff or the mended run; return what was done, in words."""
    if target is None:
        from ave_score.fixing.document import unified_diff

        for line in unified_diff(fixed.document, source.path):
            click.echo(line)
        return "nothing written"
    if not fixed.changes and options.output is None and target != "-":
        return "nothing written"
    data = fixed.document.encoded()
    backup = ""
    if options.in_place:
        backup = f", the run as it was is in {visible(_back_up(source.path))}"
        data = _compressed_as(source, data)
    with whole_file(target) as out:
        out.flush()
        out.buffer.write(data)
        out.buffer.flush()
    return f"written to {visible('stdout' if target == '-' else target)}{backup}"


def _back_up(path: str) -> str:
    """Copy a file beside itself, under a name that is free, and return the name."""
    import shutil  # slow to import

    names = (f"{path}.bak{number or ''}" for number in count())
    backup = next(name for name in names if not os.path.lexists(name))
    try:
        shutil.copy2(path, backup)
    except OSError as error:
        raise InputError(backup, f"cannot be written: {error_text(error)}") from error
    return backup


def _compressed_as(source: Source, data: bytes) -> bytes:
    """Return the data compressed as the source is."""
    if source.compression == "gzip":
        import gzip

        return gzip.compress(data, mtime=0)
    if source.compression == "xz":
        import lzma

        return lzma.compress(data)
    return data


def _with_written_lines(fixed: FixedRun, target: str | None) -> Findings:
    """Return what is left, by the lines of the file that was written, else of the one read."""
    if target not in (None, "-") and fixed.changes:
        return fixed.left.changed(lambda found: found._replace(path=str(target)))

    def number(found: Finding) -> Finding:
        first = found.facts.get("first")
        facts = found.facts
        if isinstance(first, int):
            facts = facts | {"first": fixed.document.number(first)}
        line = found.line and (fixed.document.number(found.line) or None)
        return found._replace(line=line, facts=facts)

    return fixed.left.changed(number)


def _report_lines(
    source: Source, fixed: FixedRun, written: str, target: str | None
) -> Iterator[str]:
    """Yield every change, what is left and what was done."""
    from ave_score.reports.findings.concise import finding_lines
    from ave_score.rules import Safety

    path = visible(source.path)
    times: Counter[Rule] = Counter()
    total = Counter(change.rule for change in fixed.changes if not (change.unsafe or change.loses))
    for change in fixed.changes:
        rule = change.rule
        times[rule] += not (change.unsafe or change.loses)
        if change.unsafe or change.loses or times[rule] < SHOWN_CHANGES:
            yield _change_line(path, change)
        elif times[rule] == SHOWN_CHANGES:
            more = total[rule] - SHOWN_CHANGES
            yield _change_line(path, change) + (f" (and {more:,} more)" if more else "")
    yield from finding_lines(_with_written_lines(fixed, target))
    for what in fixed.left.unchecked:
        yield f"  not checked: {what}"
    left = fixed.left
    unsafe = left.fixable(Safety.UNSAFE)
    hint = f" ({unsafe:,} could be mended with --unsafe)" if unsafe else ""
    summary = left.summary().removeprefix(f"{path}: ")
    yield f"{path}: {counted(len(fixed.changes), 'change')}, {summary} left{hint}; {written}"


def _change_line(path: str, change: Change) -> str:
    from ave_score.rules import Safety

    place = f"{path}:{change.line}" if change.line else path
    safety = Safety.UNSAFE if change.unsafe else Safety.SAFE
    return f"{place} {change.rule.code} {safety} fix: {change.what}"
