"""A fuzzing harness: damaged files against every reader, and against fixing.

    python -m tests.fuzz --executions 20000 --seed 1 --reader all

A reader may report findings, or raise the documented `InputError` or `DefectError`; anything else
that it raises is a crash, and more than two seconds of work on a small file are a hang. Fixing has
to come to an end as well: a fixed run is fixed again without a change, and nothing that could be
fixed is left in it. What failed is printed as short as it could be made; the exit code is 1 then.

Every input follows from seed, reader and its number, so that a run can be repeated.
"""

from __future__ import annotations

import argparse
import codecs
import gzip
import json
import lzma
import random
import signal
import sys
import time
import traceback
import unicodedata
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from io import BytesIO, StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from types import FrameType
from typing import NamedTuple

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
from ave_score.core.kinds import KINDS
from ave_score.files.run import check_run
from ave_score.files.source import Source
from ave_score.rules import Safety
from tests import helpers_logs as logs
from tests.helpers_files import COLLECTION, PACKED, RUN
from tools.broken import broken_files

ROOT = Path(__file__).parent.parent
SECONDS = 2.0
"""Processor time after which a reader of a small file hangs."""

_HANG = f"hang: more than {SECONDS:g} s"

PAIRS = b"""\
<entailment-corpus lang="en">
<pair id="1" value="YES" task="QA"><q>Who?</q><t>It was Ann.</t><h>Ann did it.</h></pair>
<pair id="2" value="NO" task="QA"><h>Bob did it.</h><t>It was Ann.</t><q>Who?</q></pair>
<pair id="3" value="UNKNOWN" task="QA"><q/><t/><h/></pair>
<pair id="4" value="TRUE" task="QA"><q/><t/><h/></pair>
</entailment-corpus>
"""
PAIR_RUN = b"1 YES 0.9\n2 NO 0.4\n3 NO\n4 YES 0.8\n"
QA4MRE = b"""\
<?xml version='1.0' encoding='UTF-8'?>
<!DOCTYPE test-set SYSTEM 'test-set.dtd'>
<test-set>
<topic t_id='1'><reading-test r_id='1'><doc d_id='1'>A &amp; B</doc>
<q q_id='1'><q_str>?</q_str><answer a_id='1'>x</answer><answer a_id='2' correct='Yes'>y</answer></q>
<q q_id='2'><q_str>?</q_str><answer a_id=' 1 ' correct='Yes'>x</answer></q></reading-test>
<reading-test r_id='2'><q q_id='1'><answer a_id='1' correct='Yes'/><answer a_id='2'/></q>
</reading-test></topic>
</test-set>
"""
ANSWERS = b"""\
<output run_id="r">
<topic t_id="1"><reading-test r_id="1">
<question q_id="1" answered="YES"><answer a_id="2"/></question>
<question q_id="2" answered="NO"><answer a_id="1"/></question></reading-test>
<reading-test r_id="2"><question q_id="1" answered="NO"/></reading-test></topic>
</output>
"""
FLAT_ANSWERS = b"""\
<output><question q_id="1" answered="YES"><answer a_id="1_1"/></question>
<question q_id="2" answered="NO"/><question q_id="3" answered="yes"><answer a_id="3_1"/></question>
</output>
"""
CAMPAIGN = b"""\
title = '''
[editions.2008]
'''
output = "r"
[editions]
"20.07" = { measures = "f1", languages = { "e=n" = { collection = "c.xml" } } }
[editions.2009]
missing = "rejected" # or "error"
unknown = 'correct'
campaign = "respubliqa"
[editions.2009.languages]
de = { collection = "c.tsv", runs = [ "a*", "b=c", ], groups = { "a.b" = "C", d = "E" } }
[editions.2009.languages.en]
key = "k"
"judged" = 'j'
collection = "c"
[ editions . "2009" . languages.en . names ]
"a=b.txt" = "c"
"""

SCORES = b"""\
{"q_id": "1", "a_id": "1_1", "score": 0.5, "correct": true, "answer": "x", "question": "?"}
{"q_id": "1", "answer_id": "1_2", "score": 0.50, "correct": null, "more": {"a": [1, {}]}}
{"question_id": 2, "a_id": 7, "score": -3e2, "answer": 42, "correct": false}
"""
SCORE_TABLE = b"q_id\ta_id\tscore\tcorrect\n1\t1_1\t0.5\tyes\n1\t1_2\t0.5\t\n2\t2_1\t9\t0\n"

