"""Detection of the kind of a file by its start."""

from __future__ import annotations

import gzip
import lzma
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ave_score.files.sniff import sniff
from ave_score.files.source import Source
from ave_score.rules import FileKind
from tests import each
from tests.helpers_files import COLLECTION, RUN, broken, fuzzed, put

JUDGED = "q_id\trun\tjudgement\n1\tqa\tR\n"
GROUPS = "run\tgroup\nrun1\tUNED\n"
QUESTIONS = "q_id\tquestion\tlang\n1\tWho?\tEN\n"
KEY = "1 1_1 VALIDATED\n1 1_2 REJECTED\n"

ANSWERS = """\
<?xml version="1.0"?>
<output run_id="run1">
<question q_id="1" answered="YES"><answer a_id="1_1"/></question>
<question q_id="2" answered="NO"/>
<question q_id="3" answered="NO"><answer a_id="3_1"/></question>
</output>
"""

SCORES = '{"q_id": "1", "a_id": "1_1", "score": 0.9}\n{"q_id": "2", "a_id": "2_1", "score": 1}\n'
ANSWER_SETS = '{"questions": [\n{"id": "1", "sets": [{"answers": ["a"]}]}\n]}\n'
XML_ANSWER_SETS = """\
<?xml version="1.0"?>
<!-- <q id="1"> -->
<questions schema="ave-score/answer-sets/1">
<!-- <q id="1"> --> <title>Lists</title>
<question id="1"><q_str>Where?</q_str></question>
</questions>
"""
RESPONSES = "q_id\tanswer\n1\ta\n1\tb\n"

SOUND = {
    FileKind.ANSWERS: ANSWERS,
    FileKind.RUN: RUN,
    FileKind.COLLECTION: COLLECTION,
    FileKind.JUDGED: JUDGED,
    FileKind.GROUPS: GROUPS,
    FileKind.QUESTIONS: QUESTIONS,
    FileKind.SCORES: SCORES,
    FileKind.ANSWER_SETS: ANSWER_SETS,
    FileKind.RESPONSES: RESPONSES,
}

every_kind = each("kind", SOUND)


def kind_of(data: str | bytes) -> FileKind:
    return sniff(Source.holding("file", data.encode() if isinstance(data, str) else data))


