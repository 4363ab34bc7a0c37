"""AVE520-AVE529: input of `ave-score build`.

The first three concern the questions table; `ave-score check` finds them, too.
"""

from __future__ import annotations

from ave_score.kinds import FileKind
from ave_score.rules.rule import ERROR, WARNING, Rule, only_runs

_WITH_DOCUMENTS = """\
q_id\trun\tjudgement\tanswer\tdoc
1\tqa1\tR\tJane Austen\tD1
2\tqa1\tW\tRossini\tD1
"""

QUESTION_REPEATED = Rule(
    "AVE520",
    "question-repeated",
    ERROR,
    "duplicate question {q_id!r}, first at line {first}",
    "Give every question its own id.",
    explanation=(
        "Judged answers and responses refer to a question by its id, so with a duplicate id it is "
        "unclear which question was answered. Usual cause: the questions of several years or "
        "languages, each numbered from 1, in one file."
    ),
    example_of=FileKind.QUESTIONS,
    wrong="""\
q_id\tquestion
1\tWho wrote Emma?
1\tWho composed Norma?
""",
    right="""\
q_id\tquestion
1\tWho wrote Emma?
2\tWho composed Norma?
""",
    fix=only_runs("only the author knows which question is which."),
    also_in=(FileKind.ANSWER_SETS,),
)
HYPOTHESIS_SLOT = Rule(
    "AVE521",
    "hypothesis-slot",
    ERROR,
    "the hypothesis {problem}",
    "Write {answer} where the answer belongs, and no other braces.",
    explanation=(
        "A hypothesis is the question as a statement, and the answer replaces the slot. Without a "
        "slot, every answer would get the same statement; any other brace is usually a misspelt "
        "slot and would stay in the statement. Usual causes: slots of another program, such as {} "
        "or %s, or a statement copied with an answer in it."
    ),
    example_of=FileKind.QUESTIONS,
    wrong="""\
q_id\tquestion\thypothesis
1\tWho wrote Emma?\t{answer} wrote Emma.
2\tWho composed Norma?\t{} composed Norma.
""",
    right="""\
q_id\tquestion\thypothesis
1\tWho wrote Emma?\t{answer} wrote Emma.
2\tWho composed Norma?\t{answer} composed Norma.
""",
    fix=only_runs("only the author knows where the answer belongs."),
)
OUTSIDE_QUESTIONS = Rule(
    "AVE522",
    "outside-questions",
    WARNING,
    "question {q_id!r} is not in the questions table; its rows are skipped",
    "Nothing to do if the collection is meant to have only some of the questions.",
    explanation=(
        "The collection gets the questions of the table and no others. If nearly all questions are "
        "listed, the two files probably write their ids differently, 0001 and 1 for example; ids "
        "are compared as strings."
    ),
    example_of=FileKind.JUDGED,
    wrong="""\
q_id\trun\tjudgement\tanswer
1\tqa1\tR\tJane Austen
3\tqa1\tW\tRossini
""",
    right="""\
q_id\trun\tjudgement\tanswer
1\tqa1\tR\tJane Austen
2\tqa1\tW\tRossini
""",
    fix=only_runs("the rows may be intended and do no harm."),
)
JUDGEMENTS_DIFFER = Rule(
    "AVE523",
    "judgements-differ",
    WARNING,
    (
        "answer {found!r} of question {q_id!r} is judged {letter} here and {other} {before}; "
        "labelled UNKNOWN"
    ),
    "Have the assessors check both rows.",
    explanation=(
        "Two systems gave the same answer, and its judgements mean different labels. Neither "
        "chance nor the order of the rows decides between them: the answer becomes UNKNOWN and is "
        "excluded from validation. W and U mean the same label, and a row without a judgement is "
        "ignored. Usual causes: assessors who judged independently, or texts of which only one "
        "supports the answer."
    ),
    example_of=FileKind.JUDGED,
    wrong="""\
q_id\trun\tjudgement\tanswer
1\tqa1\tR\tJane Austen
1\tqa2\tW\tjane austen
2\tqa1\tW\tRossini
""",
    right="""\
q_id\trun\tjudgement\tanswer
1\tqa1\tR\tJane Austen
1\tqa2\tR\tjane austen
2\tqa1\tW\tRossini
""",
    fix=only_runs("the assessors have to decide which judgement is right."),
)
DOCUMENT_UNUSABLE = Rule(
    "AVE524",
    "document-unusable",
    ERROR,
    "document {found!r} is not a valid file name in the folder of documents",
    "Name a document by its id, without folders.",
    explanation=(
        "The text of an answer is searched in the file named after its document. A name that "
        "contains a path separator or starts with a dot could lead out of the folder, to any file "
        "of this computer, and copy its text into the collection, so no such file is opened. Usual "
        "cause: a path instead of an id."
    ),
    example_of=FileKind.JUDGED,
    wrong=_WITH_DOCUMENTS.replace("Rossini\tD1", "Rossini\t../D1"),
    right=_WITH_DOCUMENTS,
    fix=only_runs("only the author knows which document is meant."),
)
DOCUMENT_MISSING = Rule(
    "AVE525",
    "document-missing",
    WARNING,
    "document {found!r} is not in the folder of documents; its answers are skipped",
    "Find the document, or ignore the warning: an answer without a text cannot be validated.",
    explanation=(
        "An answer that comes with only a document gets its supporting text from there. Without "
        "the document there is no text, and the answer is skipped and counted as such. Usual "
        "causes: a system that invented the name, a folder with another part of the documents, or "
        "files whose suffix is neither .txt nor .txt.gz."
    ),
    example_of=FileKind.JUDGED,
    wrong=_WITH_DOCUMENTS.replace("Rossini\tD1", "Rossini\tD7"),
    right=_WITH_DOCUMENTS,
    fix=only_runs("only the author knows which document is meant."),
)
