"""Labels of answers, verdicts on them, and the outcomes of questions."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum, IntEnum, StrEnum

from ave_score.core.text import did_you_mean, nearest


class Label(IntEnum):
    """The gold label of an answer; the value is its code in `Collection.labels`."""

    REJECTED = 0
    VALIDATED = 1
    UNKNOWN = 2
    NONE = 3  # a test file without labels


class Verdict(IntEnum):
    """A run's verdict on an answer; the value is its code in `Run.verdicts`."""

    MISSING = 0
    REJECTED = 1
    VALIDATED = 2
    SELECTED = 3
    UNREADABLE = 4  # the run has a line for the answer, but the line has a finding
    OPEN = 5  # of a pair, on which the run does not decide


# --- words: every reader, writer and report takes them from here ----------------------------------

VERDICTS = {verdict.name: verdict.value for verdict in (Verdict(3), Verdict(2), Verdict(1))}
"""The words of a run file and their codes."""

LABELS = {label.name: label.value for label in (Label(1), Label(0), Label(2))}
"""The words of a gold file and their codes."""

RIGHT, WRONG, WITHHELD, UNJUDGED = JUDGED = ("right", "wrong", "withheld", "unjudged")
"""What a scorer of a log says of an answer."""

MEANINGS = frozenset([*VERDICTS, *LABELS, *JUDGED])
"""What other words of a run, a collection or a log may mean."""

PAIR_WORDS = {"VALIDATED": "YES", "REJECTED": "NO"}
"""Verdict or label -> what runs and gold files of text-hypothesis pairs (AVE 2006) call it."""

PAIR_VERDICTS = {PAIR_WORDS[word]: VERDICTS[word] for word in PAIR_WORDS}
"""The words of a run of pairs and their codes."""

OPTION_LABELS = {PAIR_WORDS[word]: LABELS[word] for word in PAIR_WORDS}
"""The words of whether an option is the correct answer (QA4MRE), and their codes."""

PAIR_LABELS = {PAIR_WORDS.get(word, word): code for word, code in LABELS.items()} | {
    "TRUE": Label.VALIDATED.value,
    "FALSE": Label.REJECTED.value,
}
"""The words of a gold file of pairs: YES and NO at AVE 2006, TRUE and FALSE in SPARTE."""

VERDICT_WORDS = {verdict.value: verdict.name for verdict in Verdict}
LABEL_WORDS = {label.value: label.name for label in Label} | {Label.NONE.value: None}
"""The words of the codes of verdicts and labels."""

PAIR_VERDICT_WORDS = {code: word for word, code in PAIR_VERDICTS.items()} | {
    Verdict.SELECTED.value: PAIR_WORDS["VALIDATED"],
    Verdict.OPEN.value: Verdict.OPEN.name,
}
PAIR_LABEL_WORDS = LABEL_WORDS | {LABELS[word]: said for word, said in PAIR_WORDS.items()}
"""The same of pairs, of which none is selected."""

OTHER_LABELS = frozenset([*PAIR_LABELS, "CORRECT", "INCORRECT"])
"""Labels of gold and judged files that are no verdicts of runs about answers."""

TRANSLATIONS = {
    translation: verdict.name
    for verdict, translations in {
        Verdict.VALIDATED: ("VALIDADA", "VALIDADO", "VALID", "SI", "SÍ"),
        Verdict.REJECTED: ("RECHAZADA", "RECHAZADO", "INVALID"),
        Verdict.SELECTED: ("SELECCIONADA", "SELECCIONADO", "BEST"),
    }.items()
    for translation in translations
}
"""Words that people write -> the verdict to suggest."""

OPEN_CONFIDENCE = 0.5
"""The confidence of an open decision on a pair."""

ANSWERED = {"YES": True, "NO": False}
"""The words of whether a system answers a question."""

AT_RANDOM = "random"

HOW_LABELLED = {
    AT_RANDOM: "chosen at random",
    "verdict": "chosen by verdict",
    "weight": "chosen with known probabilities",
}
"""How answers were chosen for labels beside the verdicts of a judge, and how it is said."""

TRUTHS = {"true": True, "1": True, "yes": True, "false": False, "0": False, "no": False}
"""The words of a column of whether an answer is correct."""

TRUTH_WORDS = {True: "true", False: "false"}
"""The words to write there, and those of JSON."""

TRUTH_LABELS = {True: Label.VALIDATED, False: Label.REJECTED, None: Label.UNKNOWN}
"""Whether an answer is correct, if known -> its label."""

CORRECT_WORDS = {
    label.name: truth if truth is None else TRUTH_WORDS[truth]
    for truth, label in TRUTH_LABELS.items()
}
"""Label -> the word to write there."""


class Labels(Enum):
    """How labels are read."""

    IGNORED = "labels are not read"
    OPTIONAL = "labels are read if present"
    NEEDED = "an answer without one is a finding"


GRADE_DIGITS = 2
"""Digits of a grade: gains double with each grade."""


def label_facts(word: str, words: Iterable[str] = LABELS) -> dict[str, object]:
    """Return the facts of a finding about an unknown gold label."""
    hint = did_you_mean(nearest(word, words))
    return {"found": word, "expected": ", ".join(words), "hint": hint}


def grade_of(word: str) -> int | None:
    """Return a grade, None if it is not a whole number from 0 to 99."""
    is_grade = word.isascii() and word.isdigit() and len(word) <= GRADE_DIGITS
    return int(word) if is_grade else None


class Outcome(StrEnum):
    """The outcome of a question: the five cases of AVE 2008 (thesis 4.6-4.7)."""

    SELECTED_RIGHT = "selected_right"
    SELECTED_WRONG_ANSWERABLE = "selected_wrong_answerable"
    WITHHELD_ANSWERABLE = "withheld_answerable"
    SELECTED_WRONG_UNANSWERABLE = "selected_wrong_unanswerable"
    WITHHELD_UNANSWERABLE = "withheld_unanswerable"


class AnswerOutcome(StrEnum):
    """The outcome of a question for a system that may leave it unanswered (thesis, ch. 6).

    WITHHELD questions are unanswered, and the assessors judged the withheld answer.
    """

    ANSWERED_RIGHT = "answered_right"
    ANSWERED_WRONG = "answered_wrong"
    UNANSWERED = "unanswered"
    WITHHELD_RIGHT = "withheld_right"
    WITHHELD_WRONG = "withheld_wrong"
