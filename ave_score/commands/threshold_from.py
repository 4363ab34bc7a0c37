"""`ave-score score --threshold-from`: thresholds chosen on one collection, applied to another."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from ave_score.commands.input_files import InputFiles
from ave_score.core.collection_summary import collection_summary
from ave_score.core.errors import UsageError
from ave_score.core.model import Collection, QARun, Run
from ave_score.core.policies import Policies, settle_unknown
from ave_score.core.text import counted, did_you_mean, nearest
from ave_score.files.source import Source
from ave_score.inference.sweep import AppliedThreshold, SweepPoint, applied, decided_at, sweep
from ave_score.measures import Measure
from ave_score.reports.sweep import AppliedThresholds
from ave_score.tasks.subjects import decisions


def runs_to_choose_on(path: str, names: Sequence[str]) -> dict[str, str]:
    """Return for each run the path of its run on the other collection.

    `path` is that run, or a folder with a run of the same name for each. Raises `UsageError` if a
    run has none, or several.
    """
    if Path(path).is_dir():
        return {name: _in_folder(path, name) for name in names}
    if len(names) > 1:
        raise UsageError(
            f"--threshold-from: {path} is one run for {counted(len(names), 'RUN')}; name a folder "
            "with a run of the same name for each"
        )
    return dict.fromkeys(names, path)


def _in_folder(folder: str, name: str) -> str:
    """Return the path of the file with this name, apart from its suffixes."""
    inside = Path(folder, name).parent
    files = sorted(inside.iterdir()) if inside.is_dir() else []
    names = [Source(file).name for file in files]
    found = [file for file, its in zip(files, names, strict=True) if its == Path(name).name]
    if len(found) == 1:
        return str(found[0])
    if found:
        several = ", ".join(file.name for file in found)
        raise UsageError(f"--threshold-from: {folder} has several runs {name}: {several}")
    hint = did_you_mean(nearest(name, names))
    raise UsageError(f"--threshold-from: {folder} has no run {name}{hint}")


class ChosenThresholds:
    """The best threshold of each run on another collection.

    Parameters
    ----------
    inputs
        Collects the findings in the files.
    collection
        The path of the other collection.
    paths
        Run -> the path of its run on that collection.
    measure
        The measure that the thresholds maximise, or minimise if lower values are better.
    policies
        The policies, which apply to both collections.
    scored
        The collection that the thresholds are applied to.

    Raises `UsageError` if both collections are the same, a run has no confidences, or the measure
    is undefined at all thresholds; exits if a file is invalid.
    """

    def __init__(
        self,
        inputs: InputFiles,
        collection: str,
        paths: Mapping[str, str],
        *,
        measure: Measure,
        policies: Policies,
        scored: Collection,
    ) -> None:
        self._measure, self._paths, self._scored = measure, paths, scored
        chosen_on, _ = inputs.gold(inputs.source(collection), None, policies)
        if chosen_on.sha256 == scored.sha256:
            raise UsageError(
                f"--threshold-from {collection}: the same collection as {scored.path}; its best "
                "threshold says nothing about other data (--sweep finds it)"
            )
        settled = settle_unknown(chosen_on, policies.unknown)
        self._facts = collection_summary(chosen_on, settled)
        named = [(inputs.source(path), name) for name, path in paths.items()]
        with inputs.runs(named, settled, policies) as runs:
            self._points = {run.name: self._choose(decisions(run), settled) for run in runs}
        if inputs.refused:
            raise inputs.refuse("no threshold can be chosen, nothing scored")
        self._applied: list[AppliedThreshold] = []

    def _choose(self, run: Run, collection: Collection) -> SweepPoint:
        best = sweep(run, collection, self._measure).best(self._measure)
        if best.value is None:
            raise UsageError(
                f"--threshold-from: {self._measure.title} of {self._paths[run.name]} is undefined "
                "at every threshold"
            )
        return best

    def apply(self, run: Run | QARun) -> Run | QARun:
        """Return a run decided at its threshold, or a QA system unchanged."""
        if isinstance(run, QARun):
            return run
        point, path = self._points[run.name], self._paths[run.name]
        decided = decided_at(run, point.threshold)
        self._applied.append(applied(decided, self._scored, self._measure, path, point))
        return decided

    def found(self) -> AppliedThresholds:
        """Return the thresholds that were applied."""
        return AppliedThresholds(self._facts, self._measure, self._applied)
