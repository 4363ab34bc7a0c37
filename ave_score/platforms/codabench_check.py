"""Check a bundle for Codabench: all that the platform refuses, and what is not the organiser's.

Nothing is unpacked. The description is YAML, of which only JSON is read without PyYAML.
"""

from __future__ import annotations

import json
import zlib
from codecs import getincrementaldecoder
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, date, datetime
from io import BytesIO
from lzma import LZMAError
from pathlib import PurePosixPath
from typing import Any, NamedTuple
from zipfile import BadZipFile, ZipFile, is_zipfile

from ave_score import rules
from ave_score.core.errors import UsageError
from ave_score.core.findings import Findings
from ave_score.core.text import listed
from ave_score.files.nodes import Expected, one_of
from ave_score.platforms.codabench import (
    ALWAYS,
    COMPETITION,
    DOCKER_IMAGE,
    LOGO,
    MAX_NAME,
    PROGRAM,
    PROGRAM_FILE,
    TERMS,
)

MAX_TEXT = 1 << 20
"""Bytes of the longest text of a bundle that is read."""

_FILES = (
    *("scoring_program", "reference_data", "input_data", "ingestion_program"),
    *("public_data", "starting_kit", "path"),
)
"""Settings of tasks, phases and solutions that name files or folders."""

_DAMAGED = (BadZipFile, zlib.error, LZMAError, EOFError, OSError, RuntimeError, ValueError)

_PICTURES = (b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"GIF8")


def _text(most: int) -> Expected:
    return Expected(
        f"a text of at most {most} characters",
        lambda value: isinstance(value, str) and bool(value.strip()) and len(value) <= most,
    )


_PATH, _NAME = _text(1_000), _text(256)
_LIST = Expected("a list with entries", lambda value: isinstance(value, list) and bool(value), [])
_ANY_LIST = Expected("a list", lambda value: isinstance(value, list), [])
_INDEX = Expected("a whole number from 0", lambda value: type(value) is int and value >= 0)
_TIME = Expected("a time such as 2026-05-01 23:59:00", lambda value: _moment(value) is not None)

_SETTINGS = {
    "": {
        "version": Expected("2", lambda value: value == 2),
        "title": _NAME,
        "image": _PATH,
        "terms": _PATH,
        "pages": _ANY_LIST,
        "tasks": _LIST,
        "phases": _LIST,
        "leaderboards": _LIST,
    },
    "pages": {"title": _NAME, "file": _PATH},
    "tasks": {"index": _INDEX, "name": _NAME, "scoring_program": _PATH, "reference_data": _PATH},
    "phases": {"name": _NAME, "start": _TIME, "tasks": _LIST},
    "solutions": {"index": _INDEX, "path": _PATH, "tasks": _LIST},
    "leaderboards": {"title": _text(64), "key": _text(MAX_NAME), "columns": _LIST},
    "columns": {
        "index": _INDEX,
        "key": _text(MAX_NAME),
        "title": _text(MAX_NAME),
        "sorting": one_of(("asc", "desc"), None),
    },
}
"""Part of the description -> the settings that each entry needs."""


def check_bundle(data: bytes, path: str) -> Findings:
    """Return the findings in a bundle; raises `UsageError` for YAML that cannot be read."""
    findings = Findings(path)
    try:
        with ZipFile(BytesIO(data)) as archive:
            _Check(archive, findings).run()
    except UsageError:
        raise
    except _DAMAGED as error:
        is_zip = is_zipfile(BytesIO(data))
        facts = {"where": "the file", "found": str(error) if is_zip else "no zip file"}
        facts["expected"] = (
            f"a bundle of `ave-score bundle codabench`: a zip file with {COMPETITION}"
        )
        findings.add(rules.BUNDLE_REFUSED, **facts)
    return findings


class _Part(NamedTuple):
    """An entry of the description: where it is, and its settings that are as expected."""

    where: str
    values: Mapping[str, Any]


