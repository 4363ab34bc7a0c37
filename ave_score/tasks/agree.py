"""Agreement of runs on the same answers, and with gold labels."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from dataclasses import replace
from itertools import combinations
from math import comb
from typing import TYPE_CHECKING, Any, Unpack, cast

import numpy as np

from ave_score.core.choice import read_in_all
from ave_score.core.choices import MISSING_CHOICES
from ave_score.core.collection_summary import collection_summary, signature
from ave_score.core.entrants import TableWords, checked, takes
from ave_score.core.errors import UsageError
from ave_score.core.kinds import KINDS, FileKind
from ave_score.core.model import AnswerIndex, Collection, QARun, Run, Verdict
from ave_score.core.policies import Policies, settled_table
from ave_score.core.policy import one_of
from ave_score.core.standards import OF_JUDGES
from ave_score.core.text import quantity
from ave_score.files.folders import is_folder, unfolded_logs
from ave_score.files.gold import check_collection
from ave_score.files.run import check_run
from ave_score.files.sniff import has_column, has_systems, other_format, sniff
from ave_score.inference.agree import (
    ALPHA,
    FLEISS,
    NOT_RIGHT,
    OF_GRADERS,
    PAIR,
    PAIR_MEASURES,
    VERDICT_OF_LABEL,
    Counter,
    Judgements,
    common_answers,
)
from ave_score.inference.intervals import RunIntervals, interval_of
from ave_score.inference.resampling import Resampling, replicate
from ave_score.tasks.agreed import Agreed, AgreementValues, Judge, PairAgreement, Reliability
from ave_score.tasks.given import CollectionGiven, Path, RunsGiven, settings_of
from ave_score.tasks.inputs import Inputs
from ave_score.tasks.named import are_files, named
from ave_score.tasks.subjects import decisions, signature_of

if TYPE_CHECKING:
    from fractions import Fraction

    from ave_score.core.findings import Findings
    from ave_score.files.source import Source
    from ave_score.inference.agree import Codes, Tally
    from ave_score.inference.samples import Watch
    from ave_score.measures import Measure

VERDICTS = ("two", "three")
"""Categories of verdicts, the default first: accepted or rejected, or the verdicts as they are."""

LABELS = "labels"
"""The name of the gold labels among the judges."""

_AT_ONCE = 100
"""Pairs whose samples are in memory at a time."""


@takes(TableWords)
def agree(
    runs: RunsGiven,
    *,
    collection: CollectionGiven | None = None,
    verdicts: str = "two",
    policies: Policies | None = None,
    watch: Watch = nullcontext,
    **words: Unpack[TableWords],
) -> Agreed:
    """Measure how far runs agree on the same answers, with each other and with gold labels.

    Parameters
    ----------
    runs
        Runs or their files, as `score` takes them; or collections, or their files, whose labels are
        judgements. At least two, or one with a collection. Or logs, whose scorers are the judges:
        several that `policies.logs` names, or those of one evaluation before and after an edit.
    collection
        A collection whose labels are one more judge, or its file.
    verdicts
        `two`: an answer is accepted (VALIDATED or SELECTED) or rejected; of logs, right or not.
        `three`: verdicts as they are, which labels cannot be compared with; of logs, wrong and
        withheld answers are told apart.
    policies
        `missing`: answers that not all runs judge are an error, `rejected`, `unanswered`, or
        `excluded` from pairs without both judgements; `unknown`: labels UNKNOWN, which are not
        judgements by default; `intervals`.
    columns, values
        What columns and words of tables mean, as `read_collection` takes them.
    watch
        Passes batches of pairs, or blocks of samples, through, and may show progress.

    Returns
    -------
    Agreed
        The agreement of each two judges and of all.

    Raises
    ------
    UsageError
        An argument has a wrong type; there are too few runs, or they do not judge the same answers.
    DefectError, InputError
        A file has errors, or cannot be read.
    """
    policies = settings_of(policies, Policies)
    if verdicts not in VERDICTS:
        raise UsageError(f"no verdicts {verdicts!r}, only {' or '.join(VERDICTS)}")
    policies.check_applied(OF_JUDGES, "the agreement of judges")
    inputs = Inputs(policies, entrants=checked(words, TableWords))
    gold = None if collection is None else inputs.collection(collection)
    judges = [*judgements(inputs, runs, gold)]
    if len(judges) + (gold is not None) < 2:
        raise UsageError(f"{quantity(len(judges), 'run')} given, at least two needed")
    without = [LABELS] * (gold is not None)
    without += [judge.name for judge in judges if not (judge.selects or judge.logs)]
    if verdicts == "three" and without:
        raise UsageError(f"{without[0]}: labels are not SELECTED, so they need two verdicts")
    answers = common_answers(judges) if gold is None else gold
    if policies.intervals is not None and policies.intervals.clusters is not None:
        clusters = inputs.clusters(policies.intervals.clusters, answers)
        policies = policies._replace(intervals=policies.intervals._replace(clusters=clusters))
    job = _Job(answers, judges, policies, verdicts, watch, has_labels=gold is not None)
    return Agreed(
        job.judges, answers, verdicts, job.overall(), job.pairs(watch), policies, job.signature()
    )


def check_judgements(
    source: Source,
    answers: AnswerIndex | None,
    policies: Policies,
    name: str,
    *,
    selects: bool = True,
) -> tuple[Judgements | None, list[Findings]]:
    """Read a run, of some or of any answers, or a collection with the labels of a judge."""
    kind, signed = sniff(source), source.naming.signed
    content: Run | Collection | None
    if kind is FileKind.RUN and not selects and not has_column(source, "confidence"):
        kind = _as_labels(source)
    if kind is FileKind.COLLECTION:
        content, findings = check_collection(source)
    elif kind is FileKind.RUN:
        content, findings = check_run(source, answers, policies.missing, name, selects=selects)
    else:
        return None, [other_format(source, kind, "an AVE run", KINDS[kind].no_run)]
    if content is None:
        return None, findings
    judge = Judgements.of(content, name, policies.unknown)
    return judge._replace(read_as=signed), findings


def _as_labels(source: Source) -> FileKind:
    """Return the kind of a run without confidences, whose verdicts are read as labels."""
    names, values = source.naming.names, source.naming.values
    if not has_column(source, "verdict"):
        return FileKind.RUN
    names = {**names, "label": names.get("verdict", "verdict")}
    names.pop("verdict", None)
    source.naming = source.naming._replace(names=names, values={"SELECTED": "VALIDATED", **values})
    return FileKind.COLLECTION


def judgements(
    inputs: Inputs, runs: object, gold: Collection | None, *, selects: bool = True
) -> Iterator[Judgements]:
    """Yield the judgements of each run, or of each collection that is given as one.

    Runs need SELECTED answers if they select. If findings are collected and no answer may be
    missing, all files need the answers of the first.
    """
    answers, policies = None if gold is None else gold.index, inputs.policies
    if are_files(runs) and _is_log(inputs, runs[0]):
        yield from _graded(inputs, runs, gold)
        return
    for value, name in named(inputs.unfolded(runs, gold), (Run, QARun, Collection, Judgements)):
        if isinstance(value, Judgements):
            yield value
            continue
        policies.check_no_log()
        if isinstance(value, Collection):
            yield Judgements.of(value, name or value.path, policies.unknown)
        elif isinstance(value, Run | QARun):
            yield Judgements.of(decisions(value), name or value.name, policies.unknown)
        else:
            source = inputs.source(value, name or "run", wanted="a run, ")
            its_name = name or source.name
            run = inputs.take(
                check_judgements, source, answers, policies, its_name, selects=selects
            )
            if run is not None:
                yield run
                if inputs.collects and MISSING_CHOICES[policies.missing].is_refused:
                    answers = answers or run.answers


def _is_log(inputs: Inputs, value: Source | Path) -> bool:
    """Tell whether a file is a log, or whether there are any in a folder."""
    if is_folder(value):
        return bool(unfolded_logs([os.fspath(value)]))
    return has_systems(inputs.source(value, "run"))


def _graded(inputs: Inputs, logs: Sequence[Any], gold: Collection | None) -> Iterator[Judgements]:
    """Yield the judgements of each grader of the same answers."""
    if gold is not None:
        raise UsageError("a collection labels the answers of runs, and logs have their own")
    of_logs, systems = inputs.gold(logs)
    if not of_logs.standard.has_decisions:
        raise UsageError(of_logs.standard.others_refused)
    by_grader: dict[str, list[QARun]] = {}
    for system in systems:
        by_grader.setdefault(system.grader or system.name, []).append(system)
    known = {(system.evaluations if not system.grader else ()) for system in systems}
    if len(by_grader) < 2 or len(known) > 1:
        raise UsageError(
            "judges grade the same answers: name two scorers of a log (--log scorer=A --log "
            "scorer=B), or give it before and after an edit"
        )
    for name, graded in by_grader.items():
        table = settled_table(graded[0].letters, inputs.policies.unknown)
        codes: dict[tuple[str, str], int] = {}
        for system in graded:
            for answer in system.answers:
                code = VERDICT_OF_LABEL[table[answer.judgement].label]
                if answer.answered is False:
                    code = Verdict.VALIDATED
                elif code == Verdict.VALIDATED:
                    code = Verdict.SELECTED
                codes[answer.q_id, repr((system.evaluations, answer.replicate))] = code
        index = AnswerIndex.naming(codes)
        judged = bytes(map(codes.__getitem__, index.position))
        yield Judgements(
            name,
            index,
            judged,
            selects=False,
            read_as=of_logs.read_as,
            logs=cast("Collection", of_logs),
        )


class _Job:
    """The judgements of all judges on the same answers."""

    def __init__(
        self,
        answers: Collection,
        runs: Sequence[Judgements],
        policies: Policies,
        verdicts: str,
        watch: Watch,
        *,
        has_labels: bool,
    ) -> None:
        self._answers, self._runs, self._policies = answers, len(runs), policies
        self._read_as = read_in_all([answers.read_as, *(judge.read_as for judge in runs)])
        self._verdicts, self._has_labels = verdicts, has_labels
        self._counter = Counter.of(answers.index, is_binary=verdicts == "two")
        aligned = [self._aligned(judgements) for judgements in runs]
        if has_labels:
            judge, labels = self._aligned(Judgements.of(answers, LABELS, policies.unknown))
            aligned.append((judge._replace(is_labels=True), labels))
        self.judges = [judge for judge, _ in aligned]
        names = [judge.name for judge in self.judges]
        if len({*names}) < len(names):
            raise UsageError(f"two judges are named {max(names, key=names.count)!r}")
        self._codes = np.array([codes for _, codes in aligned])
        self._watch: Watch = nullcontext if comb(len(names), 2) > _AT_ONCE else watch

    def _aligned(self, judgements: Judgements) -> tuple[Judge, Codes]:
        """Return the judgements on all answers; 0 where there is none."""
        index = self._answers.index
        said, is_grader = judgements.codes, judgements.logs is not None
        if is_grader and self._verdicts == "two":
            said = said.translate(NOT_RIGHT)
        codes = np.frombuffer(said, dtype=np.uint8)
        codes = np.where(codes == Verdict.OPEN, np.uint8(Verdict.MISSING), codes)
        unknown, lacking = int((codes == 0).sum()), 0
        if not judgements.answers.has_answers_of(index):
            position = judgements.answers.position
            at = np.array([position.get(ids, -1) for ids in index.position])
            lacking = int((at < 0).sum())
            codes = np.where(at < 0, np.uint8(0), codes[at])
            self._check(judgements, lacking)
            choice = MISSING_CHOICES[self._policies.missing]
            codes[at < 0] = (
                0 if choice.opens_pairs and not index.standard.has_questions else choice.verdict
            )
        judge = Judge(judgements.name, lacking, unknown, selects=judgements.selects)
        return judge._replace(is_grader=is_grader), codes

    def _check(self, judgements: Judgements, lacking: int) -> None:
        """Raise `UsageError` if a judge lacks answers, unless the policy says what to do."""
        size = len(self._answers.index)
        outside = len(judgements.answers) - (size - lacking)
        if outside:
            answers = quantity(outside, "answer")
            raise UsageError(f"{judgements.name} judges {answers} that the collection lacks")
        if lacking and MISSING_CHOICES[self._policies.missing].is_refused:
            others = {name: way for name, way in MISSING_CHOICES.items() if not way.is_refused}
            raise UsageError(
                f"{judgements.name} lacks {lacking:,} of {quantity(size, 'answer')}: choose "
                f"{one_of(others)} as the treatment of missing answers"
            )

    def overall(self) -> list[Reliability]:
        """Return the agreement of all runs, and of all runs and the labels."""
        runs = self._runs
        sizes = [runs] * (runs > 1) + [runs + 1] * self._has_labels
        return [self._reliability(size) for size in sizes]

    def _reliability(self, size: int) -> Reliability:
        codes, judges = self._codes[:size], self.judges[:size]
        measures = [ALPHA, *[FLEISS] * bool(codes.all())]
        (figures,) = self._figures([self._counter.all("all", codes)], measures)
        return Reliability(judges, int(((codes > 0).sum(axis=0) > 1).sum()), figures)

    def pairs(self, watch: Watch) -> list[PairAgreement]:
        """Return the agreement of each two judges."""
        numbers = [*combinations(range(len(self.judges)), 2)]
        starts = range(0, len(numbers), _AT_ONCE)
        pairs: list[PairAgreement] = []
        with watch(starts) as watched:
            for start in watched:
                pairs += self._some_pairs(numbers[start : start + _AT_ONCE])
        kappa = PAIR_MEASURES[1]

        def order(pair: PairAgreement) -> tuple[bool, tuple[bool, Fraction]]:
            return not pair.other.is_labels, kappa.sort_key(pair.figures.values[kappa.key])

        return sorted(pairs, key=order)

    def _some_pairs(self, numbers: Sequence[tuple[int, int]]) -> Iterator[PairAgreement]:
        tallies = [
            self._counter.pair(
                f"{a} {b}",
                self._codes[a],
                self._codes[b],
                both_select=self.judges[a].selects and self.judges[b].selects,
            )
            for a, b in numbers
        ]
        is_graded = self._verdicts == "three" and self.judges[0].is_grader
        figures = self._figures(tallies, OF_GRADERS if is_graded else PAIR_MEASURES)
        for (a, b), tally, values in zip(numbers, tallies, figures, strict=True):
            cells = [*vars(tally.exact[PAIR]).values()]
            table = [cells[:3], cells[3:6], cells[6:]]
            yield PairAgreement(self.judges[a], self.judges[b], table, values)

    def _figures(
        self, tallies: Sequence[Tally], measures: Sequence[Measure]
    ) -> list[AgreementValues]:
        """Return the measures of each tally, and their intervals if these are wanted."""
        values = [
            {
                measure.key: measure(tally.exact[measure.family])
                for measure in measures
                if measure.family in tally.exact
            }
            for tally in tallies
        ]
        policy = self._policies.intervals
        if policy is None:
            return [AgreementValues(value) for value in values]
        counts = [tally.counted for tally in tallies]
        if policy.clusters is not None:
            counts = [count.by_cluster(policy.clusters) for count in counts]
        resampling = Resampling(policy.resamples, policy.seed)
        replicates = replicate(counts, measures, resampling, self._watch)
        figures = []
        for count, value in zip(counts, values, strict=True):
            bounds = RunIntervals({}, {})
            for measure in measures:
                if value.get(measure.key) is not None:
                    values_of_samples = replicates[count.run, measure.key]
                    bounds.keep(measure, interval_of(count, measure, values_of_samples, policy))
            figures.append(AgreementValues(value, *bounds))
        return figures

    def signature(self) -> str:
        """Return the line that identifies the answers and the policies."""
        policies, answers = self._policies, replace(self._answers, read_as=self._read_as)
        if self._has_labels:
            signed = signature_of(answers, (), policies, ranks=False)
        else:
            facts = collection_summary(answers)
            facts = facts._replace(standard=facts.standard._replace(policies=OF_JUDGES))
            signed = signature(policies, facts).replace("|collection:", "|answers:")
        return f"{signed}|verdicts:{self._verdicts}"
