"""What the verdicts of a judge say about systems, beside labels of some answers by people."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import nan
from typing import NamedTuple

import numpy as np

from ave_score.core.choices import MISSING_CHOICES
from ave_score.core.errors import InputError, UsageError
from ave_score.core.judgements import Answering
from ave_score.core.labels import VERDICTS, Label, Verdict
from ave_score.core.levels import check_level, share_of
from ave_score.core.model import Collection, QARun
from ave_score.core.policies import Policies, letters_table, settled_table
from ave_score.core.reported import Reported
from ave_score.core.text import counted
from ave_score.inference import groups
from ave_score.inference.agree import Judgements
from ave_score.inference.estimate import (
    CHOSEN,
    Difference,
    JudgedAnswers,
    SystemEstimate,
    difference,
    estimated,
)
from ave_score.inference.labelling import chi_square_tail
from ave_score.inference.resampling import Interval
from ave_score.inference.significance import corrected
from ave_score.tasks.agree import judgements
from ave_score.tasks.given import FileGiven, GoldGiven, Path, RunGiven
from ave_score.tasks.inputs import Inputs
from ave_score.tasks.subjects import signature_of

_ROUGH = 30
"""Labels below which an estimate is rough."""

_FEW_CLUSTERS = 50
"""Labelled questions below which intervals of answers that share them are a little too short."""


class EstimatedSystem(NamedTuple):
    """A system and its estimated accuracy.

    Attributes
    ----------
    run
        Its name.
    judged
        The share of its answers that the judge accepts.
    estimate, interval
        The accuracy, and its interval; None if there is none.
    answers, questions, labels, labelled_questions
        Their numbers.
    judge_used
        Whether the verdicts are used: not if labels do not show that they tell right from wrong.
    worth
        The number of labels alone that give an interval as wide; None without an estimate.
    design_effect
        By how much labels that share questions count less.
    method
        `post-stratified`, `labels alone` or `all labelled`; None without an estimate.
    no_estimate
        Why there is none; None if there is one.
    bounds
        The interval, whatever the answers with a verdict without labels are; None without need.
    cautions
        What is to be known about it, in words.
    ranks, letters
        The best and the worst rank that the significant differences leave, and the groups.
    """

    run: str
    judged: float
    estimate: float | None
    interval: Interval | None
    answers: int
    questions: int
    labels: int
    labelled_questions: int
    judge_used: bool
    worth: float | None
    design_effect: float | None
    method: str | None
    no_estimate: str | None
    bounds: Interval | None
    cautions: Sequence[str]
    ranks: tuple[int, int] | None = None
    letters: str = ""


class EstimatedPair(NamedTuple):
    """The difference of two systems, the better one first; p is corrected for all pairs."""

    run: str
    other: str
    difference: float
    interval: Interval
    p: float
    p_corrected: float
    significant: bool


@dataclass(frozen=True, repr=False)
class Estimated(Reported):
    """The accuracy of judged systems: what `ave-score estimate` reports.

    `to_frame` has a row for each system.

    Attributes
    ----------
    systems
        The systems, the most accurate first; those without an estimate are last.
    pairs
        The difference of each two systems that have an estimate.
    level
        The level of intervals, in per cent.
    labels
        How answers were chosen for labels.
    p_equal_errors
        Chi-square's p of equal errors of the judge on all systems; None with one system.
    notes
        Sentences about the figures.
    signature
        The line that identifies the answers, the policies and the settings.
    """

    systems: Sequence[EstimatedSystem]
    pairs: Sequence[EstimatedPair]
    level: float
    labels: str
    p_equal_errors: float | None
    notes: Sequence[str]
    signature: str

    def __repr__(self) -> str:
        return f"<Estimated {counted(len(self.systems), 'system')}>"


def estimate(
    answers: GoldGiven,
    judge: RunGiven | None = None,
    *,
    qa: FileGiven | None = None,
    labels: str = CHOSEN[0],
    cluster: Path | None = None,
    level: float = 95,
    policies: Policies | None = None,
) -> Estimated:
    """Estimate the accuracy of judged systems from verdicts on all and labels of some answers.

    Parameters
    ----------
    answers
        A judged table with the `verdict` of a judge, and `judgement`, which is empty without a
        label; or a collection in which answers without a label are UNKNOWN; or logs with two
        scorers, which `policies.logs` names.
    judge
        With a collection, the run whose verdicts are those of the judge.
    qa
        With a collection, judged systems whose `a_id` says which answers are theirs.
    labels
        How answers were chosen for labels: at `random`, by `verdict`, or with the probabilities
        that `weight` of a judged table is one over.
    cluster
        Questions that belong together, as `score` takes them.
    level
        The level of intervals in per cent.
    policies
        `letters`, `missing` for answers without a verdict, `unknown`, and what is chosen of `logs`.

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
    inputs = Inputs(policies)
    return estimate_of(inputs, answers, judge, qa, labels=labels, cluster=cluster, level=level)


