"""The files of a command: read by `Inputs`, and their findings printed on stderr."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain
from types import MappingProxyType
from typing import TYPE_CHECKING, TypeVar, cast

import click

from ave_score.commands.files_given import logs_of, runs_of
from ave_score.commands.output_files import say
from ave_score.commands.progress import progress
from ave_score.core.entrants import OPTIONS, RankedRuns, Takes
from ave_score.core.epochs import Epochs
from ave_score.core.errors import InputError, UsageError
from ave_score.core.findings import Findings
from ave_score.core.kinds import KINDS
from ave_score.core.model import Collection, QARun
from ave_score.core.open_questions import OpenGold
from ave_score.core.policies import Policies, settle_unknown
from ave_score.core.text import brief, quantity, visible
from ave_score.files.folders import Unfolded
from ave_score.files.teams import Teams
from ave_score.rules import CONFIDENCE_RANGE
from ave_score.tasks.applied import with_epochs
from ave_score.tasks.given import Named
from ave_score.tasks.inputs import Inputs
from ave_score.tasks.named import check_teams_used, is_named, only_refused

if TYPE_CHECKING:
    from ave_score.commands.options import FileOptions, RunsOptions
    from ave_score.engine.tables import Engine
    from ave_score.inference.units import Gold, Subject
    from ave_score.measures import Measure


Given = TypeVar("Given", bound=RankedRuns)


class RunFiles:
    """The runs of a command and what they are scored against.

    Parameters
    ----------
    options
        The options of the command.
    with_texts
        Whether the texts of a collection are read.

    Attributes
    ----------
    inputs
        The findings of all files.
    sources
        Name -> file of runs.
    gold
        The gold standard.
    subjects
        Runs, systems or responses, which are read one by one. A progress bar is shown until all
        are taken, or until this is closed.
    teams
        Run -> team: of --teams, or else the folders that all runs are in, one for each team.
    policies
        How to count, with the clusters of intervals.
    epochs
        Those of the systems that are known before runs are read.
    """

    gold: Gold
    subjects: Generator[Subject, None, None]

    def __init__(self, options: RunsOptions, *, with_texts: bool = False) -> None:
        self._options = options
        self.policies, self.epochs = options.policies, Epochs()
        tables = {"teams": options.teams, "replicates": options.replicates, **options.limit}
        engine = self._engine()
        self.inputs = inputs = collecting(
            options, options.policies, label="Scoring", engine=engine, entrants=tables
        )
        if engine is not None:  # counts stand for what options do not ask for; a folder is a table
            self.sources = inputs.named([path.rstrip("/") or path for path in options.runs])
            counts = inputs.aggregated_gold(options.collection)
            self.gold, self.teams = cast("Gold", counts), self._teams({})
            runs = cast("Iterator[Subject]", inputs.aggregated_runs(self.sources, counts))
            self.subjects = _one_by_one(runs)
            return
        collection = inputs.source(options.collection, "collection")
        given = [options.collection, *options.runs]
        logs = logs_of(options, given, collection, f"{options.verb}d")
        found = Unfolded([], {}, {}) if logs else runs_of(options, f"{options.verb}d")
        self.sources = inputs.named(found.paths)
        self.gold, systems = inputs.gold(
            logs or collection, options.key, qa=options.qa, with_texts=with_texts
        )
        self._check_gold(has_systems=bool(systems))
        teams = {name: found.teams.get(source.path, "") for name, source in self.sources.items()}
        are_folders = found.teams and options.replicates is None
        self.teams = self._teams(teams if are_folders else {})
        self.policies = self._with_clusters(inputs.policies)
        self.subjects = self._subjects(systems)

    def _teams(self, of_folders: Mapping[str, str]) -> Teams:
        """Return the teams; `check_left` checks their names, when all runs are known."""
        read = self.inputs.teams() if self._options.teams is not None else Teams(of_folders)
        return Teams(read, read.primary, is_checked=True)

    def _engine(self) -> Engine | None:
        """Return the engine of --engine, if any; say what it does before it reads a URL."""
        name = self._options.engine
        if name is None:
            return None
        from ave_score.engine.tables import NETWORK, start  # imports narwhals

        for path in (self._options.collection, *self._options.runs):
            if "://" in path and name in NETWORK:
                click.echo(f"ave-score: {visible(path)}: {NETWORK[name]}", err=True)
        return start(name)

    def _check_gold(self, *, has_systems: bool) -> None:
        """Raise `UsageError` for options that the gold standard does not have, or no run."""
        options, gold = self._options, self.gold
        options.refuse_for(gold, *gold.standard.refused)
        options.check_gold(gold)
        if options.least_runs == 1 and not (self.sources or has_systems or options.qa):
            called = click.get_current_context().command_path
            raise UsageError(f"no RUN given: {called} {gold.standard.usage}")

    def _with_clusters(self, policies: Policies) -> Policies:
        """Return the policies, with the clusters of --cluster."""
        cluster, intervals = self._options.cluster, policies.intervals
        if cluster is None or intervals is None:
            return policies
        clusters = self.inputs.clusters(cluster, self.gold)
        return policies._replace(intervals=intervals._replace(clusters=clusters))

    def _subjects(self, systems: Sequence[QARun]) -> Generator[Subject, None, None]:
        """Return what is scored; systems are known before runs are read."""
        if isinstance(self.gold, OpenGold):
            return _one_by_one(self.inputs.runs(self.sources, self.gold))
        settled = self.settled
        judged = self.inputs.judged(self._options.qa, settled)
        self.epochs = Epochs.of(with_epochs([*systems, *judged], self.policies))
        subjects = _one_by_one(systems, self.inputs.runs(self.sources, settled), judged)
        return _one_by_one(with_epochs(subjects, self.policies))

    def entrants(self, kind: type[Given]) -> Given:
        """Return what functions take of which runs take part, and as what, without refused files.

        `kind` says what a function takes. To be used when all runs are read, but for tables.
        """
        given: dict[str, object] = {}
        for name in OPTIONS.keys() & kind.__annotations__.keys():
            if OPTIONS[name].takes is Takes.PATTERNS:
                given[name] = self.patterns(name, getattr(self._options, name))
            else:
                given[name] = getattr(self, name)
        return cast("Given", given)

    @property
    def replicates(self) -> Mapping[str, str] | str | None:
        """Run -> system, of --replicates, without refused files."""
        known, not_scored = self.inputs.replicates(), self.inputs.not_scored
        if not isinstance(known, Mapping):
            return known
        refused = [name for name, source in self.sources.items() if source.path in not_scored]
        return {name: system for name, system in known.items() if name not in refused}

    @property
    def settled(self) -> Collection:
        """The collection, UNKNOWN labels resolved."""
        assert isinstance(self.gold, Collection)
        return settle_unknown(self.gold, self.policies.unknown)

    def has_only_systems(self) -> bool:
        """Tell whether no file of runs is one of an AVE run, by the beginnings of the files."""
        kinds = map(self.inputs.kind_of, self.sources.values())
        return all(kind is not None and KINDS[kind].has_systems for kind in kinds)

    def tell_outside(self, measures: Sequence[Measure]) -> None:
        """Say how many files of runs have confidences that measures cannot use: once, on stderr.

        To be called for a report that does not give the reasons of absent values.
        """
        paths = {source.path for source in self.sources.values()}
        found = [findings for findings in self.inputs.findings if findings.path in paths]
        outside = sum(findings.counts[CONFIDENCE_RANGE] for findings in found)
        if not outside:
            return
        from ave_score.inference.weighted import SAMPLERS  # imports numpy

        lacking = [
            measure
            for measure in measures
            if measure.sampler and SAMPLERS[measure.sampler].probabilities
        ]
        if lacking:
            titles = ", ".join(measure.title for measure in lacking)
            files = f"{outside} of {quantity(len(self.sources), 'run')}"
            text = f"no {titles} for {files}: confidences are outside 0..1 (AVE108)"
            click.echo(f"ave-score: {text}", err=True)

    def patterns(self, name: str, given: Iterable[str] | None) -> Iterator[str]:
        """Yield the patterns of an option, except those of refused files only: say so on stderr.

        To be used when all runs are read.
        """
        not_scored = {*self.inputs.not_scored}
        of_refused = [run for run, source in self.sources.items() if source.path in not_scored]
        others = self.sources.keys() - of_refused
        for pattern in given or ():
            names = [run for run in of_refused if is_named(run, [pattern])]
            if not names or any(is_named(run, [pattern]) for run in others):
                yield pattern
            elif self._options.keep_going:  # otherwise the refused files end the command
                text = f"ave-score: --{name} {only_refused(pattern, names)}"
                click.echo(visible(text), err=True)

    def _known(self, names: Sequence[str]) -> list[str]:
        """Return names of runs, or of systems of --replicates, and of those that are refused."""
        systems = self._options.replicates and self.inputs.replicates()
        others = systems.values() if isinstance(systems, Mapping) else ()
        return [*dict.fromkeys((*names, *(others if systems else self.sources)))]

    def check_left(self, names: Sequence[str]) -> None:
        """Raise `RefusedError` if files were refused, or fewer runs are left than needed.

        Raises `UsageError` for wrong names in --teams. Prints others of no run on stderr, and the
        runs that are missing there, if it names primary ones.
        """
        inputs, options = self.inputs, self._options
        are_enough = len(names) >= options.least_runs or options.least_runs == 1
        if inputs.refused and not (options.keep_going and are_enough):
            files = len(self.sources) + len(options.given("qa", "teams"))
            raise inputs.refusal_of_files(files, options.verb, keep_going=options.keep_going)
        if not names and options.least_runs == 1:
            raise inputs.refusal(f"nothing left to {options.verb}")
        others = brief(check_teams_used("--teams", self.teams, self._known(names)))
        said = [f"no run or system {others}"] * bool(others)
        if self.teams.primary is not None and not options.primary:
            listed, own = self.teams.keys(), options.reference or ()
            unlisted = [name for name in names if name in self.sources.keys() - listed]
            unlisted = [name for name in unlisted if not is_named(name, own)]
            said += [f"not listed, so not primary: {brief(unlisted)}"] * bool(unlisted)
        say(f"ave-score: {visible(f'--teams: {text}')}" for text in said)


def collecting(
    options: FileOptions,
    policies: Policies | None = None,
    *,
    label: str = "Reading",
    engine: Engine | None = None,
    entrants: Mapping[str, object] = MappingProxyType({}),
) -> Inputs:
    """Return inputs that collect all findings, and show the progress through runs."""
    watch = partial(progress, label=label, name=_name)
    naming, told = options.naming, options.told
    return Inputs(
        policies,
        naming,
        collects=True,
        told=told,
        engine=engine,
        watch=watch,
        entrants=entrants,
    )


def _one_by_one(*parts: Iterable[Subject]) -> Generator[Subject, None, None]:
    """Yield everything in the parts; if it is closed, the part that is not exhausted is, too."""
    for part in parts:
        yield from part


def _name(run: Named) -> str:
    return run[1] or ""


def show_problems(problems: Sequence[Findings | InputError]) -> None:
    """Print all findings, including warnings, and why files cannot be read, on stderr."""
    findings = [problem for problem in problems if isinstance(problem, Findings) and problem]
    if findings:
        from ave_score.reports.findings.concise import finding_lines, help_lines

        say(chain(*map(finding_lines, findings), help_lines(findings)))
    errors = [problem for problem in problems if isinstance(problem, InputError)]
    say(f"ave-score: {visible(error.for_commands)}" for error in errors)


def ended(inputs: Inputs, code: int = 0) -> int:
    """Print all findings, and return the exit code of a command that did what it was asked."""
    show_problems(inputs.problems)
    return 1 if inputs.refused else code
