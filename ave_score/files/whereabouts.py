"""The position of a question in QA4MRE: its topic and its reading test."""

from __future__ import annotations

from functools import partial

from ave_score import rules
from ave_score.files.xml import Attributes, ElementReader, Ender, stripped

MAX_PART = 1000
"""Characters of the longest id of a topic or a reading test: each of its questions repeats it."""


class Whereabouts:
    """The topic and the reading test of a QA4MRE question.

    The q_id is only unique within a reading test.
    """

    def __init__(self, reader: ElementReader) -> None:
        self._reader = reader
        self._ids = dict.fromkeys(("topic", "reading-test"), "")
        self.enders: dict[str, Ender] = {tag: partial(self._end, tag) for tag in self._ids}

    def start(self, tag: str, name: str, attributes: Attributes) -> None:
        """Enter a topic or a reading test; its id is in the attribute `name`."""
        part_id = self._reader.checked_id(tag, name, stripped(attributes))
        if len(part_id) > MAX_PART:
            self._reader.report(rules.ID_UNUSABLE, found=part_id)
        self._ids[tag] = part_id[:MAX_PART]

    def _end(self, tag: str) -> None:
        self._ids[tag] = ""

    @property
    def attributes(self) -> dict[str, str]:
        """The ids of the open topic and reading test, by the names of their elements."""
        return {tag: part_id for tag, part_id in self._ids.items() if part_id}

    def question_id(self, q_id: str) -> str:
        """Return the full id of a question: t_id/r_id/q_id, without empty parts."""
        return "/".join(filter(None, [*self._ids.values(), q_id]))
