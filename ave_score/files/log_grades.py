"""What the scorers of a log say of answers: right, wrong, withheld or unjudged, and a number."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import NamedTuple

from ave_score import rules
from ave_score.core.choice import Choice
from ave_score.core.errors import InputError, UsageError, for_one_file
from ave_score.core.findings import Findings
from ave_score.core.labels import JUDGED, RIGHT, UNJUDGED, WITHHELD, WRONG
from ave_score.core.text import brief, visible
from ave_score.files.json import Number, described
from ave_score.files.log import LogAnswer, LogHead
from ave_score.files.log_roles import reader_of, score
from ave_score.files.naming import Naming
from ave_score.files.sniff import has_systems
from ave_score.files.source import Source

_WORDS = {
    **dict.fromkeys(("c", "true", "yes", "1", "correct", RIGHT), RIGHT),
    **dict.fromkeys(("i", "false", "no", "0", "incorrect", WRONG), WRONG),
    **dict.fromkeys(("n", "not_attempted", WITHHELD), WITHHELD),
    **dict.fromkeys(("p", "nan", "null", UNJUDGED), UNJUDGED),
}
"""Value of a scorer, in lower case -> what it says."""

_NO_FORMAT = "invalid_response_format"
"""Why Inspect gives N to an answer that was not withheld."""

_REMARKS = {
    "edited": "with edited scores",
    _NO_FORMAT: f"with N for {_NO_FORMAT}, counted as wrong",
    "p": "partly correct (P), not right unless --log right-from=T says so",
    "": "not judged, which Inspect leaves out, and not right unless --unknown says so",
}


class Grade(NamedTuple):
    """What a scorer says of an answer, with its number, if any, and what is remarked about it."""

    word: str
    score: float | None
    remarks: Sequence[str] = ()


@dataclass(eq=False)
class SystemLog:
    """A log, read: the answers of a system to the questions of a task.

    Attributes
    ----------
    name
        The name of its system.
    source, findings, head
        The file, its findings, and what it says about itself.
    answers
        The answers of the chosen filter; before it is chosen those of all.
    scorer, others
        The scorer that says whether an answer is correct, and those that do so, too.
    grader
        The scorer by which it is read, if it is read by several.
    reports
        Whether values that say nothing are reported.
    number
        A number of the scorer that is not right or wrong, as none of its numbers then is; "" if
        there is none.
    """

    name: str
    source: Source
    findings: Findings
    head: LogHead
    answers: list[LogAnswer]
    scorer: str = ""
    others: Sequence[str] = ()
    grader: str = ""
    reports: bool = True
    number: str = ""

    @property
    def expected(self) -> int:
        """The number of answers that it should have."""
        return max(len({*self.head.questions}) * self.head.replicates, len(self.answers))

    @property
    def given(self) -> dict[tuple[str, str, str], dict[str, object]]:
        """The values of scorers for each answer, by its filter, question and number."""
        return {
            (answer.filter, answer.text("q_id"), answer.text("number")): {
                name: scored.value for name, scored in answer.scores.items()
            }
            for answer in self.answers
        }

    def is_regraded(self, other: SystemLog) -> bool:
        """Tell whether another log has the same answers, some with other values of scorers."""
        given, others = self.given, other.given
        return given.keys() == others.keys() and given != others

    @property
    def scorers(self) -> list[str]:
        """The names of its scorers."""
        return [*dict.fromkeys(name for answer in self.answers for name in answer.scores)]

    @property
    def filters(self) -> list[str]:
        """The names of its filters."""
        return [*dict.fromkeys(answer.filter for answer in self.answers)]

    @property
    def attributes(self) -> list[str]:
        """The names of its attributes; not the one with the longest texts, if it has documents."""
        sizes: dict[str, int] = {}
        for answer in self.answers:
            for name, value in answer.attributes.items():
                sizes[name] = sizes.get(name, 0) + len(value)
        if self.head.program.startswith("lm_eval") and sizes:
            del sizes[max(sizes, key=sizes.__getitem__)]
        return [*sizes]

    def values(self, scorer: str) -> list[object]:
        """Return what a scorer gives."""
        return [answer.scores[scorer].value for answer in self.answers if scorer in answer.scores]

    def grades(self, scorer: str) -> bool:
        """Tell whether a scorer says whether answers are correct, and no other numbers."""
        words = words_of(self.source.naming)
        return all(_word(value) in words for value in self.values(scorer))

    def grade(self, answer: LogAnswer, right_from: float | None, judge: str = "") -> Grade:
        """Return what the scorer, or a judge, says of an answer; report a value without sense."""
        given = answer.scores[judge or self.scorer]
        word, value = _word(given.value), score(given.value)
        meant = words_of(self.source.naming).get(word)
        number = float(value) if isinstance(value, Number) else None
        remarks = ["edited"] * (self.scorer in answer.edited)
        if number is None and meant in (RIGHT, WRONG, WITHHELD):
            number = float(meant == RIGHT)
        if meant == WITHHELD and answer.reasons.get(self.scorer) == _NO_FORMAT:
            meant, remarks = WRONG, [*remarks, _NO_FORMAT]
        elif right_from is not None and number is not None and meant != WITHHELD:
            meant = RIGHT if number >= right_from else WRONG
        elif self.number and number is not None and not judge:
            meant = UNJUDGED
        elif meant == UNJUDGED:
            remarks.append("p" if word == "p" else "")
        if self.reports and (meant is None or (number is not None and not isfinite(number))):
            expected = "C, I, P or N, true or false, 0 or 1; --values good=right names words"
            facts = {"found": described(given.value), "expected": expected}
            answer.entry.add(given.path, rules.CORRECT_UNKNOWN, **facts)
        return Grade(meant or UNJUDGED, number, [_REMARKS[remark] for remark in remarks])


def words_of(naming: Naming) -> Mapping[str, str]:
    """Return value of a scorer -> what it says, with the words that a user names."""
    named = {word.casefold(): value for word, value in naming.values.items() if value in JUDGED}
    return _WORDS | named if named else _WORDS


def _word(value: object) -> str:
    """Return the value of a scorer as a word: a number, true, c or null."""
    if isinstance(value, Number) and float(value) in (0, 1):
        return str(int(float(value)))
    return (str(value) if isinstance(value, str) else described(value)).casefold()


@for_one_file
def read_log(source: Source, name: str, *, needs_answers: bool = True) -> SystemLog:
    """Read a log; raises `InputError` for another file, and, if asked for, without answers."""
    findings = Findings(source.path)
    source.expect_hash()
    reader = reader_of(source, findings) if has_systems(source) else None
    if reader is None:
        reason = "is no log with answers, such as those of Inspect or samples_*.jsonl of lm_eval"
        raise InputError(source.path, reason)
    answers = [*reader.graded()]
    if needs_answers and not answers and not findings.errors:
        reason = "has no samples: evaluate again with them (log_samples, --log_samples)"
        raise InputError(source.path, reason)
    return SystemLog(name, source, findings, reader.head(), answers)


def choose(logs: Sequence[SystemLog], choice: Choice) -> None:
    """Choose the filter and the scorer of the logs of a task; raises `UsageError` if unclear."""
    for log in logs:
        filters = log.filters
        if choice.filter in filters:
            log.answers = [answer for answer in log.answers if answer.filter == choice.filter]
        elif len(filters) > 1:
            wrong = f"no filter {choice.filter!r}" if choice.filter else "several filters"
            known = ", ".join(filters)
            raise UsageError(
                f"{log.source.path} has {wrong}: choose one with --log filter=NAME: {known}"
            )
    if without := [visible(log.source.path) for log in logs if not log.scorers]:
        raise UsageError(f"no scores in {brief(without)}: run `inspect score LOG`")
    first, *others = [log.scorers for log in logs]
    common = [name for name in first if all(name in names for names in others)]
    graded = [name for name in common if all(log.grades(name) for log in logs)]
    headlines = {log.head.headline for log in logs} - {""}
    usual = [["acc"], graded, [*headlines], [] if graded else common]
    sole = (names[0] for names in usual if len(names) == 1 and names[0] in common)
    scorer = choice.scorer or next(sole, "")
    if scorer not in common:
        asked = graded if graded and not scorer else None
        names = ((visible(log.source.path), ", ".join(asked or log.scorers)) for log in logs)
        listed, more = "; ".join(f"{path}: {scorers}" for path, scorers in names), ""
        why = f"no scorer {scorer!r} in all logs" if scorer else "several scorers grade the answers"
        if not (scorer or common):
            raise UsageError(f"the logs have no scorer in common ({listed}): score them alike")
        if not (scorer or graded):
            why = "no scorer gives grades"
            more = "; --log right-from=T says which numbers are right, --values what words mean"
        raise UsageError(f"{why}: choose one with --log scorer=NAME ({listed}){more}")
    for log in logs:
        log.scorer, log.others = scorer, [name for name in graded if name != scorer]
        _check_others(log, choice)
    numbers = (value for log in logs for value in log.values(scorer) if isinstance(value, Number))
    if choice.right_from is None:
        number = next((str(number) for number in numbers if float(number) not in (0, 1)), "")
        for log in logs:
            log.number = number


def only_numbers(scorer: str, number: str) -> str:
    """Say why a scorer with such a number does not say what is right, and what makes it say so."""
    return (
        f"scorer {scorer!r} gives numbers such as {number}, which are not right or wrong: say from "
        "which number on with --log right-from=T"
    )


def _check_others(log: SystemLog, choice: Choice) -> None:
    """Raise `UsageError` if a log does not have the scorers of confidences and of a judge."""
    known = {*log.scorers}.union(*(answer.confidences for answer in log.answers))
    for asked in filter(None, (choice.confidence, choice.judge)):
        if asked not in known:
            only = ", ".join(sorted(known))
            raise UsageError(f"{log.source.path} has no scorer {asked!r}, only {only}")
