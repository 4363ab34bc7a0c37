"""What is found while a task reads what it is given: findings, and files that cannot be used."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable
from contextlib import suppress
from typing import ParamSpec, TypeVar

from ave_score.core.errors import AveScoreWarning, DefectError, InputError, RefusedError, for_python
from ave_score.core.findings import Findings
from ave_score.core.kinds import FileKind
from ave_score.core.text import brief, nothing_done, visible
from ave_score.files.sniff import sniff
from ave_score.files.source import Source
from ave_score.rules import Told

Params = ParamSpec("Params")
Value = TypeVar("Value")


class Reading:
    """The findings of what is read, which are raised, or collected.

    Parameters
    ----------
    collects, told
        As in `Inputs`.
    """

    def __init__(self, *, collects: bool, told: Told) -> None:
        self.collects, self._told = collects, told
        self.findings: list[Findings] = []
        self.unreadable: list[InputError] = []

    @property
    def refused(self) -> int:
        """Number of files that cannot be used."""
        return len(self.not_scored)

    @property
    def not_scored(self) -> list[str]:
        """The files that cannot be used."""
        defective = [findings.path for findings in self.findings if findings.errors]
        return defective + [error.path for error in self.unreadable]

    @property
    def told(self) -> list[Findings]:
        """The findings of each file that are told."""
        return [findings.filtered(self._told) for findings in self.findings]

    @property
    def problems(self) -> list[Findings | InputError]:
        """The findings of all files, and why files could not be read."""
        return [*self.told, *self.unreadable]

    def kind_of(self, source: Source) -> FileKind | None:
        """Return the kind of a file detected from its beginning; None if it cannot be read."""
        with suppress(InputError):  # the reader of the file reports it
            return sniff(source)
        return None

    def take(
        self,
        check: Callable[Params, tuple[Value | None, list[Findings]]],
        *args: Params.args,
        **kwargs: Params.kwargs,
    ) -> Value | None:
        """Return the value of a check; None if the file is left out."""
        try:
            value, findings = check(*args, **kwargs)
        except InputError as error:
            if not self.collects:
                raise
            self.unreadable.append(error)
            return None
        self.findings += findings
        if self.collects:
            return value
        if value is None:
            raise DefectError(next(part for part in findings if part.errors))
        for part in (part.filtered(self._told) for part in findings):
            if len(part):
                warnings.warn(for_python(part.brief()), AveScoreWarning, stacklevel=callers())
        return value

    def read(
        self,
        check: Callable[Params, tuple[Value | None, list[Findings]]],
        *args: Params.args,
        **kwargs: Params.kwargs,
    ) -> Value:
        """Return the value of a check; raises `RefusedError` if the file is left out."""
        return self.needed(self.take(check, *args, **kwargs), "nothing done")

    def needed(self, value: Value | None, message: str) -> Value:
        """Return a value that was taken; raises `RefusedError` if its file is left out."""
        if value is None:
            raise self.refusal(message)
        return value

    def check(self, done: str) -> None:
        """Raise if any file is refused: `RefusedError`, or `DefectError` if nothing is collected.

        `done` is the participle of what is not done.
        """
        defective = [findings for findings in self.findings if findings.errors]
        if defective and not self.collects:
            raise DefectError(defective[0])
        if self.refused:
            raise self.refusal(nothing_done(done, self.refused))

    def refusal(self, message: str) -> RefusedError:
        """Return the error that ends a task, with all findings."""
        return RefusedError(message, self.problems)

    def refusal_of_files(self, files: int, verb: str, *, keep_going: bool) -> RefusedError:
        """Return the error that ends a task if any of its files cannot be used."""
        message = nothing_done(f"{verb}d", self.refused, files)
        if self.refused < files:
            hint = "" if keep_going else f" (--keep-going {verb}s the others)"
            message += f": {visible(brief(self.not_scored))}{hint}"
        return self.refusal(message)


def callers() -> int:
    """Return how many calls up a caller of the package is, for warnings."""
    level, frame = 1, sys._getframe(1)
    while frame.f_back and str(frame.f_globals.get("__name__")).startswith("ave_score."):
        level, frame = level + 1, frame.f_back
    return level
