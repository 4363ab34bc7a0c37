"""Systems from the logs of their evaluations: what a judged file says, read from several logs.

Each log has the answers of one system to the questions of one task, several times each if it has
epochs. Together they are a judged file: a gold standard of questions, and systems.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain

from ave_score import rules
from ave_score.core.choice import Choice, signed_pairs
from ave_score.core.choices import MISSING_CHOICES
from ave_score.core.epochs import reduced_by
from ave_score.core.errors import UsageError
from ave_score.core.findings import Findings
from ave_score.core.judgements import LETTERS
from ave_score.core.labels import RIGHT, WITHHELD, WRONG, Verdict
from ave_score.core.model import AnswerIndex, Collection, JudgedAnswer, Label, QARun, Texts
from ave_score.core.parts import unmentioned
from ave_score.core.standards import (
    LOGS,
    LOGS_THAT_WITHHOLD,
    LOGS_WITH_NUMBERS,
    SAME_LOGS,
    Standard,
)
from ave_score.core.text import brief, quantity
from ave_score.files.json import Number
from ave_score.files.judged import pool_of
from ave_score.files.log import LogAnswer
from ave_score.files.log_grades import SystemLog, choose, only_numbers, read_log
from ave_score.files.log_names import of_tasks
from ave_score.files.source import Source

_LABELS = {RIGHT: Label.VALIDATED, WRONG: Label.REJECTED}
VERDICT_OF = {RIGHT: "VALIDATED", WRONG: "REJECTED"}
"""What a scorer says of an answer -> the verdict of a judge."""

FAILED = "failed or absent"
"""What is remarked of answers without a score, whose questions have others."""


def check_logs(
    sources: Mapping[str, Source],
    choice: Choice | None,
    letters: str,
    missing: str,
    *,
    with_texts: bool = False,
    epochs: str = "",
) -> tuple[tuple[Collection, list[QARun]] | None, list[Findings]]:
    """Read logs as a gold standard of questions, and the systems that answer them.

    Parameters
    ----------
    sources
        Name -> log. A log that has the name that its program gave it is named after the model.
    choice
        What is chosen of scorers, filters and tasks; None: nothing.
    letters
        The meaning of the letters, a key of `LETTERS`.
    missing
        A choice of `Policies.missing`, for questions that a system has no judged answer to.
    with_texts
        Whether the texts of questions and answers are kept.
    epochs
        A choice of `Policies.epochs`, of which logs say if they were made with another.

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
    together = Together(of_tasks(read, chosen), chosen, missing, with_texts, epochs)
    runs = together.runs(letters)
    if any(part.errors for part in findings):
        return None, findings
    return (together.collection(runs), runs), findings


