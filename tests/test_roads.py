"""Every road to a figure gives the same figure: notations and frames, engines, and the three doors.
Files are written here, without the package. Expected are the figures of the same rows in memory. A
test that fails names the seed of the campaign: `random_campaign(seed)`."""

from __future__ import annotations

import csv
import gzip
import io
import json
import lzma
import random
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any
from xml.sax.saxutils import quoteattr

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from pyarrow import parquet

import ave_score
from tests import each
from tests.helpers_changes import renamed
from tests.helpers_command import ave
from tests.helpers_engine import COUNTED
from tests.helpers_random import (
    ANSWERS,
    MEASURES,
    OPEN,
    PAIRS,
    QRELS,
    Campaign,
    Row,
    answer_sets_of,
    as_pairs,
    figures_of,
    given,
    qrels_of,
    random_campaign,
    scored,
    trec_run_of,
)
from tests.test_relations import SEEDS, assert_equal

pytestmark = pytest.mark.filterwarnings("ignore::ave_score.AveScoreWarning")


def columns_of(rows: Sequence[Row]) -> dict[str, list[Any]]:
    names = dict.fromkeys(name for row in rows for name in row)
    return {name: [row.get(name) for row in rows] for name in names}


def delimited(rows: Sequence[Row], mark: str) -> str:
    out = io.StringIO()
    columns = columns_of(rows)
    writer = csv.writer(out, delimiter=mark, lineterminator="\n")
    writer.writerow(columns)
    for values in zip(*columns.values(), strict=True):
        writer.writerow(["" if value is None else value for value in values])
    return out.getvalue()


def in_parquet(rows: Sequence[Row]) -> bytes:
    out = io.BytesIO()
    parquet.write_table(pa.table(columns_of(rows)), out)
    return out.getvalue()


TABLES: dict[str, Callable[[Sequence[Row]], str | bytes]] = {
    ".tsv": lambda rows: delimited(rows, "\t"),
    ".csv": lambda rows: delimited(rows, ","),
    ".jsonl": lambda rows: "".join(json.dumps(row) + "\n" for row in rows),
    ".parquet": in_parquet,
}
FRAMES: dict[str, Callable[[Sequence[Row]], Any]] = {
    "rows": list,
    "columns": columns_of,
    "pandas": lambda rows: pd.DataFrame(columns_of(rows), dtype=object),
    "polars": lambda rows: pl.DataFrame(columns_of(rows)),
    "pyarrow": lambda rows: pa.table(columns_of(rows)),
}
PACKED: dict[str, Callable[[bytes], bytes]] = {
    "": bytes, ".gz": gzip.compress, ".xz": lzma.compress,
}  # fmt: skip


def attributes(of: Row) -> str:
    return "".join(f" {key}={quoteattr(str(of[key]))}" for key in of if of[key] is not None)


def xml_of(campaign: Campaign) -> str:
    if campaign.shape == PAIRS:
        words = {"VALIDATED": "YES", "REJECTED": "NO", "UNKNOWN": "UNKNOWN"}
        pairs = [{"id": row["q_id"], "value": words[row["label"]]} for row in campaign.gold]
        return f"<pairs>{''.join(f'<pair{attributes(pair)}/>' for pair in pairs)}</pairs>"
    body = []
    for question in campaign.questions:
        inside = "".join(
            f"<a{attributes({'value': a['label'], 'grade': a['grade'], 'id': a['a_id']})}/>"
            for a in question.answers
        )
        body.append(f"<q{attributes({'id': question.q_id} | question.about)}>{inside}</q>\n")
    return f"<ave>\n{''.join(body)}</ave>\n"


def lines_of(rows: Sequence[Row], shape: str) -> str:
    """Return the lines of a run, behind one that tells it from other kinds of files."""
    ids = ["q_id"] if shape == PAIRS else ["q_id", "a_id"]
    keys = [*ids, "verdict", "confidence"]
    return "# a run\n" + "".join(" ".join(str(row[key]) for key in keys) + "\n" for row in rows)


Written = tuple[Any, dict[str, Any], Any]
"""A collection, runs by name and judged systems, each as a path or as a frame."""


def written(
    folder: Path, chance: random.Random, campaign: Campaign, *, frames: bool = True
) -> Written:
    """Write each part of a campaign in some notation; tables may be frames instead."""

    def put(name: str, suffix: str, data: str | bytes) -> Path:
        if isinstance(data, str):
            text = data.replace("\n", chance.choice(["\n", "\n", "\r\n"]))
            data = chance.choice([b"", b"", b"\xef\xbb\xbf"]) + text.encode()
        packing = "" if suffix == ".parquet" else chance.choice([*PACKED])  # it packs itself
        path = folder / f"{name}{suffix}{packing}"
        path.write_bytes(PACKED[packing](data))
        return path

    def some(name: str, rows: Sequence[Row], **others: Callable[[], str]) -> Any:  # noqa: ANN401
        suffix = chance.choice([*others, *TABLES, *(FRAMES if frames else ())])
        if suffix in FRAMES:
            return FRAMES[suffix](rows)
        if suffix in others:
            return put(name, f".{suffix}", others[suffix]())
        return put(name, suffix, TABLES[suffix](rows))

    shape = campaign.shape
    of_shape = as_pairs if shape == PAIRS else list
    if shape == QRELS:
        runs = {name: put(name, ".run", trec_run_of(run)) for name, run in campaign.runs.items()}
        return put("qrels", ".txt", qrels_of(campaign)), runs, ()
    if shape == OPEN:
        gold = put("open", ".json", answer_sets_of(campaign))
        return gold, {name: some(name, run) for name, run in campaign.runs.items()}, ()
    runs = {}
    for name, rows in campaign.runs.items():
        words = as_pairs(rows) if shape == PAIRS else rows
        pairs = zip(rows, words, strict=True)
        text = lines_of([row | {"verdict": new["verdict"]} for row, new in pairs], shape)
        runs[name] = some(name, words, txt=partial(str, text))
    gold = some("gold", of_shape(campaign.gold), xml=lambda: xml_of(campaign))
    return gold, runs, some("systems", campaign.systems) if campaign.systems else ()


