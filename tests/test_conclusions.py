"""Each sentence that concludes a comparison follows from its pairs, and says no more."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import comb
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import ave_score
from ave_score import Design, Resampling
from ave_score.inference.groups import groups
from tests import examples
from tests.helpers_command import output
from tests.helpers_files import put
from tests.oracle import make_campaign
from tests.test_oracle import read

MOST = 14
"""Runs that are compared."""

NONE = "no significant difference was found"


@cache
def compared(number: int, has_baseline: bool) -> ave_score.Compared:
    """Return a comparison of runs, the pairs of which are replaced."""
    collection, runs = read(make_campaign(number, questions=6, runs=number))
    design = Design(resampling=Resampling(20), against=runs[0].name if has_baseline else None)
    return ave_score.compare(collection, runs, measures="accuracy", design=design)


class Found(NamedTuple):
    """What a comparison found, and the sentence about it."""

    names: list[str]
    better: set[tuple[str, str]]
    text: str


def found_of(names: Sequence[str], better: set[tuple[int, int]], baseline: int | None) -> Found:
    """Return the sentence about runs, the best first, of which some are significantly better."""
    of_runs = compared(len(names), baseline is not None)
    (comparison,) = of_runs.comparisons
    standings = [
        standing._replace(run=name)
        for standing, name in zip(comparison.standings, names, strict=True)
    ]
    numbers = [*combinations(range(len(names)), 2)]
    if baseline is not None:
        numbers = [(item, baseline) for item in range(len(names)) if item != baseline]
    pairs = []
    for pair, (run, other) in zip(comparison.pairs, numbers, strict=True):
        is_significant = (run, other) in better or (other, run) in better
        p, difference = 0.001 if is_significant else 0.9, Fraction(1 if run < other else -1)
        pairs.append(
            pair._replace(
                run=names[run], other=names[other], difference=difference, p=p, adjusted=p,
                is_significant=is_significant,
            )
        )  # fmt: skip
    grouped = groups(len(names), better) if baseline is None else []
    named = [[names[number] for number in group] for group in grouped]
    design = comparison.design._replace(against=None if baseline is None else names[baseline])
    rows = [row._replace(run=name) for row, name in zip(of_runs.rows, names, strict=True)]
    made: Any = comparison._replace(
        standings=standings, pairs=pairs, groups=named, design=design, least_p=0.0
    )
    found = replace(of_runs, comparisons=[made], rows=rows)
    words = " ".join(found.to_text().split())
    (sentence,) = re.findall(r"By Accuracy, (.*?) \([^()]*test[^()]*\)\.", words)
    return Found([*names], {(names[a], names[b]) for a, b in better}, sentence)


def list_of(text: str) -> list[str]:
    return re.split(r", | and ", text)


def check_named(found: Found, text: str, runs: Iterable[str]) -> None:
    """Check a list of runs, which are counted if the names are long."""
    expected = [*runs]
    counted = re.fullmatch(r"(\d+)(?: of (\d+))? runs?", text)
    if counted:
        assert int(counted[1]) == len(expected) and counted[2] in (None, str(len(found.names)))
    else:
        assert sorted(list_of(text)) == sorted(expected)


def check(found: Found, baseline: str | None = None) -> None:
    """Check each clause of a sentence, and that there is no other."""
    names, better, text = found
    alike = {
        (a, b) for a, b in combinations(names, 2) if not {(a, b), (b, a)} & better
    }  # fmt: skip
    if text == f"all {len(names)} runs differ significantly from each other":
        assert not alike
        return
    if text == f"{NONE} between any two of the {len(names)} runs":
        assert not better
        return
    within = re.fullmatch(
        rf"{NONE} within (this group|these groups): (.*)\. All other differences between the "
        r"(\d+) runs are significant", text
    )  # fmt: skip
    if within:
        shown = {pair for group in within[2].split("; ") for pair in together(names, group)}
        assert shown == alike
        assert int(within[3]) == len(names)
        return
    counted = re.search(r"(?:^|\. )([\d,]+) of ([\d,]+) pairs differs? significantly$", text)
    if baseline is None:
        assert counted
        assert (int(counted[1]), int(counted[2])) == (len(better), comb(len(names), 2))
        text = text[: counted.start()]
    if check_first_group(found, text, alike):
        return
    clauses = [*text.split("; ")] if text else []
    explained = {pair for clause in clauses for pair in check_clause(found, clause, baseline)}
    assert clauses
    if all(" only" in clause for clause in clauses):
        assert explained == better


def check_first_group(found: Found, text: str, alike: set[tuple[str, str]]) -> bool:
    """Check a sentence about the runs of the first group and all others; tell if it is one."""
    names, better, _ = found
    shares = re.fullmatch(
        rf"(.*) shares? the first group, within which {NONE}; (.*) (?:is|are) significantly worse "
        "than each of these",
        text,
    )
    if shares is None:
        return False
    best = [names[0], *(b for a, b in alike if a == names[0])]
    others = [name for name in names if name not in best]
    check_named(found, shares[1], best)
    check_named(found, shares[2], others)
    assert {*combinations(sorted(best, key=names.index), 2)} <= alike
    assert {(a, b) for a in best for b in others} <= better
    return True


def together(names: Sequence[str], group: str) -> list[tuple[str, str]]:
    return [*combinations(sorted(list_of(group), key=names.index), 2)]


def check_clause(found: Found, clause: str, baseline: str | None) -> set[tuple[str, str]]:
    """Check who is significantly better or worse than whom; return these pairs."""
    names, better, _ = found
    none = re.fullmatch(rf"{NONE} (?:between (\S+) and|from {baseline} was found for) (.*)", clause)
    none = none or re.fullmatch(
        rf"no significant difference from ({baseline}) was found for (.*)", clause
    )
    if none:
        one = names[0] if none[1] == "it" else none[1]
        assert none[1] in ("it", names[0], baseline)
        others = [o for o in names if o != one and not {(one, o), (o, one)} & better]
        check_named(found, none[2], others)
        return set()
    said = re.fullmatch(r"(.*) (?:is|are) significantly (better|worse) than (.*?)( only)?", clause)
    assert said, clause
    first, how, second, only = said.groups()
    pairs = {pair if how == "better" else pair[::-1] for pair in better}
    if baseline is not None:
        check_named(found, first, [a for a, b in pairs if b == baseline])
        return set()
    if re.fullmatch(r"\d+ runs?", second):
        check_named(found, second, [b for a, b in pairs if a == first])
        return set()
    for head in list_of(first):
        beside = {b for a, b in pairs if a == head}
        assert beside == {*list_of(second)}, "these, and no others"
        assert only or len(beside) == len(names) - 1 or head == names[0]
    made = {(a, b) for a in list_of(first) for b in list_of(second)}
    return made if how == "better" else {pair[::-1] for pair in made}


@st.composite
def structures(draw: st.DrawFn) -> tuple[list[str], set[tuple[int, int]]]:
    """Return names of runs, the best first, and the pairs that differ: tiers, and exceptions."""
    number = draw(st.integers(3, MOST))
    width = draw(st.sampled_from([1, 1, 1, 9, 40, 101]))
    names = [f"{'r' * width}{at}" for at in range(number)]
    pairs = [*combinations(range(number), 2)]
    tier = sorted(draw(st.lists(st.integers(0, 3), min_size=number, max_size=number)))
    better = {(a, b) for a, b in pairs if tier[a] < tier[b]}
    changed = draw(st.one_of(st.just([]), st.lists(st.sampled_from(pairs), max_size=number)))
    return names, better ^ {*changed}


ONE = [f"run{number}" for number in range(9)]


@given(structures())
@example((ONE, {(0, 8)}))
@example((ONE, {(3, 8)}))
@example((ONE[:3], {(0, 2)}))
@example((ONE, {(a, 8) for a in range(7)}))
@example((ONE, {(0, b) for b in range(1, 9)}))
@example((["a" * 101, "b" * 101, "c" * 101], {(0, 1), (1, 2)}))  # the last is like the first
@settings(max_examples=examples(300, 12), deadline=None)
def test_each_sentence_follows_from_the_pairs(case: tuple[list[str], set[tuple[int, int]]]) -> None:
    names, better = case
    check(found_of(names, better, None))


@given(structures(), st.integers(0, MOST))
@settings(max_examples=examples(150, 8), deadline=None)
def test_each_sentence_about_a_baseline_follows_from_the_pairs(
    case: tuple[list[str], set[tuple[int, int]]], at: int
) -> None:
    names, better = case
    baseline = at % len(names)
    of_baseline = {pair for pair in better if baseline in pair}
    check(found_of(names, of_baseline, baseline), names[baseline])


@pytest.mark.parametrize(("runs", "better", "expected"), [
    (9, {(0, 8)}, "run8 is significantly worse than run0 only. 1 of 36 pairs differs"),
    (9, {(3, 8)}, "run8 is significantly worse than run3 only. 1 of 36 pairs differs"),
    (3, {(0, 2)}, "run2 is significantly worse than run0 only. 1 of 3 pairs differs"),
    (9, {(0, 7), (0, 8)}, "run0 is significantly better than run7 and run8 only. 2 of 36"),
    (9, {(0, 8), (1, 7)}, "run8 is significantly worse than run0 only; run7 is"),
])  # fmt: skip
def test_a_conclusion_names_what_was_found(
    runs: int, better: set[tuple[int, int]], expected: str
) -> None:
    """All else would claim more: 8 of the 9 runs "share the first group" here, too."""
    assert found_of(ONE[:runs], better, None).text.startswith(expected)


def test_nothing_is_said_of_a_run_that_was_not_tested(tmp_path: Path) -> None:
    """A run that accepts nothing has no precision to test; of the others, one is right throughout.

    60 questions with two answers, of which the first is correct: `good` accepts it always, `half`
    in half of the questions, `poor` in a tenth, so each pair of these differs.
    """
    rows = [f"{q}\t{q}_{a}\t{('VALIDATED', 'REJECTED')[a]}\n" for q in range(60) for a in (0, 1)]
    put(tmp_path, "".join(["q_id\ta_id\tlabel\n", *rows]), "gold.tsv")
    shares = {"good": 60, "half": 30, "poor": 6, "none": -1}
    for name, right in shares.items():
        lines = []
        for q in range(60):
            chosen = None if right < 0 else int(q >= right)
            said = ["SELECTED" if a == chosen else "REJECTED" for a in (0, 1)]
            lines += [f"{q} {q}_{a} {verdict} 0.5\n" for a, verdict in enumerate(said)]
        put(tmp_path, "".join(lines), f"{name}.txt")
    files = [tmp_path / "gold.tsv", *(tmp_path / f"{name}.txt" for name in shares)]
    text = " ".join(output("compare", *map(str, files), "-m", "precision").split())
    assert "By Precision, all 3 runs differ significantly from each other (" in text
    assert "; not tested: none)" in text