def estimate_of(
    inputs: Inputs,
    answers: object,
    judge: object = None,
    qa: FileGiven | None = None,
    *,
    labels: str = CHOSEN[0],
    cluster: Path | None = None,
    level: float = 95,
) -> Estimated:
    """Estimate the accuracy of judged systems, as `estimate`, from inputs that are read so."""
    if labels not in CHOSEN:
        raise UsageError(f"no way {labels!r} to choose labels, only {', '.join(CHOSEN)}")
    check_level(level)
    gold, found = _read(inputs, answers, judge, qa)
    clusters = None if cluster is None else inputs.clusters(cluster, gold).of
    numbers: dict[str, int] = {}

    def number(q_id: str) -> int:
        own = q_id if clusters is None else f"{clusters.get(q_id, '')}\0{q_id not in clusters}"
        return numbers.setdefault(own, len(numbers))

    for q_id in gold.index.questions:
        number(q_id)
    alpha = float(1 - share_of(level))
    made = {name: estimated(_columns(rows, number), labels) for name, rows in found.rows.items()}
    if not any(of.number for of in made.values()):
        raise UsageError("no answer has a label of a person: label 30 or more, chosen at random")
    signed = signature_of(gold, found.systems, inputs.policies, ranks=False)
    signature = f"{signed}|labels:{labels}|level:{float(level):.15g}"
    clustered = "" if cluster is None else f"|cluster:{inputs.clusters(cluster, gold)}"
    return _concluded(made, found, alpha, (float(level), labels, signature + clustered))


# --- reading --------------------------------------------------------------------------------------


class _Row(NamedTuple):
    """An answer as it is estimated from; the label is NaN if there is none."""

    q_id: str
    accepted: bool
    label: float
    weight: float | None = None
    confidence: float | None = None
    withheld: bool = False


class _Found(NamedTuple):
    rows: dict[str, list[_Row]]
    systems: Sequence[QARun]
    notes: list[str]


_MIXED = (
    "{} labelled UNKNOWN by assessors are taken as not labelled, beside others without a label: "
    "what assessors cannot decide is not missing at random. Choose --unknown incorrect or correct."
)


def _read(
    inputs: Inputs, answers: object, judge: object, qa: FileGiven | None
) -> tuple[Collection, _Found]:
    """Return the questions, and the answers of each system."""
    if judge is None:
        gold, systems = inputs.gold(answers)  # type: ignore[arg-type]
        if not systems or not isinstance(gold, Collection):
            raise UsageError(
                f"{gold.path} has no systems with verdicts: give a judged table or logs, or a "
                "collection and the run of one judge"
            )
        if qa is not None:
            raise UsageError("--qa says which answers of a COLLECTION are whose: give JUDGE, too")
        return gold, _of_systems(systems, inputs.policies)
    inputs.policies.check_no_log()
    gold = inputs.collection(answers, labels="optional")  # type: ignore[arg-type]
    judges = [*judgements(inputs, judge if isinstance(judge, dict) else [judge], gold)]
    inputs.check("estimated")
    if len(judges) != 1:
        raise UsageError("the JUDGE is one run, or labels, with a verdict on each answer")
    return gold, _of_collection(gold, judges[0], inputs.judged(qa, gold), inputs.policies)


