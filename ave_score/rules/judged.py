"""AVE5xx: judged question-answering runs, and groups."""

from __future__ import annotations

from ave_score.kinds import FileKind
from ave_score.rules.rule import ERROR, WARNING, Rule, no_fix

HEADER_UNUSABLE = Rule(
    "AVE501",
    "header-unusable",
    ERROR,
    "{problem}{hint}; expected tab-separated columns, at least {needed}",
    "The first line names the columns: q_id run judgement [a_id answer text doc answered "
    "confidence]; of questions q_id question [lang topic hypothesis]; of scores q_id a_id score "
    "[correct answer question]; of responses q_id answer [run nuggets].",
    explanation=(
        "The header says what each column holds. Without a column q_id, run or judgement, or with "
        "one named twice, it cannot be told whose answer was judged how. Usual causes are a "
        "spreadsheet that writes semicolons or commas in the place of tabs, columns of other "
        "names, and a file that begins with its first row."
    ),
    example_of=FileKind.JUDGED,
    wrong="""\
q_id;run;judgement;a_id
1;qa1;R;1_1
2;qa1;W;2_1
""",
    right="""\
q_id\trun\tjudgement\ta_id
1\tqa1\tR\t1_1
2\tqa1\tW\t2_1
""",
    fix=no_fix("`ave-score fix` mends runs only; what a column holds, its author must say."),
    also_in=(
        FileKind.QUESTIONS,
        FileKind.SCORES,
        FileKind.RESPONSES,
    ),
)
ROW_WIDTH = Rule(
    "AVE502",
    "row-width",
    ERROR,
    "found {found}, expected {expected} as in the header",
    "Separate fields by one tab; texts cannot hold tabs.",
    explanation=(
        "With a field too few or too many, those behind it shift into the wrong columns, and an id "
        "could be read as a judgement. Usual causes are a tab or a line end inside the text of an "
        "answer, and an empty field at the end of the row that a program left out."
    ),
    example_of=FileKind.JUDGED,
    wrong="""\
q_id\trun\tjudgement\ta_id
1\tqa1\tR\t1_1
2\tqa1\tW
""",
    right="""\
q_id\trun\tjudgement\ta_id
1\tqa1\tR\t1_1
2\tqa1\tW\t2_1
""",
    fix=no_fix("`ave-score fix` mends runs only; which field is wanting, its author must say."),
    also_in=(
        FileKind.QUESTIONS,
        FileKind.SCORES,
        FileKind.RESPONSES,
    ),
)
UNKNOWN_JUDGEMENT = Rule(
    "AVE503",
    "unknown-judgement",
    ERROR,
    "found {found!r}, expected one of {expected} under campaign {campaign}{hint}",
    "Correct the letter, or choose the campaign whose letters these are with --campaign.",
    explanation=(
        "Campaigns judge by different letters, and one letter can mean different things: U is "
        "unsupported at QA@CLEF and unanswered at ResPubliQA. A letter that the chosen table does "
        "not have is therefore not guessed at. Usual causes are the wrong campaign, small letters, "
        "and whole words such as correct."
    ),
    example_of=FileKind.JUDGED,
    wrong="""\
q_id\trun\tjudgement\ta_id
1\tqa1\tC\t1_1
2\tqa1\tW\t2_1
""",
    right="""\
q_id\trun\tjudgement\ta_id
1\tqa1\tR\t1_1
2\tqa1\tW\t2_1
""",
    fix=no_fix("`ave-score fix` mends runs only; what a letter means, the assessors must say."),
)
ANSWERED_UNKNOWN = Rule(
    "AVE504",
    "answered-unknown",
    ERROR,
    "found {found!r} as answered, expected YES or NO",
    "Write YES or NO; in a judged file the field may be empty.",
    explanation=(
        "A question that a system left without an answer counts otherwise than one it answered "
        "wrongly, and this column tells the two apart. Usual causes are a program that writes 1 "
        "and 0 or TRUE and FALSE, and words of another language."
    ),
    example_of=FileKind.JUDGED,
    wrong="""\
q_id\trun\tjudgement\tanswered
1\tqa1\tR\tYES
2\tqa1\tW\tTRUE
""",
    right="""\
q_id\trun\tjudgement\tanswered
1\tqa1\tR\tYES
2\tqa1\tW\tYES
""",
    fix=no_fix("`ave-score fix` mends runs only; what the word stands for, its author must say."),
    also_in=(FileKind.ANSWERS,),
)
FIELD_EMPTY = Rule(
    "AVE505",
    "field-empty",
    ERROR,
    "the field {field} is empty",
    "Every row names its question and its run; a question has a text.",
    explanation=(
        "A row that does not say which question or whose run it is about counts for nobody, and "
        "left out in silence it would make some system better or worse than it was. The usual "
        "cause is a table for the eye, in which cells are merged or an entry stands only where it "
        "changes."
    ),
    example_of=FileKind.JUDGED,
    wrong="""\
q_id\trun\tjudgement\ta_id
1\tqa1\tR\t1_1
2\t\tW\t2_1
""",
    right="""\
q_id\trun\tjudgement\ta_id
1\tqa1\tR\t1_1
2\tqa1\tW\t2_1
""",
    fix=no_fix("`ave-score fix` mends runs only; whose row it is, its author must say."),
    also_in=(
        FileKind.GROUPS,
        FileKind.QUESTIONS,
        FileKind.SCORES,
        FileKind.RESPONSES,
    ),
)
SECOND_ANSWER = Rule(
    "AVE506",
    "second-answer",
    WARNING,
    "run {run!r} answers question {q_id!r} again; its first answer, at line {first}, counts",
    "A QA system is ranked by the answer it returns first.",
    explanation=(
        "QA systems are ranked beside runs that select one answer of a question, so one answer "
        "counts of theirs too; with ten chances they would be compared by another measure. The "
        "rows of a question must therefore stand in the order in which the system ranked them. "
        "Usual where assessors judged lists of answers."
    ),
    example_of=FileKind.JUDGED,
    wrong="""\
q_id\trun\tjudgement\ta_id
1\tqa1\tR\t1_1
1\tqa1\tW\t1_2
2\tqa1\tW\t2_1
""",
    right="""\
q_id\trun\tjudgement\ta_id
1\tqa1\tR\t1_1
2\tqa1\tW\t2_1
""",
    fix=no_fix(
        "`ave-score fix` mends runs only; which answer the system returned first, its author must "
        "say."
    ),
)
RIGHT_BUT_UNANSWERABLE = Rule(
    "AVE507",
    "right-but-unanswerable",
    WARNING,
    "run {run!r} is judged right on question {q_id!r}, which has no VALIDATED answer in the "
    "collection; counted as right",
    "Compare both files: the answer may have been left out when the collection was built.",
    explanation=(
        "The QA system gets a point that no run can get, because the collection has no correct "
        "answer to select; it may even come out above perfect selection. Usual causes are a "
        "correct answer that was taken out of the collection, as a repetition or for its long "
        "text, and labels that come from other assessments than the judgements."
    ),
    example_of=FileKind.JUDGED,
    wrong="""\
q_id\trun\tjudgement\ta_id
1\tqa1\tR\t1_1
2\tqa1\tR\t
""",
    right="""\
q_id\trun\tjudgement\ta_id
1\tqa1\tR\t1_1
2\tqa1\tW\t
""",
    fix=no_fix(
        "`ave-score fix` mends runs only; whether the judgement or the collection is at fault, the "
        "organisers must say."
    ),
)
QUESTION_UNANSWERED = Rule(
    "AVE508",
    "question-without-row",
    WARNING,
    "run {run!r} has no row for question {q_id!r}; counted as answered wrongly",
    "Write a row with answered NO where a system left a question unanswered.",
    explanation=(
        "A QA system is asked every question of the collection, so its accuracy falls with each "
        "question that the file does not mention. That is as it should be for a wrong answer and "
        "too severe for one withheld. The usual cause is that rows without an answer were dropped "
        "when the file was written."
    ),
    example_of=FileKind.JUDGED,
    wrong="""\
q_id\trun\tjudgement\ta_id
1\tqa1\tR\t1_1
""",
    right="""\
q_id\trun\tjudgement\ta_id
1\tqa1\tR\t1_1
2\tqa1\tW\t2_1
""",
    fix=no_fix(
        "`ave-score fix` mends runs only; whether the system answered, and how it was judged, its "
        "author must say."
    ),
)
OUTSIDE_COLLECTION = Rule(
    "AVE509",
    "outside-collection",
    WARNING,
    "question {q_id!r} is not in the collection; its rows are left out",
    "Nothing to do where the collection holds fewer questions than the QA task had.",
    explanation=(
        "QA systems and runs are compared on the questions of the collection and on no others, so "
        "a QA system's accuracy here can differ from the one that its own task published. If "
        "nearly all questions are named, the ids of the two files are probably written in "
        "different ways, 0001 and 1 for example."
    ),
    example_of=FileKind.JUDGED,
    wrong="""\
q_id\trun\tjudgement\ta_id
1\tqa1\tR\t1_1
2\tqa1\tW\t2_1
3\tqa1\tW\t3_1
""",
    right="""\
q_id\trun\tjudgement\ta_id
1\tqa1\tR\t1_1
2\tqa1\tW\t2_1
""",
    fix=no_fix(
        "`ave-score fix` mends runs only; the rows may be there for good reason and do no harm."
    ),
)
UNKNOWN_COLUMN = Rule(
    "AVE510",
    "unknown-column",
    WARNING,
    "the column {found!r} is not known and was not read{hint}",
    "Known columns: q_id run judgement a_id answer text doc answered confidence; of questions q_id "
    "question lang topic hypothesis; of scores q_id a_id score correct answer question; of "
    "responses q_id answer run nuggets.",
    explanation=(
        "Notes of the assessors may well have columns of their own. But where the name of a known "
        "column is misspelt, what it says is lost: without answered, for example, an answer that "
        "was withheld counts as given."
    ),
    example_of=FileKind.JUDGED,
    wrong="""\
q_id\trun\tjudgement\tanswerd
1\tqa1\tR\tYES
2\tqa1\tW\tNO
""",
    right="""\
q_id\trun\tjudgement\tanswered
1\tqa1\tR\tYES
2\tqa1\tW\tNO
""",
    fix=no_fix("`ave-score fix` mends runs only; what the column holds, its author must say."),
    also_in=(
        FileKind.QUESTIONS,
        FileKind.SCORES,
        FileKind.RESPONSES,
    ),
)
TWO_GROUPS = Rule(
    "AVE511",
    "two-groups",
    ERROR,
    "run {name!r} belongs to {found!r} here, and to {first!r} before",
    "Name one group for each run.",
    explanation=(
        "The tables name one group beside each run, and with two it would be chance which. Usual "
        "causes are one group written in two ways, and two groups that gave their runs the same "
        "name; in that case the runs need other names."
    ),
    example_of=FileKind.GROUPS,
    wrong="""\
run\tgroup
run1\tUNED
run2\tINAOE
run1\tINAOE
""",
    right="""\
run\tgroup
run1\tUNED
run2\tINAOE
""",
    fix=no_fix("`ave-score fix` mends runs only; whose run it is, the organisers must say."),
)
JUDGED_UNKNOWN_ANSWER = Rule(
    "AVE512",
    "judged-unknown-answer",
    WARNING,
    "run {run!r} gives answer {a_id!r} to question {q_id!r}, which has none of this id",
    "Compare both files; the judgement counts all the same.",
    explanation=(
        "The QA system is judged on an answer that the collection does not offer to the runs, so "
        "they could not have selected it. Usual causes are an answer that was taken out as a "
        "repetition of another, and ids that were given anew in one of the files."
    ),
    example_of=FileKind.JUDGED,
    wrong="""\
q_id\trun\tjudgement\ta_id
1\tqa1\tR\t1_1
2\tqa1\tW\t2_7
""",
    right="""\
q_id\trun\tjudgement\ta_id
1\tqa1\tR\t1_1
2\tqa1\tW\t2_1
""",
    fix=no_fix("`ave-score fix` mends runs only; which answer it was, its author must say."),
)
JUDGEMENT_CONTRADICTED = Rule(
    "AVE513",
    "judgement-contradicted",
    WARNING,
    "run {run!r}: answer {a_id!r} of question {q_id!r} is judged {found}, and labelled {expected} "
    "in the collection; the judgement counts",
    "Compare both files: they should come from the same assessments.",
    explanation=(
        "The same answer is correct in one file and incorrect in the other, so the QA system and "
        "the runs that are ranked together are measured by two standards. Usual causes are labels "
        "that were revised after the judgements, and ids that were shifted by a row."
    ),
    example_of=FileKind.JUDGED,
    wrong="""\
q_id\trun\tjudgement\ta_id
1\tqa1\tR\t1_2
2\tqa1\tW\t2_1
""",
    right="""\
q_id\trun\tjudgement\ta_id
1\tqa1\tR\t1_1
2\tqa1\tW\t2_1
""",
    fix=no_fix("`ave-score fix` mends runs only; which one is right, the assessors must say."),
)
CAMPAIGN_CONTRADICTED = Rule(
    "AVE514",
    "campaign-contradicted",
    ERROR,
    "judged {found} and answered {answered}: under campaign {campaign} the letter means {means}",
    "Choose the campaign whose letters these are, e.g. --campaign respubliqa, or correct the row.",
    explanation=(
        "U is unsupported at QA@CLEF, where a system answers, and unanswered at ResPubliQA, where "
        "it may not. The row says the opposite of what its letter means under the chosen campaign, "
        "so the other letters of the file are probably read by the wrong table too, and every "
        "figure would be wrong without a sign of it. The usual cause is the default campaign, "
        "qa-clef, with a file of ResPubliQA."
    ),
    example_of=FileKind.JUDGED,
    wrong="""\
q_id\trun\tjudgement\tanswered
1\tqa1\tR\tYES
2\tqa1\tU\tNO
""",
    right="""\
q_id\trun\tjudgement\tanswered
1\tqa1\tR\tYES
2\tqa1\tW\tNO
""",
    fix=no_fix("`ave-score fix` mends runs only; what the letter means, the organisers must say."),
)
