"""Anonymous names: the same from evening to evening, and of use to nobody without the secret."""

from __future__ import annotations

import hmac
import json
from base64 import b32encode

from ave_score.campaigns.plan import Plan
from ave_score.campaigns.result import Result
from ave_score.campaigns.teams import surplus_of, teams_of, without
from ave_score.core.errors import InputError, UsageError
from ave_score.files.folders import bytes_of
from ave_score.pages.results import Results, anonymous

_SHORTEST, _LONGEST = 16, 4096
"""Bytes of secrets."""


class AnonymousNames:
    """The anonymous names of a campaign; without a secret, there are none.

    Raises `UsageError` if the secret cannot be read, is too short or too long.
    """

    def __init__(self, plan: Plan) -> None:
        self._secret = b""
        if plan.anonymous is None:
            return
        why = ""
        try:
            self._secret = bytes_of(plan.anonymous, _LONGEST).strip()
        except InputError as error:
            why = f" ({error.reason})"
        if len(self._secret) < _SHORTEST:
            raise UsageError(
                f"anonymous: {plan.anonymous}{why} needs {_SHORTEST} to "
                f"{_LONGEST:,} random bytes, as `openssl rand -hex 16` prints them"
            )

    def __bool__(self) -> bool:
        return bool(self._secret)

    def of_runs(self, result: Result) -> dict[str, str]:
        """Return run -> its name, which depends on the secret, the team and the run alone."""
        if not self or result.scores is None:
            return {}
        rows = [row for row in result.scores.rows if row.kind.is_submitted]
        names = {  # a judged system may be named like a run, which comes first
            row.run: f"{self.of_team(row.team or '')}/{self._made(row.team or '', row.run)[:6]}"
            for row in reversed(rows)
        }
        if len({*names.values()}) < len(names):
            raise UsageError("anonymous: two runs get the same name; use another secret")
        return names

    def of_team(self, team: str) -> str:
        """Return the name of a team."""
        return self._made(team)[:8]

    def _made(self, *names: str) -> str:
        digest = hmac.digest(self._secret, json.dumps(names).encode(), "sha256")
        return b32encode(digest).decode().lower()

    def applied(self, result: Result, known: Results) -> Results:
        """Return what is known about a language under other names, without surplus runs."""
        teams = teams_of(result)
        surplus = [row for team in teams for row in surplus_of(result, team)]
        names = self.of_runs(result)
        of_teams = {names[row.run]: self.of_team(row.team) for row in result.runs if row.team}
        return anonymous(without(known, surplus), names, of_teams)
