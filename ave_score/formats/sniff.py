"""What kind of file this is, told by how it begins."""

from __future__ import annotations

from ave_score.formats.encoding import marked_encoding
from ave_score.formats.source import Source
from ave_score.rules import FileKind

_JUDGED = {"q_id", "run", "judgement"}


def sniff(source: Source) -> FileKind:
    """Return what the file looks like; what looks like nothing else is taken for a run.

    XML is a collection; a table with the columns of judged runs, or of groups, is one. A key looks
    like a run that has lost its confidences, and is taken for that.
    """
    text = _text(next(source.chunks(), b""))
    if text.lstrip().startswith("<"):
        return FileKind.COLLECTION
    lines = text.replace("\r", "\n").split("\n")
    first = next((line for line in lines if line.strip() and not line.startswith("#")), "")
    names = {name.strip() for name in first.split("\t")}
    if len(names & _JUDGED) >= 2:
        return FileKind.JUDGED
    return FileKind.GROUPS if names == {"run", "group"} else FileKind.RUN


def _text(head: bytes) -> str:
    return head.decode(marked_encoding(head) or "utf-8", "replace").replace("\0", "")
