"""AVE101-AVE109: one line of a file, and the fields in it."""

from __future__ import annotations

from ave_score.kinds import FileKind
from ave_score.rules.rule import ERROR, WARNING, Rule, no_fix, safe

FIELD_COUNT = Rule(
    "AVE101",
    "field-count",
    ERROR,
    "found {found}, expected {expected}: {layout}{hint}",
    "Write one answer a line with just these fields, a blank or a tab between them.",
    explanation=(
        "A field is known by its place in the line. With one too few or too many it cannot be told "
        "which is which, and the line decides on no answer. Usual causes are a confidence that the "
        "system does not give, an id with a blank in it, and the text of the answer written into "
        "the run."
    ),
    wrong="""\
1 1_1 SELECTED 0.9
1 1_2 REJECTED
2 2_1 REJECTED 0.1
""",
    right="""\
1 1_1 SELECTED 0.9
1 1_2 REJECTED 0.2
2 2_1 REJECTED 0.1
""",
    fix=no_fix("Only the author knows which field is wanting, or which is too many."),
    also_in=(FileKind.KEY, FileKind.GROUPS, FileKind.SCORES),
)
UNKNOWN_VERDICT = Rule(
    "AVE102",
    "unknown-verdict",
    ERROR,
    "found {found!r}, expected one of {expected}{hint}",
    "The verdict stands before the confidence, in capitals.",
    explanation=(
        "The verdict decides whether an answer counts as accepted, and whether it is the one to "
        "return; a word that is none of the three can be counted neither way. Usual causes are a "
        "translated word such as VALIDADA, an abbreviation, and fields in another order."
    ),
    wrong="""\
1 1_1 SELECCIONADA 0.9
1 1_2 REJECTED 0.2
2 2_1 REJECTED 0.1
""",
    right="""\
1 1_1 SELECTED 0.9
1 1_2 REJECTED 0.2
2 2_1 REJECTED 0.1
""",
    fix=no_fix("A guess at what was meant could turn a rejected answer into an accepted one."),
)
VERDICT_CASE = Rule(
    "AVE103",
    "verdict-case",
    ERROR,
    "found {found!r}, expected {expected}: verdicts are written in capitals",
    "Write the verdict in capitals.",
    explanation=(
        "The format has one spelling of each verdict. A scorer that compares words as they stand "
        "takes Rejected for an unknown word and passes over the answer, so the same run would get "
        "different scores from different programs. Small letters mostly come from the names that a "
        "classifier gives to its classes."
    ),
    wrong="""\
1 1_1 SELECTED 0.9
1 1_2 REJECTED 0.2
2 2_1 Rejected 0.1
""",
    right="""\
1 1_1 SELECTED 0.9
1 1_2 REJECTED 0.2
2 2_1 REJECTED 0.1
""",
    fix=safe("The verdict is written in capitals."),
)
LABEL_IN_RUN = Rule(
    "AVE104",
    "label-in-run",
    ERROR,
    "found {found!r}, a gold label or a judgement; expected one of {expected}",
    "A run says SELECTED, VALIDATED or REJECTED, of pairs YES or NO; assessors say the rest.",
    explanation=(
        "A run holds the decisions of a system, and this word is what an assessor writes. Either "
        "the run is in the format of AVE 2006, which has YES and NO and nothing to select, or gold "
        "labels, such as the TRUE and FALSE of SPARTE, were written out in the place of the "
        "system's output. The latter, scored against the labels they come from, would look like a "
        "system without a flaw."
    ),
    wrong="""\
1 1_1 SELECTED 0.9
1 1_2 REJECTED 0.2
2 2_1 NO 0.1
""",
    right="""\
1 1_1 SELECTED 0.9
1 1_2 REJECTED 0.2
2 2_1 REJECTED 0.1
""",
    fix=no_fix(
        "YES does not say whether the answer is the one to select, and a gold label is no decision "
        "of the system."
    ),
)
CONFIDENCE_NOT_A_NUMBER = Rule(
    "AVE105",
    "confidence-not-a-number",
    ERROR,
    "found {found!r}, expected a number such as 0.75 as the confidence",
    "A confidence is a decimal number with a point.",
    explanation=(
        "The confidence says how sure the system is of an answer, beside all other answers. A word "
        "such as low, a percent sign or a dash has no place in that order, and a zero put in its "
        "stead would be an invention. Usual causes are a system that has classes of confidence in "
        "the place of a score, and an empty value that was written as None or a dash."
    ),
    wrong="""\
1 1_1 SELECTED 0.9
1 1_2 REJECTED low
2 2_1 REJECTED 0.1
""",
    right="""\
1 1_1 SELECTED 0.9
1 1_2 REJECTED 0.2
2 2_1 REJECTED 0.1
""",
    fix=no_fix("Only the author knows the number that the system meant."),
    also_in=(FileKind.JUDGED,),
)
CONFIDENCE_NOT_FINITE = Rule(
    "AVE106",
    "confidence-not-finite",
    ERROR,
    "found {found!r}, expected a finite number as the confidence",
    "NaN and infinity cannot be ranked; write the system's real score.",
    explanation=(
        "NaN is neither greater nor smaller than any number, and infinity outweighs every other "
        "answer, so neither an order nor a mean of the confidences can be formed with them. They "
        "come from a division by zero, the logarithm of zero, or a number too large for the "
        "program."
    ),
    wrong="""\
1 1_1 SELECTED 0.9
1 1_2 REJECTED NaN
2 2_1 REJECTED 0.1
""",
    right="""\
1 1_1 SELECTED 0.9
1 1_2 REJECTED 0.2
2 2_1 REJECTED 0.1
""",
    fix=no_fix("No finite number follows from it; the system has to compute one."),
    also_in=(FileKind.JUDGED,),
)
DECIMAL_COMMA = Rule(
    "AVE107",
    "decimal-comma",
    ERROR,
    "found {found!r}, expected {expected!r}: the decimal sign is a point",
    "Write the confidence with a decimal point.",
    explanation=(
        "Programs do not agree on 0,9: one reads 0, another 9, a third nothing at all, and the "
        "order of the answers changes with it. The comma comes from a spreadsheet, or a program, "
        "that works under a Spanish, German or other locale with decimal commas."
    ),
    wrong="""\
1 1_1 SELECTED 0,9
1 1_2 REJECTED 0.2
2 2_1 REJECTED 0.1
""",
    right="""\
1 1_1 SELECTED 0.9
1 1_2 REJECTED 0.2
2 2_1 REJECTED 0.1
""",
    fix=safe("The comma becomes a point."),
    also_in=(FileKind.SCORES,),
)
CONFIDENCE_RANGE = Rule(
    "AVE108",
    "confidence-range",
    WARNING,
    "confidence {found} is outside 0..1",
    "Legal, but measures that add confidences up, or take them for probabilities, need 0 to 1.",
    explanation=(
        "Some measures add confidences up, others take them for probabilities; on another scale "
        "one answer could outweigh all the rest. These do not apply to such a run, and say so. "
        "Those that look at decisions, or at the order of confidences alone, apply as ever. Values "
        "outside the range are mostly percentages, or the raw scores of a classifier or a search "
        "engine."
    ),
    wrong="""\
1 1_1 SELECTED 90
1 1_2 REJECTED 0.2
2 2_1 REJECTED 0.1
""",
    right="""\
1 1_1 SELECTED 0.9
1 1_2 REJECTED 0.2
2 2_1 REJECTED 0.1
""",
    fix=no_fix("Rescaling would change what the confidences mean."),
    also_in=(FileKind.JUDGED,),
)
HEADER_LINE = Rule(
    "AVE109",
    "header-line",
    ERROR,
    "found a header line, expected an answer: {layout}",
    "Delete the line, or begin it with # to make it a comment.",
    explanation=(
        "Every line of a run decides on an answer, and a line of column names decides on none; "
        "taken as data it would speak of a question that no collection has. It comes from a table "
        "that a spreadsheet or a data frame wrote out together with the names of its columns."
    ),
    wrong="""\
q_id a_id verdict confidence
1 1_1 SELECTED 0.9
1 1_2 REJECTED 0.2
2 2_1 REJECTED 0.1
""",
    right="""\
# q_id a_id verdict confidence
1 1_1 SELECTED 0.9
1 1_2 REJECTED 0.2
2 2_1 REJECTED 0.1
""",
    fix=safe("The header line becomes a comment: `# ` is put before it."),
)
