"""Fixing a run: check, fix what can be fixed, check again, until nothing changes."""

from __future__ import annotations

import math
import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Unpack

from ave_score import rules
from ave_score.core.entrants import TableWords, checked, takes
from ave_score.core.errors import InputError, for_one_file
from ave_score.core.findings import Finding, Findings
from ave_score.core.kinds import FileKind
from ave_score.core.model import AnswerIndex
from ave_score.core.reported import Reported
from ave_score.core.text import quantity
from ave_score.core.writing import whole_bytes
from ave_score.files.run import check_run, reader_of
from ave_score.files.run_lines import UNDECIDED
from ave_score.files.sniff import begins_as_table, first_line, head_of, sniff
from ave_score.files.source import Source
from ave_score.rules import Rule, Safety, Told, every_rule
from ave_score.tasks.fix_changes import STAGES, TEXT_STAGES, UNSAFE, Change, Fixer
from ave_score.tasks.fix_document import Document
from ave_score.tasks.fix_layout import REPAIRS
from ave_score.tasks.given import CollectionGiven, Path
from ave_score.tasks.inputs import Inputs

MAX_FIXED = 32 << 20
"""Bytes of the largest run that is fixed: it is held in memory with all its findings."""

MAX_LINES = 1 << 20
"""Lines of the longest run that is fixed: a short line takes a hundred times its size."""

MAX_DEFECTS = 1 << 17
"""Findings of the rules whose defects are fixed: with its change, each takes up to 3 kB."""

_REPAIRS: Mapping[Rule, Sequence[Fixer]] = {}
"""The stage in which `REPAIRS` are made."""

_UNDECIDED = frozenset([rules.FIELD_COUNT, rules.HEADER_UNUSABLE, rules.UNKNOWN_VERDICT])
"""The rules that a run of confidences alone breaks, if no threshold decides."""

_REFUSALS = frozenset([rules.UTF16, rules.BINARY_FILE, rules.OTHER_FORMAT])


