"""A process that lacks what Python lacks on Windows, and sees files as Windows shows them.

`python -m tests.helpers_windows COMMAND...` is `ave-score` there: paths have backslashes and a
drive, names are found in any case, names that Windows refuses are refused, an open file is neither
replaced nor removed, processes cannot fork, and standard output is in Windows-1252 with CR LF.
Packages are those of this system, and so is what they open without Python.
"""

from __future__ import annotations

import builtins
import errno
import io
import multiprocessing
import ntpath
import os
import pathlib
import re
import signal
import sys
import sysconfig
import unicodedata
from collections.abc import Callable, Iterator
from importlib.machinery import SourceFileLoader
from multiprocessing import spawn
from typing import Any

MISSING = {
    os: "fork forkpty chown chroot fchmod fchown getegid geteuid getgid getpgid getuid "
    "killpg lchown mkfifo mknod nice pathconf posix_fadvise posix_spawn sched_getaffinity setsid "
    "statvfs sync sysconf wait O_NOFOLLOW O_CLOEXEC O_DIRECTORY O_NONBLOCK",
    signal: "SIGALRM SIGHUP SIGKILL SIGPIPE SIGUSR1 SIGVTALRM alarm pause pthread_sigmask "
    "setitimer sigwait",
}
"""What modules of Python lack on Windows."""

ABSENT = (
    "crypt", "fcntl", "grp", "nis", "pty", "pwd", "resource", "spwd", "syslog", "termios", "tty",
)  # fmt: skip
"""Modules that Python lacks on Windows."""

_REFUSED = re.compile(
    r'[<>:"|?*\x00-\x1f]|[. ]$|^(con|prn|aux|nul|(com|lpt)[\d¹²³])(\..*)?$', re.IGNORECASE
)
"""Names that Windows does not give to files."""

Function = Callable[..., Any]


def shown(path: str) -> str:
    return f"C:{path}".replace("/", "\\") if path.startswith("/") else path.replace("/", "\\")


def native(path: Any) -> Any:  # noqa: ANN401 - what functions of files take
    """Return the path of this system that a path of Windows stands for."""
    if isinstance(path, int) or path is None:
        return path
    text = os.fsdecode(path)
    if text.startswith("/dev/"):
        return text
    found = ""
    for part in re.split(r"([\\/]+)", re.sub(r"^[Cc]:", "", text)):
        if part.strip("\\/.") == "":
            found += part.replace("\\", "/")
        elif _REFUSED.search(part):
            raise OSError(
                errno.EINVAL, "The filename, directory name, or volume label syntax", text
            )
        elif _exists(found + part):
            found += part
        else:
            alike = {_folded(name): name for name in _names_in(found or ".")}
            found += alike.get(_folded(part), part)
    return found


def _names_in(folder: str) -> list[str]:
    try:
        return _listdir(folder)
    except OSError:
        return []


def _folded(name: str) -> str:
    return unicodedata.normalize("NFC", name).casefold()


def _is_open(path: str) -> bool:
    """Tell whether this process has a file open, which Windows does not replace."""
    real, numbers = _realpath(path), _listdir("/proc/self/fd")
    links = (f"/proc/self/fd/{number}" for number in numbers)
    return any(_realpath(link) == real for link in links)


def _taking(function: Function, paths: int = 1, *, ends: bool = False) -> Function:
    """Return a function that takes paths of Windows; `ends` says whether one ends a file."""

    def taking(*given: Any, **named: Any) -> Any:  # noqa: ANN401 - passed through
        own = [native(path) for path in given[:paths]]
        if ends and (any(map(_is_open, own)) or (paths == 2 and ntpath.isdir(given[1]))):
            raise PermissionError(errno.EACCES, "Permission denied", given[0])
        return function(*own, *given[paths:], **named)

    return taking


class _Entry:
    """An entry of a folder, with its path as Windows shows it."""

    def __init__(self, entry: os.DirEntry[str]) -> None:
        self._entry, self.name, self.path = entry, entry.name, shown(entry.path)

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - passed through
        return getattr(self._entry, name)

    def __fspath__(self) -> str:
        return self.path


class _Entries:
    """The entries of a folder, as `os.scandir` has them."""

    def __init__(self, folder: Any = ".") -> None:  # noqa: ANN401 - a path, or a number
        self._entries = _scandir(native(folder))

    def __enter__(self) -> _Entries:
        return self

    def __exit__(self, *_: object) -> None:
        self._entries.close()

    def __iter__(self) -> Iterator[_Entry]:
        return map(_Entry, self._entries)

    def __next__(self) -> _Entry:
        return _Entry(next(self._entries))

    def close(self) -> None:
        self._entries.close()


_OF_A_PATH = "stat lstat open listdir mkdir rmdir chdir access chmod utime"
_listdir, _scandir, _getcwd = os.listdir, os.scandir, os.getcwd
_lstat, _realpath, _get_data = os.lstat, os.path.realpath, SourceFileLoader.get_data


def _exists(path: str) -> bool:
    try:
        return bool(_lstat(path))
    except OSError:
        return False


def install() -> None:
    """Make this process one of Windows, as far as Python goes."""
    sysconfig.get_config_vars()  # while these are still known
    for module, names in MISSING.items():
        for name in names.split():
            if hasattr(module, name):
                delattr(module, name)
    for name in ABSENT:
        sys.modules[name] = None  # type: ignore[assignment]
    multiprocessing.set_start_method("spawn", force=True)
    usual = spawn.get_preparation_data  # another process begins as one of this system
    spawn.get_preparation_data = lambda name: {**usual(name), "dir": _getcwd()}
    for name in _OF_A_PATH.split():
        setattr(os, name, _taking(getattr(os, name)))
    for name in ("unlink", "remove"):
        setattr(os, name, _taking(getattr(os, name), ends=True))
    for name in ("replace", "rename"):
        setattr(os, name, _taking(getattr(os, name), 2, ends=True))
    os.scandir = _Entries  # type: ignore[assignment]
    os.getcwd = lambda: shown(_getcwd())
    builtins.open = io.open = _taking(io.open)
    SourceFileLoader.get_data = (  # type: ignore[method-assign]
        lambda self, path: _get_data(self, path.replace("\\", "/"))
    )
    ntpath.realpath = lambda path, **_: shown(_realpath(native(path)))  # type: ignore[assignment]
    os.path = sys.modules["os.path"] = ntpath
    os.sep, os.altsep, os.linesep, os.name = "\\", "/", "\r\n", "nt"
    if sys.version_info < (3, 12):
        pathlib.WindowsPath._flavour.is_supported = True  # type: ignore[attr-defined]
    else:
        del pathlib.WindowsPath.__new__  # which refuses to be called elsewhere
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper) and "PYTHONIOENCODING" not in os.environ:
            stream.reconfigure(encoding="cp1252", newline="\r\n")


if __name__ in ("__main__", "__mp_main__"):
    install()
if __name__ == "__main__":
    from ave_score.__main__ import main

    main()
