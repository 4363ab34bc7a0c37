"""AVE4xx: collections and keys."""

from __future__ import annotations

from ave_score.kinds import FileKind
from ave_score.rules.rule import ERROR, WARNING, Rule, only_runs

_TWO_ANSWERS = """\
<ave>
<q id="1"><q_str>Who wrote Emma?</q_str>
<a id="1_1" value="VALIDATED"><a_str>Jane Austen</a_str></a>
<a id="1_2" value="REJECTED"><a_str>Mr Knightley</a_str></a>
</q>
</ave>
"""

_OTHER_ANSWER = '<a id="1_2" value="REJECTED"><a_str>Mr Knightley</a_str></a>\n'

_ONE_ANSWER = _TWO_ANSWERS.replace(_OTHER_ANSWER, "")

_TWO_QUESTIONS = _ONE_ANSWER.replace(
    "</ave>",
    """\
<q id="2"><q_str>Who composed Norma?</q_str>
<a id="2_1" value="REJECTED"><a_str>Verdi</a_str></a>
</q>
</ave>""",
)

_WITH_AMPERSAND = """\
<ave>
<q id="1"><q_str>Who founded the shop?</q_str>
<a id="1_1" value="VALIDATED"><a_str>Marks &amp; Spencer</a_str></a>
</q>
</ave>
"""

_ONE_RIGHT = """\
<test-set>
<topic t_id="1"><reading-test r_id="1">
<q q_id="1"><q_str>Who wrote Emma?</q_str>
<answer a_id="1" correct="Yes">Jane Austen</answer>
<answer a_id="2">Mr Knightley</answer>
</q>
</reading-test></topic>
</test-set>
"""

_RIGHT_IN_EACH = _ONE_RIGHT.replace(
    "</reading-test>",
    """\
<q q_id="2"><q_str>Who composed Norma?</q_str>
<answer a_id="1">Verdi</answer>
<answer a_id="2" correct="Yes">Bellini</answer>
</q>
</reading-test>""",
)

