"""Runs of QA4MRE and ResPubliQA: a system's answer to each question, in XML.

`<output run_id><topic t_id><reading-test r_id><question q_id answered="YES"><answer a_id/>
</question>`; topics and reading tests are optional. An unanswered question may contain the
withheld answer.
"""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

from ave_score import rules
from ave_score.core.choices import MISSING_CHOICES
from ave_score.core.errors import for_one_file
from ave_score.core.findings import HINTS, Findings
from ave_score.core.judgements import LETTERS
from ave_score.core.labels import ANSWERED
from ave_score.core.model import AnswerIndex, Collection, JudgedAnswer, Label, QARun
from ave_score.core.policies import Policies
from ave_score.core.text import did_you_mean, nearest
from ave_score.files.contents import Checking, Contents
from ave_score.files.source import Source
from ave_score.files.whereabouts import Whereabouts
from ave_score.files.xml import Attributes, ElementReader, read_xml, stripped

_EXPECTED = "the answers of a system (XML)"


class SystemAnswer(NamedTuple):
    """A system's answer to a question, with its position.

    `a_id` is None if there is no answer; `answered` is None if the attribute is unreadable.
    """

    line: int
    column: int
    q_id: str
    a_id: str | None
    answered: bool | None


def read_answers(source: Source, findings: Findings) -> list[SystemAnswer]:
    """Read the questions of a run in file order, without a collection."""
    if all(chunk.isspace() for chunk in source.chunks()):
        findings.add(rules.EMPTY_FILE, expected="questions in it")
        return []
    reader = read_xml(source, _AnswersReader(findings))
    if reader is None:
        return []
    if not reader.answers and not findings.errors:
        findings.add(rules.EMPTY_FILE, expected="questions in it")
    return reader.answers


class _AnswersReader(ElementReader):
    """Reads the elements of a run."""

    def __init__(self, findings: Findings) -> None:
        super().__init__(findings)
        self.answers: list[SystemAnswer] = []
        where = self._where = Whereabouts(self)
        self._open: SystemAnswer | None = None
        self._a_ids: list[str] = []  # of the open question
        self.handle(
            {
                "topic": partial(where.start, "topic", "t_id"),
                "reading-test": partial(where.start, "reading-test", "r_id"),
                "question": self._start_question,
                "answer": self._start_answer,
            },
            {**where.enders, "question": self._end_question},
        )

    def start_root(self, name: str, _attributes: Attributes) -> None:
        """Refuse a file of another kind."""
        if name != "output":
            facts = {"found": f"<{name}>", "expected": _EXPECTED, "hint": ""}
            self.refuse(rules.OTHER_FORMAT, **facts)

    def _end_question(self) -> None:
        if self._open is not None:
            a_id = self._a_ids[0] if self._a_ids else None
            self.answers.append(self._open._replace(a_id=a_id))
            self._open = None

    def _start_question(self, attributes: Attributes) -> None:
        if self._open is not None:
            self.report(rules.QUESTION_IN_QUESTION, tag="question")
            self._end_question()
        values = stripped(attributes)
        q_id = self._where.question_id(self.checked_id("question", "q_id", values))
        word = values.get("answered", "")
        if word.upper() not in ANSWERED:
            self.report(rules.ANSWERED_UNKNOWN, field="answered", found=word)
        self._open = SystemAnswer(*self.position(), q_id, None, ANSWERED.get(word.upper()))
        self._a_ids = []

    def _start_answer(self, attributes: Attributes) -> None:
        if self._open is None:
            self.report(rules.ANSWER_OUTSIDE_QUESTION, tag="answer", question="question")
            return
        self._a_ids.append(self.checked_id("answer", "a_id", stripped(attributes)))
        if len(self._a_ids) == 2:
            self.report(rules.TWO_ANSWERS, q_id=self._open.q_id)


