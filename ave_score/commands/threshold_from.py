"""`ave-score score --threshold-from`: thresholds chosen on one collection, applied to another."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from ave_score.core.collection_summary import collection_summary
from ave_score.core.errors import UsageError
from ave_score.core.model import Collection, Run
from ave_score.core.open_questions import OpenGold
from ave_score.core.policies import settle_unknown
from ave_score.core.text import counted, did_you_mean, nearest
from ave_score.files.source import Source
from ave_score.inference.sweep import AppliedThreshold, applied, decided_at, sweep
from ave_score.inference.units import Subject
from ave_score.measures import Measure
from ave_score.reports.sweep import AppliedThresholds
from ave_score.tasks.subjects import decisions

if TYPE_CHECKING:
    from ave_score.commands.input_files import RunFiles


def runs_to_choose_on(path: str, names: Sequence[str]) -> dict[str, str]:
    """Return for each run the path of its run on the other collection.

    `path` is that run, or a folder with a run of the same name for each. Raises `UsageError` if a
    run has none, or several.
    """
    if not names:
        raise UsageError(
            "--threshold-from decides RUNs, and none is given; --threshold T is also for QA systems"
        )
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
    alike = [file for file, its in zip(files, names, strict=True) if its == Path(name).name]
    if len(alike) == 1:
        return str(alike[0])
    if alike:
        several = ", ".join(file.name for file in alike)
        raise UsageError(f"--threshold-from: {folder} has several runs {name}: {several}")
    hint = did_you_mean(nearest(name, names))
    raise UsageError(f"--threshold-from: {folder} has no run {name}{hint}")


class ChosenThresholds:
    """The best threshold of each run on another collection.

    Parameters
    ----------
    source
        The path of the other collection, and the path of its runs: see `runs_to_choose_on`.
    measure
        The measure that the thresholds maximise, or minimise if lower values are better.
    files
        The runs that the thresholds are applied to. Their policies apply to both collections.

    Raises `UsageError` if both collections are the same, a run has no confidences, or the measure
    is undefined at all thresholds; `RefusedError` if a file is invalid.
    """

    def __init__(self, source: tuple[str, str], measure: Measure, files: RunFiles) -> None:
        path, runs = source
        inputs, self._scored = files.inputs, files.settled
        self._measure, self._paths = measure, runs_to_choose_on(runs, [*files.sources])
        chosen_on, _ = inputs.gold(path)
        if chosen_on.sha256 == self._scored.sha256:
            raise UsageError(
                f"--threshold-from {path}: the same collection as {self._scored.path}; its best "
                "threshold says nothing about other data (--sweep finds it)"
            )
        if isinstance(chosen_on, OpenGold):
            raise UsageError(f"--threshold-from {path}: answer sets have no candidate answers")
        settled = settle_unknown(chosen_on, files.policies.unknown)
        self._facts = collection_summary(chosen_on, settled)
        sources = {name: inputs.source(path) for name, path in self._paths.items()}
        before = inputs.refused  # of --qa and --groups, which --keep-going leaves out
        with closing(inputs.runs(sources, settled)) as runs_to_choose:
            self._chosen = {
                run.name: self._choose(decisions(run), settled) for run in runs_to_choose
            }
        if inputs.refused > before:
            raise inputs.refusal("no threshold can be chosen, nothing scored")
        self._applied: list[AppliedThreshold] = []

    def _choose(self, run: Run, collection: Collection) -> AppliedThreshold:
        swept = sweep(run, collection, self._measure)
        best = swept.best(self._measure)
        if best.value is None:
            raise UsageError(
                f"--threshold-from: {self._measure.title} of {self._paths[run.name]} is undefined "
                "at every threshold"
            )
        return AppliedThreshold(run.name, self._paths[run.name], best, swept.below(best))

    def apply(self, run: Subject) -> Subject:
        """Return a run decided at its threshold, or a QA system unchanged."""
        if not isinstance(run, Run):
            return run
        chosen = self._chosen[run.name]
        decided = decided_at(run, chosen.point.threshold)
        self._applied.append(applied(chosen, decided, self._scored, self._measure))
        return decided

    def applied(self) -> AppliedThresholds:
        """Return the thresholds that were applied."""
        return AppliedThresholds(self._facts, self._measure, self._applied)