NOT_WELL_FORMED = Rule(
    "AVE401",
    "not-well-formed",
    ERROR,
    "not well-formed XML: {problem}",
    "Close open elements, write & as &amp; and < as &lt;, then check again: the rest was not read.",
    explanation=(
        "After the first XML error it is unclear what belongs to which element, and questions "
        "would be lost silently. Usual causes: an & or < in a text that is not written as &amp; or "
        "&lt;, the name of a character that only HTML knows, such as &nbsp;, a tag that is not "
        "closed, or a truncated file."
    ),
    example_of=FileKind.COLLECTION,
    wrong=_WITH_AMPERSAND.replace("&amp;", "&"),
    right=_WITH_AMPERSAND,
    fix=only_runs("only the author knows what the text should be."),
    also_in=(FileKind.ANSWERS, FileKind.ANSWER_SETS),
)
ENTITY_DECLARED = Rule(
    "AVE402",
    "entity-declared",
    ERROR,
    "the DTD declares the entity {name!r}; entity declarations are refused",
    "Replace the entity with its text and delete the declaration.",
    explanation=(
        "An entity is an abbreviation that is expanded while the file is read. A few lines of "
        "entities can expand to gigabytes, and an entity that names a file can copy the contents "
        "of that file into the collection. A file that declares entities is therefore refused "
        "before it is used; collections do not need them."
    ),
    example_of=FileKind.COLLECTION,
    wrong="""\
<!DOCTYPE ave [
<!ENTITY austen "Jane Austen">
]>
"""
    + _ONE_ANSWER.replace("Jane Austen", "&austen;"),
    right=_ONE_ANSWER,
    fix=only_runs("replacing the entity would mean expanding it, which is what is refused."),
    also_in=(FileKind.ANSWERS, FileKind.ANSWER_SETS),
)
DUPLICATE_QUESTION = Rule(
    "AVE403",
    "duplicate-question",
    ERROR,
    "question {q_id!r} is already in the collection",
    "Give every question its own id.",
    explanation=(
        "A line of a run refers to its question by the id, so with a duplicate id it is unclear "
        "which question is meant, and the answers of both would be mixed. Usual cause: collections "
        "of several years or languages, each numbered from 1, in one file."
    ),
    example_of=FileKind.COLLECTION,
    wrong=_TWO_QUESTIONS.replace('id="2"', 'id="1"'),
    right=_TWO_QUESTIONS,
    fix=only_runs("which question keeps the id depends on the runs to be scored."),
)
DUPLICATE_ANSWER = Rule(
    "AVE404",
    "duplicate-answer",
    ERROR,
    "{answer} is already in the collection",
    "Give every answer of a question its own id.",
    explanation=(
        "One line of a run would decide on both answers, though one may be correct and the other "
        "not. Usual causes: answers numbered separately for each QA system they come from, or a "
        "block that was copied and not renumbered."
    ),
    example_of=FileKind.COLLECTION,
    wrong=_TWO_ANSWERS.replace('id="1_2"', 'id="1_1"'),
    right=_TWO_ANSWERS,
    fix=only_runs("which answer keeps the id depends on the runs to be scored."),
)
QUESTION_WITHOUT_ANSWERS = Rule(
    "AVE405",
    "question-without-answers",
    WARNING,
    "question {q_id!r} has no answers; counted as a question without a correct answer",
    "Remove the question if systems were not asked it.",
    explanation=(
        "There is no correct answer to select, and every run is right to select nothing, so the "
        "question shifts the selection scores of all runs equally and distinguishes none. Usual "
        "cause: all its answers were removed when the collection was built, as duplicates, NIL or "
        "texts that are too long."
    ),
    example_of=FileKind.COLLECTION,
    wrong=_ONE_ANSWER.replace(
        "</ave>", '<q id="2"><q_str>Who composed Norma?</q_str>\n</q>\n</ave>'
    ),
    right=_ONE_ANSWER,
    fix=only_runs("the organisers have to decide whether the question belongs to the task."),
)
UNKNOWN_LABEL = Rule(
    "AVE406",
    "unknown-label",
    ERROR,
    "found {found!r}, expected one of {expected}{hint}",
    "Gold labels are written in capitals; --values says what other words mean.",
    explanation=(
        "The label says whether an answer is correct; every count of every run depends on it, so "
        "no other word is guessed. Usual causes: the YES and NO of AVE 2006, lowercase labels, or "
        "the judgements R, W, U and X of a QA task that were not converted to labels."
    ),
    example_of=FileKind.COLLECTION,
    wrong=_TWO_ANSWERS.replace('value="VALIDATED"', 'value="YES"'),
    right=_TWO_ANSWERS,
    fix=only_runs("only an assessor can assign a gold label."),
    also_in=(FileKind.KEY,),
)
UNLABELLED_ANSWER = Rule(
    "AVE407",
    "unlabelled-answer",
    ERROR,
    "{answer} has no gold label",
    "Label every answer, here or in a key (score --key FILE); UNKNOWN is a label too.",
    explanation=(
        "A verdict on an answer without a label is neither right nor wrong, and scores on the "
        "other answers alone could not be compared with published ones. An answer that the "
        "assessors left open has the label UNKNOWN. Usual causes: the test file for participants "
        "instead of the gold file, or a key that does not cover all answers."
    ),
    example_of=FileKind.COLLECTION,
    wrong=_TWO_ANSWERS.replace('value="REJECTED"', 'value=""'),
    right=_TWO_ANSWERS,
    fix=only_runs("only an assessor can assign a gold label."),
    also_in=(FileKind.KEY,),
)
ID_MISSING = Rule(
    "AVE408",
    "id-missing",
    ERROR,
    "<{tag}> has no {attribute}",
    'Write <q id="..."> and <a id="...">, or <pair id="...">.',
    explanation=(
        "Runs refer to questions and answers only by their ids, so no run could decide on this "
        "one. Usual cause: an attribute with another name, such as qid, a_id or n."
    ),
    example_of=FileKind.COLLECTION,
    wrong=_TWO_ANSWERS.replace('id="1_2"', 'a_id="1_2"'),
    right=_TWO_ANSWERS,
    fix=only_runs("the id must be the one that the runs use."),
    also_in=(FileKind.ANSWERS,),
)
ANSWER_OUTSIDE_QUESTION = Rule(
    "AVE409",
    "answer-outside-question",
    ERROR,
    "<{tag}> is outside any <{question}>, or inside another <{tag}>",
    "Close each element where it ends.",
    explanation=(
        "An answer belongs to the question whose element contains it. Outside any question it is a "
        "candidate for nothing, and inside another answer it cannot be separated from that "
        "answer's text. Usual causes: a </q> too early, or a missing </a>."
    ),
    example_of=FileKind.COLLECTION,
    wrong=_ONE_ANSWER.replace("</ave>", f"{_OTHER_ANSWER}</ave>"),
    right=_TWO_ANSWERS,
    fix=only_runs("only the author knows which question the answer belongs to."),
    also_in=(FileKind.ANSWERS,),
)
NO_QUESTIONS = Rule(
    "AVE410",
    "no-questions",
    ERROR,
    "found neither <q> nor <pair>, expected a collection",
    "A collection holds <q id><q_str/><a id value><a_str/><t_str/></a>...</q>, or pairs.",
    explanation=(
        "The file is XML, but none of its elements is a question, so there is nothing to compare a "
        "run with. Usual causes: a collection of another task, or elements with other names."
    ),
    example_of=FileKind.COLLECTION,
    wrong="""\
<ave>
<question id="1"><q_str>Who wrote Emma?</q_str>
<answer id="1_1" value="VALIDATED"><a_str>Jane Austen</a_str></answer>
</question>
</ave>
""",
    right=_ONE_ANSWER,
    fix=only_runs("only the author knows what the other elements mean."),
)
ID_UNUSABLE = Rule(
    "AVE411",
    "id-unusable",
    ERROR,
    (
        "the id {found!r} is empty, too long, starts with # or contains whitespace or control "
        "characters; no line of a run could name it"
    ),
    "Use ids of letters, digits and punctuation; replace blanks, e.g. by _, in all files.",
    explanation=(
        "In a run, whitespace ends a field, and a line that starts with # is a comment. No run "
        "could name this id, and its answers would be missing from all of them. Usual causes: a "
        "title or a text used as an id, or a space left over from a table."
    ),
    example_of=FileKind.COLLECTION,
    wrong=_TWO_ANSWERS.replace('id="1_2"', 'id="1 2"'),
    right=_TWO_ANSWERS,
    fix=only_runs("the id must be the one that the runs use."),
    also_in=(
        FileKind.JUDGED,
        FileKind.QUESTIONS,
        FileKind.ANSWERS,
        FileKind.SCORES,
        FileKind.ANSWER_SETS,
        FileKind.RESPONSES,
    ),
)
QUESTION_IN_QUESTION = Rule(
    "AVE412",
    "question-in-question",
    ERROR,
    "<{tag}> is inside another <{tag}>",
    "Close each element where it ends.",
    explanation=(
        "Questions cannot be nested: answers could belong to either question, and a system would "
        "have to select among candidates for different questions. Usual cause: a missing </q>."
    ),
    example_of=FileKind.COLLECTION,
    wrong=_TWO_QUESTIONS.replace("</q>\n<q", "<q").replace("</ave>", "</q>\n</ave>"),
    right=_TWO_QUESTIONS,
    fix=only_runs("only the author knows where the outer question ends."),
    also_in=(FileKind.ANSWERS,),
)
SEVERAL_RIGHT = Rule(
    "AVE417",
    "several-right",
    WARNING,
    "question {q_id!r} already has an answer marked as right, expected one",
    "Mark one answer per question, unless the others are right too.",
    explanation=(
        "Each question of QA4MRE has one right answer among its options. With several, a system "
        "that guesses gains, and the scores cannot be compared with those of other collections. "
        "Any of the marked answers counts as right. Usual cause: an editing mistake."
    ),
    example_of=FileKind.COLLECTION,
    wrong=_ONE_RIGHT.replace('a_id="2"', 'a_id="2" correct="Yes"'),
    right=_ONE_RIGHT,
    fix=only_runs("the assessors have to decide which answer is right."),
)
NONE_RIGHT = Rule(
    "AVE418",
    "none-right",
    WARNING,
    (
        "question {q_id!r} has no answer marked as right; counted as a question without a correct "
        "answer"
    ),
    "Mark the right answer, unless the question is meant to have none.",
    explanation=(
        "Each question of QA4MRE has one right answer among its options, and other questions of "
        "this file have theirs. Without one, every answer is wrong and only leaving the question "
        "unanswered is not, which shifts the scores of all runs. Usual cause: a mark that was lost "
        "when the file was edited."
    ),
    example_of=FileKind.COLLECTION,
    wrong=_RIGHT_IN_EACH.replace(' correct="Yes">Bellini', ">Bellini"),
    right=_RIGHT_IN_EACH,
    fix=only_runs("the assessors have to decide which answer is right."),
)
GRADE_UNUSABLE = Rule(
    "AVE419",
    "grade-unusable",
    ERROR,
    "grade is {found!r}, expected a whole number from 0 to 99",
    "Write the grade as a whole number, or omit the attribute.",
    explanation=(
        "Grades say how good an answer is; only measures of gain read them. The gain is 2 to the "
        "power of the grade, so a fraction, a sign or a word is not allowed. An answer without a "
        "grade has 1 if it is correct and 0 otherwise."
    ),
    example_of=FileKind.COLLECTION,
    wrong=_ONE_ANSWER.replace('value="VALIDATED"', 'value="VALIDATED" grade="good"'),
    right=_ONE_ANSWER.replace('value="VALIDATED"', 'value="VALIDATED" grade="3"'),
    fix=only_runs("the assessors have to decide the grade."),
)
MIXED_COLLECTION = Rule(
    "AVE416",
    "mixed-collection",
    ERROR,
    "found <{tag}> in a file with {other}: a collection has questions or pairs, not both",
    "Put the pairs into a separate file; the rest was not read.",
    explanation=(
        "A pair is judged alone, an answer together with the other candidates of its question, and "
        "runs refer to the two differently. Scored together, the figures would describe neither. "
        "Usual cause: files of several campaigns that were joined."
    ),
    example_of=FileKind.COLLECTION,
    wrong="""\
<ave>
<pair id="1" value="YES"><t>Jane Austen wrote Emma.</t><h>Emma is by Jane Austen.</h></pair>
<q id="2"><q_str>Who composed Norma?</q_str>
<a id="2_1" value="REJECTED"><a_str>Verdi</a_str></a>
</q>
</ave>
""",
    right="""\
<ave>
<pair id="1" value="YES"><t>Jane Austen wrote Emma.</t><h>Emma is by Jane Austen.</h></pair>
</ave>
""",
    fix=only_runs("the organisers have to decide what belongs together."),
)
TOO_DEEP = Rule(
    "AVE414",
    "too-deep",
    ERROR,
    "elements are nested deeper than {limit} levels, far more than a file needs",
    "Look for unclosed tags, then check again: the rest was not read.",
    explanation=(
        "No collection nests hundreds of elements. The questions after this point would be missing "
        "from every score, so the file is refused. Usual causes: a program that opens tags in a "
        "loop and never closes them, or a file made to exhaust the memory of its reader."
    ),
    example_of=FileKind.COLLECTION,
    wrong=_ONE_ANSWER.replace("Emma?", "<i><i><i>Emma</i></i></i>?"),
    right=_ONE_ANSWER.replace("Emma?", "<i>Emma</i>?"),
    stored="254 <i> are nested in each other, 257 levels in all",
    fix=only_runs("only the author knows which tags are meant."),
    also_in=(FileKind.ANSWERS, FileKind.ANSWER_SETS),
)
TOKEN_TOO_LONG = Rule(
    "AVE415",
    "token-too-long",
    ERROR,
    "a tag or comment is longer than {limit} MB",
    "Look for an unclosed quote or comment, then check again: the rest was not read.",
    explanation=(
        "A tag or a comment can only be read as a whole. If it is several MiB long, its end is "
        "usually missing: without a closing quote or -->, it swallows the questions after it, "
        "which would be missing from every score. Usual causes: an unclosed quote or comment, or "
        "data such as pictures, which do not belong in a collection."
    ),
    example_of=FileKind.COLLECTION,
    wrong=_ONE_ANSWER.replace(
        "<ave>\n",
        "<ave>\n<!-- log: question 1, 2 answers; question 2, 1 answer; question 3, 4 answers; "
        "... -->\n",
    ),
    right=_ONE_ANSWER,
    stored="the comment is 12,000,000 characters long",
    fix=only_runs("only the author knows where the end belongs."),
    also_in=(FileKind.ANSWERS, FileKind.ANSWER_SETS),
)
LABEL_CONFLICT = Rule(
    "AVE413",
    "label-conflict",
    ERROR,
    "the {one} says {found}, but the {other} says {expected}",
    "Use a key only with a collection that has no labels, or the same ones; give a pair one label.",
    explanation=(
        "Two gold labels for one answer come from two versions of the assessments, and the scores "
        "would depend on which one is used. Usual causes: a key of another release of the "
        "collection, or a label that was corrected in only one of the files. A pair may have its "
        "label as value or, as in RTE, as entailment."
    ),
    example_of=FileKind.KEY,
    wrong="""\
1 1_1 VALIDATED
1 1_2 VALIDATED
2 2_1 REJECTED
""",
    right="""\
1 1_1 VALIDATED
1 1_2 REJECTED
2 2_1 REJECTED
""",
    fix=only_runs("the assessors have to decide which label is right."),
    also_in=(FileKind.COLLECTION,),
)
