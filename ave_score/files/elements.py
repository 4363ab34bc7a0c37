"""What readers of XML share: limits, complaints, and ids as they must be."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple, Protocol

from ave_score import rules
from ave_score.rules import Rule
from ave_score.text import is_usable_id

MAX_DEPTH = 256
"""Deepest nesting that is read; a collection has 4 levels, one of QA4MRE 6."""

MAX_TOKEN = 10_000_000
"""Bytes of the longest tag or comment that is read, as by lxml; time grows with its square."""

_plain_id = re.compile(r"[!\"$-~][!-~]*").fullmatch
"""Matches printable ASCII that does not begin with #: nearly every id there is."""


class Complaint(NamedTuple):
    """What lxml says of a file that it does not take as XML, and where."""

    problem: str
    line: int
    column: int


class StopReadingError(Exception):
    """Raised where reading on is no use; the reason has been reported."""


class Report(Protocol):
    """Takes what is wrong at the present place."""

    def __call__(self, rule: Rule, /, **facts: object) -> None:
        """Note that `rule` is broken."""


MAX_PART = 1000
"""Characters of the longest id of a topic or a reading test: each of its questions repeats it."""


class Whereabouts:
    """The topic and the reading test that a question of QA4MRE stands in.

    In each reading test q_id begins anew.
    """

    def __init__(self, report: Report) -> None:
        self._report = report
        self._topic = self._reading_test = ""

    def start_topic(self, attributes: Mapping[str, str]) -> None:
        """Enter a topic."""
        self._topic = self._part("topic", "t_id", attributes)

    def end_topic(self) -> None:
        """Leave a topic."""
        self._topic = ""

    def start_reading_test(self, attributes: Mapping[str, str]) -> None:
        """Enter a reading test."""
        self._reading_test = self._part("reading-test", "r_id", attributes)

    def end_reading_test(self) -> None:
        """Leave a reading test."""
        self._reading_test = ""

    def question_id(self, q_id: str) -> str:
        """Return what identifies a question here: t_id/r_id/q_id, as far as there are some."""
        return "/".join(filter(None, [self._topic, self._reading_test, q_id]))

    def _part(self, tag: str, name: str, attributes: Mapping[str, str]) -> str:
        found = checked_id(self._report, tag, name, stripped(attributes))
        if len(found) > MAX_PART:
            self._report(rules.ID_UNUSABLE, found=found)
        return found[:MAX_PART]


def local_name(tag: str) -> str:
    """Return the tag without its namespace, which stands before `}` in lxml, `:` in expat."""
    return tag if tag.isalnum() else tag.replace("}", ":").rpartition(":")[2]


def checked_id(report: Report, tag: str, name: str, attributes: Mapping[str, str]) -> str:
    """Return the id that an attribute holds, "" where there is none; report one of no use."""
    found = attributes.get(name, "")
    if not _plain_id(found):
        if name not in attributes:
            report(rules.ID_MISSING, tag=tag, attribute=name)
        elif not is_usable_id(found):
            report(rules.ID_UNUSABLE, found=found)
    return found


def stripped(attributes: Mapping[str, str]) -> dict[str, str]:
    """Return attributes without blanks around their values, which files of QA4MRE have."""
    return {name: value.strip() for name, value in attributes.items()}
