"""AVE8xx: questions without candidates (lists, definitions) and the responses to them.

AVE80x concern the correct answers, AVE81x the responses of systems.
"""

from __future__ import annotations

from ave_score.kinds import FileKind
from ave_score.rules.rule import ERROR, WARNING, Rule, only_runs

_RIGHT = """\
{"questions": [
  {"id": "1", "type": "list", "sets": [
    {"total": 3, "answers": [["Spain", "España"], ["France"]]}
  ]}
]}
"""
_RIGHT_DEFINITION = """\
{"questions": [
  {"id": "1", "type": "definition", "nuggets": [
    {"id": "1", "vital": true, "text": "English novelist"},
    {"id": "2", "vital": false, "text": "born in Steventon"}
  ]}
]}
"""
_RIGHT_RESPONSES = """\
q_id\tanswer
1\tSpain
1\tFrance
2\t1815
3\tEnglish novelist
4\tNIL
"""

_NUGGETS = """\
q_id\tanswer\tnuggets
1\tSpain\t
1\tFrance\t
2\t1815\t
3\tEnglish novelist\t1
4\tNIL\t
"""

NOT_JSON = Rule(
    "AVE801",
    "not-json",
    ERROR,
    "not well-formed JSON: {problem}",
    "Correct the error, then check again: the rest was not read.",
    explanation=(
        "After the first JSON error it is unclear what belongs to which question, and answers "
        "would be lost silently. Nesting beyond 32 levels is refused, too. Usual causes: a comma "
        "after the last item, single quotes, a comment, NaN, a line ending inside a string, or a "
        "truncated file."
    ),
    example_of=FileKind.ANSWER_SETS,
    wrong=_RIGHT.replace('["France"]]}', '["France"],]}'),
    right=_RIGHT,
    fix=only_runs("only the author knows what was meant."),
)
JSON_KEY_REPEATED = Rule(
    "AVE802",
    "json-key-repeated",
    ERROR,
    "duplicate key {found!r} in one object",
    "Merge the values under one key, or delete the wrong one.",
    explanation=(
        "Some programs use the last value of a duplicate key, some the first, and none reports it: "
        "correct answers would be lost silently. Usual causes: files that were joined by hand, or "
        "several sets under several keys instead of in one list."
    ),
    example_of=FileKind.ANSWER_SETS,
    wrong="""\
{"questions": [
  {"id": "1", "type": "list",
   "sets": [{"answers": [["Spain", "España"]]}],
   "sets": [{"answers": [["France"]]}]}
]}
""",
    right="""\
{"questions": [
  {"id": "1", "type": "list",
   "sets": [{"answers": [["Spain", "España"]]}, {"answers": [["France"]]}]}
]}
""",
    fix=only_runs("only the author knows which value is right."),
)
UNKNOWN_KEY = Rule(
    "AVE803",
    "unknown-key",
    WARNING,
    "{where} is unknown and was ignored{hint}",
    "Nothing to do if it is a note; docs/formats.md lists what is read.",
    explanation=(
        "Notes of the assessors are harmless. If a known name is misspelt, however, its value is "
        "lost: without total, for example, a question counts as having no more answers than are "
        "listed."
    ),
    example_of=FileKind.ANSWER_SETS,
    wrong=_RIGHT.replace("total", "totl"),
    right=_RIGHT,
    fix=only_runs("only the author knows what the value means."),
)
CONTENT_UNUSABLE = Rule(
    "AVE804",
    "content-unusable",
    ERROR,
    "{where} is {found}, expected {expected}",
    "Correct the value; docs/formats.md shows a complete file.",
    explanation=(
        "The value is missing or has the wrong type, and it is not guessed. Ids are strings: 007 "
        "would not survive as a number, so a number is refused before it can name another "
        "question. Usual causes: numbers without quotes, a string instead of a list, or an empty "
        "wording, which every empty answer would match."
    ),
    example_of=FileKind.ANSWER_SETS,
    wrong=_RIGHT.replace('"1"', "1"),
    right=_RIGHT,
    fix=only_runs("only the author knows what the value should be."),
)
TOTAL_TOO_SMALL = Rule(
    "AVE805",
    "total-too-small",
    ERROR,
    "the set lists {listed}, more than its total of {total}",
    "Correct the total, or put alternative wordings of an answer into one list.",
    explanation=(
        "The total is the number of correct answers, and recall is counted against it. It may be "
        "larger than the number listed, but if it were smaller, a run that gives all of them would "
        "have a recall above 1. Usual cause: two wordings of one answer listed as two answers."
    ),
    example_of=FileKind.ANSWER_SETS,
    wrong=_RIGHT.replace(
        '3, "answers": [["Spain", "España"]', '2, "answers": [["Spain"], ["España"]'
    ),
    right=_RIGHT.replace("3", "2"),
    fix=only_runs("only the author knows which number is right."),
)
WORDING_REPEATED = Rule(
    "AVE806",
    "wording-repeated",
    ERROR,
    "the wording {found!r} already names another answer of this set, at line {first}",
    "Merge the two answers, or give them different wordings.",
    explanation=(
        "The answers of a set are distinct, and a response is matched to one of them by its "
        "wording. If two share a wording, it is unclear which was given, and how many. Case, width "
        "and whitespace are ignored. Usual cause: a set compiled from what several systems "
        "returned."
    ),
    example_of=FileKind.ANSWER_SETS,
    wrong=_RIGHT.replace('["France"]]}', '["SPAIN"], ["France"]]}'),
    right=_RIGHT,
    fix=only_runs("only the author knows which answers are the same."),
)
NUGGET_REPEATED = Rule(
    "AVE807",
    "nugget-repeated",
    ERROR,
    "the question already has a nugget {nugget!r}, at line {first}",
    "Give every nugget of a question its own id.",
    explanation=(
        "Responses refer to the nuggets found in them by their ids, so with a duplicate id it is "
        "unclear which one was found, and whether it is vital. Usual cause: the lists of two "
        "assessors, each numbered from 1, in one file."
    ),
    example_of=FileKind.ANSWER_SETS,
    wrong=_RIGHT_DEFINITION.replace('"2"', '"1"'),
    right=_RIGHT_DEFINITION,
    fix=only_runs("only the author knows which nugget is which."),
)
TYPE_CONTRADICTED = Rule(
    "AVE808",
    "type-contradicted",
    ERROR,
    "{where} is of type {type} but has {found}",
    "Correct the type: definition questions have nuggets, the others sets of answers.",
    explanation=(
        "Definition questions are scored by nuggets and the others by sets of answers, so one of "
        "the two would be ignored. Usual cause: a question without a type, which is read as a list "
        "question."
    ),
    example_of=FileKind.ANSWER_SETS,
    wrong=_RIGHT_DEFINITION.replace('"definition", "nuggets"', '"list", "sets": [],\n   "nuggets"'),
    right=_RIGHT_DEFINITION,
    fix=only_runs("only the author knows what was asked."),
)
NO_VITAL_NUGGET = Rule(
    "AVE809",
    "no-vital-nugget",
    WARNING,
    "question {q_id!r} has no vital nugget; its recall is undefined",
    "Nothing to do if that is intended; otherwise mark the vital nuggets.",
    explanation=(
        "Nugget recall is the share of the vital nuggets that was found. Without any it is 0/0, "
        "and the question does not contribute to a run's recall. Usual causes: nuggets that have "
        "not been weighted yet, or a mark that was lost when the file was written."
    ),
    example_of=FileKind.ANSWER_SETS,
    wrong=_RIGHT_DEFINITION.replace("true", "false"),
    right=_RIGHT_DEFINITION,
    fix=only_runs("the assessors have to decide which nuggets are vital."),
)

