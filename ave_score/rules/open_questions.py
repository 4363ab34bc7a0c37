"""AVE8xx: questions without candidates (lists, definitions), and responses to them.

AVE80x are about the correct answers, AVE81x about what systems answered.
"""

from __future__ import annotations

from ave_score.kinds import FileKind
from ave_score.rules.rule import ERROR, WARNING, Rule, no_fix

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

NOT_JSON = Rule(
    "AVE801",
    "not-json",
    ERROR,
    "not well-formed JSON: {problem}",
    "Correct the place, then check again: the rest was not read.",
    explanation=(
        "Behind the first place that is not JSON it cannot be told what belongs to which question, "
        "and answers would be lost in silence. Usual causes are a comma behind the last item, "
        "single quotes, a comment, NaN, a line end inside a text, and a file that was cut off on "
        "its way. Nesting beyond 32 levels is refused, too."
    ),
    example_of=FileKind.ANSWER_SETS,
    wrong="""\
{"questions": [
  {"id": "1", "type": "list", "sets": [
    {"total": 3, "answers": [["Spain", "España"], ["France"],]}
  ]}
]}
""",
    right=_RIGHT,
    fix=no_fix("`ave-score fix` mends runs only; what was to stand there, its author must say."),
)
JSON_KEY_REPEATED = Rule(
    "AVE802",
    "json-key-repeated",
    ERROR,
    "the key {found!r} stands twice in one object",
    "Put the values together under one key, or delete the one that does not hold.",
    explanation=(
        "Programs believe the last value of a key, or the first, and none says so: correct answers "
        "would be lost without a sign of it. Usual causes are files that were put together by "
        "hand, and several sets that were written under several keys and not in one list."
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
    fix=no_fix("`ave-score fix` mends runs only; which value holds, its author must say."),
)
UNKNOWN_KEY = Rule(
    "AVE803",
    "unknown-key",
    WARNING,
    "{where} is not known and was not read{hint}",
    "Nothing to do where it is a note; docs/formats.md names what is read.",
    explanation=(
        "Notes of the assessors may well stand in the file. But where a known name is misspelt, "
        "what it says is lost: without total, for example, a question counts as having no more "
        "answers than are listed."
    ),
    example_of=FileKind.ANSWER_SETS,
    wrong=_RIGHT.replace("total", "totl"),
    right=_RIGHT,
    fix=no_fix("`ave-score fix` mends runs only; what the value means, its author must say."),
)
CONTENT_UNUSABLE = Rule(
    "AVE804",
    "content-unusable",
    ERROR,
    "{where} is {found}, expected {expected}",
    "Correct the value; docs/formats.md shows a whole file.",
    explanation=(
        "The value is not there, or not of the kind that is read in this place, and what it was to "
        "be is not guessed at. Ids are texts: 007 would not survive as a number, so a number is "
        "refused before it can name another question. Usual causes are numbers without quotes, a "
        "text in the place of a list, and an empty wording, which every empty answer would match."
    ),
    example_of=FileKind.ANSWER_SETS,
    wrong=_RIGHT.replace('"1"', "1"),
    right=_RIGHT,
    fix=no_fix("`ave-score fix` mends runs only; what the value is to be, its author must say."),
)
TOTAL_TOO_SMALL = Rule(
    "AVE805",
    "total-too-small",
    ERROR,
    "the set lists {listed}, more than its total of {total}",
    "Correct the total, or put other wordings of an answer into its own list.",
    explanation=(
        "The total says how many correct answers there are, and recall is counted against it. It "
        "may be more than are listed, but with less, a run that gives all of them would have a "
        "recall above 1. The usual cause is two wordings of one answer that were listed as two."
    ),
    example_of=FileKind.ANSWER_SETS,
    wrong="""\
{"questions": [
  {"id": "1", "type": "list", "sets": [
    {"total": 2, "answers": [["Spain"], ["España"], ["France"]]}
  ]}
]}
""",
    right=_RIGHT.replace("3", "2"),
    fix=no_fix("`ave-score fix` mends runs only; which number is right, its author must say."),
)
WORDING_REPEATED = Rule(
    "AVE806",
    "wording-repeated",
    ERROR,
    "the wording {found!r} names another answer of this set already, at line {first}",
    "Make one answer of both, or tell them apart by their wording.",
    explanation=(
        "The answers of a set are distinct, and a response is one of them by its wording. With one "
        "wording for two it cannot be told which was given, and how many were. Case, width and "
        "blanks make no difference. The usual cause is a set put together from what several "
        "systems returned."
    ),
    example_of=FileKind.ANSWER_SETS,
    wrong="""\
{"questions": [
  {"id": "1", "type": "list", "sets": [
    {"total": 3, "answers": [["Spain", "España"], ["SPAIN"], ["France"]]}
  ]}
]}
""",
    right=_RIGHT,
    fix=no_fix("`ave-score fix` mends runs only; which answers are one, its author must say."),
)
NUGGET_REPEATED = Rule(
    "AVE807",
    "nugget-repeated",
    ERROR,
    "the question has a nugget {nugget!r} already, at line {first}",
    "Every nugget of a question needs an id of its own.",
    explanation=(
        "Responses name the nuggets that were found in them by their ids, so with two of one id it "
        "cannot be told which was found, nor whether it is vital. The usual cause is the lists of "
        "two assessors, each numbered from 1, in one file."
    ),
    example_of=FileKind.ANSWER_SETS,
    wrong=_RIGHT_DEFINITION.replace('"2"', '"1"'),
    right=_RIGHT_DEFINITION,
    fix=no_fix("`ave-score fix` mends runs only; which nugget is which, its author must say."),
)
TYPE_CONTRADICTED = Rule(
    "AVE808",
    "type-contradicted",
    ERROR,
    "{where} is of type {type} and has {found}",
    "Correct the type: definition questions have nuggets, the others sets of answers.",
    explanation=(
        "Definition questions are scored by nuggets and the others by sets of answers, so one of "
        "the two would be passed over. The usual cause is a question without a type: it is taken "
        "for a list question."
    ),
    example_of=FileKind.ANSWER_SETS,
    wrong=_RIGHT_DEFINITION.replace('"definition", "nuggets"', '"list", "sets": [],\n   "nuggets"'),
    right=_RIGHT_DEFINITION,
    fix=no_fix("`ave-score fix` mends runs only; what was asked for, its author must say."),
)
NO_VITAL_NUGGET = Rule(
    "AVE809",
    "no-vital-nugget",
    WARNING,
    "question {q_id!r} has no vital nugget; its recall is undefined",
    "Nothing to do where that is so; else mark the vital nuggets.",
    explanation=(
        "Nugget recall is the part of the vital nuggets that was found. Without any it is 0/0, and "
        "the question says nothing of a run's recall. Usual causes are nuggets that nobody has "
        "weighed yet, and a mark that was lost when the file was written."
    ),
    example_of=FileKind.ANSWER_SETS,
    wrong=_RIGHT_DEFINITION.replace("true", "false"),
    right=_RIGHT_DEFINITION,
    fix=no_fix("`ave-score fix` mends runs only; which nuggets are vital, the assessors must say."),
)

NOT_RESPONDED = Rule(
    "AVE811",
    "question-without-response",
    WARNING,
    "run {run!r} has no row for question {q_id!r}; taken as: there is no answer",
    "Write a row with the answer NIL where the system found that there is no answer.",
    explanation=(
        "All runs are scored on all questions, and one of which a run says nothing counts as one "
        "of which it says that there is no answer. That is right where there is none, and wrong "
        "elsewhere. Usual causes are a system that writes a row only where it finds something, and "
        "one that stopped early."
    ),
    example_of=FileKind.RESPONSES,
    wrong=_RIGHT_RESPONSES.replace("4\tNIL\n", ""),
    right=_RIGHT_RESPONSES,
    fix=no_fix("`ave-score fix` mends runs of lines only; what was answered, its author must say."),
)
NUGGET_UNKNOWN = Rule(
    "AVE812",
    "nugget-unknown",
    ERROR,
    "question {q_id!r} has no nugget {nugget!r}",
    "Ids are compared as strings: 1 and 01 differ; between two of them stands a comma or a blank.",
    explanation=(
        "The row says that assessors found a nugget which the question does not have, so nobody "
        "knows whether it is vital. Usual causes are nuggets that were numbered anew in one of the "
        "files, and the nuggets of another question."
    ),
    example_of=FileKind.RESPONSES,
    wrong="""\
q_id\tanswer\tnuggets
1\tSpain\t
1\tFrance\t
2\t1815\t
3\tEnglish novelist\t1,7
4\tNIL\t
""",
    right="""\
q_id\tanswer\tnuggets
1\tSpain\t
1\tFrance\t
2\t1815\t
3\tEnglish novelist\t1
4\tNIL\t
""",
    fix=no_fix("`ave-score fix` mends runs of lines only; what was found, the assessors must say."),
)
NUGGETS_MISPLACED = Rule(
    "AVE813",
    "nuggets-misplaced",
    ERROR,
    "nuggets are named for {found}",
    "Leave the field empty, or correct the question's id.",
    explanation=(
        "Nuggets are found in answers to definition questions; list and factoid questions are "
        "scored by the wording of the answers, and NIL holds nothing. Usual causes are a column "
        "that was shifted by a row, and the id of another question."
    ),
    example_of=FileKind.RESPONSES,
    wrong="""\
q_id\tanswer\tnuggets
1\tSpain\t1
1\tFrance\t
2\t1815\t
3\tEnglish novelist\t1
4\tNIL\t
""",
    right="""\
q_id\tanswer\tnuggets
1\tSpain\t
1\tFrance\t
2\t1815\t
3\tEnglish novelist\t1
4\tNIL\t
""",
    fix=no_fix("`ave-score fix` mends runs of lines only; what was found, the assessors must say."),
)
FACTOID_ANSWERED_TWICE = Rule(
    "AVE814",
    "factoid-answered-twice",
    ERROR,
    "question {q_id!r} asks for one answer, which run {run!r} gives at line {first}",
    "Give one answer to each factoid question.",
    explanation=(
        "With several answers a factoid question could count as answered rightly if any of them "
        "is, and a system would gain by giving many. The usual cause is a system that writes its "
        "whole ranking."
    ),
    example_of=FileKind.RESPONSES,
    wrong=_RIGHT_RESPONSES.replace("2\t1815\n", "2\t1815\n2\t1816\n"),
    right=_RIGHT_RESPONSES,
    fix=no_fix("`ave-score fix` mends runs of lines only; which is meant, its author must say."),
)
NIL_BESIDE_ANSWERS = Rule(
    "AVE815",
    "nil-beside-answers",
    ERROR,
    "NIL says that question {q_id!r} has no answer, and run {run!r} has another row for it, at "
    "line {other}",
    "Delete the row with NIL, or the others.",
    explanation=(
        "NIL stands for an empty list of answers, so beside an answer it contradicts itself, and "
        "the score would depend on which of the two is believed. Usual causes are files of two "
        "runs that were joined, and a system that writes NIL behind each of its lists."
    ),
    example_of=FileKind.RESPONSES,
    wrong=_RIGHT_RESPONSES.replace("2\t1815\n", "1\tNIL\n2\t1815\n"),
    right=_RIGHT_RESPONSES,
    fix=no_fix("`ave-score fix` mends runs of lines only; which row holds, its author must say."),
)
