"""Reading for Python callers: a value, or `DefectError` with everything that is wrong.

Findings that do not forbid scoring become an `AveScoreWarning` for each file.
"""

from __future__ import annotations

from typing import Literal, Unpack

from ave_score.core.choice import Choice
from ave_score.core.entrants import TableWords, checked, takes
from ave_score.core.errors import UsageError, check_type
from ave_score.core.model import Clusters, Collection, QARun, Run
from ave_score.core.open_questions import OpenGold, ResponseRun
from ave_score.files.answer_sets import check_answer_sets
from ave_score.files.judged import check_judged, check_judged_gold
from ave_score.files.naming import Naming
from ave_score.files.qa4mre import check_answers
from ave_score.files.responses import check_responses
from ave_score.files.run import check_run
from ave_score.files.scores import VerifierScores, one_verifier
from ave_score.files.teams import check_teams
from ave_score.files.trec import check_trec_run
from ave_score.rules import every_rule
from ave_score.tasks.given import CollectionGiven, FileGiven, Names, Path
from ave_score.tasks.inputs import Inputs


def read_collection(
    path: FileGiven,
    key: FileGiven | None = None,
    *,
    columns: Names | None = None,
    values: Names | None = None,
    texts: bool = False,
    labels: Literal["needed", "optional"] = "needed",
) -> Collection:
    """Read a collection (AVE, SPARTE or QA4MRE) with its gold labels, or qrels.

    Parameters
    ----------
    path
        XML, a table or JSON Lines, perhaps compressed with gzip or xz; `-` is standard input. Also
        an open file, a frame, a dictionary column -> values, or a list of dictionaries.
    key
        Labels of a collection that has none: lines `q_id a_id VALIDATED|REJECTED|UNKNOWN`, or a
        table; given as `path`.
    columns
        Column -> its name in the file: `{"q_id": "id"}`. Other columns have their usual names.
    values
        Word -> the label that it means: `{"true": "VALIDATED"}`.
    texts
        Whether to read the texts of questions and answers too, e.g. for `Collection.to_frame`.
    labels
        `optional` to take a collection without any labels, too.

    Returns
    -------
    Collection
        The ids and labels of its answers, grades and attributes; its texts if they were read.

    Raises
    ------
    DefectError
        Something in the file, or in the key, forbids scoring against it.
    InputError
        A file cannot be read.
    UsageError
        `columns`, `values` or `labels` name something unknown; the file is of a wrong type.
    """
    naming = Naming(columns or {}, values or {})
    if labels not in ("needed", "optional"):
        raise UsageError(f"no labels {labels!r}, only needed or optional")
    return Inputs(naming=naming).collection(path, key, labels=labels, with_texts=texts)


@takes(TableWords)
def read_judged_gold(
    path: FileGiven,
    *,
    letters: str = "qa-clef",
    missing: str = "error",
    **words: Unpack[TableWords],
) -> tuple[Collection, list[QARun]]:
    """Read a judged file as its own gold standard.

    Parameters
    ----------
    path
        Judged answers: tab-separated, with a header.
    letters
        The meaning of the letters, a key of `LETTERS`.
    missing
        `error`, or `rejected` to count questions that a system does not mention as unanswered, or
        `excluded` to leave them out of its scores. With `error` they count as answered wrongly.
    columns, values
        As in `read_collection`; words mean letters.

    Returns
    -------
    tuple of Collection and list of QARun
        Its questions, and its systems.

    Raises
    ------
    DefectError, InputError
        As `read_collection`.
    """
    inputs = Inputs(entrants=checked(words, TableWords))
    return inputs.read(check_judged_gold, inputs.source(path, "judged"), letters, missing)


def read_answer_sets(path: FileGiven) -> OpenGold:
    """Read questions with their correct answers or nuggets.

    Parameters
    ----------
    path
        JSON.

    Returns
    -------
    OpenGold
        The questions.

    Raises
    ------
    DefectError, InputError
        As `read_collection`.
    """
    inputs = Inputs()
    return inputs.read(check_answer_sets, inputs.source(path, "collection"))


def read_run(
    path: FileGiven,
    collection: CollectionGiven,
    *,
    missing: str = "error",
    name: str | None = None,
    columns: Names | None = None,
    values: Names | None = None,
) -> Run:
    """Read an AVE run: lines `q_id a_id SELECTED|VALIDATED|REJECTED confidence`; or a TREC run.

    Parameters
    ----------
    path
        The run, as lines, a table or JSON Lines, given as in `read_collection`.
    collection
        The collection of the run, or its path; every answer needs a line. With qrels, the run has
        lines `topic Q0 doc rank score tag`.
    missing
        `error`, or `rejected` to read answers without a line as REJECTED, or `unanswered` to leave
        the decisions on pairs open, or `excluded` to leave them out of the scores of the run.
    name
        The run's name; by default the file name without suffixes.
    columns, values
        As in `read_collection`; words mean verdicts.

    Returns
    -------
    Run
        The verdict and the confidence of each answer of the collection, or of those with a line.

    Raises
    ------
    DefectError, InputError
        As `read_collection`.
    """
    inputs = Inputs(naming=Naming(columns or {}, values or {}), told=every_rule)
    gold, source = Inputs().collection(collection), inputs.source(path, name or "run")
    if gold.standard.ranks_documents:
        return inputs.read(check_trec_run, source, gold, name, missing)
    return inputs.read(check_run, source, gold.index, missing, name)


