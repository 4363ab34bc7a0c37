"""A whole campaign: its file, the scores of all languages, the folder of results."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from ave_score import rules
from ave_score.campaigns.folder import AUDIENCES, ORGANISERS, PUBLIC, Folder
from ave_score.campaigns.names import TEAMS
from ave_score.campaigns.pages import make_pages, not_scored_in, summary_of
from ave_score.campaigns.patterns import UnusedPattern
from ave_score.campaigns.places import add_name_of_nothing
from ave_score.campaigns.plan import Plan, check_output, make_plan
from ave_score.campaigns.result import Result
from ave_score.campaigns.score import Worker
from ave_score.campaigns.task import FileReport, RunFile
from ave_score.core.errors import DefectError, UsageError
from ave_score.core.findings import Findings
from ave_score.core.text import brief, did_you_mean
from ave_score.core.writing import zipped
from ave_score.tasks.inputs import Inputs
from ave_score.tasks.named import only_refused
from ave_score.tasks.scores import Scores

if TYPE_CHECKING:
    from ave_score.tasks.compared import Compared


class CampaignStep(NamedTuple):
    """A run of a task, given by its number; or what is done before and after its runs."""

    task: int
    run: RunFile | None
    name: str


_READING, _COMPARING = "", "comparison"

Watch = Callable[[Sequence[CampaignStep]], AbstractContextManager[Iterable[CampaignStep]]]
"""Passes the steps through, and may show progress."""


class Campaign(NamedTuple):
    """A scored campaign.

    Attributes
    ----------
    plan
        The editions and languages with their files.
    results
        The scores of each language, and the reports on its files.
    findings
        The findings in the campaign file.
    pages
        Path in the results folder -> text.
    """

    plan: Plan
    results: Sequence[Result]
    findings: Findings
    pages: dict[str, str]

    def __repr__(self) -> str:
        return f"<Campaign {self.plan.title}: {summary_of(self.results)}>"

    @property
    def scores(self) -> dict[tuple[str, str], Scores]:
        """(edition, language) -> its scores, if it was scored."""
        return {
            (result.task.edition, result.task.language): result.scores
            for result in self.results
            if result.scores is not None
        }

    @property
    def compared(self) -> dict[tuple[str, str], Compared]:
        """(edition, language) -> the comparison of its runs, if they were compared."""
        return {
            (result.task.edition, result.task.language): result.compared
            for result in self.results
            if result.compared is not None
        }

    @property
    def not_scored(self) -> list[FileReport]:
        """The files that were not scored, and why."""
        return [report for _, report in not_scored_in(self.results)]

    @property
    def files(self) -> dict[str, bytes]:
        """Path in the results folder -> content: the pages, and a zip file of those of each team.

        Zip files have the same bytes whenever they are made.
        """
        contents = {path: text.encode() for path, text in self.pages.items()}
        folder = f"{TEAMS}/"
        of_teams = {path: data for path, data in contents.items() if path.startswith(folder)}
        for path in of_teams:
            team = path.removesuffix(".txt")
            if team != path:
                own = {
                    name.removeprefix(folder): data
                    for name, data in of_teams.items()
                    if name.startswith((f"{team}.", f"{team}/"))
                }
                contents[f"{team}.zip"] = zipped(own)
        return contents

    @property
    def is_complete(self) -> bool:
        """Whether all files that the campaign names were scored."""
        return not self.not_scored and not self.findings.counts[rules.FILE_UNUSABLE]


def campaign(
    path: str | os.PathLike[str],
    output: str | os.PathLike[str] | None = None,
    *,
    audience: str = ORGANISERS,
    watch: Watch = nullcontext,
) -> Campaign:
    """Check and score all runs of a campaign.

    Parameters
    ----------
    path
        The campaign file (TOML).
    output
        The folder that the pages are written to: tables in Markdown, LaTeX and CSV, scores in JSON,
        an index.md, and a site (index.html) with a page and a zip file for each team. Pages of an
        earlier call are replaced, other files are never touched. None: nothing is written.
    audience
        Who reads them: the organisers, or the public, which gets a site of what `share` in the
        campaign file allows.
    watch
        Passes the steps through, and may show progress.

    Returns
    -------
    Campaign
        The scores of each language, the files that were not scored, and the pages.

    Raises
    ------
    DefectError
        The campaign file has errors, or its teams, `reference`, `primary` or `apart` name runs
        that do not exist. Runs with errors are not scored.
    InputError
        The campaign file cannot be read, times of submission or the secret of anonymous names
        cannot be used, or a page cannot be written.
    UsageError
        There is no such audience; the folder contains other files of these names, the results of
        another campaign or for others, or overlaps the runs.
    """
    name = os.fspath(path)
    if audience not in AUDIENCES:
        raise UsageError(f"audience {audience!r}: organisers or public")
    plan, findings = make_plan(Inputs().source(name, "path"))
    if plan is None:
        raise DefectError(findings)
    folder = None if output is None else folder_of(plan, os.fspath(output), name, audience)
    scored = scored_campaign(plan, findings, watch, audience=audience)
    if folder is not None:
        folder.write(scored.files)
    return scored


def own_output(plan: Plan) -> str:
    """Return the folder of results that the campaign file names.

    Raises `UsageError` if it is not below the folder of the file, links resolved.
    """
    root = Path(os.path.realpath(Path(plan.path).parent))
    if not Path(os.path.realpath(plan.output)).is_relative_to(root):
        raise UsageError(
            f"output is {plan.output}, outside the folder of the campaign file; if it is meant, "
            f"give --output {plan.output}"
        )
    return plan.output


def folder_of(plan: Plan, output: str, path: str, audience: str) -> Folder:
    """Return the folder of results; raises as `campaign`."""
    folder = Folder(output, path, audience)
    check_output(plan, output)
    return folder


def scored_campaign(
    plan: Plan,
    findings: Findings,
    watch: Watch = nullcontext,
    audience: str = ORGANISERS,
) -> Campaign:
    """Score and compare the runs of each language of a campaign.

    Raises `DefectError` if teams or patterns name runs that no language has.
    """
    from ave_score.campaigns.site import Site  # imports numpy

    is_public = audience == PUBLIC
    site = Site(plan, is_public=is_public)
    results = results_of(plan, findings, watch, site.add)
    if findings.errors:
        raise DefectError(findings)
    site.finish(results)
    pages = {} if is_public else make_pages(plan, results, findings)
    return Campaign(plan, results, findings, pages | site.files)


def results_of(
    plan: Plan, findings: Findings, watch: Watch, finished: Callable[[Result], Result]
) -> list[Result]:
    """Return the results of all languages, each as `finished` leaves it.

    Names of runs that no language has are added to the findings in the campaign file.
    """
    results: list[Result] = []
    steps: list[CampaignStep] = [
        step
        for number, task in enumerate(plan.tasks)
        for step in (
            CampaignStep(number, None, _READING),
            *(CampaignStep(number, run, run.name) for run in task.runs),
            CampaignStep(number, None, _COMPARING),
        )
    ]
    worker: Worker | None = None
    with watch(steps) as watched:
        for step in watched:
            worker = worker or Worker(plan.tasks[step.task])
            if step.run is not None:
                worker.take(step.run)
            elif step.name == _COMPARING:
                results.append(finished(worker.result()))
                worker = None
    return _with_team_notes(_with_pattern_notes(results, findings), findings)


def _with_pattern_notes(results: Sequence[Result], findings: Findings) -> list[Result]:
    """Return results with notes on patterns of runs that match none here, but elsewhere.

    One that matches in no language of an edition is an error, as in `score`. Nothing is said of
    an edition of which a language is not scored.
    """
    noted = []
    for result in results:
        task = result.task
        edition = [other for other in results if other.task.edition == task.edition]
        notes = []
        for unused in result.unused or ():
            with_it = [
                language
                for language in edition
                if unused.pattern in language.task.patterns[unused.setting]
            ]
            if any(_may_match(setting, unused) for setting in with_it):
                text = f"no run is named like {unused.pattern!r}"
                if unused.not_scored:
                    text = only_refused(unused.pattern, unused.not_scored)
                notes.append(FileReport(unused.setting, text))
            elif with_it[0] is result:
                named = unused.setting, task.patterns[unused.setting], unused.pattern
                add_name_of_nothing(findings, task, *named, did_you_mean(unused.near))
        noted.append(result._replace(reports=[*result.reports, *notes]))
    return noted


def _may_match(result: Result, pattern: UnusedPattern) -> bool:
    """Tell whether a pattern names a run of a language, one that is not scored, or one unknown."""
    if result.unused is None:
        return True
    of_it = [name for name in result.unused if name[:2] == pattern[:2]]
    return not of_it or of_it[0].may_match


def _with_team_notes(results: Sequence[Result], findings: Findings) -> list[Result]:
    """Return results with notes on names in teams that match nothing in any of their languages.

    Such a name is an error in the campaign file itself, and in a table as `unused_teams` says.
    Nothing is said of teams whose runs and systems are not all known.
    """
    shared: dict[str | int, list[int]] = {}
    for number, result in enumerate(results):
        teams = result.task.teams
        shared.setdefault(teams if isinstance(teams, str) else id(teams), []).append(number)
    noted = [*results]
    for numbers in shared.values():
        task, several = results[numbers[0]].task, [results[n].unmatched for n in numbers]
        named = [unmatched for unmatched in several if unmatched is not None]
        others = []
        for name in named[0] if len(named) == len(several) else ():
            near = next((unmatched[name] for unmatched in named if unmatched.get(name)), None)
            if not all(name in unmatched for unmatched in named):
                continue
            is_wrong = all(unmatched[name] == "" for unmatched in named)
            if near is None and not is_wrong and isinstance(task.teams, str):
                others.append(name)
                continue
            add_name_of_nothing(findings, task, "teams", task.teams, name, did_you_mean(near))
        if others and isinstance(task.teams, str):
            text = f"no run or system is named {brief(others)}"
            note = FileReport(task.shown(task.teams), text)
            result = noted[numbers[0]]
            noted[numbers[0]] = result._replace(reports=[*result.reports, note])
    return noted
