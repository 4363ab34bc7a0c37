"""Words, repeated and contained answers, compared with a check of every pair."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests import each, examples
from tests.helpers_build import Row, built_of, kept, losses, table
from tests.helpers_files import fuzzed


def rows_of(answers: list[str]) -> list[Row]:
    return [("1", "qa", "R", "", answer, "Text.", "") for answer in answers]


def left_of(answers: list[str]) -> set[str]:
    """Return the answers that are left of those to one question."""
    return {*kept(built_of(table(rows_of(answers))))}


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


@each("answers, shorter", [
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
])  # fmt: skip
def test_an_answer_is_contained_by_whole_words(answers: list[str], shorter: set[str]) -> None:
    assert shorter == contained_by_pairs(answers) and left_of(answers) == {*answers} - shorter


LETTERS = st.lists(st.sampled_from("aabc"), min_size=1, max_size=7).map(" ".join)


@settings(fuzzed, max_examples=examples(500))
@given(st.lists(LETTERS, min_size=1))
def test_contained_answers_are_those_that_a_comparison_of_pairs_finds(answers: list[str]) -> None:
    assert left_of(answers) == {*answers} - contained_by_pairs(answers)


PLAIN = ["paris", "Paris", "FRANCE", "of", "o'neill", "a-b", "u.s", "c#", "50%", "%", "&"]
NUMBERS = ["3", "3.5", "3,5", "1.000,5", ".5", "-5", "2004", "24/04/1904"]
BEFORE = ["", "", "(", "[", "«", "“", "‘", '"', "'", "¿", "—", "–", "(«"]
BEHIND = ["", "", ",", ".", ";", ":", "!", "?", "…", "...", ")", "]", "»", "”", "’", '"', "'", "-",
          "—", "),", "?»"]  # fmt: skip
NOTHING = ["-", "–", "—", "...", ",", "«", ")", "?!"]

Written = tuple[str, tuple[str, ...]]


def _written(tokens: list[tuple[str, str, str]]) -> Written:
    """Return an answer as it is written, and its words, which nobody has to look for."""
    said = " ".join(before + word + behind for before, word, behind in tokens)
    return said, tuple(word.lower() for _, word, _ in tokens if word)


MARKED = st.tuples(
    st.sampled_from(BEFORE), st.sampled_from(PLAIN + NUMBERS), st.sampled_from(BEHIND)
) | st.tuples(st.sampled_from(["-", "...", ",", "."]), st.sampled_from(PLAIN[:6]), st.just(""))
TOKENS = MARKED | st.tuples(st.sampled_from(NOTHING), st.just(""), st.just(""))
ANSWERS = st.lists(TOKENS, min_size=1, max_size=5).map(_written).filter(lambda one: one[1] != ())


@settings(fuzzed, max_examples=examples(400))
@given(st.lists(ANSWERS, min_size=1, max_size=12))
@pytest.mark.slow
def test_answers_are_left_out_by_their_words_whatever_the_punctuation(given: list[Written]) -> None:
    """All that is compared here are the words that the answers were made of, pair by pair."""
    built = built_of(table(rows_of([said for said, _ in given])))
    different = {made_of for _, made_of in given}
    shorter = {
        short
        for short in different
        for long in different
        for at in range(len(long) - len(short) + 1)
        if short != long and long[at : at + len(short)] == short
    }
    by_text = dict(given)
    assert sorted(by_text[answer] for answer in kept(built)) == sorted(different - shorter)
    less = {"repeated": len(given) - len(different), "contained_in_another": len(shorter)}
    assert losses(built) == {step: number for step, number in less.items() if number}


@each("answers, left", [
    (["Paris", "Paris, France"], ["Paris, France"]),
    (["Paris", "France (Paris)"], ["France (Paris)"]),
    (["France", "(Paris) France"], ["(Paris) France"]),
    (["Europe", "France (Europe)", "Paris, France (Europe)"], ["Paris, France (Europe)"]),
    (["the Duke", "Hernández, «the Duke», a pitcher"], ["Hernández, «the Duke», a pitcher"]),
    (["El Duque", "Orlando “El Duque” Hernández"], ["Orlando “El Duque” Hernández"]),
    (["Orlando Hernández", "Orlando “El Duque” Hernández"], None),
    (["Rome", "Rome - capital of Italy"], ["Rome - capital of Italy"]),
    (["Rome capital", "Rome — capital of Italy"], ["Rome — capital of Italy"]),
    (["St Petersburg", "St. Petersburg, Russia"], ["St. Petersburg, Russia"]),
    (["1944", "June 6, 1944."], ["June 6, 1944."]),
    (["June 6 1944", "on June 6, 1944"], ["on June 6, 1944"]),
    (["3", "3.5"], None),
    (["5", "3.5 km"], None),
    (["3.5", "3.5, or more"], ["3.5, or more"]),
    (["1", "1,000"], None),
    (["5", "-5 degrees"], None),
    (["5", "about (5)"], ["about (5)"]),
    ([".5", "0.5"], None),
    (["50", "50% of all"], None),
    (["50", "50 % of all"], ["50 % of all"]),
    (["C", "C#, a language"], None),
    (["C#", "C#, a language"], ["C#, a language"]),
    (["Neill", "O'Neill"], None),
    (["Benz", "Mercedes-Benz"], None),
    (["Procter Gamble", "Procter & Gamble"], None),
    (["Paris?", "(Paris), France!"], ["(Paris), France!"]),
])  # fmt: skip
def test_punctuation_does_not_matter_to_it(answers: list[str], left: list[str] | None) -> None:
    for order in (answers, answers[::-1]):
        assert left_of(order) == {*(answers if left is None else left)}


LONG = ["." * 100_000, "-." * 50_000 + "5", "(" * 100_000, "1." * 50_000, ". " * 50_000]


@pytest.mark.slow
def test_odd_words_take_no_square_of_their_length() -> None:
    built = built_of(table(rows_of(LONG)))
    assert losses(built) == {"void": 3} and {*kept(built)} == {LONG[1], LONG[3]}


@pytest.mark.slow
def test_many_answers_do_not_take_the_square_of_their_number() -> None:
    """By pairs these would take hours; see that they are right, and that the test ends."""
    chain = [" ".join(["a"] * n) for n in range(1, 600)]
    assert left_of(chain) == {chain[-1]}
    many = [f"name{n} of place{n % 977}" for n in range(100_000)]
    few = [f"of place{n}" for n in range(977)] + ["of place 1", "name1", "name100000"]
    assert left_of([*many, *few]) == {*many, "of place 1", "name100000"}


@each("answer, same", [
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
    ("Paris, France", "Paris France"),
    ("Paris (France)", "paris, «France»"),
    ("Paris - France", "Paris, France"),
    ("St. Petersburg", "St Petersburg"),
    ("June 6, 1944", "june 6 1944"),
    ("«El Duque», - 'x' — …", "el duque x"),
    ("3.5 1,000.5, (7) 8.", "3.5 1,000.5 7 8"),
    ("-5 .5 -.5 '-5' - 6", "-5 .5 -.5 -5 6"),
    ("50% 50 % # C# §5 AT&T!", "50% 50 % # c# §5 at&t"),
    ("($5) 5€, +5.", "$5 5€ +5"),
    ("24.12.1904. 22-10-1946, 24/04/1904", "24.12.1904 22-10-1946 24/04/1904"),
    ("O'Neill's dogs' l'Aquila", "o'neill's dogs l'aquila"),
])  # fmt: skip
def test_answers_that_count_as_the_same(answer: str, same: str) -> None:
    assert losses(built_of(table(rows_of([answer, same])))) == {"repeated": 1}


@each("answer, other", [
    ("5", "-5"),
    ("5", ".5"),
    ("50", "50 %"),
    ("C", "C#"),
    ("don't", "dont"),
    ("São", "Sao"),
    ("a-b", "a b"),
    ("%", "#"),
    ("$5", "5"),
    ("3.5", "3 5"),
    ("1,000", "1000"),
    ("minus -5", "minus 5"),
    ("50 % of all", "50 of all"),
    ("Procter & Gamble", "Procter Gamble"),
    ("Paris, France", "ParisFrance"),
])  # fmt: skip
def test_answers_that_differ(answer: str, other: str) -> None:
    assert "repeated" not in losses(built_of(table(rows_of([answer, other]))))


@fuzzed
@given(st.text(st.characters(categories=["L", "M", "N", "P", "S", "Zs"]), min_size=1))
def test_an_answer_is_the_same_in_any_form_of_unicode(answer: str) -> None:
    built = built_of(table(rows_of([answer, unicodedata.normalize("NFD", answer)])))
    assert losses(built) in ({"repeated": 1}, {"void": 2}, {"nil": 2})
