"""Fixing: each fix by hand, several fixes in a file, and content that must not change."""

from __future__ import annotations

import gzip
import signal
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ave_score import Collection, FixedRun, InputError, read_collection
from ave_score.files import run as run_module
from ave_score.files.lines import MAX_LINE
from ave_score.rules import (
    ANSWER_MISSING,
    LABEL_IN_RUN,
    MISSING_AS_REJECTED,
    MISSING_EXCLUDED,
    RULES,
    FileKind,
    Rule,
    Safety,
)
from tests import each
from tests.helpers_broken import BROKEN, TWENTY, gold_beside
from tests.helpers_files import PACKED, broken, fixed_of, fuzzed
from tools.broken import wrong_path

BOM = b"\xef\xbb\xbf"
MARKS_OF_WIDE = {b"\xff\xfe": "utf-16-le", b"\xfe\xff": "utf-16-be", b"\xff\xfe\0\0": "utf-32-le"}

SMALL = Collection.from_frame(
    [
        {"q_id": q_id, "a_id": a_id, "label": "REJECTED"}
        for q_id, a_id in (("1", "1_1"), ("1", "1_2"), ("1", "1_3"), ("2", "2_1"))
    ]
)
"""Two questions, with three answers and with one."""


@pytest.fixture(scope="module")
def index() -> Collection:
    """The answers that the examples of the rules belong to."""
    return read_collection(BROKEN / "collection.xml")


@pytest.fixture(autouse=True)
def _no_endless_fixing() -> Iterator[None]:
    """End a test whose fixing does not end; every file here is fixed in milliseconds."""
    if not hasattr(signal, "setitimer"):
        yield
        return

    def end(*_: object) -> None:
        pytest.fail("fixing does not come to an end")

    before = signal.signal(signal.SIGALRM, end)
    signal.setitimer(signal.ITIMER_REAL, 10)
    yield
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, before)


def fixed_run(
    data: str | bytes, index: Collection | None = SMALL, *, unsafe: bool = False
) -> FixedRun:
    data = data.encode() if isinstance(data, str) else data
    if data.startswith((*PACKED, b"PAR1")):  # so that it is what a file holds, and no packed file
        data = gzip.compress(data)
    with TemporaryDirectory() as folder:
        return fixed_of(Path(folder), data, index, unsafe=unsafe)


def fixed(data: str | bytes, index: Collection | None = SMALL, *, unsafe: bool = False) -> bytes:
    return fixed_run(data, index, unsafe=unsafe).document.encoded()


def changes(done: FixedRun) -> list[tuple[str, int]]:
    """Return code and line, as it was, of every change."""
    return [(change.rule.code, change.line) for change in done.changes]


def left(done: FixedRun) -> list[tuple[str, int | None]]:
    return [(found.rule.code, found.line) for found in done.left]


def wrong(rule: Rule) -> bytes:
    """Return the file that breaks a rule, unpacked."""
    data = (BROKEN / wrong_path(rule)).read_bytes()
    return gzip.decompress(data) if wrong_path(rule).endswith(".gz") else data


RUN_RULES = [rule for rule in RULES.values() if rule.example_of is FileKind.RUN]
FIXABLE = [rule for rule in RULES.values() if rule.safety is not Safety.NONE]


def named(rule: Rule) -> str:
    return rule.name


def test_only_runs_are_fixed() -> None:
    assert {*FIXABLE} <= {*RUN_RULES}


@pytest.mark.parametrize("rule", FIXABLE, ids=named)
def test_fixing_the_wrong_example_gives_the_right_example(rule: Rule, index: Collection) -> None:
    unsafe = rule.safety is Safety.UNSAFE
    done = fixed_run(wrong(rule), index, unsafe=unsafe)
    assert done.document.encoded() == rule.right.encode()
    assert not len(done.left)
    assert {change.rule for change in done.changes} == {rule}
    assert fixed(wrong(rule), index, unsafe=True) == rule.right.encode()
    if unsafe:  # it is not made without being asked for
        done = fixed_run(wrong(rule), index)
        assert done.document.encoded() == wrong(rule)
        assert [one.rule for one in done.left] == [rule]


