"""Collections: XML, tables or JSON Lines."""

from __future__ import annotations

import re

from ave_score import rules
from ave_score.core.findings import Findings
from ave_score.core.kinds import KINDS
from ave_score.core.labels import PAIR_VERDICTS, VERDICTS, Labels
from ave_score.core.model import Collection
from ave_score.files.collection_texts import TextReader
from ave_score.files.collection_xml import EXPECTED, CollectionReader
from ave_score.files.encoding import is_archive
from ave_score.files.foreign import OTHER_COLUMNS, foreign, hint_of
from ave_score.files.sniff import (
    column_names,
    delimiter_of,
    first_line,
    has_column,
    has_systems,
    has_two_columns,
    head_of,
    is_table,
    sniff,
    sniff_gold,
)
from ave_score.files.source import Source
from ave_score.files.xml import read_xml
from ave_score.rules import FileKind

_RUN_LINE = (
    rf"(?im)^\S+[ \t]+(\S+[ \t]+({'|'.join(VERDICTS)})|{'|'.join(PAIR_VERDICTS)})\b".encode()
)


def read_collection(
    source: Source,
    findings: Findings,
    wanted: Labels = Labels.OPTIONAL,
    *,
    with_texts: bool = False,
) -> Collection | None:
    """Read a collection; None, with findings, if it cannot be scored.

    `wanted` tells how labels are read.
    """
    if sniff_gold(source) is FileKind.QRELS:
        from ave_score.files.qrels import read_qrels  # most are XML

        return read_qrels(source, findings, wanted)
    if has_two_columns(source):
        source.naming = source.naming._replace(names={"pair_id": "1", "label": "2"})
    if _is_table(source):
        from ave_score.files.collection_table import read_collection_table

        return read_collection_table(source, findings, wanted, with_texts=with_texts)
    if not _looks_like_xml(source, findings):
        return None
    return _read_xml(source, findings, wanted, with_texts=with_texts)


def _read_xml(
    source: Source, findings: Findings, wanted: Labels, *, with_texts: bool
) -> Collection | None:
    """Read a collection in XML, as `read_collection`."""
    if wanted is not Labels.IGNORED:  # without labels the hash is not used
        source.expect_hash()
    kind = TextReader if with_texts else CollectionReader
    reader = read_xml(source, kind(findings, wanted, source.naming.values))
    if reader is None:
        return None
    if not reader.questions and not reader.a_ids:
        findings.add(rules.NO_QUESTIONS)
        return None
    return Collection(
        source.path,
        "" if wanted is Labels.IGNORED else source.sha256(),
        reader.index(),
        reader.all_labels(),
        tuple(reader.languages),
        reader.available,
        grades=reader.grades,
        attributes=reader.attributes,
        texts=reader.texts() if isinstance(reader, TextReader) else None,
    )


def locate_unlabelled(source: Source, findings: Findings) -> None:
    """Report every answer without a label, with its position, in an otherwise valid file."""
    again = Findings(source.path)
    read_collection(source, again, Labels.NEEDED)
    findings.extend_with(again, rules.UNLABELLED_ANSWER)


def _is_table(source: Source) -> bool:
    """Tell whether a collection is a table or JSON Lines."""
    is_xml = source.head().lstrip(b"\xef\xbb\xbf\xff\xfe \t\r\n\0").startswith(b"<")
    return not is_xml and sniff_gold(source) is FileKind.COLLECTION


def _looks_like_xml(source: Source, findings: Findings) -> bool:
    """Tell whether a file starts like XML; report it as another kind of file if not."""
    bare = (
        chunk.replace(b"\0", b"").lstrip(b"\xef\xbb\xbf\xff\xfe \t\r\n")
        for chunk in source.chunks()
    )
    text = next(filter(None, bare), b"")[:4096]
    if text.startswith(b"<"):
        return True
    if is_archive(source.head(), findings, EXPECTED):
        return False
    if not text:
        findings.add(rules.EMPTY_FILE, expected="questions in it")
        return False
    hint = ""
    kind, takes = sniff(source), "; `ave-score score` takes it alone"
    if kind is FileKind.SCORES and has_systems(source):
        called, hint = "a log", takes
    elif is_table(kind) or kind in (FileKind.TREC_RUN, FileKind.ANSWER_SETS):
        called = KINDS[kind].called
        first, sets = "; give the qrels first, then the runs", KINDS[FileKind.ANSWER_SETS].no_run
        hints = {FileKind.JUDGED: takes, FileKind.TREC_RUN: first, FileKind.ANSWER_SETS: sets}
        hint = hints.get(kind, "")
    elif re.search(_RUN_LINE, text) or has_column(source, "verdict"):
        called, hint = "an AVE run", rules.SWAPPED
    elif text[:1] in b"{[" or _columns_of(source) > 2:
        called = foreign(text, source) or OTHER_COLUMNS
        columns = "; --columns says which is which, e.g. q_id=id,a_id=candidate,label=gold"
        hint = hint_of(text) or columns
    else:
        called = "no XML at all"
    findings.add(rules.OTHER_FORMAT, 1, found=called, expected=EXPECTED, hint=hint)
    return False


def _columns_of(source: Source) -> int:
    """Return how many columns the first line has, if the file is a table."""
    return len(column_names(first_line(head_of(source)), delimiter_of(source)))
