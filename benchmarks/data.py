"""Makes a collection and runs of any size, in the formats of ave_score and of its peers."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from pathlib import Path

TEXT = "supporting text of about the usual length, word after word " * 7


def as_xml(q: int, labels: Sequence[str]) -> str:
    """Return a question of an AVE collection, with texts."""
    answers = [
        f'<a id="{q:05d}_{a}" value="{label}">\n<a_str>answer {a}</a_str>\n'
        f'<t_str doc="D{q}">{TEXT}</t_str>\n</a>\n'
        for a, label in enumerate(labels)
    ]
    start = f'<q id="{q:05d}" lang="EN">\n<q_str>Who was number {q}?</q_str>\n'
    return f"{start}{''.join(answers)}</q>\n"


def as_table(q: int, labels: Sequence[str]) -> str:
    """Return the rows of a question in a plain table of labels."""
    return "".join(f"{q:05d}\t{q:05d}_{a}\t{label}\n" for a, label in enumerate(labels))


def as_qrels(q: int, labels: Sequence[str]) -> str:
    """Return the rows of a question in TREC's format of judgements."""
    rows = [f"{q:05d} 0 {q:05d}_{a} {label[0] == 'V':d}\n" for a, label in enumerate(labels)]
    return "".join(rows)


def as_run(q: int, verdicts: Sequence[str], scores: Sequence[int]) -> str:
    """Return the lines of a question in a run."""
    rows = enumerate(zip(verdicts, scores, strict=True))
    return "".join([f"{q:05d} {q:05d}_{a} {said} 0.{score:04d}\n" for a, (said, score) in rows])


def as_trec(q: int, _verdicts: Sequence[str], scores: Sequence[int]) -> str:
    """Return the lines of a question in TREC's format of runs."""
    lines = [f"{q:05d} Q0 {q:05d}_{a} {a + 1} 0.{score:04d} r\n" for a, score in enumerate(scores)]
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


def make(
    folder: Path, runs: int, questions: int, answers: int, formats: Iterable[str] = FORMATS
) -> None:
    """Write gold.xml, gold.tsv, qrels.txt, runNN.txt and runNN.trec, all of the same decisions.

    The confidences of a question's answers differ, so the treatment of ties changes nothing.
    """
    with ExitStack() as stack:
        gold = [(stack.enter_context((folder / name).open("w")), *GOLD[name])
                for name in GOLD if name in formats]  # fmt: skip
        chance = random.Random(2007)
        for file, start, _, _ in gold:
            file.write(start)
        for q in range(questions):
            labels = chance.choices(["VALIDATED", "REJECTED", "REJECTED"], k=answers)
            for file, _, rows, _ in gold:
                file.write(rows(q, labels))
        for file, _, _, end in gold:
            file.write(end)
    for number in range(runs):
        make_run(folder / f"run{number:02d}", number, questions, answers, formats)


def make_run(
    path: Path, seed: int, questions: int, answers: int, formats: Iterable[str] = FORMATS
) -> None:
    """Write a run in the formats asked for; its suffix is the format."""
    chance = random.Random(seed)
    with ExitStack() as stack:
        files = [(stack.enter_context(path.with_suffix(suffix).open("w")), rows)
                 for suffix, rows in RUNS.items() if suffix in formats]  # fmt: skip
        for q in range(questions):
            selected = chance.randrange(-answers // 2, answers)
            scores = chance.sample(range(10_000), answers)
            verdicts = ["REJECTED"] * answers
            if selected >= 0:
                verdicts = chance.choices(["VALIDATED", *["REJECTED"] * 4], k=answers)
                verdicts[selected] = "SELECTED"
            for file, rows in files:
                file.write(rows(q, verdicts, scores))
