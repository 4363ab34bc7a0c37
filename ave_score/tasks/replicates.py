"""Systems that ran several times: which runs are those of which system."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from ave_score.core.errors import UsageError
from ave_score.core.model import Replicated
from ave_score.core.text import did_you_mean, nearest, shortest_names

if TYPE_CHECKING:
    from ave_score.inference.units import Single, Subject

FOLDER = "folder"
"""What makes the runs in each folder a system."""

ONE_RUN = (
    "Each system has one run: differences between runs of the same system are not measured, and p "
    "does not cover them."
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
    for name in replicates if isinstance(replicates, Mapping) else ():
        if name not in names:
            near = did_you_mean(nearest(name, names))
            raise UsageError(f"replicates: there is no run {name!r}{near}")
    systems = systems_of(runs, replicates)
    of_system: dict[tuple[type, str], list[Single]] = {}
    for run in runs:
        of_system.setdefault((type(run), systems[run.name]), []).append(run)
    for (_, name), own in of_system.items():
        if len({run.name for run in own}) < len(own):
            raise UsageError(f"two runs of system {name!r} have the same name")
    return [Replicated(name, own) for (_, name), own in of_system.items()]


def systems_of(runs: Sequence[Single], replicates: Mapping[str, str] | str) -> dict[str, str]:
    """Return run -> system; a run that is of none is a system of its own.

    Parameters
    ----------
    replicates
        Run -> system, or `FOLDER`: the runs in a folder are a system, which is named after it. A
        file of several systems has one run of each.
    """
    if not isinstance(replicates, str):
        return {run.name: replicates.get(run.name, run.name) for run in runs}
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
