"""Any file checked as what it is, or as what it was said to be; what was submitted, read."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple, Protocol, cast

from ave_score.errors import UsageError
from ave_score.files.contents import Contents, Examined
from ave_score.files.sniff import is_table, other_format, refused, sniff
from ave_score.files.source import Source
from ave_score.findings import Findings
from ave_score.kinds import KINDS, FileKind
from ave_score.model import Collection, QARun, Run

if TYPE_CHECKING:
    from ave_score.open_questions import OpenGold

Submitted = tuple[list[Run | QARun] | None, list[Findings]]
"""What can be scored of a file, None where a finding forbids that, and the findings."""


class _Module(Protocol):
    """What the module of a kind has; most files are runs, so it is imported when it is needed."""

    def examine(
        self, source: Source, beside: Collection | OpenGold | None, campaign: str, /
    ) -> Examined:
        """Check a file, perhaps beside what files of its kind are about."""

    def submitted(
        self, source: Source, collection: Collection, campaign: str, missing: str, name: str | None
    ) -> Submitted:
        """Read what can be scored; of kinds that can be."""


class Checked(NamedTuple):
    """A file that was checked.

    Attributes
    ----------
    path
        The file, as the user named it.
    kind
        What it was read as; None if it could not be read at all.
    findings
        What is wrong with it.
    contents
        What it holds, if nothing forbids scoring it.
    unreadable
        Why it could not be read, if so.
    """

    path: str
    kind: FileKind | None
    findings: Findings
    contents: Contents | None = None
    unreadable: str | None = None


def check_file(
    source: Source,
    kind: FileKind | None = None,
    collection: Collection | OpenGold | None = None,
    campaign: str = "qa-clef",
) -> Checked:
    """Check one file.

    Parameters
    ----------
    kind
        What the file is to be. Where it is None the file itself tells; but beside a collection all
        but runs and answers are runs gone wrong, so that nothing else gets through where runs are
        handed in, least of all a table that brings its own judgements.
    collection
        What runs, answers, keys and judged files are about. Judgements are compared with its
        labels, if it has some; `ave-score check` gives one without. Beside answer sets a file is
        taken for a table of responses to their questions.
    campaign
        What the letters of judged files mean, a key of `CAMPAIGNS`.

    Raises
    ------
    InputError
        The file cannot be read.
    UsageError
        The file is to be something that is not about answer sets, which were given.
    """
    found = kind
    if collection is not None and not isinstance(collection, Collection):
        if kind not in (None, FileKind.RESPONSES):
            told = "holds answer sets: only responses are checked against these"
            raise UsageError(f"{collection.path} {told}")
        found = FileKind.RESPONSES
    elif found is None:
        found = sniff(source)
    if isinstance(collection, Collection):
        wrong = refused(source, found, collection) if KINDS[found].is_submitted else None
        if wrong is not None:
            return Checked(source.path, found, wrong)
        if kind is None and is_table(found):
            hint = f"; --kind {found} checks it as that"
            return Checked(source.path, FileKind.RUN, _no_run(source, found, hint))
        if kind is None and found is not FileKind.ANSWERS:
            found = FileKind.RUN
    contents, (findings, *_) = _module(found).examine(source, collection, campaign)
    return Checked(source.path, found, findings, contents)


def check_submission(
    source: Source,
    collection: Collection,
    campaign: str = "qa-clef",
    missing: str = "error",
    name: str | None = None,
) -> Submitted:
    """Read lines about answers, a system's answers (XML), or a judged file, whichever it is.

    Returns what can be scored, one run or the systems of a judged file, with the findings; None
    where a finding forbids scoring. See `check_run`, `check_answers` and `check_judged`.
    """
    kind = sniff(source)
    wrong = refused(source, kind, collection)
    hint = KINDS[kind].no_run
    if wrong is None and hint:
        wrong = _no_run(source, kind, hint)
    if wrong is not None:
        return None, [wrong]
    as_kind = kind if KINDS[kind].is_submitted else FileKind.RUN
    return _module(as_kind).submitted(source, collection, campaign, missing, name)


def _no_run(source: Source, kind: FileKind, hint: str) -> Findings:
    return other_format(source, kind, "an AVE run", hint)


def _module(kind: FileKind) -> _Module:
    return cast("_Module", import_module(f"ave_score.files.{KINDS[kind].module}"))
