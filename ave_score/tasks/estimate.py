"""What the verdicts of a judge say about systems, beside labels of some answers by people."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations
from math import ceil
from numbers import Real
from typing import NamedTuple, Unpack

import numpy as np

from ave_score.core.entrants import TableWords, checked, takes
from ave_score.core.errors import UsageError
from ave_score.core.levels import check_level, share_of
from ave_score.core.policies import Policies
from ave_score.inference import groups
from ave_score.inference.estimate import (
    CHOSEN,
    FEWEST,
    Difference,
    JudgedAnswers,
    SystemEstimate,
    difference,
    estimated,
)
from ave_score.inference.labelling import chi_square_tail
from ave_score.inference.resampling import Interval
from ave_score.inference.significance import corrected
from ave_score.inference.transport import Rates, Transported, labels_for, transported
from ave_score.tasks.estimated import Estimated, EstimatedPair, EstimatedSystem, JudgedVerdict
from ave_score.tasks.given import FileGiven, GoldGiven, Path, RunGiven
from ave_score.tasks.inputs import Inputs
from ave_score.tasks.judged_rows import columns_of, rates, read
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
    labels: str = CHOSEN[0],
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

    labels: str = CHOSEN[0]
    cluster: Path | None = None
    level: float = 95
    half_width: float | None = None

    def check(self) -> None:
        """Raise `UsageError` for invalid settings."""
        if self.labels not in CHOSEN:
            raise UsageError(f"no way {self.labels!r} to choose labels, only {', '.join(CHOSEN)}")
        check_level(self.level)
        half = self.half_width
        if half is not None and not (isinstance(half, Real) and 0 < half < 0.5):
            raise UsageError(f"half width {half!r}: expected a share below 0.5, such as 0.03")


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
    gold, found = read(inputs, answers, judge, qa)
    clusters = None if settings.cluster is None else inputs.clusters(settings.cluster, gold)
    numbers: dict[str, int] = {}

    def number(q_id: str) -> int:
        own = q_id
        if clusters is not None:
            own = f"{clusters.of.get(q_id, q_id)}\0{q_id in clusters.of}"
        return numbers.setdefault(own, len(numbers))

    for q_id in gold.index.questions:
        number(q_id)
    columns = {name: columns_of(rows, number) for name, rows in found.rows.items() if rows}
    if settings.labels == "weight":
        _check_weights(columns)
    made = {name: estimated(of, settings.labels) for name, of in columns.items()}
    if calibration is None and not any(of.number for of in made.values()):
        raise UsageError("no answer has a label of a person: label 30 or more, chosen at random")
    signed = [signature_of(gold, found.systems, inputs.policies, ranks=False)]
    signed += [f"labels:{settings.labels}", f"level:{float(settings.level):.15g}"]
    if clusters is not None:
        signed.append(f"cluster:{clusters}")
    elsewhere = None if calibration is None else rates(inputs, calibration)
    if elsewhere is not None:
        signed.append(f"calibration:{'/'.join(map(str, elsewhere))}")
    return _concluded(made, found.notes, settings, "|".join(signed), elsewhere)


def _check_weights(columns: dict[str, JudgedAnswers]) -> None:
    for name, of in columns.items():
        weights = of.weight[of.labelled]
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
    systems = [_system(name, of, alpha, elsewhere) for name, of in made.items()]
    order = {"calibrated": 1, None: 2}
    systems.sort(key=lambda of: (order.get(of.method, 0), -(of.estimate or 0.0), of.run))
    ranked = [of.run for of in systems if made[of.run].estimate is not None]
    pairs = [*combinations(ranked, 2)]
    differences = [difference(made[one], made[other], alpha) for one, other in pairs]
    concluded = [*_pairs(pairs, differences, alpha)]
    systems = _ranked(systems, ranked, concluded)
    if settings.half_width is not None:
        systems = [
            of._replace(planned=_planned(made[of.run], settings.half_width, alpha))
            for of in systems
        ]
    equal, notes = _equal_errors([*made.values()]), [*notes]
    if equal is not None and equal < alpha:
        p = f"p = {equal:.3f}" if equal >= _SMALL else f"p < {_SMALL}"
        notes.append(f"The judge errs differently by system ({p}): do not compare judged shares.")
    if elsewhere is not None:
        if any(of.method == "calibrated" for of in systems):
            notes.append(_ASSUMED)
        elif all(of.questions >= FEWEST for of in made.values()):
            notes.append(_NOT_NEEDED)
    shown = float(settings.level), settings.labels, equal, notes, signature, settings.half_width
    return Estimated(systems, concluded, *shown, *_judge_rates(systems))


def _ranked(
    systems: Sequence[EstimatedSystem], ranked: Sequence[str], pairs: Sequence[EstimatedPair]
) -> list[EstimatedSystem]:
    """Return systems with the ranks and groups that significant differences leave."""
    worse = {(pair.run, pair.other) for pair in pairs if pair.significant}
    index = {run: at for at, run in enumerate(ranked)}
    grouped = groups.groups(len(ranked), {(index[a], index[b]) for a, b in worse})
    letters = groups.letters(len(ranked), grouped)
    better, lost = Counter(run for run, _ in worse), Counter(other for _, other in worse)
    made = []
    for of in systems:
        if of.run in index:
            places = 1 + lost[of.run], len(ranked) - better[of.run]
            made.append(of._replace(ranks=places, letters=letters[index[of.run]]))
        else:
            made.append(of)
    return made


def _planned(made: SystemEstimate, half_width: float, alpha: float) -> int | None:
    """Return how many labels give an interval of a half width, by the shares so far."""
    shares = _EXPECTED if made.estimate is None else (made.shares[0], made.shares[-1])
    accepted = made.of.accepted[~made.of.withheld]
    if not len(accepted):
        return 0
    given = len(accepted) / len(made.of.label)  # the others need no labels
    answers = int(len(accepted) / made.design_effect)
    number = labels_for(half_width / given, answers, float(accepted.mean()), shares, alpha)
    return None if number is None else ceil(number * made.design_effect)


def _pairs(
    pairs: Sequence[tuple[str, str]], differences: Sequence[Difference], alpha: float
) -> Iterator[EstimatedPair]:
    adjusted = corrected(np.array([of.p for of in differences]), "holm") if pairs else ()
    for (run, other), of, p in zip(pairs, differences, adjusted, strict=True):
        yield EstimatedPair(run, other, *of, float(p), bool(p <= alpha))


def _system(
    name: str, made: SystemEstimate, alpha: float, elsewhere: Rates | None
) -> EstimatedSystem:
    """Return what is said of a system; by the errors elsewhere if it has few labels."""
    point = made.estimate
    interval = None if point is None else made.interval(alpha)
    moved = None
    accepted, answers = made.of.accepted[~made.of.withheld], len(made.of.label)
    if elsewhere is not None and made.questions < FEWEST and len(accepted):
        moved = transported(int(accepted.sum()), len(accepted), elsewhere, alpha)
        if isinstance(moved, str):
            made.refused = moved
        else:
            moved = moved.of_given(len(accepted), answers, alpha)
    used = "post-stratified" if made.judge_used else "labels alone"
    method = "all labelled" if made.is_complete else used
    own = EstimatedSystem(
        name,
        made.judged,
        point,
        interval,
        len(made.of.label),
        len(np.unique(made.of.question)),
        made.number,
        made.questions,
        made.judge_used and point is not None,
        None if point is None else made.worth(alpha),
        None if point is None else made.design_effect,
        None if point is None else method,
        CHOSEN[0] if made.is_complete else made.chosen,
        made.refused or None,
        made.bounds(alpha),
        [] if interval is None else [*_cautions(name, made, interval)],
    )
    own = own._replace(verdicts=[*_verdicts(made)])
    if (alone := made.alone) is not None:
        own = own._replace(alone=alone.estimate, alone_interval=alone.interval(alpha))
    if isinstance(moved, Transported):
        return own._replace(**moved._asdict(), method="calibrated", no_estimate=None)
    return own


def _verdicts(made: SystemEstimate) -> Iterator[JudgedVerdict]:
    """Yield the answers of each verdict, and those that are withheld."""
    of = made.of
    accepted = of.accepted & ~of.withheld
    parts = {"accepted": accepted, "rejected": ~of.accepted & ~of.withheld, "withheld": of.withheld}
    for verdict, where in parts.items():
        if where.any():
            labelled = where & of.labelled
            right = int((of.label[labelled] > 0).sum())
            yield JudgedVerdict(verdict, int(where.sum()), int(labelled.sum()), right)


def _judge_rates(systems: Sequence[EstimatedSystem]) -> tuple[float | None, float | None]:
    """Return sensitivity and specificity of the judge, by the labels at random of all systems."""
    right, wrong = Counter[str](), Counter[str]()
    for of in (of for system in systems if system.chosen == CHOSEN[0] for of in system.verdicts):
        right[of.verdict] += of.right
        wrong[of.verdict] += of.labels - of.right
    shares = (right["accepted"], right.total()), (wrong["rejected"], wrong.total())
    sensitivity, specificity = (hits / number if number else None for hits, number in shares)
    return sensitivity, specificity


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


def _equal_errors(made: Sequence[SystemEstimate]) -> float | None:
    """Return p of equal shares of accepted answers, right and wrong ones, of all systems.

    Labels by verdict say nothing of it: their shares of accepted answers are chosen. Answers to a
    question count as one.
    """
    made = [of for of in made if of.number and (of.chosen == CHOSEN[0] or of.is_complete)]
    if len(made) < 2:
        return None
    alike = sum(of.number for of in made) / sum(of.questions for of in made)
    top, free = 0.0, 0
    for right in (0.0, 1.0):
        cells = []
        for of in made:
            accepted = of.of.accepted[of.of.labelled & (of.of.label == right)]
            if len(accepted):
                cells.append((len(accepted), int(accepted.sum())))
        answers, hits = map(sum, zip(*cells, strict=True)) if cells else (0, 0)
        if len(cells) > 1 and 0 < hits < answers:
            share = hits / answers
            top += sum((k - n * share) ** 2 / (n * share * (1 - share)) for n, k in cells)
            free += len(cells) - 1
    return chi_square_tail(top / alike, free) if free else None