@takes(TableWords)
def read_judged(
    path: FileGiven,
    collection: CollectionGiven,
    *,
    letters: str = "qa-clef",
    missing: str = "error",
    **words: Unpack[TableWords],
) -> list[QARun]:
    """Read the judged answers of QA systems.

    Parameters
    ----------
    path
        Judged answers: tab-separated, with a header.
    collection
        The collection with the questions, or its path.
    letters, missing
        As in `read_judged_gold`.
    columns, values
        As in `read_collection`; words mean letters.

    Returns
    -------
    list of QARun
        The first answer of each system to each question of the collection.

    Raises
    ------
    DefectError, InputError
        As `read_collection`.
    """
    inputs = Inputs(told=every_rule, entrants=checked(words, TableWords))
    source, gold = inputs.source(path, "judged"), inputs.collection(collection)
    return inputs.read(check_judged, source, gold, letters, missing)


def read_answers(
    path: FileGiven,
    collection: CollectionGiven,
    *,
    letters: str = "qa-clef",
    missing: str = "error",
    name: str | None = None,
) -> QARun:
    """Read the answers of a system (QA4MRE XML), judged by the labels of a collection.

    Parameters
    ----------
    path
        The answers of the system.
    collection
        The collection, or its path, with the questions and the right answers.
    letters
        The meaning of the letters, a key of `LETTERS`.
    missing
        `error`, or `rejected` to count questions that the run does not mention as unanswered, or
        `excluded` to leave them out.
    name
        The system's name; by default the file name without suffixes.

    Returns
    -------
    QARun
        Its judged answers.

    Raises
    ------
    DefectError, InputError
        As `read_collection`.
    """
    inputs = Inputs()
    source, gold = inputs.source(path, "run"), inputs.collection(collection)
    return inputs.read(check_answers, source, gold, letters, missing, name)


@takes(TableWords)
def read_responses(
    path: FileGiven, gold: OpenGold, *, name: str | None = None, **words: Unpack[TableWords]
) -> list[ResponseRun]:
    """Read the responses of systems to open questions.

    Parameters
    ----------
    path
        Tab-separated, with a header, for one or more runs.
    gold
        The questions.
    name
        The run's name if the file has no column for it; by default the file name without suffixes.
    columns, values
        As in `read_collection`; words mean judgements.

    Returns
    -------
    list of ResponseRun
        The responses of each run.

    Raises
    ------
    DefectError, InputError
        As `read_collection`.
    """
    check_type(gold, OpenGold)
    inputs = Inputs(entrants=checked(words, TableWords))
    return inputs.read(check_responses, inputs.source(path, "run"), gold, name)


@takes(TableWords)
def read_scores(
    path: FileGiven,
    collection: CollectionGiven | None = None,
    *,
    keys: bool = True,
    **words: Unpack[TableWords],
) -> VerifierScores:
    """Read the scores of a verifier; `decide` converts them to a run.

    Parameters
    ----------
    path
        JSON Lines with the keys `q_id`, `score`, optionally `a_id`, `correct`, `question` and
        `answer`; a table with these columns; or lines `q_id a_id score`.
    collection
        The collection of the answers, or its path. Each needs one score; the run can be scored
        against it.
    columns, values
        As in `read_collection`; words mean labels.
    keys
        Whether to read the keys of answers (`answer_key`), for the votes of `best_of_n`.

    Returns
    -------
    VerifierScores
        The score of each answer.

    Raises
    ------
    DefectError, InputError, UsageError
        As `read_collection`.
    """
    return one_verifier(read_verifiers(path, collection, keys=keys, **words))


@takes(TableWords)
def read_verifiers(
    path: FileGiven,
    collection: CollectionGiven | None = None,
    *,
    choice: Choice | None = None,
    keys: bool = True,
    **words: Unpack[TableWords],
) -> list[VerifierScores]:
    """Read the scores of all verifiers in a file: a log, or a table with several scores.

    Parameters
    ----------
    path, collection, columns, values, keys
        As `read_scores` takes them.
    choice
        The scorers and the filter of a log to use, by default every scorer with numbers; or the
        columns of a table with scores: `Choice(scores=("prm", "orm"))`.

    Returns
    -------
    list of VerifierScores
        The scores of each verifier, with its name.

    Raises
    ------
    DefectError, InputError
        As `read_collection`.
    UsageError
        It is not clear which scorer gives the correct answers, or what is chosen does not exist.
    """
    inputs = Inputs(entrants=checked(words, TableWords))
    return inputs.verifiers(path, collection, choice, with_keys=keys)


def read_teams(path: Path) -> dict[str, str]:
    """Read which team submitted which run.

    Parameters
    ----------
    path
        Lines `run<TAB>team`, perhaps with a column `primary`.

    Returns
    -------
    dict
        Run -> team; it keeps which runs are primary, for `score` and others.

    Raises
    ------
    DefectError, InputError
        As `read_collection`.
    """
    inputs = Inputs()
    return inputs.read(check_teams, inputs.source(path, "teams"))


def read_clusters(path: Path, gold: Collection | OpenGold) -> Clusters:
    """Read which questions belong together: to a passage, a topic, a type.

    Parameters
    ----------
    path
        A table of q_id and cluster (TSV), or the name of an attribute of the questions.
    gold
        The collection, or the answer sets, with the questions.

    Returns
    -------
    Clusters
        The cluster of each question.

    Raises
    ------
    DefectError, InputError
        As `read_collection`.
    """
    check_type(gold, Collection, OpenGold)
    return Inputs().clusters(path, gold)
