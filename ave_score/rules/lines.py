"""AVE1xx: the file as text, and one line of it."""

from __future__ import annotations

from ave_score.rules.rule import ERROR, WARNING, Rule

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
