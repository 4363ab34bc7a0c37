"""Orders of runs by two measures, or by a measure under two gold standards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ave_score.counts import run_families
from ave_score.errors import UsageError
from ave_score.given import (
    CollectionGiven,
    GoldGiven,
    SubjectsGiven,
    as_collection,
    as_gold,
    settings_of,
)
from ave_score.inference.by_question import TOLERANCE
from ave_score.inference.comparison import check_names, exact_values
from ave_score.inference.intervals import FEW, FEW_UNITS, Estimate
from ave_score.inference.orders import swapped, tau_ap, tau_b, taus_of_samples
from ave_score.inference.resampling import Resampling, bca, jackknife, percentile, replicate
from ave_score.inference.units import count_for
from ave_score.inference.weighted import NO_SAMPLER
from ave_score.measures import Measure
from ave_score.measures.registry import COMPARED
from ave_score.model import Collection, QARun, Run
from ave_score.open_questions import OpenGold
from ave_score.policies import HASH_DIGITS, Policies, settle_unknown
from ave_score.reported import Reported, brief
from ave_score.subjects import (
    MeasuresGiven,
    kinds_of,
    paired,
    signature_of,
    subjects_of,
    wanted_measures,
)
from ave_score.text import counted

if TYPE_CHECKING:
    from fractions import Fraction

    from ave_score.inference.by_question import ByQuestion, Floats
    from ave_score.policies import IntervalPolicy


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
    intervals
        `tau` and `tau_ap` -> the interval, if intervals were asked for and there is one.
    no_interval
        Why there are no intervals, as the end of a sentence.
    """

    reference: Order
    other: Order
    runs: Sequence[str]
    tau: Fraction | None
    tau_ap: Fraction | None
    swapped: Sequence[tuple[str, str]]
    intervals: Mapping[str, Estimate] = {}
    no_interval: str | None = None

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
        How runs were scored, and the intervals.
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

    _reporter = "orders.orders_report"

    def __repr__(self) -> str:
        names = brief([one.other.measure.key for one in self.compared])
        return f"<Orders of {counted(len(self.runs), 'run')}: {names}>"


