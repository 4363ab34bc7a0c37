"""From the answers of a system to a run that can be scored: question by question, by the gold."""

from __future__ import annotations

from ave_score import rules
from ave_score.files.answers import Given, read_answers
from ave_score.files.contents import Contents, Examined, examined
from ave_score.files.source import Source
from ave_score.findings import HINTS, Findings
from ave_score.model import Collection, JudgedAnswer, JudgedRun, Label, Roster, Run
from ave_score.policies import CAMPAIGNS, Policies
from ave_score.text import did_you_mean, nearest


def check_answers(
    source: Source,
    collection: Collection | None,
    campaign: str,
    missing: str = "error",
    name: str | None = None,
) -> tuple[JudgedRun | None, list[Findings]]:
    """Read what a system answered; return it judged by the labels, with the findings.

    The run is None where a finding forbids scoring. `missing` is a choice of `Policies.missing`: a
    question that the run does not mention is a finding, or (`rejected`) unanswered. Without a
    collection nothing is judged, and only what can be known without it is checked.
    """
    Policies.missing.check(missing)
    Policies.campaign.check(campaign)
    findings = Findings(source.path)
    first = _first_of_each(read_answers(source, findings), findings)
    if collection is None:
        findings.skip("questions and answers against a collection: none was given")
    else:
        for given in first.values():
            _check_ids(given, collection.roster, findings)
        if not collection.roster.question_number.keys().isdisjoint(first):
            _settle_missing(first, collection.roster, missing, findings)
    if findings.errors:
        return None, [findings]
    answers = [_judged(given, collection, campaign) for given in first.values()]
    roster = None if collection is None else collection.roster
    run = JudgedRun(name or source.name, source.path, answers, campaign, missing, roster)
    return run, [findings]


def _first_of_each(given: list[Given], findings: Findings) -> dict[str, Given]:
    """Return what is said first of each question, and report what contradicts itself."""
    first: dict[str, Given] = {}
    for one in given:
        if one.answered and one.a_id is None:
            findings.add(rules.ANSWERED_WITHOUT_ANSWER, one.line, one.column, q_id=one.q_id)
        before = first.setdefault(one.q_id, one)
        if before is not one:
            findings.add(
                rules.ANSWERED_TWICE, one.line, one.column, q_id=one.q_id, first=before.line
            )
    return first


def _check_ids(given: Given, roster: Roster, findings: Findings) -> None:
    """Report a question that there is not, and an answer that it does not offer."""
    place = given.line, given.column
    number = roster.question_number.get(given.q_id)
    if number is None:
        hint = ""
        if findings.counts[rules.UNKNOWN_QUESTION] < HINTS:
            hint = _meant(given.q_id, roster.questions)
        findings.add(rules.UNKNOWN_QUESTION, *place, q_id=given.q_id, hint=hint)
    elif given.a_id and (given.q_id, given.a_id) not in roster.position:
        offered = ", ".join(roster.a_ids[roster.spans[number]]) or "none at all"
        facts = {"q_id": given.q_id, "a_id": given.a_id, "expected": offered}
        findings.add(rules.ANSWER_NOT_OFFERED, *place, **facts)


def _meant(q_id: str, questions: list[str]) -> str:
    """Return as the end of a message what may have been meant by a question that there is not."""
    if questions and q_id.count("/") < questions[0].count("/"):  # stands in no topic, or test
        return f"; questions are called topic/test/question here, e.g. {questions[0]}"
    return did_you_mean(nearest(q_id, questions))


def _settle_missing(
    first: dict[str, Given], roster: Roster, missing: str, findings: Findings
) -> None:
    """Report every question that is not mentioned; under the policy `rejected`, leave it open."""
    rule = rules.QUESTION_MISSING if missing == "error" else rules.MISSING_AS_UNANSWERED
    for q_id in roster.questions:
        if q_id not in first:
            findings.add(rule, q_id=q_id)
            first[q_id] = Given(0, 0, q_id, None, answered=False)


def _judged(given: Given, collection: Collection | None, campaign: str) -> JudgedAnswer:
    """Return the answer with the campaign's letter for its label; "" where nobody judged it."""
    letter = ""
    if collection is not None and given.a_id:
        label = collection.labels[collection.roster.position[given.q_id, given.a_id]]
        letter = CAMPAIGNS[campaign].letter_of(Label(label))
    answered = bool(given.answered)
    return JudgedAnswer(given.line, given.q_id, letter, given.a_id or "", answered=answered)


def examine(source: Source, collection: Collection | None, campaign: str) -> Examined:
    """Check the answers of a system, perhaps against a collection."""
    return examined(check_answers(source, collection, campaign), _contents)


def submitted(
    source: Source, collection: Collection, campaign: str, missing: str, name: str | None
) -> tuple[list[Run | JudgedRun] | None, list[Findings]]:
    """Read the answers of a system, to be scored."""
    run, found = check_answers(source, collection, campaign, missing, name)
    return (None if run is None else [run]), found


def _contents(run: JudgedRun) -> Contents:
    answered = sum(answer.answered is True for answer in run.answers)
    questions = len(run.answers)
    return {"questions": questions, "answered": answered, "unanswered": questions - answered}
