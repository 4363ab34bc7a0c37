"""What is counted and sampled: questions of runs and QA systems, pairs, and open questions.

Everything that can be scored is counted unit by unit here, so that intervals and comparisons treat
it alike. The unit is the question. Text-hypothesis pairs have no questions, so each pair is a unit.
Of responses to open questions, the units are the questions of the types that the measures score.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache, partial
from itertools import compress
from typing import TypeAlias, cast

import numpy as np

from ave_score.core.errors import UsageError
from ave_score.core.model import (
    AnswerIndex,
    ClustersGiven,
    Collection,
    Label,
    QARun,
    Replicated,
    Run,
    Verdict,
)
from ave_score.core.open_questions import OpenGold, ResponseRun, Responses
from ave_score.core.parts import mentioned
from ave_score.core.policies import Policies, settled_table
from ave_score.counts import (
    ANSWERING,
    COMBINED,
    CONFIDENCE,
    SELF_SCORE,
    VALIDATION,
    Counts,
    Family,
    NotCounted,
)
from ave_score.counts.confidence import (
    NO_CONFIDENCES,
    answers_as_run,
    has_confidences,
    returned_answers,
)
from ave_score.counts.counted import Counted, RowCounter, count_responses
from ave_score.counts.judged import JudgedSystem
from ave_score.inference.by_question import ByQuestion, CountRows, Floats
from ave_score.inference.counting import count_by_question, count_system, row_of, rows_of_values
from ave_score.inference.mean import mean_of
from ave_score.inference.weighted import Sampler, samplers
from ave_score.measures import Measure
from ave_score.measures.combined import combined_parts
from ave_score.measures.registry import families_for

Single: TypeAlias = Run | QARun | ResponseRun
Subject: TypeAlias = Single | Replicated
"""What is scored: a run, a QA system, or responses to open questions; or a system's runs."""

Gold: TypeAlias = Collection | OpenGold
"""What subjects are scored against; UNKNOWN labels of collections are resolved."""


def exact_counts(
    subject: Single, gold: Gold, measures: Iterable[Measure], policies: Policies
) -> Counted:
    """Return the exact counts of a subject, and why families do not apply to it."""
    if isinstance(subject, ResponseRun):
        return count_responses(subject, cast("OpenGold", gold))
    counter = RowCounter(cast("Collection", gold), policies, families_for(measures))
    return counter.of_run(subject) if isinstance(subject, Run) else counter.of_system(subject)


def count_for(
    subject: Subject,
    gold: Gold,
    measures: Sequence[Measure],
    policies: Policies,
    clusters: ClustersGiven | None = None,
) -> ByQuestion:
    """Count a subject unit by unit for measures.

    Parameters
    ----------
    gold
        The collection, UNKNOWN labels resolved; answer sets for responses.
    policies
        The meaning of judgements, and the ranking of ties.
    clusters
        Units that are sampled together; None: each unit alone.

    Returns
    -------
    ByQuestion
        `reasons` explains each measure that cannot be computed on samples. Measures of families
        that do not apply to the subject are in neither.

    Raises
    ------
    UsageError
        The subject was not read against this gold standard; a unit is in no cluster.
    """
    if isinstance(subject, Replicated):
        runs = [_count(run, gold, measures, policies) for run in subject.runs]
        counted = mean_of(subject.name, runs, measures)
    else:
        counted = _count(subject, gold, measures, policies)
    return counted if clusters is None or not counted.ids else counted.by_cluster(clusters)


def _count(
    subject: Single, gold: Gold, measures: Sequence[Measure], policies: Policies
) -> ByQuestion:
    leaves = {leaf.key: leaf for measure in measures for leaf in measure.leaves}
    counted = _count_leaves(subject, gold, [*leaves.values()], policies)
    return _with_means(counted, [measure for measure in measures if measure.parts])


def _with_means(counted: ByQuestion, measures: Sequence[Measure]) -> ByQuestion:
    """Return counts with samplers of measures that are computed from others."""
    if not measures:
        return counted
    samplers, reasons = dict(counted.samplers), dict(counted.reasons)
    for measure in measures:
        lacking = [leaf for leaf in measure.leaves if not counted.has_values(leaf)]
        if lacking:
            reasons[measure.key] = counted.why_not(lacking[0])
        else:
            samplers[measure.key] = partial(_sampled_mean, measure, counted)
    epochs = counted.epochs and _with_means(counted.epochs, measures)
    return counted._replace(samplers=samplers, reasons=reasons, epochs=epochs)