LARGEST_SEED = 1 << 14
"""Bytes of the largest file of the seed corpus; longer ones only make the harness slow."""

TOKENS = [
    *(b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff", b"\xff\xfe\0\0", b"\0\0\xfe\xff", b"\0", b"\x1a"),
    *(b"\r\n", b"\r", b"\n", b"\n\n", b"\t", b" ", b"  ", b"\x0b", b"\x0c", b"\x85", b"\x1b[31m"),
    *(b"\xc2\xa0", b"\xe2\x80\xa8", b"\xe2\x80\x8b", b"\xef\xbb\xbf", b"\xc2\x85", b"\xe3\x80\x80"),
    *(b"\xe9", b"\x81", b"\xed\xa0\x80", b"\xf0\x9f\x98\x80", b"\xc5\xbf", b"\xc4\xb1"),
    *(b"SELECTED", b"VALIDATED", b"REJECTED", b"selected", b"Validated", b"UNKNOWN", b"YES", b"NO"),
    *(b"nan", b"-inf", b"1e999", b"0,5", b",5", b"1.", b"-0", b"1_0", b"9" * 400),
    *(b"0." + b"3" * 99, b"0.50", b"+.5"),
    *(b"#", b"# ", b"\n#1 1_1 VALIDATED 0.9\n", b"\n #1 1_1 VALIDATED 0.9\n", b"q_id"),
    *(b"Q x y 0,5", b"id a b c\n"),
    *(b"1 1_1 ", b"1 1_2 VALIDATED nan\n", b"1 1_1 VALIDATED low\n", b"1 9_9 VALIDATED 0.99\n"),
    *(b"<", b">", b"&", b"&lt;", b"&#0;", b"&#xD800;", b"<!ENTITY a 'b'>", b"<!DOCTYPE c [", b"]>"),
    *(b"<![CDATA[", b"]]>", b"<!--", b"-->", b"<q id='1'>", b"</q>", b"<a id='1_1'/>", b"<?xml ?>"),
    *(b'encoding="latin-1"', b'encoding="utf-16"', b'encoding="idna"', b'encoding="utf-7"'),
    *(b"[", b"{", b"%PDF-", b"1 Q0 1_1 1 0.5 x\n", b"\x1f\x8b", b"\xfd7zXZ\0", b"PK\x03\x04"),
    *(b"q_id\trun\tjudgement\n", b"run\tgroup\n", b"R", b"W", b"U", b"X", b"a_id"),
    *(b"<pair id='1' value='YES'>", b"</pair>", b"<h/>", b"1 YES\n", b"2 no 0,5\n", b"TRUE"),
    *(b"<topic t_id='1'>", b"</topic>", b"<reading-test r_id='1'>", b"</reading-test>"),
    *(b"<question q_id='1' answered='NO'/>", b"<answer a_id='1'/>", b" correct='Yes'", b"&amp;"),
    *(b"<output>", b'"', b"%s", b"{}"),
    *(b"[editions.2007]\n", b"\n[editions.a.languages.b]\n", b".", b"=", b"'", b'"""', b"'''"),
    *(b"[[editions]]", b"]", b"}", b",", b"= 7\n", b"= [", b"= {", b"= true", b"1979-05-27"),
    *(b'"id": ', b'"sets": [', b'"answers": [["', b'"total": 1e400', b'"vital": null', b"NaN"),
    *(b'"type": "definition", ', b'"nuggets": [', b"[" * 40, b'{"a":' * 40, b"\\ud800", b"NIL"),
    *(b"<set total='1'>", b"<wording>", b"</wording>", b"<nugget id='1' value='okay'>", b"<set/>"),
    *(b"q_id\tanswer\n", b"q_id\tanswer\trun\tnuggets\n", b"1,2", b"-0", b"true", b"/*"),
    *(b"NaN", b"1e999", b'\\ud800', b'"', b"null", b"true", b": 1.0", b"[" * 5000, b'{"a":' * 5000),
    *(b'"score": 1, ', b'"q_id": 1, ', b"q_id\ta_id\tscore\n", b"{}", b"1 1_1 0.5\n", b"-Infinity"),
    *(b'"scores": ', b'"samples": [', b'"value": "C"', b'"id": ', b'"epoch": 2', b'"resps": []'),
    *(b"= 0x" + b"F" * 5000, b"= 1e999\n", b"\\u0000", b"\\", b'"a=b"', b"a.b", b"a.a" * 300),
]  # fmt: skip


class Broken(Exception):
    """Something that must hold of every input does not."""


class Hang(BaseException):
    """A reader took too long; no reader catches this."""


class Failure(NamedTuple):
    """What went wrong, in words that are the same for the same defect, and an input."""

    what: str
    data: bytes


Target = Callable[[bytes, Collection | None], None]


# --- inputs -----------------------------------------------------------------------------------


def _corpus() -> dict[str, list[bytes]]:
    """Return small files for each reader."""
    found: dict[str, list[bytes]] = {name: [] for name in (*FileKind, "logs")}
    for path in sorted((ROOT / "sample_runs").rglob("*")):
        if path.is_file() and path.suffix in {".txt", ".tsv", ".xml", ".toml", ".json", ".jsonl"}:
            data = path.read_bytes()
            if len(data) <= LARGEST_SEED:
                found[_reader_of(path)].append(data)
    for name, data in broken_files().items():
        if len(data) <= LARGEST_SEED and not name.endswith(".gz"):
            found[_reader_of(Path(name))].append(data)
    for name in ("lists.json", "lists.xml"):
        found["answer-sets"] += [(ROOT / "gold" / name).read_bytes()]
    found["run"] += [RUN.encode(), RUN.encode("utf-16"), RUN.replace(" ", "\t").encode(), b""]
    found["run"] += [PAIR_RUN, PAIR_RUN.replace(b" 0", b"\t0"), b"1 YES\n2 no\n3 NO\n4 NO\n1 NO\n"]
    found["collection"] += [COLLECTION.encode(), PAIRS, QA4MRE, QA4MRE.decode().encode("utf-16")]
    found["answers"] += [ANSWERS, FLAT_ANSWERS, ANSWERS.decode().encode("utf-16")]
    found["key"] += [b"1 1_1 VALIDATED\n1 1_2 REJECTED\n2 2_1 REJECTED\n2 2_2 UNKNOWN\n"]
    found["groups"] += [b"run\tgroup\nrun1\ta\nrun2\tb\n"]
    found["qrels"] += [b"1 0 D1 2\n1 0 D2 0\n2 0 D1 -1\n", b"1\tQ0\tD1\t1\n"]
    found["trec-run"] += [b"1 Q0 D1 1 7.5 a\n1 Q0 D2 2 -1e3 a\n2 Q0 D1 1 0 a\n"] * 3
    found["times"] += [b"run\tsubmitted\na\t2026-05-01T20:15:00+02:00\nb\t2026-05-02\n"]
    found["judged"] += [b"q_id\trun\tjudgement\n1\tqa\tR\n2\tqa\tW\n3\tqa\tU\n"]
    found["campaign"] += [
        CAMPAIGN,
        CAMPAIGN.replace(b"\n", b"\r\n"),
        _printed("campaign", "init")[1].encode(),
    ]
    found["campaign"] += [b"title = 0x" + b"F" * 5000 + b"\n" + CAMPAIGN[CAMPAIGN.index(b"out") :]]
    found["scores"] += [SCORES, SCORE_TABLE, b"1 1_1 0.5\n1 1_2 1e-3\n2 2_1 -7\n"] * 3
    samples = logs.lines(*map(logs.sample, logs.ANSWERS))
    text = logs.responses(0, ["a", "b"], exact_match=[0.0, 1.0], reward=[0.5, 0.25])
    found["logs"] += [logs.inspect_log().encode(), logs.packed(logs.eval_members())]
    found["logs"] += [logs.inspect_log(logs.ANSWERS[:2]).encode(), samples.encode()]
    found["logs"] += [b"[%s]" % logs.NESTED.replace("}\n{", "},\n{").encode()]
    found["logs"] += [logs.CHOICES.encode(), logs.NESTED.encode(), logs.lines(text).encode()]
    return found


def _reader_of(path: Path) -> str:
    if path.parent.name == "logs":
        return "logs"
    if path.parent.name == "lists" and path.suffix == ".tsv":
        return FileKind.RESPONSES
    named = {record.suffix: kind for kind, record in KINDS.items()}
    ends = [suffix for suffix in named if f".{path.name}".endswith(suffix)]
    return named[max(ends or [end for end in named if end.endswith(path.suffix)], key=len)]


def _span(chance: random.Random, data: bytes, most: int = 16) -> slice:
    start = chance.randint(0, len(data))
    return slice(start, start + chance.randint(0, most))


def _put(data: bytes, where: slice, new: bytes) -> bytes:
    return data[: where.start] + new + data[where.stop :]


def _flip(chance: random.Random, data: bytes, _: list[bytes]) -> bytes:
    place = chance.randrange(len(data)) if data else 0
    here = data[place : place + 1] or b"\0"
    return _put(data, slice(place, place + 1), bytes([here[0] ^ 1 << chance.randrange(8)]))


def _random_bytes(chance: random.Random, data: bytes, _: list[bytes]) -> bytes:
    return _put(data, _span(chance, data, 4), chance.randbytes(chance.randint(1, 4)))


def _token(chance: random.Random, data: bytes, _: list[bytes]) -> bytes:
    return _put(data, _span(chance, data, chance.choice([0, 0, 8])), chance.choice(TOKENS))


def _token_at_start(chance: random.Random, data: bytes, _: list[bytes]) -> bytes:
    return chance.choice(TOKENS) + data


def _cut(chance: random.Random, data: bytes, _: list[bytes]) -> bytes:
    return data[: chance.randint(0, len(data))]


def _leave_out(chance: random.Random, data: bytes, _: list[bytes]) -> bytes:
    return _put(data, _span(chance, data, 40), b"")


def _double(chance: random.Random, data: bytes, _: list[bytes]) -> bytes:
    where = _span(chance, data, 60)
    return _put(data, slice(where.stop, where.stop), data[where])


def _splice(chance: random.Random, data: bytes, corpus: list[bytes]) -> bytes:
    other = chance.choice(corpus)
    return data[: chance.randint(0, len(data))] + other[chance.randint(0, len(other)) :]


def _lines(chance: random.Random, data: bytes, corpus: list[bytes]) -> bytes:
    lines = data.split(b"\n")
    take, put = chance.randrange(len(lines)), chance.randrange(len(lines) + 1)
    line = lines[take]
    if chance.random() < 0.5:
        del lines[take]
    if chance.random() < 0.5:
        line = chance.choice([line.swapcase(), line.replace(b".", b","), line.replace(b"0", b"1")])
    lines.insert(put, line)
    return b"\n".join(lines)


def _reencode(chance: random.Random, data: bytes, _: list[bytes]) -> bytes:
    text = data.decode("utf-8", "replace")
    mark, name = chance.choice(
        [
            (b"", "latin-1"),
            (codecs.BOM_UTF8, "utf-8"),
            (codecs.BOM_UTF16_LE, "utf-16-le"),
            (codecs.BOM_UTF16_BE, "utf-16-be"),
            (codecs.BOM_UTF32_BE, "utf-32-be"),
            (b"", "utf-16-le"),
        ]
    )
    return mark + text.encode(name, "replace")


def _line_ends(chance: random.Random, data: bytes, _: list[bytes]) -> bytes:
    return data.replace(b"\n", chance.choice([b"\r\n", b"\r", b"\n\r", b" \n"]))


def _pack(chance: random.Random, data: bytes, _: list[bytes]) -> bytes:
    return gzip.compress(data, 1, mtime=0) if chance.random() < 0.8 else lzma.compress(data)


def _repeat(chance: random.Random, data: bytes, _: list[bytes]) -> bytes:
    return data * chance.choice([2, 3]) if len(data) < LARGEST_SEED else data


_OFTEN = [_flip, _random_bytes, _token, _token, _leave_out, _double, _lines, _lines, _lines]
_SELDOM = [_token_at_start, _cut, _splice, _reencode, _line_ends, _repeat]


def make_input(chance: random.Random, corpus: list[bytes]) -> bytes:
    """Return a damaged file."""
    data = chance.choice(corpus)
    for _ in range(chance.choice([1, 1, 2, 2, 3, 5, 8])):
        change = chance.choice(_OFTEN if chance.random() < 0.8 else _SELDOM)
        data = change(chance, data, corpus)
    if chance.random() < 0.01:
        data = _pack(chance, data, corpus)
    return data


# --- targets ----------------------------------------------------------------------------------


def _reads(kind: FileKind | None) -> Target:
    def read(data: bytes, collection: Collection | None) -> None:
        _check(data, collection, kind)

    return read


def _check(data: bytes, gold: Collection | OpenGold | None, kind: FileKind | None) -> Findings:
    """Check a file; return its findings, which must be safe to print."""
    checked = ave_score.check(BytesIO(data), gold, kind=kind)
    findings = checked.findings
    if (checked.contents is None) != bool(findings.errors):
        raise Broken("contents of a file with errors, or none of one without")
    for one in findings:
        if not _is_harmless(str(one)):
            raise Broken(f"{one.rule.code}: a message that a terminal obeys")
    return findings


def _printed(*arguments: str) -> tuple[int, str]:
    """Run a command; return its exit code, and what it prints."""
    out = StringIO()
    with redirect_stdout(out), redirect_stderr(StringIO()):
        return command([*arguments]), out.getvalue()


def _is_harmless(text: str) -> bool:
    """Tell whether a text has no control character, and none that changes its direction."""
    categories = {unicodedata.category(character) for character in text}
    directions = {unicodedata.bidirectional(character) for character in text}
    return not (categories & {"Cc", "Cs", "Zl", "Zp"} or directions & _TURNING)


_TURNING = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}


