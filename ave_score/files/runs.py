"""AVE runs: `q_id a_id SELECTED|VALIDATED|REJECTED confidence`, one line an answer.

Those of AVE 2006 are about text-hypothesis pairs: `pair_id YES|NO`, and perhaps a confidence.
Fields are separated by blanks or tabs; blank lines, and lines that begin with `#`, are skipped.
A block of clean lines is taken apart in a few bulk operations; a block in which anything is odd
goes through the line-by-line reader, which finds out what.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import NamedTuple

from ave_score import rules
from ave_score.files.lines import Block, LineReader
from ave_score.files.run_line import ANSWERS, PAIRS, Headers, Layout, RunLine
from ave_score.files.sniff import sniff
from ave_score.files.source import Source
from ave_score.findings import Findings
from ave_score.model import VERDICTS, Roster
from ave_score.rules import FileKind

_PAIR_LINES = (
    rb"(?i)(?:\xef\xbb\xbf)?(?:[ \t]*(?:#[^\r\n]*)?[\r\n])*"
    rb"(?:pair\S*[ \t][^\r\n]*[\r\n]+)?[ \t]*\S+[ \t]+(?:YES|NO)\b(?:[ \t]+\S+)?[ \t]*(?:[\r\n]|$)"
)
"""How a run of pairs begins, behind comments and perhaps a line that names the columns."""


class Rows(NamedTuple):
    """Rows of a run as columns, all of one length, and the answers of unreadable lines.

    A row with a finding is among them if its verdict can be told; a confidence that cannot is NaN.
    `unreadable` holds (line, q_id, a_id, sure) of lines with a finding, where these could be told:
    such an answer is not missing, but nothing is known of it. `sure` is whether only the verdict
    was at fault, so that the ids stand where they belong.
    """

    lines: Sequence[int]
    q_ids: list[str]
    a_ids: list[str]
    verdicts: bytearray
    confidences: list[float]
    unreadable: Sequence[tuple[int, str, str, bool]] = ()


def layout_of(source: Source) -> Layout:
    """Return the layout that a run seems to have, by its first lines."""
    return PAIRS if re.match(_PAIR_LINES, next(source.chunks(), b"")) else ANSWERS


def read_rows(source: Source, findings: Findings, layout: Layout = ANSWERS) -> Iterator[Rows]:
    """Yield the rows of a run, block by block, adding findings about its lines."""
    reader = LineReader(source, findings, "an AVE run", if_xml=lambda: _hint_of_xml(source))
    headers = Headers()
    empty = True
    for block in reader.blocks():
        rows = _clean_rows(block) if layout is ANSWERS else None
        rows = rows or _careful_rows(block, findings, headers, layout)
        headers.begun = headers.begun or bool(rows.lines)
        empty = empty and not rows.lines and not rows.unreadable
        yield rows
    if empty and not findings.errors:
        findings.add(rules.EMPTY_FILE, expected="answers in it")


def _hint_of_xml(source: Source) -> str:
    """Return as the end of a message what XML in the place of a run may be."""
    if sniff(source) is FileKind.ANSWERS:
        return "; `check --kind answers` reads the answers of a system"
    return rules.SWAPPED


def own_roster(source: Source, layout: Layout = ANSWERS) -> Roster:
    """Return the roster of the answers that a run names itself, in the order of its lines."""
    unheard = Findings(source.path)  # whoever reads the rows next hears it all again
    named = (
        ids
        for rows in read_rows(source, unheard, layout)
        for ids in chain(
            zip(rows.q_ids, rows.a_ids, strict=True),
            ((q_id, a_id) for _, q_id, a_id, _ in rows.unreadable),
        )
    )
    return Roster.of_pairs(a_id for _, a_id in named) if layout is PAIRS else Roster.naming(named)


def _clean_rows(block: Block) -> Rows | None:
    """Take a block apart in bulk; None where any line is not beyond doubt."""
    text = block.text
    if block.bad or text.startswith("#") or "\n#" in text:
        return None
    # With line ends as a field of their own, every fifth field is one exactly if every line has
    # four fields with one separator between them.
    fields = text.replace("\t", " ").replace("\n", " \n ").split(" ")
    fields.pop()
    q_ids, a_ids, words, numbers, ends = (fields[column::5] for column in range(5))
    if not len(fields) == 5 * len(ends) == 5 * ends.count("\n") == 5 * text.count("\n"):
        return None
    if not ends or "" in q_ids or "" in a_ids:
        return None
    try:
        verdicts = bytearray(map(VERDICTS.__getitem__, words))
        confidences = list(map(float, numbers))
    except (KeyError, ValueError):
        return None
    # float() takes 1_000 and the digits of other scripts; a confidence is plainer than that
    spelling = "".join(numbers)
    if "_" in spelling or not spelling.isascii():
        return None
    # a sum that is finite has no NaN in it, which min and max would overlook
    if not math.isfinite(sum(confidences)) or min(confidences) < 0.0 or max(confidences) > 1.0:
        return None
    return Rows(range(block.first, block.first + len(ends)), q_ids, a_ids, verdicts, confidences)


def _careful_rows(block: Block, findings: Findings, headers: Headers, layout: Layout) -> Rows:
    """Read a block line by line and say what is wrong with each."""
    accepted: list[tuple[int, str, str, int, float]] = []
    unreadable: list[tuple[int, str, str, bool]] = []
    for number, text, fields in block.rows():
        line = RunLine(number, text, fields, findings, layout)
        is_header = headers.has(fields)
        bad = number in block.bad
        decision = None if bad else line.decision(is_header=is_header)
        if decision:
            accepted.append((number, *line.ids, *decision))
        elif len(fields) >= layout.ids:
            sure = not bad and line.has_right_width and not is_header
            unreadable.append((number, *line.ids, sure))
    columns = list(map(list, zip(*accepted, strict=True))) or [[] for _ in Rows._fields[:5]]
    lines, q_ids, a_ids, verdicts, confidences = columns
    return Rows(lines, q_ids, a_ids, bytearray(verdicts), confidences, unreadable)
