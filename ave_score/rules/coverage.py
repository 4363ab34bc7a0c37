"""AVE2xx: a run or a key against its collection."""

from __future__ import annotations

from ave_score.kinds import FileKind
from ave_score.rules.rule import ERROR, WARNING, Rule, no_fix, safe, unsafe

UNKNOWN_QUESTION = Rule(
    "AVE201",
    "unknown-question",
    ERROR,
    "question {q_id!r} is not in the collection{hint}",
    "Ids are compared as strings: 0001 and 1 differ.",
    explanation=(
        "The line decides on an answer that the collection does not ask for, so there is no label "
        "to compare it with; passed over in silence, it would hide that the run was made for other "
        "questions. Usual causes are a run for another release or language of the collection, a "
        "spreadsheet that took the leading zeros off the ids, and at QA4MRE questions that stand "
        "in no <topic> and no <reading-test>, by which they are called."
    ),
    wrong="""\
1 1_1 SELECTED 0.9
1 1_2 REJECTED 0.2
2 2_1 REJECTED 0.1
3 3_1 REJECTED 0.3
""",
    right="""\
1 1_1 SELECTED 0.9
1 1_2 REJECTED 0.2
2 2_1 REJECTED 0.1
""",
    fix=no_fix("Only the author knows whether another question was meant or the line is to go."),
    also_in=(
        FileKind.KEY,
        FileKind.ANSWERS,
        FileKind.SCORES,
        FileKind.RESPONSES,
    ),
)
UNKNOWN_ANSWER = Rule(
    "AVE202",
    "unknown-answer",
    ERROR,
    "the collection has no {answer}{hint}",
    "Ids are compared as strings: 0001 and 1 differ, as do 0001_1 and 1_1.",
    explanation=(
        "The question is in the collection, but it has no candidate answer of this id, or there is "
        "no pair of this id, so the verdict is about nothing that has a label. Usual causes are a "
        "system that numbers the answers itself, from 0 for example, and a run for another release "
        "of the collection."
    ),
    wrong="""\
1 1_1 SELECTED 0.9
1 1_2 REJECTED 0.2
1 1_3 REJECTED 0.3
2 2_1 REJECTED 0.1
""",
    right="""\
1 1_1 SELECTED 0.9
1 1_2 REJECTED 0.2
2 2_1 REJECTED 0.1
""",
    fix=no_fix("Only the author knows whether another answer was meant or the line is to go."),
    also_in=(FileKind.KEY, FileKind.SCORES),
)
ANSWER_OF_ANOTHER_QUESTION = Rule(
    "AVE203",
    "answer-of-another-question",
    ERROR,
    "answer {a_id!r} belongs to question {expected!r}, found under {q_id!r}",
    "Put the answer's own question into the first field.",
    explanation=(
        "The two ids contradict each other. Whichever of them were believed, a verdict could land "
        "on an answer that the system did not mean, and a SELECTED one would change the QA "
        "accuracy of the wrong question. The usual cause is a sort or a join that shifted one "
        "column of a table against the other."
    ),
    wrong="""\
1 1_1 SELECTED 0.9
1 1_2 REJECTED 0.2
2 2_1 REJECTED 0.1
2 1_2 REJECTED 0.2
""",
    right="""\
1 1_1 SELECTED 0.9
1 1_2 REJECTED 0.2
2 2_1 REJECTED 0.1
""",
    fix=no_fix("Either of the two ids may be the wrong one."),
    also_in=(FileKind.KEY, FileKind.SCORES),
)
ANSWER_MISSING = Rule(
    "AVE204",
    "answer-missing",
    ERROR,
    "no line for {answer}",
    "Every answer of the collection needs a line; score's --missing rejected takes it as REJECTED.",
    explanation=(
        "All runs are scored on the same answers. From an answer that is left out it cannot be "
        "told whether the system rejected it or never came to it, and to score only the others "
        "would favour a run that leaves out the hard ones. Usual causes are a system that writes "
        "only what it accepts, one that stopped early, and answers without a text."
    ),
    wrong="""\
1 1_1 SELECTED 0.9
1 1_2 REJECTED 0.2
""",
    right="""\
1 1_1 SELECTED 0.9
1 1_2 REJECTED 0.2
2 2_1 REJECTED 0
""",
    fix=unsafe("A line `q_id a_id REJECTED 0` is added at the end for each; needs --collection."),
    also_in=(FileKind.SCORES,),
)
ANSWER_REPEATED = Rule(
    "AVE205",
    "answer-repeated",
    ERROR,
    "{answer} was given before, alike, at line {first}",
    "Delete one of the lines.",
    explanation=(
        "Counted once for each line, the answer would weigh double in precision and recall. The "
        "later line says the same as the earlier one, so nothing is lost with it. The usual cause "
        "is that parts of a run were put together and overlap."
    ),
    wrong="""\
1 1_1 SELECTED 0.9
1 1_2 REJECTED 0.2
2 2_1 REJECTED 0.1
1 1_2 REJECTED 0.2
""",
    right="""\
1 1_1 SELECTED 0.9
1 1_2 REJECTED 0.2
2 2_1 REJECTED 0.1
""",
    fix=safe("The later line is deleted."),
    also_in=(FileKind.KEY, FileKind.SCORES),
)
ANSWER_CONFLICT = Rule(
    "AVE206",
    "answer-conflict",
    ERROR,
    "{answer} was given before, differently, at line {first}",
    "Keep the line that is meant.",
    explanation=(
        "Two lines say different things of the same answer, and the score would depend on whether "
        "a program believes the first or the last. Usual causes are results that were appended to "
        "a file of an earlier experiment, and a system that meets the same answer twice."
    ),
    wrong="""\
1 1_1 SELECTED 0.9
1 1_2 REJECTED 0.2
1 1_2 VALIDATED 0.6
2 2_1 REJECTED 0.1
""",
    right="""\
1 1_1 SELECTED 0.9
1 1_2 VALIDATED 0.6
2 2_1 REJECTED 0.1
""",
    fix=unsafe(
        "The line with the higher confidence is kept, the earlier one where they are equal."
    ),
    also_in=(FileKind.KEY, FileKind.SCORES),
)
MISSING_AS_REJECTED = Rule(
    "AVE207",
    "missing-as-rejected",
    WARNING,
    "no line for {answer}; taken as REJECTED",
    "Nothing to do: this was asked for with --missing rejected.",
    explanation=(
        "The run is scored as if it had rejected the answer, which lowers its recall where the "
        "answer is correct. The decision is not the system's own, so each such answer is named, "
        "and the signature of the scores says missing:rejected."
    ),
    wrong="""\
1 1_1 SELECTED 0.9
1 1_2 REJECTED 0.2
""",
    right="""\
1 1_1 SELECTED 0.9
1 1_2 REJECTED 0.2
2 2_1 REJECTED 0.1
""",
    fix=no_fix("--missing rejected has read it as REJECTED already."),
)
