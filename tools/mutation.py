"""Mutants: small changes of functions, which tests should notice.

    python -m tools.mutation counts --sample 200 --seed 1

It draws mutants of an area at random, in a clone of the last commit, and runs the tests that reach
the changed statement, the quickest first, until one fails. Changes are those of mutmut; its own
command leaves out what it cannot change in a running process: functions with decorators, as are all
measures and properties, and what is computed once. Here each mutant is a file, read by a process of
its own, and by those that its tests start. `tests/data/equivalent_mutants.tsv` has the changes that
change nothing, with reasons.
"""

from __future__ import annotations

import argparse
import ast
import csv
import difflib
import os
import random
import re
import resource
import signal
import subprocess
import sys
import time
import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import coverage
import libcst as cst
import pytest
from libcst.metadata import MetadataWrapper, PositionProvider
from mutmut.mutation.file_mutation import MutationVisitor
from mutmut.mutation.mutators import mutation_operators
from mutmut.mutation.pragma_handling import IgnoredCode
from scipy.stats import binomtest

from tools.own import ROOT, own_files

AREAS = {
    "counts": "counts/*.py",
    "measures": "measures/*.py",
    "policies": "core/polic*.py",
    "redaction": "pages/audience.py pages/results.py pages/content.py"
    " campaigns/anonymous.py campaigns/teams.py campaigns/site.py",
    "files": "files/*.py",
    "inference": "inference/*.py",
    "platforms": "platforms/*.py commands/bundle.py",
    "logs": "files/inspect_log.py files/lm_eval.py files/log*.py files/samples.py"
    " files/score_lines.py core/choice.py core/epochs.py tasks/best_of_n.py tasks/check_logs.py",
}
"""The files of each area, in `ave_score/`."""

PACKAGE = Path("ave_score")
EQUIVALENT = Path("tests/data/equivalent_mutants.tsv")
HEAVY = """hypothesis execnet numpy pandas lxml.etree scipy.stats rich click jinja2 jsonschema
    sklearn.metrics pyarrow polars narwhals"""
"""What is imported once, before a process starts for each mutant."""


_SAID = re.compile(r",?\s*strict=\w+|(?<=\bcast\()[^,()]+(?=,)|,?\s*(?=\))")
"""What a program says of itself, which changes nothing: `strict` of `zip`, and types."""


class Mutant(NamedTuple):
    """A changed file.

    Attributes
    ----------
    path
        The file.
    lines
        The statement that is changed.
    function
        The function or method that has it.
    code
        The text of the changed file.
    change
        The old and the new lines.
    is_said
        Whether it changes only what the program says of itself.
    """

    path: Path
    lines: range
    function: str
    code: str
    change: str
    is_said: bool


@lru_cache
def mutations(path: Path) -> tuple[cst.Module, list[tuple[cst.CSTNode, cst.CSTNode, str, int]]]:
    """Return a parsed file, and its changes: old and new node, function, line."""
    wrapper = MetadataWrapper(cst.parse_module(path.read_text("utf-8")))
    visitor = MutationVisitor(mutation_operators, IgnoredCode(set(), set(), set()))
    skipped = visitor._skip_node_and_children
    visitor._skip_node_and_children = lambda node: (
        not isinstance(node, cst.FunctionDef) and skipped(node)
    )
    module = wrapper.visit(visitor)
    positions = wrapper.resolve(PositionProvider)
    return module, [
        (
            one.original_node,
            one.mutated_node,
            within.name.value,
            positions[one.original_node].start.line,
        )
        for one in visitor.mutations
        if isinstance(within := one.contained_by_top_level_function, cst.FunctionDef)
    ]


