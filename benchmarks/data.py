"""Makes a collection and runs of any size, in the formats of ave_score and of its peers."""

from __future__ import annotations

import random
from pathlib import Path

TEXT = "supporting text of about the usual length, word after word " * 7


def make(folder: Path, runs: int, questions: int, answers: int) -> None:
    """Write gold.xml, qrels.txt, runN.txt (AVE) and runN.trec, all of the same decisions."""
    chance = random.Random(2007)
    with (folder / "gold.xml").open("w") as xml, (folder / "qrels.txt").open("w") as qrels:
        xml.write('<?xml version="1.0" encoding="UTF-8"?>\n<ave>\n')
        for q in range(questions):
            xml.write(f'<q id="{q:05d}" lang="EN">\n<q_str>Who was number {q}?</q_str>\n')
            for a in range(answers):
                label = chance.choice(["VALIDATED", "REJECTED", "REJECTED"])
                xml.write(
                    f'<a id="{q:05d}_{a}" value="{label}">\n<a_str>answer {a}</a_str>\n'
                    f'<t_str doc="D{q}">{TEXT}</t_str>\n</a>\n'
                )
                qrels.write(f"{q:05d} 0 {q:05d}_{a} {int(label == 'VALIDATED')}\n")
            xml.write("</q>\n")
        xml.write("</ave>\n")
    for number in range(runs):
        with (
            (folder / f"run{number:02d}.txt").open("w") as ave,
            (folder / f"run{number:02d}.trec").open("w") as trec,
        ):
            for q in range(questions):
                selected = chance.randrange(-answers // 2, answers)
                for a in range(answers):
                    verdict = "SELECTED" if a == selected else "REJECTED"
                    if verdict == "REJECTED" and selected >= 0 and chance.random() < 0.2:
                        verdict = "VALIDATED"
                    confidence = f"{chance.random():.4f}"
                    ave.write(f"{q:05d} {q:05d}_{a} {verdict} {confidence}\n")
                    trec.write(f"{q:05d} Q0 {q:05d}_{a} {a + 1} {confidence} r\n")
