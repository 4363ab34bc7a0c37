"""Check the files of a bundle for Codabench before it is written: all that the platform refuses.

What `codabench.bundle` decides is sound; what a campaign file says, or leaves out, is checked.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any

from ave_score import rules
from ave_score.core.findings import Findings
from ave_score.core.text import listed
from ave_score.platforms.bundle import Files
from ave_score.platforms.codabench import (
    ALWAYS,
    COMPETITION,
    DOCKER_IMAGE,
    LOGO,
    MAX_NAME,
    TERMS,
    WHEELS,
)

_LONGEST = {"title": 256, "name": 256, "key": MAX_NAME}
"""Setting that has a text -> the most characters that the platform takes."""

_PICTURES = (b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"GIF8")

_Settings = Mapping[str, Any]


def check_bundle(files: Files, path: str) -> Findings:
    """Return the findings in the files of a bundle, which is to be written to a path."""
    _Check(files, findings := Findings(path)).run()
    return findings


class _Check:
    """Checks the description of a competition, and the files that it names."""

    def __init__(self, files: Files, findings: Findings) -> None:
        self._files, self._findings = files, findings
        self._top: _Settings = json.loads(files[COMPETITION])

    def run(self) -> None:
        """Add all findings."""
        self._check_text("the competition", self._top, "title")
        self._check_file("image", _picture_problem)
        self._check_file("terms", _text_problem)
        for part in ("tasks", "phases"):
            for number, entry in enumerate(self._top[part]):
                self._check_text(f"{part}[{number}]", entry, "name")
        for number, board in enumerate(self._top["leaderboards"]):
            self._check_columns(f"leaderboards[{number}]", board["columns"])
        self._check_package()
        for number, phase in enumerate(self._top["phases"]):
            if "end" in phase and phase["end"] <= phase["start"]:
                self._refuse(f"end of phases[{number}]", phase["end"], "a time after its start")
        self._tell_defaults()

    def _refuse(self, where: str, found: object, expected: str) -> None:
        self._findings.add(rules.BUNDLE_REFUSED, where=where, found=str(found), expected=expected)

    def _check_text(self, where: str, settings: _Settings, name: str) -> None:
        text, most = settings[name], _LONGEST[name]
        if not text.strip() or len(text) > most:
            self._refuse(f"{name} of {where}", text, f"a text of at most {most} characters")

    def _check_columns(self, board: str, columns: Sequence[_Settings]) -> None:
        """Check that a table has columns, and that each has a key of its own."""
        if not columns:
            self._refuse(f"columns of {board}", columns, "a measure that applies to the runs")
        for number, column in enumerate(columns):
            self._check_text(f"columns[{number}] of {board}", column, "key")
        times = Counter(column["key"] for column in columns)
        for key in (key for key in times if times[key] > 1):
            self._refuse(f"key of columns of {board}", key, "one that no other has")

    def _check_file(self, name: str, problem_of: Callable[[bytes], str]) -> None:
        path = self._top[name]
        found = problem_of(self._files[path])
        if found:
            where = f"{name} of the competition"
            self._findings.add(rules.BUNDLE_FILE, where=where, name=path, found=found)

    def _check_package(self) -> None:
        """Check that the program finds the package: else every submission fails."""
        has = sorted(name for name in self._files if name.startswith(WHEELS))
        names = (PurePosixPath(name).name.lower() for name in has)
        if has and not any(name.startswith("ave_score-") for name in names):
            found = f"{listed(has[:3])}, none of which is of ave_score"
            self._refuse(WHEELS, found, "the wheel of ave_score, and those of what it needs")
        elif not has and self._top["docker_image"] == DOCKER_IMAGE:
            found = f"{DOCKER_IMAGE}, which has no ave_score"
            expected = "an image that has ave_score, or else its wheels (--wheels FOLDER)"
            self._refuse("docker_image of the competition", found, expected)

    def _tell_defaults(self) -> None:
        """Tell what is in the bundle because nobody has said anything else."""
        top, phases = self._top, self._top["phases"]
        defaults = {
            "terms": self._files[top["terms"]] == TERMS.encode(),
            "image": self._files[top["image"]] == LOGO,
            "opens": any(phase["start"] == ALWAYS for phase in phases),
            "closes": any("end" not in phase for phase in phases),
        }
        missing = [name for name, is_default in defaults.items() if is_default]
        if missing:
            self._findings.add(rules.BUNDLE_DEFAULT, found=listed(missing))


def _text_problem(data: bytes) -> str:
    try:
        data.decode()
    except ValueError:
        return "not UTF-8"
    return "" if data else "empty"


def _picture_problem(data: bytes) -> str:
    return "" if data.startswith(_PICTURES) else "no PNG, JPEG or GIF"