def orders(
    collection: GoldGiven,
    runs: SubjectsGiven,
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
        How to count, and the intervals, which are percentile intervals unless their method is
        `bca`; by default `Policies()`.

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
    check_method(policies)
    gold, systems = as_gold(collection, policies.campaign, policies.missing)
    if isinstance(gold, OpenGold):
        raise UsageError("responses to open questions have no orders to compare")
    common, found, notes = paired(gold, [*subjects_of(gold, systems, runs, policies)])
    assert isinstance(common, Collection)
    subjects = [subject for subject in found if isinstance(subject, Run | QARun)]
    subjects.sort(key=lambda subject: subject.name)
    names = [subject.name for subject in subjects]
    check_names(names)
    chosen = _measures(measures, *kinds_of(subjects, gold))
    second = None if other is None else as_collection(other)
    check_orders(chosen, has_other=second is not None)
    golds = [common]
    if second is not None:
        _check_answers(gold, subjects, second)
        golds.append(_relabelled(common, second))
    ranked = [
        _Ranked(subjects, settle_unknown(one, policies.unknown), chosen, policies) for one in golds
    ]
    if second is None:
        pairs = [((ranked[0], a), (ranked[0], b)) for a, b in combinations(chosen, 2)]
    else:
        pairs = [((ranked[0], one), (ranked[1], one)) for one in chosen]
    compared = [_compared(*pair, policies.intervals) for pair in pairs]
    ranks = any(measure.family.is_ranked for measure in chosen)
    signed = signature_of(gold, subjects, policies, ranks=ranks)
    if second is not None:
        signed += f"|other:{second.sha256[:HASH_DIGITS]}"
    return Orders(compared, names, policies, signed, notes)


def _measures(given: MeasuresGiven | None, kind: str) -> list[Measure]:
    """Return each measure once; `kind` is a key of `measures.registry.COMPARED`."""
    wanted = ",".join(COMPARED[kind]) if given is None else given
    return [*{one.key: one for one in wanted_measures(wanted, run_families())}.values()]


def check_orders(measures: Sequence[Measure], *, has_other: bool) -> None:
    """Raise `UsageError` if there are not two orders."""
    if len(measures) < 2 and not has_other:
        raise UsageError("one measure gives one order: name two, or another collection")


def check_method(policies: Policies) -> None:
    """Raise `UsageError` for intervals that a correlation of orders cannot have."""
    if policies.intervals is not None and policies.intervals.method == "wilson":
        raise UsageError("Wilson's interval is one of shares; tau has bca and percentile")


def _check_answers(gold: Collection, subjects: Sequence[Run | QARun], other: Collection) -> None:
    """Raise `UsageError` if collections differ in answers, or a QA system has own judgements."""
    for subject in subjects:
        if isinstance(subject, QARun):
            raise UsageError(f"{subject.name} is a QA system, which has only its own judgements")
    for one, two in ((gold, other), (other, gold)):
        lacking = [ids for ids in one.index.position if ids not in two.index.position]
        if lacking:
            q_id, a_id = lacking[0]
            name = f"answer {a_id!r} of question {q_id!r}" if q_id else f"pair {a_id!r}"
            number = counted(len(lacking), "answer")
            raise UsageError(f"{two.path} lacks {number} of {one.path}, such as {name}")


def _relabelled(gold: Collection, other: Collection) -> Collection:
    """Return the answers of a collection with the labels of another that has all of them."""
    old = [*map(other.index.position.__getitem__, gold.index.position)]
    grades = {new: other.grades[at] for new, at in enumerate(old) if at in other.grades}
    labels = bytes(other.labels[at] for at in old)
    return replace(other, index=gold.index, labels=labels, grades=grades)


class _Ranked:
    """Runs scored against one gold standard, on all questions and on samples of them."""

    def __init__(
        self,
        subjects: Sequence[Run | QARun],
        gold: Collection,
        measures: Sequence[Measure],
        policies: Policies,
    ) -> None:
        self._values, _ = exact_values(subjects, gold, measures, policies)
        self._path, policy = gold.path, policies.intervals
        self._counted: list[ByQuestion] = []
        if policy is not None:
            self._counted = [
                count_for(one, gold, measures, policies, clusters=policy.clusters)
                for one in subjects
            ]
            self._replicates = replicate(
                self._counted, measures, Resampling(policy.resamples, policy.seed)
            )

    def order(self, measure: Measure) -> Order:
        """Return the exact values by a measure."""
        return Order(measure, self._path, self._values[measure.key])

    @property
    def unit(self) -> tuple[str, int]:
        """What is sampled, and how many of them there are."""
        return self._counted[0].unit, self._counted[0].questions

    def without_samples(self, measure: Measure) -> str | None:
        """Return why a measure cannot be computed on samples; None if it can."""
        lacking = [one for one in self._counted if not one.has(measure)]
        return lacking[0].reasons.get(measure.key, NO_SAMPLER) if lacking else None

    def samples(self, measure: Measure, runs: Sequence[str]) -> Floats:
        """Return the oriented values of runs on bootstrap samples; a row for each run."""
        sign = 1 if measure.higher_is_better else -1
        return sign * np.array([self._replicates[run, measure.key] for run in runs])

    def jackknifed(self, measure: Measure, runs: Sequence[str]) -> Floats:
        """Return the oriented values of runs with each unit left out in turn."""
        sign, by_name = 1 if measure.higher_is_better else -1, {o.run: o for o in self._counted}
        return sign * np.array([jackknife(by_name[run], measure) for run in runs])


_Ordered = tuple[_Ranked, Measure]


def _compared(
    reference: _Ordered, other: _Ordered, policy: IntervalPolicy | None
) -> ComparedOrders:
    """Compare two orders of runs."""
    one, two = (ranked.order(measure) for ranked, measure in (reference, other))
    runs = [
        run
        for run, value in sorted(one.values.items(), key=lambda pair: one.measure.sort_key(pair[1]))
        if value is not None and two.values[run] is not None
    ]
    first, second = _oriented(one, runs), _oriented(two, runs)
    pairs = [(runs[a], runs[b]) for a, b in swapped(first, second)]
    taus = tau_b(first, second), tau_ap(first, second)
    found = ComparedOrders(one, two, runs, *taus, pairs)
    if policy is None:
        return found
    reasons = [ranked.without_samples(measure) for ranked, measure in (reference, other)]
    if any(reasons):
        return found._replace(no_interval=next(filter(None, reasons)))
    return found._replace(intervals=_intervals(reference, other, runs, taus, policy))


def _oriented(order: Order, runs: Sequence[str]) -> list[Fraction]:
    """Return the values of runs, higher ones better."""
    sign = 1 if order.measure.higher_is_better else -1
    return [sign * value for run in runs if (value := order.values[run]) is not None]


def _intervals(
    reference: _Ordered,
    other: _Ordered,
    runs: Sequence[str],
    taus: Sequence[Fraction | None],
    policy: IntervalPolicy,
) -> dict[str, Estimate]:
    """Return the intervals of tau-b and tau-AP from samples of questions."""
    both = reference, other
    sampled = taus_of_samples(*(ranked.samples(measure, runs) for ranked, measure in both))
    left_out: Sequence[Floats] = ()
    if policy.method == "bca":
        left_out = taus_of_samples(*(ranked.jackknifed(measure, runs) for ranked, measure in both))
    unit, units = reference[0].unit
    caution = FEW_UNITS.format(unit=unit) if units < FEW else None
    found = {}
    for number, (key, value) in enumerate(zip(("tau", "tau_ap"), taus, strict=True)):
        samples = sampled[number]
        if value is None or _spread(samples) <= TOLERANCE:
            continue
        # BCa by default would not have its level: see docs/agreement.md
        ends, method = percentile(samples, policy.level / 100), "percentile"
        if left_out:
            whole = round(float(value), 12)
            ends, method = bca(samples, whole, left_out[number], policy.level / 100), "bca"
        found[key] = Estimate(*ends, method, caution)
    return found


def _spread(samples: Floats) -> float:
    known = samples[~np.isnan(samples)]
    return float(np.ptp(known)) if len(known) else 0.0
