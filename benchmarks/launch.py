"""Runs a command without its output, and prints its seconds, cpu, peak MB and exit code.

`python -IS launch.py LIMIT COMMAND...`: the limit is in seconds. A program of its own, because the
peak of a process is at least what the process that starts it has: this one has few MB.
"""

import os
import signal
import sys
import time


def main(limit: float, words: list[str]) -> None:
    """Run a command; stop it, and what it started, at the limit."""
    start = time.perf_counter()
    nowhere = [(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)]
    child = os.posix_spawnp(words[0], words, os.environ, file_actions=nowhere, setpgroup=0)
    signal.signal(signal.SIGALRM, lambda _number, _frame: os.killpg(child, signal.SIGKILL))
    signal.setitimer(signal.ITIMER_REAL, limit)
    try:
        _, status, used = os.wait4(child, 0)
    except KeyboardInterrupt:
        os.killpg(child, signal.SIGKILL)
        raise
    wall = time.perf_counter() - start
    code = os.waitstatus_to_exitcode(status)
    print(wall, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024, code)


if __name__ == "__main__":
    main(float(sys.argv[1]), sys.argv[2:])
