"""Scores as JSON, schema `ave-score/scores/1`: every key, every count, nothing rounded."""

from __future__ import annotations

import json

from ave_score.exact import plain
from ave_score.labels import settle_unknown
from ave_score.model import Label
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
    collection = scores.collection
    settled = settle_unknown(collection, scores.policies.unknown)
    described: dict[str, object] = {
        "path": collection.path,
        "sha256": collection.sha256,
        "questions": len(collection.roster.questions),
        "answers": len(collection.roster),
        "validated": collection.labelled(Label.VALIDATED),
        "rejected": collection.labelled(Label.REJECTED),
        "unknown": collection.labelled(Label.UNKNOWN),
        "questions_with_correct": settled.questions_with_correct,
    }
    if collection.key_path is not None:
        described["key"] = {"path": collection.key_path, "sha256": collection.key_sha256}
    return described


def _row(row: Row) -> dict[str, object]:
    return {
        "run": row.run,
        "group": row.group,
        "kind": str(row.kind),
        "counts": flat_counts(row),
        "measures": {
            key: None if value is None else float(value) for key, value in row.values.items()
        },
    }


def flat_counts(row: Row) -> dict[str, int | float | None]:
    """Return the counts of all families in one mapping; those of a baseline may be fractions."""
    return {
        name: plain(value) for counts in row.counts.values() for name, value in vars(counts).items()
    }
