"""Reading for Python callers: a value, or `DefectError` with everything that is wrong.

Findings that do not forbid scoring become an `AveScoreWarning` for each file.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Mapping
from typing import TypeVar

from ave_score.errors import AveScoreWarning, DefectError, UsageError
from ave_score.files.answer_sets import check_answer_sets
from ave_score.files.check import Checked, check_file
from ave_score.files.gold import check_collection
from ave_score.files.groups import check_groups
from ave_score.files.judged import check_judged, check_judged_gold
from ave_score.files.qa4mre import check_answers
from ave_score.files.responses import check_responses
from ave_score.files.run import check_run
from ave_score.files.scores import VerifierScores, check_scores
from ave_score.files.source import Naming, Source
from ave_score.findings import Findings
from ave_score.model import Collection, QARun, Run
from ave_score.open_questions import OpenGold, ResponseRun
from ave_score.rules import FileKind

Path = str | os.PathLike[str]
Value = TypeVar("Value")


def read_collection(path: Path, key: Path | None = None) -> Collection:
    """Read a collection (AVE, SPARTE or QA4MRE) with its gold labels.

    Parameters
    ----------
    path
        XML, perhaps compressed with gzip or xz; `-` is standard input.
    key
        Labels of a collection that has none: lines `q_id a_id VALIDATED|REJECTED|UNKNOWN`.

    Raises
    ------
    DefectError
        Something in the file, or in the key, forbids scoring against it.
    InputError
        A file cannot be read.
    """
    return _sound(*check_collection(Source(path), None if key is None else Source(key)))


def read_run(
    path: Path, collection: Collection, *, missing: str = "error", name: str | None = None
) -> Run:
    """Read an AVE run: lines `q_id a_id SELECTED|VALIDATED|REJECTED confidence`.

    Parameters
    ----------
    collection
        The collection of the run; every answer needs a line.
    missing
        `error`, or `rejected` to read answers without a line as REJECTED.
    name
        The run's name; by default the file name without suffixes.

    Raises
    ------
    DefectError, InputError
        As `read_collection`.
    """
    return _sound(*check_run(Source(path), collection.index, missing, name))


def read_judged(path: Path, collection: Collection, *, campaign: str = "qa-clef") -> list[QARun]:
    """Read the judged answers of QA systems: tab-separated, with a header.

    Returns one `QARun` per system, with its first answer to each question of the collection.
    `campaign` selects the meanings of the letters. Raises as `read_collection`.
    """
    return _sound(*check_judged(Source(path), collection, campaign))


def read_answers(
    path: Path,
    collection: Collection,
    *,
    campaign: str = "qa-clef",
    missing: str = "error",
    name: str | None = None,
) -> QARun:
    """Read the answers of a system (QA4MRE XML), judged by the labels of a collection.

    `missing` is `error`, or `rejected` to count questions that the run does not mention as
    unanswered. Raises as `read_collection`.
    """
    return _sound(*check_answers(Source(path), collection, campaign, missing, name))


def read_judged_gold(path: Path, *, campaign: str = "qa-clef") -> tuple[Collection, list[QARun]]:
    """Read a judged file as its own gold standard; return its questions and systems.

    Raises as `read_collection`.
    """
    return _sound(*check_judged_gold(Source(path), campaign))


def check(
    path: Path,
    collection: Collection | OpenGold | None = None,
    *,
    kind: FileKind | str | None = None,
    campaign: str = "qa-clef",
) -> Checked:
    """Check a file and return all findings; defects do not raise exceptions.

    Parameters
    ----------
    collection
        What the file belongs to: a collection, or answer sets for tables of responses. Without it,
        only the file itself is checked. If it has labels, judgements are compared with them;
        `ave-score check` does not read labels.
    kind
        The expected kind, a `FileKind` or its value; by default it is recognised by the content.
    campaign
        The campaign whose letters a judged file uses.

    Raises
    ------
    InputError
        The file cannot be read.
    UsageError
        The kind or the campaign does not exist.
    """
    if kind is not None and kind not in list(FileKind):
        raise UsageError(f"no file kind {kind!r}, only {', '.join(FileKind)}")
    wanted = None if kind is None else FileKind(kind)
    return check_file(Source(path), wanted, collection, campaign)


def read_groups(path: Path) -> dict[str, str]:
    """Read which group submitted which run: lines `run<TAB>group`. Raises as `read_collection`."""
    return _sound(*check_groups(Source(path)))


def read_scores(
    path: Path,
    collection: Collection | None = None,
    *,
    columns: Mapping[str, str] | None = None,
) -> VerifierScores:
    """Read the scores of a verifier; `decide` converts them to a run.

    The file is JSON Lines with the keys `q_id`, `score`, optionally `a_id`, `correct`, `question`
    and `answer`; a tab-separated table with these columns; or lines `q_id a_id score`.

    Parameters
    ----------
    collection
        The collection of the answers. Each needs one score; the run can be scored against it.
    columns
        The file's own names of columns or keys: `{"q_id": "problem", "score": "reward"}`.

    Raises
    ------
    DefectError, InputError
        As `read_collection`.
    UsageError
        `columns` has an unknown key, or names a column twice.
    """
    naming = Naming(columns or {})
    naming.check()
    return _sound(*check_scores(Source(path, naming), collection))


def read_answer_sets(path: Path) -> OpenGold:
    """Read questions with their correct answers or nuggets: JSON, or XML of the same content.

    Raises as `read_collection`.
    """
    return _sound(*check_answer_sets(Source(path)))


def read_responses(path: Path, gold: OpenGold, *, name: str | None = None) -> list[ResponseRun]:
    """Read the responses of systems: tab-separated, with a header, for one or more runs.

    `gold` holds the questions. `name` is the run's name if the file has no column for it; by
    default the file name without suffixes. Raises as `read_collection`.
    """
    return _sound(*check_responses(Source(path), gold, name))


def _sound(value: Value | None, found: list[Findings]) -> Value:
    """Return the value of a check; raise `DefectError` for errors, and warn of other findings."""
    if value is None:
        raise DefectError(next(part for part in found if part.errors))
    for part in found:
        if len(part):
            warnings.warn(part.brief(), AveScoreWarning, stacklevel=3)
    return value
