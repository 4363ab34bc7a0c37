"""What the verdicts of a judge say about systems, beside labels of some answers by people."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from math import ceil
from numbers import Real
from typing import NamedTuple, Unpack

import numpy as np

from ave_score.core.entrants import TableWords, checked, takes
from ave_score.core.errors import UsageError
from ave_score.core.labels import AT_RANDOM, HOW_LABELLED
from ave_score.core.levels import check_level, share_of
from ave_score.core.model import Clusters, Collection
from ave_score.core.policies import Policies
from ave_score.inference import groups
from ave_score.inference.estimate import FEWEST, JudgedAnswers, SystemEstimate, difference
from ave_score.inference.labelling import NOT_RANDOM, Rates, by_rank, equal_errors
from ave_score.inference.significance import corrected
from ave_score.inference.transport import labels_for, transported
from ave_score.tasks.estimated import (
    CALIBRATED,
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

_ROUGH, _FEW_CLUSTERS = 30, 50
"""Labels below which an estimate is rough; and labelled questions, with several answers to each."""

_SMALL = 0.001

_EXPECTED = 0.9, 0.3
"""Shares of right answers among accepted and rejected ones, before there are labels."""

_ASSUMED = (
    "Calibrated: assumes that the judge accepts right and wrong answers here as often as there. If "
    "it does not, the interval does not hold. Calibrated systems are not ranked."
)

_DIFFERING = "The judge errs differently by system ({}): do not compare judged shares."

_DIFFERING_THERE = (
    "The judge errs differently by system in the calibration ({}): its errors there need not be "
    "those here."
)

_OUTSIDE = (
    "the judge accepts a share here that is outside of those of wrong and of right answers there, "
    "so it may err differently here"
)

_NOT_NEEDED = "The calibration is not used: every system has labels of its own."


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
        With a collection, the run whose verdicts are those of the judge (confidences are not
        needed); with a judged table, or logs, a table with labels, such as the one that
        `draw_labels` returns, filled in. Logs have other labels only if `logs.scorer` is chosen.
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
            known = ", ".join(HOW_LABELLED)
            raise UsageError(f"no way {self.labels!r} to choose labels, only {known}")
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
    policies = inputs.policies
    gold, systems, notes = read(inputs, answers, judge, qa)
    clusters = None if settings.cluster is None else inputs.clusters(settings.cluster, gold)
    number_of = _numbers(gold, clusters)
    how = inputs.policies, settings.labels
    columns = {system.name: columns_of(system, number_of, *how) for system in systems}
    found = {
        run: SystemEstimate(answers, settings.labels)
        for run, answers in columns.items()
        if answers.size
    }
    needs_labels = calibration is None and settings.half_width is None
    if needs_labels and not any(system.number for system in found.values()):
        raise UsageError(
            f"{gold.path}: no answer has a label of a person: label 30 or more, chosen at random"
        )
    signed = [signature_of(gold, systems, inputs.policies, ranks=False)]
    signed += [f"labels:{settings.labels}", f"level:{float(settings.level):.15g}"]
    signed += [f"cluster:{clusters}"] * (clusters is not None)
    if settings.half_width is not None:
        signed.append(f"half-width:{settings.half_width:.15g}")
    inputs.policies = policies  # only the answers may be labelled by a table instead of a scorer
    elsewhere = None if calibration is None else _calibration(inputs, calibration)
    return _concluded(found, settings, elsewhere, notes, "|".join(signed))


def _numbers(gold: Collection, clusters: Clusters | None) -> Mapping[str, int]:
    """Return the number of each question, or of its cluster."""
    if clusters is None:
        return gold.index.question_number
    units = {q_id: clusters.of.get(q_id, (q_id,)) for q_id in gold.index.questions}
    numbers = {unit: number for number, unit in enumerate(dict.fromkeys(units.values()))}
    return {q_id: numbers[unit] for q_id, unit in units.items()}


class JudgeErrors(NamedTuple):
    """What the judge accepts of answers with labels at random; p of equal errors on all systems."""

    rates: Rates
    p_equal: float | None

    @classmethod
    def of(cls, found: Iterable[SystemEstimate]) -> JudgeErrors:
        """Return those of all systems together.

        Labels by verdict do not show how the judge errs: their shares of accepted ones are chosen.
        """
        known = [system for system in found if system.number and system.of_random]
        labels = sum(system.number for system in known)
        alike = labels / max(1, sum(system.questions for system in known))
        rates = [system.answers.rates for system in known]
        return cls(Rates.together(rates), equal_errors(rates, alike))

    def notes(self, alpha: float, differing: str) -> list[str]:
        """Return a sentence if the errors are different."""
        if self.p_equal is None or self.p_equal >= alpha:
            return []
        p = f"p = {self.p_equal:.3f}" if self.p_equal >= _SMALL else f"p < {_SMALL}"
        return [differing.format(p)]


def _calibration(inputs: Inputs, calibration: object) -> JudgeErrors:
    """Return how the judge errs on other answers; raises if their labels cannot tell."""
    gold, systems, _ = read(inputs, calibration, None, None)
    numbers = gold.index.question_number
    found = [SystemEstimate(columns_of(run, numbers, inputs.policies)) for run in systems]
    few = [system.answers for system in found if 0 < system.questions < FEWEST]
    if not all(system.of_random for system in found) or (few and _are_chosen(few)):
        raise UsageError(
            f"{gold.path}: labels of the calibration seem chosen by verdict, or by the confidence "
            "of the judge, and do not show how it errs: label answers chosen at random, or all"
        )
    return JudgeErrors.of(found)


def _are_chosen(systems: Sequence[JudgedAnswers]) -> bool:
    """Tell whether labels, too few of each system to tell, together seem chosen by verdict."""
    verdict = np.concatenate([answers.verdict for answers in systems])
    labelled = np.concatenate([answers.labelled for answers in systems])
    question = np.concatenate([answers.question for answers in systems])[labelled]
    of, given = np.repeat(range(len(systems)), [part.size for part in systems]), verdict < 2
    alike = len(question) / len(np.unique(question))
    chosen = by_rank(of[given], labelled[given], verdict[given].astype(float))
    return chosen / alike > NOT_RANDOM


# --- conclusions ----------------------------------------------------------------------------------


def _concluded(
    found: Mapping[str, SystemEstimate],
    settings: Settings,
    elsewhere: JudgeErrors | None,
    notes: list[str],
    signature: str,
) -> Estimated:
    """Return the systems in their order, and the differences of those with own labels."""
    alpha = float(1 - share_of(settings.level))
    there = None if elsewhere is None else elsewhere.rates
    systems = [_system(*system, alpha, there) for system in found.items()]
    order = {CALIBRATED: 1, None: 2}
    systems.sort(key=lambda row: (order.get(row.method, 0), -(row.estimate or 0.0), row.run))
    pairs = _pairs([row.run for row in systems if not found[row.run].refused], found, alpha)
    errors = JudgeErrors.of(found.values())
    notes += errors.notes(alpha, _DIFFERING)
    if elsewhere is not None and any(row.method == CALIBRATED for row in systems):
        signature += f"|calibration:{'/'.join(map(str, elsewhere.rates))}"
        notes += [_ASSUMED, *elsewhere.notes(alpha, _DIFFERING_THERE)]
    elif elsewhere is not None and all(system.questions >= FEWEST for system in found.values()):
        notes.append(_NOT_NEEDED)
    plan = None
    if (half_width := settings.half_width) is not None:
        planned = [_planned(row.run, found[row.run], half_width, alpha) for row in systems]
        plan = LabelPlan(half_width, planned)
    shown = float(settings.level), settings.labels, errors.p_equal, notes, signature
    return Estimated(_ranked(systems, pairs), pairs, *shown, *errors.rates.shares, plan)


def _pairs(
    ranked: Sequence[str], found: Mapping[str, SystemEstimate], alpha: float
) -> list[EstimatedPair]:
    """Return the differences of all pairs of systems, the better one first."""
    pairs = [*combinations(ranked, 2)]
    differences = [difference(found[run], found[other], alpha) for run, other in pairs]
    adjusted = corrected(np.array([p for _, _, p in differences]), "holm").tolist() if pairs else ()
    return [
        EstimatedPair(run, other, *figures, p, p <= alpha)
        for (run, other), figures, p in zip(pairs, differences, adjusted, strict=True)
    ]


def _ranked(
    systems: Sequence[EstimatedSystem], pairs: Sequence[EstimatedPair]
) -> list[EstimatedSystem]:
    """Return systems with the ranks and groups that significant differences leave."""
    runs = [row.run for row in systems if row.method not in (CALIBRATED, None)]
    worse = {(pair.run, pair.other) for pair in pairs if pair.significant}
    grouped = groups.groups(
        len(runs), {(runs.index(run), runs.index(other)) for run, other in worse}
    )
    letters = [*groups.letters(len(runs), grouped), *[""] * (len(systems) - len(runs))]
    ranks = groups.ranks(runs, worse)
    return [
        row._replace(ranks=ranks.get(row.run), letters=own)
        for row, own in zip(systems, letters, strict=True)  # ranked systems are the first
    ]


def _planned(run: str, found: SystemEstimate, half_width: float, alpha: float) -> PlannedSystem:
    """Return how many labels give an interval of a half width, by the shares so far."""
    answers, effect = found.answers, found.design_effect
    if not answers.given:
        return PlannedSystem(run, 0, 0.0)
    shares = _EXPECTED if found.refused else (found.strata[0].share, found.strata[-1].share)
    given, judged = answers.given / answers.size, answers.verdicts[0].answers / answers.given
    labels, of_all = labels_for(
        half_width / given, int(answers.given / effect), judged, shares, alpha
    )
    return PlannedSystem(run, labels and ceil(labels * effect), of_all * given)


def _system(
    run: str, found: SystemEstimate, alpha: float, elsewhere: Rates | None
) -> EstimatedSystem:
    """Return what is said of a system; by the errors elsewhere if it has few labels."""
    answers = found.answers
    row = EstimatedSystem(
        run,
        answers.verdicts[0].answers / answers.size,
        answers.size,
        found.all_questions,
        found.number,
        found.questions,
        AT_RANDOM if found.is_complete else found.chosen,
        [verdict for verdict in answers.verdicts if verdict.answers],
        found.refused or None,
        found.bounds(alpha),
    )
    if not found.refused:
        return _estimated(row, found, alpha)
    if elsewhere is None or found.questions >= FEWEST or not answers.given:
        return row
    moved = transported(answers.verdicts[0].answers, answers.given, answers.size, elsewhere, alpha)
    if isinstance(moved, str):
        return row._replace(no_estimate=moved)
    return row._replace(
        estimate=moved.estimate,
        interval=moved.interval,
        method=CALIBRATED,
        no_estimate=None,
        cautions=[_OUTSIDE] * moved.is_outside,
    )


def _estimated(row: EstimatedSystem, found: SystemEstimate, alpha: float) -> EstimatedSystem:
    """Return what is said of a system that has an estimate by its own labels."""
    used = "post-stratified" if found.judge_used else "labels alone"
    row = row._replace(
        estimate=found.estimate,
        interval=found.interval(alpha),
        judge_used=found.judge_used,
        worth=found.worth(alpha),
        design_effect=found.design_effect,
        method="all labelled" if found.is_complete else used,
    )
    if found.judge_used and found.chosen == AT_RANDOM:
        alone = SystemEstimate(found.answers, uses_judge=False)
        row = row._replace(alone=alone.estimate, alone_interval=alone.interval(alpha))
    return row._replace(cautions=[*found.seen, *_cautions(row)])


def _cautions(row: EstimatedSystem) -> Iterator[str]:
    """Yield what is to be known about an estimate."""
    if row.method == "labels alone":
        yield (
            f"the labels do not show that the judge tells {row.run}'s right answers from wrong "
            "ones: labels alone"
        )
    if row.labels < _ROUGH:
        yield f"rough: fewer than {_ROUGH} labels"
    if row.labelled_questions < min(row.labels, _FEW_CLUSTERS):
        yield f"labels on fewer than {_FEW_CLUSTERS} questions, with several answers each: rough"
    low, high = row.interval or (0.0, 1.0)
    if not low <= row.judged <= high:
        how = "generous to" if row.judged > high else "strict with"
        points = 100 * abs(row.judged - (row.estimate or 0.0))
        yield f"the judge is {points:.0f} points too {how} {row.run}"
