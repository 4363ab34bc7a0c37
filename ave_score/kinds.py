"""Every kind of file in one record: its names, how it is recognised, what it may stand beside.

Whoever lists kinds reads them here. The module of `ave_score.files` that a record names is imported
when a file of the kind is met; it has a function `examine` (see `files.check`), and `submitted`
where files of the kind can be scored.
"""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple


class Header(NamedTuple):
    """How a table is recognised by the names of its columns.

    Attributes
    ----------
    columns
        Columns of such a table.
    least
        How many of them are enough; all are needed where it is 0.
    without
        A pattern of names that no such table has.
    alone
        Whether there are no other columns.
    """

    columns: frozenset[str]
    least: int = 0
    without: str = ""
    alone: bool = False


class Record(NamedTuple):
    """What there is to say of a kind of file.

    Attributes
    ----------
    module
        The module of `ave_score.files` that reads and checks such files.
    plural
        What several are called.
    called
        What messages call one that was found in the place of another.
    has_lines
        Whether it is text that is read line by line.
    xml
        The names of its root element, and perhaps of the first element that tells.
    json_key
        A key that a document in JSON has somewhere.
    line_key
        A key of the objects of JSON Lines.
    setting
        A pattern of a line that only such a file has.
    header
        The columns of its tables.
    is_submitted
        Whether participants hand in such files, which are about the answers of a collection.
    needs_questions, needs_candidates
        Whether it means nothing for text-hypothesis pairs, and beside a judged file.
    no_run
        Where it is not scored as a run though it may be given as one: the end of the message.
    """

    module: str
    plural: str
    called: str
    has_lines: bool = False
    xml: tuple[str, ...] = ()
    json_key: str = ""
    line_key: str = ""
    setting: str = ""
    header: Header | None = None
    is_submitted: bool = False
    needs_questions: bool = False
    needs_candidates: bool = True
    no_run: str = ""


class FileKind(StrEnum):
    """What a file is read as; `KINDS` has a record of each."""

    RUN = "run"
    COLLECTION = "collection"
    KEY = "key"
    JUDGED = "judged"
    GROUPS = "groups"
    QUESTIONS = "questions"
    ANSWERS = "answers"
    CAMPAIGN = "campaign"
    SCORES = "scores"
    ANSWER_SETS = "answer-sets"
    RESPONSES = "responses"


KINDS: dict[FileKind, Record] = {
    FileKind.RUN: Record("run", "runs", "a run", has_lines=True, is_submitted=True),
    FileKind.COLLECTION: Record("gold", "collections", "a collection (XML)"),
    # a key looks like a run that has lost its confidences, so nothing recognises it
    FileKind.KEY: Record("key", "keys", "a key file", has_lines=True),
    FileKind.SCORES: Record(
        "scores",
        "scored answers",
        "the scores of a verifier",
        has_lines=True,
        line_key="score",
        # judged answers and runs may call a confidence so
        header=Header(frozenset(["q_id", "score"]), without="judgement|verdict"),
        is_submitted=True,
        needs_questions=True,
        no_run="; `ave-score decide` makes a run of them",
    ),
    FileKind.RESPONSES: Record(
        "responses",
        "responses",
        "a table of responses",
        has_lines=True,
        # a judged file has answers, too, however it spells its judgements
        header=Header(frozenset(["q_id", "answer"]), without="question|(?i:judg.*)"),
        no_run="; they are scored against answer sets",
    ),
    FileKind.JUDGED: Record(
        "judged",
        "judged files",
        "a table of judged answers",
        has_lines=True,
        header=Header(frozenset(["q_id", "run", "judgement"]), least=2),
        is_submitted=True,
        needs_questions=True,
        needs_candidates=False,
    ),
    FileKind.QUESTIONS: Record(
        "questions",
        "questions",
        "a table of questions",
        has_lines=True,
        header=Header(frozenset(["q_id", "question"])),
    ),
    FileKind.GROUPS: Record(
        "groups",
        "groups",
        "a table of groups",
        has_lines=True,
        header=Header(frozenset(["run", "group"]), alone=True),
    ),
    FileKind.ANSWERS: Record(
        "qa4mre",
        "answers",
        "the answers of a system",
        xml=("output",),
        is_submitted=True,
        needs_questions=True,
    ),
    FileKind.CAMPAIGN: Record(
        "campaign", "campaigns", "a campaign file", setting=r"[ \t]*\[[ \t]*editions[ \t]*\."
    ),
    FileKind.ANSWER_SETS: Record(
        "answer_sets",
        "answer sets",
        "answer sets",
        xml=("questions", "question"),
        json_key="questions",
        no_run="; responses are scored against them",
    ),
}
"""Kind -> its record. A table is of the first of these kinds whose header it has."""

TEXT_TABLES = tuple(kind for kind in FileKind if KINDS[kind].has_lines and kind is not FileKind.RUN)
"""The kinds of text that is read line by line, besides runs."""
