"""AVE1xx to AVE3xx: lines and text of files, runs against their collections, verdicts."""

from __future__ import annotations

from ave_score.rules.rule import ERROR, SAFE, UNSAFE, WARNING, Rule

FIELD_COUNT = Rule(
    "AVE101",
    "field-count",
    ERROR,
    "found {found}, expected {expected}: {layout}{hint}",
    "Write one answer per line with exactly these fields, separated by spaces or tabs.",
)
UNKNOWN_VERDICT = Rule(
    "AVE102",
    "unknown-verdict",
    ERROR,
    "found {found!r}, expected one of {expected}{hint}",
    "The verdict comes before the confidence, in capitals; --values says what other words mean.",
)
VERDICT_CASE = Rule(
    "AVE103",
    "verdict-case",
    ERROR,
    "found {found!r}, expected {expected}: verdicts are written in capitals",
    "Change nothing but the case of its letters.",
    SAFE,
)
LABEL_IN_RUN = Rule(
    "AVE104",
    "label-in-run",
    ERROR,
    "found {found!r}, a gold label or a judgement; expected one of {expected}",
    "A run contains SELECTED, VALIDATED or REJECTED, or YES or NO for pairs; --values says "
    "what other words mean.",
)
CONFIDENCE_NOT_A_NUMBER = Rule(
    "AVE105",
    "confidence-not-a-number",
    ERROR,
    "confidence is {found!r}, expected a number such as 0.75",
    "Write the confidence as a decimal number with a point.",
)
CONFIDENCE_NOT_FINITE = Rule(
    "AVE106",
    "confidence-not-finite",
    ERROR,
    "confidence is {found!r}, expected a finite number",
    "NaN and infinity cannot be ranked; write the system's actual score.",
)
DECIMAL_COMMA = Rule(
    "AVE107",
    "decimal-comma",
    ERROR,
    "found {found!r}, expected {expected!r}: the decimal separator is a point",
    "Use no comma in a number.",
    SAFE,
)
CONFIDENCE_RANGE = Rule(
    "AVE108",
    "confidence-range",
    WARNING,
    "confidence {found} is outside 0..1",
    "Allowed; measures that sum confidences or read them as probabilities need 0 to 1.",
)
HEADER_LINE = Rule(
    "AVE109",
    "header-line",
    ERROR,
    "found a header line, expected an answer: {layout}{hint}",
    "Delete the line, or make it a comment (#); name the columns of CSV with --columns.",
    SAFE,
)
NOT_UTF8 = Rule(
    "AVE110",
    "not-utf-8",
    ERROR,
    "byte 0x{byte:02X} is not UTF-8; the file looks like Latin-1 or Windows-1252",
    "Save the file as UTF-8, e.g. iconv -f latin1 -t utf-8 OLD > NEW.",
    UNSAFE,
)
BYTE_ORDER_MARK = Rule(
    "AVE111",
    "byte-order-mark",
    WARNING,
    "the file begins with a byte order mark, which was skipped",
    "Save the file as UTF-8 without BOM.",
    SAFE,
)
LINE_ENDS = Rule(
    "AVE112",
    "line-ends",
    WARNING,
    "the lines end with {found}, expected LF; accepted as line endings",
    "Save the file with Unix line endings.",
    SAFE,
)
CONTROL_CHARACTER = Rule(
    "AVE113",
    "control-character",
    ERROR,
    "found {found}, which is invisible and belongs to no field{also}",
    "Replace it with a plain space if it separates fields; otherwise delete it.",
    SAFE,
)
LINE_TOO_LONG = Rule(
    "AVE114",
    "line-too-long",
    ERROR,
    "the line is longer than {limit:,} bytes and was skipped",
    "A line holds a few short fields; look for missing line endings.",
)
EMPTY_FILE = Rule(
    "AVE115",
    "empty-file",
    ERROR,
    "the file has no {expected}",
    "Check that this is the right file and that the system wrote its answers.",
)
OTHER_FORMAT = Rule(
    "AVE116",
    "other-format",
    ERROR,
    "this looks like {found}, expected {expected}{hint}",
    "Check which file is meant, or convert it to the expected format.",
)
BINARY_FILE = Rule(
    "AVE117",
    "binary-file",
    ERROR,
    "the file is not text ({found}), expected {expected}",
    "Pass the text file itself (it may be compressed with gzip or xz); save a spreadsheet as CSV.",
)
UTF16 = Rule(
    "AVE118",
    "utf-16",
    ERROR,
    "the file is encoded in {found}, expected UTF-8; nothing in it was read",
    "Save the file as UTF-8, e.g. iconv -f utf-16 -t utf-8 OLD > NEW.",
    SAFE,
)
CONTROL_IN_TEXT = Rule(
    "AVE119",
    "control-in-text",
    WARNING,
    "found {found} in a text",
    "Nothing to do if only texts have it; in an id it is an error.",
)
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
    "the collection has no {answer}{hint}",
    "Ids are compared as strings: 0001 and 1 differ, as do 0001_1 and 1_1.",
)
ANSWER_OF_ANOTHER_QUESTION = Rule(
    "AVE203",
    "answer-of-another-question",
    ERROR,
    "answer {a_id!r} belongs to question {expected!r}, found under {q_id!r}",
    "Put the id of the answer's own question into the first field.",
)
ANSWER_MISSING = Rule(
    "AVE204",
    "answer-missing",
    ERROR,
    "no line for {answer}",
    "Write a line for every answer.",
    UNSAFE,
)
ANSWER_REPEATED = Rule(
    "AVE205",
    "answer-repeated",
    ERROR,
    "{answer} is repeated: same as line {first}",
    "Delete one of the lines.",
    SAFE,
)
ANSWER_CONFLICT = Rule(
    "AVE206",
    "answer-conflict",
    ERROR,
    "{answer} is repeated: conflicts with line {first}",
    "Keep the intended line.",
    UNSAFE,
)
MISSING_AS_REJECTED = Rule(
    "AVE207",
    "missing-as-rejected",
    WARNING,
    "no line for {answer}; read as {read_as}",
    "Nothing to do: --missing rejected or unanswered asks for this.",
)
ANOTHER_COLLECTION = Rule(
    "AVE208",
    "another-collection",
    ERROR,
    "names {named} of {size} answers of the collection, and {unknown} others; is it the right "
    "collection? First of the others: {answer}{hint}",
    "Give the collection that the file was made for: its language, year and release.",
)
MISSING_EXCLUDED = Rule(
    "AVE209",
    "missing-excluded",
    WARNING,
    "no line for {answer}; left out of the scores of this run",
    "Nothing to do: --missing excluded asks for this.",
)
TOPIC_WITHOUT_QRELS = Rule(
    "AVE210",
    "topic-without-qrels",
    WARNING,
    "topic {q_id!r} is not in the qrels: {documents} not scored",
    "Nothing to do if the topic was not judged; otherwise give the qrels that have it.",
)
TOPICS_WITHOUT_RESULTS = Rule(
    "AVE211",
    "topics-without-results",
    WARNING,
    "no results for {number} of {size}, which count 0: {topics}",
    "Nothing to do if the system found nothing; otherwise the run is incomplete.",
)
RANKS_CONTRADICT_SCORES = Rule(
    "AVE212",
    "ranks-contradict-scores",
    WARNING,
    "in {number} of {size}, ranks contradict scores, which count: topic {q_id!r} has score {found} "
    "at rank {rank}, above a smaller rank's {other}",
    "Nothing to do if the scores are right; otherwise write scores that fall as ranks rise.",
)
EQUAL_SCORES = Rule(
    "AVE213",
    "equal-scores",
    WARNING,
    "in single precision no topic has two different scores, but {number} of {size} have different "
    "ranks, which count only with --ties rank",
    "Write scores that fall as ranks rise, or score with --ties rank.",
)
TOPICS_EXCLUDED = Rule(
    "AVE214",
    "topics-excluded",
    WARNING,
    "no results for {number} of {size}; left out of the scores of this run: {topics}",
    "Nothing to do: --missing excluded asks for this.",
)
SEVERAL_TAGS = Rule(
    "AVE215",
    "several-tags",
    WARNING,
    "has the tag {found!r} after {first!r}: {number} tags in one run",
    "Write one tag, the name of the run; results of several runs belong into several files.",
)
TOO_MANY_DOCUMENTS = Rule(
    "AVE216",
    "too-many-documents",
    ERROR,
    "topic {q_id!r} has {number} documents, {expected} are permitted",
    "Write only the best documents of each topic, as many as the campaign permits.",
)
DOCUMENT_OUTSIDE = Rule(
    "AVE217",
    "document-outside",
    ERROR,
    "document {a_id!r} of topic {q_id!r} is not in the list of permitted documents",
    "Rank only documents of the collection, or of the pool, that the campaign names.",
)
TWO_SELECTED = Rule(
    "AVE301",
    "two-selected",
    ERROR,
    "question {q_id!r} already has a SELECTED answer, at line {first}",
    "Select one answer per question and validate the others.",
    UNSAFE,
)
NONE_SELECTED = Rule(
    "AVE302",
    "validated-without-selected",
    ERROR,
    "question {q_id!r} has a VALIDATED answer but no SELECTED one",
    "Select the validated answer that the system would return.",
    UNSAFE,
)
SELECTED_LEAST_CONFIDENT = Rule(
    "AVE303",
    "selected-least-confident",
    WARNING,
    "in {number} of {size} questions the SELECTED answer has the lowest confidence: confidences "
    "are read as those of answers, not of decisions",
    "If a confidence says how sure a REJECTED is, write 1 minus it; otherwise nothing to do.",
)