@dataclass
class Together:
    """Logs that are put together, and what is said about them."""

    logs: list[SystemLog]
    choice: Choice
    missing: str
    with_texts: bool = False
    epochs: str = ""
    notes: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.tasks: dict[str, list[SystemLog]] = {}
        for log in self.logs:
            self.tasks.setdefault(log.head.task, []).append(log)
        self.remarks: Counter[str] = Counter()
        self.questions: dict[str, tuple[str, SystemLog]] = {}  # id -> text or hash, the first log
        self.texts: dict[str, str] = {}

    def prepare(self) -> None:
        """Choose scorers and filters; raises `UsageError` if logs do not fit together."""
        for log in self.logs:
            self._add_questions(log)
        for task, logs in self.tasks.items():
            for grader in dict.fromkeys(log.grader for log in logs):
                own = self.choice._replace(scorer=grader) if grader else self.choice
                choose([log for log in logs if log.grader == grader], own)
            self._describe(task, logs)

    def runs(self, letters: str) -> list[QARun]:
        """Return the systems, with findings about what they lack; raises as `prepare`."""
        self.prepare()
        runs: dict[str, QARun] = {}
        for log in self.logs:
            run = runs.setdefault(log.name, QARun(log.name, log.source.path, [], letters))
            run.model, run.settings, run.grader = log.head.model, log.head.settings, log.grader
            run.evaluations += (log.head.key or log.source.path,)
            run.answers += self._answers(log, letters)
        for run in runs.values():
            self._complete(run)
        return [*runs.values()]

    def collection(self, runs: Sequence[QARun]) -> Collection:
        """Return the questions of systems, which learn what they were read against."""
        index = AnswerIndex.sized(dict.fromkeys(self.questions, 0), [])
        pool = pool_of(runs)
        for run in runs:
            run.index, run.pool, run.missing = index, pool, self.missing
        path = brief([*filter(None, self.tasks)] or [run.name for run in runs])
        texts = [self.texts.get(q_id, "") for q_id in self.questions]
        return Collection(
            path,
            self._hash(),
            index,
            b"",
            attributes=self._attributes(),
            texts=Texts(texts, [], [], []) if self.with_texts else None,
            notes=(*self.notes, *self.remarked()),
            declared=self._standard(runs),
            read_as=self._read_as(),
        )

    def _standard(self, runs: Sequence[QARun]) -> Standard:
        """Return the sort of gold standard by what is known of answers."""
        log = next((log for log in self.logs if log.number), None)
        if log is not None:
            why = f"{only_numbers(log.scorer, log.number)}; -m mean_score needs none"
            return LOGS_WITH_NUMBERS._replace(others_refused=why)
        withheld = any(answer.answered is False for run in runs for answer in run.answers)
        return LOGS_THAT_WITHHOLD if withheld else LOGS

    def remarked(self) -> list[str]:
        """Return a note about answers that count otherwise than it seems, if there are any."""
        said = "; ".join(f"{what}: {number:,}" for what, number in self.remarks.items())
        return [f"Answers {said}."] * bool(said)

    def _read_as(self) -> Mapping[str, str]:
        """Return the scorer and the filter that were used, of each task if they are unlike."""
        used = {
            "scorer": {task: _scorers(logs) for task, logs in self.tasks.items()},
            "filter": {task: logs[0].filters[0] for task, logs in self.tasks.items()},
        }
        return {
            part: next(iter(item.values())) if len({*item.values()}) == 1 else signed_pairs(item)
            for part, item in used.items()
            if {*item.values()} - {"", "none"}
        }

    def q_id(self, log: SystemLog, own: str) -> str:
        """Return the id of a question, which names its task if there are several."""
        return f"{log.head.task}/{own}" if len(self.tasks) > 1 else own

    def _add_questions(self, log: SystemLog) -> None:
        """Add the questions of a log; raises `UsageError` if any is another one elsewhere."""
        others: dict[str, SystemLog] = {}
        known = {self.q_id(log, own): "" for own in log.head.questions}
        for answer in log.answers:
            q_id, text = self.q_id(log, answer.text("q_id")), answer.text("question")
            known[q_id] = answer.hash or text
            self.texts.setdefault(q_id, text)
        for q_id, text in known.items():
            first, where = self.questions.get(q_id, ("", log))
            if not first:
                self.questions[q_id] = text, log
            elif text and text != first:
                others[q_id] = where
        for q_id, where in others.items():
            raise UsageError(
                f"{log.source.path}: question {q_id!r} is another one than in {where.source.path}: "
                f"{len(others):,} of {quantity(len(known), 'question')} differ; "
                "compare logs of one version of the task"
            )

    def _attributes(self) -> Mapping[str, Mapping[str, str]]:
        """Return attribute -> question -> value, without values that differ between answers."""
        found: dict[str, dict[str, str]] = {}
        differing: set[tuple[str, str]] = set()
        for log in self.logs:
            group = log.head.groups.get(log.head.task)
            about = {"task": log.head.task, "group": group}
            common = {name: value for name, value in about.items() if value}
            names = {*log.attributes}
            for answer in log.answers:
                q_id = self.q_id(log, answer.text("q_id"))
                own = {
                    name: attribute
                    for name, attribute in answer.attributes.items()
                    if name in names
                }
                for name, value in (common | own).items():
                    if found.setdefault(name, {}).setdefault(q_id, value) != value:
                        differing.add((name, q_id))
        for name, q_id in differing:
            del found[name][q_id]
        return found

    def _hash(self) -> str:
        """Return a hash of the questions with their texts, whatever their order."""
        from hashlib import sha256  # slow to import

        texts = sorted((q_id, text) for q_id, (text, _) in self.questions.items())
        return sha256(repr(texts).encode("utf-8", "surrogatepass")).hexdigest()

    def _describe(self, task: str, logs: Sequence[SystemLog]) -> None:
        """Note what a task has, and by which scorer and filter."""
        log, name = logs[0], f"{task}: " * (len(self.tasks) > 1)
        number = sum(question.head.task == task for _, question in self.questions.values())
        times = max(log.head.replicates for log in logs)
        epochs = f" × {times} epochs" * (times > 1)
        scorers = _scorers(logs, ", ")
        others = [other for other in log.others if other not in scorers.split(", ")]
        also = f" (also: {', '.join(others)})" * bool(others)
        used = f", filter {log.filters[0]}" * (log.filters not in ([""], ["none"]))
        asked = f"{name}{quantity(number, 'question')}{epochs}"
        several = "s" * (len({log.scorer for log in logs}) > 1)
        self.notes.append(f"{asked}, scorer{several} {scorers}{also}{used}.")
        reducers = [*dict.fromkeys(chain(*(log.head.reducers for log in logs)))]
        reduced = reduced_by(reducers, self.epochs)
        if reduced and times > 1:
            self.notes.append(f"{name}Epochs were {reduced}.")
        if len({(log.head.version, *log.head.options.items()) for log in logs}) > 1:
            self.notes.append(f"{name}Logs have other versions of it, or options of scorers.")
        if len({(log.source.sha256(), log.grader) for log in logs}) < len(logs):
            self.notes.append(f"{name}{SAME_LOGS}")

    def _complete(self, run: QARun) -> None:
        """Do with questions without a judged answer what the policy on missing answers says."""
        judged, choice = {answer.q_id for answer in run.answers}, MISSING_CHOICES[self.missing]
        lacking = [q_id for q_id in self.questions if q_id not in judged]
        numbers = f"{len(lacking):,} of {quantity(len(self.questions), 'question')}"
        if lacking and choice.is_refused:
            log = next(log for log in self.logs if log.name == run.name)
            log.findings.add(rules.QUESTIONS_LACKING, numbers=numbers, ids=brief(lacking))
        elif lacking and choice.verdict is Verdict.REJECTED:
            self.remarks["withheld for want of a judged one"] += len(lacking)
            run.answers += unmentioned(run, lacking)

    def _answers(self, log: SystemLog, letters: str) -> list[JudgedAnswer]:
        """Return the judged answers of a log; report those that failed, and how others count."""
        rows: dict[tuple[str, str], JudgedAnswer] = {}
        letter_of, failed = LETTERS[letters].letter_of, Counter[str]()
        for answer in log.answers:
            own, replicate = answer.text("q_id"), answer.text("number")
            key = q_id, _ = self.q_id(log, own), replicate
            if not own and log.reports:
                answer.entry.missing(answer.fields["q_id"].path, "the id of the question, a text")
            if key in rows:
                facts = {"q_id": own, "a_id": f"{own}_{replicate}", "first": rows[key].line}
                log.findings.add(rules.ANSWER_CONFLICT, answer.entry.number, **facts)
            judge = self.choice.judge
            is_labelled = log.scorer in answer.scores and log.scorer != judge  # by a person
            if not is_labelled and judge not in answer.scores:
                failed[own] += 1
                continue
            grade = log.grade(answer, self.choice.right_from, "" if is_labelled else judge or "")
            if is_labelled:
                self.remarks.update(grade.remarks)
            word = WITHHELD if self._is_withheld(log, answer, grade.word) else grade.word
            verdict = self._verdict(log, answer) if is_labelled else VERDICT_OF.get(word, "")
            rows[key] = JudgedAnswer(
                answer.entry.number,
                q_id,
                letter_of(_LABELS[word]) if is_labelled and word in _LABELS else "",
                answered=False if word == WITHHELD else None,
                text=answer.text("answer") if self.with_texts else "",
                confidence=_confidence(answer, self.choice.confidence),
                replicate=replicate,
                score=grade.score if is_labelled else None,
                verdict=verdict,
            )
        self._add_failed(log, rows, failed)
        return [*rows.values()]

    def _verdict(self, log: SystemLog, answer: LogAnswer) -> str:
        """Return what the judge says of an answer; "" if it says nothing."""
        judge = self.choice.judge
        if judge is None or judge not in answer.scores:
            return ""
        return VERDICT_OF.get(log.grade(answer, self.choice.right_from, judge).word, "")

    def _is_withheld(self, log: SystemLog, answer: LogAnswer, word: str) -> bool:
        if self.choice.withheld is None or word == RIGHT:
            return False
        key, whole = answer.keys.get(log.scorer), answer.fields["answer"].value
        said = str(key.value if key is not None and key.value else whole).strip()
        return re.fullmatch(self.choice.withheld, said, re.IGNORECASE) is not None

    def _add_failed(
        self, log: SystemLog, rows: Mapping[tuple[str, str], JudgedAnswer], failed: Counter[str]
    ) -> None:
        """Report answers that failed or are absent, whose questions have other answers."""
        given = Counter(answer.text("q_id") for answer in log.answers)
        judged = {q_id for q_id, _ in rows}
        for own in dict.fromkeys(log.head.questions):
            failed[own] += max(log.head.replicates - given[own], 0)
        order = dict.fromkeys([*log.head.questions, *failed])
        beside = [own for own in order if failed[own] and self.q_id(log, own) in judged]
        if beside:
            number = sum(failed[own] for own in beside)
            numbers = f"{number:,} of {quantity(log.expected, 'answer')}"
            log.findings.add(rules.ANSWERS_FAILED, numbers=numbers, ids=brief(beside))
            self.remarks[FAILED] += number


def _scorers(logs: Sequence[SystemLog], between: str = ",") -> str:
    """Return the scorers of logs, each once."""
    return between.join(dict.fromkeys(log.scorer for log in logs))


def _confidence(answer: LogAnswer, name: str | None) -> float | None:
    if name is None or name in answer.confidences:
        return answer.confidences.get(name or "")
    value = answer.scores[name].value if name in answer.scores else None
    return float(value) if isinstance(value, Number) else None