NOT_RESPONDED = Rule(
    "AVE811",
    "question-without-response",
    WARNING,
    "run {run!r} has no row for question {q_id!r}; read as NIL (no answer)",
    "Write a row with the answer NIL if the system decided that no answer exists.",
    explanation=(
        "All runs are scored on all questions, and a missing question counts as a claim that no "
        "answer exists. That is right if there is none and wrong otherwise. Usual causes: a system "
        "that writes a row only if it finds something, or one that stopped early."
    ),
    example_of=FileKind.RESPONSES,
    wrong=_RIGHT_RESPONSES.replace("4\tNIL\n", ""),
    right=_RIGHT_RESPONSES,
    fix=only_runs("only the author knows what was answered."),
)
NUGGET_UNKNOWN = Rule(
    "AVE812",
    "nugget-unknown",
    ERROR,
    "question {q_id!r} has no nugget {nugget!r}",
    "Ids are compared as strings: 1 and 01 differ; separate them with commas or spaces.",
    explanation=(
        "According to the row, assessors found a nugget that the question does not have, so it is "
        "unknown whether it is vital. Usual causes: nuggets that were renumbered in one of the "
        "files, or the nuggets of another question."
    ),
    example_of=FileKind.RESPONSES,
    wrong=_NUGGETS.replace("novelist\t1", "novelist\t1,7"),
    right=_NUGGETS,
    fix=only_runs("the assessors have to say what was found."),
)
NUGGETS_MISPLACED = Rule(
    "AVE813",
    "nuggets-misplaced",
    ERROR,
    "nuggets are given for {found}",
    "Leave the field empty, or correct the question's id.",
    explanation=(
        "Only answers to definition questions have nuggets; list and factoid questions are scored "
        "by the wording of the answers, and NIL has no content. Usual causes: a column that was "
        "shifted by a row, or the id of another question."
    ),
    example_of=FileKind.RESPONSES,
    wrong=_NUGGETS.replace("\n1\tFrance", "1\n1\tFrance"),
    right=_NUGGETS,
    fix=only_runs("the assessors have to say what was found."),
)
FACTOID_ANSWERED_TWICE = Rule(
    "AVE814",
    "factoid-answered-twice",
    ERROR,
    "question {q_id!r} takes one answer, and run {run!r} gives one at line {first}",
    "Give one answer per factoid question.",
    explanation=(
        "With several answers, a factoid question could count as answered correctly if any of them "
        "is, and a system would gain by giving many. Usual cause: a system that writes its whole "
        "ranking."
    ),
    example_of=FileKind.RESPONSES,
    wrong=_RIGHT_RESPONSES.replace("2\t1815\n", "2\t1815\n2\t1816\n"),
    right=_RIGHT_RESPONSES,
    fix=only_runs("only the author knows which answer is meant."),
)
NIL_BESIDE_ANSWERS = Rule(
    "AVE815",
    "nil-beside-answers",
    ERROR,
    (
        "NIL says that question {q_id!r} has no answer, but run {run!r} has another row for it, at "
        "line {other}"
    ),
    "Delete the row with NIL, or the other rows.",
    explanation=(
        "NIL means an empty list of answers, so it contradicts any other answer, and the score "
        "would depend on which one is used. Usual causes: files of two runs that were joined, or a "
        "system that writes NIL after each of its lists."
    ),
    example_of=FileKind.RESPONSES,
    wrong=_RIGHT_RESPONSES.replace("2\t1815\n", "1\tNIL\n2\t1815\n"),
    right=_RIGHT_RESPONSES,
    fix=only_runs("only the author knows which row is right."),
)