@each("unsafe", [False, True])
@each("rule", [one for one in RUN_RULES if one not in FIXABLE])
def test_defects_without_fix_left_unchanged(rule: Rule, index: Collection, unsafe: bool) -> None:
    # policies of scoring; as it stands, the answer is missing
    if rule in (MISSING_AS_REJECTED, MISSING_EXCLUDED):
        done = fixed_run(wrong(rule), index)
        assert [one.rule for one in done.left] == [ANSWER_MISSING]
        return
    gold = read_collection(gold_beside(rule)) if rule.code in TWENTY else index
    done = fixed_run(wrong(rule), gold, unsafe=unsafe)
    if rule is LABEL_IN_RUN and unsafe:  # yes and no, which --values names
        assert done.document.encoded() == wrong(rule).replace(b"NO", b"REJECTED")
        return
    assert done.document.encoded() == wrong(rule)
    assert [one.rule for one in done.left] == [rule]
    assert not done.changes


SOUND = "1 1_1 SELECTED 0.9\n1 1_2 REJECTED 0.2\n1 1_3 VALIDATED 0.4\n2 2_1 REJECTED 0.1\n"
REST = "1 1_2 REJECTED 0.2\n1 1_3 VALIDATED 0.4\n2 2_1 REJECTED 0.1\n"
CODES = ["utf-16-be", "utf-16-le", "utf-32-be", "utf-32-le"]
SIZE = f"# Größe 😀\n{SOUND}"
# behind 4 KB: a file with NUL at its beginning is taken for a binary one
FAR = "# " + "x" * 5000 + "\n" + SOUND
STRANGE = b"# \xff\xfe\xed\xa0\x80 \xc3\n  \t \n1 \t 1_3\tVALIDATED  0.400  \n"


class Fix(NamedTuple):
    """A file, what the safe fixes make of it, and what all make of it; None: no more than before.
    `left` and `changes` have code and line of each finding that is left, and of each change, by the
    safe fixes; `left_by_all` and `unsafe` by all of them. An Ellipsis is anything."""

    before: str | bytes
    safe: str | bytes | None = None
    all: str | bytes | None = None
    left: Any = ...
    changes: Any = ...
    left_by_all: Any = ...
    unsafe: Any = ...


def assert_fixed(fix: Fix, index: Collection | None = SMALL) -> None:
    safe = fix.before if fix.safe is None else fix.safe
    everything = safe if fix.all is None else fix.all
    for text, unsafe, is_left, changed in (
        (safe, False, fix.left, fix.changes),
        (everything, True, fix.left_by_all, fix.unsafe),
    ):
        done = fixed_run(fix.before, index, unsafe=unsafe)
        assert done.document.encoded() == (text.encode() if isinstance(text, str) else text)
        assert is_left in (..., left(done))
        made = [change for change in done.changes if not unsafe or change.unsafe]
        assert changed in (..., [(change.rule.code, change.line) for change in made])


@each("fix", [
    Fix(SOUND, left=[], changes=[], left_by_all=[], unsafe=[]),
    # every encoding that says what it is becomes UTF-8, and every line end LF
    *(Fix(SIZE.replace("\n", end).encode(code), SIZE)
      for code in ("utf-8-sig", "utf-16", "utf-32") for end in ("\n", "\r\n", "\r")),
    *(Fix(f"\ufeff{SOUND}".encode(code), SOUND) for code in CODES),
    *(Fix(f"\ufeff{SOUND}".encode("utf-16-le") + tail) for tail in (b"\x00", b"\x00\xd8")),
    # one pass removes every mark; a file with only a mark becomes empty, an empty one stays so
    *(Fix(BOM * number + SOUND.encode(), SOUND, left=[]) for number in (2, 3)),
    Fix(b"\xff\xfe\xff\xfe" + SOUND.encode("utf-16-le"), SOUND, left=[]),
    *(Fix(mark, b"", left=[("AVE115", None)], left_by_all=[("AVE115", None)])
      for mark in (b"", BOM, b"\xff\xfe", b"\xff\xfe\0\0")),
    # a missing final line end stays missing
    Fix("1 1_1 SELECTED 0.9\r\n\r1 1_2 REJECTED 0.2\r1 1_3 REJECTED 0\n\n2 2_1 REJECTED 1",
        "1 1_1 SELECTED 0.9\n\n1 1_2 REJECTED 0.2\n1 1_3 REJECTED 0\n\n2 2_1 REJECTED 1",
        changes=[("AVE112", 0)] * 2),
    *(Fix(SOUND.replace(" ", blank), SOUND)
      for blank in "\u00a0\u1680\u2000\u2003\u2009\u202f\u205f\u3000"),
    # what cannot be seen is deleted only if asked for; the line is unreadable, its answer is there
    *(Fix(FAR.replace("2 2_1", f"2{odd} 2_1{odd}"), all=FAR,
          left=[("AVE113", 5)], unsafe=[("AVE113", 5)])
      for odd in ("\u200b", "\u00ad", "\u2060", "\x1b", "\x00", "\x7f", "\x85")),
    # a line with both kinds is fixed in two steps
    Fix(SOUND.replace("2 2_1", "2\u00a02_1\u200b"), SOUND.replace("2 2_1", "2 2_1\u200b"), SOUND,
        left=[("AVE113", 4)]),
    # a line that is not UTF-8 is read as Windows-1252
    *(Fix(b"# " + raw + b"\n" + SIZE.encode(), all=f"# {text}\n{SIZE}")
      for raw, text in (
          (b"\xe9", "é"),
          (b"\x80 \x93x\x94 \x9f", "€ “x” Ÿ"),  # only Windows-1252 has these
          (b"\x8d\x81\x90", ""),  # not even that: control characters of Latin-1, deleted after
          (b"\xc3\xa9\xe9", "Ã©é"),  # the line is read as one encoding
      )),
])  # fmt: skip
def test_texts(fix: Fix) -> None:
    assert_fixed(fix)


