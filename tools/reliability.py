"""The stability of c@1 and accuracy on judged files of ResPubliQA, shipped and simulated.

The tables have the shape of table 6.2 and figure 6.1 of the thesis. `tools/reproduction.py` puts
them on its page.
"""

from __future__ import annotations

import csv
import io
import json
import random
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path

Record = dict[str, str]
Ran = Callable[..., str]
"""Runs the command line, and returns what it prints."""

MEASURES = "c_at_1,answering_accuracy"
SHIPPED = ("gold/respubliqa2009-ro.qa.tsv.gz", "gold/respubliqa2009-de.qa.tsv.gz")
SYSTEMS, QUESTIONS, SEED = 24, 500, 2009

_TEXT = (
    "Table 6.2 and figure 6.1 of the thesis compare c@1 with accuracy by the methods of Buckley "
    "and Voorhees (error rate and ties, [reliable measures](../how-to/stability.md)) and of Sakai "
    "(the difference required, its share of the highest score, and sensitivity), on the runs of "
    "ResPubliQA 2009. These tables have the same shape.",
    "What can be compared: the method, the size of the samples (250 of 500 questions), and the "
    "shape of the curves. What cannot: the figures. Of the campaign's runs, only the "
    "counts of four are published; their answers to single questions are invented here, and two "
    f"of them are of another language. The {SYSTEMS} simulated systems differ in skill and in how "
    "many questions they leave unanswered (half of them none). They withhold answers that they "
    "believe to be wrong, and are right about that more often than by chance.",
    "`answering_accuracy` counts right answers; `accuracy_with_withheld`, the Accuracy of the "
    "campaign's tables, also counts withheld answers that are right (known for two of the four "
    "runs only); c@1 credits unanswered questions with the accuracy over all questions. At the "
    "same fuzziness, compare error rates only where the proportions of ties are about equal. Which "
    "measure is more stable depends on the systems: c@1 separates the four runs better, because "
    "two of them have nearly the same accuracy; it does not separate the simulated ones better.",
)


def reliability(ran: Ran) -> Iterable[str]:
    """Yield the paragraphs and tables of the section."""
    yield "## Stability of c@1 and accuracy"
    yield from _TEXT
    common = ("--letters", "respubliqa", "--size", "250", "--measures")
    yield "### The four shipped runs"
    yield _curves(ran("stability", *SHIPPED, *common, MEASURES, "--format", "csv"))
    yield _required(ran("swap", *SHIPPED, *common, MEASURES, "--format", "json"))
    with tempfile.TemporaryDirectory() as folder:
        judged = Path(folder) / "simulated.qa.tsv"
        judged.write_text(simulated(), encoding="utf-8")
        arguments = (str(judged), *common, f"{MEASURES},accuracy_with_withheld", "--format")
        yield f"### {SYSTEMS} simulated systems"
        yield _curves(ran("stability", *arguments, "csv"))
        yield _required(ran("swap", *arguments, "json"))


def simulated() -> str:
    """Return a judged file: systems of different skill, half of which withhold answers."""
    chance = random.Random(SEED)
    difficulty = [chance.random() for _ in range(QUESTIONS)]
    lines = ["q_id\trun\tjudgement\tanswered"]
    for system in range(SYSTEMS):
        skill = 0.2 + 0.5 * system / (SYSTEMS - 1)
        threshold = chance.uniform(0.1, 0.4) if chance.random() < 0.5 else 0.0
        for number, hard in enumerate(difficulty):
            probability = min(0.95, max(0.05, skill + 0.5 - hard))
            is_right = chance.random() < probability
            belief = probability + 0.15 * is_right + chance.uniform(-0.2, 0.2)
            answered = "YES" if belief >= threshold else "NO"
            lines.append(f"{number:04d}\tsystem{system:02d}\t{'RW'[not is_right]}\t{answered}")
    return "\n".join(lines) + "\n"


def _curves(text: str) -> str:
    """Return the error rate and ties of each measure at each fuzziness: figure 6.1."""
    rows: list[Record] = list(csv.DictReader(io.StringIO(text)))
    keys = list(dict.fromkeys(row["measure"] for row in rows))
    heads = [f"`{key}`: {what}" for key in keys for what in ("errors, %", "ties, %")]
    lines = [f"| Fuzziness | {' | '.join(heads)} |", f"|---|{'--:|' * len(heads)}"]
    for fuzziness in dict.fromkeys(row["fuzziness"] for row in rows):
        at = {row["measure"]: row for row in rows if row["fuzziness"] == fuzziness}
        shares = [at[key][what] for key in keys for what in ("error_rate", "ties")]
        cells = [f"{100 * float(share):.2f}" for share in shares]
        lines.append(f"| {float(fuzziness):.2f} | {' | '.join(cells)} |")
    return "\n".join(lines)


def _required(text: str) -> str:
    """Return the difference that each measure requires, and what reaches it: table 6.2."""
    lines = [
        "| Measure | Required | Highest | Relative, % | Sensitivity, % |",
        "|---|--:|--:|--:|--:|",
    ]
    for measure in json.loads(text)["measures"]:
        scales = {"required": 1, "highest": 1, "relative": 100, "sensitivity": 100}
        cells = [
            "n/a" if measure[name] is None else f"{scale * measure[name]:.2f}"
            for name, scale in scales.items()
        ]
        lines.append(f"| `{measure['measure']}` | {' | '.join(cells)} |")
    return "\n".join(lines)