@for_one_file
def check_answers(
    source: Source,
    collection: Collection | None,
    letters: str,
    missing: str = "error",
    name: str | None = None,
) -> tuple[QARun | None, list[Findings]]:
    """Read a system's answers; return them judged by the gold labels, with the findings.

    The run is None if a finding prevents scoring. `missing` is a choice of `Policies.missing`: a
    missing question is a finding, or unanswered, or left out. Without a
    collection the answers are not judged, and checks that need one are skipped.
    """
    Policies.missing.check(missing)
    Policies.letters.check(letters)
    findings = Findings(source.path)
    answers = read_answers(source, findings)
    first = _first_of_each(answers, findings)
    if collection is None:
        findings.skip("questions and answers against a collection: none was given")
    else:
        for answer in first.values():
            _check_ids(answer, collection.index, findings)
        if not collection.index.question_number.keys().isdisjoint(first):
            _settle_missing(first, collection.index, missing, findings)
    if findings.errors:
        return None, [findings]
    judged = [_judged(answer, collection, letters) for answer in first.values()]
    index = None if collection is None else collection.index
    run = QARun(name or source.name, source.path, judged, letters, missing, index)
    return run, [findings]


def _first_of_each(answers: list[SystemAnswer], findings: Findings) -> dict[str, SystemAnswer]:
    """Return the first answer to each question; report repeated and contradictory ones."""
    first: dict[str, SystemAnswer] = {}
    for answer in answers:
        q_id, position = answer.q_id, (answer.line, answer.column)
        if answer.answered and answer.a_id is None:
            findings.add(rules.ANSWERED_WITHOUT_ANSWER, *position, q_id=q_id)
        before = first.setdefault(q_id, answer)
        if before is not answer:
            findings.add(rules.ANSWERED_TWICE, *position, q_id=q_id, first=before.line)
    return first


def _check_ids(answer: SystemAnswer, index: AnswerIndex, findings: Findings) -> None:
    """Report an unknown question, or an answer that is not a candidate of the question."""
    position = answer.line, answer.column
    number = index.question_number.get(answer.q_id)
    if number is None:
        hint = ""
        if findings.counts[rules.UNKNOWN_QUESTION] < HINTS:
            hint = _meant(answer.q_id, index.questions)
        findings.add(rules.UNKNOWN_QUESTION, *position, q_id=answer.q_id, hint=hint)
    elif answer.a_id and (answer.q_id, answer.a_id) not in index.position:
        offered = ", ".join(index.a_ids[index.spans[number]]) or "none"
        facts = {"q_id": answer.q_id, "a_id": answer.a_id, "expected": offered}
        findings.add(rules.ANSWER_NOT_OFFERED, *position, **facts)


def _meant(q_id: str, questions: list[str]) -> str:
    """Return a suggestion for an unknown question, as the end of a message."""
    if questions and q_id.count("/") < questions[0].count("/"):  # without topic or test
        return f"; question ids have the form topic/test/question, e.g. {questions[0]}"
    return did_you_mean(nearest(q_id, questions))


def _settle_missing(
    first: dict[str, SystemAnswer], index: AnswerIndex, missing: str, findings: Findings
) -> None:
    """Report every missing question; if the policy gives a verdict, count it as unanswered."""
    choice = MISSING_CHOICES[missing]
    for q_id in index.questions:
        if q_id not in first:
            findings.add(choice.of_question, q_id=q_id)
            if choice.verdict:
                first[q_id] = SystemAnswer(0, 0, q_id, None, answered=False)


def _judged(answer: SystemAnswer, collection: Collection | None, letters: str) -> JudgedAnswer:
    """Return the answer with the campaign's letter for its label; "" if it is not judged."""
    letter = ""
    if collection is not None and answer.a_id:
        label = collection.labels[collection.index.position[answer.q_id, answer.a_id]]
        letter = LETTERS[letters].letter_of(Label(label))
    answered = bool(answer.answered)
    return JudgedAnswer(answer.line, answer.q_id, letter, answer.a_id or "", answered=answered)


def examine(
    source: Source, collection: Collection | None, letters: str, missing: str, name: str | None
) -> Checking:
    """Check a system's answers, optionally against a collection."""
    return check_answers(source, collection, letters, missing, name)


def contents(run: QARun) -> Contents:
    """Describe a run in numbers."""
    answered = sum(answer.answered is True for answer in run.answers)
    questions = len(run.answers)
    return {"questions": questions, "answered": answered, "unanswered": questions - answered}