@pytest.mark.parametrize("encoding", CODES)
def test_utf_16_without_a_mark_is_left_unchanged(encoding: str) -> None:
    data = SOUND.encode(encoding)
    done = fixed_run(data, unsafe=True)
    assert done.document.encoded() == data
    assert done.left.errors


def test_bytes_of_lines_that_are_not_fixed_stay_whatever_they_are() -> None:
    done = fixed_run(STRANGE + b"1 1_1 Selected 0,9\n1 1_2 REJECTED 0.2\n2 2_1 REJECTED 0.1")
    rest = b"1 1_1 SELECTED 0.9\n1 1_2 REJECTED 0.2\n2 2_1 REJECTED 0.1"
    assert done.document.encoded() == STRANGE + rest
    assert left(done) == [("AVE110", 1)]


@each("fix", [
    # only the field is rewritten
    Fix("1 1_1 selected 0.9\n", "1 1_1 SELECTED 0.9\n"),
    Fix(" \t1\t1_1   Selected  0,9  \n", " \t1\t1_1   SELECTED  0.9  \n"),
    Fix("selected selected selected ,5\n", "selected selected SELECTED .5\n"),
    Fix("0,9 0,9 Validated 0,9\n", "0,9 0,9 VALIDATED 0.9\n", "0,9 0,9 SELECTED 0.9\n"),
    Fix("1 1_1 rEJECTED -1,5\n", "1 1_1 REJECTED -1.5\n"),
    Fix("1 1_1 rejected 0,000\n", "1 1_1 REJECTED 0.000\n"),
    Fix("1 1_1 rejected 1,5E-05\n", "1 1_1 REJECTED 1.5E-05\n"),
    Fix("😀 é rejected 0,5\n", "😀 é REJECTED 0.5\n"),
    # a number, a verdict or a label tells that a line is an answer of a question named so
    Fix("q a SELECTD 0.5\n"),
    Fix("id 1_1 maybe 1\n"),
    Fix("question x REJECTED low\n"),
    Fix("Q a YES x\n"),
    # in a table of semicolons, a comma is decimal
    Fix("q_id;a_id;verdict;confidence\n1;1_1;SELECTED;0,5\n",
        "q_id;a_id;verdict;confidence\n1;1_1;SELECTED;0.5\n"),
    # a comment is not selected, and nothing is added without a collection
    Fix("#1 a VALIDATED 0.9\n #1 a VALIDATED 0.5\n",
        all="#1 a VALIDATED 0.9\n #1 a SELECTED 0.5\n"),
    Fix("1 1_2 SELECTED 0.2"),
])  # fmt: skip
def test_fields_without_a_collection(fix: Fix) -> None:
    assert_fixed(fix, None)


@each("word", ["0,9,1", "0,9e", "1.000,5", "0;9", "1,", "nan", "5 %", "1_0"])
def test_a_number_that_is_more_than_a_comma_away_is_left(word: str) -> None:
    line = f"1 1_1 REJECTED {word}\n"
    done = fixed_run(line, None, unsafe=True)
    assert done.document.encoded() == line.encode()
    assert done.left.errors == 1


