"""From a campaign file to what is to be done: for each language its files, and the runs by name."""

from __future__ import annotations

import os
from collections.abc import Iterator
from glob import escape, glob
from typing import NamedTuple

from ave_score import rules
from ave_score.errors import InputError, UsageError
from ave_score.findings import Findings
from ave_score.formats.campaign import Campaign, Edition, Language, read_campaign
from ave_score.formats.sniff import sniff
from ave_score.formats.source import Source
from ave_score.measures import Measure, parse_measures
from ave_score.rules import FileKind
from ave_score.signature import Policies

DEFAULT_MEASURES = "ave2007"


class RunFile(NamedTuple):
    """A run that was submitted: what it is called, and its file."""

    name: str
    path: str


class Task(NamedTuple):
    """One language of one edition; paths as they can be opened, from `folder` on.

    `groups` is a file, or the groups themselves; `unusable` is why nothing of it can be scored.
    """

    folder: str
    edition: str
    language: str
    policies: Policies
    measures: list[Measure]
    collection: str
    key: str | None
    judged: str | None
    groups: str | dict[str, str]
    runs: list[RunFile]
    left_out: list[RunFile]
    unusable: str | None = None

    @property
    def where(self) -> str:
        """What it is called in messages."""
        return f"{self.edition} {self.language}"

    def shown(self, path: str) -> str:
        """Return a path as the campaign file has it, from wherever that is read."""
        return os.path.relpath(path, self.folder or ".")


class Plan(NamedTuple):
    """A campaign with all files found: title, folder of results, and tasks in the file's order."""

    path: str
    title: str
    output: str
    tasks: list[Task]


def make_plan(source: Source) -> tuple[Plan | None, Findings]:
    """Read a campaign file and find what it names; None where the file forbids to go on."""
    findings = Findings(source.path)
    campaign = read_campaign(source, findings)
    if campaign is None:
        return None, findings
    folder = os.path.dirname(source.path) if source.path != "-" else ""
    tasks = [
        _Planner(folder, edition, language, findings).task()
        for edition in campaign.editions
        for language in edition.languages
    ]
    _check_pages(campaign, findings)
    title = campaign.title or "Campaign"
    plan = Plan(source.path, title, os.path.join(folder, campaign.output), tasks)
    return (None if findings.errors else plan), findings


def _check_pages(campaign: Campaign, findings: Findings) -> None:
    """Report names of editions and languages that cannot be those of folders and files."""
    for edition in campaign.editions:
        for name, line in [
            (edition.name, edition.line),
            *((language.name, language.line) for language in edition.languages),
        ]:
            if not _is_file_name(name):
                facts = {"where": "editions", "name": "a name", "found": name}
                expected = "letters, digits, . _ and -: a page of the results is called so"
                findings.add(rules.SETTING_UNUSABLE, line, **facts, expected=expected)


def _is_file_name(name: str) -> bool:
    bare = name.replace("-", "").replace("_", "").replace(".", "")
    return bare.isalnum() and not name.startswith((".", "-")) and len(name) < 100


