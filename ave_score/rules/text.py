"""AVE110-AVE119: the file as text."""

from __future__ import annotations

from ave_score.kinds import TEXT_TABLES, FileKind
from ave_score.rules.rule import ERROR, SOUND_RUN, WARNING, Rule, no_fix, only_runs, safe, unsafe

NOT_UTF8 = Rule(
    "AVE110",
    "not-utf-8",
    ERROR,
    "byte 0x{byte:02X} is not UTF-8; the file looks like Latin-1 or Windows-1252",
    "Save the file as UTF-8, e.g. iconv -f latin1 -t utf-8 OLD > NEW.",
    explanation=(
        "A byte that is not UTF-8 stands for different letters in different encodings, so two "
        "programs may read different ids, and the answer would count as missing. The line is "
        "ignored, even if the letter is in a comment. Usual causes: older editors and "
        "spreadsheets, which save Latin-1 or Windows-1252 by default."
    ),
    wrong="# Système 1\n" + SOUND_RUN,
    right="# Système 1\n" + SOUND_RUN,
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
        "The mark is an invisible character before UTF-8 text. A program that does not expect it "
        "reads it as part of the first id, and the first answer is unknown to the collection. It "
        "is harmless here, but may not be in the next tool that reads the file. Usual cause: a "
        "Windows program that saves UTF-8 with a byte order mark."
    ),
    wrong="\ufeff" + SOUND_RUN,
    right=SOUND_RUN,
    fix=safe("The byte order mark is removed."),
    also_in=(*TEXT_TABLES, FileKind.ANSWER_SETS),
)
LINE_ENDS = Rule(
    "AVE112",
    "line-ends",
    WARNING,
    "the lines end with {found}, expected LF; accepted as line endings",
    "Save the file with Unix line endings.",
    explanation=(
        "A program that knows only LF finds an invisible character after each confidence, or the "
        "whole file in one line. It is harmless here, but may not be in the next tool that reads "
        "the file. Usual causes: Windows programs, which end a line with CR and LF, and old "
        "Macintosh programs, which end it with CR."
    ),
    wrong=SOUND_RUN.replace("\n", "\r\n"),
    right=SOUND_RUN,
    fix=safe("Every line ends with LF."),
    also_in=TEXT_TABLES,
)
CONTROL_CHARACTER = Rule(
    "AVE113",
    "control-character",
    ERROR,
    "found {found}, which is invisible and belongs to no field{also}",
    "Replace it with a plain space if it separates fields; otherwise delete it.",
    explanation=(
        "A no-break space looks like a space, and a zero-width character like nothing, but to a "
        "program they are letters: two fields become one, or two ids that look the same differ, "
        "and the answer would count as missing. Usual causes: text copied from a web page, a PDF "
        "document or a word processor."
    ),
    wrong=SOUND_RUN.replace("SELECTED 0.9", "SELECTED\u00a00.9"),
    right=SOUND_RUN,
    fix=safe(
        "A space of another width, e.g. a no-break space, becomes a plain space; other invisible "
        "characters are removed with --unsafe."
    ),
    also_in=TEXT_TABLES,
)
LINE_TOO_LONG = Rule(
    "AVE114",
    "line-too-long",
    ERROR,
    "the line is longer than {limit:,} bytes and was skipped",
    "A line holds a few short fields; look for missing line endings.",
    explanation=(
        "No id, verdict or confidence needs that much room: either many lines lost their line "
        "endings, or this is not a line of such a file at all. The line is not read, and the "
        "answers in it would count as missing. Usual causes: a program that joins lines when it "
        "copies a file, or the log of a system written into its run."
    ),
    wrong="# log: question 1, 2 answers; question 2, 1 answer; question 3, 4 answers; ...\n"
    + SOUND_RUN,
    right=SOUND_RUN,
    stored="the first line is 2,000,000 characters long",
    fix=no_fix("It is unknown where line endings were lost, if any were."),
    also_in=TEXT_TABLES,
)
EMPTY_FILE = Rule(
    "AVE115",
    "empty-file",
    ERROR,
    "the file has no {expected}",
    "Check that this is the right file and that the system wrote its answers.",
    explanation=(
        "A file that is empty, or has only blank lines and comments, is not a run that rejects "
        "everything; read that way, it would appear in the tables as a system that never decided "
        "anything. Usual causes: a program that stopped before it wrote its results, or a wrong "
        "file name."
    ),
    wrong="""\
# run 1
""",
    right="# run 1\n" + SOUND_RUN,
    fix=no_fix("There is nothing to fix; the system has to write its answers."),
    also_in=(*TEXT_TABLES, FileKind.COLLECTION, FileKind.ANSWERS, FileKind.ANSWER_SETS),
)
OTHER_FORMAT = Rule(
    "AVE116",
    "other-format",
    ERROR,
    "this looks like {found}, expected {expected}{hint}",
    "Pass the file where it belongs, or rewrite it in the expected format.",
    explanation=(
        "The file starts like another format, for instance XML, JSON or a TREC run. Read line by "
        "line it would give a finding per line and hide the actual problem, so it is not read at "
        "all. Usual causes: two file names in the wrong order, or a system that writes the format "
        "of another evaluation."
    ),
    wrong="""\
1 Q0 1_1 1 0.9 system1
1 Q0 1_2 2 0.2 system1
2 Q0 2_1 1 0.1 system1
""",
    right=SOUND_RUN,
    fix=no_fix("Another format has other information: a TREC run ranks answers and accepts none."),
    also_in=(*TEXT_TABLES, FileKind.COLLECTION, FileKind.ANSWERS, FileKind.ANSWER_SETS),
)
BINARY_FILE = Rule(
    "AVE117",
    "binary-file",
    ERROR,
    "the file is not text ({found}), expected {expected}",
    "Pass the text file itself (it may be compressed with gzip or xz).",
    explanation=(
        "The file is an archive, is compressed in a way that is not read, or has NUL bytes, which "
        "text never has, so it is in the binary format of some program; anything that looks like a "
        "line is there by chance. Usual causes: a ZIP archive that was not unpacked, or a "
        "spreadsheet saved in its own format and not exported as text."
    ),
    wrong=f"PK run.txt\n{SOUND_RUN}PK\n",
    right=SOUND_RUN,
    stored="a ZIP archive with a run in it",
    fix=no_fix("There is no text to fix; unpack the file, or export it as text."),
    also_in=(*TEXT_TABLES, FileKind.COLLECTION, FileKind.ANSWER_SETS),
)
UTF16 = Rule(
    "AVE118",
    "utf-16",
    ERROR,
    "the file is encoded in {found}, expected UTF-8; nothing in it was read",
    "Save the file as UTF-8, e.g. iconv -f utf-16 -t utf-8 OLD > NEW.",
    explanation=(
        "UTF-16 writes every character as two or four bytes, so a program that expects UTF-8 finds "
        "no id in the file, and every answer would count as missing. Usual causes: Windows "
        "programs, which call the encoding Unicode, and Windows PowerShell, which writes it when "
        "output is redirected with >."
    ),
    wrong=SOUND_RUN,
    right=SOUND_RUN,
    stored="saved as UTF-16",
    fix=safe("The file is rewritten as UTF-8 if it starts with a byte order mark."),
    also_in=(*TEXT_TABLES, FileKind.ANSWER_SETS),
)
CONTROL_IN_TEXT = Rule(
    "AVE119",
    "control-in-text",
    WARNING,
    "found {found} in a text",
    "Nothing to do if only texts have it; in an id it is an error.",
    explanation=(
        "DEL and the control characters U+0080 to U+009F have no meaning in a text, though XML "
        "allows them. The text is read with them, and they are escaped where it is printed. Usual "
        "cause: text in Windows-1252 that was converted as if it were Latin-1, so that an ellipsis "
        "became U+0085 and quotation marks U+0093 and U+0094."
    ),
    wrong="""\
q_id\tquestion
1\tWho wrote the novel Emma…?
2\tWho composed the opera Norma?
""",
    right="""\
q_id\tquestion
1\tWho wrote the novel Emma?
2\tWho composed the opera Norma?
""",
    stored="the ellipsis is U+0085",
    fix=only_runs("runs have no texts."),
    example_of=FileKind.QUESTIONS,
    also_in=tuple(kind for kind in TEXT_TABLES if kind is not FileKind.QUESTIONS),
)
