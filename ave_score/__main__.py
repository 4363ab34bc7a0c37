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


if __name__ == "__main__":
    main()
