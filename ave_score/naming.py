"""What runs are called: by their files, as shortly as tells them apart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

Place = tuple[tuple[str, ...], str]
"""The folders that lead to a file, and what it is called in the last of them."""


def shortest_names(places: Sequence[Place]) -> list[str]:
    """Return a name for each file: with as many folders as tell it from the others, `team1/run`.

    Files of one name in one folder are given the same name.

    >>> shortest_names([(("es", "a"), "run"), (("es", "b"), "run"), (("es",), "other")])
    ['a/run', 'b/run', 'other']
    """
    distinct = list(dict.fromkeys(places))
    names = [name for _, name in distinct]
    for level in range(1, 1 + max((len(folders) for folders, _ in distinct), default=0)):
        taken = Counter(names)
        if len(taken) == len(names):
            break
        names = [
            "/".join([*folders[-level:], own]) if taken[name] > 1 else name
            for (folders, own), name in zip(distinct, names, strict=True)
        ]
    named = dict(zip(distinct, names, strict=True))
    return [named[place] for place in places]
