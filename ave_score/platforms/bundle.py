"""What bundles of all platforms have: a task of a campaign, its files, and a kit to start with."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from ave_score.campaigns.plan import Plan, make_plan
from ave_score.campaigns.task import Task
from ave_score.core.errors import InputError, RefusedError, UsageError, error_text
from ave_score.core.model import Collection, Label
from ave_score.core.policies import Policies
from ave_score.core.text import did_you_mean, nearest, without_control
from ave_score.core.writing import part_folder
from ave_score.files.folders import bytes_of
from ave_score.files.source import Source
from ave_score.files.tabular import Lost
from ave_score.files.tabular_reader import tabular_of
from ave_score.files.writers import written
from ave_score.measures import Measure, parse_measures
from ave_score.platforms.scored import CAMPAIGN
from ave_score.tasks.inputs import Inputs
from ave_score.tasks.subjects import kinds_of, table_measures
from ave_score.tasks.template import template

Files = dict[str, bytes]
"""Path in a bundle -> content."""

MAX_BUNDLE = 1 << 30
"""Bytes of the largest bundle, and of each collection, key and package in one."""

COLLECTION, TEMPLATE = "collection.xml", "run.txt"
"""The names of files in the kit."""


class Bundled(NamedTuple):
    """A task of a campaign, its collection with labels, and the measures that runs have."""

    plan: Plan
    task: Task
    gold: Collection
    measures: list[Measure]

    @property
    def title(self) -> str:
        """The title of the campaign, with the name of the task if it has several."""
        several = len(self.plan.tasks) > 1
        return f"{self.plan.title}: {self.task.title}" if several else self.plan.title


def bundled(path: str, name: str | None) -> Bundled:
    """Return a task of a campaign file, `EDITION/NAME` or `NAME`; None: the only one.

    Raises
    ------
    UsageError
        There is no such task, or its collection has no candidate answers.
    RefusedError, InputError
        A file has errors, or cannot be read.
    """
    plan, findings = make_plan(Source(path), is_over=False)
    if plan is None:
        raise RefusedError("nothing written", [findings])
    task = _task_named(name, plan)
    inputs = Inputs(task.policies, collects=True, entrants=task.reading)
    gold, _ = inputs.gold(task.collection, task.key, with_texts=True)
    if not isinstance(gold, Collection) or not len(gold.index):
        raise UsageError(f"{task.collection} has no candidate answers, about which runs decide")
    measures = task.measures or parse_measures(table_measures(kinds_of((), gold)))
    applicable = [measure for measure in measures if measure.family.is_of(gold.standard)]
    return Bundled(plan, task, gold, applicable)


def _task_named(name: str | None, plan: Plan) -> Task:
    """Return the task of a name, which may be without its edition, or as pages show it."""
    tasks = {f"{task.edition}/{task.language}": task for task in plan.tasks}
    known = ", ".join(tasks)
    if name is None and len(tasks) > 1:
        raise UsageError(f"{plan.path} has several tasks: choose {known} by --task")
    names = {
        key: {key, task.language, task.label, task.where, task.title} for key, task in tasks.items()
    }
    meant = [key for key in tasks if name in (None, *names[key])]
    if name in tasks:
        meant = [name]
    if not meant:
        hint = did_you_mean(nearest(str(name), tasks)) or f"; there are {known}"
        raise UsageError(f"{plan.path} has no task {name!r}{hint}")
    if len(meant) > 1:
        raise UsageError(f"{plan.path} has several tasks {name!r}: choose {', '.join(meant)}")
    return tasks[meant[0]]


def reference(bundle: Bundled) -> Files:
    """Return the files that a submission is scored with: see `scored_in`."""
    task, files = bundle.task, {}
    settings: dict[str, object]
    settings = {"measures": ", ".join(measure.key for measure in bundle.measures)}
    for name, policy in Policies.records().items():
        if policy.setting is not None and getattr(task.policies, name) is not None:
            settings[name] = getattr(task.policies, name)
    settings |= task.reading
    paths = {"collection": task.collection, "key": task.key}
    named = {}
    for name, path in paths.items():
        if path is not None:
            named[name] = f"{name}{''.join(Path(path).suffixes[-2:])}"
            files[named[name]] = bytes_of(path, MAX_BUNDLE)
    top = {"title": bundle.plan.title, "share": bundle.plan.share}
    head = f"editions.{_text(task.edition)}"
    parts = [
        *_settings(top),
        f"[{head}]",
        *_settings(settings),
        f"[{head}.{task.word.setting}.{_text(task.language)}]",
        *_settings(named),
    ]
    return {**files, CAMPAIGN: "".join(f"{line}\n" for line in parts).encode()}


def _settings(settings: Mapping[str, object]) -> Iterable[str]:
    return (f"{name} = {_toml(value)}" for name, value in settings.items())


def _toml(value: object) -> str:
    """Return a value of TOML: a text, a number, or a table of texts."""
    if isinstance(value, Mapping):
        return f"{{ {', '.join(f'{_text(key)} = {_text(text)}' for key, text in value.items())} }}"
    return _text(value) if isinstance(value, str) else repr(value)


def _text(text: str) -> str:
    """Return a text of TOML."""
    return json.dumps(without_control(text), ensure_ascii=False)


def kit(bundle: Bundled) -> Files:
    """Return the collection without labels, of which only ids and texts remain, and a template."""
    gold = bundle.gold
    blind = replace(gold, labels=bytes([Label.NONE]) * len(gold.labels), grades={}, attributes={})
    texts = tabular_of(blind, Lost())._replace(root={})
    return {COLLECTION: written(texts, "xml"), TEMPLATE: written(template(gold), "lines")}


def write_folder(path: str, files: Files) -> None:
    """Write files to a new folder, or an empty one, all or none; raises `InputError`."""
    target = Path(path).absolute()
    try:
        with part_folder(str(target)) as part:
            made = Path(part, "made")
            for name, data in files.items():
                file = made / name
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_bytes(data)
            with suppress(FileNotFoundError):
                target.rmdir()  # Windows replaces no folder
            made.rename(target)
    except OSError as error:
        raise InputError(path, f"cannot be written: {error_text(error)}") from error


def below(folder: str, files: Files) -> Files:
    """Return files in a folder."""
    return {f"{folder}/{name}": data for name, data in files.items()}
