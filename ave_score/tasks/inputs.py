"""Arguments given as values, files or rows in memory; runs named after their files.

Findings that do not forbid scoring become an `AveScoreWarning` for each file; others raise
`DefectError`. Readers are imported when they are called.
"""

from __future__ import annotations

import os
import warnings
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import IO, TYPE_CHECKING, Any, Literal, TypeAlias, TypeVar

from ave_score.core.errors import AveScoreWarning, DefectError, InputError, UsageError
from ave_score.core.findings import Findings
from ave_score.core.kinds import FileKind
from ave_score.core.model import Collection, QARun, Run
from ave_score.core.open_questions import OpenGold, ResponseRun
from ave_score.core.text import shortest_names
from ave_score.files.source import Naming, Source

if TYPE_CHECKING:
    from io import BufferedIOBase

    from narwhals.typing import IntoFrame

    from ave_score.core.policies import Policies

Path: TypeAlias = str | os.PathLike[str]
"""The path of a file; `-` is standard input."""

FileGiven: TypeAlias = (
    "Path | IO[str] | IO[bytes] | BufferedIOBase | IntoFrame | Mapping[str, Sequence[object]] "
    "| Sequence[Mapping[str, object]]"
)
"""A path, an open file, or rows: a frame of any library that narwhals knows, a dictionary column ->
values, or a list of dictionaries column -> value."""

CollectionGiven: TypeAlias = "Collection | FileGiven"
GoldGiven: TypeAlias = "Collection | OpenGold | FileGiven"
"""A gold standard, or the file of a collection, a judged file or answer sets."""

RunGiven: TypeAlias = "Run | QARun | FileGiven"
RunsGiven: TypeAlias = "RunGiven | Iterable[object]"
SubjectGiven: TypeAlias = "Run | QARun | ResponseRun | FileGiven"
SubjectsGiven: TypeAlias = "SubjectGiven | Iterable[object]"
"""Runs, QA systems, responses or their files, perhaps by their names; or a single one of these."""

Names: TypeAlias = Mapping[str, str]
"""Column -> its name in a file, or word -> its meaning."""

Value = TypeVar("Value")


def source_of(
    value: object, name: str, naming: Naming | None = None, *, wanted: str = ""
) -> Source:
    """Return the source of a file or of rows in memory.

    Parameters
    ----------
    value
        A path, an open file, a frame, a dictionary column -> values, or a list of dictionaries.
    name
        The name of rows, and of a file without a name.
    naming
        The names of columns and the meaning of words.
    wanted
        What else may be given, for the message of the error.

    Raises
    ------
    UsageError
        The value is nothing of these.
    """
    naming = naming or Naming()
    naming.check()
    if isinstance(value, str | os.PathLike):
        return Source(value, naming)
    if hasattr(value, "read"):
        own_name = getattr(value, "name", None)
        try:
            found = value.read()
        except (OSError, ValueError, EOFError) as error:  # not open, not for reading, damaged
            raise InputError(str(own_name or name), f"cannot be read: {error}") from error
        data = found if isinstance(found, bytes) else str(found).encode("utf-8", "surrogatepass")
        return Source.packed(own_name if isinstance(own_name, str) else name, data, naming)
    if _is_rows(value):
        return Source.of_rows(name, value, naming)
    raise wrong_type(f"{wanted}a path, an open file, a frame or dictionaries", value)


def _is_rows(value: object) -> bool:
    """Tell whether a value is a frame, a dictionary of columns, or a list of dictionaries."""
    if isinstance(value, Mapping):
        return bool(value) and all(isinstance(name, str) for name in value)
    if isinstance(value, list | tuple):
        return bool(value) and all(isinstance(row, Mapping) for row in value)
    if isinstance(value, Iterator):
        return False  # no library's frame is one, and loading narwhals takes longer than scoring
    from ave_score.files.frames import is_frame

    return is_frame(value)


