"""Rows of runs from whole columns, which are looked at together."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from ave_score import rules
from ave_score.core.findings import Findings
from ave_score.core.labels import VERDICTS
from ave_score.files.rows import Rows


def rows_in_bulk(
    findings: Findings,
    lines: range,
    q_ids: list[str],
    a_ids: list[str],
    words: list[str],
    numbers: list[str],
) -> Rows | None:
    """Return the rows of columns; None if a verdict or a confidence may be invalid.

    Confidences outside 0..1 are reported, as by `report_outside`.
    """
    confidences = finite_numbers(numbers)
    try:
        verdicts = bytearray(map(VERDICTS.__getitem__, words))
    except (KeyError, TypeError):  # values of JSON may be of any type
        return None
    if not confidences:
        return None
    if min(confidences) < 0.0 or max(confidences) > 1.0:
        outside = [row for row, value in enumerate(confidences) if not 0.0 <= value <= 1.0]
        report_outside(findings, lines, outside, lambda: numbers)
    return Rows(lines, q_ids, a_ids, verdicts, confidences)


def finite_numbers(texts: Sequence[str]) -> list[float] | None:
    """Return texts as numbers; None if any is no finite number."""
    try:
        spelling, numbers = "".join(texts), list(map(float, texts))
    except (ValueError, TypeError):  # values of JSON may be of any type
        return None
    # float() accepts 1_000 and the digits of other scripts, which are not valid here
    is_plain = "_" not in spelling and spelling.isascii() and all(map(math.isfinite, numbers))
    return numbers if is_plain else None


def report_outside(
    findings: Findings,
    lines: Sequence[int],
    outside: Sequence[int],
    numbers: Callable[[], Sequence[str]],
) -> None:
    """Report the first row of a file with a confidence outside 0..1; its columns remain unknown.

    Parameters
    ----------
    findings
        Receives the finding.
    lines
        The number of each line of a block.
    outside
        The positions of the rows in the block.
    numbers
        Returns the confidences of the block as they are in the file.
    """
    if outside and not findings.counts[rules.CONFIDENCE_RANGE]:
        first = outside[0]
        findings.add(rules.CONFIDENCE_RANGE, lines[first], None, "", found=numbers()[first])
