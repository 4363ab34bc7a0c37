"""AVE6xx: what a system answered, in XML (QA4MRE, ResPubliQA)."""

from __future__ import annotations

from ave_score.kinds import FileKind
from ave_score.rules.rule import ERROR, WARNING, Rule, no_fix

_RIGHT = """\
<output run_id="run1">
<question q_id="1" answered="YES"><answer a_id="1_1"/></question>
<question q_id="2" answered="NO"/>
</output>
"""

ANSWERED_WITHOUT_ANSWER = Rule(
    "AVE601",
    "answered-without-answer",
    ERROR,
    "question {q_id!r} is answered YES, but no answer is given",
    'Give the answer, or write answered="NO".',
    explanation=(
        "An answer that is not there is neither right nor wrong, and a question that was left "
        "unanswered counts otherwise than one answered wrongly. Usual causes are a system that "
        "found nothing and says YES all the same, and an answer of another element name."
    ),
    example_of=FileKind.ANSWERS,
    wrong="""\
<output run_id="run1">
<question q_id="1" answered="YES"></question>
<question q_id="2" answered="NO"/>
</output>
""",
    right=_RIGHT,
    fix=no_fix("`ave-score fix` mends runs of lines only; what was answered, the author must say."),
)
TWO_ANSWERS = Rule(
    "AVE602",
    "two-answers",
    ERROR,
    "question {q_id!r} is given a second answer",
    "Give one answer to each question.",
    explanation=(
        "With several answers a question could count as answered rightly if any of them is, and a "
        "system would gain by giving all that are offered. The usual cause is a system that writes "
        "its whole ranking."
    ),
    example_of=FileKind.ANSWERS,
    wrong="""\
<output run_id="run1">
<question q_id="1" answered="YES"><answer a_id="1_1"/><answer a_id="1_2"/></question>
<question q_id="2" answered="NO"/>
</output>
""",
    right=_RIGHT,
    fix=no_fix(
        "`ave-score fix` mends runs of lines only; which one is meant, the author must say."
    ),
)
ANSWER_NOT_OFFERED = Rule(
    "AVE603",
    "answer-not-offered",
    ERROR,
    "question {q_id!r} offers no answer {a_id!r}, only {expected}",
    "Ids are compared as strings: 1 and 01 differ.",
    explanation=(
        "The question is in the collection, but among its answers there is none of this id, so "
        "nothing can tell whether it is right. Usual causes are answers counted from 0, and the "
        "answers of another question."
    ),
    example_of=FileKind.ANSWERS,
    wrong="""\
<output run_id="run1">
<question q_id="1" answered="YES"><answer a_id="1_3"/></question>
<question q_id="2" answered="NO"/>
</output>
""",
    right=_RIGHT,
    fix=no_fix(
        "`ave-score fix` mends runs of lines only; which one is meant, the author must say."
    ),
)
ANSWERED_TWICE = Rule(
    "AVE604",
    "answered-twice",
    ERROR,
    "question {q_id!r} stands in the file already, at line {first}",
    "Write one element for each question.",
    explanation=(
        "Two elements may say different things of one question, and the score would depend on "
        "which of them a program believes. Usual causes are files that were joined, and reading "
        "tests that lost their ids: question ids begin anew in each of them."
    ),
    example_of=FileKind.ANSWERS,
    wrong="""\
<output run_id="run1">
<question q_id="1" answered="YES"><answer a_id="1_1"/></question>
<question q_id="1" answered="NO"/>
<question q_id="2" answered="NO"/>
</output>
""",
    right=_RIGHT,
    fix=no_fix(
        "`ave-score fix` mends runs of lines only; which one is meant, the author must say."
    ),
)
QUESTION_MISSING = Rule(
    "AVE605",
    "question-missing",
    ERROR,
    "nothing is said of question {q_id!r}",
    'Write <question answered="NO"/>; score\'s --missing rejected takes it as unanswered.',
    explanation=(
        "All runs are scored on the same questions. Of one that is left out it cannot be told "
        "whether the system declined to answer or never came to it. Usual causes are a system that "
        "writes only what it answers, and one that stopped early."
    ),
    example_of=FileKind.ANSWERS,
    wrong="""\
<output run_id="run1">
<question q_id="1" answered="YES"><answer a_id="1_1"/></question>
</output>
""",
    right=_RIGHT,
    fix=no_fix("`ave-score fix` mends runs of lines only."),
)
MISSING_AS_UNANSWERED = Rule(
    "AVE606",
    "missing-as-unanswered",
    WARNING,
    "nothing is said of question {q_id!r}; taken as unanswered",
    "Nothing to do: this was asked for with --missing rejected.",
    explanation=(
        "The run is scored as if it had left the question unanswered, which c@1 rewards more than "
        "a wrong answer. The decision is not the system's own, so each such question is named, and "
        "the signature of the scores says missing:rejected."
    ),
    example_of=FileKind.ANSWERS,
    wrong="""\
<output run_id="run1">
<question q_id="1" answered="YES"><answer a_id="1_1"/></question>
</output>
""",
    right=_RIGHT,
    fix=no_fix("There is nothing to mend: the policy was asked for."),
)
