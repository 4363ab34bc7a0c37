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
from ave_score.files.source import Source
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
        What the run is about; every answer of it needs a line.
    missing
        `error`, or `rejected` to take answers without a line as REJECTED.
    name
        The run's name; its file name without suffixes where not given.

    Raises
    ------
    DefectError, InputError
        As `read_collection`.
    """
    return _sound(*check_run(Source(path), collection.index, missing, name))


def read_judged(path: Path, collection: Collection, *, campaign: str = "qa-clef") -> list[QARun]:
    """Read the judged answers of QA systems: tab-separated, with a header.

    Returns one `QARun` a system, with its first answer to each question of the collection.
    `campaign` chooses what the letters mean. Raises as `read_collection`.
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
    """Read what a system answered (QA4MRE XML), judged by the labels of a collection.

    `missing` is `error`, or `rejected` to take questions that the run does not mention as
    unanswered. Raises as `read_collection`.
    """
    return _sound(*check_answers(Source(path), collection, campaign, missing, name))


def read_judged_gold(path: Path, *, campaign: str = "qa-clef") -> tuple[Collection, list[QARun]]:
    """Read a judged file as its own gold standard: its questions, and its systems.

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
    """Say everything that is wrong with a file, as values; no defect raises anything.

    Parameters
    ----------
    collection
        What the file is about. Without, everything that can be known without it is checked. With
        labels, judgements are compared with them; `ave-score check` looks at none. Answer sets are
        what tables of responses are about.
    kind
        What the file is to be, one of `FileKind` or its value; None: as `ave-score check` tells it.
    campaign
        What the letters of a judged file mean.

    Raises
    ------
    InputError
        The file cannot be read.
    UsageError
        There is no such kind, or no such campaign.
    """
    if kind is not None and kind not in list(FileKind):
        raise UsageError(f"no kind {kind!r} of files, only {', '.join(FileKind)}")
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
    """Read the scores that a verifier gave to answers; `decide` makes a run of them.

    JSON Lines with keys `q_id`, `score` and perhaps `a_id`, `correct`, `question` and `answer`; a
    tab-separated table with these columns; or lines `q_id a_id score`.

    Parameters
    ----------
    collection
        What the answers are those of: each needs one score, and the run can be scored against it.
    columns
        What the file calls some of its columns or keys: `{"q_id": "problem", "score": "reward"}`.

    Raises
    ------
    DefectError, InputError
        As `read_collection`.
    UsageError
        `columns` names nothing that there is, or one thing twice.
    """
    return _sound(*check_scores(Source(path), collection, columns))


def read_answer_sets(path: Path) -> OpenGold:
    """Read questions with their correct answers or nuggets: JSON, or XML of the same content.

    Raises as `read_collection`.
    """
    return _sound(*check_answer_sets(Source(path)))


def read_responses(path: Path, gold: OpenGold, *, name: str | None = None) -> list[ResponseRun]:
    """Read what systems answered: tab-separated, with a header, perhaps of several runs.

    `gold` is what they were asked; `name` is that of a run which no column names, its file name
    without suffixes where not given. Raises as `read_collection`.
    """
    return _sound(*check_responses(Source(path), gold, name))


def _sound(value: Value | None, found: list[Findings]) -> Value:
    """Return the value of a check, or raise what forbids it; warn of what does not."""
    if value is None:
        raise DefectError(next(part for part in found if part.errors))
    for part in found:
        if len(part):
            warnings.warn(part.brief(), AveScoreWarning, stacklevel=3)
    return value
