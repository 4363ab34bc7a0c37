"""From a file to what is scored against: a collection, or a judged file with its own systems."""

from __future__ import annotations

from typing import NamedTuple

from ave_score.checks.collection import check_collection
from ave_score.errors import UsageError
from ave_score.files.sniff import sniff
from ave_score.files.source import Source
from ave_score.findings import Findings
from ave_score.model import Collection, JudgedRun
from ave_score.rules import FileKind


class Gold(NamedTuple):
    """What is scored against, and the systems that came with it."""

    collection: Collection
    systems: list[JudgedRun]


def check_gold(
    source: Source, key: Source | None, campaign: str
) -> tuple[Gold | None, list[Findings]]:
    """Read a collection with its labels, or a judged file, whichever it is.

    A judged file is its own gold standard, and holds the systems to be scored; a key to one raises
    `UsageError`. None where a finding forbids scoring.
    """
    if sniff(source) is not FileKind.JUDGED:
        collection, found = check_collection(source, key)
        return (None if collection is None else Gold(collection, [])), found
    if key is not None:
        raise UsageError(f"a key (--key) labels a collection, and {source.path} is a judged file")
    from ave_score.checks.judged import check_judged_gold  # most are collections

    judged, found = check_judged_gold(source, campaign)
    return (None if judged is None else Gold(*judged)), found
