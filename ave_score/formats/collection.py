"""AVE 2007/2008 collections: `<q id><q_str/><a id value><a_str/><t_str/></a>...</q>` in any root.

Two passes share one builder. The quick one (lxml, events only, no tree) is all that a sound file
needs. At the first doubt it stops, and the careful one (expat, which knows lines and columns) reads
the file again from the start and notes every finding. A DOCTYPE that declares entities is such a
doubt: the careful pass refuses the declaration before anything can be expanded. No DTD is loaded.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from typing import NoReturn

from lxml import etree

from ave_score import rules
from ave_score.findings import Findings
from ave_score.formats.collection_builder import EXPECTED, CollectionBuilder, Labels
from ave_score.formats.collection_careful import Complaint, careful_pass
from ave_score.formats.doctype import without_doctype
from ave_score.formats.source import Source
from ave_score.model import Collection
from ave_score.rules import Rule

_RUN_LINE = re.compile(rb"^\S+[ \t]+\S+[ \t]+(SELECTED|VALIDATED|REJECTED)\b", re.I | re.M)
_ADVICE = re.compile(r",? use XML_PARSE_HUGE option|, line \d+, column \d+.*", re.S)


class _DoubtError(Exception):
    """Raised by the quick pass where the careful one has to look, perhaps with what lxml says."""

    def __init__(self, complaint: Complaint | None = None) -> None:
        super().__init__()
        self.complaint = complaint


def read_collection(
    source: Source, findings: Findings, wanted: Labels = Labels.OPTIONAL
) -> Collection | None:
    """Read a collection; None, with findings, where there is nothing in it that could be scored.

    `wanted` says what to do about labels.
    """
    if not _looks_like_xml(source, findings):
        return None
    digest = hashlib.sha256()
    try:
        builder: CollectionBuilder | None = _quick_pass(source, digest.update, wanted)
    except _DoubtError as doubt:
        digest = hashlib.sha256()
        builder = careful_pass(source, findings, digest.update, doubt.complaint, wanted)
    if builder is None:
        findings.skip("what stands behind the place where reading ended")
        return None
    if not builder.questions:
        findings.add(rules.NO_QUESTIONS)
        return None
    return Collection(source.path, digest.hexdigest(), builder.roster(), bytes(builder.labels))


def locate_unlabelled(source: Source, findings: Findings) -> None:
    """Report every answer without a label, with its place, in a file that is sound otherwise."""
    again = Findings(source.path)
    careful_pass(source, again, lambda _: None, None, Labels.NEEDED)
    findings.take(again, rules.UNLABELLED_ANSWER)


def _looks_like_xml(source: Source, findings: Findings) -> bool:
    """Tell files that were given by mistake from broken XML, by how they begin."""
    bare = (
        chunk.replace(b"\0", b"").lstrip(b"\xef\xbb\xbf\xff\xfe \t\r\n")
        for chunk in source.chunks()
    )
    text = next(filter(None, bare), b"")[:4096]
    if text.startswith(b"<"):
        return True
    if not text:
        findings.add(rules.EMPTY_FILE, expected="questions in it")
    elif _RUN_LINE.search(text):
        facts = {"found": "an AVE run", "expected": EXPECTED, "hint": rules.SWAPPED}
        findings.add(rules.OTHER_FORMAT, 1, **facts)
    else:
        kind = "JSON" if text[:1] in b"{[" else "no XML at all"
        findings.add(rules.OTHER_FORMAT, 1, found=kind, expected=EXPECTED, hint="")
    return False


class _QuickBuilder(CollectionBuilder):
    """The target of lxml's parser: any report, and any DOCTYPE that was not blanked, is a doubt."""

    def __init__(self, wanted: Labels) -> None:
        super().__init__(self._doubt, wanted)

    def doctype(self, *_: object) -> NoReturn:
        raise _DoubtError

    def close(self) -> CollectionBuilder:
        return self

    @staticmethod
    def _doubt(_rule: Rule, /, **_facts: object) -> NoReturn:
        raise _DoubtError


def _quick_pass(source: Source, also: Callable[[bytes], None], wanted: Labels) -> CollectionBuilder:
    """Feed the file to lxml; raises `_DoubtError` where anything is wrong."""
    builder = _QuickBuilder(wanted)
    parser = etree.XMLParser(
        target=builder,  # type: ignore[arg-type]  # the stubs ask for methods lxml does not
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        huge_tree=False,
    )
    try:
        for chunk in without_doctype(source, also):
            parser.feed(chunk)
        parser.close()
    except etree.XMLSyntaxError as error:
        problem = _ADVICE.sub("", error.msg or "it ends too early").strip()
        raise _DoubtError(Complaint(problem, *error.position)) from None
    if not builder.questions:
        raise _DoubtError  # perhaps the elements have a default namespace, which expat leaves out
    return builder