def _sampled_mean(measure: Measure, counted: ByQuestion, times: Floats) -> Floats:
    """Return a measure that is computed from others, for samples."""
    if not measure.parts:
        return counted.measured(measure, times)
    values = [_sampled_mean(part, counted, times) for part in measure.parts]
    return np.asarray(measure.function(values))


def _count_leaves(
    subject: Single, gold: Gold, measures: Sequence[Measure], policies: Policies
) -> ByQuestion:
    if isinstance(subject, ResponseRun):
        return _of_responses(subject, cast("OpenGold", gold), measures)
    collection = mentioned(subject, cast("Collection", gold))
    if not (collection.index.questions or len(collection.index)):
        return ByQuestion(subject.name, {})  # a system that mentions none of the questions
    if isinstance(subject, Run):
        return _of_run(subject, collection, measures, policies.ties)
    table = settled_table(policies.letters, policies.unknown)
    return _of_system(JudgedSystem(subject, collection, table, policies.ties), measures)


def sampled_together(subject: Subject, measures: Sequence[Measure]) -> list[list[Measure]]:
    """Group measures that share units: those of responses by family, all others together."""
    first = subject.runs[0] if isinstance(subject, Replicated) else subject
    if not isinstance(first, ResponseRun):
        return [list(measures)]
    groups: dict[Family, list[Measure]] = {}
    for measure in measures:
        groups.setdefault(measure.family, []).append(measure)
    return list(groups.values())


# --- runs -----------------------------------------------------------------------------------------


def _of_run(run: Run, collection: Collection, measures: Sequence[Measure], ties: str) -> ByQuestion:
    """Count a run by question; each pair is treated as a question."""
    standard = collection.standard
    if not standard.has_questions:
        measures = [measure for measure in measures if measure.family.is_of(standard)]
        run, collection = _each_alone(run, collection)
    added = {measure.family for measure in measures if measure.family.of_decisions}
    counted = count_by_question(run, collection, {VALIDATION, *added})  # always a row for each
    ranked = [
        measure for measure in measures if measure.family.of_run and not measure.family.of_decisions
    ]
    means = [measure for measure in ranked if measure.is_mean]
    others = [measure for measure in ranked if not measure.is_mean]
    if has_confidences(run):
        sampled, reasons = samplers(run, collection, ties, others)
    else:
        sampled, reasons = {}, dict.fromkeys((measure.key for measure in others), NO_CONFIDENCES)
    return counted._replace(
        values=_values_of_run(run, collection, ties, means),
        samplers=sampled,
        reasons=reasons,
        unit=standard.unit,
    )


def _values_of_run(
    run: Run, collection: Collection, ties: str, means: Iterable[Measure]
) -> dict[str, CountRows]:
    """Return the values for each question of measures that are means, by the measures' keys."""
    counts: dict[Family, list[Counts]] = {}
    for family in {measure.family for measure in means}:
        assert family.by_question
        counts[family] = list(family.by_question(run, collection, ties))
    return {measure.key: rows_of_values(measure, counts[measure.family]) for measure in means}


def _each_alone(run: Run, collection: Collection) -> tuple[Run, Collection]:
    """Return a run of pairs and its collection with every pair as a question of its own."""
    if not run.index.has_answers_of(collection.index):
        raise UsageError(f"run {run.name!r} was not read against this collection")
    alone = _pairs_alone(collection)
    return replace(run, index=alone.index), alone


@lru_cache(maxsize=2)
def _pairs_alone(collection: Collection) -> Collection:
    ids = collection.index.a_ids
    alone = AnswerIndex(ids, [*range(len(ids) + 1)], ids, ids)
    return replace(collection, index=alone)


# --- QA systems -----------------------------------------------------------------------------------


def _of_system(judged: JudgedSystem, measures: Sequence[Measure]) -> ByQuestion:
    """Count a QA system by question, and the confidences in its answers."""
    counted = count_system(judged, {ANSWERING, *(measure.family for measure in measures)})
    sampled: dict[str, Sampler] = {}
    reasons: dict[str, str] = {}
    for family, as_run in ((SELF_SCORE, _as_run), (CONFIDENCE, answers_as_run)):
        own = [measure for measure in measures if measure.family is family]
        try:
            found, why = samplers(*as_run(judged), judged.ties, own) if own else ({}, {})
        except NotCounted as reason:
            found, why = {}, dict.fromkeys((measure.key for measure in own), str(reason))
        sampled, reasons = sampled | found, reasons | why
    values: dict[str, CountRows] = {}
    for measure in measures:
        with suppress(NotCounted):
            if measure.family.of_questions and (of := measure.family.of_questions(judged)):
                values[measure.key] = rows_of_values(measure, of)
    return counted._replace(values=values, samplers=sampled, reasons=reasons)


