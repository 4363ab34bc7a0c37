"""The notes below tables of scores: what a reader has to know about their figures."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from ave_score.core.exact import Number, fixed
from ave_score.core.model import Clusters
from ave_score.core.parts import Extent, exclusion_notes
from ave_score.core.policies import IntervalPolicy, Policies
from ave_score.core.text import brief, listed
from ave_score.counts import SELECTION, SelectionCounts
from ave_score.counts.counted import Kind
from ave_score.measures import Measure
from ave_score.reports.intervals import METHODS
from ave_score.reports.report import ReportTable
from ave_score.tasks.ranked import not_primary_notes, reported_with_another, without_equal
from ave_score.tasks.scores import Row, Scores

if TYPE_CHECKING:
    from ave_score.inference.intervals import Estimate

OF_SYSTEMS = (
    "Each figure of a system is the mean of those of its runs, counts too: c@1 or F, which are "
    "computed for each run, need not follow from the counts."
)

AT_A_THRESHOLD = "QA systems without confidences have their own answers at any threshold."

_NAMED = 3
"""Runs that a note on absent figures names; more are counted."""


ERRORS = (
    "±: standard errors, with the questions, or clusters of them if given, as a sample (n - 1); of "
    "ratios linearised."
)


def _have_errors(rows: Sequence[Row], columns: Sequence[Measure]) -> bool:
    return any(measure.key in row.stderr for row in rows for measure in columns)


def table_notes(
    scores: Scores, rows: Sequence[Row], columns: Sequence[Measure], *, with_counts: bool = True
) -> list[str]:
    """Return the notes below the table of these rows and columns.

    `with_counts` includes the notes that have counts of labels, which scores do not give.
    """
    kinds = {row.kind for row in rows}
    # rows of the same kinds, also those that are not in the table
    same_kind = [row for row in scores.rows if row.kind in kinds]
    selects = with_counts and any(measure.family is SELECTION for measure in columns)
    counted = columns if with_counts else []
    return [
        *(_selection_notes(scores) if selects else []),
        *(measure.note for measure in columns if measure.note),
        *([OF_SYSTEMS] if any(row.runs > 1 for row in rows) else []),
        *([AT_A_THRESHOLD] if scores.policies.threshold is not None and kinds > {Kind.QA} else []),
        *run_notes(rows),
        *primary_notes(rows),
        *_remarks(rows, counted),
        *_reasons(same_kind, columns),
        *excluded_notes(scores, rows),
        *_denominator_notes(rows, counted, scores.collection.questions),
        *([ERRORS] if scores.with_errors and _have_errors(rows, columns) else []),
        *_interval_notes(rows, columns, scores.policies),
    ]


def run_notes(rows: Iterable[Row]) -> list[str]:
    """Return a note for each remark on runs, with these runs; two equal runs have one."""
    named: dict[str, list[str]] = {}
    rows = [*rows]
    told = {row.run for row in reported_with_another(rows)}
    for row in rows:
        if row.remark is not None and not (row.run in told and without_equal(row.remark) is None):
            named.setdefault(f"{row.remark.mark}: {row.remark.text}.", []).append(row.run)
    return [f"{brief(names)}, {text}" for text, names in named.items()]


def with_remarks(table: ReportTable, scores: Scores) -> ReportTable:
    """Return a table of a comparison with notes on its runs, and on those that it leaves out."""
    there = {cell for row in table.rows for cell in row[: table.keys]}
    others = not_primary_notes(row for row in scores.rows if row.shown not in there)
    return table._replace(notes=[*run_notes(scores.rows), *others, *table.notes])


def primary_notes(rows: Iterable[Row], refused: Mapping[str, Sequence[str]] = {}) -> list[str]:
    """Return notes on the teams without a primary run, and on those with several.

    `refused` is team -> its primary runs that are not scored.
    """
    primary: dict[str, list[str]] = {}
    for row in rows:
        if row.is_primary is not None and row.team:
            primary.setdefault(row.team, []).extend([row.run] * row.is_primary)
    lost = {team: f" ({listed(runs)} not scored)" for team, runs in refused.items()}
    none = [f"{team}{lost.get(team, '')}" for team, runs in primary.items() if not runs]
    several = [f"{team} ({listed(runs)})" for team, runs in primary.items() if len(runs) > 1]
    notes = {"No primary run": none, "More than one primary run": several}
    return [f"{note}: {', '.join(teams)}." for note, teams in notes.items() if teams]


def _remarks(rows: Sequence[Row], columns: Sequence[Measure]) -> list[str]:
    """Return what measures remark on the counts of rows, each once."""
    said = (
        measure.remark(row.counts[measure.family], *measure.values)
        for measure in columns
        for row in rows
        if measure.remark is not None and measure.key not in row.reasons
    )
    return [*dict.fromkeys(filter(None, said))]


def excluded_notes(scores: Scores, rows: Iterable[Row]) -> list[str]:
    """Return a note on rows that are scored on fewer answers than the collection has."""
    return exclusion_notes([(row.run, row.extent) for row in rows], whole_of(scores))


def whole_of(scores: Scores) -> Extent:
    """Return the extent of the collection that rows are scored against."""
    return Extent(scores.collection.questions, scores.collection.answers)


def reasons_of_absence(rows: Sequence[Row], columns: Sequence[Measure]) -> str:
    """Return why runs have none of these measures, as the end of a sentence."""
    named = [row for row in rows if row.kind.is_submitted]
    reasons = dict.fromkeys(row.reasons[measure.key] for row in named for measure in columns)
    return "; ".join(reasons)


def _number(count: Number) -> str:
    """Return a number of answers; a mean over runs with two decimals."""
    return f"{count}" if count == int(count) else fixed(Fraction(count), 2)


def _selection_notes(scores: Scores) -> list[str]:
    """Report unexpected selections: of UNKNOWN answers, and right ones without a correct answer."""
    unknown, beyond = [], []
    for row in scores.rows:
        counts = row.counts.get(SELECTION)
        if not isinstance(counts, SelectionCounts) or not row.kind.is_submitted:
            continue
        if counts.selected_unknown:
            unknown.append(f"{row.run}: {_number(counts.selected_unknown)}")
        answered = counts.selected_wrong_answerable + counts.withheld_answerable
        more = counts.selected_right + answered - counts.questions_with_correct
        if more:
            beyond.append(f"{row.run}: {_number(more)}")
    notes = {
        "Selected answers labelled UNKNOWN are counted as not correct.": unknown,
        "Judged right on questions without a correct answer.": beyond,
    }
    return [f"{note} {', '.join(runs)}." for note, runs in notes.items() if runs]


def _denominator_notes(
    rows: Sequence[Row], columns: Sequence[Measure], questions: int
) -> list[str]:
    """Print over how many questions a mean is taken where this differs between runs."""
    notes = []
    for measure in columns:
        counted = [row for row in rows if row.kind.is_submitted]
        of_runs = [
            row.counts[measure.family].numbers()[measure.denominator]
            for row in counted
            if measure.denominator and measure.family in row.counts
        ]
        if of_runs:
            low, high = (f"{int(end):,}" for end in (min(of_runs), max(of_runs)))
            number = low if low == high else f"{low} to {high}"
            notes.append(f"{measure.title}: a mean over {number} of {questions:,} questions.")
    return notes


def _interval_notes(
    rows: Sequence[Row], columns: Sequence[Measure], policies: Policies
) -> list[str]:
    """Describe the confidence intervals, and explain why measures have none."""
    if policies.intervals is None:
        return []
    named = [row for row in rows if row.kind.is_submitted]
    estimates = [
        (measure.title, row.intervals[measure.key])
        for measure in columns
        for row in named
        if measure.key in row.intervals and not measure.whole
    ]
    absent = _absences(named, columns, lambda row: row.no_interval, "interval of ")
    return interval_notes(policies.intervals, estimates, absent)


def interval_notes(
    policy: IntervalPolicy, estimates: Sequence[tuple[str, Estimate]], absent: Iterable[str] = ()
) -> list[str]:
    """Return the notes on the intervals of a table.

    Parameters
    ----------
    found
        The intervals, with the titles of what they are about.
    absent
        Notes on intervals that there are not.
    """
    used = [(estimate.method, title) for title, estimate in estimates if estimate.method]
    over = "" if policy.clusters is None else f" over {sampled_units(policy)}"
    methods = methods_text(used, policy.resamples)
    note = f"[low, high]: {policy.level:g} % intervals{over}: {methods}."
    cautions = sorted({estimate.caution for _, estimate in estimates if estimate.caution})
    return [*[note] * bool(used), *absent, *(f"Caution: {caution}." for caution in cautions)]


def sampled_units(policy: IntervalPolicy) -> str:
    """Return what is sampled: questions, or their clusters, by name."""
    if policy.clusters is None:
        return "questions"
    return f"clusters of questions ({Clusters.found(policy.clusters).name})"


def methods_text(used: Iterable[tuple[str, str]], resamples: int) -> str:
    """Return which methods gave the intervals of which measures; `used` has methods and titles."""
    titles: dict[str, dict[str, None]] = {}
    for method, title in used:
        titles.setdefault(method, {})[title] = None
    said = [
        f"{name.format(resamples)} for {', '.join(titles[method])}"
        for method, name in METHODS.items()
        if method in titles
    ]
    return "; ".join(said)


def _reasons(rows: Sequence[Row], columns: Sequence[Measure]) -> list[str]:
    """Explain why rows lack some measures of a table: a line for each reason.

    That a measure is not of a baseline's kind needs no explanation.
    """

    def reasons(row: Row) -> Mapping[str, str]:
        if row.kind.is_submitted:
            return row.reasons
        keys = {measure.key for measure in columns if measure.family in row.counts}
        return {key: why for key, why in row.reasons.items() if key in keys}

    named = [row for row in rows if row.kind.is_submitted or reasons(row)]
    return _absences(named, columns, reasons)


def _absences(
    rows: Sequence[Row],
    columns: Sequence[Measure],
    reasons: Callable[[Row], Mapping[str, str]],
    what: str = "",
) -> list[str]:
    """Explain what rows lack: a line for each reason."""
    titles_of: dict[tuple[str, tuple[str, ...]], list[str]] = {}
    for measure in columns:
        by_reason: dict[str, list[str]] = {}
        for row in rows:
            if measure.key in reasons(row):
                by_reason.setdefault(reasons(row)[measure.key], []).append(row.run)
        for reason, runs in by_reason.items():
            titles_of.setdefault((reason, tuple(runs)), []).append(measure.title)
    lines = []
    for (reason, without), titles in titles_of.items():
        runs_text = f"{len(without)} of {len(rows)} runs"
        if len(without) <= _NAMED:
            runs_text = ", ".join(without)
        runs_text = "" if len(without) == len(rows) else f" for {runs_text}"
        lines.append(f"No {what}{', '.join(titles)}{runs_text}: {reason}.")
    return lines
