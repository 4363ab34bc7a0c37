"""Words, repeated and contained answers, compared with a check of every pair."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ave_score.tasks.build_candidates import contained, natural_key
from ave_score.tasks.build_words import normalised, parts, words
from tests import examples
from tests.helpers_build import Row, built_of, losses, table
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


@settings(fuzzed, max_examples=examples(500))
@given(st.lists(st.lists(st.sampled_from("aabc"), min_size=1, max_size=7).map(" ".join)))
def test_contained_answers_are_those_that_a_comparison_of_pairs_finds(answers: list[str]) -> None:
    assert contained(answers) == contained_by_pairs(answers)


# --- words, of answers that are put together from words and punctuation ---------------------------

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


def rows_of(answers: list[str]) -> list[Row]:
    return [("1", "qa", "R", "", answer, "Text.", "") for answer in answers]


@settings(fuzzed, max_examples=examples(400))
@given(st.lists(ANSWERS, min_size=1, max_size=12))
@pytest.mark.slow
def test_answers_are_left_out_by_their_words_whatever_the_punctuation(given: list[Written]) -> None:
    """All that is compared here are the words that the answers were made of, pair by pair."""
    built, _ = built_of(table(rows_of([said for said, _ in given])))
    different = {made_of for _, made_of in given}
    shorter = {
        short
        for short in different
        for long in different
        for at in range(len(long) - len(short) + 1)
        if short != long and long[at : at + len(short)] == short
    }
    by_text = dict(given)
    kept = [by_text[one.answer] for one in built.questions[0].answers]
    assert sorted(kept) == sorted(different - shorter)
    less = {
        "repeated": len(given) - len(different),
        "contained_in_another": len(shorter),
    }
    assert losses(built) == {step: number for step, number in less.items() if number}


@pytest.mark.parametrize(
    ("answers", "left"),
    [
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
    ],
    ids=str,
)
def test_an_answer_is_contained_whatever_the_punctuation(
    answers: list[str], left: list[str] | None
) -> None:
    for order in (answers, answers[::-1]):
        built, _ = built_of(table(rows_of(order)))
        kept = {one.answer for one in built.questions[0].answers}
        assert kept == {*(answers if left is None else left)}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Paris, France", "paris|france"),
        ("France (Paris)", "france|paris"),
        ("«El Duque», - 'x' — …", "el|duque|x"),
        ("3.5 1,000.5, (7) 8.", "3.5|1,000.5|7|8"),
        ("-5 .5 -.5 '-5' - 5", "-5|.5|-.5|-5|5"),
        ("50% 50 % # C# §5 AT&T", "50%|50|%|#|c#|§5|at&t"),
        ("$5 5€ +5", "$5|5€|+5"),
        ("24.12.1904. 22-10-1946, 24/04/1904", "24.12.1904|22-10-1946|24/04/1904"),
        ("O'Neill's dogs' l'Aquila", "o'neill's|dogs|l'aquila"),
        ("? ... -", ""),
        ("", ""),
    ],
)
def test_words(text: str, expected: str) -> None:
    assert "|".join(words(text)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It costs 1,5 euro.", "it|costs|1,5|euro"),
        ("3.5 million, 1.000,5 and 12.5.1944.", "3.5|million|1.000,5|and|12.5.1944"),
        ("-5 °C, 3-5, .5", "-5|c|3|5|.5"),
        ("$5 50% (50 %)", "5|50|50"),
        ("l'Aquila Rome-based Paris,France", "l|aquila|rome|based|paris|france"),
        ("a.b 3.b b.3", "a|b|3|b|b|3"),
        ("1,5m x2.5y 1..5 1.,5", "1,5m|x2.5y|1|5|1|5"),
    ],
)
def test_parts_of_words(text: str, expected: str) -> None:
    assert "|".join(parts(text)) == expected


ODD = ["." * 100_000, "-." * 50_000 + "5", "(" * 100_000, "1." * 50_000, ". " * 50_000]


@pytest.mark.parametrize("text", ODD, ids=lambda text: text[:2])
@pytest.mark.slow
def test_odd_words_take_no_square_of_their_length(text: str) -> None:
    assert len(words(text)) == ("5" in text or "1" in text)
    assert len(parts(text)) == len(words(text))


@pytest.mark.slow
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
        ("Paris, France", "Paris France"),
        ("Paris (France)", "paris, «France»"),
        ("Paris - France", "Paris, France"),
        ("St. Petersburg", "St Petersburg"),
        ("June 6, 1944", "june 6 1944"),
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
        ("3.5", "3 5"),
        ("1,000", "1000"),
        ("minus -5", "minus 5"),
        ("50 % of all", "50 of all"),
        ("Procter & Gamble", "Procter Gamble"),
        ("Paris, France", "ParisFrance"),
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
    assert normalised(once) == once or not words(answer)


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
