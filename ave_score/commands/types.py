"""The types of arguments and options, and the names with which a shell completes them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

import click

from ave_score.core.errors import UsageError
from ave_score.core.levels import check_level
from ave_score.core.text import did_you_mean, nearest

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from ave_score.rules import Rule, Told

    Completion = Callable[[click.Context, click.Parameter, str], list[CompletionItem]]


class _FileName(click.types.StringParamType):
    """A file name, with shell completion.

    Replaces click.Path, whose creation takes 3 % of the time of a check.
    """

    name = "file"

    def shell_complete(self, *arguments: object) -> list[CompletionItem]:
        """Return the completion item for files."""
        from click.shell_completion import CompletionItem

        return [CompletionItem(arguments[-1], type="file")]


class _Level(click.types.FloatParamType):
    """A level of confidence or agreement in per cent."""

    def convert(self, value: Any, *place: Any) -> float:  # noqa: ANN401 - as in click
        level: float = super().convert(value, *place)
        check_level(level, place[0].opts[0])
        return level


class _Difference(click.types.FloatParamType):
    """A difference; True if the option is given without one."""

    name = "difference"

    def convert(self, value: Any, *place: Any) -> Any:  # noqa: ANN401 - as in click
        if value is True:
            return value
        try:
            return float(value)
        except ValueError:
            name = place[0].opts[0]
            without = f"to give none, put {name} behind the files or before another option"
            self.fail(f"{value!r} is no number: write {name}=0.05; {without}", *place)


class NumberOr(click.types.StringParamType):
    """A number, or a word in its place."""

    def __init__(self, number: click.types.FloatParamType | click.IntRange, word: str) -> None:
        self.number, self.word = number, word

    def convert(self, value: Any, *place: Any) -> Any:  # noqa: ANN401 - as in click
        """Return the number or the word."""
        if value == self.word:
            return value
        try:
            return self.number.convert(value, *place)
        except click.BadParameter as error:
            self.fail(f"{error.message} It may be {self.word}, too.", *place)

    def shell_complete(self, *arguments: object) -> list[CompletionItem]:
        """Return the word, of which numbers have no beginning."""
        return complete_names([self.word], str(arguments[-1]))


FILE = _FileName()
LEVEL = _Level()
DIFFERENCE = _Difference()


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
    """Return the names of measures, and what they are; `only_swept`: those of --sweep."""
    from ave_score.measures import parse_measures
    from ave_score.measures.names import ALL

    return {
        measure.key: measure.title
        for measure in parse_measures(ALL)
        if measure.family.of_decisions or not only_swept
    }


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


def completion(names: Callable[[], Iterable[str]], *, is_list: bool = False) -> Completion:
    """Return a completion with names; with the last of several, if an option takes a list."""

    def complete(_: click.Context, __: click.Parameter, typed: str) -> list[CompletionItem]:
        before, comma, begun = typed.rpartition(",") if is_list else ("", "", typed)
        return complete_names(names(), begun, before + comma)

    return complete


A_SWEPT_MEASURE = completion(lambda: _measures(only_swept=True))
A_MEASURE_OR_GROUP = completion(_measures_and_groups)
A_RULE = completion(_rules)
MEASURES = completion(_measures_and_groups, is_list=True)
CODES = completion(_codes, is_list=True)


def reported_rules(codes: Mapping[str, str | None], *, with_errors: bool) -> Told:
    """Return which rules --select and --ignore let through; errors always, unless `with_errors`.

    Raises `UsageError` for codes that no rule has.
    """
    from ave_score.rules import QUIET, RULES, Severity

    selected, unknown = _prefixes(codes, "select", RULES)
    ignored, also_unknown = _prefixes(codes, "ignore", RULES)
    if unknown + also_unknown:
        raise UsageError("; ".join(unknown + also_unknown))

    def is_told(rule: Rule) -> bool:
        if not with_errors and rule.severity is Severity.ERROR:
            return True
        is_selected = rule.code.startswith(selected or "AVE")
        is_quiet = not selected and rule in QUIET
        return is_selected and not is_quiet and not rule.code.startswith(ignored)

    return is_told


def _prefixes(
    codes: Mapping[str, str | None], name: str, known: Iterable[str]
) -> tuple[tuple[str, ...], list[str]]:
    """Return the code prefixes of an option, and messages about those that match no rule."""
    text = codes.get(name)
    if text is None:
        return (), []
    prefixes = tuple(part.strip().upper() for part in text.split(",") if part.strip())
    if not prefixes:
        return (), [f"--{name} contains no code"]
    return prefixes, [
        f"--{name}: no rule code starts with {prefix!r}{did_you_mean(nearest(prefix, known))}"
        for prefix in prefixes
        if not any(code.startswith(prefix) for code in known)
    ]
