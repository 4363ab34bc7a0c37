"""The exceptions of this package; the command line maps each to an exit code.

| error         | meaning                                               | exit code |
|---------------|-------------------------------------------------------|-----------|
| `DefectError` | a file was read and has findings that prevent scoring | 1         |
| `InputError`  | a file cannot be read or written at all               | 2         |
| `UsageError`  | the caller asked for something that does not exist    | 2         |
"""

from __future__ import annotations

import errno
import gc
import os
import re
from collections.abc import Callable, Container, Sequence
from functools import wraps
from typing import TYPE_CHECKING, Concatenate, ParamSpec, Protocol, TypeVar

if TYPE_CHECKING:
    from ave_score.core.findings import Findings

Arguments = ParamSpec("Arguments")
Value = TypeVar("Value")


_OPTION = re.compile(
    r"(`[^`]*`)|(?<![\w/.-])--([a-z]+(?:-[a-z]+)*)(?: ([a-z-]+)=[A-Z]+(?:,\.{3})?)?"
)
"""A command in backticks, or an option, perhaps with the key of a value."""

_CLAUSE = re.compile(
    r"(?:,? e\.g\.|[;,:.])(?: (?:`[^`]*`|[^;,:.`(])*?)? ?(?<![\w/.-])--[a-z].*?"
    r"(?=[;:]|, or |\.?$|\. [A-Z])"
)
"""The part of a message that is about an option, up to the next part or sentence."""

_IN_BRACKETS = re.compile(r" \((use )?--[^()]*\)")

_PARAMETERS = {
    "ci": "level",
    "log": "logs",
    "limit per-topic": "max_per_topic",
    "limit documents": "documents",
    "columns score": "columns",
    "log score": "choice.scores",
}
"""Option -> the parameter of Python, if its name differs by more than the dashes."""


def _parameter(found: re.Match[str]) -> str:
    """Return the parameter of an option, or of the key of one."""
    _, option, key = found.groups()
    name = _PARAMETERS.get(f"{option} {key}", f"choice.{key}") if key else ""
    return (name or _PARAMETERS.get(option, option)).replace("-", "_")


def for_python(text: str) -> str:
    """Return a message with the parameters of Python instead of the options of the command line."""
    return _OPTION.sub(lambda found: found[1] or _parameter(found), text)


def for_settings(text: str, settings: Container[str], before: str = "") -> str:
    """Return a message with the settings of a campaign file instead of the options named so.

    `before` stands before each of them.
    """

    def setting(found: re.Match[str]) -> str:
        option = "" if found[1] else _parameter(found)
        return f"{before}{option}" if option in settings else found[0]

    return _OPTION.sub(setting, text)


def for_pages(text: str) -> str:
    """Return a text without what it says of options, which readers of a page do not give.

    A hint, which begins with a semicolon, goes as a whole.

    >>> for_pages("Write it in capitals; --values says what other words mean.")
    'Write it in capitals.'
    """
    if text.startswith(";") and "--" in text:
        return ""
    return _CLAUSE.sub("", _IN_BRACKETS.sub("", text))


class AveScoreError(Exception):
    """Base class of all errors of this package.

    Messages name options, as the command line prints them; `str` names the parameters of Python.
    """

    @property
    def for_commands(self) -> str:
        """The message with options."""
        return super().__str__()

    def __str__(self) -> str:
        return for_python(self.for_commands)


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


def unnamed_error_text(error: OSError) -> str:
    """Say what failed, for an error that the reader or writer of a file did not report."""
    if error.errno in (errno.EMFILE, errno.ENFILE):
        return "too many open files; close some, or raise the limit (ulimit -n)"
    if error.filename is not None:
        return f"{os.fsdecode(error.filename)}: {error_text(error)}"
    if error.errno == errno.ENOENT:  # only a path has to exist, and this one has no name
        return "the working directory does not exist any more; change to one that does"
    return f"cannot write to standard output: {error_text(error)}"


def exhausted(error: MemoryError | RecursionError) -> str:
    """Say of a file what it takes too much of."""
    if isinstance(error, MemoryError):
        return "needs more memory than there is"
    return "is nested too deeply"


class _HasPath(Protocol):
    @property
    def path(self) -> str: ...


File = TypeVar("File", bound=_HasPath)


def for_one_file(
    read: Callable[Concatenate[File, Arguments], Value],
) -> Callable[Concatenate[File, Arguments], Value]:
    """Let a reader raise `InputError` if its file takes all memory, or is nested too deeply.

    So one file ends neither a command for many nor a program that uses the package.
    """

    @wraps(read)
    def reading(file: File, /, *arguments: Arguments.args, **named: Arguments.kwargs) -> Value:
        try:
            return read(file, *arguments, **named)
        except (MemoryError, RecursionError) as error:
            reason = exhausted(error)
        # here nothing refers to the variables of the reader any more, but they may to each other
        gc.collect()
        raise InputError(file.path, reason)

    return reading


class PipeClosedError(AveScoreError):
    """The output is a closed pipe, as with `| head`."""


class UsageError(AveScoreError, ValueError):
    """An option, measure or policy that does not exist, or two that exclude each other."""


def wrong_type(wanted: str, value: object) -> UsageError:
    """Return the error for an argument of a type that is not taken."""
    return UsageError(f"expected {wanted}, found {type(value).__name__}")


def check_type(value: object, *types: type) -> None:
    """Raise `UsageError` for a value of none of the types."""
    if not isinstance(value, types):
        raise wrong_type(" or ".join(kind.__name__ for kind in types), value)


class RefusedError(AveScoreError):
    """A task cannot do without a file that cannot be used.

    Parameters
    ----------
    message
        What is not done, and why.
    problems
        The findings of all files, and why files could not be read.
    """

    def __init__(self, message: str, problems: Sequence[Findings | InputError]) -> None:
        super().__init__(message)
        self.problems = problems


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
