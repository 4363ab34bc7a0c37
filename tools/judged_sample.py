"""Write `sample_runs/judge/systems.csv` and `truth.csv`: systems that a judge grades.

    python -m tools.judged_sample

Drawn from a seed, so that the truth is known. The answers to the same question are about as hard
for all systems; the judge accepts more wrong answers of cat. 150 questions are labelled, chosen at
random, for all systems. `truth.csv` has the labels of all answers.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

FOLDER = Path(__file__).resolve().parent.parent / "sample_runs/judge"

QUESTIONS, LABELLED, SEED = 600, 150, 5

ACCURACY = {"ada": 0.82, "bob": 0.72, "cat": 0.62}

ACCEPTED_WRONG = {"ada": 0.15, "bob": 0.15, "cat": 0.5}

ACCEPTED_RIGHT = 0.95


def lines() -> Iterator[tuple[str, str]]:
    """Yield the lines of both files."""
    drawn = random.Random(SEED)
    yield "q_id,run,judgement,verdict\n", "q_id,run,judgement,verdict\n"
    labelled = {*drawn.sample(range(QUESTIONS), LABELLED)}
    for number in range(QUESTIONS):
        easier = drawn.uniform(-0.15, 0.15)
        for run, accuracy in ACCURACY.items():
            right = drawn.random() < accuracy + easier
            accepts = ACCEPTED_RIGHT if right else ACCEPTED_WRONG[run]
            verdict = "VALIDATED" if drawn.random() < accepts else "REJECTED"
            label, head = "R" if right else "W", f"q{number + 1:03},{run}"
            shown = label if number in labelled else ""
            yield f"{head},{shown},{verdict}\n", f"{head},{label},{verdict}\n"


def write(folder: Path = FOLDER) -> None:
    """Write both files."""
    texts = map("".join, zip(*lines(), strict=True))
    for name, text in zip(("systems.csv", "truth.csv"), texts, strict=True):
        (folder / name).write_text(text, "utf-8", newline="\n")


if __name__ == "__main__":
    write()
