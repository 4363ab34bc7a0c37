"""AVE5xx: judged question-answering runs, and groups."""

from __future__ import annotations

from ave_score.rules.rule import ERROR, WARNING, Rule

HEADER_UNUSABLE = Rule(
    "AVE501",
    "header-unusable",
    ERROR,
    "{problem}{hint}; expected tab-separated columns, at least q_id, run and judgement",
    "The first line names the columns: q_id run judgement [a_id answer text doc answered "
    "confidence].",
)
ROW_WIDTH = Rule(
    "AVE502",
    "row-width",
    ERROR,
    "found {found}, expected {expected} as in the header",
    "Separate fields by one tab; texts cannot hold tabs.",
)
UNKNOWN_JUDGEMENT = Rule(
    "AVE503",
    "unknown-judgement",
    ERROR,
    "found {found!r}, expected one of {expected} under campaign {campaign}{hint}",
    "Choose the campaign whose letters the file uses with --campaign.",
)
ANSWERED_UNKNOWN = Rule(
    "AVE504",
    "answered-unknown",
    ERROR,
    "found {found!r} as answered, expected YES or NO",
    "Write YES, NO or leave the field empty.",
)
FIELD_EMPTY = Rule(
    "AVE505",
    "field-empty",
    ERROR,
    "the field {field} is empty",
    "Every row names its question and its run.",
)
SECOND_ANSWER = Rule(
    "AVE506",
    "second-answer",
    WARNING,
    "run {run!r} answers question {q_id!r} again; its first answer, at line {first}, counts",
    "A QA system is ranked by the answer it returns first.",
)
RIGHT_BUT_UNANSWERABLE = Rule(
    "AVE507",
    "right-but-unanswerable",
    WARNING,
    "run {run!r} is judged right on question {q_id!r}, which has no VALIDATED answer in the "
    "collection; counted as right",
    "Was the answer left out when the collection was built?",
)
QUESTION_UNANSWERED = Rule(
    "AVE508",
    "question-without-row",
    WARNING,
    "run {run!r} has no row for question {q_id!r}; counted as answered wrongly",
    "Write a row with answered NO where a system left a question unanswered.",
)
OUTSIDE_COLLECTION = Rule(
    "AVE509",
    "outside-collection",
    WARNING,
    "question {q_id!r} is not in the collection; its rows are left out",
    "Usual where a collection holds fewer questions than the QA task had.",
)
UNKNOWN_COLUMN = Rule(
    "AVE510",
    "unknown-column",
    WARNING,
    "the column {found!r} is not known and was not read{hint}",
    "Known columns: q_id run judgement a_id answer text doc answered confidence.",
)
TWO_GROUPS = Rule(
    "AVE511",
    "two-groups",
    ERROR,
    "run {run!r} belongs to {found!r} here, and to {first!r} before",
    "Name one group for each run.",
)
JUDGED_UNKNOWN_ANSWER = Rule(
    "AVE512",
    "judged-unknown-answer",
    WARNING,
    "run {run!r} gives answer {a_id!r} to question {q_id!r}, which has none of this id",
    "Was the answer left out when the collection was built? Its judgement counts all the same.",
)
JUDGEMENT_CONTRADICTED = Rule(
    "AVE513",
    "judgement-contradicted",
    WARNING,
    "run {run!r}: answer {a_id!r} of question {q_id!r} is judged {found}, and labelled {expected} "
    "in the collection; the judgement counts",
    "Do both files come from the same assessments?",
)
