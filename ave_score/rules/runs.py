"""AVE1xx to AVE3xx: lines and text of files, runs against their collections, verdicts."""

from __future__ import annotations

from ave_score.rules.rule import SAFE, UNSAFE, error, warning

FIELD_COUNT = error(
    "AVE101",
    "field-count",
    "found {found}, expected {expected}: {layout}{hint}",
    "Write one answer per line with exactly these fields, separated by spaces or tabs.",
)
UNKNOWN_VERDICT = error(
    "AVE102",
    "unknown-verdict",
    "found {found!r}, expected one of {expected}{hint}",
    "The verdict comes before the confidence, in capitals; --values says what other words mean.",
)
VERDICT_CASE = error(
    "AVE103",
    "verdict-case",
    "found {found!r}, expected {expected}: verdicts are written in capitals",
    "Change nothing but the case of its letters.",
    SAFE,
)
LABEL_IN_RUN = error(
    "AVE104",
    "label-in-run",
    "found {found!r}, a gold label or a judgement; expected one of {expected}",
    "A run contains SELECTED, VALIDATED or REJECTED, or YES or NO for pairs; --values says "
    "what other words mean.",
)
CONFIDENCE_NOT_A_NUMBER = error(
    "AVE105",
    "confidence-not-a-number",
    "confidence is {found!r}, expected a number such as 0.75",
    "Write the confidence as a decimal number with a point.",
)
CONFIDENCE_NOT_FINITE = error(
    "AVE106",
    "confidence-not-finite",
    "confidence is {found!r}, expected a finite number",
    "NaN and infinity cannot be ranked; write the system's actual score.",
)
DECIMAL_COMMA = error(
    "AVE107",
    "decimal-comma",
    "found {found!r}, expected {expected!r}: the decimal separator is a point",
    "Use no comma in a number.",
    SAFE,
)
CONFIDENCE_RANGE = warning(
    "AVE108",
    "confidence-range",
    "confidence {found} is outside 0..1",
    "Allowed; measures that sum confidences or read them as probabilities need 0 to 1.",
)
HEADER_LINE = error(
    "AVE109",
    "header-line",
    "found a header line, expected an answer: {layout}{hint}",
    "Delete the line, or make it a comment (#); name the columns of CSV with --columns.",
    SAFE,
)
NOT_UTF8 = error(
    "AVE110",
    "not-utf-8",
    "byte 0x{byte:02X} is not UTF-8; the file looks like Latin-1 or Windows-1252",
    "Save the file as UTF-8, e.g. iconv -f latin1 -t utf-8 OLD > NEW.",
    UNSAFE,
)
BYTE_ORDER_MARK = warning(
    "AVE111",
    "byte-order-mark",
    "the file begins with a byte order mark, which was skipped",
    "Save the file as UTF-8 without BOM.",
    SAFE,
)
LINE_ENDS = warning(
    "AVE112",
    "line-ends",
    "the lines end with {found}, expected LF; accepted as line endings",
    "Save the file with Unix line endings.",
    SAFE,
)
CONTROL_CHARACTER = error(
    "AVE113",
    "control-character",
    "found {found}, which is invisible and belongs to no field{also}",
    "Replace it with a plain space if it separates fields; otherwise delete it.",
    SAFE,
)
LINE_TOO_LONG = error(
    "AVE114",
    "line-too-long",
    "the line is longer than {limit:,} bytes and was skipped",
    "A line holds a few short fields; look for missing line endings.",
)
EMPTY_FILE = error(
    "AVE115",
    "empty-file",
    "the file has no {expected}",
    "Check that this is the right file and that the system wrote its answers.",
)
OTHER_FORMAT = error(
    "AVE116",
    "other-format",
    "this looks like {found}, expected {expected}{hint}",
    "Check which file is meant, or convert it to the expected format.",
)
BINARY_FILE = error(
    "AVE117",
    "binary-file",
    "the file is not text ({found}), expected {expected}",
    "Pass the text file itself (it may be compressed with gzip or xz); save a spreadsheet as CSV.",
)
UTF16 = error(
    "AVE118",
    "utf-16",
    "the file is encoded in {found}, expected UTF-8; nothing in it was read",
    "Save the file as UTF-8, e.g. iconv -f utf-16 -t utf-8 OLD > NEW.",
    SAFE,
)
CONTROL_IN_TEXT = warning(
    "AVE119",
    "control-in-text",
    "found {found} in a text",
    "Nothing to do if only texts have it; in an id it is an error.",
)
UNKNOWN_QUESTION = error(
    "AVE201",
    "unknown-question",
    "question {q_id!r} is not in the collection{hint}",
    "Ids are compared as strings: 0001 and 1 differ.",
)
UNKNOWN_ANSWER = error(
    "AVE202",
    "unknown-answer",
    "the collection has no {answer}{hint}",
    "Ids are compared as strings: 0001 and 1 differ, as do 0001_1 and 1_1.",
)
ANSWER_OF_ANOTHER_QUESTION = error(
    "AVE203",
    "answer-of-another-question",
    "answer {a_id!r} belongs to question {expected!r}, found under {q_id!r}",
    "Put the id of the answer's own question into the first field.",
)
ANSWER_MISSING = error(
    "AVE204",
    "answer-missing",
    "no line for {answer}",
    "Write a line for every answer.",
    UNSAFE,
)
ANSWER_REPEATED = error(
    "AVE205",
    "answer-repeated",
    "{answer} is repeated: same as line {first}",
    "Delete one of the lines.",
    SAFE,
)
ANSWER_CONFLICT = error(
    "AVE206",
    "answer-conflict",
    "{answer} is repeated: conflicts with line {first}",
    "Keep the intended line.",
    UNSAFE,
)
MISSING_AS_REJECTED = warning(
    "AVE207",
    "missing-as-rejected",
    "no line for {answer}; read as {read_as}",
    "Nothing to do: --missing rejected or unanswered asks for this.",
)
ANOTHER_COLLECTION = error(
    "AVE208",
    "another-collection",
    "names {named} of {size} answers of the collection, and {unknown} others; is it the right "
    "collection? First of the others: {answer}{hint}",
    "Give the collection that the file was made for: its language, year and release.",
)
MISSING_EXCLUDED = warning(
    "AVE209",
    "missing-excluded",
    "no line for {answer}; left out of the scores of this run",
    "Nothing to do: --missing excluded asks for this.",
)
TOPIC_WITHOUT_QRELS = warning(
    "AVE210",
    "topic-without-qrels",
    "topic {q_id!r} is not in the qrels: {documents} not scored",
    "Nothing to do if the topic was not judged; otherwise give the qrels that have it.",
)
TOPICS_WITHOUT_RESULTS = warning(
    "AVE211",
    "topics-without-results",
    "no results for {number} of {size}, which count 0: {topics}",
    "Nothing to do if the system found nothing; otherwise the run is incomplete.",
)
RANKS_CONTRADICT_SCORES = warning(
    "AVE212",
    "ranks-contradict-scores",
    "in {number} of {size}, ranks contradict scores, which count: topic {q_id!r} has score {found} "
    "at rank {rank}, above a smaller rank's {other}",
    "Nothing to do if the scores are right; otherwise write scores that fall as ranks rise.",
)
EQUAL_SCORES = warning(
    "AVE213",
    "equal-scores",
    "in single precision no topic has two different scores, but {number} of {size} have different "
    "ranks, which count only with --ties rank",
    "Write scores that fall as ranks rise, or score with --ties rank.",
)
TOPICS_EXCLUDED = warning(
    "AVE214",
    "topics-excluded",
    "no results for {number} of {size}; left out of the scores of this run: {topics}",
    "Nothing to do: --missing excluded asks for this.",
)
SEVERAL_TAGS = warning(
    "AVE215",
    "several-tags",
    "has the tag {found!r} after {first!r}: {number} tags in one run",
    "Write one tag, the name of the run; results of several runs belong into several files.",
)
TOO_MANY_DOCUMENTS = error(
    "AVE216",
    "too-many-documents",
    "topic {q_id!r} has {number} documents, {expected} are permitted",
    "Write only the best documents of each topic, as many as the campaign permits.",
)
DOCUMENT_OUTSIDE = error(
    "AVE217",
    "document-outside",
    "document {a_id!r} of topic {q_id!r} is not in the list of permitted documents",
    "Rank only documents of the collection, or of the pool, that the campaign names.",
)
TWO_SELECTED = error(
    "AVE301",
    "two-selected",
    "question {q_id!r} already has a SELECTED answer, at line {first}",
    "Select one answer per question and validate the others.",
    UNSAFE,
)
NONE_SELECTED = error(
    "AVE302",
    "validated-without-selected",
    "question {q_id!r} has a VALIDATED answer but no SELECTED one",
    "Select the validated answer that the system would return.",
    UNSAFE,
)
SELECTED_LEAST_CONFIDENT = warning(
    "AVE303",
    "selected-least-confident",
    "in {number} of {size} questions the SELECTED answer has the lowest confidence: confidences "
    "are read as those of answers, not of decisions",
    "If a confidence says how sure a REJECTED is, write 1 minus it; otherwise nothing to do.",
)
