"""Tests; those that draw examples draw more of them where thoroughness is asked for."""

import os

THOROUGH = os.environ.get("AVE_SCORE_TESTS") == "thorough"
"""Whether time is no matter: so it is in `.ci/run`."""


def examples(number: int) -> int:
    """Return how many examples to draw of those that thoroughness would."""
    return number if THOROUGH else max(10, number // 6)
