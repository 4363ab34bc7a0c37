"""Collections and runs that an engine has counted: questions of equal composition, without ids."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from ave_score.core.model import AnswerIndex, Collection
from ave_score.core.standards import CANDIDATES, Standard


class AggregatedGold(NamedTuple):
    """A collection in a table that an engine has counted.

    Attributes
    ----------
    path, sha256
        Its name in messages, and the hash of its bytes.
    frame
        `q_id`, `a_id` and `code`, of the label: a lazy frame.
    compositions
        Labels of the answers to a question -> number of such questions.
    read_as
        As of a `Collection`.
    """

    path: str
    sha256: str
    frame: Any
    compositions: Mapping[bytes, int]
    read_as: Mapping[str, str] = {}

    @property
    def standard(self) -> Standard:
        """The sort of gold standard that it is."""
        return CANDIDATES

    @property
    def about(self) -> Collection:
        """What is known of the collection besides its answers."""
        return Collection(
            self.path, self.sha256, AnswerIndex([], [0], [], []), b"", read_as=self.read_as
        )


class AggregatedRun(NamedTuple):
    """A run that an engine has counted: cells of the answers to a question -> such questions."""

    name: str
    compositions: Mapping[bytes, int]
