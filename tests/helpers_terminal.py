"""Helper for tests of what a terminal shows; where there is none, its tests are skipped."""

from __future__ import annotations

import os
import select
import struct

import pytest

from tests.helpers_command import plain_environment

fcntl, pty, termios = map(pytest.importorskip, ("fcntl", "pty", "termios"))


def in_terminal(arguments: list[str], width: int = 80, /, **environment: str) -> tuple[str, int]:
    """Run a command in a terminal of its own; return what it showed and its exit code."""
    pid, terminal = pty.fork()
    if pid == 0:
        fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack("HHHH", 24, width, 0, 0))
        shown_as = {"TERM": "xterm", "COLUMNS": str(width)}
        os.execve(arguments[0], arguments, plain_environment() | shown_as | environment)
    shown = b""
    while select.select([terminal], [], [], 30)[0]:
        try:
            piece = os.read(terminal, 65536)
        except OSError:  # how Linux says that the other end is closed
            break
        if not piece:
            break
        shown += piece
    os.close(terminal)
    _, status = os.waitpid(pid, 0)
    return shown.decode(), os.waitstatus_to_exitcode(status)
