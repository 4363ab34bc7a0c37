"""Command-line options, declared once as typed attributes.

    class FixOptions(Options):
        run: str = argument(type=FILE)
        diff: bool = flag(Section.OUTPUT, "Show the changes.")


    @command("fix", FixOptions, examples={"Show the changes": "ave-score fix run.txt --diff"})
    def fix_command(options: FixOptions) -> int:
        ...  # the docstring is the help text

Shared options are declared here. `--help` lists options by section, in attribute order.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias, TypeVar

import click
from click.core import ParameterSource

from ave_score.commands import Section, WithHelp
from ave_score.commands.output_files import check_figure, check_output_paths
from ave_score.commands.types import CODES, FILE, MEASURES, completion, told_rules
from ave_score.core.errors import UsageError
from ave_score.reports.formats import FORMATS, of_any_report

if TYPE_CHECKING:
    from ave_score.core.policies import Policies
    from ave_score.core.policy import Option
    from ave_score.files.source import Naming
    from ave_score.inference.units import Gold
    from ave_score.rules import Told

Attribute: TypeAlias = Any
"""A declaration, which stands for a value of the type that its attribute says."""


class _Option(click.Option):
    """An option with the section of the help that it belongs to, and what its keys mean.

    A default is shown.
    """

    def __init__(self, names: Sequence[str], section: Section, **settings: Attribute) -> None:
        shown = settings.pop("show_default", "default" in settings)
        self.keys: Mapping[str, str] = settings.pop("keys", {})
        super().__init__(names, show_default=shown, **settings)
        self.section = section


class _Declared(NamedTuple):
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
    return _Declared(lambda name: [click.Argument([name], **settings)])


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
        names = [name, _long(name), *filter(None, [short])]
        return [_Option(names, section, type=kind, help=text, **settings)]

    return _Declared(parameters)


def flag(section: Section, text: str, **settings: Attribute) -> Attribute:
    """Declare an option without a value."""
    return option(section, text, is_flag=True, show_default=False, **settings)


def file_option(section: Section, text: str, **settings: Attribute) -> Attribute:
    """Declare the option of a file, which is read unless the section is of output."""
    return option(section, text, FILE, **settings)


def measures(help_text: str, default: str) -> Attribute:
    """Declare the option of a list of measures; several such options are joined."""
    return option(
        Section.CONTENT,
        help_text,
        short="-m",
        metavar="LIST",
        multiple=True,
        callback=lambda _, __, lists: ",".join(lists) if lists else None,
        show_default=default,
        shell_complete=MEASURES,
    )


def policies(*names: str, defaults: Mapping[str, float] | None = None, **helps: str) -> Attribute:
    """Declare the options of the named policies, or of all; their value is `Policies`.

    `defaults` has other defaults of options, `helps` their other help texts.
    """
    from ave_score.core.policies import Policies  # some commands have none

    known = Policies.records()
    records = {name: known[name] for name in names or known}

    def parameters(_: str) -> list[click.Parameter]:
        options = [option for record in records.values() for option in record.options]
        return [_of_record(option, defaults or {}, helps) for option in options]

    def chosen(values: Mapping[str, object]) -> Policies:
        source = click.get_current_context().get_parameter_source
        return Policies(
            **{
                name: record.from_options(values)
                for name, record in records.items()
                if record.own_options or source(name) is not ParameterSource.DEFAULT
            }
        )

    return _Declared(parameters, chosen)


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


def _of_record(option: Option, defaults: Mapping[str, float], helps: Mapping[str, str]) -> _Option:
    """Return the click option of a policy option."""
    settings: dict[str, object] = {"type": option.number, "metavar": option.metavar}
    if option.suggests:
        settings = {"metavar": f"[{'|'.join(option.choices)}]"}
        settings["shell_complete"] = completion(lambda: option.choices)
    elif option.choices:
        settings["type"] = click.Choice(option.choices)
    elif option.low is not None:
        settings["type"] = click.IntRange(option.low, option.high)
    elif option.keys:
        settings |= of_keys(option.keys)
    default = defaults.get(option.name, option.default)
    if default is not None:
        settings["default"] = default
    settings["help"] = helps.get(option.key, option.help)
    return _Option([option.key, f"--{option.name}"], Section.COUNTING, **settings)


def tables(example: str = "q_id=id,a_id=cand,confidence=score") -> Attribute:
    """Declare the options of the columns and words of tables; their value is `Naming`."""
    of_columns = f"Names of columns or keys in the files, e.g. {example}."
    of_words = "Words that mean a verdict, label or judgement, e.g. true=VALIDATED,false=REJECTED."
    both: list[click.Parameter] = [
        _Option(["--columns"], Section.INPUT, metavar="NAMES", help=of_columns),
        _Option(["--values"], Section.INPUT, metavar="WORDS", help=of_words),
    ]

    def named(texts: Mapping[str, str | None]) -> Naming:
        from ave_score.files.source import Naming

        naming = Naming(_pairs("columns", texts["columns"]), _pairs("values", texts["values"]))
        naming.check()
        return naming

    return _Declared(lambda _: both, named)


def selection(*, with_errors: bool = False) -> Attribute:
    """Declare --select and --ignore; their value tells whether findings of a rule are reported.

    Without `with_errors`, the options are about warnings: an error says why a file is not used.
    """
    section = Section.COUNTING if with_errors else Section.CONTENT
    what = "rules" if with_errors else "warnings"
    helps = {
        "select": f"Only {what} with these codes or prefixes, e.g. AVE1,AVE301.",
        "ignore": f"Ignore {what} with these codes or prefixes; overrides --select.",
    }
    both: list[click.Parameter] = [
        _Option([_long(name)], section, metavar="CODES", shell_complete=CODES, help=text)
        for name, text in helps.items()
    ]
    return _Declared(lambda _: both, partial(told_rules, with_errors=with_errors))


def _pairs(option_name: str, text: str | None) -> dict[str, str]:
    """Return the pairs of an option: `q_id=id,a_id=cand`."""
    pairs: dict[str, str] = {}
    example = {"columns": "field=name, e.g. q_id=problem", "values": "word=VALIDATED"}
    for part in [] if text is None else text.split(","):
        name, separator, value = (piece.strip() for piece in part.partition("="))
        if not separator or not name or not value:
            expected = example[option_name]
            raise UsageError(f"--{option_name}: found {part!r}, expected {expected}")
        if name in pairs:
            raise UsageError(f"--{option_name} contains {name} twice")
        pairs[name] = value
    return pairs


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
    def declared(cls) -> dict[str, _Declared]:
        """Return the declarations by attribute, base classes first.

        A class leaves an option of its base class out by giving the attribute a value.
        """
        names = [
            name
            for base in reversed(cls.__mro__)
            for name, declared in vars(base).items()
            if isinstance(declared, _Declared)
        ]
        values = {name: getattr(cls, name) for name in names}
        return {name: value for name, value in values.items() if isinstance(value, _Declared)}

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
        return {_long(name): getattr(self, name) for name, written in self._files() if written}

    def _files(self) -> list[tuple[str, bool]]:
        """Return the attributes of files, and whether the file is written."""
        return [
            (str(parameter.name), getattr(parameter, "section", None) is Section.OUTPUT)
            for parameter in self.parameters
            if parameter.type is FILE
        ]

    def given(self, *names: str) -> list[str]:
        """Return which of these options (without defaults) were given, e.g. `--per-question`."""
        return [_long(name) for name in names if getattr(self, name, None) is not None]

    def refuse(self, name: str, *others: str) -> None:
        """Raise `UsageError` if an option is given beside others that conflict with it."""
        conflicting = self.given(*others)
        if conflicting and getattr(self, name) not in (None, False):
            raise UsageError(f"{_long(name)} cannot be combined with {', '.join(conflicting)}")


def _long(name: str) -> str:
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
            check_figure(getattr(made, "plot", None), made.given("figure", "plot_width"))
            check_output_paths(made.read, made.written)
            return function(made)

        params = [*options.parameters]
        made = WithHelp(name, callback=call, params=params, help=function.__doc__)
        made.examples, made.usual = examples, usual.split()
        made.done = {"what": what, "how": how}
        return made

    return declared


class RunsOptions(Options):
    """The options of commands about runs and what these are scored against."""

    collection: str
    runs: tuple[str, ...]
    naming: Naming
    told: Told
    policies: Policies
    output: str
    key: str | None = None
    qa: str | None = None
    teams: str | None = None
    reference: tuple[str, ...] | None = None
    primary: tuple[str, ...] | None = None
    replicates: str | None = None
    cluster: str | None = None
    engine: str | None = None
    keep_going: bool = False
    least_runs = 1
    verb = "score"

    def refuse_for(self, gold: Gold, *names: str) -> None:
        """Raise `UsageError` for options that answer sets, or qrels, do not have."""
        what = "qrels" if getattr(gold, "is_qrels", False) else "answer sets"
        if named := self.given(*names):
            raise UsageError(f"{', '.join(named)}: not available for {what}")

    def check_gold(self, gold: Gold) -> None:
        """Raise `UsageError` for options that do not apply to what runs are scored against."""


OUTPUT = file_option(
    Section.OUTPUT, "Write to FILE, not stdout.", short="-o", default="-", show_default=False
)


def _format(choices: Sequence[str], more: str = "") -> Attribute:
    return option(Section.OUTPUT, f"Output format.{more}", choices, short="-f", default="table")


FORMAT = _format(of_any_report())

SCORES_FORMAT = _format(
    [*FORMATS],
    " value: only numbers. trec: as trec_eval. scores: a flat object.",
)


def digits(shown: int | str, of: str = "") -> Attribute:
    """Declare the option of decimals; its default is a number, or said in words."""
    default: dict[str, Attribute] = {"show_default" if isinstance(shown, str) else "default": shown}
    return option(Section.CONTENT, f"Decimals{of}.", click.IntRange(0, 12), **default)


DIGITS = digits("2; csv is not rounded")

KEY = file_option(Section.INPUT, "Gold labels for an unlabelled COLLECTION.")

SCORE_SCORER = option(
    Section.INPUT,
    "The scorers of a log, or the columns of a table, whose numbers rank the answers.",
    metavar="NAME,...",
    multiple=True,
    show_default="all others; acc of multiple choice",
    callback=lambda _, __, lists: tuple(
        name.strip() for names in lists for name in names.split(",")
    ),
)

QA = file_option(Section.INPUT, "Judged QA systems to rank with the runs (a table).")

TEAMS = file_option(Section.INPUT, "Teams and their runs (TSV).")


REPLICATES = file_option(
    Section.INPUT,
    "Score runs of a system together: those in a folder, logs of a model, or as a table of run and "
    "system says.",
    metavar="folder|model|FILE",
)


def _patterns(text: str) -> Attribute:
    """Declare the option of patterns of names of runs; None if none is given."""
    return option(
        Section.INPUT,
        f"{text} a name in the tables, or a pattern. May be repeated.",
        metavar="PATTERN",
        multiple=True,
        callback=lambda _, __, patterns: patterns or None,
    )


REFERENCE = _patterns("The organiser's own RUNs, not ranked or compared:")

PRIMARY = _patterns("The RUNs that are ranked and compared:")

PLOT = file_option(
    Section.OUTPUT, "Also draw a figure to FILE (.svg, .png or .pdf). Needs matplotlib."
)

PLOT_WIDTH = option(
    Section.OUTPUT,
    "Width of the figure.",
    click.FloatRange(3, 20),
    metavar="INCHES",
    show_default="6.3; 3.3 fits one paper column",
)

SEED = option(Section.COUNTING, "Seed of the random samples.", click.IntRange(0), default=0)


def parts(section: Section, what: str, column: str) -> Attribute:
    """Declare the option of a table or an attribute that puts questions into parts."""
    either = f"a table of q_id and {column} (TSV), or an attribute of questions"
    text = f"{what}: {either}."
    return file_option(section, text, metavar="FILE|ATTRIBUTE")


CLUSTER = parts(
    Section.COUNTING, "Sample questions of one passage, topic or document together", "cluster"
)


def check_cluster(cluster: str | None, policies: Policies) -> None:
    """Raise `UsageError` for clusters without intervals, before any file is read."""
    if cluster is not None and policies.intervals is None:
        raise UsageError("--cluster samples questions together for intervals: give --ci, too")
