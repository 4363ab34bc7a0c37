"""Agreement of judges: runs, or gold labels, that judge the same answers.

A judgement is the code of a `Verdict`; `MISSING` is none. The counts of single questions add up, so
that samples of questions give intervals, as for measures of runs. The records here are those of
`measures.Measure`, but no run is scored by them.

Sources: Cohen, A Coefficient of Agreement for Nominal Scales, 1960; Krippendorff, Computing
Krippendorff's Alpha-Reliability, 2011; Fleiss, Measuring Nominal Scale Agreement Among Many Raters,
1971; Jaccard 1901.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ave_score.core.collection_summary import hash_of_answers
from ave_score.core.errors import UsageError
from ave_score.core.exact import Number, ratio, sum_by_denominator
from ave_score.core.model import AnswerIndex, Collection, Label, Run, Verdict
from ave_score.core.policies import settle_unknown
from ave_score.counts import Counts, Family
from ave_score.inference.by_question import ByQuestion, CountRows, Integers
from ave_score.measures import Measure

Codes = npt.NDArray[np.uint8]
"""The judgements of a judge, or of several, one in each row; 0 where there is none."""

CATEGORIES = (Verdict.REJECTED, Verdict.VALIDATED, Verdict.SELECTED)


class _Unlisted(Family):
    """A family that is not registered: no run is scored by its measures."""

    def __post_init__(self) -> None:
        """Register nothing."""


# --- judges ---------------------------------------------------------------------------------------


class Judgements(NamedTuple):
    """What a run or labels say about answers.

    Attributes
    ----------
    name
        The name of the judge.
    answers
        The answers that it judges.
    codes
        The code of a `Verdict` for each answer; 0 for a label UNKNOWN.
    selects
        Whether it may select answers.
    read_as
        As of a `Collection`.
    logs
        The questions of the logs whose answers it grades, with their attributes; None otherwise.
        What is right is SELECTED, what is withheld VALIDATED, what is wrong REJECTED.
    """

    name: str
    answers: AnswerIndex
    codes: bytes
    selects: bool
    read_as: Mapping[str, str] = {}
    logs: Collection | None = None

    @classmethod
    def of(cls, judge: Run | Collection, name: str, unknown: str) -> Judgements:
        """Return the verdicts of a run, or labels as verdicts."""
        if isinstance(judge, Run):
            return cls(name, judge.index, judge.verdicts, selects=True, read_as=judge.read_as)
        labels = settle_unknown(judge, unknown).labels.translate(VERDICT_OF_LABEL)
        return cls(name, judge.index, labels, selects=False, read_as=judge.read_as)


_VERDICT = {Label.VALIDATED: Verdict.VALIDATED, Label.REJECTED: Verdict.REJECTED}
VERDICT_OF_LABEL = bytes(
    _VERDICT.get(Label(code), Verdict.MISSING) if code in [*Label] else 0 for code in range(256)
)


_TWO = {Verdict.VALIDATED: Verdict.REJECTED, Verdict.SELECTED: Verdict.VALIDATED}
NOT_RIGHT = bytes(_TWO.get(Verdict(code), code) if code in [*_TWO] else code for code in range(256))
"""Code of a grade -> its code if what is withheld is not told apart: then it is not right."""


def common_answers(judges: Sequence[Judgements]) -> Collection:
    """Return the answers of any of some judges, without labels."""
    indexes = [judge.answers for judge in judges]
    first, logs = indexes[0], judges[0].logs
    if not all(index.has_answers_of(first) for index in indexes):
        if len({index.has_questions for index in indexes}) > 1:
            raise UsageError("some runs are about pairs, others about answers to questions")
        ids = dict.fromkeys(pair for index in indexes for pair in index.position)
        are_pairs = not first.has_questions
        first = AnswerIndex.of_pairs(a for _, a in ids) if are_pairs else AnswerIndex.naming(ids)
    labels = bytes([Label.NONE]) * len(first)
    answers = Collection("", hash_of_answers(first, labels), first, labels)
    if logs is None:
        return answers
    return replace(answers, attributes=logs.attributes, unusable=logs.unusable)


# --- two judges -----------------------------------------------------------------------------------


@dataclass(eq=False, repr=False)
class PairCounts(Counts):
    """Answers that two judges judge, by both judgements: R rejected, V validated, S selected."""

    rr: Number = 0
    rv: Number = 0
    rs: Number = 0
    vr: Number = 0
    vv: Number = 0
    vs: Number = 0
    sr: Number = 0
    sv: Number = 0
    ss: Number = 0


@dataclass(eq=False, repr=False)
class SelectedCounts(Counts):
    """Questions for which either of two runs selects an answer, and both the same one."""

    either: Number = 0
    same: Number = 0


PAIR = _Unlisted("agreement", PairCounts, "agreement", of_pairs=True)
SELECTED = _Unlisted("same selections", SelectedCounts, "agreement")


def observed(counts: PairCounts) -> Fraction | None:
    """Share of the answers that both judge alike."""
    alike = counts.rr + counts.vv + counts.ss
    return ratio(alike, _size(counts))


def kappa(counts: PairCounts) -> Fraction | None:
    """Cohen's kappa: agreement beyond that expected by chance, as a share of what is possible."""
    size, alike = _size(counts), counts.rr + counts.vv + counts.ss
    chance = (
        (counts.rr + counts.rv + counts.rs) * (counts.rr + counts.vr + counts.sr)
        + (counts.vr + counts.vv + counts.vs) * (counts.rv + counts.vv + counts.sv)
        + (counts.sr + counts.sv + counts.ss) * (counts.rs + counts.vs + counts.ss)
    )  # n² times the agreement expected by chance
    return ratio(size * alike - chance, size * size - chance)


