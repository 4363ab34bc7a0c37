"""Check a file of any kind, detected or given; read submissions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, cast

from ave_score.core.errors import UsageError, for_one_file
from ave_score.core.findings import Findings
from ave_score.core.kinds import KINDS, FileKind
from ave_score.core.model import Collection, QARun, Run
from ave_score.files.contents import Checking, Contents
from ave_score.files.sniff import has_systems, is_table, kind_beside, other_format, refused, sniff
from ave_score.files.source import Source

if TYPE_CHECKING:
    import pandas as pd

    from ave_score.core.open_questions import OpenGold

Submitted = tuple[list[Run | QARun] | None, list[Findings]]
"""The runs of a file, None if a finding prevents scoring, and the findings."""


class _Module(Protocol):
    """The module of a kind, imported on demand because most files are runs."""

    def examine(
        self,
        source: Source,
        beside: Collection | OpenGold | None,
        letters: str,
        missing: str,
        name: str | None,
        /,
    ) -> Checking:
        """Check a file, optionally against a collection or answer sets; `name` is that of a run."""

    def contents(self, value: Any, /) -> Contents:  # noqa: ANN401 - of any kind
        """Describe what a file holds in numbers."""


class Checked(NamedTuple):
    """The result of checking a file.

    Attributes
    ----------
    path
        The file, as the user named it.
    kind
        The kind it was read as; None if the file could not be read.
    findings
        Its findings.
    contents
        Its contents in numbers, if nothing prevents scoring it.
    unreadable
        Why it could not be read, or None.
    collection
        The file of the collection that a campaign scores it against, or None.
    read_with
        The options by which a command reads it as a campaign does.
    """

    path: str
    kind: FileKind | None
    findings: Findings
    contents: Contents | None = None
    unreadable: str | None = None
    collection: str | None = None
    read_with: Sequence[str] = ()

    def __repr__(self) -> str:
        return f"<Checked {self.kind}: {self.findings.summary()}>"

    def __str__(self) -> str:
        return str(self.findings)

    def _repr_html_(self) -> str:
        return self.findings._repr_html_()

    def to_frame(self) -> pd.DataFrame:
        """Return a pandas frame with a row for each finding."""
        return self.findings.to_frame()


@for_one_file
def check_file(
    source: Source,
    kind: FileKind | None = None,
    collection: Collection | OpenGold | None = None,
    letters: str = "qa-clef",
    missing: str = "error",
    settled: Callable[[FileKind, Any], Any] = lambda _, value: value,
) -> Checked:
    """Check one file; a log as the scores of verifiers.

    Parameters
    ----------
    source
        The file.
    kind
        The expected kind; None detects it. If a collection is given, every file that is not
        detected as answers is checked as a run, so that no other file passes for a submission,
        least of all a table with its own judgements.
    collection
        The collection of runs, answers, keys and judged files. Judgements are compared with its
        labels, if it has any; `ave-score check` passes one without labels. With answer sets, the
        file is checked as a table of responses.
    letters
        The meaning of the letters, a key of `LETTERS`.
    missing
        A choice of `Policies.missing`, for answers that a run lacks.
    settled
        Returns the contents of a file of a kind as they are scored, to be described.

    Returns
    -------
    Checked
        The kind, the findings and the contents.

    Raises
    ------
    InputError
        The file cannot be read.
    UsageError
        Answer sets are given, but `kind` is not responses.
    """
    read_as = kind
    if collection is not None and not isinstance(collection, Collection):
        if kind not in (None, FileKind.RESPONSES):
            problem = "holds answer sets: only responses are checked against these"
            raise UsageError(f"{collection.path} {problem}")
        read_as = FileKind.RESPONSES
    elif read_as is None:
        read_as = sniff(source) if collection is None else kind_beside(source, collection)
    if isinstance(collection, Collection):
        wrong = refused(source, read_as, collection) if KINDS[read_as].is_submitted else None
        if wrong is not None:
            return Checked(source.path, read_as, wrong)
        if kind is None and is_table(read_as):
            hint = f"{KINDS[read_as].no_run}; --kind {read_as} checks it as that"
            return Checked(source.path, FileKind.RUN, _no_run(source, read_as, hint))
        if kind is None and not KINDS[read_as].is_submitted:
            read_as = FileKind.RUN
    module = _module(read_as)
    value, (findings, *_) = module.examine(source, collection, letters, missing, None)
    contents = None if value is None else module.contents(settled(read_as, value))
    return Checked(source.path, read_as, findings, contents)


@for_one_file
def check_submission(
    source: Source,
    collection: Collection,
    letters: str = "qa-clef",
    missing: str = "error",
    name: str | None = None,
) -> Submitted:
    """Read a run, a system's answers (XML) or a judged file; the kind is detected.

    Returns the run, or the systems of a judged file, with the findings; None if a finding prevents
    scoring. See `check_run`, `check_answers` and `check_judged`.
    """
    kind = kind_beside(source, collection)
    wrong = refused(source, kind, collection)
    hint = KINDS[kind].no_run
    if kind is FileKind.SCORES and has_systems(source):
        hint = "; `ave-score decide` makes a run of it; without COLLECTION it is a system"
    if wrong is None and hint:
        wrong = _no_run(source, kind, hint)
    if wrong is not None:
        return None, [wrong]
    as_kind = kind if KINDS[kind].is_submitted else FileKind.RUN
    value, findings = _module(as_kind).examine(source, collection, letters, missing, name)
    return [value] if isinstance(value, Run | QARun) else value, findings


def _no_run(source: Source, kind: FileKind, hint: str) -> Findings:
    return other_format(source, kind, "an AVE run", hint)


def _module(kind: FileKind) -> _Module:
    return cast("_Module", import_module(f"ave_score.files.{KINDS[kind].module}"))
