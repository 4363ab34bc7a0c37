"""A command with its help: usage, text, options under headings, examples."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import Enum
from inspect import cleandoc
from typing import cast

import click

_WIDEST, _NARROWEST = 80, 40
_COLUMN = 24
"""Where the texts of options begin."""

RENAMED = {
    "--baseline": "--against NAME",
    "--campaign": "--letters NAME",
    "--confidence-scorer": "--log confidence=NAME",
    "--correct-scorer": "--log scorer=NAME",
    "--documents": "--limit documents=FILE",
    "--filter": "--log filter=NAME",
    "--groups": "--teams FILE",
    "--max-per-topic": "--limit per-topic=N",
    "--repetitions": "--resamples N",
    "--report": "--format FORMAT",
    "--right-from": "--log right-from=T",
    "--score-scorer": "--log score=NAME,... of check and decide; of a table, --columns score=NAME",
    "--select": "--ignore CODES; check and fix have --select",
    "--sort": "-m MEASURE,...: the first one of a table ranks it",
    "--task": "--log task=NAME,...",
    "--withheld": "--log withheld=REGEX",
}
"""Old name of an option -> what is written today, in the commands that have that option."""

GONE = {
    "--all-bins": ("--unit", "a note names measures with larger differences that are less certain"),
    "--explain": ("--power", "docs/how-to/compare.md says what ranks, groups and p mean"),
    "--figure": ("--sweep", "use --plot TYPE=FILE"),
    "--plot-width": ("--plot", "figures have the width of a page; in Python, plot(width=)"),
    "--stderr": ("--sweep", "use --ci stderr"),
    "--stop-words": ("--unlabelled", "function words are those of the language of a question"),
}
"""Other old name -> an option of the commands that had it, and what is done today."""


def refused_names() -> dict[str, tuple[str, str]]:
    """Return the old names of options, each with an option that tells, and what is told."""
    return {old: (today.split()[0], f"use {today}") for old, today in RENAMED.items()} | GONE


def _show_help(context: click.Context, option: click.Parameter, wanted: bool) -> None:
    if wanted and not context.resilient_parsing:
        click.echo(help_of(context, only_usual=option is _USUAL), color=context.color)
        context.exit()


def _help_option(*names: str, text: str) -> click.Option:
    """Return an option that shows help; click translates its own, which imports `locale`."""
    return click.Option(
        ["_help", *names],
        is_flag=True,
        is_eager=True,
        expose_value=False,
        callback=_show_help,
        help=text,
    )


_HELP = _help_option("-h", "--help", text="Show this message and exit.")
_USUAL = _help_option("-h", text="Show the usual options and exit.")
_ALL = _help_option("--help", text="Show all options and exit.")

MOST_USUAL = 10
"""A command with more options has a help of the usual ones."""


class Section(Enum):
    """The headings of options in a help text; a command fills in what is done."""

    INPUT = "What is {what}"
    COUNTING = "How it is {how}"
    CONTENT = "What is shown"
    OUTPUT = "Where it goes"
    OTHER = "Other"


class WithHelp(click.Command):
    """A command with a help of sections and examples.

    Attributes
    ----------
    examples
        What an example does -> its command line.
    done
        The words of headings: what is done to the files, and how.
    listed
        Heading -> name of a subcommand -> what it does.
    usual
        The names of the options in the short help.
    """

    examples: Mapping[str, str] = {}
    done: Mapping[str, str] = {}
    listed: Mapping[str, Mapping[str, str]] = {}
    usual: Sequence[str] = ()

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the options; an old name is refused with the one of today."""
        try:
            return super().parse_args(ctx, args)
        except click.NoSuchOption as error:
            old, known = error.option_name, {name for param in self.params for name in param.opts}
            beside, today = refused_names().get(old, ("", ""))
            if beside in known:
                raise click.UsageError(f"{old}: {today}", ctx) from None
            raise

    def get_help(self, ctx: click.Context) -> str:
        """Return the help text."""
        return help_of(ctx)

    def options_by_section(
        self, context: click.Context, *, only_usual: bool = False
    ) -> dict[Section, list[click.Option]]:
        """Return the options of each section that has any, in the order of the sections."""
        options: dict[Section, list[click.Option]] = {section: [] for section in Section}
        for option in self.get_params(context):
            is_shown = not only_usual or option.name in ("_help", *self.usual)
            if isinstance(option, click.Option) and not option.hidden and is_shown:
                options[getattr(option, "section", Section.OTHER)].append(option)
        return {section: of_section for section, of_section in options.items() if of_section}

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:  # noqa: ARG002
        """Return the parameters; the last ones show help."""
        shown = [
            param for param in self.params if isinstance(param, click.Option) and not param.hidden
        ]
        return [*self.params, *([_USUAL, _ALL] if len(shown) > MOST_USUAL else [_HELP])]

    def get_help_option(self, ctx: click.Context) -> click.Option:  # noqa: ARG002 - click's name
        """Return an option, which click only asks whether there is any."""
        return _HELP


