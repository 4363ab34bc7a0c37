"""What is counted of each question of a run, as arrays: what resampling and tests work on.

Counts add up, so that a sample of questions is scored by adding up what is counted of each. The
functions of measures take arrays in the place of numbers (see `exact.ratio`), and so are computed
for many samples at once. Figures that are printed are still exact; these are floats.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from ave_score.counts import (
    ANSWERING,
    CANDIDATE_SETS,
    CATEGORIES,
    NIL,
    QUESTIONS,
    SELECTION,
    VALIDATION,
    Counts,
    Family,
)
from ave_score.counts.joined import VALIDATION_KIND, cells
from ave_score.errors import UsageError
from ave_score.measures import Measure, NotApplicable
from ave_score.model import Collection, Label, Run, Verdict

Floats: TypeAlias = npt.NDArray[np.float64]
Integers: TypeAlias = npt.NDArray[np.int64]

SAME = 1e-11
"""What figures may differ by that would be equal if they were exact; `evaluate` rounds to 1e-12."""


class ByQuestion(NamedTuple):
    """What is counted of a run.

    Attributes
    ----------
    run
        Its name.
    columns
        Family -> an array with a row for each question and a column for each field of its counts.
    values
        Key of a measure that is a mean over questions -> what it is of each question.
    samplers
        Key of a measure that ranks answers of all questions together -> what computes it in
        samples, of how often every question is in each.
    """

    run: str
    columns: Mapping[Family, Floats]
    values: Mapping[str, Floats] = {}
    samplers: Mapping[str, Callable[[Floats], Floats]] = {}

    @property
    def questions(self) -> int:
        """How many there are."""
        return len(next(iter([*self.columns.values(), *self.values.values()])))

    def measured(self, measure: Measure, times: npt.NDArray[np.floating]) -> Floats:
        """Compute a measure in samples of the questions.

        `times` has a row for each sample: how often every question is in it.
        """
        if measure.key in self.samplers:
            with np.errstate(divide="ignore", invalid="ignore"):
                found = self.samplers[measure.key](np.asarray(times, dtype=float))
            return rounded(np.where(np.isfinite(found), found, np.nan))
        if measure.key in self.values:
            return rounded(times @ self.values[measure.key] / times.sum(axis=1))
        return evaluate(measure, times @ self.columns[measure.family])


def count_by_question(run: Run, collection: Collection, families: Iterable[Family]) -> ByQuestion:
    """Count a run question by question; raises `UsageError` for what cannot be counted so.

    The rows of a family add up to what is counted of the whole run.
    """
    if collection.roster.is_pairs:
        raise UsageError("pairs belong to no question, and questions are what is sampled")
    wanted = set(families)
    unknown = wanted - _COUNTERS.keys()
    if unknown:
        told = ", ".join(sorted(map(str, unknown)))
        raise UsageError(f"no samples of questions can be drawn for measures of {told}")
    joined = _Joined.of(run, collection)
    ordered = sorted(wanted, key=str)
    return ByQuestion(run.name, {family: _COUNTERS[family](joined) for family in ordered})


_KINDS = len(VALIDATION.counts.names())


class _Joined(NamedTuple):
    """A run joined with its collection, as arrays.

    `validation` has the fields of `ValidationCounts` for each question, `answerable` whether one
    of its answers is correct, `shares` what share of them, `right` and so on what was selected.
    """

    validation: Floats
    answerable: Floats
    shares: Floats
    right: Floats
    wrong: Floats
    unknown: Floats

    @property
    def accepted(self) -> Floats:
        """How many answers of each question are accepted, whatever they are."""
        return np.asarray(self.validation[:, [0, 1, 4]].sum(axis=1))

    @classmethod
    def of(cls, run: Run, collection: Collection) -> _Joined:
        """Join them; questions stand in the order of the collection."""
        joined = cells(run, collection)
        starts = np.asarray(collection.roster.starts, dtype=np.int64)
        number = len(starts) - 1
        sizes = np.diff(starts)
        question = np.repeat(np.arange(number), sizes)
        kinds = np.frombuffer(joined.translate(VALIDATION_KIND), dtype=np.uint8)
        table = np.bincount(question * 8 + kinds, minlength=8 * number).reshape(number, 8)
        verdicts = np.frombuffer(run.verdicts, dtype=np.uint8)
        labels = np.frombuffer(collection.labels, dtype=np.uint8)
        selected = verdicts == Verdict.SELECTED

        def times(mask: npt.NDArray[np.bool_]) -> Floats:
            return np.bincount(question[mask], minlength=number).astype(float)

        correct = times(labels == Label.VALIDATED)
        return cls(
            validation=np.asarray(table[:, :_KINDS], dtype=float),
            answerable=(correct > 0).astype(float),
            shares=correct / np.maximum(sizes, 1),
            right=times(selected & (labels == Label.VALIDATED)),
            wrong=times(selected & (labels != Label.VALIDATED)),
            unknown=times(selected & (labels == Label.UNKNOWN)),
        )


def _validation(joined: _Joined) -> Floats:
    return joined.validation


def _selection(joined: _Joined) -> Floats:
    right, wrong, answerable = joined.right, joined.wrong, joined.answerable
    withheld = 1 - right - wrong
    return np.column_stack(
        [
            right,
            wrong * answerable,
            withheld * answerable,
            wrong * (1 - answerable),
            withheld * (1 - answerable),
            joined.unknown,
            joined.shares,
            answerable,
        ]
    )


def _answering(joined: _Joined) -> Floats:
    nothing = np.zeros_like(joined.right)
    unanswered = 1 - joined.right - joined.wrong
    return np.column_stack([joined.right, joined.wrong, unanswered, nothing, nothing])


def _questions(joined: _Joined) -> Floats:
    validated_correct, validated_incorrect, rejected_correct = joined.validation.T[:3]
    size = 2 * validated_correct + validated_incorrect + rejected_correct
    return np.column_stack([size > 0, 2 * validated_correct / np.maximum(size, 1)])


def _categories(joined: _Joined) -> Floats:
    right, answerable = joined.validation[:, 0] > 0, joined.answerable > 0
    wrong, silent = (joined.accepted > 0) & ~right, joined.accepted == 0
    masks = [right, wrong & answerable, wrong & ~answerable, silent & answerable]
    return np.column_stack([*masks, silent & ~answerable]).astype(float)


def _nil(joined: _Joined) -> Floats:
    categories = _categories(joined)
    withheld = categories[:, 4]
    return np.column_stack([categories[:, 2] + withheld, categories[:, 3] + withheld, withheld])


def _sets(joined: _Joined) -> Floats:
    right = joined.validation[:, 0]
    worth = np.where(right > 0, (right + 1) / (joined.accepted + 1), 0)
    return np.column_stack([joined.answerable, worth])


_COUNTERS = {
    VALIDATION: _validation,
    SELECTION: _selection,
    ANSWERING: _answering,
    QUESTIONS: _questions,
    CATEGORIES: _categories,
    NIL: _nil,
    CANDIDATE_SETS: _sets,
}


class _Column(np.ndarray[tuple[int, ...], np.dtype[np.float64]]):
    """A count of many samples, which takes fractions for floats and not for objects."""

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **named: Any) -> Any:  # noqa: ANN401
        plain = [float(one) if isinstance(one, Fraction) else np.asarray(one) for one in inputs]
        return getattr(ufunc, method)(*plain, **named).view(_Column)


def evaluate(measure: Measure, totals: Floats) -> Floats:
    """Compute a measure for many samples.

    Parameters
    ----------
    totals
        A row for each sample, a column for each field of the counts of the measure's family.

    Returns
    -------
    Floats
        A value for each sample; NaN where the measure is undefined.
    """
    counts = measure.family.counts(*totals.T.view(_Column))
    try:
        with np.errstate(divide="ignore", invalid="ignore"):
            found = np.asarray(measure.function(counts, *measure.values), dtype=float)
    except (TypeError, ValueError):  # it asks its counts something that arrays cannot answer
        return np.array([_value(measure, measure.family.counts(*row)) for row in totals.tolist()])
    found = np.broadcast_to(found, len(totals))  # None, of one sample, is a NaN alone
    return rounded(np.where(np.isfinite(found), found, np.nan))


def rounded(values: Floats) -> Floats:
    """Drop the last digits, in which sums of fractions differ by the order of what is added.

    Values that are equal are then the same, and those of a seed do not depend on anything else.
    """
    return np.asarray(np.round(values, 12), dtype=float)


def _value(measure: Measure, counts: Counts) -> float:
    """Return a measure of one sample as a float."""
    exact = type(counts)(*(Fraction(one) for one in vars(counts).values()))
    try:
        value = measure(exact)
    except NotApplicable:
        return float("nan")
    return float("nan") if value is None else float(value)
