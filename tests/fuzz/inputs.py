"""Small files of every kind, and what damages them."""

from __future__ import annotations

import codecs
import gzip
import lzma
import random
from ast import literal_eval
from functools import cache
from pathlib import Path

from ave_score import FileKind
from ave_score.campaigns.start import start_file
from ave_score.core.kinds import KINDS
from tests import helpers_files as files
from tests import helpers_logs as logs
from tests.conftest import ROOT
from tests.fuzz import grammar
from tests.helpers_files import COLLECTION, RUN
from tools.broken import broken_files
from tools.own import own_files

KEPT = ROOT / "tests/data/fuzz"
"""For each reader, the inputs that a guided run found: a line each, as literals of Python."""

PAIR_RUN = b"1 YES 0.9\n2 NO 0.4\n3 NO\n4 YES 0.8\n"
PAIRS, QA4MRE, ANSWERS = (text.encode() for text in (files.PAIRS, files.QA4MRE, files.ANSWERS))
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
letters = "respubliqa"
[editions.2009.languages]
de = { collection = "c.tsv", runs = [ "a*", "b=c", ], teams = { "a.b" = "C", d = "E" } }
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

LARGEST_SEED = 1 << 12
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
    *(b"q_id\trun\tjudgement\n", b"run\tteam\n", b"R", b"W", b"U", b"X", b"a_id"),
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


def kept(reader: str) -> list[bytes]:
    path = KEPT / f"{reader}.txt"
    return [*map(literal_eval, path.read_text().splitlines())] if path.exists() else []


@cache
def seeds() -> dict[str, list[bytes]]:
    found: dict[str, list[bytes]] = {name: [] for name in (*FileKind, "logs")}
    for path in own_files("sample_runs"):
        if path.suffix in {".txt", ".tsv", ".xml", ".toml", ".json", ".jsonl"}:
            data = path.read_bytes()
            if len(data) <= LARGEST_SEED:
                found[_reader_of(path)].append(data)
    for name, data in broken_files().items():
        if len(data) <= LARGEST_SEED and not name.endswith(".gz"):
            found[_reader_of(Path(name))].append(data)
    found["answer-sets"] += [(ROOT / "gold/lists.json").read_bytes()]
    found["run"] += [RUN.encode(), RUN.encode("utf-16"), RUN.replace(" ", "\t").encode(), b""]
    found["run"] += [PAIR_RUN, PAIR_RUN.replace(b" 0", b"\t0"), b"1 YES\n2 no\n3 NO\n4 NO\n1 NO\n"]
    found["collection"] += [COLLECTION.encode(), PAIRS, QA4MRE, QA4MRE.decode().encode("utf-16")]
    found["answers"] += [ANSWERS, FLAT_ANSWERS, ANSWERS.decode().encode("utf-16")]
    found["key"] += [b"1 1_1 VALIDATED\n1 1_2 REJECTED\n2 2_1 REJECTED\n2 2_2 UNKNOWN\n"]
    found["teams"] += [b"run\tteam\nrun1\ta\nrun2\tb\n"]
    found["qrels"] += [b"1 0 D1 2\n1 0 D2 0\n2 0 D1 -1\n", b"1\tQ0\tD1\t1\n"]
    found["trec-run"] += [b"1 Q0 D1 1 7.5 a\n1 Q0 D2 2 -1e3 a\n2 Q0 D1 1 0 a\n"] * 3
    found["times"] += [b"run\tsubmitted\na\t2026-05-01T20:15:00+02:00\nb\t2026-05-02\n"]
    found["judged"] += [b"q_id\trun\tjudgement\n1\tqa\tR\n2\tqa\tW\n3\tqa\tU\n"]
    found["campaign"] += [CAMPAIGN, CAMPAIGN.replace(b"\n", b"\r\n"), start_file().encode()]
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
            (b"", "latin-1"), (codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"),
            (codecs.BOM_UTF16_BE, "utf-16-be"), (codecs.BOM_UTF32_BE, "utf-32-be"),
            (b"", "utf-16-le"),
        ]
    )  # fmt: skip
    return mark + text.encode(name, "replace")


def _line_ends(chance: random.Random, data: bytes, _: list[bytes]) -> bytes:
    return data.replace(b"\n", chance.choice([b"\r\n", b"\r", b"\n\r", b" \n"]))


def _pack(chance: random.Random, data: bytes, _: list[bytes]) -> bytes:
    return gzip.compress(data, 1, mtime=0) if chance.random() < 0.8 else lzma.compress(data)


def _repeat(chance: random.Random, data: bytes, _: list[bytes]) -> bytes:
    return data * chance.choice([2, 3]) if len(data) < LARGEST_SEED else data


_OFTEN = [_flip, _random_bytes, _token, _token, _leave_out, _double, _lines, _lines, _lines]
_SELDOM = [_token_at_start, _cut, _splice, _reencode, _line_ends, _repeat]


def change(chance: random.Random, data: bytes, corpus: list[bytes]) -> bytes:
    damage = chance.choice(_OFTEN if chance.random() < 0.8 else _SELDOM)
    return damage(chance, data, corpus)


def make_input(chance: random.Random, corpus: list[bytes], reader: str = "") -> bytes:
    """Return a damaged file; for a reader, half of them are of its grammar, some without damage."""
    if reader and chance.random() < 0.5:
        data, times = grammar.make_file(chance, reader), chance.choice([0, 1, 1, 2])
    else:
        data, times = chance.choice(corpus), chance.choice([1, 1, 2, 2, 3, 5, 8])
    for _ in range(times):
        data = change(chance, data, corpus)
    if chance.random() < 0.01:
        data = _pack(chance, data, corpus)
    return data


def corpus_of(reader: str) -> tuple[list[bytes], list[bytes]]:
    """Return the samples of a reader, and those of all."""
    samples = seeds()
    every = [data for corpus in samples.values() for data in corpus]
    shared = {"fix": samples["run"], "sniffed": every, "convert": every}
    return [*(shared.get(reader) or samples[reader]), *kept(reader)], every
