"""Makes the decisions of an answer validation run that scores exactly as published.

Three counts are given: right selections, validated correct answers, validated incorrect
answers. A correct answer that is validated but not selected is either a second correct answer
beside the selected one, or loses to a wrong answer that is selected, which uses up one of the
incorrect ones. Where the remaining incorrect answers go is free, unless it was published how
many questions without a correct answer the run rejected: those get nothing, and the others of
them an incorrect answer or, if these do not suffice, an unknown one, which no score counts.
"""

from dataclasses import dataclass

from .chance import Chance, DeadEnd
from .collection import Answer, Collection, Question
from .figures import Target

SELECTED, VALIDATED, REJECTED = "SELECTED", "VALIDATED", "REJECTED"
# Confidences are counted in thousandths: lowest value and width of the range of each verdict.
ACCEPTED_CONFIDENCE = 480, 450
REJECTED_CONFIDENCE = 20, 540
CORRECT_BONUS = 60  # what a correct answer gets on top: runs know a little more than they decide
SELECTED_LEAD = 30
HIGHEST = 999


@dataclass(frozen=True, slots=True)
class Decision:
    """What a run says of one answer; confidence in thousandths."""

    answer: Answer
    verdict: str
    confidence: int


class _Draft:
    """Decisions in the making: the ids of accepted answers, and the answer to select."""

    def __init__(self, collection: Collection, target: Target, attempt: int) -> None:
        self.chance = Chance(collection.name, "run", target.run, attempt)
        self.target = target
        self.questions = collection.questions
        self.accepted: set[str] = set()
        self.selected: dict[str, Answer] = {}
        self.rejected: set[str] = set()  # ids of questions in which nothing may be accepted
        # What is hard for one run is often hard for another, hence half a draw for all runs.
        shared = Chance(collection.name, "difficulty")
        self.ease = {q.id: shared.below(1000) + self.chance.below(1000) for q in self.questions}

    def accept(self, answer: Answer, question: Question, *, select: bool = False) -> None:
        """Accept an answer, and select it if asked to or if it is the first one accepted."""
        self.accepted.add(answer.id)
        if select or question.id not in self.selected:
            self.selected[question.id] = answer


def decide(collection: Collection, target: Target, attempt: int) -> list[Decision]:
    """Return a legal decision for every answer, in the order of the collection."""
    draft = _Draft(collection, target, attempt)
    _select_right_answers(draft)
    left = target.validated_incorrect - _accept_correct_answers(draft)
    left -= _reject_questions(draft, left)
    _accept_incorrect_answers(draft, left)
    _accept_unknown_answers(draft, collection)
    return [decision for question in draft.questions for decision in _verdicts(draft, question)]


def draw_confidence(chance: Chance, *, accepted: bool, correct: bool) -> int:
    """Return how sure a run is that an answer is correct, in thousandths."""
    low, width = ACCEPTED_CONFIDENCE if accepted else REJECTED_CONFIDENCE
    return low + chance.below(width) + (CORRECT_BONUS if correct else 0)


def _labelled(question: Question, label: str) -> list[Answer]:
    return [answer for answer in question.answers if answer.label == label]


def _select_right_answers(draft: _Draft) -> None:
    """Select a correct answer in the easiest questions."""
    answerable = [question for question in draft.questions if question.answerable]
    answerable.sort(key=lambda question: -draft.ease[question.id])
    for question in answerable[: draft.target.selected_right]:
        draft.accept(draft.chance.pick(_labelled(question, "VALIDATED")), question, select=True)


def _accept_correct_answers(draft: _Draft) -> int:
    """Accept the other correct answers; return how many incorrect ones had to be selected."""
    missing = draft.target.validated_correct - draft.target.selected_right
    forced = 0
    candidates = [
        (question, answer)
        for question in draft.questions
        for answer in _labelled(question, "VALIDATED")
        if answer.id not in draft.accepted
    ]
    for question, answer in draft.chance.order(candidates):
        if not missing:
            break
        if question.id not in draft.selected:
            wrong = _labelled(question, "REJECTED")
            if not wrong or forced == draft.target.validated_incorrect:
                continue
            draft.accept(draft.chance.pick(wrong), question)
            forced += 1
        draft.accept(answer, question)
        missing -= 1
    if missing:
        raise DeadEnd("no room for all validated correct answers")
    return forced


def _reject_questions(draft: _Draft, most: int) -> int:
    """Reject questions without a correct answer, and answer the others of them.

    Return how many incorrect answers were accepted for that; ``most`` is how many there may be.
    """
    if draft.target.rejected_right is None:
        return 0
    hopeless = [question for question in draft.questions if not question.answerable]
    hopeless.sort(key=lambda question: -draft.ease[question.id])
    to_answer = len(hopeless) - draft.target.rejected_right
    lacking = max(0, to_answer - most)
    answered = [question for question in hopeless if _labelled(question, "UNKNOWN")][:lacking]
    by_unknown = {question.id for question in answered}
    answered += [q for q in hopeless if q.id not in by_unknown][: to_answer - len(answered)]
    draft.rejected = {question.id for question in hopeless} - {q.id for q in answered}
    spent = 0
    for question in answered:
        incorrect = [] if question.id in by_unknown else _labelled(question, "REJECTED")
        draft.accept(draft.chance.pick(incorrect or _labelled(question, "UNKNOWN")), question)
        spent += bool(incorrect)
    if spent > most:
        raise DeadEnd("not enough answers to validate for the questions that are not rejected")
    return spent


def _accept_incorrect_answers(draft: _Draft, count: int) -> None:
    """Accept incorrect answers anywhere; the first of a question without one is selected."""
    candidates = [
        (question, answer)
        for question in draft.questions
        if question.id not in draft.rejected
        for answer in _labelled(question, "REJECTED")
        if answer.id not in draft.accepted
    ]
    if len(candidates) < count:
        raise DeadEnd("not enough incorrect answers")
    for question, answer in draft.chance.order(candidates)[:count]:
        draft.accept(answer, question)


def _accept_unknown_answers(draft: _Draft, collection: Collection) -> None:
    """Accept as large a part of the unknown answers as of the others; no figure counts them."""
    facts = collection.published.facts
    rate = len(draft.accepted) / (facts.validated + facts.rejected)
    for question in draft.questions:
        for answer in _labelled(question, "UNKNOWN"):
            if question.id not in draft.rejected and draft.chance.happens(rate):
                draft.accept(answer, question)


def _verdicts(draft: _Draft, question: Question) -> list[Decision]:
    """Return the decisions of one question; the selected answer gets the highest confidence."""
    selected = draft.selected.get(question.id)
    decisions = []
    for answer in question.answers:
        accepted, correct = answer.id in draft.accepted, answer.label == "VALIDATED"
        verdict = VALIDATED if accepted else REJECTED
        confidence = draw_confidence(draft.chance, accepted=accepted, correct=correct)
        decisions.append(Decision(answer, verdict, confidence))
    if selected is None:
        return decisions
    lead = max(d.confidence for d in decisions) + 1 + draft.chance.below(SELECTED_LEAD)
    return [
        Decision(selected, SELECTED, min(lead, HIGHEST)) if d.answer is selected else d
        for d in decisions
    ]
