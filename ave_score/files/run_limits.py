"""What TREC runs may have: at most so many documents of a topic, and only those of a list."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from typing import NamedTuple

from ave_score import rules
from ave_score.core.errors import UsageError
from ave_score.core.findings import Findings
from ave_score.core.model import Run, Verdict
from ave_score.core.standards import Standard
from ave_score.files.nodes import is_count

Listed = Mapping[str, Set[str]] | Set[str]
"""The ids of documents, by topic or of all topics."""

PER_TOPIC, DOCUMENTS = "--limit per-topic=N", "--limit documents=FILE"


class RunLimits(NamedTuple):
    """What runs may have.

    Attributes
    ----------
    max_per_topic
        The most documents of a topic; None: any number.
    documents
        Those that are permitted; None: all.
    """

    max_per_topic: int | None = None
    documents: Listed | None = None

    @property
    def given(self) -> list[str]:
        """The options of those that are given."""
        return [
            text
            for text, value in zip((PER_TOPIC, DOCUMENTS), self, strict=True)
            if value is not None
        ]

    def check(self) -> None:
        """Raise `UsageError` for a number that is none, or documents that are not as `Listed`."""
        if self.max_per_topic is not None and not is_count(self.max_per_topic):
            found = self.max_per_topic
            raise UsageError(f"{PER_TOPIC}: expected a whole number from 1, found {found!r}")
        if self.documents is not None and not _is_listed(self.documents):
            raise UsageError(f"{DOCUMENTS}: expected a set of ids, or topic -> a set of ids")

    def check_for(self, gold: Standard) -> None:
        """Raise `UsageError` if any is given, and runs of a gold standard rank no documents."""
        if self.given and not gold.ranks_documents:
            self.refuse("only TREC runs have topics and documents, scored with qrels")

    def refuse(self, why: str) -> None:
        """Raise `UsageError` about those that are given."""
        raise UsageError(f"{', '.join(self.given)}: {why}")

    def compare(self, topics: Iterable[tuple[str, Mapping[str, int]]], findings: Findings) -> None:
        """Report what a run has beyond the limits; it is given as topic and document -> line."""
        most = self.max_per_topic
        for topic, lines in topics:
            if most is not None and len(lines) > most:
                facts = {"number": f"{len(lines):,}", "expected": f"{most:,}"}
                findings.add(rules.TOO_MANY_DOCUMENTS, [*lines.values()][most], q_id=topic, **facts)
            for doc in self._outside(topic, lines):
                findings.add(rules.DOCUMENT_OUTSIDE, lines[doc], q_id=topic, a_id=doc)

    def _outside(self, topic: str, docs: Iterable[str]) -> list[str]:
        """Return the documents of a topic that are not in the list."""
        if self.documents is None:
            return []
        listed = self.documents
        known = listed.get(topic, ()) if isinstance(listed, Mapping) else listed
        return [doc for doc in docs if doc not in known]


def _is_listed(value: object) -> bool:
    """Tell whether there are ids, all in sets: of a text, any part would be one."""
    sets = [value.keys(), *value.values()] if isinstance(value, Mapping) else [value]
    return bool(value) and all(
        isinstance(ids, Set) and all(isinstance(one, str) for one in ids) for ids in sets
    )


def check_limits(run: Run, limits: RunLimits) -> tuple[Run | None, list[Findings]]:
    """Hold a run that was read before against the limits."""
    findings = Findings(run.path)
    for topic, span in zip(run.index.questions, run.index.spans, strict=True):
        rows = zip(run.lines[span], run.index.a_ids[span], run.verdicts[span], strict=True)
        ranked = sorted((line, doc) for line, doc, verdict in rows if verdict == Verdict.VALIDATED)
        limits.compare([(topic, {doc: line for line, doc in ranked})], findings)
    return (None if findings.errors else run), [findings]
