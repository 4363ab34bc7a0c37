"""Per-question records of each run: selected answer, outcome and validation counts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, TextIO

from ave_score.core.errors import UsageError
from ave_score.core.judgements import Meaning
from ave_score.core.labels import LABELS
from ave_score.core.model import AnswerOutcome, Collection, Label, Outcome, QARun, Run, Verdict
from ave_score.core.open_questions import OpenGold, ResponseRun
from ave_score.core.parts import mentioned
from ave_score.core.policies import Policies, settle_unknown, settled_table
from ave_score.counts import ValidationCounts
from ave_score.counts.decisions import Decisions, cells_of, decisions_of_cells
from ave_score.counts.judged import WITHHELD, answer_outcome, judged_outcomes
from ave_score.counts.validation import count_validation
from ave_score.measures import Measure
from ave_score.reports.csv_text import write_csv
from ave_score.reports.data import TEXT, WHOLE, ResultDocument, one_of
from ave_score.reports.json_text import json_line
from ave_score.reports.report import Cell, Records
from ave_score.tasks.inputs import (
    GoldGiven,
    Inputs,
    SubjectsGiven,
    ids_of,
    settings_of,
    with_policies,
)
from ave_score.tasks.subjects import MeasuresGiven, wanted_measures

if TYPE_CHECKING:
    import pandas as pd

    from ave_score.inference.units import Gold, Subject

LINE = ResultDocument(
    "per-question",
    "Questions of scores",
    "A line for each run and question: `ave-score score --per-question FILE.jsonl`. CSV has the "
    "same columns.",
    {
        "run": TEXT("The name of the run or the QA system."),
        "question": TEXT("The id of the question."),
        "selected": TEXT.or_null(
            "The selected answer: its id, or the answer of a QA system without ids; null if "
            "nothing is selected."
        ),
        "selected_label": one_of(*LABELS, None)("The label of the selected answer."),
        "outcome": one_of(*Outcome, None)(
            "The outcome of the question, as in the counts of scores; null if a judged file is "
            "scored alone."
        ),
        **{
            name: WHOLE.or_null(f"{meaning} Null for QA systems.")
            for name, meaning in ValidationCounts.meanings().items()
        },
        "answered": one_of(*AnswerOutcome)("Whether and how the question is answered."),
    },
    is_line=True,
)

COLUMNS = (*LINE.keys,)

Row = tuple[Cell, ...]
"""The cells of a question, in the order of `COLUMNS`."""

_NAMES = {int(label): label.name for label in Label}


def _run_rows(run: Run, collection: Collection) -> Iterator[Row]:
    """Yield a row for each question of a run; `selected` is None if nothing was selected."""
    collection = mentioned(run, collection)
    cells, index, labels = cells_of(run, collection), collection.index, collection.labels
    for q_id, span in zip(index.questions, index.spans, strict=True):
        here = decisions_of_cells(cells[span])
        position = run.verdicts.find(Verdict.SELECTED, span.start, span.stop)
        if position < 0:
            yield run.name, q_id, None, None, *_facts(here)
        else:
            yield run.name, q_id, index.a_ids[position], _NAMES[labels[position]], *_facts(here)


@lru_cache(2**16)
def _facts(decisions: Decisions) -> Row:
    """Return the outcome of a question, and the columns behind it."""
    outcome, counts = decisions.outcome, vars(count_validation(decisions)).values()
    return str(outcome), *counts, str(answer_outcome(None, outcome, {}))


def _judged_rows(run: QARun, collection: Collection, table: dict[str, Meaning]) -> Iterator[Row]:
    """Yield a row for each question of a QA system, without validation counts."""
    collection = mentioned(run, collection)
    none = [None] * len(fields(ValidationCounts))
    for q_id, (answer, outcome, worth) in zip(
        collection.index.questions, judged_outcomes(run, collection, table), strict=True
    ):
        selected = label = None
        if answer is not None and outcome not in WITHHELD:
            selected = answer.a_id or answer.answer
            label = table[answer.judgement].label.name
        # the outcome of a selection is unknown without candidate answers
        known = str(outcome) if len(collection.index) else None
        yield run.name, q_id, selected, label, known, *none, str(worth)


class PerQuestionWriter:
    """Writes the per-question records of runs and QA systems as CSV or JSON Lines.

    Parameters
    ----------
    out
        The stream to write to.
    collection
        The collection that the runs are scored against.
    policies
        How to count.
    lines
        Whether to write JSON Lines instead of CSV.

    Attributes
    ----------
    by_question
        Lines for the report: none.
    """

    by_question: Mapping[tuple[str, str], str] = MappingProxyType({})

    def __init__(
        self,
        out: TextIO,
        collection: Collection,
        policies: Policies,
        *,
        lines: bool,
    ) -> None:
        self._out = out
        self._collection = collection
        self._policies = policies
        self._lines = lines
        if not lines:
            write_csv(out, Records(COLUMNS, ()))

    def take(self, run: Subject) -> Subject:
        """Write a record for each question, and return the run or QA system unchanged."""
        assert not isinstance(run, ResponseRun)
        decided = with_policies(run, self._collection, self._policies)
        rows = _rows(decided, self._collection, self._policies)
        if self._lines:
            records = (dict(zip(COLUMNS, row, strict=True)) for row in rows)
            self._out.writelines(map(json_line, records))
        else:
            write_csv(self._out, Records(COLUMNS, rows), has_head=False)
        return run


def per_question(
    collection: GoldGiven,
    runs: SubjectsGiven,
    *,
    measures: MeasuresGiven = (),
    policies: Policies | None = None,
) -> pd.DataFrame:
    """Return what each run does on each question.

    Parameters
    ----------
    collection, runs
        As `score` takes them.
    measures
        The measures to compute of each question: names in a text, or a list.
    policies
        How to count; by default `Policies()`.

    Returns
    -------
    pandas.DataFrame
        A row for each run and question, the index. The columns are those of `ave-score score
        --per-question`: the selected answer and its label, the outcome, counts of answers; then
        the value of each measure on the question alone, NaN if it is undefined. Responses to open
        questions have the measures only.

    Raises
    ------
    UsageError
        A measure does not exist or has no values for single questions; pairs have no questions.
    DefectError, InputError
        A file has errors, or cannot be read.
    """
    policies = settings_of(policies, Policies)
    inputs = Inputs(policies)
    gold, systems = inputs.gold(collection)
    policies = inputs.policies
    settled = gold if isinstance(gold, OpenGold) else settle_unknown(gold, policies.unknown)
    if isinstance(settled, Collection) and settled.index.is_pairs:
        raise UsageError("pairs belong to no question")
    wanted = wanted_measures(measures, gold)
    columns = COLUMNS[:2] if isinstance(gold, OpenGold) or gold.is_qrels else COLUMNS
    rows: list[Row] = []
    for subject in inputs.subjects(gold, systems, runs):
        values, reasons = question_values(subject, settled, wanted, policies)
        for key, reason in reasons.items():
            raise UsageError(f"no {key} of questions of {subject.name}: {reason}")
        for row in _rows(subject, settled, policies):
            rows.append((*row, *(values[measure.key].get(str(row[1])) for measure in wanted)))
    names = [*columns, *(measure.key for measure in wanted)]
    return Records(names, rows).to_frame().set_index(["run", "question"])


def _rows(subject: Subject, gold: Gold, policies: Policies) -> Iterator[Row]:
    """Return a row for each question of a run, a system or responses, which have only names."""
    if isinstance(subject, Run) and isinstance(gold, Collection) and not gold.is_qrels:
        return _run_rows(subject, gold)
    if isinstance(subject, QARun) and isinstance(gold, Collection):
        return _judged_rows(subject, gold, settled_table(policies.campaign, policies.unknown))
    return ((subject.name, q_id) for q_id in ids_of(gold))


def question_values(
    subject: Subject, gold: Gold, measures: Sequence[Measure], policies: Policies
) -> tuple[dict[str, dict[str, float]], dict[str, str]]:
    """Return measure -> question -> its value on the question alone, and why others have none."""
    from ave_score.inference.units import count_for, sampled_together

    values: dict[str, dict[str, float]] = {}
    reasons: dict[str, str] = {}
    for together in sampled_together(subject, measures):
        counted = count_for(subject, gold, together, policies)
        for measure in together:
            if counted.has(measure):
                numbers = counted.of_each(measure).tolist()
                values[measure.key] = dict(zip(counted.ids, numbers, strict=True))
            else:
                reasons[measure.key] = counted.reasons.get(measure.key, "it does not apply")
    in_order = [measure.key for measure in measures if measure.key in values]
    return {key: values[key] for key in in_order}, reasons