def campaign(data: bytes, _: Collection | None) -> None:
    """Read a campaign file: every finding stands in a line that there is, in the same order."""
    first, again = (_check(data, None, FileKind.CAMPAIGN) for _ in range(2))
    lines = data.count(b"\n") + 1
    for one in first:
        if one.line and one.line > lines and not data.startswith(PACKED):
            raise Broken(f"{one.rule.code}: line {one.line} of {lines}")
    if [*map(str, first)] != [*map(str, again)]:
        raise Broken("other findings the second time")


def fix(data: bytes, collection: Collection | None) -> None:
    """Fix a run, and fix it again."""
    with TemporaryDirectory() as folder:
        path = Path(folder, "fuzzed")

        def fixed(data: bytes, *, unsafe: bool) -> bytes:
            path.write_bytes(data)
            made = ave_score.fix(path, collection, unsafe=unsafe)
            _nothing_fixable_left(made.left, unsafe=unsafe)
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
            if fixed(once, unsafe=True) != boldly:
                raise Broken("fix, then fix --unsafe: not the same as fix --unsafe")
        except InputError as error:
            raise Broken("a fixed run is no run") from error


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
    with TemporaryDirectory() as folder:
        path, gold = Path(folder, "scores"), Path(folder, "gold.xml")
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
    with TemporaryDirectory() as folder:
        path = Path(folder, "fuzzed")
        path.write_bytes(data)
        checked = ave_score.check(path)
        kind = checked.kind
        if checked.contents is None or kind is FileKind.GROUPS:  # read as TSV only
            return
        becomes = FileKind.JUDGED if "log" in checked.contents else kind
        first = _converted(path, kind, "jsonl")
        lines = first and first.read_bytes()
        for notation in ("csv", "tsv", "jsonl", "parquet", "xml") if first else ():
            there = _converted(path, kind, notation)
            if there is None:
                continue
            try:
                back = _converted(there, becomes, "jsonl")
            except DefectError as error:
                raise Broken(f"{notation} of {kind} that has errors") from error
            if notation != "jsonl":
                continue
            # rows of a log may have their keys in another order
            is_log = becomes is not kind
            if not (first and back) or _rows(back) != _rows(first):
                raise Broken(f"other rows of {kind} the second time")
            if back.read_bytes() != lines and not is_log:
                raise Broken(f"other JSON Lines of {kind} the second time")


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
    gold = ave_score.read_answer_sets(ROOT / "tests/data/broken/answer-sets.json")
    _check(data, gold, FileKind.RESPONSES)


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