@each("header", [
    "q_id a_id verdict confidence", "question answer", "Q\tA\tV\tC", "id a b c d e f",
    "  topic x y z", "Q a selectd nan",
])  # fmt: skip
def test_a_header_becomes_a_comment_or_stays_unchanged(header: str) -> None:
    """Either the line is no header, and then it is left, or it is one: nothing between."""
    data = fixed(f"{header}\n{SOUND}")
    assert data in {f"# {header}\n{SOUND}".encode(), f"{header}\n{SOUND}".encode()}


def lines_of(rows: str) -> list[str]:
    return [f"1 1_1 {row}\n" for row in rows.split("; ")]


REJECTED = REST.replace("VALIDATED", "REJECTED")


@each("fix", [
    # of lines that say the same the first stays
    *(fix for rows in (
        "SELECTED 0.9; SELECTED 0.9",
        "SELECTED 0.9; SELECTED 0.90; SELECTED 9e-1",
        "SELECTED 0.9; Selected 0,9",
    ) for lines in [lines_of(rows)] for fix in (
        Fix("".join(lines) + REST, lines[0] + REST), Fix(REST + "".join(lines), REST + lines[0]),
    )),
    Fix("1 1_1 SELECTED 0.9\n1 1_1 REJECTED 0.9\n" + REST, all="1 1_1 SELECTED 0.9\n" + REST,
        left=[("AVE206", 2)]),
    # what may be a thousand gets a point only if asked for
    *(
        Fix(f"1 1_1 SELECTED {word}\n{REST}", left=[("AVE107", 1)], unsafe=[("AVE107", 1)],
            all=f"1 1_1 SELECTED {word.replace(',', '.')}\n{REST}")
        for word in ("1,000", "12,345", "-3,141")
    ),
    # an unreadable line is not deleted in favour of a readable one
    Fix("1 1_1 SELECTED 0.9\n1 1_1 SELECTED low\n1 1_1 SELECTD 0.9\n" + REST,
        left_by_all=[("AVE206", 2), ("AVE105", 2), ("AVE102", 3)]),
    Fix(f"Q a foo 0,5\n{SOUND}", f"Q a foo 0.5\n{SOUND}"),
])  # fmt: skip
def test_repeated_lines_and_words(fix: Fix) -> None:
    assert_fixed(fix)


@each("rows, kept", [
    ("SELECTED 0.9; REJECTED 0.8", 0),
    ("REJECTED 0.8; SELECTED 0.9", 1),
    ("SELECTED 0.5; REJECTED 0.5", 0),
    ("SELECTED 0.1; SELECTED 0.3; SELECTED 0.2", 1),
    ("SELECTED 0.1; SELECTED 0.3; REJECTED 0.3", 1),
    ("SELECTED 0.1; SELECTED 0.3; SELECTED 0.1", 1),
    ("SELECTED -2; SELECTED -1", 1),
    ("SELECTED 9e-1; SELECTED 10", 1),
    ("SELECTED 0.30000000000000001; VALIDATED 0.3", 0),
])  # fmt: skip
def test_of_lines_that_contradict_the_most_confident_stays(rows: str, kept: int) -> None:
    lines = lines_of(rows)
    done = fixed_run("".join(lines) + REJECTED, unsafe=True)
    assert done.document.encoded() == (lines[kept] + REJECTED).encode()
    gone = [number for number in range(1, len(lines) + 1) if number != kept + 1]
    assert sorted(line for _, line in changes(done)) == gone


@each("before, after", [
    ("S.9 S.5 R.1", "S.9 V.5 R.1"),
    ("S.5 S.9 R.1", "V.5 S.9 R.1"),
    ("S.5 S.5 S.5", "S.5 V.5 V.5"),
    ("S.1 S.5 S.5", "V.1 S.5 V.5"),
    ("S.1 V.9 S.2", "V.1 V.9 S.2"),  # a VALIDATED one is not in the running
    ("V.1 V.9 R.2", "V.1 S.9 R.2"),
    ("V.5 V.5 V.5", "S.5 V.5 V.5"),
    ("V.1 R.9 R.9", "S.1 R.9 R.9"),  # nor a REJECTED one
    ("R.1 R.9 V-1", "R.1 R.9 S-1"),
])  # fmt: skip
def test_an_answer_is_selected_on_request(before: str, after: str) -> None:
    assert_fixed(Fix(question(before), all=question(after)))
    assert not fixed_run(question(before), unsafe=True).left.errors


