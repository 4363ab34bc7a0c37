"""What kind of file this is, told by how it begins."""

from __future__ import annotations

import re

from ave_score.formats.encoding import marked_encoding
from ave_score.formats.lines import MAX_LINE
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
_SCORES = {"q_id", "score"}
_DECIDED = {"judgement", "verdict"}
"""What no table of scores has a column of: judged answers and runs may call a confidence so."""


TABLES = {
    FileKind.JUDGED: "a table of judged answers",
    FileKind.GROUPS: "a table of groups",
    FileKind.QUESTIONS: "a table of questions",
    FileKind.CAMPAIGN: "a campaign file",
    FileKind.SCORES: "the scores of a verifier",
}
"""What is found where a file turns out to be one of these."""


def sniff(source: Source) -> FileKind:
    """Return what the file looks like; what looks like nothing else is taken for a run.

    XML is a collection, or what a system answered; a table with the columns of judged runs, of
    questions, of groups, or of scores, is one, and so are JSON Lines with scores. A key looks like
    a run that has lost its confidences, and lines `q_id a_id score` like one that has lost its
    verdicts; both are taken for that.
    """
    text = head_of(source)
    if text.lstrip().startswith("<"):
        return FileKind.ANSWERS if re.match(_OUTPUT, text) else FileKind.COLLECTION
    if re.search(_EDITIONS, text):
        return FileKind.CAMPAIGN
    first = first_line(text)
    if first.lstrip().startswith("{"):
        return FileKind.SCORES if _is_score(source) else FileKind.RUN
    names = {name.strip() for name in first.split("\t")}
    if names >= _SCORES and names.isdisjoint(_DECIDED):
        return FileKind.SCORES
    if len(names & _JUDGED) >= 2:
        return FileKind.JUDGED
    if names >= _QUESTIONS:
        return FileKind.QUESTIONS
    return FileKind.GROUPS if names == {"run", "group"} else FileKind.RUN


def head_of(source: Source) -> str:
    """Return the beginning of a file as text, whatever its encoding."""
    return _text(next(source.chunks(), b""))


def first_line(text: str) -> str:
    """Return the first line that is neither blank nor a comment."""
    lines = text.replace("\r", "\n").split("\n")
    return next((line for line in lines if line.strip() and not line.startswith("#")), "")


def _is_score(source: Source) -> bool:
    """Tell whether the first line, which begins with a brace, is an object with a score.

    Only the whole line tells; a document that goes over several has none.
    """
    from ave_score.formats.json_lines import keys_of  # most files are no JSON

    head = b""
    for chunk in source.chunks():
        head += chunk
        if len(head) > MAX_LINE or re.search(rb"[^\s\xef\xbb\xbf][\r\n]", head):
            break
    return "score" in keys_of(first_line(_text(head)))


def _text(head: bytes) -> str:
    return head.decode(marked_encoding(head) or "utf-8", "replace").replace("\0", "")
