"""Another notation of runs needs only a reader."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from ave_score.core.findings import Findings
from ave_score.core.labels import VERDICTS
from ave_score.core.model import Collection, Run
from ave_score.files import run as run_module
from ave_score.files.check import check_file, check_submission
from ave_score.files.lines import LineReader
from ave_score.files.positions import cell_columns
from ave_score.files.rows import Rows
from ave_score.files.source import Source
from ave_score.tasks.fix import fix_run
from tests.helpers_files import RUN, collection_of, put


class _Backwards:
    """Invented: the fields of a line in another order, behind a line `%backwards`."""

    is_pairs = False

    def __init__(self, source: Source, findings: Findings, *, is_pairs: bool | None) -> None:
        self._lines = LineReader(source, findings, "a run")

    @staticmethod
    def recognises(source: Source) -> bool:
        return source.head().startswith(b"%backwards")

    def blocks(self) -> Iterator[Rows]:
        for block in self._lines.blocks():
            fields = [(number, *line.split(";")) for number, line in block.lines() if ";" in line]
            numbers, confidences, verdicts, a_ids, q_ids = map(list, zip(*fields, strict=True))
            codes = bytearray(VERDICTS[str(word)] for word in verdicts)
            values = [float(word) for word in confidences]
            yield Rows(
                [int(number) for number in numbers],
                [*map(str, q_ids)],
                [*map(str, a_ids)],
                codes,
                values,
            )

    def columns(self, line: str, field: str) -> range:
        number = {"q_id": 3, "a_id": 2, "verdict": 1, "confidence": 0}[field]
        return cell_columns(line.replace(";", "\t"), number)

    def rejecting(self, q_id: str, a_id: str, confidence: float) -> str:
        return f"{confidence};REJECTED;{a_id};{q_id}"


@pytest.fixture
def backwards(monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr(run_module, "NOTATIONS", (_Backwards, *run_module.NOTATIONS))
    rows = (";".join(line.split()[::-1]) for line in RUN.splitlines())
    return "\n".join(["%backwards", *rows, ""])


def submitted(path: Path, collection: Collection) -> Run:
    runs, _ = check_submission(Source(path), collection)
    assert runs is not None
    (run,) = runs
    assert isinstance(run, Run)
    return run


def test_a_run_in_another_notation_says_the_same(tmp_path: Path, backwards: str) -> None:
    collection = collection_of(tmp_path)
    run, other = (submitted(put(tmp_path, text), collection) for text in (RUN, backwards))
    assert (other.verdicts, other.confidences) == (run.verdicts, run.confidences)
    assert list(other.lines) == [line + 1 for line in run.lines]


@pytest.mark.parametrize("beside", [True, False])
def test_findings_have_the_columns_of_the_notation(
    tmp_path: Path, backwards: str, beside: bool
) -> None:
    twice = backwards + backwards.splitlines()[1] + "\n"
    collection = collection_of(tmp_path) if beside else None
    (found,) = check_file(Source(put(tmp_path, twice)), collection=collection).findings
    assert (found.rule.code, found.line, found.column, found.end_column) == ("AVE205", 7, 14, 17)


def test_a_run_in_another_notation_is_fixed(tmp_path: Path, backwards: str) -> None:
    *rows, last = backwards.splitlines(keepends=True)
    fields = last.strip().split(";")
    source = Source.holding("run.txt", "".join(rows).encode())
    done = fix_run(source, collection_of(tmp_path).index, unsafe=True)
    assert (
        done.document.encoded().decode() == "".join(rows) + f"0;REJECTED;{fields[2]};{fields[3]}\n"
    )
    assert not len(done.left)