class HelpGroup(WithHelp, click.Group):
    """A command with subcommands."""

    def add(self, commands: Mapping[click.Command, str]) -> None:
        """Add subcommands, with what each does."""
        self.listed = {"Commands": {str(one.name): what for one, what in commands.items()}}
        for command in commands:
            self.add_command(command)


# --- the text ------------------------------------------------------------------------------------


def help_of(context: click.Context, *, only_usual: bool = False) -> str:
    """Return the help of a command for the width of the terminal, with all options or the usual."""
    import shutil  # slow to import, as `textwrap`

    command = cast("WithHelp", context.command)
    width = max(min(shutil.get_terminal_size().columns, _WIDEST), _NARROWEST) - 1
    usage = ["Usage:", context.command_path, *command.collect_usage_pieces(context)]
    paragraphs = cleandoc(command.help or "").split("\n\n")
    parts = ["\n".join(_lines(" ".join(usage), width, 0, 2))]
    parts += ["\n".join(_lines(text, width, 2)) for text in paragraphs]
    sections = command.options_by_section(context, only_usual=only_usual)
    for section, options in sections.items():
        heading = "Options" if len(sections) == 1 else section.value.format(**command.done)
        pairs = [pair for option in options for pair in _explained(option, context)]
        parts.append(_definitions(heading, pairs, width))
    column = max((len(name) for group in command.listed.values() for name in group), default=0) + 4
    for heading, group in command.listed.items():
        parts.append(_definitions(heading, group.items(), width, column))
    if command.examples:
        parts.append(_examples(command, width))
    return "\n\n".join(parts)


def _explained(option: click.Option, context: click.Context) -> Iterator[tuple[str, str]]:
    """Yield an option and its text, then the keys of its value with theirs."""
    yield _declared(option, context), _text_of(option)
    for key, text in getattr(option, "keys", {}).items():
        yield f"    {key}", text


def _declared(option: click.Option, context: click.Context) -> str:
    """Return the names of an option, and what its value is."""
    names = ", ".join(sorted(option.opts, key=len))
    value = "" if option.is_flag else f" {option.make_metavar(context)}"
    return names + value


def _text_of(option: click.Option) -> str:
    """Return the help of an option with the limits of its value and its default."""
    text, limits = option.help or "", _limits(option.type)
    if limits:
        text = f"{text.removesuffix('.')}, {limits}."
    if isinstance(option.show_default, str):
        text += f" Default: {option.show_default}."
    elif option.show_default:
        text += f" Default: {_number(option.default)}."
    return text.strip()


def _limits(kind: object) -> str:
    """Return the limits of a number in words; numbers are positive anyway."""
    if not isinstance(kind, click.IntRange | click.FloatRange) or kind.max is None or kind.max_open:
        return ""
    high = _number(kind.max)
    if kind.min is None:
        return f"at most {high}"
    return f"{_number(kind.min)} to {high}"


def _number(value: object) -> str:
    return f"{value:,}" if isinstance(value, int | float) else str(value)


def _definitions(
    heading: str, pairs: Iterable[tuple[str, str]], width: int, column: int = _COLUMN
) -> str:
    """Return names with their texts beside them, or below a long name."""
    lines = [f"{heading}:"]
    for name, text in pairs:
        head = _broken(name, width)
        body = _lines(text, width, column)
        if body and len(head) == 1 and len(head[0]) <= column - 2:
            body[0] = head.pop().ljust(column) + body[0][column:]
        lines += head + body
    return "\n".join(lines)


def _broken(name: str, width: int) -> list[str]:
    """Return the names of an option as lines; the choices [a|b|c] may stand on several.

    A name that begins with blanks stays indented.
    """
    lines = [" ".ljust(len(name) - len(name.lstrip()) + 1)]
    for word in re.findall(r" [^| ]+|[|][^| ]+", f" {name}"):
        if len(lines[-1] + word) < width:
            lines[-1] += word
        else:
            lines[-1] += "|" * word.startswith("|")
            lines.append(" " * 6 + word[1:])
    return lines


def _examples(command: WithHelp, width: int) -> str:
    """Return what each example does, and its command."""
    lines = ["Examples:"]
    for what, example in command.examples.items():
        *first, last = _lines(example, width - 2, 4, 6)
        lines += [*_lines(f"{what}:", width, 2), *(f"{line} \\" for line in first), last]
    return "\n".join(lines)


def _lines(text: str, width: int, first: int, rest: int | None = None) -> list[str]:
    """Return a text as lines with these margins; only blanks are broken at."""
    from textwrap import wrap

    margins = " " * first, " " * (first if rest is None else rest)
    return wrap(
        text,
        width,
        initial_indent=margins[0],
        subsequent_indent=margins[1],
        break_on_hyphens=False,
        break_long_words=False,
    )