def mutant_of(path: Path, number: int) -> Mutant:
    """Return a mutant of a file by its number."""
    module, changes = mutations(path)
    old, new, function, line = changes[number]
    before, after = module.code, module.deep_replace(old, new).code
    lines = difflib.unified_diff(before.splitlines(), after.splitlines(), n=0, lineterm="")
    change = " ".join(
        " ".join(one.split()) for one in lines if one[:3] not in ("---", "+++", "@@ ")
    )
    spans = [
        range(node.lineno, (node.end_lineno or node.lineno) + 1)
        for node in ast.walk(ast.parse(before))
        if isinstance(node, ast.stmt) and node.lineno <= line <= (node.end_lineno or 0)
    ]
    is_said = _SAID.sub("", before) == _SAID.sub("", after)
    return Mutant(path, min(spans, key=len), function, after, change, is_said)


class Reached:
    """Which tests reach a line, and how long they take: from a run of the suite in a folder."""

    def __init__(self, folder: Path) -> None:
        times, data = folder / "times.xml", folder / "coverage"
        if not times.exists():
            folder.mkdir(parents=True, exist_ok=True)
            options = "pytest -q -n auto --dist worksteal -p tools.mutation"
            of_coverage = "--cov=ave_score --cov-context=test --cov-report= --junitxml"
            subprocess.run(
                [sys.executable, "-m", *options.split(), *of_coverage.split(), times],
                env=os.environ | {"COVERAGE_FILE": str(data)},
                check=False,
            )
        self.seconds = {
            f"{case.attrib['classname'].replace('.', '/')}.py::{case.attrib['name']}": float(
                case.attrib["time"]
            )
            for case in ET.parse(times).iter("testcase")
            if not len(case)  # it passed
        }
        self._data = coverage.CoverageData(str(data))
        self._data.read()
        self._names = {_inside(name): name for name in self._data.measured_files()}

    def by(self, mutant: Mutant) -> tuple[list[str], bool]:
        """Return tests for a mutant, the quickest first, and whether they are known to reach it.

        What is computed once, or while modules are read, is reached by no test that is known: its
        tests are those that reach anything in its file.
        """
        by_line = self._data.contexts_by_lineno(self._names[_inside(mutant.path)])
        phases = {phase for line in mutant.lines for phase in by_line.get(line, ()) if phase}
        is_reached = bool(phases)
        phases = phases or {phase for line in by_line.values() for phase in line}
        tests = {phase.rpartition("|")[0] for phase in phases}
        shared = {phase.partition("::")[0] for phase in phases if phase.endswith("|setup")}
        known = [
            test for test in self.seconds if test in tests or test.partition("::")[0] in shared
        ]
        return sorted(known, key=lambda test: (self.seconds[test], test)), is_reached


def pytest_runtest_setup() -> None:
    """Forget what is computed once, so that each test that needs it is seen to reach it."""
    for name, module in [*sys.modules.items()]:
        if name.partition(".")[0] == "ave_score":
            for value in vars(module).values():
                if hasattr(value, "cache_clear"):
                    value.cache_clear()


def _inside(path: Path | str) -> str:
    return Path(path).as_posix().rpartition("ave_score/")[2]