class _Check:
    """Checks the description of a competition, and the files that it names."""

    def __init__(self, archive: ZipFile, findings: Findings) -> None:
        self._archive, self._findings = archive, findings
        names = self._names = {*archive.namelist()}
        self._known = names | {str(path) for name in names for path in PurePosixPath(name).parents}

    def run(self) -> None:
        """Add all findings."""
        document = self._description()
        if document is None:
            return
        top = self._part("the competition", document, "")
        pages, tasks, phases, solutions, boards = (
            self._parts(top, name)
            for name in ("pages", "tasks", "phases", "solutions", "leaderboards")
        )
        self._check_file(top, "image", _picture_problem)
        self._check_file(top, "terms", _text_problem)
        for page in pages:
            self._check_file(page, "file", _text_problem)
        for part in (*tasks, *phases, *solutions):
            for name in _FILES:
                self._check_file(part, name)
        for task in tasks:
            self._check_program(task, top.values.get("docker_image"))
        known = {task.values.get("index") for task in tasks}
        for part in (*phases, *solutions):
            for index in part.values.get("tasks", ()):
                if type(index) is not int or index not in known:
                    self._refuse(f"tasks of {part.where}", index, "the index of a task")
        for several in (tasks, *(self._parts(board, "columns") for board in boards)):
            self._check_unique(several, "index")
            self._check_unique(several, "key")
        self._check_times(phases)
        self._tell_defaults(top, phases)

    def _description(self) -> object:
        """Return the description of the competition; None if there is none."""
        text = self._read(COMPETITION)
        if text is None:
            inner = [name for name in self._names if name.endswith(f"/{COMPETITION}")]
            found = f"only in a folder: {inner[0]}" if inner else "missing"
            self._refuse(COMPETITION, found, "it in the zip file itself, in no folder")
            return None
        try:
            return _parsed(text) or "nothing"
        except (ValueError, RecursionError) as error:
            self._refuse(COMPETITION, error, "YAML")
            return None

    def _refuse(self, where: str, found: object, expected: str) -> None:
        self._findings.add(rules.BUNDLE_REFUSED, where=where, found=str(found), expected=expected)

    def _read(self, name: str) -> bytes | None:
        """Return the beginning of a file; None if there is none."""
        if name not in self._names:
            return None
        with self._archive.open(name) as stream:
            return stream.read(MAX_TEXT)

    def _part(self, where: str, document: object, name: str) -> _Part:
        """Return the settings of an entry, without those that are missing or unusable."""
        if not isinstance(document, dict):
            self._refuse(where, document, "settings")
            return _Part(where, {})
        right = dict(document)
        for key, expected in _SETTINGS[name].items():
            if not expected.is_right(document.get(key)):
                self._refuse(f"{key} of {where}", document.get(key, "missing"), expected.text)
                right.pop(key, None)
        return _Part(where, right)

    def _parts(self, part: _Part, name: str) -> list[_Part]:
        """Return the entries of a list; what is none is told where the list is expected."""
        entries = part.values.get(name)
        of = f" of {part.where}" if name == "columns" else ""
        several = entries if isinstance(entries, list) else []
        return [self._part(f"{name}[{n}]{of}", entry, name) for n, entry in enumerate(several)]

    def _check_unique(self, parts: Sequence[_Part], name: str) -> None:
        times = Counter(str(part.values[name]) for part in parts if name in part.values)
        for value in (value for value in times if times[value] > 1):
            self._refuse(f"{name} of {parts[0].where} and others", value, "one that no other has")

    def _check_file(
        self, part: _Part, name: str, problem_of: Callable[[bytes], str] = lambda _: ""
    ) -> None:
        path = part.values.get(name)
        if path is None:
            return
        path = str(path).rstrip("/")
        found = "" if path in self._known else "not in the bundle"
        found = found or problem_of(self._read(path) or b"")
        if found:
            where = f"{name} of {part.where}"
            self._findings.add(rules.BUNDLE_FILE, where=where, name=path, found=found)

    def _check_program(self, task: _Part, image: object) -> None:
        """Check that a program in a folder says what is executed, and that a worker can do it."""
        folder = str(task.values.get("scoring_program")).rstrip("/")
        texts = [self._read(f"{folder}/{name}") for name in ("metadata.yaml", "metadata")]
        if folder in self._known - self._names and not any(
            b"command" in (of or b"") for of in texts
        ):
            facts = {"where": f"scoring_program of {task.where}", "name": folder}
            found = "without a metadata.yaml with a command"
            self._findings.add(rules.BUNDLE_FILE, **facts, found=found)
        if self._read(f"{folder}/{PROGRAM_FILE}") == PROGRAM.encode():
            self._check_package(f"{folder}/wheels/", image)

    def _check_package(self, wheels: str, image: object) -> None:
        """Check that the program of bundles finds the package: else every submission fails."""
        has = {name for name in self._names if name.startswith(wheels) and name.endswith(".whl")}
        names = (PurePosixPath(name).name.lower() for name in has)
        if has and not any(name.startswith("ave_score-") for name in names):
            found = f"{listed(sorted(has)[:3])}, none of which is of ave_score"
            self._refuse(wheels, found, "the wheel of ave_score, and those of what it needs")
        elif not has and image in (None, DOCKER_IMAGE):
            found = f"{DOCKER_IMAGE}, which has no ave_score" if image else "missing"
            expected = "an image that has ave_score, or else its wheels (--wheels FOLDER)"
            self._refuse("docker_image of the competition", found, expected)

    def _check_times(self, phases: Sequence[_Part]) -> None:
        """Check that phases follow each other; only the last one may have no end."""
        before = None
        for number, part in enumerate(phases):
            start, end = (_moment(part.values.get(name)) for name in ("start", "end"))
            if start and before and start <= before:
                self._refuse(f"start of {part.where}", part.values["start"], "a later time")
            if start and end and end <= start:
                self._refuse(f"end of {part.where}", part.values["end"], "a time after its start")
            if end is None and number < len(phases) - 1:
                expected = "a time, since another phase follows"
                self._refuse(f"end of {part.where}", part.values.get("end", "missing"), expected)
            before = end

    def _tell_defaults(self, top: _Part, phases: Sequence[_Part]) -> None:
        """Tell what is in the bundle because nobody has said anything else."""
        values = top.values
        defaults = {
            "terms": self._read(str(values.get("terms"))) == TERMS.encode(),
            "image": self._read(str(values.get("image"))) == LOGO,
            "opens": any(phase.values.get("start") == ALWAYS for phase in phases),
            "closes": any(not phase.values.get("end") for phase in phases[-1:]),
        }
        missing = [name for name, is_default in defaults.items() if is_default]
        if missing:
            self._findings.add(rules.BUNDLE_DEFAULT, found=listed(missing))


def _text_problem(data: bytes) -> str:
    try:
        getincrementaldecoder("utf-8")().decode(data)  # its last character may be cut
    except ValueError:
        return "not UTF-8"
    return "" if data else "empty"


def _picture_problem(data: bytes) -> str:
    return "" if data.startswith(_PICTURES) else "no PNG, JPEG or GIF"


def _parsed(text: bytes) -> object:
    """Return a document of YAML; raises `ValueError` if it is none."""
    try:
        return json.loads(text)
    except ValueError:
        pass
    try:
        import yaml
    except ImportError:
        problem = f"{COMPETITION} is YAML that is not JSON: pip install pyyaml to check it"
        raise UsageError(problem) from None
    try:
        return yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise ValueError(" ".join(str(error).split())) from error


def _moment(value: object) -> datetime | None:
    """Return a time of UTC, from a text or a value of YAML; None for others."""
    if isinstance(value, str):
        try:
            value = datetime.fromisoformat(value.strip())
        except ValueError:
            return None
    if isinstance(value, date) and not isinstance(value, datetime):
        value = datetime(value.year, value.month, value.day)
    return value.replace(tzinfo=UTC) if isinstance(value, datetime) else None
