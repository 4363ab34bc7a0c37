"""What kind of file this is, told by how it begins."""

from __future__ import annotations

import re

from ave_score.files.encoding import marked_encoding
from ave_score.files.lines import MAX_LINE
from ave_score.files.source import Source
from ave_score.rules import FileKind

_EDITIONS = r"(?m)^[ \t]*\[[ \t]*editions[ \t]*\."
"""What a campaign file has to say somewhere, and no other."""

_PROLOG = r"(?s)\s*(?:\s|<\?.*?\?>|<!--.*?-->|<!DOCTYPE[^<>\[]*(?:\[[^\]]*\]\s*)?>)*+"
_OUTPUT = rf"{_PROLOG}<(?:\w+:)?output\b"
"""How the answers of a system begin, behind a prolog."""

_PASSED = r"(?:<!--.*?-->|(?!<!--|<(?:\w+:)?(?:q|pair|question)\b).)*+"
_ANSWER_SETS = rf"{_PROLOG}<(?:\w+:)?questions\b{_PASSED}<(?:\w+:)?question\b"
"""How answer sets in XML begin: of a collection, whatever its root, the first question is a <q>."""

_JUDGED = {"q_id", "run", "judgement"}
_QUESTIONS = {"q_id", "question"}
_SCORES = {"q_id", "score"}
_DECIDED = {"judgement", "verdict"}
"""What no table of scores has a column of: judged answers and runs may call a confidence so."""
_RESPONSES = {"q_id", "answer"}


TABLES = {
    FileKind.JUDGED: "a table of judged answers",
    FileKind.GROUPS: "a table of groups",
    FileKind.QUESTIONS: "a table of questions",
    FileKind.CAMPAIGN: "a campaign file",
    FileKind.SCORES: "the scores of a verifier",
    FileKind.RESPONSES: "a table of responses",
}
"""What is found where a file turns out to be one of these."""


def sniff(source: Source) -> FileKind:
    """Return what the file looks like; what looks like nothing else is taken for a run.

    XML is a collection, what a system answered, or answer sets, as is JSON; a table with the
    columns of judged runs, of questions, of responses, of groups, or of scores, is one, and so are
    JSON Lines with scores. A key looks like a run that has lost its confidences, and lines
    `q_id a_id score` like one that has lost its verdicts; both are taken for that.
    """
    text = head_of(source)
    if text.lstrip().startswith("<"):
        return _of_xml(text)
    if re.search(_EDITIONS, text):
        return FileKind.CAMPAIGN
    first = first_line(text)
    if first.lstrip().startswith("{"):
        if _is_score(source):
            return FileKind.SCORES
        return FileKind.ANSWER_SETS if '"questions"' in text else FileKind.RUN
    names = {name.strip() for name in first.split("\t")}
    if names >= _SCORES and names.isdisjoint(_DECIDED):
        return FileKind.SCORES
    if _are_of_responses(names):
        return FileKind.RESPONSES
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
    from ave_score.files.json_lines import keys_of  # most files are no JSON

    head = b""
    for chunk in source.chunks():
        head += chunk
        if len(head) > MAX_LINE or re.search(rb"[^\s\xef\xbb\xbf][\r\n]", head):
            break
    return "score" in keys_of(first_line(_text(head)))


def _of_xml(text: str) -> FileKind:
    if re.match(_OUTPUT, text):
        return FileKind.ANSWERS
    return FileKind.ANSWER_SETS if re.match(_ANSWER_SETS, text) else FileKind.COLLECTION


def _are_of_responses(names: set[str]) -> bool:
    """Tell whether columns are those of responses; a judged file has answers, too."""
    judged = any(name.lower().startswith("judg") for name in names)  # however it is spelt
    return names >= _RESPONSES and not judged and not names >= _QUESTIONS


def _text(head: bytes) -> str:
    return head.decode(marked_encoding(head) or "utf-8", "replace").replace("\0", "")
