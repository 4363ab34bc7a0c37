"""What kind of file this is, told by how it begins."""

from __future__ import annotations

import re
from itertools import islice

from ave_score.formats.judged import NEEDED
from ave_score.formats.source import Source
from ave_score.model import LABELS
from ave_score.rules import FileKind

_LINE_END = re.compile(r"\r\n|\r|\n")
_MARKS = ((b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"), (b"\xef\xbb\xbf", "utf-8-sig"))


def sniff(source: Source) -> FileKind:
    """Return what the file looks like; what looks like nothing else is taken for a run.

    XML is a collection, a table with the columns of judged runs (or of groups) is one, lines of two
    ids and a gold label are a key.
    """
    head = next(source.chunks(), b"")
    text = _text(head)
    if text.lstrip().startswith("<"):
        return FileKind.COLLECTION
    lines = [line for line in _LINE_END.split(text) if line.strip() and not line.startswith("#")]
    if not lines:
        return FileKind.RUN
    names = {name.strip() for name in lines[0].split("\t")}
    if len(names & set(NEEDED)) >= 2:
        return FileKind.JUDGED
    if names == {"run", "group"}:
        return FileKind.GROUPS
    rows = [line.split() for line in islice(lines, 50)]
    labelled = sum(len(row) == 3 and row[2].upper() in LABELS for row in rows)
    return FileKind.KEY if labelled * 2 > len(rows) else FileKind.RUN


def _text(head: bytes) -> str:
    encoding = next((name for mark, name in _MARKS if head.startswith(mark)), "utf-8")
    return head.decode(encoding, "replace").replace("\0", "")
