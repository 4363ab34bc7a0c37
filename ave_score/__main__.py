"""The program: `ave-score`, or `python -m ave_score`."""

import gc
import os
import signal
import sys


def main() -> None:
    """Run the command line and exit."""
    # raise an exception to remove temporary files
    signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))
    # commands are short-lived and create few reference cycles: collect rarely, and not at the end
    gc.set_threshold(100_000)
    # threads that wait for each other take longer than the small products of matrices here
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    from ave_score.commands import run  # importing is faster after the setting

    code = run()
    if "duckdb" not in sys.modules:  # it reports what is not collected
        gc.freeze()
    sys.exit(code)


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
        atexit._run_exitfuncs()
        with suppress(OSError, ValueError):  # left to Python
            for stream in filter(None, (sys.stdout, sys.stderr)):
                stream.flush()
            os._exit(end.code)
        raise


if __name__ == "__main__":
    main()
