"""Collections in XML, in any root element.

AVE 2007 and 2008: `<q id><q_str/><a id value><a_str/><t_str/></a>...</q>`; AVE 2006 and SPARTE:
`<pair id value><q/><t/><h/></pair>`; QA4MRE: `<topic t_id><reading-test r_id><q q_id><q_str/>
<answer a_id correct>...`, where a question is called t_id/r_id/q_id.

Two passes share one builder. The quick one (lxml, events only, no tree) is all that a sound file
needs. At the first doubt it stops, and the careful one (expat, which knows lines and columns) reads
the file again from the start and notes every finding. A DOCTYPE that declares entities is such a
doubt: the careful pass refuses the declaration before anything can be expanded. No DTD is loaded.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NoReturn

from lxml import etree

from ave_score import rules
from ave_score.files.collection_builder import EXPECTED, CollectionBuilder, Labels
from ave_score.files.doctype import without_doctype
from ave_score.files.elements import MAX_TOKEN, Complaint, Report
from ave_score.files.sniff import is_table, sniff
from ave_score.files.source import Source
from ave_score.findings import Findings
from ave_score.kinds import KINDS
from ave_score.model import Collection
from ave_score.rules import FileKind, Rule

_RUN_LINE = rb"(?im)^\S+[ \t]+(\S+[ \t]+(SELECTED|VALIDATED|REJECTED)|YES|NO)\b"
_ADVICE = r"(?s),? use XML_PARSE_HUGE option|, line \d+, column \d+.*"


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
    hashed = _Hashed(wanted is not Labels.IGNORED)  # without labels nothing is signed by it
    try:
        builder: CollectionBuilder | None = _quick_pass(source, hashed.take, wanted)
    except _DoubtError as doubt:
        hashed = _Hashed(wanted is not Labels.IGNORED)
        builder = _careful_pass(source, findings, wanted, hashed.take, doubt.complaint)
    if builder is None:
        findings.skip("what stands behind the place where reading ended")
        return None
    if builder.is_empty:
        findings.add(rules.NO_QUESTIONS)
        return None
    for q_id, place in builder.none_right():
        findings.add(rules.NONE_RIGHT, *place, q_id=q_id)
    return Collection(
        source.path,
        hashed.value,
        builder.roster(),
        builder.all_labels(),
        builder.languages,
        builder.available,
        grades=builder.grades,
    )


class _Hashed:
    """The SHA-256 of what passes by; hashlib is imported only if that is wanted."""

    def __init__(self, wanted: bool) -> None:
        self._digest = None
        if wanted:
            import hashlib

            self._digest = hashlib.sha256()

    def take(self, data: bytes) -> None:
        if self._digest is not None:
            self._digest.update(data)

    @property
    def value(self) -> str:
        return "" if self._digest is None else self._digest.hexdigest()


def locate_unlabelled(source: Source, findings: Findings) -> None:
    """Report every answer without a label, with its place, in a file that is sound otherwise."""
    again = Findings(source.path)
    _careful_pass(source, again, Labels.NEEDED)
    findings.take(again, rules.UNLABELLED_ANSWER)


def _careful_pass(
    source: Source,
    findings: Findings,
    wanted: Labels,
    also: Callable[[bytes], None] = lambda _: None,
    complaint: Complaint | None = None,
) -> CollectionBuilder | None:
    from ave_score.files.xml_careful import Place, read_carefully  # a sound file needs no expat

    def make(report: Report, place: Place) -> CollectionBuilder:
        return CollectionBuilder(report, wanted, place)

    return read_carefully(source, findings, make, also, complaint)


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
    elif is_table(kind := sniff(source)):
        hint = "; `ave-score score` takes it alone" if kind is FileKind.JUDGED else ""
        findings.add(rules.OTHER_FORMAT, 1, found=KINDS[kind].called, expected=EXPECTED, hint=hint)
    elif re.search(_RUN_LINE, text):
        facts = {"found": "an AVE run", "expected": EXPECTED, "hint": rules.SWAPPED}
        findings.add(rules.OTHER_FORMAT, 1, **facts)
    else:
        other = "JSON" if text[:1] in b"{[" else "no XML at all"
        findings.add(rules.OTHER_FORMAT, 1, found=other, expected=EXPECTED, hint="")
    return False


class _QuickBuilder(CollectionBuilder):
    """The target of lxml's parser: any report, and any DOCTYPE that was not blanked, is a doubt."""

    def __init__(self, wanted: Labels) -> None:
        super().__init__(self._doubt, wanted)
        self._idle = self._answers = 0

    def watch(self, size: int) -> None:
        """Doubt a file that goes on for long without an answer: lxml gathers a tag without end."""
        answers = len(self.labels)
        self._idle = self._idle + size if answers == self._answers else 0
        self._answers = answers
        if self._idle > 2 * MAX_TOKEN:
            raise _DoubtError

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
        resolve_entities="internal",  # type: ignore[arg-type]  # &amp;; the stubs are older
        no_network=True,
        load_dtd=False,
        huge_tree=False,
    )
    try:
        for chunk in without_doctype(source, also):
            parser.feed(chunk)
            builder.watch(len(chunk))
        parser.close()
    except etree.XMLSyntaxError as error:
        problem = re.sub(_ADVICE, "", error.msg or "it ends too early").strip()
        raise _DoubtError(Complaint(problem, *error.position)) from None
    if builder.is_empty:
        raise _DoubtError  # perhaps the elements have a default namespace, which expat leaves out
    if any(builder.none_right()):
        raise _DoubtError  # where they stand, only the careful pass knows
    return builder
