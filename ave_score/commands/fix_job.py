"""What `ave-score fix` does: read, mend, say what was changed and what is left, write."""

from __future__ import annotations

import os
import shutil
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import NamedTuple

import click

from ave_score.commands.check_job import read_test_collection
from ave_score.commands.files import check_written, whole_file
from ave_score.errors import InputError, UsageError, error_text
from ave_score.files.sniff import sniff
from ave_score.files.source import Source
from ave_score.findings import Finding, Findings
from ave_score.fixing.diff import unified_diff
from ave_score.fixing.fixes import Change
from ave_score.fixing.mend import Mended, mend
from ave_score.reports.findings.concise import finding_lines
from ave_score.rules import FileKind, Rule, Safety
from ave_score.text import counted, visible

SHOWN_CHANGES = 50
"""Safe changes for one rule that are listed; the others are counted. Unsafe ones are all listed."""


_SAFETY = {False: Safety.SAFE, True: Safety.UNSAFE}


class Options(NamedTuple):
    """The options of one call, as given."""

    collection: str | None
    unsafe: bool
    output: str | None
    in_place: bool
    diff: bool


def fix_file(path: str, options: Options) -> int:
    """Mend a run and write it where the options say; return the exit code."""
    if (options.output is not None) + options.in_place + options.diff > 1:
        raise UsageError("--output, --in-place and --diff exclude each other")
    if path == "-" and options.in_place:
        raise UsageError("standard input cannot be mended in place")
    read = [path, *filter(None, [options.collection])]
    check_written(read, {"--output": options.output})
    source = Source(path)
    kind = sniff(source)
    if kind is not FileKind.RUN:
        raise InputError(source.path, f"looks like a file of kind {kind}; only runs are mended")
    target = _target(source, options)
    collection = read_test_collection(options.collection)
    roster = None if collection is None else collection.roster
    mended = mend(source, roster, unsafe=options.unsafe)
    written = _write(source, mended, target, options)
    for line in _said(source, mended, written, target):
        click.echo(line, err=True)
    return int(mended.left.errors > 0)


def _target(source: Source, options: Options) -> str | None:
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
    beside = str(Path(source.path).parent / f"{source.name}.fixed.txt")
    if os.path.lexists(beside):
        raise InputError(beside, "is there already; name another file with --output")
    return beside


def _write(source: Source, mended: Mended, target: str | None, options: Options) -> str:
    """Write the diff or the mended run; return what was done, in words."""
    if target is None:
        for line in unified_diff(mended.document, source.path):
            click.echo(line)
        return "nothing written"
    if not mended.changes and options.output is None and target != "-":
        return "nothing written"
    data = mended.document.encoded()
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
    names = (f"{path}.bak{number or ''}" for number in count())
    backup = next(name for name in names if not os.path.lexists(name))
    try:
        shutil.copy2(path, backup)
    except OSError as error:
        raise InputError(backup, f"cannot be written: {error_text(error)}") from error
    return backup


def _compressed_as(source: Source, data: bytes) -> bytes:
    """Return the data compressed as the source is."""
    compress = _compressor(source.compression)
    return compress(data) if compress else data


def _compressor(compression: str) -> Callable[[bytes], bytes] | None:
    if compression == "gzip":
        import gzip

        return lambda data: gzip.compress(data, mtime=0)
    if compression == "xz":
        import lzma

        return lzma.compress
    return None


def _as_numbered(mended: Mended, target: str | None) -> Findings:
    """Return what is left, by the lines of the file that was written, else of the one read."""
    if target not in (None, "-") and mended.changes:
        return mended.left.changed(lambda found: found._replace(path=str(target)))

    def number(found: Finding) -> Finding:
        first = found.facts.get("first")
        facts = found.facts
        if isinstance(first, int):
            facts = facts | {"first": mended.document.number(first)}
        line = found.line and (mended.document.number(found.line) or None)
        return found._replace(line=line, facts=facts)

    return mended.left.changed(number)


def _said(source: Source, mended: Mended, written: str, target: str | None) -> Iterator[str]:
    """Yield every change, what is left and what was done."""
    path = visible(source.path)
    times: Counter[Rule] = Counter()
    total = Counter(change.rule for change in mended.changes if not (change.unsafe or change.loses))
    for change in mended.changes:
        rule = change.rule
        times[rule] += not (change.unsafe or change.loses)
        if change.unsafe or change.loses or times[rule] < SHOWN_CHANGES:
            yield _change_line(path, change)
        elif times[rule] == SHOWN_CHANGES:
            more = total[rule] - SHOWN_CHANGES
            yield _change_line(path, change) + (f" (and {more:,} more)" if more else "")
    yield from finding_lines(_as_numbered(mended, target))
    for what in mended.left.unchecked:
        yield f"  not checked: {what}"
    left = mended.left
    unsafe = left.mendable(Safety.UNSAFE)
    hint = f" ({unsafe:,} could be mended with --unsafe)" if unsafe else ""
    summary = left.summary().removeprefix(f"{path}: ")
    yield f"{path}: {counted(len(mended.changes), 'change')}, {summary} left{hint}; {written}"


def _change_line(path: str, change: Change) -> str:
    place = f"{path}:{change.line}" if change.line else path
    return f"{place} {change.rule.code} {_SAFETY[change.unsafe]} fix: {change.what}"
