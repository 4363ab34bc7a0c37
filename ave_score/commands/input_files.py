"""Reads the input files of a command and collects their findings."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from itertools import chain
from typing import TYPE_CHECKING, ParamSpec, TypeVar

import click

from ave_score.commands.progress import progress
from ave_score.core.bulk import in_order, processes
from ave_score.core.errors import InputError, UsageError
from ave_score.core.findings import Finding, Findings
from ave_score.core.model import Clusters, Collection, QARun, Run
from ave_score.core.reported import brief
from ave_score.core.text import counted, did_you_mean, visible
from ave_score.files.source import Naming, Source
from ave_score.reports.findings.concise import finding_lines, help_lines

if TYPE_CHECKING:
    from ave_score.core.kinds import FileKind
    from ave_score.core.open_questions import OpenGold
    from ave_score.core.policies import Policies
    from ave_score.files.gold import GoldFile

Given = ParamSpec("Given")
Item = TypeVar("Item")
Value = TypeVar("Value")


class InputFiles:
    """Reads input files, returns the valid ones and collects all findings.

    Readers are imported when first used. `naming` is that of all tables, `jobs` the number of
    processes that read runs.
    """

    def __init__(self, naming: Naming | None = None, jobs: int | None = None) -> None:
        self._naming = naming or Naming()
        self._jobs = jobs
        self._found: list[Findings] = []
        self._unreadable: list[InputError] = []

    def source(self, path: str) -> Source:
        """Return the source of a file."""
        return Source(path, self._naming)

    @property
    def refused(self) -> int:
        """Number of files that cannot be scored."""
        return len(self.left_out)

    @property
    def left_out(self) -> list[str]:
        """The files that cannot be scored."""
        defective = [findings.path for findings in self._found if findings.errors]
        return defective + [error.path for error in self._unreadable]

    @property
    def problems(self) -> Sequence[Findings | InputError]:
        """The findings of all files, and why files could not be read."""
        return [*self._found, *self._unreadable]

    def gold(
        self, source: Source, key: str | None, policies: Policies, *, with_texts: bool = False
    ) -> GoldFile:
        """Return the gold standard; exits if it is invalid."""
        from ave_score.files.gold import check_gold

        labels = None if key is None else self.source(key)
        campaign, missing = policies.campaign, policies.missing
        gold = self.take(check_gold, source, labels, campaign, missing, with_texts=with_texts)
        if gold is None:
            raise self.refuse("the collection is invalid, nothing scored")
        return gold

    def described(self, source: Source) -> Collection | None:
        """Return a collection, with or without labels; None if it has errors."""
        from ave_score.files.gold import check_collection

        return self.take(check_collection, source, needs_labels=False)

    def groups(self, path: str | None) -> dict[str, str]:
        """Return run -> group; empty if the file has errors."""
        if path is None:
            return {}
        from ave_score.files.groups import check_groups

        return self.take(check_groups, Source(path)) or {}

    def clusters(self, given: str | None, gold: Collection | OpenGold) -> Clusters | None:
        """Return the clusters of an attribute of questions, or of a file.

        Exits if the file is invalid.
        """
        if given is None:
            return None
        if given in gold.attributes:
            return Clusters(given, gold.attributes[given])
        if not os.path.exists(given) and given != "-":
            known = ", ".join(gold.attributes) or "no attributes"
            raise UsageError(f"no file or attribute {given!r}; questions have {known}")
        from ave_score.files.clusters import check_clusters
        from ave_score.tasks.inputs import ids_of

        found = self.take(check_clusters, Source(given), ids_of(gold))
        if found is None:
            raise self.refuse(f"{visible(given)} is invalid")
        return found

    def runs(
        self, named: Sequence[tuple[Source, str]], collection: Collection, policies: Policies
    ) -> AbstractContextManager[Iterator[Run | QARun]]:
        """Yield an iterator of the valid runs, as `each_run`."""
        return self.each_run(named, collection, policies, lambda run: run)

    def all_runs(
        self,
        named: Sequence[tuple[Source, str]],
        systems: Sequence[QARun],
        collection: Collection,
        policies: Policies,
    ) -> list[Run | QARun]:
        """Return the systems of a judged collection and all runs; exits if any is invalid."""
        with self.runs(named, collection, policies) as read:
            found = [*systems, *read]
        if self.refused:
            raise self.refuse(f"{counted(self.refused, 'file')} refused, nothing compared")
        return found

    @contextmanager
    def each_run(
        self,
        named: Sequence[tuple[Source, str]],
        collection: Collection,
        policies: Policies,
        then: Callable[[Run | QARun], Value],
        shared: Sequence[object] = (),
    ) -> Iterator[Iterator[Value]]:
        """Yield an iterator of what `then` returns for each valid run, read one by one.

        A progress bar is shown until the block ends, so messages must be printed afterwards.

        Parameters
        ----------
        named
            The files and the names of the runs.
        collection, policies
            What they are read with.
        then
            What to do with a run, perhaps in another process; `shared` is as in `InOrder`.
        """
        from ave_score.files.check import check_submission

        campaign, missing = policies.campaign, policies.missing

        def checked(pair: tuple[Source, str]) -> tuple[list[Value] | None, list[Findings]]:
            source, name = pair
            runs, found = check_submission(source, collection, campaign, missing, name)
            return (None if runs is None else [*map(then, runs)]), found

        sources, index = [source for source, _ in named], collection.index
        known = [index, index.in_order, *shared]
        with (
            of_files(checked, named, sources, self._jobs, known) as results,
            progress(named, "Scoring", lambda pair: pair[1]) as watched,
        ):
            yield (run for _ in watched for run in self.take(results.__next__) or ())

    def judged(self, path: str | None, collection: Collection, policies: Policies) -> list[QARun]:
        """Return the QA systems of a judged file; none if it has errors."""
        if path is None:
            return []
        from ave_score.files.judged import check_judged

        campaign, missing = policies.campaign, policies.missing
        return self.take(check_judged, self.source(path), collection, campaign, missing) or []

    def take(
        self,
        check: Callable[Given, tuple[Value | None, list[Findings]]],
        *given: Given.args,
        **named: Given.kwargs,
    ) -> Value | None:
        """Return the value of a check; None if the file is invalid or unreadable."""
        try:
            value, found = check(*given, **named)
        except InputError as error:
            self._unreadable.append(error)
            return None
        self._found += found
        return value

    def show(self) -> None:
        """Print all findings, including warnings, on stderr."""
        for line in chain(*map(finding_lines, self._found), help_lines(self._found)):
            click.echo(line, err=True)
        for error in self._unreadable:
            click.echo(f"ave-score: {visible(str(error))}", err=True)

    def check_found(self, scored: int, files: int, *, keep_going: bool) -> None:
        """Exit if any of the files was refused, or if nothing is left to score."""
        if self.refused and not keep_going:
            raise self.refuse_files(files, "score")
        if not scored:
            raise self.refuse("nothing left to score")

    def refuse_files(
        self, files: int, verb: str, *, keep_going: bool = False
    ) -> click.exceptions.Exit:
        """Print the findings and the refused files; return the exception that exits the command."""
        message = f"{self.refused} of {counted(files, 'file')} refused, nothing {verb}d"
        if self.refused < files:
            hint = "" if keep_going else f" (--keep-going {verb}s the others)"
            message += f": {visible(', '.join(self.left_out))}{hint}"
        return self.refuse(message)

    def refuse(self, message: str) -> click.exceptions.Exit:
        """Print the findings and a message; return the exception that exits the command."""
        self.show()
        click.echo(f"ave-score: {message}", err=True)
        return click.exceptions.Exit(2 if self._unreadable else 1)


REPAYS = 4 << 20
"""Bytes of all files that repay another process."""


def of_files(
    work: Callable[[Item], Value],
    items: Sequence[Item],
    sources: Sequence[Source],
    jobs: int | None,
    shared: Sequence[object] = (),
) -> AbstractContextManager[Iterator[Value]]:
    """Yield an iterator of the results of work on each file, as `in_order`.

    Parameters
    ----------
    work, items, shared
        As in `InOrder`.
    sources
        The file of each item.
    jobs
        The number of processes; by default one for each core, or a single one for small files. It
        is a single one where processes cannot be forked safely (Windows, macOS).
    """
    is_small = jobs is None and sum(file.size for file in sources) < REPAYS
    if is_small or any(file.is_stdin for file in sources) or processes(jobs) == 1:
        return in_order(work, items, 1)
    from ave_score.rules import RULES

    for file in sources:
        file.begin_again()
    return in_order(work, items, processes(jobs), [*RULES.values(), *shared])


def read_test_collection(source: Source) -> Collection:
    """Return a collection without its labels.

    Prints the findings and exits if the collection is invalid. Columns are omitted, because they
    would reveal the length of the labels before them.
    """
    from ave_score.files.gold import check_test_collection

    collection, (findings,) = check_test_collection(source)
    if collection is None:
        for line in finding_lines(findings.changed(_without_columns)):
            click.echo(line, err=True)
        raise InputError(source.path, "invalid collection: no file can be checked against it")
    return collection


def _without_columns(found: Finding) -> Finding:
    return found._replace(column=None, end_column=None)


def with_clusters(policies: Policies, clusters: Clusters | None) -> Policies:
    """Return policies whose intervals sample clusters, if any."""
    if policies.intervals is None or clusters is None:
        return policies
    return policies._replace(intervals=policies.intervals._replace(clusters=clusters))


def note_unused_groups(groups: Mapping[str, str], known: Sequence[str]) -> None:
    """Print on stderr the names in --groups that are of no run and no system."""
    from ave_score.tasks.score import unused_groups

    unused = unused_groups(groups, known)
    others = brief([name for name, meant in unused.items() if meant is None])
    named = [f"{name}{did_you_mean(meant)}" for name, meant in unused.items() if meant is not None]
    for names in [*named, *[others] * bool(others)]:
        click.echo(f"ave-score: {visible(f'--groups: no run or system {names}')}", err=True)


def kind_of(source: Source) -> FileKind | None:
    """Return the kind of a file detected from its beginning; None if it cannot be read."""
    from ave_score.files.sniff import sniff

    with suppress(InputError):  # the reader of the file reports it
        return sniff(source)
    return None
