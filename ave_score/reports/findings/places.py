"""Paths and URIs of files, relative to the folder of the command where they lie in it."""

from __future__ import annotations

import os
from urllib.parse import quote_from_bytes


def relative_path(path: str) -> str:
    """Return a path as a repository knows it: below the present folder relative, with slashes."""
    here = os.getcwd()  # noqa: PTH109 - strings all the way, as the user gave them
    whole = os.path.normpath(os.path.join(here, path))  # noqa: PTH118
    if whole.startswith(here.rstrip(os.sep) + os.sep):
        whole = os.path.relpath(whole, here)
    return whole.replace(os.sep, "/")


def uri(path: str) -> str:
    """Return a relative URI of a file below the present folder, else one of scheme `file`."""
    place = relative_path(path)
    encoded = quote_from_bytes(os.fsencode(place), safe="/")
    return f"file://{encoded}" if place.startswith("/") else encoded
