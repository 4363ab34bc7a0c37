"""AVE4xx collections and keys, AVE6xx answers of a system, AVE8xx open questions."""

from __future__ import annotations

from ave_score.rules.rule import ERROR, WARNING, Rule

NOT_WELL_FORMED = Rule(
    "AVE401",
    "not-well-formed",
    ERROR,
    "not well-formed XML: {problem}",
    "Close open elements, write & as &amp; and < as &lt;, then check again: the rest was not read.",
)
ENTITY_DECLARED = Rule(
    "AVE402",
    "entity-declared",
    ERROR,
    "the DTD declares the entity {name!r}; entity declarations are refused",
    "Replace the entity with its text and delete the declaration.",
)
DUPLICATE_QUESTION = Rule(
    "AVE403",
    "duplicate-question",
    ERROR,
    "question {q_id!r} is already in the collection",
    "Give every question its own id.",
)
DUPLICATE_ANSWER = Rule(
    "AVE404",
    "duplicate-answer",
    ERROR,
    "{answer} is already in the collection",
    "Give every answer of a question its own id.",
)
QUESTION_WITHOUT_ANSWERS = Rule(
    "AVE405",
    "question-without-answers",
    WARNING,
    "question {q_id!r} has no answers; counted as a question without a correct answer",
    "Remove the question if it was not put to the systems.",
)
UNKNOWN_LABEL = Rule(
    "AVE406",
    "unknown-label",
    ERROR,
    "found {found!r}, expected one of {expected}{hint}",
    "Gold labels are written in capitals; --values says what other words mean.",
)
UNLABELLED_ANSWER = Rule(
    "AVE407",
    "unlabelled-answer",
    ERROR,
    "{answer} has no gold label",
    "Label every answer, here or in a key (score --key FILE); UNKNOWN is a label too.",
)
ID_MISSING = Rule(
    "AVE408",
    "id-missing",
    ERROR,
    "<{tag}> has no {attribute}",
    'Write <q id="..."> and <a id="...">, or <pair id="...">.',
)
ANSWER_OUTSIDE_QUESTION = Rule(
    "AVE409",
    "answer-outside-question",
    ERROR,
    "<{tag}> is outside any <{question}>, or inside another <{tag}>",
    "Close each element where it ends.",
)
NO_QUESTIONS = Rule(
    "AVE410",
    "no-questions",
    ERROR,
    "found neither <q> nor <pair>, expected a collection",
    "A collection holds <q id><q_str/><a id value><a_str/><t_str/></a>...</q>, or pairs.",
)
ID_UNUSABLE = Rule(
    "AVE411",
    "id-unusable",
    ERROR,
    "the id {found!r} is empty, too long, starts with # or contains whitespace or control "
    "characters; no line of a run could name it",
    "Use ids of letters, digits and punctuation; replace blanks, e.g. by _, in all files.",
)
QUESTION_IN_QUESTION = Rule(
    "AVE412",
    "question-in-question",
    ERROR,
    "<{tag}> is inside another <{tag}>",
    "Close each element where it ends.",
)
LABEL_CONFLICT = Rule(
    "AVE413",
    "label-conflict",
    ERROR,
    "the {one} says {found}, but the {other} says {expected}",
    "Use a key only with a collection without labels or with the same labels; one label per pair.",
)
TOO_DEEP = Rule(
    "AVE414",
    "too-deep",
    ERROR,
    "elements are nested deeper than {limit} levels, far more than a file needs",
    "Look for unclosed tags, then check again: the rest was not read.",
)
TOKEN_TOO_LONG = Rule(
    "AVE415",
    "token-too-long",
    ERROR,
    "a tag or comment is longer than {limit} MB",
    "Look for an unclosed quote or comment, then check again: the rest was not read.",
)
MIXED_COLLECTION = Rule(
    "AVE416",
    "mixed-collection",
    ERROR,
    "found <{tag}> in a file with {other}: a collection has questions or pairs, not both",
    "Put the pairs into a separate file; the rest was not read.",
)
SEVERAL_RIGHT = Rule(
    "AVE417",
    "several-right",
    WARNING,
    "question {q_id!r} already has an answer marked as right, expected one",
    "Mark one answer per question, unless the others are right too.",
)
NONE_RIGHT = Rule(
    "AVE418",
    "none-right",
    WARNING,
    "question {q_id!r} has no answer marked as right; counted as a question without a correct "
    "answer",
    "Mark the right answer, unless the question is meant to have none.",
)
GRADE_UNUSABLE = Rule(
    "AVE419",
    "grade-unusable",
    ERROR,
    "grade is {found!r}, expected a whole number from 0 to 99",
    "Multiply or round grades that are no whole numbers; trec_eval does not read them, either. "
    "Answers of a collection need none.",
)
ANSWERED_WITHOUT_ANSWER = Rule(
    "AVE601",
    "answered-without-answer",
    ERROR,
    "question {q_id!r} is answered YES but has no answer",
    'Give the answer, or write answered="NO".',
)
TWO_ANSWERS = Rule(
    "AVE602",
    "two-answers",
    ERROR,
    "question {q_id!r} has a second answer",
    "Give one answer per question.",
)
ANSWER_NOT_OFFERED = Rule(
    "AVE603",
    "answer-not-offered",
    ERROR,
    "question {q_id!r} has no answer {a_id!r}, only {expected}",
    "Ids are compared as strings: 1 and 01 differ.",
)
ANSWERED_TWICE = Rule(
    "AVE604",
    "answered-twice",
    ERROR,
    "duplicate question {q_id!r}, first at line {first}",
    "Write one element per question.",
)
QUESTION_MISSING = Rule(
    "AVE605",
    "question-missing",
    ERROR,
    "no element for question {q_id!r}",
    'Write <question answered="NO"/>, or score with --missing rejected.',
)
MISSING_AS_UNANSWERED = Rule(
    "AVE606",
    "missing-as-unanswered",
    WARNING,
    "no element for question {q_id!r}; read as unanswered",
    "Nothing to do: --missing rejected asks for this.",
)
QUESTION_EXCLUDED = Rule(
    "AVE607",
    "question-excluded",
    WARNING,
    "no element for question {q_id!r}; left out of the scores of this run",
    "Nothing to do: --missing excluded asks for this.",
)
NOT_JSON = Rule(
    "AVE801",
    "not-json",
    ERROR,
    "not well-formed JSON: {problem}",
    "Correct the error, then check again: the rest was not read.",
)
JSON_KEY_REPEATED = Rule(
    "AVE802",
    "json-key-repeated",
    ERROR,
    "duplicate key {found!r} in one object",
    "Merge the values under one key, or delete the wrong one.",
)
UNKNOWN_KEY = Rule(
    "AVE803",
    "unknown-key",
    WARNING,
    "{where} is unknown and was ignored{hint}",
    "Nothing to do if it is a note; docs/reference/formats.md lists what is read.",
)
CONTENT_UNUSABLE = Rule(
    "AVE804",
    "content-unusable",
    ERROR,
    "{where} is {found}, expected {expected}",
    "Correct the value; docs/reference/formats.md shows a complete file.",
)
TOTAL_TOO_SMALL = Rule(
    "AVE805",
    "total-too-small",
    ERROR,
    "the set lists {listed}, more than its total of {total}",
    "Correct the total, or put alternative wordings of an answer into one list.",
)
WORDING_REPEATED = Rule(
    "AVE806",
    "wording-repeated",
    ERROR,
    "the wording {found!r} already names another answer of this set, at line {first}",
    "Merge the two answers, or give them different wordings.",
)
NUGGET_REPEATED = Rule(
    "AVE807",
    "nugget-repeated",
    ERROR,
    "the question already has a nugget {nugget!r}, at line {first}",
    "Give every nugget of a question its own id.",
)
TYPE_CONTRADICTED = Rule(
    "AVE808",
    "type-contradicted",
    ERROR,
    "{where} is of type {type} but has {found}",
    "Correct the type: definition questions have nuggets, the others sets of answers.",
)
NO_VITAL_NUGGET = Rule(
    "AVE809",
    "no-vital-nugget",
    WARNING,
    "question {q_id!r} has no vital nugget; its recall is undefined",
    "Nothing to do if that is intended; otherwise mark the vital nuggets.",
)
NOT_RESPONDED = Rule(
    "AVE811",
    "question-without-response",
    WARNING,
    "run {run!r} has no row for question {q_id!r}; read as NIL (no answer)",
    "Write a row with the answer NIL if the system decided that no answer exists.",
)
NUGGET_UNKNOWN = Rule(
    "AVE812",
    "nugget-unknown",
    ERROR,
    "question {q_id!r} has no nugget {nugget!r}",
    "Ids are compared as strings: 1 and 01 differ; separate them with commas or spaces.",
)
NUGGETS_MISPLACED = Rule(
    "AVE813",
    "nuggets-misplaced",
    ERROR,
    "nuggets are given for {found}",
    "Leave the field empty, or correct the id of the question.",
)
FACTOID_ANSWERED_TWICE = Rule(
    "AVE814",
    "factoid-answered-twice",
    ERROR,
    "question {q_id!r} takes one answer, and run {run!r} gives one at line {first}",
    "Keep the row of the answer that counts.",
)
NIL_BESIDE_ANSWERS = Rule(
    "AVE815",
    "nil-beside-answers",
    ERROR,
    "NIL says that question {q_id!r} has no answer, but run {run!r} has another row for it, at "
    "line {other}",
    "Keep NIL alone, or delete it.",
)
