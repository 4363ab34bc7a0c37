"""The sentences that conclude a comparison, for an overview paper."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import ceil, comb, isnan

from ave_score.core.exact import fixed
from ave_score.core.text import brief, listed, quantity
from ave_score.inference.compare_records import CROSSED, Comparison, Design, Pair
from ave_score.inference.procedures import CORRECTIONS
from ave_score.reports.cells import cell_text
from ave_score.reports.compare_reasons import MOST_LISTED, reason_of
from ave_score.reports.report import UNDEFINED

_LINE = 100
"""Characters of names in a conclusion; if they are more, runs are counted."""


def conclusions(comparison: Comparison, digits: int, *, in_full: bool = True) -> list[str]:
    """Return what the test of all runs found, if there is one, and what that of the pairs found.

    Not `in_full`, the samples, pairs, questions and level of the test are left to the signature.
    """
    found = _conclusion(comparison, digits, _method(comparison, in_full=in_full))
    if max(comparison.replicated.values(), default=1) > 1 and comparison.design.test != CROSSED:
        found = f"{found.removesuffix('.')} for these seeds."
    return [*_omnibus(comparison), found, *_not_the_measure(comparison)]


def _not_the_measure(comparison: Comparison) -> list[str]:
    """Say that the test does not compare the measure, if so, and which pairs are thus not marked.

    These are the pairs in which it does not favour the run with the better value.
    """
    procedure, title = comparison.design.procedure, comparison.measure.title
    if procedure.is_of_measure or all(isnan(pair.p) for pair in comparison.pairs):
        return []
    sentences = [
        f"The {procedure.title} does not compare {title} itself: it shows no difference in it, and "
        "gives no ranks."
    ]
    pairs = [f"{pair.run} and {pair.other}" for pair in _opposed(comparison)]
    if pairs:
        sentences.append(
            f"{brief(pairs, MOST_LISTED, '; ')}: p is small, but the test does not favour the run "
            f"with the better {title}, so the difference is not marked."
        )
    return sentences


def _opposed(comparison: Comparison) -> list[Pair]:
    """Return the pairs in which the test does not favour the run with the better value."""
    alpha = comparison.design.alpha
    return [pair for pair in comparison.pairs if pair.adjusted <= alpha and not pair.is_significant]


def _none(comparison: Comparison, of: str = "") -> str:
    """Return what was not found where nothing is marked."""
    favoured = f" in favour of the run with the better {comparison.measure.title}"
    return f"no significant difference{of}{favoured * bool(_opposed(comparison))}"


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


def p_text(p: float) -> str:
    """Return p with three decimals, as papers print it."""
    if isnan(p):
        return UNDEFINED
    return "<0.001" if p < 0.001 else fixed(Fraction(p), 3)


def _p_equals(p: float) -> str:
    """Return `p = 0.012` or `p <0.001`."""
    text = p_text(p)
    return f"p {'' if text.startswith('<') else '= '}{text}"


def levels(design: Design) -> tuple[str, str]:
    """Return the confidence level of intervals and the significance level, as text."""
    return f"{float(design.level):g} %", f"{design.alpha:g}"


def _method(comparison: Comparison, *, in_full: bool) -> str:
    """Return the test, its samples, the correction, the questions and the significance level."""
    design, parts = comparison.design, [comparison.test_title]
    is_sampled = (design.procedure.swaps or design.test == "bootstrap") and not all(
        pair.is_exact or isnan(pair.p) for pair in comparison.pairs
    )
    if is_sampled and in_full:
        parts.append(f"{design.resampling.resamples:,} samples")
    if design.procedure.adjusts:
        parts.append("adjusted for all pairs")
    elif len(comparison.pairs) > 1:
        pairs = quantity(len(comparison.pairs), "pair")
        parts.append(f"{CORRECTIONS[design.corrected_by]}{f' for {pairs}' * in_full}")
    _, alpha = levels(design)
    about = [quantity(comparison.questions, comparison.unit), f"significance level {alpha}"]
    return ", ".join([*parts, *about * in_full])


def _conclusion(comparison: Comparison, digits: int, method: str) -> str:
    if len(comparison.pairs) == 1:
        return _pair_conclusion(comparison, comparison.pairs[0], digits, method)
    if comparison.design.against is not None:
        return _against_conclusion(comparison, comparison.design.against, method)
    return _all_runs_conclusion(comparison, method)


def _pair_conclusion(comparison: Comparison, pair: Pair, digits: int, method: str) -> str:
    measure, basis = comparison.measure, comparison.basis
    of_mean = f"{measure.title} " * (not comparison.design.procedure.is_of_measure)
    values = {
        standing.run: f"{of_mean}{cell_text(standing.value, measure, digits)}"
        for standing in comparison.standings
    }
    first, second = (f"{run} ({values[run]})" for run in (pair.run, pair.other))
    if isnan(pair.p):
        return f"{first} and {second} cannot be compared: {reason_of(comparison, pair)}."
    evidence = f"{_p_equals(pair.adjusted)}; {method}"
    if comparison.is_limited:
        return f"By {basis}, {_limit(comparison)} ({evidence})."
    if not pair.is_significant:
        return (
            f"By {basis}, {_none(comparison)} was found between {first} and {second} ({evidence})."
        )
    how = _direction(comparison, pair)
    return f"By {basis}, {first} is significantly {how} than {second} ({evidence})."


def _limit(comparison: Comparison) -> str:
    """Return why no difference could be significant, however large."""
    samples = comparison.design.resampling.resamples
    if comparison.design.test != "bootstrap" or comparison.least_p > 1 / (samples + 1):
        return (
            f"{quantity(comparison.questions, comparison.unit)} are too few: even if a run won "
            "all of them, the difference would not be significant"
        )
    needed = ceil(1 / comparison.cutoff)
    has_others = any(pair.score is not None for pair in comparison.pairs)  # not by samples alone
    return (
        f"{samples:,} samples are too few: no p is below 1/{samples + 1:,}, and the "
        f"correction requires 1/{needed:,} (use --resamples {2 * needed} or more"
        f"{', or another test' * has_others})"
    )


def _direction(comparison: Comparison, pair: Pair) -> str:
    """Return whether the first run is `better` or `worse` than the second."""
    difference = pair.difference or 0
    is_better = difference > 0 if comparison.measure.higher_is_better else difference < 0
    return "better" if is_better else "worse"


def _named(runs: Sequence[str]) -> str:
    """Return the names of runs if these fit a line, or their number."""
    names = listed(runs)
    return names if len(names) <= _LINE else quantity(len(runs), "run")


def _are(runs: Sequence[str]) -> str:
    return f"{_named(runs)} {'is' if len(runs) == 1 else 'are'}"


def _against_conclusion(comparison: Comparison, against: str, method: str) -> str:
    runs: dict[str, list[str]] = {"better": [], "worse": [], "other": [], "undefined": []}
    for pair in comparison.pairs:
        if isnan(pair.p):
            runs["undefined"].append(pair.run)
        else:
            how = _direction(comparison, pair) if pair.is_significant else "other"
            runs[how].append(pair.run)
    parts = [
        f"{_are(runs[how])} significantly {how} than {against}"
        for how in ("better", "worse")
        if runs[how]
    ]
    if runs["other"]:
        none = f"{_none(comparison, f' from {against}')} was found for {_named(runs['other'])}"
        parts.append(_limit(comparison) if comparison.is_limited else none)
    if runs["undefined"]:
        undefined = _named(runs["undefined"])
        reasons = dict.fromkeys(
            reason_of(comparison, pair) for pair in comparison.pairs if isnan(pair.p)
        )
        parts.append(f"{undefined} cannot be compared with {against}: {', '.join(reasons)}")
    return f"By {comparison.basis}, {'; '.join(parts)} ({method})."


def _all_runs_conclusion(comparison: Comparison, method: str) -> str:
    title, basis = comparison.measure.title, comparison.basis
    undefined = [standing.run for standing in comparison.standings if standing.value is None]
    runs = len(comparison.standings) - len(undefined)
    if runs < 2:
        return f"These runs cannot be compared: {title} is undefined."
    if undefined:
        method += f"; undefined for {_named(undefined)}"
    if untested := _untested(comparison):
        method += f"; not tested: {_named(untested)}"
        comparison = _without(comparison, untested)
        runs -= len(untested)
        if runs < 2:
            return f"These runs cannot be compared ({method})."
    if comparison.is_limited:
        return f"By {basis}, {_limit(comparison)} ({method})."
    significant = len(_significant(comparison))
    if not significant:
        return (
            f"By {basis}, {_none(comparison)} was found between any two of the "
            f"{runs} {comparison.noun}s ({method})."
        )
    if significant == comb(runs, 2):
        nouns = f"{runs} {comparison.noun}s"
        return f"By {basis}, all {nouns} differ significantly from each other ({method})."
    groups = [listed(group) for group in comparison.groups if len(group) > 1]
    is_long = runs > MOST_LISTED or len("; ".join(groups)) > _LINE
    if is_long or significant <= len(groups):  # to name the pairs is shorter
        return f"By {basis}, {_best_conclusion(comparison, runs)} ({method})."
    which = "these groups" if len(groups) > 1 else "this group"
    return (
        f"By {basis}, {_none(comparison)} was found within {which}: {'; '.join(groups)}. All "
        f"other differences between the {runs} {comparison.noun}s are significant ({method})."
    )


def _untested(comparison: Comparison) -> list[str]:
    """Return the runs with a value that rests on nothing."""
    empty = {run for pair in comparison.pairs for run, number in pair.rests_on if not number}
    return [row.run for row in comparison.standings if row.run in empty and row.value is not None]


def _without(comparison: Comparison, untested: Sequence[str]) -> Comparison:
    """Return a comparison of the other runs: nothing was found of those that were not tested."""
    out = {*untested}
    groups = [[run for run in group if run not in out] for group in comparison.groups]
    return comparison._replace(
        standings=[row for row in comparison.standings if row.run not in out],
        pairs=[pair for pair in comparison.pairs if out.isdisjoint(pair[:2])],
        groups=[one for one in groups if not any({*one} < {*other} for other in groups)],
    )


def _best_conclusion(comparison: Comparison, runs: int) -> str:
    """Return what was found of many runs: of all of them if names fit, else of the best one."""
    best = comparison.standings[0].run
    found = _first_group(comparison, runs) or _named_pairs(comparison, runs)
    if not found:
        pairs = [pair for pair in comparison.pairs if best in pair[:2] and not isnan(pair.p)]
        alike = [pair.other for pair in pairs if not pair.is_significant]
        worse = [pair.other for pair in pairs if pair.is_significant]
        parts = [f"{best} is significantly better than {_named(worse)}"] if worse else []
        if alike:
            it = "it" if worse else best
            parts.append(f"{_none(comparison)} was found between {it} and {_named(alike)}")
        found = "; ".join(parts)
    number = len(_significant(comparison))
    differ = "differs" if number == 1 else "differ"
    said = f"{number:,} of {len(comparison.pairs):,} pairs {differ} significantly"
    return f"{found}. {said}" if found else said


def _significant(comparison: Comparison) -> list[Pair]:
    return [pair for pair in comparison.pairs if pair.is_significant]


def _first_group(comparison: Comparison, runs: int) -> str:
    """Return who shares the first group, if all others are significantly worse than each of these.

    "" if this is not so: two runs of a group need not be better than the same runs.
    """
    best = comparison.standings[0].run
    groups = [group for group in comparison.groups if best in group]
    if len(groups) > 1 or len(groups[0]) < 2:
        return ""
    group = {*groups[0]}
    for pair in comparison.pairs:
        inside = len(group & {pair.run, pair.other})
        is_better = pair.run in group and pair.is_significant  # the first of a pair is better
        is_open = isnan(pair.p) if inside == 2 else not is_better
        if inside and is_open and pair.difference is not None:
            return ""
    named = [standing.run for standing in comparison.standings if standing.run in group]
    worse = [
        standing.run
        for standing in comparison.standings
        if standing.value is not None and standing.run not in group
    ]
    first, others = f"{len(named)} of {runs} {comparison.noun}s", _are(worse)
    if len(named) <= len(worse) and len(listed(named)) <= _LINE:
        first, others = listed(named), f"{len(worse):,} of {runs} {comparison.noun}s are"
    return (
        f"{first} share the first group, within which {_none(comparison)} was found; {others} "
        "significantly worse than each of these"
    )


def _named_pairs(comparison: Comparison, runs: int) -> str:
    """Return which runs are significantly worse, or better, than which; "" if names are too long.

    This is all that was found: they are so than these only.
    """
    of_words: dict[str, dict[str, list[str]]] = {"worse": {}, "better": {}}
    for pair in _significant(comparison):
        of_words["better"].setdefault(pair.run, []).append(pair.other)
        of_words["worse"].setdefault(pair.other, []).append(pair.run)
    said = {}
    for how, others_of in of_words.items():
        alike: dict[tuple[str, ...], list[str]] = {}
        for run, others in others_of.items():
            alike.setdefault(tuple(others), []).append(run)
        said[how] = alike
    # the fewest clauses, then the fewest runs of which they are; of equally many, worse
    how = min(said, key=lambda how: (len(said[how]), sum(map(len, said[how].values()))))
    names = "; ".join(listed([*others, *alike]) for others, alike in said[how].items())
    if len(names) > _LINE:
        return ""
    return "; ".join(
        f"{listed(alike)} {'is' if len(alike) == 1 else 'are'} significantly {how} than "
        f"{listed(others)}{' only' * (len(others) < runs - 1)}"
        for others, alike in said[how].items()
    )
