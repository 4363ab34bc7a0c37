"""AVE5xx: judged question-answering runs, and groups of runs."""

from __future__ import annotations

from ave_score.kinds import FileKind
from ave_score.rules.rule import ERROR, WARNING, Rule, only_runs

TABLES = (
    *(FileKind.RUN, FileKind.COLLECTION, FileKind.KEY),
    *(FileKind.QUESTIONS, FileKind.SCORES, FileKind.RESPONSES),
)
"""The kinds of files that can be tables with a header, except judged files."""

_TWO_ROWS = """\
q_id\trun\tjudgement\ta_id
1\tqa1\tR\t1_1
2\tqa1\tW\t2_1
"""

_ONE_WITHHELD = """\
q_id\trun\tjudgement\tanswered
1\tqa1\tR\tYES
2\tqa1\tW\tNO
"""

HEADER_UNUSABLE = Rule(
    "AVE501",
    "header-unusable",
    ERROR,
    "{problem}{hint}; expected columns separated by tabs, commas or semicolons{least}",
    (
        "Name the columns so in the first line, or say what they are called: --columns q_id=id. "
        "docs/formats.md has the columns of every kind of file."
    ),
    explanation=(
        "The header says what each column contains. If a column q_id, run or judgement is missing "
        "or duplicated, it is unclear whose answer was judged how. Usual causes: columns with "
        "other names, which --columns can name, or a file without a header."
    ),
    example_of=FileKind.JUDGED,
    wrong=_TWO_ROWS.replace("judgement", "assessment"),
    right=_TWO_ROWS,
    fix=only_runs("only the author knows what a column contains."),
    also_in=TABLES,
)
ROW_WIDTH = Rule(
    "AVE502",
    "row-width",
    ERROR,
    "found {found}, expected {expected} as in the header",
    "Separate fields as in the header; in CSV, quote texts that contain the separator.",
    explanation=(
        "With a field missing or extra, all fields after it shift into the wrong columns, and an "
        "id could be read as a judgement. Usual causes: a tab or a line ending inside the text of "
        "an answer, or an empty last field that a program omitted."
    ),
    example_of=FileKind.JUDGED,
    wrong=_TWO_ROWS.replace("W\t2_1", "W"),
    right=_TWO_ROWS,
    fix=only_runs("only the author knows which field is missing or extra."),
    also_in=TABLES,
)
QUOTE_UNUSABLE = Rule(
    "AVE515",
    "quote-unusable",
    ERROR,
    "the quoted field {problem}",
    'Write "..." around the whole field, and each quote in it twice.',
    explanation=(
        "In CSV a field may be quoted, so that it can contain separators and line ends. Programs "
        "disagree about a field that only begins with a quote: some read the following lines as "
        "part of it, and rows disappear silently. Usual causes: texts with quotes that a program "
        "joined with commas, or a file that was cut off."
    ),
    example_of=FileKind.JUDGED,
    wrong="""\
q_id,run,judgement,answer
1,qa1,R,"Guernica" by Picasso
2,qa1,W,Madrid
""",
    right="""\
q_id,run,judgement,answer
1,qa1,R,\"""Guernica"" by Picasso"
2,qa1,W,Madrid
""",
    fix=only_runs("only the author knows where the field ends."),
    also_in=TABLES,
)
UNKNOWN_JUDGEMENT = Rule(
    "AVE503",
    "unknown-judgement",
    ERROR,
    "found {found!r}, expected one of {expected} under campaign {campaign}{hint}",
    "Correct the letter, or choose the campaign that uses these letters with --campaign.",
    explanation=(
        "Campaigns judge with different letters, and one letter can have different meanings: U is "
        "unsupported in QA@CLEF and unanswered in ResPubliQA. A letter that the chosen campaign "
        "does not have is therefore not guessed. Usual causes: the wrong campaign, lowercase "
        "letters, or whole words such as correct."
    ),
    example_of=FileKind.JUDGED,
    wrong=_TWO_ROWS.replace("R", "C"),
    right=_TWO_ROWS,
    fix=only_runs("the assessors have to say what a letter means."),
)
ANSWERED_UNKNOWN = Rule(
    "AVE504",
    "answered-unknown",
    ERROR,
    "answered is {found!r}, expected YES or NO",
    "Write YES or NO; in a judged file the field may be empty.",
    explanation=(
        "A question that a system left unanswered counts differently from one answered wrongly, "
        "and this value distinguishes the two. Usual causes: a program that writes 1 and 0 or TRUE "
        "and FALSE, or words of another language."
    ),
    example_of=FileKind.JUDGED,
    wrong=_ONE_WITHHELD.replace("NO", "TRUE"),
    right=_ONE_WITHHELD.replace("NO", "YES"),
    fix=only_runs("only the author knows what the word means."),
    also_in=(FileKind.ANSWERS,),
)
FIELD_EMPTY = Rule(
    "AVE505",
    "field-empty",
    ERROR,
    "the field {field} is empty",
    "Fill in the field, or delete the row if it says nothing.",
    explanation=(
        "A row without a question or a run counts for nobody, and skipping it silently would make "
        "some system better or worse than it was. Usual cause: a table made for reading, with "
        "merged cells or with entries only where they change."
    ),
    example_of=FileKind.JUDGED,
    wrong=_TWO_ROWS.replace("2\tqa1", "2\t"),
    right=_TWO_ROWS,
    fix=only_runs("only the author knows whose row it is."),
    also_in=(FileKind.GROUPS, *TABLES),
)
SECOND_ANSWER = Rule(
    "AVE506",
    "second-answer",
    WARNING,
    "run {run!r} answers question {q_id!r} again; its first answer, at line {first}, counts",
    "A QA system is ranked by the first answer that it returns.",
    explanation=(
        "QA systems are ranked together with runs that select one answer per question, so only one "
        "of their answers counts too; with ten chances they would be compared by another measure. "
        "The rows of a question must therefore be in the order in which the system ranked them. "
        "Usual cause: assessors judged lists of answers."
    ),
    example_of=FileKind.JUDGED,
    wrong=_TWO_ROWS.replace("2\tqa1", "1\tqa1\tW\t1_2\n2\tqa1"),
    right=_TWO_ROWS,
    fix=only_runs("only the author knows which answer the system returned first."),
)
RIGHT_BUT_UNANSWERABLE = Rule(
    "AVE507",
    "right-but-unanswerable",
    WARNING,
    "run {run!r} is judged right on question {q_id!r}, which has no VALIDATED answer in the "
    "collection; counted as right",
    "Compare both files: the answer may have been removed when the collection was built.",
    explanation=(
        "The QA system gets a point that no run can get, because the collection has no correct "
        "answer to select; it may even score above perfect selection. Usual causes: a correct "
        "answer that was removed from the collection, as a duplicate or because its text is long, "
        "or labels and judgements from different assessments. NIL is no such answer: it selects "
        "nothing."
    ),
    example_of=FileKind.JUDGED,
    wrong=_TWO_ROWS.replace("W\t2_1", "R\t"),
    right=_TWO_ROWS.replace("2_1", ""),
    fix=only_runs(
        "the organisers have to decide whether the judgement or the collection is wrong."
    ),
)
QUESTION_UNANSWERED = Rule(
    "AVE508",
    "question-without-row",
    WARNING,
    "run {run!r} has no row for question {q_id!r}; counted as answered wrongly",
    "Write a row with answered NO if a system left a question unanswered.",
    explanation=(
        "A QA system is asked every question of the collection, so its accuracy falls with each "
        "question that the file does not mention. That is right for a wrong answer and too severe "
        "for a withheld one. Usual cause: rows without an answer that were dropped when the file "
        "was written."
    ),
    example_of=FileKind.JUDGED,
    wrong=_TWO_ROWS.replace("2\tqa1\tW\t2_1\n", ""),
    right=_TWO_ROWS,
    fix=only_runs("only the author knows whether the system answered and how it was judged."),
)
OUTSIDE_COLLECTION = Rule(
    "AVE509",
    "outside-collection",
    WARNING,
    "question {q_id!r} is not in the collection; its rows are skipped",
    "Nothing to do if the collection has fewer questions than the QA task.",
    explanation=(
        "QA systems and runs are compared only on the questions of the collection, so the accuracy "
        "of a QA system can differ here from the one that its own task published. If nearly all "
        "questions are listed, the two files probably write their ids differently, 0001 and 1 for "
        "example."
    ),
    example_of=FileKind.JUDGED,
    wrong=_TWO_ROWS + "3\tqa1\tW\t3_1\n",
    right=_TWO_ROWS,
    fix=only_runs("the rows may be intended and do no harm."),
)
UNKNOWN_COLUMN = Rule(
    "AVE510",
    "unknown-column",
    WARNING,
    "unknown column {found!r}, ignored{hint}",
    (
        "Known columns: q_id run judgement a_id answer text doc answered confidence; of questions "
        "q_id question lang topic hypothesis; of scores q_id a_id score correct answer question; "
        "of responses q_id answer run nuggets."
    ),
    explanation=(
        "Extra columns, such as notes of the assessors, are harmless. If the name of a known "
        "column is misspelt, however, its contents are lost: without answered, for example, a "
        "withheld answer counts as given."
    ),
    example_of=FileKind.JUDGED,
    wrong=_ONE_WITHHELD.replace("answered", "answerd"),
    right=_ONE_WITHHELD,
    fix=only_runs("only the author knows what the column contains."),
    also_in=TABLES,
)
TWO_GROUPS = Rule(
    "AVE511",
    "two-groups",
    ERROR,
    "run {name!r} belongs to {found!r} here and to {first!r} before",
    "Name one group per run.",
    explanation=(
        "The tables show one group per run; with two, the choice would be arbitrary. Usual causes: "
        "one group written in two ways, or two groups that gave their runs the same name; in that "
        "case the runs need other names."
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
    fix=only_runs("the organisers have to decide whose run it is."),
)
JUDGED_UNKNOWN_ANSWER = Rule(
    "AVE512",
    "judged-unknown-answer",
    WARNING,
    "run {run!r} gives answer {a_id!r} to question {q_id!r}, which has no answer with this id",
    "Compare both files; the judgement still counts.",
    explanation=(
        "The QA system is judged on an answer that the collection does not offer to the runs, so "
        "they could not have selected it. Usual causes: an answer that was removed as a duplicate "
        "of another, or ids that were renumbered in one of the files."
    ),
    example_of=FileKind.JUDGED,
    wrong=_TWO_ROWS.replace("2_1", "2_7"),
    right=_TWO_ROWS,
    fix=only_runs("only the author knows which answer it was."),
)
JUDGEMENT_CONTRADICTED = Rule(
    "AVE513",
    "judgement-contradicted",
    WARNING,
    (
        "run {run!r}: answer {a_id!r} of question {q_id!r} is judged {found} but labelled "
        "{expected} in the collection; the judgement counts"
    ),
    "Compare both files: they should come from the same assessments.",
    explanation=(
        "The same answer is correct in one file and incorrect in the other, so the QA system and "
        "the runs in one ranking are measured by two standards. Usual causes: labels that were "
        "revised after the judgements, or ids that were shifted by a row."
    ),
    example_of=FileKind.JUDGED,
    wrong=_TWO_ROWS.replace("1_1", "1_2"),
    right=_TWO_ROWS,
    fix=only_runs("the assessors have to decide which one is right."),
)
CAMPAIGN_CONTRADICTED = Rule(
    "AVE514",
    "campaign-contradicted",
    ERROR,
    "judged {found} and answered {answered}: under campaign {campaign} the letter means {means}",
    "Choose the campaign that uses these letters, e.g. --campaign respubliqa, or correct the row.",
    explanation=(
        "U is unsupported in QA@CLEF, where a system answers, and unanswered in ResPubliQA, where "
        "it may leave a question open. The row contradicts what its letter means under the chosen "
        "campaign, so the other letters of the file are probably misread too, and every figure "
        "would be wrong with no sign of it. Usual cause: the default campaign, qa-clef, with a "
        "file of ResPubliQA."
    ),
    example_of=FileKind.JUDGED,
    wrong=_ONE_WITHHELD.replace("W", "U"),
    right=_ONE_WITHHELD,
    fix=only_runs("the organisers have to say what the letter means."),
)
