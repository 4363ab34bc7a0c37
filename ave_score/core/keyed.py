"""Options of the form KEY=VALUE, which may be repeated."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from ave_score.core.errors import UsageError
from ave_score.core.text import did_you_mean, nearest

Keys = Mapping[str, tuple[str, str]]
"""Key -> what its value is, and its help."""


def keyed(
    option: str, texts: Iterable[str], keys: Keys, repeated: Collection[str] = ()
) -> list[tuple[str, str]]:
    """Return the keys and values of what an option was given; only `repeated` keys several times.

    Raises `UsageError` for texts that are none, for other keys and for those without a value.
    """
    pairs: list[tuple[str, str]] = []
    for text in texts:
        key, separator, value = text.partition("=")
        key = key.strip()
        if not separator:
            known = ", ".join(keys)
            raise UsageError(f"{option}: found {text!r}, expected KEY=VALUE, KEY one of {known}")
        if key not in keys:
            hint = did_you_mean(nearest(key, keys))
            raise UsageError(f"{option} has no key {key!r}, only {', '.join(keys)}{hint}")
        if not value.strip():
            raise UsageError(f"{option}: found {text!r}, expected {key}={keys[key][0]}")
        if key not in repeated and any(key == known for known, _ in pairs):
            raise UsageError(f"{option} contains {key} twice")
        pairs.append((key, value))
    return pairs
