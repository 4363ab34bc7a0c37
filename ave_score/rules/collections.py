"""AVE4xx collections and keys, AVE6xx answers of a system, AVE8xx open questions."""

from __future__ import annotations

from ave_score.rules.rule import error, warning

NOT_WELL_FORMED = error(
    "AVE401",
    "not-well-formed",
    "not well-formed XML: {problem}",
    "Close open elements, write & as &amp; and < as &lt;, then check again: the rest was not read.",
)
ENTITY_DECLARED = error(
    "AVE402",
    "entity-declared",
    "the DTD declares the entity {name!r}; entity declarations are refused",
    "Replace the entity with its text and delete the declaration.",
)
DUPLICATE_QUESTION = error(
    "AVE403",
    "duplicate-question",
    "question {q_id!r} is already in the collection",
    "Give every question its own id.",
)
DUPLICATE_ANSWER = error(
    "AVE404",
    "duplicate-answer",
    "{answer} is already in the collection",
    "Give every answer of a question its own id.",
)
QUESTION_WITHOUT_ANSWERS = warning(
    "AVE405",
    "question-without-answers",
    "question {q_id!r} has no answers; counted as a question without a correct answer",
    "Remove the question if it was not put to the systems.",
)
UNKNOWN_LABEL = error(
    "AVE406",
    "unknown-label",
    "found {found!r}, expected one of {expected}{hint}",
    "Gold labels are written in capitals; --values says what other words mean.",
)
UNLABELLED_ANSWER = error(
    "AVE407",
    "unlabelled-answer",
    "{answer} has no gold label",
    "Label every answer, here or in a key (score --key FILE); UNKNOWN is a label too.",
)
ID_MISSING = error(
    "AVE408",
    "id-missing",
    "<{tag}> has no {attribute}",
    'Write <q id="..."> and <a id="...">, or <pair id="...">.',
)
ANSWER_OUTSIDE_QUESTION = error(
    "AVE409",
    "answer-outside-question",
    "<{tag}> is outside any <{question}>, or inside another <{tag}>",
    "Close each element where it ends.",
)
NO_QUESTIONS = error(
    "AVE410",
    "no-questions",
    "found neither <q> nor <pair>, expected a collection",
    "A collection holds <q id><q_str/><a id value><a_str/><t_str/></a>...</q>, or pairs.",
)
ID_UNUSABLE = error(
    "AVE411",
    "id-unusable",
    "the id {found!r} is empty, too long, starts with # or contains whitespace or control "
    "characters; no line of a run could name it",
    "Use ids of letters, digits and punctuation; replace blanks, e.g. by _, in all files.",
)
QUESTION_IN_QUESTION = error(
    "AVE412",
    "question-in-question",
    "<{tag}> is inside another <{tag}>",
    "Close each element where it ends.",
)
LABEL_CONFLICT = error(
    "AVE413",
    "label-conflict",
    "the {one} says {found}, but the {other} says {expected}",
    "Use a key only with a collection without labels or with the same labels; one label per pair.",
)
TOO_DEEP = error(
    "AVE414",
    "too-deep",
    "elements are nested deeper than {limit} levels, far more than a file needs",
    "Look for unclosed tags, then check again: the rest was not read.",
)
TOKEN_TOO_LONG = error(
    "AVE415",
    "token-too-long",
    "a tag or comment is longer than {limit} MB",
    "Look for an unclosed quote or comment, then check again: the rest was not read.",
)
MIXED_COLLECTION = error(
    "AVE416",
    "mixed-collection",
    "found <{tag}> in a file with {other}: a collection has questions or pairs, not both",
    "Put the pairs into a separate file; the rest was not read.",
)
SEVERAL_RIGHT = warning(
    "AVE417",
    "several-right",
    "question {q_id!r} already has an answer marked as right, expected one",
    "Mark one answer per question, unless the others are right too.",
)
NONE_RIGHT = warning(
    "AVE418",
    "none-right",
    "question {q_id!r} has no answer marked as right; counted as a question without a correct "
    "answer",
    "Mark the right answer, unless the question is meant to have none.",
)
GRADE_UNUSABLE = error(
    "AVE419",
    "grade-unusable",
    "grade is {found!r}, expected a whole number from 0 to 99",
    "Multiply or round grades that are no whole numbers; trec_eval does not read them, either. "
    "Answers of a collection need none.",
)
ANSWERED_WITHOUT_ANSWER = error(
    "AVE601",
    "answered-without-answer",
    "question {q_id!r} is answered YES but has no answer",
    'Give the answer, or write answered="NO".',
)
TWO_ANSWERS = error(
    "AVE602",
    "two-answers",
    "question {q_id!r} has a second answer",
    "Give one answer per question.",
)
ANSWER_NOT_OFFERED = error(
    "AVE603",
    "answer-not-offered",
    "question {q_id!r} has no answer {a_id!r}, only {expected}",
    "Ids are compared as strings: 1 and 01 differ.",
)
ANSWERED_TWICE = error(
    "AVE604",
    "answered-twice",
    "duplicate question {q_id!r}, first at line {first}",
    "Write one element per question.",
)
QUESTION_MISSING = error(
    "AVE605",
    "question-missing",
    "no element for question {q_id!r}",
    'Write <question answered="NO"/>, or score with --missing rejected.',
)
MISSING_AS_UNANSWERED = warning(
    "AVE606",
    "missing-as-unanswered",
    "no element for question {q_id!r}; read as unanswered",
    "Nothing to do: --missing rejected asks for this.",
)
QUESTION_EXCLUDED = warning(
    "AVE607",
    "question-excluded",
    "no element for question {q_id!r}; left out of the scores of this run",
    "Nothing to do: --missing excluded asks for this.",
)
NOT_JSON = error(
    "AVE801",
    "not-json",
    "not well-formed JSON: {problem}",
    "Correct the error, then check again: the rest was not read.",
)
JSON_KEY_REPEATED = error(
    "AVE802",
    "json-key-repeated",
    "duplicate key {found!r} in one object",
    "Merge the values under one key, or delete the wrong one.",
)
UNKNOWN_KEY = warning(
    "AVE803",
    "unknown-key",
    "{where} is unknown and was ignored{hint}",
    "Nothing to do if it is a note; docs/reference/formats.md lists what is read.",
)
CONTENT_UNUSABLE = error(
    "AVE804",
    "content-unusable",
    "{where} is {found}, expected {expected}",
    "Correct the value; docs/reference/formats.md shows a complete file.",
)
TOTAL_TOO_SMALL = error(
    "AVE805",
    "total-too-small",
    "the set lists {listed}, more than its total of {total}",
    "Correct the total, or put alternative wordings of an answer into one list.",
)
WORDING_REPEATED = error(
    "AVE806",
    "wording-repeated",
    "the wording {found!r} already names another answer of this set, at line {first}",
    "Merge the two answers, or give them different wordings.",
)
NUGGET_REPEATED = error(
    "AVE807",
    "nugget-repeated",
    "the question already has a nugget {nugget!r}, at line {first}",
    "Give every nugget of a question its own id.",
)
TYPE_CONTRADICTED = error(
    "AVE808",
    "type-contradicted",
    "{where} is of type {type} but has {found}",
    "Correct the type: definition questions have nuggets, the others sets of answers.",
)
NO_VITAL_NUGGET = warning(
    "AVE809",
    "no-vital-nugget",
    "question {q_id!r} has no vital nugget; its recall is undefined",
    "Nothing to do if that is intended; otherwise mark the vital nuggets.",
)
NOT_RESPONDED = warning(
    "AVE811",
    "question-without-response",
    "run {run!r} has no row for question {q_id!r}; read as NIL (no answer)",
    "Write a row with the answer NIL if the system decided that no answer exists.",
)
NUGGET_UNKNOWN = error(
    "AVE812",
    "nugget-unknown",
    "question {q_id!r} has no nugget {nugget!r}",
    "Ids are compared as strings: 1 and 01 differ; separate them with commas or spaces.",
)
NUGGETS_MISPLACED = error(
    "AVE813",
    "nuggets-misplaced",
    "nuggets are given for {found}",
    "Leave the field empty, or correct the id of the question.",
)
FACTOID_ANSWERED_TWICE = error(
    "AVE814",
    "factoid-answered-twice",
    "question {q_id!r} takes one answer, and run {run!r} gives one at line {first}",
    "Keep the row of the answer that counts.",
)
NIL_BESIDE_ANSWERS = error(
    "AVE815",
    "nil-beside-answers",
    "NIL says that question {q_id!r} has no answer, but run {run!r} has another row for it, at "
    "line {other}",
    "Keep NIL alone, or delete it.",
)
