"""Command-line options, declared once as typed attributes.

    class FixOptions(Options):
        run: str = argument(type=FILE)
        diff: bool = flag(Section.OUTPUT, help="Show the changes.")


    @command("fix", FixOptions, examples={"Show the changes": "ave-score fix run.txt --diff"})
    def fix_command(options: FixOptions) -> int:
        ...  # the docstring is the help text

Shared options are declared here. `--help` lists options by section, in attribute order.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, TypedDict, TypeVar, Unpack

import click

from ave_score.commands import Section, WithHelp
from ave_score.commands.types import FILE, MEASURES, Listed
from ave_score.core.errors import UsageError
from ave_score.reports.formats import FORMATS, of_any_report

if TYPE_CHECKING:
    from ave_score.commands.types import Completion
    from ave_score.core.policies import Policies
    from ave_score.core.policy import Option, Policy
    from ave_score.files.source import Naming
    from ave_score.inference.units import Gold

    class _Settings(TypedDict, total=False):
        """Settings of a click argument or option."""

        metavar: str | None
        type: object
        default: object
        nargs: int
        multiple: bool
        is_flag: bool
        envvar: str
        show_default: bool | str
        shell_complete: Completion
        hidden: bool
        callback: Callable[[click.Context, click.Parameter, object], object]
        help: str


class _Option(click.Option):
    """An option with the section of the help that it belongs to."""

    def __init__(self, names: Sequence[str], section: Section, **settings: Any) -> None:  # noqa: ANN401
        super().__init__(names, **settings)
        self.section = section


class _Declaration(NamedTuple):
    """An argument or option; the attribute provides the name."""

    make: Callable[..., click.Parameter]
    short: tuple[str, ...]
    settings: _Settings

    def parameters(self, name: str) -> list[click.Parameter]:
        """Return the parameter of an attribute; `per_question` becomes `--per-question`."""
        long = [] if self.make is click.Argument else [f"--{name.replace('_', '-')}"]
        return [self.make([name, *long, *self.short], **self.settings)]


class _PolicyOptions(NamedTuple):
    """The options of policies; the attribute holds the resulting `Policies`."""

    names: tuple[str, ...]
    helps: Mapping[str, str]
    defaults: Mapping[str, float] = {}

    @property
    def records(self) -> dict[str, Policy[object]]:
        from ave_score.core.policies import Policies  # not on the way to `ave-score --help`

        records = Policies.records()
        return {name: records[name] for name in self.names or records}

    def parameters(self, _: str) -> list[click.Parameter]:
        """Return the parameters of all these policies."""
        return [
            _of_record(
                option._replace(default=self.defaults.get(option.name, option.default)),
                self.helps.get(option.key, option.help),
            )
            for policy in self.records.values()
            for option in policy.options
        ]

    def chosen(self, given: dict[str, object]) -> Policies:
        """Return the chosen policies, and remove their options from `given`."""
        from ave_score.core.policies import Policies

        made = {name: policy.from_options(given) for name, policy in self.records.items()}
        for policy in self.records.values():
            for option in policy.options:
                del given[option.key]
        return Policies(**made)


def _of_record(option: Option, help_text: str) -> click.Option:
    """Return the click option of a policy option."""
    kind: object = option.number
    if option.choices:
        kind = Listed(option.choices) if option.suggests else click.Choice(option.choices)
    elif option.low is not None:
        kind = click.IntRange(option.low, option.high)
    settings: _Settings = {
        "type": kind,
        "default": option.default,
        "show_default": option.default is not None,
        "metavar": option.metavar,
        "help": help_text,
    }
    return _Option([option.key, f"--{option.name}"], Section.COUNTING, **settings)


def option(section: Section, *short: str, **settings: Unpack[_Settings]) -> Any:  # noqa: ANN401
    """Declare an option, optionally with a short name; the attribute provides the long name.

    A default is shown if `show_default` is true, or in other words if it is a text.
    """
    return _Declaration(partial(_Option, section=section), short, settings)


def flag(section: Section, *short: str, **settings: Unpack[_Settings]) -> Any:  # noqa: ANN401
    """Declare an option without a value."""
    return option(section, *short, **settings | {"is_flag": True})


def file_option(section: Section, *short: str, **settings: Unpack[_Settings]) -> Any:  # noqa: ANN401
    """Declare the option of a file."""
    made: _Settings = {"metavar": "FILE", "type": FILE}
    return option(section, *short, **made | settings)


class _List(_Option):
    """An option with a list; lists of several such options are joined."""

    def process_value(self, ctx: click.Context, value: object) -> str | None:
        """Return the joined lists, or None."""
        lists = super().process_value(ctx, value)
        return ",".join(lists) if lists else None


def measures(help_text: str, default: str) -> Any:  # noqa: ANN401 - as the attribute says
    """Declare the option of a list of measures, which may be given several times."""
    settings: _Settings = {
        "metavar": "LIST",
        "multiple": True,
        "show_default": default,
        "shell_complete": MEASURES,
        "help": help_text,
    }
    return _Declaration(partial(_List, section=Section.CONTENT), ("-m",), settings)


def argument(**settings: Unpack[_Settings]) -> Any:  # noqa: ANN401 - as the attribute says
    """Declare an argument; the attribute provides the name."""
    return _Declaration(click.Argument, (), settings)


def policies(
    *names: str, defaults: Mapping[str, float] = MappingProxyType({}), **helps: str
) -> Any:  # noqa: ANN401 - as the attribute says
    """Declare the options of the named policies, or of all.

    `defaults` has other defaults of options, `helps` their other help texts.
    """
    return _PolicyOptions(names, helps, defaults)


class Options:
    """Base class for the arguments and options of a command, declared as typed attributes."""

    command_name: str

    def __init__(self, **given: object) -> None:
        for name, declared in self._declared().items():
            if isinstance(declared, _PolicyOptions):
                given[name] = declared.chosen(given)
        vars(self).update(given)

    @classmethod
    def _declared(cls) -> dict[str, _Declaration | _PolicyOptions]:
        """Return the declarations by attribute, base classes first and those of tables last.

        A class leaves an option of its base class out by giving the attribute a value.
        """
        bases = [base for base in reversed(cls.__mro__) if base is not TableOptions]
        names = dict.fromkeys(
            name for base in (*bases, TableOptions) if base in cls.__mro__ for name in vars(base)
        )
        found = ((name, getattr(cls, name)) for name in names)
        kinds = _Declaration | _PolicyOptions
        return {name: declared for name, declared in found if isinstance(declared, kinds)}

    @classmethod
    def parameters(cls) -> list[click.Parameter]:
        """Return the click parameters, base classes first."""
        return [
            parameter
            for name, declared in cls._declared().items()
            for parameter in declared.parameters(name)
        ]

    def given(self, *names: str) -> list[str]:
        """Return which of these options (without defaults) were given, e.g. `--per-question`."""
        return [f"--{name.replace('_', '-')}" for name in names if getattr(self, name) is not None]


class _Command(WithHelp):
    """Creates its parameters on first use: `ave-score --help` needs none."""

    _made: list[click.Parameter]

    def __init__(
        self, name: str, options: type[Options], callback: Callable[..., int | None]
    ) -> None:
        self._options = options
        super().__init__(name, callback=callback)

    @property
    def params(self) -> list[click.Parameter]:
        """The click parameters."""
        if not self._made:
            self._made = self._options.parameters()
        return self._made

    @params.setter
    def params(self, made: list[click.Parameter]) -> None:
        self._made = made


Given = TypeVar("Given", bound=Options)


def command(
    name: str,
    options: type[Given],
    *,
    examples: Mapping[str, str],
    what: str = "scored",
    how: str = "counted",
) -> Callable[[Callable[[Given], int | None]], click.Command]:
    """Turn a function of its options into a command; the docstring is the help text.

    `examples` is as in `WithHelp`; `what` is done to the files, and `how` is for the next heading.
    """

    def declared(function: Callable[[Given], int | None]) -> click.Command:
        options.command_name = name
        made = _Command(name, options, lambda **given: function(options(**given)))
        made.help = function.__doc__
        made.examples, made.done = examples, {"what": what, "how": how}
        return made

    return declared


def columns(example: str) -> Any:  # noqa: ANN401 - as the attribute says
    """Declare the option of the names of columns."""
    text = f"Names of columns or keys in the files, e.g. {example}."
    return option(Section.INPUT, metavar="NAMES", help=text)


class TableOptions(Options):
    """The options of commands that read tables: the names of their columns and words."""

    columns: str | None = columns("q_id=id,a_id=cand,confidence=score")
    values: str | None = option(
        Section.INPUT,
        metavar="WORDS",
        help="Words that mean a verdict or a label, e.g. true=VALIDATED,false=REJECTED.",
    )

    @cached_property
    def naming(self) -> Naming:
        """The names and words; raises `UsageError` for invalid ones."""
        from ave_score.files.source import Naming

        naming = Naming(_pairs("columns", self.columns), _pairs("values", self.values))
        naming.check()
        return naming


class RunsOptions(TableOptions):
    """The options of commands about runs and what these are scored against."""

    collection: str
    runs: tuple[str, ...]
    key: str | None
    policies: Policies
    output: str
    least_runs = 1

    @property
    def written(self) -> dict[str, str | None]:
        """Option -> the path of what is written."""
        return {"--output": self.output}

    def refuse_for_answer_sets(self, *names: str) -> None:
        """Raise `UsageError` for options and policies that answer sets do not have."""
        default = type(self.policies)()._asdict()
        given = self.policies._replace(intervals=None)._asdict().items()
        named = self.given(*(name for name in names if hasattr(self, name)))
        named += [f"--{name}" for name, value in given if value != default[name]]
        if named:
            raise UsageError(f"{', '.join(named)}: not available for answer sets")

    def check_gold(self, gold: Gold) -> None:
        """Raise `UsageError` for options that do not apply to what runs are scored against."""


def _pairs(option_name: str, given: str | None) -> dict[str, str]:
    """Return the pairs of an option: `q_id=id,a_id=cand`."""
    pairs: dict[str, str] = {}
    example = {"columns": "field=name, e.g. q_id=problem", "values": "word=VALIDATED"}
    for part in [] if given is None else given.split(","):
        name, separator, value = (piece.strip() for piece in part.partition("="))
        if not separator or not name or not value:
            expected = example[option_name]
            raise UsageError(f"--{option_name}: found {part!r}, expected {expected}")
        if name in pairs:
            raise UsageError(f"--{option_name} contains {name} twice")
        pairs[name] = value
    return pairs


OUTPUT = file_option(Section.OUTPUT, "-o", default="-", help="Write to FILE, not stdout.")


def _format(choices: Sequence[str], more: str = "") -> Any:  # noqa: ANN401 - as the attribute says
    text = f"Output format.{more}"
    kind = click.Choice(choices)
    return option(Section.OUTPUT, "-f", type=kind, default="table", show_default=True, help=text)


FORMAT = _format(of_any_report())

SCORES_FORMAT = _format(
    [*FORMATS], " value: only the numbers, one per line. trec: as trec_eval prints them."
)


def digits(shown: int | str, of: str = "") -> Any:  # noqa: ANN401 - as the attribute says
    """Declare the option of decimals; its default is a number, or said in words."""
    settings: _Settings = {"metavar": "N", "show_default": True, "help": f"Decimals{of}."}
    settings |= {"show_default": shown} if isinstance(shown, str) else {"default": shown}
    return option(Section.CONTENT, **settings | {"type": click.IntRange(0, 12)})


DIGITS = digits("2; csv is not rounded")

JOBS = option(
    Section.OTHER,
    type=click.IntRange(1),
    metavar="N",
    show_default="one for each core",
    help="Largest number of processes that compare runs.",
)


def _without_effect(_: click.Context, option: click.Parameter, value: object) -> None:
    """Say that an option of earlier versions does nothing, if it is given."""
    if value is not None:
        click.echo(f"ave-score: {option.opts[0]} is deprecated and has no effect", err=True)


NO_JOBS = option(
    Section.OTHER, metavar="N", type=click.IntRange(1), hidden=True, callback=_without_effect
)

KEY = file_option(Section.INPUT, help="Gold labels for an unlabelled COLLECTION.")

QA = file_option(Section.INPUT, help="Judged QA systems to rank with the runs (a table).")

GROUPS = file_option(Section.INPUT, help="Groups and their runs (TSV).")

PLOT = file_option(
    Section.OUTPUT, help="Also draw a figure to FILE (.svg, .png or .pdf). Needs matplotlib."
)

PLOT_WIDTH = option(
    Section.OUTPUT,
    metavar="INCHES",
    type=click.FloatRange(3, 20),
    show_default="6.3; 3.3 fits one paper column",
    help="Width of the figure.",
)

SEED = option(
    Section.COUNTING,
    metavar="N",
    type=click.IntRange(0),
    default=0,
    show_default=True,
    help="Seed of the random samples.",
)


def parts(section: Section, what: str, column: str) -> Any:  # noqa: ANN401 - as the attribute says
    """Declare the option of a table or an attribute that puts questions into parts."""
    text = (
        f"{what}: a table of q_id and {column} (TSV), or an attribute of questions in COLLECTION."
    )
    return file_option(section, metavar="FILE|ATTRIBUTE", help=text)


CLUSTER = parts(
    Section.COUNTING, "Sample questions of one passage, topic or document together", "cluster"
)


def check_cluster(cluster: str | None, policies: Policies) -> None:
    """Raise `UsageError` for clusters without intervals, before any file is read."""
    if cluster is not None and policies.intervals is None:
        raise UsageError("--cluster samples questions together for intervals: give --ci, too")