def overlap(counts: PairCounts) -> Fraction | None:
    """Jaccard's index: answers that both accept, as a share of those that either accepts."""
    both = counts.vv + counts.vs + counts.sv + counts.ss
    return ratio(both, _size(counts) - counts.rr)


def overlap_of_right(counts: PairCounts) -> Fraction | None:
    """Jaccard's index of what two graders select: what is withheld is not accepted."""
    either = counts.rs + counts.vs + counts.sr + counts.sv + counts.ss
    return ratio(counts.ss, either)


def same_selected(counts: SelectedCounts) -> Fraction | None:
    """Share of questions with the same selected answer, of those with one by either run."""
    return ratio(counts.same, counts.either)


def _size(counts: PairCounts) -> Number:
    total: Number = sum(vars(counts).values())
    return total


_UNDEFINED = "undefined"

PAIR_MEASURES = (
    Measure(
        "agreement", "Agreement", PAIR, "answers judged alike / answers", _UNDEFINED, "",
        observed, is_share=True,
    ),
    Measure(
        "kappa", "Kappa", PAIR, "(agreement - chance) / (1 - chance)", _UNDEFINED, "Cohen 1960",
        kappa, lowest="-1",
    ),
    Measure(
        "overlap", "Overlap", PAIR, "accepted by both / by either", _UNDEFINED, "Jaccard 1901",
        overlap, is_share=True,
    ),
    Measure(
        "same_selected", "Same selected", SELECTED, "same answer selected / either selects one",
        _UNDEFINED, "", same_selected, is_share=True,
    ),
)  # fmt: skip
"""The measures of two judges."""

OF_GRADERS = tuple(
    measure._replace(function=overlap_of_right) if measure.key == "overlap" else measure
    for measure in PAIR_MEASURES
)
"""The measures of two graders of logs, if what is withheld is told apart."""


# --- all judges -----------------------------------------------------------------------------------


@dataclass(eq=False, repr=False)
class JudgementCounts(Counts):
    """Judgements of answers with at least two, by category, and how far they agree.

    `agreeing` is the sum of the diagonal of Krippendorff's matrix of coincidences: a judgement adds
    the share of the other judgements of its answer that equal it.
    """

    rejected: Number = 0
    validated: Number = 0
    selected: Number = 0
    agreeing: Number = 0


ALL = _Unlisted("reliability", JudgementCounts, "agreement", of_pairs=True)


def alpha_of(sizes: Sequence[Number], agreeing: Number) -> Fraction | None:
    """Return Krippendorff's alpha of nominal data: 1 - observed / expected disagreement.

    Parameters
    ----------
    sizes
        The number of judgements in each category, of units with at least two.
    agreeing
        The sum of the diagonal of the matrix of coincidences.
    """
    size = sum(sizes)
    spread = size * size - sum(number * number for number in sizes)
    return ratio(spread - (size - 1) * (size - agreeing), spread)


def alpha(counts: JudgementCounts) -> Fraction | None:
    """Krippendorff's alpha for nominal data."""
    return alpha_of((counts.rejected, counts.validated, counts.selected), counts.agreeing)


def fleiss(counts: JudgementCounts) -> Fraction | None:
    """Fleiss' kappa; only defined if every judge judges every answer."""
    sizes = (counts.rejected, counts.validated, counts.selected)
    size = sum(sizes)
    chance = sum(number * number for number in sizes)  # n² times the agreement expected by chance
    return ratio(size * counts.agreeing - chance, size * size - chance)


