"""Fixing a run: check, fix what can be fixed, check again, until nothing changes."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from ave_score import rules
from ave_score.errors import InputError
from ave_score.files.run import check_run
from ave_score.files.source import Source
from ave_score.findings import Finding, Findings
from ave_score.fixing.document import Document
from ave_score.fixing.fixes import STAGES, UNSAFE, Change, Fixer
from ave_score.model import AnswerIndex
from ave_score.rules import Rule, Safety

MAX_FIXED = 32 << 20
"""Bytes of the largest run that is fixed: it is held in memory, with everything found in it."""


_REFUSALS = frozenset([rules.UTF16, rules.BINARY_FILE, rules.OTHER_FORMAT])


class FixedRun(NamedTuple):
    """A run after fixing.

    Attributes
    ----------
    document
        The run, with its lines as they were and as they are.
    changes
        Everything that was changed, stage by stage.
    left
        What is still wrong with it.
    """

    document: Document
    changes: list[Change]
    left: Findings


def fix_run(source: Source, index: AnswerIndex | None = None, *, unsafe: bool = False) -> FixedRun:
    """Fix a run.

    Parameters
    ----------
    index
        The answers of the collection that the run is about, if that is known.
    unsafe
        Whether to fix also what decides something for the author of the run.

    Raises
    ------
    InputError
        The file cannot be read, or is too large to be fixed.
    """
    data = source.whole(MAX_FIXED)
    if data is None:
        raise InputError(source.path, f"holds more than {MAX_FIXED >> 20} MiB, not mended")
    document = Document(data)
    changes: list[Change] = []
    findings = _checked(source, document, index)
    # of a file of which no line was read only the encoding can be fixed, if it is known
    is_text = not _refusals(findings) or document.encoding in ("utf-16", "utf-32")
    stages = list(STAGES) if is_text else []
    at = 0
    while at < len(stages):
        made = _fixed(stages[at], document, findings, unsafe=unsafe)
        after = _checked(source, document, index) if made else findings
        if not made:
            at += 1
        elif _refusals(after) - _refusals(findings):
            # with what it begins with now it looks like another kind of file: better as it was
            document.undo()
            del stages[at]
        else:
            document.keep()
            changes += made
            findings, at = after, 0  # what was fixed may show what was hidden
    return FixedRun(document, changes, findings)


def _refusals(findings: Findings) -> frozenset[Rule]:
    """Return the rules for which no line of the file was read."""
    return _REFUSALS & findings.counts.keys()


def _checked(source: Source, document: Document, index: AnswerIndex | None) -> Findings:
    now = Source.holding(source.path, document.encoded())
    _, (findings,) = check_run(now, index, keep=sys.maxsize)
    return findings


def _fixed(
    stage: Mapping[Rule, Sequence[Fixer]], document: Document, findings: Findings, *, unsafe: bool
) -> list[Change]:
    """Make the fixes of a stage."""
    found: dict[Rule, list[Finding]] = {}
    for one in findings:
        if one.fix is not Safety.NONE:
            found.setdefault(one.rule, []).append(one)
    made = [
        change._replace(unsafe=fixer in UNSAFE)
        for rule, fixers in stage.items()
        for fixer in fixers
        if rule in found and (unsafe or fixer not in UNSAFE)
        for change in fixer(document, found[rule])
    ]
    return sorted(made, key=lambda change: change.line or sys.maxsize)
