"""One record per kind of file: its names, how it is recognised, what it can be combined with.

Every list of kinds is made from these records. The module of `ave_score.files` that a record names
is imported on demand. It has a function `examine` (see `files.check`), and `submitted` if files of
the kind can be scored.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import NamedTuple


class Header(NamedTuple):
    """How a table is recognised by its column names.

    Attributes
    ----------
    columns
        Columns of such a table.
    least
        How many of them are required; 0 means all.
    any_of
        Columns of which such a table has one, too.
    without
        A pattern of column names that such a table never has.
    alone
        Whether other columns are excluded.
    """

    columns: frozenset[str]
    least: int = 0
    any_of: frozenset[str] = frozenset()
    without: str = ""
    alone: bool = False


_USUAL_NAMES = {
    "q_id": ("q_id", "question_id", "query-id"),
    "a_id": ("a_id", "answer_id", "corpus-id"),
}
"""Columns with several usual names; the last ones are those of BEIR."""


COLUMNS = frozenset(
    [
        *("q_id", "a_id", "pair_id", "verdict", "confidence", "label", "question", "answer"),
        *("text", "doc", "grade", "lang", "hypothesis", "score", "correct", "run", "judgement"),
        *("answered", "nuggets", "topic", "team", "cluster", "answer_key", "replicate"),
    ]
)
"""The columns of all tables."""


IN_RUNS = {"q_id": "question", "a_id": "answer"}
"""Columns of ids -> what they may be called in runs, which have no texts."""


OF_PAIRS = {"pair_id": "id", "label": "value", "verdict": "value"}
"""What records of two columns call those of pairs, as at PAN: `{"id": "p1", "value": 0.9}`."""


def usual_names(column: str) -> tuple[str, ...]:
    """Return the names that a column has without `--columns`."""
    return _USUAL_NAMES.get(column, (column,))


class Record(NamedTuple):
    """A kind of file.

    Attributes
    ----------
    module
        The module of `ave_score.files` that reads and checks such files.
    plural
        The plural, for messages.
    called
        The singular, for messages about a file of the wrong kind.
    has_lines
        Whether it is read line by line.
    xml
        The name of its root element, optionally followed by a distinctive element.
    json_key
        A key that occurs in its JSON documents.
    line_key
        A key of its JSON Lines objects.
    setting
        A pattern of a line that only such files contain.
    line
        A pattern of most of its lines, which have no header.
    damaged_line
        A pattern of at least half of its lines if these are damaged and of no kind.
    header
        The columns of its tables.
    is_submitted
        Whether participants submit such files about the answers of a collection.
    has_systems
        Whether what participants submit are answers of QA systems, and not verdicts.
    gold
        The gold standard that it is part of, or is scored against: a key of `STANDARDS`; "" if any.
    needs_questions, needs_candidates
        Whether it does not apply to pairs, or with a judged file as the gold standard.
    no_run
        The end of the message if it is given as a run but cannot be scored as one.
    fields, has_tabs
        The fields of its lines without a header, if it may have such lines, and whether tabs
        separate them, and not any blanks.
    types
        The columns of numbers and truth values in its tables; all others are texts.
    quotes_tabs
        Whether its tab-separated tables may have quotes.
    is_convertible
        Whether it can be written in another notation.
    suffix
        The end of the names of its example files.
    """

    module: str
    plural: str
    called: str
    has_lines: bool = False
    xml: tuple[str, ...] = ()
    json_key: str = ""
    line_key: str = ""
    setting: str = ""
    line: str = ""
    damaged_line: str = ""
    header: Header | None = None
    is_submitted: bool = False
    has_systems: bool = False
    gold: str = ""
    needs_questions: bool = False
    needs_candidates: bool = True
    no_run: str = ""
    fields: tuple[str, ...] = ()
    has_tabs: bool = False
    types: Mapping[str, type] = {}
    quotes_tabs: bool = False
    is_convertible: bool = False
    suffix: str = ""


class LogRecord(NamedTuple):
    """A log of another program, which is read as scores of verifiers, or as systems.

    Attributes
    ----------
    reader
        The class that reads it: `module.Class` in `ave_score.files`.
    start
        A pattern of its first bytes.
    keys
        Keys that distinguish its first line, a JSON object.
    has_systems
        Whether it tells what a system answers, and whether that is right.
    """

    reader: str
    start: bytes = b""
    keys: frozenset[str] = frozenset()
    has_systems: bool = True


LOGS = (
    LogRecord(
        "inspect_log.InspectLog",
        # an archive (`.eval`), or a JSON document
        rb"(?s)PK\x03\x04.{26}(?:_journal/|samples/|header\.json)"
        rb'|[\s\xef\xbb\xbf]*\{\s*"version"\s*:\s*[0-9]+\s*,\s*"status"\s*:',
    ),
    LogRecord("lm_eval.LmEvalLog", keys=frozenset(["resps"])),
    LogRecord("samples.SamplesLog", keys=frozenset(["samples", "scores"]), has_systems=False),
)
"""The record of each log. A file is of the first that its beginning matches."""


class FileKind(StrEnum):
    """The kind of a file; `KINDS` has a record for each."""

    RUN = "run"
    COLLECTION = "collection"
    KEY = "key"
    JUDGED = "judged"
    TEAMS = "teams"
    TIMES = "times"
    QUESTIONS = "questions"
    ANSWERS = "answers"
    CAMPAIGN = "campaign"
    SCORES = "scores"
    ANSWER_SETS = "answer-sets"
    RESPONSES = "responses"
    QRELS = "qrels"
    TREC_RUN = "trec-run"


KINDS: dict[FileKind, Record] = {
    FileKind.RUN: Record(
        "run",
        "runs",
        "a run",
        gold="collections",
        has_lines=True,
        header=Header(
            frozenset(["verdict"]), any_of=frozenset(["q_id", "pair_id"]), without="(?i:judg.*)"
        ),
        is_submitted=True,
        fields=("q_id", "a_id", "verdict", "confidence"),
        types={"confidence": float},
        quotes_tabs=True,
        is_convertible=True,
        suffix=".txt",
    ),
    FileKind.COLLECTION: Record(
        "gold",
        "collections",
        "a collection",
        gold="collections",
        header=Header(
            frozenset(["label", "question", "answer", "text", "hypothesis"]),
            least=1,
            any_of=frozenset(["a_id", "pair_id"]),
            without="verdict|score|run|(?i:judg.*)",
        ),
        types={"grade": int},
        quotes_tabs=True,
        is_convertible=True,
        suffix=".xml",
    ),
    # a key looks like a run without confidences, so it is not recognised
    FileKind.KEY: Record(
        "key",
        "keys",
        "a key file",
        gold="collections",
        has_lines=True,
        fields=("q_id", "a_id", "label"),
        quotes_tabs=True,
        is_convertible=True,
        suffix=".key.txt",
    ),
    FileKind.SCORES: Record(
        "scores",
        "scored answers",
        "the scores of a verifier",
        has_lines=True,
        line_key="score",
        # judged answers and runs may have a column of this name
        header=Header(frozenset(["q_id", "score"]), without="judgement|verdict"),
        is_submitted=True,
        needs_questions=True,
        no_run="; `ave-score decide` makes a run of them",
        fields=("q_id", "a_id", "score"),
        types={"score": float, "correct": bool},
        is_convertible=True,
        suffix=".scores.jsonl",
    ),
    FileKind.RESPONSES: Record(
        "responses",
        "responses",
        "a table of responses",
        gold="answer sets",
        has_lines=True,
        # a judged file has this column, too, whatever it calls its judgements
        header=Header(frozenset(["q_id", "answer"]), without="question|(?i:judg.*)"),
        no_run="; they are scored against answer sets",
        is_convertible=True,
        suffix=".responses.tsv",
    ),
    FileKind.JUDGED: Record(
        "judged",
        "judged files",
        "a table of judged answers",
        gold="collections",
        has_lines=True,
        header=Header(frozenset(["q_id", "run", "judgement"]), least=2),
        is_submitted=True,
        has_systems=True,
        needs_questions=True,
        needs_candidates=False,
        types={"confidence": float, "score": float},
        is_convertible=True,
        suffix=".tsv",
    ),
    FileKind.QUESTIONS: Record(
        "questions",
        "questions",
        "a table of questions",
        has_lines=True,
        header=Header(frozenset(["q_id", "question"])),
        is_convertible=True,
        suffix=".questions.tsv",
    ),
    FileKind.TEAMS: Record(
        "teams",
        "teams",
        "a table of teams",
        has_lines=True,
        header=Header(frozenset(["run", "team", "system", "primary"]), least=2, alone=True),
        fields=("run", "team"),
        has_tabs=True,
        is_convertible=True,
        suffix=".teams.tsv",
    ),
    FileKind.TIMES: Record(
        "times",
        "times",
        "a table of times of submission",
        has_lines=True,
        # a name and a date, whatever the header
        setting=r"[^\t,;\r\n]+[\t,;][ \t]*\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d[^\t,;\r\n]*)?(?=\r|$)",
        header=Header(frozenset(["run", "submitted"]), alone=True),
        suffix=".times.tsv",
    ),
    FileKind.ANSWERS: Record(
        "qa4mre",
        "answers",
        "the answers of a system",
        gold="collections",
        xml=("output",),
        is_submitted=True,
        has_systems=True,
        needs_questions=True,
        suffix=".answers.xml",
    ),
    FileKind.CAMPAIGN: Record(
        "campaign",
        "campaigns",
        "a campaign file",
        setting=r"[ \t]*\[[ \t]*editions[ \t]*\.",
        suffix=".campaign.toml",
    ),
    FileKind.ANSWER_SETS: Record(
        "answer_sets",
        "answer sets",
        "answer sets",
        gold="answer sets",
        json_key="questions",
        no_run="; responses are scored against them",
        suffix=".answer-sets.json",
    ),
    FileKind.QRELS: Record(
        "qrels",
        "qrels",
        "qrels",
        gold="qrels",
        has_lines=True,
        # unless the second field is 0, the third has letters and others: no word, no number
        line=r"[ \t]*\S+[ \t]+Q?(?:0[ \t]+(?![A-Z]+TED[ \t])"
        r"|[0-9.]+[ \t]+(?=[^ \t]*[A-Za-z])(?=[A-Za-z]*[^A-Za-z \t]))"
        r"\S+[ \t]+[+-]?[0-9]{1,2}[ \t]*",
        # after a 0 the name or the number of a document, perhaps another grade, or one field more
        damaged_line=r"[ \t]*\S+[ \t]+Q?0[ \t]+(?:(?=[^ \t]*[A-Za-z])(?=[A-Za-z]*[^A-Za-z \t])\S+"
        r"|[0-9]{4,})(?:[ \t]+\S+){0,2}[ \t]*",
        fields=("topic", "iter", "doc", "grade"),
        no_run="; runs are scored against them",
        is_convertible=True,
        suffix=".qrels.txt",
    ),
    FileKind.TREC_RUN: Record(
        "trec",
        "TREC runs",
        "a TREC run",
        gold="qrels",
        has_lines=True,
        # any second field, as in trec_eval, if what follows is no verdict, then a rank and a number
        line=r"[ \t]*\S+[ \t]+(?:Q0(?:[ \t]+\S+){3}|\S+[ \t]+(?![A-Z]+TED[ \t])\S+[ \t]+[+-]?[0-9]+"
        r"[ \t]+[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)[ \t]+\S+[ \t]*",
        is_submitted=True,
        fields=("topic", "Q0", "doc", "rank", "score", "tag"),
        suffix=".trec-run.txt",
    ),
}
"""The record of each kind. A table is of the first kind whose header matches."""

TEXT_TABLES = tuple(kind for kind in FileKind if KINDS[kind].has_lines and kind is not FileKind.RUN)
"""The kinds that are read line by line, except runs."""
