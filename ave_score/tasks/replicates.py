"""Systems that ran several times: which runs are those of which system."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from ave_score.core.epochs import replicates_of
from ave_score.core.errors import UsageError
from ave_score.core.model import QARun, Replicated
from ave_score.core.text import brief, did_you_mean, nearest, shortest_names

if TYPE_CHECKING:
    from ave_score.inference.units import Single, Subject

FOLDER, MODEL = "folder", "model"
"""What makes the runs in each folder, or the logs of each model, a system."""

ONE_RUN = (
    "Each system has one run: differences between runs of the same system are not measured, and p "
    "does not cover them."
)

SEVERAL_RUNS = (
    "Each log is a system here, and p does not cover differences between logs of one model: "
    "--replicates model makes them runs of one system."
)


SAME_ANSWERS = (
    "Systems have the same answers with other grades: differences between these are of grading, "
    "for these answers."
)

_WHY_EQUAL = "as at temperature 0, or from a cache"

EACH_EPOCH = (
    "Each epoch is a system here, and p does not cover differences between epochs: --epochs mean "
    "scores the epochs of a system together."
)


def replicated(
    subjects: Iterable[Subject], replicates: Mapping[str, str] | str | None
) -> Iterable[Subject]:
    """Return the systems that runs are of, in the order of their first runs; without any, the runs.

    Runs and QA systems are never runs of one system. Raises `UsageError` for a name of no run, and
    for two runs of one name.
    """
    if replicates is None:
        return subjects
    runs = singles(subjects)
    names = {run.name for run in runs}
    if isinstance(replicates, Mapping):
        _check_names(names, replicates)
    systems = systems_of(runs, replicates)
    of_system: dict[tuple[type, str], list[Single]] = {}
    for run in runs:
        of_system.setdefault((type(run), systems[run.name]), []).append(run)
    for (_, name), own in of_system.items():
        if len({run.name for run in own}) < len(own):
            raise UsageError(f"two runs of system {name!r} have the same name")
    made = [_system(name, own) for (_, name), own in of_system.items()]
    if all(
        item.equal or len(item.runs) == 1 for item in made
    ):  # no runs differ, so none are tested
        return [replace(item, runs=item.runs[:1]) for item in made]
    return made


def _system(name: str, runs: Sequence[Single]) -> Replicated:
    """Return a system of its runs, and how many these are if their outcomes are equal."""
    are_equal = len(runs) > 1 and len({run.digest for run in runs}) == 1
    return Replicated(name, runs, equal=len(runs) * are_equal)


def _check_names(names: set[str], replicates: Mapping[str, str]) -> None:
    for name in replicates:
        if name not in names:
            near = did_you_mean(nearest(name, names))
            raise UsageError(f"replicates: there is no run {name!r}{near}")
    for name in replicates.values():
        if name in names and name not in replicates:
            raise UsageError(f"replicates: {name!r} is a system and another run; name its system")


def systems_of(runs: Sequence[Single], replicates: Mapping[str, str] | str) -> dict[str, str]:
    """Return run -> system; a run that is of none is a system of its own.

    Parameters
    ----------
    replicates
        Run -> system, or `FOLDER`: the runs in a folder are a system, which is named after it. A
        file of several systems has one run of each. Or `MODEL`: the logs of a model are a system.
    """
    if not isinstance(replicates, str):
        return {run.name: replicates.get(run.name, run.name) for run in runs}
    if replicates == MODEL:
        return _by_model(runs)
    from pathlib import Path  # slow to import

    times = Counter(run.path for run in runs)
    paths = [Path(run.path) for run in runs]  # in memory, a run has the path of no file
    is_alone = [
        times[at.path] > 1 or not path.is_file() for at, path in zip(runs, paths, strict=True)
    ]
    folders = [path.absolute().parent for path in paths]
    names = shortest_names([(folder.parts[1:-1], folder.name) for folder in folders])
    return {
        run.name: run.name if alone else name
        for run, name, alone in zip(runs, names, is_alone, strict=True)
    }


def _by_model(runs: Sequence[Single]) -> dict[str, str]:
    """Return run -> system; raises `UsageError` for runs that differ in more than their seeds."""
    settings: dict[str, tuple[str, str]] = {}
    for run in runs:
        if not (isinstance(run, QARun) and run.model):
            raise UsageError(f"replicates: no log says which model {run.name!r} is; name a table")
        first, known = settings.setdefault(run.model, (run.name, run.settings))
        if known != run.settings:
            raise UsageError(
                f"replicates: {first!r} and {run.name!r} are one model with different settings, so "
                "they are not runs of one system; a table of run and system tells them apart"
            )
    parts = [model.split("/") for model in settings]
    names = shortest_names([(tuple(folders), last) for *folders, last in parts])
    systems = dict(zip(settings, names, strict=True))
    return {run.name: systems[run.model] for run in runs if isinstance(run, QARun)}


def singles(subjects: Iterable[Subject]) -> list[Single]:
    """Return single runs, those of systems one by one."""
    return [
        run
        for subject in subjects
        for run in (subject.runs if isinstance(subject, Replicated) else [subject])
    ]


def signed_replicates(numbers: Iterable[int]) -> str:
    """Return what the signature says of the numbers of runs of systems; "" without any."""
    numbers = sorted({*numbers} - {0})
    return f"|replicates:{','.join(map(str, numbers))}" if numbers else ""


def notes_on_means(subjects: Iterable[Subject]) -> list[str]:
    """Return a note on the systems whose figures are means of several runs, if there are any."""
    known = [
        f"{subject.name} {len(subject.runs)}"
        for subject in subjects
        if isinstance(subject, Replicated)
    ]
    return [f"Means of the runs of each system: {brief(known)}."] * bool(known)


def notes_on_equal_replicates(subjects: Iterable[Subject]) -> list[str]:
    """Return notes on systems whose runs, or whose epochs, have the same outcomes."""
    notes = []
    for subject in subjects:
        if isinstance(subject, Replicated) and subject.equal:
            what = f"The {subject.equal} runs of {subject.name} have the same outcomes"
            one = "they count as one run" if len(subject.runs) == 1 else "they say no more than one"
            notes.append(f"{what}, {_WHY_EQUAL}: {one}.")
        elif isinstance(subject, QARun) and not subject.is_reduced and _are_equal(subject):
            what = f"All epochs of {subject.name} have the same outcomes"
            notes.append(f"{what}, {_WHY_EQUAL}: they say no more than one epoch.")
    return notes


def _are_equal(run: QARun) -> bool:
    """Tell whether questions have several replicates, which are all worth the same."""
    by_question = replicates_of(run).values()
    return any(len(item) > 1 for item in by_question) and all(
        len({(one.judgement, one.answered is False, one.score) for one in item}) == 1
        for item in by_question
    )
