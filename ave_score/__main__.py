"""The program: `ave-score`, or `python -m ave_score`."""

import gc
import signal
import sys


def main() -> None:
    """Run the command line and exit."""
    # raise an exception to remove temporary files
    signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))
    # commands are short-lived and create few reference cycles: collect rarely, and not at the end
    gc.set_threshold(100_000)
    from ave_score.commands import run  # importing is faster after the setting

    code = run()
    gc.freeze()
    sys.exit(code)


def script() -> None:
    """Run the console script: as `main`, but the process ends before the interpreter is torn down.

    Freeing every object would take longer than checking a run. What could notice the difference is
    respected: exit handlers, other threads, and Python with options (a profiler, `-i`).
    """
    try:
        main()
    except SystemExit as end:
        import atexit
        import os
        import threading

        if sys.orig_argv[1:] == sys.argv and threading.active_count() == 1:
            atexit._run_exitfuncs()
            for stream in filter(None, (sys.stdout, sys.stderr)):
                stream.flush()
            os._exit(end.code if isinstance(end.code, int) else 0)
        raise


if __name__ == "__main__":
    main()
