"""Which runs take part, as what, and what they may have: a record an option, as `policies` has.

Options of the command line, parameters of Python, settings of campaign files and the file that
`campaign init` writes are made from these records. To add one, add its record and its type here,
and what it does in `with_entrants` of `tasks.ranked`, which has it from `Inputs`. What runs may
have is known to the readers of files from `Inputs.limits`.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from enum import Enum
from inspect import Parameter, signature
from typing import NamedTuple, TypeAlias, TypedDict, TypeVar, cast

from ave_score.core.given import Framed

Patterns: TypeAlias = str | Iterable[str]
"""A name of a run, or a pattern of names as in a shell; or several."""

Table: TypeAlias = (
    Mapping[str, str] | str | os.PathLike[str] | Framed | Sequence[Mapping[str, object]]
)
"""Run -> team or system, or the path of such a table, a frame of it or its rows."""

Names: TypeAlias = Mapping[str, str]
"""Column -> its name in a table, or word -> its meaning."""
DocumentList: TypeAlias = (
    Mapping[str, Set[str]]
    | Set[str]
    | str
    | os.PathLike[str]
    | Framed
    | Sequence[Mapping[str, object]]
)
"""Ids of documents, of all topics or by topic; or the path of a list, a frame of it or its rows."""


class TableWords(TypedDict, total=False):
    """What the columns and words of tables mean, as every function that reads one takes it."""

    columns: Names | None
    values: Names | None


class LimitedRuns(TableWords, total=False):
    """What TREC runs may have, as `score` refuses others."""

    max_per_topic: int | None
    documents: DocumentList | None


class RankedRuns(LimitedRuns, total=False):
    """Which runs count."""

    reference: Patterns | None
    primary: Patterns | None


class RunsInTeams(RankedRuns, total=False):
    """Which runs count, and whose they are, as `sweep` takes it."""

    teams: Table | None


class RankedSystems(RankedRuns, total=False):
    """Which runs count, and which systems they are of, as `break_down` takes it."""

    replicates: Table | None


class Entrants(RunsInTeams, RankedSystems, total=False):
    """Which runs take part, and as what, as `score` takes it."""


class Takes(Enum):
    """What an option or a setting is given."""

    FILE = "the path of a file"
    TABLE = "the path of a table; in campaign files also the table itself"
    NAMES = "a table of names"
    PATTERNS = "names of runs, or patterns of names"
    NUMBER = "a number from 1"
    TIME = "a time"
    TIMES = "the path of a table of times, or the table itself"
    BEYOND_LIMITS = "what happens to runs beyond limits"


class Entrant(NamedTuple):
    """What is known of one.

    Attributes
    ----------
    takes
        What it is given.
    help
        The help of its option; empty if only campaign files have it.
    metavar
        The value in the help, unless it is as `takes` says.
    key
        The key of `--limit`, if that is its option.
    setting
        An example, and its comment in a new campaign file; empty if it is no setting.
    """

    takes: Takes
    help: str = ""
    metavar: str | None = None
    key: str = ""
    setting: tuple[str, str] = ("", "")


ENTRANTS = {
    "teams": Entrant(
        Takes.TABLE,
        "Teams and their runs (TSV).",
        setting=('"gold/es.teams.tsv"', "run<TAB>team lines, or an inline table"),
    ),
    "max_runs_per_team": Entrant(Takes.NUMBER, setting=("3", "more are marked")),
    "opens": Entrant(Takes.TIME, setting=("2007-04-01T00:00:00Z", "when a platform takes runs")),
    "closes": Entrant(Takes.TIME, setting=("2007-05-01T23:59:00Z", "later runs are marked")),
    "submitted": Entrant(
        Takes.TIMES, setting=('"times.tsv"', "run<TAB>time lines, or an inline table")
    ),
    "beyond_limits": Entrant(
        Takes.BEYOND_LIMITS,
        setting=('"apart"', "such runs are listed below the others, without a rank"),
    ),
    "reference": Entrant(
        Takes.PATTERNS,
        "The organiser's own RUNs, not ranked or compared:",
        setting=('"baseline_*"', "runs of the organiser, by name: they have no rank"),
    ),
    "apart": Entrant(
        Takes.PATTERNS,
        setting=(
            '"Team_1/copy"',
            "runs that the organiser lists below the others, without a rank",
        ),
    ),
    "primary": Entrant(
        Takes.PATTERNS,
        "The RUNs that are ranked and compared:",
        setting=(
            '"*_primary"',
            "the run of each team that counts: these are ranked and compared",
        ),
    ),
    "replicates": Entrant(
        Takes.TABLE,
        "Score runs of a system together: those in a folder, logs of a model, or as a table of run "
        "and system says.",
        metavar="folder|model|FILE",
    ),
}
"""Name -> record, in the order of help and of new campaign files."""

READING = {
    "columns": Entrant(
        Takes.NAMES,
        setting=("{ q_id = 1, a_id = 2 }", "names of columns, or numbers, if there are no names"),
    ),
    "values": Entrant(Takes.NAMES, setting=('{ yes = "VALIDATED" }', "what words of files mean")),
    "max_per_topic": Entrant(
        Takes.NUMBER,
        "refuse TREC runs with more documents of a topic",
        metavar="N",
        key="per-topic",
        setting=("1000", "TREC runs with more documents of a topic are refused"),
    ),
    "documents": Entrant(
        Takes.FILE,
        "refuse TREC runs with documents that FILE lacks",
        metavar="FILE",
        key="documents",
        setting=('"pool.txt"', "TREC runs with documents outside this list are refused"),
    ),
}
"""How files are read, and what runs may have, likewise."""

OPTIONS = {name: record for name, record in ENTRANTS.items() if record.help}
"""Those of which runs take part, of the command line and of Python."""

LIMITS = {record.key: name for name, record in READING.items() if record.key}
"""Key of `--limit KEY=VALUE` -> the name of what runs may have, likewise."""

SETTINGS = {name: record for name, record in {**ENTRANTS, **READING}.items() if any(record.setting)}
"""Those of campaign files."""


def of_names(records: Mapping[str, Entrant]) -> list[str]:
    """Return which of these are given as names of runs, or patterns of names."""
    return [name for name, record in records.items() if record.takes is Takes.PATTERNS]


Function = TypeVar("Function", bound=Callable[..., object])


def takes(kind: type[TableWords]) -> Callable[[Function], Function]:
    """Give a function of `**entrants`, or `**words`, the signature that names them, for help."""
    named = [
        Parameter(name, Parameter.KEYWORD_ONLY, default=None, annotation=annotation.__forward_arg__)
        for name, annotation in kind.__annotations__.items()
    ]

    def with_names(function: Function) -> Function:
        plain = signature(function)
        others = [
            parameter
            for parameter in plain.parameters.values()
            if parameter.kind is not Parameter.VAR_KEYWORD
        ]
        function.__signature__ = plain.replace(parameters=[*others, *named])  # type: ignore[attr-defined]
        return function

    return with_names


def checked(given: Mapping[str, object], kind: type[TableWords] = Entrants) -> Entrants:
    """Return what is given; raises `TypeError`, as a function does, for what it does not take."""
    for name in given:
        if name not in kind.__annotations__:
            known = ", ".join(kind.__annotations__)
            raise TypeError(f"unexpected keyword argument {name!r}, only {known}")
    return cast("Entrants", given)
