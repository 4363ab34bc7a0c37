"""What begins like a file of another format: its name, and what to do about it."""

from __future__ import annotations

import re

from ave_score.core.kinds import KINDS, FileKind
from ave_score.core.text import COLUMNS_SAY, excerpt
from ave_score.files.source import Source

XML = "XML or HTML"
JSON = "JSON"
OTHER_COLUMNS = "a table with other columns"

_KEY = re.compile(r'[{,]\s*"([^"\\]+)"\s*:')
"""A key of an object in one line."""
_RTF = b"{\\rtf"
_BEGINNINGS = {
    _RTF: "rich text (RTF)",
    b"<": XML,
    b"[": JSON,
    b"{": JSON,
    b"%PDF-": "a PDF document",
}
_SUMMARY = re.compile(rb'\{\s*"results"\s*:\s*\{')
"""The beginning of the results of lm-evaluation-harness."""

_TREC_RUN = re.compile(
    rb"(?![^\s]*[,;])" + KINDS[FileKind.TREC_RUN].line.encode() + rb"(?=[\r\n]|\Z)"
)
"""A line of a TREC run, but not a header with a column that is named like its second field."""


def foreign(sample: bytes, source: Source | None = None) -> str | None:
    """Return the name of a foreign format that starts like this, or None."""
    bare = sample.lstrip()
    for beginning, kind in _BEGINNINGS.items():
        if bare.startswith(beginning):
            return OTHER_COLUMNS if source is not None and source.has_rows else kind
    return KINDS[FileKind.TREC_RUN].called if _TREC_RUN.match(bare) else None


def hint_of(sample: bytes) -> str:
    """Return the end of a message about RTF, or JSON that is not JSON Lines with known keys."""
    begun = sample.lstrip()
    first = begun.partition(b"\n")[0].rstrip()
    if begun.startswith(_RTF):
        return "; save it as plain text"
    if begun.startswith(b"["):
        return "; write one object per line, e.g. jq -c '.[]' OLD > NEW"
    if _SUMMARY.match(begun):
        return "; a summary of lm-evaluation-harness, whose samples_*.jsonl have the answers"
    if first == b"{":
        return "; write each object on one line, e.g. jq -c . OLD > NEW"
    if first.endswith((b"},", b",}")):
        return "; remove the last comma of each line"
    if begun.startswith(b"{"):
        keys = excerpt(", ".join(_KEY.findall(first.decode("utf-8", "replace"))))
        if keys:
            return f"{COLUMNS_SAY}; it has {keys}"
        return "; --columns says which key is which, e.g. q_id=id,a_id=candidate"
    return ""