def question(verdicts: str) -> str:
    """Return a run of which the first question has these verdicts: letter and confidence."""
    words = {"S": "SELECTED", "V": "VALIDATED", "R": "REJECTED"}
    rows = [f"1 1_{n} {words[s[0]]} {s[1:]}\n" for n, s in enumerate(verdicts.split(), 1)]
    return "".join(rows) + "2 2_1 REJECTED 0.1\n"


@each("word", ["low", "nan", "0..5", "inf"])
@each("first", [True, False])
def test_a_line_that_cannot_be_read_is_not_selected(word: str, first: bool) -> None:
    rows = ["1 1_1 VALIDATED 0.5\n", f"1 1_1 VALIDATED {word}\n"]
    rest = "1 1_2 REJECTED 0.2\n1 1_3 REJECTED 0.4\n2 2_1 REJECTED 0.1\n"
    data = "".join(rows[::-1] if first else rows) + rest
    done = fixed_run(data, unsafe=True)
    assert done.document.encoded() == data.replace("VALIDATED 0.5", "SELECTED 0.5").encode()
    bad = 1 if first else 2
    assert {*left(done)} >= {("AVE206", 2)}  # said twice
    assert {line for _, line in left(done)} == {bad, 2}


@pytest.mark.slow
def test_many_questions_are_fixed_in_a_few_rounds() -> None:
    """Each round checks the whole file, so there must not be one for each line."""
    rows = [f"{n} {n}_1 VALIDATED 0.5\n{n} {n}_2 VALIDATED 0.6\n" for n in range(3000)]
    rows += [f"0 x{n} VALIDATED 0.9\n" for n in range(3000)]
    index = Collection.from_frame(
        {
            "q_id": [str(n) for n in range(3000) for _ in "12"],
            "a_id": [f"{n}_{a}" for n in range(3000) for a in "12"],
            "label": ["REJECTED"] * 6000,
        }
    )
    done = fixed_run("".join(rows), index, unsafe=True)
    assert len(done.changes) == 3000
    assert {found.rule.code for found in done.left} == {"AVE202"}


@each("fix", [
    # in the order of the collection
    Fix("1 1_2 SELECTED 0.2",
        all="1 1_2 SELECTED 0.2\n1 1_1 REJECTED 0\n1 1_3 REJECTED 0\n2 2_1 REJECTED 0\n",
        unsafe=[("AVE204", 0)] * 3),
    # the line of an answer cannot be read; the run is about another collection
    Fix(SOUND.replace("2 2_1 REJECTED 0.1", "2 2_1 REJECTED low")),
    Fix("7 7_1 SELECTED 0.5\n"),
    # a question is decided after its missing answers were rejected
    Fix("1 1_1 VALIDATED 0.5\n1 1_2 VALIDATED 0.6\n2 2_1 REJECTED 0\n",
        all="1 1_1 VALIDATED 0.5\n1 1_2 SELECTED 0.6\n2 2_1 REJECTED 0\n1 1_3 REJECTED 0\n",
        left_by_all=[]),
    # a line about no answer of the collection is not selected
    Fix(question("V.5 R.2 R.1") + "1 9_9 VALIDATED 0.9\n",
        all=question("S.5 R.2 R.1") + "1 9_9 VALIDATED 0.9\n", left_by_all=[("AVE202", 5)]),
])  # fmt: skip
def test_missing_and_unknown_answers(fix: Fix) -> None:
    assert_fixed(fix)


def test_everything_at_once_by_hand() -> None:
    before = (
        "\ufeffq_id a_id verdict confidence\r\n# run 7\r\n1\u00a01_1 validated 0,5\r\n"
        "1 1_2 Selected 0.4\r\n1 1_2 SELECTED 0,40\r\n\r\n1 1_1 SELECTED 0.7\r\n"
        "1 1_3 SELECT\u200bED 0.6"
    )
    head = "# q_id a_id verdict confidence\n# run 7\n"
    safe = f"{head}1 1_1 VALIDATED 0.5\n1 1_2 SELECTED 0.4\n\n1 1_1 SELECTED 0.7\n"
    safe += "1 1_3 SELECT\u200bED 0.6"
    bold = (
        f"{head}1 1_2 VALIDATED 0.4\n\n1 1_1 SELECTED 0.7\n1 1_3 VALIDATED 0.6\n2 2_1 REJECTED 0\n"
    )
    done = fixed_run(before)
    assert done.document.encoded() == safe.encode()
    assert sorted(changes(done)) == [
        ("AVE103", 3), ("AVE103", 4), ("AVE107", 3), ("AVE107", 5), ("AVE109", 1),
        ("AVE111", 1), ("AVE112", 0), ("AVE113", 3), ("AVE205", 5),
    ]  # fmt: skip
    done = fixed_run(before, unsafe=True)
    assert done.document.encoded() == bold.encode()
    assert sorted((c.rule.code, c.line) for c in done.changes if c.unsafe) == [
        ("AVE113", 8), ("AVE204", 0), ("AVE206", 3), ("AVE301", 4), ("AVE301", 8),
    ]  # fmt: skip
    assert not len(done.left)
    assert fixed(safe, unsafe=True) == bold.encode()


