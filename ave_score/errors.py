"""What can go wrong, in three kinds; the command line turns each into one exit code.

| error         | meaning                                               | exit code |
|---------------|-------------------------------------------------------|-----------|
| `DefectError` | a file was read and has findings that forbid scoring  | 1         |
| `InputError`  | a file cannot be read or written at all               | 2         |
| `UsageError`  | the caller asked for something that does not exist    | 2         |
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ave_score.findings import Findings


class AveScoreError(Exception):
    """Base of every error that this package raises on purpose."""


class AveScoreWarning(UserWarning):
    """A file that was read has findings, none of which forbids scoring."""


class InputError(AveScoreError):
    """A file that cannot be read or written: missing, a directory, no permission, damaged.

    Parameters
    ----------
    path
        The file as the user named it.
    reason
        What is wrong and, where there is one, what to do.
    """

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(f"{path}: {reason}")
        self.path = path
        self.reason = reason


def error_text(error: OSError) -> str:
    """Return what the system says, as the end of a message."""
    return (error.strerror or str(error)).lower()


class PipeClosedError(AveScoreError):
    """Whoever read the output has gone: `| head` has seen enough."""


class UsageError(AveScoreError, ValueError):
    """An option, measure or policy that does not exist, or two that exclude each other."""


class DefectError(AveScoreError):
    """A file has findings of severity *error*, so nothing is scored from it.

    Attributes
    ----------
    findings
        Everything found in the file, warnings included.
    """

    def __init__(self, findings: Findings) -> None:
        super().__init__(findings.brief())
        self.findings = findings
