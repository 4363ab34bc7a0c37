"""Comparisons of runs: tables with their legend, and a conclusion for an overview paper."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import comb, isnan

from ave_score.exact import fixed
from ave_score.inference.comparison import Comparison, Design, Pair, Standing
from ave_score.inference.procedures import CORRECTIONS
from ave_score.inference.questions import Answered
from ave_score.inference.resampling import Interval
from ave_score.measures import Measure
from ave_score.reports.comparison_data import (
    Compared,
    comparison_document,
    comparison_records,
)
from ave_score.reports.report import Report, ReportTable
from ave_score.reports.scores import UNDEFINED, cell_text
from ave_score.text import counted

MOST_IN_MATRIX = 8
"""With more runs, a row for each pair is easier to read."""

DIGITS = 3
"""Shared tasks rank by the second decimal; the third tells how large a difference is."""

_NAMED = 10
"""Maximum number of questions listed for a run."""

_NOT_EQUAL = "A difference that is not significant is not evidence that the runs are equally good."
_CORRECTED_PER_MEASURE = (
    "p values are corrected for the pairs of each measure, not for the number of measures: with "
    "many measures, expect some significant differences by chance."
)


def comparison_report(
    compared: Compared, digits: int | None = None, *, as_pairs: bool = False
) -> Report:
    """Return the results of a comparison; records are not rounded if `digits` is None."""
    return Report(
        lambda: _all_tables(compared, DIGITS if digits is None else digits, as_pairs),
        lambda: comparison_document(compared),
        lambda: comparison_records(compared.comparisons, digits),
    )


def _all_tables(compared: Compared, digits: int, as_pairs: bool) -> list[ReportTable]:
    tables = _measure_tables(compared.comparisons, digits, as_pairs)
    if compared.answered is not None:
        runs = [standing.run for standing in compared.comparisons[0].standings]
        tables += _hardest(compared.answered, runs, compared.hardest)
    notes = []
    if compared.left_out:
        notes.append(f"Not compared because of errors: {', '.join(compared.left_out)}.")
    last = tables[-1]
    notes = [*last.notes, *notes, f"Signature: {compared.signature}"]
    return [*tables[:-1], last._replace(notes=notes)]


def _measure_tables(
    comparisons: Sequence[Comparison], digits: int, as_pairs: bool
) -> list[ReportTable]:
    """Return the tables of all measures.

    3 to 8 runs make one matrix. With `as_pairs`, a baseline, or fewer or more runs, there is a
    table of the runs and a table with a row for each pair. The legend is below the last tables.
    """
    found: list[ReportTable] = []
    for number, comparison in enumerate(comparisons, 1):
        tables = _tables(comparison, digits, as_pairs)
        if number < len(comparisons):
            tables = [table._replace(notes=[], legend=table.notes) for table in tables]
        *others, last = tables
        conclusions = [*_omnibus(comparison), _conclusion(comparison, digits)]
        found += [*others, last._replace(notes=[*conclusions, *last.notes])]
    last, design = found[-1], comparisons[0].design
    notes = [*last.notes]
    if any(not pair.is_significant for comparison in comparisons for pair in comparison.pairs):
        notes.append(_NOT_EQUAL)
    if len(comparisons) > 1 and design.corrected_by != "none" and len(comparisons[0].pairs) > 1:
        notes.append(_CORRECTED_PER_MEASURE)
    found[-1] = last._replace(notes=notes)
    return found


def _tables(comparison: Comparison, digits: int, as_pairs: bool) -> list[ReportTable]:
    runs = len(comparison.standings)
    fits = 2 < runs <= MOST_IN_MATRIX and comparison.design.baseline is None
    table = _runs(comparison, digits)
    if fits and not as_pairs:
        return [_matrix(comparison, table, digits)]
    return [table, _pairs(comparison, digits)]


def _runs(comparison: Comparison, digits: int) -> ReportTable:
    measure, design = comparison.measure, comparison.design
    has_groups = design.baseline is None
    rows = [
        [str(number), *_standing(standing, measure, digits, has_groups)]
        for number, standing in enumerate(comparison.standings, 1)
    ]
    notes = [_ranks_note(comparison)]
    title = f"{measure.title}: {len(rows)} runs on {comparison.questions:,} questions"
    return ReportTable(title, _heads(comparison), rows, "rlrrr" + "l" * has_groups, 2, notes=notes)


def _heads(comparison: Comparison) -> list[str]:
    level, _ = _levels(comparison.design)
    has_groups = comparison.design.baseline is None
    title = comparison.measure.title
    return ["#", "Run", title, f"{level} interval", "Ranks", *["Group"] * has_groups]


def _standing(standing: Standing, measure: Measure, digits: int, has_groups: bool) -> list[str]:
    low, high = standing.ranks
    return [
        standing.run,
        cell_text(standing.value, measure, digits),
        _interval(standing.interval, measure, digits),
        str(low) if low == high else f"{low}-{high}",
        *[standing.letters] * has_groups,
    ]


def _won(pair: Pair) -> list[str]:
    return [UNDEFINED] * 3 if pair.score is None else [*map(str, pair.score)]


def _matrix(comparison: Comparison, table: ReportTable, digits: int) -> ReportTable:
    """Add the differences of runs above the diagonal, and p values below it, to their table."""
    pairs = {(pair.run, pair.other): pair for pair in comparison.pairs}
    names = [standing.run for standing in comparison.standings]
    rows, significant = [], set()
    for row, (run, cells) in enumerate(zip(names, table.rows, strict=True)):
        figures = []
        for column, other in enumerate(names):
            if row < column:
                figures.append(_difference(pairs[run, other], comparison.measure, digits))
            elif row > column:
                pair = pairs[other, run]
                figures.append(_p_text(pair.adjusted))
                if pair.is_significant:
                    significant.add((row, len(cells) + column))
            else:
                figures.append("")
        rows.append([*cells, *figures])
    return table._replace(
        heads=[*table.heads, *(str(number) for number in range(1, len(names) + 1))],
        rows=rows,
        align=table.align + "r" * len(names),
        best=frozenset(significant),
        notes=[
            f"Columns 1 to {len(names)}: above the diagonal, the figure of the run in the row "
            f"minus that of the run with the column's number; below it, p: {_p_note(comparison)}",
            *table.notes,
        ],
    )


def _pairs(comparison: Comparison, digits: int) -> ReportTable:
    measure, design = comparison.measure, comparison.design
    level, _ = _levels(design)
    is_corrected = design.corrected_by != "none" and len(comparison.pairs) > 1
    has_effects = any(pair.effect is not None for pair in comparison.pairs)
    second = "Other run" if design.baseline is None else "Baseline"
    heads = ["Run", second, "Difference", f"{level} interval", "p", *["p corrected"] * is_corrected]
    heads += ["Won", "Tied", "Lost", *["d_z"] * has_effects]
    rows = []
    for pair in comparison.pairs:
        effect = UNDEFINED if pair.effect is None else fixed(Fraction(pair.effect), 2)
        figures = [_difference(pair, measure, digits), _interval(pair.interval, measure, digits)]
        figures += [_p_text(pair.p), *[_p_text(pair.adjusted)] * is_corrected]
        rows.append(
            [pair.run, pair.other, *figures, *_won(pair), *[effect] * has_effects],
        )
    p_column = 4 + is_corrected
    return ReportTable(
        "Pairs",
        heads,
        rows,
        "ll" + "r" * (len(heads) - 2),
        keys=2,
        best=frozenset(
            (row, p_column) for row, pair in enumerate(comparison.pairs) if pair.is_significant
        ),
        notes=[
            "Difference: the figure of the first run minus that of the second, with its interval. "
            f"p: {_p_note(comparison)}",
            _questions_note(has_effects),
        ],
    )


def _p_note(comparison: Comparison) -> str:
    _, alpha = _levels(comparison.design)
    adjusts = comparison.omnibus is not None  # for all pairs, even if a baseline shows only some
    number = comb(len(comparison.standings), 2) if adjusts else len(comparison.pairs)
    is_corrected = (adjusts or comparison.design.corrected_by != "none") and number > 1
    corrected = f", corrected for {counted(number, 'pair')}" if is_corrected else ""
    return (
        "the probability of a difference at least this large if the runs do not differ"
        f"{corrected}; marked (* or bold) if it is {alpha} or less: the difference is significant."
    )


def _ranks_note(comparison: Comparison) -> str:
    level, _ = _levels(comparison.design)
    samples = f"{comparison.design.resampling.resamples:,} bootstrap samples of the questions"
    note = f"Ranks and interval: the range in {level} of {samples}."
    if comparison.design.baseline is None:
        note += " Group: no significant difference was found between runs that share a letter."
    return note


def _questions_note(has_effects: bool) -> str:
    note = (
        "Won, tied, lost: questions that favour the first run, neither run, or the second run. If "
        "the runs swapped their answers to the question, the difference would shrink, stay the "
        "same, or grow."
    )
    if has_effects:
        note += (
            " d_z: the mean difference per question divided by the standard deviation of these "
            "differences (by convention, 0.2 is small, 0.5 medium, 0.8 large)."
        )
    return note


def _omnibus(comparison: Comparison) -> list[str]:
    omnibus = comparison.omnibus
    if omnibus is None:
        return []
    names = {"tukey": "Analysis of variance: F", "friedman": "Friedman's chi square"}
    statistic = fixed(Fraction(omnibus.statistic), 2)
    is_significant = omnibus.p <= comparison.design.alpha
    conclusion = f"{'a' if is_significant else 'no'} significant difference between runs was found"
    name = names[comparison.design.procedure.name]
    return [f"{name} = {statistic}, {_p_equals(omnibus.p)}: {conclusion}."]


def _difference(pair: Pair, measure: Measure, digits: int) -> str:
    text = cell_text(pair.difference, measure, digits)
    is_positive = text[0] != "-" and any(digit in text for digit in "123456789")
    return f"+{text}" if is_positive else text


def _interval(interval: Interval, measure: Measure, digits: int) -> str:
    if isnan(interval.low):
        return UNDEFINED
    low, high = (cell_text(Fraction(end), measure, digits) for end in interval)
    return f"{low} to {high}"


def _hardest(answered: Sequence[Answered], runs: Sequence[str], number: int) -> list[ReportTable]:
    rows = [[each.question, f"{len(each.right)}", ", ".join(each.right)] for each in answered]
    missed = sum(not each.right for each in answered)
    questions = counted(len(answered), "question")
    note = (
        f"Of {questions} with a correct answer; a run is right if it selects a correct answer. "
        f"{f'No run is right on {missed:,}' if missed else 'Some run is right on each'} of these."
    )
    unique = {
        run: [each.question for each in answered if list(each.right) == [run]] for run in runs
    }
    run_rows = [
        [run, f"{len(ids):,}", ", ".join(ids[:_NAMED]) + ", ..." * (len(ids) > _NAMED)]
        for run, ids in unique.items()
    ]
    heads = ["Question", "Runs right", "Right"]
    title = "Questions that only one run gets right"
    return [
        ReportTable("Hardest questions", heads, rows[:number], "lrl", notes=[note]),
        ReportTable(title, ["Run", "Number", "Questions"], run_rows, "lrl"),
    ]


def _p_text(p: float) -> str:
    """Return p with three decimals, as papers print it."""
    if isnan(p):
        return UNDEFINED
    return "<0.001" if p < 0.001 else fixed(Fraction(p), 3)


def _p_equals(p: float) -> str:
    """Return `p = 0.012` or `p <0.001`."""
    text = _p_text(p)
    return f"p {'' if text.startswith('<') else '= '}{text}"


def _levels(design: Design) -> tuple[str, str]:
    """Return the confidence level of intervals and the significance level, as text."""
    return f"{100 * design.level:g} %", f"{design.alpha:g}"


def _method(comparison: Comparison) -> str:
    """Return the test, its samples, the correction, the questions and the significance level."""
    design, parts = comparison.design, [comparison.design.procedure.title]
    if design.test in ("bootstrap", "randomisation") and not all(
        pair.is_exact for pair in comparison.pairs
    ):
        parts.append(f"{design.resampling.resamples:,} samples")
    if design.procedure.adjusts:
        parts.append("adjusted for all pairs")
    elif len(comparison.pairs) > 1:
        pairs = counted(len(comparison.pairs), "pair")
        parts.append(f"{CORRECTIONS[design.corrected_by]} for {pairs}")
    _, alpha = _levels(design)
    parts += [counted(comparison.questions, "question"), f"significance level {alpha}"]
    return ", ".join(parts)


def _conclusion(comparison: Comparison, digits: int) -> str:
    if len(comparison.pairs) == 1:
        return _pair_conclusion(comparison, comparison.pairs[0], digits)
    if comparison.design.baseline is not None:
        return _baseline_conclusion(comparison, comparison.design.baseline)
    return _all_runs_conclusion(comparison)


def _pair_conclusion(comparison: Comparison, pair: Pair, digits: int) -> str:
    measure = comparison.measure
    values = {each.run: cell_text(each.value, measure, digits) for each in comparison.standings}
    first, second = (f"{run} ({values[run]})" for run in (pair.run, pair.other))
    if isnan(pair.p):
        return f"{first} and {second} cannot be compared: {measure.title} is undefined."
    evidence = f"{_p_equals(pair.adjusted)}; {_method(comparison)}"
    if not pair.is_significant:
        return (
            f"By {measure.title}, no significant difference was found between {first} and {second} "
            f"({evidence})."
        )
    how = _direction(comparison, pair)
    return f"By {measure.title}, {first} is significantly {how} than {second} ({evidence})."


def _direction(comparison: Comparison, pair: Pair) -> str:
    """Return whether the first run is `better` or `worse` than the second."""
    difference = pair.difference or 0
    is_better = difference > 0 if comparison.measure.higher_is_better else difference < 0
    return "better" if is_better else "worse"


def _baseline_conclusion(comparison: Comparison, baseline: str) -> str:
    runs: dict[str, list[str]] = {"better": [], "worse": [], "other": [], "undefined": []}
    for pair in comparison.pairs:
        if isnan(pair.p):
            runs["undefined"].append(pair.run)
        else:
            how = _direction(comparison, pair) if pair.is_significant else "other"
            runs[how].append(pair.run)
    parts = [
        f"{_listed(runs[how])} {'is' if len(runs[how]) == 1 else 'are'} significantly {how} "
        f"than {baseline}"
        for how in ("better", "worse")
        if runs[how]
    ]
    if runs["other"]:
        others = _listed(runs["other"])
        parts.append(f"no significant difference from {baseline} was found for {others}")
    if runs["undefined"]:
        undefined = _listed(runs["undefined"])
        parts.append(f"{undefined} cannot be compared with {baseline}: the measure is undefined")
    return f"By {comparison.measure.title}, {'; '.join(parts)} ({_method(comparison)})."


def _all_runs_conclusion(comparison: Comparison) -> str:
    title, method = comparison.measure.title, _method(comparison)
    undefined = [each.run for each in comparison.standings if each.value is None]
    runs = len(comparison.standings) - len(undefined)
    if runs < 2:
        return f"These runs cannot be compared: {title} is undefined."
    if undefined:
        method += f"; undefined for {_listed(undefined)}"
    significant = sum(pair.is_significant for pair in comparison.pairs)
    if not significant:
        return (
            f"By {title}, no significant difference was found between any two of the {runs} runs "
            f"({method})."
        )
    if significant == comb(runs, 2):
        return f"By {title}, every two of the {runs} runs differ significantly ({method})."
    groups = [_listed(group) for group in comparison.groups if len(group) > 1]
    which = "these groups" if len(groups) > 1 else "this group"
    return (
        f"By {title}, no significant difference was found within {which}: {'; '.join(groups)}. All "
        f"other differences between the {runs} runs are significant ({method})."
    )


def _listed(runs: Sequence[str]) -> str:
    """Return 'a', 'a and b', 'a, b and c'."""
    return " and ".join(filter(None, [", ".join(runs[:-1]), runs[-1]]))
