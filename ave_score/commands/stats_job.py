"""What `ave-score stats` does: read collections, put them into one table, write it."""

from __future__ import annotations

import json
from collections.abc import Sequence

from ave_score.commands.files import check_written, whole_file
from ave_score.commands.intake import Intake
from ave_score.commands.names import run_names
from ave_score.commands.render import laid_out
from ave_score.facts import CollectionFacts, collection_facts
from ave_score.files.source import Source
from ave_score.reports.collections import Described, collections_grid
from ave_score.reports.grid import grid_csv
from ave_score.text import counted

SCHEMA = "ave-score/collections/1"

_OF_LABELS = ("validated", "rejected", "unknown", "questions_with_correct")


def describe_files(paths: Sequence[str], format_: str, digits: int, output: str) -> int:
    """Write the table of some collections; return the exit code."""
    check_written(paths, {"--output": output})
    sources = [Source(path) for path in paths]
    names = run_names(sources, "collection")
    intake = Intake()
    described = []
    for source, name in zip(sources, names, strict=True):
        collection = intake.described(source)
        if collection is not None:
            facts = collection_facts(collection)
            described.append(Described((name, ", ".join(facts.languages)), facts))
    if not described:
        raise intake.refuse("nothing left to describe")
    with whole_file(output) as out:
        out.write(_rendered(described, format_, digits, output))
    if intake.refused:
        raise intake.refuse(f"{intake.refused} of {counted(len(paths), 'file')} left out")
    intake.show()
    return 0


def _rendered(described: Sequence[Described], format_: str, digits: int, output: str) -> str:
    if format_ == "json":
        document = {"schema": SCHEMA, "collections": [_document(one.facts) for one in described]}
        return json.dumps(document, indent=2) + "\n"
    grid = collections_grid("Collections", ("collection", "language"), described, digits)
    return grid_csv(grid) if format_ == "csv" else laid_out([grid], format_, output)


def _document(facts: CollectionFacts) -> dict[str, object]:
    """Return a collection in numbers; null where it has no labels to count."""
    document = {
        name: value for name, value in facts._asdict().items() if not name.startswith("key_")
    }
    if not facts.validated + facts.rejected + facts.unknown:
        document |= dict.fromkeys(_OF_LABELS)
    return document
