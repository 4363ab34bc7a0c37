"""Reading the files of a command: what is sound goes on, what is not is kept for the end."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, ParamSpec, TypeVar

import click

from ave_score.commands.progress import progress
from ave_score.errors import InputError, UsageError
from ave_score.files.source import Source
from ave_score.findings import Finding, Findings
from ave_score.model import Collection, QARun, Run
from ave_score.reports.findings.concise import finding_lines, help_lines
from ave_score.text import shortest_names, visible

if TYPE_CHECKING:
    from ave_score.files.gold import Gold
    from ave_score.policies import Policies

Given = ParamSpec("Given")
Value = TypeVar("Value")


class InputFiles:
    """Reads files, hands on what is sound, and keeps everything that was found.

    What reads a kind of file is imported when the first of them is read.
    """

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
        from ave_score.files.gold import check_gold

        labels = None if key is None else Source(key)
        gold = self.take(check_gold, source, labels, campaign)
        if gold is None:
            raise self.refuse("the collection cannot be scored against")
        return gold

    def described(self, source: Source) -> Collection | None:
        """Return a collection, with labels or without; None where it has defects."""
        from ave_score.files.gold import check_collection

        return self.take(check_collection, source, needs_labels=False)

    def groups(self, path: str | None) -> dict[str, str]:
        """Return run -> group; none of a file with defects."""
        if path is None:
            return {}
        from ave_score.files.groups import check_groups

        return self.take(check_groups, Source(path)) or {}

    @contextmanager
    def runs(
        self,
        sources: Sequence[Source],
        names: Sequence[str],
        collection: Collection,
        policies: Policies,
    ) -> Iterator[Iterator[Run | QARun]]:
        """Hand out the sound runs, read one by one as they are taken.

        A bar watches until the block ends, so that nothing that is said afterwards falls into it.
        """
        from ave_score.files.check import check_submission

        campaign, missing = policies.campaign, policies.missing
        pairs = list(zip(sources, names, strict=True))
        with progress(pairs, "Scoring", lambda pair: pair[1]) as watched:
            yield (
                run
                for source, name in watched
                for run in self.take(check_submission, source, collection, campaign, missing, name)
                or ()
            )

    def judged(self, path: str | None, collection: Collection, campaign: str) -> list[QARun]:
        """Return the QA systems of a judged file; none of one with defects."""
        if path is None:
            return []
        from ave_score.files.judged import check_judged

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


def read_test_collection(source: Source) -> Collection:
    """Return a collection without its labels.

    Where nothing can be checked against it, what is wrong with it is said and the command ends; but
    not the columns, which would tell how long the labels before them are.
    """
    from ave_score.files.gold import check_test_collection

    collection, (findings,) = check_test_collection(source)
    if collection is None:
        for line in finding_lines(findings.changed(_without_columns)):
            click.echo(line, err=True)
        raise InputError(source.path, "nothing can be checked against this collection")
    return collection


def _without_columns(found: Finding) -> Finding:
    return found._replace(column=None, end_column=None)


def decisions(run: Run | QARun) -> Run:
    """Return a run that decides on candidate answers; raises `UsageError` for a QA system."""
    if isinstance(run, Run):
        return run
    raise UsageError(f"{run.name} is a QA system, which decides on no candidate answers")


def run_names(sources: Sequence[Source], what: str = "run") -> list[str]:
    """Return a name for each run, or what else the files are: its file name without suffixes.

    Files of one name in several folders are told apart by as many folders as it takes: `team1/run`.
    Raises `UsageError` where the same file is given twice.
    """
    times = Counter(map(_full_path, sources))
    repeated = [path for path in times if times[path] > 1]
    if repeated:
        raise UsageError(f"the {what} {', '.join(repeated)} is given twice")
    names = shortest_names([(_folders(source), source.name) for source in sources])
    taken = Counter(names)
    return [
        source.path if taken[name] > 1 else name  # run.txt and run.xml in one folder
        for source, name in zip(sources, names, strict=True)
    ]


def _full_path(source: Source) -> str:
    return source.path if source.is_stdin else os.path.abspath(source.path)  # noqa: PTH100 - a/../b is b


def _folders(source: Source) -> tuple[str, ...]:
    return Path(_full_path(source)).parent.parts[1:]
