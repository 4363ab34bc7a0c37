"""`ave-score fix`: fix runs, list all changes and the remaining findings."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from itertools import count
from typing import TYPE_CHECKING

import click

from ave_score.commands.declared import command, file_option, files, flag
from ave_score.commands.files_given import read_test_collection, say_skipped
from ave_score.commands.help import Section
from ave_score.commands.options import FileOptions, selection
from ave_score.commands.output_files import check_output_paths, say
from ave_score.commands.own_copies import is_own, remember
from ave_score.core.errors import InputError, UsageError
from ave_score.core.locks import locked
from ave_score.core.text import quantity, ranges, visible
from ave_score.core.writing import whole_file
from ave_score.files.folders import check_is_no_folder, unfolded
from ave_score.files.sniff import begins_as_table, sniff
from ave_score.files.source import Source
from ave_score.reports.findings.concise import finding_lines
from ave_score.rules import FileKind, Safety
from ave_score.tasks.fix import check_is_run, fix
from ave_score.tasks.fix_document import unified_diff

if TYPE_CHECKING:
    from ave_score.core.findings import Finding, Findings
    from ave_score.core.model import Collection
    from ave_score.rules import Rule, Told
    from ave_score.tasks.fix import FixedRun
    from ave_score.tasks.fix_changes import Change

SHOWN_CHANGES = 3
"""Maximum number of changes listed of a kind; unsafe changes of single lines are all listed."""


class FixOptions(FileOptions):
    """The arguments and options of one call."""

    runs: tuple[str, ...] = files("RUN")
    collection: str | None = file_option(Section.INPUT, "The collection of the RUNs.")
    unsafe: bool = flag(
        Section.COUNTING,
        "Also make changes that may alter the meaning: choose between contradictory lines, "
        "choose the SELECTED answer, reject missing answers.",
    )
    diff: bool = flag(Section.OUTPUT, "Show the changes without writing them.")
    in_place: bool = flag(Section.OUTPUT, "Overwrite RUN; the original is kept as RUN.bak.")
    output: str | None = file_option(
        Section.OUTPUT, "Write to FILE (- is stdout); for a single RUN.", short="-o"
    )
    told: Told = selection(with_errors=True)

    def check(self) -> None:
        """Raise `UsageError` for options that conflict, before any file is read."""
        if (self.output is not None) + self.in_place + self.diff > 1:
            raise UsageError("--output, --in-place and --diff are mutually exclusive")
        if "-" in self.runs and self.in_place:
            raise UsageError("standard input cannot be fixed in place")


@command(
    "fix",
    FixOptions,
    examples={
        "Show what would change, without writing": "ave-score fix run.txt --diff",
        "Fix all runs of a folder, each in a copy": "ave-score fix runs --collection test.xml",
    },
    what="fixed",
    how="fixed",
)
def fix_command(options: FixOptions) -> int:
    """Write a fixed copy of each RUN to NAME.fixed.txt in the same folder, and list all changes.

    Safe changes are always made: of encodings, line endings, spaces, the case of verdicts, decimal
    commas, header lines, duplicate lines, and fields in another order. A line is only removed if
    another line has the same content. A folder stands for all runs below it. The copy of a table
    keeps its suffix. An unchanged copy of an earlier call is replaced, any other file is not.

    Exit codes: 0 no errors left, 1 errors left that need the author, 2 could not run.
    """
    found = unfolded(options.runs, [options.collection])
    paths = found.paths
    if len(paths) > 1 and options.output is not None:
        raise UsageError(f"--output is for a single run, and there are {len(paths):,}")
    check_output_paths(paths, options.written)
    collection = None
    if options.collection is not None:
        collection = read_test_collection(Source(options.collection, options.naming))
    results: Counter[str] = Counter()
    written: dict[str, str] = {}
    code = 0
    for path in paths:
        try:
            check_is_no_folder(path)
            with ExitStack() as held:
                if options.in_place:  # another call, too, may save the original and replace the run
                    held.enter_context(locked(os.path.dirname(os.path.realpath(path))))
                of_call = collection, options, written
                result, is_clean = _fix(path, *of_call, is_alone=len(paths) == 1)
        except InputError as error:
            click.echo(f"ave-score: {visible(error.for_commands)}", err=True)
            code, result, is_clean = 2, "could not be fixed", True
        results[result] += 1
        code = max(code, int(not is_clean))
    if len(paths) > 1:
        said = ", ".join(f"{times:,} {result}" for result, times in results.items())
        click.echo(f"{quantity(len(paths), 'file')}: {said}", err=True)
    say_skipped(found, "fixed")
    return code


def _fix(
    path: str,
    collection: Collection | None,
    options: FixOptions,
    written: dict[str, str],
    *,
    is_alone: bool,
) -> tuple[str, bool]:
    """Fix a run; return what was done and whether no errors are left.

    A file that is not a run is an error, unless a folder stands for it. `written` is fixed copy ->
    run of this call: run.txt and run.txt.gz would have the same copy.
    """
    source = Source(path, options.naming)
    if path not in options.runs and sniff(source) is not FileKind.RUN:
        return "of another kind", True
    check_is_run(source)
    if options.in_place and source.compression == "parquet":
        raise InputError(source.path, "is a Parquet file, which cannot be fixed in place")
    if options.in_place and not os.path.isfile(path):
        raise InputError(source.path, "is no regular file, and cannot be fixed in place")
    target = _target(source, options)
    if target in written:
        reason = f"is already the copy of {written[target]}; choose another file with --output"
        raise InputError(target, reason)
    fixed = fix(source, collection, unsafe=options.unsafe, told=options.told)
    done = _write(source, fixed, target, options)
    if fixed.changes and target not in (None, "-"):
        written[str(target)] = source.path
    if is_alone or fixed.changes or len(fixed.left):
        say(_report_lines(source, fixed, done, target))
    return "fixed" if fixed.changes else "unchanged", not fixed.left.errors


def _target(source: Source, options: FixOptions) -> str | None:
    """Return the path of the fixed run, None with --diff.

    Only --output and --in-place may overwrite a file that `fix` did not write.
    """
    if options.diff:
        return None
    if options.output is not None:
        return options.output
    if options.in_place:
        return source.path
    if source.is_stdin or not os.path.isfile(source.path):  # a pipe has no folder
        return "-"
    from pathlib import Path

    target = Path(source.path).parent / f"{source.name}.fixed{_suffix(source)}"
    if os.path.lexists(target) and not is_own(target):
        reason = "already exists, and is not an unchanged copy that fix wrote"
        raise InputError(str(target), f"{reason}; choose another file with --output")
    return str(target)


def _suffix(source: Source) -> str:
    """Return the suffix of a fixed copy: that of a table, else .txt; Parquet becomes JSON Lines."""
    if source.compression == "parquet":
        return ".jsonl"
    if not begins_as_table(source):
        return ".txt"
    suffix = os.path.splitext(source.path.removesuffix(".gz").removesuffix(".xz"))[1]
    return suffix if suffix in (".csv", ".tsv", ".jsonl") else ".txt"


def _write(source: Source, fixed: FixedRun, target: str | None, options: FixOptions) -> str:
    """Write the diff or the fixed run; return a message about it."""
    if target is None:
        for line in unified_diff(fixed.document, source.path):
            click.echo(line)
        return "nothing written"
    has_own_target = options.output is None and target != "-"
    if not fixed.changes and (has_own_target or not fixed.was_read):
        return "nothing written"
    data = fixed.document.encoded()
    backup = ""
    if options.in_place:
        data = _compressed_as(source, data)
    elif options.output is None and target != "-":
        from pathlib import Path

        remember(Path(target), data)
    with whole_file(target) as out:
        out.flush()
        out.buffer.write(data)
        out.buffer.flush()
        if options.in_place:  # the run is replaced after this, so a full disk leaves no backup
            backup = f", original saved as {visible(_back_up(source.path))}"
    return f"written to {visible('stdout' if target == '-' else target)}{backup}"


def _back_up(path: str) -> str:
    """Copy a file to a backup path, and return that path.

    It is the first that is unused, or has the same content: a call that was ended before it
    replaced the file has left its backup.
    """
    import shutil  # slow to import

    names = (f"{path}.bak{number or ''}" for number in count())
    backup = next(name for name in names if not os.path.lexists(name) or _are_same(path, name))
    if not os.path.lexists(backup):
        with open(path, "rb") as original, whole_file(backup, copy_of=path) as out:
            shutil.copyfileobj(original, out.buffer)
    return backup


def _are_same(path: str, other: str) -> bool:
    """Tell whether another file, which is no link, has the same content."""
    from filecmp import cmp  # rarely needed

    is_file = os.path.isfile(other) and not os.path.islink(other)
    return is_file and os.access(other, os.R_OK) and cmp(path, other, shallow=False)


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
    """Return the remaining findings, with lines of the written file or else of the input."""
    if target not in (None, "-") and fixed.changes:
        return fixed.left.changed(lambda finding: finding._replace(path=str(target)))

    def number(finding: Finding) -> Finding:
        first = finding.facts.get("first")
        facts = finding.facts
        if isinstance(first, int):
            facts = facts | {"first": fixed.document.number(first)}
        line = finding.line and (fixed.document.number(finding.line) or None)
        return finding._replace(line=line, facts=facts)

    return fixed.left.changed(number)


def _report_lines(
    source: Source, fixed: FixedRun, written: str, target: str | None
) -> Iterator[str]:
    """Yield every change, the remaining findings and a summary."""
    path = visible(source.path)
    kinds: dict[tuple[Rule, bool], list[Change]] = {}
    for change in fixed.changes:
        if not _is_always_listed(change):
            kinds.setdefault((change.rule, change.alike), []).append(change)
    first = {id(change) for kind in kinds.values() for change in kind[:SHOWN_CHANGES]}
    rest = {id(kind[:SHOWN_CHANGES][-1]): kind[SHOWN_CHANGES:] for kind in kinds.values()}
    for change in fixed.changes:
        if _is_always_listed(change) or id(change) in first:
            yield _change_line(path, change) + _others(rest.get(id(change), []))
    yield from finding_lines(_with_written_lines(fixed, target))
    for check in fixed.left.unchecked:
        yield f"  not checked: {check}"
    left = fixed.left
    unsafe = left.fixable(Safety.UNSAFE)
    hint = f" ({unsafe:,} fixable with --unsafe)" if unsafe else ""
    summary = left.summary().removeprefix(f"{path}: ")
    yield f"{path}: {quantity(len(fixed.changes), 'change')}, {summary} left{hint}; {written}"


def _others(changes: Sequence[Change]) -> str:
    """Return how many more changes there are of a kind, and in which lines."""
    lines = [change.line for change in changes if change.line]
    where = f": lines {ranges(lines)}" if lines else ""
    return f" (and {len(changes):,} more{where})" if changes else ""


def _is_always_listed(change: Change) -> bool:
    """Tell whether an author has to see a change: it decides something, or a line is gone."""
    return (change.unsafe and not change.alike) or change.loses


def _change_line(path: str, change: Change) -> str:

    location = f"{path}:{change.line}" if change.line else path
    safety = Safety.UNSAFE if change.unsafe else Safety.SAFE
    return f"{location} {change.rule.code} {safety} fix: {change.what}"
