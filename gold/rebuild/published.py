"""Reads the published figures from the tables in ``gold/published``.

Figures stay the strings that were printed ("0.5", "83.17"): what counts is whether an exact
value rounds to them, and a float would lose that. A blank was not printed. The figures listed
in ``misprints.tsv`` are read as they should have been printed.
"""

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from .editions import EDITIONS, Edition

AV, QA = "AV", "QA"


@dataclass(frozen=True, slots=True)
class CollectionSummary:
    """The published counts of one test collection; 0 where nothing was printed.

    A collection without a number of questions is one of pairs of a text and a hypothesis.
    """

    edition: str
    lang: str
    questions: int
    answers: int
    validated: int
    rejected: int
    unknown: int
    questions_with_correct: int
    percent_of_available: str

    @property
    def name(self) -> str:
        """Stem of every file of this collection, such as ``ave2007-es``."""
        return f"ave{self.edition}-{self.lang}"

    @property
    def hopeless(self) -> int:
        """The number of questions without a correct answer."""
        return self.questions - self.questions_with_correct


@dataclass(frozen=True, slots=True)
class ValidationRow:
    """One row of a validation table: F, precision and recall over the VALIDATED answers."""

    team: str
    run: str
    kind: str
    f1: str
    precision: str
    recall: str


@dataclass(frozen=True, slots=True)
class SelectionRow:
    """One row of a selection table.

    Accuracy over all questions and percent of perfect; from 2008 on also the share of questions
    that were rejected rightly, the sum of both shares, and the performance estimated from them.
    """

    team: str
    run: str
    kind: str
    qa_accuracy: str
    percent_of_perfect: str
    qa_rej_accuracy: str
    qa_accuracy_max: str
    estimated_qa_performance: str


@dataclass(frozen=True, slots=True)
class Published:
    """All that was published about one collection, rows in the printed order."""

    facts: CollectionSummary
    validation: tuple[ValidationRow, ...]
    selection: tuple[SelectionRow, ...]

    @property
    def edition(self) -> Edition:
        """How collections of this edition are made."""
        return EDITIONS[self.facts.edition]

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


@dataclass(frozen=True, slots=True)
class AnsweringRow:
    """What was published of a run that may leave questions unanswered.

    ``candidates`` are the right and the wrong answers that it withheld, None where only their
    sum was printed.
    """

    run: str
    c_at_1: str
    accuracy: str
    correct: int
    incorrect: int
    unanswered: int
    candidates: tuple[int, int] | None


@dataclass(frozen=True, slots=True)
class Answering:
    """The runs of one task in one language, which all answer the same questions."""

    task: str
    edition: str
    lang: str
    questions: int
    rows: tuple[AnsweringRow, ...]

    @property
    def name(self) -> str:
        """Stem of the file, such as ``respubliqa2009-de``."""
        return f"{self.task.lower()}{self.edition}-{self.lang}"


def read_published(folder: Path) -> list[Published]:
    """Read every collection of ``collections.tsv`` with its rows of the other tables."""
    validation = list(_rows(folder / "validation.tsv"))
    selection = list(_rows(folder / "selection.tsv"))
    for misprint in _rows(folder / "misprints.tsv"):
        if misprint["run"]:  # those about collections are of no run
            _mend([*validation, *selection], misprint)
    return [
        Published(
            facts,
            tuple(
                ValidationRow(r["team"], r["run"], r["kind"], r["f1"], r["precision"], r["recall"])
                for r in validation
                if (r["edition"], r["lang"]) == (facts.edition, facts.lang)
            ),
            tuple(
                _selection_row(r)
                for r in selection
                if (r["edition"], r["lang"]) == (facts.edition, facts.lang)
            ),
        )
        for facts in map(_facts, _rows(folder / "collections.tsv"))
    ]


def read_answering(folder: Path) -> list[Answering]:
    """Read the runs of ``answering.tsv``, task by task and language by language."""
    tasks: dict[tuple[str, str, str, int], list[AnsweringRow]] = {}
    for r in _rows(folder / "answering.tsv"):
        key = r["task"], r["edition"], r["lang"], int(r["questions"])
        tasks.setdefault(key, []).append(_answering_row(r))
    return [Answering(*key, tuple(rows)) for key, rows in tasks.items()]


def _mend(rows: list[dict[str, str]], misprint: dict[str, str]) -> None:
    """Put the exact figure in the place of the printed one, which must be where it is said."""
    where = ("table", "lang", "run")
    [row] = (row for row in rows if all(row[key] == misprint[key] for key in where))
    column = misprint["column"]
    if row[column] != misprint["printed"]:
        raise ValueError(f"misprints.tsv: {row['run']} has {row[column]} printed as {column}")
    row[column] = misprint["exact"]


def _facts(row: dict[str, str]) -> CollectionSummary:
    return CollectionSummary(
        edition=row["edition"],
        lang=row["lang"],
        questions=_count(row["questions"]),
        answers=_count(row["answers"]),
        validated=_count(row["validated"]),
        rejected=_count(row["rejected"]),
        unknown=_count(row["unknown"]),
        questions_with_correct=_count(row["questions_with_correct"]),
        percent_of_available=row["percent_of_available"],
    )


def _selection_row(row: dict[str, str]) -> SelectionRow:
    return SelectionRow(
        team=row["team"],
        run=row["run"],
        kind=row["kind"],
        qa_accuracy=row["qa_accuracy"],
        percent_of_perfect=row["percent_of_perfect"],
        qa_rej_accuracy=row["qa_rej_accuracy"],
        qa_accuracy_max=row["qa_accuracy_max"],
        estimated_qa_performance=row["estimated_qa_performance"],
    )


def _answering_row(row: dict[str, str]) -> AnsweringRow:
    right, wrong = row["unanswered_right"], row["unanswered_wrong"]
    return AnsweringRow(
        run=row["run"],
        c_at_1=row["c@1"],
        accuracy=row["accuracy"],
        correct=_count(row["correct"]),
        incorrect=_count(row["incorrect"]),
        unanswered=_count(row["unanswered"]),
        candidates=(int(right), int(wrong)) if right and wrong else None,
    )


def _count(printed: str) -> int:
    return int(printed or 0)


def _rows(path: Path) -> Iterator[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        yield from csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
