"""What the verdicts of a judge say about systems, beside labels of some answers by people."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from math import ceil
from numbers import Real
from typing import NamedTuple, Unpack

import numpy as np

from ave_score.core.entrants import TableWords, checked, takes
from ave_score.core.errors import UsageError
from ave_score.core.labels import AT_RANDOM, HOW_LABELLED
from ave_score.core.levels import check_level, share_of
from ave_score.core.policies import Policies
from ave_score.inference import groups
from ave_score.inference.estimate import (
    FEWEST,
    JudgedAnswers,
    SystemEstimate,
    difference,
    estimated,
)
from ave_score.inference.labelling import Rates, equal_errors
from ave_score.inference.resampling import Interval
from ave_score.inference.significance import corrected
from ave_score.inference.transport import labels_for, transported
from ave_score.tasks.estimated import (
    Estimated,
    EstimatedPair,
    EstimatedSystem,
    LabelPlan,
    PlannedSystem,
)
from ave_score.tasks.given import FileGiven, GoldGiven, Path, RunGiven
from ave_score.tasks.inputs import Inputs
from ave_score.tasks.judged_rows import columns_of, read
from ave_score.tasks.subjects import signature_of

_ROUGH = 30
"""Labels below which an estimate is rough."""

_SMALL = 0.001

_LARGEST = 1e12
"""What no weight reaches."""

_EXPECTED = 0.3, 0.9
"""Shares of right answers among rejected and accepted ones, before there are labels."""

_ASSUMED = (
    "Calibrated: assumes that the judge accepts right and wrong answers here as often as there. If "
    "it does not, the interval does not hold. Calibrated systems are not ranked."
)

_NOT_NEEDED = "The calibration is not used: every system has labels of its own."

_FEW_CLUSTERS = 50
"""Labelled questions below which intervals of answers that share them are a little too short."""


@takes(TableWords)
def estimate(  # noqa: PLR0913 - one for each question, all optional
    answers: GoldGiven,
    judge: RunGiven | None = None,
    *,
    qa: FileGiven | None = None,
    labels: str = AT_RANDOM,
    calibration: GoldGiven | None = None,
    cluster: Path | None = None,
    level: float = 95,
    half_width: float | None = None,
    policies: Policies | None = None,
    **words: Unpack[TableWords],
) -> Estimated:
    """Estimate the accuracy of judged systems from verdicts on all and labels of some answers.

    Parameters
    ----------
    answers
        A judged table with the `verdict` of a judge, and `judgement`, which is empty without a
        label; or a collection in which answers without a label are UNKNOWN; or logs with two
        scorers, which `policies.logs` names.
    judge
        With a collection, the run whose verdicts are those of the judge; with a judged table, a
        second one with labels, such as the one that `--draw` writes, filled in.
    qa
        With a collection, judged systems whose `a_id` says which answers are theirs.
    labels
        How answers were chosen for labels: at `random`, by `verdict`, or with the probabilities
        that `weight` of a judged table is one over.
    calibration
        Other answers with verdicts and labels, as `answers`: a system with labels on fewer than 10
        questions is corrected by the errors of the judge there.
    cluster
        Questions that belong together, as `score` takes them.
    level
        The level of intervals in per cent.
    half_width
        Says how many labels give each system an interval of plus and minus this.
    policies
        `letters`, `missing` for answers without a verdict, `unknown`, and what is chosen of `logs`.
    columns, values
        What columns and words of tables mean, as `read_collection` takes them.

    Returns
    -------
    Estimated
        The systems with their estimates and intervals, and the differences.

    Raises
    ------
    UsageError
        An argument has a wrong type or value; verdicts or labels are missing.
    DefectError, InputError
        A file has errors, or cannot be read.
    """
    inputs = Inputs(policies, entrants=checked(words, TableWords))
    settings = Settings(labels, cluster, level, half_width)
    return estimate_of(inputs, answers, judge, qa, settings, calibration)


class Settings(NamedTuple):
    """How it is estimated, as `estimate` takes it."""

    labels: str
    cluster: Path | None
    level: float
    half_width: float | None

    def check(self) -> None:
        """Raise `UsageError` for invalid settings."""
        if self.labels not in HOW_LABELLED:
            raise UsageError(
                f"no way {self.labels!r} to choose labels, only {', '.join(HOW_LABELLED)}"
            )
        check_level(self.level)
        half = self.half_width
        if half is not None and not (isinstance(half, Real) and 0 < half < 0.5):
            raise UsageError(f"half width {half!r}: expected more than 0 and less than 0.5")


def estimate_of(
    inputs: Inputs,
    answers: object,
    judge: object,
    qa: FileGiven | None,
    settings: Settings,
    calibration: object = None,
) -> Estimated:
    """Estimate the accuracy of judged systems, as `estimate`, from inputs that are read so."""
    settings.check()
    gold, systems, notes = read(inputs, answers, judge, qa)
    clusters = None if settings.cluster is None else inputs.clusters(settings.cluster, gold)
    numbers: dict[str, int] = {}

    def number(q_id: str) -> int:
        own = q_id
        if clusters is not None:
            own = f"{clusters.of.get(q_id, q_id)}\0{q_id in clusters.of}"
        return numbers.setdefault(own, len(numbers))

    for q_id in gold.index.questions:
        number(q_id)
    read_as = {system.name: columns_of(system, number, inputs.policies) for system in systems}
    columns = {name: a for name, a in read_as.items() if len(a.label)}
    if settings.labels == "weight":
        _check_weights(columns)
    made = {name: estimated(column, settings.labels) for name, column in columns.items()}
    if calibration is None and not any(item.number for item in made.values()):
        raise UsageError(
            f"{gold.path}: no answer has a label of a person: label 30 or more, chosen at random"
        )
    signed = [signature_of(gold, systems, inputs.policies, ranks=False)]
    signed += [f"labels:{settings.labels}", f"level:{float(settings.level):.15g}"]
    if clusters is not None:
        signed.append(f"cluster:{clusters}")
    elsewhere = None if calibration is None else _rates(inputs, calibration)
    if elsewhere is not None:
        signed.append(f"calibration:{'/'.join(map(str, elsewhere))}")
    if settings.half_width is not None:
        signed.append(f"half-width:{settings.half_width:.15g}")
    return _concluded(made, notes, settings, "|".join(signed), elsewhere)


def _rates(inputs: Inputs, calibration: object) -> Rates:
    """Return what the judge accepts of other answers."""
    _, systems, _ = read(inputs, calibration, None, None)
    return Rates.together(columns_of(system, hash, inputs.policies).rates for system in systems)


def _check_weights(columns: dict[str, JudgedAnswers]) -> None:
    for name, column in columns.items():
        weights = column.weight[column.labelled]
        if np.isnan(weights).any():
            raise UsageError(f"{name}: --labels weight needs a weight of each labelled answer")
        if not ((weights >= 1 - _SMALL) & (weights < _LARGEST)).all():
            raise UsageError(
                f"{name}: weights are from {weights.min():g} to {weights.max():g}, expected one "
                "over the probability of a label, which is at least 1"
            )


# --- conclusions ----------------------------------------------------------------------------------


def _concluded(
    made: dict[str, SystemEstimate],
    notes: Sequence[str],
    settings: Settings,
    signature: str,
    elsewhere: Rates | None,
) -> Estimated:
    """Return the systems in their order, and the differences of those with own labels."""
    alpha = float(1 - share_of(settings.level))
    systems = [_system(name, item, alpha, elsewhere) for name, item in made.items()]
    order = {"calibrated": 1, None: 2}
    systems.sort(key=lambda row: (order.get(row.method, 0), -(row.estimate or 0.0), row.run))
    ranked = [system.run for system in systems if made[system.run].estimate is not None]
    pairs = _pairs(ranked, made, alpha)
    systems = _ranked(systems, ranked, pairs)
    known = _random_labels(made.values())
    rates = [item.of.rates for item in known]
    alike = sum(item.number for item in known) / max(1, sum(item.questions for item in known))
    equal, notes = equal_errors(rates, alike), [*notes]
    right, accepted, wrong, wrong_accepted = Rates.together(rates)
    if equal is not None and equal < alpha:
        p = f"p = {equal:.3f}" if equal >= _SMALL else f"p < {_SMALL}"
        notes.append(f"The judge errs differently by system ({p}): do not compare judged shares.")
    if elsewhere is not None:
        if any(system.method == "calibrated" for system in systems):
            notes.append(_ASSUMED)
        elif all(item.questions >= FEWEST for item in made.values()):
            notes.append(_NOT_NEEDED)
    plan = _plan(made, [system.run for system in systems], settings, alpha)
    shown = float(settings.level), settings.labels, equal, notes, signature
    sensitivity = accepted / right if right else None
    specificity = (wrong - wrong_accepted) / wrong if wrong else None
    return Estimated(systems, pairs, *shown, sensitivity, specificity, plan)


def _pairs(
    ranked: Sequence[str], made: dict[str, SystemEstimate], alpha: float
) -> list[EstimatedPair]:
    """Return the differences of all pairs."""
    pairs = [*combinations(ranked, 2)]
    found = [difference(made[one], made[other], alpha) for one, other in pairs]
    adjusted = corrected(np.array([item.p for item in found]), "holm").tolist() if pairs else ()
    return [
        EstimatedPair(run, other, *item, p, p <= alpha)
        for (run, other), item, p in zip(pairs, found, adjusted, strict=True)
    ]


def _ranked(
    systems: Sequence[EstimatedSystem], ranked: Sequence[str], pairs: Sequence[EstimatedPair]
) -> list[EstimatedSystem]:
    """Return systems with the ranks and groups that significant differences leave."""
    worse = {(pair.run, pair.other) for pair in pairs if pair.significant}
    index = {run: at for at, run in enumerate(ranked)}
    grouped = groups.groups(len(ranked), {(index[a], index[b]) for a, b in worse})
    letters = dict(zip(ranked, groups.letters(len(ranked), grouped), strict=True))
    ranks = groups.ranks(ranked, worse)
    return [
        system._replace(ranks=ranks.get(system.run), letters=letters.get(system.run, ""))
        for system in systems
    ]


def _plan(
    made: dict[str, SystemEstimate], runs: Sequence[str], settings: Settings, alpha: float
) -> LabelPlan | None:
    """Return how many labels give intervals of the wanted half width, by the shares so far."""
    half_width, systems = settings.half_width, []
    if half_width is None:
        return None
    for run in runs:
        of, answers, given = made[run], len(made[run].of.label), made[run].of.given
        shares = _EXPECTED if of.estimate is None else (of.strata[0].share, of.strata[-1].share)
        planned: tuple[int | None, float] = 0, 0.0
        if given:
            share, judged = given / answers, of.of.verdicts[0].answers / given
            independent = int(given / of.design_effect)
            number, of_all = labels_for(half_width / share, independent, judged, shares, alpha)
            planned = number and ceil(number * of.design_effect), of_all * share
        systems.append(PlannedSystem(run, *planned))
    return LabelPlan(half_width, systems)


def _system(
    name: str, made: SystemEstimate, alpha: float, elsewhere: Rates | None
) -> EstimatedSystem:
    """Return what is said of a system; by the errors elsewhere if it has few labels."""
    of, answers = made.of, len(made.of.label)
    own = EstimatedSystem(
        name,
        made.judged,
        answers,
        len(np.unique(of.question)),
        made.number,
        made.questions,
        AT_RANDOM if made.is_complete else made.chosen,
        [verdict for verdict in of.verdicts if verdict.answers],
        made.refused or None,
        made.bounds(alpha),
    )
    if made.estimate is not None:
        interval, alone = made.interval(alpha), made.alone
        used = "post-stratified" if made.judge_used else "labels alone"
        return own._replace(
            estimate=made.estimate,
            interval=interval,
            judge_used=made.judge_used,
            worth=made.worth(alpha),
            design_effect=made.design_effect,
            method="all labelled" if made.is_complete else used,
            cautions=[*_cautions(name, made, interval)],
            alone=None if alone is None else alone.estimate,
            alone_interval=None if alone is None else alone.interval(alpha),
        )
    if elsewhere is None or made.questions >= FEWEST or not of.given:
        return own
    moved = transported(of.verdicts[0].answers, of.given, elsewhere, alpha)
    if isinstance(moved, str):
        return own._replace(no_estimate=moved)
    estimate, interval = moved.of_given(of.given, answers, alpha)
    return own._replace(estimate=estimate, interval=interval, method="calibrated", no_estimate=None)


def _random_labels(made: Iterable[SystemEstimate]) -> list[SystemEstimate]:
    """Return the systems whose labels show how the judge errs.

    Labels by verdict say nothing of it: their shares of accepted answers are chosen.
    """
    return [item for item in made if item.number and (item.chosen == AT_RANDOM or item.is_complete)]


def _cautions(name: str, made: SystemEstimate, interval: Interval) -> Iterator[str]:
    """Yield what is to be known about an estimate."""
    yield from made.seen
    if not made.judge_used and not made.is_complete:
        yield (
            f"the labels do not show that the judge tells {name}'s right answers from wrong ones: "
            "labels alone"
        )
    if made.number < _ROUGH:
        yield f"rough: fewer than {_ROUGH} labels"
    if made.questions < made.number and made.questions < _FEW_CLUSTERS:
        yield f"labels on fewer than {_FEW_CLUSTERS} questions, with several answers each: rough"
    if not interval.low <= made.judged <= interval.high:
        points = 100 * abs(made.judged - (made.estimate or 0.0))
        how = "generous to" if made.judged > interval.high else "strict with"
        yield f"the judge is {points:.0f} points too {how} {name}"
