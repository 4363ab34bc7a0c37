"""Checks of logs as the systems that `ave-score score` makes of them.

Logs that are given together are put together by what `score` puts them together with, so that one
accepts what the other does. Each log is also described alone.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace

from ave_score import rules
from ave_score.core.choice import EVERYTHING
from ave_score.core.errors import InputError, UsageError
from ave_score.core.findings import Findings
from ave_score.core.kinds import FileKind
from ave_score.core.labels import RIGHT, UNJUDGED, WITHHELD, WRONG
from ave_score.core.policies import Policies
from ave_score.core.standards import LOGS
from ave_score.core.text import visible
from ave_score.files.check import Checked, check_file
from ave_score.files.contents import Contents
from ave_score.files.log_grades import SystemLog, read_log
from ave_score.files.log_names import of_tasks
from ave_score.files.log_systems import FAILED, Together
from ave_score.files.source import Source
from ave_score.rules import Severity
from ave_score.tasks.applied import as_aggregated, with_threshold
from ave_score.tasks.named import run_names

_LETTERS = "respubliqa"
_OF_ROW = {"R": RIGHT, "W": WRONG, "": UNJUDGED}
"""Judgement of a given answer -> what the scorer said."""


def read_system_log(source: Source) -> SystemLog:
    """Read a log that is to be checked; raises `InputError` if it cannot be read."""
    log = read_log(source, source.name, needs_answers=False)
    if not (log.answers or log.findings.errors):
        log.findings.add(rules.EMPTY_FILE, expected="samples in it (log_samples, --log_samples)")
    elif not (log.scorers or log.findings.errors):
        facts = {"found": "without scores", "expected": "answers with grades or a metric"}
        log.findings.add(rules.LOG_UNUSABLE, where="the log", **facts)
    return log


def check_logs(
    logs: Sequence[SystemLog],
    policies: Policies,
    *,
    apart: Sequence[SystemLog] = (),
) -> list[Checked]:
    """Check logs, with findings about what `ave-score score` refuses in all of them together.

    Parameters
    ----------
    logs
        What `read_system_log` returns.
    policies
        How they are to be scored.
    apart
        The logs that are each checked alone, as `score` leaves them out.

    Returns
    -------
    list of Checked
        The logs in their order, each with its findings and what it is about.

    Raises
    ------
    UsageError
        A policy is chosen that does not apply to logs.
    """
    together = [log for log in logs if log not in apart]
    if any(log.findings.errors for log in together):
        apart = logs  # what is wrong with the others is of interest, too
    else:
        _put_together(together, policies)
        if not any(log.findings.errors for log in logs):
            policies.check_for(LOGS)
    for log in apart:
        if not log.findings.errors:
            _check_alone(log, policies)
    return [_checked(log, policies) for log in logs]


def _put_together(logs: Sequence[SystemLog], policies: Policies) -> None:
    """Add the findings of `ave-score score`; if logs do not fit, also those of each alone."""
    if not logs:
        return
    try:
        _decide(logs, policies)
    except UsageError as problem:
        for log in logs if len(logs) > 1 else ():
            _check_alone(log, policies)
        if not any(log.findings.counts[rules.LOG_UNCLEAR] for log in logs):
            numbers = range(1, len(logs) + 1)
            first = bisect_left(numbers, True, key=lambda n: not _fit(logs[:n], policies))
            _add_unclear(logs[min(first, len(logs) - 1)], problem)


def _check_alone(log: SystemLog, policies: Policies) -> None:
    """Add the findings of `ave-score score` in one log, unless its task is not chosen."""
    choice = policies.logs or EVERYTHING
    if choice.task and log.head.task not in choice.task:
        return
    try:
        _decide([log], policies)
    except UsageError as problem:
        _add_unclear(log, problem)


def _decide(logs: Sequence[SystemLog], policies: Policies) -> None:
    """Make the systems of logs as `Inputs` does; raises `UsageError` for what it refuses."""
    together = _together(logs, policies)
    runs = together.runs(policies.letters)
    if not any(log.findings.errors for log in logs):
        gold = together.collection(runs)  # from which systems learn how missing answers count
        if not gold.standard.has_decisions:
            policies.check_for(gold.standard)
        for _ in as_aggregated(runs, policies, LOGS):
            pass


def _together(logs: Sequence[SystemLog], policies: Policies) -> Together:
    """Return logs together, with names as in `Inputs.gold`; raises `UsageError` if they clash."""
    names = run_names([log.source for log in logs], "log")
    copies = [replace(log, name=name) for log, name in zip(logs, names, strict=True)]
    choice = policies.logs or EVERYTHING
    return Together(of_tasks(copies, choice), choice, policies.missing)


def _fit(logs: Sequence[SystemLog], policies: Policies) -> bool:
    """Tell whether logs fit together."""
    with suppress(UsageError):
        _together(logs, policies).prepare()
        return True
    return False


def _add_unclear(log: SystemLog, problem: UsageError) -> None:
    """Add what `ave-score score` would ask for or refuse, and after a colon what to do."""
    path, said = log.source.path, problem.for_commands
    said = f"it{said.removeprefix(path)}" if said.startswith(f"{path} has ") else said
    said = said.replace(f"{path}: ", "").replace(f"{visible(path)}: ", "")
    what, _, remedy = said.partition(": ")
    log.findings.add(rules.LOG_UNCLEAR, problem=what, remedy=f": {remedy}" if remedy else "")


def _checked(log: SystemLog, policies: Policies) -> Checked:
    """Return a checked log, with the numbers of `ave-score decide` and what that would refuse."""
    findings, path, contents = log.findings, log.source.path, Contents()
    if findings.errors:
        return Checked(path, FileKind.SCORES, findings)
    with suppress(InputError):  # it was read before
        ranked = check_file(log.source, FileKind.SCORES)
        contents = ranked.contents or {}
        of = [found for found in ranked.findings if found.rule.severity is Severity.ERROR]
        if of:
            findings.skip(f"its scores, which ave-score decide refuses: {of[0]}")
    return Checked(path, FileKind.SCORES, findings, contents | {"log": _described(log, policies)})


def _described(log: SystemLog, policies: Policies) -> list[str]:
    """Say what a log is about, and how its answers count."""
    quiet = replace(log, findings=Findings(log.source.path), reports=False)
    head = log.head
    said = {"": head.program, "task ": head.task, "version ": head.version}
    said |= {"model ": head.model, "seed ": head.seed, "status ": head.status}
    parts = [", ".join(what + word for what, word in said.items() if word)]
    parts.append(_outcomes(quiet, policies))
    kinds = {True: "grades", False: "other values"}
    names = {
        "scorers": [f"{name} ({kinds[log.grades(name)]})" for name in log.scorers],
        "attributes": log.attributes,
    }
    parts += [f"{what} {', '.join(name)}" for what, name in names.items() if name]
    return [*map(visible, filter(None, parts))]


def _outcomes(log: SystemLog, policies: Policies) -> str:
    """Return how many answers are right, wrong and so on; "" if only other logs make it clear."""
    choice = (policies.logs or EVERYTHING)._replace(task=())
    choice = choice._replace(scorer=choice.scorer or next(iter(choice.scorers), None))
    together = Together([replace(log)], choice, "excluded")
    try:
        (made,) = together.runs(_LETTERS)
        run = with_threshold(made, policies, LOGS)
    except UsageError:
        return ""
    numbers = Counter(
        WITHHELD if answer.answered is False else _OF_ROW[answer.judgement]
        for answer in run.answers
    )
    if log_with_numbers := together.logs[0].number:
        numbers = Counter({f"with numbers such as {log_with_numbers}": len(run.answers)})
    numbers[FAILED] = together.logs[0].expected - len(run.answers)
    order = [RIGHT, WRONG, WITHHELD, UNJUDGED]
    words = dict.fromkeys([*(word for word in order if word in numbers), *numbers])
    counts = ", ".join(f"{numbers[word]:,} {word}" for word in words if numbers[word])
    del together.remarks[FAILED]  # which is among the counts
    first, *notes = (note.removesuffix(".") for note in (*together.notes, *together.remarked()))
    return ". ".join([f"{first}: {counts}", *notes])
