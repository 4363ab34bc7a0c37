"""Groups of questions, and clusters in them: what is sampled in a group."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from ave_score.core.model import Clusters, ClustersGiven

if TYPE_CHECKING:
    from ave_score.inference.units import Gold

SHARED_CLUSTERS = "a cluster has questions of several groups, which are not independent then"


def members_of(
    gold: Gold, groups: Clusters, clusters: ClustersGiven | None = None
) -> dict[str, list[str]]:
    """Return group -> its questions, or pairs.

    Raises `UsageError` if one has no group, or no cluster of those that are given.
    """
    groups.check_all(gold.ids, "question", "group")
    if clusters is not None:
        Clusters.found(clusters).check_all(gold.ids, "question")
    members: dict[str, list[str]] = {}
    for q_id in gold.ids:
        members.setdefault(groups.of[q_id], []).append(q_id)
    return members


def number_of(ids: Sequence[str], clusters: ClustersGiven | None) -> int:
    """Return how many units are sampled of these questions: clusters, or questions."""
    if clusters is None:
        return len(ids)
    of = Clusters.found(clusters).of
    return len({of.get(q_id, q_id) for q_id in ids})


def are_shared(clusters: ClustersGiven | None, groups: Clusters, ids: Iterable[str]) -> bool:
    """Tell whether a cluster has questions of several groups."""
    if clusters is None:
        return False
    of, group_of = Clusters.found(clusters).of, dict[str, str]()
    return any(
        group_of.setdefault(of.get(q_id, q_id), groups.of[q_id]) != groups.of[q_id] for q_id in ids
    )