def code_of(tests: Sequence[str], tree: Path, seconds: float) -> int:
    """Run tests in a process of their own; return its exit code, negative if it was killed."""
    began = time.monotonic()
    if not (pid := os.fork()):
        os.setsid()
        os.chdir(tree)
        sys.path[0] = str(tree)
        for name in [name for name in sys.modules if name.partition(".")[0] == "tools"]:
            del sys.modules[name]
        resource.setrlimit(resource.RLIMIT_CPU, (int(seconds), int(seconds) + 1))
        resource.setrlimit(resource.RLIMIT_AS, (8 << 30, 8 << 30))
        log = os.open(tree.parent / "log", os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        os.dup2(log, 1)
        os.dup2(log, 2)
        options = [
            "-x",
            "-q",
            "--tb=line",
            "-p",
            "no:cacheprovider",
            "-p",
            "no:cov",
            "-p",
            "no:xdist",
        ]
        known = ["-W", "ignore::pytest.PytestAssertRewriteWarning"]
        os._exit(pytest.main([*options, *known, f"--basetemp={tree.parent / 'tests'}", *tests]))
    ended, status = 0, 0
    while not ended and time.monotonic() - began < 10 * seconds:
        ended, status = os.waitpid(pid, os.WNOHANG)
        time.sleep(0.01)
    with suppress(ProcessLookupError):
        os.killpg(pid, signal.SIGKILL)  # with all that the tests started
    if not ended:
        _, status = os.waitpid(pid, 0)
    return os.waitstatus_to_exitcode(status)


def verdicts(
    drawn: Sequence[Mutant], reached: Reached, tree: Path, limit: float
) -> Iterator[tuple[Mutant, str]]:
    """Yield what becomes of each mutant."""
    with EQUIVALENT.open(encoding="utf-8", newline="") as lines:
        rows = csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)
        equivalent = {(row["file"], row["function"], row["change"]) for row in rows}
    for number, mutant in enumerate(drawn):
        key = mutant.path.as_posix(), mutant.function, mutant.change
        if mutant.is_said or key in equivalent:
            yield mutant, "equivalent"
            continue
        candidates, is_reached = reached.by(mutant)
        tests, seconds = [], 0.0
        for test in candidates:
            if seconds < limit:
                tests.append(test)
                seconds += reached.seconds[test]
        file = tree / mutant.path
        file.write_text(mutant.code, "utf-8")
        os.utime(file, (1e9 + number, 1e9 + number))  # never that of what was compiled before
        code = code_of(tests, tree, 20 + 3 * seconds)
        for command in ("checkout -q .", "clean -fdq"):
            subprocess.run(["git", "-C", tree, *command.split()], check=True)
        if code == 0:
            yield mutant, "survived" if is_reached else "not reached"
        else:
            yield mutant, "killed" if code > 0 else "timed out"


def main() -> int:
    """Draw mutants of an area; print those that no test notices, and how many died."""
    parser = argparse.ArgumentParser(description="Draw mutants, and see whether tests notice them.")
    parser.add_argument("area", choices=AREAS)
    parser.add_argument("--sample", type=int, default=200, help="mutants drawn (%(default)s)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--limit", type=float, default=20, help="seconds of tests (%(default)s)")
    parser.add_argument("--folder", type=Path, default=Path("build/mutation"), help="of coverage")
    options = parser.parse_args()
    reached = Reached(options.folder.absolute())
    for name in HEAVY.split():
        import_module(name)
    patterns = [f"{PACKAGE}/{one}" for one in AREAS[options.area].split()]
    own = [path for path in own_files(str(PACKAGE), ".py") if any(map(path.match, patterns))]
    paths = [path.relative_to(ROOT) for path in own]
    every = [(path, number) for path in paths for number in range(len(mutations(path)[1]))]
    drawn = random.Random(options.seed).sample(every, min(options.sample, len(every)))
    mutants = [mutant_of(*one) for one in drawn]
    counts: Counter[str] = Counter()
    with TemporaryDirectory() as folder:
        tree = Path(folder, "tree")
        subprocess.run(["git", "clone", "-q", "--local", ".", tree], check=True)
        for mutant, verdict in verdicts(mutants, reached, tree, options.limit):
            counts[verdict] += 1
            if verdict in ("survived", "not reached"):
                where = f"{mutant.path}:{mutant.lines[0]}"
                print(verdict, where, mutant.function, mutant.change, sep="\t", flush=True)
    judged = len(drawn) - counts["equivalent"]
    died = counts["killed"] + counts["timed out"]
    low, high = binomtest(died, judged).proportion_ci(method="wilson")
    print(
        f"{options.area}, seed {options.seed}: {len(drawn)} of {len(every)} mutants: {dict(counts)}"
    )
    print(f"{died} of {judged} died: {died / judged:.1%} (95 % interval {low:.1%} to {high:.1%})")
    return 0


if __name__ == "__main__":
    sys.exit(main())
