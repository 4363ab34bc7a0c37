"""Reads the published figures from the three tables in ``gold/published``.

Figures stay the strings that were printed ("0.5", "83.17"): what counts is whether an exact
value rounds to them, and a float would lose that.
"""

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

AV, QA = "AV", "QA"


@dataclass(frozen=True, slots=True)
class CollectionFacts:
    """The published counts of one test collection."""

    edition: str
    lang: str
    questions: int
    answers: int
    validated: int
    rejected: int
    unknown: int
    questions_with_correct: int

    @property
    def name(self) -> str:
        """Stem of every file of this collection, such as ``ave2007-es``."""
        return f"ave{self.edition}-{self.lang}"


@dataclass(frozen=True, slots=True)
class ValidationRow:
    """One row of a validation table: F, precision and recall over the VALIDATED answers."""

    group: str
    run: str
    kind: str
    f1: str
    precision: str
    recall: str


@dataclass(frozen=True, slots=True)
class SelectionRow:
    """One row of a selection table: accuracy over all questions, and percent of perfect."""

    group: str
    run: str
    kind: str
    qa_accuracy: str
    percent_of_perfect: str


@dataclass(frozen=True, slots=True)
class Published:
    """All that was published about one collection, rows in the printed order."""

    facts: CollectionFacts
    validation: tuple[ValidationRow, ...]
    selection: tuple[SelectionRow, ...]

    @property
    def systems(self) -> tuple[SelectionRow, ...]:
        """The QA systems, whose answers make up the collection."""
        return tuple(row for row in self.selection if row.kind == QA)

    @property
    def runs(self) -> tuple[ValidationRow, ...]:
        """The answer validation runs."""
        return tuple(row for row in self.validation if row.kind == AV)

    def validation_row(self, run: str) -> ValidationRow:
        """Return the validation row of a run or baseline."""
        return next(row for row in self.validation if row.run == run)

    def selection_row(self, run: str) -> SelectionRow:
        """Return the selection row of a run, QA system or baseline."""
        return next(row for row in self.selection if row.run == run)


def read_published(folder: Path) -> list[Published]:
    """Read every collection of ``collections.tsv`` with its rows of the other two tables."""
    validation = list(_rows(folder / "validation.tsv"))
    selection = list(_rows(folder / "selection.tsv"))
    return [
        Published(
            facts,
            tuple(
                ValidationRow(r["group"], r["run"], r["kind"], r["f1"], r["precision"], r["recall"])
                for r in validation
                if (r["edition"], r["lang"]) == (facts.edition, facts.lang)
            ),
            tuple(
                SelectionRow(
                    r["group"], r["run"], r["kind"], r["qa_accuracy"], r["percent_of_perfect"]
                )
                for r in selection
                if (r["edition"], r["lang"]) == (facts.edition, facts.lang)
            ),
        )
        for facts in map(_facts, _rows(folder / "collections.tsv"))
    ]


def _facts(row: dict[str, str]) -> CollectionFacts:
    return CollectionFacts(
        edition=row["edition"],
        lang=row["lang"],
        questions=int(row["questions"]),
        answers=int(row["answers"]),
        validated=int(row["validated"]),
        rejected=int(row["rejected"]),
        unknown=int(row["unknown"]),
        questions_with_correct=int(row["questions_with_correct"]),
    )


def _rows(path: Path) -> Iterator[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        yield from csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
