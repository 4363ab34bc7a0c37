"""A user's typed module: mypy checks it against the installed wheel."""

from __future__ import annotations

from fractions import Fraction

import ave_score


def best(gold: str, runs: list[str]) -> tuple[str, Fraction | None]:
    collection: ave_score.Collection = ave_score.read_collection(gold)
    scores: ave_score.Scores = ave_score.score(collection, runs, measures="f1")
    row: ave_score.Row = max(scores.rows, key=lambda row: row.values["f1"] or 0)
    return row.run, row.values["f1"]
