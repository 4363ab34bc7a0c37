"""Checks of files of any kind."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ave_score.core.choice import EVERYTHING, Choice
from ave_score.core.errors import UsageError
from ave_score.core.kinds import FileKind
from ave_score.core.model import Collection
from ave_score.core.open_questions import OpenGold
from ave_score.core.policies import Policies
from ave_score.files.check import Checked, check_file
from ave_score.files.sniff import has_systems, sniff
from ave_score.files.source import Naming, Source

if TYPE_CHECKING:
    from ave_score.tasks.given import FileGiven, GoldGiven, Names


def check(  # noqa: PLR0913 - one for each question, all optional
    path: FileGiven | Source,
    collection: GoldGiven | None = None,
    *,
    kind: FileKind | str | None = None,
    campaign: str = "qa-clef",
    missing: str = "error",
    threshold: float | None = None,
    logs: Choice | None = None,
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
    missing
        Treatment of answers that the file lacks, as in `Policies`.
    threshold
        The threshold that decides on answers, as in `Policies`: then runs need only confidences.
    logs
        What is chosen of a log whose system is scored, as in `Policies`. A log is checked as the
        system that `score` makes of it, unless `kind` is scores: then as what `decide` ranks.
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
    policies = Policies(campaign=campaign, missing=missing, logs=logs)
    wanted = None if kind is None else kind_named(kind)
    source, reference = path, collection
    if not (isinstance(source, Source) and isinstance(reference, Collection | OpenGold | None)):
        from ave_score.tasks.inputs import Inputs  # the command has read both

        choice = logs or EVERYTHING if wanted is FileKind.SCORES else EVERYTHING
        naming = Naming(columns or {}, values or {}, choice)
        inputs = Inputs(Policies(threshold=threshold), naming)
        source, reference = inputs.source(path, "file"), inputs.reference(collection)
    if wanted is None and reference is None and is_system_log(source):
        from ave_score.tasks.check_logs import check_logs, read_system_log  # few are logs

        (checked,) = check_logs([read_system_log(source)], policies.logs, missing)
        return checked
    return check_file(source, wanted, reference, campaign, missing)


def is_system_log(source: Source) -> bool:
    """Tell whether a file is checked as the log of a system if no kind is given."""
    return has_systems(source) and sniff(source) is FileKind.SCORES


def kind_named(kind: FileKind | str) -> FileKind:
    """Return a kind by its value; raises `UsageError` if there is none."""
    if kind not in list(FileKind):
        raise UsageError(f"no file kind {kind!r}, only {', '.join(FileKind)}")
    return FileKind(kind)
