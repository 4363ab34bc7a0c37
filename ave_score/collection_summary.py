"""What reports, signatures and tables of collections say of a collection: its size and its labels.

Plain numbers, so that they can be had without the collection itself.
"""

from __future__ import annotations

from typing import NamedTuple

from ave_score.model import Collection, Label


class CollectionSummary(NamedTuple):
    """A collection in numbers.

    Attributes
    ----------
    path, sha256
        The file as the user named it, and the hash of its bytes (after decompression).
    questions, answers
        How many.
    validated, rejected, unknown
        Answers by their label in the file.
    questions_with_correct
        Questions with an answer that counts as correct, by the policy on UNKNOWN.
    is_pairs
        Whether the answers are text-hypothesis pairs, without questions.
    languages, available
        What the file says of itself (see `Collection`).
    key_path, key_sha256
        Path and hash of the key file, where the labels came from one.
    """

    path: str
    sha256: str
    questions: int
    answers: int
    validated: int
    rejected: int
    unknown: int
    questions_with_correct: int
    is_pairs: bool = False
    languages: tuple[str, ...] = ()
    available: int | None = None
    key_path: str | None = None
    key_sha256: str | None = None


def collection_summary(
    collection: Collection, settled: Collection | None = None
) -> CollectionSummary:
    """Return a collection in numbers.

    `settled` is the same collection after the policy on UNKNOWN (`policies.settle_unknown`), which
    decides what counts as correct; the collection itself where it is None.
    """
    return CollectionSummary(
        path=collection.path,
        sha256=collection.sha256,
        questions=len(collection.index.questions),
        answers=len(collection.index),
        validated=collection.labelled(Label.VALIDATED),
        rejected=collection.labelled(Label.REJECTED),
        unknown=collection.labelled(Label.UNKNOWN),
        questions_with_correct=(settled or collection).questions_with_correct,
        is_pairs=collection.index.is_pairs,
        languages=collection.languages,
        available=collection.available,
        key_path=collection.key_path,
        key_sha256=collection.key_sha256,
    )
