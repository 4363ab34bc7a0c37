"""Check a bundle for Codabench: all that the platform refuses, and what is not the organiser's.

Nothing is unpacked. The description is YAML, of which only JSON is read without PyYAML.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, date, datetime
from io import BytesIO
from typing import Any, NamedTuple
from zipfile import BadZipFile, ZipFile

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
    TERMS,
)

MAX_TEXT = 1 << 20
"""Bytes of the longest text of a bundle that is read."""

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
    except (BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError) as error:
        findings.add(
            rules.BUNDLE_REFUSED, where="the file", found=str(error), expected="a zip file"
        )
    return findings


class _Part(NamedTuple):
    """An entry of the description: where it is, and its settings that are as expected."""

    where: str
    values: Mapping[str, Any]


class _Check:
    """Checks the description of a competition, and the files that it names."""

    def __init__(self, archive: ZipFile, findings: Findings) -> None:
        self._archive, self._findings = archive, findings
        self._names = {info.filename for info in archive.infolist()}

    def run(self) -> None:
        document = self._description()
        if document is None:
            return
        top = self._part("the competition", document, "")
        if "leaderboard" in document:
            self._refuse("the competition", "leaderboard", "leaderboards, which are a list")
        pages, tasks = self._parts(document, "pages"), self._parts(document, "tasks")
        phases, boards = self._parts(document, "phases"), self._parts(document, "leaderboards")
        solutions = self._parts(document, "solutions") if "solutions" in document else []
        self._check_texts([_Part("terms", {"file": top.values.get("terms")}), *pages])
        self._check_image(top.values.get("image"))
        self._check_unique(tasks, "index")
        for task in tasks:
            for name in ("scoring_program", "reference_data", "input_data"):
                self._file(task, name)
            self._check_program(task)
        known = [task.values.get("index") for task in tasks]
        for part in (*phases, *solutions):
            for name in ("public_data", "starting_kit", "path"):
                self._file(part, name)
            for index in part.values.get("tasks", ()):
                if index not in known:
                    self._refuse(f"tasks of {part.where}", index, "the index of a task")
        self._check_times(phases)
        for board in boards:
            columns = self._parts(board.values, "columns", f" of {board.where}")
            for name in ("index", "key"):
                self._check_unique(columns, name)
        self._tell_defaults(top, phases, tasks)

    def _refuse(self, where: str, found: object, expected: str) -> None:
        self._findings.add(rules.BUNDLE_REFUSED, where=where, found=str(found), expected=expected)

    def _description(self) -> dict[str, Any] | None:
        text = self._read(COMPETITION)
        if text is None:
            inner = [name for name in self._names if name.endswith(f"/{COMPETITION}")]
            found = f"only in a folder: {inner[0]}" if inner else "missing"
            self._refuse(COMPETITION, found, "it in the zip file itself, in no folder")
            return None
        try:
            document = _parsed(text)
        except (ValueError, RecursionError) as error:
            self._refuse(COMPETITION, error, "YAML")
            return None
        if not isinstance(document, dict):
            self._refuse(COMPETITION, type(document).__name__, "settings")
            return None
        return document

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
            value = document.get(key)
            if not expected.is_right(value):
                found = "missing" if key not in document else value
                self._refuse(f"{key} of {where}", found, expected.text)
                right.pop(key, None)
        return _Part(where, right)

    def _parts(self, document: Mapping[str, Any], name: str, of: str = "") -> list[_Part]:
        entries = document.get(name)
        if not isinstance(entries, list):
            return []  # which is told where the list is expected
        return [self._part(f"{name}[{n}]{of}", entry, name) for n, entry in enumerate(entries)]

    def _check_unique(self, parts: Sequence[_Part], name: str) -> None:
        seen = set()
        for part in parts:
            value = part.values.get(name)
            if value is not None and value in seen:
                self._refuse(f"{name} of {part.where}", value, "one that no other has")
            seen.add(value)

    def _has(self, path: str) -> bool:
        """Tell whether a file or a folder is in the bundle."""
        below = f"{path.rstrip('/')}/"
        return path in self._names or any(name.startswith(below) for name in self._names)

    def _file(self, part: _Part, name: str) -> None:
        path = part.values.get(name)
        if path is not None and not (isinstance(path, str) and self._has(path)):
            self._missing(f"{name} of {part.where}", path, "not in the bundle")

    def _missing(self, where: str, path: object, found: str) -> None:
        self._findings.add(rules.BUNDLE_FILE, where=where, name=str(path), found=found)

    def _check_texts(self, parts: Iterable[_Part]) -> None:
        for part in parts:
            path = part.values.get("file")
            if path is None:
                continue
            text = self._read(path)
            if not text:
                found = "not in the bundle" if text is None else "empty"
                self._missing(part.where, path, found)
            elif "\ufffd" in text.decode("utf-8", "replace"):
                self._missing(part.where, path, "not UTF-8")

    def _check_image(self, path: str | None) -> None:
        data = path and self._read(path)
        if path is not None and data is None:
            self._missing("image", path, "not in the bundle")
        elif data and not data.startswith(_PICTURES):
            self._missing("image", path, "no PNG, JPEG or GIF")

    def _check_program(self, task: _Part) -> None:
        """Check that a program in a folder says what is executed."""
        folder = str(task.values.get("scoring_program", "")).rstrip("/")
        if not folder or folder in self._names or not self._has(folder):
            return
        found = (self._read(f"{folder}/{name}") for name in ("metadata.yaml", "metadata"))
        if not any(b"command" in text for text in found if text):
            self._missing(task.where, folder, "without a metadata.yaml with a command")

    def _check_times(self, phases: Sequence[_Part]) -> None:
        for before, part in zip([None, *phases], phases, strict=False):
            start, end = (_moment(part.values.get(name)) for name in ("start", "end"))
            if start and end and end <= start:
                expected = "a time after its start"
                self._refuse(f"end of {part.where}", part.values["end"], expected)
            ended = _moment(before.values.get("end")) if before else None
            if before and start and (ended is None or start <= ended):
                found, expected = part.values["start"], f"a time after the end of {before.where}"
                self._refuse(f"start of {part.where}", found, expected)

    def _tell_defaults(self, top: _Part, phases: Sequence[_Part], tasks: Sequence[_Part]) -> None:
        """Tell what is in the bundle because nobody has said anything else."""
        values, wheels = top.values, self._has_wheels(tasks)
        defaults = {
            "terms": self._read(str(values.get("terms"))) == TERMS.encode(),
            "image": self._read(str(values.get("image"))) == LOGO,
            "opens": any(phase.values.get("start") == ALWAYS for phase in phases),
            "closes": any(not phase.values.get("end") for phase in phases[-1:]),
            "docker_image": values.get("docker_image") == DOCKER_IMAGE and not wheels,
        }
        missing = [name for name, is_default in defaults.items() if is_default]
        if missing:
            self._findings.add(rules.BUNDLE_DEFAULT, found=listed(missing))

    def _has_wheels(self, tasks: Sequence[_Part]) -> bool:
        folders = tuple(f"{task.values.get('scoring_program')}/" for task in tasks)
        return any(name.startswith(folders) and name.endswith(".whl") for name in self._names)


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
