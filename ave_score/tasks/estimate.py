"""What the verdicts of a judge say about systems, beside labels of some answers by people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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
from ave_score.inference.estimate import FEWEST, EstimatedSystem, difference
from ave_score.inference.labelling import NOT_RANDOM, Rates, by_rank, equal_errors
from ave_score.inference.significance import corrected
from ave_score.inference.transport import labels_for, transported
from ave_score.tasks.estimated import (
    CALIBRATED,
    Estimated,
    EstimatedPair,
    LabelPlan,
    PlannedSystem,
)
from ave_score.tasks.given import FileGiven, GoldGiven, Path, RunGiven
from ave_score.tasks.inputs import Inputs
from ave_score.tasks.judged_rows import columns_of, read
from ave_score.tasks.subjects import signature_of

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
    columns = [(system.name, columns_of(system, number_of, *how)) for system in systems]
    found = [EstimatedSystem(*own, settings.labels) for own in columns if len(own[1].label)]
    needs_labels = calibration is None and settings.half_width is None
    if needs_labels and not any(system.labels for system in found):
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


def _calibration(inputs: Inputs, calibration: object) -> list[EstimatedSystem]:
    """Return what shows how the judge errs elsewhere; raises if its labels cannot tell."""
    gold, systems, _ = read(inputs, calibration, None, None)
    numbers = gold.index.question_number
    found = [
        EstimatedSystem(run.name, columns_of(run, numbers, inputs.policies)) for run in systems
    ]
    few = [system for system in found if 0 < system.labelled_questions < FEWEST]
    if not all(system.of_random for system in found) or (few and _are_chosen(few)):
        raise UsageError(
            f"{gold.path}: labels of the calibration seem chosen by verdict, or by the confidence "
            "of the judge, and do not show how it errs: label answers chosen at random, or all"
        )
    return found


def _are_chosen(few: Sequence[EstimatedSystem]) -> bool:
    """Tell whether labels, too few of each system to tell, together seem chosen by verdict."""
    cells = [(system.of.verdict, system.known, system.of.question) for system in few]
    verdict, known, question = map(np.concatenate, zip(*cells, strict=True))
    of, given = np.repeat(range(len(few)), [system.answers for system in few]), verdict < 2
    chosen = by_rank(of[given], known[given], verdict[given].astype(float))
    return bool(chosen * len(np.unique(question[known])) > NOT_RANDOM * known.sum())


# --- conclusions ----------------------------------------------------------------------------------


def _judge_errors(found: Sequence[EstimatedSystem]) -> tuple[Rates, float | None]:
    """Return what the judge accepts of answers, and p of equal errors on all systems.

    Labels by verdict do not show how the judge errs: their shares of accepted ones are chosen.
    """
    known = [system for system in found if system.labels and system.of_random]
    questions = sum(system.labelled_questions for system in known)
    alike = sum(system.labels for system in known) / max(1, questions)
    rates = [system.rates for system in known]
    return Rates.together(rates), equal_errors(rates, alike)


def _differing(p: float | None, alpha: float, sentence: str) -> list[str]:
    """Return a sentence if the errors are different."""
    if p is None or p >= alpha:
        return []
    return [sentence.format(f"p = {p:.3f}" if p >= _SMALL else f"p < {_SMALL}")]


def _concluded(
    found: Sequence[EstimatedSystem],
    settings: Settings,
    elsewhere: Sequence[EstimatedSystem] | None,
    notes: list[str],
    signature: str,
) -> Estimated:
    """Return the systems in their order, and the differences of those with own labels."""
    alpha = float(1 - share_of(settings.level))
    for system in found:
        system.conclude(alpha)
    rates, p_equal = _judge_errors(found)
    notes += _differing(p_equal, alpha, _DIFFERING)
    if elsewhere is not None:
        there, p_there = _judge_errors(elsewhere)
        few = [system for system in found if system.labelled_questions < FEWEST and system.given]
        if sum(_is_calibrated(system, there, alpha) for system in few):
            signature += f"|calibration:{'/'.join(map(str, there))}"
            notes += [_ASSUMED, *_differing(p_there, alpha, _DIFFERING_THERE)]
        elif all(system.labelled_questions >= FEWEST for system in found):
            notes.append(_NOT_NEEDED)
    order = {CALIBRATED: 1, None: 2}
    systems = sorted(
        found, key=lambda row: (order.get(row.method, 0), -(row.estimate or 0.0), row.run)
    )
    pairs = _ranked([row for row in systems if row.method not in order], alpha)
    plan = None
    if (half_width := settings.half_width) is not None:
        plan = LabelPlan(half_width, [_planned(row, half_width, alpha) for row in systems])
    shown = float(settings.level), settings.labels, p_equal, notes, signature
    return Estimated(systems, pairs, *shown, *rates.shares, plan)


def _is_calibrated(system: EstimatedSystem, there: Rates, alpha: float) -> bool:
    """Tell whether a system with few labels has an estimate by the errors elsewhere; set it."""
    accepted = system.counted[0].answers
    moved = transported(accepted, system.given, system.answers, there, alpha)
    if isinstance(moved, str):
        system.no_estimate = moved
        return False
    system.estimate, system.interval, is_outside = moved
    system.method, system.no_estimate = CALIBRATED, None
    system.cautions += [_OUTSIDE] * is_outside
    return True


def _ranked(ranked: Sequence[EstimatedSystem], alpha: float) -> list[EstimatedPair]:
    """Return the differences of all pairs, the better one first, and set ranks and groups."""
    pairs = [*combinations(ranked, 2)]
    found = [difference(*pair, alpha) for pair in pairs]
    adjusted = corrected(np.array([p for *_, p in found]), "holm").tolist() if pairs else ()
    rows = [
        EstimatedPair(better.run, other.run, *figures, p, p <= alpha)
        for (better, other), figures, p in zip(pairs, found, adjusted, strict=True)
    ]
    runs = [row.run for row in ranked]
    worse = {(row.run, row.other) for row in rows if row.significant}
    numbers = {(runs.index(run), runs.index(other)) for run, other in worse}
    letters = groups.letters(len(runs), groups.groups(len(runs), numbers))
    for row, own, ranks in zip(ranked, letters, groups.ranks(runs, worse).values(), strict=True):
        row.letters, row.ranks = own, ranks
    return rows


def _planned(system: EstimatedSystem, half_width: float, alpha: float) -> PlannedSystem:
    """Return how many labels give an interval of a half width, by the shares so far."""
    if not system.given:
        return PlannedSystem(system.run, 0, 0.0)
    effect, strata = system.design_effect or 1.0, system.strata
    has_own = strata and not system.no_estimate
    shares = (strata[0].share, strata[-1].share) if has_own else _EXPECTED
    given, judged = system.given / system.answers, system.counted[0].answers / system.given
    labels, of_all = labels_for(
        half_width / given, int(system.given / effect), judged, shares, alpha
    )
    return PlannedSystem(system.run, labels and ceil(labels * effect), of_all * given)
