"""Runs and systems as the policies have them: replicates, thresholds, missing answers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from ave_score.core.choices import MISSING_CHOICES
from ave_score.core.epochs import counted_epochs
from ave_score.core.errors import UsageError
from ave_score.core.model import Collection, QARun, Run
from ave_score.core.parts import with_unmentioned
from ave_score.core.policies import Policies, settled_table
from ave_score.core.standards import Standard

if TYPE_CHECKING:
    from ave_score.inference.units import Subject

Decidable = TypeVar("Decidable", bound=Run | QARun)


def with_epochs(subjects: Iterable[Subject], policies: Policies) -> Iterator[Subject]:
    """Yield runs and systems, these with the replicates that count, or one for each replicate."""
    for subject in subjects:
        if isinstance(subject, QARun):
            table = settled_table(subject.letters, policies.unknown)
            yield from counted_epochs(subject, policies.epochs, table)
        else:
            yield subject


def with_policies(run: Run | QARun, collection: Collection, policies: Policies) -> Run | QARun:
    """Return a run or a system decided at the threshold; a system was read for these policies."""
    run = with_threshold(run, policies, collection.standard)
    if isinstance(run, Run):
        return run
    # what is right was read with its labels, which another collection of these ids may not share
    if run.index not in (None, collection.index):
        raise UsageError(f"system {run.name!r} was not read against this collection")
    if run.letters != policies.letters:
        raise UsageError(
            f"system {run.name!r} was read with the letters of {run.letters}, "
            f"not {policies.letters}"
        )
    # a judged file has the rows that it has, whatever it was read for
    if not MISSING_CHOICES[policies.missing].is_refused:
        run = replace(run, missing=policies.missing)
    return with_unmentioned(run, collection)


def as_aggregated(
    subjects: Iterable[Subject], policies: Policies, standard: Standard
) -> Iterator[Run | QARun]:
    """Yield runs and systems with what epochs and a threshold make of them; raises as these."""
    for subject in with_epochs(subjects, policies):
        if isinstance(subject, Run | QARun):
            yield with_threshold(subject, policies, standard)


def with_threshold(run: Decidable, policies: Policies, standard: Standard) -> Decidable:
    """Return a run or a system decided at the threshold, if there is one.

    A system beside runs, which are about candidates, may have no confidences: then it has the
    answers that it has. Raises `UsageError` if others have none.
    """
    if policies.threshold is None or (standard.has_candidates and _is_unsure(run)):
        return run
    from ave_score.inference.sweep import decided_at  # few have a threshold

    return decided_at(run, policies.threshold)


def _is_unsure(run: Run | QARun) -> bool:
    """Tell whether a system has no confidence of any answer."""
    return isinstance(run, QARun) and all(answer.confidence is None for answer in run.answers)
