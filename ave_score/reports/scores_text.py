"""The scores of one run as a flat JSON object of finite numbers, as platforms read it."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from fractions import Fraction

from ave_score.core.errors import UsageError
from ave_score.core.exact import fixed
from ave_score.core.text import quantity
from ave_score.reports.report import Report, values_of
from ave_score.reports.style import TextStyle

Numbers = dict[str, float]
"""Key of a measure, in letters, digits and `_` -> its value."""


def render(report: Report, _style: TextStyle) -> str:
    """Return the values of the only run, without those that are undefined."""
    values = values_of(report, "scores")
    if len(values.runs) != 1:
        found = quantity(len(values.runs), "run")
        raise UsageError(f"format scores: an object has the scores of one run, not of {found}")
    return text_of(numbers(values.runs[0].values, values.digits))


def score_key(key: str) -> str:
    """Return the key of a measure in letters, digits and `_`: `f_beta_0_5`, `ndcg_5`."""
    return re.sub("[^A-Za-z0-9]+", "_", key).strip("_")


def numbers(values: Mapping[str, Fraction | None], digits: int | None = None) -> Numbers:
    """Return the values that are defined, unrounded if `digits` is None."""
    return {
        score_key(key): float(value if digits is None else fixed(value, digits))
        for key, value in values.items()
        if value is not None
    }


def text_of(scores: Numbers) -> str:
    """Return scores as JSON."""
    return json.dumps(scores, allow_nan=False) + "\n"
