"""Checks of files of any kind."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ave_score.core.errors import UsageError
from ave_score.core.kinds import FileKind
from ave_score.core.model import Collection
from ave_score.core.open_questions import OpenGold
from ave_score.core.policies import Policies
from ave_score.files.check import Checked, check_file
from ave_score.files.source import Naming, Source

if TYPE_CHECKING:
    from ave_score.tasks.inputs import FileGiven, GoldGiven, Names


def check(
    path: FileGiven | Source,
    collection: GoldGiven | None = None,
    *,
    kind: FileKind | str | None = None,
    campaign: str = "qa-clef",
    threshold: float | None = None,
    columns: Names | None = None,
    values: Names | None = None,
) -> Checked:
    """Check a file and return all findings; defects of the file do not raise exceptions.

    Parameters
    ----------
    path
        The file to check, given as in `read_collection`.
    collection
        What the file belongs to: a collection, or answer sets for tables of responses. Without it,
        only the file itself is checked. If it has labels, judgements are compared with them; the
        labels of a path are not read, as in `ave-score check`.
    kind
        The expected kind, a `FileKind` or its value; by default it is recognised by the content.
    campaign
        The campaign whose letters a judged file uses.
    threshold
        The threshold that decides on answers, as in `Policies`: then runs need only confidences.
    columns, values
        As in `read_collection`.

    Returns
    -------
    Checked
        The findings, and the contents in numbers.

    Raises
    ------
    DefectError
        The collection is a path, and the file has errors.
    InputError
        The file cannot be read.
    UsageError
        The kind or the campaign does not exist.
    """
    wanted = None if kind is None else kind_named(kind)
    if isinstance(path, Source) and isinstance(collection, Collection | OpenGold | None):
        return check_file(path, wanted, collection, campaign)
    from ave_score.tasks.inputs import Inputs  # the command has read both

    inputs = Inputs(Policies(threshold=threshold), Naming(columns or {}, values or {}))
    return check_file(inputs.source(path, "file"), wanted, inputs.reference(collection), campaign)


def kind_named(kind: FileKind | str) -> FileKind:
    """Return a kind by its value; raises `UsageError` if there is none."""
    if kind not in list(FileKind):
        raise UsageError(f"no file kind {kind!r}, only {', '.join(FileKind)}")
    return FileKind(kind)
