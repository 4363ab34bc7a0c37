"""The program: `ave-score`, or `python -m ave_score`.

Nothing slow is imported before Ctrl-C is handled; `signal` itself is, as a module of Python.
"""

import gc
import os
import sys
from _signal import (  # type: ignore[import-not-found]
    SIG_IGN,
    SIGINT,
    SIGTERM,
    default_int_handler,
    getsignal,
    signal,
)


def main() -> None:
    """Run the command line and exit."""
    try:
        sys.exit(_exit_code())
    except KeyboardInterrupt:  # before or after the error boundary of the commands
        _interrupted()


def _interrupted(*_: object) -> None:
    """Say so, and end at once: nothing was begun that would have to be finished."""
    os.write(2, b"ave-score: interrupted\n")
    os._exit(130)


def _exit_code() -> int:
    """Run the command line and return its exit code."""
    # raise an exception to remove temporary files
    signal(SIGTERM, lambda number, _: sys.exit(128 + number))
    # while modules are imported, Python prints and forgets an exception that a signal raises
    at_ctrl_c = getsignal(SIGINT)
    if at_ctrl_c is default_int_handler:  # a background job ignores the signal
        signal(SIGINT, _interrupted)
    # commands are short-lived and create few reference cycles: collect rarely, and not at the end
    gc.set_threshold(100_000)
    # threads that wait for each other take longer than the small products of matrices here
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    from ave_score.commands import run  # importing is faster after the setting

    signal(SIGINT, at_ctrl_c)
    code = run()
    if "duckdb" not in sys.modules:  # it reports what is not collected
        gc.freeze()
    return code


def script() -> None:
    """Run the console script: as `main`, but its objects are not freed one by one at the end.

    Exit handlers are called and streams are flushed first. Python ends as usual with other threads,
    and with options of its own: a profiler prints its results after the program.
    """
    try:
        main()
    except SystemExit as end:
        import atexit
        import threading
        from contextlib import suppress

        is_alone = threading.active_count() == 1 and sys.orig_argv[1:] == sys.argv
        if not is_alone or not isinstance(end.code, int):
            raise
        signal(SIGINT, SIG_IGN)  # all is done
        atexit._run_exitfuncs()
        with suppress(OSError, ValueError):  # left to Python
            for stream in filter(None, (sys.stdout, sys.stderr)):
                stream.flush()
            os._exit(end.code)
        raise


if __name__ == "__main__":
    main()
