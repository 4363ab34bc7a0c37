"""The site of a campaign: an index, a page for each language, a page and a text for each team."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from typing import NamedTuple
from urllib.parse import quote

from ave_score.campaigns.anonymous import AnonymousNames
from ave_score.campaigns.mails import text_of
from ave_score.campaigns.names import TEAMS
from ave_score.campaigns.pages import FOR_ORGANISERS, not_scored_in, notes_of, scored_in, summary_of
from ave_score.campaigns.plan import Plan
from ave_score.campaigns.result import Result
from ave_score.campaigns.rows import NOT_NAMED
from ave_score.campaigns.task import FileReport
from ave_score.campaigns.teams import TeamSection, about, file_names, section_of
from ave_score.campaigns.teams import teams_of as teams_of_language
from ave_score.files.writers import written
from ave_score.pages.audience import ORGANISERS, Audience, Shared
from ave_score.pages.content import Claim, Page, page_of
from ave_score.pages.render import render
from ave_score.pages.results import FileFindings, Results
from ave_score.reports.cells import cell_text
from ave_score.reports.printed import printed_scores
from ave_score.reports.report import DIGITS
from ave_score.tasks.ranked import leading
from ave_score.tasks.template import template
from ave_score.version import __version__

INDEX = "index.html"

FOR_PUBLIC = "Teams and runs have anonymous names, which stay the same; each team knows its own."
"""What the first page of an anonymous site says."""


class IndexLanguage(NamedTuple):
    """A language in the index."""

    language: str
    link: str
    numbers: Sequence[str]
    best: Sequence[str]
    concluded: Claim
    template: str


class IndexEdition(NamedTuple):
    """An edition in the index: the heads of numbers and of best values, and its languages."""

    name: str
    numbers: Sequence[str]
    heads: Sequence[str]
    lines: Sequence[IndexLanguage]


class Site:
    """The files of the site, made language by language.

    Attributes
    ----------
    files
        Path in the results folder -> text.
    """

    def __init__(self, plan: Plan, *, is_public: bool) -> None:
        self._plan, self._shared = plan, Shared(plan.share)
        self._names, self._is_public = AnonymousNames(plan), is_public
        self._published: list[Result] = []
        self.files: dict[str, str] = {}
        self._sections: dict[str, list[TeamSection]] = {}
        self._claims: dict[str, Claim] = {}

    def add(self, result: Result) -> Result:
        """Make the pages of a language; return its result without the answers of runs."""
        known = _known(result)
        if self._is_public:
            self._publish(result, known)
        else:
            if known is not None:
                self._page(result, known, ORGANISERS)
            names = self._names.of_runs(result)
            for team in teams_of_language(result):
                section = section_of(result, known, Audience(team, self._shared), names)
                self._sections.setdefault(team, []).append(section)
        compared = result.compared and replace(result.compared, subjects=(), gold=None)
        if result.gold is not None and (path := _template_path(result)):
            self.files[path] = written(template(result.gold), "lines").decode()
        return result._replace(gold=None, subjects=(), compared=compared)

    def _publish(self, result: Result, known: Results | None) -> None:
        """Make the public page of a language; keep of its result what the index may show."""
        shown = None
        if known is not None:
            names = self._names.of_runs(result)
            known = self._names.applied(result, known) if self._names else known
            audience = Audience(None, self._shared, is_anonymous=bool(self._names))
            scores = self._page(result, known, audience).seen.scores
            shown = scores if audience.sees_exact else printed_scores(scores, DIGITS)
            submitted = frozenset((kind, names.get(run, run)) for kind, run in result.submitted)
            result = result._replace(submitted=submitted)
        self._published.append(Result(result.task, shown, [], result.submitted))

    def _page(self, result: Result, known: Results, audience: Audience) -> Page:
        """Make the page of a language, and what the index says about it."""
        title = f"{self._plan.title}: {result.task.title}"
        page = page_of(known, audience, title=title)
        where = f"{result.task.edition}/{result.task.language}.html"
        self.files[where] = page.to_html(f"../{INDEX}")
        claims = page.conclusions or [Claim(page.seen.not_compared, "")]
        self._claims[result.task.where] = claims[0]
        return page

    def finish(self, results: Sequence[Result]) -> None:
        """Make the pages and texts of the teams, and the index of all results."""
        for team, path in self.teams:
            audience, sections = Audience(team, self._shared), self._sections[team]
            page = f"{path.rpartition('/')[2]}.html"
            self.files[f"{path}.txt"] = text_of(self._plan.title, audience, sections, page)
            self._team_pages(audience, path, sections)
        self.files[INDEX] = self._index(self._published or results)

    def _team_pages(self, audience: Audience, path: str, sections: Sequence[TeamSection]) -> None:
        """Make the page of a team and, if it shows outcomes, one for each language."""
        links = {}
        for section in sections:
            if audience.sees_outcomes and section.page is not None:
                name = f"{section.edition}/{section.language}.html"
                own = path.rpartition("/")[2]
                self.files[f"{path}/{name}"] = section.page.to_html(f"../../{quote(own)}.html")
                links[section.title] = f"{quote(own)}/{quote(name)}"
        self.files[f"{path}.html"] = render(
            "team.html",
            title=self._plan.title,
            team=audience.team,
            about=about(audience, sections),
            word=self._plan.tasks[0].word.name,
            sections=sections,
            links=links,
        )

    @property
    def teams(self) -> list[tuple[str, str]]:
        """The teams, and the paths of their pages and texts without suffix."""
        names = file_names([*self._sections])
        return [(team, f"{TEAMS}/{name}") for team, name in sorted(names.items())]

    def _index(self, results: Sequence[Result]) -> str:
        by_edition = groupby(results, key=lambda result: result.task.edition)
        for_public = FOR_PUBLIC if self._names else ""
        scored = [result.scores.collection for result in results if result.scores]
        return render(
            "campaign.html",
            tasks=dict.fromkeys(collection.standard.task for collection in scored),
            word=self._plan.tasks[0].word,
            title=self._plan.title,
            is_public=self._is_public,
            summary=scored_in(results) if self._is_public else summary_of(results),
            readers=for_public if self._is_public else FOR_ORGANISERS,
            version=__version__,
            editions=[_edition(name, [*several], self._claims) for name, several in by_edition],
            teams=self.teams,
            names={team: self._names.of_team(team) for team, _ in self.teams if self._names},
            without=[*_without_team(results)] if self.teams else [],
            not_scored=_listed(not_scored_in(results)),
            notes=_listed(notes_of(results)),
        )


def _listed(reports: Sequence[tuple[Result, FileReport]]) -> list[tuple[str, str, str]]:
    return [(result.task.where, report.path, report.summary) for result, report in reports]


def _known(result: Result) -> Results | None:
    """Return what is known about a language; None if it is not scored."""
    if result.scores is None:
        return None
    return Results(
        result.scores,
        result.gold,
        result.subjects,
        result.compared,
        "" if result.compared else " ".join(result.not_compared),
        files=[*_files(result)],
        systems=len(result.systems),
    )


def _files(result: Result) -> Iterator[FileFindings]:
    """Yield the files with findings, and those that are not scored for another reason."""
    teams: dict[str, set[str]] = {}
    for entry in result.entries:
        teams.setdefault(entry.path, set()).add(entry.team)
    for file in result.files:
        team, *others = teams.get(file.path, {""})
        known = None if others else team or None
        yield FileFindings(file.path, file.name, known, file.findings, file.reason)
    checked = {file.path for file in result.files if file.findings is None or file.findings.errors}
    for entry in result.entries:
        if not entry.is_scored and entry.path not in checked:
            yield FileFindings(entry.path, entry.name, entry.team or None, None, NOT_NAMED)


_NUMBERS = ("Runs", "QA systems", "Not scored")


def _edition(name: str, results: Sequence[Result], claims: Mapping[str, Claim]) -> IndexEdition:
    rows = [[len(result.runs), len(result.systems), len(result.not_scored)] for result in results]
    columns = [number for number, column in enumerate(zip(*rows, strict=True)) if any(column)]
    heads = [*dict.fromkeys(head for result in results for head, _ in _best(result))]
    lines = []
    for result, row in zip(results, rows, strict=True):
        best = dict(_best(result))
        link = f"{quote(name)}/{quote(result.task.language)}.html" if result.scores else ""
        shown = [best.get(head, "") for head in heads]
        numbers = [f"{row[number]:,}" if row[number] else "" for number in columns]
        claim = claims.get(result.task.where, Claim("", ""))
        run = quote(_template_path(result))
        lines.append(IndexLanguage(result.task.label, link, numbers, shown, claim, run))
    return IndexEdition(name, [_NUMBERS[number] for number in columns], heads, lines)


def _template_path(result: Result) -> str:
    """Return the path of the template of a run; "" if runs do not decide about given answers."""
    if result.scores is None:
        return ""
    about = result.scores.collection
    has_answers = about.answers and about.standard.has_decisions
    return f"{result.task.edition}/{result.task.language}.template.txt" if has_answers else ""


def _best(result: Result) -> Iterator[tuple[str, str]]:
    """Yield the first measure of each table, and the best runs by it with their value."""
    if result.scores is None:
        return
    for main in leading(result.scores.measures):
        best = main.best(row.values[main.key] for row in result.ranked)
        if best is not None:
            runs = [row.shown for row in result.ranked if row.values[main.key] == best]
            yield main.title, f"{', '.join(runs)} {cell_text(best, main, DIGITS)}"


def _without_team(results: Sequence[Result]) -> Iterator[str]:
    """Yield the runs that stand on no team's page."""
    for result in results:
        for entry in result.entries:
            if not (entry.team or entry.is_reference):
                yield f"{entry.name} ({result.task.where})"
