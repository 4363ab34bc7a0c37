"""Command-line options, declared once as typed attributes.

    class FixOptions(Options):
        run: str = argument(type=FILE)
        diff: bool = flag(Section.OUTPUT, "Show the changes.")


    @command("fix", FixOptions, examples={"Show the changes": "ave-score fix run.txt --diff"})
    def fix_command(options: FixOptions) -> int:
        ...  # the docstring is the help text

`options` has those that commands share. `--help` lists options by section, in attribute order.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias, TypeVar

import click

from ave_score.commands.help import Section, WithHelp
from ave_score.commands.output_files import check_output_paths
from ave_score.commands.types import FILE, completion
from ave_score.core.errors import UsageError
from ave_score.reports.plots import FIGURES, plot_format

Attribute: TypeAlias = Any
"""A declaration, which stands for a value of the type that its attribute says."""


class SectionOption(click.Option):
    """An option with the section of the help that it belongs to, and what its keys mean.

    A default is shown.
    """

    def __init__(self, names: Sequence[str], section: Section, **settings: Attribute) -> None:
        shown = settings.pop("show_default", "default" in settings)
        self.keys: Mapping[str, str] = settings.pop("keys", {})
        super().__init__(names, show_default=shown, **settings)
        self.section = section


class Declared(NamedTuple):
    """An attribute of `Options`.

    Attributes
    ----------
    parameters
        Name of the attribute -> its arguments and options.
    value
        What several options mean together, by their values; None for the value of a single one.
    """

    parameters: Callable[[str], list[click.Parameter]]
    value: Callable[[Mapping[str, Any]], object] | None = None


def argument(**settings: Attribute) -> Attribute:
    """Declare an argument; the attribute provides the name."""
    return Declared(lambda name: [click.Argument([name], **settings)])


def files(what: str) -> Attribute:
    """Declare the argument of one or more files."""

    def at_least_one(context: click.Context, _: object, paths: tuple[str, ...]) -> tuple[str, ...]:
        if not paths:
            raise click.UsageError(f"no {what} given: {context.command_path} {what}...")
        return paths

    return argument(nargs=-1, metavar=f"{what}...", type=FILE, callback=at_least_one)


def option(
    section: Section, text: str, kind: object = None, *, short: str = "", **settings: Attribute
) -> Attribute:
    """Declare an option; the attribute provides its long name, `--per-question`.

    Parameters
    ----------
    section, text
        Where and what the help says about it.
    kind
        A list of choices, or a type of click; that of integers is shown as N.
    short
        A short name.
    settings
        As in click. `show_default` is a text that stands for the default in the help, or False.
    """
    if isinstance(kind, list | tuple):
        kind = click.Choice(kind)
    elif kind is int or isinstance(kind, click.IntRange):
        settings = {"metavar": "N"} | settings

    def parameters(name: str) -> list[click.Parameter]:
        names = [name, long_name(name), *filter(None, [short])]
        return [SectionOption(names, section, type=kind, help=text, **settings)]

    return Declared(parameters)


def flag(section: Section, text: str, **settings: Attribute) -> Attribute:
    """Declare an option without a value."""
    return option(section, text, is_flag=True, show_default=False, **settings)


def file_option(section: Section, text: str, **settings: Attribute) -> Attribute:
    """Declare the option of a file, which is read unless the section is of output."""
    return option(section, text, FILE, **settings)


def of_keys(keys: Mapping[str, tuple[str, str]]) -> dict[str, Attribute]:
    """Return the settings of a repeated option `KEY=VALUE`; None if it is not given.

    `keys` has what the value of a key is, and its help.
    """
    return {
        "keys": {f"{key}={value}": text for key, (value, text) in keys.items()},
        "multiple": True,
        "callback": lambda _, __, texts: texts or None,
        "shell_complete": completion(lambda: {f"{key}=": text for key, (_, text) in keys.items()}),
    }


class Options:
    """The arguments and options of a command, declared as typed attributes.

    Every option is an attribute, also those that have a value together.
    """

    parameters: Sequence[click.Parameter]

    def __init__(self, values: Mapping[str, object]) -> None:
        vars(self).update(values)
        for name, declared in self.declared().items():
            if declared.value is not None:
                vars(self)[name] = declared.value(values)

    @classmethod
    def declared(cls) -> dict[str, Declared]:
        """Return the declarations by attribute, base classes first, or last those that say so.

        A class leaves an option of its base class out by giving the attribute a value.
        """
        bases = [*reversed(cls.__mro__)]
        bases.sort(key=lambda base: vars(base).get("are_last", False))
        names = [
            name
            for base in bases
            for name, declared in vars(base).items()
            if isinstance(declared, Declared)
        ]
        values = {name: getattr(cls, name) for name in names}
        return {name: value for name, value in values.items() if isinstance(value, Declared)}

    def check(self) -> None:
        """Raise `UsageError` for options that conflict, before any file is read."""

    @property
    def read(self) -> list[str]:
        """The paths of the files that are read."""
        paths: list[str] = []
        for name, is_written in self._files():
            value = getattr(self, name)
            if not is_written and value is not None:
                paths += [value] if isinstance(value, str) else value
        return paths

    @property
    def written(self) -> dict[str, str | None]:
        """Option -> the path of what is written."""
        return {long_name(name): getattr(self, name) for name, written in self._files() if written}

    def _files(self) -> list[tuple[str, bool]]:
        """Return the attributes of files, and whether the file is written."""
        return [
            (str(parameter.name), getattr(parameter, "section", None) is Section.OUTPUT)
            for parameter in self.parameters
            if parameter.type is FILE
        ]

    def given(self, *names: str) -> list[str]:
        """Return which of these options (without defaults) were given, e.g. `--per-question`."""
        return [long_name(name) for name in names if getattr(self, name, None) is not None]

    def refuse(self, name: str, *others: str) -> None:
        """Raise `UsageError` if an option is given beside others that conflict with it."""
        conflicting = self.given(*others)
        if conflicting and getattr(self, name) not in (None, False):
            raise UsageError(f"{long_name(name)} cannot be combined with {', '.join(conflicting)}")


def long_name(name: str) -> str:
    """Return the name of an option as it is typed: `--per-question` of per_question."""
    return f"--{name.replace('_', '-')}"


Declaring = TypeVar("Declaring", bound=Options)


def command(
    name: str,
    options: type[Declaring],
    *,
    examples: Mapping[str, str],
    usual: str = "",
    what: str = "scored",
    how: str = "counted",
) -> Callable[[Callable[[Declaring], int | None]], click.Command]:
    """Turn a function of its options into a command; the docstring is the help text.

    The options are checked before; no output is an input. `examples` is as in `WithHelp`; `usual`
    has the options of the short help, if there are many; `what` is done to the files, and `how` is
    for the next heading.
    """
    options.parameters = [
        parameter
        for attribute, declared in options.declared().items()
        for parameter in declared.parameters(attribute)
    ]

    def declared(function: Callable[[Declaring], int | None]) -> click.Command:
        def call(**values: object) -> int | None:
            made = options(values)
            made.check()
            if path := getattr(made, "plot", None):  # an empty name is refused below
                if path.partition("=")[0] in FIGURES:
                    raise UsageError(f"--plot: only score has types; a file is ./{path}")
                plot_format(path)
            check_output_paths(made.read, made.written)
            return function(made)

        params = [*options.parameters]
        made = WithHelp(name, callback=call, params=params, help=function.__doc__)
        made.examples, made.usual = examples, usual.split()
        made.done = {"what": what, "how": how}
        return made

    return declared
