"""What each team gets: its runs, findings and scores, and nothing else of other teams."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from hashlib import sha256
from typing import NamedTuple
from unicodedata import normalize

from ave_score.campaigns.limits import SURPLUS
from ave_score.campaigns.names import DEVICES
from ave_score.campaigns.result import Result
from ave_score.core.text import quantity
from ave_score.files.naming import Naming
from ave_score.pages.audience import Audience, Shared
from ave_score.pages.content import Page, page_of
from ave_score.pages.results import Results
from ave_score.reports.report import ReportTable
from ave_score.tasks.scores import Row
from ave_score.tasks.subjects import kind_of

_LONGEST = 60


def file_names(teams: Sequence[str]) -> dict[str, str]:
    """Return team -> its name in names of files: ASCII letters, digits, _ and -.

    A name that is empty, reserved, too long, or equal to another one but for case ends with the
    beginning of the SHA-256 of the team's name: with all of it if a team is named like that.
    """
    plain = {team: _plain(team) for team in teams}
    folded = [name.casefold() for name in plain.values()]
    names: dict[str, str] = {}
    for digits in (8, None):
        names = {
            team: name
            if _is_usable(name) and folded.count(name.casefold()) == 1
            else "-".join([name[:_LONGEST] or "team", sha256(team.encode()).hexdigest()[:digits]])
            for team, name in plain.items()
        }
        if len({*map(str.casefold, names.values())}) == len(names):
            break
    return names


def _plain(team: str) -> str:
    letters = "".join(char for char in normalize("NFKD", team) if not "\u0300" <= char <= "\u036f")
    return re.sub("[^A-Za-z0-9]+", lambda m: "-" if m[0] == "-" else "_", letters).strip("_-")


def _is_usable(name: str) -> bool:
    return bool(name) and len(name) <= _LONGEST and not DEVICES.fullmatch(name)


class TeamSection(NamedTuple):
    """What a team gets about one language.

    Attributes
    ----------
    edition, language
        The language.
    title
        Both, as headings name them.
    page
        The content of a page; None if the language is not scored.
    remarks
        What is to be said about single runs that are late or too many.
    others
        What else is: files that are not read, runs that are not shown.
    scored
        Its files that are scored.
    names
        Run -> its name on the public site, if that is another one.
    read_with
        The options by which a command reads runs as the campaign does.
    """

    edition: str
    language: str
    title: str
    page: Page | None
    remarks: Sequence[str]
    others: Sequence[str]
    scored: frozenset[str]
    names: Mapping[str, str]
    read_with: Sequence[str]

    @property
    def public_names(self) -> list[str]:
        """What the runs are called on the public site, as one sentence or none."""
        return public_names(self.names)

    @property
    def tables(self) -> list[ReportTable]:
        """The tables of the page: differences between runs, if these are shown, and scores."""
        return [] if self.page is None else [*self.page.standings, *self.page.tables]


def teams_of(result: Result) -> list[str]:
    """Return the teams that have a run, a QA system or any other file in a language, by name.

    Those of folders in which nothing is a run, however bad, are none.
    """
    rows = result.scores.rows if result.scores is not None else ()
    teams = [row.team for row in rows if row.kind.is_submitted]
    teams += [entry.team for entry in result.entries if entry.path not in result.no_runs]
    teams += [note.team for note in result.limits if note.path not in result.no_runs]
    return sorted({team for team in teams if team})


def section_of(
    result: Result, known: Results | None, audience: Audience, names: Mapping[str, str]
) -> TeamSection:
    """Return what a team gets about a language; `known` is None if it is not scored.

    `names` is run -> its name on the public site, if that is another one.
    """
    task, team = result.task, audience.team
    surplus = surplus_of(result, team)
    page = None
    if known is not None:
        page = page_of(without(known, surplus), audience, title=task.title)
    own = {entry.path for entry in result.entries if entry.team == team}
    remarks = [
        # the rest of the sentence counts runs of others
        f"{note.path}: {note.summary.partition(': ')[0]}."
        for note in result.limits
        if note.path in own
    ]
    others = [
        f"{note.summary}."
        for note in result.limits
        if note.path not in own and note.team and note.team == team
    ]
    if surplus:
        runs = ", ".join(row.run for row in surplus)
        most = task.limits.max_runs_per_team or 0
        allowed = f"{quantity(most, 'run')} {'is' if most == 1 else 'are'} allowed"
        others.append(f"Not shown, since {allowed}: {runs}.")
    public = {
        row.run: names[row.run]
        for row in result.runs
        if row.team == team and row.run in names and row not in surplus
    }
    scored = {entry.path for entry in result.entries if entry.team == team and entry.is_scored}
    of_task = task.edition, task.language, task.title
    shown = frozenset(scored if page else ())
    options = Naming.of(task.reading).options
    return TeamSection(*of_task, page, remarks, others, shown, public, options)


def public_names(names: Mapping[str, str]) -> list[str]:
    """Return a sentence on what runs are called on the public site, or none."""
    told = ", ".join(f"{run} is {name}" for run, name in names.items())
    return [f"On the public site, {told}."] if told else []


def surplus_of(result: Result, team: str | None) -> list[Row]:
    """Return the runs of a team beyond the limit.

    Each score tells something about labels: a team sees no more runs of its own than are allowed,
    primary ones and those that came first or, if that is not known, the first in the order of their
    files.
    """
    most = result.task.limits.max_runs_per_team
    runs = [row for row in result.runs if row.team == team]
    return [] if most is None else sorted(runs, key=_is_surplus)[most:]


def _is_surplus(row: Row) -> tuple[bool, bool]:
    return not row.is_primary, row.remark is not None and SURPLUS in row.remark.mark


def without(known: Results, hidden: Sequence[Row]) -> Results:
    """Return results without some runs or systems, and therefore without a comparison."""
    if not hidden:
        return known
    names = {(row.kind, row.run) for row in hidden}
    rows = [row for row in known.scores.rows if (row.kind, row.run) not in names]
    subjects = [
        subject for subject in known.subjects if (kind_of(subject), subject.name) not in names
    ]
    scores = replace(known.scores, rows=rows)
    why_not = "The runs are not compared."
    return replace(known, scores=scores, subjects=subjects, compared=None, not_compared=why_not)


SHOWN = {
    Shared.SCORES: "Scores only: no answers to single questions, and no gold labels.",
    Shared.OUTCOMES: "Scores and the outcomes of the team's runs on each question, without "
    "gold labels and texts.",
    Shared.EVERYTHING: "Scores, outcomes of the team's runs on each question, gold labels and "
    "texts.",
}
"""What is shown to a team, and what is not."""


def shown_to(audience: Audience, sections: Sequence[TeamSection]) -> str:
    """Return what is shown to a team; responses and ranked documents have no outcomes."""
    pages = [section.page for section in sections if section.page is not None]
    has_outcomes = not pages or any(page.questions is not None for page in pages)
    return SHOWN[audience.shared if has_outcomes else Shared.SCORES]


def about(audience: Audience, sections: Sequence[TeamSection]) -> str:
    """Return what the page of a team shows."""
    shown = shown_to(audience, sections)
    return f"{shown} Runs of other teams have numbers, the best first."
