"""From files to a collection that can be scored against: its own labels, or those of a key."""

from __future__ import annotations

from dataclasses import replace

from ave_score import rules
from ave_score.align import Placement
from ave_score.findings import Findings
from ave_score.formats.collection import read_collection
from ave_score.formats.key import read_key
from ave_score.formats.source import Source
from ave_score.model import Collection, Label, Verdict


def check_collection(
    source: Source, key: Source | None = None
) -> tuple[Collection | None, list[Findings]]:
    """Read a collection, and the key to it; return it with the findings of each file.

    The collection is None where it, or the key, has a finding that forbids scoring.
    """
    findings = Findings(source.path)
    collection = read_collection(source, findings)
    found = [findings]
    if key is not None and collection is not None and not findings.errors:
        key_findings = Findings(key.path)
        found.append(key_findings)
        collection = _with_key(collection, key, key_findings)
    elif collection is not None and Label.NONE in collection.labels and not findings.errors:
        _require_labels(collection, findings)
    sound = not any(part.errors for part in found)
    return (collection if sound else None), found


def _with_key(collection: Collection, key: Source, findings: Findings) -> Collection:
    placement = Placement(collection.roster, findings)
    for line, q_id, a_id, label in read_key(key, findings):
        if label is None:
            placement.place_unreadable(line, q_id, a_id)
        else:
            placement.place([line], [q_id], [a_id], bytearray([label + 1]), [0.0])
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
    labelled = replace(collection, labels=bytes(labels), key_path=key.path, key_sha256=key.sha256())
    if any(placement.codes):  # else the key holds nothing of this collection: that was said
        _require_labels(labelled, findings)
    return labelled


def _require_labels(collection: Collection, findings: Findings) -> None:
    roster = collection.roster
    for position, label in enumerate(collection.labels):
        if label == Label.NONE:
            findings.add(
                rules.UNLABELLED_ANSWER,
                q_id=roster.q_ids[position],
                a_id=roster.a_ids[position],
            )
