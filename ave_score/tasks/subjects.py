"""What is scored, and against what: runs, QA systems or responses, and parts of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING, TypeAlias

from ave_score.core.choice import read_in_all
from ave_score.core.choices import MISSING_CHOICES
from ave_score.core.collection_summary import CollectionSummary, collection_summary, signature
from ave_score.core.epochs import lacking_in, notes_on_lacking
from ave_score.core.errors import UsageError, wrong_type
from ave_score.core.model import Collection, QARun, Replicated, Run
from ave_score.core.open_questions import OpenGold, ResponseRun
from ave_score.core.parts import Extent, complete, exclusion_notes, extent, narrowed, with_questions
from ave_score.core.policies import Policies, settle_unknown
from ave_score.core.standards import CANDIDATES, DEFAULTS
from ave_score.core.text import quantity
from ave_score.counts import families_of
from ave_score.counts.counted import Kind
from ave_score.measures import Measure, parse_measures
from ave_score.tasks.given import GoldGiven, RunsGiven, SubjectsGiven, are_given
from ave_score.tasks.inputs import Inputs
from ave_score.tasks.replicates import signed_replicates, singles

if TYPE_CHECKING:
    from ave_score.inference.units import Gold, Single, Subject

MeasuresGiven: TypeAlias = str | Measure | Sequence[str | Measure]
"""Names of measures in a text, a measure, or a list of names and measures."""


def decisions(subject: Subject) -> Run:
    """Return a run with decisions on candidate answers; raises `UsageError` for a QA system."""
    if isinstance(subject, Run):
        return subject
    raise UsageError(f"{subject.name} is a QA system, which has no decisions on candidate answers")


def kind_of(subject: Subject) -> Kind:
    """Return the kind of the row of a run, or of a system."""
    return Kind.of(singles([subject])[0])


def kinds_of(subjects: Sequence[Subject], gold: Gold) -> list[str]:
    """Return what is scored, as keys of `DEFAULTS`: what the gold standard says, or the runs."""
    return [*gold.standard.scored] or [kind_of_rows(map(kind_of, subjects))]


def kind_of_rows(kinds: Iterable[Kind]) -> str:
    """Return what rows are about, runs if there are none."""
    known = {*kinds}
    return "runs and systems" if len(known) > 1 else "systems" if Kind.QA in known else "runs"


def signature_of(
    gold: Gold, subjects: Sequence[Subject], policies: Policies, *, ranks: bool
) -> str:
    """Return the signature of scores of these subjects.

    `ranks` tells whether rankings are measured. The signature says how runs were read, not what
    was asked for.
    """
    systems = [subject for subject in subjects if isinstance(subject, Replicated)]
    signed = signed_replicates(len(system.runs) for system in systems)
    for subject in subjects:
        policies = as_read(policies, subject)
    facts = facts_of(gold, policies)
    facts = facts._replace(read_as=read_in_all([facts.read_as, *read_of(subjects)]))
    return signature(policies, facts, ranks=ranks) + signed


def read_of(subjects: Sequence[Subject]) -> list[Mapping[str, str]]:
    """Return how runs were read, where that is not the usual way: parts of signatures."""
    return [run.read_as for run in singles(subjects) if isinstance(run, Run)]


def as_read(policies: Policies, subject: Subject) -> Policies:
    """Return the policies with what was done about missing answers when runs were read."""
    for run in singles([subject]):
        if isinstance(run, Run | QARun) and not MISSING_CHOICES[run.missing].is_refused:
            policies = policies._replace(missing=run.missing)  # others lack none
    return policies


# --- measures


def facts_of(gold: Gold, policies: Policies) -> CollectionSummary:
    """Return the summary of a collection, or of answer sets."""
    if isinstance(gold, Collection):
        return collection_summary(gold, settle_unknown(gold, policies.unknown))
    questions = gold.questions.values()
    answerable = sum(bool(question.sets or question.nuggets) for question in questions)
    numbers = len(questions), 0, 0, 0, 0, answerable
    return CollectionSummary(
        gold.path, gold.sha256, *numbers, standard=gold.standard, read_as=gold.read_as
    )


def wanted_measures(measures: MeasuresGiven, gold: Gold | None = None) -> list[Measure]:
    """Return the measures named in a text or a list; `all` selects those of the gold standard.

    Raises `UsageError` if one does not apply to documents, and the gold standard is qrels.
    """
    standard = CANDIDATES if gold is None else gold.standard
    families, of_qrels = families_of(standard), standard.ranks_documents
    wanted: list[Measure] = []
    # a text is a sequence, and a measure a tuple, too
    items: object = [measures] if isinstance(measures, str | Measure) else measures
    for measure in items if isinstance(items, Iterable) else [items]:
        if isinstance(measure, str):
            wanted += parse_measures(measure, families, of_qrels=of_qrels)
        elif isinstance(measure, Measure):
            wanted.append(measure)
        else:
            raise wrong_type("names of measures", measure)
    others = [measure.key for measure in wanted if not measure.family.is_of(standard)]
    if others and standard.others_refused:
        raise UsageError(f"{', '.join(others)}: {standard.others_refused}")
    return wanted


def table_measures(kinds: Iterable[str]) -> str:
    """Return the default measures of tables about some kinds of input, as `kinds_of` says them."""
    return ",".join(dict.fromkeys(DEFAULTS[kind].tables for kind in kinds))


def compared_measures(kinds: Iterable[str], *, are_means: bool = False) -> list[Measure]:
    """Return the measures that compare inputs of these kinds, perhaps only means over questions."""
    named = (parse_measures(",".join(DEFAULTS[kind].compared)) for kind in kinds)
    return tested(chain.from_iterable(named), are_means=are_means)


def tested(measures: Iterable[Measure], *, are_means: bool) -> list[Measure]:
    """Return the measures that a test takes: all, or only means over questions."""
    return [measure for measure in measures if not are_means or measure.is_mean or measure.is_share]


# --- parts of what is scored ----------------------------------------------------------------------


def refuse_systems(gold: Gold, qa: RunsGiven, done: str) -> None:
    """Raise `UsageError` if more QA systems are given with what has none; `done` is a verb."""
    if "qa" in gold.standard.refused and are_given(qa):
        raise UsageError(f"QA systems cannot be {done} with {gold.standard.submitted}")


def subset_of_gold(gold: Gold, ids: Iterable[str]) -> Gold:
    """Return the collection, or answer sets, with some questions or pairs only."""
    members = {*ids}
    if isinstance(gold, OpenGold):
        questions = {q_id: question for q_id, question in gold.questions.items() if q_id in members}
        return replace(gold, questions=questions)
    return with_questions(gold, members)


def subset(subject: Subject, gold: Gold) -> Subject:
    """Return a run, a system or responses on the questions of a part of the collection."""
    if isinstance(subject, Replicated):
        return replace(subject, runs=[_subset(run, gold) for run in subject.runs])
    return _subset(subject, gold)


def _subset(subject: Single, gold: Gold) -> Single:
    if isinstance(subject, ResponseRun) or isinstance(gold, OpenGold):
        assert isinstance(subject, ResponseRun)
        ids = {*gold.ids}
        responses = {q_id: answers for q_id, answers in subject.responses.items() if q_id in ids}
        return subject._replace(responses=responses)
    return narrowed(subject, gold)


def paired(gold: Gold, subjects: Sequence[Subject]) -> tuple[Gold, list[Subject], list[str]]:
    """Return what all runs and systems have in common, if missing answers are excluded.

    Paired comparisons need the same questions with the same candidates, so they use the questions
    for which every run has all answers.

    Returns
    -------
    tuple of Collection or OpenGold, list and list of str
        The collection, the runs, and a note if these are parts.

    Raises
    ------
    UsageError
        No question is complete in all runs.
    """
    runs = [subject for subject in singles(subjects) if isinstance(subject, Run | QARun)]
    if isinstance(gold, OpenGold) or all(extent(run, gold) is None for run in runs):
        return gold, [*subjects], notes_on_lacking(lacking_in(runs))
    ids = gold.ids
    common = {*ids}.intersection(*(complete(run, gold) for run in runs))
    unit, has = gold.standard.unit, gold.standard.complete
    if not common:
        raise UsageError(f"no {unit} has {has} in every run, so that none is comparable")
    part = with_questions(gold, common)
    note = (
        f"Missing answers are excluded: compared on the {len(common):,} of "
        f"{quantity(len(ids), unit)} for which every run has "
        f"{has.replace(' its', '')}."
    )
    return (
        part,
        [subset(subject, part) for subject in subjects],
        [note, *notes_on_lacking(lacking_in(runs))],
    )


def with_common(subject: Subject, gold: Gold) -> Subject:
    """Return a system on the questions that all of its runs have; other subjects as they are."""
    return paired(gold, [subject])[1][0] if isinstance(subject, Replicated) else subject


def paired_runs(
    inputs: Inputs, collection: GoldGiven, runs: SubjectsGiven, why_not: str
) -> tuple[Collection, Collection, list[Run | QARun], list[str]]:
    """Return a collection, and what `paired` returns of it: a part, the runs by name, and notes.

    `why_not` says why responses to open questions are refused, as the end of a sentence. Raises
    `UsageError` also for fewer than two runs.
    """
    gold, systems = inputs.gold(collection)
    if isinstance(gold, OpenGold):
        raise UsageError(f"{gold.standard.submitted} {why_not}")
    common, parts, notes = paired(gold, [*inputs.subjects(gold, systems, runs)])
    assert isinstance(common, Collection)
    subjects = [subject for subject in parts if isinstance(subject, Run | QARun)]
    if len(subjects) < 2:
        raise UsageError(f"{quantity(len(subjects), 'run')} given, at least two needed")
    return gold, common, sorted(subjects, key=lambda subject: subject.name), notes


def excluded_from(subjects: Iterable[Subject], gold: Gold) -> list[str]:
    """Return notes on the subjects that are scored on fewer answers or replicates."""
    if isinstance(gold, OpenGold):
        return []
    runs = [subject for subject in subjects if isinstance(subject, Run | QARun)]
    extents = [(run.name, extent(run, gold)) for run in runs]
    return [*exclusion_notes(extents, Extent.of(gold)), *notes_on_lacking(lacking_in(runs))]
