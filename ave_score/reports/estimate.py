"""The accuracy of judged systems: a table with sentences, records and the document."""

from __future__ import annotations

from collections.abc import Iterator

from ave_score.core.labels import HOW_LABELLED
from ave_score.core.text import brief, quantity
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
from ave_score.tasks.estimated import Estimated, EstimatedSystem
from ave_score.tasks.ranked import ranks

DIGITS = 3

_ENDS = shared("interval")

_VERDICT = {
    "verdict": one_of("accepted", "rejected", "withheld")("The verdict of the judge."),
    "answers": COUNT("The number of answers with it."),
    "labels": COUNT("The number of these with a label."),
    "right": COUNT("The number of these that are right."),
}

_SYSTEM = {
    "run": TEXT("The name of the system."),
    "judged": SHARE("The share of its answers that the judge accepts."),
    "estimate": SHARE.or_null("The estimated accuracy; null if there is none."),
    "interval": _ENDS.or_null.in_columns("low", "high")("Its interval; null if there is none."),
    "answers": COUNT("The number of its answers, with those that are withheld or lacking."),
    "questions": COUNT("The number of their questions, or of what is sampled together."),
    "labels": COUNT("The number of answers with a label."),
    "labelled_questions": COUNT("The number of their questions."),
    "judge_used": BOOLEAN("Whether verdicts are used: they tell right from wrong by the labels."),
    "worth": AMOUNT.or_null("The number of labels alone with an interval as wide."),
    "design_effect": AMOUNT.or_null("By how much labels that share questions count less."),
    "method": one_of("post-stratified", "labels alone", "all labelled", "calibrated", None)(
        "How the accuracy is estimated; null without an estimate."
    ),
    "chosen": one_of(*HOW_LABELLED)(
        "How its answers were chosen for labels, as declared or as seen."
    ),
    "no_estimate": TEXT.or_null("Why there is none; null if there is one."),
    "bounds": _ENDS.or_null.in_columns("bounds_low", "bounds_high")(
        "The limits of the accuracy if one verdict has no labels; else null."
    ),
    "cautions": list_of(TEXT)("What is to be known about the estimate."),
    "ranks": list_of(COUNT, 2).or_null(
        "The best and the worst rank that the significant differences leave."
    ),
    "verdicts": list_of(entry(_VERDICT))("The answers and labels of each verdict."),
    "alone": SHARE.or_null(
        "What labels alone say; null if they are not at random, or are all that is used."
    ),
    "alone_interval": _ENDS.or_null("The interval of labels alone."),
    "group": TEXT("The letters of its groups; those of a group do not differ.", "letters"),
}

_PAIR = {
    "run": TEXT("The better system."),
    "other": TEXT("The other system."),
    "difference": NUMBER("The estimate of `run` minus that of `other`."),
    "interval": _ENDS.in_columns("low", "high")("The interval of the difference."),
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
        "p_equal_errors": NUMBER.or_null(
            "p of the test whether the judge errs equally on systems with labels at random; null "
            "with fewer than two."
        ),
        "sensitivity": SHARE.or_null(
            "The share of right answers that the judge accepts, in the labels at random of all "
            "systems; null without any."
        ),
        "specificity": SHARE.or_null("The share of wrong answers that it rejects, likewise."),
        "notes": list_of(TEXT)("Sentences about the figures."),
        "systems": list_of(entry(_SYSTEM))(
            "The systems, the most accurate first; then calibrated ones, and those without an "
            "estimate."
        ),
        "pairs": list_of(entry(_PAIR))("The differences of each two systems with an estimate."),
        "plan": entry(_PLAN).or_null("The labels for short intervals; null if it is not asked."),
    },
)


def _records(result: Estimated, digits: int | None) -> Records:
    columns = (
        "run judged estimate low high answers questions labels labelled_questions judge_used worth "
        "design_effect method no_estimate bounds_low bounds_high group"
    )
    return DOCUMENT.records(result, "systems", columns.split(), digits)


def _figure(value: float | None, digits: int) -> str:
    return figure_text(decimal(value), digits)


def _ends(interval: Interval | None, digits: int) -> str:
    if interval is None:
        return UNDEFINED
    return f"{_figure(interval.low, digits)} to {_figure(interval.high, digits)}"


