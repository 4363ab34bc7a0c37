"""Summary of a collection (size, labels, hashes) for reports and tables, and the signature."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from ave_score.core.choice import Choice, signed_parts
from ave_score.core.choices import MISSING_CHOICES
from ave_score.core.model import AnswerIndex, Collection, Label
from ave_score.core.policies import Policies
from ave_score.core.standards import CANDIDATES, Standard
from ave_score.version import __version__

HASH_DIGITS = 12
"""Number of hex digits of the collection's SHA-256 in the signature."""


class CollectionSummary(NamedTuple):
    """Counts and metadata of a collection.

    Attributes
    ----------
    path, sha256
        The file as the user named it, and the hash of its bytes (after decompression).
    questions, answers
        Number of questions and answers.
    validated, rejected, unknown
        Number of answers with each label in the file.
    questions_with_correct
        Number of questions with a correct answer, after the policy on UNKNOWN.
    languages, available
        Metadata of the file (see `Collection`).
    key_path, key_sha256
        Path and hash of the key file, if any.
    notes
        What is said about it: sentences.
    standard
        The sort of gold standard that it is.
    read_as
        As of a `Collection`; also of the runs that are scored against it.
    """

    path: str
    sha256: str
    questions: int
    answers: int
    validated: int
    rejected: int
    unknown: int
    questions_with_correct: int
    languages: tuple[str, ...] = ()
    available: int | None = None
    key_path: str | None = None
    key_sha256: str | None = None
    notes: tuple[str, ...] = ()
    standard: Standard = CANDIDATES
    read_as: Mapping[str, str] = {}

    @property
    def is_pairs(self) -> bool:
        """Whether the answers are text-hypothesis pairs, without questions."""
        return not self.standard.has_questions


def collection_summary(
    collection: Collection, settled: Collection | None = None
) -> CollectionSummary:
    """Return the summary of a collection.

    `settled` is the collection after the policy on UNKNOWN (`policies.settle_unknown`), which
    determines correct answers; None: the collection itself.
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
        languages=collection.languages,
        available=collection.available,
        key_path=collection.key_path,
        key_sha256=collection.key_sha256,
        notes=collection.notes,
        standard=collection.standard,
        read_as=collection.read_as,
    )


def hash_of_answers(index: AnswerIndex, labels: bytes) -> str:
    """Return the hash of the ids of answers and their labels, in their order."""
    from hashlib import sha256  # slow to import

    lines = map("\t".join, zip(index.q_ids, index.a_ids, map(str, labels), strict=True))
    return sha256("\n".join(lines).encode("utf-8", "surrogatepass")).hexdigest()


def signature(policies: Policies, collection: CollectionSummary, *, ranks: bool = False) -> str:
    """Return the signature printed with every score: version, policies and gold standard.

    E.g. `ave-score:0.1.0|letters:qa-clef|missing:error|...|collection:0f3a...`. Tables with the
    same signature are comparable. With `ranks` it includes the policy on ties.
    """
    records, standard = Policies.records(), collection.standard
    leaves_out = MISSING_CHOICES[policies.missing].is_left_out
    parts = [f"ave-score:{__version__}"]
    parts += [
        f"{name}:{value}"
        for name, value in policies.shown().items()
        if (ranks or not records[name].only_rankings)
        and (standard.policies is None or name in standard.policies)
        and not isinstance(value, Choice)
        and name not in standard.unsigned
        and (leaves_out or not standard.ranks_documents or name != "missing")
    ]
    chosen = policies.logs.parts if policies.logs else {}
    parts += signed_parts(chosen | {**collection.read_as})  # what was used, chosen or not
    parts.append(f"collection:{collection.sha256[:HASH_DIGITS]}")
    if collection.key_sha256:
        parts.append(f"key:{collection.key_sha256[:HASH_DIGITS]}")
    return "|".join(parts)