def _of_systems(systems: Sequence[QARun], policies: Policies) -> _Found:
    """Return the answers of judged systems, whose rows have the verdict of the judge."""
    rows: dict[str, list[_Row]] = {}
    unknown = empty = 0
    table = letters_table(systems[0].letters)
    settled = settled_table(systems[0].letters, policies.unknown)
    for system in systems:
        rows[system.name] = own = []
        for answer in system.answers:
            letter = answer.judgement
            unknown += letter != "" and settled[letter].is_unsettled
            empty += letter == ""
            held = answer.answered is False or table[letter].answering is Answering.UNANSWERED
            accepted = _verdict(system, answer.verdict, answer.line, policies, withheld=held)
            if accepted is None:
                continue
            label = nan if letter == "" else _share(settled[letter].label)
            sure = answer.weight, answer.verdict_confidence
            own.append(_Row(answer.q_id, accepted, label, *sure, held))
    notes = [_MIXED.format(counted(unknown, "answer"))] * bool(unknown and empty)
    return _Found(rows, systems, notes)


def _verdict(
    system: QARun, word: str, line: int, policies: Policies, *, withheld: bool
) -> bool | None:
    """Return whether an answer is accepted; None if it is left out; raises if nothing says it."""
    code = VERDICTS.get(word.upper())
    if code is not None or withheld:
        return code not in (None, Verdict.REJECTED)
    if word:
        known = ", ".join(VERDICTS)
        raise InputError(
            system.path,
            f"line {line}: found verdict {word!r}, expected {known}; --values "
            "true=VALIDATED,false=REJECTED says what other words mean",
        )
    choice = MISSING_CHOICES[policies.missing]
    if choice.is_refused:
        raise InputError(
            system.path,
            f"line {line}: the answer of {system.name} has no verdict of the judge (column "
            "verdict, or --log judge=NAME): give it, or choose --missing rejected or excluded",
        )
    return None if choice.is_left_out else False


def _share(label: Label) -> float:
    return {Label.VALIDATED: 1.0, Label.REJECTED: 0.0}.get(label, nan)


def _of_collection(
    gold: Collection, judge: Judgements, systems: Sequence[QARun], policies: Policies
) -> _Found:
    """Return the answers of a collection, of each system if they are given."""
    settled = settled_table(policies.letters, policies.unknown)[""]
    unsettled = _share(settled.label)
    position = judge.answers.position
    every: dict[tuple[str, str], _Row] = {}
    choice = MISSING_CHOICES[policies.missing]
    for ids, code in zip(gold.index.position, gold.labels, strict=True):
        verdict = judge.codes[position[ids]] if ids in position else Verdict.MISSING
        if verdict == Verdict.MISSING and choice.is_refused:
            raise UsageError(
                f"{judge.name} has no verdict on answer {ids[1]!r} of question {ids[0]!r}: give "
                "it, or choose --missing rejected or excluded"
            )
        if verdict != Verdict.MISSING or not choice.is_left_out:
            label = unsettled if code == Label.UNKNOWN else _share(Label(code))
            every[ids] = _Row(ids[0], verdict > Verdict.REJECTED, label)
    counts = gold.labelled(Label.UNKNOWN), gold.labelled(Label.NONE)
    mixed = bool(min(counts)) and settled.is_unsettled
    notes = [_MIXED.format(counted(counts[0], "answer"))] * mixed
    rows = {judge.name: [*every.values()]} if not systems else {}
    for system in systems:
        rows[system.name] = own = []
        for answer in system.answers:
            row = every.get((answer.q_id, answer.a_id))
            if row is None and not choice.is_left_out:
                raise InputError(
                    system.path,
                    f"line {answer.line}: found a_id {answer.a_id!r}, expected that of an answer "
                    f"of question {answer.q_id!r} in the collection",
                )
            if row is not None:
                own.append(row)
    return _Found(rows, systems, notes)


