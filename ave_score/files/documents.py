"""A folder of documents: `<doc>.txt`, or `<doc>.txt.gz`, for each id."""

from __future__ import annotations

import ntpath
from collections.abc import Callable
from pathlib import Path

from ave_score.core.errors import InputError
from ave_score.core.text import without_control
from ave_score.files.encoding import with_lf
from ave_score.files.source import Source

MAX_DOCUMENT = 16 << 20
"""Bytes of the longest document that is read."""

_SUFFIXES = (".txt", ".txt.gz")


class Documents:
    """The documents of a folder.

    Parameters
    ----------
    folder
        Its path; `InputError` is raised if it is not a folder.
    """

    def __init__(self, folder: str) -> None:
        self._folder = Path(folder)
        if not folder or "\0" in folder or not _holds(self._folder.is_dir):
            raise InputError(folder, "is not a folder of documents")

    def text(self, doc: str) -> str | None:
        """Return the text of a document; None if there is no document with this id.

        Raises
        ------
        InputError
            It cannot be read, is not UTF-8, or has more than `MAX_DOCUMENT` bytes.
        ValueError
            The id is not a name (see `is_name`).
        """
        if not is_name(doc):
            raise ValueError(f"no name of a document: {doc!r}")
        for suffix in _SUFFIXES:
            path = self._folder / f"{doc}{suffix}"
            if _holds(path.exists):
                return _text(Source(path))
        return None


def is_name(doc: str) -> bool:
    r"""Tell whether an id is a plain file name, which cannot lead out of the folder.

    >>> [is_name(doc) for doc in ("LA111794-0288", "../x", "/etc/x", "C:x", "a\\b", "")]
    [True, False, False, False, False, False]
    """
    if not doc or doc.startswith(".") or any(character in doc for character in "/\\\0"):
        return False
    return not ntpath.splitdrive(doc)[0]


def _holds(test: Callable[[], bool]) -> bool:
    """Return the result of a path test; False if the name is too long for the system."""
    try:
        return test()
    except OSError:
        return False


def _text(source: Source) -> str:
    data = source.whole(MAX_DOCUMENT)
    if data is None:
        raise InputError(
            source.path, f"holds more than {MAX_DOCUMENT >> 20} MiB, too large for a document"
        )
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(source.path, f"is not UTF-8 (byte {error.start + 1:,})") from None
    return without_control(with_lf(text))
