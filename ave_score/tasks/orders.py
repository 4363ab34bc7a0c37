"""Orders of runs by two measures, or by a measure under two gold standards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

from ave_score.core.errors import UsageError
from ave_score.core.model import Collection, QARun, Run
from ave_score.core.policies import HASH_DIGITS, Policies, settle_unknown
from ave_score.core.reported import Reported, brief
from ave_score.core.text import counted
from ave_score.inference.compare import check_names, exact_values
from ave_score.inference.orders import swapped, tau_ap, tau_b
from ave_score.measures import Measure
from ave_score.tasks.inputs import (
    CollectionGiven,
    GoldGiven,
    Inputs,
    SubjectsGiven,
    settings_of,
)
from ave_score.tasks.subjects import (
    MeasuresGiven,
    compared_measures,
    kinds_of,
    paired_runs,
    signature_of,
    wanted_measures,
)

if TYPE_CHECKING:
    from fractions import Fraction


class Order(NamedTuple):
    """The values of runs by a measure.

    Attributes
    ----------
    measure
        The measure.
    collection
        The path of the gold standard.
    values
        Run -> its exact value, None if it is undefined.
    """

    measure: Measure
    collection: str
    values: Mapping[str, Fraction | None]


class ComparedOrders(NamedTuple):
    """Two orders of the same runs.

    Attributes
    ----------
    reference, other
        The orders; tau-AP weighs the ranks of the other.
    runs
        The runs with a value in both, the best of the reference first.
    tau, tau_ap
        Kendall's tau-b and tau-AP, None if they are undefined.
    swapped
        Pairs of runs in a different order; the first is better in the reference.
    """

    reference: Order
    other: Order
    runs: Sequence[str]
    tau: Fraction | None
    tau_ap: Fraction | None
    swapped: Sequence[tuple[str, str]]

    @property
    def pairs(self) -> int:
        """The number of pairs of runs."""
        return len(self.runs) * (len(self.runs) - 1) // 2


@dataclass(frozen=True, repr=False)
class Orders(Reported):
    """Orders of runs, compared: what `ave-score orders` reports.

    `to_frame` has a row for each two orders.

    Attributes
    ----------
    compared
        Each two measures, or each measure under both gold standards.
    runs
        The names of the runs, sorted.
    policies
        How runs were scored.
    signature
        The line that identifies the policies and the gold standards.
    notes
        On which questions, if missing answers are excluded.
    """

    compared: Sequence[ComparedOrders]
    runs: Sequence[str]
    policies: Policies
    signature: str
    notes: Sequence[str] = ()

    def __repr__(self) -> str:
        names = brief([pair.other.measure.key for pair in self.compared])
        return f"<Orders of {counted(len(self.runs), 'run')}: {names}>"


def orders(
    collection: GoldGiven,
    runs: SubjectsGiven = (),
    *,
    measures: MeasuresGiven | None = None,
    other: CollectionGiven | None = None,
    policies: Policies | None = None,
) -> Orders:
    """Compare the orders of runs by two measures, or by a measure under two gold standards.

    Parameters
    ----------
    collection, runs
        As `score` takes them; at least two runs or QA systems.
    measures
        Names in a text, or a list: the orders by each two are compared, the first is the
        reference. By default those of `compare`.
    other
        A collection with other labels of the same answers. The orders by each measure under both
        are compared; `collection` is the reference.
    policies
        How to count; by default `Policies()`. Intervals are refused.

    Returns
    -------
    Orders
        Kendall's tau-b, tau-AP and the swapped pairs for each two orders.

    Raises
    ------
    UsageError
        An argument has a wrong type; there are too few runs or measures; a measure does not exist
        or does not apply; the collections have other answers.
    DefectError, InputError
        A file has errors, or cannot be read.
    """
    policies = settings_of(policies, Policies)
    if policies.intervals is not None:
        raise UsageError("tau has no intervals: samples of questions move it towards 0")
    why_not = "have no orders to compare"
    gold, common, subjects, notes = paired_runs(collection, runs, policies, why_not)
    policies = policies.for_gold(gold)
    names = [subject.name for subject in subjects]
    check_names(names)
    chosen = _measures(measures, subjects, gold)
    second = None if other is None else Inputs(policies).collection(other)
    check_orders(chosen, has_other=second is not None)
    golds = [common]
    if second is not None:
        _check_answers(gold, subjects, second)
        golds.append(_relabelled(common, second))
    by_gold = [_orders(subjects, labelled, chosen, policies) for labelled in golds]
    pairs = combinations(by_gold[0], 2) if second is None else zip(*by_gold, strict=True)
    compared = [_compared(*pair) for pair in pairs]
    ranks = any(measure.family.is_ranked for measure in chosen)
    signed = signature_of(gold, subjects, policies, ranks=ranks)
    if second is not None:
        signed += f"|other:{second.sha256[:HASH_DIGITS]}"
    return Orders(compared, names, policies, signed, notes)


def _measures(
    measures: MeasuresGiven | None, subjects: Sequence[Run | QARun], gold: Collection
) -> list[Measure]:
    """Return each measure once."""
    if measures is None:
        return compared_measures(kinds_of(subjects, gold))
    wanted = wanted_measures(measures, gold)
    return [*{measure.key: measure for measure in wanted}.values()]


def check_orders(measures: Sequence[Measure], *, has_other: bool) -> None:
    """Raise `UsageError` if there are not two orders."""
    if len(measures) < 2 and not has_other:
        raise UsageError("two orders are needed: name two measures, or another collection")


def _orders(
    subjects: Sequence[Run | QARun],
    gold: Collection,
    measures: Sequence[Measure],
    policies: Policies,
) -> list[Order]:
    exact = exact_values(subjects, settle_unknown(gold, policies.unknown), measures, policies)
    return [
        Order(measure, gold.path, {run: of.values[measure.key] for run, of in exact.items()})
        for measure in measures
    ]


def _check_answers(gold: Collection, subjects: Sequence[Run | QARun], other: Collection) -> None:
    """Raise `UsageError` if collections differ in answers, or a QA system has own judgements."""
    for subject in subjects:
        if isinstance(subject, QARun):
            raise UsageError(f"{subject.name} is a QA system, which has only its own judgements")
    for first, second in ((gold, other), (other, gold)):
        lacking = [ids for ids in first.index.position if ids not in second.index.position]
        if lacking:
            q_id, a_id = lacking[0]
            name = f"answer {a_id!r} of question {q_id!r}" if q_id else f"pair {a_id!r}"
            number = counted(len(lacking), "answer")
            raise UsageError(f"{second.path} lacks {number} of {first.path}, such as {name}")


def _relabelled(gold: Collection, other: Collection) -> Collection:
    """Return the answers of a collection with the labels of another that has all of them."""
    old = [*map(other.index.position.__getitem__, gold.index.position)]
    grades = {new: other.grades[at] for new, at in enumerate(old) if at in other.grades}
    labels = bytes(other.labels[at] for at in old)
    return replace(other, index=gold.index, labels=labels, grades=grades)


def _compared(reference: Order, other: Order) -> ComparedOrders:
    runs = [
        run
        for run, value in sorted(
            reference.values.items(), key=lambda pair: reference.measure.sort_key(pair[1])
        )
        if value is not None and other.values[run] is not None
    ]
    first, second = _oriented(reference, runs), _oriented(other, runs)
    pairs = [(runs[a], runs[b]) for a, b in swapped(first, second)]
    taus = tau_b(first, second), tau_ap(first, second)
    return ComparedOrders(reference, other, runs, *taus, pairs)


def _oriented(order: Order, runs: Sequence[str]) -> list[Fraction]:
    """Return the values of runs, higher ones better."""
    sign = 1 if order.measure.higher_is_better else -1
    return [sign * value for run in runs if (value := order.values[run]) is not None]
