"""What is done with an input of each reader, and what must hold then."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from functools import cache
from io import BytesIO, StringIO
from pathlib import Path
from tempfile import TemporaryDirectory

import ave_score
from ave_score import (
    Collection,
    DecisionPolicy,
    DefectError,
    FileKind,
    Findings,
    InputError,
    OpenGold,
    UsageError,
    VerifierScores,
)
from ave_score.commands import run as command
from ave_score.files.run import check_run
from ave_score.files.source import Source
from ave_score.rules import Safety
from tests import helpers_logs as logs
from tests.conftest import ROOT
from tests.helpers_files import PACKED


class Broken(Exception):
    """Something that must hold of every input does not."""


Target = Callable[[bytes, Collection | None], None]

FOLDER = TemporaryDirectory(prefix="fuzz-")
"""The files of the targets that need some; the next input overwrites them."""


def _reads(kind: FileKind | None) -> Target:
    def read(data: bytes, collection: Collection | None) -> None:
        _check(data, collection, kind)

    return read


def _check(data: bytes, gold: Collection | OpenGold | None, kind: FileKind | None) -> Findings:
    """Check a file; return its findings, safe to print and in lines that there are."""
    checked = ave_score.check(BytesIO(data), gold, kind=kind)
    findings = checked.findings
    if (checked.contents is None) != bool(findings.errors):
        raise Broken("contents of a file with errors, or none of one without")
    lines = sum(map(data.count, (b"\n", b"\r", b"\0"))) + 1
    for one in findings:
        if not _is_harmless(str(one)):
            raise Broken(f"{one.rule.code}: a message that a terminal obeys")
        if (one.line or 1) > lines and not data.startswith((*PACKED, b"PK", b"PAR1")):
            raise Broken(f"{one.rule.code}: line {one.line} of {lines}")
        if one.column and one.end_column and one.column >= one.end_column:
            raise Broken(f"{one.rule.code}: columns {one.column} to {one.end_column}")
    return findings


def _printed(*arguments: str) -> tuple[int, str]:
    """Run a command; return its exit code, and what it prints."""
    out = StringIO()
    with redirect_stdout(out), redirect_stderr(StringIO()):
        return command([*arguments]), out.getvalue()


def _is_harmless(text: str) -> bool:
    """Tell whether a text has no control character, and none that changes its direction."""
    if text.isprintable():
        return True
    categories = {unicodedata.category(character) for character in text}
    directions = {unicodedata.bidirectional(character) for character in text}
    return not (categories & {"Cc", "Cs", "Zl", "Zp"} or directions & _TURNING)


_TURNING = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}


def campaign(data: bytes, _: Collection | None) -> None:
    """Read a campaign file: findings are in the same order the second time."""
    first, again = (_check(data, None, FileKind.CAMPAIGN) for _ in range(2))
    if [*map(str, first)] != [*map(str, again)]:
        raise Broken("other findings the second time")


def fix(data: bytes, collection: Collection | None) -> None:
    """Fix a run, and fix it again; a run that is sound already says the same afterwards."""
    left = set[str]()

    def fixed(data: bytes, *, unsafe: bool) -> bytes:
        made = ave_score.fix(Source.packed("fuzzed", data), collection, unsafe=unsafe)
        _nothing_fixable_left(made.left, unsafe=unsafe)
        left.update(one.rule.code for one in made.left)
        return made.document.encoded()

    once = fixed(data, unsafe=False)
    boldly = fixed(data, unsafe=True)
    try:
        if fixed(once, unsafe=False) != once:
            raise Broken("fix: not idempotent")
        if fixed(boldly, unsafe=True) != boldly:
            raise Broken("fix --unsafe: not idempotent")
        if fixed(boldly, unsafe=False) != boldly:
            raise Broken("fix --unsafe leaves what fix changes")
        # AVE109: no header becomes a comment if the file would then begin as a table does
        if fixed(once, unsafe=True) != boldly and "AVE109" not in left:
            raise Broken("fix, then fix --unsafe: not the same as fix --unsafe")
    except InputError as error:
        raise Broken("a fixed run is no run") from error
    said = _said(data, collection)
    if said is not None and not said == _said(once, collection) == _said(boldly, collection):
        raise Broken("fix changes what a sound run says")


def _said(data: bytes, collection: Collection | None) -> bytes | None:
    """Return a hash of all that scores are computed from; None if a run cannot be scored."""
    if collection is None:
        return None
    try:
        return ave_score.read_run(BytesIO(data), collection).digest
    except (DefectError, InputError):
        return None


def _nothing_fixable_left(left: Findings, *, unsafe: bool) -> None:
    for one in left:
        if one.fix is Safety.SAFE or (unsafe and one.fix is Safety.UNSAFE):
            raise Broken(f"{one.rule.code} is left by {'fix --unsafe' if unsafe else 'fix'}")


def scores(data: bytes, collection: Collection | None) -> None:
    """Read scores; what is decided by them is a legal run, and a collection that can be read."""
    _check(data, collection, FileKind.SCORES)
    try:
        every = ave_score.read_verifiers(BytesIO(data), collection)
    except UsageError as error:  # a log asks for a choice
        if not _is_harmless(str(error)):
            raise Broken("a question that a terminal obeys") from error
        return
    for read in every:
        _decide(read)
    if len(every) == 1 and every[0].has_correct and collection is None:
        _write_collection(data, every[0])


def _decide(read: VerifierScores) -> None:
    for ties in ("first", "last", "none", "random"):
        made = ave_score.decide(read, DecisionPolicy(top_k=2, ties=ties))
        written = Source.holding("run", "".join(made.lines()).encode())
        run, (findings,) = check_run(written, read.index)
        if run is None or run.verdicts != made.run.verdicts:
            raise Broken(f"no legal run: {', '.join(rule.code for rule in findings.counts)}")


def _write_collection(data: bytes, read: VerifierScores) -> None:
    path, gold = Path(FOLDER.name, "scores"), Path(FOLDER.name, "gold.xml")
    path.write_bytes(data)
    code, _ = _printed("decide", str(path), "--write-collection", str(gold))
    if code:
        raise Broken(f"decide exits with {code}")
    built = ave_score.read_collection(gold)
    if built.labels != read.labels or built.index.a_ids != read.index.a_ids:
        raise Broken("not the collection of the scores")


def log(data: bytes, collection: Collection | None) -> None:
    """Read a log, and its lines as the samples of an archive."""
    scores(data, collection)
    lines = enumerate(data.split(b"\n"))
    members = {f"samples/{number}.json": line.decode("latin-1") for number, line in lines}
    scores(logs.packed(members), collection)


def convert(data: bytes, _: Collection | None) -> None:
    """Convert a file: what is written has no errors, and becomes the same JSON Lines."""
    path = Path(FOLDER.name, "fuzzed")
    path.write_bytes(data)
    checked = ave_score.check(path)
    kind = checked.kind
    if checked.contents is None or kind is FileKind.TEAMS:  # read as TSV only
        return
    becomes = FileKind.JUDGED if "log" in checked.contents else kind
    becomes = FileKind.COLLECTION if kind is FileKind.QRELS else becomes
    first = _converted(path, kind, "jsonl")
    rows = first and _rows(first)
    for notation in ("csv", "tsv", "jsonl", "parquet", "xml") if first else ():
        there = _converted(path, kind, notation)
        if there is None:
            continue
        try:
            back = _converted(there, becomes, "jsonl")
        except DefectError as error:
            raise Broken(f"{notation} of {kind} that has errors") from error
        # a row has no keys of empty cells, so that keys may first be seen in another order
        if notation == "jsonl" and (back is None or _rows(back) != rows):
            raise Broken(f"other rows of {kind} the second time")


def _rows(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_bytes().splitlines()]


def _converted(path: Path, kind: FileKind | None, notation: str) -> Path | None:
    """Return a new file in a notation; None if the kind cannot be written so."""
    made = path.with_name(f"{path.name}.{notation}")
    try:
        ave_score.convert(path, made, kind=kind)
    except UsageError:  # e.g. a run as XML
        return None
    return made


def responses(data: bytes, collection: Collection | None) -> None:
    """Read responses alone, and against answer sets."""
    _check(data, collection, FileKind.RESPONSES)
    _check(data, _answer_sets(), FileKind.RESPONSES)


@cache
def _answer_sets() -> OpenGold:
    return ave_score.read_answer_sets(ROOT / "tests/data/broken/answer-sets.json")


TARGETS: dict[str, Target] = {
    **{kind: _reads(kind) for kind in FileKind},
    "responses": responses,
    "campaign": campaign,
    "scores": scores,
    "logs": log,
    "sniffed": _reads(None),
    "fix": fix,
    "convert": convert,
}
