"""Recomputes every published figure, and every rule of the formats, from what was built.

The builder steers towards the figures; this module trusts nothing of that and counts again,
answer by answer. A difference stops the build.
"""

from collections import Counter
from collections.abc import Iterable
from fractions import Fraction
from itertools import combinations

from .collection import Collection, Question
from .decisions import REJECTED, SELECTED, VALIDATED, Decision
from .figures import half_up, percent, rounds_to, selection_fits, validation_scores
from .published import CollectionFacts

TEXT_LENGTHS = range(60, 251)


class Mismatch(Exception):
    """Something built does not say what was published, or breaks a rule."""


def require(holds: bool, message: str) -> None:
    """Stop the build unless this holds."""
    if not holds:
        raise Mismatch(message)


def verify_collection(collection: Collection) -> None:
    """Check the counts, the baselines, the QA systems and the texts of a collection."""
    facts, questions = collection.published.facts, collection.questions
    require(_counts(collection) == facts, f"{collection.name}: counts differ from the published")
    require(len({q.text for q in questions}) == len(questions), "a question is asked twice")
    for question in questions:
        _verify_question(question, systems=len(collection.published.systems))
    _verify_validation_baselines(collection)
    _verify_selection_baselines(collection)
    for place, row in enumerate(collection.published.systems):
        given = [question.given[place] for question in questions]
        right = sum(1 for answer in given if answer and answer.judgement == "R")
        require(selection_fits(Fraction(right), row, facts), f"{row.run}: wrong accuracy")


def verify_run(collection: Collection, run: str, decisions: list[Decision]) -> None:
    """Check that a run is complete, legal, and scores as published."""
    published = collection.published
    answers = [answer for question in collection.questions for answer in question.answers]
    require([d.answer for d in decisions] == answers, f"{run}: not every answer in order")
    for question in collection.questions:
        _verify_legal(run, [d for d in decisions if d.answer in question.answers])
    accepted = Counter(d.answer.label for d in decisions if d.verdict != REJECTED)
    correct, incorrect = Fraction(accepted["VALIDATED"]), Fraction(accepted["REJECTED"])
    _verify_scores(collection, run, correct, incorrect)
    right = sum(1 for d in decisions if d.verdict == SELECTED and d.answer.label == "VALIDATED")
    row = published.selection_row(run)
    require(selection_fits(Fraction(right), row, published.facts), f"{run}: wrong selection")


def _counts(collection: Collection) -> CollectionFacts:
    facts, questions = collection.published.facts, collection.questions
    labels = Counter(answer.label for question in questions for answer in question.answers)
    return CollectionFacts(
        edition=facts.edition,
        lang=facts.lang,
        questions=len(questions),
        answers=labels.total(),
        validated=labels["VALIDATED"],
        rejected=labels["REJECTED"],
        unknown=labels["UNKNOWN"],
        questions_with_correct=sum(1 for question in questions if question.answerable),
    )


def _verify_question(question: Question, systems: int) -> None:
    labels = {answer.label for answer in question.answers}
    require(bool(labels), f"{question.id} has no answers")
    require(not {"VALIDATED", "UNKNOWN"} <= labels, f"{question.id}: unknown beside correct")
    require(len(question.given) == systems, f"{question.id}: a system has no row")
    sources = {answer.id for answer in question.given if answer}
    require(sources == {a.id for a in question.answers}, f"{question.id}: answer without source")
    for one, other in combinations([a.answer.casefold() for a in question.answers], 2):
        require(one not in other and other not in one, f"{question.id}: {one!r} and {other!r}")
    for answer in question.answers:
        where = f"{answer.id}: {answer.text!r}"
        require(len(answer.text) in TEXT_LENGTHS, f"{where} has a bad length")
        shown = answer.answer in answer.text
        require(shown == (answer.judgement != "U"), f"{where} and {answer.answer!r}")


def _verify_validation_baselines(collection: Collection) -> None:
    facts = collection.published.facts
    for name, share in (("100% VALIDATED", Fraction(1)), ("50% VALIDATED", Fraction(1, 2))):
        _verify_scores(collection, name, facts.validated * share, facts.rejected * share)


def _verify_scores(collection: Collection, run: str, correct: Fraction, wrong: Fraction) -> None:
    row = collection.published.validation_row(run)
    scores = validation_scores(correct, wrong, collection.published.facts.validated)
    printed = [row.f1, row.precision, row.recall]
    shown = [str(float(half_up(score))) for score in scores]
    require(all(map(rounds_to, scores, printed)), f"{run}: {shown} for the printed {printed}")


def _verify_selection_baselines(collection: Collection) -> None:
    published, facts = collection.published, collection.published.facts
    shares = [
        Fraction(sum(1 for a in q.answers if a.label == "VALIDATED"), len(q.answers))
        for q in collection.questions
    ]
    perfect = Fraction(sum(1 for share in shares if share))
    for name, right in (("Perfect selection", perfect), ("Random", sum(shares, Fraction(0)))):
        fits = selection_fits(right, published.selection_row(name), facts)
        per_cent = float(percent(right, facts.questions_with_correct))
        require(fits, f"{collection.name}: {name} comes out at {per_cent} %")


def _verify_legal(run: str, decisions: Iterable[Decision]) -> None:
    """At most one SELECTED a question, exactly one if anything is VALIDATED, and it leads."""
    ranked = sorted(decisions, key=lambda d: -d.confidence)
    verdicts = Counter(d.verdict for d in ranked)
    where = f"{run}, {ranked[0].answer.id}"
    require(verdicts[SELECTED] <= 1, f"{where}: two answers selected")
    require(verdicts[SELECTED] == 1 or not verdicts[VALIDATED], f"{where}: none selected")
    leads = ranked[0].verdict == SELECTED or not verdicts[SELECTED]
    require(leads, f"{where}: the selected answer is not the surest")
