"""A folder of results: what an earlier call wrote is renewed, what is somebody else's is not."""

from __future__ import annotations

import hashlib
import json
from contextlib import suppress
from pathlib import Path, PurePosixPath

from ave_score.cli.files import whole_file
from ave_score.errors import InputError, UsageError, error_text

CACHE = "cache.json"
"""Which files were written, by their hashes, and what was counted for them."""


class Folder:
    """A folder that results are written into; made when that is done.

    Raises `UsageError` where it is a file, or its name is empty.
    """

    def __init__(self, path: str) -> None:
        self.path = path
        self._root = Path(path)
        if not path or (self._root.exists() and not self._root.is_dir()):
            raise UsageError(f"{path or 'the output'!r} is no folder that results could go into")
        self._written, self._cached = self._read()

    def cached(self) -> str:
        """Return what was kept in the cache when the folder was written."""
        return self._cached

    def write(self, files: dict[str, str], cached: str) -> None:
        """Write files by their paths in the folder, and take away those of an earlier time.

        Nothing is written where a file would be lost that was not written by an earlier call, which
        raises `InputError`.
        """
        data = {name: text.encode() for name, text in files.items()}
        for name, content in data.items():
            present = self._present(name)
            if present not in (None, content) and _hash(present) != self._written.get(name):
                raise InputError(
                    str(self._root / name),
                    "was not written by ave-score, or was changed; move it away, or name another "
                    "folder with --output",
                )
        hashes = {name: _hash(content) for name, content in data.items()}
        for name, content in data.items():
            if self._present(name) != content:
                self._put(name, files[name])
        for name in self._written.keys() - data.keys():
            if _hash(self._present(name)) == self._written[name]:
                self._remove(name)
        document = {"written": dict(sorted(hashes.items())), "counted": json.loads(cached)}
        self._put(CACHE, json.dumps(document, indent=0) + "\n")

    def _read(self) -> tuple[dict[str, str], str]:
        """Return the hashes of what was written before, by name, and the rest of the cache."""
        try:
            document = json.loads((self._root / CACHE).read_text("utf-8"))
            written, counted = document["written"], document["counted"]
            names = {str(name): str(digest) for name, digest in written.items() if _is_own(name)}
        except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
            return {}, ""
        return names, json.dumps(counted)

    def _present(self, name: str) -> bytes | None:
        path = self._root / name
        try:
            return path.read_bytes()
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError as error:
            raise InputError(str(path), f"cannot be read: {error_text(error)}") from error

    def _put(self, name: str, text: str) -> None:
        path = self._root / name
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            reason = f"cannot be made: {error_text(error)}"
            raise InputError(str(path.parent), reason) from error
        with whole_file(str(path)) as out:
            out.write(text)

    def _remove(self, name: str) -> None:
        path = self._root / name
        with suppress(OSError):
            path.unlink()
            path.parent.rmdir()  # where nothing is left in it


def _is_own(name: object) -> bool:
    """Tell whether a name leads to a place inside of the folder."""
    parts = PurePosixPath(str(name)).parts
    return bool(parts) and ".." not in parts and not PurePosixPath(str(name)).is_absolute()


def _hash(data: bytes | None) -> str | None:
    return None if data is None else hashlib.sha256(data).hexdigest()
