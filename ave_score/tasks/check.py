"""Checks of files of any kind."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Unpack

from ave_score.core.choice import EVERYTHING
from ave_score.core.choices import TIES_CHOICES
from ave_score.core.entrants import LimitedRuns, takes
from ave_score.core.entrants import checked as taken
from ave_score.core.errors import InputError, UsageError
from ave_score.core.kinds import KINDS, FileKind
from ave_score.core.model import Collection, QARun, Run
from ave_score.core.open_questions import OpenGold
from ave_score.core.policies import Policies
from ave_score.core.standards import JUDGED, STANDARDS, Standard
from ave_score.files.check import Checked, check_file
from ave_score.files.naming import Naming
from ave_score.files.sniff import has_systems, sniff
from ave_score.files.source import Source

if TYPE_CHECKING:
    from ave_score.tasks.given import FileGiven, GoldGiven


@takes(LimitedRuns)
def check(
    path: FileGiven | Source,
    collection: GoldGiven | None = None,
    *,
    kind: FileKind | str | None = None,
    policies: Policies | None = None,
    **words: Unpack[LimitedRuns],
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
    policies
        How the file is to be scored: what `score` refuses by these policies, is a finding or an
        error here, too. A log is checked as the system that `score` makes of it, unless `kind` is
        scores: then as what `decide` ranks.
    columns, values
        As in `read_collection`.
    max_per_topic, documents
        What TREC runs may have, as in `score`.

    Returns
    -------
    Checked
        The findings, and the contents in numbers.

    Raises
    ------
    DefectError
        The collection is a path, and the file has errors.
    InputError
        The file cannot be read, or cannot be scored by these policies.
    UsageError
        The kind does not exist, or a policy does not apply to the collection.
    """
    policies = policies or Policies()
    wanted = None if kind is None else kind_named(kind)
    source, reference = path, collection
    if not (isinstance(source, Source) and isinstance(reference, Collection | OpenGold | None)):
        from ave_score.tasks.inputs import Inputs  # the command has read both

        choice = policies.logs or EVERYTHING if wanted is FileKind.SCORES else EVERYTHING
        given = taken(words, LimitedRuns)
        naming = Naming.of(given)._replace(choice=choice)
        inputs = Inputs(policies, naming, entrants=given)
        source, reference = inputs.source(path, "file"), inputs.reference(collection)
        source.limits = inputs.limits
    if wanted is None and reference is None and is_system_log(source):
        from ave_score.tasks.check_logs import check_logs, read_system_log  # few are logs

        (checked,) = check_logs([read_system_log(source)], policies)
        return checked
    if wanted is not FileKind.SCORES:
        policies.check_no_log()
    if reference is not None:
        policies.for_gold(reference.standard)
        if source.limits is not None:
            source.limits.check_for(reference.standard)
    settled = partial(_settled, source, reference, policies)
    return check_file(source, wanted, reference, policies.letters, policies.missing, settled)


def _settled(
    source: Source,
    reference: Collection | OpenGold | None,
    policies: Policies,
    kind: FileKind,
    value: object,
) -> object:
    """Return a valid file as it is scored; raises `InputError` if policies refuse it."""
    of_kind = KINDS[kind]
    standard = STANDARDS[of_kind.gold or "collections"] if of_kind.needs_candidates else JUDGED
    if reference is not None:
        standard = reference.standard
    try:
        if reference is None and of_kind.gold:
            policies.check_for(standard)
        return _decided(value, policies, standard)
    except UsageError as problem:
        raise InputError(source.path, problem.for_commands) from None


def _decided(value: object, policies: Policies, standard: Standard) -> object:
    """Return what a threshold makes of a run or of systems; see whether they can be counted."""
    subjects, ties = value if isinstance(value, list) else [value], TIES_CHOICES[policies.ties]
    runs = [one for one in subjects if isinstance(one, Run | QARun)]
    chosen = {"epochs", "threshold", "ties"} & {*policies.chosen}
    if not (runs and chosen):
        return value
    from ave_score.counts.ranking import own_order  # few are checked by policies
    from ave_score.tasks.applied import as_aggregated, with_threshold

    if "epochs" in chosen:
        list(as_aggregated(runs, policies, standard))  # raises as `score` does
    decided = [with_threshold(run, policies, standard) for run in runs]
    for run in decided:
        if isinstance(run, Run) and ties.has_ranks:
            own_order(run, ties)
    return decided if isinstance(value, list) else decided[0]


def is_system_log(source: Source) -> bool:
    """Tell whether a file is checked as the log of a system if no kind is given."""
    return has_systems(source) and sniff(source) is FileKind.SCORES


def kind_named(kind: FileKind | str) -> FileKind:
    """Return a kind by its value; raises `UsageError` if there is none."""
    if kind not in list(FileKind):
        raise UsageError(f"no file kind {kind!r}, only {', '.join(FileKind)}")
    return FileKind(kind)
