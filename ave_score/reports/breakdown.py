"""Reports of scores of groups of questions."""

from __future__ import annotations

from collections.abc import Iterator

from ave_score.core.text import not_done, quantity
from ave_score.counts.counted import Kind
from ave_score.measures import Measure
from ave_score.reports.cells import measured_text, text_with_error
from ave_score.reports.data import (
    ABSENT,
    COUNT,
    NOT_SCORED,
    NUMBER,
    SIGNATURE,
    TEXT,
    Reporter,
    ResultDocument,
    entry,
    list_of,
    mapping,
    one_of,
    picked,
    record,
    shared,
)
from ave_score.reports.intervals import columns_of_ends, interval_keys
from ave_score.reports.report import (
    Cell,
    Column,
    Records,
    ReportTable,
    RowStyle,
    name_column,
    table_of,
    with_notes,
)
from ave_score.reports.score_notes import ERRORS, methods_text, sampled_units
from ave_score.tasks.broken_down import MACRO, MICRO, Breakdown, BrokenDown, Part

_PART = {
    "group": TEXT("The name of the group; `micro` or `macro` for these rows.", "name"),
    "questions": COUNT("The number of questions; of `macro`, the number of groups."),
    "measures": shared("measures").with_integers(get="values"),
    **interval_keys(),
    "stderr": mapping(NUMBER).optional.in_columns("{}_stderr")(
        "The standard errors, as in the scores; of `macro`, the root of the sum of the squares of "
        "those of the groups, by their number.",
        lambda part, _: part.stderr or ABSENT,
    ),
}

_RUN = {
    "run": TEXT("The name of the run, the QA system or the baseline."),
    "kind": one_of(*Kind)("The kind of the row, as in the scores."),
    "groups": list_of(entry(_PART, "part"))(
        "The groups, in the order of the questions.", lambda run, _: run.parts[:-2]
    ),
    MICRO: entry(_PART, "part")("All questions together.", lambda run, _: run.parts[-2]),
    MACRO: entry(_PART, "part")(
        "The mean over the groups in which a measure is defined; null if the measure is infinite "
        "in a group.",
        lambda run, _: run.parts[-1],
    ),
}

DOCUMENT = ResultDocument(
    "breakdown",
    "Breakdowns",
    "The scores of groups of questions: `ave-score score --breakdown FILE|ATTRIBUTE`. CSV has a "
    "row for each group, with `part`: `group`, `micro` or `macro`.",
    {
        "signature": SIGNATURE,
        "by": TEXT("The file or attribute that names the groups."),
        "runs": list_of(entry(_RUN))("The runs in the given order, then QA systems and baselines."),
        "not_scored": NOT_SCORED,
        "notes": list_of(TEXT).optional(
            "Sentences about the figures.", lambda result, _: _remarks(result) or ABSENT
        ),
    },
)


def _parts(result: Breakdown) -> Iterator[tuple[BrokenDown, Part]]:
    for run in result.runs:
        for part in run.parts:
            yield run, part


def _tables(result: Breakdown, digits: int) -> list[ReportTable]:
    rows, styles = [*_parts(result)], {}
    for number, (run, part) in enumerate(rows):
        if not run.kind.is_submitted:
            styles[number] = RowStyle.BASELINE
        elif part.name in (MICRO, MACRO) and part in run.parts[-2:]:
            styles[number] = RowStyle.SYSTEM
    is_infinite = any(run.parts[-1].infinite for run in result.runs)
    notes = [
        f"micro: all {result.unit}s; macro: the mean over the groups in which a measure is "
        f"defined{' (n/a if it is infinite in one)' * is_infinite}, and the number of all groups.",
        *_notes(result),
        *_remarks(result),
    ]
    if result.not_scored:
        notes.insert(0, not_done("scored", result.not_scored))
    columns = [
        name_column("Run", lambda row: row[0].run, is_key=True),
        name_column("Group", lambda row: row[1].name, is_key=True),
        Column(f"{result.unit.capitalize()}s", lambda row: f"{row[1].questions:,}"),
        *(_column(measure, digits, with_errors=result.with_errors) for measure in result.measures),
    ]
    groups = quantity(len(result.runs[0].parts) - 2, "group")
    title = f"{groups} of {result.unit}s, by {result.by}"
    table = table_of(title, columns, rows, styles=styles)
    return with_notes([table], notes, result.signature)


def _column(measure: Measure, digits: int, *, with_errors: bool) -> Column:
    text = text_with_error if with_errors else measured_text
    return Column(measure.title, lambda row: text(row[1], measure, digits))


def _remarks(result: Breakdown) -> list[str]:
    """Return sentences about the figures: which means are infinite, and what is left out."""
    runs = {
        measure.title: sum(measure.key in run.parts[-1].infinite for run in result.runs)
        for measure in result.measures
    }
    infinite = [
        f"{title} is infinite in a group of {quantity(number, 'run')}, and so is the mean over the "
        "groups (macro): it has no value."
        for title, number in runs.items()
        if number
    ]
    return [*infinite, *result.notes]


def _notes(result: Breakdown) -> list[str]:
    """Explain standard errors, and the intervals that are absent or should be read with care."""
    reasons: dict[str, int] = {}
    for _, part in _parts(result):
        cautions = [interval.caution for interval in part.intervals.values() if interval.caution]
        for reason in [*part.no_interval.values(), *cautions]:
            reasons[reason] = reasons.get(reason, 0) + 1
    notes = [f"{quantity(times, 'figure')}: {reason}." for reason, times in reasons.items()]
    used = [
        (part.intervals[measure.key].method, measure.title)
        for _, part in _parts(result)
        for measure in result.measures
        if measure.key in part.intervals and part.intervals[measure.key].method
    ]
    if used and result.intervals is not None:
        methods = methods_text(used, result.intervals.resamples)
        level = f"{result.intervals.level:g} % intervals"
        inside = f"groups are fixed, and {sampled_units(result.intervals)} sampled inside each"
        notes.insert(0, f"[low, high]: {level}: {methods}; {inside}.")
    if result.with_errors:
        notes.insert(0, f"{ERRORS} Groups are fixed.")
    return notes


def _records(result: Breakdown, digits: int | None) -> Records:
    """Return a row for each run and group; `part` is `group`, `micro` or `macro`."""
    keys = [measure.key for measure in result.measures]
    ends = columns_of_ends(keys) if result.intervals is not None else []
    if result.with_errors or ends:
        ends += [f"{key}_stderr" for key in keys]

    def row(run: BrokenDown, part: Part, place: int) -> dict[str, Cell]:
        mean = {-2: MICRO, -1: MACRO}.get(place - len(run.parts))
        named: dict[str, Cell] = {"run": run.run, "kind": str(run.kind), "part": mean or "group"}
        return record(_PART, part) | named | ({"group": ""} if mean else {})

    rows = (row(run, part, place) for run in result.runs for place, part in enumerate(run.parts))
    return picked(["run", "kind", "part", "group", "questions", *keys, *ends], rows, digits)


breakdown_report = Reporter(DOCUMENT, _tables, _records)
