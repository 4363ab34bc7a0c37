"""Helpers for tests of files: a small collection, a valid run of it, findings as tuples."""

from __future__ import annotations

import io
import re
import unicodedata
import warnings
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, TypeVar

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

import ave_score
from ave_score import Collection, DefectError, Findings, OpenGold, Run
from tests import examples

T = TypeVar("T")

Position = tuple[str, int | None, int | None]
"""Code, line and column of a finding."""

COLLECTION = """\
<?xml version="1.0" encoding="UTF-8"?>
<ave>
<q id="1"><q_str>Who?</q_str>
<a id="1_1" value="VALIDATED"><a_str>Ann</a_str><t_str doc="D1">It was Ann.</t_str></a>
<a id="1_2" value="REJECTED"><a_str>Bob</a_str><t_str doc="D2">Not Bob.</t_str></a>
</q>
<q id="2"><q_str>Where?</q_str>
<a id="2_1" value="REJECTED"><a_str>Rome</a_str></a>
<a id="2_2" value="VALIDATED"><a_str>Oslo</a_str></a>
</q>
<q id="3"><q_str>When?</q_str>
<a id="3_1" value="UNKNOWN"><a_str>1931</a_str></a>
</q>
</ave>
"""

RUN = """\
1 1_1 SELECTED 0.9
1 1_2 REJECTED 0.2
2 2_1 VALIDATED 0.6
2 2_2 SELECTED 0.7
3 3_1 REJECTED 0.1
"""
"""A run without a flaw; its fourth line selects, in a question that has a VALIDATED answer too."""

ROWS = RUN.splitlines()

PAIRS = """\
<?xml version="1.0" encoding="UTF-8"?>
<entailment-corpus lang="en">
<pair id="1" value="YES" task="QA"><q>Who?</q><t>It was Ann.</t><h>Ann did it.</h></pair>
<pair id="2" value="NO" task="QA"><h>Bob did it.</h><t>It was Ann.</t><q>Who?</q></pair>
<pair id="3" value="UNKNOWN" task="QA"><t>It was.</t><h>Eve did it.</h><q lang="EN">Who?</q></pair>
<pair id="4" value="YES" task="QA"><q/><t/><h/></pair>
</entailment-corpus>
"""

QA4MRE = """\
<?xml version='1.0' encoding='UTF-8' standalone='no'?>
<!DOCTYPE test-set SYSTEM 'QA4MRE-test-set.dtd'>
<test-set>
 <topic t_id='1' t_name='AIDS &amp; HIV'>
  <reading-test r_id='1 '>
   <doc d_id='1'>R&amp;D in the caf\u00e9: 1 &lt; 2 &#8211; <![CDATA[<q q_id='9'>]]></doc>
   <q q_id='1'>
    <q_str> Who &quot;paid&quot;? </q_str>
    <answer a_id='1'>Ann &amp; Bob</answer>
    <answer a_id='2' correct='Yes'>Bob</answer>
    <answer a_id='3'> none of the above</answer>
   </q>
   <q q_id='2'><q_str>Where?</q_str><answer a_id='1' correct='Yes'>x</answer><answer a_id='2'>y</answer></q>
  </reading-test>
  <reading-test r_id='2'>
   <doc d_id='2'>text</doc>
   <q q_id='1'><q_str>When?</q_str><answer a_id='1'>x</answer><answer a_id=' 2' correct=' Yes '>y</answer></q>
  </reading-test>
 </topic>
 <topic t_id=' 2' t_name='Climate'>
  <reading-test r_id='1'>
   <q q_id=' 1'><q_str>Why?</q_str><answer a_id='1'>x</answer><answer a_id='2' correct='YES'>y</answer></q>
   <q q_id='2'><q_str>How?</q_str><answer a_id='1' correct='Yes'>x</answer><answer a_id='2' correct='No'>y</answer></q>
  </reading-test>
 </topic>
</test-set>
"""  # noqa: E501
"""In the shape of the files that QA4MRE gave out: single quotes, stray blanks, entities, a DTD."""

ANSWERS = """\
<?xml version="1.0" encoding="UTF-8"?>
<output run_id="run1">
 <topic t_id="1">
  <reading-test r_id="1">
   <question q_id="1" answered="YES"><answer a_id="2"/></question>
   <question q_id="2" answered="YES"><answer a_id="2"/></question>
  </reading-test>
  <reading-test r_id="2">
   <question q_id="1" answered="NO"><answer a_id="2"/></question>
  </reading-test>
 </topic>
 <topic t_id="2">
  <reading-test r_id="1">
   <question q_id="1" answered="NO"><answer a_id="1"/></question>
   <question q_id="2" answered="NO"/>
  </reading-test>
 </topic>
</output>
"""
"""Right, wrong, right but withheld, wrong and withheld, nothing said; n = 5."""

OPEN = """\
{"questions": [
  {"id": "1", "sets": [{"answers": [["Spain", "España"], "France"]}]},
  {"id": "2", "sets": []},
  {"id": "3", "type": "factoid", "sets": [{"answers": [["1492"]]}]},
  {"id": "4", "type": "definition", "nuggets": [
    {"id": "1", "vital": true, "text": "a"}, {"id": "b.2", "vital": false, "text": "c"}]}
]}
"""
"""Two list questions, one of them without an answer, a factoid and a definition question."""

KEY = """\
1 1_1 VALIDATED
1 1_2 REJECTED
2 2_1 REJECTED
2 2_2 VALIDATED
3 3_1 UNKNOWN
"""
"""The labels that `COLLECTION` has itself."""

UNLABELLED = re.sub(' value="[A-Z]+"', "", COLLECTION)

