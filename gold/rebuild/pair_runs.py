"""Makes the decisions of a run of pairs that scores exactly as published.

Two counts are given, of YES pairs and of NO pairs that the run validates; which these are is
free. Nothing is selected.
"""

from dataclasses import dataclass

from .chance import Chance
from .decisions import draw_confidence
from .figures import validated_counts
from .pairs import NO, UNKNOWN, YES, Pair, PairCollection
from .published import ValidationRow


@dataclass(frozen=True, slots=True)
class PairDecision:
    """What a run says of one pair, YES or NO; confidence in thousandths."""

    pair: Pair
    verdict: str
    confidence: int


def decide_pairs(collection: PairCollection, row: ValidationRow) -> list[PairDecision]:
    """Return a decision for every pair, in the order of the collection."""
    facts = collection.published.facts
    correct, incorrect = validated_counts(row, facts)
    chance, shared = Chance(facts.name, "run", row.run), Chance(facts.name, "difficulty")
    # What is hard for one run is often hard for another, hence half a draw for all runs.
    ease = {pair.id: shared.below(1000) + chance.below(1000) for pair in collection.pairs}
    # As large a part of the unknown pairs as of the others; no figure counts them.
    unknown = (correct + incorrect) * facts.unknown // (facts.validated + facts.rejected)
    accepted: set[str] = set()
    for value, count in ((YES, correct), (NO, incorrect), (UNKNOWN, unknown)):
        ids = [pair.id for pair in collection.pairs if pair.value == value]
        accepted.update(sorted(ids, key=lambda pair_id: -ease[pair_id])[:count])
    return [_decision(pair, pair.id in accepted, chance) for pair in collection.pairs]


def _decision(pair: Pair, accepted: bool, chance: Chance) -> PairDecision:
    confidence = draw_confidence(chance, accepted=accepted, correct=pair.value == YES)
    return PairDecision(pair, YES if accepted else NO, confidence)
