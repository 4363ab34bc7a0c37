"""The types of arguments and options, and the names with which a shell completes them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    Completion = Callable[[click.Context, click.Parameter, str], list[CompletionItem]]


class _FileName(click.types.StringParamType):
    """A file name, with shell completion.

    Replaces click.Path, whose creation takes 3 % of the time of a check.
    """

    name = "file"

    def shell_complete(self, *given: object) -> list[CompletionItem]:
        """Return the completion item for files."""
        from click.shell_completion import CompletionItem

        return [CompletionItem(given[-1], type="file")]


class _Percentage(click.FloatRange):
    """A percentage between 0 and 100, which NaN is not."""

    def __init__(self) -> None:
        super().__init__(0, 100, min_open=True, max_open=True)

    def convert(self, value: Any, *place: Any) -> float:  # noqa: ANN401 - as in click
        number: float = super().convert(value, *place)
        if not 0 < number < 100:
            self.fail("nan is not between 0 and 100", *place)
        return number


class Listed(click.types.StringParamType):
    """A text for which some names are listed; the command itself refuses others."""

    def __init__(self, names: Sequence[str], metavar: str | None = None) -> None:
        self._names = names
        self._metavar = metavar or f"[{'|'.join(names)}]"

    def get_metavar(self, param: click.Parameter, ctx: click.Context) -> str:  # noqa: ARG002 - click's names
        """Return the names as a choice shows them."""
        return self._metavar

    def shell_complete(self, *given: Any) -> list[CompletionItem]:  # noqa: ANN401 - as in click
        """Return the names that begin with what is typed."""
        return complete_names(self._names, given[-1])


FILE = _FileName()
PERCENTAGE = _Percentage()


def complete_names(names: Iterable[str], begun: str, before: str = "") -> list[CompletionItem]:
    """Return the names that begin with a text in any case; some shells show what they are."""
    from click.shell_completion import CompletionItem

    helps = names if isinstance(names, Mapping) else {}
    return [
        CompletionItem(before + name, help=helps.get(name))
        for name in names
        if name.lower().startswith(begun.lower())
    ]


def _measures(*, only_swept: bool = False) -> dict[str, str]:
    """Return the names of measures, and what they are; `only_swept`: those of --sweep and --by."""
    from ave_score.measures import parse_measures
    from ave_score.measures.names import ALL

    found = (one for one in parse_measures(ALL) if one.family.of_decisions or not only_swept)
    return {one.key: one.title for one in found}


def _measures_and_groups() -> dict[str, str]:
    from ave_score.measures import groups

    return _measures() | {name: f"{len(members)} measures" for name, members in groups().items()}


def _codes() -> dict[str, str]:
    """Return the codes of rules after their prefixes: AVE1, AVE101."""
    from ave_score.rules import RULES

    prefixes = {code[:4]: "rules that begin with it" for code in RULES}
    return prefixes | {code: rule.name for code, rule in RULES.items()}


def _rules() -> dict[str, str]:
    codes = _codes()
    return codes | {name: code for code, name in codes.items() if len(code) > 4}


def _of(names: Callable[[], Mapping[str, str]], *, is_list: bool = False) -> Completion:
    """Return a completion with names; with the last of several, if an option takes a list."""

    def complete(_: click.Context, __: click.Parameter, typed: str) -> list[CompletionItem]:
        before, comma, begun = typed.rpartition(",") if is_list else ("", "", typed)
        return complete_names(names(), begun, before + comma)

    return complete


A_SWEPT_MEASURE = _of(lambda: _measures(only_swept=True))
A_COLUMN = _of(lambda: {"run": "the names of the runs", **_measures()})
A_MEASURE_OR_GROUP = _of(_measures_and_groups)
A_RULE = _of(_rules)
MEASURES = _of(_measures_and_groups, is_list=True)
CODES = _of(_codes, is_list=True)
