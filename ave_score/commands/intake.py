"""Reading the files of a command: what is sound goes on, what is not is kept for the end."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from typing import ParamSpec, TypeVar

import click

from ave_score.commands.progress import progress
from ave_score.errors import InputError, UsageError
from ave_score.files.gold import Gold, check_collection, check_gold
from ave_score.files.groups import check_groups
from ave_score.files.judged import check_judged
from ave_score.files.source import Source
from ave_score.files.submission import check_submission
from ave_score.findings import Findings
from ave_score.model import Collection, JudgedRun, Run
from ave_score.reports.findings.concise import finding_lines, help_lines
from ave_score.signature import Policies
from ave_score.text import visible

Given = ParamSpec("Given")
Value = TypeVar("Value")


class Intake:
    """Reads files, hands on what is sound, and keeps everything that was found."""

    def __init__(self) -> None:
        self._found: list[Findings] = []
        self._unreadable: list[InputError] = []

    @property
    def refused(self) -> int:
        """Number of files that cannot be scored."""
        return len(self.left_out)

    @property
    def left_out(self) -> list[str]:
        """The files that cannot be scored."""
        defective = [findings.path for findings in self._found if findings.errors]
        return defective + [error.path for error in self._unreadable]

    def gold(self, source: Source, key: str | None, campaign: str) -> Gold:
        """Return what is scored against; ends the command where it cannot be."""
        labels = None if key is None else Source(key)
        gold = self.take(check_gold, source, labels, campaign)
        if gold is None:
            raise self.refuse("the collection cannot be scored against")
        return gold

    def described(self, source: Source) -> Collection | None:
        """Return a collection, with labels or without; None where it has defects."""
        return self.take(check_collection, source, needs_labels=False)

    def groups(self, path: str | None) -> dict[str, str]:
        """Return run -> group; none of a file with defects."""
        if path is None:
            return {}
        return self.take(check_groups, Source(path)) or {}

    def runs(
        self,
        sources: Sequence[Source],
        names: Sequence[str],
        collection: Collection,
        policies: Policies,
    ) -> Iterator[Run | JudgedRun]:
        """Yield the sound runs, read one by one."""
        pairs = list(zip(sources, names, strict=True))
        with progress(pairs, "Scoring", lambda pair: pair[1]) as watched:
            for source, name in watched:
                campaign, missing = policies.campaign, policies.missing
                given = (source, collection, campaign, missing, name)
                yield from self.take(check_submission, *given) or ()

    def judged(self, path: str | None, collection: Collection, campaign: str) -> list[JudgedRun]:
        """Return the QA systems of a judged file; none of one with defects."""
        if path is None:
            return []
        return self.take(check_judged, Source(path), collection, campaign) or []

    def take(
        self,
        check: Callable[Given, tuple[Value | None, list[Findings]]],
        *given: Given.args,
        **named: Given.kwargs,
    ) -> Value | None:
        """Return what a check gives; None where it refuses the file, or that cannot be read."""
        try:
            value, found = check(*given, **named)
        except InputError as error:
            self._unreadable.append(error)
            return None
        self._found += found
        return value

    def show(self) -> None:
        """Say everything that was found, warnings included, on stderr."""
        for line in chain(*map(finding_lines, self._found), help_lines(self._found)):
            click.echo(line, err=True)
        for error in self._unreadable:
            click.echo(f"ave-score: {visible(str(error))}", err=True)

    def refuse(self, what: str) -> click.exceptions.Exit:
        """Show what was found and return the exception that ends the command."""
        self.show()
        click.echo(f"ave-score: {what}", err=True)
        return click.exceptions.Exit(2 if self._unreadable else 1)


def decisions(run: Run | JudgedRun) -> Run:
    """Return a run that decides on candidate answers; raises `UsageError` for a QA system."""
    if isinstance(run, Run):
        return run
    raise UsageError(f"{run.name} is a QA system, which decides on no candidate answers")
