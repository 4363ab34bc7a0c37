"""The tables of policies and campaigns in the documentation."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from ave_score.core.judgements import LETTERS, RIGHT, WRONG, Answering, Meaning
from ave_score.core.model import Label
from ave_score.core.policies import Policies
from ave_score.core.policy import Policy

_BLOCK = re.compile(r"<!-- (\w+) -->\n.*?<!-- end -->", re.S)


def with_tables(page: str) -> str:
    """Return a page with its tables as the records are now."""
    return _BLOCK.sub(
        lambda block: f"<!-- {block[1]} -->\n{_TABLES[block[1]]()}\n<!-- end -->", page
    )


def _letters() -> str:
    """Return what every judgement means in every campaign."""
    tables = [letters.table for letters in LETTERS.values()]
    letters = dict.fromkeys(letter for table in tables for letter in table if letter)
    rows = [
        [letter or "(empty)", *(_means(table.get(letter)) for table in tables)]
        for letter in [*letters, ""]
    ]
    sources = "; ".join(dict.fromkeys(named.source for named in LETTERS.values()))
    heads = ["judgement", *map(_code, LETTERS)]
    return "\n".join([*_table(heads, rows), "", f"Sources: {sources}."])


def _means(meaning: Meaning | None) -> str:
    """Return what assessors call a judgement, and what it counts as where that says more."""
    if meaning is None:
        return ""
    if meaning.answering is Answering.UNANSWERED:
        return meaning.word
    counts_as = {Label.VALIDATED: RIGHT.word, Label.REJECTED: WRONG.word}
    effect = counts_as.get(meaning.label, "UNKNOWN, not correct")
    return effect if effect == meaning.word else f"{meaning.word}: {effect}"


def _policies() -> str:
    """Return what can be chosen, the default, and where each choice is shown."""
    rows = [
        [
            _code(name),
            _choices(policy),
            "none" if policy.default is None else _code(str(policy.default)),
            ", ".join(_code(f"--{option.name}") for option in policy.options),
            "no" if policy.setting is None else _code(name),
            "of measures of rankings"
            if policy.only_rankings
            else "where chosen"
            if policy.default is None or policy.only_chosen
            else "always",
        ]
        for name, policy in Policies.records().items()
    ]
    heads = ["policy", "choices", "default", "options", "campaign file", "in the signature"]
    return "\n".join(_table(heads, rows))


def _choices(policy: Policy[object]) -> str:
    """Return the choices with their effects; for a typed value, the help of its options."""
    if policy.choices:
        effects = [f"{_code(name)}: {choice.help}" for name, choice in policy.choices.items()]
        return f"{policy.with_choices(policy.help)} {'; '.join(effects)}"
    return " ".join(option.help for option in policy.options) + "".join(
        f" {_code(key)}: {text}."
        for option in policy.options
        for key, (_, text) in option.keys.items()
    )


def _table(heads: list[str], rows: list[list[str]]) -> list[str]:
    return [f"| {' | '.join(row)} |" for row in [heads, ["---"] * len(heads), *rows]]


def _code(text: str) -> str:
    return f"`{text}`"


_TABLES: Mapping[str, Callable[[], str]] = {
    "campaigns": _letters,
    "policies": _policies,
}
"""Name of a block -> its contents."""
