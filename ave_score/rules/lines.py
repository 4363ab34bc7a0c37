"""AVE101-AVE109: a line of a file and its fields."""

from __future__ import annotations

from ave_score.kinds import FileKind
from ave_score.rules.rule import ERROR, SOUND_RUN, WARNING, Rule, no_fix, safe

FIELD_COUNT = Rule(
    "AVE101",
    "field-count",
    ERROR,
    "found {found}, expected {expected}: {layout}{hint}",
    "Write one answer per line with exactly these fields, separated by spaces or tabs.",
    explanation=(
        "Fields are identified by position. With a field missing or too many, it is unclear which "
        "is which, and the line is a verdict on no answer. Usual causes: a system that gives no "
        "confidence, an id with a space in it, or the answer text written into the run."
    ),
    wrong=SOUND_RUN.replace("REJECTED 0.2", "REJECTED"),
    right=SOUND_RUN,
    fix=no_fix("Only the author knows which field is missing or extra."),
    also_in=(FileKind.KEY, FileKind.GROUPS, FileKind.SCORES),
)
UNKNOWN_VERDICT = Rule(
    "AVE102",
    "unknown-verdict",
    ERROR,
    "found {found!r}, expected one of {expected}{hint}",
    "The verdict comes before the confidence, in capitals; --values says what other words mean.",
    explanation=(
        "The verdict decides whether an answer counts as accepted and whether it is the one to "
        "return. A word that is none of the three verdicts cannot be counted either way. Usual "
        "causes: a translated word such as VALIDADA, an abbreviation, or fields in a different "
        "order."
    ),
    wrong=SOUND_RUN.replace("SELECTED", "SELECCIONADA"),
    right=SOUND_RUN,
    fix=no_fix("A guess could turn a rejected answer into an accepted one."),
)
VERDICT_CASE = Rule(
    "AVE103",
    "verdict-case",
    ERROR,
    "found {found!r}, expected {expected}: verdicts are written in capitals",
    "Write the verdict in capitals.",
    explanation=(
        "The format has one spelling of each verdict. A scorer that compares words literally "
        "treats Rejected as unknown and skips the answer, so the same run would get different "
        "scores from different programs. Usual cause: the class names of a classifier in "
        "lowercase."
    ),
    wrong=SOUND_RUN.replace("2_1 REJECTED", "2_1 Rejected"),
    right=SOUND_RUN,
    fix=safe("The verdict is converted to capitals."),
)
LABEL_IN_RUN = Rule(
    "AVE104",
    "label-in-run",
    ERROR,
    "found {found!r}, a gold label or a judgement; expected one of {expected}",
    (
        "A run contains SELECTED, VALIDATED or REJECTED, or YES or NO for pairs; --values says "
        "what other words mean."
    ),
    explanation=(
        "A run contains a system's decisions, but this word is an assessor's. Gold labels scored "
        "against the labels they were copied from would look like a perfect system. Usual causes: "
        "a run in the format of AVE 2006, which has YES and NO and no selection, or gold labels, "
        "such as the TRUE and FALSE of SPARTE, written instead of the system's output."
    ),
    wrong=SOUND_RUN.replace("2_1 REJECTED", "2_1 NO"),
    right=SOUND_RUN,
    fix=no_fix(
        "YES does not say whether the answer is the selected one, and a gold label is not a "
        "decision of the system."
    ),
)
CONFIDENCE_NOT_A_NUMBER = Rule(
    "AVE105",
    "confidence-not-a-number",
    ERROR,
    "confidence is {found!r}, expected a number such as 0.75",
    "Write the confidence as a decimal number with a point.",
    explanation=(
        "The confidence says how sure the system is of an answer, relative to all other answers. A "
        "word such as low, a percent sign or a dash cannot be ranked, and replacing it with zero "
        "would invent data. Usual causes: a system that outputs classes of confidence instead of "
        "scores, or a missing value written as None or a dash."
    ),
    wrong=SOUND_RUN.replace("0.2", "low"),
    right=SOUND_RUN,
    fix=no_fix("Only the author knows which number the system meant."),
    also_in=(FileKind.JUDGED,),
)
CONFIDENCE_NOT_FINITE = Rule(
    "AVE106",
    "confidence-not-finite",
    ERROR,
    "confidence is {found!r}, expected a finite number",
    "NaN and infinity cannot be ranked; write the system's actual score.",
    explanation=(
        "NaN is neither greater nor smaller than any number, and infinity outweighs every other "
        "answer, so such confidences have neither an order nor a mean. Usual causes: a division by "
        "zero, the logarithm of zero, or a number too large for the program."
    ),
    wrong=SOUND_RUN.replace("0.2", "NaN"),
    right=SOUND_RUN,
    fix=no_fix("No finite number follows from it; the system has to compute one."),
    also_in=(FileKind.JUDGED,),
)
DECIMAL_COMMA = Rule(
    "AVE107",
    "decimal-comma",
    ERROR,
    "found {found!r}, expected {expected!r}: the decimal separator is a point",
    "Write the confidence with a decimal point.",
    explanation=(
        "Programs disagree on 0,9: one reads 0, another 9, a third nothing at all, and the ranking "
        "of the answers changes with it. Usual causes: a spreadsheet or a program that runs under "
        "a locale with decimal commas, such as Spanish or German."
    ),
    wrong=SOUND_RUN.replace("0.9", "0,9"),
    right=SOUND_RUN,
    fix=safe("The comma becomes a point."),
    also_in=(FileKind.SCORES,),
)
CONFIDENCE_RANGE = Rule(
    "AVE108",
    "confidence-range",
    WARNING,
    "confidence {found} is outside 0..1",
    "Allowed, but measures that sum confidences, or read them as probabilities, need 0 to 1.",
    explanation=(
        "Some measures sum confidences, others read them as probabilities; on another scale one "
        "answer could outweigh all others. These measures do not apply to such a run and say so. "
        "Measures of decisions, or of the order of confidences alone, apply as usual. Usual "
        "causes: percentages, or raw scores of a classifier or a search engine."
    ),
    wrong=SOUND_RUN.replace("0.9", "90"),
    right=SOUND_RUN,
    fix=no_fix("Rescaling would change the meaning of the confidences."),
    also_in=(FileKind.JUDGED,),
)
HEADER_LINE = Rule(
    "AVE109",
    "header-line",
    ERROR,
    "found a header line, expected an answer: {layout}{hint}",
    "Delete the line, or make it a comment (#); in CSV, name the columns with --columns.",
    explanation=(
        "Every line of a run is a verdict on an answer; a line of column names is not. Read as "
        "data, it would refer to a question that no collection has. Usual cause: a table that a "
        "spreadsheet or a data frame exported with its column names."
    ),
    wrong="q_id a_id verdict confidence\n" + SOUND_RUN,
    right="# q_id a_id verdict confidence\n" + SOUND_RUN,
    fix=safe("The header line becomes a comment: `# ` is inserted before it."),
)
