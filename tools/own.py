"""The project's own files: those under version control, or named folders in an unpacked archive.

Whatever else lies in a checkout is no part of the project: a virtual environment, what was built,
packages of another language, an editor's folder. Tests and tools that look at all files of a kind
ask here. A new file is one of these once it is added to the index of Git.
"""

from __future__ import annotations

import os
import subprocess
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

ALWAYS_PACKED = ("pyproject.toml", ".gitignore")
"""What an archive has without being asked."""


def own_files(below: str = "", suffix: str = "", root: Path = ROOT) -> list[Path]:
    """Return the project's own files in the order of their paths.

    Parameters
    ----------
    below
        A folder in the root, or none for all.
    suffix
        How their names end.
    root
        The root of a checkout, or of an unpacked archive.

    Returns
    -------
    list of Path
        Full paths of files that exist.

    Raises
    ------
    FileNotFoundError
        There is no such file: whoever looks at none sees nothing wrong.
    """
    folder = root / below
    found = [
        path
        for path in _all(root)
        if path.name.endswith(suffix) and path.is_relative_to(folder) and path.is_file()
    ]
    if not found:
        raise FileNotFoundError(f"{folder}: no file of the project ends with {suffix!r}")
    return found


@cache
def _all(root: Path) -> tuple[Path, ...]:
    tracked = _tracked(root) if (root / ".git").exists() else None
    return tuple(sorted(_in_archive(root) if tracked is None else tracked))


def _tracked(root: Path) -> list[Path] | None:
    """Return what is under version control; None if Git is missing or refuses the folder."""
    words = ["git", "-C", str(root), "ls-files", "-z"]
    try:
        done = subprocess.run(words, capture_output=True, check=True, env=without_git())
    except (OSError, subprocess.CalledProcessError):
        return None
    return [root / name for name in os.fsdecode(done.stdout).split("\0") if name]


def without_git() -> dict[str, str]:
    """Return the environment without what a hook of Git sets: that would name another checkout."""
    return {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}


def _in_archive(root: Path) -> Iterator[Path]:
    """Yield what the description of the source archive names, without compiled modules."""
    project = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))
    packed = project["tool"]["hatch"]["build"]["targets"]["sdist"]["include"]
    for name in (*packed, *ALWAYS_PACKED):
        for top in root.glob(name.removeprefix("/")):
            inside = top.rglob("*") if top.is_dir() else [top]
            yield from (one for one in inside if one.is_file() and "__pycache__" not in one.parts)
