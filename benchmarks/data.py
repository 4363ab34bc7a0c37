"""Makes a collection and runs of any size, in the formats of ave_score and of its peers."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

TEXT = "supporting text of about the usual length, word after word " * 7


def as_xml(q: int, labels: Sequence[str]) -> str:
    """Return a question of an AVE collection, with texts."""
    answers = [
        f'<a id="@{q:04d}_{a}" value="{label}">\n<a_str>answer {a}</a_str>\n'
        f'<t_str doc="D{q}">{TEXT}</t_str>\n</a>\n'
        for a, label in enumerate(labels)
    ]
    start = f'<q id="@{q:04d}" lang="EN">\n<q_str>Who was number {q}?</q_str>\n'
    return f"{start}{''.join(answers)}</q>\n"


def as_table(q: int, labels: Sequence[str]) -> str:
    """Return the rows of a question in a plain table of labels."""
    return "".join(f"@{q:04d}\t@{q:04d}_{a}\t{label}\n" for a, label in enumerate(labels))


def as_qrels(q: int, labels: Sequence[str]) -> str:
    """Return the rows of a question in TREC's format of judgements."""
    rows = [f"@{q:04d} 0 @{q:04d}_{a} {label[0] == 'V':d}\n" for a, label in enumerate(labels)]
    return "".join(rows)


def as_run(q: int, verdicts: Sequence[str], scores: Sequence[int]) -> str:
    """Return the lines of a question in a run."""
    rows = enumerate(zip(verdicts, scores, strict=True))
    return "".join([f"@{q:04d} @{q:04d}_{a} {said} 0.{score:04d}\n" for a, (said, score) in rows])


def as_trec(q: int, _verdicts: Sequence[str], scores: Sequence[int]) -> str:
    """Return the lines of a question in TREC's format of runs."""
    lines = [
        f"@{q:04d} Q0 @{q:04d}_{a} {a + 1} 0.{score:04d} r\n" for a, score in enumerate(scores)
    ]
    return "".join(lines)


GOLD: dict[str, tuple[str, Callable[[int, Sequence[str]], str], str]] = {
    "gold.xml": ('<?xml version="1.0" encoding="UTF-8"?>\n<ave>\n', as_xml, "</ave>\n"),
    "gold.tsv": ("q_id\ta_id\tlabel\n", as_table, ""),
    "qrels.txt": ("", as_qrels, ""),
}
"""The files of labels: their start, the text of a question, their end."""

RUNS = {".txt": as_run, ".trec": as_trec}
"""The formats of runs, by suffix: ave_score's and TREC's."""

FORMATS = (*GOLD, *RUNS)


BLOCK = 10_000
"""Questions; more of them repeat these, with other ids: text is made quickly by replacing `@`."""


def make(
    folder: Path,
    runs: int,
    questions: int,
    answers: int,
    formats: Iterable[str] = FORMATS,
    seed: int = 0,
) -> None:
    """Write gold.xml, gold.tsv, qrels.txt, runNN.txt and runNN.trec, all of the same decisions.

    The confidences of a question's answers differ, so the treatment of ties changes nothing.

    Parameters
    ----------
    questions
        Up to 10,000, or a multiple of them.
    formats
        Which files to write, as in `FORMATS`.
    seed
        Another one gives other labels and decisions.
    """
    chance = random.Random(2007 + seed)
    block, blocks = min(questions, BLOCK), -(-questions // BLOCK)
    labels = [
        chance.choices(["VALIDATED", "REJECTED", "REJECTED"], k=answers) for _ in range(block)
    ]
    for name in GOLD.keys() & set(formats):
        start, rows, end = GOLD[name]
        text = "".join(rows(q, question) for q, question in enumerate(labels))
        _write(folder / name, blocks, text, start, end)
    for number in range(runs):
        chance = random.Random(1_000_000 * seed + number)
        decided = [_decided(chance, answers) for _ in range(block)]
        for suffix in RUNS.keys() & set(formats):
            text = "".join(RUNS[suffix](q, *question) for q, question in enumerate(decided))
            _write(folder / f"run{number:02d}{suffix}", blocks, text)


def _decided(chance: random.Random, answers: int) -> tuple[list[str], list[int]]:
    """Return the verdicts and the confidences of a question, these in ten thousandths."""
    selected = chance.randrange(-answers // 2, answers)
    verdicts = ["REJECTED"] * answers
    if selected >= 0:
        verdicts = chance.choices(["VALIDATED", *["REJECTED"] * 4], k=answers)
        verdicts[selected] = "SELECTED"
    return verdicts, chance.sample(range(10_000), answers)


def _write(path: Path, blocks: int, text: str, start: str = "", end: str = "") -> None:
    """Write a text once for each block, with the number of the block for `@`."""
    with path.open("w") as file:
        file.write(start)
        for block in range(blocks):
            file.write(text.replace("@", str(block)))
        file.write(end)
