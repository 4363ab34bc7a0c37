"""Findings as JSON, with all their fields."""

from __future__ import annotations

from ave_score.core.kinds import FileKind
from ave_score.files.campaign import WORDS
from ave_score.reports.data import (
    BOOLEAN,
    COUNT,
    NUMBER,
    POSITIVE,
    TEXT,
    ResultDocument,
    Type,
    entry,
    list_of,
    mapping,
    one_of,
    shared,
)
from ave_score.reports.findings.report import FindingsReport
from ave_score.reports.json_text import json_text
from ave_score.reports.style import TextStyle
from ave_score.rules import Severity
from ave_score.version import __version__

_RULE = shared("rule")

_CONTENTS = {
    "questions": COUNT.optional("Questions."),
    "answers": COUNT.optional("Answers."),
    "pairs": COUNT.optional("Text-hypothesis pairs."),
    "selected": COUNT.optional("Answers that are SELECTED."),
    "validated": COUNT.optional("Answers that are, or are labelled, VALIDATED."),
    "rejected": COUNT.optional("Answers that are, or are labelled, REJECTED."),
    "unknown": COUNT.optional("Answers labelled UNKNOWN."),
    "unlabelled": COUNT.optional("Answers without a label."),
    "lowest_confidence": NUMBER.optional("The lowest confidence."),
    "highest_confidence": NUMBER.optional("The highest confidence."),
    "lowest_score": NUMBER.optional("The lowest score of a verifier."),
    "highest_score": NUMBER.optional("The highest score of a verifier."),
    "log": list_of(TEXT).optional("What a log is about, and how its answers count, in words."),
    "verifiers": COUNT.optional("Verifiers, unless there is one."),
    "correct": COUNT.optional("Candidates that are marked correct."),
    "systems": COUNT.optional("QA systems."),
    "withheld": COUNT.optional("Judged answers that are withheld, perhaps at `--threshold`."),
    "answered": COUNT.optional("Questions that are answered."),
    "unanswered": COUNT.optional("Questions that are left unanswered."),
    "runs": COUNT.optional("Runs."),
    "teams": COUNT.optional("Teams."),
    "topics": COUNT.optional("Topics."),
    "patterns": COUNT.optional("Questions with a pattern of hypotheses."),
    "editions": COUNT.optional("Editions."),
    **{setting: COUNT.optional(f"{setting.capitalize()}.") for setting in WORDS},
    "responses": COUNT.optional("Responses."),
    "factoid": COUNT.optional("Factoid questions."),
    "list": COUNT.optional("List questions."),
    "definition": COUNT.optional("Definition questions."),
}

_FINDING = {
    "code": _RULE("The code of the rule.", "finding.rule.code"),
    "name": TEXT("The name of the rule.", "finding.rule.name"),
    "severity": one_of(*Severity)(
        "An error prevents scoring, a warning does not.", "finding.rule.severity"
    ),
    "line": POSITIVE.or_null(
        "The line; null if the finding is not about a single place.", "finding.line"
    ),
    "column": POSITIVE.or_null("The first character in the line.", "finding.column"),
    "end_column": POSITIVE.or_null("The character behind the last.", "finding.end_column"),
    "message": TEXT("What was found and what was expected.", "finding.message"),
    "times": COUNT("The number of findings that it stands for: about answers of one question."),
    "more": COUNT(
        "The number of similar findings that are not listed; only on the last one listed."
    ),
    "more_lines": TEXT("Their lines in short, as far as known: `4-9, 12`.", "lines"),
    "text": TEXT.or_null("The line, shortened, with invisible characters escaped.", "finding.text"),
    "help": TEXT("What to do about it.", "finding.help"),
    "fix": one_of("safe", "unsafe", "none")(
        "The safety of its fix by `ave-score fix`.", "finding.fix"
    ),
}

_FILE = {
    "path": TEXT("The file as it was named.", "checked.path"),
    "kind": one_of(*FileKind, None)(
        "The kind of the file; null if it could not be read.", "checked.kind"
    ),
    "unreadable": TEXT.or_null("Why the file could not be read.", "checked.unreadable"),
    "errors": COUNT("Errors in this file.", "checked.findings.errors"),
    "warnings": COUNT(
        "Warnings in this file.", lambda file, _: file.checked.findings.of(Severity.WARNING)
    ),
    "counts": mapping(COUNT, _RULE)(
        "How often each rule was broken.",
        lambda file, _: {rule.code: times for rule, times in file.checked.findings.tally().items()},
    ),
    "contents": entry(_CONTENTS).or_null(
        "The contents of a file without errors (excluded rules count, too), as far as its kind has "
        "them; otherwise null.",
        "checked.contents",
    ),
    "left_out": COUNT(
        "Findings of rules that `--select` and `--ignore` exclude.", "checked.findings.left_out"
    ),
    "not_checked": list_of(TEXT)("What was not checked, in words.", "checked.findings.unchecked"),
    "findings": list_of(entry(_FINDING))(
        "The findings in file order; those without a line come last.", "listed"
    ),
}

DOCUMENT = ResultDocument(
    "findings",
    "Findings",
    "What is wrong with files: `ave-score check`. It is also printed for defective files, and only "
    "missing if the command could not run (an unknown option, a defective `--collection`).",
    {
        "version": TEXT("The version of ave-score.", lambda *_: __version__),
        "strict": BOOLEAN("Whether warnings count as errors."),
        "exit_code": Type({"enum": [0, 1, 2]})("The exit code of the command."),
        "errors": COUNT(
            "Errors in all files, listed or not.", lambda report, _: report.count(Severity.ERROR)
        ),
        "warnings": COUNT(
            "Warnings in all files, listed or not.",
            lambda report, _: report.count(Severity.WARNING),
        ),
        "not_listed": COUNT("Findings that are not listed and not counted in `more`."),
        "files": list_of(entry(_FILE))("The files in the given order."),
    },
)


def render(report: FindingsReport, _style: TextStyle) -> str:
    """Return a JSON document in ASCII; docs/reference/json/findings.md describes every key."""
    return json_text(DOCUMENT.of(report))
