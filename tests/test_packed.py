"""Large runs are read with numpy: the result and the findings are those without it. The expected
values are those of the reader of lines, which the other tests check."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ave_score import Findings
from ave_score.core.model import AnswerIndex
from ave_score.files import lines, run_lines, source
from ave_score.files.packed import packed_rows
from ave_score.files.run import check_run
from ave_score.files.source import Source
from tests import each, examples
from tests.helpers_files import fuzzed, mutations

many = settings(fuzzed, max_examples=examples(300))

WORDS = ("SELECTED", "VALIDATED", "REJECTED")

INDEX = AnswerIndex.of({f"q{q}": {f"q{q}_{a}": None for a in range(3)} for q in range(40)})
"""Forty questions with three answers each."""


def legal_lines(chance: random.Random) -> list[str]:
    """Return a line for each answer: at most one answer of a question is accepted."""
    made = []
    for number, q_id in enumerate(INDEX.questions):
        selected = chance.randrange(4)
        for place, a_id in enumerate(INDEX.a_ids[INDEX.spans[number]]):
            word = "SELECTED" if place == selected else "REJECTED"
            made.append(f"{q_id} {a_id} {word} {a_number(chance)}")
    return made


def a_number(chance: random.Random) -> str:
    """Return a confidence in one of the spellings that programs write."""
    value = chance.random()
    exact = (str(value), f"{value:.4f}", f"{value:.8f}", f"{value:.1f}", "0", "1", "1.0")
    return chance.choice((*exact, "9.1e-05", "1E-7", ".5", "0.", "+0.25", "00.5"))


@contextmanager
def numpy_used(*, used: bool) -> Iterator[None]:
    """Read runs of any size in bulk with numpy, or none."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(run_lines, "_REPAYS", 0)
        if not used:
            patch.setattr(run_lines, "_reader_of_plain", lambda _: None)
        patch.setattr(source, "CHUNK", 700)
        yield


def read(data: bytes, index: AnswerIndex | None, *, used: bool) -> tuple[object, ...]:
    """Return everything that reading a run tells, in values that can be compared."""
    with numpy_used(used=used):
        run, (findings,) = check_run(Source.holding("run.txt", data), index)
    said = [(found, found.quote, found.facts) for found in findings]
    told = (said, findings.counts, findings.fixes, findings.unchecked)
    if run is None:
        return told
    columns = (run.verdicts, [*map(str, run.confidences)], [*run.lines], run.missing)
    return *told, *columns, run.index.questions, run.index.starts, run.index.a_ids


@pytest.mark.slow
@many
@given(st.randoms(use_true_random=False), st.data(), st.booleans())
def test_damaged_runs_are_read_alike(
    chance: random.Random, data: st.DataObject, shuffled: bool
) -> None:
    made = legal_lines(chance)
    if shuffled:
        chance.shuffle(made)
    sound = "".join(f"{line}\n" for line in made).encode()
    damaged = data.draw(st.one_of(st.just(sound), mutations(sound)))
    for index in (INDEX, None):
        assert read(damaged, index, used=True) == read(damaged, index, used=False)


def careful(data: bytes) -> tuple[Findings, list[object]]:
    """Return the findings and the columns of the reader that splits line by line."""
    findings = Findings("run.txt")
    block = lines.LineReader(Source("run.txt"), findings, "a run").block(data)
    layout = run_lines.LAYOUTS["collections"]  # of answers to questions
    rows = run_lines._careful_rows(block, findings, run_lines.Headers(), layout, {})
    return findings, [[*rows.lines], rows.q_ids, rows.a_ids, rows.codes, rows.values]


NUMBERS = st.one_of(
    st.floats(allow_nan=True).map(repr),
    st.decimals(-9, 9, places=5).map(str),
    st.from_regex(r"[+-]?[0-9]{0,3}\.?[0-9]{0,20}([eE][+-]?[0-9]{1,3})?", fullmatch=True),
    st.text("0123456789.+-eE_n", min_size=1, max_size=12),
)


@many
@given(st.lists(st.tuples(st.sampled_from(WORDS), NUMBERS), min_size=1, max_size=6))
def test_only_plain_lines_are_packed(given_rows: list[tuple[str, str]]) -> None:
    rows = [f"q {number} {word} {text}" for number, (word, text) in enumerate(given_rows)]
    data = "".join(f"{row}\n" for row in rows).encode()
    packed = packed_rows(data, 1)
    findings, expected = careful(data)
    if packed is not None:
        assert {rule.code for rule in findings.counts} <= {"AVE108"}  # outside 0..1
        assert bool(packed.outside()) == len(findings)
        unpacked = packed.unpacked()
        assert [[*unpacked.lines], *unpacked[1:5]] == expected


@each(
    "text",
    ["0.5", "1", "0", "1.0", "0.12345678", "-3.25", "17.5", "9.1e-05", "0.7362817263547162", ".5"],
)
def test_usual_numbers_are_packed(text: str) -> None:
    packed = packed_rows(f"q 1 SELECTED {text}\nq\t2\tREJECTED\t0.25\n".encode(), 1)
    assert packed is not None
    assert [*packed.values] == [float(text), 0.25]  # Python's own reading of numbers


@each("line", [
    "q 1 SELECTED 1_0", "q 1 SELECTED nan", "q 1 SELECTED 1e999", "q 1 SELECTED 0x1",
    "q 1 SELECTED ０.5", "q 1 SELECTEDX 0.5", "q 1 VALIDATEX 0.5", "q 1 VALIDATE 0.5",
    "q 1 selected 0.5", "q  1 SELECTED 0.5", "q 1 SELECTED 0.5 ", " q 1 SELECTED 0.5",
    "#q 1 SELECTED 0.5", "q 1 SELECTED", "q 1 SELECTED 0.5 0.5", "q\x7f 1 SELECTED 0.5", "",
])  # fmt: skip
def test_other_lines_are_not(line: str) -> None:
    assert packed_rows(f"q 0 REJECTED 0.25\n{line}\nq 2 REJECTED 0.25\n".encode(), 1) is None


def test_hashes_that_collide_do_not_mix_up_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    from ave_score.files import packed

    monkeypatch.setattr(packed, "_hashes_of", lambda ids: ids[0] & ids[0].dtype.type(0))
    made = legal_lines(random.Random(3))
    random.Random(4).shuffle(made)
    data = "".join(f"{line}\n" for line in made).encode()
    assert read(data, INDEX, used=True) == read(data, INDEX, used=False)
