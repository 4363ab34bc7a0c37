"""AVE520-AVE529: what collections are built from, found by `ave-score build`.

The first three are about the questions table; `check` finds them, too.
"""

from __future__ import annotations

from ave_score.kinds import FileKind
from ave_score.rules.rule import ERROR, WARNING, Rule, no_fix

QUESTION_REPEATED = Rule(
    "AVE520",
    "question-repeated",
    ERROR,
    "question {q_id!r} stands at line {first} already",
    "Every question needs an id of its own.",
    explanation=(
        "Judged answers, and responses, name their question by its id, so with two questions of "
        "one id it cannot be told which was answered. The usual cause is that the questions of "
        "several years or languages, each numbered from 1, were put into one file."
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
    fix=no_fix("`ave-score fix` mends runs only; which question is which, its author must say."),
    also_in=(FileKind.ANSWER_SETS,),
)
HYPOTHESIS_SLOT = Rule(
    "AVE521",
    "hypothesis-slot",
    ERROR,
    "the hypothesis {problem}",
    "Write {answer} where the answer belongs, and no other braces.",
    explanation=(
        "A hypothesis is the question as a statement, and an answer is put in the place of the "
        "slot. Without the slot the same statement would stand for every answer; another brace is "
        "mostly a slot misspelt, and would stay in the statement as it is. Usual causes are slots "
        "of another program, such as {} or %s, and a statement that was copied with an answer in "
        "it."
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
    fix=no_fix("`ave-score fix` mends runs only; where the answer belongs, its author must say."),
)
OUTSIDE_QUESTIONS = Rule(
    "AVE522",
    "outside-questions",
    WARNING,
    "question {q_id!r} is not in the questions table; its rows are left out",
    "Nothing to do where a collection of some of the questions is wanted.",
    explanation=(
        "The collection gets the questions of the table and no others. If nearly all questions are "
        "named, the ids of the two files are probably written in different ways, 0001 and 1 for "
        "example; ids are compared as strings."
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
    fix=no_fix(
        "`ave-score fix` mends runs only; the rows may be there for good reason and do no harm."
    ),
)
JUDGEMENTS_DIFFER = Rule(
    "AVE523",
    "judgements-differ",
    WARNING,
    "answer {found!r} of question {q_id!r} is judged {letter} here, and {other} {before}; "
    "labelled UNKNOWN",
    "Let the assessors look at both rows again.",
    explanation=(
        "Two systems gave the same answer, and the judgements of it mean different labels. Which "
        "of them holds is not left to chance, nor to the order of the rows: the answer is UNKNOWN, "
        "and so left out of validation. Usual causes are assessors who judged apart from each "
        "other, and texts of which only one supports the answer. W and U mean the same label, and "
        "a row without a judgement says nothing."
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
    fix=no_fix("`ave-score fix` mends runs only; which judgement holds, the assessors must say."),
)
DOCUMENT_UNUSABLE = Rule(
    "AVE524",
    "document-unusable",
    ERROR,
    "the document {found!r} cannot be the name of a file in the folder of documents",
    "Name a document by its id, without folders.",
    explanation=(
        "The text of an answer is looked for in the file that its document is called by. A name "
        "with a separator in it, or one that begins with a dot, could lead out of the folder, to "
        "any file of this computer, and its text into the collection; so none is opened. The usual "
        "cause is a path in the place of an id."
    ),
    example_of=FileKind.JUDGED,
    wrong="""\
q_id\trun\tjudgement\tanswer\tdoc
1\tqa1\tR\tJane Austen\tD1
2\tqa1\tW\tRossini\t../D1
""",
    right="""\
q_id\trun\tjudgement\tanswer\tdoc
1\tqa1\tR\tJane Austen\tD1
2\tqa1\tW\tRossini\tD1
""",
    fix=no_fix("`ave-score fix` mends runs only; which document it was, its author must say."),
)
DOCUMENT_MISSING = Rule(
    "AVE525",
    "document-missing",
    WARNING,
    "there is no document {found!r} in the folder of documents; its answers are left out",
    "Look for the document, or leave the warning: an answer without a text cannot be validated.",
    explanation=(
        "An answer that comes with a document only gets its supporting text from there. Without "
        "the document there is none, and it is left out and counted. Usual causes are a system "
        "that made the name up, a folder of another part of the documents, and files that are "
        "neither called .txt nor .txt.gz."
    ),
    example_of=FileKind.JUDGED,
    wrong="""\
q_id\trun\tjudgement\tanswer\tdoc
1\tqa1\tR\tJane Austen\tD1
2\tqa1\tW\tRossini\tD7
""",
    right="""\
q_id\trun\tjudgement\tanswer\tdoc
1\tqa1\tR\tJane Austen\tD1
2\tqa1\tW\tRossini\tD1
""",
    fix=no_fix("`ave-score fix` mends runs only; which document it was, its author must say."),
)