@dataclass(frozen=True, repr=False)
class FixedRun(Reported):
    """A run after fixing: its text, the changes, and the findings that are left.

    `to_frame` has a row for each change.

    Attributes
    ----------
    document
        The run, with its original and its current lines.
    changes
        All changes, stage by stage.
    left
        The remaining findings.
    was_read
        Whether the file could be read at all, perhaps after changes: not if it is an archive.
    """

    document: Document
    changes: Sequence[Change]
    left: Findings
    was_read: bool = True

    def __repr__(self) -> str:
        return f"<FixedRun {self.left.path}: {quantity(len(self.changes), 'change')}>"

    @property
    def text(self) -> str:
        """The fixed run; bytes that are not UTF-8 are replacement characters."""
        return self.document.encoded().decode(errors="replace")

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the fixed run to a file; one that exists is replaced.

        Raises
        ------
        InputError
            The file cannot be written.
        """
        with whole_bytes(os.fspath(path)) as out:
            out.write(self.document.encoded())


@takes(TableWords)
def fix(
    path: Path | Source,
    collection: CollectionGiven | None = None,
    *,
    unsafe: bool = False,
    told: Told = every_rule,
    **words: Unpack[TableWords],
) -> FixedRun:
    """Fix a run, and write nothing.

    Parameters
    ----------
    path
        The run; `-` is standard input.
    collection
        The collection of the run, or its path; its labels are not used.
    unsafe
        Whether to make changes that may alter the meaning, too: to choose between contradictory
        lines, to choose the selected answer, to reject missing answers.
    told
        Tells of a `Rule` whether its defects are fixed and reported.
    columns, values
        What columns and words of tables mean, as `read_collection` takes them.

    Returns
    -------
    FixedRun
        Its text, the changes, and the findings that are left; `save` writes it.

    Raises
    ------
    DefectError
        The collection is a path, and the file has errors.
    InputError
        The file cannot be read, is no run, or has more than 32 MiB, 1,048,576 lines or 131,072
        defects of those that are fixed.
    """
    inputs = Inputs(entrants=checked(words, TableWords))
    source = inputs.source(path if isinstance(path, Source) else os.fspath(path), "path")
    check_is_run(source)
    gold = None if collection is None else inputs.collection(collection, labels="ignored")
    index = None if gold is None else gold.index
    return _fixed_run(source, index, told, unsafe=unsafe)


def check_is_run(source: Source) -> None:
    """Raise `InputError` for a file that looks like one of another kind."""
    kind = sniff(source)
    if kind not in (FileKind.RUN, FileKind.TREC_RUN):  # its reader says what that is
        raise InputError(source.path, f"looks like a file of kind {kind}; only runs can be fixed")


@for_one_file
def _fixed_run(source: Source, index: AnswerIndex | None, told: Told, *, unsafe: bool) -> FixedRun:
    """Return a fixed run; raises `InputError` for a file of too many bytes, lines or defects."""
    data = source.whole(MAX_FIXED)
    if data is None:
        raise InputError(source.path, f"holds more than {MAX_FIXED >> 20} MiB, not fixed")
    run, findings = _first_checked(_Fixing(source, Document(data), index, told, unsafe))
    stages = _possible_stages(run, findings)
    if stages and max(map(data.count, (b"\n", b"\r"))) > MAX_LINES:
        raise InputError(source.path, f"has more than {MAX_LINES:,} lines, not fixed")
    changes, findings = _through(stages, run, findings)
    gone = {rule for stage in STAGES if stage not in stages for rule in stage}
    left = findings.filtered(told).changed(
        lambda finding: finding._replace(fix=Safety.NONE) if finding.rule in gone else finding
    )
    return FixedRun(run.document, changes, left, not _refusals(findings))


@dataclass(frozen=True)
class _Fixing:
    """A run that is being fixed, and which defects are."""

    source: Source
    document: Document
    index: AnswerIndex | None
    told: Told
    unsafe: bool


def _through(
    stages: list[Mapping[Rule, Sequence[Fixer]]], run: _Fixing, findings: Findings
) -> tuple[list[Change], Findings]:
    """Make the fixes of all stages, without those that have to be undone.

    Returns the changes, and the findings that are left.
    """
    changes: list[Change] = []
    if stages:
        run.document.keep()
    stages.insert(TEXT_STAGES, _REPAIRS)  # of what can be read, before rows are added
    at = 0
    while at < len(stages):
        _check_number(run, findings)
        made: list[Change] = []
        if {one.rule for one in findings if one.fix is not Safety.NONE} & stages[at].keys():
            _read(run)
            made = _fixed(stages[at], run, findings.filtered(run.told))
        after = _checked(run) if made else findings
        if stages[at] is _REPAIRS:
            after, made = _repaired(run, findings)
            if made and len(stages) == 1:  # there may be more to fix now
                stages += _possible_stages(run, after)
        if not made:
            at += 1
        elif _refusals(after) - _refusals(findings):
            # the fix makes the file look like another kind: undo it
            run.document.undo()
            del stages[at]
        else:
            run.document.keep()
            changes += made
            if rules.ANSWER_MISSING in stages[at]:
                del stages[at]  # added lines are not added again, however they are read
            findings, at = after, 0  # a fix may reveal further findings
    return changes, findings


def _repaired(run: _Fixing, findings: Findings) -> tuple[Findings, list[Change]]:
    """Make the repairs after which fewer errors are left; return what is left, and the changes."""
    changes, document = list[Change](), run.document
    if not document.encoding.startswith("utf-8"):
        return findings, changes
    for repair in REPAIRS:
        asking = [rule for rule in repair.rules if findings.counts[rule] and run.told(rule)]
        if not asking or (repair.unsafe and not run.unsafe):
            continue
        if max(map(document.encoded().count, (b"\n", b"\r"))) > MAX_LINES:
            break  # what else can be fixed says that there are too many
        document.keep()
        if repair.reads:
            _read(run)
        made = repair.made(document, run.index, asking[0])
        after = _checked(run) if made else findings
        if after.errors < findings.errors:
            findings, changes = after, [*changes, *made]
        else:
            document.undo()
    return findings, changes


def _check_number(run: _Fixing, findings: Findings) -> None:
    """Raise `InputError` if there are too many findings of rules whose defects are fixed."""
    number = findings.fixable(Safety.SAFE) + run.unsafe * findings.fixable(Safety.UNSAFE)
    if number > MAX_DEFECTS:
        raise InputError(run.source.path, f"has more than {MAX_DEFECTS:,} defects, not fixed")


def _possible_stages(run: _Fixing, findings: Findings) -> list[Mapping[Rule, Sequence[Fixer]]]:
    """Return the stages of fixes that a file can go through; no fix of others is promised."""
    if not (findings.fixable(Safety.SAFE) or findings.fixable(Safety.UNSAFE)):
        return []
    # if no line was read, only a known encoding can be fixed
    if _refusals(findings) and run.document.encoding not in ("utf-16", "utf-32"):
        return []
    return [*(STAGES if _has_a_row_per_line(run) else STAGES[:TEXT_STAGES])]


def _refusals(findings: Findings) -> frozenset[Rule]:
    """Return the broken rules that stop a file from being read."""
    return _REFUSALS & findings.counts.keys()


def _has_a_row_per_line(run: _Fixing) -> bool:
    """Tell whether no quoted field of a table has several lines."""
    source = run.source
    if not begins_as_table(source) or first_line(head_of(source)).lstrip().startswith("{"):
        return True
    return not any(line.text.count('"') % 2 for line in run.document.lines)


def _first_checked(run: _Fixing) -> tuple[_Fixing, Findings]:
    """Return a run, as a threshold reads it if only so any line is readable, and its findings."""
    source, findings = run.source, _checked(run)
    if _UNDECIDED.isdisjoint(findings.counts):
        return run, findings
    naming = source.naming._replace(is_decided=True)
    decided = replace(run, source=Source.holding(source.path, run.document.encoded(), naming))
    has_confidence = []
    for read_as in (run, decided):
        _read(read_as)
        has_confidence.append(not all(map(math.isnan, run.document.confidences.values())))
    if has_confidence != [False, True]:
        return run, findings
    return decided, _checked(decided)


def _now(run: _Fixing) -> Source:
    """Return the source of the current lines."""
    return Source.holding(run.source.path, run.document.encoded(), run.source.naming)


def _read(run: _Fixing) -> None:
    """Read the current lines: their notation, and how confident they are."""
    document = run.document
    document.reader = reader_of(_now(run), run.index, Findings(run.source.path))
    document.confidences = {
        line: value
        for rows in document.reader.blocks()
        for line, value in zip(rows.lines, rows.values, strict=True)
    }


def _checked(run: _Fixing) -> Findings:
    _, (findings,) = check_run(_now(run), run.index, keep=MAX_DEFECTS)
    if run.source.naming.is_decided:
        findings.skip(f"verdicts, of which there are none{UNDECIDED}")
    return findings


def _fixed(stage: Mapping[Rule, Sequence[Fixer]], run: _Fixing, findings: Findings) -> list[Change]:
    by_rule: dict[Rule, list[Finding]] = {}
    for finding in findings:
        if finding.fix is not Safety.NONE:
            by_rule.setdefault(finding.rule, []).append(finding)
    made = [
        change._replace(unsafe=fixer in UNSAFE)
        for rule, fixers in stage.items()
        for fixer in fixers
        if rule in by_rule and (run.unsafe or fixer not in UNSAFE)
        for change in fixer(run.document, by_rule[rule])
    ]
    return sorted(made, key=lambda change: change.line or sys.maxsize)
