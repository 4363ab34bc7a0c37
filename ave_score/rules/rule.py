"""What a rule is: one thing that can be wrong with a file, and everything there is to say of it."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from ave_score.kinds import FileKind


class Severity(StrEnum):
    """An error forbids scoring; a warning is shown and does not."""

    ERROR = "error"
    WARNING = "warning"


ERROR, WARNING = Severity.ERROR, Severity.WARNING


class Safety(StrEnum):
    """Whether `ave-score fix` mends what breaks a rule.

    A safe fix cannot change what the run says; an unsafe one decides something for its author; for
    the others there is none.
    """

    SAFE = "safe"
    UNSAFE = "unsafe"
    NONE = "none"


class Fix(NamedTuple):
    """What `ave-score fix` does about a rule, or the reason why it does nothing."""

    safety: Safety
    text: str


def safe(text: str) -> Fix:
    """Return a fix that is made without being asked for by name."""
    return Fix(Safety.SAFE, text)


def unsafe(text: str) -> Fix:
    """Return a fix that is made with --unsafe only."""
    return Fix(Safety.UNSAFE, text)


def no_fix(reason: str) -> Fix:
    """Return the reason why there is none."""
    return Fix(Safety.NONE, reason)


class Rule(NamedTuple):
    """One thing that can be wrong.

    Attributes
    ----------
    code
        Stable: `AVE1xx` a line of a file, `AVE2xx` a run or key against its collection, `AVE3xx`
        the verdicts inside a question, `AVE4xx` a collection, `AVE5xx` a judged file, a table
        that goes with one, or what a collection is built from, `AVE6xx` what a system answered,
        `AVE7xx` a campaign file, `AVE8xx` answer sets and the responses to their questions,
        `AVE9xx` the scores of a verifier.
    name
        The same in words, kebab-case.
    message
        What was found and what was expected, with the facts as `{fields}`.
    help
        What to do about it, in one line.
    explanation
        Why it matters, in a paragraph.
    wrong, right
        A whole small file that breaks this rule and no other, and the same file mended.
    example_of
        What kind of file the two are.
    also_in
        What other kinds of files can break the rule.
    stored
        How the wrong file differs from the text shown, where a text cannot show it.
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
