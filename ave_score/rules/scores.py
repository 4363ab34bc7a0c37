"""AVE9xx: the scores that a verifier gave to answers."""

from __future__ import annotations

from ave_score.kinds import FileKind
from ave_score.rules.rule import ERROR, WARNING, Rule, no_fix

NOT_AN_OBJECT = Rule(
    "AVE901",
    "not-an-object",
    ERROR,
    "the line is no JSON object: {problem}",
    "Write one whole object a line, with the keys q_id and score.",
    explanation=(
        "In JSON Lines every line is a JSON document of its own, an object that holds one answer. "
        "A line that is none says nothing of any answer, and left out in silence it would change "
        "which answer of its question is best. Usual causes are a program that was stopped while "
        "it wrote its last line, a document that goes over several lines, and quotes of another "
        "language such as Python."
    ),
    example_of=FileKind.SCORES,
    wrong="""\
{"q_id": "1", "a_id": "1_1", "score": 0.9}
{"q_id": "1", "a_id": "1_2", "score":
""",
    right="""\
{"q_id": "1", "a_id": "1_1", "score": 0.9}
{"q_id": "1", "a_id": "1_2", "score": 0.2}
""",
    fix=no_fix("`ave-score fix` mends runs only; what the line was to say cannot be told."),
)
KEY_MISSING = Rule(
    "AVE902",
    "key-missing",
    ERROR,
    "no {key!r} {where}{hint}",
    "Name the keys of the file, e.g. --columns q_id=problem,score=reward.",
    explanation=(
        "A score belongs to an answer to a question. Without the question, or without the score, "
        "an object decides on nothing; without a key that --columns names, something that somebody "
        "wanted to be read is not there. The usual cause is a program that calls these things by "
        "other names."
    ),
    example_of=FileKind.SCORES,
    wrong="""\
{"q_id": "1", "a_id": "1_1", "score": 0.9}
{"q_id": "1", "a_id": "1_2", "reward": 0.2}
""",
    right="""\
{"q_id": "1", "a_id": "1_1", "score": 0.9}
{"q_id": "1", "a_id": "1_2", "score": 0.2}
""",
    fix=no_fix("`ave-score fix` mends runs only; what a key holds, its author must say."),
)
KEY_REPEATED = Rule(
    "AVE903",
    "key-repeated",
    ERROR,
    "the object says its {field} twice, as {first!r} and as {again!r}",
    "Keep the one that is meant.",
    explanation=(
        "Of two values of one key most programs take the last and say nothing, some the first, so "
        "the decision would hang on who reads the file. q_id and question_id are two names of one "
        "thing, as are a_id and answer_id. Keys that are not read may well be repeated. The usual "
        "cause is a program that writes objects by hand and adds what is there already."
    ),
    example_of=FileKind.SCORES,
    wrong="""\
{"q_id": "1", "a_id": "1_1", "score": 0.9}
{"q_id": "1", "a_id": "1_2", "score": 0.2, "score": 0.7}
""",
    right="""\
{"q_id": "1", "a_id": "1_1", "score": 0.9}
{"q_id": "1", "a_id": "1_2", "score": 0.2}
""",
    fix=no_fix("`ave-score fix` mends runs only; which of the two is meant cannot be told."),
)
SCORE_NOT_A_NUMBER = Rule(
    "AVE904",
    "score-not-a-number",
    ERROR,
    "found {found} as the score, expected a number such as 0.75",
    "Write the score as a number with a decimal point, in JSON without quotes.",
    explanation=(
        "The answers of a question are put in the order of their scores, and what is no number has "
        "no place in it. A zero in its stead would be an invention, and true and false are what "
        "labels say, not scores. Usual causes are an answer that the verifier failed on, a number "
        "written as a text, and the label in the place of the score."
    ),
    example_of=FileKind.SCORES,
    wrong="""\
{"q_id": "1", "a_id": "1_1", "score": 0.9}
{"q_id": "1", "a_id": "1_2", "score": null}
""",
    right="""\
{"q_id": "1", "a_id": "1_1", "score": 0.9}
{"q_id": "1", "a_id": "1_2", "score": 0.2}
""",
    fix=no_fix("`ave-score fix` mends runs only; only the author knows the number."),
)
SCORE_NOT_FINITE = Rule(
    "AVE905",
    "score-not-finite",
    ERROR,
    "found {found} as the score, expected a finite number",
    "NaN and infinity cannot be ranked; write the verifier's real score.",
    explanation=(
        "NaN is neither greater nor smaller than any number, so that the best answer would hang on "
        "the order of the file, and no run may hold infinity. A number beyond the largest that a "
        "program can hold is as good as infinite. They come from the logarithm of zero, a mean "
        "over nothing, or a verifier that gave out."
    ),
    example_of=FileKind.SCORES,
    wrong="""\
{"q_id": "1", "a_id": "1_1", "score": 0.9}
{"q_id": "1", "a_id": "1_2", "score": NaN}
""",
    right="""\
{"q_id": "1", "a_id": "1_1", "score": 0.9}
{"q_id": "1", "a_id": "1_2", "score": 0.2}
""",
    fix=no_fix("`ave-score fix` mends runs only; no finite number follows from it."),
)
VALUE_UNUSABLE = Rule(
    "AVE906",
    "value-unusable",
    ERROR,
    "found {found} as the {field}, expected {expected}",
    "Ids are texts or whole numbers, texts are texts or numbers; null stands for no text.",
    explanation=(
        "An id is compared letter by letter with those of the collection, and a text is written "
        "into it. A list, an object, or a number such as 1.0 could be written in several ways, and "
        "none of them is chosen here. Usual causes are ids that went through a table of numbers, "
        "where 7 became 7.0, and several answers in one object."
    ),
    example_of=FileKind.SCORES,
    wrong="""\
{"q_id": "1", "a_id": "1_1", "score": 0.9}
{"q_id": 1.0, "a_id": "1_2", "score": 0.2}
""",
    right="""\
{"q_id": "1", "a_id": "1_1", "score": 0.9}
{"q_id": "1", "a_id": "1_2", "score": 0.2}
""",
    fix=no_fix("`ave-score fix` mends runs only; what was meant, its author must say."),
)
CORRECT_UNKNOWN = Rule(
    "AVE907",
    "correct-unknown",
    ERROR,
    "found {found} as correct, expected {expected}",
    "Say whether the answer is correct, or leave it out where nobody knows.",
    explanation=(
        "What is correct becomes the label VALIDATED, what is not REJECTED, what is left out "
        "UNKNOWN; perfect selection is counted from it. A word or a share that is neither is not "
        "guessed at. Usual causes are words of another language, the grade of an assessor, and the "
        "right answer itself in the place of whether this is one."
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
    fix=no_fix("`ave-score fix` mends runs only; whether it is correct, its author must say."),
)
IDS_MIXED = Rule(
    "AVE908",
    "ids-mixed",
    ERROR,
    "the answer {found} id, unlike that of line {first}",
    "Give every answer an id, or none.",
    explanation=(
        "Without ids the answers of a question are numbered in the order of the file: q_1, q_2. "
        "Where some have an id and some do not, a number could be the id of another answer, and it "
        "cannot be told what the others are called elsewhere. The usual cause is that files of two "
        "programs were put together."
    ),
    example_of=FileKind.SCORES,
    wrong="""\
{"q_id": "1", "a_id": "1_1", "score": 0.9}
{"q_id": "1", "score": 0.2}
""",
    right="""\
{"q_id": "1", "a_id": "1_1", "score": 0.9}
{"q_id": "1", "a_id": "1_2", "score": 0.2}
""",
    fix=no_fix("`ave-score fix` mends runs only; what the answer is called, its author must say."),
)
QUESTION_TEXTS_DIFFER = Rule(
    "AVE909",
    "question-texts-differ",
    WARNING,
    "question {q_id!r} reads otherwise at line {first}; a collection gets the text of that line",
    "Nothing to do where the texts are prompts that say the same; else look at the ids.",
    explanation=(
        "A collection has one text for each question, the first that the file gives it. Where "
        "another answer comes with another text, two questions may have got one id, and their "
        "answers would be chosen from as if they answered the same. Prompts that differ in their "
        "examples only do no harm."
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
    fix=no_fix("`ave-score fix` mends runs only; which question was meant, its author must say."),
)
