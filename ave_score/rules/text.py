"""AVE110-AVE118: the file as text."""

from __future__ import annotations

from ave_score.kinds import TEXT_TABLES, FileKind
from ave_score.rules.rule import ERROR, WARNING, Rule, no_fix, safe, unsafe

NOT_UTF8 = Rule(
    "AVE110",
    "not-utf-8",
    ERROR,
    "byte 0x{byte:02X} is not UTF-8; the file looks like Latin-1 or Windows-1252",
    "Save the file as UTF-8, e.g. iconv -f latin1 -t utf-8 OLD > NEW.",
    explanation=(
        "A byte that is not UTF-8 stands for different letters in different encodings, so one "
        "program may read another id than the next, and the answer would be taken as missing. The "
        "line is not used, even where the letter stands in a comment. Older editors and "
        "spreadsheets save Latin-1 or Windows-1252 unless told otherwise."
    ),
    wrong="""\
# Système 1
1 1_1 SELECTED 0.9
1 1_2 REJECTED 0.2
2 2_1 REJECTED 0.1
""",
    right="""\
# Système 1
1 1_1 SELECTED 0.9
1 1_2 REJECTED 0.2
2 2_1 REJECTED 0.1
""",
    stored="saved as Latin-1",
    fix=unsafe("The line is read as Windows-1252."),
    also_in=(*TEXT_TABLES, FileKind.ANSWER_SETS),
)
BYTE_ORDER_MARK = Rule(
    "AVE111",
    "byte-order-mark",
    WARNING,
    "the file begins with a byte order mark, which was skipped",
    "Save the file as UTF-8 without BOM.",
    explanation=(
        "The mark is an invisible character that some Windows programs put before UTF-8 text. A "
        "program that does not expect it takes it as part of the first id, and the first answer is "
        "unknown to the collection. It does no harm here; it may with the next tool that reads the "
        "file."
    ),
    wrong="""\
\ufeff1 1_1 SELECTED 0.9
1 1_2 REJECTED 0.2
2 2_1 REJECTED 0.1
""",
    right="""\
1 1_1 SELECTED 0.9
1 1_2 REJECTED 0.2
2 2_1 REJECTED 0.1
""",
    fix=safe("The byte order mark is removed."),
    also_in=(*TEXT_TABLES, FileKind.ANSWER_SETS),
)
LINE_ENDS = Rule(
    "AVE112",
    "line-ends",
    WARNING,
    "the lines end with {found}, expected LF; read as line ends all the same",
    "Save the file with Unix line ends.",
    explanation=(
        "Windows ends a line with CR and LF, old Macintosh programs with CR, Unix with LF. A "
        "program that knows only LF finds an invisible character behind each confidence, or the "
        "whole file in one line. It does no harm here; it may with the next tool that reads the "
        "file."
    ),
    wrong="""\
1 1_1 SELECTED 0.9\r
1 1_2 REJECTED 0.2\r
2 2_1 REJECTED 0.1\r
""",
    right="""\
1 1_1 SELECTED 0.9
1 1_2 REJECTED 0.2
2 2_1 REJECTED 0.1
""",
    fix=safe("Every line ends with LF."),
    also_in=TEXT_TABLES,
)
CONTROL_CHARACTER = Rule(
    "AVE113",
    "control-character",
    ERROR,
    "found {found}, which cannot be seen and belongs to no field{also}",
    "Put a plain blank in its place where it separates fields; else delete it.",
    explanation=(
        "A no-break space looks like a blank, and a zero-width character like nothing, but to a "
        "program they are letters: two fields become one, or two ids that look alike differ, and "
        "the answer would be taken as missing. They come with text that was copied from a web "
        "page, a PDF document or a word processor."
    ),
    wrong="""\
1 1_1 SELECTED\u00a00.9
1 1_2 REJECTED 0.2
2 2_1 REJECTED 0.1
""",
    right="""\
1 1_1 SELECTED 0.9
1 1_2 REJECTED 0.2
2 2_1 REJECTED 0.1
""",
    fix=safe(
        "A blank of another width, e.g. a no-break space, becomes a plain blank; other invisible "
        "characters are removed with --unsafe."
    ),
    also_in=TEXT_TABLES,
)
LINE_TOO_LONG = Rule(
    "AVE114",
    "line-too-long",
    ERROR,
    "the line is longer than {limit:,} bytes and was skipped",
    "A line holds a few short fields; look for lost line ends.",
    explanation=(
        "No id, verdict or confidence needs that much room, so the line is either many lines whose "
        "ends were lost, or no line of such a file at all. What is in it is not read, and the "
        "answers named there would count as missing. Usual causes are a program that joins lines "
        "when it copies a file, and the log of a system written into its run."
    ),
    wrong="""\
# log: question 1, 2 answers; question 2, 1 answer; question 3, 4 answers; ...
1 1_1 SELECTED 0.9
1 1_2 REJECTED 0.2
2 2_1 REJECTED 0.1
""",
    right="""\
1 1_1 SELECTED 0.9
1 1_2 REJECTED 0.2
2 2_1 REJECTED 0.1
""",
    stored="the first line goes on for 2,000,000 characters",
    fix=no_fix("Where line ends were lost, if they were, cannot be told."),
    also_in=TEXT_TABLES,
)
EMPTY_FILE = Rule(
    "AVE115",
    "empty-file",
    ERROR,
    "the file has no {expected}",
    "Was the right file given, and did the system write anything?",
    explanation=(
        "A file that holds nothing, or only blank lines and comments, is no run that rejects "
        "everything: read so, it would stand in the tables as a system that never decided "
        "anything. Usual causes are a program that stopped before it wrote its results, and a "
        "wrong file name."
    ),
    wrong="""\
# run 1
""",
    right="""\
# run 1
1 1_1 SELECTED 0.9
1 1_2 REJECTED 0.2
2 2_1 REJECTED 0.1
""",
    fix=no_fix("There is nothing to mend; the system has to write its answers."),
    also_in=(*TEXT_TABLES, FileKind.COLLECTION, FileKind.ANSWERS, FileKind.ANSWER_SETS),
)
OTHER_FORMAT = Rule(
    "AVE116",
    "other-format",
    ERROR,
    "this looks like {found}, expected {expected}{hint}",
    "Give the file where it belongs, or write it anew in the layout that is expected there.",
    explanation=(
        "The file begins like one of another kind, for instance XML, JSON or a TREC run. Read line "
        "by line it would give a finding for every line and hide what happened, so it is not read "
        "at all. Usual causes are two file names in the wrong order, and a system that writes the "
        "format of another evaluation."
    ),
    wrong="""\
1 Q0 1_1 1 0.9 system1
1 Q0 1_2 2 0.2 system1
2 Q0 2_1 1 0.1 system1
""",
    right="""\
1 1_1 SELECTED 0.9
1 1_2 REJECTED 0.2
2 2_1 REJECTED 0.1
""",
    fix=no_fix("Another format says other things: a TREC run ranks answers and accepts none."),
    also_in=(*TEXT_TABLES, FileKind.COLLECTION, FileKind.ANSWERS, FileKind.ANSWER_SETS),
)
BINARY_FILE = Rule(
    "AVE117",
    "binary-file",
    ERROR,
    "the file is not text ({found}), expected {expected}",
    "Give the text file itself (it may be compressed with gzip or xz).",
    explanation=(
        "The file has NUL bytes, which no text has, so it is in the own format of some program; "
        "what looks like a line in it is chance. Usual causes are a ZIP archive that was not "
        "unpacked, and a spreadsheet that was saved as such and not exported as text."
    ),
    wrong="""\
PK run.txt
1 1_1 SELECTED 0.9
1 1_2 REJECTED 0.2
2 2_1 REJECTED 0.1
PK
""",
    right="""\
1 1_1 SELECTED 0.9
1 1_2 REJECTED 0.2
2 2_1 REJECTED 0.1
""",
    stored="a ZIP archive with a run in it",
    fix=no_fix("There is no text to mend; unpack the file, or export it as text."),
    also_in=(*TEXT_TABLES, FileKind.ANSWER_SETS),
)
UTF16 = Rule(
    "AVE118",
    "utf-16",
    ERROR,
    "the file is encoded in {found}, expected UTF-8; nothing in it was read",
    "Save the file as UTF-8, e.g. iconv -f utf-16 -t utf-8 OLD > NEW.",
    explanation=(
        "UTF-16 writes every character as two bytes or four, so a program that expects UTF-8 finds "
        "not one id in the file, and every answer would count as missing. Windows programs save it "
        "under the name Unicode, and Windows PowerShell writes it where output is redirected with "
        ">."
    ),
    wrong="""\
1 1_1 SELECTED 0.9
1 1_2 REJECTED 0.2
2 2_1 REJECTED 0.1
""",
    right="""\
1 1_1 SELECTED 0.9
1 1_2 REJECTED 0.2
2 2_1 REJECTED 0.1
""",
    stored="saved as UTF-16",
    fix=safe("The file is written as UTF-8, where it begins with a byte order mark."),
    also_in=(*TEXT_TABLES, FileKind.ANSWER_SETS),
)