# --- the loop ---------------------------------------------------------------------------------


@contextmanager
def _at_most(seconds: float) -> Iterator[None]:
    """Raise `Hang` in the block after so much processor time, where the system can do that."""
    if not hasattr(signal, "setitimer"):
        yield
        return

    def end(number: int, frame: FrameType | None) -> None:
        raise Hang

    signal.signal(signal.SIGVTALRM, end)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)


def failure_of(target: Target, data: bytes, collection: Collection | None) -> str | None:
    """Run one input; return what went wrong, if anything.

    A hang has to happen twice: the first time, the target may import and compile modules.
    """
    what = _failure_of(target, data, collection)
    return what if what != _HANG else _failure_of(target, data, collection)


def _failure_of(target: Target, data: bytes, collection: Collection | None) -> str | None:
    started = time.process_time()
    try:
        with _at_most(SECONDS), warnings.catch_warnings():
            warnings.simplefilter("ignore", ave_score.AveScoreWarning)
            target(data, collection)
    except (InputError, DefectError):
        return None
    except Hang:
        return _HANG
    except Broken as error:
        return f"broken: {error}"
    except Exception as error:
        frame = traceback.extract_tb(error.__traceback__)[-1]
        return f"crash: {type(error).__name__} in {frame.name} of {Path(frame.filename).name}"
    if time.process_time() - started > SECONDS:
        return _HANG
    return None