ALPHA = Measure(
    "alpha", "Krippendorff's alpha", ALL, "1 - observed / expected disagreement", _UNDEFINED,
    "Krippendorff 2011", alpha, lowest="-1",
)  # fmt: skip
FLEISS = Measure(
    "fleiss_kappa", "Fleiss' kappa", ALL, "(agreement - chance) / (1 - chance)", _UNDEFINED,
    "Fleiss 1971", fleiss, lowest="-1",
)  # fmt: skip


# --- counting -------------------------------------------------------------------------------------


class Tally(NamedTuple):
    """The counts of judges for each unit, and their exact totals."""

    counted: ByQuestion
    exact: Mapping[Family, Counts]


class Counter(NamedTuple):
    """Counts judgements question by question.

    Attributes
    ----------
    question
        The number of each answer's question, or of each pair.
    ids
        The ids of the questions or pairs.
    unit
        `question` or `pair`.
    is_binary
        Whether SELECTED counts as VALIDATED.
    """

    question: Integers
    ids: Sequence[str]
    unit: str
    is_binary: bool

    @classmethod
    def of(cls, index: AnswerIndex, *, is_binary: bool) -> Counter:
        """Return the counter of the answers of an index."""
        if not index.has_questions:
            return cls(np.arange(len(index)), index.units, index.standard.unit, is_binary)
        sizes = np.diff(np.asarray(index.starts))
        question = np.repeat(np.arange(len(sizes)), sizes)
        return cls(question, index.units, index.standard.unit, is_binary)

    def _categories(self, codes: Codes) -> Codes:
        return np.minimum(codes, np.uint8(Verdict.VALIDATED)) if self.is_binary else codes

    def pair(self, name: str, run: Codes, other: Codes, *, both_select: bool) -> Tally:
        """Count two judges; their selections only if `both_select`."""
        judged = (run > 0) & (other > 0)
        first, second = (self._categories(codes[judged]).astype(int) - 1 for codes in (run, other))
        where = self.question[judged] * 9 + first * 3 + second
        table = np.bincount(where, minlength=9 * len(self.ids)).reshape(-1, 9)
        tables: dict[Family, Integers] = {PAIR: table}
        if both_select and self.unit == "question":
            tables[SELECTED] = self._selections(run, other)
        exact = {family: family.counts(*_sums(rows)) for family, rows in tables.items()}
        columns = {family: CountRows.of(rows.astype(float)) for family, rows in tables.items()}
        return Tally(ByQuestion(name, columns, ids=self.ids, unit=self.unit), exact)

    def _selections(self, run: Codes, other: Codes) -> Integers:
        """Count questions of which both runs have all answers that either selects."""
        first, second = (codes == Verdict.SELECTED for codes in (run, other))
        number = len(self.ids)

        def has(answers: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
            return np.asarray(np.bincount(self.question[answers], minlength=number) > 0)

        known = ~has((first | second) & ((run == 0) | (other == 0)))
        either, same = has(first | second) & known, has(first & second) & known
        return np.column_stack([either, same]).astype(int)

    def all(self, name: str, judges: Codes) -> Tally:
        """Count all judges."""
        sizes, agreeing, others = coincidences(self._categories(judges), len(CATEGORIES))
        table = np.zeros((len(self.ids), len(CATEGORIES) + 1))
        np.add.at(table, self.question, np.column_stack([*sizes, agreeing / others]))
        rejected, validated, selected = _sums(sizes.T)
        on_diagonal = sum_of_agreeing(agreeing, others)
        exact = JudgementCounts(rejected, validated, selected, on_diagonal)
        columns: dict[Family, CountRows] = {ALL: CountRows.of(table)}
        return Tally(ByQuestion(name, columns, ids=self.ids, unit=self.unit), {ALL: exact})


def _sums(rows: Integers) -> tuple[int, ...]:
    return tuple(map(int, rows.sum(axis=0)))


def sum_of_agreeing(agreeing: Integers, others: Integers) -> Fraction:
    """Return the exact sum of the diagonal of the matrix of coincidences."""
    by = {int(number): int(agreeing[others == number].sum()) for number in np.unique(others)}
    return sum_by_denominator(by)


def coincidences(judges: Codes, categories: int) -> tuple[Integers, Integers, Integers]:
    """Return what Krippendorff's matrix of coincidences is made from, for each unit.

    Parameters
    ----------
    judges
        A row for each judge, a column for each unit; 0 where the judge has no value.
    categories
        The number of categories, which are coded from 1.

    Returns
    -------
    tuple of arrays
        The values in each category, of units with at least two values; the ordered pairs of equal
        values; and what these are divided by: the number of the other values of the unit.
    """
    sizes = np.array([(judges == code).sum(axis=0) for code in range(1, categories + 1)])
    values = sizes.sum(axis=0)
    sizes = np.where(values >= 2, sizes, 0)
    return sizes, (sizes * (sizes - 1)).sum(axis=0), np.maximum(values - 1, 1)
