"""Recomputes every published figure, and every rule of the formats, from what was built.

The builder steers towards the figures; this module trusts nothing of that and counts again,
answer by answer. A difference stops the build.
"""

from collections import Counter
from collections.abc import Iterable
from fractions import Fraction
from itertools import combinations, islice

from .answering import Response
from .collection import Collection, Question
from .decisions import REJECTED, SELECTED, VALIDATED, Decision
from .figures import half_up, percent, rounds_to, selection_fits, validation_scores
from .pair_runs import PairDecision
from .pairs import NO, UNKNOWN, YES, PairCollection
from .published import Answering, CollectionSummary, Published

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
        _verify_question(question, collection.published)
    if collection.published.runs:
        _verify_validation_baselines(collection.published)
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
    rest = iter(decisions)
    for question in collection.questions:
        _verify_legal(run, list(islice(rest, len(question.answers))))
    accepted = Counter(d.answer.label for d in decisions if d.verdict != REJECTED)
    correct, incorrect = Fraction(accepted["VALIDATED"]), Fraction(accepted["REJECTED"])
    _verify_scores(published, run, correct, incorrect)
    selected = {d.answer.id for d in decisions if d.verdict == SELECTED}
    right = sum(1 for a in answers if a.id in selected and a.label == "VALIDATED")
    rejected = sum(
        1
        for question in collection.questions
        if not question.answerable and selected.isdisjoint(a.id for a in question.answers)
    )
    fits = selection_fits(Fraction(right), published.selection_row(run), published.facts, rejected)
    require(fits, f"{run}: {right} selected and {rejected} rejected rightly")


def verify_pairs(collection: PairCollection) -> None:
    """Check the counts, the baselines and the texts of a collection of pairs."""
    pairs, facts = collection.pairs, collection.published.facts
    values = Counter(pair.value for pair in pairs)
    counted = values.total(), values[YES], values[NO], values[UNKNOWN]
    printed = facts.answers, facts.validated, facts.rejected, facts.unknown
    require(counted == printed, f"{collection.published.facts.name}: {counted} for {printed}")
    _verify_validation_baselines(collection.published)
    ids = [str(number) for number in range(1, len(pairs) + 1)]
    require([pair.id for pair in pairs] == ids, f"{facts.name}: pairs are not numbered 1 to n")
    different = {(pair.question, pair.text, pair.hypothesis) for pair in pairs}
    require(len(different) == len(pairs), f"{facts.name}: a pair comes twice")
    for pair in pairs:
        where = f"{facts.name}, {pair.id}: {pair.text!r}"
        require(len(pair.text) in TEXT_LENGTHS, f"{where} has a bad length")
        require(pair.hypothesis not in pair.text, f"{where} has the hypothesis word by word")


def verify_pair_run(collection: PairCollection, run: str, decisions: list[PairDecision]) -> None:
    """Check that a run of pairs is complete and scores as published."""
    require([d.pair for d in decisions] == list(collection.pairs), f"{run}: not every pair")
    accepted = Counter(d.pair.value for d in decisions if d.verdict == YES)
    correct, incorrect = Fraction(accepted[YES]), Fraction(accepted[NO])
    _verify_scores(collection.published, run, correct, incorrect)


def verify_answering(answering: Answering, responses: list[list[Response]]) -> None:
    """Check the counts and scores of runs that leave questions unanswered."""
    for row, given in zip(answering.rows, responses, strict=True):
        where = f"{answering.name}, {row.run}"
        require(len({r.q_id for r in given}) == answering.questions, f"{where}: questions")
        counted = Counter((r.answered, r.judgement) for r in given)
        right, wrong = counted[True, "R"], counted[True, "W"]
        require((right, wrong) == (row.correct, row.incorrect), f"{where}: answered questions")
        withheld = counted[False, "R"], counted[False, "W"]
        require(withheld == (row.candidates or (0, 0)), f"{where}: withheld answers")
        require(counted.total() - right - wrong == row.unanswered, f"{where}: unanswered")
        blank = all((r.passage is None) == (r.judgement == "U") for r in given)
        require(blank, f"{where}: an answer is missing, or there is one too many")
        n = answering.questions
        c_at_1 = Fraction(right, n) * (1 + Fraction(row.unanswered, n))
        require(rounds_to(c_at_1, row.c_at_1), f"{where}: c@1 is {float(c_at_1)}")
        accuracy = Fraction(right + withheld[0], n)
        fits = not row.accuracy or rounds_to(accuracy, row.accuracy)
        require(fits, f"{where}: accuracy is {float(accuracy)}")


def _counts(collection: Collection) -> CollectionSummary:
    facts, questions = collection.published.facts, collection.questions
    labels = Counter(answer.label for question in questions for answer in question.answers)
    return CollectionSummary(
        edition=facts.edition,
        lang=facts.lang,
        questions=len(questions),
        answers=labels.total(),
        validated=labels["VALIDATED"],
        rejected=labels["REJECTED"],
        unknown=labels["UNKNOWN"],
        # Where the number was not printed, any will do.
        questions_with_correct=facts.questions_with_correct
        and sum(1 for question in questions if question.answerable),
        percent_of_available=facts.percent_of_available,
    )


def _verify_question(question: Question, published: Published) -> None:
    labels = {answer.label for answer in question.answers}
    require(bool(labels), f"{question.id} has no answers")
    require(not {"VALIDATED", "UNKNOWN"} <= labels, f"{question.id}: unknown beside correct")
    rows = len(question.given)
    require(rows == len(published.systems), f"{question.id}: a system has no row")
    sources, ids = {a.id for a in question.given if a}, {a.id for a in question.answers}
    require(sources <= ids, f"{question.id}: a system gave no answer of the collection")
    if published.edition.sourced:
        require(sources == ids, f"{question.id}: answer without source")
    for one, other in combinations([a.answer.casefold() for a in question.answers], 2):
        require(one not in other and other not in one, f"{question.id}: {one!r} and {other!r}")
    for answer in question.answers:
        where = f"{answer.id}: {answer.text!r}"
        require(len(answer.text) in TEXT_LENGTHS, f"{where} has a bad length")
        shown = answer.answer in answer.text
        require(shown == (answer.judgement != "U"), f"{where} and {answer.answer!r}")


def _verify_validation_baselines(published: Published) -> None:
    facts = published.facts
    for name, share in (("100% VALIDATED", Fraction(1)), ("50% VALIDATED", Fraction(1, 2))):
        _verify_scores(published, name, facts.validated * share, facts.rejected * share)


def _verify_scores(published: Published, run: str, correct: Fraction, wrong: Fraction) -> None:
    row = published.validation_row(run)
    scores = validation_scores(correct, wrong, published.facts.validated)
    printed = [row.f1, row.precision, row.recall]
    shown = [str(float(half_up(score))) for score in scores]
    require(all(map(rounds_to, scores, printed)), f"{run}: {shown} for the printed {printed}")


def _verify_selection_baselines(collection: Collection) -> None:
    published, facts = collection.published, collection.published.facts
    shares = [
        Fraction(sum(1 for a in q.answers if a.label == "VALIDATED"), len(q.answers))
        for q in collection.questions
    ]
    perfect, hopeless = Fraction(sum(1 for share in shares if share)), shares.count(Fraction(0))
    baselines = (
        ("Perfect selection", perfect, hopeless),
        ("Random", sum(shares, Fraction(0)), 0),
    )
    for name, right, rejected in baselines:
        fits = selection_fits(right, published.selection_row(name), facts, rejected)
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
