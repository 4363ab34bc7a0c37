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
from typing import TYPE_CHECKING, Any, TypeVar

from ave_score.core.aggregated import AggregatedGold, AggregatedRun
from ave_score.core.choice import Choice
from ave_score.core.entrants import checked
from ave_score.core.errors import AveScoreWarning, UsageError, wrong_type
from ave_score.core.kinds import FileKind
from ave_score.core.model import Clusters, Collection, QARun, Replicated, Run
from ave_score.core.open_questions import OpenGold, ResponseRun
from ave_score.core.policies import Policies
from ave_score.core.standards import LOGS_THAT_WITHHOLD
from ave_score.core.text import visible
from ave_score.files.check import check_submission
from ave_score.files.clusters import check_clusters
from ave_score.files.folders import is_folder, unfolded_logs, unfolded_runs
from ave_score.files.gold import check_collection, check_gold, check_test_collection
from ave_score.files.sniff import has_systems
from ave_score.files.source import Naming, Source
from ave_score.files.teams import Teams, check_teams
from ave_score.rules import QUIET, Told
from ave_score.tasks.applied import with_epochs, with_policies
from ave_score.tasks.given import (
    CollectionGiven,
    FileGiven,
    GoldGiven,
    Labels,
    Named,
    Path,
    SubjectsGiven,
    are_given,
    settings_of,
)
from ave_score.tasks.named import are_files, named, run_names
from ave_score.tasks.reading import Reading, callers
from ave_score.tasks.replicates import FOLDER, MODEL, singles
from ave_score.tasks.sources import source_of

if TYPE_CHECKING:
    from ave_score.engine.tables import Engine
    from ave_score.files.scores import VerifierScores

AnyGold = TypeVar("AnyGold", bound=Collection | OpenGold)

_INVALID = "the collection cannot be used"


