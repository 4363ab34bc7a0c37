"""From a key file to labels placed on a roster."""

from __future__ import annotations

from ave_score import rules
from ave_score.align import Placement
from ave_score.checks.located import FIELDS, locate
from ave_score.files.key import read_key
from ave_score.files.source import Source
from ave_score.findings import Findings
from ave_score.model import Label, Roster


def check_key(source: Source, roster: Roster | None) -> tuple[bytes | None, list[Findings]]:
    """Read a key; return a label for each answer of the roster, with the findings.

    The labels are None where a finding forbids scoring with the key. Without a roster the key is
    placed on the answers that it names itself.
    """
    findings = Findings(source.path)
    own = roster is None
    if roster is None:
        rows = read_key(source, Findings(source.path))  # place_key hears what is wrong with them
        roster = Roster.naming((row.q_id, row.a_id) for row in rows)
        findings.skip("unknown and missing answers (AVE201-AVE203, AVE407): no collection given")
    placement = place_key(source, roster, findings)
    labels = bytes(code - 1 if code else Label.NONE for code in placement.codes)
    if not own and placement.named:
        report_unlabelled(roster, labels, findings)
    locate(source, findings, FIELDS)
    return (None if findings.errors else labels), [findings]


def place_key(source: Source, roster: Roster, findings: Findings) -> Placement:
    """Read a key onto a roster; the codes of the placement are `Label` + 1."""
    placement = Placement(roster, findings)
    for line, q_id, a_id, label, sure in read_key(source, findings):
        if label is None:
            placement.place_unreadable(line, q_id, a_id, sure=sure)
        else:
            placement.place([line], [q_id], [a_id], bytearray([label + 1]), [0.0])
    return placement


def report_unlabelled(roster: Roster, labels: bytes | bytearray, findings: Findings) -> None:
    """Report every answer that has no label."""
    for position, label in enumerate(labels):
        if label == Label.NONE:
            q_id, a_id = roster.q_ids[position], roster.a_ids[position]
            findings.add(rules.UNLABELLED_ANSWER, q_id=q_id, a_id=a_id)
