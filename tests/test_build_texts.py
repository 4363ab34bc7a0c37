"""Supporting texts from documents: sentences, the chosen passage, the folder."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ave_score.core.errors import InputError, UsageError
from ave_score.core.findings import Findings
from ave_score.files.documents import MAX_DOCUMENT, Documents, is_name
from ave_score.files.questions import Question
from ave_score.tasks.build import Built
from ave_score.tasks.build_passages import (
    MAX_PASSAGE,
    Extraction,
    Passages,
    sentences,
    stop_words,
    stop_words_for,
)
from ave_score.tasks.build_words import parts
from tests.helpers_build import Row, built_of, losses, table
from tests.helpers_files import fuzzed, positions, put

CAPITAL = """\
Norland is an island in the far north. It was settled from Ormond.
The largest town is Ormond, but the
capital of Norland is Marrow Bay. Its harbour freezes every winter.

Ships go to Ormond twice a week.
"""
QUESTIONS = "q_id\tquestion\tlang\n1\tWhat is the capital of Norland?\tEN\n"


# --- sentences ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("One. Two! Three? Four… Five", ["One.", "Two!", "Three?", "Four…", "Five"]),
        ("He said «No.» Then he left.", ["He said «No.»", "Then he left."]),
        ("It is 4.2 km long. 5 of them.", ["It is 4.2 km long.", "5 of them."]),
        ("See e.g. the map. So.", ["See e.g. the map.", "So."]),
        ("By J. Smith. Then K. L. Jones.", ["By J. Smith.", "Then K. L. Jones."]),
        ("One\ntwo\n\nThree", ["One two", "Three"]),
        ("One\n \t\n\n\nTwo.\n", ["One", "Two."]),
        ("Wait... what? Yes.", ["Wait... what?", "Yes."]),
        ("Wait... What?", ["Wait...", "What?"]),
        ("¿Quién? ¡Él!", ["¿Quién?", "¡Él!"]),
        ("Той. Ще дойде.", ["Той.", "Ще дойде."]),
        ("", []),
        (" \n\n ", []),
    ],
)
def test_sentences(text: str, expected: list[str]) -> None:
    assert list(sentences(text)) == expected


@fuzzed
@given(st.text(alphabet="aB. \n!?…»", max_size=60))
def test_no_letter_is_lost_between_sentences(text: str) -> None:
    assert " ".join(sentences(text)) == " ".join(text.split())


@pytest.mark.parametrize(
    "text", ["." * 200_000, "a" + "\n" * 200_000, "!»" * 100_000, " " * 200_000, "A. " * 60_000]
)
def test_odd_documents_take_no_square_of_their_length(text: str) -> None:
    assert Passages(text).passage("nothing of the kind", frozenset()) is None


# --- the passage ----------------------------------------------------------------------------------


def passage(text: str, answer: str, question: str = "", most: int = MAX_PASSAGE) -> str | None:
    return Passages(text).passage(answer, frozenset(question.split()), most)


def test_the_sentence_with_most_words_of_the_question_is_chosen_and_the_next_are_added() -> None:
    """Ormond stands in sentences 2, 3 and 5; only 3 has words of the question (both)."""
    assert passage(CAPITAL, "Ormond", "capital norland") == (
        "The largest town is Ormond, but the capital of Norland is Marrow Bay. Its harbour freezes "
        "every winter. Ships go to Ormond twice a week."
    )


def test_of_equal_sentences_the_first_is_chosen() -> None:
    text = "Rome is old. Rome is big. Rome is loud."
    assert passage(text, "rome", "big loud", most=20) == "Rome is big."
    assert passage(text, "rome", "", most=20) == "Rome is old."


def test_a_word_counts_once() -> None:
    text = "Rome, old, old, old. Rome, old and big."
    assert passage(text, "Rome", "old big", most=1) == "Rome, old and big."


@pytest.mark.parametrize(("most", "added"), [(13, 1), (14, 2), (20, 2), (21, 3), (500, 4)])
def test_sentences_are_added_as_long_as_there_is_room(most: int, added: int) -> None:
    """6, 7, 6 and 2 characters, with a blank between: 6, 14, 21, 24."""
    parts = ["Aa a1.", "Bbb b2.", "Cc c3.", "D."]
    assert passage(" ".join(parts), "a1", most=most) == " ".join(parts[:added])


def test_a_long_sentence_is_included_whole_and_nothing_after_a_sentence_that_does_not_fit() -> None:
    long = f"Rome {'x' * 600}."
    assert passage(f"{long} Short.", "Rome") == long
    assert passage(f"Rome is. {'X' * 600}. Short.", "Rome") == "Rome is."


@pytest.mark.parametrize(
    ("answer", "found"),
    [
        ("marrow bay", True),
        ("«Marrow Bay»!", True),
        ("Marrow  Bay", True),
        ("Marro", False),
        ("Bay Marrow", False),
        ("Ormond, but", True),
        ("land", False),
        ("but the capital", True),  # over the end of a line
        ("Ormond The", True),  # over the end of a sentence
        ("?", False),
        ("north It was", True),
    ],
)
def test_an_answer_is_found_by_its_words(answer: str, found: bool) -> None:
    assert (passage(CAPITAL, answer) is not None) == found


@pytest.mark.parametrize(
    ("text", "answer", "found"),
    [
        ("It costs 1,5 euro.", "5", False),
        ("It costs 1,5 euro.", "1", False),
        ("It costs 1,5 euro.", "1,5", True),
        ("It costs 1,5 euro.", "1.5", False),
        ("There are 3.5 million.", "3,5", False),
        ("There are 3.5 million.", "3.5 million", True),
        ("There are 3.5 million.", "5 million", False),
        ("There are 1.000.000 people.", "000", False),
        ("There are 1.000.000 people.", "1.000.000", True),
        ("There are 5. Million people.", "5 million", True),
        ("There are 2, 5, and 7.", "5", True),
        ("It is -5 °C.", "5", False),
        ("It is -5 °C.", "-5", True),
        ("From 1914-1918.", "1918", True),
        ("It is 50%.", "50 %", True),
        ("It is 50 % of $3.", "50% of 3$", True),
        ("Norland's capital is Marrow-Bay.", "Norland", True),
        ("Norland's capital is Marrow-Bay.", "Marrow Bay", True),
        ("Il parle de l’Italie.", "Italie", True),
        ("In Paris, France, it is.", "Paris (France)", True),
        ("In Paris—France—it is.", "France", True),
    ],
)
def test_an_answer_is_found_whatever_the_punctuation_but_no_number_in_another(
    text: str, answer: str, found: bool
) -> None:
    assert (passage(text, answer) is not None) == found


def test_an_answer_over_the_end_of_a_sentence_gets_both() -> None:
    text = "He was born in St. Petersburg. He died there. In Petersburg, that is."
    assert passage(text, "St. Petersburg", most=1) == "He was born in St. Petersburg."


@fuzzed
@given(
    text=st.text(alphabet="ab .A\n", max_size=60),
    answer=st.text(alphabet="ab", min_size=1, max_size=2),
    question=st.text(alphabet="ab ", max_size=8),
)
def test_the_passage_equals_that_of_a_plain_search(text: str, answer: str, question: str) -> None:
    """For answers of one word: every sentence looked at by itself."""
    said = list(sentences(text))
    wanted = frozenset(question.split())
    best = -1
    expected: str | None = None
    for at, sentence in enumerate(said):
        score = len(wanted & {*parts(sentence)})
        if answer in parts(sentence) and score > best:
            best, expected = score, sentence
            for following in said[at + 1 :]:
                if len(f"{expected} {following}") > 12:
                    break
                expected = f"{expected} {following}"
    assert Passages(text).passage(answer, wanted, 12) == expected


# --- stop words -----------------------------------------------------------------------------------


def test_every_language_of_the_exercise_has_stop_words() -> None:
    assert {*stop_words()} == {"bg", "de", "en", "es", "eu", "fr", "it", "nl", "pt", "ro"}
    for listed in stop_words().values():
        assert 40 <= len(listed) <= 100
    assert {"what", "is", "the", "of"} <= stop_words()["en"]
    assert {"l", "qu", "d"} <= stop_words()["fr"]
    assert "capital" not in stop_words()["en"]


@pytest.mark.parametrize("lang", ["EN", "en", "en-GB", "en_US"])
def test_the_language_of_a_question_is_known_by_its_code(lang: str) -> None:
    assert stop_words_for(Question("1", lang=lang)) == stop_words()["en"]


@pytest.mark.parametrize(("lang", "message"), [("", "--lang"), ("xx", "only for bg, de, en")])
def test_a_language_without_stop_words_is_no_guess(lang: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        stop_words_for(Question("1", lang=lang))


# --- the folder -----------------------------------------------------------------------------------


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "documents"
    made.mkdir()
    put(made, CAPITAL, "D1.txt")
    put(made, gzip.compress(CAPITAL.encode()), "D2.txt.gz")
    put(made, "\ufeffIt is Ormond.\r\nYes.\x0b\x00 So.", "D3.txt")
    put(tmp_path, "The secret is Ormond.", "outside.txt")
    return made


def extracted(folder: Path, *rows: Row, max_text: int = 700) -> tuple[Built, Findings]:
    extraction = Extraction(Documents(str(folder)), stop_words_for)
    built, (findings,) = built_of(
        table(rows), questions=QUESTIONS, extraction=extraction, max_text=max_text
    )
    return built, findings


def about(answer: str, doc: str, text: str = "") -> Row:
    return "1", "qa", "R", "", answer, text, doc


@pytest.mark.parametrize("doc", ["D1", "D2"])
def test_a_row_with_a_document_only_gets_its_text_from_there(folder: Path, doc: str) -> None:
    built, findings = extracted(folder, about("Ormond", doc), about("Bonn", doc, "Given."))
    assert not len(findings)
    given_text, found = built.questions[0].answers
    assert (given_text.answer, given_text.text) == ("Bonn", "Given.")
    assert found.text.startswith("The largest town is Ormond, but the capital of Norland is")
    assert found.doc == doc


def test_what_xml_cannot_hold_does_not_get_out_of_a_document(folder: Path) -> None:
    built, _ = extracted(folder, about("Ormond", "D3"))
    assert built.questions[0].answers[0].text == "It is Ormond. Yes. So."


def test_missing_texts_documents_and_answers_are_counted_separately(folder: Path) -> None:
    rows = [about("a", ""), about("b", "D7"), about("c", "D7"), about("Paris", "D1")]
    built, findings = extracted(folder, *rows, about("Ormond", "D1"))
    assert losses(built) == {"without_a_text": 1, "document_missing": 2, "not_in_its_document": 1}
    assert positions(findings) == [("AVE525", 3, len("1\tqa\tR\t\tb\t\t") + 1)]
    assert built.left == 1


def test_a_first_sentence_that_is_too_long_is_counted_as_too_long(folder: Path) -> None:
    built, _ = extracted(folder, about("Ormond", "D1"), about("x", "D1", "y"), max_text=60)
    assert losses(built) == {"text_too_long": 1}  # that sentence has 69 characters


HOSTILE = [
    "../outside", "..", ".", "/etc/passwd", "a/../../outside", "..\\outside", "C:outside",
    ".hidden", "documents/../../outside", "\\\\server\\share", "~/../x",
]  # fmt: skip


@pytest.mark.parametrize("doc", HOSTILE)
def test_a_document_never_leads_out_of_the_folder(folder: Path, doc: str) -> None:
    assert not is_name(doc)
    with pytest.raises(ValueError, match="no name of a document"):
        Documents(str(folder)).text(doc)
    built, findings = extracted(folder, about("Ormond", doc), about("x", "D1", "y"))
    assert [code for code, _, _ in positions(findings)] == ["AVE524"]
    assert findings.errors
    assert "secret" not in str(built.questions)


@fuzzed
@given(st.text(max_size=20))
def test_any_name_that_is_taken_stays_in_the_folder(folder: Path, doc: str) -> None:
    if is_name(doc):
        assert (folder / f"{doc}.txt").resolve().parent == folder.resolve()


@pytest.mark.parametrize("doc", ["x" * 300, "x" * 5_000, "~", "a b", "*", "D?", "$HOME", "-"])
def test_other_odd_names_are_only_missing(folder: Path, doc: str) -> None:
    built, findings = extracted(folder, about("Ormond", doc))
    assert [code for code, _, _ in positions(findings)] == ["AVE525"]
    assert losses(built) == {"document_missing": 1}


def test_a_document_that_cannot_be_read_ends_the_command(folder: Path) -> None:
    put(folder, "Ormondé".encode("latin-1"), "D4.txt")
    (folder / "D5.txt").mkdir()
    put(folder, gzip.compress(b"x" * (MAX_DOCUMENT + 1)), "D6.txt.gz")
    put(folder, gzip.compress(CAPITAL.encode())[:-9], "D7.txt.gz")
    documents = Documents(str(folder))
    for doc, reason in (
        ("D4", "is not UTF-8"),
        ("D5", "is a directory"),
        ("D6", "holds more than 16 MiB"),
        ("D7", "cannot be decompressed"),
    ):
        with pytest.raises(InputError, match=reason):
            documents.text(doc)


@pytest.mark.parametrize("path", ["", "none", "documents/D1.txt", "a\0b", "x" * 5_000])
def test_another_path_than_a_folder_is_refused(
    folder: Path, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    monkeypatch.chdir(folder.parent)
    with pytest.raises(InputError, match="is not a folder of documents"):
        Documents(path)
