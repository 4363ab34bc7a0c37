"""The mapping layer: what an assessor's letter means, one table per campaign.

The same letter can mean different things: U is *unsupported* at QA@CLEF and *unanswered* at
ResPubliQA. So the table is chosen by name, and every report says which was used.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple

from ave_score.errors import UsageError
from ave_score.model import LABELS, Collection, Label
from ave_score.text import did_you_mean, nearest


class Answering(StrEnum):
    """What a judged row is worth as the answer of a question-answering system."""

    CORRECT = "correct"
    INCORRECT = "incorrect"
    UNANSWERED = "unanswered"


class Meaning(NamedTuple):
    """What one letter means: the answer's label in validation, and its worth as a QA answer."""

    label: Label
    answering: Answering


RIGHT = Meaning(Label.VALIDATED, Answering.CORRECT)
WRONG = Meaning(Label.REJECTED, Answering.INCORRECT)
UNSETTLED = Meaning(Label.UNKNOWN, Answering.INCORRECT)
UNANSWERED = Meaning(Label.UNKNOWN, Answering.UNANSWERED)

CAMPAIGNS: dict[str, dict[str, Meaning]] = {
    # R right, W wrong, U unsupported, X inexact, empty: not judged
    "qa-clef": {"R": RIGHT, "W": WRONG, "U": WRONG, "X": UNSETTLED, "": UNSETTLED},
    # the same, but an inexact answer counts as correct
    "qa-clef-lenient": {"R": RIGHT, "W": WRONG, "U": WRONG, "X": RIGHT, "": UNSETTLED},
    # R right, W wrong, U unanswered
    "respubliqa": {"R": RIGHT, "W": WRONG, "U": UNANSWERED, "": UNSETTLED},
}
"""Campaign -> judgement -> meaning."""

UNKNOWN_POLICIES: dict[str, Label] = {
    "ignore": Label.UNKNOWN,
    "incorrect": Label.REJECTED,
    "correct": Label.VALIDATED,
}
"""Policy `--unknown` -> the label that answers labelled UNKNOWN are given before anything counts
them; `ignore` leaves them UNKNOWN, out of every validation count."""


def campaign_table(campaign: str) -> dict[str, Meaning]:
    """Return the judgement table of a campaign; raises `UsageError` for one that has none."""
    if campaign not in CAMPAIGNS:
        hint = did_you_mean(nearest(campaign, CAMPAIGNS))
        raise UsageError(f"no campaign {campaign!r}, only {', '.join(CAMPAIGNS)}{hint}")
    return CAMPAIGNS[campaign]


def is_contradicted(meaning: Meaning, letter: str, answered: bool | None) -> bool:
    """Tell whether what a run says of itself shows that its letters are another campaign's.

    U on an answer that was given is no *unanswered*; U on one that was not is no *unsupported*.
    """
    means_unanswered = meaning.answering is Answering.UNANSWERED
    if answered is None or letter != "U":
        return bool(answered and means_unanswered)
    return answered == means_unanswered


def settled_table(campaign: str, unknown: str) -> dict[str, Meaning]:
    """Return the judgement table of a campaign with UNKNOWN read as the policy says.

    So an inexact answer counts the same whether a run selects it or a QA system returns it.
    """
    instead = {"ignore": None, "incorrect": WRONG, "correct": RIGHT}[unknown]
    return {
        letter: instead if instead and meaning is UNSETTLED else meaning
        for letter, meaning in campaign_table(campaign).items()
    }


@lru_cache(maxsize=2)
def settle_unknown(collection: Collection, policy: str) -> Collection:
    """Return the collection with answers labelled UNKNOWN relabelled as the policy says.

    `policy` is a key of `UNKNOWN_POLICIES`; anything else raises `UsageError`. The same collection
    and policy give the same object, so that what it caches is computed once.
    """
    if policy not in UNKNOWN_POLICIES:
        raise UsageError(f"no policy {policy!r} for UNKNOWN, only {', '.join(UNKNOWN_POLICIES)}")
    if policy == "ignore":
        return collection
    unknown, settled = bytes([Label.UNKNOWN]), bytes([UNKNOWN_POLICIES[policy]])
    return replace(collection, labels=collection.labels.replace(unknown, settled))


def label_facts(word: str, words: Iterable[str] = LABELS) -> dict[str, object]:
    """Return the facts of a finding about a word that is none of the gold labels."""
    hint = did_you_mean(nearest(word, words))
    return {"found": word, "expected": ", ".join(words), "hint": hint}