def _tables(result: Estimated, digits: int) -> list[ReportTable]:
    of_level = f"{result.level:g} % interval"
    order = ranks([decimal(system.estimate if system.ranks else None) for system in result.systems])
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
    table = table_of(title, columns, result.systems)
    notes = [text for system in result.systems for text in _sentences(system, result, digits)]
    notes += [*_conclusions(result), *_plans(result)]
    tables = [table, *_pair_tables(result, of_level, digits)]
    return with_notes(tables, [*notes, *result.notes], result.signature)


def _pair_tables(result: Estimated, of_level: str, digits: int) -> Iterator[ReportTable]:
    """Yield the differences, if there are any: those of the best systems."""
    columns = [
        name_column("Run", lambda row: row.run, is_key=True),
        name_column("minus", lambda row: row.other, is_key=True),
        Column("Difference", lambda row: signed(_figure(row.difference, digits))),
        Column(of_level, lambda row: _ends(row.interval, digits)),
        Column("p", lambda row: p_text(row.p)),
        Column("p corrected", lambda row: p_text(row.p_corrected)),
    ]
    pairs, notes = result.pairs, []
    if len(pairs) > MOST_PAIRS:
        place = {system.run: at for at, system in enumerate(result.systems)}
        pairs = sorted(pairs, key=lambda row: place[row.other])[:MOST_PAIRS]
        notes.append(f"{MOST_PAIRS} of {len(result.pairs):,} pairs, of the best; json has all.")
    if pairs:
        title = "Differences of estimated accuracies (Holm's correction)"
        yield table_of(title, columns, pairs, notes=notes)


def _sentences(of: EstimatedSystem, result: Estimated, digits: int) -> Iterator[str]:
    """Yield what is found of a system."""
    judged = _figure(of.judged, digits)
    if of.no_estimate is not None:
        yield f"{of.run}: no estimate, {of.no_estimate}. The judge alone says {judged}."
        if of.bounds is not None:
            ends = f"{result.level:g} % bounds {_ends(of.bounds, digits)}"
            yield f"{of.run}: {ends}, however many of these are right."
        return
    if of.method == "calibrated":
        source = "the judge's verdicts and its errors elsewhere"
    else:
        verdicts = f"the judge's verdicts on {quantity(of.answers, 'answer')} and " * of.judge_used
        chosen = "of all answers" if of.method == "all labelled" else HOW_LABELLED[of.chosen]
        source = f"{verdicts}{quantity(of.labels, 'human label')} {chosen}"
    text = (
        f"{of.run}: estimated accuracy {_figure(of.estimate, digits)} ({result.level:g} % interval "
        f"{_ends(of.interval, digits)}), from {source}; the judge alone says {judged}."
    )
    if of.judge_used and of.worth is not None:
        one = ", one to a question," * (of.labelled_questions < of.labels)
        text += f" Human labels alone would need {of.worth:,.0f}{one} for this interval."
    yield text
    if of.cautions:
        yield f"{of.run}: {'; '.join(of.cautions)}."


def _plans(result: Estimated) -> Iterator[str]:
    """Yield how many labels an interval of the wanted width takes."""
    if (plan := result.plan) is None:
        return
    answers = {system.run: system.answers for system in result.systems}
    for system in plan.systems:
        wanted = f"{system.run}: \N{PLUS-MINUS SIGN}{plan.half_width:g}"
        if system.labels is None:
            yield (
                f"{wanted} is not reachable with {quantity(answers[system.run], 'answer')}: labels "
                f"of all give about \N{PLUS-MINUS SIGN}{_figure(system.of_all, DIGITS)}."
            )
        else:
            labels = quantity(system.labels, "label")
            yield f"{wanted} takes about {labels}, by what is known so far."


def _conclusions(result: Estimated) -> Iterator[str]:
    """Yield which differences are significant."""
    if result.pairs:
        found = [
            f"{comparison.run} from {comparison.other}"
            for comparison in result.pairs
            if comparison.significant
        ]
        yield f"Significantly different: {brief(found) if found else 'none'}."
        alone = [
            comparison
            for comparison in result.pairs
            if not comparison.significant and comparison.interval.low > 0
        ]
        if alone:
            yield (
                f"Intervals are of each pair alone: {len(alone)} without 0 of {len(result.pairs)} "
                "are not significant after Holm's correction."
            )


estimate_report = Reporter(DOCUMENT, _tables, _records, DIGITS)
