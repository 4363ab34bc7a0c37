"""Systems from the logs of their evaluations: what a judged file says, read from several logs.

Each log has the answers of one system to the questions of one task, several times each if it has
epochs. Together they are a judged file: a gold standard of questions, and systems.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import isfinite
from pathlib import PurePath
from typing import NamedTuple

from ave_score import rules
from ave_score.core.choice import Choice
from ave_score.core.choices import MISSING_CHOICES
from ave_score.core.errors import InputError, UsageError, for_one_file
from ave_score.core.findings import Findings
from ave_score.core.judgements import CAMPAIGNS
from ave_score.core.labels import JUDGED, RIGHT, UNJUDGED, WITHHELD, WRONG, Verdict
from ave_score.core.model import AnswerIndex, Collection, JudgedAnswer, Label, QARun, Texts
from ave_score.core.reported import brief
from ave_score.core.text import counted, did_you_mean, nearest, visible
from ave_score.files.folders import OF_SAMPLES
from ave_score.files.json import Number, described
from ave_score.files.judged import pool_of
from ave_score.files.log import Log, LogAnswer, LogHead, reader_of, score
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

_HALF = "partly correct (P), neither right nor wrong; Inspect counts half, and --right-from decides"
_OUT = "not judged; Inspect leaves them out of its mean, and --unknown decides"
"""What is said about answers that are neither right nor wrong."""

_LABELS = {RIGHT: Label.VALIDATED, WRONG: Label.REJECTED}
_OF_LETTER = {
    ("R", None): RIGHT,
    ("W", None): WRONG,
    ("", False): WITHHELD,
    ("", None): UNJUDGED,
}
"""Judgement of an answer at ResPubliQA, and whether it was given -> what the scorer said."""

_OF_INSPECT = re.compile(r"\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d.*_.*\.(?:eval|json)(?:\.gz|\.xz)?", re.S)
"""The names that Inspect gives to logs, which do not name the system."""


@dataclass(eq=False)
class SystemLog:
    """A log, read.

    Attributes
    ----------
    name
        The name of its system.
    source, findings, head
        The file, its findings, and what it says about itself.
    answers
        The answers of the chosen filter; before it is chosen those of all.
    scorer
        The scorer that says whether an answer is correct.
    """

    name: str
    source: Source
    findings: Findings
    head: LogHead
    answers: list[LogAnswer]
    scorer: str = ""
    others: Sequence[str] = ()

    @cached_property
    def path(self) -> str:
        """The file, as the user named it."""
        return self.source.path

    @property
    def expected(self) -> int:
        """The number of answers that it should have."""
        return max(len({*self.head.questions}) * self.head.replicates, len(self.answers))

    @property
    def scorers(self) -> list[str]:
        """The names of its scorers."""
        return [*dict.fromkeys(name for answer in self.answers for name in answer.scores)]

    @property
    def filters(self) -> list[str]:
        """The names of its filters."""
        return [*dict.fromkeys(answer.filter for answer in self.answers)]

    def grades(self, scorer: str, words: Mapping[str, str]) -> bool:
        """Tell whether a scorer says whether answers are correct, and no other numbers."""
        given = [answer.scores[scorer].value for answer in self.answers if scorer in answer.scores]
        return bool(given) and all(_word(value).casefold() in words for value in given)


class Graded(NamedTuple):
    """What a log says of an answer: an outcome, and the number of the scorer, if any."""

    word: str
    score: float | None


@for_one_file
def read_log(source: Source, name: str) -> SystemLog:
    """Read a log; raises `InputError` for another file, and for a log without answers."""
    findings = Findings(source.path)
    source.expect_hash()
    reader = reader_of(source, findings)
    if reader is None:
        reason = "is no log with answers, such as those of Inspect or samples_*.jsonl of lm_eval"
        raise InputError(source.path, reason)
    answers = [*reader.graded()]
    if not answers and not findings.errors:
        reason = "has no samples: evaluate again with them (log_samples, --log_samples)"
        raise InputError(source.path, reason)
    return SystemLog(name, source, findings, reader.head(), answers)


def described_log(source: Source, log: Log, findings: Findings) -> list[str]:
    """Say what a log is about, and how its answers count; add findings about what it lacks.

    Its reader has read and kept all answers, and reported values that are no grades.
    """
    head, answers = log.head(), log.kept or []
    said = {"": head.program, "task ": head.task, "version ": head.version, "model ": head.model}
    said |= {"seed ": head.seed, "status ": head.status}
    parts = [", ".join(what + word for what, word in said.items() if word)]
    for name in dict.fromkeys(answer.filter for answer in answers):
        own = [answer for answer in answers if answer.filter == name]
        of_filter = SystemLog(source.name, source, Findings(source.path), head, own)
        parts.append(_outcomes(of_filter))
        for rule in of_filter.findings.counts.keys() & {
            rules.ANSWERS_FAILED,
            rules.QUESTIONS_LACKING,
        }:
            findings.extend_with(of_filter.findings, rule)
    whole = SystemLog(source.name, source, findings, head, answers)
    kinds = {True: "grades", False: "other values"}
    scorers = [f"{name} ({kinds[whole.grades(name, _WORDS)]})" for name in whole.scorers]
    parts.append(f"scorers {', '.join(scorers)}")
    names = dict.fromkeys(name for answer in answers for name in answer.attributes)
    parts += [f"attributes {', '.join(names)}"] * bool(names)
    return [*map(visible, filter(None, parts))]


def _outcomes(log: SystemLog) -> str:
    """Return how many answers are right, wrong and so on, by the scorer that says it."""
    try:
        made = _Systems([log], Choice(), "error", tells_values=False)
    except UsageError as problem:
        return problem.for_commands.removeprefix(f"{log.path}: ")
    (run,) = made.runs("respubliqa", made.collection())
    numbers = Counter(dict.fromkeys(JUDGED, 0))
    numbers.update(_OF_LETTER[answer.judgement, answer.answered] for answer in run.answers)
    numbers["failed or absent"] = log.expected - len(run.answers)
    counts = ", ".join(f"{number:,} {word}" for word, number in numbers.items() if number)
    return f"{made.notes[0].removesuffix('.')}: {counts}"


def check_logs(
    sources: Mapping[str, Source],
    choice: Choice | None,
    campaign: str,
    missing: str,
    *,
    with_texts: bool = False,
) -> tuple[tuple[Collection, list[QARun]] | None, list[Findings]]:
    """Read logs as a gold standard of questions, and the systems that answer them.

    Parameters
    ----------
    sources
        Name -> log. A log that has the name that its program gave it is named after the model.
    choice
        What is chosen of scorers, filters and tasks; None: nothing.
    campaign
        The campaign whose letters the judgements get.
    missing
        A choice of `Policies.missing`, for questions that a system has no judged answer to.
    with_texts
        Whether the texts of questions and answers are kept.

    Returns
    -------
    tuple
        The questions with their systems, None if a log has errors; and the findings of each log.

    Raises
    ------
    UsageError
        It is not clear which scorer or filter is meant, or logs contradict each other.
    InputError
        A file is no log, or cannot be read.
    """
    read = [read_log(source, name) for name, source in sources.items()]
    findings = [log.findings for log in read]
    if any(part.errors for part in findings):
        return None, findings
    chosen = choice or Choice()
    made = _Systems(_of_tasks(read, chosen), chosen, missing, with_texts)
    gold = made.collection()
    systems = made.runs(campaign, gold)
    gold.notes = tuple(made.notes)
    withheld = any(answer.answered is False for run in systems for answer in run.answers)
    gold.scored_as = "systems of logs" + " that withhold" * withheld
    return (None if any(part.errors for part in findings) else (gold, systems)), findings


def _of_tasks(logs: list[SystemLog], choice: Choice) -> list[SystemLog]:
    """Return the logs of the chosen tasks, named; raises `UsageError` for unknown tasks."""
    tasks = [*dict.fromkeys(log.head.task for log in logs)]
    for task in choice.tasks:
        if task not in tasks:
            hint = did_you_mean(nearest(task, tasks))
            raise UsageError(f"no task {task!r} in the logs, only {', '.join(tasks)}{hint}")
    keys: dict[str, SystemLog] = {}
    for log in logs:
        if log.head.key and (first := keys.setdefault(log.head.key, log)) is not log:
            raise UsageError(f"{first.path} and {log.path} are the same evaluation, given twice")
    kept = [log for log in logs if not choice.tasks or log.head.task in choice.tasks]
    _name(kept)
    of_systems: dict[str, dict[str, SystemLog]] = {}
    for log in kept:
        first = of_systems.setdefault(log.name, {}).setdefault(log.head.task, log)
        if first is not log:
            raise UsageError(f"{first.path} and {log.path} are both of {log.name}: rename one")
    if not set.intersection(*map(set, of_systems.values())):
        listed = "; ".join(f"{name}: {', '.join(of)}" for name, of in of_systems.items())
        raise UsageError(f"the systems have no task in common: {listed}")
    return kept


def _name(logs: Sequence[SystemLog]) -> None:
    """Name logs with names of their programs after the model, and tell runs of one model apart."""
    unnamed = [log for log in logs if log.head.model and _is_own(PurePath(log.path).name)]
    models = {log.head.model for log in unnamed}
    last = Counter(model.rpartition("/")[2] for model in models)
    runs: dict[tuple[str, str], list[SystemLog]] = {}
    for log in unnamed:
        short = log.head.model.rpartition("/")[2]
        log.name = short if last[short] == 1 else log.head.model
        runs.setdefault((log.name, log.head.task), []).append(log)
    for several in runs.values():
        seeds = [log.head.seed for log in several]
        has_seeds = all(seeds) and len({*seeds}) == len(seeds)
        in_order = sorted(several, key=lambda log: log.head.created)
        for number, log in enumerate(in_order, 1):
            if len(several) > 1:
                log.name = f"{log.name}/{log.head.seed if has_seeds else number}"


def _is_own(name: str) -> bool:
    return bool(_OF_INSPECT.fullmatch(name) or OF_SAMPLES.fullmatch(name))


@dataclass
class _Systems:
    """Logs that are put together."""

    logs: list[SystemLog]
    choice: Choice
    missing: str
    with_texts: bool = False
    tells_values: bool = True
    notes: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.words = _WORDS | {
            word.casefold(): meant
            for log in self.logs
            for word, meant in log.source.naming.values.items()
            if meant in JUDGED
        }
        self.tasks = [*dict.fromkeys(log.head.task for log in self.logs)]
        for task in self.tasks:
            _choose(self._of(task), self.choice, self.words)
        self.questions: dict[str, tuple[str, SystemLog]] = {}  # id -> its text, and the first log

    def _of(self, task: str) -> list[SystemLog]:
        return [log for log in self.logs if log.head.task == task]

    def q_id(self, log: SystemLog, own: str) -> str:
        """Return the id of a question, which names its task if there are several."""
        return f"{log.head.task}/{own}" if len(self.tasks) > 1 else own

    def collection(self) -> Collection:
        """Return the questions of all logs, with their attributes and what is said about them."""
        attributes: dict[str, dict[str, str]] = {}
        differing: set[tuple[str, str]] = set()
        for log in self.logs:
            self._compare(log)
            group = log.head.groups.get(log.head.task)
            common = {"task": log.head.task} | ({"group": group} if group else {})
            for answer in log.answers:
                q_id = self.q_id(log, answer.text("q_id"))
                for name, value in (common | {**answer.attributes}).items():
                    if attributes.setdefault(name, {}).setdefault(q_id, value) != value:
                        differing.add((name, q_id))
        for name, q_id in differing:
            del attributes[name][q_id]
        index = AnswerIndex.sized(dict.fromkeys(self.questions, 0), [])
        path = brief([*filter(None, self.tasks)] or [PurePath(log.path).name for log in self.logs])
        texts = [(q_id, text) for q_id, (text, _) in self.questions.items()]
        collection = Collection(path, _hash(texts), index, b"", attributes=attributes)
        if self.with_texts:
            collection.texts = Texts([text for _, text in texts], [], [], [])
        return collection

    def _compare(self, log: SystemLog) -> None:
        """Add the questions of a log; raises `UsageError` if any is another one elsewhere."""
        others: dict[str, SystemLog] = {}
        known = {self.q_id(log, answer.text("q_id")): answer for answer in log.answers}
        for q_id, answer in known.items():
            text = answer.text("question")
            first, where = self.questions.setdefault(q_id, (text, log))
            if text and first and text != first:
                others[q_id] = where
        for own in log.head.questions:
            self.questions.setdefault(self.q_id(log, own), ("", log))
        if others:
            q_id, where = next(iter(others.items()))
            raise UsageError(
                f"{log.path}: question {q_id!r} is another one than in {where.path}: "
                f"{len(others):,} of {counted(len(known), 'question')} differ; "
                "compare logs of one version of the task"
            )

    def _describe(self) -> None:
        """Note what each task has, and by which scorer and filter."""
        numbers = Counter(log.head.task for _, log in self.questions.values())
        for task in self.tasks:
            log, *_ = logs = self._of(task)
            times = max(of.head.replicates for of in logs)
            name = f"{task}: " * (len(self.tasks) > 1)
            epochs = f" x {times} epochs" * (times > 1)
            also = f" (also: {', '.join(log.others)})" * bool(log.others)
            used = f", filter {log.filters[0]}" * (log.filters not in ([""], ["none"]))
            asked = f"{name}{counted(numbers[task], 'question')}{epochs}"
            self.notes.append(f"{asked}, scorer {log.scorer}{also}{used}.")
            versions = {of.name: f"{of.head.version} {of.head.options}" for of in logs}
            if len({*versions.values()}) > 1:
                self.notes.append(f"{task}: logs have other versions, or options of scorers.")
            bytes_of = Counter(of.source.sha256() for of in logs)
            if bytes_of.most_common(1)[0][1] > 1:
                self.notes.append(f"{task}: logs have the same bytes.")

    def runs(self, campaign: str, gold: Collection) -> list[QARun]:
        """Return the systems, with findings about answers and questions that they lack."""
        runs: dict[str, QARun] = {}
        self._describe()
        for log in self.logs:
            run = runs.setdefault(log.name, QARun(log.name, log.path, [], campaign))
            run.answers += self._answers(log, campaign)
        rejected = MISSING_CHOICES[self.missing].verdict is Verdict.REJECTED
        for run in runs.values():
            judged = {answer.q_id for answer in run.answers}
            lacking = [q_id for q_id in gold.index.questions if q_id not in judged]
            if lacking:
                self._add_lacking(run, lacking, len(gold.index.questions))
            times = {answer.replicate for answer in run.answers} or {""}
            for q_id in lacking if rejected else ():
                rows = (JudgedAnswer(0, q_id, "", answered=False, replicate=name) for name in times)
                run.answers += rows
            run.index, run.missing = gold.index, self.missing
        pool = pool_of([*runs.values()])
        for run in runs.values():
            run.pool = pool
        return [*runs.values()]

    def _add_lacking(self, run: QARun, lacking: list[str], questions: int) -> None:
        numbers = f"{len(lacking):,} of {counted(questions, 'question')}"
        if MISSING_CHOICES[self.missing].is_refused:
            log = next(log for log in self.logs if log.name == run.name)
            facts = {"numbers": numbers, "ids": brief(lacking)}
            log.findings.add(rules.QUESTIONS_LACKING, **facts)
        elif not MISSING_CHOICES[self.missing].is_left_out:
            self.notes.append(f"{run.name}: {numbers} without a judged answer count as withheld.")

    def _answers(self, log: SystemLog, campaign: str) -> list[JudgedAnswer]:
        """Return the judged answers of a log; report those that failed, and how others count."""
        rows: dict[tuple[str, str], JudgedAnswer] = {}
        table, failed, noted = CAMPAIGNS[campaign], [], Counter[str]()
        pattern = self.choice.withheld and re.compile(self.choice.withheld, re.IGNORECASE)
        for answer in log.answers:
            own, replicate = answer.text("q_id"), answer.text("number")
            key = q_id, _ = self.q_id(log, own), replicate
            if not own:
                answer.entry.missing(answer.fields["q_id"].path, "the id of the question, a text")
            if key in rows:
                facts = {"q_id": own, "a_id": f"{own}_{replicate}", "first": rows[key].line}
                log.findings.add(rules.ANSWER_CONFLICT, answer.entry.number, **facts)
            if log.scorer not in answer.scores:
                failed.append(own)
                continue
            outcome = self._outcome(log, answer)
            word = outcome.word
            noted["with an edited score"] += log.scorer in answer.edited
            if word == WITHHELD and answer.reasons.get(log.scorer) == _NO_FORMAT:
                word = WRONG
                noted[f"N for {_NO_FORMAT}: wrong"] += 1
            elif word == UNJUDGED:
                is_half = _word(answer.scores[log.scorer].value) == "P"
                noted[_HALF if is_half else _OUT] += 1
            if pattern and word != RIGHT:
                text = answer.keys.get(log.scorer) or answer.fields["answer"]
                text = text if text.value else answer.fields["answer"]
                word = WITHHELD if pattern.fullmatch(str(text.value).strip()) else word
            rows[key] = JudgedAnswer(
                answer.entry.number,
                q_id,
                table.letter_of(_LABELS[word]) if word in _LABELS else "",
                answered=False if word == WITHHELD else None,
                text=answer.text("answer") if self.with_texts else "",
                confidence=self._confidence(answer),
                replicate=replicate,
                score=outcome.score,
            )
        self._add_failed(log, rows, failed)
        said = [f"{number:,} {what}" for what, number in noted.items() if number]
        if said:
            self.notes.append(f"{log.name}: {'; '.join(said)}.")
        return [*rows.values()]

    def _add_failed(
        self, log: SystemLog, rows: Mapping[tuple[str, str], JudgedAnswer], failed: list[str]
    ) -> None:
        """Report answers that failed or are absent, whose questions have other answers."""
        given = Counter(answer.text("q_id") for answer in log.answers)
        judged = Counter(q_id for q_id, _ in rows)
        lacking = Counter(failed)
        for own in dict.fromkeys(log.head.questions):
            lacking[own] += max(log.head.replicates - given[own], 0)
        beside = {own: n for own, n in lacking.items() if n and judged[self.q_id(log, own)]}
        if beside:
            numbers = f"{sum(beside.values()):,} of {counted(log.expected, 'answer')}"
            ids = brief([*beside])
            log.findings.add(rules.ANSWERS_FAILED, numbers=numbers, ids=ids)
            self.notes.append(f"{log.name}: {numbers} failed or absent.")

    def _outcome(self, log: SystemLog, answer: LogAnswer) -> Graded:
        """Return what the scorer says of an answer; report a value that says nothing."""
        grade = answer.scores[log.scorer]
        word, value = _word(grade.value), score(grade.value)
        meant = self.words.get(word.casefold())
        number = float(value) if isinstance(value, Number) else None
        if number is not None and not isfinite(number):
            number = meant = None
        if number is None and meant in (RIGHT, WRONG, WITHHELD):
            number = float(meant == RIGHT)
        least = self.choice.right_from
        if least is not None and number is not None and meant != WITHHELD:
            meant = RIGHT if number >= least else WRONG
        elif word == "P" and self.tells_values:
            answer.entry.add(grade.path, rules.PARTLY_CORRECT, where=f"scores.{log.scorer}")
        elif meant is None and self.tells_values:
            expected = "C, I, P or N, true or false, 0 or 1; --values names other words"
            facts = {"found": described(grade.value), "expected": expected}
            answer.entry.add(grade.path, rules.CORRECT_UNKNOWN, **facts)
        return Graded(meant or UNJUDGED, number)

    def _confidence(self, answer: LogAnswer) -> float | None:
        name = self.choice.confidence
        if name is None:
            return None
        if name in answer.confidences:
            return answer.confidences[name]
        value = answer.scores[name].value if name in answer.scores else None
        return float(value) if isinstance(value, Number) else None


def _choose(logs: Sequence[SystemLog], choice: Choice, words: Mapping[str, str]) -> None:
    """Choose the filter and the scorer of the logs of a task; raises `UsageError` if unclear."""
    for log in logs:
        if len(log.filters) > 1 or (choice.filter and choice.filter in log.filters):
            if choice.filter not in log.filters:
                known = ", ".join(log.filters)
                wrong = f"no filter {choice.filter!r}" if choice.filter else "several filters"
                raise UsageError(f"{log.path} has {wrong}: choose one with --filter: {known}")
            log.answers = [answer for answer in log.answers if answer.filter == choice.filter]
    common = [name for name in logs[0].scorers if all(name in log.scorers for log in logs)]
    graded = [name for name in common if all(log.grades(name, words) for log in logs)]
    headlines = {log.head.headline for log in logs} - {""}
    chosen = choice.correct
    if chosen is None and "acc" in graded:
        chosen = "acc"
    elif chosen is None and len(graded) == 1:
        chosen = graded[0]
    elif chosen is None and len(headlines) == 1 and headlines <= {*graded}:
        chosen = next(iter(headlines))
    elif chosen is None and not graded and len(common) == 1:
        chosen = common[0]
    if chosen not in common:
        of_logs = "; ".join(f"{visible(log.path)}: {', '.join(log.scorers)}" for log in logs)
        why = f"no scorer {chosen!r} in all logs" if chosen else "several scorers grade the answers"
        raise UsageError(f"{why}: choose one with --correct-scorer ({of_logs})")
    if chosen not in graded and choice.right_from is None:
        _refuse_numbers(logs, chosen)
    named = choice.confidence
    for log in logs:
        numbers = {*log.scorers}.union(*(answer.confidences for answer in log.answers))
        if named is not None and named not in numbers:
            listed = ", ".join(sorted(numbers))
            raise UsageError(f"{log.path} has no scorer {named!r} of confidence, only {listed}")
        log.scorer, log.others = chosen, [name for name in graded if name != chosen]


def _refuse_numbers(logs: Sequence[SystemLog], scorer: str) -> None:
    """Raise `UsageError` if a scorer gives numbers other than 0 and 1."""
    for log in logs:
        for answer in log.answers:
            value = answer.scores[scorer].value if scorer in answer.scores else None
            if isinstance(value, Number) and float(value) not in (0, 1):
                raise UsageError(
                    f"{log.path}: scorer {scorer!r} gives numbers such as {value}, which are not "
                    "right or wrong: say from which number on with --right-from T"
                )


def _word(value: object) -> str:
    """Return the value of a scorer as a word: a number, true, C or null."""
    if isinstance(value, Number):
        return f"{float(value):g}"
    return str(value) if isinstance(value, str) else described(value)


def _hash(texts: Iterable[tuple[str, str]]) -> str:
    """Return a hash of questions with their texts, whatever their order."""
    from hashlib import sha256  # slow to import

    return sha256(repr(sorted(texts)).encode("utf-8", "surrogatepass")).hexdigest()
