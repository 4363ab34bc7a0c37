"""The accuracy of judged systems: a table with sentences, records and the document."""

from __future__ import annotations

from collections.abc import Iterator

from ave_score.core.labels import HOW_LABELLED
from ave_score.core.text import brief, quantity
from ave_score.inference.estimate import ALONE, COMPLETE, STRATIFIED, VERDICTS, EstimatedSystem
from ave_score.inference.resampling import Interval
from ave_score.reports.cells import rank_column, signed
from ave_score.reports.compare_conclusions import p_text
from ave_score.reports.data import (
    AMOUNT,
    BOOLEAN,
    COUNT,
    NUMBER,
    SHARE,
    SIGNATURE,
    TEXT,
    WHOLE,
    P,
    Reporter,
    ResultDocument,
    Type,
    decimal,
    entry,
    level,
    list_of,
    one_of,
    shared,
)
from ave_score.reports.report import (
    MOST_PAIRS,
    UNDEFINED,
    Column,
    Records,
    ReportTable,
    figure_text,
    name_column,
    table_of,
    with_notes,
)
from ave_score.tasks.estimated import CALIBRATED, Estimated
from ave_score.tasks.ranked import ranks

DIGITS = 3

_ENDS = Type({"type": ["array", "null"], "items": AMOUNT.schema, "minItems": 2, "maxItems": 2})

_RANKS = Type({"type": ["array", "null"], "items": COUNT.schema, "minItems": 2, "maxItems": 2})

_VERDICT = {
    "verdict": one_of(*VERDICTS)("What the judge says, or that the answer is withheld."),
    "answers": COUNT("The number of answers with it."),
    "labels": COUNT("The number of these with a label."),
    "right": COUNT("The number of these that are right."),
}

_METHODS = STRATIFIED, ALONE, COMPLETE, CALIBRATED, None

_SYSTEM = {
    "run": TEXT("The name of the system."),
    "judged": SHARE("The share of its answers that the judge accepts."),
    "estimate": SHARE("The estimated accuracy; null if there is none."),
    "interval": _ENDS.in_columns("low", "high")("Its interval; null if there is none."),
    "answers": COUNT("The number of its answers, with those that are withheld or lacking."),
    "questions": COUNT("The number of their questions, or of what is sampled together."),
    "labels": COUNT("The number of answers with a label."),
    "labelled_questions": COUNT("The number of their questions."),
    "judge_used": BOOLEAN("Whether verdicts are used: they tell right from wrong by the labels."),
    "worth": AMOUNT.or_null("The number of labels alone with an interval as wide."),
    "design_effect": AMOUNT.or_null("By how much labels that share questions count less."),
    "method": one_of(*_METHODS)("How the accuracy is estimated; null without an estimate."),
    "chosen": one_of(*HOW_LABELLED)("How labels were chosen, as declared or as seen."),
    "no_estimate": TEXT.or_null("Why there is none; null if there is one."),
    "bounds": _ENDS.in_columns("bounds_low", "bounds_high")(
        "The limits of the accuracy if one verdict has no labels; else null."
    ),
    "cautions": list_of(TEXT)("What is to be known about the estimate."),
    "ranks": _RANKS.in_columns("best_rank", "worst_rank")(
        "The best and the worst rank that the significant differences leave."
    ),
    "verdicts": list_of(entry(_VERDICT))("The answers and labels of each verdict."),
    "alone": SHARE("What labels alone say; null if not at random, or all that is used."),
    "alone_interval": _ENDS("The interval of labels alone."),
    "group": TEXT("The letters of its groups; those of a group do not differ.", "letters"),
}

_PAIR = {
    "run": TEXT("The better system."),
    "other": TEXT("The other system."),
    "difference": NUMBER("The estimate of `run` minus that of `other`."),
    "interval": shared("interval")("The interval of the difference."),
    "p": P("The p value: one minus the level at which the interval ends at 0."),
    "p_corrected": P("p, corrected for all pairs by Holm's method."),
    "significant": BOOLEAN("Whether the corrected p is at most one minus the level."),
}

_PLANNED = {
    "run": TEXT("The name of the system."),
    "labels": WHOLE.or_null("The number of labels; null if those of all answers are too few."),
    "of_all": AMOUNT("The half width of the interval with labels of all answers."),
}

_PLAN = {
    "half_width": NUMBER("The half width of intervals that labels are planned for."),
    "systems": list_of(entry(_PLANNED))("The labels of each system, by what is known so far."),
}

DOCUMENT = ResultDocument(
    "estimates",
    "Estimates",
    "The accuracy of judged systems: `ave-score estimate`. CSV has a row for each system.",
    {
        "signature": SIGNATURE,
        "level": level("The level of intervals, in per cent.", lambda result: result.level),
        "labels": one_of(*HOW_LABELLED)("How answers were chosen, as declared."),
        "p_equal_errors": P("p of equal errors on all systems with labels at random, or null."),
        "sensitivity": SHARE("The share of right answers accepted, by labels at random, or null."),
        "specificity": SHARE("The share of wrong answers rejected, likewise."),
        "notes": list_of(TEXT)("Sentences about the figures."),
        "systems": list_of(entry(_SYSTEM))("The most accurate first; without an estimate last."),
        "pairs": list_of(entry(_PAIR))("The differences of each two systems with an estimate."),
        "plan": entry(_PLAN).or_null("The labels for short intervals; null if it is not asked."),
    },
)


