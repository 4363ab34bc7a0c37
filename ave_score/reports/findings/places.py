"""Paths and URIs of files, relative to the present folder where they lie in it; safe JSON."""

from __future__ import annotations

import os
from urllib.parse import quote_from_bytes

from ave_score.reports.json_text import json_text


def relative_path(path: str) -> str:
    """Return a path as a repository knows it: below the present folder relative, with slashes."""
    try:
        here = os.getcwd()  # noqa: PTH109 - strings all the way, as the user gave them
    except OSError:  # it is there no more
        return path.replace(os.sep, "/")
    whole = os.path.normpath(os.path.join(here, path))  # noqa: PTH118
    if whole.startswith(here.rstrip(os.sep) + os.sep):
        whole = os.path.relpath(whole, here)
    return whole.replace(os.sep, "/")


def uri(path: str) -> str:
    """Return a relative URI of a file below the present folder, else one of scheme `file`."""
    place = relative_path(path)
    encoded = quote_from_bytes(os.fsencode(place), safe="/")
    return f"file://{encoded}" if place.startswith("/") else encoded


def findings_json(document: object) -> str:
    """Return a JSON document, all in ASCII; `##[error]` in it would be a command in a log."""
    return json_text(document).replace("##", "#\\u0023")