@each("seed", SEEDS)
def test_notations_and_frames(seed: int, tmp_path: Path) -> None:
    chance, campaign = random.Random(seed), random_campaign(seed, ties="average")
    if campaign.shape in (ANSWERS, PAIRS):
        campaign = renamed(chance, campaign)
    gold, runs, systems = written(tmp_path, chance, campaign)
    measures, policies = MEASURES[campaign.shape], campaign.policies
    found = ave_score.score(gold, runs, systems, measures=measures, policies=policies)
    assert_equal(figures_of(found), scored(campaign))


CONNECTION = duckdb.connect()


@each("seed", SEEDS)
def test_engines(seed: int) -> None:
    """Lazy frames are joined and counted by their library; the other road reads each answer."""
    campaign = random_campaign(seed, ANSWERS, epochs="mean")._replace(systems=[])
    rows = [campaign.gold, *campaign.runs.values()]
    texts = {"q_id": pl.String, "a_id": pl.String, "label": pl.String}
    frames = [pl.DataFrame(columns_of(row), schema_overrides=texts) for row in rows]
    lazy: list[Any] = [frame.lazy() for frame in frames]
    if seed % 2:
        lazy = [CONNECTION.from_arrow(frame.to_arrow()) for frame in frames]
    runs = dict(zip(campaign.runs, lazy[1:], strict=True))
    found, expected = (
        ave_score.score(gold, runs, measures=COUNTED, policies=campaign.policies)
        for gold, runs in [(lazy[0], runs), given(campaign)]
    )
    assert_equal(figures_of(found), figures_of(expected))


def options(campaign: Campaign) -> list[str]:
    policies = campaign.policies
    words = ["--missing", policies.missing, "--unknown", policies.unknown, "--ties", policies.ties]
    words += ["--epochs", policies.epochs]
    return [*words, "--letters", policies.letters, "-f", "json"]


def as_json(value: Any) -> Any:  # noqa: ANN401 - of a measure, or a number
    return None if value is None else float(value)


def campaign_file(campaign: Campaign, files: Written) -> str:
    """Return a campaign file of one language."""
    (gold, runs, systems), policies = files, campaign.policies
    chosen = {name: getattr(policies, name) for name in ("missing", "unknown", "ties", "letters")}
    head = {"measures": MEASURES[campaign.shape], **chosen}
    body = {"collection": gold.name, "runs": [path.name for path in runs.values()]}
    body |= {"judged": systems.name} if systems else {}
    settings = ("".join(f"{k} = {json.dumps(v)}\n" for k, v in p.items()) for p in (head, body))
    return "[editions.2007]\n{}[editions.2007.languages.en]\n{}".format(*settings)


def rows_of(document: Any) -> dict[str, tuple[Row, Row]]:  # noqa: ANN401 - JSON
    return {row["run"]: (row["measures"], row["counts"]) for row in document["runs"]}


@pytest.mark.slow
@each("seed", SEEDS)
def test_python_commands_and_campaigns(seed: int, tmp_path: Path) -> None:
    chance = random.Random(seed)
    campaign = random_campaign(seed, chance.choice([ANSWERS, PAIRS]))
    gold, runs, systems = written(tmp_path, chance, campaign, frames=False)
    measures = MEASURES[campaign.shape]
    scores = ave_score.score(gold, runs, systems, measures=measures, policies=campaign.policies)
    expected = {}
    for row in scores.rows:
        numbers = dict(one for counts in row.counts.values() for one in counts.numbers().items())
        expected[row.run] = tuple(
            {k: as_json(v) for k, v in of.items()} for of in (row.values, numbers)
        )
    qa = ["--qa", systems] if systems else []
    said = ave("score", gold, *runs.values(), *qa, "-m", measures, *options(campaign), code=0)
    assert rows_of(json.loads(said.out)) == expected
    if seed % 4 == 0 and campaign.policies.epochs == "mean":  # it has no key, and writes much
        toml = tmp_path / "campaign.toml"
        toml.write_text(campaign_file(campaign, (gold, runs, systems)))
        ave("campaign", toml, code=0)
        assert rows_of(json.loads((tmp_path / "results/2007/en.json").read_text())) == expected


@each("shape", [QRELS, OPEN])
@each("seed", range(3))
def test_a_campaign_takes_qrels_and_answer_sets(seed: int, shape: str, tmp_path: Path) -> None:
    campaign = random_campaign(seed, shape)
    gold, runs, _ = written(tmp_path, random.Random(seed), campaign, frames=False)
    names = json.dumps([path.name for path in runs.values()])
    head = f'[editions.2007]\nmeasures = "{MEASURES[shape]}"\n[editions.2007.languages.en]\n'
    toml = tmp_path / "campaign.toml"
    toml.write_text(f'{head}collection = "{gold.name}"\nruns = {names}\n')
    ave("check", toml, code=0)
    ave("campaign", toml, code=0)
    said = ave("score", gold, *runs.values(), "-m", MEASURES[shape], "-f", "json", code=0)
    found = json.loads((tmp_path / "results/2007/en.json").read_text())
    assert rows_of(found) == rows_of(json.loads(said.out))
    assert {row["run"] for row in found["runs"]} >= {*runs}
