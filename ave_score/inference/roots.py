"""Where a function that increases is 0."""

from __future__ import annotations

from collections.abc import Callable


def crossing(rise: Callable[[float], float], low: float, high: float) -> float:
    """Return where a function that increases is 0, by the Illinois method; or the nearer end."""
    below, above = rise(low), rise(high)
    if below >= 0 or above <= 0:
        return low if below >= 0 else high
    middle = low
    for _ in range(100):
        middle = high - above * (high - low) / (above - below)
        value = rise(middle)
        if abs(value) < 1e-14 or abs(high - low) < 1e-13:
            break
        low, below = (low, below / 2) if value * above > 0 else (high, above)
        high, above = middle, value
    return middle
