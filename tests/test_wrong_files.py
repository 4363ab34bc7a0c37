"""Files of another collection, of another layout, and archives: one finding for each."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import re
import shutil
import subprocess
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

import ave_score
from ave_score import Collection, Findings, Label
from tests import each
from tests.conftest import ROOT
from tests.helpers_command import ave
from tests.helpers_files import RUN, Held, fixed_of, only, positions, put, read_file

GOLD = ROOT / "gold"


def collection(name: str) -> Collection:
    return ave_score.read_collection(GOLD / name)


def rejecting(given: Collection) -> str:
    """Return a run that rejects every answer."""
    pairs = zip(given.index.q_ids, given.index.a_ids, strict=True)
    return "".join(f"{q_id} {a_id} REJECTED 0.5\n" for q_id, a_id in pairs)


def numbered(first: int, last: int) -> Collection:
    """Return questions with these numbers, of one answer each."""
    rows = [{"q_id": str(n), "a_id": f"{n}_1", "label": "REJECTED"} for n in range(first, last + 1)]
    return Collection.from_frame(rows)


def check(run: str, given: Collection, *, missing: str = "error") -> Findings:
    return read_file("run", run, given, missing=missing)[1]


@pytest.mark.parametrize("missing", ["error", "rejected"])
def test_a_run_of_another_language_is_one_finding(missing: str) -> None:
    """Of the 282 German answers of 2007, 239 have ids of the 564 Spanish ones by coincidence."""
    run = rejecting(collection("ave2007-de.xml"))
    findings = check(run, collection("ave2007-es.xml"), missing=missing)
    (found,) = findings
    assert found.rule.code == "AVE208"
    said = "names 239 of 564 answers of the collection, and 43 others; is it the right collection?"
    assert found.message.startswith(f"{said} First of the others: answer ")
    first = " ".join(found.text.split()[:2])
    assert run.splitlines()[(found.line or 0) - 1].startswith(f"{first} ") and found.column == 1
    assert findings.tally() == {found.rule: 1}
    of_another = "the file seems to be of another collection"
    assert findings.unchecked == [f"missing answers and selections: {of_another}"]


def test_nothing_is_filled_in(tmp_path: Path) -> None:
    data = rejecting(collection("ave2007-de.xml"))
    done = fixed_of(tmp_path, data, collection("ave2007-es.xml"), unsafe=True)
    assert not done.changes
    assert done.text == data


@each("run, given, codes", [
    # 10 unknown answers are too few to judge
    ((11, 20), (1, 10), {"AVE201"}),
    ((11, 21), (1, 10), {"AVE208"}),
    # every answer of the collection is there
    ((1, 100), (1, 50), {"AVE201"}),
    ((2, 100), (1, 50), {"AVE208"}),
    # 35 of 47 answers are in both, 74 %; 36 of 48, 75 %
    ((2, 47), (1, 36), {"AVE208"}),
    ((2, 48), (1, 37), {"AVE201", "AVE204"}),
    # 11 of 221 are unknown, 4.98 %; 11 of 220, 5 %
    ((1, 221), (12, 500), {"AVE201", "AVE204"}),
    ((2, 221), (13, 500), {"AVE208"}),
    # a run that names only some answers is not of another collection
    ((1, 50), (1, 500), {"AVE204"}),
])  # fmt: skip
def test_thresholds(run: tuple[int, int], given: tuple[int, int], codes: set[str]) -> None:
    findings = check(rejecting(numbered(*run)), numbered(*given))
    assert {rule.code for rule in findings.counts} == codes


def test_missing_answers_are_not_filled_in_while_others_are_unknown(tmp_path: Path) -> None:
    """The unknown answer may be the missing one."""
    run = rejecting(numbered(2, 20)) + "x 1_1 REJECTED 0.5\n"
    done = fixed_of(tmp_path, run, numbered(1, 21), unsafe=True)
    assert {rule.code: n for rule, n in done.left.counts.items()} == {"AVE201": 1, "AVE204": 2}
    assert not done.changes


def test_pairs() -> None:
    run = "".join(f"{number} YES 0.5\n" for number in range(50))
    rows = [{"pair_id": str(number), "label": "NO"} for number in range(30, 90)]
    findings = check(run, Collection.from_frame(rows))
    assert positions(findings) == [("AVE208", 1, 1)]
    assert "First of the others: pair '0'" in next(iter(findings)).message


def test_keys_and_scores() -> None:
    given = collection("ave2007-es.xml")
    pairs = [*zip(*(given.index.q_ids, given.index.a_ids), strict=True)]
    key = "".join(f"{q_id} x{a_id} REJECTED\n" for q_id, a_id in pairs)
    findings = ave_score.check(Held(key), given, kind="key").findings
    assert positions(findings) == [("AVE208", 1, 1)]
    scores = "".join(f"{q_id} x{a_id} 0.5\n" for q_id, a_id in pairs)
    _, findings = read_file("scores", scores, given)
    assert [code for code, _, _ in positions(findings)] == ["AVE208"]


ROWS = [(str(n), f"{n}_1", "REJECTED", "0.5") for n in range(1, 41)]


def arranged(order: str, separator: str = " ") -> str:
    """Return a run with its columns (q, a, v, c) in some order."""
    rows = [dict(zip("qavc", row, strict=True)) for row in ROWS]
    return "".join(separator.join(row[name] for name in order) + "\n" for row in rows)


@pytest.mark.parametrize(("run", "code", "end"), [
    (arranged("aqvc"), "AVE208", "question '1_1'; are q_id and a_id swapped?"),
    (arranged("qacv"), "AVE102", "are verdict and confidence swapped?"),
    (arranged("qav"), "AVE101", "--kind key checks a file of labels"),
    (arranged("qavc", ","), "AVE101", "the usual names, or --columns"),
    (arranged("qavc", ";"), "AVE101", "the usual names, or --columns"),
], ids=["ids swapped", "verdict last", "no confidence", "commas", "semicolons"])  # fmt: skip
def test_another_layout_is_one_rule(here: Path, run: str, code: str, end: str) -> None:
    answers = "".join(f'<q id="{n}"><a id="{n}_1" value="REJECTED"/></q>' for n in range(1, 41))
    put(here, f"<c>{answers}</c>", "forty.xml")
    put(here, run, "run.txt")
    options = ["--kind", "run", "--collection", "forty.xml", "-f", "concise"]
    lines = ave("check", "run.txt", *options)[1].splitlines()
    found = [line for line in lines if re.match(r"run\.txt:\d", line)]
    assert all(f" {code} " in line for line in found)
    more = " (and 37 more: lines 4-40)" * (code != "AVE208")  # one finding on the whole file
    assert found[-1].endswith(end + more)


def zipped(data: bytes) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("file", data)
    return packed.getvalue()


def tarred(data: bytes) -> bytes:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as archive:
        info = tarfile.TarInfo("file")
        info.size = len(data)
        archive.addfile(info, io.BytesIO(data))
    return packed.getvalue()


def by_program(*command: str) -> Callable[[bytes], bytes]:
    """Return the compression by a program; the test is skipped where it is not installed."""

    def compressed(data: bytes) -> bytes:
        if shutil.which(command[0]) is None:
            pytest.skip(f"no {command[0]} here")
        return subprocess.run(command, input=data, capture_output=True, check=True).stdout

    return compressed


ARCHIVES = {
    "a ZIP archive": zipped,
    "a tar archive": tarred,
    "compressed with bzip2": bz2.compress,
    "compressed with Zstandard": by_program("zstd", "-c"),
    "compressed with LZ4": by_program("lz4", "-c"),
}


@each("outside", [bytes, gzip.compress, lzma.compress])
@each("found", ARCHIVES)
@each("kind", ["run", "collection"])
def test_an_archive_is_named(
    tmp_path: Path, found: str, kind: str, outside: Callable[[bytes], bytes]
) -> None:
    xml = (ROOT / "gold" / "tiny.xml").read_bytes()
    packed = outside(ARCHIVES[found](RUN.encode() if kind == "run" else xml))
    findings = ave_score.check(put(tmp_path, packed, "packed"), kind=kind).findings
    expected = "an AVE run" if kind == "run" else "a collection"
    assert positions(findings) == [("AVE117", 1, None)]
    said = f"the file is not text ({found}, which has to be unpacked), expected {expected}"
    assert only(findings).startswith(said)


def test_the_start_of_a_run_is_not_taken_for_an_archive() -> None:
    """Ids may begin like the name of a compression."""
    run = "BZh9 BZh9_1 SELECTED 0.9\nustar PK SELECTED 0.1\n7z Rar! SELECTED 0.2\n"
    _, findings = read_file("run", run)
    assert not len(findings)


def test_labels_of_rte() -> None:
    labels = ['entailment="YES" task="IE"', 'entailment="NO"', 'entailment="UNKNOWN"']
    labels += ['value="TRUE" entailment="YES"', 'value="" entailment="NO"']
    pairs = (f'<pair id="{n}" {label}><t>x</t><h>y</h></pair>\n' for n, label in enumerate(labels))
    data = f"<entailment-corpus>{''.join(pairs)}</entailment-corpus>".encode()
    found, findings = read_file("collection", data)
    assert not len(findings)
    assert found is not None
    assert [Label(label).name for label in found.labels] == [
        "VALIDATED", "REJECTED", "UNKNOWN", "VALIDATED", "REJECTED",
    ]  # fmt: skip
    assert found.attributes == {"task": {"0": "IE"}}


@each("label, code", [
    ('value="YES" entailment="NO"', "AVE413"),
    ('value="YES" entailment="UNKNOWN"', "AVE413"),
    ('value="YES" entailment="MAYBE"', "AVE406"),
    ('entailment="yes"', "AVE406"),
    ("", "AVE407"),
])  # fmt: skip
def test_labels_of_rte_that_are_unclear(label: str, code: str) -> None:
    data = f'<c>\n<pair id="1" entailment="NO"/>\n<pair id="2" {label}/></c>'.encode()
    found, findings = read_file("collection", data)
    assert found is None
    assert code in [code for code, line, _ in positions(findings) if line == 3]
    if code == "AVE413":
        word = label.split('"')[3]
        said = f"attribute entailment says {word}, but the attribute value says YES"
        assert said in str([*findings][-1])


@pytest.mark.parametrize("character", ["\x7f", "\x80", "\x85", "\x9f"], ids=ascii)
def test_a_control_character_that_xml_allows_is_a_warning(here: Path, character: str) -> None:
    put(here, f"q_id\tquestion\n1\tWho{character}?\n2\tWhy?{character}{character}\n", "q.tsv")
    code, out, _ = ave("check", "q.tsv", "-f", "concise")
    assert code == 0
    assert out.startswith(f"q.tsv:2:6 AVE119 warning: found U+00{ord(character):02X} (")
    assert "q.tsv:3:7 AVE119" in out
    assert character not in out
    put(here, f"q_id\tquestion\n1{character}1\tWho?\n", "id.tsv")
    code, out, _ = ave("check", "id.tsv", "-f", "concise")
    assert code == 1
    assert re.search(r"^id\.tsv:2:1 AVE\d+ (?!warning)", out, re.M)
    put(here, f"1 1_1{character} SELECTED 0.5\n", "run.txt")
    assert ave("check", "run.txt")[0] == 1
    put(here, f'<c><q id="1"><q_str>a{character}b</q_str><a id="1" value="REJECTED"/></q></c>', "x")
    assert ave("check", "x")[0] == 0


@pytest.mark.parametrize(("answers", "lines"), [(3, 3), (13, 3)])
def test_a_label_that_most_answers_have_is_reported_three_times(
    here: Path, answers: int, lines: int
) -> None:
    xml = "".join(f'<a id="{number}" value="right"/>\n' for number in range(answers))
    put(here, f'<c><q id="1">\n{xml}</q></c>', "words.xml")
    _, out, _ = ave("check", "words.xml", "-f", "github")
    assert out.count("AVE406") == lines
    assert ("(and 10 more: lines 5-14)" in out) == (answers > lines)
    lines_xml = (f'<question q_id="{n}" answered="yes, sir"/>\n' for n in range(answers))
    put(here, f"<output>\n{''.join(lines_xml)}</output>", "answers.xml")
    _, out, _ = ave("check", "answers.xml", "-f", "github")
    assert out.count("AVE504") == lines


_A = "<a id='1' value='VALIDATED'/>"
_TEST = "<reading-test r_id='1'><q><answer a_id='1' correct='Yes'/></q></reading-test>"


@pytest.mark.parametrize(("kind", "text", "message"), [
    ("collection", f"<ave><q id='1'>{_A}{_A}</q></ave>",
        "answer '1' of question '1' is already in the collection"),
    ("collection", f"<c><topic t_id='1'>{_TEST}</topic></c>", "<q> has no q_id"),
    ("collection", f"<c><topic>{_TEST}</topic></c>", "<topic> has no t_id"),
    (
        "campaign",
        f"title = 0x{'f' * 9000}\n",  # Python refuses to write it in decimals
        "title of the file is 'a number with too many digits', expected a text",
    ),
])  # fmt: skip
def test_a_message_names_what_it_is_about(kind: str, text: str, message: str) -> None:
    _, findings = read_file(kind, text, name=f"a.{kind}")
    assert message in [found.message for found in findings]


DAMAGED_QRELS = {
    "1 0 d1 1\n1 0 d2 x\n": "2:8 AVE419 grade is 'x'",
    "1 0 d1 1\n1 0 d2\n": "2:7 AVE101 found 3 fields, expected 4: topic iter doc grade",
    "1 0 FT911-3 1.5\n1 0 FT911-4 0.5\n": "1:13 AVE419 grade is '1.5'",
    "1 0 d1 rel\n1 0 d2 not\n": "1:8 AVE419 grade is 'rel'",
    "1 0 7067032 high\n1 0 3302257 low\n": "1:13 AVE419 grade is 'high'",
    "topic iter doc grade\n1 0 d1 1\n": "1:16 AVE419 grade is 'grade'",
    "1 0 d1\n1 0 d2\n": "1:7 AVE101 found 3 fields",
    "1\t0\td1\t1\tx\n": "1:10 AVE101 found 5 fields",
}
"""Qrels with defects, perhaps in each line, and the first defect that is found."""


@pytest.mark.parametrize("text", DAMAGED_QRELS)
def test_damaged_qrels_are_read_as_qrels(text: str, tmp_path: Path) -> None:
    """`score` called them no XML, and `check` a run without verdicts."""
    gold = put(tmp_path, text, "gold.txt")
    run = put(tmp_path, "1 Q0 d1 1 2.5 s\n", "run.txt")
    found = f"{gold}:{DAMAGED_QRELS[text]}"
    for words in ("check", gold, "-f", "concise"), ("score", gold, run), ("stats", gold):
        said = ave(*words, code=1)
        assert found in said.out + said.err, words
    with pytest.raises(ave_score.DefectError, match=re.escape(DAMAGED_QRELS[text])):
        ave_score.read_collection(gold)
