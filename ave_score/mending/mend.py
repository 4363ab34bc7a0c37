"""Mending a run: check, fix what can be fixed, check again, until nothing changes."""

from __future__ import annotations

import sys
from typing import NamedTuple

from ave_score.checks.run import check_run
from ave_score.errors import InputError
from ave_score.findings import Finding, Findings
from ave_score.formats.source import Source
from ave_score.mending.document import Document
from ave_score.mending.fixes import STAGES, UNSAFE, Change
from ave_score.model import Roster
from ave_score.rules import Rule

MAX_MENDED = 1 << 30
"""Bytes of the largest run that is mended: it is held in memory."""


class Mended(NamedTuple):
    """A run after mending.

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


def mend(source: Source, roster: Roster | None = None, *, unsafe: bool = False) -> Mended:
    """Mend a run.

    Parameters
    ----------
    roster
        The answers of the collection that the run is about, if that is known.
    unsafe
        Whether to mend also what decides something for the author of the run.

    Raises
    ------
    InputError
        The file cannot be read, or is too large to be mended.
    """
    document = Document(_whole(source))
    changes: list[Change] = []
    while True:
        now = Source.holding(source.path, document.encoded())
        _, (findings,) = check_run(now, roster, keep=sys.maxsize)
        made = _next_stage(document, findings, unsafe=unsafe)
        if not made:
            return Mended(document, changes, findings)
        changes += made


def _whole(source: Source) -> bytes:
    chunks, size = [], 0
    for chunk in source.chunks():
        size += len(chunk)
        if size > MAX_MENDED:
            raise InputError(source.path, f"holds more than {MAX_MENDED >> 30} GiB, not mended")
        chunks.append(chunk)
    return b"".join(chunks)


def _next_stage(document: Document, findings: Findings, *, unsafe: bool) -> list[Change]:
    """Make the fixes of the first stage that has any to make."""
    found: dict[Rule, list[Finding]] = {}
    for one in findings:
        found.setdefault(one.rule, []).append(one)
    for stage in STAGES:
        made = [
            change
            for rule, fixers in stage.items()
            for fixer in fixers
            if rule in found and (unsafe or fixer not in UNSAFE)
            for change in fixer(document, found[rule])
        ]
        if made:
            return made
    return []