@pytest.mark.parametrize("data", [
    BOM + b"\xff\xfe1 1_1 SELECTED 0.9\n" + REST.encode(),
    BOM + b"\xc2\xa0[\n" + SOUND.encode(),
    b"\r\n" * 3000 + SOUND.encode() + b"3\x00 x REJECTED 0.1\n",
    SOUND.encode() * 60 + b"3\x00 x REJECTED 0.1\n",
], ids=["UTF-16", "JSON", "NUL, line ends", "NUL, repetitions"])  # fmt: skip
def test_fixing_bytes_does_not_change_the_kind_of_a_file(data: bytes) -> None:
    """What it begins with may look like something else once what stands before is gone."""
    done = fixed_run(data)
    once = done.document.encoded()
    codes = {found.rule.code for found in done.left}
    assert not codes & {"AVE116", "AVE117", "AVE118"}
    assert fixed(once) == once
    assert fixed(once, unsafe=True) == fixed(data, unsafe=True)


@pytest.mark.parametrize("data", [
    "1 1_1 REJECTED 0.1\n[1] a SELECTED 0.4\n1 1_1 REJECTED 0.2\n",
    "1 1_1 REJECTED 0.1\n<1 a SELECTED 0.4\n1 1_1 REJECTED 0.2\n",
])  # fmt: skip
def test_nor_by_being_fixed_boldly(data: str) -> None:
    done = fixed_run(data, unsafe=True)
    assert "AVE116" not in {found.rule.code for found in done.left}
    assert fixed(done.document.encoded(), unsafe=True) == done.document.encoded()


SIGNATURES = {
    "zip": b"PK\x03\x04",
    "empty zip": b"PK\x05\x06",
    "7z": b"7z\xbc\xaf\x27\x1c",
    "rar": b"Rar!\x1a\x07",
    "zstd": b"\x28\xb5\x2f\xfd",
    "lz4": b"\x04\x22\x4d\x18",
    "bzip2": b"BZh91AY&SY",
    "tar": b"x" * 257 + b"ustar",
    "gzip": b"\x1f\x8b",
    "xz": b"\xfd7zXZ\x00",
    "parquet": b"PAR1",
    "NUL": b"1\x001_1",
}
"""How binary files begin, as the descriptions of the formats say."""


@each("unsafe", [False, True])
@each("begin", SIGNATURES.values())
@each("mark", [b"", BOM, BOM * 2, *MARKS_OF_WIDE])
def test_no_mark_hides_binary_data(mark: bytes, begin: bytes, unsafe: bool) -> None:
    """Without the mark the file would be refused, so no fix of the mark may be promised."""
    data = mark + begin + b"\n" + SOUND.encode()
    if mark in MARKS_OF_WIDE:
        if not begin.isascii():
            return  # text, if it is UTF-16: no archive begins so
        data = mark + data.removeprefix(mark).decode().encode(MARKS_OF_WIDE[mark])
    done = fixed_run(data, unsafe=unsafe)
    assert [(found.rule.code, found.fix) for found in done.left] == [("AVE117", Safety.NONE)]
    assert not done.changes


@pytest.mark.parametrize("second", [b"\xff\xfe", b"\xfe\xff"], ids=ascii)
def test_no_fix_of_a_mark_before_another_is_promised(second: bytes) -> None:
    """Without the first mark, the file would be read as UTF-16."""
    done = fixed_run(BOM + second + b"1 1_1 SELECTED 0.9\n" + REST.encode())
    assert ("AVE111", Safety.NONE) in [(found.rule.code, found.fix) for found in done.left]


