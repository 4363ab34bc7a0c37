"""The gold standard: a collection with its own labels or those of a key, or a judged file."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from ave_score import rules
from ave_score.core.errors import UsageError, for_one_file
from ave_score.core.findings import Findings
from ave_score.core.labels import Labels
from ave_score.core.model import Collection, Label, QARun, Verdict
from ave_score.files.collection import locate_unlabelled, read_collection
from ave_score.files.contents import Checking, contents_of
from ave_score.files.placement import align, report_unlabelled
from ave_score.files.positions import FIELDS, locate
from ave_score.files.sniff import sniff
from ave_score.files.source import Source
from ave_score.rules import FileKind


@for_one_file
def check_collection(
    source: Source,
    key: Source | None = None,
    *,
    needs_labels: bool = True,
    is_partial: bool = False,
    with_texts: bool = False,
) -> tuple[Collection | None, list[Findings]]:
    """Read a collection and its key, if any; return it with the findings of each file.

    The collection is None if it, or the key, has a finding that prevents scoring. Unless
    `needs_labels`, a collection without any labels is valid; if `is_partial`, one with some, too.
    Its texts are only read if asked for.
    """
    findings = Findings(source.path)
    collection = read_collection(source, findings, with_texts=with_texts)
    all_findings = [findings]
    if collection is not None and not findings.errors:
        if key is not None and (why := collection.standard.why_no_key):
            raise UsageError(f"a key labels answers to questions, and {source.path} {why}")
        if key is not None:
            key_findings = Findings(key.path)
            all_findings.append(key_findings)
            collection = _with_key(collection, key, key_findings)
        elif (
            not is_partial
            and Label.NONE in (kinds := {*collection.labels})
            and (needs_labels or len(kinds) > 1)
        ):
            locate_unlabelled(source, findings)
    locate(source, findings, {})
    sound = not any(findings.errors for findings in all_findings)
    return (collection if sound else None), all_findings


@for_one_file
def check_test_collection(source: Source) -> tuple[Collection | None, list[Findings]]:
    """Read a collection without its labels, so that no finding or message can reveal them."""
    findings = Findings(source.path)
    collection = read_collection(source, findings, Labels.IGNORED)
    return (None if findings.errors else collection), [findings]


def _with_key(collection: Collection, key: Source, findings: Findings) -> Collection:
    from ave_score.files.key import KeyReader  # few have a key

    key.expect_hash()
    reader = KeyReader(key, findings)
    placement = align(reader.blocks(), collection.index, findings)
    labels = bytearray(collection.labels)
    for position, code in enumerate(placement.codes):
        own = labels[position]
        if code == Verdict.UNREADABLE:
            labels[position] = Label.UNKNOWN  # already reported
        elif code and own in (Label.NONE, code - 1):
            labels[position] = code - 1
        elif code:
            findings.add(
                rules.LABEL_CONFLICT,
                placement.lines[position],
                one="key",
                other="collection",
                found=Label(code - 1).name,
                expected=Label(own).name,
            )
    locate(key, findings, FIELDS, reader.columns)
    labelled = replace(collection, labels=bytes(labels), key_path=key.path, key_sha256=key.sha256())
    if placement.fits:  # otherwise the key is of another collection, which is already reported
        report_unlabelled(collection.index, labels, findings)
    return labelled


class GoldFile(NamedTuple):
    """The gold standard, and the systems of a judged file."""

    collection: Collection
    systems: list[QARun]


@for_one_file
def check_gold(
    source: Source,
    key: Source | None,
    letters: str,
    missing: str = "error",
    *,
    with_texts: bool = False,
) -> tuple[GoldFile | None, list[Findings]]:
    """Read a collection with its labels, or a judged file; the kind is detected.

    A judged file is its own gold standard and holds the systems to score; `UsageError` is raised
    if a key is given with it. None if a finding prevents scoring. `missing` is a choice of
    `Policies.missing` for its systems. The texts of a collection are only read if asked for.
    """
    if sniff(source) is not FileKind.JUDGED:
        collection, findings = check_collection(source, key, with_texts=with_texts)
        return (None if collection is None else GoldFile(collection, [])), findings
    if key is not None:
        raise UsageError(f"a key (--key) labels a collection, and {source.path} is a judged file")
    from ave_score.files.judged import check_judged_gold  # most are collections

    judged, findings = check_judged_gold(source, letters, missing)
    return (None if judged is None else GoldFile(*judged)), findings


def examine(source: Source, _: Collection | None, *__: object) -> Checking:
    """Check a collection; labels are optional."""
    return check_collection(source, needs_labels=False)


contents = contents_of