def as_collection(
    value: CollectionGiven, *, labels: Literal["needed", "optional", "ignored"] = "needed"
) -> Collection:
    """Return a collection that is given as it is or as a file.

    Parameters
    ----------
    value
        A collection, or what `source_of` takes.
    labels
        Whether a file must have labels, and whether they are read.

    Returns
    -------
    Collection
        The collection.

    Raises
    ------
    DefectError, InputError
        The file has errors, or cannot be read.
    UsageError
        The value is neither.
    """
    if isinstance(value, Collection):
        return value
    return read_source(source_of(value, "collection", wanted="a Collection, "), labels)


def read_source(source: Source, labels: str) -> Collection:
    """Return the collection of a source; `labels` is as in `as_collection`."""
    from ave_score.files.gold import check_collection, check_test_collection

    if labels == "ignored":
        return sound(*check_test_collection(source))
    return sound(*check_collection(source, needs_labels=labels == "needed"))


def as_gold(
    value: GoldGiven, campaign: str, missing: str, *, with_texts: bool = False
) -> tuple[Collection | OpenGold, list[QARun]]:
    """Return the gold standard of a collection, a judged file or answer sets, and its systems.

    Only a judged file has systems. The texts of a file are only read if asked for. Raises as
    `as_collection`.
    """
    if isinstance(value, Collection | OpenGold):
        return value, []
    source = source_of(value, "collection", wanted="a Collection, ")
    sets = _answer_sets(source)
    if sets is not None:
        return sets, []
    from ave_score.files.gold import check_gold

    return sound(*check_gold(source, None, campaign, missing, with_texts=with_texts))


def as_reference(value: GoldGiven | None) -> Collection | OpenGold | None:
    """Return what a file is checked against; labels of files are not read."""
    if value is None or isinstance(value, Collection | OpenGold):
        return value
    source = source_of(value, "collection", wanted="a Collection, ")
    return _answer_sets(source) or read_source(source, "ignored")


def _answer_sets(source: Source) -> OpenGold | None:
    """Return the answer sets of a source; None if it is a file of another kind."""
    from ave_score.files.sniff import sniff

    if sniff(source) is not FileKind.ANSWER_SETS:
        return None
    from ave_score.files.answer_sets import check_answer_sets

    return sound(*check_answer_sets(source))


def as_runs(
    values: SubjectsGiven,
    collection: Collection,
    policies: Policies,
) -> Iterator[Run | QARun]:
    """Yield runs and QA systems that are given as they are or as files.

    Files are read one by one. A run is named after its file, with folders where names would be
    equal, unless an iterator is given; or by a dictionary. Raises as `as_collection`.
    """
    for value, name in named(values, (Run, QARun)):
        if isinstance(value, Run | QARun):
            yield value if name is None else replace(value, name=name)
        else:
            from ave_score.files.check import check_submission

            given = collection, policies.campaign, policies.missing, name
            yield from sound(*check_submission(_source_of_run(value, name), *given))


def as_responses(values: SubjectsGiven, gold: OpenGold) -> Iterator[ResponseRun]:
    """Yield responses that are given as they are or as files, as `as_runs`."""
    for value, name in named(values, (ResponseRun,)):
        if isinstance(value, ResponseRun):
            yield value if name is None else value._replace(name=name)
        else:
            from ave_score.files.responses import check_responses

            yield from sound(*check_responses(_source_of_run(value, name), gold, name))


def _source_of_run(value: object, name: str | None) -> Source:
    return source_of(value, name or "run", wanted="a run, ")


def as_groups(value: Mapping[str, str] | Path | None) -> Mapping[str, str]:
    """Return run -> group, given as it is or as the path of its file; raises as `read_groups`."""
    if value is None or isinstance(value, Mapping):
        return value or {}
    from ave_score.files.groups import check_groups

    return sound(*check_groups(Source(value)))


