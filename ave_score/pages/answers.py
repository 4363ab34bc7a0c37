"""What a page tells about each answer: verdicts, confidences, and answers of systems in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cached_property
from itertools import repeat
from math import isnan
from typing import TypeVar

from ave_score.core.epochs import replicates_of
from ave_score.core.judgements import Meaning
from ave_score.core.model import AnswerIndex, Collection, JudgedAnswer, QARun, Run, Texts
from ave_score.core.text import excerpt

T = TypeVar("T")

ANSWER = 400
"""Characters of a longer answer of a system that are shown."""


class PageAnswers:
    """The candidates of a collection, and what runs say about them."""

    def __init__(
        self, gold: Collection, runs: Sequence[Run | QARun], table: dict[str, Meaning]
    ) -> None:
        none = [""] * len(gold.index)
        self.index, self.labels, self._table, self._runs = gold.index, gold.labels, table, runs
        self.texts = gold.texts or Texts([], none, none, none)
        self.ids = gold.ids
        self.sizes = [span.stop - span.start for span in gold.index.unit_spans]

    @cached_property
    def verdicts(self) -> list[bytes]:
        """One verdict per candidate, of each run; none of QA systems."""
        return [
            bytes(self._aligned(run.verdicts, run.index, 0)) if isinstance(run, Run) else b""
            for run in self._runs
        ]

    @cached_property
    def confidences(self) -> list[Sequence[str]]:
        """One confidence per candidate, of each run; none of QA systems."""
        known: dict[str, dict[float, str]] = {}
        return [
            self._aligned(_rounded(run, known), run.index, "") if isinstance(run, Run) else ()
            for run in self._runs
        ]

    def _aligned(self, column: Sequence[T], index: AnswerIndex, empty: T) -> Sequence[T]:
        """Return a column of a run in the order of the collection."""
        if index.has_answers_of(self.index):
            return column
        known = dict(zip(zip(index.q_ids, index.a_ids, strict=True), column, strict=True))
        all_ids = zip(self.index.q_ids, self.index.a_ids, strict=True)
        return [known.get(ids, empty) for ids in all_ids]

    @cached_property
    def said(self) -> list[Sequence[str]]:
        """One answer per question, of each QA system; none of runs."""
        return [self._answers_of(run) if isinstance(run, QARun) else () for run in self._runs]

    def _answers_of(self, system: QARun) -> Sequence[str]:
        answers_of = replicates_of(system)
        return [self._sentences(answers_of.get(q_id, [])) for q_id in self.ids]

    def _sentences(self, answers: Sequence[JudgedAnswer]) -> str:
        """Return the answers in words; those of replicates with their numbers."""
        said = Counter(map(self._sentence, answers))
        if len(answers) <= 1:
            return next(iter(said), "no answer")
        return "; ".join(f"{times} × {text}" for text, times in said.items())

    def _sentence(self, answer: JudgedAnswer) -> str:
        """Return an answer, its judgement and its confidence in words."""
        said = answer.answer or excerpt(answer.text, ANSWER)
        parts = [" ".join(filter(None, (answer.a_id, said))) or "no answer"]
        if answer.answered is False:
            parts.append("withheld")
        word = self._table[answer.judgement].word
        if answer.judgement or not answer.text or answer.answered is not False:
            parts.append(f"judged {word} ({answer.judgement})" if answer.judgement else word)
        if answer.confidence is not None:
            parts.append(f"confidence {answer.confidence:.4g}")
        return " · ".join(parts)


def _rounded(run: Run, known: dict[str, dict[float, str]]) -> Sequence[str]:
    """Return confidences with 3 decimals, or digits if one is beyond 1; "" without a line.

    `known` are the texts of each form, most of which runs share.
    """
    values = {value for value in {*run.confidences} if not isnan(value)}
    form = ".3g" if any(abs(value) > 1 for value in values) else ".3f"
    texts = known.setdefault(form, {})
    texts |= {value: f"{value + 0:{form}}" for value in values - texts.keys()}
    shown = map(texts.get, run.confidences, repeat(""))
    if 0 not in run.lines:
        return [*shown]
    return [text if line else "" for text, line in zip(shown, run.lines, strict=True)]
