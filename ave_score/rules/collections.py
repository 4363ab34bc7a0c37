"""AVE4xx: collections and keys."""

from __future__ import annotations

from ave_score.kinds import FileKind
from ave_score.rules.rule import ERROR, WARNING, Rule, no_fix

NOT_WELL_FORMED = Rule(
    "AVE401",
    "not-well-formed",
    ERROR,
    "not well-formed XML: {problem}",
    "Close what is open, write & as &amp; and < as &lt;, then check again: the rest was not read.",
    explanation=(
        "Behind the first place that is not XML it cannot be told what belongs to which element, "
        "and questions would be lost in silence. Usual causes are an & or < in a text that was not "
        "written as &amp; or &lt;, the name of a character such as &nbsp; that only HTML knows, a "
        "tag that is not closed, and a file that was cut off on its way."
    ),
    example_of=FileKind.COLLECTION,
    wrong="""\
<ave>
<q id="1"><q_str>Who founded the shop?</q_str>
<a id="1_1" value="VALIDATED"><a_str>Marks & Spencer</a_str></a>
</q>
</ave>
""",
    right="""\
<ave>
<q id="1"><q_str>Who founded the shop?</q_str>
<a id="1_1" value="VALIDATED"><a_str>Marks &amp; Spencer</a_str></a>
</q>
</ave>
""",
    fix=no_fix("`ave-score fix` mends runs only; what the text was to be, its author must say."),
    also_in=(FileKind.ANSWERS, FileKind.ANSWER_SETS),
)
ENTITY_DECLARED = Rule(
    "AVE402",
    "entity-declared",
    ERROR,
    "the DTD declares the entity {name!r}; entity declarations are refused",
    "Write the text in place of the entity and delete the declaration.",
    explanation=(
        "An entity is an abbreviation that is written out while the file is read. A few lines of "
        "them can grow to gigabytes, and one that names a file can bring the contents of another "
        "file into the collection, so a file that declares any is refused before it is used. "
        "Collections need none."
    ),
    example_of=FileKind.COLLECTION,
    wrong="""\
<!DOCTYPE ave [
<!ENTITY austen "Jane Austen">
]>
<ave>
<q id="1"><q_str>Who wrote Emma?</q_str>
<a id="1_1" value="VALIDATED"><a_str>&austen;</a_str></a>
</q>
</ave>
""",
    right="""\
<ave>
<q id="1"><q_str>Who wrote Emma?</q_str>
<a id="1_1" value="VALIDATED"><a_str>Jane Austen</a_str></a>
</q>
</ave>
""",
    fix=no_fix(
        "`ave-score fix` mends runs only; to write an entity out it would have to be expanded, "
        "which is what is refused."
    ),
    also_in=(FileKind.ANSWERS, FileKind.ANSWER_SETS),
)
DUPLICATE_QUESTION = Rule(
    "AVE403",
    "duplicate-question",
    ERROR,
    "question {q_id!r} stands in the collection already",
    "Every question needs an id of its own.",
    explanation=(
        "A line of a run names its question by the id, so with two of one id it cannot be told "
        "which is meant, and the answers of both would be mixed. The usual cause is that "
        "collections of several years or languages, each numbered from 1, were put into one file."
    ),
    example_of=FileKind.COLLECTION,
    wrong="""\
<ave>
<q id="1"><q_str>Who wrote Emma?</q_str>
<a id="1_1" value="VALIDATED"><a_str>Jane Austen</a_str></a>
</q>
<q id="1"><q_str>Who composed Norma?</q_str>
<a id="2_1" value="REJECTED"><a_str>Verdi</a_str></a>
</q>
</ave>
""",
    right="""\
<ave>
<q id="1"><q_str>Who wrote Emma?</q_str>
<a id="1_1" value="VALIDATED"><a_str>Jane Austen</a_str></a>
</q>
<q id="2"><q_str>Who composed Norma?</q_str>
<a id="2_1" value="REJECTED"><a_str>Verdi</a_str></a>
</q>
</ave>
""",
    fix=no_fix(
        "`ave-score fix` mends runs only; which question keeps the id depends on the runs that are "
        "to be scored."
    ),
)
DUPLICATE_ANSWER = Rule(
    "AVE404",
    "duplicate-answer",
    ERROR,
    "{answer} stands in the collection already",
    "Every answer of a question needs an id of its own.",
    explanation=(
        "One line of a run would decide on both answers, though one may be correct and the other "
        "not. Usual causes are answers that were numbered anew for each QA system they come from, "
        "and a block that was copied and not renumbered."
    ),
    example_of=FileKind.COLLECTION,
    wrong="""\
<ave>
<q id="1"><q_str>Who wrote Emma?</q_str>
<a id="1_1" value="VALIDATED"><a_str>Jane Austen</a_str></a>
<a id="1_1" value="REJECTED"><a_str>Mr Knightley</a_str></a>
</q>
</ave>
""",
    right="""\
<ave>
<q id="1"><q_str>Who wrote Emma?</q_str>
<a id="1_1" value="VALIDATED"><a_str>Jane Austen</a_str></a>
<a id="1_2" value="REJECTED"><a_str>Mr Knightley</a_str></a>
</q>
</ave>
""",
    fix=no_fix(
        "`ave-score fix` mends runs only; which answer keeps the id depends on the runs that are "
        "to be scored."
    ),
)
QUESTION_WITHOUT_ANSWERS = Rule(
    "AVE405",
    "question-without-answers",
    WARNING,
    "question {q_id!r} has no answers; it counts as a question without a correct one",
    "Leave the question out if systems were not asked about it.",
    explanation=(
        "No run can select a correct answer where there is none to select, and every run is right "
        "to select nothing, so the question moves the selection figures of all runs alike and "
        "tells nothing of any. The usual cause is that all of its answers were taken out when the "
        "collection was built: repetitions, NIL, texts that are too long."
    ),
    example_of=FileKind.COLLECTION,
    wrong="""\
<ave>
<q id="1"><q_str>Who wrote Emma?</q_str>
<a id="1_1" value="VALIDATED"><a_str>Jane Austen</a_str></a>
</q>
<q id="2"><q_str>Who composed Norma?</q_str>
</q>
</ave>
""",
    right="""\
<ave>
<q id="1"><q_str>Who wrote Emma?</q_str>
<a id="1_1" value="VALIDATED"><a_str>Jane Austen</a_str></a>
</q>
</ave>
""",
    fix=no_fix(
        "`ave-score fix` mends runs only; whether the question belongs to the task, its organisers "
        "must say."
    ),
)
UNKNOWN_LABEL = Rule(
    "AVE406",
    "unknown-label",
    ERROR,
    "found {found!r}, expected one of {expected}{hint}",
    "Gold labels are written in capitals.",
    explanation=(
        "The label says whether an answer is correct; every count of every run depends on it, so "
        "another word is not guessed at. Usual causes are the YES and NO of AVE 2006, small "
        "letters, and the judgements R, W, U and X of a QA task that were not turned into labels."
    ),
    example_of=FileKind.COLLECTION,
    wrong="""\
<ave>
<q id="1"><q_str>Who wrote Emma?</q_str>
<a id="1_1" value="YES"><a_str>Jane Austen</a_str></a>
<a id="1_2" value="REJECTED"><a_str>Mr Knightley</a_str></a>
</q>
</ave>
""",
    right="""\
<ave>
<q id="1"><q_str>Who wrote Emma?</q_str>
<a id="1_1" value="VALIDATED"><a_str>Jane Austen</a_str></a>
<a id="1_2" value="REJECTED"><a_str>Mr Knightley</a_str></a>
</q>
</ave>
""",
    fix=no_fix("`ave-score fix` mends runs only; a gold label is for an assessor to give."),
    also_in=(FileKind.KEY,),
)
UNLABELLED_ANSWER = Rule(
    "AVE407",
    "unlabelled-answer",
    ERROR,
    "{answer} has no gold label",
    "Label every answer, here or in a key (score --key FILE); UNKNOWN is a label too.",
    explanation=(
        "A verdict on an answer without a label is neither right nor wrong, and figures over the "
        "other answers alone could not be compared with published ones. Usual causes are the test "
        "file that participants get in the place of the gold file, and a key that does not name "
        "all answers. An answer that the assessors left open has the label UNKNOWN."
    ),
    example_of=FileKind.COLLECTION,
    wrong="""\
<ave>
<q id="1"><q_str>Who wrote Emma?</q_str>
<a id="1_1" value="VALIDATED"><a_str>Jane Austen</a_str></a>
<a id="1_2" value=""><a_str>Mr Knightley</a_str></a>
</q>
</ave>
""",
    right="""\
<ave>
<q id="1"><q_str>Who wrote Emma?</q_str>
<a id="1_1" value="VALIDATED"><a_str>Jane Austen</a_str></a>
<a id="1_2" value="REJECTED"><a_str>Mr Knightley</a_str></a>
</q>
</ave>
""",
    fix=no_fix("`ave-score fix` mends runs only; a gold label is for an assessor to give."),
    also_in=(FileKind.KEY,),
)
ID_MISSING = Rule(
    "AVE408",
    "id-missing",
    ERROR,
    "<{tag}> has no {attribute}",
    'Write <q id="..."> and <a id="...">, or <pair id="...">.',
    explanation=(
        "Runs speak of questions and answers by their ids and in no other way, so nobody could "
        "decide on this one. The usual cause is an attribute of another name, such as qid, a_id or "
        "n."
    ),
    example_of=FileKind.COLLECTION,
    wrong="""\
<ave>
<q id="1"><q_str>Who wrote Emma?</q_str>
<a id="1_1" value="VALIDATED"><a_str>Jane Austen</a_str></a>
<a a_id="1_2" value="REJECTED"><a_str>Mr Knightley</a_str></a>
</q>
</ave>
""",
    right="""\
<ave>
<q id="1"><q_str>Who wrote Emma?</q_str>
<a id="1_1" value="VALIDATED"><a_str>Jane Austen</a_str></a>
<a id="1_2" value="REJECTED"><a_str>Mr Knightley</a_str></a>
</q>
</ave>
""",
    fix=no_fix("`ave-score fix` mends runs only; the id must be the one that the runs use."),
    also_in=(FileKind.ANSWERS,),
)
ANSWER_OUTSIDE_QUESTION = Rule(
    "AVE409",
    "answer-outside-question",
    ERROR,
    "<{tag}> stands outside any <{question}>, or inside another <{tag}>",
    "Close the elements where they end.",
    explanation=(
        "An answer belongs to the question in whose element it stands. One that stands outside is "
        "a candidate for nothing, and one inside another answer cannot be told from its text. "
        "Usual causes are a </q> too early and a </a> that was forgotten."
    ),
    example_of=FileKind.COLLECTION,
    wrong="""\
<ave>
<q id="1"><q_str>Who wrote Emma?</q_str>
<a id="1_1" value="VALIDATED"><a_str>Jane Austen</a_str></a>
</q>
<a id="1_2" value="REJECTED"><a_str>Mr Knightley</a_str></a>
</ave>
""",
    right="""\
<ave>
<q id="1"><q_str>Who wrote Emma?</q_str>
<a id="1_1" value="VALIDATED"><a_str>Jane Austen</a_str></a>
<a id="1_2" value="REJECTED"><a_str>Mr Knightley</a_str></a>
</q>
</ave>
""",
    fix=no_fix(
        "`ave-score fix` mends runs only; which question the answer belongs to, its author must "
        "say."
    ),
    also_in=(FileKind.ANSWERS,),
)
NO_QUESTIONS = Rule(
    "AVE410",
    "no-questions",
    ERROR,
    "found neither <q> nor <pair>, expected a collection",
    "A collection holds <q id><q_str/><a id value><a_str/><t_str/></a>...</q>, or pairs.",
    explanation=(
        "The file is XML, but none of its elements is a question, so there is nothing that a run "
        "could be compared with. Usual causes are a collection of another task, and one whose "
        "elements bear other names."
    ),
    example_of=FileKind.COLLECTION,
    wrong="""\
<ave>
<question id="1"><q_str>Who wrote Emma?</q_str>
<answer id="1_1" value="VALIDATED"><a_str>Jane Austen</a_str></answer>
</question>
</ave>
""",
    right="""\
<ave>
<q id="1"><q_str>Who wrote Emma?</q_str>
<a id="1_1" value="VALIDATED"><a_str>Jane Austen</a_str></a>
</q>
</ave>
""",
    fix=no_fix(
        "`ave-score fix` mends runs only; what other elements stand for, their author must say."
    ),
)
ID_UNUSABLE = Rule(
    "AVE411",
    "id-unusable",
    ERROR,
    "the id {found!r} is empty, too long, begins with # or has blanks or control characters; "
    "no line of a run could name it",
    "Use ids of letters, digits and punctuation.",
    explanation=(
        "In a run a blank ends a field, and a line that begins with # is a comment. No run could "
        "name this id, and its answers would be missing in all of them. Usual causes are a title "
        "or a text that serves as an id, and a blank left over from a table."
    ),
    example_of=FileKind.COLLECTION,
    wrong="""\
<ave>
<q id="1"><q_str>Who wrote Emma?</q_str>
<a id="1_1" value="VALIDATED"><a_str>Jane Austen</a_str></a>
<a id="1 2" value="REJECTED"><a_str>Mr Knightley</a_str></a>
</q>
</ave>
""",
    right="""\
<ave>
<q id="1"><q_str>Who wrote Emma?</q_str>
<a id="1_1" value="VALIDATED"><a_str>Jane Austen</a_str></a>
<a id="1_2" value="REJECTED"><a_str>Mr Knightley</a_str></a>
</q>
</ave>
""",
    fix=no_fix("`ave-score fix` mends runs only; the id must be the one that the runs use."),
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
    "<{tag}> stands inside another <{tag}>",
    "Close the elements where they end.",
    explanation=(
        "Questions stand side by side. Where one stands inside another, answers could belong to "
        "either, and a system would be asked to select among candidates for different questions. "
        "The usual cause is a </q> that was forgotten."
    ),
    example_of=FileKind.COLLECTION,
    wrong="""\
<ave>
<q id="1"><q_str>Who wrote Emma?</q_str>
<a id="1_1" value="VALIDATED"><a_str>Jane Austen</a_str></a>
<q id="2"><q_str>Who composed Norma?</q_str>
<a id="2_1" value="REJECTED"><a_str>Verdi</a_str></a>
</q>
</q>
</ave>
""",
    right="""\
<ave>
<q id="1"><q_str>Who wrote Emma?</q_str>
<a id="1_1" value="VALIDATED"><a_str>Jane Austen</a_str></a>
</q>
<q id="2"><q_str>Who composed Norma?</q_str>
<a id="2_1" value="REJECTED"><a_str>Verdi</a_str></a>
</q>
</ave>
""",
    fix=no_fix(
        "`ave-score fix` mends runs only; where the outer question ends, its author must say."
    ),
    also_in=(FileKind.ANSWERS,),
)
SEVERAL_RIGHT = Rule(
    "AVE417",
    "several-right",
    WARNING,
    "question {q_id!r} has an answer marked as right already; one is expected",
    "Mark one answer of each question, if the others are not right too.",
    explanation=(
        "Each question of QA4MRE has one right answer among those that it offers. With several of "
        "them a system that guesses gains, and the figures do not compare with those of other "
        "collections. The usual cause is a slip of the editor; any of the answers counts as right."
    ),
    example_of=FileKind.COLLECTION,
    wrong="""\
<test-set>
<topic t_id="1"><reading-test r_id="1">
<q q_id="1"><q_str>Who wrote Emma?</q_str>
<answer a_id="1" correct="Yes">Jane Austen</answer>
<answer a_id="2" correct="Yes">Mr Knightley</answer>
</q>
</reading-test></topic>
</test-set>
""",
    right="""\
<test-set>
<topic t_id="1"><reading-test r_id="1">
<q q_id="1"><q_str>Who wrote Emma?</q_str>
<answer a_id="1" correct="Yes">Jane Austen</answer>
<answer a_id="2">Mr Knightley</answer>
</q>
</reading-test></topic>
</test-set>
""",
    fix=no_fix("`ave-score fix` mends runs only; which one is right, the assessors must say."),
)
NONE_RIGHT = Rule(
    "AVE418",
    "none-right",
    WARNING,
    "question {q_id!r} has no answer marked as right; it counts as one without a correct answer",
    "Mark the right answer, unless the question was asked to have none.",
    explanation=(
        "Each question of QA4MRE has one right answer among those that it offers, and other "
        "questions of this file have theirs. With none, whatever a system answers is wrong, and "
        "only leaving the question open is not, which moves the figures of all runs. The usual "
        "cause is a mark that was lost when the file was edited."
    ),
    example_of=FileKind.COLLECTION,
    wrong="""\
<test-set>
<topic t_id="1"><reading-test r_id="1">
<q q_id="1"><q_str>Who wrote Emma?</q_str>
<answer a_id="1" correct="Yes">Jane Austen</answer>
<answer a_id="2">Mr Knightley</answer>
</q>
<q q_id="2"><q_str>Who composed Norma?</q_str>
<answer a_id="1">Verdi</answer>
<answer a_id="2">Bellini</answer>
</q>
</reading-test></topic>
</test-set>
""",
    right="""\
<test-set>
<topic t_id="1"><reading-test r_id="1">
<q q_id="1"><q_str>Who wrote Emma?</q_str>
<answer a_id="1" correct="Yes">Jane Austen</answer>
<answer a_id="2">Mr Knightley</answer>
</q>
<q q_id="2"><q_str>Who composed Norma?</q_str>
<answer a_id="1">Verdi</answer>
<answer a_id="2" correct="Yes">Bellini</answer>
</q>
</reading-test></topic>
</test-set>
""",
    fix=no_fix("`ave-score fix` mends runs only; which one is right, the assessors must say."),
)
GRADE_UNUSABLE = Rule(
    "AVE419",
    "grade-unusable",
    ERROR,
    "found {found!r} as the grade of an answer, expected a whole number from 0 to 99",
    "Write the grade as a whole number, or leave the attribute out.",
    explanation=(
        "Grades say how good an answer is, and only rankings by gain look at them. The gain is 2 "
        "to the power of the grade, so that a fraction, a sign or a word has no place among them. "
        "Answers without a grade have 1 if they are correct, else 0."
    ),
    example_of=FileKind.COLLECTION,
    wrong="""\
<ave>
<q id="1"><q_str>Who wrote Emma?</q_str>
<a id="1_1" value="VALIDATED" grade="good"><a_str>Jane Austen</a_str></a>
</q>
</ave>
""",
    right="""\
<ave>
<q id="1"><q_str>Who wrote Emma?</q_str>
<a id="1_1" value="VALIDATED" grade="3"><a_str>Jane Austen</a_str></a>
</q>
</ave>
""",
    fix=no_fix("`ave-score fix` mends runs only; the grade, the assessors must say."),
)
MIXED_COLLECTION = Rule(
    "AVE416",
    "mixed-collection",
    ERROR,
    "found <{tag}> in a file that has {other}: questions and pairs cannot stand in one collection",
    "Put the pairs into a file of their own; the rest was not read.",
    explanation=(
        "A pair is judged alone, an answer beside the other candidates of its question, and runs "
        "speak of the two in different ways. Scored together, the figures would be about neither. "
        "The usual cause is that files of several campaigns were joined."
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
    fix=no_fix("`ave-score fix` mends runs only; what belongs together, the organisers must say."),
)
TOO_DEEP = Rule(
    "AVE414",
    "too-deep",
    ERROR,
    "elements are nested deeper than {limit} levels, of which a file needs few",
    "Look for tags that are not closed, then check again: the rest was not read.",
    explanation=(
        "Hundreds of elements inside each other are no collection. They come from a program that "
        "opens tags in a loop and never closes them, or from a file made to exhaust the memory of "
        "whoever reads it. The questions behind would be missing from every score, so the file is "
        "refused."
    ),
    example_of=FileKind.COLLECTION,
    wrong="""\
<ave>
<q id="1"><q_str>Who wrote <i><i><i>Emma</i></i></i>?</q_str>
<a id="1_1" value="VALIDATED"><a_str>Jane Austen</a_str></a>
</q>
</ave>
""",
    right="""\
<ave>
<q id="1"><q_str>Who wrote <i>Emma</i>?</q_str>
<a id="1_1" value="VALIDATED"><a_str>Jane Austen</a_str></a>
</q>
</ave>
""",
    stored="254 <i> stand inside each other, on 257 levels in all",
    fix=no_fix("`ave-score fix` mends runs only; which tags are meant, its author must say."),
    also_in=(FileKind.ANSWERS, FileKind.ANSWER_SETS),
)
TOKEN_TOO_LONG = Rule(
    "AVE415",
    "token-too-long",
    ERROR,
    "a tag or comment is longer than {limit} MB",
    "Look for a quote or a comment that is not closed, then check again: the rest was not read.",
    explanation=(
        "A tag or a comment can be read only as a whole. One of several MiB has mostly lost its "
        "end: where a closing quote or --> is wanting, it swallows the questions behind it, which "
        "would be missing from every score. Data such as pictures do not belong into a collection "
        "either."
    ),
    example_of=FileKind.COLLECTION,
    wrong="""\
<ave>
<!-- log: question 1, 2 answers; question 2, 1 answer; question 3, 4 answers; ... -->
<q id="1"><q_str>Who wrote Emma?</q_str>
<a id="1_1" value="VALIDATED"><a_str>Jane Austen</a_str></a>
</q>
</ave>
""",
    right="""\
<ave>
<q id="1"><q_str>Who wrote Emma?</q_str>
<a id="1_1" value="VALIDATED"><a_str>Jane Austen</a_str></a>
</q>
</ave>
""",
    stored="the comment goes on for 12,000,000 characters",
    fix=no_fix("`ave-score fix` mends runs only; where the end belongs, its author must say."),
    also_in=(FileKind.ANSWERS, FileKind.ANSWER_SETS),
)
LABEL_CONFLICT = Rule(
    "AVE413",
    "label-conflict",
    ERROR,
    "the key says {found}, but the collection itself says {expected}",
    "Use a key only with a collection that has no labels, or the same ones.",
    explanation=(
        "Two gold labels for one answer mean that two versions of the assessments meet, and the "
        "scores would depend on which of them is believed. Usual causes are a key that belongs to "
        "another release of the collection, and a label that was corrected in one file only."
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
    fix=no_fix("`ave-score fix` mends runs only; which label is right, the assessors must say."),
)