def named(
    values: object, types: tuple[type, ...], what: str = "run"
) -> Iterator[tuple[object, str | None]]:
    """Yield each of the given values, with the names of files and of rows in memory.

    Raises `UsageError` if a file is given twice, with `what` as its kind.

    Parameters
    ----------
    values
        A single value, a dictionary name -> value, or values.
    types
        The types of values that are no files.
    what
        The kind of file.
    """
    if isinstance(values, Mapping) and not _is_columns(values):
        yield from ((value, str(name)) for name, value in values.items())
    elif isinstance(values, (*types, str, os.PathLike)) or _is_one(values):
        yield from _with_names([values], types, what)
    elif isinstance(values, Iterator):
        yield from ((value, None) for value in values)
    elif isinstance(values, Iterable):
        yield from _with_names(list(values), types, what)
    else:
        raise wrong_type("a list of runs, paths or frames", values)


def _is_one(values: object) -> bool:
    """Tell whether a value is one file: open, or rows with a text or a number in each field."""
    if isinstance(values, list | tuple):
        first = values[0] if values else None
        return isinstance(first, Mapping) and not _is_columns(first) and _is_rows(values)
    return hasattr(values, "read") or _is_rows(values)


def _is_columns(values: Mapping[Any, object]) -> bool:
    """Tell whether a dictionary has columns of texts or numbers, not runs."""
    first = next(iter(values.values()), None)
    is_column = isinstance(first, Iterable) and not isinstance(first, str | Mapping)
    return is_column and not values.keys().isdisjoint(["q_id", "question_id", "pair_id"])


def _with_names(
    given: list[object], types: tuple[type, ...], what: str
) -> Iterator[tuple[object, str | None]]:
    paths = [value for value in given if isinstance(value, str | os.PathLike)]
    names = iter(run_names([Source(path) for path in paths], what))
    for number, value in enumerate(given, 1):
        if isinstance(value, str | os.PathLike):
            yield value, next(names)
        elif isinstance(value, types) or isinstance(getattr(value, "name", None), str):
            yield value, None  # an open file has a name, too
        else:
            yield value, what if len(given) == 1 else f"{what}{number}"


def settings_of(value: Value | None, of_type: type[Value]) -> Value:
    """Return settings, by default `of_type()`; raises `UsageError` for a value of another type."""
    if value is None:
        return of_type()
    if not isinstance(value, of_type):
        raise wrong_type(f"settings of type {of_type.__name__}", value)
    return value


def wrong_type(wanted: str, found: object) -> UsageError:
    """Return the error for an argument of a type that is not taken."""
    return UsageError(f"expected {wanted}, found {type(found).__name__}")


def ids_of(gold: Collection | OpenGold) -> Sequence[str]:
    """Return the ids of the questions, or of the pairs."""
    if isinstance(gold, OpenGold):
        return [*gold.questions]
    return gold.index.a_ids if gold.index.is_pairs else gold.index.questions


# --- names of runs --------------------------------------------------------------------------------


def run_names(sources: Sequence[Source], what: str = "run") -> list[str]:
    """Return a name for each file: its file name without suffixes.

    Parent folders are added where needed to make names unique, e.g. `team1/run`. Raises
    `UsageError`, with `what` as the kind of file, if the same file is given twice.
    """
    times = Counter(map(_full_path, sources))
    repeated = [path for path in times if times[path] > 1]
    if repeated:
        raise UsageError(f"the {what} {', '.join(repeated)} is given twice")
    names = shortest_names([(_folders(source), source.name) for source in sources])
    taken = Counter(names)
    return [
        source.path if taken[name] > 1 else name  # run.txt and run.xml in one folder
        for source, name in zip(sources, names, strict=True)
    ]


def _full_path(source: Source) -> str:
    return source.path if source.is_stdin else os.path.abspath(source.path)


def _folders(source: Source) -> tuple[str, ...]:
    parts = os.path.dirname(_full_path(source)).split(os.sep)[1:]  # pathlib is slow to import
    return tuple(filter(None, parts))


def sound(value: Value | None, found: list[Findings]) -> Value:
    """Return the value of a check; raise `DefectError` for errors, and warn of other findings."""
    if value is None:
        raise DefectError(next(part for part in found if part.errors))
    for part in found:
        if len(part):
            warnings.warn(part.brief(), AveScoreWarning, stacklevel=3)
    return value
