"""Runs compared: tables with their legend, and a sentence that an overview paper could print."""

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
"""With more runs a row for each pair is easier to read."""

DIGITS = 3
"""Shared tasks rank by the second decimal; the third tells how large a difference is."""

_NAMED = 10
"""How many questions of a run are named."""

_NOT_EQUAL = (
    "That a difference is not significant does not show that runs are equally good: these "
    "questions cannot tell."
)
_EACH_BY_ITSELF = (
    "Each measure was corrected by itself: with many measures something is always found."
)


def comparison_report(
    compared: Compared, digits: int | None = None, *, as_pairs: bool = False
) -> Report:
    """Return what was found; without `digits` nothing is rounded in records."""
    return Report(
        lambda: _all_tables(compared, DIGITS if digits is None else digits, as_pairs),
        lambda: comparison_document(compared),
        lambda: comparison_records(compared.comparisons, digits),
    )


def _all_tables(compared: Compared, digits: int, as_pairs: bool) -> list[ReportTable]:
    found = _of_measures(compared.comparisons, digits, as_pairs)
    if compared.answered is not None:
        names = [one.run for one in compared.comparisons[0].standings]
        found += _hardest(compared.answered, names, compared.hardest)
    told = []
    if compared.left_out:
        told.append(f"Not compared for their defects: {', '.join(compared.left_out)}.")
    last = found[-1]
    notes = [*last.notes, *told, f"Signature: {compared.signature}"]
    return [*found[:-1], last._replace(notes=notes)]


def _of_measures(
    comparisons: Sequence[Comparison], digits: int, as_pairs: bool
) -> list[ReportTable]:
    """Return the tables of all measures.

    All of 3 to 8 runs make one table, a matrix; `as_pairs`, a baseline, fewer or more runs make a
    row for each pair instead, below a table of the runs. The legend stands below the last tables.
    """
    found: list[ReportTable] = []
    for number, one in enumerate(comparisons, 1):
        tables = _tables(one, digits, as_pairs)
        if number < len(comparisons):
            tables = [table._replace(notes=[], legend=table.notes) for table in tables]
        *others, last = tables
        told = [*_omnibus(one), _sentence(one, digits)]
        found += [*others, last._replace(notes=[*told, *last.notes])]
    last, design = found[-1], comparisons[0].design
    told = []
    if any(not pair.is_significant for one in comparisons for pair in one.pairs):
        told.append(_NOT_EQUAL)
    if len(comparisons) > 1 and design.corrected_by != "none" and len(comparisons[0].pairs) > 1:
        told.append(_EACH_BY_ITSELF)
    found[-1] = last._replace(notes=[*last.notes, *told])
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
        [str(place), *_standing(one, measure, digits, has_groups)]
        for place, one in enumerate(comparison.standings, 1)
    ]
    notes = _about_ranks(comparison)
    title = f"{measure.title}: {len(rows)} runs on {comparison.questions:,} questions"
    return ReportTable(title, _heads(comparison), rows, "rlrrr" + "l" * has_groups, 2, notes=notes)


def _heads(comparison: Comparison) -> list[str]:
    sure, _ = _levels(comparison.design)
    has_groups = comparison.design.baseline is None
    title = comparison.measure.title
    return ["#", "Run", title, f"{sure} interval", "Ranks", *["Group"] * has_groups]


def _standing(one: Standing, measure: Measure, digits: int, has_groups: bool) -> list[str]:
    low, high = one.ranks
    return [
        one.run,
        cell_text(one.value, measure, digits),
        _interval(one.interval, measure, digits),
        str(low) if low == high else f"{low}-{high}",
        *[one.letters] * has_groups,
    ]


def _matrix(comparison: Comparison, table: ReportTable, digits: int) -> ReportTable:
    """Return the table of the runs with their differences above the diagonal, and p below."""
    pairs = {(one.run, one.other): one for one in comparison.pairs}
    names = [one.run for one in comparison.standings]
    rows, significant = [], set()
    for row, (run, cells) in enumerate(zip(names, table.rows, strict=True)):
        told = []
        for column, other in enumerate(names):
            if row < column:
                told.append(_difference(pairs[run, other], comparison.measure, digits))
            elif row > column:
                pair = pairs[other, run]
                told.append(_p_text(pair.adjusted))
                if pair.is_significant:
                    significant.add((row, len(cells) + column))
            else:
                told.append("")
        rows.append([*cells, *told])
    return table._replace(
        heads=[*table.heads, *(str(place) for place in range(1, len(names) + 1))],
        rows=rows,
        align=table.align + "r" * len(names),
        best=frozenset(significant),
        notes=[
            f"Columns 1 to {len(names)}: above the empty diagonal the figure of the run in the row "
            f"less that of the run with the column's number; below it p, {_about_p(comparison)}",
            *table.notes,
        ],
    )


