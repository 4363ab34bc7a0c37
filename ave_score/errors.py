"""The exceptions of this package; the command line maps each to an exit code.

| error         | meaning                                               | exit code |
|---------------|-------------------------------------------------------|-----------|
| `DefectError` | a file was read and has findings that prevent scoring | 1         |
| `InputError`  | a file cannot be read or written at all               | 2         |
| `UsageError`  | the caller asked for something that does not exist    | 2         |
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ave_score.findings import Findings


class AveScoreError(Exception):
    """Base class of all errors of this package."""


class AveScoreWarning(UserWarning):
    """A file has findings, none of which prevents scoring."""


class InputError(AveScoreError):
    """A file that cannot be read or written: missing, a directory, no permission, damaged.

    Parameters
    ----------
    path
        The file as the user named it.
    reason
        What is wrong and, if possible, what to do.
    """

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(f"{path}: {reason}")
        self.path = path
        self.reason = reason


def error_text(error: OSError) -> str:
    """Return the operating system's error message in lower case."""
    return (error.strerror or str(error)).lower()


class PipeClosedError(AveScoreError):
    """The output is a closed pipe, as with `| head`."""


class UsageError(AveScoreError, ValueError):
    """An option, measure or policy that does not exist, or two that exclude each other."""


class DefectError(AveScoreError):
    """A file has findings of severity *error*, so nothing is scored from it.

    Attributes
    ----------
    findings
        All findings of the file, including warnings.
    """

    def __init__(self, findings: Findings) -> None:
        super().__init__(findings.brief())
        self.findings = findings
