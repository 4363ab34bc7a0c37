"""Every rule that a file can break, with its message and what to do; the codes never change."""

from __future__ import annotations

from ave_score.findings import Rule, Severity

ERROR, WARNING = Severity.ERROR, Severity.WARNING

# --- AVE1xx: the file as text, and one line of it ---------------------------------------------

FIELD_COUNT = Rule(
    "AVE101",
    "field-count",
    ERROR,
    "found {found}, expected {expected}: {layout}",
    "Write one answer a line, its fields separated by blanks or tabs.",
)
UNKNOWN_VERDICT = Rule(
    "AVE102",
    "unknown-verdict",
    ERROR,
    "found {found!r}, expected one of {expected}{hint}",
    "The third field is the verdict, in capitals.",
)
VERDICT_CASE = Rule(
    "AVE103",
    "verdict-case",
    ERROR,
    "found {found!r}, expected {expected}: verdicts are written in capitals",
    "Write the verdict in capitals.",
)
LABEL_IN_RUN = Rule(
    "AVE104",
    "label-in-run",
    ERROR,
    "found {found!r}, a gold label or a judgement; expected one of {expected}",
    "A run says SELECTED, VALIDATED or REJECTED; UNKNOWN, YES/NO and R/W/U/X belong to gold files.",
)
CONFIDENCE_NOT_A_NUMBER = Rule(
    "AVE105",
    "confidence-not-a-number",
    ERROR,
    "found {found!r}, expected a number such as 0.75 as the confidence",
    "The fourth field is a decimal number with a point.",
)
CONFIDENCE_NOT_FINITE = Rule(
    "AVE106",
    "confidence-not-finite",
    ERROR,
    "found {found!r}, expected a finite number as the confidence",
    "NaN and infinity cannot be ranked; write the system's real score.",
)
DECIMAL_COMMA = Rule(
    "AVE107",
    "decimal-comma",
    ERROR,
    "found {found!r}, expected {expected!r}: the decimal sign is a point",
    "Write the confidence with a decimal point.",
)
CONFIDENCE_RANGE = Rule(
    "AVE108",
    "confidence-range",
    WARNING,
    "confidence {found} is outside 0..1",
    "Legal, but K, K1 and calibration need confidences from 0 to 1.",
)
HEADER_LINE = Rule(
    "AVE109",
    "header-line",
    ERROR,
    "found a header line, expected an answer: {layout}",
    "Delete the line.",
)
NOT_UTF8 = Rule(
    "AVE110",
    "not-utf-8",
    ERROR,
    "byte 0x{byte:02X} is not UTF-8; the file looks like Latin-1 or Windows-1252",
    "Save the file as UTF-8, e.g. iconv -f latin1 -t utf-8 OLD > NEW.",
)
BYTE_ORDER_MARK = Rule(
    "AVE111",
    "byte-order-mark",
    WARNING,
    "the file begins with a byte order mark, which was skipped",
    "Save the file as UTF-8 without BOM.",
)
LINE_ENDS = Rule(
    "AVE112",
    "line-ends",
    WARNING,
    "the lines end with {found}, expected LF; read as line ends all the same",
    "Save the file with Unix line ends.",
)
CONTROL_CHARACTER = Rule(
    "AVE113",
    "control-character",
    ERROR,
    "found {found}, which cannot be seen and belongs to no field",
    "Delete the character; fields are separated by blanks or tabs.",
)
LINE_TOO_LONG = Rule(
    "AVE114",
    "line-too-long",
    ERROR,
    "the line is longer than {limit:,} bytes and was skipped",
    "A line holds a few short fields; look for lost line ends.",
)
EMPTY_FILE = Rule(
    "AVE115",
    "empty-file",
    ERROR,
    "the file has no {expected}",
    "Was the right file given, and did the system write anything?",
)
SWAPPED = "; were collection and run swapped?"
"""The hint of `OTHER_FORMAT` where one was given for the other."""

OTHER_FORMAT = Rule(
    "AVE116",
    "other-format",
    ERROR,
    "this looks like {found}, expected {expected}{hint}",
    "Give each file where it belongs: COLLECTION, then RUN..., others behind their options.",
)
BINARY_FILE = Rule(
    "AVE117",
    "binary-file",
    ERROR,
    "the file is not text ({found}), expected {expected}",
    "Give the text file itself (it may be compressed with gzip or xz).",
)
UTF16 = Rule(
    "AVE118",
    "utf-16",
    ERROR,
    "the file is encoded in {found}, expected UTF-8; nothing in it was read",
    "Save the file as UTF-8, e.g. iconv -f utf-16 -t utf-8 OLD > NEW.",
)

# --- AVE2xx: a run or a key against its collection --------------------------------------------