def _pairs(comparison: Comparison, digits: int) -> ReportTable:
    measure, design = comparison.measure, comparison.design
    sure, _ = _levels(design)
    is_corrected = design.corrected_by != "none" and len(comparison.pairs) > 1
    has_effects = any(one.effect is not None for one in comparison.pairs)
    second = "Other run" if design.baseline is None else "Baseline"
    heads = ["Run", second, "Difference", f"{sure} interval", "p", *["p corrected"] * is_corrected]
    heads += ["Won", "Tied", "Lost", *["d_z"] * has_effects]
    rows = []
    for one in comparison.pairs:
        effect = UNDEFINED if one.effect is None else fixed(Fraction(one.effect), 2)
        told = [_difference(one, measure, digits), _interval(one.interval, measure, digits)]
        told += [_p_text(one.p), *[_p_text(one.adjusted)] * is_corrected]
        rows.append(
            [one.run, one.other, *told, *map(str, one.score), *[effect] * has_effects],
        )
    set_off = 4 + is_corrected
    return ReportTable(
        "Pairs",
        heads,
        rows,
        "ll" + "r" * (len(heads) - 2),
        keys=2,
        best=frozenset(
            (place, set_off) for place, one in enumerate(comparison.pairs) if one.is_significant
        ),
        notes=[
            "Difference: the figure of the first run less that of the second, and its interval. "
            f"p: {_about_p(comparison)}",
            _about_questions(has_effects),
        ],
    )


def _about_p(comparison: Comparison) -> str:
    _, alpha = _levels(comparison.design)
    adjusts = comparison.omnibus is not None  # for all pairs, though a baseline shows some
    number = comb(len(comparison.standings), 2) if adjusts else len(comparison.pairs)
    is_corrected = (adjusts or comparison.design.corrected_by != "none") and number > 1
    corrected = f", corrected for {counted(number, 'pair')}" if is_corrected else ""
    return (
        "how often chance alone would make as large a difference between equal runs"
        f"{corrected}; set off (* or bold) where it is {alpha} or less: the difference is "
        "significant."
    )


def _about_ranks(comparison: Comparison) -> list[str]:
    sure, _ = _levels(comparison.design)
    samples = f"{comparison.design.resampling.resamples:,} samples of the questions"
    told = f"Ranks and interval: where the run is in {sure} of {samples} (bootstrap)."
    if comparison.design.baseline is None:
        told += " Group: runs that share a letter do not differ significantly."
    return [told]


def _about_questions(has_effects: bool) -> str:
    told = (
        "Won, tied, lost: questions that speak for the first run, for neither, for the second: "
        "if the two swapped what they did there the difference would shrink, stay, or grow."
    )
    if has_effects:
        told += (
            " d_z: the mean difference of questions in standard deviations of these (0.2 is "
            "called small, 0.5 medium, 0.8 large)."
        )
    return told


def _omnibus(comparison: Comparison) -> list[str]:
    found = comparison.omnibus
    if found is None:
        return []
    names = {"tukey": "Analysis of variance: F", "friedman": "Friedman's chi square"}
    statistic = fixed(Fraction(found.statistic), 2)
    p = _p_text(found.p)
    relation = "" if p.startswith("<") else "= "
    tells = "some runs differ" if found.p <= comparison.design.alpha else "no run need differ"
    return [f"{names[comparison.design.test]} = {statistic}, p {relation}{p}: {tells}."]


def _difference(pair: Pair, measure: Measure, digits: int) -> str:
    told = cell_text(pair.difference, measure, digits)
    return f"+{told}" if told[0] != "-" and any(one in told for one in "123456789") else told


def _interval(interval: Interval, measure: Measure, digits: int) -> str:
    if isnan(interval.low):
        return UNDEFINED
    low, high = (cell_text(Fraction(end), measure, digits) for end in interval)
    return f"{low} to {high}"


def _hardest(answered: Sequence[Answered], runs: Sequence[str], number: int) -> list[ReportTable]:
    rows = [[one.question, f"{len(one.right)}", ", ".join(one.right)] for one in answered[:number]]
    nobody = sum(not one.right for one in answered)
    questions = counted(len(answered), "question")
    note = (
        f"Of {questions} with a correct answer; right is who selects one. "
        f"{f'No run is right on {nobody:,}' if nobody else 'Some run is right on each'} of these."
    )
    alone = {run: [one.question for one in answered if list(one.right) == [run]] for run in runs}
    of_runs = [
        [run, f"{len(named):,}", ", ".join(named[:_NAMED]) + ", ..." * (len(named) > _NAMED)]
        for run, named in alone.items()
    ]
    heads = ["Question", "Runs right", "Right"]
    title = "Questions that one run alone gets right"
    return [
        ReportTable("Hardest questions", heads, rows, "lrl", notes=[note]),
        ReportTable(title, ["Run", "Alone", "Questions"], of_runs, "lrl"),
    ]