class Inputs(Reading):
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
        super().__init__(collects=collects, told=told)
        self.entrants = checked(entrants)
        self.policies = settings_of(policies, Policies)
        columns, values = self.entrants.get("columns"), self.entrants.get("values")
        self._naming = naming or Naming(columns or {}, values or {})
        self._naming.check()
        if self.policies.threshold is not None:
            self._naming = self._naming._replace(is_decided=True)
        self._engine, self._watch = engine, watch

    # --- sources

    def source(self, value: object, name: str = "run", *, wanted: str = "") -> Source:
        """Return the source of a file or of rows in memory.

        Parameters
        ----------
        value
            A path, an open file, a frame, a dictionary column -> values, or a list of dictionaries.
        name
            The name of rows, and of a file without a name.
        wanted
            What else may be given, for the message of the error.

        Raises
        ------
        UsageError
            The value is nothing of these.
        """
        return source_of(value, self._naming, name, wanted)

    def named(self, paths: Sequence[Path], what: str = "run") -> dict[str, Source]:
        """Return name -> source of files, in their order.

        Raises `UsageError` if a file is given twice, with `what` as its kind.
        """
        sources = [self.source(path, what) for path in paths]
        return dict(zip(run_names(sources, what), sources, strict=True))

    # --- gold standards

    def collection(
        self,
        value: CollectionGiven,
        key: FileGiven | None = None,
        *,
        labels: Labels = "needed",
        with_texts: bool = False,
    ) -> Collection:
        """Return a collection; raises `RefusedError` if its file is left out.

        Parameters
        ----------
        value
            A collection, or what `source` takes.
        key
            The file of the labels of a collection without labels.
        labels
            Whether a file must have labels, and whether they are read.
        with_texts
            Whether the texts of a file are read.
        """
        if isinstance(value, Collection):
            return value
        source = self.source(value, "collection", wanted="a Collection, ")
        if labels == "ignored":
            return self.needed(self.take(check_test_collection, source), _INVALID)
        of_key = None if key is None else self.source(key, "key")
        wanted = {"needs_labels": labels == "needed", "is_partial": labels == "partial"}
        collection = self.take(check_collection, source, of_key, **wanted, with_texts=with_texts)
        return self._signed(self.needed(collection, _INVALID))

    def _signed(self, gold: AnyGold) -> AnyGold:
        """Return a gold standard that knows by what names and words files were read."""
        named = self._naming.signed
        return replace(gold, read_as={**gold.read_as, **named}) if named else gold

    def gold(
        self,
        value: GoldGiven | Source,
        key: FileGiven | None = None,
        *,
        qa: object = (),
        with_texts: bool = False,
    ) -> tuple[Collection | OpenGold, list[QARun]]:
        """Return the gold standard of a collection, a judged file or answer sets, and its systems.

        Only a judged file and logs have systems; logs have no letters, which `qa`, other systems
        beside them, may have. The texts of a file are only read if asked for. Raises `UsageError`
        for policies that do not apply, and `RefusedError` if its file is left out: nothing can be
        done without it.
        """
        if isinstance(value, Collection | OpenGold):
            gold, systems = value, list[QARun]()
        else:
            gold, systems = self._gold(value, key, with_texts=with_texts)
            gold = self._signed(gold)
            if not are_given(qa):
                self.policies.check_signed(gold.standard)
        self.policies = self.policies.for_gold(gold.standard)
        intervals = self.policies.intervals
        if intervals is not None and intervals.clusters is not None:
            clusters = self.clusters(intervals.clusters, gold)
            self.policies = self.policies._replace(intervals=intervals._replace(clusters=clusters))
        return gold, systems

    def _gold(
        self, value: GoldGiven | Source, key: FileGiven | None, *, with_texts: bool
    ) -> tuple[Collection | OpenGold, list[QARun]]:
        """Return what is read from files, as `gold`."""
        if are_files(value):
            return self._logs(value, key, with_texts=with_texts)
        if is_folder(value):
            return self._logs([value], key, with_texts=with_texts)
        source = self.source(value, "collection", wanted="a Collection, ")
        kind = self.kind_of(source)
        if kind is FileKind.SCORES and has_systems(source):
            return self._logs([source], key, with_texts=with_texts)
        self.policies.check_no_log()
        if kind is FileKind.ANSWER_SETS:
            return self._answer_sets(source), []
        of_key = None if key is None else self.source(key, "key")
        letters, missing = self.policies.letters, self.policies.missing
        gold = self.take(check_gold, source, of_key, letters, missing, with_texts=with_texts)
        is_judged = kind is FileKind.JUDGED
        return self.needed(gold, "the judged table cannot be used" if is_judged else _INVALID)

    def _logs(
        self, given: Sequence[Source | Path], key: FileGiven | None, *, with_texts: bool
    ) -> tuple[Collection, list[QARun]]:
        """Return the questions of logs, and the systems; a folder stands for the logs in it."""
        from ave_score.files.log_systems import check_logs  # few are logs

        if key is not None:
            raise UsageError("a key (--key) labels a collection, and logs have none")
        paths = [os.fspath(value) for value in given if not isinstance(value, Source)]
        found = unfolded_logs(paths)
        if found.skipped:
            warnings.warn(found.remark("read"), AveScoreWarning, stacklevel=callers())
        sources = [value for value in given if isinstance(value, Source)]
        sources += [self.source(path, "log") for path in found.paths]
        named = dict(zip(run_names(sources, "log"), sources, strict=True))
        policies = self.policies
        settings = policies.logs, policies.letters, policies.missing
        logs = self.take(
            check_logs, named, *settings, with_texts=with_texts, epochs=policies.epochs
        )
        gold, systems = self.needed(logs, "the logs cannot be used")
        if policies.threshold is not None and gold.standard.has_decisions:
            gold = replace(gold, declared=LOGS_THAT_WITHHOLD)
        return gold, systems

    def reference(self, value: GoldGiven | None) -> Collection | OpenGold | None:
        """Return what a file is checked against; labels of files are not read."""
        if value is None or isinstance(value, Collection | OpenGold):
            return value
        source = self.source(value, "collection", wanted="a Collection, ")
        if self.kind_of(source) is FileKind.ANSWER_SETS:
            return self._answer_sets(source)
        return self.read(check_test_collection, source)

    def _answer_sets(self, source: Source) -> OpenGold:
        from ave_score.files.answer_sets import check_answer_sets  # most are collections

        gold = self.take(check_answer_sets, source)
        return self.needed(gold, "the answer sets cannot be used")

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
                else:
                    yield value if name is None else replace(value, name=name)

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
            return value
        if value in (FOLDER, MODEL):
            return str(value)
        return self.read(check_teams, self.source(value, "replicates"))

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

    def counts(self, value: object) -> bool:
        """Tell whether an engine counts a collection: it is asked to, or has a lazy frame of it."""
        if self._engine is not None:
            return True
        if isinstance(value, str | os.PathLike | Collection | OpenGold | Source | list):
            return False  # without an import
        from ave_score.files.frames import is_lazy  # few give frames

        return is_lazy(value)

    def aggregated_gold(self, value: object) -> AggregatedGold:
        """Return what an engine counts in a collection; raises as `gold`."""
        if isinstance(value, AggregatedGold):
            return value
        from ave_score.engine.counting import count_gold  # imports narwhals

        gold = self.take(count_gold, value, self._engine, self._naming)
        return self.needed(gold, _INVALID)._replace(read_as=self._naming.signed)

    def aggregated_runs(self, values: object, gold: AggregatedGold) -> Iterator[AggregatedRun]:
        """Yield what an engine counts in runs; a column `run` names the runs of a table."""
        from ave_score.engine.counting import count_runs  # imports narwhals

        for value, name in named(values, (AggregatedRun,)):
            if isinstance(value, AggregatedRun):
                yield value
            else:
                args = value, name or "run", self._engine, self._naming, self.policies.missing
                yield from self.take(count_runs, gold, *args) or ()

    # --- what belongs to runs and questions

    def teams(self) -> Teams:
        """Return run -> team; none if the file is not used."""
        value = self.entrants.get("teams")
        if value is None or isinstance(value, Mapping):
            return value if isinstance(value, Teams) else Teams(value or {})
        return self.take(check_teams, self.source(value, "teams")) or Teams()

    def clusters(self, value: Clusters | Path | None, gold: Collection | OpenGold) -> Clusters:
        """Return the clusters of an attribute of questions, or of a file; raises as `gold`."""
        known = ", ".join(gold.attributes) or "no attributes"
        if isinstance(value, Clusters):
            return value
        if not isinstance(value, str | os.PathLike):
            raise wrong_type(f"an attribute, a path or Clusters; questions have {known}", value)
        name = os.fspath(value)
        if isinstance(gold, Collection) and (findings := gold.unusable.get(name)):
            message = f"{visible(name)} is no attribute of questions"
            return self.needed(self.take(lambda: (None, [findings])), message)
        if name in gold.attributes:
            return Clusters(name, gold.attributes[name])
        if not os.path.exists(name) and name != "-":
            raise UsageError(f"no file or attribute {name!r}; questions have {known}")
        clusters = self.take(check_clusters, self.source(name, "clusters"), gold.ids)
        return self.needed(clusters, f"{visible(name)} is invalid")
