"""Arguments given as values or as paths of files; runs named after their files.

Findings that do not forbid scoring become an `AveScoreWarning` for each file; others raise
`DefectError`. Readers are imported when they are called.
"""

from __future__ import annotations

import os
import warnings
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Literal, TypeAlias, TypeVar

from ave_score.errors import AveScoreWarning, DefectError, UsageError
from ave_score.files.source import Source
from ave_score.findings import Findings
from ave_score.kinds import FileKind
from ave_score.model import Collection, QARun, Run
from ave_score.open_questions import OpenGold, ResponseRun
from ave_score.text import shortest_names

if TYPE_CHECKING:
    from ave_score.policies import Policies

Path: TypeAlias = str | os.PathLike[str]
"""The path of a file; `-` is standard input."""

CollectionGiven: TypeAlias = Collection | Path
GoldGiven: TypeAlias = Collection | OpenGold | Path
"""A gold standard, or the path of a collection, a judged file or answer sets."""

RunsGiven: TypeAlias = Iterable[Run | QARun | Path] | Run | QARun | Path
SubjectGiven: TypeAlias = Run | QARun | ResponseRun | Path
SubjectsGiven: TypeAlias = Iterable[SubjectGiven] | SubjectGiven
"""Runs, QA systems, responses or paths of their files; or a single one of these."""

Value = TypeVar("Value")


def as_collection(
    value: CollectionGiven, *, labels: Literal["needed", "optional", "ignored"] = "needed"
) -> Collection:
    """Return a collection that is given as it is or as the path of its file.

    Parameters
    ----------
    value
        A collection, or the path of its file.
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
    if not isinstance(value, str | os.PathLike):
        raise wrong_type("a Collection or the path of its file", value)
    from ave_score.files.gold import check_collection, check_test_collection

    if labels == "ignored":
        return sound(*check_test_collection(Source(value)))
    return sound(*check_collection(Source(value), needs_labels=labels == "needed"))


def as_gold(value: GoldGiven, campaign: str) -> tuple[Collection | OpenGold, list[QARun]]:
    """Return the gold standard of a collection, a judged file or answer sets, and its systems.

    Only a judged file, given as a path, has systems. Raises as `as_collection`.
    """
    if isinstance(value, OpenGold):
        return value, []
    if not isinstance(value, str | os.PathLike):
        return as_collection(value), []
    if kind_of(value) is FileKind.ANSWER_SETS:
        from ave_score.files.answer_sets import check_answer_sets

        return sound(*check_answer_sets(Source(value))), []
    from ave_score.files.gold import check_gold

    return sound(*check_gold(Source(value), None, campaign))


def as_runs(
    values: SubjectsGiven,
    collection: Collection,
    policies: Policies,
) -> Iterator[Run | QARun]:
    """Yield runs and QA systems that are given as they are or as paths of their files.

    Files are read one by one. A run is named after its file, with folders where names would be
    equal, unless an iterator is given. Raises as `as_collection`.
    """
    for value, name in named(values, (Run, QARun)):
        if isinstance(value, Run | QARun):
            yield value
        elif isinstance(value, str | os.PathLike):
            from ave_score.files.check import check_submission

            given = collection, policies.campaign, policies.missing, name
            yield from sound(*check_submission(Source(value), *given))
        else:
            raise wrong_type("a Run, a QARun or the path of its file", value)


def as_responses(values: SubjectsGiven, gold: OpenGold) -> Iterator[ResponseRun]:
    """Yield responses that are given as they are or as paths of their files, as `as_runs`."""
    for value, name in named(values, (ResponseRun,)):
        if isinstance(value, ResponseRun):
            yield value
        elif isinstance(value, str | os.PathLike):
            from ave_score.files.responses import check_responses

            yield from sound(*check_responses(Source(value), gold, name))
        else:
            raise wrong_type("a ResponseRun or the path of its file", value)


def as_groups(value: Mapping[str, str] | Path | None) -> Mapping[str, str]:
    """Return run -> group, given as it is or as the path of its file; raises as `read_groups`."""
    if value is None or isinstance(value, Mapping):
        return value or {}
    from ave_score.files.groups import check_groups

    return sound(*check_groups(Source(value)))


def named(
    values: object, types: tuple[type, ...], what: str = "run"
) -> Iterator[tuple[object, str | None]]:
    """Yield each of the given values, with the names of files; `types` are those of single values.

    Raises `UsageError` if a file is given twice, with `what` as its kind.
    """
    if isinstance(values, (*types, str, os.PathLike)):
        values = [values]
    if not isinstance(values, Iterable):
        raise wrong_type("a list of runs or of paths", values)
    if isinstance(values, Iterator):
        yield from ((value, None) for value in values)
        return
    given = list(values)
    paths = [value for value in given if isinstance(value, str | os.PathLike)]
    names = iter(run_names([Source(path) for path in paths], what))
    for value in given:
        yield value, next(names) if isinstance(value, str | os.PathLike) else None


def wrong_type(wanted: str, found: object) -> UsageError:
    """Return the error for an argument of a type that is not taken."""
    return UsageError(f"expected {wanted}, found {type(found).__name__}")


def kind_of(path: Path) -> FileKind:
    """Return the kind of a file, detected from its beginning."""
    from ave_score.files.sniff import sniff

    return sniff(Source(path))


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
