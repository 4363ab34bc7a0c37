"""Counts from the compositions of questions and their frequencies, without any ids.

The *composition* of a question is the multiset of its answers' cells: for each answer, 8 times the
verdict plus the label, in any order. Counts of decisions are sums over questions of a function of
the composition, so that a run of any size is a few numbers: how many questions have each
composition. Readers that never hold all answers, and engines, return these.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import reduce
from itertools import accumulate
from typing import NamedTuple, TypeAlias

from ave_score.core.choices import MISSING_CHOICES
from ave_score.core.collection_summary import CollectionSummary, collection_summary
from ave_score.core.errors import UsageError
from ave_score.core.model import AnswerIndex, Collection, Run
from ave_score.core.parts import Extent
from ave_score.core.policies import Policies, settle_unknown
from ave_score.counts import Family
from ave_score.counts.counted import Counted, RowCounter

Compositions: TypeAlias = Iterable[tuple[bytes, int]]
"""Compositions and numbers of questions: of a collection, of its labels alone (verdict 0)."""

_ANSWERS = 1 << 20
"""Answers that are counted at a time."""

_KNOWN = ("campaign", "missing", "unknown", "ties")
"""The policies that counts of compositions follow."""

_LABEL_OF = bytes(cell % 8 for cell in range(256))
_VERDICT_OF = bytes(cell // 8 for cell in range(256))


class CompositionCounter(NamedTuple):
    """Counts runs and baselines from compositions.

    Attributes
    ----------
    about
        What is known of the collection: path, hash and other metadata. Its answers are not used.
    policies
        The meaning of UNKNOWN.
    families
        The requested families; quick families are always counted.
    """

    about: Collection
    policies: Policies
    families: Sequence[Family]

    def check(self) -> None:
        """Raise `UsageError` if a family or a policy needs more than compositions."""
        ranked = [family.name for family in self.families if family.of_answers is None]
        if ranked:
            raise UsageError(
                f"{ranked[0]} measures need the confidence of each answer, and only counts are "
                "read: score without an engine"
            )
        for name, policy in {"threshold": "confidences", "intervals": "single questions"}.items():
            if self.policies._asdict()[name] is not None:
                raise UsageError(
                    f"the policy {name} needs {policy}, and only counts are read: score without an "
                    "engine"
                )
        default = Policies()._asdict()
        for name, value in self.policies._asdict().items():
            if name not in _KNOWN and value != default[name]:
                raise UsageError(f"an engine does not know the policy {name}: score without one")

    def of_gold(self, gold: Compositions) -> tuple[CollectionSummary, list[Counted]]:
        """Return the summary of the collection and the rows of its baselines."""
        facts, rows = self._summary(self._collection(())), list[list[Counted]]()
        for times, part in _parts(gold):
            collection = self._collection(part)
            facts = _sum_of_facts(facts, self._summary(collection), times)
            baselines = self._counter(collection).all_baselines()
            rows.append([_multiplied(row, times) for row in baselines])
        summed = [reduce(_added, of_baseline) for of_baseline in zip(*rows, strict=True)]
        return facts, summed if facts.answers else []

    def of_run(self, name: str, run: Compositions) -> Counted:
        """Return the row of a run."""
        rows: list[Counted] = []
        questions = answers = 0
        for times, part in _parts(run):
            questions += times * len(part)
            answers += times * sum(map(len, part))
            collection, verdicts = self._collection(part), b"".join(part).translate(_VERDICT_OF)
            some = Run(name, "", collection.index, verdicts, array("d"), array("Q"))
            rows.append(_multiplied(self._counter(collection).of_run(some), times))
        row = reduce(_added, rows)
        leaves_out = MISSING_CHOICES[self.policies.missing].is_left_out
        return row._replace(extent=Extent(questions, answers)) if leaves_out else row

    def _collection(self, part: Sequence[bytes]) -> Collection:
        """Return a collection of one question for each composition."""
        return replace(self.about, index=_index(part), labels=b"".join(part).translate(_LABEL_OF))

    def _counter(self, collection: Collection) -> RowCounter:
        settled = settle_unknown(collection, self.policies.unknown)
        return RowCounter(settled, self.policies, self.families)

    def _summary(self, collection: Collection) -> CollectionSummary:
        return collection_summary(collection, settle_unknown(collection, self.policies.unknown))


def _parts(compositions: Compositions) -> Iterator[tuple[int, list[bytes]]]:
    """Yield compositions of equal frequency together, for they are counted in one step."""
    waiting: dict[int, list[bytes]] = {}
    sizes: dict[int, int] = {}
    for cells, times in compositions:
        waiting.setdefault(times, []).append(cells)
        sizes[times] = sizes.get(times, 0) + len(cells) + 1
        if sizes[times] > _ANSWERS:
            yield times, waiting.pop(times)
            del sizes[times]
    yield from waiting.items()


def _index(part: Sequence[bytes]) -> AnswerIndex:
    """Return an index with as many answers to each question as its composition has."""
    starts = [0, *accumulate(map(len, part))]
    return AnswerIndex([*map(str, range(len(part)))], starts, [""] * starts[-1], [""] * starts[-1])


def _multiplied(row: Counted, times: int) -> Counted:
    return row._replace(counts={family: of * times for family, of in row.counts.items()})


def _added(row: Counted, other: Counted) -> Counted:
    return row._replace(
        counts={family: of + other.counts[family] for family, of in row.counts.items()}
    )


def _sum_of_facts(
    facts: CollectionSummary, other: CollectionSummary, times: int
) -> CollectionSummary:
    names = ("questions", "answers", "validated", "rejected", "unknown", "questions_with_correct")
    sums = {name: getattr(facts, name) + times * getattr(other, name) for name in names}
    return facts._replace(**sums)
