"""The gold standard of a task, read: a collection, answer sets, logs, or counts of an engine."""

from __future__ import annotations

import os
import warnings
from collections.abc import Mapping, Sequence, Set
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar, cast

from ave_score.core.aggregated import AggregatedGold
from ave_score.core.entrants import checked
from ave_score.core.errors import AveScoreWarning, UsageError
from ave_score.core.kinds import FileKind
from ave_score.core.model import Clusters, ClustersGiven, Collection, QARun
from ave_score.core.open_questions import OpenGold
from ave_score.core.policies import Policies
from ave_score.core.standards import CANDIDATES, LOGS_THAT_WITHHOLD
from ave_score.core.text import visible
from ave_score.files.clusters import HEADS as CLUSTERS
from ave_score.files.clusters import check_clusters
from ave_score.files.document_lists import LAYOUTS, check_documents
from ave_score.files.folders import is_folder, unfolded_logs
from ave_score.files.gold import check_collection, check_gold, check_test_collection
from ave_score.files.naming import Naming
from ave_score.files.run_limits import Listed, RunLimits
from ave_score.files.sniff import has_systems
from ave_score.files.source import Source
from ave_score.rules import Told
from ave_score.tasks.given import (
    CollectionGiven,
    FileGiven,
    GoldGiven,
    Labels,
    Path,
    are_given,
    settings_of,
)
from ave_score.tasks.named import are_files, run_names
from ave_score.tasks.reading import Reading, callers
from ave_score.tasks.sources import as_table, source_of

if TYPE_CHECKING:
    from ave_score.engine.tables import Engine

AnyGold = TypeVar("AnyGold", bound=Collection | OpenGold)

_INVALID = "the collection cannot be used"


class GoldInputs(Reading):
    """What runs are scored against, read.

    Parameters
    ----------
    policies, naming, collects, told, engine, entrants
        As in `Inputs`.
    """

    def __init__(
        self,
        policies: Policies | None,
        naming: Naming | None,
        *,
        collects: bool,
        told: Told,
        engine: Engine | None,
        entrants: Mapping[str, object],
    ) -> None:
        super().__init__(collects=collects, told=told)
        self.entrants = checked(entrants)
        self.policies = settings_of(policies, Policies)
        self._naming = naming or Naming.of(self.entrants)
        self._naming.check()
        if self.policies.threshold is not None:
            self._naming = self._naming._replace(is_decided=True)
        self._engine = engine

    @cached_property
    def limits(self) -> RunLimits:
        """What runs may have; raises `RefusedError` if the list of documents is left out."""
        most, documents = (self.entrants.get(name) for name in RunLimits._fields)
        if documents is not None and not isinstance(documents, Mapping | Set):
            source = self.source(documents, "documents", wanted="a set of ids, sets by topic, ")
            documents = self.read(check_documents, as_table(source, LAYOUTS[::-1]))
        limits = RunLimits(cast("int | None", most), cast("Listed | None", documents))
        limits.check()
        return limits

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
        self.limits.check_for(gold.standard)
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

        self.limits.check_for(CANDIDATES)
        gold = self.take(count_gold, value, self._engine, self._naming)
        return self.needed(gold, _INVALID)._replace(read_as=self._naming.signed)

    def clusters(self, value: ClustersGiven | None, gold: Collection | OpenGold) -> Clusters:
        """Return the clusters of an attribute of questions, a file or rows; raises as `gold`."""
        known = ", ".join(gold.attributes) or "no attributes"
        if isinstance(value, Clusters):
            return value
        if not isinstance(value, str | os.PathLike):
            wanted = f"an attribute (questions have {known}), Clusters, "
            source = as_table(self.source(value, "clusters", wanted=wanted), CLUSTERS)
            return self.needed(self.take(check_clusters, source, gold.ids), "clusters are invalid")
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
