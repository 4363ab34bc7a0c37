"""The questions of a page: what each run does on each question, as far as its readers may see."""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from typing import NamedTuple

from ave_score.core.exact import fixed, whole_as_int
from ave_score.core.labels import Label, Verdict
from ave_score.core.model import Collection, QARun, Run
from ave_score.core.policies import Policies, settle_unknown, settled_table
from ave_score.core.text import excerpt, visible
from ave_score.inference.units import Gold, Subject
from ave_score.pages.answers import PageAnswers
from ave_score.pages.outcomes import Mark, in_brief, marks_of, outcomes_of
from ave_score.tasks.replicates import singles

STATIC_QUESTIONS = 2_000
"""Questions of the largest table that the page contains; larger ones are drawn by its script."""

STATIC_CELLS, STATIC_VERDICTS, STATIC_CHARACTERS = 60_000, 20_000, 1_000_000
"""The most cells of that table, and the most verdicts and characters that are not packed."""


BUDGET, BYTES_OF_CELL = 4_500_000, 30
"""Bytes of all questions, and of a cell of the table: a page should stay below 5 MB."""

_UNSAID = Verdict.MISSING, Verdict.UNREADABLE
_VERDICTS = {verdict: "" if verdict in _UNSAID else verdict.name.lower() for verdict in Verdict}
"""The words of verdicts in the order of their codes, by which the page's script finds them."""


class ShownAnswer(NamedTuple):
    """A candidate answer, or the hypothesis of a pair."""

    a_id: str
    label: str
    text: str
    support: str
    doc: str


class Decision(NamedTuple):
    """What a run does on a question.

    `verdicts` are a word and a confidence for each candidate, `said` is the answer of a QA system.
    """

    run: str
    mark: Mark
    verdicts: Sequence[tuple[str, str]]
    said: str


class Detail(NamedTuple):
    """A question with its candidates and what each run does."""

    id: str
    text: str
    right: str
    candidates: Sequence[ShownAnswer]
    decisions: Sequence[Decision]


class QuestionRow(NamedTuple):
    """A question in the table of all: text, a mark for each run, and how many are right."""

    id: str
    text: str
    marks: Sequence[Mark]
    right: str


class Pack:
    """Parts of the data of a page, added in order of importance.

    Attributes
    ----------
    parts
        Name -> JSON, deflated, as base64.
    left_out
        What did not fit, in words.
    """

    def __init__(self, budget: int) -> None:
        self.parts: dict[str, str] = {}
        self.left_out: list[str] = []
        self._budget = budget

    def add(self, name: str, words: str, data: object) -> None:
        """Add a part if the page has room for it."""
        text = json.dumps(data, separators=(",", ":"), allow_nan=False, ensure_ascii=False)
        # lone surrogates were made visible; level 6 takes a third of the time of 9 for 1 % more
        packed = base64.b64encode(zlib.compress(text.encode(), 6)).decode("ascii")
        if len(packed) > self._budget:
            self.left_out.append(words)
        else:
            self._budget -= len(packed)
            self.parts[name] = packed


@dataclass
class Questions:
    """What a page shows of each question.

    Attributes
    ----------
    unit
        `question` or `pair`.
    runs
        The names of the runs.
    ids, texts
        The questions as they are shown and linked; no texts if there are none, or not to be seen.
    codes
        The codes of the outcomes of each run.
    has_details
        Whether questions can be looked at one by one.
    details
        The questions one by one, if the page contains them.
    counting
        How many of the runs, the first, are counted and filtered by; the others are folded.
    pack
        What the script of the page unpacks, if it needs anything.
    """

    unit: str
    runs: Sequence[str]
    ids: Sequence[str]
    texts: Sequence[str]
    codes: Sequence[Sequence[str]]
    has_details: bool
    counting: int
    details: Sequence[Detail] = ()
    pack: Pack = field(default_factory=lambda: Pack(0))

    @property
    def is_static(self) -> bool:
        """Whether the page contains the table of all questions."""
        number = len(self.ids)
        return number <= STATIC_QUESTIONS and number * len(self.runs) <= STATIC_CELLS

    @cached_property
    def marks(self) -> Sequence[Mark]:
        """The marks that occur, in the order of sorting."""
        return [*self._marks.values()]

    @cached_property
    def _marks(self) -> dict[str, Mark]:
        return marks_of(code for codes in self.codes for code in {*codes})

    @property
    def rows(self) -> Iterator[QuestionRow]:
        """The table of all questions, row by row."""
        texts = self.texts or [""] * len(self.ids)
        for name, text, codes in zip(self.ids, texts, zip(*self.codes, strict=True), strict=True):
            here = [self._marks[code] for code in codes]
            right = whole_as_int(sum(mark.right for mark in here[: self.counting]))
            shown = fixed(right, 0 if isinstance(right, int) else 2)
            yield QuestionRow(name, excerpt(text, 160), here, shown)

    @property
    def data(self) -> Mapping[str, object]:
        """What the script of the page has to know about the packed parts."""
        return {
            "runs": [*map(visible, self.runs)],
            "marks": self.marks,
            "details": self.has_details,
            "labels": [label.name for label in Label],
            "verdicts": [*_VERDICTS.values()],
        }


