"""Data that the script of a page unpacks: parts that are compressed as long as they fit."""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Sequence

_DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"


class Pack:
    """Parts of the data of a page, added in order of importance.

    Attributes
    ----------
    parts
        Name -> JSON, deflated, as base64.
    left_out
        What did not fit, in words.
    """

    def __init__(self, budget: int) -> None:
        self.parts: dict[str, str] = {}
        self.left_out: list[str] = []
        self._budget = budget

    def add(self, name: str, words: str, data: object) -> None:
        """Add a part if the page has room for it."""
        text = json.dumps(data, separators=(",", ":"), allow_nan=False, ensure_ascii=False)
        # lone surrogates were made visible; level 6 takes a third of the time of 9 for 1 % more
        packed = base64.b64encode(zlib.compress(text.encode(), 6)).decode("ascii")
        if len(packed) > self._budget:
            self.left_out.append(words)
        else:
            self._budget -= len(packed)
            self.parts[name] = packed


def in_digits(columns: Sequence[Sequence[str]]) -> dict[str, object]:
    """Return columns of texts that repeat as numbers in a list of all texts.

    Each column is one string for each digit to base 64: digits of one kind compress better.
    """
    numbers: dict[str, int] = {}
    coded = [[numbers.setdefault(text, len(numbers)) for text in column] for column in columns]
    shifts = [6]
    while len(numbers) > 1 << shifts[-1]:
        shifts.append(shifts[-1] + 6)
    digits = [
        ["".join([_DIGITS[number >> shift - 6 & 63] for number in column]) for shift in shifts]
        for column in coded
    ]
    return {"values": [*numbers], "digits": digits}
