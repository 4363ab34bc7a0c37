"""What kind of file this is, told by how it begins."""

from __future__ import annotations

import re

from ave_score.formats.encoding import marked_encoding
from ave_score.formats.source import Source
from ave_score.rules import FileKind

_EDITIONS = r"(?m)^[ \t]*\[[ \t]*editions[ \t]*\."
"""What a campaign file has to say somewhere, and no other."""

_OUTPUT = (
    r"(?s)\s*(?:\s|<\?.*?\?>|<!--.*?-->|<!DOCTYPE[^<>\[]*(?:\[[^\]]*\]\s*)?>)*+<(?:\w+:)?output\b"
)
"""How the answers of a system begin, behind a prolog."""

_JUDGED = {"q_id", "run", "judgement"}
_QUESTIONS = {"q_id", "question"}


TABLES = {
    FileKind.JUDGED: "a table of judged answers",
    FileKind.GROUPS: "a table of groups",
    FileKind.QUESTIONS: "a table of questions",
    FileKind.CAMPAIGN: "a campaign file",
}
"""What is found where a file turns out to be one of these."""


def sniff(source: Source) -> FileKind:
    """Return what the file looks like; what looks like nothing else is taken for a run.

    XML is a collection, or what a system answered; a table with the columns of judged runs, of
    questions, or of groups, is one. A key looks like a run that has lost its confidences, and is
    taken for that.
    """
    text = _text(next(source.chunks(), b""))
    if text.lstrip().startswith("<"):
        return FileKind.ANSWERS if re.match(_OUTPUT, text) else FileKind.COLLECTION
    if re.search(_EDITIONS, text):
        return FileKind.CAMPAIGN
    lines = text.replace("\r", "\n").split("\n")
    first = next((line for line in lines if line.strip() and not line.startswith("#")), "")
    names = {name.strip() for name in first.split("\t")}
    if len(names & _JUDGED) >= 2:
        return FileKind.JUDGED
    if names >= _QUESTIONS:
        return FileKind.QUESTIONS
    return FileKind.GROUPS if names == {"run", "group"} else FileKind.RUN


def _text(head: bytes) -> str:
    return head.decode(marked_encoding(head) or "utf-8", "replace").replace("\0", "")
