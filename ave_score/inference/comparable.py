"""Whether runs can be compared by measures, and their exact values."""

from __future__ import annotations

from collections.abc import Sequence

from ave_score.core.errors import UsageError
from ave_score.core.model import Replicated
from ave_score.core.policies import Policies
from ave_score.core.text import brief, did_you_mean, nearest
from ave_score.inference.by_question import ByQuestion
from ave_score.inference.units import Gold, Subject, exact_counts
from ave_score.measures import Measure
from ave_score.measures.values import MeasureValues, mean_values, values_of


def exact_values(
    subjects: Sequence[Subject], gold: Gold, measures: Sequence[Measure], policies: Policies
) -> dict[str, MeasureValues]:
    """Return the exact values of measures for each subject, by its name.

    Raises `UsageError` if a measure does not apply to one of them.
    """
    made: dict[str, MeasureValues] = {}
    lacking: dict[tuple[str, str], list[str]] = {}
    for subject in subjects:
        if isinstance(subject, Replicated):
            of_runs = exact_values(subject.runs, gold, measures, policies)
            made[subject.name] = mean_values([*of_runs.values()])
            continue
        of = made[subject.name] = values_of(
            exact_counts(subject, gold, measures, policies), measures
        )
        for key, why in of.reasons.items():
            lacking.setdefault((key, why), []).append(subject.name)
    for (key, why), names in lacking.items():
        whose = names[0] if len(names) == 1 else f"{len(names)} of {len(subjects)} runs"
        raise UsageError(f"no {key} of {whose}: {why}")
    return made


def check_names(names: Sequence[str], against: str | None = None) -> None:
    """Raise `UsageError` for fewer than two runs, equal names, or if `against` is none of them."""
    if len(names) < 2:
        only = f" or systems, and there is only {names[0]!r}" if names else ""
        raise UsageError(f"a comparison needs at least two runs{only}")
    if len(set(names)) < len(names):
        raise UsageError("two runs have the same name")
    if against is not None and against not in names:
        hint = did_you_mean(nearest(against, names)) or f"; there are {brief(names)}"
        raise UsageError(f"there is no run {against!r} to compare all others with{hint}")


def check_measures(counted: Sequence[ByQuestion], measures: Sequence[Measure]) -> None:
    """Raise `UsageError` for a measure that cannot be computed on samples of a run."""
    for measure in measures:
        for run in counted:
            if not run.has(measure):
                whose = "" if measure.no_interval else f" of {run.run}"
                why = run.why_not(measure)
                raise UsageError(f"{measure.key}{whose} cannot be compared: {why}")