def _as_run(judged: JudgedSystem) -> tuple[Run, Collection]:
    """Return the answers of a QA system as a run that selects them, with their own collection.

    Each question has the answer that was returned, if any, and further correct answers that the run
    rejects, as many as the collection has: their number is all that is needed of them. Raises
    `NotCounted` if an answer has no confidence.
    """
    answer_of = {returned.answer.q_id: returned for returned in returned_answers(judged)}
    starts, labels, verdicts, sure = [0], bytearray(), bytearray(), array("d")
    ids: list[tuple[str, str]] = []
    source = judged.collection
    for q_id, span in zip(source.index.questions, source.index.spans, strict=True):
        correct, returned = source.labels[span].count(Label.VALIDATED), answer_of.get(q_id)
        if returned is not None:
            labels.append(Label.VALIDATED if returned.is_right else Label.REJECTED)
            verdicts.append(Verdict.SELECTED)
            sure.append(returned.confidence)
            ids.append((q_id, returned.answer.a_id))
            correct -= returned.is_right
        others = max(0, correct)
        labels += bytes([Label.VALIDATED]) * others
        verdicts += bytes([Verdict.REJECTED]) * others
        sure.extend([0.0] * others)
        ids += [(q_id, "")] * others
        starts.append(len(labels))
    q_ids, a_ids = [q_id for q_id, _ in ids], [a_id for _, a_id in ids]
    index = AnswerIndex(source.index.questions, starts, q_ids, a_ids)
    name, path = judged.system.name, judged.system.path
    run = Run(name, path, index, bytes(verdicts), sure, array("l", [0]) * len(ids))
    return run, Collection(source.path, source.sha256, index, bytes(labels))


# --- responses ------------------------------------------------------------------------------------


def _of_responses(run: ResponseRun, gold: OpenGold, measures: Sequence[Measure]) -> ByQuestion:
    """Count responses by question: the questions of the types that the measures score."""
    combined = [measure for measure in measures if measure.family is COMBINED]
    parts = [part for measure in combined for _, part in combined_parts(*measure.values)]
    plain = [
        measure
        for measure in measures
        if measure.family.of_responses and measure.family is not COMBINED
    ]
    families = list(dict.fromkeys(measure.family for measure in [*plain, *parts]))
    singles = [
        Responses(run, OpenGold(gold.path, gold.sha256, {q_id: question}))
        for q_id, question in gold.questions.items()
    ]
    counts = {family: [_counts_alone(family, single) for single in singles] for family in families}
    scored = [any(of_question) for of_question in zip(*counts.values(), strict=True)]
    if not any(scored):
        return ByQuestion(run.name, {})
    ids = [*compress(gold.questions, scored)]
    of_scored = {family: [*compress(column, scored)] for family, column in counts.items()}
    means = [measure for measure in [*plain, *parts] if measure.is_mean]
    of_means = {measure.family for measure in means}
    added = [family for family in families if family not in of_means]
    columns = {family: _rows(family, of_scored[family]) for family in added}
    values = {measure.key: rows_of_values(measure, of_scored[measure.family]) for measure in means}
    counted = ByQuestion(run.name, columns, values, ids=ids)
    sampled = {measure.key: _combined(measure, counted) for measure in combined}
    return counted._replace(samplers=sampled)


def _counts_alone(family: Family, responses: Responses) -> Counts | None:
    """Return the counts of a single question; None if it is of another type."""
    assert family.of_responses
    try:
        return family.of_responses(responses)
    except NotCounted:
        return None


def _rows(family: Family, counts: Iterable[Counts | None]) -> Floats:
    return np.array([row_of(family.counts() if record is None else record) for record in counts])


def _combined(measure: Measure, counted: ByQuestion) -> Sampler:
    """Return the sampler of a weighted mean of measures that add up."""
    parts = combined_parts(*measure.values)

    def compute(times: Floats) -> Floats:
        weighted = [float(weight) * counted.measured(part, times) for weight, part in parts]
        return np.asarray(np.sum(weighted, axis=0) / float(sum(weight for weight, _ in parts)))

    return compute