def questions_of(
    gold: Gold | None,
    subjects: Sequence[Subject],
    beside: Sequence[Subject],
    policies: Policies,
    *,
    sees_gold: bool,
) -> Questions | None:
    """Return what readers may see of each question.

    Parameters
    ----------
    gold
        The collection with its own labels; texts are shown if they were read.
    subjects
        The runs and systems whose outcomes the readers see, the best first.
    beside
        Others, which are folded and not counted.
    policies
        How they are scored.
    sees_gold
        Whether the readers see gold labels and texts; otherwise only what is right.

    Returns
    -------
    Questions or None
        None if there is nothing to show, as for responses to open questions and TREC runs.
    """
    counting, others = (
        [run for run in singles(one) if isinstance(run, Run | QARun)] for one in (subjects, beside)
    )
    runs = [*counting, *others]
    if not (isinstance(gold, Collection) and runs and gold.ids) or not gold.standard.has_decisions:
        return None
    table = settled_table(policies.letters, policies.unknown)
    settled = settle_unknown(gold, policies.unknown)
    codes = [outcomes_of(run, settled, table) for run in runs]
    texts = gold.texts.questions if gold.texts is not None and sees_gold else ()
    questions = Questions(
        unit=gold.standard.unit,
        runs=[run.name for run in runs],
        ids=shown_ids(gold.ids),
        texts=texts if any(texts) else (),
        codes=codes if sees_gold else [*map(in_brief, codes)],
        has_details=sees_gold,
        counting=len(counting) or len(runs),
    )
    _add_details(questions, PageAnswers(gold, runs, table))
    return questions


def shown_ids(ids: Sequence[str]) -> list[str]:
    """Return ids that can be shown, and tell questions apart in addresses of the page."""
    shown: dict[str, None] = {}
    for number, id_ in enumerate(ids, 1):
        name = excerpt(id_)
        while name in shown:
            name = f"{name}~{number}"
        shown[name] = None
    return [*shown]


def _add_details(questions: Questions, answers: PageAnswers) -> None:
    """Put the questions into a page one by one, or packed, as far as they fit."""
    texts = answers.texts
    said = chain.from_iterable(answers.said)
    characters = sum(map(len, chain(texts.questions, texts.answers, texts.supports, said)))
    verdicts = len(answers.index) * len(questions.runs)
    is_small = verdicts <= STATIC_VERDICTS and characters <= STATIC_CHARACTERS
    if questions.is_static and (is_small or not questions.has_details):
        questions.details = [*_details(questions, answers)] if questions.has_details else ()
        return
    table = BYTES_OF_CELL * len(questions.ids) * len(questions.runs) if questions.is_static else 0
    questions.pack = Pack(BUDGET - table)
    questions.pack.add("outcomes", "outcomes", {"ids": questions.ids, "codes": questions.codes})
    if questions.has_details:
        _pack_details(questions.pack, answers)


def _pack_details(pack: Pack, answers: PageAnswers) -> None:
    """Add what is known of each question, the most important first."""
    texts = answers.texts
    known = {
        "sizes": answers.sizes,
        "answers": _visible(answers.index.a_ids),
        "labels": _digits(answers.labels),
        "verdicts": [*map(_digits, answers.verdicts)],
    }
    pack.add("verdicts", "candidates, labels and verdicts", known)
    if any(answers.said):
        pack.add("said", "answers of QA systems", [*map(_visible, answers.said)])
    if any(answers.verdicts):
        pack.add("confidences", "confidences", in_digits(answers.confidences))
    if any(texts.questions):
        pack.add("questions", "texts of questions", _visible(texts.questions))
    if any(texts.answers):
        pack.add("answers", "texts of answers", _visible(texts.answers))
    if any(texts.supports):
        pack.add("supports", "supporting texts", [_visible(texts.supports), _visible(texts.docs)])


def _visible(texts: Sequence[str]) -> list[str]:
    return [*map(visible, texts)]


def _digits(codes: bytes) -> str:
    return codes.translate(_DIGITS).decode("ascii")


_DIGITS = bytes(ord("0") + code % 10 for code in range(256))


_BASE_64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"


def in_digits(columns: Sequence[Sequence[str]]) -> dict[str, object]:
    """Return columns of texts that repeat as numbers in a list of all texts.

    Each column is one string for each digit to base 64: digits of one kind compress better.
    """
    numbers = {text: number for number, text in enumerate(dict.fromkeys(chain(*columns)))}
    digits: list[list[str]] = [[] for _ in columns]
    shift, most = 0, max(len(numbers) - 1, 0)
    while not shift or most >> shift:
        digit_of = {text: _BASE_64[number >> shift & 63] for text, number in numbers.items()}
        for column, of_column in zip(columns, digits, strict=True):
            of_column.append("".join(map(digit_of.__getitem__, column)))
        shift += 6
    return {"values": [*numbers], "digits": digits}


def _details(questions: Questions, answers: PageAnswers) -> Iterator[Detail]:
    """Yield the questions of a small page."""
    texts, start = answers.texts, 0
    columns = (answers.index.a_ids, answers.labels, texts.answers, texts.supports, texts.docs)
    for number, (row, size) in enumerate(zip(questions.rows, answers.sizes, strict=True)):
        span = slice(start, start := start + size)
        candidates = [
            ShownAnswer(a_id, Label(label).name, *its_texts)
            for a_id, label, *its_texts in zip(*(column[span] for column in columns), strict=True)
        ]
        decisions = [
            Decision(
                name,
                mark,
                _said_of(verdicts[span], confidences[span]),
                said[number] if said else "",
            )
            for name, mark, verdicts, confidences, said in zip(
                questions.runs,
                row.marks,
                answers.verdicts,
                answers.confidences,
                answers.said,
                strict=True,
            )
        ]
        text = questions.texts[number] if questions.texts else ""
        yield Detail(row.id, text, row.right, candidates, decisions)


def _said_of(verdicts: bytes, confidences: Sequence[str]) -> Sequence[tuple[str, str]]:
    words = [_VERDICTS[Verdict(code)] for code in verdicts]
    return [*zip(words, confidences, strict=True)]
