"""A run and a collection that are read in step: the same counts as the readers that hold both."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import pytest

from ave_score.commands import run as command
from ave_score.commands import score_files
from ave_score.files import in_step, source
from ave_score.files.gold import check_collection
from ave_score.files.in_step import InStep, read_in_step
from ave_score.files.run import check_run
from ave_score.files.source import Source
from ave_score.reports.formats import FORMATS
from tests import each, examples, mostly_slow
from tests.test_bulk_gold import WORDS

HEADER = "q_id\ta_id\tlabel\n"
MARKS = (
    b" 0.5",
    b" 1.5",
    b" 1e-3",
    b" nan",
    b"SELECTED",
    b" REJECTED",
    b"UNKNOWN",
    b"\tVALIDATED\n",
)


def campaign(chance: random.Random) -> tuple[bytes, bytes]:
    """Return a collection and a run of it, both plain."""
    gold, run = [HEADER], []
    for number in range(chance.randint(1, 30)):
        q_id = f"q{number * chance.choice([1, 1, 10**9])}_{number}"
        size = chance.choice([1, 2, 3, 9])
        selected = chance.randrange(-2, size)
        for at in range(size):
            a_id = chance.choice([f"{at}", f"{q_id}_{at}"])
            label = chance.choice(["VALIDATED", "REJECTED", "UNKNOWN"])
            others = ["REJECTED", "VALIDATED"] if selected >= 0 else ["REJECTED"]
            verdict = "SELECTED" if at == selected else chance.choice(others)
            gold.append(f"{q_id}\t{a_id}\t{label}\n")
            run.append(f"{q_id} {a_id} {verdict} {chance.random():.{chance.randint(1, 9)}f}\n")
    return "".join(gold).encode(), "".join(run).encode()


def changed(chance: random.Random, data: bytes) -> bytes:
    """Return a file with some change."""
    rows = data.splitlines(keepends=True) or [b"\n"]
    at, other = chance.randrange(len(rows)), chance.randrange(len(rows))
    kind = chance.randrange(5)
    if kind == 0:
        rows[at], rows[other] = rows[other], rows[at]
    elif kind == 1:
        rows[at:at] = [rows[other]]
    elif kind == 2:
        del rows[at]
    else:
        start = chance.randint(0, len(data))
        stop = start + chance.choice([0, 0, 1, 5])
        return data[:start] + chance.choice([*WORDS, *MARKS]) + data[stop:]
    return b"".join(rows)


@pytest.mark.parametrize("seed", mostly_slow(range(4), 1))
@pytest.mark.slow
def test_only_plain_files_are_read_in_step(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    chance, taken = random.Random(seed), 0
    for _ in range(examples(2000)):
        gold, run = campaign(chance)
        for _ in range(chance.choice([0, 1, 1, 2])):
            gold, run = chance.choice([(changed(chance, gold), run), (gold, changed(chance, run))])
        monkeypatch.setattr(source, "CHUNK", chance.choice([60, 200, 1 << 16]))
        found = read_in_step(Source.holding("gold", gold), Source.holding("run", run))
        if found is None:
            continue
        taken += 1
        collection, (of_gold,) = check_collection(Source.holding("gold", gold))
        assert collection is not None, (gold, [*map(str, of_gold)])
        checked, (of_run,) = check_run(Source.holding("run", run), collection.index)
        assert checked is not None, (gold, run, [*map(str, of_run)])
        assert [*of_gold, *of_run] == []
        spans, labels = collection.index.spans, collection.labels
        cells = bytes(
            8 * code + label for code, label in zip(checked.verdicts, labels, strict=True)
        )
        assert found.gold == Counter(bytes(sorted(labels[span])) for span in spans)
        assert found.run == Counter(bytes(sorted(cells[span])) for span in spans)
    assert taken > examples(2000) // 6


@each("name", FORMATS)
def test_the_report_is_the_same(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    name: str,
) -> None:
    gold, run = campaign(random.Random(7))
    (tmp_path / "gold.tsv").write_bytes(gold)
    (tmp_path / "run.txt").write_bytes(run)
    call = ["score", str(tmp_path / "gold.tsv"), str(tmp_path / "run.txt"), "--format", name]
    call += ["-m", "f1,qa_accuracy"] if name == "value" else []
    assert command(call) == 0
    expected = capsys.readouterr()
    used = list[InStep | None]()

    def noting(*files: Source) -> InStep | None:
        used.append(read_in_step(*files))
        return used[-1]

    with monkeypatch.context() as patched:
        patched.setattr(score_files, "IN_STEP", 0)
        patched.setattr(in_step, "read_in_step", noting)
        assert command(call) == 0
    assert capsys.readouterr() == expected
    assert used[0] is not None


@pytest.mark.parametrize("seed", mostly_slow(range(6), 1))
def test_parts_are_read_by_several_processes(
    seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The compositions are those of one process; files whose parts differ are not read."""
    chance = random.Random(seed)
    for searched in (40, 120, 400):
        gold, run = campaign(chance)
        if chance.random() < 0.3:
            run = changed(chance, run)
        (tmp_path / "gold.tsv").write_bytes(gold)
        (tmp_path / "run.txt").write_bytes(run)
        monkeypatch.setattr(in_step, "_SEARCHED", searched)
        collection, file = Source(tmp_path / "gold.tsv"), Source(tmp_path / "run.txt")
        alone = read_in_step(collection, file)
        for collection.jobs in (2, 3):
            assert len(in_step._parts(collection, file)) in (1, collection.jobs)
            assert read_in_step(collection, file) == alone


def test_both_files_are_cut_before_the_same_question(tmp_path: Path) -> None:
    ids = [(f"q{number}", f"a{at}") for number in range(300) for at in range(3)]
    rows = [f"{q_id}\t{a_id}\tREJECTED\n" for q_id, a_id in ids]
    (tmp_path / "gold.tsv").write_text(HEADER + "".join(rows))
    (tmp_path / "run.txt").write_text("".join(f"{q} {a} REJECTED 0.5\n" for q, a in ids))
    collection, run = Source(tmp_path / "gold.tsv"), Source(tmp_path / "run.txt")
    collection.jobs = 3
    parts = in_step._parts(collection, run)
    firsts = [
        [b"".join(file.chunks()).removeprefix(HEADER.encode()).split()[:2] for file in part[:2]]
        for part in parts
    ]
    assert [len(parts), firsts[0]] == [3, [[b"q0", b"a0"], [b"q0", b"a0"]]]
    for gold_ids, run_ids in firsts:
        assert gold_ids == run_ids
        assert gold_ids[1] == b"a0"
    assert b"".join(b"".join(part.run.chunks()) for part in parts) == run.bytes_at(0, run.size)
