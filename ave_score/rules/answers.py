"""AVE6xx: answers of a system in XML (QA4MRE, ResPubliQA)."""

from __future__ import annotations

from ave_score.kinds import FileKind
from ave_score.rules.rule import ERROR, WARNING, Rule, no_fix, only_runs

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
    "question {q_id!r} is answered YES but has no answer",
    'Give the answer, or write answered="NO".',
    explanation=(
        "An answer that is missing is neither right nor wrong, and a question left unanswered "
        "counts differently from one answered wrongly. Usual causes: a system that found nothing "
        "but still writes YES, or an answer element with another name."
    ),
    example_of=FileKind.ANSWERS,
    wrong=_RIGHT.replace('<answer a_id="1_1"/>', ""),
    right=_RIGHT,
    fix=only_runs("only the author knows what was answered."),
)
TWO_ANSWERS = Rule(
    "AVE602",
    "two-answers",
    ERROR,
    "question {q_id!r} has a second answer",
    "Give one answer per question.",
    explanation=(
        "With several answers, a question could count as answered correctly if any of them is, and "
        "a system would gain by giving every answer on offer. Usual cause: a system that writes "
        "its whole ranking."
    ),
    example_of=FileKind.ANSWERS,
    wrong=_RIGHT.replace("</question>", '<answer a_id="1_2"/></question>'),
    right=_RIGHT,
    fix=only_runs("only the author knows which answer is meant."),
)
ANSWER_NOT_OFFERED = Rule(
    "AVE603",
    "answer-not-offered",
    ERROR,
    "question {q_id!r} has no answer {a_id!r}, only {expected}",
    "Ids are compared as strings: 1 and 01 differ.",
    explanation=(
        "The question is in the collection but has no answer with this id, so it is unknown "
        "whether it is right. Usual causes: answers numbered from 0, or the answers of another "
        "question."
    ),
    example_of=FileKind.ANSWERS,
    wrong=_RIGHT.replace('a_id="1_1"', 'a_id="1_3"'),
    right=_RIGHT,
    fix=only_runs("only the author knows which answer is meant."),
)
ANSWERED_TWICE = Rule(
    "AVE604",
    "answered-twice",
    ERROR,
    "duplicate question {q_id!r}, first at line {first}",
    "Write one element per question.",
    explanation=(
        "Two elements may contradict each other about one question, and the score would depend on "
        "which one a program uses. Usual causes: files that were joined, or reading tests that "
        "lost their ids: question ids start again in each test."
    ),
    example_of=FileKind.ANSWERS,
    wrong=_RIGHT.replace(
        '<question q_id="2"', '<question q_id="1" answered="NO"/>\n<question q_id="2"'
    ),
    right=_RIGHT,
    fix=only_runs("only the author knows which element is meant."),
)
QUESTION_MISSING = Rule(
    "AVE605",
    "question-missing",
    ERROR,
    "no element for question {q_id!r}",
    'Write <question answered="NO"/>, or score with --missing rejected.',
    explanation=(
        "All runs are scored on the same questions. The system may have left a missing question "
        "unanswered or never processed it. Usual causes: a system that writes only what it "
        "answers, or one that stopped early."
    ),
    example_of=FileKind.ANSWERS,
    wrong=_RIGHT.replace('<question q_id="2" answered="NO"/>\n', ""),
    right=_RIGHT,
    fix=only_runs("the author has to add the question."),
)
MISSING_AS_UNANSWERED = Rule(
    "AVE606",
    "missing-as-unanswered",
    WARNING,
    "no element for question {q_id!r}; read as unanswered",
    "Nothing to do: --missing rejected asks for this.",
    explanation=(
        "The run is scored as if it had left the question unanswered, which c@1 rewards more than "
        "a wrong answer. The decision is not the system's own, so each such question is listed, "
        "and the signature of the scores says missing:rejected."
    ),
    example_of=FileKind.ANSWERS,
    wrong=_RIGHT.replace('<question q_id="2" answered="NO"/>\n', ""),
    right=_RIGHT,
    fix=no_fix("There is nothing to fix: --missing rejected asks for this."),
)