@every_kind
@each("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
def test_any_encoding_of_a_sound_file(kind: FileKind, encoding: str) -> None:
    assert kind_of(SOUND[kind].encode(encoding)) is kind


@every_kind
@each("end", ["\r\n", "\r"])
def test_any_line_ends(kind: FileKind, end: str) -> None:
    assert kind_of(SOUND[kind].replace("\n", end)) is kind


@every_kind
@each("before", ["\n", " \n\t\n", "\r\n\r\n", "\n" * 1_000])
def test_blank_lines_in_front_do_not_matter(kind: FileKind, before: str) -> None:
    assert kind_of(before + SOUND[kind]) is kind


@pytest.mark.parametrize("kind", [FileKind.RUN, FileKind.JUDGED, FileKind.GROUPS], ids=str)
def test_comments_in_front_do_not_matter(kind: FileKind) -> None:
    assert kind_of("# run\tgroup\n#\n\n" + SOUND[kind]) is kind


@every_kind
@pytest.mark.parametrize("packed", [gzip.compress, lzma.compress], ids=["gzip", "xz"])
def test_compressed_files(kind: FileKind, packed: object, tmp_path: Path) -> None:
    data = SOUND[kind].encode()
    path = put(tmp_path, gzip.compress(data) if packed is gzip.compress else lzma.compress(data))
    assert sniff(Source(path)) is kind


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("", FileKind.RUN),
        ("\n\n", FileKind.RUN),
        ("# only a comment\n", FileKind.RUN),
        ("nonsense", FileKind.RUN),
        ("1 1_1 SELECTED", FileKind.RUN),  # the confidence was forgotten
        (KEY, FileKind.RUN),  # so a key looks like such a run
        ("q_id a_id verdict confidence\n" + RUN, FileKind.RUN),
        ("q_id\ta_id\tverdict\tconfidence\n" + RUN.replace(" ", "\t"), FileKind.RUN),
        ("<", FileKind.COLLECTION),
        ("<html>", FileKind.COLLECTION),
        ('<?xml version="1.0"?>', FileKind.COLLECTION),
        ("<!-- comment --><ave/>", FileKind.COLLECTION),
        ("judgement\trun\tq_id\n", FileKind.JUDGED),
        (" q_id \t run \t judgement \n", FileKind.JUDGED),
        ("run\tjudgement\tquestion\n", FileKind.JUDGED),  # a column is misnamed
        ("q_id\trun\n", FileKind.JUDGED),
        ("a_id\tdoc\tjudgement\tq_id\n", FileKind.JUDGED),
        ("q_id,run,judgement\n", FileKind.JUDGED),
        ("q_id;run;judgement\n", FileKind.JUDGED),
        ("q_id,a_id,verdict,confidence\n", FileKind.RUN),
        ('"q_id","a_id","label"\n', FileKind.COLLECTION),
        ("pair_id,label\n", FileKind.COLLECTION),
        ("q_id,a_id,question,answer\n", FileKind.COLLECTION),
        ('{"q_id": 1, "a_id": 2, "verdict": "SELECTED"}\n', FileKind.RUN),
        ('{"q_id": 1, "a_id": 2, "label": "VALIDATED"}\n', FileKind.COLLECTION),
        ('{"question_id": 1, "run": "a", "judgement": "R"}\n', FileKind.JUDGED),
        ("lang\tquestion\tq_id\n", FileKind.QUESTIONS),
        ("{", FileKind.RUN),
        (" \n{}", FileKind.RUN),
        ("[]", FileKind.RUN),
        (XML_ANSWER_SETS, FileKind.ANSWER_SETS),
        (XML_ANSWER_SETS.replace("<question", "<a:question"), FileKind.ANSWER_SETS),
        ("<questions><question/>", FileKind.ANSWER_SETS),
        ("<questions/>", FileKind.COLLECTION),
        ("<questions><q id='1'/><question/></questions>", FileKind.COLLECTION),
        ("<questions><pair id='1'/><question/></questions>", FileKind.COLLECTION),
        ("<questions><!-- <question/> --></questions>", FileKind.COLLECTION),
        ("<questions><!-- <question/>", FileKind.COLLECTION),
        ("<questions><questionnaire/></questions>", FileKind.COLLECTION),
        ("<ave><questions><question/></questions></ave>", FileKind.COLLECTION),
        ("<question/>", FileKind.COLLECTION),
        (COLLECTION.replace("ave>", "questions>"), FileKind.COLLECTION),
        ("answer\tnuggets\tq_id\n", FileKind.RESPONSES),
        ("run\tq_id\tanswer\n", FileKind.RESPONSES),
        ("run\tq_id\tanswer\tjudgment\n", FileKind.JUDGED),
        ("q_id\tanswer\tjudgement\n", FileKind.JUDGED),
        ("q_id\tanswer\tquestion\n", FileKind.QUESTIONS),
        ("q_id,answer\n", FileKind.RESPONSES),
        ("q_id\tquestion\trun\n", FileKind.JUDGED),
        ("question\tlang\n", FileKind.RUN),
        ("group\trun\n", FileKind.GROUPS),
        ("run\tgroup\textra\n", FileKind.RUN),
        ("run\tgroup", FileKind.GROUPS),
        ("run group\n", FileKind.RUN),
        ("RUN\tGROUP\n", FileKind.RUN),
        ("q_id\ta_id\tscore\n", FileKind.SCORES),
        ("score\tquestion\tq_id\trun\n", FileKind.SCORES),
        ("q_id\trun\tjudgement\tscore\n", FileKind.JUDGED),
        ("q_id\ta_id\tverdict\tscore\n1\t1_1\tSELECTED\t0.9\n", FileKind.RUN),
        ("q_id a_id score\n", FileKind.RUN),
        ("1 1_1 0.9\n", FileKind.RUN),  # a run that lost its verdicts
        ('{"score": 1}', FileKind.SCORES),
        ('\n{"x": {"score": 1}}\n', FileKind.RUN),
        ('{"a": [\n1], "score": 2}\n', FileKind.RUN),
        ('{\n"score": 1}\n', FileKind.RUN),
        ('[{"score": 1}]\n', FileKind.RUN),
        ('{"score": 1} {"score": 2}\n', FileKind.RUN),
        ("{" * 100_000, FileKind.RUN),
        ('{"a":' * 100_000, FileKind.RUN),
    ],
)  # fmt: skip
def test_beginnings(text: str, kind: FileKind) -> None:
    assert kind_of(text) is kind


def test_only_the_beginning_is_read(tmp_path: Path) -> None:
    """The end of this file is damaged, which is for its reader to find out."""
    packed = gzip.compress(RUN.encode() * 100_000)
    assert sniff(Source(put(tmp_path, packed[:-100]))) is FileKind.RUN


def test_comments_without_an_end_take_no_long_time() -> None:
    assert kind_of("<questions>" + "<!--" * 16_000) is FileKind.COLLECTION


@every_kind
def test_damaged_files_raise_nothing(kind: FileKind) -> None:
    @fuzzed
    @given(data=broken(SOUND[kind]))
    def check(data: bytes) -> None:
        assert kind_of(data) in FileKind

    check()


@fuzzed
@given(start=st.sampled_from([b"\xff\xfe", b"\xfe\xff", b"\xef\xbb\xbf", b"\0"]), rest=st.binary())
def test_marks_before_nonsense_raise_nothing(start: bytes, rest: bytes) -> None:
    assert kind_of(start + rest) in FileKind
