"""Supporting texts from documents: sentences, the chosen passage, the folder."""

from __future__ import annotations

import gzip
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

import ave_score
from ave_score import Built, DefectError, InputError, UsageError
from tests import each, slow
from tests.helpers_build import Row, built_of, findings_of, losses, table
from tests.helpers_command import ave
from tests.helpers_files import Position, fuzzed, put

CAPITAL = """\
Norland is an island in the far north. It was settled from Ormond.
The largest town is Ormond, but the
capital of Norland is Marrow Bay. Its harbour freezes every winter.

Ships go to Ormond twice a week.
"""
QUESTIONS = "q_id\tquestion\tlang\n1\tWhat is the capital of Norland?\tEN\n"


def passage(text: str, answer: str, question: str = "", most: int = 700) -> str | None:
    """Return the text of an answer, of at most so many characters, from a document."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        put(folder, text, "D.txt")
        built = built_of(
            table([about(answer, "D")]),
            questions=f"q_id\tquestion\tlang\n1\t{question or '?'}\tEN\n",
            documents=folder,
            max_text=most,
        )
    return built.questions[0].answers[0].text if built.questions else None


def about(answer: str, doc: str, text: str = "") -> Row:
    return "1", "qa", "R", "", answer, text, doc


@each("text, expected", [
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
])  # fmt: skip
def test_sentences(text: str, expected: list[str]) -> None:
    """With room for one sentence only, the passage of its last word is the sentence."""
    for sentence in expected:
        word = sentence.split()[-1]
        assert passage(text, word, most=len(sentence)) == sentence


@fuzzed
@given(st.text(alphabet="aB. \n!?…»", max_size=60))
def test_no_letter_is_lost_between_sentences(text: str) -> None:
    assert passage(f"First {text}", "first") == " ".join(f"First {text}".split())


@pytest.mark.parametrize("text", [
    "." * 200_000,
    slow("a" + "\n" * 200_000),
    slow("!»" * 100_000),
    slow(" " * 200_000),
    "A. " * 60_000,
])  # fmt: skip
def test_odd_documents_take_no_square_of_their_length(text: str) -> None:
    assert passage(text, "nothing of the kind") is None


LONG = f"Rome {'x' * 600}."


@each("text, answer, question, most, expected", [
    # Ormond stands in sentences 2, 3 and 5; only 3 has words of the question (both)
    (CAPITAL, "Ormond", "capital norland", 700,
     "The largest town is Ormond, but the capital of Norland is Marrow Bay. Its harbour freezes "
     "every winter. Ships go to Ormond twice a week."),
    # of equal sentences the first
    ("Rome is old. Rome is big. Rome is loud.", "rome", "big loud", 20, "Rome is big."),
    ("Rome is old. Rome is big. Rome is loud.", "rome", "", 20, "Rome is old."),
    # a word counts once
    ("Rome, old, old, old. Rome, old and big.", "Rome", "old big", 22, "Rome, old and big."),
    # a long sentence is whole, and nothing comes after one that does not fit
    (f"{LONG} Short.", "Rome", "", 700, LONG),
    (f"Rome is. {'X' * 600}. Short.", "Rome", "", 700, "Rome is."),
    # over the end of a sentence both
    ("He was born in St. Petersburg. He died there. In Petersburg, that is.", "St. Petersburg", "",
     30, "He was born in St. Petersburg."),
])  # fmt: skip
def test_a_passage(text: str, answer: str, question: str, most: int, expected: str) -> None:
    assert passage(text, answer, question, most) == expected


@each("most, added", [(13, 1), (14, 2), (20, 2), (21, 3), (500, 4)])
def test_sentences_are_added_as_long_as_there_is_room(most: int, added: int) -> None:
    """6, 7, 6 and 2 characters, with a blank between: 6, 14, 21, 24."""
    parts = ["Aa a1.", "Bbb b2.", "Cc c3.", "D."]
    assert passage(" ".join(parts), "a1", most=most) == " ".join(parts[:added])


@each("text, answer, found", [
    (CAPITAL, "marrow bay", True),
    (CAPITAL, "«Marrow Bay»!", True),
    (CAPITAL, "Marrow  Bay", True),
    (CAPITAL, "Marro", False),
    (CAPITAL, "Bay Marrow", False),
    (CAPITAL, "Ormond, but", True),
    (CAPITAL, "land", False),
    (CAPITAL, "but the capital", True),  # over the end of a line
    (CAPITAL, "Ormond The", True),  # over the end of a sentence
    (CAPITAL, "north It was", True),
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
    ("Il dit l'Aquila.", "Aquila", True),
    ("The Rome-based one.", "based", True),
    ("Paris,France it is.", "France", True),
    ("It has 1,5m of it.", "1", False),
    ("It has x2.5y of it.", "5y", False),
    ("It has 1..5 of it.", "5", True),
    ("It has 3.b of it.", "b", True),
    ("On 12.5.1944 it was.", "1944", False),
    ("From 3-5 of it.", "5", True),
])  # fmt: skip
def test_an_answer_is_found_whatever_the_punctuation_but_no_number_in_another(
    text: str, answer: str, found: bool
) -> None:
    assert (passage(text, answer) is not None) == found


WORDS = st.lists(st.sampled_from(["a", "b", "ab", "ba"]), max_size=4)


@fuzzed
@given(said=st.lists(WORDS, min_size=1, max_size=6), answer=st.sampled_from("ab"), question=WORDS)
def test_it_equals_a_plain_search(said: list[list[str]], answer: str, question: list[str]) -> None:
    """For answers of one word: every sentence looked at by itself."""
    sentences = [f"So {' '.join(words)}." for words in said]
    scored = [
        (-len({*words} & {*question}), at) for at, words in enumerate(said) if answer in words
    ]
    expected = None
    if scored:
        first = min(scored)[1]
        expected = sentences[first]
        for following in sentences[first + 1 :]:
            if len(f"{expected} {following}") > 20:
                break
            expected = f"{expected} {following}"
    found = passage(" ".join(sentences), answer, " ".join(question), most=20)
    assert found == expected


TIED = "What is in it: Ormond. Capital: Ormond."
"""Of both sentences, one shares stop words of English with the question, the other a word."""


def in_language(folder: Path, lang: str) -> str:
    """Return the text of an answer to an English question that has a code of language."""
    put(folder, TIED, "D.txt")
    questions = f"q_id\tquestion\tlang\n1\tWhat is the capital of it?\t{lang}\n"
    rows = table([about("Ormond", "D")])
    built = built_of(rows, questions=questions, documents=folder, max_text=25)
    return built.questions[0].answers[0].text


@pytest.mark.parametrize("lang", ["EN", "en", "en-GB", "en_US"])
def test_the_language_of_a_question_is_known_by_its_code(tmp_path: Path, lang: str) -> None:
    assert in_language(tmp_path, lang) == "Capital: Ormond."


@pytest.mark.parametrize("lang", ["bg", "de", "es", "eu", "fr", "it", "nl", "pt", "ro"])
def test_every_language_of_the_exercise_has_stop_words(tmp_path: Path, lang: str) -> None:
    assert in_language(tmp_path, lang) == "What is in it: Ormond."


def test_a_question_without_a_language_is_no_guess(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="set it with lang"):
        in_language(tmp_path, "")


def test_all_words_count_in_a_language_without_stop_words(tmp_path: Path) -> None:
    assert in_language(tmp_path, "fi-FI") == "What is in it: Ormond."
    put(tmp_path, "q_id\tquestion\tlang\n1\tWhat is the capital of it?\tfi\n", "questions.tsv")
    put(tmp_path, table([about("Ormond", "D")]), "judged.tsv")
    named = ["--questions", str(tmp_path / "questions.tsv"), "--documents", str(tmp_path)]
    said = ave("build", str(tmp_path / "judged.tsv"), *named, code=0).err
    assert "Function words of fi are not known: texts are chosen by all words." in said


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "documents"
    made.mkdir()
    put(made, CAPITAL, "D1.txt")
    put(made, gzip.compress(CAPITAL.encode()), "D2.txt.gz")
    put(made, "\ufeffIt is Ormond.\r\nYes.\x0b\x00 So.", "D3.txt")
    put(tmp_path, "The secret is Ormond.", "outside.txt")
    return made


def extracted(folder: Path, *rows: Row, max_text: int = 700) -> Built:
    return built_of(table(rows), questions=QUESTIONS, documents=folder, max_text=max_text)


def codes_of(folder: Path, *rows: Row) -> list[Position]:
    options = ["--documents", str(folder)]
    return [place for _, place, _ in findings_of(table(rows), questions=QUESTIONS, options=options)]


@pytest.mark.parametrize("doc", ["D1", "D2"])
def test_a_row_with_a_document_only_gets_its_text_from_there(folder: Path, doc: str) -> None:
    rows = about("Ormond", doc), about("Bonn", doc, "Given.")
    built = extracted(folder, *rows)
    assert not codes_of(folder, *rows)
    given_text, found = built.questions[0].answers
    assert (given_text.answer, given_text.text) == ("Bonn", "Given.")
    assert found.text.startswith("The largest town is Ormond, but the capital of Norland is")
    assert found.doc == doc


def test_what_xml_cannot_hold_does_not_get_out_of_a_document(folder: Path) -> None:
    built = extracted(folder, about("Ormond", "D3"))
    assert built.questions[0].answers[0].text == "It is Ormond. Yes. So."


def test_missing_texts_documents_and_answers_are_counted_separately(folder: Path) -> None:
    rows = [about("a", ""), about("b", "D7"), about("c", "D7"), about("Paris", "D1")]
    rows.append(about("Ormond", "D1"))
    built = extracted(folder, *rows)
    assert losses(built) == {"without_a_text": 1, "document_missing": 2, "not_in_its_document": 1}
    assert codes_of(folder, *rows) == [("AVE525", 3, len("1\tqa\tR\t\tb\t\t") + 1)]
    assert built.left == 1


def test_a_first_sentence_that_is_too_long_is_counted_as_too_long(folder: Path) -> None:
    built = extracted(folder, about("Ormond", "D1"), about("x", "D1", "y"), max_text=60)
    assert losses(built) == {"text_too_long": 1}  # that sentence has 69 characters


HOSTILE = [
    "../outside", "..", ".", "/etc/passwd", "a/../../outside", "..\\outside", "C:outside",
    ".hidden", "documents/../../outside", "\\\\server\\share", "~/../x",
]  # fmt: skip


@pytest.mark.parametrize("doc", HOSTILE)
def test_a_document_never_leads_out_of_the_folder(folder: Path, doc: str) -> None:
    with pytest.raises(DefectError) as error:
        extracted(folder, about("Ormond", doc), about("x", "D1", "y"))
    assert [one.rule.code for one in error.value.findings] == ["AVE524"]


@fuzzed
@given(st.lists(st.sampled_from(["outside", "documents", "..", ".", "/", "\\", "C:", "D1", "~"])))
def test_whatever_a_document_is_called_nothing_outside_is_read(
    folder: Path, pieces: list[str]
) -> None:
    try:
        built = extracted(folder, about("Ormond", "".join(pieces)), about("x", "D1", "y"))
    except DefectError:
        return
    assert "secret" not in str(built.questions)


@pytest.mark.parametrize("doc", ["x" * 300, "x" * 5_000, "~", "a b", "*", "D?", "$HOME", "-"])
def test_other_odd_names_are_only_missing(folder: Path, doc: str) -> None:
    built = extracted(folder, about("Ormond", doc))
    assert [code for code, _, _ in codes_of(folder, about("Ormond", doc))] == ["AVE525"]
    assert losses(built) == {"document_missing": 1}


def test_a_document_that_cannot_be_read_ends_the_command(folder: Path) -> None:
    put(folder, "Ormondé".encode("latin-1"), "D4.txt")
    (folder / "D5.txt").mkdir()
    put(folder, gzip.compress(b"x" * ((16 << 20) + 1)), "D6.txt.gz")
    put(folder, gzip.compress(CAPITAL.encode())[:-9], "D7.txt.gz")
    for doc, reason in (
        ("D4", "is not UTF-8"),
        ("D5", "is a directory"),
        ("D6", "holds more than 16 MiB"),
        ("D7", "cannot be decompressed"),
    ):
        with pytest.raises(InputError, match=reason):
            extracted(folder, about("Ormond", doc))


@pytest.mark.parametrize("path", ["", "none", "documents/D1.txt", "a\0b", "x" * 5_000])
def test_another_path_than_a_folder_is_refused(
    folder: Path, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    monkeypatch.chdir(folder.parent)
    with pytest.raises(InputError, match="is not a folder of documents"):
        ave_score.build(put(folder, table([about("x", "D1")]), "1.tsv"), documents=path)
