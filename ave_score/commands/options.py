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

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple, TypedDict, TypeVar, Unpack

import click

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem


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


class _Declaration(NamedTuple):
    """An argument or an option without its name, which is that of the attribute it stands at."""

    make: Callable[..., click.Parameter]
    short: tuple[str, ...]
    settings: _Settings

    def named(self, name: str) -> click.Parameter:
        """Return the parameter of an attribute: `per_question` is `--per-question`."""
        long = [f"--{name.replace('_', '-')}"] if self.make is click.Option else []
        return self.make([name, *long, *self.short], **self.settings)


def option(*short: str, **settings: Unpack[_Settings]) -> Any:  # noqa: ANN401 - as the attribute says
    """Declare an option, perhaps with a short name; it is called like the attribute."""
    return _Declaration(click.Option, short, settings)


def argument(**settings: Unpack[_Settings]) -> Any:  # noqa: ANN401 - as the attribute says
    """Declare an argument; it is called like the attribute."""
    return _Declaration(click.Argument, (), settings)


class Options:
    """The arguments and options of one call; a subclass declares them, one a typed attribute."""

    def __init__(self, **given: object) -> None:
        vars(self).update(given)

    @classmethod
    def parameters(cls) -> list[click.Parameter]:
        """Return what click reads, those of a base class first."""
        return [
            declared.named(name)
            for base in reversed(cls.__mro__)
            for name, declared in vars(base).items()
            if isinstance(declared, _Declaration)
        ]

    def given(self, *names: str) -> list[str]:
        """Return which of some options without a default were given, as they are written."""
        return [f"--{name.replace('_', '-')}" for name in names if getattr(self, name) is not None]


Given = TypeVar("Given", bound=Options)


def command(
    name: str, options: type[Given], *, short_help: str, epilog: str | None = None
) -> Callable[[Callable[[Given], int | None]], click.Command]:
    """Make a command of a function that takes its options; the docstring is its help."""

    def declared(function: Callable[[Given], int | None]) -> click.Command:
        return click.Command(
            name,
            callback=lambda **given: function(options(**given)),
            params=options.parameters(),
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

CAMPAIGN = option(
    default="qa-clef",
    show_default=True,
    help="What judgements mean: qa-clef, qa-clef-lenient or respubliqa.",
)

FORMAT = option(
    "-f",
    type=click.Choice(["table", "json", "csv", "markdown", "latex"]),
    default="table",
    show_default=True,
)

output_option = click.option(
    "--output", "-o", default="-", metavar="FILE", type=FILE, help="Write to FILE, not stdout."
)

campaign_option = click.option(
    "--campaign",
    default="qa-clef",
    show_default=True,
    help="What judgements mean: qa-clef, qa-clef-lenient or respubliqa.",
)

format_option = click.option(
    "--format",
    "-f",
    type=click.Choice(["table", "json", "csv", "markdown", "latex"]),
    default="table",
    show_default=True,
)

plot_option = click.option(
    "--plot",
    metavar="FILE",
    type=FILE,
    help="Also draw a figure; FILE ends in .svg, .png or .pdf. Needs ave-score[plot].",
)

plot_width_option = click.option(
    "--plot-width",
    metavar="INCHES",
    type=click.FloatRange(3, 20),
    help="How wide the figure is, text being of one size. Default: 6.3; a column of a paper: 3.3.",
)

key_option = click.option(
    "--key", metavar="FILE", type=FILE, help="Gold labels of an unlabelled COLLECTION."
)

missing_option = click.option(
    "--missing",
    type=click.Choice(["error", "rejected"]),
    default="error",
    show_default=True,
    help="What an answer without a line in a run is.",
)

unknown_option = click.option(
    "--unknown",
    type=click.Choice(["ignore", "incorrect", "correct"]),
    default="ignore",
    show_default=True,
    help="What answers labelled UNKNOWN count as.",
)
