"""AVE9xx: scores that a verifier gave to answers."""

from __future__ import annotations

from ave_score.kinds import FileKind
from ave_score.rules.rule import ERROR, WARNING, Rule, only_runs

_TWO_SCORES = """\
{"q_id": "1", "a_id": "1_1", "score": 0.9}
{"q_id": "1", "a_id": "1_2", "score": 0.2}
"""

NOT_AN_OBJECT = Rule(
    "AVE901",
    "not-an-object",
    ERROR,
    "the line is not a JSON object: {problem}",
    "Write one complete JSON object per line.",
    explanation=(
        "In JSON Lines every line is a JSON document, here an object for one answer. A line that "
        "is not an object describes no answer, and skipping it silently would change which answer "
        "of its question is best. Usual causes: a program that was stopped while writing its last "
        "line, a document that spans several lines, or the quotes of another language such as "
        "Python."
    ),
    example_of=FileKind.SCORES,
    wrong=_TWO_SCORES.replace('"score": 0.2}', '"score":'),
    right=_TWO_SCORES,
    fix=only_runs("only the author knows what the line should say."),
)
KEY_MISSING = Rule(
    "AVE902",
    "key-missing",
    ERROR,
    "no key {key!r} {where}{hint}",
    "Name the keys of the file, e.g. --columns q_id=problem,score=reward.",
    explanation=(
        "A score belongs to an answer to a question. Without the question or the score, an object "
        "decides nothing; without a key that --columns names, data that was asked for is missing. "
        "Usual cause: a program that uses other names."
    ),
    example_of=FileKind.SCORES,
    wrong=_TWO_SCORES.replace('"score": 0.2', '"reward": 0.2'),
    right=_TWO_SCORES,
    fix=only_runs("only the author knows what a key contains."),
)
KEY_REPEATED = Rule(
    "AVE903",
    "key-repeated",
    ERROR,
    "the object has {field} twice, as {first!r} and as {again!r}",
    "Keep the intended one.",
    explanation=(
        "Most programs silently use the last value of a duplicate key, some the first, so the "
        "decision would depend on the program that reads the file. q_id and question_id are two "
        "names of the same field, as are a_id and answer_id. Duplicate keys that are not read are "
        "allowed. Usual cause: a program that writes objects by hand and adds a key that is "
        "already there."
    ),
    example_of=FileKind.SCORES,
    wrong=_TWO_SCORES.replace("0.2", '0.2, "score": 0.7'),
    right=_TWO_SCORES,
    fix=only_runs("only the author knows which of the two is meant."),
)
SCORE_NOT_A_NUMBER = Rule(
    "AVE904",
    "score-not-a-number",
    ERROR,
    "score is {found}, expected a number such as 0.75",
    "Write the score as a number with a decimal point, in JSON without quotes.",
    explanation=(
        "The answers of a question are ranked by their scores, and what is not a number cannot be "
        "ranked. Replacing it with zero would invent data, and true and false are labels, not "
        "scores. Usual causes: an answer that the verifier failed on, a number written as a "
        "string, or the label instead of the score."
    ),
    example_of=FileKind.SCORES,
    wrong=_TWO_SCORES.replace("0.2", "null"),
    right=_TWO_SCORES,
    fix=only_runs("only the author knows the number."),
)
SCORE_NOT_FINITE = Rule(
    "AVE905",
    "score-not-finite",
    ERROR,
    "score is {found}, expected a finite number",
    "NaN and infinity cannot be ranked; write the verifier's actual score.",
    explanation=(
        "NaN is neither greater nor smaller than any number, so the best answer would depend on "
        "the order of the file, and no run may contain infinity. A number larger than a program "
        "can hold counts as infinite. Usual causes: the logarithm of zero, a mean over nothing, or "
        "a verifier that failed."
    ),
    example_of=FileKind.SCORES,
    wrong=_TWO_SCORES.replace("0.2", "NaN"),
    right=_TWO_SCORES,
    fix=only_runs("no finite number follows from it."),
)
VALUE_UNUSABLE = Rule(
    "AVE906",
    "value-unusable",
    ERROR,
    "{field} is {found}, expected {expected}",
    "Ids are strings or whole numbers, texts are strings or numbers; null means no text.",
    explanation=(
        "An id is compared character by character with those of the collection, and a text is "
        "copied into it. A list, an object or a number such as 1.0 could be written in several "
        "ways, and none of them is chosen here. Usual causes: ids that passed through a table of "
        "numbers, where 7 became 7.0, or several answers in one object."
    ),
    example_of=FileKind.SCORES,
    wrong=_TWO_SCORES.replace('"q_id": "1", "a_id": "1_2"', '"q_id": 1.0, "a_id": "1_2"'),
    right=_TWO_SCORES,
    fix=only_runs("only the author knows what was meant."),
)
CORRECT_UNKNOWN = Rule(
    "AVE907",
    "correct-unknown",
    ERROR,
    "correct is {found}, expected {expected}",
    "Say whether the answer is correct, or omit the value if that is unknown.",
    explanation=(
        "A correct answer gets the label VALIDATED, an incorrect one REJECTED, and a missing value "
        "UNKNOWN; perfect selection is computed from the labels. A word or a fraction that is "
        "neither is not guessed. Usual causes: words of another language, the grade of an "
        "assessor, or the right answer itself instead of whether this one is right."
    ),
    example_of=FileKind.SCORES,
    wrong="""\
{"q_id": "1", "a_id": "1_1", "score": 0.9, "correct": true}
{"q_id": "1", "a_id": "1_2", "score": 0.2, "correct": "no idea"}
""",
    right="""\
{"q_id": "1", "a_id": "1_1", "score": 0.9, "correct": true}
{"q_id": "1", "a_id": "1_2", "score": 0.2, "correct": null}
""",
    fix=only_runs("only the author knows whether it is correct."),
)
IDS_MIXED = Rule(
    "AVE908",
    "ids-mixed",
    ERROR,
    "the answer {found} id, unlike the one at line {first}",
    "Give all answers an id, or none.",
    explanation=(
        "Answers without ids are numbered in the order of the file: q_1, q_2. If only some have an "
        "id, a number could be the id of another answer, and it is unknown what the others are "
        "called elsewhere. Usual cause: files of two programs that were joined."
    ),
    example_of=FileKind.SCORES,
    wrong=_TWO_SCORES.replace('"a_id": "1_2", "score":', '"score":'),
    right=_TWO_SCORES,
    fix=only_runs("only the author knows the id of the answer."),
)
QUESTION_TEXTS_DIFFER = Rule(
    "AVE909",
    "question-texts-differ",
    WARNING,
    "question {q_id!r} has another text at line {first}; a collection gets that text",
    "Nothing to do if the texts are equivalent prompts; otherwise check the ids.",
    explanation=(
        "A collection has one text per question, the first in the file. If another answer comes "
        "with another text, two questions may share an id, and the system would choose among "
        "answers to different questions. Prompts that differ only in their examples are harmless."
    ),
    example_of=FileKind.SCORES,
    wrong="""\
{"q_id": "1", "a_id": "1_1", "score": 0.9, "question": "Who wrote Emma?"}
{"q_id": "1", "a_id": "1_2", "score": 0.2, "question": "Who composed Norma?"}
""",
    right="""\
{"q_id": "1", "a_id": "1_1", "score": 0.9, "question": "Who wrote Emma?"}
{"q_id": "1", "a_id": "1_2", "score": 0.2, "question": "Who wrote Emma?"}
""",
    fix=only_runs("only the author knows which question was meant."),
)
