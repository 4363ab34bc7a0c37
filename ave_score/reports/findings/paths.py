"""Paths and URIs of files, relative to the working directory if they are in it."""

from __future__ import annotations

import os
from urllib.parse import quote_from_bytes


def relative_path(path: str) -> str:
    """Return a path with slashes, relative if it is below the working directory."""
    try:
        here = os.getcwd()  # noqa: PTH109 - keeps the path as the user wrote it
    except OSError:  # deleted meanwhile
        return path.replace(os.sep, "/")
    whole = os.path.normpath(os.path.join(here, path))  # noqa: PTH118
    if whole.startswith(here.rstrip(os.sep) + os.sep):
        whole = os.path.relpath(whole, here)
    return whole.replace(os.sep, "/")


def uri(path: str) -> str:
    """Return a relative URI for a file below the working directory, else a `file:` URI."""
    relative = relative_path(path)
    encoded = quote_from_bytes(os.fsencode(relative), safe="/")
    return f"file://{encoded}" if relative.startswith("/") else encoded