UNKNOWN_QUESTION = Rule(
    "AVE201",
    "unknown-question",
    ERROR,
    "question {q_id!r} is not in the collection{hint}",
    "Ids are compared as strings: 0001 and 1 differ.",
)
UNKNOWN_ANSWER = Rule(
    "AVE202",
    "unknown-answer",
    ERROR,
    "question {q_id!r} has no answer {a_id!r}{hint}",
    "Ids are compared as strings: 0001_1 and 1_1 differ.",
)
ANSWER_OF_ANOTHER_QUESTION = Rule(
    "AVE203",
    "answer-of-another-question",
    ERROR,
    "answer {a_id!r} belongs to question {expected!r}, found under {q_id!r}",
    "Put the answer's own question into the first field.",
)
ANSWER_MISSING = Rule(
    "AVE204",
    "answer-missing",
    ERROR,
    "no line for answer {a_id!r} of question {q_id!r}",
    "Every answer of the collection needs a line; score's --missing rejected takes it as REJECTED.",
)
ANSWER_REPEATED = Rule(
    "AVE205",
    "answer-repeated",
    ERROR,
    "answer {a_id!r} of question {q_id!r} was given before, alike, at line {first}",
    "Delete one of the lines.",
)
ANSWER_CONFLICT = Rule(
    "AVE206",
    "answer-conflict",
    ERROR,
    "answer {a_id!r} of question {q_id!r} was given before, differently, at line {first}",
    "Keep the line that is meant.",
)
MISSING_AS_REJECTED = Rule(
    "AVE207",
    "missing-as-rejected",
    WARNING,
    "no line for answer {a_id!r} of question {q_id!r}; taken as REJECTED",
    "Asked for with --missing rejected.",
)

# --- AVE3xx: the verdicts inside a question ---------------------------------------------------

TWO_SELECTED = Rule(
    "AVE301",
    "two-selected",
    ERROR,
    "question {q_id!r} has a SELECTED answer already, at line {first}",
    "Select one answer of the question and validate the others.",
)
NONE_SELECTED = Rule(
    "AVE302",
    "validated-without-selected",
    ERROR,
    "question {q_id!r} has a VALIDATED answer but none SELECTED",
    "Select the validated answer that the system would return.",
)

# --- AVE4xx: collections and keys -------------------------------------------------------------

NOT_WELL_FORMED = Rule(
    "AVE401",
    "not-well-formed",
    ERROR,
    "not well-formed XML: {problem}",
    "Nothing behind this place was read.",
)
ENTITY_DECLARED = Rule(
    "AVE402",
    "entity-declared",
    ERROR,
    "the DTD declares the entity {name!r}; entity declarations are refused",
    "Write the text in place of the entity and delete the declaration.",
)
DUPLICATE_QUESTION = Rule(
    "AVE403",
    "duplicate-question",
    ERROR,
    "question {q_id!r} stands in the collection already",
    "Every question needs an id of its own.",
)
DUPLICATE_ANSWER = Rule(
    "AVE404",
    "duplicate-answer",
    ERROR,
    "question {q_id!r} has an answer {a_id!r} already",
    "Every answer of a question needs an id of its own.",
)
QUESTION_WITHOUT_ANSWERS = Rule(
    "AVE405",
    "question-without-answers",
    WARNING,
    "question {q_id!r} has no answers; it counts as a question without a correct one",
    "Leave the question out if systems were not asked about it.",
)
UNKNOWN_LABEL = Rule(
    "AVE406",
    "unknown-label",
    ERROR,
    "found {found!r}, expected one of {expected}{hint}",
    "Gold labels are written in capitals.",
)
UNLABELLED_ANSWER = Rule(
    "AVE407",
    "unlabelled-answer",
    ERROR,
    "answer {a_id!r} of question {q_id!r} has no gold label",
    "This looks like a test file: give its labels with --key FILE.",
)
ID_MISSING = Rule(
    "AVE408",
    "id-missing",
    ERROR,
    "<{tag}> has no id",
    'Write <q id="..."> and <a id="...">.',
)
ANSWER_OUTSIDE_QUESTION = Rule(
    "AVE409",
    "answer-outside-question",
    ERROR,
    "<a> stands outside any <q>, or inside another <a>",
    "Close the elements where they end.",
)
NO_QUESTIONS = Rule(
    "AVE410",
    "no-questions",
    ERROR,
    "found no <q id=...>, expected an AVE 2007/2008 collection",
    "A collection holds <q id><q_str/><a id value><a_str/><t_str/></a>...</q>.",
)
ID_UNUSABLE = Rule(
    "AVE411",
    "id-unusable",
    ERROR,
    "the id {found!r} is empty, begins with # or has blanks or control characters in it; "
    "no line of a run could name it",
    "Use ids of letters, digits and punctuation.",
)
QUESTION_IN_QUESTION = Rule(
    "AVE412",
    "question-in-question",
    ERROR,
    "<q> stands inside another <q>",
    "Close the elements where they end.",
)
TOO_DEEP = Rule(
    "AVE414",
    "too-deep",
    ERROR,
    "elements are nested deeper than {limit} levels, of which a collection needs 4",
    "Nothing behind this place was read.",
)
TOKEN_TOO_LONG = Rule(
    "AVE415",
    "token-too-long",
    ERROR,
    "a tag or comment is longer than {limit} MiB",
    "Nothing behind this place was read; look for a quote that is not closed.",
)
LABEL_CONFLICT = Rule(
    "AVE413",
    "label-conflict",
    ERROR,
    "the key says {found}, but the collection itself says {expected}",
    "Use a key only with a collection that has no labels, or the same ones.",
)

# --- AVE5xx: judged question-answering runs ---------------------------------------------------

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
