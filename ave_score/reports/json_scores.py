"""Scores as JSON, schema `ave-score/scores/1`: every key, every count, nothing rounded."""

from __future__ import annotations

import json
from math import isnan

from ave_score.counts.counted import Kind
from ave_score.exact import as_float, plain
from ave_score.scoring import Row, Scores

SCHEMA = "ave-score/scores/1"


def render_json(scores: Scores) -> str:
    """Return a JSON document, all in ASCII; docs/json.md describes every key."""
    document = {
        "schema": SCHEMA,
        "signature": scores.signature,
        "collection": _collection(scores),
        "runs": [_row(row) for row in scores.rows],
        "left_out": list(scores.left_out),
    }
    return json.dumps(document, indent=2, allow_nan=False) + "\n"


def _collection(scores: Scores) -> dict[str, object]:
    described: dict[str, object] = scores.collection._asdict()
    path, sha256 = described.pop("key_path"), described.pop("key_sha256")
    if path is not None:
        described["key"] = {"path": path, "sha256": sha256}
    return described


def _row(row: Row) -> dict[str, object]:
    return {
        "run": row.run,
        "group": row.group,
        "kind": str(row.kind),
        "counts": flat_counts(row),
        "measures": {key: as_float(value) for key, value in row.values.items()},
        **_intervals(row),
        "not_applicable": {} if row.kind is Kind.BASELINE else dict(row.reasons),
    }


def _intervals(row: Row) -> dict[str, object]:
    """Return the ends of confidence intervals, null where a measure is undefined."""
    if not row.intervals:
        return {}
    return {
        "intervals": {
            key: [None if isnan(end) else end for end in ends]
            for key, ends in row.intervals.items()
        }
    }


def flat_counts(row: Row) -> dict[str, int | float | None]:
    """Return the counts of all families in one mapping; those of a baseline may be fractions."""
    return {
        name: plain(value)
        for counts in row.counts.values()
        for name, value in counts.numbers().items()
    }
