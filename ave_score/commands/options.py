"""Options that commands share, declared once by `declared`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from ave_score.commands.declared import (
    Attribute,
    Declared,
    Options,
    SectionOption,
    argument,
    file_option,
    long_name,
    of_keys,
    option,
)
from ave_score.commands.help import Section
from ave_score.commands.types import (
    CODES,
    FILE,
    MEASURES,
    NumberOr,
    complete_names,
    completion,
    reported_rules,
)
from ave_score.core.choice import Choice, choice_of
from ave_score.core.entrants import LIMITS, OPTIONS, READING, Entrant, Takes
from ave_score.core.errors import UsageError
from ave_score.core.keyed import Keys, keyed
from ave_score.reports.formats import FORMATS, of_any_report
from ave_score.reports.plots import FIGURES

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from ave_score.core.policies import Policies
    from ave_score.core.policy import Option
    from ave_score.files.naming import Naming
    from ave_score.inference.units import Gold
    from ave_score.rules import Told


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


def policies(
    *names: str,
    defaults: Mapping[str, float] | None = None,
    words: Mapping[str, str] | None = None,
    **helps: str,
) -> Attribute:
    """Declare the options of the named policies, or of all; their value is `Policies`.

    `defaults` has other defaults of options, `words` what may stand in the place of their number
    and says nothing of the policy, `helps` their other help texts.
    """
    from ave_score.core.policies import Policies  # some commands have none

    known = Policies.records()
    records = {name: known[name] for name in names or known}
    instead = words or {}

    def parameters(_: str) -> list[click.Parameter]:
        options = [option for record in records.values() for option in record.options]
        return [_of_record(option, defaults or {}, instead, helps) for option in options]

    def chosen(texts: Mapping[str, object]) -> Policies:
        values = {key: None if instead.get(key) == text else text for key, text in texts.items()}
        source = click.get_current_context().get_parameter_source
        return Policies.of(
            **{
                name: record.from_options(values)
                for name, record in records.items()
                if record.own_options or source(name) is not ParameterSource.DEFAULT
            }
        )

    return Declared(parameters, chosen)


def _of_record(
    option: Option,
    defaults: Mapping[str, float],
    words: Mapping[str, str],
    helps: Mapping[str, str],
) -> SectionOption:
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
    if word := words.get(option.key):
        settings = {
            "type": NumberOr(click.types.FloatParamType(), word),
            "metavar": f"{option.metavar}|{word}",
        }
    default = defaults.get(option.name, option.default)
    if default is not None:
        settings["default"] = default
    settings["help"] = helps.get(option.key, option.help)
    return SectionOption([option.key, f"--{option.name}"], Section.COUNTING, **settings)


def tables(
    example: str = "q_id=id,a_id=cand,confidence=score", *, has_scores: bool = False
) -> Attribute:
    """Declare the options of the columns and words of tables; their value is `Naming`.

    With `has_scores`, there may be several columns `score`.
    """
    of_columns = f"Names of columns or keys in the files, e.g. {example}."
    of_words = "Words that mean a verdict, label or judgement, e.g. true=VALIDATED,false=REJECTED."
    both: list[click.Parameter] = [
        SectionOption(["--columns"], Section.INPUT, metavar="NAMES", help=of_columns),
        SectionOption(["--values"], Section.INPUT, metavar="WORDS", help=of_words),
    ]

    def named(texts: Mapping[str, str | None]) -> Naming:
        from ave_score.files.naming import Naming

        columns = _pairs("columns", texts["columns"], "score" if has_scores else "")
        scores = tuple(name for field, name in columns if field == "score")
        if len(scores) > 1:
            columns = [pair for pair in columns if pair[0] != "score"]
        naming = Naming(dict(columns), dict(_pairs("values", texts["values"])))
        naming.check()
        return naming if len(scores) < 2 else naming._replace(choice=Choice(scores=scores))

    return Declared(lambda _: both, named)


def selection(*, with_errors: bool = False) -> Attribute:
    """Declare --ignore, and --select; their value tells whether findings of a rule are reported.

    Without `with_errors`, only warnings can be ignored: an error says why a file is not used.
    """
    section = Section.COUNTING if with_errors else Section.CONTENT
    helps = {"ignore": "Ignore warnings with these codes or prefixes, e.g. AVE1,AVE301."}
    if with_errors:
        helps = {
            "select": "Only rules with these codes or prefixes, e.g. AVE1,AVE301.",
            "ignore": "Ignore rules with these codes; overrides --select.",
        }
    options: list[click.Parameter] = [
        SectionOption([long_name(name)], section, metavar="CODES", shell_complete=CODES, help=text)
        for name, text in helps.items()
    ]
    return Declared(lambda _: options, partial(reported_rules, with_errors=with_errors))


def _pairs(option_name: str, text: str | None, repeated: str = "") -> list[tuple[str, str]]:
    """Return the pairs of an option: `q_id=id,a_id=cand`; one name may be repeated."""
    pairs: list[tuple[str, str]] = []
    example = {"columns": "field=name, e.g. q_id=problem", "values": "word=VALIDATED"}
    for part in [] if text is None else text.split(","):
        name, separator, value = (piece.strip() for piece in part.partition("="))
        if not separator or not name or not value:
            expected = example[option_name]
            raise UsageError(f"--{option_name}: found {part!r}, expected {expected}")
        if name != repeated and any(name == known for known, _ in pairs):
            raise UsageError(f"--{option_name} contains {name} twice")
        pairs.append((name, value))
    return pairs


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


def log_option(keys: Keys) -> Attribute:
    """Declare --log for these keys."""
    what = "What is chosen of LOGs; may be repeated."
    return option(Section.INPUT, what, metavar="KEY=VALUE", **of_keys(keys))


def chosen_scores(texts: Sequence[str] | None, keys: Keys, naming: Naming) -> Choice:
    """Return what --log chooses of logs, with the columns of scores that --columns has."""
    choice, columns = choice_of(texts or (), keys), naming.choice.scores
    if choice.scores and columns:
        raise UsageError("--columns score=NAME and --log score=NAME are mutually exclusive")
    return choice._replace(scores=choice.scores or columns)


QA = file_option(Section.INPUT, "Judged QA systems to rank with the runs (a table).")


def entrants() -> Attribute:
    """Declare the options of which runs take part, each of which is an attribute of its own."""
    kinds: dict[Takes, dict[str, Attribute]] = {
        Takes.TABLE: {"type": FILE},
        Takes.PATTERNS: {
            "multiple": True,
            "metavar": "PATTERN",
            "callback": lambda _, __, patterns: patterns or None,
        },
    }
    more = {Takes.PATTERNS: " a name in the tables, or a pattern. May be repeated."}

    def parameter(name: str, of: Entrant) -> click.Parameter:
        settings = {**kinds[of.takes], "help": of.help + more.get(of.takes, "")}
        if of.metavar is not None:
            settings["metavar"] = of.metavar
        return SectionOption([name, long_name(name)], Section.INPUT, **settings)

    return Declared(lambda _: [parameter(*option) for option in OPTIONS.items()])


_LISTS = [name for name in LIMITS.values() if READING[name].takes is Takes.FILE]
_LIMIT_KEYS = {
    key: (READING[name].metavar or "", READING[name].help) for key, name in LIMITS.items()
}


def _limits(values: Mapping[str, tuple[str, ...] | None]) -> dict[str, int | str]:
    """Return the limits of runs by their names; `Inputs` checks their values."""
    pairs = keyed("--limit", values["limit"] or (), _LIMIT_KEYS)
    limits: dict[str, int | str] = {LIMITS[key]: text for key, text in pairs}
    if "max_per_topic" in limits:
        with suppress(ValueError):
            limits["max_per_topic"] = int(limits["max_per_topic"])
    return limits


LIMIT: Attribute = Declared(
    option(
        Section.INPUT,
        "What TREC runs may have; may be repeated.",
        metavar="KEY=VALUE",
        **of_keys(_LIMIT_KEYS),
    ).parameters,
    _limits,
)


PLOT = file_option(
    Section.OUTPUT, "Also draw a figure to FILE (.svg, .png or .pdf). Needs matplotlib."
)


def _types_or_file(*arguments: object) -> list[CompletionItem]:
    """Return the types of figures that a text begins, else what completes a file name."""
    begun = str(arguments[-1])
    types = complete_names([f"{name}=" for name in FIGURES], begun)
    return types or FILE.shell_complete(begun)


PLOT_OF_RUNS = file_option(
    Section.OUTPUT,
    "Also draw a figure to FILE (.svg, .png or .pdf), one of these types: "
    f"{', '.join(FIGURES)}. Needs matplotlib.",
    metavar="[TYPE=]FILE",
    show_default=FIGURES[0],
    shell_complete=_types_or_file,
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


def check_cluster(cluster: str | None, ci: object) -> None:
    """Raise `UsageError` for clusters without what needs them, before any file is read."""
    if cluster is not None and ci is None:
        raise UsageError("--cluster samples questions together: give --ci PERCENT, too")


class FileOptions(Options):
    """The options of commands that read files."""

    are_last = True

    told: Told = selection()
    naming: Naming = tables()


class ReportedOptions(FileOptions):
    """The options of commands that also write a report."""

    format: str = FORMAT
    output: str = OUTPUT


class GivenRuns(FileOptions):
    """The options of commands that are given runs, or folders of them."""

    runs: tuple[str, ...]


class WithLimits(FileOptions):
    """The options of commands whose runs may have limits."""

    limit: Mapping[str, int | str] = MappingProxyType({})

    @property
    def read(self) -> list[str]:
        """The paths of the files that are read."""
        return [*super().read, *(str(self.limit[name]) for name in self.limit if name in _LISTS)]


class RunsOptions(ReportedOptions, GivenRuns, WithLimits):
    """The options of commands about runs and what these are scored against."""

    collection: str = argument(type=FILE)
    runs: tuple[str, ...] = argument(nargs=-1, metavar="RUN RUN...", type=FILE)
    policies: Policies
    key: str | None = KEY
    qa: str | None = None
    teams: str | None = None
    reference: tuple[str, ...] | None = None
    primary: tuple[str, ...] | None = None
    replicates: str | None = None
    cluster: str | None = None
    engine: str | None = None
    keep_going: bool = False
    least_runs = 2
    verb = "score"

    def refuse_for(self, gold: Gold, *names: str) -> None:
        """Raise `UsageError` for options that do not apply to what runs are scored against."""
        if named := self.given(*names):
            raise UsageError(gold.standard.refusal_of(named))

    def check_gold(self, gold: Gold) -> None:
        """Raise `UsageError` for options that do not apply to what runs are scored against."""


class RankedOptions(RunsOptions):
    """The options of commands that rank runs, and systems beside them."""

    qa: str | None = QA
    entrants = entrants()
    limit: Mapping[str, int | str] = LIMIT
