"""AVE2xx: a run or a key against its collection."""

from __future__ import annotations

from ave_score.kinds import FileKind
from ave_score.rules.rule import ERROR, SOUND_RUN, WARNING, Rule, no_fix, safe, unsafe

_OF_ANOTHER = "1 1_1 SELECTED 0.9\n1 1_2 REJECTED 0.2\n" + "".join(
    f"{number} {number}_1 REJECTED 0.1\n" for number in range(3, 14)
)
"""A run with two answers of the example's collection by coincidence, and eleven others."""

UNKNOWN_QUESTION = Rule(
    "AVE201",
    "unknown-question",
    ERROR,
    "question {q_id!r} is not in the collection{hint}",
    "Ids are compared as strings: 0001 and 1 differ.",
    explanation=(
        "The line is a verdict on an answer that the collection does not have, so there is no "
        "label to compare it with. Ignoring it silently would hide that the run was made for other "
        "questions. Usual causes: a run for another release or language of the collection, a "
        "spreadsheet that stripped leading zeros from the ids, or, in QA4MRE, questions outside "
        "any <topic> and <reading-test>, whose ids are part of the question's id."
    ),
    wrong=SOUND_RUN + "3 3_1 REJECTED 0.3\n",
    right=SOUND_RUN,
    fix=no_fix(
        "Only the author knows whether another question was meant or the line should be deleted."
    ),
    also_in=(FileKind.KEY, FileKind.ANSWERS, FileKind.SCORES, FileKind.RESPONSES),
)
UNKNOWN_ANSWER = Rule(
    "AVE202",
    "unknown-answer",
    ERROR,
    "the collection has no {answer}{hint}",
    "Ids are compared as strings: 0001 and 1 differ, as do 0001_1 and 1_1.",
    explanation=(
        "The question is in the collection but has no candidate answer with this id, or there is "
        "no pair with this id, so there is no label to compare the verdict with. Usual causes: a "
        "system that numbers the answers itself, from 0 for example, or a run for another release "
        "of the collection."
    ),
    wrong=SOUND_RUN.replace("2 2_1", "1 1_3 REJECTED 0.3\n2 2_1"),
    right=SOUND_RUN,
    fix=no_fix(
        "Only the author knows whether another answer was meant or the line should be deleted."
    ),
    also_in=(FileKind.KEY, FileKind.SCORES),
)
ANSWER_OF_ANOTHER_QUESTION = Rule(
    "AVE203",
    "answer-of-another-question",
    ERROR,
    "answer {a_id!r} belongs to question {expected!r}, found under {q_id!r}",
    "Put the id of the answer's own question into the first field.",
    explanation=(
        "The two ids contradict each other. Whichever one is used, the verdict could apply to an "
        "answer that the system did not mean, and a SELECTED one would change the QA accuracy of "
        "the wrong question. Usual cause: a sort or a join that shifted one column of a table "
        "against the others."
    ),
    wrong=SOUND_RUN + "2 1_2 REJECTED 0.2\n",
    right=SOUND_RUN,
    fix=no_fix("Either id may be the wrong one."),
    also_in=(FileKind.KEY, FileKind.SCORES),
)
ANSWER_MISSING = Rule(
    "AVE204",
    "answer-missing",
    ERROR,
    "no line for {answer}",
    "Write a line for every answer; score's --missing rejected reads missing ones as REJECTED.",
    explanation=(
        "All runs are scored on the same answers. A missing answer may have been rejected or never "
        "processed, and scoring only the others would favour a run that omits the hard ones. Usual "
        "causes: a system that writes only what it accepts, one that stopped early, or answers "
        "without a text."
    ),
    wrong=SOUND_RUN.replace("2 2_1 REJECTED 0.1\n", ""),
    right=SOUND_RUN.replace("0.1", "0"),
    fix=unsafe(
        "A line `q_id a_id REJECTED 0` is appended for each, unless the run names answers that the "
        "collection does not have, which may be the missing ones; needs --collection."
    ),
    also_in=(FileKind.SCORES,),
)
ANSWER_REPEATED = Rule(
    "AVE205",
    "answer-repeated",
    ERROR,
    "{answer} is repeated: same as line {first}",
    "Delete one of the lines.",
    explanation=(
        "Counted once per line, the answer would weigh double in precision and recall. The later "
        "line repeats the earlier one, so deleting it loses nothing. Usual cause: parts of a run "
        "that were joined and overlap."
    ),
    wrong=SOUND_RUN + "1 1_2 REJECTED 0.2\n",
    right=SOUND_RUN,
    fix=safe("The later line is deleted."),
    also_in=(FileKind.KEY, FileKind.SCORES),
)
ANSWER_CONFLICT = Rule(
    "AVE206",
    "answer-conflict",
    ERROR,
    "{answer} is repeated: conflicts with line {first}",
    "Keep the intended line.",
    explanation=(
        "Two lines contradict each other about the same answer, and the score would depend on "
        "whether a program uses the first or the last. Usual causes: results appended to the file "
        "of an earlier experiment, or a system that processes the same answer twice."
    ),
    wrong=SOUND_RUN.replace("2 2_1", "1 1_2 VALIDATED 0.6\n2 2_1"),
    right=SOUND_RUN.replace("REJECTED 0.2", "VALIDATED 0.6"),
    fix=unsafe(
        "The line with the higher confidence is kept, or the earlier one if they are equal."
    ),
    also_in=(FileKind.KEY, FileKind.SCORES),
)
MISSING_AS_REJECTED = Rule(
    "AVE207",
    "missing-as-rejected",
    WARNING,
    "no line for {answer}; read as REJECTED",
    "Nothing to do: --missing rejected asks for this.",
    explanation=(
        "The run is scored as if it had rejected the answer, which lowers its recall if the answer "
        "is correct. The decision is not the system's own, so each such answer is listed, and the "
        "signature of the scores says missing:rejected."
    ),
    wrong=SOUND_RUN.replace("2 2_1 REJECTED 0.1\n", ""),
    right=SOUND_RUN,
    fix=no_fix("--missing rejected already reads it as REJECTED."),
)
ANOTHER_COLLECTION = Rule(
    "AVE208",
    "another-collection",
    ERROR,
    "names {named} of {size} answers of the collection, and {unknown} that it does not have: "
    "another collection? First: {answer}{hint}",
    "Give the collection that the file was made for: its language, year and release.",
    explanation=(
        "Too few of the file's answers are in the collection for a few wrong ids to be the reason. "
        "This finding replaces those of unknown and missing answers (AVE201 to AVE204) if more "
        "than 10 answers, and at least 5 % of those in the file, are unknown, some are missing, "
        "and fewer than 75 % of all answers are in both. Ids such as 0001_1 match by coincidence: "
        "of any two collections of AVE 2007 and 2008, at most 62 % of the answers are in both. "
        "Usual causes: a run for another language, year or release, or a program that numbers "
        "questions or answers in its own way."
    ),
    wrong=_OF_ANOTHER,
    right=SOUND_RUN,
    fix=no_fix("No answer is filled in as REJECTED: the run is about other answers."),
    also_in=(FileKind.KEY, FileKind.SCORES),
)
