"""The command: `python -m tests.fuzz --executions 20000 --seed 1 --reader all`."""

from __future__ import annotations

import argparse
import signal
import sys
from types import FrameType

import tests.fuzz
from tests import THOROUGH
from tests.fuzz.guided import run_guided
from tests.fuzz.loop import run_reader
from tests.fuzz.targets import TARGETS


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=tests.fuzz.__doc__)
    executions = 10_000_000 // len(TARGETS) if THOROUGH else 1000
    parser.add_argument("--executions", type=int, default=executions, help="of each reader")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--reader", choices=[*TARGETS, "all"], default="all")
    parser.add_argument("--guided", action="store_true", help="by coverage: needs '.[fuzz]'")
    parser.add_argument("--keep", action="store_true", help="and keep inputs that go new ways")
    given = parser.parse_args(arguments)
    failed = 0
    signal.signal(signal.SIGTERM, _end)
    try:
        for reader in list(TARGETS) if given.reader == "all" else [given.reader]:
            if given.guided:
                failed += run_guided(reader, given.executions, given.seed, keeps=given.keep)
            else:
                failed += run_reader(reader, given.executions, given.seed)
    except KeyboardInterrupt:
        return 1
    return int(failed > 0)


def _end(number: int, frame: FrameType | None) -> None:
    raise KeyboardInterrupt


if __name__ == "__main__":
    sys.exit(main())
