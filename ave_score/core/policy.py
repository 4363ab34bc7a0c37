"""The record of a policy: choices, default, help, options of the command line."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar, cast, overload

from ave_score.core.errors import UsageError
from ave_score.core.text import did_you_mean, nearest

if TYPE_CHECKING:
    from typing import Protocol

    class PolicyValue(Protocol):
        """A choice with a description."""

        help: str

    class HasChoices(Protocol):
        """Policies: what is chosen of each, by name."""

        _choices: dict[str, object]


Value = TypeVar("Value")


class Option(NamedTuple):
    """A command-line option, independent of the parser library."""

    name: str  # without leading dashes
    help: str
    default: str | float | None = None  # None is not shown
    metavar: str | None = None
    choices: tuple[str, ...] = ()
    number: type[int] | type[float] | None = None  # `low` and `high` limit an int
    low: int | None = None
    high: int | None = None
    keys: Mapping[str, tuple[str, str]] = {}  # of KEY=VALUE, repeated: what VALUE is, and its help
    suggests: bool = False  # the policy refuses unknown choices, with a suggestion

    @property
    def key(self) -> str:
        """The name of the option as a function argument."""
        return self.name.replace("-", "_")


def one_of(names: Mapping[str, object]) -> str:
    """Return `a, b or c`."""
    *others, last = names
    return f"{', '.join(others)} or {last}"


@dataclass(kw_only=True, eq=False, repr=False)
class Policy(Generic[Value]):
    """The record of a policy, and the descriptor in `Policies` that returns its value.

    `{choices}` in a text stands for the choices; a policy without choices has a typed value.
    """

    default: Value
    help: str = ""  # of the option
    choices: Mapping[str, PolicyValue] = field(default_factory=dict)
    refusal: str = "no choice {found!r}, only {known}"
    suggests: bool = False  # suggest the nearest choice for an unknown one
    setting: str | None = None  # comment in a new campaign file; None: not a setting
    example: str = ""  # of a typed value there
    only_rankings: bool = False  # in the signature only with ranking measures
    only_chosen: bool = False  # in the signature only if it is not the default
    may_refuse: bool = True  # whether files may be refused because of it
    check_value: Callable[[Value], object] | None = None  # of a typed value that is not None
    own_options: tuple[Option, ...] = ()  # for a typed value
    of_options: Callable[..., Value] | None = None  # from the values of `own_options`
    name: str = ""  # set from the attribute

    def __set_name__(self, owner: type[HasChoices], name: str) -> None:
        self.name = name

    @overload
    def __get__(self, policies: None, owner: type[HasChoices]) -> Policy[Value]: ...
    @overload
    def __get__(self, policies: HasChoices, owner: type[HasChoices]) -> Value: ...
    def __get__(
        self, policies: HasChoices | None, owner: type[HasChoices]
    ) -> Value | Policy[Value]:
        """Return the value; from the class, the record."""
        if policies is None:
            return self
        return cast("Value", policies._choices[self.name])  # checked by Policies()

    def with_choices(self, text: str) -> str:
        """Return a text with the choices inserted."""
        return text.format(choices=one_of(self.choices)) if self.choices else text

    def check(self, value: Value) -> None:
        """Raise `UsageError` for an invalid value."""
        if self.choices and not (isinstance(value, str) and value in self.choices):
            known = ", ".join(self.choices)
            hint = did_you_mean(nearest(str(value), self.choices)) if self.suggests else ""
            raise UsageError(self.refusal.format(found=value, known=known) + hint)
        if self.check_value is not None and value is not None:
            self.check_value(value)

    @property
    def options(self) -> tuple[Option, ...]:
        """The command-line options that set the policy."""
        if self.own_options:
            return self.own_options
        help_text = self.with_choices(self.help)
        made = Option(self.name, help_text, str(self.default), choices=tuple(self.choices))
        return (made._replace(suggests=self.suggests),)

    def from_options(self, chosen: Mapping[str, object]) -> Value:
        """Return the value set by options, given by key; raises `UsageError` if invalid."""
        values = [chosen[option.key] for option in self.options]
        if self.of_options is not None:
            return self.of_options(*values)
        return cast("Value", values[0])
