"""Per-question records of each run: selected answer, outcome and validation counts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from typing import TextIO

from ave_score.counts import ValidationCounts
from ave_score.counts.joined import cells, one_question
from ave_score.counts.judged import WITHHELD, answer_outcome, judged_outcomes
from ave_score.counts.selection import count_selection
from ave_score.counts.validation import count_validation
from ave_score.judgements import Meaning
from ave_score.model import Collection, Label, QARun, Run, Verdict
from ave_score.reports.csv_text import write_csv
from ave_score.reports.json_text import json_line
from ave_score.reports.report import Cell, Records
from ave_score.thresholds import decided_at

COLUMNS = (
    "run", "question", "selected", "selected_label", "outcome",
    *(field.name for field in fields(ValidationCounts)), "answered",
)  # fmt: skip

Record = dict[str, Cell]


def run_records(run: Run, collection: Collection) -> Iterator[Record]:
    """Yield a record for each question of a run; `selected` is None if nothing was selected."""
    run_cells = cells(run, collection)
    index = collection.index
    for q_id, span in zip(index.questions, index.spans, strict=True):
        here = one_question(run_cells[span])
        position = run.verdicts.find(Verdict.SELECTED, span.start, span.stop)
        selected = None if position < 0 else index.a_ids[position]
        label = None if position < 0 else Label(collection.labels[position]).name
        outcome = count_selection(here).outcome
        yield {
            "run": run.name, "question": q_id, "selected": selected, "selected_label": label,
            "outcome": str(outcome), **vars(count_validation(here)),
            "answered": str(answer_outcome(None, outcome, {})),
        }  # fmt: skip


def judged_records(
    run: QARun, collection: Collection, table: dict[str, Meaning]
) -> Iterator[Record]:
    """Yield a record for each question of a QA system, without validation counts."""
    for q_id, (answer, outcome, worth) in zip(
        collection.index.questions, judged_outcomes(run, collection, table), strict=True
    ):
        selected = label = None
        if answer is not None and outcome not in WITHHELD:
            selected = answer.a_id or answer.answer
            label = table[answer.judgement].label.name
        yield {
            "run": run.name,
            "question": q_id,
            "selected": selected,
            "selected_label": label,
            # the outcome of a selection is unknown without candidate answers
            "outcome": str(outcome) if len(collection.index) else None,
            **dict.fromkeys(COLUMNS[5:]),
            "answered": str(worth),
        }


class PerQuestionWriter:
    """Writes the per-question records of runs and QA systems as CSV or JSON Lines.

    Parameters
    ----------
    out
        The stream to write to.
    collection
        The collection that the runs are scored against.
    table
        The meaning of each judgement of QA systems.
    threshold
        The lowest confidence of validated answers; None uses the decisions of the runs.
    lines
        Whether to write JSON Lines instead of CSV.
    """

    def __init__(
        self,
        out: TextIO,
        collection: Collection,
        table: dict[str, Meaning],
        threshold: float | None = None,
        *,
        lines: bool,
    ) -> None:
        self._out = out
        self._collection = collection
        self._table = table
        self._threshold = threshold
        self._lines = lines
        if not lines:
            write_csv(out, Records(COLUMNS, ()))

    def take(self, run: Run | QARun) -> Run | QARun:
        """Write a record for each question, and return the run or QA system unchanged."""
        if isinstance(run, Run):
            decided = run if self._threshold is None else decided_at(run, self._threshold)
            self._write(run_records(decided, self._collection))
        else:
            self._write(judged_records(run, self._collection, self._table))
        return run

    def _write(self, records: Iterator[Record]) -> None:
        if self._lines:
            self._out.writelines(map(json_line, records))
        else:
            rows = ([*record.values()] for record in records)
            write_csv(self._out, Records(COLUMNS, rows), has_head=False)
