"""Who reads a page, and what they may see."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import NamedTuple

from ave_score.core.errors import UsageError
from ave_score.core.text import did_you_mean, nearest


class Shared(StrEnum):
    """What readers other than the organisers may see."""

    SCORES = "scores"
    OUTCOMES = "scores and per-question outcomes"
    EVERYTHING = "everything"


class Audience(NamedTuple):
    """The readers of a page.

    Attributes
    ----------
    team
        The team of runs whose own page it is; None for the organisers and the public.
    shared
        What the readers may see; organisers see everything.
    is_anonymous
        Whether it is a public page on which runs and teams have other names: such a page is
        written evening by evening.

    A team's page under `SCORES` is a function of the printed scores alone: two runs that differ in
    one answer, and print the same figure, are equal on it. Otherwise their order would tell the
    label of this answer. Intervals, tests and curves are computed from single questions: a team
    that knows its own answers could test guesses of gold labels with them, submission by
    submission. The same holds for a hash of the gold file, and for an anonymous page. Any other
    public page appears once and has intervals and tests; its values, their order and its figures
    are those that are printed, too. On a team's page the runs of others have scores only: no
    outcomes of questions, no findings.
    """

    team: str | None = None
    shared: Shared = Shared.EVERYTHING
    is_anonymous: bool = False

    @property
    def sees_exact(self) -> bool:
        """Whether anything depends on more of a value than what is printed."""
        return self.shared is not Shared.SCORES

    @property
    def sees_statistics(self) -> bool:
        """Whether intervals, tests and ranks are shown, which are computed from all questions."""
        appears_once = self.team is None and not self.is_anonymous
        return appears_once or self.shared is not Shared.SCORES

    @property
    def sees_outcomes(self) -> bool:
        """Whether outcomes of questions, curves and scores of groups of questions are shown."""
        return self.shared is not Shared.SCORES

    @property
    def sees_gold(self) -> bool:
        """Whether gold labels, texts and the hash of the gold file are shown."""
        return self.shared is Shared.EVERYTHING


ORGANISERS = Audience()


def check_team(audience: Audience, teams: Mapping[str, str], others: Iterable[str] = ()) -> None:
    """Raise `UsageError` for a team without runs; `others` may have been meant, too."""
    known = sorted({*teams.values()})
    if audience.team is not None and audience.team not in known:
        hint = did_you_mean(nearest(audience.team, [*others, *known]))
        raise UsageError(f"audience {audience.team!r}: there is no such team{hint}")