class _Planner:
    """Finds the files of one language."""

    def __init__(
        self, folder: str, edition: Edition, language: Language, findings: Findings
    ) -> None:
        self._folder = folder
        self._edition = edition
        self._language = language
        self._findings = findings
        self._where = f"{edition.name} {language.name}"

    def task(self) -> Task:
        """Return what is to be done for this language."""
        language = self._language
        whole = "nothing of this language is scored"
        found = self._file(language.collection, "collection", whole)
        unusable = None if found else "is not there, so that nothing of the language is scored"
        key = language.key and self._file(language.key, "key", whole)
        if language.key and not key:
            unusable = unusable or f"its key {language.key} is not there"
        judged = language.judged and self._file(
            language.judged, "judged", "its QA systems are left out"
        )
        groups = language.groups
        if isinstance(groups, str):
            groups = self._file(groups, "groups", "runs are without groups") or {}
        runs, left_out = self._named(list(self._run_files()))
        edition = self._edition
        return Task(
            self._folder,
            edition.name,
            language.name,
            Policies(edition.campaign, edition.missing, edition.unknown),
            self._measures(),
            found or self._whole(language.collection),
            key or None,
            judged or None,
            groups,
            runs,
            left_out,
            unusable,
        )

    def _measures(self) -> list[Measure]:
        named = self._edition.measures or DEFAULT_MEASURES
        try:
            return parse_measures(named)
        except UsageError as error:
            facts = {"where": f"editions.{self._edition.name}", "name": "measures"}
            expected = f"names of measures: {error}"
            findings, line = self._findings, self._edition.line
            findings.add(rules.SETTING_UNUSABLE, line, **facts, found=named, expected=expected)
            return []

    def _whole(self, path: str) -> str:
        return os.path.join(self._folder, path)

    def _file(self, path: str, name: str, consequence: str) -> str | None:
        """Return a file as it can be opened, None where it is not there."""
        whole = self._whole(path)
        problem = _problem(whole)
        if problem is None:
            return whole
        self._findings.add(
            rules.FILE_UNUSABLE,
            self._language.line,
            where=self._where,
            name=f"{name} {path}",
            found=problem,
            consequence=consequence,
        )
        return None

    def _run_files(self) -> Iterator[str]:
        """Yield every file that the runs may be in, each once, in the order of their names."""
        seen: set[str] = set()
        for pattern in self._language.runs:
            files = self._matching(pattern)
            if not files:
                found = f"no file is found by {pattern!r}"
                line = self._language.line
                self._findings.add(rules.NO_RUNS, line, where=self._where, found=found)
            for file in files:
                if os.path.realpath(file) not in seen:
                    seen.add(os.path.realpath(file))
                    yield file
        if not self._language.runs and not self._is_judged_alone():
            facts = {"where": self._where, "found": "no runs are named"}
            self._findings.add(rules.NO_RUNS, self._language.line, **facts)

    def _is_judged_alone(self) -> bool:
        """Tell whether what is scored against holds the systems to be scored itself."""
        try:
            return sniff(Source(self._whole(self._language.collection))) is FileKind.JUDGED
        except InputError:
            return False

    def _matching(self, pattern: str) -> list[str]:
        whole = self._whole(pattern)
        if os.path.isdir(whole):
            names = sorted(name for name in os.listdir(whole) if not name.startswith("."))
            files = [os.path.join(whole, name) for name in names]
        elif os.path.lexists(whole):
            files = [whole]
        else:
            files = sorted(glob(os.path.join(escape(self._folder), pattern)))
        return [file for file in files if not os.path.isdir(file)]

    def _named(self, files: list[str]) -> tuple[list[RunFile], list[RunFile]]:
        """Name every run; those that share a name with another are left out, and reported."""
        by_name: dict[str, list[str]] = {}
        for file in files:
            by_name.setdefault(self._name(file), []).append(file)
        runs, left_out = [], []
        for name, same in by_name.items():
            if len(same) == 1:
                runs.append(RunFile(name, same[0]))
                continue
            left_out += [RunFile(name, file) for file in same]
            shown = " and ".join(os.path.relpath(file, self._folder or ".") for file in same)
            facts = {"where": self._where, "found": shown, "name": name}
            self._findings.add(rules.RUNS_OF_ONE_NAME, self._language.line, **facts)
        return runs, left_out

    def _name(self, file: str) -> str:
        """Return what the campaign file calls a run, by its path or its file's name."""
        names = self._language.names
        own = Source(file).name
        for given in (os.path.relpath(file, self._folder or "."), os.path.basename(file), own):
            if given in names:
                return names[given]
        return own


def _problem(path: str) -> str | None:
    """Return why a file cannot be read, if so."""
    if os.path.isdir(path):
        return "is a folder"
    if not os.path.exists(path):
        return "is not there"
    return None if os.access(path, os.R_OK) else "may not be read"
