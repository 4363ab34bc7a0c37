"""A rule: one defect that a file can have, with its message, explanation, examples and fix."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from functools import cache, cached_property
from typing import Any, TypeAlias

from ave_score.core.kinds import TEXT_TABLES, FileKind


class Severity(StrEnum):
    """An error prevents scoring; a warning does not."""

    ERROR = "error"
    WARNING = "warning"


class Safety(StrEnum):
    """Whether `ave-score fix` can fix a defect.

    A safe fix cannot change the meaning of the run; an unsafe fix makes a decision that is the
    author's; other defects have no fix.
    """

    SAFE = "safe"
    UNSAFE = "unsafe"
    NONE = "none"


SAFE, UNSAFE = Safety.SAFE, Safety.UNSAFE


class Rule:
    """One defect that a file can have.

    What findings print is here; `ave_score/rules/texts` has the rest, which is read when asked for:
    a table for each code in the TOML file of its first two digits. Entries before the tables are
    those of all rules of the file that have none themselves.

    Attributes
    ----------
    code
        Stable: `AVE10x` lines of a file, `AVE11x` the file as text, `AVE2xx` a run or key against
        its collection, `AVE3xx` the verdicts on the answers of one question, `AVE4xx` collections,
        `AVE50x` and `AVE51x` judged files and tables that belong to them, `AVE52x` what a
        collection is built from, `AVE6xx` answers of a system, `AVE70x` campaign files, `AVE71x`
        bundles made of them, `AVE8xx` answer sets and responses, `AVE90x` scores of a verifier,
        `AVE91x` logs with such scores.
    name
        The name of the rule, in kebab-case.
    message
        What was found and what was expected, with the facts as `{fields}`.
    help
        What to do about it, in one line.
    safety
        Whether `ave-score fix` can fix it.
    """

    def __init__(
        self,
        code: str,
        name: str,
        severity: Severity,
        message: str,
        help: str,
        safety: Safety = Safety.NONE,
    ) -> None:
        self.code = code
        self.name = name
        self.severity = severity
        self.message = message
        self.help = help
        self.safety = safety

    @cached_property
    def _texts(self) -> dict[str, Any]:
        texts = _texts_of(self.code[: len("AVE10")])
        return {**texts, **texts[self.code]}

    @property
    def explanation(self) -> str:
        """Why it matters, in one paragraph, with the usual causes."""
        return _joined(self._texts["explanation"])

    @property
    def wrong(self) -> str:
        """A complete small file that breaks this rule and no other."""
        return str(self._texts["wrong"])

    @property
    def right(self) -> str:
        """The same file fixed."""
        return str(self._texts["right"])

    @property
    def stored(self) -> str:
        """How the wrong file on disk differs from the text shown, where text cannot show it."""
        return _joined(self._texts.get("stored", ""))

    @property
    def fix(self) -> str | None:
        """What `ave-score fix` does about it, or why it does nothing; None if in no run."""
        return _joined(self._texts["fix"]) if "fix" in self._texts else None

    @property
    def example_of(self) -> FileKind:
        """The kind of file of the two examples."""
        return self.kinds[0]

    @property
    def kinds(self) -> tuple[FileKind, ...]:
        """The kinds of files that can break the rule; `text-tables` are all read by lines."""
        first = FileKind(self._texts.get("example_of", FileKind.RUN))
        others: list[FileKind] = []
        for name in self._texts.get("also_in", ()):
            others += TEXT_TABLES if name == "text-tables" else [FileKind(name)]
        return (first, *(kind for kind in others if kind is not first))

    def __repr__(self) -> str:
        return f"<Rule {self.code} {self.name}>"


def error(code: str, name: str, message: str, help: str, safety: Safety = Safety.NONE) -> Rule:
    """Return a rule of what prevents scoring."""
    return Rule(code, name, Severity.ERROR, message, help, safety)


def warning(code: str, name: str, message: str, help: str, safety: Safety = Safety.NONE) -> Rule:
    """Return a rule of what does not prevent scoring."""
    return Rule(code, name, Severity.WARNING, message, help, safety)


Told: TypeAlias = Callable[[Rule], bool]
"""Tells whether findings of a rule are told."""


def every_rule(_: Rule) -> bool:
    """Tell findings of every rule."""
    return True


@cache
def _texts_of(level: str) -> dict[str, Any]:
    """Return the texts of the rules whose codes start with `level`."""
    import tomllib
    from pkgutil import get_data

    data = get_data(__package__, f"texts/{level}.toml")
    return tomllib.loads((data or b"").decode())


def _joined(text: str) -> str:
    return " ".join(text.strip().split("\n"))
