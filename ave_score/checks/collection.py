"""From files to a collection that can be scored against: its own labels, or those of a key."""

from __future__ import annotations

from dataclasses import replace

from ave_score import rules
from ave_score.checks.located import FIELDS, locate
from ave_score.errors import UsageError
from ave_score.files.collection import locate_unlabelled, read_collection
from ave_score.files.collection_builder import Labels
from ave_score.files.source import Source
from ave_score.findings import Findings
from ave_score.model import Collection, Label, Verdict


def check_collection(
    source: Source, key: Source | None = None, *, needs_labels: bool = True
) -> tuple[Collection | None, list[Findings]]:
    """Read a collection, and the key to it; return it with the findings of each file.

    The collection is None where it, or the key, has a finding that forbids scoring. Labels may be
    absent from all answers where none are needed.
    """
    findings = Findings(source.path)
    collection = read_collection(source, findings)
    found = [findings]
    if collection is not None and not findings.errors:
        if key is not None and collection.roster.is_pairs:
            raise UsageError(f"a key labels answers to questions, and {source.path} has pairs")
        if key is not None:
            key_findings = Findings(key.path)
            found.append(key_findings)
            collection = _with_key(collection, key, key_findings)
        elif Label.NONE in collection.labels and (needs_labels or len({*collection.labels}) > 1):
            locate_unlabelled(source, findings)
    locate(source, findings, {})
    sound = not any(part.errors for part in found)
    return (collection if sound else None), found


def check_test_collection(source: Source) -> tuple[Collection | None, list[Findings]]:
    """Read a collection without a look at its labels, as if there were none.

    So nothing that follows, no finding and no message, can tell anything of them.
    """
    findings = Findings(source.path)
    collection = read_collection(source, findings, Labels.IGNORED)
    return (None if findings.errors else collection), [findings]


def _with_key(collection: Collection, key: Source, findings: Findings) -> Collection:
    from ave_score.checks.key import place_key, report_unlabelled  # few have a key

    placement = place_key(key, collection.roster, findings)
    labels = bytearray(collection.labels)
    for position, code in enumerate(placement.codes):
        own = labels[position]
        if code == Verdict.UNREADABLE:
            labels[position] = Label.UNKNOWN  # complained of already
        elif code and own in (Label.NONE, code - 1):
            labels[position] = code - 1
        elif code:
            findings.add(
                rules.LABEL_CONFLICT,
                placement.lines[position],
                found=Label(code - 1).name,
                expected=Label(own).name,
            )
    locate(key, findings, FIELDS)
    labelled = replace(collection, labels=bytes(labels), key_path=key.path, key_sha256=key.sha256())
    if placement.named:  # else the key holds nothing of this collection: that was said
        report_unlabelled(collection.roster, labels, findings)
    return labelled
