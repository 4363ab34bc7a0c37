"""The one unit of levels of confidence and of agreement: per cent, wherever one is given."""

from __future__ import annotations

from numbers import Real
from typing import TYPE_CHECKING

from ave_score.core.errors import UsageError

if TYPE_CHECKING:
    from fractions import Fraction

USUAL = 95
"""The level that is usual."""


def check_level(level: float | Fraction, name: str = "level") -> None:
    """Raise `UsageError` for a level that is no percentage, as a share is none.

    Parameters
    ----------
    level
        What was given.
    name
        What it was given to: a parameter, or an option with its dashes.
    """
    if not isinstance(level, Real) or isinstance(level, bool):
        raise UsageError(f"{name} {level!r}: expected a number, a percentage such as {USUAL}")
    if 1 <= level < 100:
        return
    found = f"{name} {float(level):g}: a level is a percentage"
    if 0 < level < 1:  # a share, most likely
        per_cent = float(100 * level)
        raise UsageError(f"{found}: {per_cent if per_cent >= 1 else USUAL:g}")
    raise UsageError(f"{found} from 1 to below 100, such as {USUAL}")


def share_of(level: float | Fraction) -> Fraction:
    """Return the share, in 0..1, that a percentage is, exactly as it is written."""
    from fractions import Fraction  # slow to import, and `check` needs none

    return (level if isinstance(level, Fraction) else Fraction(str(level))) / 100
