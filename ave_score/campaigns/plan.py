"""Resolve a campaign file: the files and the run names of each language."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ave_score import rules
from ave_score.campaigns.names import check_names
from ave_score.campaigns.places import Named, add_name_of_nothing, add_second_time
from ave_score.campaigns.strays import with_strays
from ave_score.campaigns.submissions import (
    FoundFile,
    has_team,
    key_of,
    matching,
    own_names,
    parent_of_teams,
    problem_of,
)
from ave_score.campaigns.task import (
    FileReport,
    Limits,
    RunFile,
    Task,
    shown_from,
    source_by_settings,
)
from ave_score.campaigns.times import TimesRead, check_deadline
from ave_score.core.errors import UsageError
from ave_score.core.findings import Findings
from ave_score.core.text import brief, did_you_mean, nearest, quantity, text_of_name
from ave_score.counts import run_families
from ave_score.files.campaign import SHARES, Edition, Language, Word, read_campaign
from ave_score.files.folders import MAX_FILES, is_open, is_regular
from ave_score.files.sniff import sniff
from ave_score.files.source import Source
from ave_score.measures import Measure, parse_measures
from ave_score.rules import FileKind


class Plan(NamedTuple):
    """A campaign: title, results folder, and tasks in file order.

    `anonymous` is a path, and the next three are for platforms: see `CampaignFile`. `files` are all
    that may be read.
    """

    path: str
    title: str
    output: str
    tasks: list[Task]
    share: str = SHARES[0]
    anonymous: str | None = None
    terms: str | None = None
    image: str | None = None
    docker_image: str | None = None
    files: Sequence[str] = ()


def make_plan(source: Source, *, is_over: bool = True) -> tuple[Plan | None, Findings]:
    """Read a campaign file and resolve its paths; return None for the plan after errors.

    Before a campaign is over, nobody knows when runs will be submitted.
    """
    findings = Findings(source.path)
    campaign = read_campaign(source, findings)
    if campaign is None:
        return None, findings
    folder = os.path.dirname(source.path) if source.path != "-" else ""
    check_names(campaign, findings)
    tasks = []
    reported: set[str] = set()
    times, measures = TimesRead(folder), _Measures(findings)
    for edition in campaign.editions:
        for language in edition.languages:
            chosen = measures.of(language, "measures")
            if language.compare != "none":
                measures.of(language, "compare")  # its gold standard says which they are
            finder = Finder(folder, edition, campaign.word, language, findings, reported, times)
            tasks.append(finder.task(chosen))
            if language.submitted is not None:
                times.use(language.submitted, tasks[-1].where, tasks[-1].files)
            if is_over:
                closes, submitted = language.closes, language.submitted
                check_deadline(tasks[-1].where, closes, submitted, source.path)
    languages = [language for edition in campaign.editions for language in edition.languages]
    _check_times(times, tasks, [language.submitted for language in languages], findings)
    own = [source.path, *reported, *(os.path.join(folder, name) for name in campaign.files)]
    patterns, read = [language.runs for language in languages], [*own, *_files_of(tasks)]
    tasks = with_strays(tasks, patterns, read)
    output = os.path.join(folder, campaign.output)
    title = campaign.title or "Campaign"
    beside = campaign.anonymous, campaign.terms, campaign.image
    anonymous, terms, image = [path and os.path.join(folder, path) for path in beside]
    files = anonymous, terms, image, campaign.docker_image
    plan = Plan(source.path, title, output, tasks, campaign.share, *files, read)
    return None if findings.errors else plan, findings


def _check_times(
    times: TimesRead,
    tasks: Sequence[Task],
    submitted: Sequence[object],
    findings: Findings,
) -> None:
    """Report times of no run; raises `InputError` for times that are of several runs."""
    of_times = {task.where: (task, given) for task, given in zip(tasks, submitted, strict=True)}
    for where, name, near, first in times.unmatched():
        task, given = of_times[where]
        path = os.path.join(task.folder, given) if isinstance(given, str) else given
        if first is None:
            add_name_of_nothing(findings, task, "submitted", path, name, did_you_mean(near))
        else:
            add_second_time(findings, task, path, name, first, task.limits.submitted or {})
    if not findings.errors:
        times.check(findings.path)


def _files_of(tasks: Sequence[Task]) -> Iterator[str]:
    """Yield the paths of the runs, and of what is not scored."""
    for task in tasks:
        yield from (run.path for run in (*task.runs, *task.not_scored))
        yield from (path for path, _ in task.unusable)


def check_output(plan: Plan, output: str) -> None:
    """Raise `UsageError` if the results folder overlaps the runs."""
    root = os.path.join(os.path.realpath(output), "")
    for task in plan.tasks:
        for folder in task.run_folders:
            if root.startswith(os.path.join(os.path.realpath(folder), "")):
                raise UsageError(
                    f"{output} is inside the runs folder {folder}; choose another results folder"
                )
        for run in (*task.runs, *task.not_scored):
            if os.path.realpath(run.path).startswith(root):
                raise UsageError(
                    f"{output} contains the run {run.path}; choose another results folder"
                )


class _Measures:
    """The measures that settings name; one of many languages is read, and reported, once."""

    def __init__(self, findings: Findings) -> None:
        self._findings = findings
        self._known: dict[tuple[str, str], list[Measure]] = {}

    def of(self, language: Language, setting: str) -> list[Measure]:
        """Return the measures that a setting of a language names, none if it is not set."""
        named: str | None = getattr(language, setting)
        where, line = language.places[setting]
        if named and (where, setting) not in self._known:
            self._known[where, setting] = []
            try:
                self._known[where, setting] = parse_measures(named, run_families())
            except UsageError as error:
                facts = {"where": where, "name": setting, "found": named}
                expected = f"names of measures: {error}"
                self._findings.add(rules.SETTING_UNUSABLE, line, **facts, expected=expected)
        return self._known.get((where, setting), [])


class Finder:
    """Resolves the files of one language; `reported` are the files reported before."""

    def __init__(
        self,
        folder: str,
        edition: Edition,
        word: Word,
        language: Language,
        findings: Findings,
        reported: set[str],
        times: TimesRead,
    ) -> None:
        self._folder = folder
        self._edition = edition
        self._word, self._language = word, language
        self._findings = findings
        self._where = f"{edition.name} {word.before}{language.name}"
        self._unusable: list[tuple[str, str]] = []
        self._reported = reported
        self._times = times
        self._notes: list[FileReport] = []
        self._refused: list[FileReport] = []

    def task(self, measures: list[Measure]) -> Task:
        """Return the task of this language."""
        language, edition = self._language, self._edition
        unscored = f"this {self._word.name} is not scored"
        collection = self._file(language.collection, "collection", unscored)
        key = self._file(language.key, "key", unscored)
        reading = self._reading(unscored)
        is_usable = not self._unusable
        judged = self._file(language.judged, "judged", "its QA systems are not scored")
        teams = language.teams
        if isinstance(teams, str):
            teams = self._file(teams, "teams", "runs have no teams") or {}
        limits = self._limits()
        runs, not_scored = self._named(list(self._run_files()))
        return Task(
            self._folder,
            edition.name,
            self._word,
            language.name,
            language.policies,
            measures,
            "" if language.compare == "none" else language.compare,
            collection or self._full(language.collection),
            key,
            judged,
            teams,
            runs,
            not_scored,
            [path for path in map(self._full, language.runs) if os.path.isdir(path)],
            self._unusable,
            is_usable,
            limits,
            self._notes,
            self._refused,
            language.line,
            language.patterns,
            reading,
            language.measures or "",
        )

    def _reading(self, consequence: str) -> dict[str, object]:
        """Return how files are read, with the full path of a list of documents."""
        reading = self._language.reading
        if "documents" not in reading:
            return reading
        return {**reading, "documents": self._file(reading["documents"], "documents", consequence)}

    def _limits(self) -> Limits:
        language, source = self._language, self._language.submitted
        times = None if source is None else self._times.table(source, self._where)
        number, beyond = language.max_runs_per_team, language.beyond_limits
        return Limits(number, language.closes, times, beyond, language.opens)

    def _full(self, path: str) -> str:
        return os.path.join(self._folder, path)

    def _file(self, path: str | None, name: str, consequence: str) -> str | None:
        """Return the full path of a file; None if it is not given or unusable."""
        if path is None:
            return None
        full = self._full(path)
        problem = problem_of(full)
        if problem is None:
            return full
        self._unusable.append((full, f"{problem}; {consequence}"))
        self._report(f"{name} {path}", problem, consequence)
        return None

    def _report(self, name: str, problem: str, consequence: str) -> None:
        facts = {"name": name, "found": problem, "consequence": consequence}
        line, where = self._language.line, self._where
        self._findings.add(rules.FILE_UNUSABLE, line, where=where, **facts)

    def _run_files(self) -> Iterator[FoundFile]:
        """Yield the distinct run files of each pattern, in order of name."""
        seen: set[str] = set()
        for pattern in self._language.runs:
            files = self._matching(pattern)
            if files == []:
                self._report_no_match(pattern)
            for file in files or ():
                if os.path.realpath(file.path) not in seen:
                    seen.add(os.path.realpath(file.path))
                    yield file
        if not self._language.runs and not self._is_judged_alone():
            self._findings.add(rules.NO_RUNS, self._language.line, where=self._where)

    def _report_no_match(self, pattern: str) -> None:
        """Report a pattern without runs; that no team took part in a language is a note."""
        if has_team(pattern) and any(map(is_open, parent_of_teams(self._folder, pattern))):
            self._notes.append(FileReport(pattern, "no run of any team was found"))
        else:
            self._report(f"runs {pattern!r}", "match no file", "no run is scored")

    def _is_judged_alone(self) -> bool:
        """Tell whether the collection is a judged file, which contains its own systems."""
        path, language = self._full(self._language.collection), self._language
        source = source_by_settings(path, language.reading, language.policies)
        try:
            return problem_of(path) is None and sniff(source) is FileKind.JUDGED
        except Exception:
            return False

    def _matching(self, pattern: str) -> list[FoundFile] | None:
        """Return the files that may be runs, None if they are too many.

        Others are reported, once for all languages.
        """
        files = matching(self._folder, pattern)
        if files is None:
            facts = {"name": "runs", "found": pattern, "expected": f"at most {MAX_FILES:,} files"}
            line = self._language.line
            self._findings.add(rules.SETTING_UNUSABLE, line, where=self._where, **facts)
            return None
        full = self._full(pattern)
        others = {file.path: None for file in files if not file.is_run and file.path != full}
        new = [path for path in others if path not in self._reported]
        self._reported.update(new)
        if new:
            names = [text_of_name(os.path.basename(path)) for path in new]
            text = f"{quantity(len(new), 'file')} not scored, not named like runs: {brief(names)}"
            self._notes.append(FileReport(pattern, text))
        return [file for file in files if file.path not in others and self._is_file(file)]

    def _is_file(self, file: FoundFile) -> bool:
        """Tell whether a path is a regular file; pipes, devices and links are reported."""
        if not file.problem and (is_regular(file.path) or os.path.isdir(file.path)):
            return is_regular(file.path)
        if file.problem:
            shown = self._shown(file.path)
            self._refused.append(
                FileReport(shown, f"{shown} {file.problem}; it is not scored", team=file.team)
            )
            if file.path in self._reported:
                return False
        self._reported.add(file.path)
        problem = file.problem or "is not a regular file"
        self._unusable.append((file.path, f"{problem}; it is not scored"))
        self._report(f"run {self._shown(file.path)}", problem, "it is not scored")
        return False

    def _named(self, files: list[FoundFile]) -> tuple[list[RunFile], list[RunFile]]:
        """Name the runs; runs with the same name are reported and not scored."""
        shown, names = [self._shown(file.path) for file in files], self._language.names
        known = own_names(files, shown)
        keys = [
            key_of(path, names) or (own if own in names else None)
            for path, own in zip(shown, known, strict=True)
        ]
        self._report_unused({*keys}, shown)
        by_name: dict[str, list[RunFile]] = {}
        for file, key, own in zip(files, keys, known, strict=True):
            name = names[key] if key else own
            by_name.setdefault(name, []).append(RunFile(name, file.path, file.team))
        runs, not_scored = [], []
        for name, same in by_name.items():
            if len(same) == 1:
                runs += same
                continue
            not_scored += same
            together = " and ".join(self._shown(run.path) for run in same)
            facts = {"where": self._where, "found": together, "name": name}
            self._findings.add(rules.RUNS_OF_ONE_NAME, self._language.line, **facts)
        return runs, not_scored

    def _shown(self, file: str) -> str:
        return shown_from(self._folder, file)

    def _report_unused(self, keys: set[str | None], files: Sequence[str]) -> None:
        """Report keys of `names` that match no file."""
        for name in self._language.names:
            if name not in keys:
                hint = did_you_mean(nearest(name, [os.path.basename(file) for file in files]))
                own = self._edition.name, self._word, self._language.name
                task = Named(*own, self._language.line, self._where)
                names = self._language.names
                add_name_of_nothing(self._findings, task, "names", names, name, hint)
