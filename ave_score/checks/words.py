"""From a file to a list of words."""

from __future__ import annotations

from ave_score import rules
from ave_score.files.lines import LineReader
from ave_score.files.source import Source
from ave_score.findings import Findings


def check_words(source: Source) -> tuple[list[str] | None, list[Findings]]:
    """Read one word a line; None, with findings, where the file is no such list.

    Lines that begin with # are comments.
    """
    findings = Findings(source.path)
    words = [
        line.strip()
        for block in LineReader(source, findings, "a list of words", has_texts=True).blocks()
        for _, line in block.lines()
        if not line.startswith("#")
    ]
    if not any(words) and not findings.errors:
        findings.add(rules.EMPTY_FILE, expected="words in it")
    return (None if findings.errors else words), [findings]