def _records(result: Estimated, digits: int | None) -> Records:
    columns = (
        "run judged estimate low high answers questions labels labelled_questions judge_used worth "
        "design_effect method no_estimate bounds_low bounds_high best_rank worst_rank group"
    )
    return DOCUMENT.records(result, "systems", columns.split(), digits)


def _figure(value: float | None, digits: int) -> str:
    return figure_text(decimal(value), digits)


def _ends(interval: Interval | None, digits: int) -> str:
    return " to ".join(_figure(end, digits) for end in interval) if interval else UNDEFINED


def _tables(result: Estimated, digits: int) -> list[ReportTable]:
    of_level = f"{result.level:g} % interval"
    order = ranks([decimal(row.estimate if row.ranks else None) for row in result.systems])
    columns = [
        rank_column(result.systems, order),
        name_column("Run", lambda row: row.run, is_key=True),
        Column("Judged", lambda row: _figure(row.judged, digits)),
        Column("Accuracy", lambda row: _figure(row.estimate, digits)),
        Column(of_level, lambda row: _ends(row.interval, digits)),
        Column("Labels", lambda row: f"{row.labels:,}"),
        Column("Worth", lambda row: UNDEFINED if row.worth is None else f"{row.worth:,.0f}"),
        Column("Ranks", lambda row: "-".join(map(str, dict.fromkeys(row.ranks or ())))),
        name_column("Group", lambda row: row.letters),
    ]
    title = f"Estimated accuracy of {quantity(len(result.systems), 'judged system')}"
    tables = [table_of(title, columns, result.systems)]
    notes = [text for row in result.systems for text in _sentences(row, result, digits)]
    if result.pairs:
        tables.append(_pair_table(result, of_level, digits))
        found = [f"{pair.run} from {pair.other}" for pair in result.pairs if pair.significant]
        notes.append(f"Significantly different: {brief(found) if found else 'none'}.")
    notes += [*_plans(result), *result.notes]
    return with_notes(tables, notes, result.signature)


def _pair_table(result: Estimated, of_level: str, digits: int) -> ReportTable:
    """Return the differences of the best systems."""
    columns = [
        name_column("Run", lambda row: row.run, is_key=True),
        name_column("minus", lambda row: row.other, is_key=True),
        Column("Difference", lambda row: signed(_figure(row.difference, digits))),
        Column(of_level, lambda row: _ends(row.interval, digits)),
        Column("p", lambda row: p_text(row.p)),
        Column("p corrected", lambda row: p_text(row.p_corrected)),
    ]
    place = {row.run: at for at, row in enumerate(result.systems)}
    pairs, notes = sorted(result.pairs, key=lambda row: place[row.other])[:MOST_PAIRS], []
    if len(pairs) < len(result.pairs):
        notes.append(f"{MOST_PAIRS} of {len(result.pairs):,} pairs, of the best; json has all.")
    if len(result.pairs) > 1:
        notes.append("Intervals are of each pair alone, p corrected is of all pairs together.")
    title = "Differences of estimated accuracies (Holm's correction)"
    return table_of(title, columns, pairs, notes=notes)


def _sentences(row: EstimatedSystem, result: Estimated, digits: int) -> Iterator[str]:
    """Yield what is found of a system."""
    judged, level = _figure(row.judged, digits), f"{result.level:g} %"
    if row.no_estimate is not None:
        yield f"{row.run}: no estimate, {row.no_estimate}. The judge alone says {judged}."
        if row.bounds is not None:
            bounds = f"{level} bounds {_ends(row.bounds, digits)}"
            yield f"{row.run}: {bounds}, however many of these are right."
        return
    verdicts = f"the judge's verdicts on {quantity(row.answers, 'answer')} and " * row.judge_used
    chosen = "of all answers" if row.method == COMPLETE else HOW_LABELLED[row.chosen]
    source = f"{verdicts}{quantity(row.labels, 'human label')} {chosen}"
    if row.method == CALIBRATED:
        source = "the judge's verdicts and its errors elsewhere"
    text = (
        f"{row.run}: estimated accuracy {_figure(row.estimate, digits)} ({level} interval "
        f"{_ends(row.interval, digits)}), from {source}; the judge alone says {judged}."
    )
    if row.judge_used:
        alone = ", one to a question," * (row.labelled_questions < row.labels)
        text += f" Human labels alone would need {row.worth:,.0f}{alone} for this interval."
    yield text
    if row.cautions:
        yield f"{row.run}: {'; '.join(row.cautions)}."


def _plans(result: Estimated) -> Iterator[str]:
    """Yield how many labels an interval of the wanted width takes."""
    if result.plan is None:
        return
    answers = {row.run: quantity(row.answers, "answer") for row in result.systems}
    for run, labels, of_all in result.plan.systems:
        wanted = f"{run}: \N{PLUS-MINUS SIGN}{result.plan.half_width:g}"
        if labels is None:
            yield (
                f"{wanted} is not reachable with {answers[run]}: labels of all give about "
                f"\N{PLUS-MINUS SIGN}{_figure(of_all, DIGITS)}."
            )
        else:
            yield f"{wanted} takes about {quantity(labels, 'label')}, by what is known so far."


estimate_report = Reporter(DOCUMENT, _tables, _records, DIGITS)
