"""What agreement says: the judges, and the values of each pair and of all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from ave_score.core.model import Collection
from ave_score.core.policies import Policies
from ave_score.core.reported import Reported
from ave_score.core.text import quantity
from ave_score.inference.intervals import Estimate

if TYPE_CHECKING:
    from fractions import Fraction


class Judge(NamedTuple):
    """A run, labels that are given as one, or the gold labels.

    Attributes
    ----------
    name
        The name of the run, or `LABELS`.
    missing
        The number of answers that it does not judge; they are REJECTED if `missing="rejected"`.
    unknown
        The number of its labels that are UNKNOWN, which are not judgements.
    is_labels
        Whether the judgements are those of the gold standard.
    selects
        Whether it may select answers: labels do not.
    is_grader
        Whether it grades the answers of logs.
    """

    name: str
    missing: int = 0
    unknown: int = 0
    is_labels: bool = False
    selects: bool = True
    is_grader: bool = False


class AgreementValues(NamedTuple):
    """Measures of agreement by key: exact values, None if undefined, and their intervals.

    `no_interval` says why a defined value has no interval, as the end of a sentence.
    """

    values: Mapping[str, Fraction | None]
    intervals: Mapping[str, Estimate] = {}
    no_interval: Mapping[str, str] = {}


class PairAgreement(NamedTuple):
    """The agreement of two judges.

    Attributes
    ----------
    one, other
        The judges; labels are always the second.
    table
        Answers by the judgements of both: rejected, validated, selected. A row for each of `one`.
        Of graders of logs: wrong, withheld, right; of `two` verdicts not right, right, none.
    figures
        The measures of `inference.agreement.PAIR_MEASURES`.
    """

    one: Judge
    other: Judge
    table: Sequence[Sequence[int]]
    figures: AgreementValues

    @property
    def answers(self) -> int:
        """The number of answers that both judge."""
        return sum(map(sum, self.table))


class Reliability(NamedTuple):
    """The agreement of all of several judges, on the answers that at least two of them judge."""

    judges: Sequence[Judge]
    answers: int
    figures: AgreementValues


@dataclass(frozen=True, repr=False)
class Agreed(Reported):
    """The agreement of runs: what `ave-score agree` reports.

    `to_frame` has a row for each pair of judges.

    Attributes
    ----------
    judges
        The runs in the order given, and the labels.
    collection
        The answers; its labels are a judge only if a collection was given.
    verdicts
        One of `VERDICTS`.
    overall
        The agreement of all runs, and of all runs and the labels.
    pairs
        The agreement of each two judges: pairs with the labels first, then by kappa, the highest
        first.
    policies
        How answers without a judgement and labels UNKNOWN were treated, and the intervals.
    signature
        The line that identifies the answers and the policies.
    """

    judges: Sequence[Judge]
    collection: Collection
    verdicts: str
    overall: Sequence[Reliability]
    pairs: Sequence[PairAgreement]
    policies: Policies
    signature: str

    def __repr__(self) -> str:
        return (
            f"<Agreed {quantity(len(self.judges), 'judge')}: {quantity(len(self.pairs), 'pair')}>"
        )
