"""Options are declared once: as typed attributes, which the command line is made from.

    class FixOptions(Options):
        run: str = argument(type=FILE)
        collection: str | None = option(metavar="FILE", type=FILE, help="What RUN is about.")


    @command("fix", FixOptions, short_help="Fix a run.")
    def fix_command(options: FixOptions) -> int:
        ...  # the docstring is the help of the command

What several commands share is declared here; `--help` lists options in the order of the attributes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, TypedDict, TypeVar, Unpack

import click

from ave_score.reports.formats import FORMATS

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from ave_score.policies import Option, Policies, Policy


class _Settings(TypedDict, total=False):
    """What click is told of an argument or an option."""

    metavar: str
    type: object
    default: object
    nargs: int
    is_flag: bool
    envvar: str
    show_default: bool
    help: str


class _CommandSettings(TypedDict):
    """What click is told of a command."""

    callback: Callable[..., int | None]
    help: str | None
    short_help: str
    epilog: str | None


class _Declaration(NamedTuple):
    """An argument or an option without its name, which is that of the attribute it stands at."""

    make: Callable[..., click.Parameter]
    short: tuple[str, ...]
    settings: _Settings

    def parameters(self, name: str) -> list[click.Parameter]:
        """Return the parameter of an attribute: `per_question` is `--per-question`."""
        long = [f"--{name.replace('_', '-')}"] if self.make is click.Option else []
        return [self.make([name, *long, *self.short], **self.settings)]


class _PolicyOptions(NamedTuple):
    """The options of policies; the attribute holds everything that they choose."""

    names: tuple[str, ...]
    helps: Mapping[str, str]

    @property
    def records(self) -> dict[str, Policy[object]]:
        from ave_score.policies import Policies  # not on the way to `ave-score --help`

        records = Policies.records()
        return {name: records[name] for name in self.names or records}

    def parameters(self, _: str) -> list[click.Parameter]:
        """Return the parameters of all these policies."""
        return [
            _of_record(one, self.helps.get(name, one.help))
            for name, policy in self.records.items()
            for one in policy.options
        ]

    def chosen(self, given: dict[str, object]) -> Policies:
        """Return the policies that options choose, and take these away."""
        from ave_score.policies import Policies

        made = {name: policy.from_options(given) for name, policy in self.records.items()}
        for policy in self.records.values():
            for one in policy.options:
                del given[one.key]
        return Policies(**made)


def _of_record(option: Option, help_text: str | None) -> click.Option:
    """Return the parameter of an option that a record describes."""
    kind: object = option.number
    if option.choices:
        kind = click.Choice(option.choices)
    elif option.low is not None:
        kind = click.IntRange(option.low, option.high)
    settings: _Settings = {
        "type": kind,
        "default": option.default,
        "show_default": option.default is not None,
    }
    if option.metavar is not None:
        settings["metavar"] = option.metavar
    if help_text is not None:
        settings["help"] = help_text
    return click.Option([option.key, f"--{option.name}"], **settings)


def option(*short: str, **settings: Unpack[_Settings]) -> Any:  # noqa: ANN401 - as the attribute says
    """Declare an option, perhaps with a short name; it is called like the attribute."""
    return _Declaration(click.Option, short, settings)


def argument(**settings: Unpack[_Settings]) -> Any:  # noqa: ANN401 - as the attribute says
    """Declare an argument; it is called like the attribute."""
    return _Declaration(click.Argument, (), settings)


def policies(*names: str, **helps: str) -> Any:  # noqa: ANN401 - as the attribute says
    """Declare the options of some policies, of all without names; some with another help."""
    return _PolicyOptions(names, helps)


class Options:
    """The arguments and options of one call; a subclass declares them, one a typed attribute."""

    def __init__(self, **given: object) -> None:
        for name, declared in self._declared().items():
            if isinstance(declared, _PolicyOptions):
                given[name] = declared.chosen(given)
        vars(self).update(given)

    @classmethod
    def _declared(cls) -> dict[str, _Declaration | _PolicyOptions]:
        """Return what is declared by its attribute, that of a base class first."""
        return {
            name: declared
            for base in reversed(cls.__mro__)
            for name, declared in vars(base).items()
            if isinstance(declared, _Declaration | _PolicyOptions)
        }

    @classmethod
    def parameters(cls) -> list[click.Parameter]:
        """Return what click reads, those of a base class first."""
        declared = cls._declared().items()
        return [parameter for name, one in declared for parameter in one.parameters(name)]

    def given(self, *names: str) -> list[str]:
        """Return which of some options without a default were given, as they are written."""
        return [f"--{name.replace('_', '-')}" for name in names if getattr(self, name) is not None]


class _Command(click.Command):
    """Makes its parameters when they are wanted: `ave-score --help` wants none."""

    _made: list[click.Parameter]

    def __init__(
        self, name: str, options: type[Options], **settings: Unpack[_CommandSettings]
    ) -> None:
        self._options = options
        super().__init__(name, **settings)

    @property
    def params(self) -> list[click.Parameter]:
        """What click reads."""
        if not self._made:
            self._made = self._options.parameters()
        return self._made

    @params.setter
    def params(self, made: list[click.Parameter]) -> None:
        self._made = made


Given = TypeVar("Given", bound=Options)


def command(
    name: str, options: type[Given], *, short_help: str, epilog: str | None = None
) -> Callable[[Callable[[Given], int | None]], click.Command]:
    """Make a command of a function that takes its options; the docstring is its help."""

    def declared(function: Callable[[Given], int | None]) -> click.Command:
        return _Command(
            name,
            options,
            callback=lambda **given: function(options(**given)),
            help=function.__doc__,
            short_help=short_help,
            epilog=epilog,
        )

    return declared


class _FileName(click.types.StringParamType):
    """The name of a file, taken as it stands; a shell completes it.

    click.Path does as much, and takes a thirtieth of the time of a whole check to be made.
    """

    name = "file"

    def shell_complete(self, *given: object) -> list[CompletionItem]:
        """Return what stands for the files that begin as the last of `given` does."""
        from click.shell_completion import CompletionItem

        return [CompletionItem(given[-1], type="file")]


FILE = _FileName()

OUTPUT = option("-o", default="-", metavar="FILE", type=FILE, help="Write to FILE, not stdout.")

FORMAT = option(
    "-f",
    type=click.Choice(list(FORMATS)),
    default="table",
    show_default=True,
)

KEY = option(metavar="FILE", type=FILE, help="Gold labels of an unlabelled COLLECTION.")

PLOT = option(
    metavar="FILE",
    type=FILE,
    help="Also draw a figure; FILE ends in .svg, .png or .pdf. Needs ave-score[plot].",
)

PLOT_WIDTH = option(
    metavar="INCHES",
    type=click.FloatRange(3, 20),
    help="How wide the figure is, text being of one size. Default: 6.3; a column of a paper: 3.3.",
)
