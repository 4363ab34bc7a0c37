"""AVE4xx: collections and keys."""

from __future__ import annotations

from ave_score.rules.rule import ERROR, WARNING, Rule

NOT_WELL_FORMED = Rule(
    "AVE401",
    "not-well-formed",
    ERROR,
    "not well-formed XML: {problem}",
    "Nothing behind this place was read.",
)
ENTITY_DECLARED = Rule(
    "AVE402",
    "entity-declared",
    ERROR,
    "the DTD declares the entity {name!r}; entity declarations are refused",
    "Write the text in place of the entity and delete the declaration.",
)
DUPLICATE_QUESTION = Rule(
    "AVE403",
    "duplicate-question",
    ERROR,
    "question {q_id!r} stands in the collection already",
    "Every question needs an id of its own.",
)
DUPLICATE_ANSWER = Rule(
    "AVE404",
    "duplicate-answer",
    ERROR,
    "question {q_id!r} has an answer {a_id!r} already",
    "Every answer of a question needs an id of its own.",
)
QUESTION_WITHOUT_ANSWERS = Rule(
    "AVE405",
    "question-without-answers",
    WARNING,
    "question {q_id!r} has no answers; it counts as a question without a correct one",
    "Leave the question out if systems were not asked about it.",
)
UNKNOWN_LABEL = Rule(
    "AVE406",
    "unknown-label",
    ERROR,
    "found {found!r}, expected one of {expected}{hint}",
    "Gold labels are written in capitals.",
)
UNLABELLED_ANSWER = Rule(
    "AVE407",
    "unlabelled-answer",
    ERROR,
    "answer {a_id!r} of question {q_id!r} has no gold label",
    "This looks like a test file: give its labels with --key FILE.",
)
ID_MISSING = Rule(
    "AVE408",
    "id-missing",
    ERROR,
    "<{tag}> has no id",
    'Write <q id="..."> and <a id="...">.',
)
ANSWER_OUTSIDE_QUESTION = Rule(
    "AVE409",
    "answer-outside-question",
    ERROR,
    "<a> stands outside any <q>, or inside another <a>",
    "Close the elements where they end.",
)
NO_QUESTIONS = Rule(
    "AVE410",
    "no-questions",
    ERROR,
    "found no <q id=...>, expected an AVE 2007/2008 collection",
    "A collection holds <q id><q_str/><a id value><a_str/><t_str/></a>...</q>.",
)
ID_UNUSABLE = Rule(
    "AVE411",
    "id-unusable",
    ERROR,
    "the id {found!r} is empty, begins with # or has blanks or control characters in it; "
    "no line of a run could name it",
    "Use ids of letters, digits and punctuation.",
)
QUESTION_IN_QUESTION = Rule(
    "AVE412",
    "question-in-question",
    ERROR,
    "<q> stands inside another <q>",
    "Close the elements where they end.",
)
TOO_DEEP = Rule(
    "AVE414",
    "too-deep",
    ERROR,
    "elements are nested deeper than {limit} levels, of which a collection needs 4",
    "Nothing behind this place was read.",
)
TOKEN_TOO_LONG = Rule(
    "AVE415",
    "token-too-long",
    ERROR,
    "a tag or comment is longer than {limit} MiB",
    "Nothing behind this place was read; look for a quote that is not closed.",
)
LABEL_CONFLICT = Rule(
    "AVE413",
    "label-conflict",
    ERROR,
    "the key says {found}, but the collection itself says {expected}",
    "Use a key only with a collection that has no labels, or the same ones.",
)
