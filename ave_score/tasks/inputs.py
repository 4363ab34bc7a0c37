"""The one way in: whatever a task is given is read here, with all findings.

Values are taken as they are; paths, open files, frames and rows in memory are read. What is done
with a file that has errors is the only difference between callers: Python raises `DefectError`,
commands and campaigns collect the findings, and go on or end.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from itertools import chain
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from ave_score.core.aggregated import AggregatedGold, AggregatedRun
from ave_score.core.choice import Choice
from ave_score.core.errors import AveScoreWarning
from ave_score.core.model import Collection, QARun, Replicated, Run
from ave_score.core.open_questions import OpenGold, ResponseRun
from ave_score.core.policies import Policies
from ave_score.files.check import check_submission
from ave_score.files.folders import is_folder, unfolded_runs
from ave_score.files.naming import Naming
from ave_score.files.run_limits import check_limits
from ave_score.files.source import Source
from ave_score.files.teams import HEADS as TEAMS
from ave_score.files.teams import Teams, check_teams
from ave_score.rules import QUIET, Told
from ave_score.tasks.applied import with_epochs, with_policies
from ave_score.tasks.given import (
    CollectionGiven,
    FileGiven,
    Named,
    SubjectsGiven,
    settings_of,
)
from ave_score.tasks.gold_inputs import GoldInputs
from ave_score.tasks.named import named
from ave_score.tasks.reading import callers
from ave_score.tasks.replicates import FOLDER, MODEL, singles
from ave_score.tasks.sources import as_table, names_in

if TYPE_CHECKING:
    from ave_score.engine.tables import Engine
    from ave_score.files.scores import VerifierScores


class Inputs(GoldInputs):
    """What a task is given, read.

    Parameters
    ----------
    policies
        How judgements and missing answers are read.
    naming
        The names of columns, and the meaning of words, in all tables; None: those of `entrants`.
    collects
        Whether a file that cannot be used is left out, and its findings are collected. Otherwise
        `DefectError` or `InputError` is raised, and other findings are warnings.
    told
        Tells whether findings of a rule are told to the caller.
    engine
        What reads and counts tables in the place of Python.
    watch
        Passes the runs through while they are read, and may show progress.
    entrants
        Which runs take part, and as what: see `Entrants`. With what columns and words mean.
    """

    def __init__(
        self,
        policies: Policies | None = None,
        naming: Naming | None = None,
        *,
        collects: bool = False,
        told: Told = lambda rule: rule not in QUIET,
        engine: Engine | None = None,
        watch: Callable[[Any], AbstractContextManager[Iterable[Named]]] = nullcontext,
        entrants: Mapping[str, object] = MappingProxyType({}),
    ) -> None:
        super().__init__(
            policies, naming, collects=collects, told=told, engine=engine, entrants=entrants
        )
        self._watch = watch

    # --- runs

    def runs(
        self, values: SubjectsGiven, gold: Collection | OpenGold
    ) -> Generator[Run | QARun | ResponseRun | Replicated, None, None]:
        """Yield runs and QA systems, or responses, that are given as they are or as files.

        Files are read one by one; a folder stands for those below it. A run is named after its
        file, with folders where names would be equal, unless an iterator is given; or by a
        dictionary.
        """
        types = (Replicated, *((ResponseRun,) if isinstance(gold, OpenGold) else (Run, QARun)))
        pairs = named(self.unfolded(values, gold), types)
        with self._watch(pairs if isinstance(values, Iterator) else [*pairs]) as watched:
            for value, name in watched:
                if not isinstance(value, types):
                    source = self.source(value, name or "run", wanted="a run, ")
                    yield from self._read_runs(source, gold, name) or ()
                elif isinstance(value, ResponseRun):
                    yield value if name is None else value._replace(name=name)
                elif self._keeps_limits(value):
                    yield value if name is None else replace(value, name=name)

    def _keeps_limits(self, value: Run | QARun | Replicated) -> bool:
        """Tell whether a run that was read before keeps the limits; report what it does not."""
        if not (self.limits.given and isinstance(value, Run)):
            return True
        return self.take(check_limits, value, self.limits) is not None

    def unfolded(self, values: object, gold: Collection | OpenGold | None) -> object:
        """Return runs with the files of each folder in its place; warn of those that are not."""
        given = [values] if isinstance(values, str | os.PathLike) else values
        if not isinstance(given, list | tuple) or not any(map(is_folder, given)):
            return values
        without = [] if gold is None else [gold.path]
        files: list[object] = []
        for value in given:
            if not is_folder(value):
                files.append(value)
                continue
            found = unfolded_runs([os.fspath(value)], without, self._naming)
            files += found.paths
            if found.skipped:
                warnings.warn(found.remark("read"), AveScoreWarning, stacklevel=callers())
        return files

    def _read_runs(
        self, source: Source, gold: Collection | OpenGold, name: str | None
    ) -> Sequence[Run | QARun | ResponseRun] | None:
        if isinstance(gold, OpenGold):
            from ave_score.files.responses import check_responses  # most are runs

            return self.take(check_responses, source, gold, name)
        source.limits = self.limits
        letters, missing = self.policies.letters, self.policies.missing
        return self.take(check_submission, source, gold, letters, missing, name)

    def subjects(
        self, gold: Collection | OpenGold, systems: Iterable[QARun], *subjects: SubjectsGiven
    ) -> Iterator[Run | QARun | ResponseRun | Replicated]:
        """Yield the systems of a judged file, and the given runs, systems or responses, one by one.

        Runs are decided at the threshold of the policies.
        """
        given = chain(systems, *(self.runs(values, gold) for values in subjects))
        for subject in with_epochs(given, self.policies):
            if isinstance(gold, OpenGold) or isinstance(subject, ResponseRun):
                yield subject
            elif isinstance(subject, Replicated):
                runs = self.subjects(gold, (), iter(subject.runs))
                yield replace(subject, runs=singles(runs))
            else:
                yield with_policies(subject, gold, self.policies)

    def replicates(self) -> Mapping[str, str] | str | None:
        """Return run -> system, or what makes systems of runs; raises `RefusedError` as `read`."""
        value = self.entrants.get("replicates")
        if value is None or isinstance(value, Mapping):
            return value and names_in(value, "replicates")
        if isinstance(value, str) and value in (FOLDER, MODEL):
            return value
        return self.read(check_teams, as_table(self.source(value, "replicates"), TEAMS))

    def judged(self, value: FileGiven | None, collection: Collection) -> list[QARun]:
        """Return the QA systems of a judged file; none if it is left out."""
        if value is None:
            return []
        from ave_score.files.judged import check_judged  # few have one

        letters, missing = self.policies.letters, self.policies.missing
        source = self.source(value, "judged")
        return self.take(check_judged, source, collection, letters, missing) or []

    # --- scores of verifiers

    def verifiers(
        self,
        value: FileGiven | Source,
        collection: CollectionGiven | None = None,
        choice: Choice | None = None,
        *,
        name: str = "scores",
        with_keys: bool = True,
    ) -> list[VerifierScores]:
        """Return the scores of all verifiers in a file, as `read_verifiers`."""
        from ave_score.files.scores import check_verifiers  # few have any

        gold = None if collection is None else Inputs().collection(collection)
        source, wanted = self.source(value, name), settings_of(choice, Choice)
        return self.read(check_verifiers, source, gold, wanted, with_keys=with_keys)

    def all_verifiers(
        self, values: object, collection: CollectionGiven | None, choice: Choice | None
    ) -> Iterator[VerifierScores]:
        """Yield the scores of verifiers that are given as they are, or as files or frames."""
        from ave_score.files.scores import VerifierScores

        for value, name in named(values, (VerifierScores,), "scores"):
            if isinstance(value, VerifierScores):
                yield value if name is None else replace(value, name=name)
            else:
                source = self.source(value, name or "scores", wanted="scores, ")
                yield from self.verifiers(source, collection, choice)

    # --- tables that an engine counts

    def aggregated_runs(self, values: object, gold: AggregatedGold) -> Iterator[AggregatedRun]:
        """Yield what an engine counts in runs; a column `run` names the runs of a table."""
        from ave_score.engine.counting import count_runs  # imports narwhals

        for value, name in named(values, (AggregatedRun,)):
            if isinstance(value, AggregatedRun):
                yield value
            else:
                args = value, name or "run", self._engine, self._naming, self.policies.missing
                yield from self.take(count_runs, gold, *args) or ()

    def teams(self) -> Teams:
        """Return run -> team; none if the file is not used."""
        value = self.entrants.get("teams")
        if value is None or isinstance(value, Mapping):
            return value if isinstance(value, Teams) else Teams(names_in(value or {}, "teams"))
        table = as_table(self.source(value, "teams"), TEAMS, "primary")
        return self.take(check_teams, table) or Teams()
