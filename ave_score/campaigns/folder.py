"""A folder of results: pages of an earlier call are replaced, other files are never touched."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from ave_score.core.errors import InputError, UsageError, error_text
from ave_score.core.locks import locked
from ave_score.core.writing import remove_parts, whole_bytes

RECORD = "cache.json"
"""File with the hashes of the pages written and the path of the campaign file."""

AUDIENCES = (ORGANISERS, PUBLIC) = ("organisers", "public")
"""Who reads a folder."""

_FIRST = "index.md"
"""The page that every folder has."""

_DEEPEST = 3
"""Folders of the deepest pages: teams/TEAM/EDITION."""


class Said(NamedTuple):
    """What a call said of what it wrote: of what all was made (`digest_of`), and its words."""

    made_from: str
    code: int
    summary: str
    notes: list[str]


class Folder:
    """A folder for results, created when they are written.

    Parameters
    ----------
    path
        The folder.
    owner
        The path of the campaign file, or - for standard input.
    audience
        Who reads the folder: that of organisers never becomes one for the public, nor the reverse.

    Raises
    ------
    UsageError
        The path is empty or a file, or the folder contains the results of another owner.
    """

    def __init__(self, path: str, owner: str, audience: str) -> None:
        self.path = path
        self._root = Path(path)
        self._owner = owner if owner == "-" else _from(self._root, owner)
        self._audience = audience
        if path in ("", "-"):
            raise UsageError(f"invalid results folder {path!r}")
        self._written = self._recorded()

    def _recorded(self) -> dict[str, list[str]]:
        """Return the recorded hashes by page, if this call may write here."""
        path = self.path
        try:
            if self._root.exists() and not self._root.is_dir():
                raise UsageError(f"{path} is not a folder")
            written, before, readers = self._read()
        except OSError as error:
            raise InputError(path, f"cannot be read: {error_text(error)}") from error
        if written and readers != self._audience:
            raise UsageError(
                f"{path} contains results for {readers}, not for {self._audience}; choose another "
                "folder with --output"
            )
        if before not in ("", "-", self._owner) and self._owner != "-":
            whose = os.path.normpath(self._root / before)
            raise UsageError(
                f"{path} contains the results of {whose}; choose another folder with --output"
            )
        return written

    def check(self) -> None:
        """Raise `InputError` for a page that somebody changed, or has put here, as `write`.

        What the pages will be is not known: one that will not be written any more is refused, too.
        """
        for name in sorted({*self._written, _FIRST}):
            self._refuse_others(name, b"")

    def _refuse_others(self, name: str, content: bytes) -> None:
        """Raise `InputError` if a page with this content would replace one of somebody else."""
        present = self._present(name)
        # a page that a failure of power took is empty
        if present not in (None, b"", content) and _hash(present) not in self._hashes(name):
            raise InputError(
                str(self._root / name),
                "exists and was not written by ave-score, or was changed; move it, or choose "
                "another folder with --output",
            )

    def remove_parts(self, names: Iterable[str] = ()) -> None:
        """Remove what calls that were killed have left beside pages: these, or those written."""
        for parent in {(self._root / name).parent for name in names or self._written}:
            remove_parts(os.path.realpath(parent))

    @property
    def record(self) -> Path:
        """The path of the record."""
        return self._root / RECORD

    def said_before(self) -> Said | None:
        """Return what the last call said, if all its pages are as it left them.

        Only to be believed of a record that nobody has changed.
        """
        try:
            said = Said(**json.loads(self._present(RECORD) or b"")["said"])
        except (ValueError, TypeError, KeyError, RecursionError):
            return None
        pages = self._written.items()
        are_left = all(_hash(self._present(name)) in hashes for name, hashes in pages)
        return said if are_left else None

    def write(self, data: Mapping[str, bytes], said: Said | None = None) -> None:
        """Write files (path in the folder -> content), and remove pages of earlier calls.

        Raises `InputError`, and writes nothing, if a file that an earlier call did not write would
        be overwritten.
        """
        self._create(self._root)
        with locked(self.path):
            self._written = self._recorded()  # another call may just have ended
            self._write(data, said)

    def _write(self, data: Mapping[str, bytes], said: Said | None) -> None:
        for name, content in data.items():
            self._refuse_others(name, content)
        hashes = {name: [_hash(content)] for name, content in data.items()}
        # record old and new hashes first, in case this is interrupted
        names = sorted(hashes.keys() | self._written.keys())
        both = {name: sorted({*self._hashes(name), *hashes.get(name, [])}) for name in names}
        self._put_record(both)
        self.remove_parts(names)
        for name, content in data.items():
            if self._present(name) != content:
                self._put(name, content)
        for name in self._written.keys() - data.keys():
            self._remove(name)
        self._put_record(hashes, said)

    def _hashes(self, name: str) -> list[str]:
        """Return the recorded hashes of a page."""
        return self._written.get(name, [])

    def _put_record(self, hashes: dict[str, list[str]], said: Said | None = None) -> None:
        of, written = json.dumps(self._owner), json.dumps(dict(sorted(hashes.items())))
        readers = f'"audience": "{self._audience}",\n' * (self._audience != ORGANISERS)
        told = "" if said is None else f'"said": {json.dumps(said._asdict())},\n'
        text = f'{{"of": {of},\n{readers}{told}"written": {written}}}\n'
        if self._present(RECORD) != text.encode():
            self._put(RECORD, text.encode())

    def _read(self) -> tuple[dict[str, list[str]], str, str]:
        """Return the recorded hashes by page, the owner, and the audience."""
        data = self._present(RECORD)
        if data is None:
            return {}, "", ""
        try:
            document = json.loads(data)
            written, owner = document["written"], document["of"]
            names = {
                name: [*map(str, digests)]
                for name, digests in written.items()
                if _is_own(name) and isinstance(digests, list)
            }
            return names, str(owner), str(document.get("audience", ORGANISERS))
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
            if self._present(_FIRST) is None:
                raise InputError(
                    str(self._root / RECORD), "was not written by ave-score; move it"
                ) from None
            return {}, "", ""  # damaged

    def _present(self, name: str) -> bytes | None:
        """Return the content of a file in the folder, None if it does not exist."""
        path = self._root / name
        try:
            if path.is_symlink() or not self._is_inside(path):
                raise InputError(str(path), "is a link or lies outside the results folder")
            if path.exists() and not path.is_file():  # a pipe has no end
                raise InputError(str(path), "is not a regular file")
            return path.read_bytes()
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError as error:
            raise InputError(str(path), f"cannot be read: {error_text(error)}") from error

    def _is_inside(self, path: Path) -> bool:
        return path.parent.resolve().is_relative_to(self._root.resolve())

    def _put(self, name: str, data: bytes) -> None:
        path = self._root / name
        self._create(path.parent)
        with whole_bytes(str(path)) as out:
            out.write(data)

    def _create(self, folder: Path) -> None:
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            reason = f"cannot be created: {error_text(error)}"
            raise InputError(str(folder), reason) from error

    def _remove(self, name: str) -> None:
        """Remove a page of an earlier call if it is unchanged."""
        path = self._root / name
        with suppress(OSError, InputError):
            if _hash(self._present(name)) in self._hashes(name):
                path.unlink()
                for folder in [*path.relative_to(self._root).parents][:-1]:
                    (self._root / folder).rmdir()  # only if empty


def _from(root: Path, path: str) -> str:
    """Return a path relative to a folder, independent of the working directory and the system."""
    return os.path.relpath(os.path.realpath(path), os.path.realpath(root)).replace(os.sep, "/")


def _is_own(name: str) -> bool:
    """Return whether a name is that of a page: a file, at most `_DEEPEST` folders deep."""
    parts = name.split("/")
    return len(parts) <= _DEEPEST + 1 and all(map(_is_plain, parts))


def _is_plain(part: str) -> bool:
    return part.isprintable() and part not in ("", ".", "..") and "\\" not in part


def _hash(data: bytes | None) -> str:
    return "" if data is None else hashlib.sha256(data).hexdigest()