def _columns(rows: Sequence[_Row], number: Callable[[str], int]) -> JudgedAnswers:
    """Return the answers of a system as columns."""
    weight, sure = (
        np.array([nan if value is None else value for value in column], float)
        for column in ([of.weight for of in rows], [of.confidence for of in rows])
    )
    return JudgedAnswers(
        np.array([of.accepted for of in rows], bool),
        np.array([of.label for of in rows], float),
        np.array([number(of.q_id) for of in rows], np.int64),
        weight,
        sure,
        np.array([of.withheld for of in rows], bool),
    )


# --- conclusions ----------------------------------------------------------------------------------


def _concluded(
    made: dict[str, SystemEstimate],
    found: _Found,
    alpha: float,
    settings: tuple[float, str, str],
) -> Estimated:
    """Return the systems in their order, and the differences of those with an estimate."""
    level, labels, signature = settings
    for name, of in made.items():
        if labels == "weight" and np.isnan(of.of.weight[of.of.labelled]).any():
            raise UsageError(f"{name}: --labels weight needs a weight of each labelled answer")
    systems = [_system(name, of, alpha) for name, of in made.items()]
    systems.sort(key=lambda of: (of.estimate is None, -(of.estimate or 0.0), of.run))
    ranked = [of.run for of in systems if of.estimate is not None]
    pairs = [*combinations(ranked, 2)]
    differences = [difference(made[one], made[other], alpha) for one, other in pairs]
    concluded = [*_pairs(pairs, differences, alpha)]
    worse = {(pair.run, pair.other) for pair in concluded if pair.significant}
    index = {run: at for at, run in enumerate(ranked)}
    grouped = groups.groups(len(ranked), {(index[a], index[b]) for a, b in worse})
    letters = groups.letters(len(ranked), grouped)
    better, lost = Counter(run for run, _ in worse), Counter(other for _, other in worse)
    systems = [
        of._replace(
            ranks=(1 + lost[of.run], len(ranked) - better[of.run]), letters=letters[index[of.run]]
        )
        if of.run in index
        else of
        for of in systems
    ]
    equal, notes = _equal_errors([*made.values()]), [*found.notes]
    if equal is not None and equal < alpha:
        notes.append(
            f"The judge errs differently by system (p = {equal:.3f}): do not compare judged shares."
        )
    return Estimated(systems, concluded, level, labels, equal, notes, signature)


def _pairs(
    pairs: Sequence[tuple[str, str]], differences: Sequence[Difference], alpha: float
) -> Iterator[EstimatedPair]:
    adjusted = corrected(np.array([of.p for of in differences]), "holm") if pairs else ()
    for (run, other), of, p in zip(pairs, differences, adjusted, strict=True):
        yield EstimatedPair(run, other, *of, float(p), bool(p <= alpha))


def _system(name: str, made: SystemEstimate, alpha: float) -> EstimatedSystem:
    """Return what is said of a system."""
    point = made.estimate
    interval = None if point is None else made.interval(alpha)
    used = "post-stratified" if made.judge_used else "labels alone"
    method = "all labelled" if made.is_complete else used
    return EstimatedSystem(
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
        made.refused or None,
        made.bounds(alpha),
        [] if interval is None else [*_cautions(name, made, interval)],
    )


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
    """Return p of equal shares of accepted answers, right and wrong ones, of all systems."""
    if len(made) < 2:
        return None
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
    return chi_square_tail(top, free) if free else None