def shortened(data: bytes, fails: Callable[[bytes], bool], tries: int = 2000) -> bytes:
    """Return as little of an input as still fails."""
    size = max(1, len(data) // 2)
    while size and tries > 0:
        start = 0
        while start < len(data) and tries > 0:
            shorter = data[:start] + data[start + size :]
            tries -= 1
            if fails(shorter):
                data = shorter
            else:
                start += size
        size //= 2
    return data


def _collections() -> list[Collection | None]:
    broken = (ROOT / "sample_runs/broken/collection.xml").read_bytes()
    every = (COLLECTION.encode(), broken, PAIRS, QA4MRE)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ave_score.AveScoreWarning)
        return [None, *(ave_score.read_collection(BytesIO(data)) for data in every)]


def run_reader(name: str, executions: int, seed: int) -> tuple[int, dict[str, Failure]]:
    """Fuzz one reader; return how many inputs failed and one input for each way to fail."""
    target, collections, corpora = TARGETS[name], _collections(), _corpus()
    every = [data for corpus in corpora.values() for data in corpus]
    shared = {"fix": corpora["run"], "sniffed": every, "convert": every}
    own = shared.get(name) or corpora[name]
    failed, found = 0, dict[str, Failure]()
    for number in range(executions):
        chance = random.Random(f"{seed} {name} {number}")
        data = make_input(chance, own if chance.random() < 0.95 else every)
        collection = chance.choice(collections)
        what = failure_of(target, data, collection)
        if what is None:
            continue
        failed += 1
        if what not in found:
            short = data
            if not what.startswith("hang"):
                short = shortened(data, _fails_so(target, collection, what))
            found[what] = Failure(f"{what} (input {number}, {_named(collection)})", short)
    return failed, found


def _fails_so(target: Target, collection: Collection | None, what: str) -> Callable[[bytes], bool]:
    return lambda data: failure_of(target, data, collection) == what


def _named(collection: Collection | None) -> str:
    if collection is None:
        return "no collection"
    return f"collection of {len(collection.index)} answers"


def main(arguments: list[str] | None = None) -> int:
    """Fuzz the readers asked for; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--executions", type=int, default=1000, help="of each reader")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--reader", choices=[*TARGETS, "all"], default="all")
    given = parser.parse_args(arguments)
    names = list(TARGETS) if given.reader == "all" else [given.reader]
    total = 0
    for name in names:
        started = time.perf_counter()
        failed, found = run_reader(name, given.executions, given.seed)
        seconds = time.perf_counter() - started
        total += failed
        hangs = sum(what.startswith("hang") for what in found)
        sys.stdout.write(
            f"{name}: {given.executions:,} executions in {seconds:.0f} s, {failed:,} failed, "
            f"in {len(found)} ways, {hangs} of them hangs\n"
        )
        for failure in found.values():
            sys.stdout.write(f"  {failure.what}\n    {failure.data!r}\n")
        sys.stdout.flush()
    return int(total > 0)


if __name__ == "__main__":
    sys.exit(main())
