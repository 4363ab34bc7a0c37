"""One figure of several measures: `mean(auc, f1, 1-brier)`, `harmonic_mean(precision, recall)`.

Such a measure has no counts of its own: it is computed from the values of its parts.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any

from ave_score.core.errors import UsageError
from ave_score.measures.registry import Measure


def _mean(values: Sequence[Any]) -> Any:  # noqa: ANN401 - fractions, or arrays of samples
    return sum(values) / len(values)


def _harmonic_mean(values: Sequence[Any]) -> Any:  # noqa: ANN401 - likewise
    """Return the number of values by the sum of their reciprocals; 0 if any of them is 0."""
    product = prod(values)
    others = sum(prod(values[:at]) * prod(values[at + 1 :]) for at in range(len(values)))
    return len(values) * product / (others + (others == 0))  # then the product is 0, too


def _complement(values: Sequence[Any]) -> Any:  # noqa: ANN401 - likewise
    return 1 - values[0]


MEANS: dict[str, tuple[Callable[[Sequence[Any]], Any], str, str]] = {
    "mean": (_mean, "Mean", "the sum of the parts by their number"),
    "harmonic_mean": (_harmonic_mean, "Harmonic mean", "the number of parts by Σ 1/part"),
}
"""Name -> how the values of the parts are put together, the head, and the formula."""


def mean_of(name: str, parts: Sequence[Measure]) -> Measure:
    """Return a mean of measures; raises `UsageError` if they cannot be put together."""
    function, head, formula = MEANS[name]
    keys = ", ".join(part.key for part in parts)
    key = f"{name}({keys})"
    if len(parts) < 2:
        raise UsageError(f"{key}: expected several measures")
    for part in parts:
        if part.higher_is_better != parts[0].higher_is_better:
            lower = next(part for part in parts if not part.higher_is_better)
            instead = lower.key.removeprefix("1-") if lower.parts else f"1-{lower.key}"
            raise UsageError(f"{key}: {lower.key} is better if it is lower; write {instead}")
        if part.whole or (name == "harmonic_mean" and part.lowest != "0"):
            raise UsageError(f"{key}: {part.key} is no share")
    titles = ", ".join(part.title for part in parts)
    return _made(key, f"{head} ({titles})", function, parts, formula)


def complement(part: Measure) -> Measure:
    """Return 1 minus a measure; raises `UsageError` for one that is not in 0..1."""
    if (part.lowest, part.highest) != ("0", "1") or part.whole:
        raise UsageError(f"1-{part.key}: {part.key} is not in 0..1")
    made = _made(f"1-{part.key}", f"1−{part.title}", _complement, [part], f"1 - {part.key}")
    return made._replace(higher_is_better=not part.higher_is_better)


def _made(
    key: str,
    head: str,
    function: Callable[[Sequence[Any]], Any],
    parts: Sequence[Measure],
    formula: str,
) -> Measure:
    first = parts[0]
    bounds = {(part.lowest, part.highest) for part in parts}
    lowest, highest = bounds.pop() if len(bounds) == 1 else ("-infinity", "∞")
    return Measure(
        key,
        head.replace("{", "{{").replace("}", "}}"),
        first.family,
        formula,
        "undefined if a part is",
        "; ".join(dict.fromkeys(part.source for part in parts if part.source)),
        function,
        unknown="as its parts do",
        higher_is_better=first.higher_is_better,
        percent=all(part.percent for part in parts),
        ignores_ties=all(part.ignores_ties for part in parts),
        no_interval=next((part.no_interval for part in parts if part.no_interval), ""),
        lowest=lowest,
        highest=highest,
        parts=tuple(parts),
    )