QRELS = "1 0 1_1 2\n1 0 1_2 0\n2 0 2_1 -1\n2 0 2_2 1\n"

BESIDE = {
    "unlabelled": UNLABELLED, "small": COLLECTION, "pairs": PAIRS, "qa4mre": QA4MRE, "open": OPEN,
    "qrels": QRELS,
}  # fmt: skip
"""Collections and answer sets that files belong to, by name."""

fuzzed = settings(
    max_examples=examples(100),
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.filter_too_much],
)
"""The same examples every time; the files of one test may overwrite each other."""


def put(folder: Path, data: str | bytes, name: str = "run.txt") -> Path:
    path = folder / name
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return path


class Held(io.BytesIO):
    """An open file in memory, which can be read once."""

    def __init__(self, data: str | bytes, name: str = "file") -> None:
        super().__init__(data.encode() if isinstance(data, str) else data)
        self.name = name


def _labelled(key: Held, unlabelled: str) -> Collection:
    """Return a collection with the labels of a key."""
    return ave_score.read_collection(Held(unlabelled, "unlabelled"), key)


READERS: dict[str, Callable[..., Any]] = {
    "run": ave_score.read_run, "collection": ave_score.read_collection, "key": _labelled,
    "judged": ave_score.read_judged, "answers": ave_score.read_answers,
    "scores": ave_score.read_scores, "verifiers": ave_score.read_verifiers,
    "answer-sets": ave_score.read_answer_sets, "responses": ave_score.read_responses,
    "qrels": ave_score.read_collection, "trec-run": ave_score.read_run,
}  # fmt: skip
"""Kind of file -> the public function that reads it; a log has scores of several verifiers."""


def read_file(
    kind: str,
    data: str | bytes,
    beside: Collection | OpenGold | str | None = None,
    *,
    name: str = "file",
    **options: Any,  # noqa: ANN401 - of the reader
) -> tuple[Any, Findings]:
    """Read a file through the public function of its kind; return its contents and its findings.

    With errors, nothing is read. A reader only warns of what does not forbid scoring; the check of
    the same file says it in full. Kinds that are not read by a public function, and submissions
    that nothing is given for, are checked; the contents of these are numbers. A key is read with a
    collection without labels, as text.
    """

    def held() -> Held:
        return Held(data, name)

    def checked_alone() -> ave_score.Checked:
        shared = {key: options[key] for key in ("columns", "values") if key in options}
        policies = ave_score.Policies(**{key: options[key] for key in options if key == "letters"})
        known = "scores" if kind == "verifiers" else kind
        about = None if isinstance(beside, str) else beside
        return ave_score.check(held(), about, kind=known, policies=policies, **shared)

    reads_alone = kind in ("collection", "scores", "verifiers", "answer-sets")
    if kind not in READERS or (beside is None and not reads_alone):
        result = checked_alone()
        return checked((result.contents, [result.findings]))
    given = [] if beside is None else [beside]
    try:
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            value = READERS[kind](held(), *given, **options)
    except DefectError as error:
        return checked((None, [error.findings]))
    return checked((value, [checked_alone().findings if told else Findings(name)]))


def collection_of(folder: Path, xml: str | bytes = COLLECTION) -> Collection:
    """Return a collection that must be sound."""
    return ave_score.read_collection(put(folder, xml, "sound.xml"))


def check(
    folder: Path, data: str | bytes, collection: Collection | None = None
) -> tuple[Run | None, Findings]:
    """Check a run of the small collection, or of another."""
    return read_file("run", data, collection or collection_of(folder), name=str(folder / "run.txt"))


def checked(result: tuple[T | None, list[Findings]]) -> tuple[T | None, Findings]:
    """Return what a check of one file read, and its findings; with errors it reads nothing."""
    value, (findings,) = result
    assert (value is None) == bool(findings.errors)
    assert_safe(findings)
    return value, findings


def fixed_of(
    folder: Path, data: str | bytes, collection: Collection | None = None, *, unsafe: bool = False
) -> ave_score.FixedRun:
    return ave_score.fix(put(folder, data), collection, unsafe=unsafe)


def with_line(number: int, line: str) -> str:
    """Return the sound run with one line replaced."""
    return "".join(f"{line if at == number else row}\n" for at, row in enumerate(ROWS, 1))


def positions(findings: Findings) -> list[Position]:
    return [(found.rule.code, found.line, found.column) for found in findings]


def only(findings: Findings) -> str:
    (found,) = findings
    return found.message


def is_safe(text: str) -> bool:
    """Tell whether a terminal would show every character of a text and obey none."""
    return not {unicodedata.category(character) for character in text} & {
        "Cc", "Cf", "Cs", "Zl", "Zp",
    }  # fmt: skip


def assert_safe(findings: Iterable[object]) -> None:
    """Assert that no message would do anything to a terminal."""
    for found in findings:
        assert is_safe(str(found)), ascii(str(found))


PACKED = (b"\x1f\x8b", b"\xfd7zXZ\0")
"""What gzip and xz files begin with."""


@st.composite
def mutations(draw: st.DrawFn, sound: bytes) -> bytes:
    """Strategy: a sound file with up to four stretches of it replaced by random bytes."""
    data = sound
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(data)))
        stop = min(len(data), start + draw(st.integers(0, 12)))
        data = data[:start] + draw(st.binary(max_size=8)) + data[stop:]
    return data


def broken(sound: str | bytes) -> st.SearchStrategy[bytes]:
    """Strategy: random bytes, or a sound file that was damaged.

    None begins like a compressed file, which could not even be unpacked.
    """
    data = sound.encode() if isinstance(sound, str) else sound
    either = st.binary(max_size=300) | mutations(data)
    return either.filter(lambda damaged: not damaged.startswith(PACKED))
