"""Another notation of runs needs only a reader."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import ave_score
from ave_score import Collection, Findings, Run, Verdict
from ave_score.files import run as run_module
from ave_score.files.lines import LineReader
from ave_score.files.rows import Rows
from ave_score.files.source import Source
from tests.conftest import ROOT
from tests.helpers_command import output
from tests.helpers_files import RUN, Held, collection_of, fixed_of, put

_WORDS = {Verdict.SELECTED: "best", Verdict.VALIDATED: "good", Verdict.REJECTED: "bad"}


class _Backwards:
    """Invented: fields in another order, own words and per cent, behind a line `%backwards`."""

    standard = ave_score.read_collection(ROOT / "gold/tiny.xml").standard

    def __init__(self, source: Source, findings: Findings, standard: object) -> None:
        self._lines = LineReader(source, findings, "a run")

    @staticmethod
    def recognises(source: Source) -> bool:
        return source.head().startswith(b"%backwards")

    def blocks(self) -> Iterator[Rows]:
        codes_of = {word: verdict.value for verdict, word in _WORDS.items()}
        for block in self._lines.blocks():
            fields = [(number, *line.split(";")) for number, line in block.lines() if ";" in line]
            numbers, confidences, verdicts, a_ids, q_ids = map(list, zip(*fields, strict=True))
            codes = bytearray(codes_of[str(word)] for word in verdicts)
            values = [float(str(word).removesuffix("%")) / 100 for word in confidences]
            yield Rows(
                [int(number) for number in numbers],
                [*map(str, q_ids)],
                [*map(str, a_ids)],
                codes,
                values,
            )

    def columns(self, line: str, field: str) -> range:
        number = {"q_id": 3, "a_id": 2, "verdict": 1, "confidence": 0}[field]
        fields = line.split(";")
        start = len(";".join(["", *fields[:number]])) + (number > 0)
        return range(start or 1, (start or 1) + len(fields[number]))

    def word(self, verdict: Verdict) -> str:
        return _WORDS[verdict]

    def line_of(self, q_id: str, a_id: str, verdict: Verdict, confidence: float) -> str:
        return f"{100 * confidence:g}%;{self.word(verdict)};{a_id};{q_id}"


@pytest.fixture
def backwards(monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr(run_module, "NOTATIONS", (_Backwards, *run_module.NOTATIONS))
    return backwards_of(RUN)


def backwards_of(run: str) -> str:
    rows = []
    for line in run.splitlines():
        q_id, a_id, verdict, confidence = line.split()
        rows.append(f"{100 * float(confidence):g}%;{_WORDS[Verdict[verdict]]};{a_id};{q_id}\n")
    return "".join(["%backwards\n", *rows])


def submitted(text: str, collection: Collection) -> Run:
    return ave_score.read_run(Held(text), collection)


def test_a_run_in_another_notation_says_the_same(tmp_path: Path, backwards: str) -> None:
    collection = collection_of(tmp_path)
    run, other = (submitted(text, collection) for text in (RUN, backwards))
    assert (other.verdicts, other.confidences) == (run.verdicts, run.confidences)
    assert list(other.lines) == [line + 1 for line in run.lines]


@pytest.mark.parametrize("beside", [True, False])
def test_findings_have_columns_of_notation(tmp_path: Path, backwards: str, beside: bool) -> None:
    twice = backwards + backwards.splitlines()[1] + "\n"
    collection = collection_of(tmp_path) if beside else None
    (found,) = ave_score.check(put(tmp_path, twice), collection).findings
    assert (found.rule.code, found.line, found.column, found.end_column) == ("AVE205", 7, 10, 13)


def test_a_run_in_another_notation_is_converted(tmp_path: Path, backwards: str) -> None:
    assert output("convert", put(tmp_path, backwards), "--to", "lines") == RUN


@pytest.mark.parametrize("run", [
    pytest.param("".join(RUN.splitlines(keepends=True)[:-1]), id="missing"),
    pytest.param(RUN.replace("VALIDATED", "SELECTED"), id="two selected"),
    pytest.param(RUN.replace("SELECTED", "VALIDATED"), id="none selected"),
    pytest.param(RUN + "2 2_1 REJECTED 1\n", id="conflict"),
    pytest.param(RUN + RUN.splitlines(keepends=True)[0], id="repetition"),
])  # fmt: skip
def test_a_run_in_another_notation_is_fixed_alike(tmp_path: Path, backwards: str, run: str) -> None:
    """Expected is the usual run after its fixes, in the other notation."""
    assert backwards
    collection = collection_of(tmp_path)
    usual, other = (
        fixed_of(tmp_path, text, collection, unsafe=True) for text in (run, backwards_of(run))
    )
    assert usual.changes
    assert not len(other.left)
    assert other.text == backwards_of(usual.text)
    assert [change.rule for change in other.changes] == [change.rule for change in usual.changes]


def test_changes_are_told_in_the_words_of_the_notation(tmp_path: Path, backwards: str) -> None:
    assert backwards
    text = backwards_of(RUN.replace("SELECTED", "VALIDATED"))
    fixed = fixed_of(tmp_path, text, collection_of(tmp_path), unsafe=True)
    told = {change.what for change in fixed.changes}
    assert told == {"good -> best"}
