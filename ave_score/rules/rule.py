"""A rule: one defect that a file can have, with its message, explanation, examples and fix."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from ave_score.kinds import FileKind


class Severity(StrEnum):
    """An error prevents scoring; a warning does not."""

    ERROR = "error"
    WARNING = "warning"


ERROR, WARNING = Severity.ERROR, Severity.WARNING


class Safety(StrEnum):
    """Whether `ave-score fix` can fix a defect.

    A safe fix cannot change the meaning of the run; an unsafe fix makes a decision that is the
    author's; other defects have no fix.
    """

    SAFE = "safe"
    UNSAFE = "unsafe"
    NONE = "none"


class Fix(NamedTuple):
    """What `ave-score fix` does about a defect, or why it does nothing."""

    safety: Safety
    text: str


def safe(text: str) -> Fix:
    """Return a fix that is always applied."""
    return Fix(Safety.SAFE, text)


def unsafe(text: str) -> Fix:
    """Return a fix that is only applied with --unsafe."""
    return Fix(Safety.UNSAFE, text)


def no_fix(reason: str) -> Fix:
    """Return the reason why there is no fix."""
    return Fix(Safety.NONE, reason)


def only_runs(reason: str) -> Fix:
    """Return the reason why there is no fix for a file that is not a run."""
    return no_fix(f"`ave-score fix` is limited to AVE runs; {reason}")


class Rule(NamedTuple):
    """One defect that a file can have.

    Attributes
    ----------
    code
        Stable: `AVE1xx` lines of a file, `AVE2xx` a run or key against its collection, `AVE3xx`
        the verdicts on the answers of one question, `AVE4xx` collections, `AVE5xx` judged files,
        tables that belong to them, and what a collection is built from, `AVE6xx` answers of a
        system, `AVE7xx` campaign files, `AVE8xx` answer sets and responses, `AVE9xx` scores of a
        verifier.
    name
        The name of the rule, in kebab-case.
    message
        What was found and what was expected, with the facts as `{fields}`.
    help
        What to do about it, in one line.
    explanation
        Why it matters, in one paragraph, with the usual causes.
    wrong, right
        A complete small file that breaks this rule and no other, and the same file fixed.
    example_of
        The kind of file of the two examples.
    also_in
        Other kinds of files that can break the rule.
    stored
        How the wrong file on disk differs from the text shown, where text cannot show it.
    fix
        What `ave-score fix` does about it.
    """

    code: str
    name: str
    severity: Severity
    message: str
    help: str
    explanation: str
    wrong: str
    right: str
    fix: Fix
    example_of: FileKind = FileKind.RUN
    stored: str = ""
    also_in: tuple[FileKind, ...] = ()

    @property
    def kinds(self) -> tuple[FileKind, ...]:
        """The kinds of files that can break the rule."""
        return (self.example_of, *self.also_in)

    def __repr__(self) -> str:
        return f"<Rule {self.code} {self.name}>"


SOUND_RUN = """\
1 1_1 SELECTED 0.9
1 1_2 REJECTED 0.2
2 2_1 REJECTED 0.1
"""
"""A run without a defect, the counterpart of many examples."""