def _p_text(p: float) -> str:
    """Return p with three decimals, as papers print it."""
    if isnan(p):
        return UNDEFINED
    return "<0.001" if p < 0.001 else fixed(Fraction(p), 3)


def _levels(design: Design) -> tuple[str, str]:
    """Return the share of intervals that hold, and up to which p a difference is significant."""
    return f"{100 * design.level:g} %", f"{design.alpha:g}"


def _made_by(comparison: Comparison) -> str:
    """Say how p were found: the test, its samples, the correction."""
    design, told = comparison.design, [comparison.design.procedure.title]
    if design.test in ("bootstrap", "randomisation") and not all(
        one.is_exact for one in comparison.pairs
    ):
        told.append(f"{design.resampling.resamples:,} samples")
    pairs = counted(len(comparison.pairs), "pair")
    if design.procedure.adjusts:
        told.append("adjusted for all pairs")
    elif len(comparison.pairs) > 1:
        told.append(f"{CORRECTIONS[design.corrected_by]} for {pairs}")
    return ", ".join(told)


def _sentence(comparison: Comparison, digits: int) -> str:
    if len(comparison.pairs) == 1:
        return _of_two(comparison, comparison.pairs[0], digits)
    if comparison.design.baseline is not None:
        return _of_baseline(comparison, comparison.design.baseline)
    return _of_all(comparison)


def _of_two(comparison: Comparison, pair: Pair, digits: int) -> str:
    measure = comparison.measure
    values = {one.run: cell_text(one.value, measure, digits) for one in comparison.standings}
    one, two = (f"{run} ({values[run]})" for run in (pair.run, pair.other))
    if isnan(pair.p):
        return f"By {measure.title}, {one} and {two} cannot be compared: it is undefined."
    p = _p_text(pair.adjusted)
    told = f"p {'' if p.startswith('<') else '= '}{p}; {_how(comparison)}"
    if not pair.is_significant:
        return f"By {measure.title}, {one} and {two} cannot be told apart ({told})."
    is_better = _sign(comparison, pair) > 0
    how = "better" if is_better else "worse"
    return f"By {measure.title}, {one} is significantly {how} than {two} ({told})."


def _sign(comparison: Comparison, pair: Pair) -> int:
    """Return 1 where the first run is better, -1 where the second is."""
    difference = pair.difference or 0
    is_better = difference > 0 if comparison.measure.higher_is_better else difference < 0
    return 1 if is_better else -1


def _of_baseline(comparison: Comparison, baseline: str) -> str:
    several: dict[str, list[str]] = {"better": [], "worse": [], "alike": [], "undefined": []}
    for pair in comparison.pairs:
        if isnan(pair.p):
            several["undefined"].append(pair.run)
        elif not pair.is_significant:
            several["alike"].append(pair.run)
        else:
            several["better" if _sign(comparison, pair) > 0 else "worse"].append(pair.run)
    parts = [
        f"{_listed(runs)} {'is' if len(runs) == 1 else 'are'} significantly {how} than {baseline}"
        for how, runs in several.items()
        if runs and how in ("better", "worse")
    ]
    if several["alike"]:
        parts.append(f"{_listed(several['alike'])} cannot be told apart from {baseline}")
    if several["undefined"]:
        runs = _listed(several["undefined"])
        parts.append(f"{runs} cannot be compared with {baseline}: it is undefined")
    return f"By {comparison.measure.title}, {'; '.join(parts)} ({_how(comparison)})."


def _of_all(comparison: Comparison) -> str:
    title, how = comparison.measure.title, _how(comparison)
    undefined = [one.run for one in comparison.standings if one.value is None]
    runs = len(comparison.standings) - len(undefined)
    if runs < 2:
        return f"By {title}, these runs cannot be compared: it is undefined."
    if undefined:
        how += f"; undefined for {_listed(undefined)}"
    significant = sum(one.is_significant for one in comparison.pairs)
    if not significant:
        return f"By {title}, no two of the {runs} runs can be told apart ({how})."
    if significant == comb(runs, 2):
        return f"By {title}, every two of the {runs} runs differ significantly ({how})."
    groups = [_listed(group) for group in comparison.groups if len(group) > 1]
    apart = "runs within each of these groups" if len(groups) > 1 else "these runs"
    return (
        f"By {title}, {apart} cannot be told apart: {'; '.join(groups)}. All other differences "
        f"between the {runs} runs are significant ({how})."
    )


def _how(comparison: Comparison) -> str:
    _, alpha = _levels(comparison.design)
    questions = counted(comparison.questions, "question")
    return f"{_made_by(comparison)}, {questions}, significance level {alpha}"


def _listed(runs: Sequence[str]) -> str:
    """Return 'a', 'a and b', 'a, b and c'."""
    return " and ".join(filter(None, [", ".join(runs[:-1]), runs[-1]]))
