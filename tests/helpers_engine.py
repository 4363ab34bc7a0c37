"""Helpers for tests of engines: campaigns as tables in parts, and what scoring them must give."""

from __future__ import annotations

from pathlib import Path

import polars as pl

import ave_score
from ave_score import Collection, Policies, Run, parse_measures
from ave_score.counts import run_families
from tests.oracle import Campaign, labels_of

COUNTED = ",".join(
    one.key for one in parse_measures("all", run_families()) if one.family.of_decisions
)
"""The measures that need no confidence."""


def rows_of(campaign: Campaign) -> tuple[pl.DataFrame, list[pl.DataFrame]]:
    """Return the gold and the runs of a campaign, as they stand in its texts."""
    gold = [
        {"q_id": q_id, "a_id": a_id, "label": label}
        for answers in labels_of(campaign.gold).values()
        for (q_id, a_id), label in answers.items()
    ]
    names = ("q_id", "a_id", "verdict", "confidence")
    runs = [[dict(zip(names, row.split(), strict=True)) for row in text.splitlines()]
            for text in campaign.runs]  # fmt: skip
    return pl.DataFrame(gold), [pl.DataFrame(run) for run in runs]


def in_parts(frame: pl.DataFrame, folder: Path, parts: int, suffix: str) -> str:
    """Write the rows, shuffled, into a file or the files of a folder; return its path."""
    rows = frame.sample(fraction=1, shuffle=True, seed=parts)
    if parts == 1:
        return write(rows, folder.with_suffix(suffix))
    folder.mkdir()
    for number in range(parts):
        write(rows[number::parts], folder / f"part-{number:03d}{suffix}")
    (folder / "_SUCCESS").touch()
    return str(folder)


def write(rows: pl.DataFrame, path: Path) -> str:
    if path.suffix == ".parquet":
        rows.write_parquet(path)
    else:
        rows.write_csv(path, separator="\t" if path.suffix == ".tsv" else ",")
    return str(path)


def plain_scores(
    gold: pl.DataFrame, runs: dict[str, pl.DataFrame], policies: Policies | None = None
) -> dict[str, ave_score.Row]:
    """Return the rows of scores that are read answer by answer; counts have no digest."""
    collection = Collection.from_frame(gold)
    read = [Run.from_frame(run, collection, name=name) for name, run in runs.items()]
    scores = ave_score.score(collection, iter(read), measures=COUNTED, policies=policies)
    return {row.run: row._replace(digest=b"") for row in scores.rows}
