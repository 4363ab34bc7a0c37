"""Repeated and contained answers, against a comparison of every pair."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ave_score.building.candidates import natural_key, normalised
from ave_score.building.merging import contained
from tests.helpers_files import fuzzed


def contained_by_pairs(answers: list[str]) -> set[str]:
    """Compare every answer with every other one, word for word."""
    found = set()
    for short in answers:
        for long in answers:
            a, b = short.split(), long.split()
            places = range(len(b) - len(a) + 1)
            if short != long and any(b[at : at + len(a)] == a for at in places):
                found.add(short)
    return found


@pytest.mark.parametrize(
    ("answers", "shorter"),
    [
        (["2", "2004"], set()),
        (["2", "2 km"], {"2"}),
        (["a b", "x a b"], {"a b"}),
        (["a b", "x a b y"], {"a b"}),
        (["a b", "a x b"], set()),
        (["b a", "a b"], set()),
        (["a", "a b", "a b c"], {"a", "a b"}),
        (["a a", "a a a"], {"a a"}),
        (["a b a", "a b a b a"], {"a b a"}),
        (["same"], set()),
        ([], set()),
    ],
)
def test_an_answer_is_contained_by_whole_words(answers: list[str], shorter: set[str]) -> None:
    assert contained(answers) == shorter == contained_by_pairs(answers)


@settings(fuzzed, max_examples=500)
@given(st.lists(st.lists(st.sampled_from("aabc"), min_size=1, max_size=7).map(" ".join)))
def test_contained_answers_are_those_that_a_comparison_of_pairs_finds(answers: list[str]) -> None:
    assert contained(answers) == contained_by_pairs(answers)


def test_many_answers_do_not_take_the_square_of_their_number() -> None:
    """By pairs these would take hours; see that they are right, and that the test ends."""
    chain = [" ".join(["a"] * n) for n in range(1, 600)]
    assert contained(chain) == {*chain[:-1]}
    many = [f"name{n} of place{n % 977}" for n in range(100_000)]
    few = [f"of place{n}" for n in range(977)] + ["of place 1", "name1", "name100000"]
    assert contained([*many, *few]) == {*few[:977], "name1"}


@pytest.mark.parametrize(
    ("answer", "same"),
    [
        ("Rome", "ROME."),
        ("«Rome»", "'rome',"),
        ("  New   Rome ", "new rome"),
        ("(Rome)", "“Rome”…"),
        ("¿Roma?", "roma"),
        ("STRASSE", "Straße"),
        ("Moulin Rouge!", "moulin rouge"),
        ("caf\u00e9", "cafe\u0301"),
        ("\u1e69", "s\u0307\u0323"),  # two marks in the other order
        ("- Rome -", "rome"),
    ],
)
def test_answers_that_count_as_the_same(answer: str, same: str) -> None:
    assert normalised(answer) == normalised(same)


@pytest.mark.parametrize(
    ("answer", "other"),
    [
        ("5", "-5"),
        ("5", ".5"),
        ("50", "50 %"),
        ("C", "C#"),
        ("don't", "dont"),
        ("São", "Sao"),
        ("a-b", "a b"),
        ("!", "?"),
        ("$5", "5"),
    ],
)
def test_answers_that_differ(answer: str, other: str) -> None:
    assert normalised(answer) != normalised(other)


@fuzzed
@given(st.text(alphabet=st.characters(exclude_categories=["Cs", "Cc"])).filter(str.strip))
def test_a_normalised_answer_is_never_empty_and_stays_as_it_is(answer: str) -> None:
    once = normalised(answer)
    assert once
    assert normalised(unicodedata.normalize("NFD", answer)) == once
    assert " ".join(once.split()) == once


@pytest.mark.parametrize(
    "ordered",
    [
        ["1_1", "1_2", "1_10"],
        ["1", "2", "10", "a", "b"],
        ["q1a2", "q1a10", "q2a1"],
        ["", "0", "00", "1", "01"],
        ["9" * 5_000, "1" + "0" * 5_000],  # longer than Python makes numbers of
        ["²", "٣"],  # digits, but none of ASCII
    ],
)
def test_natural_order(ordered: list[str]) -> None:
    keys = [natural_key(text) for text in ordered]
    assert sorted([*reversed(ordered)], key=natural_key) == sorted(ordered, key=natural_key)
    assert len({*map(str, keys)}) == len(keys)
    if "01" not in ordered:
        assert sorted(ordered, key=natural_key) == ordered
