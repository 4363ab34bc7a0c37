"""What a comparison comes to, in words: sentences that an overview paper could print."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import comb, isnan

from ave_score.exact import fixed
from ave_score.inference.compared import Comparison, Design, Pair
from ave_score.inference.kinds import CORRECTIONS
from ave_score.reports.scores import UNDEFINED, cell_text
from ave_score.text import counted


def p_text(p: float) -> str:
    """Return p with three decimals, as papers print it."""
    if isnan(p):
        return UNDEFINED
    return "<0.001" if p < 0.001 else fixed(Fraction(p), 3)


def levels(design: Design) -> tuple[str, str]:
    """Return the share of intervals that hold, and up to which p a difference is significant."""
    return f"{100 * design.level:g} %", f"{design.alpha:g}"


def made_by(comparison: Comparison) -> str:
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


def sentence(comparison: Comparison, digits: int) -> str:
    """Return what a comparison comes to."""
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
    p = p_text(pair.adjusted)
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
        f"{_listed(runs)} {_is(runs)} significantly {how} than {baseline}"
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
    _, alpha = levels(comparison.design)
    questions = counted(comparison.questions, "question")
    return f"{made_by(comparison)}, {questions}, significance level {alpha}"


def _listed(runs: Sequence[str]) -> str:
    """Return 'a', 'a and b', 'a, b and c'."""
    return " and ".join(filter(None, [", ".join(runs[:-1]), runs[-1]]))


def _is(runs: Sequence[str]) -> str:
    return "is" if len(runs) == 1 else "are"
