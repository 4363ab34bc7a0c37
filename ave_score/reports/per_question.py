"""Per-question records of each run: selected answer, outcome and validation counts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from fractions import Fraction
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, TextIO, Unpack

from ave_score.core.entrants import TableWords, checked, takes
from ave_score.core.epochs import Epochs
from ave_score.core.errors import UsageError
from ave_score.core.exact import Number, whole_as_int
from ave_score.core.judgements import Meaning
from ave_score.core.labels import LABELS
from ave_score.core.model import AnswerOutcome, Collection, Label, Outcome, QARun, Run, Verdict
from ave_score.core.parts import mentioned
from ave_score.core.policies import Policies, settled_gold, settled_table
from ave_score.counts import ValidationCounts
from ave_score.counts.decisions import Decisions, cells_of, decisions_of_cells
from ave_score.counts.judged import WITHHELD, JudgedQuestion, answer_outcome, judged_outcomes
from ave_score.counts.validation import count_validation
from ave_score.measures import Measure
from ave_score.reports.csv_text import write_csv
from ave_score.reports.data import NUMBER, TEXT, WHOLE, ResultDocument, mapping, one_of
from ave_score.reports.json_text import json_line
from ave_score.reports.report import Cell, Records
from ave_score.tasks.applied import with_policies
from ave_score.tasks.given import GoldGiven, SubjectsGiven, settings_of
from ave_score.tasks.inputs import Inputs
from ave_score.tasks.subjects import MeasuresGiven, table_measures, wanted_measures

if TYPE_CHECKING:
    import pandas as pd

    from ave_score.inference.units import Gold, Subject

LINE = ResultDocument(
    "per-question",
    "Questions of scores",
    "A line for each run and question: `ave-score score --per-question FILE.jsonl`. CSV has the "
    "same columns; with qrels `run`, `question` and a column for each measure.",
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
        "answered": one_of(*AnswerOutcome, None)(
            "Whether and how the question is answered; null, as what is selected, if that differs "
            "between its replicates."
        ),
        "replicates": WHOLE.optional(
            "The number of judged replicates of the question, where QA systems have several."
        ),
        "right": NUMBER.optional("The share of its replicates that are answered correctly."),
        "wrong": NUMBER.optional("The share that are answered wrongly."),
        "unanswered": NUMBER.optional("The share that are left unanswered."),
        "measures": mapping(NUMBER.or_null).optional(
            "The value of each measure on the topic, with qrels; what is said of answers is null."
        ),
    },
    is_line=True,
)

_OF_QRELS = "measures"
OF_EPOCHS = ("replicates", "right", "wrong", "unanswered")
"""Columns of QA systems with several replicates of questions, empty for others."""

COLUMNS = tuple(key for key in LINE.keys if key not in (*OF_EPOCHS, _OF_QRELS))

Row = tuple[Cell, ...]
"""The cells of a question, in the order of `COLUMNS`; then of `OF_EPOCHS`, if there are several."""

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
    outcomes, has_epochs = judged_outcomes(run, collection, table), Epochs.of([run]).most > 1
    for q_id, judged in zip(collection.index.questions, outcomes, strict=True):
        cells = []
        for answer, outcome, worth in judged:
            selected = label = None
            if answer is not None and outcome not in WITHHELD:
                selected = answer.a_id or answer.answer
                label = table[answer.judgement].label.name
            # the outcome of a selection is unknown without candidate answers
            known = str(outcome) if collection.standard.has_candidates else None
            cells.append((selected, label, known, str(worth)))
        *same, answered = (
            item[0] if len({*item}) == 1 else None for item in zip(*cells, strict=True)
        )
        epochs = (len(judged), *_shares(judged)) if has_epochs else ()
        yield run.name, q_id, *same, *none, answered, *epochs


def _shares(judged: Sequence[JudgedQuestion]) -> list[Number]:
    """Return the shares of replicates that are right, wrong and unanswered."""
    worths = [one.worth for one in judged]
    right, wrong = map(worths.count, (AnswerOutcome.ANSWERED_RIGHT, AnswerOutcome.ANSWERED_WRONG))
    parts = right, wrong, len(worths) - right - wrong
    return [whole_as_int(Fraction(part, len(worths))) for part in parts]


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
    measures
        The measures whose values are written, too, if runs are scored against qrels.

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
        measures: Sequence[Measure] = (),
    ) -> None:
        self._out = out
        self._collection = collection
        self._policies = policies
        self._lines = lines
        self._measures = () if collection.standard.has_decisions else measures
        self._columns = _columns(collection, self._measures)
        if not lines:
            write_csv(out, Records(self._columns, ()))

    def take(self, run: Subject) -> Subject:
        """Write a record for each question, and return the run or QA system unchanged."""
        assert isinstance(run, Run | QARun)
        decided = with_policies(run, self._collection, self._policies)
        if not self._lines:
            records = Records(self._columns, self._cells(decided))
            write_csv(self._out, records, has_head=False)
        else:
            self._out.writelines(map(json_line, self._records(decided)))
        return run

    def _records(self, run: Run | QARun) -> Iterator[dict[str, object]]:
        """Yield the lines of JSON; with qrels, values of measures: documents are not decided on."""
        if self._collection.standard.has_decisions:
            for row in _rows(run, self._collection, self._policies):
                yield dict(zip(self._columns, row, strict=False))
            return
        for name, q_id, *values in self._cells(run):
            measured = dict(zip(self._columns[2:], values, strict=True))
            yield dict.fromkeys(COLUMNS) | {"run": name, "question": q_id, _OF_QRELS: measured}

    def _cells(self, run: Run | QARun) -> Iterator[Row]:
        given = run, self._collection, self._measures, self._policies
        return _cells(*given, question_values(*given)[0] if self._measures else {})


@takes(TableWords)
def per_question(
    collection: GoldGiven,
    runs: SubjectsGiven = (),
    *,
    measures: MeasuresGiven | None = None,
    policies: Policies | None = None,
    **words: Unpack[TableWords],
) -> pd.DataFrame:
    """Return what each run does on each question.

    Parameters
    ----------
    collection, runs
        As `score` takes them.
    measures
        The measures to compute of each question: names in a text, or a list. By default none; with
        qrels and answer sets, which have no other columns, those of their tables.
    policies
        How to count; by default `Policies()`.
    columns, values
        What columns and words of tables mean, as `read_collection` takes them.

    Returns
    -------
    pandas.DataFrame
        A row for each run and question, the index. The columns are those of `ave-score score
        --per-question`: the selected answer and its label, the outcome, counts of answers, and the
        replicates with their shares; then the value of each measure on the question alone, NaN if
        it is undefined. Responses to open questions have the measures only.

    Raises
    ------
    UsageError
        A measure does not exist or has no values for single questions; pairs have no questions.
    DefectError, InputError
        A file has errors, or cannot be read.
    """
    policies = settings_of(policies, Policies)
    inputs = Inputs(policies, entrants=checked(words, TableWords))
    gold, systems = inputs.gold(collection)
    policies = inputs.policies
    settled, standard = settled_gold(gold, policies.unknown), gold.standard
    if not standard.has_questions:
        raise UsageError("pairs belong to no question")
    default = () if standard.has_decisions else table_measures(standard.scored)
    wanted = wanted_measures(default if measures is None else measures, gold)
    cells: list[Row] = []
    for subject in inputs.subjects(gold, systems, runs):
        given = subject, settled, wanted, policies
        values, reasons = question_values(*given)
        for key, reason in reasons.items():
            raise UsageError(f"no {key} of questions of {subject.name}: {reason}")
        cells += _cells(*given, values)
    return Records(_columns(gold, wanted), cells).to_frame().set_index(["run", "question"])


def _columns(gold: Gold, measures: Sequence[Measure]) -> tuple[str, ...]:
    """Return the names of all columns: those of decisions, where there are any, and measures."""
    named = (*COLUMNS, *OF_EPOCHS) if gold.standard.has_decisions else COLUMNS[:2]
    return (*named, *(measure.key for measure in measures))


def _cells(
    subject: Subject,
    gold: Gold,
    measures: Sequence[Measure],
    policies: Policies,
    values: Mapping[str, Mapping[str, float]],
) -> Iterator[Row]:
    """Yield the cells of each question, empty ones where a run or a system has nothing."""
    size = len(_columns(gold, ()))
    for row in _rows(subject, gold, policies):
        of_measures = (values.get(measure.key, {}).get(str(row[1])) for measure in measures)
        yield (*row, *[None] * (size - len(row)), *of_measures)


def _rows(subject: Subject, gold: Gold, policies: Policies) -> Iterator[Row]:
    """Return a row for each question of a run, a system or responses, which have only names."""
    if isinstance(gold, Collection):
        if isinstance(subject, QARun):
            return _judged_rows(subject, gold, settled_table(policies.letters, policies.unknown))
        if isinstance(subject, Run) and gold.standard.has_decisions:
            return _run_rows(subject, gold)
        if isinstance(subject, Run):
            gold = mentioned(subject, gold)  # the topics that the run is scored on
    return ((subject.name, q_id) for q_id in gold.ids)


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
            if counted.has_values(measure):
                numbers = counted.of_each(measure).tolist()
                values[measure.key] = dict(zip(counted.ids, numbers, strict=True))
            else:
                reasons[measure.key] = counted.reasons.get(measure.key, "it does not apply")
    in_order = [measure.key for measure in measures if measure.key in values]
    return {key: values[key] for key in in_order}, reasons