def test_compressed_data_in_a_compressed_file_is_not_fixed() -> None:
    twice = gzip.compress(gzip.compress(SOUND.replace("REJ", "Rej").encode()))
    once = gzip.decompress(twice)
    assert fixed(once, unsafe=True) == once


def test_a_mark_that_a_fix_reveals_is_removed() -> None:
    """After each fix all of them are tried again, from the first on. The less confident line is
    deleted, so the file begins with the next one, which has a mark. It is too long to be read, so
    the mark in it was no finding before."""
    rest = "# " + "x" * MAX_LINE + "\n1 1_1 SELECTED 0.9\n" + REST
    done = fixed_run(f"1 1_1 VALIDATED 0.1\n\ufeff{rest}", unsafe=True)
    assert changes(done) == [("AVE206", 1), ("AVE111", 1)]
    assert done.document.encoded() == rest.encode()


def test_a_run_read_for_columns_only_where_something_fixed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A large run is read once more for each stage of fixes that applies, not for all ten. So the
    first run is read to be checked, for its columns, and to be checked again. In the second run, a
    table without the usual names, nothing can be fixed: its header breaks a rule that has fixes,
    but this finding has none. It is checked, and read twice to see that it has more than
    confidences."""
    read = []
    lines = run_module.NOTATIONS[-1]

    class Counted(lines):  # type: ignore[misc, valid-type]
        def __init__(self, *arguments: Any, **settings: Any) -> None:  # noqa: ANN401
            read.append(arguments)
            super().__init__(*arguments, **settings)

    monkeypatch.setattr(run_module, "NOTATIONS", (*run_module.NOTATIONS[:-1], Counted))
    assert fixed(SOUND.replace("0.9", "0,9")) == SOUND.encode()
    assert len(read) == 3
    done = fixed_run("id,candidate,decision,score\n1,1_1,SELECTED,0.9\n", None, unsafe=True)
    assert ("AVE109", 1) in left(done)
    assert len(read) == 6


@pytest.mark.parametrize("data", ["\x81q_id\tanswer", "d\tn\tn\ts\nrun\tjudgement"], ids=ascii)
def test_no_fix_is_promised_that_was_refused(data: str) -> None:
    """Fixed, these files would be tables of another kind, so they are left as they are."""
    done = fixed_run(data.encode("latin-1"), unsafe=True)
    assert len(done.left)
    assert {found.fix for found in done.left} == {Safety.NONE}


@fuzzed
@given(st.text(alphabet="a\r\n\x0b\x0c\x1c\x85", max_size=12))
def test_lines_end_with_lf_crlf_or_cr_and_nothing_else(text: str) -> None:
    """All line ends become LF, and what else Unicode calls one stays in its line."""
    text = f"# {text}"
    assert fixed(text).decode() == text.replace("\r\n", "\n").replace("\r", "\n")


TABLE = """\
q_id,a_id,verdict,confidence
1,1_1,SELECTED,0.9
1,"1_2",rejected,"0,4"
2,2_1,REJECTED,0
"""
LINES = """\
{"q_id": "1", "a_id": "1_1", "verdict": "VALIDATED", "confidence": 0.9}
{"q_id": "1", "a_id": "1_2", "verdict": "rejected", "confidence": "0,4"}
{"q_id": "2", "a_id": "2_1", "verdict": "REJECTED", "confidence": 0}
"""


@pytest.mark.parametrize("text", [TABLE, LINES], ids=["CSV", "JSON Lines"])
def test_utf_16_tables_are_fixed(text: str) -> None:
    once = fixed(("\ufeff" + text).encode("utf-16-le"), None)
    assert once.decode() == text.replace("rejected", "REJECTED").replace("0,4", "0.4")


@fuzzed
@given(broken(TABLE) | broken(LINES), st.booleans())
def test_damaged_tables_are_fixed_once_or_left(tmp_path: Path, data: bytes, unsafe: bool) -> None:
    rows = [(a_id[0], a_id) for a_id in ("1_1", "1_2", "2_1", "2_2")]
    index = Collection.from_frame([{"q_id": q, "a_id": a, "label": "REJECTED"} for q, a in rows])
    try:
        done = fixed_run(data, index, unsafe=unsafe)
    except InputError:
        return
    assert (done.document.encoded() == data) == (not done.changes)
    again = fixed_run(done.document.encoded(), index, unsafe=unsafe)
    assert not again.changes
    assert again.left.counts == done.left.counts
