"""What the columns and words of files mean, where users say it."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain
from typing import Any, NamedTuple

from ave_score.core.choice import EVERYTHING, Choice, signed_pairs
from ave_score.core.errors import UsageError, check_type
from ave_score.core.judgements import ALL_LETTERS
from ave_score.core.kinds import COLUMNS
from ave_score.core.labels import MEANINGS, PAIR_VERDICTS, PAIR_WORDS
from ave_score.core.text import did_you_mean, nearest


class Naming(NamedTuple):
    """What the columns and words of a table mean, where they are not the usual ones.

    Attributes
    ----------
    names
        Column -> its name in the file: `{"q_id": "problem"}`. A file without this name may have the
        usual one.
    values
        Word -> the verdict, label or letter of judgement that it means: `{"true": "VALIDATED"}`.
    choice
        The scorers of a log, or columns of a table, whose numbers rank the answers in `check`.
    is_decided
        Whether a threshold decides on answers, so that runs need only confidences.
    leaves_open
        Whether a pair needs no verdict beside its confidence, because 0.5 is an open decision.
    """

    names: Mapping[str, str] = {}
    values: Mapping[str, str] = {}
    choice: Choice = EVERYTHING
    is_decided: bool = False
    leaves_open: bool = False

    @classmethod
    def of(cls, given: Mapping[str, Any], *, is_decided: bool = False) -> Naming:
        """Return what keywords, or settings of a campaign file, say of columns and words."""
        return cls(given.get("columns") or {}, given.get("values") or {}, is_decided=is_decided)

    @property
    def settled(self) -> Naming:
        """The names and words, in which YES and NO, which are said of pairs, are as any verdict."""
        if not PAIR_VERDICTS.keys().isdisjoint(self.values.values()):
            usual = {said: word for word, said in PAIR_WORDS.items()}
            return self._replace(
                values={one: usual.get(value, value) for one, value in self.values.items()}
            )
        return self

    @property
    def signed(self) -> dict[str, str]:
        """What signatures say of names and words that are not the usual ones, by part."""
        parts = {"columns": self.names, "values": self.settled.values}
        changed = {
            part: {one: other for one, other in pairs.items() if one != other}
            for part, pairs in parts.items()
        }
        return {part: signed_pairs(pairs) for part, pairs in changed.items() if pairs}

    @property
    def options(self) -> list[str]:
        """The options by which a command reads files so, each followed by its value."""
        return [word for name, value in self.signed.items() for word in (f"--{name}", value)]

    def check(self) -> None:
        """Raise `UsageError` for an unknown column or value, no text, or a name of two columns."""
        check_type(self.names, Mapping)
        check_type(self.values, Mapping)
        pairs = (*self.names.items(), *self.values.items())
        for name in chain.from_iterable(pairs):
            if not isinstance(name, str):
                example = repr(str(name).lower())
                raise UsageError(f"found {name!r} as a name or a word, expected a text: {example}")
        meanings = MEANINGS | ALL_LETTERS | PAIR_VERDICTS.keys()
        for known, words in ((COLUMNS, [*self.names]), (meanings, [*self.values.values()])):
            for word in words:
                if word not in known:
                    what = "column" if known is COLUMNS else "value"
                    hint = did_you_mean(nearest(word, known))
                    raise UsageError(
                        f"unknown {what} {word!r}, expected one of {', '.join(sorted(known))}{hint}"
                    )
        # a collection has labels and a run verdicts, perhaps by the same name
        named = {field: name for field, name in self.names.items() if field != "label"}
        names = [*named.values()]
        twice = next((name for name in names if names.count(name) > 1), None)
        if twice is not None:
            both = " and ".join(field for field, name in named.items() if name == twice)
            raise UsageError(f"{twice!r} cannot be both {both}")
